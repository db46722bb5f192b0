//! Airfoils of the NACA four-digit series: E. N. Jacobs, K. E. Ward, R. M. Pinkerton, NACA Report 460 (1933).

/// An airfoil with its leading edge in the origin and its trailing edge at (1, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Naca {
    /// The largest height of the mean line.
    pub camber: f64,
    /// Where that is.
    pub place: f64,
    /// The largest thickness.
    pub thickness: f64,
}

impl Naca {
    /// The airfoil that four digits describe, such as `2412`: per cent of camber, tenths of its place, per cent of thickness. `None` for
    /// other text, without thickness, and where camber has no place.
    pub fn new(digits: &str) -> Option<Self> {
        let digit = |i: usize| digits.chars().nth(i).and_then(|digit| digit.to_digit(10)).map(f64::from);
        let [camber, place, tens, ones] = [digit(0)?, digit(1)?, digit(2)?, digit(3)?];
        let thickness = (10.0 * tens + ones) / 100.0;
        let sensible = digits.len() == 4 && thickness > 0.0 && (camber == 0.0 || place > 0.0);
        sensible.then_some(Self { camber: camber / 100.0, place: place / 10.0, thickness })
    }

    /// Half of the thickness at `x` (Report 460, p. 4). There the last coefficient is 0.1015, which leaves the trailing edge open by a
    /// quarter of a per cent; 0.1036 closes it.
    fn half_thickness(self, x: f64) -> f64 {
        5.0 * self.thickness * (0.2969 * x.sqrt() + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * 0.1036))))
    }

    /// The radius of curvature of the nose (Report 460, p. 4).
    pub(super) fn nose_radius(self) -> f64 {
        0.5 * (5.0 * self.thickness * 0.2969).powi(2)
    }

    /// The height and the slope of the mean line, two parabolas that meet at its top; straight beyond both edges.
    pub(super) fn mean_line(self, x: f64) -> [f64; 2] {
        if self.camber == 0.0 {
            return [0.0; 2];
        }
        let inside = x.clamp(0.0, 1.0);
        let (m, p) = (self.camber, self.place);
        let scale = if inside < p { m / (p * p) } else { m / ((1.0 - p) * (1.0 - p)) };
        let slope = 2.0 * scale * (p - inside);
        [m - scale * (p - inside).powi(2) + slope * (x - inside), slope]
    }

    /// The point of the surface, the upper one if `side` is 1 and the lower one if it is -1, that belongs to `x` on the mean line: half of the
    /// thickness away from it, at right angles.
    pub(super) fn surface(self, x: f64, side: f64) -> [f64; 2] {
        let ([height, slope], half) = (self.mean_line(x), side * self.half_thickness(x));
        let length = slope.hypot(1.0);
        [x - half * slope / length, height + half / length]
    }
}
