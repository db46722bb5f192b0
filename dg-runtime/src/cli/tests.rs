//! The subcommands without a device, called like a user does.

use std::ffi::OsString;
use std::path::Path;

use super::*;
use crate::case::sample_law::WAVES;
use crate::law::Schedule;
use crate::law::geometry::Map;
use crate::scheme;

fn arguments(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn call(line: &str) -> Result<Report, Error> {
    run(&arguments(&format!("bin/rankine {line}")), &[&WAVES])
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn every_subcommand_has_an_example_that_names_the_program_and_can_be_parsed() {
    for subcommand in Cli::command().get_subcommands() {
        let Err(Error::Usage(help)) = call(&format!("{} --help", subcommand.get_name())) else { panic!() };
        let help = help.to_string();
        let examples: Vec<_> = help.lines().filter(|line| line.starts_with("  rankine ")).collect();
        assert!(!examples.is_empty() && !help.contains("{bin}"), "{help}");
        for example in examples {
            let command = example.split(['|', '&', '>']).next().unwrap();
            assert!(parse(&arguments(command)).is_ok(), "{example}");
        }
    }
}

#[test]
fn laws_are_listed_with_the_first_sentence_of_their_doc() {
    let report = call("laws").unwrap();
    assert_eq!(report.text, "waves  Waves of a membrane.\n");
    assert_eq!(report.json["laws"][0]["orders"], json!([1, 2]));
}

#[test]
fn walls_that_follow_curves_are_said_to_leak() {
    use crate::mesh::generate::{Disc, Rectangle};
    use crate::solver::Condition;

    let condition = |name| Condition::Function(WAVES.boundaries().find(|function| function.name == name).unwrap());
    let mut disc = Disc::default().mesh().unwrap();
    let said = announce::curved_walls(&disc, &[condition("slip_wall")]).unwrap();
    assert!(said.starts_with("`rim`: a wall along the normals of its curve lets pass"), "{said}");
    assert_eq!(announce::curved_walls(&disc, &[condition("farfield")]), None);
    disc.set_curve("rim", None).unwrap();
    assert_eq!(announce::curved_walls(&disc, &[condition("slip_wall")]), None);
    let square = Rectangle::default().mesh().unwrap();
    assert_eq!(announce::curved_walls(&square, &["slip_wall"; 4].map(condition)), None);
}

#[test]
fn describe_says_what_is_known() {
    let report = call("describe waves --format json").unwrap();
    for part in [
        "gamma = 1.5, at least 1  Stiffness.",
        "depth = to be given",
        "slip_wall  Lets no rho pass; along the normals of a curve, what the straight faces are off it.",
        "d flux(rho_v) / d rho  = gamma",
        "sqrt(gamma)*abs(n.x)",
        "The flux is linear in the state.",
        "`slip_wall` lets no rho pass (by algebra, for all states)",
        "residual           120    120",
    ] {
        assert!(report.text.contains(part), "{part} in\n{}", report.text);
    }
    let json: Value = serde_json::from_str(&report.json.to_string()).unwrap();
    assert_eq!(json["parameters"][1]["default"], Value::Null);
    assert_eq!(json["parameters"][0]["range"], "at least 1");
    assert_eq!(json["boundaries"][0]["impermeable"], json!(["rho"]));
    assert_eq!(json["jacobian"][0][1][0], "gamma");
    assert_eq!(json["units"][1]["kernels"][0]["flops"], 120);
}

#[test]
fn kernels_are_printed_or_written() {
    let text = |order: usize, schedule| scheme::text(&WAVES, &WAVES.units[order - 1], Map::Affine, schedule);
    let [pair, component] =
        ["", " --schedule component"].map(|schedule| call(&format!("kernels waves --order 2{schedule}")).unwrap().text);
    assert_eq!(pair, text(2, Schedule::Pair));
    assert_eq!(component, text(2, Schedule::Component));
    // The stage once, as the preprocessor leaves it; `component`, `pair` and `triple` have one text.
    let whole = scheme::code(&WAVES, &WAVES.units[1], Map::Affine).text;
    let stages = |text: &str| text.matches("KERNEL_PATCH(stage,").count();
    assert_eq!((stages(&pair), stages(&component), stages(whole)), (1, 1, 3));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/er");
    let report = call(&format!("kernels waves -p 1 --out {}", out.display())).unwrap();
    assert_eq!(std::fs::read_to_string(out.join("waves_triangle_p1.cu")).unwrap(), text(1, Schedule::Element));
    assert_eq!(report.json["file"], json!(out.join("waves_triangle_p1.cu")));

    let error = call("kernels waves --order 2 --schedule best").unwrap_err().to_string();
    assert!(
        error.contains(
            "no schedule `best`; there are element, component, pair, triple, tensor, without the size of patches"
        ),
        "{error}"
    );
    let error = call("kernels waves --order 5").unwrap_err().to_string();
    assert_eq!(error, "waves has no generated code of order 5; there are orders 1, 2");
    assert_eq!(call("kernels waves --order 5").unwrap_err().to_json()["error"]["kind"], "usage");
}

#[test]
fn unknown_laws_suggest_the_nearest() {
    let error = call("describe wave").unwrap_err();
    assert_eq!(error.to_string(), "unknown law `wave`; did you mean `waves`?");
    let json = error.to_json();
    let parts = ["kind", "message", "remedy"].map(|key| &json["error"][key]);
    assert_eq!(json!(parts), json!(["name", "unknown law `wave`", "did you mean `waves`?"]));
}

#[test]
fn an_error_in_a_case_has_its_place_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    std::fs::write(&path, "law = \"waves\"\nordr = 1\n").unwrap();
    let error = call(&format!("run {}", path.display())).unwrap_err().to_json();
    let place = ["kind", "key", "file", "line", "column", "setting"].map(|key| &error["error"][key]);
    assert_eq!(json!(place), json!(["case", "ordr", path, 2, 1, null]));
    assert_eq!(error["error"]["message"], "unknown key in the case file: `ordr`");
    assert!(error["error"]["remedy"].as_str().unwrap().starts_with("did you mean `order`?"), "{error}");

    std::fs::write(&path, CASE).unwrap();
    let error = call(&format!("run {} --set mesh.rins=3", path.display())).unwrap_err().to_json();
    let place = ["kind", "key", "file", "line", "column", "setting"].map(|key| &error["error"][key]);
    assert_eq!(json!(place), json!(["case", "mesh.rins", null, null, 6, "mesh.rins=3"]));
}

#[test]
fn wrong_usage_has_a_kind_and_a_remedy() {
    let error = call("kernels waves --order 2 --ouf x").unwrap_err().to_json();
    assert_eq!(error["error"]["kind"], "usage");
    assert_eq!(error["error"]["message"], "unexpected argument '--ouf' found");
    assert!(error["error"]["remedy"].as_str().unwrap().contains("--out"), "{error}");
}

#[test]
fn numbers_of_threads_are_checked() {
    for wrong in ["0", "-1", "1025", "many"] {
        assert!(matches!(call(&format!("laws --threads {wrong}")), Err(Error::Usage(_))), "{wrong}");
    }
}

#[test]
fn every_shell_gets_completions_and_every_subcommand_a_page() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let report = call(&format!("completions {shell}")).unwrap();
        assert!(report.text.contains("rankine") && report.text.contains("overwrite"), "{shell}: {}", report.text);
    }
    let folder = tempfile::tempdir().unwrap();
    let report = call(&format!("man --out {}", folder.path().display())).unwrap();
    assert_eq!(report.json["files"].as_array().unwrap().len(), 1 + Cli::command().get_subcommands().count());
    let page = std::fs::read_to_string(folder.path().join("rankine-run.1")).unwrap();
    assert!(page.contains("rankine run cases/vortex.toml") && page.contains("overwrite"), "{page}");
    assert!(call("man").unwrap().text.contains("rankine\\-run(1)"));
}

