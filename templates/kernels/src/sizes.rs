//! Numbers of a law, a shape and an order, as `#define`s of the text.

use std::fmt::Write as _;

use dg_contract::geometry::{self, Map};
use dg_contract::reference::{Operators, derivatives_between_sections, moments};
use dg_contract::{Law, Role, protocol};

use crate::RECEIVER_STEPS;
use crate::arguments::Sizes;
use crate::lines::fill_macro;

/// The names of [`numbers`].
pub const NUMBERS: [&str; 14] = [
    "DIM",
    "ORDER",
    "COMPONENTS",
    "MEDIA",
    "FIELDS",
    "TRACE",
    "OUTPUTS",
    "BASIS",
    "FACES",
    "CORNERS",
    "VOLUME_POINTS",
    "FACE_POINTS",
    "FINE_POINTS",
    "SAMPLE_POINTS",
];

/// The names of numbers that other parts of the text define.
pub const OTHER_NUMBERS: [&str; 8] = [
    "TRACES",
    "MOMENTS",
    "MESH_DERIVATIVES",
    "BOUNDED",
    "CLOCK_NUMBERS",
    "AVERAGES_NUMBERS",
    "RECEIVER_STEPS",
    "PROJECTION_POINTS",
];

/// The values of [`NUMBERS`].
fn numbers(law: &Law, o: &Operators) -> [usize; 14] {
    [
        law.dim,
        o.order,
        law.state.len(),
        law.medium.len(),
        law.values_at_a_point(),
        protocol::trace(law.values_of_trace()),
        law.outputs().count(),
        o.basis,
        o.shape.faces(),
        o.shape.corners(),
        o.volume_points.len(),
        o.face_points.len(),
        o.fine_points.len(),
        o.sample_points.len(),
    ]
}

/// All numbers that occur in the sizes of arguments.
pub fn all(law: &Law, o: &Operators, map: Map) -> Sizes {
    let bounded = law.with_role(Role::MinimumPrinciple).map(|function| function.results).sum();
    let traces = o.shape.faces() * o.face_points.len();
    let projection = o.projection_rule(map).0.len();
    let clocks = [protocol::CLOCK_NUMBERS, protocol::AVERAGES_NUMBERS];
    let [own, between] = [moments(o.shape, o.order), derivatives_between_sections(law.dim, o.mesh_order)];
    let others = [traces, own, between, bounded, clocks[0], clocks[1], RECEIVER_STEPS, projection];
    let own = NUMBERS.into_iter().zip(numbers(law, o)).chain(OTHER_NUMBERS.into_iter().zip(others));
    own.chain(geometry::numbers(o, map)).collect()
}

/// Whether values at points of the volume are projected: those of a source, or in the predictor of ADER fluxes in a medium or on elements
/// that are not affine.
pub fn projects(law: &Law, map: Map) -> bool {
    has_point_term(law) || !law.medium.is_empty() || law.algebra.linear && map != Map::Affine
}

/// Whether a term beside the flux is projected at points of the volume: a non-conservative product or a source.
pub fn has_point_term(law: &Law) -> bool {
    let adds = |role| matches!(role, Role::Nonconservative | Role::Source | Role::ManufacturedSource { .. });
    law.functions.iter().any(|function| adds(function.role))
}

/// Whether a source was derived for any solution.
pub fn has_manufactured(law: &Law) -> bool {
    law.functions.iter().any(|function| matches!(function.role, Role::ManufacturedSource { .. }))
}

/// The `#define`s of a unit.
pub fn sizes(law: &Law, o: &Operators) -> String {
    let mut text = String::new();
    for (name, value) in NUMBERS.into_iter().zip(numbers(law, o)) {
        let _ = writeln!(text, "#define {name} {value}");
    }
    text + &of_order(o)
}

/// The numbers per item of the arrays of a mesh's geometry, and the terms of the elements' maps.
pub fn of_geometry(o: &Operators, map: Map) -> String {
    let mut text = geometry::numbers(o, map).map(|(name, value)| format!("#define {name} {value}\n")).concat();
    if o.shape.rates_add() {
        text.push_str("#define RATES_ADD\n");
    }
    text.push_str(
        "/* The map of an element is the sum of its numbers n times x^i y^j; MAP_DEGREE is 0 if it is affine. */\n",
    );
    let degree = if map == Map::Affine { 0 } else { map.degree() };
    let _ = write!(text, "#define MAP_DEGREE {degree}\n#define EACH_MAP_TERM(X)");
    let terms = map.monomials(o.shape).into_iter().enumerate();
    fill_macro(&mut text, terms.map(|(n, [i, j])| format!("X({n}, {i}, {j})")), 4);
    text.push('\n');
    if o.shape.is_product() {
        text.push_str("#define IS_PRODUCT\n");
        // Where all elements of a mesh have the same degree, the points along a face are those of a line.
        let [weights, basis, weighted] = match o.mesh_order == o.order {
            true => ["face_weights", "line_basis", "line_weighted_basis"],
            false => ["line_weights", "line_at_face", "line_weighted_at_face"],
        };
        let _ = write!(
            text,
            "#define LINE_WEIGHTS {weights}\n#define LINE_AT_FACE {basis}\n#define LINE_WEIGHTED_AT_FACE {weighted}\n"
        );
    }
    text
}

/// Those that do not depend on the law.
pub fn of_order(o: &Operators) -> String {
    let mut text = format!("#define REFERENCE_VOLUME R({:?})\n", o.shape.measure());
    let _ = writeln!(text, "#define RECEIVER_STEPS {RECEIVER_STEPS}");
    for (name, unrolled) in unrolled(o.order) {
        let _ = writeln!(text, "#define {name} {}", if unrolled { "CUDA_UNROLL" } else { "NO_UNROLL" });
    }
    text.push('\n');
    text
}

/// Whether each loop over faces and points is unrolled on CUDA: the fastest choice on an H200 with the schedule `element`. From
/// order 4 on, coefficients and residual alone exceed the registers, and unrolled text only takes longer to compile. On a CPU
/// that is left to the compiler, which is sooner done, and never slower: at p = 3 `element` takes three quarters of the time.
fn unrolled(order: usize) -> [(&'static str, bool); 4] {
    [
        ("UNROLL_FACES", order <= 3),
        ("UNROLL_FACE_POINTS", order == 2),
        ("UNROLL_VOLUME_POINTS", order <= 3),
        ("UNROLL_POINTS", order <= 2),
    ]
}
