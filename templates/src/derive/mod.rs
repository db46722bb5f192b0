//! Data derived from a law: Jacobians, wave speeds, characteristic variables, sources of manufactured solutions,
//! linearity, and its values in exact arithmetic.

pub(crate) mod between;
pub mod budget;
mod carried;
mod characteristic;
mod chart;
mod defined;
mod diffuses;
mod domain;
mod draft;
mod dual;
mod eigenvalues;
mod elimination;
mod far_field;
pub(crate) mod fields;
mod floats;
mod formula;
mod functions;
pub(crate) mod isolated;
mod lazy;
mod manufactured;
mod monotone;
mod number;
mod origins;
mod points;
mod random;
mod rows;
mod samples;
mod setting;
mod signs;
mod source;
pub mod spectrum;
pub mod text;
mod tower;
mod viscous;
pub(crate) mod waves;
mod wide;

pub use carried::carried;
pub use characteristic::{Coordinates, Maps, NoEigenvectors, formulas, maps};
pub use defined::{Parameters, is_defined};
pub use diffuses::diffuses;
pub use dual::{Dual, Duals};
pub use eigenvalues::eigenvalues;
pub use elimination::solution;
pub use far_field::FarField;
pub(crate) use far_field::{distinct, far_field, shifted};
pub use floats::Floats;
pub use lazy::Undefined;
pub use manufactured::{source_name, sources};
pub use monotone::monotone_ways;
pub use number::{General, Generator, Number, Stop, Zero};
pub use origins::{Origin, depend_on_time, origins};
pub use points::{Points, both_are_admissible, is_admissible};
pub use samples::Sample;
pub use setting::{Inputs, Point, Setting};
pub(crate) use source::source_jacobian;
pub use source::{SOURCE_JACOBIAN, SourceJacobian};
pub use tower::Tower;
pub use viscous::Viscous;
pub(crate) use viscous::viscous;
pub use wide::Wide;

use crate::ir::{ExprId, ExprKind, Function, Law, Role, Type};

/// The results of the algebra about a law.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// `[d][i][j]` = ∂F_d,i/∂u_j as text in the user's names; empty where it is too large to print.
    pub jacobian: Vec<Vec<Vec<String>>>,
    /// The declared eigenvalues in direction of a normal, as text.
    pub eigenvalues: Vec<String>,
    /// The quantities that are positive at admissible states, as text.
    pub admissible: Vec<String>,
    /// The bound on the wave speed that numerical flux and time step share, as text.
    pub wave_speed: String,
    /// Eigenvalues that always include the least and the greatest, as indices into the declared ones.
    pub extreme: Vec<usize>,
    /// The slowest and the fastest wave between two states, where these may lie outside the speeds at both.
    pub between: Option<Box<Function>>,
    /// Characteristic variables.
    pub characteristic: Characteristic,
    /// The far field, or the reason why there is none.
    pub far_field: FarField,
    /// Whether the law is the same in all directions.
    pub rotation: Rotation,
    /// Whether the law is linear in the state, but for its source.
    pub linear: bool,
    /// An axis along which an equation is not linear, and the component of that equation, if the law is not linear.
    pub nonlinear: Option<[usize; 2]>,
    /// Whether the source is linear in the state, or there is none.
    pub source_linear: bool,
    /// The number of points that integrate a non-conservative product between two states; 0 where the law has none.
    pub path_points: usize,
    /// The components that the source changes.
    pub source_components: Vec<usize>,
    /// The Jacobian of the source, where this depends on the state.
    pub source_jacobian: Option<SourceJacobian>,
    /// What follows from the viscous flux, if the law has one.
    pub viscous: Option<Viscous>,
    /// `[i][j]` = ∂S_i/∂u_j as text; empty where the source does not depend on the state, or it is too large to print.
    pub source_entries: Vec<Vec<String>>,
    /// Values of the law's functions.
    pub samples: Vec<Sample>,
}

impl Derived {
    /// Puts the medium's values in samples behind the states, where the kernels have them; the algebra has them among the
    /// [parameters](crate::medium).
    pub(crate) fn restore_medium(&mut self, law: &Law) {
        let count = law.medium.fields.len();
        let of_far_field: &mut [Sample] = match &mut self.far_field {
            FarField::Derived { samples, .. } => samples,
            FarField::None(_) => &mut [],
        };
        let of_source = self.source_jacobian.iter_mut().flat_map(|jacobian| &mut jacobian.samples);
        for sample in self.samples.iter_mut().chain(of_far_field).chain(of_source) {
            let medium: Vec<f64> = sample.parameters.drain(..count).collect();
            sample.state.extend(&medium);
            sample.right.extend(&medium);
        }
    }
}

/// Characteristic variables in every coordinate direction.
#[derive(Clone, Debug)]
pub enum Characteristic {
    /// The maps of each direction.
    Derived(Vec<Maps>),
    /// The maps have no formulas, for this reason; they are computed at each state, since eigenvectors are known to
    /// exist.
    AtRunTime(String),
    /// There are none, for this reason.
    None(String),
}

/// The reason why nothing is derived from wrong eigenvalues.
pub(crate) const UNKNOWN: &str = "the eigenvalues of the flux Jacobian are not known";

