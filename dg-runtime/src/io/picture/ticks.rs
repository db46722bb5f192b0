//! Round numbers along an axis, and numbers as text.

/// At most about `most` round numbers in an interval of positive length, with their labels.
pub(super) fn ticks([low, high]: [f64; 2], most: usize) -> Vec<(f64, String)> {
    let most = most.max(2);
    let step = round_step((high - low) / most as f64);
    // A tick at an end shall not be lost to rounding.
    let slack = 1e-6;
    let first = (low / step - slack).ceil() as i64;
    let last = (high / step + slack).floor() as i64;
    let largest = low.abs().max(high.abs());
    (first..=last).take(most + 1).map(|n| n as f64 * step).map(|value| (value, label(value, step, largest))).collect()
}

/// The least of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|&step| step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// As many digits as tell multiples of `step` apart; with an exponent where the `largest` of them asks for it.
fn label(value: f64, step: f64, largest: f64) -> String {
    let (digit, top) = (exponent(step), exponent(largest));
    if (-4..5).contains(&top) {
        format!("{value:.*}", (-digit).max(0) as usize)
    } else if value == 0.0 {
        "0".into()
    } else {
        format!("{value:.*e}", (exponent(value) - digit).max(0) as usize)
    }
}

/// A number with so many significant digits, trailing zeros left out.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // Rounding may carry into a new digit (9.9999 to 10), which the text in exponential form already knows.
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

/// The power of ten of a number's first digit.
fn exponent(value: f64) -> i32 {
    // A step such as 1e-3 may lie a rounding error below the power.
    (value.abs().log10() + 1e-9).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, most: usize) -> Vec<String> {
        ticks([low, high], most).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_lie_inside() {
        assert_eq!(labels(0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-10.0, 10.0, 4), ["-10", "-5", "0", "5", "10"]);
        assert_eq!(labels(0.03, 0.99, 2), ["0.5"]);
        assert_eq!(labels(1.0, 1.000_000_4, 4), ["1.0000000", "1.0000001", "1.0000002", "1.0000003", "1.0000004"]);
        assert_eq!(labels(0.0, 2e6, 4), ["0", "5e5", "1.0e6", "1.5e6", "2.0e6"]);
        assert_eq!(labels(-3e-9, 3e-9, 3), ["-2e-9", "0", "2e-9"]);
    }

    #[test]
    fn ticks_are_few_and_ordered_on_any_interval() {
        for exponent in (-290..=300).step_by(10) {
            let size = 10_f64.powi(exponent);
            for [low, high] in [[-size, size], [size, size * (1.0 + 2e-9)], [0.0, 0.7 * size], [-size, -0.3 * size]] {
                for most in [0, 2, 5, 15] {
                    let ticks = ticks([low, high], most);
                    assert!((1..=most.max(2) + 1).contains(&ticks.len()), "{low:e} {high:e} {most}: {ticks:?}");
                    assert!(ticks.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
                    assert!(ticks.iter().all(|(_, label)| label.len() <= 18), "{ticks:?}");
                }
            }
        }
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
