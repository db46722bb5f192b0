//! The pointwise physics of a law as C: the user's functions under the user's names, line by line.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::ir::{
    AXES, BinaryOp, Block, Expr, ExprId, ExprKind, Function, FunctionId, Law, LocalId, MathFn, Pattern, Type, UnaryOp,
};

use super::names::{Namer, Of};

/// The member of a state that holds the medium where the state is. Laws without a medium have none.
pub(super) const MEDIUM: &str = "law_medium";

/// A character that does not occur in C.
const CALL: char = '\u{1}';

/// The C names of everything the user named.
pub(super) struct Names {
    functions: Vec<String>,
    /// Of every function, which of its arguments are media.
    takes_medium: Vec<Vec<bool>>,
    /// Components of the state.
    pub(super) components: Vec<String>,
    parameters: Vec<String>,
    /// Fields of the medium.
    pub(super) medium: Vec<String>,
    /// Expressions of parameters alone in the functions written so far, each once.
    once: RefCell<Vec<String>>,
}

impl Names {
    /// The names of a law.
    pub(super) fn new(law: &Law) -> Self {
        let (mut functions, mut members, mut fields) = (Namer::default(), Namer::default(), Namer::default());
        Self {
            functions: law.functions.iter().map(|f| functions.unique(&f.name, Of::Function)).collect(),
            takes_medium: law.functions.iter().map(|f| f.signature().map(|ty| *ty == Type::Medium).collect()).collect(),
            components: law.state.fields.iter().map(|f| members.unique(&f.name, Of::Variable)).collect(),
            parameters: law.parameters.fields.iter().map(|f| format!("parameter_{}", f.name)).collect(),
            medium: law.medium.fields.iter().map(|f| fields.unique(&f.name, Of::Variable)).collect(),
            once: RefCell::default(),
        }
    }

    /// Puts the functions' names into a text in which [`Names::call_of`] stands for them. Arguments and variables of the text that
    /// have one of these names get the prefix `local_`.
    pub(super) fn called(&self, text: &str) -> String {
        let mut named = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            if line.trim_start().starts_with("//") {
                named.push_str(line);
            } else {
                self.call(line, &mut named);
            }
        }
        named
    }

    /// Appends a line, with names for placeholders.
    fn call(&self, line: &str, named: &mut String) {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            let word = &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())];
            if word.is_empty() {
                let call = rest.strip_prefix(CALL).and_then(|call| call.split_once(CALL));
                if let Some((function, after)) =
                    call.and_then(|(index, after)| Some((index.parse::<usize>().ok()?, after)))
                {
                    named.push_str(&self.functions[function]);
                    rest = after;
                } else {
                    named.push(letter);
                    rest = &rest[letter.len_utf8()..];
                }
                continue;
            }
            let is_member = named.ends_with('.');
            if !is_member && self.functions.iter().any(|function| function == word) {
                named.push_str("local_");
            }
            named.push_str(word);
            rest = &rest[word.len()..];
        }
    }

    /// A placeholder for the name of a function, which [`Names::called`] replaces.
    pub(super) fn call_of(id: FunctionId) -> String {
        format!("{CALL}{}{CALL}", id.0)
    }

    /// The C name of a function of the law.
    pub(super) fn function(&self, id: FunctionId) -> &str {
        &self.functions[id.0]
    }

    /// Expressions of parameters alone in the functions written so far, by their numbers.
    pub(super) fn once(&self) -> Vec<String> {
        self.once.borrow().clone()
    }

    /// The number of such an expression.
    fn number_of_once(&self, code: &str) -> usize {
        let mut known = self.once.borrow_mut();
        known.iter().position(|other| other == code).unwrap_or_else(|| {
            known.push(code.to_owned());
            known.len() - 1
        })
    }
}

