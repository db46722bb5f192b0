//! Meshes for Ringleb's flow (the law `ringleb`), whose walls are streamlines: curved quadrilaterals whose nodes all lie on the map from the
//! hodograph.

use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;

/// The largest speeds on both walls, and the speed at which the flow leaves.
const WALLS: [f64; 2] = [0.7, 1.2];
const LEAST: f64 = 0.5;

/// The place at which the flow has the angle θ on the streamline with this largest speed.
fn place(largest: f64, angle: f64) -> [f64; 2] {
    let q = largest * angle.sin();
    let c = (1.0 - q * q / 5.0).sqrt();
    let shift = 1.0 / c + 1.0 / (3.0 * c.powi(3)) + 1.0 / (5.0 * c.powi(5)) - 0.5 * ((1.0 + c) / (1.0 - c)).ln();
    let double_radius = 1.0 / (c.powi(5) * q * q);
    [-0.5 * shift - 0.5 * double_radius * (2.0 * angle).cos(), 0.5 * double_radius * (2.0 * angle).sin()]
}

/// The nodes of a quadrilateral of this degree in Gmsh's order: corners, sides, and then the same of the quadrilateral of the inner nodes.
fn nodes(degree: usize) -> Vec<[usize; 2]> {
    match degree {
        0 => vec![[0, 0]],
        n => {
            let mut nodes = vec![[0, 0], [n, 0], [n, n], [0, n]];
            nodes.extend((1..n).map(|i| [i, 0]));
            nodes.extend((1..n).map(|i| [n, i]));
            nodes.extend((1..n).rev().map(|i| [i, n]));
            nodes.extend((1..n).rev().map(|i| [0, i]));
            if n > 1 {
                nodes.extend(self::nodes(n - 2).into_iter().map(|[i, j]| [i + 1, j + 1]));
            }
            nodes
        }
    }
}

/// A file of Gmsh, version 2.2, with so many elements across the flow and along it, of degree 2 to 4. The flow comes in where it is
/// fastest, through `inflow`, and leaves through `outflow` between the walls `outer`, where it is slower, and `inner`.
pub fn mesh([across, along]: [usize; 2], degree: usize) -> String {
    let [rows, columns] = [across * degree, along * degree];
    let number = |i: usize, j: usize| j * (rows + 1) + i + 1;
    let at = |i: usize, j: usize| {
        let [slow, fast] = WALLS;
        let largest = slow + (fast - slow) * i as f64 / rows as f64;
        let end = (LEAST / largest).asin();
        place(largest, FRAC_PI_2 + (end - FRAC_PI_2) * j as f64 / columns as f64)
    };
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n".to_owned();
    for (i, name) in ["inflow", "outflow", "outer", "inner"].into_iter().enumerate() {
        let _ = writeln!(text, "1 {} \"{name}\"", i + 1);
    }
    let _ = writeln!(text, "$EndPhysicalNames\n$Nodes\n{}", (rows + 1) * (columns + 1));
    for (i, j) in (0..=columns).flat_map(|j| (0..=rows).map(move |i| (i, j))) {
        let [x, y] = at(i, j);
        let _ = writeln!(text, "{} {x:.15} {y:.15} 0", number(i, j));
    }
    let [line, quadrilateral] = [[8, 10], [26, 36], [27, 37]][degree - 2];
    // Both ends of a side, and then its other nodes.
    let side = |from: usize| [from, from + degree].into_iter().chain(from + 1..from + degree);
    let mut elements = Vec::new();
    for i in (0..rows).step_by(degree) {
        elements.push((line, 1, side(i).map(|i| number(i, 0)).collect::<Vec<_>>()));
        elements.push((line, 2, side(i).map(|i| number(i, columns)).collect()));
    }
    for j in (0..columns).step_by(degree) {
        elements.push((line, 3, side(j).map(|j| number(0, j)).collect()));
        elements.push((line, 4, side(j).map(|j| number(rows, j)).collect()));
    }
    for (i, j) in (0..columns).step_by(degree).flat_map(|j| (0..rows).step_by(degree).map(move |i| (i, j))) {
        elements.push((quadrilateral, 5, nodes(degree).iter().map(|[k, l]| number(i + k, j + l)).collect()));
    }
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", elements.len());
    for (i, (kind, group, nodes)) in elements.iter().enumerate() {
        let nodes: String = nodes.iter().map(|node| format!(" {node}")).collect();
        let _ = writeln!(text, "{} {kind} 2 {group} {group}{nodes}", i + 1);
    }
    text + "$EndElements\n"
}
