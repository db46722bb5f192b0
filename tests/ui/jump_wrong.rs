//! A product at a jump with a wrong sign is told where it stands: in the state, in the medium alone, and one that is not the same from both
//! sides; one without a product has nothing to say.

use dg_runtime::conservation_law;

#[conservation_law(dim = 2, orders = 0..=0)]
mod uphill {
    #[medium]
    pub struct Bottom {
        pub b: f64,
    }

    #[state]
    pub struct State {
        pub h: f64,
        pub m: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        let nothing = State { h: 0.0, m: 0.0 };
        [State { h: u.m, m: 0.0 }, nothing]
    }

    #[nonconservative]
    pub fn slope(u: State, change: State, n: Normal, _: Bottom, rise: Bottom) -> State {
        State { h: 0.0, m: u.h * (change.h + rise.b) * n.x }
    }

    #[jump]
    pub fn step(l: State, r: State, n: Normal, left: Bottom, right: Bottom) -> State {
        State { h: 0.0, m: 0.5 * (l.h + r.h) * (r.h - l.h - right.b + left.b) * n.x }
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
        let c = u.h.sqrt() * n.x;
        [-c, c]
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }
}

#[conservation_law(dim = 2, orders = 0..=0)]
mod backwards {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(_: State) -> [State; 2] {
        let nothing = State { u: 0.0 };
        [nothing, nothing]
    }

    #[nonconservative]
    pub fn by_itself(q: State, change: State, n: Normal) -> State {
        State { u: q.u * change.u * n.x }
    }

    #[jump]
    pub fn shock(l: State, r: State, n: Normal) -> State {
        State { u: 0.5 * (l.u * l.u - r.u * r.u) * n.x }
    }

    pub fn eigenvalues(q: State, n: Normal) -> [f64; 1] {
        [q.u * n.x]
    }
}

#[conservation_law(dim = 2, orders = 0..=0)]
mod one_sided {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(_: State) -> [State; 2] {
        let nothing = State { u: 0.0 };
        [nothing, nothing]
    }

    #[nonconservative]
    pub fn by_itself(q: State, change: State, n: Normal) -> State {
        State { u: q.u * change.u * n.x }
    }

    #[jump]
    pub fn shock(l: State, r: State, n: Normal) -> State {
        State { u: l.u * (r.u - l.u) * n.x }
    }

    pub fn eigenvalues(q: State, n: Normal) -> [f64; 1] {
        [q.u * n.x]
    }
}

#[conservation_law(dim = 2, orders = 0..=0)]
mod nothing_to_jump {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    #[jump]
    pub fn shock(l: State, r: State, n: Normal) -> State {
        State { u: 0.5 * (r.u - l.u) * n.x }
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }
}

fn main() {}
