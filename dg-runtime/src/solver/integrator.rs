//! Methods in time as lists of stages over at most three registers: Runge–Kutta methods, ADER with its predictor, and the explicit halves of
//! additive methods.

use std::fmt;
use std::str::FromStr;

use super::additive::{ARK_436, ARS_443, Additive};
use super::legendre::LegendreStages;
use super::stage::Stage;
use crate::law::{Law, Role, Shape};

const EULER: Stage = Stage::EULER;

/// How the last stage of a step estimates the step's error by an embedded method of one order less, and how errors control the
/// length of steps.
///
/// With u, k and g as the last [`Stage`] has them before the solution becomes uⁿ⁺¹,
///
/// error = `u` (u − uⁿ) + `k` k + `g` g,
///
/// It is O(Δt³) (O(Δt²) with Heun's method), and Δt³ u‴ / 24 where R is linear. The third stage of SSP-RK(4,3) and half of
/// the last k are the embedded method of I. Fekete, S. Conde & J. N. Shadid, J. Comput. Appl. Math. 412 (2022) 114325; the estimates of
/// the other methods have the same leading term, so that tolerances mean about the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Weight of the sum of the earlier stages' changes.
    pub u: f64,
    /// Weight of the last stage's residual.
    pub k: f64,
    /// Weight of the register.
    pub g: f64,
    /// Exponents of the last three steps' errors, relative to the tolerated error, in the factor for the step's length.
    pub control: [f64; 3],
}

/// A method in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// Heun's method of order 2, the same as SSP-RK2.
    Heun,
    /// The strong-stability-preserving method of order 3 with three stages (Shu & Osher 1988).
    SspRk3,
    /// The strong-stability-preserving method of order 3 with four stages and the longest stable step possible for them
    /// (R. J. Spiteri & S. J. Ruuth, SIAM J. Numer. Anal. 40 (2002) 469–491).
    SspRk43,
    /// The classical method of order 4.
    Rk4,
    /// RK4(3)5\[2N\], order 4 with five stages and two registers (Carpenter & Kennedy 1994, solution 3).
    CarpenterKennedy,
    /// Order 4 with fourteen stages and two registers, made for the spectra of discontinuous Galerkin methods with upwind fluxes
    /// (J. Niegemann, R. Diehl & K. Busch, J. Comput. Phys. 231 (2012) 364–372, table 3).
    NiegemannDiehlBusch,
    /// ADER of order p + 1, for laws with a linear flux: a predictor finds the mean of the solution over the step in each element, by
    /// its Taylor series in time, and one stage with the residual of this mean is the step (M. Dumbser & M. Käser, Geophys. J. Int. 167 (2006)
    /// 319–336; C. E. Castro, J. Behrens & C. Pelties, Geosci. Model Dev. Discuss. 6 (2013) 3743–3786).
    Ader,
    /// ARS(4,4,3), order 3: the flux explicit, the source implicit, for stiff sources (Ascher, Ruuth & Spiteri 1997).
    Ars443,
    /// ARK4(3)6L\[2\]SA, order 4: the flux explicit, the source implicit (Kennedy & Carpenter 2003).
    Ark436,
    /// RKL2, order 2, for steps that diffusion bounds: its interval on the negative axis grows with the square of the stages
    /// (Meyer, Balsara & Aslam 2014).
    Rkl2(LegendreStages),
}

impl Integrator {
    /// All methods.
    pub const ALL: [Self; 10] = [
        Self::Heun,
        Self::SspRk3,
        Self::SspRk43,
        Self::Rk4,
        Self::CarpenterKennedy,
        Self::NiegemannDiehlBusch,
        Self::Ader,
        Self::Ars443,
        Self::Ark436,
        Self::Rkl2(LegendreStages::DEFAULT),
    ];

