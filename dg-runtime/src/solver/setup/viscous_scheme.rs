//! The schemes for viscous fluxes: their penalties of jumps at faces, and the rate of diffusion that bounds steps.

use std::fmt;

use crate::law::Shape;
use crate::law::geometry::Map;
use crate::mesh::Section;

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
    pub(in crate::solver) fn defines(self) -> Vec<(String, String)> {
        let names: &[&str] = match self {
            Self::InteriorPenalty => &[],
            Self::Br2 => &["LIFTED_PENALTY"],
            Self::Cdg => &["LIFTED_PENALTY", "ONE_SIDED"],
        };
        names.iter().map(|name| ((*name).to_owned(), "1".to_owned())).collect()
    }

    /// Whether faces keep how they lift jumps: on affine elements of one shape and order all do it alike.
    pub(in crate::solver) fn keeps_liftings(self, sections: &[Section]) -> bool {
        let is_alike = matches!(sections, [section] if section.map == Map::Affine);
        self != Self::InteriorPenalty && !is_alike
    }

    /// Numbers of a face, beside those of its lifting: see `VISCOUS_FACE` in the kernels.
    pub(in crate::solver) fn numbers(self) -> usize {
        if self == Self::Cdg { 3 } else { 2 }
    }

    /// The factor η.
    pub(in crate::solver) fn factor(self, shape: Shape, order: usize, map: Map) -> f64 {
        match (self, shape) {
            (Self::InteriorPenalty, _) => 2.0 * penalty(shape, order),
            (Self::Br2 | Self::Cdg, Shape::Triangle) => 3.0,
            (Self::Br2 | Self::Cdg, Shape::Quadrilateral) if map == Map::Affine => 2.0 + 2.0 / (order as f64 + 1.0),
            (Self::Br2 | Self::Cdg, Shape::Quadrilateral) => 4.0,
        }
    }

    /// The largest rate of diffusion over ν Σ_f c_f², with the crossings c_f of an element: the spectral radius of the scheme for ∂u/∂t = ν Δu on
    /// lattices of triangles or parallelograms of all shapes, by von Neumann's analysis; `tests/tests/suite/viscous.rs` tries it.
    ///
    /// On other quadrilaterals liftings are penalised more, and the radius grows by no more than the penalty.
    pub(in crate::solver) fn rate(self, shape: Shape, order: usize, map: Map) -> f64 {
        use ViscousScheme::{Br2, Cdg, InteriorPenalty};
        let radius = match (self, shape) {
            (InteriorPenalty, Shape::Triangle) => [0.0, 37.0, 207.0, 681.0, 1690.0, 3540.0, 6610.0, 11_300.0],
            (InteriorPenalty, Shape::Quadrilateral) => [0.0, 75.4, 308.0, 884.0, 2050.0, 4120.0, 7440.0, 12_500.0],
            (Br2, Shape::Triangle) => [0.0, 24.0, 138.0, 460.0, 1170.0, 2480.0, 4650.0, 8010.0],
            (Br2, Shape::Quadrilateral) => [0.0, 120.0, 437.0, 1170.0, 2560.0, 4980.0, 8810.0, 14_600.0],
            (Cdg, Shape::Triangle) => [0.0, 59.9, 348.0, 1150.0, 2870.0, 6010.0, 11_300.0, 19_300.0],
            (Cdg, Shape::Quadrilateral) => [0.0, 271.0, 1060.0, 2940.0, 6630.0, 13_100.0, 23_300.0, 38_600.0],
        };
        let penalties = [map, Map::Affine].map(|map| self.factor(shape, order, map));
        radius[order.min(radius.len() - 1)] * penalties[0] / penalties[1]
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
