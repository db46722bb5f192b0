//! Elastic waves: orders, reflection and transmission at a jump of the solid, free surfaces, an explosion below one, and the derived exact
//! upwind flux.

use dg_runtime::case::Case;
use dg_runtime::solver::Solver;

/// Both forms of the equations: strain and momentum, which are conserved, and velocity and stress, which are not.
const FORMS: [&str; 2] = ["elastic", "elastic_velocity_stress"];

/// A pulse of P or S waves that comes from the left.
fn pulse(law: &str, which: &str, order: usize, mesh: &str, until: f64, more: &str) -> Case {
    tests::case(&format!(
        r#"
        law = "{law}"
        order = {order}
        flux.numerical = "exact_upwind"
        initial.function = "{which}"
        mesh = {{ generator = "rectangle", {mesh} }}
        boundaries = {{ left.state = "{which}", right.state = "{which}", bottom.periodic = "top" }}
        time = {{ final = {until}, integrator = "ader" }}
        {more}"#
    ))
}

const UNIFORM: &str = "parameters = { rho_right = 1, lambda_right = 2, mu_right = 1 }";

#[test]
#[ignore = "long"]
fn p_and_s_waves_are_of_full_order() {
    let orders = |law| tests::sample(1..=5).into_iter().map(move |order| (law, order));
    for (law, order) in FORMS.into_iter().flat_map(orders) {
        for (which, component) in [("p_pulse", 3), ("s_pulse", 4)] {
            let cells = 12_usize.div_ceil(order + 1).max(3);
            let [coarse, fine] = [0, 1].map(|refine| {
                let mesh = format!(
                    "lower = [-2.5, 0], upper = [1.5, 0.25], cells = [{}, {cells}], jitter = 0.1, refine = {refine}",
                    16 * cells
                );
                let case = pulse(law, which, order, &mesh, 0.75, UNIFORM);
                tests::solution(&case).errors().unwrap().l2[component]
            });
            let rate = (coarse / fine).log2();
            println!("{law}, {which}, p = {order}: {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!(
                (rate - (order + 1) as f64).abs() < 0.4,
                "{law}, {which}, p = {order}: {coarse}, {fine}, {rate:.2}"
            );
        }
    }
}

/// Where the solid jumps, too, whatever the units: `exact_upwind` finds both sides' waves for products, as for fluxes.
#[test]
#[ignore = "long"]
fn velocity_and_stress_pass_a_jump_with_full_order() {
    // As the law has it, and of rocks in units in which stresses are huge beside velocities.
    let rocks = "rho_left = 2.7e12, lambda_left = 2e12, mu_left = 3e12, rho_right = 3e12, lambda_right = 4.1e12, mu_right = 4.2e12";
    let units = [String::new(), format!("parameters = {{ {rocks} }}")];
    for (more, which, component) in units.iter().flat_map(|more| [(more, "p_pulse", 3), (more, "s_pulse", 4)]) {
        for order in tests::sample(1..=4) {
            let cells = 56_usize.div_ceil(order + 1);
            let [coarse, fine] = [0, 1].map(|refine| {
                let mesh = format!(
                    "lower = [-3, 0], upper = [4, 0.5], cells = [{}, {}], refine = {refine}",
                    7 * cells,
                    cells.div_ceil(2)
                );
                let case = pulse("elastic_velocity_stress", which, order, &mesh, 1.9, more);
                tests::solution(&case).errors().unwrap().l2[component]
            });
            let rate = (coarse / fine).log2();
            println!("{which}, p = {order}, `{more}`: {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!(rate > order as f64 + 0.5, "{which}, p = {order}, `{more}`: {coarse}, {fine}, {rate:.2}");
        }
    }
}

/// In a solid that varies both forms have one solution: by ADER in velocity and stress, and by Runge and Kutta's stages in strain and momentum.
#[test]
#[ignore = "long"]
fn velocity_and_stress_are_those_of_strain_and_momentum() {
    let run = |law: &str, initial: &str, integrator: &str, refine: usize| {
        let solver = tests::solution(&tests::case(&format!(
            r#"
            law = "{law}"
            order = 3
            flux.numerical = "exact_upwind"
            medium.formulas = {{ rho = "1 + 0.4 * sin(pi * x)", lambda = "2 + 0.5 * cos(pi * y)", mu = "1 + 0.4 * sin(pi * (x + y))" }}
            initial.formulas = {{ {initial} }}
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [12, 12], jitter = 0.1, refine = {refine} }}
            boundaries = {{ left = "free_surface", right = "clamped", bottom.periodic = "top" }}
            time = {{ final = 0.8, integrator = "{integrator}" }}"#
        )));
        let samples = solver.samples().unwrap();
        ["s11", "s22", "s12", "v1", "v2"].map(|name| samples.field(name).unwrap())
    };
    let still = r#"s11 = 0, s22 = 0, s12 = 0, v1 = "exp(-9 * (x^2 + y^2))", v2 = 0"#;
    let same = r#"e11 = 0, e22 = 0, e12 = 0, m1 = "(1 + 0.4 * sin(pi * x)) * exp(-9 * (x^2 + y^2))", m2 = 0"#;
    let [coarse, fine] = [0, 1].map(|refine| {
        let [a, b] = [run(FORMS[1], still, "ader", refine), run(FORMS[0], same, "carpenter_kennedy", refine)];
        let square = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| of(*a, *b).powi(2)).sum()
        };
        (square(&|a, b| a - b) / square(&|_, b| b)).sqrt()
    });
    println!("relative difference {coarse:.3e}, {fine:.3e}");
    assert!(fine < 1e-3 && coarse / fine > 8.0, "{coarse} {fine}");
}

