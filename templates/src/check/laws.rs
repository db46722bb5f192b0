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

/// Advection at constant speed, with a Gaussian.
pub const ADVECTION: &str = "
params ax = 1.0, ay = 1.0;
state u;

fn flux(u: State, p: Params) -> [State; 2] {
    [State { u: p.ax * u.u }, State { u: p.ay * u.u }]
}

fn eigenvalues(u: State, n: Normal, p: Params) -> [f64; 1] {
    [p.ax * n.x + p.ay * n.y]
}

#[boundary]
fn outflow(u: State) -> State {
    u
}

#[exact]
fn gaussian(x: Point, t: f64, p: Params) -> State {
    let dx = x.x + 0.2 - p.ax * t;
    let dy = x.y + 0.2 - p.ay * t;
    State { u: 0.2 * (-(dx * dx + dy * dy) / (2.0 * 0.05 * 0.05)).exp() }
}

#[exact]
fn waves(x: Point, t: f64, p: Params) -> State {
    let pi = 3.141592653589793;
    State { u: (2.0 * pi * (x.x - p.ax * t)).sin() * (2.0 * pi * (x.y - p.ay * t)).cos() }
}
";

/// Burgers' equation along the diagonal, with ramps as exact solutions.
pub const BURGERS: &str = "
state u;

fn flux(u: State) -> [State; 2] {
    let f = 0.5 * u.u * u.u;
    [State { u: f }, State { u: f }]
}

fn eigenvalues(u: State, n: Normal) -> [f64; 1] {
    [u.u * (n.x + n.y)]
}

#[numerical_flux]
fn godunov(l: State, r: State, n: Normal) -> State {
    let s = n.x + n.y;
    let fl = 0.5 * l.u * l.u * s;
    let fr = 0.5 * r.u * r.u * s;
    let a = if 0.0 <= s { l.u } else { r.u };
    let b = if 0.0 <= s { r.u } else { l.u };
    let fa = 0.5 * a * a * s.abs();
    let fb = 0.5 * b * b * s.abs();
    let f = if a <= b {
        if a * b <= 0.0 { 0.0 } else { fa.min(fb) }
    } else {
        fa.max(fb)
    };
    State { u: if 0.0 <= s { f } else { -f } }
}

#[exact]
fn ramp(x: Point, t: f64) -> State {
    State { u: (x.x + x.y) / (1.0 + 2.0 * t) }
}

#[exact]
fn parabola(x: Point, t: f64) -> State {
    // u = v(x + y - 2 u t) with v(s) = s², solved for u
    let s = x.x + x.y;
    let root = (1.0 + 8.0 * s * t).sqrt();
    State { u: 2.0 * s * s / (1.0 + 4.0 * s * t + root) }
}

fn newton(u: f64, s: f64, t: f64) -> f64 {
    let foot = 3.0 * (s - 2.0 * u * t);
    u - (u - 0.25 - 0.5 * foot.sin()) / (1.0 + 3.0 * t * foot.cos())
}

// A sine that steepens, by Newton's method: a solution up to rounding error.
#[exact]
fn steepening_sine(x: Point, t: f64) -> State {
    let s = x.x + x.y;
    let u = newton(newton(newton(newton(0.25 + 0.5 * (3.0 * s).sin(), s, t), s, t), s, t), s, t);
    State { u: newton(newton(newton(newton(u, s, t), s, t), s, t), s, t) }
}
";

/// Shallow water over a flat bottom, with Rusanov's flux written out and a wall.
pub const SHALLOW_WATER: &str = "
params g = 9.81;
state h, hu, hv;

fn flux(u: State, p: Params) -> [State; 2] {
    let q = 0.5 * p.g * u.h * u.h;
    [
        State { h: u.hu, hu: u.hu * u.hu / u.h + q, hv: u.hu * u.hv / u.h },
        State { h: u.hv, hu: u.hu * u.hv / u.h, hv: u.hv * u.hv / u.h + q },
    ]
}

fn eigenvalues(u: State, n: Normal, p: Params) -> [f64; 3] {
    let vn = (u.hu * n.x + u.hv * n.y) / u.h;
    let c = (p.g * u.h).sqrt();
    [vn - c, vn, vn + c]
}

#[admissible]
fn admissible(u: State) -> [f64; 1] {
    [u.h]
}

#[boundary(impermeable = h)]
fn wall(u: State, n: Normal) -> State {
    let m = u.hu * n.x + u.hv * n.y;
    State { h: u.h, hu: u.hu - 2.0 * m * n.x, hv: u.hv - 2.0 * m * n.y }
}

fn speed(u: State, n: Normal, p: Params) -> f64 {
    let e = eigenvalues(u, n, p);
    e[0].abs().max(e[2].abs())
}

#[numerical_flux]
fn rusanov(l: State, r: State, n: Normal, p: Params) -> State {
    let s = 0.5 * speed(l, n, p).max(speed(r, n, p));
    let a = flux(l, p);
    let b = flux(r, p);
    State {
        h: 0.5 * ((a[0].h + b[0].h) * n.x + (a[1].h + b[1].h) * n.y) - s * (r.h - l.h),
        hu: 0.5 * ((a[0].hu + b[0].hu) * n.x + (a[1].hu + b[1].hu) * n.y) - s * (r.hu - l.hu),
        hv: 0.5 * ((a[0].hv + b[0].hv) * n.x + (a[1].hv + b[1].hv) * n.y) - s * (r.hv - l.hv),
    }
}
";

