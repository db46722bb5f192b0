//! Small disturbances of a flow: their waves, and that they are those of the Euler equations.

/// Sound, heat and shear in a uniform wind at once.
#[test]
#[ignore = "long"]
fn waves_in_a_wind_are_of_full_order() {
    for (integrator, orders) in [("ader", 1..=5), ("carpenter_kennedy", 3..=3)] {
        for order in tests::sample(orders) {
            let cells = 48_usize.div_ceil(order + 1);
            let [coarse, fine] = [0, 1].map(|refine| {
                let case = tests::case(&format!(
                    r#"
                    law = "linearised_euler"
                    order = {order}
                    flux.numerical = "exact_upwind"
                    initial.function = "waves"
                    mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.1, refine = {refine} }}
                    boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
                    time = {{ final = 0.3, integrator = "{integrator}" }}"#
                ));
                tests::solution(&case).errors().unwrap().l2[3]
            });
            let rate = (coarse / fine).log2();
            println!("{integrator}, p = {order}: {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!((rate - (order + 1) as f64).abs() < 0.4, "{integrator}, p = {order}: {coarse}, {fine}, {rate:.2}");
        }
    }
}

/// A disturbance of a jet between walls, and the difference of two runs of the Euler equations, with and without a millionth of it. Heat comes
/// with it, and the gas is not the same everywhere.
#[test]
#[ignore = "long"]
fn disturbances_of_a_jet_are_those_of_the_euler_equations() {
    let shared = |refine: usize, wall: &str| {
        format!(
            r#"
            order = 3
            flux.numerical = "rusanov"
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [12, 12], jitter = 0.1, refine = {refine} }}
            time = {{ final = 0.6, integrator = "carpenter_kennedy" }}
            [boundaries]
            left.periodic = "right"
            bottom = "{wall}"
            top = "{wall}"
            [formulas]
            jet = "0.4 * exp(-4 * y^2)"
            heavy = "1.4 + 0.3 * y"
            spot = "exp(-16 * (x^2 + (y - 0.2)^2))"
            warm = "0.5 * exp(-16 * ((x - 0.3)^2 + (y + 0.2)^2))"
            "#
        )
    };
    // Of density, momentum along x and energy: pressure where `spot` is, and density alone where `warm` is, in the jet.
    let change = ["spot + warm", "jet * (spot + warm)", "2.5 * spot + 0.5 * jet^2 * (spot + warm)"];
    let linear = |refine: usize| {
        let [rho, m1, energy] = change;
        let case = tests::case(&format!(
            r#"
            law = "linearised_euler"
            {}
            [medium.formulas]
            rho0 = "heavy"
            v1 = "jet"
            v2 = 0
            p0 = 1
            [initial.formulas]
            rho = "{rho}"
            m1 = "{m1}"
            m2 = 0
            energy = "{energy}""#,
            shared(refine, "rigid_wall")
        ));
        tests::solution(&case).coefficients().unwrap()
    };
    let euler = |refine: usize, share: f64| {
        let [rho, m1, energy] = change;
        let case = tests::case(&format!(
            r#"
            law = "euler"
            {}
            [initial.formulas]
            rho = "heavy + {share} * ({rho})"
            rho_v1 = "heavy * jet + {share} * ({m1})"
            rho_v2 = 0
            rho_e = "2.5 + 0.5 * heavy * jet^2 + {share} * ({energy})""#,
            shared(refine, "slip_wall")
        ));
        tests::solution(&case).coefficients().unwrap()
    };
    let share = 1e-6;
    let [coarse, fine] = [0, 1].map(|refine| {
        let (disturbance, with, without) = (linear(refine), euler(refine, share), euler(refine, 0.0));
        let of_euler: Vec<f64> = with.iter().zip(&without).map(|(a, b)| (a - b) / share).collect();
        let difference: f64 = disturbance.iter().zip(&of_euler).map(|(a, b)| (a - b).powi(2)).sum();
        (difference / of_euler.iter().map(|b| b * b).sum::<f64>()).sqrt()
    });
    println!("relative difference {coarse:.3e}, {fine:.3e}");
    assert!(fine < 1e-3 && coarse / fine > 8.0, "{coarse} {fine}");
}
