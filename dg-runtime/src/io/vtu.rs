//! VTU files (VTK's XML unstructured grid) with discontinuous Lagrange cells of any degree.
//!
//! Written here rather than through `vtkio` 0.7.0-rc2, which knows the cell types but holds the whole file as a
//! serde tree of text, cannot write appended data, has no place for the grid's time, and brings nom, quick-xml and ten
//! more crates. The part of the format that is needed is small: "VTK File Formats", section XML formats, of the VTK book,
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.

use std::io::Write;
use std::path::Path;

use super::{Error, Nodes, atomic, xml_attribute};
use crate::law::Shape;

/// A field at the nodes.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The name that ParaView shows.
    pub name: &'a str,
    /// 1 for a scalar; a vector has as many as there are dimensions.
    pub components: usize,
    /// `[element][node][component]`.
    pub values: &'a [f64],
}

/// VTK's vectors and positions have three components.
const VTK_DIM: usize = 3;

/// Writes the fields at one time. Binary, little endian, uncompressed, in double precision; vectors of two components get a
/// third that is zero.
///
/// # Errors
///
/// [`Error::System`] where the file cannot be written.
///
/// # Panics
///
/// Where a field's length is not that of the nodes.
pub fn write(path: &Path, nodes: &Nodes<'_>, fields: &[Field<'_>], time: f64) -> Result<(), Error> {
    for field in fields {
        assert_eq!(field.values.len(), nodes.total() * field.components, "values of the field `{}`", field.name);
    }
    atomic::write(path, |file| write_grid(file, nodes, fields, time))
}

/// The type of VTK cell, from `vtkCellType.h`. At degree 1 it is the linear cell, which every reader knows.
fn cell_type(shape: Shape, degree: usize) -> u8 {
    const VTK_TRIANGLE: u8 = 5;
    const VTK_LAGRANGE_TRIANGLE: u8 = 69;
    match (shape, degree) {
        (Shape::Triangle, 1) => VTK_TRIANGLE,
        (Shape::Triangle, _) => VTK_LAGRANGE_TRIANGLE,
    }
}

