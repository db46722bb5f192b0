//! Rule 11: a law that is the same in all directions has numerical fluxes and walls that are.
//!
//! Some pairs of components are vectors, the others scalars. With a rotation R of the plane that acts on normals and on these
//! pairs, a flux is the same in all directions if `F(R u)·R n = R F(u)·n`. Its pairs are found from the derivative by the angle,
//! `A G u + F(u)·J n = G F(u)·n` with the quarter turn J and the flux Jacobian A in direction of n: a linear system for the
//! entries of an antisymmetric matrix G, which is J on each pair. Then a numerical flux is to satisfy
//! `f*(R l, R r, R n) = R f*(l, r, n)`, and a ghost state of a normal, not of places or times, `g(R u, R n) = R g(u, n)`. If the flux has
//! a mirror, too, they are to have it. What the law does not declare by `#[symmetry]` is a warning. A non-conservative product is to have
//! what the law declares, `B(R u, R v, R n) = R B(u, v, n)`; what it does not declare the law has only if the product has it, too.
//!
//! The law is the same in all directions if all of its terms are: then solutions beside their turned images are solutions.

use super::{Checker, SEED, Severity, prove::Verdict, prove::prove};
use crate::derive::{Inputs, Number, Rotation, Setting, Stop, Wide, solution, text};
use crate::ir::{FunctionId, Law, Role, Span, Type, Warning};

/// The number of pairs of states at which a function is turned.
const STATES: usize = 24;

/// How many of them must disagree: one alone may lie where rounding decides a condition.
pub const DISAGREE: usize = 2;

/// A difference, relative to the size of what is compared, that is not rounding.
const DIFFERENT: f64 = 1e-6;

/// A pivot or a residual below this is zero.
pub const SMALL: f64 = 1e-7;

/// The components of a vector.
pub type Pair = (usize, usize);

/// A map of the plane that keeps lengths: rows of its matrix.
type Turn = [[f64; 2]; 2];

const MIRROR: Turn = [[1.0, 0.0], [0.0, -1.0]];

/// The mirror at the y axis.
const OTHER_MIRROR: Turn = [[-1.0, 0.0], [0.0, 1.0]];

/// Maps of states and normals with which the flux is the same.
pub struct Kind {
    pairs: Vec<Pair>,
    /// States, each with a map.
    states: Vec<(Inputs<f64>, Turn)>,
    /// What happens to states and normals.
    how: &'static str,
    /// Whether the law declares it.
    declared: bool,
}

/// The vectors that rotate with the flux, if it is the same in all directions, and where the law declares them.
pub fn vectors(checker: &mut Checker) -> Option<(Vec<Pair>, Option<Span>)> {
    let law = checker.law;
    if law.dim != 2 {
        return None;
    }
    let found = match &law.rotation {
        Some(rotation) => Some((rotation.pairs.clone(), Some(rotation.span))),
        None => pairs(checker).map(|pairs| (pairs, None)),
    };
    found.filter(|(pairs, declared)| flux_rotates(checker, pairs, *declared))
}

/// Finds the symmetries of the flux, which rotates with these [vectors].
pub fn find(checker: &mut Checker, vectors: Option<(Vec<Pair>, Option<Span>)>) -> Vec<Kind> {
    let law = checker.law;
    if law.dim != 2 || vectors.is_none() && law.reflection.is_none() {
        return Vec::new();
    }
    let states = states(checker);
    let mut kinds = Vec::new();
    if let Some((pairs, declared)) = vectors {
        let mirrored = with_turns(&states, &[MIRROR]);
        let declared = declared.is_some();
        kinds.push(Kind { pairs: pairs.clone(), states: states.clone(), how: ROTATED, declared });
        if law.reflection.is_none() && disagreement(&mirrored, &pairs, &|point| point.normal_flux(law), None).is_none()
        {
            kinds.push(Kind { pairs, states: mirrored, how: MIRRORED, declared });
        }
    }
    if let Some(reflection) = &law.reflection {
        let mirrored = with_turns(&states, &[MIRROR, OTHER_MIRROR]);
        match disagreement(&mirrored, &reflection.pairs, &|point| point.normal_flux(law), None) {
            Some(found) => {
                let vectors = names(law, &reflection.pairs);
                let message = format!("the flux is not the same in a mirror, if {vectors} are mirrored");
                let notes = found.notes(law, MIRRORED, text::Show::StateAndNormal);
                checker.error(reflection.span, message, notes);
            }
            None => {
                let pairs = reflection.pairs.clone();
                kinds.push(Kind { pairs, states: mirrored, how: MIRRORED, declared: true });
            }
        }
    }
    if let Some(product) = law.only(&Role::Nonconservative) {
        kinds.retain(|kind| {
            kind.declared || disagreement(&kind.states, &kind.pairs, &|point| point.call(law, product), None).is_none()
        });
    }
    kinds
}

