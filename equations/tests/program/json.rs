//! What is printed with `--format json` is as `docs/json.schema.json` says.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [4, 4] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
time = { final = 0.1 }
"#;

/// A case whose mesh has boundaries, with a state that is given for one, and without an exact solution.
const ROOM: &str = r#"
law = "advection"
order = 1
mesh = { generator = "disc", radius = 1.0, rings = 2 }
boundaries.rim.state.u = "0"
initial.formulas.u = "1"
time.steady = 1e9
limiter.method = "moment"
"#;

/// The schema; what it consists of is known to [`check`].
fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Checks a value against a part of the schema: the keywords of JSON Schema that ours uses, with their meaning there. An error
/// says where the value is wrong.
fn check(root: &Value, part: &Value, value: &Value, at: &str) -> Result<(), String> {
    let known =
        ["$ref", "description", "type", "enum", "anyOf", "items", "properties", "required", "additionalProperties"];
    let part = part.as_object().unwrap();
    assert!(part.keys().all(|key| known.contains(&key.as_str())), "unknown keyword in {part:?}");
    if let Some(reference) = part.get("$ref") {
        let part = root.pointer(reference.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
        check(root, part, value, at)?;
    }
    if let Some(types) = part.get("type") {
        let types = types.as_array().cloned().unwrap_or_else(|| vec![types.clone()]);
        let is = |kind: &Value| match kind.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("unknown type {other}"),
        };
        if !types.iter().any(is) {
            return Err(format!("{at} is {value}, and not of the type {types:?}"));
        }
    }
    if part.get("enum").is_some_and(|words| !words.as_array().unwrap().contains(value)) {
        return Err(format!("{at} is {value}"));
    }
    if let Some(choices) = part.get("anyOf") {
        let errors = choices.as_array().unwrap().iter().map(|choice| check(root, choice, value, at));
        let errors: Result<Vec<String>, ()> = errors.map(|result| result.err().ok_or(())).collect();
        if let Ok(errors) = errors {
            return Err(errors.join(" and "));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        part.get("items").map_or(Ok(()), |items| check(root, items, item, &format!("{at}[{index}]")))?;
    }
    let required = part.get("required").and_then(Value::as_array);
    if let Some(key) = required.into_iter().flatten().find(|key| value.get(key.as_str().unwrap()).is_none()) {
        return Err(format!("{at} lacks {key}"));
    }
    for (key, item) in value.as_object().into_iter().flatten() {
        match part.get("properties").and_then(|properties| properties.get(key)) {
            Some(property) => check(root, property, item, &format!("{at}.{key}"))?,
            None if part.get("additionalProperties") == Some(&Value::Bool(false)) => {
                return Err(format!("{at} has `{key}`, of which the schema does not know"));
            }
            None => {}
        }
    }
    Ok(())
}

#[test]
fn what_is_printed_is_what_the_schema_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, text) in [("case.toml", CASE), ("room.toml", ROOM)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mesh = "../dg-runtime/src/mesh/gmsh/fixtures/quadrilaterals-4.1-text.msh";
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(mesh), folder.join("quadrilaterals.msh")).unwrap();
    let schema = schema();
    let mut defined: Vec<&str> =
        schema["anyOf"].as_array().unwrap().iter().map(|r| r["$ref"].as_str().unwrap()).collect();
    for (name, arguments) in [
        ("dry_run", "run case.toml --dry-run"),
        ("dry_run", "run room.toml --dry-run"),
        // A history with lines to plot.
        ("run", "run case.toml --set output.history_every=1"),
        ("run", "run room.toml"),
        ("plot", "plot out/case"),
        ("convergence", "convergence case.toml --orders 1 --levels 2"),
        ("mesh", "mesh case.toml"),
        ("mesh", "mesh room.toml --out room.png --region -0.5,-0.5,0.5,0.5"),
        ("mesh", "mesh room.toml --set boundaries={}"),
        ("mesh", "mesh quadrilaterals.msh --out quadrilaterals.svg"),
        ("kernels", "kernels advection -p 1"),
        ("kernels", "kernels advection -p 1 --out kernels"),
        ("laws", "laws"),
        ("describe", "describe euler"),
        ("describe", "describe mhd"),
        ("verify", "verify advection --orders 1"),
        ("bench", "bench advection --orders 1 --elements 100 --limiter moment --explain"),
        ("bench", "bench room.toml --orders 1 --set mesh.rings=3"),
        ("run", "run case.toml --set time.final=0.2 --out knows_the_floor"),
        ("new", "new my_law"),
        ("completions", "completions zsh"),
        ("man", "man"),
        ("man", "man --out pages"),
        ("version", "--version"),
        ("help", "help"),
        ("help", "bench --help"),
        ("error", ""),
        ("error", "run case.toml --ordr 2"),
        ("error", "run case.toml --set time.fnal=2"),
        ("error", "run case.toml --order 2"),
        ("error", "run nowhere.toml"),
        ("error", "run case.toml --resume --out elsewhere"),
        ("error", "run room.toml --set mesh.refine=30"),
        ("error", "mesh room.png"),
        ("error", "mesh nowhere.msh"),
        ("error", "convergence room.toml"),
        ("error", "bench room.toml --elements 100"),
        ("error", "bench advection --set order=1"),
        ("error", "describe eulr"),
        ("error", "verify --device cuda:99"),
        ("error", "new my_law"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankine"));
        command.current_dir(folder).env("RANKINE_CACHE", folder.join("cache")).args(["--format", "json"]);
        command.args(arguments.split_whitespace());
        if ["run", "convergence", "bench"].iter().any(|name| arguments.starts_with(name)) {
            command.args(["--device", "cpu"]);
        }
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), 1, "{arguments}: {text}");
        let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments}: {error}: {text}"));
        let definition = &schema["$defs"][name];
        check(&schema, definition, &value, name).unwrap_or_else(|error| panic!("{arguments}: {error}"));
        assert_eq!(output.status.success(), name != "error", "{arguments}");
        defined.retain(|reference| *reference != format!("#/$defs/{name}"));
    }
    assert!(defined.is_empty(), "not tried: {defined:?}");
}

