//! The tables of a reference element, which define the discretisation for the generated code.

use std::error::Error;
use std::fmt;

use super::quadrature::{Rule, gauss_legendre, highest_degree, volume_rule};
use super::{Shape, basis, nodes};
use crate::map::Map;

/// The operators of one shape and one order p, with n basis functions phi_j, orthonormal on the reference element.
///
/// Indices: j basis function, q volume or fine point, f face, k face point, d dimension, s sample point.
/// Entries that are integers in exact arithmetic, zero among them, are stored exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Operators {
    /// The reference element.
    pub shape: Shape,
    /// The polynomial degree p.
    pub order: usize,
    /// The largest degree m of the elements of a mesh, at least p. Elements of all degrees have the points of its quadrature on faces, so
    /// that a face between two has the same points for both.
    pub mesh_order: usize,
    /// The degree of the cells in files: the largest of 1, m and the degree of the elements' sides.
    pub sample_order: usize,
    /// The number n of basis functions.
    pub basis: usize,
    /// The degree of phi_j, `[j]`: see [`basis::degrees`].
    pub degrees: Vec<usize>,
    /// `[q][d]`, exact to degree 2p.
    pub volume_points: Vec<Vec<f64>>,
    /// `[q]`, with sum the measure of the reference element.
    pub volume_weights: Vec<f64>,
    /// phi_j at the volume points, `[q][j]`.
    pub basis_at_volume: Vec<Vec<f64>>,
    /// The derivative of phi_j by reference coordinate d at the volume points, `[q][d][j]`.
    pub gradient_at_volume: Vec<Vec<Vec<f64>>>,
    /// The derivative of phi_j by reference coordinate d in the basis, `[d][i][j]`.
    pub derivative: Vec<Vec<Vec<f64>>>,
    /// The m + 1 Gauss-Legendre parameters in (0,1) along a face, `[k]`.
    pub face_points: Vec<f64>,
    /// `[k]`, with sum 1: to be scaled by the measure of the face.
    pub face_weights: Vec<f64>,
    /// The face points in reference coordinates, `[f][k][d]`.
    pub face_positions: Vec<Vec<Vec<f64>>>,
    /// phi_j at the face points, `[f][k][j]`. In the plane the neighbour's points run the other way: point k is its m - k.
    pub basis_at_face: Vec<Vec<Vec<f64>>>,
    /// `[q][d]`, exact to degree 2p + 4, for projections and errors.
    pub fine_points: Vec<Vec<f64>>,
    /// `[q]`, with sum the measure of the reference element.
    pub fine_weights: Vec<f64>,
    /// phi_j at the fine points, `[q][j]`.
    pub basis_at_fine: Vec<Vec<f64>>,
    /// The Lagrange nodes of degree `sample_order` in VTK's order, `[s][d]`.
    pub sample_points: Vec<Vec<f64>>,
    /// phi_j at the sample points, `[s][j]`.
    pub basis_at_sample: Vec<Vec<f64>>,
    /// The factors of the basis functions, if they are products.
    pub line: Option<Line>,
    /// The symmetry of the tables, if they are of a triangle.
    pub reflection: Option<Reflection>,
}

/// The reflection (x, y) → (1 - x - y, y), which exchanges the corners 0 and 1 of the reference triangle. The points of face 0 are images of each
/// other, point k of m - k, and those of faces 1 and 2, likewise.
#[derive(Clone, Debug, PartialEq)]
pub struct Reflection {
    /// The number of pairs of volume points, 2l and 2l + 1, that are images of each other; all behind them lie on the axis.
    pub pairs: usize,
    /// Whether phi_j changes its sign, `[j]`.
    pub odd: Vec<bool>,
    /// Whether phi_j changes at all along x, `[j]`.
    pub changes_across: Vec<bool>,
}

impl Reflection {
    /// Of the functions of [`basis::values`], whose degree in x is their number among those of one degree.
    fn new(order: usize, points: &[Vec<f64>]) -> Self {
        let in_x = || (0..=order).flat_map(|degree| 0..=degree);
        let is_image =
            |pair: &[Vec<f64>]| pair[0][1] == pair[1][1] && (pair[0][0] + pair[0][1] + pair[1][0] - 1.0).abs() < 1e-14;
        let pairs = points.chunks_exact(2).take_while(|pair| is_image(pair) && pair[0] != pair[1]).count();
        Self { pairs, odd: in_x().map(|i| i % 2 == 1).collect(), changes_across: in_x().map(|i| i > 0).collect() }
    }

