//! Laws evaluated with derivatives, over any kind of numbers: forward differentiation.

use super::number::Number;
use crate::algebra::Rational;
use crate::ir::{BinaryOp, Domain, MathFn, Span};

/// A number with its derivatives in some directions; `None` stands for zero.
#[derive(Clone, Debug)]
pub struct Dual<R = Number> {
    /// The number.
    pub value: R,
    /// One derivative for every direction; missing ones are zero.
    pub partials: Vec<Option<R>>,
}

impl<R> Dual<R> {
    /// A constant.
    pub fn constant(value: R) -> Self {
        Self { value, partials: Vec::new() }
    }

    /// The variable of direction `i`, whose derivative there is `one`.
    pub fn along(value: R, i: usize, one: R) -> Self {
        let mut partials: Vec<_> = (0..i).map(|_| None).collect();
        partials.push(Some(one));
        Self { value, partials }
    }

    /// The derivative in direction `i`, unless it is zero.
    pub(super) fn derivative(&self, i: usize) -> Option<&R> {
        self.partials.get(i).and_then(Option::as_ref)
    }

    fn is_constant(&self) -> bool {
        self.partials.iter().all(Option::is_none)
    }
}

impl Dual {
    /// The variable of direction `i`.
    pub fn variable(value: Number, i: usize) -> Self {
        Self::along(value, i, Number::Rational(Rational::from(1)))
    }

    /// The derivative in direction `i`.
    pub fn partial(&self, i: usize) -> Number {
        self.derivative(i).cloned().unwrap_or_else(|| Number::Rational(Rational::from(0)))
    }
}

/// Evaluation with derivatives.
pub struct Duals<'a, D> {
    domain: &'a mut D,
    /// For each direction the suffix that turns a variable's name into that of its derivative.
    suffixes: &'a [&'a str],
}

/// A derivative, unless it is zero.
type Partial<D> = Option<<D as Domain>::Real>;

impl<'a, D: Domain> Duals<'a, D> {
    /// Numbers of this domain with derivatives.
    pub fn new(domain: &'a mut D) -> Self {
        Self::with_names(domain, &[])
    }

    /// The same, with the name of each direction.
    pub fn with_names(domain: &'a mut D, suffixes: &'a [&'a str]) -> Self {
        Self { domain, suffixes }
    }

    fn integer(&mut self, n: i32) -> Result<D::Real, D::Error> {
        let size = self.domain.literal(&format!("{}.0", n.unsigned_abs()))?;
        if n < 0 { self.domain.neg(&size) } else { Ok(size) }
    }

    /// `a b`.
    pub(super) fn mul(&mut self, a: &D::Real, b: &D::Real) -> Result<D::Real, D::Error> {
        self.domain.arithmetic(BinaryOp::Mul, a, b)
    }

    /// `a op b` of two terms, of which either may be zero, for `+` and `-`.
    pub(super) fn sum(&mut self, op: BinaryOp, a: Partial<D>, b: Partial<D>) -> Result<Partial<D>, D::Error> {
        Ok(match (a, b) {
            (a, None) => a,
            (None, Some(b)) if op == BinaryOp::Sub => Some(self.domain.neg(&b)?),
            (None, b) => b,
            (Some(a), Some(b)) => Some(self.domain.arithmetic(op, &a, &b)?),
        })
    }

    /// The number `value` with a derivative for each direction that its operands have, zeros left out.
    fn with_partials(
        &mut self,
        value: D::Real,
        operands: &[Dual<D::Real>],
        mut partial: impl FnMut(&mut Self, usize) -> Result<Partial<D>, D::Error>,
    ) -> Result<Dual<D::Real>, D::Error> {
        let directions = operands.iter().map(|dual| dual.partials.len()).max().unwrap_or(0);
        let mut partials = Vec::with_capacity(directions);
        for i in 0..directions {
            partials.push(partial(self, i)?.filter(|partial| !self.domain.is_zero(partial)));
        }
        Ok(Dual { value, partials })
    }

    /// The number `value` with derivatives `Σ slope · partial` of its operands.
    fn chain(
        &mut self,
        value: D::Real,
        operands: &[Dual<D::Real>],
        slopes: &[D::Real],
    ) -> Result<Dual<D::Real>, D::Error> {
        self.with_partials(value, operands, |duals, i| {
            let mut sum = None;
            for (slope, operand) in slopes.iter().zip(operands) {
                let term = operand.derivative(i).map(|partial| duals.mul(slope, partial)).transpose()?;
                sum = duals.sum(BinaryOp::Add, sum, term)?;
            }
            Ok(sum)
        })
    }
}

impl<D: Domain> Domain for Duals<'_, D> {
    type Real = Dual<D::Real>;
    type Bool = D::Bool;
    type Error = D::Error;

