//! From the IR to CUDA C: the physics of a law, and the costs of its kernels for each shape and order.
//!
//! The physics of a law are
//!
//! ```text
//! parameters  variables of the text, and a kernel that computes once the functions' expressions of parameters alone
//! types       state, normal, point, and the arrays and tuples that functions name
//! functions   the user's, under the user's names, and the derived ones
//! bridge      the same under the scheme's names: flux, wave speeds, numerical fluxes, boundaries, characteristic variables
//! ```
//!
//! and kernels that evaluate them at given points. The scheme is `dg_kernels`, which joins the two before they are compiled, and which
//! this crate does not know.
//!
//! Emission is a pure function of its arguments: equal input gives equal bytes.

mod algebra;
mod characteristic;
mod cost;
mod far_field;
mod lines;
mod names;
mod physics;
mod scheme;

pub use algebra::algebra;
pub use cost::flops;
pub use scheme::{DERIVED_FLUXES, derived_fluxes};

use std::collections::BTreeSet;

use dg_contract::reference::{Operators, OrderTooHigh, moments};
use dg_contract::{Owned, Shape, Unit, protocol};
use physics::Names;

use crate::derive::between::ALONG;
use crate::derive::{Characteristic, Derived, FarField};
use crate::ir::{ExprKind, Function, FunctionId, Law, Role};

/// The code generated for a law.
#[derive(Debug)]
pub struct Generated {
    /// The physics as code.
    pub physics: String,
    /// Kernels that evaluate the physics at given points.
    pub pointwise: String,
    /// The number of values that are computed once, from the parameters alone.
    pub once: usize,
    /// One for every shape of the law's dimension and every order.
    pub units: Vec<Unit<Owned>>,
}

/// Generates the code of a law.
///
/// # Errors
/// If there is no quadrature for an order.
pub fn generate(law: &Law, derived: &Derived) -> Result<Generated, OrderTooHigh> {
    let names = Names::new(law);
    // A medium that does not change is computed on the host, unless another function calls it.
    let called = law.functions.iter().flat_map(|function| &function.exprs).filter_map(|expr| match expr.kind {
        ExprKind::Call(callee, _) => Some(callee),
        _ => None,
    });
    let needed: BTreeSet<_> = law.changing_media().chain(called).collect();
    let is_on_device =
        |(i, function): &(usize, &Function)| function.role != Role::Medium || needed.contains(&FunctionId(*i));
    let on_device = law.functions.iter().enumerate().filter(is_on_device);
    let function = |(i, function)| physics::function(names.function(FunctionId(i)), &names, function);
    let functions: String = on_device.map(function).collect();
    let mut functions: String = functions;
    let of_waves = derived.between.iter().map(|along| (ALONG, &**along));
    let of_source = derived.source_jacobian.iter().map(|jacobian| (jacobian.entries.name.as_str(), &*jacobian.entries));
    let of_viscous = derived.viscous.iter().flat_map(|viscous| {
        let ghosts = viscous.ghosts.iter().map(|(_, change)| (change.name.as_str(), change));
        std::iter::once((viscous.entries.name.as_str(), &*viscous.entries)).chain(ghosts)
    });
    let further: Vec<_> = of_waves.chain(of_source).chain(of_viscous).collect();
    functions.extend(further.iter().map(|(name, function)| physics::derived(name, &names, function)));
    let further: Vec<_> = further.iter().map(|(_, function)| *function).collect();
    let types = physics::types(law, &further, &names, &functions);
    let [conversions, bridge] = [scheme::conversions(law, &names), scheme::bridge(law, &names, derived)];
    let sections = [
        ("types", types),
        ("functions", functions),
        ("states and their fields", conversions),
        ("the functions in the words of the scheme", bridge),
    ];
    let mut text = sections.map(|(title, text)| format!("/* ---- {title} ---- */\n\n{text}")).concat();
    if let Characteristic::Derived(maps) = &derived.characteristic {
        text.push_str(&characteristic::functions(law, &names, maps));
    }
    if let FarField::Derived { change, .. } = &derived.far_field {
        text.push_str(&far_field::functions(&names, change));
    }
    let once = names.once();
    let shapes = Shape::ALL.iter().filter(|shape| shape.dim() == law.dim);
    let units = shapes.flat_map(|&shape| law.orders.clone().map(move |order| (shape, order)));
    Ok(Generated {
        physics: lines::wrap(&format!("{}\n{text}", physics::parameters(law, &once))),
        pointwise: lines::wrap(&pointwise_kernels(law, derived)),
        once: once.len(),
        units: units.map(|(shape, order)| unit(law, derived, shape, order)).collect::<Result<_, _>>()?,
    })
}

/// The numbers of a trace at a point: the state and, for a viscous flux, its gradient.
fn values_of_trace(law: &Law) -> usize {
    let gradient = if law.only(&Role::ViscousFlux).is_some() { law.dim } else { 0 };
    law.state.fields.len() * (1 + gradient)
}

/// One unit.
fn unit(law: &Law, derived: &Derived, shape: Shape, order: usize) -> Result<Unit<Owned>, OrderTooHigh> {
    let operators = Operators::new(shape, order)?;
    Ok(Unit {
        shape,
        order,
        mesh_order: order,
        sample_order: operators.sample_order,
        basis: operators.basis,
        traces: shape.faces() * operators.face_points.len() * protocol::trace(values_of_trace(law)),
        moments: moments(shape, order),
        costs: cost::kernels(law, derived, &operators),
    })
}

/// Kernels that evaluate the physics at given points.
fn pointwise_kernels(law: &Law, derived: &Derived) -> String {
    let mut text = scheme::pointwise_kernels(law, derived);
    if derived.source_jacobian.is_some() {
        text.push_str(&scheme::pointwise_source_jacobian(law));
    }
    if !matches!(derived.characteristic, Characteristic::None(_)) {
        text.push_str(&characteristic::pointwise_kernels(law));
    }
    if let FarField::Derived { .. } = &derived.far_field {
        text.push_str(&far_field::pointwise_kernel(law));
    }
    text
}
