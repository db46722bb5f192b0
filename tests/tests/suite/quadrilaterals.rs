//! Quadrilaterals with products of Legendre polynomials: parallelograms, and others with straight sides.

use dg_runtime::case::Case;
use dg_runtime::law::Shape;
use dg_runtime::mesh::Mesh;
use dg_runtime::solver::Solver;
use tests::{case, solver};

/// A gas in a square with walls at two sides.
const GAS: &str = r#"
    law = "euler"
    order = 2
    boundaries = { left = { periodic = "right" }, bottom = "slip_wall", top = "slip_wall" }
    initial = { formulas = { rho = "1.2", rho_v1 = "0.7", rho_v2 = "0", rho_e = "2.6" } }
    mesh = { generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1.5], cells = [12, 9], jitter = 0 }
    time = { final = 1 }
"#;

/// The L2 error of waves that a flow along no axis carries through squares, or through quadrilaterals with shifted corners.
fn error(order: usize, cells: usize, jitter: f64) -> f64 {
    let text = format!(
        r#"
        law = "advection"
        order = {order}
        parameters = {{ v1 = 0.7, v2 = -0.4 }}
        mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}], jitter = {jitter} }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial = {{ formulas = {{ u = "sin(2*pi*x) + cos(2*pi*y)" }} }}
        exact = {{ formulas = {{ u = "sin(2*pi*(x - 0.7*t)) + cos(2*pi*(y + 0.4*t))" }} }}
        time = {{ final = 0.3, cfl = 0.3, integrator = "carpenter_kennedy" }}
        "#
    );
    let mut solver = solver(&case(&text));
    solver.advance(0.3, 1_000).unwrap();
    solver.errors().unwrap().l2[0]
}

/// The L2 error of the energy of waves for which a source is made, in a gas.
fn error_of_gas(order: usize, cells: usize, jitter: f64) -> f64 {
    let text = format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [2, 2], cells = [{cells}, {cells}], jitter = {jitter} }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.function = "manufactured_waves"
        exact.function = "manufactured_waves"
        time = {{ final = 0.1, cfl = 0.3, integrator = "carpenter_kennedy" }}
        "#
    );
    let mut solver = solver(&case(&text));
    solver.advance(0.1, 1_000).unwrap();
    solver.errors().unwrap().l2[3]
}

/// Without quadrature, since the flux is linear, and by points.
#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one() {
    for order in tests::sample(1..=5) {
        let cells = if order > 3 { 4 } else { 8 };
        let laws = [("advection", error as fn(usize, usize, f64) -> f64), ("gas", error_of_gas)];
        for ((what, error), jitter) in laws.iter().flat_map(|law| [(law, 0.0), (law, 0.15)]) {
            let [coarse, fine] = [cells, 2 * cells].map(|cells| error(order, cells, jitter));
            let rate = (coarse / fine).log2();
            println!("{what}, p = {order}, jitter {jitter}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
            // Random corners are no nested refinement.
            let least = order as f64 + if jitter > 0.0 { 0.4 } else { 0.7 };
            assert!(rate > least, "{what}, p = {order}, jitter {jitter}: {coarse:e}, {fine:e}, rate {rate}");
        }
    }
}

