use crate::check::laws::BURGERS;
use crate::check::testing::{Source, law};
use crate::check::tests::{found, passes};
use crate::check::{Severity, analyse};
use crate::ir::Warning;

/// A numerical flux with a branch that is not tried.
const UNTRIED: &str = "#[numerical_flux] fn lax(l: State, r: State, n: Normal) -> State {
    if l.u > 1000.0 { State { u: 1.0 } } else { State { u: 0.25 * (l.u * l.u + r.u * r.u) * (n.x + n.y) - 0.5 * l.u.abs().max(r.u.abs()) * (n.x + n.y).abs() * (r.u - l.u) } }
}";

/// The places and texts of the warnings that something is accepted needlessly.
fn needless(source: &Source) -> Vec<(&str, String)> {
    let needless =
        found(source).into_iter().filter(|(severity, ..)| *severity == Severity::Warning(Warning::NeedlessAccept));
    needless.map(|(_, at, message)| (at, message)).collect()
}

#[test]
fn a_function_accepts_warnings_of_itself() {
    passes("burgers", &format!("{BURGERS}#[accept(untried_branch)] {UNTRIED}"));
}

#[test]
fn a_module_accepts_warnings_of_all_of_it() {
    passes("burgers", &format!("#[accept(untried_branch)] {BURGERS}{UNTRIED}"));
}

#[test]
fn a_warning_says_how_to_accept_it() {
    let (report, _) = analyse(&law("burgers", &format!("{BURGERS}{UNTRIED}")).law);
    let [warning] = &report.diagnostics[..] else { panic!("{:#?}", report.diagnostics) };
    assert_eq!(warning.notes.last().unwrap(), "`#[accept(untried_branch)]` on `fn lax` accepts this");
    // A function that other laws share accepts nothing.
    let mut shared = law("burgers", &format!("{BURGERS}{UNTRIED}")).law;
    shared.functions.iter_mut().for_each(|function| function.shared = true);
    let (report, _) = analyse(&shared);
    assert_eq!(
        report.diagnostics[0].notes.last().unwrap(),
        "`#[accept(untried_branch)]` on `mod burgers` accepts this"
    );
    let (report, _) = analyse(&law("waves", "state u, dye; fn flux(q: State) -> [State; 2] {
        let f = State { u: q.u, dye: 0.0 }; [f, f] } fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [0.0, n.x + n.y] }").law);
    let [warning] = &report.diagnostics[..] else { panic!("{:#?}", report.diagnostics) };
    assert_eq!(warning.notes.last().unwrap(), "`#[accept(idle_component)]` on `mod waves` accepts this");
}

#[test]
#[ignore = "long"]
fn what_silences_nothing_is_warned_of() {
    let says = |name: &str| format!("there is no warning `{name}` here: leave it out");
    let source = law("burgers", &format!("{BURGERS}#[accept(undecided, untried_branch)] {UNTRIED}"));
    assert_eq!(needless(&source), [("undecided", says("undecided"))]);
    // The function's own comes first, so that the module's is needless.
    let source = law("burgers", &format!("#[accept(untried_branch)] {BURGERS}#[accept(untried_branch)] {UNTRIED}"));
    assert_eq!(needless(&source), [("untried_branch", says("untried_branch"))]);
    passes("burgers", &format!("#[accept(needless_accept)] {BURGERS}#[accept(undecided, untried_branch)] {UNTRIED}"));
    let source = law("burgers", &format!("#[accept(needless_accept)] {BURGERS}#[accept(untried_branch)] {UNTRIED}"));
    assert_eq!(needless(&source), [("needless_accept", says("needless_accept"))]);
}