/// Tries whether functions of a role have the symmetries of the flux.
pub fn hold(checker: &mut Checker, kinds: &[Kind], wanted: fn(&Role) -> bool) {
    let law = checker.law;
    for id in law.with_role(wanted) {
        if is_for_all_directions(law, id) && !has_error(checker, id) {
            let tried = |kind: &Kind| {
                let states: Vec<_> = kind.states.iter().map(|(point, _)| point.clone()).collect();
                unless_turned(law, id, &states, |turned| {
                    let function = |point: &Inputs<f64>| point.call(law, id);
                    disagreement(&kind.states, &kind.pairs, &function, turned)
                })
            };
            if let Some((kind, found)) = kinds.iter().find_map(|kind| Some((kind, tried(kind)?))) {
                explain(checker, id, kind, &found);
            }
        }
    }
}

/// The vectors with which all terms of the law are the same in all directions, or the first that is not.
pub fn rotation(checker: &Checker, kinds: &[Kind]) -> Rotation {
    let law = checker.law;
    let Some(kind) = kinds.iter().find(|kind| kind.how == ROTATED) else {
        return Rotation::None(
            "no components of its state are vectors with which its flux is the same in all directions".into(),
        );
    };
    // Those of other parameters, too: a force may vanish by default.
    let points = checker.points.iter().map(|point| point.map(|value| value.to_f64()));
    let normals =
        checker.points.iter().skip(1).chain(&checker.points).map(|point| point.normal.iter().map(|n| n.to_f64()));
    let turned = points.zip(normals).map(|(point, mut normal)| {
        let [c, s] = std::array::from_fn(|_| normal.next().unwrap_or(0.0));
        (point, [[c, -s], [s, c]])
    });
    let states: Vec<_> = turned.chain(kind.states.iter().cloned()).collect();
    let has_direction = |id: &FunctionId| {
        let function = law.function(*id);
        let is_flux = function.role == Role::Flux; // Which is the same in all directions at each place.
        function.signature().any(|ty| *ty == Type::Point) || !is_flux && is_directed(law, *id, &kind.pairs, &states)
    };
    match law.with_role(|role| *role == Role::Flux || is_term(role)).find(has_direction) {
        Some(id) => Rotation::None(format!("its `{}` is not the same in all directions", law.function(id).name)),
        None => Rotation::Vectors(kind.pairs.clone()),
    }
}

/// Whether a term of the law is not the turned one at turned states, gradients and normals.
fn is_directed(law: &Law, id: FunctionId, pairs: &[Pair], states: &[(Inputs<f64>, Turn)]) -> bool {
    let role = &law.function(id).role;
    let differs = |(point, turn): &&(Inputs<f64>, Turn)| {
        let turned = |u: &[f64]| turn_state(turn, pairs, u);
        let of_gradient = |slopes: &[f64]| {
            let (along_x, along_y) = slopes.split_at(slopes.len() / 2);
            let both = turned(along_x).into_iter().zip(turned(along_y));
            let turned: Vec<[f64; 2]> = both.map(|(x, y)| turn_vector(turn, &[x, y])).collect();
            [0, 1].map(|d| turned.iter().map(|slope| slope[d]).collect::<Vec<_>>()).concat()
        };
        let here = match role {
            Role::ViscousFlux => Inputs { right: [&*point.left, &*point.right].concat(), ..point.clone() },
            _ => point.clone(),
        };
        let there = Inputs {
            left: turned(&here.left),
            right: if *role == Role::ViscousFlux { of_gradient(&here.right) } else { turned(&here.right) },
            normal: turn_vector(turn, &here.normal).to_vec(),
            ..here.clone()
        };
        let (Ok(value), Ok(found)) = (here.call(law, id), there.call(law, id)) else { return false };
        let expected = match role {
            Role::ViscousFlux => of_gradient(&value),
            Role::WaveSpeed | Role::MinimumPrinciple => value,
            _ => turned(&value),
        };
        different(&found, &expected).is_some()
    };
    states.iter().filter(differs).count() >= DISAGREE
}

