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

/// Gauss's quadrature of the unit square with nine points, exact for polynomials of degree 5 in x and in y.
fn integral(f: impl Fn([f64; 2]) -> f64) -> f64 {
    let way = 0.15_f64.sqrt();
    let rule = [(0.5 - way, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + way, 5.0 / 18.0)];
    rule.iter().flat_map(|(x, w)| rule.iter().map(|(y, v)| w * v * f([*x, *y])).collect::<Vec<_>>()).sum()
}

/// Quadratic polynomials are polynomials of twice the degree of the map in reference coordinates: of an order as high their gradient is exact.
fn assert_gradient_is_exact(order: usize, mesh: &str, precision: &str) {
    let spin = integral(|x| vorticity(x)[1]);
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
        let extreme = |pick: fn(f64, f64) -> f64| nodes.iter().map(|node| vorticity(*node)[0]).reduce(pick).unwrap();
        close(ranges[1].least.value, extreme(f64::min), "least");
        close(ranges[1].largest.value, extreme(f64::max), "largest");
    }
}

#[test]
fn gradients_are_exact_on_triangles() {
    assert_gradient_is_exact(2, "jitter = 0.2", "double");
}

#[test]
#[ignore = "long"]
fn gradients_are_exact_on_elements_of_all_kinds() {
    for (order, mesh, precision) in [
        (2, "jitter = 0.2", "single"),
        (2, "jitter = 0.2, elements = \"quadrilaterals\"", "double"),
        (2, "jitter = 0.2, layers = 2", "double"),
        (4, "degree = 2, curvature = 0.05", "double"),
    ] {
        assert_gradient_is_exact(order, mesh, precision);
    }
}

/// The divergence of a linear magnetic field is that in files and pictures. Receivers keep the state alone, and have no column for it;
/// polynomials of degree 0 have no gradient.
#[test]
#[ignore = "long"]
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
