//! Statements: assignments, loops that are written out, branches and early returns.
//!
//! The IR has values only. So an assignment binds a new variable, an `if` of statements gives the variables that its branches assign,
//! and what follows a branch that returns becomes a part of the other branch.

use std::ops::Range;
use std::rc::Rc;

use syn::visit::{self, Visit};
use syn::{Expr, ExprForLoop, ExprIf, Member, Stmt};
use templates::ir::{BinaryOp, Block, ExprId, ExprKind, Let, LocalId, Pattern, Type};

use super::arithmetic::assignment;
use super::body::{Body, MOST_OPERATIONS, Meaning, Name};
use super::expr::instead_of_macro;
use super::sequence::Item;
use crate::parse::text;

/// Where `return` stands.
pub(super) const RETURN: &str =
    "return from a statement of the function or of a closure's block, not from the middle of an expression";

/// What a list of statements is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// The value of the function or closure, which `return` gives, too.
    Result,
    /// The value of a block within an expression.
    Value,
    /// The variables that they assign.
    Effect,
}

/// What is still to be done, in a stack.
#[derive(Clone)]
pub(super) enum Task<'e> {
    /// A statement.
    Statement(&'e Stmt),
    /// An `if` after an `else`.
    Chained(&'e ExprIf),
    /// The end of a scope outside of which so many names are known.
    Leave(usize),
    /// The passes of a loop from this one on.
    Pass(Rc<Loop<'e>>, usize),
}

/// A loop over known elements.
pub(super) struct Loop<'e> {
    node: &'e ExprForLoop,
    items: Vec<Item>,
    exits: Exits,
}

/// The outcome of one task.
enum Step {
    Next,
    /// Nothing is left to do: with the value, if one was wanted.
    End(Option<ExprId>),
}

impl<'a> Body<'a> {
    /// Lowers a block within an expression.
    pub(super) fn block(&mut self, block: &syn::Block) -> Option<Block> {
        self.inside(|body| {
            let mut tasks = Vec::new();
            body.enter(block, &mut tasks);
            body.finish(tasks, Wanted::Value)
        })
    }

    /// Lowers the block of the function or of a closure.
    pub(super) fn whole_block(&mut self, block: &syn::Block) -> Option<Block> {
        let mut tasks = Vec::new();
        self.enter(block, &mut tasks);
        self.finish(tasks, Wanted::Result)
    }

    /// Lowers within an expression, where outer variables cannot be assigned; names that are bound there end with it.
    pub(super) fn inside<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.names.len();
        let outer = std::mem::replace(&mut self.outer, names);
        let lowered = lower(self);
        self.outer = outer;
        self.names.truncate(names);
        lowered
    }

    fn enter<'e>(&self, block: &'e syn::Block, tasks: &mut Vec<Task<'e>>) {
        tasks.push(Task::Leave(self.names.len()));
        tasks.extend(block.stmts.iter().rev().map(Task::Statement));
    }

    /// Does the tasks, and gives their bindings with the value.
    fn finish(&mut self, tasks: Vec<Task<'_>>, wanted: Wanted) -> Option<Block> {
        let mut lets = Vec::new();
        match self.run(tasks, wanted, &mut lets)? {
            Some(value) => Some(Block { lets, value }),
            // The last statement has no value.
            None => self.leave_to_rustc(),
        }
    }

    /// Does the tasks; `None` after a mistake.
    fn run<'e>(&mut self, mut tasks: Vec<Task<'e>>, wanted: Wanted, lets: &mut Vec<Let>) -> Option<Option<ExprId>> {
        let mut fine = true;
        while let Some(task) = tasks.pop() {
            // After a mistake, further passes of a loop would repeat it.
            let step = match task {
                Task::Leave(names) => {
                    self.names.truncate(names);
                    Some(Step::Next)
                }
                Task::Pass(..) if !fine => Some(Step::Next),
                Task::Pass(of, i) => self.pass(&of, i, &mut tasks, lets),
                Task::Chained(branch) => self.either(branch, &mut tasks, wanted, lets),
                Task::Statement(statement) => self.statement(statement, &mut tasks, wanted, lets),
            };
            match step {
                Some(Step::Next) => {}
                Some(Step::End(value)) => return fine.then_some(value),
                None => fine = false,
            }
        }
        fine.then_some(None)
    }

    fn statement<'e>(
        &mut self,
        statement: &'e Stmt,
        tasks: &mut Vec<Task<'e>>,
        wanted: Wanted,
        lets: &mut Vec<Let>,
    ) -> Option<Step> {
        let (expr, ends) = match statement {
            Stmt::Local(binding) => {
                lets.extend(self.binding(binding)?);
                return Some(Step::Next);
            }
            Stmt::Item(item) => return self.error(item, "items stand in the block of the law, not in its functions"),
            Stmt::Macro(call) => return self.error(&call.mac.path, instead_of_macro(&call.mac.path)),
            Stmt::Expr(expr, end) => (expr, end.is_some()),
        };
        let is_last = wanted != Wanted::Effect && tasks.iter().all(|task| matches!(task, Task::Leave(_)));
        match expr {
            Expr::If(branch) => self.either(branch, tasks, wanted, lets),
            Expr::Block(block) if block.label.is_none() => {
                self.enter(&block.block, tasks);
                Some(Step::Next)
            }
            Expr::ForLoop(node) => self.for_loop(node, tasks, lets),
            Expr::Assign(assign) => {
                if let Some(value) = self.whole(&assign.right)
                    && self.set_integer(&assign.left, value).is_some()
                {
                    return Some(Step::Next);
                }
                let value = self.expr(&assign.right)?;
                lets.extend(self.store(&assign.left, value)?);
                Some(Step::Next)
            }
            Expr::Binary(binary) if assignment(&binary.op).is_some() => {
                lets.extend(self.change(binary)?);
                Some(Step::Next)
            }
            Expr::Return(node) => match (&node.expr, wanted) {
                (Some(value), Wanted::Result) => Some(Step::End(Some(self.result(value)?))),
                (None, _) => self.leave_to_rustc(),
                _ => self.error(&node.return_token, RETURN),
            },
            Expr::Break(node) if node.label.is_none() && node.expr.is_none() => self.exit(tasks, true),
            Expr::Continue(node) if node.label.is_none() => self.exit(tasks, false),
            expr if is_last && !ends && wanted == Wanted::Result => Some(Step::End(Some(self.result(expr)?))),
            expr if is_last && !ends => Some(Step::End(Some(self.expr(expr)?))),
            expr => self.effect(expr),
        }
    }

    /// The value of the function or closure.
    fn result(&mut self, value: &Expr) -> Option<ExprId> {
        let ty = self.result.clone();
        self.typed(value, ty.as_ref())
    }

    /// `break`, or `continue`: drops what is left of the loop, or of its pass.
    fn exit(&mut self, tasks: &mut Vec<Task<'_>>, whole: bool) -> Option<Step> {
        while let Some(task) = tasks.last() {
            match task {
                Task::Leave(names) => self.names.truncate(*names),
                Task::Pass(..) => break,
                _ => {}
            }
            tasks.pop();
        }
        if whole {
            tasks.pop();
        }
        Some(Step::Next)
    }

    fn for_loop<'e>(&mut self, node: &'e ExprForLoop, tasks: &mut Vec<Task<'e>>, lets: &mut Vec<Let>) -> Option<Step> {
        if let Some(label) = &node.label {
            return self.error(label, "loops have no labels here: write a function that returns");
        }
        let sequence = self.sequence(&node.expr)?;
        lets.extend(sequence.lets);
        let exits = Exits::of(|exits| exits.visit_block(&node.body));
        let of = Rc::new(Loop { node, items: sequence.items, exits });
        if exits.returns {
            tasks.push(Task::Pass(of, 0));
        } else {
            // What follows the loop is the same however it ends.
            self.run(vec![Task::Pass(of, 0)], Wanted::Effect, lets)?;
        }
        Some(Step::Next)
    }

    fn pass<'e>(
        &mut self,
        of: &Rc<Loop<'e>>,
        i: usize,
        tasks: &mut Vec<Task<'e>>,
        lets: &mut Vec<Let>,
    ) -> Option<Step> {
        let Some(item) = of.items.get(i) else { return Some(Step::Next) };
        if self.operations() > MOST_OPERATIONS {
            let message = format!("more than {MOST_OPERATIONS} operations when the loop is written out: shorten it");
            return self.error(&of.node.for_token, message);
        }
        let names = self.names.len();
        let bound = self.bind_item(&of.node.pat, item.clone(), lets);
        if bound.is_none() {
            self.names.truncate(names);
            return None;
        }
        let mut body = vec![Task::Leave(names)];
        body.extend(of.node.body.stmts.iter().rev().map(Task::Statement));
        if of.exits.continues && !of.exits.breaks && !of.exits.returns {
            // The next pass is the same however this one ends.
            self.run(body, Wanted::Effect, lets)?;
            body = Vec::new();
        }
        tasks.push(Task::Pass(Rc::clone(of), i + 1));
        tasks.extend(body);
        Some(Step::Next)
    }

    /// An `if`: of statements, or with the value of the block. A branch that leaves the block early goes its own way.
    fn either<'e>(
        &mut self,
        branch: &'e ExprIf,
        tasks: &mut Vec<Task<'e>>,
        wanted: Wanted,
        lets: &mut Vec<Let>,
    ) -> Option<Step> {
        if let Some(holds) = self.known(&branch.cond) {
            self.enter_branch(branch, holds, tasks);
            return Some(Step::Next);
        }
        let is_last = wanted != Wanted::Effect && tasks.iter().all(|task| matches!(task, Task::Leave(_)));
        let exits = Exits::of(|exits| exits.visit_expr_if(branch));
        if is_last && branch.else_branch.is_none() && !exits.any() {
            return self.leave_to_rustc();
        }
        let condition = self.expr(&branch.cond);
        let rest = if is_last || exits.any() { std::mem::take(tasks) } else { Vec::new() };
        if self.operations() > MOST_OPERATIONS {
            let message =
                format!("more than {MOST_OPERATIONS} operations when early exits are written out as branches");
            return self.error(&branch.if_token, message);
        }
        let ends = is_last || exits.any();
        let wanted = if ends { wanted } else { Wanted::Effect };
        let before = self.names.clone();
        let way = |body: &mut Self, holds| {
            body.names.clone_from(&before);
            let (mut tasks, mut lets) = (rest.clone(), Vec::new());
            body.enter_branch(branch, holds, &mut tasks);
            let value = body.run(tasks, wanted, &mut lets)?;
            Some((lets, value, std::mem::take(&mut body.names)))
        };
        let then = way(self, true);
        // What follows both would report a mistake twice.
        let otherwise = if then.is_none() && !rest.is_empty() { None } else { way(self, false) };
        self.names = before;
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        if *self.ty(condition) != Type::Bool {
            return self.leave_to_rustc();
        }
        if wanted == Wanted::Effect {
            self.join(branch, condition, [(then.0, then.2), (otherwise.0, otherwise.2)], lets)?;
            return Some(if ends { Step::End(None) } else { Step::Next });
        }
        let (Some(a), Some(b)) = (then.1, otherwise.1) else { return self.leave_to_rustc() };
        let ty = self.ty(a).clone();
        if *self.ty(b) != ty {
            return self.leave_to_rustc();
        }
        let [a, b] = [(then.0, a), (otherwise.0, b)].map(|(lets, value)| Box::new(Block { lets, value }));
        Some(Step::End(Some(self.push(ExprKind::If(condition, a, b), ty, branch))))
    }

    /// Adds the statements of one branch.
    fn enter_branch<'e>(&self, branch: &'e ExprIf, holds: bool, tasks: &mut Vec<Task<'e>>) {
        match branch.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
            _ if holds => self.enter(&branch.then_branch, tasks),
            Some(Expr::Block(block)) => self.enter(&block.block, tasks),
            Some(Expr::If(chained)) => tasks.push(Task::Chained(chained)),
            _ => {}
        }
    }

    /// Binds the variables that two branches leave with different values.
    fn join(
        &mut self,
        branch: &ExprIf,
        condition: ExprId,
        [(lets_a, a), (lets_b, b)]: [(Vec<Let>, Vec<Name>); 2],
        lets: &mut Vec<Let>,
    ) -> Option<()> {
        self.names.truncate(a.len());
        let mut changed: Vec<(usize, LocalId, LocalId)> = Vec::new();
        for (i, (a, b)) in a.iter().zip(&b).enumerate() {
            match (&a.meaning, &b.meaning) {
                (a, b) if a == b => self.names[i].meaning = a.clone(),
                (Meaning::Local(a), Meaning::Local(b)) => changed.push((i, *a, *b)),
                _ => {
                    let message =
                        format!("`{}` is an integer, known at compile time: no condition can change it", a.text);
                    return self.error(&branch.if_token, message);
                }
            }
        }
        let side = |body: &mut Self, lets: Vec<Let>, locals: Vec<LocalId>| {
            let values: Vec<_> = locals.into_iter().map(|local| body.read(local, branch)).collect();
            let types: Vec<_> = values.iter().map(|&value| body.ty(value).clone()).collect();
            let value = match &values[..] {
                [value] => *value,
                _ => body.push(ExprKind::Tuple(values), Type::Tuple(types.clone()), branch),
            };
            (Box::new(Block { lets, value }), types)
        };
        if changed.is_empty() {
            return Some(());
        }
        let (a, types) = side(self, lets_a, changed.iter().map(|(_, a, _)| *a).collect());
        let (b, _) = side(self, lets_b, changed.iter().map(|(.., b)| *b).collect());
        let ty = self.ty(a.value).clone();
        let value = self.push(ExprKind::If(condition, a, b), ty, branch);
        let mut locals = Vec::new();
        for ((i, ..), ty) in changed.into_iter().zip(types) {
            let local = self.local(self.names[i].text.clone(), branch, ty);
            self.names[i].meaning = Meaning::Local(local);
            locals.push(local);
        }
        let pattern = match locals[..] {
            [local] => Pattern::Local(local),
            _ => Pattern::Elements(locals.into_iter().map(Some).collect()),
        };
        lets.push(Let { pattern, value });
        Some(())
    }

    /// `target = value`
    fn store(&mut self, target: &Expr, value: ExprId) -> Option<Vec<Let>> {
        match target {
            Expr::Paren(paren) => self.store(&paren.expr, value),
            Expr::Path(_) => {
                let name = text(target);
                let Some(i) = self.names.iter().rposition(|known| known.text == name) else {
                    return self.leave_to_rustc();
                };
                let local = match self.names[i].meaning {
                    Meaning::Local(local) if self.names[i].mutable => local,
                    Meaning::Mistake => return None,
                    _ => return self.leave_to_rustc(),
                };
                if i < self.outer {
                    let message =
                        "assign to this variable in a statement of its own, not in the middle of an expression";
                    return self.error(target, message);
                }
                if self.local_ty(local) != self.ty(value) {
                    return self.leave_to_rustc();
                }
                let ty = self.ty(value).clone();
                let local = self.local(name, target, ty);
                self.names[i].meaning = Meaning::Local(local);
                Some(vec![Let { pattern: Pattern::Local(local), value }])
            }
            Expr::Tuple(tuple) => {
                let Type::Tuple(types) = self.ty(value).clone() else { return self.leave_to_rustc() };
                if types.len() != tuple.elems.len() {
                    return self.leave_to_rustc();
                }
                // All values are known before the first is assigned.
                let locals: Vec<_> =
                    types.iter().map(|ty| self.local("next".to_string(), target, ty.clone())).collect();
                let pattern = Pattern::Elements(locals.iter().copied().map(Some).collect());
                let mut lets = vec![Let { pattern, value }];
                for (target, local) in tuple.elems.iter().zip(locals) {
                    let value = self.read(local, target);
                    lets.extend(self.store(target, value)?);
                }
                Some(lets)
            }
            Expr::Field(field) => self.replace(target, &field.base, &Place::Member(&field.member), value),
            Expr::Index(index) => self.replace(target, &index.expr, &Place::Index(&index.index), value),
            _ => self.error(target, "assign to a variable, to a component of a state or to an element of an array"),
        }
    }

    /// `base.member = value` or `base[index] = value`: the base with one part replaced.
    fn replace(&mut self, target: &Expr, base: &Expr, place: &Place<'_>, value: ExprId) -> Option<Vec<Let>> {
        if let (Expr::Field(field), Place::Index(index)) = (base, place) {
            let of = self.expr(&field.base)?;
            if let Some((fields, true)) = self.member(self.ty(of), &field.member) {
                let i = fields.start + self.position(index, fields.len())?;
                return match self.ty(value) {
                    Type::Real => self.replace_fields(target, &field.base, &(i..i + 1), &[value]),
                    _ => self.leave_to_rustc(),
                };
            }
        }
        let whole = self.expr(base)?;
        let (at, types): (_, Vec<Type>) = match (self.ty(whole).clone(), place) {
            (Type::State | Type::Medium, Place::Member(member)) => {
                return match (self.member(self.ty(whole), member), self.ty(value)) {
                    (Some((fields, false)), Type::Real) => self.replace_fields(target, base, &fields, &[value]),
                    (Some((fields, true)), Type::Array(element, length))
                        if **element == Type::Real && *length == fields.len() =>
                    {
                        let (mut lets, elements) = self.elements_of(value, target);
                        lets.extend(self.replace_fields(target, base, &fields, &elements)?);
                        Some(lets)
                    }
                    _ => self.leave_to_rustc(),
                };
            }
            (Type::Tuple(types), Place::Member(Member::Unnamed(index))) => (index.index as usize, types),
            (Type::Array(element, length), Place::Index(index)) => {
                (self.position(index, length)?, vec![*element; length])
            }
            _ => return self.leave_to_rustc(),
        };
        if types.get(at) != Some(self.ty(value)) {
            return self.leave_to_rustc();
        }
        let mut parts = Vec::new();
        for (i, part) in types.into_iter().enumerate() {
            if i == at {
                parts.push(value);
                continue;
            }
            let whole = self.expr(base)?;
            parts.push(self.push(ExprKind::Index(whole, i), part, target));
        }
        let ty = self.ty(whole).clone();
        let kind = if matches!(ty, Type::Tuple(_)) { ExprKind::Tuple(parts) } else { ExprKind::Array(parts) };
        let changed = self.push(kind, ty, target);
        self.store(base, changed)
    }

    /// Assigns a struct with some of its numbers replaced.
    fn replace_fields(&mut self, target: &Expr, base: &Expr, at: &Range<usize>, values: &[ExprId]) -> Option<Vec<Let>> {
        let whole = self.expr(base)?;
        let ty = self.ty(whole).clone();
        let mut parts = Vec::new();
        for i in 0..self.scope.record(&ty).map_or(0, |record| record.fields.len()) {
            if at.contains(&i) {
                parts.push(values[i - at.start]);
                continue;
            }
            let whole = self.expr(base)?;
            parts.push(self.push(ExprKind::Field(whole, i), Type::Real, target));
        }
        let changed = self.push(ExprKind::State(parts), ty, target);
        self.store(base, changed)
    }

    /// Gives a variable another integer, if it is one.
    fn set_integer(&mut self, target: &Expr, value: i64) -> Option<()> {
        let i = self.names.iter().rposition(|known| known.text == text(target))?;
        let name = &mut self.names[i];
        if !matches!(name.meaning, Meaning::Integer(_)) || !name.mutable || i < self.outer {
            return None;
        }
        name.meaning = Meaning::Integer(value);
        Some(())
    }

    /// `a += b` and the like.
    fn change(&mut self, binary: &syn::ExprBinary) -> Option<Vec<Let>> {
        let op = assignment(&binary.op)?;
        if let (Some(old), Some(by)) = (self.whole(&binary.left), self.whole(&binary.right)) {
            let new = match op {
                BinaryOp::Add => old.checked_add(by),
                BinaryOp::Sub => old.checked_sub(by),
                BinaryOp::Mul => old.checked_mul(by),
                _ => old.checked_div(by),
            };
            return match new.and_then(|new| self.set_integer(&binary.left, new)) {
                Some(()) => Some(Vec::new()),
                None => self.leave_to_rustc(),
            };
        }
        let (a, b) = (self.expr(&binary.left), self.expr(&binary.right));
        let value = self.changed(op, a?, b?, &binary.op, binary)?;
        self.store(&binary.left, value)
    }
}

