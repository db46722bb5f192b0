//! Meshes without a file.

mod block;
mod naca;
mod wake;

use std::f64::consts::TAU;
use std::ops::Range;

use super::connect::{Draft, NamedFace};
use super::elements::FaceCorners;
use super::{Boundary, Curve, Elements, Groups, Mesh, MeshError, check_size};
use crate::law::Shape;

pub use block::{Block, Domain, Profile};
pub use naca::Naca;

/// A rectangle with boundaries `left`, `right`, `bottom` and `top`, from quadrilaterals, which are cut in two for triangles.
#[derive(Clone, Debug)]
pub struct Rectangle {
    /// The shape of the elements.
    pub shape: Shape,
    /// The lower left corner.
    pub lower: [f64; 2],
    /// The upper right corner.
    pub upper: [f64; 2],
    /// Number of quadrilaterals in x and in y.
    pub cells: [usize; 2],
    /// Number of rows of quadrilaterals at the bottom that are not cut for triangles.
    pub layers: usize,
    /// How many times as long as the one before every cell is, to the right and upward.
    pub grading: [f64; 2],
    /// Whether left and right are joined, and whether bottom and top are.
    pub periodic: [bool; 2],
    /// The random displacement of inner vertices, as a fraction below 0.25 of the spacing. Above zero, the diagonals are
    /// random too, so that the mesh is unstructured. Equal options give equal meshes.
    pub jitter: f64,
    /// How far [`Rectangle::bent`] moves the inside of the mesh, as a fraction of its size.
    pub curvature: f64,
}

/// Above every [`Rectangle::curvature`]; from 1/(2π) on the map folds the rectangle itself.
const MOST_CURVATURE: f64 = 0.15;

impl Default for Rectangle {
    /// The unit square in 16 × 16 quadrilaterals, each cut in two.
    fn default() -> Self {
        Self {
            shape: Shape::Triangle,
            lower: [0.0; 2],
            upper: [1.0; 2],
            cells: [16; 2],
            layers: 0,
            grading: [1.0; 2],
            periodic: [false; 2],
            jitter: 0.0,
            curvature: 0.0,
        }
    }
}

/// The first quadrant of an annulus around the origin, from quadrilaterals, which are cut in two for triangles.
///
/// The boundaries are the arcs `inner` and `outer`, with their circles declared, `inflow` on the y axis and `outflow`
/// on the x axis: a clockwise flow, such as the supersonic vortex, enters through `inflow`.
#[derive(Clone, Debug)]
pub struct QuarterAnnulus {
    /// The shape of the elements.
    pub shape: Shape,
    /// Radius of the inner arc.
    pub inner: f64,
    /// Radius of the outer arc.
    pub outer: f64,
    /// Number of quadrilaterals along the radius and along the arc.
    pub cells: [usize; 2],
    /// Number of rows of quadrilaterals at the inner arc that are not cut for triangles.
    pub layers: usize,
}

impl Default for QuarterAnnulus {
    /// The coarsest mesh of the supersonic vortex: 180 triangles between r = 1 and r = 1.384 (L. Krivodonova,
    /// M. Berger, J. Comput. Phys. 211, 2006).
    fn default() -> Self {
        Self { shape: Shape::Triangle, inner: 1.0, outer: 1.384, cells: [5, 18], layers: 0 }
    }
}

/// A disc in rings of triangles, `6 rings²` in all, or in rings of quadrilaterals around a square of them, `12 rings²` in all. Its boundary
/// is `rim`, with the circle declared.
#[derive(Clone, Debug)]
pub struct Disc {
    /// The shape of the elements.
    pub shape: Shape,
    /// The centre.
    pub centre: [f64; 2],
    /// The radius.
    pub radius: f64,
    /// Number of rings.
    pub rings: usize,
}

impl Default for Disc {
    /// The unit disc in 8 rings.
    fn default() -> Self {
        Self { shape: Shape::Triangle, centre: [0.0; 2], radius: 1.0, rings: 8 }
    }
}

