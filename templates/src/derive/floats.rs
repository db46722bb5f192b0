//! Laws evaluated in double precision: thousands of states cost less than one in exact arithmetic.

use std::collections::{BTreeMap, BTreeSet};

use super::budget;
use super::dual::{Dual, Duals};
use super::number::Stop;
use super::setting::{Inputs, QUADRATURE};
use crate::ir::{BinaryOp, Domain, FunctionId, Law, MathFn, Role, Span, call, flatten};

/// Evaluation in double precision. What has no finite value stops it.
#[derive(Debug, Default)]
pub struct Floats {
    /// Where the law asked for the last operation.
    pub place: Span,
    /// If they are wanted, the branches.
    branches: Option<Branches>,
    /// If they are wanted, those of [`Operands`].
    operands: Option<Vec<(Span, f64)>>,
    /// The least distance of two numbers that were compared.
    closest: Option<f64>,
    /// The number of operations.
    operations: u64,
}

/// The branches of an evaluation.
#[derive(Debug, Default)]
struct Branches {
    /// Those that were taken: the place of an `if`, and whether its condition held; or that of a `min` or `max`, and whether it is its
    /// second operand.
    taken: BTreeSet<(Span, bool)>,
    /// For each `min` and `max` the distance of its operands relative to the larger, the least so far.
    gaps: BTreeMap<Span, f64>,
}

/// The operands on which it depends whether a function is defined.
#[derive(Debug)]
pub struct Operands {
    /// The divisors and the arguments of roots, logarithms and powers in the order of evaluation, each with the place of its operation.
    pub values: Vec<(Span, f64)>,
    /// The least distance of two numbers that were compared, if any were.
    pub closest: Option<f64>,
}

impl Floats {
    fn operand(&mut self, value: f64) {
        let place = self.place;
        if let Some(operands) = &mut self.operands {
            operands.push((place, value));
        }
    }
}

impl Drop for Floats {
    fn drop(&mut self) {
        budget::doubles(self.operations);
    }
}

fn finite(value: f64) -> Result<f64, Stop> {
    if value.is_finite() { Ok(value) } else { Err(Stop::TooLarge) }
}

impl Domain for Floats {
    type Real = f64;
    type Bool = bool;
    type Error = Stop;

    fn place(&mut self, span: Span) {
        self.place = span;
    }

    fn literal(&mut self, text: &str) -> Result<f64, Stop> {
        text.parse().map_err(|_| Stop::Literal)
    }

    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn neg(&mut self, a: &f64) -> Result<f64, Stop> {
        Ok(-a)
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &f64, b: &f64) -> Result<f64, Stop> {
        self.operations += 1;
        if op == BinaryOp::Div {
            self.operand(*b);
        }
        match op {
            BinaryOp::Add => finite(a + b),
            BinaryOp::Sub => finite(a - b),
            BinaryOp::Mul => finite(a * b),
            _ if *b == 0.0 => Err(Stop::DivisionByZero),
            _ => finite(a / b),
        }
    }

    fn compare(&mut self, op: BinaryOp, a: &f64, b: &f64) -> Result<bool, Stop> {
        let distance = (a - b).abs();
        self.closest = Some(self.closest.map_or(distance, |closest| closest.min(distance)));
        Ok(match op {
            BinaryOp::Lt => a < b,
            BinaryOp::Gt => a > b,
            BinaryOp::Le => a <= b,
            _ => a >= b,
        })
    }

    fn logic(&mut self, op: BinaryOp, a: &bool, b: &bool) -> Result<bool, Stop> {
        let decisive = op == BinaryOp::Or;
        if let Some(Branches { taken, .. }) = &mut self.branches {
            let operands = [(*a, false), (*b, true)].into_iter().filter(|(operand, _)| *operand == decisive);
            taken.extend(operands.map(|(_, second)| (self.place, second)));
        }
        Ok(if decisive { *a || *b } else { *a && *b })
    }

    fn not(&mut self, a: &bool) -> Result<bool, Stop> {
        Ok(!a)
    }

