use crate::check::testing::law;
use crate::check::tests::{found, method, passes};
use crate::check::{Method, Severity, analyse};
use crate::derive::FarField;

/// Sound as pressure and velocity.
const SOUND: &str = "
params K = 2.0 in 0.5 .. 4.0, rho = 3.0 in 1.0 .. 5.0;
state p, v1, v2;

fn flux(u: State) -> [State; 2] {
    [State { p: 0.0, v1: 0.0, v2: 0.0 }, State { p: 0.0, v1: 0.0, v2: 0.0 }]
}

#[nonconservative]
fn product(u: State, c: State, n: Normal, air: Params) -> State {
    State { p: air.K * (n.x * c.v1 + n.y * c.v2), v1: n.x * c.p / air.rho, v2: n.y * c.p / air.rho }
}

fn eigenvalues(u: State, n: Normal, air: Params) -> [f64; 3] {
    [-(air.K / air.rho).sqrt(), 0.0, (air.K / air.rho).sqrt()]
}

#[exact]
fn wave(x: Point, t: f64, air: Params) -> State {
    let c = (air.K / air.rho).sqrt();
    let p = (x.x - c * t).sin();
    State { p: p, v1: p / (air.rho * c), v2: 0.0 }
}
";

#[test]
fn a_product_belongs_to_the_matrix_of_the_law() {
    let (report, derived) = passes("sound", SOUND);
    for statement in [
        "`product` is linear in the change",
        "`eigenvalues` gives the eigenvalues",
        "`wave` satisfies the law",
        "the flux and `product` are linear in the state",
    ] {
        assert_eq!(method(&report, statement), Some(Method::Symbolic), "{statement}");
    }
    assert!(derived.linear && derived.path_points == 1);
    assert!(matches!(derived.far_field, FarField::Derived { .. }));
}

#[test]
fn the_way_between_two_states_has_as_many_points_as_the_product_needs() {
    let nonlinear = SOUND.replace("v1: n.x * c.p / air.rho", "v1: n.x * c.p / air.rho * (1.0 + u.p * u.p)");
    assert_ne!(nonlinear, SOUND);
    let nonlinear = nonlinear.split("#[exact]").next().unwrap().replace("fn eigenvalues(u: State, n: Normal, air: Params) -> [f64; 3] {\n    [-(air.K / air.rho).sqrt(), 0.0, (air.K / air.rho).sqrt()]", "fn eigenvalues(u: State, n: Normal, air: Params) -> [f64; 3] {\n    let c = (air.K / air.rho * (1.0 + n.x * n.x * u.p * u.p)).sqrt();\n    [-c, 0.0, c]");
    let (_, derived) = passes("nonlinear", &nonlinear);
    assert!(!derived.linear && derived.path_points == 3);
}

#[test]
#[ignore = "long"]
fn what_is_no_product_is_told() {
    for (from, to, place, said) in [
        ("n.y * c.p / air.rho", "n.y * c.p * c.p / air.rho", "product", "its `v2` is not linear in the change"),
        ("n.y * c.p / air.rho", "n.y * n.y * c.p / air.rho", "product", "its `v2` is not linear in the change"),
        ("n.y * c.p / air.rho", "n.y * (c.p + 1.0) / air.rho", "product", "its `v2` is not linear in the change"),
        ("n.y * c.p / air.rho", "n.y * c.p / c.v2", "n.y * c.p / c.v2", "a divisor, a root or a condition of it"),
        ("(n.x * c.v1 + n.y * c.v2)", "(n.x * c.v1 - n.y * c.v2)", "sqrt", "is not an eigenvalue"),
        ("p / (air.rho * c)", "p / air.rho", "wave", "`wave` is no solution of the law"),
    ] {
        let text = SOUND.replace(from, to);
        assert_ne!(text, SOUND);
        let source = law("sound", &text);
        let found = found(&source);
        let told = |(severity, at, message): &(Severity, &str, String)| {
            *severity == Severity::Error && at.contains(place) && message.contains(said)
        };
        assert!(found.iter().any(told), "{to}: {found:#?}");
    }
}

#[test]
fn a_wall_does_not_keep_what_a_product_changes() {
    let text = SOUND.to_owned()
        + "
#[boundary(impermeable = p)]
fn wall(u: State, n: Normal) -> State {
    let vn = u.v1 * n.x + u.v2 * n.y;
    State { p: u.p, v1: u.v1 - 2.0 * vn * n.x, v2: u.v2 - 2.0 * vn * n.y }
}
";
    let source = law("sound", &text);
    let found = found(&source);
    assert!(found.iter().any(|(_, at, message)| *at == "p" && message.contains("no wall keeps it")), "{found:#?}");
}

/// The product of [`SOUND`] at a jump.
const JUMP: &str = "
#[jump]
fn jump(l: State, r: State, n: Normal, air: Params) -> State {
    State { p: air.K * (n.x * (r.v1 - l.v1) + n.y * (r.v2 - l.v2)), v1: n.x * (r.p - l.p) / air.rho, v2: n.y * (r.p - l.p) / air.rho }
}
";

#[test]
fn a_jump_is_the_same_from_both_sides_and_the_product_where_it_is_small() {
    let (report, derived) = passes("sound", &format!("{SOUND}{JUMP}"));
    assert_eq!(method(&report, "`jump` is the same from both sides"), Some(Method::Symbolic));
    assert!(matches!(method(&report, "`jump` is the product at small jumps"), Some(Method::FloatingPoint(_))));
    assert_eq!(derived.path_points, 0);
    for (from, to, said) in [
        ("n.x * (r.p - l.p) / air.rho", "n.x * (r.p - l.p) / air.K", "is not the product at a small jump: its `v1`"),
        ("(r.v2 - l.v2))", "(l.v2 - r.v2))", "is not the product at a small jump: its `p`"),
        (
            "n.y * (r.p - l.p) / air.rho",
            "n.y * (r.p - l.p) * l.p / air.rho",
            "`v2` in `jump` is not the same from both sides",
        ),
    ] {
        let text = format!("{SOUND}{}", JUMP.replace(from, to));
        let source = law("sound", &text);
        let found = found(&source);
        let told = |(severity, at, message): &(Severity, &str, String)| {
            *severity == Severity::Error && at.contains("jump") && message.contains(said)
        };
        assert!(found.iter().any(told), "{to}: {found:#?}");
    }
}

/// A wrong product has neither the declared eigenvalues nor the product at a jump: one message, with the other as its note.
#[test]
fn a_wrong_product_beside_a_right_jump_is_one_message() {
    for (from, to) in [
        ("air.K * (n.x * c.v1 + n.y * c.v2)", "2.0 * air.K * (n.x * c.v1 + n.y * c.v2)"),
        ("air.K * (n.x * c.v1 + n.y * c.v2)", "air.K * (n.x * c.v1 - n.y * c.v2)"),
        ("v1: n.x * c.p / air.rho, v2: n.y * c.p / air.rho", "v1: n.x * c.p / air.K, v2: n.y * c.p / air.K"),
    ] {
        let text = format!("{}{JUMP}", SOUND.replacen(from, to, 1));
        assert_ne!(text, format!("{SOUND}{JUMP}"));
        let source = law("sound", &text);
        let (report, _) = analyse(&source.law);
        let [message] = &report.diagnostics[..] else { panic!("{to}: {:#?}", report.diagnostics) };
        assert!(message.message.contains("is not an eigenvalue of the flux Jacobian"), "{message:?}");
        let note = message.notes.last().unwrap();
        assert!(note.contains("`jump`") && note.contains("not fit the flux and `product` either"), "{note}");
    }
}
