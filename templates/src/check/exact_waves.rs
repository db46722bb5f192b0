//! Rule 3, fifth part: a numerical flux that claims to be exact at isolated contacts or shocks is.
//!
//! `#[numerical_flux(exact = contact)]` is held to it at random states u, in double precision. Across a contact the speed λ of its wave does
//! not change, and states on both sides lie on one curve, `du/dτ = P(u) d`, with the projector `P = Π_{μ ≠ λ} (A - μ I) / (λ - μ)` onto the
//! wave's eigenvectors and any direction d. Across a shock of speed s, `F(r)·n - F(l)·n = s (r - l)` (Rankine & Hugoniot), and its
//! wave is faster than s on the left and slower on the right (P. D. Lax, Comm. Pure Appl. Math. 10 (1957) 537–566,
//! <https://doi.org/10.1002/cpa.3160100406>); Newton's method finds r. Between two such states the exact solution has the flux of the
//! left state where the wave moves along n, else that of the right one.

use super::{Checker, Method, SEED};
use crate::algebra::decimal;
use crate::derive::{Inputs, Point, Points, Stop, text};
use crate::ir::{FunctionId, Isolated, Law, Role, Warning};

/// The number of random states from which waves start.
const STATES: usize = 10;

/// Steps of the curve of a contact (Runge & Kutta's of fourth order), and of a shock that grows to its size.
const STEPS: usize = 32;

/// The size of a jump, relative to the state.
const JUMP: f64 = 0.4;

/// A difference of fluxes that is smaller than this part is the error of the states.
const ACCURACY: f64 = 1e-6;

/// Two states that one wave joins.
pub(super) struct Joined {
    pub pair: Inputs<f64>,
    /// The speed of the wave.
    pub speed: f64,
}

/// Checks what a numerical flux claims.
pub fn check(checker: &mut Checker, id: FunctionId, claimed: &[Isolated]) {
    let law = checker.law;
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    for wave in claimed {
        let what = match wave {
            Isolated::Contact => "contacts",
            Isolated::Shock => "shocks",
        };
        let (mut source, mut tried) = (Points::new(law, SEED + 7), 0);
        for point in (0..STATES).filter_map(|_| source.admissible()) {
            for joined in joined(law, &point, *wave) {
                let Ok((found, right)) = compare(law, id, &joined) else { continue };
                tried += 1;
                let scale = right.iter().fold(0.0, |scale: f64, f| scale.max(f.abs()));
                let wrong = (0..right.len()).find(|&i| (found[i] - right[i]).abs() > ACCURACY * scale);
                let Some(i) = wrong else { continue };
                let message = format!("`{name}` is not exact at isolated {what}, as it claims");
                // Six digits show what is meant.
                let place = joined.pair.map(|value| decimal(&text::real(*value)).unwrap_or_default());
                let show = text::apart(&[found[i]], &[right[i]]);
                let notes = vec![
                    format!("at {}", text::point(law, &place, text::Show::BothStatesAndNormal)),
                    format!(
                        "there its `{}` is {}, and that of the exact solution, in which this jump moves at {}, is {}",
                        law.state.fields[i].name,
                        show(found[i]),
                        text::real(joined.speed),
                        show(right[i])
                    ),
                ];
                return checker.error(span, message, notes);
            }
        }
        if tried > 0 {
            checker.proved(format!("`{name}` is exact at isolated {what}"), Method::FloatingPoint(tried));
        } else {
            let message = format!("it could not be decided whether `{name}` is exact at isolated {what}");
            let notes = vec![
                format!("no two states were found that one of the law's {what} joins"),
                format!("if all its waves are of another kind, leave the claim of {what} out"),
            ];
            checker.warning(Warning::Undecided, span, message, notes);
        }
    }
}

/// The numerical flux and that of the exact solution.
fn compare(law: &Law, id: FunctionId, joined: &Joined) -> Result<(Vec<f64>, Vec<f64>), Stop> {
    let Joined { pair, speed } = joined;
    let upwind = if *speed > 0.0 { pair.clone() } else { Inputs { left: pair.right.clone(), ..pair.clone() } };
    Ok((pair.call(law, id)?, upwind.normal_flux(law)?))
}

