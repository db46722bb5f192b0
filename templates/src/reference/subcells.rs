//! Sub-cells: a reference element cut into as many cells as there are basis functions, so that their means and the
//! coefficients of a polynomial determine each other.
//!
//! Each cell is around a node of the lattice of degree p, between lines from the middles of the lattice's triangles to those
//! of their edges. The lattice is moved so that the cells cut a face into pieces as long as the weights of its
//! Gauss-Legendre points: a sum over the points of a face is then a sum over cells too.

use super::quadrature::{gauss_legendre, volume_rule};
use super::{Shape, basis};

/// The cells of one shape and one order p >= 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Subcells {
    /// Their measures, `[i]`.
    pub measures: Vec<f64>,
    /// The mean of phi_j over cell i, `[i][j]`.
    pub means: Vec<Vec<f64>>,
    /// The inverse, coefficient j of what has mean 1 in cell i and 0 in the others, `[j][i]`.
    pub modes: Vec<Vec<f64>>,
    /// Where two cells meet.
    pub interfaces: Vec<Interface>,
    /// The cell at point k of face f, `[f][k]`.
    pub at_face: Vec<Vec<usize>>,
}

/// Where two cells meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// The two cells.
    pub cells: [usize; 2],
    /// The integral of the normal, from the first to the second, `[d]`.
    pub area: Vec<f64>,
}

/// A place on the lattice of a triangle, in sixths of its spacing.
type Place = [usize; 2];

impl Subcells {
    /// Builds the cells of a triangle.
    pub fn new(shape: Shape, order: usize) -> Self {
        let lattice = Lattice::new(order);
        let nodes: Vec<Place> = (0..=order).flat_map(|j| (0..=order - j).map(move |i| [6 * i, 6 * j])).collect();
        let number = |node: Place| nodes.iter().position(|other| *other == node).unwrap_or_default();
        let functions = basis::count(shape, order);
        let mut cells = Self {
            measures: vec![0.0; nodes.len()],
            means: vec![vec![0.0; functions]; nodes.len()],
            modes: Vec::new(),
            interfaces: Vec::new(),
            at_face: (0..=order)
                .map(|k| [[6 * k, 0], [6 * (order - k), 6 * k], [0, 6 * (order - k)]].map(number))
                .fold(vec![Vec::new(); 3], |mut faces, cells| {
                    faces.iter_mut().zip(cells).for_each(|(face, cell)| face.push(cell));
                    faces
                }),
        };
        for (first, second, [start, end]) in edges(order) {
            let [start, end] = [start, end].map(|place| lattice.position(place));
            for (node, ends) in [(first, [start, end]), (second, [end, start])] {
                cells.add_triangle(shape, order, number(node), lattice.position(node), ends);
            }
            let area = vec![end[1] - start[1], start[0] - end[0]];
            cells.interfaces.push(Interface { cells: [number(first), number(second)], area });
        }
        for (row, measure) in cells.means.iter_mut().zip(&cells.measures) {
            row.iter_mut().for_each(|entry| *entry /= measure);
        }
        cells.modes = inverse(&cells.means);
        cells
    }

    /// Adds the integrals over a triangle to a cell.
    fn add_triangle(&mut self, shape: Shape, order: usize, cell: usize, apex: [f64; 2], [a, b]: [[f64; 2]; 2]) {
        let [a, b] = [a, b].map(|end| [end[0] - apex[0], end[1] - apex[1]]);
        let determinant = a[0] * b[1] - a[1] * b[0];
        let rule = volume_rule(shape, order).expect("the degree of an order is below those of its own quadratures");
        for (point, weight) in rule.points.iter().zip(&rule.weights) {
            let x: Vec<f64> = (0..2).map(|d| apex[d] + point[0] * a[d] + point[1] * b[d]).collect();
            self.measures[cell] += determinant * weight;
            for (entry, phi) in self.means[cell].iter_mut().zip(basis::values(shape, order, &x)) {
                *entry += determinant * weight * phi;
            }
        }
    }
}

/// The edges of a lattice: the nodes at their ends, and from where to where the cells of these meet, with the first node on
/// the left.
fn edges(order: usize) -> Vec<(Place, Place, [Place; 2])> {
    let mut edges = Vec::new();
    let inside = |[x, y]: Place| x + y <= 6 * order;
    for j in (0..order).map(|j| 6 * j) {
        for i in (0..order).map(|i| 6 * i) {
            let corners = [[i, j], [i + 6, j], [i, j + 6]];
            if !inside(corners[1]) {
                continue;
            }
            let [lower, right, upper] = corners;
            let middle = [i + 2, j + 2];
            // From what is below, to the left, or beyond the slanted edge, or where it is on a face.
            let below = if j > 0 { [i + 4, j - 2] } else { [i + 3, j] };
            let beside = if i > 0 { [i - 2, j + 4] } else { [i, j + 3] };
            let beyond = if inside([i + 6, j + 6]) { [i + 4, j + 4] } else { [i + 3, j + 3] };
            edges.push((lower, right, [below, middle]));
            edges.push((upper, lower, [beside, middle]));
            edges.push((right, upper, [beyond, middle]));
        }
    }
    edges
}

