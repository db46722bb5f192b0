//! Expressions and exact numbers as text in the user's names.

use super::number::{Generator, Number};
use super::setting::{Inputs, Point};
use super::tower::Tower;
use crate::algebra::{Polynomial, Rational};
use crate::ir::{
    AXES, BinaryOp, Block, ExprId, ExprKind, FACTOR, Function, FunctionId, Law, LocalId, MathFn, Pattern, Type, UnaryOp,
};

/// How tightly an expression binds: sums 1, products 2, signs 3, atoms 4.
type Level = u8;

/// An expression of a function, close to how the user wrote it.
pub fn expression(law: &Law, function: &Function, id: ExprId) -> String {
    Writer { law, function, inline: Inline::Nothing, caller: None }.expr(id).0
}

/// An expression of a function with the variables that `let` binds replaced by their values.
pub fn inlined(law: &Law, function: &Function, id: ExprId) -> String {
    Writer { law, function, inline: Inline::Names, caller: None }.expr(id).0
}

/// The same of a function that `from` calls, itself or through others, where numbers that it is given are replaced, too.
pub fn inlined_from(law: &Law, from: FunctionId, function: FunctionId, id: ExprId) -> String {
    let calls = calls(law, from, function).unwrap_or_default();
    written(law, None, from, &calls, id)
}

/// An expression of the last function of a chain of calls.
fn written(law: &Law, caller: Option<Caller<'_>>, at: FunctionId, calls: &[ExprId], id: ExprId) -> String {
    let function = law.function(at);
    let writer = Writer { law, function, inline: Inline::Everything, caller };
    match calls.split_first() {
        Some((call, rest)) => match &function.expr(*call).kind {
            ExprKind::Call(callee, arguments) => {
                written(law, Some(Caller { writer: &writer, arguments }), *callee, rest, id)
            }
            _ => String::new(),
        },
        None => writer.expr(id).0,
    }
}

/// The calls by which a function reaches another one.
fn calls(law: &Law, from: FunctionId, to: FunctionId) -> Option<Vec<ExprId>> {
    if from == to {
        return Some(Vec::new());
    }
    let function = law.function(from);
    (0..function.exprs.len()).map(ExprId).find_map(|id| match function.expr(id).kind {
        // Callees come before their callers.
        ExprKind::Call(callee, _) if callee >= to => {
            let mut chain = vec![id];
            chain.extend(calls(law, callee, to)?);
            Some(chain)
        }
        _ => None,
    })
}

struct Writer<'a> {
    law: &'a Law,
    function: &'a Function,
    inline: Inline,
    caller: Option<Caller<'a>>,
}

/// Which variables to replace by their values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inline {
    Nothing,
    /// Those that `let` binds to a value as a whole.
    Names,
    /// Also elements of a value, and numbers that the caller gives.
    Everything,
}

/// The function that calls another one, and with what.
struct Caller<'a> {
    writer: &'a Writer<'a>,
    arguments: &'a [ExprId],
}

