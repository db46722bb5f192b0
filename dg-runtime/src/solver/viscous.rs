//! Viscous fluxes by the schemes of `setup/viscous_scheme.rs`: penalties and liftings of jumps at the faces of a mesh, and the diffusivity of a
//! state.

use rayon::prelude::*;

use super::inventory::{Inventory, Part};
use super::layout::LANES;
use super::source::eigenvalue_bound;
use super::{Plan, SectionPlan, Setup, ViscousScheme, lifting};
use crate::law::geometry::Map;
use crate::law::reference::Operators;
use crate::law::{Arguments, Role};
use crate::mesh::{BoundaryFace, Mesh, Neighbour};

impl ViscousScheme {
    /// The weight of an element in the flux at a face, and of the jump that it lifts: of CDG 1 on the side from which the normal is within 90° of a
    /// direction along no face of usual meshes, and 0 on the other. A boundary's ghost state is the mirror image, and has the other half.
    fn weight(self, mesh: &Mesh, element: usize, face: usize) -> f64 {
        match mesh.neighbour(element, face) {
            Neighbour::Element { element: other, face: behind } if self == Self::Cdg => {
                // By the normal of one side, so that both sides agree whatever is rounded.
                let own = (element, face);
                let first = own.min((other as usize, usize::from(behind)));
                let [x, y] = [0, 1].map(|d| mesh.geometry(first.0).normals[first.1][d]);
                let is_along = x * 1.0_f64.cos() + y * 1.0_f64.sin() > 0.0;
                if is_along == (first == own) { 1.0 } else { 0.0 }
            }
            _ => 0.5,
        }
    }

    /// The penalty η w² |f|/|K| of a side of weight w; a face has the sum of both. Of the schemes that penalise the lifting of the element's own part
    /// of the jump, η makes the bilinear form coercive: the square of the sum of an element's liftings is at most η times the sum of their squares.
    /// That is the number of faces, and less on parallelograms: liftings at opposite faces have a scalar product of at most 1/(p + 1) of their sizes.
    fn penalty_of_side(self, mesh: &Mesh, order: usize, element: usize, face: usize) -> f64 {
        let ((volume, lengths), weight) = (mesh.tightest(element), self.weight(mesh, element, face));
        self.factor(mesh.shape(element), order, Map::Affine) * weight * weight * lengths[face] / volume
    }

    /// η w² times the normal part of the lifting on a side of weight w, see [`lifting::of_side`].
    fn lifting_of_side(self, mesh: &Mesh, of: (&Operators, Map), element: usize, face: usize) -> Vec<f64> {
        let (operators, map) = of;
        let weight = self.weight(mesh, element, face);
        let factor = self.factor(operators.shape, operators.order, map) * weight * weight;
        let rows = lifting::of_side(mesh, operators, map, (element, face));
        rows.into_iter().flatten().map(|entry| factor * entry).collect()
    }
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

/// Declares the numbers of every face of every patch: see `VISCOUS_FACE` in the kernels.
pub(super) fn declare<'a>(inventory: &mut Inventory<'a>, mesh: &'a Mesh, plan: &'a Plan, section: usize) {
    let (setup, patches) = (&plan.sections[section].setup, &plan.patches.sections[section]);
    if setup.law.is_viscous() {
        let count = numbers(plan, section) * patches.faces.len() + LANES;
        inventory.list_of_reals(Part::Mesh, "viscous_faces", count, move || of_faces(mesh, plan, section));
    } else {
        inventory.reals(Part::Mesh, "viscous_faces", 1);
    }
}

/// The numbers of a face of a section.
fn numbers(plan: &Plan, section: usize) -> usize {
    let SectionPlan { setup, unit, keeps_liftings, .. } = &plan.sections[section];
    let points = unit.reference().operators.face_points.len();
    setup.viscous.numbers() + if *keeps_liftings { points * points } else { 0 }
}

/// The numbers of a face of the boundary: penalty and share, and the entries of its lifting where that is kept.
pub(super) fn at_boundary(
    setup: &Setup,
    mesh: &Mesh,
    operators: &Operators,
    face: BoundaryFace,
    keeps_lifting: bool,
) -> Vec<f64> {
    let BoundaryFace { element, face, boundary } = face;
    let (scheme, element, face) = (setup.viscous, element as usize, usize::from(face));
    let share = share(setup, boundary.into());
    if !keeps_lifting {
        return vec![2.0 * scheme.penalty_of_side(mesh, setup.order, element, face), share];
    }
    let lifting = scheme.lifting_of_side(mesh, (operators, setup.map), element, face);
    [1.0, share].into_iter().chain(lifting.iter().map(|entry| 2.0 * entry)).collect()
}

/// The share of a jump at a boundary.
fn share(setup: &Setup, boundary: usize) -> f64 {
    let condition = setup.boundaries.get(boundary);
    if condition.is_none_or(|condition| condition.is_mirror(setup.law)) { 1.0 } else { 2.0 }
}

/// The lifting at a face, row by row, by the points of its first side. The points of the second run the other way.
fn lifting_at(mesh: &Mesh, plan: &Plan, element: usize, face: usize) -> Vec<f64> {
    let of_side = |element: usize, face: usize| {
        let SectionPlan { setup, unit, .. } = plan.section_of(element);
        setup.viscous.lifting_of_side(mesh, (&unit.reference().operators, setup.map), element, face)
    };
    let own = of_side(element, face);
    let other = match mesh.neighbour(element, face) {
        Neighbour::Element { element, face } => {
            let mut other = of_side(element as usize, face.into());
            other.reverse();
            other
        }
        Neighbour::Boundary(_) => own.clone(),
    };
    own.iter().zip(&other).map(|(own, other)| own + other).collect()
}

/// For every patch the penalty of all its faces, then their shares, then of CDG the weights of their first sides, and then the entries of their
/// liftings, where they are kept: the penalty is in these, and 1 itself.
fn of_faces(mesh: &Mesh, plan: &Plan, section: usize) -> Vec<f64> {
    let (setup, patches) = (&plan.sections[section].setup, &plan.patches.sections[section]);
    let scheme = setup.viscous;
    let of_side = |element: usize, face: usize| scheme.penalty_of_side(mesh, plan.order_in(element), element, face);
    let keeps_liftings = plan.sections[section].keeps_liftings;
    let of_face = |patch: usize, both: i32| {
        let ((element, face), _) = patches.sides_in(patch, both);
        let own = of_side(element, face);
        let (penalty, share) = match mesh.neighbour(element, face) {
            Neighbour::Element { element, face } => (own + of_side(element as usize, face.into()), 1.0),
            Neighbour::Boundary(face) => {
                (2.0 * own, share(setup, usize::from(mesh.boundary_faces()[face as usize].boundary)))
            }
        };
        let mut numbers = vec![if keeps_liftings { 1.0 } else { penalty }, share];
        if scheme == ViscousScheme::Cdg {
            numbers.push(scheme.weight(mesh, element, face));
        }
        if keeps_liftings {
            numbers.extend(lifting_at(mesh, plan, element, face));
        }
        numbers
    };
    let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
        let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
        let values: Vec<Vec<f64>> = list.iter().map(|&both| of_face(patch, both)).collect();
        let of_number = |number: usize| values.iter().map(|value| value[number]).collect::<Vec<_>>();
        (0..numbers(plan, section)).map(of_number).collect::<Vec<_>>().concat()
    };
    let of_patches: Vec<Vec<f64>> = patches.starts.par_windows(2).enumerate().map(of_patch).collect();
    of_patches.concat()
}
