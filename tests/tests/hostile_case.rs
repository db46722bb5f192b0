//! Case files with random mistakes: each is a case or a mistake with its place, soon and without a panic.
//!
//! A token is deleted, doubled, repeated, exchanged or replaced, and of what is still a case all is made that comes before the
//! kernels are compiled. `RANKINE_HOSTILE_SECONDS` says for how long, `RANKINE_HOSTILE_SEED` from which number on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dg_runtime::case::{Case, CaseError, MeshOrigin};
use dg_runtime::device::{Choice, Device};
use dg_runtime::solver::Plan;
use fastrand::Rng;

/// How long one case may take, on a machine that has other things to do.
const LONGEST: Duration = Duration::from_secs(10);

/// Larger meshes are what a user asked for, and take what they take.
const MOST_ELEMENTS: f64 = 3_000.0;

/// The cases that come with Rankine, and the one of the documents that has every key.
fn corpus() -> Vec<(PathBuf, String)> {
    let folder = tests::root().join("equations/cases");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let cases = entries.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut corpus: Vec<_> = cases.map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect();
    corpus.sort();
    let document = std::fs::read_to_string(tests::root().join("docs/cases.md")).unwrap();
    let block = document.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    corpus.push((folder.join("documented.toml"), block.to_owned()));
    corpus
}

/// Words, numbers, single signs, and the spaces between them.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '.' => 0,
        ' ' => 1,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |(_, c): &(usize, char)| kind(*c) == kind(first) && kind(first) < 2;
        let end = rest.char_indices().skip(1).find(|next| !same(next)).map_or(rest.len(), |(end, _)| end);
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// What keys and formulas may not expect.
const TOKENS: [&str; 32] = [
    "0",
    "-1",
    "1e308",
    "1e-320",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "9223372036854775807",
    "18446744073709551616",
    "0x7fffffff",
    "1.5",
    "true",
    "\"\"",
    "[]",
    "{}",
    "[[]]",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "=",
    ",",
    "\n",
    "#",
    "^",
    "-",
    "if(",
    "é",
];

/// The case with one to four mistakes.
fn mutant(text: &str, corpus: &[(PathBuf, String)], random: &mut Rng) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    for _ in 0..random.usize(1..5) {
        let at = random.usize(..tokens.len());
        match random.u8(..8) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => tokens.swap(at, random.usize(..text.len()) % at.max(1)),
            3 => tokens[at] = tokens[at].repeat(random.usize(2..3000)),
            4 => tokens[at] = (*random.choice(&TOKENS).unwrap()).to_owned(),
            5 => {
                let other = self::tokens(&random.choice(corpus).unwrap().1);
                tokens[at] = (*random.choice(&other).unwrap()).to_owned();
            }
            6 => {
                let other = random.choice(corpus).unwrap().1.lines().collect::<Vec<_>>();
                tokens.insert(at, format!("\n{}\n", random.choice(&other).unwrap()));
            }
            // A token where its like stands.
            _ => {
                let alike =
                    |token: &&String| token.as_bytes()[0].is_ascii_digit() == tokens[at].as_bytes()[0].is_ascii_digit();
                tokens[at] = random.choice(tokens.iter().filter(alike).collect::<Vec<_>>()).unwrap().clone();
            }
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// Makes of a case what a run makes of it before it compiles.
fn prepare(case: &Case, device: &Device) -> bool {
    let _ = (case.identity().to_string(), case.cfl());
    let coarse = match &case.mesh.origin {
        MeshOrigin::File(_) => 0.0,
        MeshOrigin::Rectangle(rectangle) => rectangle.element_count(),
        MeshOrigin::QuarterAnnulus(annulus) => annulus.element_count(),
        MeshOrigin::Disc(disc) => disc.element_count(),
        MeshOrigin::ForwardStep(channel) => channel.element_count(),
    };
    if case.mesh.refine > 8 || coarse * 4f64.powi(case.mesh.refine as i32) > MOST_ELEMENTS {
        return false;
    }
    let plan = || -> Result<Plan, Box<dyn std::error::Error>> {
        let mesh = case.build_mesh()?;
        let setup = case.setup(&mesh)?;
        Ok(Plan::new(device, &mesh, &setup)?)
    };
    plan().inspect_err(|error| assert!((1..10_000).contains(&error.to_string().len()))).is_ok()
}

fn from_environment<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("{name} = {value}")))
}

