//! The Taylor series in time of the solution inside an element, without its neighbours, for laws with a linear flux: on the host, for the
//! few elements with receivers. The predictor of ADER (`predict.cu`) has it for all elements.

use super::Setup;
use super::geometry::mass_matrix;
use super::projected::Projected;
use crate::law::geometry::Map;
use crate::law::{Arguments, Role, Unit};
use crate::mesh::{Mesh, inverse};

/// The operator L of an element, L u = − Σ_d (∂(A_d u)/∂x_d + B_d ∂u/∂x_d) + E u, projected as the predictor does, with E u the part of the
/// law's source that is linear in u. It is a matrix for coefficients, `[component][basis function]` in rows and columns.
pub(super) struct Evolution {
    /// Row by row, over [`scale`](Self::scale).
    matrix: Vec<f64>,
    /// The largest sum of a row of L: a rate, at which its powers grow at most.
    pub(super) scale: f64,
}

impl Evolution {
    /// The operator of an element, whose map is of this kind.
    pub(super) fn new(setup: &Setup, unit: &Unit, mesh: &Mesh, kind: Map, medium: &Projected, element: usize) -> Self {
        let operators = &unit.reference().operators;
        let (m, n, dim) = (setup.law.state.len(), operators.basis, mesh.dim);
        let map = mesh.map_of(element);
        // projected[x][c][i][b][j]: the coefficient i of component c of the flux along x of φ_j in component b; x = dim for E and B.
        let place = |x: usize, c: usize, i: usize, b: usize, j: usize| (((x * m + c) * n + i) * m + b) * n + j;
        let mut projected = vec![0.0; (dim + 1) * m * n * m * n];
        // slopes[x][i][j]: the integral of φ_i ∂φ_j/∂x.
        let mut slopes = vec![vec![vec![0.0; n]; n]; dim];
        for (q, point) in operators.volume_points.iter().enumerate() {
            let (phi, along) = (&operators.basis_at_volume[q], &operators.gradient_at_volume[q]);
            let xi = [point[0], point[1]];
            let to_reference = inverse(map.jacobian(xi)[..dim].iter().map(|row| row[..dim].to_vec()).collect());
            let slope = |x: usize, along: &dyn Fn(usize) -> f64| (0..dim).map(|d| to_reference[d][x] * along(d)).sum();
            let medium_along: Vec<_> = along.iter().map(|along| medium.at(element, along)).collect();
            let medium_slope = |x: usize| {
                (0..setup.law.medium.len()).map(|field| slope(x, &|d| medium_along[d][field])).collect::<Vec<f64>>()
            };
            let at = Place {
                medium: medium.at(element, phi),
                slopes: (0..dim).map(medium_slope).collect(),
                position: mesh.position(element, point)[..dim].to_vec(),
            };
            let weight = operators.volume_weights[q];
            let phi_slopes: Vec<Vec<f64>> =
                (0..dim).map(|x| (0..n).map(|j| slope(x, &|d| along[d][j])).collect()).collect();
            for (x, i) in (0..dim).flat_map(|x| (0..n).map(move |i| (x, i))) {
                let weighted = weight * map.determinant(xi) * phi[i];
                slopes[x][i].iter_mut().zip(&phi_slopes[x]).for_each(|(sum, slope)| *sum += weighted * slope);
            }
            for (b, rates) in rates(setup, &at).iter().enumerate() {
                for (c, i) in (0..m).flat_map(|c| (0..n).map(move |i| (c, i))) {
                    let weighted = weight * phi[i];
                    for (x, j) in (0..dim).flat_map(|x| (0..n).map(move |j| (x, j))) {
                        projected[place(x, c, i, b, j)] += weighted * rates.flux[x * m + c] * phi[j];
                        projected[place(dim, c, i, b, j)] -= weighted * rates.product[x * m + c] * phi_slopes[x][j];
                    }
                    for j in 0..n {
                        projected[place(dim, c, i, b, j)] += weighted * rates.own[c] * phi[j];
                    }
                }
            }
        }
        // derivatives[x][i][j]: the coefficient i of ∂φ_j/∂x, projected.
        let mass = inverse(mass_matrix(&map, operators, kind));
        let coefficient = |x: usize, i: usize, j: usize| (0..n).map(|l| mass[i][l] * slopes[x][l][j]).sum::<f64>();
        let derivatives: Vec<Vec<Vec<f64>>> =
            (0..dim).map(|x| (0..n).map(|i| (0..n).map(|j| coefficient(x, i, j)).collect()).collect()).collect();
        let size = m * n;
        let mut matrix = vec![0.0; size * size];
        for (c, i) in (0..m).flat_map(|c| (0..n).map(move |i| (c, i))) {
            for (b, j) in (0..m).flat_map(|b| (0..n).map(move |j| (b, j))) {
                let flux: f64 = (0..dim)
                    .map(|x| (0..n).map(|l| derivatives[x][i][l] * projected[place(x, c, l, b, j)]).sum::<f64>())
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
