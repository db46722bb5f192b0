//! What limiters promise: bounds of means, integrals and symmetries that stay.

use dg_runtime::case::Case;
use dg_runtime::solver::{Integrator, Method};
use tests::{case, means, solver};

/// Methods with an order each, and what keeps the range of means of scalar laws.
fn methods(orders: &[usize]) -> Vec<(Method, usize)> {
    let pairs = Method::ALL.into_iter().flat_map(|method| orders.iter().map(move |order| (method, *order)));
    pairs.filter(|(method, order)| method.suits(*order)).collect()
}

fn scalar(law: &str, method: Method, order: usize, cfl: Option<f64>, integrator: Integrator) -> Case {
    let cfl = cfl.map_or(String::new(), |cfl| format!("cfl = {cfl:?}"));
    let (initial, flux) = match law {
        "advection" => (r#"formulas.u = "if(abs(x + 0.2) < 0.25, if(abs(y) < 0.2, 1, 0), 0)""#, "upwind"),
        _ => (r#"formulas.u = "0.25 + 0.5*sin(2*pi*(x + y))""#, "godunov"),
    };
    case(&format!(
        r#"
        law = "{law}"
        order = {order}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [14, 14], jitter = 0.2 }}
        limiter = {{ method = "{method}" }}
        flux.numerical = "{flux}"
        [initial]
        {initial}
        [time]
        final = 0.4
        integrator = "{integrator}"
        {cfl}
        "#
    ))
}

/// How far means leave the range that they have at first.
fn overshoot(case: &Case) -> f64 {
    let mut solver = solver(case);
    let range = |means: &[f64]| [means.iter().copied().fold(f64::INFINITY, f64::min), means.iter().copied().fold(f64::NEG_INFINITY, f64::max)];
    let [least, most] = range(&means(&solver));
    let mut worst = 0.0_f64;
    while solver.advance(case.time.until.unwrap(), 1).unwrap().time < case.time.until.unwrap() {
        let [low, high] = range(&means(&solver));
        worst = worst.max(least - low).max(high - most);
    }
    worst
}

#[test]
fn explore() {
    for law in ["advection", "burgers"] {
        for (method, order) in methods(&[1, 2, 3, 4, 5]) {
            for integrator in [Integrator::Heun, Integrator::SspRk3] {
                let sound = integrator.limited_cfl(order).unwrap();
                let o: Vec<String> = [0.5, 1.0, 1.5, 2.0, 3.0].iter().map(|f| format!("{:.1e}", overshoot(&scalar(law, method, order, Some(f * sound), integrator)))).collect();
                println!("{law} {method} p={order} {integrator} cfl {sound} x .5 1 1.5 2 3: {o:?}");
            }
        }
    }
}
