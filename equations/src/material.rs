//! What both forms of Maxwell's equations in the plane share.

/// A material that is the same everywhere, and the wave that stands in a resonator filled with it.
#[dg_runtime::helpers]
pub mod material {
    use std::f64::consts::PI;

    /// A material.
    #[parameters]
    pub struct Material {
        /// Permittivity.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub epsilon: f64,
        /// Permeability.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub mu: f64,
        /// Conductivity.
        #[default(0.0)]
        #[range(0.0..)]
        pub sigma: f64,
    }

    /// Speed of light.
    pub fn light(epsilon: f64, mu: f64) -> f64 {
        (epsilon * mu).sqrt().recip()
    }

    /// Impedance: what an electric field in a wave is by its magnetic field.
    pub fn impedance(epsilon: f64, mu: f64) -> f64 {
        (mu / epsilon).sqrt()
    }

    /// The basic wave of a unit square between perfect conductors: b with b″ + (σ/ε) b′ + (2π²/εμ) b = 0, b(0) = 0, b′(0) = 1, and b′.
    ///
    /// A good conductor lets the wave creep instead of swing.
    pub fn resonance(t: f64, material: Material) -> (f64, f64) {
        let decay = 0.5 * material.sigma / material.epsilon;
        let k2 = 2.0 * PI * PI / (material.epsilon * material.mu);
        let omega = (k2 - decay * decay).abs().sqrt();
        if k2 > decay * decay {
            let ((sin, cos), falling) = ((omega * t).sin_cos(), (-decay * t).exp());
            (falling * sin / omega, falling * (cos - decay * sin / omega))
        } else {
            // Written without products of what falls and what grows, which would not be finite for long.
            let fast = decay + omega;
            let slow = k2 / fast;
            let (creeping, gone) = ((-slow * t).exp(), (-fast * t).exp());
            (0.5 * (creeping - gone) / omega, 0.5 * (fast * gone - slow * creeping) / omega)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn waves_swing_and_creep_as_their_equation_says() {
            for sigma in [0.0, 1.0, 30.0, 4000.0] {
                let material = Material { epsilon: 2.0, mu: 0.5, sigma };
                let (b, slope) = resonance(0.0, material);
                assert!(b == 0.0 && (slope - 1.0).abs() < 1e-14);
                for t in [0.1, 0.5, 2.0] {
                    let [(before, _), (b, slope), (after, _)] = [t - 1e-4, t, t + 1e-4].map(|t| resonance(t, material));
                    let (first, second) = ((after - before) / 2e-4, (after - 2.0 * b + before) / 1e-8);
                    let rest = second + 0.5 * sigma * first + 2.0 * PI * PI * b;
                    assert!((first - slope).abs() < 1e-5 && rest.abs() < 1e-4, "{sigma} {t}: {first} {slope} {rest}");
                }
            }
        }
    }
}
