//! Formulas of position, time and parameters, with the precedence of mathematics: `-x^2` is `-(x^2)`, `2^3^2` is `2^(3^2)`.
//!
//! The parser is our own: of the maintained crates, exmex reads `-3^2` as 9, which silently turns a Gaussian `exp(-x^2)` upside
//! down, and evalexpr's licence (AGPL) is not compatible with this project's.

mod code;
mod formulas;
mod state;

use std::fmt;
use std::ops::Range;

use crate::names::unknown;

pub(crate) use code::mask;
pub use formulas::{Formulas, Vocabulary};
pub use state::StateFormulas;

/// A real function of named variables.
#[derive(Clone)]
pub struct Formula {
    text: String,
    root: Node,
    uses: Vec<(usize, Range<usize>)>,
}

/// An error in a formula, with its place in the text (bytes).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// What was found, and the remedy.
    pub message: String,
    /// The faulty part of the text.
    pub span: Range<usize>,
}

#[derive(Clone)]
enum Node {
    Number(f64),
    Variable(usize),
    Negative(Box<Node>),
    Binary(&'static Operator, Box<[Node; 2]>),
    /// A power with a whole exponent.
    Power(Box<Node>, i32),
    Call(&'static Builtin, Vec<Node>),
    /// `if(condition, then, else)`
    If(Box<[Node; 3]>),
}

/// A function that a formula can call.
struct Builtin {
    name: &'static str,
    arity: usize,
    value: fn(&[f64]) -> f64,
    /// Its name in generated code.
    code: &'static str,
}

macro_rules! builtins {
    ($($name:ident $arity:literal $code:ident $value:expr;)*) => {
        &[$(Builtin { name: stringify!($name), arity: $arity, value: $value, code: stringify!($code) }),*]
    };
}

const BUILTINS: &[Builtin] = builtins! {
    abs 1 real_abs |a| a[0].abs();
    acos 1 real_acos |a| a[0].acos();
    asin 1 real_asin |a| a[0].asin();
    atan 1 real_atan |a| a[0].atan();
    atan2 2 real_atan2 |a| a[0].atan2(a[1]);
    cos 1 real_cos |a| a[0].cos();
    cosh 1 real_cosh |a| a[0].cosh();
    exp 1 real_exp |a| a[0].exp();
    ln 1 real_ln |a| a[0].ln();
    max 2 real_max |a| a[0].max(a[1]);
    min 2 real_min |a| a[0].min(a[1]);
    sin 1 real_sin |a| a[0].sin();
    sinh 1 real_sinh |a| a[0].sinh();
    sqrt 1 real_sqrt |a| a[0].sqrt();
    tan 1 real_tan |a| a[0].tan();
    tanh 1 real_tanh |a| a[0].tanh();
};

/// The only function with a condition as its argument.
const IF: (&str, usize) = ("if", 3);

/// The names of all functions.
fn functions() -> Vec<&'static str> {
    let mut names: Vec<_> = BUILTINS.iter().map(|builtin| builtin.name).chain([IF.0]).collect();
    names.sort_unstable();
    names
}

/// An operator between two operands.
struct Operator {
    symbol: &'static str,
    value: fn(f64, f64) -> f64,
    /// Whether it compares: its value is then 1 or 0.
    compares: bool,
}

const fn arithmetic(symbol: &'static str, value: fn(f64, f64) -> f64) -> Operator {
    Operator { symbol, value, compares: false }
}

const fn comparison(symbol: &'static str, value: fn(f64, f64) -> f64) -> Operator {
    Operator { symbol, value, compares: true }
}

/// Operators by precedence, the weakest first; those in one row associate to the left. [`POWER`] binds tighter than all of them.
const OPERATORS: &[&[Operator]] = &[
    &[
        comparison("<=", |a, b| f64::from(u8::from(a <= b))),
        comparison(">=", |a, b| f64::from(u8::from(a >= b))),
        comparison("<", |a, b| f64::from(u8::from(a < b))),
        comparison(">", |a, b| f64::from(u8::from(a > b))),
    ],
    &[arithmetic("+", |a, b| a + b), arithmetic("-", |a, b| a - b)],
    &[arithmetic("*", |a, b| a * b), arithmetic("/", |a, b| a / b)],
];

const POWER: Operator = arithmetic("^", f64::powf);

/// The largest exponent computed by multiplication.
const MOST_MULTIPLIED: f64 = 64.0;

/// Limits on nesting and length (bytes), so that no formula can exhaust the stack.
const MAX_DEPTH: usize = 64;
const MAX_LENGTH: usize = 4096;

impl Formula {
    /// Reads a formula of these variables; `pi` is defined as well.
    ///
    /// # Errors
    ///
    /// On a syntax error, an unknown name, or a function with a wrong number of arguments.
    pub fn parse(text: &str, variables: &[&str]) -> Result<Self, FormulaError> {
        if text.len() > MAX_LENGTH {
            let message = format!("a formula has at most {MAX_LENGTH} characters, this one has {}", text.len());
            return Err(FormulaError { message, span: 0..text.len() });
        }
        let mut parser = Parser { text, at: 0, depth: 0, variables, uses: Vec::new() };
        let root = parser.binary(0)?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.unexpected("an operator or the end of the formula"));
        }
        Ok(Self { text: text.to_owned(), root, uses: parser.uses })
    }

    /// Its value; `variables` have the order of the names given to [`Formula::parse`].
    pub fn value(&self, variables: &[f64]) -> f64 {
        self.root.value(variables)
    }

    /// Every use of a variable, with its place in the text.
    pub fn uses(&self) -> &[(usize, Range<usize>)] {
        &self.uses
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Formulas are equal if their texts and variables are.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.uses == other.uses
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Formula({:?})", self.text)
    }
}

