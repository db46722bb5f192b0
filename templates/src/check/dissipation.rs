//! Rule 3, second part: a numerical flux dissipates every wave, and at least as much as upwinding does.
//!
//! Between nearly equal states a numerical flux is `F(u)·n + ∂f*/∂l dl + ∂f*/∂r dr`, and the scheme of degree 0 in one
//! dimension solves `∂u/∂t + A ∂u/∂x = h/2 D ∂²u/∂x²` up to higher powers of the size h of elements, with the flux Jacobian A in
//! direction of n and the dissipation `D = ∂f*/∂l - ∂f*/∂r` at l = r. Rusanov's flux has D = s I with its speed s, Roe's D = |A|.
//!
//! * An eigenvalue of D with a negative real part makes some perturbation grow: a mistake.
//! * If D and A do not commute, the flux takes apart other waves than those of the law. Flux-vector splittings do so, and
//!   approximations with fewer waves than the law has; they say so by `#[numerical_flux(splitting)]`. Otherwise it is a mistake.
//! * Where D - |A| has an eigenvalue with a negative real part, a wave is damped less than by upwinding, and the time step
//!   is too long or the scheme of degree 0 oscillates: a warning. Where D and A do not commute, the sum of the eigenvalues of D has to
//!   reach that of |A|, as it does for the splittings of van Leer and of Steger & Warming.
//! * If wherever there are waves an eigenvalue of D is twice the largest |λ| or more, as where a ½ is forgotten, the time step, which
//!   follows from the speeds of waves alone, is too long for the scheme of degree 0, and discontinuities are smeared: a warning. The same
//!   if at some state the mean eigenvalue of D is twice the largest |λ| of all states, as where a quotient grows without bound, or
//!   if D is not 0 along an axis in whose direction nothing flows, as where `n.x` is forgotten.

use super::{Checker, Method};
use crate::algebra::Rational;
use crate::derive::{
    Inputs, Number, Point, Setting, Stop, Zero, array_elements, budget, distinct, eigenvalues, shifted, spectrum, text,
};
use crate::ir::{AXES, FunctionId, Law, Role, Warning};

/// What is smaller than this part of the fastest wave's speed is rounding, or a number that the user adds against division by
/// zero.
const SMALL: (i64, i64) = (1, 1_000_000);

/// What a splitting may lack in total, for rounding.
const TOTAL: f64 = 1e-3;

/// Damping where nothing flows that is larger than this part of the largest elsewhere is no entropy fix.
const FORGOTTEN: f64 = 0.5;

type Matrix = Vec<Vec<Number>>;

/// What a numerical flux does at a state.
enum Finding {
    /// It damps every wave as upwinding does, or more.
    Dissipates,
    /// It lets something grow; the wave, if D and A commute, with its value in D.
    Amplifies(Option<Wave>),
    /// It takes apart other waves than the law's.
    Mixes(Mixture),
    /// It damps a wave less than upwinding; the wave, where eigenvalues and eigenvectors are known.
    Little(Option<Wave>),
}

/// How D and A fail to commute.
struct Mixture {
    /// The component of `D A - A D` that is largest, and that of the jump.
    component: usize,
    jump: usize,
    /// The sums of the eigenvalues of D, and of |A|.
    damping: f64,
    upwind: f64,
}

/// How the largest eigenvalue of D compares with the fastest wave.
enum Excess {
    /// It is less than twice as large, or nothing is known of it.
    None,
    /// There is no wave.
    NoWave,
    /// It is at least twice as large.
    Of { damping: f64, speed: f64 },
}

/// A wave of the law, and how it is damped.
struct Wave {
    /// The function of the eigenvalues.
    eigenvalues: FunctionId,
    /// The index of its eigenvalue.
    index: usize,
    /// |λ|.
    speed: f64,
    /// The eigenvalue of D on its eigenvectors; their mean, if they are several.
    damping: f64,
}

