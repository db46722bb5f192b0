//! Messages about a computation before its first step, and about its memory in every report.

use serde_json::{Value, json};

use super::schedule::Origin;
use super::shapes::{number_of, orders};
use crate::case::Case;
use crate::law::{Role, Shape};
use crate::mesh::Mesh;
use crate::notice::{inform, notice};
use crate::solver::{Condition, Diffusion, Error, Footprint, Integrator, Setup, Solver, ViscousScheme};

/// Says on standard error what will be computed, where and how, and how much memory it takes.
pub(super) fn announce(solver: &Solver, origin: Origin) {
    let (setup, elements) = (solver.setup(), number_of(solver.mesh().element_count(), "element"));
    let (law, orders, device) = (law(setup), orders(solver.mesh(), setup.order), solver.device().name());
    let (schedule, memory) = (solver.schedules(), solver.memory());
    inform(format_args!("{law}: {orders}, {elements}, on {device}: schedule {schedule}, {origin}; {memory} of memory"));
    inform(format_args!("{}", length_of_steps(setup)));
}

/// The law, with the viscous scheme if it is not the default.
fn law(setup: &Setup) -> String {
    let scheme = setup.viscous;
    let name = setup.law.name;
    if scheme == ViscousScheme::default() { name.to_owned() } else { format!("{name} by `{scheme}`") }
}

/// Warns if some wave may grow at the case's Courant number.
pub(super) fn warn_of_cfl(case: &Case, shapes: &[Shape]) {
    let (integrator, order) = (case.time.integrator, case.order);
    let (cfl, stable) = (case.cfl(shapes), case.stable_cfl(shapes));
    if cfl > stable {
        notice(format_args!(
            "warning: `cfl = {cfl}` is beyond {stable:.2}, up to which steps of `{integrator}` are stable at order {order} on \
             every mesh: expect nonsense unless you know better"
        ));
    }
}

/// How the length of steps is determined, as text.
pub(super) fn length_of_steps(setup: &Setup) -> String {
    let Setup { integrator, cfl, tolerance, .. } = setup;
    match tolerance {
        None if integrator.has_implicit_source() => {
            let source = setup.law.with_role(Role::Source).next().map_or("", |source| source.name);
            format!(
                "steps of `{integrator}`, which takes `{source}` implicitly: short at first, then as long as waves allow with cfl = {cfl:?}"
            )
        }
        None => {
            let stages = match integrator {
                Integrator::Rkl2(stages) => format!(" with {} stages", stages.count()),
                _ => String::new(),
            };
            format!("steps of `{integrator}`{stages}, as long as waves{} allow with cfl = {cfl:?}", and_source(setup))
        }
        Some(tolerance) => format!("steps of `{integrator}`, as long as errors of {tolerance} allow"),
    }
}

/// What bounds steps beside the waves: a viscous flux, and the source.
fn and_source(setup: &Setup) -> String {
    let bounds = setup.law.has_source_jacobian() && setup.integrator.source_interval().is_finite();
    let source = setup.law.with_role(Role::Source).next().filter(|_| bounds);
    let names = setup.law.with_role(Role::ViscousFlux).chain(source);
    names.map(|function| format!(" and `{}`", function.name)).collect()
}

/// The least factor by which a source makes steps shorter that is worth a remark.
const WORTH_A_REMARK: f64 = 2.0;

/// The remark that the source and not the waves bounds steps from the current solution, if it does.
pub(super) fn bounded_by_source(solver: &Solver) -> Result<Option<String>, Error> {
    let (factor, setup) = (solver.shortening_by_source()?, solver.setup());
    let source = setup.law.with_role(Role::Source).next().map_or("", |source| source.name);
    let remedy = match setup.limiter {
        None => "; `integrator = \"ars_443\"` takes it implicitly",
        Some(_) => "; an implicit source (`ars_443`) goes without a limiter",
    };
    Ok((factor >= WORTH_A_REMARK).then(|| {
        format!("the rate of `{source}` bounds the first step: waves alone would let it be {factor:.3} times as long{remedy}")
    }))
}

/// The least factor by which diffusion makes steps of usual methods so short that those of `rkl2` take less time: see `docs/cases.md`.
const WORTH_RKL2: f64 = 4.0;

