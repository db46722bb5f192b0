//! Pictures drawn in the background of a run.

use std::path::Path;
use std::thread::JoinHandle;

use rayon::ThreadPoolBuilder;

use crate::io::Error;

/// At most one set of pictures in progress.
///
/// They use their own threads: the run waits for them on a rayon thread, which may be the only one.
#[derive(Default)]
pub(super) struct Drawing(Option<JoinHandle<Result<(), Error>>>);

impl Drawing {
    /// Starts `draw`, which may use rayon and writes into `directory`, once the previous set is finished.
    ///
    /// # Errors
    ///
    /// Those of the previous set, and [`Error::System`] if the system grants no more threads.
    pub fn start(
        &mut self,
        directory: &Path,
        draw: impl FnOnce() -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        self.finish()?;
        let no_threads = |cause| Error::system("start threads that draw into", directory)(cause);
        let pool = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build();
        let pool = pool.map_err(|error| no_threads(std::io::Error::other(error)))?;
        let thread = std::thread::Builder::new().spawn(move || pool.install(draw)).map_err(no_threads)?;
        self.0 = Some(thread);
        Ok(())
    }

    /// Waits for the pictures.
    ///
    /// # Errors
    ///
    /// The reason why a picture cannot be written.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.0.take().map_or(Ok(()), |drawing| drawing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

impl Drop for Drawing {
    /// Waits, so that no picture is left half written. An error was reported already, or a worse one was.
    fn drop(&mut self) {
        if let Some(drawing) = self.0.take() {
            let _ = drawing.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn the_only_thread_of_a_pool_can_wait_for_pictures_that_are_drawn_in_parallel() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (sender, drawn) = std::sync::mpsc::channel();
        pool.spawn(move || {
            let mut drawing = Drawing::default();
            let draw = || (0..1000).into_par_iter().try_for_each(|_| Ok(()));
            drawing.start(Path::new("."), draw).unwrap();
            sender.send(drawing.finish()).unwrap();
        });
        drawn.recv_timeout(std::time::Duration::from_secs(60)).expect("the drawing hangs").unwrap();
    }
}
