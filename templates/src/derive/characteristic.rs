//! Characteristic variables `w = L_d(u) v` of a change `v` of the state, for every coordinate direction `d`.
//!
//! The columns of `R_d = L_d⁻¹` are eigenvectors of the flux Jacobian `A_d = ∂F_d/∂u`, in the order in which the law
//! declares the eigenvalues `Λ_d`, so that `A_d = R_d Λ_d L_d`: null spaces of `A_d - λ I` by elimination over exact
//! numbers. Pivots are chosen so that eigenvectors stay defined where components of the state vanish, as far as can be
//! seen; the check verifies that they do.

use super::chart::{Chart, SECOND, derived_function};
use super::draft::Draft;
use super::number::{Number, Stop, Zero};
use super::points::is_admissible;
use super::rows::Rows;
use super::setting::Point;
use super::text;
use super::tower::Tower;
use crate::algebra::Rational;
use crate::ir::{AXES, ExprId, Function, FunctionId, Law, Let, Pattern, Type};

/// The largest number of terms of a number. Eigenvectors with larger ones are of no use in a kernel.
const LIMIT: usize = 120;

/// The functions that take a change of the state to its characteristic variables and back. They take the state, then
/// the vector, then the parameters where the law has any, and end with a variable for each component.
#[derive(Clone, Debug)]
pub struct Maps {
    /// `w = L_d(u) v`.
    pub to: Function,
    /// `v = R_d(u) w`.
    pub from: Function,
}

/// Why a law has no characteristic variables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEigenvectors {
    /// Eigenvectors do not span all states.
    #[error(
        "the flux Jacobian in {axis} cannot be diagonalised: it has {found} eigenvector{} for an eigenvalue that is \
         {multiplicity}-fold",
        if *found == 1 { "" } else { "s" }
    )]
    Defective {
        /// The direction.
        axis: &'static str,
        /// How many eigenvectors there are.
        found: usize,
        /// How many there should be.
        multiplicity: usize,
    },
    /// An evaluation stopped.
    #[error("the eigenvectors of the flux Jacobian met {0}")]
    Stopped(#[from] Stop),
}

/// The coordinates in which eigenvectors are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// Quantities that the law names, such as velocities and the speed of sound.
    Quantities,
    /// Components of the state.
    Components,
}

/// A map as text: the abbreviations that it needs, then its components, each with its value.
pub fn formulas(law: &Law, function: &Function) -> Vec<(String, String)> {
    let result = |i: usize| match function.result {
        Type::State => format!("v.{}", law.state.fields[i].name),
        _ => format!("w[{i}]"),
    };
    let abbreviations = function.body.lets.len() - law.state.fields.len();
    let formula = |(i, binding): (usize, &Let)| {
        let Pattern::Local(local) = binding.pattern else { return None };
        let name = &function.locals[local.0].name;
        let name = if i < abbreviations { name.clone() } else { result(i - abbreviations) };
        Some((name, text::expression(law, function, binding.value)))
    };
    function.body.lets.iter().enumerate().filter_map(formula).collect()
}

type Matrix = Vec<Vec<Number>>;

/// The maps of every direction, derived near a point.
///
/// # Errors
/// Where the law has no eigenvectors that can be found and written.
pub fn maps(
    law: &Law,
    eigenvalues: FunctionId,
    point: &Point,
    coordinates: Coordinates,
) -> Result<Vec<Maps>, NoEigenvectors> {
    (0..law.dim).map(|direction| in_direction(law, eigenvalues, point, coordinates, direction)).collect()
}

fn in_direction(
    law: &Law,
    id: FunctionId,
    point: &Point,
    coordinates: Coordinates,
    direction: usize,
) -> Result<Maps, NoEigenvectors> {
    let chart = match coordinates {
        Coordinates::Quantities => Chart::of_quantities(law, direction, point)?,
        Coordinates::Components => Chart::plain(law, direction),
    };
    let (mut setting, inputs) = chart.setting(point, LIMIT)?;
    let jacobian = setting.jacobians(&inputs)?.swap_remove(direction);
    let eigenvalues = setting.call(id, &inputs)?;
    let tower = &setting.tower;
    let elimination = Elimination { tower, vanishing: vanishing(law, point) };
    let mut right = elimination.right_eigenvectors(&jacobian, &eigenvalues, AXES[direction])?;
    let mut left = elimination.inverse(&right)?;
    shorten(tower, &eigenvalues, &mut left, &mut right)?;
    let function = law.function(id);
    let vector = Type::Array(Box::new(Type::Real), right.len());
    let axis = AXES[direction];
    let to = Rows::new(tower, &chart, derived_function(law, function, "v", Type::State));
    let to = written(law, to, &left, format!("law_to_characteristic_{axis}"), vector.clone())?;
    let from = Rows::new(tower, &chart, derived_function(law, function, "w", vector));
    let from = written(law, from, &right, format!("law_from_characteristic_{axis}"), Type::State)?;
    Ok(Maps { to, from })
}

