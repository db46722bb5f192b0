//! What users measure: forces and fluxes through boundaries, integrals, extremes, lines, walls and averages in time.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::solver::{Extreme, Range, Solver};
use tests::{solver, solver_on};

/// A gas at rest between walls, of pressure 1 + y, with forces on walls.
const COLUMN: &str = r#"
law = "euler"
order = 2
mesh = { generator = "rectangle", lower = [0, 0], upper = [2, 1], cells = [3, 2], jitter = 0.2 }
boundaries = { left = "slip_wall", right = "slip_wall", bottom = "slip_wall", top = "slip_wall" }
initial.formulas = { rho = "1 + x", v1 = 0, v2 = 0, p = "1 + y" }
time.final = 1
[measure.forces.left]
boundaries = ["left"]
[measure.regions.all]
fields = ["cubic", "rho", "depth"]
[measure.lines.across]
from = [0.1, 0.2]
to = [1.9, 0.9]
points = 7
fields = ["rho", "depth"]
[measure.planes.window]
corner = [0.2, 0.9]
edges = [[1.5, 0.0], [0.1, -0.8]]
points = [4, 3]
fields = ["rho", "depth"]
[measure.walls.floor]
boundaries = ["bottom", "right"]
fields = ["rho", "depth"]
[measure.formulas]
cubic = "rho^3 * x + t"
depth = "pressure - 1"
"#;

fn faces(solver: &Solver, name: &str, centre: [f64; 2]) -> ([f64; 2], f64, [f64; 2]) {
    let flux = solver.flux_through(&solver.faces(&[name.to_owned()], centre).unwrap()).unwrap();
    let [rho, x, y, e] = flux.components[..] else { panic!("four components") };
    ([x, y], flux.moments[0][2] - flux.moments[1][1], [rho, e])
}

pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 3e-14 * expected.abs().max(1.0), "{what}: {found}, expected {expected}");
}

/// The force of a gas at rest on a wall is the integral of its pressure, of a linear one to rounding; nothing else passes.
#[test]
fn walls_bear_the_pressure_of_a_gas_at_rest() {
    for choice in [Choice::Cpu, Choice::Cuda(None)] {
        if choice != Choice::Cpu && tests::open(choice).is_err() {
            continue;
        }
        let solver = solver_on(choice, &tests::case(COLUMN));
        for (name, force, moment) in [
            ("left", [-1.5, 0.0], 5.0 / 6.0),
            ("right", [1.5, 0.0], -5.0 / 6.0),
            ("bottom", [0.0, -2.0], -2.0),
            ("top", [0.0, 4.0], 4.0),
        ] {
            let ([x, y], about_origin, others) = faces(&solver, name, [0.0; 2]);
            assert_close(x, force[0], name);
            assert_close(y, force[1], name);
            assert_close(about_origin, moment, name);
            assert!(others.iter().all(|flux| flux.abs() < 1e-15), "{name}: {others:?}");
            // About another point: M − (c × F).
            let moved = faces(&solver, name, [3.0, -2.0]).1;
            assert_close(moved, moment - (3.0 * force[1] + 2.0 * force[0]), name);
        }
    }
}

/// A law may call a field of its medium as a parameter; formulas of the solution mean the field.
#[test]
fn a_field_hides_a_parameter_of_its_name() {
    let text = r#"
        law = "maxwell_tm"
        order = 1
        parameters.epsilon = 5
        medium.formulas = { epsilon = 3, mu = 1, sigma = 0, loss = 0 }
        initial.formulas = { d = 1, b1 = 0, b2 = 0 }
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }
        boundaries = { left = "conductor", right = "conductor", bottom = "conductor", top = "conductor" }
        time.final = 1
        measure = { formulas.twice = "2*epsilon", regions.all.fields = ["twice", "epsilon"] }"#;
    let solver = solver(&tests::case(text));
    let ranges = solver.quantities_in(&solver.region(&[]).unwrap()).unwrap();
    assert_close(ranges[0].integral, 6.0, "twice");
    assert_close(ranges[1].integral, 3.0, "epsilon");
}