/// A channel with a step up in its floor, its lower left corner in the origin, from quadrilaterals, which are cut in two for triangles.
///
/// The boundaries are `inflow` on the left, `outflow` on the right, and `wall`: floor, step and ceiling.
#[derive(Clone, Debug)]
pub struct ForwardStep {
    /// The shape of the elements.
    pub shape: Shape,
    /// Its length and height.
    pub channel: [f64; 2],
    /// The step's upper corner: its position along the channel, and its height.
    pub step: [f64; 2],
    /// Number of quadrilaterals along the whole length and the whole height. Their share on either side of the step's
    /// corner is rounded, so that the corner is a vertex.
    pub cells: [usize; 2],
    /// Number of rows of quadrilaterals at the floor before the step that are not cut for triangles.
    pub layers: usize,
    /// As in [`Rectangle`], as a fraction of the smaller of the spacings on either side.
    pub jitter: f64,
}

impl Default for ForwardStep {
    /// The wind tunnel of P. R. Woodward & P. Colella, J. Comput. Phys. 54 (1984), in cells of 1/20.
    fn default() -> Self {
        Self { shape: Shape::Triangle, channel: [3.0, 1.0], step: [0.6, 0.2], cells: [60, 20], layers: 0, jitter: 0.0 }
    }
}

impl Rectangle {
    /// The mesh, of elements with curved sides, with its inside moved by the curvature c: in units of the rectangle's size from (x, y) by
    /// c sin 2πx sin 2πy (1, 1). The sides of the rectangle stay.
    ///
    /// # Errors
    ///
    /// [`MeshError::TurnedOver`] where elements are so large that they do not follow.
    pub fn bent(&self, mesh: Mesh) -> Result<Mesh, MeshError> {
        let degree = mesh.degree();
        if self.curvature == 0.0 || degree == 1 {
            return Ok(mesh);
        }
        let size = [0, 1].map(|d| self.upper[d] - self.lower[d]);
        mesh.displaced(degree, |position| {
            let wave = |d: usize| (TAU * (position[d] - self.lower[d]) / size[d]).sin();
            let share = self.curvature * wave(0) * wave(1);
            size.map(|size| share * size)
        })
    }

    /// Number of elements of the mesh, which may exceed every integer type.
    pub fn element_count(&self) -> f64 {
        count(self.shape, self.cells, 1, self.layers)
    }

    /// Makes sure that its options are in range.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] where one is not.
    pub fn check(&self) -> Result<(), MeshError> {
        let refuse = |option, problem| Err(refuse("rectangle", option, problem));
        let (lower, upper) = (self.lower, self.upper);
        if !(0..2).all(|d| lower[d] < upper[d] && (upper[d] - lower[d]).is_finite()) {
            return refuse(
                "upper",
                format!("`upper` is to be to the right of and above `lower`, found {upper:?} and {lower:?}"),
            );
        }
        check_cells("rectangle", self.cells, 1)?;
        check_jitter("rectangle", self.jitter)?;
        if !(0.0..MOST_CURVATURE).contains(&self.curvature) {
            let found = self.curvature;
            return refuse(
                "curvature",
                format!("`curvature` is to be at least 0 and below {MOST_CURVATURE}, found {found}"),
            );
        }
        check_layers("rectangle", self.layers, self.cells[1])?;
        (0..2).try_for_each(|d| check_grading("rectangle", self.grading[d], self.cells[d]))
    }

    /// Makes the mesh.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] as from [`Self::check`].
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        self.check()?;
        let (lower, upper) = (self.lower, self.upper);
        let line = |d: usize, i: usize| spaced([lower[d], upper[d]], graded(i, self.cells[d], self.grading[d]));
        let inside = |cell: [usize; 2]| (0..2).all(|d| 0 < cell[d] && cell[d] < self.cells[d]);
        let position = shaken(line, self.jitter, inside);
        let sides = ["left", "right", "bottom", "top"].map(|name| Boundary { name: name.to_owned(), curve: None });
        let layers = Layers { direction: 1, count: self.layers };
        let grid = Grid { shape: self.shape, layers, cells: self.cells, closed: false, joined: 0 };
        let mut draft = grid.draft(position, diagonals(self.jitter), sides.into(), |side, _| side as u16)?;
        // The faces of opposite sides alternate.
        for [first, second] in draft.named_faces.as_chunks().0 {
            if self.periodic[usize::from(first.boundary / 2)] {
                draft.periodic_faces.push([first.corners, second.corners]);
            }
        }
        Mesh::new(draft)
    }
}

