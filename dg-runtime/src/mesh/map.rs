//! The map from the reference element to an element, as a sum of monomials.

use std::sync::OnceLock;

use super::MAX_DIM;
use super::matrix::inverse;
use crate::law::Shape;
use crate::law::geometry::Map;
use crate::law::reference::quadrature::volume_rule;

/// The highest degree of elements with curved sides.
pub const MAX_DEGREE: usize = 4;

/// The most monomials of a map.
const MAX_TERMS: usize = (MAX_DEGREE + 1) * (MAX_DEGREE + 1);

/// Steps of Newton's method; inside of an element it takes a handful.
const STEPS: usize = 20;

/// It ends where a step changes no coordinate by more than this, or than rounding does.
const CONVERGED: f64 = 1e-13;

/// The degree of the lattice at whose points it begins where the middle is too far, and how many of them are tried.
const STARTS: usize = 8;
const NEAREST: usize = 4;

/// A position is in an element if it is outside by at most this share of it, or by what rounding amounts to.
const ROUNDING: f64 = 1e-12;

/// How often an element is halved in both directions before a determinant whose sign is not decided counts as not positive.
const HALVINGS: usize = 12;

/// The map x(ξ) = Σ_n c_n ζ₀^i ζ₁^j of an element, with the exponents of [`Map::monomials`]; ζ is ξ - 1/2, or ξ if the degree is 1.
#[derive(Clone, Copy, Debug)]
pub struct ElementMap {
    shape: Shape,
    degree: usize,
    terms: [[f64; MAX_DIM]; MAX_TERMS],
}

/// The exponents of the terms of maps of this degree.
fn monomials(shape: Shape, degree: usize) -> &'static [[usize; 2]] {
    static KNOWN: [[OnceLock<Vec<[usize; 2]>>; MAX_DEGREE + 1]; 2] =
        [const { [const { OnceLock::new() }; MAX_DEGREE + 1] }; 2];
    KNOWN[usize::from(shape.is_product())][degree].get_or_init(|| Map::Polynomial(degree).monomials(shape))
}

impl ElementMap {
    /// From its coefficients, `[term][dim]`.
    pub(super) fn new(shape: Shape, degree: usize, coefficients: &[f64]) -> Self {
        let mut terms = [[0.0; MAX_DIM]; MAX_TERMS];
        for (term, of_term) in terms.iter_mut().zip(coefficients.chunks_exact(shape.dim())) {
            term[..of_term.len()].copy_from_slice(of_term);
        }
        Self { shape, degree, terms }
    }

