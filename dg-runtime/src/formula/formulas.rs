//! Several formulas, and what they may refer to.

use std::ops::Range;
use std::sync::Arc;

use super::{Formula, FormulaError, functions};
use crate::law::{Arguments, Law};

/// What formulas may refer to: position, time, a law's parameters, and formulas with names.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// The coordinates, the time, the parameters, then the named formulas.
    names: Vec<String>,
    pub(super) dim: usize,
    /// The named formulas.
    pub(super) named: Vec<Formula>,
}

/// The coordinates and the time in formulas, as a law's point has them.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];
pub(super) const TIME: &str = "t";

impl Vocabulary {
    /// That of a law and of formulas with names: pairs of a name and a text, in any order.
    ///
    /// # Errors
    ///
    /// The number of the pair with what is wrong with its text: among other things that a formula needs its own value.
    pub fn new(law: &Law, named: &[(&str, &str)]) -> Result<Self, (usize, FormulaError)> {
        let parameters = law.parameters.iter().map(|parameter| parameter.name);
        let given = AXES[..law.dim].iter().copied().chain([TIME]).chain(parameters);
        let names = given.chain(named.iter().map(|(name, _)| *name)).map(str::to_owned).collect();
        let mut vocabulary = Self { names, dim: law.dim, named: Vec::new() };
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

    /// The place in a formula where it depends on time, by itself or by a named one.
    pub fn time_in(&self, formula: &Formula) -> Option<Range<usize>> {
        let depends = |index: usize| {
            let named = index.checked_sub(self.first_named()).and_then(|i| self.named.get(i));
            index == self.dim || named.is_some_and(|named| self.time_in(named).is_some())
        };
        formula.uses().iter().find(|(index, _)| depends(*index)).map(|(_, place)| place.clone())
    }

    /// The number of the variable that the first named formula is.
    pub(super) fn first_named(&self) -> usize {
        self.names.len() - self.named.len()
    }

    /// The names of the parameters.
    pub(super) fn parameters(&self) -> &[String] {
        &self.names[self.dim + 1..self.first_named()]
    }

    /// The named formulas that a formula uses.
    fn named_in<'f>(&self, formula: &'f Formula) -> impl Iterator<Item = (usize, &'f Range<usize>)> {
        let first = self.first_named();
        formula.uses().iter().filter_map(move |(index, place)| Some((index.checked_sub(first)?, place)))
    }
}

/// An order in which every named formula comes after those that it uses.
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
    /// The named formulas that they use, each after those that it uses itself.
    pub(super) named: Vec<usize>,
    pub(super) values: Vec<Formula>,
}

impl Formulas {
    /// Formulas that [`Vocabulary::parse`] has read.
    pub fn new(vocabulary: &Arc<Vocabulary>, values: Vec<Formula>) -> Self {
        let mut order = Order { vocabulary, open: Vec::new(), done: Vec::new() };
        for (used, _) in values.iter().flat_map(|formula| vocabulary.named_in(formula)) {
            // A vocabulary has no formula that needs its own value.
            let _ = order.add(used);
        }
        let named = order.done;
        Self { vocabulary: vocabulary.clone(), named, values }
    }

    /// Their values for these parameters at a position and a time.
    pub fn values(&self, at: &Arguments<'_>) -> Vec<f64> {
        let vocabulary = &*self.vocabulary;
        let mut variables = [at.position, &[at.time], at.parameters].concat();
        variables.resize(vocabulary.names.len(), f64::NAN);
        for &i in &self.named {
            variables[vocabulary.first_named() + i] = vocabulary.named[i].value(&variables);
        }
        self.values.iter().map(|formula| formula.value(&variables)).collect()
    }

    /// The first of them, or of the named ones that they use, whose value is not finite, with that value.
    pub fn not_finite(&self, at: &Arguments<'_>) -> Option<(&str, f64)> {
        let named = self.named.iter().map(|&i| &self.vocabulary.named[i]);
        named.chain(&self.values).find_map(|formula| {
            let one = Self { values: vec![formula.clone()], ..self.clone() };
            let value = one.values(at)[0];
            (!value.is_finite()).then(|| (formula.text(), value))
        })
    }

    /// The first of them so many times.
    pub(super) fn repeated(&self, count: usize) -> Self {
        Self { values: self.values.iter().cycle().take(count).cloned().collect(), ..self.clone() }
    }

    /// Their texts, and names with texts of the formulas that they use: all on which their values depend beside the arguments.
    pub fn identity(&self) -> serde_json::Value {
        let vocabulary = &*self.vocabulary;
        let name = |i: usize| &*vocabulary.names[vocabulary.first_named() + i];
        let named: Vec<_> = self.named.iter().map(|&i| [name(i), vocabulary.named[i].text()]).collect();
        let values: Vec<_> = self.values.iter().map(Formula::text).collect();
        if named.is_empty() { values.into() } else { serde_json::json!({ "values": values, "named": named }) }
    }
}
