//! Evaluation that goes on past undefined operations: a number is undefined only if it depends on one.

use super::number::{Number, Stop};
use super::tower::Tower;
use crate::ir::{BinaryOp, Domain, MathFn, Span};

/// Why a number is undefined, and the place of the operation.
#[derive(Clone, Debug)]
pub struct Undefined {
    /// What the operation met.
    pub stop: Stop,
    /// The operation.
    pub place: Span,
}

/// The numbers of a tower, each of which may be undefined.
pub(super) struct Lazy<'t> {
    /// The numbers that are defined.
    pub tower: &'t mut Tower,
}

type Outcome<T> = Result<T, Undefined>;

impl Lazy<'_> {
    fn defined<T>(&self, result: Result<T, Stop>) -> Outcome<T> {
        result.map_err(|stop| Undefined { stop, place: self.tower.place })
    }
}

impl Domain for Lazy<'_> {
    type Real = Outcome<Number>;
    type Bool = Outcome<bool>;
    type Error = std::convert::Infallible;

    fn place(&mut self, span: Span) {
        self.tower.place = span;
    }

    fn literal(&mut self, text: &str) -> Result<Self::Real, Self::Error> {
        let result = self.tower.literal(text);
        Ok(self.defined(result))
    }

    fn bool(&mut self, value: bool) -> Self::Bool {
        Ok(value)
    }

    fn neg(&mut self, a: &Self::Real) -> Result<Self::Real, Self::Error> {
        Ok(a.clone().map(|a| Tower::neg(self.tower, &a)))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Self::Real, b: &Self::Real) -> Result<Self::Real, Self::Error> {
        let (a, b) = match (a, b) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(undefined), _) | (_, Err(undefined)) => return Ok(Err(undefined.clone())),
        };
        let result = self.tower.arithmetic(op, a, b);
        Ok(self.defined(result))
    }

    fn compare(&mut self, op: BinaryOp, a: &Self::Real, b: &Self::Real) -> Result<Self::Bool, Self::Error> {
        let (a, b) = match (a, b) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(undefined), _) | (_, Err(undefined)) => return Ok(Err(undefined.clone())),
        };
        let result = self.tower.compare(op, a, b);
        Ok(self.defined(result))
    }

    fn logic(&mut self, op: BinaryOp, a: &Self::Bool, b: &Self::Bool) -> Result<Self::Bool, Self::Error> {
        // One operand decides whatever the other is.
        let decisive = op == BinaryOp::Or;
        Ok(match (a, b) {
            (Ok(value), _) | (_, Ok(value)) if *value == decisive => Ok(decisive),
            (Err(undefined), _) | (_, Err(undefined)) => Err(undefined.clone()),
            _ => Ok(!decisive),
        })
    }

    fn not(&mut self, a: &Self::Bool) -> Result<Self::Bool, Self::Error> {
        Ok(a.clone().map(|a| !a))
    }

    fn math(&mut self, f: MathFn, args: &[Self::Real]) -> Result<Self::Real, Self::Error> {
        let result = match args.iter().cloned().collect::<Outcome<Vec<_>>>() {
            Ok(args) => self.tower.math(f, &args),
            Err(undefined) => return Ok(Err(undefined)),
        };
        Ok(self.defined(result))
    }

    fn decide(&mut self, condition: &Self::Bool) -> Option<bool> {
        condition.as_ref().ok().and_then(|condition| Domain::decide(self.tower, condition))
    }

    fn select(&mut self, condition: &Self::Bool, a: &Self::Real, b: &Self::Real) -> Result<Self::Real, Self::Error> {
        // Only conditions that are undefined reach this.
        let chosen = condition.clone().map(|condition| if condition { a } else { b });
        Ok(chosen.and_then(Clone::clone))
    }
}
