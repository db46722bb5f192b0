//! The texts of the schedules.

use std::fmt::Write as _;

use dg_contract::{Schedule, Shape};

/// The texts of a schedule's stage.
fn kernels(schedule: Schedule, shape: Shape) -> Vec<&'static str> {
    // Rows are four numbers longer where the lanes of a fragment must read from different banks.
    let padding = if schedule == Schedule::Tensor { "#define ROW_PADDING 4\n" } else { "" };
    let columns: &[_] = match (schedule, shape.is_product()) {
        (Schedule::Tensor, _) => &[RIM, TENSOR],
        (_, false) => &[include_str!("../columns_points.cu"), RIM, SLOPES, VECTOR],
        (_, true) => &[include_str!("../columns_product.cu"), SLOPES, VECTOR],
    };
    let volume = if schedule == Schedule::Element { include_str!("../volume_element.cu") } else { TEAM };
    [&[padding, PATCH, WIDE, COLUMNS, UPDATE, VOLUME], columns, &[FACES, volume, STAGE]].concat()
}

const PATCH: &str = include_str!("../patch.h");
const WIDE: &str = include_str!("../wide.h");
const COLUMNS: &str = include_str!("../columns.cu");
const UPDATE: &str = include_str!("../update.cu");
const VOLUME: &str = include_str!("../volume.cu");
const RIM: &str = include_str!("../columns_rim.cu");
const SLOPES: &str = include_str!("../columns_slopes.cu");
const VECTOR: &str = include_str!("../columns_vector.cu");
const TENSOR: &str = include_str!("../columns_tensor.cu");
const FACES: &str = include_str!("../faces.cu");
const TEAM: &str = include_str!("../volume_team.cu");
const STAGE: &str = include_str!("../stage.cu");
const PREDICT: &str = include_str!("../predict.cu");
const PREDICT_SERIES: &str = include_str!("../predict_series.cu");

/// The texts of these schedules on a shape, of which `SCHEDULE` chooses one; for a linear law with the predictors of ADER.
pub fn text(schedules: &[Schedule], linear: bool, shape: Shape) -> String {
    let mut text = String::new();
    for (i, of_text) in schedules.chunk_by(|a, b| kernels(*a, shape) == kernels(*b, shape)).enumerate() {
        let is_one = |schedule: &Schedule| format!("SCHEDULE == {}", schedule.define());
        let any = of_text.iter().map(is_one).collect::<Vec<_>>().join(" || ");
        let _ = writeln!(text, "#{} {any}", if i == 0 { "if" } else { "elif" });
        for kernel in kernels(of_text[0], shape) {
            text.push_str(kernel);
            text.push('\n');
        }
    }
    text.push_str("#endif\n");
    if linear { text + PREDICT + "\n" + PREDICT_SERIES } else { text }
}

/// The numbers of the schedules; and defaults, for a unit that is compiled alone, of the schedule, the patch size and the most faces
/// on a rim.
pub fn defines(default: Schedule) -> String {
    let mut text = String::new();
    for (number, schedule) in Schedule::ALL.iter().enumerate() {
        let _ = writeln!(text, "#define {} {number}", schedule.define());
    }
    let _ = writeln!(text, "#ifndef SCHEDULE\n#define SCHEDULE {}\n#endif", default.define());
    // With `pair` a thread has two elements, and a warp of threads a component of twice as many.
    let blocks = if default == Schedule::Pair { 2 } else { 1 };
    let _ = writeln!(text, "#ifndef PATCH_BLOCKS\n#define PATCH_BLOCKS {blocks}\n#endif");
    text.push_str("#ifndef RIM\n#define RIM (FACES * PATCH)\n#endif\n");
    text
}
