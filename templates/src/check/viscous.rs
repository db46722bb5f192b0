//! Rule 14: a viscous flux is linear in the gradient, and diffuses: the matrix `Σ_ij n_i G_ij n_j` of every direction n has eigenvalues that are
//! real and not negative. The latter is proved where algebra can, and tried at random states where not. From the matrix the largest one is computed at run time; its blocks are derived.

use super::prove::sum;
use super::{Checker, Method};
use crate::derive::{
    Dual, Inputs, Number, Origin, Point, Points, Setting, Stop, Viscous, Zero, diffuses, origins, spectrum, text,
    viscous,
};
use crate::ir::{FunctionId, Law, Role, Warning};

/// The number of states at which eigenvalues are tried.
const STATES: usize = 64;

/// The number of states from which a proof is sought: at some a number vanishes that is not zero elsewhere.
const PROOFS: usize = 3;

/// The number of states that decide what is behind a wall.
const INVERTED: usize = 8;

/// Checks the viscous flux, if the law has one.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let Some(id) = law.only(&Role::ViscousFlux) else { return };
    let name = &law.function(id).name;
    // Such a formula may be undefined at every state that is tried.
    if let Some((place, _)) = origins(law, id).into_iter().find(|(_, of)| of.contains(&Origin::Right)) {
        let message = format!(
            "`{name}` is no viscous flux: a divisor, a root or a condition of it depends on the gradient, in which it is to be linear"
        );
        checker.error(place, message, vec!["multiply the gradient by functions of the state".into()]);
        checker.flux_is_suspect = true;
        return;
    }
    let points = checker.points.clone();
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| nonlinear_part(setting, inputs);
    let statement = format!("`{name}` is linear in the gradient");
    checker.claim(id, statement, &points, &residuals, |checker, point, residual| {
        let component = &law.state.fields[residual % law.state.fields.len()].name;
        let message = format!("`{name}` is no viscous flux: its `{component}` is not linear in the gradient");
        let notes = vec![
            format!("at {}", text::point(law, point, text::Show::StateAndGradient)),
            "it is to be Σ_j G_ij(u) ∂u/∂x_j, with matrices G_ij of the state alone".into(),
        ];
        checker.error(law.function(id).span, message, notes);
        checker.flux_is_suspect = true;
    });
    if !checker.has_error_at(law.function(id).span) {
        eigenvalues(checker, id);
    }
}

/// `G(u, a + b) - G(u, a) - G(u, b)` for two gradients a and b.
fn nonlinear_part(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
    let (l, r) = (&inputs.left, &inputs.right);
    let double = |u: &Vec<Number>| u.iter().map(|u| setting.tower.add(u, u)).collect::<Result<Vec<_>, _>>();
    let (a, b) = ([l.clone(), r.clone()].concat(), [r.clone(), double(l)?].concat());
    let both = a.iter().zip(&b).map(|(a, b)| setting.tower.add(a, b)).collect::<Result<Vec<_>, _>>()?;
    let [both, a, b] = [&both, &a, &b].map(|gradient| setting.viscous_flux(inputs, gradient));
    let (both, a, b) = (both?.concat(), a?.concat(), b?.concat());
    let term = |i: usize| vec![both[i].clone(), setting.tower.neg(&a[i]), setting.tower.neg(&b[i])];
    Ok((0..both.len()).map(term).collect())
}

/// The components that diffuse: those with a row of the matrix that is not zero at some state; none without a viscous flux.
pub(super) fn diffusing(law: &Law, points: &[Point]) -> Vec<usize> {
    if law.only(&Role::ViscousFlux).is_none() {
        return Vec::new();
    }
    let matrices = points.iter().filter_map(|point| {
        let (mut setting, inputs) = Setting::approximate(law, point);
        matrix(&mut setting, &inputs).ok()
    });
    let matrices: Vec<_> = matrices.collect();
    let diffuses = |i: &usize| matrices.iter().any(|matrix| matrix[*i].iter().any(|entry| !entry.is_zero()));
    (0..law.state.fields.len()).filter(diffuses).collect()
}

/// `Σ_ij n_i G_ij n_j`.
fn matrix(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
    let (m, dim) = (setting.law.state.fields.len(), setting.law.dim);
    let mut matrix = vec![Vec::with_capacity(m); m];
    for j in 0..m {
        let zero = Number::Rational(0.into());
        let part = |n: &Number| (0..m).map(|i| if i == j { n.clone() } else { zero.clone() }).collect::<Vec<_>>();
        let gradient = inputs.normal.iter().flat_map(part).collect::<Vec<_>>();
        let flux = setting.viscous_flux(inputs, &gradient)?;
        for (i, row) in matrix.iter_mut().enumerate() {
            let terms = (0..dim).map(|d| setting.tower.mul(&inputs.normal[d], &flux[d][i]));
            row.push(sum(setting, &terms.collect::<Result<Vec<_>, _>>()?)?);
        }
    }
    Ok(matrix)
}

/// The spectrum of the matrix in a direction at a state: real and imaginary parts, and whether all are real and not negative.
fn spectrum_at(law: &Law, point: &Point) -> Result<(Vec<(f64, f64)>, bool), Stop> {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let matrix = matrix(&mut setting, &inputs)?;
    let (tower, zero) = (&setting.tower, Number::Rational(0.into()));
    let polynomial = spectrum::characteristic(tower, &matrix)?;
    let is_real = spectrum::all_real(tower, &polynomial)?;
    let diffuses = is_real && spectrum::none_above(tower, &spectrum::reflected(tower, &polynomial), &zero)?;
    Ok((spectrum::scaled_roots(&polynomial), diffuses))
}

