//! Point sources: what they add, and the waves that they send out.

use std::f64::consts::{PI, TAU};
use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::law::Shape;
use dg_runtime::solver::{Integrator, Signals, Solver};
use tests::{case, march, solver};

/// Sound at rest in a square, with these sections more.
fn sound(order: usize, [cells, refine]: [usize; 2], more: &str) -> Case {
    case(&format!(
        r#"
        law = "acoustics"
        order = {order}
        medium.formulas = {{ rho = 1.0, bulk = 1.0 }}
        initial.formulas = {{ e = 0, m1 = 0, m2 = 0 }}
        mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.2, refine = {refine} }}
        boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
        {more}"#
    ))
}

/// Two sources in one element, and one on a face.
fn three(rates: [&str; 3]) -> String {
    let [a, b, c] = rates;
    format!(
        "point_sources.a = {{ position = [0.11, 0.12], amplitude = {{ e = 2.0, m1 = -1.0 }}, rate = {a} }}
         point_sources.b = {{ position = [0.11, 0.12], amplitude = {{ m2 = 3.0 }}, rate = {b} }}
         point_sources.c = {{ position = [-1.0, -0.5], amplitude = {{ e = 0.5 }}, rate = {c} }}"
    )
}

/// A method of order q integrates polynomials of degree q - 1 exactly, and fluxes conserve.
#[test]
#[ignore = "long"]
fn integrals_grow_by_the_integrals_of_the_rates() {
    for (integrator, precision) in
        Integrator::ALL.into_iter().flat_map(|method| [(method, "double"), (method, "single")])
    {
        if integrator.has_implicit_source() {
            continue;
        }
        let degree = integrator.order(2) - 1;
        let rate = format!("\"4*t^{degree} + 0.5\"");
        let sources = three([&rate, "{ table = [[-1, 3], [2, 6]] }", &rate]);
        let time = format!("precision = \"{precision}\"\ntime = {{ final = 0.5, integrator = \"{integrator}\" }}");
        let (solver, _) = march(&sound(2, [5, 0], &format!("{time}\n{sources}")), 100);
        let of_rate = 4.0 * 0.5_f64.powi(degree as i32 + 1) / (degree + 1) as f64 + 0.25;
        // 4 at the start, 4.5 at the end.
        let of_table = 0.5 * 4.25;
        let expected = [2.5 * of_rate, -of_rate, 3.0 * of_table];
        let tolerance = if precision == "double" { 1e-13 } else { 1e-5 };
        // Waves of all components are as large as what drives them, and cancel in the integrals: what stages round is the waves.
        let size = expected.iter().fold(1.0_f64, |size, expected| size.max(expected.abs()));
        for (integral, expected) in solver.integrals().unwrap().into_iter().zip(expected) {
            let error = (integral - expected).abs() / size;
            assert!(error < tolerance, "{integrator}, {precision}: {integral}, {expected}");
        }
    }
}

/// Beside a source of the law that is taken implicitly.
#[test]
fn integrals_grow_likewise_where_the_law_has_a_source() {
    for integrator in ["ars_443", "ark_436"] {
        likewise(integrator);
    }
}

fn likewise(integrator: &str) {
    let case = case(
        &r#"
        law = "maxwell_tm"
        order = 1
        initial.formulas = { d = 0, b1 = 0, b2 = 0 }
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4] }
        boundaries = { left.periodic = "right", bottom.periodic = "top" }
        time = { final = 0.3, integrator = "METHOD" }
        point_sources.wire = { position = [0.3, 0.4], amplitude = { d = 2.0, b1 = 1.0 }, rate = "3*t^2" }"#
            .replace("METHOD", integrator),
    );
    let names: Vec<_> = case.law.state.iter().map(|component| component.name).collect();
    let integrals = march(&case, 50).0.integrals().unwrap();
    for (name, integral) in names.iter().zip(integrals) {
        let expected = 0.027 * [("d", 2.0), ("b1", 1.0)].iter().find(|(known, _)| known == name).map_or(0.0, |x| x.1);
        assert!((integral - expected).abs() < 1e-14, "{name}: {integral}, {expected}");
    }
}

