//! Axes: the numbers along them, written so that different numbers look different.

use plotters::coord::ranged1d::{BoldPoints, Ranged as _};
use plotters::coord::types::RangedCoordf64;

use super::range::{VANISHING, extremes};

/// An axis from a least to a largest number.
///
/// The chart crate gets transformed numbers, those along the axis: logarithms, or differences from
/// `base` in multiples of `unit`. So they have few digits, whatever their size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    name: String,
    ends: [f64; 2],
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Linear { base: f64, unit: f64 },
    Logarithmic,
}

/// The smallest relative difference that an axis resolves without subtracting a base.
const CLOSE: f64 = 1e-4;

impl Axis {
    /// A linear axis over an interval of positive length.
    pub fn linear(name: impl Into<String>, ends: [f64; 2]) -> Self {
        let [low, high] = ends;
        let (length, size) = (high - low, f64::max(low.abs(), high.abs()));
        let middle = 0.5 * (low + high);
        let base = if length < CLOSE * size { rounded(middle, exponent(length)).parse().unwrap_or(0.0) } else { 0.0 };
        let power = exponent(f64::max((low - base).abs(), (high - base).abs()));
        let unit = if (-3..5).contains(&power) { 1.0 } else { power_of_ten(power) };
        Self { name: name.into(), ends, kind: Kind::Linear { base, unit } }
    }

    /// A logarithmic axis over an interval of positive numbers.
    pub fn logarithmic(name: impl Into<String>, ends: [f64; 2]) -> Self {
        Self { name: name.into(), ends, kind: Kind::Logarithmic }
    }

    /// A logarithmic axis with a margin around the positive ones of these numbers.
    pub fn over_positive(name: impl Into<String>, numbers: impl Iterator<Item = f64>) -> Self {
        let [low, high] = extremes(numbers.filter(|&number| number > VANISHING)).unwrap_or([0.1, 1.0]);
        // At least two labels: a decade, and its double or half.
        let room = if high < 4.0 * low { 2.0 } else { 1.3 };
        Self::logarithmic(name, [low / room, high * room])
    }

    /// The text beside the axis: its name, and the transformation of the numbers along it.
    pub fn caption(&self) -> String {
        let name = &self.name;
        let Kind::Linear { base, unit } = self.kind else { return name.clone() };
        let without_base = match base {
            0.0 => name.clone(),
            base => {
                let sign = if base < 0.0 { '+' } else { '−' };
                format!("{name} {sign} {}", rounded(base.abs(), exponent(self.ends[1] - self.ends[0])))
            }
        };
        match (base == 0.0, unit == 1.0) {
            (_, true) => without_base,
            (true, false) => format!("{name} / {unit:e}"),
            (false, false) => format!("({without_base}) / {unit:e}"),
        }
    }

    /// The number along the axis.
    pub fn at(&self, number: f64) -> f64 {
        match self.kind {
            Kind::Linear { base, unit } => (number - base) / unit,
            Kind::Logarithmic => number.log10(),
        }
    }

    /// The interval of numbers along the axis.
    pub fn along(&self) -> std::ops::Range<f64> {
        self.at(self.ends[0])..self.at(self.ends[1])
    }

    /// The ends of the axis.
    pub fn ends(&self) -> [f64; 2] {
        self.ends
    }

    /// The nearest number on the axis.
    pub fn clamp(&self, number: f64) -> f64 {
        number.clamp(self.ends[0], self.ends[1])
    }

    /// Whether a number can be drawn on the axis.
    pub fn has(&self, number: f64) -> bool {
        (self.ends[0]..=self.ends[1]).contains(&number)
    }

