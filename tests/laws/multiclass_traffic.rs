/// Traffic of two classes of vehicles, cars and lorries, on a road in the direction of x: each class slows down with the density of all.
///
/// ```text
/// ∂ρᵢ/∂t + ∂(ρᵢ vᵢ (1 − ρ₁ − ρ₂))/∂x = 0
/// ```
///
/// * ρᵢ: density of a class as part of that of a queue at rest, vᵢ: its speed on a free road
///
/// References: G. C. K. Wong & S. C. Wong, Transp. Res. A 36 (2002) 827–841, <https://doi.org/10.1016/S0965-8564(01)00042-8>;
/// S. Benzoni-Gavage & R. M. Colombo, Eur. J. Appl. Math. 14 (2003) 587–612, <https://doi.org/10.1017/S0956792503005266>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod multiclass_traffic {
    #[parameters]
    pub struct Road {
        /// Free speed of cars.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub cars: f64,
        /// Free speed of lorries.
        #[default(0.6)]
        #[range((Excluded(0.0), Unbounded))]
        pub lorries: f64,
    }

    #[state]
    pub struct State {
        /// Density of cars.
        pub cars: f64,
        /// Density of lorries.
        pub lorries: f64,
    }

    pub fn flux(u: State, road: Road) -> [State; 2] {
        let free = 1.0 - u.cars - u.lorries;
        let along = State { cars: road.cars * u.cars * free, lorries: road.lorries * u.lorries * free };
        [along, State { cars: 0.0, lorries: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, road: Road) -> [f64; 2] {
        // The Jacobian [a b; c d].
        let free = 1.0 - u.cars - u.lorries;
        let a = road.cars * (free - u.cars);
        let d = road.lorries * (free - u.lorries);
        let bc = road.cars * u.cars * road.lorries * u.lorries;
        let root = ((a - d) * (a - d) + 4.0 * bc).sqrt();
        [0.5 * (a + d - root) * n.x, 0.5 * (a + d + root) * n.x]
    }

    #[admissible]
    pub fn room(u: State) -> [f64; 3] {
        [u.cars, u.lorries, 1.0 - u.cars - u.lorries]
    }

    /// What is behind moves as fast as the road ahead allows.
    ///
    /// References: M. Hilliges & W. Weidlich, Transp. Res. B 29 (1995) 407–431, <https://doi.org/10.1016/0191-2615(95)00018-9>;
    /// R. Bürger, A. García, K. H. Karlsen & J. D. Towers, J. Eng. Math. 60 (2008) 387–425, <https://doi.org/10.1007/s10665-007-9148-4>.
    #[numerical_flux(splitting)]
    pub fn look_ahead(l: State, r: State, n: Normal, road: Road) -> State {
        let (behind, ahead) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let free = 1.0 - ahead.cars - ahead.lorries;
        State { cars: n.x * road.cars * behind.cars * free, lorries: n.x * road.lorries * behind.lorries * free }
    }

    #[initial]
    pub fn platoon(x: Point) -> State {
        let amount = (-10.0 * x.x * x.x).exp();
        State { cars: 0.5 * amount, lorries: 0.25 * amount }
    }

    /// A queue at rest.
    #[exact]
    pub fn queue() -> State {
        State { cars: 0.7, lorries: 0.3 }
    }
}
