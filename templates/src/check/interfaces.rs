//! Rule 3 between two media, second part: a numerical flux that is exact in every medium is exact between two.
//!
//! In the exact solution of a linear law the flux f* at the face differs from that of the left state, F(l)·n, by waves that move into the
//! left medium, and from F(r)·n by waves that move into the right one. With projectors P onto these waves
//!
//! ```text
//! (I - P_l) (f* - F(l)·n) = 0,    (I - P_r) (f* - F(r)·n) = 0,
//! ```
//!
//! and if the law has m waves, of which as many leave the face as do not stand, f* is the only such flux (R. J. LeVeque, Finite Volume
//! Methods for Hyperbolic Problems, Cambridge 2002, section 9.9). The same holds for other laws where all waves move to one side and the
//! fluxes of both states are the same. A flux that is not exact in this sense in one medium, as Rusanov's, is not held to it between two.

use super::media::{Face, Side, faces, of_media};
use super::{Checker, Method, SEED, symmetry::DISAGREE};
use crate::derive::{Inputs, Stop, Wide, eigenvalues, solution, text};
use crate::ir::{FunctionId, Isolated, Law, Role, Type, Warning};

/// The number of faces at which a law that is not linear is tried, and the most that are drawn for them.
const FACES: usize = 12;
const TRIES: usize = 400;

/// The most steps of Newton's method.
const NEWTON: usize = 20;

/// What is smaller than this part is rounding.
const ROUNDING: f64 = 1e-9;

/// A difference that is larger than this part of its terms is none of rounding.
const DIFFERENT: f64 = 1e-6;

/// A side of a face, with its flux, the matrix A and its eigenvalues along the normal.
struct Along {
    flux: Vec<f64>,
    matrix: Vec<Vec<f64>>,
    speeds: Vec<f64>,
    /// The terms of the flux by component, for their size.
    terms: Vec<f64>,
}

/// A component of a numerical flux, and what it is in the exact solution.
struct Wrong {
    component: usize,
    found: f64,
    expected: f64,
}

/// Holds the numerical fluxes of the law to it; `written` is the law with its medium.
pub fn check(checker: &mut Checker, written: &Law) {
    let law = checker.law;
    if law.only(&Role::Nonconservative).is_some() || checker.eigenvalues_are_wrong {
        return;
    }
    let knows_media = |id: &FunctionId| written.function(*id).signature().any(|ty| *ty == Type::Medium);
    let fluxes = written.with_role(|role| matches!(role, Role::NumericalFlux(_))).filter(knows_media);
    let fluxes: Vec<_> = fluxes.filter(|id| !checker.has_error_at(written.function(*id).span)).collect();
    if fluxes.is_empty() {
        return;
    }
    let drawn = faces(checker, written.medium.fields.len());
    let linear = drawn.iter().all(|face| is_linear(law, face).unwrap_or(true));
    let [inside, between] = if linear {
        [drawn.iter().map(within).collect(), drawn]
    } else {
        one_way(checker, written.medium.fields.len())
    };
    for id in fluxes {
        let known = |face: &Face| wrong(written, law, id, face).ok().flatten();
        let inside: Vec<_> = inside.iter().filter_map(known).collect();
        if inside.is_empty() || inside.iter().any(Option::is_some) {
            continue;
        }
        let tried: Vec<_> = between.iter().filter_map(|face| Some((face, known(face)?))).collect();
        let found: Vec<_> = tried.iter().filter_map(|(face, wrong)| Some((face, wrong.as_ref()?))).collect();
        match &found[..] {
            [(face, wrong), others @ ..] if others.len() + 1 >= DISAGREE => explain(checker, written, id, face, wrong),
            _ if tried.is_empty() => {}
            _ => {
                let statement = format!("`{}` is as exact between two media as in one", written.function(id).name);
                checker.proved(statement, Method::FloatingPoint(tried.len()));
            }
        }
    }
}

