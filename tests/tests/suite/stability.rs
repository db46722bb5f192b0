//! Default Courant numbers are stable, and not unnecessarily small: on triangles of any shape, for waves in any direction.

use std::ops::RangeInclusive;
use std::sync::Arc;

use dg_runtime::conservation_law;
use dg_runtime::device::{Choice, Device};
use dg_runtime::law::{Law, Shape};
use dg_runtime::mesh::generate::Rectangle;
use dg_runtime::mesh::{Draft, Elements, Groups, Mesh};
use dg_runtime::solver::{Integrator, LegendreStages, Setup, Solver};

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

/// What a flow along x carries, but for a thousandth of its speed.
#[conservation_law(dim = 2, orders = 0..=7)]
mod carried {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        [u, State { u: 1e-3 * u.u }]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + 1e-3 * n.y]
    }
}

/// The same sound with friction of a rate that is zero, for methods that take a source implicitly.
#[conservation_law(dim = 2, orders = 0..=7)]
mod rubbed {
    #[parameters]
    pub struct Friction {
        #[default(0.0)]
        pub rate: f64,
    }

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

    #[source]
    pub fn friction(u: State, f: Friction) -> State {
        State { p: 0.0, v1: -f.rate * u.v1, v2: -f.rate * u.v2 }
    }
}

/// Parallelograms along each side of a lattice: so many that the waves which grow first fit it, but for p = 0.
fn cells(shape: Shape) -> usize {
    match shape {
        Shape::Triangle => 4,
        Shape::Quadrilateral => 8,
    }
}

