//! The scheme's kernels for results (`sample`, `integrate`, `errors`), on solutions whose correct results
//! are known without them.

use std::sync::Arc;

use super::reference::on_host;
use super::{Comparison, difference, larger};
use crate::cli::Error;
use crate::device::Device;
use crate::law::{Arguments, Function, Law, Role, Sample, Shape, Unit};
use crate::mesh::Mesh;
use crate::mesh::generate::Rectangle;
use crate::solver::{Given, Integrator, MediumOrigin, Setup, Solver};

/// Half the side of the square on which kernels are compared: small enough that five Gauss points along each side of an element
/// integrate any smooth function up to rounding.
const HALF_SIDE: f64 = 5e-4;

/// The relative change of the linear polynomials from the middle of the square to a side.
const SLOPE: f64 = 1e-3;

/// Compares the three kernels of a unit with correct results.
///
/// * `sample` and `integrate`, for an admissible state from the compiler with a linear variation in space: every basis
///   contains this polynomial, except that of order 0, which contains its means;
/// * `errors`, for a constant state against each exact solution, with an independent quadrature.
pub(super) fn comparisons(
    device: &Arc<Device>,
    law: &'static Law,
    unit: &'static Unit,
) -> Result<Vec<Comparison>, Error> {
    let mut comparisons = Vec::new();
    // The compiler's samples contain an admissible state and all other arguments.
    let of_flux = law.with_role(Role::Flux).next().map(|flux| flux.name);
    let state = law.samples.iter().find(|sample| Some(sample.function) == of_flux);
    if let Some(sample) = state {
        comparisons.extend(of_polynomial(device, law, unit, sample)?);
    }
    for exact in law.with_role(Role::Exact) {
        if let Some(sample) = law.samples.iter().find(|sample| sample.function == exact.name) {
            comparisons.push(of_errors(device, law, unit, exact, sample)?);
        }
    }
    Ok(comparisons)
}

/// A solver on a few elements around a position.
fn solver(
    device: &Arc<Device>,
    law: &'static Law,
    unit: &Unit,
    sample: &Sample,
    exact: Option<&'static Function>,
) -> Result<Solver, Error> {
    let middle = middle(sample);
    let rectangle = Rectangle {
        lower: middle.map(|x| x - HALF_SIDE),
        upper: middle.map(|x| x + HALF_SIDE),
        cells: [2; 2],
        periodic: [true; 2],
        jitter: 0.2,
        shape: unit.shape,
        ..Rectangle::default()
    };
    let integrator = Integrator::SspRk3;
    let setup = Setup {
        parameters: sample.parameters.to_vec(),
        medium: (!law.medium.is_empty())
            .then(|| MediumOrigin::Uniform(sample.state[law.state.len()..].to_vec()).into()),
        exact: exact.map(Given::Function),
        integrator,
        cfl: integrator.default_cfl(unit.shape, unit.order),
        ..Setup::on(unit.shape, law, unit.order)?
    };
    Ok(Solver::new(Arc::clone(device), rectangle.mesh()?, setup)?)
}

/// The position of a sample; an arbitrary one if its function takes none.
fn middle(sample: &Sample) -> [f64; 2] {
    if let [x, y] = *sample.position { [x, y] } else { [0.3, 0.7] }
}