/// The face with the left medium on both sides.
fn within(face: &Face) -> Face {
    let right = Side { medium: face.left.medium.clone(), ..face.right.clone() };
    Face { left: face.left.clone(), right, normal: face.normal.clone(), parameters: face.parameters.clone() }
}

/// A state in its medium, as the left one of a point of the law with the medium among its parameters.
fn point(face: &Face, side: &Side) -> Inputs<f64> {
    Inputs {
        parameters: side.medium.iter().chain(&face.parameters).copied().collect(),
        left: side.state.clone(),
        ..face.point()
    }
}

fn is_linear(law: &Law, face: &Face) -> Result<bool, Stop> {
    let at = point(face, &face.left);
    let (flux, matrix) = (at.normal_flux(law)?, at.normal_jacobian(law)?);
    let there = Inputs { left: face.right.state.clone(), ..at.clone() }.normal_jacobian(law)?;
    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= ROUNDING * size;
    let row = |i: usize| {
        let size = |row: &[f64]| row.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        let terms: Vec<f64> = matrix[i].iter().zip(&at.left).map(|(a, u)| a * u).collect();
        matrix[i].iter().zip(&there[i]).all(|(a, b)| near(*a, *b, size(&matrix[i])))
            && near(terms.iter().sum(), flux[i], size(&terms))
    };
    Ok((0..flux.len()).all(row))
}

/// Faces in one medium and between two at which all waves of both sides move to the same side; between two media, the fluxes of both
/// states are the same.
fn one_way(checker: &Checker, fields: usize) -> [Vec<Face>; 2] {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 21, starts);
    let (mut inside, mut between) = (Vec::new(), Vec::new());
    for _ in 0..TRIES {
        if inside.len() >= FACES && between.len() >= FACES {
            break;
        }
        let Some(mut face) = Face::random(&mut wide, fields) else { break };
        let Some(way) = way(law, &face, &face.left) else { continue };
        let one = within(&face);
        if inside.len() < FACES && self::way(law, &one, &one.right) == Some(way) {
            inside.push(one);
        }
        if between.len() < FACES && balance(law, &mut face).is_some() && self::way(law, &face, &face.right) == Some(way)
        {
            between.push(face);
        }
    }
    [inside, between]
}

/// 1 if all waves of an admissible state move along the normal, -1 if all move against it.
fn way(law: &Law, face: &Face, side: &Side) -> Option<f64> {
    let at = point(face, side);
    let speeds = at.is_admissible(law).then(|| eigenvalues(law, &at).ok())??;
    let way = speeds.first()?.signum();
    speeds.iter().all(|speed| way * speed > 0.0).then_some(way)
}

/// Gives the right side a state with the flux of the left one, by Newton's method.
fn balance(law: &Law, face: &mut Face) -> Option<()> {
    let wanted = point(face, &face.left).normal_flux(law).ok()?;
    let m = wanted.len();
    for _ in 0..NEWTON {
        let at = point(face, &face.right);
        let (flux, matrix) = (at.normal_flux(law).ok()?, at.normal_jacobian(law).ok()?);
        let row = |i: usize| matrix[i].iter().copied().chain([wanted[i] - flux[i]]).collect();
        let change = solution((0..m).map(row).collect(), m, f64::MIN_POSITIVE)?;
        let size = |v: &[f64]| v.iter().fold(0.0_f64, |size, v| size.max(v.abs()));
        face.right.state.iter_mut().zip(&change).for_each(|(u, change)| *u += change);
        if size(&change) <= ROUNDING * ROUNDING.sqrt() * size(&face.right.state) {
            return Some(());
        }
    }
    None
}

impl Along {
    fn new(law: &Law, at: &Inputs<f64>) -> Result<Self, Stop> {
        let (flux, matrix) = (at.normal_flux(law)?, at.normal_jacobian(law)?);
        let size = |row: &Vec<f64>| row.iter().zip(&at.left).map(|(a, u)| (a * u).abs()).sum::<f64>();
        let terms = matrix.iter().zip(&flux).map(|(row, flux)| size(row).max(flux.abs())).collect();
        Ok(Self { flux, matrix, speeds: eigenvalues(law, at)?, terms })
    }

