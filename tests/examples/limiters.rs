//! Measures limiters; `docs/notes/limiters.md` has what came out, and the commands.
//!
//! `cargo run --release -p tests --example limiters -- PROBLEM ORDERS CELLS LIMITERS [FLUX]`, each of ORDERS, CELLS and LIMITERS
//! separated by commas; a limiter is `none` or `METHOD`, with `/characteristic` where these variables are limited, then with
//! `+INDICATOR`.

use std::collections::HashMap;
use std::f64::consts::PI;
use std::sync::OnceLock;
use std::time::Instant;

use dg_runtime::case::Case;
use dg_runtime::solver::{Error, Solver};
use templates::reference::quadrature::volume_rule;
use templates::reference::{Shape, basis};
use tests::reference_1d::Reference;
use tests::riemann::{Primitive, Riemann};
use tests::{brio_wu, case, solver};

const GAMMA: f64 = 1.4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [problem, orders, cells, limiters, flux @ ..] = &arguments[..] else {
        panic!("PROBLEM ORDERS CELLS LIMITERS [FLUX]")
    };
    let numbers = |text: &str| text.split(',').map(|n| n.parse().unwrap()).collect::<Vec<usize>>();
    for order in numbers(orders) {
        for cells in numbers(cells) {
            for name in limiters.split(',') {
                let flux = flux.first().map_or_else(|| usual_flux(problem), |flux| flux.as_str());
                let start = format!("order = {order}\n{}flux.numerical = \"{flux}\"\n", limiter(name));
                let report = match problem.as_str() {
                    "vortex" | "gaussian" | "burgers" => smooth(problem, &start, cells),
                    "burgers_shock" => burgers_shock(&start, cells),
                    "sod" => sod(&start, cells),
                    "woodward_colella" => woodward_colella(&start, cells),
                    "sedov" => sedov(&start, cells),
                    "shu_osher" => shu_osher(&start, cells),
                    "double_mach" => double_mach(&start, cells),
                    "brio_wu" => brio_wu(&start, cells),
                    "mhd_blast" => mhd_blast(&start, cells),
                    "riemann_2d" => riemann_2d(&start, cells),
                    other => match TUBES.iter().find(|tube| tube.name == other) {
                        Some(tube) => tube.report(&start, cells),
                        None => panic!("unknown problem {other}"),
                    },
                };
                println!(
                    "| {order} | {cells} | {name} | {flux} | {} |",
                    report.unwrap_or_else(|error| error.to_string())
                );
            }
        }
    }
}

/// The flux of a problem where none is asked for.
fn usual_flux(problem: &str) -> &'static str {
    match problem {
        "gaussian" => "upwind",
        "burgers" | "burgers_shock" => "godunov",
        "mhd_blast" => "rusanov",
        "brio_wu" => "hll",
        _ => "hllc",
    }
}

/// A limiter's line in a case.
fn limiter(name: &str) -> String {
    if name == "none" {
        return String::new();
    }
    let (name, indicator) = match name.split_once('+') {
        Some((name, indicator)) => (name, format!(", indicator = \"{indicator}\"")),
        None => (name, String::new()),
    };
    let (method, variables) = name.split_once('/').unwrap_or((name, "conserved"));
    format!("limiter = {{ method = \"{method}\", variables = \"{variables}\"{indicator} }}\n")
}

/// The solution at the final time, and a table's entries on what it took.
fn run(case: &Case) -> Result<(Solver, String), Error> {
    let mut solver = solver(case);
    let until = case.time.until.unwrap();
    let start = Instant::now();
    while solver.clock()?.time < until {
        solver.advance(until, 20)?;
    }
    let clock = solver.clock()?;
    Ok((solver, format!("{} | {} | {:.1} s", clock.steps, clock.rejected, start.elapsed().as_secs_f64())))
}