#[test]
#[ignore = "long"]
fn a_uniform_flow_stays_uniform_and_what_sloshes_is_kept() {
    for (order, jitter) in [(0, 0.0), (1, 0.0), (3, 0.0), (0, 0.2), (1, 0.2), (3, 0.2)] {
        let text =
            GAS.replace("order = 2", &format!("order = {order}")).replace("jitter = 0", &format!("jitter = {jitter}"));
        let mut uniform = solver(&case(&text));
        let before = uniform.coefficients().unwrap();
        uniform.advance(f64::INFINITY, 50).unwrap();
        let after = uniform.coefficients().unwrap();
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(change < 1e-13, "p = {order}, jitter {jitter}: {change:e}");

        let mut sloshing =
            solver(&case(&text.replace(r#"rho = "1.2""#, r#"rho = "1 + 0.2*sin(2*pi*x)*cos(pi*y) + 0.1*y""#)));
        let before = sloshing.integrals().unwrap();
        sloshing.advance(f64::INFINITY, 50).unwrap();
        let after = sloshing.integrals().unwrap();
        for component in [0, 3] {
            let change = (after[component] / before[component] - 1.0).abs();
            assert!(change < 1e-13, "p = {order}, jitter {jitter}, component {component}: {change:e}");
        }
    }
}

/// Schedules compute the same, to rounding.
#[test]
#[ignore = "long"]
fn schedules_agree() {
    for jitter in [0.0, 0.2] {
        let text = GAS.replace(r#"rho = "1.2""#, r#"rho = "1 + 0.2*sin(2*pi*x)*cos(pi*y) + 0.1*y""#);
        assert_schedules_agree(&text.replace("jitter = 0", &format!("jitter = {jitter}")));
    }
}

fn assert_schedules_agree(text: &str) {
    let result = |schedule: &str| {
        let mut solver = solver(&case(&format!("schedule = \"{schedule}\"\n{text}")));
        solver.advance(f64::INFINITY, 20).unwrap();
        solver.coefficients().unwrap()
    };
    let reference = result("component/32");
    for schedule in ["element/32", "component/128"] {
        let other = result(schedule);
        let difference = reference.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{schedule}: {difference:e}");
    }
}

/// Errors of deal.II's tutorial step-67 for the same degree on the same squares lie between those of less and of more dissipative fluxes:
/// its Lax-Friedrichs flux has the speed ½ √(|v|² + c²).
#[test]
#[ignore = "long"]
fn errors_are_those_of_another_code() {
    let path = tests::root().join("equations/cases/vortex_on_squares.toml");
    let errors = ["hllc", "rusanov"].map(|flux| {
        let settings = [format!("flux.numerical = '{flux}'")];
        let case = Case::read_with(&path, &settings, equations::LAWS).unwrap();
        let mut solver = solver(&case);
        solver.advance(1.01, 1_000).unwrap();
        let l2 = solver.errors().unwrap().l2;
        [l2[0], l2[1].hypot(l2[2]), l2[3]]
    });
    // Density, momentum and energy at t = 1.01.
    for (c, published) in [1.37e-6, 2.252e-6, 4.153e-6].into_iter().enumerate() {
        let (less, more) = (errors[0][c], errors[1][c]);
        assert!(less < published && published < more && more < 2.5 * less, "{less:e}, {published:e}, {more:e}");
    }
}

/// What a polynomial of degree p in each reference coordinate is after projection: itself, also where maps are bilinear, since linear
/// functions of position are in every basis but that of order 0.
#[test]
fn linear_functions_are_kept() {
    let text = GAS.replace("jitter = 0", "jitter = 0.2").replace("order = 2", "order = 1");
    let case = case(&text.replace(r#"rho = "1.2""#, r#"rho = "1 + 0.2*x - 0.1*y""#));
    let solver = solver(&case);
    let samples = solver.samples().unwrap();
    let rho = samples.field("rho").unwrap();
    let mesh = solver.mesh();
    for element in 0..mesh.element_count() {
        // Corners come first.
        for (corner, &vertex) in mesh.corners(element).iter().enumerate() {
            let [x, y] = [0, 1].map(|d| mesh.vertex(vertex)[d]);
            let written = rho[element * tests::nodes(&solver) + corner];
            assert!((written - (1.0 + 0.2 * x - 0.1 * y)).abs() < 1e-13, "{written} at {x}, {y}");
        }
    }
}

/// Noise does not grow at the default Courant numbers, however the corners are shifted.
#[test]
#[ignore = "long"]
fn default_steps_are_stable() {
    for (order, integrator) in
        [(1, "ssp_rk3"), (2, "carpenter_kennedy"), (3, "ssp_rk43"), (4, "niegemann_diehl_busch"), (5, "rk4")]
    {
        let text = format!(
            r#"
            law = "advection"
            order = {order}
            parameters = {{ v1 = 0.7, v2 = -0.4 }}
            mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [16, 16], jitter = 0.249 }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial = {{ formulas = {{ u = "sin(1e4*x*x + 2e4*y)" }} }}
            time = {{ final = 1e9, integrator = "{integrator}" }}
            "#
        );
        let mut solver = solver(&case(&text));
        let norm = |solver: &mut Solver| solver.coefficients().unwrap().iter().map(|u| u * u).sum::<f64>().sqrt();
        let before = norm(&mut solver);
        solver.advance(f64::INFINITY, 600).unwrap();
        let after = norm(&mut solver);
        println!("p = {order}, {integrator}: {before:.2e}, {after:.2e}");
        assert!(after < before, "p = {order}, {integrator}: {before:e}, {after:e}");
    }
}

/// What a point source adds to the whole, wherever in an element it is.
#[test]
fn a_point_source_adds_its_rate() {
    let text = GAS.replace("jitter = 0", "jitter = 0.2");
    let text = format!("point_sources.one = {{ position = [0.31, 0.47], amplitude.rho = 1, rate = \"2\" }}\n{text}");
    let mut solver = solver(&case(&text));
    let before = solver.integrals().unwrap()[0];
    solver.advance(1e-3, 1_000).unwrap();
    let gained = solver.integrals().unwrap()[0] - before;
    assert!((gained - 2e-3).abs() < 1e-14, "{gained:e}");
}

/// Through every generated mesh of either shape, with straight walls: every element balances what passes its faces.
#[test]
#[ignore = "long"]
fn a_uniform_flow_passes_every_generated_mesh() {
    let state = r#"{ rho = "1.2", rho_v1 = "0.7", rho_v2 = "-0.3", rho_e = "2.6" }"#;
    for mesh in [
        r#"generator = "forward step", cells = [10, 5], jitter = 0.2"#,
        r#"generator = "cylinder", radii = [0.5, 5], cells = [6, 16], grading = 1.3"#,
        r#"generator = "airfoil", naca = "2412", radius = 5, cells = [6, 24], grading = 1.3"#,
        r#"generator = "airfoil", naca = "2412", radius = 5, cells = [6, 24], wake = 8, grading = 1.3"#,
        r#"generator = "bump", cells = [12, 4], grading = 1.3"#,
        r#"generator = "bump", profile = "sine", cells = [12, 4], grading = 0.8"#,
        r#"generator = "ramp", angle = 15, cells = [9, 6], grading = 1.2"#,
        r#"generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], grading = [1.3, 0.7], jitter = 0.2"#,
    ] {
        for elements in ["triangles", "quadrilaterals"] {
            let text = format!(
                r#"
                law = "euler"
                order = 2
                mesh = {{ {mesh}, elements = "{elements}" }}
                initial = {{ formulas = {state} }}
                exact = {{ formulas = {state} }}
                time.final = 1
                [boundaries]
                "#
            );
            // The names of the boundaries are those of the mesh, which has all curves taken away.
            let bare = Case::parse(&text, std::path::Path::new("case.toml"), equations::LAWS).unwrap();
            let names: Vec<String> =
                bare.build_mesh().unwrap().boundaries().iter().map(|boundary| boundary.name.clone()).collect();
            let conditions: String = names.iter().map(|name| format!("{name} = {{ state = {state} }}\n")).collect();
            let straight: Vec<String> = names.iter().map(|name| format!("{name} = \"straight\"")).collect();
            let curves = format!("mesh = {{ curves = {{ {} }}, ", straight.join(", "));
            let mut solver = solver(&case(&format!("{text}{conditions}").replace("mesh = {", &curves)));
            solver.advance(f64::INFINITY, 50).unwrap();
            let errors = solver.errors().unwrap().max;
            assert!(errors.iter().all(|error| *error < 1e-12), "{mesh}, {elements}: {errors:?}");
        }
    }
}

/// A case says nothing of the shape: the file does.
#[test]
fn a_mesh_from_a_file_gives_the_solution_of_the_generated_one() {
    let text =
        GAS.replace("jitter = 0", "jitter = 0.2").replace("rho_v1 = \"0.7\"", "rho_v1 = \"0.7 + 0.1*sin(2*pi*x)\"");
    let text = format!(
        "{text}exact = {{ formulas = {{ rho = \"1.2\", rho_v1 = \"0.7\", rho_v2 = \"0\", rho_e = \"2.6\" }} }}\n"
    );
    let mut generated = solver(&case(&text));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("square.msh");
    // The file offers the period, and the case takes it from the vertices.
    let sides =
        "boundaries = { left = \"slip_wall\", right = \"slip_wall\", bottom = \"slip_wall\", top = \"slip_wall\" }";
    let line = |key: &str| text.lines().find(|line| line.trim().starts_with(key)).unwrap().to_owned();
    let open = case(&text.replace(&line("boundaries"), sides)).build_mesh().unwrap();
    std::fs::write(&path, gmsh(&open)).unwrap();
    let from_file = text.replace(&line("mesh"), &format!("mesh.file = \"{}\"", path.display()));
    let mut read = solver(&case(&from_file));
    assert_eq!(read.mesh().shape(0), Shape::Quadrilateral);
    for solver in [&mut generated, &mut read] {
        assert_eq!(solver.advance(f64::INFINITY, 20).unwrap().steps, 20);
    }
    let [one, other] = [&generated, &read].map(|solver| solver.clock().unwrap().time);
    assert!((one - other).abs() < 1e-13 * one, "{one:e}, {other:e}");
    let [one, other] = [&generated, &read].map(|solver| solver.errors().unwrap());
    assert!(one.l2.iter().all(|error| *error > 1e-6), "nothing has moved: {one:?}");
    for (one, other) in one.l2.iter().chain(&one.max).zip(other.l2.iter().chain(&other.max)) {
        assert!((one - other).abs() < 1e-13, "{one:e}, {other:e}");
    }
    let refused = Case::parse(
        &from_file.replace("mesh.file", "mesh.elements = \"quadrilaterals\"\nmesh.file"),
        std::path::Path::new("square.toml"),
        equations::LAWS,
    );
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("the `file` says which shape its elements have; leave `elements` out"), "{message}");
}

/// A mesh as a file of Gmsh, version 2.2.
fn gmsh(mesh: &Mesh) -> String {
    let mut nodes = String::new();
    for (node, position) in mesh.vertices().chunks_exact(2).enumerate() {
        nodes += &format!("{} {:?} {:?} 0\n", node + 1, position[0], position[1]);
    }
    let numbers = |vertices: &[u32]| vertices.iter().map(|vertex| format!(" {}", vertex + 1)).collect::<String>();
    let lines = mesh.boundary_faces().iter().map(|face| {
        let corners = mesh.face_corners(face.element as usize, usize::from(face.face));
        format!("1 2 {0} {0}{1}", face.boundary + 1, numbers(&corners))
    });
    let quadrilaterals = (0..mesh.element_count()).map(|element| format!("3 2 0 9{}", numbers(mesh.corners(element))));
    let elements: Vec<String> =
        lines.chain(quadrilaterals).enumerate().map(|(i, line)| format!("{} {line}\n", i + 1)).collect();
    let names = mesh.boundaries().iter().enumerate().map(|(i, side)| format!("1 {} \"{}\"\n", i + 1, side.name));
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n{}$EndPhysicalNames\n$Nodes\n{}\n{nodes}$EndNodes\n\
         $Elements\n{}\n{}$EndElements\n",
        mesh.boundaries().len(),
        names.collect::<String>(),
        mesh.vertices().len() / 2,
        elements.len(),
        elements.concat()
    )
}

/// Two layers of gas with walls at y = ±1/2, the heavy one above. For k = 2π the linear theory of fluids that keep their volume (G. I. Taylor,
/// Proc. R. Soc. Lond. A 201, 1950) lets velocities grow like cosh σt from a level interface, σ² = A g k tanh(k/2) with Atwood's number A.
#[test]
#[ignore = "long"]
fn a_heavy_layer_above_a_light_one_grows_as_linear_theory_says() {
    let case = case(
        r#"
        law = "euler_gravity"
        order = 3
        mesh = { generator = "rectangle", elements = "quadrilaterals", lower = [0, -0.5], upper = [1, 0.5], cells = [8, 8] }
        boundaries = { left = { periodic = "right" }, bottom = "slip_wall", top = "slip_wall" }
        time = { final = 1, integrator = "carpenter_kennedy" }
        [formulas]
        k = "2*pi"
        [initial.formulas]
        rho = "if(y < 0, 1, 1.5)"
        v1 = "1e-3*if(y < 0, -1, 1)*sin(k*x)*cosh(k*(0.5 - abs(y)))/sinh(k/2)"
        v2 = "1e-3*cos(k*x)*sinh(k*(0.5 - abs(y)))/sinh(k/2)"
        p = "20 - y*if(y < 0, 1, 1.5)"
        "#,
    );
    let mut solver = solver(&case);
    let amplitude = |solver: &Solver| {
        let samples = solver.samples().unwrap();
        samples.field("rho_v2").unwrap().iter().map(|momentum| momentum * momentum).sum::<f64>().sqrt()
    };
    let before = amplitude(&solver);
    solver.advance(1.0, 100_000).unwrap();
    let growth = amplitude(&solver) / before;
    let k = std::f64::consts::TAU;
    let expected = (0.2 * k * (k / 2.0).tanh()).sqrt().cosh();
    println!("grown by {growth:.4}, linear theory {expected:.4}");
    assert!((growth / expected - 1.0).abs() < 0.05, "{growth}, {expected}");
}
