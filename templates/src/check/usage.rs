//! Rule 7, first part: unused parameters and components, and missing pieces.

use std::collections::BTreeSet;

use super::{Checker, repair::reachable};
use crate::derive::Setting;
use crate::ir::{ExprKind, Function, Role, Type, Warning};

/// Looks for missing pieces and unused names.
pub fn check(checker: &mut Checker) {
    eigenvalues(checker);
    parameters(checker);
    components(checker);
}

fn eigenvalues(checker: &mut Checker) {
    let law = checker.law;
    let m = law.state.fields.len();
    let Some(id) = law.only(&Role::Eigenvalues) else {
        if law.only(&Role::WaveSpeed).is_some() {
            return;
        }
        let (state, parameters) = (&law.state.name, &law.parameters.name);
        let tail = if law.parameters.fields.is_empty() { String::new() } else { format!(", p: {parameters}") };
        let signature = format!("pub fn eigenvalues(u: {state}, n: Normal{tail}) -> [f64; {m}]");
        let message = format!("the law has no `eigenvalues`: write `{signature} {{ … }}`, the wave speeds along `n`");
        let note = "they bound the time step and the numerical flux; where they have no closed form, a `#[wave_speed]` that bounds them \
                    does";
        checker.error(law.span, message, vec![note.into()]);
        return;
    };
    let function = law.function(id);
    let n = law.size_of(&function.result);
    if n != m {
        let message = format!(
            "`{}` returns {n} eigenvalues, but the state has {m} components: list each as often as it occurs",
            function.name
        );
        checker.error(function.span, message, Vec::new());
    }
}

/// Fields of records of type `record` that a function reads.
fn read(function: &Function, record: &Type) -> BTreeSet<usize> {
    let reads = function.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Field(of, i) if function.expr(of).ty == *record => Some(i),
        _ => None,
    });
    reads.collect()
}

fn parameters(checker: &mut Checker) {
    let law = checker.law;
    let roles = law.with_role(|role| *role != Role::Helper);
    let functions: BTreeSet<_> = roles.flat_map(|id| reachable(law, id)).collect();
    let of = |ty: Type| functions.iter().flat_map(move |&id| read(law.function(id), &ty)).collect::<BTreeSet<_>>();
    let used = &of(Type::Parameters) | &of(Type::Medium);
    for (i, field) in law.parameters.fields.iter().enumerate() {
        if !used.contains(&i) {
            let what = if i < law.medium.fields.len() { "field of the medium" } else { "parameter" };
            let message = format!("the {what} `{}` is never used: remove it, or use it in a formula", field.name);
            checker.error(field.span, message, Vec::new());
        }
    }
}

fn components(checker: &mut Checker) {
    let law = checker.law;
    let Some(flux) = law.only(&Role::Flux) else { return };
    let further = [Role::Nonconservative, Role::ViscousFlux];
    let moving = further.iter().filter_map(|role| law.only(role)).chain([flux]);
    let functions: BTreeSet<_> = moving.flat_map(|id| reachable(law, id)).collect();
    let used: BTreeSet<_> = functions.iter().flat_map(|&id| read(law.function(id), &Type::State)).collect();
    // A flux that hands on whole states (`[u, u]`) reads every component without naming one.
    if used.is_empty() {
        return;
    }
    let source = law.only(&Role::Source);
    let moves = |i: usize| {
        checker.points.iter().any(|point| {
            let (mut setting, inputs) = Setting::constant(law, point);
            let moved = setting.flux(&inputs).is_ok_and(|flux| flux.iter().any(|f| !f[i].is_zero()));
            // What a source changes evolves where it is, as a field that currents charge.
            moved || source.is_some_and(|id| setting.call(id, &inputs).is_ok_and(|rates| !rates[i].is_zero()))
        })
    };
    let idle = |i: &usize| !used.contains(i) && !moves(*i);
    let idle: Vec<_> = (0..law.state.fields.len()).filter(idle).collect();
    for field in idle.into_iter().map(|i| &law.state.fields[i]) {
        let message = format!("the flux neither depends on `{}` nor changes it", field.name);
        let note = "a quantity that does not evolve belongs among the parameters";
        checker.warning(Warning::IdleComponent, field.span, message, vec![note.into()]);
    }
}

#[cfg(test)]
mod tests;
