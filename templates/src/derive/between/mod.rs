//! The slowest and the fastest wave at the states between two, as a function of the IR.
//!
//! Where a wave speed λ is greatest at neither of two states but between them, as for a flux that is neither convex nor concave,
//! a numerical flux with the speeds of both is not monotone (S. Osher, SIAM J. Numer. Anal. 21 (1984) 217–235). On the straight
//! way u(θ) = l + θ (r - l), 0 ≤ θ ≤ 1, with slopes p⁻ ≤ dλ/dθ ≤ p⁺,
//!
//! ```text
//! λ(θ) ≤ min(λ(l) + p⁺ θ, λ(r) - p⁻ (1 - θ)) ≤ (p λ(r) + q λ(l) + p q) / (p + q),   p = max(p⁺, 0), q = max(-p⁻, 0)
//! ```
//!
//! and so for the least. Where the slope has one sign, these are the values at the ends: in a smooth flow away from inflections
//! the bound is exact. Enclosures of λ itself ([`enclosure`]) are bounds, too. Where a bound is loose, as at a shock, the way is
//! divided into parts; where there is none after that, the extreme of the values at their ends and middles is taken.

mod enclosure;

use super::draft::Draft;
use super::formula::Formulas;
use super::number::{Number, Stop};
use super::points::Points;
use super::samples::{Sample, representable};
use super::setting::{Inputs, Setting};
use super::tower::Tower;
use crate::algebra::Rational;
use crate::ir::{BinaryOp, Domain as _, ExprId, Function, FunctionId, Law, MathFn, Role, Type, call, flatten};
use enclosure::{Enclosure, Enclosures};

/// The name of the derived function.
pub const ALONG: &str = "law_waves_along";

/// The most parts of the way between two states.
pub const PARTS: usize = 16;

/// A bound that is further from the values on the way than this, relative to the largest of them, is worth twice as many parts.
pub const LOOSE: f64 = 0.125;

/// A bound where there is none.
pub const UNBOUNDED: &str = "1e30";

/// The number of values of each numerical flux.
const VALUES: usize = 4;

/// The number of points that are tried for them.
const TRIES: usize = 60;

const LEFT: usize = 0;
const RIGHT: usize = 1;
const NORMAL: usize = 2;
const PARAMETERS: usize = 3;

/// Bounds on the slowest and the fastest of the eigenvalues with these indices, or of the bounds that the law declares, at all states on
/// the straight way from `l` to `r`; then the slowest and the fastest at its ends and its middle. It is a function of both states, the
/// normal, and the parameters where there are any.
///
/// # Errors
/// Where the formulas are too large.
pub(crate) fn along(law: &Law, extreme: &[usize]) -> Result<Function, Stop> {
    match with(law, extreme, true) {
        Err(Stop::TooLarge) => with(law, extreme, false),
        found => found,
    }
}

/// The function, with enclosures or with values alone.
fn with(law: &Law, extreme: &[usize], enclosed: bool) -> Result<Function, Stop> {
    let Some(id) = law.speeds() else { return Err(Stop::Undecided) };
    // The declared bounds, if there are any, instead of eigenvalues.
    let declared = law.size_of(&law.function(id).result);
    let is_declared = law.function(id).role == Role::WaveSpeed;
    let extreme = if is_declared { (0..declared).collect() } else { extreme.to_vec() };
    let mut arguments = vec![("l", Type::State), ("r", Type::State), ("n", Type::Normal)];
    let has_parameters = !law.parameters.fields.is_empty();
    arguments.extend(has_parameters.then_some(("parameters", Type::Parameters)));
    let mut formulas = Formulas::new(Draft::new(law.span, &arguments));
    let m = law.state.fields.len();

    let half = formulas.literal("0.5")?;
    let mut states = [Vec::new(), Vec::new(), Vec::new()];
    for i in 0..m {
        let [from, to] = [LEFT, RIGHT].map(|side| formulas.component(side, i));
        let sum = formulas.arithmetic(BinaryOp::Add, &from, &to)?;
        let middle = formulas.arithmetic(BinaryOp::Mul, &half, &sum)?;
        for (state, component) in states.iter_mut().zip([from, middle, to]) {
            state.push(component);
        }
    }
    let normal: Vec<_> = (0..law.dim).map(|d| formulas.component(NORMAL, d)).collect();
    let parameters: Vec<_> = (0..law.parameters.fields.len()).map(|i| formulas.component(PARAMETERS, i)).collect();
    let mut values = Vec::new();
    for left in states {
        let inputs = inputs(parameters.clone(), left, normal.clone(), half);
        values.push(flatten(&call(&mut formulas, law, id, &inputs.arguments(law, id))?));
    }
    let enclosures = if enclosed { Some(enclosures(&mut formulas, law, id)?) } else { None };

    let mut bounds: Option<[ExprId; 4]> = None;
    for i in extreme {
        let values = [&values[0], &values[1], &values[2]].map(|values| values[i]);
        let own = bound(&mut formulas, law, values, enclosures.as_ref().map(|all| &all[i]))?;
        let known = bounds.unwrap_or(own);
        let mut domain = Enclosures::new(&mut formulas, Draft::new(law.span, &[]));
        bounds = Some([
            domain.least(known[0], own[0])?,
            domain.most(known[1], own[1])?,
            domain.least(known[2], own[2])?,
            domain.most(known[3], own[3])?,
        ]);
    }
    let mut bounds = bounds.ok_or(Stop::Undecided)?;
    if is_declared && declared == 1 {
        for side in [0, 2] {
            bounds[side] = formulas.neg(&bounds[side + 1])?;
        }
    }
    let doc = "Bounds on the slowest and the fastest wave at the states on the straight way from l to r; then the slowest and the\n\
               fastest at its ends and in the middle.";
    let result = Type::Array(Box::new(Type::Real), 4);
    Ok(Function { doc: doc.into(), ..formulas.returning_as(ALONG.into(), &bounds, result) })
}

