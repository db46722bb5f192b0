//! The medium of a computation: fields that vary in space and time and do not evolve.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::formula::Formulas;
use crate::io::interpolant::Interpolant;
use crate::law::{Arguments, Function, Law, Role};

/// A medium, and how well it is kept.
#[derive(Clone, Debug)]
pub struct Medium {
    /// What gives its fields.
    pub origin: MediumOrigin,
    /// The degree of its polynomials, at most that of the solution; `None` for that of the solution.
    pub degree: Option<usize>,
}

/// What gives the fields of a medium at every position and time.
#[derive(Clone, Debug)]
pub enum MediumOrigin {
    /// A `#[medium]` function of the law.
    Function(&'static Function),
    /// A formula for every field.
    Formulas(Formulas),
    /// The same for every one of these [groups](crate::mesh::Groups) of elements, by their names.
    Groups(Vec<(String, Formulas)>),
    /// Fields at points of a file, and whether positions outside of it have the values of the nearest one inside.
    File(Arc<Interpolant>, bool),
    /// The same values everywhere.
    Uniform(Vec<f64>),
}

impl From<MediumOrigin> for Medium {
    fn from(origin: MediumOrigin) -> Self {
        Self { origin, degree: None }
    }
}

impl Medium {
    /// The medium where a case gives none: that of the law's first `#[medium]` function, or else one for which the law makes sense.
    pub(crate) fn example(law: &Law) -> Option<Self> {
        let function = law.with_role(Role::Medium).next().map(MediumOrigin::Function);
        function.or_else(|| Self::of_samples(law).next().map(MediumOrigin::Uniform)).map(Self::from)
    }

    /// A medium that takes as much time and is defined on meshes of other domains, too.
    pub(in crate::solver) fn for_timing(&self, law: &Law) -> Option<Self> {
        match self.origin {
            MediumOrigin::Groups(_) | MediumOrigin::File(..) => {
                Some(Self { degree: self.degree, ..Self::example(law)? })
            }
            _ => Some(self.clone()),
        }
    }

    /// Whether it depends on groups of elements.
    pub(crate) fn is_by_groups(&self) -> bool {
        matches!(self.origin, MediumOrigin::Groups(_))
    }

    /// Whether it depends on time.
    pub fn changes(&self, law: &Law) -> bool {
        self.changing_fields(law).contains(&true)
    }

    /// For every field of the law's medium whether it depends on time.
    pub(in crate::solver) fn changing_fields(&self, law: &Law) -> Vec<bool> {
        let any_of = |formulas: &mut dyn Iterator<Item = &Formulas>| {
            formulas.fold(vec![false; law.medium.len()], |changing, formulas| {
                changing.into_iter().zip(formulas.depend_on_time()).map(|(a, b)| a || b).collect()
            })
        };
        match &self.origin {
            MediumOrigin::Function(function) => match law.changing_fields(function) {
                Some(fields) => fields.to_vec(),
                None => vec![false; law.medium.len()],
            },
            MediumOrigin::Formulas(formulas) => any_of(&mut std::iter::once(formulas)),
            MediumOrigin::Groups(groups) => any_of(&mut groups.iter().map(|(_, formulas)| formulas)),
            MediumOrigin::File(..) | MediumOrigin::Uniform(_) => vec![false; law.medium.len()],
        }
    }

    /// The number of an element of these groups, by which the generated code tells what gives its fields.
    pub(in crate::solver) fn number_of(&self, groups: &[String]) -> usize {
        match &self.origin {
            MediumOrigin::Groups(given) => given.iter().position(|(name, _)| groups.contains(name)).unwrap_or_default(),
            _ => 0,
        }
    }

    /// The function of the generated code that gives a medium of so many fields that depends on time, by the number of an element.
    pub(in crate::solver) fn code(&self, fields: usize) -> String {
        let mut text =
            String::from("DEVICE void law_given_medium(real field[MEDIA], Point x, real t, ints number)\n{\n");
        let given: Vec<&Formulas> = match &self.origin {
            MediumOrigin::Function(function) => {
                return text + &format!("    law_medium_{}(field, x, t);\n}}\n", function.name);
            }
            MediumOrigin::Formulas(formulas) => vec![formulas],
            MediumOrigin::Groups(groups) => groups.iter().map(|(_, formulas)| formulas).collect(),
            MediumOrigin::File(..) | MediumOrigin::Uniform(_) => Vec::new(),
        };
        for i in 0..fields {
            let _ = writeln!(text, "    field[{i}] = splat(R(0.0));");
        }
        for (number, formulas) in given.into_iter().enumerate() {
            let (statements, values) = formulas.code();
            let _ = writeln!(text, "    if (any(mask_of(number == {number}))) {{\n{statements}");
            for (i, value) in values.iter().enumerate() {
                let _ = writeln!(text, "    field[{i}] = select(mask_of(number == {number}), {value}, field[{i}]);");
            }
            text.push_str("    }\n");
        }
        text + "}\n"
    }

    /// Fields for which the law makes sense: those for which the compiler made samples of it. Nothing if the law has no medium.
    pub(in crate::solver) fn of_samples(law: &Law) -> impl Iterator<Item = Vec<f64>> {
        let samples = law.samples.iter().filter(|_| !law.medium.is_empty());
        samples.filter_map(|sample| Some(sample.state.get(law.state.len()..)?.to_vec()))
    }

    /// The fields at a position and a time in elements of these groups; of the other arguments only parameters are read.
    pub fn values(&self, at: &Arguments<'_>, groups: &[String], values: &mut [f64]) {
        match &self.origin {
            MediumOrigin::Function(function) => match function.host {
                Some(host) => host(at, values),
                None => values.fill(f64::NAN),
            },
            MediumOrigin::Formulas(formulas) => values.copy_from_slice(&formulas.values(at)),
            MediumOrigin::Groups(given) => match given.iter().find(|(name, _)| groups.contains(name)) {
                Some((_, formulas)) => values.copy_from_slice(&formulas.values(at)),
                None => values.fill(f64::NAN),
            },
            MediumOrigin::File(file, extended) => {
                if !(file.values(at.position, values) || *extended) {
                    values.fill(f64::NAN);
                }
            }
            MediumOrigin::Uniform(fields) => values.copy_from_slice(fields),
        }
    }

    /// The file that is to give the medium at a position, and does not.
    pub(in crate::solver) fn lacking(&self, position: &[f64], fields: usize) -> Option<&Path> {
        match &self.origin {
            MediumOrigin::File(file, false) if !file.values(position, &mut vec![0.0; fields]) => Some(file.path()),
            _ => None,
        }
    }

    /// Everything that determines the medium beside the law and its parameters, as JSON.
    pub fn identity(&self) -> Value {
        let origin = match &self.origin {
            MediumOrigin::Function(function) => json!({ "function": function.name }),
            MediumOrigin::Formulas(formulas) => json!({ "formulas": formulas.identity() }),
            MediumOrigin::Groups(groups) => {
                let groups: Vec<_> = groups.iter().map(|(name, formulas)| json!([name, formulas.identity()])).collect();
                json!({ "groups": groups })
            }
            MediumOrigin::File(file, extended) => json!({ "file": file.hash(), "extended": extended }),
            MediumOrigin::Uniform(fields) => json!({ "uniform": fields }),
        };
        json!({ "origin": origin, "degree": self.degree })
    }
}
