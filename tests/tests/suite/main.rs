//! Tests across several crates, one subject in each file.
//!
//! They form one binary, which is linked once: `cargo test -p tests NAME` runs those whose path, such as `step_limit::the_wave_is…`,
//! contains the name. A test that measures its whole process is a separate binary beside this folder.

mod ader;
mod ader_curved;
mod agreement;
mod algebra;
mod arrays;
mod boundary_flux;
mod cases;
mod changing_media;
mod characteristic;
mod conservation;
mod convergence;
mod curved;
mod documents;
mod elastic;
mod exact_upwind;
mod failures;
mod far_field;
mod formulas;
mod gradient_outputs;
mod growth;
mod guard;
mod hostile_cases;
mod hostile_laws;
mod kills;
mod laws;
mod limited_cfl;
mod limiters;
mod limiters_mhd;
mod linearised;
mod means;
mod measure;
mod measured_flows;
mod media;
mod media_from_files;
mod mhd_blast;
mod mhd_divergence;
mod mixed;
mod mutants;
mod new;
mod nonconservative;
mod nonconvex;
mod numerical_flux;
mod nvrtc;
mod orders;
mod parameters;
mod paraview;
mod point_sources;
mod positivity;
mod quadrilaterals;
mod read_back;
mod readme;
mod receivers;
mod rejection;
mod rerun;
mod restart;
mod resume;
mod riemann_problems;
mod schedules;
mod shallow_water;
mod sheared;
mod shock_tubes;
mod smooth;
mod snapshots;
mod sources;
mod splines;
mod stability;
mod steady;
mod step_limit;
mod strong_shocks;
mod tolerance;
mod turned_periods;
mod ui;
mod unheard;
mod viscous;
mod viscous_schemes;
mod wave_speeds;
mod well_balanced;

/// The folder that this file is in.
fn folder() -> std::path::PathBuf {
    tests::root().join("tests/tests/suite")
}

#[test]
fn every_file_is_part_of_the_suite() {
    let main = std::fs::read_to_string(folder().join("main.rs")).unwrap();
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: Vec<_> = names.filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned())).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names.iter().filter(|name| *name != "main") {
        assert!(
            main.contains(&format!("\nmod {name};\n")),
            "main.rs lacks `mod {name};`, without which its tests do not run"
        );
    }
}
