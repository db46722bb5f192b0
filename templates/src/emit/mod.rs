//! From the IR to CUDA C: one unit of text per law, shape and order.
//!
//! A unit is
//!
//! ```text
//! header      what it is, and the flops and least bytes of its kernels
//! constants   what the runtime knows too
//! lanes.h     what `real` is: one number on CUDA, a vector of lanes on the host; with `PEAK` defined, only a kernel
//!             follows that measures the device
//! sizes, tables of the reference element
//! physics     the user's functions, in the user's words
//! bridge      the same in the scheme's words, characteristic variables and the far field where there are any; and
//!             the functions that a case adds, `CASE_FUNCTIONS`
//! kernels     the scheme: the text of `templates/kernels`, as it stands there; or, with `POINTWISE` defined,
//!             kernels that evaluate the physics at given points
//! ```
//!
//! It is C with CUDA's qualifiers and includes nothing. What is chosen at run time comes as `#define`s before it:
//! `PRECISION`, `NUMERICAL_FLUX`, `CASE_FUNCTIONS`, `BOUNDARY_CONDITIONS(X)`, `INITIAL`, `EXACT`, `MANUFACTURED`, `LIMITER`
//! with `INDICATOR`, `KEEP_BOUNDS`, `POSITIVITY` and `LIMIT_CHARACTERISTIC`; each has a default where one makes sense, so that a
//! unit also compiles alone. A parameter of the law is a variable that is set when the compiled unit is loaded, unless
//! `LITERAL_PARAMETERS` is defined, and every `parameter_NAME` as a literal.
//!
//! Emission is a pure function of its arguments: equal input gives equal bytes.

mod algebra;
mod arguments;
mod characteristic;
mod cost;
mod far_field;
mod limiter;
mod names;
mod physics;
mod schedule;
mod scheme;
mod tables;

pub use algebra::algebra;
pub use cost::flops;
pub use scheme::DERIVED_FLUXES;

use std::fmt::Write as _;

use physics::Names;

use arguments::Sizes;
use dg_contract::{Kernel, KernelCost, Owned, Schedule, Unit, protocol};

use crate::derive::{Characteristic, Derived, FarField};
use crate::ir::{FunctionId, Law, Role};
use crate::reference::{Operators, Shape, operators::OrderTooHigh};

/// Units of a law for every shape of its dimension and every order.
///
/// # Errors
/// If there is no quadrature for an order.
pub fn units(law: &Law, derived: &Derived) -> Result<Vec<Unit<Owned>>, OrderTooHigh> {
    let physics = physics(law, derived);
    Shape::ALL
        .iter()
        .filter(|shape| shape.dim() == law.dim)
        .flat_map(|&shape| law.orders.clone().map(move |order| (shape, order)))
        .map(|(shape, order)| unit(law, derived, &physics, shape, order))
        .collect()
}

/// The pointwise physics of a law: all of a unit that does not depend on shape and order.
struct Physics {
    text: String,
    /// Numbers that are computed once, of the parameters alone.
    once: usize,
}

fn physics(law: &Law, derived: &Derived) -> Physics {
    let names = names(law);
    let function = |(i, function)| physics::function(names.function(FunctionId(i)), &names, function);
    let functions: String = law.functions.iter().enumerate().map(function).collect();
    let mut text = physics::types(law, &names, &functions);
    text.push_str(&functions);
    text.push_str("/* ---- the same in the words of the scheme ---- */\n\n");
    text.push_str(&scheme::bridge(law, &names, &derived.extreme));
    if let Characteristic::Derived(maps) = &derived.characteristic {
        text.push_str(&characteristic::functions(law, &names, maps));
    }
    if let FarField::Derived { change, .. } = &derived.far_field {
        text.push_str(&far_field::functions(&names, change));
    }
    if let Characteristic::AtRunTime(_) = &derived.characteristic {
        text.push_str(characteristic::AT_RUN_TIME);
        text.push('\n');
    }
    let once = names.once();
    Physics { text: format!("{}\n{text}", physics::parameters(law, &once)), once: once.len() }
}

