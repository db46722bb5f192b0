//! Errors of subcommands.

use std::error::Error as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::case::{CaseError, RestartError};
use crate::mesh::MeshError;
use crate::{device, io, solver};

/// Why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are wrong, or ask for help.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// A name does not exist.
    #[error("{0}")]
    Name(String),
    /// The case is wrong.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The state from which the case starts cannot be used.
    #[error(transparent)]
    Restart(RestartError),
    /// The mesh is wrong.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// There is no such device.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The computation failed.
    #[error(transparent)]
    Solver(#[from] solver::Error),
    /// A file of the solution cannot be written or read.
    #[error(transparent)]
    Files(#[from] io::Error),
    /// The directory for the files is not writable.
    #[error("cannot write into {}; give a directory of yours with --out, or as `output.directory`", directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Another run is writing into the directory.
    #[error("another run is writing into {}; wait for its end, or write elsewhere with --out", .0.display())]
    Busy(PathBuf),
    /// The finest mesh would be too large.
    #[error("{levels} levels are too many for a machine; take fewer with --levels")]
    Levels {
        /// The number of levels asked for.
        levels: u32,
        /// Why the finest mesh is too large.
        source: MeshError,
    },
    /// There is no checkpoint to resume from.
    #[error("there is no checkpoint in {} to go on from; run without --resume", .0.display())]
    NoCheckpoint(PathBuf),
    /// A new run would destroy a checkpoint from which another one could resume.
    #[error(
        "{} has checkpoints of another or unfinished run; --resume to go on, --out elsewhere, --overwrite to start anew",
        .0.display()
    )]
    EarlierRun(PathBuf),
    /// A new run would destroy a file of unknown origin.
    #[error(
        "{} is in the way, and no checkpoint says of which run it is; --out elsewhere, or --overwrite to replace it",
        .0.display()
    )]
    Foreign(PathBuf),
    /// The final time lies before the checkpoint's.
    #[error(
        "{} is at t = {time}, after `final = {until}`; to go on, set a later `final`; to end earlier, run without --resume",
        path.display()
    )]
    Past {
        /// The checkpoint.
        path: PathBuf,
        /// Its time.
        time: f64,
        /// The final time of the case.
        until: f64,
    },
    /// The steps are too short to reach the final time.
    #[error(
        "steps of {step:.1e} come to `final = {until:?}` after {steps:.0e} of them, which no machine takes: {cause}"
    )]
    OutOfReach {
        /// The length of a step.
        step: f64,
        /// The number of steps to the final time.
        steps: f64,
        /// The final time.
        until: f64,
        /// Why they are so short, and the remedy.
        cause: String,
    },
    /// Receivers have more records than a disk should take.
    #[error("each receiver has more than {most:e} records until t = {time:?}; take a larger `receivers.every`")]
    Records {
        /// The most that there may be.
        most: f64,
        /// When there are more.
        time: f64,
    },
    /// A checkpoint belongs to a different case.
    #[error(
        "{} is of another case, with another {keys}; run without --resume and with another --out; `initial.from` starts \
         from its state",
        path.display()
    )]
    OtherCase {
        /// The checkpoint.
        path: PathBuf,
        /// The keys that differ, for messages.
        keys: String,
    },
    /// A case lacks data for a subcommand.
    #[error("{}: {message}", path.display())]
    Unfit {
        /// The case file.
        path: PathBuf,
        /// The missing data.
        message: String,
    },
    /// A file of an earlier run cannot be removed.
    #[error("cannot remove {}", path.display())]
    Remove {
        /// The file, or the directory that cannot be read.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The system does not start the threads.
    #[error("cannot start the threads that are to compute: {0}; take fewer with --threads")]
    Threads(rayon::ThreadPoolBuildError),
    /// Ctrl-C and other signals cannot be caught.
    #[error("cannot catch signals: {0}")]
    Interrupt(String),
}

impl From<RestartError> for Error {
    fn from(error: RestartError) -> Self {
        match error {
            RestartError::Solver(error) => Self::Solver(error),
            RestartError::Files(error) => Self::Files(error),
            error => Self::Restart(error),
        }
    }
}

