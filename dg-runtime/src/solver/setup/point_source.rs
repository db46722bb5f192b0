//! Sources at points, with amplitudes of the components and rates in time.

use serde_json::{Value, json};

use super::tolerance::Tolerance;
use crate::formula::Formulas;
use crate::law::MAX_DIM;

/// A source at a point: ∂u/∂t = … + amplitudes · rate(t) δ(x − position).
#[derive(Clone, Debug)]
pub struct PointSource {
    /// Its name.
    pub name: String,
    /// Its position, in the mesh.
    pub position: [f64; MAX_DIM],
    /// A factor for every component of the state: what the integral of the component gains, per unit of the rate and of time.
    pub amplitudes: Vec<f64>,
    /// How it depends on time.
    pub rate: Rate,
}

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Rate {
    /// By a single formula.
    Formula(Formulas),
    /// By times, in increasing order and at least two, with the rate at each; linear in between and zero before and after.
    Table(Vec<[f64; 2]>),
}

impl Rate {
    /// Everything that determines it beside the law's parameters, as JSON.
    pub fn identity(&self) -> Value {
        match self {
            Self::Formula(formula) => json!({ "formula": formula.identity() }),
            Self::Table(table) => json!({ "table": table }),
        }
    }
}

impl PointSource {
    /// Formulas of the rates of sources, each once.
    pub(in crate::solver) fn formulas(sources: &[Self]) -> Vec<&Formulas> {
        let mut formulas: Vec<&Formulas> = Vec::new();
        for source in sources {
            if let Rate::Formula(formula) = &source.rate
                && !formulas.contains(&formula)
            {
                formulas.push(formula);
            }
        }
        formulas
    }
}

/// That steps are as long as waves allow where there are point sources: a tolerance would not see what a source does in a step.
///
/// # Errors
/// What to do instead.
pub(crate) fn require_no_tolerance(tolerance: Option<Tolerance>) -> Result<(), String> {
    let message = "with point sources there is no `tolerance`: the estimate of a step's error leaves them out; take `cfl`, or the default";
    if tolerance.is_none() { Ok(()) } else { Err(message.to_owned()) }
}
