//! Fields given at points of a file, interpolated between them: on the triangles of a VTU file, or on a grid of comma-separated values.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use rstar::{AABB, PointDistance, RTree, RTreeObject};

use super::nodes::triangle_lagrange;
use super::reference::Table;
use super::{Error, vtu};
use crate::law::Shape;
use crate::system::open_regular;

/// A position outside by this share of the extent of the points is inside up to rounding.
const ROUNDING: f64 = 1e-9;

/// Fields at points of a file.
#[derive(Clone, Debug)]
pub struct Interpolant {
    path: PathBuf,
    hash: blake3::Hash,
    tolerance: f64,
    points: Points,
}

#[derive(Clone, Debug)]
enum Points {
    /// Polynomials on triangles.
    Triangles { tree: RTree<Triangle>, fields: Vec<Vec<f64>> },
    /// Bilinear between the lines x and y of a grid; `[field][y][x]`.
    Grid { lines: [Vec<f64>; 2], fields: Vec<Vec<f64>> },
}

impl Interpolant {
    /// Reads the fields with these names from a VTU file or, with the columns `x` and `y`, from comma-separated values.
    ///
    /// # Errors
    /// [`Error::System`] if the file cannot be read, [`Error::Content`] if it does not have these fields on triangles or on a grid.
    pub fn read(path: &Path, names: &[&str]) -> Result<Self, Error> {
        let wrong = |reason: String| Error::content(path, reason);
        let (mut file, _) = open_regular(path).map_err(Error::system("read", path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::system("read", path))?;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let (positions, points) = match extension.to_ascii_lowercase().as_str() {
            "vtu" => triangles(&bytes, names),
            "csv" => grid(&bytes, names),
            _ => Err("its name is to end in .vtu or .csv".to_owned()),
        }
        .map_err(wrong)?;
        let (Points::Triangles { fields, .. } | Points::Grid { fields, .. }) = &points;
        for (name, values) in names.iter().zip(fields) {
            if let Some(point) = values.iter().position(|value| !value.is_finite()) {
                let [x, y] = positions[point];
                return Err(wrong(format!("its field `{name}` is {} at ({x}, {y})", values[point])));
            }
        }
        let extent = |d: usize| {
            let along = || positions.iter().map(|position| position[d]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let tolerance = ROUNDING * extent(0).max(extent(1));
        Ok(Self { path: path.to_owned(), hash: blake3::hash(&bytes), tolerance, points })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A hash of its content.
    pub fn hash(&self) -> String {
        self.hash.to_hex().to_string()
    }

    /// Evaluates the fields at a position; if it is outside, at the nearest one inside. Returns whether it is inside, up to rounding.
    pub fn values(&self, position: &[f64], values: &mut [f64]) -> bool {
        let &[x, y, ..] = position else { return false };
        match &self.points {
            Points::Triangles { tree, fields } => {
                let Some(triangle) = tree.nearest_neighbor([x, y]) else { return false };
                let (distance, reference) = triangle.nearest([x, y]);
                let weights = triangle_lagrange(triangle.degree, reference);
                for (value, field) in values.iter_mut().zip(fields) {
                    *value = triangle.nodes.iter().zip(&weights).map(|(node, weight)| field[*node] * weight).sum();
                }
                distance.sqrt() <= self.tolerance
            }
            Points::Grid { lines, fields } => {
                let [(i, a, from_x), (j, b, from_y)] =
                    [(&lines[0], x), (&lines[1], y)].map(|(lines, x)| between(lines, x));
                let width = lines[0].len();
                for (value, field) in values.iter_mut().zip(fields) {
                    let along = |j: usize| (1.0 - a) * field[j * width + i] + a * field[j * width + i + 1];
                    *value = (1.0 - b) * along(j) + b * along(j + 1);
                }
                from_x.max(from_y) <= self.tolerance
            }
        }
    }
}

/// The cell of a line in which a number is, its place there from 0 to 1, and its distance from the line's ends where it is outside.
fn between(line: &[f64], x: f64) -> (usize, f64, f64) {
    let inside = x.clamp(line[0], line[line.len() - 1]);
    let cell = line.partition_point(|from| *from <= inside).clamp(1, line.len() - 1) - 1;
    (cell, (inside - line[cell]) / (line[cell + 1] - line[cell]), (x - inside).abs())
}

/// A triangle with straight sides, and its nodes in VTK's order.
#[derive(Clone, Debug)]
struct Triangle {
    corners: [[f64; 2]; 3],
    degree: usize,
    nodes: Vec<usize>,
}

impl Triangle {
    /// The square of the distance of a position, and the reference coordinates of the nearest position in the triangle.
    fn nearest(&self, [x, y]: [f64; 2]) -> (f64, [f64; 2]) {
        let [a, b, c] = self.corners;
        let (u, v, w) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]], [x - a[0], y - a[1]]);
        let area = u[0] * v[1] - u[1] * v[0];
        let inside = [(w[0] * v[1] - w[1] * v[0]) / area, (u[0] * w[1] - u[1] * w[0]) / area];
        if inside[0] >= 0.0 && inside[1] >= 0.0 && inside[0] + inside[1] <= 1.0 {
            return (0.0, inside);
        }
        // Outside, the nearest position is on a side.
        let on_side = |[from, to]: [[f64; 2]; 2]| {
            let place = |s: f64| [0, 1].map(|d| from[d] + s * (to[d] - from[d]));
            let [[fx, fy], [tx, ty]] =
                [from, to].map(|[r, s]| [a[0] + r * u[0] + s * v[0], a[1] + r * u[1] + s * v[1]]);
            let (dx, dy) = (tx - fx, ty - fy);
            let s = (((x - fx) * dx + (y - fy) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            ((x - fx - s * dx).powi(2) + (y - fy - s * dy).powi(2), place(s))
        };
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let sides = [[0, 1], [1, 2], [2, 0]].map(|side| on_side(side.map(|corner| corners[corner])));
        sides.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or((0.0, inside))
    }
}

impl RTreeObject for Triangle {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_points(&self.corners)
    }
}

impl PointDistance for Triangle {
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        self.nearest(*point).0
    }
}

/// The positions and the polynomials of a VTU file.
fn triangles(bytes: &[u8], names: &[&str]) -> Result<(Vec<[f64; 2]>, Points), String> {
    let vtu::Triangles { positions, cells, fields } = vtu::triangles(bytes, names)?;
    if let Some(point) = positions.iter().flatten().position(|x| !x.is_finite()) {
        return Err(format!("the position of its point {} is not finite", point / 2));
    }
    let triangle = |nodes: Vec<usize>| {
        let degree = (1..=vtu::HIGHEST).find(|degree| Shape::Triangle.polynomials(*degree) == nodes.len())?;
        let corners = [nodes[0], nodes[1], nodes[2]].map(|node| positions[node]);
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        (area != 0.0).then_some(Triangle { corners, degree, nodes })
    };
    let triangles: Vec<Triangle> = cells.into_iter().filter_map(triangle).collect();
    if triangles.is_empty() {
        return Err("all of its triangles are degenerate".into());
    }
    Ok((positions, Points::Triangles { tree: RTree::bulk_load(triangles), fields }))
}

/// The positions and the grid of comma-separated values.
fn grid(bytes: &[u8], names: &[&str]) -> Result<(Vec<[f64; 2]>, Points), String> {
    let table = Table::parse(&String::from_utf8_lossy(bytes))?;
    let column = |name: &str| {
        let known = || table.columns().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        table.column(name).ok_or_else(|| format!("it has no column `{name}`; there are {}", known()))
    };
    let (x, y) = (column("x")?, column("y")?);
    let columns = names.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
    let lines = [lines(&x)?, lines(&y)?];
    let [width, height] = [lines[0].len(), lines[1].len()];
    let no_grid = || {
        format!(
            "its {} points are no grid of {width} x and {height} y, each with every other, once; bilinear interpolation needs one. \
             Triangulate other points (in ParaView: Table To Points, Delaunay 2D), and save them as .vtu",
            x.len()
        )
    };
    if width < 2 || height < 2 || x.len() != width * height {
        return Err(no_grid());
    }
    let mut order = vec![None; x.len()];
    for (row, (x, y)) in x.iter().zip(&y).enumerate() {
        let [i, j] = [(&lines[0], x), (&lines[1], y)].map(|(lines, x)| nearest(lines, *x));
        order[j * width + i] = Some(row);
    }
    let order = order.into_iter().collect::<Option<Vec<usize>>>().ok_or_else(no_grid)?;
    let sorted = |column: &Vec<f64>| order.iter().map(|row| column[*row]).collect();
    let positions = order.iter().map(|row| [x[*row], y[*row]]).collect();
    Ok((positions, Points::Grid { lines, fields: columns.iter().map(sorted).collect() }))
}

/// The different numbers, sorted; those that differ by rounding are the same.
fn lines(numbers: &[f64]) -> Result<Vec<f64>, String> {
    let mut lines = numbers.to_vec();
    if let Some(x) = lines.iter().find(|x| !x.is_finite()) {
        return Err(format!("a position in it is {x}"));
    }
    lines.sort_unstable_by(f64::total_cmp);
    let extent = lines.last().zip(lines.first()).map_or(0.0, |(last, first)| last - first);
    lines.dedup_by(|next, line| *next - *line <= ROUNDING * extent);
    Ok(lines)
}

/// The number of the line nearest to a number.
fn nearest(lines: &[f64], x: f64) -> usize {
    let behind = lines.partition_point(|line| *line <= x).min(lines.len() - 1);
    if behind > 0 && x - lines[behind - 1] < lines[behind] - x { behind - 1 } else { behind }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use data_encoding::BASE64;
    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;
    use crate::io::Nodes;
    use crate::io::vtu::{Component, Encoding, Field};

    fn read(name: &str, content: impl AsRef<[u8]>, fields: &[&str]) -> Result<Interpolant, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        Interpolant::read(&path, fields).map_err(|error| error.to_string())
    }

