//! Elements with curved sides: their maps are polynomials of degree 2 or more through nodes.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::connect::PERIOD_TOLERANCE;
use super::curve::Bodies;
use super::error::place;
use super::map::{ElementMap, MAX_DEGREE};
use super::matrix::{exact_inverse, sum_of_products};
use super::{BoundaryFace, Elements, MAX_DIM, Mesh, MeshError, Neighbour};
use crate::law::Shape;
use crate::law::geometry::Map;

/// The maps of elements with curved sides.
#[derive(Clone, Debug)]
pub(super) struct Curved {
    pub(super) degree: usize,
    /// The coefficients of the terms of [`ElementMap`], `[element][term][dim]`.
    pub(super) terms: Vec<f64>,
}

impl Curved {
    /// The numbers of an element.
    pub(super) fn of(&self, elements: &Elements, element: usize) -> &[f64] {
        Self::part(&self.terms, self.degree, elements, element)
    }

    /// Those of the terms of all elements.
    pub(super) fn part<'a>(terms: &'a [f64], degree: usize, elements: &Elements, element: usize) -> &'a [f64] {
        &terms[elements.range(element, |shape| shape.polynomials(degree) * shape.dim())]
    }

    /// The same for elements in another order.
    pub(super) fn reordered(&self, elements: &Elements, order: &[u32]) -> Self {
        let terms = order.iter().flat_map(|&element| self.of(elements, element as usize)).copied().collect();
        Self { degree: self.degree, terms }
    }
}

/// The matrix that makes coefficients of the terms of [`ElementMap`], `[term][node]`, of values at the nodes of [`Shape::lattice`].
fn to_terms(shape: Shape, degree: usize) -> &'static [Vec<f64>] {
    static KNOWN: [[OnceLock<Vec<Vec<f64>>>; MAX_DEGREE + 1]; 2] =
        [const { [const { OnceLock::new() }; MAX_DEGREE + 1] }; 2];
    KNOWN[usize::from(shape.is_product())][degree].get_or_init(|| {
        let monomials = Map::Polynomial(degree).monomials(shape);
        // Between integers, whose powers are exact.
        let power = |x: usize, i: usize| (2.0 * x as f64 - degree as f64).powi(i as i32);
        let row = |[x, y]: [usize; 2]| monomials.iter().map(|&[i, j]| power(x, i) * power(y, j)).collect();
        let powers: Vec<Vec<f64>> = shape.lattice(degree).into_iter().map(row).collect();
        let mut matrix = exact_inverse(&powers);
        for (row, [i, j]) in matrix.iter_mut().zip(&monomials) {
            row.iter_mut().for_each(|entry| *entry *= (2.0 * degree as f64).powi((i + j) as i32));
        }
        matrix
    })
}

impl Mesh {
    /// The mesh with elements of this degree, 1 to [`MAX_DEGREE`]. Nodes on boundaries with a curve lie on it; nodes inside of elements
    /// follow, and those of other elements only where a curve would take too much from the elements beside it. Of degree 1 it is the mesh
    /// itself.
    ///
    /// # Errors
    ///
    /// [`MeshError::Folded`] if a curve leaves no room for the elements beside it, [`MeshError::HasDegree`] if sides are curved already.
    pub fn with_degree(self, degree: usize) -> Result<Self, MeshError> {
        if degree <= 1 {
            return Ok(self);
        }
        if self.has_curved_sides() {
            return Err(MeshError::HasDegree { degree: self.degree() });
        }
        let nodes = self.nodes_on_curves(degree);
        let curved = self.with_nodes(degree, &nodes);
        let at_curves = self.boundary_faces.par_iter().filter(|face| self.is_at_curve(face));
        let has_room = |element: usize| {
            let room = |mesh: &Self| mesh.least_share(element);
            room(&curved) >= LEAST_SHARE * room(&self) && curved.map_of(element).is_positive()
        };
        if at_curves.all(|face| has_room(face.element as usize)) {
            return Ok(curved);
        }
        let bent = self.with_vertices_and_nodes(degree, &self.bent_nodes(degree, &nodes));
        bent.check_maps().map_err(|error| match error {
            MeshError::TurnedOver { element, .. } => self.folded(element as usize, error),
            error => error,
        })?;
        Ok(bent)
    }

