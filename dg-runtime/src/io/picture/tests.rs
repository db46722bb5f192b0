use serde_json::Value;

use super::*;
use crate::law::Shape;

/// The output nodes of a triangulated rectangle.
fn rectangle(cells: [usize; 2], size: [f64; 2], degree: usize) -> Vec<f64> {
    let mut positions = Vec::new();
    for n in 0..cells[0] * cells[1] {
        let (i, j) = ((n % cells[0]) as f64, (n / cells[0]) as f64);
        for [a, b, c] in [[[0., 0.], [1., 0.], [0., 1.]], [[1., 1.], [0., 1.], [1., 0.]]] {
            for node in Shape::Triangle.lattice(degree) {
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
    Nodes::uniform(Shape::Triangle, degree, 2, positions)
}

fn scene<'a>(nodes: &'a Nodes<'a>, values: &'a [f64]) -> Scene<'a> {
    Scene {
        nodes,
        name: "q",
        values,
        time: 0.25,
        about: "law, case",
        reference: None,
        series: None,
        scale: Scale::default(),
    }
}

/// The content of a PNG.
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

/// A small picture, for speed.
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
    // Without a node, and with nodes inside that have neither the least nor the largest value: cells are 0.25 wide.
    for (region, expected) in [([[0.51, 0.26], [0.52, 0.27]], [0.77, 0.79]), ([[0.4, 0.2], [0.6, 0.4]], [0.6, 1.0])] {
        let style = Style { region: Some(region), size: [400 + field::AROUND[0], 800], ..small() };
        let range = drawn([2.0, 1.0], 1, &style, |x, y| x + y).numbers("range");
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(close(range[0], expected[0]) && close(range[1], expected[1]), "{range:?}, not {expected:?}");
    }
}

#[test]
fn the_range_of_a_region_is_that_of_its_pixels() {
    // Steep and wavy, between few nodes, and a region that is thinner than a picture can be.
    let f = |x: f64, y: f64| (5.0 * x).sin() * (4.0 * y + 1.0);
    for region in [[[0.3, 0.2], [1.1, 0.7]], [[0.9, 0.4], [1.6, 0.41]]] {
        let grey = Style { colours: Some(Colours::Grey), region: Some(region), ..small() };
        let own = drawn([2.0, 1.0], 2, &grey, f);
        // The colours of a far wider range reveal the values of the pixels.
        let wide = [-10.0, 10.0];
        let style = Style { range: Range::Given(wide), ..grey };
        let image = drawn([2.0, 1.0], 2, &style, f);
        let [low, high] = [0, 1].map(|end| own.numbers("range")[end]);
        let [darkest, lightest] = [high, low].map(|value| Colours::Grey.at((value - wide[0]) / (wide[1] - wide[0]))[0]);
        let width = image.width - field::AROUND[0];
        let height = image.pixels.len() / 3 / image.width - field::AROUND[1];
        let inside = (2..width - 2).flat_map(|x| (2..height - 2).map(move |y| [CORNER[0] + x, CORNER[1] + y]));
        let found: Vec<u8> = inside.map(|pixel| image.pixel(pixel)[0]).collect();
        let (least, most) = (*found.iter().min().unwrap(), *found.iter().max().unwrap());
        assert!(least.abs_diff(darkest) <= 2 && most.abs_diff(lightest) <= 2, "{least} {darkest} {most} {lightest}");
    }
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

/// Draws triangles, and returns the picture.
fn drawn_mesh(
    positions: &[f64],
    quality: &[f64],
    boundaries: &[mesh::Outline],
    format: Format,
) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let nodes = nodes(positions, 1);
    let (measure, title, about, region) = ("quality", "mesh", "", None);
    let elements = mesh::Elements { nodes: &nodes, quality, measure, boundaries, title, about, region };
    mesh::write(file.path(), format, &elements).unwrap();
    file
}

