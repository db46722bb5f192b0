use std::ops::Bound;

use crate::check::analyse;
use crate::check::testing::law;
use crate::check::tests::{found, has_one_mistake, method, passes};
use crate::check::{Method, Severity};

/// Advection and diffusion of two quantities, of which the second drives the first.
const PAIR: &str = "
params nu = 0.5 in 0.1 .. 2.0, chi = 0.25 in 0.0 .. 1.0;
state a, b;

fn flux(u: State) -> [State; 2] {
    [State { a: u.a, b: u.b }, State { a: 0.0, b: 0.0 }]
}

#[viscous_flux]
fn spread(u: State, g: [State; 2], p: Params) -> [State; 2] {
    [
        State { a: p.nu * g[0].a + p.chi * u.b * g[0].b, b: p.nu * g[0].b },
        State { a: p.nu * g[1].a + p.chi * u.b * g[1].b, b: p.nu * g[1].b },
    ]
}

fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
    [n.x, n.x]
}

#[boundary]
fn wall(u: State) -> State {
    State { a: 2.0 - u.a, b: u.b }
}

#[exact(manufactured)]
fn wave(x: Point, t: f64) -> State {
    State { a: (x.x - t).sin(), b: (x.y + t).cos() }
}
";

#[test]
fn a_viscous_flux_is_linear_and_diffuses() {
    let (report, derived) = passes("pair", PAIR);
    for statement in ["`spread` is linear in the gradient", "`wave` satisfies the law"] {
        assert!(
            matches!(method(&report, statement), Some(Method::Symbolic | Method::RationalStates(_))),
            "{statement}"
        );
    }
    assert!(method(&report, "the eigenvalues of `spread` in any direction are real and not negative").is_some());
    let viscous = derived.viscous.unwrap();
    // Triangular: each component is a block of its own.
    assert_eq!(viscous.blocks, [vec![0], vec![1]]);
    assert_eq!(viscous.ghosts.len(), 1);
    // Through the wall `a` passes alone, of which `b` drives a part.
    assert!(viscous.inversions.is_empty());
    // What is done for linear laws knows of no viscous flux.
    assert!(!derived.linear);
}

/// The stress of a fluid: a symmetric block of two components, whose viscosity is a maximum; and heat, which that drives.
const FLUID: &str = "
params nu = 0.5, kappa = 0.25;
state m1, m2, h;

fn flux(u: State) -> [State; 2] {
    [State { m1: u.m1, m2: u.m2, h: u.h }, State { m1: 0.0, m2: 0.0, h: 0.0 }]
}

#[viscous_flux]
fn stress(u: State, g: [State; 2], p: Params) -> [State; 2] {
    let mu = p.nu * u.h.max(0.1);
    let shear = mu * (g[0].m2 + g[1].m1);
    [
        State { m1: 2.0 * mu * g[0].m1, m2: shear, h: p.kappa * g[0].h + u.m1 * g[0].m1 },
        State { m1: shear, m2: 2.0 * mu * g[1].m2, h: p.kappa * g[1].h + u.m1 * g[1].m1 },
    ]
}

fn eigenvalues(u: State, n: Normal) -> [f64; 3] {
    [n.x, n.x, n.x]
}
";

