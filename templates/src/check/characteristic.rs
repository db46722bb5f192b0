//! Characteristic variables: those that are derived diagonalise the flux Jacobian, and are defined at all admissible
//! states that are tried, those of zero momentum and the like among them.

use super::far_field::diagonalisation;
use super::{Checker, Method, integer, prove::Verdict, prove::prove};
use crate::algebra::Rational;
use crate::derive::{
    Characteristic, Coordinates, Dual, Duals, FarField, Inputs, Maps, Number, Point, Setting, Stop, is_admissible,
    maps, text,
};
use crate::ir::{FunctionId, Law, Role, Value, call, flatten};

/// Random points near which components are set to zero.
const NEAR: usize = 2;

/// Derives characteristic variables and proves that they diagonalise the flux Jacobian.
pub fn check(checker: &mut Checker) -> Characteristic {
    let law = checker.law;
    let roles = [Role::Flux, Role::Eigenvalues].map(|role| law.only(&role));
    let ([Some(_), Some(id)], Some(point), Some(_)) = (roles, checker.points.first(), checker.eigenvalues_proved)
    else {
        return Characteristic::default();
    };
    let mut reasons = Vec::new();
    for coordinates in [Coordinates::Quantities, Coordinates::Components] {
        let maps = match maps(law, id, point, coordinates) {
            Ok(maps) => maps,
            Err(error) => {
                reasons.push(error.to_string());
                continue;
            }
        };
        match diagonalise(law, &maps, &checker.points) {
            Ok(method) => {
                let statement = "the characteristic variables diagonalise the flux Jacobian: L R = I and R Λ L = A";
                checker.proved(statement.into(), method);
                return Characteristic::Derived(maps);
            }
            Err(reason) => reasons.push(reason),
        }
    }
    Characteristic::None(reasons.swap_remove(0))
}

/// If there are no formulas, but a far field, which requires that eigenvectors span the space of states at almost all
/// states: then they can be computed. The statement says at how many of the tried states, along the axes, they do, also
/// where components vanish. Where they do not, two waves have merged, and stay coupled
/// (`templates/kernels/eigenvectors.cu`).
pub fn at_run_time(checker: &mut Checker, found: Characteristic, far_field: &FarField) -> Characteristic {
    let (Characteristic::None(why), FarField::Derived { .. }) = (&found, far_field) else { return found };
    let law = checker.law;
    let with_zeros = checker.points.iter().take(NEAR).flat_map(|point| with_zeros(law, point));
    let points: Vec<_> = checker.points.iter().cloned().chain(with_zeros).collect();
    let along = |point: &Point, direction| {
        let normal = (0..law.dim).map(|d| Rational::from(i64::from(d == direction))).collect();
        diagonalisation(law, &Point { normal, ..point.clone() }).ok()
    };
    let tried: Vec<_> = points.iter().flat_map(|point| (0..law.dim).filter_map(|d| along(point, d))).collect();
    let complete = tried.iter().filter(|(_, complete)| *complete).count();
    let statement = match tried.len() - complete {
        0 => "eigenvectors of the flux Jacobian span all states, also where components vanish".to_owned(),
        n => format!("eigenvectors of the flux Jacobian span all states, but at {n} where waves become one"),
    };
    checker.proved(statement, Method::FloatingPoint(tried.len()));
    Characteristic::AtRunTime(why.clone())
}

/// The method by which the maps are proved to diagonalise; otherwise the place where they do not.
fn diagonalise(law: &Law, maps: &[Maps], points: &[Point]) -> Result<Method, String> {
    let extended = with_maps(law, maps);
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs, law.functions.len());
    let mut all = points.to_vec();
    for point in points.iter().take(NEAR).flat_map(|point| with_zeros(law, point)) {
        let place = || text::point(law, &point, text::Show::State);
        let (mut setting, inputs) = Setting::approximate(&extended, &point);
        if let Err(stop) = residuals(&mut setting, &inputs) {
            return Err(format!("the eigenvectors that were found meet {stop} at {}", place()));
        }
        all.push(point);
    }
    match prove(&extended, &all, &residuals, &mut Default::default()) {
        Verdict::Holds(method) => Ok(method),
        Verdict::Fails { point, .. } => {
            let place = text::point(law, &point, text::Show::State);
            Err(format!("the eigenvectors that were found are none at {place}"))
        }
        Verdict::Undecided(_) => {
            Err("it could not be decided whether the eigenvectors that were found are ones".into())
        }
    }
}

/// The law with the maps of every direction, `to` before `from`, after its own functions.
fn with_maps(law: &Law, maps: &[Maps]) -> Law {
    let mut extended = law.clone();
    extended.functions.extend(maps.iter().flat_map(|maps| [maps.to.clone(), maps.from.clone()]));
    extended
}

/// Admissible states where components vanish: each by itself, and as many as can together.
fn with_zeros(law: &Law, point: &Point) -> Vec<Point> {
    let mut list = Vec::new();
    let mut together = point.clone();
    for i in 0..law.state.fields.len() {
        let without = |point: &Point| {
            let mut without = point.clone();
            without.left[i] = Rational::from(0);
            is_admissible(law, &without).then_some(without)
        };
        list.extend(without(point));
        together = without(&together).unwrap_or(together);
    }
    list.push(together);
    list
}

/// `L R - I` and `R Λ L - A` of every direction, the maps being the functions from `first` on.
fn residuals(setting: &mut Setting, inputs: &Inputs<Number>, first: usize) -> Result<Vec<Vec<Number>>, Stop> {
    let law = setting.law;
    let Some(eigenvalues) = law.only(&Role::Eigenvalues) else { return Ok(Vec::new()) };
    let jacobians = setting.jacobians(inputs)?;
    let n = law.state.fields.len();
    let mut residuals = Vec::new();
    for (direction, jacobian) in jacobians.iter().enumerate() {
        let normal = (0..law.dim).map(|d| integer(i64::from(d == direction))).collect();
        let eigenvalues = setting.call(eigenvalues, &Inputs { normal, ..inputs.clone() })?;
        let left = matrix(setting, inputs, FunctionId(first + 2 * direction))?;
        let right = matrix(setting, inputs, FunctionId(first + 2 * direction + 1))?;
        for i in 0..n {
            for j in 0..n {
                let mut identity = vec![integer(-i64::from(i == j))];
                let mut product = vec![setting.tower.neg(&jacobian[i][j])];
                for k in 0..n {
                    identity.push(setting.tower.mul(&left[k][i], &right[j][k])?);
                    let term = setting.tower.mul(&right[k][i], &eigenvalues[k])?;
                    product.push(setting.tower.mul(&term, &left[j][k])?);
                }
                residuals.extend([identity, product]);
            }
        }
    }
    Ok(residuals)
}

/// The matrix of a map, by columns: its derivatives, which are the same everywhere.
fn matrix(setting: &mut Setting, inputs: &Inputs<Number>, map: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let n = inputs.left.len();
    let elements = |numbers: Vec<Dual>| Value::Elements(numbers.into_iter().map(Value::Real).collect());
    let constants = |numbers: &[Number]| elements(numbers.iter().cloned().map(Dual::constant).collect());
    let vector = elements((0..n).map(|j| Dual::variable(integer(0), j)).collect());
    let arguments = [constants(&inputs.left), vector, constants(&inputs.parameters)];
    let arguments = &arguments[..setting.law.function(map).parameters];
    let value = flatten(&call(&mut Duals::new(&mut setting.tower), setting.law, map, arguments)?);
    Ok((0..n).map(|j| value.iter().map(|component| component.partial(j)).collect()).collect())
}

#[cfg(test)]
mod tests;
