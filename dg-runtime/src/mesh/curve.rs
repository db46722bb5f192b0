//! The curved bodies behind straight boundary faces.
//!
//! With straight elements, a slip wall needs the normal of the body itself, or the error of the
//! geometry spoils the solution (L. Krivodonova, M. Berger: High-order accurate implementation of solid wall
//! boundary conditions in curved geometries, J. Comput. Phys. 211, 2006).

use std::collections::{HashMap, HashSet};

use super::error::place;
use super::spline::Spline;
use super::{Mesh, MeshError};

/// The curve that a boundary's faces approximate.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// A circle, or an arc of it.
    Circle {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// The cubic spline through the boundary's vertices: periodic for a closed boundary, open otherwise. It breaks
    /// where the boundary turns by more than 80 degrees, as at a trailing edge.
    Spline,
}

/// The cosine of the turn at which a spline breaks: a pentagon may stand for a smooth body, a square may not.
const CORNER_COSINE: f64 = 0.173_648_177_666_930_3;

/// Whether a spline breaks between these sides, each from one vertex to the next.
pub(super) fn is_corner(before: [f64; 2], after: [f64; 2]) -> bool {
    let lengths = before[0].hypot(before[1]) * after[0].hypot(after[1]);
    before[0] * after[0] + before[1] * after[1] <= CORNER_COSINE * lengths
}

/// How far a vertex may be from its circle, as a fraction of the radius.
const CIRCLE_TOLERANCE: f64 = 1e-4;

/// The position of a boundary face on its body.
#[derive(Clone, Copy)]
enum Support {
    Straight,
    Circle { centre: [f64; 2], radius: f64 },
    Spline { spline: usize, interval: usize },
}

/// The curves of all boundary faces.
pub(super) struct Bodies<'a> {
    mesh: &'a Mesh,
    splines: Vec<Spline>,
    /// One for each boundary face.
    supports: Vec<Support>,
}

impl<'a> Bodies<'a> {
    pub(super) fn new(mesh: &'a Mesh) -> Self {
        let support = |boundary: u16| match mesh.boundaries[usize::from(boundary)].curve {
            Some(Curve::Circle { centre, radius }) => Support::Circle { centre, radius },
            // Splines follow below, once their faces are in order.
            None | Some(Curve::Spline) => Support::Straight,
        };
        let supports = mesh.boundary_faces.iter().map(|face| support(face.boundary)).collect();
        let mut bodies = Self { mesh, splines: Vec::new(), supports };
        for (index, boundary) in mesh.boundaries.iter().enumerate() {
            if boundary.curve == Some(Curve::Spline) {
                bodies.add_splines(index);
            }
        }
        bodies
    }

    fn add_splines(&mut self, boundary: usize) {
        for chain in chains(self.mesh, boundary) {
            let first = corners(self.mesh, chain.faces[0])[0];
            let ends = chain.faces.iter().map(|&face| corners(self.mesh, face)[1]);
            let vertices = std::iter::once(first).chain(ends);
            let points = vertices.map(|vertex| position(self.mesh, vertex)).collect();
            for (interval, &face) in chain.faces.iter().enumerate() {
                self.supports[face] = Support::Spline { spline: self.splines.len(), interval };
            }
            self.splines.push(Spline::new(points, chain.closed));
        }
    }

    /// The body's unit normal, out of the domain, at the point with parameter `s` of a boundary face; the face's own if that is curved.
    pub(super) fn normal(&self, boundary_face: usize, s: f64) -> [f64; 2] {
        let face = self.mesh.boundary_faces[boundary_face];
        let (element, number) = (face.element as usize, usize::from(face.face));
        if self.mesh.curved.is_some() {
            return self.mesh.map_of(element).face_normal(number, s).0;
        }
        let straight = self.mesh.geometry(element).normals[number];
        let direction = match self.supports[boundary_face] {
            Support::Straight => return straight,
            Support::Circle { centre, .. } => {
                let [x, y] = self.mesh.face_position(element, number, s);
                [x - centre[0], y - centre[1]]
            }
            Support::Spline { spline, interval } => {
                let straight = self.mesh.face_position(element, number, s);
                let spline = &self.splines[spline];
                let [x, y] = spline.derivative(interval, spline.nearest(interval, s, [straight[0], straight[1]]));
                [y, -x]
            }
        };
        let length = direction[0].hypot(direction[1]);
        let outward = if direction[0] * straight[0] + direction[1] * straight[1] < 0.0 { -length } else { length };
        // The normal is undefined if the circle's centre lies on the face or the spline's derivative vanishes.
        if length == 0.0 { straight } else { direction.map(|x| x / outward) }
    }

