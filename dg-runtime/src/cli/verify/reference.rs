//! References for the law's functions.

use crate::law::{Arguments, Function, Law, Role, Sample};

/// The source of values computed by the compiler.
pub(super) const EXACT: &str = "exact arithmetic";

/// Correct values of a function.
pub(super) struct Reference {
    pub function: &'static Function,
    /// Their origin.
    pub source: &'static str,
    /// Their points.
    pub points: Vec<&'static Sample>,
    /// `[point][result]`.
    pub values: Vec<Vec<f64>>,
}

/// The references of all functions with one.
///
/// The compiler computed the user's functions in exact arithmetic. The numerical fluxes that it derived itself are compared with
/// their formulas, evaluated with the user's Rust at the samples of the eigenvalues.
pub(super) fn references(law: &'static Law) -> Vec<Reference> {
    let of_function = |function: &'static Function| {
        let exact: Vec<_> = law.samples.iter().filter(|sample| sample.function == function.name).collect();
        if !exact.is_empty() {
            let values = exact.iter().map(|sample| sample.value.to_vec()).collect();
            return Some(Reference { function, source: EXACT, points: exact, values });
        }
        let physics = Physics::of(law)?;
        let (samples, flux) = derived_flux(&physics, function)?;
        let points: Vec<_> = law.samples.iter().filter(|sample| sample.function == samples).collect();
        let values = points.iter().map(|point| flux(&physics, point)).collect();
        (!points.is_empty()).then_some(Reference { function, source: "formula in Rust", points, values })
    };
    law.functions.iter().filter_map(of_function).collect()
}

/// A sample's arguments.
pub(super) fn arguments_of(sample: &Sample) -> Arguments<'_> {
    Arguments {
        parameters: sample.parameters,
        state: sample.state,
        right: sample.right,
        normal: sample.normal,
        position: sample.position,
        time: sample.time,
    }
}

/// The function's value by the law's own Rust, if it exists.
pub(super) fn on_host(function: &Function, arguments: &Arguments<'_>) -> Option<Vec<f64>> {
    let mut value = vec![f64::NAN; function.results];
    function.host?(arguments, &mut value);
    Some(value)
}

/// A derived numerical flux, evaluated from its formula at a sample.
type Formula = fn(&Physics, &Sample) -> Vec<f64>;

/// The formula of a derived numerical flux, and the function whose samples it takes.
fn derived_flux(physics: &Physics, function: &Function) -> Option<(&'static str, Formula)> {
    let waves = physics.waves.name;
    match (function.role, function.name) {
        (Role::NumericalFlux, "rusanov") => Some((waves, |physics, at| physics.rusanov(&arguments_of(at)))),
        (Role::NumericalFlux, "hll") => Some((waves, |physics, at| physics.hll(&arguments_of(at)))),
        (Role::NumericalFlux, "exact_upwind") => Some(("far_field", Physics::exact_upwind)),
        _ => None,
    }
}

/// A law's flux and speeds of waves in the user's Rust.
struct Physics {
    flux: &'static Function,
    /// The eigenvalues, or a declared bound on them.
    waves: &'static Function,
    nonconservative: Option<&'static Function>,
    /// The product at a jump, where it is not its mean along the straight way.
    jump: Option<&'static Function>,
}

impl Physics {
    fn of(law: &'static Law) -> Option<Self> {
        let role = |role| law.with_role(role).find(|function| function.host.is_some());
        Some(Self {
            flux: role(Role::Flux)?,
            waves: law.speeds().filter(|function| function.host.is_some())?,
            nonconservative: role(Role::Nonconservative),
            jump: role(Role::Jump),
        })
    }

    /// `(F(l) + F(r))·n / 2 - s (r - l) / 2`, with s the largest |λ| of both sides (V. V. Rusanov, USSR Comput. Math.
    /// Math. Phys. 1, 1962).
    fn rusanov(&self, at: &Arguments<'_>) -> Vec<f64> {
        let [left, right] = sides(at);
        let (fl, fr) = (self.normal_flux(&left), self.normal_flux(&right));
        let speeds = [self.speeds(&left), self.speeds(&right)].concat();
        let s = speeds.iter().fold(0.0_f64, |s, speed| s.max(speed.abs()));
        (0..fl.len()).map(|c| 0.5 * (fl[c] + fr[c]) - 0.5 * s * (at.right[c] - at.state[c])).collect()
    }

    /// `(s⁺ F(l)·n - s⁻ F(r)·n + s⁻ s⁺ (r - l)) / (s⁺ - s⁻)`, with s⁻ ≤ 0 ≤ s⁺ the extreme eigenvalues of both sides, and
    /// the mean of the fluxes where both are zero (A. Harten, P. D. Lax, B. van Leer, SIAM Review 25, 1983); with a non-conservative product P at
    /// the jump, of which both sides have half, less `(s⁺ + s⁻) / (s⁺ - s⁻) P / 2`.
    fn hll(&self, at: &Arguments<'_>) -> Vec<f64> {
        let [left, right] = sides(at);
        let (fl, fr) = (self.normal_flux(&left), self.normal_flux(&right));
        let speeds = [self.speeds(&left), self.speeds(&right)].concat();
        let slowest = speeds.iter().fold(0.0_f64, |s, speed| s.min(*speed));
        let fastest = speeds.iter().fold(0.0_f64, |s, speed| s.max(*speed));
        let product = self.path_product(at);
        let of_component = |c: usize| match fastest - slowest {
            0.0 => 0.5 * (fl[c] + fr[c]),
            width => {
                let jump = at.right[c] - at.state[c];
                let shift = product.get(c).map_or(0.0, |product| 0.5 * (fastest + slowest) * product);
                (fastest * fl[c] - slowest * fr[c] + slowest * fastest * jump - shift) / width
            }
        };
        (0..fl.len()).map(of_component).collect()
    }