    /// The default: for limited solutions the method with the longest steps per stage that preserve the limiter's bounds, for others one of
    /// order 4, which is as exact as the scheme up to its limit of stability.
    pub fn recommended(limited: bool) -> Self {
        if limited { Self::SspRk43 } else { Self::CarpenterKennedy }
    }

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heun => "heun",
            Self::SspRk3 => "ssp_rk3",
            Self::SspRk43 => "ssp_rk43",
            Self::Rk4 => "rk4",
            Self::CarpenterKennedy => "carpenter_kennedy",
            Self::NiegemannDiehlBusch => "niegemann_diehl_busch",
            Self::Ader => "ader",
            Self::Ars443 => "ars_443",
            Self::Ark436 => "ark_436",
            Self::Rkl2(_) => "rkl2",
        }
    }

    /// Order of accuracy in time with polynomials of degree `degree`.
    pub fn order(self, degree: usize) -> usize {
        match self {
            Self::Heun | Self::Rkl2(_) => 2,
            Self::SspRk3 | Self::SspRk43 | Self::Ars443 => 3,
            Self::Rk4 | Self::CarpenterKennedy | Self::NiegemannDiehlBusch | Self::Ark436 => 4,
            Self::Ader => degree + 1,
        }
    }

    /// Whether a predictor comes before the stages, which take the mean over the step from it.
    pub fn has_predictor(self) -> bool {
        self == Self::Ader
    }

    /// The implicit halves of its stages, one after each of [`stages`](Self::stages), which then compute residuals; `None` if the method is
    /// explicit.
    pub fn additive(self) -> Option<&'static Additive> {
        match self {
            Self::Ars443 => Some(&ARS_443),
            Self::Ark436 => Some(&ARK_436),
            _ => None,
        }
    }

    /// Whether the source is implicit.
    pub fn has_implicit_source(self) -> bool {
        self.additive().is_some()
    }

    /// That the method can solve a law, in steps of this kind.
    ///
    /// # Errors
    /// A message with the reason and the remedy.
    pub fn require(self, law: &Law, has_tolerance: bool) -> Result<(), String> {
        let other = "take `carpenter_kennedy` or another method";
        self.require_of_law(law, other)?;
        if has_tolerance && self.estimate().is_none() {
            return Err(format!("`{self}` does not estimate the error of a step; leave out `tolerance`, or {other}"));
        }
        Ok(())
    }

    fn require_of_law(self, law: &Law, other: &str) -> Result<(), String> {
        if self.has_implicit_source() && !law.has_source_jacobian() {
            return Err(format!(
                "`{self}` takes a source implicitly, and `{}` has none that depends on the state; {other}",
                law.name
            ));
        }
        if !self.has_predictor() {
            return Ok(());
        }
        if let Some(viscous) = law.with_role(Role::ViscousFlux).next() {
            return Err(format!(
                "`ader` is for laws of waves alone, and `{}` has the viscous flux `{}`; {other}",
                law.name, viscous.name
            ));
        }
        if !law.algebra.linear {
            let term = law.nonlinear_term().map_or(String::new(), |term| format!(": {term}"));
            return Err(format!("`ader` is for linear laws, and `{}` is not{term}; {other}", law.name));
        }
        if let Some(source) = law.with_role(Role::Source).next() {
            let changes = law.changing_source_entry();
            let is_unknown = law.has_source_jacobian() && law.algebra.source_jacobian.is_empty();
            if !law.algebra.source_linear || changes.is_some() || is_unknown {
                let entry = changes.map_or(String::new(), |entry| format!(": {entry}"));
                return Err(format!(
                    "`ader` is for sources that are linear in the state, by a matrix that does not change with time, and `{}` of `{}` is \
                     not{entry}; {other}",
                    source.name, law.name
                ));
            }
        }
        Ok(())
    }

    /// That the residual of a steady state can be subtracted from those of the stages.
    ///
    /// # Errors
    /// A message with the reason and the remedy.
    pub fn require_whole_residuals(self) -> Result<(), String> {
        if !self.has_predictor() && !self.has_implicit_source() {
            return Ok(());
        }
        Err(format!(
            "`well_balanced` needs stages with the residual of flux and source, which `{self}` does not have; take `carpenter_kennedy`"
        ))
    }

    /// The SSP coefficient: a step may be this many times as long as the Euler step that preserves a bound, and preserves it too
    /// (S. Gottlieb, C.-W. Shu & E. Tadmor, SIAM Review 43 (2001) 89–112); `None` where no step does.
    pub fn ssp_coefficient(self) -> Option<f64> {
        match self {
            Self::Heun | Self::SspRk3 => Some(1.0),
            Self::SspRk43 => Some(2.0),
            Self::Rk4
            | Self::CarpenterKennedy
            | Self::NiegemannDiehlBusch
            | Self::Ader
            | Self::Ars443
            | Self::Ark436
            | Self::Rkl2(_) => None,
        }
    }

    /// That a limiter's bounds survive a step, for which the SSP coefficient must exist.
    ///
    /// # Errors
    /// A message with the methods that have one.
    pub fn require_strong_stability(self) -> Result<(), String> {
        let message = || {
            format!(
                "a limiter needs an integrator that preserves strong stability, which `{self}` does not; take `heun`, `ssp_rk3` or \
                 `ssp_rk43`"
            )
        };
        self.ssp_coefficient().map(drop).ok_or_else(message)
    }

    /// A Courant number at which waves of every direction are stable on every mesh of triangles, however stretched.
    ///
    /// 0.9 times the limit of von Neumann's analysis: the spectrum of the scheme for waves on lattices of triangles of any
    /// shape, with aspect ratios from 1 to 1000, times the step lies inside the region of stability of the method. Waves travel in any
    /// direction with the upwind flux, or at any speed up to λ with the dissipation ½ λ (u⁺ − u⁻) of Rusanov's. In the measure of
    /// [`Setup::cfl`](super::Setup::cfl) the limits of all shapes differ by at most a tenth, and the least of them counts;
    /// on irregular meshes they are higher, by up to a half. They fall with the order as in one dimension, where
    /// they are from 1.26 to 0.60 for SSP-RK3 (B. Cockburn & C.-W. Shu, J. Sci. Comput. 16 (2001) 173–261, table 2.2, times
    /// 2p + 1).
    ///
    /// With Heun's method and RKL2 and p ≥ 2 no number is stable: the values given let no wave grow by more than 1e-6 in a step. Those of RKL2 are
    /// for three stages; with more, waves would allow up to a quarter more (p ≥ 2), or three quarters (p ≤ 1).
    pub fn default_cfl(self, shape: Shape, order: usize) -> f64 {
        let of_order = match shape {
            Shape::Triangle => self.cfl_on_triangles(),
            Shape::Quadrilateral => self.cfl_on_quadrilaterals(),
        };
        of_order[order.min(of_order.len() - 1)]
    }

    fn cfl_on_triangles(self) -> [f64; 8] {
        match self {
            Self::Heun => [0.45, 0.67, 0.35, 0.22, 0.16, 0.14, 0.12, 0.11],
            Self::SspRk3 => [0.56, 0.84, 0.77, 0.71, 0.62, 0.56, 0.50, 0.45],
            Self::SspRk43 => [0.95, 1.26, 1.24, 1.16, 1.07, 0.99, 0.91, 0.86],
            Self::Rk4 => [0.62, 0.94, 0.86, 0.78, 0.68, 0.62, 0.55, 0.50],
            Self::CarpenterKennedy => [1.04, 1.45, 1.42, 1.31, 1.15, 1.04, 0.92, 0.84],
            Self::NiegemannDiehlBusch => [4.16, 5.16, 4.75, 4.40, 4.13, 3.92, 3.69, 3.37],
            Self::Ader => [0.45, 0.67, 0.62, 0.56, 0.49, 0.45, 0.39, 0.36],
            Self::Rkl2(_) => [0.81, 1.12, 0.43, 0.27, 0.19, 0.16, 0.14, 0.13],
            Self::Ars443 => [0.48, 0.72, 0.66, 0.60, 0.52, 0.47, 0.42, 0.38],
            Self::Ark436 => [0.94, 1.42, 1.30, 1.18, 1.03, 0.94, 0.83, 0.76],
        }
    }

    /// The same on parallelograms, however stretched or slanted, for which the scheme is that on squares: products of one-dimensional ones, whose
    /// spectra are sums. Limits of von Neumann's analysis are those of one dimension or little less. With ADER and p ≥ 4, in one dimension
    /// already, no number is stable: see [`growth`](Self::growth); that of p = 5 is 0.9 times the one up to which
    /// irregular quadrilaterals are stable, 0.45.
    fn cfl_on_quadrilaterals(self) -> [f64; 8] {
        match self {
            Self::Heun => [0.90, 0.90, 0.43, 0.25, 0.18, 0.15, 0.13, 0.11],
            Self::SspRk3 => [1.13, 1.10, 0.94, 0.79, 0.67, 0.59, 0.52, 0.46],
            Self::SspRk43 => [1.80, 1.59, 1.37, 1.20, 1.08, 0.97, 0.89, 0.82],
            Self::Rk4 => [1.25, 1.25, 1.04, 0.87, 0.75, 0.65, 0.58, 0.52],
            Self::CarpenterKennedy => [2.00, 1.83, 1.58, 1.38, 1.23, 1.09, 0.97, 0.87],
            Self::NiegemannDiehlBusch => [6.27, 6.27, 5.19, 4.67, 4.31, 4.03, 3.79, 3.47],
            Self::Ader => [0.89, 0.68, 0.74, 0.62, 0.53, 0.40, 0.37, 0.31],
            Self::Rkl2(_) => [1.62, 1.48, 0.53, 0.31, 0.22, 0.18, 0.16, 0.14],
            Self::Ars443 => [0.96, 0.93, 0.79, 0.67, 0.57, 0.50, 0.44, 0.40],
            Self::Ark436 => [1.89, 1.88, 1.57, 1.31, 1.13, 0.98, 0.87, 0.78],
        }
    }

    /// By how much of itself a wave grows at most in a step at the default Courant number, where no number keeps all waves from growing; 0
    /// elsewhere, and where diffusion is there to damp them. For ADER on quadrilaterals by von Neumann's analysis in one dimension, on triangles
    /// the most in runs of ten to four hundred thousand steps on squares of 8 to 32 of them; for Heun's method what its numbers were chosen by.
    pub fn growth(self, shape: Shape, order: usize) -> f64 {
        match (self, shape, order) {
            (Self::Ader, Shape::Triangle, 4) => 6e-6,
            (Self::Ader, Shape::Triangle, 5) => 1e-5,
            (Self::Ader, Shape::Triangle, 6..) => 2e-5,
            (Self::Ader, Shape::Quadrilateral, 4) => 4e-6,
            (Self::Ader, Shape::Quadrilateral, 5) => 3e-5,
            (Self::Ader, Shape::Quadrilateral, 6..) => 7e-5,
            (Self::Heun, _, 2..) => 1e-6,
            _ => 0.0,
        }
    }

    /// The radius r of the half disc |z| ≤ r, Re z ≤ 0 in which the method is stable, for u' = z u / Δt: how long a step may be for a
    /// source whose Jacobian has eigenvalues of size 1, where nothing moves. It is infinite where the source bounds no step.
    ///
    /// No disc is stable for Heun's method, nor for ADER of some orders, since oscillations grow; in a step of this length, those that
    /// decay by a tenth of a turn do not.
    pub fn source_interval(self) -> f64 {
        match self {
            Self::Heun | Self::Ader | Self::Rkl2(_) => 1.0,
            Self::SspRk3 => 1.7,
            Self::SspRk43 => 2.1,
            Self::Rk4 => 2.6,
            Self::CarpenterKennedy => 3.1,
            Self::NiegemannDiehlBusch => 6.0,
            Self::Ars443 | Self::Ark436 => f64::INFINITY,
        }
    }

    /// The length r of the interval -r ≤ z ≤ 0 in which the method is stable, for u' = z u / Δt: how long a step may be for a diffusion whose
    /// largest rate is 1.
    pub fn diffusion_interval(self) -> f64 {
        match self {
            Self::Heun => 2.0,
            Self::SspRk3 => 2.51,
            Self::SspRk43 => 5.14,
            Self::Rk4 => 2.78,
            Self::CarpenterKennedy => 4.65,
            Self::NiegemannDiehlBusch => 18.5,
            Self::Ars443 => 2.14,
            Self::Ark436 => 4.23,
            Self::Rkl2(stages) => stages.diffusion_interval(),
            // It is for linear fluxes alone.
            Self::Ader => 1.0,
        }
    }

    /// The Courant number beyond which some wave on some mesh grows.
    pub fn stable_cfl(self, shape: Shape, order: usize) -> f64 {
        self.default_cfl(shape, order) / 0.9
    }

    /// The part β of an element K that may pass one of its faces f in a step, λ Δt |f| ≤ β |K|. With a limiter the means then
    /// stay within the bounds that the point values of the previous stage obey, such as a maximum principle or positive
    /// pressure; `None` where no step keeps them.
    ///
    /// A mean is β times the sum of the faces' means, plus a sum of values at the points of faces and volume with
    /// positive weights. With Rusanov's flux, or a scalar law's monotone one, the mean after a step of Euler's method is then a
    /// sum, with positive weights, of states within the bounds: X. Zhang, Y. Xia & C.-W. Shu, J. Sci. Comput. 50 (2012) 29–62, but
    /// with the largest β for the scheme's own points, found by linear programming (`tests/tests/suite/limited_cfl.rs`), times
    /// the [SSP coefficient](Self::ssp_coefficient). At order 0 the element's own fluxes cancel, and the mean loses half of what passes:
    /// all of it where two thirds pass each face of a triangle, or half each of a quadrilateral.
    ///
    /// HLL and HLLC may need half of that; a step with an inadmissible stage is halved.
    pub fn face_share(self, shape: Shape, order: usize) -> Option<f64> {
        let of_order = match shape {
            Shape::Triangle => [0.666, 0.333, 0.117, 0.121, 0.0792, 0.0826, 0.0494, 0.0368],
            Shape::Quadrilateral => [0.5, 0.249, 0.0833, 0.0615, 0.0363, 0.0283, 0.02, 0.0163],
        };
        Some(self.ssp_coefficient()? * of_order[order.min(of_order.len() - 1)])
    }

    /// Its error estimate and step control, if it has one.
    pub fn estimate(self) -> Option<Estimate> {
        // H. Ranocha, L. Dalcin, M. Parsani & D. I. Ketcheson, Commun. Appl. Math. Comput. 4 (2022) 1191–1228, over the order of
        // the estimate, which is 3.
        let control = [0.55 / 3.0, -0.27 / 3.0, 0.05 / 3.0];
        let (u, k, g) = match self {
            Self::Heun => return Some(Estimate { u: -0.5, k: 0.5, g: 0.0, control: [0.35, 0.0, 0.0] }),
            Self::Ader | Self::Ars443 | Self::Ark436 | Self::Rkl2(_) => return None,
            Self::SspRk3 => (-1.0 / 3.0, 1.0 / 6.0, 0.0),
            Self::SspRk43 => (-0.5, 0.25, 0.0),
            Self::Rk4 => (0.5, 1.0 / 12.0, -1.0 / 6.0),
            Self::CarpenterKennedy => (-2.110_226_020_823_262, 3.171_270_020_869_554, -4.215_813_023_232_59),
            Self::NiegemannDiehlBusch => (0.333_501_632_820_775_3, -2.102_851_723_420_979, 78.800_253_395_129_25),
        };
        Some(Estimate { u, k, g, control })
    }

    /// The stages of a step of ADER with polynomials of degree `degree` where the medium depends on time: at the points of Gauss that integrate
    /// polynomials of degree p exactly, each from the predictor's solution at its time.
    pub(super) fn stages_of_series(degree: usize) -> &'static [Stage] {
        const STAGES: [&[Stage]; 4] = [&MIDPOINT, &GAUSS_2, &GAUSS_3, &GAUSS_4];
        STAGES[(degree / 2).min(STAGES.len() - 1)]
    }

    /// The stages of a step.
    pub fn stages(self) -> &'static [Stage] {
        match self {
            Self::Heun => &HEUN,
            Self::SspRk3 => &SSP_RK3,
            Self::SspRk43 => &SSP_RK43,
            Self::Rk4 => &RK4,
            Self::CarpenterKennedy => &CARPENTER_KENNEDY,
            Self::NiegemannDiehlBusch => &NIEGEMANN_DIEHL_BUSCH,
            Self::Ader => &MIDPOINT,
            Self::Ars443 => &RESIDUALS_OF_ARS_443,
            Self::Ark436 => &RESIDUALS_OF_ARK_436,
            Self::Rkl2(stages) => stages.stages(),
        }
    }
}