/// Pairs of states that an isolated wave joins, one of them that of the point.
pub(super) fn joined(law: &Law, point: &Point, wave: Isolated) -> Vec<Joined> {
    let start = point.map(|value| value.to_f64());
    let Some(eigenvalues) = law.only(&Role::Eigenvalues) else { return Vec::new() };
    let Ok(speeds) = distinct(law, eigenvalues, &start) else { return Vec::new() };
    let found = (0..speeds.len()).filter_map(|k| match wave {
        Isolated::Contact => contact(law, eigenvalues, &start, k).ok().flatten(),
        Isolated::Shock => shock(law, eigenvalues, &start, k).ok().flatten(),
    });
    let back = |Joined { pair, speed }: &Joined| Joined {
        pair: Inputs { left: pair.right.clone(), right: pair.left.clone(), ..pair.clone() },
        speed: *speed,
    };
    // A contact may have either state on its left.
    found
        .flat_map(|joined| if wave == Isolated::Contact { vec![back(&joined), joined] } else { vec![joined] })
        .collect()
}

/// The distinct eigenvalues at the left state.
fn distinct(law: &Law, eigenvalues: FunctionId, at: &Inputs<f64>) -> Result<Vec<f64>, Stop> {
    let mut speeds = at.call(law, eigenvalues)?;
    speeds.sort_by(f64::total_cmp);
    let scale = speeds.iter().fold(0.0, |scale: f64, speed| scale.max(speed.abs()));
    speeds.dedup_by(|a, b| (*a - *b).abs() <= 1e-9 * scale);
    Ok(speeds)
}