    /// The mesh with elements of this degree whose nodes are moved by a displacement that is a function of position.
    ///
    /// # Errors
    ///
    /// [`MeshError::TurnedOver`] where that turns an element over.
    pub(super) fn displaced(
        self,
        degree: usize,
        displacement: impl Fn([f64; MAX_DIM]) -> [f64; MAX_DIM] + Sync,
    ) -> Result<Self, MeshError> {
        let moved = |x: [f64; MAX_DIM]| {
            let by = displacement(x);
            [x[0] + by[0], x[1] + by[1]]
        };
        let mut nodes = self.straight_nodes(degree);
        nodes.par_iter_mut().for_each(|node| *node = moved(*node));
        let mesh = self.with_vertices_and_nodes(degree, &nodes);
        mesh.check_maps()?;
        Ok(mesh)
    }

    /// The mesh with these nodes, `[element][node]` in the order of [`Shape::lattice`].
    pub(super) fn with_nodes(&self, degree: usize, nodes: &[[f64; MAX_DIM]]) -> Self {
        let of_element = |element: usize| {
            let (to_terms, nodes) = (to_terms(self.shape(element), degree), &nodes[self.nodes_of(element, degree)]);
            // Coefficients are as exact as the size of the element is, wherever it lies, so that elements agree on what they share.
            let origin = nodes[0];
            let term = |row: &Vec<f64>| -> [f64; MAX_DIM] {
                std::array::from_fn(|d| {
                    sum_of_products(0.0, row.iter().zip(nodes).map(|(a, node)| (*a, node[d] - origin[d])))
                })
            };
            let mut terms: Vec<f64> = to_terms.iter().flat_map(term).collect();
            terms.iter_mut().zip(origin).for_each(|(constant, from)| *constant += from);
            terms
        };
        let terms: Vec<Vec<f64>> = (0..self.element_count()).into_par_iter().map(of_element).collect();
        Self { curved: Some(Curved { degree, terms: terms.concat() }), ..self.clone() }
    }

    /// The same with the vertices where the nodes in corners are.
    fn with_vertices_and_nodes(&self, degree: usize, nodes: &[[f64; MAX_DIM]]) -> Self {
        let mut mesh = self.with_nodes(degree, nodes);
        for element in 0..self.element_count() {
            // Corners are the first nodes.
            for (&vertex, node) in self.corners(element).iter().zip(&nodes[self.nodes_of(element, degree)]) {
                mesh.vertices[vertex as usize * self.dim..][..self.dim].copy_from_slice(&node[..self.dim]);
            }
        }
        mesh
    }

    /// The place of an element's nodes in a list of those of all elements.
    fn nodes_of(&self, element: usize, degree: usize) -> Range<usize> {
        self.elements.range(element, |shape| shape.polynomials(degree))
    }

    /// The nodes of elements with straight sides.
    fn straight_nodes(&self, degree: usize) -> Vec<[f64; MAX_DIM]> {
        let of_element = |element: usize| {
            let (map, lattice) = (self.map_of(element), self.shape(element).lattice(degree));
            lattice.iter().map(|node| map.position(node.map(|i| i as f64 / degree as f64))).collect::<Vec<_>>()
        };
        let nodes: Vec<Vec<_>> = (0..self.element_count()).into_par_iter().map(of_element).collect();
        nodes.concat()
    }

    fn is_at_curve(&self, face: &BoundaryFace) -> bool {
        self.boundaries[usize::from(face.boundary)].curve.is_some()
    }

    /// Nodes of which those on boundaries lie on their curves, and those inside of the same elements follow.
    fn nodes_on_curves(&self, degree: usize) -> Vec<[f64; MAX_DIM]> {
        let mut nodes = self.straight_nodes(degree);
        let bodies = Bodies::new(self);
        for (index, face) in self.boundary_faces.iter().enumerate() {
            if !self.is_at_curve(face) {
                continue;
            }
            let (element, number) = (face.element as usize, usize::from(face.face));
            let displacements: Vec<[f64; MAX_DIM]> = (0..=degree)
                .map(|k| {
                    let s = k as f64 / degree as f64;
                    if k == 0 || k == degree {
                        return [0.0; MAX_DIM];
                    }
                    let ([x, y], straight) = (bodies.point(index, s), self.face_position(element, number, s));
                    [x - straight[0], y - straight[1]]
                })
                .collect();
            let shape = self.shape(element);
            for (node, position) in nodes[self.nodes_of(element, degree)].iter_mut().zip(shape.lattice(degree)) {
                let (s, share) = along_face(shape, number, position.map(|i| i as f64 / degree as f64));
                let by = interpolated(&displacements, s);
                *node = std::array::from_fn(|d| node[d] + share * by[d]);
            }
        }
        nodes
    }