impl QuarterAnnulus {
    /// Number of elements of the mesh, which may exceed every integer type.
    pub fn element_count(&self) -> f64 {
        count(self.shape, self.cells, 0, self.layers)
    }

    /// Makes sure that its options are in range.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] where one is not.
    pub fn check(&self) -> Result<(), MeshError> {
        check_radii("quarter annulus", [self.inner, self.outer])?;
        check_cells("quarter annulus", self.cells, 1)?;
        check_layers("quarter annulus", self.layers, self.cells[0])
    }

    /// Makes the mesh.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] as from [`Self::check`].
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        self.check()?;
        let (inner, outer) = (self.inner, self.outer);
        let position = |[i, j]: [usize; 2]| {
            let fraction = i as f64 / self.cells[0] as f64;
            let radius = (1.0 - fraction) * inner + fraction * outer;
            let angle = std::f64::consts::FRAC_PI_2 * j as f64 / self.cells[1] as f64;
            [radius * angle.cos(), radius * angle.sin()]
        };
        let circle = |radius: f64| Some(Curve::Circle { centre: [0.0; 2], radius });
        let sides = [("inner", circle(inner)), ("outer", circle(outer)), ("outflow", None), ("inflow", None)];
        let sides = sides.map(|(name, curve)| Boundary { name: name.to_owned(), curve });
        let layers = Layers { direction: 0, count: self.layers };
        let grid = Grid { shape: self.shape, layers, cells: self.cells, closed: false, joined: 0 };
        Mesh::new(grid.draft(position, || false, sides.into(), |side, _| side as u16)?)
    }
}

impl Disc {
    /// Number of elements of the mesh, which may exceed every integer type.
    pub fn element_count(&self) -> f64 {
        let of_ring = if self.shape.is_product() { 12.0 } else { 6.0 };
        of_ring * (self.rings as f64).powi(2)
    }

    /// Makes sure that its options are in range.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] where one is not.
    pub fn check(&self) -> Result<(), MeshError> {
        if !(0.0 < self.radius && self.radius.is_finite()) {
            let problem = format!("`radius` is to be above zero and finite, found {}", self.radius);
            return Err(refuse("disc", "radius", problem));
        }
        if self.rings == 0 {
            return Err(refuse("disc", "rings", "`rings` is to be at least 1, found 0".to_owned()));
        }
        Ok(())
    }

