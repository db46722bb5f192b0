//! The compressible Navier–Stokes equations of an ideal gas.

/// Compressible Navier–Stokes equations of an ideal gas in two dimensions.
///
/// ```text
/// ∂ρ/∂t + ∇·m = 0,   m = ρv
/// ∂m/∂t + ∇·(m ⊗ v + p I − τ) = 0
/// ∂(ρe)/∂t + ∇·((ρe + p) v − τ v − κ ∇T) = 0
/// p = (γ − 1) (ρe − ½ ρ |v|²) = ρ R T,   τ = μ (∇v + ∇vᵀ − ⅔ ∇·v I),   κ = μ γ R / ((γ − 1) Pr)
/// ```
///
/// * ρ: density, m: momentum, v: velocity, e: total energy per mass, p: pressure, T: temperature
/// * γ: ratio of specific heats, R: gas constant, Pr: Prandtl number
/// * μ: viscosity, constant or by Sutherland's law, μ₀ (T / T₀)^(3/2) (T₀ + S) / (T + S)
///
/// References: H. Schlichting & K. Gersten, Boundary-Layer Theory, 9th edition, chapter 3, Springer 2017,
/// <https://doi.org/10.1007/978-3-662-52919-5>; W. Sutherland, Phil. Mag. 36 (1893) 507–531.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=7)]
pub mod navier_stokes {
    use std::f64::consts::PI;

    /// The number of dimensions.
    const DIM: usize = 2;

