//! The schemes for viscous fluxes: order, conservation, symmetry, energy, the length of steps, and meshes of all kinds.

use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::solver::{Integrator, PATCHES, Schedule, Setup, Solver, Variant, ViscousScheme};
use tests::{case, solution, solver};

use super::stability::{PARALLELOGRAMS, TRIANGLES, growth, irregular, lattice};
use super::viscous::{SHAPES, error_by};

/// Those that are not the default, of which the tests in `viscous.rs` are.
const OTHERS: [ViscousScheme; 2] = [ViscousScheme::Br2, ViscousScheme::Cdg];

/// Of waves that are given at boundaries or mirrored there.
#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one() {
    for scheme in OTHERS {
        for (shape, order) in SHAPES.into_iter().flat_map(|shape| [1, 2, 3].map(|order| (shape, order))) {
            let mirrors = order != 3;
            let jitter = if shape == "triangles" { 0.2 } else { 0.0 };
            let of = |cells: usize| {
                let mesh = format!(r#"elements = "{shape}", cells = [{cells}, {cells}], jitter = {jitter}"#);
                error_by(scheme, order, &mesh, mirrors)
            };
            // Jumps that are penalised little begin to fall on finer meshes.
            let (coarse, fine) = if order < 3 { (of(12), of(24)) } else { (of(6), of(12)) };
            let rate = (coarse / fine).log2();
            println!("{scheme}, {shape}, p = {order}, mirrors {mirrors}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
            assert!(rate > order as f64 + 0.75, "{scheme}, {shape}, p = {order}: {coarse:e}, {fine:e}, rate {rate}");
        }
    }
}

/// A gas with Sutherland's viscosity in a square, periodic in one direction.
fn gas(scheme: ViscousScheme, shape: &str, order: usize, boundaries: &str, rest: &str) -> String {
    let jitter = if shape == "triangles" { 0.2 } else { 0.0 };
    format!(
        r#"
        law = "navier_stokes"
        viscous = "{scheme}"
        order = {order}
        parameters = {{ mu = 0.05, sutherland = 1 }}
        mesh = {{ generator = "rectangle", elements = "{shape}", lower = [0, 0], upper = [2, 2], cells = [5, 5], jitter = {jitter} }}
        boundaries = {{ {boundaries}, bottom = {{ periodic = "top" }} }}
        initial.formulas = {{ rho = "1 + 0.2*sin(pi*x)", v1 = "0.3*cos(pi*y)", v2 = "0.2", p = "1 + 0.1*cos(pi*(x + y))" }}
        {rest}
        "#
    )
}

#[test]
#[ignore = "long"]
fn mass_momentum_and_energy_of_a_viscous_gas_are_kept() {
    for (scheme, shape) in OTHERS.into_iter().flat_map(|scheme| SHAPES.map(|shape| (scheme, shape))) {
        let case = case(&gas(scheme, shape, 2, r#"left = { periodic = "right" }"#, "time.final = 0.05"));
        let (before, after) = (solver(&case).integrals().unwrap(), solution(&case).integrals().unwrap());
        for (before, after) in before.iter().zip(after) {
            assert!((before - after).abs() < 1e-12 * (1.0 + before.abs()), "{scheme}, {shape}: {before} and {after}");
        }
    }
}

/// Noise, with jumps as large as itself: so that the penalty is a large part of the flux through the boundary.
fn noise(scheme: ViscousScheme, shape: &str, order: usize, boundaries: &str, rest: &str) -> String {
    let jitter = if shape == "triangles" { 0.2 } else { 0.0 };
    format!(
        r#"
        law = "advection_diffusion"
        viscous = "{scheme}"
        order = {order}
        parameters = {{ v1 = 0, v2 = 0, nu = 0.3 }}
        mesh = {{ generator = "rectangle", elements = "{shape}", lower = [0, 0], upper = [1, 1], cells = [5, 5], jitter = {jitter} }}
        boundaries = {{ {boundaries} }}
        initial.formulas.u = "sin(1000*x + 3000*y) + cos(7000*x*y)"
        time = {{ final = 1000, integrator = "ssp_rk3" }}
        {rest}
        "#
    )
}

#[test]
#[ignore = "long"]
fn what_is_measured_at_the_boundary_is_what_the_integral_loses() {
    for (scheme, shape) in ViscousScheme::ALL.into_iter().flat_map(|scheme| SHAPES.map(|shape| (scheme, shape))) {
        let boundaries = r#"left = "cold", right = { state.u = 0.5 }, bottom = { periodic = "top" }"#;
        let measured = r#"measure.fluxes.sides.boundaries = ["left", "right"]"#;
        let mut solver = solver(&case(&noise(scheme, shape, 2, boundaries, measured)));
        let before = solver.integrals().unwrap()[0];
        let faces = solver.faces(&["left", "right"].map(str::to_owned), [0.0; 2]).unwrap();
        let flux = solver.flux_through(&faces).unwrap().components[0];
        let step = 1e-9;
        solver.advance(step, 1).unwrap();
        let lost = (before - solver.integrals().unwrap()[0]) / step;
        println!("{scheme}, {shape}: {flux}, {lost}");
        assert!((lost - flux).abs() < 1e-4 * flux.abs(), "{scheme}, {shape}: {flux} measured, {lost} lost");
    }
}

/// A step of a linear scheme is a polynomial of its operator, and symmetric where that is: the schemes are consistent with the adjoint problem, too.
#[test]
#[ignore = "long"]
fn operators_are_symmetric_and_energy_never_grows() {
    let boundaries = r#"left = "cold", right = "insulated", bottom = "cold", top = "cold""#;
    for (scheme, shape) in ViscousScheme::ALL.into_iter().flat_map(|scheme| SHAPES.map(|shape| (scheme, shape))) {
        for order in [1, 3] {
            let mut solver = solver(&case(&noise(scheme, shape, order, boundaries, "")));
            let determinants: Vec<f64> =
                (0..solver.mesh().element_count()).map(|element| solver.mesh().geometry(element).determinant).collect();
            let basis = solver.dof() / determinants.len();
            let product = |a: &[f64], b: &[f64]| -> f64 {
                a.iter().zip(b).enumerate().map(|(i, (a, b))| determinants[i / basis] * a * b).sum()
            };
            let mut any = [0.7, 0.9]
                .map(|seed| -> Vec<f64> { (0..solver.dof()).map(|i| (seed * (i * i) as f64).sin()).collect() });
            let mut next = any.clone();
            for _ in 0..10 {
                for (next, any) in next.iter_mut().zip(&any) {
                    solver.project(0.0).unwrap();
                    solver.set_coefficients(any).unwrap();
                    solver.advance(1000.0, 1).unwrap();
                    *next = solver.coefficients().unwrap();
                    let (before, after) = (product(any, any), product(next, next));
                    assert!(after < before, "{scheme}, {shape}, p = {order}: {before:e} to {after:e}");
                }
                let [one, other] = [product(&any[0], &next[1]), product(&next[0], &any[1])];
                let size = (product(&any[0], &any[0]) * product(&any[1], &any[1])).sqrt();
                assert!((one - other).abs() < 1e-12 * size, "{scheme}, {shape}, p = {order}: {one:e}, {other:e}");
                any.clone_from(&next);
            }
        }
    }
}

/// The bound on steps by diffusion is the one of the worst of these lattices: no wave grows with the default, some do with larger steps.
#[test]
#[ignore = "long"]
fn the_bound_on_steps_is_near_the_limit() {
    let device = tests::open(Choice::Cpu).unwrap();
    let law = equations::LAWS.iter().copied().find(|law| law.name == "advection_diffusion").unwrap();
    let integrator = Integrator::SspRk3;
    for (scheme, shape) in ViscousScheme::ALL.into_iter().flat_map(|scheme| Shape::ALL.map(|shape| (scheme, shape))) {
        let sides: &[[f64; 2]] = if shape == Shape::Triangle { &TRIANGLES } else { &PARALLELOGRAMS };
        for order in tests::sample(1..=7) {
            let at = |mesh, factor: f64, steps| {
                let cfl = factor * integrator.default_cfl(shape, order);
                let defaults = Setup::on(shape, law, order).unwrap();
                let setup = Setup { viscous: scheme, integrator, cfl, parameters: vec![0.0, 0.0, 1.0], ..defaults };
                growth(&device, mesh, setup, steps)
            };
            let on_lattices = |factor: f64, steps| -> Vec<f64> {
                sides.iter().map(|&side| at(lattice(shape, side), factor, steps)).collect()
            };
            let mut stable = on_lattices(1.0, 100);
            stable.extend((shape == Shape::Triangle).then(|| at(irregular(), 1.0, 100)));
            let unstable = on_lattices(1.3, 100);
            println!(
                "{scheme}, {}, p = {order}: by {stable:.3?}, with steps 1.3 times as long by {unstable:.3?}",
                shape.name()
            );
            assert!(stable.iter().all(|growth| *growth < 1.0), "{scheme}, {}, p = {order}: {stable:?}", shape.name());
            let grows = |growth: &f64| growth.is_nan() || *growth > 10.0;
            assert!(unstable.iter().any(grows), "{scheme}, {}, p = {order}: {unstable:?}", shape.name());
        }
    }
}

/// The coefficients after some steps.
fn march(text: &str, schedule: Variant) -> Vec<f64> {
    let mut solver: Solver = solver(&case(&format!("schedule = \"{schedule}\"\n{text}")));
    solver.advance(10.0, 5).unwrap();
    solver.coefficients().unwrap()
}

#[test]
#[ignore = "long"]
fn schedules_give_the_same_solution() {
    for (scheme, shape) in OTHERS.into_iter().flat_map(|scheme| SHAPES.map(|shape| (scheme, shape))) {
        let boundaries = r#"left = "adiabatic_wall", right = "outflow""#;
        let text = gas(scheme, shape, 2, boundaries, "time.final = 10.0");
        let all = [Schedule::Element, Schedule::Component].into_iter();
        let all = all.flat_map(|schedule| PATCHES.map(|patch| Variant { schedule, patch, blocks: None }));
        let found: Vec<(Variant, Vec<f64>)> = all.map(|schedule| (schedule, march(&text, schedule))).collect();
        let size = found[0].1.iter().fold(0.0_f64, |size, value| value.abs().max(size));
        for (schedule, coefficients) in &found[1..] {
            let differences = coefficients.iter().zip(&found[0].1).map(|(a, b)| (a - b).abs());
            let largest = differences.fold(0.0, f64::max);
            assert!(largest < 1e-12 * size, "{scheme}, {shape}, {schedule}: {largest:e} of {size}");
        }
    }
}

/// Meshes on which faces keep how they lift jumps.
const KEPT: [&str; 4] = [
    r#"elements = "quadrilaterals", jitter = 0.2"#,
    r#"elements = "quadrilaterals", degree = 2, curvature = 0.05"#,
    "degree = 2, curvature = 0.05",
    "layers = LAYERS",
];

#[test]
#[ignore = "long"]
fn schemes_keep_the_order_on_every_mesh() {
    for (scheme, kind) in OTHERS.into_iter().flat_map(|scheme| KEPT.map(|kind| (scheme, kind))) {
        for order in [2, 3] {
            let of = |cells: usize| {
                let kind = kind.replace("LAYERS", &(cells / 2).to_string());
                error_by(scheme, order, &format!("cells = [{cells}, {cells}], {kind}"), true)
            };
            // Curved elements of interior penalty have the same errors, and need as fine meshes, at p = 3.
            let (coarse, fine) = if order == 2 { (of(6), of(12)) } else { (of(12), of(24)) };
            let rate = (coarse / fine).log2();
            println!("{scheme}, {kind}, p = {order}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
            assert!(rate > order as f64 + 0.7, "{scheme}, {kind}, p = {order}: {coarse:e}, {fine:e}, rate {rate}");
        }
    }
}

/// In steps of the default length nothing grows, and what leaves through the boundary is what is measured there.
#[test]
#[ignore = "long"]
fn schemes_are_stable_on_every_mesh() {
    let boundaries = r#"left = "cold", right = { state.u = 0.5 }, bottom = "cold", top = "insulated""#;
    for (scheme, kind) in OTHERS.into_iter().flat_map(|scheme| KEPT.map(|kind| (scheme, kind))) {
        for order in [1, 2, 3] {
            let kind = kind.replace("LAYERS", "3");
            let measured = r#"measure.fluxes.sides.boundaries = ["left", "right", "bottom", "top"]"#;
            let text = noise(scheme, "triangles", order, boundaries, measured);
            let text = text.replace(r#"elements = "triangles", "#, "").replace("jitter = 0.2", &kind);
            let mut solver = solver(&case(&text));
            let largest =
                |solver: &Solver| solver.coefficients().unwrap().iter().fold(0.0_f64, |most, u| most.max(u.abs()));
            let (before, start) = (solver.integrals().unwrap()[0], largest(&solver));
            let faces = ["left", "right", "bottom", "top"].map(str::to_owned);
            let flux = solver.flux_through(&solver.faces(&faces, [0.0; 2]).unwrap()).unwrap().components[0];
            let step = 1e-9;
            solver.advance(step, 1).unwrap();
            let lost = (before - solver.integrals().unwrap()[0]) / step;
            assert!((lost - flux).abs() < 1e-4 * flux.abs(), "{scheme}, {kind}: {flux} measured, {lost} lost");
            solver.advance(1000.0, 300).unwrap();
            let end = largest(&solver);
            println!("{scheme}, {kind}, p = {order}: {start:.3} to {end:.3}");
            assert!(end < start, "{scheme}, {kind}, p = {order}: {start} to {end}");
        }
    }
}
