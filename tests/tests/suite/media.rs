//! Media: data that vary in space, which the flux, its waves and both sides of a face see.

use dg_runtime::case::Case;
use dg_runtime::device::{Choice, ELEMENT_BLOCK};
use dg_runtime::solver::{Elements, Solver};
use std::path::Path;
use tests::solution;

pub(crate) fn parsed(text: &str) -> Result<Case, String> {
    Case::parse(text, Path::new("case.toml"), equations::LAWS).map_err(|error| error.to_string())
}

pub(crate) fn case(text: &str) -> Case {
    parsed(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A Gaussian that turns with a flow, on meshes with about as many unknowns at every order.
fn turning(order: usize, refine: usize, integrator: &str) -> Case {
    turning_on("jitter = 0", order, refine, integrator)
}

/// The same on a mesh with more of its keys.
pub(crate) fn turning_on(mesh: &str, order: usize, refine: usize, integrator: &str) -> Case {
    let cells = 24_usize.div_ceil(order + 1).max(4);
    case(&format!(
        r#"
        law = "transport"
        order = {order}
        flux.numerical = "upwind"
        medium.function = "rotation"
        initial.function = "turning"
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [{cells}, {cells}], refine = {refine}, {mesh} }}
        boundaries = {{ left.state = "turning", right.state = "turning", bottom.state = "turning", top.state = "turning" }}
        time = {{ final = 0.25, integrator = "{integrator}" }}"#
    ))
}

