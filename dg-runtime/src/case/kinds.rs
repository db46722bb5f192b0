//! Kinds of values in several sections of a case file.

use std::path::{Path, PathBuf};

use super::document::{Mistake, Value};
use crate::law::{Function, Law, Role};

/// The value read, or the first mistake.
pub(super) type Result<T, E = Mistake> = std::result::Result<T, E>;

/// A point of the plane.
pub(super) fn point(value: &Value<'_>) -> Result<[f64; 2]> {
    value.items("a point: [0.0, 0.0]", Value::number)
}

/// The function of the law named by a string.
pub(super) fn function(law: &'static Law, roles: &[Role], what: &str, value: &Value<'_>) -> Result<&'static Function> {
    let functions: Vec<_> = roles.iter().flat_map(|role| law.with_role(*role)).collect();
    let names: Vec<_> = functions.iter().map(|function| function.name).collect();
    Ok(functions[value.choice(&format!("{what} of {}", law.name), &names)?])
}

/// A path in a case file, which is relative to the file's directory.
pub(super) fn beside(case: &Path, path: &str) -> PathBuf {
    case.parent().unwrap_or(Path::new("")).join(path)
}

/// A key that becomes a part of a file's name; `what` is named so, for messages.
pub(super) fn file_stem<'d>(value: &Value<'d>, what: &str) -> Result<&'d str> {
    let name = value.key;
    if name.is_empty() || name.len() > 64 || !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) {
        let message =
            format!("`{name}` is no name of {what}, and of its file: take letters, digits, `_` and `-`, at most 64");
        return Err(value.name_mistake(message));
    }
    Ok(name)
}