    /// Makes values at images those at the first points, exactly.
    fn repeat(&self, at_volume: &mut [Vec<f64>], at_face: &mut [Vec<Vec<f64>>]) {
        let image = |first: &[f64]| -> Vec<f64> {
            first.iter().zip(&self.odd).map(|(value, odd)| if *odd { 0.0 - value } else { *value }).collect()
        };
        for pair in at_volume[..2 * self.pairs].chunks_exact_mut(2) {
            pair[1] = image(&pair[0]);
        }
        let points = at_face[0].len();
        for k in 0..points / 2 {
            at_face[0][points - 1 - k] = image(&at_face[0][k]);
        }
        for k in 0..points {
            at_face[2][points - 1 - k] = image(&at_face[1][k]);
        }
    }
}

/// The p + 1 orthonormal polynomials on (0,1) whose products are the basis functions, at the p + 1 Gauss-Legendre points there. The points
/// of the volume are products of these, those along x next to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The weights of the points, `[k]`.
    pub weights: Vec<f64>,
    /// phi_i at the points, `[k][i]`.
    pub basis: Vec<Vec<f64>>,
    /// The derivative of phi_i at the points, `[k][i]`.
    pub gradient: Vec<Vec<f64>>,
    /// phi_i at 1, `[i]`.
    pub end: Vec<f64>,
    /// phi_i at the points along a face, `[k][i]`.
    pub at_face: Vec<Vec<f64>>,
}

impl Line {
    fn new(order: usize, face_points: &[f64]) -> Self {
        let (points, weights) = gauss_legendre(order + 1);
        let at = |points: &[f64]| points.iter().map(|&x| basis::on_line(order, x)).collect::<Vec<_>>();
        let (mut basis, mut gradient): (Vec<Vec<f64>>, Vec<Vec<f64>>) =
            at(&points).into_iter().map(|jets| jets.into_iter().unzip()).unzip();
        let values = |jets: Vec<(f64, f64)>| jets.into_iter().map(|(value, _)| value).collect::<Vec<_>>();
        let mut at_face: Vec<Vec<f64>> = at(face_points).into_iter().map(values).collect();
        clean(basis.iter_mut(), 1e-15);
        clean(gradient.iter_mut(), 1e-15);
        clean(at_face.iter_mut(), 1e-15);
        Self { weights, basis, gradient, end: values(basis::on_line(order, 1.0)), at_face }
    }
}

/// An order for which there is no quadrature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTooHigh {
    /// The reference element.
    pub shape: Shape,
    /// The requested order.
    pub order: usize,
    /// The highest order available.
    pub highest: usize,
}

impl fmt::Display for OrderTooHigh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, order, highest } = self;
        write!(f, "order {order} on the {} is too high: orders 0 to {highest} are available", shape.name())
    }
}

impl Error for OrderTooHigh {}

impl Operators {
    /// The highest order p on a shape.
    pub fn highest_order(shape: Shape) -> usize {
        (highest_degree(shape) - 4) / 2
    }

    /// Points, weights and basis functions of the quadrature of an element's mass matrix, which that of projections fits: the fine one; on
    /// curved quadrilaterals that of the volume, since the mass matrix is divided by at its points.
    pub fn projection_rule(&self, map: Map) -> (&[Vec<f64>], &[f64], &[Vec<f64>]) {
        if self.shape.is_product() && map.is_curved() {
            return (&self.volume_points, &self.volume_weights, &self.basis_at_volume);
        }
        (&self.fine_points, &self.fine_weights, &self.basis_at_fine)
    }

    /// Builds all tables, for a mesh of elements of this degree with straight sides.
    ///
    /// # Errors
    ///
    /// If the order is above [`Operators::highest_order`].
    pub fn new(shape: Shape, order: usize) -> Result<Operators, OrderTooHigh> {
        Self::on_mesh(shape, order, order, order.max(1))
    }

