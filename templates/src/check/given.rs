//! Rule 10: the states that a law's functions give are admissible: initial and exact ones at places near the origin, and
//! ghost states of admissible states, at such places and at several times if they depend on these. Ghost states of ghost states stay
//! bounded.
//!
//! A function may be meant for a part of the plane, and undefined elsewhere. So a place where it is undefined counts only
//! if there is no other; where it has a value that is inadmissible in a piece of the plane, that is said.

use super::{Checker, SEED};
use crate::derive::{Inputs, Wide, array_elements, text};
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

/// Ghost states that depend on time are tried up to this one.
const LATEST: f64 = 1.0;

/// The number of places and times at which growth is tried.
const GROWTH_PLACES: usize = 4;

/// How often a ghost state is taken of a ghost state in each of three spans, first in short ones, and in long ones if it grows in these.
const REPEATED: [usize; 3] = [4, 100, 1000];

/// What grows without bound grows in each span by at least this part of what it grew by in the one before; what tends to a limit, be it
/// by a thousandth a time, does not do so in long ones.
const GROWTH: f64 = 0.99;

/// Growth by less than this part in a span is rounding.
const ROUNDING: f64 = 1e-9;

/// A state that is larger by this factor has grown.
const LARGE: f64 = 1e6;

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
    // A number beyond the range of double precision is as good as none.
    let Some(left) = point.call(law, id).ok().filter(|left| left.iter().all(|u| u.is_finite())) else {
        return Given::Nothing;
    };
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
            (Given::Inadmissible, Ok(left)) => there_it_is(law, &Inputs { left, ..point.clone() }),
            _ => "there it is undefined".into(),
        });
    }
    checker.warning(Warning::InadmissibleState, law.function(id).span, message, notes);
}

/// A line about an inadmissible state, and the first quantity of it that is not positive.
fn there_it_is(law: &Law, state: &Inputs<f64>) -> String {
    let shown = text::floats(law, &Inputs { parameters: Vec::new(), ..state.clone() }, text::Show::State);
    let quantity = || {
        let id = law.only(&Role::Admissible)?;
        let (function, values) = (law.function(id), state.call(law, id).ok()?);
        let (i, value) = values.iter().enumerate().find(|(_, value)| **value <= 0.0)?;
        let quantity = text::expression(law, function, *array_elements(function)?.get(i)?);
        Some(format!(", and `{quantity}` is {}, not positive", text::real(*value)))
    };
    let beyond = || ", where the law is undefined, or beyond the range of double precision".to_owned();
    format!("there it is {shown}{}", quantity().unwrap_or_else(beyond))
}

fn takes_a_place(law: &Law, id: FunctionId) -> bool {
    law.function(id).signature().any(|ty| matches!(ty, Type::Point | Type::Real))
}

fn beyond(checker: &mut Checker, id: FunctionId, wide: &mut Wide, states: &[Inputs<f64>]) {
    let law = checker.law;
    let function = law.function(id);
    let name = &function.name;
    let has_places = takes_a_place(law, id);
    let places: Vec<_> = (0..if has_places { PLACES } else { 1 })
        .map(|i| (wide.position(NEAR), if i == 0 { 0.0 } else { wide.time(LATEST) }))
        .collect();
    let at = |state: &Inputs<f64>, (position, time): &(Vec<f64>, f64)| Inputs {
        position: position.clone(),
        time: *time,
        ..state.clone()
    };
    if let Some((state, place)) = inadmissible(law, id, states, &places, at) {
        let message = format!("`{name}` has inadmissible ghost states of admissible states");
        let point = at(state, place);
        let mut notes = vec![format!("at {}", text::floats(law, &point, text::Show::StateAndNormal))];
        if has_places {
            let place = Inputs { parameters: Vec::new(), ..point.clone() };
            notes.push(format!("and {}", text::floats(law, &place, text::Show::PositionAndTime)));
        }
        if let Ok(left) = point.call(law, id) {
            notes.push(there_it_is(law, &Inputs { left, ..point }));
        }
        checker.warning(Warning::InadmissibleState, function.span, message, notes);
        return; // They may grow for the same reason.
    }
    let points = states.iter().flat_map(|state| places.iter().take(GROWTH_PLACES).map(|place| at(state, place)));
    if let Some(point) = points.into_iter().find(|point| grows(law, id, point)) {
        let message = format!(
            "ghost states of `{name}` grow without bound when they are repeated: the boundary adds to what arrives"
        );
        let notes = vec![
            format!("at {}", text::floats(law, &point, text::Show::StateAndNormal)),
            "a mirror subtracts twice the normal part, and its ghost state's ghost state is the state itself".into(),
        ];
        checker.warning(Warning::GrowingGhost, function.span, message, notes);
    }
}

type Place = (Vec<f64>, f64);

/// A state and a place with an inadmissible ghost state, if that is no exception: the ghost states of the state are inadmissible
/// wherever they are defined, or those of most states are in a piece of the plane or for some time.
fn inadmissible<'a>(
    law: &Law,
    id: FunctionId,
    states: &'a [Inputs<f64>],
    places: &'a [Place],
    at: impl Fn(&Inputs<f64>, &Place) -> Inputs<f64>,
) -> Option<(&'a Inputs<f64>, &'a Place)> {
    let all: Vec<Vec<Given>> =
        states.iter().map(|state| places.iter().map(|place| gives(law, id, &at(state, place))).collect()).collect();
    let of_state =
        all.iter().position(|given| given.contains(&Given::Inadmissible) && !given.contains(&Given::Admissible));
    let most = |place: usize| 2 * all.iter().filter(|given| given[place] == Given::Inadmissible).count() > all.len();
    let bad: Vec<_> = (0..places.len()).filter(|&place| most(place)).collect();
    let state = of_state.or_else(|| {
        let piece = bad.len() * PIECE >= places.len();
        bad.first().filter(|_| piece).and_then(|&bad| all.iter().position(|given| given[bad] == Given::Inadmissible))
    })?;
    let place = all[state].iter().position(|given| *given == Given::Inadmissible)?;
    Some((&states[state], &places[place]))
}

/// Whether ghost states of ghost states grow without bound, by a factor or by a summand.
fn grows(law: &Law, id: FunctionId, state: &Inputs<f64>) -> bool {
    REPEATED.iter().all(|&times| grows_in(law, id, state, times))
}

/// Whether the sizes that a component reaches in three spans of so many repetitions rise as if there were no bound.
fn grows_in(law: &Law, id: FunctionId, state: &Inputs<f64>, times: usize) -> bool {
    let size = |u: &[f64]| u.iter().fold(0.0_f64, |size, u| size.max(u.abs()));
    let mut point = state.clone();
    let mut reached = vec![[0.0_f64; 3]; state.left.len()];
    for span in 0..3 {
        for _ in 0..times {
            match point.call(law, id) {
                Ok(ghost) => point.left = ghost,
                // Beyond the range of numbers if it has grown before; undefined otherwise, which other rules report.
                Err(_) => return size(&point.left) > LARGE * (1.0 + size(&state.left)),
            }
            for (reached, u) in reached.iter_mut().zip(&point.left) {
                reached[span] = reached[span].max(u.abs());
            }
        }
    }
    reached.iter().any(|[first, second, third]| {
        let rises = [second - first, third - second];
        rises[0] > ROUNDING * (1.0 + first) && rises[1] >= GROWTH * rises[0]
    })
}

#[cfg(test)]
mod tests;
