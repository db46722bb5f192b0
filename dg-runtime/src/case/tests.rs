//! Every kind of mistake has its own message, at its place.

mod pictures;

use std::path::Path;

use super::sample_law::{LAW, WAVES};
use super::*;
use crate::io::picture::{Colours, Contours, Format, Kind, Range, Style};
use crate::io::vtu::Encoding;
use crate::law::Arguments;
use crate::mesh::generate::{Domain, Naca, Profile};

const GOOD: &str = r#"law = "waves"
order = 2
[parameters]
depth = 3
[mesh]
generator = "rectangle"
lower = [0.0, 0.0]
upper = [1.0, 1]
cells = [4, 4]
[boundaries]
left = { periodic = "right" }
bottom = "slip_wall"
top = "farfield"
[initial]
formulas = { rho = "1 + x^2*depth", rho_v = "-gamma*y" }
[exact]
function = "ramp"
[time]
final = 2
[output]
fields = ["rho", "speed"]
"#;

fn parse(text: &str) -> Result<Case, CaseError> {
    Case::parse(text, Path::new("cases/waves.toml"), &[&WAVES])
}

/// A state of the good case.
fn state(formulas: &StateFormulas, position: [f64; 2], time: f64) -> [f64; 2] {
    let (parameters, position) = (&[1.5, 3.0], &position);
    let mut state = [f64::NAN; 2];
    formulas.value(&Arguments { parameters, state: &[], right: &[], normal: &[], position, time }, &mut state);
    state
}

/// The mistake in the good case after one replacement.
fn mistake(from: &str, to: &str) -> Mistake {
    assert!(GOOD.contains(from), "{from}");
    match parse(&GOOD.replacen(from, to, 1)) {
        Err(CaseError::Mistake(mistake)) => mistake,
        other => panic!("{other:?}"),
    }
}

/// Asserts the line, the underlined text and the message of a mistake.
#[track_caller]
fn refused(from: &str, to: &str, line: usize, underlined: &str, message: &str) {
    let mistake = mistake(from, to);
    assert!(mistake.message.contains(message), "{}", mistake.message);
    let text: String = mistake.text.chars().skip(mistake.column - 1).take(mistake.width).collect();
    assert_eq!((mistake.line, text.as_str()), (line, underlined), "{mistake}");
}

#[test]
fn a_good_case_is_read() {
    let case = parse(GOOD).unwrap();
    assert_eq!(case.parameters, [1.5, 3.0]);
    assert_eq!(case.periodic, [("left".to_owned(), "right".to_owned())]);
    assert!(matches!(&case.boundaries["top"], Condition::Function(function) if function.name == "farfield"));
    assert_eq!(case.numerical_flux.name, "rusanov");
    assert_eq!(case.output.directory, Path::new("out/waves"));
    assert_eq!(case.exact.unwrap().name(), "ramp");
    let Initial::Formulas(formulas) = &case.initial else { panic!("{:?}", case.initial) };
    assert_eq!(state(formulas, [2.0, 0.5], 0.0), [13.0, -0.75]);
}

#[test]
fn paths_are_relative_to_the_case_file() {
    let text = GOOD.replace("fields", "directory = \"results\"\nfields");
    assert_eq!(parse(&text).unwrap().output.directory, Path::new("cases/results"));
}

#[test]
fn outputs_that_fill_a_disk_are_refused() {
    refused("[output]", "[output]\nevery = 1e-300", 21, "1e-300", "more than 100000 outputs");
}

#[test]
fn an_exact_initial_function_is_the_exact_solution() {
    let text = GOOD.replace("[exact]\nfunction = \"ramp\"\n", "");
    assert!(parse(&text).unwrap().exact.is_none());
    let formulas = text.lines().find(|line| line.starts_with("formulas")).unwrap();
    assert!(parse(&text.replace(formulas, "function = \"ramp\"")).unwrap().exact.is_some());
    assert!(parse(&text.replace(formulas, "function = \"start\"")).unwrap().exact.is_none());
}

#[test]
fn unknown_keys_suggest_the_nearest() {
    refused("final", "finale", 19, "finale", "unknown key in [time]: `finale`; did you mean `final`?");
    refused("order", "ordr", 2, "ordr", "did you mean `order`?");
    refused("[output]", "[outputs]", 20, "outputs", "did you mean `output`?");
    refused("lower", "lowr", 7, "lowr", "did you mean `lower`?");
    refused("cells = [4, 4]", "cells = [4, 4]\nradius = 1", 10, "radius", "unknown key in [mesh]: `radius`");
    refused("depth = 3", "dept = 3", 4, "dept", "did you mean `depth`?");
    refused("rho_v =", "rhov =", 15, "rhov", "did you mean `rho_v`?");
    for side in ["left", "right"] {
        let curves = format!("cells = [4, 4]\n[mesh.curves]\n{side} = \"spline\"");
        refused("cells = [4, 4]", &curves, 11, side, &format!("the boundary `{side}` is periodic"));
    }
    refused("periodic", "period", 11, "period", "did you mean `periodic`?");
}

