//! Where and how a solution leaves the admissible set.

use std::fmt;

use crate::law::Variable;
use crate::law::protocol::{CLOCK_BROKEN, CLOCK_DT, CLOCK_FAILED};
use crate::mesh::MAX_DIM;

use super::examine::{self, States};
use super::not_finite::{senseless_data, senseless_outside};
use super::reduce::Reduction;
use super::scheme::Scheme;
use super::step_limit::{StepLimit, Wave, step_limit};
use super::{Clock, Error, Limiter};

/// Where and how a solution has left the admissible set of its law.
#[derive(Clone, Debug)]
pub struct Inadmissible {
    /// The components of the state.
    pub variables: &'static [Variable],
    /// The admissible quantities, as text.
    pub texts: &'static [&'static str],
    /// Time of the solution, or of the start of the step that cannot be taken.
    pub time: f64,
    /// Steps taken until then.
    pub step: u64,
    /// Length of the step with an inadmissible stage; `None` where the solution itself is inadmissible.
    pub tried: Option<f64>,
    /// The first inadmissible element.
    pub element: usize,
    /// Whether the state is the element's mean, not its value at a point.
    pub is_mean: bool,
    /// The point, or the element's centroid.
    pub position: Vec<f64>,
    /// The state.
    pub state: Vec<f64>,
    /// What the law's `#[admissible]` returns for the state, empty where it has none.
    pub quantities: Vec<f64>,
    /// The boundaries on which the element has a face.
    pub boundaries: Vec<String>,
    /// The initial or boundary data of this element, or the data from outside, that are not finite, if any.
    pub given: Option<String>,
    /// The limiter in use.
    pub limiter: Option<Limiter>,
    /// The key of a case that makes steps shorter.
    pub key: &'static str,
}

/// A Courant number below this fraction of the stable one explains short steps.
pub(crate) const SMALL_CFL: f64 = 1e-3;

/// The remedy for a formula or function without a finite value.
const SENSIBLE: &str = "change it so that it is finite and admissible there";

/// What bounds the length of a step.
pub(crate) struct Bottleneck {
    /// The element, its position, and its boundaries.
    pub place: String,
    /// What does: `waves`, or `diffusion`.
    pub what: &'static str,
    /// The fastest wave there or the diffusivity, and the least of the quantities that must be positive.
    pub fastest: String,
    boundaries: Vec<String>,
}

impl Inadmissible {
    /// The numbers of the quantities that are not positive.
    pub fn broken(&self) -> Vec<usize> {
        // NaN is not positive either.
        let positive = |&i: &usize| self.quantities[i] > 0.0;
        (0..self.quantities.len()).filter(|i| !positive(i)).collect()
    }

    fn state_is_finite(&self) -> bool {
        self.state.iter().all(|x| x.is_finite())
    }
}

impl fmt::Display for Inadmissible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variables, texts, time, step, tried, element, is_mean, position, state, quantities, .. } = self;
        let list = |parts: &mut dyn Iterator<Item = String>| parts.collect::<Vec<_>>().join(", ");
        let position = list(&mut position.iter().map(|x| format!("{x:.6}")));
        let state = list(&mut variables.iter().zip(state).map(|(variable, x)| format!("{} = {x:.6e}", variable.name)));
        write!(f, "the solution is inadmissible at t = {time:.9e} (step {step}) in element {element} at ({position})")?;
        write!(f, "{}: ", at_boundaries(&self.boundaries))?;
        let what = if *is_mean { "its mean" } else { "its state there" };
        match tried {
            Some(dt) => writeln!(f, "in a step of {dt:.3e} from then {what} becomes {state}")?,
            None => writeln!(f, "{what} is {state}")?,
        }
        let broken = self.broken();
        let (bad, good): (Vec<_>, Vec<_>) =
            texts.iter().zip(quantities).enumerate().partition(|(i, _)| broken.contains(i));
        let values = |of: Vec<(usize, (&&str, &f64))>| {
            list(&mut of.into_iter().map(|(_, (text, value))| format!("{text} = {value:.6e}")))
        };
        match (bad.is_empty(), good.is_empty()) {
            (false, true) => writeln!(f, "not positive: {}", values(bad))?,
            (false, false) => writeln!(f, "not positive: {}; positive: {}", values(bad), values(good))?,
            (true, _) if self.state_is_finite() => {
                writeln!(f, "a wave there has no finite speed, or rounding makes the difference")?;
            }
            (true, _) => writeln!(f, "the state is not finite")?,
        }
        if let Some(given) = &self.given {
            return write!(f, "{given}\n{SENSIBLE}");
        }
        if *step == 0 && tried.is_none() {
            return f.write_str(
                "the initial state itself makes no sense there, or its polynomial does not: check `[initial]`, or refine the mesh",
            );
        }
        f.write_str(&remedy(self.key, self.limiter, &self.boundaries))
    }
}

