//! The shallow water equations.

/// Shallow water over a bottom, which may turn and be rough.
///
/// ```text
/// ∂h/∂t   + ∂(hv₁)/∂x   + ∂(hv₂)/∂y                       = 0
/// ∂hv₁/∂t + ∂(hv₁²)/∂x  + ∂(hv₁v₂)/∂y + g h ∂(h + b)/∂x =   f hv₂ − g n² |v| v₁ / h^⅓
/// ∂hv₂/∂t + ∂(hv₁v₂)/∂x + ∂(hv₂²)/∂y  + g h ∂(h + b)/∂y = − f hv₁ − g n² |v| v₂ / h^⅓
/// ```
///
/// * h: depth, (v₁, v₂): velocity, g: gravity; b: height of the bottom, so that h + b is that of the surface
/// * f: Coriolis parameter, twice the speed at which the ground turns; n: Manning's coefficient of friction
/// * c = √(g h): speed of gravity waves
///
/// The pressure is in the product with the slope of the surface, so that water at rest stays so to rounding with the flux `hllc`, over any
/// bottom that is wet, and around dry ground whose shore is along faces; a shore inside elements moves by the error of the scheme. Over level
/// ground the product is that of the conservation law with the pressure ½gh² in the flux: the momentum is conserved, and bores have the
/// right speed. Depths are positive: give dry ground a film of water, and the case a depth `dry` and the limiter `positivity`. Friction in
/// a film is stiff.
///
/// References: E. F. Toro, Shock-Capturing Methods for Free-Surface Shallow Flows, Wiley 2001, ISBN 978-0-471-98766-6; for both
/// sources G. K. Vallis, Atmospheric and Oceanic Fluid Dynamics, chapter 3, Cambridge 2017,
/// <https://doi.org/10.1017/9781107588417>, and O. Delestre et al., Int. J. Numer. Meth. Fluids 72 (2013) 269–300,
/// <https://doi.org/10.1002/fld.3741>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=4)]
pub mod shallow_water {
    /// The ground, in units of metres and seconds.
    #[parameters]
    pub struct Ground {
        /// Gravity.
        #[default(9.81)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
        /// Coriolis parameter, positive where the ground turns anticlockwise.
        #[default(0.0)]
        pub f: f64,
        /// Manning's coefficient of friction, for instance 0.03 in a river.
        #[default(0.0)]
        #[range(0.0..)]
        pub friction: f64,
        /// Depth of what counts as dry: much thinner water hardly moves. Zero is right where all ground is wet.
        #[default(0.0)]
        #[range(0.0..)]
        pub dry: f64,
    }

    /// What the water flows over.
    #[medium]
    pub struct Bottom {
        /// Height of the bottom.
        pub b: f64,
    }

