//! Viscous fluxes: the schemes, their penalties of jumps at faces, and the rate of diffusion that bounds steps.

use std::fmt;

use rayon::prelude::*;

use super::inventory::{Inventory, Part};
use super::layout::LANES;
use super::source::eigenvalue_bound;
use super::{Plan, SectionPlan, Setup, lifting};
use crate::law::geometry::Map;
use crate::law::reference::Operators;
use crate::law::{Arguments, Role, Shape};
use crate::mesh::{BoundaryFace, Mesh, Neighbour, Section};

/// How a viscous flux is discretised. All schemes lift jumps of the solution into the gradient and take the flux at a face from the gradient on its
/// sides without that, less a penalty. They differ in the sides and in the penalty. `docs/viscous.md` compares them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViscousScheme {
    /// Symmetric interior penalty: the mean of both sides, penalised point by point (D. N. Arnold, SIAM J. Numer. Anal. 19 (1982) 742–760).
    #[default]
    InteriorPenalty,
    /// The second scheme of Bassi & Rebay: the mean of both sides, each penalised by its own lifting of the face's jump (F. Bassi, S. Rebay, G.
    /// Mariotti, S. Pedinotti & M. Savini, Proc. 2nd European Conf. on Turbomachinery (1997) 99–108).
    Br2,
    /// Compact discontinuous Galerkin: one side of each face, which alone lifts its jump and is penalised by that (J. Peraire & P.-O. Persson, SIAM
    /// J. Sci. Comput. 30 (2008) 1806–1824).
    Cdg,
}

impl ViscousScheme {
    /// All schemes.
    pub const ALL: [Self; 3] = [Self::InteriorPenalty, Self::Br2, Self::Cdg];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::InteriorPenalty => "interior_penalty",
            Self::Br2 => "br2",
            Self::Cdg => "cdg",
        }
    }

    /// The compile options.
    pub(super) fn defines(self) -> Vec<(String, String)> {
        let names: &[&str] = match self {
            Self::InteriorPenalty => &[],
            Self::Br2 => &["LIFTED_PENALTY"],
            Self::Cdg => &["LIFTED_PENALTY", "ONE_SIDED"],
        };
        names.iter().map(|name| ((*name).to_owned(), "1".to_owned())).collect()
    }

    /// Whether faces keep how they lift jumps: on affine elements of one shape and order all do it alike.
    pub(super) fn keeps_liftings(self, sections: &[Section]) -> bool {
        let is_alike = matches!(sections, [section] if section.map == Map::Affine);
        self != Self::InteriorPenalty && !is_alike
    }

    /// Numbers of a face, beside those of its lifting: see `VISCOUS_FACE` in the kernels.
    fn numbers(self) -> usize {
        if self == Self::Cdg { 3 } else { 2 }
    }

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

    /// The factor η.
    fn factor(self, shape: Shape, order: usize, map: Map) -> f64 {
        match (self, shape) {
            (Self::InteriorPenalty, _) => 2.0 * penalty(shape, order),
            (Self::Br2 | Self::Cdg, Shape::Triangle) => 3.0,
            (Self::Br2 | Self::Cdg, Shape::Quadrilateral) if map == Map::Affine => 2.0 + 2.0 / (order as f64 + 1.0),
            (Self::Br2 | Self::Cdg, Shape::Quadrilateral) => 4.0,
        }
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

impl fmt::Display for ViscousScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The penalty σ of a jump in symmetric interior penalty, times a length: with |f|/|K| the mean of both sides, jumps are penalised by σ |f|/|K|. Where the map of an
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
///
/// On other quadrilaterals liftings are penalised more, and the radius grows by no more than the penalty.
pub(super) fn rate(scheme: ViscousScheme, shape: Shape, order: usize, map: Map) -> f64 {
    use ViscousScheme::{Br2, Cdg, InteriorPenalty};
    let radius = match (scheme, shape) {
        (InteriorPenalty, Shape::Triangle) => [0.0, 37.0, 207.0, 681.0, 1690.0, 3540.0, 6610.0, 11_300.0],
        (InteriorPenalty, Shape::Quadrilateral) => [0.0, 75.4, 308.0, 884.0, 2050.0, 4120.0, 7440.0, 12_500.0],
        (Br2, Shape::Triangle) => [0.0, 24.0, 138.0, 460.0, 1170.0, 2480.0, 4650.0, 8010.0],
        (Br2, Shape::Quadrilateral) => [0.0, 120.0, 437.0, 1170.0, 2560.0, 4980.0, 8810.0, 14_600.0],
        (Cdg, Shape::Triangle) => [0.0, 59.9, 348.0, 1150.0, 2870.0, 6010.0, 11_300.0, 19_300.0],
        (Cdg, Shape::Quadrilateral) => [0.0, 271.0, 1060.0, 2940.0, 6630.0, 13_100.0, 23_300.0, 38_600.0],
    };
    let penalties = [map, Map::Affine].map(|map| scheme.factor(shape, order, map));
    radius[order.min(radius.len() - 1)] * penalties[0] / penalties[1]
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
