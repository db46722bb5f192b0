//! Far fields and absorbing boundaries: outgoing waves do not return, incoming ones are the given state's, and gas at rest stays
//! at rest.

use std::ffi::OsString;

use dg_runtime::solver::{Samples, Solver};
use tests::{case, means, solver};

/// Gas in a strip along x with these conditions at its ends; the state is given by formulas.
fn strip(cells: usize, order: usize, flux: &str, ends: [&str; 2], state: [&str; 3], until: f64) -> String {
    let ([left, right], [rho, v, p]) = (ends, state);
    format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {height}], cells = [{cells}, 2], jitter = 0.2 }}
        boundaries = {{ left = {left}, right = {right}, bottom = {{ periodic = "top" }} }}
        flux.numerical = "{flux}"
        time = {{ final = {until} }}
        [formulas]
        density = "{rho}"
        velocity = "{v}"
        [initial.formulas]
        rho = "density"
        rho_v1 = "density*velocity"
        rho_v2 = "0"
        rho_e = "({p})/(gamma - 1) + 0.5*density*velocity^2"
        "#,
        height = 2.0 / cells as f64
    )
}

/// The solution of a case at its final time, unless the computation fails.
fn solution(toml: &str) -> Result<Solver, dg_runtime::solver::Error> {
    let case = case(toml);
    let mut solver = solver(&case);
    let until = case.time.until.unwrap();
    while solver.clock()?.time < until {
        solver.advance(until, 50)?;
    }
    solver.check()?;
    Ok(solver)
}

/// The values of a field of a solution at all nodes.
fn values(solver: &Solver, field: &str) -> Vec<f64> {
    let Samples { fields, values, .. } = solver.samples().unwrap();
    let field = fields.iter().position(|name| *name == field).unwrap();
    values.chunks(fields.len()).map(|point| point[field]).collect()
}

/// The largest difference of values from a number.
fn deviation(values: &[f64], from: f64) -> f64 {
    values.iter().map(|value| (value - from).abs()).fold(0.0, f64::max)
}

const DENSITY: &str = "rho";
const PRESSURE: &str = "pressure";