    /// That of an element with straight sides between these corners.
    pub(super) fn straight<'a>(shape: Shape, corner: impl Fn(usize) -> &'a [f64]) -> Self {
        let (origin, axes) = (corner(0), shape.axes());
        let mut terms = [[0.0; MAX_DIM]; MAX_TERMS];
        for d in 0..shape.dim() {
            terms[0][d] = origin[d];
            for (k, axis) in axes.into_iter().enumerate() {
                terms[1 + k][d] = corner(axis)[d] - origin[d];
            }
            if shape.is_product() {
                terms[3][d] = corner(0)[d] - corner(1)[d] + corner(2)[d] - corner(3)[d];
            }
        }
        Self { shape, degree: 1, terms }
    }

    /// Whether no term but those of degree 1 is there.
    pub fn is_affine(&self) -> bool {
        self.terms()[1 + self.shape.dim()..].iter().all(|term| *term == [0.0; MAX_DIM])
    }

    /// How far terms beyond these move a point of the element, each by itself, at most: by no more than rounding where it needs no others.
    /// In coefficients of higher degrees rounding is larger.
    pub(super) fn moves_beyond(&self, terms: &[[usize; 2]]) -> f64 {
        // |ζ| is at most 1 if the degree is 1, and at most a half otherwise.
        let reach = powers(1.0 - shift(self.degree));
        let own = self.terms().iter().zip(monomials(self.shape, self.degree));
        let others = own.filter(|(_, exponents)| !terms.contains(exponents));
        others.map(|(term, &[i, j])| reach[i] * reach[j] * term[0].hypot(term[1])).fold(0.0, f64::max)
    }

    /// The degree of the terms, on quadrilaterals in each direction.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The coefficients of the terms, in the order of [`Map::monomials`].
    pub fn terms(&self) -> &[[f64; MAX_DIM]] {
        &self.terms[..monomials(self.shape, self.degree).len()]
    }

    /// The position of a reference point.
    pub fn position(&self, reference: [f64; MAX_DIM]) -> [f64; MAX_DIM] {
        let [x, y] = reference.map(|x| powers(x - shift(self.degree)));
        let mut position = self.terms[0];
        for (term, &[i, j]) in self.terms.iter().zip(monomials(self.shape, self.degree)).skip(1) {
            position = std::array::from_fn(|d| position[d] + x[i] * y[j] * term[d]);
        }
        position
    }

    /// The reference coordinates of a position, where the map is not affine by Newton's method, which begins in the middle; where that finds
    /// none inside, also at the points of a lattice that are mapped next to the position. `None` where nothing converges, far outside of
    /// the element.
    pub fn reference(&self, position: &[f64]) -> Option<[f64; MAX_DIM]> {
        let inside = |place: &[f64; MAX_DIM]| self.is_inside(place, position);
        let found = self.reference_from([1.0 / 3.0; MAX_DIM], position);
        if self.is_affine() || found.is_some_and(|place| inside(&place)) || !self.may_reach(position) {
            return found;
        }
        let from = |node: [usize; MAX_DIM]| {
            let start = node.map(|i| i as f64 / STARTS as f64);
            let [x, y] = self.position(start);
            ((x - position[0]).hypot(y - position[1]), start)
        };
        let mut starts: Vec<(f64, [f64; MAX_DIM])> = self.shape.lattice(STARTS).into_iter().map(from).collect();
        starts.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut near = starts.into_iter().take(NEAREST).filter_map(|(_, start)| self.reference_from(start, position));
        near.find(inside).or(found)
    }

    /// Whether a position may lie in the element: the terms that move a point from that at ζ = 0 could add up to it.
    fn may_reach(&self, position: &[f64]) -> bool {
        let reach = powers(1.0 - shift(self.degree));
        let terms = || self.terms().iter().zip(monomials(self.shape, self.degree)).skip(1);
        let most = |d: usize| terms().map(|(term, &[i, j])| reach[i] * reach[j] * term[d].abs()).sum::<f64>();
        (0..self.shape.dim()).all(|d| (position[d] - self.terms[0][d]).abs() <= (1.0 + 1e-6) * most(d))
    }

    /// The reference coordinates that Newton's method finds from a place.
    fn reference_from(&self, mut place: [f64; MAX_DIM], position: &[f64]) -> Option<[f64; MAX_DIM]> {
        for _ in 0..STEPS {
            let found = self.position(place);
            let [dx, dy] = [position[0] - found[0], position[1] - found[1]];
            let [[a, b], [c, d]] = self.jacobian(place);
            let determinant = a * d - b * c;
            let change = [(d * dx - b * dy) / determinant, (a * dy - c * dx) / determinant];
            place = std::array::from_fn(|i| place[i] + change[i]);
            if self.is_affine() {
                return Some(place);
            }
            let converged = CONVERGED.max(self.rounding(place, position));
            if change.iter().all(|x| x.abs() <= converged) {
                return Some(place);
            }
        }
        None
    }

    /// Whether the place of a position is inside of the reference element, or on a face up to rounding.
    pub(super) fn is_inside(&self, place: &[f64; MAX_DIM], position: &[f64]) -> bool {
        depth(self.shape, &place[..self.shape.dim()]) >= -ROUNDING.max(self.rounding(*place, position))
    }

    /// What rounding of a position amounts to in reference coordinates near a place: 1e-12 already in an element of a thousandth whose distance from the
    /// origin is 1.
    fn rounding(&self, place: [f64; MAX_DIM], position: &[f64]) -> f64 {
        // Far outside the map may fold.
        let place = place.map(|x| x.clamp(0.0, 1.0));
        let size = position.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let entries: f64 = self.jacobian(place).iter().flatten().map(|entry| entry.abs()).sum();
        4.0 * f64::EPSILON * size * entries / self.determinant(place).abs()
    }

    /// `[d][k]` = ∂x_d/∂ξ_k at a reference point.
    pub fn jacobian(&self, reference: [f64; MAX_DIM]) -> [[f64; MAX_DIM]; MAX_DIM] {
        let [x, y] = reference.map(|x| powers(x - shift(self.degree)));
        let mut jacobian = [[0.0; MAX_DIM]; MAX_DIM];
        for (term, &[i, j]) in self.terms.iter().zip(monomials(self.shape, self.degree)).skip(1) {
            let along = [
                if i > 0 { i as f64 * x[i - 1] * y[j] } else { 0.0 },
                if j > 0 { j as f64 * x[i] * y[j - 1] } else { 0.0 },
            ];
            jacobian = std::array::from_fn(|d| std::array::from_fn(|k| jacobian[d][k] + along[k] * term[d]));
        }
        jacobian
    }

    /// det J at a reference point.
    pub fn determinant(&self, reference: [f64; MAX_DIM]) -> f64 {
        let [[a, b], [c, d]] = self.jacobian(reference);
        a * d - b * c
    }

    /// The mean of det J: the ratio of the volumes of element and reference element.
    pub fn mean_determinant(&self) -> f64 {
        if self.degree == 1 {
            // Linear at most: its value in the middle.
            return self.determinant(if self.shape.is_product() { [0.5; MAX_DIM] } else { [1.0 / 3.0; MAX_DIM] });
        }
        let Some(rule) = volume_rule(self.shape, 2 * self.degree) else { return f64::NAN };
        let points = rule.points.iter().zip(&rule.weights);
        points.map(|(point, weight)| weight * self.determinant([point[0], point[1]])).sum::<f64>()
            / self.shape.measure()
    }

    /// The unit outward normal of a face at its parameter s, and |∂x/∂s| there.
    pub fn face_normal(&self, face: usize, s: f64) -> ([f64; MAX_DIM], f64) {
        let jacobian = self.jacobian(self.shape.face_position(face, s));
        let [from, to] = [0.0, 1.0].map(|end| self.shape.face_position(face, end));
        let along: [f64; MAX_DIM] =
            std::array::from_fn(|d| (0..MAX_DIM).map(|k| jacobian[d][k] * (to[k] - from[k])).sum());
        let measure = along[0].hypot(along[1]);
        ([along[1] / measure, -along[0] / measure], measure)
    }

    /// Whether det J is positive in the whole element, by bounds: a polynomial lies between the least and the largest of its coefficients
    /// in Bernstein's basis; where they do not decide, each half is looked at alone. A triangle is the image of the square by
    /// ξ = (s (1 - t), t).
    pub fn is_positive(&self) -> bool {
        let n = 2 * self.degree;
        let at = |s: f64, t: f64| {
            let reference = if self.shape.is_product() { [s, t] } else { [s * (1.0 - t), t] };
            self.determinant(reference)
        };
        let values: Vec<Vec<f64>> =
            (0..=n).map(|j| (0..=n).map(|i| at(i as f64 / n as f64, j as f64 / n as f64)).collect()).collect();
        is_positive(&bernstein(&values), HALVINGS)
    }
}

