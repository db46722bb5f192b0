//! The bound on the time step: the reported element and waves are those that bound it in the kernels.

use dg_runtime::law::{Arguments, Role};
use dg_runtime::solver::Clock;
use tests::{case, solver};

#[test]
#[ignore = "long"]
fn the_waves_reported_are_those_that_bound_the_step() {
    // Walls and flow that comes in, periodic boundaries, and a shock at which an inflow's ghost state is fastest.
    let annulus = r#"
        mesh = { generator = "quarter annulus", radii = [1.0, 1.384], cells = [3, 9], curves = { inner = "spline" } }
        boundaries = { inner = "slip_wall", outer = "slip_wall", inflow = "supersonic_vortex_inflow", outflow = "outflow" }
        initial.function = "supersonic_vortex"
    "#;
    let vortex = r#"
        mesh = { generator = "rectangle", lower = [-10, -10], upper = [10, 10], cells = [9, 9], jitter = 0.2 }
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        initial.function = "isentropic_vortex"
    "#;
    let inflow = r#"
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4] }
        boundaries.left.state = { rho = "27/7", v1 = "4/9*sqrt(35)", v2 = "0", p = "31/3" }
        boundaries.right = "outflow"
        boundaries.bottom = "slip_wall"
        boundaries.top = "slip_wall"
        initial.formulas = { rho = "1 + x", rho_v1 = "y - 0.5", rho_v2 = "0.3*x", rho_e = "2.5" }
    "#;
    for text in [annulus, vortex, inflow] {
        for order in tests::sample(0..=4) {
            let case = case(&format!("law = \"euler\"\norder = {order}\ntime = {{ final = 1, cfl = 0.1 }}\n{text}"));
            let mut solver = solver(&case);
            // No step is taken, only bounded.
            let stable_dt = solver.advance(1.0, 0).unwrap().stable_dt;
            let limit = solver.step_limit().unwrap();
            let crossings = solver.mesh().crossings(limit.element);
            let rates =
                limit.waves.iter().zip(crossings).map(|(wave, crossing)| wave.as_ref().unwrap().speed * crossing);
            let bound = 0.1 / ((2 * order + 1) as f64 * rates.map(|rate| rate * rate).sum::<f64>().sqrt());
            assert!(limit.waves.contains(&limit.wave));
            assert!(
                (bound - stable_dt).abs() < 1e-13 * stable_dt,
                "order {order}: {bound} instead of {stable_dt}\n{text}"
            );
        }
    }
}

/// Stages bound a step by what they keep at faces, and the first step is bounded by the solution alone. Where the speeds of waves never change, both
/// say the same, in every patch and at every face: within patches, between them, on boundaries and between shapes; and with a bound on what
/// passes a face.
#[test]
#[ignore = "long"]
fn stages_bound_steps_as_the_solution_does() {
    let meshes = [
        "jitter = 0.24",
        "elements = 'quadrilaterals'",
        "elements = 'quadrilaterals', jitter = 0.2",
        "jitter = 0.1, layers = 4",
        "degree = 2, curvature = 0.05",
    ];
    let limiters = ["", "limiter = { method = 'moment' }"];
    let pairs = limiters.into_iter().flat_map(|limiter| meshes.map(|mesh| (mesh, limiter)));
    for (mesh, limiter) in tests::every_other(pairs) {
        let text = format!(
            r#"
            law = "advection"
            order = 2
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [14, 9], {mesh} }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ state = {{ u = "1" }} }}, top = "absorbing" }}
            initial.formulas = {{ u = "1 + 0.1*sin(2*pi*x)" }}
            time = {{ final = 100 }}
            {limiter}
            "#
        );
        let mut solver = solver(&case(&text));
        let of_solution = solver.advance(f64::INFINITY, 0).unwrap().stable_dt;
        let of_stage = solver.advance(f64::INFINITY, 3).unwrap().stable_dt;
        assert!((of_stage - of_solution).abs() < 1e-13 * of_solution, "{of_stage}, {of_solution}: {mesh} {limiter}");
    }
}

/// In single precision squares of lengths or speeds may overflow or underflow.
#[test]
fn in_single_precision_too_stages_bound_steps_in_any_unit() {
    for length in [1e-15, 1.0, 1e22] {
        let text = format!(
            r#"
            law = "advection"
            order = 1
            precision = "single"
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [{length:e}, {length:e}], cells = [4, 4], jitter = 0.2 }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.formulas = {{ u = "1 + 0.1*sin(2*pi*x/{length:e})" }}
            time = {{ final = {length:e} }}
            "#
        );
        let mut solver = solver(&case(&text));
        let of_solution = solver.advance(f64::INFINITY, 0).unwrap().stable_dt;
        let after = solver.advance(f64::INFINITY, 3).unwrap();
        assert_eq!(after.rejected, 0, "{length:e}");
        let change = after.stable_dt / of_solution - 1.0;
        assert!(change.abs() < 1e-5, "{length:e}: {change:e}");
    }
}

