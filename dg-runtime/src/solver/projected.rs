//! A medium as polynomials on a mesh, projected on the host: once or, if it depends on time, for the start, and from then on by the device
//! (`templates/kernels/renew_medium.cu`).

use rayon::prelude::*;

use super::domain::LANES;
use super::inventory::{Inventory, Part};
use super::patches::Patches;
use super::{Error, Medium, Setup};
use crate::law::reference::Operators;
use crate::law::{Arguments, Law, Parameter, Unit};
use crate::mesh::{Mesh, Neighbour};

/// Values that differ from a constant by less than this share of the largest value are constant: the difference is rounding.
const ROUNDING: f64 = 1e-13;

/// Where a polynomial would leave the range of its field, its variation is scaled down until this share of the way from the end of the
/// range to the mean is left.
const MARGIN: f64 = 0.01;

/// The medium as polynomials on a mesh: of its degree, or constant in elements or in the whole domain if that is the same.
#[derive(Debug)]
pub(super) struct Projected {
    fields: usize,
    /// Coefficients of a field in an element; 0 where they are those of the first basis function, and the same in all elements.
    pub(super) basis: usize,
    /// `[element][field][basis]`, or `[field]` where they are the same in all elements.
    coefficients: Vec<f64>,
    /// Of every element the number of what gives the fields there, if they depend on time.
    numbers: Option<Vec<i32>>,
}

impl Projected {
    /// Projects it at a time, with as many numbers as it needs.
    ///
    /// # Errors
    /// [`Error::NoMedium`], and [`Error::Medium`] with a place where a field is no number or outside its range.
    pub(super) fn new(
        law: &Law,
        parameters: &[f64],
        medium: Option<&Medium>,
        mesh: &Mesh,
        unit: &Unit,
        time: f64,
    ) -> Result<Self, Error> {
        let fields = law.medium.len();
        if fields == 0 {
            return Ok(Self { fields, basis: 0, coefficients: Vec::new(), numbers: None });
        }
        let medium = medium.ok_or(Error::NoMedium { law: law.name })?;
        let changes = medium.changes(law);
        let operators = &unit.reference().operators;
        let degree = medium.degree.unwrap_or(operators.order);
        let n = operators.degrees.iter().filter(|&&of| of <= degree).count();
        let project = |element: usize| -> Result<Vec<f64>, Error> {
            let mut coefficients = vec![0.0; fields * n];
            let mut values = vec![0.0; fields];
            for (q, point) in operators.fine_points.iter().enumerate() {
                let position = &mesh.position(element, point)[..mesh.dim];
                let at = Arguments { parameters, state: &[], right: &[], normal: &[], position, time };
                medium.values(&at, mesh.groups().of(element), &mut values);
                let wrong = |(field, value): &(&Parameter, &f64)| !(value.is_finite() && field.allows(**value));
                if let Some((field, &value)) = law.medium.iter().zip(&values).find(wrong) {
                    if let Some(path) = medium.lacking(position, fields) {
                        return Err(Error::MediumOutside { path: path.to_owned(), position: position.to_vec() });
                    }
                    let range = field.range_in_words().unwrap_or_else(|| "finite".to_owned());
                    let (position, time) = (position.to_vec(), changes.then_some(time));
                    return Err(Error::Medium { field: field.name, value, position, time, range });
                }
                for (field, value) in values.iter().enumerate() {
                    for j in 0..n {
                        coefficients[field * n + j] +=
                            operators.fine_weights[q] * operators.basis_at_fine[q][j] * value;
                    }
                }
            }
            for (field, coefficients) in law.medium.iter().zip(coefficients.chunks_exact_mut(n)) {
                keep_in_range(field, coefficients, operators);
            }
            Ok(coefficients)
        };
        let elements: Vec<Vec<f64>> =
            (0..mesh.element_count()).into_par_iter().map(project).collect::<Result<_, _>>()?;
        let is_constant = |field: &[f64]| field[1..].iter().all(|value| value.abs() <= ROUNDING * field[0].abs());
        let is_constant = elements.par_iter().all(|element| element.chunks_exact(n).all(is_constant));
        let is_uniform = |element: &Vec<f64>| (0..fields).all(|field| element[field * n] == elements[0][field * n]);
        if is_constant && !changes && elements.par_iter().all(is_uniform) {
            let coefficients = elements[0].iter().step_by(n).copied().collect();
            return Ok(Self { fields, basis: 0, coefficients, numbers: None });
        }
        let basis = if is_constant && !changes { 1 } else { n };
        let number = |element: usize| medium.number_of(mesh.groups().of(element)) as i32;
        let numbers = changes.then(|| (0..mesh.element_count()).map(number).collect());
        let kept = elements.iter().flat_map(|element| element.chunks_exact(n).flat_map(|field| &field[..basis]));
        Ok(Self { fields, basis, coefficients: kept.copied().collect(), numbers })
    }