/// Where the solid is the same everywhere, products act on coefficients; where it varies within elements, be it by 1e-13, they are evaluated
/// at points. Both are the same sums.
#[test]
fn products_on_coefficients_are_those_at_points() {
    for (shape, integrator, order) in
        [("triangles", "ader", 3), ("triangles", "rk4", 2), ("quadrilaterals", "ader", 2), ("quadrilaterals", "rk4", 3)]
    {
        let run = |rho: &str| {
            let solver = tests::solution(&tests::case(&format!(
                r#"
                law = "elastic_velocity_stress"
                order = {order}
                flux.numerical = "rusanov"
                medium.formulas = {{ rho = "{rho}", lambda = 2, mu = 1 }}
                initial.formulas = {{ s11 = "sin(3 * x + y)", s22 = "cos(2 * y)", s12 = "sin(x) * y", v1 = "exp(-4 * (x^2 + y^2))", v2 = "x" }}
                mesh = {{ generator = "rectangle", elements = "{shape}", lower = [-1, -1], upper = [1, 1], cells = [5, 4] }}
                boundaries = {{ left = "free_surface", right = "clamped", bottom.periodic = "top" }}
                time = {{ final = 0.3, integrator = "{integrator}" }}"#
            )));
            solver.coefficients().unwrap()
        };
        let [coefficients, points] = ["1", "1 + 1e-13 * x"].map(run);
        let difference = coefficients.iter().zip(&points).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{shape}, {integrator}, p = {order}: {difference:.1e}");
        assert!(difference < 1e-11, "{shape}, {integrator}, p = {order}: {difference:e}");
    }
}

/// The integral of a component on each side of x = 0.
fn sides(solver: &Solver, component: usize) -> [f64; 2] {
    let (coefficients, mesh) = (solver.coefficients().unwrap(), solver.mesh());
    let (basis, components) = (solver.unit().basis, solver.setup().law.state.len());
    let mut sides = [0.0; 2];
    for e in 0..mesh.element_count() {
        // The first basis function is the constant √2: the reference triangle has the area ½.
        let mean = 2.0_f64.sqrt() * coefficients[(e * components + component) * basis];
        sides[usize::from(mesh.centroid(e)[0] > 0.0)] += mean * mesh.geometry(e).measure(mesh.shape(e));
    }
    sides
}

/// Normal incidence: of a pulse of velocity (z_l - z_r) / (z_l + z_r) comes back and 2 z_l / (z_l + z_r) goes on, with the impedances z = ρ c; the
/// lengths of pulses are as the speeds, so that momentum is as z.
#[test]
#[ignore = "long"]
fn a_jump_of_the_solid_reflects_and_transmits_as_the_impedances_say() {
    // Density, λ and μ of both sides.
    let (left, right) = ([1.0, 2.0, 1.0], [2.0, 8.0, 4.0]);
    let both = |law| [(law, "p_pulse", 3, [1.0, 2.0]), (law, "s_pulse", 4, [0.0, 1.0])];
    // The moduli of P and S waves are λ + 2 μ and μ.
    for (law, which, component, share) in FORMS.into_iter().flat_map(both) {
        let impedance = |[rho, lambda, mu]: [f64; 3]| (rho * (share[0] * lambda + share[1] * mu)).sqrt();
        let [zl, zr] = [left, right].map(impedance);
        // No element lies across the jump.
        let case = pulse(law, which, 4, "lower = [-3, 0], upper = [5, 0.5], cells = [80, 5]", 1.9, "");
        let mut solver = tests::solver(&case);
        while solver.advance(1.9, 100).unwrap().time < 1.9 {}
        let [back, on] = sides(&solver, component);
        // The pulse is exp(-s^2) of width 0.2 in time, on a strip of height 1/2; of velocity it is as long as the speed says.
        let pulse = 0.5 * 0.2 * std::f64::consts::PI.sqrt();
        let sizes = if law == "elastic" { [zl, zr] } else { [zl / left[0], zr / right[0]] };
        let (reflected, transmitted) = (back / (sizes[0] * pulse), on / (sizes[1] * pulse));
        println!("{law}, {which}: reflected {reflected:.6}, transmitted {transmitted:.6}");
        let expected = [(zl - zr) / (zl + zr), 2.0 * zl / (zl + zr)];
        assert!((reflected - expected[0]).abs() < 1e-3 && (transmitted - expected[1]).abs() < 1e-3, "{expected:?}");
    }
}

