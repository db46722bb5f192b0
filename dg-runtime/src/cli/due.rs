//! When a file is due.

/// How many multiples of `every` have come by `time`, which counts as a multiple if it is one up to rounding.
fn multiples(time: f64, every: f64) -> f64 {
    if every.is_finite() { (time / every * (1.0 + 4.0 * f64::EPSILON) + 1e-9).floor() } else { 0.0 }
}

/// The first multiple of `every` after `time`; a time equal to a multiple up to rounding counts as that multiple.
pub(super) fn next_multiple(time: f64, every: f64) -> f64 {
    if every.is_finite() { (multiples(time, every) + 1.0) * every } else { every }
}

/// Whether a multiple of `every` comes between `before` and `time`, which counts as one if it is one up to rounding: three times 0.1 is more
/// than ten times 0.03, and both are due after the same step.
pub(super) fn passes_multiple(before: f64, time: f64, every: f64) -> bool {
    multiples(time, every) > multiples(before, every)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_time_comes_once() {
        for every in [0.1, 0.07, 1e-9, 3.7] {
            let mut time = 0.0;
            for i in 1..100_000 {
                let next = next_multiple(time, every);
                assert_eq!(next, f64::from(i) * every);
                assert!(passes_multiple(time, next, every));
                time = next;
            }
        }
        assert!(!passes_multiple(0.25, 0.29, 0.1));
        assert_eq!(next_multiple(0.25, 0.1), 3.0 * 0.1);
        assert_eq!(next_multiple(0.25, f64::INFINITY), f64::INFINITY);
        assert!(!passes_multiple(0.25, 1e300, f64::INFINITY));
    }

    #[test]
    fn times_of_several_schedules_that_differ_by_rounding_come_together() {
        let schedules = [0.1, 0.03, 0.07, 0.3];
        let mut found = [0; 4];
        let mut time = 0.0;
        while time < 209.995 {
            let next = schedules.map(|every| next_multiple(time, every)).into_iter().fold(f64::INFINITY, f64::min);
            assert!(next - time > 1e-3, "two steps to one time, {next:?}");
            for (count, every) in found.iter_mut().zip(schedules) {
                *count += u32::from(passes_multiple(time, next, every));
            }
            time = next;
        }
        assert_eq!(found, [2100, 7000, 3000, 700]);
    }
}
