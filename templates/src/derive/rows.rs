//! Products of a matrix of exact numbers and a vector as formulas.
//!
//! A row is written as a sum of `coefficient * (sum of products of coordinates) * (sum of components of the vector)`, where
//! a coefficient is a number that is the same at all states. Other denominators are cleared by a common factor first.

use super::chart::Chart;
use super::draft::Draft;
use super::number::{Generator, Number, Stop};
use super::tower::Tower;
use crate::algebra::{Integer, Polynomial, Rational, Ring};
use crate::ir::{BinaryOp, ExprId, MathFn};

/// Writes rows into a function.
pub(super) struct Rows<'a> {
    tower: &'a Tower,
    chart: &'a Chart<'a>,
    /// The function.
    pub(super) draft: Draft,
    /// Whether each variable of the tower is the same at all states.
    constant: Vec<bool>,
    /// Expressions of the variables that were needed so far.
    variables: Vec<Option<ExprId>>,
    /// Reciprocals of denominators.
    scales: Vec<(Number, ExprId)>,
}

/// Powers of the variables.
type Powers = Vec<usize>;

/// An expression, and whether it is subtracted.
type Term = (bool, ExprId);

/// `(Σ ± product) · (Σ ± component)`, components by their indices.
struct Product {
    products: Vec<(bool, Powers)>,
    components: Vec<(bool, usize)>,
}

/// Products with one coefficient.
struct Group {
    coefficient: Number,
    parts: Vec<Product>,
}

impl<'a> Rows<'a> {
    /// Rows of numbers of a tower over the coordinates of a chart.
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
        let entries = row.iter().map(|entry| self.tower.mul(entry, &common)).collect::<Result<Vec<_>, _>>()?;
        let sum = self.combination(&entries, vector)?;
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

    /// The terms of a polynomial in the variables that are not constant: their powers, with constant coefficients.
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
        let one = self.draft.literal("1.0");
        self.combination(std::slice::from_ref(a), &[one])
    }

    /// `Σ_j row_j vector_j` of entries whose denominators do not depend on the state.
    fn combination(&mut self, row: &[Number], vector: &[ExprId]) -> Result<Term, Stop> {
        let mut terms = Vec::new();
        for Group { coefficient, parts } in self.groups(row)? {
            let mut sum = Vec::new();
            for Product { products, components } in parts {
                let components = components.into_iter().map(|(negative, j)| (negative, vector[j])).collect();
                let mut factors = Vec::new();
                for (negative, powers) in products {
                    factors.push((negative, self.product(&powers)?));
                }
                let [(n, factors), (m, components)] = [self.sum(factors), self.sum(components)];
                sum.push((n != m, self.draft.binary(BinaryOp::Mul, factors, components)));
            }
            let (negative, sum) = self.sum(sum);
            let coefficient = self.coefficient(&coefficient)?;
            terms.push((negative, self.draft.binary(BinaryOp::Mul, coefficient, sum)));
        }
        Ok(self.sum(terms))
    }

    /// The terms of a row, grouped by their coefficients and, within each group, by their components.
    fn groups(&self, row: &[Number]) -> Result<Vec<Group>, Stop> {
        let mut groups: Vec<Group> = Vec::new();
        for (j, entry) in row.iter().enumerate().filter(|(_, entry)| !entry.is_zero()) {
            let fraction = self.tower.fraction(entry);
            let denominator = self.polynomial_number(&fraction.denominator())?;
            for (powers, coefficient) in self.split(&fraction.numerator()) {
                let negative = leads_negatively(&coefficient);
                let coefficient = self.tower.div(&self.polynomial_number(&coefficient)?, &denominator)?;
                let coefficient = if negative { self.tower.neg(&coefficient) } else { coefficient };
                let mut known = None;
                for (i, group) in groups.iter().enumerate() {
                    if self.tower.sub(&group.coefficient, &coefficient)?.is_zero() {
                        known = Some(i);
                    }
                }
                let group = known.unwrap_or_else(|| {
                    groups.push(Group { coefficient, parts: Vec::new() });
                    groups.len() - 1
                });
                let parts = &mut groups[group].parts;
                match parts.iter_mut().find(|part| part.products[0].1 == powers) {
                    Some(part) => part.components.push((negative, j)),
                    None => parts.push(Product { products: vec![(false, powers)], components: vec![(negative, j)] }),
                }
            }
        }
        for group in &mut groups {
            let mut merged: Vec<Product> = Vec::new();
            for part in std::mem::take(&mut group.parts) {
                match merged.iter_mut().find_map(|known| Some((same(&known.components, &part.components)?, known))) {
                    Some((negative, known)) => {
                        known.products.extend(part.products.into_iter().map(|(n, powers)| (n != negative, powers)));
                    }
                    None => merged.push(part),
                }
            }
            group.parts = merged;
        }
        Ok(groups)
    }

    /// A number that is the same at all states, and whose numerator does not begin with a minus.
    fn coefficient(&mut self, a: &Number) -> Result<ExprId, Stop> {
        let fraction = self.tower.fraction(a);
        let (numerator, denominator) = (fraction.numerator(), fraction.denominator());
        if let Some(constant) = denominator.as_constant() {
            let factor = Rational::from(constant).inv();
            if let Some(numerator) = numerator.as_constant() {
                return Ok(self.draft.rational(&(factor * Rational::from(numerator))));
            }
            let factor = self.draft.rational(&factor);
            let sum = self.polynomial(&numerator)?;
            return Ok(self.draft.binary(BinaryOp::Mul, factor, sum));
        }
        let [sum, divisor] = [self.polynomial(&numerator)?, self.polynomial(&denominator)?];
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
                // √q with the sign of a is √(a² q) / a.
                let square = self.polynomial_number(square)?;
                let square = self.tower.mul(&square, &self.tower.powi(orientation, 2)?)?;
                let root = apply(self, MathFn::Sqrt, &[&square])?;
                let root = self.draft.bind("root", root);
                let inverse = self.quotient(&self.tower.powi(orientation, -1)?)?;
                self.draft.binary(BinaryOp::Mul, inverse, root)
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

    /// The sum of terms; one that is not subtracted comes first.
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

/// Whether the signs of two sums of components differ, if the sums are equal up to the sign.
fn same(a: &[(bool, usize)], b: &[(bool, usize)]) -> Option<bool> {
    let negative = a[0].0 != b[0].0;
    let equal = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.1 == b.1 && (a.0 != b.0) == negative);
    equal.then_some(negative)
}

/// Whether a polynomial as text begins with a minus.
fn leads_negatively(polynomial: &Polynomial) -> bool {
    polynomial.terms().last().is_some_and(|(coefficient, _)| coefficient.is_negative())
}