/// The boundaries of an element, as a phrase that follows its position.
fn at_boundaries(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!(", at the boundary {}", names.join(" and ")) }
}

/// Advice for a solution that leaves the admissible set with this limiter, in an element at these boundaries; `key` makes steps
/// shorter.
fn remedy(key: &str, limiter: Option<Limiter>, boundaries: &[String]) -> String {
    let more = match limiter {
        None => "; discontinuous solutions need a limiter",
        Some(Limiter { method: None, .. }) => {
            "; discontinuous solutions need a `method` in [limiter] beside positivity"
        }
        Some(Limiter { indicator: Some(_), .. }) => "; without an `indicator` the limiter acts everywhere",
        Some(_) => "",
    };
    let there = if boundaries.is_empty() { "" } else { "; does the condition on the boundary suit the flow there?" };
    format!("try a smaller `{key}`, a finer mesh or a lower order{more}{there}")
}

/// The report on a solution with an inadmissible element.
pub(super) fn inadmissible(scheme: Scheme<'_>, clock: Clock) -> Result<Error, Error> {
    let element = senseless(scheme, scheme.state.current)?.first().copied().unwrap_or(0);
    report(scheme, clock, None, scheme.state.current, element)
}

/// The bottleneck of the step, for messages: the element, and the fastest wave there with the least of the quantities that must be
/// positive.
///
/// # Errors
/// Errors of the device.
pub(super) fn bottleneck(scheme: Scheme<'_>) -> Result<Bottleneck, Error> {
    let StepLimit { element, wave, diffusion, .. } = step_limit(scheme)?;
    let (mesh, algebra) = (scheme.mesh, &scheme.setup.law.algebra);
    let position: Vec<_> = mesh.centroid(element)[..mesh.dim].iter().map(|x| format!("{x:.6}")).collect();
    let boundaries = mesh.boundaries_of(element);
    let named = |wave: Wave| {
        let text = algebra.eigenvalues.get(wave.eigenvalue).copied().unwrap_or_default();
        format!("the speed `{text}` is {:.3e}", wave.speed)
    };
    let (what, mut fastest) = match diffusion {
        Some(diffusion) => ("diffusion", format!("the diffusivity is {:.3e}", diffusion.diffusivity)),
        None => ("waves", wave.map_or("no speed is finite".to_owned(), named)),
    };
    let States { mean, at_points } = examine::states(scheme, scheme.state.current, element)?;
    let quantities: Vec<_> =
        at_points.iter().chain([&mean]).map(|state| scheme.setup.admissible_quantities(state)).collect();
    for (i, text) in algebra.admissible.iter().enumerate() {
        let least = quantities
            .iter()
            .fold(f64::INFINITY, |least, of_state| least.min(of_state.get(i).copied().unwrap_or(f64::NAN)));
        fastest += &format!(", {text} at least {least:.3e}");
    }
    let place = format!("element {element} at ({}){}", position.join(", "), at_boundaries(&boundaries));
    Ok(Bottleneck { place, what, fastest, boundaries })
}

