use crate::algebra;
use crate::check::laws::{ADVECTION, BURGERS, ELASTIC, EULER, MHD, SHALLOW_WATER, changed};
use crate::check::testing::{Source, law};
use crate::check::tests::{found, has_one_mistake, method, passes};
use crate::check::{Checker, Method, Severity};
use crate::derive::Rotation;
use crate::ir::{Span, Vectors, Warning};

#[test]
#[ignore = "long"]
fn vectors_are_found() {
    for (name, text, vectors) in [
        ("euler", EULER, Some(vec![(1, 2)])),
        ("shallow_water", SHALLOW_WATER, Some(vec![(1, 2)])),
        ("mhd", MHD, Some(vec![(1, 2), (4, 5)])),
        ("advection", ADVECTION, None),
        ("burgers", BURGERS, None),
        // Stress is no vector.
        ("elastic", ELASTIC, None),
    ] {
        let source = law(name, text);
        let pairs = algebra::session("tests", || super::pairs(&Checker::new(&source.law))).unwrap();
        assert_eq!(pairs, vectors, "{name}");
    }
    let (report, _) = passes("euler", EULER);
    let statement = "the flux is the same in all directions, if (`rho_v1`, `rho_v2`) rotate with them";
    assert_eq!(method(&report, statement), Some(Method::Symbolic));
}

/// A law that says which components rotate.
fn declared(mut source: Source, pair: (usize, usize)) -> Source {
    source.law.rotation = Some(Vectors { pairs: vec![pair], span: Span(1) });
    source
}

/// Shallow water with a wall that turns round the tangential flow in one direction, as it declares nothing.
fn crooked_wall() -> Source {
    let text = SHALLOW_WATER.replace("#[boundary(impermeable = h)]", "#[boundary]");
    changed("sea", &text, "hv: u.hv - 2.0 * m * n.y", "hv: u.hv - 2.0 * m * n.x")
}

#[test]
fn a_wall_that_does_not_reflect_is_warned_of_and_a_mistake_where_rotation_is_declared() {
    let message = "`wall` is not the same in all directions, as the flux is: (`hu`, `hv`) do not behave like vectors";
    let warning = (Severity::Warning(Warning::BrokenSymmetry), "wall", message.to_string());
    assert_eq!(found(&crooked_wall()), [warning]);
    has_one_mistake(&declared(crooked_wall(), (1, 2)), "wall", message);
}

#[test]
fn a_numerical_flux_with_a_preferred_direction_is_warned_of() {
    // All waves are damped by more than upwinding, and by yet more along x.
    let source = changed("sea", SHALLOW_WATER, "let s = 0.5 * speed", "let s = (0.5 + 0.1 * n.x * n.x) * speed");
    let expected =
        "`rusanov` is not the same in all directions, as the flux is: (`hu`, `hv`) do not behave like vectors";
    assert_eq!(found(&source), [(Severity::Warning(Warning::BrokenSymmetry), "rusanov", expected.to_string())]);
}

#[test]
fn a_declared_rotation_is_one_of_the_flux() {
    let right = declared(law("euler", EULER), (1, 2));
    assert_eq!(found(&right), []);
    let wrong = declared(law("euler", EULER), (2, 1));
    let message = "the flux is not the same in all directions, if (`rho_v2`, `rho_v1`) rotate with them";
    assert!(matches!(&found(&wrong)[..], [(Severity::Error, _, said)] if said == message));
}

#[test]
fn inflow_may_have_a_direction_of_its_own() {
    let inflow = "#[boundary] fn inflow(u: State) -> State {
        State { rho: 1.0, rho_v1: 3.0, rho_v2: 0.0, rho_e: 9.0 }
    }";
    passes("euler", &format!("{EULER}{inflow}"));
}