    /// Nodes that follow those on boundaries by the harmonic continuation of their displacement: see `bend.rs`.
    fn bent_nodes(&self, degree: usize, on_curves: &[[f64; MAX_DIM]]) -> Vec<[f64; MAX_DIM]> {
        let straight = self.straight_nodes(degree);
        let numbers = self.node_numbers(degree);
        let count = numbers.iter().map(|&number| number as usize + 1).max().unwrap_or(0);
        let (mut positions, mut fixed) = (vec![0.0; count * MAX_DIM], vec![false; count]);
        let mut displacement = [vec![0.0; count], vec![0.0; count]];
        for (i, &number) in numbers.iter().enumerate() {
            positions[number as usize * MAX_DIM..][..MAX_DIM].copy_from_slice(&straight[i]);
        }
        for (slot, (element, face)) in (0..).zip(self.elements.sides()) {
            if self.slot_behind(slot).is_some() && !self.is_periodic(slot) {
                continue;
            }
            let shape = self.shape(element);
            for (i, position) in self.nodes_of(element, degree).zip(shape.lattice(degree)) {
                if is_on_face(shape, face, position, degree) {
                    let number = numbers[i] as usize;
                    fixed[number] = true;
                    for (d, displacement) in displacement.iter_mut().enumerate() {
                        displacement[number] = on_curves[i][d] - straight[i][d];
                    }
                }
            }
        }
        let triangles: Vec<u32> = (0..self.element_count())
            .flat_map(|element| {
                let numbers = &numbers[self.nodes_of(element, degree)];
                cells(self.shape(element), degree).iter().map(|&node| numbers[node as usize]).collect::<Vec<_>>()
            })
            .collect();
        let laplace = super::bend::Laplace::new(&positions, &triangles, &fixed);
        displacement.iter_mut().for_each(|displacement| laplace.extend(displacement));
        let moved = |(straight, &number): (&[f64; MAX_DIM], &u32)| {
            std::array::from_fn(|d| straight[d] + displacement[d][number as usize])
        };
        straight.iter().zip(&numbers).map(moved).collect()
    }

    /// Numbers of nodes, `[element][node]`; elements share those of their common faces.
    fn node_numbers(&self, degree: usize) -> Vec<u32> {
        let inner = degree - 1;
        let on_face = |slot: usize| self.vertices.len() / self.dim + slot * inner;
        let inside = on_face(self.neighbours.len());
        let of_element = |element: usize| {
            let shape = self.shape(element);
            let lattice = shape.lattice(degree);
            let mut numbers = vec![u32::MAX; lattice.len()];
            for (number, &vertex) in numbers.iter_mut().zip(self.corners(element)) {
                *number = vertex;
            }
            for face in 0..shape.faces() {
                let slot = self.elements.slot(element, face);
                let behind = self.slot_behind(slot as u32).filter(|_| !self.is_periodic(slot as u32));
                let shared = behind.filter(|&behind| (behind as usize) < slot);
                for k in 1..degree {
                    let s = k as f64 / degree as f64;
                    let at = shape.face_position(face, s).map(|x| (x * degree as f64).round() as usize);
                    let number = match shared {
                        Some(behind) => on_face(behind as usize) + (degree - k - 1),
                        None => on_face(slot) + (k - 1),
                    };
                    if let Some(node) = lattice.iter().position(|&node| node == at) {
                        numbers[node] = number as u32;
                    }
                }
            }
            let first = inside + self.nodes_of(element, degree).start;
            let left = numbers[shape.corners()..].iter_mut().filter(|number| **number == u32::MAX);
            left.enumerate().for_each(|(i, number)| *number = (first + i) as u32);
            numbers
        };
        let numbers: Vec<Vec<u32>> = (0..self.element_count()).into_par_iter().map(of_element).collect();
        numbers.concat()
    }

