//! The viscous Burgers equation.

/// Viscous Burgers equation in two dimensions.
///
/// ```text
/// ∂u/∂t + ∂/∂x (u²/2) + ∂/∂y (u²/2) = ∇·(ν ∇u)
/// ```
///
/// * u: what is carried, at the velocity (u, u), and spreads
/// * ν: viscosity
///
/// References: J. M. Burgers, Adv. Appl. Mech. 1 (1948) 171–199, <https://doi.org/10.1016/S0065-2156(08)70100-5>;
/// E. Hopf, Commun. Pure Appl. Math. 3 (1950) 201–230, <https://doi.org/10.1002/cpa.3160030302>.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=7)]
pub mod viscous_burgers {
    /// A fluid, and the front that runs through it.
    #[parameters]
    pub struct Fluid {
        /// Viscosity.
        #[default(0.05)]
        #[range((Excluded(0.0), Unbounded))]
        pub nu: f64,
        /// Value behind the front.
        #[default(1.0)]
        pub behind: f64,
        /// Value ahead of the front.
        #[default(0.0)]
        pub ahead: f64,
    }

    /// What is carried.
    #[state]
    pub struct State {
        /// Its density, and its velocity in both directions.
        pub u: f64,
    }

    /// What the fluid carries.
    pub fn flux(u: State) -> [State; 2] {
        let f = State { u: 0.5 * u.u * u.u };
        [f, f]
    }

    /// What spreads from more to less.
    #[viscous_flux]
    pub fn friction(gradient: [State; 2], fluid: Fluid) -> [State; 2] {
        gradient.map(|slope| fluid.nu * slope)
    }

    /// The normal velocity.
    pub fn eigenvalues(u: State, n: Normal) -> [f64; 1] {
        [u.u * (n.x + n.y)]
    }

    /// Godunov's flux: that of the exact solution between two states, without viscosity.
    ///
    /// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, section 12.2, Cambridge 2002,
    /// <https://doi.org/10.1017/CBO9780511791253>.
    #[numerical_flux(exact = shock)]
    pub fn godunov(l: State, r: State, n: Normal) -> State {
        let direction = n.x + n.y;
        // Positive values move along (1, 1), so the sign of `direction` decides which side is upwind.
        let (from, to) = if direction > 0.0 { (l.u, r.u) } else { (r.u, l.u) };
        let (forward, backward) = (from.max(0.0), to.min(0.0));
        State { u: 0.5 * direction * (forward * forward).max(backward * backward) }
    }

    /// A front across the diagonal, in which steepening and spreading balance: it moves with the mean of the values behind and ahead along
    /// either axis, without a change of shape.
    #[exact]
    pub fn front(x: Point, t: f64, fluid: Fluid) -> State {
        let (mean, half) = (0.5 * (fluid.behind + fluid.ahead), 0.5 * (fluid.behind - fluid.ahead));
        State { u: mean - half * (half * (x.x + x.y - 2.0 * mean * t) / (2.0 * fluid.nu)).tanh() }
    }

    /// An N wave: a trough and a hill that run away from each other across the diagonal, steepen and flatten.
    ///
    /// By Hopf's transformation, u = −2ν ∂/∂s ln φ with s = x + y and a solution φ of the heat equation ∂φ/∂t = 2ν ∂²φ/∂s²: one plus what
    /// has spread from a point since the time −1.
    #[exact]
    pub fn n_wave(x: Point, t: f64, fluid: Fluid) -> State {
        let (s, age) = (x.x + x.y, t + 1.0);
        let hill = (-s * s / (8.0 * fluid.nu * age)).exp() / age.sqrt();
        State { u: 0.5 * s / age * hill / (1.0 + hill) }
    }
}