    /// About at most so many round numbers along the axis.
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let along = self.along();
        if self.kind != Kind::Logarithmic {
            return RangedCoordf64::from(along).key_points(BoldPoints(most.max(2)));
        }
        let (first, last) = (along.start.floor() as i32, along.end.ceil() as i32);
        let decades = (along.end - along.start).max(1.0);
        // 1, 2 and 5 of every decade if there is room; else every decade, or every second, …
        let digits: &[f64] = if decades * 3.0 <= most as f64 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let stride = (decades / most.max(1) as f64).ceil().max(1.0) as i32;
        // Rounding must not lose a tick at an end.
        let inside = (along.start - 1e-9)..=(along.end + 1e-9);
        (first..=last)
            .filter(|power| power.rem_euclid(stride) == 0)
            .flat_map(|power| digits.iter().map(move |digit| f64::from(power) + digit.log10()))
            .filter(|tick| inside.contains(tick))
            .collect()
    }

    /// The labels of these numbers along the axis.
    pub fn labels(&self, ticks: &[f64]) -> Vec<String> {
        if self.kind == Kind::Logarithmic {
            return ticks.iter().map(|&tick| power_label(tick)).collect();
        }
        let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let step = if step.is_finite() { step } else { 1.0 };
        let shown_by = |digits: &usize| {
            let unit = 10_f64.powi(*digits as i32);
            ticks.iter().all(|tick| ((tick * unit).round() / unit - tick).abs() < 1e-3 * step)
        };
        let digits = (0..=12).find(shown_by).unwrap_or(12);
        ticks.iter().map(|&tick| plain(tick, digits)).collect()
    }
}

/// A number with so many decimals; zero has no sign.
fn plain(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// A number rounded to this power of ten.
fn rounded(number: f64, power: i32) -> String {
    match power {
        -15..0 => plain(number, power.unsigned_abs() as usize),
        0..5 => {
            let digit = power_of_ten(power);
            plain((number / digit).round() * digit, 0)
        }
        _ => format!("{number:.*e}", (exponent(number) - power).max(0) as usize),
    }
}

/// The number whose logarithm is given, with one digit: 0.02, 5, 1e-7.
fn power_label(logarithm: f64) -> String {
    let power = (logarithm + 1e-9).floor() as i32;
    let digit = 10_f64.powf(logarithm - f64::from(power)).round();
    match power {
        -3..0 => format!("{:.*}", power.unsigned_abs() as usize, digit * power_of_ten(power)),
        0..5 => format!("{:.0}", digit * power_of_ten(power)),
        _ => format!("{digit}e{power}"),
    }
}

/// The power of ten of a number's first digit.
fn exponent(number: f64) -> i32 {
    // The logarithm of 1e-3 may be slightly below -3.
    if number == 0.0 { 0 } else { (number.abs().log10() + 1e-9).floor() as i32 }
}

fn power_of_ten(exponent: i32) -> f64 {
    // Parsed, which rounds correctly, unlike `powi`.
    format!("1e{exponent}").parse().unwrap_or(f64::MIN_POSITIVE)
}

/// A number with so many significant digits, without trailing zeros.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // Rounding may carry into a new digit (9.9999 to 10); the exponential form accounts for this.
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let strip = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if (-4..=digits as i32).contains(&exponent) {
        strip(&format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize))
    } else {
        format!("{}e{exponent}", strip(mantissa))
    }
}

