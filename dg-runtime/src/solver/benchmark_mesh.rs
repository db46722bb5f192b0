//! Mesh and initial data of computations that are only timed.

use super::Medium;
use crate::law::{Arguments, Function, Law, Role, Shape};
use crate::mesh::generate::Rectangle;
use crate::mesh::{Mesh, MeshError};

/// A mesh of about this many elements in a periodic unit square, numbered for blocks of so many elements.
///
/// # Errors
/// The mesh would have too many elements.
pub(crate) fn benchmark_mesh(shape: Shape, elements: usize, block: usize) -> Result<Mesh, MeshError> {
    // Quadrilaterals stay parallelograms, whose kernels are faster.
    let (per_cell, jitter) = if shape.is_product() { (1.0, 0.0) } else { (2.0, 0.2) };
    let side = ((elements as f64 / per_cell).sqrt().round() as usize).max(2);
    let rectangle = Rectangle { cells: [side; 2], periodic: [true; 2], jitter, shape, ..Rectangle::default() };
    Ok(rectangle.mesh()?.renumbered_in(block))
}

/// An initial or exact function of the law whose states are admissible on the whole mesh, if it has one.
pub(crate) fn admissible_function(law: &'static Law, mesh: &Mesh, parameters: &[f64]) -> Option<&'static Function> {
    let admissible = law.with_role(Role::Admissible).next();
    let makes_sense = |function: &&'static Function| {
        (0..mesh.vertices().len() / mesh.dim).all(|vertex| {
            let position = mesh.vertex(vertex as u32);
            let at = Arguments { parameters, state: &[], right: &[], normal: &[], position, time: 0.0 };
            let mut state = value(function, &at);
            if let Some(medium) = Medium::example(law) {
                state.resize(law.values_at_a_point(), f64::NAN);
                medium.values(&at, &[], &mut state[law.state.len()..]);
            }
            let signs = admissible.map_or(Vec::new(), |function| value(function, &Arguments { state: &state, ..at }));
            state.iter().all(|number| number.is_finite()) && signs.iter().all(|sign| *sign > 0.0)
        })
    };
    // Exact solutions first: they are smooth.
    law.with_role(Role::Exact).chain(law.with_role(Role::Initial)).find(makes_sense)
}

/// The value of a function, computed by the law's own Rust.
fn value(function: &Function, arguments: &Arguments<'_>) -> Vec<f64> {
    let mut value = vec![f64::NAN; function.results];
    if let Some(host) = function.host {
        host(arguments, &mut value);
    }
    value
}
