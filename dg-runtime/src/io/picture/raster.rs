//! Fills triangles on a grid of samples.

/// The content of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sample {
    /// No triangle.
    Outside,
    /// The value of the triangle filled last.
    Inside(f32),
}

/// A grid of samples; sample (i, j) lies at (i + ½, j + ½), the first row at the bottom.
pub(super) struct Raster {
    width: usize,
    height: usize,
    samples: Vec<Sample>,
}

impl Raster {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, samples: vec![Sample::Outside; width * height] }
    }

    pub(super) fn sample(&self, i: usize, j: usize) -> Sample {
        self.samples[j * self.width + i]
    }

    /// Fills a triangle with the linear function of its values at the corners.
    pub(super) fn fill(&mut self, corners: [[f64; 2]; 3], values: [f64; 3]) {
        let [a, b, c] = corners;
        let cross =
            |o: [f64; 2], p: [f64; 2], q: [f64; 2]| (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
        let area = cross(a, b, c);
        if area == 0.0 {
            return;
        }
        for j in samples_between(corners.map(|corner| corner[1]), self.height) {
            for i in samples_between(corners.map(|corner| corner[0]), self.width) {
                let here = [i as f64 + 0.5, j as f64 + 0.5];
                let weights = [cross(here, b, c) / area, cross(here, c, a) / area, cross(here, a, b) / area];
                // Neighbours overlap slightly, so that rounding leaves no gap between them.
                if weights.iter().all(|&weight| weight >= -1e-6) {
                    let value: f64 = weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
                    self.samples[j * self.width + i] = Sample::Inside(value as f32);
                }
            }
        }
    }
}

/// The samples along an axis that can lie between the least and the largest of three coordinates.
fn samples_between(coordinates: [f64; 3], count: usize) -> std::ops::Range<usize> {
    let low = coordinates.into_iter().fold(f64::INFINITY, f64::min);
    let high = coordinates.into_iter().fold(f64::NEG_INFINITY, f64::max);
    (low - 0.5).floor().max(0.0) as usize..((high + 0.5).ceil().max(0.0) as usize).min(count)
}
