//! Messages about a computation before its first step, and about its memory in every report.

use serde_json::{Value, json};

use super::schedule::Origin;
use crate::mesh::Mesh;
use crate::notice::inform;
use crate::solver::{Condition, Footprint, Setup, Solver};

/// Says on standard error what will be computed, where and how, and how much memory it takes.
pub(super) fn announce(solver: &Solver, origin: Origin) {
    let (setup, elements) = (solver.setup(), solver.mesh().element_count());
    let (law, order, device) = (setup.law.name, setup.order, solver.device().name());
    let (schedule, memory) = (solver.schedule(), solver.memory());
    inform(format_args!(
        "{law}: order {order}, {elements} elements, on {device}: schedule {schedule}, {origin}; {memory} of memory"
    ));
    inform(format_args!("{}", length_of_steps(setup)));
}

/// How the length of steps is determined, as text.
pub(super) fn length_of_steps(setup: &Setup) -> String {
    let Setup { integrator, cfl, tolerance, .. } = setup;
    match tolerance {
        None => format!("steps of `{integrator}`, as long as waves allow with cfl = {cfl:?}"),
        Some(tolerance) => format!("steps of `{integrator}`, as long as errors of {tolerance} allow"),
    }
}

/// The remark on curved walls, if there are any: they conserve only as well as their faces follow the curves.
pub(super) fn curved_walls(mesh: &Mesh, conditions: &[Condition]) -> Option<String> {
    let walls: Vec<_> = (mesh.boundaries().iter().zip(conditions))
        .filter(|(boundary, condition)| boundary.curve.is_some() && condition.is_impermeable())
        .map(|(boundary, _)| format!("`{}`", boundary.name))
        .collect();
    (!walls.is_empty()).then(|| {
        format!(
            "{}: a wall along the normals of its curve lets pass what the straight faces are off it; with \"straight\" in \
             [mesh.curves] it lets nothing pass, and is a polygon",
            walls.join(", ")
        )
    })
}

/// The memory of a solver on its device, in bytes.
pub(super) fn memory_as_json(memory: &Footprint) -> Value {
    json!({
        "bytes": memory.total(), "bytes_per_element": memory.per_element(), "registers": memory.registers,
        "mesh": memory.mesh, "limiting": memory.limiting, "reductions": memory.reductions, "transfers": memory.transfers,
    })
}