/// The error in L2 on a periodic square.
fn smooth(problem: &str, start: &str, cells: usize) -> Result<String, Error> {
    let (law, function, side, until) = match problem {
        "vortex" => ("euler", "isentropic_vortex", 10.0, 2.0),
        "gaussian" => ("advection", "gaussian", 0.5, 0.5),
        _ => ("burgers", "steepening_sine", 1.0, 0.2),
    };
    let parameters = if law == "advection" { "parameters = { v1 = 1.0, v2 = 1.0 }\n" } else { "" };
    let toml = format!(
        r#"law = "{law}"
        {start}{parameters}
        mesh = {{ generator = "rectangle", lower = [-{side}, -{side}], upper = [{side}, {side}], cells = [{cells}, {cells}], jitter = 0.2 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.function = "{function}"
        time = {{ final = {until}, integrator = "ssp_rk3" }}"#
    );
    let (solver, cost) = run(&case(&toml))?;
    Ok(format!("{:.2e} | {cost}", solver.errors()?.l2[0]))
}

/// Behind a shock of Burgers' equation: the mean error, and how far values leave the range of the initial state.
fn burgers_shock(start: &str, cells: usize) -> Result<String, Error> {
    const UNTIL: f64 = 0.45;
    let (solver, cost) = run(&case(&format!(
        r#"law = "burgers"
        {start}
        mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.2 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.formulas.u = "0.25 + 0.5*sin(pi*(x + y))"
        time = {{ final = {UNTIL}, integrator = "ssp_rk3" }}"#
    )))?;
    // In a frame that moves with the shock, between one and the next: s = q + t sin(pi q), found by halving.
    let exact = |s: f64| {
        let s = (s - 0.5 * UNTIL + 1.0).rem_euclid(2.0) - 1.0;
        let (mut least, mut most) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (least + most);
            if middle + UNTIL * (PI * middle).sin() < s.abs() { least = middle } else { most = middle }
        }
        0.25 + 0.5 * (PI * least).sin() * s.signum()
    };
    let (mut error, mut area, mut beyond) = (0.0, 0.0, 0.0_f64);
    at_points(&solver, |[x, y], weight, u| {
        area += weight;
        error += weight * (u[0] - exact(x + y)).abs();
        beyond = beyond.max((u[0] - 0.25).abs() - 0.5);
    })?;
    Ok(format!("{:.2e} | {beyond:.3} | {cost}", error / area))
}

/// Sod's problem on a strip of four cells: the mean error of the density, the width of the shock in cells, and the least
/// entropy, which is 1 in the exact solution.
fn sod(start: &str, cells: usize) -> Result<String, Error> {
    const SHOCK: f64 = 0.85043;
    let state = |rho, p| Primitive { rho, v: 0.0, p };
    let exact = Riemann::new(state(1.0, 1.0), state(0.125, 0.1), GAMMA);
    let height = 4.0 / cells as f64;
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {height}], cells = [{cells}, 4], jitter = 0.2 }}
        boundaries = {{ left = "outflow", right = "outflow", bottom = {{ periodic = "top" }} }}
        initial.formulas.rho = "if(x < 0.5, 1, 0.125)"
        initial.formulas.rho_v1 = "0"
        initial.formulas.rho_v2 = "0"
        initial.formulas.rho_e = "if(x < 0.5, 1, 0.1)/(gamma - 1)"
        time = {{ final = 0.2, integrator = "ssp_rk3" }}"#
    )))?;
    let (mut error, mut area, mut smeared, mut least) = (0.0, 0.0, 0.0, f64::INFINITY);
    at_points(&solver, |[x, _], weight, u| {
        area += weight;
        error += weight * (u[0] - exact.at((x - 0.5) / 0.2).rho).abs();
        let behind = (u[0] - 0.125) / (0.26557 - 0.125);
        if (x - SHOCK).abs() < 0.08 && (0.05..0.95).contains(&behind) {
            smeared += weight;
        }
        least = least.min(entropy(u));
    })?;
    Ok(format!("{:.2e} | {:.2} | {least:.3} | {cost}", error / area, smeared / area * cells as f64))
}

/// A Riemann problem on a strip of two cells' width, with an exact solution.
struct Tube {
    name: &'static str,
    gamma: f64,
    /// Density, velocity and pressure on both sides of the membrane.
    left: [f64; 3],
    right: [f64; 3],
    length: f64,
    membrane: f64,
    until: f64,
}

