//! `[medium]`: what gives the medium of a law that has one.

use std::path::Path;
use std::sync::Arc;

use super::document::{Section, Value};
use super::kinds::{Result, beside, function};
use super::states::States;
use crate::io::interpolant::Interpolant;
use crate::law::{Law, Role};
use crate::solver::{Medium, MediumOrigin};

/// Ways to give a medium.
const WAYS: [&str; 4] = ["function", "formulas", "groups", "file"];

/// `[medium]` of a case of this order; where no way is given, by the law's only `#[medium]` function, if it has one.
pub(super) fn medium(
    law: &'static Law,
    order: usize,
    path: &Path,
    root: &Section<'_>,
    states: &States,
) -> Result<Option<Medium>> {
    let section = root.section("medium")?;
    if law.medium.is_empty() {
        return match section {
            None => Ok(None),
            Some(section) => Err(section.mistake(format!("{} has no medium: leave [medium] out", law.name))),
        };
    }
    if let Some(section) = &section {
        section.allow(&[&WAYS[..], &["outside", "degree"]].concat())?;
    }
    let get = |key: &str| section.as_ref().and_then(|section| section.get(key));
    let mut given = WAYS.into_iter().filter_map(get);
    let origin = match (given.next(), given.next()) {
        (Some(first), Some(second)) => {
            return Err(second.name_mistake(format!("give `{}` or `{}`, not both", first.key, second.key)));
        }
        (Some(value), None) if value.key == "file" => file(law, path, &value, get("outside").as_ref())?,
        (Some(value), None) => origin(law, &value, states)?,
        (None, _) => by_only_function(law, section.as_ref().unwrap_or(root))?,
    };
    if let (Some(value), false) = (get("outside"), matches!(origin, MediumOrigin::File(..))) {
        return Err(value.name_mistake("`outside` is for a `file`, which may end before the mesh does; leave it out"));
    }
    Ok(Some(Medium { origin, degree: get("degree").map(|value| degree(&value, order)).transpose()? }))
}

fn origin(law: &'static Law, value: &Value<'_>, states: &States) -> Result<MediumOrigin> {
    match value.key {
        "function" => Ok(MediumOrigin::Function(function(law, &[Role::Medium], "function of the medium", value)?)),
        "formulas" => Ok(MediumOrigin::Formulas(states.fields(&value.section()?)?)),
        _ => {
            let groups = value.section()?;
            let one = |group: Value<'_>| Ok((group.key.to_owned(), states.fields(&group.section()?)?));
            Ok(MediumOrigin::Groups(groups.entries().map(one).collect::<Result<_>>()?))
        }
    }
}

fn file(law: &Law, case: &Path, value: &Value<'_>, outside: Option<&Value<'_>>) -> Result<MediumOrigin> {
    let extended = outside.map_or(Ok(0), |value| value.choice("way to extend a file", &["refused", "nearest"]))? == 1;
    let names: Vec<_> = law.medium.iter().map(|field| field.name).collect();
    let read = Interpolant::read(&beside(case, value.text()?), &names);
    Ok(MediumOrigin::File(Arc::new(read.map_err(|error| value.mistake(error.to_string()))?), extended))
}

/// The medium where a section gives none.
fn by_only_function(law: &'static Law, section: &Section<'_>) -> Result<MediumOrigin> {
    let mut functions = law.with_role(Role::Medium);
    let first = functions.next();
    if let (Some(function), None) = (first, functions.next()) {
        return Ok(MediumOrigin::Function(function));
    }
    let fields: Vec<_> = law.medium.iter().map(|field| field.name).collect();
    let function = first.map(|function| format!("a function of the law (`function = \"{}\"`), ", function.name));
    Err(section.mistake(format!(
        "the case file lacks the medium of {}: give in [medium] {}`formulas` for {}, such formulas for `groups` of elements, or a `file`",
        law.name,
        function.unwrap_or_default(),
        fields.join(", ")
    )))
}

fn degree(value: &Value<'_>, order: usize) -> Result<usize> {
    match value.whole(0)? {
        degree if degree <= order => Ok(degree),
        degree => Err(value.mistake(format!("`degree` is to be at most the order, {order}, found {degree}"))),
    }
}
