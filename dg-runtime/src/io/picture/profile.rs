//! A field along one axis of a strip: its mean, least and largest value across.

use super::part::Rectangle;
use super::range::{Scale, extremes, interval};
use crate::io::nodes::{Nodes, for_sub_triangles};

/// The least ratio of length to width of a strip, and the most elements across it.
const LONG: f64 = 10.0;
const ACROSS: f64 = 16.0;

/// The part of the plane whose field is drawn as lines along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// The axis of the lines: 0 is x.
    pub axis: usize,
    /// The ends of the lines.
    pub along: [f64; 2],
    /// The interval across the strip over which means, least and largest values are taken.
    pub across: [f64; 2],
}

impl Strip {
    /// The strip as a rectangle.
    pub(super) fn rectangle(&self) -> Rectangle {
        [0, 1].map(|end| match self.axis {
            0 => [self.along[end], self.across[end]],
            _ => [self.across[end], self.along[end]],
        })
    }

    /// The strip that a picture shows as lines: its region, along the longer side, or a domain that is a strip itself. Unless lines are
    /// asked for (`told`), only such a domain has one.
    pub(super) fn shown(nodes: &Nodes<'_>, region: Option<Rectangle>, told: bool) -> Option<Self> {
        let domain = [extent(nodes, 0)?, extent(nodes, 1)?];
        let inside = |axis: usize| match region {
            // Space outside of the domain does not count in means.
            Some([lower, upper]) => {
                let [low, high] = domain[axis];
                let part = [lower[axis].max(low), upper[axis].min(high)];
                if part[0] < part[1] { part } else { [lower[axis], upper[axis]] }
            }
            None => domain[axis],
        };
        let length = |[low, high]: [f64; 2]| high - low;
        let longer = || usize::from(length(inside(1)) > length(inside(0)));
        let axis = long_axis(nodes.elements(), domain.map(length)).or_else(|| told.then(longer))?;
        let all = || interval(Some(domain[axis]), Scale::default());
        let along = region.map_or_else(all, |[lower, upper]| [lower[axis], upper[axis]]);
        Some(Self { axis, along, across: inside(1 - axis) })
    }
}

/// The axis along which a domain is a strip, if it is one.
fn long_axis(elements: usize, [x, y]: [f64; 2]) -> Option<usize> {
    let (long, short) = (x.max(y), x.min(y));
    // An element has half the area of a square of its size.
    let size = (2.0 * x * y / elements.max(1) as f64).sqrt();
    (long >= LONG * short && short <= ACROSS * size).then_some(usize::from(y > x))
}

/// The least and the largest coordinate of a node.
fn extent(nodes: &Nodes<'_>, axis: usize) -> Option<[f64; 2]> {
    extremes(nodes.positions.iter().skip(axis).step_by(2).copied())
}

/// A field on a line across a strip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Its position along the axis.
    pub at: f64,
    /// The mean across; NaN if there is no finite value.
    pub mean: f64,
    pub least: f64,
    pub most: f64,
}

/// The field on so many lines across a strip. It is taken as linear on each of [`NodesOfShape::sub_triangles`](crate::io::nodes::NodesOfShape::sub_triangles), so that
/// the means are exact.
pub(super) fn profile(nodes: &Nodes<'_>, values: &[f64], strip: &Strip, count: usize) -> Vec<Column> {
    let Strip { axis, along: [low, high], across: sides } = *strip;
    let step = (high - low) / count as f64;
    let mut columns: Vec<Column> = (0..count)
        .map(|i| Column { at: low + (i as f64 + 0.5) * step, mean: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY })
        .collect();
    let mut lengths = vec![0.0; count];
    for_sub_triangles(nodes, values, |positions, values, triangle| {
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
            if let Some([[from, one], [to, other]]) = within(crossings, sides).filter(|_| found == 2) {
                let length = (to - from).abs();
                lengths[i] += length;
                column.mean += 0.5 * (one + other) * length;
                column.least = column.least.min(one).min(other);
                column.most = column.most.max(one).max(other);
            }
        }
    });
    for (column, length) in columns.iter_mut().zip(lengths) {
        column.mean /= length;
    }
    columns
}

/// The part of a segment, given by positions and values of its ends, between two positions.
fn within([one, other]: [[f64; 2]; 2], [low, high]: [f64; 2]) -> Option<[[f64; 2]; 2]> {
    let [from, to] = [one[0], other[0]];
    let cut = |end: [f64; 2]| {
        let position = end[0].clamp(low, high);
        let part = (position - from) / (to - from);
        if position == end[0] { end } else { [position, one[1] + part * (other[1] - one[1])] }
    };
    (from.min(to) <= high && from.max(to) >= low).then(|| [cut(one), cut(other)])
}
