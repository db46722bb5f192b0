//! The parts of an element that may pass its faces in a step with a limiter that keeps means within bounds: the origin of the
//! numbers of `Integrator::face_share`.
//!
//! A mean over an element is β times the sum of the means over its faces, plus values at the scheme's points with nonnegative
//! weights; the step is proportional to β (X. Zhang, Y. Xia & C.-W. Shu, J. Sci. Comput. 50 (2012) 29–62). The largest
//! β solves a linear programme: the weights must be exact for all polynomials of the scheme's degree. Weights and
//! polynomials may be assumed symmetric under all that maps the element onto itself, because the average of a solution over
//! that is a solution with the same β. There are so few of these that every vertex can be tried.

use dg_runtime::solver::Integrator;
use templates::reference::{Operators, Shape};

/// Points with one weight: what a point becomes by all symmetries of the element.
struct Orbit {
    /// The same for all of them: the barycentric coordinates or, of squares, the distances from the middle along both axes, in
    /// ascending order.
    coordinates: Vec<f64>,
    points: Vec<usize>,
}

/// The orbits of the points.
fn orbits(shape: Shape, points: &[&Vec<f64>]) -> Vec<Orbit> {
    let mut orbits: Vec<Orbit> = Vec::new();
    for (i, point) in points.iter().enumerate() {
        let mut coordinates = match shape {
            Shape::Triangle => vec![point[0], point[1], 1.0 - point[0] - point[1]],
            Shape::Quadrilateral => point.iter().map(|x| (x - 0.5).abs()).collect(),
        };
        coordinates.sort_by(f64::total_cmp);
        let same = |orbit: &&mut Orbit| orbit.coordinates.iter().zip(&coordinates).all(|(a, b)| (a - b).abs() < 1e-12);
        match orbits.iter_mut().find(same) {
            Some(orbit) => orbit.points.push(i),
            None => orbits.push(Orbit { coordinates, points: vec![i] }),
        }
    }
    orbits
}

/// The symmetric polynomials up to a degree, of squares in each direction, at a point: products of those of degrees 2 and 3 of the
/// barycentric coordinates, or sums of products of even powers.
fn symmetric(degree: usize, coordinates: &[f64]) -> Vec<f64> {
    let power = |x: f64, exponent: usize| x.powi(exponent as i32);
    match *coordinates {
        [a, b, c] => {
            let (second, third) = (a * b + b * c + c * a, a * b * c);
            let powers = (0..=degree / 2).flat_map(|i| (0..=degree / 3).map(move |j| (i, j)));
            let of_degree = powers.filter(|(i, j)| 2 * i + 3 * j <= degree);
            of_degree.map(|(i, j)| power(second, i) * power(third, j)).collect()
        }
        [a, b] => {
            // Of numbers up to 1, so that no row is small.
            let (a, b) = (4.0 * a * a, 4.0 * b * b);
            let powers = (0..=degree / 2).flat_map(|i| (0..=i).map(move |j| (i, j)));
            powers.map(|(i, j)| power(a, i) * power(b, j) + power(a, j) * power(b, i)).collect()
        }
        _ => unreachable!("elements of the plane"),
    }
}