/// P. D. Lax, Comm. Pure Appl. Math. 7 (1954) 159-193; Toro's book, table 6.1, tests 3 (the left half of Woodward & Colella's
/// blast), 4 and 5; R. Loubère & M. J. Shashkov, J. Comput. Phys. 209 (2005) 105-138, section 5.3, for Leblanc's tube.
const TUBES: [Tube; 5] = [
    Tube {
        name: "lax",
        gamma: 1.4,
        left: [0.445, 0.698, 3.528],
        right: [0.5, 0.0, 0.571],
        length: 1.0,
        membrane: 0.5,
        until: 0.13,
    },
    Tube {
        name: "toro_3",
        gamma: 1.4,
        left: [1.0, 0.0, 1000.0],
        right: [1.0, 0.0, 0.01],
        length: 1.0,
        membrane: 0.5,
        until: 0.012,
    },
    Tube {
        name: "toro_4",
        gamma: 1.4,
        left: [5.99924, 19.5975, 460.894],
        right: [5.99242, -6.19633, 46.0950],
        length: 1.0,
        membrane: 0.4,
        until: 0.035,
    },
    Tube {
        name: "toro_5",
        gamma: 1.4,
        left: [1.0, -19.59745, 1000.0],
        right: [1.0, -19.59745, 0.01],
        length: 1.0,
        membrane: 0.8,
        until: 0.012,
    },
    Tube {
        name: "leblanc",
        gamma: 5.0 / 3.0,
        left: [1.0, 0.0, 0.2 / 3.0],
        right: [1e-3, 0.0, 2e-10 / 3.0],
        length: 9.0,
        membrane: 3.0,
        until: 6.0,
    },
];

impl Tube {
    /// The mean error of the density, and the range of the density, which is to be that of the exact solution.
    fn report(&self, start: &str, cells: usize) -> Result<String, Error> {
        let state = |[rho, v, p]: [f64; 3]| Primitive { rho, v, p };
        let exact = Riemann::new(state(self.left), state(self.right), self.gamma);
        let (gamma, length, membrane, until) = (self.gamma, self.length, self.membrane, self.until);
        let [rho, v, p] = [0, 1, 2].map(|i| format!("if(x < {membrane}, {:?}, {:?})", self.left[i], self.right[i]));
        let (solver, cost) = run(&case(&format!(
            r#"law = "euler"
            {start}
            parameters.gamma = {gamma:?}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [{length:?}, {}], cells = [{cells}, 2], jitter = 0.2 }}
            boundaries = {{ left = {{ state = "gases" }}, right = {{ state = "gases" }}, bottom = {{ periodic = "top" }} }}
            states.gases = {{ rho = "{rho}", v1 = "{v}", v2 = "0", p = "{p}" }}
            initial.state = "gases"
            time = {{ final = {until:?}, integrator = "ssp_rk3" }}"#,
            2.0 * length / cells as f64
        )))?;
        density_report(&solver, |x| exact.at((x - membrane) / until).rho, &cost)
    }
}

/// The mean difference of the density from what it is to be along x, its range, and what the run took.
fn density_report(solver: &Solver, expected: impl Fn(f64) -> f64, cost: &str) -> Result<String, Error> {
    let (mut error, mut area, mut least, mut most) = (0.0, 0.0, f64::INFINITY, 0.0_f64);
    at_points(solver, |[x, _], weight, u| {
        area += weight;
        error += weight * (u[0] - expected(x)).abs();
        (least, most) = (least.min(u[0]), most.max(u[0]));
    })?;
    Ok(format!("{:.3e} | {least:.3e} | {most:.3} | {cost}", error / area))
}

