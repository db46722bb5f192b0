//! The compiler's proofs about a law. One file per family of rules; all mistakes are reported at once.
//!
//! | rule | file | statement |
//! |---|---|---|
//! | 1 | `eigenvalues` | each declared eigenvalue is one of the flux Jacobian, as often as it is declared |
//! | | `characteristic` | characteristic variables are derived, and diagonalise the flux Jacobian; or can be computed |
//! | | `far_field` | the flux Jacobian can be diagonalised in any direction, so that a far field is derived |
//! | 3 | `numerical_flux` | every numerical flux is consistent and conservative |
//! | | `media` | every numerical flux is conservative between two media |
//! | | `interfaces` | every numerical flux that is exact in one medium is exact between two |
//! | | `dissipation` | every numerical flux damps every wave at least as upwinding does |
//! | | `scalar_flux` | every numerical flux of a scalar law is monotone, or an E-flux |
//! | | `signal_speeds` | the signal speeds of fluxes with one or two waves bound the law's waves |
//! | | `continuity` | no numerical flux jumps where a condition changes |
//! | | `isolated_shocks` | no isolated shock outruns a numerical flux, and none keeps an expansion shock |
//! | | `exact_waves` | a numerical flux that claims to be exact at isolated contacts, shocks or rarefactions is |
//! | | `entropy` | numerical fluxes of a law with a minimum principle do not destroy entropy |
//! | 4 | `boundary` | the flux of impermeable components vanishes; imposed data match incoming characteristics |
//! | 5 | `exact` | every exact solution satisfies the law |
//! | | `exact_jumps` | exact solutions conserve where they jump |
//! | 6 | `linear` | whether the flux is linear in the state |
//! | | `nonconservative` | a non-conservative product is linear in the change and the direction |
//! | | `source` | how the source depends on the state |
//! | 8 | `minimum` | smooth solutions transport the quantities with a local minimum principle |
//! | 7 | `usage`, `guards` | nothing is missing or unused; nothing undefined at admissible states |
//! | | `unsatisfiable` | some state is admissible |
//! | 2 | `declared_speed` | a declared bound is one on the eigenvalues of the flux Jacobian |
//! | 2 | `waves` | whether waves between two states can be faster than those at both |
//! | 9 | `convexity` | means of admissible states are admissible, and keep minima |
//! | 10 | `given` | initial, exact and ghost states are admissible, and ghost states do not grow |
//! | 11 | `symmetry` | what is the same in all directions for the flux is so for numerical fluxes and walls |
//! | 11 | `mirrors` | what is the same for the flux where components and axes change sign is so for numerical fluxes and walls |
//! | 11 | `galilean` | what is the same for moving observers for the flux is so for numerical fluxes, where it is declared |
//! | 12 | `variables` | other variables reach all states |
//! | 13 | `ranges` | the law makes sense for all values that a case may set |
//! | 14 | `viscous` | a viscous flux is linear in the gradient, and its eigenvalues are real and not negative |
//! | all | `branches` | the proofs cover every branch |
//! | | `causes` | one mistake gives one message |
//! | | `accept` | warnings that the law accepts are left out |
//!
//! The rest of rule 2, the bound on the wave speed, is derived in [`derive`](crate::derive). A statement is tried at random
//! rational states first, in exact arithmetic, which refutes almost every mistake at once and gives its
//! counter-example; then it is proved with variables, where the expressions stay small enough.

mod accept;
mod boundary;
mod boundary_flux;
mod branches;
mod causes;
mod characteristic;
mod continuity;
mod convexity;
mod declared_speed;
mod dissipation;
mod eigenvalues;
mod entropy;
mod exact;
mod exact_jumps;
mod exact_waves;
mod far_field;
mod galilean;
mod given;
mod guards;
mod interfaces;
mod isolated_shocks;
#[cfg(test)]
pub(crate) mod laws;
mod linear;
mod media;
mod minimum;
mod mirrors;
mod nonconservative;
mod numerical_flux;
mod prove;
mod ranges;
mod repair;
mod scalar_flux;
mod signal_speeds;
mod source;
mod symmetry;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod trials;
mod unsatisfiable;
mod usage;
mod variables;
mod viscous;
mod waves;

use dg_contract::{Method, Owned, Proof};

use crate::algebra::{self, Rational};
use crate::derive::{
    Characteristic, Derived, Number, Point, Points, Rotation, both_are_admissible, budget, carried, derive,
};
use crate::ir::{FunctionId, Law, Role, Span, Warning};
use crate::medium;
use prove::{Residuals, Taken, Verdict, prove};

/// Random points at which statements are tried.
const POINTS: usize = 8;

/// The number of further points that are tried for branches that none of these takes.
const RARE_POINTS: usize = 400;

/// The seed of the random points.
const SEED: u64 = 0x5eed;