/// One unit.
fn unit(
    law: &Law,
    derived: &Derived,
    physics: &Physics,
    shape: Shape,
    order: usize,
) -> Result<Unit<Owned>, OrderTooHigh> {
    let operators = Operators::new(shape, order)?;
    let costs = cost::kernels(law, derived.extreme.len(), &operators);
    let mut source = header(law, &operators, &costs);
    source.push_str("/* Constants that the runtime knows too. */\n");
    source.push_str(&protocol::defines());
    source.push('\n');
    source.push_str(LANES);
    source.push_str("\n#ifdef PEAK\n");
    source.push_str(PEAK);
    source.push_str("#else\n");
    source.push_str(TABLES);
    source.push('\n');
    source.push_str(&sizes(law, &operators));
    source.push_str(&tables::tables(&operators, has_source(law)));
    source.push_str("/* ---- physics ---- */\n\n");
    source.push_str(&physics.text);
    source.push_str(CASE);
    source.push_str("#ifdef POINTWISE\n/* ---- the physics alone, at given points ---- */\n\n");
    let pointwise = pointwise_kernels(law, derived);
    source.push_str(&pointwise);
    source.push_str("#else\n/* ---- scheme ---- */\n\n");
    for kernel in KERNELS {
        source.push_str(kernel);
        source.push('\n');
    }
    for (i, schedule) in Schedule::ALL.iter().enumerate() {
        let _ = writeln!(source, "#{} SCHEDULE == {}", if i == 0 { "if" } else { "elif" }, schedule.define());
        for kernel in schedule::kernels(*schedule) {
            source.push_str(kernel);
            source.push('\n');
        }
    }
    source.push_str("#endif\n");
    source.push_str(&limiter::text(&operators));
    source.push_str("#endif\n#endif\n");
    let kernels = kernels(law, &operators, [&physics.text, &pointwise]);
    Ok(Unit {
        shape,
        order,
        source,
        once: physics.once,
        basis: operators.basis,
        traces: shape.faces() * operators.face_points.len() * trace(law),
        moments: tables::derivative_count(&operators) * (shape.dim() + 1),
        points: [operators.face_positions.concat(), operators.volume_points].concat().concat(),
        face_points: operators.face_points,
        sample_points: operators.sample_points.concat(),
        basis_at_samples: operators.basis_at_sample.concat(),
        fields: scheme::fields(law),
        projection_points: operators.fine_points.concat(),
        kernels,
        costs,
    })
}

/// Kernels that evaluate the physics at given points.
fn pointwise_kernels(law: &Law, derived: &Derived) -> String {
    let mut text = scheme::pointwise_kernels(law, &names(law));
    if !matches!(derived.characteristic, Characteristic::None(_)) {
        text.push_str(&characteristic::pointwise_kernels(law.dim));
    }
    if let FarField::Derived { .. } = &derived.far_field {
        text.push_str(&far_field::pointwise_kernel(law));
    }
    text
}

