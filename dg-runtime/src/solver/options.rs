//! How a setup is compiled: its `#define`s.

use std::ops::Bound;

use crate::device::Options;
use crate::law::protocol::CUDA_BLOCK;
use crate::law::{KeptMedium, Unit};
use crate::scheme::Part;

use super::added::Added;
use super::{Given, Setup, Tolerance, Variant, parameters};

impl Setup {
    /// The compile options of this setup for the parts of a unit that it needs, for patches with room for `rim` faces on their rims, and for a
    /// medium that is kept so.
    pub fn options(&self, unit: &Unit, variant: Variant, rim: usize, medium: &KeptMedium) -> Vec<(Part, Options)> {
        let is_needed = |part: &Part| *part != Part::Limiter || self.limiter.is_some();
        let options = |part: Part| {
            let added = Added::to(part, self);
            let own = match part {
                Part::Stage => self.of_stage(unit, variant, rim),
                Part::Limiter => self.of_limiter(&added),
                Part::Output => self.of_output(),
                Part::Rest => self.of_rest(&added, medium),
            };
            let chosen = ("PART".to_owned(), part.name().to_owned());
            let defines = [vec![chosen], self.of_all_parts(&added, medium), own].concat();
            (part, Options { defines, ..Options::default() })
        };
        Part::ALL.into_iter().filter(is_needed).map(options).collect()
    }

    fn of_all_parts(&self, added: &Added<'_>, medium: &KeptMedium) -> Vec<(String, String)> {
        let mut defines = vec![("PRECISION".to_owned(), self.precision.c_type().to_owned())];
        let block = self.layout().cuda_block;
        if block != CUDA_BLOCK {
            defines.push(("CUDA_BLOCK".to_owned(), block.to_string()));
        }
        defines.extend(added.defines());
        defines.extend(self.viscous.defines());
        if self.predicts_mean() {
            defines.push(("ADER".to_owned(), "1".to_owned()));
        }
        if self.predicts_series() {
            defines.push(("PREDICT_SERIES".to_owned(), "1".to_owned()));
        }
        if self.integrator.has_implicit_source() {
            defines.push(("IMPLICIT_SOURCE".to_owned(), "1".to_owned()));
        }
        if !self.law.medium.is_empty() {
            defines.push(("MEDIUM_BASIS".to_owned(), medium.basis.to_string()));
            let list = |name: &str, fields: &mut dyn Iterator<Item = usize>| {
                let listed: Vec<_> = fields.map(|field| format!("X({field})")).collect();
                (name.to_owned(), listed.join(" "))
            };
            let mut uniform = (0..self.law.medium.len()).filter(|&field| medium.is_uniform(field));
            defines.push(list("UNIFORM_MEDIUM(X)", &mut uniform));
            defines.push(list("CONSTANT_MEDIUM(X)", &mut medium.constant.iter().copied()));
        }
        if self.changing_medium().is_some() {
            defines.push(("MEDIUM_CHANGES".to_owned(), "1".to_owned()));
        }
        if self.literal_parameters {
            defines.extend(parameters::literals(self.law, &self.parameters));
        }
        defines
    }

    fn of_stage(&self, unit: &Unit, variant: Variant, rim: usize) -> Vec<(String, String)> {
        let mut defines = vec![("NUMERICAL_FLUX".to_owned(), self.flux_function())];
        defines.extend(self.tolerance.into_iter().flat_map(|_| Tolerance::defines(self.integrator)));
        defines.extend(variant.defines(self.law, unit, rim));
        if !self.integrator.has_implicit_source() {
            defines.extend(self.manufactured());
        }
        defines.extend(self.well_balanced.map(|_| ("WELL_BALANCED".to_owned(), "1".to_owned())));
        defines
    }

    fn flux_function(&self) -> String {
        format!("law_numerical_flux_{}", self.numerical_flux.name)
    }

    /// The source that is added for a manufactured solution, which the part needs that evaluates the source.
    fn manufactured(&self) -> Option<(String, String)> {
        let solution = self.exact.as_ref().and_then(|exact| exact.manufactured(self.law))?;
        Some(("MANUFACTURED".to_owned(), format!("law_manufactured_{}", solution.name)))
    }

