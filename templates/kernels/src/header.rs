//! The comment at the beginning of a unit.

use std::fmt::Write as _;

use dg_contract::reference::Operators;
use dg_contract::{KernelCost, Law, Unit};

use crate::sizes::has_manufactured;

/// Law, shape, order and points of a unit, and the work of its kernels.
pub fn header(law: &Law, unit: &Unit, o: &Operators) -> String {
    let mut text = format!(
        "/* {} on the {}, order {}: {} components, {} basis functions.\n *\n\
         \x20* Quadrature: {} points in the volume (degree {}), {} on a face, {} for projection and errors (degree {}).\n *\n\
         \x20* Per element, as written (every + - * /, root and function counts as one):\n *\n\
         \x20* kernel        flops   reals   integers (at least once each)\n",
        law.name,
        o.shape.name(),
        o.order,
        law.state.len(),
        o.basis,
        o.volume_points.len(),
        2 * o.order,
        o.face_points.len(),
        o.fine_points.len(),
        2 * o.order + 4,
    );
    for KernelCost { name, cost, .. } in unit.costs.iter().filter(|kernel| kernel.medium_basis == 1) {
        let _ = writeln!(text, " * {name:<10} {:>8} {:>7} {:>10}", cost.flops, cost.reals, cost.integers);
    }
    if o.mesh_order > o.order {
        let points = o.order + 1;
        let _ = writeln!(
            text,
            " *\n * Counted with {points} points on a face, so that it is more with those of a higher degree beside it."
        );
    }
    text.push_str(
        " *\n\
         \x20* Counted are the kernels of steps and of rows of the history; the others run once, or for a file, or do nothing per\n\
         \x20* element (`advance_clock`).\n *\n\
         \x20* `stage` with the Rusanov flux, reading u and u^n and writing u, on a patch that has no rim: every face is computed\n\
         \x20* once for both sides. No boundaries, in `time_step` neither",
    );
    text.push_str(if has_manufactured(law) { "; no source of a manufactured solution" } else { "" });
    text.push_str(". */\n\n");
    text
}
