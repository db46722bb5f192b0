//! The text of the schedules, and what they share memory by.

use std::fmt::Write as _;

use dg_contract::Schedule;

use crate::ir::{Law, Role};
use crate::reference::Operators;

/// The texts of a schedule's kernels.
pub(super) fn kernels(schedule: Schedule) -> &'static [&'static str] {
    match schedule {
        Schedule::Element => &[
            include_str!("../../kernels/volume.cu"),
            include_str!("../../kernels/surface.cu"),
            include_str!("../../kernels/stage.cu"),
        ],
        Schedule::Component => &[TRACES, TEAM, include_str!("../../kernels/columns_vector.cu"), STAGE],
        // Rows of 36 numbers: what the lanes of a fragment read lies in different banks.
        Schedule::Tensor => {
            &[TRACES, "#define SHARED_STRIDE 36\n", TEAM, include_str!("../../kernels/columns_tensor.cu"), STAGE]
        }
    }
}

const TRACES: &str = include_str!("../../kernels/traces.cu");
const TEAM: &str = include_str!("../../kernels/team.h");
const STAGE: &str = include_str!("../../kernels/stage_team.cu");

/// Rows of shared memory, of 32 numbers, that a member may take: four blocks of four members fit a multiprocessor of 227 KiB.
const ROWS: usize = 48;
/// What a block may have of shared memory on every GPU of compute capability 8.0 or later, and on those that are fast with
/// tensor instructions in double precision.
const BYTES: usize = 99 << 10;
const TENSOR_BYTES: usize = 163 << 10;
/// What a block may have of shared memory without asking the driver for more.
const STATIC_BYTES: usize = 48 << 10;
/// Points that fill a tile of a tensor instruction.
const TILE_POINTS: usize = 8;
/// Numbers in a row, by tensor instructions.
const TENSOR_ROW: usize = 36;

/// The numbers of the schedules, and how many points of the volume are in shared memory at once.
pub(super) fn defines(law: &Law, o: &Operators) -> String {
    let mut text = String::new();
    for (number, schedule) in Schedule::ALL.iter().enumerate() {
        let _ = writeln!(text, "#define {} {number}", schedule.define());
    }
    let _ = writeln!(text, "#define MEMBERS {}", law.state.fields.len());
    let (without, with) = (law.dim, law.dim + 1);
    if !super::has_source(law) {
        text.push_str(&shared_memory(law, o, without));
    } else if law.only(&Role::Source).is_some() {
        text.push_str(&shared_memory(law, o, with));
    } else {
        let _ = write!(
            text,
            "#ifdef MANUFACTURED\n{}#else\n{}#endif\n",
            shared_memory(law, o, with),
            shared_memory(law, o, without)
        );
    }
    text
}

/// What a point of the volume takes of shared memory, which is room for its terms: the flux in each direction, and the
/// source where there is one.
fn shared_memory(law: &Law, o: &Operators, terms: usize) -> String {
    let mut text = String::new();
    let points = o.volume_points.len();
    // A member also keeps the largest wave speed that it has met at each face.
    let (members, faces) = (law.state.fields.len(), o.shape.faces());
    let traces = faces * o.face_points.len();
    let row = members * 32 * size_of::<f64>();
    let rows = ROWS.min((BYTES / row).saturating_sub(faces)).saturating_sub(traces).max(terms);
    // Two tiles of points where they fit.
    let tensor_rows = traces.max(o.basis).next_multiple_of(TILE_POINTS) + 2 * TILE_POINTS * terms;
    let two_fit = members * (tensor_rows + faces) * TENSOR_ROW * size_of::<f64>() <= TENSOR_BYTES;
    let tiles = if two_fit { 2 } else { 1 };
    let chunk = |most: usize| points.div_ceil(points.div_ceil(most));
    for (name, value) in
        [("TERMS", terms), ("VECTOR_CHUNK", chunk(rows / terms)), ("TENSOR_CHUNK", chunk(tiles * TILE_POINTS))]
    {
        let _ = writeln!(text, "#define {name} {value}");
    }
    // Code that knows the place of its shared memory is a little faster.
    if row * (traces + chunk(rows / terms) * terms + faces) <= STATIC_BYTES {
        text.push_str("#if SCHEDULE == COMPONENT\n#define STATIC_SHARED\n#endif\n");
    }
    text
}