#[test]
fn a_mesh_has_the_colours_of_its_quality_and_of_its_boundaries() {
    let positions = rectangle([2, 1], [2.0, 1.0], 1);
    let outline = |name: &str, face: [[f64; 2]; 2]| mesh::Outline { name: name.to_owned(), faces: vec![face] };
    let boundaries =
        [outline("floor\u{1b}[31m", [[0.0, 0.0], [2.0, 0.0]]), outline("left <&>", [[0.0, 0.0], [0.0, 1.0]])];
    let quality = [1.0, 0.5, 0.0, 0.25];
    let image = Read::file(drawn_mesh(&positions, &quality, &boundaries, Format::Png).path());
    let side = (image.width - field::AROUND[0]) as f64 / 2.0;
    let pixel =
        |[x, y]: [f64; 2]| image.pixel([CORNER[0] + (x * side) as usize, CORNER[1] + ((1.0 - y) * side) as usize]);
    for (corners, quality) in positions.chunks_exact(6).zip(quality) {
        let centre = [0, 1].map(|d| (corners[d] + corners[2 + d] + corners[4 + d]) / 3.0);
        let expected = colours::Shades::of_quality().at(quality);
        assert!(close(pixel(centre), expected), "{quality}: {:?}, not {expected:?}", pixel(centre));
    }
    assert!(close(pixel([0.7, 0.0]), PALETTE[0]) && close(pixel([0.0, 0.4]), PALETTE[1]));
    assert_eq!(image.numbers("range"), [0.0, 1.0]);
    let svg = std::fs::read_to_string(drawn_mesh(&positions, &quality, &boundaries, Format::Svg).path()).unwrap();
    assert!(svg.contains("left &lt;&amp;&gt;") && svg.contains("floor␛[31m"));
    assert!(svg.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn sides_paint_no_mesh_over_however_fine_it_is() {
    for cells in [10, 60, 80, 100, 140, 200] {
        let positions = rectangle([cells; 2], [1.0; 2], 1);
        let quality = vec![1.0; positions.len() / 6];
        let image = Read::file(drawn_mesh(&positions, &quality, &[], Format::Png).path());
        let bright = |pixel: [u8; 3]| pixel.map(f64::from).iter().sum::<f64>();
        let side = image.width - field::AROUND[0];
        let places = (2..side - 2).flat_map(|x| (2..side - 2).map(move |y| [CORNER[0] + x, CORNER[1] + y]));
        let mean = places.map(|place| bright(image.pixel(place))).sum::<f64>() / (side - 4).pow(2) as f64;
        let part = mean / bright(colours::Shades::of_quality().at(1.0));
        assert!((0.8..=1.0).contains(&part), "{cells}: {part}");
    }
}

#[test]
fn a_picture_of_quadrilaterals_has_their_sides_and_no_diagonals() {
    let positions = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 2.0, 0.0, 2.0, 1.0, 1.0, 1.0];
    let nodes = Nodes::uniform(Shape::Quadrilateral, 1, 2, &positions);
    let folder = tempfile::tempdir().unwrap();
    let style = Style { mesh: true, kind: Some(Kind::Colours), size: [400 + field::AROUND[0], 800], ..small() };
    write(&folder.path().join("x"), &scene(&nodes, &[0.0; 8]), &style).unwrap();
    let image = Read::file(&folder.path().join("x.png"));
    let row: Vec<[u8; 3]> = (1..399).map(|column| image.pixel([CORNER[0] + column, CORNER[1] + 60])).collect();
    let lines: Vec<usize> = (1..397).filter(|&i| !close(row[i], row[20])).collect();
    assert!(!lines.is_empty() && lines.iter().all(|i| i.abs_diff(199) <= 2), "{lines:?}");
}

#[test]
fn schlieren_are_dark_where_a_field_jumps() {
    let style = Style { kind: Some(Kind::Schlieren), size: [450 + field::AROUND[0], 800], ..small() };
    // Constant on each side of x = 1, a line of the mesh: the jump is between elements.
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([8, 4], [2.0, 1.0], 1);
    let values: Vec<f64> = positions.chunks(6).flat_map(|e| [f64::from((e[0] + e[2] + e[4]) / 3.0 > 1.0); 3]).collect();
    let nodes = nodes(&positions, 1);
    write(&folder.path().join("x"), &scene(&nodes, &values), &style).unwrap();
    let image = Read::file(&folder.path().join("x.png"));
    let grey = |column: usize| image.pixel([CORNER[0] + column, CORNER[1] + 100])[0];
    assert!(grey(225) < 60 && grey(50) > 240 && grey(400) > 240, "{} {} {}", grey(225), grey(50), grey(400));
    // A jump by 1, spread over two cells of 1/4, whatever the degree of the nodes.
    let steepest = image.numbers("range")[1];
    assert!((1.0..4.0 + 1e-9).contains(&steepest), "{steepest}");
}

#[test]
fn schlieren_are_made_of_the_gradient_of_the_polynomial() {
    // Polynomials of the nodes' degree, on elements without right angles.
    for degree in 1..=7 {
        let power = degree as i32;
        let positions: Vec<f64> = rectangle([3, 2], [1.0, 0.8], degree)
            .chunks(2)
            .flat_map(|x| [x[0] + 0.3 * x[1], x[1] - 0.2 * x[0]])
            .collect();
        let values = at(&positions, |x, y| (1.0 + x - 2.0 * y).powi(power));
        let steepness = schlieren::steepness(&nodes(&positions, degree), &values);
        for (position, found) in positions.chunks(2).zip(steepness) {
            let base = 1.0 + position[0] - 2.0 * position[1];
            let expected = 5.0_f64.sqrt() * f64::from(power) * base.powi(power - 1).abs();
            assert!((found - expected).abs() < 1e-9 * 3.0_f64.powi(power), "{degree}: {found}, not {expected}");
        }
    }
    // The facts of the picture agree.
    let style = Style { kind: Some(Kind::Schlieren), ..small() };
    let range = drawn([2.0, 1.0], 2, &style, |x, y| x * x + 3.0 * y).numbers("range");
    assert!((range[0] - 3.0).abs() < 1e-12 && (range[1] - 5.0).abs() < 1e-12, "{range:?}");
    let style = Style { region: Some([[0.0, 0.0], [1.0, 1.0]]), ..style };
    let range = drawn([2.0, 1.0], 2, &style, |x, _| x * x).numbers("range");
    assert!((range[1] - 2.0).abs() < 0.05, "that of the region: {range:?}");
}

#[test]
fn a_field_of_rounding_has_one_colour_and_is_called_constant() {
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([8, 4], [2.0, 1.0], 2);
    let nodes = nodes(&positions, 2);
    let noise = |size: f64| at(&positions, move |x, y| size * (1e3 * x + 77.0 * y).sin());
    let read = |values: &[f64], style: &Style, scale: Scale| {
        let (formats, size) = (vec![Format::Png, Format::Svg], [450 + field::AROUND[0], 800]);
        let style = Style { formats, size, contours: Contours::Count(4), ..style.clone() };
        write(&folder.path().join("x"), &Scene { scale, ..scene(&nodes, values) }, &style).unwrap();
        let text = std::fs::read_to_string(folder.path().join("x.svg")).unwrap();
        (Read::file(&folder.path().join("x.png")), text)
    };
    let colours = |image: &Read| {
        let (width, height) = (image.width - field::AROUND[0], image.pixels.len() / 3 / image.width - field::AROUND[1]);
        let inside = (2..width - 2).flat_map(|x| (2..height - 2).map(move |y| [CORNER[0] + x, CORNER[1] + y]));
        inside.map(|pixel| image.pixel(pixel)).collect::<std::collections::BTreeSet<_>>().len()
    };
    let scale = Scale { size: 400.0, rounding: 4e-10 };
    for kind in [Kind::Colours, Kind::Schlieren] {
        let style = Style { kind: Some(kind), ..small() };
        let (image, text) = read(&noise(1e-13), &style, scale);
        assert_eq!(colours(&image), 1, "{kind:?}");
        assert!(
            text.contains("constant: 0\n") && !text.contains("\nmax ") && !text.contains("; max"),
            "{kind:?}: {text}"
        );
        // Numbers above rounding are shown, and so is any field with a range in the case.
        let (image, text) = read(&noise(1e-9), &style, scale);
        assert!(colours(&image) > 50 && !text.contains("constant"), "{kind:?}");
    }
    let style = Style { range: Range::Given([-1e-13, 1e-13]), ..small() };
    assert!(colours(&read(&noise(1e-13), &style, scale).0) > 50);
    let style = Style { kind: Some(Kind::Lines), ..small() };
    let (image, text) = read(&noise(1e-13), &style, scale);
    assert!(image.numbers("shown")[1] > 200.0 && text.contains("law, case; constant: 0\n"), "{text}");
}

#[test]
fn text_stays_inside_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let positions = rectangle([2, 2], [1.0, 1.0], 1);
    let nodes = nodes(&positions, 1);
    // Numbers with many digits, and a law, a case and a field with long names.
    let values = at(&positions, |x, _| -1.234e-101 * (1.0 + 3e-9 * x));
    let (about, name) = ("a_law_with_a_name, ".repeat(9), "a_field_with_quite_a_long_name");
    for kind in [Kind::Colours, Kind::Lines, Kind::Schlieren] {
        let style = Style { kind: Some(kind), mesh: true, ..small() };
        write(&folder.path().join("x"), &Scene { about: &about, name, ..scene(&nodes, &values) }, &style).unwrap();
        let image = Read::file(&folder.path().join("x.png"));
        let height = image.pixels.len() / 3 / image.width;
        let edge = (0..height).flat_map(|y| [[0, y], [1, y], [image.width - 2, y], [image.width - 1, y]]);
        for pixel in edge {
            assert_eq!(image.pixel(pixel), [255; 3], "{kind:?} {pixel:?}");
        }
        for x in 0..image.width {
            assert!(image.pixel([x, 0]) == [255; 3] && image.pixel([x, height - 1]) == [255; 3], "{kind:?} {x}");
        }
    }
}

