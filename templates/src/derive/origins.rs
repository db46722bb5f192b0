//! On which arguments of a function the numbers in it depend.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use super::setting::Inputs;
use crate::ir::{BinaryOp, Domain, FunctionId, Law, MathFn, Span, call, flatten};

/// An argument of a law's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A parameter, by its index.
    Parameter(usize),
    /// The state, or the left one of two.
    Left,
    /// The right state, or the change of the state.
    Right,
    /// Both states in one number; a function may also be called with one and then with the other.
    Both,
    /// The normal.
    Normal,
    /// The position.
    Place,
    /// The time.
    Time,
}

type Set = BTreeSet<Origin>;

/// For every division, root, logarithm, power and condition that calling a function reaches, and for every `min` and `max`, what its
/// divisor, its argument, the condition or its operands depend on; a condition decides nothing here.
pub fn origins(law: &Law, id: FunctionId) -> BTreeMap<Span, BTreeSet<Origin>> {
    of_call(law, id).0
}

/// For every number that a function returns whether it depends on time.
pub fn depend_on_time(law: &Law, id: FunctionId) -> Vec<bool> {
    of_call(law, id).1.iter().map(|origins| origins.contains(&Origin::Time)).collect()
}

/// What is reached, as [`origins`] has it, and what the numbers that the function returns depend on.
fn of_call(law: &Law, id: FunctionId) -> (BTreeMap<Span, Set>, Vec<Set>) {
    let all = |origin: Origin, n: usize| vec![Set::from([origin]); n];
    let inputs = Inputs {
        parameters: (0..law.parameters.fields.len()).map(|i| Set::from([Origin::Parameter(i)])).collect(),
        left: all(Origin::Left, law.state.fields.len()),
        right: all(Origin::Right, law.state.fields.len()),
        normal: all(Origin::Normal, law.dim),
        position: all(Origin::Place, law.dim),
        time: Set::from([Origin::Time]),
    };
    let mut origins = Origins { place: Span::default(), found: BTreeMap::new() };
    let Ok(values) = call(&mut origins, law, id, &inputs.arguments(law, id));
    (origins.found, flatten(&values))
}

struct Origins {
    place: Span,
    found: BTreeMap<Span, Set>,
}

impl Origins {
    fn record(&mut self, operand: &Set) {
        let found = self.found.entry(self.place).or_default();
        found.extend(operand);
        if operand.contains(&Origin::Left) && operand.contains(&Origin::Right) {
            found.insert(Origin::Both);
        }
    }
}

impl Domain for Origins {
    type Real = Set;
    type Bool = Set;
    type Error = Infallible;

    fn place(&mut self, span: Span) {
        self.place = span;
    }

    fn literal(&mut self, _text: &str) -> Result<Set, Infallible> {
        Ok(Set::new())
    }

    fn bool(&mut self, _value: bool) -> Set {
        Set::new()
    }

    fn neg(&mut self, a: &Set) -> Result<Set, Infallible> {
        Ok(a.clone())
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Set, b: &Set) -> Result<Set, Infallible> {
        if op == BinaryOp::Div {
            self.record(b);
        }
        Ok(a | b)
    }

    fn compare(&mut self, _op: BinaryOp, a: &Set, b: &Set) -> Result<Set, Infallible> {
        Ok(a | b)
    }

    fn logic(&mut self, _op: BinaryOp, a: &Set, b: &Set) -> Result<Set, Infallible> {
        Ok(a | b)
    }

    fn not(&mut self, a: &Set) -> Result<Set, Infallible> {
        Ok(a.clone())
    }

    fn math(&mut self, f: MathFn, args: &[Set]) -> Result<Set, Infallible> {
        if matches!(f, MathFn::Sqrt | MathFn::Ln | MathFn::Powf | MathFn::Powi(_)) {
            self.record(&args[0]);
        }
        if matches!(f, MathFn::Min | MathFn::Max) {
            args.iter().for_each(|arg| self.record(arg));
        }
        Ok(args.iter().flatten().copied().collect())
    }

    fn decide(&mut self, condition: &Set) -> Option<bool> {
        self.record(condition);
        None
    }

    fn select(&mut self, condition: &Set, a: &Set, b: &Set) -> Result<Set, Infallible> {
        Ok(&(condition | a) | b)
    }
}
