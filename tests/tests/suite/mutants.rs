//! A sample of the laws' mutants, of which each is refused or warned of. `docs/mutants.md` has the score of all, and the survivors.

use tests::mutants::{Fate, Group, Mutants, Original};

/// One mutant in so many is tried.
const ONE_IN: u64 = 101;

/// The roles that promise something of their functions.
const PROMISING: [Group; 6] = [
    Group::Flux,
    Group::Eigenvalues,
    Group::NumericalFlux,
    Group::MinimumPrinciple,
    Group::Exact,
    Group::ImpermeableBoundary,
];

/// Whether a mutant is in the sample, whatever stands elsewhere in the file: by the hash of Fowler, Noll & Vo.
fn is_sampled(group: Group, function: &str, [before, after]: &[String; 2]) -> bool {
    let hash = [function, before, after].into_iter().flat_map(|text| text.bytes());
    let hash =
        hash.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // The low digits of this hash mix worst.
    PROMISING.contains(&group) && (hash >> 32).is_multiple_of(ONE_IN)
}

#[test]
#[ignore = "long"]
fn sampled_mutants_are_refused() {
    let (mut tried, mut survivors) = (0, Vec::new());
    for law in ["advection", "burgers", "euler", "mhd"] {
        for original in Original::all(&tests::root().join(format!("equations/src/{law}.rs"))) {
            let Mutants { mutants, .. } = original.mutants(is_sampled);
            original.fates(&mutants, |mutant, fate, time| {
                println!("{law}:{} {} {time:.1?} {fate:?}", mutant.line, mutant.group);
                tried += usize::from(*fate != Fate::Right);
                if *fate == Fate::Survived {
                    let [before, after] = &mutant.lines;
                    survivors.push(format!("{law}:{}: {before} → {after}", mutant.line));
                }
            });
        }
    }
    assert!(tried > 10, "{tried}");
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// A numerical flux that does not call the flux is held to it all the same.
#[test]
fn a_flux_with_a_constant_for_zero_is_refused() {
    let laws = Original::all(&tests::root().join("equations/src/lighthill_whitham_richards.rs"));
    let Mutants { mutants, .. } = laws[0].mutants(|_, _, [_, after]| after.contains("State { rho: 1.0 }"));
    let mut fates = Vec::new();
    laws[0].fates(&mutants, |_, fate, _| fates.push(fate.clone()));
    assert!(matches!(&fates[..], [Fate::Killed(_)]), "{fates:?}");
}

/// The fates of all mutants of a function of the law in a file.
fn fates_of(file: &str, function: &str) -> Vec<Fate> {
    let laws = Original::all(&tests::root().join(file));
    let Mutants { mutants, .. } = laws[0].mutants(|_, name, _| name == function);
    let mut fates = Vec::new();
    laws[0].fates(&mutants, |_, fate, _| fates.push(fate.clone()));
    fates
}

/// Solutions call no medium, and hold in one all the same.
#[test]
#[ignore = "long"]
fn a_medium_in_which_a_solution_does_not_hold_is_refused() {
    let fates = fates_of("tests/laws/spherical_shallow_water.rs", "latitude");
    assert!(fates.len() >= 4 && !fates.contains(&Fate::Survived), "{fates:?}");
}

/// The solution knows how fast momentum diffuses.
#[test]
fn another_viscous_flux_is_refused() {
    let fates = fates_of("equations/src/viscous_burgers.rs", "friction");
    assert!(fates.len() >= 2 && !fates.contains(&Fate::Survived), "{fates:?}");
}

/// Helpers of a law stand in another file.
#[test]
#[ignore = "long"]
fn another_speed_of_light_in_the_helpers_is_refused() {
    let fates = fates_of("equations/src/maxwell_tm.rs", "light");
    let is_killed = |fate: &Fate| matches!(fate, Fate::Killed(_));
    assert!(fates.len() >= 4 && fates.iter().all(is_killed), "{fates:?}");
}
