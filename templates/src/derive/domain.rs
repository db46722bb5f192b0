//! Laws evaluated over exact numbers.

use super::number::{Number, Stop};
use super::tower::Tower;
use crate::algebra::{Rational, decimal};
use crate::ir::{BinaryOp, Domain, MathFn, Span};

fn integer(n: i64) -> Number {
    Number::Rational(Rational::from(n))
}

impl Domain for Tower {
    type Real = Number;
    type Bool = bool;
    type Error = Stop;

    fn place(&mut self, span: Span) {
        self.place = span;
    }

    fn literal(&mut self, text: &str) -> Result<Number, Stop> {
        decimal(text).map(Number::Rational).ok_or(Stop::Literal)
    }

    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn is_zero(&self, a: &Number) -> bool {
        a.is_zero()
    }

    fn neg(&mut self, a: &Number) -> Result<Number, Stop> {
        Ok(Tower::neg(self, a))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<Number, Stop> {
        match op {
            BinaryOp::Add => self.add(a, b),
            BinaryOp::Sub => self.sub(a, b),
            BinaryOp::Mul => self.mul(a, b),
            _ => self.div(a, b),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<bool, Stop> {
        Ok(match op {
            BinaryOp::Lt => self.less(a, b)?,
            BinaryOp::Gt => self.less(b, a)?,
            BinaryOp::Le => !self.less(b, a)?,
            _ => !self.less(a, b)?,
        })
    }

    fn logic(&mut self, op: BinaryOp, a: &bool, b: &bool) -> Result<bool, Stop> {
        let decisive = op == BinaryOp::Or;
        let operands = [(*a, false), (*b, true)].into_iter().filter(|(operand, _)| *operand == decisive);
        self.taken.extend(operands.map(|(_, second)| (self.place, second)));
        Ok(if decisive { *a || *b } else { *a && *b })
    }

    fn not(&mut self, a: &bool) -> Result<bool, Stop> {
        Ok(!a)
    }

    fn math(&mut self, f: MathFn, args: &[Number]) -> Result<Number, Stop> {
        let a = &args[0];
        match f {
            MathFn::Sqrt => self.sqrt(a),
            MathFn::Cbrt => self.cbrt(a),
            MathFn::Abs => Ok(self.absolute(a)),
            MathFn::Min | MathFn::Max => {
                let b = &args[1];
                let second = if f == MathFn::Min { self.less(b, a)? } else { self.less(a, b)? };
                // Equal operands take neither side.
                if a.to_f64() != b.to_f64() {
                    self.taken.insert((self.place, second));
                }
                Ok(args[usize::from(second)].clone())
            }
            MathFn::Powi(n) => self.powi(a, i64::from(n)),
            MathFn::Powf => self.powf(a, &args[1]),
            MathFn::Exp => self.exp(a),
            MathFn::Ln => self.ln(a),
            MathFn::Sin => Ok(self.sin_cos(a)?.0),
            MathFn::Cos => Ok(self.sin_cos(a)?.1),
            MathFn::Tan => {
                let (sin, cos) = self.sin_cos(a)?;
                self.div(&sin, &cos)
            }
            MathFn::Tanh => {
                // tanh a = 1 - 2 / (exp(2 a) + 1)
                let twice = self.mul(&integer(2), a)?;
                let exp = self.exp(&twice)?;
                let quotient = self.div(&integer(2), &self.add(&exp, &integer(1))?)?;
                self.sub(&integer(1), &quotient)
            }
            MathFn::Atan2 => self.atan2(a, &args[1]),
        }
    }

    fn decide(&mut self, condition: &bool) -> Option<bool> {
        self.taken.insert((self.place, *condition));
        Some(*condition)
    }

    fn select(&mut self, condition: &bool, a: &Number, b: &Number) -> Result<Number, Stop> {
        Ok(if *condition { a } else { b }.clone())
    }
}
