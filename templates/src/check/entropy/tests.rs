use crate::check::laws::EULER;
use crate::check::testing::law;
use crate::check::tests::{accepts, alone, last_flux};
use crate::check::trials::Trials;
use crate::check::{entropy, numerical_flux};

const ENTROPY: &str = "#[minimum_principle] fn entropy(u: State, gas: Params) -> [f64; 1] { [(pressure(u, gas) / u.rho.powf(gas.gamma)).ln()] }";

#[test]
fn hllc_destroys_no_entropy() {
    let proofs = accepts(&law("euler", &format!("{EULER}{ENTROPY}")), numerical_flux::check);
    let statement = "`hllc` does not destroy the entropy with density `rho` that `entropy` gives";
    assert!(proofs.iter().any(|proof| proof == statement), "{proofs:#?}");
}

#[test]
fn a_flux_that_damps_by_the_slower_side_destroys_entropy() {
    // Two speeds of almost the same size keep it from being Rusanov's flux with too small a speed, which is told of otherwise.
    let sharp = "#[numerical_flux] fn sharp(l: State, r: State, n: Normal, gas: Params) -> State {
        let fl = normal_flux(l, n, gas);
        let fr = normal_flux(r, n, gas);
        let c = (gas.gamma * pressure(l, gas) / l.rho).sqrt();
        let d = (gas.gamma * pressure(r, gas) / r.rho).sqrt();
        let v = ((l.rho_v1 * n.x + l.rho_v2 * n.y) / l.rho).abs();
        let w = ((r.rho_v1 * n.x + r.rho_v2 * n.y) / r.rho).abs();
        let s = (c + v).min(d + w);
        let t = (c + v).max(d + w) * 0.01 + 0.99 * s;
        State {
            rho: 0.5 * (fl.rho + fr.rho) - 0.5 * t * (r.rho - l.rho),
            rho_v1: 0.5 * (fl.rho_v1 + fr.rho_v1) - 0.5 * s * (r.rho_v1 - l.rho_v1),
            rho_v2: 0.5 * (fl.rho_v2 + fr.rho_v2) - 0.5 * s * (r.rho_v2 - l.rho_v2),
            rho_e: 0.5 * (fl.rho_e + fr.rho_e) - 0.5 * t * (r.rho_e - l.rho_e),
        }
    }";
    let source = law("euler", &format!("{EULER}{ENTROPY}{sharp}"));
    // Its signals are too slow, too, of which is told otherwise.
    let found = alone(&source, |checker| entropy::check(checker, last_flux(checker.law), &Trials::new(checker.law)));
    assert!(
        found.iter().any(|(_, at, message)| *at == "sharp" && message.starts_with("`sharp` destroys entropy")),
        "{found:#?}"
    );
}