fn of_polynomial(
    device: &Arc<Device>,
    law: &'static Law,
    unit: &'static Unit,
    sample: &'static Sample,
) -> Result<Vec<Comparison>, Error> {
    let mut solver = solver(device, law, unit, sample, None)?;
    let middle = middle(sample);
    let polynomial = |position: &[f64]| -> Vec<f64> {
        let mean = &sample.state[..law.state.len()];
        let [x, y] = [0, 1].map(|d| position[d] - middle[d]);
        let changes = slope(mean, 0).zip(slope(mean, 1)).map(|(along_x, along_y)| along_x * x + along_y * y);
        mean.iter().zip(changes).map(|(mean, change)| mean + change).collect()
    };
    solver.project_values(sample.time, |position, state| state.copy_from_slice(&polynomial(position)))?;

    let (samples, mesh) = (solver.samples()?, solver.mesh());
    let nodes: Vec<[f64; 2]> = (0..mesh.element_count())
        .flat_map(|element| unit.reference().sample_points.chunks_exact(2).map(move |node| place(mesh, element, node)))
        .collect();
    let states: Vec<Vec<f64>> = (nodes.chunks(unit.reference().sample_points.len() / mesh.dim).enumerate())
        .flat_map(|(element, nodes)| {
            let area = mesh.geometry(element).measure(mesh.shape(element));
            let mut mean = vec![0.0; law.state.len()];
            for (place, weight) in places(mesh, element) {
                mean.iter_mut().zip(polynomial(&place)).for_each(|(mean, value)| *mean += weight / area * value);
            }
            let at = move |node: &[f64; 2]| if unit.order == 0 { mean.clone() } else { polynomial(node) };
            nodes.iter().map(at).collect::<Vec<_>>()
        })
        .collect();
    let of_field = |name: &'static str, factor: f64, right: &dyn Fn(usize) -> Option<f64>| {
        let written = samples.field(name).unwrap_or_default();
        let differs = |i: usize| match (written.get(i), right(i)) {
            (Some(written), Some(right)) => factor * difference(&[*written], &[right]),
            _ => f64::NAN,
        };
        comparison(
            device,
            law,
            unit,
            format!("{name}, sampled"),
            "linear polynomials",
            nodes.len(),
            (0..nodes.len()).map(differs),
        )
    };
    let mut comparisons = Vec::new();
    for (c, variable) in law.state.iter().enumerate() {
        comparisons.push(of_field(variable.name, 1.0, &|i| Some(states[i][c])));
    }
    let slopes: Vec<f64> = (0..2).flat_map(|axis| slope(&sample.state[..law.state.len()], axis)).collect();
    // Polynomials of degree 0 have no gradient.
    let has_gradient = unit.order > 0;
    for output in law.outputs().filter(|output| output.role == Role::Output || has_gradient) {
        let right = |i: usize| {
            let state = [&states[i], &sample.state[law.state.len()..]].concat();
            let at = Arguments {
                state: &state,
                right: &slopes,
                position: &nodes[i],
                time: sample.time,
                ..super::reference::arguments_of(sample)
            };
            on_host(output, &at).map(|value| value[0])
        };
        // Rounding of a polynomial of degree p changes its slopes by at most p² times as much per half a side (Markov's inequality).
        let factor = match output.role {
            Role::GradientOutput => HALF_SIDE / unit.order.pow(2) as f64,
            _ => 1.0,
        };
        comparisons.push(of_field(output.name, factor, &right));
    }
    let mut means = vec![0.0; law.state.len()];
    let area: f64 = (0..mesh.element_count()).map(|element| mesh.geometry(element).measure(mesh.shape(element))).sum();
    for element in 0..mesh.element_count() {
        for (place, weight) in places(mesh, element) {
            let state = polynomial(&place);
            means.iter_mut().zip(state).for_each(|(mean, value)| *mean += weight / area * value);
        }
    }
    let computed: Vec<f64> = solver.integrals()?.iter().map(|integral| integral / area).collect();
    let differences = std::iter::once(difference(&computed, &means));
    comparisons.push(comparison(device, law, unit, "integrals".into(), "linear polynomials", 1, differences));
    Ok(comparisons)
}

/// The derivatives along an axis of the linear polynomials about a state.
fn slope(state: &[f64], axis: usize) -> impl Iterator<Item = f64> {
    let share = move |c: usize| [[1.0, 0.5], [-0.5, 1.0]][c % 2][axis] * SLOPE / HALF_SIDE;
    state.iter().enumerate().map(move |(c, value)| value * share(c))
}

