//! Sizes of components that do not follow from their own values: momentum of a gas at rest.

use crate::law::{Arguments, Function, Law, Role};

/// The size of each component in terms of its flux at a state with its medium: the largest |F_d| / max |λ_d|.
pub(crate) fn moved(law: &Law, parameters: &[f64], state: &[f64]) -> Vec<f64> {
    let components = law.state.len();
    let mut moved = vec![0.0; components];
    let host = |function: Option<&Function>| function.and_then(|function| Some((function.host?, function.results)));
    let (Some((flux, _)), Some((waves, count))) = (host(law.with_role(Role::Flux).next()), host(law.speeds())) else {
        return moved;
    };
    let mut fluxes = vec![0.0; law.dim * components];
    flux(&at(parameters, state, &[]), &mut fluxes);
    for (d, flux) in fluxes.chunks_exact(components).enumerate() {
        let mut normal = vec![0.0; law.dim];
        normal[d] = 1.0;
        let mut speeds = vec![0.0; count];
        waves(&at(parameters, state, &normal), &mut speeds);
        let fastest = speeds.into_iter().fold(0.0, |fastest: f64, speed| fastest.max(speed.abs()));
        for (moved, flux) in moved.iter_mut().zip(flux) {
            extend(moved, flux.abs() / fastest);
        }
    }
    moved
}

/// Raises a size to a number, unless that is not finite.
pub(crate) fn extend(size: &mut f64, number: f64) {
    if number.is_finite() {
        *size = size.max(number);
    }
}

/// The arguments for functions of a state.
pub(crate) fn at<'a>(parameters: &'a [f64], state: &'a [f64], normal: &'a [f64]) -> Arguments<'a> {
    Arguments { parameters, state, right: &[], normal, position: &[0.0; 3], time: 0.0 }
}
