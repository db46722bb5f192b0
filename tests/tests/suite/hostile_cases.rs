//! Malicious or careless case files: whatever a case file or a setting contains, the reader soon returns a case or an error with
//! its place.
//!
//! `RANKINE_HOSTILE_SECONDS` sets how long mutations are tried, and `RANKINE_HOSTILE_SEED` the first seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use dg_runtime::case::{Case, CaseError, MeshOrigin};
use dg_runtime::law::Shape;
use fastrand::Rng;

/// The longest time for one case, on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// The most elements of a mesh that is built.
const ELEMENTS: f64 = 500.0;

/// The outcomes of all trials.
#[derive(Debug, Default)]
struct Counts {
    tried: usize,
    cases: usize,
    mistakes: usize,
    other_errors: usize,
    longest: Duration,
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("{name} = {value}")))
}

/// The cases that come with Rankine.
fn corpus() -> Vec<String> {
    let folder = std::fs::read_dir(tests::root().join("equations/cases")).unwrap();
    let paths = folder.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    paths.sort();
    assert!(paths.len() >= 10);
    paths.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Values and fragments that readers may get wrong.
const PIECES: [&str; 44] = [
    "0",
    "-1",
    "1",
    "2",
    "7",
    "8",
    "-0.0",
    "1e308",
    "-1e-308",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "0x7fffffffffffffff",
    "9223372036854775808",
    "18446744073709551616",
    "1_0",
    "true",
    "\"\"",
    "\"x\"",
    "\"\\u0000\"",
    "'t'",
    "[]",
    "[1]",
    "[1, 2]",
    "[[1, 2], 3]",
    "{}",
    "{ x = 1 }",
    "{ periodic = \"left\" }",
    "{ state = { u = \"x\" } }",
    "1979-05-27",
    "\"1/0\"",
    "\"x^x^x^x\"",
    "\"if(\"",
    "\"((((((((((x\"",
    "\"t\"",
    "\"euler\"",
    "\"mhd\"",
    "\"slip_wall\"",
    "\"rectangle\"",
    "\"disc\"",
    "\"moment\"",
    "\"moon\u{301}\u{202e}\"",
    "\"/dev/null\"",
];

/// Settings that apply to most cases.
const SETTINGS: [&str; 8] = [
    "order=2",
    "time.final=0.5",
    "time.cfl = 0.1",
    "time.integrator=heun",
    "precision=single",
    "output.vtu=false",
    "output={ directory = \"x\" }",
    "mesh.refine=0",
];

/// The places of the words, numbers, strings and signs of a text.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let is_word = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    for (at, c) in text.char_indices() {
        let goes_on = text[start..at].chars().next_back().is_some_and(|before| is_word(before) && is_word(c));
        if !goes_on && at > start {
            tokens.push(start..at);
            start = at;
        }
    }
    tokens.push(start..text.len());
    tokens.retain(|token| !text[token.clone()].trim().is_empty());
    tokens
}

/// Makes one change to a text.
fn mutate(text: &mut String, corpus: &[String], random: &mut Rng) {
    let other = random.choice(corpus).unwrap();
    let tokens = tokens(text);
    let (Some(one), Some(two)) = (random.choice(&tokens).cloned(), random.choice(&tokens).cloned()) else {
        text.push_str(other);
        return;
    };
    match random.u8(..9) {
        0 | 1 => text.replace_range(one, random.choice(PIECES).unwrap()),
        2 => {
            let word = text[two].to_owned();
            text.replace_range(one, &word);
        }
        3 => text.replace_range(one, ""),
        4 => {
            let other_tokens = self::tokens(other);
            text.replace_range(one, &other[random.choice(&other_tokens).unwrap().clone()]);
        }
        5 => {
            let line = random.choice(&other.lines().collect::<Vec<_>>()).unwrap().to_string();
            text.insert_str(text[..one.start].rfind('\n').map_or(0, |end| end + 1), &(line + "\n"));
        }
        6 => {
            let c = char::from_u32(random.u32(..0x300)).unwrap_or('\u{feff}');
            text.insert(one.start, c);
        }
        7 => text.truncate(one.start),
        _ => {
            let (first, second) = (one.start.min(two.start), one.end.max(two.end));
            let part = text[first..second].chars().take(200).collect::<String>();
            text.insert_str(one.end, &part);
        }
    }
}

