/// Elastic waves in an isotropic solid, in velocity and stress (plane strain).
///
/// ```text
/// ∂σ/∂t = λ (∇·v) I + μ (∇v + ∇vᵀ),   ρ ∂v/∂t = ∇·σ
/// ```
///
/// * σ: stress, v: velocity, λ, μ: Lamé's parameters, ρ: density
///
/// Reference: J. Virieux, Geophysics 51 (1986) 889–901, <https://doi.org/10.1190/1.1442147>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod elastic_waves {
    #[parameters]
    pub struct Rock {
        /// Lamé's first parameter.
        #[default(2.0)]
        #[range(0.0..)]
        pub lambda: f64,
        /// Shear modulus.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub mu: f64,
        /// Density.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub density: f64,
    }

    #[state]
    pub struct State {
        /// Normal stress in x.
        pub sxx: f64,
        /// Normal stress in y.
        pub syy: f64,
        /// Shear stress.
        pub sxy: f64,
        /// Velocity in x.
        pub u: f64,
        /// Velocity in y.
        pub v: f64,
    }

    pub fn flux(q: State, rock: Rock) -> [State; 2] {
        let p = rock.lambda + 2.0 * rock.mu;
        [
            State {
                sxx: -p * q.u,
                syy: -rock.lambda * q.u,
                sxy: -rock.mu * q.v,
                u: -q.sxx / rock.density,
                v: -q.sxy / rock.density,
            },
            State {
                sxx: -rock.lambda * q.v,
                syy: -p * q.v,
                sxy: -rock.mu * q.u,
                u: -q.sxy / rock.density,
                v: -q.syy / rock.density,
            },
        ]
    }

    fn speeds(rock: Rock) -> (f64, f64) {
        (((rock.lambda + 2.0 * rock.mu) / rock.density).sqrt(), (rock.mu / rock.density).sqrt())
    }

    pub fn eigenvalues(_: State, _: Normal, rock: Rock) -> [f64; 5] {
        let (cp, cs) = speeds(rock);
        [-cp, -cs, 0.0, cs, cp]
    }

    /// Godunov's flux, from the velocity and the force on the face between the waves.
    ///
    /// Reference: M. Käser & M. Dumbser, Geophys. J. Int. 166 (2006) 855–877,
    /// <https://doi.org/10.1111/j.1365-246X.2006.03051.x>.
    #[numerical_flux]
    pub fn godunov(l: State, r: State, n: Normal, rock: Rock) -> State {
        let (cp, cs) = speeds(rock);
        let (zp, zs) = (rock.density * cp, rock.density * cs);
        let (left, right) = (face(l, n), face(r, n));
        // Normal and tangential: velocity, then force.
        let vn = 0.5 * (left.0 + right.0) + 0.5 * (right.2 - left.2) / zp;
        let vt = 0.5 * (left.1 + right.1) + 0.5 * (right.3 - left.3) / zs;
        let force = 0.5 * (left.2 + right.2) + 0.5 * zp * (right.0 - left.0);
        let shear = 0.5 * (left.3 + right.3) + 0.5 * zs * (right.1 - left.1);
        let (u, v) = (vn * n.x - vt * n.y, vn * n.y + vt * n.x);
        State {
            sxx: -rock.lambda * vn - 2.0 * rock.mu * u * n.x,
            syy: -rock.lambda * vn - 2.0 * rock.mu * v * n.y,
            sxy: -rock.mu * (u * n.y + v * n.x),
            u: -(force * n.x - shear * n.y) / rock.density,
            v: -(force * n.y + shear * n.x) / rock.density,
        }
    }

    /// Velocity and force on a face, each normal to it and tangential.
    fn face(q: State, n: Normal) -> (f64, f64, f64, f64) {
        let (fx, fy) = (q.sxx * n.x + q.sxy * n.y, q.sxy * n.x + q.syy * n.y);
        (q.u * n.x + q.v * n.y, q.v * n.x - q.u * n.y, fx * n.x + fy * n.y, fy * n.x - fx * n.y)
    }

    /// No force acts on the surface.
    #[boundary(impermeable = [u, v])]
    pub fn free_surface(q: State, n: Normal) -> State {
        let (fx, fy) = (q.sxx * n.x + q.sxy * n.y, q.sxy * n.x + q.syy * n.y);
        let normal = fx * n.x + fy * n.y;
        State {
            sxx: q.sxx - 4.0 * fx * n.x + 2.0 * normal * n.x * n.x,
            syy: q.syy - 4.0 * fy * n.y + 2.0 * normal * n.y * n.y,
            sxy: q.sxy - 2.0 * (fx * n.y + fy * n.x) + 2.0 * normal * n.x * n.y,
            ..q
        }
    }

    #[boundary(impermeable = [sxx, syy, sxy])]
    pub fn clamped(q: State) -> State {
        State { u: -q.u, v: -q.v, ..q }
    }

    /// A compression wave in the direction of x.
    #[exact]
    pub fn p_wave(x: Point, t: f64, rock: Rock) -> State {
        let (cp, _) = speeds(rock);
        let wave = (x.x - cp * t).sin();
        State { sxx: (rock.lambda + 2.0 * rock.mu) * wave, syy: rock.lambda * wave, sxy: 0.0, u: -cp * wave, v: 0.0 }
    }

    /// A shear wave in the direction of y.
    #[exact]
    pub fn s_wave(x: Point, t: f64, rock: Rock) -> State {
        let (_, cs) = speeds(rock);
        let wave = (x.y + cs * t).cos();
        State { sxx: 0.0, syy: 0.0, sxy: rock.mu * wave, u: cs * wave, v: 0.0 }
    }
}
