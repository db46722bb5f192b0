//! Equispaced Lagrange nodes, in the order in which VTK numbers the points of its Lagrange cells.

use super::Shape;

/// The nodes of a degree >= 1 in reference coordinates, `[node][d]`.
///
/// On the triangle: the corners, the inner nodes of faces 0, 1 and 2 along each face's direction, then the
/// interior, itself a triangle of nodes of degree - 3 in the same order (VTK cell type 69, `VTK_LAGRANGE_TRIANGLE`).
pub fn lagrange(shape: Shape, degree: usize) -> Vec<Vec<f64>> {
    match shape {
        Shape::Triangle => {
            let mut lattice = Vec::new();
            triangle_ring(0, degree, &mut lattice);
            let scale = degree as f64;
            lattice.into_iter().map(|[i, j]| vec![i as f64 / scale, j as f64 / scale]).collect()
        }
    }
}

/// The lattice points of the triangle whose corner is (inset, inset) and whose legs have length `side`, from
/// the outermost ring inwards.
fn triangle_ring(inset: usize, side: usize, lattice: &mut Vec<[usize; 2]>) {
    if side == 0 {
        lattice.push([inset, inset]);
        return;
    }
    let far = inset + side;
    lattice.extend([[inset, inset], [far, inset], [inset, far]]);
    lattice.extend((1..side).map(|k| [inset + k, inset]));
    lattice.extend((1..side).map(|k| [far - k, inset + k]));
    lattice.extend((1..side).map(|k| [inset, far - k]));
    if side >= 3 {
        triangle_ring(inset + 1, side - 3, lattice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lattice coordinates (i, j) of the nodes (i, j) / degree, by hand after VTK's numbering.
    #[test]
    fn triangle_nodes_are_in_the_order_of_vtk() {
        let by_hand: [&[[usize; 2]]; 4] = [
            &[[0, 0], [1, 0], [0, 1]],
            &[[0, 0], [2, 0], [0, 2], [1, 0], [1, 1], [0, 1]],
            &[[0, 0], [3, 0], [0, 3], [1, 0], [2, 0], [2, 1], [1, 2], [0, 2], [0, 1], [1, 1]],
            &[
                [0, 0],
                [4, 0],
                [0, 4],
                [1, 0],
                [2, 0],
                [3, 0],
                [3, 1],
                [2, 2],
                [1, 3],
                [0, 3],
                [0, 2],
                [0, 1],
                [1, 1],
                [2, 1],
                [1, 2],
            ],
        ];
        for (degree, lattice) in (1..).zip(by_hand) {
            let nodes = lagrange(Shape::Triangle, degree);
            let expected: Vec<Vec<f64>> =
                lattice.iter().map(|ij| ij.iter().map(|&i| i as f64 / degree as f64).collect()).collect();
            assert_eq!(nodes, expected, "degree {degree}");
        }
    }

    #[test]
    fn triangle_nodes_are_the_whole_lattice() {
        for degree in 1..=7 {
            let scaled = |s: &f64| (s * degree as f64).round() as usize;
            let mut lattice: Vec<Vec<usize>> =
                lagrange(Shape::Triangle, degree).iter().map(|node| node.iter().map(scaled).collect()).collect();
            lattice.sort();
            let all: Vec<Vec<usize>> = (0..=degree).flat_map(|i| (0..=degree - i).map(move |j| vec![i, j])).collect();
            assert_eq!(lattice, all, "degree {degree}");
        }
    }
}