#[test]
fn errors_are_printed_with_their_causes() {
    let error = call("run nowhere.toml").unwrap_err();
    assert!(error.chain().starts_with("cannot read the case file nowhere.toml: "), "{}", error.chain());
    assert_eq!(error.to_json()["error"]["causes"].as_array().unwrap().len(), 1);
}

#[test]
fn numbers_out_of_range_are_wrong_usage() {
    for line in [
        "convergence case.toml --levels 0",
        "convergence case.toml --levels 99999999999",
        "bench waves --orders 0..18446744073709551615",
        "bench waves --elements 0",
        "bench waves --elements 100,0",
    ] {
        assert!(matches!(call(line), Err(Error::Usage(_))), "{line}");
    }
}

#[test]
fn verify_and_bench_refuse_what_a_run_refuses() {
    let said = |arguments: &str| call(arguments).unwrap_err().to_string();
    let no_order = "waves has no generated code of order 5; there are orders 1, 2";
    assert_eq!(said("verify waves --orders 1,5 --device cpu"), no_order);
    let not_stable = said("bench waves --orders 1 --elements 50 --limiter moment --integrator rk4 --device cpu");
    assert!(not_stable.contains("`rk4` does not; take `heun`"), "{not_stable}");
    let no_picture = said("bench waves --orders 1 --elements 50 --device cpu --roofline roof.xyz");
    assert_eq!(no_picture, "roof.xyz: the name of a picture ends in .png or .svg");
}

