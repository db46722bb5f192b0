//! Rule 3 between two media: a numerical flux that is given the medium of each side is conservative there, too,
//! `f*(l, r, m_l, m_r, n) = -f*(r, l, m_r, m_l, -n)`, and a non-conservative product at a jump is the same from both sides, and at small
//! jumps of the medium alone the product. [`interfaces`](super::interfaces) has what else they are held
//! to there. All other rules know them between equal media.

use super::symmetry::{DISAGREE, different};
use super::{Checker, Method, SEED};
use crate::derive::{Floats, Inputs, Stop, Wide, text};
use crate::ir::{FunctionId, Law, Role, Type, Value, call, flatten};

/// The number of pairs at which a flux is tried.
const PAIRS: usize = 24;

/// A face between two media.
pub struct Face {
    pub left: Side,
    pub right: Side,
    pub normal: Vec<f64>,
    pub parameters: Vec<f64>,
}

#[derive(Clone)]
pub struct Side {
    pub state: Vec<f64>,
    pub medium: Vec<f64>,
}

/// Tries the numerical fluxes of the law as it is written, with its medium; the checker has the medium among the parameters.
pub fn check(checker: &mut Checker, written: &Law) {
    let knows_media = |id: &FunctionId| written.function(*id).signature().any(|ty| *ty == Type::Medium);
    let fluxes = written.with_role(|role| matches!(role, Role::NumericalFlux(_) | Role::Jump)).filter(knows_media);
    for id in fluxes.filter(|id| !checker.has_error_at(written.function(*id).span)).collect::<Vec<_>>() {
        let faces = faces(checker, written.medium.fields.len());
        let found: Vec<_> = faces.iter().filter_map(|face| Some((face, leak(written, id, face)?))).collect();
        match &found[..] {
            [(face, leak), others @ ..] if others.len() + 1 >= DISAGREE => explain(checker, written, id, face, leak),
            _ if faces.is_empty() => {}
            _ if written.function(id).role == Role::Jump && !is_the_product(checker, written, id, &faces) => {}
            _ => {
                let name = &written.function(id).name;
                let statement = match written.function(id).role {
                    Role::Jump => format!(
                        "`{name}` is the same from both sides between two media, and the product at small jumps there, too"
                    ),
                    _ => format!("`{name}` is conservative between two media, too"),
                };
                checker.proved(statement, Method::FloatingPoint(faces.len()));
            }
        }
    }
}

/// Random faces with admissible states on both sides.
pub fn faces(checker: &Checker, fields: usize) -> Vec<Face> {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 20, starts);
    (0..PAIRS).filter_map(|_| Face::random(&mut wide, fields)).collect()
}

impl Face {
    /// A face with admissible states on both sides, between media with so many fields.
    pub fn random(wide: &mut Wide, fields: usize) -> Option<Self> {
        let (of_left, mut of_right) = (wide.parameters(), wide.parameters());
        of_right[fields..].clone_from_slice(&of_left[fields..]);
        let left = wide.admissible(&of_left)?;
        let right = wide.admissible(&of_right)?;
        let side = |point: Inputs<f64>| Side { medium: point.parameters[..fields].to_vec(), state: point.left };
        let (normal, parameters) = (wide.normal(), of_left[fields..].to_vec());
        Some(Self { normal, parameters, left: side(left), right: side(right) })
    }

    /// The same face seen from the other side.
    fn seen_from_right(&self) -> Self {
        Self {
            left: self.right.clone(),
            right: self.left.clone(),
            normal: self.normal.iter().map(|n| -n).collect(),
            parameters: self.parameters.clone(),
        }
    }

    pub fn point(&self) -> Inputs<f64> {
        Inputs {
            parameters: self.parameters.clone(),
            left: self.left.state.clone(),
            right: self.right.state.clone(),
            normal: self.normal.clone(),
            position: Vec::new(),
            time: 0.0,
        }
    }

