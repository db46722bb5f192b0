//! Steps controlled by their errors.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::solver::{Clock, Integrator, Solver};
use tests::{bits, case, march, solution, solver};

/// An isentropic vortex on a torus, with these lines in [time] and these changes elsewhere.
fn vortex(time: &str, changes: &[(&str, &str)]) -> Case {
    let text = format!(
        r#"
        law = "euler"
        order = 3
        mesh = {{ generator = "rectangle", lower = [-10, -10], upper = [10, 10], cells = [24, 24], jitter = 0.2 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.function = "isentropic_vortex"
        exact.function = "isentropic_vortex"
        flux.numerical = "hllc"
        [time]
        {time}
        "#
    );
    case(&changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    }))
}

/// The root mean square, over elements of one size and components, of a difference of solutions relative to the sizes of components.
fn distance(a: &Solver, b: &Solver) -> f64 {
    let (components, n) = (a.sizes().len(), a.mesh().element_count());
    let basis = a.dof() / n / components;
    let (u, v) = (a.coefficients().unwrap(), b.coefficients().unwrap());
    let differences = u.chunks(basis).zip(v.chunks(basis)).enumerate().map(|(i, (u, v))| {
        let square: f64 = u.iter().zip(v).map(|(u, v)| (u - v).powi(2)).sum();
        square / a.sizes()[i % components].powi(2)
    });
    // The basis is orthonormal on a triangle of area 1/2.
    (2.0 * differences.sum::<f64>() / (n * components) as f64).sqrt()
}

#[test]
#[ignore = "long"]
fn the_tolerance_advised_has_the_error_of_short_steps_in_fewer_than_waves_need() {
    for (order, tolerance) in [("order = 1", 1e-4), ("order = 2", 1e-5), ("order = 3", 1e-6), ("order = 4", 1e-7)] {
        let of = |time: &str| {
            let (solver, clock) = march(&vortex(time, &[("order = 3", order)]), 20);
            (solver.errors().unwrap().l2[0], clock.steps)
        };
        let integrator = "integrator = 'carpenter_kennedy'";
        let (error, steps) = of(&format!("final = 4\ntolerance = {tolerance:e}"));
        let (_, of_waves) = of(&format!("final = 4\ncfl = {}\n{integrator}", 1.0));
        let (least, _) = of(&format!("final = 4\ncfl = 0.3\n{integrator}"));
        println!("{order}: {error:.4e} in {steps} steps, {of_waves} as waves allow; {least:.4e} in short ones");
        assert!((error / least - 1.0).abs() < 0.02 && 10 * steps < 9 * of_waves);
    }
}

#[test]
#[ignore = "long"]
fn the_error_of_a_run_is_at_most_that_of_all_its_steps() {
    let reference = solution(&vortex("final = 1\ncfl = 0.05\nintegrator = 'carpenter_kennedy'", &[]));
    for integrator in Integrator::ALL.into_iter().filter(|integrator| integrator.estimate().is_some()) {
        let mut last = f64::INFINITY;
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let time = format!("final = 1\ntolerance = {tolerance:e}\nintegrator = '{integrator}'");
            let (solver, clock) = march(&vortex(&time, &[]), 20);
            let error = distance(&solver, &reference);
            let tried = clock.steps + clock.rejected;
            println!("{integrator}, {tolerance:e}: {error:.2e} after {} of {tried} steps", clock.steps);
            assert!(error < clock.steps as f64 * tolerance && error < last);
            // The first step is as long as waves allow.
            assert!(clock.rejected <= 3 + clock.steps / 20, "{} rejected", clock.rejected);
            last = error;
        }
    }
}

#[test]
#[ignore = "long"]
fn units_change_no_step() {
    let steps = [1.0, 1e-6, 1e9].map(|density| {
        // Velocities ten times as large make everything ten times as fast.
        let initial = format!(
            "[initial.formulas]
             rho = '{density:e}*(1 + 0.3*sin(pi*x/5))'\nrho_v1 = '{density:e}*10*(1 + 0.3*sin(pi*x/5))'
             rho_v2 = '0'\nrho_e = '{density:e}*100*(2.5 + 0.5*(1 + 0.3*sin(pi*x/5)))'"
        );
        let time = format!("final = 0.2\ntolerance = 1e-7\n{initial}");
        let changes =
            [("initial.function = \"isentropic_vortex\"", ""), ("exact.function = \"isentropic_vortex\"", "")];
        march(&vortex(&time, &changes), 10).1.steps
    });
    assert!(steps[0] > 20 && steps.iter().all(|&other| other.abs_diff(steps[0]) <= 1), "{steps:?}");
}