#[test]
fn what_a_case_says_itself_is_no_argument_of_bench() {
    for (line, remedy) in [
        ("bench case.toml --elements 100", "--set mesh.refine=1"),
        ("bench cases/case.toml --single", "--set precision=single"),
        ("bench case.toml --limiter moment", "--set limiter.method=moment"),
        ("bench waves --set order=2", "give one instead of a law"),
    ] {
        let error = call(line).unwrap_err();
        assert!(matches!(error, Error::Usage(_)) && error.to_string().contains(remedy), "{line}: {error}");
    }
    // An argument that is not like a file counts as an unknown law.
    let error = call("bench wave").unwrap_err().to_string();
    assert!(error.contains("`waves`"), "{error}");
}

/// A case without an exact solution.
const CASE: &str = "law = \"waves\"\norder = 1\nparameters.depth = 1\n\
                    mesh = { generator = \"disc\", radius = 1, rings = 2 }\nboundaries.rim = \"slip_wall\"\n\
                    initial.function = \"start\"\ntime.final = 1\n";

/// The folder of meshes that Gmsh wrote.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mesh/gmsh/fixtures");

#[test]
fn a_mesh_file_is_described() {
    let report = call(&format!("mesh {FIXTURES}/quadrilaterals-2.2-text.msh")).unwrap();
    // The line between the surfaces leans by 2/5.
    let lean = 0.4_f64.atan().to_degrees();
    for part in [
        // Euler's formula: 10 - 13 + 4 = 1.
        "4 quadrilaterals, 13 faces, 10 vertices",
        "from (0, 0) to (2, 1), area 2",
        "copper: 3 elements",
        "iron: 1 element\n",
        "left: 1 face, length 1; the file offers { periodic = \"right\" }",
        "wall: 8 faces, length 4\n",
        "shape metric at least ",
        &format!("from {:.2}°, in element", 90.0 - lean),
        &format!("to {:.2}°, in element", 90.0 + lean),
        "its determinant at least ",
        "of cfl / (2p + 1) times",
    ] {
        assert!(report.text.contains(part), "{part} in\n{}", report.text);
    }
    assert!(!report.text.contains("no group") && !report.text.contains("memory"), "{}", report.text);
    let offered = report.json["boundaries"][1]["offered_period"].as_str();
    assert_eq!((offered, &report.json["run"], &report.json["problem"]), (Some("left"), &Value::Null, &Value::Null));
}

