//! Whether a changed law is as right as the original: by values of both at many points, in double precision, and apart from the checks
//! of the compiler.

use std::cmp::Ordering;

use super::reaches;
use templates::algebra;
use templates::derive::{Floats, Inputs, Point, Points, Stop};
use templates::ir::{FunctionId, Law, Role, Type, Value, call, flatten};
use templates::medium;

/// The number of random pairs of states.
const PAIRS: usize = 300;

/// The number of places at which a solution is tried.
const PLACES: usize = 100;

/// The distance of points between which solutions are differentiated.
const STEP: f64 = 2e-4;

/// Central differences of sixth order.
const DIFFERENCES: [(f64, f64); 6] =
    [(-3.0, -1.0 / 60.0), (-2.0, 0.15), (-1.0, -0.75), (1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)];

/// Where a law is evaluated.
pub struct Samples {
    /// Pairs of admissible states, every other one with different media.
    admissible: Vec<Sample>,
    /// Any states.
    any: Vec<Sample>,
}

/// The arguments of a law's functions. Where a function takes two states or two media, these are the two sides of a face, or a
/// value and a change of it.
#[derive(Clone)]
struct Sample {
    states: [Vec<f64>; 2],
    media: [Vec<f64>; 2],
    parameters: Vec<f64>,
    normal: Vec<f64>,
    position: Vec<f64>,
    time: f64,
}

impl Sample {
    /// A point of the law in which the medium's fields are the first parameters.
    fn new(point: &Point, fields: usize) -> Self {
        let Inputs { mut parameters, left, right, normal, position, time } = point.map(|value| value.to_f64());
        let medium: Vec<f64> = parameters.drain(..fields).collect();
        Self { states: [left, right], media: [medium.clone(), medium], parameters, normal, position, time }
    }

    /// The same place with the right side of another one.
    fn beside(&self, other: &Self) -> Self {
        let ([left, _], [of_left, _]) = (&self.states, &self.media);
        let ([right, _], [of_right, _]) = (&other.states, &other.media);
        Self { states: [left.clone(), right.clone()], media: [of_left.clone(), of_right.clone()], ..self.clone() }
    }

    /// The same place with its sides exchanged.
    fn exchanged(&self) -> Self {
        let ([left, right], [of_left, of_right]) = (self.states.clone(), self.media.clone());
        Self { states: [right, left], media: [of_right, of_left], ..self.clone() }
    }

    fn call(&self, law: &Law, id: FunctionId) -> Result<Vec<f64>, Stop> {
        let elements = |numbers: &[f64]| Value::Elements(numbers.iter().copied().map(Value::Real).collect());
        let function = law.function(id);
        let mut states = self.states.iter();
        let mut media = self.media.iter();
        let mut variables = if function.role == Role::Variables { &self.states[0][..] } else { &[] }.iter();
        let argument = |ty: &Type| match ty {
            Type::State => elements(states.next().unwrap_or(&self.states[1])),
            Type::Medium => elements(media.next().unwrap_or(&self.media[1])),
            Type::Parameters => elements(&self.parameters),
            Type::Normal => elements(&self.normal),
            Type::Point => elements(&self.position),
            // A gradient, or variables.
            Type::Array(of, n) => Value::Elements(
                (0..*n)
                    .map(|i| match **of {
                        Type::State => elements(&self.states[(i + 1) % 2]),
                        _ => Value::Real(*variables.next().unwrap_or(&self.time)),
                    })
                    .collect(),
            ),
            _ => Value::Real(*variables.next().unwrap_or(&self.time)),
        };
        let arguments: Vec<_> = function.signature().map(argument).collect();
        Ok(flatten(&call(&mut Floats::default(), law, id, &arguments)?))
    }

