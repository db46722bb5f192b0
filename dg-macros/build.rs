//! Tells the attribute which compiler it belongs to: a hash of this package's sources and of those of the language, `templates` and the
//! contract.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let mut hasher = DefaultHasher::new();
    for folder in ["src", "language/src", "../templates/src", "../dg-runtime/contract/src"] {
        println!("cargo::rerun-if-changed={folder}");
        for path in files(Path::new(folder)) {
            path.hash(&mut hasher);
            std::fs::read(&path).unwrap_or_default().hash(&mut hasher);
        }
    }
    println!("cargo::rustc-env=RANKINE_COMPILER={:016x}", hasher.finish());
}

/// All files below a folder, in a fixed order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