/// The longest steps that a wind of velocity (1, 1) allows, by the Courant number and by the share that may pass a face.
#[test]
#[ignore = "long"]
fn with_a_limiter_no_more_than_its_part_passes_a_face() {
    let wind = |order: usize, jitter: f64, integrator: &str, cfl: &str| {
        let case = case(&format!(
            r#"
            law = "advection"
            order = {order}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = {jitter} }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.formulas = {{ u = "sin(2*pi*x)" }}
            limiter = {{ method = "moment" }}
            time = {{ final = 1, integrator = "{integrator}" {cfl} }}
            "#
        ));
        let mut solver = solver(&case);
        let stable_dt = solver.advance(1.0, 0).unwrap().stable_dt;
        let (setup, mesh) = (solver.setup(), solver.mesh());
        let bounds = |element: usize| {
            let (geometry, crossings) = (mesh.geometry(element), mesh.crossings(element));
            let speeds = geometry.normals.map(|[x, y]| (x + y).abs());
            let rate: f64 = speeds.iter().zip(crossings).map(|(speed, crossing)| (speed * crossing).powi(2)).sum();
            let passing = (0..3).map(|f| speeds[f] * geometry.face_lengths[f]).fold(0.0, f64::max);
            let volume = geometry.measure(mesh.shape(element));
            [setup.cfl / ((2 * order + 1) as f64 * rate.sqrt()), volume / passing]
        };
        let least =
            (0..mesh.element_count()).map(bounds).fold([f64::INFINITY; 2], |a, b| [a[0].min(b[0]), a[1].min(b[1])]);
        (stable_dt, least[0], setup.face_share.map(|share| share * least[1]))
    };
    let mut shorter = 0;
    for order in 1..=7 {
        for (jitter, integrator) in [(0.2, "ssp_rk3"), (0.0, "ssp_rk43")] {
            let (limit, stable, within) = wind(order, jitter, integrator, "");
            let within = within.unwrap();
            assert!((limit - stable.min(within)).abs() < 1e-13 * limit, "p = {order}: {limit}, {stable}, {within}");
            shorter += usize::from(within < stable);
            let (limit, stable, within) = wind(order, jitter, integrator, ", cfl = 0.4");
            assert!((limit - stable).abs() < 1e-13 * limit && within.is_none(), "p = {order}: {limit}, {stable}");
        }
    }
    // Each bound is the shorter one somewhere.
    assert!(0 < shorter && shorter < 14, "{shorter}");
}

#[test]
fn the_wave_is_one_of_the_law_at_its_point() {
    // Constant in every element, so that the point does not matter, but with no mean at rest.
    let case = case(
        r#"
        law = "euler"
        order = 0
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4], jitter = 0.2 }
        boundaries = { left = "outflow", right = "outflow", bottom = "outflow", top = "outflow" }
        initial.formulas = { rho = "1 + x", rho_v1 = "1 + y", rho_v2 = "-0.4", rho_e = "3" }
        time = { final = 1 }
        "#,
    );
    let solver = solver(&case);
    let limit = solver.step_limit().unwrap();
    let wave = limit.wave.unwrap();
    let state = &solver.coefficients().unwrap()[4 * limit.element..][..4];
    let state: Vec<f64> = state.iter().map(|mean| 2.0_f64.sqrt() * mean).collect();
    let law = solver.setup().law;
    let eigenvalues = law.with_role(Role::Eigenvalues).next().unwrap().host.unwrap();
    let speeds = solver.mesh().geometry(limit.element).normals.map(|normal| {
        let mut values = [0.0; 4];
        let parameters = &solver.setup().parameters[..];
        let (state, position) = (&state[..], &[][..]);
        eigenvalues(&Arguments { parameters, state, right: &[], normal: &normal, position, time: 0.0 }, &mut values);
        values[wave.eigenvalue].abs()
    });
    assert!(speeds.iter().any(|speed| (speed - wave.speed).abs() < 1e-13), "{wave:?}: {speeds:?}");
}

/// Waves so fast that a step does not change the time in floating point.
#[test]
fn a_step_that_collapsed_is_reported_with_the_wave_and_the_state_there() {
    let case = case(
        r#"
        law = "euler"
        order = 1
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4], jitter = 0.2 }
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        initial.formulas = { rho = "1", rho_v1 = "0", rho_v2 = "0", rho_e = "1e60" }
        time = { final = 2 }
        "#,
    );
    let mut solver = solver(&case);
    let clock = Clock { time: 1.0, ..solver.clock().unwrap() };
    solver.set_clock(clock).unwrap();
    let message = solver.advance(2.0, 1).unwrap_err().to_string();
    for part in [
        "the time step collapsed",
        "in element ",
        "sound_speed(u, gas)` is 7.483e29, u.rho at least 1.000e0, pressure(u, gas) at least 4.000e59\n",
    ] {
        assert!(message.contains(part), "{message}");
    }
}