#[test]
fn mutated_cases_are_cases_or_mistakes_with_their_place() {
    let corpus = corpus();
    let device = Device::open(Choice::Cpu).unwrap();
    let seconds: f64 = from_environment("RANKINE_HOSTILE_SECONDS", 4.0);
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    let (mut tried, mut cases, mut prepared) = (0, 0, 0);
    for seed in from_environment::<u64>("RANKINE_HOSTILE_SEED", 0).. {
        if start.elapsed().as_secs_f64() > seconds {
            break;
        }
        let mut random = Rng::with_seed(seed);
        let (path, text) = random.choice(&corpus).unwrap();
        let text = mutant(text, &corpus, &mut random);
        let one = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| match Case::parse(&text, path, equations::LAWS) {
            Ok(case) => (1, u64::from(prepare(&case, &device))),
            Err(error) => {
                check_mistake(&error, &text);
                (0, 0)
            }
        }));
        let name = || format!("RANKINE_HOSTILE_SEED={seed}, {}:\n{text}", path.display());
        let (case, ready) = result.unwrap_or_else(|_| panic!("a panic: {}", name()));
        (tried, cases, prepared) = (tried + 1, cases + case, prepared + ready);
        longest = longest.max(one.elapsed());
        assert!(one.elapsed() < LONGEST, "took {:?}: {}", one.elapsed(), name());
    }
    println!("{tried} cases: {cases} were sound, {prepared} ready to run, no panic; the slowest took {longest:.1?}");
    assert!(prepared > 0 && cases < tried);
}

/// A mistake is in the text, and its message shows no more than a line of it.
fn check_mistake(error: &CaseError, text: &str) {
    let CaseError::Mistake(mistake) = error else { panic!("not a mistake in the text: {error}") };
    let lines = text.lines().count().max(1);
    assert!((1..=lines + 1).contains(&mistake.line), "line {} of {lines}", mistake.line);
    assert!(mistake.column >= 1 && !mistake.message.is_empty());
    let shown = error.to_string();
    assert!(shown.lines().count() >= 4 && shown.len() < 10_000, "{shown}");
}

/// Nesting and lengths that would exhaust a stack, or a reader.
#[test]
fn depth_and_length_exhaust_nothing() {
    const MANY: usize = 100_000;
    let path = Path::new("case.toml");
    let good = r#"
        law = "advection"
        order = 1
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }
        time = { final = 1 }
        initial = { formulas = { u = "FORMULA" } }
    "#;
    let parse = |text: &str| Case::parse(text, path, equations::LAWS);
    assert!(parse(&good.replace("FORMULA", "x")).is_ok());
    let repeat = |part: &str, end: &str| part.repeat(MANY) + end;
    for formula in [
        repeat("(", "x"),
        repeat("-", "x"),
        repeat("x^", "x"),
        repeat("x+", "x"),
        repeat("x*", "x"),
        repeat("if(x,", "x"),
        repeat("sin(", "x"),
        repeat("x<", "x"),
        repeat("1", ""),
        repeat(" ", "x"),
    ] {
        if let Err(error) = parse(&good.replace("FORMULA", &formula)) {
            check_mistake(&error, &good.replace("FORMULA", &formula));
        }
    }
    for text in [
        repeat("a = [", ""),
        repeat("a = {", ""),
        repeat("a = {b = ", ""),
        repeat("[", ""),
        repeat("a.", "b = 1"),
        repeat("[[a]]\n", ""),
        repeat("order", " = 1"),
        format!("law = \"{}\"", repeat("euler", "")),
        good.replace("order = 1", &format!("order = {}", repeat("1", ""))),
        good.replace("final = 1", &format!("final = -{}", repeat("1", ".0"))),
        good.replace("left", &repeat("left", "")).replace("FORMULA", "x") + "exact = 1",
    ] {
        let start = Instant::now();
        check_mistake(&parse(&text).unwrap_err(), &text);
        assert!(start.elapsed() < LONGEST);
    }
}
