//! The files of receivers.

use super::Error;
use crate::case::{Case, MOST_RECORDS};
use crate::io::seismogram::{self, Seismogram};
use crate::law::Role;
use crate::notice::notice;
use crate::solver::{Received, Receiver, Signals, Solver};

/// The signals of a run's receivers, and their files.
pub(super) struct Receivers {
    signals: Signals,
    files: Vec<Seismogram>,
}

impl Receivers {
    /// Starts the files of a case, whose solver is at its initial state, with it; `None` if it has no receivers.
    pub fn start(case: &Case, solver: &Solver) -> Result<Option<Self>, Error> {
        let Some(receivers) = &case.receivers else { return Ok(None) };
        let (fields, folder) = (fields(case), &case.output.directory);
        let new = |receiver: &Receiver| Seismogram::new(folder.join(seismogram::name(&receiver.name)), &fields);
        let files = receivers.points.iter().map(new).collect::<Result<_, _>>()?;
        let clock = solver.clock()?;
        let mut started = Self { signals: Signals::new(solver.setup(), receivers.every, clock.time), files };
        started.take(solver, clock.steps)?;
        Ok(Some(started))
    }

    /// Resumes the files of a case from what the run's last checkpoint says of them, with its solver at that checkpoint.
    pub fn resume(case: &Case, solver: &Solver, text: Option<&str>) -> Result<Option<Self>, Error> {
        let (Some(receivers), Some(text)) = (&case.receivers, text) else { return Self::start(case, solver) };
        let clock = solver.clock()?;
        let signals = Signals::new(solver.setup(), receivers.every, clock.time);
        let Some(signals) = signals.resume(text) else { return Self::start(case, solver) };
        let fields = fields(case);
        let mut files = Vec::new();
        for receiver in &receivers.points {
            // Halfway between two rows, beyond all rounding.
            let next = signals.next_time() - 0.5 * receivers.every;
            let path = case.output.directory.join(seismogram::name(&receiver.name));
            let (file, rows, _) = Seismogram::resume(path, &fields, next)?;
            if (rows as u64) < signals.count() {
                notice(format_args!("warning: {} lacks rows before t = {:?}", file.path().display(), clock.time));
            }
            files.push(file);
        }
        let mut resumed = Self { signals, files };
        resumed.take(solver, clock.steps)?;
        Ok(Some(resumed))
    }

    /// Takes what was received since step `from`, and writes the samples up to now.
    ///
    /// # Errors
    /// [`Error::Records`]: a case without a final time does not tell how many there will be.
    pub fn take(&mut self, solver: &Solver, from: u64) -> Result<(), Error> {
        let received = solver.received(from)?;
        if let Some(last) = received.last()
            && self.signals.count_at(last.time) > MOST_RECORDS
        {
            return Err(Error::Records { most: MOST_RECORDS, time: last.time });
        }
        let samples: Vec<Received> = received.into_iter().flat_map(|node| self.signals.add(node)).collect();
        self.write(solver, &samples)
    }

    /// Writes the samples that wait for more steps than the run has.
    pub fn finish(&mut self, solver: &Solver) -> Result<(), Error> {
        let samples = self.signals.finish();
        self.write(solver, &samples)
    }

    /// What a checkpoint says of them.
    pub fn text(&self) -> String {
        self.signals.to_text()
    }

    fn write(&self, solver: &Solver, samples: &[Received]) -> Result<(), Error> {
        let setup = solver.setup();
        let components = setup.law.state.len();
        for (index, file) in self.files.iter().enumerate() {
            let row = |sample: &Received| {
                let state = &sample.values[index * components..][..components];
                Ok([state, &solver.outputs_at_receiver(index, state, sample.time)?].concat())
            };
            let rows: Vec<Vec<f64>> = samples.iter().map(row).collect::<Result<_, Error>>()?;
            file.append(samples.iter().zip(&rows).map(|(sample, row)| (sample.time, &row[..])))?;
        }
        Ok(())
    }
}

/// The columns of the files behind the time: the components of the state, and the law's outputs.
fn fields(case: &Case) -> Vec<&'static str> {
    let outputs = case.law.with_role(Role::Output).map(|output| output.name);
    case.law.state.iter().map(|component| component.name).chain(outputs).collect()
}
