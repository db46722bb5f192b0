//! A field along one axis: its mean, least and largest value across, where the domain is a strip.

use super::range::extremes;
use crate::io::Nodes;

/// A strip is at least so many times longer than wide, and has at most so many elements across.
const LONG: f64 = 10.0;
const ACROSS: f64 = 16.0;

/// The axis along which a domain is a strip, if it is one.
pub(super) fn long_axis(nodes: &Nodes<'_>) -> Option<usize> {
    let [x, y] = [0, 1].map(|axis| length(nodes, axis));
    let axis = longer(x, y);
    let (long, short) = (x.max(y), x.min(y));
    // An element has half the area of a square of its size.
    let size = (2.0 * x * y / nodes.elements().max(1) as f64).sqrt();
    (long >= LONG * short && short <= ACROSS * size).then_some(axis)
}

/// The axis along which a domain is longer.
pub(super) fn longer_axis(nodes: &Nodes<'_>) -> usize {
    longer(length(nodes, 0), length(nodes, 1))
}

fn longer(x: f64, y: f64) -> usize {
    usize::from(y > x)
}

fn length(nodes: &Nodes<'_>, axis: usize) -> f64 {
    extremes(nodes.positions.iter().skip(axis).step_by(2).copied()).map_or(0.0, |[low, high]| high - low)
}

/// A field on a line across a strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Where along the axis.
    pub at: f64,
    /// The mean across; NaN where there is nothing, or no finite value.
    pub mean: f64,
    pub least: f64,
    pub most: f64,
}

/// The field on so many lines across an interval of an axis. It counts as linear on each of [`Nodes::sub_triangles`], so that
/// the means are exact.
pub(super) fn profile(
    nodes: &Nodes<'_>,
    values: &[f64],
    axis: usize,
    [low, high]: [f64; 2],
    count: usize,
) -> Vec<Column> {
    let step = (high - low) / count as f64;
    let mut columns: Vec<Column> = (0..count)
        .map(|i| Column { at: low + (i as f64 + 0.5) * step, mean: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY })
        .collect();
    let mut lengths = vec![0.0; count];
    let (triangles, per_element) = (nodes.sub_triangles(), nodes.per_element());
    for (positions, values) in nodes.positions.chunks_exact(2 * per_element).zip(values.chunks_exact(per_element)) {
        for triangle in &triangles {
            let along = triangle.map(|n| positions[2 * n + axis]);
            let across = triangle.map(|n| positions[2 * n + 1 - axis]);
            let first = along.into_iter().fold(f64::INFINITY, f64::min);
            let last = along.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let index = |position: f64| ((position - low) / step).clamp(0.0, count as f64) as usize;
            for i in index(first)..(index(last) + 1).min(count) {
                let column = &mut columns[i];
                // The line enters through one edge and leaves through another.
                let mut crossings = [[0.0; 2]; 2];
                let mut found = 0;
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    let part = (column.at - along[a]) / (along[b] - along[a]);
                    if (along[a] <= column.at) != (along[b] <= column.at) && found < 2 {
                        let at = |ends: [f64; 3]| ends[a] + part * (ends[b] - ends[a]);
                        crossings[found] = [at(across), at(triangle.map(|n| values[n]))];
                        found += 1;
                    }
                }
                if found == 2 {
                    let [[from, one], [to, other]] = crossings;
                    let length = (to - from).abs();
                    lengths[i] += length;
                    column.mean += 0.5 * (one + other) * length;
                    column.least = column.least.min(one).min(other);
                    column.most = column.most.max(one).max(other);
                }
            }
        }
    }
    for (column, length) in columns.iter_mut().zip(lengths) {
        column.mean /= length;
    }
    columns
}