/// Two blasts that meet between walls: the mean error of the density against many cells in one dimension, and its range.
/// P. R. Woodward & P. Colella, J. Comput. Phys. 54 (1984) 115-173.
fn woodward_colella(start: &str, cells: usize) -> Result<String, Error> {
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {}], cells = [{cells}, 2], jitter = 0.2 }}
        boundaries = {{ left = "slip_wall", right = "slip_wall", bottom = {{ periodic = "top" }} }}
        initial.formulas.rho = "1"
        initial.formulas.rho_v1 = "0"
        initial.formulas.rho_v2 = "0"
        initial.formulas.rho_e = "if(x < 0.1, 1000, if(x < 0.9, 0.01, 100))/(gamma - 1)"
        time = {{ final = 0.038, integrator = "ssp_rk3" }}"#,
        2.0 / cells as f64
    )))?;
    let reference = Reference::two_blasts(4_000);
    density_report(&solver, |x| reference.at(x).rho, &cost)
}

/// A quarter of a blast from a line: the range of the density, to be from 0 to 6, and where it is greatest, to be at 1.
/// L. I. Sedov, Similarity and Dimensional Methods in Mechanics, 1959; the energy that J. R. Kamm & F. X. Timmes, LA-UR-07-2849
/// (2007), have for the cylinder, here for a shock at 1 at time 1.
fn sedov(start: &str, cells: usize) -> Result<String, Error> {
    const ENERGY: f64 = 0.979264;
    let h = 1.2 / cells as f64;
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1.2, 1.2], cells = [{cells}, {cells}] }}
        boundaries = {{ left = "slip_wall", right = "outflow", bottom = "slip_wall", top = "outflow" }}
        initial.formulas.rho = "1"
        initial.formulas.rho_v1 = "0"
        initial.formulas.rho_v2 = "0"
        initial.formulas.rho_e = "if(max(x, y) < {h:?}, {:?}, 1e-12/(gamma - 1))"
        time = {{ final = 1, integrator = "ssp_rk3" }}"#,
        0.25 * ENERGY / (h * h)
    )))?;
    let (mut least, mut most, mut place) = (f64::INFINITY, 0.0_f64, 0.0);
    at_points(&solver, |[x, y], _, u| {
        least = least.min(u[0]);
        if u[0] > most {
            (most, place) = (u[0], x.hypot(y));
        }
    })?;
    Ok(format!("{least:.3e} | {most:.3} at {place:.3} | {cost}"))
}

/// The mean error of the density, and how far values at the same x differ, where all should be the same.
fn shu_osher(start: &str, cells: usize) -> Result<String, Error> {
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [-5, 0], upper = [5, 0.2], cells = [{cells}, 4] }}
        boundaries = {{ left = {{ state = "gas" }}, right = "outflow", bottom = {{ periodic = "top" }} }}
        states.gas.rho = "if(x < -4, 27/7, 1 + 0.2*sin(5*x))"
        states.gas.v1 = "if(x < -4, 4/9*sqrt(35), 0)"
        states.gas.v2 = "0"
        states.gas.p = "if(x < -4, 31/3, 1)"
        initial.state = "gas"
        time = {{ final = 1.8, integrator = "ssp_rk3" }}"#
    )))?;
    let reference = Reference::shu_osher(10_000);
    let (mut error, mut area) = (0.0, 0.0);
    let mut along_y: HashMap<i64, [f64; 2]> = HashMap::new();
    at_points(&solver, |[x, _], weight, u| {
        area += weight;
        error += weight * (u[0] - reference.at(x).rho).abs();
        let [least, most] = along_y.entry((x * 1e9).round() as i64).or_insert([u[0]; 2]);
        (*least, *most) = (least.min(u[0]), most.max(u[0]));
    })?;
    let differ = along_y.values().fold(0.0_f64, |differ, [least, most]| differ.max(most - least));
    Ok(format!("{:.2e} | {differ:.2} | {cost}", error / area))
}

