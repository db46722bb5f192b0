//! Guarantees of limiters: bounds on means, conserved integrals and symmetries.

use std::collections::HashMap;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::mesh::{Boundary, Draft, Elements, Groups, Mesh, NamedFace};
use dg_runtime::solver::{Integrator, Method, Solver};
use tests::{case, march, means, solver};

/// All methods with those of these orders that they suit.
fn methods(orders: &[usize]) -> Vec<(Method, usize)> {
    let pairs = Method::ALL.into_iter().flat_map(|method| orders.iter().map(move |order| (method, *order)));
    pairs.filter(|(method, order)| method.suits(*order)).collect()
}

/// What a rectangle's section says of its elements: triangles of all kinds, or rectangles.
fn elements(shape: Shape) -> &'static str {
    if shape.is_product() { r#"elements = "quadrilaterals""# } else { "jitter = 0.2" }
}

fn scalar(law: &str, shape: Shape, method: Method, order: usize, integrator: Integrator) -> Case {
    scalar_on(elements(shape), law, method, order, integrator)
}

fn scalar_on(elements: &str, law: &str, method: Method, order: usize, integrator: Integrator) -> Case {
    let (initial, flux) = match law {
        "advection" => (r#"formulas.u = "if(abs(x + 0.2) < 0.25, if(abs(y) < 0.2, 1, 0), 0)""#, "upwind"),
        _ => (r#"formulas.u = "0.25 + 0.5*sin(2*pi*(x + y))""#, "godunov"),
    };
    case(&format!(
        r#"
        law = "{law}"
        order = {order}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [14, 14], {elements} }}
        limiter = {{ method = "{method}" }}
        flux.numerical = "{flux}"
        [initial]
        {initial}
        [time]
        final = 0.4
        integrator = "{integrator}"
        "#
    ))
}

/// The largest distance of means from a range.
fn overshoot(case: &Case, [least, most]: [f64; 2]) -> f64 {
    let mut solver = solver(case);
    let until = case.time.until.unwrap();
    let mut worst = 0.0_f64;
    while solver.advance(until, 1).unwrap().time < until {
        worst = means(&solver).into_iter().fold(worst, |worst, mean| worst.max(least - mean).max(mean - most));
    }
    worst
}

/// With Courant numbers allowed by theory. The square of the advected state has its sides within elements.
#[test]
#[ignore = "long"]
fn means_of_scalar_laws_stay_within_the_range_of_the_initial_state() {
    for (method, order) in tests::every_other(methods(&[1, 2, 3, 4])) {
        for (law, range) in [("advection", [0.0, 1.0]), ("burgers", [-0.25, 0.75])] {
            for integrator in [Integrator::Heun, Integrator::SspRk3] {
                let overshoot = overshoot(&scalar(law, Shape::Triangle, method, order, integrator), range);
                println!("{law}, {method}, p = {order}, {integrator}: {overshoot:.1e}");
                assert!(overshoot < 1e-13, "{law}, {method}, p = {order}, {integrator}: {overshoot:e}");
            }
            if order < 3 {
                let overshoot = overshoot(&scalar(law, Shape::Quadrilateral, method, order, Integrator::Heun), range);
                println!("{law}, {method}, p = {order}, quadrilaterals: {overshoot:.1e}");
                assert!(overshoot < 1e-13, "{law}, {method}, p = {order}, quadrilaterals: {overshoot:e}");
            }
        }
    }
}

/// Four gases on a torus: shocks, contacts and rarefactions that meet.
fn four_gases(shape: Shape, method: Method, order: usize) -> Case {
    four_gases_on(elements(shape), method, order)
}