/// The results of [`analyse`].
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Mistakes and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The proved statements.
    pub proofs: Vec<Proof<Owned>>,
    /// The work that the check took, in the units of [`budget`]: the same on every machine.
    pub work: u64,
}

/// A mistake or a warning about a place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it is a mistake or a warning.
    pub severity: Severity,
    /// The smallest place that shows the problem.
    pub span: Span,
    /// The problem and its remedy, in lower case and in the user's names.
    pub message: String,
    /// Further lines: a counter-example, the right formula.
    pub notes: Vec<String>,
}

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The law is wrong.
    Error,
    /// Something could not be decided, or is not used.
    Warning(Warning),
}

/// A law under examination.
struct Checker<'a> {
    law: &'a Law,
    points: Vec<Point>,
    /// Whether a mistake was found in the flux itself: then further mismatches with it are not reported.
    flux_is_suspect: bool,
    /// Whether the product at a jump is not the non-conservative product, of which either may be wrong.
    product_is_doubtful: bool,
    /// Whether declared eigenvalues are wrong: then nothing that they decide is reported.
    eigenvalues_are_wrong: bool,
    /// The message about wrong eigenvalues if the flux may be wrong instead.
    doubt: Option<Span>,
    /// Where operations are undefined that `#[admissible]` cannot mend, and the function with a role in which they are.
    undefined: Vec<(Span, FunctionId)>,
    /// How a declared bound on wave speeds was tried, if it holds.
    bound_tried: Option<Method>,
    /// How it was proved that the declared eigenvalues are right.
    eigenvalues_proved: Option<Method>,
    /// Whether the law is the same in all directions.
    rotation: Rotation,
    taken: Taken,
    report: Report,
}

impl<'a> Checker<'a> {
    fn new(law: &'a Law) -> Self {
        let mut points = Points::new(law, SEED).over_ranges();
        let mut first: Vec<_> = (0..POINTS).filter_map(|_| points.admissible()).collect();
        let of_a_state =
            |role: &Role| matches!(role, Role::Flux | Role::Eigenvalues | Role::WaveSpeed | Role::MinimumPrinciple);
        let functions: Vec<_> = law.with_role(of_a_state).collect();
        let mut small = Points::new(law, SEED + 10).over_ranges().of_small_states();
        let rare = (0..RARE_POINTS).filter_map(|_| points.likely());
        let rarer = (0..RARE_POINTS).filter_map(|_| small.likely());
        branches::cover(law, &functions, &mut first, rare.chain(rarer), |point| both_are_admissible(law, point));
        Self {
            law,
            points: first,
            flux_is_suspect: false,
            product_is_doubtful: false,
            eigenvalues_are_wrong: false,
            doubt: None,
            undefined: Vec::new(),
            bound_tried: None,
            eigenvalues_proved: None,
            rotation: Rotation::default(),
            taken: Taken::new(),
            report: Report::default(),
        }
    }

    fn say(&mut self, severity: Severity, span: Span, message: String, notes: Vec<String>) {
        self.report.diagnostics.push(Diagnostic { severity, span, message, notes });
    }

    fn error(&mut self, span: Span, message: String, notes: Vec<String>) {
        self.say(Severity::Error, span, message, notes);
    }

    fn warning(&mut self, warning: Warning, span: Span, message: String, notes: Vec<String>) {
        self.say(Severity::Warning(warning), span, message, notes);
    }

    fn has_error_at(&self, span: Span) -> bool {
        self.report.diagnostics.iter().any(|d| d.severity == Severity::Error && d.span == span)
    }

    /// Whether a warning is about this place that the author does not accept.
    fn is_warned_of(&self, span: Span) -> bool {
        let about = |d: &&Diagnostic| d.severity != Severity::Error && d.span == span;
        self.report.diagnostics.iter().filter(about).any(|d| accept::accepted(self.law, d).is_none())
    }

    fn proved(&mut self, statement: String, method: Method) {
        self.report.proofs.push(Proof { statement, method });
    }

    /// Proves a statement about a function; if it fails, `explain` gets the point and the index of the residual.
    fn claim(
        &mut self,
        id: FunctionId,
        statement: String,
        points: &[Point],
        residuals: &Residuals,
        explain: impl FnOnce(&mut Self, &Point, usize),
    ) {
        match prove(self.law, points, residuals, &mut self.taken) {
            Verdict::Holds(method) => self.proved(statement, method),
            Verdict::Fails { point, residual } => explain(self, &point, residual),
            Verdict::Undecided(stop) => {
                let reason = match stop {
                    Some(stop) => format!("the points that were tried met {stop}"),
                    None => "no admissible state was found".into(),
                };
                let name = &self.law.function(id).name;
                let message = format!("it could not be decided whether {statement}");
                let remedy = format!("the statement about `{name}` is neither proved nor refuted");
                self.warning(Warning::Undecided, self.law.function(id).span, message, vec![reason, remedy]);
            }
        }
    }
}

