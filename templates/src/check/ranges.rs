//! Rule 13: a parameter without a `#[range]` makes sense wherever a case may set it: from a sixteenth to sixteen times its default there
//! are admissible states, functions of these are defined, and no divisor or argument of a root that depends on it alone changes its
//! sign. Otherwise the range is offered in which that is so. Other rules try such a parameter near its default only.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::guards::{operation_text, takes_a_place, takes_a_state};
use super::{Checker, SEED, Severity};
use crate::derive::{Inputs, Origin, Stop, Wide, origins, text};
use crate::ir::{FunctionId, Law, Span, Warning};

/// The largest factor by which a parameter is changed, as a power of 2.
const OCTAVES: i32 = 4;

/// The number of states that are tried with each value, and how many of them must be admissible with the default.
const STATES: usize = 8;
const COMMON: usize = 4;

/// How often the way to a value without sense is halved.
const HALVINGS: usize = 40;

/// An end of a range that differs less from a short decimal is one.
const ROUNDING: f64 = 1e-6;

/// Tries every parameter without a range, if the law is right with those that were tried.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    if checker.report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    for (i, field) in law.parameters.fields.iter().enumerate() {
        let default = field.default.as_deref().and_then(|text| text.parse::<f64>().ok()).filter(|value| *value != 0.0);
        let Some(default) = default.filter(|_| field.range == (Bound::Unbounded, Bound::Unbounded)) else { continue };
        let trial = Trial::new(checker, i, default);
        if trial.usual.is_empty() {
            continue;
        }
        let ends = [-1, 1].map(|direction| {
            let values = (1..=OCTAVES).map(|octave| default * f64::from(direction * octave).exp2());
            values
                .scan(default, |before, value| Some((std::mem::replace(before, value), value)))
                .find_map(|(before, value)| Some((before, value, trial.senseless(value)?)))
        });
        let Some((_, value, why)) = ends.iter().flatten().next() else { continue };
        let name = &field.name;
        let message =
            format!("`{name}` has no `#[range]`, and the law makes no sense for {name} = {}", text::real(*value));
        let mut bounds = ends.iter().map(|end| end.as_ref().map(|(good, bad, _)| trial.end(*good, *bad)));
        let (mut least, mut most) = (bounds.next().flatten(), bounds.next().flatten());
        if default < 0.0 {
            std::mem::swap(&mut least, &mut most);
        }
        let shown = |end: Option<f64>| end.map_or("Unbounded".to_owned(), |end| format!("Excluded({end:?})"));
        let notes = vec![
            format!("there {why}"),
            format!("`#[range(({}, {}))]` leaves such values out", shown(least), shown(most)),
        ];
        checker.warning(Warning::ParameterRange, field.span, message, notes);
    }
}

/// A parameter that is changed while the others have their defaults.
struct Trial<'a> {
    law: &'a Law,
    parameter: usize,
    starts: Vec<Vec<f64>>,
    /// The functions of admissible states, each with the operands that depend on the parameter alone.
    functions: Vec<(FunctionId, BTreeSet<Span>)>,
    /// What the law gives with the default; empty if few states are admissible.
    usual: BTreeMap<Span, bool>,
}

impl<'a> Trial<'a> {
    fn new(checker: &Checker<'a>, parameter: usize, default: f64) -> Self {
        let law = checker.law;
        let of_states = law.with_role(takes_a_state).filter(|&id| !takes_a_place(law, id));
        let alone = |id| {
            let all = origins(law, id).into_iter();
            all.filter(|(_, origins)| *origins == BTreeSet::from([Origin::Parameter(parameter)]))
                .map(|(place, _)| place)
        };
        let functions = of_states.map(|id| (id, alone(id).collect())).collect();
        let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
        let mut trial = Self { law, parameter, starts, functions, usual: BTreeMap::new() };
        let states = trial.states(default);
        if states.len() >= COMMON {
            trial.usual = trial.signs(&states);
            // The sign of the parameter, which it keeps.
            trial.usual.entry(Span::default()).or_insert(true);
        }
        trial
    }

