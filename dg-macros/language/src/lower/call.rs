//! Calls of the block's functions, and of the methods of `f64` that every device has.

use quote::ToTokens;
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath};
use templates::ir::{BinaryOp, ExprId, ExprKind, FunctionId, MathFn, Type};

use super::body::{Body, Meaning};
use super::functions::{Method, method};
use crate::diagnostics::suggestion;
use crate::parse::text;

/// Names of the prelude that can be called.
const PRELUDE: [&str; 4] = ["Some", "Ok", "Err", "drop"];

/// The largest exponent of `powi`: checks expand powers in exact arithmetic.
const MOST_EXPONENT: i32 = 100;

impl Body<'_> {
    /// `receiver.name(args)` of a value that is no array.
    pub(super) fn method_of(&mut self, receiver: ExprId, call: &ExprMethodCall) -> Option<ExprId> {
        let name = call.method.to_string();
        match self.ty(receiver) {
            Type::Real => {}
            Type::State | Type::Parameters | Type::Medium
                if name != "clone" && !self.module().others.methods.contains(&name) =>
            {
                return self.leave_to_rustc();
            }
            Type::State | Type::Parameters | Type::Medium if name != "clone" => {
                let message = format!("methods of your own are not available: write a function and call `{name}(…)`");
                return self.error(&call.method, message);
            }
            _ => {
                let message = format!("`{name}` is not available: only `f64` and arrays have methods here");
                return self.error(&call.method, message);
            }
        }
        self.math(&call.method, call, receiver, &call.args.iter().collect::<Vec<_>>())
    }

    /// `receiver.name(args)`, for a real receiver.
    fn math(&mut self, name: &syn::Ident, node: &impl ToTokens, receiver: ExprId, args: &[&Expr]) -> Option<ExprId> {
        let function = match method(&name.to_string()) {
            Some(Method::Math(function)) => function,
            Some(Method::Recip) => {
                let one = self.push(ExprKind::Literal("1.0".to_string()), Type::Real, name);
                return Some(self.push(ExprKind::Binary(BinaryOp::Div, one, receiver), Type::Real, node));
            }
            Some(Method::Powi) => return self.powi(node, receiver, args),
            Some(Method::Formula(formula)) => {
                let mut operands = vec![receiver];
                operands.extend(self.all(args.iter().copied())?);
                if operands.len() != formula.arity() || operands.iter().any(|&a| *self.ty(a) != Type::Real) {
                    return self.leave_to_rustc();
                }
                return Some(self.formula(formula, &operands, node));
            }
            Some(Method::Instead(instead)) => {
                return self.error(name, format!("`{name}` is not available: {instead}"));
            }
            None => return self.leave_to_rustc(),
        };
        let mut operands = vec![receiver];
        operands.extend(self.all(args.iter().copied())?);
        if operands.len() != function.arity() || operands.iter().any(|&operand| *self.ty(operand) != Type::Real) {
            return self.leave_to_rustc();
        }
        Some(self.push(ExprKind::Math(function, operands), Type::Real, node))
    }

    fn powi(&mut self, node: &impl ToTokens, base: ExprId, args: &[&Expr]) -> Option<ExprId> {
        let [exponent] = args else { return self.leave_to_rustc() };
        let Some(exponent_value) = self.whole(exponent) else {
            let message = "the exponent of `powi` is an integer that is known at compile time; `powf` takes any number";
            return self.error(exponent, message);
        };
        match i32::try_from(exponent_value) {
            Ok(n) if n.abs() <= MOST_EXPONENT => {
                Some(self.push(ExprKind::Math(MathFn::Powi(n), vec![base]), Type::Real, node))
            }
            _ => self
                .error(exponent, format!("the exponent of `powi` is at most {MOST_EXPONENT}; `powf` takes any number")),
        }
    }

    /// `name(args)`
    pub(super) fn call(&mut self, call: &ExprCall) -> Option<ExprId> {
        let Expr::Path(path) = &*call.func else {
            return self.error(&call.func, "only functions of the block can be called, by their names");
        };
        let segments: Vec<_> = path.path.segments.iter().collect();
        if let [ty, function] = &segments[..]
            && ty.ident == "f64"
        {
            let Some(receiver) = call.args.first() else { return self.leave_to_rustc() };
            let receiver = self.expr(receiver)?;
            if *self.ty(receiver) != Type::Real {
                return self.leave_to_rustc();
            }
            return self.math(&function.ident, call, receiver, &call.args.iter().skip(1).collect::<Vec<_>>());
        }
        let names: Vec<_> = segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [name] = &names[..]
            && let Some(Meaning::Closure(_)) = self.meaning(name)
        {
            return self.call_of_closure(call);
        }
        if self.is_from_fn(&call.func) {
            let message = "the length is not known here: name the array's type, `let a: [f64; 2] = from_fn(|i| …);`";
            return self.error(&call.func, message);
        }
        let Some(callee) = self.function_named(&names) else { return self.unknown_function(path) };
        let signature = self.scope.signatures[callee].as_ref();
        let types = signature.into_iter().flat_map(|signature| &signature.arguments);
        let types = types.map(|(_, ty)| Some(ty)).chain(std::iter::repeat(None));
        let args: Vec<_> = call.args.iter().zip(types).map(|(arg, ty)| self.typed(arg, ty)).collect();
        let (signature, args) = (signature?, args.into_iter().collect::<Option<Vec<_>>>()?);
        let types: Vec<_> = signature.arguments.iter().map(|(_, ty)| ty).collect();
        if args.len() != types.len() || args.iter().zip(types).any(|(&arg, ty)| self.ty(arg) != ty) {
            return self.leave_to_rustc();
        }
        Some(self.push(ExprKind::Call(FunctionId(callee), args), signature.result.clone(), call))
    }

    fn unknown_function(&mut self, path: &ExprPath) -> Option<ExprId> {
        let others = &self.module().others;
        let name = text(path);
        if path.path.segments.len() > 1
            || !others.globs.is_empty()
            || others.names.contains(&name)
            || PRELUDE.contains(&name.as_str())
        {
            let own = self.scope.block.functions.iter().map(|function| function.item.sig.ident.to_string());
            let own: Vec<_> = own.collect();
            let near = suggestion(&name, own.iter().map(String::as_str));
            let message = format!(
                "`{name}` is no function of the block{near}; only those can be called: move it in, or into a module that is marked \
                 `#[helpers]` and named by the law, `helpers = …`"
            );
            return self.error(path, message);
        }
        self.leave_to_rustc()
    }
}
