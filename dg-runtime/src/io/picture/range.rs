//! The range of a picture's colours.

use super::colours::Colours;

/// Whether a number can be drawn on an axis.
pub(super) fn drawable(value: f64) -> bool {
    value.abs() <= 1e300
}

/// The least and the largest of the drawable numbers, if there are any.
pub fn extremes(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|&value| drawable(value)).fold(None, |found, value| {
        let [low, high] = found.unwrap_or([value; 2]);
        Some([value.min(low), value.max(high)])
    })
}

/// The least interval that contains both.
pub fn hull(one: Option<[f64; 2]>, other: Option<[f64; 2]>) -> Option<[f64; 2]> {
    extremes(one.into_iter().chain(other).flatten())
}

/// The size of a field's numbers by its law, 0 if unknown, and its rounding errors.
///
/// A field that vanishes consists of rounding errors only, which cannot be recognized from its own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// The size of the numbers.
    pub size: f64,
    /// Smaller differences count as rounding.
    pub rounding: f64,
}

/// Rounding differences relative to the size of the numbers: colours must not show them.
const ROUNDING: f64 = 1e-9;
/// A field has both signs if the smaller end is at least this fraction of the other.
const SIGNED: f64 = 0.2;

/// Smaller numbers are too close to the underflow limit for an axis of their own.
pub(super) const VANISHING: f64 = 1e-290;

/// An interval of positive length for these numbers.
pub(super) fn interval(found: Option<[f64; 2]>, scale: Scale) -> [f64; 2] {
    let [low, high] = found.unwrap_or([0.0, 1.0]);
    let (size, middle) = (size([low, high]).max(scale.size), 0.5 * (low + high));
    let half = if size > VANISHING { 0.5 * size } else { 0.5 };
    if is_constant(found, scale) { [middle - half, middle + half] } else { [low, high] }
}

/// Whether numbers between these are equal up to rounding.
pub(super) fn is_constant(found: Option<[f64; 2]>, scale: Scale) -> bool {
    found.is_some_and(|[low, high]| {
        let size = size([low, high]);
        size <= VANISHING || high - low <= f64::max(ROUNDING * size, scale.rounding)
    })
}

/// The size of numbers between these.
fn size([low, high]: [f64; 2]) -> f64 {
    low.abs().max(high.abs())
}

/// The default colours for numbers between these: diverging ones for a field of both signs.
pub(super) fn usual_colours(found: Option<[f64; 2]>) -> Colours {
    let [low, high] = found.unwrap_or([0.0, 1.0]);
    if f64::min(-low, high) > SIGNED * f64::max(-low, high) { Colours::BlueRed } else { Colours::Viridis }
}

/// The ends of a colour bar over these numbers: symmetric about zero for diverging colours.
pub(super) fn bar(found: Option<[f64; 2]>, scale: Scale, colours: Colours) -> [f64; 2] {
    let [low, high] = interval(found, scale);
    let largest = low.abs().max(high.abs());
    if colours.is_diverging() && low < 0.0 && high > 0.0 { [-largest, largest] } else { [low, high] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_stands_for_zero_where_a_field_has_both_signs() {
        assert_eq!(usual_colours(Some([-1.0, 0.5])), Colours::BlueRed);
        assert_eq!(bar(Some([-1.0, 0.5]), Scale::default(), Colours::BlueRed), [-1.0, 1.0]);
        // An undershoot does not make a density signed.
        assert_eq!(usual_colours(Some([-0.01, 3.0])), Colours::Viridis);
        assert_eq!(bar(Some([-0.01, 3.0]), Scale::default(), Colours::Viridis), [-0.01, 3.0]);
        assert_eq!(bar(Some([1.0, 3.0]), Scale::default(), Colours::BlueRed), [1.0, 3.0]);
    }

    #[test]
    fn rounding_is_not_shown() {
        let shown = |found| interval(found, Scale::default());
        let [low, high] = shown(Some([1.0, 1.0 + 1e-12]));
        assert!((low - 0.5).abs() < 1e-9 && (high - 1.5).abs() < 1e-9);
        assert_eq!(shown(Some([1.0, 1.0 + 1e-8])), [1.0, 1.0 + 1e-8]);
        assert_eq!(shown(Some([0.0, 0.0])), [-0.5, 0.5]);
        assert_eq!(shown(None), [0.0, 1.0]);
        // A field whose numbers are about 400 by its law.
        let scale = Scale { size: 400.0, rounding: 4e-10 };
        assert_eq!(interval(Some([-1e-10, 1e-10]), scale), [-200.0, 200.0]);
        assert_eq!(interval(Some([-1e-9, 1e-9]), scale), [-1e-9, 1e-9]);
    }
}
