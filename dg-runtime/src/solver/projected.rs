//! A medium as polynomials on a mesh, projected on the host: once or, if it depends on time, for the start, and from then on by the device
//! (`templates/kernels/renew_medium.cu`).

use std::collections::HashMap;

use rayon::prelude::*;

use super::inventory::{Inventory, Part};
use super::patches::{Patches, SectionPatches, Side};
use super::places::SectionUnit;
use super::{Error, Medium, Setup};
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

    /// Adds its arrays for a section and its setup, as `templates/kernels/medium.cu` reads them.
    pub(super) fn declare<'a>(
        &'a self,
        inventory: &mut Inventory<'a>,
        mesh: &'a Mesh,
        (setup, patches): (&Setup, &'a Patches),
        section: usize,
    ) {
        let first = patches.sections[section].elements.start;
        if self.varies == Varies::Nowhere {
            inventory.reals(Part::Mesh, "medium", 1);
            return;
        }
        let numbers_of_element = self.fields * self.basis_in(first);
        let write = move |e: usize, v: &mut [f64]| v.copy_from_slice(&self.coefficients[first + e]);
        inventory.written_reals(Part::Mesh, "medium", numbers_of_element, write);
        if let Some(numbers) = &self.numbers {
            inventory.let_change();
            inventory.written_ints(Part::Mesh, "medium_numbers", 1, move |e, v| v[0] = numbers[first + e]);
            // The medium at the predictor's points in time.
            let media = (setup.order + 1) * numbers_of_element;
            inventory.reals_of_elements(Part::Mesh, "media", media, setup.predicts_series());
            let count = MEDIUM_SIDES * patches.sections[section].faces.len();
            inventory.list_of_ints(Part::Mesh, "medium_sides", count, move || sides(mesh, patches, section));
        }
    }

    /// Adds the values at faces, in parts for the sections: a face between two sections is one of both.
    pub(super) fn declare_faces<'a>(&'a self, inventory: &mut Inventory<'a>, mesh: &'a Mesh, patches: &'a Patches) {
        if self.varies == Varies::Nowhere {
            inventory.reals(Part::Mesh, "face_medium", 1);
            return;
        }
        let points = self.points();
        let of_face = 2 * self.fields * points;
        let sections = &patches.sections;
        let counts: Vec<usize> = sections.iter().map(|patches| patches.faces.len() * of_face).collect();
        inventory.list_of_reals_of_sections(Part::Mesh, "face_medium", &counts, move || {
            sections.iter().flat_map(|patches| self.of_faces(mesh, points, patches)).collect()
        });
        if self.numbers.is_some() {
            inventory.let_change();
        }
    }

    /// The points of a face at which fields may differ, as many in all sections.
    fn points(&self) -> usize {
        let may_differ = self.sections.iter().any(|(section, _)| self.basis_in(section.elements.start) > 1);
        if may_differ { self.operators(0).face_points.len() } else { 1 }
    }

    /// Whether fields that are constant in a section's elements have values at all points of faces, because they vary within others.
    pub(super) fn has_points_beside(&self, element: usize) -> bool {
        self.basis_in(element) == 1 && self.points() > 1
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

/// Numbers of a face in [`sides`].
const MEDIUM_SIDES: usize = 8;

/// The place of a face among the values at faces of all sections: the number of its patch's first face, its own number in the patch, and
/// the number of the patch's faces.
type FacePlace = [i32; 3];

/// Every face of a section, of which `first` is the number of the first one among those of all sections: its sides, and its place.
fn faces_of<'a>(
    mesh: &'a Mesh,
    patches: &'a SectionPatches,
    first: usize,
) -> impl Iterator<Item = (Side, Option<Side>, FacePlace)> + 'a {
    patches.starts.windows(2).enumerate().flat_map(move |(patch, pair)| {
        let [from, to] = [pair[0][0], pair[1][0]];
        let faces = &patches.faces[from as usize..to as usize];
        faces.iter().enumerate().map(move |(number, both)| {
            let (own, other) = patches.sides_of(mesh, patch, *both);
            (own, other, [first as i32 + from, number as i32, to - from])
        })
    })
}

/// For every face of every patch of a section, as `templates/kernels/renew_medium.cu` reads them: both sides, of elements numbered in the
/// section; the face's place; and where the second side is of another section the place of the face there, of which it is the first side.
fn sides(mesh: &Mesh, patches: &Patches, section: usize) -> Vec<i32> {
    let counts = patches.sections.iter().map(|patches| patches.faces.len());
    let firsts: Vec<usize> = counts.scan(0, |next, count| Some(std::mem::replace(next, *next + count))).collect();
    let elements = &patches.sections[section].elements;
    let others = patches.sections.iter().zip(&firsts).enumerate().filter(|(other, _)| *other != section);
    let there: HashMap<Side, FacePlace> = others
        .flat_map(|(_, (patches, &first))| faces_of(mesh, patches, first))
        .filter(|(_, behind, _)| behind.is_some_and(|(element, _)| elements.contains(&element)))
        .map(|(side, _, place)| (side, place))
        .collect();
    let faces = mesh.shape(elements.start).faces();
    let number = |(element, face): Side| ((element - elements.start) * faces + face) as i32;
    let of_face = |(first, second, place): (Side, Option<Side>, FacePlace)| {
        let elsewhere = second.and_then(|second| there.get(&second));
        let second = match second {
            None => ON_BOUNDARY,
            Some(_) if elsewhere.is_some() => ELSEWHERE,
            Some(second) => number(second),
        };
        let [a, b, c] = place;
        let [d, e, f] = elsewhere.copied().unwrap_or([-1; 3]);
        [number(first), second, a, b, c, d, e, f]
    };
    faces_of(mesh, &patches.sections[section], firsts[section]).flat_map(of_face).collect()
}

/// The number of the second side of a face on the boundary.
const ON_BOUNDARY: i32 = -1;
/// The number of one of another section.
const ELSEWHERE: i32 = -2;

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
