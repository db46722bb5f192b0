//! Several formulas, and the names in them.

use std::ops::Range;
use std::sync::Arc;

use super::{Formula, FormulaError, functions};
use crate::law::{AXES, Arguments, Law};

/// The names that formulas may use: position, time, a law's parameters, its fields where formulas are quantities of the solution, and
/// named formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// The coordinates, the time, the parameters, the fields, then the named formulas.
    names: Vec<String>,
    pub(super) dim: usize,
    /// The number of fields.
    pub(super) fields: usize,
    /// The named formulas.
    pub(super) named: Vec<Formula>,
}

pub(super) const TIME: &str = "t";

impl Vocabulary {
    /// The vocabulary of a law and of named formulas: pairs of a name and a text, in any order.
    ///
    /// # Errors
    ///
    /// The number of the faulty pair and the error, for example that a formula needs its own value.
    pub fn new(law: &Law, named: &[(&str, &str)]) -> Result<Self, (usize, FormulaError)> {
        Self::with_fields(law, &[], named)
    }

    /// The same with the names of these [fields](Law::fields), or of none: all of them, for formulas of the solution.
    ///
    /// # Errors
    ///
    /// Those of [`Self::new`].
    pub fn with_fields(law: &Law, fields: &[&str], named: &[(&str, &str)]) -> Result<Self, (usize, FormulaError)> {
        let parameters = law.parameters.iter().map(|parameter| parameter.name);
        let given = AXES[..law.dim].iter().copied().chain([TIME]).chain(parameters).chain(fields.iter().copied());
        let names = given.chain(named.iter().map(|(name, _)| *name)).map(str::to_owned).collect();
        let mut vocabulary = Self { names, dim: law.dim, fields: fields.len(), named: Vec::new() };
        for (i, (_, text)) in named.iter().enumerate() {
            let formula = vocabulary.parse(text).map_err(|error| (i, error))?;
            vocabulary.named.push(formula);
        }
        let mut order = Order { vocabulary: &vocabulary, open: Vec::new(), done: Vec::new() };
        (0..named.len()).try_for_each(|i| order.add(i))?;
        Ok(vocabulary)
    }

    /// Whether a formula may have this name.
    ///
    /// # Errors
    ///
    /// Why not.
    pub fn check_name(&self, name: &str) -> Result<(), String> {
        let letter = |c: char| c.is_alphabetic() || c == '_';
        if !name.starts_with(letter) || !name.chars().all(|c| letter(c) || c.is_numeric()) {
            return Err(format!("`{name}` is no name: take letters, digits and `_`, and a letter first"));
        }
        let taken = self.names.iter().map(String::as_str).chain(functions()).chain(["pi"]).any(|known| known == name);
        if taken { Err(format!("`{name}` is something else in formulas: take another name")) } else { Ok(()) }
    }

    /// Reads a formula.
    ///
    /// # Errors
    ///
    /// Those of [`Formula::parse`].
    pub fn parse(&self, text: &str) -> Result<Formula, FormulaError> {
        let names: Vec<_> = self.names.iter().map(String::as_str).collect();
        Formula::parse(text, &names)
    }

    /// The place in a formula where it depends on time, directly or through a named one.
    pub fn time_in(&self, formula: &Formula) -> Option<Range<usize>> {
        let depends = |index: usize| {
            let named = index.checked_sub(self.first_named()).and_then(|i| self.named.get(i));
            index == self.dim || named.is_some_and(|named| self.time_in(named).is_some())
        };
        formula.uses().iter().find(|(index, _)| depends(*index)).map(|(_, place)| place.clone())
    }

    /// The variable number of the first named formula.
    pub(super) fn first_named(&self) -> usize {
        self.names.len() - self.named.len()
    }

    /// The names of the parameters.
    pub(super) fn parameters(&self) -> &[String] {
        &self.names[self.dim + 1..self.first_named() - self.fields]
    }

