//! What users measure of flows with friction: forces, tractions, torques, averages and fluxes, beside exact ones.

use std::collections::BTreeMap;
use std::path::Path;

use tests::solver;

use crate::measure::{assert_close, columns, run};

/// Between two plates, of which the upper moves, the gas drags both with mu V / H per unit of length; pressure acts across them alone.
#[test]
#[ignore = "long"]
fn friction_between_plates_is_the_exact_one() {
    for shape in ["triangles", "quadrilaterals"] {
        let forces = ["bottom", "top"].map(|name| format!("measure.forces.{name}={{ boundaries = ['{name}'] }}"));
        let settings = [&*format!("mesh.elements='{shape}'"), &*forces[0], &*forces[1], "mesh.degree=1"];
        let mut solver = solver(&tests::example("couette.toml", &settings));
        solver.advance(0.05, 10_000).unwrap();
        for (name, drag) in [("bottom", 0.04), ("top", -0.04)] {
            let faces = solver.faces(&[name.to_owned()], [0.0; 2]).unwrap();
            let flux = solver.flux_through(&faces).unwrap();
            let friction = flux.viscous.unwrap();
            println!("{shape}, {name}: {:?}, of it friction {:?}", flux.components, friction.components);
            // The error of the velocity's slope on so few elements.
            for found in [flux.components[1], friction.components[1]] {
                assert!((found - drag).abs() < 1e-4 * drag.abs(), "{shape}, {name}: {found}, expected {drag}");
            }
            assert!(friction.components[2].abs() < 1e-4 * drag.abs(), "{shape}, {name}: {:?}", friction.components);
        }
    }
}

/// Between two plates the traction by friction is mu V / H at every point, the pressure that of the gas, and both are what `forces` adds up.
#[test]
#[ignore = "long"]
fn walls_have_the_exact_traction_between_plates() {
    for shape in ["triangles", "quadrilaterals"] {
        let settings = [
            &*format!("mesh.elements='{shape}'"),
            "mesh.degree=1",
            "measure.walls.plates={ boundaries = ['bottom', 'top'], fields = ['pressure'], reference = { density = 1, velocity = 1, pressure = 70 } }",
        ];
        let folder = tempfile::tempdir().unwrap();
        let rows = measured(&settings, "couette.toml", "time.final=0.05", folder.path(), "wall_plates.csv");
        let last = *rows["time"].last().unwrap();
        for i in (0..rows["s"].len()).filter(|&i| rows["time"][i] == last) {
            // The lower plate is drawn along x, the upper one held back; the way along the boundary is x below and -x above.
            let drag = -0.01 * rows["normal_y"][i];
            assert!((rows["friction_x"][i] - drag).abs() < 2e-6, "{shape}: {}, expected {drag}", rows["friction_x"][i]);
            assert!(rows["friction_y"][i].abs() < 2e-6, "{shape}: {}", rows["friction_y"][i]);
            assert_close(rows["cf"][i], 2.0 * rows["friction_x"][i] * -rows["normal_y"][i], "coefficient of friction");
            let pressure = rows["pressure"][i];
            assert!((rows["cp"][i] - 2.0 * (pressure - 70.0)).abs() < 1e-4, "{shape}: {} of {pressure}", rows["cp"][i]);
        }
    }
}

