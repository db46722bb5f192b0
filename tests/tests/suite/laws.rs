//! Laws of the literature, each correct: the compiler says nothing against them, and is done with each soon.

use std::path::PathBuf;
use std::time::Instant;

use dg_language::Reading;
use templates::ir::Law;

/// The most work that the check of a law takes, in the compiler's units, which are the same on every machine: of about half a microsecond
/// without optimisation, so that checks take less than 3 s.
const WORK: u64 = 6_000_000;

/// The files of the laws, by name.
fn files() -> Vec<(String, PathBuf)> {
    let folder = std::fs::read_dir(tests::root().join("tests/laws")).unwrap();
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path)).collect()
}

/// The law of a text, with its derived functions.
fn read(text: &str) -> Law {
    let laws = dg_language::laws(text).unwrap();
    let [(options, module)] = &laws[..] else { panic!("{} laws", laws.len()) };
    let Reading { law, .. } = dg_language::read(options.clone(), module);
    let mut law = law.expect("the text has mistakes");
    law.functions.extend(templates::derive::sources(&law).unwrap());
    law
}

#[test]
fn right_laws_pass_without_a_message() {
    let mut wrong = Vec::new();
    for (name, path) in files() {
        let law = read(&std::fs::read_to_string(path).unwrap());
        assert_eq!(law.name, name);
        let start = Instant::now();
        let (report, _) = templates::analyse(&law);
        // The time includes that of other checks that run first.
        println!("{name}: {} units of work, {:.2} s", report.work, start.elapsed().as_secs_f64());
        assert!(report.work < WORK, "{name} takes {} units of work", report.work);
        wrong.extend(report.diagnostics.into_iter().map(|diagnostic| (name.clone(), diagnostic)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_law_has_its_equations_its_reference_and_a_line_in_the_documents() {
    let list = std::fs::read_to_string(tests::root().join("docs/laws.md")).unwrap();
    let files = files();
    assert!(files.len() >= 20);
    for (name, path) in files {
        let text = std::fs::read_to_string(path).unwrap();
        let (doc, _) = text.split_once("#[dg_runtime::conservation_law").unwrap();
        for part in ["∂", "https://doi.org/10."] {
            assert!(doc.contains(part), "{name} lacks {part}");
        }
        assert!(list.contains(&format!("[{name}](../tests/laws/{name}.rs)")), "docs/laws.md lacks {name}");
    }
}
