//! Coordinates in which formulas of a law are short: quantities that the law's author named instead of components.
//!
//! With ρ, v₁ = ρv₁/ρ, … and c = √(γ p / ρ) instead of the density, the momentum and the energy, formulas derived from
//! the Euler equations have no roots, and read as in textbooks. A quantity replaces a component of the state in which
//! it or its square is linear, or a parameter if it depends on parameters alone.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::number::{Number, Stop};
use super::setting::{Inputs, Point, Setting};
use super::tower::Tower;
use crate::algebra::{Polynomial, Rational, rational};
use crate::ir::{BinaryOp, Expr, ExprId, ExprKind, Function, FunctionId, Law, LocalId, Pattern, Role, Type, UnaryOp};

/// The indices of a derived function's arguments: the state, the vector that it maps, and the parameters.
const STATE: usize = 0;
pub(super) const SECOND: usize = 1;
const PARAMETERS: usize = 2;

/// Coordinates for parameters and state, in this order: each of them itself, or a quantity that replaces it.
pub(super) struct Chart<'a> {
    law: &'a Law,
    direction: usize,
    /// Quantities by the index of the parameter or component that they replace.
    quantities: BTreeMap<usize, Quantity>,
}

/// `x^power = (linear · replaced + constant) / denominator`, polynomials in parameters and components.
struct Quantity {
    function: FunctionId,
    local: LocalId,
    value: Number,
    power: i64,
    linear: Polynomial,
    constant: Polynomial,
    denominator: Polynomial,
}

impl Quantity {
    fn depends_on(&self, variable: usize) -> bool {
        [&self.linear, &self.constant, &self.denominator].iter().any(|polynomial| polynomial.degree(variable) > 0)
    }
}

impl<'a> Chart<'a> {
    /// Parameters and components themselves.
    pub(super) fn plain(law: &'a Law, direction: usize) -> Self {
        Self { law, direction, quantities: BTreeMap::new() }
    }

    /// Quantities that the functions for eigenvalues and flux bind, those with linear squares (roots) before others.
    ///
    /// # Errors
    /// When the law cannot be evaluated.
    pub(super) fn of_quantities(law: &'a Law, direction: usize, point: &Point) -> Result<Self, Stop> {
        let mut chart = Self::plain(law, direction);
        let (mut probe, mut bound) = (law.clone(), Vec::new());
        for id in [Role::Eigenvalues, Role::Flux].iter().filter_map(|role| law.only(role)) {
            let locals: Vec<_> = chart.bound_reals(law.function(id)).collect();
            bound.extend(locals.iter().map(|&local| (id, local)));
            probe.functions.push(returning(law.function(id), locals));
        }
        let (mut setting, mut inputs) = Setting::symbolic(&probe, point)?;
        inputs.normal = axis(law, direction);
        let mut values = Vec::new();
        for i in law.functions.len()..probe.functions.len() {
            values.extend(setting.call(FunctionId(i), &inputs)?);
        }
        for power in [2, 1] {
            for (&(function, local), value) in bound.iter().zip(&values) {
                chart.add(&setting.tower, function, local, value, power)?;
            }
        }
        Ok(chart)
    }

