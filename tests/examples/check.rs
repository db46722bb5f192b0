//! What the compiler says about laws, and what that takes: `cargo run -p tests --example check -- FILE…`.
//!
//! Prints for each law the work of its check in the compiler's units, the seconds of processors that it took, and its messages.

use templates::check::Severity;

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for law in tests::files::laws(&text) {
            let before = seconds();
            let (report, _) = templates::analyse(&law);
            println!("{}: {} units of work, {:.2} s", law.name, report.work, seconds() - before);
            for diagnostic in report.diagnostics {
                let kind = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
                println!("  {kind}: {}", diagnostic.message);
                diagnostic.notes.iter().for_each(|note| println!("    {note}"));
            }
        }
    }
}

/// The time that this process has computed, from the kernel's ticks of 10 ms; other processes do not change it much.
fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux tells of processes");
    // What follows the name, which may have spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(1).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}
