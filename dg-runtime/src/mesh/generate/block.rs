//! Flow domains that are one grid of cells, bent.

use std::f64::consts::TAU;

use super::naca::Naca;
use super::wake::Wake;
use super::{Grid, Layers, check_cells, check_grading, check_layers, check_radii, count, graded, refuse, spaced};
use crate::law::Shape;
use crate::mesh::curve::is_corner;
use crate::mesh::{Boundary, Curve, Mesh, MeshError};

/// A grid of quadrilaterals, cut in two for triangles, bent to fill a flow domain.
#[derive(Clone, Debug)]
pub struct Block {
    /// The shape of the elements.
    pub shape: Shape,
    /// Number of quadrilaterals in the two directions that the domain names.
    pub cells: [usize; 2],
    /// Number of rows of quadrilaterals at the body, or the floor, that are not cut for triangles.
    pub layers: usize,
    /// How many times as long as the one before every cell is, away from the body.
    pub grading: f64,
    /// What the grid fills.
    pub domain: Domain,
}

/// A flow domain.
#[derive(Clone, Debug)]
pub enum Domain {
    /// The ring between two circles around the origin, in cells outward and around. The boundaries are `inner` and `outer`, with
    /// their circles declared.
    Cylinder {
        /// The two radii.
        radii: [f64; 2],
    },
    /// The surroundings of an airfoil, in cells outward and around from the trailing edge: the grid of confocal ellipses and hyperbolas
    /// around its chord, moved onto its surface by a displacement that fades outward. The boundaries are `airfoil`, with its spline
    /// declared, and `outer`, an ellipse.
    ///
    /// With a wake it is a grid of confocal parabolas that is cut along the wake: see `wake.rs`. Then `outer` is a parabola, and behind it is
    /// `outflow`.
    Airfoil {
        /// The airfoil.
        airfoil: Naca,
        /// The semi-axis of the ellipse across the chord; that along it is √(radius² + 1/4). Of the parabola, its distance from the nose.
        radius: f64,
        /// The number of cells along the wake; 0 without one.
        wake: usize,
    },
    /// A channel of length 3 and height 1 with a bump on its floor for 1 < x < 2, in cells along and across. The boundaries are
    /// `inflow`, `outflow`, `floor` before and behind the `bump`, whose curve is declared, and `ceiling`.
    Bump {
        /// The outline of the bump.
        profile: Profile,
        /// Its height.
        height: f64,
    },
    /// A channel whose floor turns up (or down) at a corner, in cells along and across. The boundaries are `inflow`, `outflow`, `floor`
    /// before the corner, `ramp` behind it, and `ceiling`.
    Ramp {
        /// Length and height of the channel at its inflow.
        channel: [f64; 2],
        /// How far behind the inflow the corner is. The share of cells before it is rounded, so that it is a vertex.
        corner: f64,
        /// The angle of the ramp, in degrees; negative where the floor turns down.
        angle: f64,
    },
}

/// The outline of a bump of length 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// A circular arc: R.-H. Ni, AIAA J. 20 (1982), 1565–1571.
    Arc,
    /// height · sin² πx, which begins and ends smoothly.
    Sine,
}

/// The least part of the height that a ramp leaves open.
const ROOM: f64 = 1e-6;

/// The channel with a bump: length and height.
const CHANNEL: [f64; 2] = [3.0, 1.0];