/// Checks a numerical flux between equal states, the left ones of these points.
pub fn check(checker: &mut Checker, id: FunctionId, splitting: bool, points: &[Point]) {
    let law = checker.law;
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    let eigenvalues = law.only(&Role::Eigenvalues);
    let (mut evaluated, mut little, mut mixes) = (0, None, false);
    // The first excess, while there is one at every state with waves.
    let (mut always, mut excess) = (true, None);
    // The mean eigenvalues of D.
    let mut means = Vec::new();
    let share = budget::Share::begin();
    for point in points {
        if evaluated > 0 && share.is_exhausted() {
            break;
        }
        let Ok((finding, found, mean)) = finding(law, id, eigenvalues, point, always) else { continue };
        means.push((point, mean));
        evaluated += 1;
        let place = || format!("at {}", text::point(law, point, text::Show::StateAndNormal));
        match found {
            Excess::None => always = false,
            Excess::NoWave => {}
            Excess::Of { damping, speed } => excess = excess.or_else(|| Some(([damping, speed], place()))),
        }
        match finding {
            Finding::Dissipates => {}
            Finding::Amplifies(wave) => {
                let message = format!("`{name}` is anti-diffusive: between nearly equal states it lets waves grow");
                let why = match wave {
                    Some(wave) => of_wave(law, &wave),
                    None => "there an eigenvalue of D = ∂f*/∂l - ∂f*/∂r has a negative real part".into(),
                };
                return checker.error(span, message, vec![place(), why, REMEDY.into()]);
            }
            Finding::Mixes(Mixture { damping, upwind, .. }) if splitting => {
                mixes = true;
                if damping < (1.0 - TOTAL) * upwind {
                    let show = text::apart(&[damping], &[upwind]);
                    let sums = format!(
                        "there the eigenvalues of D = ∂f*/∂l - ∂f*/∂r have the sum {}, and upwinding has {}, the sum of all |λ|",
                        show(damping),
                        show(upwind)
                    );
                    little = little.or_else(|| Some((sums, place())));
                }
            }
            Finding::Mixes(mixture) => {
                let message = format!("`{name}` takes apart other waves than those of the law");
                let [component, jump] =
                    [mixture.component, mixture.jump].map(|component| &law.state.fields[component].name);
                let why = format!(
                    "between nearly equal states its dissipation D = ∂f*/∂l - ∂f*/∂r does not commute with the flux Jacobian A, most of all in \
                     `{component}` where `{jump}` jumps"
                );
                let remedy =
                    "the speed, the strength or the direction of a wave is wrong, or a state between two waves";
                let declare = "if all are as meant, the flux splits the flux vector or merges waves, and says so: \
                               `#[numerical_flux(splitting)]`";
                return checker.error(span, message, vec![place(), why, remedy.into(), declare.into()]);
            }
            Finding::Little(wave) => {
                let wave = match wave {
                    Some(wave) => of_wave(law, &wave),
                    None => {
                        "there D² - A², with D = ∂f*/∂l - ∂f*/∂r and the flux Jacobian A, has a negative eigenvalue"
                            .into()
                    }
                };
                little = little.or_else(|| Some((wave, place())));
            }
        }
    }
    if let Some((wave, place)) = little {
        let message = format!("`{name}` damps a wave less than upwinding does");
        checker.warning(Warning::WeakDissipation, span, message, vec![place, wave, REMEDY.into()]);
    } else if let (true, Some((values, place))) = (always, excess) {
        let message =
            format!("`{name}` damps a wave at least twice as fast as any wave moves, at every state that was tried");
        let [damping, speed] = values.map(text::real);
        let notes = vec![
            place,
            format!("there an eigenvalue of D = ∂f*/∂l - ∂f*/∂r is {damping}, and the fastest wave has {speed}"),
            "the time step follows from the speeds of waves alone, so that the scheme may be unstable; and it smears discontinuities"
                .into(),
        ];
        checker.warning(Warning::StrongDissipation, span, message, notes);
    } else if let Some((point, values)) = beyond_all_waves(law, &means) {
        let message = format!("`{name}` damps at least twice as fast as any wave moves at any state that was tried");
        let [damping, speed] = values.map(text::real);
        let notes = vec![
            format!("at {}", text::floats(law, &point, text::Show::StateAndNormal)),
            format!(
                "there the mean eigenvalue of D = ∂f*/∂l - ∂f*/∂r is {damping}, and along this normal the fastest wave of all states has {speed}"
            ),
            "the time step follows from the speeds of waves alone, so that the scheme may be unstable there".into(),
        ];
        checker.warning(Warning::StrongDissipation, span, message, notes);
    } else if let Some((axis, damping)) = damped_axis(law, id, points) {
        let axis = AXES[axis];
        let message = format!("`{name}` damps in the direction of {axis}, in which the law has no waves");
        let notes = vec![
            format!(
                "the flux in this direction is the same at all states, and there D = ∂f*/∂l - ∂f*/∂r has entries up to {}",
                text::real(damping)
            ),
            "a speed of waves along the normal is 0 there: it has a factor such as `n.x.abs()`".into(),
        ];
        checker.warning(Warning::StrongDissipation, span, message, notes);
    } else if evaluated > 0 {
        let statement = match mixes {
            true => format!(
                "`{name}` lets no wave grow, and mixes waves, as it declares, with at least the damping of upwinding in total"
            ),
            false => format!("`{name}` damps every wave at least as upwinding does, D ≥ |A|"),
        };
        checker.proved(statement, Method::FloatingPoint(evaluated));
    } else {
        let message = format!("it could not be decided whether `{name}` dissipates");
        checker.warning(
            Warning::Undecided,
            span,
            message,
            vec![
                "it is undefined at the states that were tried, or numbers there leave the range of double precision"
                    .into(),
            ],
        );
    }
}