#[test]
fn a_case_is_described_with_its_curves_periods_refinements_and_what_a_run_takes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, CASE).unwrap();
    let told = |more: &str| call(&format!("mesh {} --device cpu {more}", path.display())).unwrap();
    let disc = told("");
    for part in [
        "24 triangles",
        "rim: 12 faces, length 6.2117, on the circle around (0, 0) of radius 1",
        "constant in every element",
        "waves on CPU",
        // Of three coefficients for two components.
        "144 of order 1, in double precision",
        " bytes per element",
    ] {
        assert!(disc.text.contains(part), "{part} in\n{}", disc.text);
    }
    assert_eq!((&disc.json["run"]["dof"], &disc.json["problem"]), (&json!(144), &Value::Null));
    assert_eq!(told("--set mesh.refine=2").json["elements"], 24 * 16);
    // A boundary without a condition keeps a case from running, not from being described.
    let bare = told("--set boundaries={}");
    assert!(bare.text.contains("none: ") && bare.text.contains("lacks a condition for `rim`"), "{}", bare.text);
    assert_eq!((&bare.json["run"], &bare.json["problem"]["kind"]), (&Value::Null, &json!("case")));

    let square = "mesh={generator=\"rectangle\",lower=[0,0],upper=[1,2],cells=[4,3],elements=\"quadrilaterals\"}";
    let periodic = "boundaries={left={periodic=\"right\"},top=\"slip_wall\",bottom=\"slip_wall\"}";
    let square = told(&format!("--set {square} --set {periodic}"));
    let numbers = ["elements", "faces", "vertices", "periodic_faces"].map(|key| &square.json[key]);
    assert_eq!(json!(numbers), json!([12, 28, 20, 3]), "{}", square.text);
    assert!(square.text.contains("join 3 pairs of faces\n"), "{}", square.text);

    // A right angle around a corner of a square; the law has a direction, so that nothing runs.
    let square = "mesh={generator=\"rectangle\",lower=[0,0],upper=[1,1],cells=[4,4]}";
    let turned = "boundaries={left={periodic=\"top\"},right=\"slip_wall\",bottom=\"slip_wall\"}";
    let square = told(&format!("--set {square} --set {turned}"));
    assert!(square.text.contains("join 4 pairs of faces, 4 of them turned"), "{}", square.text);
    assert!(square.text.contains("waves has no such symmetry"), "{}", square.text);
}

#[test]
fn a_mesh_is_drawn_with_all_its_boundaries() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{FIXTURES}/channel-4.1-binary.msh");
    for (name, begins) in [("a.png", &b"\x89PNG"[..]), ("a.svg", b"<svg")] {
        let out = folder.path().join(name);
        let report = call(&format!("mesh {file} --out {} --region -1,0,1.5,0.9", out.display())).unwrap();
        assert!(std::fs::read(&out).unwrap().starts_with(begins));
        assert!(report.text.ends_with(&format!("{name}\n")));
        assert_eq!(report.json["picture"], json!(out));
    }
    let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    for word in ["left", "right", "bottom", "top", "body", "ratio of radii"] {
        assert!(svg.contains(word), "{word}");
    }
}

#[test]
fn both_halves_of_a_quadrilateral_are_parts_of_the_domain() {
    let folder = tempfile::tempdir().unwrap();
    let [case, out] = ["case.toml", "a.png"].map(|name| folder.path().join(name));
    let square =
        "{ generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [1, 1], elements = \"quadrilaterals\" }";
    let disc = "{ generator = \"disc\", radius = 1, rings = 2 }";
    std::fs::write(&case, CASE.replace(disc, square).replace("boundaries.rim = \"slip_wall\"", "")).unwrap();
    for region in ["0.1,0.8,0.2,0.9", "0.8,0.1,0.9,0.2"] {
        call(&format!("mesh {} --device cpu --out {} --region {region}", case.display(), out.display())).unwrap();
    }
}

