//! How the source changes with the state: its Jacobian, whose eigenvalues bound explicit steps, and with which implicit ones are solved.

use super::budget;
use super::draft::Draft;
use super::dual::{Dual, Duals};
use super::formula::Formulas;
use super::number::{Number, Stop};
use super::points::Points;
use super::samples::{Sample, representable};
use super::setting::{Inputs, Setting};
use crate::ir::{Domain, ExprId, Function, Law, Role, Type, call, flatten};

/// The name of the Jacobian, and its description.
pub const SOURCE_JACOBIAN: (&str, &str) = (
    "source_jacobian",
    "How the source changes with the state, row by row: bounds explicit steps, and solves implicit ones.",
);

/// The number of values to compute.
const VALUES: usize = 4;

/// The number of points that are tried for them.
const TRIES: usize = 30;

const STATE: usize = 0;
const POSITION: usize = 1;
const TIME: usize = 2;
const PARAMETERS: usize = 3;

/// The Jacobian of a law's source.
#[derive(Clone, Debug)]
pub struct SourceJacobian {
    /// `∂S_i/∂u_j`, row by row, a function of state, position, time, and the parameters where there are any.
    pub entries: Box<Function>,
    /// The components of its diagonal blocks once it is ordered to be block triangular, but for blocks of a single zero: the
    /// eigenvalues of these blocks are all of its eigenvalues that are not zero.
    pub blocks: Vec<Vec<usize>>,
    /// Its values.
    pub samples: Vec<Sample>,
    /// Whether the source is its product with the state, and it is one matrix of parameters and medium.
    pub is_product: bool,
}

/// Derives it; `None` if there is no source, or it is the same at all states.
///
/// # Errors
/// Where the derivatives are too large.
pub(crate) fn source_jacobian(law: &Law, seed: u64) -> Result<Option<SourceJacobian>, Stop> {
    let Some((entries, blocks)) = entries(law)? else { return Ok(None) };
    Ok(Some(SourceJacobian { entries: Box::new(entries), blocks, samples: samples(law, seed), is_product: false }))
}

/// A function of the entries, row by row, and the blocks of components that they connect.
type Entries = (Function, Vec<Vec<usize>>);

/// The function of the entries, and the blocks.
fn entries(law: &Law) -> Result<Option<Entries>, Stop> {
    let Some(source) = law.only(&Role::Source) else { return Ok(None) };
    let m = law.state.fields.len();
    let (mut formulas, arguments) = begin(law);
    let one = formulas.literal("1.0")?;
    let left = arguments.left.iter().enumerate().map(|(j, &u)| Dual::along(u, j, one)).collect();
    let inputs = Inputs { left, ..arguments.map(|&argument| Dual::constant(argument)) };

    let directions: Vec<String> = law.state.fields.iter().map(|field| format!("by_{}", field.name)).collect();
    let directions: Vec<&str> = directions.iter().map(String::as_str).collect();
    let mut duals = Duals::with_names(&mut formulas, &directions);
    let rates = flatten(&call(&mut duals, law, source, &inputs.arguments(law, source))?);
    let slopes: Vec<_> = rates.iter().flat_map(|rate| (0..m).map(|j| rate.derivative(j).copied())).collect();
    if slopes.iter().all(Option::is_none) {
        return Ok(None);
    }
    let blocks = blocks(&slopes.iter().map(Option::is_some).collect::<Vec<_>>(), m);
    let zero = formulas.literal("0.0")?;
    let values: Vec<_> = slopes.into_iter().map(|slope| slope.unwrap_or(zero)).collect();
    let name = &law.function(source).name;
    let doc = format!("How `{name}` changes with each component of the state: its Jacobian, row by row.");
    let result = Type::Array(Box::new(Type::Real), m * m);
    let function = formulas.returning_as(format!("law_{}", SOURCE_JACOBIAN.0), &values, result);
    Ok(Some((Function { doc, ..function }, blocks)))
}

