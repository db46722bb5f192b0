//! Cubic splines through points of the plane, parametrized by the distance along the chords.
//!
//! With this parameter a spline is accurate to fourth order in position and to third in direction, for any spacing of the
//! points (M. S. Floater, T. Surazhsky: Parameterization for curve interpolation, in: Topics in
//! Multivariate Approximation and Interpolation, 2006).

type Point = [f64; 2];

/// Points around an interval that determine the middle of the body there.
const AROUND: usize = 6;

/// Newton steps to the nearest point; each reduces the error by the squared ratio of an interval to the radius of curvature.
const NEWTON_STEPS: usize = 8;

/// A twice continuously differentiable curve, cubic between neighbouring points.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    points: Vec<Point>,
    /// Derivatives at the points.
    slopes: Vec<Point>,
    /// Parameter distances between neighbouring points.
    steps: Vec<f64>,
    closed: bool,
}

impl Spline {
    /// The spline through at least two points, each different from the previous one. A closed spline has equal first and
    /// last points and is smooth there; otherwise the derivatives at the ends are those
    /// of the polynomials through the first and the last six points: with fewer, the ends would dominate the error.
    pub(super) fn new(points: Vec<Point>, closed: bool) -> Self {
        let steps: Vec<f64> =
            points.windows(2).map(|ends| (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1])).collect();
        let component = |d: usize| {
            let values: Vec<f64> = points.iter().map(|point| point[d]).collect();
            if closed { closed_slopes(&steps, &values) } else { open_slopes(&steps, &values) }
        };
        let slopes = component(0).into_iter().zip(component(1)).map(|(x, y)| [x, y]).collect();
        Self { points, slopes, steps, closed }
    }

    /// The point at the fraction `s` of the way from point `interval` to the next (cubic Hermite interpolation).
    pub(super) fn position(&self, interval: usize, s: f64) -> Point {
        let weights = [
            (1.0 + 2.0 * s) * (1.0 - s).powi(2),
            s * s * (3.0 - 2.0 * s),
            s * (1.0 - s).powi(2) * self.steps[interval],
            s * s * (s - 1.0) * self.steps[interval],
        ];
        self.combine(interval, weights)
    }

    /// The derivative there with respect to the parameter: the direction of the curve.
    pub(super) fn derivative(&self, interval: usize, s: f64) -> Point {
        let swing = 6.0 * s * (1.0 - s) / self.steps[interval];
        self.combine(interval, [-swing, swing, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)])
    }

    /// The fraction of the way from point `interval` to the next at which the curve is nearest to a point beside it, starting from
    /// the estimate `s`: the difference is perpendicular to the curve there.
    pub(super) fn nearest(&self, interval: usize, s: f64, to: Point) -> f64 {
        let mut s = s;
        for _ in 0..NEWTON_STEPS {
            let ([x, y], [dx, dy]) = (self.position(interval, s), self.derivative(interval, s));
            let along = ((to[0] - x) * dx + (to[1] - y) * dy) / (dx * dx + dy * dy);
            s = (s + along / self.steps[interval]).clamp(0.0, 1.0);
        }
        s
    }

    /// A point of the body halfway from point `interval` to the next: of the polynomial through the [`AROUND`] nearest points, so
    /// that curves through points and such middles converge to the body under refinement. The spline's own middle has a similar error
    /// in each interval, and such errors add up in the directions of a spline through all of them. (Deslauriers & Dubuc, Constr.
    /// Approx. 5 (1989) 49–68.)
    pub(super) fn middle(&self, interval: usize) -> Point {
        let intervals = self.steps.len();
        let before = AROUND / 2 - 1;
        let first = if self.closed && intervals >= AROUND {
            intervals + interval - before
        } else if intervals + 1 >= AROUND {
            interval.saturating_sub(before).min(intervals + 1 - AROUND)
        } else {
            return self.position(interval, 0.5);
        };
        let mut knots = [0.0; AROUND];
        for k in 1..AROUND {
            knots[k] = knots[k - 1] + self.steps[(first + k - 1) % intervals];
        }
        // The interval's place among the knots: a closed chain of points is cyclic.
        let place = if self.closed && intervals >= AROUND { before } else { interval - first };
        let at = 0.5 * (knots[place] + knots[place + 1]);
        let mut middle = [0.0; 2];
        for k in 0..AROUND {
            let others = (0..AROUND).filter(|&j| j != k);
            let weight: f64 = others.map(|j| (at - knots[j]) / (knots[k] - knots[j])).product();
            let point = self.points[if self.closed { (first + k) % intervals } else { first + k }];
            middle = [0, 1].map(|d| middle[d] + weight * point[d]);
        }
        middle
    }

    fn combine(&self, i: usize, weights: [f64; 4]) -> Point {
        let parts = [self.points[i], self.points[i + 1], self.slopes[i], self.slopes[i + 1]];
        std::array::from_fn(|d| weights.iter().zip(parts).map(|(w, part)| w * part[d]).sum())
    }
}