impl Writer<'_> {
    fn at_level(&self, id: ExprId, least: Level) -> String {
        let (text, level) = self.expr(id);
        if level < least { format!("({text})") } else { text }
    }

    fn list(&self, ids: &[ExprId]) -> String {
        ids.iter().map(|&id| self.expr(id).0).collect::<Vec<_>>().join(", ")
    }

    fn block(&self, block: &Block) -> String {
        if block.lets.is_empty() { format!("{{ {} }}", self.expr(block.value).0) } else { "{ … }".into() }
    }

    fn local(&self, local: LocalId, ty: &Type) -> (String, Level) {
        let name = &self.function.locals[local.0].name;
        let named = || (name.clone(), 4);
        if self.inline == Inline::Nothing {
            return match bound_to(self.function, local) {
                Some((value, None)) if name == FACTOR => self.expr(value),
                _ => named(),
            };
        }
        if local.0 < self.function.parameters {
            return match &self.caller {
                Some(caller) if *ty == Type::Real => caller.writer.expr(caller.arguments[local.0]),
                _ => named(),
            };
        }
        match bound_to(self.function, local) {
            Some((value, None)) => self.expr(value),
            Some((value, Some(i))) if self.inline == Inline::Everything => match &self.function.expr(value).kind {
                ExprKind::Tuple(elements) | ExprKind::Array(elements) => self.expr(elements[i]),
                _ => match self.function.expr(value).ty {
                    Type::Tuple(_) => (format!("{}.{i}", self.at_level(value, 4)), 4),
                    _ => (format!("{}[{i}]", self.at_level(value, 4)), 4),
                },
            },
            _ => named(),
        }
    }

    fn expr(&self, id: ExprId) -> (String, Level) {
        let expr = self.function.expr(id);
        match &expr.kind {
            ExprKind::Literal(text) => (text.clone(), 4),
            ExprKind::Bool(value) => (value.to_string(), 4),
            ExprKind::Local(local) => self.local(*local, &expr.ty),
            ExprKind::Field(of, i) => {
                let name = match self.function.expr(*of).ty {
                    Type::State => self.law.state.fields[*i].name.as_str(),
                    Type::Parameters => self.law.parameters.fields[*i].name.as_str(),
                    _ => AXES[*i],
                };
                (format!("{}.{name}", self.at_level(*of, 4)), 4)
            }
            ExprKind::Index(of, i) => (format!("{}[{i}]", self.at_level(*of, 4)), 4),
            ExprKind::Unary(UnaryOp::Neg, a) => (format!("-{}", self.at_level(*a, 3)), 3),
            ExprKind::Unary(UnaryOp::Not, a) => (format!("!{}", self.at_level(*a, 4)), 3),
            ExprKind::Binary(op, a, b) => {
                let (sign, level, right) = match op {
                    BinaryOp::Add => ("+", 1, 1),
                    BinaryOp::Sub => ("-", 1, 2),
                    BinaryOp::Mul => ("*", 2, 2),
                    BinaryOp::Div => ("/", 2, 3),
                    BinaryOp::Lt => ("<", 0, 1),
                    BinaryOp::Le => ("<=", 0, 1),
                    BinaryOp::Gt => (">", 0, 1),
                    BinaryOp::Ge => (">=", 0, 1),
                    BinaryOp::And => ("&&", 0, 1),
                    BinaryOp::Or => ("||", 0, 1),
                };
                (format!("{} {sign} {}", self.at_level(*a, level), self.at_level(*b, right)), level)
            }
            ExprKind::Math(MathFn::Powi(n), args) => (format!("{}^{n}", self.at_level(args[0], 4)), 3),
            ExprKind::Math(f, args) => (format!("{}({})", name(*f), self.list(args)), 4),
            ExprKind::Call(callee, args) => (format!("{}({})", self.law.function(*callee).name, self.list(args)), 4),
            ExprKind::If(condition, a, b) => {
                let condition = self.expr(*condition).0;
                (format!("if {condition} {} else {}", self.block(a), self.block(b)), 0)
            }
            ExprKind::Block(block) => (self.block(block), 4),
            ExprKind::State(values) => {
                let fields: Vec<_> = self.law.state.fields.iter().map(|field| field.name.as_str()).collect();
                let (name, names) = match expr.ty {
                    Type::Normal => ("Normal", &AXES[..]),
                    _ => (self.law.state.name.as_str(), &fields[..]),
                };
                let named = names.iter().zip(values).map(|(name, &value)| format!("{name}: {}", self.expr(value).0));
                (format!("{name} {{ {} }}", named.collect::<Vec<_>>().join(", ")), 4)
            }
            ExprKind::Array(values) => (format!("[{}]", self.list(values)), 4),
            ExprKind::Tuple(values) => (format!("({})", self.list(values)), 4),
        }
    }
}

/// The value that `let` gives a variable, and which of its elements, if it takes it apart.
fn bound_to(function: &Function, local: LocalId) -> Option<(ExprId, Option<usize>)> {
    let nested = function.exprs.iter().flat_map(|expr| match &expr.kind {
        ExprKind::If(_, a, b) => vec![&**a, &**b],
        ExprKind::Block(block) => vec![&**block],
        _ => Vec::new(),
    });
    let mut lets = std::iter::once(&function.body).chain(nested).flat_map(|block| &block.lets);
    lets.find_map(|binding| match &binding.pattern {
        Pattern::Local(bound) => (*bound == local).then_some((binding.value, None)),
        Pattern::Elements(bound) => {
            let element = bound.iter().position(|bound| *bound == Some(local))?;
            Some((binding.value, Some(element)))
        }
    })
}