fn four_gases_on(elements: &str, method: Method, order: usize) -> Case {
    case(&format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [8, 8], {elements} }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        limiter = {{ method = "{method}" }}
        time = {{ final = 100, integrator = "heun" }}
        flux.numerical = "hllc"
        [initial.formulas]
        rho = "if(x < 0, if(y < 0, 0.1, 1), if(y < 0, 0.5, 2))"
        rho_v1 = "if(y < 0, 0.3, -0.2)"
        rho_v2 = "if(x < 0, 0.1, 0)"
        rho_e = "if(x*y < 0, 5, 1)/(gamma - 1) + 0.5"
        "#
    ))
}

/// The last elements share a group of lanes with what fills it up, which must not be seen.
#[test]
#[ignore = "long"]
fn limiters_conserve_on_meshes_of_any_number_of_elements() {
    for cells in [9, 11, 13, 15] {
        let text = format!(
            r#"
            law = "euler"
            order = 2
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}] }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.state = {{ rho = "if((x - 0.9)^2 + (y - 0.9)^2 < 0.1, 4, 1)", v1 = 0.3, v2 = 0.2, p = "if(x < 0.8, 1, 3)" }}
            limiter.method = "moment"
            time = {{ final = 0.2, integrator = "ssp_rk3" }}
            "#
        );
        let mut solver = solver(&case(&text));
        let before = solver.integrals().unwrap();
        solver.advance(f64::INFINITY, 40).unwrap();
        let after = solver.integrals().unwrap();
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{cells}: {change:e}");
        assert!(change < 1e-12, "{cells} cells: {change:e}");
    }
}

#[test]
#[ignore = "long"]
fn every_limiter_conserves_every_integral() {
    const STEPS: u64 = 1000;
    let cases =
        Shape::ALL.map(|shape| methods(&[1, 2, 3]).into_iter().map(move |(method, order)| (shape, method, order)));
    for (shape, method, order) in tests::every_other(cases.into_iter().flatten()) {
        let mut solver = solver(&four_gases(shape, method, order));
        let before = solver.integrals().unwrap();
        let clock = solver.advance(f64::INFINITY, STEPS).unwrap();
        let after = solver.integrals().unwrap();
        let change: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).collect();
        let listed: Vec<String> = change.iter().map(|change| format!("{change:.1e}")).collect();
        println!(
            "{shape:?}, {method}, p = {order}: integrals changed by {} at t = {:.2}",
            listed.join(", "),
            clock.time
        );
        assert_eq!(clock.steps + clock.rejected, STEPS);
        assert!(change.iter().all(|change| *change < 1e-12), "{shape:?}, {method}, p = {order}: {change:?}");
    }
}

/// Where det J varies, the mean depends on all coefficients.
#[test]
#[ignore = "long"]
fn limiters_conserve_on_elements_that_are_not_affine() {
    const STEPS: u64 = 300;
    let meshes = [
        r#"elements = "quadrilaterals", jitter = 0.2"#,
        r#"elements = "quadrilaterals", degree = 2, curvature = 0.1"#,
        "degree = 2, curvature = 0.1",
        "layers = 5, jitter = 0.2",
    ];
    for mesh in tests::every_other(meshes) {
        for (method, order) in
            [(Method::BarthJespersen, 1), (Method::Venkatakrishnan, 1), (Method::Moment, 2), (Method::Filter, 2)]
        {
            let mut solver = solver(&four_gases_on(mesh, method, order));
            let before = solver.integrals().unwrap();
            let clock = solver.advance(f64::INFINITY, STEPS).unwrap();
            let after = solver.integrals().unwrap();
            let change: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).collect();
            println!("{mesh}, {method}, p = {order}: {change:?}, {} rejected, t = {:.2}", clock.rejected, clock.time);
            assert_eq!(clock.steps + clock.rejected, STEPS);
            assert!(change.iter().all(|change| *change < 1e-12), "{mesh}, {method}, p = {order}: {change:?}");
        }
    }
}

