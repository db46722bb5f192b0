//! The output of a run is correct: other code reads its files, and their numbers are compared with the law's own Rust.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use dg_runtime::law::{Arguments, Function, Law, Role};
use tests::vtu::Vtu;

/// Laws for writing and reading: those that come with Rankine, and the tests' own.
fn laws() -> impl Iterator<Item = &'static Law> {
    tests::laws().into_iter().chain([&tests::sound::LAW, &tests::locals::LAW, &tests::arguments::LAW])
}

/// The value of a function by the law's own Rust.
fn value(function: &Function, at: &Arguments<'_>) -> Vec<f64> {
    let mut value = vec![f64::NAN; function.results];
    function.host.unwrap()(at, &mut value);
    value
}

fn at<'a>(parameters: &'a [f64], state: &'a [f64], position: &'a [f64], time: f64) -> Arguments<'a> {
    Arguments { parameters, state, right: &[], normal: &[], position, time }
}

/// An initial function of the law whose states are admissible on the square from (1, 1) to (2, 2).
fn beginning(law: &'static Law, parameters: &[f64]) -> &'static Function {
    let admissible = law.with_role(Role::Admissible).next();
    let makes_sense = |function: &&Function| {
        (0..=16).all(|i| {
            (0..=16).all(|j| {
                let x = [1.0 + f64::from(i) / 16.0, 1.0 + f64::from(j) / 16.0];
                let state = value(function, &at(parameters, &[], &x, 0.0));
                let signs = admissible.map_or(Vec::new(), |function| value(function, &at(parameters, &state, &x, 0.0)));
                state.iter().all(|number| number.is_finite()) && signs.iter().all(|sign| *sign > 0.0)
            })
        })
    };
    let known = law.with_role(Role::Exact).chain(law.with_role(Role::Initial));
    known.into_iter().find(makes_sense).unwrap_or_else(|| panic!("{} has nothing to begin with", law.name))
}

/// The first function of a law that gives its medium, if it has one.
fn medium(law: &'static Law) -> Option<&'static Function> {
    law.with_role(Role::Medium).next()
}

/// The keys of a case for elements of both shapes.
const TRIANGLES: &str = "jitter = 0.1";
const QUADRILATERALS: &str = "jitter = 0.1\nelements = 'quadrilaterals'";

/// Runs a law for a short time in a periodic square of these elements, with or without pictures of all fields; returns the values of its parameters and
/// its initial function.
fn run(law: &'static Law, order: usize, elements: &str, folder: &Path, draws: bool) -> (Vec<f64>, &'static Function) {
    let parameters: Vec<f64> = law.parameters.iter().map(|parameter| parameter.default.unwrap_or(1.25)).collect();
    let beginning = beginning(law, &parameters);
    let given =
        law.parameters.iter().zip(&parameters).map(|(parameter, value)| format!("{} = {value:?}\n", parameter.name));
    let state = law.state.iter().map(|variable| variable.name);
    let fields = state.chain(law.outputs().map(|output| output.name));
    let fields: Vec<_> = fields.filter(|_| draws).collect();
    let medium = medium(law).map(|given| format!("[medium]\nfunction = '{}'\n", given.name)).unwrap_or_default();
    let case = format!(
        "law = '{}'\norder = {order}\n[parameters]\n{}[mesh]\ngenerator = 'rectangle'\nlower = [1.0, 1.0]\nupper = [2.0, 2.0]\n\
         cells = [24, 24]\n{elements}\n[boundaries]\nleft = {{ periodic = 'right' }}\nbottom = {{ periodic = 'top' }}\n\
         {medium}[initial]\nfunction = '{}'\n[time]\nfinal = 1e-3\n[output]\ndirectory = 'out'\n\
         pictures = {fields:?}\npicture = {{ size = [500, 350], kind = 'colours' }}\n",
        law.name,
        given.collect::<String>(),
        beginning.name,
    );
    let path = folder.join("case.toml");
    std::fs::write(&path, case).unwrap();
    let arguments = ["rankine".as_ref(), "run".as_ref(), path.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
    dg_runtime::cli::run(&arguments.map(OsString::from), &[law])
        .unwrap_or_else(|error| panic!("{}: {error}", law.name));
    (parameters, beginning)
}

/// The least and the largest value in a picture according to the JSON among its texts.
fn picture_range(path: &Path) -> [f64; 2] {
    let bytes = std::fs::read(path).unwrap();
    let begin = bytes.windows(8).position(|window| window == b"{\"about\"").expect("the picture's facts");
    let mut facts = serde_json::Deserializer::from_slice(&bytes[begin..]).into_iter::<serde_json::Value>();
    let range = facts.next().unwrap().unwrap()["range"].clone();
    [0, 1].map(|end| range[end].as_f64().unwrap())
}

#[test]
#[ignore = "long"]
fn fields_of_files_and_pictures_are_those_that_their_names_say() {
    let on_quadrilaterals = tests::laws().into_iter().filter(|law| ["euler", "acoustics"].contains(&law.name));
    let on_quadrilaterals = on_quadrilaterals.map(|law| (law, QUADRILATERALS));
    for (law, elements) in laws().map(|law| (law, TRIANGLES)).chain(on_quadrilaterals) {
        let (mut order, mut outputs) = (law.units.last().unwrap().order.min(3), 0);
        if law.unit(dg_runtime::law::Shape::Triangle, order).is_none() {
            order = law.units[0].order;
        }
        let folder = tempfile::tempdir().unwrap();
        let (parameters, beginning) = run(law, order, elements, folder.path(), true);
        for index in ["0000", "0001"] {
            let vtu = Vtu::read(&folder.path().join(format!("out/solution_{index}.vtu")));
            let mut ranges = BTreeMap::new();
            let mut extend = |name: &'static str, value: f64| {
                let [low, high] = ranges.entry(name).or_insert([value; 2]);
                (*low, *high) = (low.min(value), high.max(value));
            };
            for (i, point) in vtu.points.iter().enumerate() {
                let state: Vec<f64> = law.state.iter().map(|variable| vtu.fields[variable.name].1[i]).collect();
                law.state.iter().zip(&state).for_each(|(variable, &value)| extend(variable.name, value));
                let fields: Vec<f64> = law.medium.iter().map(|field| vtu.fields[field.name].1[i]).collect();
                let at_point = [&state[..], &fields].concat();
                let at = at(&parameters, &at_point, &point[..2], vtu.time);
                // The projection of a smooth medium, on 24 cells.
                let projection = 24.0_f64.powi(-(order as i32 + 1));
                if let Some(given) = medium(law) {
                    for (field, (written, right)) in law.medium.iter().zip(fields.iter().zip(value(given, &at))) {
                        let difference = (written - right).abs();
                        assert!(difference < projection, "{}: `{}` at {point:?} is {written}", law.name, field.name);
                    }
                }
                for output in law.with_role(Role::Output) {
                    let (written, right) = (vtu.fields[output.name].1[i], value(output, &at)[0]);
                    let difference = (written - right).abs() / right.abs().max(1.0);
                    assert!(
                        difference < 1e-12,
                        "{}: `{}` at {point:?} is {written}, not {right}",
                        law.name,
                        output.name
                    );
                    extend(output.name, right);
                    outputs += 1;
                }
                if vtu.time == 0.0 {
                    // The projection of a smooth function: far nearer to it than to any other component.
                    let right = value(beginning, &at);
                    let scale = right.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
                    for (variable, (written, right)) in law.state.iter().zip(state.iter().zip(right)) {
                        let difference = (written - right).abs() / scale;
                        assert!(
                            difference < 0.02,
                            "{}: {} at {point:?} is {written}, not {right}",
                            law.name,
                            variable.name
                        );
                    }
                }
            }
            for (name, right) in ranges {
                let shown = picture_range(&folder.path().join(format!("out/{name}_{index}.png")));
                let scale = right.iter().fold(1.0_f64, |scale, end| scale.max(end.abs()));
                let difference = (shown[0] - right[0]).abs().max((shown[1] - right[1]).abs()) / scale;
                assert!(difference < 1e-12, "{}: the picture of {name} has {shown:?}, not {right:?}", law.name);
            }
        }
        assert!(outputs > 0 || law.with_role(Role::Output).next().is_none(), "{}", law.name);
    }
}

#[test]
#[ignore = "long"]
fn integrals_of_the_history_are_those_that_their_names_say() {
    /// Cells of the midpoint rule along each side.
    const CELLS: u32 = 400;
    for law in tests::laws() {
        let folder = tempfile::tempdir().unwrap();
        let (parameters, beginning) = run(law, 2, TRIANGLES, folder.path(), false);
        let history = std::fs::read_to_string(folder.path().join("out/history.csv")).unwrap();
        let mut lines = history.lines().filter(|line| !line.starts_with('#'));
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let first: Vec<&str> = lines.next().unwrap().split(',').collect();
        let mut integrals = vec![0.0; law.state.len()];
        for i in 0..CELLS {
            for j in 0..CELLS {
                let x = [i, j].map(|i| 1.0 + (f64::from(i) + 0.5) / f64::from(CELLS));
                let state = value(beginning, &at(&parameters, &[], &x, 0.0));
                integrals.iter_mut().zip(state).for_each(|(sum, value)| *sum += value / f64::from(CELLS * CELLS));
            }
        }
        for (variable, right) in law.state.iter().zip(integrals) {
            let column = names.iter().position(|name| *name == format!("integral_{}", variable.name)).unwrap();
            let written: f64 = first[column].parse().unwrap();
            assert!(
                (written - right).abs() < 1e-4 * right.abs().max(1.0),
                "{}: {} {written} {right}",
                law.name,
                variable.name
            );
        }
    }
}

/// A shock tube in the air of a room, in SI units, with a transverse momentum of so many kg/(m² s).
fn tube(across: f64, pictures: &str) -> String {
    format!(
        "law = 'euler'\norder = 2\n[parameters]\ngamma = 1.4\n[mesh]\ngenerator = 'rectangle'\nlower = [0.0, 0.0]\n\
         upper = [1.0, 0.5]\ncells = [12, 6]\njitter = 0.2\n[boundaries]\nleft = {{ periodic = 'right' }}\n\
         bottom = {{ periodic = 'top' }}\n[initial.formulas]\nrho = 'if(x < 0.5, 1.2, 1.0)'\nrho_v1 = '0'\n\
         rho_v2 = '{across:?}*sin(4*pi*y)'\nrho_e = '2.5e5'\n[time]\nfinal = 2e-4\n[output]\ndirectory = 'out'\n\
         fields = ['rho_v2']\npictures = {pictures}\npicture = {{ size = [500, 350], formats = ['svg'] }}\n"
    )
}

#[test]
fn pictures_tell_a_field_of_rounding_from_a_small_one() {
    for (across, constant) in [(0.0, true), (1e-6, false)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.toml");
        std::fs::write(&path, tube(across, "['rho_v2', { field = 'rho_v2', name = 'all', range = 'series' }]"))
            .unwrap();
        let arguments = ["rankine".as_ref(), "run".as_ref(), path.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
        dg_runtime::cli::run(&arguments.map(OsString::from), equations::LAWS).unwrap();
        for picture in ["rho_v2_0001", "all_0001"] {
            let text = std::fs::read_to_string(folder.path().join(format!("out/{picture}.svg"))).unwrap();
            assert_eq!(text.contains("constant: 0\n"), constant, "{picture} {across}");
        }
        let vtu = Vtu::read(&folder.path().join("out/solution_0001.vtu"));
        let largest = vtu.fields["rho_v2"].1.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        // Otherwise nothing was shown.
        assert!(largest > 0.0 && (largest > 1e-8) != constant, "{largest}");
    }
}

#[test]
fn a_picture_of_nothing_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    let region = "[{ field = 'rho', region = { lower = [2.0, 0.0], upper = [3.0, 1.0] } }]";
    std::fs::write(&path, tube(0.0, region)).unwrap();
    for dry in [&["--dry-run"][..], &[]] {
        let arguments = ["rankine".as_ref(), "run".as_ref(), path.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
        let arguments = arguments.into_iter().chain(dry.iter().map(AsRef::as_ref)).map(OsString::from);
        let error = dg_runtime::cli::run(&arguments.collect::<Vec<_>>(), equations::LAWS).unwrap_err().to_string();
        let message = "`region` has no part of the domain, which extends from [0.0, 0.0] to [1.0, 0.5]";
        assert!(error.contains(message) && !folder.path().join("out/history.csv").exists(), "{error}");
    }
}

#[test]
fn a_file_of_another_run_among_a_series_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, tube(1e-6, "[{ field = 'rho_v2', range = 'series' }]")).unwrap();
    let run = |more: &[&str]| {
        let arguments = ["rankine".as_ref(), "run".as_ref(), path.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
        let arguments = arguments.into_iter().chain(more.iter().map(AsRef::as_ref)).map(OsString::from);
        dg_runtime::cli::run(&arguments.collect::<Vec<_>>(), equations::LAWS)
    };
    run(&["--set", "time.final=1e-5"]).unwrap();
    let other = folder.path().join("other");
    run(&["--set", "time.final=1e-5", "--set", "mesh.cells=[4,2]", "--out", other.to_str().unwrap()]).unwrap();
    std::fs::copy(other.join("solution_0000.vtu"), folder.path().join("out/solution_0000.vtu")).unwrap();
    let error = run(&["--set", "time.final=2e-5", "--resume"]).unwrap_err().to_string();
    assert!(error.contains("solution_0000.vtu: it is of another mesh or order"), "{error}");
    std::fs::remove_file(folder.path().join("out/solution_0000.vtu")).unwrap();
    run(&["--set", "time.final=2e-5", "--resume"]).unwrap();
}
