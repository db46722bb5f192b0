//! Symbolica without a licence allows one thread per user: laws that are checked at the same time take turns. An unchanged law
//! is not checked again.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, SystemTime};

/// The longest silence of a build: while others use the algebra, or while the test locks it.
const LONG: Duration = Duration::from_secs(600);
const SHORT: Duration = Duration::from_secs(90);

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

/// A package of two crates with laws, with a shared target directory; returns its folder.
fn package() -> PathBuf {
    let workspace = tests::root();
    let manifest = format!(
        "[package]\nname = \"at_once\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ndg-runtime = {{ path = {:?} }}\n",
        workspace.join("dg-runtime")
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("at_once/package");
    std::fs::create_dir_all(folder.join("src/bin")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    tests::join_workspace(&folder);
    folder
}

/// Writes two new laws, which nobody has checked before.
fn write_new_laws(package: &Path) {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
    for (name, whole) in [("one", 1), ("other", 2)] {
        let law = LAW.replace("SPEED", &format!("{whole}.{time}"));
        std::fs::write(package.join(format!("src/bin/{name}.rs")), law).unwrap();
    }
}

/// Starts a new build of both crates at the same time.
fn start_build(package: &Path) -> Child {
    for name in ["one", "other"] {
        let source = File::options().append(true).open(package.join(format!("src/bin/{name}.rs"))).unwrap();
        source.set_modified(SystemTime::now()).unwrap();
    }
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    Command::new(env!("CARGO"))
        .args(["build", "--offline", "--jobs", "2", "--profile", profile, "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .current_dir(package)
        .env_remove("RUSTFLAGS")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for a build to succeed, after some lines of its standard error have been read.
fn assert_built(mut build: Child, lines: impl Iterator<Item = String>, read: &str) {
    let rest: Vec<_> = lines.collect();
    assert!(build.wait().unwrap().success(), "{read}\n{}", rest.join("\n"));
}

/// The lines of a build's standard error.
///
/// # Panics
/// If the build is silent for that long: another build in the same target directory may wait for the lock that the test holds, as this
/// one waits for that directory.
fn lines(build: &mut Child, patience: Duration) -> impl Iterator<Item = String> + use<> {
    let (sender, receiver) = mpsc::channel();
    let lines = BufReader::new(build.stderr.take().unwrap()).lines();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
    std::iter::from_fn(move || match receiver.recv_timeout(patience) {
        Ok(line) => Some(line),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => panic!("nothing said for {patience:?}; does another cargo build here?"),
    })
}

#[test]
#[ignore = "long"]
fn laws_of_two_crates_are_expanded_at_once_and_wait_for_a_lock_that_is_held() {
    let _alone = tests::one_build();
    let package = package();
    write_new_laws(&package);
    let mut build = start_build(&package);
    let said = lines(&mut build, LONG);
    assert_built(build, said, "");

    // Opening the algebra for a moment creates its lock file.
    templates::algebra::session("none", || ()).unwrap();
    let lock = std::env::home_dir().unwrap().join(".cache/rankine/algebra.lock");
    let lock = File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    // The laws are unchanged: the algebra is not needed.
    let mut build = start_build(&package);
    let said: Vec<_> = lines(&mut build, SHORT).collect();
    assert!(!said.iter().any(|line| line.contains("waiting for another check")), "{said:?}");
    assert_built(build, said.into_iter(), "");

    write_new_laws(&package);
    let mut build = start_build(&package);
    let mut said = lines(&mut build, SHORT);
    // A build that does not wait ends without this message, and the lock is not released before it.
    let waits = said.find(|line| line.contains("waiting for another check of a law to finish"));
    let waits = waits.expect("the build did not wait for the lock");
    assert!(build.try_wait().unwrap().is_none(), "the build ended while the lock was held");
    drop(lock);
    assert_built(build, said, &waits);
}

/// Dependencies that the attribute and the tests share must have the same features for both, or Symbolica is built twice.
#[test]
fn no_dependency_is_built_twice() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--duplicates", "--offline", "--depth", "0"])
        .current_dir(tests::root())
        .output()
        .unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Several versions of a package are beyond our control.
    let mut packages: Vec<_> =
        listed.lines().filter(|line| !line.is_empty()).map(|line| line.trim_end_matches(" (*)")).collect();
    packages.sort_unstable();
    for pair in packages.windows(2) {
        assert_ne!(
            pair[0], pair[1],
            "with different features: give dg-macros those that the runtime's dependencies ask for"
        );
    }
}