/// The means of a density that two limiters leave in its range on parallelograms.
#[test]
#[ignore = "long"]
fn means_on_skewed_quadrilaterals_stay_near_the_range_of_the_initial_state() {
    for (method, order) in [(Method::BarthJespersen, 1), (Method::Moment, 2), (Method::Filter, 2)] {
        let text = r#"elements = "quadrilaterals", jitter = 0.2"#;
        let mut solver = solver(&scalar_on(text, "advection", method, order, Integrator::SspRk3));
        let mut worst = 0.0_f64;
        while solver.advance(0.4, 5).unwrap().time < 0.4 {
            let [least, most] = solver.range_of_means().unwrap()[0];
            worst = worst.max(-least).max(most - 1.0);
        }
        println!("{method}, p = {order}: {worst:.1e}");
        assert!(worst < 1e-13, "{method}, p = {order}: {worst:e}");
    }
}

/// The square (−1, 1)² in elements that the reflections at both axes and both diagonals map to each other: of one shape, or quadrilaterals in
/// triangles. The first corner of quadrilaterals may be any.
fn symmetric_mesh(shapes: &[Shape], cells: usize) -> Mesh {
    let side = cells + 1;
    let vertex = |i: usize, j: usize| (j * side + i) as u32;
    let place = |i: usize| {
        // Wider cells in the middle.
        let x = 2.0 * i as f64 / cells as f64 - 1.0;
        x * (1.2 - 0.2 * x.abs())
    };
    let [mut triangles, mut quadrilaterals] = [Vec::new(), Vec::new()];
    for j in 0..cells {
        for i in 0..cells {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            let from_middle = [i, j].map(|i| (2 * i + 1).abs_diff(cells));
            let shape = if from_middle.iter().all(|&far| 2 * far < cells) { shapes.last() } else { shapes.first() };
            match shape.unwrap() {
                // Diagonals point to the middle.
                Shape::Triangle if (2 * i < cells) == (2 * j < cells) => triangles.extend([a, b, c, a, c, d]),
                Shape::Triangle => triangles.extend([a, b, d, b, c, d]),
                Shape::Quadrilateral => {
                    let mut corners = [a, b, c, d];
                    corners.rotate_left((i * i + 3 * i * j + j) % 4);
                    quadrilaterals.extend(corners);
                }
            }
        }
    }
    let along = |k: usize| {
        let last = cells;
        [
            [vertex(k, 0), vertex(k + 1, 0)],
            [vertex(k, last), vertex(k + 1, last)],
            [vertex(0, k), vertex(0, k + 1)],
            [vertex(last, k), vertex(last, k + 1)],
        ]
    };
    let named_faces = (0..cells).flat_map(along).map(|corners| NamedFace { corners, boundary: 0 }).collect();
    let draft = Draft {
        vertices: (0..side * side).flat_map(|v| [place(v % side), place(v / side)]).collect(),
        elements: Elements::mixed(&[triangles, quadrilaterals]),
        boundaries: vec![Boundary { name: "wall".to_owned(), curve: None }],
        named_faces,
        periodic_faces: Vec::new(),
        offered_periods: Vec::new(),
        element_tags: Vec::new(),
        groups: Groups::default(),
    };
    Mesh::new(draft).unwrap()
}

/// The largest difference between density and energy at a node and at its images.
fn asymmetry(solver: &Solver) -> f64 {
    let (mesh, samples) = (solver.mesh(), solver.samples().unwrap());
    let key = |middle: [f64; 2], x: [f64; 2]| {
        [middle, x].concat().iter().map(|x| (x * 1e7).round() as i64).collect::<Vec<_>>()
    };
    let (mut values, mut rows) = (HashMap::new(), samples.values.chunks(samples.fields.len()));
    for element in 0..mesh.element_count() {
        let middle = mesh.centroid(element);
        let nodes = solver.unit_of(element).reference().sample_points.chunks(2);
        for (node, at) in nodes.zip(&mut rows) {
            values.insert(
                key(middle, mesh.position(element, node)),
                ([middle, mesh.position(element, node)], [at[0], at[3]]),
            );
        }
    }
    let images: [fn([f64; 2]) -> [f64; 2]; 3] = [|[x, y]| [-x, y], |[x, y]| [x, -y], |[x, y]| [y, x]];
    let mut worst = 0.0_f64;
    for ([middle, x], value) in values.values() {
        for image in images {
            let (_, other) = &values[&key(image(*middle), image(*x))];
            worst = worst.max((value[0] - other[0]).abs()).max((value[1] - other[1]).abs());
        }
    }
    worst
}