impl fmt::Display for Integrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Integrator {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|method| method.name()).collect();
            format!("no integrator `{name}`; there are {}", known.join(", "))
        })
    }
}

// u is the mean over the step, or the solution in its middle.
const MIDPOINT: [Stage; 1] = [Stage { a: 1.0, b: 0.0, c: 0.5, ..EULER }];

// The register gathers the residuals of points with these weights, of which the last one scales it.
const fn gauss(c: f64, weight: f64, before: f64, keep_g: bool) -> Stage {
    Stage { a: 1.0, b: 0.0, c, d: 0.0, e: weight, alpha: before / weight, keep_g }
}

const GAUSS_2: [Stage; 2] =
    [gauss(0.211_324_865_405_187_1, 0.5, 0.0, true), gauss(0.788_675_134_594_812_9, 0.5, 0.5, false)];

const GAUSS_3: [Stage; 3] = [
    gauss(0.112_701_665_379_258_3, 5.0 / 18.0, 0.0, true),
    gauss(0.5, 4.0 / 9.0, 5.0 / 18.0, true),
    gauss(0.887_298_334_620_741_7, 5.0 / 18.0, 4.0 / 9.0, false),
];

const OUTER: f64 = 0.173_927_422_568_726_93;
const INNER: f64 = 0.326_072_577_431_273_07;
const GAUSS_4: [Stage; 4] = [
    gauss(0.069_431_844_202_973_71, OUTER, 0.0, true),
    gauss(0.330_009_478_207_571_9, INNER, OUTER, true),
    gauss(0.669_990_521_792_428_1, INNER, INNER, true),
    gauss(0.930_568_155_797_026_3, OUTER, INNER, false),
];