impl Default for Characteristic {
    fn default() -> Self {
        Self::None(UNKNOWN.into())
    }
}

/// Whether a law is the same in all directions: whether solutions turned by any angle are solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// It is if these pairs of components of the state turn, too: their components along x and y.
    Vectors(Vec<(usize, usize)>),
    /// It is not, for this reason.
    None(String),
}

impl Default for Rotation {
    fn default() -> Self {
        Self::None(UNKNOWN.into())
    }
}

impl Default for FarField {
    fn default() -> Self {
        Self::None(UNKNOWN.into())
    }
}

/// The boundaries that the compiler derives for every law whose flux Jacobian can be diagonalised, each with a line of
/// description.
pub const DERIVED_BOUNDARIES: [(&str, &str); 2] = [
    ("far_field", "Lets waves leave, and takes those that come in from a state that the case gives."),
    ("absorbing", "Lets waves leave, and takes those that come in from the initial state."),
];

/// Derives everything but `characteristic`, `far_field`, `linear`, `source_jacobian` and `viscous`, which are proved like a check; the points are admissible, and
/// without any there are no samples.
pub(crate) fn derive(law: &Law, points: &[Point], seed: u64) -> Derived {
    let mut derived = Derived { source_components: source::source_components(law), ..Derived::default() };
    if !points.is_empty() {
        derived.samples = samples::samples(law, seed);
    }
    if let Some(jacobian) = points.first().and_then(|point| jacobian(law, point).ok()) {
        derived.jacobian = jacobian;
    }
    if let Some(entries) = points.first().and_then(|point| source_entries(law, point).ok()) {
        derived.source_entries = entries;
    }
    if let Some(id) = law.only(&Role::Eigenvalues) {
        derived.eigenvalues = results(law, law.function(id), "u, n");
        derived.extreme = waves::extreme(law, id, points, &derived.eigenvalues);
        let sizes: Vec<_> = derived.extreme.iter().filter_map(|&i| derived.eigenvalues.get(i)).collect();
        derived.wave_speed = match sizes.as_slice() {
            [one] => format!("|{one}|"),
            many => format!("max({})", many.iter().map(|e| format!("|{e}|")).collect::<Vec<_>>().join(", ")),
        };
    }
    if let Some(id) = law.only(&Role::WaveSpeed) {
        let bounds = results(law, law.function(id), "u, n");
        derived.wave_speed = match bounds.as_slice() {
            [bound] => bound.clone(),
            both => format!("max({})", both.iter().map(|e| format!("|{e}|")).collect::<Vec<_>>().join(", ")),
        };
    }
    if let Some(id) = law.only(&Role::Admissible) {
        derived.admissible = results(law, law.function(id), "u");
    }
    derived
}

/// The elements of the array that a function of these arguments returns.
fn results(law: &Law, function: &Function, arguments: &str) -> Vec<String> {
    match array_elements(function) {
        Some(elements) => elements.iter().map(|&e| readable(law, function, e)).collect(),
        None if function.result == Type::Real => {
            let inlined = text::inlined(law, function, function.body.value);
            vec![if inlined.len() <= READABLE { inlined } else { format!("{}({arguments})", function.name) }]
        }
        None => (0..law.size_of(&function.result)).map(|i| format!("{}({arguments})[{i}]", function.name)).collect(),
    }
}

/// The longest text into which variables are replaced by their values.
const READABLE: usize = 120;

/// An expression in terms of the function's arguments, or as written if that would be long.
fn readable(law: &Law, function: &Function, id: ExprId) -> String {
    let inlined = text::inlined(law, function, id);
    if inlined.len() <= READABLE { inlined } else { text::expression(law, function, id) }
}

fn jacobian(law: &Law, point: &Point) -> Result<Vec<Vec<Vec<String>>>, Stop> {
    let (mut setting, inputs) = Setting::symbolic(law, point)?;
    let jacobians = setting.jacobians(&inputs)?;
    let row = |row: &Vec<Number>| row.iter().map(|entry| text::number(&setting.tower, entry)).collect();
    Ok(jacobians.iter().map(|matrix| matrix.iter().map(row).collect()).collect())
}

/// The entries of the source's Jacobian; none if all are 0.
fn source_entries(law: &Law, point: &Point) -> Result<Vec<Vec<String>>, Stop> {
    let (mut setting, inputs) = Setting::symbolic(law, point)?;
    let jacobian = setting.source_jacobian(&inputs)?;
    let row = |row: &Vec<Number>| row.iter().map(|entry| text::number(&setting.tower, entry)).collect();
    let entries: Vec<Vec<String>> = jacobian.iter().map(row).collect();
    let is_zero = entries.iter().flatten().all(|entry| entry == "0");
    Ok(if is_zero { Vec::new() } else { entries })
}

/// The expressions of the returned array, if the function ends in an array literal.
pub(crate) fn array_elements(function: &Function) -> Option<Vec<ExprId>> {
    let mut value = function.body.value;
    loop {
        match &function.expr(value).kind {
            ExprKind::Array(ids) => return Some(ids.clone()),
            ExprKind::Block(block) => value = block.value,
            _ => return None,
        }
    }
}
