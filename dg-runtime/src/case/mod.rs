//! The description of a computation in a case file.
#![doc = include_str!("../../../docs/cases.md")]

mod boundaries;
mod document;
pub(crate) mod identity;
mod kinds;
pub(crate) mod measure;
mod medium;
pub(crate) mod picture;
mod places;
mod point_sources;
mod read;
mod receivers;
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
use crate::io::vtu::Encoding;
use crate::law::{Function, Law, Shape, Unit};
use crate::mesh::generate::{Block, Disc, ForwardStep, QuarterAnnulus, Rectangle};
use crate::mesh::{Curve, MeshError};
use crate::solver::{
    Condition, Given, Integrator, Limiter, Medium, PointSource, Precision, Tolerance, Variant, ViscousScheme,
};

pub use crate::formula::{Formula, FormulaError, StateFormulas};
pub use document::Mistake;
pub use measure::{Measure, Rows, Traction, What};
pub use picture::Picture;
pub(crate) use receivers::MOST_RECORDS;
pub use receivers::Receivers;
pub use restart::RestartError;
pub use steady::Steady;
pub use vtu::Vtu;

/// Why a [`Case`] cannot be made.
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
    /// The file contains a mistake.
    #[error(transparent)]
    Mistake(#[from] Mistake),
    /// A condition names no boundary of the mesh.
    #[error("{}: [boundaries] has a condition for no boundary of the mesh: {message}", path.display())]
    NoBoundary {
        /// The case file.
        path: PathBuf,
        /// The name, and the names that exist.
        message: String,
    },
    /// A boundary of the mesh has no condition.
    #[error("{}: [boundaries] lacks a condition for `{name}` of the mesh; give it one of {known}", path.display())]
    NoCondition {
        /// The case file.
        path: PathBuf,
        /// The boundary.
        name: String,
        /// The law's boundary functions and the mesh's offers, for messages.
        known: String,
    },
    /// The mesh is faulty.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The limiter does not suit an order.
    #[error("{}: [limiter]: {message}", path.display())]
    Limiter {
        /// The case file.
        path: PathBuf,
        /// Why not, and which one does.
        message: String,
    },
    /// The medium has a higher degree than the solution.
    #[error("{}: [medium]: `degree = {degree}` is above the order, {order}; leave it out, or take less", path.display())]
    Degree {
        /// The case file.
        path: PathBuf,
        /// The degree of the medium.
        degree: usize,
        /// The order asked for.
        order: usize,
    },
    /// A law has no code for an order.
    #[error("{law} has no generated code of order {order}; there are orders {known}")]
    Order {
        /// The law.
        law: &'static str,
        /// The order asked for.
        order: usize,
        /// The orders with code, for messages.
        known: String,
    },
}

/// The checked content of a case file.
#[derive(Clone, Debug)]
pub struct Case {
    /// The case file.
    pub path: PathBuf,
    /// The law.
    pub law: &'static Law,
    /// Polynomial degree.
    pub order: usize,
    /// The degrees of elements of groups, or of shapes, that have their own: see [`Mesh::with_orders`](crate::mesh::Mesh::with_orders).
    pub orders: Vec<(String, usize)>,
    /// The floating-point type.
    pub precision: Precision,
    /// How the work on an element is divided among threads, if the case says so.
    pub schedule: Option<Variant>,
    /// Values of the law's parameters, in its order.
    pub parameters: Vec<f64>,
    /// Whether these values are literals in the generated code.
    pub literal_parameters: bool,
    /// The mesh.
    pub mesh: MeshSource,
    /// The conditions on boundaries of the mesh.
    pub boundaries: BTreeMap<String, Condition>,
    /// Pairs of boundaries joined by a period.
    pub periodic: Vec<(String, String)>,
    /// Places of boundary names in the file.
    places: Places,
    /// The medium, for a law that has one.
    pub medium: Option<Medium>,
    /// The state at time 0.
    pub initial: Initial,
    /// The exact solution, if there is one.
    pub exact: Option<Given>,
    /// Time stepping and when to stop.
    pub time: Time,
    /// The numerical flux.
    pub numerical_flux: &'static Function,
    /// How a viscous flux is discretised.
    pub viscous: ViscousScheme,
    /// The steady solution that the scheme keeps to rounding, if the case names one.
    pub well_balanced: Option<&'static Function>,
    /// How the solution is limited after every stage, if at all.
    pub limiter: Option<Limiter>,
    /// Sources at points.
    pub point_sources: Vec<PointSource>,
    /// Points at which the solution is recorded.
    pub receivers: Option<Receivers>,
    /// What else is measured.
    pub measure: Option<Measure>,
    /// What to write.
    pub output: Output,
}

/// The source of the mesh.
#[derive(Clone, Debug)]
pub struct MeshSource {
    /// A file or a generator.
    pub origin: MeshOrigin,
    /// Number of uniform refinements.
    pub refine: usize,
    /// The curves behind boundaries, beside those declared by a generator; `None` for a boundary that is straight
    /// although the generator declares a curve.
    pub curves: BTreeMap<String, Option<Curve>>,
    /// The degree of the elements' maps: above 1 their sides follow the curves.
    pub degree: usize,
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
    /// A generated cylinder, airfoil, bump or ramp.
    Block(Block),
}