/// Gaussian elimination; `None` if the columns are linearly dependent.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        let pivot_row = rows[k].clone();
        if pivot_row[k].abs() < 1e-12 {
            return None;
        }
        for (i, row) in rows.iter_mut().enumerate() {
            if i != k {
                let factor = row[k] / pivot_row[k];
                row.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

/// All ways to choose `count` of the numbers below `n`.
fn choices(n: usize, count: usize) -> Vec<Vec<usize>> {
    let masks = (0..1_u32 << n).filter(|mask| mask.count_ones() as usize == count);
    masks.map(|mask| (0..n).filter(|i| mask >> i & 1 == 1).collect()).collect()
}

/// The largest β of an order, and the corresponding weights of all points, first those of the faces.
fn largest(operators: &Operators) -> (f64, Vec<f64>) {
    let faces: Vec<&Vec<f64>> = operators.face_positions.iter().flatten().collect();
    let points: Vec<&Vec<f64>> = faces.iter().copied().chain(&operators.volume_points).collect();
    let orbits = orbits(operators.shape, &points);
    let values: Vec<Vec<f64>> = orbits.iter().map(|orbit| symmetric(operators.order, &orbit.coordinates)).collect();
    let polynomials = values[0].len();
    // For every polynomial: the sum of its means over the faces, and its mean over the triangle.
    let sum = |polynomial: usize, weight: &dyn Fn(usize) -> f64| -> f64 {
        let of_orbit = |(orbit, values): (&Orbit, &Vec<f64>)| {
            orbit.points.iter().map(|&point| weight(point)).sum::<f64>() * values[polynomial]
        };
        orbits.iter().zip(&values).map(of_orbit).sum()
    };
    let on_faces =
        |point: usize| operators.face_weights.get(point % operators.face_points.len()).filter(|_| point < faces.len());
    let in_volume = |point: usize| point.checked_sub(faces.len()).map_or(0.0, |q| operators.volume_weights[q]);
    let face_sums: Vec<f64> =
        (0..polynomials).map(|i| sum(i, &|point| on_faces(point).copied().unwrap_or(0.0))).collect();
    let means: Vec<f64> = (0..polynomials).map(|i| sum(i, &in_volume) / operators.shape.measure()).collect();

    let mut best = (0.0, Vec::new());
    // β and the orbits' weights are the unknowns; a vertex has at most as many nonzero ones as there are polynomials.
    for chosen in choices(1 + orbits.len(), polynomials) {
        let entry = |polynomial: usize, unknown: usize| match unknown.checked_sub(1) {
            None => face_sums[polynomial],
            Some(orbit) => values[orbit][polynomial] * orbits[orbit].points.len() as f64,
        };
        let row = |i: usize| chosen.iter().map(|&unknown| entry(i, unknown)).chain([means[i]]).collect();
        let Some(solution) = solve((0..polynomials).map(row).collect()) else { continue };
        if chosen[0] == 0 && solution[0] > best.0 && solution.iter().all(|&value| value >= 0.0) {
            let mut weights = vec![0.0; points.len()];
            for (&unknown, weight) in chosen.iter().zip(&solution).skip(1) {
                orbits[unknown - 1].points.iter().for_each(|&point| weights[point] = *weight);
            }
            best = (solution[0], weights);
        }
    }
    best
}

#[test]
fn means_are_sums_of_face_means_and_values_with_positive_weights() {
    for (shape, order) in Shape::ALL.into_iter().flat_map(|shape| (1..=7).map(move |order| (shape, order))) {
        let operators = Operators::new(shape, order).unwrap();
        let (beta, weights) = largest(&operators);
        assert!(weights.iter().all(|&weight| weight >= 0.0));
        // For all polynomials, symmetric or not: the basis spans them. Only the first function has a mean.
        let at_points: Vec<&Vec<f64>> =
            operators.basis_at_face.iter().flatten().chain(&operators.basis_at_volume).collect();
        for j in 0..operators.basis {
            let face =
                |rows: &Vec<Vec<f64>>| rows.iter().zip(&operators.face_weights).map(|(row, w)| w * row[j]).sum::<f64>();
            let faces: f64 = operators.basis_at_face.iter().map(face).sum();
            let rest: f64 = at_points.iter().zip(&weights).map(|(row, weight)| weight * row[j]).sum();
            let mean = if j == 0 { at_points[0][0] } else { 0.0 };
            assert!((beta * faces + rest - mean).abs() < 1e-12, "order {order}, function {j}");
        }
        println!("{shape:?}, order {order}: β = {beta:.5}");
        let table = Integrator::SspRk3.face_share(shape, order).unwrap();
        assert!(table <= beta && beta < 1.01 * table, "{shape:?}, order {order}: {table} where {beta} would do");
    }
}
