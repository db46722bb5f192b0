//! Laws evaluated over exact numbers, with or without derivatives.

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
        Ok(if op == BinaryOp::And { *a && *b } else { *a || *b })
    }

    fn not(&mut self, a: &bool) -> Result<bool, Stop> {
        Ok(!a)
    }

    fn math(&mut self, f: MathFn, args: &[Number]) -> Result<Number, Stop> {
        let a = &args[0];
        match f {
            MathFn::Sqrt => self.sqrt(a),
            MathFn::Abs => Ok(self.absolute(a)),
            MathFn::Min => Ok(args[usize::from(self.less(&args[1], a)?)].clone()),
            MathFn::Max => Ok(args[usize::from(self.less(a, &args[1])?)].clone()),
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

/// A number with its derivatives in some directions; `None` stands for zero.
#[derive(Clone, Debug)]
pub struct Dual {
    /// The number.
    pub value: Number,
    /// One derivative for every direction; missing ones are zero.
    pub partials: Vec<Option<Number>>,
}

impl Dual {
    /// A constant.
    pub fn constant(value: Number) -> Self {
        Self { value, partials: Vec::new() }
    }

    /// The variable of direction `i`.
    pub fn variable(value: Number, i: usize) -> Self {
        let mut partials = vec![None; i];
        partials.push(Some(integer(1)));
        Self { value, partials }
    }

    /// The derivative in direction `i`.
    pub fn partial(&self, i: usize) -> Number {
        self.partials.get(i).cloned().flatten().unwrap_or_else(|| integer(0))
    }
}

/// Evaluation with derivatives.
pub struct Duals<'a>(pub &'a mut Tower);

impl Duals<'_> {
    /// The number `value` with derivatives `Σ factor · partial` of its operands.
    fn chain(&self, value: Number, terms: &[(&Number, &Dual)]) -> Result<Dual, Stop> {
        let directions = terms.iter().map(|(_, dual)| dual.partials.len()).max().unwrap_or(0);
        let mut partials = Vec::with_capacity(directions);
        for i in 0..directions {
            let mut sum = None;
            for (factor, dual) in terms {
                if let Some(Some(partial)) = dual.partials.get(i) {
                    let term = self.0.mul(factor, partial)?;
                    sum = Some(match sum {
                        None => term,
                        Some(sum) => self.0.add(&sum, &term)?,
                    });
                }
            }
            partials.push(sum.filter(|sum| !sum.is_zero()));
        }
        Ok(Dual { value, partials })
    }

    fn constant_in_all(args: &[Dual]) -> bool {
        args.iter().all(|arg| arg.partials.iter().all(Option::is_none))
    }
}

impl Domain for Duals<'_> {
    type Real = Dual;
    type Bool = bool;
    type Error = Stop;

    fn place(&mut self, span: Span) {
        self.0.place = span;
    }

    fn literal(&mut self, text: &str) -> Result<Dual, Stop> {
        self.0.literal(text).map(Dual::constant)
    }

    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn neg(&mut self, a: &Dual) -> Result<Dual, Stop> {
        let value = Tower::neg(self.0, &a.value);
        self.chain(value, &[(&integer(-1), a)])
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Dual, b: &Dual) -> Result<Dual, Stop> {
        let value = self.0.arithmetic(op, &a.value, &b.value)?;
        match op {
            BinaryOp::Add => self.chain(value, &[(&integer(1), a), (&integer(1), b)]),
            BinaryOp::Sub => self.chain(value, &[(&integer(1), a), (&integer(-1), b)]),
            BinaryOp::Mul => self.chain(value, &[(&b.value, a), (&a.value, b)]),
            _ => {
                // d(a/b) = da / b - (a/b) db / b
                let inverse = self.0.div(&integer(1), &b.value)?;
                let factor = Tower::neg(self.0, &self.0.mul(&value, &inverse)?);
                self.chain(value, &[(&inverse, a), (&factor, b)])
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, a: &Dual, b: &Dual) -> Result<bool, Stop> {
        self.0.compare(op, &a.value, &b.value)
    }

    fn logic(&mut self, op: BinaryOp, a: &bool, b: &bool) -> Result<bool, Stop> {
        self.0.logic(op, a, b)
    }

    fn not(&mut self, a: &bool) -> Result<bool, Stop> {
        Ok(!a)
    }

    fn math(&mut self, f: MathFn, args: &[Dual]) -> Result<Dual, Stop> {
        let a = &args[0];
        let t = &mut *self.0;
        match f {
            MathFn::Abs => {
                return if t.less(&a.value, &integer(0))? { self.neg(a) } else { Ok(a.clone()) };
            }
            MathFn::Min => return Ok(args[usize::from(t.less(&args[1].value, &a.value)?)].clone()),
            MathFn::Max => return Ok(args[usize::from(t.less(&a.value, &args[1].value)?)].clone()),
            _ => {}
        }
        let values: Vec<_> = args.iter().map(|arg| arg.value.clone()).collect();
        let value = t.math(f, &values)?;
        if Self::constant_in_all(args) {
            return Ok(Dual::constant(value));
        }
        let one = integer(1);
        let slope = match f {
            MathFn::Abs | MathFn::Min | MathFn::Max => one,
            MathFn::Sqrt => t.div(&one, &t.mul(&integer(2), &value)?)?,
            MathFn::Powi(0) => integer(0),
            MathFn::Powi(n) => t.mul(&integer(i64::from(n)), &t.powi(&a.value, i64::from(n) - 1)?)?,
            MathFn::Exp => value.clone(),
            MathFn::Ln => t.div(&one, &a.value)?,
            MathFn::Sin => t.sin_cos(&a.value)?.1,
            MathFn::Cos => {
                let sin = t.sin_cos(&a.value)?.0;
                Tower::neg(t, &sin)
            }
            MathFn::Tan => t.add(&one, &t.mul(&value, &value)?)?,
            MathFn::Tanh => t.sub(&one, &t.mul(&value, &value)?)?,
            MathFn::Powf => {
                // d(a^b) = a^b (b / a da + ln(a) db)
                let b = &args[1];
                let slope = t.mul(&value, &t.div(&b.value, &a.value)?)?;
                if Self::constant_in_all(std::slice::from_ref(b)) {
                    slope
                } else {
                    let ln = t.ln(&a.value)?;
                    let other = t.mul(&value, &ln)?;
                    return self.chain(value, &[(&slope, a), (&other, b)]);
                }
            }
            MathFn::Atan2 => {
                let (y, x) = (a, &args[1]);
                let square = t.add(&t.mul(&x.value, &x.value)?, &t.mul(&y.value, &y.value)?)?;
                let slope = t.div(&x.value, &square)?;
                let other = Tower::neg(t, &t.div(&y.value, &square)?);
                return self.chain(value, &[(&slope, y), (&other, x)]);
            }
        };
        self.chain(value, &[(&slope, a)])
    }

    fn decide(&mut self, condition: &bool) -> Option<bool> {
        Domain::decide(self.0, condition)
    }

    fn select(&mut self, condition: &bool, a: &Dual, b: &Dual) -> Result<Dual, Stop> {
        Ok(if *condition { a } else { b }.clone())
    }
}
