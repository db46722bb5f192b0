//! The scheme: kernels as text that are independent of any law, and how a law's code for one shape and order is joined.
//!
//! One text is compiled:
//!
//! ```text
//! header      law, shape and order, and the flops and least bytes of the kernels
//! constants   numbers that the runtime uses, too
//! lanes.h     the type `real`: one number on CUDA, a vector of lanes on the host; tuples.h, many of them side by side
//! sizes, tables of the reference element
//! physics     the user's functions, in the user's words, then in the scheme's; characteristic variables and the far field where
//!             there are any; and the functions that a case adds, `CASE_FUNCTIONS`
//! kernels     the scheme, verbatim from the files of this package; or, with `POINTWISE` defined, kernels that evaluate
//!             the physics at given points
//! ```
//!
//! The kernels are compiled in [`Part`]s, all at the same time, and a choice of a case compiles anew only the parts that depend on it.
//!
//! It is C with CUDA's qualifiers and includes nothing. Choices of a run come as `#define`s before it:
//! `PRECISION`, `NUMERICAL_FLUX`, `CASE_FUNCTIONS`, `BOUNDARY_CONDITIONS(X)`, `INITIAL`, `EXACT`, `MANUFACTURED`, `ADER`, `IMPLICIT_SOURCE`, `WELL_BALANCED`, `POINT_RATES(X)`, `LIMITER`
//! with `INDICATOR`, `KEEP_BOUNDS`, `POSITIVITY` and `LIMIT_CHARACTERISTIC`, `LIFTED_PENALTY`, `KEPT_LIFTINGS` and `ONE_SIDED` of viscous schemes, `VECTORS(X)` where periods turn them, `QUANTITIES`, `AVERAGED` and `BOUNDARY_FLUX`; each has a default where one makes sense, so that a
//! unit also compiles alone. A parameter of the law is a variable that is set when the compiled unit is loaded, unless
//! `LITERAL_PARAMETERS` is defined, and every `parameter_NAME` as a literal.
//!
//! # Invariants
//!
//! * Only the files and the physics of laws are stored. Tables of a shape and order are computed.
//! * Equal laws give equal bytes.
//! * This package and the compiler do not depend on each other, so that a change of a kernel does not recheck any law.

mod arguments;
mod header;
mod limiter;
mod lines;
mod names;
mod schedule;
mod sizes;
mod tables;

pub use sizes::has_point_term;
use std::fmt::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};

use dg_contract::geometry::Map;
use dg_contract::reference::Operators;
use dg_contract::{CharacteristicVariables, Kernel, Law, Role, Schedule, Shape, Unit, protocol};
use tables::Takes;

/// A text that can be compiled.
#[derive(Debug)]
pub struct Code {
    /// CUDA C that is C behind a few macros.
    pub text: &'static str,
    /// Its kernels, with their arguments. `pointwise_formulas` stands for those of the states that a case gives by
    /// formulas, `pointwise_formulas_0` and so on.
    pub kernels: &'static [Kernel],
}

/// A part of a unit that is compiled by itself. If the macro `PART` names none, all kernels are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The stage and the clock, with the reduction that they share: kernels that depend on schedule, numerical flux, source or tolerance.
    Stage,
    /// What limits a solution; nothing without a limiter.
    Limiter,
    /// What files, pictures, receivers and measurements show of a solution.
    Output,
    /// The other kernels, among them those that depend on initial state or exact solution.
    Rest,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Stage, Self::Limiter, Self::Output, Self::Rest];

    /// The value of `PART` that chooses it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stage => "STAGE_PART",
            Self::Limiter => "LIMITER_PART",
            Self::Output => "OUTPUT_PART",
            Self::Rest => "REST_PART",
        }
    }

    /// The definitions of the names.
    fn defines() -> String {
        let numbered = Self::ALL.iter().enumerate();
        numbered.map(|(i, part)| format!("#define {} {}\n", part.name(), i + 1)).collect()
    }

    /// A text that only this part has.
    fn alone(self, text: &str) -> String {
        format!("#if !defined(PART) || PART == {}\n{text}#endif\n", self.name())
    }
}