#[test]
fn names_are_checked_against_the_law() {
    refused("\"waves\"", "\"wave\"", 1, "\"wave\"", "unknown law `wave`; did you mean `waves`?");
    refused(
        "\"slip_wall\"",
        "\"slipwall\"",
        12,
        "\"slipwall\"",
        "unknown boundary function of waves `slipwall`; did you mean `slip_wall`? there are `slip_wall`, `farfield`",
    );
    refused("\"ramp\"", "\"rmp\"", 17, "\"rmp\"", "did you mean `ramp`?");
    refused("\"speed\"", "\"mach\"", 21, "\"mach\"", "there are `rho`, `rho_v`, `speed`");
    refused("[time]", "[flux]\nnumerical = \"hlll\"\n[time]", 19, "\"hlll\"", "did you mean `hll`?");
    refused("final", "integrator = \"rk3\"\nfinal", 19, "\"rk3\"", "did you mean `rk4`?");
    let even = "`rkl2` has an odd number of stages from 3 to 31, not 4";
    refused("final", "integrator = \"rkl2\"\nstages = 4\nfinal", 20, "4", even);
    refused(
        "final",
        "stages = 5\nfinal",
        19,
        "stages",
        "`carpenter_kennedy` always has 5 stages; `stages` is for `rkl2`",
    );
    refused(
        "final",
        "integrator = \"rkl2\"\ntolerance = 1e-6\nfinal",
        19,
        "\"rkl2\"",
        "`rkl2` does not estimate the error",
    );
    refused(
        "\"rectangle\"",
        "\"square\"",
        6,
        "\"square\"",
        "there are `rectangle`, `quarter annulus`, `disc`, `forward step`",
    );
    refused(
        "order = 2",
        "order = 2\nschedule = \"team\"",
        3,
        "\"team\"",
        "known are `element`, `component`, `pair`, `triple` and `tensor`",
    );
    refused("order = 2", "order = 7", 2, "7", "no generated code of order 7; there are orders 1, 2");
}

#[test]
fn values_are_checked() {
    refused("order = 2", "order = 2.0", 2, "2.0", "`order` is to be a whole number, found a number");
    refused("order = 2", "order = -1", 2, "-1", "at least 0, found -1");
    refused("depth = 3", "depth = nan", 4, "nan", "`depth` is to be a finite number");
    refused("depth = 3", "depth = \"3\"", 4, "\"3\"", "`depth` is to be a number, found a string");
    refused("depth = 3", "", 3, "parameters", "waves needs its parameter `depth`");
    refused(
        "order = 2",
        "order = 2\nliteral_parameters = 1",
        3,
        "1",
        "`literal_parameters` is to be true or false, found a",
    );
    let viscous = "order = 2\nviscous = \"br2\"";
    refused(
        "order = 2",
        viscous,
        3,
        "\"br2\"",
        "waves has no viscous flux, which `viscous` would discretise; leave it out",
    );
    refused("[1.0, 1]", "[1.0]", 8, "[1.0]", "`upper` is to be a point: [0.0, 0.0], found a list of 1");
    refused("[1.0, 1]", "[-1.0, 1]", 8, "[-1.0, 1]", "to the right of and above");
    refused("[4, 4]", "[4, 0]", 9, "0", "at least 1, found 0");
    refused("lower = [0.0, 0.0]", "", 5, "mesh", "[mesh] lacks `lower`");
    refused("generator = \"rectangle\"", "", 5, "mesh", "[mesh] needs a `file` or a `generator`");
    refused("lower", "file = \"a.msh\"\nlower", 6, "generator", "both a file and a generator");
    refused("lower", "jitter = 0.5\nlower", 7, "0.5", "`jitter` is to be");
    refused("final = 2", "final = 0", 19, "0", "`final` is to be above zero");
    refused("final = 2", "cfl = 1", 18, "time", "[time] needs `final`");
    refused("final = 2", "final = 2\ncfl = -1.0", 20, "-1.0", "`cfl` is to be above zero, found -1");
    refused("[output]", "[output]\nvtu = 1", 21, "1", "`vtu` is to be true or false, found a whole number");
    refused("top = \"farfield\"", "right = \"farfield\"", 13, "right", "two conditions");
    refused("function = \"ramp\"", "", 16, "exact", "give a `function` of the law");
    refused("[mesh]", "[mesh]\ncurves = { left = \"splin\" }", 6, "\"splin\"", "did you mean `spline`?");
    refused(
        "[mesh]",
        "[mesh]\ncurves = { left = { circle = { centre = [0, 0], radius = 0 } } }",
        6,
        "0",
        "`radius` is to be above zero",
    );
}