#[test]
fn what_is_no_mesh_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let [case, picture] = ["case.toml", "picture.png"].map(|name| folder.path().join(name));
    std::fs::write(&case, CASE).unwrap();
    let file = format!("{FIXTURES}/channel-4.1-binary.msh");
    call(&format!("mesh {file} --out {}", picture.display())).unwrap();
    for (line, reason) in [
        ("mesh nowhere.msh".to_owned(), "cannot read mesh file `nowhere.msh`: No such file"),
        ("mesh nowhere.toml".to_owned(), "cannot read the case file nowhere.toml"),
        (format!("mesh {}", folder.path().display()), "it is a directory, not a regular file"),
        (
            format!("mesh {}", picture.display()),
            "expected $MeshFormat of a Gmsh file in the beginning at line 1, found `\u{fffd}PNG`",
        ),
        (format!("mesh {}/channel.geo", FIXTURES), "expected $MeshFormat of a Gmsh file"),
        (format!("mesh {} --set mesh.refine=99", case.display()), "elements or vertices are more than"),
        (format!("mesh {file} --set order=1"), "--set is for a case file"),
        (format!("mesh {file} --out mesh.pdf"), "ends in .png or .svg"),
        (format!("mesh {file} --out {}/a/b.png", case.display()), "cannot write"),
        (format!("mesh {file} --out a.png --region 5,5,6,6"), "has no part of the domain"),
        (format!("mesh {file} --out a.png --region -1e308,0,1e308,1"), "larger than numbers can be"),
        (format!("mesh {file} --out a.png --region 1,0,0,1"), "to the right of and above the first"),
        (format!("mesh {file} --out a.png --region 0,0,1"), "four numbers"),
        (format!("mesh {file} --out a.png --region 0,0,nan,1"), "four numbers"),
        (format!("mesh {file} --region 0,0,1,1"), "--out"),
    ] {
        let error = call(&line).unwrap_err();
        let text = error.chain();
        assert!(text.contains(reason), "{line}: {text}");
    }
}

#[test]
fn directories_of_files_are_looked_at_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    // An impossible mesh, which would be the next mistake found.
    std::fs::write(&path, CASE.replace("rings = 2", "rings = 2, refine = 99")).unwrap();
    let error = |out: &Path, more: &str| {
        let line = format!("run {} --device cpu --out {} {more}", path.display(), out.display());
        call(&line).unwrap_err().chain()
    };
    let under_a_file = error(&path.join("out"), "");
    assert!(under_a_file.starts_with("cannot write into ") && under_a_file.contains("--out"), "{under_a_file}");
    assert!(error(&out, "--resume").contains("no checkpoint") && !out.exists());
    {
        let _other = files::claim(&out, false).unwrap();
        assert!(error(&out, "").starts_with("another run is writing into "));
        assert!(error(&out, "--resume").starts_with("another run is writing into "));
    }
    assert!(error(&out, "").contains("elements or vertices are more than"), "{}", error(&out, ""));
    assert!(!out.exists(), "a run that was refused left a directory");
}

#[test]
fn levels_beyond_the_machine_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, format!("{CASE}exact.function = \"ramp\"\n")).unwrap();
    let error = call(&format!("convergence {} --levels 30 --device cpu", path.display())).unwrap_err().chain();
    assert!(error.starts_with("30 levels are too many") && error.contains("--levels"), "{error}");
}

#[test]
fn a_courant_number_with_which_no_run_ends_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, CASE).unwrap();
    let error = |settings: &str| {
        let flags = ["", "--dry-run"];
        let line = |flag: &str| {
            format!("run {} --device cpu {flag} --out {}/o {settings}", path.display(), folder.path().display())
        };
        flags.map(|flag| call(&line(flag)).unwrap_err().chain())
    };
    for error in error("--set time.cfl=1e-300") {
        assert!(error.contains("`cfl` is to be at least 1e-9, found 1e-300"), "{error}");
    }
}

#[test]
fn a_state_to_start_from_is_looked_for_before_anything_is_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, CASE.replace("initial.function = \"start\"", "initial.from = \"nowhere\"")).unwrap();
    for flag in ["", "--dry-run"] {
        let line = format!("run {} --device cpu {flag} --out {}/o", path.display(), folder.path().display());
        // No compiler accepts the sample law's code.
        let error = call(&line).unwrap_err().chain();
        assert!(error.starts_with("there is no checkpoint in ") && error.contains("`initial.from` is"), "{error}");
    }
}