    /// Whether the left state is admissible, and flux and eigenvalues are defined there.
    fn is_admissible(&self, law: &Law) -> bool {
        let are_positive = |id| self.call(law, id).is_ok_and(|values| values.iter().all(|value| *value > 0.0));
        let is_needed = |role: &Role| matches!(role, Role::Flux | Role::Eigenvalues | Role::WaveSpeed);
        law.only(&Role::Admissible).is_none_or(are_positive)
            && law.with_role(is_needed).all(|id| self.call(law, id).is_ok())
    }
}

impl Samples {
    /// Random inputs of a law.
    ///
    /// # Panics
    /// If the algebra cannot be used.
    pub fn new(law: &Law) -> Self {
        let fields = law.medium.fields.len();
        let drawn = algebra::session(&law.name, || {
            let plain = medium::as_parameters(law);
            let mut points = Points::new(&plain, 2718);
            let admissible: Vec<_> = (0..PAIRS).filter_map(|_| points.admissible()).collect();
            let any: Vec<_> = (0..PAIRS).map(|_| points.any()).collect();
            [admissible, any].map(|points| points.iter().map(|point| Sample::new(point, fields)).collect::<Vec<_>>())
        });
        let [mut admissible, any] = drawn.unwrap_or_else(|error| panic!("{error}"));
        if fields > 0 {
            for pair in admissible.chunks_exact_mut(2) {
                let mixed = pair[0].beside(&pair[1]);
                if mixed.exchanged().is_admissible(law) {
                    pair[0] = mixed;
                }
            }
        }
        Self { admissible, any }
    }

    /// Whether a law that differs from the original in one function is right, too: it has the same values, or those of another solution,
    /// or quantities that order states like those of the original.
    pub fn are_right(&self, original: &Law, law: &Law) -> bool {
        let mut ids = (0..original.functions.len()).map(FunctionId);
        ids.all(|id| match original.function(id).role {
            Role::Helper | Role::ManufacturedSource { .. } => true,
            Role::Admissible => self.any.iter().all(|at| at.is_admissible(original) == at.is_admissible(law)),
            Role::MinimumPrinciple => self.order_alike(original, law, id),
            Role::Exact { manufactured: false } => self.agree(original, law, id) || self.solves(law, id),
            Role::Boundary { .. } | Role::Initial => {
                self.agree(original, law, id) || self.follows_solution(original, law, id)
            }
            Role::Medium => self.agree(original, law, id) || self.solves_all(law),
            _ => self.agree(original, law, id),
        })
    }

    fn agree(&self, original: &Law, law: &Law, id: FunctionId) -> bool {
        self.admissible.iter().all(|at| match (at.call(original, id), at.call(law, id)) {
            (Ok(mut expected), Ok(mut found)) => {
                if original.function(id).role == Role::Eigenvalues {
                    expected.sort_by(f64::total_cmp);
                    found.sort_by(f64::total_cmp);
                }
                let scale = expected.iter().fold(1.0, |scale: f64, value| scale.max(value.abs()));
                expected.iter().zip(&found).all(|(a, b)| (a - b).abs() <= 1e-10 * scale)
            }
            (Err(_), Err(_)) => true,
            _ => false,
        })
    }

    /// Whether every quantity of `law` orders states like one of the original: then it has a minimum principle, too.
    fn order_alike(&self, original: &Law, law: &Law, id: FunctionId) -> bool {
        let order = |law: &Law, at: &Sample| {
            let there = at.exchanged();
            let (here, there) = (at.call(law, id).ok()?, there.call(law, id).ok()?);
            Some(here.iter().zip(&there).map(|(a, b)| a.total_cmp(b)).collect::<Vec<Ordering>>())
        };
        let orders = |law: &Law| self.admissible.iter().map(|at| order(law, at)).collect::<Option<Vec<_>>>();
        let (Some(expected), Some(found)) = (orders(original), orders(law)) else { return false };
        let quantity = |orders: &[Vec<Ordering>], i: usize| orders.iter().map(|order| order[i]).collect::<Vec<_>>();
        let count = |orders: &[Vec<Ordering>]| orders.first().map_or(0, Vec::len);
        (0..count(&found)).all(|i| (0..count(&expected)).any(|j| quantity(&found, i) == quantity(&expected, j)))
    }