/// Kinetic and elastic energy, but for a factor, of a solution whose solid has density, λ and μ `left` where x < 0 and else `right`.
fn energy(solver: &Solver, left: [f64; 3], right: [f64; 3]) -> f64 {
    let (coefficients, mesh) = (solver.coefficients().unwrap(), solver.mesh());
    let (basis, law) = (solver.unit().basis, solver.setup().law);
    let of_element = |(e, numbers): (usize, &[f64])| {
        let [rho, lambda, mu] = if mesh.centroid(e)[0] < 0.0 { left } else { right };
        let of_function = |j: usize| {
            let [s11, s22, s12, v1, v2] = [0, 1, 2, 3, 4].map(|c| numbers[c * basis + j]);
            if law.name == "elastic" {
                let strained = 0.5 * lambda * (s11 + s22).powi(2) + mu * (s11 * s11 + s22 * s22 + 2.0 * s12 * s12);
                return 0.5 * (v1 * v1 + v2 * v2) / rho + strained;
            }
            let pressure = 0.5 * lambda / (lambda + mu) * (s11 + s22).powi(2);
            let stressed = 0.25 / mu * (s11 * s11 + s22 * s22 + 2.0 * s12 * s12 - pressure);
            0.5 * rho * (v1 * v1 + v2 * v2) + stressed
        };
        (0..basis).map(of_function).sum::<f64>() * mesh.geometry(e).measure(mesh.shape(e))
    };
    coefficients.chunks_exact(5 * basis).enumerate().map(of_element).sum()
}

/// The energies, ten times until the end, of a push in a box.
fn energies(law: &str, [left, right]: [[f64; 3]; 2], rest: &str, end: f64) -> Vec<f64> {
    let jump = |i: usize| format!("if(x < 0, {}, {})", left[i], right[i]);
    let still =
        if law == "elastic" { "e11 = 0, e22 = 0, e12 = 0, m2 = 0" } else { "s11 = 0, s22 = 0, s12 = 0, v2 = 0" };
    let pushed = if law == "elastic" { format!("m1 = \"{} * push\"", left[0]) } else { "v1 = \"push\"".into() };
    let mut solver = tests::solver(&tests::case(&format!(
        r#"
        law = "{law}"
        order = 2
        mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [10, 10] }}
        medium = {{ degree = 0, formulas = {{ rho = "{}", lambda = "{}", mu = "{}" }} }}
        formulas.push = "exp(-9 * ((x + 0.5)^2 + y^2))"
        initial.formulas = {{ {still}, {pushed} }}
        {rest}
        time.final = {end}"#,
        jump(0),
        jump(1),
        jump(2)
    )));
    let mut energies = vec![energy(&solver, left, right)];
    for i in 1..=10 {
        let until = end * f64::from(i) / 10.0;
        while solver.advance(until, 100).unwrap().time < until {}
        energies.push(energy(&solver, left, right));
    }
    energies
}

fn assert_falls(energies: &[f64], what: &str) {
    println!("{what}: {:.4?}", energies.iter().map(|energy| energy / energies[0]).collect::<Vec<_>>());
    assert!(energies.is_sorted_by(|earlier, later| earlier >= later), "{what}: {energies:?}");
}

