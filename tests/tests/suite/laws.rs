//! Laws of the literature, each correct: the compiler says nothing against them, is done with each soon, and writes code in short lines.

use std::time::Instant;

use dg_runtime::law::Method;
use templates::check::Diagnostic;

/// The most work that the check of a law takes, in the compiler's units, which are the same on every machine: of about a tenth of a
/// microsecond as tests are built, so that checks take less than 3 s, those of larger ones, too.
const WORK: u64 = 6_000_000;

/// A law that takes more, since its functions iterate.
const LARGER: [(&str, u64); 1] = [("relativistic_gas", 10_000_000)];

/// The folders of the laws that come with Rankine, and of those to start from.
const FOLDERS: [&str; 2] = ["equations/src", "tests/laws"];

/// The files of the laws: name, path in the repository and text.
fn files() -> Vec<(String, String, String)> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        for entry in std::fs::read_dir(tests::root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            if text.contains("::conservation_law(") {
                let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                files.push((name.clone(), format!("{folder}/{name}.rs"), text));
            }
        }
    }
    files.sort();
    files
}

#[test]
#[ignore = "long"]
fn right_laws_pass_without_a_message() {
    let mut wrong = Vec::new();
    for (name, _, text) in files() {
        let [law] = &tests::files::laws(&text)[..] else { panic!("{name} is not one law") };
        assert_eq!(law.name, name);
        let start = Instant::now();
        let (report, derived) = templates::analyse(law);
        // The time includes that of other checks that run first.
        println!("{name}: {} units of work, {:.2} s", report.work, start.elapsed().as_secs_f64());
        let most = LARGER.iter().find(|(larger, _)| *larger == name).map_or(WORK, |(_, work)| *work);
        assert!(report.work < most, "{name} takes {} units of work", report.work);
        let code = templates::emit::generate(law, &derived).unwrap();
        let lines = code.physics.lines().chain(code.pointwise.lines());
        let long: Vec<&str> = lines.filter(|line| line.chars().count() > 120).collect();
        assert!(long.is_empty(), "{name}: {long:#?}");
        wrong.extend(report.diagnostics.into_iter().map(|diagnostic| (name.clone(), diagnostic)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_law_has_its_equations_its_reference_and_a_line_in_the_documents() {
    let list = std::fs::read_to_string(tests::root().join("docs/laws.md")).unwrap();
    let files = files();
    assert!(files.len() >= 30);
    for (name, path, text) in files {
        let (doc, _) = text.split_once("#[dg_runtime::conservation_law").unwrap();
        for part in ["∂", "https://doi.org/10.", "Reference"] {
            assert!(doc.contains(part), "{name} lacks {part}");
        }
        assert!(list.contains(&format!("[{name}](../{path})")), "docs/laws.md lacks {name}");
    }
}

#[test]
#[ignore = "long"]
fn viscous_fluxes_are_proved_to_diffuse() {
    let mut proved = Vec::new();
    for (name, _, text) in files().into_iter().filter(|(_, _, text)| text.contains("#[viscous_flux]")) {
        let (report, _) = templates::analyse(&tests::files::laws(&text)[0]);
        let ending = "in any direction are real and not negative";
        let proof = report.proofs.iter().find(|proof| proof.statement.ends_with(ending)).unwrap();
        assert_eq!(proof.method, Method::Symbolic, "{name}: {}", proof.statement);
        proved.push(name);
    }
    assert!(proved.len() >= 4, "{proved:?}");
}

#[test]
fn a_number_that_divides_a_state_is_shown_as_it_is_written() {
    let text = "
        /// Two carried quantities.
        #[dg_runtime::conservation_law(dim = 2, orders = 1)]
        pub mod carried {
            #[state]
            pub struct State {
                pub a: f64,
                pub b: f64,
            }
            pub fn flux(u: State) -> [State; 2] {
                [u, u]
            }
            pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
                [n.x + n.y; 2]
            }
            #[numerical_flux]
            pub fn mean(l: State, r: State, n: Normal) -> State {
                let speed = n.x + n.y;
                0.5 * speed * (l + r) + 0.5 * speed.abs() * (l - r) * (l.a - r.a + l.b) / (l.a - r.a + l.b)
            }
        }";
    let (report, _) = templates::analyse(&tests::files::laws(text)[0]);
    let of_divisor = |diagnostic: &&Diagnostic| diagnostic.message.contains("is divided by");
    let diagnostic = report.diagnostics.iter().find(of_divisor).unwrap_or_else(|| panic!("{:#?}", report.diagnostics));
    assert!(diagnostic.message.starts_with("`l.a - r.a + l.b` can be zero"), "{}", diagnostic.message);
}
