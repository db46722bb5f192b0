//! Formulas of a case file, and states given by them.

use std::path::Path;
use std::sync::Arc;

use super::document::{Section, Value};
use super::kinds::{Result, beside, function};
use super::{Formula, Initial};
use crate::formula::{FormulaError, Formulas, StateFormulas, Vocabulary};
use crate::law::{Function, Law, Role};
use crate::names::unknown;
use crate::solver::{Given, Medium, MediumOrigin};

/// Ways to give a state.
const WAYS: [&str; 3] = ["function", "formulas", "state"];

/// `[formulas]` and `[states]`, for all other sections.
pub(super) struct States {
    law: &'static Law,
    vocabulary: Arc<Vocabulary>,
    named: Vec<(String, StateFormulas)>,
}

impl States {
    /// Reads `[formulas]` and `[states]`.
    pub fn read(law: &'static Law, root: &Section<'_>) -> Result<Self> {
        let vocabulary = Arc::new(vocabulary(law, root)?);
        let mut states = Self { law, vocabulary, named: Vec::new() };
        for value in root.section("states")?.iter().flat_map(Section::entries) {
            if law.functions.iter().any(|function| function.name == value.key) {
                let message = format!("`{}` is a function of {}: take another name", value.key, law.name);
                return Err(value.name_mistake(message));
            }
            let state = states.table(&value.section()?)?;
            states.named.push((value.key.to_owned(), state));
        }
        Ok(states)
    }

    /// A state: a table of formulas, or a name of one of `[states]` or of an initial or exact function of the law.
    pub fn given(&self, value: &Value<'_>) -> Result<Given> {
        if value.is_section() {
            return Ok(Given::Formulas(self.table(&value.section()?)?));
        }
        let name = value.text()?;
        if let Some((_, state)) = self.named.iter().find(|(known, _)| known == name) {
            return Ok(Given::Formulas(state.clone()));
        }
        let mut known: Vec<_> = self.named.iter().map(|(name, _)| name.as_str()).collect();
        known.extend(self.functions());
        match [Role::Initial, Role::Exact].iter().find_map(|role| self.law.function(*role, name)) {
            Some(function) => Ok(Given::Function(function)),
            None => Err(value.mistake(unknown("state", name, &known))),
        }
    }

    /// A formula of position and time; `what` is its purpose, for messages.
    pub fn formula(&self, value: &Value<'_>, what: &str) -> Result<Formulas> {
        Ok(Formulas::new(&self.vocabulary, vec![self.parse(value, what)?]))
    }

    /// A formula that is not in the case's text.
    pub fn formula_of(&self, text: &str) -> Result<Formulas, FormulaError> {
        Ok(Formulas::new(&self.vocabulary, vec![self.vocabulary.parse(text)?]))
    }

    /// A table with a formula for every field of the medium.
    pub fn fields(&self, section: &Section<'_>) -> Result<Formulas> {
        let names: Vec<_> = self.law.medium.iter().map(|field| field.name).collect();
        section.allow(&names)?;
        let one = |name: &&str| self.parse(&section.require(name, "a formula for this field of the medium")?, name);
        Ok(Formulas::new(&self.vocabulary, names.iter().map(one).collect::<Result<_>>()?))
    }

    /// `[initial]` of the case file at this path.
    pub fn initial(&self, case: &Path, root: &Section<'_>) -> Result<Initial> {
        let section = root
            .section("initial")?
            .ok_or_else(|| root.mistake("the case file lacks [initial], the state at time 0"))?;
        section.allow(&[&WAYS[..], &["from"]].concat())?;
        if let Some(value) = section.get("from") {
            if let Some(other) = section.entries().find(|other| other.key != value.key) {
                return Err(other.name_mistake(format!("give `from` or `{}`, not both", other.key)));
            }
            let text = value.text()?.to_owned();
            return Ok(Initial::From { path: beside(case, &text), text });
        }
        let given = match self.one_of(&section)? {
            ("function", value) => {
                let roles = [Role::Initial, Role::Exact];
                Given::Function(function(self.law, &roles, "initial or exact function", &value)?)
            }
            ("formulas", value) => {
                let section = value.section()?;
                let state = self.table(&section)?;
                self.refuse_time(&section, "the initial state is that at time 0")?;
                Given::Formulas(state)
            }
            (_, value) => self.given(&value)?,
        };
        Ok(match given {
            Given::Function(function) => Initial::Function(function),
            Given::Formulas(state) => Initial::Formulas(state),
        })
    }

    /// `[exact]`, or an initial state that is an exact solution in this medium.
    pub fn exact(&self, root: &Section<'_>, initial: &Initial, medium: Option<&Medium>) -> Result<Option<Given>> {
        let solves = |function: &Function| self.solves_in(medium, function);
        let Some(section) = root.section("exact")? else {
            return Ok(match initial {
                Initial::Function(function) if function.role == Role::Exact && solves(function).is_ok() => {
                    Some(Given::Function(function))
                }
                _ => None,
            });
        };
        let (given, value) = match self.one_of(&section)? {
            ("function", value) => {
                (Given::Function(function(self.law, &[Role::Exact], "exact function", &value)?), value)
            }
            ("formulas", value) => (Given::Formulas(self.table(&value.section()?)?), value),
            (_, value) => (self.given(&value)?, value),
        };
        if let Given::Function(function) = &given
            && function.role == Role::Exact
        {
            solves(function).map_err(|message| value.mistake(message))?;
        }
        Ok(Some(given))
    }

