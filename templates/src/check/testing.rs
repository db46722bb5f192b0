//! Laws for tests, written in a small subset of the language.

use std::ops::Bound;

use crate::derive::sources;
use crate::ir::*;

/// A law with the source that its spans point into.
pub struct Source {
    pub law: Law,
    text: String,
    ranges: Vec<(usize, usize)>,
}

impl Source {
    /// The text at a span.
    pub fn at(&self, span: Span) -> &str {
        let (start, end) = self.ranges[span.0 as usize];
        self.text[start..end].trim()
    }
}

/// Reads a law: `#[accept(name)]` for all of it, `params a = 1.4, b;`, `state p, q;`, then functions with their attributes before them.
pub fn law(name: &str, text: &str) -> Source {
    let mut parser = Parser { text, at: 0, ranges: vec![(0, 0)], law: empty(name) };
    parser.law();
    let sources = sources(&parser.law).unwrap_or_else(|(_, stop)| panic!("{stop}"));
    parser.law.functions.extend(sources);
    Source { law: parser.law, text: text.to_string(), ranges: parser.ranges }
}

fn empty(name: &str) -> Law {
    Law {
        name: name.into(),
        doc: String::new(),
        span: Span(0),
        dim: 2,
        orders: 0..=3,
        parameters: Record { name: "Params".into(), ..Record::default() },
        state: Record { name: "State".into(), ..Record::default() },
        medium: Record::default(),
        rotation: None,
        reflection: None,
        galilean: None,
        functions: Vec::new(),
        accepted: Vec::new(),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    ranges: Vec<(usize, usize)>,
    law: Law,
}

struct Scope {
    locals: Vec<Local>,
    names: Vec<(String, usize)>,
    exprs: Vec<Expr>,
}

impl Scope {
    fn bind(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        self.locals.push(Local { name: name.into(), span, ty });
        self.names.push((name.into(), self.locals.len() - 1));
        LocalId(self.locals.len() - 1)
    }
}

impl<'a> Parser<'a> {
    fn skip(&mut self) {
        while let Some(c) = self.text[self.at..].chars().next() {
            if self.text[self.at..].starts_with("//") {
                self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
            } else if c.is_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn peek(&mut self, token: &str) -> bool {
        self.skip();
        let rest = &self.text[self.at..];
        let word = token.chars().all(char::is_alphanumeric);
        rest.starts_with(token) && !(word && rest[token.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "expected `{token}` at `{:.40}`", &self.text[self.at..]);
    }

    fn word(&mut self) -> (&'a str, Span) {
        self.skip();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        assert!(end > 0, "expected a name at `{rest:.40}`");
        let span = self.span(self.at, self.at + end);
        self.at += end;
        (&rest[..end], span)
    }

    fn span(&mut self, start: usize, end: usize) -> Span {
        self.ranges.push((start, end));
        Span(self.ranges.len() as u32 - 1)
    }

    fn record(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        while !self.eat(";") {
            let (name, span) = self.word();
            let default = self.eat("=").then(|| {
                let rest = &self.text[self.at..];
                let end = rest.find([',', ';']).unwrap();
                self.at += end;
                rest[..end].trim().to_string()
            });
            let range = (Bound::Unbounded, Bound::Unbounded);
            fields.push(Field { name: name.into(), element_of: None, span, doc: String::new(), default, range });
            self.eat(",");
        }
        fields
    }

    fn law(&mut self) {
        self.law.accepted = self.accepted();
        if self.eat("params") {
            self.law.parameters.fields = self.record();
        }
        self.expect("state");
        self.law.state.fields = self.record();
        self.skip();
        while self.at < self.text.len() {
            self.function();
            self.skip();
        }
    }

    fn role(&mut self) -> Option<Role> {
        if !self.eat("#[") {
            return None;
        }
        let (name, _) = self.word();
        let mut impermeable = Vec::new();
        let mut manufactured = false;
        let mut of = None;
        let mut claims = Claims::default();
        if self.eat("(manufactured)") {
            manufactured = true;
        } else if self.eat("(splitting)") {
            claims.splitting = true;
        } else if self.eat("(exact") {
            self.expect("=");
            while !self.eat(")") {
                claims.exact.push(match self.word().0 {
                    "contact" => Isolated::Contact,
                    "shock" => Isolated::Shock,
                    _ => Isolated::Rarefaction,
                });
                self.eat(",");
            }
        } else if name == "boundary_flux" {
            self.expect("(");
            let (boundary, span) = self.word();
            of = Some((boundary.to_owned(), span));
            self.expect(")");
        } else if self.eat("(") {
            self.expect("impermeable");
            self.expect("=");
            let (name, span) = self.word();
            impermeable.push((self.law.state.fields.iter().position(|f| f.name == name).unwrap(), span));
            self.expect(")");
        }
        self.expect("]");
        Some(match name {
            "admissible" => Role::Admissible,
            "wave_speed" => Role::WaveSpeed,
            "minimum_principle" => Role::MinimumPrinciple,
            "boundary" => Role::Boundary { impermeable },
            "boundary_flux" => Role::BoundaryFlux { of: of.unwrap() },
            "numerical_flux" => Role::NumericalFlux(claims),
            "nonconservative" => Role::Nonconservative,
            "viscous_flux" => Role::ViscousFlux,
            "jump" => Role::Jump,
            "source" => Role::Source,
            "initial" => Role::Initial,
            "exact" => Role::Exact { manufactured },
            "variables" => Role::Variables,
            "output" => Role::Output,
            other => panic!("no role `{other}`"),
        })
    }

    fn accepted(&mut self) -> Vec<Accepted> {
        let mut accepted = Vec::new();
        if self.eat("#[accept(") {
            while !self.eat(")]") {
                let (name, span) = self.word();
                accepted.push(Accepted { warning: Warning::from_name(name).expect("a warning"), span });
                self.eat(",");
            }
        }
        accepted
    }

    fn function(&mut self) {
        let accepted = self.accepted();
        let role = self.role();
        self.expect("fn");
        let (name, span) = self.word();
        let mut scope = Scope { locals: Vec::new(), names: Vec::new(), exprs: Vec::new() };
        self.expect("(");
        while !self.eat(")") {
            let (name, span) = self.word();
            self.expect(":");
            let ty = self.ty();
            scope.bind(name, ty, span);
            self.eat(",");
        }
        let parameters = scope.locals.len();
        self.expect("->");
        let result = self.ty();
        let body = self.block(&mut scope);
        let role = role.unwrap_or(match name {
            "flux" => Role::Flux,
            "eigenvalues" => Role::Eigenvalues,
            _ => Role::Helper,
        });
        let Scope { locals, exprs, .. } = scope;
        let (name, doc, shared) = (name.into(), String::new(), false);
        self.law.functions.push(Function {
            name,
            span,
            doc,
            role,
            parameters,
            locals,
            exprs,
            body,
            result,
            accepted,
            shared,
        });
    }

    fn ty(&mut self) -> Type {
        if self.eat("[") {
            let element = self.ty();
            self.expect(";");
            let (n, _) = self.word();
            self.expect("]");
            return Type::Array(Box::new(element), n.parse().unwrap());
        }
        if self.eat("(") {
            let mut types = Vec::new();
            while !self.eat(")") {
                types.push(self.ty());
                self.eat(",");
            }
            return Type::Tuple(types);
        }
        match self.word().0 {
            "f64" => Type::Real,
            "State" => Type::State,
            "Params" => Type::Parameters,
            "Normal" => Type::Normal,
            "Point" => Type::Point,
            other => panic!("no type `{other}`"),
        }
    }

    fn block(&mut self, scope: &mut Scope) -> Block {
        self.expect("{");
        let names = scope.names.len();
        let mut lets = Vec::new();
        while self.eat("let") {
            let close = if self.eat("(") { Some(")") } else { self.eat("[").then_some("]") };
            let mut bound = Vec::new();
            match close {
                None => bound.push(self.word()),
                Some(close) => {
                    while !self.eat(close) {
                        bound.push(self.word());
                        self.eat(",");
                    }
                }
            }
            self.expect("=");
            let value = self.expr(scope, 0);
            self.expect(";");
            let ty = scope.exprs[value.0].ty.clone();
            let pattern = if close.is_none() {
                Pattern::Local(scope.bind(bound[0].0, ty, bound[0].1))
            } else {
                let types = match ty {
                    Type::Tuple(types) => types,
                    Type::Array(element, n) => vec![*element; n],
                    other => panic!("no pattern for {other:?}"),
                };
                let bind = |((name, span), ty)| (name != "_").then(|| scope.bind(name, ty, span));
                Pattern::Elements(bound.into_iter().zip(types).map(bind).collect())
            };
            lets.push(Let { pattern, value });
        }
        let value = self.expr(scope, 0);
        self.expect("}");
        scope.names.truncate(names);
        Block { lets, value }
    }

    fn push(&mut self, scope: &mut Scope, start: usize, kind: ExprKind, ty: Type) -> ExprId {
        let span = self.span(start, self.at);
        scope.exprs.push(Expr { kind, ty, span });
        ExprId(scope.exprs.len() - 1)
    }

    fn expr(&mut self, scope: &mut Scope, least: usize) -> ExprId {
        const OPERATORS: [(&str, BinaryOp, usize); 10] = [
            ("||", BinaryOp::Or, 1),
            ("&&", BinaryOp::And, 2),
            ("<=", BinaryOp::Le, 3),
            (">=", BinaryOp::Ge, 3),
            ("<", BinaryOp::Lt, 3),
            (">", BinaryOp::Gt, 3),
            ("+", BinaryOp::Add, 4),
            ("-", BinaryOp::Sub, 4),
            ("*", BinaryOp::Mul, 5),
            ("/", BinaryOp::Div, 5),
        ];
        self.skip();
        let start = self.at;
        let mut left = self.unary(scope);
        loop {
            let Some(&(token, op, level)) = OPERATORS.iter().find(|(token, _, _)| self.peek(token)) else {
                return left;
            };
            if level <= least {
                return left;
            }
            self.expect(token);
            let right = self.expr(scope, level);
            let ty = if level < 4 { Type::Bool } else { Type::Real };
            left = self.push(scope, start, ExprKind::Binary(op, left, right), ty);
        }
    }

    fn unary(&mut self, scope: &mut Scope) -> ExprId {
        self.skip();
        let start = self.at;
        if self.eat("-") {
            let operand = self.unary(scope);
            return self.push(scope, start, ExprKind::Unary(UnaryOp::Neg, operand), Type::Real);
        }
        let mut value = self.primary(scope);
        loop {
            if self.eat(".") {
                let (name, _) = self.word();
                if self.eat("(") {
                    value = self.method(scope, start, value, name);
                    continue;
                }
                let fields = match scope.exprs[value.0].ty {
                    Type::State => &self.law.state.fields,
                    Type::Parameters => &self.law.parameters.fields,
                    _ => {
                        let axis = AXES.iter().position(|axis| *axis == name).unwrap();
                        value = self.push(scope, start, ExprKind::Field(value, axis), Type::Real);
                        continue;
                    }
                };
                let i = fields.iter().position(|f| f.name == name).unwrap_or_else(|| panic!("no field {name}"));
                value = self.push(scope, start, ExprKind::Field(value, i), Type::Real);
            } else if self.eat("[") {
                let i = self.word().0.parse().unwrap();
                self.expect("]");
                let Type::Array(element, _) = scope.exprs[value.0].ty.clone() else { panic!("no array") };
                value = self.push(scope, start, ExprKind::Index(value, i), *element);
            } else {
                return value;
            }
        }
    }

    fn method(&mut self, scope: &mut Scope, start: usize, receiver: ExprId, name: &str) -> ExprId {
        let mut args = vec![receiver];
        if name == "powi" {
            let minus = self.eat("-");
            let n: i32 = self.word().0.parse().unwrap();
            self.expect(")");
            let n = if minus { -n } else { n };
            return self.push(scope, start, ExprKind::Math(MathFn::Powi(n), args), Type::Real);
        }
        args.extend(self.list(scope, ")"));
        let f = match name {
            "sqrt" => MathFn::Sqrt,
            "cbrt" => MathFn::Cbrt,
            "abs" => MathFn::Abs,
            "min" => MathFn::Min,
            "max" => MathFn::Max,
            "powf" => MathFn::Powf,
            "exp" => MathFn::Exp,
            "ln" => MathFn::Ln,
            "sin" => MathFn::Sin,
            "cos" => MathFn::Cos,
            "tan" => MathFn::Tan,
            "tanh" => MathFn::Tanh,
            "atan2" => MathFn::Atan2,
            other => panic!("no method `{other}`"),
        };
        self.push(scope, start, ExprKind::Math(f, args), Type::Real)
    }

    fn list(&mut self, scope: &mut Scope, close: &str) -> Vec<ExprId> {
        let mut list = Vec::new();
        while !self.eat(close) {
            list.push(self.expr(scope, 0));
            self.eat(",");
        }
        list
    }

    fn primary(&mut self, scope: &mut Scope) -> ExprId {
        let start = self.at;
        let types =
            |scope: &Scope, ids: &[ExprId]| ids.iter().map(|id| scope.exprs[id.0].ty.clone()).collect::<Vec<_>>();
        if self.eat("(") {
            let list = self.list(scope, ")");
            if list.len() == 1 {
                return list[0];
            }
            let ty = Type::Tuple(types(scope, &list));
            return self.push(scope, start, ExprKind::Tuple(list), ty);
        }
        if self.eat("[") {
            let list = self.list(scope, "]");
            let ty = Type::Array(Box::new(types(scope, &list)[0].clone()), list.len());
            return self.push(scope, start, ExprKind::Array(list), ty);
        }
        if self.peek("{") {
            let block = self.block(scope);
            let ty = scope.exprs[block.value.0].ty.clone();
            return self.push(scope, start, ExprKind::Block(Box::new(block)), ty);
        }
        if self.eat("if") {
            let condition = self.expr(scope, 0);
            let a = self.block(scope);
            self.expect("else");
            let b = if self.peek("if") {
                Block { lets: Vec::new(), value: self.primary(scope) }
            } else {
                self.block(scope)
            };
            let ty = scope.exprs[a.value.0].ty.clone();
            return self.push(scope, start, ExprKind::If(condition, Box::new(a), Box::new(b)), ty);
        }
        let rest = &self.text[self.at..];
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let mut end = 0;
            for (i, c) in rest.char_indices() {
                let method = c == '.' && rest[i + 1..].starts_with(char::is_alphabetic);
                if !(c.is_ascii_digit() || c == '.' && !method) {
                    break;
                }
                end = i + 1;
            }
            self.at += end;
            return self.push(scope, start, ExprKind::Literal(rest[..end].into()), Type::Real);
        }
        let (name, _) = self.word();
        if name == "State" && self.eat("{") {
            let mut values = vec![None; self.law.state.fields.len()];
            while !self.eat("}") {
                let (field, _) = self.word();
                let i = self.law.state.fields.iter().position(|f| f.name == field).unwrap();
                self.expect(":");
                values[i] = Some(self.expr(scope, 0));
                self.eat(",");
            }
            let values = values.into_iter().map(Option::unwrap).collect();
            return self.push(scope, start, ExprKind::State(values), Type::State);
        }
        if self.eat("(") {
            let args = self.list(scope, ")");
            let id = self.law.functions.iter().position(|f| f.name == name);
            let id = id.unwrap_or_else(|| panic!("no function `{name}`"));
            let ty = self.law.functions[id].result.clone();
            return self.push(scope, start, ExprKind::Call(FunctionId(id), args), ty);
        }
        let local = scope.names.iter().rev().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no `{name}`")).1;
        let ty = scope.locals[local].ty.clone();
        self.push(scope, start, ExprKind::Local(LocalId(local)), ty)
    }
}