/// Reads a case and continues as a run does up to the computation.
fn try_case(read: impl Fn() -> Result<Case, CaseError>, name: &dyn Fn() -> String, counts: &mut Counts) {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let case = read()?;
        case.identity(&[Shape::Triangle]);
        let elements = match &case.mesh.origin {
            MeshOrigin::File(_) => 0.0,
            MeshOrigin::Rectangle(mesh) => mesh.element_count(),
            MeshOrigin::QuarterAnnulus(mesh) => mesh.element_count(),
            MeshOrigin::Disc(mesh) => mesh.element_count(),
            MeshOrigin::ForwardStep(mesh) => mesh.element_count(),
            MeshOrigin::Block(mesh) => mesh.element_count(),
        };
        let refined = elements * 4f64.powi(i32::try_from(case.mesh.refine).unwrap_or(i32::MAX));
        // Meshes too large for any machine are refused; merely large ones take long.
        if !(ELEMENTS..=1e12).contains(&refined) {
            case.setup(&case.build_mesh()?)?;
        }
        Ok(())
    }));
    counts.tried += 1;
    match result.unwrap_or_else(|_| panic!("{}: the reader panicked", name())) {
        Ok(()) => counts.cases += 1,
        Err(CaseError::Mistake(mistake)) => {
            counts.mistakes += 1;
            let shown = mistake.to_string();
            assert!(mistake.line >= 1 && mistake.column >= 1 && mistake.width >= 1, "{}: {shown}", name());
            assert!(mistake.column <= mistake.text.chars().count() + 1, "{}: {shown}", name());
            assert!((20..20_000).contains(&shown.len()), "{}: {shown}", name());
        }
        Err(error) => {
            counts.other_errors += 1;
            assert!(!error.to_string().is_empty(), "{}", name());
        }
    }
    counts.longest = counts.longest.max(start.elapsed());
    assert!(start.elapsed() < LONGEST, "{}: took {:?}", name(), start.elapsed());
}

#[test]
#[ignore = "long"]
fn whatever_a_case_says_it_is_one_or_an_error_with_its_place() {
    let corpus = corpus();
    let path = &tests::root().join("equations/cases/case.toml");
    let (seconds, first) =
        (from_environment("RANKINE_HOSTILE_SECONDS", 4), from_environment("RANKINE_HOSTILE_SEED", 0));
    let mut counts = Counts::default();
    for text in &corpus {
        try_case(|| Case::parse(text, path, equations::LAWS), &|| text.clone(), &mut counts);
        assert_eq!(
            counts.cases,
            counts.tried,
            "{text}\nis wrong itself: {:?}",
            Case::parse(text, path, equations::LAWS).err()
        );
    }
    let start = Instant::now();
    let mut seed = first;
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut random = Rng::with_seed(seed);
        let mut text = random.choice(&corpus).unwrap().clone();
        for _ in 0..random.usize(1..4) {
            mutate(&mut text, &corpus, &mut random);
        }
        let name = || format!("RANKINE_HOSTILE_SEED={seed}\n{text}");
        try_case(|| Case::parse(&text, path, equations::LAWS), &name, &mut counts);
        seed += 1;
    }
    println!("{counts:?}");
    assert!(counts.cases > corpus.len() && counts.mistakes > counts.cases, "{counts:?}");
}

#[test]
fn whatever_a_setting_says_it_is_one_or_an_error_with_its_place() {
    let corpus = corpus();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    let (seconds, first) =
        (from_environment("RANKINE_HOSTILE_SECONDS", 2), from_environment("RANKINE_HOSTILE_SEED", 0));
    let mut counts = Counts::default();
    let start = Instant::now();
    let mut seed = first;
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut random = Rng::with_seed(seed);
        std::fs::write(&path, random.choice(&corpus).unwrap()).unwrap();
        let one = |random: &mut Rng| {
            let other = random.choice(&corpus).unwrap();
            let keys: Vec<&str> = other.lines().filter_map(|line| Some(line.split_once('=')?.0.trim())).collect();
            let table = random.choice(["", "mesh.", "time.", "boundaries.", "initial.", "output.", "a.b."]).unwrap();
            let mut setting = match random.u8(..3) {
                0 => format!("{table}{}={}", random.choice(&keys).unwrap(), random.choice(PIECES).unwrap()),
                _ => (*random.choice(SETTINGS).unwrap()).to_owned(),
            };
            if random.u8(..3) == 0 {
                mutate(&mut setting, &corpus, random);
            }
            setting
        };
        let settings: Vec<String> = (0..random.usize(1..4)).map(|_| one(&mut random)).collect();
        let name = || format!("RANKINE_HOSTILE_SEED={seed}\n{settings:?}");
        try_case(|| Case::read_with(&path, &settings, equations::LAWS), &name, &mut counts);
        seed += 1;
    }
    println!("{counts:?}");
    assert!(counts.cases > 0 && counts.mistakes > counts.cases, "{counts:?}");
}

/// Nesting and lengths that would exhaust a stack, or a reader.
#[test]
fn depth_and_length_exhaust_nothing() {
    const MANY: usize = 100_000;
    let path = std::path::Path::new("case.toml");
    let good = r#"
        law = "advection"
        order = 1
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }
        time = { final = 1 }
        initial = { formulas = { u = "FORMULA" } }
    "#;
    let check = |error: &CaseError| {
        assert!(matches!(error, CaseError::Mistake(_)), "{error}");
        assert!(error.to_string().len() < 10_000, "{error}");
    };
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
            check(&error);
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
        check(&parse(&text).unwrap_err());
        assert!(start.elapsed() < LONGEST);
    }
}