    fn of_limiter(&self, added: &Added<'_>) -> Vec<(String, String)> {
        let mut defines: Vec<_> = self.limiter.into_iter().flat_map(|limiter| limiter.defines(self.law)).collect();
        defines.extend(self.bounding_state().map(|initial| ("INITIAL".to_owned(), added.given(initial))));
        defines
    }

    fn of_output(&self) -> Vec<(String, String)> {
        let mut defines = self.measured.defines(&self.flux_function());
        if !self.receivers.is_empty() && self.has_series() {
            defines.push(("RECEIVER_SERIES".to_owned(), "1".to_owned()));
        }
        defines
    }

    /// The initial state, if its range bounds the solution.
    pub(super) fn bounding_state(&self) -> Option<&Given> {
        self.initial.as_ref().filter(|_| self.limiter.is_some_and(|limiter| limiter.needs_bounds(self.law)))
    }

    fn of_rest(&self, added: &Added<'_>, medium: &KeptMedium) -> Vec<(String, String)> {
        let mut defines = Vec::new();
        defines.extend(self.initial.as_ref().map(|initial| ("INITIAL".to_owned(), added.given(initial))));
        defines.extend(self.exact.as_ref().map(|exact| ("EXACT".to_owned(), added.given(exact))));
        if self.integrator.has_implicit_source() {
            defines.extend(self.manufactured());
        }
        if self.changing_medium().is_some() {
            defines.push(("MEDIUM_ENDS(X)".to_owned(), self.ends_of_media(medium)));
        }
        if !self.point_sources.is_empty() {
            defines.push(added.rates());
        }
        defines
    }

    /// The ends of the ranges of the medium's fields that vary, as `renew_medium.cu` takes them.
    fn ends_of_media(&self, medium: &KeptMedium) -> String {
        let end = |field: usize, [open, closed]: [&str; 2], bound: Bound<f64>| match bound {
            Bound::Excluded(end) => format!("X({field}, {open}, R({end:?}), R(MEDIUM_MARGIN)) "),
            Bound::Included(end) => format!("X({field}, {closed}, R({end:?}), R(MEDIUM_ROUNDING)) "),
            Bound::Unbounded => String::new(),
        };
        let mut varying = [&medium.constant[..], &medium.varying].concat();
        varying.sort_unstable();
        let fields = varying.into_iter().map(|i| (i, &self.law.medium[i]));
        let ends = fields.map(|(i, field)| end(i, [">", ">="], field.range.0) + &end(i, ["<", "<="], field.range.1));
        ends.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::law::Role;
    use crate::solver::{Limiter, Method, Precision, Schedule, Variables};

    /// The parts that another setup compiles anew.
    fn renewed(from: &Setup, to: &Setup) -> Vec<Part> {
        let [from, to] =
            [from, to].map(|setup| setup.options(&WAVES.units[0], Schedule::Element.into(), 8, &KeptMedium::NOTHING));
        let is_new = |(part, options): &(Part, Options)| {
            from.iter().all(|(known, of_known)| (known, &of_known.defines) != (part, &options.defines))
        };
        to.iter().filter(|part| is_new(part)).map(|(part, _)| *part).collect()
    }

    #[test]
    fn each_part_is_compiled_once_for_all_choices_that_concern_others() {
        let setup = Setup::new(&WAVES, 1).unwrap();
        let given = |role| WAVES.with_role(role).next().map(Given::Function);
        let limiter = |method| Limiter {
            method: Some(method),
            variables: Variables::Conserved,
            indicator: None,
            positivity: false,
        };
        let limited = |method| Setup { limiter: Some(limiter(method)), ..setup.clone() };
        let hll = WAVES.function(Role::NumericalFlux, "hll").unwrap();
        assert_eq!(renewed(&setup, &Setup { numerical_flux: hll, ..setup.clone() }), [Part::Stage]);
        assert_eq!(renewed(&setup, &limited(Method::Moment)), [Part::Limiter]);
        assert_eq!(renewed(&limited(Method::Moment), &limited(Method::BarthJespersen)), [Part::Limiter]);
        let other = Setup { initial: given(Role::Initial), exact: given(Role::Exact), ..setup.clone() };
        assert_eq!(renewed(&setup, &other), [Part::Rest]);
        let single = Setup { precision: Precision::Single, ..setup.clone() };
        assert_eq!(renewed(&setup, &single), [Part::Stage, Part::Output, Part::Rest]);
    }
}
