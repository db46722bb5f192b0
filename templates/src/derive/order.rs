//! Proofs that a number is nowhere negative, whatever the state.
//!
//! An [`Order`] evaluates a law as its tower does, except that the larger of two numbers becomes a variable `m` of its
//! own, which is at least either of them and equals one of them: nothing is decided by signs at the base point. Whether
//! a number `n / d` is nowhere negative is a question about the polynomial `n d`, answered by these rules:
//!
//! * Even powers of factors do not matter, and what stands under a root is not negative where the law is defined.
//! * With a root `r`, taken with its factor: `r + b ≥ 0` where one of the two is not negative, and the other neither or
//!   smaller in square. The squares no longer contain the root.
//! * `a m + b ≥ 0`: where `a ≥ 0`, if it is so with either number or their mean for `m`; where `a ≤ 0`, if with both.
//! * `a x² + b x + c ≥ 0` where `a`, `c` and `4 a c - b²` are not negative.
//!
//! A proof that is found holds wherever the law is defined. None is found for much that is true.

use super::number::{Generator, Number, Stop};
use super::tower::Tower;
use crate::algebra::{Integer, Polynomial, Rational};
use crate::ir::{BinaryOp, Domain, MathFn, Span};

/// The most polynomials that are looked at for one number.
const STEPS: usize = 500;

/// Evaluation that does not branch on larger and smaller, and proofs about its results.
pub struct Order<'t> {
    tower: &'t mut Tower,
    larger: Vec<Larger>,
}

/// The variable of this index is the larger of two numbers.
struct Larger {
    index: usize,
    of: [Number; 2],
}

impl<'t> Order<'t> {
    /// Evaluation over the numbers of a tower.
    pub fn new(tower: &'t mut Tower) -> Self {
        Self { tower, larger: Vec::new() }
    }

    fn max(&mut self, a: &Number, b: &Number) -> Result<Number, Stop> {
        let difference = self.tower.sub(a, b)?;
        let larger = if difference.is_negative() { b } else { a };
        if difference.as_rational().is_some() {
            return Ok(larger.clone());
        }
        self.larger.push(Larger { index: self.tower.generators().len(), of: [a.clone(), b.clone()] });
        let value = larger.value();
        self.tower.push(Generator::Free("max".into()), value)
    }

    /// Whether something was decided by a sign all the same, by a condition or by the root of a square.
    pub fn branched(&self) -> bool {
        self.tower.branched()
    }

    /// `a - b`.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn difference(&self, a: &Number, b: &Number) -> Result<Number, Stop> {
        self.tower.sub(a, b)
    }

    /// Whether it is proved that `a ≥ b` everywhere.
    ///
    /// # Errors
    /// Where the polynomials of the proof grow too large.
    pub fn is_at_least(&self, a: &Number, b: &Number) -> Result<bool, Stop> {
        let difference = self.tower.fraction(&self.difference(a, b)?);
        let mut steps = STEPS;
        self.nonnegative(difference.numerator().mul(&difference.denominator()), &mut steps)
    }

    /// Whether it is proved that a polynomial is nowhere negative.
    fn nonnegative(&self, p: Polynomial, steps: &mut usize) -> Result<bool, Stop> {
        let p = self.tower.reduce(p)?;
        if p.is_zero() {
            return Ok(true);
        }
        let (_, p) = p.square_parts();
        if let Some(constant) = p.as_constant() {
            return Ok(!constant.is_negative());
        }
        if *steps == 0 || self.tower.is_negative(&p) {
            return Ok(false);
        }
        *steps -= 1;
        let squares = self.tower.generators().iter().filter_map(Generator::square);
        if squares.into_iter().any(|square| is_positive_multiple(&p, square)) {
            return Ok(true);
        }
        for (index, generator) in self.tower.generators().iter().enumerate().rev() {
            if p.degree(index) != 1 {
                continue;
            }
            let (a, b) = linear(&p, index);
            if let Generator::Root(square, orientation) = generator {
                return self.with_root(&a, b, square, orientation, steps);
            }
            if let Some(larger) = self.larger.iter().find(|larger| larger.index == index) {
                return self.with_larger(&a, &b, larger, steps);
            }
        }
        let Some(index) = (0..self.tower.generators().len()).find(|&index| p.degree(index) == 2) else {
            return Ok(false);
        };
        let [a, b, c] = quadratic(&p, index);
        let ac = a.mul(&c);
        let twice = ac.add(&ac);
        let discriminant = twice.add(&twice).sub(&b.mul(&b));
        Ok(self.nonnegative(a, steps)? && self.nonnegative(c, steps)? && self.nonnegative(discriminant, steps)?)
    }

    /// `a s + b ≥ 0`, with the root `s` of `square`, which has the sign of `orientation`.
    fn with_root(
        &self,
        a: &Polynomial,
        b: Polynomial,
        square: &Polynomial,
        orientation: &Number,
        steps: &mut usize,
    ) -> Result<bool, Stop> {
        let oriented = self.tower.fraction(orientation);
        let sign = a.mul(&oriented.numerator()).mul(&oriented.denominator());
        let difference = a.mul(a).mul(square).sub(&b.mul(&b));
        let root_is = self.nonnegative(sign, steps)?;
        let rest_is = self.nonnegative(b, steps)?;
        Ok(match (root_is, rest_is) {
            (true, true) => true,
            (true, false) => self.nonnegative(difference, steps)?,
            (false, true) => self.nonnegative(negative(&difference), steps)?,
            (false, false) => false,
        })
    }

    /// `a m + b ≥ 0`, with the larger `m` of two numbers.
    fn with_larger(&self, a: &Polynomial, b: &Polynomial, larger: &Larger, steps: &mut usize) -> Result<bool, Stop> {
        let mut holds_with = |m: &Number| {
            let m = self.tower.fraction(m);
            let (n, d) = (m.numerator(), m.denominator());
            // a n / d + b has the sign of (a n + b d) d.
            self.nonnegative(a.mul(&n).add(&b.mul(&d)).mul(&d), steps)
        };
        let [first, second] = &larger.of;
        let (with_first, with_second) = (holds_with(first)?, holds_with(second)?);
        if with_first && with_second {
            // It equals one of them.
            return Ok(true);
        }
        let mean = self.tower.mul(&self.tower.add(first, second)?, &Number::Rational(Rational::from((1, 2))))?;
        Ok((with_first || with_second || holds_with(&mean)?) && self.nonnegative(a.clone(), steps)?)
    }
}