#[test]
#[ignore = "long"]
fn gas_at_rest_stays_at_rest() {
    let at_rest = ["1", "0", "1"];
    let far_field = r#"{ far_field = { rho = "1", rho_v1 = "0", rho_v2 = "0", rho_e = "2.5" } }"#;
    for order in tests::sample([0, 1, 2, 3, 7]) {
        for flux in if order == 2 { &["rusanov", "hllc"][..] } else { &["rusanov"] } {
            let solver = solution(&strip(10, order, flux, [r#""absorbing""#, far_field], at_rest, 2.0)).unwrap();
            let found = deviation(&values(&solver, DENSITY), 1.0);
            assert!(found < 1e-12, "{flux}, degree {order}: {found:e}");
        }
    }
    // This does not hold if the inner state is copied.
    let copied = solution(&strip(10, 7, "rusanov", [r#""outflow""#; 2], at_rest, 2.0));
    assert!(copied.is_err() || deviation(&values(&copied.unwrap(), DENSITY), 1.0) > 1e-3);
}

#[test]
#[ignore = "long"]
fn sound_leaves_and_does_not_come_back() {
    for (flux, v) in [("rusanov", "0"), ("hllc", "0"), ("rusanov", "0.3"), ("hllc", "0.3")] {
        // Sound in both directions: an adiabatic pressure bump, with pressure and speed of sound about 1.
        let amplitude = 1e-4;
        let bump = format!("(1 + {amplitude}*exp(-((x - 0.5)/0.1)^2))");
        let state = [&format!("1.4*{bump}^(1/gamma)"), v, &*bump];
        let outside = format!(r#"{{ rho = "1.4", rho_v1 = "1.4*{v}", rho_v2 = "0", rho_e = "2.5 + 0.7*{v}^2" }}"#);
        let far_field = format!("{{ far_field = {outside} }}");
        let left = solution(&strip(24, 3, flux, ["\"absorbing\"", &far_field], state, 2.0)).unwrap();
        let [p, rho] =
            [(PRESSURE, 1.0), (DENSITY, 1.4)].map(|(field, mean)| deviation(&values(&left, field), mean) / amplitude);
        println!("{flux}, {v}: {p:.1e} of the pressure, {rho:.1e} of the density");
        assert!(p < 1e-5 && rho < 1e-4, "{flux}, {v}: {p:e}, {rho:e}");
        // A wall reflects all of it.
        if (flux, v) == ("hllc", "0") {
            let walls = solution(&strip(24, 3, flux, ["\"slip_wall\""; 2], state, 2.0)).unwrap();
            assert!(deviation(&values(&walls, PRESSURE), 1.0) > 0.4 * amplitude);
        }
    }
}

#[test]
#[ignore = "long"]
fn supersonic_flow_is_given_on_one_side_and_free_on_the_other() {
    let wave = "1.4*(1 + 0.2*sin(2*pi*(x - 3*t)))";
    let outside = format!(r#"{{ rho = "{wave}", rho_v1 = "3*{wave}", rho_v2 = "0", rho_e = "2.5 + 4.5*{wave}" }}"#);
    let initial = wave.replace(" - 3*t", "");
    let state = [&*initial, "3", "1"];
    let ends = |left: &str, right: &str| solution(&strip(16, 3, "rusanov", [left, right], state, 0.5)).unwrap();
    let far_field = format!("{{ far_field = {outside} }}");
    let ours = ends(&far_field, &far_field).coefficients().unwrap();
    let known = ends(&format!("{{ state = {outside} }}"), "\"outflow\"").coefficients().unwrap();
    let difference = ours.iter().zip(&known).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-12, "{difference:e}");
}

/// A vortex in a stream, in a square with one condition on all sides.
fn vortex(flux: &str, condition: &str, strength: f64, until: f64) -> String {
    format!(
        r#"
        law = "euler"
        order = 2
        mesh = {{ generator = "rectangle", lower = [-5, -5], upper = [5, 5], cells = [16, 16], jitter = 0.2 }}
        boundaries = {{ left = {condition}, right = {condition}, bottom = {condition}, top = {condition} }}
        flux.numerical = "{flux}"
        time.final = {until}
        [formulas]
        spin = "{strength}*exp(0.5*(1 - x^2 - y^2))"
        temperature = "1 - (gamma - 1)/(2*gamma)*spin^2"
        density = "temperature^(1/(gamma - 1))"
        v1 = "0.6 - spin*y"
        v2 = "0.3 + spin*x"
        [initial.formulas]
        rho = "density"
        rho_v1 = "density*v1"
        rho_v2 = "density*v2"
        rho_e = "density*temperature/(gamma - 1) + 0.5*density*(v1^2 + v2^2)"
        "#
    )
}

#[test]
#[ignore = "long"]
fn a_vortex_leaves_through_a_subsonic_outflow() {
    // A weak one, and one whose velocity exceeds the stream's, so that gas enters through the outflow side.
    for (flux, strength, until) in [("hllc", 0.1, 30.0), ("rusanov", 0.8, 40.0)] {
        let case = vortex(flux, "\"absorbing\"", strength, until);
        let [before, after] = [solver(&tests::case(&case)), solution(&case).unwrap()]
            .map(|solver| deviation(&values(&solver, "rho_v2"), 0.3));
        println!("{flux}, {strength}: {:.1e}", after / before);
        assert!(after < 0.03 * before, "{flux}, {strength}: {before:e} became {after:e}");
    }
}

#[test]
#[ignore = "long"]
fn a_plasma_has_a_far_field_too() {
    let plasma = |bump: &str, until: f64| {
        format!(
            r#"
            law = "mhd"
            order = 3
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 0.125], cells = [16, 2], jitter = 0.2 }}
            boundaries = {{ left = "absorbing", right = "absorbing", bottom = {{ periodic = "top" }} }}
            time.final = {until}
            [formulas]
            bump = "{bump}"
            p = "0.6*(1 + bump)"
            [initial.formulas]
            rho = "(1 + bump)^0.6"
            rho_v1 = "0"
            rho_v2 = "0"
            rho_v3 = "0"
            b1 = "0.5"
            b2 = "0.8"
            b3 = "0.3"
            e = "p/(gamma - 1) + 0.49"
            psi = "0"
            "#
        )
    };
    // Density, and the transverse field, at rest.
    let at_rest = solution(&plasma("0", 2.0)).unwrap();
    for (field, value) in [("rho", 1.0), ("b2", 0.8), ("b3", 0.3), ("psi", 0.0)] {
        let found = deviation(&values(&at_rest, field), value);
        assert!(found < 1e-12, "{field}: {found:e}");
    }
    // Fast and slow waves leave; the slow ones take until t = 1.8.
    let amplitude = 1e-4;
    let pulse = solution(&plasma(&format!("{amplitude}*exp(-((x - 0.5)/0.1)^2)"), 4.0)).unwrap();
    let across = deviation(&values(&pulse, "b2"), 0.8) / amplitude;
    println!("{across:.1e} of the field");
    assert!(across < 1e-4, "{across:e}");
}

/// A field that is nearly along the boundary makes five waves slow there, near each other.
#[test]
#[ignore = "long"]
fn a_plasma_along_the_boundary_stays_uniform() {
    for across in [1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1] {
        let uniform = solution(&format!(
            r#"
            law = "mhd"
            order = 1
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [6, 6], jitter = 0.2 }}
            boundaries = {{ left = "absorbing", right = "absorbing", bottom = "absorbing", top = "absorbing" }}
            time.final = 3
            initial.formulas = {{ rho = 1, v1 = 0, v2 = 0, v3 = 0, p = 1, b1 = {across}, b2 = 1, b3 = 0, psi = 0 }}"#
        ))
        .unwrap();
        for (field, value) in [("rho", 1.0), ("b1", across), ("b2", 1.0), ("b3", 0.0), ("psi", 0.0), ("rho_v2", 0.0)] {
            let found = deviation(&values(&uniform, field), value);
            assert!(found < 1e-12, "{across:e}, {field}: {found:e}");
        }
    }
}

/// Configurations of four gases that meet in the middle of a square (P. D. Lax & X.-D. Liu, SIAM J. Sci. Comput. 19 (1998)
/// 319–340). The jumps at the sides move like a one-dimensional problem: `right` and `upper` are the velocities of those borders.
fn four_gases(right: &str, upper: &str, states: [[f64; 4]; 4], until: f64) -> String {
    let choose = |i: usize| {
        let [a, b, c, d] = states.map(|state| state[i]);
        format!("if(right, if(upper, {a}, {d}), if(upper, {b}, {c}))")
    };
    let [rho, v1, v2, p] = [0, 1, 2, 3].map(choose);
    format!(
        r#"
        law = "euler"
        order = 2
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [40, 40] }}
        boundaries = {{ left.far_field = "gases", right.far_field = "gases", bottom.far_field = "gases", top.far_field = "gases" }}
        initial.state = "gases"
        time = {{ final = {until}, integrator = "ssp_rk3" }}
        flux.numerical = "hllc"
        limiter.method = "moment"
        [formulas]
        right = "x > 0.5 + t*({right})"
        upper = "y > 0.5 + t*({upper})"
        v1 = "{v1}"
        v2 = "{v2}"
        density = "{rho}"
        [states.gases]
        rho = "density"
        rho_v1 = "density*v1"
        rho_v2 = "density*v2"
        rho_e = "({p})/(gamma - 1) + 0.5*density*(v1^2 + v2^2)"
        "#
    )
}

