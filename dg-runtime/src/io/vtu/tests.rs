use std::io::Read as _;

use super::*;

/// Name, type, number of components and bytes.
type Decoded = (String, String, usize, Vec<u8>);

/// The appended arrays of a file, and its XML without them.
fn read(path: &Path) -> (Vec<Decoded>, String) {
    let bytes = std::fs::read(path).unwrap();
    let find = |what: &[u8]| bytes.windows(what.len()).position(|window| window == what).unwrap();
    let start = find(b"\n_") + 2;
    let end = bytes.len() - b"\n</AppendedData>\n</VTKFile>\n".len();
    let xml = String::from_utf8([&bytes[..start], &bytes[end..]].concat()).unwrap();
    let document = roxmltree::Document::parse(&xml).unwrap();
    let compressed = document.root_element().attribute("compressor") == Some("vtkZLibDataCompressor");
    let number = |at: usize| u64::from_le_bytes(bytes[start + at..][..8].try_into().unwrap()) as usize;
    let mut next = 0;
    let arrays = document.descendants().filter(|node| node.attribute("format") == Some("appended"));
    let arrays = arrays
        .map(|node| {
            let offset: usize = node.attribute("offset").unwrap().parse().unwrap();
            assert_eq!(offset, next, "arrays follow each other");
            let mut data = Vec::new();
            if compressed {
                let [blocks, size, last] = [0, 8, 16].map(|at| number(offset + at));
                next += 24 + 8 * blocks;
                for block in 0..blocks {
                    let packed = number(offset + 24 + 8 * block);
                    let before = data.len();
                    flate2::read::ZlibDecoder::new(&bytes[start + next..][..packed]).read_to_end(&mut data).unwrap();
                    let partial = block + 1 == blocks && last > 0;
                    assert_eq!(data.len() - before, if partial { last } else { size });
                    next += packed;
                }
            } else {
                let size = number(offset);
                data.extend(&bytes[start + offset + 8..][..size]);
                next += 8 + size;
            }
            let text = |name| node.attribute(name).unwrap().to_string();
            (text("Name"), text("type"), text("NumberOfComponents").parse().unwrap(), data)
        })
        .collect();
    assert_eq!(start + next, end, "nothing follows the arrays");
    (arrays, xml)
}

fn reals(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()
}

fn singles(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect()
}

fn integers(bytes: &[u8]) -> Vec<i64> {
    bytes.as_chunks().0.iter().map(|&b| i64::from_le_bytes(b)).collect()
}

/// Node positions of so many elements.
fn positions(elements: usize, degree: usize) -> Vec<f64> {
    let lattice = Shape::Triangle.lattice(degree);
    let one =
        |e: usize| lattice.iter().flat_map(move |[i, j]| [(e + i) as f64 / 3.0, *j as f64 - 0.5]).collect::<Vec<_>>();
    (0..elements).flat_map(one).collect()
}

fn pad(pairs: impl Iterator<Item = [f64; 2]>) -> Vec<f64> {
    pairs.flat_map(|[x, y]| [x, y, 0.0]).collect()
}

const ENCODINGS: [Encoding; 4] = [
    Encoding { compressed: false, single: false },
    Encoding { compressed: true, single: false },
    Encoding { compressed: false, single: true },
    Encoding { compressed: true, single: true },
];

