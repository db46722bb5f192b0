//! Signals: Ctrl-C asks a run to end in good order, SIGUSR1 asks for a checkpoint, and a limit on the size of files makes
//! writing fail without ending the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::Error;
use crate::notice::notice;
use crate::{device, solver};

/// Exit status of an interrupted run, by the shell's convention of 128 + SIGINT.
pub(super) const INTERRUPTED: u8 = 130;

/// A signal is noted within this time.
const NOTED: Duration = Duration::from_millis(200);

/// Requests by signals, which the time loop checks between steps.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// Whether the run should end.
    interrupted: Arc<AtomicBool>,
    /// Whether it should write a checkpoint.
    checkpoint: Arc<AtomicBool>,
}

impl Signals {
    /// Whether the run should end.
    pub fn ask_to_end(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether a signal that asked for the end caused this error: Ctrl-C stops a compiler, too.
    pub fn explain(&self, error: &Error) -> bool {
        use device::Error::Stopped;
        if !matches!(error, Error::Device(Stopped { .. }) | Error::Solver(solver::Error::Device(Stopped { .. }))) {
            return false;
        }
        // Another thread notes the signal, perhaps after the compiler's end is known.
        let until = Instant::now() + NOTED;
        while !self.ask_to_end() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.ask_to_end()
    }

    /// Whether the run should write a checkpoint; each request is answered once.
    pub fn ask_for_checkpoint(&self) -> bool {
        self.checkpoint.swap(false, Ordering::Relaxed)
    }
}

/// The handlers of a process can be set only once.
static SIGNALS: OnceLock<Result<Signals, String>> = OnceLock::new();

/// Whether signals were caught and [explain](Signals::explain) an error.
pub(super) fn explain(error: &Error) -> bool {
    matches!(SIGNALS.get(), Some(Ok(signals)) if signals.explain(error))
}

/// Catches Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 from now on; a second Ctrl-C ends the process.
pub(super) fn catch() -> Result<&'static Signals, Error> {
    match SIGNALS.get_or_init(set) {
        Ok(signals) => Ok(signals),
        Err(message) => Err(Error::Interrupt(message.clone())),
    }
}

fn set() -> Result<Signals, String> {
    let signals = Signals::default();
    let interrupted = Arc::clone(&signals.interrupted);
    ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        notice("interrupted: ending after this step; once more to end at once");
    })
    .map_err(|error| error.to_string())?;
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGUSR1;
        use signal_hook::flag::register;
        register(SIGUSR1, Arc::clone(&signals.checkpoint)).map_err(|error| error.to_string())?;
    }
    Ok(signals)
}

/// From now on, exceeding the limit on the size of a file is a write error and does not end the process.
pub(super) fn let_large_files_fail() {
    // A caught signal does nothing else. If it cannot be caught, the process ends as usual.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}
