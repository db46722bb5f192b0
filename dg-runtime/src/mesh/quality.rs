//! How good elements are: their shapes, their angles, and how much the determinant of the Jacobian matrix varies within them.

use rayon::prelude::*;

use super::map::ElementMap;
use super::{Mesh, Smallest};
use crate::law::Shape;

/// Measures of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// From 0, for an element without area, to 1, for an equilateral triangle or a square, whatever its size: see [`shape_measure`].
    pub shape: f64,
    /// The least and the largest angle between two faces, in degrees.
    pub angles: [f64; 2],
    /// The least determinant of the Jacobian matrix in the element over its mean: 1 for triangles and parallelograms.
    pub jacobian: f64,
}

/// The name of the measure of shapes:
///
/// - of triangles the ratio of radii 2 r/R, r of the inscribed circle and R of the circumscribed one;
/// - of quadrilaterals the shape metric 8 / Σ_k (a_k² + b_k²)/α_k, the sum over the corners with their faces' lengths a_k and b_k and the
///   determinants α_k there (P. M. Knupp: Algebraic mesh quality metrics for unstructured initial meshes, Finite Elem. Anal. Des. 39
///   (2003) 217–241). A rectangle with sides 1 and a has 2a/(1 + a²).
pub fn shape_measure(shape: Shape) -> &'static str {
    match shape {
        Shape::Triangle => "ratio of radii",
        Shape::Quadrilateral => "shape metric",
    }
}

/// An extreme value, and the first element that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The element.
    pub element: usize,
    /// Its value.
    pub value: f64,
}

/// What is known of all elements together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// The area of the mesh.
    pub area: f64,
    /// The shortest and the longest face.
    pub face_lengths: [Extreme; 2],
    /// The least and the largest diameter of an inscribed circle.
    pub diameters: [Extreme; 2],
    /// The least [`Quality::shape`].
    pub least_shape: Extreme,
    /// The mean of [`Quality::shape`] over the elements.
    pub mean_shape: f64,
    /// The least and the largest angle.
    pub angles: [Extreme; 2],
    /// The least [`Quality::jacobian`].
    pub least_jacobian: Extreme,
    /// The element that bounds steps most.
    pub smallest: Smallest,
}

impl Quality {
    fn new(shape: Shape, map: &ElementMap, jacobian: f64) -> Self {
        let count = shape.corners();
        let corners = shape.reference_corners();
        // The faces' tangents from each corner, as long as the faces if these are straight.
        let tangents = (0..count).map(|at| {
            let here = map.jacobian(corners[at]);
            let along = |to: usize| {
                let [x, y] = [0, 1].map(|d| corners[to][d] - corners[at][d]);
                here.map(|[a, b]| a * x + b * y)
            };
            [along((at + 1) % count), along((at + count - 1) % count)]
        });
        let (mut angles, mut least, mut sum) = ([f64::INFINITY, 0.0_f64], f64::INFINITY, 0.0);
        for [[a, b], [c, d]] in tangents {
            let determinant = a * d - b * c;
            let angle = determinant.atan2(a * c + b * d).to_degrees();
            angles = [angles[0].min(angle), angles[1].max(angle)];
            let (one, other) = (a.hypot(b), c.hypot(d));
            // With s half the perimeter r = |K|/s, and R = abc/4|K|; the determinant is 2|K|.
            let third = (c - a).hypot(d - b);
            least =
                least.min(2.0 * (determinant / (one * other)) * (determinant / (0.5 * (one + other + third) * third)));
            sum += (one.powi(2) + other.powi(2)) / determinant;
        }
        let quality = match shape {
            Shape::Triangle => least,
            Shape::Quadrilateral => 8.0 / sum,
        };
        Self { shape: quality, angles, jacobian }
    }
}

impl Mesh {
    /// The measures of an element; if its sides are curved those of the tangents in its corners, of triangles the worst of these.
    pub fn quality(&self, element: usize) -> Quality {
        let (shape, map) = (self.shape(element), self.map_of(element));
        let geometry = || self.geometry(element);
        let jacobian = match shape {
            _ if self.has_curved_sides() => self.least_share(element),
            Shape::Triangle => 1.0,
            Shape::Quadrilateral => geometry().least_determinant(shape) / geometry().determinant,
        };
        Quality::new(shape, &map, jacobian)
    }