/// Formulas in state, position, time, and the parameters where there are any; and these.
fn begin(law: &Law) -> (Formulas, Inputs<ExprId>) {
    let parameters = 0..law.parameters.fields.len();
    let mut arguments = vec![("u", Type::State), ("x", Type::Point), ("t", Type::Real)];
    arguments.extend((!parameters.is_empty()).then_some(("parameters", Type::Parameters)));
    let mut formulas = Formulas::new(Draft::new(law.span, &arguments));
    let left = (0..law.state.fields.len()).map(|j| formulas.component(STATE, j)).collect();
    let position = (0..law.dim).map(|d| formulas.component(POSITION, d)).collect();
    let time = formulas.argument(TIME);
    let parameters = parameters.map(|i| formulas.component(PARAMETERS, i)).collect();
    (formulas, Inputs { parameters, left, right: Vec::new(), normal: Vec::new(), position, time })
}

/// The components that the law's source changes: all but those for which it is zero as it is written. None without a source.
pub(crate) fn source_components(law: &Law) -> Vec<usize> {
    let Some(source) = law.only(&Role::Source) else { return Vec::new() };
    let (mut formulas, inputs) = begin(law);
    match call(&mut formulas, law, source, &inputs.arguments(law, source)) {
        Ok(rates) => {
            let rates = flatten(&rates);
            (0..rates.len()).filter(|&i| !formulas.is_zero(&rates[i])).collect()
        }
        Err(_) => (0..law.state.fields.len()).collect(),
    }
}

/// The groups of components that depend on each other, by themselves or through others, in a matrix of m rows with these entries.
pub(super) fn blocks(depends: &[bool], m: usize) -> Vec<Vec<usize>> {
    let mut reaches = depends.to_vec();
    for (k, i, j) in (0..m).flat_map(|k| (0..m).flat_map(move |i| (0..m).map(move |j| (k, i, j)))) {
        reaches[i * m + j] |= reaches[i * m + k] && reaches[k * m + j];
    }
    let in_turn = |i: usize, j: usize| reaches[i * m + j] && reaches[j * m + i];
    let is_first = |&i: &usize| in_turn(i, i) && !(0..i).any(|j| in_turn(i, j));
    (0..m).filter(is_first).map(|i| (i..m).filter(|&j| in_turn(i, j)).collect()).collect()
}

impl Setting<'_> {
    /// The Jacobian of the source, `[i][j]` = ∂S_i/∂u_j; empty where there is no source.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn source_jacobian(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
        let Some(id) = self.law.only(&Role::Source) else { return Ok(Vec::new()) };
        let m = self.law.state.fields.len();
        let mut duals = inputs.map(|number| Dual::constant(number.clone()));
        duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
        let rates = self.call_dual(id, &duals)?;
        Ok(rates.iter().map(|rate| (0..m).map(|j| rate.partial(j)).collect()).collect())
    }
}

/// Its values at admissible states, of one set of parameters.
fn samples(law: &Law, seed: u64) -> Vec<Sample> {
    let mut source = Points::new(law, seed);
    // Other parameters would need another unit of code to compare.
    let parameters = source.any().parameters;
    let mut found = Vec::new();
    for _ in 0..TRIES {
        if found.len() == VALUES || budget::is_exhausted() {
            break;
        }
        let Some(point) = source.admissible() else { continue };
        let point = super::Point { parameters: parameters.clone(), ..point };
        let Some((point, inputs)) = representable(&point).filter(|(point, _)| super::is_admissible(law, point)) else {
            continue;
        };
        let (mut setting, numbers) = Setting::approximate(law, &point);
        let Ok(value) = setting.source_jacobian(&numbers) else { continue };
        let value: Vec<f64> = value.iter().flatten().map(Number::to_f64).collect();
        if value.iter().all(|value| value.is_finite()) {
            let Inputs { parameters, left: state, right, normal, position, time } = inputs;
            let function = SOURCE_JACOBIAN.0.into();
            found.push(Sample { function, parameters, state, right, normal, position, time, value });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_are_the_components_that_depend_on_each_other() {
        let of =
            |rows: [[u8; 4]; 4]| blocks(&rows.as_flattened().iter().map(|&entry| entry != 0).collect::<Vec<_>>(), 4);
        // Nilpotent: weight, and its work.
        assert!(of([[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]]).is_empty());
        // Two that turn into each other, with what drives them; decay.
        assert_eq!(of([[0, 0, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 0, 1]]), [vec![1, 2], vec![3]]);
        // A ring.
        assert_eq!(of([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]), [vec![0, 1, 2, 3]]);
    }
}
