//! Sizes of elements, as waves that cross them see them.

use rayon::prelude::*;

use super::{MAX_FACES, Mesh, Neighbour};
use crate::law::Shape;

/// The element that bounds steps most if all waves have the same speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smallest {
    /// The first such element.
    pub element: usize,
    /// Its [size](Mesh::size) relative to the median size.
    pub of_median: f64,
}

impl Mesh {
    /// For every face f of an element K, the contribution of a wave of speed 1 there to the bound on a step:
    ///
    /// c_f² = C |f|²/|K| · ½ (1/|K| + 1/|K'|),  C = 3/16 on triangles, 1/4 on quadrilaterals,
    ///
    /// with K' the element behind the face, or K itself at a boundary. |f|/|K| is the face's weight within the element;
    /// the mean of the reciprocals lies between this and the weight of the exchange with K', |f|/√(|K| |K'|), which is less where
    /// K' is larger. So equilateral triangles of one size have c_f √3 = 1/h, h the diameter of their inscribed circles, and rectangles of
    /// one size Σ_f c_f λ_f = λ_x/h_x + λ_y/h_y.
    pub fn crossings(&self, element: usize) -> [f64; MAX_FACES] {
        let (volume, lengths) = self.tightest(element);
        let factor = match self.shape(element) {
            Shape::Triangle => 0.25 * 3.0_f64.sqrt(),
            Shape::Quadrilateral => 0.5,
        };
        let mut crossings = [0.0; MAX_FACES];
        for (face, crossing) in crossings.iter_mut().enumerate().take(self.shape(element).faces()) {
            let both = 0.5 * (1.0 + volume / self.volume_behind(element, face));
            *crossing = factor * both.sqrt() * lengths[face] / volume;
        }
        crossings
    }

    /// The [volume](Self::tightest) |K'| of the element behind a face of an element K, or |K| itself at a boundary.
    pub fn volume_behind(&self, element: usize, face: usize) -> f64 {
        let behind = match self.neighbour(element, face) {
            Neighbour::Element { element, .. } => element as usize,
            Neighbour::Boundary(_) => element,
        };
        self.tightest(behind).0
    }

    /// The volume |K| of an element and the measures |f| of its faces; where the map is not affine, the least and the largest that they
    /// would be if the map were everywhere as at one point.
    pub fn tightest(&self, element: usize) -> (f64, [f64; MAX_FACES]) {
        let (shape, geometry) = (self.shape(element), self.geometry(element));
        let map = self.map_of(element);
        if map.is_affine() {
            return (geometry.measure(shape), geometry.face_lengths);
        }
        let parameters = [0.0, 0.25, 0.5, 0.75, 1.0];
        let (mut least, mut lengths) = (geometry.determinant, [0.0; MAX_FACES]);
        for (face, length) in lengths.iter_mut().enumerate().take(self.shape(element).faces()) {
            for s in parameters {
                *length = map.face_normal(face, s).1.max(*length);
                least = least.min(map.determinant(shape.face_position(face, s)));
            }
        }
        (shape.measure() * least, lengths)
    }

    /// The size of an element, which bounds a step if all waves have the same speed: 1/√(Σ c_f²) on triangles, 1/Σ c_f on quadrilaterals,
    /// with its [`crossings`](Self::crossings) c_f.
    pub fn size(&self, element: usize) -> f64 {
        1.0 / self.shape(element).sum_of_rates(self.crossings(element))
    }

    /// The smallest element and its relative size.
    pub fn smallest(&self) -> Smallest {
        let sizes: Vec<f64> = (0..self.element_count()).into_par_iter().map(|element| self.size(element)).collect();
        let element = (0..sizes.len()).min_by(|&a, &b| sizes[a].total_cmp(&sizes[b])).unwrap_or(0);
        let mut sorted = sizes.clone();
        let (_, median, _) = sorted.select_nth_unstable_by(sizes.len() / 2, f64::total_cmp);
        Smallest { element, of_median: sizes[element] / *median }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Disc, Rectangle};

    #[test]
    fn equilateral_triangles_are_as_large_as_their_inscribed_circles() {
        // The inner triangles of a disc with one ring are equilateral, and all six are alike.
        let mesh = Disc { rings: 1, ..Disc::default() }.mesh().unwrap();
        for element in 0..mesh.element_count() {
            let [size, diameter] = [mesh.size(element), mesh.geometry(element).diameter];
            assert!((size - diameter).abs() < 1e-14, "{size} instead of {diameter}");
        }
        assert!((mesh.smallest().of_median - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_small_element_bounds_less_beside_large_ones() {
        let mesh =
            Rectangle { jitter: 0.24, cells: [6, 6], periodic: [true; 2], ..Rectangle::default() }.mesh().unwrap();
        let Smallest { element, of_median } = mesh.smallest();
        assert!((0..mesh.element_count()).all(|other| mesh.size(other) >= mesh.size(element)));
        assert!(of_median < 0.9, "{of_median}");
        // Among copies of itself it would bound steps by √(3/16 Σ|f|²) / |K|.
        let geometry = mesh.geometry(element);
        let faces: f64 = geometry.face_lengths.iter().map(|length| length * length).sum();
        let alone = geometry.measure(mesh.shape(element)) / (3.0 / 16.0 * faces).sqrt();
        let size = mesh.size(element);
        assert!(alone < size && size < 2.0_f64.sqrt() * alone, "{size}, {alone}");
    }
}
