//! What can go wrong with a solver.

use std::path::PathBuf;

use super::{Footprint, Inadmissible};
use crate::device;
use crate::mesh::MeshError;

/// Why a solver cannot be set up or go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The benchmark mesh cannot be made, or the limiter cannot use the mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// No code was generated for this order and shape.
    #[error("`{law}` has no code for order {order} on this mesh's elements; it was generated for orders {known}")]
    NoUnit {
        /// The law.
        law: &'static str,
        /// The order asked for.
        order: usize,
        /// The orders with generated code.
        known: String,
    },
    /// Elements with curved sides have too high a degree for the order.
    #[error(
        "elements of degree {degree} need order {} or more, found order {order}: with less, a uniform flow would not stay uniform; \
         take a higher order, or a lower `degree` in [mesh], of a file from Gmsh a lower `Mesh.ElementOrder`",
        degree - 1
    )]
    Degree {
        /// The degree of the elements' maps.
        degree: usize,
        /// The order.
        order: usize,
    },
    /// A boundary of the mesh has no condition.
    #[error("boundary `{name}` of the mesh has no condition: give it one of {known}")]
    NoCondition {
        /// The boundary.
        name: String,
        /// The law's boundary functions.
        known: String,
    },
    /// The integrator cannot solve the law, or not with this tolerance.
    #[error("{0}")]
    Integrator(String),
    /// Elements of several degrees with ADER.
    #[error("`ader` takes one order for all elements; leave out [orders], or take another integrator")]
    OrdersWithPredictor,
    /// Periods turn the state of a law that has a direction.
    #[error(
        "periodic boundaries of the mesh differ by a rotation, and {law} has no such symmetry: {why}; mesh what repeats as a whole or, where \
         the solution is symmetric, give both a wall's condition"
    )]
    Turned {
        /// The law.
        law: &'static str,
        /// What has a direction.
        why: &'static str,
    },
    /// Periods turn the derivatives that a limiter compares between elements of several kinds.
    #[error(
        "periodic boundaries of the mesh differ by a rotation, across which the limiter `moment` compares derivatives of elements of one shape, \
         order and kind of sides alone; take such a mesh or another method, or mesh what repeats as a whole"
    )]
    TurnedMoments,
    /// The law has a medium, and none is given.
    #[error("{law} has a medium, and the setup gives none")]
    NoMedium {
        /// The law.
        law: &'static str,
    },
    /// A field of the medium is no number somewhere, or outside its range.
    #[error("the medium's `{field}` is {value} at {position:?}{}: it is to be {range} everywhere", at_time(*time))]
    Medium {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The position.
        position: Vec<f64>,
        /// The time, of a medium that depends on it.
        time: Option<f64>,
        /// The values that it may have, in words.
        range: String,
    },
    /// The file of the medium does not have a position of the mesh.
    #[error(
        "the medium in {} ends before {position:?}; take a file of the whole domain, or extend it by `outside = \"nearest\"` in [medium]",
        path.display()
    )]
    MediumOutside {
        /// The file.
        path: PathBuf,
        /// The position.
        position: Vec<f64>,
    },
    /// A point is outside of the mesh.
    #[error(
        "{what} at {position:?} is outside of the mesh, or between a curved boundary and the straight sides of its elements; move it inside"
    )]
    Outside {
        /// What is there.
        what: String,
        /// The position.
        position: Vec<f64>,
    },
    /// Boundaries have no faces.
    #[error("the mesh has no face on {boundaries}: a boundary that is periodic has none; name another one")]
    NoFaces {
        /// Their names.
        boundaries: String,
    },
    /// The law has no numerical flux.
    #[error("{law} has no numerical flux")]
    NoNumericalFlux {
        /// The law.
        law: &'static str,
    },
    /// Positions of coefficients do not fit the integers of the CPU's lanes.
    #[error(
        "{coefficients} coefficients are too many for single precision on a CPU: at most {} fit; use double",
        i32::MAX
    )]
    TooManyCoefficients {
        /// Number of coefficients.
        coefficients: usize,
    },
    /// The device has too little memory.
    #[error(
        "not enough memory on {device}: a run takes {needed}, and {} are free; take fewer elements, {lower}or another device",
        crate::system::bytes(*.free)
    )]
    Memory {
        /// The device's name.
        device: String,
        /// What is needed.
        needed: Footprint,
        /// Bytes free.
        free: usize,
        /// Settings that would need less, with a comma after each.
        lower: String,
    },
    /// The schedule needs another device, precision, shape or law.
    #[error("there is no schedule `{schedule}` here: {reason}; use `component/32` or `element`, or leave it out")]
    Schedule {
        /// The schedule.
        schedule: String,
        /// What it would need.
        reason: String,
    },
    /// The text names no schedule.
    #[error(
        "unknown schedule `{text}`: known are `element`, `component`, `pair`, `triple` and `tensor`, with the size of patches (32, 64 or 128 \
         elements) and how many of them a multiprocessor is to hold, at most {most}, as in `component/64/4`"
    )]
    UnknownSchedule {
        /// The text.
        text: String,
        /// The most patches that a multiprocessor may hold.
        most: u32,
    },
    /// Element numbers do not fit the kernels' integers.
    #[error("{elements} elements are too many for one device: at most {most} fit 32-bit indices")]
    TooManyElements {
        /// Number of elements of the mesh.
        elements: usize,
        /// The most that there may be.
        most: usize,
    },
    /// The solution has left the admissible set of the law.
    #[error("{0}")]
    Inadmissible(Box<Inadmissible>),
    /// The solution grows without bound: see [`Growth`](super::Growth).
    #[error(
        "the solution grows without bound: at t = {time:.9e} (step {step}) every component is at least {factor:.0e} times as \
         large as it was, and changes by much of itself in every step; {}",
        remedy(.key, *.cfl, *.stable)
    )]
    Unstable {
        /// Time.
        time: f64,
        /// Steps taken.
        step: u64,
        /// By how much every component has grown.
        factor: f64,
        /// The Courant number.
        cfl: f64,
        /// The largest stable one.
        stable: f64,
        /// The key of a case that makes steps shorter.
        key: &'static str,
    },
    /// A relative tolerance is undefined for a solution that begins at zero.
    #[error(
        "every component is zero at the start, so that a relative `tolerance` says nothing; add one in their units, `tolerance = \
         {{ relative = 1e-6, absolute = 1e-6 }}`, or take `cfl` instead"
    )]
    NoSize,
    /// The error of a step exceeds the tolerance, however short the step.
    #[error(
        "at t = {time:.9e} (step {step}) no step has an error within `tolerance`, not even one of {dt:.3e}: {}; take a larger `tolerance`, \
         or `cfl` in its place",
        if *.limited { "what a limiter changes in a step does not become less with its length" } else { "the error is that of rounding" }
    )]
    Inexact {
        /// Time.
        time: f64,
        /// Steps taken.
        step: u64,
        /// The length of the last attempted step, or a little less.
        dt: f64,
        /// Whether there is a limiter.
        limited: bool,
    },
    /// The stable step has become too small to move time.
    #[error(
        "the time step collapsed to {dt:.3e} at t = {time:.9e} (step {step}): {cause}
{remedy}"
    )]
    Collapsed {
        /// Time.
        time: f64,
        /// Steps taken.
        step: u64,
        /// The longest stable step.
        dt: f64,
        /// Why: the element with the shortest step and its fastest wave, or the failure that longer steps lead to.
        cause: String,
        /// What may help.
        remedy: String,
    },
}

impl Error {
    /// That there are no faces on boundaries of these names.
    pub(super) fn no_faces(boundaries: &[String]) -> Self {
        let names: Vec<String> = boundaries.iter().map(|name| format!("`{name}`")).collect();
        Self::NoFaces { boundaries: names.join(", ") }
    }
}

/// What helps against an instability at a Courant number.
fn remedy(key: &str, cfl: f64, stable: f64) -> String {
    if cfl > stable {
        format!("`cfl = {cfl}` is beyond {stable:.2}, up to which steps are stable: leave it out, or take less")
    } else {
        format!(
            "try a smaller `{key}`; if that does not help, a boundary that copies the state inside (`describe` says which) may \
             amplify the waves that come in there"
        )
    }
}

/// The time of a value, in words.
fn at_time(time: Option<f64>) -> String {
    time.map_or(String::new(), |time| format!(", t = {time:?}"))
}
