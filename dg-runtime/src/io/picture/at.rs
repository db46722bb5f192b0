//! Which of the times in a file is drawn.

use std::str::FromStr;

/// One of the times in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// The last.
    Last,
    /// The one that is nearest to this time.
    Near(f64),
}

impl At {
    /// The index of the time, of those in a file.
    pub(super) fn index(self, times: &[f64]) -> usize {
        let nearest = |near: f64| {
            let distance = |&i: &usize| (times[i] - near).abs();
            (0..times.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        match self {
            Self::Last => times.len().saturating_sub(1),
            Self::Near(near) => nearest(near).unwrap_or(0),
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(near) if near.is_finite() => Ok(Self::Near(near)),
            _ if text == "last" => Ok(Self::Last),
            _ => Err("it is neither a number nor `last`".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_time_is_taken() {
        let times = [0.0, 0.5, 2.0];
        for (text, index) in [("last", 2), ("0", 0), ("0.3", 1), ("1.2", 1), ("1.3", 2), ("-4", 0), ("1e3", 2)] {
            assert_eq!(text.parse::<At>().unwrap().index(&times), index, "{text}");
        }
        for text in ["", "first", "NaN", "inf"] {
            assert!(text.parse::<At>().is_err(), "{text}");
        }
    }
}
