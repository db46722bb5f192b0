//! Ctrl-C: the first asks the run to end in good order, the second ends the process at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Error;
use crate::notice::notice;

/// Exit status of an interrupted run, by the shell's convention of 128 + SIGINT.
pub(super) const STATUS: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C, SIGTERM and SIGHUP set the flag that is returned, for the time loop to look at between steps.
pub(super) fn catch() -> Result<&'static AtomicBool, Error> {
    // The handler of a process can be set only once.
    static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();
    let set = || {
        ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(STATUS));
            }
            notice("interrupted: ending after this step; once more to end at once");
        })
        .map_err(|error| error.to_string())
    };
    match HANDLER.get_or_init(set) {
        Ok(()) => Ok(&INTERRUPTED),
        Err(message) => Err(Error::Interrupt(message.clone())),
    }
}
