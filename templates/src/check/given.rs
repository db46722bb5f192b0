//! Rule 10: the states that a law's functions give are admissible: initial and exact ones at places near the origin, and
//! ghost states of admissible states. Ghost states of ghost states stay bounded.
//!
//! A function may be meant for a part of the plane, and undefined elsewhere. So a place where it is undefined counts only
//! if there is no other; where it has a value that is inadmissible in a piece of the plane, that is said.

use super::{Checker, SEED};
use crate::derive::{Inputs, Wide, text};
use crate::ir::{FunctionId, Law, Role, Type, Warning};

/// The number of places at which initial and exact states are tried, and of those near the origin.
const PLACES: usize = 48;

/// Places this near to the origin in every direction count as near.
const NEAR: f64 = 1.0;

/// Others are at most this far from it.
const FAR: f64 = 16.0;

/// One in so many places near the origin is a piece of the plane.
const PIECE: usize = 8;

/// The number of admissible states whose ghost states are tried.
const STATES: usize = 24;

/// The number of places at which a ghost state is tried.
const GHOST_PLACES: usize = 8;

/// How often a ghost state is taken of a ghost state: first a few times, and more often if it grows by then.
const REPEATED: (usize, usize) = (8, 200);

/// The growth of a ghost state after both.
const GROWTH: (f64, f64) = (1.2, 1e6);

/// Tries initial, exact and ghost states.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 7, starts);
    let parameters = wide.default_parameters();
    for id in law.with_role(|role| matches!(role, Role::Initial | Role::Exact { .. })) {
        given(checker, id, &mut wide, &parameters);
    }
    let states: Vec<_> = (0..STATES).filter_map(|_| wide.admissible(&parameters)).collect();
    for id in law.with_role(|role| matches!(role, Role::Boundary { .. })) {
        beyond(checker, id, &mut wide, &states);
    }
}

/// What a function gives at a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Admissible,
    Inadmissible,
    Nothing,
}

fn gives(law: &Law, id: FunctionId, point: &Inputs<f64>) -> Given {
    let Ok(left) = point.call(law, id) else { return Given::Nothing };
    if (Inputs { left, ..point.clone() }).is_admissible(law) { Given::Admissible } else { Given::Inadmissible }
}

fn given(checker: &mut Checker, id: FunctionId, wide: &mut Wide, parameters: &[f64]) {
    let law = checker.law;
    let mut at = |size: f64| {
        let position = wide.position(size);
        let none = vec![0.0; law.state.fields.len()];
        let (left, right, normal) = (none.clone(), none, wide.normal());
        let point = Inputs { parameters: parameters.to_vec(), left, right, normal, position, time: 0.0 };
        (gives(law, id, &point), point)
    };
    let near: Vec<_> = (0..PLACES).map(|_| at(NEAR)).collect();
    let far: Vec<_> = (0..PLACES).map(|i| at(FAR / [1.0, 4.0][i % 2])).collect();
    let name = &law.function(id).name;
    let nowhere = near.iter().chain(&far).all(|(given, _)| *given != Given::Admissible);
    let inadmissible: Vec<_> = near.iter().filter(|(given, _)| *given == Given::Inadmissible).collect();
    let (message, example) = if nowhere {
        (format!("`{name}` gives an admissible state at none of the places that were tried"), near.first())
    } else if inadmissible.len() * PIECE >= PLACES {
        (format!("`{name}` gives states that are inadmissible"), inadmissible.first().copied())
    } else {
        return;
    };
    let mut notes = Vec::new();
    if let Some((given, point)) = example {
        notes.push(format!("at {}", text::floats(law, point, text::Show::PositionAndTime)));
        notes.push(match (given, point.call(law, id)) {
            (Given::Inadmissible, Ok(left)) => {
                let state = Inputs { left, parameters: Vec::new(), ..point.clone() };
                format!("there it is {}", text::floats(law, &state, text::Show::State))
            }
            _ => "there it is undefined".into(),
        });
    }
    checker.warning(Warning::InadmissibleState, law.function(id).span, message, notes);
}

fn takes_a_place(law: &Law, id: FunctionId) -> bool {
    law.function(id).signature().any(|ty| matches!(ty, Type::Point | Type::Real))
}

fn beyond(checker: &mut Checker, id: FunctionId, wide: &mut Wide, states: &[Inputs<f64>]) {
    let law = checker.law;
    let function = law.function(id);
    let name = &function.name;
    let places: Vec<_> =
        (0..if takes_a_place(law, id) { GHOST_PLACES } else { 1 }).map(|_| wide.position(4.0)).collect();
    let at = |state: &Inputs<f64>, i: usize| Inputs { position: places[i].clone(), ..state.clone() };
    // At some place the ghost state is admissible, or there is none.
    let fails = |state: &&Inputs<f64>| {
        let all: Vec<_> = (0..places.len()).map(|i| gives(law, id, &at(state, i))).collect();
        all.contains(&Given::Inadmissible) && !all.contains(&Given::Admissible)
    };
    if let Some(state) = states.iter().find(fails) {
        let message = format!("`{name}` has inadmissible ghost states of admissible states");
        let mut notes = vec![format!("at {}", text::floats(law, state, text::Show::StateAndNormal))];
        if let Ok(left) = at(state, 0).call(law, id) {
            let ghost = Inputs { left, parameters: Vec::new(), ..state.clone() };
            notes.push(format!("there it is {}", text::floats(law, &ghost, text::Show::State)));
        }
        checker.warning(Warning::InadmissibleState, function.span, message, notes);
        return; // They may grow for the same reason.
    }
    let grows = |state: &&Inputs<f64>| grows(law, id, &at(state, 0));
    if let Some(state) = states.iter().find(grows) {
        let message =
            format!("ghost states of `{name}` grow without bound when they are repeated: the boundary amplifies waves");
        let notes = vec![
            format!("at {}", text::floats(law, state, text::Show::StateAndNormal)),
            "a mirror subtracts twice the normal part, and its ghost state's ghost state is the state itself".into(),
        ];
        checker.warning(Warning::GrowingGhost, function.span, message, notes);
    }
}

/// Whether ghost states of ghost states grow like a power.
fn grows(law: &Law, id: FunctionId, state: &Inputs<f64>) -> bool {
    let size = |u: &[f64]| u.iter().fold(0.0_f64, |size, u| size.max(u.abs()));
    let start = 1.0 + size(&state.left);
    let mut point = state.clone();
    for k in 0..REPEATED.1 {
        match point.call(law, id) {
            Ok(ghost) => point.left = ghost,
            // Beyond the range of numbers if it has grown before; undefined otherwise, which other rules report.
            Err(_) => return size(&point.left) > GROWTH.1 * start,
        }
        if k == REPEATED.0 && size(&point.left) < GROWTH.0 * start {
            return false;
        }
    }
    size(&point.left) > GROWTH.1 * start
}

#[cfg(test)]
mod tests;
