//! What is derived from a viscous flux G(u, ∇u), which is linear in the gradient: the matrix `Σ_ij n_i G_ij n_j` of a direction n, whose
//! eigenvalues bound steps; and how ghost states change with the inner state, from which the gradient behind a boundary follows.

use super::draft::Draft;
use super::dual::{Dual, Duals};
use super::formula::Formulas;
use super::number::{Number, Stop};
use super::setting::{Inputs, Setting};
use super::source::blocks;
use crate::ir::{BinaryOp, Domain, Function, FunctionId, Law, Role, Type, call, flatten};
use crate::medium;

/// The name of the function of the matrix.
const DIFFUSION: &str = "law_diffusion_entries";

const STATE: usize = 0;
const NORMAL: usize = 1;

/// The parts of a viscous flux.
#[derive(Clone, Debug)]
pub struct Viscous {
    /// `Σ_ij n_i G_ij n_j`, row by row, a function of state, normal, and the parameters where there are any.
    pub entries: Box<Function>,
    /// The components of its diagonal blocks once it is ordered to be block triangular, but for blocks of a single zero.
    pub blocks: Vec<Vec<usize>>,
    /// How the ghost state of every boundary changes with the inner one: `(∂w/∂u) v`, a function of state u, its change v, normal,
    /// position, time, and the parameters where there are any.
    pub ghosts: Vec<(FunctionId, Function)>,
    /// The walls behind which is the image of the flow in a point rather than in a plane: see `check::viscous`.
    pub inversions: Vec<FunctionId>,
}

/// Derives it; `None` if there is no viscous flux.
///
/// # Errors
/// Where the formulas are too large.
pub(crate) fn viscous(law: &Law) -> Result<Option<Viscous>, Stop> {
    let Some(id) = law.only(&Role::ViscousFlux) else { return Ok(None) };
    let (entries, blocks) = entries(law, id)?;
    let boundaries = law.with_role(|role| matches!(role, Role::Boundary { .. }));
    let ghosts = boundaries.map(|id| Ok((id, ghost_change(law, id)?))).collect::<Result<_, Stop>>()?;
    Ok(Some(Viscous { entries: Box::new(entries), blocks, ghosts, inversions: Vec::new() }))
}

/// The arguments of a derived function, with the parameters behind them where there are any, and their number.
fn draft(law: &Law, arguments: &[(&str, Type)]) -> (Draft, usize) {
    let count = law.parameters.fields.len();
    let parameters = (count > 0).then_some(("parameters", Type::Parameters));
    let all: Vec<_> = arguments.iter().cloned().chain(parameters).collect();
    (Draft::new(law.span, &all), count)
}

/// The matrix: column j is the flux along n of the gradient n in component j.
fn entries(law: &Law, id: FunctionId) -> Result<(Function, Vec<Vec<usize>>), Stop> {
    let (m, arguments) = (law.state.fields.len(), [("u", Type::State), ("n", Type::Normal)]);
    let (draft, parameters) = draft(law, &arguments);
    let mut formulas = Formulas::new(draft);
    let zero = formulas.literal("0.0")?;
    let normal: Vec<_> = (0..law.dim).map(|d| formulas.component(NORMAL, d)).collect();
    let inputs = Inputs {
        parameters: (0..parameters).map(|i| formulas.component(arguments.len(), i)).collect(),
        left: (0..m).map(|i| formulas.component(STATE, i)).collect(),
        right: Vec::new(),
        normal: normal.clone(),
        position: Vec::new(),
        time: zero,
    };
    let mut values = vec![zero; m * m];
    for j in 0..m {
        let gradient = normal.iter().flat_map(|n| (0..m).map(move |i| if i == j { *n } else { zero })).collect();
        let inputs = Inputs { right: gradient, ..inputs.clone() };
        let flux = flatten(&call(&mut formulas, law, id, &inputs.arguments(law, id))?);
        for (n, flux) in normal.iter().zip(flux.chunks(m)) {
            for (i, component) in flux.iter().enumerate() {
                let term = formulas.arithmetic(BinaryOp::Mul, n, component)?;
                values[i * m + j] = formulas.arithmetic(BinaryOp::Add, &values[i * m + j], &term)?;
            }
        }
    }
    let depends: Vec<bool> = values.iter().map(|value| !formulas.is_zero(value)).collect();
    let doc = format!(
        "The matrix of `{}` in direction n, row by row: its flux along n of gradients along n.",
        law.function(id).name
    );
    let result = Type::Array(Box::new(Type::Real), m * m);
    let function = formulas.returning_as(DIFFUSION.into(), &values, result);
    Ok((Function { doc, ..function }, blocks(&depends, m)))
}