#[test]
fn a_channel_with_a_step_has_defaults_and_is_checked() {
    let rectangle = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    let channel = |keys: &str| parse(&GOOD.replace(rectangle, &format!("generator = \"forward step\"\n{keys}")));
    let MeshOrigin::ForwardStep(default) = channel("cells = [15, 5]").unwrap().mesh.origin else { panic!() };
    assert_eq!((default.channel, default.step, default.element_count()), ([3.0, 1.0], [0.6, 0.2], 126.0));
    for (keys, message) in [
        ("", "[mesh] lacks `cells`, the numbers of cells along the channel's length and height"),
        ("cells = [15, 1]", "both numbers of `cells` are to be at least 2, found [15, 1]"),
        ("cells = [15, 5]\nchannel = [3.0]", "`channel` is to be a length and a height: [3.0, 1.0], found a list of 1"),
        ("cells = [15, 5]\nstep = [0.6, 0]", "`step` is to be above zero, found 0"),
        (
            "cells = [15, 5]\nstep = [0.6, 1]",
            "the step's corner [0.6, 1.0] is to be inside the channel of size [3.0, 1.0]",
        ),
        ("cells = [15, 5]\nchannel = [0.5, 1]", "the step's corner [0.6, 0.2] is to be inside the channel of size"),
        ("cells = [15, 5]\njitter = 0.25", "`jitter` is to be at least 0 and below 0.25, found 0.25"),
        ("cells = [15, 5]\nradius = 1", "unknown key in [mesh]: `radius`"),
    ] {
        let error = channel(keys).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn bent_grids_have_defaults_and_are_checked() {
    let rectangle = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    let read = |keys: &str| parse(&GOOD.replace(rectangle, keys));
    let block = |keys: &str| match read(&format!("{keys}\ncells = [6, 8]")).unwrap().mesh.origin {
        MeshOrigin::Block(block) => block,
        other => panic!("{other:?}"),
    };
    let airfoil = block("generator = \"airfoil\"\nnaca = \"0012\"\nelements = \"quadrilaterals\"\ngrading = 1.2");
    let Domain::Airfoil { airfoil: Naca { camber, thickness, .. }, radius, wake } = airfoil.domain else { panic!() };
    assert_eq!((camber, thickness, radius, wake), (0.0, 0.12, 20.0, 0));
    assert_eq!((airfoil.shape, airfoil.grading, airfoil.element_count()), (Shape::Quadrilateral, 1.2, 48.0));
    let bump = block("generator = \"bump\"");
    assert!(
        matches!(bump.domain, Domain::Bump { profile: Profile::Arc, height: 0.1 }) && bump.shape == Shape::Triangle
    );
    let ramp = block("generator = \"ramp\"\nangle = 15");
    assert!(matches!(ramp.domain, Domain::Ramp { channel: [1.5, 1.0], corner: 0.5, angle: 15.0 }));
    let cylinder = block("generator = \"cylinder\"\nradii = [0.5, 20]");
    assert!(matches!(cylinder.domain, Domain::Cylinder { radii: [0.5, 20.0] }));
    for (keys, message) in [
        ("generator = \"ramp\"\ncells = [4, 4]", "[mesh] lacks `angle`, the angle of the ramp in degrees"),
        ("generator = \"airfoil\"\ncells = [4, 4]", "[mesh] lacks `naca`, the airfoil"),
        ("generator = \"airfoil\"\nnaca = \"12\"\ncells = [4, 4]", "`naca` is to be the four digits of an airfoil"),
        ("generator = \"bump\"\nprofile = \"ark\"\ncells = [6, 4]", "did you mean `arc`?"),
        ("generator = \"bump\"\ngrading = 0\ncells = [6, 4]", "`grading` is to be above zero, found 0"),
        ("generator = \"bump\"\nradii = [1, 2]\ncells = [6, 4]", "unknown key in [mesh]: `radii`"),
        ("generator = \"cylindre\"\ncells = [3, 4]", "did you mean `cylinder`?"),
        (
            "generator = \"disc\"\nradius = 1\nrings = 2\nelements = \"squares\"",
            "unknown shape `squares`; there are `triangles`, `quadrilaterals`",
        ),
        ("file = \"a.msh\"\nelements = \"quadrilaterals\"", "the `file` says which shape its elements have"),
    ] {
        let error = read(keys).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // What only the generator knows is shown at its key.
    for (keys, message) in [
        (
            "generator = \"bump\"\ncells = [4, 4]",
            "the first of `cells`, that along the channel, is to be a multiple of 3",
        ),
        ("generator = \"bump\"\nlayers = 5\ncells = [6, 4]", "`layers` is to be at most 4, the rows of cells, found 5"),
        (
            "generator = \"bump\"\nheight = 0.9\ncells = [6, 4]",
            "`height` is to be above zero and at most 0.5, found 0.9",
        ),
        ("generator = \"ramp\"\nangle = 60\ncells = [6, 4]", "`angle` is to be above -90 and below 45 degrees"),
        ("generator = \"cylinder\"\ncells = [4, 3]\nradii = [1, 2]", "that around, is to be at least 4, found 3"),
        ("generator = \"cylinder\"\nradii = [2, 1]\ncells = [4, 8]", "the first of `radii` is the inner one"),
        (
            "generator = \"airfoil\"\nradius = 0.5\nnaca = \"0012\"\ncells = [4, 8]",
            "`radius` is to be from 1 to 1e6 chords",
        ),
        ("generator = \"disc\"\nradius = inf\nrings = 2", "`radius` is to be"),
    ] {
        let Err(CaseError::Mistake(mistake)) = read(keys) else { panic!("{keys}") };
        assert!(mistake.line == 7 && mistake.message.contains(message), "{mistake}");
    }
}

#[test]
fn mistakes_in_formulas_are_pointed_at() {
    refused(
        "x^2*depth",
        "x^2*dept",
        15,
        "dept",
        "in the formula for `rho`: unknown variable `dept`; did you mean `depth`?",
    );
    refused("-gamma*y", "-gamma*(y", 15, "\"", "expected `)`, but the formula ends");
    refused(", rho_v = \"-gamma*y\"", "", 15, "formulas", "[initial.formulas] lacks `rho_v`");
}

#[test]
fn states_are_given_by_formulas_and_by_names() {
    let state = "{ rho = \"1 + t\", rho_v = \"swell\" }";
    let named = format!("formulas = {{ swell = \"depth*height\", height = \"x - t\" }}\nstates.sea = {state}\n");
    let text = format!("{named}{GOOD}").replace("\"farfield\"", &format!("{{ state = {state} }}"));
    let text = text.replace("\"slip_wall\"", "{ if = \"x < t\", then = \"slip_wall\", else = { state = \"sea\" } }");
    let text = text.replace("[exact]\nfunction = \"ramp\"", &format!("[exact]\nformulas = {state}"));
    let case = parse(&text).unwrap();
    let ghost = |boundary: &str, x: f64, time: f64| {
        let (state, position) = (&[3.0, 4.0], &[x, 0.5]);
        let mut ghost = [f64::NAN; 2];
        let at = Arguments { parameters: &case.parameters, state, right: &[], normal: &[0.0, 1.0], position, time };
        case.boundaries[boundary].ghost(&at, &mut ghost);
        ghost
    };
    assert_eq!(ghost("top", 2.0, 0.5), [1.5, 4.5]);
    assert_eq!(ghost("bottom", 2.0, 0.5), [1.5, 4.5]);
    assert_eq!(ghost("bottom", 0.25, 0.5), [3.0, -4.0]);
    assert!(matches!(case.exact, Some(Given::Formulas(_))));
    let formulas = text.lines().find(|line| line.starts_with("formulas = { rho =")).unwrap();
    let by_name = |name: &str| parse(&text.replacen(formulas, &format!("state = \"{name}\""), 1)).unwrap();
    let Initial::Formulas(sea) = by_name("sea").initial else { panic!() };
    assert_eq!(self::state(&sea, [2.0, 0.0], 0.0), [1.0, 6.0]);
    assert!(matches!(by_name("start").initial, Initial::Function(function) if function.name == "start"));
    // The formulas that a state uses are part of the identity.
    let other = |from: &str, to: &str| parse(&text.replace(from, to)).unwrap().identity(&[Shape::Triangle]);
    assert_ne!(other("depth*height", "height"), case.identity(&[Shape::Triangle]));
    assert_ne!(other("x - t", "x + t"), case.identity(&[Shape::Triangle]));
    assert_eq!(other("height = ", "unused = \"0\", height = "), case.identity(&[Shape::Triangle]));
}

#[test]
fn states_are_given_in_other_variables_of_the_law() {
    let with = |formulas: &str| parse(&GOOD.replace("{ rho = \"1 + x^2*depth\", rho_v = \"-gamma*y\" }", formulas));
    let Initial::Formulas(formulas) = with("{ v = \"y\", rho = \"x\" }").unwrap().initial else { panic!() };
    assert_eq!(state(&formulas, [2.0, 3.0], 0.0), [2.0, 7.5]);
    // The same formulas for other variables give another state.
    let conserved = with("{ rho_v = \"y\", rho = \"x\" }").unwrap();
    assert_ne!(
        with("{ v = \"y\", rho = \"x\" }").unwrap().identity(&[Shape::Triangle]),
        conserved.identity(&[Shape::Triangle])
    );
    let table = "rho = \"1 + x^2*depth\", rho_v = \"-gamma*y\"";
    let mixed = "variables are mixed: give formulas for `rho`, `rho_v`, or for `rho`, `v`";
    refused(table, "rho = \"1\", rho_v = \"2\", v = \"3\"", 15, "v", mixed);
    refused(table, "rho = \"1\"", 15, "formulas", "[initial.formulas] lacks `rho_v`, a formula for this component");
    refused(
        table,
        "v = \"1\"",
        15,
        "formulas",
        "[initial.formulas] lacks `rho`, a formula for this variable of `from_velocity`",
    );
    refused(table, "rho = \"1\", w = \"1\"", 15, "w", "unknown key in [initial.formulas]: `w`");
}

#[test]
fn mistakes_in_states_are_pointed_at() {
    let top = "\"farfield\"";
    refused(top, "{ stat = \"sea\" }", 13, "stat", "did you mean `state`?");
    refused(top, "{ state = \"sea\" }", 13, "\"sea\"", "unknown state `sea`; there are `start`, `ramp`");
    refused(top, "{ state = { rho = \"1\" } }", 13, "state", "[boundaries.top.state] lacks `rho_v`");
    refused(top, "{ state = { rho = \"1\", rhov = \"2\" } }", 13, "rhov", "did you mean `rho_v`?");
    refused(top, "{ state = \"start\", else = \"slip_wall\" }", 13, "else", "unknown key in [boundaries.top]: `else`");
    refused(top, "{ if = \"x <\", then = \"slip_wall\", else = \"slip_wall\" }", 13, "\"", "the formula ends");
    refused(top, "{ if = \"x < 1\", then = \"slip_wall\" }", 13, "top", "[boundaries.top] lacks `else`");
    refused(
        top,
        "{ if = \"1\", then = { periodic = \"left\" }, else = 2 }",
        13,
        "periodic",
        "unknown key in [boundaries.top.then]",
    );
    refused(top, "{}", 13, "{}", "`top` has no condition");
    refused("x^2*depth", "x^2*t", 15, "t", "depends on the time `t`, and the initial state is that at time 0");
    let with = |tables: &str, formula: &str, underlined: &str, message: &str| {
        let text = format!("[formulas]\n{tables}\n[mesh]");
        let good = GOOD.replace("x^2*depth", formula);
        let Err(CaseError::Mistake(mistake)) = parse(&good.replace("[mesh]", &text)) else { panic!("{text}") };
        assert!(mistake.message.contains(message), "{}", mistake.message);
        let shown: String = mistake.text.chars().skip(mistake.column - 1).take(mistake.width).collect();
        assert_eq!(shown, underlined, "{mistake}");
    };
    with("a = \"1 + b*c\"\nb = \"c\"\nc = \"x*bb\"", "a", "bb", "in the formula for `c`: unknown variable `bb`");
    with(
        "one = \"1 + two\"\ntwo = \"2*three\"\nthree = \"one_\"\none_ = \"two\"",
        "x",
        "two",
        "two → three → one_ → two",
    );
    with("me = \"2*me\"", "x", "me", "this formula needs its own value: me → me");
    with("gamma = \"2\"", "x", "gamma", "`gamma` is something else in formulas: take another name");
    with("sin = \"2\"", "x", "sin", "take another name");
    with("t = \"2\"", "x", "t", "take another name");
    with("\"a b\" = \"2\"", "x", "\"a b\"", "`a b` is no name: take letters, digits and `_`");
    with("\"1a\" = \"2\"", "x", "\"1a\"", "`1a` is no name");
    with("wave = \"later\"\nlater = \"2*t\"", "1 + wave", "wave", "the formula for `rho` depends on the time `t`");
    with("a = true", "x", "true", "`a` is to be a formula, as a string or a number, found a truth value");
    refused(
        "[mesh]",
        "[states.ramp]\nrho = \"1\"\n[mesh]",
        5,
        "ramp",
        "`ramp` is a function of waves: take another name",
    );
}

#[test]
fn of_a_long_line_the_part_with_the_mistake_is_shown() {
    let sum = "x+".repeat(500);
    for (formula, shown, underlined) in [
        (format!("{sum}z+{sum}y"), "…", "^"),
        (format!("z+{sum}y"), "formulas", "^"),
        (format!("{sum}{sum}{sum}{sum}{sum}y"), "formulas", "^^"),
    ] {
        let text = mistake("x^2*depth", &formula).to_string();
        let [.., source, marks] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(source.chars().count() < 180 && marks.chars().count() < 180, "{text}");
        assert!(source.contains(shown) && source.ends_with('…') && marks.contains(underlined), "{text}");
        if underlined == "^" {
            let place = marks.chars().position(|c| c == '^').unwrap();
            assert_eq!(source.chars().nth(place), Some('z'), "{text}");
        }
    }
}

#[test]
fn syntax_errors_have_their_place() {
    refused("order = 2", "order = = 2", 2, "=", "not TOML");
    refused("order = 2", "order = 2\norder = 1", 3, "order", "not TOML: duplicate key");
}

#[test]
fn parameters_lie_within_their_ranges() {
    refused("depth = 3", "depth = 3\ngamma = 0.25", 5, "0.25", "`gamma` of waves is to be at least 1, found 0.25");
    let end = GOOD.replace("depth = 3", "depth = 3\ngamma = 1");
    assert_eq!(parse(&end).unwrap().parameters, [1.0, 3.0]);
}

#[test]
fn a_mistake_shows_its_line() {
    let text = mistake("final", "finale").to_string();
    let expected = "cases/waves.toml:19:1: unknown key in [time]: `finale`; did you mean `final`? there are `final`, `steady`, \
                    `steady_step`, `cfl`, `tolerance`, `integrator`, `stages`, `step_every`\n   |\n19 | finale = 2\n   | ^^^^^^";
    assert_eq!(text, expected);
}

#[test]
fn conditions_and_boundaries_of_the_mesh_match() {
    let case = parse(GOOD).unwrap();
    let mesh = case.build_mesh().unwrap();
    assert_eq!(mesh.element_count(), 32);
    let setup = case.setup(&mesh).unwrap();
    let names: Vec<_> = mesh.boundaries().iter().map(|boundary| boundary.name.as_str()).zip(setup.boundaries).collect();
    assert_eq!(
        names.iter().map(|(name, condition)| (*name, condition.identity())).collect::<Vec<_>>(),
        [("bottom", "slip_wall".into()), ("top", "farfield".into())]
    );

    let error = parse(&GOOD.replace("top =", "topp =")).unwrap().setup(&mesh).unwrap_err().to_string();
    assert!(error.contains("no boundary of the mesh") && error.contains("did you mean `top`?"), "{error}");
    let error = parse(&GOOD.replace("top = \"farfield\"", "")).unwrap().setup(&mesh).unwrap_err().to_string();
    assert!(error.contains("lacks a condition for `top`") && error.contains("`farfield`"), "{error}");
}

#[test]
fn names_that_are_none_of_the_mesh_have_their_place() {
    for (from, to, line, name, nearest) in [
        ("top = \"farfield\"", "topp = \"farfield\"", 13, "topp", "top"),
        ("\"right\"", "\"rihgt\"", 11, "rihgt", "right"),
        ("[mesh]", "[mesh]\ncurves = { botom = \"spline\" }", 6, "botom", "bottom"),
        ("[mesh]", "[mesh.curves]\nbotom = \"straight\"\n[mesh]", 6, "botom", "bottom"),
    ] {
        assert_eq!(GOOD.matches(from).count(), 1, "{from}");
        let CaseError::Mistake(mistake) = parse(&GOOD.replace(from, to)).unwrap().build_mesh().unwrap_err() else {
            panic!("{to}")
        };
        assert_eq!(mistake.line, line, "{mistake}");
        let message = format!("unknown boundary of the mesh `{name}`; did you mean `{nearest}`? there are `left`");
        assert!(mistake.message.starts_with(&message), "{mistake}");
        assert_eq!(mistake.text.matches(name).count(), 1, "{mistake}");
    }
}

#[test]
fn a_file_with_curved_sides_takes_no_curves() {
    let rectangle = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mesh/gmsh/fixtures/bend-triangles-2.msh");
    let text = GOOD.replace(rectangle, &format!("file = {file:?}\ncurves = {{ inner = \"spline\" }}"));
    let boundaries = "left = { periodic = \"right\" }\nbottom = \"slip_wall\"\ntop = \"farfield\"";
    assert_eq!(text.matches(boundaries).count(), 1, "{text}");
    let text = text.replace(boundaries, "inner = \"slip_wall\"\nouter = \"slip_wall\"");
    let CaseError::Mistake(mistake) = parse(&text).unwrap().build_mesh().unwrap_err() else { panic!() };
    assert!(mistake.message.contains("curved already, of degree 2"), "{mistake}");
    assert_eq!(&mistake.text[mistake.column - 1..][..mistake.width], "inner", "{mistake}");
    let text = text.replace("curves = { inner = \"spline\" }", "degree = 2");
    let CaseError::Mistake(mistake) = parse(&text).unwrap().build_mesh().unwrap_err() else { panic!() };
    assert!(mistake.message.contains("leave `degree` out"), "{mistake}");
    assert_eq!(&mistake.text[mistake.column - 1..][..mistake.width], "2", "{mistake}");
}

/// What only the mesh shows: sides of a degree for which the order has no code, a curve that a vertex is not on, and a method that takes no
/// elements of several orders.
#[test]
fn degrees_curves_and_orders_that_do_not_suit_the_mesh_have_their_place() {
    let circle = "cells = [4, 4]\ncurves = { bottom = { circle = { centre = [0, 0], radius = 3 } } }";
    for (from, to, line, underlined, message) in [
        ("cells = [4, 4]", "cells = [4, 4]\ndegree = 4\ncurvature = 0.01", 10, "4", "order"),
        ("cells = [4, 4]", circle, 10, "bottom", "circle"),
        ("[mesh]", "[orders]\ntriangles = 1\n[time]\nintegrator = \"ader\"\nfinal = 2\n[mesh]", 6, "triangles", "ader"),
    ] {
        let text = GOOD.replacen(from, to, 1);
        let text =
            if to.contains("[time]") { text.replace("\n[time]\nfinal = 2\n[output]", "\n[output]") } else { text };
        let CaseError::Mistake(mistake) = parse(&text).unwrap().build_mesh().unwrap_err() else { panic!("{text}") };
        println!("{mistake}");
        assert_eq!(mistake.line, line, "{mistake}");
        assert_eq!(&mistake.text[mistake.column - 1..][..mistake.width], underlined, "{mistake}");
        assert!(mistake.message.contains(message), "{mistake}");
    }
}

#[test]
fn a_period_of_a_file_is_an_offer() {
    let rectangle = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mesh/gmsh/fixtures/square-4.1-binary.msh");
    let periodic = GOOD.replace(rectangle, &format!("file = {file:?}")).replace("top =", "'the \"upper\" lid' =");
    let walls = periodic.replace("left = { periodic = \"right\" }", "left = \"slip_wall\"\nright = \"farfield\"");
    for (text, boundaries) in [(&periodic, 2), (&walls, 4)] {
        let case = parse(text).unwrap();
        let mesh = case.build_mesh().unwrap();
        assert_eq!(case.setup(&mesh).unwrap().boundaries.len(), boundaries);
    }
    let case = parse(&walls.replace("right = \"farfield\"", "")).unwrap();
    let error = case.setup(&case.build_mesh().unwrap()).unwrap_err().to_string();
    assert!(error.contains("lacks a condition for `right`"), "{error}");
    assert!(error.ends_with("`{ periodic = \"left\" }` as the file offers"), "{error}");
}

#[test]
fn meshes_that_cannot_be_numbered_are_refused_before_they_are_built() {
    let rectangle = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    for (mesh, elements) in [
        (format!("{rectangle}\nrefine = 40"), "3.869e25"),
        (format!("{rectangle}\nrefine = 4000000000000"), "inf"),
        (rectangle.replace("[4, 4]", "[16384, 32768]"), "1.074e9"),
        ("generator = \"disc\"\nradius = 1\nrings = 8192\nrefine = 1".into(), "1.611e9"),
        ("generator = \"quarter annulus\"\nradii = [1, 2]\ncells = [1, 9000000000000]".into(), "1.800e13"),
        ("generator = \"forward step\"\ncells = [45000, 15000]".into(), "1.134e9"),
    ] {
        let error = parse(&GOOD.replace(rectangle, &mesh)).unwrap().build_mesh().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{elements} elements")) && error.contains(" 715827882 "), "{error}");
        assert!(error.contains("a coarser mesh or refine it less"), "{error}");
    }
}

#[test]
fn equal_cases_have_equal_identities() {
    let case = parse(GOOD).unwrap();
    assert_eq!(
        parse(&GOOD.replace("final = 2", "final = 3")).unwrap().identity(&[Shape::Triangle]),
        case.identity(&[Shape::Triangle])
    );
    assert_ne!(
        parse(&GOOD.replace("depth = 3", "depth = 3.5")).unwrap().identity(&[Shape::Triangle]),
        case.identity(&[Shape::Triangle])
    );
    let literal = GOOD.replace("order = 2", "order = 2\nliteral_parameters = true");
    assert_ne!(parse(&literal).unwrap().identity(&[Shape::Triangle]), case.identity(&[Shape::Triangle]));
    assert_ne!(case.clone().with_order(1).unwrap().identity(&[Shape::Triangle]), case.identity(&[Shape::Triangle]));
    assert!(case.with_order(3).is_err_and(|error| error.to_string().contains("orders 1, 2")));
}

#[test]
fn a_changed_law_changes_the_identity_and_the_place_of_the_mesh_does_not() {
    let changed: &'static Law = Box::leak(Box::new(Law { physics: "/* changed */\n", ..LAW }));
    let read =
        |law: &'static Law| Case::parse(GOOD, Path::new("waves.toml"), &[law]).unwrap().identity(&[Shape::Triangle]);
    assert_ne!(read(changed), read(&WAVES));

    let generated = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    assert!(GOOD.contains(generated));
    let text = GOOD.replace(generated, "file = \"a.msh\"");
    let from = |path: &str| Case::parse(&text, Path::new(path), &[&WAVES]).unwrap().identity(&[Shape::Triangle]);
    assert_eq!(from("cases/waves.toml"), from("/elsewhere/waves.toml"));
}

#[test]
fn a_far_field_of_a_law_that_has_none_is_refused_with_the_reason() {
    let message = "waves has no boundary that tells waves apart: for tests; take a boundary function of the law, or the state \
                   outside: { state = { … } }";
    let (from, state) = ("top = \"farfield\"", "{ rho = \"1\", rho_v = \"0\" }");
    refused(from, &format!("top = {{ far_field = {state} }}"), 13, state, message);
    refused(from, "top = \"absorbing\"", 13, "\"absorbing\"", message);
    let part = format!("top = {{ if = \"x < 0.5\", then = \"slip_wall\", else = {{ far_field = {state} }} }}");
    refused(from, &part, 13, state, message);
    // The form that the message suggests is accepted.
    parse(&GOOD.replace(from, &format!("top = {{ state = {state} }}"))).unwrap();
}

#[test]
fn a_missing_file_is_named() {
    let error = Case::read(Path::new("nowhere.toml"), &[&WAVES]).unwrap_err();
    assert_eq!(error.to_string(), "cannot read the case file nowhere.toml");
}

/// The good case with settings.
fn with_settings(settings: &[&str]) -> Result<Case, CaseError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("waves.toml");
    std::fs::write(&path, GOOD).unwrap();
    Case::read_with(&path, &settings.iter().map(|setting| (*setting).to_owned()).collect::<Vec<_>>(), &[&WAVES])
}

#[test]
fn settings_replace_what_the_file_says() {
    let settings = [
        "order=1",
        "parameters.gamma = 2.5",
        "mesh.cells=[2, 3]",
        "boundaries.top=slip_wall",
        "time.integrator='rk4'",
        "initial={ function = \"ramp\" }",
        "output.fields=[\"rho\"]",
        "output.vtu=false",
        "time.final=3",
        "time.final=4",
        "mesh.curves.top=spline",
        "literal_parameters=true",
    ];
    let case = with_settings(&settings).unwrap();
    assert_eq!((case.order, &case.parameters[..], case.literal_parameters), (1, &[2.5, 3.0][..], true));
    let MeshOrigin::Rectangle(mesh) = &case.mesh.origin else { panic!("{:?}", case.mesh.origin) };
    assert_eq!((mesh.cells, mesh.upper), ([2, 3], [1.0, 1.0]));
    let boundaries = ["top", "bottom"].map(|name| case.boundaries[name].identity());
    assert_eq!(boundaries, ["slip_wall", "slip_wall"]);
    assert_eq!((case.time.integrator, case.time.until), (Integrator::Rk4, Some(4.0)));
    assert!(matches!(case.initial, Initial::Function(function) if function.name == "ramp"));
    assert_eq!((&case.output.fields[..], case.output.vtu), (&["rho"][..], None));
    assert!(case.mesh.curves.contains_key("top"));
}

#[test]
fn mistakes_in_settings_are_shown_in_the_argument() {
    for (setting, key, underlined, message) in [
        ("mesh.cels=[4, 4]", Some("mesh.cels"), "cels", "did you mean `cells`?"),
        ("mesh.cells=[4, 0]", Some("mesh.cells"), "0", "at least 1, found 0"),
        ("boundaries.top=farfeld", Some("boundaries.top"), "\"farfeld\"", "did you mean `farfield`?"),
        ("time.final=1,5", Some("time.final"), "\"1,5\"", "to be a number, found a string"),
        ("initial.formulas.rho=1+z", Some("initial.formulas.rho"), "z", "unknown variable `z`"),
        ("mesh.curves.top.circle.centre=[0,0]", Some("mesh.curves.top.circle.radius"), "circle", "lacks `radius`"),
        ("mesh.cells=[4, 4", None, "", "this is no setting KEY=VALUE"),
        ("a b=1", None, "", "this is no setting KEY=VALUE"),
        ("order", None, "order", "write KEY=VALUE"),
        ("", None, "", "write KEY=VALUE"),
    ] {
        // The second of two settings, so that places relative to the first are wrong.
        let mistake = match with_settings(&["order=1", setting]) {
            Err(CaseError::Mistake(mistake)) => mistake,
            other => panic!("{setting}: {other:?}"),
        };
        assert!(mistake.in_setting && mistake.message.contains(message), "{mistake}");
        assert_eq!(mistake.key.as_deref(), key, "{mistake}");
        let shown: String = mistake.text.chars().skip(mistake.column - 1).take(mistake.width).collect();
        assert!(shown.contains(underlined), "{mistake}");
    }
    let Err(CaseError::Mistake(mistake)) = with_settings(&["mesh.cels=[4, 4]"]) else { panic!() };
    let shown: Vec<String> = mistake.to_string().lines().skip(1).map(str::to_owned).collect();
    assert_eq!(shown, ["      |", "--set | mesh.cels=[4, 4]", "      |      ^^^^"]);
    // What no longer fits is reported for the file: the first key of another generator.
    let Err(CaseError::Mistake(mistake)) = with_settings(&["mesh.generator=disc"]) else { panic!() };
    assert!(!mistake.in_setting && mistake.line == 7 && mistake.message.contains("`rings`"), "{mistake}");
}

#[test]
fn a_number_is_a_formula_and_a_function_of_the_law_no_name_of_a_state() {
    let from = r#"rho = "1 + x^2*depth", rho_v = "-gamma*y""#;
    let Initial::Formulas(state) = parse(&GOOD.replace(from, "rho = 1, rho_v = -2.5e-1")).unwrap().initial else {
        panic!()
    };
    assert_eq!(state.identity(), serde_json::json!(["1", "-2.5e-1"]));
    let error = parse(&format!("{GOOD}[states.slip_wall]\nrho = \"1\"\nrho_v = \"0\"\n")).unwrap_err().to_string();
    assert!(error.contains("`slip_wall` is a function of waves: take another name"), "{error}");
}
