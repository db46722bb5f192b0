//! Corners and faces of the shapes: the only place that defines them.

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// The triangle (0,0), (1,0), (0,1).
    Triangle,
    /// The square (0,0), (1,0), (1,1), (0,1).
    Quadrilateral,
}

/// The largest number of space dimensions of a shape.
pub const MAX_DIM: usize = 2;
/// The largest number of faces of a shape.
pub const MAX_FACES: usize = 4;
/// The largest number of corners of a face.
pub const MAX_FACE_CORNERS: usize = 2;

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 2] = [Self::Triangle, Self::Quadrilateral];

    /// Its name in files, reports and generated code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Triangle => "triangle",
            Self::Quadrilateral => "quadrilateral",
        }
    }

    /// The name of several, in files.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Triangle => "triangles",
            Self::Quadrilateral => "quadrilaterals",
        }
    }

    /// Number of space dimensions.
    pub fn dim(self) -> usize {
        match self {
            Self::Triangle | Self::Quadrilateral => 2,
        }
    }

    /// Whether the shape is a product of lines, and its basis functions are products of polynomials on them.
    pub fn is_product(self) -> bool {
        self == Self::Quadrilateral
    }

    /// The measure (area) of the reference element.
    pub fn measure(self) -> f64 {
        match self {
            Self::Triangle => 0.5,
            Self::Quadrilateral => 1.0,
        }
    }

    /// Number of corners. In the plane they run counter-clockwise.
    pub fn corners(self) -> usize {
        match self {
            Self::Triangle => 3,
            Self::Quadrilateral => 4,
        }
    }

    /// Number of faces.
    pub fn faces(self) -> usize {
        match self {
            Self::Triangle => 3,
            Self::Quadrilateral => 4,
        }
    }

    /// The corners of a face: those of face `f` in the plane are `f` and `f + 1` (modulo their number).
    ///
    /// The parameter in (0, 1) of a point of the face runs from the first to the last; the element on the other
    /// side sees the same face reversed. `face` must be below [`Self::faces`].
    pub fn face_corners(self, face: usize) -> &'static [usize] {
        match self {
            Self::Triangle => [&[0, 1], &[1, 2], &[2, 0]][face],
            Self::Quadrilateral => [&[0, 1], &[1, 2], &[2, 3], &[3, 0]][face],
        }
    }

    /// The corners' reference positions, `[corner][dim]`.
    pub fn reference_corners(self) -> &'static [[f64; MAX_DIM]] {
        match self {
            Self::Triangle => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            Self::Quadrilateral => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        }
    }

    /// The corner at the end of each axis of the reference element, which begins at corner 0.
    pub fn axes(self) -> [usize; MAX_DIM] {
        match self {
            Self::Triangle => [1, 2],
            Self::Quadrilateral => [1, 3],
        }
    }

    /// The rate at which waves cross an element whose faces they cross at these rates: their Euclidean norm on triangles, their sum on
    /// quadrilaterals, where waves of both directions add to each other.
    pub fn sum_of_rates(self, rates: impl IntoIterator<Item = f64>) -> f64 {
        let rates = rates.into_iter();
        if self.rates_add() { rates.sum() } else { rates.fold(0.0, f64::hypot) }
    }

    /// Whether [`Self::sum_of_rates`] is a plain sum.
    pub fn rates_add(self) -> bool {
        self.is_product()
    }

    /// How uniform refinement cuts an element: the corners of each child, as corners of the parent (from 0), then
    /// middles of its faces, then its centre.
    pub fn children(self) -> &'static [&'static [usize]] {
        match self {
            Self::Triangle => &[&[0, 3, 5], &[3, 1, 4], &[3, 4, 5], &[5, 4, 2]],
            Self::Quadrilateral => &[&[0, 4, 8, 7], &[4, 1, 5, 8], &[8, 5, 2, 6], &[7, 8, 6, 3]],
        }
    }

    /// Cuts elements with these corners, `[element][corner]`, into triangles: `[triangle][corner]`.
    pub fn cut(self, elements: &[u32]) -> Vec<u32> {
        match self {
            Self::Triangle => elements.to_vec(),
            Self::Quadrilateral => elements.as_chunks().0.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect(),
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

    /// The dimension of the space of polynomials of at most this degree, on a quadrilateral in each direction. It is also the number
    /// of [`Self::lattice`]'s nodes.
    pub fn polynomials(self, degree: usize) -> usize {
        match self {
            Self::Triangle => (degree + 1) * (degree + 2) / 2,
            Self::Quadrilateral => (degree + 1) * (degree + 1),
        }
    }

    /// VTK's order of the Lagrange nodes: node `n` lies at `lattice[n] / degree` on the reference element.
    ///
    /// For a triangle the three corners come first; then the nodes inside the edges from corner 0 to 1, 1 to 2 and 2 to
    /// 0; then the interior, which is a triangle of degree `degree - 3` in this same order (VTK:
    /// `vtkHigherOrderTriangle::BarycentricIndex`). For a quadrilateral the four corners come first, then the nodes inside the edges
    /// from corner 0 to 1, 1 to 2, 3 to 2 and 0 to 3, then the interior row by row (`vtkHigherOrderQuadrilateral::PointIndexFromIJK`).
    pub fn lattice(self, degree: usize) -> Vec<[usize; MAX_DIM]> {
        match self {
            Self::Triangle => triangle_lattice(degree),
            Self::Quadrilateral => quadrilateral_lattice(degree),
        }
    }
}

fn quadrilateral_lattice(degree: usize) -> Vec<[usize; 2]> {
    if degree == 0 {
        return vec![[0, 0]];
    }
    let inner = 1..degree;
    let mut lattice = vec![[0, 0], [degree, 0], [degree, degree], [0, degree]];
    lattice.extend(inner.clone().map(|i| [i, 0]));
    lattice.extend(inner.clone().map(|j| [degree, j]));
    lattice.extend(inner.clone().map(|i| [i, degree]));
    lattice.extend(inner.clone().map(|j| [0, j]));
    lattice.extend(inner.clone().flat_map(|j| inner.clone().map(move |i| [i, j])));
    lattice
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
            let mut lattice = Shape::Quadrilateral.lattice(degree);
            lattice.sort_unstable();
            let all: Vec<_> = (0..=degree).flat_map(|i| (0..=degree).map(move |j| [i, j])).collect();
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