impl MeshOrigin {
    /// Makes sure that the options of a generator are in range.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] where one is not.
    pub fn check(&self) -> Result<(), MeshError> {
        match self {
            Self::File(_) => Ok(()),
            Self::Rectangle(rectangle) => rectangle.check(),
            Self::QuarterAnnulus(annulus) => annulus.check(),
            Self::Disc(disc) => disc.check(),
            Self::ForwardStep(channel) => channel.check(),
            Self::Block(block) => block.check(),
        }
    }
}

/// The state at time 0.
#[derive(Clone, Debug)]
pub enum Initial {
    /// An initial or exact function of the law.
    Function(&'static Function),
    /// Formulas of position and parameters; the time in them is 0.
    Formulas(StateFormulas),
    /// The state of another run, at its time.
    From {
        /// A checkpoint, or a folder with checkpoints.
        path: PathBuf,
        /// The path as written in the case file.
        text: String,
    },
}

/// Time stepping and when to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// The final time.
    pub until: Option<f64>,
    /// Criteria for a steady state, at which the run stops too.
    pub steady: Vec<Steady>,
    /// Courant number; `None` for the [default](Integrator::default_cfl) of the integrator and the order, with which a limiter
    /// also bounds what passes a [face](Integrator::face_share).
    pub cfl: Option<f64>,
    /// The tolerated error of a step, if it controls the step size.
    pub tolerance: Option<Tolerance>,
    /// Runge-Kutta method.
    pub integrator: Integrator,
    /// Whether the case leaves the choice of the method open, so that a source may be taken implicitly where it makes steps short.
    pub automatic: bool,
    /// Whether the case leaves the number of stages open, of an integrator that has several.
    pub chooses_stages: bool,
    /// Number of steps with the same size, if the case gives it.
    pub step_every: Option<u64>,
}

/// What to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The folder of all files.
    pub directory: PathBuf,
    /// Time between files; `None` for the start and the end only.
    pub every: Option<f64>,
    /// Components of the state and outputs of the law to write.
    pub fields: Vec<&'static str>,
    /// Pictures to draw.
    pub pictures: Vec<Picture>,
    /// The format of files for ParaView, if they are wanted.
    pub vtu: Option<Vtu>,
    /// The encoding of the file for ParaView with all times, if it is wanted.
    pub vtkhdf: Option<Encoding>,
    /// Steps between rows of the history, and between checks for a steady state.
    pub history_every: u64,
    /// Steps between checkpoints; `None` for a single one when the run ends or is interrupted.
    pub checkpoint_every: Option<u64>,
}

impl Case {
    /// The case with another order.
    ///
    /// # Errors
    ///
    /// If the law has no code for this order, or the limiter or the medium do not suit it.
    pub fn with_order(self, order: usize) -> Result<Self, CaseError> {
        require_order(self.law, order)?;
        if let Some(method) = self.limiter.and_then(|limiter| limiter.method) {
            method
                .require(self.law, order)
                .map_err(|message| CaseError::Limiter { path: self.path.clone(), message })?;
        }
        if let Some(degree) = self.medium.as_ref().and_then(|medium| medium.degree).filter(|degree| *degree > order) {
            return Err(CaseError::Degree { path: self.path, degree, order });
        }
        Ok(Self { order, ..self })
    }

    /// All degrees: that of the case, and those of groups.
    fn all_orders(&self) -> impl Iterator<Item = usize> {
        self.orders.iter().map(|(_, order)| *order).chain([self.order])
    }

    /// Each of these shapes with all degrees.
    fn kinds(&self, shapes: &[Shape]) -> impl Iterator<Item = (Shape, usize)> {
        shapes.iter().flat_map(|shape| self.all_orders().map(|order| (*shape, order)))
    }

    /// The Courant number on elements of these shapes: unless the case sets it, the least default.
    pub fn cfl(&self, shapes: &[Shape]) -> f64 {
        let default = |(shape, order)| self.time.integrator.default_cfl(shape, order);
        self.time.cfl.unwrap_or_else(|| least(self.kinds(shapes).map(default)))
    }

    /// The largest Courant number at which steps on elements of these shapes are stable.
    pub fn stable_cfl(&self, shapes: &[Shape]) -> f64 {
        least(self.kinds(shapes).map(|(shape, order)| self.time.integrator.stable_cfl(shape, order)))
    }

    /// The part of an element of these shapes that may pass one of its faces in a step, if bounded: with a limiter, unless the case
    /// sets the step size.
    pub fn face_share(&self, shapes: &[Shape]) -> Option<f64> {
        let bounded = self.limiter.is_some() && self.time.cfl.is_none();
        let of_kind = |(shape, order)| self.time.integrator.face_share(shape, order);
        self.kinds(shapes).filter_map(of_kind).reduce(f64::min).filter(|_| bounded)
    }
}

fn least(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::INFINITY, f64::min)
}

/// The code of a law for elements of this shape and order.
///
/// # Errors
///
/// If there is none.
pub fn unit_of(law: &'static Law, shape: Shape, order: usize) -> Result<&'static Unit, CaseError> {
    law.unit(shape, order).ok_or_else(|| {
        let known: Vec<String> = law.units_of(shape).map(|unit| unit.order.to_string()).collect();
        CaseError::Order { law: law.name, order, known: known.join(", ") }
    })
}

/// Makes sure that a law has code of this order. It has the same orders for all shapes.
///
/// # Errors
///
/// If it has none.
pub fn require_order(law: &'static Law, order: usize) -> Result<(), CaseError> {
    unit_of(law, Shape::Triangle, order).map(drop)
}

/// Names of the fields that can be written.
pub fn field_names(law: &'static Law) -> Vec<&'static str> {
    law.fields()
}
