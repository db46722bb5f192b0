//! Where and how a solution has left the admissible set, in words, with remedies.

use std::fmt;

use crate::law::Variable;

use super::Limiter;

/// Where and how a solution has left the admissible set of its law.
#[derive(Clone, Debug)]
pub struct Inadmissible {
    /// The components of the state.
    pub variables: &'static [Variable],
    /// The admissible quantities, as text.
    pub texts: &'static [&'static str],
    /// Time of the solution, or of the start of the step that cannot be taken.
    pub time: f64,
    /// Steps taken until then.
    pub step: u64,
    /// Length of the step with an inadmissible stage; `None` where the solution itself is inadmissible.
    pub tried: Option<f64>,
    /// The first inadmissible element.
    pub element: usize,
    /// Whether the state is the element's mean, not its value at a point.
    pub is_mean: bool,
    /// The point, or the element's centroid.
    pub position: Vec<f64>,
    /// The state.
    pub state: Vec<f64>,
    /// What the law's `#[admissible]` returns for the state, empty where it has none.
    pub quantities: Vec<f64>,
    /// The boundaries on which the element has a face.
    pub boundaries: Vec<String>,
    /// The initial or boundary data of this element, or the data from outside, that are not finite, if any.
    pub given: Option<String>,
    /// The limiter in use.
    pub limiter: Option<Limiter>,
    /// The key of a case that makes steps shorter.
    pub key: &'static str,
}

/// The remedy for a formula or function without a finite value.
pub(super) const SENSIBLE: &str = "change it so that it is finite and admissible there";

impl Inadmissible {
    /// The numbers of the quantities that are not positive.
    pub fn broken(&self) -> Vec<usize> {
        // NaN is not positive either.
        let positive = |&i: &usize| self.quantities[i] > 0.0;
        (0..self.quantities.len()).filter(|i| !positive(i)).collect()
    }

    pub(super) fn state_is_finite(&self) -> bool {
        self.state.iter().all(|x| x.is_finite())
    }
}

impl fmt::Display for Inadmissible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variables, texts, time, step, tried, element, is_mean, position, state, quantities, .. } = self;
        let list = |parts: &mut dyn Iterator<Item = String>| parts.collect::<Vec<_>>().join(", ");
        let position = list(&mut position.iter().map(|x| format!("{x:.6}")));
        let state = list(&mut variables.iter().zip(state).map(|(variable, x)| format!("{} = {x:.6e}", variable.name)));
        write!(f, "the solution is inadmissible at t = {time:.9e} (step {step}) in element {element} at ({position})")?;
        write!(f, "{}: ", at_boundaries(&self.boundaries))?;
        let what = if *is_mean { "its mean" } else { "its state there" };
        match tried {
            Some(dt) => writeln!(f, "in a step of {dt:.3e} from then {what} becomes {state}")?,
            None => writeln!(f, "{what} is {state}")?,
        }
        let broken = self.broken();
        let (bad, good): (Vec<_>, Vec<_>) =
            texts.iter().zip(quantities).enumerate().partition(|(i, _)| broken.contains(i));
        let values = |of: Vec<(usize, (&&str, &f64))>| {
            list(&mut of.into_iter().map(|(_, (text, value))| format!("{text} = {value:.6e}")))
        };
        match (bad.is_empty(), good.is_empty()) {
            (false, true) => writeln!(f, "not positive: {}", values(bad))?,
            (false, false) => writeln!(f, "not positive: {}; positive: {}", values(bad), values(good))?,
            (true, _) if self.state_is_finite() => {
                writeln!(f, "a wave there has no finite speed, or rounding makes the difference")?;
            }
            (true, _) => writeln!(f, "the state is not finite")?,
        }
        if let Some(given) = &self.given {
            return write!(f, "{given}\n{SENSIBLE}");
        }
        if *step == 0 && tried.is_none() {
            return f.write_str(
                "the initial state itself makes no sense there, or its polynomial does not: check `[initial]`, or refine the mesh",
            );
        }
        f.write_str(&remedy(self.key, self.limiter, &self.boundaries))
    }
}

/// The boundaries of an element, as a phrase that follows its position.
pub(super) fn at_boundaries(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { String::new() } else { format!(", at the boundary {}", names.join(" and ")) }
}

/// Advice for a solution that leaves the admissible set with this limiter, in an element at these boundaries; `key` makes steps
/// shorter.
pub(super) fn remedy(key: &str, limiter: Option<Limiter>, boundaries: &[String]) -> String {
    let more = match limiter {
        None => "; discontinuous solutions need a limiter",
        Some(Limiter { method: None, .. }) => {
            "; discontinuous solutions need a `method` in [limiter] beside positivity"
        }
        Some(Limiter { indicator: Some(_), .. }) => "; without an `indicator` the limiter acts everywhere",
        Some(_) => "",
    };
    let there = if boundaries.is_empty() { "" } else { "; does the condition on the boundary suit the flow there?" };
    format!("try a smaller `{key}`, a finer mesh or a lower order{more}{there}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Indicator, Method, Variables};

    #[test]
    fn what_helps_is_not_there_already() {
        let of = |method, indicator| {
            let limiter = Limiter { method, variables: Variables::Conserved, indicator, positivity: true };
            remedy("cfl", Some(limiter), &[])
        };
        assert!(remedy("cfl", None, &[]).ends_with("; discontinuous solutions need a limiter"));
        assert!(of(None, None).ends_with("need a `method` in [limiter] beside positivity"));
        assert!(of(Some(Method::Moment), None).ends_with("or a lower order"));
        assert!(of(Some(Method::Moment), Some(Indicator::Decay)).contains("without an `indicator`"));
        let walls = ["wall".to_owned(), "lid".to_owned()];
        assert_eq!(at_boundaries(&walls), ", at the boundary `wall` and `lid`");
        assert!(remedy("cfl", None, &walls).ends_with("does the condition on the boundary suit the flow there?"));
    }
}