/// What the kernels of a unit take; `of_law` are the texts that are not the same for every law.
fn kernels(law: &Law, o: &Operators, of_law: [&str; 2]) -> Vec<Kernel<Owned>> {
    let bounded = law.only(&Role::MinimumPrinciple).map_or(0, |id| law.size_of(&law.function(id).result));
    let mut sizes = Sizes::from(numbers(law, o));
    sizes.extend([
        ("TRACES", o.shape.faces() * o.face_points.len()),
        ("DERIVATIVES", tables::derivative_count(o)),
        ("BOUNDED", bounded),
        ("CLOCK_NUMBERS", protocol::CLOCK_NUMBERS),
    ]);
    let mut texts: Vec<&str> = scheme_texts().collect();
    texts.extend(of_law);
    texts.extend([PEAK, scheme::POINTWISE_FORMULAS]);
    // The texts are this crate's own, and those of the scheme are the same for every law.
    arguments::kernels(&texts, &sizes).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The scheme, in the order in which its parts use each other; the stage comes last, by one of the [`Schedule`]s.
const KERNELS: [&str; 15] = [
    include_str!("../../kernels/element.cu"),
    include_str!("../../kernels/reduce.cu"),
    include_str!("../../kernels/clock.cu"),
    include_str!("../../kernels/boundary.cu"),
    include_str!("../../kernels/records.cu"),
    include_str!("../../kernels/bound.cu"),
    include_str!("../../kernels/time_step.cu"),
    include_str!("../../kernels/project.cu"),
    include_str!("../../kernels/integrals.cu"),
    include_str!("../../kernels/errors.cu"),
    include_str!("../../kernels/positive.cu"),
    include_str!("../../kernels/sample.cu"),
    include_str!("../../kernels/examine.cu"),
    include_str!("../../kernels/entering.cu"),
    include_str!("../../kernels/update.cu"),
];

/// All texts that define names beside a law's own.
fn scheme_texts() -> impl Iterator<Item = &'static str> {
    let schedules = Schedule::ALL.iter().flat_map(|schedule| schedule::kernels(*schedule)).copied();
    [LANES, TABLES, DEFAULTS, far_field::TEXT, characteristic::AT_RUN_TIME]
        .into_iter()
        .chain(KERNELS)
        .chain(schedules)
        .chain(limiter::TEXTS)
}

/// The C names of what the user named, clear of everything else that a unit of the law defines.
fn names(law: &Law) -> Names {
    let blank = Names::blank(law);
    let calling = [scheme::bridge(law, &blank, &[0]), scheme::pointwise_kernels(law, &blank)].concat();
    let mut defined = calling.clone();
    defined.push_str(&physics::types(law, &blank, ""));
    defined.push_str(characteristic::DEFINE);
    defined.push_str("DEVICE State change_of_normal_flux(\n");
    defined.push_str(&physics::parameters(law, &[String::new()]));
    for shape in Shape::ALL.iter().filter(|shape| shape.dim() == law.dim) {
        if let Ok(operators) = Operators::new(*shape, 0) {
            defined.push_str(&sizes(law, &operators));
            defined.push_str(&tables::tables(&operators, has_source(law)));
        }
    }
    Names::clear_of(law, &defined, &calling)
}

/// What a case adds to the physics; it may call whatever comes before.
const CASE: &str = "\
/* What a case adds: states that it gives by formulas, as functions of a Point x and a real t, and conditions on boundaries. */
#ifdef CASE_FUNCTIONS
CASE_FUNCTIONS
#endif

";

/// Whether there is a source, if only for some cases.
fn has_source(law: &Law) -> bool {
    law.only(&Role::Source).is_some() || scheme::has_manufactured(law)
}

const LANES: &str = include_str!("../../kernels/lanes.h");
const PEAK: &str = include_str!("../../kernels/peak.cu");
const TABLES: &str = include_str!("../../kernels/tables.h");

fn header(law: &Law, o: &Operators, kernels: &[KernelCost]) -> String {
    let mut text = format!(
        "/* {} on the {}, order {}: {} components, {} basis functions.\n *\n\
         \x20* Quadrature: {} points in the volume (degree {}), {} on a face, {} for projection and errors (degree {}).\n *\n\
         \x20* Per element, as written (every + - * /, root and function counts as one):\n *\n\
         \x20* kernel        flops   reals   integers (at least once each)\n",
        law.name,
        o.shape.name(),
        o.order,
        law.state.fields.len(),
        o.basis,
        o.volume_points.len(),
        2 * o.order,
        o.face_points.len(),
        o.fine_points.len(),
        2 * o.order + 4,
    );
    for kernel in kernels {
        let _ =
            writeln!(text, " * {:<10} {:>8} {:>7} {:>10}", kernel.name, kernel.flops, kernel.reals, kernel.integers);
    }
    text.push_str(
        " *\n\
         \x20* Counted are the kernels of steps and of rows of the history; the others run once, or for a file, or do nothing per\n\
         \x20* element (`advance_clock`).\n *\n\
         \x20* `stage` with the Rusanov flux, reading u and u^n and writing u, on a patch that has no rim: every face is computed once\n\
         \x20* for both sides. No boundaries, in `time_step` neither",
    );
    text.push_str(if scheme::has_manufactured(law) { "; no source of a manufactured solution" } else { "" });
    text.push_str(". */\n\n");
    text
}