/// Integrals of polynomials of degree 2p + 4 are exact on an irregular mesh, and extremes those at the corners.
#[test]
fn integrals_of_polynomials_and_extremes_are_exact() {
    let solver = solver(&tests::case(COLUMN));
    let ranges = solver.quantities_in(&solver.region(&[]).unwrap()).unwrap();
    // ∫ (1 + x)³ x over 0 < x < 2: Σ 3-over-k 2^(k+2) / (k + 2).
    let cubic = 2.0 + 3.0 * 8.0 / 3.0 + 3.0 * 4.0 + 32.0 / 5.0;
    for (i, integral, least, largest) in [(0, cubic, 0.0, 54.0), (1, 4.0, 1.0, 3.0), (2, 1.0, 0.0, 1.0)] {
        assert_close(ranges[i].integral / integral, 1.0, "integral");
        assert!((ranges[i].least.value - least).abs() < 1e-12, "{:?}", ranges[i]);
        assert!((ranges[i].largest.value - largest).abs() < 1e-12, "{:?}", ranges[i]);
    }
}

/// Extremes are at the node that is nearest to that of a known field, on straight and on curved elements of two shapes; of a field that is the
/// same everywhere at the first node of the first element.
#[test]
#[ignore = "long"]
fn extremes_have_their_places() {
    let (deep, high) = ([0.83, 0.31], [-0.47, 1.02]);
    let text = format!(
        r#"
        law = "euler"
        order = 2
        mesh = {{ generator = "cylinder", radii = [0.5, 2.0], cells = [3, 16], layers = 1, degree = 2 }}
        boundaries = {{ inner = "slip_wall", outer = "slip_wall" }}
        initial.formulas = {{ rho = 1, v1 = 0, v2 = 0, p = 1 }}
        time.final = 1
        [measure.formulas]
        pit = "(x - {})^2 + (y - {})^2"
        hill = "2 - (x - ({}))^2 - (y - {})^2"
        flat = "3"
        none = "0 * rho / (rho - rho)"
        [measure.regions.all]
        fields = ["pit", "hill", "flat", "pressure", "mach", "none"]"#,
        deep[0], deep[1], high[0], high[1]
    );
    let choices = [Choice::Cpu, Choice::Cuda(None)].into_iter().filter(|&choice| tests::open(choice).is_ok());
    for (choice, precision) in choices.flat_map(|choice| [(choice, "double"), (choice, "single")]) {
        let case = tests::case(&format!("precision = \"{precision}\"\n{text}"));
        let solver = solver_on(choice, &case);
        let mesh = solver.mesh();
        let of_element = |element: usize| {
            let nodes = &solver.unit_of(element).reference().operators.sample_points;
            nodes.iter().map(move |node| mesh.position(element, node)).collect::<Vec<_>>()
        };
        let nodes: Vec<[f64; 2]> = (0..mesh.element_count()).flat_map(of_element).collect();
        let nearest = |[x, y]: [f64; 2]| {
            let distance = |node: &&[f64; 2]| (node[0] - x).hypot(node[1] - y);
            *nodes.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
        };
        let ranges = solver.quantities_in(&solver.region(&[]).unwrap()).unwrap();
        for (found, expected) in [(ranges[0].least, nearest(deep)), (ranges[1].largest, nearest(high))] {
            let distance = (found.position[0] - expected[0]).hypot(found.position[1] - expected[1]);
            assert!(distance < 1e-12, "{found:?}, expected at {expected:?}");
        }
        for extreme in [ranges[2].least, ranges[2].largest] {
            assert_eq!((extreme.value, extreme.position), (3.0, nodes[0]));
        }
        assert!(ranges[5].least.value.is_nan() && ranges[5].least.position[0].is_nan(), "{:?}", ranges[5]);
    }
}

