//! Initial and boundary data that are not finite or inadmissible, and rates of point sources that are not finite, as causes of an
//! inadmissible solution.

use super::scheme::Scheme;
use super::{Condition, Given, PointSource, Rate, Setup};
use crate::law::Arguments;
use crate::mesh::Neighbour;

impl Given {
    /// What of the given state is not finite or not positive, for messages.
    fn senseless(&self, at: &Arguments<'_>, setup: &Setup) -> Option<String> {
        let mut state = vec![0.0; setup.law.state.len()];
        self.value(at, &mut state);
        let broken = state.iter().any(|value| !value.is_finite());
        let not_finite = match self {
            Self::Formulas(formulas) => formulas.not_finite(at).map(formula),
            Self::Function(function) => {
                broken.then(|| format!("the function `{}` of the law gives {state:?}", function.name))
            }
        };
        not_finite.or_else(|| {
            let mut quantities = setup.law.algebra.admissible.iter().zip(setup.admissible_quantities(&state));
            let (text, value) = quantities.find(|(_, value)| *value <= 0.0)?;
            Some(format!("the given state has {text} = {value:.6e}, which is to be positive,"))
        })
    }
}

impl Condition {
    /// The part of the ghost state, or of a choice, that makes no sense, for messages; values computed from the inner state are not checked.
    fn senseless(&self, at: &Arguments<'_>, setup: &Setup) -> Option<String> {
        let chosen = if let Self::If(choice) = self { choice.condition.not_finite(at).map(formula) } else { None };
        let initially = Arguments { time: 0.0, ..*at };
        chosen.or_else(|| match self.in_force(at) {
            Self::Given(given) | Self::FarField(given) => given.senseless(at, setup),
            Self::Absorbing(given) => given.senseless(&initially, setup),
            Self::Function(_) | Self::If(_) => None,
        })
    }
}

fn formula((text, value): (&str, f64)) -> String {
    format!("the formula `{text}` is {value:?}")
}

/// Data of boundaries that make no sense at these times, and rates of point sources that are not finite, for messages.
pub(super) fn senseless_outside(scheme: Scheme<'_>, times: &[f64]) -> Option<String> {
    let faces = scheme.mesh.boundary_faces().iter();
    let mut at_boundaries =
        faces.map(|face| face.element as usize).filter_map(|element| senseless_data(scheme, element, 1, times));
    at_boundaries.next().or_else(|| {
        let mut rates = scheme.setup.point_sources.iter().filter_map(|source| rate_not_finite(scheme, source, times));
        rates.next()
    })
}

fn rate_not_finite(scheme: Scheme<'_>, source: &PointSource, times: &[f64]) -> Option<String> {
    let Rate::Formula(rate) = &source.rate else { return None };
    times.iter().find_map(|&time| {
        let at = scheme.setup.arguments(&[], &[], &source.position[..scheme.mesh.dim], time);
        let what = formula(rate.not_finite(&at)?);
        Some(format!("of the point source `{}` {what} at t = {time:.6}", source.name))
    })
}

/// Data of an element that make no sense, for messages: its initial state, if no step has been taken, and the data of its
/// boundaries at these times.
pub(super) fn senseless_data(scheme: Scheme<'_>, element: usize, steps: u64, times: &[f64]) -> Option<String> {
    let mesh = scheme.mesh;
    let (section, _) = scheme.on_element(element);
    let reference = section.program.unit.reference();
    let place = |position: &[f64], time: f64| {
        let axes = ["x", "y", "z"].iter().zip(position).map(|(axis, x)| format!("{axis} = {x:.6}, "));
        format!(" at {}t = {time:.6}", axes.collect::<String>())
    };
    let initial = scheme.setup.initial.as_ref().filter(|_| steps == 0);
    let at_start = initial.and_then(|initial| {
        reference.operators.projection_rule(section.setup.map).0.iter().find_map(|point| {
            let position = &mesh.position(element, point)[..mesh.dim];
            let what = initial.senseless(&scheme.setup.arguments(&[], &[], position, 0.0), scheme.setup)?;
            Some(format!("in the initial state {what}{}", place(position, 0.0)))
        })
    });
    let points_of_face = reference.operators.face_points.len();
    let faces = reference.points.chunks_exact(mesh.dim * points_of_face).take(mesh.shape(element).faces());
    let mut at_faces = faces.enumerate().filter_map(|(face, points)| match mesh.neighbour(element, face) {
        Neighbour::Boundary(face) => Some((mesh.boundary_faces()[face as usize].boundary, points)),
        _ => None,
    });
    at_start.or_else(|| {
        at_faces.find_map(|(boundary, points)| {
            let (boundary, condition) = (usize::from(boundary), &scheme.setup.boundaries[usize::from(boundary)]);
            points.chunks_exact(mesh.dim).find_map(|point| {
                let position = &mesh.position(element, point)[..mesh.dim];
                times.iter().find_map(|&time| {
                    let what = condition.senseless(&scheme.setup.arguments(&[], &[], position, time), scheme.setup)?;
                    Some(format!("on `{}` {what}{}", mesh.boundaries()[boundary].name, place(position, time)))
                })
            })
        })
    })
}
