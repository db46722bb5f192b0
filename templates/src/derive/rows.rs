//! Products of a matrix of exact numbers and a vector as formulas.
//!
//! An entry is written as a sum of products of coordinates, those with the same coefficient together; coefficients are
//! numbers that are the same at all states. What else a row has in its denominators it is multiplied by.

use super::chart::Chart;
use super::draft::Draft;
use super::number::{Generator, Number, Stop};
use super::tower::Tower;
use crate::algebra::{Integer, Polynomial, Rational, Ring};
use crate::ir::{BinaryOp, ExprId, MathFn};

/// Writes rows into a function.
pub(super) struct Rows<'a> {
    pub(super) tower: &'a Tower,
    pub(super) chart: &'a Chart<'a>,
    pub(super) draft: Draft,
    /// Which variables of the tower are the same at all states.
    constant: Vec<bool>,
    /// The variables that were needed so far.
    variables: Vec<Option<ExprId>>,
    /// Reciprocals of denominators.
    scales: Vec<(Number, ExprId)>,
}

/// Powers of the variables.
type Powers = Vec<usize>;

/// Products, some of them negative, with one coefficient.
struct Group {
    coefficient: Number,
    products: Vec<(bool, Powers)>,
}

/// An expression, to be subtracted where the first says so.
type Term = (bool, ExprId);

impl<'a> Rows<'a> {
    pub(super) fn new(tower: &'a Tower, chart: &'a Chart<'a>, draft: Draft) -> Self {
        let mut constant: Vec<bool> = Vec::new();
        for (i, generator) in tower.generators().iter().enumerate() {
            let root = |square: &Polynomial| (0..i).all(|k| constant[k] || square.degree(k) == 0);
            constant.push(match generator {
                Generator::Free(_) => chart.is_constant(i),
                generator => generator.square().is_some_and(root),
            });
        }
        let variables = vec![None; constant.len()];
        Self { tower, chart, draft, constant, variables, scales: Vec::new() }
    }

    /// `Σ_j row_j vector_j`.
    ///
    /// # Errors
    /// When numbers grow too large.
    pub(super) fn row(&mut self, row: &[Number], vector: &[ExprId]) -> Result<ExprId, Stop> {
        let mut common = Number::Rational(Rational::from(1));
        for entry in row {
            let rest = self.tower.mul(entry, &common)?;
            if let Some(denominator) = self.state_denominator(&rest)? {
                common = self.tower.mul(&common, &denominator)?;
            }
        }
        let mut terms = Vec::new();
        for (entry, &component) in row.iter().zip(vector).filter(|(entry, _)| !entry.is_zero()) {
            let entry = self.tower.mul(entry, &common)?;
            let (negative, factor) = self.number(&entry)?;
            terms.push((negative, self.draft.binary(BinaryOp::Mul, factor, component)));
        }
        let sum = self.sum(terms);
        let sum = self.signed(sum);
        if common.as_rational().is_some() {
            return Ok(sum);
        }
        let scale = self.scale(&common)?;
        Ok(self.draft.binary(BinaryOp::Mul, sum, scale))
    }

    /// The reciprocal of a number, bound to a variable.
    fn scale(&mut self, of: &Number) -> Result<ExprId, Stop> {
        for (known, scale) in &self.scales {
            if self.tower.sub(known, of)?.is_zero() {
                return Ok(*scale);
            }
        }
        let denominator = self.number(of)?;
        let denominator = self.signed(denominator);
        let one = self.draft.literal("1.0");
        let reciprocal = self.draft.binary(BinaryOp::Div, one, denominator);
        let scale = self.draft.bind("scale", reciprocal);
        self.scales.push((of.clone(), scale));
        Ok(scale)
    }

