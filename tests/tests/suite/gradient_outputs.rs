//! Outputs of the gradient: fields of files and pictures, and quantities that are measured.

use std::ffi::OsString;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use tests::solver_on;
use tests::vtu::Vtu;

/// A gas whose density and momentum are quadratic, with everything that measures the vorticity.
fn quadratic(order: usize, mesh: &str, precision: &str) -> Case {
    tests::case(&format!(
        r#"
        law = "navier_stokes"
        order = {order}
        precision = "{precision}"
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4], {mesh} }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.formulas = {{ rho = "1 + 0.3*x - 0.2*x*y", m1 = "x*y - 0.5*y^2", m2 = "0.4*x^2 + y", rho_e = 9 }}
        time.final = 1
        [measure.formulas]
        spin = "rho^2*vorticity"
        [measure.regions.all]
        fields = ["spin", "vorticity"]
        "#
    ))
}

/// ∂(m₂/ρ)/∂x − ∂(m₁/ρ)/∂y of it, and this times ρ².
fn vorticity([x, y]: [f64; 2]) -> [f64; 2] {
    let (rho, m1, m2) = (1.0 + 0.3 * x - 0.2 * x * y, x * y - 0.5 * y * y, 0.4 * x * x + y);
    let spin = 0.8 * x * rho - m2 * (0.3 - 0.2 * y) - (x - y) * rho + m1 * (-0.2 * x);
    [spin / (rho * rho), spin]
}

/// Quadratic polynomials are polynomials of twice the degree of the map in reference coordinates: their gradient is exact.
#[test]
fn gradients_of_quadratic_fields_are_exact_on_elements_of_all_kinds() {
    // The integral of the spin, by hand from its terms in x and y.
    let integral = |f: &dyn Fn([f64; 2]) -> f64| {
        let (nodes, weights) =
            ([0.5 - 0.15_f64.sqrt(), 0.5, 0.5 + 0.15_f64.sqrt()], [5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0]);
        let pairs = (0..9).map(|i| (i / 3, i % 3));
        pairs.map(|(i, j)| weights[i] * weights[j] * f([nodes[i], nodes[j]])).sum::<f64>()
    };
    let spin = integral(&|x| vorticity(x)[1]);
    let meshes = [
        (2, "jitter = 0.2", "double"),
        (2, "jitter = 0.2", "single"),
        (2, "jitter = 0.2, elements = \"quadrilaterals\"", "double"),
        (2, "jitter = 0.2, layers = 2", "double"),
        (4, "degree = 2, curvature = 0.05", "double"),
    ];
    for (order, mesh, precision) in meshes {
        let choices = [Choice::Cpu, Choice::Cuda(None)].into_iter().filter(|&choice| tests::open(choice).is_ok());
        for choice in choices {
            let tolerance = if precision == "double" { 1e-11 } else { 1e-3 };
            let solver = solver_on(choice, &quadratic(order, mesh, precision));
            let close = |found: f64, expected: f64, what: &str| {
                assert!((found - expected).abs() < tolerance, "{mesh}, {precision}, {what}: {found}, not {expected}");
            };
            let (mesh, samples) = (solver.mesh(), solver.samples().unwrap());
            let of_element = |element: usize| {
                let nodes = &solver.unit_of(element).reference().operators.sample_points;
                nodes.iter().map(move |node| mesh.position(element, node)).collect::<Vec<_>>()
            };
            let nodes: Vec<[f64; 2]> = (0..mesh.element_count()).flat_map(of_element).collect();
            for (found, node) in samples.field("vorticity").unwrap().iter().zip(&nodes) {
                close(*found, vorticity(*node)[0], "at nodes");
            }
            let points = [[0.21, 0.37], [0.5, 0.5], [0.93, 0.08]];
            let at_points = solver.quantities_at(&solver.points(&points, |i| i.to_string()).unwrap()).unwrap();
            for (i, point) in points.into_iter().enumerate() {
                close(at_points[0][i], vorticity(point)[1], "at points");
                close(at_points[1][i], vorticity(point)[0], "at points");
            }
            let ranges = solver.quantities_in(&solver.region(&[]).unwrap()).unwrap();
            close(ranges[0].integral, spin, "integral");
            let extreme =
                |pick: fn(f64, f64) -> f64| nodes.iter().map(|node| vorticity(*node)[0]).reduce(pick).unwrap();
            close(ranges[1].least.value, extreme(f64::min), "least");
            close(ranges[1].largest.value, extreme(f64::max), "largest");
        }
    }
}

/// The divergence of a linear magnetic field is that in files and pictures. Receivers keep the state alone, and have no column for it;
/// polynomials of degree 0 have no gradient.
#[test]
fn files_have_what_is_of_the_gradient_and_receivers_have_not() {
    let folder = tempfile::tempdir().unwrap();
    for (order, expected) in [(1, 0.3), (0, f64::NAN)] {
        let text = format!(
            r#"
            law = "mhd"
            order = {order}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [3, 3] }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.formulas = {{ rho = 1, v1 = 0, v2 = 0, v3 = 0, p = 1, b1 = "0.1*x", b2 = "0.2*y", b3 = 0, psi = 0 }}
            time.final = 1e-6
            output = {{ directory = "out{order}", pictures = ["divergence"] }}
            receivers = {{ every = 1e-7, points.middle = [0.4, 0.4] }}"#
        );
        let case = folder.path().join("case.toml");
        std::fs::write(&case, text).unwrap();
        let arguments = ["rankine".as_ref(), "run".as_ref(), case.as_os_str()];
        dg_runtime::cli::run(&arguments.map(OsString::from), equations::LAWS).unwrap();
        let out = folder.path().join(format!("out{order}"));
        let vtu = Vtu::read(&out.join("solution_0000.vtu"));
        for found in &vtu.fields["divergence"].1 {
            assert!((found - expected).abs() < 1e-13 || found.is_nan() && order == 0, "order {order}: {found}");
        }
        assert!(out.join("divergence_0000.png").exists());
        let signal = std::fs::read_to_string(out.join("receiver_middle.csv")).unwrap();
        let columns = signal.lines().find(|line| line.contains("rho")).unwrap();
        assert!(columns.contains("magnetic_pressure") && !columns.contains("divergence"), "{columns}");
    }
}
