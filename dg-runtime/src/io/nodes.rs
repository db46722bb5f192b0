//! The nodes in VTK's order at which an element's polynomial is sampled for files.

use std::ops::Range;

use crate::law::Shape;

/// The output nodes of every element. Elements share no nodes, because a discontinuous solution has two values at a face.
#[derive(Clone, Copy, Debug)]
pub struct Nodes<'a> {
    /// The number of elements of each shape; those of a shape follow each other, in the order of [`Shape::ALL`].
    pub counts: [usize; Shape::ALL.len()],
    /// Degree of the Lagrange nodes, at least 1.
    pub degree: usize,
    /// Number of space dimensions.
    pub dim: usize,
    /// `[node][dim]` of one element behind the other, the nodes in VTK's order for the Lagrange cell of its shape.
    pub positions: &'a [f64],
}

/// The output nodes of the elements of one shape.
#[derive(Clone, Debug)]
pub struct NodesOfShape<'a> {
    /// Their shape.
    pub shape: Shape,
    degree: usize,
    dim: usize,
    /// `[element][node][dim]`.
    positions: &'a [f64],
    /// The numbers of the nodes among all.
    nodes: Range<usize>,
}

impl<'a> Nodes<'a> {
    /// The nodes of elements of one shape.
    pub fn uniform(shape: Shape, degree: usize, dim: usize, positions: &'a [f64]) -> Self {
        let elements = positions.len() / (dim * shape.polynomials(degree));
        let counts = Shape::ALL.map(|other| if other == shape { elements } else { 0 });
        Self { counts, degree, dim, positions }
    }

    /// Number of nodes of all elements.
    pub fn total(&self) -> usize {
        self.positions.len() / self.dim
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The nodes of each shape that elements have.
    pub fn by_shape(&self) -> impl Iterator<Item = NodesOfShape<'a>> {
        let &Self { degree, dim, positions, .. } = self;
        let mut end = 0;
        let of_shape = move |(shape, count): (Shape, usize)| {
            let first = end;
            end += count * shape.polynomials(degree);
            NodesOfShape { shape, degree, dim, positions: &positions[first * dim..end * dim], nodes: first..end }
        };
        Shape::ALL.into_iter().zip(self.counts).map(of_shape).filter(|of_shape| !of_shape.nodes.is_empty())
    }

    /// Nodes on lattices four times as fine, if linear triangles between these nodes stray from curved elements by more than a distance:
    /// positions are those of the elements' maps, and values stay linear between the nodes that there were. `None`, too, where these
    /// would be very many.
    pub fn finer(&self, values: &[f64], distance: f64) -> Option<FinerNodes> {
        let degree = FINER * self.degree;
        let total: usize = self.by_shape().map(|nodes| nodes.elements() * nodes.shape.polynomials(degree)).sum();
        if self.degree == 1 || total > MOST_FINER {
            return None;
        }
        let mut finer =
            FinerNodes { counts: self.counts, degree, dim: self.dim, positions: Vec::new(), values: Vec::new() };
        let mut farthest = 0.0_f64;
        for nodes in self.by_shape() {
            let points: Vec<[f64; 2]> =
                nodes.shape.lattice(degree).into_iter().map(|node| node.map(|i| i as f64 / degree as f64)).collect();
            let on_map: Vec<Vec<f64>> = points.iter().map(|&point| nodes.lagrange(point)).collect();
            let on_triangle: Vec<Corners> = points.iter().map(|&point| nodes.in_sub_triangle(point)).collect();
            for (positions, values) in nodes.positions().zip(nodes.values(values)) {
                for (weights, corners) in on_map.iter().zip(&on_triangle) {
                    let of_map = |d: usize| -> f64 {
                        weights.iter().zip(positions.iter().skip(d).step_by(self.dim)).map(|(w, x)| w * x).sum()
                    };
                    let linear =
                        |d: usize| -> f64 { corners.iter().map(|&(n, w)| w * positions[self.dim * n + d]).sum() };
                    let place = [of_map(0), of_map(1)];
                    farthest = farthest.max((place[0] - linear(0)).hypot(place[1] - linear(1)));
                    finer.positions.extend(place);
                    // A corner without a share may have no value.
                    let shares = corners.iter().filter(|(_, weight)| *weight != 0.0);
                    finer.values.push(shares.map(|&(n, weight)| weight * values[n]).sum());
                }
            }
        }
        (farthest > distance).then_some(finer)
    }
}

