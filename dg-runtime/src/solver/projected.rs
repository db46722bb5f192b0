//! A medium as polynomials on a mesh, projected on the host: once or, if it depends on time, for the start, and from then on by the device
//! (`templates/kernels/renew_medium.cu`).

use std::collections::HashMap;

use rayon::prelude::*;

use super::geometry::mass_matrix;
use super::inventory::{Inventory, Part};
use super::patches::{Patches, SectionPatches, Side};
use super::places::SectionUnit;
use super::{Error, Medium, Setup};
use crate::law::geometry::Map;
use crate::law::protocol::{MEDIUM_MARGIN, MEDIUM_ROUNDING};
use crate::law::reference::Operators;
use crate::law::{Arguments, KeptMedium, Law, Parameter};
use crate::mesh::{Mesh, inverse};

/// Values that differ from a constant by less than this share of the largest value are constant: the difference is rounding.
const ROUNDING: f64 = 1e-13;

/// The medium on a mesh: of a field that is the same in the whole domain one number, of one that is constant in every element a number for
/// each, and of the others polynomials of their degree.
#[derive(Debug)]
pub(super) struct Projected {
    /// The sections of the mesh, with their code.
    sections: Vec<SectionUnit>,
    /// Of each field that is the same in the whole domain the coefficient of the first element's first basis function.
    uniform: Vec<Option<f64>>,
    /// The numbers of the other fields, and whether each is constant in every element.
    varying: Vec<(usize, bool)>,
    /// Their coefficients in every element, field by field; nothing if there are none.
    coefficients: Vec<Vec<f64>>,
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
        sections: Vec<SectionUnit>,
        time: f64,
    ) -> Result<Self, Error> {
        let fields = law.medium.len();
        let none = Self { sections, uniform: Vec::new(), varying: Vec::new(), coefficients: Vec::new(), numbers: None };
        if fields == 0 {
            return Ok(none);
        }
        let medium = medium.ok_or(Error::NoMedium { law: law.name })?;
        let changing = medium.changing_fields(law);
        let changes = changing.contains(&true);
        let in_element = |element: usize| project(law, parameters, medium, mesh, (element, none.code(element)), time);
        let elements: Vec<Vec<f64>> =
            (0..mesh.element_count()).into_par_iter().map(in_element).collect::<Result<_, _>>()?;
        let of_field = |element: usize, field: usize| {
            let n = elements[element].len() / fields;
            &elements[element][field * n..][..n]
        };
        let everywhere = |is: &(dyn Fn(usize) -> bool + Sync)| (0..elements.len()).into_par_iter().all(is);
        let is_rounding = |value: f64, of: f64| value.abs() <= ROUNDING * of.abs();
        let is_constant = |field: usize| {
            let in_element = |e: usize| of_field(e, field)[1..].iter().all(|j| is_rounding(*j, of_field(e, field)[0]));
            !changing[field] && everywhere(&in_element)
        };
        let constant: Vec<bool> = (0..fields).map(is_constant).collect();
        // The first basis function differs from shape to shape.
        let mean = |e: usize, field: usize| of_field(e, field)[0] * (none.constant(e) / none.constant(0));
        let is_uniform = |field: usize| {
            constant[field] && everywhere(&|e| is_rounding(mean(e, field) - mean(0, field), mean(0, field)))
        };
        let uniform: Vec<Option<f64>> = (0..fields).map(|field| is_uniform(field).then(|| mean(0, field))).collect();
        let varying: Vec<(usize, bool)> =
            (0..fields).filter(|&field| uniform[field].is_none()).map(|field| (field, constant[field])).collect();
        let kept = |element: Vec<f64>| -> Vec<f64> {
            let n = element.len() / fields;
            let of = |&(field, constant): &(usize, bool)| &element[field * n..][..if constant { 1 } else { n }];
            varying.iter().flat_map(of).copied().collect()
        };
        let coefficients = if varying.is_empty() { Vec::new() } else { elements.into_iter().map(kept).collect() };
        let number = |element: usize| medium.number_of(mesh.groups().of(element)) as i32;
        let numbers = changes.then(|| (0..mesh.element_count()).map(number).collect());
        Ok(Self { uniform, varying, coefficients, numbers, ..none })
    }

    /// The code of an element's section, and the kind of its elements' maps.
    fn code(&self, element: usize) -> (&'static Operators, Map) {
        let section = self.sections.iter().find(|(section, _)| section.elements.contains(&element));
        let (section, unit) = section.unwrap_or(&self.sections[0]);
        (&unit.reference().operators, section.map)
    }

    fn operators(&self, element: usize) -> &'static Operators {
        self.code(element).0
    }

    /// The value of the first basis function of an element.
    fn constant(&self, element: usize) -> f64 {
        self.operators(element).basis_at_volume[0][0]
    }

    /// The number of fields that are constant in every element, but not the same in all.
    fn constants(&self) -> usize {
        self.varying.iter().filter(|(_, constant)| *constant).count()
    }

    /// Numbers of all fields but the uniform ones, where those that vary within elements have so many each.
    fn numbers_with(&self, each: usize) -> usize {
        (self.varying.len() - self.constants()) * each + self.constants()
    }

    /// The place among these [numbers](Self::numbers_with) of the first one of a field, which is given by its place in [`varying`](Self::varying).
    fn place(&self, field: usize, each: usize) -> usize {
        self.varying[..field].iter().map(|(_, constant)| if *constant { 1 } else { each }).sum()
    }

    /// Coefficients in an element of a field that varies within elements; 1 where there is none.
    fn basis_in(&self, element: usize) -> usize {
        match self.varying.len() - self.constants() {
            0 => 1,
            within => (self.coefficients[element].len() - self.constants()) / within,
        }
    }

    /// How the code for an element keeps it.
    pub(super) fn kept_in(&self, element: usize) -> KeptMedium {
        let fields = |are_constant: bool| {
            let of_kind = self.varying.iter().filter(|(_, constant)| *constant == are_constant);
            of_kind.map(|(field, _)| *field).collect()
        };
        KeptMedium { constant: fields(true), varying: fields(false), basis: self.basis_in(element) }
    }

    /// The fields that are the same in the whole domain: their numbers, and the coefficients of an element's first basis function.
    pub(super) fn uniform_in(&self, element: usize) -> impl Iterator<Item = (usize, f64)> {
        let share = self.constant(0) / self.constant(element);
        self.uniform.iter().enumerate().filter_map(move |(field, value)| Some((field, (*value)? * share)))
    }

    /// The fields at a point of an element, where the basis functions have the values `phi`.
    pub(super) fn at(&self, element: usize, phi: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.uniform.len()];
        for (field, coefficient) in self.uniform_in(element) {
            values[field] = coefficient * phi[0];
        }
        for (number, &(field, _)) in self.varying.iter().enumerate() {
            values[field] = self.value(element, number, phi);
        }
        values
    }

    /// The value of a field, by its place in [`varying`](Self::varying), where the basis functions of an element have the values `phi`.
    fn value(&self, element: usize, field: usize, phi: &[f64]) -> f64 {
        let basis = self.basis_in(element);
        let own = self.place(field, basis)..self.place(field + 1, basis);
        self.coefficients[element][own].iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum()
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
        if self.varying.is_empty() {
            inventory.reals(Part::Mesh, "medium", 1);
            return;
        }
        let numbers_of_element = self.numbers_with(self.basis_in(first));
        let write = move |e: usize, v: &mut [f64]| v.copy_from_slice(&self.coefficients[first + e]);
        inventory.written_reals(Part::Mesh, "medium", numbers_of_element, write);
        if let Some(numbers) = &self.numbers {
            inventory.let_change();
            inventory.written_ints(Part::Mesh, "medium_numbers", 1, move |e, v| v[0] = numbers[first + e]);
            // The medium at the predictor's points in time.
            let media = (setup.order + 1) * numbers_of_element;
            inventory.reals_of_elements(Part::Mesh, "media", media, setup.predicts_series());
            let (operators, map) = self.code(first);
            let n = if map == Map::Affine { 0 } else { self.basis_in(first) };
            let rows = move |e: usize, v: &mut [f64]| {
                let inverse = inverse_mass(&mass_matrix(&mesh.map_of(first + e), operators, map), n);
                v.iter_mut().zip(inverse.iter().flatten()).for_each(|(v, entry)| *v = *entry);
            };
            if n > 0 {
                inventory.written_reals(Part::Mesh, "medium_mass", n * n, rows);
            } else {
                inventory.reals_of_elements(Part::Mesh, "medium_mass", 0, false);
            }
            let count = MEDIUM_SIDES * patches.sections[section].faces.len();
            inventory.list_of_ints(Part::Mesh, "medium_sides", count, move || sides(mesh, patches, section));
        }
    }

    /// Adds the values at faces, in parts for the sections: a face between two sections is one of both.
    pub(super) fn declare_faces<'a>(&'a self, inventory: &mut Inventory<'a>, mesh: &'a Mesh, patches: &'a Patches) {
        if self.varying.is_empty() {
            inventory.reals(Part::Mesh, "face_medium", 1);
            return;
        }
        let points = self.points();
        let of_face = 2 * self.numbers_with(points);
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

    /// Whether fields that are constant in a section's elements alone have values at all points of faces, because they vary within others.
    pub(super) fn has_points_beside(&self, element: usize) -> bool {
        self.basis_in(element) == 1 && self.points() > 1
    }

    /// For every patch the values of the fields that vary at its faces, `[2][number][face]`: of the first side, then of the second, at the same
    /// points, field by field.
    fn of_faces(&self, mesh: &Mesh, points: usize, patches: &SectionPatches) -> Vec<f64> {
        let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
            let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
            let numbers = self.numbers_with(points);
            let mut values = vec![0.0; 2 * numbers * list.len()];
            for (i, both) in list.iter().enumerate() {
                let (first, second) = patches.sides_of(mesh, patch, *both);
                let last = self.operators(first.0).face_points.len() - 1;
                for (field, (_, constant)) in self.varying.iter().enumerate() {
                    let place = self.place(field, points);
                    let at = |(element, face): Side, k: usize| {
                        self.value(element, field, &self.operators(element).basis_at_face[face][k])
                    };
                    for k in 0..if *constant { 1 } else { points } {
                        let own = at(first, k);
                        let other = second.map_or(own, |second| at(second, last - k));
                        for (side, value) in [own, other].into_iter().enumerate() {
                            values[(side * numbers + place + k) * list.len() + i] = value;
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

/// The inverse of the mass matrix of the first n functions.
fn inverse_mass(matrix: &[Vec<f64>], n: usize) -> Vec<Vec<f64>> {
    inverse(matrix[..n].iter().map(|row| row[..n].to_vec()).collect())
}

/// The coefficients of the fields of a medium in an element at a time, `[field][basis]`: projected with the weights of the element, as the
/// solution is, so that what is constant in sum, such as the surface of water at rest, stays constant.
///
/// # Errors
/// [`Error::Medium`] and [`Error::MediumOutside`].
fn project(
    law: &Law,
    parameters: &[f64],
    medium: &Medium,
    mesh: &Mesh,
    (element, (operators, map)): (usize, (&Operators, Map)),
    time: f64,
) -> Result<Vec<f64>, Error> {
    let fields = law.medium.len();
    let degree = medium.degree.unwrap_or(operators.order);
    let n = operators.degrees.iter().filter(|&&of| of <= degree).count();
    let mut coefficients = vec![0.0; fields * n];
    let mut values = vec![0.0; fields];
    let curve = (map != Map::Affine).then(|| mesh.map_of(element));
    // Where det J varies differences are projected, so that what is constant stays so to the bit.
    let mut first = vec![0.0; fields];
    let (points, weights, basis) = operators.projection_rule(map);
    for (q, ((point, weight), phi)) in points.iter().zip(weights).zip(basis).enumerate() {
        let weight = weight * curve.as_ref().map_or(1.0, |curve| curve.determinant([point[0], point[1]]));
        let position = &mesh.position(element, point)[..mesh.dim];
        let at = Arguments { parameters, state: &[], right: &[], normal: &[], position, time };
        medium.values(&at, mesh.groups().of(element), &mut values);
        let wrong = |(field, value): &(&Parameter, &f64)| !(value.is_finite() && field.allows(**value));
        if let Some((field, &value)) = law.medium.iter().zip(&values).find(wrong) {
            if let Some(path) = medium.lacking(position, fields) {
                return Err(Error::MediumOutside { path: path.to_owned(), position: position.to_vec() });
            }
            let range = field.range_in_words().unwrap_or_else(|| "finite".to_owned());
            let (position, time) = (position.to_vec(), medium.changes(law).then_some(time));
            return Err(Error::Medium { field: field.name, value, position, time, range });
        }
        if q == 0 && curve.is_some() {
            first.copy_from_slice(&values);
        }
        for (field, (value, first)) in values.iter().zip(&first).enumerate() {
            for j in 0..n {
                coefficients[field * n + j] += weight * phi[j] * (value - first);
            }
        }
    }
    let mass = curve.map(|curve| mass_matrix(&curve, operators, map));
    let inverse = mass.as_ref().map(|mass| inverse_mass(mass, n));
    for ((field, first), coefficients) in law.medium.iter().zip(first).zip(coefficients.chunks_exact_mut(n)) {
        if let Some(inverse) = &inverse {
            let dot = |row: &Vec<f64>| row.iter().zip(&*coefficients).map(|(a, b)| a * b).sum::<f64>();
            let projected: Vec<f64> = inverse.iter().map(dot).collect();
            coefficients.copy_from_slice(&projected);
            coefficients[0] += first / basis[0][0];
        }
        keep_in_range(field, coefficients, operators, mass.as_ref().map(|mass| &mass[0][..n]));
    }
    Ok(coefficients)
}

/// The medium of a setup in an element at a time, where the basis functions have the values `phi`: as the scheme has it if it depends on time.
///
/// # Errors
/// [`Error::Medium`] and [`Error::MediumOutside`].
pub(super) fn at_time(
    setup: &Setup,
    mesh: &Mesh,
    (element, operators): (usize, &Operators),
    phi: &[f64],
    time: f64,
) -> Result<Vec<f64>, Error> {
    let Some(medium) = &setup.medium else { return Ok(Vec::new()) };
    let coefficients = project(setup.law, &setup.parameters, medium, mesh, (element, (operators, setup.map)), time)?;
    let n = coefficients.len() / setup.law.medium.len().max(1);
    let value = |of: &[f64]| of.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum();
    Ok(coefficients.chunks_exact(n.max(1)).map(value).collect())
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
/// mean is in that range. Where det J varies, `integrals` are those of the basis functions, times the first one.
fn keep_in_range(field: &Parameter, coefficients: &mut [f64], operators: &Operators, integrals: Option<&[f64]>) {
    let value = |phi: &[f64]| -> f64 { coefficients.iter().zip(phi).map(|(coefficient, phi)| coefficient * phi).sum() };
    let constant = match integrals {
        None => coefficients[0],
        Some(integrals) => value(integrals) / integrals[0],
    };
    let mean = constant * operators.basis_at_volume[0][0];
    let [from, to] = field.ends();
    let share = |value: f64| {
        let end = if value < mean { from } else { to };
        let margin = if field.allows(end) { MEDIUM_ROUNDING } else { MEDIUM_MARGIN };
        if field.allows(value) || value == mean { 1.0 } else { (1.0 - margin) * (end - mean) / (value - mean) }
    };
    let points = operators.basis_at_face.iter().flatten().chain(&operators.basis_at_volume);
    let share = points.map(|phi| share(value(phi))).fold(1.0, f64::min).max(0.0);
    coefficients[1..].iter_mut().for_each(|coefficient| *coefficient *= share);
    if share < 1.0 {
        coefficients[0] = constant + share * (coefficients[0] - constant);
    }
}
