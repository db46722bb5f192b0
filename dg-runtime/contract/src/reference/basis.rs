//! Orthonormal polynomial bases.
//!
//! On the triangle: the basis of T. Koornwinder, "Two-variable analogues of the classical orthogonal
//! polynomials" (1975), brought to spectral elements by M. Dubiner, "Spectral methods on triangles and other
//! domains", J. Sci. Comput. 6 (1991); normalised as in G. Karniadakis and S. Sherwin, "Spectral/hp Element
//! Methods for Computational Fluid Dynamics" (2005), chapter 3. With r = 2x + y - 1 and t = 1 - y
//!
//! ```text
//! phi_ij(x, y) = sqrt(2 (2i + 1) (i + j + 1))  t^i P_i(r / t)  P_j^(2i+1, 0)(1 - 2t)
//! ```
//!
//! The factor t^i P_i(r / t) is a polynomial in r and t and is computed as one, without a division by t, which vanishes
//! at the corner (0,1).
//!
//! On the quadrilateral: products of Legendre polynomials of degrees i and j up to the order,
//!
//! ```text
//! phi_ij(x, y) = sqrt((2i + 1) (2j + 1))  P_i(2x - 1)  P_j(2y - 1)
//! ```

use std::ops::{Add, Mul, Sub};

use super::Shape;

/// The number n of basis functions of an order.
pub fn count(shape: Shape, order: usize) -> usize {
    shape.polynomials(order)
}

/// The values of all basis functions at a point in reference coordinates: `[j]`.
///
/// The basis is hierarchical: functions are sorted by [degree](degrees), so those of a lower order come first.
/// Function 0 is constant.
pub fn values(shape: Shape, order: usize, point: &[f64]) -> Vec<f64> {
    jets(shape, order, point).iter().map(|jet| jet.value).collect()
}

/// The degree of every basis function, `[j]`: the total one on the triangle, the larger one of both directions on the quadrilateral.
pub fn degrees(shape: Shape, order: usize) -> Vec<usize> {
    (0..=order)
        .flat_map(|degree| {
            let lower = if degree == 0 { 0 } else { count(shape, degree - 1) };
            std::iter::repeat_n(degree, count(shape, degree) - lower)
        })
        .collect()
}

/// The gradients of all basis functions at a point in reference coordinates: `[d][j]`.
pub fn gradients(shape: Shape, order: usize, point: &[f64]) -> Vec<Vec<f64>> {
    let jets = jets(shape, order, point);
    (0..shape.dim()).map(|d| jets.iter().map(|jet| jet.gradient[d]).collect()).collect()
}

fn jets(shape: Shape, order: usize, point: &[f64]) -> Vec<Jet> {
    match shape {
        Shape::Triangle => triangle(order, point[0], point[1]),
        Shape::Quadrilateral => quadrilateral(order, point[0], point[1]),
    }
}

/// The orthonormal polynomials sqrt(2i + 1) P_i(2x - 1) on (0,1), and their derivatives, `[i]`.
pub fn on_line(order: usize, x: f64) -> Vec<(f64, f64)> {
    let jets = jacobi(order, 0.0, Jet { value: 2.0 * x - 1.0, gradient: [2.0, 0.0] });
    let norm = |i: usize| ((2 * i + 1) as f64).sqrt();
    (0..=order).map(|i| (norm(i) * jets[i].value, norm(i) * jets[i].gradient[0])).collect()
}

fn quadrilateral(order: usize, x: f64, y: f64) -> Vec<Jet> {
    let along = |value: f64, d: usize| {
        let mut gradient = [0.0; 2];
        gradient[d] = 2.0;
        jacobi(order, 0.0, Jet { value: 2.0 * value - 1.0, gradient })
    };
    let (in_x, in_y) = (along(x, 0), along(y, 1));
    let norm = |i: usize, j: usize| (((2 * i + 1) * (2 * j + 1)) as f64).sqrt();
    let product = |[i, j]: [usize; 2]| norm(i, j) * (in_x[i] * in_y[j]);
    (0..=order).flat_map(shell).map(product).collect()
}

