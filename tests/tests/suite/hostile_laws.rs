//! Laws with random mistakes are refused or compiled: the attribute never panics and never hangs.
//!
//! A token of a valid law is deleted, doubled, exchanged with the next or replaced by another one of the law, and the result is
//! built as a library. Every test run spends some seconds on it; `RANKINE_HOSTILE_SECONDS` sets how long.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr as _;
use std::time::{Duration, Instant};

use fastrand::Rng;
use proc_macro2::{Group, TokenStream, TokenTree};

/// Laws to be changed, each a file that a user could have written.
const LAWS: [&str; 2] = [include_str!("hostile_laws/shallow.rs"), include_str!("hostile_laws/acoustics.rs")];

/// Number of laws built at once.
const AT_ONCE: usize = 12;

/// The longest time for building that many, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Signs of a defect of the compiler in rustc's output.
const DEFECTS: [&str; 4] = ["panicked", "defect of the compiler", "internal compiler error", "SIG"];

#[test]
#[ignore = "long"]
fn mutated_laws_are_refused_or_compiled() {
    let _alone = tests::one_build();
    let seconds = std::env::var("RANKINE_HOSTILE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let (start, mut tried) = (Instant::now(), 0);
    let said = build(&package(&LAWS.map(str::to_owned)));
    assert!(!said.lines().any(|line| line.starts_with("error")), "{said}");
    let mut rng = Rng::with_seed(7);
    while tried == 0 || start.elapsed().as_secs_f64() < seconds {
        let laws: Vec<String> = (0..AT_ONCE).map(|i| mutant(LAWS[i % LAWS.len()], &mut rng)).collect();
        let said = build(&package(&laws));
        let defect = DEFECTS.iter().find(|defect| said.contains(**defect));
        assert!(defect.is_none(), "{said}\nof\n{}", laws.join("\n\n"));
        tried += laws.len();
    }
    println!("{tried} laws tried");
}

/// A law with one token changed.
fn mutant(law: &str, rng: &mut Rng) -> String {
    let stream = TokenStream::from_str(law).unwrap();
    let mut leaves = Vec::new();
    collect(&stream, &mut leaves);
    let at = rng.usize(..leaves.len());
    // Mostly a name replaces a name, and an operator an operator: rustc alone refuses text that is no Rust.
    let alike: Vec<_> = leaves.iter().filter(|leaf| kind(leaf) == kind(&leaves[at])).collect();
    let (other, what) = (alike[rng.usize(..alike.len())].clone(), rng.usize(..12));
    changed(stream, &mut 0, &|index, leaf| match what {
        _ if index != at && !(what == 2 && index == at + 1) => vec![leaf],
        0 => Vec::new(),
        1 => vec![leaf.clone(), leaf],
        2 if index == at => leaves.get(at + 1).cloned().into_iter().collect(),
        2 => vec![leaves[at].clone()],
        _ => vec![other.clone()],
    })
    .to_string()
}

/// The kind of a token.
fn kind(leaf: &TokenTree) -> u8 {
    match leaf {
        TokenTree::Ident(_) | TokenTree::Literal(_) => 0,
        TokenTree::Punct(punct) if "+-*/".contains(punct.as_char()) => 1,
        _ => 2,
    }
}

/// All tokens except the brackets of groups, in order.
fn collect(stream: &TokenStream, leaves: &mut Vec<TokenTree>) {
    for tree in stream.clone() {
        match tree {
            TokenTree::Group(group) => collect(&group.stream(), leaves),
            leaf => leaves.push(leaf),
        }
    }
}

/// The same tokens, with each except brackets replaced by the result of `change` for its number and itself.
fn changed(stream: TokenStream, next: &mut usize, change: &dyn Fn(usize, TokenTree) -> Vec<TokenTree>) -> TokenStream {
    let mut trees = Vec::new();
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let inner = changed(group.stream(), next, change);
                trees.push(TokenTree::Group(Group::new(group.delimiter(), inner)));
            }
            leaf => {
                trees.extend(change(*next, leaf));
                *next += 1;
            }
        }
    }
    trees.into_iter().collect()
}

/// A package with each law as a library, which is not linked; returns its folder.
fn package(laws: &[String]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile_laws/package");
    // Laws of an earlier build are removed.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/lib.rs"), "").unwrap();
    let runtime = tests::root().join("dg-runtime");
    let mut manifest = format!(
        "[package]\nname = \"hostile_laws\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ndg-runtime = {{ path = {runtime:?} }}\n\n"
    );
    for (i, law) in laws.iter().enumerate() {
        manifest
            .push_str(&format!("[[example]]\nname = \"law_{i}\"\npath = \"law_{i}.rs\"\ncrate-type = [\"lib\"]\n\n"));
        std::fs::write(folder.join(format!("law_{i}.rs")), law).unwrap();
    }
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    tests::join_workspace(&folder);
    folder
}

/// Builds the package with the dependencies that the tests were built with, and returns rustc's output.
fn build(package: &Path) -> String {
    let said = package.join("said");
    let mut cargo = Command::new(env!("CARGO"))
        .args(["build", "--examples", "--offline", "--keep-going", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .current_dir(package)
        .env_remove("RUSTFLAGS")
        .env("CARGO_TERM_COLOR", "never")
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&said).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while cargo.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            cargo.kill().unwrap();
            panic!("a law keeps the compiler busy for {PATIENCE:?}; the laws are in {}", package.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::read_to_string(said).unwrap()
}