#[test]
#[ignore = "long"]
fn four_gases_with_contacts_between_them() {
    // Configuration 6. Each contact moves with its gases.
    let states = [[1.0, 0.75, -0.5, 1.0], [2.0, 0.75, 0.5, 1.0], [1.0, -0.75, 0.5, 1.0], [3.0, -0.75, -0.5, 1.0]];
    let toml = four_gases("if(y > 0.5, 0.75, -0.75)", "if(x > 0.5, -0.5, 0.5)", states, 0.3);
    let solver = solution(&toml).unwrap();
    let means = means(&solver);
    // The vortex in the middle expands the gas; nothing compresses it beyond its initial pressure. Where a contact meets a side, its
    // smeared profile meets the sharp given one within a face, and overshoots by some percent of the jump.
    let [least, most] = range(&means);
    assert!(least > 0.1 && most < 3.6, "{least} to {most}");
    let is_inside = |element: &usize| {
        let [x, y] = solver.mesh().position(*element, &[1.0 / 3.0; 2]);
        [x, y].iter().all(|x| (0.1..0.9).contains(x))
    };
    let inside: Vec<f64> = (0..means.len()).filter(is_inside).map(|element| means[element]).collect();
    // A limiter without an indicator leaves a tenth of a jump, which is at most 2.
    let [least, most] = range(&inside);
    assert!(least > 0.1 && most < 3.2, "{least} to {most}");
}