    /// Makes the mesh.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] as from [`Self::check`].
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        self.check()?;
        check_size(self.shape, self.element_count(), 0)?;
        let (vertices, elements, rim) = match self.shape {
            Shape::Triangle => self.triangles(),
            Shape::Quadrilateral => self.quadrilaterals(),
        };
        let curve = Some(Curve::Circle { centre: self.centre, radius: self.radius });
        let next = rim.iter().cycle().skip(1);
        let faces = rim.iter().zip(next).map(|(from, to)| NamedFace { corners: [*from, *to], boundary: 0 });
        Mesh::new(Draft {
            vertices,
            elements: Elements::new(self.shape, elements),
            boundaries: vec![Boundary { name: "rim".to_owned(), curve }],
            named_faces: faces.collect(),
            periodic_faces: Vec::new(),
            offered_periods: Vec::new(),
            element_tags: Vec::new(),
            groups: Groups::default(),
        })
    }

    /// A position in the disc around its centre, by the unit disc's.
    fn position(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.centre[0] + self.radius * x, self.centre[1] + self.radius * y]
    }

    /// Vertices, elements, and the vertices on the rim.
    fn triangles(&self) -> (Vec<f64>, Vec<u32>, Vec<u32>) {
        let mut vertices = self.centre.to_vec();
        for ring in 1..=self.rings {
            let radius = ring as f64 / self.rings as f64;
            for i in 0..6 * ring {
                let angle = TAU * i as f64 / (6 * ring) as f64;
                vertices.extend(self.position([radius * angle.cos(), radius * angle.sin()]));
            }
        }
        // Vertex i of ring r; the centre is ring 0, and rings 1, 2, … have 6, 12, … vertices.
        let vertex = |ring: usize, i: usize| match ring {
            0 => 0,
            _ => (1 + 3 * ring * (ring - 1) + i % (6 * ring)) as u32,
        };
        let mut elements = Vec::new();
        for ring in 1..=self.rings {
            for sector in 0..6 {
                let (outer, inner) =
                    (|i: usize| vertex(ring, sector * ring + i), |i: usize| vertex(ring - 1, sector * (ring - 1) + i));
                for i in 0..ring {
                    elements.extend([outer(i), outer(i + 1), inner(i)]);
                }
                for i in 0..ring - 1 {
                    elements.extend([inner(i), outer(i + 1), inner(i + 1)]);
                }
            }
        }
        let rim = (0..6 * self.rings).map(|i| vertex(self.rings, i)).collect();
        (vertices, elements, rim)
    }

    /// The same for a square of twice as many cells along each side as there are rings, and four blocks between its sides and the rim.
    fn quadrilaterals(&self) -> (Vec<f64>, Vec<u32>, Vec<u32>) {
        let (rings, side) = (self.rings, 2 * self.rings);
        let in_square = |i: usize, j: usize| (j * (side + 1) + i) as u32;
        let along = |i: usize| MIDDLE * (2.0 * i as f64 / side as f64 - 1.0);
        // Once around the square, counter-clockwise from its lower right corner.
        let around = |i: usize| match (i / side % 4, i % side) {
            (0, k) => [side, k],
            (1, k) => [side - k, side],
            (2, k) => [0, side - k],
            (_, k) => [k, 0],
        };
        let square = (0..=side).flat_map(|j| (0..=side).map(move |i| [along(i), along(j)]));
        let outside = (1..=rings).flat_map(|ring| {
            let share = ring as f64 / rings as f64;
            (0..4 * side).map(move |i| {
                let angle = TAU * (i as f64 / (4 * side) as f64 - 0.125);
                let on_rim = [angle.cos(), angle.sin()];
                std::array::from_fn(|d| spaced([along(around(i)[d]), on_rim[d]], share))
            })
        });
        let vertices = square.chain(outside).flat_map(|position| self.position(position)).collect();
        let vertex = |ring: usize, i: usize| match ring.checked_sub(1) {
            None => in_square(around(i)[0], around(i)[1]),
            Some(before) => ((side + 1).pow(2) + before * 4 * side + i % (4 * side)) as u32,
        };
        let cells = (0..side).flat_map(|j| (0..side).map(move |i| [i, j])).flat_map(|cell| corners(cell, in_square));
        let blocks = (0..rings).flat_map(|ring| (0..4 * side).map(move |i| [ring, i]));
        let elements = cells.chain(blocks.flat_map(|cell| corners(cell, vertex))).collect();
        (vertices, elements, (0..4 * side).map(|i| vertex(rings, i)).collect())
    }
}

/// Half the side of the square in the middle of a disc of quadrilaterals, of radius 1: cells there are about as large as those at the rim.
const MIDDLE: f64 = 0.45;

impl ForwardStep {
    /// Number of elements of the mesh, which may exceed every integer type.
    pub fn element_count(&self) -> f64 {
        let [x, y] = [0, 1].map(|d| self.cells[d] as f64);
        let [before, below] = [0, 1].map(|d| self.cells_to_corner(d));
        let whole = (self.layers as f64).min(y);
        let quadrilaterals = x * whole - (x - before) * whole.min(below);
        let cells = x * y - (x - before) * below;
        per_cell(self.shape) * (cells - quadrilaterals) + quadrilaterals
    }

