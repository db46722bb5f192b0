//! Viscous fluxes: the penalty of jumps at faces, and the rate of diffusion that bounds steps.

use super::domain::LANES;
use super::inventory::{Inventory, Part};
use super::source::eigenvalue_bound;
use super::{Plan, Setup};
use crate::law::{Arguments, Role, Shape};
use crate::mesh::{Mesh, Neighbour};

/// The penalty σ of a jump, times a length: with |f|/|K| the mean of both sides, jumps are penalised by σ |f|/|K|. Where the map of an
/// element is curved, |f| is the largest and |K| the least by the map at one point, as in the bound on steps: with the mean volume, flow around the
/// sharp edge of an airfoil, whose quadrilaterals have nearly straight corners, does not remain bounded.
///
/// If c is the constant of the trace inequality ∮_f v² ≤ c |f|/|K| ∫_K v² for derivatives of the solution, and the n faces of an element share
/// its volume, n c / 2 makes the bilinear form coercive (K. Shahbazi, J. Comput. Phys. 205 (2005) 401–407). On triangles it is that with
/// c = p (p + 1) / 2 for degree p - 1 (T. Warburton & J. S. Hesthaven, Comput. Methods Appl. Mech. Eng. 192 (2003) 2765–2773) and a quarter
/// more for coefficients and metric that vary; on quadrilaterals it is (p + 1)², (p + 1)² being c itself and slanted ones taking about half of n c / 2.
fn penalty(shape: Shape, order: usize) -> f64 {
    let p = order as f64;
    match shape {
        Shape::Triangle => 1.25 * 1.5 * p * (p + 1.0) / 2.0,
        Shape::Quadrilateral => (p + 1.0).powi(2),
    }
}

/// The largest rate of diffusion over ν Σ_f c_f², with the crossings c_f of an element: the spectral radius of the scheme for ∂u/∂t = ν Δu on
/// lattices of triangles or parallelograms of all shapes, by von Neumann's analysis; `tests/tests/suite/viscous.rs` tries it.
pub(super) fn rate(shape: Shape, order: usize) -> f64 {
    let radius = match shape {
        Shape::Triangle => [0.0, 37.0, 207.0, 681.0, 1690.0, 3540.0, 6610.0, 11_300.0],
        Shape::Quadrilateral => [0.0, 75.4, 308.0, 884.0, 2050.0, 4120.0, 7440.0, 12_500.0],
    };
    radius[order.min(radius.len() - 1)]
}

/// An estimate of the diffusivity at a state, behind which stands its medium, by the law's own Rust: a bound on the eigenvalues of
/// Σ_ij n_i G_ij n_j in the direction of equal parts along all axes; 0 without a viscous flux.
pub(super) fn diffusivity(setup: &Setup, state: &[f64], position: &[f64], time: f64) -> f64 {
    let law = setup.law;
    let Some(flux) = law.with_role(Role::ViscousFlux).next().and_then(|flux| flux.host) else { return 0.0 };
    let m = law.state.len();
    let mut matrix = vec![0.0; m * m];
    for j in 0..m {
        let (mut slope, mut fluxes) = (vec![0.0; m], vec![0.0; law.dim * m]);
        slope[j] = 1.0;
        flux(&Arguments { right: &slope, ..setup.arguments(state, &[], position, time) }, &mut fluxes);
        for i in 0..m {
            matrix[i * m + j] = fluxes.iter().skip(i).step_by(m).sum::<f64>() / law.dim as f64;
        }
    }
    eigenvalue_bound(matrix, m)
}

/// Declares the penalty and the share of every face of every patch: see `subtract_viscous_flux` in the kernels.
pub(super) fn declare<'a>(inventory: &mut Inventory<'a>, mesh: &'a Mesh, plan: &'a Plan, section: usize) {
    let (setup, patches) = (&plan.sections[section].setup, &plan.patches.sections[section]);
    if setup.law.is_viscous() {
        let count = 2 * patches.faces.len() + LANES;
        inventory.list_of_reals(Part::Mesh, "viscous_faces", count, move || of_faces(mesh, plan, section));
    } else {
        inventory.reals(Part::Mesh, "viscous_faces", 1);
    }
}

/// The penalty of a side of a face, of which a face between elements has the mean.
pub(super) fn penalty_of_side(mesh: &Mesh, order: usize, element: usize, face: usize) -> f64 {
    let (volume, lengths) = mesh.tightest(element);
    penalty(mesh.shape(element), order) * lengths[face] / volume
}

/// The share of a jump at a boundary.
pub(super) fn share(setup: &Setup, boundary: usize) -> f64 {
    let condition = setup.boundaries.get(boundary);
    if condition.is_none_or(|condition| condition.is_mirror(setup.law)) { 1.0 } else { 2.0 }
}

/// For every patch the penalty of all its faces, then their shares.
fn of_faces(mesh: &Mesh, plan: &Plan, section: usize) -> Vec<f64> {
    let (setup, patches) = (&plan.sections[section].setup, &plan.patches.sections[section]);
    let of_side = |element: usize, face: usize| penalty_of_side(mesh, plan.order_in(element), element, face);
    let of_face = |patch: usize, both: i32| {
        let ((element, face), _) = patches.sides_in(patch, both);
        let own = of_side(element, face);
        match mesh.neighbour(element, face) {
            Neighbour::Element { element, face } => [0.5 * (own + of_side(element as usize, face.into())), 1.0],
            Neighbour::Boundary(face) => {
                [own, share(setup, usize::from(mesh.boundary_faces()[face as usize].boundary))]
            }
        }
    };
    let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
        let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
        let values: Vec<[f64; 2]> = list.iter().map(|&both| of_face(patch, both)).collect();
        [0, 1].map(|number| values.iter().map(|value| value[number]).collect::<Vec<_>>()).concat()
    };
    patches.starts.windows(2).enumerate().flat_map(of_patch).collect()
}