const REMEDY: &str = "a numerical flux is a mean flux less D/2 times the jump, where D has at least |λ| for each wave, as \
                      Rusanov's has with the largest |λ| of both sides, and of those between where λ is not monotone";

/// A line about a wave.
fn of_wave(law: &Law, wave: &Wave) -> String {
    let function = law.function(wave.eigenvalues);
    let listed = array_elements(function).and_then(|ids| ids.get(wave.index).copied());
    let name = listed
        .map_or_else(|| format!("{}[{}]", function.name, wave.index), |expr| text::expression(law, function, expr));
    let [damping, speed] = [wave.damping, wave.speed].map(text::apart(&[wave.damping], &[wave.speed]));
    format!("there D = ∂f*/∂l - ∂f*/∂r is {damping} in the wave of speed `{name}`, where upwinding has {speed}")
}

/// What a numerical flux does at a state, if wanted whether it damps far too much, and the mean eigenvalue of D. Without eigenvalues it cannot be told how much
/// it damps which wave.
fn finding(
    law: &Law,
    id: FunctionId,
    eigenvalues: Option<FunctionId>,
    point: &Point,
    wanted: bool,
) -> Result<(Finding, Excess, f64), Stop> {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let dissipation = dissipation(&mut setting, &inputs, id)?;
    let dissipation = in_units_of(&mut setting, &inputs.left, dissipation)?;
    let mean = (0..dissipation.len()).map(|i| dissipation[i][i].to_f64()).sum::<f64>() / dissipation.len() as f64;
    let jacobian = setting.normal_jacobian(&inputs)?;
    let jacobian = in_units_of(&mut setting, &inputs.left, jacobian)?;
    let all = eigenvalues.map_or_else(|| Ok(Vec::new()), |eigenvalues| setting.call(eigenvalues, &inputs))?;
    let speeds = distinct(&setting, &all)?;

    let entries = jacobian.iter().flatten().filter(|_| speeds.is_empty());
    let fastest = speeds.iter().chain(entries).max_by(|a, b| a.to_f64().abs().total_cmp(&b.to_f64().abs())).cloned();
    let largest = fastest.map_or_else(|| super::integer(0), |speed| setting.tower.absolute(&speed));
    let margin = setting.tower.mul(&largest, &Number::Rational(Rational::from(SMALL)))?;
    let excess = match wanted && !speeds.is_empty() {
        true => excess(&setting, &dissipation, &largest, &margin)?,
        false => Excess::None,
    };
    let found = of_matrices(&mut setting, dissipation, &jacobian, eigenvalues, (&speeds, &all), (&largest, &margin))?;
    Ok((found, excess, mean))
}

/// The largest entry of a matrix.
fn size(matrix: &Matrix) -> f64 {
    matrix.iter().flatten().map(|entry| entry.to_f64().abs()).fold(0.0, f64::max)
}

/// Whether an eigenvalue of D is at least twice the fastest wave's speed.
fn excess(setting: &Setting, dissipation: &Matrix, largest: &Number, margin: &Number) -> Result<Excess, Stop> {
    if largest.to_f64() == 0.0 {
        return Ok(Excess::NoWave);
    }
    let twice = setting.tower.sub(&setting.tower.mul(largest, &super::integer(2))?, margin)?;
    let zero = vec![vec![super::integer(0); dissipation.len()]; dissipation.len()];
    let rest = plus(setting, &minus(setting, zero, dissipation)?, &twice)?;
    if spectrum::is_positive(&setting.tower, &rest)? {
        return Ok(Excess::None);
    }
    let roots = spectrum::scaled_roots(&spectrum::characteristic(&setting.tower, dissipation)?);
    let damping = roots.iter().map(|(real, _)| *real).fold(0.0, f64::max);
    Ok(Excess::Of { damping, speed: largest.to_f64() })
}

