//! Viscous laws on sheared meshes of both shapes: parallelograms below their halves.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::mesh::{Boundary, Draft, Elements, Groups, Mesh, NamedFace};
use dg_runtime::solver::Solver;

use super::viscous::{box_of_gas, diffusion};

/// The unit square, moved to the right by this part of the height: cells in the lower half of which are parallelograms, in the upper one
/// triangles.
fn mesh(cells: usize, shear: f64) -> Mesh {
    let vertex = |i: usize, j: usize| (j * (cells + 1) + i) as u32;
    let at = |i: usize, j: usize| [i as f64 + shear * j as f64, j as f64].map(|x| x / cells as f64);
    let corners = |i: usize, j: usize| [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
    let rows = |rows: std::ops::Range<usize>| -> Vec<u32> {
        rows.flat_map(|j| (0..cells).flat_map(move |i| corners(i, j))).collect()
    };
    let elements = Elements::mixed(&[Shape::Quadrilateral.cut(&rows(cells / 2..cells)), rows(0..cells / 2)]);
    let sides = (0..cells).flat_map(|i| {
        [
            [vertex(0, i), vertex(0, i + 1)],
            [vertex(cells, i), vertex(cells, i + 1)],
            [vertex(i, 0), vertex(i + 1, 0)],
            [vertex(i, cells), vertex(i + 1, cells)],
        ]
    });
    let names = ["left", "right", "bottom", "top"];
    Mesh::new(Draft {
        vertices: (0..=cells).flat_map(|j| (0..=cells).flat_map(move |i| at(i, j))).collect(),
        elements,
        boundaries: names.map(|name| Boundary { name: name.to_owned(), curve: None }).into(),
        named_faces: sides.enumerate().map(|(i, corners)| NamedFace { corners, boundary: (i % 4) as u16 }).collect(),
        periodic_faces: Vec::new(),
        offered_periods: Vec::new(),
        element_tags: Vec::new(),
        groups: Groups::default(),
    })
    .unwrap()
}

/// The shears: by an angle of 45 degrees and of 72.
const SHEARS: [f64; 2] = [1.0, -3.0];

/// A solver of a case on another mesh than its own, with its initial state.
fn solver(case: &Case, mesh: Mesh) -> Solver {
    let setup = case.setup(&mesh).unwrap();
    let mut solver = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).unwrap();
    case.project(&mut solver).unwrap();
    solver
}

#[test]
#[ignore = "long"]
fn errors_fall_with_the_power_of_the_order_plus_one() {
    let states = ["left", "right", "bottom", "top"].map(|side| format!(r#"{side} = {{ state = "wave" }}"#)).join(", ");
    let rest = r#"
        parameters = { v1 = 1, v2 = 0.5, nu = 0.05 }
        initial.function = "wave"
        time = { final = 0.02, integrator = "carpenter_kennedy" }
        "#;
    for (order, shear) in [(1, SHEARS[0]), (2, SHEARS[1])] {
        let case = diffusion(order, "cells = [4, 4]", &states, rest);
        let [coarse, fine] = [6, 12].map(|cells| {
            let mut solver = solver(&case, mesh(cells, shear));
            let clock = solver.advance(0.02, 10_000).unwrap();
            assert_eq!(clock.time, 0.02);
            solver.errors().unwrap().l2[0]
        });
        let rate = (coarse / fine).log2();
        println!("p = {order}, shear {shear}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > order as f64 + 0.75, "p = {order}, shear {shear}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// In steps of the default length, of noise, which has all frequencies of the mesh.
#[test]
#[ignore = "long"]
fn the_energy_of_the_heat_equation_never_grows() {
    let sides = r#"left = "cold", right = "insulated", bottom = "cold", top = "insulated""#;
    let rest = r#"
        parameters = { v1 = 0, v2 = 0, nu = 0.3 }
        initial.formulas.u = "sin(1000*x + 3000*y) + cos(7000*x*y)"
        time.final = 1000
        "#;
    for (order, shear) in [(1, SHEARS[1]), (3, SHEARS[0])] {
        let mut solver = solver(&diffusion(order, "cells = [4, 4]", sides, rest), mesh(6, shear));
        let energy = |solver: &Solver| -> f64 {
            let mesh = solver.mesh();
            // The basis is orthonormal on the reference element.
            let mut coefficients = solver.coefficients().unwrap().into_iter();
            (0..mesh.element_count())
                .map(|e| {
                    let own = coefficients.by_ref().take(mesh.shape(e).polynomials(order));
                    mesh.geometry(e).determinant * own.map(|u| u * u).sum::<f64>()
                })
                .sum()
        };
        let mut before = energy(&solver);
        for step in 0..30 {
            solver.advance(1000.0, 1).unwrap();
            let after = energy(&solver);
            assert!(after < before, "p = {order}, shear {shear}, step {step}: {before:e} to {after:e}");
            before = after;
        }
    }
}

#[test]
#[ignore = "long"]
fn walls_without_conduction_keep_mass_and_energy() {
    let mut solver = solver(&box_of_gas(""), mesh(4, SHEARS[0]));
    let before = solver.integrals().unwrap();
    let clock = solver.advance(0.02, 10_000).unwrap();
    assert_eq!(clock.time, 0.02);
    let after = solver.integrals().unwrap();
    for component in [0, 3] {
        let change = (after[component] / before[component] - 1.0).abs();
        assert!(change < 1e-13, "component {component}: {change:e}");
    }
}