/// The parameters, as variables that a run sets unless they are defined before the text, and a kernel that computes the expressions
/// of parameters alone.
pub(super) fn parameters(law: &Law, once: &[String]) -> String {
    if law.parameters.fields.is_empty() {
        return String::new();
    }
    let mut text = String::from("#ifndef LITERAL_PARAMETERS\n");
    for field in &law.parameters.fields {
        let _ = writeln!(text, "PARAMETER(parameter_{})", field.name);
    }
    for i in 0..once.len() {
        let _ = writeln!(text, "PARAMETER(once_{i})");
    }
    if !once.is_empty() {
        let count = once.len();
        let _ = writeln!(text, "\ntypedef struct {{\n    scalar *values; /* out: [{count}] */\n}} OnceArguments;");
        text.push_str("KERNEL_SCALAR(compute_once, OnceArguments)\n{\n");
        for (i, code) in once.iter().enumerate() {
            let _ = writeln!(text, "    a->values[{i}] = {code};");
        }
        text.push_str("}\n");
    }
    text.push_str("#endif\n");
    text
}

/// The types: state, normal, point, and the arrays and tuples that `functions`, the text of the law's functions and of derived ones,
/// names.
pub(super) fn types(law: &Law, derived: &[&Function], names: &Names, functions: &str) -> String {
    let axes: Vec<String> = AXES[..law.dim].iter().map(|&axis| axis.to_owned()).collect();
    let mut types = Types { text: String::new(), defined: BTreeSet::new(), selected: BTreeSet::from([Type::State]) };
    for function in &law.functions {
        for expr in function.exprs.iter().filter(|expr| matches!(expr.kind, ExprKind::If(..))) {
            types.select(&expr.ty);
        }
    }
    let real = |members: &[String]| members.iter().map(|member| (member.clone(), Type::Real)).collect::<Vec<_>>();
    if !names.medium.is_empty() {
        types.define(&Type::Medium, &real(&names.medium), functions.contains("make_Medium"));
    }
    types.define(&Type::State, &real(&names.components), true);
    types.define(&Type::Normal, &real(&axes), functions.contains("make_Normal"));
    types.define(&Type::Point, &real(&axes), false);
    for function in law.functions.iter().chain(derived.iter().copied()) {
        for ty in function.exprs.iter().map(|e| &e.ty).chain(function.locals.iter().map(|l| &l.ty)) {
            if matches!(ty, Type::Array(..) | Type::Tuple(_)) && functions.contains(&type_name(ty)) {
                types.aggregate(ty);
            }
        }
    }
    types.text
}

/// Writes type definitions, each once and after those that it uses.
struct Types {
    text: String,
    defined: BTreeSet<Type>,
    /// Types that an `if` chooses between.
    selected: BTreeSet<Type>,
}

impl Types {
    /// Notes that values of a type, and so of its parts, are chosen between.
    fn select(&mut self, ty: &Type) {
        match ty {
            Type::Real | Type::Bool | Type::Parameters => return,
            Type::Array(element, _) => self.select(element),
            Type::Tuple(elements) => elements.iter().for_each(|element| self.select(element)),
            Type::State | Type::Medium | Type::Normal | Type::Point => {}
        }
        self.selected.insert(ty.clone());
    }

    /// Defines an array or tuple type.
    fn aggregate(&mut self, ty: &Type) {
        if self.defined.contains(ty) {
            return;
        }
        match ty {
            Type::Array(element, n) => {
                self.aggregate(element);
                let members: Vec<_> = (0..*n).map(|i| (format!("v[{i}]"), (**element).clone())).collect();
                self.define(ty, &members, true);
            }
            Type::Tuple(elements) => {
                elements.iter().for_each(|element| self.aggregate(element));
                let members: Vec<_> = elements.iter().enumerate().map(|(i, e)| (format!("_{i}"), e.clone())).collect();
                self.define(ty, &members, true);
            }
            _ => {}
        }
    }

