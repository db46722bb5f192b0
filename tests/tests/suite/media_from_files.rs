//! Media by groups of a mesh's file, and from files of values.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::solver::Solver;
use tests::solution;

use crate::media::{case, parsed, pulse};

/// A mesh of the channel of [`pulse`] as Gmsh writes it, with the groups `left` and `right` of x = 0; `groups` has the numbers of the
/// groups of both surfaces, 0 for none.
fn channel(groups: [&[usize]; 2], folder: &Path) -> String {
    let (nx, ny) = (64, 4);
    let node = |i: usize, j: usize| 1 + i * (ny + 1) + j;
    let nodes = (0..=nx).flat_map(|i| (0..=ny).map(move |j| (i, j)));
    let nodes = nodes.map(|(i, j)| {
        format!("{} {} {} 0\n", node(i, j), -2.0 + 4.0 * i as f64 / nx as f64, 0.25 * j as f64 / ny as f64)
    });
    let mut elements = Vec::new();
    for j in 0..ny {
        elements.push(format!("1 2 1 1 {} {}", node(0, j), node(0, j + 1)));
        elements.push(format!("1 2 2 2 {} {}", node(nx, j), node(nx, j + 1)));
    }
    for i in 0..nx {
        elements.push(format!("1 2 3 3 {} {}", node(i, 0), node(i + 1, 0)));
        elements.push(format!("1 2 4 4 {} {}", node(i, ny), node(i + 1, ny)));
    }
    for (i, j) in (0..nx).flat_map(|i| (0..ny).map(move |j| (i, j))) {
        let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
        let side = usize::from(i >= nx / 2);
        for corners in [[a, b, c], [a, c, d]] {
            let [x, y, z] = corners;
            // An element of several groups is listed for each.
            elements.extend(groups[side].iter().map(|group| format!("2 2 {group} {} {x} {y} {z}", 5 + side)));
        }
    }
    let elements: Vec<String> = elements.iter().enumerate().map(|(i, line)| format!("{} {line}\n", i + 1)).collect();
    let names = "1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n1 4 \"top\"\n2 5 \"light\"\n2 6 \"heavy\"\n";
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n{names}$EndPhysicalNames\n$Nodes\n{}\n{}$EndNodes\n\
         $Elements\n{}\n{}$EndElements\n",
        (nx + 1) * (ny + 1),
        nodes.collect::<String>(),
        elements.len(),
        elements.concat()
    );
    let path = folder.join("channel.msh");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A pulse in the mesh of a file, with this medium.
fn pulse_in(file: &str, order: usize, time: &str, medium: &str) -> Case {
    case(&format!(
        r#"
        law = "acoustics"
        order = {order}
        flux.numerical = "godunov"
        initial.function = "transmission"
        mesh = {{ file = "{file}" }}
        boundaries = {{ left.state = "transmission", right.state = "transmission", bottom.periodic = "top" }}
        time = {{ final = 0.4, {time} }}
        {medium}"#
    ))
}

const LIGHT_AND_HEAVY: &str =
    "medium.groups = { light = { rho = 1, bulk = 1 }, heavy = { rho = \"4 * bulk_left\", bulk = \"1\" } }";

#[test]
#[ignore = "long"]
fn groups_give_the_medium_that_a_function_gives() {
    let folder = tempfile::tempdir().unwrap();
    let file = channel([&[5], &[6]], folder.path());
    for (order, time) in [(0, ""), (2, ""), (2, "integrator = \"ader\"")] {
        let of = |medium: &str| {
            let solver = solution(&pulse_in(&file, order, time, medium));
            let sample = solver.samples().unwrap().field("rho").unwrap();
            (tests::bits(&solver), sample)
        };
        let (by_function, by_groups) = (of(""), of(LIGHT_AND_HEAVY));
        assert_eq!(by_function, by_groups, "order {order}, {time}");
        let rho = by_groups.1;
        let heavy = rho.iter().filter(|rho| (*rho - 4.0).abs() < 1e-13).count();
        let light = rho.iter().filter(|rho| (*rho - 1.0).abs() < 1e-13).count();
        assert!(2 * heavy == rho.len() && 2 * light == rho.len(), "{light} {heavy} of {}", rho.len());
    }
}

