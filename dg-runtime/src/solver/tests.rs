//! Every launch that a solver may make is prepared when it is built, so that no wrong argument waits for its kernel to be called.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::case::Case;
use crate::case::sample_law::{LAW, function, unit};
use crate::device::{Choice, Error as DeviceError, Misuse};
use crate::law::{Algebra, Argument, Arguments, Direction, Kernel, Kind, Law, Role, Size, Unit, Variable};
use crate::scheme::Code;

fn bump(at: &Arguments<'_>, value: &mut [f64]) {
    value[0] = at.position[0] * (1.0 - at.position[0]);
}

fn same(at: &Arguments<'_>, value: &mut [f64]) {
    value[0] = at.state[0];
}

fn speeds(_: &Arguments<'_>, value: &mut [f64]) {
    value.fill(1.0);
}

/// Advection along x, written by hand.
static ADVECTION: Law = Law {
    name: "hand_written",
    parameters: &[],
    state: &[Variable { name: "u", doc: "" }],
    functions: &[
        function("flux", Role::Flux, 2),
        Function { host: Some(speeds), ..function("eigenvalues", Role::Eigenvalues, 1) },
        function("rusanov", Role::NumericalFlux, 1),
        Function { host: Some(same), ..function("open", Role::Boundary { impermeable: &[] }, 1) },
        Function { host: Some(bump), ..function("bump", Role::Exact, 1) },
        Function { host: Some(same), ..function("range", Role::MinimumPrinciple, 1) },
    ],
    algebra: Algebra { jacobian: &[&[&["1"]], &[&["0"]]], eigenvalues: &["n.x"], linear: false, ..LAW.algebra },
    proofs: &[],
    samples: &[],
    physics: PHYSICS,
    units: &[Unit { moments: 3, traces: 6, ..unit(1) }],
    ..LAW
};

const PHYSICS: &str = "\
typedef struct { real u; } State;
typedef struct { real x, y; } Normal;
typedef struct { real x, y; } Point;

DEVICE State select_State(mask here, State a, State b) { State c; c.u = select(here, a.u, b.u); return c; }
DEVICE State law_state(const real field[FIELDS]) { State u; u.u = field[0]; return u; }
DEVICE void law_fields(real field[FIELDS], State u) { field[0] = u.u; }
DEVICE void law_components(real component[COMPONENTS], State u) { component[0] = u.u; }
DEVICE State law_change(const real component[COMPONENTS]) { State u; u.u = component[0]; return u; }
DEVICE Point law_point(const real x[DIM]) { Point made; made.x = x[0]; made.y = x[1]; return made; }
DEVICE Normal law_normal(const real n[DIM]) { Normal made; made.x = n[0]; made.y = n[1]; return made; }
DEVICE void law_flux(real f[DIM][COMPONENTS], State u) { f[0][0] = u.u; f[1][0] = splat(R(0.0)); }
DEVICE State law_normal_flux(State u, Normal n) { State f; f.u = n.x * u.u; return f; }
DEVICE real law_wave_speed(State u, Normal n) { return real_abs(n.x); }
DEVICE real law_slowest(State u, Normal n) { return n.x; }
DEVICE real law_fastest(State u, Normal n) { return n.x; }
DEVICE void law_eigenvalues(real all[COMPONENTS], State u, Normal n) { all[0] = n.x; }
DEVICE real law_face_speed(State l, State r, Normal n) { return real_abs(n.x); }
DEVICE State law_numerical_flux_rusanov(State l, State r, Normal n, real s)
{
    State f;
    f.u = R(0.5) * (n.x * (l.u + r.u) - s * (r.u - l.u));
    return f;
}
DEVICE State law_boundary_open(State u, Normal n, Point x, real t) { return u; }
DEVICE State law_exact_bump(Point x, real t) { State u; u.u = x.x * (R(1.0) - x.x); return u; }
DEVICE mask law_is_admissible(State u) { return u.u - u.u == R(0.0); }
typedef struct { State state; } Sample;
DEVICE void law_outputs(real *value, Sample sample, Point x, real t) { }
#define ADMISSIBLE 0
#define BOUNDED 1
DEVICE void law_bounded(real quantity[BOUNDED], State u) { quantity[0] = u.u; }
";

/// With a limiter, an indicator, receivers, point sources and everything that can be measured.
const CASE: &str = "\
law = 'hand_written'
order = 1
[mesh]
generator = 'rectangle'
lower = [0.0, 0.0]
upper = [1.0, 1.0]
cells = [4, 4]
[boundaries]
left = 'open'
right = 'open'
bottom = 'open'
top = 'open'
[initial]
function = 'bump'
[exact]
function = 'bump'
[limiter]
method = 'moment'
indicator = 'decay'
[time]
final = 1.0
[receivers]
every = 0.1
points = { middle = [0.5, 0.5] }
[point_sources.drop]
position = [0.3, 0.3]
amplitude = { u = 1.0 }
rate = 't'
[measure.regions.all]
fields = ['u']
[measure.fluxes.out]
boundaries = ['right']
[measure.mean]
fields = ['u']
";

