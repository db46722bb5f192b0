//! The shallow water equations over level ground.

/// Shallow water over level ground, which may turn and be rough.
///
/// ```text
/// ∂h/∂t   + ∂(hv₁)/∂x         + ∂(hv₂)/∂y         = 0
/// ∂hv₁/∂t + ∂(hv₁² + ½gh²)/∂x + ∂(hv₁v₂)/∂y       =   f hv₂ − g n² |v| v₁ / h^⅓
/// ∂hv₂/∂t + ∂(hv₁v₂)/∂x       + ∂(hv₂² + ½gh²)/∂y = − f hv₁ − g n² |v| v₂ / h^⅓
/// ```
///
/// * h: depth, (v₁, v₂): velocity, g: gravity
/// * f: Coriolis parameter, twice the speed at which the ground turns; n: Manning's coefficient of friction
/// * c = √(g h): speed of gravity waves
///
/// Depths are positive: give dry ground a film of water. Friction in a film is stiff.
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
    }

    /// Depth and momentum by the density of water.
    #[state]
    #[symmetry(rotation = (h_v1, h_v2), galilean = (h_v1, h_v2))]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Momentum in the direction of x.
        pub h_v1: f64,
        /// Momentum in the direction of y.
        pub h_v2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, ground: Ground) -> [State; 2] {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let p = 0.5 * ground.g * u.h * u.h;
        [
            State { h: u.h_v1, h_v1: u.h_v1 * v1 + p, h_v2: u.h_v2 * v1 },
            State { h: u.h_v2, h_v1: u.h_v1 * v2, h_v2: u.h_v2 * v2 + p },
        ]
    }

    /// Gravity waves in both directions; shear is carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, ground: Ground) -> [f64; 3] {
        let vn = normal_velocity(u, n);
        let c = (ground.g * u.h).sqrt();
        [vn - c, vn, vn + c]
    }

    /// The ground is wet.
    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
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
    pub fn speed(u: State) -> f64 {
        (u.h_v1 * u.h_v1 + u.h_v2 * u.h_v2).sqrt() / u.h
    }

    /// Froude number, the speed of the water by that of gravity waves.
    #[output]
    pub fn froude(u: State, ground: Ground) -> f64 {
        speed(u) / (ground.g * u.h).sqrt()
    }

    /// The state of depth h and velocity (v₁, v₂).
    #[variables]
    pub fn from_velocity(h: f64, v1: f64, v2: f64) -> State {
        State { h, h_v1: h * v1, h_v2: h * v2 }
    }

    fn normal_velocity(u: State, n: Normal) -> f64 {
        (u.h_v1 * n.x + u.h_v2 * n.y) / u.h
    }

    /// HLLC: two gravity waves and the contact between them, which carries shear alone.
    ///
    /// A gravity wave is as fast as on its outer side or at Roe's mean, which is exact where it is an isolated shock. With any film
    /// of water on dry ground depths stay positive.
    /// References: E. F. Toro, M. Spruce & W. Speares, Shock Waves 4 (1994) 25–34, <https://doi.org/10.1007/BF01414629>;
    /// B. Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294–318, <https://doi.org/10.1137/0725021>.
    #[numerical_flux(exact = [contact, shock])]
    pub fn hllc(l: State, r: State, n: Normal, ground: Ground) -> State {
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (cl, cr) = ((ground.g * l.h).sqrt(), (ground.g * r.h).sqrt());
        let weight = l.h / (l.h + (l.h * r.h).sqrt());
        let v = weight * vl + (1.0 - weight) * vr;
        let c = (0.5 * ground.g * (l.h + r.h)).sqrt();
        let sl = (vl - cl).min(v - c).min(0.0);
        let sr = (vr + cr).max(v + c).max(0.0);
        let [fl, gl] = flux(l, ground);
        let [fr, gr] = flux(r, ground);
        let (fl, fr) = (fl * n.x + gl * n.y, fr * n.x + gr * n.y);
        let between = (sr * fl - sl * fr + sl * sr * (r - l)) / (sr - sl);
        let along = between.h_v1 * n.x + between.h_v2 * n.y;
        // Shear comes from the side that the water comes from.
        let u = if between.h > 0.0 { l } else { r };
        let across = between.h * (u.h_v2 * n.x - u.h_v1 * n.y) / u.h;
        State { h: between.h, h_v1: along * n.x - across * n.y, h_v2: along * n.y + across * n.x }
    }

    /// Shore: the state of the mirrored flow.
    #[boundary(impermeable = h)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.h_v1 * n.x + u.h_v2 * n.y;
        State { h_v1: u.h_v1 - 2.0 * m * n.x, h_v2: u.h_v2 - 2.0 * m * n.y, ..u }
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
            let along = |h: f64, v: f64| from_velocity(h, -v * n.y, v * n.x);
            let f = hllc(along(2.0, 0.5), along(1.0, -0.7), n, Ground::default());
            assert!(f.h > 0.0 && (f.h_v2 * n.x - f.h_v1 * n.y - 0.5 * f.h).abs() < 1e-14, "{f:?}");
        }

        #[test]
        fn an_anticyclone_is_higher_than_what_is_around_it() {
            let ground = Ground { g: 1.0, f: 1.0, friction: 0.0 };
            let [centre, far] =
                [[0.0, -1.0], [8.0, 8.0]].map(|[x, y]| anticyclone(Point { x, y }, std::f64::consts::PI, ground));
            assert!(
                centre.h > 1.4 && (far.h - 1.0).abs() < 1e-12 && (far.h_v1 + 0.5).abs() < 1e-12,
                "{centre:?} {far:?}"
            );
        }
    }
}