/// Heat that comes and goes at a wall (G. G. Stokes, Trans. Camb. Philos. Soc. 9 (1851) 8, for a plate that oscillates): u = 1 - x +
/// e^(-kx) cos(ωt - kx) with k² = ω / 2ν has over a period the mean 1 - x and the fluctuation e^(-kx) / √2, wherever it is measured, and
/// as much flows through the wall as its slope says.
#[test]
#[ignore = "long"]
fn an_oscillating_layer_has_its_mean_its_fluctuation_and_its_flux() {
    let (nu, height) = (0.3_f64, 0.5);
    let k = (std::f64::consts::PI / nu).sqrt();
    let text = format!(
        r#"
        law = "advection_diffusion"
        order = 4
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {height}], cells = [5, 2] }}
        parameters = {{ v1 = 0, v2 = 0, nu = {nu} }}
        states.layer.u = "1 - x + exp(-{k}*x) * cos(2*pi*t - {k}*x)"
        boundaries = {{ left.state = "layer", right.state = "layer", bottom = "insulated", top = "insulated" }}
        initial.state = "layer"
        exact.state = "layer"
        time = {{ final = 1, integrator = "carpenter_kennedy" }}
        [measure]
        every = 1.0
        mean.fields = ["u"]
        lines.a = {{ from = [0.0, 0.2], to = [1.0, 0.4], points = 11 }}
        walls.a = {{ boundaries = ["bottom"], fields = ["u"] }}
        planes.a = {{ corner = [0.0, 0.1], edges = [[1.0, 0.0], [0.0, 0.3]], points = [6, 3], fields = ["u"] }}
        fluxes.a.boundaries = ["left"]"#
    );
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    std::fs::write(&case, text).unwrap();
    run(&case, &out, &[]).unwrap();
    let close = |found: f64, expected: f64, what: &str| {
        assert!((found - expected).abs() < 1e-4, "{what}: {found}, expected {expected}");
    };
    for file in ["line_a.csv", "wall_a.csv", "plane_a.csv"] {
        let rows = columns(&out.join(file));
        let at_end: Vec<usize> = (0..rows["x"].len()).filter(|&i| rows["time"][i] == 1.0).collect();
        assert!(at_end.len() > 10, "{file}");
        for i in at_end {
            let x = rows["x"][i];
            close(rows["u"][i], 1.0 - x + (-k * x).exp() * (k * x).cos(), file);
            close(rows["u_mean"][i], 1.0 - x, file);
            close(rows["u_rms"][i], (-k * x).exp() / 2.0_f64.sqrt(), file);
        }
    }
    let leaves = columns(&out.join("flux_a.csv"))["u"].last().copied().unwrap();
    let expected = -nu * (1.0 + k) * height;
    assert!((leaves / expected - 1.0).abs() < 1e-3, "{leaves}, expected {expected}");
}

/// Of a gas between two cylinders whose outer one turns with the velocity V, v = A r + B / r whatever its density is. So it turns the inner
/// one with the torque 4π μ V r₁² r₂ / (r₂² - r₁²) and holds the outer one back with the same, about any point, for the whole force is none
/// (H. Schlichting & K. Gersten, Boundary-Layer Theory, section 5.2.3).
#[test]
#[ignore = "long"]
fn friction_between_cylinders_has_the_exact_torque() {
    let (mu, speed, radii) = (0.05_f64, 0.1, [1.0_f64, 2.0]);
    let torque = 4.0 * std::f64::consts::PI * mu * speed * radii[1] / 3.0;
    for elements in ["triangles", "quadrilaterals"] {
        let found = [32, 64].map(|around| {
            let text = format!(
                r#"
                law = "navier_stokes"
                order = 2
                parameters = {{ mu = {mu}, wall_temperature = 1 }}
                mesh = {{ generator = "cylinder", elements = "{elements}", radii = [1, 2], cells = [{}, {around}], degree = 3 }}
                formulas.turning = "{speed} * 2/3 * (1 - 1 / (x^2 + y^2))"
                states.flow = {{ rho = 1, v1 = "-turning * y", v2 = "turning * x", p = 1 }}
                boundaries = {{ inner = "isothermal_wall", outer.state = "flow" }}
                initial.state = "flow"
                flux.numerical = "hllc"
                time.final = 1
                measure.forces.both.boundaries = ["inner", "outer"]"#,
                around / 8
            );
            let solver = solver(&tests::case(&text));
            [("inner", torque), ("outer", -torque)].map(|(name, expected)| {
                let of = |centre| {
                    let faces = solver.faces(&[name.to_owned()], centre).unwrap();
                    let friction = solver.flux_through(&faces).unwrap().viscous.unwrap();
                    assert!(friction.components[1].abs().max(friction.components[2].abs()) < 1e-10 * torque);
                    friction.moments[0][2] - friction.moments[1][1]
                };
                let (about_centre, elsewhere) = (of([0.0; 2]), of([3.0, -2.0]));
                assert_close(elsewhere, about_centre, name);
                (about_centre / expected - 1.0).abs()
            })
        });
        println!("{elements}: {found:.2?}");
        for wall in 0..2 {
            let (coarse, fine) = (found[0][wall], found[1][wall]);
            // The slope of a polynomial of degree 2 has the order 2.
            assert!(fine < 2.5e-3 && (coarse / fine).log2() > 1.6, "{elements}, wall {wall}: {coarse:e}, {fine:e}");
        }
    }
}

