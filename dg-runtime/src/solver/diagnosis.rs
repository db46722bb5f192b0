//! Why a computation cannot go on: the examination of a scheme whose clock says that no next step was found.

use crate::law::protocol::*;
use crate::mesh::MAX_DIM;

use super::examine::{self, States};
use super::inadmissible::{SENSIBLE, at_boundaries, remedy};
use super::not_finite::{senseless_data, senseless_outside};
use super::projected::Projected;
use super::reduce::Reduction;
use super::scheme::Scheme;
use super::step_limit::{StepLimit, Wave, step_limit};
use super::{Clock, Error, Inadmissible};

/// A Courant number below this fraction of the stable one explains short steps.
pub(crate) const SMALL_CFL: f64 = 1e-3;

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

/// The clock of the computation.
///
/// # Errors
/// [`Error::Inadmissible`], [`Error::Collapsed`] or [`Error::Inexact`] where no next step size was found.
pub(super) fn clock(scheme: Scheme<'_>) -> Result<Clock, Error> {
    let numbers = scheme.state.clock(scheme.device)?;
    let clock = Clock::from(&numbers);
    if numbers[CLOCK_FAILED] != 0.0 {
        check_medium(scheme, clock)?;
    }
    match numbers[CLOCK_FAILED] as usize {
        FAILED_INADMISSIBLE if numbers[CLOCK_HALVINGS] > 0.0 => Err(given_up(scheme, clock)?),
        FAILED_INADMISSIBLE => Err(inadmissible(scheme, clock)?),
        FAILED_COLLAPSED => Err(collapsed(scheme, clock, clock.stable_dt)?),
        FAILED_INEXACT => {
            let limited = scheme.setup.limiter.is_some();
            Err(Error::Inexact { time: clock.time, step: clock.steps, dt: clock.stable_dt, limited })
        }
        _ => Ok(clock),
    }
}

/// Makes sure that a medium that depends on time makes sense at the time of the clock and in the step from there.
fn check_medium(scheme: Scheme<'_>, clock: Clock) -> Result<(), Error> {
    let Scheme { setup, mesh, .. } = scheme;
    let Some(medium) = setup.changing_medium() else { return Ok(()) };
    let step = if clock.stable_dt.is_finite() { 2.0 * clock.stable_dt } else { 0.0 };
    [0.0, 0.5, 1.0].into_iter().try_for_each(|c| {
        let time = clock.time + c * step;
        Projected::new(setup.law, &setup.parameters, Some(medium), mesh, scheme.code(), time).map(drop)
    })
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
    let column = scheme.new_columns(1)?;
    scheme.find_longest_steps(register, &column)?;
    elements_where(scheme, &column, |longest| longest.is_nan() || longest <= 0.0)
}

/// The elements that a stage has found no bound for: neither a Courant number nor an error.
fn without_bound(scheme: Scheme<'_>) -> Result<Vec<usize>, Error> {
    elements_where(scheme, &scheme.state.bounds, |bound| !bound.is_finite())
}

/// The elements whose number in the first column is so.
fn elements_where(scheme: Scheme<'_>, column: &Reduction, is_so: impl Fn(f64) -> bool) -> Result<Vec<usize>, Error> {
    let numbers = scheme.setup.precision.read(scheme.device, column.values(), column.stride())?;
    let numbers = scheme.state.bounds.rows().of_elements(&numbers);
    Ok((0..numbers.len()).filter(|&element| is_so(numbers[element])).collect())
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
        let unbounded = without_bound(scheme)?;
        let register = scheme.register_after(start);
        return Ok(unbounded.first().map(|&element| (register, element)));
    }
    for (stage, [_, from, to], c_next, is_last) in scheme.stages_from(start) {
        scheme.run(scheme.each(|section| section.stage(stage, c_next, is_last, [start, from, to]))?)?;
        if is_last {
            // If the last stage finds no bound, its input was inadmissible, in this element or a neighbour.
            let unbounded = without_bound(scheme)?;
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
            return Ok(without_bound(scheme)?.first().map(|&element| (to, element)));
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
