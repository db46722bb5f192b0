//! Meshes of triangles and quadrilaterals together, and of straight and curved elements: sections with programs of their own, which exchange
//! traces by one buffer of records.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::mesh::generate::QuarterAnnulus;
use dg_runtime::solver::{Clock, Solver};
use tests::{case, solution, solver};

/// A case on a square whose lower two thirds are quadrilaterals, which are parallelograms without jitter, below triangles: as many of
/// both.
pub(crate) fn square(law: &str, order: usize, cells: usize, jitter: f64) -> String {
    let layers = 2 * cells / 3;
    format!(
        r#"
        law = "{law}"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [2, 2], cells = [{cells}, {cells}], layers = {layers}, jitter = {jitter} }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        "#
    )
}

/// A gas between walls.
pub(crate) fn gas(order: usize, jitter: f64) -> String {
    square("euler", order, 9, jitter).replace(r#"{ periodic = "top" }"#, r#""slip_wall", top = "slip_wall""#)
        + r#"
        initial = { formulas = { rho = "1.2", rho_v1 = "0.7", rho_v2 = "0", rho_e = "2.6" } }
        time = { final = 1 }
        "#
}

/// The same that sloshes.
pub(crate) fn sloshing(order: usize, jitter: f64) -> String {
    gas(order, jitter).replace(r#"rho = "1.2""#, r#"rho = "1 + 0.2*sin(pi*x)*cos(pi*y) + 0.1*y""#)
}

/// The L2 error of waves that a flow along no axis carries from shape to shape.
fn error(order: usize, cells: usize, jitter: f64) -> f64 {
    let text = square("advection", order, cells, jitter)
        + r#"
        parameters = { v1 = 0.7, v2 = -0.4 }
        initial = { formulas = { u = "sin(pi*x) + cos(pi*y)" } }
        exact = { formulas = { u = "sin(pi*(x - 0.7*t)) + cos(pi*(y + 0.4*t))" } }
        time = { final = 0.6, cfl = 0.3, integrator = "carpenter_kennedy" }
        "#;
    let mut solver = solver(&case(&text));
    solver.advance(0.6, 1_000).unwrap();
    solver.errors().unwrap().l2[0]
}

/// The L2 error of the energy of waves for which a source is made, in a gas.
fn error_of_gas(order: usize, cells: usize, jitter: f64) -> f64 {
    let text = square("euler", order, cells, jitter)
        + r#"
        initial.function = "manufactured_waves"
        exact.function = "manufactured_waves"
        time = { final = 0.1, cfl = 0.3, integrator = "carpenter_kennedy" }
        "#;
    let mut solver = solver(&case(&text));
    solver.advance(0.1, 1_000).unwrap();
    solver.errors().unwrap().l2[3]
}

#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one() {
    for order in tests::sample(1..=5) {
        let cells = if order > 3 { 6 } else { 9 };
        for (what, error, jitter) in
            [("advection", error as fn(usize, usize, f64) -> f64, 0.15), ("gas", error_of_gas, 0.0)]
        {
            let [coarse, fine] = [cells, 2 * cells].map(|cells| error(order, cells, jitter));
            let rate = (coarse / fine).log2();
            println!("{what}, p = {order}, jitter {jitter}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
            // Random corners are no nested refinement.
            let least = order as f64 + if jitter > 0.0 { 0.4 } else { 0.7 };
            assert!(rate > least, "{what}, p = {order}, jitter {jitter}: {coarse:e}, {fine:e}, rate {rate}");
        }
    }
}

/// A polynomial of degree p that is constant along the flow is steady, through faces between shapes too.
#[test]
#[ignore = "long"]
fn a_polynomial_of_the_order_is_exact() {
    for order in [1, 3] {
        let steady = format!("{{ u = \"(0.3 + 0.4*x + 0.7*y)^{order}\" }}");
        let sides = ["left", "right", "bottom", "top"].map(|side| format!("{side} = {{ state = {steady} }}"));
        let periods = r#"left = { periodic = "right" }, bottom = { periodic = "top" }"#;
        let rest = format!(
            r#"
            parameters = {{ v1 = 0.7, v2 = -0.4 }}
            initial = {{ formulas = {steady} }}
            exact = {{ formulas = {steady} }}
            time.final = 1
            "#
        );
        let text = square("advection", order, 6, 0.2).replace(periods, &sides.join(", ")) + rest.as_str();
        let mut solver = solver(&case(&text));
        solver.advance(f64::INFINITY, 20).unwrap();
        let error = solver.errors().unwrap().max[0];
        assert!(error < 1e-12, "p = {order}: {error:e}");
    }
}

#[test]
#[ignore = "long"]
fn a_uniform_flow_stays_uniform_and_what_sloshes_is_kept() {
    for (order, jitter) in [(0, 0.2), (1, 0.0), (3, 0.2)] {
        let mut uniform = solver(&case(&gas(order, jitter)));
        let before = uniform.coefficients().unwrap();
        uniform.advance(f64::INFINITY, 50).unwrap();
        let after = uniform.coefficients().unwrap();
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(change < 1e-13, "p = {order}, jitter {jitter}: {change:e}");
        // Means over elements, whatever their shape, are those of the state.
        for (component, [least, largest]) in [1.2, 0.7, 0.0, 2.6].into_iter().zip(uniform.range_of_means().unwrap()) {
            assert!((least - component).abs() < 1e-13 && (largest - component).abs() < 1e-13, "{least}, {largest}");
        }

        let mut sloshing = solver(&case(&sloshing(order, jitter)));
        let before = sloshing.integrals().unwrap();
        sloshing.advance(f64::INFINITY, 50).unwrap();
        let after = sloshing.integrals().unwrap();
        for component in [0, 3] {
            let change = (after[component] / before[component] - 1.0).abs();
            assert!(change < 1e-13, "p = {order}, jitter {jitter}, component {component}: {change:e}");
        }
    }
}

/// Steps taken at once, one by one, and from the middle on give the same bits.
#[test]
#[ignore = "long"]
fn runs_repeat_bit_for_bit_also_from_the_middle() {
    let text =
        sloshing(2, 0.2).replace("final = 1", r#"final = 1, tolerance = 1e-5, integrator = "carpenter_kennedy""#);
    for text in [sloshing(2, 0.0), text] {
        let run = |advance: &dyn Fn(&mut Solver)| {
            let mut solver = solver(&case(&text));
            advance(&mut solver);
            (solver.clock().unwrap(), solver.coefficients().unwrap())
        };
        let at_once = run(&|solver| _ = solver.advance(0.1, 40).unwrap());
        let one_by_one = run(&|solver| (0..40).for_each(|_| _ = solver.advance(0.1, 1).unwrap()));
        assert_eq!(at_once, one_by_one);
        let resumed = run(&|solver| {
            solver.advance(0.1, 17).unwrap();
            let (clock, coefficients, sizes): (Clock, _, _) =
                (solver.clock().unwrap(), solver.coefficients().unwrap(), solver.sizes().to_vec());
            let mut other = tests::solver(&case(&text));
            other.set_coefficients(&coefficients).unwrap();
            other.set_clock(clock).unwrap();
            other.set_sizes(&sizes).unwrap();
            other.advance(0.1, 23).unwrap();
            *solver = other;
        });
        assert_eq!(at_once, resumed);
    }
}

/// Patches of other sizes and other schedules compute the same, to rounding.
#[test]
#[ignore = "long"]
fn schedules_agree() {
    let result = |schedule: &str| {
        let mut solver = solver(&case(&format!("schedule = \"{schedule}\"\n{}", sloshing(2, 0.2))));
        solver.advance(f64::INFINITY, 20).unwrap();
        solver.coefficients().unwrap()
    };
    let reference = result("component/32");
    for schedule in ["element/32", "component/128"] {
        let difference = reference.iter().zip(result(schedule)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{schedule}: {difference:e}");
    }
}

/// Where a curve bends some elements alone, the others are a section of affine or bilinear ones, with the solution of a mesh all of whose elements have
/// maps of the curve's degree: elements in an order that mixes both are one section.
#[test]
#[ignore = "long"]
fn straight_elements_beside_curved_ones_have_code_of_their_own() {
    straight_beside_curved(Shape::Triangle, [64, 16]);
    straight_beside_curved(Shape::Quadrilateral, [24, 16]);
}

/// The numbers of elements inside and at the arcs are `expected`.
fn straight_beside_curved(shape: Shape, expected: [usize; 2]) {
    let text = r#"
        law = "euler"
        order = 2
        mesh = { generator = "quarter annulus", elements = "SHAPE", radii = [1.0, 2.0], cells = [5, 8], degree = 2 }
        boundaries = { inner = "slip_wall", outer = "slip_wall", inflow = "slip_wall", outflow = "slip_wall" }
        initial.formulas = { rho = "1.1", rho_v1 = "0.2", rho_v2 = "-0.1", rho_e = "4" }
        time.final = 1
        "#;
    let case = case(&text.replace("SHAPE", shape.plural()));
    let device = tests::open(Choice::Cpu).unwrap();
    let annulus = QuarterAnnulus { shape, outer: 2.0, cells: [5, 8], ..QuarterAnnulus::default() };
    let disordered = annulus.mesh().unwrap().with_degree(2).unwrap();
    let meshes = [(case.build_mesh().unwrap(), expected.to_vec()), (disordered, vec![expected.iter().sum()])];
    let [apart, together] = meshes.map(|(mesh, expected)| {
        let counts: Vec<usize> = mesh.sections().iter().map(|section| section.elements.len()).collect();
        assert_eq!(counts, expected);
        let setup = case.setup(&mesh).unwrap();
        let mut solver = Solver::new(device.clone(), mesh, setup).unwrap();
        case.project(&mut solver).unwrap();
        solver.advance(0.3, 1_000).unwrap();
        [solver.integrals().unwrap(), solver.range_of_means().unwrap().concat()].concat()
    });
    for (apart, together) in apart.iter().zip(together) {
        assert!((apart - together).abs() < 1e-12, "{apart:e}, {together:e}");
    }
}

/// The steady flow in a bend, with quadrilaterals at its inner wall: walls of the degree of the solution are enough for the order p + 1.
#[test]
#[ignore = "long"]
fn curved_walls_keep_the_order() {
    let path = tests::root().join("equations/cases/supersonic_vortex_mixed.toml");
    let error = |cells: [usize; 2]| {
        let layers = 2 * cells[0] / 3;
        let settings = [
            "order=2".to_owned(),
            "mesh.degree=2".to_owned(),
            format!("mesh.cells={cells:?}"),
            format!("mesh.layers={layers}"),
        ];
        let case = Case::read_with(&path, &settings, equations::LAWS).unwrap();
        let mut solver = solver(&case);
        solver.advance(6.0, 100_000).unwrap();
        solver.errors().unwrap().l2[0]
    };
    let [coarse, fine] = [[3, 6], [6, 12]].map(error);
    let rate = (coarse / fine).log2();
    assert!(rate > 2.6, "{coarse:e}, {fine:e}, rate {rate}");
}

/// A limiter that reads means across faces between shapes keeps a profile's range, and what it carries.
#[test]
#[ignore = "long"]
fn limiters_compare_neighbours_of_both_shapes() {
    let methods = [("barth_jespersen", 1), ("filter", 2), ("moment", 1), ("moment", 3)];
    let sides = ["jitter = 0", "jitter = 0, degree = 2, curvature = 0.03"];
    for ((method, order), sides) in methods.into_iter().flat_map(|method| sides.map(|sides| (method, sides))) {
        let text = square("burgers", order, 9, 0.0).replace("jitter = 0", sides)
            + &*format!(
                r#"
                initial = {{ formulas = {{ u = "if(x < 1, 2, 0.5)" }} }}
                limiter.method = "{method}"
                time.final = 1
                "#
            );
        let mut solver = solver(&case(&text));
        let before = solver.integrals().unwrap()[0];
        solver.advance(f64::INFINITY, 60).unwrap();
        let after = solver.integrals().unwrap()[0];
        assert!((after / before - 1.0).abs() < 1e-13, "{method}, {sides}: {before:e}, {after:e}");
        let [least, largest] = solver.range_of_means().unwrap()[0];
        assert!(least > 0.5 - 1e-12 && largest < 2.0 + 1e-12, "{method}, {sides}: {least}, {largest}");
        // Without it, values are off the range.
        let mut free = tests::solver(&case(&text.replace(&format!("limiter.method = \"{method}\""), "")));
        free.advance(f64::INFINITY, 60).unwrap();
        let largest = free.samples().unwrap().values.into_iter().fold(0.0, f64::max);
        assert!(largest > 2.05, "{method}, {sides}: {largest}");
    }
}

/// The moment limiter compares moments of quadrilaterals with derivatives of triangles, straight or not: without an indicator it takes
/// hardly more of a smooth solution than on a mesh of one of them, and with one nothing where the mesh resolves it.
#[test]
#[ignore = "long"]
fn the_moment_limiter_takes_hardly_more_of_a_smooth_solution_on_both_shapes_than_on_one() {
    // Skewed elements resolve it on a finer mesh.
    for (order, cells, jitter) in tests::sample([(1, 18, 0.0), (2, 18, 0.0), (2, 36, 0.15), (3, 18, 0.0)]) {
        let layers = format!("layers = {}", 2 * cells / 3);
        let error = |elements: &str, limiter: &str| {
            let text = square("advection", order, cells, jitter).replace(&layers, elements)
                + &*format!(
                    r#"
                    parameters = {{ v1 = 0.7, v2 = -0.4 }}
                    initial = {{ formulas = {{ u = "sin(pi*x) + cos(pi*y)" }} }}
                    exact = {{ formulas = {{ u = "sin(pi*(x - 0.7*t)) + cos(pi*(y + 0.4*t))" }} }}
                    time = {{ final = 0.3, integrator = "ssp_rk3" }}
                    {limiter}
                    "#
                );
            solution(&case(&text)).errors().unwrap().l2[0]
        };
        let [triangles, squares, both] = ["layers = 0", "elements = \"quadrilaterals\"", &layers]
            .map(|elements| error(elements, "limiter.method = \"moment\""));
        let indicated = error(&layers, "limiter = { method = \"moment\", indicator = \"decay\" }");
        let free = error(&layers, "");
        println!(
            "p = {order}, jitter {jitter}: {triangles:.2e} on triangles, {squares:.2e} on quadrilaterals, {both:.2e} on both; \
             {indicated:.2e} with an indicator, {free:.2e} without a limiter"
        );
        assert!(
            both < 1.2 * triangles.max(squares),
            "p = {order}, jitter {jitter}: {triangles:e}, {squares:e}, {both:e}"
        );
        // Lines resolve it badly by the indicator.
        assert!(order < 2 || indicated < 1.05 * free, "p = {order}, jitter {jitter}: {indicated:e}, {free:e}");
    }
}

/// Sod's problem along rows of quadrilaterals below triangles, with the exact solution's formulas.
#[test]
#[ignore = "long"]
fn a_shock_tube_on_both_shapes_is_as_sharp_as_on_each() {
    let path = tests::root().join("docs/time-to-solution/sod.toml");
    let error = |elements: &str, order: usize| {
        let mesh = format!(
            "mesh={{ generator = \"rectangle\", lower = [0, 0], upper = [1, 0.04], cells = [50, 2], {elements} }}"
        );
        let limiter = "limiter={ method = \"moment\", variables = \"characteristic\" }".to_owned();
        let settings = [format!("order={order}"), mesh, limiter, "time.final=0.2".to_owned()];
        let case = Case::read_with(&path, &settings, equations::LAWS).unwrap();
        solution(&case).errors().unwrap().l1[0] / 0.04
    };
    for order in tests::sample([1, 2]) {
        let [triangles, squares, both] =
            ["jitter = 0", "elements = \"quadrilaterals\"", "layers = 1"].map(|elements| error(elements, order));
        println!("p = {order}: {triangles:.2e} on triangles, {squares:.2e} on squares, {both:.2e} on both");
        assert!(both < 1.1 * triangles.max(squares), "p = {order}: {triangles:e}, {squares:e}, {both:e}");
    }
}