/// Whether `p` is `q` times a positive number.
fn is_positive_multiple(p: &Polynomial, q: &Polynomial) -> bool {
    let leading = |p: &Polynomial| p.terms().into_iter().next().map(|(coefficient, _)| coefficient);
    match (leading(p), leading(q)) {
        (Some(m), Some(n)) => p.len() == q.len() && m.is_negative() == n.is_negative() && p.scaled(&n) == q.scaled(&m),
        _ => false,
    }
}

fn negative(p: &Polynomial) -> Polynomial {
    p.scaled(&Integer::from(-1))
}

/// `(a, b)` of `a x + b`.
fn linear(p: &Polynomial, x: usize) -> (Polynomial, Polynomial) {
    let [_, a, b] = quadratic(p, x);
    (a, b)
}

/// `[a, b, c]` of `a x² + b x + c`.
fn quadratic(p: &Polynomial, x: usize) -> [Polynomial; 3] {
    let zero = p.sub(p);
    let mut coefficients = [zero.clone(), zero.clone(), zero];
    for (coefficient, power) in p.coefficients_of(x) {
        coefficients[2 - power] = coefficient;
    }
    coefficients
}

impl Domain for Order<'_> {
    type Real = Number;
    type Bool = bool;
    type Error = Stop;

    fn place(&mut self, span: Span) {
        self.tower.place = span;
    }

    fn literal(&mut self, text: &str) -> Result<Number, Stop> {
        self.tower.literal(text)
    }

    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn neg(&mut self, a: &Number) -> Result<Number, Stop> {
        Ok(Tower::neg(self.tower, a))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<Number, Stop> {
        self.tower.arithmetic(op, a, b)
    }

    fn compare(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<bool, Stop> {
        self.tower.compare(op, a, b)
    }

    fn logic(&mut self, op: BinaryOp, a: &bool, b: &bool) -> Result<bool, Stop> {
        self.tower.logic(op, a, b)
    }

    fn not(&mut self, a: &bool) -> Result<bool, Stop> {
        self.tower.not(a)
    }

    fn math(&mut self, f: MathFn, args: &[Number]) -> Result<Number, Stop> {
        let a = &args[0];
        match f {
            MathFn::Max => self.max(a, &args[1]),
            MathFn::Min => {
                let (a, b) = (Tower::neg(self.tower, a), Tower::neg(self.tower, &args[1]));
                let larger = self.max(&a, &b)?;
                Ok(Tower::neg(self.tower, &larger))
            }
            MathFn::Abs => self.max(a, &Tower::neg(self.tower, a)),
            _ => self.tower.math(f, args),
        }
    }

    fn decide(&mut self, condition: &bool) -> Option<bool> {
        Some(*condition)
    }

    fn select(&mut self, condition: &bool, a: &Number, b: &Number) -> Result<Number, Stop> {
        self.tower.select(condition, a, b)
    }
}