    /// The body's point with parameter `s` of a boundary face with straight sides, from its first corner to its second.
    pub(super) fn point(&self, boundary_face: usize, s: f64) -> [f64; 2] {
        let face = self.mesh.boundary_faces[boundary_face];
        let straight = |s: f64| self.mesh.face_position(face.element as usize, face.face.into(), s);
        match self.supports[boundary_face] {
            Support::Straight => straight(s),
            Support::Circle { centre, radius } => {
                let [from, to] = [0.0, 1.0].map(|end| {
                    let [x, y] = straight(end);
                    [x - centre[0], y - centre[1]]
                });
                let angle = (from[0] * to[1] - from[1] * to[0]).atan2(from[0] * to[0] + from[1] * to[1]);
                let at = from[1].atan2(from[0]) + s * angle;
                [centre[0] + radius * at.cos(), centre[1] + radius * at.sin()]
            }
            Support::Spline { spline, interval } => self.splines[spline].position(interval, s),
        }
    }

    /// The body's point nearest to the middle of a boundary face.
    pub(super) fn middle(&self, boundary_face: usize) -> [f64; 2] {
        let face = self.mesh.boundary_faces[boundary_face];
        let straight = self.mesh.face_position(face.element as usize, face.face.into(), 0.5);
        match self.supports[boundary_face] {
            Support::Straight => straight,
            Support::Circle { centre, radius } => {
                let offset = [straight[0] - centre[0], straight[1] - centre[1]];
                let scale = radius / offset[0].hypot(offset[1]);
                [centre[0] + scale * offset[0], centre[1] + scale * offset[1]]
            }
            Support::Spline { spline, interval } => self.splines[spline].middle(interval),
        }
    }
}

/// Consecutive boundary faces, each beginning where the previous one ends.
struct Chain {
    faces: Vec<usize>,
    closed: bool,
}

fn corners(mesh: &Mesh, boundary_face: usize) -> [u32; 2] {
    let face = mesh.boundary_faces[boundary_face];
    mesh.face_corners(face.element as usize, face.face.into())
}

fn position(mesh: &Mesh, vertex: u32) -> [f64; 2] {
    std::array::from_fn(|d| mesh.vertex(vertex)[d])
}

/// The faces of a boundary in smooth chains, which end at corners, at other boundaries, and where bodies touch.
fn chains(mesh: &Mesh, boundary: usize) -> Vec<Chain> {
    let faces: Vec<usize> = (0..mesh.boundary_faces.len())
        .filter(|&face| usize::from(mesh.boundary_faces[face].boundary) == boundary)
        .collect();
    let mut leaving: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut arriving: HashMap<u32, Vec<usize>> = HashMap::new();
    for &face in &faces {
        let [from, to] = corners(mesh, face);
        leaving.entry(from).or_default().push(face);
        arriving.entry(to).or_default().push(face);
    }
    let side = |face: usize| {
        let [from, to] = corners(mesh, face).map(|vertex| position(mesh, vertex));
        [to[0] - from[0], to[1] - from[1]]
    };
    let next = |face: usize| -> Option<usize> {
        let vertex = corners(mesh, face)[1];
        let ([follower], [_]) = (leaving.get(&vertex)?.as_slice(), arriving.get(&vertex)?.as_slice()) else {
            return None;
        };
        (!is_corner(side(face), side(*follower))).then_some(*follower)
    };
    let followers: HashMap<usize, usize> = faces.iter().filter_map(|&face| Some((face, next(face)?))).collect();
    let led: HashSet<usize> = followers.values().copied().collect();

    let mut used = HashSet::new();
    let mut chains = Vec::new();
    // Chains with a beginning first; the remaining faces form closed chains.
    let (circles, starts): (Vec<usize>, Vec<usize>) = faces.iter().partition(|face| led.contains(face));
    let starts = starts.into_iter().map(|face| (face, false));
    for (start, closed) in starts.chain(circles.into_iter().map(|face| (face, true))) {
        let mut row = Vec::new();
        let mut at = Some(start);
        while let Some(face) = at.filter(|&face| used.insert(face)) {
            row.push(face);
            at = followers.get(&face).copied();
        }
        if !row.is_empty() {
            chains.push(Chain { faces: row, closed });
        }
    }
    chains
}

impl Mesh {
    /// The body's own unit normals, out of the domain, at points of all boundary faces:
    /// `[boundary_face][point][dim]`. The points are given by their parameters in (0, 1) on every face.
    ///
    /// The normal is that of the curve at its point nearest to the point of the straight edge; where no curve is declared it is
    /// the straight edge's own. Normals of splines are of third order.
    pub fn boundary_normals(&self, face_points: &[f64]) -> Vec<f64> {
        let bodies = Bodies::new(self);
        let at = |face: usize| face_points.iter().map(move |&s| (face, s));
        (0..self.boundary_faces.len()).flat_map(at).flat_map(|(face, s)| bodies.normal(face, s)).collect()
    }

    /// Declares the curve behind a boundary, `None` for a straight boundary.
    ///
    /// # Errors
    ///
    /// [`MeshError::UnknownBoundary`]; [`MeshError::OffCurve`] where a vertex is not on the circle.
    pub fn set_curve(&mut self, boundary: &str, curve: Option<Curve>) -> Result<(), MeshError> {
        let index = self.boundary(boundary)?;
        curve.iter().try_for_each(|curve| self.check_curve(index, curve))?;
        self.boundaries[index].curve = curve;
        Ok(())
    }