impl Domain {
    /// The name of the generator.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Cylinder { .. } => "cylinder",
            Self::Airfoil { .. } => "airfoil",
            Self::Bump { .. } => "bump",
            Self::Ramp { .. } => "ramp",
        }
    }

    /// The direction in which cells are graded.
    fn graded_direction(&self) -> usize {
        match self {
            Self::Cylinder { .. } | Self::Airfoil { .. } => 0,
            Self::Bump { .. } | Self::Ramp { .. } => 1,
        }
    }

    fn wake(&self) -> usize {
        if let Self::Airfoil { wake, .. } = self { *wake } else { 0 }
    }

    fn check(&self, cells: [usize; 2]) -> Result<(), MeshError> {
        if let Self::Cylinder { radii } = *self {
            check_radii(self.name(), radii)?;
        }
        let (option, problem) = match *self {
            Self::Cylinder { .. } | Self::Airfoil { .. } if cells[1] < 4 => {
                ("cells", format!("the second of `cells`, that around, is to be at least 4, found {}", cells[1]))
            }
            Self::Airfoil { radius, .. } if !(1.0..=1e6).contains(&radius) => {
                ("radius", format!("`radius` is to be from 1 to 1e6 chords, found {radius}"))
            }
            Self::Bump { height, .. } if !(0.0 < height && height <= 0.5) => {
                ("height", format!("`height` is to be above zero and at most 0.5, found {height}"))
            }
            Self::Bump { .. } if !cells[0].is_multiple_of(3) => {
                let along = cells[0];
                let why = "so that the ends of the bump are vertices";
                (
                    "cells",
                    format!(
                        "the first of `cells`, that along the channel, is to be a multiple of 3, {why}, found {along}"
                    ),
                )
            }
            Self::Bump { .. } if cells[0] < 6 => (
                "cells",
                format!(
                    "the first of `cells`, that along the channel, is to be at least 6, found {}: a bump of one cell is flat",
                    cells[0]
                ),
            ),
            Self::Bump { profile: Profile::Sine, height } if sine_breaks(height, cells[0] / 3) => {
                let enough = (2..).find(|cells| !sine_breaks(height, *cells)).map_or(6, |cells| 3 * cells);
                let why =
                    "with fewer the spline through the vertices of the sine breaks where these turn by 80 degrees";
                (
                    "cells",
                    format!(
                        "the first of `cells`, that along the channel, is to be at least {enough}, found {}: {why}",
                        cells[0]
                    ),
                )
            }
            Self::Ramp { channel: [length, height], corner, .. }
                if !(0.0 < corner && corner < length && length.is_finite() && 0.0 < height && height.is_finite()) =>
            {
                let channel = [length, height];
                ("corner", format!("the corner at {corner} is to be inside the channel of size {channel:?}"))
            }
            Self::Ramp { .. } if cells[0] < 2 => (
                "cells",
                format!("the first of `cells`, that along the channel, is to be at least 2, found {}", cells[0]),
            ),
            Self::Ramp { channel: [length, height], corner, angle }
                if !(angle.abs() < 90.0 && rise(length - corner, angle) <= (1.0 - ROOM) * height) =>
            {
                let steepest = (1e4 * (height / (length - corner)).atan().to_degrees()).round() / 1e4;
                let why = "where the ramp ends at the ceiling";
                ("angle", format!("`angle` is to be above -90 and below {steepest} degrees, {why}, found {angle}"))
            }
            _ => return Ok(()),
        };
        Err(refuse(self.name(), option, problem))
    }
}

/// The height of a ramp after this distance.
fn rise(distance: f64, angle: f64) -> f64 {
    distance.max(0.0) * angle.to_radians().tan()
}

/// The radius of the arc of length 1, along its chord, and this height.
fn radius_of_arc(height: f64) -> f64 {
    (0.25 + height * height) / (2.0 * height)
}

/// The floor of a sine of this height, `x` behind its start.
fn sine(height: f64, x: f64) -> f64 {
    height * (0.5 * TAU * x).sin().powi(2)
}

/// Whether the spline through the vertices of so many cells on a sine breaks at one of them. The direction of a sine changes
/// by at most 2π² · height along a unit of x, so that none up to 0.5 high turns by 80 degrees in two of 15 cells.
fn sine_breaks(height: f64, cells: usize) -> bool {
    let side = |i: usize| {
        let [from, to] = [i, i + 1].map(|i| i as f64 / cells as f64);
        [to - from, sine(height, to) - sine(height, from)]
    };
    cells < 15 && (1..cells).any(|i| is_corner(side(i - 1), side(i)))
}

impl Block {
    /// Number of elements of the mesh, which may exceed every integer type.
    pub fn element_count(&self) -> f64 {
        count(self.shape, self.all_cells(), self.domain.graded_direction(), self.layers)
    }

    /// The cells of the grid, with those on both sides of a wake.
    fn all_cells(&self) -> [usize; 2] {
        let [outward, around] = self.cells;
        [outward, around.saturating_add(2_usize.saturating_mul(self.domain.wake()))]
    }

