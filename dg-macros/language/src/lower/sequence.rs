//! Sequences of known length: ranges, arrays and iterators over them, written out element by element.

use std::rc::Rc;

use quote::ToTokens;
use syn::{Expr, ExprArray, ExprCall, ExprClosure, ExprMethodCall, ExprPath, ExprRange, Pat, RangeLimits};
use templates::ir::{BinaryOp, ExprId, ExprKind, FunctionId, Let, Pattern, Type};

use super::body::{Body, MOST_OPERATIONS, Meaning};
use super::functions::{Method, method};
use crate::parse::text;

/// The most elements of a sum, as each is within the one before.
const MOST_TERMS: usize = 256;

/// How elements are changed one after the other.
const BY_INDEX: &str = "assign elements by their index, `for i in 0..a.len() { a[i] = … }`";

/// The most numbers of a range.
const MOST_NUMBERS: i64 = 10_000;

/// An element of a sequence.
#[derive(Clone)]
pub(super) enum Item {
    Value(ExprId),
    Integer(i64),
    Pair(Box<[Item; 2]>),
}

/// Elements, and bindings before them.
#[derive(Default)]
pub(super) struct Sequence {
    pub(super) lets: Vec<Let>,
    pub(super) items: Vec<Item>,
}

/// What a method is called on, or gives.
pub(super) enum Chain {
    Value(ExprId),
    Sequence(Sequence),
}