    fn math(&mut self, f: MathFn, args: &[f64]) -> Result<f64, Stop> {
        let a = args[0];
        self.operations += 1;
        if matches!(f, MathFn::Sqrt | MathFn::Ln | MathFn::Powf | MathFn::Powi(..0)) {
            self.operand(a);
        }
        match f {
            MathFn::Sqrt if a < 0.0 => Err(Stop::NegativeRoot),
            MathFn::Sqrt => Ok(a.sqrt()),
            MathFn::Cbrt => Ok(a.cbrt()),
            MathFn::Abs => Ok(a.abs()),
            MathFn::Min | MathFn::Max => {
                let b = args[1];
                let second = if f == MathFn::Min { b < a } else { a < b };
                if let Some(Branches { taken, gaps }) = &mut self.branches {
                    let gap = gaps.entry(self.place).or_insert(1.0);
                    *gap = gap.min((a - b).abs() / a.abs().max(b.abs()));
                    // Equal operands take neither side.
                    if a != b {
                        taken.insert((self.place, second));
                    }
                }
                Ok(if second { b } else { a })
            }
            MathFn::Powi(n) if n < 0 && a == 0.0 => Err(Stop::DivisionByZero),
            MathFn::Powi(n) => finite(a.powi(n)),
            MathFn::Powf if a < 0.0 && args[1].fract() != 0.0 || a == 0.0 && args[1] < 0.0 => Err(Stop::NotPositive),
            MathFn::Powf => finite(a.powf(args[1])),
            MathFn::Exp => finite(a.exp()),
            MathFn::Ln if a <= 0.0 => Err(Stop::NotPositive),
            MathFn::Ln => Ok(a.ln()),
            MathFn::Sin => Ok(a.sin()),
            MathFn::Cos => Ok(a.cos()),
            MathFn::Tan => finite(a.tan()),
            MathFn::Tanh => Ok(a.tanh()),
            MathFn::Atan2 if a == 0.0 && args[1] == 0.0 => Err(Stop::DivisionByZero),
            MathFn::Atan2 => Ok(a.atan2(args[1])),
        }
    }

    fn decide(&mut self, condition: &bool) -> Option<bool> {
        if let Some(Branches { taken, .. }) = &mut self.branches {
            taken.insert((self.place, *condition));
        }
        Some(*condition)
    }

    fn select(&mut self, condition: &bool, a: &f64, b: &f64) -> Result<f64, Stop> {
        Ok(if *condition { *a } else { *b })
    }
}

impl Inputs<f64> {
    /// The components of a function's value.
    ///
    /// # Errors
    /// Where the function has no finite value.
    pub fn call(&self, law: &Law, id: FunctionId) -> Result<Vec<f64>, Stop> {
        Ok(flatten(&call(&mut Floats::default(), law, id, &self.arguments(law, id))?))
    }

    /// The branches that a function takes.
    ///
    /// # Errors
    /// As [`Inputs::call`].
    pub fn branches(&self, law: &Law, id: FunctionId) -> Result<BTreeSet<(Span, bool)>, Stop> {
        Ok(self.with_branches(law, id)?.taken)
    }

    /// The operands that a function meets, up to the first operation that is undefined.
    pub fn operands(&self, law: &Law, id: FunctionId) -> Operands {
        let mut floats = Floats::default();
        floats.operands = Some(Vec::new());
        // An undefined operation is among them.
        let _ = call(&mut floats, law, id, &self.arguments(law, id));
        Operands { values: floats.operands.take().unwrap_or_default(), closest: floats.closest }
    }

    /// The distance of the operands of a `min` or `max` relative to the larger, where a function meets it.
    pub fn gap(&self, law: &Law, id: FunctionId, place: Span) -> Option<f64> {
        self.with_branches(law, id).ok()?.gaps.remove(&place)
    }

    fn with_branches(&self, law: &Law, id: FunctionId) -> Result<Branches, Stop> {
        let mut floats = Floats::default();
        floats.branches = Some(Branches::default());
        call(&mut floats, law, id, &self.arguments(law, id))?;
        Ok(floats.branches.take().unwrap_or_default())
    }

    /// The flux in direction of the normal, `Σ_d n_d F_d`.
    ///
    /// # Errors
    /// As [`Inputs::call`].
    pub fn normal_flux(&self, law: &Law) -> Result<Vec<f64>, Stop> {
        let Some(id) = law.only(&Role::Flux) else { return Ok(Vec::new()) };
        let (flux, m) = (self.call(law, id)?, law.state.fields.len());
        Ok((0..m).map(|i| self.normal.iter().enumerate().map(|(d, n)| n * flux[d * m + i]).sum()).collect())
    }