/// Whether eigenvalues are proved to be real and not negative, not only tried at states.
#[test]
fn a_viscous_flux_is_proved_to_diffuse() {
    let statement = "the eigenvalues of `stress` in any direction are real and not negative";
    let (report, _) = passes("fluid", FLUID);
    assert_eq!(method(&report, statement), Some(Method::Symbolic));
    // Nothing is known of the sign of a parameter that is 0 unless given, but by its range.
    let switched = FLUID
        .replace("kappa = 0.25", "kappa = 0.0")
        .replace("p.kappa * g", "(1.0 - p.kappa + p.kappa * u.h * u.h) * g");
    let mut source = law("fluid", &switched);
    for (range, is_proved) in [
        ((Bound::Unbounded, Bound::Unbounded), false),
        ((Bound::Included("0.0".into()), Bound::Included("1.0".into())), true),
        ((Bound::Included("0.0".into()), Bound::Included("2.0".into())), false),
    ] {
        source.law.parameters.fields[1].range = range;
        let (report, _) = analyse(&source.law);
        assert_eq!(method(&report, statement) == Some(Method::Symbolic), is_proved);
    }
    // Nor does it matter what a viscosity depends on, and how often it is asked for.
    let kinetic = "(1.0 + (1.0 + u.m1 * u.m1 + u.m2 * u.m2 + 2.0 * u.h * u.h) / p.nu).sqrt()";
    let hot = FLUID.replace("u.h.max(0.1)", kinetic).replace("2.0 * mu", &format!("2.0 * p.nu * {kinetic}"));
    let (report, _) = passes("fluid", &hot);
    assert_eq!(method(&report, statement), Some(Method::Symbolic));
    // Heat runs uphill along x.
    has_one_mistake(
        &law("fluid", &FLUID.replace("h: p.kappa * g[0].h +", "h: -p.kappa * g[0].h +")),
        "stress",
        "`stress` does not diffuse",
    );
}

/// With a law whose components diffuse by themselves what is behind a wall that turns some round is an image in a point; a copy is none.
#[test]
fn walls_that_are_images_in_a_point_are_found() {
    let alone = PAIR
        .replace(" + p.chi * u.b * g[0].b", "")
        .replace(" + p.chi * u.b * g[1].b", "")
        .replace(", chi = 0.25 in 0.0 .. 1.0", "");
    let open = "#[boundary]\nfn open(u: State) -> State {\n    u\n}\n";
    let (_, derived) = passes("pair", &format!("{alone}{open}"));
    // The first boundary of the two.
    let viscous = derived.viscous.unwrap();
    assert_eq!(viscous.inversions, [viscous.ghosts[0].0]);
}

#[test]
fn a_flux_that_is_not_linear_in_the_gradient_is_a_mistake() {
    let squared = PAIR.replace("b: p.nu * g[0].b }", "b: p.nu * g[0].b * g[0].b }");
    let shifted = PAIR.replace("b: p.nu * g[1].b }", "b: p.nu * g[1].b + 1.0 }");
    for text in [squared, shifted] {
        let source = law("pair", &text);
        let found = found(&source);
        assert!(
            found
                .iter()
                .any(|(_, at, message)| *at == "spread" && message.contains("`b` is not linear in the gradient")),
            "{found:?}"
        );
    }
    let limited = PAIR.replace("b: p.nu * g[0].b }", "b: if g[0].b > 0.0 { p.nu * g[0].b } else { 0.0 } }");
    let source = law("pair", &limited);
    assert!(
        found(&source).iter().any(|(_, _, message)| message.contains("depends on the gradient")),
        "{:?}",
        found(&source)
    );
}

#[test]
fn what_does_not_diffuse_is_a_mistake_with_a_state() {
    let steeper = PAIR.replace("b: p.nu * g[1].b }", "b: -p.nu * g[1].b }");
    has_one_mistake(&law("pair", &steeper), "spread", "`spread` does not diffuse");
    // Two quantities that turn into each other do not diffuse either.
    let turning = PAIR
        .replace("p.nu * g[0].a + p.chi * u.b * g[0].b, b: p.nu * g[0].b", "g[0].b, b: -g[0].a")
        .replace("p.nu * g[1].a + p.chi * u.b * g[1].b, b: p.nu * g[1].b", "p.nu * p.chi * g[1].b, b: -g[1].a");
    let source = law("pair", &turning);
    let found = found(&source);
    let errors: Vec<_> = found.iter().filter(|(severity, ..)| *severity == Severity::Error).collect();
    assert!(
        errors.iter().any(|(_, _, message)| message.contains("has the eigenvalue") && message.contains('i')),
        "{found:?}"
    );
}