/// Castro, Behrens & Pelties (2013), test 2, by both kinds of integrators.
#[test]
#[ignore = "long"]
fn transport_by_a_turning_flow_is_of_full_order() {
    // Orders of time that are not below those of space.
    for (integrator, orders) in [("ader", 1..=5), ("carpenter_kennedy", 2..=3)] {
        for order in tests::sample(orders) {
            let [coarse, fine] =
                [0, 1].map(|refine| solution(&turning(order, refine, integrator)).errors().unwrap().l2[0]);
            let rate = (coarse / fine).log2();
            println!("{integrator}, p = {order}: errors {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!((rate - (order + 1) as f64).abs() < 0.25, "{integrator}, p = {order}: {coarse} {fine}, {rate:.2}");
        }
    }
}

/// What the compiler counts of a medium in a stage is what the runtime allocates for it, in a single patch; of a field that is the same in
/// the whole domain nothing, whatever the other one is.
#[test]
#[ignore = "long"]
fn bytes_of_a_medium_are_counted_as_they_are_kept() {
    let kept = |[v1, v2]: [&str; 2], degree: usize| {
        let case = case(&format!(
            r#"
            law = "transport"
            order = 2
            flux.numerical = "upwind"
            initial.formulas.u = "x * (1 - x)"
            medium = {{ formulas = {{ v1 = "{v1}", v2 = "{v2}" }}, degree = {degree} }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [8, 8] }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time.final = 0.1"#
        ));
        let solver = tests::solver(&case);
        let Elements { unit, medium, count: elements, .. } = &solver.sections_of_elements()[0];
        let counted = ["stage", "predict"].map(|kernel| unit.affine_cost(kernel, medium).unwrap().reals);
        // What an array of elements has behind the last one is not counted.
        let in_element = medium.constant.len() + medium.varying.len() * medium.basis;
        let padding = (elements.next_multiple_of(ELEMENT_BLOCK) - elements) * in_element;
        (counted, solver.memory().mesh / size_of::<f64>() - padding, *elements)
    };
    let uniform = kept(["1", "2"], 2);
    let constant = kept(["y^2", "x^2"], 0);
    for degree in [0, 1, 2] {
        let (both, [first, second]) =
            (kept(["y^2", "x^2"], degree), [["y^2", "2"], ["1", "x^2"]].map(|fields| kept(fields, degree)));
        assert_eq!(first, second);
        // A field alone costs half of what two do.
        for (both, (one, none)) in both.0.iter().zip(first.0.iter().zip(uniform.0)) {
            assert!(*one > none);
            assert_eq!(both - one, one - none);
        }
        assert_eq!((both.0[0] - first.0[0]) * both.2, both.1 - first.1);
        assert_eq!((both.0[0] - constant.0[0]) * both.2, both.1 - constant.1);
    }
    // Beside a field that varies one that is constant in elements costs a number there, and one on each side of every face.
    let beside = kept(["y^2", "if(x < 0.5, 1, 2)"], 2);
    let alone = kept(["y^2", "1"], 2);
    assert_eq!(beside.0.map(|reals| reals as isize), [alone.0[0] + 1 + 3, alone.0[1] + 1].map(|reals| reals as isize));
    assert_eq!((beside.0[0] - alone.0[0]) * beside.2, beside.1 - alone.1);
    // Groups of 16 lanes read past the end of a list; of a uniform medium there are two buffers of one number, which nothing reads.
    assert_eq!((constant.0[0] - uniform.0[0]) * uniform.2, constant.1 - uniform.1 - 16 + 2);
    assert_eq!(constant.0[0] - uniform.0[0], 2 + 2 * 3);
}

/// A case with a medium of which a field is the same everywhere, or constant in every element: a law with its flux, the state, the formulas of
/// the medium, in which `same` stands for that, and the numbers of the fields that vary.
type Beside = (&'static str, &'static str, &'static str, &'static str, &'static [usize]);

const SOUND: Beside = (
    "acoustics",
    "godunov",
    "e = \"wave\", m1 = \"-wave\", m2 = 0",
    "rho = \"2 + sin(2*pi*x)\", bulk = \"3*same\"",
    &[0],
);
const OTHER_SOUND: Beside = (
    "acoustics",
    "rusanov",
    "e = \"wave\", m1 = \"-wave\", m2 = 0",
    "rho = \"3*same\", bulk = \"2 + sin(2*pi*x)\"",
    &[1],
);
const CHANGING_SOUND: Beside = (
    "acoustics",
    "godunov",
    "e = \"wave\", m1 = \"-wave\", m2 = 0",
    "rho = \"3*same\", bulk = \"2 + sin(2*pi*x + 9*t)\"",
    &[1],
);
const SOLID: Beside = (
    "elastic",
    "exact_upwind",
    "e11 = \"wave\", e22 = 0, e12 = \"wave\", m1 = 0, m2 = 0",
    "rho = \"2*same\", lambda = \"2 + sin(2*pi*x)\", mu = \"same\"",
    &[1],
);
const MATTER: Beside = (
    "maxwell_tm",
    "upwind",
    "d = \"wave\", b1 = 0, b2 = 0",
    "epsilon = \"1 + x\", mu = \"2*same\", sigma = \"2 + sin(2*pi*x)\", loss = \"same\"",
    &[0, 2],
);

const PRODUCT: Beside = ("spread", "rusanov", "u = \"2 + wave\"", "v1 = \"2*same\", v2 = \"2 + sin(2*pi*y)\"", &[1]);

/// Constant in the elements of a mesh with cells of 1/4 that nothing moves.
const JUMP: &str = "if(x < 0.5, 1, 2)";

/// The solution in such a medium, with the field as a variable of the unit or a number in each element, and where it is off by more than
/// rounding as polynomials of a degree.
fn assert_fields_do_not_mind(of: Beside, same: &str, elements: &str, [integrator, schedule]: [&str; 2], degree: usize) {
    let (law, flux, state, medium, varying) = of;
    let by = |same: &str| {
        let text = format!(
            r#"
            law = "{law}"
            order = 2
            flux.numerical = "{flux}"
            medium = {{ formulas = {{ {medium} }}, degree = {degree} }}
            formulas = {{ same = "{same}", wave = "sin(2*pi*(x + 2*y))" }}
            initial.formulas = {{ {state} }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4], {elements} }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time = {{ final = 0.05, integrator = "{integrator}" }}"#
        );
        let laws = [equations::LAWS, &[&super::nonconservative::spread::LAW]].concat().leak();
        let mut case = Case::parse(&text, Path::new("case.toml"), laws).unwrap_or_else(|error| panic!("{error}"));
        case.schedule = Some(schedule.parse().unwrap());
        let solver = solution(&case);
        let kept = solver.sections_of_elements()[0].medium.clone();
        (solver.coefficients().unwrap(), kept)
    };
    let (uniform, kept) = by(same);
    let others: Vec<usize> =
        (0..kept.constant.len() + varying.len()).filter(|field| !varying.contains(field)).collect();
    let constant = if same == "1" { Vec::new() } else { others };
    // Of degree 0 all are constant.
    let found = if degree > 0 { [kept.constant, kept.varying] } else { [kept.varying, kept.constant] };
    assert_eq!(found, [constant, varying.to_vec()]);
    let (off, kept) = by(&format!("({same})*(1 + 1e-12*sin(5*x))"));
    assert!(kept.constant.len() + kept.varying.len() > varying.len() && (degree == 0 || kept.constant.is_empty()));
    let difference = uniform.iter().zip(&off).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("{law}, {flux}, {elements}, {integrator}, {schedule}, degree {degree}: {difference:.2e}");
    assert!(difference < 1e-11, "{law}, {flux}, {elements}, {integrator}, {schedule}, degree {degree}: {difference:e}");
}

#[test]
fn a_field_that_is_the_same_everywhere_acts_as_one_that_varies() {
    assert_fields_do_not_mind(OTHER_SOUND, "1", "jitter = 0.1", ["ader", "element"], 2);
}

#[test]
fn a_field_that_is_constant_in_elements_acts_as_one_that_varies() {
    assert_fields_do_not_mind(SOUND, JUMP, "", ["ader", "component/32"], 2);
}

#[test]
#[ignore = "long"]
fn fields_that_are_constant_in_elements_act_as_those_that_vary() {
    let quadrilaterals = "elements = \"quadrilaterals\"";
    for (of, elements, how, degree) in tests::every_other([
        (SOUND, "layers = 2", ["ader", "element"], 2),
        (OTHER_SOUND, quadrilaterals, ["ssp_rk3", "component/32"], 1),
        (CHANGING_SOUND, "", ["ssp_rk3", "element"], 2),
        (CHANGING_SOUND, "layers = 2", ["ader", "component/32"], 2),
        (SOLID, "", ["ader", "component/32"], 2),
        (MATTER, quadrilaterals, ["ader", "element"], 2),
        (PRODUCT, "", ["ssp_rk3", "component/32"], 2),
    ]) {
        assert_fields_do_not_mind(of, JUMP, elements, how, degree);
    }
}

#[test]
#[ignore = "long"]
fn fields_that_are_the_same_everywhere_act_as_those_that_vary() {
    let triangles = "jitter = 0.1";
    let curved = "degree = 2, curvature = 0.05";
    let quadrilaterals = "elements = \"quadrilaterals\"";
    for (of, elements, how, degree) in tests::every_other([
        (SOUND, triangles, ["ssp_rk3", "element"], 2),
        (SOUND, quadrilaterals, ["ader", "component/32"], 2),
        (SOUND, curved, ["ader", "element"], 1),
        (OTHER_SOUND, triangles, ["ader", "element"], 0),
        (OTHER_SOUND, curved, ["ssp_rk3", "component/32"], 2),
        (SOUND, "layers = 2", ["ader", "element"], 2),
        (CHANGING_SOUND, triangles, ["ssp_rk3", "component/32"], 2),
        (CHANGING_SOUND, triangles, ["ader", "element"], 2),
        (SOLID, triangles, ["ader", "component/32"], 2),
        (SOLID, quadrilaterals, ["ssp_rk3", "element"], 1),
        (MATTER, triangles, ["ader", "element"], 2),
        (MATTER, curved, ["ssp_rk3", "element"], 0),
        (PRODUCT, triangles, ["ssp_rk3", "component/32"], 2),
        (PRODUCT, curved, ["ader", "element"], 2),
    ]) {
        assert_fields_do_not_mind(of, "1", elements, how, degree);
    }
}

/// Sound that runs along x where ρ = K / x² and K is the same everywhere: p = cos φ / √x with φ = k ln x − ω t and ω² = k² + 1/4.
fn spreading(order: usize, refine: usize, integrator: &str) -> Case {
    let cells = 16_usize.div_ceil(order + 1).max(4);
    case(&format!(
        r#"
        law = "acoustics"
        order = {order}
        flux.numerical = "godunov"
        medium.formulas = {{ rho = "4/x^2", bulk = 4 }}
        mesh = {{ generator = "rectangle", lower = [1, 0], upper = [2, 1], cells = [{cells}, {cells}], refine = {refine}, jitter = 0.1 }}
        boundaries = {{ left.state = "wave", right.state = "wave", bottom.periodic = "top" }}
        initial.state = "wave"
        exact.state = "wave"
        time = {{ final = 0.3, integrator = "{integrator}" }}

        [formulas]
        w = "sqrt(36.25)"
        phase = "6*ln(x) - w*t"

        [states.wave]
        e = "cos(phase) / (4*sqrt(x))"
        m1 = "(6*cos(phase) - 0.5*sin(phase)) / (w*x*sqrt(x))"
        m2 = 0"#
    ))
}

#[test]
#[ignore = "long"]
fn a_density_that_varies_beside_a_constant_bulk_modulus_keeps_the_order() {
    for (integrator, orders) in [("ader", 1..=5), ("carpenter_kennedy", 1..=3)] {
        for order in tests::sample(orders) {
            let [coarse, fine] = [0, 1].map(|refine| {
                let solver = solution(&spreading(order, refine, integrator));
                assert_eq!(solver.sections_of_elements()[0].medium.varying, [0]);
                solver.errors().unwrap().l2[0]
            });
            let rate = (coarse / fine).log2();
            println!("{integrator}, p = {order}: errors {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!((rate - (order + 1) as f64).abs() < 0.35, "{integrator}, p = {order}: {coarse} {fine}, {rate:.2}");
        }
    }
}

/// A pulse of sound that meets a jump of the medium at x = 0.
pub(crate) fn pulse(more: &str) -> Case {
    case(&format!(
        r#"
        law = "acoustics"
        order = 3
        flux.numerical = "godunov"
        initial.function = "transmission"
        mesh = {{ generator = "rectangle", lower = [-2, 0], upper = [2, 0.25], cells = [64, 4] }}
        boundaries = {{ left.state = "transmission", right.state = "transmission", bottom.periodic = "top" }}
        {more}"#
    ))
}

/// Light of both polarisations that meets glass at x = 0: reflected and transmitted as the impedances say.
#[test]
#[ignore = "long"]
fn glass_reflects_and_transmits_light() {
    // The field along y of a wave to the right, and to the left, by the field out of the plane.
    for (law, fields, across, sign) in [
        ("maxwell_tm", ["d", "b1", "b2"], ["epsilon", "mu"], -1.0),
        ("maxwell_te", ["b", "d1", "d2"], ["mu", "epsilon"], 1.0),
    ] {
        let errors = [64, 128].map(|cells| {
            let ([field, none, along], [own, other]) = (fields, across);
            let case = case(&format!(
                r#"
                law = "{law}"
                order = 3
                flux.numerical = "upwind"
                medium.formulas = {{ {own} = "if(x < 0, 1, 4)", {other} = 1, sigma = 0, loss = 0 }}
                mesh = {{ generator = "rectangle", lower = [-2, 0], upper = [2, 0.25], cells = [{cells}, {rows}] }}
                boundaries = {{ left.state = "wave", right.state = "wave", bottom.periodic = "top" }}
                initial.state = "wave"
                exact.state = "wave"
                time.final = 2.0

                [formulas]
                coming = "exp(-((t - x - 1)/0.2)^2)"
                gone = "-1/3*exp(-((t + x - 1)/0.2)^2)"
                passed = "2/3*exp(-((t - 2*x - 1)/0.2)^2)"

                [states.wave]
                {field} = "if(x < 0, coming + gone, 4*passed)"
                {none} = 0
                {along} = "{sign}*if(x < 0, coming - gone, 2*passed)""#,
                rows = cells / 16,
            ));
            solution(&case).errors().unwrap().l2[0]
        });
        let rate = (errors[0] / errors[1]).log2();
        println!("{law}: {errors:?}, rate {rate:.2}");
        assert!(errors[1] < 1e-3 && rate > 3.5, "{law}: {errors:?}, {rate}");
    }
}

/// Light that enters an absorbing layer before a perfect conductor: it falls by what the layer's loss says, on the way there and back, and nothing else
/// is reflected. The loss begins at the end of its range.
#[test]
#[ignore = "long"]
fn an_absorbing_layer_takes_what_its_loss_says() {
    for (law, [field, none, along], sign) in
        [("maxwell_tm", ["d", "b1", "b2"], -1.0), ("maxwell_te", ["b", "d1", "d2"], 1.0)]
    {
        // At the conductor the electric field is reversed, the magnetic one is not.
        let back = sign;
        let errors = [48, 96].map(|cells| {
            let case = case(&format!(
                r#"
                law = "{law}"
                order = 3
                flux.numerical = "upwind"
                medium.formulas = {{ epsilon = 1, mu = 1, sigma = "if(x < 0, 0, 6*x*(1 - x))", loss = "if(x < 0, 0, 6*x*(1 - x))" }}
                mesh = {{ generator = "rectangle", lower = [-2, 0], upper = [1, 0.25], cells = [{cells}, {rows}] }}
                boundaries = {{ left.state = "wave", right = "conductor", bottom.periodic = "top" }}
                initial.state = "wave"
                exact.state = "wave"
                time.final = 4.0

                [formulas]
                loss_to_here = "if(x < 0, 0, 3*x^2 - 2*x^3)"
                coming = "exp(-((t - x - 1)/0.2)^2 - loss_to_here)"
                gone = "{back}*exp(-((t + x - 3)/0.2)^2 + loss_to_here - 2)"

                [states.wave]
                {field} = "coming + gone"
                {none} = 0
                {along} = "{sign}*(coming - gone)""#,
                rows = cells / 12,
            ));
            solution(&case).errors().unwrap().l2.iter().fold(0.0_f64, |a, b| a.hypot(*b))
        });
        let rate = (errors[0] / errors[1]).log2();
        println!("{law}: {errors:?}, rate {rate:.2}");
        assert!(errors[1] < 1e-6 && rate > 3.5, "{law}: {errors:?}, {rate}");
    }
}

/// The mean of a component in every element, times its area, and the element's centroid.
fn parts(solver: &Solver, component: usize) -> Vec<(f64, f64)> {
    let (coefficients, mesh) = (solver.coefficients().unwrap(), solver.mesh());
    let unit = solver.unit();
    let (fields, components) = (unit.basis, solver.setup().law.state.len());
    let of_element = |e: usize| {
        // The first basis function is the constant √2: the reference triangle has the area ½.
        let mean = 2.0_f64.sqrt() * coefficients[(e * components + component) * fields];
        (mesh.centroid(e)[0], mean * mesh.geometry(e).measure(mesh.shape(e)))
    };
    (0..mesh.element_count()).map(of_element).collect()
}

#[test]
#[ignore = "long"]
fn a_jump_of_the_medium_reflects_and_transmits_as_the_impedances_say() {
    let (rho, bulk) = ([1.0_f64, 4.0], [1.0_f64, 1.0]);
    let [z1, z2] = [0, 1].map(|i| (rho[i] * bulk[i]).sqrt());
    let [c1, c2] = [0, 1].map(|i| (bulk[i] / rho[i]).sqrt());
    for time in [r#"time.final = 2.0"#, r#"time = { final = 2.0, integrator = "ader" }"#] {
        let solver = solution(&pulse(time));
        let parts = parts(&solver, 0);
        // The integral of the incident pulse over the time, times the height of the channel.
        let incident = 0.25 * 0.2 * std::f64::consts::PI.sqrt();
        let pressure = |i: usize, right: bool| {
            let side = parts.iter().filter(|(x, _)| (*x > 0.0) == right);
            bulk[i] * side.map(|(_, part)| part).sum::<f64>() / incident
        };
        let (reflected, transmitted) = (pressure(0, false) / c1, pressure(1, true) / c2);
        println!("reflected {reflected:.6}, transmitted {transmitted:.6}");
        assert!((reflected - (z2 - z1) / (z2 + z1)).abs() < 1e-3, "{reflected}");
        assert!((transmitted - 2.0 * z2 / (z2 + z1)).abs() < 1e-3, "{transmitted}");
    }
}

/// The same flow as parameters of one law and as the medium of another.
#[test]
fn a_uniform_medium_is_as_good_as_parameters() {
    let text = |law: &str, given: &str| {
        format!(
            r#"
            law = "{law}"
            order = 2
            initial.formulas.u = "sin(2 * pi * (x + 2 * y))"
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = 0.1 }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time.final = 0.3
            {given}"#
        )
    };
    for flux in ["rusanov", "upwind"] {
        let flux = format!("flux.numerical = \"{flux}\"\n");
        let of = |law, given: &str| solution(&case(&text(law, &(flux.clone() + given)))).coefficients().unwrap();
        let by_parameters = of("advection", "parameters = { v1 = 0.7, v2 = -1.3 }");
        let by_medium = of("transport", "medium.formulas = { v1 = 0.7, v2 = -1.3 }");
        let difference = by_parameters.iter().zip(&by_medium).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-13, "{difference}");
    }
}