    /// The measures of all elements together.
    pub fn survey(&self) -> Survey {
        let of_element = |element: usize| {
            let geometry = self.geometry(element);
            let lengths = &geometry.face_lengths[..self.shape(element).faces()];
            let ends =
                [lengths.iter().copied().fold(f64::INFINITY, f64::min), lengths.iter().copied().fold(0.0, f64::max)];
            (geometry.measure(self.shape(element)), ends, geometry.diameter, self.quality(element))
        };
        let all: Vec<_> = (0..self.element_count()).into_par_iter().map(of_element).collect();
        // Where some are equal, the first one.
        let least = |value: &dyn Fn(usize) -> f64| {
            let element = (0..all.len()).min_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(0);
            Extreme { element, value: value(element) }
        };
        let largest = |value: &dyn Fn(usize) -> f64| {
            let Extreme { element, value } = least(&|element| -value(element));
            Extreme { element, value: -value }
        };
        Survey {
            area: all.iter().map(|element| element.0).sum(),
            face_lengths: [least(&|element| all[element].1[0]), largest(&|element| all[element].1[1])],
            diameters: [least(&|element| all[element].2), largest(&|element| all[element].2)],
            least_shape: least(&|element| all[element].3.shape),
            mean_shape: all.iter().map(|element| element.3.shape).sum::<f64>() / all.len() as f64,
            angles: [least(&|element| all[element].3.angles[0]), largest(&|element| all[element].3.angles[1])],
            least_jacobian: least(&|element| all[element].3.jacobian),
            smallest: self.smallest(),
        }
    }

    /// The length of each boundary.
    pub fn boundary_lengths(&self) -> Vec<f64> {
        let mut lengths = vec![0.0; self.boundaries.len()];
        for face in &self.boundary_faces {
            lengths[usize::from(face.boundary)] +=
                self.geometry(face.element as usize).face_lengths[usize::from(face.face)];
        }
        lengths
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, SQRT_2};

    use super::*;
    use crate::mesh::generate::{Disc, QuarterAnnulus, Rectangle};
    use crate::mesh::{Boundary, Draft, Elements, Groups, NamedFace};

    /// The mesh of one element.
    fn alone(corners: &[[f64; 2]]) -> Mesh {
        let count = corners.len() as u32;
        let shape = if count == 3 { Shape::Triangle } else { Shape::Quadrilateral };
        Mesh::new(Draft {
            vertices: corners.as_flattened().to_vec(),
            elements: Elements::new(shape, (0..count).collect()),
            boundaries: vec![Boundary { name: "rim".to_owned(), curve: None }],
            named_faces: (0..count).map(|i| NamedFace { corners: [i, (i + 1) % count], boundary: 0 }).collect(),
            periodic_faces: Vec::new(),
            offered_periods: Vec::new(),
            element_tags: Vec::new(),
            groups: Groups::default(),
        })
        .unwrap()
    }