    /// Builds all tables, for a mesh of elements of degrees up to `mesh_order`, which is at least `order`, and files with cells of degree
    /// `sample_order`, which is at least 1.
    ///
    /// # Errors
    ///
    /// If the order is above [`Operators::highest_order`].
    pub fn on_mesh(
        shape: Shape,
        order: usize,
        mesh_order: usize,
        sample_order: usize,
    ) -> Result<Operators, OrderTooHigh> {
        let rule = |degree| {
            let too_high = OrderTooHigh { shape, order, highest: Operators::highest_order(shape) };
            volume_rule(shape, degree).ok_or(too_high)
        };
        let Rule { points: volume_points, weights: volume_weights } = rule(2 * order)?;
        let Rule { points: fine_points, weights: fine_weights } = rule(2 * order + 4)?;
        let (face_points, face_weights) = gauss_legendre(mesh_order + 1);
        let face_positions: Vec<Vec<Vec<f64>>> = (0..shape.faces())
            .map(|face| face_points.iter().map(|&s| shape.face_position(face, s)[..shape.dim()].to_vec()).collect())
            .collect();
        let sample_points = nodes::lagrange(shape, sample_order);

        let basis_at = |points: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let mut table: Vec<_> = points.iter().map(|point| basis::values(shape, order, point)).collect();
            clean(table.iter_mut(), 1e-15);
            table
        };
        let mut gradient_at_volume: Vec<_> =
            volume_points.iter().map(|point| basis::gradients(shape, order, point)).collect();
        clean(gradient_at_volume.iter_mut().flatten(), 1e-15);
        let mut basis_at_face: Vec<_> = face_positions.iter().map(|points| basis_at(points)).collect();
        let mut basis_at_volume = basis_at(&volume_points);
        let reflection = (shape == Shape::Triangle).then(|| Reflection::new(order, &volume_points));
        if let Some(reflection) = &reflection {
            reflection.repeat(&mut basis_at_volume, &mut basis_at_face);
        }
        let derivative = derivative(&basis_at_volume, &gradient_at_volume, &volume_weights);

        Ok(Operators {
            shape,
            order,
            mesh_order,
            sample_order,
            degrees: basis::degrees(shape, order),
            basis: basis::count(shape, order),
            basis_at_volume,
            derivative,
            gradient_at_volume,
            basis_at_face,
            basis_at_fine: basis_at(&fine_points),
            basis_at_sample: basis_at(&sample_points),
            line: shape.is_product().then(|| Line::new(order, &face_points)),
            reflection,
            volume_points,
            volume_weights,
            face_points,
            face_weights,
            face_positions,
            fine_points,
            fine_weights,
            sample_points,
        })
    }
}

/// All partial derivatives of orders below `order`, each taken from an earlier one: for each its order, the index of
/// the earlier one, and the direction. Directions never decrease, so that each derivative comes once.
pub fn derivatives(dim: usize, order: usize) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let (mut orders, mut of, mut along) = (vec![0], vec![0], vec![0]);
    let mut parent = 0;
    while parent < orders.len() {
        if orders[parent] + 1 < order {
            for direction in along[parent]..dim {
                orders.push(orders[parent] + 1);
                of.push(parent);
                along.push(direction);
            }
        }
        parent += 1;
    }
    (orders, of, along)
}

/// The derivatives of a component whose means a limiter of moments reads in other sections of a mesh with solutions of degrees up to
/// `mesh_order`: those below that, and the mean itself.
pub fn derivatives_between_sections(dim: usize, mesh_order: usize) -> usize {
    derivatives(dim, mesh_order.max(1)).0.len()
}

/// Numbers per component that a moment limiter reads of an element: the linear parts of all derivatives up to one order less than the
/// solution's or, of products of polynomials, all coefficients.
pub fn moments(shape: Shape, order: usize) -> usize {
    match shape {
        Shape::Triangle => derivatives(shape.dim(), order).0.len() * (shape.dim() + 1),
        Shape::Quadrilateral => (order + 1) * (order + 1),
    }
}

/// The derivatives of the basis functions in the orthonormal basis itself, `[d][i][j]`: ∫ phi_i d phi_j / d xi_d.
fn derivative(basis: &[Vec<f64>], gradient: &[Vec<Vec<f64>>], weights: &[f64]) -> Vec<Vec<Vec<f64>>> {
    let (dim, n) = (gradient[0].len(), basis[0].len());
    let entry = |d: usize, i: usize, j: usize| -> f64 {
        weights.iter().enumerate().map(|(q, w)| w * basis[q][i] * gradient[q][d][j]).sum()
    };
    let mut table: Vec<Vec<Vec<f64>>> =
        (0..dim).map(|d| (0..n).map(|i| (0..n).map(|j| entry(d, i, j)).collect()).collect()).collect();
    // Rounding errors add up over the points.
    clean(table.iter_mut().flatten(), 1e-13);
    table
}

