//! Rule 3 between two media: a numerical flux that is given the medium of each side is conservative there, too,
//! `f*(l, r, m_l, m_r, n) = -f*(r, l, m_r, m_l, -n)`. All other rules know it between equal media.

use super::symmetry::{DISAGREE, different};
use super::{Checker, Method, SEED};
use crate::derive::{Floats, Inputs, Stop, Wide, text};
use crate::ir::{FunctionId, Law, Role, Type, Value, call, flatten};

/// The number of pairs at which a flux is tried.
const PAIRS: usize = 24;

/// A face between two media.
struct Face {
    left: Side,
    right: Side,
    normal: Vec<f64>,
    parameters: Vec<f64>,
}

#[derive(Clone)]
struct Side {
    state: Vec<f64>,
    medium: Vec<f64>,
}

/// Tries the numerical fluxes of the law as it is written, with its medium; the checker has the medium among the parameters.
pub fn check(checker: &mut Checker, written: &Law) {
    let knows_media = |id: &FunctionId| written.function(*id).signature().any(|ty| *ty == Type::Medium);
    let fluxes = written.with_role(|role| matches!(role, Role::NumericalFlux(_))).filter(knows_media);
    for id in fluxes.filter(|id| !checker.has_error_at(written.function(*id).span)).collect::<Vec<_>>() {
        let faces = faces(checker, written.medium.fields.len());
        let found: Vec<_> = faces.iter().filter_map(|face| Some((face, leak(written, id, face)?))).collect();
        match &found[..] {
            [(face, leak), others @ ..] if others.len() + 1 >= DISAGREE => explain(checker, written, id, face, leak),
            _ if faces.is_empty() => {}
            _ => {
                let name = &written.function(id).name;
                let statement = format!("`{name}` is conservative between two media, too");
                checker.proved(statement, Method::FloatingPoint(faces.len()));
            }
        }
    }
}

/// Random faces with admissible states on both sides.
fn faces(checker: &Checker, fields: usize) -> Vec<Face> {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 20, starts);
    let mut face = || {
        let (of_left, mut of_right) = (wide.parameters(), wide.parameters());
        of_right[fields..].clone_from_slice(&of_left[fields..]);
        let left = wide.admissible(&of_left)?;
        let right = wide.admissible(&of_right)?;
        let side = |point: Inputs<f64>| Side { medium: point.parameters[..fields].to_vec(), state: point.left };
        Some(Face {
            normal: wide.normal(),
            parameters: of_left[fields..].to_vec(),
            left: side(left),
            right: side(right),
        })
    };
    (0..PAIRS).filter_map(|_| face()).collect()
}

impl Face {
    /// The same face seen from the other side.
    fn seen_from_right(&self) -> Self {
        Self {
            left: self.right.clone(),
            right: self.left.clone(),
            normal: self.normal.iter().map(|n| -n).collect(),
            parameters: self.parameters.clone(),
        }
    }

    fn flux(&self, law: &Law, id: FunctionId) -> Result<Vec<f64>, Stop> {
        let elements = |numbers: &[f64]| Value::Elements(numbers.iter().copied().map(Value::Real).collect());
        let mut states = [&self.left.state, &self.right.state].into_iter();
        let mut media = [&self.left.medium, &self.right.medium].into_iter();
        let argument = |ty: &Type| match ty {
            Type::State => elements(states.next().unwrap_or(&self.right.state)),
            Type::Medium => elements(media.next().unwrap_or(&self.right.medium)),
            Type::Normal => elements(&self.normal),
            _ => elements(&self.parameters),
        };
        let arguments: Vec<_> = law.function(id).signature().map(argument).collect();
        Ok(flatten(&call(&mut Floats::default(), law, id, &arguments)?))
    }
}

/// The component that is not conserved, what leaves the left side, and what enters the right one.
fn leak(law: &Law, id: FunctionId, face: &Face) -> Option<(usize, [f64; 2])> {
    let leaving = face.flux(law, id).ok()?;
    let entering: Vec<_> = face.seen_from_right().flux(law, id).ok()?.iter().map(|flux| -flux).collect();
    let component = different(&leaving, &entering)?;
    Some((component, [leaving[component], entering[component]]))
}

fn explain(checker: &mut Checker, law: &Law, id: FunctionId, face: &Face, leak: &(usize, [f64; 2])) {
    let (component, [leaving, entering]) = *leak;
    let function = law.function(id);
    let message = format!(
        "between two media `{}` does not conserve `{}`: f*(l, r, left, right, n) = -f*(r, l, right, left, -n) does not hold",
        function.name, law.state.fields[component].name
    );
    let media: Vec<_> = [("left ", &face.left), ("right ", &face.right)]
        .iter()
        .flat_map(|(side, of)| law.medium.fields.iter().zip(&of.medium).map(move |(field, value)| (side, field, value)))
        .map(|(side, field, value)| format!("{side}{} = {}", field.name, text::real(*value)))
        .collect();
    let point = Inputs {
        parameters: face.parameters.clone(),
        left: face.left.state.clone(),
        right: face.right.state.clone(),
        normal: face.normal.clone(),
        position: Vec::new(),
        time: 0.0,
    };
    let show = text::apart(&[leaving], &[entering]);
    let notes = vec![
        format!("at {}, {}", text::floats(law, &point, text::Show::BothStatesAndNormal), media.join(", ")),
        format!("{} leaves the left side, {} enters the right one", show(leaving), show(entering)),
    ];
    checker.error(function.span, message, notes);
}