    /// Admissible states with a value of the parameter.
    fn states(&self, value: f64) -> Vec<Inputs<f64>> {
        let mut wide = Wide::new(self.law, SEED + 15, self.starts.clone());
        let mut parameters = wide.default_parameters();
        parameters[self.parameter] = value;
        (0..STATES).filter_map(|_| wide.admissible(&parameters)).collect()
    }

    /// The signs of operands that depend on the parameter alone.
    fn signs(&self, states: &[Inputs<f64>]) -> BTreeMap<Span, bool> {
        let of = |(id, alone): &(FunctionId, BTreeSet<Span>)| {
            let operands = states.iter().flat_map(|state| state.operands(self.law, *id).values);
            operands
                .filter(|(place, _)| alone.contains(place))
                .map(|(place, value)| (place, value > 0.0))
                .collect::<Vec<_>>()
        };
        self.functions.iter().flat_map(of).collect()
    }

    /// Why the law makes no sense for a value.
    fn senseless(&self, value: f64) -> Option<String> {
        let states = self.states(value);
        if states.is_empty() {
            return Some("no state that was tried is admissible and has a flux".into());
        }
        for (place, sign) in self.signs(&states) {
            if self.usual.get(&place).is_some_and(|usual| *usual != sign) {
                return Some(format!("{} has another sign than with the default", operation_text(self.law, place)));
            }
        }
        let undefined = |id: FunctionId| {
            let stops = states.iter().filter_map(|state| state.call(self.law, id).err());
            stops.into_iter().find(|stop| matches!(stop, Stop::DivisionByZero | Stop::NegativeRoot | Stop::NotPositive))
        };
        self.functions
            .iter()
            .find_map(|&(id, _)| Some(format!("`{}` meets {}", self.law.function(id).name, undefined(id)?)))
    }

    /// The end of the values with which the law makes sense, between one with and one without.
    fn end(&self, mut good: f64, mut bad: f64) -> f64 {
        for _ in 0..HALVINGS {
            let half = 0.5 * (good + bad);
            *(if self.senseless(half).is_some() { &mut bad } else { &mut good }) = half;
        }
        let short = [1.0, 10.0, 100.0].map(|scale: f64| (good * scale).round() / scale);
        short.into_iter().find(|short| (short - good).abs() <= ROUNDING * good.abs().max(1.0)).unwrap_or(good)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Severity;
    use crate::check::laws::SHALLOW_WATER;
    use crate::check::testing::law;
    use crate::check::tests::report_of;
    use crate::ir::Warning;
    use std::ops::Bound;

    #[test]
    #[ignore = "long"]
    fn a_parameter_without_a_range_is_offered_one_where_the_law_needs_it() {
        for (formula, range) in [
            ("u.h / (p.g - 1.0)", Some("(Excluded(1.0), Unbounded)")),
            ("(u.h * (p.g - 2.5)).sqrt()", Some("(Excluded(2.5), Unbounded)")),
            ("u.h * (20.0 - p.g).ln()", Some("(Unbounded, Excluded(20.0))")),
            ("1.0 / ((p.g - 1.0) * (p.g - 20.0))", Some("(Excluded(1.0), Excluded(20.0))")),
            ("u.h / (p.g + 1.0)", None),
        ] {
            let output = format!("#[output] fn o(u: State, p: Params) -> f64 {{ {formula} }}");
            let mut source = law("sea", &format!("{SHALLOW_WATER}{output}"));
            let diagnostics = report_of(&source, super::check).diagnostics;
            let Some(range) = range else {
                assert_eq!(diagnostics, [], "{formula}");
                continue;
            };
            let [diagnostic] = &diagnostics[..] else { panic!("{formula}: {diagnostics:#?}") };
            assert_eq!(
                (diagnostic.severity, source.at(diagnostic.span)),
                (Severity::Warning(Warning::ParameterRange), "g")
            );
            assert_eq!(diagnostic.notes[1], format!("`#[range({range})]` leaves such values out"), "{formula}");
            // What is declared is not offered.
            source.law.parameters.fields[0].range = (Bound::Excluded("5.0".into()), Bound::Unbounded);
            assert_eq!(report_of(&source, super::check).diagnostics, []);
        }
    }
}