/// Replaces entries of a table that differ from an integer (possibly zero) by at most `rounding` times the largest
/// entry by that integer.
fn clean<'a>(rows: impl Iterator<Item = &'a mut Vec<f64>>, rounding: f64) {
    let mut entries: Vec<&mut f64> = rows.flatten().collect();
    let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    for entry in &mut entries {
        // Zero without a sign.
        let integer = entry.round() + 0.0;
        if (**entry - integer).abs() < rounding * largest {
            **entry = integer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_orders() -> impl Iterator<Item = Operators> {
        Shape::ALL.into_iter().flat_map(orders_of)
    }

    fn orders_of(shape: Shape) -> impl Iterator<Item = Operators> {
        (0..=Operators::highest_order(shape)).map(move |order| Operators::new(shape, order).unwrap())
    }

    #[test]
    fn integers_are_exact() {
        let ops = Operators::new(Shape::Triangle, 1).unwrap();
        assert_eq!(ops.basis_at_face[0][0][1..], [-2.0, -2.0]);
        assert_eq!(ops.basis_at_volume[2][1..], [2.0, 0.0]);
        assert_eq!(ops.face_weights, [0.5, 0.5]);
    }

    #[test]
    fn orders_0_to_7_are_available() {
        assert_eq!(Shape::ALL.map(Operators::highest_order), [7; 2]);
        let error = Operators::new(Shape::Triangle, 8).unwrap_err();
        assert_eq!(error.to_string(), "order 8 on the triangle is too high: orders 0 to 7 are available");
    }

    /// The divergence theorem: int grad(phi_i) phi_j + int phi_i grad(phi_j) = sum_f int_f phi_i phi_j n.
    #[test]
    fn volume_and_face_tables_satisfy_the_divergence_theorem() {
        for ops in all_orders() {
            // Outward normals times the length of the face.
            let normals: &[[f64; 2]] = match ops.shape {
                Shape::Triangle => &[[0.0, -1.0], [1.0, 1.0], [-1.0, 0.0]],
                Shape::Quadrilateral => &[[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]],
            };
            for d in 0..2 {
                for i in 0..ops.basis {
                    for j in 0..ops.basis {
                        let (mut difference, mut size) = (0.0, 0.0);
                        for q in 0..ops.volume_weights.len() {
                            let (phi, slope) = (&ops.basis_at_volume[q], &ops.gradient_at_volume[q][d]);
                            difference += ops.volume_weights[q] * (slope[i] * phi[j] + phi[i] * slope[j]);
                            size += ops.volume_weights[q] * ((slope[i] * phi[j]).abs() + (phi[i] * slope[j]).abs());
                        }
                        for (f, normal) in normals.iter().enumerate() {
                            for k in 0..=ops.order {
                                let phi = &ops.basis_at_face[f][k];
                                difference -= ops.face_weights[k] * normal[d] * phi[i] * phi[j];
                                size += ops.face_weights[k] * (normal[d] * phi[i] * phi[j]).abs();
                            }
                        }
                        let error = difference.abs() / (1.0 + size);
                        assert!(error < 1e-14, "{:?}, p = {}, ({i}, {j}), {d}: {error:e}", ops.shape, ops.order);
                    }
                }
            }
        }
    }

    #[test]
    fn mass_matrices_of_volume_and_fine_rules_are_the_identity() {
        for ops in all_orders() {
            let rules = [(&ops.volume_weights, &ops.basis_at_volume), (&ops.fine_weights, &ops.basis_at_fine)];
            for (weights, table) in rules {
                assert!((weights.iter().sum::<f64>() - ops.shape.measure()).abs() < 1e-15);
                for i in 0..ops.basis {
                    for j in 0..ops.basis {
                        let mass: f64 = weights.iter().zip(table).map(|(w, phi)| w * phi[i] * phi[j]).sum();
                        assert!((mass - f64::from(i == j)).abs() < 1e-14, "p = {}, ({i}, {j})", ops.order);
                    }
                }
            }
        }
    }

    /// On the line 2x + y = 1 functions that are odd about it vanish, and the gradient of a constant vanishes
    /// everywhere.
    #[test]
    fn entries_that_vanish_are_exactly_zero() {
        for ops in orders_of(Shape::Triangle) {
            assert!(ops.gradient_at_volume.iter().flatten().all(|row| row[0] == 0.0));
            let on_axis = |point: &[f64]| (2.0 * point[0] + point[1] - 1.0).abs() < 1e-12;
            let odd = (0..=ops.order).flat_map(|degree| (0..=degree).map(|i| i % 2 == 1));
            for (j, _) in odd.enumerate().filter(|(_, odd)| *odd) {
                let volume = ops.volume_points.iter().zip(&ops.basis_at_volume);
                let fine = ops.fine_points.iter().zip(&ops.basis_at_fine);
                for (point, phi) in volume.chain(fine).filter(|(point, _)| on_axis(point)) {
                    assert_eq!(phi[j], 0.0, "p = {}, function {j} at {point:?}", ops.order);
                }
            }
        }
    }

    /// What sums over both points of a pair rest on, for values, derivatives across the axis and along it, and faces.
    #[test]
    fn tables_of_a_triangle_are_symmetric() {
        for ops in orders_of(Shape::Triangle) {
            let Reflection { pairs, odd, changes_across } = ops.reflection.as_ref().unwrap();
            let sign = |j: usize| if odd[j] { -1.0 } else { 1.0 };
            let (mut on_axis, points) = (0, ops.volume_points.len());
            for q in 0..points {
                let image = if q < 2 * pairs { q ^ 1 } else { q };
                let [x, y] = [0, 1].map(|d| ops.volume_points[q][d]);
                on_axis += usize::from((2.0 * x + y - 1.0).abs() < 1e-12);
                assert!((ops.volume_points[image][0] - (1.0 - x - y)).abs() < 1e-15);
                assert_eq!((ops.volume_points[image][1], ops.volume_weights[image]), (y, ops.volume_weights[q]));
                for j in 0..ops.basis {
                    let values = [q, image].map(|q| ops.basis_at_volume[q][j]);
                    let across = [q, image].map(|q| ops.gradient_at_volume[q][0][j]);
                    let along =
                        [q, image].map(|q| ops.gradient_at_volume[q][1][j] - 0.5 * ops.gradient_at_volume[q][0][j]);
                    assert_eq!(values[1], sign(j) * values[0]);
                    assert!((across[1] + sign(j) * across[0]).abs() < 1e-12);
                    assert!((along[1] - sign(j) * along[0]).abs() < 1e-12);
                    assert!(changes_across[j] || across == [0.0; 2]);
                }
            }
            assert_eq!(on_axis, points - 2 * pairs, "p = {}", ops.order);
            for (face, image) in [(0, 0), (1, 2), (2, 1)] {
                for k in 0..=ops.order {
                    for j in 0..ops.basis {
                        let [here, there] = [ops.basis_at_face[face][k][j], ops.basis_at_face[image][ops.order - k][j]];
                        assert_eq!(there, sign(j) * here);
                    }
                }
            }
        }
    }

    /// Two triangles that share a face have the same points in opposite order, whichever of their faces meet.
    #[test]
    fn a_neighbour_sees_the_same_points() {
        for ops in orders_of(Shape::Triangle) {
            for mine in 0..3 {
                for theirs in 0..3 {
                    let neighbour = mirrored_onto(mine, theirs);
                    for k in 0..=ops.order {
                        let position = neighbour(&ops.face_positions[mine][k]);
                        let phi = basis::values(ops.shape, ops.order, &position);
                        for j in 0..ops.basis {
                            let error = (phi[j] - ops.basis_at_face[theirs][ops.order - k][j]).abs();
                            assert!(error < 1e-13, "p = {}, faces {mine}, {theirs}: {error:e}", ops.order);
                        }
                    }
                }
            }
        }
    }

    /// The affine map that takes the ends of one triangle's face to those of the other's, exchanged.
    fn mirrored_onto(mine: usize, theirs: usize) -> impl Fn(&[f64]) -> Vec<f64> {
        move |point| {
            let barycentric = [1.0 - point[0] - point[1], point[0], point[1]];
            let shape = Shape::Triangle;
            let ends = |face| [0, 1].map(|end| shape.face_corners(face)[end]);
            let [first, second] = ends(mine);
            let [their_first, their_second] = ends(theirs).map(|corner| shape.reference_corners()[corner]);
            (0..2).map(|d| barycentric[first] * their_second[d] + barycentric[second] * their_first[d]).collect()
        }
    }
}
