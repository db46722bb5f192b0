//! Changes of single tokens: the slips of an author.

use std::ops::Range;

use proc_macro2::{Spacing, Span, TokenStream, TokenTree};
use templates::ir::{Function, Law, Type};

/// A token of a text.
struct Token {
    text: String,
    /// Its bytes in the text.
    range: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Name,
    Number,
    /// An operator, of one or several characters.
    Operator,
    Open,
    Close,
}

/// A place in a text, and what may stand there instead.
pub struct Place {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The replacements, the likeliest slips first; some of them may be no law.
    pub instead: Vec<String>,
    /// How many of those that are laws are worth a mutant.
    pub most: usize,
}

/// All places of a function's body.
pub fn places(law: &Law, function: &Function, body: TokenStream) -> Vec<Place> {
    let mut tokens = Vec::new();
    flatten(body, &mut tokens);
    (0..tokens.len()).filter_map(|i| place(law, function, &tokens, i)).collect()
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut joint = false;
    for tree in stream {
        let was_joint = std::mem::take(&mut joint);
        let token = |text: String, span: Span, kind| Token { text, range: span.byte_range(), kind };
        match tree {
            TokenTree::Ident(name) => tokens.push(token(name.to_string(), name.span(), Kind::Name)),
            TokenTree::Literal(number) => tokens.push(token(number.to_string(), number.span(), Kind::Number)),
            TokenTree::Punct(punct) => {
                joint = punct.spacing() == Spacing::Joint;
                match tokens.last_mut() {
                    Some(token) if was_joint => {
                        token.text.push(punct.as_char());
                        token.range.end = punct.span().byte_range().end;
                    }
                    _ => tokens.push(token(punct.to_string(), punct.span(), Kind::Operator)),
                }
            }
            TokenTree::Group(group) => {
                tokens.push(token("(".into(), group.span_open(), Kind::Open));
                flatten(group.stream(), tokens);
                tokens.push(token(")".into(), group.span_close(), Kind::Close));
            }
        }
    }
}

fn place(law: &Law, function: &Function, tokens: &[Token], i: usize) -> Option<Place> {
    let token = &tokens[i];
    let before = i.checked_sub(1).map(|i| &tokens[i]);
    let after = tokens.get(i + 1);
    let at = |range: Range<usize>, most: usize, instead: Vec<String>| {
        (!instead.is_empty()).then_some(Place { range, instead, most })
    };
    let here = |most, instead| at(token.range.clone(), most, instead);
    let word = |text: &str| vec![text.to_string()];
    let ends_operand = |token: &Token| match token.kind {
        Kind::Name => !matches!(&*token.text, "else" | "in" | "if" | "return"),
        Kind::Number | Kind::Close => true,
        Kind::Operator | Kind::Open => false,
    };
    match (token.kind, &*token.text) {
        (Kind::Operator, "-") if !before.is_some_and(ends_operand) => here(1, vec![String::new()]),
        (Kind::Operator, operator) => here(1, word(other_operator(operator)?)),
        (Kind::Number, number) => here(2, other_numbers(number)),
        (Kind::Name, name) => {
            let is_member = before.is_some_and(|token| token.text == ".");
            let is_called = after.is_some_and(|token| token.kind == Kind::Open);
            if is_member && is_called {
                return match name {
                    "min" => here(1, word("max")),
                    "max" => here(1, word("min")),
                    "sin" => here(1, word("cos")),
                    "cos" => here(1, word("sin")),
                    // The whole call, `.sqrt()`.
                    "sqrt" | "abs" | "ln" | "exp" => {
                        let (dot, close) = (before?, tokens.get(i + 2)?);
                        at(dot.range.start..close.range.end, 1, vec![String::new()])
                    }
                    _ => None,
                };
            }
            if is_member {
                return here(2, other_fields(law, name));
            }
            if is_called {
                return here(1, other_functions(law, name));
            }
            // `rho: …` in a literal of a state.
            if after.is_some_and(|token| token.text == ":" || token.text == "::" || token.text == "=") {
                return None;
            }
            here(2, other_locals(function, name))
        }
        (Kind::Open | Kind::Close, _) => None,
    }
}

fn other_operator(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "+" => "-",
        "-" => "+",
        "*" => "/",
        "/" => "*",
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        "&&" => "||",
        "||" => "&&",
        _ => return None,
    })
}

fn other_numbers(number: &str) -> Vec<String> {
    if let Ok(index) = number.parse::<u32>() {
        // An index, an exponent or a length.
        return vec![(index + 1).to_string(), index.saturating_sub(1).to_string()];
    }
    let instead: &[&str] = match number {
        "0.0" => &["1.0"],
        "0.5" => &["1.0", "0.25"],
        "1.0" => &["0.5", "0.0"],
        "2.0" => &["1.0", "4.0"],
        _ => return number.parse().map(|value: f64| vec![format!("{:?}", 2.0 * value)]).unwrap_or_default(),
    };
    instead.iter().map(|number| (*number).to_string()).collect()
}

/// The names after and before one in a list, then the others.
fn others(names: &[&str], name: &str) -> Vec<String> {
    let Some(at) = names.iter().position(|other| *other == name) else { return Vec::new() };
    let n = names.len();
    let order = [at + 1, at + n - 1].into_iter().chain(at + 2..at + n - 1);
    let mut instead: Vec<String> = Vec::new();
    for other in order.map(|i| names[i % n]).filter(|other| *other != name) {
        if !instead.iter().any(|known| known == other) {
            instead.push(other.to_string());
        }
    }
    instead
}

fn other_fields(law: &Law, name: &str) -> Vec<String> {
    let names =
        |record: &templates::ir::Record| record.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
    let axes = templates::ir::AXES[..law.dim].iter().map(|axis| (*axis).to_string()).collect();
    for record in [names(&law.state), names(&law.parameters), axes] {
        let record: Vec<_> = record.iter().map(String::as_str).collect();
        if record.contains(&name) {
            return others(&record, name);
        }
    }
    // The index of a tuple.
    other_numbers(name)
}

fn other_functions(law: &Law, name: &str) -> Vec<String> {
    let Some(function) = law.functions.iter().find(|function| function.name == name) else { return Vec::new() };
    let of = |function: &Function| (function.signature().cloned().collect::<Vec<_>>(), function.result.clone());
    let same = law.functions.iter().filter(|other| of(other) == of(function));
    let names: Vec<_> = same.map(|function| function.name.as_str()).collect();
    others(&names, name)
}

/// Locals of the same type; whether they are bound already, the language decides.
fn other_locals(function: &Function, name: &str) -> Vec<String> {
    let of_name = |local: &&templates::ir::Local| local.name == name;
    let Some(ty) = function.locals.iter().find(of_name).map(|local| &local.ty) else { return Vec::new() };
    if *ty == Type::Bool {
        return Vec::new();
    }
    let names: Vec<_> = function
        .locals
        .iter()
        .filter(|local| local.ty == *ty && local.name != "_")
        .map(|local| local.name.as_str())
        .collect();
    others(&names, name)
}