    /// The coefficients of the first basis function where the medium is the same in the whole domain.
    pub(super) fn uniform(&self) -> &[f64] {
        if self.basis == 0 { &self.coefficients } else { &[] }
    }

    /// The fields at a point of an element, where the basis functions have the values `phi`.
    pub(super) fn at(&self, element: usize, phi: &[f64]) -> Vec<f64> {
        if self.basis == 0 {
            return self.coefficients.iter().map(|coefficient| coefficient * phi[0]).collect();
        }
        let fields =
            self.coefficients[element * self.fields * self.basis..][..self.fields * self.basis].chunks(self.basis);
        fields.map(|field| field.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum()).collect()
    }

    /// Adds its arrays, as `templates/kernels/medium.cu` reads them.
    pub(super) fn declare<'a>(
        &'a self,
        inventory: &mut Inventory<'a>,
        setup: &Setup,
        mesh: &'a Mesh,
        unit: &'a Unit,
        patches: &'a Patches,
    ) {
        if self.basis == 0 {
            inventory.reals(Part::Mesh, "medium", 1);
            inventory.reals(Part::Mesh, "face_medium", 1);
            return;
        }
        let numbers_of_element = self.fields * self.basis;
        let write = move |e: usize, v: &mut [f64]| {
            v.copy_from_slice(&self.coefficients[e * numbers_of_element..][..numbers_of_element]);
        };
        inventory.written_reals(Part::Mesh, "medium", numbers_of_element, write);
        let operators = &unit.reference().operators;
        let count = patches.faces.len() * 2 * self.fields * self.points(operators);
        inventory
            .list_of_reals(Part::Mesh, "face_medium", count + LANES, move || self.of_faces(mesh, operators, patches));
        if let Some(numbers) = &self.numbers {
            inventory.written_ints(Part::Mesh, "medium_numbers", 1, |e, v| v[0] = numbers[e]);
            // The medium at the predictor's points in time.
            let media = (setup.order + 1) * numbers_of_element;
            inventory.reals_of_elements(Part::Mesh, "media", media, setup.predicts_series());
            inventory.list_of_ints(Part::Mesh, "medium_sides", 4 * patches.faces.len(), move || sides(mesh, patches));
        }
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
                let (first, second) = both_sides(mesh, patches, patch, *both);
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

/// An element and the number of its face.
type Side = (usize, usize);

/// The sides of a face in the list of a patch; there is no second one on a boundary.
fn both_sides(mesh: &Mesh, patches: &Patches, patch: usize, both: i32) -> (Side, Option<Side>) {
    let number = (both & 0xffff) as usize;
    let first = (patch * patches.size + number % patches.size, number / patches.size);
    let second = match mesh.neighbour(first.0, first.1) {
        Neighbour::Element { element, face } => Some((element as usize, usize::from(face))),
        Neighbour::Boundary(_) => None,
    };
    (first, second)
}

/// For every face of every patch: both sides, -1 where there is no second one, and the patch's first face and number of faces.
fn sides(mesh: &Mesh, patches: &Patches) -> Vec<i32> {
    let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
        let [from, to] = [pair[0][0], pair[1][0]];
        let number = |(element, face): Side| (element * mesh.shape.faces() + face) as i32;
        let of_face = move |both: &i32| {
            let (first, second) = both_sides(mesh, patches, patch, *both);
            [number(first), second.map_or(-1, number), from, to - from]
        };
        patches.faces[from as usize..to as usize].iter().flat_map(of_face).collect::<Vec<_>>()
    };
    let of_patches: Vec<Vec<i32>> = patches.starts.par_windows(2).enumerate().map(of_patch).collect();
    of_patches.concat()
}

/// Scales down the variation of a field in an element where its polynomial leaves the range of its values at points of the scheme: its
/// mean is in that range.
fn keep_in_range(field: &Parameter, coefficients: &mut [f64], operators: &Operators) {
    let value = |phi: &[f64]| -> f64 { coefficients.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum() };
    let mean = value(&operators.basis_at_volume[0][..1]);
    let [from, to] = field.ends();
    let share = |value: f64| {
        let end = if value < mean { from } else { to };
        if field.allows(value) || value == mean { 1.0 } else { (1.0 - MARGIN) * (end - mean) / (value - mean) }
    };
    let points = operators.basis_at_face.iter().flatten().chain(&operators.basis_at_volume);
    let share = points.map(|phi| share(value(phi))).fold(1.0, f64::min).max(0.0);
    coefficients[1..].iter_mut().for_each(|coefficient| *coefficient *= share);
}