impl Node {
    fn value(&self, variables: &[f64]) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Variable(index) => variables[*index],
            Self::Negative(operand) => -operand.value(variables),
            Self::Binary(operator, operands) => {
                (operator.value)(operands[0].value(variables), operands[1].value(variables))
            }
            Self::Power(base, exponent) => base.value(variables).powi(*exponent),
            Self::Call(builtin, arguments) => {
                let mut values = [0.0; 2];
                for (value, argument) in values.iter_mut().zip(arguments) {
                    *value = argument.value(variables);
                }
                (builtin.value)(&values[..arguments.len()])
            }
            Self::If(parts) => {
                let holds = parts[0].value(variables) != 0.0;
                parts[if holds { 1 } else { 2 }].value(variables)
            }
        }
    }
}

/// A power, by multiplication if the exponent is whole and small.
fn power(base: Node, exponent: Node) -> Node {
    let whole = |number: f64| (number.fract() == 0.0 && number <= MOST_MULTIPLIED).then_some(number as i32);
    let multiplied = match &exponent {
        Node::Number(number) => whole(*number),
        Node::Negative(operand) => match **operand {
            Node::Number(number) => whole(number).map(|number| -number),
            _ => None,
        },
        _ => None,
    };
    match multiplied {
        Some(exponent) => Node::Power(Box::new(base), exponent),
        None => Node::Binary(&POWER, Box::new([base, exponent])),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    variables: &'a [&'a str],
    uses: Vec<(usize, Range<usize>)>,
}

impl<'a> Parser<'a> {
    /// Reads operators of this row of [`OPERATORS`] and of all rows after it.
    fn binary(&mut self, row: usize) -> Result<Node, FormulaError> {
        let Some(operators) = OPERATORS.get(row) else { return self.signed() };
        let (mut left, mut compared) = (self.binary(row + 1)?, false);
        loop {
            self.skip_space();
            let start = self.at;
            let Some(operator) = operators.iter().find(|operator| self.eat(operator.symbol)) else { return Ok(left) };
            if compared {
                // `0 < x < 1` would compare the result 1 or 0 with 1.
                let message = "comparisons do not chain; where both are to hold, multiply: `(0 < x)*(x < 1)`";
                return Err(self.error(start, message.to_owned()));
            }
            compared = operator.compares;
            left = Node::Binary(operator, Box::new([left, self.binary(row + 1)?]));
        }
    }