    /// Whether a function has the values of another solution, which it calls.
    fn follows_solution(&self, original: &Law, law: &Law, id: FunctionId) -> bool {
        law.with_role(|role| *role == Role::Exact { manufactured: false }).any(|solution| {
            reaches(law, id, solution) && !self.agree(original, law, solution) && self.solves(law, solution)
        })
    }

    /// Whether there are solutions, and all solve the law with its own medium.
    fn solves_all(&self, law: &Law) -> bool {
        let mut solutions = law.with_role(|role| *role == Role::Exact { manufactured: false }).peekable();
        solutions.peek().is_some() && solutions.all(|solution| self.solves(law, solution))
    }

    /// Whether a function solves the law, by differences at random places. It may fail at one place in ten, where it has a kink.
    fn solves(&self, law: &Law, id: FunctionId) -> bool {
        let solved: Vec<_> = self.any.iter().filter_map(|at| solves_at(law, id, at)).take(PLACES).collect();
        let right = solved.iter().filter(|solved| **solved).count();
        solved.len() > PLACES / 2 && 10 * right >= 9 * solved.len()
    }
}

/// Whether `∂u/∂t + Σ_d (∂F_d/∂x_d + B_d ∂u/∂x_d) - S` vanishes at a place; `None` where a term of it is undefined.
fn solves_at(law: &Law, id: FunctionId, at: &Sample) -> Option<bool> {
    let m = law.state.fields.len();
    let filled = |at: &Sample| {
        let mut filled = at.clone();
        if let Some(medium) = medium::of_solutions(law) {
            filled.media[0] = at.call(law, medium).ok()?;
        }
        filled.states[0] = filled.call(law, id).ok()?;
        Some(filled)
    };
    let flux = law.only(&Role::Flux)?;
    let (mut residual, mut size) = (vec![0.0; m], vec![1.0; m]);
    let mut add = |i: usize, term: f64| {
        residual[i] += term;
        size[i] += term.abs();
    };
    let here = filled(at)?;
    if !here.is_admissible(law) {
        return None;
    }
    for (steps, weight) in DIFFERENCES {
        let then = filled(&Sample { time: at.time + steps * STEP, ..at.clone() })?;
        (0..m).for_each(|i| add(i, weight / STEP * then.states[0][i]));
    }
    for d in 0..law.dim {
        let mut change = Sample {
            states: [here.states[0].clone(), vec![0.0; m]],
            media: [here.media[0].clone(), vec![0.0; here.media[0].len()]],
            normal: (0..law.dim).map(|axis| if axis == d { 1.0 } else { 0.0 }).collect(),
            ..here.clone()
        };
        for (steps, weight) in DIFFERENCES {
            let mut there = at.clone();
            there.position[d] += steps * STEP;
            let there = filled(&there)?;
            let flux = there.call(law, flux).ok()?;
            (0..m).for_each(|i| add(i, weight / STEP * flux[d * m + i]));
            for (change, value) in change.states[1].iter_mut().zip(&there.states[0]) {
                *change += weight / STEP * value;
            }
            for (change, value) in change.media[1].iter_mut().zip(&there.media[0]) {
                *change += weight / STEP * value;
            }
        }
        if let Some(product) = law.only(&Role::Nonconservative) {
            let product = change.call(law, product).ok()?;
            (0..m).for_each(|i| add(i, product[i]));
        }
    }
    if let Some(source) = law.only(&Role::Source) {
        let source = here.call(law, source).ok()?;
        (0..m).for_each(|i| add(i, -source[i]));
    }
    Some(residual.iter().zip(&size).all(|(residual, size)| residual.abs() <= 1e-8 * size))
}
