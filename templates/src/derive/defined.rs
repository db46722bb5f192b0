//! Proofs that a function is defined at every admissible state.

use super::number::{Number, Stop};
use super::setting::{Inputs, Point, Setting};
use super::signs::Signs;
use crate::algebra::decimal;
use crate::ir::{BinaryOp, Domain, FunctionId, Law, MathFn, Role, call, flatten};

/// The largest number of terms of fractions and polynomials: proofs that are found are short.
const LIMIT: usize = 24;

/// The parameters for which a proof is sought. Those without a default may have any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// All values that have the sign of the default.
    OfSign,
    /// The defaults.
    Default,
}

/// Whether it is proved that a function is defined at all states that are admissible.
///
/// # Errors
/// If the proof meets numbers that are too large, or undefined at its base point.
pub fn is_defined(law: &Law, id: FunctionId, point: &Point, parameters: Parameters) -> Result<bool, Stop> {
    let (mut setting, mut inputs) = Setting::symbolic_within(law, point, LIMIT)?;
    if parameters == Parameters::Default {
        for (parameter, value) in law.parameters.fields.iter().zip(&mut inputs.parameters) {
            if let Some(default) = parameter.default.as_deref().and_then(decimal) {
                *value = Number::Rational(default);
            }
        }
    }
    let mut signs = Signs::within(&mut setting.tower, LIMIT);
    assume(&mut signs, law, &inputs)?;
    let outcome = call(&mut Defined { signs: &mut signs }, law, id, &inputs.arguments(law, id));
    match outcome {
        Ok(_) => Ok(!signs.branched()),
        Err(Stop::Undecided) => Ok(false),
        Err(stop) => Err(stop),
    }
}

/// Assumes that both states are admissible, and that parameters have the signs of their defaults.
///
/// # Errors
/// Where a number is too large or undefined.
pub(super) fn assume(signs: &mut Signs<'_>, law: &Law, inputs: &Inputs<Number>) -> Result<(), Stop> {
    for (parameter, value) in law.parameters.fields.iter().zip(&inputs.parameters) {
        let Some(default) = parameter.default.as_deref().and_then(decimal) else { continue };
        if value.as_rational().is_none() && !default.is_zero() {
            let size = if default.is_negative() { signs.neg(value)? } else { value.clone() };
            signs.assume_positive(&size)?;
        }
    }
    if let Some(admissible) = law.only(&Role::Admissible) {
        for left in [&inputs.left, &inputs.right] {
            let side = Inputs { left: left.clone(), ..inputs.clone() };
            // The quantities are positive only where they are defined.
            for quantity in flatten(&call(signs, law, admissible, &side.arguments(law, admissible))?) {
                signs.assume_positive(&quantity)?;
            }
        }
    }
    Ok(())
}

/// Evaluation that continues only while every operation is proved to be defined, in both branches of a condition.
struct Defined<'o, 't> {
    signs: &'o mut Signs<'t>,
}

/// Stops where something could not be proved.
fn require(proved: bool) -> Result<(), Stop> {
    if proved { Ok(()) } else { Err(Stop::Undecided) }
}

impl Domain for Defined<'_, '_> {
    type Real = Number;
    /// Conditions stay undecided.
    type Bool = ();
    type Error = Stop;

    fn literal(&mut self, text: &str) -> Result<Number, Stop> {
        self.signs.literal(text)
    }

    fn bool(&mut self, _value: bool) {}

    fn neg(&mut self, a: &Number) -> Result<Number, Stop> {
        self.signs.neg(a)
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<Number, Stop> {
        if op == BinaryOp::Div {
            require(self.signs.vanishes_nowhere(b)?)?;
        }
        self.signs.arithmetic(op, a, b)
    }

    fn compare(&mut self, _op: BinaryOp, _a: &Number, _b: &Number) -> Result<(), Stop> {
        Ok(())
    }

    fn logic(&mut self, _op: BinaryOp, _a: &(), _b: &()) -> Result<(), Stop> {
        Ok(())
    }

    fn not(&mut self, _a: &()) -> Result<(), Stop> {
        Ok(())
    }

    fn math(&mut self, f: MathFn, args: &[Number]) -> Result<Number, Stop> {
        let a = &args[0];
        match f {
            MathFn::Sqrt => {
                let zero = self.signs.literal("0.0")?;
                require(self.signs.is_at_least(a, &zero)?)?;
            }
            MathFn::Ln | MathFn::Powf => require(self.signs.is_positive(a)?)?,
            MathFn::Powi(n) if n < 0 => require(self.signs.vanishes_nowhere(a)?)?,
            MathFn::Tan => require(false)?,
            _ => {}
        }
        self.signs.math(f, args)
    }

    fn decide(&mut self, _condition: &()) -> Option<bool> {
        None
    }

    fn select(&mut self, _condition: &(), a: &Number, b: &Number) -> Result<Number, Stop> {
        self.signs.either(a, b)
    }
}
