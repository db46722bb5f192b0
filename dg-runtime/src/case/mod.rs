//! What to compute, as a case file says it.
//!
//! A case file is TOML. Every key is checked, and every value against the law, before any time is spent.
//!
//! ```toml
//! law = "euler"
//! order = 2                        # polynomial degree
//!
//! [parameters]                     # of the law; those with a default may be left out
//! gamma = 1.4
//!
//! [mesh]                           # a generator with its keys, or a Gmsh file
//! generator = "quarter annulus"    # radii = [inner, outer], cells = [radial, angular]
//! radii = [1.0, 1.384]             # "rectangle": lower, upper, cells = [nx, ny], jitter = 0 … 0.3
//! cells = [5, 18]                  # "disc": centre, radius, cells = along the radius
//! # file = "wing.msh"              # relative to the case file
//! refine = 1                       # each refinement splits every element
//!
//! # [mesh.curves]                  # the body behind a boundary of straight faces
//! # wing = "spline"                # through the boundary's vertices
//! # cylinder = { circle = { centre = [0, 0], radius = 1 } }
//!
//! [boundaries]                     # each boundary of the mesh: a boundary function of the law,
//! inner = "slip_wall"              # or { periodic = "the opposite boundary" }, said once for the two
//! outer = "slip_wall"
//! start = "vortex"
//! end = "vortex"
//!
//! [initial]                        # an initial or exact function of the law (at time 0), or a formula for
//! function = "supersonic_vortex"   # every component of the state, of x, y and the law's parameters:
//! # formulas = { rho = "1 + 0.1*exp(-x^2)", … }
//!
//! [time]                           # stop at `final`, or when no coefficient changes by more than `steady`
//! final = 2.0                      # in a step, or at what comes first
//! steady = 1e-14
//! cfl = 0.9
//! integrator = "ssp_rk3"           # heun, ssp_rk3, rk4, carpenter_kennedy
//! step_every = 1                   # steps for which one time step size serves
//!
//! [flux]
//! numerical = "rusanov"            # a numerical flux of the law
//!
//! [exact]                          # what errors and rates are measured against; the keys of [initial],
//! function = "supersonic_vortex"   # and formulas may also use the time t
//!
//! [output]
//! directory = "out"                # relative to the case file; out/CASE in the working directory if not given
//! every = 0.1                      # time between files; without it there is one at the end
//! fields = ["rho", "mach"]         # components and outputs of the law; without it all of them
//! pictures = ["mach"]              # PNG pictures
//! vtu = true                       # files for ParaView
//! checkpoint_every = 1000          # steps
//! ```

mod document;
mod formula;
mod identity;
pub(crate) mod names;
mod read;
#[cfg(test)]
pub(crate) mod sample_law;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::law::{Arguments, Function, Law, Role, Shape, Unit};

pub use document::Mistake;
pub use formula::{Formula, FormulaError};

/// Why there is no [`Case`].
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file cannot be read.
    #[error("cannot read the case file {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file says something wrong.
    #[error(transparent)]
    Mistake(#[from] Mistake),
    /// There is no code for an order.
    #[error("{law} has no generated code of order {order} for triangles; there are orders {known}")]
    Order {
        /// The law.
        law: &'static str,
        /// The order asked for.
        order: usize,
        /// Those that there are, for people.
        known: String,
    },
}

/// Everything that a case file says, checked.
#[derive(Clone, Debug)]
pub struct Case {
    /// The case file.
    pub path: PathBuf,
    /// The law.
    pub law: &'static Law,
    /// Polynomial degree.
    pub order: usize,
    /// Values of the law's parameters, in its order.
    pub parameters: Vec<f64>,
    /// The mesh.
    pub mesh: MeshSource,
    /// The law's boundary function for boundaries of the mesh.
    pub boundaries: BTreeMap<String, &'static Function>,
    /// Boundaries that are one and the same.
    pub periodic: Vec<(String, String)>,
    /// The state at time 0.
    pub initial: Field,
    /// The exact solution, if there is one.
    pub exact: Option<Field>,
    /// Time stepping and when to stop.
    pub time: Time,
    /// The numerical flux.
    pub numerical_flux: &'static Function,
    /// What to write.
    pub output: Output,
}

/// Where the mesh comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSource {
    /// A file or a generator.
    pub origin: MeshOrigin,
    /// How often to split every element.
    pub refine: usize,
    /// The curves behind boundaries.
    pub curves: BTreeMap<String, CurveSource>,
}

