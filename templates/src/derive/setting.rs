//! A law at a point: its functions evaluated with exact numbers or with variables.

use super::dual::{Dual, Duals};
use super::lazy::{Lazy, Undefined};
use super::number::{Number, Stop};
use super::tower::Tower;
use crate::algebra::Rational;
use crate::ir::{AXES, FunctionId, Law, Role, Type, Value, call, flatten};

/// The largest number of terms of a fraction in a symbolic proof.
const SYMBOLIC_LIMIT: usize = 3000;

/// The largest number of terms of a number at a rational point, where only generators occur.
const CONSTANT_LIMIT: usize = 4000;

/// The arguments of a law's functions.
#[derive(Clone, Debug)]
pub struct Inputs<R> {
    /// Parameter values.
    pub parameters: Vec<R>,
    /// The state; for a numerical flux the left one, for a function of other variables their values.
    pub left: Vec<R>,
    /// The right state of a numerical flux; for a non-conservative product the change of the state, and behind it that of the medium. Where
    /// the latter is missing, the medium itself stands for it.
    pub right: Vec<R>,
    /// A unit normal.
    pub normal: Vec<R>,
    /// A position.
    pub position: Vec<R>,
    /// Time.
    pub time: R,
}

/// Inputs that are rational numbers.
pub type Point = Inputs<Rational>;

impl<R: Clone> Inputs<R> {
    /// The inputs under a map of each number.
    pub fn map<T>(&self, mut f: impl FnMut(&R) -> T) -> Inputs<T> {
        let mut all = |numbers: &[R]| numbers.iter().map(&mut f).collect();
        Inputs {
            parameters: all(&self.parameters),
            left: all(&self.left),
            right: all(&self.right),
            normal: all(&self.normal),
            position: all(&self.position),
            time: f(&self.time),
        }
    }

    /// The arguments of a function of the law.
    pub(super) fn arguments<B>(&self, law: &Law, id: FunctionId) -> Vec<Value<R, B>> {
        let elements = |numbers: &[R]| Value::Elements(numbers.iter().cloned().map(Value::Real).collect());
        let components = law.state.fields.len().min(self.right.len());
        let mut states = [&self.left[..], &self.right[..components]].into_iter();
        let function = law.function(id);
        let mut reals = if function.role == Role::Variables { &self.left[..] } else { &[] }.iter();
        function
            .signature()
            .map(|ty| match ty {
                Type::State => elements(states.next().unwrap_or(&self.right[..components])),
                Type::Parameters => elements(&self.parameters),
                Type::Medium => {
                    let given = &self.right[components..];
                    elements(if given.is_empty() { &self.parameters[..law.medium.fields.len()] } else { given })
                }
                Type::Normal => elements(&self.normal),
                Type::Point => elements(&self.position),
                // A gradient; a single state stands for its part in every direction.
                Type::Array(element, length) if **element == Type::State => {
                    let part =
                        |d: usize| match self.right.get(d * law.state.fields.len()..(d + 1) * law.state.fields.len()) {
                            Some(part) => elements(part),
                            None => elements(&self.right[..components]),
                        };
                    Value::Elements((0..*length).map(part).collect())
                }
                Type::Array(_, length) => {
                    Value::Elements(reals.by_ref().take(*length).cloned().map(Value::Real).collect())
                }
                _ => Value::Real(reals.next().unwrap_or(&self.time).clone()),
            })
            .collect()
    }
}

/// The points and weights of Gauss's quadrature on (0, 1) of order 8.
pub(super) const QUADRATURE: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// A law whose functions can be evaluated.
pub struct Setting<'a> {
    /// The law.
    pub law: &'a Law,
    /// The numbers.
    pub tower: Tower,
}

impl<'a> Setting<'a> {
    /// A law at a point of rational numbers.
    pub fn constant(law: &'a Law, point: &Point) -> (Self, Inputs<Number>) {
        let inputs = point.map(|value| Number::Rational(value.clone()));
        (Self { law, tower: Tower::new(CONSTANT_LIMIT) }, inputs)
    }

    /// A law at a point, with roots and functions as numbers of some 90 digits.
    pub fn approximate(law: &'a Law, point: &Point) -> (Self, Inputs<Number>) {
        let inputs = point.map(|value| Number::Rational(value.clone()));
        (Self { law, tower: Tower::approximate() }, inputs)
    }

    /// A law in free variables whose signs are those at `point`.
    ///
    /// # Errors
    /// When the law has too many variables.
    pub fn symbolic(law: &'a Law, point: &Point) -> Result<(Self, Inputs<Number>), Stop> {
        Self::symbolic_within(law, point, SYMBOLIC_LIMIT)
    }

    /// The same with another limit on the number of terms of a fraction.
    ///
    /// # Errors
    /// As [`Setting::symbolic`].
    pub fn symbolic_within(law: &'a Law, point: &Point, limit: usize) -> Result<(Self, Inputs<Number>), Stop> {
        let mut tower = Tower::new(limit);
        let fields = |record: &crate::ir::Record| record.fields.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
        let axes = |prefix: &str| AXES[..law.dim].iter().map(|axis| format!("{prefix}.{axis}")).collect::<Vec<_>>();
        let mut variables = |names: Vec<String>, values: &[Rational]| {
            names
                .into_iter()
                .zip(values)
                .map(|(name, value)| tower.variable(name, value))
                .collect::<Result<Vec<_>, _>>()
        };
        let parameters = variables(fields(&law.parameters), &point.parameters)?;
        let left = variables(fields(&law.state), &point.left)?;
        let right = variables(fields(&law.state).iter().map(|name| format!("r.{name}")).collect(), &point.right)?;
        let position = variables(axes("x"), &point.position)?;
        let time = tower.variable("t".into(), &point.time)?;
        let normal = tower.normal(&axes("n"), &point.normal)?;
        Ok((Self { law, tower }, Inputs { parameters, left, right, normal, position, time }))
    }