/// Two layers of water lean on each other along x alone: the flux of each layer is still the same in all directions.
#[test]
fn a_product_has_the_symmetries_that_the_law_declares() {
    let pushed = |product: &str| {
        let text = format!(
            "{SHALLOW_WATER}
#[nonconservative]
fn product(u: State, v: State, n: Normal) -> State {{
    {product}
}}
"
        );
        // Eigenvalues and solutions are those of the flux alone.
        let source = declared(law("sea", &text), (1, 2));
        let of_product = found(&source).into_iter().filter(|(_, place, _)| *place == "product");
        of_product.map(|(severity, _, message)| (severity, message)).collect::<Vec<_>>()
    };
    assert_eq!(pushed("State { h: 0.0, hu: u.h * n.x * v.h, hv: u.h * n.y * v.h }"), []);
    let message =
        "`product` is not the same in all directions, as the flux is: (`hu`, `hv`) do not behave like vectors";
    for product in [
        "State { h: 0.0, hu: u.h * n.x * v.h, hv: u.h * n.x * v.h }",
        "State { h: 0.0, hu: u.h * n.x * v.h, hv: -u.h * n.y * v.h }",
        "State { h: 0.0, hu: u.h * n.x * v.h, hv: 0.0 }",
    ] {
        assert_eq!(pushed(product), [(Severity::Error, message.to_string())], "{product}");
    }
}

/// Gravity along an axis, a viscous flux along it, and what depends on the place give a law a direction; Coriolis' force and friction do not.
#[test]
#[ignore = "long"]
fn a_law_is_the_same_in_all_directions_if_all_of_its_terms_are() {
    let alike = Rotation::Vectors(vec![(1, 2)]);
    let differs = |name: &str| Rotation::None(format!("its `{name}` is not the same in all directions"));
    let source =
        |body: &str| format!("#[source] fn rates(u: State, x: Point) -> State {{ State {{ h: 0.0, {body} }} }}");
    let viscous = |x: &str, y: &str| {
        format!(
            "#[viscous_flux] fn friction(u: State, gradient: [State; 2]) -> [State; 2] {{
                let [x, y] = gradient;
                [State {{ h: 0.0, hu: {x}, hv: {y} }}, State {{ h: 0.0, hu: x.hv + y.hu, hv: 2.0 * y.hv }}]
            }}"
        )
    };
    for (addition, expected) in [
        (String::new(), alike.clone()),
        (source("hu: 0.3 * u.hv, hv: -0.3 * u.hu").replace(", x: Point", ""), alike.clone()),
        (source("hu: 0.3 * u.hv, hv: -0.3 * u.hu"), differs("rates")),
        (source("hu: 0.3 * u.h, hv: 0.0").replace(", x: Point", ""), differs("rates")),
        (viscous("2.0 * x.hu", "x.hv + y.hu"), alike),
        (viscous("x.hu", "x.hv + y.hu"), differs("friction")),
    ] {
        let source = law("sea", &format!("{SHALLOW_WATER}{addition}"));
        let examined = algebra::session("tests", || crate::check::examine(&source.law, &source.law).rotation).unwrap();
        assert_eq!(examined, expected, "{addition}");
    }
    // Sound whose speed is another one at other places.
    let source = law(
        "sound",
        "state p, v, w;
        fn flux(u: State, x: Point) -> [State; 2] {
            let c = 2.0 + x.x.sin();
            [State { p: c * u.v, v: c * u.p, w: 0.0 }, State { p: c * u.w, v: 0.0, w: c * u.p }]
        }
        fn eigenvalues(u: State, n: Normal, x: Point) -> [f64; 3] { let c = 2.0 + x.x.sin(); [-c, 0.0, c] }",
    );
    let examined = algebra::session("tests", || crate::check::examine(&source.law, &source.law).rotation).unwrap();
    assert_eq!(examined, differs("flux"));
    let source = law("burgers", BURGERS);
    let examined = algebra::session("tests", || crate::check::examine(&source.law, &source.law).rotation).unwrap();
    assert!(matches!(examined, Rotation::None(why) if why.contains("no components of its state are vectors")));
}
