//! Symbolica without a licence allows one thread per user: laws that are expanded at the same time take turns.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long the lock is held against a build.
const HELD: Duration = Duration::from_secs(2);

/// A crate with a law.
const LAW: &str = "
#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod carried {
    #[state]
    pub struct State { pub u: f64 }
    pub fn flux(u: State) -> [State; 2] { [State { u: SPEED * u.u }, State { u: 0.5 * u.u }] }
    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] { [SPEED * n.x + 0.5 * n.y] }
}
fn main() { assert_eq!(carried::LAW.units.len(), 1); }
";

/// A package of two crates with laws that share what is built for the workspace; its folder.
fn package() -> PathBuf {
    let workspace = tests::root();
    let manifest = format!(
        "[package]\nname = \"at_once\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ndg-runtime = {{ path = {:?} }}\n",
        workspace.join("dg-runtime")
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("at_once");
    std::fs::create_dir_all(folder.join("src/bin")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    tests::share_dependencies(&folder);
    for (name, speed) in [("one", "1.0"), ("other", "2.0")] {
        std::fs::write(folder.join(format!("src/bin/{name}.rs")), LAW.replace("SPEED", speed)).unwrap();
    }
    folder
}

/// Starts to build both crates anew, at the same time.
fn start_build(package: &Path) -> Child {
    for name in ["one", "other"] {
        let source = File::options().append(true).open(package.join(format!("src/bin/{name}.rs"))).unwrap();
        source.set_modified(std::time::SystemTime::now()).unwrap();
    }
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    Command::new(env!("CARGO"))
        .args(["build", "--offline", "--jobs", "2", "--profile", profile, "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .current_dir(package)
        .env_remove("RUSTFLAGS")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn assert_built(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn laws_of_two_crates_are_expanded_at_once_and_wait_for_a_lock_that_is_held() {
    let package = package();
    assert_built(&start_build(&package).wait_with_output().unwrap());

    // Opening the algebra for a moment makes sure that its lock file is there.
    templates::algebra::session(|| ()).unwrap();
    let lock = std::env::home_dir().unwrap().join(".cache/rankine/algebra.lock");
    let lock = File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    let start = Instant::now();
    let build = start_build(&package);
    std::thread::sleep(HELD);
    drop(lock);
    assert_built(&build.wait_with_output().unwrap());
    println!("built in {:.1} s, for {HELD:?} of which the lock was held", start.elapsed().as_secs_f64());
}
