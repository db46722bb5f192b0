//! A medium as polynomials on a mesh, projected on the host: once or, if it depends on time, for the start, and from then on by the device
//! (`templates/kernels/renew_medium.cu`).

use rayon::prelude::*;

use super::domain::LANES;
use super::inventory::{Inventory, Part};
use super::patches::{SectionPatches, Side};
use super::plan::{Plan, SectionPlan};
use super::section::SectionUnit;
use super::{Error, Medium};
use crate::law::reference::Operators;
use crate::law::{Arguments, Law, Parameter};
use crate::mesh::Mesh;

/// Values that differ from a constant by less than this share of the largest value are constant: the difference is rounding.
const ROUNDING: f64 = 1e-13;

/// Where a polynomial would leave the range of its field, its variation is scaled down until this share of the way from the end of the
/// range to the mean is left.
const MARGIN: f64 = 0.01;

/// The medium as polynomials on a mesh: of its degree, or constant in elements or in the whole domain if that is the same.
#[derive(Debug)]
pub(super) struct Projected {
    fields: usize,
    /// The sections of the mesh, with their code.
    sections: Vec<SectionUnit>,
    /// How much of it differs.
    varies: Varies,
    /// The coefficients of the first element's first basis function, where the medium is the same in all elements.
    uniform: Vec<f64>,
    /// Otherwise the coefficients of every element, `[field][basis]`.
    coefficients: Vec<Vec<f64>>,
    /// Of every element the number of what gives the fields there, if they depend on time.
    numbers: Option<Vec<i32>>,
}

