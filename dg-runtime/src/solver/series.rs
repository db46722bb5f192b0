//! The Taylor series in time of the solution inside an element, without its neighbours, for laws with a linear flux: on the host, for the
//! few elements with receivers. The predictor of ADER (`predict.cu`) has it for all elements.

use super::Setup;
use super::projected::Projected;
use crate::law::{Arguments, Role, Unit};
use crate::mesh::Mesh;

/// The operator L of an element, L u = − Σ_d (∂(A_d u)/∂x_d + B_d ∂u/∂x_d) + E u, projected as the predictor does, with E u the part of the
/// law's source that is linear in u. It is a matrix for coefficients, `[component][basis function]` in rows and columns.
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
        // projected[d][c][i][b][j]: the coefficient i of component c of J⁻¹ F, in direction d, of φ_j in component b; d = dim for E and B.
        let place = |d: usize, c: usize, i: usize, b: usize, j: usize| (((d * m + c) * n + i) * m + b) * n + j;
        let mut projected = vec![0.0; (dim + 1) * m * n * m * n];
        for (q, point) in operators.volume_points.iter().enumerate() {
            let (phi, slopes) = (&operators.basis_at_volume[q], &operators.gradient_at_volume[q]);
            // Of a vector with values of m components in every direction: component c along reference coordinate d.
            let along = |vector: &[f64], d: usize, c: usize| -> f64 {
                (0..dim).map(|k| inverse[d][k] * vector[k * m + c]).sum()
            };
            let medium_slopes: Vec<_> = slopes.iter().map(|slope| medium.at(element, slope)).collect();
            let slope_of_field =
                |k: usize, field: usize| (0..dim).map(|d| inverse[d][k] * medium_slopes[d][field]).sum();
            let fields = setup.law.medium.len();
            let at = Place {
                medium: medium.at(element, phi),
                slopes: (0..dim).map(|k| (0..fields).map(|field| slope_of_field(k, field)).collect()).collect(),
                position: mesh.position(element, point)[..dim].to_vec(),
            };
            for (b, rates) in rates(setup, &at).iter().enumerate() {
                for (c, i) in (0..m).flat_map(|c| (0..n).map(move |i| (c, i))) {
                    let weighted = operators.volume_weights[q] * phi[i];
                    for d in 0..dim {
                        let (flux, product) = (along(&rates.flux, d, c), along(&rates.product, d, c));
                        for j in 0..n {
                            projected[place(d, c, i, b, j)] += weighted * flux * phi[j];
                            projected[place(dim, c, i, b, j)] -= weighted * product * slopes[d][j];
                        }
                    }
                    for j in 0..n {
                        projected[place(dim, c, i, b, j)] += weighted * rates.own[c] * phi[j];
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

/// What the law's functions know of a point.
struct Place {
    medium: Vec<f64>,
    /// The derivatives of the medium, `[direction][field]`.
    slopes: Vec<Vec<f64>>,
    position: Vec<f64>,
}

/// What a state with 1 in one component alone gives, less what zero gives.
struct Rates {
    /// The fluxes, `[direction][component]`.
    flux: Vec<f64>,
    /// The products with a derivative of this state, `[direction][component]`.
    product: Vec<f64>,
    /// The source, less the products of this state with the derivatives of the medium.
    own: Vec<f64>,
}

/// The rates of every component.
fn rates(setup: &Setup, place: &Place) -> Vec<Rates> {
    let law = setup.law;
    let (m, dim) = (law.state.len(), law.dim);
    // A role's function of a state, and of a change along a direction.
    let value = |role: Role, results: usize, state: &[f64], change: &[f64], normal: &[f64]| {
        let mut value = vec![0.0; results];
        if let Some(host) = law.with_role(role).next().and_then(|function| function.host) {
            let state = [state, &place.medium].concat();
            let at = setup.arguments(&state, normal, &place.position, 0.0);
            host(&Arguments { right: change, ..at }, &mut value);
        }
        value
    };
    let zero = vec![0.0; m];
    let difference = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(&b).map(|(a, b)| a - b).collect::<Vec<_>>();
    let of_component = |b: usize| {
        let mut unit = zero.clone();
        unit[b] = 1.0;
        let less_zero =
            |role, results| difference(value(role, results, &unit, &[], &[]), value(role, results, &zero, &[], &[]));
        let mut own = less_zero(Role::Source, m);
        let mut product = Vec::new();
        for d in 0..dim {
            let normal: Vec<f64> = (0..dim).map(|k| f64::from(k == d)).collect();
            let of = |state: &[f64], change: &[f64], slopes: &[f64]| {
                value(Role::Nonconservative, m, state, &[change, slopes].concat(), &normal)
            };
            product.extend(of(&zero, &unit, &vec![0.0; law.medium.len()]));
            own = difference(own, of(&unit, &zero, &place.slopes[d]));
        }
        Rates { flux: less_zero(Role::Flux, dim * m), product, own }
    };
    (0..m).map(of_component).collect()
}