/// The name of a mathematical function.
pub fn name(f: MathFn) -> &'static str {
    match f {
        MathFn::Sqrt => "sqrt",
        MathFn::Cbrt => "cbrt",
        MathFn::Abs => "abs",
        MathFn::Min => "min",
        MathFn::Max => "max",
        MathFn::Powi(_) => "powi",
        MathFn::Powf => "powf",
        MathFn::Exp => "exp",
        MathFn::Ln => "ln",
        MathFn::Sin => "sin",
        MathFn::Cos => "cos",
        MathFn::Tan => "tan",
        MathFn::Tanh => "tanh",
        MathFn::Atan2 => "atan2",
    }
}

/// A number of a tower in the names of its variables.
pub fn number(tower: &Tower, a: &Number) -> String {
    let general = match a {
        Number::Rational(value) => return value.to_string(),
        Number::Real(_) => return real(a.to_f64()),
        Number::General(general) => general,
    };
    let (numerator, denominator) = (general.fraction.numerator(), general.fraction.denominator());
    let (top, bottom) = (polynomial(tower, &numerator), polynomial(tower, &denominator));
    match (numerator.len(), bottom.as_str()) {
        (_, "1") => top,
        (1, _) => format!("{top} / {}", factor(&denominator, bottom)),
        _ => format!("({top}) / {}", factor(&denominator, bottom)),
    }
}

/// The text of a polynomial as a divisor.
fn factor(polynomial: &Polynomial, text: String) -> String {
    let single = polynomial.len() == 1 && !text.contains(" * ");
    if single { text } else { format!("({text})") }
}

fn polynomial(tower: &Tower, polynomial: &Polynomial) -> String {
    let mut text = String::new();
    for (coefficient, powers) in polynomial.terms().iter().rev() {
        let negative = coefficient.is_negative();
        let size = coefficient.abs();
        let mut factors = Vec::new();
        if !size.is_one() {
            factors.push(size.to_string());
        }
        for (generator, power) in tower.generators().iter().zip(powers) {
            // A generator's own text contains only earlier generators, so the recursion ends.
            match power {
                0 => {}
                1 => factors.push(generator_text(tower, generator)),
                n => factors.push(format!("{}^{n}", generator_text(tower, generator))),
            }
        }
        if factors.is_empty() {
            factors.push("1".into());
        }
        text += match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += &factors.join(" * ");
    }
    if text.is_empty() { "0".into() } else { text }
}

fn generator_text(tower: &Tower, generator: &Generator) -> String {
    match generator {
        Generator::Free(name) | Generator::Normal(name, _) => name.clone(),
        Generator::Root(square, _) => format!("sqrt({})", polynomial(tower, square)),
        Generator::Exp(a) => format!("exp({})", number(tower, a)),
        Generator::Ln(a) => format!("ln({})", number(tower, a)),
        Generator::Sin(a) => format!("sin({})", number(tower, a)),
        Generator::Cos(a, _) => format!("cos({})", number(tower, a)),
        Generator::Power(a, e) => format!("({})^({})", number(tower, a), number(tower, e)),
        Generator::Atan2(y, x) => format!("atan2({}, {})", number(tower, y), number(tower, x)),
    }
}

/// A rational number as a decimal if that is short, otherwise as a fraction.
pub fn rational(value: &Rational) -> String {
    let float = value.to_f64();
    let text = format!("{float}");
    match crate::algebra::decimal(&text) {
        Some(exact) if exact == *value => text,
        _ => value.to_string(),
    }
}

/// Significant digits of numbers that are not compared.
const DIGITS: i32 = 6;

/// A real number to six digits.
pub fn real(value: f64) -> String {
    real_to(DIGITS, value)
}