    /// A polynomial by the powers of the variables that are not constant, with what is constant of each term.
    fn split(&self, polynomial: &Polynomial) -> Vec<(Powers, Polynomial)> {
        let ring = Ring::new();
        let mut parts: Vec<(Powers, Polynomial)> = Vec::new();
        for (coefficient, powers) in polynomial.terms().into_iter().rev() {
            let mut rest = ring.constant(coefficient);
            let mut varying = vec![0; self.constant.len()];
            for (i, &power) in powers.iter().enumerate().filter(|(_, power)| **power > 0) {
                if self.constant[i] {
                    rest = rest.mul(&ring.variable(i).pow(power));
                } else {
                    varying[i] = power;
                }
            }
            match parts.iter_mut().find(|(known, _)| *known == varying) {
                Some((_, sum)) => *sum = sum.add(&rest),
                None => parts.push((varying, rest)),
            }
        }
        parts
    }

    /// A polynomial in the tower's variables as a number.
    fn polynomial_number(&self, polynomial: &Polynomial) -> Result<Number, Stop> {
        self.tower.polynomial_at(polynomial, &|i| self.tower.variable_number(&[i]))
    }

    /// The factor of a number's denominator that depends on the state.
    fn state_denominator(&self, a: &Number) -> Result<Option<Number>, Stop> {
        let Number::General(general) = a else { return Ok(None) };
        let denominator = general.fraction.denominator();
        let parts = self.split(&denominator);
        Ok(match parts.as_slice() {
            [(powers, _)] if powers.iter().all(|power| *power == 0) => None,
            [(powers, _)] => {
                let mut product = Ring::new().constant(Integer::from(1));
                for (i, &power) in powers.iter().enumerate() {
                    product = product.mul(&Ring::new().variable(i).pow(power));
                }
                Some(self.polynomial_number(&product)?)
            }
            _ => Some(self.polynomial_number(&denominator)?),
        })
    }

    /// A number whose denominator does not depend on the state.
    fn number(&mut self, a: &Number) -> Result<Term, Stop> {
        let general = match a {
            Number::Rational(value) => return Ok((value.is_negative(), self.draft.rational(&value.abs()))),
            Number::Real(_) => return Err(Stop::TooLarge),
            Number::General(general) => general,
        };
        let denominator = self.polynomial_number(&general.fraction.denominator())?;
        let mut groups: Vec<Group> = Vec::new();
        for (powers, coefficient) in self.split(&general.fraction.numerator()) {
            let negative = leads_negatively(&coefficient);
            let coefficient = self.tower.div(&self.polynomial_number(&coefficient)?, &denominator)?;
            let coefficient = if negative { self.tower.neg(&coefficient) } else { coefficient };
            let mut known = None;
            for (i, group) in groups.iter().enumerate() {
                if self.tower.sub(&group.coefficient, &coefficient)?.is_zero() {
                    known = Some(i);
                }
            }
            match known {
                Some(i) => groups[i].products.push((negative, powers)),
                None => groups.push(Group { coefficient, products: vec![(negative, powers)] }),
            }
        }
        let mut terms = Vec::new();
        for Group { coefficient, products } in groups {
            let coefficient = self.coefficient(&coefficient)?;
            let mut list = Vec::new();
            for (negative, powers) in products {
                list.push((negative, self.product(&powers)?));
            }
            let (negative, sum) = self.sum(list);
            terms.push((negative, self.draft.binary(BinaryOp::Mul, coefficient, sum)));
        }
        Ok(self.sum(terms))
    }

    /// A number that is the same at all states, and whose numerator does not begin with a minus.
    fn coefficient(&mut self, a: &Number) -> Result<ExprId, Stop> {
        let Number::General(general) = a else {
            let term = self.number(a)?;
            return Ok(self.signed(term));
        };
        let (numerator, denominator) = (general.fraction.numerator(), general.fraction.denominator());
        let sum = self.polynomial(&numerator)?;
        if let Some(constant) = denominator.as_constant() {
            let factor = self.draft.rational(&Rational::from(constant).inv());
            return Ok(self.draft.binary(BinaryOp::Mul, factor, sum));
        }
        let divisor = self.polynomial(&denominator)?;
        Ok(self.draft.binary(BinaryOp::Div, sum, divisor))
    }

