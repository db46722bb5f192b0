//! Waves in an anisotropic elastic solid.

/// Elastic waves in an anisotropic solid, in two dimensions (plane strain).
///
/// ```text
/// ∂ε/∂t = (∇v + ∇vᵀ) / 2,   ∂m/∂t = ∇·σ,   v = m / ρ
///
/// σ₁₁ = c₁₁ ε₁₁ + c₁₂ ε₂₂ + 2 c₁₆ ε₁₂
/// σ₂₂ = c₁₂ ε₁₁ + c₂₂ ε₂₂ + 2 c₂₆ ε₁₂
/// σ₁₂ = c₁₆ ε₁₁ + c₂₆ ε₂₂ + 2 c₆₆ ε₁₂
/// ```
///
/// * ε: strain; m: momentum
/// * σ: stress; v: velocity
/// * ρ: density; c: stiffness, whose indices are those of Voigt (6 is the shear in the plane): both may vary and jump
///
/// Seismology's plane of x and depth has 3 for 2 and 5 for 6. An orthotropic solid has c₁₆ = c₂₆ = 0 in its own
/// axes; where these are tilted it has not.
///
/// References: J. M. Carcione, Wave Fields in Real Media, chapter 1, Elsevier 2015, <https://doi.org/10.1016/C2013-0-18893-9>;
/// J. de la Puente, M. Käser, M. Dumbser & H. Igel, Geophys. J. Int. 169 (2007) 1210–1228,
/// <https://doi.org/10.1111/j.1365-246X.2007.03381.x>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=5)]
pub mod anisotropic_elastic {
    /// An orthotropic solid whose axes are tilted, and a plane wave in it. The default is zinc, in g/cm³ and 10 GPa.
    #[parameters]
    pub struct Crystal {
        /// Density.
        #[default(7.1)]
        #[range((Excluded(0.0), Unbounded))]
        pub density: f64,
        /// Stiffness along the first axis.
        #[default(16.5)]
        #[range(10.0..)]
        pub stiff1: f64,
        /// Stiffness along the second axis.
        #[default(6.2)]
        #[range(5.0..)]
        pub stiff2: f64,
        /// What strain along one axis adds to the stress along the other.
        #[default(5.0)]
        #[range(-7.0..=7.0)]
        pub across: f64,
        /// Shear modulus.
        #[default(3.96)]
        #[range((Excluded(0.0), Unbounded))]
        pub shear: f64,
        /// Angle from the direction of x to the first axis.
        #[default(0.0)]
        pub tilt: f64,
        /// Angle from the direction of x to that of the plane wave.
        #[default(0.5)]
        pub direction: f64,
    }

    /// The solid. Its stiffness follows from these numbers, and is positive definite whatever they are: c₆₆ = shear, c₁₆ = skew1 c₆₆,
    /// c₂₆ = skew2 c₆₆, c₂₂ = stiff + skew2 c₂₆, c₁₂ = poisson stiff + skew1 c₂₆, c₁₁ = young + poisson² stiff + skew1 c₁₆.
    #[medium]
    pub struct Solid {
        /// Density.
        #[range((Excluded(0.0), Unbounded))]
        pub rho: f64,
        /// Stress along x by strain along x, where there is no other stress in the plane.
        #[range((Excluded(0.0), Unbounded))]
        pub young: f64,
        /// How much it shrinks along y by strain along x, where there is no other stress.
        pub poisson: f64,
        /// Stress along y by strain along y, where there is no shear stress and no strain along x.
        #[range((Excluded(0.0), Unbounded))]
        pub stiff: f64,
        /// Shear stress by shear.
        #[range((Excluded(0.0), Unbounded))]
        pub shear: f64,
        /// How much it shears by strain along x, where there is no shear stress.
        pub skew1: f64,
        /// How much it shears by strain along y, where there is no shear stress.
        pub skew2: f64,
    }

    /// Strain and momentum.
    #[state]
    pub struct State {
        /// Strain along x.
        pub e11: f64,
        /// Strain along y.
        pub e22: f64,
        /// Shear strain.
        pub e12: f64,
        /// Momentum in the direction of x.
        pub m1: f64,
        /// Momentum in the direction of y.
        pub m2: f64,
    }

    /// Stress along x, along y, and shear stress.
    fn stress(u: State, solid: Solid) -> (f64, f64, f64) {
        let s12 = solid.shear * (solid.skew1 * u.e11 + solid.skew2 * u.e22 + 2.0 * u.e12);
        let along = solid.stiff * (solid.poisson * u.e11 + u.e22);
        (solid.young * u.e11 + solid.poisson * along + solid.skew1 * s12, along + solid.skew2 * s12, s12)
    }

    /// Physical flux.
    pub fn flux(u: State, solid: Solid) -> [State; 2] {
        let (s11, s22, s12) = stress(u, solid);
        let (v1, v2) = (u.m1 / solid.rho, u.m2 / solid.rho);
        [
            State { e11: -v1, e22: 0.0, e12: -0.5 * v2, m1: -s11, m2: -s12 },
            State { e11: 0.0, e22: -v2, e12: -0.5 * v1, m1: -s12, m2: -s22 },
        ]
    }

    /// Christoffel's matrix, the force on a plane by a displacement's derivative across it: its diagonal, then what is beside it.
    fn christoffel(n: Normal, solid: Solid) -> (f64, f64, f64) {
        // The force of a displacement in the direction of x, and of one in that of y.
        let none = State { e11: 0.0, e22: 0.0, e12: 0.0, m1: 0.0, m2: 0.0 };
        let (a11, a22, a12) = stress(State { e11: n.x, e12: 0.5 * n.y, ..none }, solid);
        let (_, b22, b12) = stress(State { e22: n.y, e12: 0.5 * n.x, ..none }, solid);
        (a11 * n.x + a12 * n.y, b12 * n.x + b22 * n.y, a12 * n.x + a22 * n.y)
    }

