//! Links and paths in the documents exist.

use std::path::{Path, PathBuf};

use tests::root;

/// The documents for users and developers, with their text.
fn documents() -> Vec<(PathBuf, String)> {
    let folders = ["docs", "docs/notes"].map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let in_folders = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let all = in_folders.chain(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    let documents: Vec<_> = all.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    assert!(documents.len() > 10, "{documents:?}");
    documents.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// The anchor of a heading in GitHub's links.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    for (document, text) in documents() {
        let prose: String = text.split("```").step_by(2).collect();
        for target in prose.split("](").skip(1).map(|link| link.split(')').next().unwrap()) {
            if target.starts_with("https://") {
                continue;
            }
            let (file, heading) =
                target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
            let path = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            assert!(path.exists(), "{}: {target}", document.display());
            if let Some(heading) = heading {
                let text = std::fs::read_to_string(&path).unwrap();
                let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{}: {target}", document.display());
            }
        }
    }
}

/// Paths from the root, such as `templates/kernels/volume.cu`, and in the theory names of files beside those, such as `volume.cu`.
#[test]
fn files_that_are_named_exist() {
    const FOLDERS: [&str; 6] = ["dg-macros", "dg-runtime", "docs", "equations", "templates", "tests"];
    const BESIDE: [&str; 2] = ["templates/kernels", "dg-runtime/src/solver"];
    let mut formulas = 0;
    for (document, text) in documents() {
        let prose: String = text.split("```").step_by(2).collect();
        let is_theory = document.file_name().is_some_and(|name| name == "theory.md");
        for name in prose.split('`').skip(1).step_by(2) {
            let is_plain =
                name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c)) && !name.contains("NAME");
            let path = Path::new(name);
            let is_path = name.split_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder));
            if is_plain && is_path {
                assert!(root().join(path).exists(), "{}: {name}", document.display());
            } else if is_plain && is_theory && path.extension().is_some_and(|end| end == "cu" || end == "rs") {
                assert!(BESIDE.iter().any(|folder| root().join(folder).join(path).exists()), "theory.md: {name}");
            } else {
                continue;
            }
            formulas += usize::from(is_theory);
        }
    }
    assert!(formulas > 30, "{formulas}");
}
