//! Messages about incoming waves for which a boundary gives no data.

use serde_json::{Value, json};

use crate::law::Law;
use crate::solver::Entering;

/// A warning that names the boundary and a better condition.
pub(super) fn warning(law: &Law, entering: &Entering) -> String {
    let Entering { boundary, function, waves, faces, copying } = entering;
    let remedy = match law.algebra.far_field {
        Ok(()) => format!("take {boundary} = \"absorbing\" or {{ far_field = … }}"),
        Err(_) => "give the state outside".to_owned(),
    };
    format!(
        "warning: through `{boundary}`, where `{function}` copies the inner state, up to {waves} of {} waves come in, at {faces} of \
         {copying} faces: nothing says what they carry, which is unstable; {remedy}",
        law.state.len()
    )
}

/// The same for programs.
pub(super) fn as_json(list: &[Entering]) -> Value {
    let one = |entering: &Entering| {
        let Entering { boundary, function, waves, faces, copying } = entering;
        json!({ "boundary": boundary, "function": function, "waves": waves, "faces": faces, "copying": copying })
    };
    list.iter().map(one).collect()
}