    /// The speeds of the quicker and the slower wave along a normal.
    fn speeds(n: Normal, solid: Solid) -> (f64, f64) {
        let (g1, g2, g12) = christoffel(n, solid);
        let (mean, half) = (0.5 * (g1 + g2), 0.5 * (g1 - g2));
        let spread = (half * half + g12 * g12).sqrt();
        (((mean + spread) / solid.rho).sqrt(), ((mean - spread) / solid.rho).sqrt())
    }

    /// Both waves in both directions; strain along the front stays where it is.
    pub fn eigenvalues(_: State, n: Normal, solid: Solid) -> [f64; 5] {
        let (quick, slow) = speeds(n, solid);
        [-quick, -slow, 0.0, slow, quick]
    }

    /// A surface on which no force acts: a strain across it reverses the force.
    #[boundary(impermeable = [m1, m2])]
    pub fn free_surface(u: State, n: Normal, solid: Solid) -> State {
        let (s11, s22, s12) = stress(u, solid);
        let (f1, f2) = (s11 * n.x + s12 * n.y, s12 * n.x + s22 * n.y);
        let (g1, g2, g12) = christoffel(n, solid);
        let twice = 2.0 / (g1 * g2 - g12 * g12);
        let (w1, w2) = (twice * (g2 * f1 - g12 * f2), twice * (g1 * f2 - g12 * f1));
        State { e11: u.e11 - w1 * n.x, e22: u.e22 - w2 * n.y, e12: u.e12 - 0.5 * (w1 * n.y + w2 * n.x), ..u }
    }

    /// A surface that is held fast: the velocity is reversed.
    #[boundary(impermeable = [e11, e22, e12])]
    pub fn clamped(u: State) -> State {
        State { m1: -u.m1, m2: -u.m2, ..u }
    }

    /// The same crystal everywhere.
    #[medium]
    pub fn crystal(crystal: Crystal) -> Solid {
        let Crystal { density: rho, stiff1, stiff2, across, shear, tilt, .. } = crystal;
        let (s, c) = tilt.sin_cos();
        let (cc, ss, cs) = (c * c, s * s, c * s);
        let (first, second) = (stiff1 - across - 2.0 * shear, stiff2 - across - 2.0 * shear);
        let (fourth, mixed) = (cc * cc + ss * ss, cc * ss);
        let c11 = stiff1 * cc * cc + 2.0 * (across + 2.0 * shear) * mixed + stiff2 * ss * ss;
        let c22 = stiff1 * ss * ss + 2.0 * (across + 2.0 * shear) * mixed + stiff2 * cc * cc;
        let c12 = (stiff1 + stiff2 - 4.0 * shear) * mixed + across * fourth;
        let c66 = (first + second + 2.0 * shear) * mixed + shear * fourth;
        let (skew1, skew2) = ((first * cc - second * ss) * cs / c66, (first * ss - second * cc) * cs / c66);
        let stiff = c22 - skew2 * skew2 * c66;
        let poisson = (c12 - skew1 * skew2 * c66) / stiff;
        let young = c11 - poisson * poisson * stiff - skew1 * skew1 * c66;
        Solid { rho, young, poisson, stiff, shear: c66, skew1, skew2 }
    }

    /// A plane wave of each kind in the crystal.
    ///
    /// Reference: Carcione, section 1.3.
    #[exact]
    pub fn plane_waves(x: Point, t: f64, crystal_: Crystal) -> State {
        let solid = crystal(crystal_);
        let n = Normal { x: crystal_.direction.cos(), y: crystal_.direction.sin() };
        let (quick, slow) = speeds(n, solid);
        let (g1, g2, g12) = christoffel(n, solid);
        // The displacement of the quicker wave is along the eigenvector of the larger eigenvalue, that of the other across it.
        let (d2, d1) = (0.5 * (2.0 * g12).atan2(g1 - g2)).sin_cos();
        let along = n.x * x.x + n.y * x.y;
        wave(along, t, (d1, d2), quick, n, solid) + wave(along, t, (-d2, d1), slow, n, solid)
    }

    /// The plane wave with this displacement and speed.
    fn wave(along: f64, t: f64, d: (f64, f64), speed: f64, n: Normal, solid: Solid) -> State {
        let (d1, d2) = d;
        let strain = (3.0 * (along - speed * t)).sin();
        let momentum = -solid.rho * speed * strain;
        State {
            e11: d1 * n.x * strain,
            e22: d2 * n.y * strain,
            e12: 0.5 * (d1 * n.y + d2 * n.x) * strain,
            m1: d1 * momentum,
            m2: d2 * momentum,
        }
    }

    /// Stress along x.
    #[output]
    pub fn s11(u: State, solid: Solid) -> f64 {
        stress(u, solid).0
    }

    /// Stress along y.
    #[output]
    pub fn s22(u: State, solid: Solid) -> f64 {
        stress(u, solid).1
    }

    /// Shear stress.
    #[output]
    pub fn s12(u: State, solid: Solid) -> f64 {
        stress(u, solid).2
    }

    /// Velocity in the direction of x.
    #[output]
    pub fn v1(u: State, solid: Solid) -> f64 {
        u.m1 / solid.rho
    }

    /// Velocity in the direction of y.
    #[output]
    pub fn v2(u: State, solid: Solid) -> f64 {
        u.m2 / solid.rho
    }
}