#[test]
fn formulas_and_functions_give_one_medium_and_what_is_carried_is_conserved() {
    let by = |medium: &str| {
        let text = format!(
            r#"
            law = "transport"
            order = 2
            initial.formulas.u = "exp(-20 * (x^2 + y^2))"
            mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [9, 9], jitter = 0.2 }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time = {{ final = 0.2, integrator = "ssp_rk3" }}
            limiter.method = "moment"
            {medium}"#
        );
        let mut solver = tests::solver(&case(&text));
        let before = solver.integrals().unwrap()[0];
        while solver.advance(0.2, 10).unwrap().time < 0.2 {}
        let after = solver.integrals().unwrap()[0];
        assert!((after - before).abs() < 1e-14, "{before} {after}");
        solver.coefficients().unwrap()
    };
    let by_function = by("medium.function = \"rotation\"");
    let by_formulas = by("medium.formulas = { v1 = \"-2 * pi * y\", v2 = \"2 * pi * x\" }");
    let difference = by_function.iter().zip(&by_formulas).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-13, "{difference}");
}

#[test]
#[ignore = "long"]
fn schedules_agree_on_a_medium_that_jumps_and_one_that_varies() {
    let case_of = |which: usize, schedule: &str| {
        let mut case = if which == 0 { pulse("time.final = 0.3") } else { turning(3, 0, "ssp_rk3") };
        case.schedule = Some(schedule.parse().unwrap());
        case
    };
    for which in [0, 1] {
        let [a, b] = ["element", "component/32"].map(|s| solution(&case_of(which, s)).coefficients().unwrap());
        let difference = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{difference}");
    }
}

