//! A reader of VTU files, independent of what writes them.

use std::collections::BTreeMap;
use std::path::Path;

/// What a VTU file says.
#[derive(Debug)]
pub struct Vtu {
    /// The time of the fields.
    pub time: f64,
    /// Positions of the points, `[point][3]`.
    pub points: Vec<[f64; 3]>,
    /// Values at the points by field, `[point][component]`, with the number of components.
    pub fields: BTreeMap<String, (usize, Vec<f64>)>,
}

impl Vtu {
    /// Reads a file.
    ///
    /// # Panics
    /// Where it is none, or has encodings that this reader does not know.
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
        let numbers = |array: &roxmltree::Node<'_, '_>| -> Vec<f64> {
            assert_eq!((array.attribute("type"), array.attribute("format")), (Some("Float64"), Some("appended")));
            let offset: usize = array.attribute("offset").unwrap().parse().unwrap();
            let block = &bytes[data + offset..];
            let (size, rest) = block.split_at(8);
            let size = u64::from_le_bytes(size.try_into().unwrap()) as usize;
            rest[..size].chunks_exact(8).map(|number| f64::from_le_bytes(number.try_into().unwrap())).collect()
        };
        let fields = arrays("PointData").into_iter().map(|array| {
            let components = array.attribute("NumberOfComponents").unwrap().parse().unwrap();
            (array.attribute("Name").unwrap().to_owned(), (components, numbers(&array)))
        });
        let points = numbers(&arrays("Points")[0]);
        let time = arrays("FieldData")[0].text().unwrap().trim().parse().unwrap();
        Self { time, points: points.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect(), fields: fields.collect() }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
