//! ADER has the order of its polynomials in space and time, also at walls and where data change within a step.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::{Law, Shape};
use dg_runtime::solver::{Integrator, Solver};
use tests::{solution, sound};

/// Sound of speed 1 in gas at rest.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod room {
    use std::f64::consts::PI;

    /// The state.
    #[state]
    pub struct State {
        /// Pressure.
        pub p: f64,
        /// Velocity in x.
        pub v1: f64,
        /// Velocity in y.
        pub v2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        [State { p: u.v1, v1: u.p, v2: 0.0 }, State { p: u.v2, v1: 0.0, v2: u.p }]
    }

    /// The speed of sound is 1.
    pub fn eigenvalues(_: State, _: Normal) -> [f64; 3] {
        [-1.0, 0.0, 1.0]
    }

    /// A wall at rest.
    #[boundary]
    pub fn wall(u: State, n: Normal) -> State {
        let m = 2.0 * (u.v1 * n.x + u.v2 * n.y);
        State { p: u.p, v1: u.v1 - m * n.x, v2: u.v2 - m * n.y }
    }

    /// The travelling wave outside.
    #[boundary]
    pub fn outside(x: Point, t: f64) -> State {
        travelling(x, t)
    }

    /// A wall of felt, which takes a part of the pressure that grows with it.
    #[boundary]
    pub fn felt(u: State, n: Normal) -> State {
        let m = (1.0 + u.p * u.p).recip() * (u.v1 * n.x + u.v2 * n.y);
        State { p: u.p, v1: u.v1 - m * n.x, v2: u.v2 - m * n.y }
    }

    /// Rusanov's flux, with a speed that grows with the jump.
    #[numerical_flux]
    pub fn harsh(l: State, r: State, n: Normal) -> State {
        let speed = 1.0 + 0.1 * (r.p - l.p).abs();
        let [fl, gl] = flux(l);
        let [fr, gr] = flux(r);
        0.5 * ((fl + fr) * n.x + (gl + gr) * n.y - speed * (r - l))
    }

    /// A wave between the walls of the unit square.
    #[exact]
    pub fn standing(x: Point, t: f64) -> State {
        let (cx, sx, cy, sy) = ((PI * x.x).cos(), (PI * x.x).sin(), (PI * x.y).cos(), (PI * x.y).sin());
        let w = 2.0_f64.sqrt();
        let (ct, st) = ((PI * w * t).cos(), (PI * w * t).sin() / w);
        State { p: cx * cy * ct, v1: sx * cy * st, v2: cx * sy * st }
    }

    /// A plane wave in the direction (3/5, 4/5).
    #[exact]
    pub fn travelling(x: Point, t: f64) -> State {
        let p = (2.0 * PI * (0.6 * x.x + 0.8 * x.y - t)).sin();
        State { p, v1: 0.6 * p, v2: 0.8 * p }
    }
}

/// Growth that a limit stops: a source that is not linear.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod logistic {
    /// The state.
    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        [u, u]
    }

    /// The normal velocity.
    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }

    /// Growth up to 1.
    #[source]
    pub fn growth(u: State) -> State {
        State { rho: u.rho * (1.0 - u.rho) }
    }

    /// Something.
    #[initial]
    pub fn some(x: Point) -> State {
        State { rho: x.x * x.x }
    }
}

/// Decay that changes with time.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod ageing {
    /// The state.
    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        [u, u]
    }

    /// The normal velocity.
    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }

    /// Decay that grows.
    #[source]
    pub fn decay(u: State, t: f64) -> State {
        State { rho: -t * u.rho }
    }

    /// Something.
    #[initial]
    pub fn some(x: Point) -> State {
        State { rho: x.x * x.x }
    }
}

const LAWS: &[&Law] = &[&room::LAW, &sound::LAW, &logistic::LAW, &ageing::LAW];

/// A case on triangles of the unit square to time 0.7, on a mesh refined so many times.
pub(crate) fn text(law: &str, wave: &str, boundary: &str, order: usize, refine: usize) -> String {
    // About as many unknowns at every order.
    let cells = 24_usize.div_ceil(order + 1).max(4);
    let sides = ["left", "right", "bottom", "top"].map(|side| format!("{side} = {boundary}\n")).concat();
    let parameters = if law == "maxwell_tm" { "parameters.sigma = 1.5" } else { "" };
    format!(
        r#"
        law = "{law}"
        order = {order}
        {parameters}
        initial.function = "{wave}"
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.1, refine = {refine} }}
        [time]
        final = 0.7
        integrator = "ader"
        [boundaries]
        {sides}"#
    )
}

pub(crate) fn parsed(text: &str) -> Result<Case, String> {
    let laws: Vec<&Law> = LAWS.iter().chain(equations::LAWS).copied().collect();
    Case::parse(text, Path::new("case.toml"), laws.leak()).map_err(|error| error.to_string())
}