impl Error {
    /// An argument that does not suit another one.
    pub(super) fn misplaced(message: &str) -> Self {
        clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, format!("{message}\n")).into()
    }

    /// The error and its causes, in order.
    pub fn chain(&self) -> String {
        self.messages().join(": ")
    }

    /// The error as the JSON object of `--format json`; `docs/json.md` describes it.
    pub fn to_json(&self) -> Value {
        let mut messages = self.messages();
        let mistake = if let Self::Case(CaseError::Mistake(mistake)) = self { Some(mistake) } else { None };
        if let Some(mistake) = mistake {
            messages[0].clone_from(&mistake.message);
        }
        let (message, mut remedy) = match self {
            Self::Usage(_) => usage(&messages[0]),
            _ => split(&messages[0]),
        };
        // If the error has no remedy, a cause may have one.
        remedy = remedy.or_else(|| messages[1..].iter().find_map(|cause| split(cause).1));
        let in_file = mistake.filter(|mistake| !mistake.in_setting);
        json!({ "error": {
            "kind": self.kind(),
            "key": mistake.and_then(|mistake| mistake.key.as_ref()),
            "file": in_file.map(|mistake| &*mistake.path).or(self.file()),
            "line": in_file.map(|mistake| mistake.line).or(self.line_of_mesh()),
            "column": mistake.map(|mistake| mistake.column),
            "setting": mistake.filter(|mistake| mistake.in_setting).map(|mistake| &mistake.text),
            "message": message,
            "remedy": remedy,
            "causes": messages[1..],
        }})
    }

    /// The kind of the error, in one word.
    fn kind(&self) -> &'static str {
        match self {
            Self::Usage(_) | Self::Case(CaseError::Order { .. }) => "usage",
            Self::Name(_) => "name",
            Self::Case(CaseError::Mesh(_)) | Self::Mesh(_) | Self::Levels { .. } => "mesh",
            Self::Case(_) | Self::Unfit { .. } | Self::Records { .. } => "case",
            Self::Device(device::Error::Memory { .. }) | Self::Solver(solver::Error::Memory { .. }) => "memory",
            Self::Device(_) | Self::Solver(solver::Error::Device(_)) => "device",
            Self::Solver(solver::Error::Inadmissible(_) | solver::Error::Collapsed { .. }) => "solution",
            Self::Solver(_) | Self::OutOfReach { .. } => "solver",
            Self::Files(_) | Self::Directory { .. } | Self::Remove { .. } => "files",
            Self::Busy(_) | Self::NoCheckpoint(_) | Self::EarlierRun(_) | Self::Foreign(_) => "directory",
            Self::Past { .. } | Self::OtherCase { .. } | Self::Restart(_) => "checkpoint",
            Self::Threads(_) | Self::Interrupt(_) => "system",
        }
    }

    /// The file or the directory concerned.
    fn file(&self) -> Option<&Path> {
        match self {
            Self::Case(CaseError::Read { path, .. } | CaseError::NoBoundary { path, .. })
            | Self::Case(CaseError::NoCondition { path, .. })
            | Self::Mesh(MeshError::Read { path, .. } | MeshError::File { path, .. })
            | Self::Case(CaseError::Mesh(MeshError::Read { path, .. } | MeshError::File { path, .. }))
            | Self::Files(io::Error::System { path, .. } | io::Error::Content { path, .. })
            | Self::Directory { directory: path, .. }
            | Self::Busy(path)
            | Self::NoCheckpoint(path)
            | Self::EarlierRun(path)
            | Self::Foreign(path)
            | Self::Past { path, .. }
            | Self::OtherCase { path, .. }
            | Self::Restart(
                RestartError::Missing(path) | RestartError::Law { path, .. } | RestartError::Version { path, .. },
            )
            | Self::Restart(
                RestartError::Mesh { path } | RestartError::Outside { path, .. } | RestartError::Past { path, .. },
            )
            | Self::Unfit { path, .. }
            | Self::Remove { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The faulty line of a mesh file.
    fn line_of_mesh(&self) -> Option<usize> {
        let (Self::Mesh(MeshError::File { source, .. }) | Self::Case(CaseError::Mesh(MeshError::File { source, .. }))) =
            self
        else {
            return None;
        };
        if let MeshError::Line { line, .. } = **source { Some(line) } else { None }
    }

    fn messages(&self) -> Vec<String> {
        let mut messages = vec![self.to_string()];
        let mut cause = self.source();
        while let Some(error) = cause {
            messages.push(error.to_string());
            cause = error.source();
        }
        messages
    }
}

/// The defect and the remedy. In a message of one line the first semicolon separates them; quotations
/// between backticks may contain others.
fn split(message: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    let semicolon = message.char_indices().find(|&(at, c)| {
        quoted ^= c == '`';
        !quoted && message[at..].starts_with("; ")
    });
    match semicolon {
        Some((at, _)) if !message.contains('\n') => (&message[..at], Some(&message[at + 2..])),
        _ => (message, None),
    }
}

/// The same for clap's messages: paragraphs, the first of which begins with "error: ".
fn usage(message: &str) -> (&str, Option<&str>) {
    let message = message.trim_end();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    match message.split_once("\n\n") {
        Some((message, remedy)) => (message, Some(remedy.trim())),
        None => (message, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_comes_after_the_semicolon_but_not_after_one_that_is_quoted() {
        assert_eq!(
            split("no `a; b`; did you mean `c`? there; are"),
            ("no `a; b`", Some("did you mean `c`? there; are"))
        );
        assert_eq!(split("no `a; b`"), ("no `a; b`", None));
        assert_eq!(split("cc says\nx; y"), ("cc says\nx; y", None));
        assert_eq!(usage("error: what\n\nUsage: this\n"), ("what", Some("Usage: this")));
    }
}
