//! Riemann problems of the laws that come with Rankine, against exact solutions: traffic, displacement, rarefied and relativistic gas.

use tests::riemann::{Primitive, Riemann};
use tests::{example, mean_difference, means, solution};

/// Mean errors of the first component on 50 and 200 cells; between them lies at least so large a factor.
fn assert_convergence(name: &str, least: f64, settings: &[&str]) {
    let error = |cells: &str| {
        let settings = [&[cells, "output.every=100"], settings].concat();
        solution(&example(name, &settings)).errors().unwrap().l1[0]
    };
    let [coarse, fine] = ["mesh.cells=[50, 2]", "mesh.cells=[200, 2]"].map(error);
    println!("{name} {settings:?}: {coarse:.2e}, {fine:.2e}, a factor of {:.2}", coarse / fine);
    assert!(coarse / fine >= least, "{name} {settings:?}: {coarse:e}, {fine:e}");
}

/// The errors of shocks and kinks fall with the size of cells.
#[test]
fn a_queue_at_a_light_grows_and_starts_as_in_the_exact_solution() {
    for flux in ["godunov", "rusanov"] {
        assert_convergence("traffic_light.toml", 3.3, &[&format!("flux.numerical={flux}")]);
    }
}

/// That of a contact falls with the size of cells to the power 2/3 (A. Harten, Comm. Pure Appl. Math. 30 (1977) 611–638).
#[test]
#[ignore = "long"]
fn drivers_brake_and_accelerate_as_in_the_exact_solution() {
    let accelerate = ["formulas.v_left=0.2", "formulas.v_right=0.6", "formulas.rho_left=0.8"];
    for flux in ["godunov", "hll"] {
        let flux = format!("flux.numerical={flux}");
        assert_convergence("braking.toml", 2.3, &[&flux]);
        assert_convergence("braking.toml", 2.3, &[&[flux.as_str()], &accelerate[..]].concat());
    }
}

#[test]
#[ignore = "long"]
fn water_drives_out_oil_as_in_the_exact_solution() {
    for viscosity in ["parameters.a=0.25", "parameters.a=2.0"] {
        assert_convergence("displacement.toml", 3.3, &[viscosity]);
    }
}

/// Without shear, density, velocity and pressure along a tube are those of a gas with γ = 3.
#[test]
#[ignore = "long"]
fn a_gaussian_gas_in_a_tube_is_one_with_three_for_gamma() {
    assert_convergence("gaussian_gas.toml", 2.3, &[]);
    let [left, right] = [[1.0, 2.0], [0.125, 0.2]].map(|[rho, p]| Primitive { rho, v: 0.0, p });
    let exact = Riemann::new(left, right, 3.0);
    let found = mean_difference(&solution(&example("gaussian_gas.toml", &[])), |x| exact.at((x - 0.5) / 0.125).rho);
    println!("{found:.2e}");
    assert!(found < 4e-3, "{found}");
}

/// Pressure, velocity and the densities D left and right of the contact when a gas at rest bursts into another of the same γ.
///
/// J. M. Martí & E. Müller, J. Fluid Mech. 258 (1994) 317–333: the rarefaction keeps entropy and a Riemann invariant, and the shock
/// satisfies Taub's relation.
fn burst([rho_l, p_l]: [f64; 2], [rho_r, p_r]: [f64; 2], gamma: f64) -> [f64; 4] {
    let enthalpy = |rho: f64, p: f64| 1.0 + gamma / (gamma - 1.0) * p / rho;
    let root = (gamma - 1.0).sqrt();
    let invariant = |rho: f64, p: f64| {
        let c = (gamma * p / (rho * enthalpy(rho, p))).sqrt();
        ((root + c) / (root - c)).powf(2.0 / root)
    };
    let behind_rarefaction = |p: f64| {
        let rho = rho_l * (p / p_l).powf(1.0 / gamma);
        let b = invariant(rho_l, p_l) / invariant(rho, p);
        (rho, (b - 1.0) / (b + 1.0))
    };
    let behind_shock = |p: f64| {
        let h_r = enthalpy(rho_r, p_r);
        let k = (gamma - 1.0) * (p_r - p) / (gamma * p);
        let (a, b, c) = (1.0 + k, -k, h_r * (p_r - p) / rho_r - h_r * h_r);
        let h = (-b + (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
        let rho = gamma * p / ((gamma - 1.0) * (h - 1.0));
        let j = ((p - p_r) / (h_r / rho_r - h / rho)).sqrt();
        let w = (1.0 + j * j / (rho_r * rho_r)).sqrt();
        (rho, w * (p - p_r) / j / (h_r + (p - p_r) / rho_r))
    };
    let (mut low, mut high) = (p_r, p_l);
    for _ in 0..100 {
        let p = 0.5 * (low + high);
        if behind_rarefaction(p).1 > behind_shock(p).1 {
            low = p;
        } else {
            high = p;
        }
    }
    let ((l, v), (r, _)) = (behind_rarefaction(low), behind_shock(low));
    let lorentz = (1.0 - v * v).sqrt().recip();
    [low, v, l * lorentz, r * lorentz]
}

#[test]
#[ignore = "long"]
fn a_relativistic_burst_has_the_published_shell() {
    let [p, v, left, right] = burst([10.0, 13.33], [1.0, 1e-6], 5.0 / 3.0);
    // Martí & Müller 2003, table 5: velocity of the shell, and its density by that of the gas before the shock.
    let lorentz = (1.0 - v * v).sqrt().recip();
    assert!((v - 0.714).abs() < 5e-4 && (right / lorentz - 5.07).abs() < 5e-3, "{p} {v} {right}");
    let solver = solution(&example("relativistic_tube.toml", &["output.every=100"]));
    let means = means(&solver);
    let between = |from: f64, to: f64| {
        let mesh = solver.mesh();
        let inside = |element: &usize| (from..to).contains(&mesh.position(*element, &[1.0 / 3.0; 2])[0]);
        let values: Vec<f64> = (0..means.len()).filter(inside).map(|element| means[element]).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let (behind, shell) = (between(0.65, 0.75), between(0.81, 0.822));
    println!("{behind} {left}, {shell} {right}");
    assert!(
        (behind / left - 1.0).abs() < 0.01 && (shell / right - 1.0).abs() < 0.02,
        "{behind} {left}, {shell} {right}"
    );
}
