//! The texts of the schedules.

use std::fmt::Write as _;

use dg_contract::Schedule;

/// The texts of a schedule's stage.
fn kernels(schedule: Schedule) -> &'static [&'static str] {
    match schedule {
        Schedule::Element => {
            &[PATCH, WIDE, COLUMNS, UPDATE, VOLUME, VECTOR, FACES, include_str!("../volume_element.cu"), STAGE]
        }
        Schedule::Component | Schedule::Pair => &[PATCH, WIDE, COLUMNS, UPDATE, VOLUME, VECTOR, FACES, TEAM, STAGE],
        // Rows are four numbers longer, so that the lanes of a fragment read from different banks.
        Schedule::Tensor => {
            &["#define ROW_PADDING 4\n", PATCH, WIDE, COLUMNS, UPDATE, VOLUME, TENSOR, FACES, TEAM, STAGE]
        }
    }
}

const PATCH: &str = include_str!("../patch.h");
const WIDE: &str = include_str!("../wide.h");
const COLUMNS: &str = include_str!("../columns.cu");
const UPDATE: &str = include_str!("../update.cu");
const VOLUME: &str = include_str!("../volume.cu");
const VECTOR: &str = include_str!("../columns_vector.cu");
const TENSOR: &str = include_str!("../columns_tensor.cu");
const FACES: &str = include_str!("../faces.cu");
const TEAM: &str = include_str!("../volume_team.cu");
const STAGE: &str = include_str!("../stage.cu");
const PREDICT: &str = include_str!("../predict.cu");
const PREDICT_SERIES: &str = include_str!("../predict_series.cu");

/// The texts of all schedules, of which `SCHEDULE` chooses one; for a linear law with the predictors of ADER.
pub fn text(linear: bool) -> String {
    let mut text = String::new();
    for (i, schedule) in Schedule::ALL.iter().enumerate() {
        let _ = writeln!(text, "#{} SCHEDULE == {}", if i == 0 { "if" } else { "elif" }, schedule.define());
        for kernel in kernels(*schedule) {
            text.push_str(kernel);
            text.push('\n');
        }
    }
    text.push_str("#endif\n");
    if linear { text + PREDICT + "\n" + PREDICT_SERIES } else { text }
}

/// The numbers of the schedules; and defaults, for a unit that is compiled alone, of the patch size and the most faces
/// on a rim.
pub fn defines() -> String {
    let mut text = String::new();
    for (number, schedule) in Schedule::ALL.iter().enumerate() {
        let _ = writeln!(text, "#define {} {number}", schedule.define());
    }
    text.push_str("#ifndef PATCH\n#define PATCH 32\n#endif\n#ifndef RIM\n#define RIM (FACES * PATCH)\n#endif\n");
    text
}
