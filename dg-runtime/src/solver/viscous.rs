//! Viscous fluxes: the penalty of jumps at faces, and the rate of diffusion that bounds steps.

use super::Setup;
use super::domain::LANES;
use super::inventory::{Inventory, Part};
use super::patches::SectionPatches;
use crate::law::Shape;
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

/// Declares the penalty and the share of every face of every patch: see `subtract_viscous_flux` in the kernels.
pub(super) fn declare<'a>(
    inventory: &mut Inventory<'a>,
    mesh: &'a Mesh,
    setup: &'a Setup,
    patches: &'a SectionPatches,
) {
    if setup.law.is_viscous() {
        let count = 2 * patches.faces.len() + LANES;
        inventory.list_of_reals(Part::Mesh, "viscous_faces", count, move || of_faces(mesh, setup, patches));
    } else {
        inventory.reals(Part::Mesh, "viscous_faces", 1);
    }
}

/// For every patch the penalty of all its faces, then their shares.
fn of_faces(mesh: &Mesh, setup: &Setup, patches: &SectionPatches) -> Vec<f64> {
    // The penalty of a side, of which a face between elements has the mean.
    let of_side = |element: usize, face: usize| {
        let (volume, lengths) = mesh.tightest(element);
        penalty(mesh.shape(element), setup.order) * lengths[face] / volume
    };
    let shares: Vec<f64> =
        setup.boundaries.iter().map(|condition| if condition.is_mirror(setup.law) { 1.0 } else { 2.0 }).collect();
    let of_face = |patch: usize, both: i32| {
        let ((element, face), _) = patches.sides_in(patch, both);
        let own = of_side(element, face);
        match mesh.neighbour(element, face) {
            Neighbour::Element { element, face } => [0.5 * (own + of_side(element as usize, face.into())), 1.0],
            Neighbour::Boundary(face) => {
                let boundary = usize::from(mesh.boundary_faces()[face as usize].boundary);
                [own, shares.get(boundary).copied().unwrap_or(1.0)]
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