/// Tries the eigenvalues of the matrix at random states and in random directions; then seeks a proof for all of them.
fn eigenvalues(checker: &mut Checker, id: FunctionId) {
    let law = checker.law;
    let (name, span) = (&law.function(id).name, law.function(id).span);
    let mut source = Points::new(law, super::SEED + 23);
    let points = (0..STATES).filter_map(|_| source.admissible());
    let tried: Vec<_> = points.filter_map(|point| Some((spectrum_at(law, &point).ok()?, point))).collect();
    let statement = format!("the eigenvalues of `{name}` in any direction are real and not negative");
    match tried.iter().find(|((_, diffuses), _)| !diffuses) {
        Some(((roots, _), point)) => {
            let wrong = roots.iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(String::new(), spectrum::shown);
            let message = format!(
                "`{name}` does not diffuse: its matrix in the direction of a normal has the eigenvalue {wrong}"
            );
            let notes = vec![
                format!("at {}", text::point(law, point, text::Show::StateAndNormal)),
                "with `gradient[d]` for n_d v it is to be a matrix times v whose eigenvalues are real and not negative"
                    .into(),
            ];
            checker.error(span, message, notes);
        }
        None if tried.is_empty() => {
            let message = format!("it could not be decided whether {statement}");
            checker.warning(
                Warning::Undecided,
                span,
                message,
                vec!["they are known at no state that was tried".into()],
            );
        }
        None => {
            let is_proved = tried.iter().take(PROOFS).any(|(_, point)| diffuses(law, id, point) == Ok(true));
            checker.proved(statement, if is_proved { Method::Symbolic } else { Method::FloatingPoint(tried.len()) });
        }
    }
}

/// What is derived from the viscous flux.
pub fn derive(checker: &mut Checker) -> Option<Viscous> {
    match viscous(checker.law) {
        Ok(viscous) => Some(Viscous { inversions: inversions(checker.law, &checker.points), ..viscous? }),
        Err(stop) => {
            let function = checker.law.function(checker.law.only(&Role::ViscousFlux)?);
            let message = format!(
                "the derivatives that `{}` and boundaries need could not be found: they met {stop}",
                function.name
            );
            checker.error(function.span, message, vec!["simpler formulas have shorter derivatives".into()]);
            None
        }
    }
}

/// The walls behind which is the image of the flow in a point: with the ghost state w ≠ u and D = ∂w/∂u, `G(w, -D ∇u) n = -D G(u, ∇u) n` for all
/// gradients. So it is at a wall at rest that a gas sticks to, whose velocity is turned round, and with it the flux of energy; behind a wall
/// without friction is the mirror image in its plane instead.
fn inversions(law: &Law, points: &[Point]) -> Vec<FunctionId> {
    let inverts = |&id: &FunctionId| {
        let mut tried = points.iter().take(INVERTED).filter_map(|point| is_inverted(law, point, id).ok()).peekable();
        tried.peek().is_some() && tried.all(|inverted| inverted)
    };
    law.mirrors().filter(inverts).collect()
}

/// Whether it is so at a state.
fn is_inverted(law: &Law, point: &Point, id: FunctionId) -> Result<bool, Stop> {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let m = inputs.left.len();
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
    let ghost = setting.call_dual(id, &duals)?;
    // -D times a change of the state.
    let opposite = |setting: &mut Setting, change: &[Number]| {
        let of = |setting: &mut Setting, w: &Dual| {
            let terms = change.iter().enumerate().map(|(j, v)| setting.tower.mul(&w.partial(j), v));
            Ok(setting.tower.neg(&sum(setting, &terms.collect::<Result<Vec<_>, Stop>>()?)?))
        };
        ghost.iter().map(|w| of(setting, w)).collect::<Result<Vec<_>, Stop>>()
    };
    let normal_part = |setting: &mut Setting, inputs: &Inputs<Number>, gradient: &[Number]| {
        let flux = setting.viscous_flux(inputs, gradient)?;
        let of = |i: usize| {
            let terms = inputs.normal.iter().zip(&flux).map(|(n, flux)| setting.tower.mul(n, &flux[i]));
            sum(setting, &terms.collect::<Result<Vec<_>, Stop>>()?)
        };
        (0..m).map(of).collect::<Result<Vec<_>, Stop>>()
    };
    // Some gradient.
    let slopes: Vec<&Vec<Number>> = [&inputs.left, &inputs.right].into_iter().cycle().take(law.dim).collect();
    let inner = normal_part(&mut setting, &inputs, &slopes.iter().copied().flatten().cloned().collect::<Vec<_>>())?;
    let behind = slopes.iter().map(|slope| opposite(&mut setting, slope)).collect::<Result<Vec<_>, _>>()?.concat();
    let outside = Inputs { left: ghost.iter().map(|w| w.value.clone()).collect(), ..inputs.clone() };
    let outer = normal_part(&mut setting, &outside, &behind)?;
    let expected = opposite(&mut setting, &inner)?;
    let equal = |a: &[Number], b: &[Number]| {
        let differences = a.iter().zip(b).map(|(a, b)| setting.tower.sub(a, b)).collect::<Result<Vec<_>, Stop>>()?;
        Ok(differences.iter().all(|difference| difference.zero() != Zero::No))
    };
    Ok(equal(&outer, &expected)? && !equal(&outside.left, &inputs.left)?)
}

#[cfg(test)]
mod tests;
