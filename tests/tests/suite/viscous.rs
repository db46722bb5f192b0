//! Viscous fluxes: order, energy, conservation, the length of steps, and published solutions.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::solver::{Diffusion, Integrator, LegendreStages, Setup, Solver, ViscousScheme};
use tests::{case, example, solution, solver};

use super::stability::{PARALLELOGRAMS, TRIANGLES, growth, lattice};

pub(crate) const SHAPES: [&str; 2] = ["triangles", "quadrilaterals"];

/// A case of advection and diffusion in the unit square.
pub(crate) fn diffusion(order: usize, mesh: &str, boundaries: &str, rest: &str) -> Case {
    case(&format!(
        r#"
        law = "advection_diffusion"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], {mesh} }}
        boundaries = {{ {boundaries} }}
        {rest}
        "#
    ))
}

/// The L2 error of a wave between walls of which two are cold and two insulated, or that is given at the boundaries and carried through.
fn error(order: usize, mesh: &str, mirrors: bool) -> f64 {
    error_by(ViscousScheme::default(), order, mesh, mirrors)
}

/// The same by a scheme.
pub(crate) fn error_by(scheme: ViscousScheme, order: usize, mesh: &str, mirrors: bool) -> f64 {
    let (v, boundaries) = match mirrors {
        true => ("v1 = 0, v2 = 0", r#"left = "cold", right = "cold", bottom = "insulated", top = "insulated""#),
        false => (
            "v1 = 1, v2 = 0.5",
            r#"left = { state = "wave" }, right = { state = "wave" }, bottom = { periodic = "top" }"#,
        ),
    };
    let rest = format!(
        r#"
        viscous = "{scheme}"
        parameters = {{ {v}, nu = 0.05 }}
        initial.function = "wave"
        time = {{ final = 0.02, integrator = "carpenter_kennedy" }}
        "#
    );
    solution(&diffusion(order, mesh, boundaries, &rest)).errors().unwrap().l2[0]
}

#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one_on_every_shape() {
    let meshes = [(1, "jitter = 0.2", true), (2, "degree = 2, curvature = 0.08", true), (3, "jitter = 0.2", false)];
    for (shape, (order, kind, mirrors)) in SHAPES.into_iter().flat_map(|shape| meshes.map(|mesh| (shape, mesh))) {
        let of = |cells: usize| {
            let mesh = format!(r#"elements = "{shape}", cells = [{cells}, {cells}], {kind}"#);
            error(order, &mesh, mirrors)
        };
        let (coarse, fine) = (of(6), of(12));
        let rate = (coarse / fine).log2();
        println!("{shape}, p = {order}, {kind}, mirrors {mirrors}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > order as f64 + 0.75, "{shape}, p = {order}, {kind}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// Through faces between shapes, too.
#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one_on_mixed_meshes() {
    for order in [1, 2] {
        let of = |cells: usize| error(order, &format!("cells = [{cells}, {cells}], layers = {}", cells / 2), true);
        let (coarse, fine) = (of(6), of(12));
        let rate = (coarse / fine).log2();
        assert!(rate > order as f64 + 0.75, "p = {order}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// Through faces between elements of several degrees, of either shape the higher one.
#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_lower_order_plus_one_between_degrees() {
    let pairs = ViscousScheme::ALL.into_iter().flat_map(|scheme| SHAPES.map(|shape| (scheme, shape)));
    for (scheme, higher) in tests::every_other(pairs) {
        let of = |cells: usize| {
            let rest = format!(
                r#"
                orders = {{ {higher} = 3 }}
                viscous = "{scheme}"
                parameters = {{ v1 = 0, v2 = 0, nu = 0.05 }}
                initial.function = "wave"
                time = {{ final = 0.02, integrator = "carpenter_kennedy" }}
                "#
            );
            let boundaries = r#"left = "cold", right = "cold", bottom = "insulated", top = "insulated""#;
            let mesh = format!("cells = [{cells}, {cells}], layers = {}", cells / 2);
            solution(&diffusion(2, &mesh, boundaries, &rest)).errors().unwrap().l2[0]
        };
        let (coarse, fine) = (of(6), of(12));
        let rate = (coarse / fine).log2();
        println!("{scheme}, {higher} of order 3: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > 2.75, "{scheme}, {higher}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// Σ u_j², on elements of one size the energy ½ ∫ u² up to a factor.
fn energy(solver: &Solver) -> f64 {
    solver.coefficients().unwrap().iter().map(|u| u * u).sum()
}

/// Noise, of all frequencies that the mesh has, between a cold wall and an insulated one.
fn noise(shape: &str, order: usize, integrator: Integrator, times_default: f64) -> Solver {
    let mesh = format!(r#"elements = "{shape}", cells = [5, 5], jitter = 0"#);
    let boundaries = r#"left = "cold", right = "insulated", bottom = { periodic = "top" }"#;
    let of_shape = if shape == "triangles" { Shape::Triangle } else { Shape::Quadrilateral };
    let cfl = times_default * integrator.default_cfl(of_shape, order);
    let rest = format!(
        r#"
        parameters = {{ v1 = 0, v2 = 0, nu = 0.3 }}
        initial.formulas.u = "sin(1000*x + 3000*y) + cos(7000*x*y)"
        time = {{ final = 1000, integrator = "{integrator}", cfl = {cfl} }}
        "#
    );
    solver(&diffusion(order, &mesh, boundaries, &rest))
}

#[test]
#[ignore = "long"]
fn the_energy_of_the_heat_equation_never_grows_in_steps_of_the_default_length_and_does_in_steps_of_twice_that() {
    let rkl2 = Integrator::Rkl2(LegendreStages::DEFAULT);
    let integrators = [Integrator::SspRk3, Integrator::NiegemannDiehlBusch, rkl2];
    for (shape, order) in SHAPES.into_iter().flat_map(|shape| [(shape, 1), (shape, 4)]) {
        for integrator in integrators {
            let mut decaying = noise(shape, order, integrator, 1.0);
            // The value on an insulated wall is that inside, but nothing comes in.
            assert!(decaying.entering().unwrap().is_empty());
            let mut before = energy(&decaying);
            for step in 0..30 {
                decaying.advance(1000.0, 1).unwrap();
                let after = energy(&decaying);
                assert!(after < before, "{shape}, p = {order}, {integrator}, step {step}: {before:e} to {after:e}");
                before = after;
            }
        }
        for integrator in [integrators[0], rkl2] {
            let mut growing = noise(shape, order, integrator, 2.0);
            let before = energy(&growing);
            growing.advance(1000.0, 30).unwrap();
            let after = energy(&growing);
            assert!(after > before, "{shape}, p = {order}, {integrator}: {before:e} to {after:e}");
        }
    }
}

/// A wave that decays between two cold walls and two insulated ones, p = 3, until it has a seventh of its height.
fn decaying(time: &str) -> Solver {
    let boundaries = r#"left = "cold", right = "cold", bottom = "insulated", top = "insulated""#;
    let rest = format!(
        r#"
        parameters = {{ v1 = 0, v2 = 0, nu = 0.05 }}
        initial.function = "wave"
        time = {{ final = 0.5, {time} }}
        "#
    );
    solver(&diffusion(3, "cells = [5, 5]", boundaries, &rest))
}

#[test]
fn rkl2_has_order_2_on_the_heat_equation() {
    let at_end = |time: &str, steps: u32| {
        let mut solver = decaying(time);
        for step in 1..=steps {
            let target = 0.5 * f64::from(step) / f64::from(steps);
            let clock = solver.advance(target, if steps == 1 { 500 } else { 1 }).unwrap();
            assert_eq!(clock.time, target, "{clock:?}");
        }
        solver.coefficients().unwrap()
    };
    let exact = at_end(r#"integrator = "carpenter_kennedy""#, 1);
    for stages in [9, 11] {
        let [coarse, fine] = [48, 96].map(|steps| {
            let found = at_end(&format!(r#"integrator = "rkl2", stages = {stages}"#), steps);
            found.iter().zip(&exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        });
        let rate = (coarse / fine).log2();
        assert!((rate - 2.0).abs() < 0.15, "{stages} stages: {coarse:e}, {fine:e}, rate {rate}");
    }
}

#[test]
fn rkl2_takes_a_sixth_of_the_right_hand_sides_for_the_same_error_of_the_heat_equation() {
    let [usual, rkl2] = ["carpenter_kennedy", "rkl2"].map(|integrator| {
        let mut solver = decaying(&format!(r#"integrator = "{integrator}""#));
        let steps = solver.advance(0.5, 2_000).unwrap().steps;
        (solver.errors().unwrap().l2[0], steps * solver.setup().integrator.stages().len() as u64)
    });
    println!("error and right-hand sides: {usual:?}, {rkl2:?}");
    assert!(rkl2.0 < 1.05 * usual.0 && 6 * rkl2.1 < usual.1, "{usual:?}, {rkl2:?}");
}

#[test]
fn rkl2_takes_more_stages_the_more_diffusion_bounds_steps() {
    let of = |v: f64| {
        let parameters = format!("parameters = {{ v1 = {v}, v2 = 0, nu = 0.05 }}");
        let rest = format!("{parameters}\ninitial.function = \"wave\"\ntime = {{ final = 1, integrator = \"rkl2\" }}");
        let boundaries = r#"left = { periodic = "right" }, bottom = { periodic = "top" }"#;
        let case = diffusion(3, "cells = [5, 5]", boundaries, &rest);
        case.setup(&case.build_mesh().unwrap()).unwrap().integrator.stages().len()
    };
    let stages = [0.0, 1.0, 10.0, 1000.0].map(of);
    assert!(stages[0] == 11 && stages[3] == 3 && stages.is_sorted_by(|a, b| a >= b) && stages[1] > 3, "{stages:?}");
}

/// Where waves and diffusion bound steps together, and the method has few stages or many.
#[test]
#[ignore = "long"]
fn steps_of_rkl2_are_stable_whatever_bounds_them() {
    let device = tests::open(Choice::Cpu).unwrap();
    for (shape, sides) in [(Shape::Triangle, &TRIANGLES[..]), (Shape::Quadrilateral, &PARALLELOGRAMS)] {
        for (order, stages) in tests::sample([(1, 3), (1, 11), (2, 5), (3, 3), (3, 11)]) {
            let integrator = Integrator::Rkl2(LegendreStages::new(stages).unwrap());
            let cfl = integrator.default_cfl(shape, order);
            // Elements are of the size 1, and the velocity is along no side.
            for nu in [1e-4, 1e-3, 1e-2, 1e-1] {
                let at = |side: &[f64; 2]| {
                    let parameters = vec![0.9, 0.4, nu];
                    let defaults = Setup::on(shape, &equations::advection_diffusion::LAW, order).unwrap();
                    growth(&device, lattice(shape, *side), Setup { integrator, cfl, parameters, ..defaults }, 200)
                };
                let found: Vec<f64> = sides.iter().map(at).collect();
                let what = format!("{}, p = {order}, {stages} stages, nu = {nu}: {found:.3?}", shape.name());
                assert!(found.iter().all(|growth| *growth < 1.0), "{what}");
            }
        }
    }
}

/// What bounds steps is said to be diffusion where that is so, and waves elsewhere.
#[test]
#[ignore = "long"]
fn diffusion_that_bounds_steps_is_named() {
    let of = |parameters: &str| {
        let boundaries = r#"left = "cold", right = "cold", bottom = "insulated", top = "insulated""#;
        let rest = format!("parameters = {{ {parameters} }}\ninitial.function = \"wave\"\ntime.final = 1");
        diffusion(2, "cells = [4, 4]", boundaries, &rest)
    };
    let limit = |parameters| solver(&of(parameters)).step_limit().unwrap();
    assert_eq!(
        limit("v1 = 0, v2 = 0, nu = 0.3").diffusion,
        Some(Diffusion { diffusivity: 0.3, shortening: f64::INFINITY })
    );
    assert_eq!(limit("v1 = 1, v2 = 0, nu = 1e-3").diffusion, None);
    let both = limit("v1 = 1, v2 = 0, nu = 0.3").diffusion.unwrap();
    assert!(both.diffusivity == 0.3 && (2.0..1e3).contains(&both.shortening), "{both:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, HEAT_OF_ANY_SIZE).unwrap();
    let arguments =
        ["rankine", "run", path.to_str().unwrap(), "--device", "cpu", "--out", folder.path().to_str().unwrap()];
    let message =
        dg_runtime::cli::run(&arguments.map(std::ffi::OsString::from), equations::LAWS).unwrap_err().to_string();
    assert!(message.contains("such steps follow from diffusion in element"), "{message}");
    assert!(message.contains("the diffusivity is 1.000e20"), "{message}");
}

/// A case whose diffusivity is far beyond what steps can follow.
const HEAT_OF_ANY_SIZE: &str = r#"
law = "advection_diffusion"
order = 1
parameters = { v1 = 0, v2 = 0, nu = 1e20 }
mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }
boundaries = { left = "cold", right = "cold", bottom = "insulated", top = "insulated" }
initial.function = "wave"
time.final = 1
"#;

/// The integrals of a gas with viscosity and conduction in a periodic square.
#[test]
#[ignore = "long"]
fn mass_momentum_and_energy_of_a_viscous_gas_are_kept() {
    for (shape, kind) in [("triangles", "jitter = 0.2"), ("quadrilaterals", "degree = 2, curvature = 0.05")] {
        let text = format!(
            r#"
            law = "navier_stokes"
            order = 2
            parameters = {{ mu = 0.05, sutherland = 1 }}
            mesh = {{ generator = "rectangle", elements = "{shape}", lower = [0, 0], upper = [2, 2], cells = [5, 5], {kind} }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.formulas = {{ rho = "1 + 0.2*sin(pi*x)", v1 = "0.3*cos(pi*y)", v2 = "0.2", p = "1 + 0.1*cos(pi*(x + y))" }}
            time = {{ final = 0.05 }}
            "#
        );
        let case = case(&text);
        let (before, after) = (solver(&case).integrals().unwrap(), solution(&case).integrals().unwrap());
        for (before, after) in before.iter().zip(after) {
            assert!((before - after).abs() < 1e-12 * (1.0 + before.abs()), "{shape}: {before} and {after}");
        }
    }
}

/// A viscous gas that sloshes in a closed box, on a mesh: nothing passes walls at rest without conduction, nor walls without friction.
pub(crate) fn box_of_gas(mesh: &str) -> Case {
    let bottom = r#"{ if = "x < 1", then = "slip_wall", else = "adiabatic_wall" }"#;
    box_of_gas_with(mesh, r#""adiabatic_wall""#, bottom)
}

/// The same with these conditions on the left and at the bottom.
pub(crate) fn box_of_gas_with(mesh: &str, left: &str, bottom: &str) -> Case {
    case(&format!(
        r#"
        law = "navier_stokes"
        order = 2
        parameters = {{ mu = 0.05, sutherland = 1 }}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [2, 2], cells = [5, 5], {mesh} }}
        flux.numerical = "hllc"
        time.final = 0.1
        [boundaries]
        left = {left}
        right = "adiabatic_wall"
        bottom = {bottom}
        top = "adiabatic_wall"
        [initial.formulas]
        rho = "1 + 0.2*sin(3*x)*cos(2*y)"
        v1 = "0.3*cos(pi*y) + 0.1*x"
        v2 = "0.2*sin(2*x + y)"
        p = "1 + 0.1*cos(pi*(x + y))"
        "#
    ))
}

#[test]
#[ignore = "long"]
fn walls_without_conduction_keep_mass_and_energy() {
    assert_eq!(equations::navier_stokes::LAW.algebra.inversions, ["adiabatic_wall", "heated_wall"]);
    let meshes = [
        r#"elements = "triangles", jitter = 0.2"#,
        r#"elements = "quadrilaterals", degree = 2, curvature = 0.05"#,
        r#"elements = "triangles", degree = 2, curvature = 0.05"#,
    ];
    for mesh in meshes {
        let case = box_of_gas(mesh);
        let (before, after) = (solver(&case).integrals().unwrap(), solution(&case).integrals().unwrap());
        for component in [0, 3] {
            let change = (after[component] / before[component] - 1.0).abs();
            println!("{mesh}, component {component}: {change:.1e}");
            assert!(change < 1e-13, "{mesh}, component {component}: {change:e}");
        }
    }
}

/// The L2 errors of density, momentum and energy of waves in a gas with Sutherland's viscosity, for which a source is derived.
fn error_of_gas(mesh: &str, order: usize, cells: usize) -> [f64; 4] {
    let text = format!(
        r#"
        law = "navier_stokes"
        order = {order}
        parameters = {{ mu = 0.1, sutherland = 1 }}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [2, 2], cells = [{cells}, {cells}], {mesh} }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.function = "manufactured_waves"
        exact.function = "manufactured_waves"
        flux.numerical = "hllc"
        time = {{ final = 0.1, integrator = "carpenter_kennedy" }}
        "#
    );
    let l2 = solution(&case(&text)).errors().unwrap().l2;
    std::array::from_fn(|c| l2[c])
}

#[test]
#[ignore = "long"]
fn errors_of_a_viscous_gas_fall_with_the_power_of_the_order_plus_one_on_every_kind_of_mesh() {
    let meshes = [
        (1, r#"elements = "triangles", jitter = 0.2"#),
        (2, r#"elements = "triangles", degree = 2, curvature = 0.08"#),
        (2, r#"elements = "quadrilaterals", jitter = 0.2"#),
        (2, r#"elements = "quadrilaterals", degree = 3, curvature = 0.08"#),
    ];
    for (order, mesh) in meshes {
        let [coarse, fine] = [6, 12].map(|cells| error_of_gas(mesh, order, cells));
        let rates: Vec<f64> = coarse.iter().zip(fine).map(|(coarse, fine)| (coarse / fine).log2()).collect();
        println!("p = {order}, {mesh}: {fine:.2?}, rates {rates:.2?}");
        let mean = rates.iter().sum::<f64>() / 4.0;
        assert!(mean > order as f64 + 0.75, "p = {order}, {mesh}: {rates:?}");
    }
}

/// Checks that the L2 errors of a component fall with the power p + 1 between two meshes of a case that comes with Rankine.
fn assert_order(name: &str, component: usize, settings: &[&str], meshes: [&str; 2]) {
    let mut order = 0;
    let [coarse, fine] = meshes.map(|cells| {
        let cells = format!("mesh.cells={cells}");
        let case = example(name, &[settings, &[&cells]].concat());
        order = case.order;
        solution(&case).errors().unwrap().l2[component]
    });
    let rate = (coarse / fine).log2();
    println!("{name}, p = {order}, {settings:?}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
    assert!(rate > order as f64 + 0.8, "{name}, p = {order}, {settings:?}: {coarse:e}, {fine:e}, rate {rate}");
}

/// Flow between plates of given temperature, of which one moves (F. Bassi & S. Rebay 1997), its own steady state without a source; and
/// between two at rest, by a force.
#[test]
#[ignore = "long"]
fn flows_between_plates_have_order_p_plus_1() {
    let triangles = ["mesh.elements=triangles", "order=2", "time.final=0.3"];
    let quadrilaterals = ["mesh.elements=quadrilaterals", "order=1", "time.final=0.3"];
    for component in [0, 1] {
        assert_order("couette.toml", component, &triangles, ["[4, 2]", "[8, 4]"]);
        assert_order("couette.toml", component, &quadrilaterals, ["[4, 2]", "[8, 4]"]);
        assert_order("poiseuille.toml", component, &triangles, ["[6, 6]", "[12, 12]"]);
    }
}

/// Of Becker's shock, from the exact profile to the scheme's own, without a source.
#[test]
#[ignore = "long"]
fn the_inside_of_a_shock_has_order_p_plus_1() {
    let settings = ["time.final=0.2", "exact={state=\"shock_profile\"}"];
    for component in [0, 3] {
        assert_order("viscous_shock.toml", component, &settings, ["[16, 1]", "[32, 1]"]);
    }
}

#[test]
fn a_front_of_burgers_equation_has_order_p_plus_1() {
    assert_order("viscous_front.toml", 0, &["order=2", "time.final=0.2"], ["[10, 10]", "[20, 20]"]);
}

/// A river's velocity is a parabola, and so a polynomial of degree 2: on rectangles, whose quadrature is exact for its fluxes, it stays to
/// rounding.
#[test]
#[ignore = "long"]
fn a_river_between_rough_banks_stays_to_rounding() {
    let largest = solution(&example("river.toml", &["time.final=2"])).errors().unwrap().max;
    assert!(largest.iter().all(|error| *error < 1e-12), "{largest:?}");
}