/// Whether solutions depend on functions of a role, beside the flux.
fn is_term(role: &Role) -> bool {
    matches!(
        role,
        Role::NumericalFlux(_)
            | Role::WaveSpeed
            | Role::Nonconservative
            | Role::Jump
            | Role::ViscousFlux
            | Role::Source
            | Role::MinimumPrinciple
    )
}

/// What happens to states and normals in another direction.
const ROTATED: &str = "rotate";

/// What happens to states and normals in a mirror.
const MIRRORED: &str = "are mirrored";

/// Pairs of states, each with a rotation.
pub fn states(checker: &Checker) -> Vec<(Inputs<f64>, Turn)> {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 9, starts);
    let parameters = wide.default_parameters();
    (0..STATES)
        .filter_map(|_| {
            let (point, other) = (wide.admissible(&parameters)?, wide.admissible(&parameters)?);
            let direction = wide.normal();
            let turn = [[direction[0], -direction[1]], [direction[1], direction[0]]];
            Some((Inputs { right: other.left, ..point }, turn))
        })
        .collect()
}

/// The same states with these maps in turn.
fn with_turns(states: &[(Inputs<f64>, Turn)], turns: &[Turn]) -> Vec<(Inputs<f64>, Turn)> {
    states.iter().zip(turns.iter().cycle()).map(|((point, _), turn)| (point.clone(), *turn)).collect()
}

/// Whether a function has a direction from the normal alone: numerical fluxes, and ghost states with a normal and without a place. Nothing
/// passes a wall without a normal in any direction.
pub fn is_for_all_directions(law: &Law, id: FunctionId) -> bool {
    let takes = |wanted: &[Type]| law.function(id).signature().any(|ty| wanted.contains(ty));
    let is_wall = matches!(&law.function(id).role, Role::Boundary { impermeable } if !impermeable.is_empty());
    (is_wall || takes(&[Type::Normal])) && !takes(&[Type::Point, Type::Real])
}

/// What is found wrong with a function, unless it is a boundary and right if a parameter that the flux does not depend on changes
/// sign, too: the velocity of a wall has a direction, as states have. `tried` gets the parameter that changes sign.
pub fn unless_turned<T>(
    law: &Law,
    id: FunctionId,
    states: &[Inputs<f64>],
    tried: impl Fn(Option<usize>) -> Option<T>,
) -> Option<T> {
    let found = tried(None)?;
    let is_beside_the_flux = |i: &usize| {
        states.iter().all(|point| {
            let mut turned = point.clone();
            turn_parameter(&mut turned, Some(*i));
            matches!((point.normal_flux(law), turned.normal_flux(law)), (Ok(here), Ok(there)) if here == there)
        })
    };
    let parameters = states.first().map_or(0, |point| point.parameters.len());
    let is_boundary = matches!(law.function(id).role, Role::Boundary { .. });
    let turns = is_boundary && (0..parameters).filter(is_beside_the_flux).any(|i| tried(Some(i)).is_none());
    (!turns).then_some(found)
}

/// Changes the sign of a parameter.
pub fn turn_parameter(point: &mut Inputs<f64>, turned: Option<usize>) {
    if let Some(value) = turned.and_then(|i| point.parameters.get_mut(i)) {
        *value = -*value;
    }
}

fn has_error(checker: &Checker, id: FunctionId) -> bool {
    let function = checker.law.function(id);
    let components = match &function.role {
        Role::Boundary { impermeable } => &impermeable[..],
        _ => &[],
    };
    checker.has_error_at(function.span) || components.iter().any(|(_, span)| checker.has_error_at(*span))
}

/// Whether it is said that a function is wrong, or has a direction of its own.
pub fn is_refuted(checker: &Checker, id: FunctionId) -> bool {
    let broken = Severity::Warning(Warning::BrokenSymmetry);
    let span = checker.law.function(id).span;
    has_error(checker, id) || checker.report.diagnostics.iter().any(|d| d.severity == broken && d.span == span)
}

pub fn names(law: &Law, pairs: &[Pair]) -> String {
    let name = |i: usize| &law.state.fields[i].name;
    pairs.iter().map(|&(a, b)| format!("(`{}`, `{}`)", name(a), name(b))).collect::<Vec<_>>().join(" and ")
}