fn write_grid(file: &mut dyn Write, nodes: &Nodes<'_>, fields: &[Field<'_>], time: f64) -> std::io::Result<()> {
    let (points, cells) = (nodes.total(), nodes.elements());
    writeln!(
        file,
        r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<UnstructuredGrid>
<FieldData>
<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">{time:?}</DataArray>
</FieldData>
<Piece NumberOfPoints="{points}" NumberOfCells="{cells}">"#
    )?;

    let mut appended = Appended::default();
    writeln!(file, "<PointData>")?;
    for field in fields {
        appended.declare(file, "Float64", field.name, padded(field.components), 8 * points)?;
    }
    writeln!(file, "</PointData>\n<Points>")?;
    appended.declare(file, "Float64", "Points", VTK_DIM, 8 * points)?;
    writeln!(file, "</Points>\n<Cells>")?;
    appended.declare(file, "Int64", "connectivity", 1, 8 * points)?;
    appended.declare(file, "Int64", "offsets", 1, 8 * cells)?;
    appended.declare(file, "UInt8", "types", 1, cells)?;
    write!(file, "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;

    let mut sizes = appended.sizes.into_iter();
    let mut begin = |file: &mut dyn Write| file.write_all(&sizes.next().unwrap_or_default().to_le_bytes());
    for field in fields {
        begin(file)?;
        write_padded(file, field.values, field.components)?;
    }
    begin(file)?;
    write_padded(file, nodes.positions, nodes.dim)?;
    begin(file)?;
    (0..points as u64).try_for_each(|point| file.write_all(&point.to_le_bytes()))?;
    begin(file)?;
    let per_element = nodes.per_element() as u64;
    (1..=cells as u64).try_for_each(|cell| file.write_all(&(cell * per_element).to_le_bytes()))?;
    begin(file)?;
    (0..cells).try_for_each(|_| file.write_all(&[cell_type(nodes.shape, nodes.degree)]))?;
    writeln!(file, "\n</AppendedData>\n</VTKFile>")
}

/// The arrays of the appended block: each is its size in bytes (64 bits), then its bytes.
#[derive(Default)]
struct Appended {
    sizes: Vec<u64>,
}

impl Appended {
    /// Writes the element that announces the next array, of `components` times `bytes` bytes.
    fn declare(
        &mut self,
        file: &mut dyn Write,
        kind: &str,
        name: &str,
        components: usize,
        bytes: usize,
    ) -> std::io::Result<()> {
        let offset: u64 = self.sizes.iter().map(|size| size_of::<u64>() as u64 + size).sum();
        self.sizes.push((components * bytes) as u64);
        let name = xml_attribute(name);
        writeln!(
            file,
            r#"<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="appended" offset="{offset}"/>"#
        )
    }
}

/// The number of components in the file.
fn padded(components: usize) -> usize {
    if components == 1 { 1 } else { components.max(VTK_DIM) }
}

/// Writes tuples of `components` values, filled up with zeros.
fn write_padded(file: &mut dyn Write, values: &[f64], components: usize) -> std::io::Result<()> {
    let zeros = padded(components) - components;
    for tuple in values.chunks_exact(components) {
        tuple.iter().try_for_each(|value| file.write_all(&value.to_le_bytes()))?;
        file.write_all(&[0; 2 * 8][..zeros * 8])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::nodes::triangle_lattice;

    /// Name, type, number of components and bytes.
    type Array = (String, String, usize, Vec<u8>);

    /// The appended arrays of a file, and its XML without them.
    fn read(path: &Path) -> (Vec<Array>, String) {
        let bytes = std::fs::read(path).unwrap();
        let find = |what: &[u8]| bytes.windows(what.len()).position(|window| window == what).unwrap();
        let start = find(b"\n_") + 2;
        let end = bytes.len() - b"\n</AppendedData>\n</VTKFile>\n".len();
        let xml = String::from_utf8([&bytes[..start], &bytes[end..]].concat()).unwrap();
        let document = roxmltree::Document::parse(&xml).unwrap();
        let mut next = 0;
        let arrays = document.descendants().filter(|node| node.attribute("format") == Some("appended"));
        let arrays = arrays
            .map(|node| {
                let offset: usize = node.attribute("offset").unwrap().parse().unwrap();
                assert_eq!(offset, next, "arrays follow each other");
                let size = u64::from_le_bytes(bytes[start + offset..][..8].try_into().unwrap()) as usize;
                next += 8 + size;
                let text = |name| node.attribute(name).unwrap().to_string();
                let data = bytes[start + offset + 8..][..size].to_vec();
                (text("Name"), text("type"), text("NumberOfComponents").parse().unwrap(), data)
            })
            .collect();
        assert_eq!(start + next, end, "nothing follows the arrays");
        (arrays, xml)
    }

    fn reals(bytes: &[u8]) -> Vec<f64> {
        bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()
    }

    fn integers(bytes: &[u8]) -> Vec<i64> {
        bytes.as_chunks().0.iter().map(|&b| i64::from_le_bytes(b)).collect()
    }

    #[test]
    fn arrays_decode_to_the_numbers_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.vtu");
        for degree in 1..=7 {
            let lattice = triangle_lattice(degree);
            let points = 2 * lattice.len();
            let positions: Vec<f64> = (0..2)
                .flat_map(|e| lattice.iter().flat_map(move |[i, j]| [(e + i) as f64 / 3.0, *j as f64 - 0.5]))
                .collect();
            let density: Vec<f64> = (0..points).map(|n| (n as f64).sqrt() - 1.0).collect();
            let velocity: Vec<f64> = (0..2 * points).map(|n| 1.0 / (n as f64 + 1.0)).collect();
            let nodes = Nodes { shape: Shape::Triangle, degree, dim: 2, positions: &positions };
            let fields = [
                Field { name: "a<\"b\"&c", components: 1, values: &density },
                Field { name: "velocity", components: 2, values: &velocity },
            ];
            write(&path, &nodes, &fields, 0.1 + 0.2).unwrap();
            let (arrays, xml) = read(&path);

            let document = roxmltree::Document::parse(&xml).unwrap();
            let piece = document.descendants().find(|node| node.has_tag_name("Piece")).unwrap();
            assert_eq!(piece.attribute("NumberOfPoints"), Some(points.to_string().as_str()));
            assert_eq!(piece.attribute("NumberOfCells"), Some("2"));
            let time = document.descendants().find(|node| node.attribute("Name") == Some("TimeValue")).unwrap();
            assert_eq!(time.text().unwrap().parse(), Ok(0.1 + 0.2));

            let pad = |pairs: &[f64]| pairs.chunks(2).flat_map(|pair| [pair[0], pair[1], 0.0]).collect::<Vec<_>>();
            let names: Vec<_> = arrays.iter().map(|(name, kind, n, _)| (&name[..], &kind[..], *n)).collect();
            assert_eq!(
                names,
                [
                    ("a<\"b\"&c", "Float64", 1),
                    ("velocity", "Float64", 3),
                    ("Points", "Float64", 3),
                    ("connectivity", "Int64", 1),
                    ("offsets", "Int64", 1),
                    ("types", "UInt8", 1)
                ]
            );
            assert_eq!(reals(&arrays[0].3), density);
            assert_eq!(reals(&arrays[1].3), pad(&velocity));
            assert_eq!(reals(&arrays[2].3), pad(&positions));
            assert_eq!(integers(&arrays[3].3), (0..points as i64).collect::<Vec<_>>());
            assert_eq!(integers(&arrays[4].3), [points as i64 / 2, points as i64]);
            assert_eq!(arrays[5].3, if degree == 1 { [5; 2] } else { [69; 2] });
        }
    }

    #[test]
    fn missing_folder_is_an_error() {
        let nodes = Nodes { shape: Shape::Triangle, degree: 1, dim: 2, positions: &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0] };
        let folder = tempfile::tempdir().unwrap();
        let message = write(&folder.path().join("out/x.vtu"), &nodes, &[], 0.0).unwrap_err().to_string();
        assert!(message.starts_with("cannot write ") && message.contains("out/x.vtu: No such file"), "{message}");
    }
}