/// A part of an aggregate.
enum Place<'e> {
    Member(&'e Member),
    Index(&'e Expr),
}

/// How statements leave the function, or the loop around them.
#[derive(Clone, Copy, Default)]
struct Exits {
    returns: bool,
    breaks: bool,
    continues: bool,
}

impl Exits {
    fn of(visit: impl FnOnce(&mut Self)) -> Self {
        let mut exits = Self::default();
        visit(&mut exits);
        exits
    }

    fn any(self) -> bool {
        self.returns || self.breaks || self.continues
    }
}

impl<'e> Visit<'e> for Exits {
    fn visit_expr_return(&mut self, _: &'e syn::ExprReturn) {
        self.returns = true;
    }
    fn visit_expr_break(&mut self, _: &'e syn::ExprBreak) {
        self.breaks = true;
    }
    fn visit_expr_continue(&mut self, _: &'e syn::ExprContinue) {
        self.continues = true;
    }
    // A loop within keeps its own exits.
    fn visit_expr_for_loop(&mut self, node: &'e ExprForLoop) {
        let mut inner = Self::default();
        visit::visit_expr_for_loop(&mut inner, node);
        self.returns |= inner.returns;
    }
    fn visit_expr_closure(&mut self, _: &'e syn::ExprClosure) {}
}
