//! Periodic boundaries that differ by a rotation: what leaves through one enters through the other with its vectors turned.

use std::f64::consts::TAU;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::mesh::{Boundary, Draft, Elements, Groups, Mesh, NamedFace};
use dg_runtime::solver::Solver;
use tests::{bits, case, open, solution, solver};

/// The steady flow in a bend (L. Krivodonova & M. Berger, J. Comput. Phys. 211, 2006) is the same at all angles: what leaves the quarter of a ring
/// is what enters.
fn quarter(shape: &str, order: usize, degree: usize, cells: [usize; 2]) -> String {
    format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "quarter annulus", elements = "{shape}", radii = [1.0, 1.384], cells = {cells:?}, degree = {degree} }}
        boundaries = {{ inner = "slip_wall", outer = "slip_wall", inflow = {{ periodic = "outflow" }} }}
        initial.function = "supersonic_vortex"
        time.final = 1
        "#
    )
}

#[test]
#[ignore = "long"]
fn a_vortex_is_of_full_order() {
    for (shape, order, degree) in tests::every_other([
        ("triangles", 1, 2),
        ("triangles", 2, 2),
        ("quadrilaterals", 2, 2),
        ("quadrilaterals", 3, 3),
    ]) {
        let error = |cells| solution(&case(&quarter(shape, order, degree, cells))).errors().unwrap().l2[0];
        let [coarse, fine] = if order > 2 { [[2, 8], [4, 16]] } else { [[4, 16], [8, 32]] }.map(error);
        let rate = (coarse / fine).log2();
        println!("{shape}, p = {order}, degree {degree}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > order as f64 + 0.7, "{shape}, p = {order}, degree {degree}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// So many of the sectors of a ring around the origin, with the same elements in each.
fn ring(shape: Shape, sectors: usize, of: usize) -> Mesh {
    let [along, around] = [3, 4];
    let columns = sectors * around;
    let is_closed = sectors == of;
    let rows = if is_closed { columns } else { columns + 1 };
    let position = |column: usize, row: usize| {
        let (sector, within) = (column / around, column % around);
        // Not even, so that only a rotation by a sector leaves the mesh as it is.
        let angle = TAU / of as f64 * ((within as f64 + 0.2 * (within % 2 * row % 2) as f64) / around as f64);
        let radius = 1.0 + (row as f64 + 0.1 * (within * row % 3) as f64) / along as f64;
        let [x, y] = [radius * angle.cos(), radius * angle.sin()];
        let (sine, cosine) = (TAU * sector as f64 / of as f64).sin_cos();
        [cosine * x - sine * y, sine * x + cosine * y]
    };
    let vertices = (0..rows).flat_map(|column| (0..=along).flat_map(move |row| position(column, row))).collect();
    let vertex = |column: usize, row: usize| (column % rows * (along + 1) + row) as u32;
    let cells = (0..columns).flat_map(|column| (0..along).map(move |row| (column, row)));
    let corners = cells.flat_map(|(column, row)| {
        let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(i, j)| vertex(column + i, row + j));
        match shape {
            Shape::Triangle => vec![a, b, c, a, c, d],
            Shape::Quadrilateral => vec![a, b, c, d],
        }
    });
    let arc = |boundary: u16, row: usize| {
        (0..columns).map(move |column| NamedFace { corners: [vertex(column, row), vertex(column + 1, row)], boundary })
    };
    let end = |boundary: u16, column: usize| {
        let rows = if is_closed { 0 } else { along };
        (0..rows).map(move |row| NamedFace { corners: [vertex(column, row), vertex(column, row + 1)], boundary })
    };
    let names = ["inner", "outer", "first", "last"];
    let mesh = Mesh::new(Draft {
        vertices,
        elements: Elements::new(shape, corners.collect()),
        boundaries: names.map(|name| Boundary { name: name.to_owned(), curve: None }).into(),
        named_faces: arc(0, 0).chain(arc(1, along)).chain(end(2, 0)).chain(end(3, columns)).collect(),
        periodic_faces: Vec::new(),
        offered_periods: Vec::new(),
        element_tags: Vec::new(),
        groups: Groups::default(),
    })
    .unwrap();
    if is_closed { mesh } else { mesh.with_periods(&[("first", "last")]).unwrap() }
}

/// A case of this text on a mesh of its own with walls at the arcs.
fn on(mesh: Mesh, text: &str) -> Solver {
    let text = format!(
        "{text}
        mesh = {{ generator = \"quarter annulus\", radii = [1, 2], cells = [1, 2] }}
        time.final = 1e9
        {FLOW}"
    );
    let case: Case = case(&text);
    let setup = case.setup(&mesh).unwrap();
    let mut solver = Solver::new(open(Choice::Cpu).unwrap(), mesh, setup).unwrap();
    case.project(&mut solver).unwrap();
    solver
}

/// Waves of twelve periods around the ring, on a flow around it.
const FLOW: &str = r#"
    [formulas]
    r = "sqrt(x^2 + y^2)"
    hump = "0.2*cos(12*atan2(y, x))*sin(pi*(r - 1))"
    around = "0.5 + 0.3*hump"
    out = "0.4*sin(12*atan2(y, x))*sin(pi*(r - 1))"
    v1 = "(out*x - around*y)/r"
    v2 = "(out*y + around*x)/r"
"#;

/// The largest difference between coefficients of a ring and those of the sector that it consists of, with its vectors turned.
fn difference(ring: &Solver, sector: &Solver) -> f64 {
    let law = sector.setup().law;
    let vectors = law.algebra.rotation.unwrap();
    let (whole, part) = (ring.coefficients().unwrap(), sector.coefficients().unwrap());
    let of_element = part.len() / sector.mesh().element_count();
    let basis = of_element / law.state.len();
    let mut worst = 0.0_f64;
    for (copy, own) in whole.chunks(part.len()).enumerate() {
        let (sine, cosine) = (TAU * copy as f64 * part.len() as f64 / whole.len() as f64).sin_cos();
        let mut expected = part.clone();
        for element in expected.chunks_mut(of_element) {
            for (&[x, y], j) in vectors.iter().flat_map(|pair| (0..basis).map(move |j| (pair, j))) {
                let (x, y) = (x * basis + j, y * basis + j);
                (element[x], element[y]) =
                    (cosine * element[x] - sine * element[y], sine * element[x] + cosine * element[y]);
            }
        }
        worst = own.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(worst, f64::max);
    }
    worst
}

const GAS: &str = r#"
    law = "euler"
    boundaries = { inner = "slip_wall", outer = "slip_wall" }
    initial.state = { rho = "1 + hump", v1 = "v1", v2 = "v2", p = "1 + 0.5*hump" }"#;

/// Friction with no work at the walls, and no heat through them.
const STICKY: &str = r#"
    law = "navier_stokes"
    boundaries = { inner = "adiabatic_wall", outer = "slip_wall" }
    initial.state = { rho = "1 + hump", v1 = "v1", v2 = "v2", p = "1 + 0.5*hump" }"#;

const LIMITED: &str = "limiter = { method = \"filter\", positivity = true, indicator = \"decay\" }";

const SHAPES: [Shape; 2] = [Shape::Triangle, Shape::Quadrilateral];

/// What a sector computes is what a ring of such does, to rounding: also where records, means of neighbours, slopes and the mean over a step
/// are turned, and quantities compared.
#[test]
#[ignore = "long"]
fn a_sector_computes_what_the_ring_does() {
    let sound = r#"
        law = "acoustics"
        medium.formulas = { rho = "1 + 0.5*hump", bulk = "2 + hump" }
        boundaries = { inner = "rigid_wall", outer = "rigid_wall" }
        initial.formulas = { e = "hump", m1 = "0.2*v1", m2 = "0.2*v2" }"#;
    let plasma = r#"
        law = "mhd"
        boundaries = { inner = "absorbing", outer = "absorbing" }
        initial.state = { rho = 1, v1 = "v1", v2 = "v2", v3 = "hump", p = "1 + hump", b1 = "0.3*v2", b2 = "-0.3*v1", b3 = 0.1, psi = 0 }"#;
    for (text, order, more) in [
        (GAS, 2, ""),
        (GAS, 1, "limiter.method = \"barth_jespersen\""),
        (GAS, 3, "limiter.method = \"moment\""),
        (GAS, 2, "limiter = { method = \"moment\", variables = \"characteristic\" }"),
        (GAS, 2, LIMITED),
        (plasma, 2, ""),
        (sound, 3, "time.integrator = \"ader\""),
        (STICKY, 2, ""),
        (STICKY, 2, "viscous = \"br2\""),
    ] {
        for shape in SHAPES {
            let text = format!("order = {order}\n{more}{text}");
            // Limited components of a vector are those of one that is turned by a right angle alone.
            let of = if more.contains("method") && more != LIMITED { 4 } else { 6 };
            let [mut sector, mut whole] = [1, of].map(|sectors| on(ring(shape, sectors, of), &text));
            let start = difference(&whole, &sector);
            for solver in [&mut sector, &mut whole] {
                solver.advance(f64::INFINITY, 40).unwrap();
            }
            let end = difference(&whole, &sector);
            println!("{shape:?}, {} {order} {more}: {start:.1e}, {end:.1e}", sector.setup().law.name);
            assert!(start < 1e-14 && end < 1e-12, "{shape:?}, {text}: {start:e}, {end:e}");
        }
    }
}

/// What leaves is what enters: mass and energy stay the same, and equal runs give equal bits, also from the middle on. Also where the scheme takes one
/// side of a face, and between triangles and quadrilaterals.
#[test]
#[ignore = "long"]
fn mass_and_energy_are_kept_and_runs_repeat() {
    for (shape, (text, more)) in
        SHAPES.into_iter().flat_map(|shape| [(GAS, ""), (STICKY, "viscous = \"cdg\"")].map(|case| (shape, case)))
    {
        is_kept_and_repeats(&format!("{shape:?}, {more}"), || {
            on(ring(shape, 1, 6), &format!("order = 1\n{more}{text}"))
        });
    }
    let mixed = quarter("triangles", 2, 2, [4, 6]).replace("cells", "layers = 2, cells").replace(
        "initial.function = \"supersonic_vortex\"",
        &format!("initial.state = {{ rho = \"1 + hump\", v1 = \"v1\", v2 = \"v2\", p = 1 }}\n{FLOW}"),
    );
    let (flow, rest) = (mixed.find("[formulas]").unwrap(), mixed.find("time.final").unwrap());
    let mixed = format!("{}{}{}", &mixed[..flow], &mixed[rest..], &mixed[flow..rest]);
    is_kept_and_repeats("mixed", || solver(&case(&mixed)));
}

fn is_kept_and_repeats(what: &str, start: impl Fn() -> Solver) {
    let steps = [60, 140];
    let mut solver = start();
    let before = solver.integrals().unwrap();
    solver.advance(f64::INFINITY, steps[0]).unwrap();
    let (clock, middle) = (solver.clock().unwrap(), solver.coefficients().unwrap());
    solver.advance(f64::INFINITY, steps[1]).unwrap();
    let after = solver.integrals().unwrap();
    for component in [0, 3] {
        let change = (after[component] / before[component] - 1.0).abs();
        println!("{what}: component {component} changed by {change:.1e}");
        assert!(change < 1e-13, "{what}, {component}: {change:e}");
    }
    let mut again = start();
    again.advance(f64::INFINITY, steps[0] + steps[1]).unwrap();
    assert_eq!(bits(&solver), bits(&again), "{what}");
    let mut from_middle = start();
    from_middle.set_coefficients(&middle).unwrap();
    from_middle.set_clock(clock).unwrap();
    from_middle.advance(f64::INFINITY, steps[1]).unwrap();
    assert_eq!(bits(&solver), bits(&from_middle), "{what}, from the middle");
}

#[test]
fn what_has_a_direction_is_refused() {
    let refusal = |text: &str| {
        let case = case(text);
        let mesh = case.build_mesh().unwrap();
        let setup = case.setup(&mesh).unwrap();
        Solver::new(open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err().to_string()
    };
    let square = "mesh = { generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [4, 4], layers = 1 }
        boundaries = { left = { periodic = \"top\" }, bottom = { periodic = \"right\" } }
        time.final = 1\n";
    let remedy = "mesh what repeats as a whole";
    for (law, reason) in [
        ("law = \"advection\"\norder = 1\ninitial.function = \"gaussian\"", "no components of its state are vectors"),
        (
            "law = \"euler\"\norder = 2\ninitial.function = \"isentropic_vortex\"\nlimiter.method = \"moment\"",
            "the limiter `moment` compares derivatives of elements of one shape",
        ),
    ] {
        let refused = refusal(&format!("{law}\n{square}"));
        assert!(refused.contains(reason) && refused.contains(remedy), "{refused}");
    }
}

/// Momentum turns, and what has a direction of its own is told.
#[test]
fn laws_say_what_turns() {
    let rotation = |name: &str| equations::LAWS.iter().find(|law| law.name == name).unwrap().algebra.rotation;
    for (name, vectors) in [
        ("euler", &[[1, 2]][..]),
        ("mhd", &[[1, 2], [4, 5]]),
        ("acoustics", &[[1, 2]]),
        ("navier_stokes", &[[1, 2]]),
        ("two_layer_shallow_water", &[[1, 2], [4, 5]]),
    ] {
        assert_eq!(rotation(name), Ok(vectors), "{name}");
    }
    for (name, why) in [
        ("burgers", "no components of its state are vectors with which its flux is the same in all directions"),
        ("elastic", "no components of its state are vectors with which its flux is the same in all directions"),
        ("euler_gravity", "its `gravity` is not the same in all directions"),
    ] {
        assert_eq!(rotation(name), Err(why), "{name}");
    }
}