/// The first of these states with the mean eigenvalues of D at which that is at least twice the speed of any wave of all states, with both
/// numbers.
fn beyond_all_waves(law: &Law, means: &[(&Point, f64)]) -> Option<(Inputs<f64>, [f64; 2])> {
    let fastest = |at: &Inputs<f64>| {
        let speeds = eigenvalues(law, at).ok()?;
        Some(speeds.iter().fold(0.0, |fastest: f64, speed| fastest.max(speed.abs())))
    };
    let states: Vec<_> = means.iter().map(|(point, _)| point.map(|value| value.to_f64()).left).collect();
    // Of one law along one normal, if most of the states are states of this law, too.
    let fastest_of_all = |at: &Inputs<f64>| {
        let others = states.iter().map(|left| Inputs { left: left.clone(), ..at.clone() });
        let speeds: Vec<f64> = others.filter(|at| at.is_admissible(law)).filter_map(|at| fastest(&at)).collect();
        (2 * speeds.len() > states.len()).then(|| speeds.into_iter().fold(0.0, f64::max))
    };
    let beyond = |(point, mean): &(&Point, f64)| {
        let at = point.map(|value| value.to_f64());
        fastest(&at).filter(|speed| *speed > 0.0 && *mean >= 2.0 * speed)?;
        let speed = fastest_of_all(&at).filter(|speed| *mean >= 2.0 * speed)?;
        Some((at, [*mean, speed]))
    };
    means.iter().find_map(beyond)
}

/// An axis along which the flux is the same at all states, though the numerical flux damps jumps there, with the largest entry of D.
fn damped_axis(law: &Law, id: FunctionId, points: &[Point]) -> Option<(usize, f64)> {
    let along = |axis: usize, point: &Point| {
        let normal = (0..law.dim).map(|d| Rational::from(i64::from(d == axis))).collect();
        Point { normal, ..point.clone() }
    };
    let flows = |axis: usize, point: &Point| {
        let jacobian = along(axis, point).map(|value| value.to_f64()).normal_jacobian(law);
        jacobian.map_or(true, |jacobian| jacobian.iter().flatten().any(|entry| *entry != 0.0))
    };
    let damping = |axis: usize, point: &Point| {
        let (mut setting, inputs) = Setting::approximate(law, &along(axis, point));
        let dissipation = dissipation(&mut setting, &inputs, id)?;
        in_units_of(&mut setting, &inputs.left, dissipation).map(|matrix| size(&matrix))
    };
    let (idle, flowing): (Vec<_>, Vec<_>) =
        (0..law.dim).partition(|&axis| !points.iter().any(|point| flows(axis, point)));
    let largest = |axis: usize| points.iter().filter_map(|point| damping(axis, point).ok()).fold(0.0, f64::max);
    let usual = if idle.is_empty() { 0.0 } else { flowing.into_iter().map(largest).fold(0.0, f64::max) };
    idle.into_iter().map(|axis| (axis, largest(axis))).find(|(_, damping)| *damping > FORGOTTEN * usual)
}

