//! Receivers: the solution at points of the mesh, at times of their own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::law::Role;
use dg_runtime::solver::{Signals, Solver};
use tests::{case, example, march, open, solver, solver_on};

/// So many points, spread evenly over the square by the powers of an irrational number.
pub fn points() -> String {
    let point = |i: u32| {
        let [x, y] = [0.754_877_666, 0.569_840_290].map(|share: f64| (f64::from(i) * share).fract() - 0.5);
        format!("p{i} = [{x}, {y}]")
    };
    (0..24).map(point).collect::<Vec<_>>().join(", ")
}

/// A wave that travels through a periodic square, with receivers in it.
fn wave(mesh: &str, order: usize, refine: usize, time: &str) -> Case {
    let cells = 4 + 20 / (order + 1);
    case(&format!(
        r#"
        law = "transport"
        order = {order}
        medium.formulas = {{ v1 = 1.0, v2 = 0.5 }}
        initial.formulas.u = "sin(2*pi*(x + 2*y))"
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [{cells}, {cells}], {mesh}, refine = {refine} }}
        boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
        receivers = {{ every = 0.0137, points = {{ {} }} }}
        time = {{ final = 0.5, {time} }}"#,
        points()
    ))
}

/// The wave itself.
fn exact(position: [f64; 2], time: f64) -> f64 {
    (std::f64::consts::TAU * (position[0] - time + 2.0 * (position[1] - 0.5 * time))).sin()
}

/// Times and values at the receivers until the end of a case, taken from the device after so many steps each time.
pub fn signals(case: &Case, mut solver: Solver, steps: u64) -> Vec<(f64, Vec<f64>)> {
    let (until, every) = (case.time.until.unwrap(), case.receivers.as_ref().unwrap().every);
    let mut signals = Signals::new(solver.setup(), every, 0.0);
    let mut samples: Vec<_> = solver.received(0).unwrap().into_iter().flat_map(|node| signals.add(node)).collect();
    let (mut time, mut from) = (0.0, 0);
    while time < until {
        let clock = solver.advance(until, steps.min(solver.most_steps())).unwrap();
        samples.extend(solver.received(from).unwrap().into_iter().flat_map(|node| signals.add(node)));
        (time, from) = (clock.time, clock.steps);
    }
    samples.into_iter().map(|sample| (sample.time, sample.values)).collect()
}

/// The root of the mean square of the errors at all receivers and times.
fn error(case: &Case) -> f64 {
    let points = &case.receivers.as_ref().unwrap().points;
    let of_sample = |(time, values): (f64, Vec<f64>)| {
        let errors = points.iter().zip(&values).map(|(point, value)| value - exact(point.position, time));
        errors.map(|error| error * error).sum::<f64>()
    };
    let samples = signals(case, solver(case), 50);
    assert_eq!(samples.len(), 37, "0.5 / 0.0137 = 36.5");
    (samples.into_iter().map(of_sample).sum::<f64>() / (37 * points.len()) as f64).sqrt()
}