/// Two numbers with the fewest digits that show them to a hundredth of their difference, but at least five.
pub(super) fn apart([low, high]: [f64; 2]) -> [String; 2] {
    let texts = |digits| [low, high].map(|value| significant(value, digits));
    let shows = |texts: &[String; 2]| {
        let error = |text: &str, value: f64| text.parse().map_or(f64::NAN, |read: f64| (read - value).abs());
        let worst = f64::max(error(&texts[0], low), error(&texts[1], high));
        low == high || worst <= 0.01 * (high - low)
    };
    (5..17).map(texts).find(shows).unwrap_or_else(|| texts(17))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, most: usize) -> Vec<String> {
        axis.labels(&axis.ticks(most))
    }

    #[test]
    fn ticks_are_round_and_lie_inside() {
        assert_eq!(labels(&Axis::linear("x", [0.0, 1.0]), 6), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::linear("x", [-10.0, 10.0]), 5), ["-10", "-5", "0", "5", "10"]);
        let powers = Axis::logarithmic("h", [0.1, 100.0]);
        assert_eq!(labels(&powers, 12), ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(labels(&Axis::logarithmic("e", [1e-9, 1e-3]), 3), ["1e-8", "1e-6", "1e-4"].map(String::from)[..]);
    }

    #[test]
    fn what_is_written_is_the_number_again() {
        for ends in
            [[1.0, 1.0 + 3e-8], [-2.5 - 1e-6, -2.5], [0.0, 4e-17], [1e20, 3e20], [1e6, 1e6 + 1.0], [-3e-9, 3e-9]]
        {
            let axis = Axis::linear("q", ends);
            let caption = axis.caption();
            let Kind::Linear { base, unit } = axis.kind else { unreachable!() };
            if base != 0.0 {
                let written = caption.trim_start_matches('(').split([' ', ')']).nth(2).unwrap().parse::<f64>().unwrap();
                assert_eq!(written, base.abs(), "{caption}");
            }
            let ticks = axis.ticks(6);
            let numbers: Vec<f64> =
                labels(&axis, 6).iter().map(|label| base + unit * label.parse::<f64>().unwrap()).collect();
            assert!(numbers.len() >= 3 && numbers.len() == ticks.len(), "{numbers:?}");
            let slack = 1e-9 * (ends[1] - ends[0]) + 4.0 * f64::EPSILON * base.abs();
            assert!(
                numbers.iter().all(|number| (ends[0] - slack..=ends[1] + slack).contains(number)),
                "{ends:?} {numbers:?}"
            );
        }
        assert_eq!(Axis::linear("rho", [1.0, 1.0 + 4e-8]).caption(), "(rho − 1.00000002) / 1e-8");
        assert_eq!(Axis::linear("p", [0.0, 2e6]).caption(), "p / 1e6");
    }

    #[test]
    fn ticks_are_few_and_differ_on_any_interval() {
        for exponent in (-290..=300).step_by(10) {
            let size = 10_f64.powi(exponent);
            for ends in [[-size, size], [size, size * (1.0 + 2e-9)], [0.0, 0.7 * size], [-size, -0.3 * size]] {
                for most in [0, 2, 5, 15] {
                    let axis = Axis::linear("x", ends);
                    let labels = labels(&axis, most);
                    assert!((1..=most.max(2) + 1).contains(&labels.len()), "{ends:?} {most}: {labels:?}");
                    assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{ends:?}: {labels:?}");
                    assert!(labels.iter().all(|label| label.len() <= 8), "{ends:?}: {labels:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_next_to_zero_have_no_logarithmic_axis() {
        for numbers in [[1e-320, 1.0], [f64::MIN_POSITIVE, 1.0], [0.0, 1.0], [-1.0, 1.0], [f64::NAN, f64::INFINITY]] {
            let axis = Axis::over_positive("h", numbers.into_iter());
            assert!(axis.ends[0] < axis.ends[1] && axis.has(axis.clamp(1e-320)), "{numbers:?}: {axis:?}");
        }
    }

    #[test]
    fn numbers_that_differ_are_told_apart() {
        assert_eq!(apart([1.0, 1.0 + 1e-12]), ["1", "1.000000000001"]);
        assert_eq!(apart([0.125, 1.0]), ["0.125", "1"]);
        // Neither is 1, although with six digits one looks like it and the texts differ.
        assert_eq!(apart([0.999998, 1.000002]), ["0.999998", "1.000002"]);
        assert_eq!(apart([0.35, 0.35]), ["0.35", "0.35"]);
        let [low, high] = apart([1.0, 1.0 + f64::EPSILON]);
        assert_ne!(low, high);
    }

    #[test]
    fn significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.35, "0.35"),
            (1.0 / 3.0, "0.33333"),
            (2.682_350, "2.6824"),
            (9.999_999, "10"),
            (-1234.56, "-1234.6"),
            (100_000.0, "100000"),
            (1.5e-7, "1.5e-7"),
            (-2e20, "-2e20"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(significant(value, 5), text);
        }
    }
}
