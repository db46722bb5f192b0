use crate::check::laws::{ELASTIC, MHD, SHALLOW_WATER};
use crate::check::testing::law;
use crate::check::tests::found;
use crate::check::{Severity, analyse};
use crate::derive::FarField;
use crate::ir::Warning;

#[test]
#[ignore = "long"]
fn waves_can_be_told_apart_where_the_flux_can_be_diagonalised() {
    for (name, text) in [("shallow_water", SHALLOW_WATER), ("elastic", ELASTIC), ("mhd", MHD)] {
        let (_, derived) = analyse(&law(name, text).law);
        let FarField::Derived { samples, .. } = derived.far_field else { panic!("{name}: {:?}", derived.far_field) };
        assert!(samples.len() >= 4, "{name}: {} samples", samples.len());
    }
    let text = "state u, v;
        fn flux(q: State) -> [State; 2] { [State { u: q.u + q.v, v: q.v }, State { u: q.v, v: 0.0 }] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [n.x, n.x] }";
    let source = law("defective", text);
    let warning = "the flux Jacobian has no full set of eigenvectors: the law is only weakly hyperbolic";
    let weakly = Severity::Warning(Warning::WeaklyHyperbolic);
    assert!(found(&source).contains(&(weakly, "eigenvalues", warning.to_string())));
    let (_, derived) = analyse(&source.law);
    assert!(
        matches!(derived.far_field, FarField::None(reason) if reason == "the flux Jacobian cannot be diagonalised")
    );
}
