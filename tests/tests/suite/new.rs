//! The crate that `rankine new` makes builds without warnings, and its test passes.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "long"]
fn a_new_crate_passes_its_test() {
    let _alone = tests::one_build();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my_law");
    let arguments = [OsString::from("rankine"), "new".into(), path.clone().into()];
    dg_runtime::cli::run(&arguments, equations::LAWS).unwrap();

    // Nothing is downloaded, and little is compiled.
    tests::join_workspace(&path);
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--tests"])
        .current_dir(&path)
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    assert!(out.contains("test the_error_falls_with_the_power_p_plus_1_of_the_mesh_size ... ok"), "{out}{err}");
    assert!(!err.contains("warning"), "{err}");
}
