use serde_json::Value;

use super::*;
use crate::io::nodes::triangle_lattice;
use crate::law::Shape;

/// The output nodes of a triangulated rectangle.
fn rectangle(cells: [usize; 2], size: [f64; 2], degree: usize) -> Vec<f64> {
    let mut positions = Vec::new();
    for n in 0..cells[0] * cells[1] {
        let (i, j) = ((n % cells[0]) as f64, (n / cells[0]) as f64);
        for [a, b, c] in [[[0., 0.], [1., 0.], [0., 1.]], [[1., 1.], [0., 1.], [1., 0.]]] {
            for node in triangle_lattice(degree) {
                let [r, s] = node.map(|k| k as f64 / degree as f64);
                let unit = |d: usize| a[d] + r * (b[d] - a[d]) + s * (c[d] - a[d]);
                positions.push((i + unit(0)) / cells[0] as f64 * size[0]);
                positions.push((j + unit(1)) / cells[1] as f64 * size[1]);
            }
        }
    }
    positions
}

fn at(positions: &[f64], f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    positions.chunks(2).map(|x| f(x[0], x[1])).collect()
}

fn nodes(positions: &[f64], degree: usize) -> Nodes<'_> {
    Nodes { shape: Shape::Triangle, degree, dim: 2, positions }
}

fn scene<'a>(nodes: &'a Nodes<'a>, values: &'a [f64]) -> Scene<'a> {
    Scene { nodes, name: "q", values, time: 0.25, about: "law, case", reference: None, series: None }
}

/// What is read back from a PNG.
struct Read {
    width: usize,
    pixels: Vec<u8>,
    facts: Value,
}

impl Read {
    fn file(path: &Path) -> Self {
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let width = reader.next_frame(&mut pixels).unwrap().width as usize;
        let chunk = &reader.info().utf8_text[0];
        assert_eq!(chunk.keyword, sheet::FACTS);
        Self { width, pixels, facts: serde_json::from_str(&chunk.get_text().unwrap()).unwrap() }
    }

    fn pixel(&self, [x, y]: [usize; 2]) -> [u8; 3] {
        [0, 1, 2].map(|channel| self.pixels[3 * (y * self.width + x) + channel])
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        self.facts[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    }

    /// Number of pixels of about this colour.
    fn count(&self, colour: sheet::Colour) -> usize {
        self.pixels.as_chunks().0.iter().filter(|pixel| close(**pixel, colour)).count()
    }
}

/// Draws a field of positions on a rectangle and reads the picture.
fn drawn(size: [f64; 2], degree: usize, style: &Style, f: impl Fn(f64, f64) -> f64) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([8, 4], size, degree);
    let (nodes, values) = (nodes(&positions, degree), at(&positions, f));
    write(&folder.path().join("x_0001"), &scene(&nodes, &values), style).unwrap();
    Read::file(&folder.path().join("x_0001.png"))
}

/// A small picture, quickly drawn.
fn small() -> Style {
    Style { size: SIZES[0], ..Style::default() }
}

fn close(found: [u8; 3], expected: sheet::Colour) -> bool {
    // One step of a map's 256 changes no channel by more than 3, and a pixel is the mean of four samples.
    found.iter().zip(expected).all(|(&a, b)| a.abs_diff(b) <= 4)
}

/// The field's upper left corner in every picture.
const CORNER: [usize; 2] = [108, 78];

#[test]
fn linear_field_has_the_colours_of_its_values() {
    let f = |x: f64, y: f64| 3.0 + x + 2.0 * y;
    for degree in [1, 2, 7] {
        let style = Style { size: [450 + field::AROUND[0], 800], ..small() };
        let image = drawn([2.0, 1.0], degree, &style, f);
        assert_eq!(image.width, 450 + field::AROUND[0]);
        for column in (4..450).step_by(37) {
            for row in (4..225).step_by(23) {
                let [x, y] = [(column as f64 + 0.5) / 225.0, 1.0 - (row as f64 + 0.5) / 225.0];
                let expected = Colours::Viridis.at((f(x, y) - 3.0) / 4.0);
                let found = image.pixel([CORNER[0] + column, CORNER[1] + row]);
                assert!(close(found, expected), "degree {degree}, ({x}, {y}): {found:?}, not {expected:?}");
            }
        }
        assert_eq!(image.numbers("range"), [3.0, 7.0]);
        assert_eq!(image.numbers("shown"), [3.0, 7.0]);
        assert_eq!(image.facts["time"], 0.25);
        assert_eq!(image.pixel([3, 3]), [255; 3]);
    }
}

