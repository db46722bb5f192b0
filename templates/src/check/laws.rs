//! Laws for the tests of the rules: right ones, and the mistakes that the rules must catch.

use super::testing::{Source, law};

/// Compressible Euler equations with an HLLC flux (Toro, Spruce & Speares 1994), a wall and two exact solutions.
pub const EULER: &str = "
params gamma = 1.4;
state rho, rho_v1, rho_v2, rho_e;

fn pressure(u: State, gas: Params) -> f64 {
    (gas.gamma - 1.0) * (u.rho_e - 0.5 * (u.rho_v1 * u.rho_v1 + u.rho_v2 * u.rho_v2) / u.rho)
}

fn flux(u: State, gas: Params) -> [State; 2] {
    let p = pressure(u, gas);
    let v1 = u.rho_v1 / u.rho;
    let v2 = u.rho_v2 / u.rho;
    [
        State { rho: u.rho_v1, rho_v1: u.rho_v1 * v1 + p, rho_v2: u.rho_v2 * v1, rho_e: v1 * (u.rho_e + p) },
        State { rho: u.rho_v2, rho_v1: u.rho_v1 * v2, rho_v2: u.rho_v2 * v2 + p, rho_e: v2 * (u.rho_e + p) },
    ]
}

fn eigenvalues(u: State, n: Normal, gas: Params) -> [f64; 4] {
    let vn = (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho;
    let c = (gas.gamma * pressure(u, gas) / u.rho).sqrt();
    [vn - c, vn, vn, vn + c]
}

#[admissible]
fn admissible(u: State, gas: Params) -> [f64; 2] {
    [u.rho, pressure(u, gas)]
}

#[boundary(impermeable = rho)]
fn slip_wall(u: State, n: Normal) -> State {
    let m = u.rho_v1 * n.x + u.rho_v2 * n.y;
    State { rho: u.rho, rho_v1: u.rho_v1 - 2.0 * m * n.x, rho_v2: u.rho_v2 - 2.0 * m * n.y, rho_e: u.rho_e }
}

#[boundary]
fn outflow(u: State) -> State {
    u
}

fn normal_flux(u: State, n: Normal, gas: Params) -> State {
    let f = flux(u, gas);
    State {
        rho: f[0].rho * n.x + f[1].rho * n.y,
        rho_v1: f[0].rho_v1 * n.x + f[1].rho_v1 * n.y,
        rho_v2: f[0].rho_v2 * n.x + f[1].rho_v2 * n.y,
        rho_e: f[0].rho_e * n.x + f[1].rho_e * n.y,
    }
}

fn star_flux(u: State, n: Normal, gas: Params, s: f64, sm: f64) -> State {
    let p = pressure(u, gas);
    let vn = (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho;
    let rho = u.rho * (s - vn) / (s - sm);
    let f = normal_flux(u, n, gas);
    State {
        rho: f.rho + s * (rho - u.rho),
        rho_v1: f.rho_v1 + s * (rho * (u.rho_v1 / u.rho + (sm - vn) * n.x) - u.rho_v1),
        rho_v2: f.rho_v2 + s * (rho * (u.rho_v2 / u.rho + (sm - vn) * n.y) - u.rho_v2),
        rho_e: f.rho_e + s * (rho * (u.rho_e / u.rho + (sm - vn) * (sm + p / (u.rho * (s - vn)))) - u.rho_e),
    }
}

#[numerical_flux]
fn hllc(l: State, r: State, n: Normal, gas: Params) -> State {
    let pl = pressure(l, gas);
    let pr = pressure(r, gas);
    let vl = (l.rho_v1 * n.x + l.rho_v2 * n.y) / l.rho;
    let vr = (r.rho_v1 * n.x + r.rho_v2 * n.y) / r.rho;
    let cl = (gas.gamma * pl / l.rho).sqrt();
    let cr = (gas.gamma * pr / r.rho).sqrt();
    let sl = (vl - cl).min(vr - cr);
    let sr = (vl + cl).max(vr + cr);
    let sm = (pr - pl + l.rho * vl * (sl - vl) - r.rho * vr * (sr - vr)) / (l.rho * (sl - vl) - r.rho * (sr - vr));
    if 0.0 <= sl {
        normal_flux(l, n, gas)
    } else if 0.0 <= sm {
        star_flux(l, n, gas, sl, sm)
    } else if 0.0 < sr {
        star_flux(r, n, gas, sr, sm)
    } else {
        normal_flux(r, n, gas)
    }
}

#[exact]
fn supersonic_vortex(x: Point, t: f64, gas: Params) -> State {
    let r2 = x.x * x.x + x.y * x.y;
    let mach = 2.25;
    let rho = (1.0 + 0.5 * (gas.gamma - 1.0) * mach * mach * (1.0 - 1.0 / r2)).powf(1.0 / (gas.gamma - 1.0));
    let p = rho.powf(gas.gamma) / gas.gamma;
    let v1 = mach * x.y / r2;
    let v2 = -mach * x.x / r2;
    State {
        rho: rho,
        rho_v1: rho * v1,
        rho_v2: rho * v2,
        rho_e: p / (gas.gamma - 1.0) + 0.5 * rho * (v1 * v1 + v2 * v2),
    }
}

#[exact]
fn isentropic_vortex(x: Point, t: f64, gas: Params) -> State {
    let pi = 3.141592653589793;
    let dx = x.x - 5.0 - t;
    let dy = x.y - 5.0 - t;
    let r2 = dx * dx + dy * dy;
    let swirl = 5.0 / (2.0 * pi) * (0.5 * (1.0 - r2)).exp();
    let v1 = 1.0 - swirl * dy;
    let v2 = 1.0 + swirl * dx;
    let temperature = 1.0 - (gas.gamma - 1.0) * 25.0 / (8.0 * gas.gamma * pi * pi) * (1.0 - r2).exp();
    let rho = temperature.powf(1.0 / (gas.gamma - 1.0));
    let p = rho.powf(gas.gamma);
    State {
        rho: rho,
        rho_v1: rho * v1,
        rho_v2: rho * v2,
        rho_e: p / (gas.gamma - 1.0) + 0.5 * rho * (v1 * v1 + v2 * v2),
    }
}
";

/// The Euler equations with the first text replaced by the second.
pub fn euler(from: &str, to: &str) -> Source {
    changed("euler", EULER, from, to)
}

/// A law with one text replaced by another.
pub fn changed(name: &str, source: &str, from: &str, to: &str) -> Source {
    assert!(source.contains(from), "`{from}` is not in the law");
    law(name, &source.replace(from, to))
}

/// The law as it stands.
pub fn right(name: &str, source: &str) -> Source {
    law(name, source)
}
