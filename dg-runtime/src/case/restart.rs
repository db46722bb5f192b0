//! Starts from the state of another run, of any order, mesh and parameters.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use rstar::{AABB, PointDistance, RTree, RTreeObject};

use super::{Case, Initial};
use crate::io::checkpoint::{self, Checkpoint, Coefficients};
use crate::io::grid::{self, Grid};
use crate::io::{self, nodes};
use crate::law::{Shape, Unit};
use crate::mesh::{Mesh, Section};
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
    /// The checkpoint's elements cannot be searched.
    #[error("{} is on elements of the shape {shapes}, and only a state on triangles can be projected onto another mesh; take the same mesh", path.display())]
    Shape {
        /// The checkpoint.
        path: PathBuf,
        /// The shapes of its elements.
        shapes: String,
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
        let units: Vec<_> = identity.shapes.iter().map(|shape| self.law.unit(*shape, identity.order)).collect();
        let units: Vec<&Unit> = units.into_iter().collect::<Option<_>>().ok_or_else(version)?;
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
            let unit = match units[..] {
                [unit] if unit.shape == Shape::Triangle => unit,
                _ => return Err(RestartError::Shape { path, shapes: checkpoint::names(&identity.shapes) }),
            };
            let elements = coefficients.len() / (components * unit.basis);
            if coefficients.len() != elements * components * unit.basis {
                return Err(version());
            }
            let grid = Grid::read(&path.with_file_name(grid::NAME)).ok();
            let corners = unit.shape.corners();
            let grid = grid.filter(|grid| grid.mesh == identity.mesh && grid.elements.len() == elements * corners);
            let state =
                State::new(&grid.ok_or_else(|| RestartError::Mesh { path: path.clone() })?, unit, &coefficients);
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

/// Piecewise polynomials on triangles, as a function of position.
struct State {
    cells: RTree<Cell>,
    /// Degree of the Lagrange nodes.
    degree: usize,
    /// Values at the Lagrange nodes, `[element][node][component]`.
    values: Vec<f64>,
    /// Values per element.
    size: usize,
}

/// A triangle of the mesh.
struct Cell {
    element: usize,
    corners: [[f64; 2]; 3],
}

/// A point belongs to the nearest element even if it is outside by less than this fraction of it: straight sides of different
/// meshes cut off different parts of a curved body.
const BESIDE: f64 = 0.1;

/// Number of nearest elements that are searched for a point.
const NEAREST: usize = 16;

impl State {
    fn new(grid: &Grid, unit: &Unit, coefficients: &[f64]) -> Self {
        let nodes = unit.reference().sample_points.len() / grid.dim;
        let elements = grid.elements.len() / 3;
        let components = coefficients.len() / elements.max(1) / unit.basis;
        let size = nodes * components;
        let at_node = |modes: &[f64], node: usize, component: usize| -> f64 {
            let table = &unit.reference().basis_at_samples[node * unit.basis..][..unit.basis];
            modes[component * unit.basis..].iter().zip(table).map(|(mode, phi)| mode * phi).sum()
        };
        let values = coefficients
            .par_chunks(components * unit.basis)
            .flat_map_iter(|modes| (0..size).map(move |i| at_node(modes, i / components, i % components)));
        let cell = |(element, corners): (usize, &[u32; 3])| Cell {
            element,
            corners: corners.map(|vertex| [0, 1].map(|d| grid.vertices[vertex as usize * grid.dim + d])),
        };
        let cells = grid.elements.as_chunks().0.iter().enumerate().map(cell).collect();
        let (values, degree) = (values.collect(), unit.order.max(1));
        Self { cells: RTree::bulk_load(cells), degree, values, size }
    }

    /// The state at a position; `false` if that is outside of the mesh, with the state of the nearest element.
    fn value(&self, position: &[f64], value: &mut [f64]) -> bool {
        let point = [position[0], position[1]];
        let places = |cell: &Cell| (cell.element, cell.place(point));
        let best = |a: (usize, [f64; 2]), b: (usize, [f64; 2])| {
            let (inside_a, inside_b) = (inside(a.1), inside(b.1));
            if (inside_b, b.0) > (inside_a, a.0) { b } else { a }
        };
        let around = self.cells.locate_all_at_point(point).map(places).reduce(best);
        let found = around.filter(|(_, place)| inside(*place) >= 0.0);
        let found = found.or_else(|| self.cells.nearest_neighbor_iter(point).take(NEAREST).map(places).reduce(best));
        let Some((element, place)) = found else { return false };
        let own = &self.values[element * self.size..][..self.size];
        value.fill(0.0);
        for (weight, node) in
            nodes::triangle_lagrange(self.degree, place).into_iter().zip(own.chunks_exact(value.len()))
        {
            for (sum, value) in value.iter_mut().zip(node) {
                *sum += weight * value;
            }
        }
        inside(place) >= -BESIDE
    }
}

/// The least barycentric coordinate of a point, negative outside.
fn inside([x, y]: [f64; 2]) -> f64 {
    x.min(y).min(1.0 - x - y)
}

impl Cell {
    /// The reference coordinates of a point.
    fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let [origin, a, b] = self.corners;
        let from_origin = |p: [f64; 2]| [p[0] - origin[0], p[1] - origin[1]];
        let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let (a, b, p) = (from_origin(a), from_origin(b), from_origin(point));
        [cross(p, b) / cross(a, b), cross(a, p) / cross(a, b)]
    }
}

impl RTreeObject for Cell {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_points(&self.corners)
    }
}

/// The distance to the box around the triangle.
impl PointDistance for Cell {
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        self.envelope().distance_2(point)
    }
}