#[test]
fn a_region_shows_its_part_and_the_range_in_it() {
    let style = Style { region: Some([[0.5, 0.25], [1.0, 0.5]]), size: [400 + field::AROUND[0], 800], ..small() };
    let image = drawn([2.0, 1.0], 2, &style, |x, y| x + y);
    assert_eq!(image.numbers("range"), [0.75, 1.5]);
    assert!(close(image.pixel([CORNER[0] + 2, CORNER[1] + 198]), Colours::Viridis.at(0.0)));
    // Between nodes, what is around counts.
    let style = Style { region: Some([[0.51, 0.26], [0.52, 0.27]]), size: [400 + field::AROUND[0], 800], ..small() };
    let range = drawn([2.0, 1.0], 2, &style, |x, y| x + y).numbers("range");
    assert!(range[0] <= 0.77 && range[1] >= 0.79, "{range:?}");
}

#[test]
fn fields_of_both_signs_are_white_at_zero() {
    let image = drawn([2.0, 1.0], 1, &small(), |x, _| x - 0.5);
    assert_eq!(image.numbers("shown"), [-1.5, 1.5]);
    assert_eq!(image.numbers("range"), [-0.5, 1.5]);
    let style = Style { range: Range::Given([0.0, 1.0]), colours: Some(Colours::Magma), ..small() };
    assert_eq!(drawn([2.0, 1.0], 1, &style, |x, _| x - 0.5).numbers("shown"), [0.0, 1.0]);
}

#[test]
fn a_series_has_one_range() {
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([2, 2], [1.0, 1.0], 1);
    let (nodes, values) = (nodes(&positions, 1), at(&positions, |x, _| 1.0 + x));
    let style = Style { range: Range::Series, ..small() };
    let scene = Scene { series: Some([0.5, 1.25]), ..scene(&nodes, &values) };
    write(&folder.path().join("x"), &scene, &style).unwrap();
    assert_eq!(Read::file(&folder.path().join("x.png")).numbers("shown"), [0.5, 2.0]);
}

#[test]
fn not_finite_values_are_magenta_and_leave_the_range_alone() {
    for bad in [f64::NAN, f64::INFINITY, f64::MIN] {
        let image = drawn([8.0, 4.0], 1, &small(), |x, _| if x > 6.5 { bad } else { x });
        assert_eq!(image.numbers("range"), [0.0, 6.0]);
        assert!(image.count(colours::NOT_FINITE) > 500);
        let place = 2.5 / (image.width - field::AROUND[0]) as f64 * 8.0 / 6.0;
        assert!(close(image.pixel([CORNER[0] + 2, CORNER[1] + 60]), Colours::Viridis.at(place)));
    }
}

#[test]
fn contours_and_mesh_are_lines_where_they_belong() {
    let style = Style { contours: Contours::Levels(vec![1.0]), size: [450 + field::AROUND[0], 800], ..small() };
    let image = drawn([2.0, 1.0], 3, &style, |x, _| x);
    // x = 1 is in the middle: dark there, and nowhere else on the row.
    let dark =
        |column: usize| image.pixel([CORNER[0] + column, CORNER[1] + 100]).iter().map(|&c| u32::from(c)).sum::<u32>();
    let middle = (223..228).map(dark).min().unwrap();
    assert!(middle + 100 < dark(215) && middle + 100 < dark(235), "{middle} {} {}", dark(215), dark(235));
    let plain = drawn([2.0, 1.0], 1, &Style { kind: Some(Kind::Colours), ..small() }, |_, _| 1.0);
    let meshed = drawn([2.0, 1.0], 1, &Style { mesh: true, ..small() }, |_, _| 1.0);
    let changed = plain.pixels.iter().zip(&meshed.pixels).filter(|(a, b)| a != b).count();
    assert!(changed > 2000, "{changed}");
}

#[test]
fn schlieren_are_dark_where_a_field_jumps() {
    let style = Style { kind: Some(Kind::Schlieren), size: [450 + field::AROUND[0], 800], ..small() };
    // Constant on each side of x = 1, which no element crosses: the jump is between elements.
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([8, 4], [2.0, 1.0], 1);
    let values: Vec<f64> = positions.chunks(6).flat_map(|e| [f64::from((e[0] + e[2] + e[4]) / 3.0 > 1.0); 3]).collect();
    let nodes = nodes(&positions, 1);
    write(&folder.path().join("x"), &scene(&nodes, &values), &style).unwrap();
    let image = Read::file(&folder.path().join("x.png"));
    let grey = |column: usize| image.pixel([CORNER[0] + column, CORNER[1] + 100])[0];
    assert!(grey(225) < 60 && grey(50) > 240 && grey(400) > 240, "{} {} {}", grey(225), grey(50), grey(400));
    // A jump by 1, spread over two cells of 1/4.
    let steepest = image.numbers("range")[1];
    assert!((1.0..4.0 + 1e-9).contains(&steepest), "{steepest}");
}

