//! The grid around an airfoil that is cut along its wake.

use std::f64::consts::FRAC_PI_2;

use super::naca::Naca;
use super::{graded, spaced};

/// How much of the columns' distances is uniform in the coordinate ξ. The rest shrinks to none at the trailing edge.
const UNIFORM: f64 = 0.25;

/// The most times as long as the one before that a cell of the wake is.
const STEEPEST: f64 = 2.0;

/// Bisections of an interval that leave none of it.
const BISECTIONS: usize = 52;

/// A grid of confocal parabolas: with a focus z₀ in the airfoil's nose, halfway to its centre of curvature, and complex numbers for points,
/// z = z₀ + e^(iα) (ξ + iη)², so that the trailing edge is at η = 0. Columns have constant ξ, which falls counterclockwise: along the upper
/// side of the wake, where η = 0, around the airfoil, whose surface is a flat hill in ξ and η, and back along the lower side. In each column η
/// goes from there to a parabola. So cells at the wall are as thin as a boundary layer, whose thickness grows with √x as ξ does, and
/// corners at the trailing edge are near 90°; a grid around it without a cut has two there of nearly 180°.
///
/// Reference: A. Jameson, Commun. Pure Appl. Math. 27 (1974) 283–309, for the coordinates.
pub(super) struct Wake {
    airfoil: Naca,
    /// The numbers of cells around the airfoil and along the wake.
    cells: [usize; 2],
    focus: [f64; 2],
    /// The cosine and the sine of α.
    axis: [f64; 2],
    /// ξ at the trailing edge and at the end of the wake.
    ends: [f64; 2],
    /// How many times as long as the one before a cell of the wake is.
    grading: f64,
    /// η where columns end.
    outermost: f64,
}

impl Wake {
    /// The grid with `cells` around the airfoil and along the wake, and the outer parabola in a distance of `radius` chords from the focus.
    pub(super) fn new(airfoil: Naca, radius: f64, cells: [usize; 2]) -> Self {
        let slope = airfoil.mean_line(0.0)[1];
        let depth = 0.5 * airfoil.nose_radius() / slope.hypot(1.0);
        let focus = [depth, slope * depth];
        let chord = [1.0 - focus[0], -focus[1]];
        let length = chord[0].hypot(chord[1]);
        let (axis, ends) = (chord.map(|x| x / length), [length.sqrt(), (length + radius).sqrt()]);
        let mut wake = Self { airfoil, cells, focus, axis, ends, grading: 1.0, outermost: radius.sqrt() };
        // The first cell of the wake is as long as the airfoil's last one.
        let last = ends[0] - wake.surface(1.0 - 2.0 / cells[0] as f64)[0];
        let mut steepest = STEEPEST;
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (wake.grading + steepest);
            let is_longer = (ends[1] - ends[0]) * graded(1, cells[1], middle) > last;
            *if is_longer { &mut wake.grading } else { &mut steepest } = middle;
        }
        wake
    }

    /// ξ and η where a column begins, of which the first is at the upper end of the wake and the last at the lower.
    fn start(&self, column: usize) -> [f64; 2] {
        let [around, along] = self.cells;
        let of_wake = |cells: usize| spaced(self.ends, graded(cells, along, self.grading));
        match (along.checked_sub(column), column.checked_sub(along + around)) {
            (Some(behind), _) => [of_wake(behind), 0.0],
            (_, Some(behind)) => [-of_wake(behind), 0.0],
            _ => self.surface(1.0 - 2.0 * (column - along) as f64 / around as f64),
        }
    }

    /// The coordinates of a point of the surface, the upper one for positive `s` and the lower one for negative `s`, from the nose, 0, to the
    /// trailing edge, ±1.
    fn surface(&self, s: f64) -> [f64; 2] {
        let plate = (1.0 - UNIFORM) * (FRAC_PI_2 * s).sin() + UNIFORM * s;
        let [x, y] = self.airfoil.surface(plate * plate, s.signum());
        let (x, y, [cos, sin]) = (x - self.focus[0], y - self.focus[1], self.axis);
        let (along, across) = (cos * x + sin * y, cos * y - sin * x);
        // The root in the upper half plane; behind the focus that of the point's own side.
        let size = along.hypot(across);
        let (xi, eta) = ((0.5 * (size + along)).max(0.0).sqrt(), (0.5 * (size - along)).max(0.0).sqrt());
        let side = if along > 0.0 { s.signum() } else { across.signum() };
        [side * xi, side * across.signum() * eta]
    }

    /// The point of a column after this fraction of its way outward.
    pub(super) fn position(&self, fraction: f64, column: usize) -> [f64; 2] {
        let [xi, start] = self.start(column);
        let eta = spaced([start, self.outermost], fraction);
        let (along, across, [cos, sin]) = (xi * xi - eta * eta, 2.0 * xi * eta, self.axis);
        [self.focus[0] + cos * along - sin * across, self.focus[1] + sin * along + cos * across]
    }
}