const fn residual(c: f64) -> Stage {
    Stage { c, ..Stage::RESIDUAL }
}

/// The explicit halves of an additive method, each at the time of the implicit half before.
const fn residuals<const N: usize>(method: &Additive) -> [Stage; N] {
    let (mut stages, mut i) = ([residual(0.0); N], 1);
    while i < N {
        stages[i] = residual(method.halves[i - 1].c);
        i += 1;
    }
    stages
}

const RESIDUALS_OF_ARS_443: [Stage; ARS_443.halves.len()] = residuals(&ARS_443);
const RESIDUALS_OF_ARK_436: [Stage; ARK_436.halves.len()] = residuals(&ARK_436);

const HEUN: [Stage; 2] = [EULER, Stage { a: 0.5, b: 0.5, c: 1.0, d: 0.5, ..EULER }];

const SSP_RK3: [Stage; 3] = [
    EULER,
    Stage { a: 0.75, b: 0.25, c: 1.0, d: 0.25, ..EULER },
    Stage { a: 1.0 / 3.0, b: 2.0 / 3.0, c: 0.5, d: 2.0 / 3.0, ..EULER },
];

const SSP_RK43: [Stage; 4] = [
    Stage { d: 0.5, ..EULER },
    Stage { c: 0.5, d: 0.5, ..EULER },
    Stage { a: 2.0 / 3.0, b: 1.0 / 3.0, c: 1.0, d: 1.0 / 6.0, ..EULER },
    Stage { c: 0.5, d: 0.5, ..EULER },
];