/// How many times as fine [`Nodes::finer`] is, and the most nodes of it.
const FINER: usize = 4;
const MOST_FINER: usize = 2_000_000;

/// The nodes between which a point of an element lies, with their weights.
type Corners = [(usize, f64); 3];

/// Nodes that follow curved elements, with values: see [`Nodes::finer`].
#[derive(Clone, Debug)]
pub struct FinerNodes {
    counts: [usize; Shape::ALL.len()],
    degree: usize,
    dim: usize,
    positions: Vec<f64>,
    /// The value at each.
    pub values: Vec<f64>,
}

impl FinerNodes {
    /// The nodes.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes { counts: self.counts, degree: self.degree, dim: self.dim, positions: &self.positions }
    }
}

impl<'a> NodesOfShape<'a> {
    /// Number of nodes of one element.
    pub fn per_element(&self) -> usize {
        self.shape.polynomials(self.degree)
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.nodes.len() / self.per_element()
    }

    /// The number of the first node among those of all shapes.
    pub fn first(&self) -> usize {
        self.nodes.start
    }

    /// The positions of each element's nodes, `[node][dim]`.
    pub fn positions(&self) -> impl Iterator<Item = &'a [f64]> {
        self.positions.chunks_exact(self.dim * self.per_element())
    }

    /// The values of each element, from those at the nodes of all shapes.
    pub fn values<'v>(&self, values: &'v [f64]) -> impl Iterator<Item = &'v [f64]> {
        values[self.nodes.clone()].chunks_exact(self.per_element())
    }

    /// The derivatives at each node, along the axes of the reference element, of the Lagrange polynomials: `[node][polynomial]`.
    pub fn derivatives(&self) -> Vec<Vec<[f64; 2]>> {
        let positions = self.shape.lattice(self.degree).into_iter();
        let positions = positions.map(|node| node.map(|i| i as f64 / self.degree as f64));
        let gradients = match self.shape {
            Shape::Triangle => triangle_lagrange_gradients,
            Shape::Quadrilateral => quadrilateral_lagrange_gradients,
        };
        positions.map(|position| gradients(self.degree, position)).collect()
    }

    /// The values at a point of the reference element of the Lagrange polynomials, which interpolate values at the nodes.
    fn lagrange(&self, point: [f64; 2]) -> Vec<f64> {
        match self.shape {
            Shape::Triangle => triangle_lagrange(self.degree, point),
            Shape::Quadrilateral => quadrilateral_lagrange(self.degree, point),
        }
    }

    /// The corners of the [linear triangle](Self::sub_triangles) around a point of the reference element, and the weights that interpolate
    /// there.
    fn in_sub_triangle(&self, point: [f64; 2]) -> Corners {
        let lattice = self.shape.lattice(self.degree);
        let at = |node: usize| lattice[node].map(|i| i as f64 / self.degree as f64);
        let weights = |corners: [usize; 3]| -> Corners {
            let cross = |[a, b, c]: [[f64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            let [a, b, c] = corners.map(at);
            let shares = [[point, b, c], [a, point, c], [a, b, point]].map(|part| cross(part) / cross([a, b, c]));
            std::array::from_fn(|i| (corners[i], shares[i]))
        };
        let least = |corners: &Corners| corners.iter().map(|corner| corner.1).fold(f64::INFINITY, f64::min);
        let all = self.sub_triangles().into_iter().map(weights);
        let inside = all.max_by(|one, other| least(one).total_cmp(&least(other))).unwrap_or_default();
        // Rounding.
        inside.map(|(node, weight)| (node, if weight.abs() < 1e-12 { 0.0 } else { weight }))
    }

    /// The nodes along each face, from its first corner to its second.
    pub fn along_faces(&self) -> Vec<Vec<usize>> {
        let lattice = self.shape.lattice(self.degree);
        let on_face = |face: usize, k: usize| {
            let place = self.shape.face_position(face, k as f64 / self.degree as f64);
            let place = place.map(|x| (x * self.degree as f64).round() as usize);
            lattice.iter().position(|node| *node == place)
        };
        let of_face = |face: usize| (0..=self.degree).filter_map(|k| on_face(face, k)).collect();
        (0..self.shape.faces()).map(of_face).collect()
    }

    /// The linear triangles between neighbouring nodes of one element, as indices of its nodes. They fill the element.
    pub fn sub_triangles(&self) -> Vec<[usize; 3]> {
        match self.shape {
            Shape::Triangle => split_triangle(self.degree),
            Shape::Quadrilateral => split_quadrilateral(self.degree),
        }
    }
}

/// Calls `each` for every one of the [linear triangles](NodesOfShape::sub_triangles) of every element, with the positions and the values of
/// the element's nodes.
pub fn for_sub_triangles(nodes: &Nodes<'_>, values: &[f64], mut each: impl FnMut(&[f64], &[f64], [usize; 3])) {
    for of_shape in nodes.by_shape() {
        let triangles = of_shape.sub_triangles();
        for (positions, values) in of_shape.positions().zip(of_shape.values(values)) {
            triangles.iter().for_each(|&triangle| each(positions, values, triangle));
        }
    }
}

/// Values of the Lagrange polynomials of [`Shape::lattice`]'s nodes at a point of the triangle (0,0), (1,0), (0,1), which
/// interpolate values at the nodes: with p the degree and a node at (i, j) / p,
///
/// L(x, y) = R_i(x) R_j(y) R_k(1 - x - y),   i + j + k = p,   R_m(x) = p x (p x - 1) … (p x - m + 1) / m!
///
/// (P. Silvester, "High-order polynomial triangular finite elements for potential problems", Int. J. Eng. Sci. 7 (1969) 849–861).
pub fn triangle_lagrange(degree: usize, [x, y]: [f64; 2]) -> Vec<f64> {
    let [in_x, in_y, in_rest] = [x, y, 1.0 - x - y].map(|x| lagrange_factors(degree, x));
    let product = |[i, j]: [usize; 2]| in_x[i][0] * in_y[j][0] * in_rest[degree - i - j][0];
    Shape::Triangle.lattice(degree).into_iter().map(product).collect()
}

/// The gradients of [`triangle_lagrange`]'s polynomials at a point.
pub fn triangle_lagrange_gradients(degree: usize, [x, y]: [f64; 2]) -> Vec<[f64; 2]> {
    let [in_x, in_y, in_rest] = [x, y, 1.0 - x - y].map(|x| lagrange_factors(degree, x));
    let gradient = |[i, j]: [usize; 2]| {
        let ([a, da], [b, db], [c, dc]) = (in_x[i], in_y[j], in_rest[degree - i - j]);
        [da * b * c - a * b * dc, a * db * c - a * b * dc]
    };
    Shape::Triangle.lattice(degree).into_iter().map(gradient).collect()
}

/// The values at a point of the Lagrange polynomials of a quadrilateral's lattice: products of those in one direction.
fn quadrilateral_lagrange(degree: usize, [x, y]: [f64; 2]) -> Vec<f64> {
    let along = |x: f64| -> Vec<f64> {
        let (first, last) = (lagrange_factors(degree, x), lagrange_factors(degree, 1.0 - x));
        (0..=degree).map(|m| first[m][0] * last[degree - m][0]).collect()
    };
    let (in_x, in_y) = (along(x), along(y));
    Shape::Quadrilateral.lattice(degree).into_iter().map(|[i, j]| in_x[i] * in_y[j]).collect()
}

/// The gradients at a point of the Lagrange polynomials of a quadrilateral's lattice: products of those in one direction.
fn quadrilateral_lagrange_gradients(degree: usize, [x, y]: [f64; 2]) -> Vec<[f64; 2]> {
    let along = |x: f64| -> Vec<[f64; 2]> {
        let (first, last) = (lagrange_factors(degree, x), lagrange_factors(degree, 1.0 - x));
        let of_node = |m: usize| {
            let ([a, da], [b, db]) = (first[m], last[degree - m]);
            [a * b, da * b - a * db]
        };
        (0..=degree).map(of_node).collect()
    };
    let (in_x, in_y) = (along(x), along(y));
    let gradient = |[i, j]: [usize; 2]| [in_x[i][1] * in_y[j][0], in_x[i][0] * in_y[j][1]];
    Shape::Quadrilateral.lattice(degree).into_iter().map(gradient).collect()
}

/// R_m(x) and R_m'(x) for all m up to the degree.
fn lagrange_factors(degree: usize, x: f64) -> Vec<[f64; 2]> {
    let degree_x = degree as f64 * x;
    let longer = |r: &mut [f64; 2], m: usize| {
        let [value, slope] = *r;
        let (factor, count) = (degree_x - m as f64, (m + 1) as f64);
        *r = [value * factor / count, (slope * factor + value * degree as f64) / count];
        Some([value, slope])
    };
    (0..=degree).scan([1.0, 0.0], longer).collect()
}

/// The `degree`² triangles between neighbouring lattice points, as indices into [`Shape::lattice`].
fn split_triangle(degree: usize) -> Vec<[usize; 3]> {
    let mut index = vec![vec![0; degree + 1]; degree + 1];
    for (node, [i, j]) in Shape::Triangle.lattice(degree).into_iter().enumerate() {
        index[i][j] = node;
    }
    let mut triangles = Vec::with_capacity(degree * degree);
    for i in 0..degree {
        for j in 0..degree - i {
            triangles.push([index[i][j], index[i + 1][j], index[i][j + 1]]);
            if i + j + 1 < degree {
                triangles.push([index[i + 1][j], index[i + 1][j + 1], index[i][j + 1]]);
            }
        }
    }
    triangles
}

/// The two triangles of each square between neighbouring lattice points, as indices into [`Shape::lattice`].
fn split_quadrilateral(degree: usize) -> Vec<[usize; 3]> {
    let mut index = vec![vec![0; degree + 1]; degree + 1];
    for (node, [i, j]) in Shape::Quadrilateral.lattice(degree).into_iter().enumerate() {
        index[i][j] = node;
    }
    let squares = (0..degree).flat_map(|i| (0..degree).map(move |j| [i, j]));
    let halves = |[i, j]: [usize; 2]| {
        let [a, b, c, d] = [index[i][j], index[i + 1][j], index[i + 1][j + 1], index[i][j + 1]];
        [[a, b, c], [a, c, d]]
    };
    squares.flat_map(halves).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    use super::*;

    #[test]
    fn lagrange_polynomials_are_one_at_their_node_and_reproduce_polynomials() {
        for degree in 1..=7 {
            let lattice = Shape::Triangle.lattice(degree);
            let position = |node: [usize; 2]| node.map(|i| i as f64 / degree as f64);
            for (n, node) in lattice.iter().enumerate() {
                for (m, value) in triangle_lagrange(degree, position(*node)).into_iter().enumerate() {
                    assert!((value - f64::from(n == m)).abs() < 1e-12);
                }
            }
            let polynomial = |[x, y]: [f64; 2]| (1.0 + x - 2.0 * y).powi(degree as i32);
            let point = [0.31, 0.17];
            let weights = triangle_lagrange(degree, point).into_iter().zip(lattice.clone());
            let found: f64 = weights.map(|(weight, node)| weight * polynomial(position(node))).sum();
            assert!((found - polynomial(point)).abs() < 1e-12, "{degree}: {found}");

            let slope = degree as f64 * (1.0 + point[0] - 2.0 * point[1]).powi(degree as i32 - 1);
            let gradients = triangle_lagrange_gradients(degree, point);
            for (d, expected) in [slope, -2.0 * slope].into_iter().enumerate() {
                let weights = gradients.iter().zip(&lattice);
                let found: f64 = weights.map(|(weight, &node)| weight[d] * polynomial(position(node))).sum();
                assert!((found - expected).abs() < 1e-11, "{degree}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn finer_nodes_lie_on_the_sides_and_keep_values_linear() {
        for (shape, area) in [(Shape::Triangle, PI / 8.0), (Shape::Quadrilateral, PI / 4.0 * 3.0)] {
            // A sector of the disc of radius 1, its side replaced by a polynomial, and one of a ring up to radius 2.
            let map = |[x, y]: [f64; 2]| match shape {
                Shape::Triangle => [
                    (x + y) * (y / (x + y).max(1e-300) * FRAC_PI_4).cos(),
                    (x + y) * (y / (x + y).max(1e-300) * FRAC_PI_4).sin(),
                ],
                Shape::Quadrilateral => [(1.0 + x) * (y * FRAC_PI_2).cos(), (1.0 + x) * (y * FRAC_PI_2).sin()],
            };
            let place = |node: [usize; 2]| map(node.map(|i| i as f64 / 4.0));
            let positions: Vec<f64> = shape.lattice(4).into_iter().flat_map(place).collect();
            let values: Vec<f64> = (0..positions.len() / 2).map(|n| (n % 5) as f64).collect();
            let nodes = Nodes::uniform(shape, 4, 2, &positions);
            let finer = nodes.finer(&values, 1e-3).unwrap();
            assert!(nodes.finer(&values, 0.1).is_none());

            let area_of = |nodes: &Nodes<'_>, values: &[f64]| {
                let (mut area, mut seen) = (0.0, 0.0);
                for_sub_triangles(nodes, values, |at, values, [a, b, c]| {
                    let edge = |n: usize| [at[2 * n] - at[2 * a], at[2 * n + 1] - at[2 * a + 1]];
                    let ([bx, by], [cx, cy]) = (edge(b), edge(c));
                    area += 0.5 * (bx * cy - by * cx);
                    seen = f64::max(seen, values[a]);
                });
                (area, seen)
            };
            let (coarse, fine) = (area_of(&nodes, &values), area_of(&finer.nodes(), &finer.values));
            // Chords of a circle lose area as the square of their length.
            assert!((fine.0 - area).abs() < (coarse.0 - area).abs() / 12.0, "{shape:?}: {fine:?}, {coarse:?}, {area}");
            assert!((fine.1 - coarse.1).abs() < 1e-12, "no value beyond those at the nodes");
        }
    }

    #[test]
    fn sub_triangles_are_congruent_and_fill_the_element() {
        for degree in 1..=7 {
            let lattice = Shape::Triangle.lattice(degree);
            let triangles = split_triangle(degree);
            assert_eq!(triangles.len(), degree * degree);
            for [a, b, c] in triangles {
                let edge = |from: usize, to: usize| [0, 1].map(|d| lattice[to][d] as i64 - lattice[from][d] as i64);
                let (ab, ac) = (edge(a, b), edge(a, c));
                assert_eq!(ab[0] * ac[1] - ab[1] * ac[0], 1, "anticlockwise, of twice the area 1");
            }
        }
    }
}
