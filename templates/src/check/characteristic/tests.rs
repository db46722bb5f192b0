use crate::check::laws::{ADVECTION, BURGERS, ELASTIC, EULER, MHD, SHALLOW_WATER};
use crate::check::testing::law;
use crate::check::tests::method;
use crate::check::{Method, POINTS, analyse};
use crate::derive::{Characteristic, formulas};
use crate::ir::Function;

/// The derived characteristic variables, each function as lines; and the method of their proof.
fn characteristic_variables(name: &str, text: &str) -> (Result<Vec<Vec<String>>, String>, Option<Method>) {
    let source = law(name, text);
    let start = std::time::Instant::now();
    let (report, derived) = analyse(&source.law);
    println!("{name}: {:?}", start.elapsed());
    let lines = |function: &Function| {
        let lines = formulas(&source.law, function).into_iter().map(|(name, value)| format!("{name} = {value}"));
        lines.collect::<Vec<_>>()
    };
    let found = match derived.characteristic {
        Characteristic::None(reason) => Err(reason),
        Characteristic::AtRunTime(reason) => Err(format!("computed: {reason}")),
        Characteristic::Derived(maps) => {
            Ok(maps.iter().flat_map(|maps| [lines(&maps.to), lines(&maps.from)]).collect())
        }
    };
    println!("{found:#?}");
    (found, method(&report, "the characteristic variables diagonalise the flux Jacobian"))
}

#[test]
#[ignore = "long"]
fn characteristic_variables_diagonalise() {
    for (name, text) in [
        ("advection", ADVECTION),
        ("burgers", BURGERS),
        ("shallow_water", SHALLOW_WATER),
        ("euler", EULER),
        ("elastic", ELASTIC),
    ] {
        let (found, method) = characteristic_variables(name, text);
        assert!(found.is_ok_and(|functions| functions.len() == 4), "{name}");
        assert_eq!(method, Some(Method::Symbolic), "{name}");
    }
}

#[test]
fn characteristic_variables_of_euler_read_as_in_textbooks() {
    let functions = characteristic_variables("euler", EULER).0.unwrap();
    assert_eq!(
        functions[1],
        [
            "vn = u.rho_v1 / u.rho",
            "c = sqrt(gas.gamma * pressure(u, gas) / u.rho)",
            "v2 = u.rho_v2 / u.rho",
            "v.rho = w[0] + w[1] + w[3]",
            "v.rho_v1 = vn * (w[0] + w[1] + w[3]) + c * (w[3] - w[0])",
            "v.rho_v2 = v2 * (w[0] + w[1] + w[3]) + w[2]",
            "v.rho_e = 0.5 * (vn * vn + v2 * v2) * (w[0] + w[1] + w[3]) + vn * c * (w[3] - w[0]) + v2 * w[2] \
             + 1.0 / (gas.gamma - 1.0) * c * c * (w[0] + w[3])",
        ]
    );
}

#[test]
fn characteristic_variables_need_no_names() {
    let named = "let vn = (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho;
    let c = (gas.gamma * pressure(u, gas) / u.rho).sqrt();
    [vn - c, vn, vn, vn + c]";
    assert!(EULER.contains(named));
    let vn = "(u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho";
    let c = "(gas.gamma * pressure(u, gas) / u.rho).sqrt()";
    let text = EULER.replace(named, &format!("[{vn} - {c}, {vn}, {vn}, {vn} + {c}]"));
    let text = text.replace("let v1 = u.rho_v1 / u.rho;", "let (v1, v2) = velocity(u);");
    let text = text.replace("let v2 = u.rho_v2 / u.rho;", "");
    let velocity = "fn velocity(u: State) -> (f64, f64) { (u.rho_v1 / u.rho, u.rho_v2 / u.rho) }";
    let text = text.replacen("fn flux", &format!("{velocity} fn flux"), 1);
    let (found, method) = characteristic_variables("nameless", &text);
    assert!(found.is_ok_and(|functions| functions[0][0] == "v1 = velocity(u)[0]"));
    assert_eq!(method, Some(Method::Symbolic));
}

#[test]
fn what_cannot_be_diagonalised_has_no_characteristic_variables() {
    // Jordan blocks: two equal eigenvalues with one eigenvector.
    let text = "state u, v;
        fn flux(q: State) -> [State; 2] { [State { u: q.u + q.v, v: q.v }, State { u: q.v, v: 0.0 }] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [n.x, n.x] }";
    let (found, method) = characteristic_variables("defective", text);
    let reason = "the flux Jacobian in x cannot be diagonalised: it has 1 eigenvector for an eigenvalue that is 2-fold";
    assert_eq!((found, method), (Err(reason.into()), None));
}

#[test]
fn eigenvectors_that_vanish_somewhere_are_computed() {
    // Where u = 0, the Jacobian in x has only one eigenvector.
    let text = "state u, v;
        fn flux(q: State) -> [State; 2] { [State { u: 0.5 * q.u * q.u, v: q.u }, State { u: 0.0, v: 0.0 }] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [q.u * n.x, 0.0] }";
    let (found, _) = characteristic_variables("degenerate", text);
    let reason = found.unwrap_err();
    assert!(reason.starts_with("computed: ") && reason.contains("a division by zero at u = 0"), "{reason}");
    let (report, _) = analyse(&law("degenerate", text).law);
    let complete = method(&report, "eigenvectors of the flux Jacobian span all states, but at ");
    assert!(matches!(complete, Some(Method::FloatingPoint(n)) if n > POINTS), "{complete:?}");
}

#[test]
#[ignore = "long"]
fn eigenvectors_that_are_too_large_are_computed() {
    let (found, _) = characteristic_variables("mhd", MHD);
    assert_eq!(found, Err("computed: the eigenvectors of the flux Jacobian met expressions that are too large".into()));
    let (_, derived) = analyse(&law("mhd", MHD).law);
    assert_eq!(derived.samples.iter().filter(|sample| sample.function.starts_with("jacobian_")).count(), 8);
}