/// Rows of a file that a case of `equations/cases` measures.
fn measured(settings: &[&str], case: &str, until: &str, folder: &Path, file: &str) -> BTreeMap<String, Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../equations/cases").join(case);
    let flags: Vec<&str> = settings.iter().chain([&until]).flat_map(|&setting| ["--set", setting]).collect();
    run(&path, &folder.join("out"), &flags).unwrap();
    columns(&folder.join("out").join(file))
}

/// On straight and on curved sides, of one shape or of two and of several degrees, the integral of the flux at points is the flux.
#[test]
#[ignore = "long"]
fn the_flux_at_points_adds_up_to_the_flux() {
    let cylinder = [
        "mesh.cells=[4, 12]",
        "mesh.radii=[0.5, 3.0]",
        "mesh.layers=1",
        "mesh.elements='triangles'",
        "orders={ quadrilaterals = 4 }",
    ];
    let bump = ["order=2", "mesh.cells=[6, 2]", "mesh.degree=2", "measure.walls.a.boundaries=['floor', 'bump']"];
    for (name, settings, boundaries) in
        [("cylinder_40.toml", &cylinder[..], &["inner"][..]), ("subsonic_bump.toml", &bump, &["floor", "bump"])]
    {
        let case = tests::example(name, settings);
        let mut solver = solver(&case);
        solver.advance(f64::INFINITY, 5).unwrap();
        let boundaries: Vec<String> = boundaries.iter().map(|&name| name.to_owned()).collect();
        let whole = solver.flux_through(&solver.faces(&boundaries, [0.0; 2]).unwrap()).unwrap();
        let wall = solver.wall(&boundaries).unwrap();
        let faces = solver.numbered_faces(&wall.faces, [0.0; 2]).unwrap();
        let flux = solver.flux_at_points(&faces).unwrap();
        let components = whole.components.len();
        assert_eq!(flux.whole.len(), wall.lengths.len() * components);
        for (point, normal) in faces.points.iter().zip(&wall.normals) {
            let along = point.normal[0] * normal[0] + point.normal[1] * normal[1];
            assert!(along > 0.99, "{name}: points of faces and of the wall are the same, in the same order");
        }
        let viscous = whole.viscous.map_or_else(|| vec![0.0; components], |viscous| viscous.components);
        for (values, sums) in [(&flux.whole, &whole.components), (&flux.viscous, &viscous)] {
            for (c, sum) in sums.iter().enumerate() {
                let terms = faces.points.iter().enumerate().map(|(i, point)| point.weight * values[i * components + c]);
                let (total, size) =
                    terms.fold((0.0, 0.0), |(total, size), term: f64| (total + term, size + term.abs()));
                assert!((total - sum).abs() <= 1e-14 * size, "{name}, component {c}: {total}, expected {sum}");
                assert!(size > 0.0 || *sum == 0.0, "{name}, component {c}");
            }
        }
    }
}