    fn place(&mut self, span: Span) {
        self.domain.place(span);
    }

    fn name(&mut self, name: &str, a: &Self::Real) {
        self.domain.name(name, &a.value);
        for (suffix, partial) in self.suffixes.iter().zip(&a.partials) {
            if let Some(partial) = partial {
                self.domain.name(&format!("{name}_{suffix}"), partial);
            }
        }
    }

    fn literal(&mut self, text: &str) -> Result<Self::Real, D::Error> {
        self.domain.literal(text).map(Dual::constant)
    }

    fn bool(&mut self, value: bool) -> D::Bool {
        self.domain.bool(value)
    }

    fn neg(&mut self, a: &Self::Real) -> Result<Self::Real, D::Error> {
        let value = self.domain.neg(&a.value)?;
        self.with_partials(value, std::slice::from_ref(a), |duals, i| {
            a.derivative(i).map(|partial| duals.domain.neg(partial)).transpose()
        })
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Self::Real, b: &Self::Real) -> Result<Self::Real, D::Error> {
        let value = self.domain.arithmetic(op, &a.value, &b.value)?;
        let operands = [a.clone(), b.clone()];
        match op {
            BinaryOp::Mul => self.chain(value, &operands, &[b.value.clone(), a.value.clone()]),
            BinaryOp::Div => self.with_partials(value.clone(), &operands, |duals, i| {
                // d(a/b) = (da - (a/b) db) / b
                let other = b.derivative(i).map(|partial| duals.mul(&value, partial)).transpose()?;
                let numerator = duals.sum(BinaryOp::Sub, a.derivative(i).cloned(), other)?;
                numerator.map(|numerator| duals.domain.arithmetic(BinaryOp::Div, &numerator, &b.value)).transpose()
            }),
            _ => self.with_partials(value, &operands, |duals, i| {
                duals.sum(op, a.derivative(i).cloned(), b.derivative(i).cloned())
            }),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: &Self::Real, b: &Self::Real) -> Result<D::Bool, D::Error> {
        self.domain.compare(op, &a.value, &b.value)
    }

    fn logic(&mut self, op: BinaryOp, a: &D::Bool, b: &D::Bool) -> Result<D::Bool, D::Error> {
        self.domain.logic(op, a, b)
    }

    fn not(&mut self, a: &D::Bool) -> Result<D::Bool, D::Error> {
        self.domain.not(a)
    }

    fn math(&mut self, f: MathFn, args: &[Self::Real]) -> Result<Self::Real, D::Error> {
        let a = &args[0];
        let values: Vec<_> = args.iter().map(|arg| arg.value.clone()).collect();
        if args.iter().all(Dual::is_constant) {
            return Ok(Dual::constant(self.domain.math(f, &values)?));
        }
        match f {
            MathFn::Abs => {
                let zero = self.integer(0)?;
                let negative = self.domain.compare(BinaryOp::Lt, &a.value, &zero)?;
                let minus = self.neg(a)?;
                let value = self.domain.math(f, &values)?;
                return Ok(Dual { value, ..self.select(&negative, &minus, a)? });
            }
            MathFn::Min | MathFn::Max => {
                let op = if f == MathFn::Min { BinaryOp::Lt } else { BinaryOp::Gt };
                let second = self.domain.compare(op, &args[1].value, &a.value)?;
                let value = self.domain.math(f, &values)?;
                return Ok(Dual { value, ..self.select(&second, &args[1], a)? });
            }
            _ => {}
        }
        let value = self.domain.math(f, &values)?;
        if f == MathFn::Powi(0) {
            return Ok(Dual::constant(value));
        }
        let one = self.integer(1)?;
        let d = &mut *self.domain;
        let mut slopes = Vec::new();
        match f {
            MathFn::Sqrt => {
                let twice = d.arithmetic(BinaryOp::Add, &value, &value)?;
                slopes.push(d.arithmetic(BinaryOp::Div, &one, &twice)?);
            }
            MathFn::Cbrt => {
                // d∛a = da / (3 ∛a²)
                let square = d.arithmetic(BinaryOp::Mul, &value, &value)?;
                let three = d.literal("3.0")?;
                let divisor = d.arithmetic(BinaryOp::Mul, &three, &square)?;
                slopes.push(d.arithmetic(BinaryOp::Div, &one, &divisor)?);
            }
            MathFn::Powi(n) => {
                let power = d.math(MathFn::Powi(n - 1), &values)?;
                let n = self.integer(n)?;
                slopes.push(self.mul(&n, &power)?);
            }
            MathFn::Exp => slopes.push(value.clone()),
            MathFn::Ln => slopes.push(d.arithmetic(BinaryOp::Div, &one, &a.value)?),
            MathFn::Sin => slopes.push(d.math(MathFn::Cos, &values)?),
            MathFn::Cos => {
                let sin = d.math(MathFn::Sin, &values)?;
                slopes.push(d.neg(&sin)?);
            }
            MathFn::Tan | MathFn::Tanh => {
                let op = if f == MathFn::Tan { BinaryOp::Add } else { BinaryOp::Sub };
                let square = d.arithmetic(BinaryOp::Mul, &value, &value)?;
                slopes.push(d.arithmetic(op, &one, &square)?);
            }
            MathFn::Powf => {
                // d(a^b) = a^b (b / a da + ln(a) db)
                let b = &args[1];
                let ratio = d.arithmetic(BinaryOp::Div, &b.value, &a.value)?;
                slopes.push(d.arithmetic(BinaryOp::Mul, &value, &ratio)?);
                if !b.is_constant() {
                    let ln = d.math(MathFn::Ln, &values[..1])?;
                    slopes.push(d.arithmetic(BinaryOp::Mul, &value, &ln)?);
                }
            }
            MathFn::Atan2 => {
                let [y, x] = [&a.value, &args[1].value];
                let [xx, yy] = [d.arithmetic(BinaryOp::Mul, x, x)?, d.arithmetic(BinaryOp::Mul, y, y)?];
                let square = d.arithmetic(BinaryOp::Add, &xx, &yy)?;
                slopes.push(d.arithmetic(BinaryOp::Div, x, &square)?);
                let other = d.arithmetic(BinaryOp::Div, y, &square)?;
                slopes.push(d.neg(&other)?);
            }
            MathFn::Abs | MathFn::Min | MathFn::Max => {}
        }
        self.chain(value, args, &slopes)
    }

    fn decide(&mut self, condition: &D::Bool) -> Option<bool> {
        self.domain.decide(condition)
    }

    fn select(&mut self, condition: &D::Bool, a: &Self::Real, b: &Self::Real) -> Result<Self::Real, D::Error> {
        let value = self.domain.select(condition, &a.value, &b.value)?;
        self.with_partials(value, &[a.clone(), b.clone()], |duals, i| {
            let (a, b) = (a.derivative(i).cloned(), b.derivative(i).cloned());
            if a.is_none() && b.is_none() {
                return Ok(None);
            }
            let zero = duals.integer(0)?;
            let [a, b] = [a, b].map(|side| side.unwrap_or_else(|| zero.clone()));
            duals.domain.select(condition, &a, &b).map(Some)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{rational, session};
    use crate::derive::Tower;

    /// The function to differentiate, of two variables.
    type Formula = fn(&mut Duals<'_, Tower>, [Dual; 2]) -> Dual;

    fn math<const N: usize>(f: MathFn) -> impl Fn(&mut Duals<'_, Tower>, [Dual; N]) -> Dual {
        move |duals, args| duals.math(f, &args).unwrap()
    }

    fn at(formula: &Formula, [a, b]: [f64; 2]) -> Dual {
        let mut tower = Tower::approximate();
        let [a, b] = [a, b].map(|value| Number::Rational(rational(value).unwrap()));
        formula(&mut Duals::new(&mut tower), [Dual::variable(a, 0), Dual::variable(b, 1)])
    }

    /// Every rule agrees with difference quotients, which are independent of the rules.
    #[test]
    #[ignore = "long"]
    fn derivatives_are_limits_of_differences() {
        let formulas: [(&str, Formula); 21] = [
            ("-", |d, [a, _]| d.neg(&a).unwrap()),
            ("+", |d, [a, b]| d.arithmetic(BinaryOp::Add, &a, &b).unwrap()),
            ("a - b", |d, [a, b]| d.arithmetic(BinaryOp::Sub, &a, &b).unwrap()),
            ("*", |d, [a, b]| d.arithmetic(BinaryOp::Mul, &a, &b).unwrap()),
            ("/", |d, [a, b]| d.arithmetic(BinaryOp::Div, &a, &b).unwrap()),
            ("sqrt", |d, [a, _]| math(MathFn::Sqrt)(d, [a])),
            ("cbrt", |d, [_, b]| math(MathFn::Cbrt)(d, [b])),
            ("abs", |d, [_, b]| math(MathFn::Abs)(d, [b])),
            ("min", |d, ab| math(MathFn::Min)(d, ab)),
            ("max", |d, ab| math(MathFn::Max)(d, ab)),
            ("powi", |d, [a, _]| math(MathFn::Powi(5))(d, [a])),
            ("1/powi", |d, [_, b]| math(MathFn::Powi(-2))(d, [b])),
            ("constant", |d, [a, _]| math(MathFn::Powi(0))(d, [a])),
            ("powf", |d, [a, b]| math(MathFn::Powf)(d, [a, b])),
            ("exp", |d, [_, b]| math(MathFn::Exp)(d, [b])),
            ("ln", |d, [a, _]| math(MathFn::Ln)(d, [a])),
            ("sin", |d, [a, _]| math(MathFn::Sin)(d, [a])),
            ("cos", |d, [a, _]| math(MathFn::Cos)(d, [a])),
            ("tan", |d, [_, b]| math(MathFn::Tan)(d, [b])),
            ("tanh", |d, [a, _]| math(MathFn::Tanh)(d, [a])),
            ("atan2", |d, ab| math(MathFn::Atan2)(d, ab)),
        ];
        let h = 2.0_f64.powi(-20);
        session("tests", || {
            for (name, formula) in &formulas {
                for point in [[1.25, -0.375], [0.5, 2.75]] {
                    // A power of a negative number is not real.
                    let point = if *name == "powf" { point.map(f64::abs) } else { point };
                    for i in 0..2 {
                        let [mut before, mut after] = [point; 2];
                        before[i] -= h;
                        after[i] += h;
                        let difference =
                            (at(formula, after).value.to_f64() - at(formula, before).value.to_f64()) / (2.0 * h);
                        let derivative = at(formula, point).partial(i).to_f64();
                        assert!(
                            (difference - derivative).abs() <= 1e-8 * derivative.abs().max(1.0),
                            "{name} at {point:?} in direction {i}: {derivative}, {difference} by differences"
                        );
                    }
                }
            }
        })
        .unwrap();
    }
}