/// The row of the second derivative's continuity between two intervals:
/// `after m_{i-1} + 2 (before + after) m_i + before m_{i+1} = right side`.
fn continuity(before: (f64, f64), after: (f64, f64)) -> ([f64; 3], f64) {
    let ((h0, rise0), (h1, rise1)) = (before, after);
    ([h1, 2.0 * (h0 + h1), h0], 3.0 * (h1 * rise0 / h0 + h0 * rise1 / h1))
}

fn intervals(steps: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    steps.iter().zip(values.windows(2)).map(|(&step, ends)| (step, ends[1] - ends[0])).collect()
}

fn open_slopes(steps: &[f64], values: &[f64]) -> Vec<f64> {
    let intervals = intervals(steps, values);
    let reversed: Vec<(f64, f64)> = intervals.iter().rev().map(|&(step, rise)| (step, -rise)).collect();
    let mut rows = vec![([0.0, 1.0, 0.0], end_slope(&intervals))];
    rows.extend(intervals.windows(2).map(|pair| continuity(pair[0], pair[1])));
    rows.push(([0.0, 1.0, 0.0], -end_slope(&reversed)));
    solve_tridiagonal(&rows)
}

/// The derivative at the first point of the polynomial through the first six points (or all, if fewer), by
/// Newton's divided differences.
fn end_slope(intervals: &[(f64, f64)]) -> f64 {
    let count = intervals.len().min(5);
    let mut knots = vec![0.0];
    let mut differences = Vec::new();
    for &(step, rise) in &intervals[..count] {
        knots.push(knots[knots.len() - 1] + step);
        differences.push(rise / step);
    }
    let (mut slope, mut weight) = (0.0, 1.0);
    for order in 1..=count {
        slope += weight * differences[0];
        weight *= knots[0] - knots[order];
        differences = (0..count - order)
            .map(|i| (differences[i + 1] - differences[i]) / (knots[i + order + 1] - knots[i]))
            .collect();
    }
    slope
}

/// Solves a cyclic system as a tridiagonal one with a correction of rank one (Sherman and Morrison 1950).
fn closed_slopes(steps: &[f64], values: &[f64]) -> Vec<f64> {
    let intervals = intervals(steps, values);
    let n = intervals.len();
    let mut rows: Vec<([f64; 3], f64)> = (0..n).map(|i| continuity(intervals[(i + n - 1) % n], intervals[i])).collect();
    let (corner_right, corner_left) = (rows[0].0[0], rows[n - 1].0[2]);
    let gamma = -rows[0].0[1];
    rows[0].0[1] -= gamma;
    rows[n - 1].0[1] -= corner_right * corner_left / gamma;
    let plain = solve_tridiagonal(&rows);
    rows.iter_mut().for_each(|row| row.1 = 0.0);
    rows[0].1 = gamma;
    rows[n - 1].1 += corner_left;
    let correction = solve_tridiagonal(&rows);
    let project = |x: &[f64]| x[0] + x[n - 1] * corner_right / gamma;
    let factor = project(&plain) / (1.0 + project(&correction));
    let mut slopes: Vec<f64> = plain.iter().zip(&correction).map(|(x, z)| x - factor * z).collect();
    slopes.push(slopes[0]);
    slopes
}