    fn assert_quality(corners: &[[f64; 2]], expected: Quality) {
        // Neither size nor place nor the first corner matter.
        for (first, size) in (0..corners.len()).flat_map(|first| [(first, 1.0), (first, 1e-3), (first, 1e60)]) {
            let mut corners: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(|x| size * (x + 2.0))).collect();
            corners.rotate_left(first);
            let found = alone(&corners).quality(0);
            let numbers = |of: Quality| [of.shape, of.angles[0] / 90.0, of.angles[1] / 90.0, of.jacobian];
            let close = numbers(found).into_iter().zip(numbers(expected)).all(|(a, b)| (a - b).abs() < 1e-13);
            assert!(close, "{corners:?}: {found:?}, not {expected:?}");
        }
    }

    #[test]
    fn elements_have_the_measures_that_a_hand_computes() {
        let height = 0.75_f64.sqrt();
        assert_quality(
            &[[0.0, 0.0], [1.0, 0.0], [0.5, height]],
            Quality { shape: 1.0, angles: [60.0; 2], jacobian: 1.0 },
        );
        // Sides 3, 4, 5: r = 1 and R = 5/2.
        let least = (3.0_f64 / 4.0).atan().to_degrees();
        assert_quality(
            &[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]],
            Quality { shape: 0.8, angles: [least, 90.0], jacobian: 1.0 },
        );
        assert_quality(
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            Quality { shape: 1.0, angles: [90.0; 2], jacobian: 1.0 },
        );
        assert_quality(
            &[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 1.0]],
            Quality { shape: 0.6, angles: [90.0; 2], jacobian: 1.0 },
        );
        // A rhombus: every corner has 2 a² over a² sin 60°.
        assert_quality(
            &[[0.0, 0.0], [1.0, 0.0], [1.5, height], [0.5, height]],
            Quality { shape: height, angles: [60.0, 120.0], jacobian: 1.0 },
        );
        // A trapezoid: determinants 2, 2, 1 and 1 and squares of sides 4, 2, 1 and 1 make 8 / (5/2 + 6/2 + 3 + 2).
        assert_quality(
            &[[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            Quality { shape: 16.0 / 21.0, angles: [45.0, 135.0], jacobian: 2.0 / 3.0 },
        );
    }

    #[test]
    fn curved_elements_are_measured_in_their_corners() {
        let annulus = QuarterAnnulus { shape: Shape::Quadrilateral, inner: 1.0, outer: 2.0, cells: [1, 2], layers: 0 };
        let mesh = annulus.mesh().unwrap().with_degree(4).unwrap();
        // Tangents along the arcs are r pi / 4 long, those between them 1.
        let sides = [0.25 * PI, 0.5 * PI].map(|arc| 2.0 * (1.0 + arc * arc) / arc);
        let Quality { shape, angles, .. } = mesh.quality(0);
        assert!((shape - 8.0 / (sides[0] + sides[1])).abs() < 1e-4, "{shape}");
        assert!(angles.iter().all(|angle| (angle - 90.0).abs() < 0.1), "{angles:?}");
    }

    #[test]
    fn inscribed_circles_touch_all_sides() {
        let diameter = |corners: &[[f64; 2]]| alone(corners).geometry(0).diameter;
        assert!((diameter(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]) - 2.0).abs() < 1e-15);
        // A rhombus with diagonals 6 and 8: 24 / 5.
        assert!((diameter(&[[0.0, -3.0], [4.0, 0.0], [0.0, 3.0], [-4.0, 0.0]]) - 4.8).abs() < 1e-14);
        assert!((diameter(&[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn a_survey_finds_the_element_that_is_worst() {
        let mut mesh = Rectangle { shape: Shape::Quadrilateral, cells: [4, 3], ..Rectangle::default() }.mesh().unwrap();
        let Survey { area, face_lengths, least_shape, mean_shape, angles, least_jacobian, .. } = mesh.survey();
        assert!((area - 1.0).abs() < 1e-14);
        assert!((face_lengths[0].value - 0.25).abs() < 1e-14 && (face_lengths[1].value - 1.0 / 3.0).abs() < 1e-14);
        assert!((least_shape.value - 0.96).abs() < 1e-13 && (mean_shape - 0.96).abs() < 1e-13);
        assert!(angles.iter().all(|angle| (angle.value - 90.0).abs() < 1e-12));
        assert!((least_jacobian.value - 1.0).abs() < 1e-14);
        // The upper right corner moves into its element, the last one.
        let corner = mesh.vertices.chunks_exact(2).position(|vertex| vertex == [1.0, 1.0]).unwrap();
        mesh.vertices[2 * corner..][..2].copy_from_slice(&[0.9, 0.8]);
        let survey = mesh.survey();
        for extreme in [survey.least_shape, survey.angles[0], survey.angles[1], survey.least_jacobian] {
            assert_eq!(extreme.element, 11);
        }
        assert_eq!(survey.least_shape.value, mesh.quality(11).shape);
    }

    #[test]
    fn the_boundary_of_a_disc_is_as_long_as_its_polygon() {
        let mesh = Disc { centre: [1.0, 2.0], radius: 3.0, rings: 2, ..Disc::default() }.mesh().unwrap();
        let polygon = 12.0 * 6.0 * 15.0_f64.to_radians().sin();
        assert!((mesh.boundary_lengths()[0] - polygon).abs() < 1e-13);
        // The inner triangles are equilateral; those of a square cut in two are half a square.
        let triangles = Rectangle::default().mesh().unwrap().survey();
        assert!((triangles.least_shape.value - 2.0 * (SQRT_2 - 1.0)).abs() < 1e-13);
    }
}
