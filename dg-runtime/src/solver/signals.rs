//! Signals: the solution at receivers at times of their own, between the steps.

use std::collections::VecDeque;

use super::{Received, Setup};

/// Times that differ by less than this share of the interval are the same.
const ROUNDING: f64 = 1e-9;

/// The solution at receivers, at multiples of an interval of time.
///
/// With ADER it is the Taylor series of the step inside the element, without its neighbours (M. Käser & M. Dumbser, Geophys. J. Int. 166
/// (2006) 855–877), and at the ends of steps the solution itself. With other integrators it is between steps the polynomial in time through the solutions after the last steps, one more than the integrator's order: its
/// error is of one order more than that of the integrator. With a limiter it is linear, so that it has no values that the steps do not have.
/// Values depend on the steps alone, not on when they are taken from the device.
#[derive(Clone, Debug)]
pub struct Signals {
    every: f64,
    /// The numbers of the first sample and of the next.
    first: u64,
    next: u64,
    /// The solutions after the last steps, at most `most`.
    nodes: VecDeque<Received>,
    most: usize,
    /// Whether every step has a series.
    has_series: bool,
}

impl Signals {
    /// Signals of a setup every so much time, from this time on.
    pub fn new(setup: &Setup, every: f64, start: f64) -> Self {
        let order = if setup.limiter.is_some() { 1 } else { setup.integrator.order(setup.order) };
        let first = (start / every - ROUNDING).ceil().max(0.0) as u64;
        Self { every, first, next: first, nodes: VecDeque::new(), most: order + 1, has_series: setup.has_series() }
    }

    /// The number of samples so far.
    pub fn count(&self) -> u64 {
        self.next - self.first
    }

    /// The number of samples until a time after the last one.
    pub fn count_at(&self, time: f64) -> f64 {
        self.count() as f64 + (time - self.next_time()) / self.every
    }

    /// The time of the next sample.
    pub fn next_time(&self) -> f64 {
        self.next as f64 * self.every
    }

    /// Adds the solution after a step, or the initial one, and returns the samples up to there. The first samples wait for as many steps
    /// as the polynomial takes.
    pub fn add(&mut self, node: Received) -> Vec<Received> {
        if self.has_series {
            return self.add_with_series(node);
        }
        // What was taken from the device at the end of some steps comes again at the start of the next.
        if self.nodes.back().is_some_and(|last| node.time <= last.time) {
            return Vec::new();
        }
        if self.nodes.len() == self.most {
            self.nodes.pop_front();
        }
        self.nodes.push_back(node);
        if self.nodes.len() == self.most { self.finish() } else { Vec::new() }
    }

    /// The samples of a step with its series, which ends with this node.
    fn add_with_series(&mut self, node: Received) -> Vec<Received> {
        let step = self.nodes.pop_back();
        let mut samples = Vec::new();
        while self.next_time() <= node.time + ROUNDING * self.every {
            let time = self.next_time();
            let at_end = (time - node.time).abs() <= ROUNDING * self.every;
            let within = step.as_ref().filter(|_| !at_end);
            let values = within.map_or_else(|| node.values.clone(), |step| step.at(time));
            samples.push(Received { time, values, ..Received::default() });
            self.next += 1;
        }
        self.nodes.push_back(node);
        samples
    }

    /// The samples that wait for more steps, by a polynomial through fewer.
    pub fn finish(&mut self) -> Vec<Received> {
        let Some(end) = self.nodes.back().map(|last| last.time) else { return Vec::new() };
        let mut samples = Vec::new();
        while self.next_time() <= end + ROUNDING * self.every {
            let time = self.next_time();
            samples.push(Received { time, values: self.value(time.min(end)), ..Received::default() });
            self.next += 1;
        }
        samples
    }

    /// The polynomial through the nodes, in Lagrange's form.
    fn value(&self, time: f64) -> Vec<f64> {
        let mut value = vec![0.0; self.nodes.front().map_or(0, |node| node.values.len())];
        for (i, node) in self.nodes.iter().enumerate() {
            let others = self.nodes.iter().enumerate().filter(|(j, _)| *j != i);
            let weight: f64 = others.map(|(_, other)| (time - other.time) / (node.time - other.time)).product();
            value.iter_mut().zip(&node.values).for_each(|(sum, value)| *sum += weight * value);
        }
        value
    }