/// A lattice that is moved along its lines.
struct Lattice {
    order: usize,
    /// Where the middles between its nodes lie on a face.
    cuts: Vec<f64>,
}

impl Lattice {
    fn new(order: usize) -> Self {
        let (_, weights) = gauss_legendre(order + 1);
        let cuts = weights[..order].iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { order, cuts: cuts.collect() }
    }

    /// A barycentric coordinate, moved: on straight lines through the ends and the cuts.
    fn moved(&self, place: usize) -> f64 {
        let p = self.order as f64;
        let s = place as f64 / (6.0 * p);
        let knots = || (0..self.order).map(|k| (k as f64 + 0.5) / p).zip(self.cuts.iter().copied());
        let (a, b) = knots().filter(|knot| knot.0 <= s).last().unwrap_or((0.0, 0.0));
        let (c, d) = knots().find(|knot| knot.0 > s).unwrap_or((1.0, 1.0));
        if s < 1.0 { b + (d - b) * (s - a) / (c - a) } else { 1.0 }
    }

    fn position(&self, [x, y]: Place) -> [f64; 2] {
        let [x, y, rest] = [x, y, 6 * self.order - x - y].map(|place| self.moved(place));
        [x, y].map(|coordinate| coordinate / (x + y + rest))
    }
}

/// The inverse of a matrix by elimination, with the largest pivot of each column.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| row.iter().copied().chain((0..n).map(|j| f64::from(i == j))).collect())
        .collect();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.unwrap_or(column));
        let scale = 1.0 / rows[column][column];
        rows[column].iter_mut().for_each(|entry| *entry *= scale);
        let eliminated = rows[column].clone();
        for row in (0..n).filter(|row| *row != column) {
            let factor = rows[row][column];
            rows[row].iter_mut().zip(&eliminated).for_each(|(entry, other)| *entry -= factor * other);
        }
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (usize, Subcells)> {
        (1..=7).map(|order| (order, Subcells::new(Shape::Triangle, order)))
    }

    #[test]
    fn cells_fill_the_element_and_are_closed() {
        let normals = [[0.0, -1.0], [1.0, 1.0], [-1.0, 0.0]];
        for (order, cells) in all() {
            assert!(cells.measures.iter().all(|measure| *measure > 0.0));
            assert!((cells.measures.iter().sum::<f64>() - 0.5).abs() < 1e-14);
            let (_, weights) = gauss_legendre(order + 1);
            let mut sums = vec![[0.0; 2]; cells.measures.len()];
            for Interface { cells: [a, b], area } in &cells.interfaces {
                for d in 0..2 {
                    sums[*a][d] += area[d];
                    sums[*b][d] -= area[d];
                }
            }
            for (face, normal) in cells.at_face.iter().zip(normals) {
                for (cell, weight) in face.iter().zip(&weights) {
                    for d in 0..2 {
                        sums[*cell][d] += weight * normal[d];
                    }
                }
            }
            assert!(sums.iter().flatten().all(|sum| sum.abs() < 1e-14), "p = {order}: {sums:?}");
        }
    }

    /// How well means determine coefficients: the norms of both matrices with rows scaled by the root of a cell's measure.
    #[test]
    fn means_determine_coefficients() {
        for (order, cells) in all() {
            let n = cells.measures.len();
            let mut norms = [0.0_f64; 2];
            for (i, measure) in cells.measures.iter().enumerate() {
                for j in 0..n {
                    norms[0] += measure * cells.means[i][j].powi(2);
                    norms[1] += cells.modes[j][i].powi(2) / measure;
                    let product: f64 = (0..n).map(|k| cells.modes[i][k] * cells.means[k][j]).sum();
                    assert!((product - f64::from(i == j)).abs() < 1e-11);
                }
            }
            // Both are the root of n where the matrix is orthogonal.
            let condition = (norms[0] * norms[1]).sqrt() / n as f64;
            // How far values in the element can exceed the means.
            let points: Vec<Vec<f64>> = volume_rule(Shape::Triangle, 18).unwrap().points;
            let lebesgue = points
                .iter()
                .map(|point| basis::values(Shape::Triangle, order, point))
                .map(|phi| (0..n).map(|i| (0..n).map(|j| phi[j] * cells.modes[j][i]).sum::<f64>().abs()).sum::<f64>())
                .fold(0.0, f64::max);
            println!("p = {order}: {condition:.2}, {lebesgue:.1}");
            assert!(condition < 10.0, "p = {order}: {condition}");
        }
    }
}