    /// A struct with these members; with its constructor, if wanted, and its selection, if needed.
    fn define(&mut self, ty: &Type, members: &[(String, Type)], made: bool) {
        let (name, has_medium) = (type_name(ty), self.defined.contains(&Type::Medium));
        let text = &mut self.text;
        let _ = writeln!(text, "typedef struct {{");
        if let Type::Array(element, n) = ty {
            let _ = writeln!(text, "    {} v[{n}];", type_name(element));
        } else {
            for (member, ty) in members {
                let _ = writeln!(text, "    {} {member};", type_name(ty));
            }
            if *ty == Type::State && has_medium {
                let _ = writeln!(text, "    Medium {MEDIUM}; // where the state is");
            }
        }
        let _ = writeln!(text, "}} {name};\n");
        if made {
            // `v[0]` is no name of an argument.
            let argument = |member: &str| member.replace(['[', ']'], "");
            let arguments: Vec<String> =
                members.iter().map(|(member, ty)| format!("{} {}", type_name(ty), argument(member))).collect();
            let names: Vec<String> = members.iter().map(|(member, _)| argument(member)).collect();
            // The members of an array are in brackets of their own.
            let [open, close] = if matches!(ty, Type::Array(..)) { ["{{", "}}"] } else { ["{", "}"] };
            let _ = writeln!(
                text,
                "DEVICE {name} make_{name}({})\n{{\n    const {name} law_made = {open}{}{close};\n    return law_made;\n}}\n",
                arguments.join(", "),
                names.join(", "),
            );
        }
        if self.selected.contains(ty) {
            let _ =
                writeln!(text, "DEVICE {name} select_{name}(mask here, {name} a, {name} b)\n{{\n    {name} chosen;");
            for (member, ty) in members {
                let _ = writeln!(text, "    chosen.{member} = {}(here, a.{member}, b.{member});", select_name(ty));
            }
            if *ty == Type::State && has_medium {
                let _ = writeln!(text, "    chosen.{MEDIUM} = a.{MEDIUM};");
            }
            let _ = writeln!(text, "    return chosen;\n}}\n");
        }
        self.defined.insert(ty.clone());
    }
}

/// The C name of a type.
pub(super) fn type_name(ty: &Type) -> String {
    match ty {
        Type::Real => "real".to_owned(),
        Type::Bool => "mask".to_owned(),
        Type::State => "State".to_owned(),
        Type::Medium => "Medium".to_owned(),
        Type::Normal => "Normal".to_owned(),
        Type::Point => "Point".to_owned(),
        Type::Parameters => unreachable!("parameters are constants of the unit"),
        Type::Array(element, n) => format!("{}s{n}", capitalised(&type_name(element))),
        Type::Tuple(elements) => {
            elements.iter().fold("Tuple".to_owned(), |name, element| name + capitalised(&type_name(element)).as_str())
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn select_name(ty: &Type) -> String {
    match ty {
        Type::Real => "select".to_owned(),
        Type::Bool => "select_ints".to_owned(),
        other => format!("select_{}", type_name(other)),
    }
}

/// A function of the user's under a C name.
pub(super) fn function(name: &str, names: &Names, function: &Function) -> String {
    write(name, names, function, None)
}

/// A function that was derived, in which the fields of a [medium](crate::medium) are parameters: they are read from its first state.
pub(super) fn derived(name: &str, names: &Names, function: &Function) -> String {
    let state = function.signature().position(|ty| *ty == Type::State);
    write(name, names, function, state.filter(|_| !names.medium.is_empty()))
}

fn write(name: &str, names: &Names, function: &Function, place: Option<usize>) -> String {
    let mut namer = Namer::default();
    // A variable of the same name would hide the function.
    namer.reserve(function.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Call(callee, _) => Some(names.function(*callee)),
        _ => None,
    }));
    let locals = function
        .locals
        .iter()
        .map(|local| if local.ty == Type::Parameters { String::new() } else { namer.unique(&local.name, Of::Variable) })
        .collect();
    let mut writer = Writer { names, function, place, locals, namer, body: String::new() };
    let value = writer.block(&function.body);
    let value = writer.lanes(value);
    let parameters: Vec<String> = (0..function.parameters)
        .filter(|&i| function.locals[i].ty != Type::Parameters)
        .map(|i| format!("{} {}", type_name(&function.locals[i].ty), writer.locals[i]))
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let mut text = String::new();
    for line in function.doc.lines() {
        let line = line.replace("*/", "* /");
        let _ = writeln!(text, "{}", format!("// {}", line.trim()).trim_end());
    }
    let _ = writeln!(
        text,
        "DEVICE {} {name}({parameters})\n{{\n{}    return {value};\n}}\n",
        type_name(&function.result),
        writer.body
    );
    text
}

/// How tightly an expression binds, as in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// The C text of an expression.
struct Text {
    code: String,
    precedence: Precedence,
    /// The operands of a `scalar`, which is the same in all lanes.
    uniform: Option<Uniform>,
}

/// The operands of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Uniform {
    /// Literals.
    Literals,
    /// A parameter, or its negative.
    Parameter,
    /// Several operations on parameters and literals.
    Parameters,
}