/// Behind free surfaces a solid has no source of energy, and an exact upwind flux only takes some, however much the solid jumps: rock beside soft
/// ground, beside water, which hardly bears shear, steel beside air, and steel beside light mud.
#[test]
#[ignore = "long"]
fn energy_never_grows_where_solids_jump() {
    let (rock, steel) = ([2.7, 30.0, 30.0], [7.8, 110.0, 80.0]);
    let pairs = [
        [rock, [2.0, 2.0, 0.2]],
        [rock, [1.0, 2.2, 1e-6]],
        [steel, [1.2e-3, 1.4e-4, 1e-11]],
        [steel, [0.02, 0.1, 1e-5]],
    ];
    for (pair, law) in pairs.into_iter().flat_map(|pair| FORMS.map(|law| (pair, law))) {
        for integrator in ["ader", "carpenter_kennedy"] {
            let rest = format!(
                r#"flux.numerical = "exact_upwind"
                boundaries = {{ left = "free_surface", right = "free_surface", bottom = "free_surface", top = "free_surface" }}
                time.integrator = "{integrator}""#
            );
            assert_falls(&energies(law, pair, &rest, 2.0), &format!("{law}, {integrator}, {pair:?}"));
        }
    }
}

/// A solid that hardly bears shear, so that S waves of both directions are near each other: what leaves does not come back.
#[test]
#[ignore = "long"]
fn energy_leaves_a_solid_that_is_nearly_a_fluid() {
    for mu in [1e-3, 1e-4, 1e-5, 1e-6, 1e-9] {
        for flux in ["rusanov", "exact_upwind"] {
            let rest = format!(
                r#"flux.numerical = "{flux}"
                boundaries = {{ left = "absorbing", right = "absorbing", bottom = "absorbing", top = "absorbing" }}
                time.integrator = "carpenter_kennedy""#
            );
            let solid = [1.0, 1.0, mu];
            assert_falls(&energies("elastic", [solid, solid], &rest, 20.0), &format!("{flux}, mu = {mu:e}"));
        }
    }
}

/// What was derived from the flux and its eigenvalues, and what its author wrote with the impedances of both sides.
#[test]
#[ignore = "long"]
fn the_derived_exact_flux_is_the_one_that_is_known_for_sound() {
    for integrator in ["ader", "ssp_rk3"] {
        let [by_hand, derived] = ["godunov", "exact_upwind"].map(|flux| {
            let case = tests::case(&format!(
                r#"
                law = "acoustics"
                order = 2
                flux.numerical = "{flux}"
                initial.formulas = {{ e = "exp(-9 * ((x + 0.5)^2 + y^2))", m1 = "0.2 * x", m2 = "0.3 * y" }}
                medium.formulas = {{ rho = "if(x < 0, 1, 5)", bulk = "if(y < 0, 1, 3)" }}
                mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [10, 10] }}
                boundaries = {{ left = "rigid_wall", right = "rigid_wall", bottom.periodic = "top" }}
                time = {{ final = 0.3, integrator = "{integrator}" }}"#
            ));
            tests::solution(&case).coefficients().unwrap()
        });
        let difference = by_hand.iter().zip(&derived).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{integrator}: {difference:e}");
    }
}

/// No force acts on a solid with free surfaces: its momentum stays, and its waves lose energy to the scheme alone.
#[test]
#[ignore = "long"]
fn a_free_solid_keeps_its_momentum() {
    let mut solver = tests::solver(&tests::case(
        r#"
        law = "elastic"
        order = 3
        flux.numerical = "exact_upwind"
        initial.formulas = { e11 = "0.1 * exp(-9 * (x^2 + y^2))", e22 = 0, e12 = "0.1 * x * y", m1 = "exp(-9 * (x^2 + y^2))", m2 = 0.1 }
        mesh = { generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [10, 10] }
        boundaries = { left = "free_surface", right = "free_surface", bottom = "free_surface", top = "free_surface" }
        time = { final = 1.0, integrator = "ader" }"#,
    ));
    let before = solver.integrals().unwrap();
    while solver.advance(1.0, 100).unwrap().time < 1.0 {}
    let after = solver.integrals().unwrap();
    for component in [3, 4] {
        assert!((after[component] - before[component]).abs() < 1e-13, "{before:?} {after:?}");
    }
}

/// Garvin's problem: P, its reflections, and Rayleigh's wave.
#[test]
#[ignore = "long"]
fn the_surface_above_an_explosion_moves_as_garvins_solution_says() {
    for integrator in ["carpenter_kennedy", "ader"] {
        let case = tests::example("garvin.toml", &[&format!("time.integrator={integrator}")]);
        let receivers = &case.receivers.as_ref().unwrap().points;
        let (components, mut misfits) = (case.law.state.len(), vec![[0.0; 2]; 2 * receivers.len()]);
        for (time, values) in super::receivers::signals(&case, tests::solver(&case), 50) {
            for (i, (receiver, state)) in receivers.iter().zip(values.chunks(components)).enumerate() {
                // The density is 1.
                for (d, exact) in tests::garvin::velocity(receiver.position[0], time).into_iter().enumerate() {
                    misfits[2 * i + d][0] += (state[3 + d] - exact).powi(2);
                    misfits[2 * i + d][1] += exact.powi(2);
                }
            }
        }
        let misfits: Vec<f64> = misfits.into_iter().map(|[error, size]| (error / size).sqrt()).collect();
        println!("{integrator}: {misfits:.4?}");
        assert!(misfits.len() == 4 && misfits.iter().all(|misfit| *misfit < 0.01), "{integrator}: {misfits:?}");
    }
}

