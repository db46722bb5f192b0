//! Starts from the state of another run, of any order, mesh and parameters.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use rstar::RTree;

use super::{Case, Initial};
use crate::io;
use crate::io::checkpoint::{self, Checkpoint, Coefficients};
use crate::io::grid::{self, Grid};
use crate::law::Unit;
use crate::law::reference::basis::values;
use crate::mesh::{Boxed, Cells, Mesh, Section, boxes, depth};
use crate::notice::inform;
use crate::solver::{self, Solver};

/// Why a case cannot start from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum RestartError {
    /// A file cannot be read.
    #[error(transparent)]
    Files(#[from] io::Error),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] solver::Error),
    /// No checkpoint was found.
    #[error(
        "there is no checkpoint in {}; `initial.from` is a checkpoint, the folder of checkpoints, or the directory of a run",
        .0.display()
    )]
    Missing(PathBuf),
    /// The checkpoint is of another law.
    #[error("{} is of the law `{found}`, not of `{law}`", path.display())]
    Law {
        /// The checkpoint.
        path: PathBuf,
        /// Its law.
        found: String,
        /// The law of the case.
        law: &'static str,
    },
    /// The checkpoint is of an older law of the same name.
    #[error("{} is of another version of `{law}`, whose state had other components or orders", path.display())]
    Version {
        /// The checkpoint.
        path: PathBuf,
        /// The law.
        law: &'static str,
    },
    /// The mesh of the checkpoint is unknown.
    #[error(
        "{} is of another mesh than this case, and {} beside it is not that mesh; copy it from where the checkpoint was written",
        path.display(), grid::NAME
    )]
    Mesh {
        /// The checkpoint.
        path: PathBuf,
    },
    /// The mesh is larger than that of the checkpoint.
    #[error(
        "{} knows no state at {position:?}, which is outside its mesh; take a mesh of the same domain, or a part of it",
        path.display()
    )]
    Outside {
        /// The checkpoint.
        path: PathBuf,
        /// A point of the case's mesh.
        position: Vec<f64>,
    },
    /// The case ends before the state from which it starts.
    #[error("{} is at t = {time}, and `final = {until}`; set a later `final`", path.display())]
    Past {
        /// The checkpoint.
        path: PathBuf,
        /// Its time.
        time: f64,
        /// The final time of the case.
        until: f64,
    },
}

impl Case {
    /// Makes sure, before anything is compiled, that the state to start from exists.
    ///
    /// # Errors
    ///
    /// If the case's checkpoint cannot be used. Whether the meshes overlap is checked later.
    pub fn check_start(&self, mesh: &Mesh) -> Result<(), RestartError> {
        let Initial::From { path: from, .. } = &self.initial else { return Ok(()) };
        let (path, Checkpoint { identity, .. }) = self.start(from)?;
        let known = || Grid::read(&path.with_file_name(grid::NAME)).is_ok_and(|grid| grid.mesh == identity.mesh);
        if identity.mesh == mesh.hash() || known() { Ok(()) } else { Err(RestartError::Mesh { path }) }
    }

    /// The checkpoint to start from, which is of this law and before the final time.
    fn start(&self, from: &Path) -> Result<(PathBuf, Checkpoint), RestartError> {
        let (path, checkpoint) = find(from)?;
        if checkpoint.identity.law != self.law.name {
            return Err(RestartError::Law { path, found: checkpoint.identity.law, law: self.law.name });
        }
        match self.time.until {
            Some(until) if checkpoint.time >= until => Err(RestartError::Past { path, time: checkpoint.time, until }),
            _ => Ok((path, checkpoint)),
        }
    }

    /// Sets a solver of this case to the state and the time of a checkpoint, and reports it on standard error.
    ///
    /// On the same mesh the common modes of both orders are copied, which is the L2 projection; on another one the
    /// checkpoint's polynomials are projected by quadrature. `from` is a checkpoint, or a folder with checkpoints.
    pub(super) fn restart(&self, from: &Path, solver: &mut Solver) -> Result<(), RestartError> {
        let (path, Checkpoint { identity, time, step, coefficients, .. }) = self.start(from)?;
        let version = || RestartError::Version { path: path.clone(), law: self.law.name };
        let coefficients = match coefficients {
            Coefficients::Double(values) => values,
            Coefficients::Single(values) => values.into_iter().map(f64::from).collect(),
        };
        let components = self.law.state.len();
        let how = if identity.mesh == solver.mesh().hash() {
            let before = |section: &Section| self.law.unit(section.shape, section.order.unwrap_or(identity.order));
            let resized = resized(&coefficients, components, solver, before).ok_or_else(version)?;
            solver.start_from(time, &resized)?;
            "on the same mesh".to_owned()
        } else {
            let grid = Grid::read(&path.with_file_name(grid::NAME)).ok();
            let grid = grid.filter(|grid| grid.mesh == identity.mesh);
            let grid = grid.ok_or_else(|| RestartError::Mesh { path: path.clone() })?;
            let elements = grid.cells.elements.count();
            let state = State::new(grid.cells, identity.order, components, coefficients).ok_or_else(version)?;
            let outside = OnceLock::new();
            let projected = solver.project_values(time, |position, value| {
                if !state.value(position, value) {
                    let _ = outside.set(position.to_vec());
                }
            });
            if let Some(position) = outside.into_inner() {
                return Err(RestartError::Outside { path, position });
            }
            projected?;
            format!("projected from {elements} elements onto {}", solver.mesh().element_count())
        };
        let (before, now) = (identity.order, self.order);
        let order = if before == now { String::new() } else { format!(", order {before} as order {now}") };
        inform(format_args!("starts at t = {time:?} from step {step} of {}: {how}{order}", path.display()));
        Ok(())
    }
}

