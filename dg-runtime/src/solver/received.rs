//! What receivers kept, taken from the device.

use super::layout::unpack;
use super::receivers::of_step;
use super::scheme::{OnSection, Scheme};
use super::{Error, diagnosis};
use crate::scheme::RECEIVER_STEPS;

/// The solution at all receivers at the start of a step, or after the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// The time.
    pub time: f64,
    /// `[receiver][component]`
    pub values: Vec<f64>,
    /// The length of the step.
    pub dt: f64,
    /// The terms T_k of the Taylor series in time, u(time + s) = Σ_k T_k (s / dt)^k, from k = 1 on: `[k][receiver][component]`. None
    /// where the integrator has no [series](super::Setup::has_series).
    pub terms: Vec<Vec<f64>>,
}

/// What the receivers kept at the starts of the steps from number `from` on, and of the current solution.
pub(super) fn received(scheme: Scheme<'_>, from: u64) -> Result<Vec<Received>, Error> {
    scheme.run(scheme.all(|section| section.receive(scheme.state.current))?)?;
    let of_sections: Vec<Kept> =
        scheme.on_sections().map(kept).filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let Some(Kept { times, .. }) = of_sections.first() else { return Ok(Vec::new()) };
    let mut values: Vec<&(usize, Vec<f64>)> = of_sections.iter().flat_map(|kept| &kept.values).collect();
    values.sort_unstable_by_key(|(number, _)| *number);
    let (of_step, components) = (of_step(scheme.setup), scheme.setup.law.state.len());
    let received = |step: u64| {
        let slot = step as usize % RECEIVER_STEPS;
        let term = |k: usize| -> Vec<f64> {
            let of_receiver =
                |(_, kept): &&(usize, Vec<f64>)| kept[slot * of_step + k * components..][..components].to_vec();
            values.iter().flat_map(of_receiver).collect()
        };
        Received {
            time: times[slot],
            values: term(0),
            dt: times[RECEIVER_STEPS + slot],
            terms: (1..of_step / components).map(term).collect(),
        }
    };
    Ok((from..=diagnosis::clock(scheme)?.steps).map(received).collect())
}

/// The law's outputs at a receiver for a state there, with the medium of its element.
pub(super) fn outputs(scheme: Scheme<'_>, receiver: usize, state: &[f64], time: f64) -> Result<Vec<f64>, Error> {
    let of_section = |section: OnSection<'_>| {
        section.receivers?.medium_at(receiver, (section.setup, section.program.unit), scheme.mesh, time)
    };
    let medium = scheme.on_sections().find_map(of_section).transpose()?.unwrap_or_default();
    let position = &scheme.setup.receivers[receiver].position;
    Ok(scheme.setup.outputs(&[state, &medium].concat(), position, time))
}

/// See [`kept`].
struct Kept {
    times: [f64; 2 * RECEIVER_STEPS],
    values: Vec<(usize, Vec<f64>)>,
}

/// What the receivers kept of steps: times and lengths of these, and for every receiver its number and its values.
fn kept(section: OnSection<'_>) -> Result<Option<Kept>, Error> {
    let (program, Some(receivers)) = (section.program, section.receivers) else { return Ok(None) };
    let mut times = [0.0; 2 * RECEIVER_STEPS];
    program.device.download(&receivers.buffers["receiver_times"], &mut times)?;
    let (buffer, fields) = (&receivers.buffers["received"], RECEIVER_STEPS * of_step(section.setup));
    let packed = program.read(buffer, buffer.numbers())?;
    let block = section.setup.layout().block(&program.device);
    let values = unpack(block, receivers.numbers.len(), fields, &packed);
    let values = values.chunks_exact(fields).map(<[f64]>::to_vec);
    Ok(Some(Kept { times, values: receivers.numbers.iter().copied().zip(values).collect() }))
}