/// The shock tube of Brio & Wu on a strip of two cells: the mean error of the density against 4,000 cells in one dimension, and its
/// range, which is to be that of the last column of the first table, 0.125 to 1.
fn brio_wu(start: &str, cells: usize) -> Result<String, Error> {
    let (solver, cost) = run(&case(&format!(
        r#"law = "mhd"
        {start}
        parameters = {{ gamma = {GAMMA:?}, cleaning_speed = 4.0 }}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {}], cells = [{cells}, 2], jitter = 0.2 }}
        boundaries = {{ left = {{ state = "plasma" }}, right = {{ state = "plasma" }}, bottom = {{ periodic = "top" }} }}
        states.plasma = {{ rho = "if(x < 0.5, 1, 0.125)", v1 = "0", v2 = "0", v3 = "0", p = "if(x < 0.5, 1, 0.1)", b1 = "{ALONG}", b2 = "if(x < 0.5, 1, -1)", b3 = "0", psi = "0" }}
        initial.state = "plasma"
        time = {{ final = {UNTIL}, integrator = "ssp_rk3" }}"#,
        2.0 / cells as f64,
        GAMMA = brio_wu::GAMMA,
        ALONG = brio_wu::ALONG,
        UNTIL = brio_wu::UNTIL,
    )))?;
    let reference = brio_wu::Reference::new(4_000);
    density_report(&solver, |x| reference.density(x), &cost)
}

/// A blast in a strong magnetic field (`tests/tests/suite/mhd_blast.rs`): the mean difference of the density's means over 20 × 20 squares
/// from those of 120 × 120 cells at p = 1 with moments in conserved variables; the least and greatest density, the least pressure,
/// at nodes; the greatest ψ.
fn mhd_blast(start: &str, cells: usize) -> Result<String, Error> {
    static REFERENCE: OnceLock<Vec<f64>> = OnceLock::new();
    const SQUARES: usize = 20;
    let solve = |start: &str, cells: usize| {
        run(&case(&format!(
            r#"law = "mhd"
            {start}
            parameters = {{ gamma = 1.4, cleaning_speed = 50.0 }}
            mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [{cells}, {cells}], jitter = 0.2 }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            states.plasma = {{ rho = "1", v1 = "0", v2 = "0", v3 = "0", p = "if(x^2 + y^2 < 0.01, 1000, 0.1)", b1 = "100/sqrt(4*pi)", b2 = "0", b3 = "0", psi = "0" }}
            initial.state = "plasma"
            time = {{ final = 0.01, integrator = "ssp_rk3" }}"#
        )))
    };
    let means = |solver: &Solver| -> Result<Vec<f64>, Error> {
        let mut sums = vec![[0.0; 2]; SQUARES * SQUARES];
        let square = |x: f64| (((x + 0.5) * SQUARES as f64) as usize).min(SQUARES - 1);
        at_points(solver, |[x, y], weight, u| {
            let sum = &mut sums[square(x) + SQUARES * square(y)];
            *sum = [sum[0] + weight * u[0], sum[1] + weight];
        })?;
        Ok(sums.iter().map(|[mass, area]| mass / area).collect())
    };
    let (solver, cost) = solve(start, cells)?;
    if REFERENCE.get().is_none() {
        let start = "order = 1\nlimiter.method = \"moment\"\nflux.numerical = \"rusanov\"\n";
        let _ = REFERENCE.set(means(&solve(start, 120)?.0)?);
    }
    let means = means(&solver)?;
    let pairs = means.iter().zip(REFERENCE.get().into_iter().flatten());
    let error = pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() / means.len() as f64;
    let samples = solver.samples()?;
    let range = |name: &str| {
        let values = samples.field(name).unwrap_or_default();
        values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], &v| [least.min(v), most.max(v)])
    };
    let (rho, p, psi) = (range("rho"), range("pressure"), range("psi"));
    Ok(format!("{error:.3e} | {:.3} | {:.2} | {:.1e} | {:.2} | {cost}", rho[0], rho[1], p[0], psi[1].max(-psi[0])))
}