    fn signed(&mut self) -> Result<Node, FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.unexpected("a formula that is nested less deeply"));
        }
        let node = if self.eat("-") {
            Node::Negative(Box::new(self.signed()?))
        } else {
            let _ = self.eat("+");
            let base = self.primary()?;
            if self.eat(POWER.symbol) { power(base, self.signed()?) } else { base }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, FormulaError> {
        self.skip_space();
        let start = self.at;
        if self.eat("(") {
            let inner = self.binary(0)?;
            return if self.eat(")") { Ok(inner) } else { Err(self.unexpected("`)`")) };
        }
        match self.text[start..].chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
                if self.eat("(") { self.call(name, start) } else { self.variable(name, start) }
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn number(&mut self) -> Result<Node, FormulaError> {
        let start = self.at;
        self.take_while(|c| c.is_ascii_digit() || c == '.');
        let rest = &self.text[self.at..];
        let exponent = rest.trim_start_matches(['e', 'E']).trim_start_matches(['+', '-']);
        if rest.starts_with(['e', 'E']) && exponent.starts_with(|c: char| c.is_ascii_digit()) {
            self.at = self.text.len() - exponent.len();
            self.take_while(|c| c.is_ascii_digit());
        }
        let digits = &self.text[start..self.at];
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Node::Number(number)),
            _ => Err(self.error(start, format!("`{digits}` is no finite number"))),
        }
    }

    fn variable(&mut self, name: &str, start: usize) -> Result<Node, FormulaError> {
        let error = |message| FormulaError { message, span: start..start + name.len() };
        // A field of a law hides a parameter of the same name, which stands before it.
        if let Some(index) = self.variables.iter().rposition(|variable| *variable == name) {
            self.uses.push((index, start..start + name.len()));
            return Ok(Node::Variable(index));
        }
        if name == "pi" {
            return Ok(Node::Number(std::f64::consts::PI));
        }
        if functions().contains(&name) {
            return Err(error(format!("`{name}` is a function; write its argument in parentheses")));
        }
        let once = |i: &usize| !self.variables[..*i].contains(&self.variables[*i]);
        let once = (0..self.variables.len()).filter(once).map(|i| self.variables[i]);
        let known: Vec<_> = once.chain(["pi"]).collect();
        Err(error(unknown("variable", name, &known)))
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Node, FormulaError> {
        let builtin = BUILTINS.iter().find(|builtin| builtin.name == name);
        let Some(arity) = builtin.map(|builtin| builtin.arity).or((name == IF.0).then_some(IF.1)) else {
            let span = start..start + name.len();
            return Err(FormulaError { message: unknown("function", name, &functions()), span });
        };
        let mut arguments = vec![self.binary(0)?];
        while self.eat(",") {
            arguments.push(self.binary(0)?);
        }
        if !self.eat(")") {
            return Err(self.unexpected("`,` or `)`"));
        }
        let found = arguments.len();
        let wrong = self.error(start, format!("`{name}` takes {arity} arguments, found {found}"));
        match builtin {
            _ if found != arity => Err(wrong),
            Some(builtin) => Ok(Node::Call(builtin, arguments)),
            None => arguments.try_into().map(Node::If).map_err(|_| wrong),
        }
    }

    fn eat(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// An error about the text from `start` to here.
    fn error(&self, start: usize, message: String) -> FormulaError {
        FormulaError { message, span: start..self.at }
    }

    /// An error about the character here.
    fn unexpected(&self, wanted: &str) -> FormulaError {
        match self.text[self.at..].chars().next() {
            Some(c) => FormulaError {
                message: format!("expected {wanted}, found `{c}`"),
                span: self.at..self.at + c.len_utf8(),
            },
            None => {
                FormulaError { message: format!("expected {wanted}, but the formula ends"), span: self.at..self.at }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        Formula::parse(text, &["x", "y"]).unwrap().value(&[3.0, 0.5])
    }

    fn error(text: &str) -> (String, &str) {
        let error = Formula::parse(text, &["x", "y", "gamma"]).unwrap_err();
        (error.message, &text[error.span])
    }

    #[test]
    fn comparisons_do_not_chain() {
        for (text, at) in [("0 < x < 1", "<"), ("if(x >= 0 > y, 1, 2)", ">"), ("1 < 2 <= 3", "<=")] {
            let (message, place) = error(text);
            assert!(message.contains("do not chain") && place == at, "{text}: {message} at {place}");
        }
        assert_eq!(Formula::parse("(0 < x)*(x < 1)", &["x"]).unwrap().value(&[2.0]), 0.0);
    }

    #[test]
    fn reads_as_mathematicians_do() {
        assert_eq!(value("-x^2"), -9.0);
        assert_eq!(value("2^-x"), 0.125);
        assert_eq!(value("2^3^2"), 512.0);
        assert_eq!(value("2*-x^2 - 1"), -19.0);
        assert_eq!(value("1 - 2 - 3"), -4.0);
        assert_eq!(value("8 / 4 / 2 * 3"), 3.0);
        assert_eq!(value("1 + 2 * (3 - y)"), 6.0);
        assert_eq!(value("1.5e-1 + .5 + 2E1"), 20.65);
        assert_eq!(value("exp(-(x - 3)^2) + cos(2*pi*y)"), 0.0);
        assert_eq!(value("if(x < 1, 7, max(x, y))"), 3.0);
        assert_eq!(value("atan2(0, -1) >= pi"), 1.0);
        assert_eq!(value("+x"), 3.0);
    }

    #[test]
    fn points_at_mistakes() {
        assert_eq!(error("1 + z"), ("unknown variable `z`; there are `x`, `y`, `gamma`, `pi`".into(), "z"));
        assert!(error("gama*x").0.contains("did you mean `gamma`?"));
        assert_eq!(error("sinn(x)").1, "sinn");
        assert!(error("sinn(x)").0.contains("did you mean `sin`?"));
        assert_eq!(error("2 x"), ("expected an operator or the end of the formula, found `x`".into(), "x"));
        assert_eq!(error("1 +").0, "expected a number, a name or `(`, but the formula ends");
        assert_eq!(error("(1 + x").0, "expected `)`, but the formula ends");
        assert_eq!(error("min(x)"), ("`min` takes 2 arguments, found 1".into(), "min(x)"));
        assert_eq!(error("sin x").0, "`sin` is a function; write its argument in parentheses");
        assert_eq!(error("1.2.3"), ("`1.2.3` is no finite number".into(), "1.2.3"));
        assert_eq!(error("ß + é").1, "ß");
        assert!(error(&"(".repeat(1000)).0.contains("nested less deeply"));
        assert!(error(&"1+".repeat(100_000)).0.contains("at most 4096"));
    }

    #[test]
    fn a_parameter_may_be_called_pi_or_e() {
        let formula = Formula::parse("pi + e", &["e", "pi"]).unwrap();
        assert_eq!(formula.value(&[1.0, 2.0]), 3.0);
    }
}
