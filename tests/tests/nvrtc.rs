//! NVIDIA's own compiler takes the generated code, with no GPU needed: where libnvrtc is found, and where
//! `RANKINE_NVRTC` says that it is to be there.

use std::sync::atomic::{AtomicUsize, Ordering};

use dg_runtime::compile::{Options, nvrtc_for, nvrtc_version};
use dg_runtime::law::{Law, Unit};
use tests::everything;

const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// Whether there is a compiler. Where it is said to be, it must be.
fn is_there() -> bool {
    match nvrtc_version() {
        Err(reason) if std::env::var_os("RANKINE_NVRTC").is_none() => {
            println!("skipped: {reason}");
            false
        }
        outcome => {
            assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
            true
        }
    }
}

#[test]
fn what_stands_in_a_unit_beside_the_scheme_compiles() {
    for (law, unit) in equations::LAWS.iter().filter_map(|law| Some((law, law.units.first()?))) {
        for variant in ["POINTWISE", "PEAK"].into_iter().filter(|_| is_there()) {
            for precision in ["double", "float"] {
                let defines = [("PRECISION", precision), (variant, "1")].map(|(n, v)| (n.to_owned(), v.to_owned()));
                let options = Options { defines: defines.into(), ..Options::default() };
                let outcome = nvrtc_for(unit.source, &options, ARCHITECTURES[0]);
                assert!(outcome.is_ok(), "{}, {variant}: {}", law.name, outcome.unwrap_err());
            }
        }
    }
}

#[test]
fn every_unit_of_every_law_compiles() {
    let mut work: Vec<(&Law, &Unit, &str)> = Vec::new();
    for law in equations::LAWS {
        for unit in law.units {
            work.extend(ARCHITECTURES.map(|architecture| (*law, unit, architecture)));
        }
    }
    if !is_there() {
        return;
    }
    // The largest units first, so that no thread is left alone with one.
    work.sort_by_key(|(law, unit, _)| std::cmp::Reverse(unit.basis * law.state.len()));
    let next = AtomicUsize::new(0);
    let compile = || {
        while let Some((law, unit, architecture)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = std::time::Instant::now();
            let cubin = nvrtc_for(unit.source, &everything(law), architecture)
                .unwrap_or_else(|error| panic!("{} of order {} for {architecture}: {error}", law.name, unit.order));
            assert!(cubin.starts_with(b"\x7fELF"));
            println!("{} of order {} for {architecture}: {:.1} s", law.name, unit.order, start.elapsed().as_secs_f64());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(compile);
        }
    });
    assert!(work.len() >= 3 * 8 * 2);
}
