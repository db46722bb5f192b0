//! Files that a run leaves behind. Nothing here knows a device, a mesh or a law's physics: plain slices come in.
//!
//! Every file but the growing time history appears whole or not at all ([`atomic`]); the history ([`csv`]) is made
//! of whole rows at any time. So a run may be killed at any moment: what it wrote can be read, and [`checkpoint`] has
//! a state to go on from, while [`pvd`] and [`csv`] drop what lies after it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub mod atomic;
pub mod checkpoint;
pub mod csv;
pub mod grid;
pub mod nodes;
pub mod picture;
pub mod pvd;
pub mod reference;
pub mod vtu;

pub use nodes::Nodes;

/// What can go wrong with a file. Each message names the file and is complete in itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {operation} {}: {cause}{}", .path.display(), remedy(operation, cause))]
    System {
        /// What was tried: a verb that fits after "cannot".
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        cause: std::io::Error,
    },
    /// A file was read, and its content is of no use.
    #[error("cannot use {}: {reason}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What was found and the remedy.
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

/// What to do about a file that cannot be written.
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

/// Text as it may stand between the double quotes of an XML attribute.
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