    /// A viscous ideal gas, the walls beside it, and its state at subsonic inlets and outlets.
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Gas constant.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub gas_constant: f64,
        /// Prandtl number.
        #[default(0.72)]
        #[range((Excluded(0.0), Unbounded))]
        pub prandtl: f64,
        /// Viscosity, at the reference temperature if it depends on temperature.
        #[default(0.01)]
        #[range(0.0..)]
        pub mu: f64,
        /// Share of Sutherland's law in the viscosity: 0 for a constant one, 1 for his.
        #[default(0.0)]
        #[range(0.0..=1.0)]
        pub sutherland: f64,
        /// Reference temperature of Sutherland's law.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub reference_temperature: f64,
        /// Sutherland's temperature; of air 0.4042 times a reference of 273.15 K.
        #[default(0.4042)]
        #[range(0.0..)]
        pub sutherland_temperature: f64,
        /// Temperature of isothermal walls at rest.
        #[default(0.8)]
        #[range((Excluded(0.0), Unbounded))]
        pub wall_temperature: f64,
        /// Heat that enters through a heated wall, per length and time.
        #[default(0.01)]
        pub wall_heat: f64,
        /// Temperature of a moving plate.
        #[default(0.85)]
        #[range((Excluded(0.0), Unbounded))]
        pub plate_temperature: f64,
        /// Velocity of a moving plate.
        #[default(0.1)]
        pub plate_velocity: f64,
        /// Velocity in the middle of a channel.
        #[default(0.1)]
        pub channel_velocity: f64,
        /// Distance of the walls of a channel, or of plate and wall.
        #[default(2.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub gap: f64,
        /// Total pressure at an inlet: that of the gas brought to rest without losses.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub total_pressure: f64,
        /// Total temperature at an inlet.
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
    #[symmetry(rotation = m, galilean = m)]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum.
        pub m: [f64; DIM],
        /// Total energy.
        pub rho_e: f64,
    }

    /// What the flow carries, and pressure.
    pub fn flux(u: State, gas: Gas) -> [State; DIM] {
        let p = pressure(u, gas);
        std::array::from_fn(|d| {
            let v = u.m[d] / u.rho;
            let mut flux = v * u;
            flux.m[d] += p;
            flux.rho_e += p * v;
            flux
        })
    }

    /// Viscous stress and its work, and conduction of heat.
    #[viscous_flux]
    pub fn friction(u: State, gradient: [State; DIM], gas: Gas) -> [State; DIM] {
        let mu = viscosity(temperature(u, gas), gas);
        let v = u.m.map(|m| m / u.rho);
        // Derivatives of velocity, [d][i] = ∂v_i/∂x_d, and of the internal energy per mass.
        let dv: [[f64; DIM]; DIM] =
            std::array::from_fn(|d| std::array::from_fn(|i| (gradient[d].m[i] - v[i] * gradient[d].rho) / u.rho));
        let divergence: f64 = (0..DIM).map(|d| dv[d][d]).sum();
        std::array::from_fn(|d| {
            let mut stress: [f64; DIM] = std::array::from_fn(|i| mu * (dv[d][i] + dv[i][d]));
            stress[d] -= 2.0 / 3.0 * mu * divergence;
            let kinetic: f64 = (0..DIM).map(|i| v[i] * dv[d][i]).sum();
            let internal = (gradient[d].rho_e - u.rho_e / u.rho * gradient[d].rho) / u.rho - kinetic;
            let work: f64 = (0..DIM).map(|i| stress[i] * v[i]).sum();
            State { rho: 0.0, m: stress, rho_e: work + mu * gas.gamma / gas.prandtl * internal }
        })
    }

    /// Sound waves in both directions; entropy and shear are carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 4] {
        let vn = normal_velocity(u, n);
        let c = sound_speed(u, gas);
        [vn - c, vn, vn, vn + c]
    }

    /// Density and pressure are positive.
    #[admissible]
    pub fn admissible(u: State, gas: Gas) -> [f64; 2] {
        [u.rho, pressure(u, gas)]
    }

    /// Pressure.
    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        let square: f64 = (0..DIM).map(|d| u.m[d] * u.m[d]).sum();
        (gas.gamma - 1.0) * (u.rho_e - 0.5 * square / u.rho)
    }

    /// Temperature.
    #[output]
    pub fn temperature(u: State, gas: Gas) -> f64 {
        pressure(u, gas) / (gas.gas_constant * u.rho)
    }

    /// Mach number.
    #[output]
    pub fn mach(u: State, gas: Gas) -> f64 {
        let square: f64 = (0..DIM).map(|d| u.m[d] * u.m[d]).sum();
        square.sqrt() / (u.rho * sound_speed(u, gas))
    }

    /// Vorticity, ∂v₂/∂x − ∂v₁/∂y.
    #[output]
    pub fn vorticity(u: State, gradient: [State; 2]) -> f64 {
        let slope = |along: usize, of: usize| (gradient[along].m[of] - u.m[of] / u.rho * gradient[along].rho) / u.rho;
        slope(0, 1) - slope(1, 0)
    }

    /// Viscosity at a temperature.
    pub fn viscosity(temperature: f64, gas: Gas) -> f64 {
        let (t0, s) = (gas.reference_temperature, gas.sutherland_temperature);
        let ratio = temperature / t0;
        gas.mu * (1.0 - gas.sutherland + gas.sutherland * ratio * ratio.sqrt() * (t0 + s) / (temperature + s))
    }

    /// Speed of sound.
    pub fn sound_speed(u: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(u, gas) / u.rho).sqrt()
    }

    fn normal_velocity(u: State, n: Normal) -> f64 {
        let m: f64 = (0..DIM).map(|d| u.m[d] * n[d]).sum();
        m / u.rho
    }

    /// The state of density ρ, velocity v and pressure p.
    #[variables]
    pub fn from_primitive(rho: f64, v: [f64; DIM], p: f64, gas: Gas) -> State {
        let square: f64 = (0..DIM).map(|d| v[d] * v[d]).sum();
        State { rho, m: v.map(|v| rho * v), rho_e: p / (gas.gamma - 1.0) + 0.5 * rho * square }
    }

    /// HLLC: two sound waves and the contact between them, so that shear layers at rest are not smeared.
    ///
    /// References: E. F. Toro, M. Spruce & W. Speares, Shock Waves 4 (1994) 25–34, <https://doi.org/10.1007/BF01414629>;
    /// B. Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294–318, <https://doi.org/10.1137/0725021>.
    #[numerical_flux(exact = [contact, shock])]
    pub fn hllc(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (pl, pr) = (pressure(l, gas), pressure(r, gas));
        // Roe's mean.
        let weight = l.rho / (l.rho + (l.rho * r.rho).sqrt());
        let mean: [f64; DIM] = std::array::from_fn(|d| weight * l.m[d] / l.rho + (1.0 - weight) * r.m[d] / r.rho);
        let enthalpy = weight * (l.rho_e + pl) / l.rho + (1.0 - weight) * (r.rho_e + pr) / r.rho;
        let square: f64 = (0..DIM).map(|d| mean[d] * mean[d]).sum();
        let vn: f64 = (0..DIM).map(|d| mean[d] * n[d]).sum();
        let c = ((gas.gamma - 1.0) * (enthalpy - 0.5 * square)).sqrt();
        let sl = (vl - sound_speed(l, gas)).min(vn - c);
        let sr = (vr + sound_speed(r, gas)).max(vn + c);
        // Mass flux through each sound wave; the contact's speed balances the momenta of both sides.
        let ml = l.rho * (sl - vl);
        let mr = r.rho * (sr - vr);
        let contact = (pr - pl + ml * vl - mr * vr) / (ml - mr);
        // The side upwind of the contact, its sound wave, and the wave's speed if that points upwind, else 0.
        let (u, v, p, m, s, behind) =
            if contact > 0.0 { (l, vl, pl, ml, sl, sl.min(0.0)) } else { (r, vr, pr, mr, sr, sr.max(0.0)) };
        let carried = behind * (contact - v) / (s - contact);
        let mut flux = (v + carried) * u;
        for d in 0..DIM {
            flux.m[d] += (p + carried * m) * n[d];
        }
        flux.rho_e += p * (v + carried) + carried * m * contact;
        flux
    }

    /// A plane of symmetry, or a wall without friction: the mirrored flow.
    #[boundary(impermeable = rho)]
    pub fn slip_wall(mut u: State, n: Normal) -> State {
        let across: f64 = (0..DIM).map(|d| u.m[d] * n[d]).sum();
        for d in 0..DIM {
            u.m[d] -= 2.0 * across * n[d];
        }
        u
    }

    /// A wall at rest that the gas sticks to, and through which no heat passes: only the velocity is turned round.
    #[boundary(impermeable = rho)]
    pub fn adiabatic_wall(u: State) -> State {
        State { m: u.m.map(|m| -m), ..u }
    }

    /// A wall at rest that the gas sticks to, and which heats it by `wall_heat`.
    #[boundary(impermeable = rho)]
    pub fn heated_wall(u: State) -> State {
        adiabatic_wall(u)
    }

    /// Conduction from it.
    #[boundary_flux(heated_wall)]
    pub fn heating(gas: Gas) -> State {
        State { rho: 0.0, m: [0.0; DIM], rho_e: gas.wall_heat }
    }

    /// A wall at rest that the gas sticks to, of `wall_temperature`.
    #[boundary]
    pub fn isothermal_wall(u: State, gas: Gas) -> State {
        stuck(u, [0.0; DIM], gas.wall_temperature, gas)
    }

    /// A plate that moves along x with `plate_velocity`, of `plate_temperature`.
    #[boundary]
    pub fn moving_plate(u: State, gas: Gas) -> State {
        stuck(u, [gas.plate_velocity, 0.0], gas.plate_temperature, gas)
    }

    /// What is behind a wall of this velocity and temperature, of which velocity and temperature on both sides have the means: arithmetic
    /// and geometric, since a temperature is positive. As much mass passes as the temperature at the wall is wrong.
    fn stuck(u: State, wall: [f64; DIM], temperature: f64, gas: Gas) -> State {
        let v: [f64; DIM] = std::array::from_fn(|d| 2.0 * wall[d] - u.m[d] / u.rho);
        let squares = gas.gas_constant * temperature * gas.gas_constant * temperature;
        from_primitive(u.rho, v, u.rho * u.rho * squares / pressure(u, gas), gas)
    }

    /// Supersonic outflow, where nothing comes in.
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
        let at_rest = gas.gamma * gas.gas_constant * gas.total_temperature;
        let a = g + 2.0 * w;
        let root = (g * (a * at_rest - 0.5 * g * g * w * outgoing * outgoing)).max(0.0).sqrt();
        let c = (g * w * outgoing + root) / a;
        let vn = outgoing - 2.0 * c / g;
        let cooling = c * c / at_rest;
        let p = gas.total_pressure * cooling.powf(gas.gamma / g);
        let rho = gas.gamma * p / (c * c);
        from_primitive(rho, [vn * (n.x - slope * n.y), vn * (n.y + slope * n.x)], p, gas)
    }

    /// Outflow with `static_pressure` where it is subsonic, the datum for the sound that comes in; supersonic outflow takes none.
    ///
    /// Entropy, shear and sound that leave keep their invariants p/ρ^γ, tangential velocity and vₙ + 2c/(γ − 1).
    /// Reference: J.-R. Carlson, NASA/TM-2011-217181, <https://ntrs.nasa.gov/citations/20110022658>.
    #[boundary]
    pub fn subsonic_outlet(u: State, n: Normal, gas: Gas) -> State {
        let inner = sound_speed(u, gas);
        if normal_velocity(u, n) < inner {
            let rho = u.rho * (gas.static_pressure / pressure(u, gas)).powf(1.0 / gas.gamma);
            let c = (gas.gamma * gas.static_pressure / rho).sqrt();
            let faster = 2.0 * (inner - c) / (gas.gamma - 1.0);
            from_primitive(rho, std::array::from_fn(|d| u.m[d] / u.rho + faster * n[d]), gas.static_pressure, gas)
        } else {
            u
        }
    }

    /// Flow between a wall at rest, y = 0, where the density is 1, and a moving plate, of constant viscosity and pressure: a solution, for
    /// which a source is derived that vanishes unless viscosity depends on temperature.
    ///
    /// Reference: F. Bassi & S. Rebay, J. Comput. Phys. 131 (1997) 267–279, <https://doi.org/10.1006/jcph.1996.5572>, for the use;
    /// H. Schlichting & K. Gersten, Boundary-Layer Theory, section 4.2.
    #[exact(manufactured)]
    pub fn couette(x: Point, gas: Gas) -> State {
        let s = x.y / gas.gap;
        let v = gas.plate_velocity;
        let heating = 0.5 * gas.prandtl * (gas.gamma - 1.0) * v * v / (gas.gamma * gas.gas_constant);
        let t = gas.wall_temperature + s * (gas.plate_temperature - gas.wall_temperature) + heating * s * (1.0 - s);
        from_primitive(gas.wall_temperature / t, [v * s, 0.0], gas.gas_constant * gas.wall_temperature, gas)
    }

    /// Flow between two walls at rest, y = 0 and y = `gap`, of constant viscosity and pressure, where the density is 1: a solution by the
    /// source that is derived for it, a force along x and its work, 8 μ V / gap² times 1 and v with the velocity V in the middle.
    ///
    /// Reference: H. Schlichting & K. Gersten, Boundary-Layer Theory, section 4.2, with the temperature that friction makes.
    #[exact(manufactured)]
    pub fn poiseuille(x: Point, gas: Gas) -> State {
        let z = 2.0 * x.y / gas.gap - 1.0;
        let v = gas.channel_velocity * (1.0 - z * z);
        let heating = gas.prandtl * (gas.gamma - 1.0) / (3.0 * gas.gamma * gas.gas_constant);
        let t = gas.wall_temperature + heating * gas.channel_velocity * gas.channel_velocity * (1.0 - z.powi(4));
        from_primitive(gas.wall_temperature / t, [v, 0.0], gas.gas_constant * gas.wall_temperature, gas)
    }

    /// A shock at rest that halves the velocity of a gas which comes along x with density and velocity 1, at the Mach number 2/√(3 − γ),
    /// where the velocity is ¾ at x = 0: a solution for Pr = ¾ and constant viscosity, where the source that is derived vanishes.
    ///
    /// For Pr = ¾ the total enthalpy is the same everywhere, and momentum is an equation for the velocity, 4/3 μ dv/dx =
    /// (γ + 1)/(2γ) (v − 1)(v − ½)/v. So (1 − v)²/(v − ½) grows as exp(x/l), which is solved for v.
    /// References: R. Becker, Z. Phys. 8 (1922) 321–362, <https://doi.org/10.1007/BF01329605>;
    /// B. M. Johnson, J. Fluid Mech. 745 (2014) R1, <https://doi.org/10.1017/jfm.2014.107>.
    #[exact(manufactured)]
    pub fn shock_profile(x: Point, gas: Gas) -> State {
        let length = 8.0 * gas.gamma * gas.mu / (3.0 * (gas.gamma + 1.0));
        let v = 1.0 / (1.0 + 1.0 / (1.0 + 8.0 * (-x.x / length).exp()).sqrt());
        let enthalpy = 0.25 * (gas.gamma + 1.0) / (gas.gamma - 1.0);
        from_primitive(1.0 / v, [v, 0.0], (gas.gamma - 1.0) / gas.gamma * (enthalpy - 0.5 * v * v) / v, gas)
    }

    /// Waves of density, velocity and temperature that move through the periodic square (0, 2)²: a solution by the source that is derived
    /// for it.
    ///
    /// Reference: P. J. Roache, J. Fluids Eng. 124 (2002) 4–10, <https://doi.org/10.1115/1.1436090>, for the method.
    #[exact(manufactured)]
    pub fn manufactured_waves(x: Point, t: f64) -> State {
        let rho = 2.0 + 0.2 * (PI * (x.x + x.y - t)).sin();
        State { rho, m: [1.0, 0.5 + 0.2 * (PI * x.x).cos()], rho_e: 4.0 + 0.3 * (PI * (x.y - t)).cos() }
    }
}