#[test]
fn arrays_decode_to_the_numbers_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.vtu");
    // With the last, nodes fill three blocks exactly.
    for (elements, degree) in [(2, 1), (2, 4), (2, 7), (20_000, 1), (1 << 15, 1)] {
        let positions = positions(elements, degree);
        let points = positions.len() / 2;
        let density: Vec<f64> = (0..points).map(|n| (n as f64).sqrt() - 1.0).collect();
        let [v1, v2] = [1.0, 2.0].map(|k| (0..points).map(|n| k / (n as f64 + 1.0)).collect::<Vec<f64>>());
        let nodes = Nodes::uniform(Shape::Triangle, degree, 2, &positions);
        let name = "a<\"b\"&c";
        let fields = [
            Field { name: name.into(), components: vec![Component { name, values: &density }] },
            Field {
                name: "v".into(),
                components: vec![Component { name: "v1", values: &v1 }, Component { name: "v2", values: &v2 }],
            },
        ];
        let cells = [CellField { name: "element", values: (0..elements as i32).collect() }];
        for encoding in ENCODINGS {
            write(&path, &nodes, &fields, &cells, encoding, 0.1 + 0.2).unwrap();
            let (arrays, xml) = read(&path);

            let document = roxmltree::Document::parse(&xml).unwrap();
            let piece = document.descendants().find(|node| node.has_tag_name("Piece")).unwrap();
            assert_eq!(piece.attribute("NumberOfPoints"), Some(points.to_string().as_str()));
            assert_eq!(piece.attribute("NumberOfCells"), Some(elements.to_string().as_str()));

            let real = if encoding.single { "Float32" } else { "Float64" };
            let names: Vec<_> = arrays.iter().map(|(name, kind, n, _)| (&name[..], &kind[..], *n)).collect();
            assert_eq!(
                names,
                [
                    (name, real, 1),
                    ("v", real, 3),
                    ("element", "Int32", 1),
                    ("Points", "Float64", 3),
                    ("connectivity", "Int64", 1),
                    ("offsets", "Int64", 1),
                    ("types", "UInt8", 1)
                ]
            );
            let velocity = pad(v1.iter().zip(&v2).map(|(x, y)| [*x, *y]));
            if encoding.single {
                let single = |values: &[f64]| values.iter().map(|&x| x as f32).collect::<Vec<_>>();
                assert_eq!((singles(&arrays[0].3), singles(&arrays[1].3)), (single(&density), single(&velocity)));
            } else {
                assert_eq!((reals(&arrays[0].3), reals(&arrays[1].3)), (density.clone(), velocity));
            }
            let numbers: Vec<i32> = arrays[2].3.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect();
            assert_eq!(numbers, cells[0].values);
            assert_eq!(reals(&arrays[3].3), pad(positions.chunks(2).map(|x| [x[0], x[1]])));
            assert_eq!(integers(&arrays[4].3), (0..points as i64).collect::<Vec<_>>());
            let per_element = (points / elements) as i64;
            assert_eq!(integers(&arrays[5].3), (1..=elements as i64).map(|e| e * per_element).collect::<Vec<_>>());
            assert_eq!(arrays[6].3, vec![if degree == 1 { 5 } else { 69 }; elements]);

            // The program's own reader agrees.
            assert_eq!(time(&path).unwrap(), 0.1 + 0.2);
            let rounded = |x: &f64| if encoding.single { f64::from(*x as f32) } else { *x };
            assert_eq!(component(&path, "v2").unwrap().unwrap(), v2.iter().map(rounded).collect::<Vec<_>>());
            assert_eq!(component(&path, name).unwrap().unwrap(), density.iter().map(rounded).collect::<Vec<_>>());
            assert_eq!(component(&path, "v").unwrap(), None);
        }
    }
}

/// Two quadratic triangles, then a quadrilateral.
#[test]
fn cells_of_both_shapes_have_their_own_types_and_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.vtu");
    let positions = vec![0.5; 2 * (6 + 6 + 9)];
    let nodes = Nodes { counts: [2, 1], degree: 2, dim: 2, positions: &positions };
    write(&path, &nodes, &[], &[], Encoding::default(), 0.0).unwrap();
    let (arrays, _) = read(&path);
    // VTK_LAGRANGE_TRIANGLE and VTK_LAGRANGE_QUADRILATERAL of vtkCellType.h.
    assert_eq!((integers(&arrays[2].3), &arrays[3].3[..]), (vec![6, 12, 21], &[69, 69, 70][..]));
}

#[test]
fn other_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.vtu");
    std::fs::write(&path, "<VTKFile type=\"UnstructuredGrid\"/>").unwrap();
    let message = time(&path).unwrap_err().to_string();
    assert!(message.contains("x.vtu: it is no VTU file of this program"), "{message}");
}

#[test]
fn missing_folder_is_an_error() {
    let nodes = Nodes::uniform(Shape::Triangle, 1, 2, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out/x.vtu");
    let message = write(&path, &nodes, &[], &[], Encoding::default(), 0.0).unwrap_err().to_string();
    assert!(message.starts_with("cannot write ") && message.contains("out/x.vtu: No such file"), "{message}");
}