    pub fn flux(&self, law: &Law, id: FunctionId) -> Result<Vec<f64>, Stop> {
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

/// A jump of the medium, relative to the least component of the state, that counts as small, and what its product may differ by.
const SMALL: f64 = 1e-6;
const NEAR: f64 = 1e-4;

/// Whether the product at a jump, `P(u, u, m - ε, m + ε, n)`, is the law's product with the change 2ε of a field of the medium.
fn is_the_product(checker: &mut Checker, law: &Law, jump: FunctionId, faces: &[Face]) -> bool {
    let Some(product) = law.only(&Role::Nonconservative) else { return true };
    let fields = 0..law.medium.fields.len();
    let tried = faces.iter().flat_map(|face| fields.clone().map(move |field| (face, field)));
    let found: Vec<_> =
        tried.filter_map(|(face, field)| Some((face, field, off(law, jump, product, face, field)?))).collect();
    let [(face, field, (component, [there, expected])), others @ ..] = &found[..] else { return true };
    if others.len() + 1 < DISAGREE {
        return true;
    }
    let (function, media) = (law.function(jump), &law.medium.fields);
    let message = format!(
        "`{}` is not the product at a small jump of `{}`: its `{}` differs",
        function.name, media[*field].name, law.state.fields[*component].name
    );
    let medium: Vec<_> = media
        .iter()
        .zip(&face.left.medium)
        .map(|(field, value)| format!("{} = {}", field.name, text::real(*value)))
        .collect();
    let show = text::apart(&[*there], &[*expected]);
    let notes = vec![
        format!("at {}, {}", text::floats(law, &face.point(), text::Show::StateAndNormal), medium.join(", ")),
        format!(
            "by the size of the jump it is {}, and `{}` is {}",
            show(*there),
            law.function(product).name,
            show(*expected)
        ),
    ];
    checker.error(function.span, message, notes);
    false
}

/// The component in which they differ, and both by the size of the jump.
fn off(law: &Law, jump: FunctionId, product: FunctionId, face: &Face, field: usize) -> Option<(usize, [f64; 2])> {
    let at = &face.left;
    let least = at.state.iter().filter(|u| **u != 0.0).fold(1.0_f64, |least, u| least.min(u.abs()));
    let beside = |shift: f64| {
        let mut side = at.clone();
        side.medium[field] += shift;
        side
    };
    let between = |left: Side, right: Side| Face {
        left,
        right,
        normal: face.normal.clone(),
        parameters: face.parameters.clone(),
    };
    let (left, right) = (beside(-SMALL * least), beside(SMALL * least));
    let size = right.medium[field] - left.medium[field];
    let change = |state: f64, medium: &dyn Fn(usize) -> f64| Side {
        state: vec![state; at.state.len()],
        medium: (0..at.medium.len()).map(medium).collect(),
    };
    let of_unit = change(0.0, &|i| f64::from(u8::from(i == field)));
    let expected = between(at.clone(), of_unit).flux(law, product).ok()?;
    // The product of a change of everything, for its size.
    let of_all = between(at.clone(), change(1.0, &|_| 1.0)).flux(law, product).ok()?;
    let there: Vec<_> = between(left, right).flux(law, jump).ok()?.iter().map(|p| p / size).collect();
    let most = expected.iter().chain(&of_all).fold(f64::MIN_POSITIVE, |most, p| most.max(p.abs()));
    let i = (0..there.len()).find(|&i| (there[i] - expected[i]).abs() > NEAR * most)?;
    Some((i, [there[i], expected[i]]))
}

/// The component that is not conserved, what leaves the left side, and what enters the right one.
fn leak(law: &Law, id: FunctionId, face: &Face) -> Option<(usize, [f64; 2])> {
    let leaving = face.flux(law, id).ok()?;
    let sign = if law.function(id).role == Role::Jump { 1.0 } else { -1.0 };
    let entering: Vec<_> = face.seen_from_right().flux(law, id).ok()?.iter().map(|flux| sign * flux).collect();
    let component = different(&leaving, &entering)?;
    Some((component, [leaving[component], entering[component]]))
}

/// The media of both sides, as text.
pub fn of_media(law: &Law, face: &Face) -> String {
    let media: Vec<_> = [("left ", &face.left), ("right ", &face.right)]
        .iter()
        .flat_map(|(side, of)| law.medium.fields.iter().zip(&of.medium).map(move |(field, value)| (side, field, value)))
        .map(|(side, field, value)| format!("{side}{} = {}", field.name, text::real(*value)))
        .collect();
    media.join(", ")
}

fn explain(checker: &mut Checker, law: &Law, id: FunctionId, face: &Face, leak: &(usize, [f64; 2])) {
    let (component, [leaving, entering]) = *leak;
    let function = law.function(id);
    let (name, field) = (&function.name, &law.state.fields[component].name);
    let message = if function.role == Role::Jump {
        format!("between two media `{field}` in `{name}` is not the same from both sides of a face")
    } else {
        format!(
            "between two media `{name}` does not conserve `{field}`: f*(l, r, left, right, n) = -f*(r, l, right, left, -n) does not hold"
        )
    };
    let show = text::apart(&[leaving], &[entering]);
    let notes = vec![
        format!("at {}, {}", text::floats(law, &face.point(), text::Show::BothStatesAndNormal), of_media(law, face)),
        if function.role == Role::Jump {
            format!("it is {} from the left side, {} from the right one", show(leaving), show(entering))
        } else {
            format!("{} leaves the left side, {} enters the right one", show(leaving), show(entering))
        },
    ];
    checker.error(function.span, message, notes);
}
