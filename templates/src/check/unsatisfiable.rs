//! Rule 7, third part: some state is admissible. If none was found, the message names the quantity that no state makes positive, or
//! the one that refuses the law's own initial state.

use super::{Checker, SEED, Severity};
use crate::derive::{Inputs, Points, array_elements, text};
use crate::ir::{FunctionId, Law, Role, Span, Warning};

/// The number of random states at which a quantity that is the same everywhere is the same.
const STATES: usize = 40;

/// The positions at which an initial state is tried.
const POSITIONS: [[f64; 2]; 3] = [[0.0, 0.0], [0.3, 0.4], [-0.6, 0.2]];

/// Says why there may be no admissible state, after none was found, unless a mistake is known that may be the reason.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    if checker.report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    let admissible = law.only(&Role::Admissible);
    if let Some(id) = admissible
        && let Some((i, value)) = constant(law, id)
    {
        let message =
            format!("{} is {} at all states, so that none is admissible", quantity(law, id, i), text::real(value));
        let note = "a state is admissible if all quantities are positive: leave it out, or correct it";
        return checker.error(place(law, id, i), message, vec![note.into()]);
    }
    let span = admissible.map_or(law.span, |id| law.function(id).span);
    let message = "nothing could be checked: none of the random states that were tried is admissible and has a flux";
    let mut notes = Vec::new();
    match admissible.and_then(|id| refused(law, id)) {
        Some(note) => notes.push(note),
        None => notes.push("an `#[initial]` or `#[exact]` function gives states to start from".into()),
    }
    checker.warning(Warning::Unchecked, span, message.into(), notes);
}

/// The first quantity that is not positive and the same at all states, and its value.
fn constant(law: &Law, id: FunctionId) -> Option<(usize, f64)> {
    let mut points = Points::new(law, SEED + 11);
    let parameters = points.any().parameters;
    let at =
        |point: crate::derive::Point| Inputs { parameters: parameters.clone(), ..point }.map(|value| value.to_f64());
    let values: Vec<_> = (0..STATES).filter_map(|_| at(points.any()).call(law, id).ok()).collect();
    let first = values.first().filter(|_| values.len() > 1)?;
    let same = |i: &usize| first[*i] <= 0.0 && values.iter().all(|value| value[*i] == first[*i]);
    (0..first.len()).find(same).map(|i| (i, first[i]))
}

/// Where the law starts, and which quantity refuses that.
fn refused(law: &Law, id: FunctionId) -> Option<String> {
    let start = law.with_role(|role| matches!(role, Role::Initial | Role::Exact { .. })).next()?;
    let mut points = Points::new(law, SEED + 12);
    let default = points.any().map(|value| value.to_f64());
    POSITIONS.iter().find_map(|position| {
        let at = Inputs { position: position[..law.dim].to_vec(), time: 0.0, ..default.clone() };
        let state = Inputs { left: at.call(law, start).ok()?, ..at.clone() };
        let values = state.call(law, id).ok()?;
        let (i, value) = values.iter().enumerate().find(|(_, value)| **value <= 0.0)?;
        Some(format!(
            "at {} `{}` is {}, and there {} is {}, not positive",
            text::floats(law, &Inputs { parameters: Vec::new(), ..at }, text::Show::PositionAndTime),
            law.function(start).name,
            text::floats(law, &state, text::Show::State),
            quantity(law, id, i),
            text::real(*value),
        ))
    })
}

/// A quantity of `#[admissible]` as the user wrote it.
fn quantity(law: &Law, id: FunctionId, i: usize) -> String {
    let function = law.function(id);
    match array_elements(function) {
        Some(elements) => format!("`{}`", text::inlined(law, function, elements[i])),
        None => format!("`{}[{i}]`", function.name),
    }
}

fn place(law: &Law, id: FunctionId, i: usize) -> Span {
    let function = law.function(id);
    array_elements(function).map_or(function.span, |elements| function.expr(elements[i]).span)
}

#[cfg(test)]
mod tests {
    use crate::check::laws::SHALLOW_WATER;
    use crate::check::testing::law;
    use crate::check::tests::found;
    use crate::check::{Severity, analyse};
    use crate::ir::Warning;

    #[test]
    fn a_quantity_that_no_state_makes_positive_is_a_mistake_at_its_place() {
        for (quantities, at, value) in
            [("[f64; 2] { [u.h, -1.0]", "-1.0", "-1"), ("[f64; 2] { let none = u.h - u.h; [none, u.h]", "none", "0")]
        {
            let text = SHALLOW_WATER.replace("[f64; 1] {\n    [u.h]", quantities);
            assert_ne!(text, SHALLOW_WATER);
            let source = law("sea", &text);
            let found = found(&source);
            let [(Severity::Error, place, message)] = &found[..] else { panic!("{found:?}") };
            assert_eq!(*place, at);
            assert!(message.ends_with(&format!("is {value} at all states, so that none is admissible")), "{message}");
        }
    }

    #[test]
    fn the_quantity_that_refuses_the_initial_state_is_named() {
        let text = SHALLOW_WATER.replace("    [u.h]", "    [-u.h * u.h]");
        let start = "#[initial] fn lake(x: Point) -> State { State { h: 2.0, hu: 0.0, hv: 0.0 } }";
        let source = law("sea", &format!("{text}{start}"));
        let (report, _) = analyse(&source.law);
        let [diagnostic] = &report.diagnostics[..] else { panic!("{:#?}", report.diagnostics) };
        assert_eq!(diagnostic.severity, Severity::Warning(Warning::Unchecked));
        let wanted = "at x.x = 0, x.y = 0, t = 0 `lake` is h = 2, hu = 0, hv = 0, g = 9.81, and there `-u.h * u.h` is -4, not positive";
        assert_eq!(diagnostic.notes[0], wanted);
    }
}
