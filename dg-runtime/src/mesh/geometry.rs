//! The geometry of elements with straight sides.

use super::{MAX_DEGREE, MAX_DIM, MAX_FACES, Mesh};
use crate::law::Shape;
use crate::law::reference::quadrature::gauss_legendre;

/// The map `x = x_0 + J r + t r_0 r_1` from the reference element, affine but for the twist t of quadrilaterals, and the geometry of its faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// `jacobian[i][j]` = ∂x_i/∂r_j at the first corner.
    pub jacobian: [[f64; MAX_DIM]; MAX_DIM],
    /// What distinguishes a quadrilateral from a parallelogram: x_0 - x_1 + x_2 - x_3 of its corners.
    pub twist: [f64; MAX_DIM],
    /// The ratio of volumes: the mean determinant of the Jacobian matrix.
    pub determinant: f64,
    /// `inverse[i][j]` = ∂r_i/∂x_j at the first corner.
    pub inverse: [[f64; MAX_DIM]; MAX_DIM],
    /// Unit outward normal of each face, `[face][dim]`.
    pub normals: [[f64; MAX_DIM]; MAX_FACES],
    /// Length of each face.
    pub face_lengths: [f64; MAX_FACES],
    /// Diameter of the inscribed circle: four times the area over the perimeter. It touches the faces of a triangle or a rhombus.
    pub diameter: f64,
}

impl Geometry {
    /// The geometry of the element whose corners lie at `corner(0)`, `corner(1)`, ….
    pub(super) fn new<'a>(shape: Shape, corner: impl Fn(usize) -> &'a [f64]) -> Self {
        let (origin, axes) = (corner(0), shape.axes());
        let jacobian: [[f64; MAX_DIM]; MAX_DIM] =
            std::array::from_fn(|i| std::array::from_fn(|j| corner(axes[j])[i] - origin[i]));
        let [[a, b], [c, d]] = jacobian;
        let at_corner = a * d - b * c;
        let inverse = [[d / at_corner, -b / at_corner], [-c / at_corner, a / at_corner]];
        let twist: [f64; MAX_DIM] = match shape {
            Shape::Triangle => [0.0; MAX_DIM],
            Shape::Quadrilateral => std::array::from_fn(|i| corner(0)[i] - corner(1)[i] + corner(2)[i] - corner(3)[i]),
        };
        let determinant = at_corner + 0.5 * ((a - b) * twist[1] - (c - d) * twist[0]);

        let mut normals = [[0.0; MAX_DIM]; MAX_FACES];
        let mut face_lengths = [0.0; MAX_FACES];
        for face in 0..shape.faces() {
            let ends = shape.face_corners(face);
            let (from, to) = (corner(ends[0]), corner(ends[1]));
            let tangent = [to[0] - from[0], to[1] - from[1]];
            face_lengths[face] = tangent[0].hypot(tangent[1]);
            normals[face] = [tangent[1] / face_lengths[face], -tangent[0] / face_lengths[face]];
        }
        let diameter = 4.0 * shape.measure() * determinant / face_lengths.iter().sum::<f64>();
        Self { jacobian, twist, determinant, inverse, normals, face_lengths, diameter }
    }

    /// The least determinant of the Jacobian matrix: one at a corner, since it is linear.
    pub(super) fn least_determinant(&self, shape: Shape) -> f64 {
        let [[a, b], [c, d]] = self.jacobian;
        let [t, u] = self.twist;
        let at = |&[x, y]: &[f64; MAX_DIM]| (a + y * t) * (d + x * u) - (b + x * t) * (c + y * u);
        shape.reference_corners().iter().map(at).fold(f64::INFINITY, f64::min)
    }

    /// The element's volume (area), negative where it is inverted.
    pub fn measure(&self, shape: Shape) -> f64 {
        shape.measure() * self.determinant
    }
}

impl Mesh {
    /// The geometry of an element: if its sides are curved, that of the element with straight sides, but for the mean determinant, the
    /// lengths of the faces and the diameter.
    pub fn geometry(&self, element: usize) -> Geometry {
        let (shape, corners) = (self.shape(element), self.corners(element));
        let straight = Geometry::new(shape, |corner| self.vertex(corners[corner]));
        if self.curved.is_none() {
            return straight;
        }
        let map = self.map_of(element);
        let (points, weights) = gauss_legendre(MAX_DEGREE + 1);
        let length =
            |face: usize| points.iter().zip(&weights).map(|(&s, weight)| weight * map.face_normal(face, s).1).sum();
        let mut face_lengths = [0.0; MAX_FACES];
        for (face, of_face) in face_lengths.iter_mut().enumerate().take(shape.faces()) {
            *of_face = length(face);
        }
        let determinant = map.mean_determinant();
        let diameter = 4.0 * shape.measure() * determinant / face_lengths.iter().sum::<f64>();
        Geometry { determinant, face_lengths, diameter, ..straight }
    }

    /// The position of the reference point `reference` (`dim` numbers) in an element.
    pub fn position(&self, element: usize, reference: &[f64]) -> [f64; MAX_DIM] {
        self.map_of(element).position(std::array::from_fn(|d| reference[d]))
    }

    /// The mean of an element's corners.
    pub fn centroid(&self, element: usize) -> [f64; MAX_DIM] {
        let corners = self.corners(element);
        let sum = |d: usize| corners.iter().map(|&vertex| self.vertex(vertex)[d]).sum::<f64>();
        std::array::from_fn(|d| sum(d) / corners.len() as f64)
    }

    /// The position on a face with parameter `s`, from 0 at its first corner to 1 at its second.
    pub fn face_position(&self, element: usize, face: usize, s: f64) -> [f64; MAX_DIM] {
        if self.curved.is_some() {
            return self.map_of(element).position(self.shape(element).face_position(face, s));
        }
        let [from, to] = self.face_corners(element, face).map(|vertex| self.vertex(vertex));
        std::array::from_fn(|d| (1.0 - s) * from[d] + s * to[d])
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::generate::Rectangle;

    #[test]
    fn the_map_has_its_inverse_and_meets_the_corners() {
        let mesh = Rectangle { jitter: 0.24, cells: [4, 3], ..Rectangle::default() }.mesh().unwrap();
        for element in 0..mesh.element_count() {
            let geometry = mesh.geometry(element);
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let product: f64 = (0..2).map(|k| geometry.jacobian[i][k] * geometry.inverse[k][j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
            for (reference, &vertex) in mesh.shape(element).reference_corners().iter().zip(mesh.corners(element)) {
                let (mapped, corner) = (mesh.position(element, reference), mesh.vertex(vertex));
                assert!(mapped.iter().zip(corner).all(|(x, y)| (x - y).abs() < 1e-15));
            }
            // A normal points away from every point of the element.
            let centre = mesh.position(element, &[1.0 / 3.0, 1.0 / 3.0]);
            for face in 0..3 {
                let (point, normal) = (mesh.face_position(element, face, 0.3), geometry.normals[face]);
                let distance: f64 = (0..2).map(|d| (point[d] - centre[d]) * normal[d]).sum();
                // The centre's distance from a face is a third of the triangle's height above it.
                assert!((distance - geometry.determinant / geometry.face_lengths[face] / 3.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn a_right_triangle_has_its_known_inscribed_circle() {
        // Sides 3, 4, 5: the inscribed circle has radius 1.
        let mesh = Rectangle { upper: [4.0, 3.0], cells: [1, 1], ..Rectangle::default() }.mesh().unwrap();
        assert!((mesh.geometry(0).diameter - 2.0).abs() < 1e-15);
    }
}