/// Checks a law against all rules and derives the data for its code, on one thread; no other check runs at the same
/// time.
pub fn analyse(law: &Law) -> (Report, Derived) {
    let plain = medium::as_parameters(law);
    let found = algebra::session(&law.name, || analyse_in_session(law, &plain));
    let (report, mut derived) = found.unwrap_or_else(|error| {
        let diagnostic =
            Diagnostic { severity: Severity::Error, span: law.span, message: error.to_string(), notes: Vec::new() };
        (Report { diagnostics: vec![diagnostic], ..Report::default() }, Derived::default())
    });
    derived.restore_medium(law);
    (report, derived)
}

/// The mistakes and warnings that [`analyse`] finds, without the data for code: for those who check many laws, in a
/// [session](algebra::session) of their own.
pub fn diagnose(law: &Law) -> Vec<Diagnostic> {
    budget::restart();
    let plain = medium::as_parameters(law);
    finished(&plain, examine(law, &plain).report).diagnostics
}

fn integer(n: i64) -> Number {
    Number::Rational(Rational::from(n))
}

/// A report without what the law accepts, in source order.
fn finished(law: &Law, mut report: Report) -> Report {
    accept::apply(law, &mut report.diagnostics);
    report.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    report.work = budget::spent();
    report
}

/// Applies the rules to a law in which the medium's fields are parameters; `written` is the law as its author wrote it.
fn examine<'l>(written: &Law, law: &'l Law) -> Checker<'l> {
    let mut checker = Checker::new(law);
    usage::check(&mut checker);
    guards::check(&mut checker);
    if checker.points.is_empty() {
        unsatisfiable::check(&mut checker);
        return checker;
    }
    nonconservative::check(&mut checker);
    viscous::check(&mut checker);
    eigenvalues::check(&mut checker);
    checker.bound_tried = declared_speed::check(&mut checker);
    if !checker.flux_is_suspect {
        numerical_flux::check(&mut checker);
        media::check(&mut checker, written);
        interfaces::check(&mut checker, written);
        let vectors = symmetry::vectors(&mut checker);
        galilean::check(&mut checker, vectors.as_ref().map_or(&[], |(pairs, _)| pairs));
        let (kinds, mirrors) = (symmetry::find(&mut checker, vectors), mirrors::find(&mut checker));
        let is_flux: fn(&Role) -> bool = |role| matches!(role, Role::NumericalFlux(_));
        checker.rotation = symmetry::rotation(&checker, &kinds);
        symmetry::hold(&mut checker, &kinds, |role| *role == Role::Nonconservative);
        symmetry::hold(&mut checker, &kinds, is_flux);
        mirrors::hold(&mut checker, &mirrors, is_flux);
        boundary::check(&mut checker);
        boundary_flux::check(&mut checker);
        symmetry::hold(&mut checker, &kinds, |role| matches!(role, Role::Boundary { .. }));
        mirrors::hold(&mut checker, &mirrors, |role| match role {
            Role::Boundary { impermeable } => !impermeable.is_empty(),
            _ => false,
        });
        exact::check(&mut checker);
        minimum::check(&mut checker);
    }
    convexity::check(&mut checker);
    given::check(&mut checker);
    variables::check(&mut checker);
    ranges::check(&mut checker);
    causes::merge(law, &mut checker.report.diagnostics, checker.doubt, &checker.undefined);
    branches::check(&mut checker);
    checker
}

fn analyse_in_session(written: &Law, law: &Law) -> (Report, Derived) {
    let mut checker = examine(written, law);
    if checker.points.is_empty() {
        return (finished(law, checker.report), derive(law, &[], SEED));
    }
    let linear = linear::check(&mut checker);
    let nonlinear = linear.err().flatten();
    let (source_jacobian, source_linear) = source::check(&mut checker);
    let characteristic = characteristic::check(&mut checker);
    let far_field = far_field::check(&mut checker);
    let characteristic = characteristic::at_run_time(&mut checker, characteristic, &far_field);
    let path_points = nonconservative::path_points(&mut checker);
    let viscous = viscous::derive(&mut checker);
    let mut derived = Derived {
        far_field,
        linear: linear.is_ok(),
        nonlinear,
        path_points,
        rotation: checker.rotation.clone(),
        source_jacobian,
        source_linear,
        viscous,
        ..derive(law, &checker.points, SEED)
    };
    if !matches!(characteristic, Characteristic::None(_)) {
        derived.samples.extend(carried(law, SEED));
    }
    derived.characteristic = characteristic;
    waves::check(&mut checker, &mut derived);
    let declared = law.only(&Role::WaveSpeed).is_some();
    if let Some(method) = if declared { checker.bound_tried } else { checker.eigenvalues_proved } {
        checker.proved(format!("no wave is faster than {}", derived.wave_speed), method);
    }
    (finished(law, checker.report), derived)
}