/// Proves that the flux is the same in all directions; a mistake if this is declared.
fn flux_rotates(checker: &mut Checker, pairs: &[Pair], declared: Option<Span>) -> bool {
    let law = checker.law;
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| flux_residuals(setting, inputs, pairs);
    let vectors = names(law, pairs);
    match (prove(law, &checker.points, &residuals, &mut Default::default()), declared) {
        (Verdict::Holds(method), _) => {
            checker.proved(format!("the flux is the same in all directions, if {vectors} rotate with them"), method);
            true
        }
        (Verdict::Fails { point, residual }, Some(span)) => {
            let component = &law.state.fields[residual % law.state.fields.len()].name;
            let message = format!("the flux is not the same in all directions, if {vectors} rotate with them");
            let notes = vec![
                format!("at {}", text::point(law, &point, text::Show::StateAndNormal)),
                format!("there `{component}` of F(R u)·R n is not that of R F(u)·n, R being the rotation from x to n"),
                "a vector is named by its component along x, then that along y".into(),
            ];
            checker.error(span, message, notes);
            false
        }
        (Verdict::Undecided(_), Some(span)) => {
            let message =
                format!("it could not be decided whether the flux is the same in all directions, if {vectors} rotate");
            checker.warning(Warning::Undecided, span, message, Vec::new());
            false
        }
        (Verdict::Fails { .. } | Verdict::Undecided(_), None) => false,
    }
}

/// `F(R u)·n - R F_x(u)` with the rotation R that takes x to n.
fn flux_residuals(setting: &mut Setting, inputs: &Inputs<Number>, pairs: &[Pair]) -> Result<Vec<Vec<Number>>, Stop> {
    let (c, s) = (inputs.normal[0].clone(), inputs.normal[1].clone());
    let turned = |setting: &Setting, u: &[Number]| {
        let mut turned = u.to_vec();
        for &(a, b) in pairs {
            let tower = &setting.tower;
            turned[a] = tower.sub(&tower.mul(&c, &u[a])?, &tower.mul(&s, &u[b])?)?;
            turned[b] = tower.add(&tower.mul(&s, &u[a])?, &tower.mul(&c, &u[b])?)?;
        }
        Ok::<_, Stop>(turned)
    };
    let along_x = setting.flux(inputs)?.swap_remove(0);
    let expected = turned(setting, &along_x)?;
    let left = turned(setting, &inputs.left)?;
    let found = setting.normal_flux(&Inputs { left, ..inputs.clone() })?;
    Ok(found.into_iter().zip(&expected).map(|(a, b)| vec![a, setting.tower.neg(b)]).collect())
}

fn turn_vector(turn: &Turn, v: &[f64]) -> [f64; 2] {
    [turn[0][0] * v[0] + turn[0][1] * v[1], turn[1][0] * v[0] + turn[1][1] * v[1]]
}

fn turn_state(turn: &Turn, pairs: &[Pair], u: &[f64]) -> Vec<f64> {
    let mut turned = u.to_vec();
    for &(a, b) in pairs {
        [turned[a], turned[b]] = turn_vector(turn, &[u[a], u[b]]);
    }
    turned
}

/// Where a function of states and a normal differs from itself in another direction.
struct Disagreement {
    point: Inputs<f64>,
    turn: Turn,
    component: usize,
    /// Its value at the turned point, and the turned value.
    values: (f64, f64),
}

pub type FloatFunction<'f> = dyn Fn(&Inputs<f64>) -> Result<Vec<f64>, Stop> + 'f;

fn disagreement(
    states: &[(Inputs<f64>, Turn)],
    pairs: &[Pair],
    function: &FloatFunction,
    turned: Option<usize>,
) -> Option<Disagreement> {
    let differs = |(point, turn): &(Inputs<f64>, Turn)| {
        let mut there = Inputs {
            left: turn_state(turn, pairs, &point.left),
            right: turn_state(turn, pairs, &point.right),
            normal: turn_vector(turn, &point.normal).to_vec(),
            ..point.clone()
        };
        turn_parameter(&mut there, turned);
        let (Ok(here), Ok(found)) = (function(point), function(&there)) else { return None };
        let expected = turn_state(turn, pairs, &here);
        let component = different(&found, &expected)?;
        let values = (found[component], expected[component]);
        Some(Disagreement { point: point.clone(), turn: *turn, component, values })
    };
    let mut all = states.iter().filter_map(differs);
    let first = all.next()?;
    (all.count() + 1 >= DISAGREE).then_some(first)
}