/// The code of a law for one shape and order, and elements with such maps, which is joined once.
pub fn code(law: &'static Law, unit: &Unit, map: Map) -> &'static Code {
    type Known = Vec<((&'static Law, Shape, [usize; 3], Map), &'static Code)>;
    static KNOWN: Mutex<Known> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let orders = [unit.order, unit.mesh_order, unit.sample_order];
    let is_this = |&(of, shape, of_orders, of_map): &(&'static Law, _, _, _)| {
        std::ptr::eq(of, law) && (shape, of_orders, of_map) == (unit.shape, orders, map)
    };
    if let Some((_, found)) = known.iter().find(|(key, _)| is_this(key)) {
        return found;
    }
    let made: &'static Code = Box::leak(Box::new(Parts::new(law, unit, map, &Schedule::ALL).join(law, unit, map)));
    known.push(((law, unit.shape, orders, map), made));
    made
}

/// The text of a law's code with one schedule instead of all: what a run compiles of it. It compiles as it is.
pub fn text(law: &Law, unit: &Unit, map: Map, schedule: Schedule) -> String {
    Parts::new(law, unit, map, &[schedule]).text(law)
}

/// The kernel `peak` alone, which measures how many flops a device can do.
pub fn peak() -> &'static Code {
    static PEAK: OnceLock<Code> = OnceLock::new();
    PEAK.get_or_init(|| {
        let text = format!("{}{LANES}\n{}", protocol::defines(), include_str!("../peak.cu")).leak();
        Code { text, kernels: read(&[text], &arguments::Sizes::new()) }
    })
}

/// The limiters and what they read.
fn limiters(operators: &Operators) -> String {
    format!("#ifdef LIMITER\n{}#endif\n{}", tables::of_limiters(operators), limiter::text(operators.shape))
}

/// The texts before and after the physics of a law.
struct Parts {
    before: String,
    after: String,
}

impl Parts {
    /// With these schedules, at least one, of which the first is the default.
    fn new(law: &Law, unit: &Unit, map: Map, schedules: &[Schedule]) -> Self {
        let operators = &unit.reference().operators;
        let mut before = header::header(law, unit, operators);
        before.push_str(&prelude(&sizes::sizes(law, operators), schedules[0]));
        before.push_str(&tables::tables(operators, Takes::new(law, map), map));

        let mut after = String::new();
        let mut add = |text: &str| {
            after.push_str(text);
            after.push('\n');
        };
        let has_exact_upwind = law.function(Role::NumericalFlux, "exact_upwind").is_some();
        if has_exact_upwind {
            add("#define HAS_EXACT_UPWIND");
        }
        if law.algebra.far_field.is_ok() {
            add(FAR_FIELD);
        }
        if has_exact_upwind {
            add(EXACT_UPWIND);
        }
        if let CharacteristicVariables::Computed { .. } = law.algebra.characteristic {
            add(EIGENVECTORS);
        }
        add(CASE);
        add("#ifdef POINTWISE\n/* ---- the physics alone, at given points ---- */\n");
        add(POINTWISE);
        add(law.pointwise);
        add("#else\n/* ---- scheme ---- */\n");
        add(&sizes::of_geometry(operators, map));
        let text = |files: &[&str]| files.iter().map(|file| format!("{file}\n")).collect::<String>();
        let linear = law.algebra.linear;
        if linear {
            let _ = writeln!(after, "{IF_ADER}{}#endif", tables::of_time(operators));
        }
        after.push_str(&text(&COMMON));
        let of_linear_law =
            if linear { COEFFICIENTS.to_owned() + &tables::of_linear_law(operators) + LINEAR } else { String::new() };
        let stage = [&*text(&STAGE), &of_linear_law, &schedule::text(schedules, linear, unit.shape)].concat();
        after.push_str(&Part::Stage.alone(&stage));
        after.push_str(&Part::Rest.alone(&text(&REST)));
        let _ = write!(after, "{IF_ADMISSIBILITY}{ADMISSIBILITY}\n#endif\n");
        after.push_str(&Part::Output.alone(&text(&OUTPUT)));
        after.push_str(&Part::Limiter.alone(&limiters(operators)));
        after.push_str("#endif\n");
        Self { before, after }
    }

    /// The whole text. Names of the scheme that the law uses too get a prefix.
    fn text(&self, law: &Law) -> String {
        let Self { before, after } = self;
        let shared = names::shared(law.physics, &[before, after]);
        let [first, last] = [before, after].map(|text| names::renamed(text, &shared));
        format!("{first}/* ---- physics ---- */\n\n{}{last}", law.physics)
    }

    /// The whole text, with the arguments of its kernels. These keep their names, because the runtime refers to them by name.
    fn join(self, law: &'static Law, unit: &Unit, map: Map) -> Code {
        let text: &str = self.text(law).leak();
        let after = self.after;
        let behind: &str = if text.ends_with(&after) { &text[text.len() - after.len()..] } else { after.leak() };
        let sizes = sizes::all(law, &unit.reference().operators, map);
        Code { text, kernels: read(&[law.physics, behind, POINTWISE_FORMULAS], &sizes) }
    }
}

/// Constants, the language of the kernels, sizes and the definitions that depend on them.
fn prelude(sizes: &str, schedule: Schedule) -> String {
    format!(
        "/* Constants that the runtime knows too. */\n{}\n{LANES}\n{TUPLES}\n{TABLES}\n{sizes}{DEFAULTS}/* Parts of the kernels, of which PART chooses \
         one to compile. */\n{}{}\n{MEDIUM}\n",
        protocol::defines(),
        Part::defines(),
        schedule::defines(schedule)
    )
}

/// The text before the physics of any law on a shape, apart from its numbers.
pub fn before_physics(shape: Shape) -> String {
    let Ok(operators) = Operators::new(shape, 0) else { return String::new() };
    let numbers = sizes::NUMBERS.map(|name| format!("#define {name} 0\n")).concat();
    prelude(&(numbers + &sizes::of_order(&operators)), Schedule::Element)
        + &tables::tables(
            &operators,
            Takes { projects: true, viscous: true, gradient_outputs: true },
            Map::Polynomial(1),
        )
}

/// The parts of a unit besides the scheme and the physics of its law: header, sizes and tables.
pub fn special(law: &Law, unit: &Unit) -> String {
    let operators = &unit.reference().operators;
    let header = header::header(law, unit, operators);
    let tables = tables::tables(operators, Takes::new(law, Map::Affine), Map::Affine) + &tables::of_limiters(operators);
    format!("{header}{}{tables}", sizes::sizes(law, operators))
}

/// The kernels of texts that have the form: tests check the scheme's, and the compiler writes those of a law.
fn read(texts: &[&'static str], sizes: &arguments::Sizes) -> &'static [Kernel] {
    arguments::kernels(texts, sizes).unwrap_or_else(|error| unreachable!("{error}")).leak()
}

/// The definition of a kernel for a state that a case gives, as a text to read kernels from.
const POINTWISE_FORMULAS: &str = "KERNEL_POINTWISE(pointwise_formulas, PointwiseArguments, COMPONENTS)\n";

/// Functions that several parts of a unit use.
const COMMON: [&str; 14] = [
    include_str!("../medium.cu"),
    include_str!("../element.cu"),
    include_str!("../geometry.cu"),
    include_str!("../mass.cu"),
    include_str!("../spectral_radius.cu"),
    include_str!("../source.cu"),
    include_str!("../viscous.cu"),
    include_str!("../boundary.cu"),
    include_str!("../bound.cu"),
    include_str!("../numerical_flux.cu"),
    include_str!("../records.cu"),
    include_str!("../time_at.cu"),
    include_str!("../boundary_mean.cu"),
    include_str!("../initial.cu"),
];
/// The files of [`Part::Stage`], each after those that it uses. The stage follows them, by one of the [`Schedule`]s.
const STAGE: [&str; 2] = [include_str!("../reduce.cu"), include_str!("../clock.cu")];
/// Before what limiter and output use.
const IF_ADMISSIBILITY: &str = "#if !defined(PART) || PART == LIMITER_PART || PART == OUTPUT_PART\n";
const ADMISSIBILITY: &str = include_str!("../positive.cu");
/// The files of [`Part::Output`], each after those that it uses.
const OUTPUT: [&str; 7] = [
    include_str!("../gradient.cu"),
    include_str!("../sample.cu"),
    include_str!("../receivers.cu"),
    include_str!("../measured_state.cu"),
    include_str!("../boundary_flux.cu"),
    include_str!("../quantities.cu"),
    include_str!("../averages.cu"),
];
/// The files of [`Part::Rest`], each after those that it uses.
const REST: [&str; 10] = [
    include_str!("../all_records.cu"),
    include_str!("../time_step.cu"),
    include_str!("../project.cu"),
    include_str!("../integrals.cu"),
    include_str!("../errors.cu"),
    include_str!("../point_sources.cu"),
    include_str!("../examine.cu"),
    include_str!("../entering.cu"),
    include_str!("../implicit.cu"),
    include_str!("../renew_medium.cu"),
];

/// Steps of which receivers keep the solution on the device.
pub const RECEIVER_STEPS: usize = 128;

/// Before what both predictors of ADER use.
const IF_ADER: &str = "#if defined(ADER) || defined(PREDICT_SERIES)\n";
/// Laws with a linear flux.
const LINEAR: &str = include_str!("../linear.cu");
/// What decides which of their tables are used.
const COEFFICIENTS: &str = "\
/* Where metric terms and matrices of flux, product and source are the same in a whole element and the source vanishes
 * with the state, they act on coefficients like on states, and nothing takes a quadrature. */
#if MAP_DEGREE == 0 && MEDIUM_BASIS <= 1 && !defined(PREDICT_SERIES) \\
    && (!defined(SOURCE) || defined(SOURCE_IS_PRODUCT))
#define COEFFICIENTS_LIKE_STATES
#endif
";

/// Defaults for the choices of a case, for a unit that is compiled alone.
const DEFAULTS: &str = "\
#ifndef NUMERICAL_FLUX
#define NUMERICAL_FLUX law_numerical_flux_rusanov
#endif
#ifndef MEDIUM_BASIS
#define MEDIUM_BASIS (MEDIA > 0 ? BASIS : 1)
#endif
#ifndef UNIFORM_MEDIUM
#define UNIFORM_MEDIUM(X)
#endif
#ifndef CONSTANT_MEDIUM
#define CONSTANT_MEDIUM(X)
#endif
#ifndef BOUNDARY_CONDITIONS
#define BOUNDARY_CONDITIONS(X)
#endif
#ifndef BOUNDARY_FLUXES
#define BOUNDARY_FLUXES(X)
#endif
#ifndef BOUNDARY_MIRRORS
#define BOUNDARY_MIRRORS(X)
#endif

";

/// The case's additions to the physics; they may call any function defined before them.
const CASE: &str = "\
/* What a case adds: states given by formulas, functions of a Point x and a real t, and conditions on boundaries. */
#ifdef CASE_FUNCTIONS
CASE_FUNCTIONS
#endif
";

/// The language of the kernels.
const LANES: &str = include_str!("../lanes.h");
const TUPLES: &str = include_str!("../tuples.h");
/// The common part of kernels that evaluate the physics at given points.
const POINTWISE: &str = include_str!("../pointwise.cu");
const TABLES: &str = include_str!("../tables.h");
/// Which fields of the medium vary.
const MEDIUM: &str = include_str!("../medium.h");
/// The ghost state of a far field.
const FAR_FIELD: &str = include_str!("../far_field.cu");
const EXACT_UPWIND: &str = include_str!("../exact_upwind.cu");
/// Characteristic variables of laws without formulas for them.
const EIGENVECTORS: &str = include_str!("../eigenvectors.cu");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Sizes;
    use dg_contract::geometry;

    /// The comments on arguments of the scheme's kernels can be read, whatever the numbers of the unit.
    #[test]
    fn every_kernel_of_the_scheme_says_what_it_takes() {
        let operators = Operators::new(Shape::Triangle, 1).unwrap();
        let of_geometry = geometry::numbers(&operators, Map::Affine).map(|(name, _)| name);
        let names = sizes::NUMBERS.into_iter().chain(sizes::OTHER_NUMBERS).chain(of_geometry);
        let generated: [&str; 2] =
            [schedule::text(&Schedule::ALL, true, Shape::Triangle).leak(), limiters(&operators).leak()];
        let files = COMMON.into_iter().chain(STAGE).chain(REST);
        let texts: Vec<&str> = files.chain(generated).chain([POINTWISE, POINTWISE_FORMULAS]).collect();
        let kernels = arguments::kernels(&texts, &names.map(|name| (name, 1)).collect::<Sizes>()).unwrap();
        let defined = texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("KERNEL"));
        let defined = defined.filter_map(|line| line.split_once('(')?.1.split(',').next());
        let (mut expected, mut found): (Vec<&str>, Vec<&str>) =
            (defined.collect(), kernels.iter().map(|kernel| kernel.name).collect());
        expected.sort_unstable();
        expected.dedup();
        found.sort_unstable();
        assert_eq!(found, expected);
        assert!(kernels.iter().all(|kernel| !kernel.arguments.is_empty()));
    }
}
