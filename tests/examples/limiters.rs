//! Measures limiters; `docs/limiters.md` has what came out, and the commands.
//!
//! `cargo run --release -p tests --example limiters -- PROBLEM ORDERS CELLS LIMITERS`, each of the last three separated by
//! commas; a limiter is `none`, `METHOD` or `METHOD+INDICATOR`.

use std::time::Instant;

use dg_runtime::case::Case;
use dg_runtime::solver::{Error, Solver};
use templates::reference::quadrature::volume_rule;
use templates::reference::{Shape, basis};
use tests::reference_1d::Reference;
use tests::riemann::{Primitive, Riemann};
use tests::{case, solver};

const GAMMA: f64 = 1.4;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [problem, orders, cells, limiters] = &arguments[..] else { panic!("PROBLEM ORDERS CELLS LIMITERS") };
    let numbers = |text: &str| text.split(',').map(|n| n.parse().unwrap()).collect::<Vec<usize>>();
    for order in numbers(orders) {
        for cells in numbers(cells) {
            for name in limiters.split(',') {
                let start = format!("order = {order}\n{}", limiter(name));
                let report = match problem.as_str() {
                    "vortex" | "gaussian" | "burgers" => smooth(problem, &start, cells),
                    "sod" => sod(&start, cells),
                    "shu_osher" => shu_osher(&start, cells),
                    "double_mach" => double_mach(&start, cells),
                    other => panic!("unknown problem {other}"),
                };
                println!("| {order} | {cells} | {name} | {} |", report.unwrap_or_else(|error| error.to_string()));
            }
        }
    }
}

/// A limiter's line in a case.
fn limiter(name: &str) -> String {
    match name.split_once('+') {
        _ if name == "none" => String::new(),
        Some((method, indicator)) => format!("limiter = {{ method = \"{method}\", indicator = \"{indicator}\" }}\n"),
        None => format!("limiter = {{ method = \"{name}\" }}\n"),
    }
}

/// The solution at the final time, and a table's entries on what it took.
fn run(case: &Case) -> Result<(Solver, String), Error> {
    let mut solver = solver(case);
    let until = case.time.until.unwrap();
    let start = Instant::now();
    while solver.clock()?.time < until {
        solver.advance(until, 20)?;
    }
    let steps = solver.clock()?.steps;
    Ok((solver, format!("{steps} | {:.1} s", start.elapsed().as_secs_f64())))
}

/// The error in L2 on a periodic square.
fn smooth(problem: &str, start: &str, cells: usize) -> Result<String, Error> {
    let (law, function, side, until, flux) = match problem {
        "vortex" => ("euler", "isentropic_vortex", 10.0, 2.0, "hllc"),
        "gaussian" => ("advection", "gaussian", 0.5, 0.5, "upwind"),
        _ => ("burgers", "steepening_sine", 1.0, 0.2, "godunov"),
    };
    let parameters = if law == "advection" { "parameters = { v1 = 1.0, v2 = 1.0 }\n" } else { "" };
    let toml = format!(
        r#"law = "{law}"
        {start}{parameters}
        mesh = {{ generator = "rectangle", lower = [-{side}, -{side}], upper = [{side}, {side}], cells = [{cells}, {cells}], jitter = 0.2 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.function = "{function}"
        time = {{ final = {until}, integrator = "ssp_rk3" }}
        flux.numerical = "{flux}""#
    );
    let (solver, cost) = run(&case(&toml))?;
    Ok(format!("{:.2e} | {cost}", solver.errors()?.l2[0]))
}

/// A shock tube on a strip of four cells, from formulas of density, momentum and energy.
fn tube(start: &str, inflow: &str, [left, right]: [f64; 2], until: f64, cells: usize, formulas: [&str; 3]) -> Case {
    let [rho, momentum, energy] = formulas;
    let height = 4.0 * (right - left) / cells as f64;
    case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [{left}, 0], upper = [{right}, {height}], cells = [{cells}, 4], jitter = 0.2 }}
        boundaries = {{ left = "{inflow}", right = "outflow", bottom = {{ periodic = "top" }} }}
        initial.formulas = {{ rho = "{rho}", rho_v1 = "{momentum}", rho_v2 = "0", rho_e = "{energy}" }}
        time = {{ final = {until}, integrator = "ssp_rk3" }}
        flux.numerical = "hllc""#
    ))
}

/// The mean error of the density, the width of the shock in cells, and the least entropy, which is 1 in the exact solution.
fn sod(start: &str, cells: usize) -> Result<String, Error> {
    const SHOCK: f64 = 0.85043;
    let state = |rho, p| Primitive { rho, v: 0.0, p };
    let exact = Riemann::new(state(1.0, 1.0), state(0.125, 0.1), GAMMA);
    let formulas = ["if(x < 0.5, 1, 0.125)", "0", "if(x < 0.5, 1, 0.1)/(gamma - 1)"];
    let (solver, cost) = run(&tube(start, "outflow", [0.0, 1.0], 0.2, cells, formulas))?;
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

/// The mean error of the density.
fn shu_osher(start: &str, cells: usize) -> Result<String, Error> {
    let formulas = [
        "if(x < -4, 27/7, 1 + 0.2*sin(5*x))",
        "if(x < -4, 12/7*sqrt(35), 0)",
        "if(x < -4, 31/3/(gamma - 1) + 40/3, 1/(gamma - 1))",
    ];
    let (solver, cost) = run(&tube(start, "shu_osher_inflow", [-5.0, 5.0], 1.8, cells, formulas))?;
    let reference = Reference::shu_osher(10_000);
    let (mut error, mut area) = (0.0, 0.0);
    at_points(&solver, |[x, _], weight, u| {
        area += weight;
        error += weight * (u[0] - reference.at(x).rho).abs();
    })?;
    Ok(format!("{:.2e} | {cost}", error / area))
}

/// At the undisturbed shock the width in cells, and the greatest density anywhere; `cells` is their number along the height.
fn double_mach(start: &str, cells: usize) -> Result<String, Error> {
    let (solver, cost) = run(&case(&format!(
        r#"law = "euler"
        {start}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [4, 1], cells = [{}, {cells}], jitter = 0.2 }}
        boundaries = {{ left = "double_mach_undisturbed", right = "outflow", bottom = "double_mach_wall", top = "double_mach_undisturbed" }}
        initial.function = "double_mach_reflection"
        time = {{ final = 0.2, integrator = "ssp_rk3" }}
        flux.numerical = "hllc""#,
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
