//! Positions for people.

use crate::io::picture::significant;
use crate::mesh::Mesh;

/// The least number of digits of a coordinate.
const DIGITS: usize = 5;

/// A position in a mesh, with as many digits as tell it from others where the mesh lies far from the origin.
pub(super) fn position(mesh: &Mesh, position: &[f64]) -> String {
    let [lower, upper] = mesh.bounds();
    let ratio = |d: usize| f64::max(lower[d].abs(), upper[d].abs()) / (upper[d] - lower[d]);
    let more = (0..mesh.dim).map(ratio).fold(1.0, f64::max).log10().ceil();
    let digits = (DIGITS + more as usize).min(17);
    let coordinates: Vec<String> = position[..mesh.dim].iter().map(|&x| significant(x, digits)).collect();
    format!("({})", coordinates.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Rectangle;

    #[test]
    fn positions_far_from_the_origin_are_told_apart() {
        let mesh = |lower: f64, size: f64| {
            Rectangle { lower: [lower; 2], upper: [lower + size; 2], ..Rectangle::default() }.mesh().unwrap()
        };
        assert_eq!(position(&mesh(0.0, 1.0), &[1.0 / 3.0, 0.25]), "(0.33333, 0.25)");
        assert_eq!(position(&mesh(0.0, 1e-9), &[1e-9 / 3.0, 0.0]), "(3.3333e-10, 0)");
        assert_eq!(position(&mesh(1e6, 1e-3), &[1e6 + 1e-4, 1e6]), "(1000000.0001, 1000000)");
    }
}