/// Elements with sources lie in several patches and on their rims, at boundaries too.
#[test]
#[ignore = "long"]
fn schedules_agree() {
    let sources: Vec<String> = (0..40)
        .map(|i| {
            let [x, y] = [0.754_877_666, 0.569_840_290].map(|share: f64| 2.0 * (f64::from(i) * share).fract() - 1.0);
            format!("s{i} = {{ position = [{x}, {y}], amplitude = {{ e = {i}, m1 = 1 }}, rate = \"cos({i}*t)\" }}")
        })
        .collect();
    let more = format!("time.final = 0.4\n[point_sources]\n{}", sources.join("\n"));
    let mut case = sound(3, [8, 0], &more);
    for open in [false, true] {
        if open {
            case = tests::case(&format!(
                r#"
                law = "acoustics"
                order = 3
                medium.formulas = {{ rho = 1.0, bulk = 1.0 }}
                initial.formulas = {{ e = 0, m1 = 0, m2 = 0 }}
                mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [8, 8], jitter = 0.2 }}
                boundaries = {{ left = "absorbing", right.state = {{ e = "t", m1 = 0, m2 = 0 }}, bottom = "rigid_wall", top = "rigid_wall" }}
                {more}"#
            ));
        }
        for integrator in [Integrator::CarpenterKennedy, Integrator::Ader] {
            case.time.integrator = integrator;
            let coefficients = ["element", "component/32", "component/128"].map(|schedule| {
                case.schedule = Some(schedule.parse().unwrap());
                march(&case, 100).0.coefficients().unwrap()
            });
            let size = coefficients[0].iter().fold(0.0_f64, |size, u| size.max(u.abs()));
            for other in &coefficients[1..] {
                let difference = coefficients[0].iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(difference < 1e-12 * size, "{difference}, {size}");
            }
        }
    }
}

/// The wave from a source of compression at the origin, in a medium of density and bulk modulus 1: the solution of e_tt - Δe = r'(t) δ(x),
/// by the Green's function H(t - R) / (2π √(t² - R²)) of the plane, and with s = t - R cosh θ
///
/// e(R, t) = 1/(2π) ∫ r'(t - R cosh θ) dθ, over 0 < θ < arcosh(t/R)
fn wave(rate_of_rate: impl Fn(f64) -> f64, distance: f64, time: f64) -> f64 {
    if time <= distance {
        return 0.0;
    }
    let (end, parts) = ((time / distance).acosh(), 400);
    let value = |i: u32| rate_of_rate(time - distance * (end * f64::from(i) / f64::from(parts)).cosh());
    // Simpson's rule.
    let sum: f64 = (1..parts).map(|i| if i % 2 == 1 { 4.0 * value(i) } else { 2.0 * value(i) }).sum();
    (sum + value(0) + value(parts)) * end / f64::from(parts) / 3.0 / TAU
}

const FREQUENCY: f64 = 2.0;
/// Long enough after the start that the source begins at less than 1e-8 of its peak.
const PEAK: f64 = 0.75;

/// The derivative of Ricker's wavelet (1 - 2a) exp(-a), a = (π f (t - t₀))².
fn ricker_derivative(t: f64) -> f64 {
    let w = PI * FREQUENCY * (t - PEAK);
    (4.0 * w * w * w - 6.0 * w) * (-w * w).exp() * PI * FREQUENCY
}