/// Errors of a state whose distance from the solution exceeds the solution's variation, so that no error changes sign.
fn of_errors(
    device: &Arc<Device>,
    law: &'static Law,
    unit: &'static Unit,
    exact: &'static Function,
    sample: &'static Sample,
) -> Result<Comparison, Error> {
    let mut solver = solver(device, law, unit, sample, Some(exact))?;
    let state: Vec<f64> = sample.value.iter().map(|value| value + 1.0 + value.abs()).collect();
    solver.project_values(sample.time, |_, into| into.copy_from_slice(&state))?;
    let (norms, mesh) = (solver.errors()?, solver.mesh());
    let error = |position: [f64; 2]| -> Vec<f64> {
        let at = Arguments { position: &position, time: sample.time, ..super::reference::arguments_of(sample) };
        let solution = on_host(exact, &at).unwrap_or_default();
        state.iter().zip(solution).map(|(a, b)| (a - b).abs()).collect()
    };
    let components = state.len();
    let (mut l1, mut squares, mut max) = (vec![0.0; components], vec![0.0; components], vec![0.0; components]);
    for element in 0..mesh.element_count() {
        for (place, weight) in places(mesh, element) {
            for (c, e) in error(place).into_iter().enumerate() {
                l1[c] += weight * e;
                squares[c] += weight * e * e;
            }
        }
        for point in &unit.reference().operators.fine_points {
            let errors = error(place(mesh, element, point));
            max.iter_mut().zip(errors).for_each(|(max, e)| *max = larger(*max, e));
        }
    }
    let area = (2.0 * HALF_SIDE).powi(2);
    let scaled = |values: &[f64], scale: f64| values.iter().map(|value| value / scale).collect::<Vec<_>>();
    let l2: Vec<f64> = squares.iter().map(|sum: &f64| sum.sqrt()).collect();
    let differences = [
        difference(&scaled(&norms.l1, area), &scaled(&l1, area)),
        difference(&scaled(&norms.l2, area.sqrt()), &scaled(&l2, area.sqrt())),
        difference(&norms.max, &max),
    ];
    let what = format!("errors against {}", exact.name);
    Ok(comparison(device, law, unit, what, "quadrature in Rust", 3, differences.into_iter()))
}

fn comparison(
    device: &Device,
    law: &Law,
    unit: &Unit,
    what: String,
    reference: &'static str,
    samples: usize,
    differences: impl Iterator<Item = f64>,
) -> Comparison {
    Comparison {
        law: law.name,
        function: what,
        way: device.name(),
        reference,
        order: Some(unit.order),
        shape: Some(unit.shape),
        samples,
        difference: differences.fold(0.0, larger),
    }
}

/// The position of an element's point in space.
fn place(mesh: &Mesh, element: usize, point: &[f64]) -> [f64; 2] {
    let position = mesh.position(element, point);
    [position[0], position[1]]
}

/// Points of an element and weights that sum to its area: [`rule`], in the element.
fn places(mesh: &Mesh, element: usize) -> impl Iterator<Item = ([f64; 2], f64)> {
    let (map, reference) = (mesh.map_of(element), mesh.shape(element).measure());
    rule(mesh.shape(element))
        .map(move |(point, weight)| (place(mesh, element, &point), weight * reference * map.determinant(point)))
}

/// Points of the reference element and weights that sum to 1: the product of Gauss and Legendre's rule of five points with itself on
/// the square, which is folded to the triangle. Exact to degree 8 (A. H. Stroud, Approximate Calculation of Multiple Integrals, 1971,
/// section 2.5).
fn rule(shape: Shape) -> impl Iterator<Item = ([f64; 2], f64)> {
    let root = 2.0 * (10.0_f64 / 7.0).sqrt();
    let (near, far) = ((5.0 - root).sqrt() / 3.0, (5.0 + root).sqrt() / 3.0);
    let tail = 13.0 * 70.0_f64.sqrt();
    let (heavy, light) = ((322.0 + tail) / 1800.0, (322.0 - tail) / 1800.0);
    let rule = [(0.0, 64.0 / 225.0), (near, heavy), (-near, heavy), (far, light), (-far, light)];
    let rule = rule.map(|(x, weight)| ((1.0 + x) / 2.0, weight));
    rule.into_iter().flat_map(move |(x, wx)| {
        rule.map(|(y, wy)| match shape {
            Shape::Triangle => ([x, y * (1.0 - x)], 2.0 * wx * wy * (1.0 - x)),
            Shape::Quadrilateral => ([x, y], wx * wy),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_exact_to_degree_8() {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        for a in 0..=8 {
            for b in 0..=8 - a {
                // ∫ x^a y^b = a! b! / (a + b + 2)!, and the triangle has the area 1/2.
                let right = 2.0 * factorial(a) * factorial(b) / factorial(a + b + 2);
                // ∫ x^a y^b = 1 / ((a + 1) (b + 1)) over the square.
                let on_square = 1.0 / f64::from((a + 1) * (b + 1));
                for (shape, right) in [(Shape::Triangle, right), (Shape::Quadrilateral, on_square)] {
                    let sum: f64 = rule(shape).map(|([x, y], weight)| weight * x.powi(a) * y.powi(b)).sum();
                    assert!((sum - right).abs() < 1e-15, "{shape:?}, x^{a} y^{b}: {sum}, not {right}");
                }
            }
        }
    }
}