    /// Makes sure that its options are in range.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] where one is not.
    pub fn check(&self) -> Result<(), MeshError> {
        check_cells(self.domain.name(), self.cells, 1)?;
        self.domain.check(self.cells)?;
        let rows = self.all_cells()[self.domain.graded_direction()];
        check_layers(self.domain.name(), self.layers, rows)?;
        check_grading(self.domain.name(), self.grading, rows)
    }

    /// Makes the mesh.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] as from [`Self::check`], [`MeshError::NotConvex`] or [`MeshError::Inverted`] where too few cells
    /// follow an airfoil.
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        self.check()?;
        let (cells, [nx, ny], wake) = (self.all_cells(), self.cells, self.domain.wake());
        let graded_cells = cells[self.domain.graded_direction()];
        let away = |i: usize| graded(i, graded_cells, self.grading);
        let closed = matches!(self.domain, Domain::Cylinder { .. } | Domain::Airfoil { wake: 0, .. });
        let layers = Layers { direction: self.domain.graded_direction(), count: self.layers };
        let grid = Grid { shape: self.shape, layers, cells, closed, joined: wake };
        let straight = || false;
        let boundary = |name: &str, curve: Option<Curve>| Boundary { name: name.to_owned(), curve };
        let side = |side: usize, _: usize| side as u16;
        let angle = |j: usize| TAU * j as f64 / ny as f64;
        Mesh::new(match self.domain {
            Domain::Cylinder { radii } => {
                let circle = |radius: f64| Some(Curve::Circle { centre: [0.0; 2], radius });
                let boundaries = vec![boundary("inner", circle(radii[0])), boundary("outer", circle(radii[1]))];
                let position = |[i, j]: [usize; 2]| {
                    let radius = spaced(radii, away(i));
                    [radius * angle(j).cos(), radius * angle(j).sin()]
                };
                grid.draft(position, straight, boundaries, side)?
            }
            Domain::Airfoil { airfoil, radius, wake } if wake > 0 => {
                let wake = Wake::new(airfoil, radius, [ny, wake]);
                let boundaries = [("airfoil", Some(Curve::Spline)), ("outer", None), ("outflow", None)];
                let boundaries = boundaries.map(|(name, curve)| boundary(name, curve)).into();
                let position = |[i, j]: [usize; 2]| wake.position(away(i), j);
                grid.draft(position, straight, boundaries, |side, _| side.min(2) as u16)?
            }
            Domain::Airfoil { airfoil, radius, .. } => {
                let boundaries = vec![boundary("airfoil", Some(Curve::Spline)), boundary("outer", None)];
                let outermost = (2.0 * radius).asinh();
                let position = |[i, j]: [usize; 2]| {
                    let (outward, angle) = (outermost * away(i), angle(j));
                    let plate = 0.5 * (1.0 + angle.cos());
                    let [x, y] = [0.5 * (1.0 + outward.cosh() * angle.cos()), 0.5 * outward.sinh() * angle.sin()];
                    let surface = airfoil.surface(plate, if 2 * j <= ny { 1.0 } else { -1.0 });
                    let [mean_here, mean_there] = [x, plate].map(|x| airfoil.mean_line(x)[0]);
                    let fading = 1.0 - away(i);
                    [x + fading * (surface[0] - plate), y + fading * (mean_here + surface[1] - mean_there)]
                };
                grid.draft(position, straight, boundaries, side)?
            }
            Domain::Bump { profile, height } => {
                let (radius, inside) = (radius_of_arc(height), nx / 3..2 * nx / 3);
                let curve = match profile {
                    Profile::Arc => Curve::Circle { centre: [1.5, height - radius], radius },
                    Profile::Sine => Curve::Spline,
                };
                let names = ["inflow", "outflow", "floor", "ceiling"].map(|name| boundary(name, None));
                let boundaries = names.into_iter().chain([boundary("bump", Some(curve))]).collect();
                let floor = |i: usize, x: f64| match profile {
                    _ if i == inside.start || !inside.contains(&i) => 0.0,
                    Profile::Arc => height - radius + (radius * radius - (x - 1.5).powi(2)).sqrt(),
                    Profile::Sine => sine(height, x - 1.0),
                };
                let position = |[i, j]: [usize; 2]| {
                    let x = spaced([0.0, CHANNEL[0]], i as f64 / nx as f64);
                    [x, spaced([floor(i, x), CHANNEL[1]], away(j))]
                };
                let on = |side: usize, i: usize| if side == 2 && inside.contains(&i) { 4 } else { side as u16 };
                grid.draft(position, straight, boundaries, on)?
            }
            Domain::Ramp { channel: [length, height], corner, angle } => {
                let before = ((nx as f64 * corner / length).round() as usize).clamp(1, nx - 1);
                let names = ["inflow", "outflow", "floor", "ceiling", "ramp"];
                let boundaries = names.map(|name| boundary(name, None)).into();
                let along = |i: usize| match i.checked_sub(before) {
                    Some(behind) => spaced([corner, length], behind as f64 / (nx - before) as f64),
                    None => spaced([0.0, corner], i as f64 / before as f64),
                };
                let position = |[i, j]: [usize; 2]| {
                    let x = along(i);
                    [x, spaced([rise(x - corner, angle), height], away(j))]
                };
                let on = |side: usize, i: usize| if side == 2 && i >= before { 4 } else { side as u16 };
                grid.draft(position, straight, boundaries, on)?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::mesh::tests::{area, assert_sound};

    /// The length of a boundary.
    fn length(mesh: &Mesh, name: &str) -> f64 {
        let boundary = mesh.boundary(name).unwrap() as u16;
        let of_face = |element: u32, face: u8| mesh.geometry(element as usize).face_lengths[usize::from(face)];
        let faces = mesh.boundary_faces().iter().filter(|face| face.boundary == boundary);
        faces.map(|face| of_face(face.element, face.face)).sum()
    }

    /// Areas and lengths of ever finer meshes of both shapes converge to the exact ones with second order, or are exact.
    fn assert_converges(domain: &Domain, cells: [usize; 2], exact_area: f64, lengths: &[(&str, f64)]) {
        for (shape, grading) in Shape::ALL.into_iter().flat_map(|shape| [(shape, 1.0), (shape, 1.05)]) {
            let errors = [1, 2, 4].map(|finer| {
                let cells = cells.map(|cells| finer * cells);
                // Fine meshes are graded by as much in all.
                let grading = f64::powf(grading, 1.0 / finer as f64);
                let mut domain = domain.clone();
                if let Domain::Airfoil { wake, .. } = &mut domain {
                    *wake *= finer;
                }
                let block = Block { shape, cells, layers: 0, grading, domain };
                let mesh = block.mesh().unwrap_or_else(|error| panic!("{block:?}: {error}"));
                assert_sound(&mesh, [0.0; 2]);
                assert_eq!(mesh.element_count() as f64, block.element_count());
                let convex = |element| mesh.geometry(element).least_determinant(shape) > 0.0;
                assert!((0..mesh.element_count()).all(convex));
                assert_eq!(mesh.boundaries().len(), lengths.len());
                let of_lengths = lengths.iter().map(|(name, exact)| (length(&mesh, name) / exact - 1.0).abs());
                of_lengths.chain([(area(&mesh) / exact_area - 1.0).abs()]).collect::<Vec<_>>()
            });
            for i in 0..=lengths.len() {
                let [coarse, fine, finest] = [&errors[0], &errors[1], &errors[2]].map(|errors| errors[i]);
                let rates = [coarse / fine, fine / finest].map(f64::log2);
                let what = lengths.get(i).map_or("area", |(name, _)| name);
                assert!(
                    finest < 1e-12 || finest < 0.01 && (1.8..2.3).contains(&rates[1]),
                    "{domain:?}, {what}: {coarse:e}, {fine:e}, {finest:e}, rates {rates:?}"
                );
            }
        }
    }

    #[test]
    fn a_ring_has_its_circles() {
        let cylinder = Domain::Cylinder { radii: [0.5, 4.0] };
        assert_converges(&cylinder, [6, 16], PI * (16.0 - 0.25), &[("inner", PI), ("outer", 8.0 * PI)]);
    }

    #[test]
    fn a_bump_has_its_arc() {
        let height: f64 = 0.1;
        let radius = radius_of_arc(height);
        let half = (0.5 / radius).asin();
        let segment = radius * radius * half - 0.5 * (radius - height);
        let sides = |bump| [("inflow", 1.0), ("outflow", 1.0), ("floor", 2.0), ("ceiling", 3.0), ("bump", bump)];
        let arc = Domain::Bump { profile: Profile::Arc, height };
        assert_converges(&arc, [12, 4], 3.0 - segment, &sides(2.0 * radius * half));
        // The length of a sine, by many chords; sin² has the mean 1/2.
        let y = |i: u32| height * (PI * f64::from(i) / 1e5).sin().powi(2);
        let chords = (0..100_000).map(|i| (y(i + 1) - y(i)).hypot(1e-5)).sum::<f64>();
        let sine = Domain::Bump { profile: Profile::Sine, height };
        assert_converges(&sine, [24, 4], 3.0 - 0.5 * height, &sides(chords));
    }

    #[test]
    fn a_ramp_has_its_angle() {
        for angle in [15.0_f64, 30.0, -20.0] {
            let ramp = Domain::Ramp { channel: [1.5, 1.0], corner: 0.5, angle };
            let rise = angle.to_radians().tan();
            let sides = [
                ("inflow", 1.0),
                ("outflow", 1.0 - rise),
                ("floor", 0.5),
                ("ceiling", 1.5),
                ("ramp", 1.0 / angle.to_radians().cos()),
            ];
            assert_converges(&ramp, [7, 5], 1.5 - 0.5 * rise, &sides);
        }
    }

    #[test]
    fn an_airfoil_has_its_area_and_its_known_ordinates() {
        for digits in ["0012", "4415", "6404"] {
            let airfoil = Naca::new(digits).unwrap();
            let radius: f64 = 10.0;
            // The integral of the thickness along the mean line is the area; both by x = (1 - cos a)/2, which smooths the nose.
            let steps = 5_000;
            let at = |i: u32| PI * (f64::from(i) + 0.5) / f64::from(steps);
            let strip = |i: u32| {
                let x = 0.5 * (1.0 - at(i).cos());
                let [upper, lower] = [1.0, -1.0].map(|side| airfoil.surface(x, side));
                let thickness = (upper[0] - lower[0]).hypot(upper[1] - lower[1]);
                thickness * airfoil.mean_line(x)[1].hypot(1.0) * 0.5 * at(i).sin() * PI / f64::from(steps)
            };
            let body = (0..steps).map(strip).sum::<f64>();
            let axis = radius.hypot(0.5);
            let chords = |point: &dyn Fn(f64) -> [f64; 2]| {
                let ends = (0..steps).map(|i| [i, i + 1].map(|i| point(TAU * f64::from(i) / f64::from(steps))));
                ends.map(|[a, b]| (b[0] - a[0]).hypot(b[1] - a[1])).sum::<f64>()
            };
            let surface = |a: f64| airfoil.surface(0.5 * (1.0 + a.cos()), if a <= PI { 1.0 } else { -1.0 });
            let ellipse = |a: f64| [axis * a.cos(), radius * a.sin()];
            let lengths = [("airfoil", chords(&surface)), ("outer", chords(&ellipse))];
            let domain = Domain::Airfoil { airfoil, radius, wake: 0 };
            assert_converges(&domain, [8, 40], PI * radius * axis - body, &lengths);
            // Between parabolas ξ, η = const., |ξ| < a and 0 < η < b, with a focus in the nose.
            let nose = 0.5 * airfoil.nose_radius() / airfoil.mean_line(0.0)[1].hypot(1.0);
            let chord = (1.0 - nose).hypot(airfoil.mean_line(0.0)[1] * nose);
            let (a, b) = ((chord + radius).sqrt(), radius.sqrt());
            // ∫ 2 √(s² + t²) ds from 0 to s.
            let arc = |s: f64, t: f64| s * s.hypot(t) + t * t * (s / t).asinh();
            let lengths = [("airfoil", chords(&surface)), ("outer", 2.0 * arc(a, b)), ("outflow", 2.0 * arc(b, a))];
            let domain = Domain::Airfoil { airfoil, radius, wake: 20 };
            assert_converges(&domain, [12, 40], 8.0 / 3.0 * a * b * (a * a + b * b) - body, &lengths);
        }
        // Report 460: the largest thickness is 30 per cent behind the nose, and camber is where the digits say.
        let airfoil = Naca::new("0012").unwrap();
        assert!((airfoil.surface(0.3, 1.0)[1] - 0.06).abs() < 2e-5);
        assert!(airfoil.surface(1.0, 1.0)[1].abs() < 1e-15);
        assert_eq!(Naca::new("2412").unwrap().mean_line(0.4), [0.02, 0.0]);
        for digits in ["", "12", "00012", "0000", "2012", "24a2", "２412"] {
            assert_eq!(Naca::new(digits), None, "{digits}");
        }
    }

    /// Around the trailing edge there are four corners, each near a right angle, where a grid without a wake has two of nearly 180 degrees.
    #[test]
    fn a_wake_has_good_corners_at_the_trailing_edge() {
        let least = |wake: usize| {
            let domain = Domain::Airfoil { airfoil: Naca::new("0012").unwrap(), radius: 10.0, wake };
            let block = Block { shape: Shape::Quadrilateral, cells: [12, 40], layers: 0, grading: 1.2, domain };
            let mesh = block.mesh().unwrap();
            let edge = |vertex: &u32| (mesh.vertex(*vertex)[0] - 1.0).hypot(mesh.vertex(*vertex)[1]) < 1e-12;
            let around = (0..mesh.element_count()).filter(|&element| mesh.corners(element).iter().any(edge));
            let shares: Vec<f64> = around.map(|element| mesh.least_share(element)).collect();
            (shares.len(), shares.into_iter().fold(1.0, f64::min))
        };
        let ((few, flat), (all, good)) = (least(0), least(12));
        assert!(few == 2 && flat < 0.2 && all == 4 && good > 0.7, "{few}, {flat}, {all}, {good}");
    }

    #[test]
    fn bad_options_are_refused() {
        let airfoil = Naca::new("0012").unwrap();
        let ramp = |corner, angle| Domain::Ramp { channel: [1.5, 1.0], corner, angle };
        let bump = |height| Domain::Bump { profile: Profile::Arc, height };
        for (domain, cells, grading) in [
            (Domain::Cylinder { radii: [1.0, 0.5] }, [4, 8], 1.0),
            (Domain::Cylinder { radii: [1.0, f64::NAN] }, [4, 8], 1.0),
            (Domain::Cylinder { radii: [1.0, 2.0] }, [4, 3], 1.0),
            (Domain::Cylinder { radii: [1.0, 2.0] }, [0, 8], 1.0),
            (Domain::Cylinder { radii: [1.0, 2.0] }, [4, 8], 0.0),
            (Domain::Cylinder { radii: [1.0, 2.0] }, [4, 8], f64::NAN),
            (Domain::Cylinder { radii: [1.0, 2.0] }, [100, 8], 2.0),
            (Domain::Airfoil { airfoil, radius: 0.5, wake: 0 }, [4, 8], 1.0),
            (Domain::Airfoil { airfoil, radius: 5.0, wake: 4 }, [4, 3], 1.0),
            (bump(0.0), [6, 2], 1.0),
            (bump(0.6), [6, 2], 1.0),
            (bump(0.1), [7, 2], 1.0),
            (bump(0.1), [3, 2], 1.0),
            (Domain::Bump { profile: Profile::Sine, height: 0.5 }, [12, 2], 1.0),
            (bump(0.1), [6, 0], 1.0),
            (ramp(1.5, 15.0), [6, 2], 1.0),
            (ramp(0.5, 46.0), [6, 2], 1.0),
            // It ends at the ceiling, up to rounding.
            (ramp(0.5, 45.0), [6, 2], 1.0),
            (ramp(0.5, 90.0), [6, 2], 1.0),
            (ramp(0.5, 15.0), [1, 2], 1.0),
        ] {
            let name = domain.name();
            let block = Block { shape: Shape::Quadrilateral, cells, layers: 0, grading, domain };
            let error = block.mesh().expect_err(&format!("{block:?}"));
            assert!(matches!(error, MeshError::Options { generator, .. } if generator == name), "{error}");
        }
        let airfoil = Domain::Airfoil { airfoil, radius: 5.0, wake: usize::MAX };
        let endless = Block { shape: Shape::Triangle, cells: [8, 8], layers: 0, grading: 1.0, domain: airfoil };
        assert!(matches!(endless.mesh(), Err(MeshError::TooLarge { .. })));
        let huge = Block {
            shape: Shape::Triangle,
            cells: [usize::MAX; 2],
            layers: 0,
            grading: 1.0,
            domain: Domain::Cylinder { radii: [1.0, 2.0] },
        };
        assert!(matches!(huge.mesh(), Err(MeshError::TooLarge { .. })));
    }
}