/// Groups may change with time, too.
#[test]
#[ignore = "long"]
fn groups_that_change_are_the_medium_that_formulas_give() {
    let folder = tempfile::tempdir().unwrap();
    let file = channel([&[5], &[6]], folder.path());
    for integrator in ["carpenter_kennedy", "ader"] {
        let [by_groups, by_formulas] = [
            r#"medium.groups = { light = { rho = "1 + t", bulk = 1 }, heavy = { rho = 4, bulk = "1 - t" } }"#,
            r#"medium.formulas = { rho = "if(x < 0, 1 + t, 4)", bulk = "if(x < 0, 1, 1 - t)" }"#,
        ]
        .map(|medium| {
            let case = pulse_in(&file, 1, &format!("integrator = \"{integrator}\""), medium);
            solution(&case).coefficients().unwrap()
        });
        let difference = by_groups.iter().zip(&by_formulas).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-13, "{integrator}: {difference}");
    }
}

#[test]
fn groups_that_do_not_fit_the_mesh_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |groups: [&[usize]; 2], medium: &str| {
        let file = channel(groups, folder.path());
        pulse_in(&file, 1, "", medium).build_mesh().map(drop).unwrap_err().to_string()
    };
    let light = "medium.groups.light = { rho = 1, bulk = 1 }";
    let error = refused([&[5], &[6]], light);
    assert!(error.contains("is in `heavy`, for which there are no values here; add them"), "{error}");
    let error = refused([&[5], &[6]], "medium.groups.lihgt = { rho = 1, bulk = 1 }");
    assert!(error.contains("did you mean `light`? there are `heavy`, `light`"), "{error}");
    let error = refused([&[5], &[0]], light);
    assert!(error.contains("is in no physical group of surfaces; put its surface into one"), "{error}");
    let error = refused([&[0], &[0]], light);
    assert!(error.contains("the mesh has no groups of elements"), "{error}");
    let error = refused([&[5], &[5, 6]], LIGHT_AND_HEAVY);
    assert!(
        error.contains("is in `heavy` and in `light`") || error.contains("is in `light` and in `heavy`"),
        "{error}"
    );
    let error =
        pulse("time.final = 1\nmedium.groups.light = { rho = 1, bulk = 1 }").build_mesh().map(drop).unwrap_err();
    assert!(error.to_string().contains("or give `formulas`"), "{error}");
    // A value that is not admissible is found in its group.
    let file = channel([&[5], &[6]], folder.path());
    let wrong = LIGHT_AND_HEAVY.replace("bulk = \"1\"", "bulk = \"1 - x\"");
    let case = pulse_in(&file, 1, "", &wrong);
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let error = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the medium's `bulk` is -") && message.contains("it is to be above 0"), "{message}");
    // It does not say in which group.
    assert_eq!(case.mistake(&error), None);
    // A formula has its place.
    let formulas = "medium.formulas = { rho = 1, bulk = \"x\" }";
    let case = pulse_in(&file, 1, "", formulas);
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let error = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err();
    let mistake = case.mistake(&error).unwrap();
    assert_eq!(&mistake.text[mistake.column - 1..][..mistake.width], "\"x\"", "{mistake}");
}

/// A hump in a flow around the origin that `medium` gives.
fn hump(medium: &str) -> String {
    format!(
        r#"
        law = "transport"
        order = 3
        flux.numerical = "upwind"
        initial.formulas.u = "exp(-25 * ((x - 0.25)^2 + y^2))"
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [6, 6] }}
        boundaries = {{ left.state.u = 0, right.state.u = 0, bottom.state.u = 0, top.state.u = 0 }}
        time.final = 0.1
        {medium}"#
    )
}

/// A grid of values, which has the linear flow exactly.
#[test]
fn files_give_the_medium_that_a_function_gives() {
    let folder = tempfile::tempdir().unwrap();
    let expected = solution(&case(&hump("medium.function = \"rotation\""))).coefficients().unwrap();
    let same = |name: &str, more: &str| {
        let file = folder.path().join(name);
        let text = hump(&format!("medium = {{ file = \"{}\"{more} }}", file.display()));
        let found = solution(&case(&text)).coefficients().unwrap();
        let difference = expected.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{name}: {difference}");
    };
    let tau = std::f64::consts::TAU;
    let row = |x: f64, y: f64| format!("{x:?},{y:?},{:?},{:?}\n", -tau * y, tau * x);
    let rows: String = [-0.5, 0.125, 0.5].iter().flat_map(|x| [-1.0, 0.5].map(|y| row(*x, y))).collect();
    std::fs::write(folder.path().join("grid.csv"), format!("x,y,v1,v2\n{rows}")).unwrap();
    same("grid.csv", "");
    same("grid.csv", ", outside = \"nearest\", degree = 1");
}

