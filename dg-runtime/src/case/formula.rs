//! Formulas of position, time and parameters, as mathematicians read them: `-x^2` is `-(x^2)`, `2^3^2` is `2^(3^2)`.
//!
//! Written here since of the maintained crates exmex reads `-3^2` as 9, which turns a Gaussian `exp(-x^2)` upside down
//! without a word, and evalexpr's licence (AGPL) does not go with this project's.

use std::fmt;
use std::ops::Range;

use super::names::unknown;

/// A real function of named variables.
#[derive(Clone)]
pub struct Formula {
    text: String,
    root: Node,
}

/// What is wrong with a formula, and where in its text (bytes).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// What was found, and what would work.
    pub message: String,
    /// The part of the text that is to blame.
    pub span: Range<usize>,
}

#[derive(Clone)]
enum Node {
    Number(f64),
    Variable(usize),
    Negative(Box<Node>),
    Binary(fn(f64, f64) -> f64, Box<[Node; 2]>),
    Call(fn(&[f64]) -> f64, Vec<Node>),
}

/// A function's name, number of arguments and value.
type Builtin = (&'static str, usize, fn(&[f64]) -> f64);

const FUNCTIONS: &[Builtin] = &[
    ("abs", 1, |a| a[0].abs()),
    ("acos", 1, |a| a[0].acos()),
    ("asin", 1, |a| a[0].asin()),
    ("atan", 1, |a| a[0].atan()),
    ("atan2", 2, |a| a[0].atan2(a[1])),
    ("cos", 1, |a| a[0].cos()),
    ("cosh", 1, |a| a[0].cosh()),
    ("exp", 1, |a| a[0].exp()),
    ("if", 3, |a| if a[0] != 0.0 { a[1] } else { a[2] }),
    ("ln", 1, |a| a[0].ln()),
    ("max", 2, |a| a[0].max(a[1])),
    ("min", 2, |a| a[0].min(a[1])),
    ("sin", 1, |a| a[0].sin()),
    ("sinh", 1, |a| a[0].sinh()),
    ("sqrt", 1, |a| a[0].sqrt()),
    ("tan", 1, |a| a[0].tan()),
    ("tanh", 1, |a| a[0].tanh()),
];

/// An operator's symbol and value.
type Operator = (&'static str, fn(f64, f64) -> f64);

/// Operators by precedence, the weakest first; those of one row group from the left. `^` binds tighter than all of them.
const OPERATORS: &[&[Operator]] = &[
    &[
        ("<=", |a, b| f64::from(u8::from(a <= b))),
        (">=", |a, b| f64::from(u8::from(a >= b))),
        ("<", |a, b| f64::from(u8::from(a < b))),
        (">", |a, b| f64::from(u8::from(a > b))),
    ],
    &[("+", |a, b| a + b), ("-", |a, b| a - b)],
    &[("*", |a, b| a * b), ("/", |a, b| a / b)],
];

/// Deeper nesting and longer texts (bytes) are refused, so that no formula can exhaust the stack.
const MAX_DEPTH: usize = 64;
const MAX_LENGTH: usize = 4096;

impl Formula {
    /// Reads a formula of these variables; `pi` is known as well.
    ///
    /// # Errors
    ///
    /// On a syntax error, an unknown name, or a function with a wrong number of arguments.
    pub fn parse(text: &str, variables: &[&str]) -> Result<Self, FormulaError> {
        if text.len() > MAX_LENGTH {
            let message = format!("a formula has at most {MAX_LENGTH} characters, this one has {}", text.len());
            return Err(FormulaError { message, span: 0..text.len() });
        }
        let mut parser = Parser { text, at: 0, depth: 0, variables };
        let root = parser.binary(0)?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.unexpected("an operator or the end of the formula"));
        }
        Ok(Self { text: text.to_owned(), root })
    }

    /// Its value; `variables` in the order in which [`Formula::parse`] was given their names.
    pub fn value(&self, variables: &[f64]) -> f64 {
        self.root.value(variables)
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
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
            Self::Binary(apply, operands) => apply(operands[0].value(variables), operands[1].value(variables)),
            Self::Call(apply, arguments) => {
                let mut values = [0.0; 3];
                for (value, argument) in values.iter_mut().zip(arguments) {
                    *value = argument.value(variables);
                }
                apply(&values[..arguments.len()])
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    variables: &'a [&'a str],
}

impl<'a> Parser<'a> {
    /// Operators of this row of [`OPERATORS`] and all after it.
    fn binary(&mut self, row: usize) -> Result<Node, FormulaError> {
        let Some(operators) = OPERATORS.get(row) else { return self.signed() };
        let mut left = self.binary(row + 1)?;
        while let Some((_, apply)) = operators.iter().find(|(symbol, _)| self.eat(symbol)) {
            left = Node::Binary(*apply, Box::new([left, self.binary(row + 1)?]));
        }
        Ok(left)
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
            if self.eat("^") { Node::Binary(f64::powf, Box::new([base, self.signed()?])) } else { base }
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

    fn variable(&self, name: &str, start: usize) -> Result<Node, FormulaError> {
        let error = |message| FormulaError { message, span: start..start + name.len() };
        if let Some(index) = self.variables.iter().position(|variable| *variable == name) {
            return Ok(Node::Variable(index));
        }
        if name == "pi" {
            return Ok(Node::Number(std::f64::consts::PI));
        }
        if FUNCTIONS.iter().any(|(function, ..)| *function == name) {
            return Err(error(format!("`{name}` is a function; write its argument in parentheses")));
        }
        let known: Vec<_> = self.variables.iter().copied().chain(["pi"]).collect();
        Err(error(unknown("variable", name, &known)))
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Node, FormulaError> {
        let Some((_, arity, apply)) = FUNCTIONS.iter().find(|(function, ..)| *function == name) else {
            let known: Vec<_> = FUNCTIONS.iter().map(|(function, ..)| *function).collect();
            let span = start..start + name.len();
            return Err(FormulaError { message: unknown("function", name, &known), span });
        };
        let mut arguments = vec![self.binary(0)?];
        while self.eat(",") {
            arguments.push(self.binary(0)?);
        }
        if !self.eat(")") {
            return Err(self.unexpected("`,` or `)`"));
        }
        if arguments.len() != *arity {
            let found = arguments.len();
            return Err(self.error(start, format!("`{name}` takes {arity} arguments, found {found}")));
        }
        Ok(Node::Call(*apply, arguments))
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