    /// Checks that every vertex of a boundary lies on the declared curve.
    pub(super) fn check_curves(&self) -> Result<(), MeshError> {
        let mut declared = self.boundaries.iter().enumerate();
        declared.try_for_each(|(index, boundary)| {
            boundary.curve.iter().try_for_each(|curve| self.check_curve(index, curve))
        })
    }

    fn check_curve(&self, boundary: usize, curve: &Curve) -> Result<(), MeshError> {
        let Curve::Circle { centre, radius } = curve else { return Ok(()) };
        let faces = self.boundary_faces.iter().filter(|face| usize::from(face.boundary) == boundary);
        for face in faces {
            for vertex in self.face_corners(face.element as usize, face.face.into()) {
                let [x, y] = position(self, vertex);
                let distance = ((x - centre[0]).hypot(y - centre[1]) - radius).abs();
                // Negative radii and NaN are in no range.
                if !(0.0..=CIRCLE_TOLERANCE).contains(&(distance / radius)) {
                    let (boundary, place) = (self.boundaries[boundary].name.clone(), place(&[x, y]));
                    return Err(MeshError::OffCurve { boundary, element: face.element.into(), place, distance });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{Disc, QuarterAnnulus, Rectangle};

    /// Three Gauss-Legendre points.
    const POINTS: [f64; 3] = [0.112_701_665_379_258_31, 0.5, 0.887_298_334_620_741_7];

    #[test]
    fn normals_of_circles_are_radial_and_lead_out_of_the_domain() {
        let mesh = QuarterAnnulus::default().mesh().unwrap();
        let normals = mesh.boundary_normals(&POINTS);
        assert_eq!(normals.len(), mesh.boundary_faces.len() * 3 * 2);
        for (i, normal) in normals.chunks_exact(2).enumerate() {
            let face = mesh.boundary_faces[i / 3];
            let [x, y] = mesh.face_position(face.element as usize, face.face.into(), POINTS[i % 3]);
            let outward = match mesh.boundaries[usize::from(face.boundary)].name.as_str() {
                "inner" => [-x / x.hypot(y), -y / x.hypot(y)],
                "outer" => [x / x.hypot(y), y / x.hypot(y)],
                "inflow" => [-1.0, 0.0],
                "outflow" => [0.0, -1.0],
                name => panic!("{name}"),
            };
            assert!((0..2).all(|d| (normal[d] - outward[d]).abs() < 1e-14), "{normal:?} {outward:?}");
        }
    }

    #[test]
    fn normals_of_splines_converge_to_those_of_the_circle_with_third_order() {
        let annulus = |n: usize| QuarterAnnulus { cells: [n, 3 * n], ..QuarterAnnulus::default() }.mesh().unwrap();
        let disc = |n: usize| Disc { rings: n, ..Disc::default() }.mesh().unwrap();
        let error = |circle: Mesh| {
            let exact = circle.boundary_normals(&POINTS);
            let mut spline = circle;
            for boundary in spline.boundaries.iter_mut().filter(|boundary| boundary.curve.is_some()) {
                boundary.curve = Some(Curve::Spline);
            }
            let normals = spline.boundary_normals(&POINTS);
            exact.iter().zip(normals).map(|(exact, normal)| (exact - normal).abs()).fold(0.0, f64::max)
        };
        for (coarse, fine) in [(error(disc(8)), error(disc(16))), (error(annulus(8)), error(annulus(16)))] {
            assert!(coarse < 1e-4 && (coarse / fine).log2() > 2.8, "{coarse:e} {fine:e}");
        }
    }

    #[test]
    fn splines_break_at_corners() {
        let mut mesh = Rectangle { cells: [3, 3], ..Rectangle::default() }.mesh().unwrap();
        for face in &mut mesh.boundary_faces {
            face.boundary = 0;
        }
        mesh.boundaries[0].curve = Some(Curve::Spline);
        for (face, normals) in mesh.boundary_faces.iter().zip(mesh.boundary_normals(&POINTS).chunks_exact(6)) {
            let straight = mesh.geometry(face.element as usize).normals[usize::from(face.face)];
            for normal in normals.chunks_exact(2) {
                assert!((0..2).all(|d| (normal[d] - straight[d]).abs() < 1e-14), "{normal:?} {straight:?}");
            }
        }
    }

    #[test]
    fn a_circle_that_misses_the_boundary_is_refused() {
        let mut disc = Disc::default().mesh().unwrap();
        for (centre, radius) in [([0.1, 0.0], 1.0), ([0.0, 0.0], 1.1), ([0.0, 0.0], -1.0), ([f64::NAN, 0.0], 1.0)] {
            let error = disc.set_curve("rim", Some(Curve::Circle { centre, radius })).unwrap_err();
            assert!(matches!(error, MeshError::OffCurve { .. }), "{error}");
            assert_eq!(disc.boundaries[0].curve, Some(Curve::Circle { centre: [0.0; 2], radius: 1.0 }));
        }
    }
}