    /// The least det J in an element, at nodes of twice its degree, over the size of the mean.
    pub(super) fn least_share(&self, element: usize) -> f64 {
        let map = self.map_of(element);
        let degree = 2 * map.degree();
        let at = |node: [usize; MAX_DIM]| map.determinant(node.map(|i| i as f64 / degree as f64));
        self.shape(element).lattice(degree).into_iter().map(at).fold(f64::INFINITY, f64::min)
            / map.mean_determinant().abs()
    }

    /// The determinant of the Jacobian matrix is positive in every element with curved sides.
    ///
    /// # Errors
    ///
    /// [`MeshError::TurnedOver`].
    pub(super) fn check_maps(&self) -> Result<(), MeshError> {
        let inverted = |element: usize| !self.map_of(element).is_positive();
        match (0..self.element_count()).into_par_iter().find_first(|&element| inverted(element)) {
            None => Ok(()),
            Some(element) => {
                Err(MeshError::TurnedOver { element: element as u64, place: place(&self.centroid(element)) })
            }
        }
    }

    /// Both elements of every face have the same curve there, but for a translation or a rotation where the face is periodic.
    ///
    /// # Errors
    ///
    /// [`MeshError::OpenSide`].
    pub(super) fn check_sides(&self) -> Result<(), MeshError> {
        if !self.has_curved_sides() {
            return Ok(());
        }
        let open = |slot: usize| {
            let (element, face) = self.elements.side(slot);
            let Neighbour::Element { element: behind, face: opposite } = self.neighbour(element, face) else {
                return None;
            };
            let (behind, opposite) = (behind as usize, usize::from(opposite));
            let (own, other) = (self.off_chord(element, face, false), self.off_chord(behind, opposite, true));
            let apart = own.iter().zip(&other).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max);
            let [from, to] = [0.0, 1.0].map(|s| place(&self.face_position(element, face, s)));
            let [first, second] = [element, behind].map(|element| element as u64);
            (apart > PERIOD_TOLERANCE).then_some(MeshError::OpenSide { first, second, from, to, apart })
        };
        (0..self.elements.slots()).into_par_iter().find_map_first(open).map_or(Ok(()), Err)
    }

    /// How far a face's nodes between its ends lie from its chord, along the chord and across, in units of the chord's length.
    fn off_chord(&self, element: usize, face: usize, is_backwards: bool) -> Vec<[f64; 2]> {
        let at = |s: f64| self.face_position(element, face, if is_backwards { 1.0 - s } else { s });
        let ([x, y], [to_x, to_y]) = (at(0.0), at(1.0));
        let [dx, dy] = [to_x - x, to_y - y];
        let from_chord = |k: usize| {
            let s = k as f64 / self.degree() as f64;
            let [px, py] = at(s);
            let [px, py] = [px - x - s * dx, py - y - s * dy];
            [(px * dx + py * dy) / (dx * dx + dy * dy), (py * dx - px * dy) / (dx * dx + dy * dy)]
        };
        (1..self.degree()).map(from_chord).collect()
    }

    /// The map of an element.
    pub fn map_of(&self, element: usize) -> ElementMap {
        match &self.curved {
            Some(curved) => ElementMap::new(self.shape(element), curved.degree, curved.of(&self.elements, element)),
            None => self.straight_map(element),
        }
    }

    /// The map of the element with straight sides between an element's corners.
    pub(super) fn straight_map(&self, element: usize) -> ElementMap {
        let corners = self.corners(element);
        ElementMap::straight(self.shape(element), |corner| self.vertex(corners[corner]))
    }

    /// The degree of the elements' sides: 1 if they are straight.
    pub fn degree(&self) -> usize {
        self.curved.as_ref().map_or(1, |curved| curved.degree)
    }

    /// Whether sides are curved.
    pub fn has_curved_sides(&self) -> bool {
        self.curved.is_some()
    }
}

/// If a curve leaves less than this share of the least det J over its mean that an element has with straight sides, others give way, too.
const LEAST_SHARE: f64 = 0.5;