#[test]
#[ignore = "long"]
fn four_gases_with_two_shocks_and_two_contacts() {
    // Configuration 12. The shocks move at 1.5524, by conservation of mass; the contacts stand.
    let states = [[0.5313, 0.0, 0.0, 0.4], [1.0, 0.7276, 0.0, 1.0], [0.8, 0.0, 0.0, 1.0], [1.0, 0.0, 0.7276, 1.0]];
    let front = |other: &str| format!("if({other} > 0.5, 0.7276/0.4687, 0)");
    let toml = four_gases(&front("y"), &front("x"), states, 0.25);
    let [least, most] = range(&means(&solution(&toml).unwrap()));
    println!("{least} to {most}");
    // The least density is that ahead of the shocks; the largest, where they meet, agrees with the paper's figure.
    assert!(least > 0.5 && most < 1.8, "{least} to {most}");
}

/// The least and the greatest of numbers.
fn range(numbers: &[f64]) -> [f64; 2] {
    [numbers.iter().copied().fold(f64::INFINITY, f64::min), numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}

/// The report of `rankine run --format json` on a case.
fn report(toml: &str) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, toml).unwrap();
    let out = folder.path().join("out");
    let words = ["rankine", "run", path.to_str().unwrap(), "--device", "cpu", "--out", out.to_str().unwrap()];
    dg_runtime::cli::run(&words.map(OsString::from), equations::LAWS).unwrap().json
}

#[test]
#[ignore = "long"]
fn a_run_says_how_many_waves_come_in_where_nothing_says_what_they_carry() {
    let ends = ["\"outflow\""; 2];
    let subsonic = report(&strip(8, 1, "hllc", ends, ["1.4", "0.5", "1"], 0.01));
    let expected = serde_json::json!([
        { "boundary": "left", "function": "outflow", "waves": 3, "faces": 2, "copying": 2 },
        { "boundary": "right", "function": "outflow", "waves": 1, "faces": 2, "copying": 2 },
    ]);
    assert_eq!(subsonic["entering"], expected);
    let supersonic = report(&strip(8, 1, "hllc", ["\"absorbing\"", "\"outflow\""], ["1.4", "2", "1"], 0.01));
    assert_eq!(supersonic["entering"], serde_json::json!([]));
    // A wall mirrors gas at rest onto itself, and its condition is complete.
    let walls = report(&strip(8, 1, "hllc", ["\"slip_wall\""; 2], ["1", "0", "1"], 0.01));
    assert_eq!(walls["entering"], serde_json::json!([]));
    // Waves have not come yet: every component is zero, and so is what a wall reverses.
    let silent = r#"
        law = "acoustics"
        order = 1
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }
        boundaries = { left = "rigid_wall", right = "absorbing", bottom = "rigid_wall", top = "rigid_wall" }
        medium.formulas = { rho = 1, bulk = 1 }
        initial.formulas = { e = 0, m1 = 0, m2 = 0 }
        time.final = 0.01"#;
    assert_eq!(report(silent)["entering"], serde_json::json!([]));
}
