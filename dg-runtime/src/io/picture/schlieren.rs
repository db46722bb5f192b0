//! Numerical schlieren: the steepness of a field, like a photograph of light deflected by a gas.

use std::collections::HashMap;

use super::range::extremes;
use crate::io::Nodes;

/// The darkness of steep fields; numbers of this size are usual (J. J. Quirk, Int. J. Numer. Meth. Fluids 18 (1994)
/// 555–574).
const CONTRAST: f64 = 15.0;

/// |∇q| of a field `q` at every node.
///
/// The gradient is that of the element's polynomial through the means of all elements at each node; where elements meet, their
/// gradients are averaged. So a jump between elements counts as steep over their size.
pub(super) fn steepness(nodes: &Nodes<'_>, values: &[f64]) -> Vec<f64> {
    let shared = Shared::of(nodes);
    let continuous = shared.means(values, &vec![1.0; values.len()]);
    let mut gradients = [vec![0.0; values.len()], vec![0.0; values.len()]];
    let mut areas = vec![0.0; values.len()];
    for of_shape in nodes.by_shape() {
        let derivatives = of_shape.derivatives();
        let (per_element, elements) = (of_shape.per_element(), of_shape.positions().zip(of_shape.values(&continuous)));
        for (element, (positions, own)) in elements.enumerate() {
            let first = of_shape.first() + element * per_element;
            for (n, weights) in derivatives.iter().enumerate() {
                // Derivatives along the axes of the reference triangle, [axis].
                let along = |value: &dyn Fn(usize) -> f64| {
                    [0, 1]
                        .map(|axis| weights.iter().enumerate().map(|(m, weight)| weight[axis] * value(m)).sum::<f64>())
                };
                let ([xr, xs], [yr, ys]) = (along(&|m| positions[2 * m]), along(&|m| positions[2 * m + 1]));
                let [qr, qs] = along(&|m| own[m]);
                let twice_area = xr * ys - xs * yr;
                areas[first + n] = twice_area;
                gradients[0][first + n] = (qr * ys - qs * yr) / twice_area;
                gradients[1][first + n] = (qs * xr - qr * xs) / twice_area;
            }
        }
    }
    let [x, y] = gradients.map(|gradient| shared.means(&gradient, &areas));
    x.iter().zip(&y).map(|(x, y)| x.hypot(*y)).collect()
}

/// 1 − exp(−15 |∇q| / `most`): 0 where the field is constant.
pub(super) fn darkness(steepness: f64, most: f64) -> f64 {
    1.0 - (-CONTRAST * steepness / most.max(f64::MIN_POSITIVE)).exp()
}

/// The nodes of different elements that coincide.
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

    /// The weighted mean over all nodes at a place, for each of them.
    fn means(&self, values: &[f64], weights: &[f64]) -> Vec<f64> {
        let (mut sums, mut totals) = (vec![0.0; self.places], vec![0.0; self.places]);
        for ((&place, value), weight) in self.place.iter().zip(values).zip(weights) {
            sums[place] += weight * value;
            totals[place] += weight;
        }
        self.place.iter().map(|&place| sums[place] / totals[place]).collect()
    }
}
