//! `[boundaries]` of a case file.

use std::collections::BTreeMap;

use super::Initial;
use super::document::{Section, Value};
use super::kinds::Result;
use super::states::States;
use crate::law::Law;
use crate::solver::{Choice, Condition, Given};

/// The condition on each boundary, and the pairs of periodic ones.
pub(super) type Boundaries = (BTreeMap<String, Condition>, Vec<(String, String)>);

/// Reads `[boundaries]`.
pub(super) fn boundaries(root: &Section<'_>, context: &Context<'_>) -> Result<Boundaries> {
    let section = root.section("boundaries")?;
    let (mut conditions, mut periodic) = (BTreeMap::new(), Vec::<(String, String)>::new());
    for value in section.iter().flat_map(Section::entries) {
        let other = if value.is_section() { value.section()?.get("periodic") } else { None };
        if let Some(other) = other {
            value.section()?.allow(&["periodic"])?;
            periodic.push((value.key.to_owned(), other.text()?.to_owned()));
        } else {
            conditions.insert(value.key.to_owned(), condition(&value, context, &["periodic"])?);
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

/// Parts of the case from other sections, to which conditions refer.
pub(super) struct Context<'a> {
    /// The law.
    pub law: &'static Law,
    /// States and formulas.
    pub states: &'a States,
    /// The state at time 0.
    pub initial: &'a Initial,
}

/// The forms of conditions as tables, for messages.
const FORMS: &str = "{ state = { … } }, { far_field = { … } } or { if = \"x < 1\", then = …, else = … }";

/// A condition: the name of a boundary function, or a table; `others` are names of tables allowed elsewhere.
fn condition(value: &Value<'_>, context: &Context<'_>, others: &[&str]) -> Result<Condition> {
    if !value.is_section() {
        return named(value, context);
    }
    let section = value.section()?;
    section.allow(&[&["state", "far_field", "if", "then", "else"], others].concat())?;
    if let Some(given) = section.get("state") {
        section.allow(&["state"])?;
        return Ok(Condition::Given(context.states.given(&given)?));
    }
    if let Some(given) = section.get("far_field") {
        section.allow(&["far_field"])?;
        require_far_field(&given, context.law)?;
        return Ok(Condition::FarField(context.states.given(&given)?));
    }
    if section.entries().next().is_none() {
        return Err(value.mistake(format!("`{}` has no condition: give a boundary function, {FORMS}", value.key)));
    }
    section.allow(&["if", "then", "else"])?;
    let one = section.require("if", "a formula that says where: if = \"x < 1\"")?;
    let part = |key: &str| {
        let value = section.require(key, "a boundary function or a table with a condition")?;
        condition(&value, context, &[])
    };
    Ok(Condition::If(Box::new(Choice {
        condition: context.states.formula(&one, "if")?,
        holds: part("then")?,
        fails: part("else")?,
    })))
}

/// The condition that needs no more than its name.
pub(super) const ABSORBING: &str = "absorbing";

/// A condition by its name: a boundary function of the law, or the derived one.
fn named(value: &Value<'_>, context: &Context<'_>) -> Result<Condition> {
    let law = context.law;
    if value.text()? == ABSORBING {
        require_far_field(value, law)?;
        return Ok(Condition::Absorbing(match context.initial {
            Initial::Function(function) => Given::Function(function),
            Initial::Formulas(formulas) => Given::Formulas(formulas.clone()),
            Initial::From { .. } => {
                let message = "what comes in through `absorbing` is of the initial state as a function or formulas give it, and here that \
                               is another run's; give the state: { far_field = { … } }";
                return Err(value.mistake(message));
            }
        }));
    }
    let functions: Vec<_> = law.boundaries().collect();
    let derived = law.algebra.far_field.is_ok().then_some(ABSORBING);
    let names: Vec<_> = functions.iter().map(|function| function.name).chain(derived).collect();
    Ok(Condition::Function(functions[value.choice(&format!("boundary function of {}", law.name), &names)?]))
}

fn require_far_field(value: &Value<'_>, law: &Law) -> Result<()> {
    let none = |reason| {
        value.mistake(format!(
            "{} has no boundary that tells waves apart: {reason}; take a boundary function of the law, or the state \
             outside: {{ state = {{ … }} }}",
            law.name
        ))
    };
    law.algebra.far_field.map_err(none)
}