    /// Everything from which signals go on after a checkpoint, as text with the bits of all numbers.
    pub fn to_text(&self) -> String {
        let line = |node: &Received| {
            let numbers = std::iter::once(&node.time).chain(&node.values).map(|number| format!("{number:?}"));
            numbers.collect::<Vec<_>>().join(" ")
        };
        // A series is that of the next step, which the solver has.
        let nodes = self.nodes.iter().filter(|_| !self.has_series);
        let lines = std::iter::once(format!("{} {}", self.first, self.next)).chain(nodes.map(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Goes on from such a text; `None` if it is none.
    pub fn resume(self, text: &str) -> Option<Self> {
        let (numbers, nodes) = text.split_once('\n').unwrap_or((text, ""));
        let (first, next) = numbers.split_once(' ')?;
        let (first, next) = (first.parse().ok()?, next.parse().ok()?);
        let node = |line: &str| {
            let mut numbers = line.split(' ').map(|number| number.parse().ok());
            Some(Received { time: numbers.next()??, values: numbers.collect::<Option<_>>()?, ..Received::default() })
        };
        Some(Self { first, next, nodes: nodes.lines().map(node).collect::<Option<_>>()?, ..self })
    }
}

impl Received {
    /// The solution at a time of the step, by its series.
    fn at(&self, time: f64) -> Vec<f64> {
        let share = (time - self.time) / self.dt;
        let mut values = vec![0.0; self.values.len()];
        for term in self.terms.iter().rev().chain([&self.values]) {
            values.iter_mut().zip(term).for_each(|(value, term)| *value = *value * share + term);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::solver::Integrator;

    fn signals(every: f64) -> Signals {
        let setup = Setup { integrator: Integrator::Rk4, ..Setup::new(&WAVES, 2).unwrap() };
        Signals::new(&setup, every, 0.0)
    }

    /// Samples of f after steps of uneven length, of which the longest is `dt`.
    fn sampled(dt: f64, every: f64, f: impl Fn(f64) -> f64) -> Vec<Received> {
        let (mut signals, mut time, mut samples) = (signals(every), 0.0, Vec::new());
        for step in 0..(3.0 / dt) as usize {
            samples.extend(signals.add(Received { time, values: vec![f(time), -f(time)], ..Received::default() }));
            time += dt * [1.0, 0.6, 0.6, 0.9][step % 4];
        }
        samples
    }

    #[test]
    fn polynomials_of_the_integrators_order_are_exact() {
        let f = |t: f64| 1.0 - t + 2.0 * t.powi(3) - t.powi(4);
        let samples = sampled(0.1, 0.07, f);
        for (i, sample) in samples.iter().enumerate() {
            assert_eq!(sample.time, i as f64 * 0.07);
            let [plus, minus] = [1.0, -1.0].map(|sign| sign * f(sample.time));
            assert!((sample.values[0] - plus).abs() < 1e-12 && (sample.values[1] - minus).abs() < 1e-12, "{sample:?}");
        }
        assert!(samples.len() > 30);
    }

    #[test]
    fn errors_are_of_one_order_more_than_the_integrators() {
        let error = |dt| {
            let errors = sampled(dt, 0.013, f64::sin).into_iter().map(|s| (s.values[0] - s.time.sin()).abs());
            errors.fold(0.0, f64::max)
        };
        let rate = (error(0.1) / error(0.05)).log2();
        assert!((rate - 5.0).abs() < 0.2, "{rate}");
    }

    #[test]
    fn what_resumes_goes_on_with_the_same_bits() {
        let values = |step: u32| vec![f64::from(step).sin(), 1.0 / 3.0];
        let node = |step: u32| Received { time: 0.1 * f64::from(step), values: values(step), ..Received::default() };
        let mut straight = signals(0.03);
        let expected: Vec<_> = (0..20).flat_map(|step| straight.add(node(step))).collect();
        for end in 0..19 {
            let mut first = signals(0.03);
            let mut found: Vec<_> = (0..=end).flat_map(|step| first.add(node(step))).collect();
            let mut rest = signals(0.03).resume(&first.to_text()).unwrap();
            // The last solution comes a second time.
            found.extend((end..20).flat_map(|step| rest.add(node(step))));
            assert_eq!(found, expected);
        }
        assert!(signals(1.0).resume("a").is_none() && signals(1.0).resume("0 1\n0.1 b").is_none());
    }

    #[test]
    fn series_are_summed_within_their_steps_and_resume() {
        let setup = Setup { integrator: Integrator::Ader, ..Setup::new(&WAVES, 2).unwrap() };
        assert!(setup.has_series());
        let f = |t: f64| 1.0 + 2.0 * t + 3.0 * t * t;
        let node = |step: u32| {
            let (time, dt) = (0.25 * f64::from(step), 0.25);
            let terms = vec![vec![(2.0 + 6.0 * time) * dt], vec![3.0 * dt * dt]];
            Received { time, values: vec![f(time)], dt, terms }
        };
        for end in 0..9 {
            let mut signals = Signals::new(&setup, 0.1, 0.0);
            // What the device has at the end of some steps says nothing of the next.
            let last = Received { dt: f64::NAN, terms: vec![vec![f64::NAN]; 2], ..node(end) };
            let mut samples: Vec<_> = (0..end).map(node).chain([last]).flat_map(|node| signals.add(node)).collect();
            let mut resumed = Signals::new(&setup, 0.1, 0.0).resume(&signals.to_text()).unwrap();
            samples.extend((end..9).flat_map(|step| resumed.add(node(step))));
            let times: Vec<f64> = samples.iter().map(|sample| sample.time).collect();
            assert_eq!(times, (0..=20).map(|i| f64::from(i) * 0.1).collect::<Vec<_>>());
            assert!(samples.iter().all(|sample| (sample.values[0] - f(sample.time)).abs() < 1e-13), "{samples:?}");
        }
    }

    #[test]
    fn a_short_run_has_its_samples_at_its_end() {
        let mut signals = signals(0.1);
        let node = |time| Received { time, values: vec![time], ..Received::default() };
        assert!(signals.add(node(0.0)).is_empty() && signals.add(node(0.1 * 3.0)).is_empty());
        let times: Vec<f64> = signals.finish().iter().map(|sample| sample.time).collect();
        assert_eq!(times, [0.0, 0.1, 0.2, 0.1 * 3.0]);
        assert!(signals.finish().is_empty());
    }
}