/// How far a point is inside of the reference element: its least coordinate, from the faces at the origin and from the others; negative
/// outside.
pub(crate) fn depth(shape: Shape, reference: &[f64]) -> f64 {
    let rest = match shape {
        Shape::Triangle => 1.0 - reference.iter().sum::<f64>(),
        Shape::Quadrilateral => reference.iter().fold(1.0, |rest: f64, x| rest.min(1.0 - x)),
    };
    reference.iter().copied().fold(rest, f64::min)
}

/// Where the monomials of a map of this degree are zero: in a corner, or in the middle, where those of higher degrees are less alike.
fn shift(degree: usize) -> f64 {
    if degree > 1 { 0.5 } else { 0.0 }
}

fn powers(x: f64) -> [f64; MAX_DEGREE + 1] {
    let mut powers = [1.0; MAX_DEGREE + 1];
    for i in 1..powers.len() {
        powers[i] = x * powers[i - 1];
    }
    powers
}

/// The coefficients of a polynomial in Bernstein's basis on the unit square, from its values at equally spaced points; `[j][i]`.
fn bernstein(values: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = values.len() - 1;
    let choose = |k: usize| (1..=k).fold(1.0, |of, i| of * (n + 1 - i) as f64 / i as f64);
    let row = |i: usize| {
        let x = i as f64 / n as f64;
        (0..=n).map(|k| choose(k) * x.powi(k as i32) * (1.0 - x).powi((n - k) as i32)).collect()
    };
    let inverse = inverse((0..=n).map(row).collect());
    let apply = |lines: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let line = |row: &Vec<f64>| {
            (0..=n).map(|i| row.iter().zip(lines).map(|(a, line)| a * line[i]).sum()).collect::<Vec<f64>>()
        };
        transposed(&inverse.iter().map(line).collect::<Vec<_>>())
    };
    apply(&apply(values))
}

fn transposed(lines: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..lines.len()).map(|i| lines.iter().map(|line| line[i]).collect()).collect()
}

/// Whether the polynomial with these coefficients in Bernstein's basis is positive on the square.
fn is_positive(coefficients: &[Vec<f64>], halvings: usize) -> bool {
    let all = || coefficients.iter().flatten();
    let n = coefficients.len() - 1;
    // The coefficients at the corners are values.
    let corners = [coefficients[0][0], coefficients[0][n], coefficients[n][0], coefficients[n][n]];
    if !corners.iter().all(|value| *value > 0.0) || all().any(|value| !value.is_finite()) {
        return false;
    }
    if all().all(|value| *value > 0.0) {
        return true;
    }
    if halvings == 0 {
        return false;
    }
    let [left, right] = halves(coefficients);
    [left, right].iter().flat_map(|half| halves(&transposed(half))).all(|quarter| is_positive(&quarter, halvings - 1))
}

/// The coefficients on both halves along the lines, by de Casteljau's algorithm.
fn halves(lines: &[Vec<f64>]) -> [Vec<Vec<f64>>; 2] {
    let (mut left, mut right) = (lines.to_vec(), lines.to_vec());
    for (left, right) in left.iter_mut().zip(&mut right) {
        let n = right.len() - 1;
        for i in 1..=n {
            for k in 0..=n - i {
                right[k] = 0.5 * (right[k] + right[k + 1]);
            }
            left[i] = right[0];
        }
    }
    [left, right]
}
