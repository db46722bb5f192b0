//! `[boundaries]` of a case file.

use std::collections::BTreeMap;

use super::document::{Section, Value};
use super::read::{Result, function};
use super::states::States;
use crate::law::{Law, Role};
use crate::solver::{Choice, Condition};

/// The condition on each boundary, and pairs of periodic ones.
pub(super) type Boundaries = (BTreeMap<String, Condition>, Vec<(String, String)>);

/// Reads `[boundaries]`.
pub(super) fn boundaries(law: &'static Law, root: &Section<'_>, states: &States) -> Result<Boundaries> {
    let section = root.section("boundaries")?;
    let (mut conditions, mut periodic) = (BTreeMap::new(), Vec::<(String, String)>::new());
    for value in section.iter().flat_map(Section::entries) {
        let other = if value.is_section() { value.section()?.get("periodic") } else { None };
        if let Some(other) = other {
            value.section()?.allow(&["periodic"])?;
            periodic.push((value.key.to_owned(), other.text()?.to_owned()));
        } else {
            conditions.insert(value.key.to_owned(), condition(law, &value, states, &["periodic"])?);
        }
    }
    for value in section.iter().flat_map(Section::entries) {
        let times = periodic.iter().filter(|(a, b)| a == value.key || b == value.key).count();
        let twice = times + usize::from(conditions.contains_key(value.key)) > 1;
        if twice {
            let message = format!("the boundary `{}` has two conditions; a periodic pair is said once", value.key);
            return Err(value.name_mistake(message));
        }
    }
    Ok((conditions, periodic))
}

/// The tables that are conditions, as messages show them.
const FORMS: &str = "{ state = { … } } or { if = \"x < 1\", then = …, else = … }";

/// A condition: the name of a boundary function, or a table; `others` are keys of tables that stand elsewhere.
fn condition(law: &'static Law, value: &Value<'_>, states: &States, others: &[&str]) -> Result<Condition> {
    if !value.is_section() {
        return Ok(Condition::Function(function(law, &[Role::Boundary], "boundary function", value)?));
    }
    let section = value.section()?;
    section.allow(&[&["state", "if", "then", "else"], others].concat())?;
    if let Some(given) = section.get("state") {
        section.allow(&["state"])?;
        return Ok(Condition::Given(states.given(&given)?));
    }
    if section.entries().next().is_none() {
        return Err(value.mistake(format!("`{}` has no condition: give a boundary function, {FORMS}", value.key)));
    }
    section.allow(&["if", "then", "else"])?;
    let one = section.require("if", "a formula that says where: if = \"x < 1\"")?;
    let part = |key: &str| {
        let value = section.require(key, "a boundary function or a table with a condition")?;
        condition(law, &value, states, &[])
    };
    Ok(Condition::If(Box::new(Choice {
        condition: states.formula(&one, "if")?,
        holds: part("then")?,
        fails: part("else")?,
    })))
}
