//! Media: data that vary in space, which the flux, its waves and both sides of a face see.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::Shape;
use dg_runtime::solver::{Elements, Solver};
use std::path::Path;
use tests::solution;

fn parsed(text: &str) -> Result<Case, String> {
    Case::parse(text, Path::new("case.toml"), equations::LAWS).map_err(|error| error.to_string())
}

fn case(text: &str) -> Case {
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
        (counted, solver.memory().mesh / size_of::<f64>(), *elements)
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
    "epsilon = \"1 + x\", mu = \"2*same\", sigma = \"2 + sin(2*pi*x)\"",
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
fn pulse(more: &str) -> Case {
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
                medium.formulas = {{ {own} = "if(x < 0, 1, 4)", {other} = 1, sigma = 0 }}
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

/// A mesh of the channel of [`pulse`] as Gmsh writes it, with the groups `left` and `right` of x = 0; `groups` has the numbers of the
/// groups of both surfaces, 0 for none.
fn channel(groups: [&[usize]; 2], folder: &Path) -> String {
    let (nx, ny) = (64, 4);
    let node = |i: usize, j: usize| 1 + i * (ny + 1) + j;
    let nodes = (0..=nx).flat_map(|i| (0..=ny).map(move |j| (i, j)));
    let nodes = nodes.map(|(i, j)| {
        format!("{} {} {} 0\n", node(i, j), -2.0 + 4.0 * i as f64 / nx as f64, 0.25 * j as f64 / ny as f64)
    });
    let mut elements = Vec::new();
    for j in 0..ny {
        elements.push(format!("1 2 1 1 {} {}", node(0, j), node(0, j + 1)));
        elements.push(format!("1 2 2 2 {} {}", node(nx, j), node(nx, j + 1)));
    }
    for i in 0..nx {
        elements.push(format!("1 2 3 3 {} {}", node(i, 0), node(i + 1, 0)));
        elements.push(format!("1 2 4 4 {} {}", node(i, ny), node(i + 1, ny)));
    }
    for (i, j) in (0..nx).flat_map(|i| (0..ny).map(move |j| (i, j))) {
        let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
        let side = usize::from(i >= nx / 2);
        for corners in [[a, b, c], [a, c, d]] {
            let [x, y, z] = corners;
            // An element of several groups is listed for each.
            elements.extend(groups[side].iter().map(|group| format!("2 2 {group} {} {x} {y} {z}", 5 + side)));
        }
    }
    let elements: Vec<String> = elements.iter().enumerate().map(|(i, line)| format!("{} {line}\n", i + 1)).collect();
    let names = "1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n1 4 \"top\"\n2 5 \"light\"\n2 6 \"heavy\"\n";
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n{names}$EndPhysicalNames\n$Nodes\n{}\n{}$EndNodes\n\
         $Elements\n{}\n{}$EndElements\n",
        (nx + 1) * (ny + 1),
        nodes.collect::<String>(),
        elements.len(),
        elements.concat()
    );
    let path = folder.join("channel.msh");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A pulse in the mesh of a file, with this medium.
fn pulse_in(file: &str, order: usize, time: &str, medium: &str) -> Case {
    case(&format!(
        r#"
        law = "acoustics"
        order = {order}
        flux.numerical = "godunov"
        initial.function = "transmission"
        mesh = {{ file = "{file}" }}
        boundaries = {{ left.state = "transmission", right.state = "transmission", bottom.periodic = "top" }}
        time = {{ final = 0.4, {time} }}
        {medium}"#
    ))
}

const LIGHT_AND_HEAVY: &str =
    "medium.groups = { light = { rho = 1, bulk = 1 }, heavy = { rho = \"4 * bulk_left\", bulk = \"1\" } }";

#[test]
#[ignore = "long"]
fn groups_give_the_medium_that_a_function_gives() {
    let folder = tempfile::tempdir().unwrap();
    let file = channel([&[5], &[6]], folder.path());
    for (order, time) in [(0, ""), (2, ""), (2, "integrator = \"ader\"")] {
        let of = |medium: &str| {
            let solver = solution(&pulse_in(&file, order, time, medium));
            let sample = solver.samples().unwrap().field("rho").unwrap();
            (tests::bits(&solver), sample)
        };
        let (by_function, by_groups) = (of(""), of(LIGHT_AND_HEAVY));
        assert_eq!(by_function, by_groups, "order {order}, {time}");
        let rho = by_groups.1;
        let heavy = rho.iter().filter(|rho| (*rho - 4.0).abs() < 1e-13).count();
        let light = rho.iter().filter(|rho| (*rho - 1.0).abs() < 1e-13).count();
        assert!(2 * heavy == rho.len() && 2 * light == rho.len(), "{light} {heavy} of {}", rho.len());
    }
}

/// Groups may change with time, too.
#[test]
#[ignore = "long"]
fn groups_that_change_are_the_medium_that_formulas_give() {
    let folder = tempfile::tempdir().unwrap();
    let file = channel([&[5], &[6]], folder.path());
    for integrator in ["carpenter_kennedy", "ader"] {
        let [by_groups, by_formulas] = [
            r#"medium.groups = { light = { rho = "1 + t", bulk = 1 }, heavy = { rho = 4, bulk = "1 - t" } }"#,
            r#"medium.formulas = { rho = "if(x < 0, 1 + t, 4)", bulk = "if(x < 0, 1, 1 - t)" }"#,
        ]
        .map(|medium| {
            let case = pulse_in(&file, 1, &format!("integrator = \"{integrator}\""), medium);
            solution(&case).coefficients().unwrap()
        });
        let difference = by_groups.iter().zip(&by_formulas).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-13, "{integrator}: {difference}");
    }
}

#[test]
fn groups_that_do_not_fit_the_mesh_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |groups: [&[usize]; 2], medium: &str| {
        let file = channel(groups, folder.path());
        pulse_in(&file, 1, "", medium).build_mesh().map(drop).unwrap_err().to_string()
    };
    let light = "medium.groups.light = { rho = 1, bulk = 1 }";
    let error = refused([&[5], &[6]], light);
    assert!(error.contains("is in `heavy`, for which there are no values here; add them"), "{error}");
    let error = refused([&[5], &[6]], "medium.groups.lihgt = { rho = 1, bulk = 1 }");
    assert!(error.contains("did you mean `light`? there are `heavy`, `light`"), "{error}");
    let error = refused([&[5], &[0]], light);
    assert!(error.contains("is in no physical group of surfaces; put its surface into one"), "{error}");
    let error = refused([&[0], &[0]], light);
    assert!(error.contains("the mesh has no groups of elements"), "{error}");
    let error = refused([&[5], &[5, 6]], LIGHT_AND_HEAVY);
    assert!(
        error.contains("is in `heavy` and in `light`") || error.contains("is in `light` and in `heavy`"),
        "{error}"
    );
    let error =
        pulse("time.final = 1\nmedium.groups.light = { rho = 1, bulk = 1 }").build_mesh().map(drop).unwrap_err();
    assert!(error.to_string().contains("or give `formulas`"), "{error}");
    // A value that is not admissible is found in its group.
    let file = channel([&[5], &[6]], folder.path());
    let wrong = LIGHT_AND_HEAVY.replace("bulk = \"1\"", "bulk = \"1 - x\"");
    let case = pulse_in(&file, 1, "", &wrong);
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let error = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the medium's `bulk` is -") && message.contains("it is to be above 0"), "{message}");
    // It does not say in which group.
    assert_eq!(case.mistake(&error), None);
    // A formula has its place.
    let formulas = "medium.formulas = { rho = 1, bulk = \"x\" }";
    let case = pulse_in(&file, 1, "", formulas);
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let error = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err();
    let mistake = case.mistake(&error).unwrap();
    assert_eq!(&mistake.text[mistake.column - 1..][..mistake.width], "\"x\"", "{mistake}");
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

/// A hump in a flow around the origin that `medium` gives.
fn hump(medium: &str) -> String {
    format!(
        r#"
        law = "transport"
        order = 3
        flux.numerical = "upwind"
        initial.formulas.u = "exp(-25 * ((x - 0.25)^2 + y^2))"
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [6, 6] }}
        boundaries = {{ left.state.u = 0, right.state.u = 0, bottom.state.u = 0, top.state.u = 0 }}
        time.final = 0.1
        {medium}"#
    )
}

