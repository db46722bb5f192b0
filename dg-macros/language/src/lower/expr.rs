//! Expressions.

use std::ops::Range;

use quote::ToTokens;
use syn::{BinOp, Expr, ExprPath, ExprStruct, Lit, Member, UnOp};
use templates::ir::{self, AXES, BinaryOp, Block, ExprId, ExprKind, Let, Pattern, Type, UnaryOp};

use super::body::{Body, Meaning};
use super::flow::RETURN;
use super::integers;
use super::sequence::Chain;
use crate::constants::{constant, extreme};
use crate::parse::{MOST_ELEMENTS, length, real, text};

/// The deepest nesting of expressions: nobody writes more, and every pass over them needs stack.
const DEEPEST: usize = 500;

impl Body<'_> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Option<ExprId> {
        self.deeper(expr, |body| body.expr_of_any_kind(expr))
    }

    /// Lowers an expression within another one.
    pub(super) fn deeper<T>(&mut self, expr: &Expr, lower: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let depth = self.depth?;
        if depth == DEEPEST {
            self.depth = None;
            return self
                .error(expr, format!("more than {DEEPEST} expressions within each other: name parts with `let`"));
        }
        self.depth = Some(depth + 1);
        let lowered = lower(self);
        self.depth = self.depth.and(Some(depth));
        if lowered.is_none() {
            self.out.left_to_rustc_at(expr);
        }
        lowered
    }

    fn expr_of_any_kind(&mut self, expr: &Expr) -> Option<ExprId> {
        match expr {
            Expr::Paren(paren) => self.expr(&paren.expr),
            Expr::Group(group) => self.expr(&group.expr),
            Expr::Lit(literal) => self.literal(literal, expr),
            Expr::Path(path) => self.path(path),
            Expr::Unary(unary) => self.unary(expr, unary),
            Expr::Binary(binary) => self.binary(expr, binary),
            Expr::MethodCall(call) => match self.method(call)? {
                Chain::Value(value) => Some(value),
                Chain::Sequence(_) => self.error(
                    &call.method,
                    "an iterator is used up at once: end it by `sum`, `product`, `fold`, `any` or `all`, or run a `for` loop over it",
                ),
            },
            Expr::Call(call) => self.call(call),
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.index(index),
            Expr::Struct(literal) => self.structure(literal),
            Expr::If(branch) => self.branch(branch),
            Expr::Block(block) if block.label.is_none() => {
                let lowered = self.block(&block.block)?;
                let ty = self.ty(lowered.value).clone();
                Some(self.push(ExprKind::Block(Box::new(lowered)), ty, expr))
            }
            Expr::Array(array) => {
                let elements = self.all(&array.elems)?;
                let Some(&first) = elements.first() else {
                    return self.error(expr, "an array of a law has at least one element");
                };
                let ty = self.ty(first).clone();
                if elements.iter().any(|&element| *self.ty(element) != ty) {
                    return self.leave_to_rustc();
                }
                let ty = Type::Array(Box::new(ty), elements.len());
                Some(self.push(ExprKind::Array(elements), ty, expr))
            }
            Expr::Repeat(repeat) => {
                let element = self.expr(&repeat.expr);
                let Some(length) = length(self.whole(&repeat.len)) else {
                    let message = format!("the length of an array is a positive number of at most {MOST_ELEMENTS}");
                    return self.error(&repeat.len, message);
                };
                let (element, mut lets) = (element?, Vec::new());
                let ty = Type::Array(Box::new(self.ty(element).clone()), length);
                // Bindings within the element are made once.
                let elements = match self.kind(element) {
                    ExprKind::Literal(_) | ExprKind::Local(_) => vec![element; length],
                    _ => {
                        let local = self.local("element".to_string(), expr, self.ty(element).clone());
                        lets.push(Let { pattern: Pattern::Local(local), value: element });
                        (0..length).map(|_| self.read(local, expr)).collect()
                    }
                };
                let array = self.push(ExprKind::Array(elements), ty, expr);
                Some(self.within(lets, array, expr))
            }
            Expr::Tuple(tuple) if tuple.elems.len() >= 2 => {
                let elements = self.all(&tuple.elems)?;
                let types = elements.iter().map(|&element| self.ty(element).clone()).collect();
                Some(self.push(ExprKind::Tuple(elements), Type::Tuple(types), expr))
            }
            Expr::Cast(cast) if text(&cast.ty) == "f64" && let Some(value) = self.whole(&cast.expr) => {
                let size = self.push(ExprKind::Literal(format!("{}.0", value.unsigned_abs())), Type::Real, expr);
                let negative = (value < 0).then(|| self.push(ExprKind::Unary(UnaryOp::Neg, size), Type::Real, expr));
                Some(negative.unwrap_or(size))
            }
            _ => self.foreign(expr),
        }
    }

    /// Lowers all expressions, so that the mistakes of each are reported.
    pub(super) fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<ExprId>> {
        let lowered: Vec<_> = exprs.into_iter().map(|expr| self.expr(expr)).collect();
        lowered.into_iter().collect()
    }

    /// Reports an expression as a statement, which has no effect.
    pub(super) fn effect<T>(&mut self, expr: &Expr) -> Option<T> {
        match expr {
            Expr::Path(_) | Expr::Lit(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Field(_) | Expr::Struct(_) => {
                self.error(expr, "this value is not used: bind it with `let`, or leave it out")
            }
            _ => {
                self.foreign::<ExprId>(expr);
                None
            }
        }
    }

    /// Reports a Rust expression that a law cannot have, at the smallest token that shows it.
    fn foreign<T>(&mut self, expr: &Expr) -> Option<T> {
        match expr {
            Expr::ForLoop(e) => self.error(&e.for_token, "a loop has no value: run it in a statement"),
            Expr::While(e) => self.error(
                &e.while_token,
                "`while` has no bound: write `for _ in 0..20 { … }`, with `break` or without, as loops are written out",
            ),
            Expr::Loop(e) => self.error(
                &e.loop_token,
                "`loop` has no bound: write `for _ in 0..20 { … }`, with `break` or without, as loops are written out",
            ),
            Expr::Match(e) => self.error(&e.match_token, "`match` is not available: use `if … { … } else { … }`"),
            Expr::Return(e) => self.error(&e.return_token, RETURN),
            Expr::Assign(e) => self.error(&e.eq_token, "assign in a statement of its own"),
            Expr::Binary(e) => {
                let assign = "assign in a statement of its own: `a += b`, `-=`, `*=` or `/=`";
                self.error(&e.op, unavailable(&e.op).unwrap_or(assign))
            }
            Expr::Reference(e) => self.error(&e.and_token, "a law has no references: pass the value itself"),
            Expr::Macro(e) => self.error(&e.mac.path, instead_of_macro(&e.mac.path)),
            Expr::Closure(e) => self.error(e, "closures are for iterators, or have names: `let f = |a| …;`"),
            Expr::Cast(e) if unavailable_in(&e.expr).is_some() => {
                let (op, why) = unavailable_in(&e.expr)?;
                self.error(op, why)
            }
            Expr::Cast(e) if matches!(&*text(&e.ty), "f64" | "f32") => {
                self.error(e, "only integers known at compile time are cast, to `f64`: leave the cast out")
            }
            Expr::Cast(e) => self.error(e, "integers of a law are known at compile time: write the number itself"),
            Expr::Block(syn::ExprBlock { label: Some(label), .. }) => {
                self.error(label, "blocks have no labels here: use `if … { … } else { … }`, or an early `return`")
            }
            Expr::Try(e) => self.error(&e.question_token, "a law's functions cannot fail: leave `?` out"),
            Expr::Range(e) => self.error(e, "ranges are for loops and iterators"),
            Expr::Let(e) => self.error(&e.let_token, "patterns of a law always match: write a comparison"),
            Expr::Unsafe(e) => self.error(&e.unsafe_token, "nothing in a law is unsafe: leave `unsafe` out"),
            Expr::Async(e) => self.error(&e.async_token, "a law waits for nothing: leave `async` out"),
            Expr::Await(_) => self.leave_to_rustc(),
            Expr::Const(e) => self.error(&e.const_token, "leave `const` out, or name the value: `const A: f64 = …;`"),
            Expr::Break(e) => self.error(e, "`break` has neither label nor value here"),
            Expr::Continue(e) => self.error(e, "`continue` has no label here"),
            expr => self.error(expr, "no expression of a law"),
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit, expr: &Expr) -> Option<ExprId> {
        if let Some(digits) = real(expr) {
            return Some(self.push(ExprKind::Literal(digits), Type::Real, expr));
        }
        match &literal.lit {
            Lit::Bool(value) => Some(self.push(ExprKind::Bool(value.value), Type::Bool, expr)),
            Lit::Int(value) if value.suffix().is_empty() => {
                // Beside a real number rustc reports it; alone it would be an integer.
                self.leave_to_rustc()
            }
            _ => self.error(literal, "a law computes in `f64` alone: write a number such as `2.0`"),
        }
    }

    fn path(&mut self, expr: &ExprPath) -> Option<ExprId> {
        let segments: Vec<_> = expr.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some(name) = segments.last() else { return self.leave_to_rustc() };
        if segments.len() == 1 {
            match self.meaning(name) {
                Some(Meaning::Local(local)) => return Some(self.read(*local, expr)),
                Some(Meaning::Integer(_)) => return self.leave_to_rustc(),
                Some(Meaning::Closure(_)) => {
                    return self.error(expr, format!("closures are not values: call it, `{name}(…)`"));
                }
                Some(Meaning::Mistake) => return None,
                None => {}
            }
        }
        if let Some((home, item)) = self.constant_named(&segments) {
            if self.constants.contains(&&item.ident) {
                return self.leave_to_rustc();
            }
            self.constants.push(&item.ident);
            let value = self.outside(home, |body| body.expr(&item.expr));
            self.constants.pop();
            return value;
        }
        if segments.len() == 1 && self.function_named(&segments).is_some() {
            return self.error(expr, format!("functions are not values: call it, `{name}(…)`"));
        }
        let others = &self.module().others;
        let path = others.resolve(&segments);
        if let Some(why) = extreme(&path) {
            return self.error(expr, why);
        }
        if let Some(value) = constant(&path) {
            return Some(self.push(ExprKind::Literal(format!("{value:?}")), Type::Real, expr));
        }
        if segments.len() > 1 || !others.globs.is_empty() || others.names.contains(name) {
            let message = format!("`{name}` is not the block's own: write `const {name}: f64 = …;` in the block");
            return self.error(expr, message);
        }
        self.leave_to_rustc()
    }

    fn unary(&mut self, expr: &Expr, unary: &syn::ExprUnary) -> Option<ExprId> {
        match unary.op {
            UnOp::Neg(_) => self.arithmetic(expr),
            UnOp::Not(_) => {
                let operand = self.expr(&unary.expr)?;
                if *self.ty(operand) != Type::Bool {
                    let ty = self.ty(operand).clone();
                    return self.unlike(&unary.op, &[ty]);
                }
                Some(self.push(ExprKind::Unary(UnaryOp::Not, operand), Type::Bool, expr))
            }
            // An element of an iterator is a reference.
            _ => self.expr(&unary.expr),
        }
    }

    fn binary(&mut self, whole: &Expr, expr: &syn::ExprBinary) -> Option<ExprId> {
        let (op, operands) = match &expr.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => return self.arithmetic(whole),
            BinOp::Lt(_) => (BinaryOp::Lt, Type::Real),
            BinOp::Le(_) => (BinaryOp::Le, Type::Real),
            BinOp::Gt(_) => (BinaryOp::Gt, Type::Real),
            BinOp::Ge(_) => (BinaryOp::Ge, Type::Real),
            BinOp::And(_) => (BinaryOp::And, Type::Bool),
            BinOp::Or(_) => (BinaryOp::Or, Type::Bool),
            BinOp::Eq(_) | BinOp::Ne(_) => {
                return self.error(&expr.op, "rounding makes `==` and `!=` meaningless: compare with `<` or `<=`");
            }
            op if unavailable(op).is_some() => return self.error(op, unavailable(op)?),
            _ => return self.foreign(whole),
        };
        let (a, b) = (self.expr(&expr.left), self.expr(&expr.right));
        let (a, b) = (a?, b?);
        let types = [self.ty(a).clone(), self.ty(b).clone()];
        if types.iter().any(|ty| *ty != operands) {
            return self.unlike(&expr.op, &types);
        }
        Some(self.push(ExprKind::Binary(op, a, b), Type::Bool, expr))
    }

    fn field(&mut self, expr: &syn::ExprField) -> Option<ExprId> {
        let base = self.expr(&expr.base)?;
        self.field_of(base, expr)
    }

    /// `base.member`
    fn field_of(&mut self, base: ExprId, expr: &syn::ExprField) -> Option<ExprId> {
        if let Some((fields, is_array)) = self.member(self.ty(base), &expr.member) {
            return Some(match is_array {
                true => self.array(base, fields, expr),
                false => self.push(ExprKind::Field(base, fields.start), Type::Real, expr),
            });
        }
        let found = match (&expr.member, self.ty(base)) {
            (Member::Named(name), Type::Normal | Type::Point) => {
                let axis = AXES[..self.scope.dim].iter().position(|axis| name == axis);
                axis.map(|axis| (ExprKind::Field(base, axis), Type::Real))
            }
            (Member::Unnamed(index), Type::Tuple(types)) => {
                let index = index.index as usize;
                types.get(index).map(|ty| (ExprKind::Index(base, index), ty.clone()))
            }
            _ => None,
        };
        match found {
            Some((kind, ty)) => Some(self.push(kind, ty, expr)),
            None => self.leave_to_rustc(),
        }
    }

    /// The numbers of a struct that are its field of this name, and whether that is an array.
    pub(super) fn member(&self, of: &Type, member: &Member) -> Option<(Range<usize>, bool)> {
        let name = text(member);
        let found = self.scope.record(of)?.members().into_iter().find(|member| member.name == name)?;
        Some((found.fields, found.is_array))
    }

    /// An array among the fields of a struct, which is first bound to a variable unless it is one.
    pub(super) fn array(&mut self, of: ExprId, fields: Range<usize>, node: &impl ToTokens) -> ExprId {
        let (local, lets) = match self.kind(of) {
            ExprKind::Local(local) => (*local, Vec::new()),
            _ => {
                let local = self.local("whole".to_string(), node, self.ty(of).clone());
                (local, vec![Let { pattern: Pattern::Local(local), value: of }])
            }
        };
        let ty = Type::Array(Box::new(Type::Real), fields.len());
        let elements = fields.map(|i| {
            let whole = self.read(local, node);
            self.push(ExprKind::Field(whole, i), Type::Real, node)
        });
        let elements = elements.collect();
        let array = self.push(ExprKind::Array(elements), ty, node);
        self.within(lets, array, node)
    }

    fn index(&mut self, expr: &syn::ExprIndex) -> Option<ExprId> {
        if let Some(element) = self.element_of_constant(expr) {
            return element;
        }
        let base = match &*expr.expr {
            Expr::Field(field) => {
                let of = self.expr(&field.base)?;
                if let Some((fields, true)) = self.member(self.ty(of), &field.member) {
                    let i = fields.start + self.position(&expr.index, fields.len())?;
                    return Some(self.push(ExprKind::Field(of, i), Type::Real, expr));
                }
                self.field_of(of, field)?
            }
            base => self.expr(base)?,
        };
        let (kind, element, length): (fn(_, _) -> _, _, _) = match self.ty(base).clone() {
            Type::Array(element, length) => (ExprKind::Index, *element, length),
            Type::Normal | Type::Point => (ExprKind::Field, Type::Real, self.scope.dim),
            _ => return self.leave_to_rustc(),
        };
        let index = self.position(&expr.index, length)?;
        Some(self.push(kind(base, index), element, expr))
    }

    /// An index into so many elements.
    pub(super) fn position(&mut self, index: &Expr, length: usize) -> Option<usize> {
        let Some(value) = self.whole(index) else { return self.unknown_index(index) };
        match usize::try_from(value) {
            Ok(position) if position < length => Some(position),
            // rustc knows literals and constants, but not the variables of loops.
            _ if integers::constant(self.module(), index).is_some() => self.leave_to_rustc(),
            _ => {
                self.error(index, format!("index out of bounds: the length is {length} but the index is {value} here"))
            }
        }
    }

    /// Reports an index that is no integer known at compile time.
    fn unknown_index<T>(&mut self, index: &Expr) -> Option<T> {
        if let Some((op, why)) = unavailable_in(index) {
            return self.error(op, why);
        }
        self.error(
            index,
            "an index is an integer that is known at compile time, such as `a[0]`, or `a[i]` in `for i in 0..3`",
        )
    }

    /// An element of an array among the constants, without the others.
    fn element_of_constant(&mut self, expr: &syn::ExprIndex) -> Option<Option<ExprId>> {
        let Expr::Path(path) = &*expr.expr else { return None };
        let name = path.path.get_ident().map(ToString::to_string).filter(|name| self.meaning(name).is_none())?;
        let (home, item) = self.constant_named(&[name])?;
        let Expr::Array(array) = &*item.expr else { return None };
        let element = array.elems.get(usize::try_from(self.whole(&expr.index)?).ok()?)?;
        Some(self.outside(home, |body| body.expr(element)))
    }

    fn structure(&mut self, literal: &ExprStruct) -> Option<ExprId> {
        let name = text(&literal.path);
        if name == "Normal" {
            return self.normal(literal);
        }
        let made = [Type::State, Type::Medium];
        let Some(ty) = made.into_iter().find(|ty| self.scope.record(ty).is_some_and(|record| record.name == name))
        else {
            return match name == self.scope.parameters.name || name == "Point" {
                true => self.error(&literal.path, format!("`{name}` is given from outside: a law cannot make one")),
                false => {
                    let made = &self.scope.state.name;
                    self.error(&literal.path, format!("the only structs to make are `{made}` and `Normal`"))
                }
            };
        };
        let members = self.scope.record(&ty).map(ir::Record::members).unwrap_or_default();
        let values = self.members(literal, &members);
        let base = match &literal.rest {
            Some(rest) => Some(self.expr(rest)?),
            None => None,
        };
        let (lets, values) = values?;
        let made = match base {
            Some(base) if *self.ty(base) == ty => self.update(literal, values, base)?,
            Some(_) => return self.leave_to_rustc(),
            None => {
                let Some(values) = values.into_iter().collect() else { return self.leave_to_rustc() };
                self.push(ExprKind::State(values), ty, literal)
            }
        };
        Some(self.within(lets, made, literal))
    }

    /// `Normal { x: …, y: … }`, such as a direction across another one.
    fn normal(&mut self, literal: &ExprStruct) -> Option<ExprId> {
        if let Some(rest) = &literal.rest {
            return self.error(rest, "a `Normal` is made of all its components: write each".to_owned());
        }
        let axes = AXES[..self.scope.dim].iter().enumerate();
        let axes: Vec<_> = axes.map(|(i, name)| ir::Member { name, fields: i..i + 1, is_array: false }).collect();
        let (_, values) = self.members(literal, &axes)?;
        let Some(values) = values.into_iter().collect() else { return self.leave_to_rustc() };
        Some(self.push(ExprKind::State(values), Type::Normal, literal))
    }

    /// The numbers that a literal gives, with bindings of arrays before them.
    fn members(&mut self, literal: &ExprStruct, members: &[ir::Member<'_>]) -> Option<(Vec<Let>, Vec<Option<ExprId>>)> {
        let mut values: Vec<Option<ExprId>> = vec![None; members.last().map_or(0, |member| member.fields.end)];
        let (mut lets, mut fine) = (Vec::new(), true);
        for field in &literal.fields {
            let member = members.iter().find(|member| member.name == text(&field.member));
            let array = member.filter(|member| member.is_array);
            let array = array.map(|member| Type::Array(Box::new(Type::Real), member.fields.len()));
            let Some(value) = self.typed(&field.expr, array.as_ref()) else {
                fine = false;
                continue;
            };
            match (member, self.ty(value)) {
                (Some(member), Type::Real) if !member.is_array => values[member.fields.start] = Some(value),
                (Some(member), Type::Array(element, length))
                    if member.is_array && **element == Type::Real && *length == member.fields.len() =>
                {
                    let (before, elements) = self.elements_of(value, &field.expr);
                    lets.extend(before);
                    values.splice(member.fields.clone(), elements.into_iter().map(Some));
                }
                _ => fine = self.leave_to_rustc::<bool>().is_some(),
            }
        }
        fine.then_some((lets, values))
    }

    /// `State { …, ..base }`; a base that is no variable is first bound to one, so that it is evaluated once.
    fn update(&mut self, literal: &ExprStruct, values: Vec<Option<ExprId>>, base: ExprId) -> Option<ExprId> {
        let ty = self.ty(base).clone();
        let local = match self.kind(base) {
            ExprKind::Local(local) => Ok(*local),
            _ => Err(self.local("base".to_string(), &literal.rest, ty.clone())),
        };
        let (Ok(read) | Err(read)) = local;
        let mut components = Vec::new();
        for (component, value) in values.into_iter().enumerate() {
            components.push(value.unwrap_or_else(|| {
                let base = self.read(read, &literal.rest);
                self.push(ExprKind::Field(base, component), Type::Real, &literal.rest)
            }));
        }
        let value = self.push(ExprKind::State(components), ty, literal);
        let bound = local.err().map(|bound| Let { pattern: Pattern::Local(bound), value: base });
        Some(self.within(bound.into_iter().collect(), value, literal))
    }

    fn branch(&mut self, branch: &syn::ExprIf) -> Option<ExprId> {
        if let Some(holds) = self.known(&branch.cond) {
            let taken = match branch.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
                _ if holds => self.block(&branch.then_branch)?,
                Some(Expr::Block(block)) => self.block(&block.block)?,
                Some(chained) => return self.expr(chained),
                None => return self.leave_to_rustc(),
            };
            return Some(self.within(taken.lets, taken.value, branch));
        }
        let condition = self.expr(&branch.cond);
        let then = self.block(&branch.then_branch);
        let otherwise = match branch.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
            Some(Expr::Block(block)) => self.block(&block.block),
            Some(chained) => self.expr(chained).map(|value| Block { lets: Vec::new(), value }),
            None => return self.leave_to_rustc(),
        };
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let ty = self.ty(then.value).clone();
        if *self.ty(condition) != Type::Bool || *self.ty(otherwise.value) != ty {
            return self.leave_to_rustc();
        }
        Some(self.push(ExprKind::If(condition, Box::new(then), Box::new(otherwise)), ty, branch))
    }
}