    fn polynomial(&mut self, polynomial: &Polynomial) -> Result<ExprId, Stop> {
        let mut terms = Vec::new();
        for (coefficient, powers) in polynomial.terms().into_iter().rev() {
            let factor = self.draft.rational(&Rational::from(coefficient.abs()));
            let product = self.product(&powers)?;
            terms.push((coefficient.is_negative(), self.draft.binary(BinaryOp::Mul, factor, product)));
        }
        let sum = self.sum(terms);
        Ok(self.signed(sum))
    }

    /// The product of powers of the variables.
    fn product(&mut self, powers: &[usize]) -> Result<ExprId, Stop> {
        let mut product = self.draft.literal("1.0");
        for (i, &power) in powers.iter().enumerate().filter(|(_, power)| **power > 0) {
            let variable = self.variable(i)?;
            for _ in 0..power {
                product = self.draft.binary(BinaryOp::Mul, product, variable);
            }
        }
        Ok(product)
    }

    /// A variable of the tower.
    fn variable(&mut self, i: usize) -> Result<ExprId, Stop> {
        if let Some(known) = self.variables[i] {
            return Ok(known);
        }
        let apply = |rows: &mut Self, f, args: &[&Number]| {
            let mut list = Vec::new();
            for arg in args {
                list.push(rows.quotient(arg)?);
            }
            Ok::<_, Stop>(rows.draft.math(f, list))
        };
        let expression = match &self.tower.generators()[i] {
            Generator::Free(_) | Generator::Normal(..) => self.chart.expression(&mut self.draft, i),
            Generator::Root(square, orientation) => {
                let square = self.polynomial_number(square)?;
                let root = apply(self, MathFn::Sqrt, &[&square])?;
                let root = self.draft.bind("root", root);
                if orientation.as_rational().is_some() {
                    root
                } else {
                    let orientation = self.quotient(orientation)?;
                    let signed = self.draft.with_sign(orientation, root);
                    self.draft.bind("root", signed)
                }
            }
            Generator::Exp(a) => apply(self, MathFn::Exp, &[a])?,
            Generator::Ln(a) => apply(self, MathFn::Ln, &[a])?,
            Generator::Sin(a) => apply(self, MathFn::Sin, &[a])?,
            Generator::Cos(a, _) => apply(self, MathFn::Cos, &[a])?,
            Generator::Power(a, exponent) => apply(self, MathFn::Powf, &[a, exponent])?,
            Generator::Atan2(y, x) => apply(self, MathFn::Atan2, &[y, x])?,
        };
        self.variables[i] = Some(expression);
        Ok(expression)
    }

    /// Any number.
    fn quotient(&mut self, a: &Number) -> Result<ExprId, Stop> {
        let denominator = self.state_denominator(a)?;
        let Some(denominator) = denominator else {
            let number = self.number(a)?;
            return Ok(self.signed(number));
        };
        let numerator = self.number(&self.tower.mul(a, &denominator)?)?;
        let denominator = self.number(&denominator)?;
        let [numerator, denominator] = [numerator, denominator].map(|term| self.signed(term));
        Ok(self.draft.binary(BinaryOp::Div, numerator, denominator))
    }

    /// The sum of terms, one that is not subtracted first.
    fn sum(&mut self, mut terms: Vec<Term>) -> Term {
        let all_negative = terms.iter().all(|(negative, _)| *negative) && !terms.is_empty();
        if let Some(first) = terms.iter().position(|(negative, _)| !negative) {
            let first = terms.remove(first);
            terms.insert(0, first);
        }
        let mut sum = self.draft.literal("0.0");
        for (negative, term) in terms {
            let op = if negative != all_negative { BinaryOp::Sub } else { BinaryOp::Add };
            sum = self.draft.binary(op, sum, term);
        }
        (all_negative, sum)
    }

    fn signed(&mut self, (negative, a): Term) -> ExprId {
        if negative { self.draft.neg(a) } else { a }
    }
}

/// Whether a polynomial as text begins with a minus.
fn leads_negatively(polynomial: &Polynomial) -> bool {
    polynomial.terms().last().is_some_and(|(coefficient, _)| coefficient.is_negative())
}
