//! Laws with what those of `equations` lack: sources, boundaries that depend on position and time, functions of reals in
//! a flux, and names that the generated code has uses of its own for.

/// Sound with friction, in a room that one wall shakes: three components, boundaries of two kinds, a source.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod sound {
    use std::f64::consts::PI;

    /// The state.
    #[state]
    pub struct State {
        /// Pressure.
        pub p: f64,
        /// Velocity in x.
        pub v1: f64,
        /// Velocity in y.
        pub v2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        [State { p: u.v1, v1: u.p, v2: 0.0 }, State { p: u.v2, v1: 0.0, v2: u.p }]
    }

    /// The speed of sound is 1.
    pub fn eigenvalues(_: State, _: Normal) -> [f64; 3] {
        [-1.0, 0.0, 1.0]
    }

    /// The same bound everywhere.
    #[wave_speed]
    pub fn bound() -> f64 {
        1.0
    }

    /// Friction, which grows along x.
    #[source]
    pub fn friction(u: State, x: Point) -> State {
        State { p: 0.0, v1: -x.x * u.v1, v2: -x.x * u.v2 }
    }

    /// A wall at rest.
    #[boundary]
    pub fn wall(u: State, n: Normal) -> State {
        let m = 2.0 * (u.v1 * n.x + u.v2 * n.y);
        State { p: u.p, v1: u.v1 - m * n.x, v2: u.v2 - m * n.y }
    }

    /// A wall that shakes.
    #[boundary]
    #[accept(growing_ghost)]
    pub fn shaken(u: State, x: Point, t: f64) -> State {
        State { p: u.p + (x.y + 9.0 * t).sin(), v1: u.v1, v2: u.v2 }
    }

    /// Waves that friction would not let be.
    #[exact(manufactured)]
    pub fn manufactured(x: Point, t: f64) -> State {
        let p = (PI * (x.x + x.y - 2.0 * t)).sin();
        State { p, v1: 0.5 * p, v2: if x.y > 0.0 { x.y.tanh() } else { 0.0 } }
    }

    /// A swelling.
    #[initial]
    pub fn swelling(x: Point) -> State {
        State { p: (-4.0 * x.x * x.x - 4.0 * x.y * x.y).exp(), v1: 0.0, v2: 0.1 }
    }
}

/// A law whose functions have these names: the roots of a quantity that decays.
macro_rules! named {
    ($law:ident: $admissible:ident $numerical_flux:ident $boundary:ident $source:ident $initial:ident $exact:ident $output:ident) => {
        /// Functions with names of the generated code's own.
        #[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
        pub mod $law {
            /// The state; the name of its component is one of the generated code's, too.
            #[state]
            pub struct State {
                /// What decays.
                pub made: f64,
            }

            /// Physical flux.
            pub fn flux(q: State) -> [State; 2] {
                [State { made: q.made.sqrt() }, State { made: 0.0 }]
            }

            /// The derivative of the flux.
            pub fn eigenvalues(q: State, n: Normal) -> [f64; 1] {
                [0.5 * n.x / q.made.sqrt()]
            }

            /// Positive states.
            #[admissible]
            pub fn $admissible(q: State) -> [f64; 1] {
                [q.made]
            }

            /// Rusanov's flux for states from 4/25 on.
            #[numerical_flux]
            #[accept(weak_dissipation)]
            pub fn $numerical_flux(l: State, r: State, n: Normal) -> State {
                State { made: 0.5 * ((l.made.sqrt() + r.made.sqrt()) * n.x - 1.25 * (r.made - l.made)) }
            }

            /// What is outside depends on everything, and on a direction that the law makes.
            #[boundary]
            pub fn $boundary(q: State, n: Normal, x: Point, t: f64) -> State {
                let across = Normal { x: -n.y, y: n.x };
                State { made: q.made / (1.0 + across.y * across.y + x.x * x.x + t * t) }
            }

            /// Decay.
            #[source]
            pub fn $source(q: State) -> State {
                State { made: -q.made }
            }

            /// A slope.
            #[initial]
            pub fn $initial(x: Point) -> State {
                State { made: 2.0 + x.x.tanh() }
            }

            /// The same everywhere.
            #[exact]
            pub fn $exact(_: Point, t: f64) -> State {
                State { made: (-t).exp() }
            }

            /// A function of the state.
            #[output]
            pub fn $output(q: State) -> f64 {
                q.made.powf(1.7)
            }
        }
    };
}

// Functions of the scheme: of its language, tables, kernels and what is beside them.
named!(scheme: load evaluate stage fine_points normal_flux wave_speed at);
named!(more_scheme: position gather records change project_term output is_finite);
named!(arguments: u n x l t r value);
named!(more_arguments: positive s u x r n v);
named!(locals: ok count f lambda result raw_l a);
named!(more_locals: value l n u x t e);
