//! The compressible Euler equations of an ideal gas.

/// Compressible Euler equations of an ideal gas in two dimensions.
///
/// ```text
/// ∂/∂t (ρ, ρv₁, ρv₂, ρe) + ∂/∂x (ρv₁, ρv₁² + p, ρv₁v₂, (ρe + p) v₁)
///                         + ∂/∂y (ρv₂, ρv₁v₂, ρv₂² + p, (ρe + p) v₂) = 0
/// p = (γ − 1) (ρe − ½ ρ (v₁² + v₂²))
/// ```
///
/// * ρ: density, (v₁, v₂): velocity, e: total energy per mass, p: pressure
/// * γ: ratio of specific heats
/// * c = √(γ p / ρ): speed of sound
///
/// Reference: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, chapter 3,
/// Springer 2009, <https://doi.org/10.1007/b79761>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod euler {
    use std::f64::consts::PI;

    /// An ideal gas, and its state at subsonic inlets and outlets.
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Total pressure at an inlet: that of the gas brought to rest without losses.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub total_pressure: f64,
        /// Total temperature at an inlet, as p / ρ of the gas at rest.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub total_temperature: f64,
        /// Velocity along an inlet over that through it: the tangent of the flow's angle to the inward normal, counterclockwise.
        #[default(0.0)]
        pub inlet_slope: f64,
        /// Pressure at an outlet.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub static_pressure: f64,
    }

    /// Densities of mass, momentum and energy.
    #[state]
    #[symmetry(rotation = (rho_v1, rho_v2))]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in the direction of x.
        pub rho_v1: f64,
        /// Momentum in the direction of y.
        pub rho_v2: f64,
        /// Total energy.
        pub rho_e: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let (v1, v2) = velocity(u);
        let p = pressure(u, gas);
        [
            State { rho: u.rho_v1, rho_v1: u.rho_v1 * v1 + p, rho_v2: u.rho_v2 * v1, rho_e: (u.rho_e + p) * v1 },
            State { rho: u.rho_v2, rho_v1: u.rho_v1 * v2, rho_v2: u.rho_v2 * v2 + p, rho_e: (u.rho_e + p) * v2 },
        ]
    }

    /// Sound waves in both directions; entropy and shear are carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 4] {
        let vn = normal_velocity(u, n);
        let c = sound_speed(u, gas);
        [vn - c, vn, vn, vn + c]
    }

    /// Entropy is carried with the flow and grows in shocks.
    ///
    /// Reference: E. Tadmor, Appl. Numer. Math. 2 (1986) 211–219.
    #[minimum_principle]
    pub fn least_entropy(u: State, gas: Gas) -> [f64; 1] {
        [entropy(u, gas)]
    }

    /// Density and pressure are positive.
    #[admissible]
    pub fn admissible(u: State, gas: Gas) -> [f64; 2] {
        [u.rho, pressure(u, gas)]
    }

    /// Pressure.
    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        (gas.gamma - 1.0) * (u.rho_e - 0.5 * (u.rho_v1 * u.rho_v1 + u.rho_v2 * u.rho_v2) / u.rho)
    }

    /// Mach number.
    #[output]
    pub fn mach(u: State, gas: Gas) -> f64 {
        let (v1, v2) = velocity(u);
        (v1 * v1 + v2 * v2).sqrt() / sound_speed(u, gas)
    }

    /// Specific entropy in units of the heat capacity at constant volume, ln(p / ρ^γ).
    #[output]
    pub fn entropy(u: State, gas: Gas) -> f64 {
        (pressure(u, gas) / u.rho.powf(gas.gamma)).ln()
    }

    /// Velocity.
    pub fn velocity(u: State) -> (f64, f64) {
        (u.rho_v1 / u.rho, u.rho_v2 / u.rho)
    }

    /// Speed of sound.
    pub fn sound_speed(u: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(u, gas) / u.rho).sqrt()
    }

    fn normal_velocity(u: State, n: Normal) -> f64 {
        (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho
    }

    fn normal_flux(u: State, n: Normal, gas: Gas) -> State {
        let vn = normal_velocity(u, n);
        let p = pressure(u, gas);
        State {
            rho: u.rho * vn,
            rho_v1: u.rho_v1 * vn + p * n.x,
            rho_v2: u.rho_v2 * vn + p * n.y,
            rho_e: (u.rho_e + p) * vn,
        }
    }

    /// The state of density ρ, velocity (v₁, v₂) and pressure p.
    #[variables]
    pub fn from_primitive(rho: f64, v1: f64, v2: f64, p: f64, gas: Gas) -> State {
        State {
            rho,
            rho_v1: rho * v1,
            rho_v2: rho * v2,
            rho_e: p / (gas.gamma - 1.0) + 0.5 * rho * (v1 * v1 + v2 * v2),
        }
    }

    /// HLLC: two sound waves and the contact between them.
    ///
    /// A sound wave is as fast as on its outer side or at Roe's mean, which is exact where it is an isolated shock.
    /// References: E. F. Toro, M. Spruce & W. Speares, Shock Waves 4 (1994) 25–34, <https://doi.org/10.1007/BF01414629>;
    /// B. Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294–318, <https://doi.org/10.1137/0725021>;
    /// P. Batten, N. Clarke, C. Lambert & D. M. Causon, SIAM J. Sci. Comput. 18 (1997) 1553–1570,
    /// <https://doi.org/10.1137/S1064827593260140>.
    #[numerical_flux(exact = [contact, shock])]
    pub fn hllc(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (pl, pr) = (pressure(l, gas), pressure(r, gas));
        let (v1, v2, _, c) = roe_mean(l, r, gas);
        let vn = v1 * n.x + v2 * n.y;
        let sl = (vl - sound_speed(l, gas)).min(vn - c);
        let sr = (vr + sound_speed(r, gas)).max(vn + c);
        // Mass flux through each sound wave; the contact's speed balances the momenta of both sides.
        let ml = l.rho * (sl - vl);
        let mr = r.rho * (sr - vr);
        let contact = (pr - pl + ml * vl - mr * vr) / (ml - mr);
        // The side upwind of the contact, its sound wave, and the wave's speed if that points upwind, else 0.
        let (u, v, p, m, s, behind) =
            if contact > 0.0 { (l, vl, pl, ml, sl, sl.min(0.0)) } else { (r, vr, pr, mr, sr, sr.max(0.0)) };
        // F + s (u* − u), where u* − u = (contact − v) / (s − contact) (ρ, ρv + m n, ρe + p + m contact). A select between the
        // fluxes of all four regions would compute every one of them.
        let carried = behind * (contact - v) / (s - contact);
        State {
            rho: u.rho * (v + carried),
            rho_v1: u.rho_v1 * (v + carried) + (p + carried * m) * n.x,
            rho_v2: u.rho_v2 * (v + carried) + (p + carried * m) * n.y,
            rho_e: (u.rho_e + p) * (v + carried) + carried * m * contact,
        }
    }

    /// Roe: the waves of the Jacobian at Roe's mean, each upwind.
    ///
    /// Where a sound wave spreads, its speed is at least what it spreads by on either side, or expansion shocks would stand.
    /// References: P. L. Roe, J. Comput. Phys. 43 (1981) 357–372, <https://doi.org/10.1016/0021-9991(81)90128-5>;
    /// A. Harten & J. M. Hyman, J. Comput. Phys. 50 (1983) 235–269, <https://doi.org/10.1016/0021-9991(83)90066-9>.
    #[numerical_flux(exact = [contact, shock])]
    pub fn roe(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (v1l, v2l) = velocity(l);
        let (v1r, v2r) = velocity(r);
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (pl, pr) = (pressure(l, gas), pressure(r, gas));
        let (cl, cr) = (sound_speed(l, gas), sound_speed(r, gas));
        let (v1, v2, enthalpy, c) = roe_mean(l, r, gas);
        let rho = (l.rho * r.rho).sqrt();
        let vn = v1 * n.x + v2 * n.y;
        let kinetic = 0.5 * (v1 * v1 + v2 * v2);

        // |speed| times strength of a sound wave against n, one along n, entropy and shear.
        let left = spread_speed(vn - c, vl - cl, vr - cr) * 0.5 * (pr - pl - rho * c * (vr - vl)) / (c * c);
        let right = spread_speed(vn + c, vl + cl, vr + cr) * 0.5 * (pr - pl + rho * c * (vr - vl)) / (c * c);
        let entropy = vn.abs() * (r.rho - l.rho - (pr - pl) / (c * c));
        let shear1 = vn.abs() * rho * (v1r - v1l - (vr - vl) * n.x);
        let shear2 = vn.abs() * rho * (v2r - v2l - (vr - vl) * n.y);

        let (fl, fr) = (normal_flux(l, n, gas), normal_flux(r, n, gas));
        let sum = left + right + entropy;
        let sound = right - left;
        State {
            rho: 0.5 * (fl.rho + fr.rho - sum),
            rho_v1: 0.5 * (fl.rho_v1 + fr.rho_v1 - sum * v1 - sound * c * n.x - shear1),
            rho_v2: 0.5 * (fl.rho_v2 + fr.rho_v2 - sum * v2 - sound * c * n.y - shear2),
            rho_e: 0.5
                * (fl.rho_e + fr.rho_e
                    - (left + right) * enthalpy
                    - sound * c * vn
                    - entropy * kinetic
                    - v1 * shear1
                    - v2 * shear2),
        }
    }

    /// Velocity, enthalpy and speed of sound of Roe's mean, at which the Jacobian takes the jump of the state to that of the flux.
    fn roe_mean(l: State, r: State, gas: Gas) -> (f64, f64, f64, f64) {
        let (v1l, v2l) = velocity(l);
        let (v1r, v2r) = velocity(r);
        // √ρₗ / (√ρₗ + √ρᵣ)
        let weight = l.rho / (l.rho + (l.rho * r.rho).sqrt());
        let v1 = weight * v1l + (1.0 - weight) * v1r;
        let v2 = weight * v2l + (1.0 - weight) * v2r;
        let enthalpy =
            weight * (l.rho_e + pressure(l, gas)) / l.rho + (1.0 - weight) * (r.rho_e + pressure(r, gas)) / r.rho;
        let c = ((gas.gamma - 1.0) * (enthalpy - 0.5 * (v1 * v1 + v2 * v2))).sqrt();
        (v1, v2, enthalpy, c)
    }

    /// The speed of a wave, at least as large as the wave spreads on one side of it.
    fn spread_speed(mean: f64, left: f64, right: f64) -> f64 {
        mean.abs().max(mean - left).max(right - mean)
    }

    /// Wall without friction: the state of the mirrored flow.
    #[boundary(impermeable = rho)]
    pub fn slip_wall(u: State, n: Normal) -> State {
        let m = u.rho_v1 * n.x + u.rho_v2 * n.y;
        State { rho_v1: u.rho_v1 - 2.0 * m * n.x, rho_v2: u.rho_v2 - 2.0 * m * n.y, ..u }
    }

    /// Supersonic outflow, where nothing comes in; where sound does, this is unstable, and a far field is not.
    #[boundary]
    pub fn outflow(u: State) -> State {
        u
    }

    /// Subsonic inflow with `total_pressure` and `total_temperature`, normal to the boundary or with `inlet_slope`.
    ///
    /// These are data for the three waves that come in. Sound that leaves keeps its invariant vₙ + 2c/(γ − 1), which gives the speed.
    /// Reference: J.-R. Carlson, NASA/TM-2011-217181, <https://ntrs.nasa.gov/citations/20110022658>.
    #[boundary]
    pub fn subsonic_inlet(u: State, n: Normal, gas: Gas) -> State {
        let g = gas.gamma - 1.0;
        let slope = gas.inlet_slope;
        let outgoing = normal_velocity(u, n) + 2.0 * sound_speed(u, gas) / g;
        // c² + ½ (γ − 1) v² is that at rest, with v² = (1 + slope²) vₙ² and vₙ = outgoing − 2c/(γ − 1): a quadratic equation for c.
        let w = 1.0 + slope * slope;
        let at_rest = gas.gamma * gas.total_temperature;
        let a = g + 2.0 * w;
        let root = (g * (a * at_rest - 0.5 * g * g * w * outgoing * outgoing)).max(0.0).sqrt();
        let c = (g * w * outgoing + root) / a;
        let vn = outgoing - 2.0 * c / g;
        let cooling = c * c / at_rest;
        let rho = gas.total_pressure / gas.total_temperature * cooling.powf(1.0 / g);
        let p = gas.total_pressure * cooling.powf(gas.gamma / g);
        from_primitive(rho, vn * (n.x - slope * n.y), vn * (n.y + slope * n.x), p, gas)
    }

    /// Outflow with `static_pressure` where it is subsonic, the datum for the sound that comes in; supersonic outflow takes none.
    ///
    /// Entropy, shear and sound that leave keep their invariants p/ρ^γ, tangential velocity and vₙ + 2c/(γ − 1).
    /// Reference: J.-R. Carlson, NASA/TM-2011-217181, <https://ntrs.nasa.gov/citations/20110022658>.
    #[boundary]
    pub fn subsonic_outlet(u: State, n: Normal, gas: Gas) -> State {
        let inner = sound_speed(u, gas);
        if normal_velocity(u, n) < inner {
            let (v1, v2) = velocity(u);
            let rho = u.rho * (gas.static_pressure / pressure(u, gas)).powf(1.0 / gas.gamma);
            let c = (gas.gamma * gas.static_pressure / rho).sqrt();
            let faster = 2.0 * (inner - c) / (gas.gamma - 1.0);
            from_primitive(rho, v1 + faster * n.x, v2 + faster * n.y, gas.static_pressure, gas)
        } else {
            u
        }
    }

    /// Supersonic inflow of the vortex in a quarter annulus.
    #[boundary]
    pub fn supersonic_vortex_inflow(x: Point, gas: Gas) -> State {
        supersonic_vortex(x, gas)
    }

    /// Steady supersonic flow between the circles of radius 1 and 1.384, clockwise around the origin.
    ///
    /// Mach number 2.25 and density 1 on the inner circle, where the speed of sound is 1.
    /// Reference: L. Krivodonova & M. Berger, J. Comput. Phys. 211 (2006) 492–512,
    /// <https://doi.org/10.1016/j.jcp.2005.05.029>.
    #[exact]
    pub fn supersonic_vortex(x: Point, gas: Gas) -> State {
        let inner_mach = 2.25;
        let r2 = x.x * x.x + x.y * x.y;
        let temperature = 1.0 + 0.5 * (gas.gamma - 1.0) * inner_mach * inner_mach * (1.0 - 1.0 / r2);
        let rho = temperature.powf(1.0 / (gas.gamma - 1.0));
        let p = rho * temperature / gas.gamma;
        from_primitive(rho, inner_mach * x.y / r2, -inner_mach * x.x / r2, p, gas)
    }

    /// Vortex of constant entropy that the flow (1, 1) carries through the periodic square (−10, 10)².
    ///
    /// It falls off like exp(−r²/2), and is below rounding where it meets its next image.
    ///
    /// Reference: C.-W. Shu, Essentially non-oscillatory and weighted essentially non-oscillatory schemes for
    /// hyperbolic conservation laws, Lecture Notes in Mathematics 1697 (1998), section 5.1,
    /// <https://doi.org/10.1007/BFb0096355>.
    #[exact]
    pub fn isentropic_vortex(x: Point, t: f64, gas: Gas) -> State {
        let strength = 5.0;
        let dx = nearest_image(x.x - t);
        let dy = nearest_image(x.y - t);
        let r2 = dx * dx + dy * dy;
        let spin = strength / (2.0 * PI) * (0.5 * (1.0 - r2)).exp();
        let temperature = 1.0 - (gas.gamma - 1.0) / (2.0 * gas.gamma) * spin * spin;
        let rho = temperature.powf(1.0 / (gas.gamma - 1.0));
        from_primitive(rho, 1.0 - spin * dy, 1.0 + spin * dx, rho * temperature, gas)
    }

    /// Waves of density that move through the periodic square (0, 2)² against the gas: a solution by the source that is
    /// derived for it.
    ///
    /// Reference: P. J. Roache, J. Fluids Eng. 124 (2002) 4–10, <https://doi.org/10.1115/1.1436090>, for the method.
    #[exact(manufactured)]
    pub fn manufactured_waves(x: Point, t: f64) -> State {
        let rho = 2.0 + 0.2 * (PI * (x.x + x.y - t)).sin();
        State { rho, rho_v1: rho, rho_v2: 0.5 * rho, rho_e: rho * rho }
    }

    /// The distance from −10 to 10 that differs from the given one by a multiple of 20.
    fn nearest_image(distance: f64) -> f64 {
        let angle = PI / 10.0 * distance;
        10.0 / PI * angle.sin().atan2(angle.cos())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn outer_wall_of_the_supersonic_vortex() {
            // The published solution at r = 1.384.
            let gas = Gas::default();
            let u = supersonic_vortex(Point { x: 0.0, y: 1.384 }, gas);
            assert!((u.rho - 2.682350).abs() < 5e-7, "{u:?}");
            assert!((pressure(u, gas) - 2.843109).abs() < 5e-7);
            assert!((mach(u, gas) - 1.334576).abs() < 5e-7);
        }

        /// A subsonic flow, and a gas whose inlets, with the normal (−0.6, 0.8), and outlets have its data.
        fn subsonic() -> (State, Gas) {
            let (speed, p, rho) = (0.5_f64, 0.8_f64, 1.2_f64);
            let mut gas = Gas::default();
            // 1 + ½ (γ − 1) M².
            let heating = 1.0 + 0.2 * speed * speed * rho / (gas.gamma * p);
            gas.total_temperature = heating * p / rho;
            gas.total_pressure = p * heating.powf(3.5);
            (gas.inlet_slope, gas.static_pressure) = (0.75, p);
            // The inward normal (0.6, −0.8) turned by the angle of tangent 3/4.
            (from_primitive(rho, speed * 0.96, speed * -0.28, p, gas), gas)
        }

        fn assert_same(found: State, expected: State) {
            let pairs = [
                (found.rho, expected.rho),
                (found.rho_v1, expected.rho_v1),
                (found.rho_v2, expected.rho_v2),
                (found.rho_e, expected.rho_e),
            ];
            assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}, {expected:?}");
        }

        #[test]
        fn a_flow_with_the_data_of_inlet_and_outlet_passes_them_unchanged() {
            let (u, gas) = subsonic();
            assert_same(subsonic_inlet(u, Normal { x: -0.6, y: 0.8 }, gas), u);
            assert_same(subsonic_outlet(u, Normal { x: 0.6, y: 0.8 }, gas), u);
        }

        /// An inlet takes one number of the flow, an outlet three: as many as waves leave.
        #[test]
        fn ghost_states_depend_on_outgoing_waves_alone() {
            let (u, gas) = subsonic();
            let n = Normal { x: -0.6, y: 0.8 };
            let other = |rho: f64, along: f64, p: f64| {
                // Another density, pressure and velocity along the face, with the same vₙ + 2c/(γ − 1).
                let vn = normal_velocity(u, n) + 5.0 * (sound_speed(u, gas) - (gas.gamma * p / rho).sqrt());
                from_primitive(rho, vn * n.x - along * n.y, vn * n.y + along * n.x, p, gas)
            };
            for (rho, along, p) in [(1.0, 0.3, 0.8), (1.3, -0.2, 0.7), (1.2, 0.0, 0.9)] {
                assert_same(subsonic_inlet(other(rho, along, p), n, gas), u);
            }
            let (before, n) = (from_primitive(1.1, 0.4, 0.1, 0.9, gas), Normal { x: 0.6, y: 0.8 });
            let ghost = subsonic_outlet(before, n, gas);
            let invariants = |u: State| {
                let (v1, v2) = velocity(u);
                [entropy(u, gas), v2 * n.x - v1 * n.y, normal_velocity(u, n) + 5.0 * sound_speed(u, gas)]
            };
            let pairs = invariants(ghost).into_iter().zip(invariants(before));
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-14), "{ghost:?}");
            assert!((pressure(ghost, gas) - gas.static_pressure).abs() < 1e-15);
            let fast = from_primitive(1.0, 3.0, 0.0, 1.0, gas);
            assert_same(subsonic_outlet(fast, n, gas), fast);
        }

        #[test]
        fn roe_keeps_a_contact_at_rest_and_upwinds_a_shock() {
            let gas = Gas::default();
            let n = Normal { x: 0.6, y: 0.8 };
            // Only pressure acts on a contact at rest.
            let contact =
                roe(from_primitive(1.0, 0.0, 0.0, 0.7, gas), from_primitive(0.125, 0.0, 0.0, 0.7, gas), n, gas);
            for (found, expected) in
                [(contact.rho, 0.0), (contact.rho_v1, 0.42), (contact.rho_v2, 0.56), (contact.rho_e, 0.0)]
            {
                assert!((found - expected).abs() < 1e-15, "{contact:?}");
            }
            // A shock at rest: at Mach number 2 density grows by 8/3 and pressure by 9/2, and the flux is that of the supersonic side.
            let before = from_primitive(gas.gamma, 2.0 * n.x, 2.0 * n.y, 1.0, gas);
            let after = from_primitive(gas.gamma * 8.0 / 3.0, 0.75 * n.x, 0.75 * n.y, 4.5, gas);
            let (shock, expected) = (roe(before, after, n, gas), normal_flux(before, n, gas));
            assert!((shock.rho - expected.rho).abs() < 1e-14 && (shock.rho_e - expected.rho_e).abs() < 1e-13);
            // A sonic expansion does not remain as a standing shock: with the states exchanged, waves part.
            let expansion = roe(after, before, n, gas);
            assert!((expansion.rho - expected.rho).abs() > 0.01);
        }

        #[test]
        fn the_vortex_returns_after_a_period() {
            let gas = Gas::default();
            let x = Point { x: -1.3, y: 0.9 };
            let (now, then) = (isentropic_vortex(x, 0.0, gas), isentropic_vortex(x, 20.0, gas));
            assert!((now.rho_e - then.rho_e).abs() < 1e-12);
        }
    }
}
