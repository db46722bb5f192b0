//! Default Courant numbers are stable, and not needlessly small.

use dg_runtime::conservation_law;
use dg_runtime::device::{Choice, Device};
use dg_runtime::law::Role;
use dg_runtime::mesh::generate::Rectangle;
use dg_runtime::solver::{Integrator, Precision, Setup, Solver};

/// Sound in air at rest: ∂p/∂t + ∇·v = 0, ∂v/∂t + ∇p = 0. Its energy is the L2 norm, and it has waves of the highest speed
/// and of none, which the numerical flux dissipates most.
#[conservation_law(dim = 2, orders = 0..=7)]
mod acoustics {
    #[state]
    pub struct State {
        pub p: f64,
        pub v1: f64,
        pub v2: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        [State { p: u.v1, v1: u.p, v2: 0.0 }, State { p: u.v2, v1: 0.0, v2: u.p }]
    }

    pub fn eigenvalues(_: State, _: Normal) -> [f64; 3] {
        [-1.0, 0.0, 1.0]
    }
}

/// How many times its energy norm any state has after many steps on a periodic mesh of this length and height 1.
fn growth(integrator: Integrator, order: usize, length: f64, cfl: f64) -> f64 {
    const STEPS: u64 = 300;
    let options = Rectangle { upper: [length, 1.0], cells: [4, 4], periodic: [true; 2], ..Rectangle::default() };
    let setup = Setup {
        law: &acoustics::LAW,
        order,
        parameters: Vec::new(),
        numerical_flux: acoustics::LAW.function(Role::NumericalFlux, "rusanov").unwrap(),
        boundaries: Vec::new(),
        initial: None,
        exact: None,
        integrator,
        cfl,
        tolerance: None,
        step_every: 1,
        precision: Precision::Double,
        limiter: None,
        schedule: None,
    };
    let mut solver = Solver::new(Device::open(Choice::Cpu).unwrap(), options.mesh().unwrap(), setup).unwrap();
    // Any numbers contain every wave that the mesh can hold.
    let any: Vec<f64> = (0..solver.dof()).map(|i| (0.7 * (i * i) as f64).sin()).collect();
    solver.set_coefficients(&any).unwrap();
    solver.advance(f64::INFINITY, STEPS).unwrap();
    // The basis is orthonormal, and all elements are of one size.
    let norm = |coefficients: &[f64]| coefficients.iter().map(|c| c * c).sum::<f64>().sqrt();
    norm(&solver.coefficients().unwrap()) / norm(&any)
}

fn assert_default_is_near_the_limit(integrator: Integrator) {
    const STRETCHED: f64 = 1000.0;
    for order in 0..=7 {
        let cfl = integrator.default_cfl(order);
        let at = |factor: f64| [1.0, STRETCHED].map(|length| growth(integrator, order, length, factor * cfl));
        let (stable, unstable) = (at(1.0), at(1.2));
        println!("{integrator}, p = {order}: by {stable:.3?} at cfl = {cfl}, by {unstable:?} at 1.2 times that");
        assert!(stable.iter().all(|growth| *growth < 1.0 + 1e-3), "{integrator}, p = {order}: {stable:?}");
        // Beyond, Heun's method grows too slowly to be seen here.
        if integrator != Integrator::Heun || order < 2 {
            assert!(unstable[1] > 10.0, "{integrator}, p = {order}: {unstable:?}");
        }
    }
}

#[test]
fn default_of_heun() {
    assert_default_is_near_the_limit(Integrator::Heun);
}

#[test]
fn default_of_ssp_rk3() {
    assert_default_is_near_the_limit(Integrator::SspRk3);
}

#[test]
fn default_of_ssp_rk43() {
    assert_default_is_near_the_limit(Integrator::SspRk43);
}

#[test]
fn default_of_niegemann_diehl_busch() {
    assert_default_is_near_the_limit(Integrator::NiegemannDiehlBusch);
}

#[test]
fn default_of_rk4() {
    assert_default_is_near_the_limit(Integrator::Rk4);
}

#[test]
fn default_of_carpenter_kennedy() {
    assert_default_is_near_the_limit(Integrator::CarpenterKennedy);
}
