//! Rule 1: each declared eigenvalue is a root of `det(∂(F·n)/∂u - λI)`, with the right multiplicity.

use super::{Checker, repair};
use crate::derive::{Inputs, Number, Point, Points, Setting, Stop, array_elements, spectrum, text};
use crate::ir::{FunctionId, Role};

/// Checks the eigenvalues that the law declares.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let Some(id) = law.only(&Role::Eigenvalues) else { return };
    if law.size_of(&law.function(id).result) != law.state.fields.len() {
        return; // rule 7 reports it
    }
    let statement = format!("`{}` gives the eigenvalues of the flux Jacobian", law.function(id).name);
    let before = checker.report.proofs.len();
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let jacobian = setting.normal_jacobian(inputs)?;
        let right = spectrum::characteristic(&setting.tower, &jacobian)?;
        let declared = setting.call(id, inputs)?;
        let declared = spectrum::from_roots(&setting.tower, &declared)?;
        Ok(right.iter().zip(&declared).map(|(a, b)| vec![a.clone(), setting.tower.neg(b)]).collect())
    };
    let points = checker.points.clone();
    checker.claim(id, statement, &points, &residuals, |checker, point, _| explain(checker, id, point));
    checker.eigenvalues_proved = checker.report.proofs.get(before).map(|proof| proof.method);
}

/// The mistakes in the declared eigenvalues at a point.
struct Mismatch {
    /// The declared values.
    declared: Vec<Number>,
    /// Indices of the declared ones that are no eigenvalue, or are declared more often than their multiplicity.
    wrong: Vec<usize>,
    /// For each of these, whether it is an eigenvalue of smaller multiplicity.
    repeated: Vec<bool>,
    /// The eigenvalues that are not declared (real and imaginary part).
    missing: Vec<(f64, f64)>,
}

fn mismatch((mut setting, inputs): (Setting, Inputs<Number>), id: FunctionId) -> Result<Mismatch, Stop> {
    let jacobian = setting.normal_jacobian(&inputs)?;
    let all = spectrum::characteristic(&setting.tower, &jacobian)?;
    let declared = setting.call(id, &inputs)?;
    let (mut rest, mut wrong, mut repeated) = (all.clone(), Vec::new(), Vec::new());
    for (i, value) in declared.iter().enumerate() {
        match spectrum::deflate(&setting.tower, &rest, value)? {
            Some(quotient) => rest = quotient,
            None => {
                wrong.push(i);
                repeated.push(spectrum::deflate(&setting.tower, &all, value)?.is_some());
            }
        }
    }
    Ok(Mismatch { declared, wrong, repeated, missing: spectrum::roots(&rest) })
}

fn explain(checker: &mut Checker, id: FunctionId, point: &Point) {
    checker.eigenvalues_are_wrong = true;
    let law = checker.law;
    let function = law.function(id);
    let place = text::point(law, point, text::Show::StateAndNormal);
    let mismatch = mismatch(Setting::constant(law, point), id)
        .or_else(|_| mismatch(Setting::approximate(law, point), id))
        .ok()
        .and_then(|mismatch| Some((*mismatch.wrong.first()?, mismatch)));
    let Some((first, mismatch)) = mismatch else {
        let message = format!("what `{}` returns are not the eigenvalues of the flux Jacobian", function.name);
        return checker.error(function.span, message, vec![format!("at {place}")]);
    };
    let listed = array_elements(function);
    let name = |i: usize| {
        let expr = listed.as_ref().and_then(|ids| ids.get(i));
        expr.map_or_else(|| format!("{}[{i}]", function.name), |&expr| text::expression(law, function, expr))
    };
    let span = listed.as_ref().and_then(|ids| ids.get(first)).map_or(function.span, |&expr| function.expr(expr).span);
    let declared: Vec<_> = mismatch.wrong.iter().map(|&i| mismatch.declared[i].to_f64()).collect();
    let reals: Vec<_> = mismatch.missing.iter().filter(|root| is_real(root)).map(|(re, _)| *re).collect();
    let show = text::apart(&declared, &reals);
    let values: Vec<_> = declared.iter().map(|value| show(*value)).collect();
    let missing: Vec<_> = mismatch.missing.iter().map(|root| complex(root, &show)).collect();
    let mut notes = vec![format!("at {place}")];
    let names: Vec<_> = mismatch.wrong.iter().map(|&i| format!("`{}`", name(i))).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let declared = format!("there {} {verb} {}", names.join(", "), values.join(", "));
    notes.push(if mismatch.missing.iter().all(|(re, im)| re.is_finite() && im.is_finite()) {
        format!("{declared}, where the Jacobian has {}", missing.join(", "))
    } else {
        format!("{declared}, and what the Jacobian has is beyond the range of double precision")
    });
    // A change must help where the law fails, and do no harm elsewhere, also where no rule was tried.
    let mut fresh = Points::new(law, super::SEED + 5).over_ranges();
    let elsewhere = checker.points.iter().cloned().chain((0..super::POINTS).filter_map(|_| fresh.admissible()));
    let points: Vec<_> = std::iter::once(point.clone()).chain(elsewhere).collect();
    // What fits a wrong product is no repair.
    let repair = if checker.product_is_doubtful { None } else { repair::find(law, &points) };
    let (span, message) = match repair {
        Some(repair) if repair.in_flux => {
            checker.flux_is_suspect = true;
            let message = format!(
                "`{}` does not fit the declared eigenvalues: with `{}` the flux Jacobian has them",
                repair.before, repair.after
            );
            (law.function(repair.function).expr(repair.expr).span, message)
        }
        Some(repair) => {
            let what = repair::name_of(law, repair.function, repair.expr);
            let what = what.map_or_else(|| "a term of it".into(), |name| format!("`{name}`"));
            let message = format!(
                "`{}` is not an eigenvalue of the flux Jacobian: {what} is {}, the Jacobian has {}",
                name(first),
                repair.before,
                repair.after
            );
            (span, message)
        }
        None if mismatch.repeated[0] => {
            checker.doubt = Some(span);
            let message = "is an eigenvalue of the flux Jacobian, but not as often as it is declared";
            (span, format!("`{}` {message}", name(first)))
        }
        None => {
            checker.doubt = Some(span);
            (span, format!("`{}` is not an eigenvalue of the flux Jacobian", name(first)))
        }
    };
    checker.error(span, message, notes);
}

fn is_real((re, im): &(f64, f64)) -> bool {
    im.abs() < 1e-6 * (1.0 + re.abs())
}

fn complex(root: &(f64, f64), show: impl Fn(f64) -> String) -> String {
    let &(re, im) = root;
    if is_real(root) {
        show(re)
    } else {
        format!("{} {} {}i", show(re), if im < 0.0 { "-" } else { "+" }, show(im.abs()))
    }
}

#[cfg(test)]
mod tests;