fn inputs<R: Clone>(parameters: Vec<R>, left: Vec<R>, normal: Vec<R>, time: R) -> Inputs<R> {
    Inputs { parameters, left, right: Vec::new(), normal, position: Vec::new(), time }
}

/// The eigenvalues along the way.
fn enclosures(formulas: &mut Formulas, law: &Law, id: FunctionId) -> Result<Vec<Enclosure>, Stop> {
    // The arguments of a state where there are two for the way.
    let draft = Draft::new(
        law.span,
        &[("u", Type::State), ("u", Type::State), ("n", Type::Normal), ("parameters", Type::Parameters)],
    );
    let mut domain = Enclosures::new(formulas, draft);
    let states: Result<Vec<_>, _> = (0..law.state.fields.len()).map(|i| domain.component(i, [LEFT, RIGHT])).collect();
    let normal = (0..law.dim).map(|d| domain.constant(NORMAL, d)).collect();
    let parameters = (0..law.parameters.fields.len()).map(|i| domain.constant(PARAMETERS, i)).collect();
    let time = domain.literal("0.0")?;
    let inputs = inputs(parameters, states?, normal, time);
    Ok(flatten(&call(&mut domain, law, id, &inputs.arguments(law, id))?))
}

/// Bounds on a number from its values at both ends and in the middle and from its enclosure, and the extreme values.
fn bound(
    formulas: &mut Formulas,
    law: &Law,
    [from, middle, to]: [ExprId; 3],
    enclosure: Option<&Enclosure>,
) -> Result<[ExprId; 4], Stop> {
    let mut domain = Enclosures::new(formulas, Draft::new(law.span, &[]));
    let ends = [domain.least(from, to)?, domain.most(from, to)?];
    let tried = [domain.least(ends[0], middle)?, domain.most(ends[1], middle)?];
    let Some(Enclosure { range, slope, defined, smooth, .. }) = enclosure else {
        let unbounded = domain.formulas.literal(UNBOUNDED)?;
        return Ok([domain.formulas.neg(&unbounded)?, unbounded, tried[0], tried[1]]);
    };
    let Some([falling, rising]) = *slope else {
        return Ok([ends[0], ends[1], ends[0], ends[1]]);
    };
    let formulas = &mut *domain.formulas;
    let [zero, one, unbounded] = [formulas.literal("0.0")?, formulas.literal("1.0")?, formulas.literal(UNBOUNDED)?];
    let rises = formulas.math(MathFn::Max, &[rising, zero])?;
    let falls = formulas.neg(&falling)?;
    let falls = formulas.math(MathFn::Max, &[falls, zero])?;
    let sum = formulas.arithmetic(BinaryOp::Add, &rises, &falls)?;
    let changes = formulas.compare(BinaryOp::Lt, &zero, &sum)?;
    let divisor = formulas.select(&changes, &sum, &one)?;
    let beyond = formulas.arithmetic(BinaryOp::Mul, &rises, &falls)?;
    let mut product = |a: ExprId, b: ExprId| formulas.arithmetic(BinaryOp::Mul, &a, &b);
    let weighted = [
        (product(rises, from)?, product(falls, to)?, BinaryOp::Sub, MathFn::Min, MathFn::Max),
        (product(rises, to)?, product(falls, from)?, BinaryOp::Add, MathFn::Max, MathFn::Min),
    ];
    let mut bounds = [ends[0], ends[1], tried[0], tried[1]];
    for (i, (a, b, op, outward, inward)) in weighted.into_iter().enumerate() {
        let mean = domain.formulas.arithmetic(BinaryOp::Add, &a, &b)?;
        let peak = domain.formulas.arithmetic(op, &mean, &beyond)?;
        let peak = domain.formulas.arithmetic(BinaryOp::Div, &peak, &divisor)?;
        let peak = domain.choose(Some(changes), peak, ends[i])?;
        // No tighter than the values themselves, nor looser than the enclosure.
        let cone = domain.formulas.math(inward, &[peak, range[i]])?;
        let cone = domain.formulas.math(outward, &[cone, ends[i]])?;
        let enclosed = domain.choose(*smooth, cone, range[i])?;
        let nothing = if i == 0 { domain.formulas.neg(&unbounded)? } else { unbounded };
        bounds[i] = domain.choose(*defined, enclosed, nothing)?;
    }
    Ok(bounds)
}