/// The report on a step of this length, too short to change the time.
pub(super) fn collapsed(scheme: Scheme<'_>, clock: Clock, dt: f64) -> Result<Error, Error> {
    let Bottleneck { place, what, fastest, boundaries } = bottleneck(scheme)?;
    let (cfl, stable) = (scheme.setup.cfl, scheme.setup.integrator.stable_cfl(scheme.setup.shape, scheme.setup.order));
    let allowed = scheme.stable_step()?;
    // Where data from outside cease to be finite at some time, steps become ever shorter as it approaches.
    // Waves that are not finite say nothing about them.
    let next = clock.time + if allowed.is_finite() { allowed } else { 0.0 };
    let given = senseless_outside(scheme, &[clock.time, next]);
    let usual = || remedy(scheme.setup.step_key(), scheme.setup.limiter, &boundaries);
    let (cause, remedy) = match given {
        Some(given) => (given, SENSIBLE.to_owned()),
        None if dt < SMALL_CFL * allowed => {
            let (too_long, remedy) = match scheme.setup.tolerance {
                None if scheme.setup.integrator.has_implicit_source() => (
                    "lead out of the admissible set, or have an implicit source that Newton's method cannot solve",
                    usual(),
                ),
                None => ("lead out of the admissible set", usual()),
                Some(_) => (
                    "lead out of the admissible set, or have larger errors than `tolerance` allows",
                    "take a larger `tolerance`, or `cfl` in its place".to_owned(),
                ),
            };
            (format!("steps of {allowed:.3e}, as {what} allow them in {place}, {too_long}"), remedy)
        }
        None if cfl < SMALL_CFL * stable => {
            (format!("`cfl = {cfl:?}` makes steps that short"), "leave `cfl` out, or take more".to_owned())
        }
        None => (format!("{what} became too fast to follow in {place}: {fastest}"), usual()),
    };
    Ok(Error::Collapsed { time: clock.time, step: clock.steps, dt, cause, remedy })
}

/// The elements that are inadmissible at some point.
fn senseless(scheme: Scheme<'_>, register: usize) -> Result<Vec<usize>, Error> {
    scheme.find_longest_steps(register)?;
    without_limit(scheme, &scheme.state.columns)
}

/// The elements without a step: their bound is NaN, or a longest step that is not positive. An error may be 0.
fn without_limit(scheme: Scheme<'_>, bounds: &Reduction) -> Result<Vec<usize>, Error> {
    let bounds = scheme.setup.precision.read(scheme.device, bounds.values(), bounds.stride())?;
    let bounds = scheme.state.bounds.rows().of_elements(&bounds);
    let zero_is_none = scheme.setup.tolerance.is_none();
    Ok((0..bounds.len())
        .filter(|&element| bounds[element].is_nan() || (zero_is_none && bounds[element] <= 0.0))
        .collect())
}

/// The report on a step that was given up; the solution is its start. The step is tried once more to find the inadmissible
/// stage.
pub(super) fn given_up(scheme: Scheme<'_>, clock: Clock) -> Result<Error, Error> {
    let numbers = scheme.state.clock(scheme.device)?;
    // The last rejection halved it.
    let tried = 2.0 * clock.stable_dt;
    let mut again = numbers;
    (again[CLOCK_DT], again[CLOCK_FAILED], again[CLOCK_BROKEN]) = (tried, 0.0, 0.0);
    scheme.state.set_clock(scheme.device, &again)?;
    let found = find_senseless_stage(scheme);
    scheme.state.set_clock(scheme.device, &numbers)?;
    match found? {
        Some((register, element)) => {
            report(scheme, clock, (register != scheme.state.current).then_some(tried), register, element)
        }
        None => collapsed(scheme, clock, tried),
    }
}

