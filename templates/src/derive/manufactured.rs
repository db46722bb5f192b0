//! Sources of manufactured solutions: terms added to a law so that a function of position and time solves it.
//!
//! For a function `v(x, t)` it is `∂v/∂t + Σ_d ∂F_d(v)/∂x_d + Σ_d B_d(v) ∂v/∂x_d - S(v, x, t)`, less `Σ_d ∂G_d(v, ∇v)/∂x_d` of a viscous flux G, with
//! the derivatives of the function and of the fluxes as formulas (P. J. Roache, J. Fluids Eng. 124 (2002) 4–10).

use super::draft::Draft;
use super::dual::{Dual, Duals};
use super::formula::Formulas;
use super::number::Stop;
use super::setting::Inputs;
use super::viscous::diffusion;
use crate::ir::{AXES, BinaryOp, Domain, Function, FunctionId, Law, Role, Type, call, flatten};
use crate::medium;

/// The name of the source that is derived for a manufactured solution.
pub fn source_name(solution: &str) -> String {
    format!("source_of_{solution}")
}

/// The sources of the law's manufactured solutions.
///
/// # Errors
/// The solution whose source cannot be written, and the reason.
pub fn sources(law: &Law) -> Result<Vec<Function>, (FunctionId, Stop)> {
    let plain = medium::as_parameters(law);
    let mut sources = sources_of(&plain)?;
    sources.iter_mut().for_each(|source| medium::restore_parameters(law, source));
    Ok(sources)
}

fn sources_of(law: &Law) -> Result<Vec<Function>, (FunctionId, Stop)> {
    let solutions = law.with_role(|role| *role == Role::Exact { manufactured: true });
    solutions.map(|id| source(law, id).map_err(|stop| (id, stop))).collect()
}

fn source(law: &Law, id: FunctionId) -> Result<Function, Stop> {
    let solution = law.function(id);
    let (draft, parameters) = signature(law, solution);
    let mut formulas = Formulas::new(draft);
    let one = formulas.literal("1.0")?;
    let position = (0..law.dim).map(|d| Dual::along(formulas.component(POSITION, d), d, one)).collect();
    let time = Dual::along(formulas.argument(TIME), law.dim, one);
    let parameters = parameters.map(|i| Dual::constant(formulas.component(PARAMETERS, i))).collect();
    let mut inputs = Inputs { parameters, left: Vec::new(), right: Vec::new(), normal: Vec::new(), position, time };

    let directions = [&AXES[..law.dim], &["t"]].concat();
    let mut duals = Duals::with_names(&mut formulas, &directions);
    if let Some(given) = medium::of_solutions(law) {
        let fields = flatten(&call(&mut duals, law, given, &inputs.arguments(law, given))?);
        inputs.parameters.splice(..fields.len(), fields);
    }
    inputs.left = flatten(&call(&mut duals, law, id, &inputs.arguments(law, id))?);
    for (component, field) in inputs.left.iter().zip(&law.state.fields) {
        duals.name(&field.name, component);
    }
    let mut rates: Vec<_> = inputs.left.iter().map(|u| u.derivative(law.dim).copied()).collect();
    if let Some(flux) = law.only(&Role::Flux) {
        let flux = flatten(&call(&mut duals, law, flux, &inputs.arguments(law, flux))?);
        for (d, flux) in flux.chunks(rates.len()).enumerate() {
            for (rate, component) in rates.iter_mut().zip(flux) {
                *rate = duals.sum(BinaryOp::Add, *rate, component.derivative(d).copied())?;
            }
        }
    }
    if let Some(product) = law.only(&Role::Nonconservative) {
        let (zero, one) = (duals.literal("0.0")?, duals.literal("1.0")?);
        for direction in 0..law.dim {
            let changing = inputs.left.iter().chain(&inputs.parameters[..law.medium.fields.len()]);
            let slope =
                |value: &Dual<_>| value.derivative(direction).map_or_else(|| zero.clone(), |v| Dual::constant(*v));
            let right = changing.map(slope).collect();
            let normal = (0..law.dim).map(|d| if d == direction { one.clone() } else { zero.clone() }).collect();
            let at = Inputs { right, normal, ..inputs.clone() };
            let product = flatten(&call(&mut duals, law, product, &at.arguments(law, product))?);
            for (rate, term) in rates.iter_mut().zip(product) {
                *rate = duals.sum(BinaryOp::Add, *rate, Some(term.value))?;
            }
        }
    }
    if law.only(&Role::ViscousFlux).is_some() {
        let plain = inputs.map(|dual| dual.value);
        for (rate, term) in rates.iter_mut().zip(diffusion(&mut formulas, id, law, &plain)?) {
            *rate = Duals::new(&mut formulas).sum(BinaryOp::Sub, *rate, term)?;
        }
    }
    let mut duals = Duals::with_names(&mut formulas, &directions);
    if let Some(source) = law.only(&Role::Source) {
        let source = flatten(&call(&mut duals, law, source, &inputs.arguments(law, source))?);
        for (rate, term) in rates.iter_mut().zip(source) {
            *rate = duals.sum(BinaryOp::Sub, *rate, Some(term.value))?;
        }
    }
    let zero = formulas.literal("0.0")?;
    let values: Vec<_> = rates.into_iter().map(|rate| rate.unwrap_or(zero)).collect();
    let name = &solution.name;
    let function = formulas.returning(source_name(name), &values);
    let doc =
        format!("What is added to the law so that `{name}` solves it: derivatives of its components and their flux.");
    Ok(Function { doc, role: Role::ManufacturedSource { of: id }, ..function })
}

const POSITION: usize = 0;
const TIME: usize = 1;
const PARAMETERS: usize = 2;

/// A function of position, time, and the parameters if the law has any, and the range of their indices; arguments keep
/// their names from the solution.
fn signature(law: &Law, solution: &Function) -> (Draft, std::ops::Range<usize>) {
    let arguments = &solution.locals[..solution.parameters];
    let named = |ty: Type, otherwise: &'static str| {
        let name = arguments.iter().find(|argument| argument.ty == ty).map_or(otherwise, |argument| &argument.name);
        (name.to_owned(), ty)
    };
    let parameters = 0..law.parameters.fields.len();
    let mut taken = vec![named(Type::Point, "x"), named(Type::Real, "t")];
    taken.extend((!parameters.is_empty()).then(|| named(Type::Parameters, "parameters")));
    let taken: Vec<_> = taken.iter().map(|(name, ty)| (name.as_str(), ty.clone())).collect();
    (Draft::new(solution.span, &taken), parameters)
}