fn sizes(law: &Law, o: &Operators) -> String {
    let mut text = String::new();
    for (name, value) in numbers(law, o) {
        let _ = writeln!(text, "#define {name} {value}");
    }
    let _ = writeln!(text, "#define REFERENCE_VOLUME R({:?})", o.shape.measure());
    for (name, unrolled) in unrolled(o.order) {
        let _ = writeln!(text, "#define {name} {}", if unrolled { "UNROLL" } else { "NO_UNROLL" });
    }
    text.push('\n');
    text.push_str(DEFAULTS);
    text.push_str(&schedule::defines());
    text.push('\n');
    text
}

/// Numbers that a unit defines by names.
fn numbers(law: &Law, o: &Operators) -> [(&'static str, usize); 12] {
    [
        ("DIM", law.dim),
        ("ORDER", o.order),
        ("COMPONENTS", law.state.fields.len()),
        ("TRACE", trace(law)),
        ("OUTPUTS", law.with_role(|role| *role == Role::Output).count()),
        ("BASIS", o.basis),
        ("FACES", o.shape.faces()),
        ("CORNERS", o.shape.corners()),
        ("VOLUME_POINTS", o.volume_points.len()),
        ("FACE_POINTS", o.face_points.len()),
        ("FINE_POINTS", o.fine_points.len()),
        ("SAMPLE_POINTS", o.sample_points.len()),
    ]
}

/// Numbers that a point of a trace takes in memory: of many components an even number, so that pairs lie as they are read.
pub fn trace(law: &Law) -> usize {
    let components = law.state.fields.len();
    if components > 4 { components.next_multiple_of(2) } else { components }
}

/// Which of the loops over faces and points are unrolled: what was fastest on an H200, by the schedule `element`. From
/// order 4 on coefficients and residual alone are more than the registers, and unrolled text only takes longer to compile.
fn unrolled(order: usize) -> [(&'static str, bool); 4] {
    [
        ("UNROLL_FACES", order <= 3),
        ("UNROLL_FACE_POINTS", order == 2),
        ("UNROLL_VOLUME_POINTS", order <= 3),
        ("UNROLL_POINTS", order <= 2),
    ]
}

const DEFAULTS: &str = "\
#ifndef SCHEDULE
#define SCHEDULE ELEMENT
#endif
#ifndef NUMERICAL_FLUX
#define NUMERICAL_FLUX numerical_flux_rusanov
#endif
#ifndef BOUNDARY_CONDITIONS
#define BOUNDARY_CONDITIONS(X)
#endif

";

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernels of the scheme say of their arguments can be read, whatever a unit's numbers are.
    #[test]
    fn every_kernel_of_the_scheme_says_what_it_takes() {
        let names = [
            "BASIS",
            "BOUNDED",
            "CLOCK_NUMBERS",
            "COMPONENTS",
            "CORNERS",
            "DERIVATIVES",
            "DIM",
            "FACES",
            "FACE_POINTS",
            "FINE_POINTS",
            "OUTPUTS",
            "SAMPLE_POINTS",
            "TRACE",
            "TRACES",
            "VOLUME_POINTS",
        ];
        let texts: Vec<&str> = scheme_texts().chain([PEAK]).collect();
        let kernels = arguments::kernels(&texts, &Sizes::from(names.map(|name| (name, 1)))).unwrap();
        let defined = texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("KERNEL"));
        let defined = defined.filter_map(|line| line.split_once('(')?.1.split(',').next());
        let (mut expected, mut found): (Vec<&str>, Vec<&str>) =
            (defined.collect(), kernels.iter().map(|kernel| &*kernel.name).collect());
        expected.sort_unstable();
        expected.dedup();
        found.sort_unstable();
        assert_eq!(found, expected);
        assert!(kernels.iter().all(|kernel| !kernel.arguments.is_empty()));
    }
}