/// The same from D, A, the eigenvalues, distinct and all, and the largest |λ| with what is rounding beside it.
fn of_matrices(
    setting: &mut Setting,
    dissipation: Matrix,
    jacobian: &Matrix,
    eigenvalues: Option<FunctionId>,
    (speeds, all): (&[Number], &[Number]),
    (largest, margin): (&Number, &Number),
) -> Result<Finding, Stop> {
    let (fastest, small) = (largest.to_f64(), Number::Rational(Rational::from(SMALL)).to_f64());
    let commutator =
        minus(setting, product(setting, &dissipation, jacobian)?, &product(setting, jacobian, &dissipation)?)?;
    // Nothing is said where numbers leave the range of double precision.
    let scale = size(&dissipation).max(fastest) * size(jacobian);
    if !scale.is_finite() || (scale < f64::MIN_POSITIVE / small && size(jacobian) > 0.0) {
        return Err(Stop::TooLarge);
    }
    let commute = size(&commutator) <= small * scale;
    let grows = fastest > 0.0 && !spectrum::is_positive(&setting.tower, &plus(setting, &dissipation, margin)?)?;
    if !commute {
        let grown = Finding::Amplifies(None);
        return if grows {
            Ok(grown)
        } else {
            mixture(setting, &dissipation, jacobian, &commutator, all).map(Finding::Mixes)
        };
    }
    let upwind = eigenvalues.map(|id| upwind(setting, jacobian, id, speeds, all, &dissipation)).transpose()?;
    let Some((absolute, waves)) = upwind.flatten() else {
        // As D and A commute, D ≥ |A| if D² - A² has no eigenvalue with a negative real part.
        let squares =
            minus(setting, product(setting, &dissipation, &dissipation)?, &product(setting, jacobian, jacobian)?)?;
        let margin = setting.tower.mul(margin, largest)?;
        let enough = fastest == 0.0 || spectrum::is_positive(&setting.tower, &plus(setting, &squares, &margin)?)?;
        return Ok(match (grows, enough) {
            (true, _) => Finding::Amplifies(None),
            (false, true) => Finding::Dissipates,
            (false, false) => Finding::Little(None),
        });
    };
    let least = waves.into_iter().min_by(|a, b| (a.damping - a.speed).total_cmp(&(b.damping - b.speed)));
    if grows {
        return Ok(Finding::Amplifies(least));
    }
    let excess = minus(setting, dissipation, &absolute)?;
    let enough = fastest == 0.0 || spectrum::is_positive(&setting.tower, &plus(setting, &excess, margin)?)?;
    Ok(match least {
        wave if !enough => Finding::Little(wave),
        _ => Finding::Dissipates,
    })
}

/// Where D and A do not commute, and how much D damps in total.
fn mixture(
    setting: &Setting,
    dissipation: &Matrix,
    jacobian: &Matrix,
    commutator: &Matrix,
    all: &[Number],
) -> Result<Mixture, Stop> {
    let m = jacobian.len();
    let entries = (0..m).flat_map(|i| (0..m).map(move |j| (i, j)));
    let entry = |&(i, j): &(usize, usize)| commutator[i][j].to_f64().abs();
    let largest = entries.max_by(|a, b| entry(a).total_cmp(&entry(b)));
    let (component, jump) = largest.unwrap_or_default();
    let damping = (0..m).map(|i| dissipation[i][i].to_f64()).sum();
    let upwind = if all.len() == m {
        all.iter().map(|speed| speed.to_f64().abs()).sum()
    } else {
        let roots = spectrum::scaled_roots(&spectrum::characteristic(&setting.tower, jacobian)?);
        roots.iter().map(|(real, _)| real.abs()).sum()
    };
    Ok(Mixture { component, jump, damping, upwind })
}