/// The flux Jacobian in direction of the normal.
fn jacobian(law: &Law, at: &Inputs<f64>) -> Result<Vec<Vec<f64>>, Stop> {
    let Some(flux) = law.only(&Role::Flux) else { return Ok(Vec::new()) };
    let (all, m) = (at.gradients(law, flux)?, law.state.fields.len());
    let entry = |i: usize, j: usize| at.normal.iter().enumerate().map(|(d, n)| n * all[d * m + i][j]).sum();
    Ok((0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect())
}

/// The part of a vector along the eigenvectors of the wave k.
fn projected(law: &Law, eigenvalues: FunctionId, at: &Inputs<f64>, k: usize, v: &[f64]) -> Result<Vec<f64>, Stop> {
    let (speeds, a) = (distinct(law, eigenvalues, at)?, jacobian(law, at)?);
    let speed = *speeds.get(k).ok_or(Stop::Undecided)?;
    let mut part = v.to_vec();
    for other in speeds.iter().filter(|other| **other != speed) {
        part = (0..a.len()).map(|i| (dot(&a[i], &part) - other * part[i]) / (speed - other)).collect();
    }
    Ok(part)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn size(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `a + factor b`.
fn moved(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

/// How the speed of the wave k changes along a direction, relative to the largest change of any.
fn change(law: &Law, eigenvalues: FunctionId, at: &Inputs<f64>, k: usize, along: &[f64]) -> Result<f64, Stop> {
    let (values, gradients) = (at.call(law, eigenvalues)?, at.gradients(law, eigenvalues)?);
    let speed = *distinct(law, eigenvalues, at)?.get(k).ok_or(Stop::Undecided)?;
    let nearest = (0..values.len()).min_by(|&a, &b| (values[a] - speed).abs().total_cmp(&(values[b] - speed).abs()));
    let gradient = &gradients[nearest.ok_or(Stop::Undecided)?][..at.left.len()];
    let scale = size(gradient) * size(along);
    Ok(if scale > 0.0 { dot(gradient, along) / scale } else { 0.0 })
}

/// The state at the other end of a contact of the wave k.
fn contact(law: &Law, eigenvalues: FunctionId, start: &Inputs<f64>, k: usize) -> Result<Option<Joined>, Stop> {
    let at = |left: Vec<f64>| Inputs { left, ..start.clone() };
    let towards = moved(&start.right, -1.0, &start.left);
    let along = projected(law, eigenvalues, start, k, &towards)?;
    if size(&along) < 1e-6 * size(&towards) || change(law, eigenvalues, start, k, &along)?.abs() > 1e-9 {
        return Ok(None);
    }
    let step = JUMP * size(&start.left) / size(&along) / STEPS as f64;
    let rate = |left: Vec<f64>| projected(law, eigenvalues, &at(left), k, &towards);
    let mut u = start.left.clone();
    for _ in 0..STEPS {
        let k1 = rate(u.clone())?;
        let k2 = rate(moved(&u, 0.5 * step, &k1))?;
        let k3 = rate(moved(&u, 0.5 * step, &k2))?;
        let k4 = rate(moved(&u, step, &k3))?;
        for (rate, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
            u = moved(&u, weight * step / 6.0, &rate);
        }
        if !at(u.clone()).is_admissible(law) {
            return Ok(None);
        }
    }
    let speed = distinct(law, eigenvalues, start)?[k];
    let pair = Inputs { right: u, ..start.clone() };
    Ok(balances(law, &pair, speed)?.then_some(Joined { pair, speed }))
}

/// The state at the other end of a shock of the wave k.
fn shock(law: &Law, eigenvalues: FunctionId, start: &Inputs<f64>, k: usize) -> Result<Option<Joined>, Stop> {
    let m = start.left.len();
    let at = |left: Vec<f64>| Inputs { left, ..start.clone() };
    let towards = moved(&start.right, -1.0, &start.left);
    let mut along = projected(law, eigenvalues, start, k, &towards)?;
    if size(&along) < 1e-6 * size(&towards) || change(law, eigenvalues, start, k, &along)?.abs() < 1e-6 {
        return Ok(None);
    }
    let length = size(&along);
    along.iter_mut().for_each(|a| *a /= length);
    let flux = start.normal_flux(law)?;
    let (mut u, mut speed) = (start.left.clone(), distinct(law, eigenvalues, start)?[k]);
    for step in 1..=STEPS {
        // F(u)·n - F(start)·n = s (u - start), as far from the start along the eigenvector as wanted.
        let wanted = JUMP * size(&start.left) * step as f64 / STEPS as f64;
        u = moved(&u, wanted / step as f64, &along);
        for _ in 0..8 {
            let (here, jump) = (at(u.clone()), moved(&u, -1.0, &start.left));
            let (value, a) = (here.normal_flux(law)?, jacobian(law, &here)?);
            let mut rows: Vec<Vec<f64>> = Vec::with_capacity(m + 1);
            for i in 0..m {
                let mut row: Vec<f64> = (0..m).map(|j| a[i][j] - if i == j { speed } else { 0.0 }).collect();
                row.extend([-jump[i], speed * jump[i] - (value[i] - flux[i])]);
                rows.push(row);
            }
            rows.push(along.iter().copied().chain([0.0, wanted - dot(&along, &jump)]).collect());
            let Some(change) = solved(rows) else { return Ok(None) };
            u = moved(&u, 1.0, &change[..m]);
            speed += change[m];
        }
    }
    if !at(u.clone()).is_admissible(law) {
        return Ok(None);
    }
    let of = |left: &[f64]| -> Result<f64, Stop> { Ok(distinct(law, eigenvalues, &at(left.to_vec()))?[k]) };
    let (here, there) = (of(&start.left)?, of(&u)?);
    let (left, right) = if here > there { (start.left.clone(), u) } else { (u, start.left.clone()) };
    let pair = Inputs { left, right, ..start.clone() };
    let compressed = here.max(there) > speed && speed > here.min(there);
    Ok((compressed && balances(law, &pair, speed)?).then_some(Joined { pair, speed }))
}

/// Whether a jump of this speed joins two states.
fn balances(law: &Law, pair: &Inputs<f64>, speed: f64) -> Result<bool, Stop> {
    let back = Inputs { left: pair.right.clone(), ..pair.clone() };
    let change = moved(&back.normal_flux(law)?, -1.0, &pair.normal_flux(law)?);
    let carried: Vec<f64> = pair.right.iter().zip(&pair.left).map(|(r, l)| speed * (r - l)).collect();
    let scale = size(&pair.normal_flux(law)?) + size(&carried);
    Ok(size(&moved(&change, -1.0, &carried)) <= 0.01 * ACCURACY * scale)
}

/// The solution of a linear system, whose rows end in the right side, by elimination with pivots; `None` if it is singular.
fn solved(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < 1e-300 {
            return None;
        }
        for i in 0..n {
            if i != column {
                let factor = rows[i][column] / rows[column][column];
                let row = moved(&rows[i], -factor, &rows[column]);
                rows[i] = row;
            }
        }
    }
    Some((0..n).map(|i| rows[i][n] / rows[i][i]).collect())
}

#[cfg(test)]
mod tests;