    /// Whether the results of a symbolic setting so far hold at another point: every sign that they depend on is the
    /// same there.
    pub fn holds_at(&self, point: &Point) -> bool {
        let Inputs { parameters, left, right, normal, position, time } = point;
        let time = std::slice::from_ref(time);
        self.tower.holds_at(&[&**parameters, left, right, position, time, normal].concat())
    }

    /// The components of a function's value.
    ///
    /// # Errors
    /// When the function is undefined there, or expressions grow too large.
    pub fn call(&mut self, id: FunctionId, inputs: &Inputs<Number>) -> Result<Vec<Number>, Stop> {
        Ok(flatten(&call(&mut self.tower, self.law, id, &inputs.arguments(self.law, id))?))
    }

    /// The components of a function's value, of which only those are undefined that depend on an undefined operation.
    pub fn call_lazily(&mut self, id: FunctionId, inputs: &Inputs<Number>) -> Vec<Result<Number, Undefined>> {
        let inputs = inputs.map(|number| Ok(number.clone()));
        let Ok(value) = call(&mut Lazy { tower: &mut self.tower }, self.law, id, &inputs.arguments(self.law, id));
        flatten(&value)
    }

    /// The components of a function's value with derivatives.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn call_dual(&mut self, id: FunctionId, inputs: &Inputs<Dual>) -> Result<Vec<Dual>, Stop> {
        Ok(flatten(&call(&mut Duals::new(&mut self.tower), self.law, id, &inputs.arguments(self.law, id))?))
    }

    /// The flux, `[d][i]`.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn flux(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
        let Some(id) = self.law.only(&Role::Flux) else { return Ok(Vec::new()) };
        let components = self.call(id, inputs)?;
        Ok(components.chunks(self.law.state.fields.len()).map(<[_]>::to_vec).collect())
    }

    /// The flux in direction of the normal, `Σ_d n_d F_d`.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn normal_flux(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Number>, Stop> {
        let flux = self.flux(inputs)?;
        let m = self.law.state.fields.len();
        (0..m).map(|i| self.dot(&inputs.normal, flux.iter().map(|f| &f[i]))).collect()
    }

    /// `Σ a_k b_k`.
    pub fn dot<'n>(&self, a: &[Number], b: impl Iterator<Item = &'n Number>) -> Result<Number, Stop> {
        let mut sum = Number::Rational(Rational::from(0));
        for (a, b) in a.iter().zip(b) {
            sum = self.tower.add(&sum, &self.tower.mul(a, b)?)?;
        }
        Ok(sum)
    }

    /// The matrices `[d][i][j]` of the law in quasi-linear form, `∂u/∂t + Σ_d A_d ∂u/∂x_d`: those of the flux, and of a non-conservative
    /// product.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn jacobians(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Vec<Vec<Number>>>, Stop> {
        let (mut jacobians, products) = (self.flux_jacobians(inputs)?, self.products(inputs)?);
        for (a, b) in jacobians.iter_mut().flatten().flatten().zip(products.iter().flatten().flatten()) {
            *a = self.tower.add(a, b)?;
        }
        Ok(jacobians)
    }

    /// The matrices B_d of a non-conservative product, `[d][i][j]`; none where the law has no such product.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn products(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Vec<Vec<Number>>>, Stop> {
        let Some(id) = self.law.only(&Role::Nonconservative) else { return Ok(Vec::new()) };
        let (m, fields) = (self.law.state.fields.len(), self.law.medium.fields.len());
        let whole = |n: i64| Number::Rational(Rational::from(n));
        let mut duals = inputs.map(|number| Dual::constant(number.clone()));
        duals.right = (0..m).map(|j| Dual::variable(whole(0), j)).collect();
        duals.right.extend((0..fields).map(|_| Dual::constant(whole(0))));
        let mut products = Vec::new();
        for direction in 0..self.law.dim {
            let axis = |d: usize| Dual::constant(whole(i64::from(d == direction)));
            duals.normal = (0..self.law.dim).map(axis).collect();
            let components = self.call_dual(id, &duals)?;
            products.push(components.iter().map(|row| (0..m).map(|j| row.partial(j)).collect()).collect());
        }
        Ok(products)
    }

    /// The Jacobians `[d][i][j]` = ∂F_d,i/∂u_j.
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn flux_jacobians(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Vec<Vec<Number>>>, Stop> {
        let Some(id) = self.law.only(&Role::Flux) else { return Ok(Vec::new()) };
        let m = self.law.state.fields.len();
        let mut duals = inputs.map(|number| Dual::constant(number.clone()));
        duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
        let components = self.call_dual(id, &duals)?;
        let row = |component: &Dual| (0..m).map(|j| component.partial(j)).collect();
        Ok(components.chunks(m).map(|flux| flux.iter().map(row).collect()).collect())
    }

    /// The matrix in direction of the normal, `Σ_d n_d A_d`; see [`Setting::jacobians`].
    ///
    /// # Errors
    /// As [`Setting::call`].
    pub fn normal_jacobian(&mut self, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
        let jacobians = self.jacobians(inputs)?;
        let m = self.law.state.fields.len();
        let entry = |i: usize, j: usize| self.dot(&inputs.normal, jacobians.iter().map(|a| &a[i][j]));
        (0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect()
    }
}