#[test]
fn lines_are_those_of_the_region() {
    // On a square, q = y at the left and more to the right: the mean over the region is the value in its middle.
    let positions = rectangle([8, 8], [1.0, 1.0], 2);
    let nodes = nodes(&positions, 2);
    let values = at(&positions, |x, y| y + 10.0 * x);
    let style =
        |lower: [f64; 2], upper: [f64; 2]| Style { kind: Some(Kind::Lines), region: Some([lower, upper]), ..small() };
    let lines = |style: &Style| {
        let strip = strip(&nodes, style).unwrap();
        (strip, profile::profile(&nodes, &values, &strip, 50))
    };
    let (found, columns) = lines(&style([0.1, 0.3], [0.9, 0.41]));
    assert_eq!(found, Strip { axis: 0, along: [0.1, 0.9], across: [0.3, 0.41] });
    for column in columns {
        let [mean, least, most] = [0.355, 0.3, 0.41].map(|y| y + 10.0 * column.at);
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(close(column.mean, mean) && close(column.least, least) && close(column.most, most), "{column:?}");
    }
    // Along the longer side of the part shown, which ends with the domain.
    let (found, columns) = lines(&style([0.3, 0.0], [0.4, 5.0]));
    assert_eq!(found, Strip { axis: 1, along: [0.0, 5.0], across: [0.3, 0.4] });
    assert!((columns[5].mean - columns[5].at - 3.5).abs() < 1e-12 && columns[40].mean.is_nan());
    let (found, _) = lines(&style([0.3, -5.0], [0.4, 5.0]));
    assert_eq!(found.axis, 1);
    assert_eq!(seen(&nodes, &values, &style([0.1, 0.3], [0.9, 0.41])).map(|range| range.map(|x| (x * 1e6).round())), {
        Some([1.3e6, 9.41e6])
    });
    // A domain that is a strip is drawn along its axis, whatever part is shown.
    let tube = rectangle([40, 2], [1.0, 0.05], 1);
    let tube = Nodes::uniform(Shape::Triangle, 1, 2, &tube);
    let part = Style { kind: None, ..style([0.5, 0.0], [0.51, 0.05]) };
    assert_eq!(strip(&tube, &part), Some(Strip { axis: 0, along: [0.5, 0.51], across: [0.0, 0.05] }));
}