/// Kernels that no launch of a solver takes.
const OTHERS: [&str; 1] = ["pointwise_formulas"];

/// The solver of the case with other declarations of the kernels: how `change` alters each argument of one of them.
fn build(device: &Arc<Device>, kernel: &str, change: &dyn Fn(&mut Vec<Argument>)) -> Result<Solver, Error> {
    let case = Case::parse(CASE, Path::new("hand_written.toml"), &[&ADVECTION]).unwrap();
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let mut plan = Plan::new(device, &mesh, &setup).unwrap();
    let Code { text, kernels } = plan.sections[0].code;
    let changed = |of: &Kernel| {
        let mut arguments = of.arguments.to_vec();
        if of.name == kernel {
            change(&mut arguments);
        }
        Kernel { name: of.name, arguments: arguments.leak() }
    };
    let kernels: Vec<Kernel> = kernels.iter().map(changed).collect();
    plan.sections[0].code = Box::leak(Box::new(Code { text, kernels: kernels.leak() }));
    Solver::planned(Arc::clone(device), mesh, setup, &plan)
}

/// The misuse of an argument for which a solver is refused.
fn refused(solver: Result<Solver, Error>) -> Option<(String, String, Misuse)> {
    match solver.err() {
        Some(Error::Device(DeviceError::Argument { kernel, argument, misuse })) => Some((kernel, argument, misuse)),
        Some(other) => panic!("{other}"),
        None => None,
    }
}

#[test]
fn a_wrong_argument_of_any_kernel_is_an_error_when_the_solver_is_built() {
    let device = Arc::new(Device::open(Choice::Cpu).unwrap());
    let solver = build(&device, "", &|_| {}).unwrap();
    let program = &solver.sections[0].program;
    let code = crate::scheme::code(&ADVECTION, program.unit, solver.setup.map);
    let compiled: Vec<&Kernel> =
        code.kernels.iter().filter(|kernel| program.has(kernel.name) && !OTHERS.contains(&kernel.name)).collect();
    assert!(compiled.len() > 25, "{}", compiled.len());
    for kernel in compiled {
        let name = |arguments: &mut Vec<Argument>| arguments[0].name = "nothing";
        let (of, argument, misuse) = refused(build(&device, kernel.name, &name)).expect(kernel.name);
        assert_eq!(of, kernel.name);
        // Either the runtime gives it by its right name, or it is looked for among all buffers.
        assert!(matches!(misuse, Misuse::Unknown(_)) || argument == "nothing", "{of}: {argument} {misuse}");
    }
}

#[test]
fn kind_direction_and_size_are_checked_with_the_name() {
    let device = Arc::new(Device::open(Choice::Cpu).unwrap());
    let of = |kernel: &str, argument: &str, change: &dyn Fn(&mut Argument)| {
        refused(build(&device, kernel, &|arguments| {
            arguments.iter_mut().filter(|own| own.name == argument).for_each(change);
        }))
    };
    let misuse = |found: Option<(String, String, Misuse)>| {
        found.map(|(kernel, argument, misuse)| (format!("{kernel} {argument}"), misuse))
    };
    let wrong = |kernel: &str, argument: &str, misuse: Misuse| Some((format!("{kernel} {argument}"), misuse));
    // The kernel would write the mesh.
    assert_eq!(
        misuse(of("entering", "inverse_jacobian", &|own| own.direction = Direction::InOut)),
        wrong("entering", "inverse_jacobian", Misuse::Constant)
    );
    // Or what it reads elsewhere.
    assert_eq!(
        misuse(of("advance_clock", "u_start", &|own| own.shared = false)),
        wrong("advance_clock", "u_end", Misuse::Overlap("u_start".to_owned()))
    );
    let found = misuse(of("sample", "samples", &|own| own.size = Size::PerElement(1000)));
    assert!(matches!(&found, Some((of, Misuse::Size { .. })) if of == "sample samples"), "{found:?}");
    let found = misuse(of("errors", "time", &|own| own.kind = Kind::Int));
    assert!(matches!(&found, Some((of, Misuse::Kind { .. })) if of == "errors time"), "{found:?}");
}

#[test]
fn a_solution_that_is_stored_past_the_caches_has_the_same_bits() {
    let device = Arc::new(Device::open(Choice::Cpu).unwrap());
    let after_steps = |past_caches| {
        let mut solver = build(&device, "", &|_| {}).unwrap();
        solver.state.past_caches = past_caches;
        solver.project(0.0).unwrap();
        let start = solver.coefficients().unwrap();
        solver.advance(1.0, 5).unwrap();
        let end = solver.coefficients().unwrap();
        assert_ne!(start, end);
        end
    };
    assert_eq!(after_steps(true), after_steps(false));
}
