//! Quadrature on the unit interval and on reference elements.

use std::f64::consts::PI;

use super::Shape;
use super::triangle_rules::{TRIANGLE_RULES, TriangleRule};

/// Points and weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Positions in reference coordinates, `[q][d]`.
    pub points: Vec<Vec<f64>>,
    /// `[q]`; they sum to the measure of the reference element.
    pub weights: Vec<f64>,
}

/// The highest degree that [`volume_rule`] has a rule for.
pub fn highest_degree(shape: Shape) -> usize {
    match shape {
        Shape::Triangle => TRIANGLE_RULES.last().map_or(0, |rule| rule.degree),
        Shape::Quadrilateral => HIGHEST_PRODUCT,
    }
}

/// The smallest known rule that integrates all polynomials of this degree exactly, total or on the quadrilateral in each direction, with
/// positive weights and interior points; none above [`highest_degree`].
pub fn volume_rule(shape: Shape, degree: usize) -> Option<Rule> {
    match shape {
        Shape::Triangle => TRIANGLE_RULES.iter().find(|rule| rule.degree >= degree).map(expand_triangle),
        Shape::Quadrilateral => (degree <= HIGHEST_PRODUCT).then(|| product(degree / 2 + 1)),
    }
}

/// The degree of the finest product rule, that of the triangle.
const HIGHEST_PRODUCT: usize = 18;

/// Gauss's points in both directions, row by row, n² of them, exact to degree 2n - 1 in each.
fn product(n: usize) -> Rule {
    let (points, weights) = gauss_legendre(n);
    let each = || (0..n).flat_map(|j| (0..n).map(move |i| [i, j]));
    Rule {
        points: each().map(|[i, j]| vec![points[i], points[j]]).collect(),
        weights: each().map(|[i, j]| weights[i] * weights[j]).collect(),
    }
}

/// The Gauss-Legendre points (ascending) and weights on (0,1), exact to degree 2n - 1; the weights sum to 1.
pub fn gauss_legendre(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut points = vec![0.0; n];
    let mut weights = vec![0.0; n];
    for k in 0..n.div_ceil(2) {
        // Tricomi's approximation of the k-th largest root; Newton's method doubles its digits per step.
        let mut x = (PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..6 {
            let (value, slope) = legendre(n, x);
            x -= value / slope;
        }
        if 2 * k + 1 == n {
            x = 0.0;
        }
        let (_, slope) = legendre(n, x);
        let weight = 1.0 / ((1.0 - x * x) * slope * slope);
        (points[k], points[n - 1 - k]) = (0.5 * (1.0 - x), 0.5 * (1.0 + x));
        (weights[k], weights[n - 1 - k]) = (weight, weight);
    }
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    (points, weights)
}

/// P_n(x) and P_n'(x) inside (-1,1).
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut previous, mut value) = (0.0, 1.0);
    for k in 0..n {
        let i = k as f64;
        (previous, value) = (value, ((2.0 * i + 1.0) * x * value - i * previous) / (i + 1.0));
    }
    (value, n as f64 * (previous - x * value) / (1.0 - x * x))
}

/// All points of a symmetric rule. The coordinates (x, y) are two of the three barycentric ones. First come pairs of points that are images of
/// each other under the reflection (x, y) → (1 - x - y, y), then the points on its axis.
fn expand_triangle(rule: &TriangleRule) -> Rule {
    let (mut pairs, mut on_axis) = (Vec::new(), Vec::new());
    if let Some(fraction) = rule.centroid {
        on_axis.push((fraction, [1.0 / 3.0; 2]));
    }
    for &[fraction, a] in rule.medians {
        let c = 1.0 - 2.0 * a;
        pairs.extend([[a, a], [c, a]].map(|point| (fraction, point)));
        on_axis.push((fraction, [a, c]));
    }
    for &[fraction, a, b] in rule.general {
        let c = 1.0 - a - b;
        pairs.extend([[a, b], [c, b], [b, c], [a, c], [c, a], [b, a]].map(|point| (fraction, point)));
    }
    let all = || pairs.iter().chain(&on_axis);
    Rule {
        points: all().map(|(_, point)| point.to_vec()).collect(),
        weights: all().map(|(fraction, _)| Shape::Triangle.measure() * fraction).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: usize) -> f64 {
        (1..=n).map(|k| k as f64).product()
    }

    #[test]
    fn triangle_rules_are_exact_positive_and_interior() {
        for rule in TRIANGLE_RULES {
            let Rule { points, weights } = expand_triangle(rule);
            for (point, &weight) in points.iter().zip(&weights) {
                assert!(weight > 0.0 && point[0] > 0.0 && point[1] > 0.0 && point[0] + point[1] < 1.0);
            }
            for degree in 0..=rule.degree {
                for a in 0..=degree {
                    let b = degree - a;
                    let exact = factorial(a) * factorial(b) / factorial(a + b + 2);
                    let monomial = |p: &Vec<f64>| p[0].powi(a as i32) * p[1].powi(b as i32);
                    let mut terms: Vec<f64> = points.iter().zip(&weights).map(|(p, w)| w * monomial(p)).collect();
                    // Small terms first, so that rounding in the sum does not hide errors of the rule.
                    terms.sort_by(f64::total_cmp);
                    let sum: f64 = terms.iter().sum();
                    let error = (sum / exact - 1.0).abs();
                    assert!(error < 1e-15, "degree {}, x^{a} y^{b}: {error:e}", rule.degree);
                }
            }
        }
    }

    /// The numbers of points of Witherden and Vincent (2015).
    #[test]
    fn triangle_rules_have_the_published_numbers_of_points() {
        let counts = [1, 3, 6, 12, 16, 25, 33, 42, 55, 67];
        for (half, count) in counts.into_iter().enumerate() {
            assert_eq!(volume_rule(Shape::Triangle, 2 * half).map(|rule| rule.weights.len()), Some(count));
        }
        assert_eq!(volume_rule(Shape::Triangle, 19), None);
    }

    #[test]
    fn gauss_legendre_integrates_powers() {
        for n in 1..=12 {
            let (points, weights) = gauss_legendre(n);
            assert!(points.is_sorted() && points[0] > 0.0 && points[n - 1] < 1.0);
            for power in 0..2 * n {
                let sum: f64 = points.iter().zip(&weights).map(|(s, w)| w * s.powi(power as i32)).sum();
                let error = (sum * (power + 1) as f64 - 1.0).abs();
                assert!(error < 1e-14, "n = {n}, s^{power}: {error:e}");
            }
        }
    }
}