/// A grid of values, which has the linear flow exactly.
#[test]
fn files_give_the_medium_that_a_function_gives() {
    let folder = tempfile::tempdir().unwrap();
    let expected = solution(&case(&hump("medium.function = \"rotation\""))).coefficients().unwrap();
    let same = |name: &str, more: &str| {
        let file = folder.path().join(name);
        let text = hump(&format!("medium = {{ file = \"{}\"{more} }}", file.display()));
        let found = solution(&case(&text)).coefficients().unwrap();
        let difference = expected.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{name}: {difference}");
    };
    let tau = std::f64::consts::TAU;
    let row = |x: f64, y: f64| format!("{x:?},{y:?},{:?},{:?}\n", -tau * y, tau * x);
    let rows: String = [-0.5, 0.125, 0.5].iter().flat_map(|x| [-1.0, 0.5].map(|y| row(*x, y))).collect();
    std::fs::write(folder.path().join("grid.csv"), format!("x,y,v1,v2\n{rows}")).unwrap();
    same("grid.csv", "");
    same("grid.csv", ", outside = \"nearest\", degree = 1");
}

/// Luneburg's lens: all rays from a far point meet in the point of its far side, where the mean square of the pressure is the largest. The
/// case has a coarser mesh here.
#[test]
#[ignore = "long"]
fn a_lens_from_a_file_gathers_waves_in_its_focus() {
    let points: Vec<String> = (0..=40).map(|i| format!("p{i:02} = [{}, 0.0]", 0.5 + 0.025 * f64::from(i))).collect();
    let receivers = format!("receivers={{ every = 0.03333333333333333, points = {{ {} }} }}", points.join(", "));
    let case = tests::example("lens.toml", &["mesh.cells=[36, 26]", "time.final=4.67", &receivers]);
    let mut squares = vec![0.0; points.len()];
    // Two periods, when waves from the whole lens have come: the way to the focus takes 0.8 to the lens and 1 + π/2 in it.
    for (_, values) in
        super::receivers::signals(&case, tests::solver(&case), 50).iter().filter(|(time, _)| (4.0..4.65).contains(time))
    {
        // The bulk modulus is 1, so that the compression is the pressure.
        squares.iter_mut().zip(values.chunks(3)).for_each(|(square, state)| *square += state[0].powi(2));
    }
    let focus = (0..squares.len()).max_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap();
    println!(
        "focus at {:.3}, {:.2} times the wave",
        0.5 + 0.025 * focus as f64,
        (squares[focus] / 20.0).sqrt() / 0.02_f64.sqrt()
    );
    // Within a fifth of a wavelength.
    assert!((0.5 + 0.025 * focus as f64 - 1.0).abs() < 0.067, "{focus}: {squares:?}");
    assert!(squares[focus] > 10.0 * 20.0 * 0.02, "{focus}: {squares:?}");
}