/// A mesh before refinement.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshOrigin {
    /// A Gmsh file.
    File(PathBuf),
    /// An axis-parallel rectangle.
    Rectangle {
        /// Lower left corner.
        lower: [f64; 2],
        /// Upper right corner.
        upper: [f64; 2],
        /// Cells in x and y, each cut into triangles.
        cells: [usize; 2],
        /// How far inner vertices are moved at random, as a fraction of a cell.
        jitter: f64,
    },
    /// A quarter of an annulus around the origin, in the first quadrant.
    QuarterAnnulus {
        /// Inner and outer radius.
        radii: [f64; 2],
        /// Cells along the radius and along the angle.
        cells: [usize; 2],
    },
    /// A disc.
    Disc {
        /// Centre.
        centre: [f64; 2],
        /// Radius.
        radius: f64,
        /// Cells along the radius.
        cells: usize,
    },
}

/// The curve behind a boundary of straight faces.
#[derive(Clone, Debug, PartialEq)]
pub enum CurveSource {
    /// A spline through the boundary's vertices.
    Spline,
    /// A circle.
    Circle {
        /// Centre.
        centre: [f64; 2],
        /// Radius.
        radius: f64,
    },
}

/// A state in dependence of position and time.
#[derive(Clone, Debug)]
pub enum Field {
    /// An initial or exact function of the law.
    Function(&'static Function),
    /// A formula for every component, of position, time and parameters.
    Formulas(Vec<Formula>),
}

/// Time stepping and when to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// The time at which to stop.
    pub until: Option<f64>,
    /// The largest change of a coefficient in a step at which the state counts as steady.
    pub steady: Option<f64>,
    /// Courant number.
    pub cfl: f64,
    /// Runge-Kutta method.
    pub integrator: Integrator,
    /// Steps for which one time step size serves.
    pub step_every: usize,
}

/// A Runge-Kutta method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// Heun's, second order, two stages.
    Heun,
    /// The strong stability preserving method of third order, three stages (Shu and Osher 1988).
    SspRk3,
    /// The classical method of fourth order.
    Rk4,
    /// RK4(3)5\[2N\], fourth order, five stages, two registers (Carpenter and Kennedy 1994).
    CarpenterKennedy,
}

impl Integrator {
    /// All of them with their names in case files.
    pub const ALL: [(&'static str, Self); 4] = [
        ("heun", Self::Heun),
        ("ssp_rk3", Self::SspRk3),
        ("rk4", Self::Rk4),
        ("carpenter_kennedy", Self::CarpenterKennedy),
    ];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// What to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Where to.
    pub directory: PathBuf,
    /// Time between files; `None` for the end only.
    pub every: Option<f64>,
    /// Components of the state and outputs of the law to write.
    pub fields: Vec<&'static str>,
    /// Those to draw.
    pub pictures: Vec<&'static str>,
    /// Whether to write files for ParaView.
    pub vtu: bool,
    /// Steps between checkpoints; `None` for one when the run is interrupted or ends.
    pub checkpoint_every: Option<usize>,
}

impl Case {
    /// The case with another order.
    ///
    /// # Errors
    ///
    /// If the law has no code of this order.
    pub fn with_order(self, order: usize) -> Result<Self, CaseError> {
        unit_of(self.law, order)?;
        Ok(Self { order, ..self })
    }

    /// Writes the state of `field` at a position and time to `state`, one value for each component.
    pub fn evaluate(&self, field: &Field, position: &[f64], time: f64, state: &mut [f64]) {
        match field {
            Field::Function(function) => {
                let arguments =
                    Arguments { parameters: &self.parameters, state: &[], right: &[], normal: &[], position, time };
                if let Some(host) = function.host {
                    host(&arguments, state);
                }
            }
            Field::Formulas(formulas) => {
                let variables = [position, &[time], &self.parameters].concat();
                for (value, formula) in state.iter_mut().zip(formulas) {
                    *value = formula.value(&variables);
                }
            }
        }
    }
}

/// The code of a law for triangles of this order.
///
/// # Errors
///
/// If there is none.
pub fn unit_of(law: &'static Law, order: usize) -> Result<&'static Unit, CaseError> {
    law.unit(Shape::Triangle, order).ok_or_else(|| {
        let known: Vec<String> = law.units.iter().map(|unit| unit.order.to_string()).collect();
        CaseError::Order { law: law.name, order, known: known.join(", ") }
    })
}

/// Names of the fields that can be written: the components of the state, then the law's outputs.
pub fn field_names(law: &'static Law) -> Vec<&'static str> {
    let components = law.state.iter().map(|variable| variable.name);
    components.chain(law.with_role(Role::Output).map(|function| function.name)).collect()
}
