//! Jumps of the medium between elements.

use rayon::prelude::*;

use super::Setup;
use crate::mesh::{MAX_DIM, Mesh, Neighbour};

/// How far from a face, as a share of the way to the element's centre, the medium of its side is taken.
const INSIDE: f64 = 1e-6;

/// A field of a medium, by its number, and its jump as a share of the larger value.
type Jump = (usize, f64);

impl Setup {
    /// The field of the medium that jumps most between elements, as it is given for the start, and the jump as a share of the larger value;
    /// `None` without a medium.
    pub(crate) fn largest_jump(&self, mesh: &Mesh) -> Option<(&'static str, f64)> {
        let medium = self.medium.as_ref()?;
        let of_side = |element: usize, face: usize| {
            let (on_face, centre) = (mesh.face_position(element, face, 0.5), mesh.centroid(element));
            let position: [f64; MAX_DIM] = std::array::from_fn(|d| on_face[d] + INSIDE * (centre[d] - on_face[d]));
            let mut values = vec![f64::NAN; self.law.medium.len()];
            let at = self.arguments(&[], &[], &position[..mesh.dim], 0.0);
            medium.values(&at, mesh.groups().of(element), &mut values);
            values
        };
        let of_face = |element: usize, face: usize| match mesh.neighbour(element, face) {
            Neighbour::Element { element: other, face: behind } if other as usize > element => {
                largest(&of_side(element, face), &of_side(other as usize, behind.into()))
            }
            _ => (0, 0.0),
        };
        let of_element =
            |element: usize| (0..mesh.shape(element).faces()).map(|face| of_face(element, face)).fold((0, 0.0), larger);
        let (field, jump) = (0..mesh.element_count()).into_par_iter().map(of_element).reduce(|| (0, 0.0), larger);
        Some((self.law.medium.get(field)?.name, jump))
    }
}

fn largest(own: &[f64], other: &[f64]) -> Jump {
    let share = |(own, other): (&f64, &f64)| (own - other).abs() / own.abs().max(other.abs()).max(f64::MIN_POSITIVE);
    own.iter().zip(other).map(share).enumerate().fold((0, 0.0), larger)
}

fn larger(one: Jump, other: Jump) -> Jump {
    if other.1 > one.1 { other } else { one }
}