/// Solves `a x_{i-1} + b x_i + c x_{i+1} = d` for rows `([a, b, c], d)` that are diagonally dominant.
fn solve_tridiagonal(rows: &[([f64; 3], f64)]) -> Vec<f64> {
    let mut eliminated: Vec<(f64, f64)> = Vec::with_capacity(rows.len());
    for &([a, b, c], d) in rows {
        let (above, value) = eliminated.last().copied().unwrap_or((0.0, 0.0));
        let pivot = b - a * above;
        eliminated.push((c / pivot, (d - a * value) / pivot));
    }
    let mut x = vec![0.0; rows.len()];
    let mut next = 0.0;
    for (x, (above, value)) in x.iter_mut().zip(eliminated).rev() {
        next = value - above * next;
        *x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on an ellipse, unevenly spaced; half of it where open.
    fn ellipse(count: usize, closed: bool) -> Vec<Point> {
        let turn = if closed { std::f64::consts::TAU } else { std::f64::consts::PI };
        let point = |i: usize| {
            let t = turn * i as f64 / count as f64;
            let angle = t + 0.2 * t.sin();
            [2.0 * angle.cos(), angle.sin()]
        };
        let mut points: Vec<Point> = (0..=count).map(point).collect();
        if closed {
            points[count] = points[0];
        }
        points
    }

    /// The largest errors in position (as the defect of the ellipse's equation) and in direction.
    fn errors(count: usize, closed: bool) -> [f64; 2] {
        let spline = Spline::new(ellipse(count, closed), closed);
        let mut errors = [0.0_f64; 2];
        for interval in 0..count {
            for s in [0.0, 0.21, 0.5, 0.79, 1.0] {
                let ([x, y], [dx, dy]) = (spline.position(interval, s), spline.derivative(interval, s));
                errors[0] = errors[0].max((x * x / 4.0 + y * y - 1.0).abs());
                let (nx, ny) = (x / 2.0, 2.0 * y);
                errors[1] = errors[1].max(((nx * dx + ny * dy) / (nx.hypot(ny) * dx.hypot(dy))).abs());
            }
        }
        errors
    }

    #[test]
    fn position_is_of_fourth_and_direction_of_third_order() {
        for closed in [false, true] {
            let (coarse, fine) = (errors(160, closed), errors(320, closed));
            let rates = [0, 1].map(|i| (coarse[i] / fine[i]).log2());
            assert!(rates[0] > 3.9 && rates[1] > 2.9, "closed = {closed}: {coarse:?} {fine:?} {rates:?}");
        }
    }

    #[test]
    fn middles_are_of_sixth_order_where_points_are_even() {
        let error = |count: usize, closed: bool| {
            let turn = if closed { std::f64::consts::TAU } else { std::f64::consts::PI };
            let angle = |i: usize| turn * i as f64 / count as f64;
            let mut points: Vec<Point> = (0..=count).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
            if closed {
                points[count] = points[0];
            }
            let spline = Spline::new(points, closed);
            let radius = |i: usize| spline.middle(i)[0].hypot(spline.middle(i)[1]);
            (0..count).map(|i| (radius(i) - 1.0).abs()).fold(0.0, f64::max)
        };
        for closed in [false, true] {
            let (coarse, fine) = (error(20, closed), error(40, closed));
            assert!(coarse < 1e-4 && (coarse / fine).log2() > 5.7, "closed = {closed}: {coarse:e} {fine:e}");
        }
    }

    #[test]
    fn the_derivative_is_that_of_the_position() {
        let spline = Spline::new(ellipse(12, true), true);
        for (interval, s) in [(0, 0.3), (5, 0.9), (11, 0.5)] {
            let h = 1e-5;
            let (ahead, behind) = (spline.position(interval, s + h), spline.position(interval, s - h));
            let derivative = spline.derivative(interval, s);
            for d in 0..2 {
                let difference = (ahead[d] - behind[d]) / (2.0 * h * spline.steps[interval]);
                assert!((difference - derivative[d]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn few_points_give_a_line_and_a_parabola() {
        let line = Spline::new(vec![[1.0, 2.0], [4.0, 6.0]], false);
        let [x, y] = line.position(0, 0.25);
        assert!((x - 1.75).abs() < 1e-15 && (y - 3.0).abs() < 1e-15);
        let bend = Spline::new(vec![[0.0, 0.0], [3.0, 4.0], [6.0, 0.0]], false);
        let [x, y] = bend.position(0, 0.5);
        assert!((x - 1.5).abs() < 1e-14 && (y - 3.0).abs() < 1e-14, "{x} {y}");
    }
}