/// The degrees in x and y of the functions of a quadrilateral of which the larger one is `degree`: first those along x.
fn shell(degree: usize) -> impl Iterator<Item = [usize; 2]> {
    let along_x = (0..=degree).map(move |j| [degree, j]);
    along_x.chain((0..degree).map(move |i| [i, degree]))
}

fn triangle(order: usize, x: f64, y: f64) -> Vec<Jet> {
    let r = Jet { value: 2.0 * x + y - 1.0, gradient: [2.0, 1.0] };
    let t = Jet { value: 1.0 - y, gradient: [0.0, -1.0] };
    let b = Jet { value: 2.0 * y - 1.0, gradient: [0.0, 2.0] };
    let legendre = homogeneous_legendre(order, r, t);
    let jacobi: Vec<Vec<Jet>> = (0..=order).map(|i| jacobi(order - i, (2 * i + 1) as f64, b)).collect();
    let mut basis = Vec::with_capacity(count(Shape::Triangle, order));
    for degree in 0..=order {
        for i in 0..=degree {
            let norm = ((2 * (2 * i + 1) * (degree + 1)) as f64).sqrt();
            basis.push(norm * (legendre[i] * jacobi[i][degree - i]));
        }
    }
    basis
}

/// t^i P_i(r / t) for i = 0..=degree: (i+1) Q_{i+1} = (2i+1) r Q_i - i t^2 Q_{i-1}.
fn homogeneous_legendre(degree: usize, r: Jet, t: Jet) -> Vec<Jet> {
    let mut q = vec![Jet::ONE, r];
    for i in 1..degree {
        let k = i as f64;
        q.push((1.0 / (k + 1.0)) * ((2.0 * k + 1.0) * (r * q[i]) - k * (t * t * q[i - 1])));
    }
    q
}

/// The Jacobi polynomials P_j^(alpha, 0)(x) for j = 0..=degree (DLMF 18.9.2 with beta = 0).
fn jacobi(degree: usize, alpha: f64, x: Jet) -> Vec<Jet> {
    let mut p = vec![Jet::ONE, 0.5 * ((alpha + 2.0) * x + alpha * Jet::ONE)];
    for j in 1..degree {
        let k = j as f64;
        let c = 2.0 * k + alpha;
        let linear = (c + 1.0) * ((c * (c + 2.0)) * x + alpha * alpha * Jet::ONE);
        let next = linear * p[j] - (2.0 * k * (k + alpha) * (c + 2.0)) * p[j - 1];
        p.push((1.0 / (2.0 * (k + 1.0) * (k + 1.0 + alpha) * c)) * next);
    }
    p
}

/// A value with its gradient: the recurrences, written once, carry both.
#[derive(Clone, Copy)]
struct Jet {
    value: f64,
    gradient: [f64; 2],
}

impl Jet {
    const ONE: Jet = Jet { value: 1.0, gradient: [0.0, 0.0] };
}

impl Add for Jet {
    type Output = Jet;

    fn add(self, other: Jet) -> Jet {
        Jet { value: self.value + other.value, gradient: [0, 1].map(|d| self.gradient[d] + other.gradient[d]) }
    }
}

impl Sub for Jet {
    type Output = Jet;

    fn sub(self, other: Jet) -> Jet {
        self + -1.0 * other
    }
}

impl Mul for Jet {
    type Output = Jet;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule is a sum")]
    fn mul(self, other: Jet) -> Jet {
        let product_rule = |d: usize| self.gradient[d] * other.value + self.value * other.gradient[d];
        Jet { value: self.value * other.value, gradient: [0, 1].map(product_rule) }
    }
}

impl Mul<Jet> for f64 {
    type Output = Jet;