/// The cells between the nodes of an element, cut in triangles, as node numbers.
fn cells(shape: Shape, degree: usize) -> Vec<u32> {
    let lattice = shape.lattice(degree);
    let node = |at: [usize; 2]| lattice.iter().position(|&other| other == at).map(|node| node as u32);
    let squares = (0..degree).flat_map(|j| (0..degree).map(move |i| [i, j]));
    let of_square = |[i, j]: [usize; 2]| [[[i, j], [i + 1, j], [i, j + 1]], [[i + 1, j], [i + 1, j + 1], [i, j + 1]]];
    let triangles = squares.flat_map(of_square).filter_map(|triangle| {
        let [a, b, c] = triangle.map(node);
        Some([a?, b?, c?])
    });
    triangles.flatten().collect()
}

/// Whether a node lies on a face.
fn is_on_face(shape: Shape, face: usize, node: [usize; MAX_DIM], degree: usize) -> bool {
    (0..=degree).any(|k| {
        shape.face_position(face, k as f64 / degree as f64).map(|x| (x * degree as f64).round() as usize) == node
    })
}

/// Where on a face the displacement of a point is taken from, and the share of it that the point takes. A polynomial displacement of the
/// face is continued as a polynomial of the same degree: on triangles that of B. Szabó & I. Babuška (Finite Element Analysis, 1991).
fn along_face(shape: Shape, face: usize, at: [f64; MAX_DIM]) -> (f64, f64) {
    let [x, y] = at;
    match shape {
        Shape::Triangle => {
            let barycentric = [1.0 - x - y, x, y];
            let (a, b) = (barycentric[face], barycentric[(face + 1) % 3]);
            let s = 0.5 * (1.0 + b - a);
            // Displacements vanish at the ends.
            (s, if a * b == 0.0 { 0.0 } else { a * b / (s * (1.0 - s)) })
        }
        Shape::Quadrilateral => [(x, 1.0 - y), (y, x), (1.0 - x, y), (1.0 - y, 1.0 - x)][face],
    }
}

