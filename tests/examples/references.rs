//! Writes the references that pictures of shock tubes and seismograms are compared with: `cargo run --release -p tests --example references`.

use std::fmt::Write as _;
use std::path::Path;

use tests::reference_1d::Reference;
use tests::riemann::{Primitive, Riemann};

const GAMMA: f64 = 1.4;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../equations/references");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("sod.csv"), sod())?;
    std::fs::write(folder.join("shu_osher.csv"), shu_osher())?;
    for (name, x) in [("near", 1.0), ("far", 2.0)] {
        std::fs::write(folder.join(format!("receiver_{name}_exact.csv")), garvin(x))?;
    }
    Ok(())
}

fn row(text: &mut String, time: f64, x: f64, state: Primitive) {
    let Primitive { rho, v, p } = state;
    let mach = v.abs() / state.sound_speed(GAMMA);
    let _ = writeln!(text, "{time:?},{x:.6},{rho:.6},{p:.6},{mach:.6}");
}

const COLUMNS: &str = "time,x,rho,pressure,mach\n";

/// The exact solution at the times at which the case writes it.
fn sod() -> String {
    let state = |rho, p| Primitive { rho, v: 0.0, p };
    let exact = Riemann::new(state(1.0, 1.0), state(0.125, 0.1), GAMMA);
    let mut text = format!("# Sod's problem, solved exactly; see tests/examples/references.rs\n{COLUMNS}");
    for time in [0.05, 0.1, 0.15, 0.2] {
        // Both sides of what jumps, the ends of the rarefaction, and a curve inside.
        let [[head, tail], [shock, _]] = exact.waves();
        let contact = exact.star_velocities[0];
        let sides = [contact, shock].into_iter().flat_map(|speed| [speed - 1e-9, speed + 1e-9]);
        let fan = (0..=40).map(|i| head + (tail - head) * f64::from(i) / 40.0);
        let mut speeds: Vec<f64> = fan.chain(sides).chain([-0.5 / time, 0.5 / time]).collect();
        speeds.sort_by(f64::total_cmp);
        for speed in speeds {
            row(&mut text, time, 0.5 + speed * time, exact.at(speed));
        }
    }
    text
}

/// A solution by a scheme of finite volumes on 10,000 cells in one dimension, at the case's end.
fn shu_osher() -> String {
    const POINTS: usize = 1000;
    let reference = Reference::shu_osher(10_000);
    let mut text = format!(
        "# The problem of Shu & Osher by MUSCL-Hancock on 10,000 cells in one dimension; see tests/examples/references.rs\n{COLUMNS}"
    );
    for i in 0..=POINTS {
        let x = -5.0 + 10.0 * i as f64 / POINTS as f64;
        row(&mut text, 1.8, x, reference.at(x));
    }
    text
}

/// Garvin's solution at a distance along the surface, at the times of the case.
fn garvin(x: f64) -> String {
    let mut text = "time,v1,v2\n".to_owned();
    for i in 0..=225 {
        let time = 0.02 * f64::from(i);
        let [v1, v2] = tests::garvin::velocity(x, time);
        let _ = writeln!(text, "{time:.2},{v1:.6},{v2:.6}");
    }
    text
}