    /// Depth and momentum by the density of water.
    #[state]
    #[symmetry(rotation = (h_v1, h_v2))]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Momentum in the direction of x.
        pub h_v1: f64,
        /// Momentum in the direction of y.
        pub h_v2: f64,
    }

    /// What the water carries.
    pub fn flux(u: State, ground: Ground) -> [State; 2] {
        let (v1, v2) = (slowness(u, ground) * u.h_v1, slowness(u, ground) * u.h_v2);
        [v1 * u, v2 * u]
    }

    /// Velocity by momentum: 1/h, or much less in water much thinner than `dry`, whose momentum is rounding.
    ///
    /// Reference: A. Kurganov & G. Petrova, Commun. Math. Sci. 5 (2007) 133–160, section 3.1 (here smooth),
    /// <https://doi.org/10.4310/CMS.2007.v5.n1.a6>.
    fn slowness(u: State, ground: Ground) -> f64 {
        u.h / (u.h * u.h + ground.dry * ground.dry)
    }

    /// Gravity pulls the water down its surface.
    #[nonconservative]
    pub fn slope(u: State, change: State, n: Normal, _: Bottom, rise: Bottom, ground: Ground) -> State {
        let pull = ground.g * u.h * (change.h + rise.b);
        State { h: 0.0, h_v1: pull * n.x, h_v2: pull * n.y }
    }

    /// The same at a jump, on the way that keeps the height of the surface up to the higher bottom of both sides, but for dry ground.
    ///
    /// Reference: E. Audusse, F. Bouchut, M.-O. Bristeau, R. Klein & B. Perthame, SIAM J. Sci. Comput. 25 (2004) 2050–2065,
    /// <https://doi.org/10.1137/S1064827503431090>.
    #[jump]
    pub fn step(l: State, r: State, n: Normal, left: Bottom, right: Bottom, ground: Ground) -> State {
        let pl = pressure(share_above(l, left, right) * l, ground);
        let pr = pressure(share_above(r, right, left) * r, ground);
        along(pr - pl, n)
    }

    /// The share of the water at one side of a face that is above the bottom of the other side.
    fn share_above(u: State, own: Bottom, other: Bottom) -> f64 {
        (1.0 - (other.b - own.b).max(0.0) / u.h).max(0.0)
    }

    fn pressure(u: State, ground: Ground) -> f64 {
        0.5 * ground.g * u.h * u.h
    }

    /// A force along the normal.
    fn along(p: f64, n: Normal) -> State {
        State { h: 0.0, h_v1: p * n.x, h_v2: p * n.y }
    }

    /// Gravity waves in both directions; shear is carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, ground: Ground) -> [f64; 3] {
        let vn = normal_velocity(u, n, ground);
        // Nothing where nothing is dry: h / 2 times the derivative of h v by h, at constant momentum.
        let drying = vn * slowness(u, ground) * ground.dry * ground.dry / u.h;
        let c = (drying * drying + ground.g * u.h * u.h * slowness(u, ground)).sqrt();
        [vn + drying - c, vn, vn + drying + c]
    }

    /// The ground is wet; and the inverse fourth power of the speed |v| + c of the fastest wave, which is positive there. The limiter
    /// `positivity` leaves each quantity a hundredth of the mean's, so that no wave in an element is more than √10 times as fast as that of
    /// its mean: positive depths alone leave velocities without a bound where a bore runs into a film. Since 1/(|v| + c) is quasi-concave in
    /// the state, some share of the variation always satisfies it.
    ///
    /// Velocities near a shore are limited likewise by S. Vater, N. Beisiegel & J. Behrens, Int. J. Numer. Meth. Fluids 91 (2019) 395–418,
    /// <https://doi.org/10.1002/fld.4762>.
    #[admissible]
    pub fn wet(u: State, ground: Ground) -> [f64; 2] {
        let m = (u.h_v1 * u.h_v1 + u.h_v2 * u.h_v2).sqrt();
        let crossing = u.h / (m + u.h * (ground.g * u.h).sqrt());
        [u.h, crossing.powi(4)]
    }

    /// The ground turns.
    #[source]
    pub fn coriolis(u: State, ground: Ground) -> State {
        State { h: 0.0, h_v1: ground.f * u.h_v2, h_v2: -ground.f * u.h_v1 }
    }

    /// Manning's friction.
    #[source]
    pub fn friction(u: State, ground: Ground) -> State {
        let m = (u.h_v1 * u.h_v1 + u.h_v2 * u.h_v2).sqrt();
        let rate = ground.g * ground.friction * ground.friction * m / u.h.powf(7.0 / 3.0);
        State { h: 0.0, h_v1: -rate * u.h_v1, h_v2: -rate * u.h_v2 }
    }

    /// Speed of the water.
    #[output]
    pub fn speed(u: State, ground: Ground) -> f64 {
        (u.h_v1 * u.h_v1 + u.h_v2 * u.h_v2).sqrt() * slowness(u, ground)
    }

    /// Height of the surface.
    #[output]
    pub fn surface(u: State, bottom: Bottom) -> f64 {
        u.h + bottom.b
    }

    /// Froude number, the speed of the water by that of gravity waves.
    #[output]
    pub fn froude(u: State, ground: Ground) -> f64 {
        speed(u, ground) / (ground.g * u.h).sqrt()
    }

    /// The state of depth h and velocity (v₁, v₂).
    #[variables]
    pub fn from_velocity(h: f64, v1: f64, v2: f64) -> State {
        State { h, h_v1: h * v1, h_v2: h * v2 }
    }

    fn normal_velocity(u: State, n: Normal, ground: Ground) -> f64 {
        slowness(u, ground) * (u.h_v1 * n.x + u.h_v2 * n.y)
    }

    /// HLLC: two gravity waves and the contact between them, which carries shear alone, at the depths above the higher bottom of both sides.
    ///
    /// A gravity wave is as fast as on its outer side or at Roe's mean, which is exact where it is an isolated shock. Water at rest stays so
    /// where the bottom jumps, and with any film of water on dry ground depths stay positive.
    /// References: E. F. Toro, M. Spruce & W. Speares, Shock Waves 4 (1994) 25–34, <https://doi.org/10.1007/BF01414629>;
    /// B. Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294–318, <https://doi.org/10.1137/0725021>; for the depths E. Audusse, F. Bouchut,
    /// M.-O. Bristeau, R. Klein & B. Perthame, SIAM J. Sci. Comput. 25 (2004) 2050–2065, <https://doi.org/10.1137/S1064827503431090>.
    #[numerical_flux]
    pub fn hllc(l: State, r: State, n: Normal, left: Bottom, right: Bottom, ground: Ground) -> State {
        let (vl, vr) = (normal_velocity(l, n, ground), normal_velocity(r, n, ground));
        let weight = l.h / (l.h + (l.h * r.h).sqrt());
        let v = weight * vl + (1.0 - weight) * vr;
        let c = (0.5 * ground.g * (l.h + r.h)).sqrt();
        let sl = eigenvalues(l, n, ground)[0].min(v - c).min(0.0);
        let sr = eigenvalues(r, n, ground)[2].max(v + c).max(0.0);
        let (ul, ur) = (share_above(l, left, right) * l, share_above(r, right, left) * r);
        let (pl, pr) = (pressure(ul, ground), pressure(ur, ground));
        let (fl, fr) = (vl * ul + along(pl, n), vr * ur + along(pr, n));
        let between = (sr * fl - sl * fr + sl * sr * (ur - ul)) / (sr - sl);
        // The product has half the pressure of each side.
        let normal = between.h_v1 * n.x + between.h_v2 * n.y - 0.5 * (pl + pr);
        // Shear comes from the side that the water comes from.
        let u = if between.h > 0.0 { l } else { r };
        let across = between.h * (u.h_v2 * n.x - u.h_v1 * n.y) / u.h;
        State { h: between.h, h_v1: normal * n.x - across * n.y, h_v2: normal * n.y + across * n.x }
    }

    /// Shore: the state of the mirrored flow.
    #[boundary(impermeable = h)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.h_v1 * n.x + u.h_v2 * n.y;
        State { h_v1: u.h_v1 - 2.0 * m * n.x, h_v2: u.h_v2 - 2.0 * m * n.y, ..u }
    }

    /// Level ground.
    #[medium]
    pub fn level(_: Point) -> Bottom {
        Bottom { b: 0.0 }
    }

    /// A current of depth 1 and speed 1 at first that is the same everywhere: friction slows it, and it turns against the ground.
    #[exact]
    pub fn inertial_current(t: f64, ground: Ground) -> State {
        let v = 1.0 / (1.0 + ground.g * ground.friction * ground.friction * t);
        let angle = -ground.f * t;
        from_velocity(1.0, v * angle.cos(), v * angle.sin())
    }

    /// An anticyclone in which pressure, inertia and the Coriolis force balance. It is carried along a circle of radius ½ by an
    /// inertial current, and has the place (−8, 8)² for itself. Over rough ground the source that is derived keeps it going.
    ///
    /// The current is constant in space, so that in a frame that moves with it the equations are the same (Galilean invariance
    /// of the f-plane, Vallis 2017, section 3.2), and there the vortex is at rest: g h′ = w²r + f w r at the speed of rotation w.
    #[exact(manufactured)]
    pub fn anticyclone(x: Point, t: f64, ground: Ground) -> State {
        let f = ground.f;
        let (sin, cos) = (f * t).sin_cos();
        let (dx, dy) = (x.x - 0.5 * sin, x.y - 0.5 * (cos - 1.0));
        let w = -0.5 * f * (0.5 * (1.0 - dx * dx - dy * dy)).exp();
        let h = 1.0 - w * (0.5 * w + f) / ground.g;
        from_velocity(h, 0.5 * f * cos - w * dy, -0.5 * f * sin + w * dx)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn shear_is_carried_with_the_water_alone() {
            let n = Normal { x: 0.6, y: 0.8 };
            let shear = |h: f64, v: f64| from_velocity(h, -v * n.y, v * n.x);
            let level = Bottom { b: 0.0 };
            let f = hllc(shear(2.0, 0.5), shear(1.0, -0.7), n, level, level, Ground::default());
            assert!(f.h > 0.0 && (f.h_v2 * n.x - f.h_v1 * n.y - 0.5 * f.h).abs() < 1e-14, "{f:?}");
        }

        #[test]
        fn an_anticyclone_is_higher_than_what_is_around_it() {
            let ground = Ground { g: 1.0, f: 1.0, friction: 0.0, dry: 0.0 };
            let [centre, far] =
                [[0.0, -1.0], [8.0, 8.0]].map(|[x, y]| anticyclone(Point { x, y }, std::f64::consts::PI, ground));
            assert!(
                centre.h > 1.4 && (far.h - 1.0).abs() < 1e-12 && (far.h_v1 + 0.5).abs() < 1e-12,
                "{centre:?} {far:?}"
            );
        }
    }
}
