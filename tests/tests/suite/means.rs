//! The reported range of means agrees with the coefficients.

use tests::{case, means, solver};

#[test]
#[ignore = "long"]
fn the_range_of_means_is_that_of_the_coefficients() {
    for (order, precision, tolerance) in [(0, "double", 1e-15), (3, "double", 1e-15), (1, "single", 1e-7)] {
        let solver = solver(&case(&format!(
            "law = \"advection\"\norder = {order}\nprecision = \"{precision}\"\ninitial.function = \"gaussian\"\n\
             mesh = {{ generator = \"rectangle\", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [13, 13] }}\n\
             boundaries = {{ left = {{ periodic = \"right\" }}, bottom = {{ periodic = \"top\" }} }}\ntime.final = 1\n"
        )));
        let means = means(&solver);
        let least = means.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(largest > 0.1 && least < 0.01, "{least} to {largest}");
        let [[found_least, found_largest]] = solver.range_of_means().unwrap()[..] else { panic!() };
        assert!((found_least - least).abs() <= tolerance && (found_largest - largest).abs() <= tolerance);
    }
}