    fn at(file: &Interpolant, position: [f64; 2], fields: usize) -> (bool, Vec<f64>) {
        let mut values = vec![0.0; fields];
        (file.values(&position, &mut values), values)
    }

    #[test]
    fn files_of_this_program_have_their_polynomials() {
        // A square in two triangles that share no nodes.
        let corners = [[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]], [[0.0, 0.0], [2.0, 1.0], [0.0, 1.0]]];
        for degree in 1..=4 {
            let polynomial = |x: f64, y: f64| (1.0 + 0.5 * x - y).powi(degree as i32);
            let lattice = Shape::Triangle.lattice(degree).into_iter();
            let reference: Vec<[f64; 2]> = lattice.map(|node| node.map(|i| i as f64 / degree as f64)).collect();
            let position = |[a, b, c]: [[f64; 2]; 3], [r, s]: [f64; 2]| {
                [0, 1].map(|d| a[d] + r * (b[d] - a[d]) + s * (c[d] - a[d]))
            };
            let nodes = corners.iter().flat_map(|corners| reference.iter().map(|at| position(*corners, *at)));
            let nodes: Vec<[f64; 2]> = nodes.collect();
            let values: Vec<f64> = nodes.iter().map(|[x, y]| polynomial(*x, *y)).collect();
            let twice: Vec<f64> = values.iter().map(|value| 2.0 * value).collect();
            for compressed in [false, true] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("own.vtu");
                let nodes = Nodes::uniform(Shape::Triangle, degree, 2, nodes.as_flattened());
                let components = [Component { name: "v1", values: &values }, Component { name: "v2", values: &twice }];
                let vector = Field { name: "v".to_owned(), components: components.to_vec() };
                vtu::write(&path, &nodes, &[vector], &[], Encoding { compressed, single: false }, 0.0).unwrap();
                let file = Interpolant::read(&path, &["v2", "v1"]).unwrap();
                for (x, y) in [(0.3, 0.6), (1.9, 0.2), (1.0, 0.5), (0.0, 0.0), (2.0, 0.7)] {
                    let (inside, values) = at(&file, [x, y], 2);
                    assert!(inside && (values[1] - polynomial(x, y)).abs() < 1e-12, "{degree}: {values:?}");
                    assert!((values[0] - 2.0 * polynomial(x, y)).abs() < 1e-12);
                }
                let (inside, values) = at(&file, [3.0, 0.25], 2);
                assert!(!inside && (values[1] - polynomial(2.0, 0.25)).abs() < 1e-12);
                assert!(
                    Interpolant::read(&path, &["rho"])
                        .unwrap_err()
                        .to_string()
                        .contains("no field `rho` at its points; there are `v1`, `v2`")
                );
            }
        }
    }

    /// Numbers as VTK writes them with headers of 32 bits, big or little endian.
    fn bytes(numbers: &[f64], big: bool) -> Vec<u8> {
        numbers.iter().flat_map(|number| if big { number.to_be_bytes() } else { number.to_le_bytes() }).collect()
    }

    fn header(numbers: &[usize], big: bool) -> Vec<u8> {
        let number = |number: &usize| if big { (*number as u32).to_be_bytes() } else { (*number as u32).to_le_bytes() };
        numbers.iter().flat_map(number).collect()
    }

    /// A square with a linear field, in which all numbers are doubles.
    fn square(form: &str, big: bool, compressor: &str) -> String {
        let encode = |numbers: &[f64]| -> String {
            let data = bytes(numbers, big);
            match (form, compressor) {
                ("ascii", _) => numbers.iter().map(|number| format!("{number} ")).collect(),
                (_, "") => BASE64.encode(&[header(&[data.len()], big), data].concat()),
                _ => {
                    let blocks: Vec<Vec<u8>> = data
                        .chunks(40)
                        .map(|block| {
                            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                            encoder.write_all(block).unwrap();
                            encoder.finish().unwrap()
                        })
                        .collect();
                    let sizes =
                        [vec![blocks.len(), 40, data.len() % 40], blocks.iter().map(Vec::len).collect()].concat();
                    BASE64.encode(&header(&sizes, big)) + &BASE64.encode(&blocks.concat())
                }
            }
        };
        let (mut appended, mut arrays) = (String::new(), Vec::new());
        for (name, components, numbers) in [
            ("Points", 3, vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]),
            ("connectivity", 1, vec![3.0, 0.0, 1.0, 2.0, 0.0, 2.0, 3.0]),
            ("offsets", 1, vec![1.0, 4.0, 7.0]),
            ("types", 1, vec![1.0, 5.0, 5.0]),
            ("rho", 1, vec![1.0, 2.0, 4.0, 3.0]),
        ] {
            let text = encode(&numbers);
            let (at, inside) = if form == "appended" {
                (format!(" offset=\"{}\"", appended.len()), "")
            } else {
                (String::new(), &*text)
            };
            arrays.push(format!(
                "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"{form}\"{at}>\n {inside}\n</DataArray>"
            ));
            if form == "appended" {
                appended += &text;
            }
        }
        let [points, connectivity, offsets, types, rho] = &arrays[..] else { unreachable!() };
        let order = if big { "BigEndian" } else { "LittleEndian" };
        let compressor = if compressor.is_empty() { String::new() } else { format!(" compressor=\"{compressor}\"") };
        let appended = if form == "appended" {
            format!("<AppendedData encoding=\"base64\">\n _{appended}\n</AppendedData>")
        } else {
            String::new()
        };
        format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"{order}\" header_type=\"UInt32\"{compressor}>\n\
             <UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"3\"><PointData>{rho}</PointData><Points>{points}</Points>\
             <Cells>{connectivity}{offsets}{types}</Cells></Piece></UnstructuredGrid>{appended}</VTKFile>"
        )
    }

    #[test]
    fn every_format_of_other_programs_is_read() {
        for form in ["ascii", "binary", "appended"] {
            for big in [false, true] {
                for compressor in ["", "vtkZLibDataCompressor"] {
                    let file = read("square.vtu", square(form, big, compressor), &["rho"]).unwrap();
                    for [x, y] in [[0.2, 0.9], [0.9, 0.2], [0.5, 0.5]] {
                        let (inside, rho) = at(&file, [x, y], 1);
                        assert!(
                            inside && (rho[0] - (1.0 + x + 2.0 * y)).abs() < 1e-15,
                            "{form}, {big}, {compressor}: {rho:?}"
                        );
                    }
                    assert_eq!(at(&file, [0.5, -2.0], 1), (false, vec![1.5]));
                    assert_eq!(at(&file, [-1.0, 3.0], 1), (false, vec![3.0]));
                }
            }
        }
    }

    #[test]
    fn what_is_no_grid_of_triangles_is_refused_with_the_remedy() {
        let good = square("ascii", false, "");
        for (from, to, said) in [
            ("UnstructuredGrid\" v", "PolyData\" v", "VTK's type PolyData; save an unstructured grid, as .vtu"),
            ("<Piece", "<Peace", "it is no VTU file"),
            ("1 5 5 ", "1 9 5 ", "VTK's type 9, which are no triangles; triangulate it"),
            ("1 5 5 ", "1 1 1 ", "it has no triangles"),
            ("1 4 7 ", "1 4 ", "it has 2 offsets and 3 types"),
            ("1 4 7 ", "1 4 70 ", "refers to points that it does not have"),
            ("3 0 1 2 0 2 3", "3 0 1 2 0 2 4", "refers to points that it does not have"),
            ("1 2 4 3 ", "1 2 4 ", "has 3 values for 4 points"),
            ("1 2 4 3 ", "1 2 nan 3 ", "its field `rho` is NaN at (1, 1)"),
            ("1 2 4 3 ", "1 2 four 3 ", "has something else than numbers"),
            ("0 0 0 1 0 0 ", "0 0 0 1 0 1 ", "in no plane"),
            ("0 0 0 1 0 0 1 1 0 0 1 0 ", "0 0 0 0 0 0 0 0 0 0 0 0 ", "degenerate"),
            ("0 0 0 1 0 0 ", "0 0 0 inf 0 0 ", "is not finite"),
            ("Name=\"rho\"", "Name=\"density\"", "no field `rho` at its points; there are `density`"),
        ] {
            assert!(good.contains(from), "{from}");
            let found = read("square.vtu", good.replace(from, to), &["rho"]).map(drop);
            assert!(found.clone().unwrap_err().contains(said), "{said}: {found:?}");
        }
        let lz4 = square("binary", false, "vtkLZ4DataCompressor");
        assert!(read("square.vtu", lz4, &["rho"]).unwrap_err().contains("vtkLZ4DataCompressor; save it with zlib"));
        assert!(read("square.txt", good, &["rho"]).unwrap_err().contains("its name is to end in .vtu or .csv"));
    }

    #[test]
    fn no_damaged_byte_makes_the_reader_panic() {
        for form in ["ascii", "binary", "appended"] {
            let good = square(form, false, if form == "ascii" { "" } else { "vtkZLibDataCompressor" }).into_bytes();
            for place in 0..good.len() {
                for change in [1, 0x20, 0x80] {
                    let mut damaged = good.clone();
                    damaged[place] ^= change;
                    let _ = triangles(&damaged, &["rho"]);
                }
                let _ = triangles(&good[..place], &["rho"]);
            }
        }
    }

    #[test]
    fn a_grid_of_values_is_bilinear_between_its_lines_in_any_order() {
        let rows = [[0.0, 2.0], [3.0, -1.0], [0.0, -1.0], [1.0, -1.0], [3.0, 2.0], [1.0, 2.0]];
        let value = |[x, y]: [f64; 2]| 1.0 + x - 2.0 * y + 0.5 * x * y;
        let text = rows.map(|[x, y]| format!("{y}, {x}, 0, {}\n", value([x, y]))).concat();
        let file = read("model.csv", format!("# a model\ny,x,other,rho\n{text}"), &["rho"]).unwrap();
        for position in [[0.5, 0.5], [2.9, -1.0], [1.0, 2.0], [3.0, 1.9]] {
            let (inside, rho) = at(&file, position, 1);
            assert!(inside && (rho[0] - value(position)).abs() < 1e-14, "{position:?}: {rho:?}");
        }
        assert_eq!(at(&file, [4.0, 0.5], 1), (false, vec![value([3.0, 0.5])]));
        for (content, said) in [
            ("x,y,rho\n0,0,1\n1,0,1\n0,1,1\n", "its 3 points are no grid of 2 x and 2 y"),
            ("x,y,rho\n0,0,1\n1,0,1\n0,1,1\n0,1,1\n", "Delaunay 2D"),
            ("x,y,rho\n0,0,1\n1,0,1\n", "are no grid of 2 x and 1 y"),
            ("x,y,bulk\n0,0,1\n", "it has no column `rho`; there are `x`, `y`, `bulk`"),
            ("x,rho\n0,1\n", "it has no column `y`"),
            ("x,y,rho\n0,0,nan\n1,0,1\n0,1,1\n1,1,1\n", "its field `rho` is NaN at (0, 0)"),
            ("x,y,rho\n0,0,1\ninf,0,1\n0,1,1\n1,1,1\n", "a position in it is inf"),
            ("x,y,rho\n0,0,one\n", "line 2 has not 3 numbers"),
            ("", "first line is to name its columns"),
        ] {
            let error = read("model.csv", content, &["rho"]).unwrap_err();
            assert!(error.contains(said), "{said}: {error}");
        }
    }
}