    /// Whether an exact solution solves the law in this medium: it was proved for the law's first `#[medium]` function.
    pub(super) fn solves_in(&self, medium: Option<&Medium>, solution: &Function) -> Result<(), String> {
        let proved = self.law.with_role(Role::Medium).next();
        match (proved, medium) {
            (_, None) => Ok(()),
            (Some(proved), Some(Medium { origin: MediumOrigin::Function(function), .. }))
                if function.name == proved.name =>
            {
                Ok(())
            }
            (Some(proved), _) => Err(format!(
                "`{}` solves {} in the medium `{}`, and [medium] gives another one; leave `{}` or [medium] out",
                solution.name, self.law.name, proved.name, solution.name
            )),
            (None, _) => Err(format!(
                "{} has no `#[medium]` function in which `{}` would solve it; write one, or leave `{}` out",
                self.law.name, solution.name, solution.name
            )),
        }
    }

    /// The key by which a section gives a state, exactly one of these ways.
    fn one_of<'d>(&self, section: &Section<'d>) -> Result<(&'static str, Value<'d>)> {
        section.allow(&WAYS)?;
        let mut given = WAYS.into_iter().filter_map(|way| Some((way, section.get(way)?)));
        match (given.next(), given.next()) {
            (Some(one), None) => Ok(one),
            (Some((first, _)), Some((second, value))) => {
                Err(value.name_mistake(format!("give a `{first}` or `{second}`, not both")))
            }
            (None, _) => Err(section.mistake(
                "give a `function` of the law, `formulas` for the components, or a `state` by its name in [states]",
            )),
        }
    }

    /// A formula for each component of the state, or for each of other variables of the law.
    fn table(&self, section: &Section<'_>) -> Result<StateFormulas> {
        let (of_variables, names) = self.variables(section)?;
        let one = |name: &&str| {
            let meaning = match of_variables {
                None => "a formula for this component of the state".to_owned(),
                Some(function) => format!("a formula for this variable of `{}`", function.name),
            };
            self.parse(&section.require(name, &meaning)?, name)
        };
        let formulas = names.iter().map(one).collect::<Result<_>>()?;
        Ok(StateFormulas::new(Formulas::new(&self.vocabulary, formulas), of_variables))
    }

    /// The variables to which a table of formulas refers: the set with most of its keys.
    fn variables(&self, section: &Section<'_>) -> Result<(Option<&'static Function>, Vec<&'static str>)> {
        let components = self.law.state.iter().map(|variable| variable.name).collect();
        let others = self.law.variables();
        let mut sets = vec![(None, components)];
        sets.extend(others.map(|function| (Some(function), function.variables().to_vec())));
        let among = |names: &[&str]| section.entries().filter(|value| names.contains(&value.key)).count();
        // Of equal counts the first is taken, unlike with `max_by_key`.
        let (of_variables, names) =
            sets.iter().rev().max_by_key(|(_, names)| among(names)).cloned().unwrap_or_default();
        let stranger = section.entries().find(|value| !names.contains(&value.key));
        let Some(stranger) = stranger else { return Ok((of_variables, names)) };
        let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match sets.iter().find(|(_, others)| others.contains(&stranger.key)) {
            Some((_, others)) => Err(stranger.name_mistake(format!(
                "variables are mixed: give formulas for {}, or for {}",
                list(&names),
                list(others)
            ))),
            None => section.allow(&names).map(|()| (of_variables, names)),
        }
    }

    /// Refuses formulas that depend on time, for this reason.
    fn refuse_time(&self, section: &Section<'_>, reason: &str) -> Result<()> {
        for value in section.entries() {
            if let Some(place) = self.vocabulary.time_in(&self.parse(&value, value.key)?) {
                let message = format!("the formula for `{}` depends on the time `t`, and {reason}", value.key);
                return Err(value.mistake_within(place, message));
            }
        }
        Ok(())
    }

    fn parse(&self, value: &Value<'_>, what: &str) -> Result<Formula> {
        self.vocabulary.parse(value.formula()?).map_err(|error| {
            let message = format!("in the formula for `{what}`: {}", error.message);
            value.mistake_within(error.span, message)
        })
    }

    /// Functions of the law that give states.
    fn functions(&self) -> impl Iterator<Item = &str> {
        let law = self.law;
        [Role::Initial, Role::Exact].into_iter().flat_map(move |role| law.with_role(role)).map(|function| function.name)
    }
}

/// The vocabulary of the case's formulas: that of the law, and the definitions of `[formulas]`.
fn vocabulary(law: &'static Law, root: &Section<'_>) -> Result<Vocabulary> {
    let named: Vec<Value<'_>> = root.section("formulas")?.iter().flat_map(Section::entries).collect();
    let mut pairs = Vec::new();
    let read = |pairs: &[(&str, &str)]| {
        Vocabulary::new(law, pairs).map_err(|(i, error)| {
            let message = format!("in the formula for `{}`: {}", named[i].key, error.message);
            named[i].mistake_within(error.span, message)
        })
    };
    let of_law = read(&[])?;
    for value in &named {
        of_law.check_name(value.key).map_err(|message| value.name_mistake(message))?;
        pairs.push((value.key, value.formula()?));
    }
    read(&pairs)
}