/// The polynomial through values at equal distances, from 0 to 1, at s.
fn interpolated(values: &[[f64; MAX_DIM]], s: f64) -> [f64; MAX_DIM] {
    let n = values.len() - 1;
    let weight = |k: usize| {
        let at = |i: usize| i as f64 / n as f64;
        (0..=n).filter(|&i| i != k).map(|i| (s - at(i)) / (at(k) - at(i))).product::<f64>()
    };
    let weights: Vec<f64> = (0..=n).map(weight).collect();
    std::array::from_fn(|d| weights.iter().zip(values).map(|(weight, value)| weight * value[d]).sum())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::mesh::generate::{Block, Disc, Domain, Naca, Profile, QuarterAnnulus, Rectangle};
    use crate::mesh::tests::area;
    use crate::mesh::{Curve, Neighbour};

    /// The area of a ring sector and the positions of its boundary, by elements of degree q through equally spaced points, converge with the
    /// order of the formula of Newton and Cotes, which is even, and with q + 1.
    #[test]
    fn sides_follow_their_circles() {
        for shape in Shape::ALL {
            for degree in 2..=MAX_DEGREE {
                let exact = 0.25 * PI * (1.384_f64.powi(2) - 1.0);
                let errors = |cells: [usize; 2]| {
                    let annulus = QuarterAnnulus { shape, cells, ..QuarterAnnulus::default() };
                    let mesh = annulus.mesh().unwrap().with_degree(degree).unwrap();
                    let of_face = |face: &BoundaryFace| match mesh.boundaries[usize::from(face.boundary)].curve {
                        Some(Curve::Circle { radius, .. }) => {
                            let [x, y] = mesh.face_position(face.element as usize, face.face.into(), 0.3);
                            (x.hypot(y) - radius).abs()
                        }
                        _ => 0.0,
                    };
                    [(area(&mesh) - exact).abs(), mesh.boundary_faces.iter().map(of_face).fold(0.0, f64::max)]
                };
                let (coarse, fine) = (errors([2, 4]), errors([4, 8]));
                let rates = [0, 1].map(|i| (coarse[i] / fine[i]).log2());
                let even = (2 * (degree / 2 + 1)) as f64;
                let what = format!("{shape:?}, degree {degree}: {coarse:?}, {fine:?}");
                assert!(rates[0] > even - 0.2 || fine[0] < 1e-13, "{what}");
                assert!(rates[1] > degree as f64 + 0.8, "{what}");
            }
        }
    }

    /// The area of a disc of quadrilaterals around a square, by the curve's order.
    #[test]
    fn discs_of_quadrilaterals_are_round() {
        for degree in 2..=MAX_DEGREE {
            let [coarse, fine] = [1, 2].map(|rings| {
                let disc = Disc { shape: Shape::Quadrilateral, rings, ..Disc::default() };
                let disc = disc.mesh().unwrap().with_degree(degree).unwrap();
                disc.check_maps().unwrap();
                (area(&disc) - PI).abs()
            });
            let even = (2 * (degree / 2 + 1)) as f64;
            assert!((coarse / fine).log2() > even - 0.2, "degree {degree}: {coarse:e}, {fine:e}");
        }
    }

    /// Sides are closed curves around every element, and neighbours have the same, also where all nodes are moved.
    #[test]
    fn elements_fit_their_neighbours() {
        for (shape, degree) in
            Shape::ALL.into_iter().flat_map(|shape| (2..=MAX_DEGREE).map(move |degree| (shape, degree)))
        {
            let rectangle = Rectangle { shape, cells: [5, 4], jitter: 0.1, curvature: 0.1, ..Rectangle::default() };
            let rectangle = Rectangle { periodic: [true, false], ..rectangle };
            let mesh = rectangle.bent(rectangle.mesh().unwrap().with_degree(degree).unwrap()).unwrap().renumbered();
            assert!((area(&mesh) - 1.0).abs() < 1e-13, "{shape:?}, degree {degree}: {:e}", area(&mesh) - 1.0);
            for element in 0..mesh.element_count() {
                for face in 0..shape.faces() {
                    let Neighbour::Element { element: other, face: behind } = mesh.neighbour(element, face) else {
                        continue;
                    };
                    for s in [0.1, 0.4, 0.8] {
                        let here = mesh.face_position(element, face, s);
                        let there = mesh.face_position(other as usize, behind.into(), 1.0 - s);
                        let apart = [here[0] - there[0], here[1] - there[1]];
                        let whole = apart[0].abs().round();
                        assert!((apart[0].abs() - whole).abs() < 1e-13 && apart[1].abs() < 1e-13, "{apart:?}");
                        let (n, m) = (
                            mesh.map_of(element).face_normal(face, s),
                            mesh.map_of(other as usize).face_normal(behind.into(), 1.0 - s),
                        );
                        assert!((n.0[0] + m.0[0]).hypot(n.0[1] + m.0[1]) < 1e-12 && (n.1 - m.1).abs() < 1e-12);
                    }
                    // A place is found where it is.
                    let place = mesh.position(element, &[0.2, 0.3]);
                    let (found, reference) = mesh.locate(&place).unwrap();
                    assert!(found == element && (reference[0] - 0.2).hypot(reference[1] - 0.3) < 1e-11);
                }
            }
        }
    }

    /// Cells much thinner than the distance of an arc from its chord.
    #[test]
    fn thin_cells_give_way_to_curves() {
        for shape in Shape::ALL {
            let domain = Domain::Cylinder { radii: [0.5, 4.0] };
            let ring = Block { shape, cells: [16, 8], layers: 0, grading: 1.4, domain }.mesh().unwrap();
            for degree in 2..=MAX_DEGREE {
                let mesh = ring.clone().with_degree(degree).unwrap();
                let exact = PI * (16.0 - 0.25);
                let error = (area(&mesh) / exact - 1.0).abs();
                assert!(error < 0.02_f64.powi(degree as i32 - 1), "{shape:?}, degree {degree}: {error:e}");
                let shares = (0..mesh.element_count()).map(|element| mesh.least_share(element));
                let least = shares.fold(1.0, f64::min);
                assert!(least > 0.2, "{shape:?}, degree {degree}: {least}");
            }
        }
        // A disc of one ring has six triangles, each with an arc of 60 degrees.
        let disc = Disc { rings: 1, ..Disc::default() }.mesh().unwrap().with_degree(4).unwrap();
        assert!((area(&disc) - PI).abs() < 3e-5, "{:e}", area(&disc) - PI);
    }

    /// A quadrilateral whose inner node is moved over a side is found, though the determinant is positive at all of its nodes but one.
    #[test]
    fn a_folded_element_is_found() {
        for (shape, nodes) in [(Shape::Triangle, 6), (Shape::Quadrilateral, 9)] {
            let square = Rectangle { shape, cells: [1, 1], ..Rectangle::default() }.mesh().unwrap();
            let straight = square.straight_nodes(2);
            assert!(square.with_nodes(2, &straight).check_maps().is_ok());
            // The middle of the first side, moved inward: where it passes a quarter of the height, a triangle is folded at its end.
            let moved = |by: f64| {
                let mut nodes = straight.clone();
                nodes[shape.corners()][1] += by;
                square.with_nodes(2, &nodes).check_maps().is_ok()
            };
            assert_eq!(straight.len() % nodes, 0);
            assert!(moved(0.2) && !moved(0.6), "{shape:?}");
        }
    }

    /// Two flat corners meet at the trailing edge; their elements have as much room as with straight sides.
    #[test]
    fn a_flat_corner_bends_no_other_element() {
        let domain = Domain::Airfoil { airfoil: Naca::new("0012").unwrap(), radius: 5.0, wake: 0 };
        let grid = Block { shape: Shape::Quadrilateral, cells: [8, 64], layers: 0, grading: 1.0, domain };
        let mesh = grid.mesh().unwrap().with_degree(3).unwrap();
        let curved = mesh.kinds()[0].1.iter().find(|(map, _)| map.is_curved()).unwrap().1;
        assert!(curved <= 64, "{curved}");
    }

    /// A bump so high that its curve passes the opposite corners of the triangles at it: they are turned over as a whole.
    #[test]
    fn elements_that_are_turned_over_as_a_whole_are_found() {
        for (degree, height) in [(2, 0.5), (3, 0.5), (4, 0.5), (2, 0.4), (4, 0.3)] {
            let domain = Domain::Bump { profile: Profile::Arc, height };
            let bump = Block { shape: Shape::Triangle, cells: [6, 4], layers: 0, grading: 1.0, domain };
            match bump.mesh().unwrap().with_degree(degree) {
                Ok(mesh) => (0..mesh.element_count()).for_each(|element| assert!(mesh.least_share(element) > 0.0)),
                Err(error) => assert!(matches!(error, MeshError::Folded { .. }), "{error}"),
            }
        }
    }

    /// A node in the middle of a side belongs to the elements on both sides, also where the side is periodic.
    #[test]
    fn sides_that_are_bent_differently_are_found() {
        for shape in Shape::ALL {
            let square = Rectangle { shape, cells: [2, 1], ..Rectangle::default() }.mesh().unwrap();
            let straight = square.straight_nodes(2);
            let moved = |places: &[[f64; 2]], once: bool| {
                let mut nodes = straight.clone();
                for place in places {
                    let mut there: Vec<_> = nodes.iter_mut().filter(|node| *node == place).collect();
                    assert!(!there.is_empty(), "{shape:?} {place:?}");
                    there.truncate(if once { 1 } else { 2 });
                    there.into_iter().for_each(|node| node[0] += 0.02);
                }
                square.with_nodes(2, &nodes)
            };
            let middle = [0.5, 0.5];
            assert!(moved(&[middle], false).check_sides().is_ok(), "{shape:?}");
            let open = moved(&[middle], true).check_sides().unwrap_err();
            assert!(
                matches!(open, MeshError::OpenSide { apart, .. } if (apart - 0.02).abs() < 1e-12),
                "{shape:?}: {open}"
            );
            let joined = |places: &[[f64; 2]]| moved(places, false).with_periods(&[("left", "right")]);
            assert!(joined(&[[0.0, 0.5], [1.0, 0.5]]).is_ok(), "{shape:?}");
            assert!(matches!(joined(&[[0.0, 0.5]]), Err(MeshError::OpenSide { .. })), "{shape:?}");
        }
    }
}
