//! `new`: a crate to start from.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Error, Report};
use crate::io;

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  {bin} new my_law && cd my_law && cargo test && cargo run --release -- run cases/my_law.toml"
)]
pub(super) struct New {
    /// Path of the crate; its last part is the name of crate and law
    path: PathBuf,
}

/// The files of a new crate; NAME is replaced by its name, DEPENDENCY by its dependency on this one.
const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", include_str!("Cargo.toml.in")),
    (".gitignore", include_str!("gitignore.in")),
    ("src/lib.rs", include_str!("lib.rs.in")),
    ("src/main.rs", include_str!("main.rs.in")),
    ("cases/NAME.toml", include_str!("case.toml.in")),
    ("tests/NAME.rs", include_str!("test.rs.in")),
];

pub(super) fn new(arguments: &New) -> Result<Report, Error> {
    let path = &arguments.path;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if TAKEN.contains(&name) {
        return Err(Error::Name(format!(
            "`{name}` cannot be the name of a crate and of a law: it means something to Rust or Cargo; choose another name"
        )));
    }
    if !is_name(name) {
        return Err(Error::Name(format!(
            "`{name}` cannot be the name of a crate and of a law; use small letters, digits and `_`, a letter first"
        )));
    }
    if path.exists() {
        return Err(Error::Name(format!("{} exists already; choose another name", path.display())));
    }
    let dependency = dependency();
    let contents: Vec<(String, String)> = FILES
        .iter()
        .map(|(file, content)| {
            (file.replace("NAME", name), content.replace("NAME", name).replace("DEPENDENCY", &dependency))
        })
        .collect();
    write(path, name, &contents)?;
    let files: Vec<PathBuf> = contents.iter().map(|(file, _)| path.join(file)).collect();
    let text = format!(
        "{} is ready: the law is in src/lib.rs, a case in cases/{name}.toml.\n\n  cd {}\n  cargo test\n  \
         cargo run --release -- run cases/{name}.toml",
        path.display(),
        path.display(),
    );
    Ok(Report::new(json!({ "path": path, "files": files, "dependency": dependency }), text))
}

/// Writes a folder of files atomically.
fn write(path: &Path, name: &str, contents: &[(String, String)]) -> Result<(), Error> {
    let failed = |source: std::io::Error| Error::from(io::Error::system("write", path)(source));
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(failed)?;
    // Beside its destination, so that it can be moved there. It is deleted with any remaining files.
    let draft = tempfile::tempdir_in(parent).map_err(|error| failed(error.kind().into()))?;
    let root = draft.path().join(name);
    for (file, content) in contents {
        let file = root.join(file);
        std::fs::create_dir_all(file.parent().unwrap_or(&root)).map_err(failed)?;
        std::fs::write(&file, content).map_err(failed)?;
    }
    std::fs::rename(&root, path).map_err(failed)
}

/// Names that Rust or Cargo refuses for a crate or a module.
const TAKEN: [&str; 55] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "dg_runtime",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Whether crate, module and file can have this name, unless it is [`TAKEN`].
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The right side of `dg-runtime = …` in a manifest.
///
/// It is the path of the sources of this program, if they are a checkout of the user's that still
/// exists: a program from a checkout is most likely run by someone who works on both. Cargo's own copies of
/// sources (`~/.cargo`) are temporary, so a program installed from them names the repository instead.
fn dependency() -> String {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cargos_own = ["registry/src", "git/checkouts"].iter().any(|copy| env!("CARGO_MANIFEST_DIR").contains(copy));
    if sources.join("Cargo.toml").is_file() && !cargos_own {
        // A TOML string literal; JSON's escapes are all valid in it.
        format!("{{ path = {} }}", json!(sources))
    } else {
        format!("{{ git = {} }}", json!(env!("CARGO_PKG_REPOSITORY")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_finished_is_not_there() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("some/law");
        let file = |name: &str| (name.to_owned(), "text".to_owned());
        // A file cannot be a folder too: this stops the writing halfway, like a full disk.
        let error = write(&path, "law", &[file("first"), file("first/second")]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        assert_eq!(std::fs::read_dir(parent.path().join("some")).unwrap().count(), 0);
        write(&path, "law", &[file("first"), file("folder/second")]).unwrap();
        assert_eq!(std::fs::read_to_string(path.join("folder/second")).unwrap(), "text");
        assert_eq!(std::fs::read_dir(parent.path().join("some")).unwrap().count(), 1);
    }
}
