//! Corners and faces of the shapes: the only place that defines them.

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// The triangle (0,0), (1,0), (0,1).
    Triangle,
}

/// The largest number of space dimensions of a shape.
pub const MAX_DIM: usize = 2;
/// The largest number of faces of a shape.
pub const MAX_FACES: usize = 3;
/// The largest number of corners of a face.
pub const MAX_FACE_CORNERS: usize = 2;

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 1] = [Self::Triangle];

    /// Its name in files, reports and generated code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Triangle => "triangle",
        }
    }

    /// Number of space dimensions.
    pub fn dim(self) -> usize {
        match self {
            Self::Triangle => 2,
        }
    }

    /// The measure (area) of the reference element.
    pub fn measure(self) -> f64 {
        match self {
            Self::Triangle => 0.5,
        }
    }

    /// Number of corners. Those of a triangle run counter-clockwise.
    pub fn corners(self) -> usize {
        match self {
            Self::Triangle => 3,
        }
    }

    /// Number of faces.
    pub fn faces(self) -> usize {
        match self {
            Self::Triangle => 3,
        }
    }

    /// The corners of a face: those of face `f` of a triangle are `f` and `f + 1` (modulo 3).
    ///
    /// The parameter in (0, 1) of a point of the face runs from the first to the last; the element on the other
    /// side sees the same face reversed. `face` must be below [`Self::faces`].
    pub fn face_corners(self, face: usize) -> &'static [usize] {
        match self {
            Self::Triangle => [&[0, 1], &[1, 2], &[2, 0]][face],
        }
    }

    /// The corners' reference positions, `[corner][dim]`.
    pub fn reference_corners(self) -> &'static [[f64; MAX_DIM]] {
        match self {
            Self::Triangle => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        }
    }

    /// How uniform refinement cuts an element: the corners of each child, as corners of the parent (from 0) and
    /// middles of its faces (from [`Self::corners`]).
    pub fn children(self) -> &'static [&'static [usize]] {
        match self {
            Self::Triangle => &[&[0, 3, 5], &[3, 1, 4], &[3, 4, 5], &[5, 4, 2]],
        }
    }

    /// The reference position of the point of a face with this parameter in (0, 1): see [`Self::face_corners`].
    pub fn face_position(self, face: usize, parameter: f64) -> [f64; MAX_DIM] {
        let corners = self.reference_corners();
        let (first, last) = match self.face_corners(face) {
            [first, last] => (corners[*first], corners[*last]),
            _ => unreachable!("faces of two dimensions have two corners"),
        };
        std::array::from_fn(|d| (1.0 - parameter) * first[d] + parameter * last[d])
    }

    /// The dimension of the space of polynomials of at most this degree, which is also the number of
    /// [`Self::lattice`]'s nodes.
    pub fn polynomials(self, degree: usize) -> usize {
        match self {
            Self::Triangle => (degree + 1) * (degree + 2) / 2,
        }
    }

    /// VTK's order of the Lagrange nodes: node `n` lies at `lattice[n] / degree` on the reference element.
    ///
    /// For a triangle the three corners come first; then the nodes inside the edges from corner 0 to 1, 1 to 2 and 2 to
    /// 0; then the interior, which is a triangle of degree `degree - 3` in this same order (VTK:
    /// `vtkHigherOrderTriangle::BarycentricIndex`).
    pub fn lattice(self, degree: usize) -> Vec<[usize; MAX_DIM]> {
        match self {
            Self::Triangle => triangle_lattice(degree),
        }
    }
}

fn triangle_lattice(degree: usize) -> Vec<[usize; 2]> {
    let mut lattice = Vec::with_capacity(Shape::Triangle.polynomials(degree));
    let (mut origin, mut side) = (0, degree);
    loop {
        let corners = [[origin, origin], [origin + side, origin], [origin, origin + side]];
        if side == 0 {
            lattice.push(corners[0]);
            return lattice;
        }
        lattice.extend(corners);
        for edge in 0..3 {
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            for k in 1..side {
                lattice.push([0, 1].map(|d| (from[d] * (side - k) + to[d] * k) / side));
            }
        }
        if side < 3 {
            return lattice;
        }
        (origin, side) = (origin + 1, side - 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_is_complete_for_every_degree() {
        for degree in 0..=9 {
            let mut lattice = Shape::Triangle.lattice(degree);
            lattice.sort_unstable();
            let all: Vec<_> = (0..=degree).flat_map(|i| (0..=degree - i).map(move |j| [i, j])).collect();
            assert_eq!(lattice, all, "degree {degree}");
        }
    }

    /// Lattice coordinates by hand after VTK's numbering; degree 4 as in the figure of "Modeling Arbitrary-order Lagrange
    /// Finite Elements in the Visualization Toolkit" (Kitware, 2018).
    #[test]
    fn nodes_are_in_the_order_of_vtk() {
        let by_hand: [&[[usize; 2]]; 4] = [
            &[[0, 0], [1, 0], [0, 1]],
            &[[0, 0], [2, 0], [0, 2], [1, 0], [1, 1], [0, 1]],
            &[[0, 0], [3, 0], [0, 3], [1, 0], [2, 0], [2, 1], [1, 2], [0, 2], [0, 1], [1, 1]],
            &[
                [0, 0],
                [4, 0],
                [0, 4],
                [1, 0],
                [2, 0],
                [3, 0],
                [3, 1],
                [2, 2],
                [1, 3],
                [0, 3],
                [0, 2],
                [0, 1],
                [1, 1],
                [2, 1],
                [1, 2],
            ],
        ];
        for (degree, lattice) in (1..).zip(by_hand) {
            assert_eq!(Shape::Triangle.lattice(degree), lattice, "degree {degree}");
        }
    }
}
