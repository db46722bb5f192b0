//! VTU files (VTK's XML unstructured grid) with discontinuous Lagrange cells of any degree.
//!
//! The writer is our own: `vtkio` 0.7.0-rc2 knows the cell types but keeps the whole file as a
//! serde tree of text, cannot write appended data, has no place for the grid's time, and brings nom, quick-xml and ten
//! more crates. The required part of the format is small: "VTK File Formats", section XML formats, of the VTK book,
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;

use super::nodes::NodesOfShape;
use super::{Error, Nodes, atomic, xml_attribute};
use crate::law::Shape;

mod parse;
mod read;
pub mod vectors;

pub use parse::{HIGHEST, Triangles, triangles};
pub use read::{component, time};

/// A field at the nodes.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The name in ParaView.
    pub name: String,
    /// One for a scalar, two or three for a vector.
    pub components: Vec<Component<'a>>,
}

/// A component of a field.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    /// Its name; that of the field if it is the only one.
    pub name: &'a str,
    /// At the nodes of one element behind the other.
    pub values: &'a [f64],
}

/// A number of every element.
#[derive(Clone, Debug)]
pub struct CellField {
    /// The name in ParaView.
    pub name: &'static str,
    /// `[element]`.
    pub values: Vec<i32>,
}

/// The encoding of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Whether they are compressed (zlib), which is slow but lossless.
    pub compressed: bool,
    /// Whether fields, not positions, have single precision.
    pub single: bool,
}

impl Default for Encoding {
    fn default() -> Self {
        Self { compressed: true, single: false }
    }
}

/// VTK's vectors and positions have three components.
const VTK_DIM: usize = 3;

/// Writes the fields at one time, little endian; vectors of two components get a third that is zero.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be written.
///
/// # Panics
///
/// If the length of a field does not match the nodes, or the elements.
pub fn write(
    path: &Path,
    nodes: &Nodes<'_>,
    fields: &[Field<'_>],
    cells: &[CellField],
    encoding: Encoding,
    time: f64,
) -> Result<(), Error> {
    for component in fields.iter().flat_map(|field| &field.components) {
        assert_eq!(component.values.len(), nodes.total(), "values of the field `{}`", component.name);
    }
    for cell in cells {
        assert_eq!(cell.values.len(), nodes.elements(), "values of the field `{}`", cell.name);
    }
    atomic::write(path, |file| write_grid(file, nodes, fields, cells, encoding, time))
}

/// The type of VTK cell, from `vtkCellType.h`. At degree 1 it is the linear cell, which every reader knows.
fn cell_type(shape: Shape, degree: usize) -> u8 {
    const VTK_TRIANGLE: u8 = 5;
    const VTK_QUAD: u8 = 9;
    const VTK_LAGRANGE_TRIANGLE: u8 = 69;
    const VTK_LAGRANGE_QUADRILATERAL: u8 = 70;
    match (shape, degree) {
        (Shape::Triangle, 1) => VTK_TRIANGLE,
        (Shape::Triangle, _) => VTK_LAGRANGE_TRIANGLE,
        (Shape::Quadrilateral, 1) => VTK_QUAD,
        (Shape::Quadrilateral, _) => VTK_LAGRANGE_QUADRILATERAL,
    }
}

/// For every element the number of the node behind its last one, and the type of its cell.
pub(super) fn ends_and_types(nodes: &Nodes<'_>) -> Vec<(usize, u8)> {
    let of_shape = |of_shape: NodesOfShape<'_>| {
        let (first, own) = (of_shape.first(), of_shape.per_element());
        let cell = cell_type(of_shape.shape, nodes.degree);
        (1..=of_shape.elements()).map(move |element| (first + element * own, cell))
    };
    nodes.by_shape().flat_map(of_shape).collect()
}

