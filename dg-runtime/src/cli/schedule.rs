//! Which schedule a solver gets, and how people learn of it.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Error;
use super::table::table;
use crate::device::Device;
use crate::mesh::Mesh;
use crate::notice::inform;
use crate::solver::{ELEMENTS_FILL_CUDA, Setup, Trials, Variant};

/// Where a schedule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the user.
    Told,
    /// From the run that is carried on.
    Checkpoint,
    /// It was the fastest of several.
    Fastest,
    /// It is the one for most laws of this order.
    Expected,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Told => "as told",
            Self::Checkpoint => "as before",
            Self::Fastest => "the fastest measured",
            Self::Expected => "not measured",
        })
    }
}

/// How to choose among candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choosing {
    /// By their times, measured where they are not known.
    Measure,
    /// Take the expected one: times on a device that is filled say little about a small mesh.
    Expect,
}

impl Choosing {
    /// For a run on a mesh.
    pub fn on(mesh: &Mesh) -> Self {
        if mesh.element_count() < ELEMENTS_FILL_CUDA { Self::Expect } else { Self::Measure }
    }
}

/// Gives a setup its schedule, where it has none and the fastest is known or to be measured.
pub(super) fn choose(device: &Arc<Device>, setup: &mut Setup, choosing: Choosing) -> Result<Origin, Error> {
    if setup.schedule.is_some() {
        return Ok(Origin::Told);
    }
    if choosing == Choosing::Expect {
        return Ok(Origin::Expected);
    }
    let mut trials = Trials::kept(device, setup);
    if trials.is_none() {
        let start = std::time::Instant::now();
        trials = Trials::new(device, setup)?;
        if let Some(trials) = &trials {
            let (law, order, count) = (setup.law.name, setup.order, trials.trials.len());
            let seconds = start.elapsed().as_secs_f64();
            inform(format_args!(
                "{law}: order {order}: {count} schedules compiled and measured, once, in {seconds:.1} s"
            ));
        }
    }
    setup.schedule = trials.and_then(|trials| trials.fastest());
    Ok(if setup.schedule.is_some() { Origin::Fastest } else { Origin::Expected })
}

/// The candidates in a table, the chosen one marked; they update so many degrees of freedom in a stage.
pub(super) fn as_text(trials: &Trials, chosen: Variant, dof: usize) -> String {
    let mut rows = vec![["schedule", "µs", "Gdof/s", ""].map(String::from).to_vec()];
    for trial in &trials.trials {
        let mark = if trial.schedule == chosen { "chosen" } else { "" };
        rows.push(match &trial.seconds {
            Ok(seconds) => vec![
                trial.schedule.to_string(),
                format!("{:.2}", seconds * 1e6),
                format!("{:.3}", dof as f64 / seconds * 1e-9),
                mark.to_owned(),
            ],
            Err(reason) => {
                let reason = reason.lines().next().unwrap_or_default().to_owned();
                vec![trial.schedule.to_string(), String::new(), String::new(), reason]
            }
        });
    }
    format!("a stage on {} elements\n\n{}", trials.elements, table(&rows))
}

/// The candidates as JSON.
pub(super) fn as_json(trials: &Trials) -> Value {
    let candidates = trials.trials.iter().map(|trial| {
        json!({
            "schedule": trial.schedule.to_string(), "seconds": trial.seconds.as_ref().ok(),
            "failure": trial.seconds.as_ref().err(),
        })
    });
    json!({ "elements": trials.elements, "schedules": candidates.collect::<Vec<_>>() })
}
