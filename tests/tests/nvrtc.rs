//! NVIDIA's own compiler takes the generated code, with no GPU needed: where libnvrtc is found, and where
//! `RANKINE_NVRTC` says that it is to be there.

use std::sync::atomic::{AtomicUsize, Ordering};

use dg_runtime::compile::{Options, nvrtc_for};
use dg_runtime::device::Error;
use dg_runtime::law::{Law, Role, Unit};

const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// With all of a law that a unit can use: every boundary, an exact solution, a numerical flux of its own.
fn options(law: &Law) -> Options {
    let boundaries =
        law.with_role(Role::Boundary).enumerate().map(|(i, function)| format!("X({i}, {})", function.name));
    let mut defines = vec![
        ("PRECISION".to_owned(), "double".to_owned()),
        ("BOUNDARY_CONDITIONS(X)".to_owned(), boundaries.collect::<Vec<_>>().join(" ")),
    ];
    for (name, role, prefix) in [
        ("NUMERICAL_FLUX", Role::NumericalFlux, "numerical_flux"),
        ("INITIAL", Role::Exact, "exact"),
        ("EXACT", Role::Exact, "exact"),
    ] {
        if let Some(function) = law.with_role(role).next() {
            defines.push((name.to_owned(), format!("{prefix}_{}", function.name)));
        }
    }
    Options { defines, ..Options::default() }
}

#[test]
fn every_unit_of_every_law_compiles() {
    let mut work: Vec<(&Law, &Unit, &str)> = Vec::new();
    for law in equations::LAWS {
        for unit in law.units {
            work.extend(ARCHITECTURES.map(|architecture| (*law, unit, architecture)));
        }
    }
    match nvrtc_for("", &Options::default(), ARCHITECTURES[0]) {
        Err(Error::NoCuda(reason)) if std::env::var_os("RANKINE_NVRTC").is_none() => {
            println!("skipped: {reason}");
            return;
        }
        outcome => assert!(outcome.is_ok(), "{}", outcome.unwrap_err()),
    }
    // The largest units first, so that no thread is left alone with one.
    work.sort_by_key(|(law, unit, _)| std::cmp::Reverse(unit.basis * law.state.len()));
    let next = AtomicUsize::new(0);
    let compile = || {
        while let Some((law, unit, architecture)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = std::time::Instant::now();
            let cubin = nvrtc_for(unit.source, &options(law), architecture)
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
