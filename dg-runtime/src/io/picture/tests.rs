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

struct Decoded {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Decoded {
    fn read(path: &Path) -> Self {
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        Self { width: info.width as usize, height: info.height as usize, pixels }
    }

    fn pixel(&self, x: usize, y: usize) -> [i32; 3] {
        let start = 3 * (y * self.width + x);
        [0, 1, 2].map(|c| self.pixels[start + c].into())
    }
}

fn close(found: [i32; 3], expected: Colour) -> bool {
    // One step of viridis' 256 changes no channel by more than 3, and a pixel is the mean of four samples.
    found.iter().zip(expected).all(|(&a, b)| (a - i32::from(b)).abs() <= 4)
}

#[test]
fn linear_field_has_the_colours_of_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.png");
    let f = |x: f64, y: f64| 3.0 + x + 2.0 * y;
    for degree in [1, 2, 7] {
        let positions = rectangle([3, 2], [2.0, 1.0], degree);
        write(&path, &nodes(&positions, degree), "linear", &at(&positions, f), 0.0).unwrap();
        let image = Decoded::read(&path);
        // 900 pixels for a width of 2: 450 for a height of 1.
        assert_eq!((image.width, image.height), (WIDTH, TOP + 450 + BOTTOM));
        for column in (0..900).step_by(37) {
            for row in (0..450).step_by(23) {
                let [x, y] = [(column as f64 + 0.5) / 450.0, 1.0 - (row as f64 + 0.5) / 450.0];
                let expected = VIRIDIS.eval_continuous((f(x, y) - 3.0) / 4.0).into_array();
                let found = image.pixel(LEFT + column, TOP + row);
                assert!(close(found, expected), "degree {degree}, ({x}, {y}): {found:?}, not {expected:?}");
            }
        }
        // The ends of the colour bar.
        let bar = LEFT + 900 + BAR_GAP + BAR_WIDTH / 2;
        assert!(close(image.pixel(bar, TOP), VIRIDIS.eval_continuous(1.0).into_array()));
        assert!(close(image.pixel(bar, TOP + 449), VIRIDIS.eval_continuous(0.0).into_array()));
        assert_eq!(image.pixel(3, 3), [255; 3]);
    }
}

#[test]
fn not_finite_values_are_magenta_and_leave_the_range_alone() {
    let positions = rectangle([4, 1], [4.0, 1.0], 1);
    for bad in [f64::NAN, f64::INFINITY, f64::MIN] {
        let values = at(&positions, |x, _| if x > 2.5 { bad } else { x });
        let range = Range::of(&values);
        assert_eq!(range.found, Some([0.0, 2.0]));
        let canvas = draw(&nodes(&positions, 1), "u", &values, 0.0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.png");
        atomic::write(&path, |file| canvas.encode(file)).unwrap();
        let image = Decoded::read(&path);
        assert_eq!(image.pixel(LEFT + 850, TOP + 100), NOT_FINITE.map(i32::from));
        assert!(close(image.pixel(LEFT + 1, TOP + 100), VIRIDIS.eval_continuous(0.0).into_array()));
    }
}

#[test]
fn odd_fields_and_domains_are_drawn() {
    let fields =
        [|_: f64, _: f64| 0.0, |_, _| f64::NAN, |_, _| 1e300, |x: f64, _| 1.0 + 1e-16 * x, |x: f64, _| 1e-310 * x];
    let sizes = [[1e-12, 1e-12], [1.0, 1e-3], [1e-3, 1.0], [1e12, 1e3], [1e-300, 1e300]];
    for (field, size) in fields.into_iter().zip(sizes) {
        let positions = rectangle([2, 2], size, 2);
        let canvas = draw(&nodes(&positions, 2), "u", &at(&positions, field), f64::INFINITY);
        assert!(canvas.encode(&mut Vec::new()).is_ok());
    }
    draw(&nodes(&[], 1), "nothing", &[], 0.0);
}

#[test]
fn missing_folder_is_an_error() {
    let positions = rectangle([1, 1], [1.0, 0.2], 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out/x.png");
    let message = write(&path, &nodes(&positions, 1), "u", &at(&positions, |x, _| x), 0.0).unwrap_err().to_string();
    assert!(message.starts_with("cannot write ") && message.contains("out/x.png: No such file"), "{message}");
}