/// Rusanov's flux and HLL with these bounds, in exact arithmetic.
pub(crate) fn samples(law: &Law, function: &Function, seed: u64) -> Vec<Sample> {
    let mut law = law.clone();
    law.functions.push(function.clone());
    let id = FunctionId(law.functions.len() - 1);
    let mut source = Points::new(&law, seed);
    let mut found = Vec::new();
    for _ in 0..TRIES {
        if found.len() == 2 * VALUES {
            break;
        }
        let Some((point, inputs)) = source.admissible().as_ref().and_then(representable) else { continue };
        let (mut setting, numbers) = Setting::approximate(&law, &point);
        let Ok(values) = fluxes(&mut setting, id, &numbers) else { continue };
        for (name, value) in ["rusanov", "hll"].into_iter().zip(values) {
            let Inputs { parameters, left: state, right, normal, position, time } = inputs.clone();
            let value = value.iter().map(Number::to_f64).collect();
            found.push(Sample { function: name.into(), parameters, state, right, normal, position, time, value });
        }
    }
    found
}

/// The slowest and the fastest wave between both states, as generated code finds them.
fn waves(setting: &mut Setting, id: FunctionId, inputs: &Inputs<Number>) -> Result<[Number; 2], Stop> {
    let mut parts = 1;
    loop {
        let mut values = Vec::new();
        for part in 0..parts {
            let ends = of_part(setting, inputs, part, parts)?;
            values.push(setting.call(id, &ends)?);
        }
        let [slowest, fastest, least, most] = [0, 1, 2, 3].map(|i| {
            let own = values.iter().filter_map(|values| values.get(i).cloned());
            let further = |a: Number, b: Number| if (a.to_f64() < b.to_f64()) == (i % 2 == 0) { a } else { b };
            own.reduce(further).ok_or(Stop::Undecided)
        });
        let (slowest, fastest, least, most) = (slowest?, fastest?, least?, most?);
        let [bounds, tried] = [[&slowest, &fastest], [&least, &most]].map(|ends| ends.map(Number::to_f64));
        let allowed = LOOSE * tried[1].max(-tried[0]);
        if tried[0] - bounds[0] <= allowed && bounds[1] - tried[1] <= allowed {
            return Ok([slowest, fastest]);
        }
        if parts == PARTS {
            let unbounded = UNBOUNDED.parse::<f64>().map_err(|_| Stop::Literal)?;
            let slowest = if bounds[0] > -unbounded { slowest } else { least };
            return Ok([slowest, if bounds[1] < unbounded { fastest } else { most }]);
        }
        parts *= 2;
    }
}

/// The ends of a part of the way as the left and the right state.
fn of_part(setting: &Setting, inputs: &Inputs<Number>, part: usize, parts: usize) -> Result<Inputs<Number>, Stop> {
    let state = |end: usize| {
        let share = Number::Rational(Rational::from((end as i64, parts as i64)));
        let component = |(l, r): (&Number, &Number)| {
            let change = setting.tower.mul(&share, &setting.tower.sub(r, l)?)?;
            setting.tower.add(l, &change)
        };
        inputs.left.iter().zip(&inputs.right).map(component).collect::<Result<Vec<_>, _>>()
    };
    Ok(Inputs { left: state(part)?, right: state(part + 1)?, ..inputs.clone() })
}

/// Rusanov's flux and HLL.
fn fluxes(setting: &mut Setting, id: FunctionId, inputs: &Inputs<Number>) -> Result<[Vec<Number>; 2], Stop> {
    let [slowest, fastest] = waves(setting, id, inputs)?;
    let right = Inputs { left: inputs.right.clone(), ..inputs.clone() };
    let (fl, fr) = (setting.normal_flux(inputs)?, setting.normal_flux(&right)?);
    let tower = &mut setting.tower;
    let zero = Number::Rational(Rational::from(0));
    let half = Number::Rational(Rational::from((1, 2)));
    let backwards = Tower::neg(tower, &slowest);
    let speed = if tower.less(&fastest, &backwards)? { backwards } else { fastest.clone() };
    let slowest = if tower.less(&slowest, &zero)? { slowest } else { zero.clone() };
    let fastest = if tower.less(&zero, &fastest)? { fastest } else { zero };
    let width = tower.sub(&fastest, &slowest)?;
    let (mut rusanov, mut hll) = (Vec::new(), Vec::new());
    for (((fl, fr), l), r) in fl.iter().zip(&fr).zip(&inputs.left).zip(&inputs.right) {
        let (sum, jump) = (tower.add(fl, fr)?, tower.sub(r, l)?);
        let difference = tower.sub(&sum, &tower.mul(&speed, &jump)?)?;
        rusanov.push(tower.mul(&half, &difference)?);
        let central = tower.sub(&tower.mul(&fastest, fl)?, &tower.mul(&slowest, fr)?)?;
        let product = tower.mul(&tower.mul(&slowest, &fastest)?, &jump)?;
        hll.push(tower.div(&tower.add(&central, &product)?, &width)?);
    }
    Ok([rusanov, hll])
}

#[cfg(test)]
mod tests;
