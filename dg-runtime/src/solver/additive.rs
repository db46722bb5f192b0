//! Additive Runge–Kutta methods: stages whose flux is explicit and whose source is implicit.

/// The implicit half of a stage: with the residuals K_j = Δt R(U_j) of the flux and the changes L_j = γ Δt S(U_j) by the source,
///
/// U = uⁿ + Σ_j (a_j K_j + b_j L_j) + L,  L = γ Δt S(U, t + c Δt).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitStage {
    /// Weights of the residuals of this and earlier explicit halves.
    pub a: [f64; 4],
    /// Weights of the changes by earlier implicit halves.
    pub b: [f64; 3],
    /// The part of the step that this half takes implicitly.
    pub gamma: f64,
    /// Time of the stage, in steps after the start of the step.
    pub c: f64,
}

/// ARS(4,4,3): order 3, L-stable in the source, and the last stage is the result, so that a stiff source is in equilibrium at the end of
/// every step (U. M. Ascher, S. J. Ruuth & R. J. Spiteri, Appl. Numer. Math. 25 (1997) 151–167, section 2.8).
pub(super) const ARS_443: [ImplicitStage; 4] = [
    ImplicitStage { a: [0.5, 0.0, 0.0, 0.0], b: [0.0; 3], gamma: 0.5, c: 0.5 },
    ImplicitStage { a: [11.0 / 18.0, 1.0 / 18.0, 0.0, 0.0], b: [1.0 / 3.0, 0.0, 0.0], gamma: 0.5, c: 2.0 / 3.0 },
    ImplicitStage { a: [5.0 / 6.0, -5.0 / 6.0, 0.5, 0.0], b: [-1.0, 1.0, 0.0], gamma: 0.5, c: 0.5 },
    ImplicitStage { a: [0.25, 1.75, 0.75, -1.75], b: [3.0, -3.0, 1.0], gamma: 0.5, c: 1.0 },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// One step of u' = f(u, t) + s(u, t), as in the kernels, with s linear in u: s = slope u + rest(t).
    fn step(u_start: f64, t: f64, dt: f64, f: impl Fn(f64, f64) -> f64, slope: f64, rest: impl Fn(f64) -> f64) -> f64 {
        let (mut u, mut c, mut residuals, mut changes) = (u_start, 0.0, [0.0; 4], [0.0; 3]);
        for (i, stage) in ARS_443.iter().enumerate() {
            residuals[i] = dt * f(u, t + c * dt);
            let sum = |weights: &[f64], values: &[f64]| weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>();
            let known = u_start + sum(&stage.a, &residuals) + sum(&stage.b, &changes);
            c = stage.c;
            let part = stage.gamma * dt;
            u = (known + part * rest(t + c * dt)) / (1.0 - part * slope);
            if let Some(change) = changes.get_mut(i) {
                *change = u - known;
            }
        }
        u
    }

    /// The rate at which errors of u = sin(t) + 2 fall, where u' = cos(t) is split in a nonlinear explicit and a linear implicit part.
    #[test]
    fn it_has_its_order_where_both_parts_matter() {
        let error = |steps: usize, explicit: f64, slope: f64| {
            let dt = 1.0 / steps as f64;
            let exact = |t: f64| t.sin() + 2.0;
            let end = (0..steps).fold(exact(0.0), |u, i| {
                let f = |u: f64, t: f64| explicit * (u * u - exact(t) * exact(t)) + 0.25 * t.cos();
                step(u, i as f64 * dt, dt, f, slope, |t| 0.75 * t.cos() - slope * exact(t))
            });
            (end - exact(1.0)).abs()
        };
        for (explicit, slope) in [(0.5, -2.0), (0.0, -2.0), (0.5, 0.0), (-0.3, 1.0)] {
            let rate = (error(40, explicit, slope) / error(80, explicit, slope)).log2();
            assert!((rate - 3.0).abs() < 0.15, "{explicit}, {slope}: {rate}");
        }
    }

    #[test]
    fn a_stiff_source_is_in_equilibrium_after_each_step() {
        let u = step(1.0, 0.0, 0.1, |_, _| 1.0, -1e9, |t| 1e9 * t.cos());
        assert!((u - 0.1_f64.cos()).abs() < 1e-7, "{u}");
    }
}