/// The checkpoint at a path: the file itself, or the newest in the folder or in the run's directory.
fn find(from: &Path) -> Result<(PathBuf, Checkpoint), RestartError> {
    if from.is_file() {
        return Ok((from.to_owned(), Checkpoint::read(from)?));
    }
    for folder in [from, &from.join(checkpoint::FOLDER)] {
        if let Some(latest) = checkpoint::latest(folder)? {
            return Ok((latest.path, latest.checkpoint));
        }
    }
    Err(RestartError::Missing(from.to_owned()))
}

/// Extends or truncates coefficients from the basis functions of the units `before` to those of a solver: lower degrees come first. `None` if
/// there are not as many as elements of its mesh have.
fn resized(
    coefficients: &[f64],
    components: usize,
    solver: &Solver,
    before: impl Fn(&Section) -> Option<&'static Unit>,
) -> Option<Vec<f64>> {
    let (mut rest, mut all) = (coefficients, Vec::new());
    for section in solver.mesh().sections() {
        let (before, now) = (before(&section)?.basis, solver.unit_of(section.elements.start).basis);
        let (own, behind) = rest.split_at_checked(section.elements.len() * components * before)?;
        let kept = before.min(now);
        let resized = |modes: &[f64]| {
            let mut resized = vec![0.0; now];
            resized[..kept].copy_from_slice(&modes[..kept]);
            resized
        };
        all.par_extend(own.par_chunks(before).flat_map_iter(resized));
        rest = behind;
    }
    rest.is_empty().then_some(all)
}

/// Piecewise polynomials, as a function of position.
struct State {
    tree: RTree<Boxed>,
    cells: Cells,
    /// The degree in elements without one of their own.
    order: usize,
    components: usize,
    /// Where the coefficients of each element begin.
    starts: Vec<usize>,
    /// `[component][basis function]` of one element behind the other.
    coefficients: Vec<f64>,
}

/// A point belongs to the nearest element even if it is outside by less than this fraction of it: sides of different meshes cut off
/// different parts of a curved body.
const BESIDE: f64 = 0.1;

/// Number of nearest elements that are searched for a point.
const NEAREST: usize = 16;

impl State {
    /// `None` if there are not as many coefficients as the elements have.
    fn new(cells: Cells, order: usize, components: usize, coefficients: Vec<f64>) -> Option<Self> {
        let count = cells.elements.count();
        let mut starts = vec![0; count + 1];
        for (shape, elements) in cells.elements.by_shape() {
            for element in elements {
                let basis = shape.polynomials(cells.order(element, order));
                starts[element + 1] = starts[element] + components * basis;
            }
        }
        if starts[count] != coefficients.len() {
            return None;
        }
        let tree = boxes(&cells.elements, |element| cells.map_of(element), 1.0);
        Some(Self { tree, cells, order, components, starts, coefficients })
    }

    /// The state at a position; `false` if that is outside of the mesh, with the state of the nearest element.
    fn value(&self, position: &[f64], value: &mut [f64]) -> bool {
        let point = [position[0], position[1]];
        let place = |cell: &Boxed| {
            let reference = self.cells.map_of(cell.element).reference(&point)?;
            Some((depth(self.cells.elements.shape(cell.element), &reference), cell.element, reference))
        };
        // Of elements at the same depth, on both sides of a face, that of the lower number.
        let deeper = |a: &(f64, usize, [f64; 2]), b: &(f64, usize, [f64; 2])| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        let around = self.tree.locate_all_at_point(point).filter_map(place).max_by(deeper);
        let found = around.filter(|(depth, ..)| *depth >= 0.0);
        let nearest = || self.tree.nearest_neighbor_iter(point).take(NEAREST).filter_map(place).max_by(deeper);
        let Some((depth, element, reference)) = found.or_else(nearest) else { return false };
        let phi = values(self.cells.elements.shape(element), self.cells.order(element, self.order), &reference);
        let own = self.coefficients[self.starts[element]..].chunks_exact(phi.len());
        for (value, modes) in value.iter_mut().zip(own.take(self.components)) {
            *value = modes.iter().zip(&phi).map(|(mode, phi)| mode * phi).sum();
        }
        depth >= -BESIDE
    }
}