/// Both plane waves at once, in a crystal whose axes are tilted.
#[test]
#[ignore = "long"]
fn waves_in_a_tilted_crystal_are_of_full_order() {
    for order in tests::sample(1..=4) {
        let cells = 12_usize.div_ceil(order + 1);
        let [coarse, fine] = [0, 1].map(|refine| {
            let case = tests::case(&format!(
                r#"
                law = "anisotropic_elastic"
                order = {order}
                parameters = {{ tilt = 0.4, direction = 1.1 }}
                flux.numerical = "exact_upwind"
                initial.function = "plane_waves"
                mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.1, refine = {refine} }}
                boundaries = {{ left.state = "plane_waves", right.state = "plane_waves", bottom.state = "plane_waves", top.state = "plane_waves" }}
                time = {{ final = 0.5, integrator = "ader" }}"#
            ));
            tests::solution(&case).errors().unwrap().l2[3..].iter().fold(0.0_f64, |a, b| a.hypot(*b))
        });
        let rate = (coarse / fine).log2();
        println!("p = {order}: {coarse:.3e} {fine:.3e}, rate {rate:.2}");
        assert!((rate - (order + 1) as f64).abs() < 0.4, "p = {order}: {coarse:.3e} {fine:.3e}, {rate:.2}");
    }
}

/// A crystal that turns together with the direction has the same waves; along the axes of zinc their speeds are √(c₁₁/ρ) and √(c₆₆/ρ).
#[test]
fn waves_turn_with_the_axes_of_a_crystal() {
    use dg_runtime::d2::Normal;
    use equations::anisotropic_elastic::{Crystal, State, crystal, eigenvalues};
    let u = State { e11: 0.0, e22: 0.0, e12: 0.0, m1: 0.0, m2: 0.0 };
    let speeds = |angle: f64, tilt: f64| {
        let solid = crystal(Crystal { tilt, ..Crystal::default() });
        eigenvalues(u, Normal { x: angle.cos(), y: angle.sin() }, solid)
    };
    assert!((speeds(0.0, 0.0)[4] - (16.5_f64 / 7.1).sqrt()).abs() < 1e-12);
    assert!((speeds(0.0, 0.0)[3] - (3.96_f64 / 7.1).sqrt()).abs() < 1e-12);
    for angle in [0.0, 0.3, 0.9, 2.0] {
        for tilt in [0.2, 1.0, -2.5] {
            let (turned, straight) = (speeds(angle + tilt, tilt), speeds(angle, 0.0));
            let same = turned.iter().zip(straight).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(same, "{angle}, {tilt}: {turned:?}, {straight:?}");
        }
    }
}

/// With the stiffness of an isotropic solid both laws are one, also at free surfaces and where the solid jumps.
#[test]
#[ignore = "long"]
fn an_isotropic_solid_is_an_anisotropic_one() {
    let [isotropic, anisotropic] = [
        ("elastic", r#"rho = "rho", lambda = "lambda", mu = 1"#),
        (
            "anisotropic_elastic",
            r#"rho = "rho", young = "4 * (lambda + 1) / (lambda + 2)", poisson = "lambda / (lambda + 2)", stiff = "lambda + 2", shear = 1,
               skew1 = 0, skew2 = 0"#,
        ),
    ]
    .map(|(law, medium)| {
        let case = tests::case(&format!(
            r#"
            law = "{law}"
            order = 2
            flux.numerical = "exact_upwind"
            formulas = {{ rho = "if(x < 0, 1, 3)", lambda = "if(x < 0, 2, 5)" }}
            medium.formulas = {{ {medium} }}
            initial.formulas = {{ e11 = "exp(-9 * (x^2 + y^2))", e22 = 0, e12 = "0.1 * x * y", m1 = "exp(-9 * (x^2 + y^2))", m2 = 0.1 }}
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [6, 6] }}
            boundaries = {{ left = "free_surface", right = "free_surface", bottom = "clamped", top = "absorbing" }}
            time = {{ final = 0.5, integrator = "ader" }}"#
        ));
        tests::solution(&case).coefficients().unwrap()
    });
    let difference = isotropic.iter().zip(&anisotropic).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-12, "{difference:e}");
}
