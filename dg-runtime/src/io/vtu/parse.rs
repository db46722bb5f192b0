//! Reads the triangles of VTU files by any program, with fields at their nodes: text, base64 or appended data, compressed by zlib or not.

use std::io::Read as _;

use data_encoding::BASE64;
use flate2::read::ZlibDecoder;
use roxmltree::{Document, Node};

/// The highest degree of Lagrange triangles.
pub const HIGHEST: usize = 10;

/// Triangles with values at their nodes. Errors of its functions are reasons why a file cannot be used, with the remedy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// `[node]`
    pub positions: Vec<[f64; 2]>,
    /// Nodes of each triangle, in VTK's order for the Lagrange triangle with so many.
    pub cells: Vec<Vec<usize>>,
    /// `[field][node]`
    pub fields: Vec<Vec<f64>>,
}

/// Types of cells in `vtkCellType.h`.
const VERTICES_AND_LINES: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
const TRIANGLE: f64 = 5.0;
const LAGRANGE_TRIANGLE: f64 = 69.0;

/// The triangles in the content of a file, and these fields at their nodes.
///
/// # Errors
/// Why it cannot be used.
pub fn triangles(bytes: &[u8], fields: &[&str]) -> Result<Triangles, String> {
    // Appended data, the last part of a file, need not be text.
    let find = |part: &[u8], from: usize| {
        bytes[from..].windows(part.len()).position(|window| window == part).map(|position| from + position)
    };
    let end = find(b"<AppendedData", 0);
    let appended = end.and_then(|end| find(b"_", find(b">", end)?)).map_or(&[][..], |start| &bytes[start + 1..]);
    let mut text = String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]).into_owned();
    if end.is_some() {
        text += "</VTKFile>";
    }
    let document = Document::parse(&text).map_err(|error| format!("it is no VTU file: {error}"))?;
    let root = document.root_element();
    match root.attribute("type") {
        Some("UnstructuredGrid") if root.has_tag_name("VTKFile") => {}
        Some(kind) => return Err(format!("it is a file of VTK's type {kind}; save an unstructured grid, as .vtu")),
        None => return Err("it is no VTU file: it has no element VTKFile with a type".into()),
    }
    let raw = end.is_some_and(|end| bytes[end..].starts_with(b"<AppendedData encoding=\"raw\""));
    let arrays = Arrays {
        big_endian: root.attribute("byte_order") == Some("BigEndian"),
        header: if root.attribute("header_type") == Some("UInt64") { 8 } else { 4 },
        compressed: match root.attribute("compressor") {
            None | Some("") => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => return Err(format!("it is compressed by {other}; save it with zlib, or not compressed")),
        },
        appended,
        raw,
    };
    let mut all = Triangles { fields: vec![Vec::new(); fields.len()], ..Triangles::default() };
    for piece in document.descendants().filter(|node| node.has_tag_name("Piece")) {
        arrays.add_piece(piece, fields, &mut all)?;
    }
    if all.cells.is_empty() {
        return Err("it has no triangles".into());
    }
    Ok(all)
}

/// How the arrays of a file are written.
struct Arrays<'b> {
    big_endian: bool,
    /// Bytes of a number in the header of an array.
    header: usize,
    compressed: bool,
    /// The bytes to which offsets refer, and whether these are the numbers themselves, not base64.
    appended: &'b [u8],
    raw: bool,
}

