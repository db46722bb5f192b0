//! Equispaced Lagrange nodes, in the order in which VTK numbers the points of its Lagrange cells.

use super::Shape;
use crate::MAX_DIM;

/// The nodes of a degree >= 1 in reference coordinates, `[node][d]`, in the order of [`Shape::lattice`] (for a triangle
/// VTK's cell type 69, `VTK_LAGRANGE_TRIANGLE`).
pub fn lagrange(shape: Shape, degree: usize) -> Vec<Vec<f64>> {
    let position = |node: [usize; MAX_DIM]| node[..shape.dim()].iter().map(|&i| i as f64 / degree as f64).collect();
    shape.lattice(degree).into_iter().map(position).collect()
}
