//! Numerical schlieren: how steep a field is, as a photograph of light bent by a gas would show it.

use std::collections::HashMap;

use super::range::extremes;
use crate::io::Nodes;

/// How fast the picture darkens where the field is steep (J. J. Quirk, Int. J. Numer. Meth. Fluids 18 (1994) 555–574, takes
/// numbers of this size).
const CONTRAST: f64 = 15.0;

/// At every node 1 − exp(−15 |∇q| / max |∇q|), which is 0 where the field `q` is constant, and the least and largest |∇q|.
///
/// The gradient is that of the mean of all elements at a node: what jumps between elements then counts as steep over their size.
pub(super) fn schlieren(nodes: &Nodes<'_>, values: &[f64]) -> (Vec<f64>, Option<[f64; 2]>) {
    let shared = Shared::of(nodes);
    let continuous = shared.means(values, &vec![1.0; values.len()]);
    let (triangles, per_element) = (nodes.sub_triangles(), nodes.per_element());
    let mut gradients = [vec![0.0; values.len()], vec![0.0; values.len()]];
    let mut areas = vec![0.0; values.len()];
    for (element, positions) in nodes.positions.chunks_exact(2 * per_element).enumerate() {
        let own = &continuous[element * per_element..][..per_element];
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|n| [positions[2 * n], positions[2 * n + 1]]);
            let [(bx, by), (cx, cy)] = [b, c].map(|p| (p[0] - a[0], p[1] - a[1]));
            let [db, dc] = [1, 2].map(|corner| own[triangle[corner]] - own[triangle[0]]);
            let twice_area = bx * cy - by * cx;
            // The gradient times twice the area.
            let gradient = [db * cy - dc * by, dc * bx - db * cx];
            for n in triangle {
                let node = element * per_element + n;
                areas[node] += twice_area;
                gradients[0][node] += gradient[0];
                gradients[1][node] += gradient[1];
            }
        }
    }
    let [x, y] = gradients.map(|sums| {
        let own: Vec<f64> = sums.iter().zip(&areas).map(|(sum, area)| sum / area).collect();
        shared.means(&own, &areas)
    });
    let steepness: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x.hypot(*y)).collect();
    let found = extremes(steepness.iter().copied());
    let largest = found.map_or(1.0, |[_, largest]| largest).max(f64::MIN_POSITIVE);
    (steepness.into_iter().map(|steep| 1.0 - (-CONTRAST * steep / largest).exp()).collect(), found)
}

/// Which nodes of different elements lie at the same place.
struct Shared {
    /// The place of every node, as an index.
    place: Vec<usize>,
    places: usize,
}

impl Shared {
    fn of(nodes: &Nodes<'_>) -> Self {
        let size =
            extremes(nodes.positions.iter().copied()).map_or(1.0, |[low, high]| (high - low).max(f64::MIN_POSITIVE));
        // Positions from two elements differ by rounding.
        let grid = (1_u64 << 36) as f64 / size;
        let mut known: HashMap<[i64; 2], usize> = HashMap::with_capacity(nodes.total());
        let place = nodes
            .positions
            .chunks_exact(2)
            .map(|position| {
                let key = [position[0], position[1]].map(|x| (x * grid).round() as i64);
                let next = known.len();
                *known.entry(key).or_insert(next)
            })
            .collect();
        Self { place, places: known.len() }
    }

    /// The weighted mean of all nodes at a place, at each of them.
    fn means(&self, values: &[f64], weights: &[f64]) -> Vec<f64> {
        let (mut sums, mut totals) = (vec![0.0; self.places], vec![0.0; self.places]);
        for ((&place, value), weight) in self.place.iter().zip(values).zip(weights) {
            sums[place] += weight * value;
            totals[place] += weight;
        }
        self.place.iter().map(|&place| sums[place] / totals[place]).collect()
    }
}