/// What a flow v(x) in the direction of x carries stays as it is where u v is the same everywhere. A medium of degree m is in error by
/// terms of order m + 1 (Castro, Behrens & Pelties 2013, test 1).
#[test]
#[ignore = "long"]
fn a_medium_of_a_lower_degree_lowers_the_order_to_its_own() {
    let error = |degree: usize, refine: usize| {
        let text = format!(
            r#"
            law = "transport"
            order = 3
            flux.numerical = "upwind"
            medium = {{ formulas = {{ v1 = "2 + sin(2 * pi * x)", v2 = 0 }}, degree = {degree} }}
            initial.formulas.u = "1 / (2 + sin(2 * pi * x))"
            exact.formulas.u = "1 / (2 + sin(2 * pi * x))"
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [8, 8], jitter = 0.1, refine = {refine} }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time.final = 0.2"#
        );
        solution(&case(&text)).errors().unwrap().l2[0]
    };
    for degree in 0..=3 {
        let [coarse, fine] = [1, 2].map(|refine| error(degree, refine));
        let rate = (coarse / fine).log2();
        println!("degree {degree}: errors {coarse:.3e} {fine:.3e}, rate {rate:.2}");
        assert!((rate - (degree + 1) as f64).abs() < 0.35, "degree {degree}: {coarse} {fine}, {rate:.2}");
    }
}