/// Why an operator is not available, and the way round.
fn unavailable(op: &BinOp) -> Option<&'static str> {
    match op {
        BinOp::Rem(_) | BinOp::RemAssign(_) => Some(
            "remainders are not available: write what is periodic with `sin` and `cos`, or subtract in the branches of an `if`",
        ),
        BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => {
            Some("shifts are not available: multiply or divide by a power of two")
        }
        BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) => {
            Some("bit operators are not available: use `&&`, `||` and `!`")
        }
        BinOp::BitAndAssign(_) | BinOp::BitOrAssign(_) | BinOp::BitXorAssign(_) => {
            Some("bit operators are not available: write `a = a && b`, or with `||`")
        }
        _ => None,
    }
}

/// The first operator of arithmetic with integers that is not available, beside remainders, and why.
fn unavailable_in(expr: &Expr) -> Option<(&BinOp, &'static str)> {
    match expr {
        Expr::Paren(paren) => unavailable_in(&paren.expr),
        Expr::Group(group) => unavailable_in(&group.expr),
        Expr::Cast(cast) => unavailable_in(&cast.expr),
        Expr::Binary(binary) => {
            let own = unavailable(&binary.op).filter(|_| !matches!(binary.op, BinOp::Rem(_)));
            let here = own.map(|why| (&binary.op, why));
            here.or_else(|| unavailable_in(&binary.left)).or_else(|| unavailable_in(&binary.right))
        }
        _ => None,
    }
}

/// What stands in a law instead of a macro.
pub(super) fn instead_of_macro(path: &syn::Path) -> String {
    let instead = match path.segments.last().map(|name| name.ident.to_string()).as_deref() {
        Some("assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne") => {
            "what shall hold of states stands in `#[admissible]`, and of parameters in `#[range]`"
        }
        Some("panic" | "todo" | "unimplemented" | "unreachable") => {
            "a law's functions cannot fail; what shall hold of states stands in `#[admissible]`"
        }
        Some("print" | "println" | "eprint" | "eprintln" | "dbg") => "an `#[output]` shows a value",
        Some("vec") => "write an array, `[a, b]`",
        _ => "write what it stands for",
    };
    format!("macros have no counterpart on a device: {instead}")
}
