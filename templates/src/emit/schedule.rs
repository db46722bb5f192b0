//! The texts of the schedules.

use std::fmt::Write as _;

use dg_contract::Schedule;

/// The texts of a schedule's kernels.
pub(super) fn kernels(schedule: Schedule) -> &'static [&'static str] {
    match schedule {
        Schedule::Element => &[PATCH, VOLUME, VECTOR, FACES, include_str!("../../kernels/volume_element.cu"), STAGE],
        Schedule::Component => &[PATCH, VOLUME, VECTOR, FACES, TEAM, STAGE],
        // Rows of four numbers more: what the lanes of a fragment read lies in different banks.
        Schedule::Tensor => &["#define ROW_PADDING 4\n", PATCH, VOLUME, TENSOR, FACES, TEAM, STAGE],
    }
}

const PATCH: &str = include_str!("../../kernels/patch.h");
const VOLUME: &str = include_str!("../../kernels/volume.cu");
const VECTOR: &str = include_str!("../../kernels/columns_vector.cu");
const TENSOR: &str = include_str!("../../kernels/columns_tensor.cu");
const FACES: &str = include_str!("../../kernels/faces.cu");
const TEAM: &str = include_str!("../../kernels/volume_team.cu");
const STAGE: &str = include_str!("../../kernels/stage.cu");

/// The numbers of the schedules, and what a unit that is compiled alone has for the size of patches and the most faces on the
/// rim of one.
pub(super) fn defines() -> String {
    let mut text = String::new();
    for (number, schedule) in Schedule::ALL.iter().enumerate() {
        let _ = writeln!(text, "#define {} {number}", schedule.define());
    }
    text.push_str("#ifndef PATCH\n#define PATCH 32\n#endif\n#ifndef RIM\n#define RIM (FACES * PATCH)\n#endif\n");
    text
}