/// The function of the second argument that multiplies it by a matrix.
fn written(law: &Law, mut rows: Rows<'_>, matrix: &Matrix, name: String, result: Type) -> Result<Function, Stop> {
    let n = matrix.len();
    let second = rows.draft.argument(SECOND);
    let element = if result == Type::State { Draft::element } else { Draft::field };
    let vector: Vec<ExprId> = (0..n).map(|i| element(&mut rows.draft, second, i)).collect();
    let products = matrix.iter().map(|row| rows.row(row, &vector)).collect::<Result<Vec<_>, _>>()?;
    let bind = |(i, product): (usize, ExprId)| {
        let name = if result == Type::State { law.state.fields[i].name.clone() } else { format!("w{}", i + 1) };
        rows.draft.bind(&name, product)
    };
    let values = products.into_iter().enumerate().map(bind).collect();
    Ok(rows.draft.returning(name, values, result))
}

/// Elimination that avoids pivots which vanish somewhere.
struct Elimination<'a> {
    tower: &'a Tower,
    /// Coordinates that may be zero.
    vanishing: Vec<usize>,
}

impl Elimination<'_> {
    /// Eigenvectors as columns, in the order of the eigenvalues.
    fn right_eigenvectors(
        &self,
        jacobian: &Matrix,
        eigenvalues: &[Number],
        axis: &'static str,
    ) -> Result<Matrix, NoEigenvectors> {
        let n = jacobian.len();
        let mut columns: Vec<Option<Vec<Number>>> = vec![None; n];
        for i in 0..n {
            if columns[i].is_some() {
                continue;
            }
            let mut equal = Vec::new();
            for (k, eigenvalue) in eigenvalues.iter().enumerate() {
                match self.tower.sub(eigenvalue, &eigenvalues[i])?.zero() {
                    Zero::Exactly => equal.push(k),
                    Zero::Numerically => return Err(Stop::Undecided.into()),
                    Zero::No => {}
                }
            }
            let mut shifted = jacobian.clone();
            for (k, row) in shifted.iter_mut().enumerate() {
                row[k] = self.tower.sub(&row[k], &eigenvalues[i])?;
            }
            let vectors = self.null_space(shifted)?;
            if vectors.len() != equal.len() {
                return Err(NoEigenvectors::Defective { axis, found: vectors.len(), multiplicity: equal.len() });
            }
            for (k, vector) in equal.into_iter().zip(vectors) {
                columns[k] = Some(vector);
            }
        }
        let columns: Vec<_> = columns.into_iter().flatten().collect();
        Ok((0..n).map(|i| columns.iter().map(|column| column[i].clone()).collect()).collect())
    }

    /// A basis of a matrix's null space.
    fn null_space(&self, mut a: Matrix) -> Result<Vec<Vec<Number>>, Stop> {
        let n = a.len();
        let pivots = self.eliminate(&mut a, n)?;
        let free = (0..n).filter(|column| !pivots.iter().any(|(_, pivot)| pivot == column));
        let vector = |free: usize| {
            let mut vector = vec![Number::Rational(Rational::from(0)); n];
            vector[free] = Number::Rational(Rational::from(1));
            for &(row, column) in &pivots {
                vector[column] = self.tower.neg(&a[row][free]);
            }
            vector
        };
        Ok(free.map(vector).collect())
    }

    fn inverse(&self, a: &Matrix) -> Result<Matrix, Stop> {
        let n = a.len();
        let mut both = a.clone();
        for (i, row) in both.iter_mut().enumerate() {
            row.extend((0..n).map(|k| Number::Rational(Rational::from(i64::from(i == k)))));
        }
        let mut pivots = self.eliminate(&mut both, n)?;
        if pivots.len() < n {
            return Err(Stop::DivisionByZero);
        }
        pivots.sort_by_key(|(_, column)| *column);
        Ok(pivots.into_iter().map(|(row, _)| both[row].split_off(n)).collect())
    }

    /// Gauss–Jordan elimination in the first `columns` columns; the pivots, by row and column.
    fn eliminate(&self, a: &mut Matrix, columns: usize) -> Result<Vec<(usize, usize)>, Stop> {
        let mut pivots: Vec<(usize, usize)> = Vec::new();
        loop {
            let mut best = None;
            for (i, row) in a.iter().enumerate().filter(|(i, _)| !pivots.iter().any(|(row, _)| row == i)) {
                for (j, entry) in row[..columns].iter().enumerate() {
                    match entry.zero() {
                        Zero::Exactly => continue,
                        Zero::Numerically => return Err(Stop::Undecided),
                        Zero::No => {}
                    }
                    let key = (self.risk(entry), i, j);
                    if best.is_none_or(|known| key < known) {
                        best = Some(key);
                    }
                }
            }
            let Some((_, i, j)) = best else { return Ok(pivots) };
            let pivot = a[i][j].clone();
            for entry in a[i].iter_mut().filter(|entry| !entry.is_zero()) {
                *entry = self.tower.div(entry, &pivot)?;
            }
            let row = a[i].clone();
            for (_, other) in a.iter_mut().enumerate().filter(|(k, _)| *k != i) {
                let factor = other[j].clone();
                if !factor.is_zero() {
                    for (entry, above) in other.iter_mut().zip(&row).filter(|(_, above)| !above.is_zero()) {
                        *entry = self.tower.sub(entry, &self.tower.mul(&factor, above)?)?;
                    }
                }
            }
            pivots.push((i, j));
        }
    }

    /// The risk of dividing by a number: it may vanish with components of the state, it has variables, it has several
    /// terms, it is large.
    fn risk(&self, a: &Number) -> (bool, bool, usize, usize) {
        let Number::General(general) = a else { return (false, false, 0, 0) };
        let numerator = general.fraction.numerator();
        let remains = |powers: &[usize]| self.vanishing.iter().all(|&i| powers.get(i).is_none_or(|power| *power == 0));
        let vanishes = !numerator.terms().iter().any(|(_, powers)| remains(powers));
        (vanishes, true, numerator.len(), general.fraction.len())
    }
}

