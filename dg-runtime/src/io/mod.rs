//! Files that a run leaves behind. Nothing here knows a device, a mesh or a law's physics: plain slices come in.
//!
//! Every file but the growing time history appears whole or not at all ([`atomic`]); the history ([`csv`]) is made
//! of whole rows at any time. So a run may be killed at any moment: what it wrote can be read, and [`checkpoint`] has
//! a state to go on from, while [`pvd`] and [`csv`] drop what lies after it.

use std::path::{Path, PathBuf};

pub mod atomic;
pub mod checkpoint;
pub mod csv;
pub mod nodes;
pub mod picture;
pub mod pvd;
pub mod vtu;

pub use nodes::Nodes;

/// What can go wrong with a file. Each message names the file and is complete in itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {operation} {}: {cause}", .path.display())]
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
    fn system(operation: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::System { operation, path: path.to_owned(), cause }
    }

    /// An [`Error::Content`] of this file.
    fn content(path: &Path, reason: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), reason: reason.into() }
    }
}

/// Text as it may stand between the double quotes of an XML attribute.
fn xml_attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