/// At order 0 a step of ADER is one of Euler's explicit method: what the domain loses in it is what passes its boundary at its start. Of the
/// medium both fields vary, or one of them.
#[test]
#[ignore = "long"]
fn what_passes_the_boundary_is_what_the_domain_loses() {
    for rho in ["2 + x*y", "2"] {
        let case = tests::case(&format!(
            r#"
            law = "acoustics"
            order = 0
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 3], jitter = 0.2 }}
            medium.formulas = {{ rho = "{rho}", bulk = "1 + y" }}
            initial.formulas = {{ e = "sin(3*x + y)", m1 = "cos(2*y)", m2 = "x" }}
            time = {{ final = 1, integrator = "ader" }}
            boundaries = {{ left = "rigid_wall", right.state = {{ e = "0.3", m1 = "y", m2 = 0 }}, bottom = "absorbing", top = "rigid_wall" }}
            measure.fluxes.all.boundaries = ["left", "right", "bottom", "top"]"#
        ));
        let mut solver = solver(&case);
        let boundaries: Vec<String> = solver.mesh().boundaries().iter().map(|boundary| boundary.name.clone()).collect();
        let all = solver.faces(&boundaries, [0.0; 2]).unwrap();
        for _ in 0..5 {
            let (before, flux) = (solver.integrals().unwrap(), solver.flux_through(&all).unwrap());
            let clock = solver.advance(1.0, 1).unwrap();
            let after = solver.integrals().unwrap();
            for c in 0..3 {
                let left = after[c] - before[c] + clock.dt * flux.components[c];
                assert!(left.abs() < 1e-14, "component {c}: {left}, flux {}", flux.components[c]);
            }
            assert!(flux.components.iter().any(|flux| flux.abs() > 0.1), "{flux:?}");
        }
    }
}

/// A channel between an inlet of total values and an outlet of static pressure: what enters leaves, all forces on the gas add up to zero, and no
/// entropy is made but by errors.
#[test]
#[ignore = "long"]
fn a_steady_flow_through_a_channel_is_in_balance() {
    let settings = ["order=1", "mesh.cells=[12, 4]", "mesh.degree=2", "time.final=400.0"];
    let case = tests::example("subsonic_bump.toml", &settings);
    let (solver, clock) = tests::march(&case, 500);
    assert_eq!(clock.time, 400.0);
    let flux = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        solver.flux_through(&solver.faces(&names, [0.0; 2]).unwrap()).unwrap().components
    };
    let (inflow, outflow) = (flux(&["inflow"]), flux(&["outflow"]));
    assert!(outflow[0] > 0.49 && (inflow[0] + outflow[0]).abs() < 1e-10, "{inflow:?}, {outflow:?}");
    let all = flux(&["inflow", "outflow", "floor", "bump", "ceiling"]);
    assert!(all.iter().all(|flux| flux.abs() < 1e-9), "{all:?}");
    // Without losses there is no drag: 1/8 is the dynamic pressure.
    assert!((flux(&["bump"])[1] / 0.125).abs() < 0.03);
    let ranges = solver.quantities_in(&solver.region(&[]).unwrap()).unwrap();
    let names = &case.measure.as_ref().unwrap().measured.quantities.as_ref().unwrap().names;
    let of = |name: &str| ranges[names.iter().position(|known| known == name).unwrap()];
    assert!((of("entropy_error").integral / 3.0).sqrt() < 5e-3, "{:?}", of("entropy_error"));
    assert!((0.7..0.85).contains(&of("mach").largest.value) && of("mach").least.value > 0.3);
    // Neither boundary leaves a wave that comes in without data.
    assert!(solver.entering().unwrap().is_empty());
}

/// A flow slower than sound lifts an airfoil without drag. The lift is close to that of thin profiles, 2π sin α / √(1 - M²) (Glauert), times
/// 1 + 0.77 · 0.12 for the thickness (Joukowsky's profiles), and above it, since the flow is compressed the more the faster it is.
#[test]
#[ignore = "long"]
fn an_airfoil_lifts_without_drag() {
    let case = tests::example("lifting_airfoil.toml", &["time.final=12"]);
    let (solver, _) = tests::march(&case, 500);
    let faces = solver.faces(&["airfoil".to_owned()], [0.0; 2]).unwrap();
    let flux = solver.flux_through(&faces).unwrap().components;
    // 1/8 is the dynamic pressure.
    let (attack, [x, y]) = (2.0_f64.to_radians(), [flux[1], flux[2]].map(|force| force / 0.125));
    let (drag, lift) = (x * attack.cos() + y * attack.sin(), y * attack.cos() - x * attack.sin());
    let glauert = std::f64::consts::TAU * attack.sin() / 0.75_f64.sqrt() * (1.0 + 0.77 * 0.12);
    println!("drag {drag:.5}, lift {lift:.5}, by Glauert {glauert:.5}");
    assert!(drag.abs() < 1e-3, "{drag}");
    assert!((1.0..1.06).contains(&(lift / glauert)), "{lift}, {glauert}");
    assert!((lift - 0.2865).abs() < 0.003, "{lift}, in the far field 0.2865");
}