/// The solution at receivers until the end of a case, with times.
fn signals(case: &Case) -> Vec<(f64, Vec<f64>)> {
    let mut solver: Solver = solver(case);
    let (until, mut time, mut from, mut samples) = (case.time.until.unwrap(), 0.0, 0, Vec::new());
    let mut signals = Signals::new(solver.setup(), case.receivers.as_ref().unwrap().every, 0.0);
    while time < until {
        let clock = solver.advance(until, 100).unwrap();
        samples.extend(solver.received(from).unwrap().into_iter().flat_map(|node| signals.add(node)));
        (time, from) = (clock.time, clock.steps);
    }
    samples.into_iter().map(|sample| (sample.time, sample.values)).collect()
}

/// The error of the compression at three receivers, over its largest size there.
fn error(order: usize, mesh: [usize; 2], time: &str) -> f64 {
    let case = sound(
        order,
        mesh,
        &format!(
            r#"
            flux.numerical = "godunov"
            time = {{ final = 1.45, {time} }}
            receivers = {{ every = 0.02, points = {{ a = [0.4, 0.0], b = [-0.2, 0.3], c = [0.1, -0.45] }} }}
            point_sources.bang = {{ position = [0.0, 0.0], amplitude.e = 1.0, rate.ricker = {{ frequency = {FREQUENCY}, peak = {PEAK} }} }}"#
        ),
    );
    let distances: Vec<f64> =
        case.receivers.as_ref().unwrap().points.iter().map(|r| r.position[0].hypot(r.position[1])).collect();
    let (mut squares, mut sizes) = (0.0, 0.0);
    for (time, values) in signals(&case) {
        for (distance, state) in distances.iter().zip(values.chunks(3)) {
            // The wave around the square comes from a distance of 2 - 0.45, after t = 1.55.
            let exact = wave(ricker_derivative, *distance, time);
            squares += (state[0] - exact).powi(2);
            sizes += exact.powi(2);
        }
    }
    (squares / sizes).sqrt()
}

#[test]
#[ignore = "long"]
fn a_source_in_the_plane_sends_out_the_wave_of_greens_function() {
    for integrator in ["carpenter_kennedy", "ader"] {
        for (order, most) in [(1, 0.2), (2, 0.03), (3, 0.003)] {
            let cells = 10 + 16 / (order + 1);
            let time = format!("integrator = \"{integrator}\"");
            let [coarse, fine] = [0, 1].map(|refine| error(order, [cells, refine], &time));
            let rate = (coarse / fine).log2();
            println!("{integrator}, p = {order}: errors {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!(fine < most && rate > order as f64 + 0.5, "{integrator}, p = {order}: {coarse}, {fine}, {rate}");
        }
    }
}

/// On one mesh errors in time fall with the step as those of anything else do: at the order of the integrator.
#[test]
#[ignore = "long"]
fn a_source_that_changes_smoothly_keeps_the_order_in_time() {
    for integrator in Integrator::ALL {
        let rate = tests::rate_in_time(|part| {
            let cfl = part * integrator.default_cfl(Shape::Triangle, 2);
            let more = format!(
                "time = {{ final = 0.4, integrator = \"{integrator}\", cfl = {cfl:?} }}
                 point_sources.a = {{ position = [0.11, 0.12], amplitude = {{ NAMES }}, rate = \"sin(4*t + 0.3)\" }}"
            );
            if !integrator.has_implicit_source() {
                return sound(2, [5, 0], &more.replace("NAMES", "e = 2.0, m1 = 1.0"));
            }
            case(&format!(
                r#"
                law = "maxwell_tm"
                order = 2
                medium.formulas = {{ epsilon = 1, mu = 1, sigma = 2, loss = 0 }}
                initial.formulas = {{ d = 0, b1 = 0, b2 = 0 }}
                mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [5, 5], jitter = 0.2 }}
                boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
                {}"#,
                more.replace("NAMES", "d = 2.0, b1 = 1.0")
            ))
        });
        println!("{integrator}: rate {rate:.2}");
        assert!((rate - integrator.order(2) as f64).abs() < 0.3, "{integrator}: {rate}");
    }
}

/// At a vertex all elements around it have their shares. A turn by half a circle leaves this mesh and the pressure as they are.
#[test]
fn waves_from_a_vertex_are_as_symmetric_as_the_mesh() {
    for integrator in ["carpenter_kennedy", "ader"] {
        let case = case(&format!(
            r#"
            law = "acoustics"
            order = 2
            medium.formulas = {{ rho = 1.0, bulk = 1.0 }}
            initial.formulas = {{ e = 0, m1 = 0, m2 = 0 }}
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [8, 8] }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time = {{ final = 0.8, integrator = "{integrator}" }}
            receivers = {{ every = 0.1, points = {{ a = [0.31, 0.13], b = [-0.31, -0.13] }} }}
            point_sources.bang = {{ position = [0, 0], amplitude.e = 1.0, rate = "sin(8 * t)^2" }}"#
        ));
        let signals = signals(&case);
        let size = signals.iter().fold(0.0_f64, |size, (_, values)| size.max(values[0].abs()));
        for (time, values) in signals {
            assert!((values[0] - values[3]).abs() < 1e-12 * size, "{integrator}, t = {time}: {values:?}, {size}");
        }
    }
}

