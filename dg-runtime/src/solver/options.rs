//! How a setup is compiled: its `#define`s.

use std::ops::Bound;

use crate::device::Options;
use crate::law::{KeptMedium, Unit};
use crate::scheme::Part;

use super::added::Added;
use super::{Setup, Tolerance, Variant, parameters};

impl Setup {
    /// The compile options of this setup for a unit, for patches with room for `rim` faces on their rims, and for a medium that is kept so:
    /// of [`Part::Stage`], then of [`Part::Rest`].
    pub fn options(&self, unit: &Unit, variant: Variant, rim: usize, medium: &KeptMedium) -> [Options; 2] {
        let (to_boundaries, all) = (Added::to_boundaries(self), Added::new(self));
        let of_both = |added| self.of_both_parts(added, medium);
        let stage = [alone(Part::Stage), of_both(&to_boundaries), self.of_stage(unit, variant, rim)];
        let rest = [alone(Part::Rest), of_both(&all), self.of_rest(&all, medium)];
        [stage, rest].map(|defines| Options { defines: defines.concat(), ..Options::default() })
    }

    fn of_both_parts(&self, added: &Added<'_>, medium: &KeptMedium) -> Vec<(String, String)> {
        let mut defines = vec![("PRECISION".to_owned(), self.precision.c_type().to_owned())];
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
            let uniform = (0..self.law.medium.len()).filter(|field| !medium.varying.contains(field));
            let listed: Vec<_> = uniform.map(|field| format!("X({field})")).collect();
            defines.push(("UNIFORM_MEDIUM(X)".to_owned(), listed.join(" ")));
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

    fn of_rest(&self, added: &Added<'_>, medium: &KeptMedium) -> Vec<(String, String)> {
        let mut defines: Vec<_> = self.limiter.into_iter().flat_map(|limiter| limiter.defines(self.law)).collect();
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
        defines.extend(self.measured.defines(&self.flux_function()));
        if !self.receivers.is_empty() && self.has_series() {
            defines.push(("RECEIVER_SERIES".to_owned(), "1".to_owned()));
        }
        defines
    }

    /// The ends of the ranges of the medium's fields that vary, as `renew_medium.cu` takes them.
    fn ends_of_media(&self, medium: &KeptMedium) -> String {
        let end = |field: usize, [open, closed]: [&str; 2], bound: Bound<f64>| match bound {
            Bound::Excluded(end) => format!("X({field}, {open}, R({end:?})) "),
            Bound::Included(end) => format!("X({field}, {closed}, R({end:?})) "),
            Bound::Unbounded => String::new(),
        };
        let fields = medium.varying.iter().map(|&i| (i, &self.law.medium[i]));
        let ends = fields.map(|(i, field)| end(i, [">", ">="], field.range.0) + &end(i, ["<", "<="], field.range.1));
        ends.collect()
    }
}

/// The `#define` that chooses a part of a unit.
fn alone(part: Part) -> Vec<(String, String)> {
    vec![(part.define().to_owned(), "1".to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::law::Role;
    use crate::solver::{Given, Limiter, Method, Precision, Schedule, Variables};

    #[test]
    fn each_part_is_compiled_once_for_all_choices_that_concern_the_other() {
        let setup = Setup::new(&WAVES, 1).unwrap();
        let given = |role| WAVES.with_role(role).next().map(Given::Function);
        let limiter = Limiter {
            method: Some(Method::Moment),
            variables: Variables::Conserved,
            indicator: None,
            positivity: false,
        };
        let other_rest =
            Setup { initial: given(Role::Initial), exact: given(Role::Exact), limiter: Some(limiter), ..setup.clone() };
        let hll = WAVES.function(Role::NumericalFlux, "hll").unwrap();
        let other_stage = Setup { numerical_flux: hll, ..setup.clone() };
        let parts = |setup: &Setup| {
            setup
                .options(&WAVES.units[0], Schedule::Element.into(), 8, &KeptMedium::NOTHING)
                .map(|options| options.defines)
        };
        let ([stage, rest], [with_limiter, limiter], [with_hll, without]) =
            (parts(&setup), parts(&other_rest), parts(&other_stage));
        assert!(with_limiter == stage && limiter != rest, "{with_limiter:?}, {limiter:?}");
        assert!(with_hll != stage && without == rest, "{with_hll:?}, {without:?}");
        let [single_stage, single_rest] = parts(&Setup { precision: Precision::Single, ..setup });
        assert!(single_stage != stage && single_rest != rest, "{single_stage:?}, {single_rest:?}");
    }
}