#[test]
fn a_strip_is_drawn_as_lines_of_its_mean() {
    let positions = rectangle([40, 2], [1.0, 0.05], 2);
    let square = rectangle([4, 4], [1.0, 1.0], 1);
    assert_eq!(along(&nodes(&square, 1), &small()), None);
    let nodes = nodes(&positions, 2);
    assert_eq!(along(&nodes, &small()), Some((0, [0.0, 1.0])));
    // x² is not linear on an element: nodes are exact, and between them it is a chord's height off.
    let values = at(&positions, |x, y| x * x + 40.0 * (y - 0.025));
    for column in profile::profile(&nodes, &values, 0, [0.0, 1.0], 100) {
        let expected = column.at * column.at;
        assert!((column.mean - expected).abs() < 1e-4, "{column:?}");
        assert!(
            (column.most - expected - 1.0).abs() < 1e-4 && (column.least - expected + 1.0).abs() < 1e-4,
            "{column:?}"
        );
    }
    let standing: Vec<f64> = positions.chunks(2).flat_map(|x| [x[1], x[0]]).collect();
    assert_eq!(along(&Nodes { positions: &standing, ..nodes }, &small()).unwrap().0, 1);
    assert_eq!(along(&nodes, &Style { kind: Some(Kind::Colours), ..small() }), None);

    let folder = tempfile::tempdir().unwrap();
    let exact: Vec<[f64; 2]> = (0..=100).map(|i| [f64::from(i) / 100.0, 3.0]).collect();
    let reference = Some(Reference { label: "exact", points: &exact });
    write(&folder.path().join("x"), &Scene { reference, ..scene(&nodes, &values) }, &small()).unwrap();
    let image = Read::file(&folder.path().join("x.png"));
    assert_eq!(image.facts["kind"], "lines");
    // The axis has room for what is compared.
    assert!(image.numbers("shown")[1] > 3.0 && image.count(PALETTE[0]) > 50 && image.count(GREY) > 50);
}

#[test]
fn both_formats_say_the_same_inside() {
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([2, 2], [1.0, 1.0], 1);
    let (nodes, values) = (nodes(&positions, 1), at(&positions, |x, _| x));
    let style = Style { formats: vec![Format::Png, Format::Svg], contours: Contours::Count(3), ..small() };
    let scene = Scene { about: "law <a & b>", ..scene(&nodes, &values) };
    write(&folder.path().join("q_0.5"), &scene, &style).unwrap();
    let text = std::fs::read_to_string(folder.path().join("q_0.5.svg")).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let facts = document.descendants().find(|node| node.has_tag_name("desc")).unwrap().text().unwrap();
    assert_eq!(serde_json::from_str::<Value>(facts).unwrap(), Read::file(&folder.path().join("q_0.5.png")).facts);
    let texts: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .map(|node| node.text().unwrap().trim())
        .collect();
    for expected in ["q at t = 0.25", "law <a & b>", "x", "y", "q", "0.5", "max 1", "min 0"] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("image")).count(), 2);
}

#[test]
fn odd_fields_and_domains_are_drawn() {
    let fields =
        [|_: f64, _: f64| 0.0, |_, _| f64::NAN, |_, _| 1e300, |x: f64, _| 1.0 + 1e-16 * x, |x: f64, _| 1e-310 * x];
    let sizes = [[1e-12, 1e-12], [1.0, 1e-3], [1e-3, 1.0], [1e12, 1e3], [1e-300, 1e300]];
    let folder = tempfile::tempdir().unwrap();
    for (field, size) in fields.into_iter().zip(sizes) {
        let positions = rectangle([2, 2], size, 2);
        let (nodes, values) = (nodes(&positions, 2), at(&positions, field));
        for kind in [None, Some(Kind::Colours), Some(Kind::Lines), Some(Kind::Schlieren)] {
            let style = Style { kind, mesh: true, contours: Contours::Count(3), ..small() };
            let scene = Scene { time: f64::INFINITY, ..scene(&nodes, &values) };
            write(&folder.path().join("x"), &scene, &style).unwrap();
        }
    }
    let nothing = nodes(&[], 1);
    write(&folder.path().join("x"), &scene(&nothing, &[]), &small()).unwrap();
}

#[test]
fn missing_folder_is_an_error() {
    let positions = rectangle([1, 1], [1.0, 0.2], 1);
    let (nodes, values) = (nodes(&positions, 1), at(&positions, |x, _| x));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out/x");
    let message = write(&path, &scene(&nodes, &values), &small()).unwrap_err().to_string();
    assert!(message.starts_with("cannot write ") && message.contains("out/x.png: No such file"), "{message}");
}