    /// Number of cells from 0 to the step's corner: at least one, and at least one less than in total.
    fn cells_to_corner(&self, d: usize) -> f64 {
        let cells = self.cells[d] as f64;
        (cells * self.step[d] / self.channel[d]).round().min(cells - 1.0).max(1.0)
    }

    /// Makes sure that its options are in range.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] where one is not.
    pub fn check(&self) -> Result<(), MeshError> {
        let (channel, step) = (self.channel, self.step);
        if !(0..2).all(|d| 0.0 < step[d] && step[d] < channel[d] && channel[d].is_finite()) {
            let problem = format!("the step's corner {step:?} is to be inside the channel of size {channel:?}");
            return Err(refuse("forward step", "step", problem));
        }
        check_jitter("forward step", self.jitter)?;
        check_cells("forward step", self.cells, 2)?;
        check_layers("forward step", self.layers, self.cells[1])
    }

    /// Makes the mesh.
    ///
    /// # Errors
    ///
    /// [`MeshError::Options`] as from [`Self::check`].
    pub fn mesh(&self) -> Result<Mesh, MeshError> {
        self.check()?;
        let (channel, step, [nx, ny]) = (self.channel, self.step, self.cells);
        check_size(self.shape, self.element_count(), 0)?;
        let [before, below] = [0, 1].map(|d| self.cells_to_corner(d) as usize);
        let line = |d: usize, i: usize| match i.checked_sub([before, below][d]) {
            Some(beyond) => spaced([step[d], channel[d]], graded(beyond, self.cells[d] - [before, below][d], 1.0)),
            None => spaced([0.0, step[d]], graded(i, [before, below][d], 1.0)),
        };
        let moves = |[i, j]: [usize; 2]| 0 < i && i < nx && 0 < j && j < ny && (i < before || j > below);
        let position = shaken(line, self.jitter, moves);

        // Beside the step, rows are shorter.
        let end = |j: usize| if j < below { before } else { nx };
        let vertex = |i: usize, j: usize| {
            (if j < below { j * (before + 1) + i } else { below * (before + 1) + (j - below) * (nx + 1) + i }) as u32
        };
        let vertices = (0..=ny).flat_map(|j| (0..=end(j)).map(move |i| [i, j])).flat_map(position).collect();
        let cells = (0..ny).flat_map(|j| (0..end(j)).map(move |i| [i, j]));
        let side = |boundary: u16, corners: FaceCorners| NamedFace { corners, boundary };
        let column = |boundary: u16, i: usize, rows: Range<usize>| {
            rows.map(move |j| side(boundary, [vertex(i, j), vertex(i, j + 1)]))
        };
        let row = |j: usize, columns: Range<usize>| columns.map(move |i| side(2, [vertex(i, j), vertex(i + 1, j)]));
        let ends = column(0, 0, 0..ny).chain(column(1, nx, below..ny));
        let floor = row(0, 0..before).chain(column(2, before, 0..below)).chain(row(below, before..nx));
        Mesh::new(Draft {
            vertices,
            elements: fill(
                self.shape,
                Layers { direction: 1, count: self.layers },
                cells,
                vertex,
                diagonals(self.jitter),
            ),
            boundaries: ["inflow", "outflow", "wall"]
                .map(|name| Boundary { name: name.to_owned(), curve: None })
                .into(),
            named_faces: ends.chain(floor).chain(row(ny, 0..nx)).collect(),
            periodic_faces: Vec::new(),
            offered_periods: Vec::new(),
            element_tags: Vec::new(),
            groups: Groups::default(),
        })
    }
}

fn check_jitter(generator: &'static str, jitter: f64) -> Result<(), MeshError> {
    if (0.0..0.25).contains(&jitter) {
        return Ok(());
    }
    Err(refuse(generator, "jitter", format!("`jitter` is to be at least 0 and below 0.25, found {jitter}")))
}