impl Uniform {
    /// Of an operation on two.
    fn and(self, other: Self) -> Self {
        if self.max(other) == Self::Literals { Self::Literals } else { Self::Parameters }
    }
}

impl Text {
    fn atom(code: String) -> Self {
        Self { code, precedence: Precedence::Atom, uniform: None }
    }

    /// The code, in parentheses if an enclosing operator of precedence `outer` needs them.
    fn within(self, outer: Precedence) -> String {
        if self.precedence < outer { format!("({})", self.code) } else { self.code }
    }
}

/// Writes the body of one function.
struct Writer<'a> {
    names: &'a Names,
    function: &'a Function,
    /// The state from which the first parameters are read, the fields of the medium.
    place: Option<usize>,
    locals: Vec<String>,
    namer: Namer,
    body: String,
}

impl Writer<'_> {
    /// Writes the bindings of a block and gives its value. Both branches of an `if` come here too: everything is
    /// pure, so evaluating the branch not taken is harmless and keeps all lanes together.
    fn block(&mut self, block: &Block) -> Text {
        for binding in &block.lets {
            if self.function.expr(binding.value).ty == Type::Parameters {
                continue;
            }
            match &binding.pattern {
                Pattern::Local(local) => self.bind(*local, binding.value),
                Pattern::Elements(elements) => self.destructure(elements, binding.value),
            }
        }
        self.expr(block.value)
    }

    /// `let name = value;`
    fn bind(&mut self, local: LocalId, value: ExprId) {
        let value = self.lane_expr(value);
        let ty = type_name(&self.function.locals[local.0].ty);
        let _ = writeln!(self.body, "    const {ty} {} = {value};", self.locals[local.0]);
    }

    /// `let (a, b) = …`: each element of a literal by itself, otherwise the members of the whole.
    fn destructure(&mut self, elements: &[Option<LocalId>], id: ExprId) {
        let function = self.function;
        if let ExprKind::Tuple(values) | ExprKind::Array(values) = &function.expr(id).kind {
            for (local, &value) in elements.iter().zip(values) {
                if let Some(local) = local {
                    self.bind(*local, value);
                }
            }
            return;
        }
        let value = self.expr(id);
        let ty = &self.function.expr(id).ty;
        let names: Vec<&str> =
            elements.iter().flatten().map(|local| self.function.locals[local.0].name.as_str()).collect();
        let whole = self.namer.unique(&names.join("_and_"), Of::Variable);
        let value = self.lanes(value);
        let _ = writeln!(self.body, "    const {} {whole} = {value};", type_name(ty));
        for (i, local) in elements.iter().enumerate() {
            if let Some(local) = local {
                let ty_name = type_name(&self.function.locals[local.0].ty);
                let member = if matches!(ty, Type::Tuple(_)) { format!("_{i}") } else { format!("v[{i}]") };
                let _ = writeln!(self.body, "    const {ty_name} {} = {whole}.{member};", self.locals[local.0]);
            }
        }
    }

    /// The code of a value as a `real`.
    fn lanes(&self, text: Text) -> String {
        if text.uniform.is_some() { format!("splat({})", self.once(text).code) } else { text.code }
    }

    /// Expressions of parameters alone are computed once.
    fn once(&self, text: Text) -> Text {
        match text.uniform {
            Some(Uniform::Parameters) => {
                let code = format!("ONCE({}, {})", self.names.number_of_once(&text.code), text.code);
                Text { code, precedence: Precedence::Atom, uniform: Some(Uniform::Parameter) }
            }
            _ => text,
        }
    }

    /// a / b as a · (1 / b): quotients with the same denominator share its reciprocal; for constants the compiler
    /// computes it.
    fn quotient(&self, a: Text, b: Text) -> Text {
        let reciprocal = match b.uniform {
            Some(uniform) => {
                let code = format!("R(1.0) / {}", b.within(Precedence::Unary));
                let uniform = Some(Uniform::Literals.and(uniform));
                self.once(Text { code, precedence: Precedence::Product, uniform }).within(Precedence::Atom)
            }
            None => format!("real_reciprocal({})", b.code),
        };
        if a.code == "R(1.0)" {
            return Text::atom(reciprocal);
        }
        let a = self.once(a).within(Precedence::Product);
        Text { code: format!("{a} * {reciprocal}"), precedence: Precedence::Product, uniform: None }
    }

    fn lane_expr(&mut self, id: ExprId) -> String {
        let text = self.expr(id);
        self.lanes(text)
    }

    fn list(&mut self, ids: &[ExprId]) -> String {
        let items: Vec<String> = ids.iter().map(|id| self.lane_expr(*id)).collect();
        items.join(", ")
    }

    /// The arguments of a call, without the parameters.
    fn arguments(&mut self, callee: FunctionId, ids: &[ExprId]) -> String {
        let names = self.names;
        let mut items = Vec::new();
        for (&id, &is_medium) in ids.iter().zip(&names.takes_medium[callee.0]) {
            match (self.function.expr(id).ty == Type::Parameters, self.place.filter(|_| is_medium)) {
                (false, _) => items.push(self.lane_expr(id)),
                (true, Some(state)) => items.push(format!("{}.{MEDIUM}", self.locals[state])),
                (true, None) => {}
            }
        }
        items.join(", ")
    }

    fn expr(&mut self, id: ExprId) -> Text {
        let function = self.function;
        let Expr { kind, ty, .. } = function.expr(id);
        match kind {
            ExprKind::Literal(text) => {
                Text { code: format!("R({text})"), precedence: Precedence::Atom, uniform: Some(Uniform::Literals) }
            }
            ExprKind::Bool(value) => Text {
                code: format!("splat(R({})) > splat(R(0))", u8::from(*value)),
                precedence: Precedence::Comparison,
                uniform: None,
            },
            ExprKind::Local(local) => Text::atom(self.locals[local.0].clone()),
            ExprKind::Field(of, i) => self.field(*of, *i),
            ExprKind::Index(of, i) => {
                let member =
                    if matches!(function.expr(*of).ty, Type::Tuple(_)) { format!("_{i}") } else { format!("v[{i}]") };
                let of = self.expr(*of).within(Precedence::Atom);
                Text::atom(format!("{of}.{member}"))
            }
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.expr(*a);
                let uniform = a.uniform;
                // `- -a` must not become `--a`.
                let a = if a.precedence == Precedence::Unary {
                    format!("({})", a.code)
                } else {
                    a.within(Precedence::Unary)
                };
                Text { code: format!("-{a}"), precedence: Precedence::Unary, uniform }
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.lane_expr(*a);
                Text::atom(format!("not({a})"))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b),
            ExprKind::Math(f, args) => self.math(*f, args),
            ExprKind::Call(callee, args) => {
                let args = self.arguments(*callee, args);
                Text::atom(format!("{}({args})", self.names.function(*callee)))
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.lane_expr(*condition);
                let a = self.block(a);
                let a = self.lanes(a);
                let b = self.block(b);
                let b = self.lanes(b);
                Text::atom(format!("{}({condition}, {a}, {b})", select_name(ty)))
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::State(ids) | ExprKind::Array(ids) | ExprKind::Tuple(ids) => {
                let list = self.list(ids);
                Text::atom(format!("make_{}({list})", type_name(ty)))
            }
        }
    }

    fn field(&mut self, of: ExprId, i: usize) -> Text {
        let member = match self.function.expr(of).ty {
            Type::Parameters => {
                let media = if self.place.is_some() { self.names.medium.len() } else { 0 };
                if let Some(state) = self.place.filter(|_| i < media) {
                    return Text::atom(format!("{}.{MEDIUM}.{}", self.locals[state], self.names.medium[i]));
                }
                return Text {
                    code: self.names.parameters[i - media].clone(),
                    precedence: Precedence::Atom,
                    uniform: Some(Uniform::Parameter),
                };
            }
            Type::State => self.names.components[i].clone(),
            Type::Medium => self.names.medium[i].clone(),
            _ => AXES[i].to_owned(),
        };
        let of = self.expr(of).within(Precedence::Atom);
        Text::atom(format!("{of}.{member}"))
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Text {
        let (symbol, precedence) = match op {
            BinaryOp::Add => ("+", Precedence::Sum),
            BinaryOp::Sub => ("-", Precedence::Sum),
            BinaryOp::Mul => ("*", Precedence::Product),
            BinaryOp::Div => ("/", Precedence::Product),
            BinaryOp::Lt => ("<", Precedence::Comparison),
            BinaryOp::Le => ("<=", Precedence::Comparison),
            BinaryOp::Gt => (">", Precedence::Comparison),
            BinaryOp::Ge => (">=", Precedence::Comparison),
            // Masks are whole lanes of ones and zeros: the bitwise operators are the logical ones.
            BinaryOp::And => ("&", Precedence::And),
            BinaryOp::Or => ("|", Precedence::Or),
        };
        let (a, b) = (self.expr(a), self.expr(b));
        let uniform = a.uniform.zip(b.uniform).map(|(a, b)| a.and(b));
        if op == BinaryOp::Div && uniform.is_none() {
            return self.quotient(a, b);
        }
        let logical = precedence <= Precedence::Comparison;
        // The user's own grouping is kept: floating-point sums are not associative.
        let (left, right) = match precedence {
            Precedence::Sum => (Precedence::Sum, Precedence::Product),
            Precedence::Product => (Precedence::Product, Precedence::Unary),
            Precedence::Comparison => (Precedence::Sum, Precedence::Sum),
            _ => (Precedence::Atom, Precedence::Atom),
        };
        if !logical && uniform.is_some() {
            let (a, b) = (a.within(left), b.within(right));
            return Text { code: format!("{a} {symbol} {b}"), precedence, uniform };
        }
        let a = if uniform.is_some() { self.lanes(a) } else { self.once(a).within(left) };
        let b = self.once(b).within(right);
        Text { code: format!("{a} {symbol} {b}"), precedence, uniform: None }
    }

    fn math(&mut self, f: MathFn, args: &[ExprId]) -> Text {
        let args = self.list(args);
        Text::atom(match f {
            MathFn::Sqrt => format!("real_sqrt({args})"),
            MathFn::Cbrt => format!("real_cbrt({args})"),
            MathFn::Abs => format!("real_abs({args})"),
            MathFn::Min => format!("real_min({args})"),
            MathFn::Max => format!("real_max({args})"),
            MathFn::Powi(n) => format!("real_powi({args}, {n})"),
            MathFn::Powf => format!("real_pow({args})"),
            MathFn::Exp => format!("real_exp({args})"),
            MathFn::Ln => format!("real_ln({args})"),
            MathFn::Sin => format!("real_sin({args})"),
            MathFn::Cos => format!("real_cos({args})"),
            MathFn::Tan => format!("real_tan({args})"),
            MathFn::Tanh => format!("real_tanh({args})"),
            MathFn::Atan2 => format!("real_atan2({args})"),
        })
    }
}