    /// `F(g)·n` in one medium, with the ghost state g = l + P (r - l) of a far field, which was computed in exact arithmetic: P (r - l) are the
    /// incoming waves. With a non-conservative product what it is for these waves is added, and half of what it is at the jump subtracted.
    fn exact_upwind(&self, at: &Sample) -> Vec<f64> {
        let medium = &at.state[at.value.len()..];
        let arguments = arguments_of(at);
        let mut flux = self.normal_flux(&Arguments { state: &[at.value, medium].concat(), right: &[], ..arguments });
        if let Some(product) = self.nonconservative {
            // The change of the medium is zero.
            let mut change = vec![0.0; at.state.len()];
            change.iter_mut().zip(at.value.iter().zip(at.state)).for_each(|(change, (g, l))| *change = g - l);
            let of_waves = on_host(product, &Arguments { right: &change, ..arguments }).unwrap_or_default();
            let at_jump = self.path_product(&arguments);
            let parts = of_waves.iter().zip(&at_jump);
            flux.iter_mut().zip(parts).for_each(|(flux, (waves, jump))| *flux += waves - 0.5 * jump);
        }
        flux
    }

    /// The non-conservative product at a jump: the law's own, or its mean on the way between both states, by Gauss's quadrature with three
    /// points, as the scheme has it; empty where the law has none.
    fn path_product(&self, at: &Arguments<'_>) -> Vec<f64> {
        if let Some(jump) = self.jump {
            return on_host(jump, at).unwrap_or_default();
        }
        let Some(function) = self.nonconservative else { return Vec::new() };
        let change: Vec<f64> = at.right.iter().zip(at.state).map(|(r, l)| r - l).collect();
        let mut mean = vec![0.0; function.results];
        let aside = 0.15_f64.sqrt();
        for (place, weight) in [(0.5 - aside, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + aside, 5.0 / 18.0)] {
            let state: Vec<f64> = at.state.iter().zip(&change).map(|(l, change)| l + place * change).collect();
            let value = on_host(function, &Arguments { state: &state, right: &change, ..*at }).unwrap_or_default();
            mean.iter_mut().zip(value).for_each(|(mean, value)| *mean += weight * value);
        }
        mean
    }

    /// `F(u)·n`.
    fn normal_flux(&self, at: &Arguments<'_>) -> Vec<f64> {
        let flux = on_host(self.flux, at).unwrap_or_default();
        let (components, directions) = (flux.len() / at.normal.len(), at.normal.iter().enumerate());
        (0..components).map(|c| directions.clone().map(|(d, n)| flux[d * components + c] * n).sum()).collect()
    }

    /// The eigenvalues in the direction of the normal, or numbers between which they are.
    fn speeds(&self, at: &Arguments<'_>) -> Vec<f64> {
        let values = on_host(self.waves, at).unwrap_or_default();
        match (self.waves.role, values.as_slice()) {
            (Role::WaveSpeed, [bound]) => vec![-bound, *bound],
            _ => values,
        }
    }
}

/// The arguments with only the left, and with only the right state.
fn sides<'a>(at: &Arguments<'a>) -> [Arguments<'a>; 2] {
    [Arguments { right: &[], ..*at }, Arguments { state: at.right, right: &[], ..*at }]
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn function(name: &'static str, role: Role, results: usize) -> Function {
        Function { name, doc: "", role, results, host: None }
    }

    /// Transport with speed 2 along the first axis.
    static FLUX: Function = Function {
        host: Some(|at, value| value.copy_from_slice(&[2.0 * at.state[0], 0.0])),
        ..function("flux", Role::Flux, 2)
    };
    static SPEED: Function = Function {
        host: Some(|at, value| value[0] = 2.0 * at.normal[0]),
        ..function("eigenvalues", Role::Eigenvalues, 1)
    };

    #[test]
    fn both_fluxes_of_a_transport_take_the_side_that_the_wind_comes_from() {
        let physics = Physics { flux: &FLUX, waves: &SPEED, nonconservative: None, jump: None };
        for flux in [Physics::rusanov, Physics::hll] {
            let at =
                |normal| Arguments { parameters: &[], state: &[3.0], right: &[5.0], normal, position: &[], time: 0.0 };
            assert_eq!(flux(&physics, &at(&[1.0, 0.0])), [6.0]);
            assert_eq!(flux(&physics, &at(&[-1.0, 0.0])), [-10.0]);
            assert_eq!(flux(&physics, &at(&[0.0, 1.0])), [0.0]);
        }
    }
}
