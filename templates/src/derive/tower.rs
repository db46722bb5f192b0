//! Exact numbers: fractions of polynomials in free variables and in generators for roots, powers and the like.
//!
//! A [`Tower`] starts from variables (components of the state, parameters, …) that all have a rational value, its
//! base point. Every root, exponential or power that arithmetic over them needs becomes a generator: a further
//! variable with a relation (`s² = q`) or without one that is used. A number that reduces to 0 by these relations is 0
//! wherever it is defined. The converse holds for roots of rational numbers; elsewhere the value at the base point, to
//! some 90 digits, tells whether a number is not 0 or the relations were too weak.
//!
//! The value at the base point decides signs, so a result that depends on a sign ([`Tower::branched`]) holds in the
//! part of the domain with the same sign ([`Tower::holds_at`]).

use std::collections::BTreeSet;
use std::rc::Rc;

use super::budget;
use super::number::{General, Generator, Number, Stop, Zero};
use crate::algebra::{Float, Fraction, Integer, PRECISION, Polynomial, Rational, Real, Ring, VARIABLES, float, size};
use crate::ir::Span;

/// The most words of 64 bits of a rational number: in exact arithmetic, and where a rounded number serves as well.
const LONGEST: (usize, usize) = (512, 32);

/// The most words of a number for each term that it may have.
const WORDS: usize = 8;

/// A field of exact numbers that grows as roots and functions are taken.
pub struct Tower {
    ring: Ring,
    generators: Vec<Generator>,
    values: Vec<Float>,
    limit: usize,
    /// The work of the session at which this tower has done its own.
    until: u64,
    /// Whether roots and functions are known by their values alone.
    pub(super) approximate: bool,
    /// Numbers that are not rational and whose sign decided something, and whether they were negative.
    decisions: Vec<(Number, bool)>,
    /// Powers that were written with roots: result, base and exponent.
    pub(super) powers: Vec<(Number, Number, Number)>,
    /// Where the law asked for the last operation.
    pub place: Span,
    /// The branches that were taken: the place of an `if`, and whether its condition held; or that of a `min` or `max`, and whether
    /// it is its second operand.
    pub taken: BTreeSet<(Span, bool)>,
}

impl Tower {
    /// An empty tower that refuses numbers of more than `limit` terms.
    pub fn new(limit: usize) -> Self {
        Self {
            ring: Ring::new(),
            generators: Vec::new(),
            values: Vec::new(),
            limit,
            until: budget::spent() + budget::TOWER,
            approximate: false,
            decisions: Vec::new(),
            powers: Vec::new(),
            place: Span::default(),
            taken: BTreeSet::new(),
        }
    }

    /// A tower without generators: roots and functions are numbers of some 90 digits.
    pub fn approximate() -> Self {
        Self { approximate: true, ..Self::new(0) }
    }

    /// Lets work in exact arithmetic from now on be at most so much.
    pub fn bound_work(&mut self, most: u64) {
        self.until = budget::spent() + most;
    }

    /// Whether the sign of a number that is not constant decided anything.
    pub fn branched(&self) -> bool {
        !self.decisions.is_empty()
    }

    /// The sizes of the numbers whose sign decided anything: where the same branches are taken, they are not negative.
    pub fn decided(&self) -> Vec<Number> {
        self.decisions.iter().map(|(a, negative)| if *negative { self.neg(a) } else { a.clone() }).collect()
    }

    /// Whether a number is negative; recorded, as later results depend on it.
    pub(super) fn decide(&mut self, a: &Number) -> bool {
        let negative = a.is_negative();
        if a.as_rational().is_none() {
            self.decisions.push((a.clone(), negative));
        }
        negative
    }

    /// Decides that a number vanishes which vanishes at the base point.
    pub(super) fn decide_zero(&mut self, a: &Number) {
        self.decide(a);
        self.decide(&self.neg(a));
    }

    /// Whether all signs that decided something are the same where the variables have these values, in the order of
    /// their indices: then the results hold there too.
    pub fn holds_at(&self, variables: &[Rational]) -> bool {
        let mut variables = variables.iter();
        let mut values = Vec::new();
        for generator in &self.generators {
            let Some(value) = self.generator_at(generator, &mut variables, &values) else { return false };
            values.push(value);
        }
        let same = |(a, negative): &(Number, bool)| {
            self.number_at(a, &values).is_some_and(|value| Number::Real(value).is_negative() == *negative)
        };
        self.decisions.iter().all(same)
    }