    /// Adds a quantity if it can replace a component or parameter that no other replaces.
    fn add(
        &mut self,
        tower: &Tower,
        function: FunctionId,
        local: LocalId,
        value: &Number,
        power: i64,
    ) -> Result<(), Stop> {
        let Number::General(general) = tower.powi(value, power)? else { return Ok(()) };
        let (numerator, denominator) = (general.fraction.numerator(), general.fraction.denominator());
        let (parameters, size) = (self.law.parameters.fields.len(), self.size());
        if (size..tower.generators().len()).any(|i| numerator.degree(i) + denominator.degree(i) > 0) {
            return Ok(());
        }
        let varies = (parameters..size).any(|i| numerator.degree(i) + denominator.degree(i) > 0);
        for replaced in if varies { parameters..size } else { 0..parameters } {
            let free = numerator.degree(replaced) == 1 && denominator.degree(replaced) == 0;
            if !free || self.quantities.contains_key(&replaced) {
                continue;
            }
            let parts = numerator.coefficients_of(replaced);
            let part = |power| parts.iter().find(|(_, p)| *p == power).map(|(part, _)| part.clone());
            let Some(linear) = part(1) else { continue };
            let constant = part(0).unwrap_or_else(|| linear.sub(&linear));
            let denominator = denominator.clone();
            let quantity = Quantity { function, local, value: value.clone(), power, linear, constant, denominator };
            let cyclic = (0..size).any(|i| quantity.depends_on(i) && self.reaches(i, replaced));
            if !cyclic {
                self.quantities.insert(replaced, quantity);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the expression of one variable in the coordinates needs another variable.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let next = |quantity: &Quantity| (0..self.size()).any(|i| quantity.depends_on(i) && self.reaches(i, to));
        from == to || self.quantities.get(&from).is_some_and(next)
    }

    /// The number of coordinates.
    fn size(&self) -> usize {
        self.law.parameters.fields.len() + self.law.state.fields.len()
    }

    /// The law in these coordinates, in direction of the axis, near a point.
    ///
    /// # Errors
    /// When the coordinates do not work there, or expressions grow larger than `limit`.
    pub(super) fn setting(&self, point: &Point, limit: usize) -> Result<(Setting<'a>, Inputs<Number>), Stop> {
        let mut tower = Tower::new(limit);
        let fields = self.law.parameters.fields.iter().chain(&self.law.state.fields);
        let mut coordinates = Vec::new();
        for (i, (field, value)) in fields.zip(point.parameters.iter().chain(&point.left)).enumerate() {
            let value = match self.quantities.get(&i) {
                Some(quantity) => rational(quantity.value.to_f64()).ok_or(Stop::TooLarge)?,
                None => value.clone(),
            };
            coordinates.push(tower.variable(field.name.clone(), &value)?);
        }
        let mut all: Vec<_> =
            (0..self.size()).map(|i| self.resolve(&tower, &coordinates, i)).collect::<Result<_, _>>()?;
        let left = all.split_off(self.law.parameters.fields.len());
        let normal = axis(self.law, self.direction);
        let zero = Number::Rational(Rational::from(0));
        let position = vec![zero.clone(); self.law.dim];
        let inputs = Inputs { parameters: all, right: left.clone(), left, normal, position, time: zero };
        Ok((Setting { law: self.law, tower }, inputs))
    }

    /// A parameter or component in the coordinates.
    fn resolve(&self, tower: &Tower, coordinates: &[Number], i: usize) -> Result<Number, Stop> {
        let Some(quantity) = self.quantities.get(&i) else { return Ok(coordinates[i].clone()) };
        let at = |polynomial| tower.polynomial_at(polynomial, &|k| self.resolve(tower, coordinates, k));
        let power = tower.powi(&coordinates[i], quantity.power)?;
        let scaled = tower.mul(&power, &at(&quantity.denominator)?)?;
        tower.div(&tower.sub(&scaled, &at(&quantity.constant)?)?, &at(&quantity.linear)?)
    }

    /// Whether a coordinate is the same at all states.
    pub(super) fn is_constant(&self, i: usize) -> bool {
        let parameters = self.law.parameters.fields.len();
        match self.quantities.get(&i) {
            Some(quantity) => !(parameters..self.size()).any(|k| k == i || quantity.depends_on(k)),
            None => i < parameters,
        }
    }

    /// A coordinate as an expression; a quantity is bound under its name, after the variables that it needs.
    pub(super) fn expression(&self, draft: &mut Draft, i: usize) -> ExprId {
        let parameters = self.law.parameters.fields.len();
        if let Some(quantity) = self.quantities.get(&i) {
            let function = self.law.function(quantity.function);
            if let Some(copy) = self.local(draft, function, quantity.local) {
                return copy;
            }
        }
        let of = draft.argument(if i < parameters { PARAMETERS } else { STATE });
        draft.field(of, if i < parameters { i } else { i - parameters })
    }

    /// The real numbers that a function binds and that can be computed from state and parameters elsewhere.
    fn bound_reals(&self, function: &'a Function) -> impl Iterator<Item = LocalId> {
        let locals = (function.parameters..function.locals.len()).map(LocalId);
        let copied = |local: &LocalId| {
            let mut scratch = derived_function(self.law, function, "", Type::State);
            function.locals[local.0].ty == Type::Real && self.local(&mut scratch, function, *local).is_some()
        };
        locals.filter(copied)
    }

    /// Copies a variable of a function, bound under its name.
    fn local(&self, draft: &mut Draft, function: &Function, local: LocalId) -> Option<ExprId> {
        let key = (function.name.clone(), local);
        if let Some(&known) = draft.copies.get(&key) {
            return Some(known);
        }
        let (value, element) = bound_to(function, local)?;
        let value = self.copy(draft, function, value)?;
        let value = element.map_or(value, |i| draft.element(value, i));
        let copy = draft.bind(&function.locals[local.0].name, value);
        draft.copies.insert(key, copy);
        Some(copy)
    }

    /// Copies an expression, with the axis for the normal.
    fn copy(&self, draft: &mut Draft, function: &Function, id: ExprId) -> Option<ExprId> {
        let Expr { kind, ty, .. } = function.expr(id);
        let all = |draft: &mut Draft, ids: &[ExprId]| -> Option<Vec<ExprId>> {
            ids.iter().map(|&id| self.copy(draft, function, id)).collect()
        };
        Some(match kind {
            ExprKind::Literal(text) => draft.literal(text),
            ExprKind::Local(local) if local.0 >= function.parameters => self.local(draft, function, *local)?,
            ExprKind::Local(_) if *ty == Type::State => draft.argument(STATE),
            ExprKind::Local(_) if *ty == Type::Parameters => draft.argument(PARAMETERS),
            ExprKind::Field(of, i) if function.expr(*of).ty == Type::Normal => {
                draft.literal(if *i == self.direction { "1.0" } else { "0.0" })
            }
            ExprKind::Field(of, i) => {
                let of = self.copy(draft, function, *of)?;
                draft.field(of, *i)
            }
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.copy(draft, function, *a)?;
                draft.neg(a)
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div), a, b) => {
                let [a, b] = [*a, *b].map(|id| self.copy(draft, function, id));
                draft.binary(*op, a?, b?)
            }
            ExprKind::Math(f, args) => {
                let args = all(draft, args)?;
                draft.math(*f, args)
            }
            ExprKind::Call(callee, args) => {
                let args = all(draft, args)?;
                draft.copy(ExprKind::Call(*callee, args), ty.clone())
            }
            _ => return None,
        })
    }
}

