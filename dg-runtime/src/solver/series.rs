//! The Taylor series in time of the solution inside an element, without its neighbours, for laws with a linear flux: on the host, for the
//! few elements with receivers. The predictor of ADER (`predict.cu`) has it for all elements.

use super::Setup;
use super::projected::Projected;
use crate::law::{Arguments, Role, Unit};
use crate::mesh::Mesh;

/// The operator L of an element, L u = − Σ_d ∂(A_d u)/∂x_d + E u, projected as the predictor does, with E u the part of the law's source
/// that is linear in u. It is a matrix for coefficients, `[component][basis function]` in rows and columns.
pub(super) struct Evolution {
    /// Row by row, over [`scale`](Self::scale).
    matrix: Vec<f64>,
    /// The largest sum of a row of L: a rate, at which its powers grow at most.
    pub(super) scale: f64,
}

impl Evolution {
    /// The operator of an element.
    pub(super) fn new(setup: &Setup, unit: &Unit, mesh: &Mesh, medium: &Projected, element: usize) -> Self {
        let operators = &unit.reference().operators;
        let (m, n, dim) = (setup.law.state.len(), operators.basis, mesh.dim);
        let inverse = mesh.geometry(element).inverse;
        // projected[d][c][i][b][j]: the coefficient i of component c of J⁻¹ F, in direction d, of φ_j in component b; d = dim for E.
        let place = |d: usize, c: usize, i: usize, b: usize, j: usize| (((d * m + c) * n + i) * m + b) * n + j;
        let mut projected = vec![0.0; (dim + 1) * m * n * m * n];
        for (q, point) in operators.volume_points.iter().enumerate() {
            let phi = &operators.basis_at_volume[q];
            let position = &mesh.position(element, point)[..dim];
            let rates = rates(setup, &medium.at(element, phi), position);
            for b in 0..m {
                let rates = &rates[b];
                for d in 0..=dim {
                    for c in 0..m {
                        let rate = if d == dim {
                            rates[dim * m + c]
                        } else {
                            (0..dim).map(|k| inverse[d][k] * rates[k * m + c]).sum::<f64>()
                        };
                        for i in 0..n {
                            let weighted = operators.volume_weights[q] * phi[i] * rate;
                            for j in 0..n {
                                projected[place(d, c, i, b, j)] += weighted * phi[j];
                            }
                        }
                    }
                }
            }
        }
        let size = m * n;
        let mut matrix = vec![0.0; size * size];
        for (c, i) in (0..m).flat_map(|c| (0..n).map(move |i| (c, i))) {
            for (b, j) in (0..m).flat_map(|b| (0..n).map(move |j| (b, j))) {
                let flux: f64 = (0..dim)
                    .map(|d| {
                        (0..n).map(|l| operators.derivative[d][i][l] * projected[place(d, c, l, b, j)]).sum::<f64>()
                    })
                    .sum();
                matrix[(c * n + i) * size + b * n + j] = projected[place(dim, c, i, b, j)] - flux;
            }
        }
        let sums = matrix.chunks(size).map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>());
        let largest = sums.fold(0.0, f64::max);
        let scale = if largest > 0.0 { largest } else { 1.0 };
        matrix.iter_mut().for_each(|entry| *entry /= scale);
        Self { matrix, scale }
    }

    /// The functional of u that a functional has at L u, over the scale.
    pub(super) fn apply(&self, functional: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; functional.len()];
        for (row, weight) in self.matrix.chunks(functional.len()).zip(functional) {
            sum.iter_mut().zip(row).for_each(|(sum, entry)| *sum += weight * entry);
        }
        sum
    }
}

/// For every component, the fluxes in all directions and the source of the state with 1 in this component alone, less those of zero.
fn rates(setup: &Setup, medium: &[f64], position: &[f64]) -> Vec<Vec<f64>> {
    let law = setup.law;
    let m = law.state.len();
    let of_state = |state: &[f64]| {
        let state = [state, medium].concat();
        let at = setup.arguments(&state, &[], position, 0.0);
        let mut values = Vec::new();
        for (role, results) in [(Role::Flux, law.dim * m), (Role::Source, m)] {
            let mut value = vec![0.0; results];
            if let Some(host) = law.with_role(role).next().and_then(|function| function.host) {
                host(&Arguments { ..at }, &mut value);
            }
            values.extend(value);
        }
        values
    };
    let zero = of_state(&vec![0.0; m]);
    let of_component = |b: usize| {
        let mut state = vec![0.0; m];
        state[b] = 1.0;
        of_state(&state).iter().zip(&zero).map(|(value, zero)| value - zero).collect()
    };
    (0..m).map(of_component).collect()
}