    /// The value of a generator where those before it have these values; `None` where it is undefined.
    fn generator_at<'v>(
        &self,
        generator: &Generator,
        variables: &mut impl Iterator<Item = &'v Rational>,
        values: &[Float],
    ) -> Option<Float> {
        let at = |a: &Number| self.number_at(a, values);
        let positive = |value: Float| Number::Real(value.clone()).is_positive().then_some(value);
        Some(match generator {
            Generator::Free(_) | Generator::Normal(..) => float(variables.next()?),
            Generator::Root(square, orientation) => {
                let root = positive(square.evaluate(values))?.sqrt();
                if at(orientation)?.is_negative() { Float::with_val(PRECISION, 0) - root } else { root }
            }
            Generator::Exp(a) => at(a)?.exp(),
            Generator::Ln(a) => positive(at(a)?)?.log(),
            Generator::Sin(a) => at(a)?.sin(),
            Generator::Cos(a, _) => at(a)?.cos(),
            Generator::Power(base, exponent) => (positive(at(base)?)?.log() * at(exponent)?).exp(),
            Generator::Atan2(y, x) => at(y)?.atan2(&at(x)?),
        })
    }

    /// The value of a number where the generators have these values; `None` where it is undefined.
    fn number_at(&self, a: &Number, values: &[Float]) -> Option<Float> {
        let Number::General(general) = a else { return Some(a.value()) };
        let denominator = Number::Real(general.fraction.denominator().evaluate(values));
        (denominator.zero() == Zero::No).then(|| general.fraction.numerator().evaluate(values) / denominator.value())
    }

    /// The variables and generators, in the order of their indices.
    pub fn generators(&self) -> &[Generator] {
        &self.generators
    }

    /// A new free variable.
    ///
    /// # Errors
    /// When the tower is full.
    pub fn variable(&mut self, name: String, value: &Rational) -> Result<Number, Stop> {
        self.push(Generator::Free(name), float(value))
    }

    /// The components of a unit normal as variables, the last of them given by the others.
    ///
    /// # Errors
    /// When the tower is full.
    pub fn normal(&mut self, names: &[String], values: &[Rational]) -> Result<Vec<Number>, Stop> {
        let mut square = self.ring.constant(Integer::from(1));
        let mut numbers = Vec::new();
        for (i, (name, value)) in names.iter().zip(values).enumerate() {
            if i + 1 == names.len() {
                numbers.push(self.push(Generator::Normal(name.clone(), square.clone()), float(value))?);
            } else {
                let variable = self.ring.variable(self.generators.len());
                numbers.push(self.variable(name.clone(), value)?);
                square = square.sub(&variable.mul(&variable));
            }
        }
        Ok(numbers)
    }

    pub(super) fn push(&mut self, generator: Generator, value: Float) -> Result<Number, Stop> {
        let index = self.generators.len();
        if index == VARIABLES {
            return Err(Stop::TooLarge);
        }
        self.generators.push(generator);
        self.values.push(value);
        let one = self.ring.constant(Integer::from(1));
        self.number(self.ring.variable(index), &one, self.values[index].clone())
    }

    /// The number `numerator / denominator`, after reduction by the relations.
    fn number(&self, numerator: Polynomial, denominator: &Polynomial, value: Float) -> Result<Number, Stop> {
        let numerator = self.reduce(numerator)?;
        self.work(numerator.size() + denominator.size())?;
        let fraction = Fraction::new(&numerator, denominator).ok_or(Stop::DivisionByZero)?;
        self.general(fraction, value)
    }

    fn general(&self, fraction: Fraction, value: Float) -> Result<Number, Stop> {
        if let Some(constant) = fraction.as_constant() {
            return self.rational(constant);
        }
        if fraction.len() > self.limit || fraction.size() > WORDS * self.limit {
            return Err(Stop::TooLarge);
        }
        Ok(Number::General(Rc::new(General { fraction, value })))
    }

    /// A rational number; where it is long, a rounded one if that serves as well.
    fn rational(&self, value: Rational) -> Result<Number, Stop> {
        let words = size(&value);
        match self.approximate {
            true if words > LONGEST.1 => Ok(Number::Real(float(&value))),
            false if words > LONGEST.0 => Err(Stop::TooLarge),
            _ => Ok(Number::Rational(value)),
        }
    }

    /// Does work on polynomials of so many words.
    fn work(&self, words: usize) -> Result<(), Stop> {
        budget::polynomials(words, self.until)
    }

    /// The numerator and denominator of a number that is not known by its value alone.
    pub(super) fn fraction(&self, a: &Number) -> Fraction {
        match a {
            Number::Rational(value) => self.ring.rational(value),
            Number::General(general) => general.fraction.clone(),
            Number::Real(_) => unreachable!("an approximate tower has no fractions"),
        }
    }

    /// Replaces squares of generators by their polynomials.
    pub(super) fn reduce(&self, mut polynomial: Polynomial) -> Result<Polynomial, Stop> {
        for (index, generator) in self.generators.iter().enumerate().rev() {
            let Some(square) = generator.square() else { continue };
            if polynomial.degree(index) < 2 {
                continue;
            }
            let variable = self.ring.variable(index);
            let mut sum = self.ring.constant(Integer::from(0));
            self.work(polynomial.size())?;
            for (coefficient, power) in polynomial.coefficients_of(index) {
                if coefficient.len() * square.len().saturating_pow(power as u32 / 2) > 64 * self.limit {
                    return Err(Stop::TooLarge);
                }
                let term = coefficient.mul(&square.pow(power / 2)).mul(&variable.pow(power % 2));
                sum = sum.add(&term);
                if sum.len() > 4 * self.limit || sum.size() > 4 * WORDS * self.limit {
                    return Err(Stop::TooLarge);
                }
            }
            polynomial = sum;
        }
        Ok(polynomial)
    }

    /// Does the work of a sum or product of two numbers, unless it would have too many terms.
    fn bound(&self, a: &Fraction, b: &Fraction) -> Result<(), Stop> {
        if a.len() * b.len() > 16 * self.limit {
            return Err(Stop::TooLarge);
        }
        self.work(a.size() + b.size())
    }

    /// `a + b`.
    ///
    /// # Errors
    /// When the result is too large; so for the other operations.
    pub fn add(&self, a: &Number, b: &Number) -> Result<Number, Stop> {
        if let (Number::Rational(a), Number::Rational(b)) = (a, b) {
            return self.rational(a + b);
        }
        if a.is_zero() {
            return Ok(b.clone());
        }
        if b.is_zero() {
            return Ok(a.clone());
        }
        if self.approximate {
            budget::number();
            return Ok(Number::Real(a.value() + b.value()));
        }
        let (x, y) = (self.fraction(a), self.fraction(b));
        self.bound(&x, &y)?;
        self.general(x.add(&y), a.value() + b.value())
    }

    /// `a - b`.
    pub fn sub(&self, a: &Number, b: &Number) -> Result<Number, Stop> {
        self.add(a, &self.neg(b))
    }

    /// `-a`.
    pub fn neg(&self, a: &Number) -> Number {
        match a {
            Number::Rational(value) => Number::Rational(-value.clone()),
            Number::General(general) => {
                let value = Float::with_val(PRECISION, 0) - &general.value;
                Number::General(Rc::new(General { fraction: general.fraction.neg(), value }))
            }
            Number::Real(value) => Number::Real(Float::with_val(PRECISION, 0) - value),
        }
    }

    /// `a · b`.
    pub fn mul(&self, a: &Number, b: &Number) -> Result<Number, Stop> {
        match (a, b) {
            (Number::Rational(a), Number::Rational(b)) => return self.rational(a * b),
            (Number::Rational(r), other) | (other, Number::Rational(r)) if r.is_zero() || r.is_one() => {
                return Ok(if r.is_zero() { Number::Rational(r.clone()) } else { other.clone() });
            }
            _ => {}
        }
        if self.approximate {
            budget::number();
            return Ok(Number::Real(a.value() * b.value()));
        }
        let (x, y) = (self.fraction(a), self.fraction(b));
        self.bound(&x, &y)?;
        let product = x.mul(&y);
        let value = a.value() * b.value();
        let numerator = product.numerator();
        let square = |(i, g): (usize, &Generator)| g.square().is_some() && numerator.degree(i) > 1;
        if self.generators.iter().enumerate().any(square) {
            self.number(numerator, &product.denominator(), value)
        } else {
            self.general(product, value)
        }
    }

    /// `a / b`, with the generators of roots moved out of the denominator.
    pub fn div(&self, a: &Number, b: &Number) -> Result<Number, Stop> {
        let inverse = match b {
            _ if b.zero() != Zero::No => return Err(Stop::DivisionByZero),
            Number::Rational(b) => Number::Rational(b.inv()),
            Number::Real(b) => Number::Real(Float::with_val(PRECISION, 1) / b),
            Number::General(general) => {
                let mut denominator = general.fraction.numerator();
                let mut numerator = general.fraction.denominator();
                for (index, generator) in self.generators.iter().enumerate().rev() {
                    if generator.square().is_none() || denominator.degree(index) == 0 {
                        continue;
                    }
                    // 1 / (p + q s) = (p - q s) / (p² - q² s²)
                    let s = self.ring.variable(index);
                    let mut conjugate = self.ring.constant(Integer::from(0));
                    let coefficients = denominator.coefficients_of(index);
                    for (coefficient, power) in &coefficients {
                        conjugate = match power {
                            0 => conjugate.add(coefficient),
                            _ if coefficients.len() == 1 => s.clone(),
                            _ => conjugate.sub(&coefficient.mul(&s)),
                        };
                    }
                    if conjugate.len() * denominator.len().max(numerator.len()) > 16 * self.limit {
                        return Err(Stop::TooLarge);
                    }
                    self.work(conjugate.size() + denominator.size() + numerator.size())?;
                    denominator = self.reduce(denominator.mul(&conjugate))?;
                    numerator = self.reduce(numerator.mul(&conjugate))?;
                }
                self.number(numerator, &denominator, Float::with_val(PRECISION, 1) / &general.value)?
            }
        };
        self.mul(a, &inverse)
    }

    /// The value of a polynomial where the variables have these values.
    pub(super) fn polynomial_at(
        &self,
        polynomial: &Polynomial,
        values: &dyn Fn(usize) -> Result<Number, Stop>,
    ) -> Result<Number, Stop> {
        let mut sum = Number::Rational(Rational::from(0));
        for (coefficient, powers) in polynomial.terms() {
            let mut term = Number::Rational(Rational::from(coefficient));
            for (i, &power) in powers.iter().enumerate().filter(|(_, power)| **power > 0) {
                term = self.mul(&term, &self.powi(&values(i)?, power as i64)?)?;
            }
            sum = self.add(&sum, &term)?;
        }
        Ok(sum)
    }

    /// `a^n`.
    pub fn powi(&self, a: &Number, n: i64) -> Result<Number, Stop> {
        let mut power = Number::Rational(Rational::from(1));
        for _ in 0..n.unsigned_abs() {
            power = self.mul(&power, a)?;
        }
        if n < 0 { self.div(&Number::Rational(Rational::from(1)), &power) } else { Ok(power) }
    }

    /// Whether `a < b`, at the base point.
    pub fn less(&mut self, a: &Number, b: &Number) -> Result<bool, Stop> {
        let difference = self.sub(a, b)?;
        Ok(self.decide(&difference))
    }

    /// `√a`.
    ///
    /// # Errors
    /// When `a` is negative at the base point.
    pub fn sqrt(&mut self, a: &Number) -> Result<Number, Stop> {
        match a.zero() {
            Zero::Exactly => return Ok(a.clone()),
            Zero::Numerically => {
                self.decide_zero(a);
                return Ok(Number::Rational(Rational::from(0)));
            }
            Zero::No if a.is_negative() => return Err(Stop::NegativeRoot),
            Zero::No => {}
        }
        if self.approximate {
            budget::root();
            return Ok(Number::Real(a.value().sqrt()));
        }
        // √(n/d) = √(n d) / d, and squares come out of n d.
        let fraction = self.fraction(a);
        let (numerator, denominator) = (fraction.numerator(), fraction.denominator());
        if numerator.len() * denominator.len() > self.limit {
            return Err(Stop::TooLarge);
        }
        let (outside, inside) = self.square_parts(numerator.mul(&denominator))?;
        let factor = self.number(outside.clone(), &denominator, self.quotient(&outside, &denominator))?;
        self.root(&factor, inside)
    }

    /// `(a, b)` with `polynomial = a² b`, which takes more work than other operations.
    pub(super) fn square_parts(&self, polynomial: Polynomial) -> Result<(Polynomial, Polynomial), Stop> {
        let polynomial = self.reduce(polynomial)?;
        if polynomial.len() > self.limit || polynomial.size() > WORDS * self.limit {
            return Err(Stop::TooLarge);
        }
        self.work(4 * polynomial.size())?;
        Ok(polynomial.square_parts())
    }

    /// The number or its negative, whichever is not negative.
    pub fn absolute(&mut self, a: &Number) -> Number {
        if self.decide(a) { self.neg(a) } else { a.clone() }
    }

    fn quotient(&self, numerator: &Polynomial, denominator: &Polynomial) -> Float {
        numerator.evaluate(&self.values) / denominator.evaluate(&self.values)
    }

    /// `|factor| √square`, `square` being square-free, from one or two of the existing roots if they give it.
    fn root(&mut self, factor: &Number, square: Polynomial) -> Result<Number, Stop> {
        let one = self.ring.constant(Integer::from(1));
        if square == one {
            return Ok(self.absolute(factor));
        }
        let root = |(i, generator): (usize, &Generator)| match generator {
            Generator::Root(known, orientation) => Some((i, known.clone(), Some(orientation.clone()))),
            _ => Some((i, generator.square()?.clone(), None)),
        };
        let roots: Vec<_> = self.generators.iter().enumerate().filter_map(root).collect();
        for (i, (index, known, orientation)) in roots.iter().enumerate() {
            if *known == square {
                let root = self.mul(factor, &self.variable_number(&[*index])?)?;
                // The generator has the sign of its orientation.
                let sign =
                    orientation.as_ref().map_or(Ok(root.clone()), |orientation| self.div(factor, orientation))?;
                return Ok(if self.decide(&sign) { self.neg(&root) } else { root });
            }
            if known.len() * square.len() > 100 {
                continue;
            }
            let mut products = vec![(vec![*index], known.clone())];
            products.extend(roots[..i].iter().map(|(other, k, _)| (vec![*index, *other], known.mul(k))));
            for (indices, product) in products {
                if product.len() * square.len() > 400 {
                    continue;
                }
                // √q = a / s where q s² = a².
                let (outside, inside) = self.square_parts(product.mul(&square))?;
                if inside == one {
                    let outside = self.number(outside.clone(), &one, self.quotient(&outside, &one))?;
                    let root = self.div(&outside, &self.variable_number(&indices)?)?;
                    let root = self.mul(factor, &root)?;
                    return Ok(self.absolute(&root));
                }
            }
        }
        // The new generator is the root whose product with the orientation is positive, so that the sign of the factor
        // decides nothing.
        let orientation = if factor.is_negative() { self.neg(factor) } else { factor.clone() };
        let value = square.evaluate(&self.values).sqrt();
        let generator = self.push(Generator::Root(square, orientation.clone()), value)?;
        self.mul(&orientation, &generator)
    }

    /// Whether a polynomial is negative at the base point.
    pub(super) fn is_negative(&self, polynomial: &Polynomial) -> bool {
        Number::Real(polynomial.evaluate(&self.values)).is_negative()
    }

    /// The product of the variables with these indices.
    pub(super) fn variable_number(&self, indices: &[usize]) -> Result<Number, Stop> {
        let one = self.ring.constant(Integer::from(1));
        let mut product = Number::Rational(Rational::from(1));
        for &index in indices {
            let variable = self.number(self.ring.variable(index), &one, self.values[index].clone())?;
            product = self.mul(&product, &variable)?;
        }
        Ok(product)
    }
}