/// The component that differs most, if that is no rounding.
pub fn different(found: &[f64], expected: &[f64]) -> Option<usize> {
    let size = expected.iter().chain(found).fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
    let distance = |i: &usize| (found[*i] - expected[*i]).abs();
    let worst = (0..found.len()).max_by(|i, j| distance(i).total_cmp(&distance(j)))?;
    (distance(&worst) > DIFFERENT * size).then_some(worst)
}

impl Disagreement {
    fn notes(&self, law: &Law, how: &str, show: text::Show) -> Vec<String> {
        let component = &law.state.fields[self.component].name;
        let to = turn_vector(&self.turn, &[1.0, 0.0]).map(text::real);
        let by = match how {
            MIRRORED if self.turn == MIRROR => " at the x axis".into(),
            MIRRORED => " at the y axis".into(),
            _ => format!(" so that x becomes ({}, {})", to[0], to[1]),
        };
        vec![
            format!("at {}", text::floats(law, &self.point, show)),
            format!(
                "if states and normal {how}{by}, its `{component}` is {}, not {}",
                text::real(self.values.0),
                text::real(self.values.1)
            ),
        ]
    }
}

fn explain(checker: &mut Checker, id: FunctionId, kind: &Kind, found: &Disagreement) {
    let law = checker.law;
    let function = law.function(id);
    let (name, vectors) = (&function.name, names(law, &kind.pairs));
    let what = if law.rotation.is_none() && law.reflection.is_some() && kind.declared {
        "in a mirror"
    } else {
        "in all directions"
    };
    let message = format!("`{name}` is not the same {what}, as the flux is: {vectors} do not behave like vectors");
    let show = match function.role {
        Role::NumericalFlux(_) | Role::Nonconservative => text::Show::BothStatesAndNormal,
        _ => text::Show::StateAndNormal,
    };
    let notes = found.notes(law, kind.how, show);
    if kind.declared {
        checker.error(function.span, message, notes);
    } else {
        checker.warning(Warning::BrokenSymmetry, function.span, message, notes);
    }
}

/// The pairs of components that rotate like vectors, if there are any with which the flux is the same in all directions.
fn pairs(checker: &Checker) -> Option<Vec<Pair>> {
    let law = checker.law;
    let m = law.state.fields.len();
    let id = law.only(&Role::Flux)?;
    let unknowns: Vec<Pair> = (0..m).flat_map(|i| (i + 1..m).map(move |j| (i, j))).collect();
    let mut rows = Vec::new();
    for point in &checker.points {
        let point = point.map(|value| value.to_f64());
        let (Ok(flux), Ok(gradients)) = (point.call(law, id), point.gradients(law, id)) else { continue };
        let (n, u) = (&point.normal, &point.left);
        let along = |direction: [f64; 2], i: usize| direction[0] * flux[i] + direction[1] * flux[m + i];
        let jacobian = |i: usize, j: usize| n[0] * gradients[i][j] + n[1] * gradients[m + i][j];
        for k in 0..m {
            // The coefficients of G's entry g in row i and column j, which is -g in row j and column i.
            let normal_flux = |i: usize| along([n[0], n[1]], i);
            let unit = |i: usize| f64::from(u8::from(i == k));
            let coefficient = |&(i, j): &Pair| {
                jacobian(k, i) * u[j] - jacobian(k, j) * u[i] - (unit(i) * normal_flux(j) - unit(j) * normal_flux(i))
            };
            let mut row: Vec<f64> = unknowns.iter().map(coefficient).collect();
            row.push(-along([-n[1], n[0]], k));
            let size = row.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if size > 0.0 {
                rows.push(row.iter().map(|x| x / size).collect());
            }
        }
    }
    let solution = solution(rows, unknowns.len(), SMALL)?;
    let mut pairs = Vec::new();
    for (&(i, j), g) in unknowns.iter().zip(&solution) {
        if (g.abs() - 1.0).abs() < SMALL.sqrt() {
            // A quarter turn takes the first component to the second.
            pairs.push(if *g < 0.0 { (i, j) } else { (j, i) });
        } else if g.abs() > SMALL.sqrt() {
            return None;
        }
    }
    let mut used: Vec<_> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    used.sort_unstable();
    let distinct = used.windows(2).all(|two| two[0] != two[1]);
    (distinct && !pairs.is_empty()).then_some(pairs)
}

#[cfg(test)]
mod tests;