#[test]
fn an_error_in_a_mesh_has_its_file_its_line_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 nan 0\n$EndNodes\n\
                $Elements\n1\n1 2 0 1 2 3\n$EndElements\n";
    std::fs::write(folder.path().join("bad.msh"), mesh).unwrap();
    std::fs::write(folder.path().join("case.toml"), CASE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankine"));
    command.current_dir(folder.path()).args(["--format", "json", "run", "case.toml", "--dry-run"]);
    let output = command.args(["--set", "mesh={ file = \"bad.msh\" }"]).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let error = ["kind", "file", "line", "remedy"].map(|key| &answer["error"][key]);
    assert_eq!(serde_json::json!(error), serde_json::json!(["mesh", "bad.msh", 8, "write the mesh again"]), "{answer}");
}

#[test]
fn a_wrong_object_is_noticed() {
    let schema = schema();
    let right = serde_json::json!({ "laws": [{ "name": "a", "title": "b", "dim": 2, "orders": [1] }] });
    let checked = |value: &Value| check(&schema, &schema["$defs"]["laws"], value, "laws");
    assert_eq!(checked(&right), Ok(()));
    for (pointer, wrong) in
        [("/laws/0/dim", serde_json::json!(2.5)), ("/laws/0/orders/0", "1".into()), ("/laws", Value::Null)]
    {
        let mut value = right.clone();
        *value.pointer_mut(pointer).unwrap() = wrong;
        assert!(checked(&value).is_err(), "{value}");
    }
    let mut value = right.clone();
    value["laws"][0]["more"] = Value::Null;
    assert!(checked(&value).is_err());
    value = right;
    value["laws"][0].as_object_mut().unwrap().remove("name");
    assert!(checked(&value).is_err());
}