    /// The matrix in direction of the normal, `Σ_d n_d A_d`, at the left state: the Jacobian of the flux, and that of a non-conservative
    /// product.
    ///
    /// # Errors
    /// As [`Inputs::call`].
    pub fn normal_jacobian(&self, law: &Law) -> Result<Vec<Vec<f64>>, Stop> {
        let Some(id) = law.only(&Role::Flux) else { return Ok(Vec::new()) };
        let (all, m) = (self.gradients(law, id)?, law.state.fields.len());
        let entry = |i: usize, j: usize| self.normal.iter().enumerate().map(|(d, n)| n * all[d * m + i][j]).sum();
        let mut matrix: Vec<Vec<f64>> = (0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect();
        if let Some(id) = law.only(&Role::Nonconservative) {
            let at_rest = Inputs { right: vec![0.0; m + law.medium.fields.len()], ..self.clone() };
            for (row, product) in matrix.iter_mut().zip(at_rest.gradients(law, id)?) {
                row.iter_mut().zip(&product[m..]).for_each(|(a, b)| *a += b);
            }
        }
        Ok(matrix)
    }

    /// The non-conservative product at the jump from the left state to the right one: that which the law gives, or its mean along the straight
    /// way; zero without one.
    ///
    /// # Errors
    /// As [`Inputs::call`].
    pub fn product_at_jump(&self, law: &Law) -> Result<Vec<f64>, Stop> {
        let mut product = vec![0.0; self.left.len()];
        if let Some(id) = law.only(&Role::Jump) {
            return self.call(law, id);
        }
        let Some(id) = law.only(&Role::Nonconservative) else { return Ok(product) };
        let jump: Vec<f64> = self.right.iter().zip(&self.left).map(|(r, l)| r - l).collect();
        // The medium does not jump.
        let change = [&jump[..], &vec![0.0; law.medium.fields.len()]].concat();
        for (share, weight) in QUADRATURE {
            let left = self.left.iter().zip(&jump).map(|(l, jump)| l + share * jump).collect();
            let there = Inputs { left, right: change.clone(), ..self.clone() }.call(law, id)?;
            product.iter_mut().zip(&there).for_each(|(sum, part)| *sum += weight * part);
        }
        Ok(product)
    }

    /// The derivatives `[i][j]` of the components of a function of states: by the left state's, then, if the function takes two,
    /// by the right one's.
    ///
    /// # Errors
    /// As [`Inputs::call`].
    pub fn gradients(&self, law: &Law, id: FunctionId) -> Result<Vec<Vec<f64>>, Stop> {
        let m = law.state.fields.len();
        let mut duals = self.map(|value| Dual::constant(*value));
        let along = |from: usize, state: &[f64]| {
            state.iter().enumerate().map(|(j, u)| Dual::along(*u, from + j, 1.0)).collect::<Vec<_>>()
        };
        (duals.left, duals.right) = (along(0, &self.left), along(m, &self.right));
        let value = flatten(&call(&mut Duals::new(&mut Floats::default()), law, id, &duals.arguments(law, id))?);
        Ok(value.iter().map(|v| (0..2 * m).map(|j| v.derivative(j).copied().unwrap_or(0.0)).collect()).collect())
    }

    /// Whether the left state is admissible, and flux and eigenvalues are defined there.
    pub fn is_admissible(&self, law: &Law) -> bool {
        self.is_within(law, |quantity| quantity > 0.0)
    }

    /// The same of a state that may also be at the edge of those that are admissible, where a quantity is zero.
    pub fn is_on_edge(&self, law: &Law) -> bool {
        self.is_within(law, |quantity| quantity >= 0.0)
    }

    fn is_within(&self, law: &Law, holds: impl Fn(f64) -> bool) -> bool {
        let hold = |id| self.call(law, id).is_ok_and(|values| values.into_iter().all(&holds));
        law.only(&Role::Admissible).is_none_or(hold)
            && law
                .with_role(|role| matches!(role, Role::Flux | Role::Eigenvalues | Role::WaveSpeed))
                .all(|id| self.call(law, id).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra;
    use crate::check::laws::{BURGERS, EULER, MHD, SHALLOW_WATER};
    use crate::check::testing::law;
    use crate::derive::{Number, Points, Setting};

    #[test]
    fn double_precision_and_ninety_digits_agree() {
        for (name, text) in [("euler", EULER), ("burgers", BURGERS), ("mhd", MHD), ("shallow_water", SHALLOW_WATER)] {
            let law = &law(name, text).law;
            let mut compared = 0;
            algebra::session("tests", || {
                let mut points = Points::new(law, 11);
                for point in (0..20).filter_map(|_| points.admissible()) {
                    let floats = point.map(|value| value.to_f64());
                    assert!(floats.is_admissible(law), "{name}");
                    for id in law.with_role(|_| true) {
                        let (mut setting, inputs) = Setting::approximate(law, &point);
                        let (exact, found) = (setting.call(id, &inputs), floats.call(law, id));
                        let (Ok(exact), Ok(found)) = (exact, found) else { continue };
                        let exact: Vec<f64> = exact.iter().map(Number::to_f64).collect();
                        let scale = exact.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
                        for (a, b) in exact.iter().zip(&found) {
                            assert!((a - b).abs() <= 1e-11 * scale, "{}: {a} and {b}", law.function(id).name);
                            compared += 1;
                        }
                    }
                }
            })
            .unwrap();
            assert!(compared > 100, "{name}: {compared}");
        }
    }
}