/// The coordinates of the components that are zero at some admissible states near a point.
fn vanishing(law: &Law, point: &Point) -> Vec<usize> {
    let without = |component: usize| {
        let mut point = point.clone();
        point.left[component] = Rational::from(0);
        is_admissible(law, &point)
    };
    (0..law.state.fields.len()).filter(|&i| without(i)).map(|i| law.parameters.fields.len() + i).collect()
}

/// Chooses other vectors in the eigenspaces of multiple eigenvalues where that makes entries shorter: with
/// `l_b - f l_a` for the left vector `l_b`, the right one `r_a` becomes `r_a + f r_b`.
fn shorten(tower: &Tower, eigenvalues: &[Number], left: &mut Matrix, right: &mut Matrix) -> Result<(), Stop> {
    let n = left.len();
    for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
        if a == b || !tower.sub(&eigenvalues[a], &eigenvalues[b])?.is_zero() {
            continue;
        }
        let column: Vec<_> = right.iter().map(|row| row[a].clone()).collect();
        let mut best = (size(&left[b]) + size(&column), None);
        for j in (0..n).filter(|&j| left[a][j].zero() == Zero::No && !left[b][j].is_zero()) {
            let factor = tower.div(&left[b][j], &left[a][j])?;
            let negated = tower.neg(&factor);
            let combine = |x: &Number, factor, y| tower.add(x, &tower.mul(factor, y)?);
            let row = left[b].iter().zip(&left[a]).map(|(b, a)| combine(b, &negated, a));
            let row = row.collect::<Result<Vec<_>, _>>()?;
            let column = right.iter().map(|row| combine(&row[a], &factor, &row[b]));
            let column = column.collect::<Result<Vec<_>, _>>()?;
            let length = size(&row) + size(&column);
            if length < best.0 {
                best = (length, Some((row, column)));
            }
        }
        if let (_, Some((row, column))) = best {
            left[b] = row;
            for (entries, entry) in right.iter_mut().zip(column) {
                entries[a] = entry;
            }
        }
    }
    Ok(())
}

/// The length of numbers as text.
fn size(vector: &[Number]) -> usize {
    let size = |a: &Number| match a {
        Number::General(general) => general.fraction.len(),
        a => usize::from(!a.is_zero()),
    };
    vector.iter().map(size).sum()
}