impl Body<'_> {
    /// The elements of a range, an array or an iterator.
    pub(super) fn sequence(&mut self, expr: &Expr) -> Option<Sequence> {
        match self.chain(expr)? {
            Chain::Sequence(sequence) => Some(sequence),
            Chain::Value(value) => match self.ty(value) {
                Type::Array(..) => Some(self.sequence_of(value, expr)),
                _ => self.leave_to_rustc(),
            },
        }
    }

    /// An expression that may be a sequence.
    pub(super) fn chain(&mut self, expr: &Expr) -> Option<Chain> {
        match expr {
            Expr::Paren(paren) => self.chain(&paren.expr),
            Expr::Group(group) => self.chain(&group.expr),
            Expr::Reference(reference) if reference.mutability.is_none() => self.chain(&reference.expr),
            Expr::Reference(reference) => {
                self.error(&reference.and_token, format!("`&mut` is not available: {BY_INDEX}"))
            }
            Expr::Range(range) => self.range(range).map(Chain::Sequence),
            Expr::MethodCall(call) => self.deeper(expr, |body| body.method(call)),
            Expr::Array(array) if let Some(items) = self.integers(array) => {
                Some(Chain::Sequence(Sequence { lets: Vec::new(), items }))
            }
            expr => self.expr(expr).map(Chain::Value),
        }
    }

    /// The elements of an array of integers.
    fn integers(&self, array: &ExprArray) -> Option<Vec<Item>> {
        array.elems.iter().map(|element| self.whole(element).map(Item::Integer)).collect()
    }

    /// An expression of a type that is known, if it is: of an array, its elements may be made by `from_fn`.
    pub(super) fn typed(&mut self, expr: &Expr, ty: Option<&Type>) -> Option<ExprId> {
        match (expr, ty) {
            (Expr::Call(call), Some(Type::Array(element, length)))
                if self.is_from_fn(&call.func)
                    && let [f] = &call.args.iter().collect::<Vec<_>>()[..] =>
            {
                let items = (0_i64..).take(*length).map(Item::Integer).collect();
                let sequence = Sequence { lets: Vec::new(), items };
                self.deeper(expr, |body| body.mapped_array(f, sequence, Some(element), call))
            }
            _ => self.expr(expr),
        }
    }

    /// Whether this is `std::array::from_fn`.
    pub(super) fn is_from_fn(&self, function: &Expr) -> bool {
        let Expr::Path(path) = function else { return false };
        let path: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let path = self.module().others.resolve(&path);
        matches!(&path.iter().map(String::as_str).collect::<Vec<_>>()[..], ["std" | "core", "array", "from_fn"])
    }

    /// The array of what a function gives for each element.
    fn mapped_array(
        &mut self,
        f: &Expr,
        sequence: Sequence,
        element: Option<&Type>,
        node: &impl ToTokens,
    ) -> Option<ExprId> {
        let Sequence { mut lets, items } = sequence;
        let mut mapped = Vec::new();
        for item in items {
            mapped.push(self.apply(f, vec![item], element, &mut lets)?);
        }
        let values = self.values(&mapped)?;
        let ty = self.ty(*values.first()?).clone();
        if values.iter().any(|&value| *self.ty(value) != ty) {
            return self.leave_to_rustc();
        }
        let ty = Type::Array(Box::new(ty), values.len());
        let array = self.push(ExprKind::Array(values), ty, node);
        Some(self.within(lets, array, node))
    }

    /// `f(args)` of a closure that has a name.
    pub(super) fn call_of_closure(&mut self, call: &ExprCall) -> Option<ExprId> {
        let item = |body: &mut Self, arg: &Expr| match body.whole(arg) {
            Some(value) => Some(Item::Integer(value)),
            None => body.expr(arg).map(Item::Value),
        };
        let args: Vec<_> = call.args.iter().map(|arg| item(self, arg)).collect();
        let mut lets = Vec::new();
        match self.apply(&call.func, args.into_iter().collect::<Option<_>>()?, None, &mut lets)? {
            Item::Value(value) => Some(self.within(lets, value, call)),
            _ => self.error(call, "a closure that has a name gives no integers"),
        }
    }

    fn range(&mut self, range: &ExprRange) -> Option<Sequence> {
        let end = |end: &Option<Box<Expr>>| end.as_deref().and_then(|end| self.whole(end));
        let (Some(from), Some(to)) = (end(&range.start), end(&range.end)) else {
            return self.error(
                range,
                "a loop runs over numbers that are known at compile time, such as `0..3`, or over an array",
            );
        };
        let to = if matches!(range.limits, RangeLimits::Closed(_)) { to.saturating_add(1) } else { to };
        if to.saturating_sub(from) > MOST_NUMBERS {
            return self.error(range, format!("a loop has at most {MOST_NUMBERS} passes, as it is written out"));
        }
        Some(Sequence { lets: Vec::new(), items: (from..to).map(Item::Integer).collect() })
    }

    fn sequence_of(&mut self, array: ExprId, node: &impl ToTokens) -> Sequence {
        let (lets, elements) = self.bound_elements(array, node);
        Sequence { lets, items: elements.into_iter().map(Item::Value).collect() }
    }

    /// The elements of an array, each to be used once.
    pub(super) fn elements_of(&mut self, array: ExprId, node: &impl ToTokens) -> (Vec<Let>, Vec<ExprId>) {
        match self.kind(array) {
            ExprKind::Array(elements) => (Vec::new(), elements.clone()),
            _ => self.bound_elements(array, node),
        }
    }

    /// The elements of an array, which is first bound to a variable unless it is one.
    fn bound_elements(&mut self, array: ExprId, node: &impl ToTokens) -> (Vec<Let>, Vec<ExprId>) {
        let ty = self.ty(array).clone();
        let Type::Array(element, length) = ty.clone() else { return (Vec::new(), Vec::new()) };
        let (local, lets) = match self.kind(array) {
            ExprKind::Local(local) => (*local, Vec::new()),
            _ => {
                let local = self.local("elements".to_string(), node, ty);
                (local, vec![Let { pattern: Pattern::Local(local), value: array }])
            }
        };
        let elements = (0..length).map(|i| {
            let array = self.read(local, node);
            self.push(ExprKind::Index(array, i), (*element).clone(), node)
        });
        (lets, elements.collect())
    }

    /// `receiver.name(args)`
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Option<Chain> {
        let name = call.method.to_string();
        match self.chain(&call.receiver)? {
            Chain::Sequence(sequence) if name == "map" && matches!(*call.receiver, Expr::Array(_)) => {
                self.map_of_array(call, sequence)
            }
            Chain::Sequence(sequence) => self.iterator(call, &name, sequence),
            Chain::Value(array) if matches!(self.ty(array), Type::Array(..)) => match &*name {
                "iter" | "into_iter" => Some(Chain::Sequence(self.sequence_of(array, &call.receiver))),
                "map" => {
                    let sequence = self.sequence_of(array, &call.receiver);
                    self.map_of_array(call, sequence)
                }
                "iter_mut" => self.error(&call.method, format!("`{name}` is not available: {BY_INDEX}")),
                _ => {
                    self.error(&call.method, format!("`{name}` is not available: arrays have `iter`, `map` and `len`, and elements are assigned, `a[i] = …`"))
                }
            },
            Chain::Value(value) => self.method_of(value, call).map(Chain::Value),
        }
    }

    fn map_of_array(&mut self, call: &ExprMethodCall, sequence: Sequence) -> Option<Chain> {
        match &call.args.iter().collect::<Vec<_>>()[..] {
            [f] => self.mapped_array(f, sequence, None, call).map(Chain::Value),
            _ => self.leave_to_rustc(),
        }
    }

    /// A method of an iterator.
    fn iterator(&mut self, call: &ExprMethodCall, name: &str, sequence: Sequence) -> Option<Chain> {
        let Sequence { mut lets, mut items } = sequence;
        let args: Vec<_> = call.args.iter().collect();
        let count = |body: &mut Self| {
            let count = args.first().and_then(|count| body.whole(count));
            match count.and_then(|count| usize::try_from(count).ok()) {
                Some(count) => Some(count),
                None => body.error(call, format!("`{name}` takes an integer that is known at compile time")),
            }
        };
        match (name, &args[..]) {
            ("iter" | "into_iter" | "copied" | "cloned", []) => {}
            ("rev", []) => items.reverse(),
            ("enumerate", []) => {
                let pair = |(i, item)| Item::Pair(Box::new([Item::Integer(i), item]));
                items = (0..).zip(items).map(pair).collect();
            }
            ("zip" | "chain", [other]) => {
                let other = self.sequence(other)?;
                lets.extend(other.lets);
                if name == "chain" {
                    items.extend(other.items);
                } else {
                    items = items.into_iter().zip(other.items).map(|(a, b)| Item::Pair(Box::new([a, b]))).collect();
                }
            }
            ("skip", [_]) => drop(items.drain(..count(self)?.min(items.len()))),
            ("take", [_]) => items.truncate(count(self)?),
            ("step_by", [_]) => items = items.into_iter().step_by(count(self)?.max(1)).collect(),
            ("map", [f]) => {
                let mut mapped = Vec::new();
                for item in items {
                    mapped.push(self.apply(f, vec![item], None, &mut lets)?);
                }
                items = mapped;
            }
            ("fold", [first, f]) => {
                let mut value = Item::Value(self.expr(first)?);
                for item in items {
                    value = self.apply(f, vec![value, item], None, &mut lets)?;
                }
                let [value] = self.values(&[value])?[..] else { return self.leave_to_rustc() };
                return Some(Chain::Value(self.within(lets, value, call)));
            }
            ("sum" | "product", []) => {
                let values = self.values(&items)?;
                let value = self.folded(if name == "sum" { BinaryOp::Add } else { BinaryOp::Mul }, &values, call)?;
                return Some(Chain::Value(self.within(lets, value, call)));
            }
            ("any" | "all", [f]) => {
                let mut values = Vec::new();
                for item in items {
                    values.push(self.apply(f, vec![item], None, &mut lets)?);
                }
                let values = self.values(&values)?;
                let value = self.folded(if name == "any" { BinaryOp::Or } else { BinaryOp::And }, &values, call)?;
                return Some(Chain::Value(self.within(lets, value, call)));
            }
            _ => {
                let message = format!(
                    "`{name}` is not available: iterators have `map`, `zip`, `enumerate`, `rev`, `skip`, `take`, `step_by`, `chain`, \
                     and end in `sum`, `product`, `fold`, `any` or `all`"
                );
                return self.error(&call.method, message);
            }
        }
        Some(Chain::Sequence(Sequence { lets, items }))
    }

    /// The values of a sequence that is used up.
    fn values(&mut self, items: &[Item]) -> Option<Vec<ExprId>> {
        let value = |item: &Item| match item {
            Item::Value(value) => Some(*value),
            _ => None,
        };
        match items.iter().map(value).collect() {
            Some(values) => Some(values),
            None => self.leave_to_rustc(),
        }
    }

    /// `a op b op c …`
    fn folded(&mut self, op: BinaryOp, values: &[ExprId], node: &ExprMethodCall) -> Option<ExprId> {
        if values.len() > MOST_TERMS {
            return self.error(&node.method, format!("more than {MOST_TERMS} terms"));
        }
        let Some((&first, others)) = values.split_first() else {
            return Some(match op {
                BinaryOp::Add => self.push(ExprKind::Literal("0.0".to_string()), Type::Real, node),
                BinaryOp::Mul => self.push(ExprKind::Literal("1.0".to_string()), Type::Real, node),
                _ => self.push(ExprKind::Bool(op == BinaryOp::And), Type::Bool, node),
            });
        };
        let mut result = first;
        for &value in others {
            result = match op {
                BinaryOp::And | BinaryOp::Or if [result, value].iter().all(|a| *self.ty(*a) == Type::Bool) => {
                    self.push(ExprKind::Binary(op, result, value), Type::Bool, node)
                }
                BinaryOp::And | BinaryOp::Or => return self.leave_to_rustc(),
                _ => self.changed(op, result, value, &node.method, node)?,
            };
        }
        Some(result)
    }

    /// Calls a closure, which may be known to give this type, or a function by its name; bindings go to `lets`.
    fn apply(&mut self, f: &Expr, args: Vec<Item>, ty: Option<&Type>, lets: &mut Vec<Let>) -> Option<Item> {
        match f {
            Expr::Closure(closure) => self.inside(|body| body.closure(closure, args, ty, lets)),
            Expr::Path(path) => {
                let meaning = path.path.get_ident().and_then(|name| self.meaning(&name.to_string()));
                if let Some(Meaning::Closure(closure)) = meaning {
                    let closure = Rc::clone(closure);
                    if self.operations() > MOST_OPERATIONS {
                        let message = format!("more than {MOST_OPERATIONS} operations when closures are written out");
                        return self.error(path, format!("{message}: write a function"));
                    }
                    let names = std::mem::replace(&mut self.names, closure.names.clone());
                    let value = self.deeper(f, |body| body.inside(|body| body.closure(&closure.expr, args, ty, lets)));
                    self.names = names;
                    if value.is_none() {
                        // Further calls would repeat the mistake.
                        self.forget(path);
                    }
                    return value;
                }
                let args = self.values(&args)?;
                let types: Vec<_> = args.iter().map(|&arg| self.ty(arg).clone()).collect();
                let name = text(path);
                let names: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                if let Some(callee) = self.function_named(&names) {
                    let signature = self.scope.signatures[callee].as_ref()?;
                    if !signature.arguments.iter().map(|(_, ty)| ty).eq(&types) {
                        return self.leave_to_rustc();
                    }
                    let result = signature.result.clone();
                    return Some(Item::Value(self.push(ExprKind::Call(FunctionId(callee), args), result, path)));
                }
                match name.strip_prefix("f64::").and_then(method) {
                    Some(Method::Math(function))
                        if function.arity() == args.len() && types.iter().all(|ty| *ty == Type::Real) =>
                    {
                        Some(Item::Value(self.push(ExprKind::Math(function, args), Type::Real, path)))
                    }
                    _ => self.error(path, "write a closure that calls it, `|a| …`"),
                }
            }
            f => self.error(f, "write a closure, `|a| …`, or the name of a function"),
        }
    }

    /// The value of a closure, whose names are known from here on.
    fn closure(
        &mut self,
        closure: &ExprClosure,
        args: Vec<Item>,
        ty: Option<&Type>,
        lets: &mut Vec<Let>,
    ) -> Option<Item> {
        if closure.inputs.len() != args.len() {
            return self.leave_to_rustc();
        }
        for (pat, arg) in closure.inputs.iter().zip(args) {
            self.bind_item(pat, arg, lets)?;
        }
        if let Some(integer) = self.whole(&closure.body) {
            return Some(Item::Integer(integer));
        }
        match &*closure.body {
            Expr::Block(block) => {
                let outer = std::mem::replace(&mut self.result, ty.cloned());
                let block = self.whole_block(&block.block);
                self.result = outer;
                let block = block?;
                lets.extend(block.lets);
                Some(Item::Value(block.value))
            }
            value => Some(Item::Value(self.typed(value, ty)?)),
        }
    }

    /// Marks the name of a closure with a mistake, so that its uses report nothing.
    fn forget(&mut self, name: &ExprPath) {
        let name = text(name);
        if let Some(known) = self.names.iter_mut().rev().find(|known| known.text == name) {
            known.meaning = Meaning::Mistake;
        }
    }

    /// Binds an element to a pattern.
    pub(super) fn bind_item(&mut self, pat: &Pat, item: Item, lets: &mut Vec<Let>) -> Option<()> {
        match (pat, item) {
            (Pat::Reference(pat), item) => self.bind_item(&pat.pat, item, lets),
            (Pat::Paren(pat), item) => self.bind_item(&pat.pat, item, lets),
            (Pat::Type(pat), item) => self.bind_item(&pat.pat, item, lets),
            (Pat::Wild(_), _) => Some(()),
            (Pat::Ident(pat), Item::Integer(value)) => {
                self.know(&pat.ident, Meaning::Integer(value), pat.mutability.is_some());
                Some(())
            }
            (Pat::Tuple(pat), Item::Pair(pair)) if pat.elems.len() == 2 => {
                let [a, b] = *pair;
                self.bind_item(&pat.elems[0], a, lets)?;
                self.bind_item(&pat.elems[1], b, lets)
            }
            (pat, Item::Value(value)) => {
                lets.extend(self.pattern(pat, value)?);
                Some(())
            }
            (Pat::Ident(_), Item::Pair(_)) => self.error(pat, "take the pair apart: `(a, b)`"),
            _ => self.leave_to_rustc(),
        }
    }
}