    fn mul(self, jet: Jet) -> Jet {
        Jet { value: self * jet.value, gradient: jet.gradient.map(|slope| self * slope) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::quadrature::gauss_legendre;

    const ORDER: usize = 7;

    /// A rule that shares nothing with the tables: points on the square, for the triangle collapsed onto it.
    fn rule(shape: Shape) -> Vec<([f64; 2], f64)> {
        let (s, w) = gauss_legendre(ORDER + 2);
        let mut rule = Vec::new();
        for a in 0..s.len() {
            for b in 0..s.len() {
                let width = if shape == Shape::Triangle { 1.0 - s[b] } else { 1.0 };
                rule.push(([s[a] * width, s[b]], w[a] * w[b] * width));
            }
        }
        rule
    }

    #[test]
    fn functions_are_orthonormal() {
        for shape in Shape::ALL {
            let n = count(shape, ORDER);
            let mut mass = vec![vec![0.0; n]; n];
            for (point, weight) in rule(shape) {
                let phi = values(shape, ORDER, &point);
                for i in 0..n {
                    for j in 0..n {
                        mass[i][j] += weight * phi[i] * phi[j];
                    }
                }
            }
            for i in 0..n {
                for j in 0..n {
                    let error = (mass[i][j] - f64::from(i == j)).abs();
                    assert!(error < 2e-14, "{shape:?}, ({i}, {j}): {error:e}");
                }
            }
        }
    }

    #[test]
    fn lower_orders_are_a_prefix_of_higher_ones() {
        let point = [0.3, 0.2];
        for (shape, constant) in [(Shape::Triangle, 2.0_f64.sqrt()), (Shape::Quadrilateral, 1.0)] {
            let all = values(shape, ORDER, &point);
            assert!((all[0] - constant).abs() < 1e-15);
            for order in 0..ORDER {
                let lower = values(shape, order, &point);
                assert_eq!(lower.len(), count(shape, order));
                assert_eq!(lower, all[..lower.len()]);
            }
        }
    }

    /// Every monomial of the space equals its projection, gradients included: inside, on the boundary, and at the
    /// corner (0,1), where the triangle's collapsed coordinates are singular.
    #[test]
    fn values_and_gradients_reproduce_monomials() {
        for shape in Shape::ALL {
            let n = count(shape, ORDER);
            let powers = (0..=ORDER).flat_map(|a| (0..=ORDER).map(move |b| (a, b)));
            for (a, b) in powers.filter(|(a, b)| shape == Shape::Quadrilateral || a + b <= ORDER) {
                let monomial = |x: f64, y: f64| x.powi(a as i32) * y.powi(b as i32);
                let derivative = |k: usize, s: f64| if k == 0 { 0.0 } else { k as f64 * s.powi(k as i32 - 1) };
                let mut modes = vec![0.0; n];
                for (point, weight) in rule(shape) {
                    let phi = values(shape, ORDER, &point);
                    for j in 0..n {
                        modes[j] += weight * phi[j] * monomial(point[0], point[1]);
                    }
                }
                let expand = |table: &[f64]| -> f64 { modes.iter().zip(table).map(|(mode, phi)| mode * phi).sum() };
                for [x, y] in [[0.2, 0.3], [0.6, 0.4], [0.0, 0.7], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]] {
                    let gradient = gradients(shape, ORDER, &[x, y]);
                    let pairs = [
                        (expand(&values(shape, ORDER, &[x, y])), monomial(x, y)),
                        (expand(&gradient[0]), derivative(a, x) * y.powi(b as i32)),
                        (expand(&gradient[1]), x.powi(a as i32) * derivative(b, y)),
                    ];
                    for (found, exact) in pairs {
                        let place = format!("{shape:?}, x^{a} y^{b} at ({x}, {y})");
                        assert!((found - exact).abs() < 1e-12, "{place}: {found} for {exact}");
                    }
                }
            }
        }
    }
}