fn check_radii(generator: &'static str, [inner, outer]: [f64; 2]) -> Result<(), MeshError> {
    if 0.0 < inner && inner < outer && outer.is_finite() {
        return Ok(());
    }
    let problem = format!(
        "the first of `radii` is the inner one and is to be above zero and below the second, found {inner} and {outer}"
    );
    Err(refuse(generator, "radii", problem))
}

fn check_cells(generator: &'static str, cells: [usize; 2], least: usize) -> Result<(), MeshError> {
    if cells.iter().all(|count| *count >= least) {
        return Ok(());
    }
    Err(refuse(generator, "cells", format!("both numbers of `cells` are to be at least {least}, found {cells:?}")))
}

fn refuse(generator: &'static str, option: &'static str, problem: String) -> MeshError {
    MeshError::Options { generator, option, problem }
}

/// The largest ratio of two cells in a row.
const STEEPEST: f64 = 1e8;

fn check_grading(generator: &'static str, grading: f64, cells: usize) -> Result<(), MeshError> {
    let ratio = if grading > 0.0 { grading.ln().abs() * cells as f64 } else { f64::NAN };
    if ratio <= STEEPEST.ln() {
        return Ok(());
    }
    let problem = format!(
        "`grading` is to be above zero, and near enough to 1 that none of {cells} cells is more than {STEEPEST:e} times as long as \
         another, found {grading}"
    );
    Err(refuse(generator, "grading", problem))
}

/// Makes sure that there are as many rows of cells as are to stay quadrilaterals.
fn check_layers(generator: &'static str, layers: usize, rows: usize) -> Result<(), MeshError> {
    if layers <= rows {
        return Ok(());
    }
    let problem = format!("`layers` is to be at most {rows}, the rows of cells, found {layers}");
    Err(refuse(generator, "layers", problem))
}

/// The fraction of an interval before vertex i if each of its cells is `ratio` times as long as the one before.
fn graded(i: usize, cells: usize, ratio: f64) -> f64 {
    let growth = |cells: usize| (cells as f64 * ratio.ln()).exp_m1();
    if ratio == 1.0 { i as f64 / cells as f64 } else { growth(i) / growth(cells) }
}

/// The position at this fraction of the interval `ends`.
fn spaced(ends: [f64; 2], fraction: f64) -> f64 {
    (1.0 - fraction) * ends[0] + fraction * ends[1]
}

/// The positions of vertices on lines across x and y, given by direction and index; where `moves` holds, they move at
/// random by a fraction of at most `jitter` of the smaller spacing in each direction.
fn shaken(
    line: impl Fn(usize, usize) -> f64,
    jitter: f64,
    moves: impl Fn([usize; 2]) -> bool,
) -> impl FnMut([usize; 2]) -> [f64; 2] {
    let mut random = fastrand::Rng::with_seed(0);
    move |index| {
        let fractions = [(); 2].map(|()| jitter * (2.0 * random.f64() - 1.0));
        std::array::from_fn(|d| {
            let (i, here) = (index[d], line(d, index[d]));
            let spacing = || (line(d, i + 1) - here).min(here - line(d, i - 1));
            if moves(index) { here + fractions[d] * spacing() } else { here }
        })
    }
}

/// Whether to cut a cell along its other diagonal: at random in an unstructured mesh.
fn diagonals(jitter: f64) -> impl FnMut() -> bool {
    let mut coin = fastrand::Rng::with_seed(1);
    move || jitter > 0.0 && coin.bool()
}

/// The corners of a cell, counter-clockwise.
fn corners([i, j]: [usize; 2], vertex: impl Fn(usize, usize) -> u32) -> [u32; 4] {
    [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]
}

/// The first rows of cells in a direction, which stay quadrilaterals where others are cut for triangles.
#[derive(Clone, Copy)]
struct Layers {
    direction: usize,
    count: usize,
}