/// In time, with the trapezoidal rule.
fn averaged(setup: &str, final_time: f64) -> (Vec<f64>, Vec<f64>, f64) {
    let case = tests::case(&format!(
        r#"
        law = "advection"
        order = 6
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 2] }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        parameters = {{ v1 = 1, v2 = 0 }}
        {setup}"#
    ));
    let mut solver = solver(&case);
    // However the steps are split over calls.
    let mut clock = solver.advance(final_time, 3).unwrap();
    while clock.time < final_time {
        clock = solver.advance(final_time, 7).unwrap();
    }
    let averages = solver.averages().unwrap().unwrap();
    (averages.means.clone(), averages.variances(), averages.duration)
}

#[test]
fn a_steady_state_is_its_own_average_without_variance() {
    let (means, variances, duration) =
        averaged("initial.formulas.u = \"1/3\"\ntime.final = 2\nmeasure.mean = { from = 0.1, fields = [\"u\"] }", 0.7);
    assert!((duration - 0.6).abs() < 0.05, "{duration}");
    assert!(means.iter().all(|mean| (mean - 1.0 / 3.0).abs() < 1e-14));
    assert!(variances.iter().all(|variance| variance.abs() < 1e-28), "{variances:?}");
}

#[test]
fn a_travelling_wave_has_no_mean_and_half_a_variance() {
    let (means, variances, duration) = averaged(
        "initial.formulas.u = \"sin(2*pi*x)\"\ntime = { final = 2, cfl = 0.3 }\nmeasure.mean.fields = [\"u\", \"square\"]\nmeasure.formulas.square = \"u^2\"",
        1.0,
    );
    assert!((duration - 1.0).abs() < 1e-13, "{duration}");
    let every_second = |values: &[f64], first: usize| values.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
    let within = |values: Vec<f64>, expected: f64, error: f64| {
        let worst = values.iter().map(|value| (value - expected).abs()).fold(0.0, f64::max);
        assert!(worst < error, "{expected}: {worst}");
    };
    within(every_second(&means, 0), 0.0, 1e-4);
    within(every_second(&variances, 0), 0.5, 1e-4);
    within(every_second(&means, 1), 0.5, 1e-4);
    within(every_second(&variances, 1), 0.125, 1e-4);
}

/// A wave that travels once over the domain has the fluctuations of a sine along lines, walls and in planes, and the mean 0; the field that has
/// no averages has no columns.
#[test]
fn distributions_have_means_and_fluctuations() {
    let text = r#"
        law = "advection"
        order = 5
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 2] }
        boundaries = { left = { periodic = "right" }, bottom.state.u = 0, top.state.u = 0 }
        parameters = { v1 = 1, v2 = 0 }
        initial.formulas.u = "(1 + y) * sin(2*pi*x)"
        time = { final = 1, cfl = 0.3 }
        [measure]
        every = 1.0
        formulas.other = "u^2"
        mean.fields = ["u"]
        lines.a = { from = [0.0, 0.5], to = [1.0, 0.5], points = 11 }
        walls.a = { boundaries = ["top"], fields = ["other", "u"] }
        planes.a = { corner = [0.1, 0.1], edges = [[0.8, 0.0], [0.0, 0.8]], points = [5, 4], fields = ["u"] }
        regions.a.fields = ["u"]"#;
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    std::fs::write(&case, text).unwrap();
    run(&case, &out, &[]).unwrap();
    for (file, points) in [("line_a.csv", 11), ("wall_a.csv", 24), ("plane_a.csv", 20)] {
        let rows = columns(&out.join(file));
        assert_eq!(rows["time"].len(), 2 * points, "{file}");
        assert!(!rows.contains_key("other_mean"));
        for i in 0..points {
            assert!(
                rows["u_rms"][i] == 0.0 && (rows["u_mean"][i] - rows["u"][i]).abs() < 1e-3,
                "{file}: before averages begin"
            );
            let (mean, rms) = (rows["u_mean"][points + i], rows["u_rms"][points + i]);
            let expected = (1.0 + rows["y"][i]) / 2.0_f64.sqrt();
            assert!(mean.abs() < 1e-3, "{file}: {mean}");
            assert!((rms - expected).abs() < 1e-3, "{file}: {rms}, expected {expected}");
        }
    }
}

