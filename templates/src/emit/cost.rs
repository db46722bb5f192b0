//! Flops and least bytes, counted from the graphs and the trip counts of the kernels.
//!
//! Every `+ - * /`, root and other function counts as one operation; comparisons, selections, negations, minima, maxima
//! and absolute values count as none, as do expressions of parameters and literals alone, which are computed once. A
//! function is counted at each call in the kernels as written: operations that a C compiler shares or drops are not
//! subtracted.

use dg_contract::KernelCost;
use dg_contract::reference::Operators;

use crate::derive::Derived;
use crate::derive::between::PARTS;
use crate::ir::{BinaryOp, ExprId, ExprKind, Function, FunctionId, Law, MathFn, Role, Type, UnaryOp};

/// Operations of one call of a function of the law.
pub fn flops(law: &Law, id: FunctionId) -> usize {
    operations(law, law.function(id))
}

/// Operations of one call of a function that calls functions of the law.
fn operations(law: &Law, function: &Function) -> usize {
    let exprs = (0..function.exprs.len()).map(ExprId).filter(|&expr| !is_uniform(function, expr));
    exprs
        .map(|expr| match &function.expr(expr).kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, ..) => 1,
            ExprKind::Math(MathFn::Abs | MathFn::Min | MathFn::Max, _) => 0,
            ExprKind::Math(MathFn::Powi(n), _) => powi(*n),
            ExprKind::Math(..) => 1,
            ExprKind::Call(callee, _) => flops(law, *callee),
            _ => 0,
        })
        .sum()
}

/// Whether an expression consists of parameters and literals alone.
fn is_uniform(function: &Function, expr: ExprId) -> bool {
    match &function.expr(expr).kind {
        ExprKind::Literal(_) => true,
        ExprKind::Field(of, _) => function.expr(*of).ty == Type::Parameters,
        ExprKind::Unary(UnaryOp::Neg, a) => is_uniform(function, *a),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, a, b) => {
            is_uniform(function, *a) && is_uniform(function, *b)
        }
        _ => false,
    }
}

/// Operations of a power: multiplications of repeated squaring, and a division for a negative exponent.
fn powi(n: i32) -> usize {
    let m = n.unsigned_abs();
    let products = if m < 2 { 0 } else { (m.ilog2() + m.count_ones() - 1) as usize };
    products + usize::from(n < 0)
}

/// Costs of the kernels that take a run's time, and of those that run with them.
pub(super) fn kernels(law: &Law, derived: &Derived, o: &Operators) -> Vec<KernelCost> {
    let components = law.state.fields.len();
    let (dim, faces, points) = (law.dim, o.shape.faces(), o.face_points.len());
    let of = |role: &Role| law.only(role).map_or(0, |id| flops(law, id));
    let size = components * o.basis;

    let evaluate = components * (2 * o.basis - 1);
    let wave_speed = law.speeds().map_or(1, |id| flops(law, id));
    // The states between the parts of the way, and the bounds along each.
    let between = derived.between.as_ref().map_or(0, |along| PARTS * (operations(law, along) + 4 * components));
    // Halves of the normal and of the speed; for every component sums of the fluxes, their product with the normal, and
    // the scaled jump: - * -.
    let rusanov = 2 * (of(&Role::Flux) + wave_speed) + between + dim + 1 + components * (dim + 2 * dim - 1 + 3);
    let source = law.only(&Role::Source).map_or(0, |id| flops(law, id) + 2 * size + 2 * dim * dim);

    // The entries of the source's Jacobian and five squares of it, at every point of the volume.
    let source_rate = derived.source_jacobian.as_ref().map_or(0, |jacobian| {
        let square = components * components * (2 * components - 1);
        o.volume_points.len()
            * (evaluate + operations(law, &jacobian.entries) + 5 * square + 6 * components * components)
    });

    let volume_point =
        evaluate + of(&Role::Flux) + components * dim * (2 * dim - 1) + 2 * dim * components * (o.basis - 1) + source;
    // A face is computed once for both sides.
    let face_point = evaluate + (rusanov + 2 * components).div_ceil(2) + 2 * size;
    let admissible = of(&Role::Admissible) + components;
    let geometry = dim * dim + (faces * (dim + 2)).div_ceil(2);
    // Constant in elements: once for the volume, and of both sides of every face.
    let medium = law.medium.fields.len() * (1 + faces);
    let update = 5 * size;
    vec![
        KernelCost {
            name: "stage",
            flops: o.volume_points.len() * volume_point + faces * points * face_point + update + source_rate,
            // Reads u and u^n, writes u.
            reals: 3 * size + geometry + medium,
            integers: faces.div_ceil(2),
        },
        KernelCost {
            name: "time_step",
            flops: evaluate
                + admissible
                + faces * wave_speed
                + faces * points * (evaluate + wave_speed + admissible)
                + usize::from(between > 0) * faces * points * (evaluate + 2 * (2 * wave_speed + between))
                + o.volume_points.len() * (evaluate + admissible)
                + source_rate
                + 2,
            reals: size + law.medium.fields.len() + faces * (dim + 1) + 2,
            integers: 0,
        },
        KernelCost { name: "reduce", flops: 0, reals: 1, integers: 0 },
        KernelCost { name: "integrate", flops: 3 * components, reals: 2 * components + 1, integers: 0 },
        KernelCost { name: "change", flops: size, reals: 2 * size + 2 * components, integers: 0 },
    ]
}