/// Luneburg's lens: all rays from a far point meet in the point of its far side, where the mean square of the pressure is the largest. The
/// case has a coarser mesh here.
#[test]
#[ignore = "long"]
fn a_lens_from_a_file_gathers_waves_in_its_focus() {
    let points: Vec<String> = (0..=40).map(|i| format!("p{i:02} = [{}, 0.0]", 0.5 + 0.025 * f64::from(i))).collect();
    let receivers = format!("receivers={{ every = 0.03333333333333333, points = {{ {} }} }}", points.join(", "));
    let case = tests::example("lens.toml", &["mesh.cells=[36, 26]", "time.final=4.67", &receivers]);
    let mut squares = vec![0.0; points.len()];
    // Two periods, when waves from the whole lens have come: the way to the focus takes 0.8 to the lens and 1 + π/2 in it.
    for (_, values) in
        super::receivers::signals(&case, tests::solver(&case), 50).iter().filter(|(time, _)| (4.0..4.65).contains(time))
    {
        // The bulk modulus is 1, so that the compression is the pressure.
        squares.iter_mut().zip(values.chunks(3)).for_each(|(square, state)| *square += state[0].powi(2));
    }
    let focus = (0..squares.len()).max_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap();
    println!(
        "focus at {:.3}, {:.2} times the wave",
        0.5 + 0.025 * focus as f64,
        (squares[focus] / 20.0).sqrt() / 0.02_f64.sqrt()
    );
    // Within a fifth of a wavelength.
    assert!((0.5 + 0.025 * focus as f64 - 1.0).abs() < 0.067, "{focus}: {squares:?}");
    assert!(squares[focus] > 10.0 * 20.0 * 0.02, "{focus}: {squares:?}");
}

/// A wave of shear through a layer of sediment to the surface, with the velocity and at the time that impedances and speeds say, before what
/// the valley bends has come.
#[test]
#[ignore = "long"]
fn a_layer_of_a_group_lets_a_shear_wave_grow_as_the_impedances_say() {
    let case = tests::example("basin.toml", &["time.final=2.2", "receivers.points={ rim = [2.9, 0.0] }"]);
    let signals = super::receivers::signals(&case, tests::solver(&case), 50);
    // The density of the sediment is 1, so that the momentum is the velocity.
    let velocities = signals.iter().map(|(time, values)| (*time, values[3]));
    let (time, velocity) = velocities.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    println!("velocity {velocity:.4} at {time}");
    assert!((velocity - 3.2).abs() < 0.01 && (time - (1.7 + 0.2 / 0.5)).abs() < 0.021, "{velocity} at {time}");
}

#[test]
fn files_of_a_medium_that_cannot_be_used_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("grid.csv");
    let medium = |more: &str| format!("medium = {{ file = \"{}\"{more} }}", file.display());
    let error = parsed(&hump(&medium(""))).map(drop).unwrap_err();
    assert!(error.contains("cannot read") && error.contains("grid.csv"), "{error}");
    std::fs::write(&file, "x,y,v1\n0,0,1\n").unwrap();
    let error = parsed(&hump(&medium(""))).map(drop).unwrap_err();
    assert!(error.contains("it has no column `v2`"), "{error}");
    let grid = "x,y,v1,v2\n-0.5,-0.5,1,1\n-0.5,0.5,1,1\n0.4,-0.5,1,1\n0.4,0.5,1,2\n";
    std::fs::write(&file, grid).unwrap();
    let error = parsed(&hump(&medium(", outside = \"near\""))).map(drop).unwrap_err();
    assert!(error.contains("did you mean `nearest`"), "{error}");
    let error = parsed(&hump("medium = { function = \"rotation\", outside = \"nearest\" }")).map(drop).unwrap_err();
    assert!(error.contains("`outside` is for a `file`"), "{error}");
    let built = |more: &str| {
        let case = case(&hump(&medium(more)));
        let mesh = case.build_mesh().unwrap();
        let setup = case.setup(&mesh).unwrap();
        Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup)
    };
    let error = built("").map(drop).unwrap_err().to_string();
    assert!(error.contains("grid.csv ends before [0.4") && error.contains("outside = \"nearest\""), "{error}");
    assert!(built(", outside = \"nearest\"").is_ok());
    // Another content is another medium, and a run does not resume with it.
    let identity = || case(&hump(&medium(""))).identity(&[Shape::Triangle]);
    let before = identity();
    assert_eq!(before, identity());
    std::fs::write(&file, grid.replace("1,2\n", "1,3\n")).unwrap();
    assert_ne!(before, identity());
}
