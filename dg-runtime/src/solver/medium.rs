//! The medium of a computation: fields that vary in space and do not evolve. They are projected on the host, once.

use rayon::prelude::*;
use serde_json::{Value, json};

use super::Error;
use super::domain::LANES;
use super::inventory::{Inventory, Part};
use super::patches::Patches;
use crate::formula::Formulas;
use crate::law::reference::Operators;
use crate::law::{Arguments, Function, Law, Parameter, Role, Unit};
use crate::mesh::Mesh;

/// A medium given at every position.
#[derive(Clone, Debug)]
pub enum Medium {
    /// By a `#[medium]` function of the law.
    Function(&'static Function),
    /// By a formula for every field.
    Formulas(Formulas),
    /// By the same values everywhere.
    Uniform(Vec<f64>),
}

impl Medium {
    /// The medium where a case gives none: that of the law's first `#[medium]` function, or else one for which the law makes sense.
    pub(crate) fn example(law: &Law) -> Option<Self> {
        let function = law.with_role(Role::Medium).next().map(Self::Function);
        function.or_else(|| Self::of_samples(law).map(Self::Uniform))
    }

    /// Fields for which the law makes sense: those for which the compiler made samples of it.
    pub(super) fn of_samples(law: &Law) -> Option<Vec<f64>> {
        let sample = law.samples.iter().find(|_| !law.medium.is_empty())?;
        Some(sample.state.get(law.state.len()..)?.to_vec())
    }

    /// The fields at a position; of the other arguments only parameters are read.
    pub fn values(&self, at: &Arguments<'_>, values: &mut [f64]) {
        match self {
            Self::Function(function) => match function.host {
                Some(host) => host(at, values),
                None => values.fill(f64::NAN),
            },
            Self::Formulas(formulas) => values.copy_from_slice(&formulas.values(at)),
            Self::Uniform(fields) => values.copy_from_slice(fields),
        }
    }

    /// Everything that determines the medium beside the law and its parameters, as JSON.
    pub fn identity(&self) -> Value {
        match self {
            Self::Function(function) => json!({ "function": function.name }),
            Self::Formulas(formulas) => json!({ "formulas": formulas.identity() }),
            Self::Uniform(fields) => json!({ "uniform": fields }),
        }
    }
}

/// Values that differ from a constant by less than this share of the largest value are constant: the difference is rounding.
const ROUNDING: f64 = 1e-13;

/// The medium as polynomials on a mesh: of the solution's degree, or constant in elements if that is the same.
#[derive(Debug)]
pub(super) struct Projected {
    fields: usize,
    /// Coefficients of a field in an element.
    pub(super) basis: usize,
    /// `[element][field][basis]`
    coefficients: Vec<f64>,
}

impl Projected {
    /// Projects it, with as many numbers as it needs.
    ///
    /// # Errors
    /// [`Error::NoMedium`], and [`Error::Medium`] with a place where a field is no number or outside its range.
    pub(super) fn new(
        law: &Law,
        parameters: &[f64],
        medium: Option<&Medium>,
        mesh: &Mesh,
        unit: &Unit,
    ) -> Result<Self, Error> {
        let fields = law.medium.len();
        if fields == 0 {
            return Ok(Self { fields, basis: 1, coefficients: Vec::new() });
        }
        let medium = medium.ok_or(Error::NoMedium { law: law.name })?;
        let operators = &unit.reference().operators;
        let n = operators.basis;
        let project = |element: usize| -> Result<Vec<f64>, Error> {
            let mut coefficients = vec![0.0; fields * n];
            let mut values = vec![0.0; fields];
            for (q, point) in operators.fine_points.iter().enumerate() {
                let position = &mesh.position(element, point)[..mesh.dim];
                let at = Arguments { parameters, state: &[], right: &[], normal: &[], position, time: 0.0 };
                medium.values(&at, &mut values);
                let wrong = |(field, value): &(&Parameter, &f64)| !(value.is_finite() && field.allows(**value));
                if let Some((field, &value)) = law.medium.iter().zip(&values).find(wrong) {
                    let range = field.range_in_words().unwrap_or_else(|| "finite".to_owned());
                    return Err(Error::Medium { field: field.name, value, position: position.to_vec(), range });
                }
                for (field, value) in values.iter().enumerate() {
                    for j in 0..n {
                        coefficients[field * n + j] +=
                            operators.fine_weights[q] * operators.basis_at_fine[q][j] * value;
                    }
                }
            }
            Ok(coefficients)
        };
        let elements: Vec<Vec<f64>> =
            (0..mesh.element_count()).into_par_iter().map(project).collect::<Result<_, _>>()?;
        let is_constant = |field: &[f64]| field[1..].iter().all(|value| value.abs() <= ROUNDING * field[0].abs());
        let is_constant = elements.par_iter().all(|element| element.chunks_exact(n).all(is_constant));
        let basis = if is_constant { 1 } else { n };
        let kept = elements.iter().flat_map(|element| element.chunks_exact(n).flat_map(|field| &field[..basis]));
        Ok(Self { fields, basis, coefficients: kept.copied().collect() })
    }