/// A periodic lattice of parallelograms with one side from (0, 0) to (1, 0) and the other from there to this point, or of their halves.
pub(crate) fn lattice(shape: Shape, [x, y]: [f64; 2]) -> Mesh {
    let count = cells(shape);
    let vertex = |i: usize, j: usize| (j * (count + 1) + i) as u32;
    let vertices = (0..=count).flat_map(|j| (0..=count).map(move |i| [i, j].map(|k| k as f64)));
    let cells = (0..count).flat_map(|j| (0..count).map(move |i| [i, j]));
    let periods = (0..count).flat_map(|i| {
        [
            [[vertex(i, 0), vertex(i + 1, 0)], [vertex(i, count), vertex(i + 1, count)]],
            [[vertex(0, i), vertex(0, i + 1)], [vertex(count, i), vertex(count, i + 1)]],
        ]
    });
    let corners = |[i, j]: [usize; 2]| [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
    let elements: Vec<u32> = cells.flat_map(corners).collect();
    let draft = Draft {
        vertices: vertices.flat_map(|[i, j]| [i + j * x, j * y]).collect(),
        elements: Elements::new(
            shape,
            if shape == Shape::Triangle { Shape::Quadrilateral.cut(&elements) } else { elements },
        ),
        boundaries: Vec::new(),
        named_faces: Vec::new(),
        periodic_faces: periods.collect(),
        offered_periods: Vec::new(),
        element_tags: Vec::new(),
        groups: Groups::default(),
    };
    Mesh::new(draft).unwrap()
}

/// The other sides of parallelograms with these halves: equilateral, right, a needle, slivers.
pub(crate) const TRIANGLES: [[f64; 2]; 5] =
    [[-0.5, 0.866_025_403_784_438_6], [-0.5, 0.5], [-1.0, 1e-3], [-0.5, 1e-3], [-0.75, 0.03]];

/// A square, slats, and slanted ones.
pub(crate) const PARALLELOGRAMS: [[f64; 2]; 4] = [[0.0, 1.0], [0.0, 1e-3], [0.8, 0.6], [-0.9, 0.05]];

/// Large and small triangles, side by side.
pub(crate) fn irregular() -> Mesh {
    let options =
        Rectangle { cells: [cells(Shape::Triangle); 2], periodic: [true; 2], jitter: 0.24, ..Rectangle::default() };
    options.mesh().unwrap()
}

/// The growth factor of an arbitrary state's energy norm in `steps` steps.
pub(crate) fn growth(device: &Arc<Device>, mesh: Mesh, setup: Setup, steps: u64) -> f64 {
    let mut solver = Solver::new(device.clone(), mesh, setup).unwrap();
    // Arbitrary coefficients contain every wave on the mesh.
    let any: Vec<f64> = (0..solver.dof()).map(|i| (0.7 * (i * i) as f64).sin()).collect();
    solver.set_coefficients(&any).unwrap();
    solver.advance(f64::INFINITY, steps).unwrap();
    // The basis is orthonormal on the reference element.
    let mesh = solver.mesh();
    let of_element = any.len() / mesh.element_count();
    let norm = |coefficients: &[f64]| {
        let squares = |coefficients: &[f64]| coefficients.iter().map(|c| c * c).sum::<f64>();
        let elements = coefficients.chunks_exact(of_element).enumerate();
        elements.map(|(e, coefficients)| mesh.geometry(e).determinant * squares(coefficients)).sum::<f64>().sqrt()
    };
    norm(&solver.coefficients().unwrap()) / norm(&any)
}

/// That no wave grows on these lattices with the default Courant number, nor on an irregular mesh of triangles, but that some do with larger ones.
fn assert_default_is_near_the_limit(integrator: Integrator, shape: Shape, orders: RangeInclusive<usize>) {
    let device = tests::open(Choice::Cpu).unwrap();
    let sides: &[[f64; 2]] = if shape == Shape::Triangle { &TRIANGLES } else { &PARALLELOGRAMS };
    let grows_slowly = matches!(integrator, Integrator::Heun | Integrator::Rkl2(_));
    for order in tests::sample(orders) {
        let cfl = integrator.default_cfl(shape, order);
        let mut soon = 0.0_f64;
        let laws: &[&Law] =
            if integrator.has_implicit_source() { &[&rubbed::LAW] } else { &[&acoustics::LAW, &carried::LAW] };
        for &law in laws {
            let at = |mesh, factor: f64, steps| {
                let setup = Setup { integrator, cfl: factor * cfl, ..Setup::on(shape, law, order).unwrap() };
                growth(&device, mesh, setup, steps)
            };
            let on_lattices = |factor: f64, steps| -> Vec<f64> {
                sides.iter().map(|&side| at(lattice(shape, side), factor, steps)).collect()
            };
            let mut stable = on_lattices(1.0, 300);
            stable.extend((shape == Shape::Triangle).then(|| at(irregular(), 1.0, 300)));
            println!("{integrator}, {}, p = {order}, {}: by {stable:.3?} at cfl = {cfl}", shape.name(), law.name);
            assert!(stable.iter().all(|growth| *growth < 1.0 + 1e-3), "{integrator}, p = {order}");
            // Above their limits, these grow too slowly to be seen here.
            if grows_slowly && order >= 2 {
                continue;
            }
            let unstable = on_lattices(1.6, 100);
            println!("    by {unstable:.3?} at 1.6 times that");
            assert!(
                unstable.iter().all(|growth| growth.is_nan() || *growth > 10.0),
                "{integrator}, p = {order}: {unstable:?}"
            );
            soon = on_lattices(1.2, 200).into_iter().fold(soon, f64::max);
        }
        // At p = 0 no wave that fits eight squares grows first.
        let is_seen = order > 0 || shape == Shape::Triangle;
        // Above their limits, the waves of some methods grow too slowly to be seen in these steps.
        let is_slow = match integrator {
            Integrator::Heun | Integrator::Rkl2(_) => order >= 2,
            Integrator::Ader => shape == Shape::Quadrilateral && order == 1,
            _ => false,
        };
        assert!(!is_seen || is_slow || soon > 10.0, "{integrator}, p = {order}: {soon}");
    }
}

/// On elements whose maps are not affine the default numbers of ADER are stable, too: waves that are left after many steps do not grow in twice as
/// many more.
#[test]
#[ignore = "long"]
fn defaults_of_ader_on_curved_elements() {
    const STEPS: u64 = 1000;
    let device = tests::open(Choice::Cpu).unwrap();
    for order in tests::sample(1..=5) {
        for (shape, jitter, degree) in [
            (Shape::Triangle, 0.0, 2),
            (Shape::Triangle, 0.0, order.min(3) + 1),
            (Shape::Quadrilateral, 0.0, 2),
            (Shape::Quadrilateral, 0.0, order.min(3) + 1),
            (Shape::Quadrilateral, 0.24, 1),
        ] {
            let mesh = || {
                let cells = [cells(Shape::Quadrilateral); 2];
                let periodic = [true; 2];
                let rectangle = Rectangle { shape, cells, periodic, jitter, curvature: 0.1, ..Rectangle::default() };
                let mesh = rectangle.mesh().unwrap().with_degree(degree).unwrap();
                rectangle.bent(mesh).unwrap().renumbered()
            };
            for law in [&acoustics::LAW, &carried::LAW] {
                let cfl = Integrator::Ader.default_cfl(shape, order);
                let setup = Setup { integrator: Integrator::Ader, cfl, ..Setup::on(shape, law, order).unwrap() };
                let [before, after] = [STEPS, 3 * STEPS].map(|steps| growth(&device, mesh(), setup.clone(), steps));
                println!("{shape:?}, degree {degree}, p = {order}, {}: {before:.3e}, {after:.3e}", law.name);
                assert!(after < (1.0 + 1e-3) * before, "{shape:?}, degree {degree}, p = {order}: {before}, {after}");
            }
        }
    }
}

/// Courant numbers of RKL2 are those of its fewest stages, which have the least limits.
fn few_stages() -> Integrator {
    Integrator::Rkl2(LegendreStages::new(3).unwrap())
}

#[test]
#[ignore = "long"]
fn defaults_on_parallelograms() {
    for integrator in Integrator::ALL {
        let integrator = if matches!(integrator, Integrator::Rkl2(_)) { few_stages() } else { integrator };
        assert_default_is_near_the_limit(integrator, Shape::Quadrilateral, 0..=3);
    }
}

#[test]
fn default_of_heun() {
    assert_default_is_near_the_limit(Integrator::Heun, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_ssp_rk3() {
    assert_default_is_near_the_limit(Integrator::SspRk3, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_ssp_rk43() {
    assert_default_is_near_the_limit(Integrator::SspRk43, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_rk4() {
    assert_default_is_near_the_limit(Integrator::Rk4, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_carpenter_kennedy() {
    assert_default_is_near_the_limit(Integrator::CarpenterKennedy, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_niegemann_diehl_busch() {
    assert_default_is_near_the_limit(Integrator::NiegemannDiehlBusch, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_ader() {
    assert_default_is_near_the_limit(Integrator::Ader, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_rkl2() {
    // Viscous laws, for which it is, begin at order 1. At order 0 steps could be longer.
    assert_default_is_near_the_limit(few_stages(), Shape::Triangle, 1..=7);
}

#[test]
fn default_of_ars_443() {
    assert_default_is_near_the_limit(Integrator::Ars443, Shape::Triangle, 0..=7);
}

#[test]
fn default_of_ark_436() {
    assert_default_is_near_the_limit(Integrator::Ark436, Shape::Triangle, 0..=7);
}

/// Where no number keeps waves from growing with ADER, they grow no faster than it says, and not everywhere much slower.
#[test]
#[ignore = "long"]
fn waves_grow_with_ader_no_faster_than_said() {
    let device = tests::open(Choice::Cpu).unwrap();
    let integrator = Integrator::Ader;
    for (shape, sides) in [(Shape::Triangle, &TRIANGLES[..2]), (Shape::Quadrilateral, &[[0.0, 1.0], [0.8, 0.6]])] {
        for order in 4..=7 {
            let mut fastest = 0.0_f64;
            for law in [&acoustics::LAW, &carried::LAW] {
                let at = |mesh, steps| growth(&device, mesh, ader(shape, law, order), steps);
                for &side in sides {
                    // After so many steps the waves are left that grow or stay.
                    let [first, second] = [10_000, 20_000].map(|steps| at(lattice(shape, side), steps));
                    fastest = fastest.max((second / first).ln() / 10_000.0);
                }
            }
            let said = integrator.growth(shape, order);
            println!("{}, p = {order}: by {fastest:.2e} in a step, said {said:.0e}", shape.name());
            assert!(fastest < said, "{}, p = {order}: {fastest:e}", shape.name());
            // Elsewhere waves that fall still hide those that grow.
            let is_seen = shape == Shape::Quadrilateral && order == 7;
            assert!(!is_seen || fastest > 0.1 * said, "{}, p = {order}: {fastest:e}", shape.name());
        }
    }
}

fn ader(shape: Shape, law: &'static Law, order: usize) -> Setup {
    let integrator = Integrator::Ader;
    let cfl = integrator.default_cfl(shape, order);
    Setup { integrator, cfl, ..Setup::on(shape, law, order).unwrap() }
}