// The register gathers k1/2 + k2 + k3 + k4; the last stage adds a third of it and subtracts half of k4's share.
const RK4: [Stage; 4] = [
    Stage { a: 0.0, b: 1.0, c: 0.0, d: 0.5, e: 0.0, alpha: 0.0, keep_g: true },
    Stage { a: 1.0, b: 0.0, c: 0.5, d: 0.5, e: 0.0, alpha: 0.5, keep_g: true },
    Stage { a: 1.0, b: 0.0, c: 0.5, d: 1.0, e: 0.0, alpha: 1.0, keep_g: true },
    Stage { a: 1.0, b: 0.0, c: 1.0, d: -1.0 / 6.0, e: 1.0 / 3.0, alpha: 1.0, keep_g: false },
];

const fn low_storage(alpha: f64, e: f64, c: f64) -> Stage {
    Stage { a: 0.0, b: 1.0, c, d: 0.0, e, alpha, keep_g: true }
}

const CARPENTER_KENNEDY: [Stage; 5] = [
    low_storage(0.0, 1_432_997_174_477.0 / 9_575_080_441_755.0, 0.0),
    low_storage(
        -567_301_805_773.0 / 1_357_537_059_087.0,
        5_161_836_677_717.0 / 13_612_068_292_357.0,
        1_432_997_174_477.0 / 9_575_080_441_755.0,
    ),
    low_storage(
        -2_404_267_990_393.0 / 2_016_746_695_238.0,
        1_720_146_321_549.0 / 2_090_206_949_498.0,
        2_526_269_341_429.0 / 6_820_363_962_896.0,
    ),
    low_storage(
        -3_550_918_686_646.0 / 2_091_501_179_385.0,
        3_134_564_353_537.0 / 4_481_467_310_338.0,
        2_006_345_519_317.0 / 3_224_310_063_776.0,
    ),
    low_storage(
        -1_275_806_237_668.0 / 842_570_457_699.0,
        2_277_821_191_437.0 / 14_882_151_754_819.0,
        2_802_321_613_138.0 / 2_924_317_926_251.0,
    ),
];