/// A polynomial of a step overshoots; kept in the range of the field, it does not.
#[test]
fn polynomials_of_a_medium_stay_in_its_range() {
    let mut case = pulse("time.final = 1e-4\nmedium.formulas = { rho = \"if(x < 0.01, 1, 1e-6)\", bulk = 1 }");
    case.order = 4;
    let solver = solution(&case);
    let rho = solver.samples().unwrap().field("rho").unwrap();
    assert!(rho.iter().all(|rho| rho.is_finite()));
    assert!(solver.coefficients().unwrap().iter().all(|u| u.is_finite()));
}

#[test]
fn a_medium_that_is_missing_or_wrong_is_refused_with_the_remedy() {
    let text = |law: &str, more: &str| {
        format!(
            r#"
            law = "{law}"
            order = 1
            initial.formulas = {{ u = 1 }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time.final = 0.1
            {more}"#
        )
    };
    for (law, more, said) in [
        ("advection", "medium.function = \"rotation\"", "advection has no medium: leave [medium] out"),
        ("transport", "medium.function = \"turning\"", "function of the medium"),
        ("transport", "medium.formulas = { v1 = 1 }", "a formula for this field of the medium"),
        ("transport", "medium.formulas = { v1 = 1, v2 = 0, v3 = 0 }", "unknown key"),
        ("transport", "medium = { function = \"rotation\", formulas = { v1 = 1, v2 = 0 } }", "not both"),
        (
            "transport",
            "medium = { function = \"rotation\", degree = 2 }",
            "`degree` is to be at most the order, 1, found 2",
        ),
        ("transport", "medium.groups.all = { v1 = 1 }", "[medium.groups.all] lacks `v2`"),
        (
            "transport",
            "medium.formulas = { v1 = 1, v2 = 0 }\nexact.function = \"turning\"",
            "`turning` solves transport in the medium `rotation`",
        ),
    ] {
        let error = parsed(&text(law, more)).map(drop).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
    let refused = |case: &Case| {
        let mesh = case.build_mesh().unwrap();
        let setup = case.setup(&mesh).unwrap();
        Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err().to_string()
    };
    let error = refused(&case(&text("transport", "medium.formulas = { v1 = \"1 / (x - x)\", v2 = 0 }")));
    assert!(error.contains("the medium's `v1` is inf at [") && error.contains("finite everywhere"), "{error}");
    let error = refused(&pulse("time.final = 1\nmedium.formulas = { rho = \"x\", bulk = 1 }"));
    assert!(error.contains("the medium's `rho` is -") && error.contains("it is to be above 0 everywhere"), "{error}");
}
