//! A reader of VTU files, independent of the writer.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

/// The content of a VTU file.
#[derive(Debug)]
pub struct Vtu {
    /// The time of the fields.
    pub time: f64,
    /// Positions of the points, `[point][3]`.
    pub points: Vec<[f64; 3]>,
    /// Values at the points by field, `[point][component]`, with the number of components; for a vector, its components too.
    pub fields: BTreeMap<String, (usize, Vec<f64>)>,
    /// Like [`Vtu::fields`], for the elements.
    pub cells: BTreeMap<String, (usize, Vec<f64>)>,
}

impl Vtu {
    /// Reads a file.
    ///
    /// # Panics
    /// If it is no VTU file, or has encodings unknown to this reader.
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let begin = find(&bytes, b"<AppendedData encoding=\"raw\">").expect("appended data");
        let data = begin + find(&bytes[begin..], b"_").unwrap() + 1;
        let header = format!("{}</AppendedData></VTKFile>", std::str::from_utf8(&bytes[..data]).unwrap());
        let document = roxmltree::Document::parse(&header).unwrap();
        let arrays = |parent: &str| {
            let parent = document.descendants().find(|node| node.has_tag_name(parent)).unwrap();
            parent.children().filter(|node| node.has_tag_name("DataArray")).collect::<Vec<_>>()
        };
        let compressed = document.root_element().attribute("compressor") == Some("vtkZLibDataCompressor");
        let word = |at: usize| u64::from_le_bytes(bytes[data + at..][..8].try_into().unwrap()) as usize;
        let numbers = |array: &roxmltree::Node<'_, '_>| -> Vec<f64> {
            assert_eq!(array.attribute("format"), Some("appended"));
            let offset: usize = array.attribute("offset").unwrap().parse().unwrap();
            let mut block = Vec::new();
            if compressed {
                let mut at = offset + 8 * (3 + word(offset));
                for size in (0..word(offset)).map(|i| word(offset + 8 * (3 + i))) {
                    flate2::read::ZlibDecoder::new(&bytes[data + at..][..size]).read_to_end(&mut block).unwrap();
                    at += size;
                }
            } else {
                block.extend(&bytes[data + offset + 8..][..word(offset)]);
            }
            match array.attribute("type").unwrap() {
                "Float64" => block.as_chunks().0.iter().map(|x| f64::from_le_bytes(*x)).collect(),
                "Float32" => block.as_chunks().0.iter().map(|x| f32::from_le_bytes(*x).into()).collect(),
                "Int32" => block.as_chunks().0.iter().map(|x| i32::from_le_bytes(*x).into()).collect(),
                other => panic!("numbers of type {other}"),
            }
        };
        let named = |parent: &str| {
            let mut fields = BTreeMap::new();
            for array in arrays(parent) {
                let components: usize = array.attribute("NumberOfComponents").unwrap().parse().unwrap();
                let values = numbers(&array);
                for (i, name) in
                    (0..components).filter_map(|i| Some((i, array.attribute(&*format!("ComponentName{i}"))?)))
                {
                    let values = values.iter().skip(i).step_by(components).copied().collect();
                    fields.insert(name.to_owned(), (1, values));
                }
                fields.insert(array.attribute("Name").unwrap().to_owned(), (components, values));
            }
            fields
        };
        let points = numbers(&arrays("Points")[0]);
        let time = arrays("FieldData")[0].text().unwrap().trim().parse().unwrap();
        let points = points.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
        Self { time, points, fields: named("PointData"), cells: named("CellData") }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
