//! The part of a triangle inside a rectangle.

/// The lower left and the upper right corner.
pub type Rectangle = [[f64; 2]; 2];

/// A position, and the value there of a function that is linear on the triangle.
type Corner = ([f64; 2], f64);

/// The corners of the part of a triangle in a rectangle, none if they do not overlap (I. E. Sutherland & G. W. Hodgman,
/// "Reentrant polygon clipping", Commun. ACM 17 (1974) 32–42).
pub(super) fn part_in(triangle: [Corner; 3], [lower, upper]: Rectangle) -> Vec<Corner> {
    let sides = [(0, lower[0], 1.0), (0, upper[0], -1.0), (1, lower[1], 1.0), (1, upper[1], -1.0)];
    sides.into_iter().fold(triangle.to_vec(), |corners, (axis, line, sign)| {
        let inside = |corner: &Corner| sign * (corner.0[axis] - line) >= 0.0;
        let mut kept = Vec::with_capacity(corners.len() + 1);
        let next = corners.iter().cycle().skip(1);
        for (from, to) in corners.iter().zip(next) {
            if inside(from) {
                kept.push(*from);
            }
            if inside(from) != inside(to) {
                let part = (line - from.0[axis]) / (to.0[axis] - from.0[axis]);
                let between = |a: f64, b: f64| a + part * (b - a);
                let mut at = [between(from.0[0], to.0[0]), between(from.0[1], to.0[1])];
                at[axis] = line;
                kept.push((at, between(from.1, to.1)));
            }
        }
        kept
    })
}

/// Whether a triangle and a rectangle share some area.
pub fn reaches_into(triangle: [[f64; 2]; 3], rectangle: Rectangle) -> bool {
    let corners = part_in(triangle.map(|corner| (corner, 0.0)), rectangle);
    let next = corners.iter().cycle().skip(1);
    let twice_area: f64 = corners.iter().zip(next).map(|((a, _), (b, _))| a[0] * b[1] - a[1] * b[0]).sum();
    twice_area != 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[f64; 2]; 3] = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];

    #[test]
    fn a_part_has_the_corners_and_the_values_of_the_linear_function() {
        let valued = TRIANGLE.map(|[x, y]| ([x, y], 1.0 + 2.0 * x - y));
        let rectangle = [[1.0, 1.0], [2.5, 5.0]];
        let mut corners = part_in(valued, rectangle);
        corners.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        assert_eq!(corners, [([1.0, 1.0], 2.0), ([1.0, 3.0], 0.0), ([2.5, 1.0], 5.0), ([2.5, 1.5], 4.5)]);
        assert_eq!(part_in(valued, [[-1.0, -1.0], [5.0, 5.0]]), valued);
        assert!(part_in(valued, [[3.0, 3.0], [5.0, 5.0]]).is_empty());
    }

    #[test]
    fn touching_is_not_reaching_into() {
        // Within, around, across, outside although the bounding boxes overlap, and along a side.
        let tried = [
            ([[1.0, 1.0], [1.5, 1.5]], true),
            ([[-1.0, -1.0], [5.0, 5.0]], true),
            ([[-1.0, 1.0], [5.0, 1.1]], true),
            ([[2.5, 2.5], [3.5, 3.5]], false),
            ([[0.0, -1.0], [4.0, 0.0]], false),
        ];
        for (rectangle, reaches) in tried {
            assert_eq!(reaches_into(TRIANGLE, rectangle), reaches, "{rectangle:?}");
        }
    }
}