#[test]
fn a_strip_is_drawn_as_lines_of_its_mean() {
    let positions = rectangle([40, 2], [1.0, 0.05], 2);
    let square = rectangle([4, 4], [1.0, 1.0], 1);
    assert_eq!(strip(&nodes(&square, 1), &small()), None);
    let nodes = nodes(&positions, 2);
    let whole = Strip { axis: 0, along: [0.0, 1.0], across: [0.0, 0.05] };
    assert_eq!(strip(&nodes, &small()), Some(whole));
    // x² is not linear on an element: nodes are exact, and between them the error is a chord's height.
    let values = at(&positions, |x, y| x * x + 40.0 * (y - 0.025));
    for column in profile::profile(&nodes, &values, &whole, 100) {
        let expected = column.at * column.at;
        assert!((column.mean - expected).abs() < 1e-4, "{column:?}");
        assert!(
            (column.most - expected - 1.0).abs() < 1e-4 && (column.least - expected + 1.0).abs() < 1e-4,
            "{column:?}"
        );
    }
    let standing: Vec<f64> = positions.chunks(2).flat_map(|x| [x[1], x[0]]).collect();
    assert_eq!(strip(&Nodes::uniform(Shape::Triangle, nodes.degree, 2, &standing), &small()).unwrap().axis, 1);
    assert_eq!(strip(&nodes, &Style { kind: Some(Kind::Colours), ..small() }), None);

    let folder = tempfile::tempdir().unwrap();
    let exact: Vec<[f64; 2]> = (0..=100).map(|i| [f64::from(i) / 100.0, 3.0]).collect();
    let reference = Some(Reference { label: "exact", points: &exact });
    write(&folder.path().join("x"), &Scene { reference, ..scene(&nodes, &values) }, &small()).unwrap();
    let image = Read::file(&folder.path().join("x.png"));
    assert_eq!(image.facts["kind"], "lines");
    // The axis includes the reference.
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