#[test]
#[ignore = "long"]
fn signals_are_of_full_order() {
    let straight = "jitter = 0.2";
    let bent = "elements = \"quadrilaterals\", degree = 2, curvature = 0.05";
    // On bent elements rates at a point vary from mesh to mesh, by either integrator alike: there it is that of two refinements.
    for (integrator, mesh, orders, refinements) in
        [("carpenter_kennedy", straight, 1..=3, 1), ("ader", straight, 1..=4, 1), ("ader", bent, 1..=4, 2)]
    {
        for order in tests::sample(orders) {
            let time = format!("integrator = \"{integrator}\"");
            let [coarse, fine] = [0, refinements].map(|refine| error(&wave(mesh, order, refine, &time)));
            let rate = (coarse / fine).log2() / refinements as f64;
            println!("{integrator}, {mesh}, p = {order}: errors {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!(rate > (order + 1) as f64 - 0.3, "{integrator}, {mesh}, p = {order}: {coarse} {fine}, {rate:.2}");
        }
    }
}

/// Steps that are rejected leave nothing behind.
#[test]
fn signals_of_rejected_steps_are_replaced() {
    let mut case = wave("jitter = 0.2", 3, 0, "tolerance = 1e-2");
    let loose = error(&case);
    case.time.tolerance = None;
    let fixed = error(&case);
    assert!(march(&wave("jitter = 0.2", 3, 0, "tolerance = 1e-2"), 10).1.rejected > 0);
    assert!(loose < 1.5 * fixed, "{loose}, {fixed}");
}

#[test]
fn signals_do_not_depend_on_when_they_are_taken_from_the_device_nor_on_the_schedule() {
    for integrator in ["rk4", "ader"] {
        let case = wave("jitter = 0.2", 2, 0, &format!(r#"integrator = "{integrator}""#));
        let once = signals(&case, solver(&case), u64::MAX);
        for steps in [1, 7, 40] {
            assert_eq!(signals(&case, solver(&case), steps), once);
        }
        let mut other = case.clone();
        other.schedule = Some("component/32".parse().unwrap());
        let other = signals(&other, solver(&other), 9);
        for ((time, values), (other_time, others)) in once.iter().zip(&other) {
            assert_eq!(time, other_time);
            assert!(values.iter().zip(others).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}

/// At order 1 an element's polynomial is that through its corners.
#[test]
#[ignore = "long"]
fn a_receiver_has_the_value_of_the_polynomial_of_its_element() {
    let case = example(
        "sod.toml",
        &["order=1", "receivers={every=0.01, points={a=[0.31,0.002], b=[0.5,0.0025], c=[0.77,0.0001]}}"],
    );
    let mut solver = solver(&case);
    for steps in [0, 1, 5, 20] {
        solver.advance(0.2, steps).unwrap();
        let received = solver.received(solver.clock().unwrap().steps).unwrap();
        let (samples, mesh) = (solver.samples().unwrap(), solver.mesh());
        let (fields, components) = (samples.fields.len(), case.law.state.len());
        for (receiver, state) in solver.setup().receivers.iter().zip(received[0].values.chunks(components)) {
            let [x, y] = receiver.position;
            // Areas of the parts that the point cuts an element into.
            let weights = |e: usize| {
                let corner = |i: usize| mesh.vertex(mesh.corners(e)[i % 3]);
                let part = |i: usize| {
                    let (p, q) = (corner(i + 1), corner(i + 2));
                    (p[0] - x) * (q[1] - y) - (q[0] - x) * (p[1] - y)
                };
                let parts = [part(0), part(1), part(2)];
                parts.map(|part| part / parts.iter().sum::<f64>())
            };
            let inside = |e: &usize| weights(*e).iter().all(|weight| *weight > -1e-9);
            // On a face it is the first of both.
            let element = (0..mesh.element_count()).find(inside).unwrap();
            let nodes = &samples.values[element * tests::nodes(&solver) * fields..][..3 * fields];
            // The nodes of a file are the corners, in their order.
            for c in 0..components {
                let value: f64 = weights(element).iter().zip(nodes.chunks(fields)).map(|(w, node)| w * node[c]).sum();
                assert!(
                    (value - state[c]).abs() < 1e-12 * value.abs().max(1.0),
                    "{}: {value}, {}",
                    receiver.name,
                    state[c]
                );
            }
        }
    }
}

/// At degree 0 the medium of an element is its mean there, not its value at the receiver; on a face it is that of the receiver's element.
#[test]
#[ignore = "long"]
fn outputs_at_a_receiver_take_the_medium_of_its_element() {
    for time in ["", "*(1 + t)"] {
        let case = case(&format!(
            r#"
            law = "acoustics"
            order = 1
            medium = {{ degree = 0, formulas = {{ rho = 1, bulk = "if(x < 0.5, 1 + x, 7){time}" }} }}
            initial.formulas = {{ e = 1, m1 = 0, m2 = 0 }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2], elements = "quadrilaterals" }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            receivers = {{ every = 0.1, points = {{ inside = [0.4, 0.1], between = [0.5, 0.1] }} }}
            time.final = 0.1"#
        ));
        let solver = solver(&case);
        let pressure = case.law.with_role(Role::Output).position(|output| output.name == "pressure").unwrap();
        for receiver in [0, 1] {
            let at = |time| solver.outputs_at_receiver(receiver, &[1.0, 0.0, 0.0], time).unwrap()[pressure];
            // The mean of 1 + x in the first cell, in which both are.
            let [start, later] = [at(0.0), at(1.0)];
            assert!((start.abs() - 1.25).abs() < 1e-13, "{receiver}: {start}");
            let factor = if time.is_empty() { 1.0 } else { 2.0 };
            assert!((later - factor * start).abs() < 1e-13, "{receiver}: {later}");
        }
    }
}

fn run(case: &Path, out: &Path, flags: &[&str]) -> Result<dg_runtime::cli::Report, dg_runtime::cli::Error> {
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([case.into(), "--out".into(), out.into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

/// The columns of a receiver's file.
fn columns(path: &Path) -> BTreeMap<String, Vec<f64>> {
    dg_runtime::io::csv::columns(path).unwrap().into_iter().collect()
}

/// A limiter lets no value appear between the steps that is not one of theirs, and files have the law's outputs.
#[test]
#[ignore = "long"]
fn files_have_components_and_outputs_and_shocks_no_oscillations() {
    let folder = tempfile::tempdir().unwrap();
    let sod = tests::root().join("equations/cases/sod.toml");
    let receivers = "receivers={every=0.001, points={early=[0.6,0.002], late=[0.8,0.002]}}";
    run(&sod, folder.path(), &["--set", receivers, "--set", "output.vtu=false", "--set", "output.pictures=[]"])
        .unwrap();
    for (name, shock) in [("early", 0.1 / 1.752_155_732_030_178), ("late", 0.3 / 1.752_155_732_030_178)] {
        let columns = columns(&folder.path().join(format!("receiver_{name}.csv")));
        let (time, density, pressure) = (&columns["time"], &columns["rho"], &columns["pressure"]);
        assert_eq!(time.len(), 201);
        assert!((1..201).all(|i| time[i] == i as f64 * 0.001));
        assert!(density.iter().all(|rho| (0.1249..1.0).contains(rho)), "{name}: {density:?}");
        // The pressure behind the shock (E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, section 4.3.3).
        let behind = |&(time, _): &(&f64, &f64)| *time > shock + 0.01 && *time < shock + 0.03;
        assert!(
            time.iter().zip(pressure).filter(behind).all(|(_, p)| (p - 0.30313).abs() < 5e-3),
            "{name}: {pressure:?}"
        );
        assert!(time.iter().zip(pressure).all(|(t, p)| *t > shock - 0.01 || (p - 0.1).abs() < 1e-6));
        assert_eq!(columns.keys().filter(|key| *key == "mach").count(), 1);
    }
}

#[test]
fn mistakes_are_explained() {
    let text = |receivers: &str| {
        format!(
            "law = \"transport\"\norder = 1\nmedium.function = \"rotation\"\ninitial.function = \"turning\"\nboundaries = {{}}\ntime.final = 1.0\n\
             mesh = {{ generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [2, 2] }}\nreceivers = {receivers}"
        )
    };
    let message = |receivers: &str| {
        Case::parse(&text(receivers), Path::new("case.toml"), equations::LAWS).unwrap_err().to_string()
    };
    for (receivers, said) in [
        ("{ points = { a = [0, 0] } }", "lacks `every`, the time between two records"),
        ("{ every = 0.1 }", "lacks `points`, the receivers with their positions"),
        ("{ every = 0.1, points = {} }", "`points` has no receiver"),
        ("{ every = -0.1, points = { a = [0, 0] } }", "`every` is to be above zero"),
        ("{ every = 1e-9, points = { a = [0, 0] } }", "more than 1e7 records until the final time"),
        ("{ every = 0.1, points = { a = [0] } }", "`a` is to be a point: [0.0, 0.0], found a list of 1"),
        ("{ every = 0.1, points = { \"a/b\" = [0, 0] } }", "`a/b` is no name of a receiver, and of its file"),
        (
            "{ every = 0.1, points = { North = [0, 0], north = [1, 1] } }",
            "`North` and `north` would have the same file",
        ),
        ("{ every = 0.1, points = { a = [0, 0], a = [1, 1] } }", "duplicate key"),
        ("{ each = 0.1 }", "unknown key in [receivers]: `each`"),
    ] {
        let message = message(receivers);
        assert!(message.contains(said), "{receivers}: {message}");
    }
    let outside = wave("jitter = 0.2", 1, 0, "").receivers.unwrap().points;
    let mut case = wave("jitter = 0.2", 1, 0, "");
    let receivers = case.receivers.as_mut().unwrap();
    receivers.points = outside;
    receivers.points[2].position = [0.6, 0.0];
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let message = Solver::new(open(dg_runtime::device::Choice::Cpu).unwrap(), mesh, setup).err().unwrap().to_string();
    assert!(message.starts_with("the receiver `p2` at [0.6, 0.0] is outside of the mesh"), "{message}");
}

/// Where there is a GPU.
#[test]
fn the_gpu_receives_the_same() {
    let Ok(device) = open(dg_runtime::device::Choice::Cuda(None)) else { return };
    drop(device);
    let case = wave("jitter = 0.2", 3, 0, r#"integrator = "rk4""#);
    let [cpu, gpu] = [dg_runtime::device::Choice::Cpu, dg_runtime::device::Choice::Cuda(None)]
        .map(|choice| signals(&case, solver_on(choice, &case), 30));
    for ((time, values), (other_time, others)) in cpu.iter().zip(&gpu) {
        assert!((time - other_time).abs() < 1e-12 && values.iter().zip(others).all(|(a, b)| (a - b).abs() < 1e-11));
    }
}