/// Four shocks that meet: the width in cells of one far from the others, and the range of the density.
fn riemann_2d(start: &str, cells: usize) -> Result<String, Error> {
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.2 }}
        boundaries.left.state = "gases"
        boundaries.bottom.state = "gases"
        boundaries.right = "slip_wall"
        boundaries.top = "slip_wall"
        formulas = {{ front = "0.5 - 0.138*1.206/(0.5323 - 0.138)*t", right = "x > front", above = "y > front" }}
        states.gases.rho = "if(right, if(above, 1.5, 0.5323), if(above, 0.5323, 0.138))"
        states.gases.v1 = "if(right, 0, 1.206)"
        states.gases.v2 = "if(above, 0, 1.206)"
        states.gases.p = "if(right, if(above, 1.5, 0.3), if(above, 0.3, 0.029))"
        initial.state = "gases"
        time = {{ final = 0.3, integrator = "ssp_rk3" }}"#
    )))?;
    let (mut smeared, mut least, mut most) = (0.0, f64::INFINITY, 0.0_f64);
    at_points(&solver, |[x, y], weight, u| {
        if y > 0.85 && x < 0.9 && (0.05..0.95).contains(&((u[0] - 0.5323) / (1.5 - 0.5323))) {
            smeared += weight / 0.15;
        }
        (least, most) = (least.min(u[0]), most.max(u[0]));
    })?;
    Ok(format!("{:.2} | {least:.4} | {most:.3} | {cost}", smeared * cells as f64))
}

/// At the undisturbed shock the width in cells, and the greatest density anywhere; `cells` is their number along the height.
fn double_mach(start: &str, cells: usize) -> Result<String, Error> {
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [4, 1], cells = [{}, {cells}], jitter = 0.2 }}
        boundaries.left.state = "shock"
        boundaries.top.state = "shock"
        boundaries.right = "outflow"
        boundaries.bottom = {{ if = "x < 1/6", then = {{ state = "shock" }}, else = "slip_wall" }}
        formulas.behind = "(x - 1/6)*sin(pi/3) - y*cos(pi/3) < 10*t"
        states.shock.rho = "if(behind, 8, 1.4)"
        states.shock.v1 = "if(behind, 8.25*sin(pi/3), 0)"
        states.shock.v2 = "if(behind, -8.25*cos(pi/3), 0)"
        states.shock.p = "if(behind, 116.5, 1)"
        initial.state = "shock"
        time = {{ final = 0.2, integrator = "ssp_rk3" }}"#,
        4 * cells
    )))?;
    let (mut smeared, mut most) = (0.0, 0.0_f64);
    at_points(&solver, |[x, y], weight, u| {
        let shock = 1.0 / 6.0 + (y + 20.0 * 0.2) / 3.0_f64.sqrt();
        let behind = (u[0] - 1.4) / (8.0 - 1.4);
        if (0.6..0.9).contains(&y) && (x - shock).abs() < 0.2 && (0.05..0.95).contains(&behind) {
            smeared += weight / 0.3;
        }
        most = most.max(u[0]);
    })?;
    Ok(format!("{:.2} | {most:.2} | {cost}", smeared * cells as f64))
}

fn entropy(u: &[f64]) -> f64 {
    let pressure = (GAMMA - 1.0) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
    pressure / u[0].powf(GAMMA)
}

/// Visits the points of a quadrature with position, weight and state.
fn at_points(solver: &Solver, mut visit: impl FnMut([f64; 2], f64, &[f64])) -> Result<(), Error> {
    let (mesh, order) = (solver.mesh(), solver.setup().order);
    let coefficients = solver.coefficients()?;
    let rule = volume_rule(Shape::Triangle, 2 * order + 4).unwrap();
    let functions = basis::count(Shape::Triangle, order);
    let size = coefficients.len() / mesh.element_count();
    for (point, weight) in rule.points.iter().zip(&rule.weights) {
        let phi = basis::values(Shape::Triangle, order, point);
        for (element, own) in coefficients.chunks(size).enumerate() {
            let value = |component: &[f64]| component.iter().zip(&phi).map(|(c, phi)| c * phi).sum();
            let u: Vec<f64> = own.chunks(functions).map(value).collect();
            let [x, y] = mesh.position(element, point)[..2] else { unreachable!("two dimensions") };
            visit([x, y], weight * mesh.geometry(element).determinant, &u);
        }
    }
    Ok(())
}
