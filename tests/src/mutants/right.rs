//! Whether a changed law is as right as the original: by values of both at many points, in double precision, and apart from the checks
//! of the compiler.

use std::cmp::Ordering;

use super::reaches;
use templates::algebra;
use templates::derive::{Inputs, Point, Points};
use templates::ir::{FunctionId, Law, Role};

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
    /// Pairs of admissible states.
    admissible: Vec<Inputs<f64>>,
    /// Any states.
    any: Vec<Inputs<f64>>,
}

impl Samples {
    /// Random inputs of a law.
    ///
    /// # Panics
    /// If the algebra cannot be used.
    pub fn new(law: &Law) -> Self {
        let floats = |point: Point| point.map(|value| value.to_f64());
        algebra::session(&law.name, || {
            let mut points = Points::new(law, 2718);
            let admissible = (0..PAIRS).filter_map(|_| points.admissible()).map(floats).collect();
            Self { admissible, any: (0..PAIRS).map(|_| floats(points.any())).collect() }
        })
        .unwrap_or_else(|error| panic!("{error}"))
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
        let order = |law: &Law, at: &Inputs<f64>| {
            let there = Inputs { left: at.right.clone(), ..at.clone() };
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

    /// Whether a function solves the law, by differences at random places. It may fail at one place in ten, where it has a kink.
    fn solves(&self, law: &Law, id: FunctionId) -> bool {
        let solved: Vec<_> = self.any.iter().filter_map(|at| solves_at(law, id, at)).take(PLACES).collect();
        let right = solved.iter().filter(|solved| **solved).count();
        solved.len() > PLACES / 2 && 10 * right >= 9 * solved.len()
    }
}

/// Whether `∂u/∂t + Σ_d ∂F_d/∂x_d - S` vanishes at a place; `None` where a term of it is undefined.
fn solves_at(law: &Law, id: FunctionId, at: &Inputs<f64>) -> Option<bool> {
    let m = law.state.fields.len();
    let state = |at: &Inputs<f64>| Some(Inputs { left: at.call(law, id).ok()?, ..at.clone() });
    let flux = law.only(&Role::Flux)?;
    let (mut residual, mut size) = (vec![0.0; m], vec![1.0; m]);
    let mut add = |i: usize, term: f64| {
        residual[i] += term;
        size[i] += term.abs();
    };
    let here = state(at)?;
    if !here.is_admissible(law) {
        return None;
    }
    for (steps, weight) in DIFFERENCES {
        let then = state(&Inputs { time: at.time + steps * STEP, ..at.clone() })?;
        (0..m).for_each(|i| add(i, weight / STEP * then.left[i]));
        for d in 0..law.dim {
            let mut there = at.clone();
            there.position[d] += steps * STEP;
            let flux = state(&there)?.call(law, flux).ok()?;
            (0..m).for_each(|i| add(i, weight / STEP * flux[d * m + i]));
        }
    }
    if let Some(source) = law.only(&Role::Source) {
        let source = here.call(law, source).ok()?;
        (0..m).for_each(|i| add(i, -source[i]));
    }
    Some(residual.iter().zip(&size).all(|(residual, size)| residual.abs() <= 1e-8 * size))
}
