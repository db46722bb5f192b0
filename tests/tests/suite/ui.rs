//! Every file of `ui/` contains a law with one mistake, which gives the file its name; the `.stderr` next to it contains exactly
//! rustc's output. `UPDATE_UI=1 cargo test -p tests ui::` rewrites them.
//!
//! All are built as binaries of one separate package, in the target directory of the workspace and with its profiles
//! and lock file: so the compiled dependencies, Symbolica above all, are not built a second time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[test]
fn one_mistake_gives_one_message() {
    let _alone = tests::one_build();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let mut laws: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    laws.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    laws.sort();
    let printed = build(&package(&laws), &folder);

    let mut failures = String::new();
    for law in &laws {
        let name = stem(law);
        let found = printed.get(&name).map_or("", String::as_str);
        let expected_at = law.with_extension("stderr");
        if std::env::var_os("UPDATE_UI").is_some() {
            std::fs::write(&expected_at, found).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&expected_at).unwrap_or_default();
        if found != expected {
            let _ = write!(failures, "---- {name}: expected\n{expected}---- found\n{found}\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Writes the package, and returns its folder.
fn package(laws: &[PathBuf]) -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let runtime = workspace.join("dg-runtime");
    let mut manifest = format!(
        "[package]\nname = \"ui\"\nversion = \"0.0.0\"\nedition = \"2024\"\nautobins = false\n\n\
         [dependencies]\ndg-runtime = {{ path = {runtime:?} }}\n\n"
    );
    for law in laws {
        let _ = write!(manifest, "[[bin]]\nname = {:?}\npath = {law:?}\n\n", stem(law));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui/package");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    tests::join_workspace(&folder);
    folder
}

/// Builds the package, and returns rustc's output for each binary.
fn build(package: &Path, ui: &Path) -> BTreeMap<String, String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--keep-going", "--message-format=json", "--profile", profile, "--target-dir"])
        .arg(target)
        .current_dir(package)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    // Lines that Symbolica prints at its start stand between cargo's.
    let messages: Vec<Value> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(!messages.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut printed = BTreeMap::<String, String>::new();
    for message in messages.iter().filter(|message| message["reason"] == "compiler-message") {
        // The summaries at the end have no place in the source.
        if message["message"]["spans"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let target = message["target"]["name"].as_str().unwrap();
        let rendered = message["message"]["rendered"].as_str().unwrap();
        printed.entry(target.to_owned()).or_default().push_str(&rendered.replace(&format!("{}/", ui.display()), ""));
    }
    printed
}
