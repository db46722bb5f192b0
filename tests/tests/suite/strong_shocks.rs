//! The cases of strong shocks that come with Rankine, all given by formulas, on coarser meshes.

use dg_runtime::case::Case;
use tests::riemann::{Primitive, Riemann};
use tests::{case, mean_difference, root, solution};

/// A case that comes with Rankine, with parts of its text replaced.
fn example(name: &str, changes: &[(&str, &str)]) -> Case {
    let text = std::fs::read_to_string(root().join("equations/cases").join(name)).unwrap();
    case(&changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    }))
}

/// The error of the density of a shock tube with so many cells along x.
fn of_tube(name: &str, cells: usize, exact: impl Fn(f64) -> f64) -> f64 {
    let (height, cells) = (format!("[1.0, {}]", 2.0 / cells as f64), format!("[{cells}, 2]"));
    mean_difference(&solution(&example(name, &[("[1.0, 0.04]", &height), ("[100, 4]", &cells)])), exact)
}

#[test]
#[ignore = "long"]
fn toros_tests_4_and_5_converge_to_the_exact_solutions() {
    let tubes = [
        ("toro_4.toml", [[5.99924, 19.5975, 460.894], [5.99242, -6.19633, 46.095]], 0.4, 0.035),
        ("toro_5.toml", [[1.0, -19.59745, 1000.0], [1.0, -19.59745, 0.01]], 0.8, 0.012),
    ];
    for (name, states, membrane, time) in tubes {
        let [left, right] = states.map(|[rho, v, p]| Primitive { rho, v, p });
        let exact = Riemann::new(left, right, 1.4);
        let [coarse, fine] = [50, 100].map(|cells| of_tube(name, cells, |x| exact.at((x - membrane) / time).rho));
        println!("{name}: {coarse:.2e}, {fine:.2e}");
        // First order except at the contact.
        assert!(coarse > 1.5 * fine, "{name}: {coarse}, {fine}");
    }
}

#[test]
#[ignore = "long"]
fn nohs_implosion_converges_to_the_exact_solution() {
    let [coarse, fine] = [12, 24].map(|cells| {
        let cells = format!("[{cells}, {cells}]");
        let changes = [("[80, 80]", cells.as_str()), ("final = 2.0", "final = 0.9")];
        let errors = solution(&example("noh.toml", &changes)).errors().unwrap();
        errors.l1[0]
    });
    println!("{coarse:.2e}, {fine:.2e}");
    assert!(coarse > 1.4 * fine, "{coarse}, {fine}");
}

#[test]
#[ignore = "long"]
fn a_jet_brings_its_mass_along() {
    // Faster than all waves, so that with HLLC only the jet itself flows through its nozzle, two faces of 0.05.
    let changes = [("[240, 120]", "[40, 20]"), ("final = 0.07", "final = 0.002"), ("\"rusanov\"", "\"hllc\"")];
    let case = example("jet.toml", &changes);
    let mass = solution(&case).integrals().unwrap()[0];
    let (before, expected) = (0.5 * 2.0, 5.0 * 30.0 * 0.1 * 0.002);
    assert!((mass - before - expected).abs() < 0.01 * expected, "{} instead of {expected}", mass - before);
}