    /// The part of a vector in waves whose speed has a sign; a speed below `small` is 0.
    fn part(&self, v: &[f64], sign: f64, small: f64) -> Vec<f64> {
        let mut distinct: Vec<f64> =
            self.speeds.iter().map(|speed| if speed.abs() <= small { 0.0 } else { *speed }).collect();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup_by(|a, b| (*a - *b).abs() <= small);
        let mut part = vec![0.0; v.len()];
        for speed in distinct.iter().filter(|speed| sign * **speed > 0.0) {
            let mut along = v.to_vec();
            for other in distinct.iter().filter(|other| *other != speed) {
                let times = |row: &Vec<f64>| row.iter().zip(&along).map(|(a, v)| a * v).sum::<f64>();
                along = (0..v.len()).map(|i| (times(&self.matrix[i]) - other * along[i]) / (speed - other)).collect();
            }
            part.iter_mut().zip(&along).for_each(|(part, along)| *part += along);
        }
        part
    }
}

/// What a numerical flux gets wrong at a face; `None` where the exact solution is not known.
fn wrong(written: &Law, law: &Law, id: FunctionId, face: &Face) -> Result<Option<Option<Wrong>>, Stop> {
    let sides = [Along::new(law, &point(face, &face.left))?, Along::new(law, &point(face, &face.right))?];
    let fastest = sides.iter().flat_map(|side| &side.speeds).fold(0.0_f64, |most, speed| most.max(speed.abs()));
    let small = ROUNDING * fastest;
    let count = |side: &Along, sign: f64| side.speeds.iter().filter(|speed| sign * **speed > small).count();
    let [standing, others] = [0, 1].map(|i| sides[i].speeds.len() - count(&sides[i], -1.0) - count(&sides[i], 1.0));
    let leaving = count(&sides[0], -1.0) + count(&sides[1], 1.0);
    if standing != others || leaving + standing != sides[0].speeds.len() {
        return Ok(None);
    }
    let numerical = face.flux(written, id)?;
    for (side, sign) in sides.iter().zip([-1.0, 1.0]) {
        let beyond: Vec<f64> = numerical.iter().zip(&side.flux).map(|(found, flux)| found - flux).collect();
        let part = side.part(&beyond, sign, small);
        for (component, (found, flux)) in numerical.iter().zip(&side.flux).enumerate() {
            let expected = flux + part[component];
            let terms = sides.iter().fold(found.abs(), |terms, side| terms.max(side.terms[component]));
            if (found - expected).abs() > DIFFERENT * terms {
                return Ok(Some(Some(Wrong { component, found: *found, expected })));
            }
        }
    }
    Ok(Some(None))
}

fn explain(checker: &mut Checker, law: &Law, id: FunctionId, face: &Face, wrong: &Wrong) {
    let function = law.function(id);
    let (name, field) = (&function.name, &law.state.fields[wrong.component].name);
    let show = text::apart(&[wrong.found], &[wrong.expected]);
    let notes = vec![
        format!("at {}, {}", text::floats(law, &face.point(), text::Show::BothStatesAndNormal), of_media(law, face)),
        format!(
            "its `{field}` is {}; the exact flux differs from that of each side by waves that move into its medium, and so it is {}",
            show(wrong.found),
            show(wrong.expected)
        ),
    ];
    let claims = matches!(&function.role, Role::NumericalFlux(claims) if claims.exact.contains(&Isolated::Contact));
    if claims {
        let message = format!("`{name}` is not exact between two media, as it claims and is in one");
        checker.error(function.span, message, notes);
    } else {
        let message = format!("`{name}` is exact in one medium, and not between two");
        checker.warning(Warning::InexactInterface, function.span, message, notes);
    }
}