/// The derivative of a ghost state along a change v of the inner state.
fn ghost_change(law: &Law, id: FunctionId) -> Result<Function, Stop> {
    let m = law.state.fields.len();
    let arguments =
        [("u", Type::State), ("v", Type::State), ("n", Type::Normal), ("x", Type::Point), ("t", Type::Real)];
    let [state, vector, normal, position, time] = [0, 1, 2, 3, 4];
    let (draft, parameters) = draft(law, &arguments);
    let mut formulas = Formulas::new(draft);
    let mut constants = |argument: usize, count: usize| -> Vec<_> {
        (0..count).map(|i| Dual::constant(formulas.component(argument, i))).collect()
    };
    let (parameters, normal) = (constants(arguments.len(), parameters), constants(normal, law.dim));
    let position = constants(position, law.dim);
    let left = (0..m).map(|i| Dual::along(formulas.component(state, i), 0, formulas.component(vector, i))).collect();
    let time = Dual::constant(formulas.argument(time));
    let inputs = Inputs { parameters, left, right: Vec::new(), normal, position, time };
    let mut duals = Duals::with_names(&mut formulas, &["change"]);
    let ghost = flatten(&call(&mut duals, law, id, &inputs.arguments(law, id))?);
    let zero = formulas.literal("0.0")?;
    let values: Vec<_> = ghost.iter().map(|u| u.derivative(0).copied().unwrap_or(zero)).collect();
    let name = &law.function(id).name;
    let doc = format!("How the ghost state of `{name}` changes with the inner state u: its Jacobian times a change v.");
    Ok(Function { doc, ..formulas.returning(format!("law_boundary_change_{name}"), &values) })
}

impl Setting<'_> {
    /// `Σ_d ∂G_d(w, ∇w)/∂x_d` of a function w of position and time.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn diffusion(&mut self, solution: FunctionId, inputs: &Inputs<Number>) -> Result<Vec<Option<Number>>, Stop> {
        diffusion(&mut self.tower, solution, self.law, inputs)
    }

    /// The viscous flux of a gradient, `[d][i]`.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn viscous_flux(&mut self, inputs: &Inputs<Number>, gradient: &[Number]) -> Result<Vec<Vec<Number>>, Stop> {
        let Some(id) = self.law.only(&Role::ViscousFlux) else { return Ok(Vec::new()) };
        let flux = self.call(id, &Inputs { right: gradient.to_vec(), ..inputs.clone() })?;
        Ok(flux.chunks(self.law.state.fields.len()).map(<[_]>::to_vec).collect())
    }
}

/// `Σ_d ∂G_d(w, ∇w)/∂x_d` of a function w of position and time, component by component, unless it is zero: by derivatives of derivatives.
pub(super) fn diffusion<D: Domain<Error = Stop>>(
    domain: &mut D,
    solution: FunctionId,
    law: &Law,
    inputs: &Inputs<D::Real>,
) -> Result<Vec<Option<D::Real>>, Stop> {
    let m = law.state.fields.len();
    let Some(id) = law.only(&Role::ViscousFlux) else { return Ok(vec![None; m]) };
    let (zero, one) = (Dual::constant(domain.literal("0.0")?), domain.literal("1.0")?);
    let mut duals = Duals::new(domain);
    let mut at = inputs.map(|value| Dual::constant(value.clone()));
    at.position = inputs.position.iter().enumerate().map(|(d, x)| Dual::along(x.clone(), d, one.clone())).collect();
    if let Some(given) = medium::of_solutions(law) {
        let fields = flatten(&call(&mut duals, law, given, &at.arguments(law, given))?);
        at.parameters.splice(..fields.len(), fields);
    }
    let mut nested = at.map(|value| Dual::constant(value.clone()));
    let along = |(d, x): (usize, &Dual<D::Real>)| Dual::along(x.clone(), d, Dual::constant(one.clone()));
    nested.position = at.position.iter().enumerate().map(along).collect();
    let state = flatten(&call(&mut Duals::new(&mut duals), law, solution, &nested.arguments(law, solution))?);
    let slope = |d: usize| state.iter().map(move |u| u.derivative(d).cloned());
    at.right = (0..law.dim).flat_map(slope).map(|slope| slope.unwrap_or_else(|| zero.clone())).collect();
    at.left = state.iter().map(|u| u.value.clone()).collect();
    let flux = flatten(&call(&mut duals, law, id, &at.arguments(law, id))?);
    let mut sums = vec![None; m];
    for (d, flux) in flux.chunks(m).enumerate() {
        for (sum, component) in sums.iter_mut().zip(flux) {
            *sum = duals.sum(BinaryOp::Add, sum.clone(), component.derivative(d).cloned())?;
        }
    }
    Ok(sums)
}
