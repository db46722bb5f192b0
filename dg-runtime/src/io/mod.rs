//! Files of a run. This module knows no device, no mesh and no law's physics: it takes plain slices.
//!
//! Every file except the growing time history and the signals of receivers appears atomically ([`atomic`]); the history ([`csv`])
//! and signals ([`seismogram`]) consist of whole rows at any time. So a run may be killed at any moment: its files can be read,
//! [`checkpoint`] has a state to resume from, and [`pvd`], [`csv`] and [`seismogram`] drop later entries.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub mod atomic;
pub mod checkpoint;
pub mod csv;
pub mod grid;
pub mod interpolant;
pub mod nodes;
pub mod picture;
pub mod pvd;
pub mod reference;
pub mod rows;
pub mod seismogram;
pub mod vtkhdf;
pub mod vtu;

pub use nodes::Nodes;

/// An error of a file. Each message names the file and is complete in itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {operation} {}: {cause}{}", .path.display(), remedy(operation, cause))]
    System {
        /// The attempted operation: a verb that fits after "cannot".
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The content of a file cannot be used.
    #[error("cannot use {}: {reason}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The defect and the remedy.
        reason: String,
    },
}

impl Error {
    /// An [`Error::System`] of this operation on this path, for `map_err`.
    pub(crate) fn system(operation: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { operation, path: path.to_owned(), cause }
    }

    /// An [`Error::Content`] of this file.
    fn content(path: &Path, reason: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), reason: reason.into() }
    }
}

/// The remedy for a file that cannot be written.
fn remedy(operation: &str, cause: &std::io::Error) -> &'static str {
    if operation.starts_with("read") {
        return "";
    }
    match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; make room, or write to another directory",
        ErrorKind::FileTooLarge => "; raise the limit on the size of files (`ulimit -f`), or write fewer fields",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "; write to a directory of your own",
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => "; a file is in the way: write to another directory",
        _ => "",
    }
}

/// Text escaped for the double quotes of an XML attribute.
fn xml_attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_and_a_forbidden_folder_come_with_what_to_do() {
        let message = |operation, code| {
            let cause = std::io::Error::from_raw_os_error(code);
            Error::system(operation, Path::new("out/a.vtu"))(cause).to_string()
        };
        let full =
            "cannot write out/a.vtu: No space left on device (os error 28); make room, or write to another directory";
        assert_eq!(message("write", 28), full);
        let forbidden = "cannot write out/a.vtu: Permission denied (os error 13); write to a directory of your own";
        assert_eq!(message("write", 13), forbidden);
        let too_large = "cannot write out/a.vtu: File too large (os error 27); raise the limit on the size of files \
                         (`ulimit -f`), or write fewer fields";
        assert_eq!(message("write", 27), too_large);
        assert_eq!(message("read", 13), "cannot read out/a.vtu: Permission denied (os error 13)");
    }
}
