//! Elements with curved sides, of both shapes.

use dg_runtime::device::Choice;
use dg_runtime::io::Nodes;
use dg_runtime::solver::Solver;
use tests::vtu::Vtu;
use tests::{case, example, solution, solver};

const SHAPES: [&str; 2] = ["triangles", "quadrilaterals"];

/// A case on a square that is bent inside.
fn bent(law: &str, shape: &str, order: usize, degree: usize, cells: usize) -> String {
    format!(
        r#"
        law = "{law}"
        order = {order}
        mesh = {{ generator = "rectangle", elements = "{shape}", lower = [0, 0], upper = [2, 2], cells = [{cells}, {cells}], degree = {degree}, curvature = 0.05 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        "#
    )
}

/// The L2 error of the energy of waves for which a source is made, in a gas.
fn error_of_gas(shape: &str, order: usize, degree: usize, cells: usize) -> f64 {
    let text = bent("euler", shape, order, degree, cells)
        + r#"
        initial.function = "manufactured_waves"
        exact.function = "manufactured_waves"
        time = { final = 0.05, cfl = 0.3, integrator = "carpenter_kennedy" }
        "#;
    let mut solver = solver(&case(&text));
    solver.advance(0.05, 10_000).unwrap();
    solver.errors().unwrap().l2[3]
}

/// In a gas that is the same everywhere no step differs: the first, which follows from the state alone, takes the normals of the points as
/// stages do, which bound the second.
#[test]
#[ignore = "long"]
fn the_first_step_is_as_long_as_the_next() {
    for shape in SHAPES {
        let text = bent("euler", shape, 2, 3, 4)
            + r#"
            initial.formulas = { rho = "1", rho_v1 = "0.3", rho_v2 = "0.2", rho_e = "2.6" }
            time = { final = 1, integrator = "ssp_rk3" }
            "#;
        let mut solver = solver(&case(&text));
        let [first, second] = [1, 1].map(|steps| solver.advance(1.0, steps).unwrap().dt);
        assert!((first / second - 1.0).abs() < 1e-9, "{shape}: {first:e}, then {second:e}");
    }
}

#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one() {
    for (shape, (order, degree)) in SHAPES
        .into_iter()
        .flat_map(|shape| tests::sample([(1, 2), (2, 3), (3, 2), (4, 4)]).into_iter().map(move |case| (shape, case)))
    {
        let cells = if order > 2 { 6 } else { 8 };
        let [coarse, fine] = [cells, 2 * cells].map(|cells| error_of_gas(shape, order, degree, cells));
        let rate = (coarse / fine).log2();
        println!("{shape}, p = {order}, degree {degree}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > order as f64 + 0.6, "{shape}, p = {order}, degree {degree}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// A uniform flow, also through walls that it does not cross, and what sloshes between them.
#[test]
#[ignore = "long"]
fn a_uniform_flow_stays_uniform_and_what_sloshes_is_kept() {
    for (shape, (order, degree)) in SHAPES
        .into_iter()
        .flat_map(|shape| tests::sample([(1, 2), (3, 2), (3, 4)]).into_iter().map(move |case| (shape, case)))
    {
        let text = bent("euler", shape, order, degree, 6)
            .replace(r#"{ periodic = "top" }"#, r#""slip_wall", top = "slip_wall""#)
            + r#"
            initial = { formulas = { rho = "1.2", rho_v1 = "0.7", rho_v2 = "0", rho_e = "2.6" } }
            time = { final = 1 }
            "#;
        let mut uniform = solver(&case(&text));
        let before = uniform.coefficients().unwrap();
        uniform.advance(f64::INFINITY, 50).unwrap();
        let after = uniform.coefficients().unwrap();
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The derivative of a side of degree 4 has some hundred times the rounding of its nodes.
        assert!(change < 5e-12, "{shape}, p = {order}, degree {degree}: {change:e}");

        let sloshing = r#"rho = "1 + 0.2*sin(pi*x)*cos(pi*y) + 0.1*y""#;
        // Means over elements, whatever their size, are those of the state.
        for (component, [least, largest]) in [1.2, 0.7, 0.0, 2.6].into_iter().zip(uniform.range_of_means().unwrap()) {
            assert!((least - component).abs() < 1e-11 && (largest - component).abs() < 1e-11, "{least}, {largest}");
        }

        let mut sloshing = solver(&case(&text.replace(r#"rho = "1.2""#, sloshing)));
        let before = sloshing.integrals().unwrap();
        sloshing.advance(f64::INFINITY, 50).unwrap();
        let after = sloshing.integrals().unwrap();
        for component in [0, 3] {
            let change = (after[component] / before[component] - 1.0).abs();
            assert!(change < 1e-13, "{shape}, p = {order}, degree {degree}, component {component}: {change:e}");
        }
    }
}

/// Through blocks around a square, which meet at three corners of cells.
#[test]
#[ignore = "long"]
fn a_uniform_flow_through_a_disc_of_quadrilaterals_stays_uniform() {
    let flow = "{ rho = 1.2, v1 = 0.6, v2 = -0.3, p = 1 }";
    let mut solver = solver(&case(&format!(
        r#"
        law = "euler"
        order = 3
        mesh = {{ generator = "disc", elements = "quadrilaterals", radius = 1, rings = 2, degree = 3 }}
        boundaries.rim.state = {flow}
        initial.state = {flow}
        time.final = 1
        "#
    )));
    let before = solver.coefficients().unwrap();
    solver.advance(f64::INFINITY, 50).unwrap();
    let after = solver.coefficients().unwrap();
    let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(change < 5e-12, "{change:e}");
}

/// Schedules compute the same, to rounding.
#[test]
#[ignore = "long"]
fn schedules_agree() {
    for shape in SHAPES {
        let text = bent("euler", shape, 2, 2, 6)
            + r#"
            initial.function = "manufactured_waves"
            time.final = 1
            "#;
        let result = |schedule: &str| {
            let mut solver = solver(&case(&format!("schedule = \"{schedule}\"\n{text}")));
            solver.advance(f64::INFINITY, 20).unwrap();
            solver.coefficients().unwrap()
        };
        let reference = result("component/32");
        for schedule in ["element/32", "component/128"] {
            let difference = reference.iter().zip(result(schedule)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(difference < 1e-12, "{shape}, {schedule}: {difference:e}");
        }
    }
}

/// Noise does not grow at the default Courant numbers.
#[test]
#[ignore = "long"]
fn default_steps_are_stable() {
    for (shape, (order, degree)) in SHAPES.into_iter().flat_map(|shape| [(1, 2), (3, 3)].map(|case| (shape, case))) {
        let text = bent("advection", shape, order, degree, 10).replace("curvature = 0.05", "curvature = 0.14")
            + r#"
            parameters = { v1 = 0.7, v2 = -0.4 }
            initial = { formulas = { u = "sin(1e4*x*x + 2e4*y)" } }
            time.final = 1e9
            "#;
        let mut solver = solver(&case(&text));
        let norm = |solver: &mut Solver| solver.coefficients().unwrap().iter().map(|u| u * u).sum::<f64>().sqrt();
        let before = norm(&mut solver);
        solver.advance(f64::INFINITY, 600).unwrap();
        let after = norm(&mut solver);
        assert!(after < before, "{shape}, p = {order}, degree {degree}: {before:e}, {after:e}");
    }
}

/// The steady flow in a bend (L. Krivodonova & M. Berger, J. Comput. Phys. 211, 2006): walls of the degree of the solution are enough for the
/// order p + 1, where straight sides with their own normals would leave 2.
#[test]
#[ignore = "long"]
fn curved_walls_keep_the_order() {
    for (shape, order, degree, least) in tests::sample([("triangles", 2, 2, 2.8), ("quadrilaterals", 3, 3, 3.7)]) {
        let error = |cells: [usize; 2]| {
            let text = format!(
                r#"
                law = "euler"
                order = {order}
                mesh = {{ generator = "quarter annulus", elements = "{shape}", radii = [1.0, 1.384], cells = {cells:?}, degree = {degree} }}
                boundaries = {{ inner = "slip_wall", outer = "slip_wall", inflow = "supersonic_vortex_inflow", outflow = "outflow" }}
                initial.function = "supersonic_vortex"
                time.final = 6
                "#
            );
            let mut solver = solver(&case(&text));
            solver.advance(6.0, 100_000).unwrap();
            solver.errors().unwrap().l2[0]
        };
        let [coarse, fine] = [[2, 8], [4, 16]].map(error);
        let rate = (coarse / fine).log2();
        println!("{shape}, p = {order}, degree {degree}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > least, "{shape}, p = {order}, degree {degree}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// Ringleb's flow, whose walls are no circles, and which passes the speed of sound. With sides of the degree of the solution errors fall by a
/// half to a whole order more slowly.
#[test]
#[ignore = "long"]
fn ringlebs_flow_is_of_full_order() {
    let folder = tempfile::tempdir().unwrap();
    for (order, coarse) in tests::sample([(1, [3, 6]), (2, [3, 6]), (3, [2, 4])]) {
        let degree = order + 1;
        let error = |cells: [usize; 2]| {
            let path = folder.path().join("ringleb.msh");
            std::fs::write(&path, tests::ringleb::mesh(cells, degree)).unwrap();
            let settings =
                [format!("order={order}"), format!("mesh.file='{}'", path.display()), "time.final=5".to_owned()];
            let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
            solution(&example("ringleb.toml", &settings)).errors().unwrap().l2[0]
        };
        let [coarse, fine] = [coarse, coarse.map(|cells| 2 * cells)].map(error);
        let rate = (coarse / fine).log2();
        println!("p = {order}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > order as f64 + 0.8, "p = {order}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

#[test]
fn the_mesh_of_ringlebs_flow_is_the_one_that_comes_along() {
    let path = tests::root().join("equations/cases/ringleb.msh");
    let mesh = tests::ringleb::mesh([4, 8], 4);
    if std::env::var_os("RANKINE_RENEW_MESHES").is_some() {
        std::fs::write(&path, &mesh).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), mesh);
}

/// Sides of a higher degree than the solution's are in files as they are, and what lies between the solution's own nodes is the solution.
#[test]
#[ignore = "long"]
fn files_show_sides_of_a_higher_degree_than_the_solutions() {
    for (shape, at_rim) in SHAPES.into_iter().zip([18, 24]) {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            r#"
            law = "euler"
            order = 1
            mesh = {{ generator = "disc", elements = "{shape}", radius = 2.0, rings = 3, degree = 2 }}
            boundaries = {{ rim = "outflow" }}
            initial.formulas = {{ rho = "1 + 0.2*x^2 - 0.1*x*y", rho_v1 = "0", rho_v2 = "0", rho_e = "2.5" }}
            time = {{ final = 1e-6, integrator = "heun" }}
            output.directory = {:?}
            "#,
            folder.path().join("out")
        );
        let case = folder.path().join("case.toml");
        std::fs::write(&case, text).unwrap();
        let arguments = ["rankine".as_ref(), "run".as_ref(), case.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
        dg_runtime::cli::run(&arguments.map(std::ffi::OsString::from), &tests::laws()).unwrap();
        let vtu = Vtu::read(&folder.path().join("out/solution_0001.vtu"));
        let (corners, nodes) = if shape == "triangles" { (3, 6) } else { (4, 9) };
        let cells: Vec<&[[f64; 3]]> = vtu.points.chunks_exact(nodes).collect();
        let is_on_rim = |point: &[f64; 3]| (point[0].hypot(point[1]) - 2.0).abs() < 1e-12;
        let sides = (0..corners).map(|from| [from, (from + 1) % corners, corners + from]);
        let (mut on_rim, mut bent) = (0, 0);
        for (cell, values) in cells.iter().zip(vtu.fields["rho"].1.chunks_exact(nodes)) {
            for [from, to, middle] in sides.clone() {
                assert!((values[middle] - 0.5 * (values[from] + values[to])).abs() < 1e-12, "{shape}: {values:?}");
                if [from, to].iter().all(|&end| is_on_rim(&cell[end])) {
                    on_rim += 1;
                    bent += usize::from(is_on_rim(&cell[middle]));
                }
            }
        }
        assert_eq!((on_rim, bent), (at_rim, at_rim), "{shape}");
    }
}

/// The mean error of the entropy within one and a half diameters of a cylinder, and the coefficient of the pressure's drag, which are both zero in a
/// flow slower than sound (F. Bassi & S. Rebay, J. Comput. Phys. 138, 1997).
fn errors_at_a_cylinder(order: usize, settings: &[&str]) -> [f64; 2] {
    let order = format!("order={order}");
    let own = [&*order, "mesh.cells=[6, 12]", "mesh.grading=1.9", "time.steady=1e-4", "time.final=80"];
    let solver = solution(&example("cylinder.toml", &[&own[..], settings].concat()));
    let (samples, mesh) = (solver.samples().unwrap(), solver.mesh());
    let [entropy, pressure] = ["entropy", "pressure"].map(|name| samples.field(name).unwrap());
    let points = &solver.unit().reference().sample_points;
    let positions: Vec<[f64; 2]> = (0..mesh.element_count())
        .flat_map(|element| points.chunks(2).map(move |point| mesh.position(element, point)))
        .map(|position| [position[0], position[1]])
        .collect();
    let near = positions.iter().zip(&entropy[..]).filter(|([x, y], _)| x.hypot(*y) < 3.0);
    let errors: Vec<f64> = near.map(|(_, entropy)| (entropy - (1.0 / 1.4_f64).ln()).abs()).collect();
    // The pressure on the way from node to node, once around.
    let nodes = Nodes::uniform(mesh.shape(0), solver.unit().sample_order, 2, positions.as_flattened());
    let nodes = nodes.by_shape().next().unwrap();
    let (along, per_element) = (nodes.along_faces(), nodes.per_element());
    let walls = mesh.boundary_faces().iter().filter(|face| mesh.boundaries()[face.boundary as usize].name == "inner");
    let drag: f64 = walls
        .flat_map(|face| {
            let node = move |node: &usize| face.element as usize * per_element + node;
            along[face.face as usize].windows(2).map(move |pair| [node(&pair[0]), node(&pair[1])])
        })
        .map(|[from, to]| 0.5 * (pressure[from] + pressure[to]) * (positions[to][1] - positions[from][1]))
        .sum();
    [errors.iter().sum::<f64>() / errors.len() as f64, drag.abs() / (0.5 * 0.38 * 0.38)]
}

#[test]
#[ignore = "long"]
fn the_drag_of_a_cylinder_vanishes_with_the_order_behind_curved_sides_alone() {
    let curved = [1, 2, 3].map(|order| errors_at_a_cylinder(order, &[&*format!("mesh.degree={}", order + 1)]));
    let straight = [1, 2].map(|order| errors_at_a_cylinder(order, &["mesh.degree=1", "mesh.curves.inner=straight"]));
    println!("curved: {curved:?}, straight: {straight:?}");
    for pair in curved.windows(2) {
        assert!(pair[1][0] < 0.3 * pair[0][0] && pair[1][1] < 0.8 * pair[0][1], "{curved:?}");
    }
    assert!(curved[2][1] < 0.02, "{curved:?}");
    // A wake.
    assert!(straight.iter().all(|[entropy, drag]| *entropy > 0.01 && *drag > 0.2), "{straight:?}");
}

/// What cannot be is refused with the remedy.
#[test]
fn mistakes_are_told() {
    let refused = |text: &str| {
        let case = case(text);
        let mesh = match case.build_mesh() {
            Ok(mesh) => mesh,
            Err(error) => return error.to_string(),
        };
        let setup = case.setup(&mesh).unwrap();
        Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(|_| ()).unwrap_err().to_string()
    };
    let text = bent("euler", "triangles", 1, 3, 4) + "initial.function = \"manufactured_waves\"\ntime.final = 1\n";
    assert!(refused(&text).contains("elements of degree 3 need order 2 or more"), "{}", refused(&text));
    // Large cells that turn over.
    let folded =
        text.replace("order = 1", "order = 3").replace("cells = [4, 4]", "cells = [2, 2]").replace("0.05", "0.14");
    assert!(refused(&folded).contains("folded by its curved sides"), "{}", refused(&folded));
}
