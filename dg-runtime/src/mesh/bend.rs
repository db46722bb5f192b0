//! Bending a mesh: its inside follows its boundary onto a curve.
//!
//! The displacement of the inner vertices is the harmonic continuation of the boundary's: of all continuations it
//! varies least, so that thin elements at a wall move together instead of being squeezed by it. It solves Laplace's equation
//! for linear finite elements on the mesh before bending.

/// The displacement must be smooth, not exact: the iteration ends once the residual is smaller than at first by this factor.
const TOLERANCE: f64 = 1e-3;

/// Enough iterations to carry a displacement through a thousand layers of elements.
const MOST_ITERATIONS: usize = 4000;

/// The matrix of Laplace's equation, as the conductances of the faces of every element.
pub(super) struct Laplace<'a> {
    triangles: &'a [u32],
    /// Half the cotangent of the angle opposite each side.
    conductances: Vec<[f64; 3]>,
    /// Vertices with a given displacement.
    fixed: &'a [bool],
    diagonal: Vec<f64>,
}

impl<'a> Laplace<'a> {
    /// On triangles, `[triangle][corner]`, with these `vertices`, `[vertex][dim]`.
    pub(super) fn new(vertices: &[f64], triangles: &'a [u32], fixed: &'a [bool]) -> Self {
        let position = |vertex: u32| -> [f64; 2] { std::array::from_fn(|d| vertices[vertex as usize * 2 + d]) };
        let corners = triangles.as_chunks().0.iter();
        let conductances = corners
            .map(|corners: &[u32; 3]| {
                let [a, b, c] = corners.map(position);
                let determinant = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                // For the face from p to q, opposite o.
                [[a, b, c], [b, c, a], [c, a, b]].map(|[p, q, o]| {
                    ((p[0] - o[0]) * (q[0] - o[0]) + (p[1] - o[1]) * (q[1] - o[1])) / (2.0 * determinant)
                })
            })
            .collect();
        let mut laplace = Self { triangles, conductances, fixed, diagonal: vec![0.0; fixed.len()] };
        let mut diagonal = vec![0.0; fixed.len()];
        laplace.for_faces(|from, to, conductance| {
            diagonal[from] += conductance;
            diagonal[to] += conductance;
        });
        laplace.diagonal = diagonal;
        laplace
    }

    fn for_faces(&self, mut face: impl FnMut(usize, usize, f64)) {
        for (&[a, b, c], conductances) in self.triangles.as_chunks().0.iter().zip(&self.conductances) {
            for ([from, to], &conductance) in [[a, b], [b, c], [c, a]].into_iter().zip(conductances) {
                face(from as usize, to as usize, conductance);
            }
        }
    }

    /// The matrix times `x`, and zero at the fixed vertices.
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        self.for_faces(|from, to, conductance| {
            let current = conductance * (x[from] - x[to]);
            product[from] += current;
            product[to] -= current;
        });
        product.iter_mut().zip(self.fixed).filter(|(_, fixed)| **fixed).for_each(|(value, _)| *value = 0.0);
        product
    }

    /// Continues the values at the fixed vertices to the others, which must be zero at first, by conjugate gradients
    /// preconditioned by the diagonal (M. R. Hestenes, E. Stiefel, J. Res. Natl. Bur. Stand. 49, 1952).
    pub(super) fn extend(&self, x: &mut [f64]) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // Numbers of nodes that no triangle has are left alone.
        let scaled = |(r, d): (&f64, &f64)| if *d == 0.0 { 0.0 } else { r / d };
        let precondition = |r: &[f64]| r.iter().zip(&self.diagonal).map(scaled).collect::<Vec<f64>>();
        let mut residual: Vec<f64> = self.apply(x).into_iter().map(|value| -value).collect();
        let mut z = precondition(&residual);
        let (mut direction, mut energy) = (z.clone(), dot(&residual, &z));
        let enough = TOLERANCE * TOLERANCE * energy;
        for _ in 0..MOST_ITERATIONS {
            // NaN, from extremely large elements, ends the iteration too: the bent mesh is checked as every mesh is.
            if energy.partial_cmp(&enough) != Some(std::cmp::Ordering::Greater) {
                break;
            }
            let image = self.apply(&direction);
            let step = energy / dot(&direction, &image);
            for i in 0..x.len() {
                x[i] += step * direction[i];
                residual[i] -= step * image[i];
            }
            z = precondition(&residual);
            let next = dot(&residual, &z);
            direction.iter_mut().zip(&z).for_each(|(direction, z)| *direction = z + next / energy * *direction);
            energy = next;
        }
    }
}