/// A derived function of the state, of a second argument and of the parameters, with no body yet.
pub(super) fn derived_function<'a>(law: &'a Law, like: &Function, second: &'a str, ty: Type) -> Draft {
    let mut arguments = vec![("u", Type::State), (second, ty)];
    if !law.parameters.fields.is_empty() {
        let of = |function: &'a Function| function.locals.iter().find(|local| local.ty == Type::Parameters);
        let name = law.functions.iter().find_map(of).map_or("parameters", |local| &local.name);
        arguments.push((name, Type::Parameters));
    }
    Draft::new(like.span, &arguments)
}

/// The normal along an axis.
pub(super) fn axis(law: &Law, direction: usize) -> Vec<Number> {
    (0..law.dim).map(|d| Number::Rational(Rational::from(i64::from(d == direction)))).collect()
}

/// The expression that the body of a function binds a variable to, and the index of the element if it binds several.
fn bound_to(function: &Function, local: LocalId) -> Option<(ExprId, Option<usize>)> {
    function.body.lets.iter().find_map(|binding| match &binding.pattern {
        Pattern::Local(bound) => (*bound == local).then_some((binding.value, None)),
        Pattern::Elements(elements) => {
            let i = elements.iter().position(|element| *element == Some(local))?;
            Some(match &function.expr(binding.value).kind {
                ExprKind::Tuple(values) | ExprKind::Array(values) => (values[i], None),
                _ => (binding.value, Some(i)),
            })
        }
    })
}

/// The function that returns an array of its variables instead.
fn returning(function: &Function, locals: Vec<LocalId>) -> Function {
    let mut function = function.clone();
    let mut push = |kind, ty| {
        function.exprs.push(Expr { kind, ty, span: function.span });
        ExprId(function.exprs.len() - 1)
    };
    let result = Type::Array(Box::new(Type::Real), locals.len());
    let values = locals.into_iter().map(|local| push(ExprKind::Local(local), Type::Real)).collect();
    function.body.value = push(ExprKind::Array(values), result.clone());
    Function { role: Role::Helper, result, ..function }
}