/// The elements in the cells between vertices `[i, j]` and `[i + 1, j + 1]`: for triangles each is cut along a diagonal, but for those in
/// `layers`.
fn fill(
    shape: Shape,
    layers: Layers,
    cells: impl Iterator<Item = [usize; 2]>,
    vertex: impl Fn(usize, usize) -> u32,
    mut other_diagonal: impl FnMut() -> bool,
) -> Elements {
    let (mut triangles, mut quadrilaterals) = (Vec::new(), Vec::new());
    for cell in cells {
        let [a, b, c, d] = corners(cell, &vertex);
        if shape == Shape::Quadrilateral || cell[layers.direction] < layers.count {
            quadrilaterals.extend([a, b, c, d]);
        } else {
            triangles.extend(if other_diagonal() { [a, b, d, b, c, d] } else { [a, b, c, a, c, d] });
        }
    }
    Elements::mixed(&[triangles, quadrilaterals])
}

/// The number of elements in so many cells, of which `layers` rows in a direction are quadrilaterals.
fn count(shape: Shape, cells: [usize; 2], direction: usize, layers: usize) -> f64 {
    let (rows, along) = (cells[direction], cells[1 - direction] as f64);
    // More are refused, after the size.
    let whole = layers.min(rows);
    along * (whole as f64 + per_cell(shape) * (rows - whole) as f64)
}

/// The number of elements in a cell.
fn per_cell(shape: Shape) -> f64 {
    match shape {
        Shape::Triangle => 2.0,
        Shape::Quadrilateral => 1.0,
    }
}

/// A grid of cells.
struct Grid {
    shape: Shape,
    layers: Layers,
    cells: [usize; 2],
    /// Whether it ends where it begins in the second index, which then has no sides.
    closed: bool,
    /// How many faces at each end of the side with the lowest first index are joined, the first to the last and so on, and are no sides.
    joined: usize,
}

impl Grid {
    /// The mesh of the grid. The positions must be right-handed in the two indices. `boundary` is the index, into `boundaries`, of a face
    /// by its side and its index along it; the sides are those with the lowest and the highest first index, then second index. The
    /// faces of opposite sides alternate.
    fn draft(
        &self,
        position: impl FnMut([usize; 2]) -> [f64; 2],
        other_diagonal: impl FnMut() -> bool,
        boundaries: Vec<Boundary>,
        boundary: impl Fn(usize, usize) -> u16,
    ) -> Result<Draft, MeshError> {
        let [nx, ny] = self.cells;
        check_size(self.shape, count(self.shape, self.cells, self.layers.direction, self.layers.count), 0)?;
        let rows = if self.closed { ny } else { ny + 1 };
        // From this row on, the first vertex of a row is that of another, also where the joined faces end.
        let joined = if self.joined == 0 { rows } else { ny - self.joined };
        let vertex = |i: usize, j: usize| match j % rows {
            j if i == 0 && j >= joined => (ny - j) * (nx + 1),
            j => j * (nx + 1) + i - (j + 1).saturating_sub(joined),
        } as u32;
        let vertices = (0..rows).flat_map(|j| (usize::from(j >= joined)..=nx).map(move |i| [i, j]));
        let vertices = vertices.flat_map(position).collect();
        let cells = (0..ny).flat_map(|j| (0..nx).map(move |i| [i, j]));
        let face =
            |side: usize, along: usize, corners: FaceCorners| NamedFace { corners, boundary: boundary(side, along) };
        let sides = (0..ny).flat_map(|j| [(0, 0), (1, nx)].map(|(side, i)| (side, i, j)));
        let ends = sides
            .filter(|&(side, _, j)| side == 1 || (self.joined..ny - self.joined).contains(&j))
            .map(|(side, i, j)| face(side, j, [vertex(i, j), vertex(i, j + 1)]));
        let columns = 0..if self.closed { 0 } else { nx };
        let edges =
            columns.flat_map(|i| [(2, 0), (3, ny)].map(|(side, j)| face(side, i, [vertex(i, j), vertex(i + 1, j)])));
        Ok(Draft {
            vertices,
            elements: fill(self.shape, self.layers, cells, vertex, other_diagonal),
            boundaries,
            named_faces: ends.chain(edges).collect(),
            periodic_faces: Vec::new(),
            offered_periods: Vec::new(),
            element_tags: Vec::new(),
            groups: Groups::default(),
        })
    }
}
