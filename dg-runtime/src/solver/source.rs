//! The rate of a law's source, on the host: what bounds explicit steps beside the waves.

use super::Setup;
use crate::law::Role;

/// The share of a component's size by which it is changed for a derivative: the cube root of the rounding error.
const CHANGE: f64 = 6e-6;

/// How often a matrix is squared: as in `source.cu`.
const SQUARINGS: i32 = 5;

/// A bound on the eigenvalues of the Jacobian of the setup's source at a state, by differences of the law's own Rust; 0 where it does not
/// depend on the state. Behind the state stands its medium. Of the whole Jacobian, not of its diagonal blocks as on the device, it is
/// never less than there but for rounding.
pub(super) fn rate(setup: &Setup, state: &[f64], position: &[f64], time: f64) -> f64 {
    let law = setup.law;
    let source = law.with_role(Role::Source).next().and_then(|source| source.host);
    let (Some(source), true) = (source, law.has_source_jacobian()) else { return 0.0 };
    let m = law.state.len();
    let size = state[..m].iter().fold(0.0_f64, |size, u| size.max(u.abs()));
    let mut jacobian = vec![0.0; m * m];
    for j in 0..m {
        // A component at rest is changed by a little of the largest.
        let change = CHANGE * if state[j] == 0.0 { size.max(1e-30) } else { state[j].abs() };
        let [ahead, behind] = [change, -change].map(|change| {
            let (mut moved, mut value) = (state.to_vec(), vec![0.0; m]);
            moved[j] += change;
            source(&setup.arguments(&moved, &[], position, time), &mut value);
            value
        });
        for i in 0..m {
            let slope = (ahead[i] - behind[i]) / (2.0 * change);
            jacobian[i * m + j] = if slope.is_finite() { slope } else { 0.0 };
        }
    }
    eigenvalue_bound(jacobian, m)
}

/// A bound on the size of all eigenvalues of a matrix of m rows: see `source.cu`.
pub(super) fn eigenvalue_bound(mut matrix: Vec<f64>, m: usize) -> f64 {
    let (mut bound, mut root) = (1.0, 1.0);
    for n in 0..=SQUARINGS {
        let size = matrix.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        if size == 0.0 {
            return 0.0;
        }
        bound *= size.powf(root);
        matrix.iter_mut().for_each(|entry| *entry /= size);
        if n < SQUARINGS {
            let entry = |i: usize, j: usize| (0..m).map(|k| matrix[i * m + k] * matrix[k * m + j]).sum();
            matrix = (0..m * m).map(|ij| entry(ij / m, ij % m)).collect();
            root *= 0.5;
        }
    }
    let sums = matrix.chunks(m).map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>());
    bound * sums.fold(0.0, f64::max).powf(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_near_the_largest_eigenvalue_in_all_units() {
        // Decay, rotation, growth and nothing, each with its largest eigenvalue.
        let matrices: [(Vec<f64>, f64); 5] = [
            (vec![-3.0, 0.0, 0.0, -1.0], 3.0),
            (vec![0.0, 2.0, -2.0, 0.0], 2.0),
            (vec![1.0, 4.0, 1.0, 1.0], 3.0),
            (vec![0.0, 9.81, 0.0, 0.0], 0.0),
            (vec![0.0; 4], 0.0),
        ];
        for (matrix, largest) in matrices {
            for unit in [1.0, 1e3, 1e-6] {
                let scaled = vec![matrix[0], matrix[1] * unit, matrix[2] / unit, matrix[3]];
                let bound = eigenvalue_bound(scaled, 2);
                assert!(bound >= largest * (1.0 - 1e-12) && bound <= 1.6 * largest, "{matrix:?}, {unit}: {bound}");
            }
        }
    }
}