impl Arrays<'_> {
    fn add_piece(&self, piece: Node<'_, '_>, names: &[&str], all: &mut Triangles) -> Result<(), String> {
        let part = |name: &str| piece.children().find(|node| node.has_tag_name(name));
        let arrays = |of: &str| part(of).into_iter().flat_map(|part| part.children()).filter(|node| node.is_element());
        let of_cells = |name: &str| match arrays("Cells").find(|array| array.attribute("Name") == Some(name)) {
            Some(array) => self.numbers(array),
            None => Err(format!("its cells have no `{name}`")),
        };
        let points = self.numbers(arrays("Points").next().ok_or("it has no points")?)?;
        let first = all.positions.len();
        all.positions.extend(points.as_chunks::<3>().0.iter().map(|[x, y, _]| [*x, *y]));
        let count = all.positions.len() - first;
        let depths = || points.iter().skip(2).step_by(3);
        if depths().any(|z| Some(z) != points.get(2)) {
            return Err("its points are in no plane of one z; save a plane grid".into());
        }
        let (nodes, ends, types) = (of_cells("connectivity")?, of_cells("offsets")?, of_cells("types")?);
        if ends.len() != types.len() {
            return Err(format!("it has {} offsets and {} types of cells", ends.len(), types.len()));
        }
        let mut start = 0;
        for (end, kind) in ends.into_iter().zip(types) {
            let range = std::mem::replace(&mut start, end as usize)..end as usize;
            if VERTICES_AND_LINES.contains(&kind) {
                continue;
            }
            if kind != TRIANGLE && kind != LAGRANGE_TRIANGLE {
                return Err(format!("it has cells of VTK's type {kind}, which are no triangles; triangulate it"));
            }
            let cell = nodes.get(range).unwrap_or_default();
            if cell.iter().any(|node| !(0.0..count as f64).contains(node)) || !is_triangular(cell.len()) {
                return Err("a triangle refers to points that it does not have".into());
            }
            all.cells.push(cell.iter().map(|node| first + *node as usize).collect());
        }
        for (name, values) in names.iter().zip(&mut all.fields) {
            let found = self.field(part("PointData"), name)?;
            if found.len() != count {
                return Err(format!("its field `{name}` has {} values for {count} points", found.len()));
            }
            values.extend(found);
        }
        Ok(())
    }

    /// A scalar at the points, or a component of a vector, by its name.
    fn field(&self, points: Option<Node<'_, '_>>, name: &str) -> Result<Vec<f64>, String> {
        let mut known = Vec::new();
        for array in points.into_iter().flat_map(|points| points.children().collect::<Vec<_>>()) {
            let Some(own) = array.attribute("Name") else { continue };
            let count = array.attribute("NumberOfComponents").and_then(|count| count.parse().ok()).unwrap_or(1);
            let names: Vec<&str> = match count {
                1 => vec![own],
                _ => (0..count).filter_map(|i: usize| array.attribute(&*format!("ComponentName{i}"))).collect(),
            };
            if let Some(index) = names.iter().position(|known| *known == name) {
                return Ok(self.numbers(array)?.into_iter().skip(index).step_by(count).collect());
            }
            known.extend(names.into_iter().map(|name| format!("`{name}`")));
        }
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Err(format!("it has no field `{name}` at its points; there are {known}"))
    }

    /// The numbers of an array.
    fn numbers(&self, array: Node<'_, '_>) -> Result<Vec<f64>, String> {
        let name = array.attribute("Name").unwrap_or("Points");
        let wrong = |reason: &str| format!("its array `{name}` {reason}");
        let text = array.text().unwrap_or_default();
        let bytes = match array.attribute("format") {
            Some("ascii") => {
                let numbers = text.split_ascii_whitespace().map(str::parse);
                return numbers.collect::<Result<_, _>>().map_err(|_| wrong("has something else than numbers"));
            }
            Some("binary") => {
                let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
                self.encoded(&text)
            }
            Some("appended") => {
                let offset = array.attribute("offset").and_then(|offset| offset.parse::<usize>().ok());
                let data = offset.and_then(|offset| self.appended.get(offset..));
                data.and_then(|data| if self.raw { self.plain(data) } else { self.encoded(data) })
            }
            _ => return Err(wrong("has no format that VTU files have")),
        };
        let bytes = bytes.ok_or_else(|| wrong("is damaged or cut off; write the file again"))?;
        let kind = array.attribute("type").unwrap_or_default();
        macro_rules! read {
            ($($name:literal $type:ty),*) => {
                match kind {
                    $($name => bytes.as_chunks().0.iter().map(|number| {
                        (if self.big_endian { <$type>::from_be_bytes(*number) } else { <$type>::from_le_bytes(*number) }) as f64
                    }).collect(),)*
                    _ => return Err(wrong(&format!("has numbers of the type `{kind}`"))),
                }
            };
        }
        Ok(
            read!("Float64" f64, "Float32" f32, "Int8" i8, "UInt8" u8, "Int16" i16, "UInt16" u16, "Int32" i32, "UInt32" u32,
                 "Int64" i64, "UInt64" u64),
        )
    }

    /// A number of a header.
    fn header_number(&self, bytes: &[u8], index: usize) -> Option<usize> {
        let bytes = bytes.get(index * self.header..(index + 1) * self.header)?;
        let digit = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
        let number = if self.big_endian { bytes.iter().fold(0, digit) } else { bytes.iter().rev().fold(0, digit) };
        usize::try_from(number).ok()
    }

    /// The bytes of an array whose header and data are written as they are.
    fn plain(&self, data: &[u8]) -> Option<Vec<u8>> {
        let first = self.header_number(data, 0)?;
        if !self.compressed {
            return data.get(self.header..self.header.checked_add(first)?).map(<[u8]>::to_vec);
        }
        let header = first.checked_add(3)?.checked_mul(self.header)?;
        self.inflated(data.get(..header)?, &data[header..])
    }

    /// The bytes of compressed blocks after their header: the number of blocks, two sizes, and the compressed size of each.
    fn inflated(&self, header: &[u8], mut data: &[u8]) -> Option<Vec<u8>> {
        let mut all = Vec::new();
        for block in 0..self.header_number(header, 0)? {
            let (block, rest) = data.split_at_checked(self.header_number(header, 3 + block)?)?;
            ZlibDecoder::new(block).read_to_end(&mut all).ok()?;
            data = rest;
        }
        Some(all)
    }

    /// The bytes of an array in base64: header and data are encoded together or, if compressed, apart.
    fn encoded(&self, text: &[u8]) -> Option<Vec<u8>> {
        let characters = |bytes: usize| Some(bytes.checked_add(2)? / 3 * 4);
        let decode = |text: &[u8], bytes: usize| {
            let mut decoded = BASE64.decode(text.get(..characters(bytes)?)?).ok()?;
            decoded.truncate(bytes);
            Some(decoded)
        };
        let first = self.header_number(&decode(text, self.header)?, 0)?;
        if self.compressed {
            let header = decode(text, first.checked_add(3)?.checked_mul(self.header)?)?;
            let sizes = (0..first).map(|block| self.header_number(&header, 3 + block)).collect::<Option<Vec<_>>>()?;
            let size = sizes.into_iter().try_fold(0, usize::checked_add)?;
            return self.inflated(&header, &decode(&text[characters(header.len())?..], size)?);
        }
        let start = characters(self.header)?;
        if text.get(start - 1) == Some(&b'=') {
            return decode(&text[start..], first);
        }
        Some(decode(text, self.header.checked_add(first)?)?.split_off(self.header))
    }
}

/// Whether so many nodes are those of a Lagrange triangle.
fn is_triangular(nodes: usize) -> bool {
    (1..=HIGHEST).any(|degree| nodes == crate::law::Shape::Triangle.polynomials(degree))
}