fn write_grid(
    file: &mut dyn Write,
    nodes: &Nodes<'_>,
    fields: &[Field<'_>],
    cells: &[CellField],
    encoding: Encoding,
    time: f64,
) -> std::io::Result<()> {
    let (points, elements) = (nodes.total(), nodes.elements());
    let compressor = if encoding.compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    writeln!(
        file,
        r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="2.1" byte_order="LittleEndian" header_type="UInt64"{compressor}>
<UnstructuredGrid>
<FieldData>
<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">{time:?}</DataArray>
</FieldData>
<Piece NumberOfPoints="{points}" NumberOfCells="{elements}">"#
    )?;

    let ends_and_types = ends_and_types(nodes);
    let mut appended = Appended { compressed: encoding.compressed, offset: 0, arrays: Vec::new() };
    writeln!(file, "<PointData>")?;
    for field in fields {
        appended.declare(file, field_array(field, points, encoding.single))?;
    }
    writeln!(file, "</PointData>\n<CellData>")?;
    for cell in cells {
        let put = |e: usize, bytes: &mut Vec<u8>| bytes.extend(cell.values[e].to_le_bytes());
        appended.declare(file, Array::new("Int32", cell.name, elements, 4, put))?;
    }
    writeln!(file, "</CellData>\n<Points>")?;
    let position = |point: usize, bytes: &mut Vec<u8>| {
        for d in 0..VTK_DIM {
            let x = if d < nodes.dim { nodes.positions[point * nodes.dim + d] } else { 0.0 };
            bytes.extend(x.to_le_bytes());
        }
    };
    let positions = Array::new("Float64", "Points", points, VTK_DIM * 8, position);
    appended.declare(file, Array { components: vec![""; VTK_DIM], ..positions })?;
    writeln!(file, "</Points>\n<Cells>")?;
    let number = |point: usize, bytes: &mut Vec<u8>| bytes.extend((point as u64).to_le_bytes());
    let end = |e: usize, bytes: &mut Vec<u8>| bytes.extend((ends_and_types[e].0 as u64).to_le_bytes());
    appended.declare(file, Array::new("Int64", "connectivity", points, 8, number))?;
    appended.declare(file, Array::new("Int64", "offsets", elements, 8, end))?;
    appended.declare(file, Array::new("UInt8", "types", elements, 1, |e, bytes| bytes.push(ends_and_types[e].1)))?;
    write!(file, "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;
    appended.write(file)?;
    writeln!(file, "\n</AppendedData>\n</VTKFile>")
}

/// An array of tuples.
struct Array<'a> {
    kind: &'static str,
    name: String,
    /// A name for each component of a tuple; empty if it needs none.
    components: Vec<&'a str>,
    tuples: usize,
    /// Bytes of a tuple.
    size: usize,
    /// Appends the bytes of a tuple.
    put: Put<'a>,
}

type Put<'a> = Box<dyn Fn(usize, &mut Vec<u8>) + Sync + 'a>;

/// Tuples of a block; each block is compressed as a whole.
const BLOCK: usize = 1 << 15;

impl<'a> Array<'a> {
    fn new(
        kind: &'static str,
        name: &str,
        tuples: usize,
        size: usize,
        put: impl Fn(usize, &mut Vec<u8>) + Sync + 'a,
    ) -> Self {
        Self { kind, name: name.into(), components: vec![""], tuples, size, put: Box::new(put) }
    }

    fn blocks(&self) -> usize {
        self.tuples.div_ceil(BLOCK)
    }

    /// The bytes of a block.
    fn block(&self, index: usize) -> Vec<u8> {
        let tuples = index * BLOCK..((index + 1) * BLOCK).min(self.tuples);
        let mut bytes = Vec::with_capacity(tuples.len() * self.size);
        tuples.for_each(|tuple| (self.put)(tuple, &mut bytes));
        bytes
    }
}

/// The array of a field; a vector of two components is filled up with zeros.
fn field_array<'a>(field: &'a Field<'a>, points: usize, single: bool) -> Array<'a> {
    let (kind, size) = if single { ("Float32", 4) } else { ("Float64", 8) };
    let count = field.components.len();
    let padded = if count == 1 { 1 } else { count.max(VTK_DIM) };
    let put = move |point: usize, bytes: &mut Vec<u8>| {
        for d in 0..padded {
            let value = field.components.get(d).map_or(0.0, |component| component.values[point]);
            if single {
                bytes.extend((value as f32).to_le_bytes());
            } else {
                bytes.extend(value.to_le_bytes());
            }
        }
    };
    let names = field.components.iter().map(|component| component.name);
    let names = if count == 1 { vec![""] } else { names.chain(std::iter::repeat("")).take(padded).collect() };
    Array { components: names, ..Array::new(kind, &field.name, points, padded * size, put) }
}

/// The arrays of the appended block, in order, each after a header of 64-bit numbers: its size in bytes, or the header of a compressed
/// one.
struct Appended<'a> {
    compressed: bool,
    /// The offset of the next array.
    offset: usize,
    /// The arrays, each with its compressed blocks, if any.
    arrays: Vec<(Array<'a>, Vec<Vec<u8>>)>,
}

impl<'a> Appended<'a> {
    /// Writes the element that declares the next array.
    fn declare(&mut self, file: &mut dyn Write, array: Array<'a>) -> std::io::Result<()> {
        let mut names = String::new();
        for (index, name) in array.components.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            names += &format!(r#" ComponentName{index}="{}""#, xml_attribute(name));
        }
        let (kind, name, count) = (array.kind, xml_attribute(&array.name), array.components.len());
        writeln!(
            file,
            r#"<DataArray type="{kind}" Name="{name}" NumberOfComponents="{count}"{names} format="appended" offset="{}"/>"#,
            self.offset
        )?;
        let blocks = if self.compressed {
            (0..array.blocks()).into_par_iter().map(|index| compress(&array.block(index))).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        };
        let data = if self.compressed { blocks.iter().map(Vec::len).sum() } else { array.tuples * array.size };
        self.offset += 8 * header(&array, &blocks, self.compressed).len() + data;
        self.arrays.push((array, blocks));
        Ok(())
    }

    fn write(&self, file: &mut dyn Write) -> std::io::Result<()> {
        for (array, blocks) in &self.arrays {
            for number in header(array, blocks, self.compressed) {
                file.write_all(&number.to_le_bytes())?;
            }
            if self.compressed {
                blocks.iter().try_for_each(|block| file.write_all(block))?;
            } else {
                (0..array.blocks()).try_for_each(|index| file.write_all(&array.block(index)))?;
            }
        }
        Ok(())
    }
}

/// The header of an array: its bytes; or, if it is compressed, the number of blocks, the bytes of each before compression,
/// those of the last if it is smaller, and the bytes of each after compression.
fn header(array: &Array<'_>, blocks: &[Vec<u8>], compressed: bool) -> Vec<u64> {
    if !compressed {
        return vec![(array.tuples * array.size) as u64];
    }
    let last = array.tuples % BLOCK * array.size;
    let sizes = blocks.iter().map(Vec::len);
    [blocks.len(), BLOCK * array.size, last].into_iter().chain(sizes).map(|size| size as u64).collect()
}

/// The fastest level: higher ones hardly make doubles smaller.
fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests;