const NIEGEMANN_DIEHL_BUSCH: [Stage; 14] = [
    low_storage(0.0, 0.036_776_245_431_967_3, 0.0),
    low_storage(-0.718_801_210_867_241, 0.313_629_660_755_395_9, 0.036_776_245_431_967_3),
    low_storage(-0.778_533_117_342_157, 0.153_184_869_186_902_7, 0.124_968_526_272_502_5),
    low_storage(-0.005_328_279_665_404_4, 0.003_009_708_681_818_2, 0.244_617_770_227_769_8),
    low_storage(-0.855_297_993_402_928_1, 0.332_629_379_064_611, 0.247_614_953_107_042),
    low_storage(-3.956_413_824_577_456_5, 0.244_025_140_535_086_4, 0.296_931_112_038_247_2),
    low_storage(-1.578_057_538_058_738_5, 0.371_887_923_959_227_7, 0.397_814_964_580_264_2),
    low_storage(-2.083_709_455_257_405_4, 0.620_412_622_158_244_4, 0.527_085_458_944_032_8),
    low_storage(-0.748_333_418_276_161, 0.152_404_317_302_874_1, 0.698_126_999_417_569_5),
    low_storage(-0.703_286_110_656_336, 0.076_089_492_741_926_6, 0.819_089_083_535_212_8),
    low_storage(0.001_391_709_611_768_1, 0.007_760_421_404_097_8, 0.852_705_988_709_862_1),
    low_storage(-0.093_207_536_963_746, 0.002_464_728_475_538_2, 0.860_471_181_746_282_6),
    low_storage(-0.951_420_047_087_594_8, 0.078_034_834_004_938_6, 0.862_706_037_696_997_6),
    low_storage(-7.115_157_169_392_255, 5.505_977_727_026_963, 0.873_421_312_760_097_6),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn runge_kutta() -> impl Iterator<Item = Integrator> {
        let few = [3, 9, 31].map(|stages| Integrator::Rkl2(LegendreStages::new(stages).unwrap()));
        let all = Integrator::ALL.into_iter().chain(few);
        all.filter(|method| !method.has_predictor() && !method.has_implicit_source())
    }

    /// One step of u' = f(u, t), as in the kernel.
    fn step(method: Integrator, u_start: f64, t: f64, dt: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
        let (mut u, mut g) = (u_start, 0.0);
        for s in method.stages() {
            let k = dt * f(u, t + s.c * dt);
            g = s.alpha * g + k;
            u = s.a * u_start + s.b * u + s.d * k + s.e * g;
        }
        u
    }

    /// The estimated error of a step of u' = f(u, t).
    fn estimated(method: Integrator, u_start: f64, t: f64, dt: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
        let Estimate { u: of_u, k: of_k, g: of_g, .. } = method.estimate().unwrap();
        let (mut u, mut g, mut error) = (u_start, 0.0, f64::NAN);
        for s in method.stages() {
            let k = dt * f(u, t + s.c * dt);
            g = s.alpha * g + k;
            error = of_u * (u - u_start) + of_k * k + of_g * g;
            u = s.a * u_start + s.b * u + s.d * k + s.e * g;
        }
        error
    }

    #[test]
    fn every_estimate_has_its_order_on_a_nonlinear_problem_and_the_same_leading_term_on_a_linear_one() {
        for method in runge_kutta().filter(|method| method.estimate().is_some()) {
            let order = if method == Integrator::Heun { 2.0 } else { 3.0 };
            let error = |dt| estimated(method, 1.0 / 1.25, 0.5, dt, |u, t| -2.0 * t * u * u);
            let rate = (error(0.01) / error(0.005)).log2();
            assert!((rate - order).abs() < 0.1, "{method}: {rate}");
            // For u' = u all derivatives are 1.
            let expected = if method == Integrator::Heun { 0.5 } else { 1.0 / 24.0 };
            let leading = estimated(method, 1.0, 0.0, 1e-3, |u, _| u) / 1e-3_f64.powf(order);
            assert!((leading / expected - 1.0).abs() < 5e-3, "{method}: {leading}");
        }
    }

    #[test]
    fn diffusion_decays_within_the_interval_and_not_beyond() {
        for method in runge_kutta() {
            let r = method.diffusion_interval();
            let grows = |z: f64| step(method, 1.0, 0.0, z, |u, _| -u).abs() > 1.0;
            assert!(!(1..=1000).any(|i| grows(r * f64::from(i) / 1000.0)), "{method}");
            // At the end of RKL2's interval the polynomial is near 0.
            let beyond =
                if let Integrator::Rkl2(stages) = method { 3.0 / (stages.count().pow(2)) as f64 } else { 0.01 };
            assert!(grows((1.0 + beyond) * r), "{method}");
        }
    }

    #[test]
    fn stages_of_a_series_integrate_polynomials_of_its_degree() {
        for degree in 0..=7 {
            let (mut u, mut g) = (0.0, 0.0);
            for s in Integrator::stages_of_series(degree) {
                let k = s.c.powi(degree as i32);
                g = s.alpha * g + k;
                u = s.b * u + s.d * k + s.e * g;
            }
            assert!((u - 1.0 / (degree + 1) as f64).abs() < 1e-15, "{degree}: {u}");
        }
    }

    /// The kernels take the weight of the solution at the start to be what is left of one, or nothing (`update.cu`).
    #[test]
    fn weights_of_the_start_are_what_those_before_the_stage_leave_or_nothing() {
        for method in runge_kutta() {
            for (i, stage) in method.stages().iter().enumerate() {
                assert!(stage.a == 0.0 || (stage.a + stage.b - 1.0).abs() < 1e-15, "{method}, stage {i}: {stage:?}");
            }
        }
    }

    #[test]
    fn every_method_has_its_order_on_a_nonlinear_problem_with_time_in_it() {
        // u' = -2 t u^2, u(0) = 1: u = 1 / (1 + t^2).
        let error = |method, steps: usize| {
            let dt = 1.0 / steps as f64;
            let u = (0..steps).fold(1.0, |u, i| step(method, u, i as f64 * dt, dt, |u, t| -2.0 * t * u * u));
            (u - 0.5_f64).abs()
        };
        for method in runge_kutta() {
            let rate = (error(method, 40) / error(method, 80)).log2();
            assert!((rate - method.order(0) as f64).abs() < 0.15, "{method}: {rate}");
        }
    }
}