/// The predictor sees the jumps of the solution in some elements around the source: far from there they are small.
#[test]
#[ignore = "long"]
fn by_ader_errors_on_large_meshes_are_those_of_space() {
    for (order, mesh) in tests::sample([(3, [10, 3]), (3, [10, 2]), (4, [32, 0])]) {
        let [ader, rk] = ["ader", "carpenter_kennedy"]
            .map(|integrator| error(order, mesh, &format!("integrator = \"{integrator}\"")));
        println!("p = {order}, {mesh:?}: errors {ader:.3e}, {rk:.3e}");
        assert!(ader < 2.0 * rk, "p = {order}: {ader}, {rk}");
    }
}

/// The rates of a case are those of the formulas.
#[test]
#[ignore = "long"]
fn rates_are_as_documented() {
    let integral = |rate: &str, time: f64| {
        let source = format!("point_sources.a = {{ position = [0, 0], amplitude.e = 1.0, rate = {rate} }}");
        let steps = format!("time = {{ final = {time:?}, integrator = \"rk4\", cfl = 0.005 }}\n{source}");
        march(&sound(1, [3, 0], &steps), 1000).0.integrals().unwrap()[0]
    };
    // The integral of Ricker's wavelet is (t - t0) exp(-a).
    let ricker = |t: f64| (t - 0.2) * (-(2.0 * PI * (t - 0.2)).powi(2)).exp();
    let brune = |t: f64| 1.0 - (1.0 + (t - 0.1) / 0.05) * (-(t - 0.1) / 0.05_f64).exp();
    for (rate, expected) in [
        ("{ ricker = { frequency = 2.0, peak = 0.2 } }", ricker(0.3) - ricker(0.0)),
        // Half of it before the peak, and after half a width erf(1/√8) / 2 more; eight widths before it nothing.
        ("{ gaussian = { width = 0.03, peak = 0.285 } }", 0.5 + 0.191_462_461_274_013_1),
        ("{ brune = { time = 0.05, start = 0.1 } }", brune(0.3)),
        ("{ table = [[0.05, 0], [0.1, 3], [0.2, 3], [0.25, 0]] }", 0.075 + 0.3 + 0.075),
    ] {
        let found = integral(rate, 0.3);
        assert!((found - expected).abs() < 2e-5, "{rate}: {found}, {expected}");
    }
}

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("good.csv"), "# a rate\ntime, rate\n0, 1\n1, 2\n").unwrap();
    std::fs::write(folder.path().join("bad.csv"), "0, 1\n1, two\n").unwrap();
    let message = |source: &str| {
        let text = format!(
            "law = \"acoustics\"\norder = 1\ninitial.formulas = {{ e = 0, m1 = 0, m2 = 0 }}\n[time]\nfinal = 1.0\n[mesh]\n\
             generator = \"rectangle\"\nlower = [0, 0]\nupper = [1, 1]\ncells = [2, 2]\n[boundaries]\nleft.periodic = \"right\"\n\
             bottom.periodic = \"top\"\n[medium.formulas]\nrho = 1\nbulk = 1\n[point_sources]\n{source}"
        );
        Case::parse(&text, &folder.path().join("case.toml"), equations::LAWS).map_err(|error| error.to_string())
    };
    let whole = |rate: &str| format!("a = {{ position = [0, 0], amplitude.e = 1, rate = {rate} }}");
    assert!(message(&whole("{ table = \"good.csv\" }")).is_ok());
    for (source, said) in [
        ("a = { amplitude.e = 1, rate = 1 }", "lacks `position`, the point"),
        (
            "a = { position = [0, 0], rate = 1 }",
            "lacks `amplitude`, a factor for each component that has the source: amplitude = { e = 1.0 }",
        ),
        ("a = { position = [0, 0], amplitude = {}, rate = 1 }", "`amplitude` is zero: give a factor"),
        ("a = { position = [0, 0], amplitude.p = 1, rate = 1 }", "unknown key in [point_sources.a.amplitude]: `p`"),
        ("a = { position = [0, 0], amplitude.e = 1 }", "lacks `rate`, how the source depends on time"),
        (&whole("\"sin(\""), "in the formula for `rate`"),
        (&whole("{ richter = 1 }"), "unknown key in [point_sources.a.rate]: `richter`"),
        (&whole("{}"), "`rate` is to have one of ricker, gaussian, brune, table, or to be a formula of t"),
        (&whole("{ gaussian = { width = -1, peak = 0 } }"), "`width` is to be above zero, found -1"),
        (&whole("{ brune = { time = 1 } }"), "lacks `start`, as in { time = 0.1, start = 0.0 }"),
        (&whole("{ table = [] }"), "a table of rates has at least two times, and this one has 0"),
        (&whole("{ table = [[0, 1], [0, 2]] }"), "the times of a table are to increase: 0.0 comes after 0.0"),
        (&whole("{ table = [[0, 1, 2]] }"), "`table` is to be pairs of a time and a rate"),
        (&whole("{ table = \"none.csv\" }"), "cannot read "),
        (&whole("{ table = \"bad.csv\" }"), "line 2 is to be a time and a rate: `1, two`"),
        ("a = { position = [0, 0], amplitude.e = 1, rate = 1 }\na = { position = [0, 0] }", "duplicate key"),
    ] {
        let message = message(source).unwrap_err();
        assert!(message.contains(said), "{source}: {message}");
    }
    let with = |more: &str| {
        Case::parse(&(case_text() + more), Path::new("case.toml"), equations::LAWS).map_err(|error| error.to_string())
    };
    let message = with("time.tolerance = 1e-4").unwrap_err();
    assert!(message.contains("with point sources there is no `tolerance`"), "{message}");
    let case = with("").unwrap();
    let message = case.setup(&case.build_mesh().unwrap()).err().unwrap().to_string();
    assert!(message.starts_with("case.toml:"), "{message}");
    assert!(message.contains("the point source `a` at [2.0, 0.0] is outside of the mesh"), "{message}");
}

/// A case with a source outside of its mesh.
fn case_text() -> String {
    "law = \"acoustics\"\norder = 1\ninitial.formulas = { e = 0, m1 = 0, m2 = 0 }\ntime.final = 1.0\n\
     mesh = { generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [2, 2] }\nmedium.formulas = { rho = 1, bulk = 1 }\n\
     boundaries = { left.periodic = \"right\", bottom.periodic = \"top\" }\n\
     point_sources.a = { position = [2, 0], amplitude.e = 1, rate = 1 }\n"
        .to_owned()
}