/// The same on squares.
fn on_squares(text: &str) -> String {
    text.replace("\"rectangle\"", "\"rectangle\", elements = \"quadrilaterals\"").replace("jitter = 0.1", "jitter = 0")
}

/// Checks that halving the triangles divides the error by about 2^(p + 1).
fn assert_of_full_order(law: &str, wave: &str, boundary: &str, orders: impl IntoIterator<Item = usize>) {
    assert_rate(orders, wave, |order, refine| text(law, wave, boundary, order, refine));
}

fn assert_rate(orders: impl IntoIterator<Item = usize>, wave: &str, text: impl Fn(usize, usize) -> String) {
    for order in tests::sample(orders) {
        let errors = [0, 1].map(|refine| {
            let case = parsed(&text(order, refine)).unwrap_or_else(|error| panic!("{error}"));
            solution(&case).errors().unwrap().l2[0]
        });
        let rate = (errors[0] / errors[1]).log2();
        println!("{wave}, p = {order}: errors {errors:?}, rate {rate:.2}");
        assert!((rate - (order + 1) as f64).abs() < 0.1, "{wave}, p = {order}: {errors:?}, rate {rate:.2}");
    }
}

#[test]
#[ignore = "long"]
fn waves_between_walls_are_of_full_order() {
    assert_of_full_order("room", "standing", "\"wall\"", 1..=7);
}

/// Light in a conductor: the source is a matrix times the state, and acts on coefficients.
#[test]
fn a_source_that_is_linear_in_the_state_keeps_the_order() {
    assert_of_full_order("maxwell_tm", "cavity", "\"conductor\"", [2, 4]);
}

/// Friction that changes with position, and the source of a manufactured solution, which changes with time.
#[test]
fn sources_that_change_with_position_and_time_keep_the_order() {
    assert_of_full_order("sound", "manufactured", "{ state = \"manufactured\" }", [1, 2, 5]);
}

/// By coefficients, with and without a source, and by points.
#[test]
#[ignore = "long"]
fn squares_keep_the_order() {
    for (law, wave, boundary, orders) in [
        ("room", "standing", "\"wall\"", &[1, 2, 3, 5][..]),
        ("maxwell_tm", "cavity", "\"conductor\"", &[2]),
        ("sound", "manufactured", "{ state = \"manufactured\" }", &[1, 4]),
    ] {
        assert_rate(orders.iter().copied(), wave, |order, refine| {
            on_squares(&text(law, wave, boundary, order, refine))
        });
    }
}

/// By all ways of a kernel: coefficients and points, a thread or several for an element.
#[test]
#[ignore = "long"]
fn schedules_agree() {
    for ((law, wave, boundary), squares) in [
        ("room", "standing", "\"wall\""),
        ("maxwell_tm", "cavity", "\"conductor\""),
        ("sound", "manufactured", "{ state = \"manufactured\" }"),
    ]
    .into_iter()
    .flat_map(|case| [false, true].map(|squares| (case, squares)))
    {
        let coefficients = ["element/32", "component/64"].map(|schedule| {
            let triangles = text(law, wave, boundary, 3, 0);
            let mut case = parsed(&if squares { on_squares(&triangles) } else { triangles }).unwrap();
            case.schedule = Some(schedule.parse().unwrap());
            solution(&case).coefficients().unwrap()
        });
        let [one, other] = coefficients.each_ref().map(|all| all.iter());
        let difference = one.zip(other).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(difference < 1e-12, "{law}, squares {squares}: {difference:e}");
    }
}

/// On one mesh, beside a source of the law and boundaries that change with time: around a point source the solution jumps from element to
/// element, and errors in time fall with the step only where the predictor sees that.
#[test]
#[ignore = "long"]
fn point_sources_keep_the_order_in_time() {
    let source =
        "point_sources.a = { position = [0.41, 0.52], amplitude = { p = 2.0, v1 = 1.0 }, rate = \"sin(4*t + 0.3)\" }\n";
    for (shape, order) in
        [Shape::Triangle, Shape::Quadrilateral].into_iter().flat_map(|shape| (1..=4).map(move |order| (shape, order)))
    {
        let rate = tests::rate_in_time(|part| {
            let cfl = part * Integrator::Ader.default_cfl(shape, order);
            let waves = text("sound", "manufactured", "{ state = \"manufactured\" }", order, 0);
            let waves = waves.replace("\"ader\"", &format!("\"ader\"\ncfl = {cfl:?}"));
            let both = format!("{source}{waves}");
            parsed(&if shape == Shape::Triangle { both } else { on_squares(&both) }).unwrap()
        });
        println!("{shape:?}, p = {order}: rate {rate:.2}");
        assert!((rate - (order + 1) as f64).abs() < 0.3, "{shape:?}, p = {order}: {rate}");
    }
}

/// With data at the time in the middle of a step, or at its start, the order would be 2 or 1.
#[test]
#[ignore = "long"]
fn data_that_change_within_a_step_keep_the_order() {
    assert_of_full_order("room", "travelling", "\"outside\"", [1, 4, 5]);
}

