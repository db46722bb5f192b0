//! When a file is due.

/// The first multiple of `every` after `time`; a time equal to a multiple up to rounding counts as that multiple.
pub(super) fn next_multiple(time: f64, every: f64) -> f64 {
    if every.is_finite() { ((time / every + 1e-9).floor() + 1.0) * every } else { every }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_time_comes_once() {
        let mut time = 0.0;
        for i in 1..1000 {
            time = next_multiple(time, 0.1);
            assert_eq!(time, f64::from(i) * 0.1);
        }
        assert_eq!(next_multiple(0.25, 0.1), 3.0 * 0.1);
        assert_eq!(next_multiple(0.25, f64::INFINITY), f64::INFINITY);
    }
}