/// Shows numbers to six digits, or to as many more as it takes that none of `some` looks like a different one of `others`.
pub fn apart(some: &[f64], others: &[f64]) -> impl Fn(f64) -> String + use<> {
    let differ = |digits: &i32| {
        let look_alike = |a: f64, b: f64| a != b && real_to(*digits, a) == real_to(*digits, b);
        !some.iter().any(|&a| others.iter().any(|&b| look_alike(a, b)))
    };
    // Seventeen digits tell all numbers apart.
    let digits = (DIGITS..17).find(differ).unwrap_or(17);
    move |value| real_to(digits, value)
}

/// A real number to so many significant digits.
fn real_to(digits: i32, value: f64) -> String {
    let decimals = if value == 0.0 { 0 } else { digits - 1 - value.abs().log10().floor() as i32 };
    if !(0..=digits + 6).contains(&decimals) {
        return format!("{value:.*e}", digits as usize - 1);
    }
    let text = format!("{value:.*}", decimals as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Which inputs of a point to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The state.
    State,
    /// The state and the normal.
    StateAndNormal,
    /// The state, and as its gradient the same along the first axis and the right state along all others.
    StateAndGradient,
    /// Both states.
    BothStates,
    /// Both states and the normal.
    BothStatesAndNormal,
    /// Position and time.
    PositionAndTime,
}

/// A point in the user's names, parameters included.
pub fn point(law: &Law, point: &Point, show: Show) -> String {
    listed(law, &point.map(rational), show)
}

/// The same of a point in double precision, to six digits.
pub fn floats(law: &Law, point: &Inputs<f64>, show: Show) -> String {
    listed(law, &point.map(|value| real(*value)), show)
}

fn listed(law: &Law, point: &Inputs<String>, show: Show) -> String {
    let Inputs { parameters, left, right, normal, position, time } = point;
    let list = |names: &mut dyn Iterator<Item = String>, values: &[String]| {
        names.zip(values).map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>()
    };
    let state = |prefix: &str| law.state.fields.iter().map(move |f| format!("{prefix}{}", f.name)).collect::<Vec<_>>();
    let axes = |prefix: &str| AXES[..law.dim].iter().map(|axis| format!("{prefix}.{axis}")).collect::<Vec<_>>();
    let mut parts = Vec::new();
    match show {
        Show::State | Show::StateAndNormal => parts.extend(list(&mut state("").into_iter(), left)),
        Show::StateAndGradient => {
            parts.extend(list(&mut state("").into_iter(), left));
            for d in 0..law.dim {
                let slopes = if d == 0 { left } else { right };
                parts.extend(list(&mut state(&format!("gradient[{d}].")).into_iter(), slopes));
            }
        }
        Show::BothStates | Show::BothStatesAndNormal => {
            parts.extend(list(&mut state("left ").into_iter(), left));
            parts.extend(list(&mut state("right ").into_iter(), right));
        }
        Show::PositionAndTime => {
            parts.extend(list(&mut axes("x").into_iter(), position));
            parts.push(format!("t = {time}"));
        }
    }
    if matches!(show, Show::StateAndNormal | Show::BothStatesAndNormal) {
        parts.extend(list(&mut axes("n").into_iter(), normal));
    }
    parts.extend(list(&mut law.parameters.fields.iter().map(|f| f.name.clone()), parameters));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{apart, real};

    #[test]
    fn numbers_have_as_many_digits_as_they_need_to_differ() {
        let shown = |a: f64, b: f64| [a, b].map(apart(&[a], &[b]));
        assert_eq!(shown(1.5, 2.25), ["1.5", "2.25"]);
        assert_eq!(shown(0.125, 0.1250000003), ["0.125", "0.1250000003"]);
        assert_eq!(shown(-3.0e8, -3.000_000_01e8), ["-300000000", "-300000001"]);
        assert_eq!(shown(1.0, 1.0 + f64::EPSILON), ["1", "1.0000000000000002"]);
        assert_eq!(shown(0.0, 5e-324), ["0", "4.94066e-324"]);
        assert_eq!(shown(2.0, 2.0), ["2", "2"]);
        // Only numbers of different lists are compared.
        assert_eq!([1.0, 1.000_000_1, 2.0].map(apart(&[1.0, 1.000_000_1], &[2.0])), ["1", "1", "2"]);
        assert_eq!(real(1e-9), "1.00000e-9");
    }
}
