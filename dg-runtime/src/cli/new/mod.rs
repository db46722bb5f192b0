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

/// The files of a fresh crate; NAME stands for its name, DEPENDENCY for how it finds this one.
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
    if !is_name(name) {
        return Err(Error::Name(format!(
            "`{name}` cannot be the name of a crate and of a law; use small letters, digits and `_`, a letter first"
        )));
    }
    if path.exists() {
        return Err(Error::Name(format!("{} exists already; choose another name", path.display())));
    }
    let dependency = dependency();
    let mut files = Vec::new();
    for (file, content) in FILES {
        let file = path.join(file.replace("NAME", name));
        let content = content.replace("NAME", name).replace("DEPENDENCY", &dependency);
        let folder = file.parent().unwrap_or(path);
        std::fs::create_dir_all(folder).map_err(io::Error::system("write", folder))?;
        std::fs::write(&file, content).map_err(io::Error::system("write", &file))?;
        files.push(file);
    }
    let text = format!(
        "{} is ready: the law is in src/lib.rs, a case in cases/{name}.toml.\n\n  cd {}\n  cargo test\n  \
         cargo run --release -- run cases/{name}.toml",
        path.display(),
        path.display(),
    );
    Ok(Report::new(json!({ "path": path, "files": files, "dependency": dependency }), text))
}

/// Whether crate, module and file can have this name.
fn is_name(name: &str) -> bool {
    const TAKEN: [&str; 54] = [
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
    ];
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !TAKEN.contains(&name)
        && name != "yield"
}

/// The right side of `dg-runtime = …` in a manifest.
///
/// That is the path of the sources which this program was built from, where they are a checkout of the user's that is
/// still there: a program from a checkout is most likely run by someone who works on both. Cargo's own copies of
/// sources (`~/.cargo`) come and go, so a program installed from them names the repository instead.
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
