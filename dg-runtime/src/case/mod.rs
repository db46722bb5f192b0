//! What to compute, as a case file says it.
#![doc = include_str!("../../../docs/cases.md")]

mod boundaries;
mod document;
mod identity;
mod kinds;
pub(crate) mod names;
mod picture;
mod places;
mod read;
mod restart;
#[cfg(test)]
pub(crate) mod sample_law;
mod setup;
mod states;
mod steady;
#[cfg(test)]
mod tests;
mod vtu;

use std::collections::BTreeMap;
use std::path::PathBuf;

use self::places::Places;
use crate::law::{Function, Law, Role, Shape, Unit};
use crate::mesh::generate::{Disc, ForwardStep, QuarterAnnulus, Rectangle};
use crate::mesh::{Curve, MeshError};
use crate::solver::{Condition, Given, Integrator, Limiter, Precision, Tolerance, Variant};

pub use crate::formula::{Formula, FormulaError, StateFormulas};
pub use document::Mistake;
pub use picture::Picture;
pub use restart::RestartError;
pub use steady::Steady;
pub use vtu::Vtu;

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
    /// A condition is for no boundary of the mesh.
    #[error("{}: [boundaries] has a condition for no boundary of the mesh: {message}", path.display())]
    NoBoundary {
        /// The case file.
        path: PathBuf,
        /// The name, and those that there are.
        message: String,
    },
    /// A boundary of the mesh has no condition.
    #[error("{}: [boundaries] lacks a condition for `{name}` of the mesh; give it one of {known}", path.display())]
    NoCondition {
        /// The case file.
        path: PathBuf,
        /// The boundary.
        name: String,
        /// The law's boundary functions and what the mesh offers, for people.
        known: String,
    },
    /// Something is wrong with the mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The limiter is not for an order.
    #[error("{}: [limiter]: {message}", path.display())]
    Limiter {
        /// The case file.
        path: PathBuf,
        /// Why not, and what is.
        message: String,
    },
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
    /// The floating-point type.
    pub precision: Precision,
    /// How the work on an element is laid over threads, where the case says so.
    pub schedule: Option<Variant>,
    /// Values of the law's parameters, in its order.
    pub parameters: Vec<f64>,
    /// Whether these values are literals of the generated code.
    pub literal_parameters: bool,
    /// The mesh.
    pub mesh: MeshSource,
    /// The conditions on boundaries of the mesh.
    pub boundaries: BTreeMap<String, Condition>,
    /// Boundaries that are one and the same.
    pub periodic: Vec<(String, String)>,
    /// Where the file names boundaries.
    places: Places,
    /// The state at time 0.
    pub initial: Initial,
    /// The exact solution, if there is one.
    pub exact: Option<Given>,
    /// Time stepping and when to stop.
    pub time: Time,
    /// The numerical flux.
    pub numerical_flux: &'static Function,
    /// What is done to the solution after every stage, if anything.
    pub limiter: Option<Limiter>,
    /// What to write.
    pub output: Output,
}

/// Where the mesh comes from.
#[derive(Clone, Debug)]
pub struct MeshSource {
    /// A file or a generator.
    pub origin: MeshOrigin,
    /// How often to split every element.
    pub refine: usize,
    /// The curves behind boundaries, beside those that a generator declares itself; `None` for a boundary that is straight
    /// although a generator declares a curve.
    pub curves: BTreeMap<String, Option<Curve>>,
}

/// A mesh before refinement.
#[derive(Clone, Debug)]
pub enum MeshOrigin {
    /// A Gmsh file.
    File(PathBuf),
    /// A generated rectangle.
    Rectangle(Rectangle),
    /// A generated quarter of an annulus.
    QuarterAnnulus(QuarterAnnulus),
    /// A generated disc.
    Disc(Disc),
    /// A generated channel with a step.
    ForwardStep(ForwardStep),
}

/// The state at time 0.
#[derive(Clone, Debug)]
pub enum Initial {
    /// An initial or exact function of the law.
    Function(&'static Function),
    /// Formulas of position, parameters and time, which is 0.
    Formulas(StateFormulas),
    /// The state of another run, at its time.
    From {
        /// A checkpoint, or a folder that has some.
        path: PathBuf,
        /// What the case file says.
        text: String,
    },
}

/// Time stepping and when to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// The time at which to stop.
    pub until: Option<f64>,
    /// What makes the state a steady one, at which to stop too.
    pub steady: Vec<Steady>,
    /// Courant number; `None` for the [default](Integrator::default_cfl) of the integrator and the order, with which a limiter
    /// also bounds what passes a [face](Integrator::face_share).
    pub cfl: Option<f64>,
    /// What a step may be off by, where that tells how long it is.
    pub tolerance: Option<Tolerance>,
    /// Runge-Kutta method.
    pub integrator: Integrator,
    /// Steps for which one time step size serves.
    pub step_every: u64,
}

/// What to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Where to.
    pub directory: PathBuf,
    /// Time between files; `None` for the start and the end only.
    pub every: Option<f64>,
    /// Components of the state and outputs of the law to write.
    pub fields: Vec<&'static str>,
    /// What to draw.
    pub pictures: Vec<Picture>,
    /// How to write files for ParaView, where there are to be any.
    pub vtu: Option<Vtu>,
    /// Steps between rows of the history, and between looks for a steady state.
    pub history_every: u64,
    /// Steps between checkpoints; `None` for one when the run ends or is interrupted.
    pub checkpoint_every: Option<u64>,
}

impl Case {
    /// The case with another order.
    ///
    /// # Errors
    ///
    /// If the law has no code of this order, or the limiter does not limit it.
    pub fn with_order(self, order: usize) -> Result<Self, CaseError> {
        unit_of(self.law, order)?;
        if let Some(method) = self.limiter.and_then(|limiter| limiter.method) {
            method
                .require(self.law, order)
                .map_err(|message| CaseError::Limiter { path: self.path.clone(), message })?;
        }
        Ok(Self { order, ..self })
    }

    /// The Courant number.
    pub fn cfl(&self) -> f64 {
        self.time.cfl.unwrap_or_else(|| self.time.integrator.default_cfl(self.order))
    }

    /// The part of an element that may pass one of its faces in a step, where that is bounded: with a limiter, unless the case
    /// says how long steps are.
    pub fn face_share(&self) -> Option<f64> {
        let bounded = self.limiter.is_some() && self.time.cfl.is_none();
        self.time.integrator.face_share(self.order).filter(|_| bounded)
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