/// Where a medium varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Varies {
    /// It is the same in the whole domain.
    Nowhere,
    /// From element to element.
    Between,
    /// Within elements.
    Within,
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
        sections: Vec<SectionUnit>,
        time: f64,
    ) -> Result<Self, Error> {
        let fields = law.medium.len();
        let none = Self {
            fields,
            sections,
            varies: Varies::Nowhere,
            uniform: Vec::new(),
            coefficients: Vec::new(),
            numbers: None,
        };
        if fields == 0 {
            return Ok(none);
        }
        let medium = medium.ok_or(Error::NoMedium { law: law.name })?;
        let changes = medium.changes(law);
        let project = |element: usize| -> Result<Vec<f64>, Error> {
            let operators = none.operators(element);
            let degree = medium.degree.unwrap_or(operators.order);
            let n = operators.degrees.iter().filter(|&&of| of <= degree).count();
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
        let of_fields = |element: &[f64]| element.len() / fields;
        let is_constant = |field: &[f64]| field[1..].iter().all(|value| value.abs() <= ROUNDING * field[0].abs());
        let is_constant = elements.par_iter().all(|element| element.chunks_exact(of_fields(element)).all(is_constant));
        // The first basis function differs from shape to shape.
        let mean = |element: usize, field: usize| {
            let coefficients = &elements[element];
            coefficients[field * of_fields(coefficients)] * (none.constant(element) / none.constant(0))
        };
        let is_same = |a: f64, b: f64| (a - b).abs() <= ROUNDING * b.abs();
        let is_uniform = |element: usize| (0..fields).all(|field| is_same(mean(element, field), mean(0, field)));
        if is_constant && !changes && (0..elements.len()).into_par_iter().all(is_uniform) {
            return Ok(Self { uniform: (0..fields).map(|field| mean(0, field)).collect(), ..none });
        }
        let varies = if is_constant && !changes { Varies::Between } else { Varies::Within };
        let number = |element: usize| medium.number_of(mesh.groups().of(element)) as i32;
        let numbers = changes.then(|| (0..mesh.element_count()).map(number).collect());
        let kept = |element: Vec<f64>| match varies {
            Varies::Within => element,
            _ => element.iter().step_by(of_fields(&element)).copied().collect(),
        };
        let coefficients = elements.into_iter().map(kept).collect();
        Ok(Self { varies, coefficients, numbers, ..none })
    }

    /// The code of an element's section.
    fn operators(&self, element: usize) -> &'static Operators {
        let section = self.sections.iter().find(|(section, _)| section.elements.contains(&element));
        let (_, unit) = section.unwrap_or(&self.sections[0]);
        &unit.reference().operators
    }

    /// The value of the first basis function of an element.
    fn constant(&self, element: usize) -> f64 {
        self.operators(element).basis_at_volume[0][0]
    }

    /// Coefficients of a field in an element; 0 where the medium is the same in the whole domain, or the law has none.
    pub(super) fn basis_in(&self, element: usize) -> usize {
        match self.varies {
            Varies::Nowhere => 0,
            _ => self.coefficients[element].len() / self.fields,
        }
    }

    /// The coefficients of the first basis function of an element where the medium is the same in the whole domain.
    pub(super) fn uniform_in(&self, element: usize) -> Vec<f64> {
        self.uniform.iter().map(|value| value * (self.constant(0) / self.constant(element))).collect()
    }

    /// The fields at a point of an element, where the basis functions have the values `phi`.
    pub(super) fn at(&self, element: usize, phi: &[f64]) -> Vec<f64> {
        if self.varies == Varies::Nowhere {
            return self.uniform_in(element).iter().map(|coefficient| coefficient * phi[0]).collect();
        }
        let fields = self.coefficients[element].chunks(self.basis_in(element));
        fields.map(|field| field.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum()).collect()
    }

    /// Adds its arrays, as `templates/kernels/medium.cu` reads them.
    pub(super) fn declare<'a>(&'a self, inventory: &mut Inventory<'a>, mesh: &'a Mesh, plan: &'a Plan, section: usize) {
        let SectionPlan { section: of_mesh, setup, unit, .. } = &plan.sections[section];
        let (first, patches) = (of_mesh.elements.start, &plan.patches.sections[section]);
        if self.varies == Varies::Nowhere {
            inventory.reals(Part::Mesh, "medium", 1);
            inventory.reals(Part::Mesh, "face_medium", 1);
            return;
        }
        let numbers_of_element = self.fields * self.basis_in(first);
        let write = move |e: usize, v: &mut [f64]| v.copy_from_slice(&self.coefficients[first + e]);
        inventory.written_reals(Part::Mesh, "medium", numbers_of_element, write);
        let points = self.points(&unit.reference().operators);
        let count = patches.faces.len() * 2 * self.fields * points;
        inventory.list_of_reals(Part::Mesh, "face_medium", count + LANES, move || self.of_faces(mesh, points, patches));
        if let Some(numbers) = &self.numbers {
            inventory.written_ints(Part::Mesh, "medium_numbers", 1, move |e, v| v[0] = numbers[first + e]);
            // The medium at the predictor's points in time.
            let media = (setup.order + 1) * numbers_of_element;
            inventory.reals_of_elements(Part::Mesh, "media", media, setup.predicts_series());
            inventory.list_of_ints(Part::Mesh, "medium_sides", 4 * patches.faces.len(), move || sides(mesh, patches));
        }
    }

    /// The points of a face at which fields may differ.
    fn points(&self, operators: &Operators) -> usize {
        if self.varies == Varies::Within { operators.face_points.len() } else { 1 }
    }

    /// A field at a point of a side of an element.
    fn at_face(&self, (element, face): Side, field: usize, k: usize) -> f64 {
        let basis = self.basis_in(element);
        let coefficients = &self.coefficients[element][field * basis..][..basis];
        let phi = &self.operators(element).basis_at_face[face][k];
        coefficients.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum()
    }

    /// For every patch the values at its faces, `[2][field][point][face]`: of the first side, then of the second, at the same points.
    fn of_faces(&self, mesh: &Mesh, points: usize, patches: &SectionPatches) -> Vec<f64> {
        let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
            let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
            let mut values = vec![0.0; 2 * self.fields * points * list.len()];
            for (i, both) in list.iter().enumerate() {
                let (first, second) = patches.sides_of(mesh, patch, *both);
                let last = self.operators(first.0).face_points.len() - 1;
                for field in 0..self.fields {
                    for k in 0..points {
                        let own = self.at_face(first, field, k);
                        let other = second.map_or(own, |second| self.at_face(second, field, last - k));
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

/// For every face of every patch: both sides, -1 where there is no second one, and the patch's first face and number of faces.
fn sides(mesh: &Mesh, patches: &SectionPatches) -> Vec<i32> {
    let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
        let [from, to] = [pair[0][0], pair[1][0]];
        let number = |(element, face): Side| mesh.elements().slot(element, face) as i32;
        let of_face = move |both: &i32| {
            let (first, second) = patches.sides_of(mesh, patch, *both);
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