#[test]
fn a_dry_run_looks_for_the_places_of_what_a_case_measures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, CASE).unwrap();
    let dry = |settings: &str| {
        let output = folder.path().join("o");
        call(&format!("run {} --device cpu --dry-run --out {} {settings}", path.display(), output.display()))
    };
    let cut = |to: f64| format!("--set measure.lines.cut={{from=[0,0],to=[{to:?},0],points=3}}");
    assert!(dry(&cut(0.5)).is_ok(), "{}", dry(&cut(0.5)).unwrap_err().chain());
    let error = dry(&cut(1.5)).unwrap_err().chain();
    assert!(error.starts_with("--set: point 3 of the line `cut` at [1.5, 0.0] is outside of the mesh"), "{error}");

    let flux = |side: &str| {
        let square = "mesh={generator=\"rectangle\",lower=[0,0],upper=[1,1],cells=[4,4]}";
        let periodic = "boundaries={left={periodic=\"right\"},top=\"slip_wall\",bottom=\"slip_wall\"}";
        let through = format!("measure.fluxes.through.boundaries=[\"{side}\"]");
        dry(&format!("--set {square} --set {periodic} --set {through}"))
    };
    assert!(flux("top").is_ok(), "{}", flux("top").unwrap_err().chain());
    let error = flux("left").unwrap_err().chain();
    assert!(error.starts_with("the mesh has no face on `left`: a boundary that is periodic has none"), "{error}");
}

#[test]
fn convergence_needs_an_exact_solution() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, CASE).unwrap();
    let error = call(&format!("convergence {}", path.display())).unwrap_err().to_string();
    assert!(error.contains("name one in [exact]"), "{error}");
}

#[test]
fn bad_devices_and_orders_are_usage_errors() {
    for line in ["run case.toml --device gpu", "convergence case.toml --orders x..3", "bench --orders 3..1"] {
        assert!(matches!(call(line), Err(Error::Usage(_))), "{line}");
    }
    assert!(asks_for_json(&arguments("rankine run --format json")));
    assert!(asks_for_json(&arguments("rankine run --format=json")));
    assert!(!asks_for_json(&arguments("rankine run --format text")));
}

#[test]
fn a_new_crate_has_a_law_a_case_and_a_test() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my_law");
    let report = call(&format!("new {}", path.display())).unwrap();
    let read = |file: &str| std::fs::read_to_string(path.join(file)).unwrap();
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let sources = manifest["dependencies"]["dg-runtime"]["path"].as_str().unwrap();
    assert!(Path::new(sources).join("src/cli").is_dir(), "{sources}");
    assert_eq!(manifest["package"]["name"].as_str(), Some("my_law"));
    assert!(read("src/lib.rs").contains("pub mod my_law {"));
    assert!(read("src/main.rs").contains("dg_runtime::cli::main(my_law::LAWS)"));
    assert!(read("cases/my_law.toml").contains("law = \"my_law\""));
    assert!(read("tests/my_law.rs").contains("#[test]"));
    for file in report.json["files"].as_array().unwrap() {
        let text = std::fs::read_to_string(file.as_str().unwrap()).unwrap();
        assert!(!text.contains("NAME") && !text.contains("DEPENDENCY"), "{text}");
    }

    assert!(call(&format!("new {}", path.display())).unwrap_err().to_string().contains("exists already"));
    for name in ["Big", "1st", "a-b", "fn", "test", "yield", "dg_runtime", "flux/.."] {
        let error = call(&format!("new {}", folder.path().join(name).display())).unwrap_err().to_string();
        assert!(error.contains("cannot be the name"), "{name}: {error}");
        let is_taken = ["fn", "test", "yield", "dg_runtime"].contains(&name);
        assert_eq!(error.contains("means something to Rust or Cargo"), is_taken, "{name}: {error}");
    }
}