/// Without an indicator, in a flow along walls: from degree 2 on what stays in the range of the means is left alone.
#[test]
#[ignore = "long"]
fn moment_keeps_most_of_a_smooth_flow_on_quadrilaterals() {
    for order in tests::sample([2, 3]) {
        let error = |limiter: &str| {
            let settings = [
                format!("order={order}"),
                "mesh.elements=\"quadrilaterals\"".to_owned(),
                "time={ final = 0.5, integrator = \"ssp_rk3\" }".to_owned(),
                format!("limiter={limiter}"),
            ];
            let case = tests::example("supersonic_vortex.toml", &settings.each_ref().map(String::as_str));
            march(&case, 100).0.errors().unwrap().l2[0]
        };
        let [with, without] = ["{ method = \"moment\", variables = \"characteristic\" }", "{}"].map(error);
        println!("p = {order}: {with:.2e}, without a limiter {without:.2e}");
        assert!(with < 4.0 * without, "p = {order}: {with:e}, {without:e}");
    }
}

/// In many steps the hierarchical limiter amplifies rounding errors.
#[test]
#[ignore = "long"]
fn a_symmetric_blast_stays_symmetric() {
    const BOTH: &[Shape] = &Shape::ALL;
    let (triangles, quadrilaterals) = BOTH.split_at(1);
    let of_one = |shapes: &'static [Shape]| {
        methods(&[1, 2, 3]).into_iter().map(move |(method, order)| (shapes, method, order)).collect::<Vec<_>>()
    };
    let mixed = [(Method::BarthJespersen, 1), (Method::Moment, 1), (Method::Moment, 2), (Method::Filter, 2)]
        .map(|(method, order)| (BOTH, method, order));
    for (shapes, method, order) in
        tests::every_other([of_one(triangles), of_one(quadrilaterals), mixed.to_vec()].concat())
    {
        let steps = match method {
            Method::Moment if shapes == triangles => 60,
            Method::Moment => 20,
            _ => 200,
        };
        let kind = match shapes {
            [shape] => format!(r#"elements = "{}""#, shape.plural()),
            _ => "layers = 1".to_owned(),
        };
        let case = case(&format!(
            r#"
            law = "euler"
            order = {order}
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [2, 2], {kind} }}
            boundaries = {{ left = "slip_wall", right = "slip_wall", bottom = "slip_wall", top = "slip_wall" }}
            limiter = {{ method = "{method}" }}
            time = {{ final = 100, integrator = "heun" }}
            [initial.formulas]
            rho = "if(x*x + y*y < 0.17, 4, 0.5)"
            rho_v1 = "0"
            rho_v2 = "0"
            rho_e = "if(x*x + y*y < 0.17, 4, 0.5)/(gamma - 1)"
            "#
        ));
        // The setup of a mesh with other boundaries, but one condition on all of them.
        let mut setup = case.setup(&case.build_mesh().unwrap()).unwrap();
        setup.boundaries.truncate(1);
        let mut solver = Solver::new(tests::open(Choice::Cpu).unwrap(), symmetric_mesh(shapes, 12), setup).unwrap();
        case.project(&mut solver).unwrap();
        let clock = solver.advance(f64::INFINITY, steps).unwrap();
        let worst = asymmetry(&solver);
        println!("{shapes:?}, {method}, p = {order}: {worst:.1e} at t = {:.2}", clock.time);
        assert!(clock.steps == steps && worst < 1e-12, "{shapes:?}, {method}, p = {order}: {worst:e}, {clock:?}");
    }
}