    /// The named formulas that a formula uses.
    fn named_in<'f>(&self, formula: &'f Formula) -> impl Iterator<Item = (usize, &'f Range<usize>)> {
        let first = self.first_named();
        formula.uses().iter().filter_map(move |(index, place)| Some((index.checked_sub(first)?, place)))
    }
}

/// Sorts named formulas so that each comes after those that it uses.
struct Order<'v> {
    vocabulary: &'v Vocabulary,
    open: Vec<usize>,
    done: Vec<usize>,
}

impl Order<'_> {
    fn add(&mut self, i: usize) -> Result<(), (usize, FormulaError)> {
        if self.done.contains(&i) {
            return Ok(());
        }
        self.open.push(i);
        let vocabulary = self.vocabulary;
        for (used, place) in vocabulary.named_in(&vocabulary.named[i]) {
            if let Some(begin) = self.open.iter().position(|&open| open == used) {
                let names = self.open[begin..].iter().chain([&used]);
                let names: Vec<_> = names.map(|i| &*vocabulary.names[vocabulary.first_named() + i]).collect();
                let message = format!("this formula needs its own value: {}", names.join(" → "));
                return Err((i, FormulaError { message, span: place.clone() }));
            }
            self.add(used)?;
        }
        self.open.pop();
        self.done.push(i);
        Ok(())
    }
}

/// Formulas of position, time and a law's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Formulas {
    pub(super) vocabulary: Arc<Vocabulary>,
    /// The named formulas that they use, each after those in it.
    pub(super) named: Vec<usize>,
    pub(super) values: Vec<Formula>,
}

impl Formulas {
    /// Formulas read by [`Vocabulary::parse`].
    pub fn new(vocabulary: &Arc<Vocabulary>, values: Vec<Formula>) -> Self {
        let mut order = Order { vocabulary, open: Vec::new(), done: Vec::new() };
        for (used, _) in values.iter().flat_map(|formula| vocabulary.named_in(formula)) {
            // No formula of a vocabulary needs its own value.
            let _ = order.add(used);
        }
        let named = order.done;
        Self { vocabulary: vocabulary.clone(), named, values }
    }

    /// Whether each of them depends on time.
    pub fn depend_on_time(&self) -> impl Iterator<Item = bool> {
        self.values.iter().map(|formula| self.vocabulary.time_in(formula).is_some())
    }

    /// Their values for these arguments.
    pub fn values(&self, at: &Arguments<'_>) -> Vec<f64> {
        let vocabulary = &*self.vocabulary;
        let mut variables = [at.position, &[at.time], at.parameters].concat();
        variables.resize(vocabulary.names.len(), f64::NAN);
        for &i in &self.named {
            variables[vocabulary.first_named() + i] = vocabulary.named[i].value(&variables);
        }
        self.values.iter().map(|formula| formula.value(&variables)).collect()
    }

    /// The first formula, here or among the named ones in use, whose value is not finite, with that value.
    pub fn not_finite(&self, at: &Arguments<'_>) -> Option<(&str, f64)> {
        let named = self.named.iter().map(|&i| &self.vocabulary.named[i]);
        named.chain(&self.values).find_map(|formula| {
            let one = Self { values: vec![formula.clone()], ..self.clone() };
            let value = one.values(at)[0];
            (!value.is_finite()).then(|| (formula.text(), value))
        })
    }

    /// The first formula, repeated `count` times.
    pub(super) fn repeated(&self, count: usize) -> Self {
        Self { values: self.values.iter().cycle().take(count).cloned().collect(), ..self.clone() }
    }

    /// Their texts, with names and texts of the formulas in use: everything that determines their values beside the arguments.
    pub fn identity(&self) -> serde_json::Value {
        let vocabulary = &*self.vocabulary;
        let name = |i: usize| &*vocabulary.names[vocabulary.first_named() + i];
        let named: Vec<_> = self.named.iter().map(|&i| [name(i), vocabulary.named[i].text()]).collect();
        let values: Vec<_> = self.values.iter().map(Formula::text).collect();
        if named.is_empty() { values.into() } else { serde_json::json!({ "values": values, "named": named }) }
    }
}