/// A wave of shear through a layer of sediment to the surface, with the velocity and at the time that impedances and speeds say, before what
/// the valley bends has come.
#[test]
#[ignore = "long"]
fn a_layer_of_a_group_lets_a_shear_wave_grow_as_the_impedances_say() {
    let case = tests::example("basin.toml", &["time.final=2.2", "receivers.points={ rim = [2.9, 0.0] }"]);
    let signals = super::receivers::signals(&case, tests::solver(&case), 50);
    // The density of the sediment is 1, so that the momentum is the velocity.
    let velocities = signals.iter().map(|(time, values)| (*time, values[3]));
    let (time, velocity) = velocities.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    println!("velocity {velocity:.4} at {time}");
    assert!((velocity - 3.2).abs() < 0.01 && (time - (1.7 + 0.2 / 0.5)).abs() < 0.021, "{velocity} at {time}");
}

#[test]
fn files_of_a_medium_that_cannot_be_used_are_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("grid.csv");
    let medium = |more: &str| format!("medium = {{ file = \"{}\"{more} }}", file.display());
    let error = parsed(&hump(&medium(""))).map(drop).unwrap_err();
    assert!(error.contains("cannot read") && error.contains("grid.csv"), "{error}");
    std::fs::write(&file, "x,y,v1\n0,0,1\n").unwrap();
    let error = parsed(&hump(&medium(""))).map(drop).unwrap_err();
    assert!(error.contains("it has no column `v2`"), "{error}");
    let grid = "x,y,v1,v2\n-0.5,-0.5,1,1\n-0.5,0.5,1,1\n0.4,-0.5,1,1\n0.4,0.5,1,2\n";
    std::fs::write(&file, grid).unwrap();
    let error = parsed(&hump(&medium(", outside = \"near\""))).map(drop).unwrap_err();
    assert!(error.contains("did you mean `nearest`"), "{error}");
    let error = parsed(&hump("medium = { function = \"rotation\", outside = \"nearest\" }")).map(drop).unwrap_err();
    assert!(error.contains("`outside` is for a `file`"), "{error}");
    let built = |more: &str| {
        let case = case(&hump(&medium(more)));
        let mesh = case.build_mesh().unwrap();
        let setup = case.setup(&mesh).unwrap();
        Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup)
    };
    let error = built("").map(drop).unwrap_err().to_string();
    assert!(error.contains("grid.csv ends before [0.4") && error.contains("outside = \"nearest\""), "{error}");
    assert!(built(", outside = \"nearest\"").is_ok());
    // Another content is another medium, and a run does not resume with it.
    let identity = || case(&hump(&medium(""))).identity(&[Shape::Triangle]);
    let before = identity();
    assert_eq!(before, identity());
    std::fs::write(&file, grid.replace("1,2\n", "1,3\n")).unwrap();
    assert_ne!(before, identity());
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