/// `∂f*/∂l - ∂f*/∂r` at l = r, the left state of the inputs, by columns `D e = (F(u - δe)·n + F(u + δe)·n - 2 f*(u - δe, u + δe)) / 2δ`:
/// with a jump, however small, no minimum of a left and a right value is undecided, as it would be for derivatives at l = r.
fn dissipation(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<Matrix, Stop> {
    let m = inputs.left.len();
    let mut dissipation = vec![Vec::with_capacity(m); m];
    let small = Number::Rational(Rational::from((1, 1_i64 << 62)));
    let small = setting.tower.mul(&small, &small)?;
    for j in 0..m {
        let (mut pair, mut back) = (inputs.clone(), inputs.clone());
        let unit = unit(setting, &inputs.left[j]);
        let jump = setting.tower.mul(&small, &unit)?;
        pair.right = inputs.left.clone();
        pair.left[j] = setting.tower.sub(&inputs.left[j], &jump)?;
        pair.right[j] = setting.tower.add(&inputs.left[j], &jump)?;
        back.left = pair.right.clone();
        let (left, right, numerical) =
            (setting.normal_flux(&pair)?, setting.normal_flux(&back)?, setting.call(id, &pair)?);
        for (i, f) in numerical.iter().enumerate() {
            let tower = &setting.tower;
            let ends = tower.add(&tower.sub(&left[i], f)?, &tower.sub(&right[i], f)?)?;
            dissipation[i].push(tower.div(&ends, &tower.mul(&jump, &super::integer(2))?)?);
        }
    }
    Ok(dissipation)
}

/// The size of a component, or 1 if it is zero.
fn unit(setting: &mut Setting, component: &Number) -> Number {
    if component.zero() == Zero::No { setting.tower.absolute(component) } else { super::integer(1) }
}

/// A matrix for components in units of their sizes, which has the same eigenvalues; entries of very different size would drown them in
/// rounding errors.
fn in_units_of(setting: &mut Setting, state: &[Number], mut matrix: Matrix) -> Result<Matrix, Stop> {
    let units: Vec<Number> = state.iter().map(|component| unit(setting, component)).collect();
    for (i, row) in matrix.iter_mut().enumerate() {
        for (entry, from) in row.iter_mut().zip(&units) {
            *entry = setting.tower.div(&setting.tower.mul(entry, from)?, &units[i])?;
        }
    }
    Ok(matrix)
}

/// `|A| = Σ |λ| Π_{μ ≠ λ} (A - μ I) / (λ - μ)` over distinct eigenvalues, and how D damps each wave; `None` where A has no full
/// set of eigenvectors.
fn upwind(
    setting: &mut Setting,
    jacobian: &Matrix,
    eigenvalues: FunctionId,
    speeds: &[Number],
    all: &[Number],
    dissipation: &Matrix,
) -> Result<Option<(Matrix, Vec<Wave>)>, Stop> {
    let m = jacobian.len();
    let zero = Number::Rational(Rational::from(0));
    let (mut absolute, mut sum) = (vec![vec![zero.clone(); m]; m], vec![vec![zero.clone(); m]; m]);
    let mut waves = Vec::new();
    for speed in speeds {
        let magnitude = setting.tower.absolute(speed);
        let (mut damping, mut multiplicity) = (zero.clone(), zero.clone());
        for j in 0..m {
            let mut column: Vec<Number> = (0..m).map(|i| super::integer(i64::from(i == j))).collect();
            for other in speeds {
                let distance = setting.tower.sub(speed, other)?;
                if distance.zero() != Zero::No {
                    continue;
                }
                column = shifted(setting, jacobian, other, &column)?;
                for entry in &mut column {
                    *entry = setting.tower.div(entry, &distance)?;
                }
            }
            // The column j of the projector onto the wave.
            multiplicity = setting.tower.add(&multiplicity, &column[j])?;
            damping = setting.tower.add(&damping, &setting.dot(&dissipation[j], column.iter())?)?;
            for (i, entry) in column.iter().enumerate() {
                absolute[i][j] = setting.tower.add(&absolute[i][j], &setting.tower.mul(&magnitude, entry)?)?;
                sum[i][j] = setting.tower.add(&sum[i][j], &setting.tower.mul(speed, entry)?)?;
            }
        }
        let index = all
            .iter()
            .position(|other| setting.tower.sub(speed, other).is_ok_and(|distance| distance.zero() != Zero::No));
        let damping = damping.to_f64() / multiplicity.to_f64().round().max(1.0);
        waves.push(Wave { eigenvalues, index: index.unwrap_or(0), speed: magnitude.to_f64(), damping });
    }
    // Σ λ P = A if and only if there are enough eigenvectors.
    let size = jacobian.iter().flatten().map(|entry| entry.to_f64().abs()).fold(0.0, f64::max);
    for (row, other) in sum.iter().zip(jacobian) {
        for (a, b) in row.iter().zip(other) {
            if setting.tower.sub(a, b)?.to_f64().abs() > 1e-30 * size {
                return Ok(None);
            }
        }
    }
    Ok(Some((absolute, waves)))
}

/// `a b`.
fn product(setting: &Setting, a: &Matrix, b: &Matrix) -> Result<Matrix, Stop> {
    let entry = |row: &Vec<Number>, j: usize| setting.dot(row, b.iter().map(|other| &other[j]));
    a.iter().map(|row| (0..b.len()).map(|j| entry(row, j)).collect()).collect()
}

/// `a - b`.
fn minus(setting: &Setting, mut a: Matrix, b: &Matrix) -> Result<Matrix, Stop> {
    for (entry, other) in a.iter_mut().flatten().zip(b.iter().flatten()) {
        *entry = setting.tower.sub(entry, other)?;
    }
    Ok(a)
}

/// `a + number I`.
fn plus(setting: &Setting, a: &Matrix, number: &Number) -> Result<Matrix, Stop> {
    let mut sum = a.clone();
    for (i, row) in sum.iter_mut().enumerate() {
        row[i] = setting.tower.add(&row[i], number)?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests;