    /// The fields at a point of an element, where the basis functions have the values `phi`.
    pub(super) fn at(&self, element: usize, phi: &[f64]) -> Vec<f64> {
        let fields =
            self.coefficients[element * self.fields * self.basis..][..self.fields * self.basis].chunks(self.basis);
        fields.map(|field| field.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum()).collect()
    }

    /// Adds its arrays, as `templates/kernels/medium.cu` reads them.
    pub(super) fn declare<'a>(
        &'a self,
        inventory: &mut Inventory<'a>,
        mesh: &'a Mesh,
        unit: &'a Unit,
        patches: &'a Patches,
    ) {
        if self.fields == 0 {
            inventory.reals(Part::Mesh, "medium", 1);
            inventory.reals(Part::Mesh, "face_medium", 1);
            return;
        }
        let numbers = self.fields * self.basis;
        let write = move |e: usize, v: &mut [f64]| v.copy_from_slice(&self.coefficients[e * numbers..][..numbers]);
        inventory.written_reals(Part::Mesh, "medium", numbers, write);
        let operators = &unit.reference().operators;
        let count = patches.faces.len() * 2 * self.fields * self.points(operators);
        inventory
            .list_of_reals(Part::Mesh, "face_medium", count + LANES, move || self.of_faces(mesh, operators, patches));
    }

    /// The points of a face at which fields may differ.
    fn points(&self, operators: &Operators) -> usize {
        if self.basis > 1 { operators.face_points.len() } else { 1 }
    }

    /// A field at a point of a side of an element.
    fn at_face(&self, operators: &Operators, (element, face): (usize, usize), field: usize, k: usize) -> f64 {
        let coefficients = &self.coefficients[(element * self.fields + field) * self.basis..][..self.basis];
        let phi = &operators.basis_at_face[face][k];
        coefficients.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum()
    }

    /// For every patch the values at its faces, `[2][field][point][face]`: of the first side, then of the second, at the same points.
    fn of_faces(&self, mesh: &Mesh, operators: &Operators, patches: &Patches) -> Vec<f64> {
        let points = self.points(operators);
        let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
            let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
            let mut values = vec![0.0; 2 * self.fields * points * list.len()];
            for (i, both) in list.iter().enumerate() {
                let number = (both & 0xffff) as usize;
                let first = (patch * patches.size + number % patches.size, number / patches.size);
                let second = match mesh.neighbour(first.0, first.1) {
                    crate::mesh::Neighbour::Element { element, face } => Some((element as usize, usize::from(face))),
                    crate::mesh::Neighbour::Boundary(_) => None,
                };
                for field in 0..self.fields {
                    for k in 0..points {
                        let opposite = operators.face_points.len() - 1 - k;
                        let own = self.at_face(operators, first, field, k);
                        let other = second.map_or(own, |second| self.at_face(operators, second, field, opposite));
                        for (side, value) in [own, other].into_iter().enumerate() {
                            values[((side * self.fields + field) * points + k) * list.len() + i] = value;
                        }
                    }
                }
            }
            values
        };
        let of_patches: Vec<Vec<f64>> = patches.starts.par_windows(2).enumerate().map(of_patch).collect();
        of_patches.concat()
    }
}