/// Takes the stages of a step until one is inadmissible; returns its register and the first inadmissible element.
fn find_senseless_stage(scheme: Scheme<'_>) -> Result<Option<(usize, usize)>, Error> {
    let (start, bounds) = (scheme.state.current, &scheme.state.bounds);
    // Removes the marks of earlier trials.
    scheme.setup.precision.write(scheme.device, bounds.values(), &vec![1.0; bounds.values().numbers()])?;
    scheme.run(scheme.renew_medium(0.0)?)?;
    scheme.run(scheme.begin_limiting(start)?)?;
    scheme.run(scheme.predict(start)?)?;
    if scheme.setup.integrator.has_implicit_source() || scheme.setup.predicts_series() {
        scheme.run(scheme.step(start, true)?)?;
        let unbounded = without_limit(scheme, bounds)?;
        let register = scheme.register_after(start);
        return Ok(unbounded.first().map(|&element| (register, element)));
    }
    for (stage, [_, from, to], c_next, is_last) in scheme.stages_from(start) {
        scheme.run(scheme.each(|section| section.stage(stage, c_next, is_last, [start, from, to]))?)?;
        if is_last {
            // If the last stage finds no bound, its input was inadmissible, in this element or a neighbour.
            let unbounded = without_limit(scheme, bounds)?;
            if let Some(&any) = unbounded.first() {
                let of_input = senseless(scheme, from)?;
                let element = unbounded.into_iter().find(|element| of_input.contains(element)).unwrap_or(any);
                // The bound of a stage covers face states only, so the step's start may be inadmissible elsewhere.
                let register = if senseless(scheme, start)?.contains(&element) { start } else { from };
                return Ok(Some((register, element)));
            }
        }
        scheme.run(scheme.end_stage([start, to], c_next)?)?;
        if scheme.state.clock(scheme.device)?[CLOCK_BROKEN] != 0.0 {
            return Ok(without_limit(scheme, bounds)?.first().map(|&element| (to, element)));
        }
    }
    Ok(None)
}

/// The report on an element of a register: on its mean or, if that is admissible, on the first inadmissible point.
fn report(
    scheme: Scheme<'_>,
    clock: Clock,
    tried: Option<f64>,
    register: usize,
    element: usize,
) -> Result<Error, Error> {
    let (mesh, law) = (scheme.mesh, scheme.setup.law);
    let States { mean, at_points } = examine::states(scheme, register, element)?;
    let finite = mean.iter().chain(at_points.iter().flatten()).all(|x| x.is_finite());
    let centroid = mesh.centroid(element);
    let boundaries = mesh.boundaries_of(element);
    let points = scheme
        .on_element(element)
        .0
        .program
        .unit
        .reference()
        .points
        .chunks_exact(mesh.dim)
        .map(|point| mesh.position(element, point));
    let states = std::iter::once((true, centroid, mean.clone()))
        .chain(points.zip(at_points).map(|(position, state)| (false, position, state)));
    // A stage lies anywhere within its step.
    let times = [clock.time, clock.time + tried.unwrap_or(0.0)];
    // NaN from a boundary or a point source spreads within the step.
    let given_here = || senseless_data(scheme, element, clock.steps, &times);
    let given = if finite { None } else { given_here().or_else(|| senseless_outside(scheme, &times)) };
    let report = |(is_mean, position, state): (bool, [f64; MAX_DIM], Vec<f64>)| Inadmissible {
        variables: law.state,
        texts: law.algebra.admissible,
        time: clock.time,
        step: clock.steps,
        tried,
        element,
        is_mean,
        position: position[..mesh.dim].to_vec(),
        quantities: scheme.setup.admissible_quantities(&state),
        state,
        boundaries: boundaries.clone(),
        given: given.clone(),
        limiter: scheme.setup.limiter,
        key: scheme.setup.step_key(),
    };
    let broken = |report: &Inadmissible| !report.broken().is_empty() || !report.state_is_finite();
    let found = states.map(report).find(broken).unwrap_or_else(|| report((true, centroid, mean)));
    Ok(Error::Inadmissible(Box::new(found)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Indicator, Method, Variables};

    #[test]
    fn what_helps_is_not_there_already() {
        let of = |method, indicator| {
            let limiter = Limiter { method, variables: Variables::Conserved, indicator, positivity: true };
            remedy("cfl", Some(limiter), &[])
        };
        assert!(remedy("cfl", None, &[]).ends_with("; discontinuous solutions need a limiter"));
        assert!(of(None, None).ends_with("need a `method` in [limiter] beside positivity"));
        assert!(of(Some(Method::Moment), None).ends_with("or a lower order"));
        assert!(of(Some(Method::Moment), Some(Indicator::Decay)).contains("without an `indicator`"));
        let walls = ["wall".to_owned(), "lid".to_owned()];
        assert_eq!(at_boundaries(&walls), ", at the boundary `wall` and `lid`");
        assert!(remedy("cfl", None, &walls).ends_with("does the condition on the boundary suit the flow there?"));
    }
}
