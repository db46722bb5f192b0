//! What can go wrong in a subcommand.

use std::error::Error as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::case::CaseError;
use crate::mesh::MeshError;
use crate::{device, io, solver};

/// Why a subcommand gave up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments cannot be understood, or ask for help.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// Something of this name does not exist.
    #[error("{0}")]
    Name(String),
    /// The case is wrong.
    #[error(transparent)]
    Case(#[from] CaseError),
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
    /// The directory for the files cannot be written to.
    #[error("cannot write into {}: give a directory of yours with --out, or as `output.directory`", directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Two runs would mix their files.
    #[error("another run is writing into {}: wait for its end, or write elsewhere with --out", .0.display())]
    Busy(PathBuf),
    /// Meshes grow with every level.
    #[error("{levels} levels are too many for a machine: take fewer with --levels")]
    Levels {
        /// How many were asked for.
        levels: u32,
        /// Why the finest mesh is too large.
        source: MeshError,
    },
    /// There is nothing to go on from.
    #[error("there is no checkpoint in {} to go on from; run without --resume", .0.display())]
    NoCheckpoint(PathBuf),
    /// Starting would destroy what a run could go on from.
    #[error(
        "{} has checkpoints of another or unfinished run: --resume to go on, --out elsewhere, --overwrite to start anew",
        .0.display()
    )]
    EarlierRun(PathBuf),
    /// The case ends before what there is to go on from.
    #[error(
        "{} is at t = {time}, after `final = {until}`: to go on, set a later `final`; to end earlier, run without --resume",
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
    /// A checkpoint is of a case that says something else.
    #[error("{} is of another case, with another {keys}; run without --resume, or with another --out", path.display())]
    OtherCase {
        /// The checkpoint.
        path: PathBuf,
        /// The keys that differ, for people.
        keys: String,
    },
    /// A case lacks what a subcommand needs.
    #[error("{}: {message}", path.display())]
    Unfit {
        /// The case file.
        path: PathBuf,
        /// What it lacks.
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
    /// Ctrl-C and other signals cannot be caught.
    #[error("cannot catch signals: {0}")]
    Interrupt(String),
}

impl Error {
    /// The error and its causes, one after the other.
    pub fn chain(&self) -> String {
        self.messages().join(": ")
    }

    /// The error as the JSON object of `--format json`.
    pub fn to_json(&self) -> Value {
        let messages = self.messages();
        let mut error = json!({ "message": messages[0], "causes": messages[1..] });
        if let Self::Case(CaseError::Mistake(mistake)) = self {
            error["message"] = json!(mistake.message);
            error["file"] = json!(mistake.path);
            error["line"] = json!(mistake.line);
            error["column"] = json!(mistake.column);
        }
        json!({ "error": error })
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
