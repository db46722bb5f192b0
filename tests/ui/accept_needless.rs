#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
#[accept(idle_component)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
        pub dye: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        let f = State { u: q.u, dye: 0.0 };
        [f, f]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [0.0, n.x + n.y]
    }

    #[accept(untried_branch)]
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal) -> State {
        let a = n.x + n.y;
        if l.u > 1000.0 { State { u: 1.0, dye: 0.0 } } else { State { u: if a > 0.0 { a * l.u } else { a * r.u }, dye: 0.0 } }
    }

    // There is nothing to accept.
    #[numerical_flux]
    #[accept(undecided)]
    pub fn downwind(l: State, r: State, n: Normal) -> State {
        let a = n.x + n.y;
        State { u: if a > 0.0 { a * l.u } else { a * r.u }, dye: 0.0 }
    }
}

fn main() {}
