//! A law written by hand, for tests.

use std::ops::Bound;

use crate::law::*;

fn first_state(arguments: &Arguments<'_>, value: &mut [f64]) {
    let [x, y] = [arguments.position[0], arguments.position[1]];
    value.copy_from_slice(&[1.0 + x * arguments.parameters[0], y - arguments.time]);
}

fn of_velocity(arguments: &Arguments<'_>, value: &mut [f64]) {
    let [rho, v] = [arguments.state[0], arguments.state[1]];
    value.copy_from_slice(&[rho, rho * v + arguments.parameters[0]]);
}

fn mirror(arguments: &Arguments<'_>, value: &mut [f64]) {
    value.copy_from_slice(&[arguments.state[0], -arguments.state[1]]);
}

pub(crate) const fn function(name: &'static str, role: Role, results: usize) -> Function {
    Function { name, doc: "", role, results, host: None }
}

/// A placeholder for generated code.
pub(crate) const fn unit(order: usize) -> Unit {
    Unit {
        shape: Shape::Triangle,
        order,
        mesh_order: order,
        sample_order: if order == 0 { 1 } else { order },
        basis: (order + 1) * (order + 2) / 2,
        moments: 0,
        traces: 6,
        costs: &[KernelCost {
            name: "residual",
            medium_basis: 1,
            cost: Cost { flops: 120, reals: 30, integers: 3 },
            of_field: Cost { flops: 0, reals: 0, integers: 0 },
        }],
    }
}

/// Two components, two parameters, orders 1 and 2.
pub(crate) static WAVES: Law = LAW;

/// The same law, as a basis for variants.
pub(crate) const LAW: Law = Law {
    name: "waves",
    doc: "Waves of a\nmembrane. For tests.\n\nMore about them.",
    dim: 2,
    parameters: &[
        Parameter {
            name: "gamma",
            doc: "Stiffness.",
            default: Some(1.5),
            range: (Bound::Included(1.0), Bound::Unbounded),
        },
        Parameter { name: "depth", doc: "", default: None, range: (Bound::Unbounded, Bound::Unbounded) },
    ],
    medium: &[],
    state: &[Variable { name: "rho", doc: "Density." }, Variable { name: "rho_v", doc: "" }],
    functions: &[
        function("flux", Role::Flux, 4),
        Function { host: Some(mirror), ..function("slip_wall", Role::Boundary { impermeable: &[0] }, 2) },
        function("farfield", Role::Boundary { impermeable: &[] }, 2),
        function("rusanov", Role::NumericalFlux, 2),
        function("hll", Role::NumericalFlux, 2),
        Function { host: Some(first_state), ..function("start", Role::Initial, 2) },
        Function { host: Some(first_state), ..function("ramp", Role::Exact, 2) },
        Function { host: Some(of_velocity), ..function("from_velocity", Role::Variables { names: &["rho", "v"] }, 2) },
        function("speed", Role::Output, 1),
    ],
    algebra: Algebra {
        jacobian: &[&[&["0", "1"], &["gamma", "0"]], &[&["0", "0"], &["0", "0"]]],
        eigenvalues: &["-sqrt(gamma)*n.x", "sqrt(gamma)*n.x"],
        wave_speed: "sqrt(gamma)*abs(n.x)",
        admissible: &[],
        linear: true,
        nonlinear: None,
        source_linear: true,
        source_jacobian: &[],
        steady: &[],
        changing_media: &[],
        mirrors: &[],
        inversions: &[],
        characteristic: CharacteristicVariables::None { why: "for tests" },
        far_field: Err("for tests"),
        rotation: Err("for tests"),
    },
    proofs: &[Proof { statement: "`slip_wall` lets no rho pass", method: Method::Symbolic }],
    samples: &[Sample {
        function: "slip_wall",
        parameters: &[1.5, 1.0],
        state: &[2.0, 3.0],
        right: &[],
        normal: &[1.0, 0.0],
        position: &[0.0, 0.0],
        time: 0.0,
        value: &[2.0, -3.0],
    }],
    physics: "/* generated */\n",
    pointwise: "",
    once: 0,
    units: &[unit(1), unit(2)],
};