/// A wave in a periodic square that a flow carries back to where it was: the convergence tests 1 and 2 of C. E. Castro, J. Behrens & C.
/// Pelties (2013), by a constant flow in the time 2 and by one that changes along itself in the time √2 / √(1 − 0.2²). Their Gaussian is a wave
/// here, and the wavelength of the second flow half of theirs, so that both are smooth across the periodic sides.
fn carried(test: usize, precision: &str, order: usize, cells: usize) -> f64 {
    let speed = "(1 + 0.2 * cos(2 * pi * (x + y))) / sqrt(2)";
    let (law, time) = match test {
        1 => ("law = \"advection\"\nparameters = { v1 = 1.0, v2 = 1.0 }".to_owned(), 2.0),
        _ => (
            format!("law = \"transport\"\nmedium.formulas = {{ v1 = \"{speed}\", v2 = \"{speed}\" }}"),
            (2.0_f64 / 0.96).sqrt(),
        ),
    };
    let wave = "formulas = { u = \"sin(2 * pi * x)\" }";
    let case = parsed(&format!(
        r#"
        {law}
        order = {order}
        precision = "{precision}"
        initial.{wave}
        exact.{wave}
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [{cells}, {cells}] }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        flux.numerical = "upwind"
        time = {{ final = {time:?}, integrator = "ader" }}"#
    ));
    solution(&case.unwrap_or_else(|error| panic!("{error}"))).errors().unwrap().l2[0]
}

/// Orders 2 to 7, down to errors below those at which theirs stop: 1e-11 and 1e-9 in double precision, 1e-5 in single.
#[test]
#[ignore = "long"]
fn the_convergence_tests_of_castro_behrens_and_pelties() {
    let second: &[usize] = &[2, 5, 6];
    for (test, orders, (order, cells), floor) in
        [(1, &[1, 2, 3, 4, 5, 6][..], (7, 12), 1e-11), (2, second, (7, 20), 1e-9)]
    {
        for order in tests::sample(orders.iter().copied()) {
            let cells = [10, 8, 6, 5, 4, 4][order - 1];
            let errors = [cells, 2 * cells].map(|cells| carried(test, "double", order, cells));
            let rate = (errors[0] / errors[1]).log2();
            println!("test {test}, p = {order}: errors {errors:?}, rate {rate:.2}");
            assert!(rate > order as f64 + 0.7, "test {test}, p = {order}: {errors:?}, rate {rate:.2}");
        }
        let (double, single) = (carried(test, "double", order, cells), carried(test, "single", order, cells / 2));
        println!("test {test}, p = {order}: {double:e}, in single precision {single:e}");
        assert!(double < floor, "test {test}: {double:e}");
        assert!(single < 1e-5, "test {test}: {single:e}");
    }
}

#[test]
fn what_it_cannot_solve_is_refused_with_the_reason() {
    let right = text("room", "standing", "\"wall\"", 2, 0);
    let cases = [
        (
            text("euler", "isentropic_vortex", "\"slip_wall\"", 2, 0),
            "`euler` is not: in its equation of `rho_v2` the derivative of `rho_v1` along x has the factor rho_v2 / rho",
        ),
        // A product, not the flux.
        (
            text("two_layer_shallow_water", "waves", "{ state = \"waves\" }", 2, 0),
            "in its equation of `q1x` the derivative of `h2` along x has the factor g * h1",
        ),
        // Whose derivatives are too long to print.
        (
            text("relativistic_gas", "waves", "{ state = \"waves\" }", 2, 0),
            "`relativistic_gas` is not: its equation of `d` has a term along x that is not linear in the state",
        ),
        (
            text("logistic", "some", "{ state = \"some\" }", 1, 0),
            "and `growth` of `logistic` is not: the derivative of its `rho` by `rho` is ",
        ),
        (
            text("ageing", "some", "{ state = \"some\" }", 1, 0),
            "and `decay` of `ageing` is not: the derivative of its `rho` by `rho` is -t",
        ),
        (right.replace("final", "tolerance = 1e-6\nfinal"), "does not estimate the error of a step"),
        (format!("limiter = {{ method = \"moment\" }}\n{right}"), "preserves strong stability, which `ader` does not"),
    ];
    for (text, reason) in cases {
        let message = parsed(&text).map(drop).unwrap_err();
        assert!(message.contains(reason), "{message}");
    }
    let harsh = right.replace("order = 2", "order = 2\nflux.numerical = \"harsh\"");
    let felt = right.replace("\"wall\"", "\"felt\"");
    for (text, reason) in [(harsh, "linear in both states, and `harsh` is not"), (felt, "and `felt` is not")] {
        let case = parsed(&text).unwrap();
        let (mesh, device) = (case.build_mesh().unwrap(), tests::open(Choice::Cpu).unwrap());
        let setup = case.setup(&mesh).unwrap();
        let message = Solver::new(device, mesh, setup).map(drop).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
}