/// Ideal magnetohydrodynamics with the divergence cleaning of Dedner et al. (2002): nine equations.
pub const MHD: &str = "
params gamma = 1.6, ch = 2.0;
state rho, m1, m2, m3, b1, b2, b3, e, psi;

fn pressure(u: State, p: Params) -> f64 {
    let kinetic = 0.5 * (u.m1 * u.m1 + u.m2 * u.m2 + u.m3 * u.m3) / u.rho;
    let magnetic = 0.5 * (u.b1 * u.b1 + u.b2 * u.b2 + u.b3 * u.b3);
    (p.gamma - 1.0) * (u.e - kinetic - magnetic)
}

fn flux(u: State, p: Params) -> [State; 2] {
    let v1 = u.m1 / u.rho;
    let v2 = u.m2 / u.rho;
    let v3 = u.m3 / u.rho;
    let total = pressure(u, p) + 0.5 * (u.b1 * u.b1 + u.b2 * u.b2 + u.b3 * u.b3);
    let vb = v1 * u.b1 + v2 * u.b2 + v3 * u.b3;
    [
        State {
            rho: u.m1,
            m1: u.m1 * v1 + total - u.b1 * u.b1,
            m2: u.m2 * v1 - u.b1 * u.b2,
            m3: u.m3 * v1 - u.b1 * u.b3,
            b1: u.psi,
            b2: v1 * u.b2 - v2 * u.b1,
            b3: v1 * u.b3 - v3 * u.b1,
            e: (u.e + total) * v1 - u.b1 * vb,
            psi: p.ch * p.ch * u.b1,
        },
        State {
            rho: u.m2,
            m1: u.m1 * v2 - u.b2 * u.b1,
            m2: u.m2 * v2 + total - u.b2 * u.b2,
            m3: u.m3 * v2 - u.b2 * u.b3,
            b1: v2 * u.b1 - v1 * u.b2,
            b2: u.psi,
            b3: v2 * u.b3 - v3 * u.b2,
            e: (u.e + total) * v2 - u.b2 * vb,
            psi: p.ch * p.ch * u.b2,
        },
    ]
}

fn eigenvalues(u: State, n: Normal, p: Params) -> [f64; 9] {
    let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
    let bn = (u.b1 * n.x + u.b2 * n.y) / u.rho.sqrt();
    let a2 = p.gamma * pressure(u, p) / u.rho;
    let b2 = (u.b1 * u.b1 + u.b2 * u.b2 + u.b3 * u.b3) / u.rho;
    let root = ((a2 + b2) * (a2 + b2) - 4.0 * a2 * bn * bn).sqrt();
    let cf = (0.5 * (a2 + b2 + root)).sqrt();
    let cs = (0.5 * (a2 + b2 - root)).max(0.0).sqrt();
    [vn - cf, vn - bn, vn - cs, vn, vn + cs, vn + bn, vn + cf, p.ch, -p.ch]
}

#[admissible]
fn admissible(u: State, p: Params) -> [f64; 2] {
    [u.rho, pressure(u, p)]
}
";

/// Elastic waves in velocity and stress, all components of both in two dimensions of space: nine equations
/// (Käser & Dumbser 2006).
pub const ELASTIC: &str = "
params lambda = 2.0, mu = 1.0, density = 1.0;
state sxx, syy, szz, sxy, syz, sxz, u, v, w;

fn flux(q: State, m: Params) -> [State; 2] {
    let p = m.lambda + 2.0 * m.mu;
    [
        State {
            sxx: -p * q.u, syy: -m.lambda * q.u, szz: -m.lambda * q.u,
            sxy: -m.mu * q.v, syz: 0.0, sxz: -m.mu * q.w,
            u: -q.sxx / m.density, v: -q.sxy / m.density, w: -q.sxz / m.density,
        },
        State {
            sxx: -m.lambda * q.v, syy: -p * q.v, szz: -m.lambda * q.v,
            sxy: -m.mu * q.u, syz: -m.mu * q.w, sxz: 0.0,
            u: -q.sxy / m.density, v: -q.syy / m.density, w: -q.syz / m.density,
        },
    ]
}

fn eigenvalues(q: State, n: Normal, m: Params) -> [f64; 9] {
    let cp = ((m.lambda + 2.0 * m.mu) / m.density).sqrt();
    let cs = (m.mu / m.density).sqrt();
    [-cp, -cs, -cs, 0.0, 0.0, 0.0, cs, cs, cp]
}

#[exact]
fn p_wave(x: Point, t: f64, m: Params) -> State {
    let k = 0.125663706143591729;
    let cp = ((m.lambda + 2.0 * m.mu) / m.density).sqrt();
    let wave = (k * (x.x - cp * t)).sin();
    State {
        sxx: (m.lambda + 2.0 * m.mu) * wave, syy: m.lambda * wave, szz: m.lambda * wave,
        sxy: 0.0, syz: 0.0, sxz: 0.0,
        u: -cp * wave, v: 0.0, w: 0.0,
    }
}
";