pub(crate) fn run(case: &Path, out: &Path, flags: &[&str]) -> Result<dg_runtime::cli::Report, dg_runtime::cli::Error> {
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([case.into(), "--out".into(), out.into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

pub(crate) fn columns(path: &Path) -> BTreeMap<String, Vec<f64>> {
    dg_runtime::io::csv::columns(path).unwrap().into_iter().collect()
}

/// Rows come at multiples of `every`, hit exactly, or with those of the history, and at the end; coefficients are forces by reference values.
#[test]
fn files_have_rows_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    let more = r#"
        [measure.forces.right]
        boundaries = ["right"]
        every = 0.01
        centre = [0, 0]
        direction = [0, 2]
        reference = { density = 2.0, velocity = 3.0, length = 0.5 }
        [measure.fluxes.sides]
        boundaries = ["left", "right"]
        components = ["rho_v1", "rho"]
    "#;
    std::fs::write(&case, COLUMN.replace("time.final = 1", "time.final = 0.025") + more).unwrap();
    run(&case, &out, &["--set", "output.history_every=2"]).unwrap();
    let right = columns(&out.join("forces_right.csv"));
    assert_eq!(right["time"], [0.0, 0.01, 0.02, 0.025]);
    // Drag is along y here, and lift to its left, along −x; the dynamic pressure is 9.
    assert_close(right["cl"][0], -1.5 / 4.5, "lift");
    assert_close(right["cd"][0], 0.0, "drag");
    assert_close(right["cm"][0], right["moment"][0] / (4.5 * 0.5), "moment");
    let history = columns(&out.join("history.csv"));
    let sides = columns(&out.join("flux_sides.csv"));
    assert_eq!(sides["time"], history["time"]);
    assert!(sides["time"].len() > 2 && sides["rho"].iter().all(|rho| rho.abs() < 1e-15));
    assert_eq!(columns(&out.join("forces_left.csv")).keys().collect::<Vec<_>>(), ["force_x", "force_y", "time"]);
    // Linear fields are exact on lines and walls.
    let line = columns(&out.join("line_across.csv"));
    for i in 0..7 {
        let share = i as f64 / 6.0;
        assert_close(line["s"][i], share * 1.8f64.hypot(0.7), "distance");
        assert_close(line["rho"][i], 1.1 + 1.8 * share, "density");
        assert_close(line["depth"][i], 0.2 + 0.7 * share, "depth");
    }
    let wall = columns(&out.join("wall_floor.csv"));
    let points = (3 + 2) * 3;
    assert_eq!(wall["time"].len(), points * history["time"].len());
    for i in 0..points {
        let (s, on_floor) = (wall["s"][i], wall["normal_y"][i] < -0.5);
        let place = if on_floor { [s, 0.0] } else { [2.0, s - 2.0] };
        assert!((wall["x"][i] - place[0]).abs() < 1e-14 && (wall["y"][i] - place[1]).abs() < 1e-14);
        assert_close(wall["rho"][i], 1.0 + place[0], "density");
        assert_close(wall["depth"][i], place[1], "depth");
    }
    let region = columns(&out.join("region_all.csv"));
    assert_close(region["rho_integral"][0], 4.0, "mass");
    assert_eq!(region.len(), 1 + 3 * 7);
    assert_close(region["rho_max_x"][0], 2.0, "place of the largest density");
    assert_close(region["depth_min_y"][0], 0.0, "place of the lowest pressure");
    let plane = columns(&out.join("plane_window.csv"));
    assert_eq!(plane["time"].len(), 12 * history["time"].len());
    for i in 0..12 {
        let (a, b) = ((i % 4) as f64 / 3.0, (i / 4) as f64 / 2.0);
        let place = [0.2 + 1.5 * a + 0.1 * b, 0.9 - 0.8 * b];
        assert_close(plane["x"][i], place[0], "x");
        assert_close(plane["y"][i], place[1], "y");
        assert_close(plane["rho"][i], 1.0 + place[0], "density");
        assert_close(plane["depth"][i], place[1], "depth");
    }
    // Mistakes that the mesh alone shows.
    for (setting, said) in [
        ("measure.lines.across.to=[2.5,0.5]", "point 6 of the line `across` at [2.1, 0.45] is outside of the mesh"),
        (
            "measure.planes.window.corner=[0.6,0.9]",
            "--set: point [4, 1] of the plane `window` at [2.1, 0.9] is outside of the mesh",
        ),
        ("measure.walls.floor.boundaries=[\"floor\"]", "unknown boundary of the mesh `floor`; there are `left`"),
        ("measure.regions.all.groups=[\"steel\"]", "unknown group of elements in the mesh `steel`; there is none"),
    ] {
        let other = folder.path().join("other");
        let error = run(&case, &other, &["--set", setting]).unwrap_err().to_string();
        assert!(error.contains(said), "{setting}: {error}");
        // Nothing is there that would stand in the way of a run without the mistake.
        assert!(
            std::fs::read_dir(other.join("checkpoints")).is_ok_and(|mut files| files.next().is_none())
                || !other.exists()
        );
    }
}

#[test]
fn mistakes_are_explained() {
    let message = |measure: &str| {
        let start = COLUMN.find("[measure").unwrap();
        let text = format!("{}\n{measure}", &COLUMN[..start]);
        Case::parse(&text, Path::new("case.toml"), equations::LAWS).unwrap_err().to_string()
    };
    for (measure, said) in [
        ("measure = {}", "[measure] measures nothing: add [measure.forces.NAME], [measure.fluxes.NAME]"),
        ("measure.force.a = {}", "unknown key in [measure]: `force`; did you mean `forces`?"),
        ("measure.forces.a = {}", "lacks `boundaries`, the boundaries of the mesh: boundaries = [\"wall\"]"),
        ("measure.forces.a.boundaries = []", "`boundaries` is empty: name at least one boundary"),
        ("measure.walls.a = { boundaries = [\"left\"], fields = [] }", "`fields` is empty: name at least one field"),
        (
            "measure.regions.a.fields = [\"presure\"]",
            "unknown field of euler or of [measure.formulas] `presure`; did you mean `pressure`?",
        ),
        (
            "measure.fluxes.a = { boundaries = [\"left\"], components = [\"mach\"] }",
            "unknown component of euler `mach`",
        ),
        ("measure.forces.a = { boundaries = [\"left\"], momentum = [\"rho\"] }", "`momentum` is to have 2 components"),
        (
            "measure.forces.a = { boundaries = [\"left\"], momentum = [\"rho_v1\", \"rho_v1\"] }",
            "`momentum` has a component twice",
        ),
        ("measure.forces.a = { boundaries = [\"left\"], direction = [1, 0] }", "give a `reference`, too"),
        ("measure.forces.a = { boundaries = [\"left\"], reference.density = 1 }", "lacks `velocity`"),
        (
            "measure.walls.a = { boundaries = [\"left\"], reference.length = 1 }",
            "unknown key in [measure.walls.a.reference]: `length`",
        ),
        (
            "measure.walls.a = { boundaries = [\"left\"], momentum = [\"rho_v1\", \"rho_v2\"] }",
            "euler has no friction: give a `reference` for the coefficient of pressure, or leave `momentum` out",
        ),
        (
            "measure.formulas.cp = \"rho\"\nmeasure.walls.a = { boundaries = [\"left\"], fields = [\"cp\"], reference = { density = 1, velocity = 1, pressure = 1 } }",
            "`cp` is a column of this wall already: rename the formula, or leave it out",
        ),
        (
            "measure.lines.a = { from = [0, 0], to = [1, 1], points = 1 }",
            "`points` is to be a whole number of at least 2",
        ),
        ("measure.lines.a = { from = [1, 1], to = [1, 1], points = 3 }", "give the line another end"),
        ("measure.mean = { from = 1 }", "averages begin at 1.0, when the run has ended: `time.final` is 1.0"),
        (
            "measure.planes.a = { corner = [0, 0], edges = [[1, 2], [2, 4]], points = [2, 2] }",
            "`edges` are to have two directions",
        ),
        (
            "measure.planes.a = { corner = [0, 0], edges = [[1, 0], [0, 1]], points = [9] }",
            "`points` is to have two numbers, one for each edge",
        ),
        ("measure = { every = 1e-9, regions.a = {} }", "more than 1e8 rows until the final time"),
        ("measure.regions = { a = {}, A = {} }", "`a` and `A` would have the same file"),
        ("measure.regions.\"a/b\" = {}", "`a/b` is no name of a measurement, and of its file"),
        ("measure = { formulas.rho = \"1\", mean = {} }", "`rho` is something else in formulas"),
        ("measure = { formulas.cp = \"presure\", mean = {} }", "in the formula for `cp`: "),
    ] {
        let message = message(measure);
        assert!(message.contains(said) && message.contains("case.toml:"), "{measure}: {message}");
    }
}

/// Where there is a GPU: in a medium that changes, with averages from the middle of the run on.
#[test]
fn the_gpu_measures_the_same() {
    if tests::open(Choice::Cuda(None)).is_err() {
        return;
    }
    let case = tests::case(
        r#"
        law = "acoustics"
        order = 3
        mesh = { generator = "disc", radius = 1, rings = 6 }
        medium.formulas = { rho = "2 + x*y", bulk = "1 + 0.5*sin(y + t)" }
        initial.formulas = { e = "exp(-9*(x^2 + y^2))", m1 = 0, m2 = "x" }
        time.final = 0.5
        boundaries.rim = "absorbing"
        measure = { mean = { from = 0.1 }, regions.all = {}, fluxes.rim.boundaries = ["rim"], walls.rim.boundaries = ["rim"] }"#,
    );
    let [cpu, gpu] = [Choice::Cpu, Choice::Cuda(None)].map(|choice| {
        let mut solver = solver_on(choice, &case);
        let mut clock = solver.advance(0.5, 20).unwrap();
        while clock.time < 0.5 {
            clock = solver.advance(0.5, 20).unwrap();
        }
        let rim = ["rim".to_owned()];
        let flux = solver.flux_through(&solver.faces(&rim, [0.1, 0.2]).unwrap()).unwrap();
        let ranges = solver.quantities_in(&solver.region(&[]).unwrap()).unwrap();
        let averages = solver.averages().unwrap().unwrap();
        let points = solver.wall(&rim).unwrap().points;
        let wall = solver.quantities_at(&points).unwrap();
        let at_wall = solver.averages_at(&points).unwrap().into_iter().flatten().flatten().collect();
        let numbers = |extreme: Extreme| [extreme.value, extreme.position[0], extreme.position[1]];
        let of = |range: &Range| [&[range.integral][..], &numbers(range.least), &numbers(range.largest)].concat();
        let ranges = ranges.iter().flat_map(of);
        [
            [flux.components, flux.moments.concat()].concat(),
            ranges.collect(),
            averages.means.clone(),
            averages.variances(),
            wall.concat(),
            at_wall,
        ]
        .concat()
    });
    assert_eq!(cpu.len(), gpu.len());
    for (i, (a, b)) in cpu.iter().zip(&gpu).enumerate() {
        assert!((a - b).abs() < 1e-10, "{i}: {a}, {b}");
    }
}