/// The remark that diffusion and not the waves bounds steps from the current solution, if it does and another method would help.
pub(super) fn bounded_by_diffusion(solver: &Solver) -> Result<Option<String>, Error> {
    let setup = solver.setup();
    let is_free = setup.limiter.is_none() && setup.tolerance.is_none() && !setup.integrator.has_implicit_source();
    if !setup.law.is_viscous() || !is_free || matches!(setup.integrator, Integrator::Rkl2(_)) {
        return Ok(None);
    }
    let diffusion = solver.step_limit()?.diffusion.filter(|diffusion| diffusion.shortening >= WORTH_RKL2);
    let flux = setup.law.with_role(Role::ViscousFlux).next().map_or("", |flux| flux.name);
    Ok(diffusion.map(|Diffusion { shortening, .. }| {
        let without = if shortening < 1e6 { format!("{shortening:.3} times as long") } else { "far longer".to_owned() };
        format!("`{flux}` bounds the first step: waves alone would let it be {without}; `integrator = \"rkl2\"` takes longer steps there")
    }))
}

/// The remark that waves may grow to twice their size in so many steps, although none is longer than the default.
pub(super) fn grows_slowly(setup: &Setup, steps: f64) -> Option<String> {
    let growth = setup.integrator.growth(setup.shape, setup.order);
    (setup.tolerance.is_none() && growth * steps > std::f64::consts::LN_2).then(|| {
        format!(
            "some waves grow by up to {growth:e} of themselves in each step of `{}` at order {}, and it is about {steps:.0} steps to the \
             final time: `integrator = \"carpenter_kennedy\"` lets none grow",
            setup.integrator, setup.order
        )
    })
}

/// The remark that errors in time fall slowly, if point sources act in a medium that depends on time and the integrator predicts a series.
pub(super) fn slow_around_sources(setup: &Setup) -> Option<String> {
    (setup.predicts_series() && !setup.point_sources.is_empty()).then(|| {
        format!(
            "the medium depends on time: with `{}` waves from point sources are of first order in the length of steps there; \
             `integrator = \"carpenter_kennedy\"` keeps its order",
            setup.integrator
        )
    })
}

/// The remark on curved walls, if there are any: they conserve only as well as their faces follow the curves.
pub(super) fn curved_walls(mesh: &Mesh, conditions: &[Condition]) -> Option<String> {
    let walls: Vec<_> = (mesh.boundaries().iter().zip(conditions))
        .filter(|(boundary, condition)| {
            boundary.curve.is_some() && !mesh.has_curved_sides() && condition.is_impermeable()
        })
        .map(|(boundary, _)| format!("`{}`", boundary.name))
        .collect();
    (!walls.is_empty()).then(|| {
        format!(
            "{}: a wall along the normals of its curve lets pass what the straight faces are off it; with \"straight\" in \
             [mesh.curves] it lets nothing pass, and is a polygon; with `mesh.degree` above 1 its faces are curved, too",
            walls.join(", ")
        )
    })
}

/// The least jump of a medium, as a share of its larger value, that is worth a remark.
const WORTH_EXACT_UPWIND: f64 = 0.05;

/// The remark on a numerical flux that does not know the medium, if the medium varies and there is a flux that does: errors hardly fall where
/// the medium jumps, and of a law that says what its product is there, a state at rest is taken for waves.
pub(super) fn blind_to_medium(setup: &Setup, mesh: &Mesh) -> Option<String> {
    let (flux, law) = (setup.numerical_flux.name, setup.law);
    if !["rusanov", "hll"].contains(&flux) {
        return None;
    }
    if law.function(Role::NumericalFlux, "exact_upwind").is_some() {
        let (field, jump) = setup.largest_jump(mesh).filter(|(_, jump)| *jump >= WORTH_EXACT_UPWIND)?;
        return Some(format!(
            "the medium jumps between elements, `{field}` by {:.0} % of the larger value: errors of `{flux}` hardly fall there on finer \
             meshes, those of `flux.numerical = \"exact_upwind\"` do",
            100.0 * jump
        ));
    }
    law.with_role(Role::Jump).next()?;
    let own = law.with_role(Role::NumericalFlux).find(|function| function.host.is_some())?;
    let (field, _) = setup.largest_jump(mesh).filter(|(_, jump)| *jump > 0.0)?;
    Some(format!(
        "`{field}` varies, and `{flux}` takes what it does to a state at rest for waves, so that this moves by the error of the scheme; \
         the law's own flux, `flux.numerical = \"{}\"`, knows the medium",
        own.name
    ))
}

/// The memory of a solver on its device, in bytes.
pub(super) fn memory_as_json(memory: &Footprint) -> Value {
    json!({
        "bytes": memory.total(), "bytes_per_element": memory.per_element(), "registers": memory.registers,
        "mesh": memory.mesh, "limiting": memory.limiting, "reductions": memory.reductions, "transfers": memory.transfers,
    })
}