#[test]
#[ignore = "long"]
fn steps_do_not_depend_on_how_they_are_divided_among_calls_nor_much_on_the_schedule() {
    let case = vortex("final = 2\ntolerance = 1e-6", &[]);
    let (one, one_clock) = march(&case, 1);
    for steps in [2, 7, 60] {
        let (other, clock) = march(&case, steps);
        // After the target is reached dt is 0; only dt differs then.
        assert_eq!(Clock { dt: one_clock.dt, ..clock }, one_clock, "{steps} at once");
        assert!(bits(&other) == bits(&one), "{steps} at once");
    }
    assert_eq!(one_clock.time, 2.0);
    for schedule in ["element", "component"] {
        let mut case = case.clone();
        case.schedule = Some(schedule.parse().unwrap());
        let (other, clock) = march(&case, 20);
        assert_eq!((clock.steps, clock.rejected), (one_clock.steps, one_clock.rejected), "{schedule}");
        assert!(distance(&other, &one) < 1e-10, "{schedule}");
    }
}

#[test]
fn a_step_of_too_large_an_error_is_taken_back_bit_for_bit() {
    let case = vortex("final = 2\ntolerance = 1e-9", &[]);
    let mut solver = solver(&case);
    let start = bits(&solver);
    let clock = Clock { stable_dt: 0.05, ..solver.clock().unwrap() };
    solver.set_clock(clock).unwrap();
    let after = solver.advance(2.0, 1).unwrap();
    assert_eq!((after.time, after.steps, after.rejected), (0.0, 0, 1));
    assert!(bits(&solver) == start && after.stable_dt < 0.81 * 0.05);
    let after = solver.advance(2.0, 40).unwrap();
    assert!(after.steps > 30 && after.time > 0.0);
}

#[test]
fn a_solution_that_begins_with_nothing_asks_for_an_absolute_tolerance() {
    let of = |tolerance: &str| {
        case(&format!(
            r#"
            law = "advection"
            order = 2
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [8, 8] }}
            boundaries = {{ left = {{ state.u = "sin(2*pi*t)^2" }}, right = "absorbing", bottom = {{ periodic = "top" }} }}
            initial.formulas.u = "0"
            time = {{ final = 0.5, tolerance = {tolerance} }}"#
        ))
    };
    let relative = of("1e-6");
    let mesh = relative.build_mesh().unwrap();
    let setup = relative.setup(&mesh).unwrap();
    let mut solver = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).unwrap();
    let refusal = relative.project(&mut solver).unwrap_err().to_string();
    assert!(refusal.contains("every component is zero at the start") && refusal.contains("absolute"), "{refusal}");
    let absolute = of("{ relative = 1e-6, absolute = 1e-6 }");
    let (solver, clock) = march(&absolute, 10);
    let filled: f64 = solver.integrals().unwrap()[0];
    // The inflow of a flow of speed 1 until t = 1/2 is 1/4.
    assert!(clock.steps > 10 && (filled - 0.25).abs() < 1e-3, "{filled} after {} steps", clock.steps);
}

#[test]
fn what_a_limiter_changes_is_no_error_that_shorter_steps_would_cure() {
    let case = case(
        r#"
        law = "burgers"
        order = 1
        mesh = { generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [12, 12] }
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        limiter = { method = "venkatakrishnan" }
        initial.formulas.u = "if(x*x + y*y < 0.25, 1, 0.1)"
        time = { final = 0.2, tolerance = 1e-5 }"#,
    );
    let mut solver = solver(&case);
    let error = (0..100).find_map(|_| solver.advance(0.2, 50).err()).expect("an end").to_string();
    for part in ["no step has an error within `tolerance`", "what a limiter changes", "a larger `tolerance`, or `cfl`"]
    {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn neither_large_nor_small_numbers_have_squares_that_matter() {
    let steps = ["1e300", "1", "1e-200"].map(|amplitude| {
        let case = case(&format!(
            r#"
            law = "advection"
            order = 2
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [8, 8] }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.formulas.u = "{amplitude}*sin(2*pi*x)"
            time = {{ final = 0.5, tolerance = 1e-6 }}"#
        ));
        march(&case, 10).1.steps
    });
    assert!(steps.iter().all(|&other| other.abs_diff(steps[1]) <= 1), "{steps:?}");
}
