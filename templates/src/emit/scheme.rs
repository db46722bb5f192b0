//! The bridge from the user's functions to the kernels of the scheme, which call them with fixed names and arguments. All names of
//! the bridge begin with `law_`.

use std::fmt::Write as _;

use crate::derive::between::{ALONG, LOOSE, PARTS, UNBOUNDED};
use crate::derive::{Derived, FarField, Rotation, SOURCE_JACOBIAN};
use crate::ir::{AXES, Function, FunctionId, Law, Role, Type};

use super::physics::{MEDIUM, Names};

/// Normal flux, wave speeds, numerical fluxes, boundaries, data and states of other variables.
pub(super) fn bridge(law: &Law, names: &Names, derived: &Derived) -> String {
    let mut text = String::new();
    changing_media(&mut text, law, names);
    nonconservative(&mut text, law, derived);
    viscous(&mut text, law, derived);
    fluxes(&mut text, law, names, derived);
    for (id, function) in roles(law) {
        let name = &function.name;
        let head = match function.role {
            Role::NumericalFlux(_) => format!("State law_numerical_flux_{name}(State l, State r, Normal n, real s)"),
            Role::Boundary { .. } => format!("State law_boundary_{name}(State u, Normal n, Point x, real t)"),
            Role::BoundaryFlux { ref of } => {
                format!("State law_boundary_flux_{}(State u, Normal n, Point x, real t)", of.0)
            }
            Role::Initial => format!("State law_initial_{name}(Point x, real t)"),
            Role::Exact { .. } => format!("State law_exact_{name}(Point x, real t)"),
            Role::ManufacturedSource { of } => {
                format!("State law_manufactured_{}(Point x, real t)", law.function(of).name)
            }
            Role::Variables => format!("State law_variables_{name}(const real variable[COMPONENTS])"),
            _ => continue,
        };
        adaptor(&mut text, law, id, &head);
    }
    source(&mut text, law, names, derived);
    source_jacobian(&mut text, law, derived);
    admissible(&mut text, law, names);
    outputs(&mut text, law);
    names.called(&text)
}

/// Functions with their ids.
fn roles(law: &Law) -> impl Iterator<Item = (FunctionId, &Function)> {
    law.functions.iter().enumerate().map(|(i, function)| (FunctionId(i), function))
}

/// Conversions between states, points and normals and the arrays of their numbers.
pub(super) fn conversions(law: &Law, names: &Names) -> String {
    let mut text = String::new();
    let components: Vec<String> = names.components.iter().map(|component| format!("u.{component}")).collect();
    let medium: Vec<String> = names.medium.iter().map(|field| format!("u.{MEDIUM}.{field}")).collect();
    let fields: Vec<&String> = components.iter().chain(&medium).collect();
    text.push_str("// The FIELDS of a state: its components, then those of the medium where it is.\n");
    let _ = writeln!(text, "DEVICE State law_state(const real field[FIELDS])\n{{\n    State u;");
    for (i, member) in fields.iter().enumerate() {
        let _ = writeln!(text, "    {member} = field[{i}];");
    }
    let _ = writeln!(text, "    return u;\n}}\n");
    let _ = writeln!(text, "DEVICE void law_fields(real field[FIELDS], State u)\n{{");
    for (i, member) in fields.iter().enumerate() {
        let _ = writeln!(text, "    field[{i}] = {member};");
    }
    let _ = writeln!(text, "}}\n");
    let _ = writeln!(text, "DEVICE void law_components(real component[COMPONENTS], State u)\n{{");
    for (c, member) in components.iter().enumerate() {
        let _ = writeln!(text, "    component[{c}] = {member};");
    }
    let _ = writeln!(text, "}}\n");
    text.push_str("// A change of a state.\n");
    let _ = writeln!(text, "DEVICE State law_change(const real component[COMPONENTS])\n{{\n    State u;");
    for (c, member) in components.iter().enumerate() {
        let _ = writeln!(text, "    {member} = component[{c}];");
    }
    for member in &medium {
        let _ = writeln!(text, "    {member} = splat(R(0.0));");
    }
    let _ = writeln!(text, "    return u;\n}}\n");
    for (ty, name) in [("Point", "law_point"), ("Normal", "law_normal")] {
        let _ = writeln!(text, "DEVICE {ty} {name}(const real component[DIM])\n{{\n    {ty} made;");
        for (d, axis) in AXES[..law.dim].iter().enumerate() {
            let _ = writeln!(text, "    made.{axis} = component[{d}];");
        }
        let _ = writeln!(text, "    return made;\n}}\n");
    }
    names.called(&text)
}

/// A call of a role function by the scheme, which offers every argument under a fixed name.
fn call(law: &Law, id: FunctionId) -> String {
    let two_states = matches!(law.function(id).role, Role::NumericalFlux(_) | Role::Jump);
    call_at(law, id, if two_states { &["l", "r"] } else { &["u"] })
}

/// The same for states of these names.
fn call_at(law: &Law, id: FunctionId, states: &[&str]) -> String {
    let function = law.function(id);
    let (mut places, mut states) = (states.iter(), states.iter());
    let mut variables = (0..).map(|i| format!("variable[{i}]"));
    let arguments: Vec<String> = function
        .signature()
        .filter_map(|ty| match ty {
            Type::State => states.next().map(|state| (*state).to_owned()),
            Type::Medium => places.next().map(|state| format!("{state}.{MEDIUM}")),
            Type::Normal => Some("n".to_owned()),
            Type::Point => Some("x".to_owned()),
            Type::Real if function.role == Role::Variables => variables.next(),
            Type::Array(element, _) if **element == Type::State => Some("gradient".to_owned()),
            Type::Array(_, length) => {
                let elements: Vec<_> = variables.by_ref().take(*length).collect();
                Some(format!("make_Reals{length}({})", elements.join(", ")))
            }
            Type::Real => Some("t".to_owned()),
            _ => None,
        })
        .collect();
    format!("{}({})", Names::call_of(id), arguments.join(", "))
}

/// `law_medium_NAME` of a medium that changes: its fields at a position and a time.
fn changing_media(text: &mut String, law: &Law, names: &Names) {
    for id in law.changing_media() {
        let name = &law.function(id).name;
        let _ = writeln!(text, "DEVICE void law_medium_{name}(real field[MEDIA], Point x, real t)\n{{");
        let _ = writeln!(text, "    const Medium medium = {};", call(law, id));
        for (i, field) in names.medium.iter().enumerate() {
            let _ = writeln!(text, "    field[{i}] = medium.{field};");
        }
        text.push_str("}\n\n");
    }
}

/// A function of the bridge that calls one of the user's.
fn adaptor(text: &mut String, law: &Law, id: FunctionId, head: &str) {
    let _ = writeln!(text, "DEVICE {head}\n{{\n    return {};\n}}\n", call(law, id));
}

/// `law_source`: the sum of the law's source and `MANUFACTURED`, which a case defines as the derived source of its solution.
fn source(text: &mut String, law: &Law, names: &Names, derived: &Derived) {
    let declared = law.only(&Role::Source);
    let head = "State law_source(State u, Point x, real t)";
    if has_manufactured(law) {
        text.push_str(
            "// MANUFACTURED is the source that was derived for a solution.\n#ifdef MANUFACTURED\n#define SOURCE\n\
             #define HAS_SOURCE(c) 1\n",
        );
        let _ = writeln!(text, "DEVICE {head}\n{{");
        match declared {
            None => text.push_str("    return MANUFACTURED(x, t);\n}\n"),
            Some(id) => {
                let call = call(law, id);
                let _ = writeln!(text, "    const State own = {call}, derived = MANUFACTURED(x, t);\n    State sum;");
                for c in &names.components {
                    let _ = writeln!(text, "    sum.{c} = own.{c} + derived.{c};");
                }
                text.push_str("    return sum;\n}\n");
            }
        }
        text.push_str(if declared.is_some() { "#else\n" } else { "#endif\n\n" });
    }
    if let Some(id) = declared {
        let is_one = |c: &usize| format!("(c) == {c}");
        let has_source = match &derived.source_components {
            none if none.is_empty() => "0".into(),
            all if all.len() == names.components.len() => "1".into(),
            some => format!("({})", some.iter().map(is_one).collect::<Vec<_>>().join(" || ")),
        };
        let _ = writeln!(
            text,
            "#define SOURCE\n// Whether the source changes component c.\n#define HAS_SOURCE(c) {has_source}"
        );
        adaptor(text, law, id, head);
        if has_manufactured(law) {
            text.push_str("#endif\n\n");
        }
    }
}

/// `law_source_jacobian`, in the words of the scheme: `[i][j]` = ∂S_i/∂u_j.
fn source_jacobian(text: &mut String, law: &Law, derived: &Derived) {
    let Some(jacobian) = &derived.source_jacobian else { return };
    let (m, name) = (law.state.fields.len(), &jacobian.entries.name);
    let ty = super::physics::type_name(&jacobian.entries.result);
    let _ = writeln!(
        text,
        "#define SOURCE_JACOBIAN\nDEVICE void law_source_derivatives(real d[COMPONENTS][COMPONENTS], State u, Point x, real t)\n{{\n    \
         const {ty} all = {name}(u, x, t);"
    );
    for (i, j) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let _ = writeln!(text, "    d[{i}][{j}] = all.v[{}];", i * m + j);
    }
    let _ = writeln!(text, "}}\n");
    if !jacobian.blocks.is_empty() {
        text.push_str(
            "// Components whose sources depend on each other: the Jacobian's eigenvalues that are not zero are those of these blocks.\n\
             #define SOURCE_BLOCKS(ONE, TWO, MORE)",
        );
        text.push_str(&listed(&jacobian.blocks));
        text.push_str("\n\n");
    }
    if jacobian.is_product {
        text.push_str("// S = E u, with E of parameters and medium alone.\n#ifndef MANUFACTURED\n#define SOURCE_IS_PRODUCT\n#endif\n\n");
    }
}

/// The kernel that evaluates it at given points.
pub(super) fn pointwise_source_jacobian(law: &Law) -> String {
    let (mut text, m) = (String::new(), law.state.fields.len());
    let value = "law_source_derivatives((real(*)[COMPONENTS])value, u, x, t)";
    kernel(&mut text, SOURCE_JACOBIAN.0, m * m, value);
    text
}

/// Whether a source was derived for any solution.
fn has_manufactured(law: &Law) -> bool {
    law.with_role(|role| matches!(role, Role::ManufacturedSource { .. })).next().is_some()
}

/// The non-conservative product, if the law has one, and what it is at a jump: the law's own, or its mean on the straight way between both
/// states.
fn nonconservative(text: &mut String, law: &Law, derived: &Derived) {
    let Some(id) = law.only(&Role::Nonconservative) else { return };
    let call = call_at(law, id, &["u", "change"]);
    let _ = writeln!(
        text,
        "#define NONCONSERVATIVE\n\
         // The product along n, sum_d n_d B_d(u) times a change of the state and the medium, for n of any length.\n\
         DEVICE State law_product(State u, State change, Normal n)\n{{\n    return {call};\n}}\n"
    );
    if let Some(jump) = law.only(&Role::Jump) {
        return adaptor(text, law, jump, "State law_path_product(State l, State r, Normal n)");
    }
    let points = derived.path_points;
    let (places, weights) = gauss(points);
    let list = |numbers: &[f64]| numbers.iter().map(|x| format!("R({x:?})")).collect::<Vec<_>>().join(", ");
    let (places, weights) = (list(&places), list(&weights));
    let _ = writeln!(
        text,
        "// Its mean on the straight way from l to r, times r - l, by Gauss's quadrature: what the product is at a jump\n\
         // (C. Pares, SIAM J. Numer. Anal. 44 (2006) 300-321).\n\
         DEVICE State law_path_product(State l, State r, Normal n)\n{{\n    \
         const scalar places[{points}] = {{{places}}}, weights[{points}] = {{{weights}}};\n    \
         real left[FIELDS], right[FIELDS], change[FIELDS], here[FIELDS], product[COMPONENTS], mean[COMPONENTS];\n    \
         law_fields(left, l);\n    law_fields(right, r);\n    \
         UNROLL\n    for (int i = 0; i < FIELDS; ++i) {{\n        change[i] = right[i] - left[i];\n    }}\n    \
         UNROLL\n    for (int c = 0; c < COMPONENTS; ++c) {{\n        mean[c] = splat(R(0.0));\n    }}\n    \
         UNROLL\n    for (int p = 0; p < {points}; ++p) {{\n        \
         UNROLL\n        for (int i = 0; i < FIELDS; ++i) {{\n            here[i] = left[i] + places[p] * change[i];\n        }}\n        \
         law_components(product, law_product(law_state(here), law_state(change), n));\n        \
         UNROLL\n        for (int c = 0; c < COMPONENTS; ++c) {{\n            mean[c] += weights[p] * product[c];\n        }}\n    }}\n    \
         return law_change(mean);\n}}\n"
    );
}

/// The viscous flux, if the law has one, its matrix along a normal, and how ghost states change.
fn viscous(text: &mut String, law: &Law, derived: &Derived) {
    let (Some(id), Some(viscous)) = (law.only(&Role::ViscousFlux), &derived.viscous) else { return };
    let (ty, m) = (super::physics::type_name(&law.function(id).result), law.state.fields.len());
    let _ = writeln!(
        text,
        "#define VISCOUS\n\
         // The viscous flux in every direction of a state with these slopes, its derivatives by x_d.\n\
         DEVICE void law_viscous_flux(real f[DIM][COMPONENTS], State u, const real slope[DIM][COMPONENTS])\n{{\n    \
         {}\n    const {ty} G = {};",
        gradient(law, "slope"),
        call(law, id)
    );
    for d in 0..law.dim {
        let _ = writeln!(text, "    law_components(f[{d}], G.v[{d}]);");
    }
    text.push_str("}\n\nDEVICE void law_normal_components(real component[DIM], Normal n)\n{\n");
    for (d, axis) in AXES[..law.dim].iter().enumerate() {
        let _ = writeln!(text, "    component[{d}] = n.{axis};");
    }
    let (entries, matrix) = (&viscous.entries.name, super::physics::type_name(&viscous.entries.result));
    let _ = writeln!(
        text,
        "}}\n\n// Its matrix in direction n, [i][j].\n\
         DEVICE void law_diffusion(real d[COMPONENTS][COMPONENTS], State u, Normal n)\n{{\n    const {matrix} all = {entries}(u, n);"
    );
    for (i, j) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let _ = writeln!(text, "    d[{i}][{j}] = all.v[{}];", i * m + j);
    }
    let _ = writeln!(
        text,
        "}}\n\n// Components that diffuse into each other: the eigenvalues of the matrix that are not zero are those of these blocks.\n\
         #define DIFFUSION_BLOCKS(ONE, TWO, MORE){}\n",
        listed(&viscous.blocks)
    );
}

/// Blocks of components, as calls of `ONE`, `TWO` and `MORE`.
fn listed(blocks: &[Vec<usize>]) -> String {
    let mut list = String::new();
    for block in blocks {
        let components = block.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let _ = match block.len() {
            1 => write!(list, " ONE({components})"),
            2 => write!(list, " TWO({components})"),
            n => write!(list, " MORE({n}, {components})"),
        };
    }
    list
}

/// Places and weights of Gauss's quadrature on [0, 1] with one point or three.
fn gauss(points: usize) -> (Vec<f64>, Vec<f64>) {
    let aside = 0.6_f64.sqrt() / 2.0;
    match points {
        1 => (vec![0.5], vec![1.0]),
        _ => (vec![0.5 - aside, 0.5, 0.5 + aside], vec![5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0]),
    }
}

/// Rusanov's flux. Of a law that is the same in all directions it is found in the frame of the normal, where only the flux along one
/// axis is needed.
fn rusanov(text: &mut String, law: &Law, names: &Names, derived: &Derived) {
    let Some(flux) = law.only(&Role::Flux) else { return };
    let ty = super::physics::type_name(&law.function(flux).result);
    let head = "DEVICE State law_numerical_flux_rusanov(State l, State r, Normal n, real s)";
    let of_sides = |[l, r]: [&str; 2]| {
        let [call_left, call_right] = [l, r].map(|side| call_at(law, flux, &[side]));
        format!(
            "    const {ty} fl = {call_left};\n    const {ty} fr = {call_right};\n    const real half_s = R(0.5) * s;\n"
        )
    };
    text.push_str("// Rusanov (local Lax-Friedrichs): half (F(l) + F(r)) . n - s / 2 (r - l).\n");
    if let Rotation::Vectors(pairs) = &derived.rotation {
        let turned = |doc: &str, name: &str, signs: [char; 2]| {
            let mut turned = format!("// {doc}\nDEVICE State {name}(State u, Normal n)\n{{\n    State turned = u;\n");
            for &(x, y) in pairs {
                let [x, y] = [&names.components[x], &names.components[y]];
                let _ = writeln!(turned, "    turned.{x} = n.x * u.{x} {} n.y * u.{y};", signs[0]);
                let _ = writeln!(turned, "    turned.{y} = n.x * u.{y} {} n.y * u.{x};", signs[1]);
            }
            turned + "    return turned;\n}\n\n"
        };
        let into =
            turned("The state in the frame of n: its vectors along n, and across.", "law_into_frame", ['+', '-']);
        let out = turned("Back from there.", "law_out_of_frame", ['-', '+']);
        let of_sides = of_sides(["left", "right"]);
        let _ = writeln!(
            text,
            "// The law is the same in all directions: in the frame of n the flux along one axis is all of it.\n\
             #define FRAME_OF_law_numerical_flux_rusanov 1\n\n{into}{out}{head}\n{{\n    \
             const State left = law_into_frame(l, n), right = law_into_frame(r, n);\n{of_sides}    State f = left;"
        );
        for c in &names.components {
            let _ =
                writeln!(text, "    f.{c} = R(0.5) * (fl.v[0].{c} + fr.v[0].{c}) - half_s * (right.{c} - left.{c});");
        }
        text.push_str("    return law_out_of_frame(f, n);\n}\n\n");
        return;
    }
    let half_n: String =
        AXES[..law.dim].iter().map(|axis| format!("    half_n.{axis} = R(0.5) * n.{axis};\n")).collect();
    let _ = writeln!(text, "{head}\n{{\n{}    Normal half_n;\n{half_n}    State f;", of_sides(["l", "r"]));
    for c in &names.components {
        let terms = (0..law.dim).map(|d| format!("half_n.{} * (fl.v[{d}].{c} + fr.v[{d}].{c})", AXES[d]));
        let mean = terms.collect::<Vec<_>>().join(" + ");
        let _ = writeln!(text, "    f.{c} = {mean} - half_s * (r.{c} - l.{c});");
    }
    text.push_str("    return f;\n}\n\n");
}

/// The physical flux in the scheme's terms and the two numerical fluxes that every law has.
fn fluxes(text: &mut String, law: &Law, names: &Names, derived: &Derived) {
    let components = &names.components;
    let Some(flux) = law.only(&Role::Flux) else { return };
    let call_flux = call(law, flux);
    let _ = writeln!(text, "DEVICE void law_flux(real f[DIM][COMPONENTS], State u)\n{{");
    let flux_ty = super::physics::type_name(&law.function(flux).result);
    let _ = writeln!(text, "    const {flux_ty} F = {call_flux};");
    for d in 0..law.dim {
        let _ = writeln!(text, "    law_components(f[{d}], F.v[{d}]);");
    }
    let _ = writeln!(text, "}}\n");

    let _ = writeln!(text, "// F(u) . n");
    let _ = writeln!(
        text,
        "DEVICE State law_normal_flux(State u, Normal n)\n{{\n    const {flux_ty} F = {call_flux};\n    State f;"
    );
    for component in components {
        let terms: Vec<String> = (0..law.dim).map(|d| format!("F.v[{d}].{component} * n.{}", AXES[d])).collect();
        let _ = writeln!(text, "    f.{component} = {};", terms.join(" + "));
    }
    let _ = writeln!(text, "    return f;\n}}\n");

    let Some(waves) = law.speeds() else { return };
    let (call_waves, result) = (call(law, waves), &law.function(waves).result);
    let ty = super::physics::type_name(result);
    let declared = law.function(waves).role == Role::WaveSpeed;
    let extreme = if declared { (0..law.size_of(result)).collect() } else { derived.extreme.clone() };
    let fold = |function: &str, map: &dyn Fn(usize) -> String| {
        extreme.iter().skip(1).fold(map(extreme[0]), |folded, &i| format!("{function}({folded}, {})", map(i)))
    };
    let plain = |i: usize| format!("lambda.v[{i}]");
    let speed = |i: usize| format!("real_abs(lambda.v[{i}])");
    let [fastest_of_all, slowest, fastest] = match (declared, *result == Type::Real) {
        (true, true) => ["lambda", "-lambda", "lambda"].map(str::to_owned),
        (true, false) => [fold("real_max", &speed), plain(0), plain(1)],
        (false, _) => [fold("real_max", &speed), fold("real_min", &plain), fold("real_max", &plain)],
    };
    let [largest, smallest_wave, largest_wave] = if declared {
        ["A bound on |lambda|", "A bound on the eigenvalues from below,", "A bound on the eigenvalues from above,"]
    } else {
        ["The largest |lambda|", "The smallest eigenvalue", "The largest eigenvalue"]
    };
    for (doc, name, value) in [
        (
            format!("{largest} in direction n: bounds the numerical flux and the time step alike."),
            "law_wave_speed",
            fastest_of_all,
        ),
        (format!("{smallest_wave} in direction n."), "law_slowest", slowest),
        (format!("{largest_wave} in direction n."), "law_fastest", fastest),
    ] {
        let _ = writeln!(
            text,
            "// {doc}\nDEVICE real {name}(State u, Normal n)\n{{\n    const {ty} lambda = {call_waves};\n    return {value};\n}}\n"
        );
    }

    if let Some(eigenvalues) = law.only(&Role::Eigenvalues) {
        let (ty, call) = (super::physics::type_name(&law.function(eigenvalues).result), call(law, eigenvalues));
        let _ = writeln!(
            text,
            "DEVICE void law_eigenvalues(real all[COMPONENTS], State u, Normal n)\n{{\n    const {ty} lambda = {call};"
        );
        for i in 0..law.state.fields.len() {
            let _ = writeln!(text, "    all[{i}] = {};", plain(i));
        }
        let _ = writeln!(text, "}}\n");
    } else {
        text.push_str("// Only a bound on the eigenvalues is known.\n#define NO_EIGENVALUES\n\n");
    }

    let at_ends = "largest_or_nan(law_wave_speed(l, n), law_wave_speed(r, n))";
    let (doc, speed) = if derived.between.is_some() {
        waves_between(text, names);
        let waves = "const law_waves waves = law_waves_between(l, r, n);\n    ";
        let largest = "real_max(-waves.slowest, waves.fastest)";
        ("at the states between both sides", format!("{waves}return largest_or_nan({at_ends}, {largest});"))
    } else {
        ("on both sides", format!("return {at_ends};"))
    };
    let _ = writeln!(
        text,
        "// The largest |lambda| {doc} of a face.\n\
         DEVICE real law_face_speed(State l, State r, Normal n)\n{{\n    {speed}\n}}\n\n\
         // Numerical fluxes, with s = law_face_speed(l, r, n), which the time step needs all the same.\n",
    );
    rusanov(text, law, names, derived);
    let (of, waves, slowest, fastest) = if derived.between.is_some() {
        (
            "between both sides",
            "    const law_waves waves = law_waves_between(l, r, n);\n",
            "waves.slowest",
            "waves.fastest",
        )
    } else {
        let slowest = "real_min(law_slowest(l, n), law_slowest(r, n))";
        ("of both sides", "", slowest, "real_max(law_fastest(l, n), law_fastest(r, n))")
    };
    let _ = writeln!(
        text,
        "// Harten, Lax & van Leer (1983), with the extreme eigenvalues {of} as signal speeds.\n\
         DEVICE State law_numerical_flux_hll(State l, State r, Normal n, real s)\n{{\n    \
         const State fl = law_normal_flux(l, n);\n    const State fr = law_normal_flux(r, n);\n{waves}    \
         const real sl = real_min({slowest}, splat(R(0.0)));\n    \
         const real sr = real_max({fastest}, splat(R(0.0)));\n    \
         const real width = sr - sl;\n    \
         // Where nothing moves, both fluxes are multiplied by zero: any finite weight will do.\n    \
         const real weight = real_reciprocal(select(width > R(0.0), width, splat(R(1.0))));\n    \
         const real mean = select(width > R(0.0), splat(R(0.0)), splat(R(0.5)));\n    State f;"
    );
    let has_product = law.only(&Role::Nonconservative).is_some();
    if has_product {
        text.push_str(
            "    // The two sides of the face share the product; both waves move the middle of it.\n    \
             const State product = law_path_product(l, r, n);\n    const real shift = R(0.5) * (sl + sr) * weight;\n",
        );
    }
    for c in components {
        let product = if has_product { format!(" - shift * product.{c}") } else { String::new() };
        let _ = writeln!(
            text,
            "    f.{c} = (sr * fl.{c} - sl * fr.{c} + sl * sr * (r.{c} - l.{c})) * weight + mean * (fl.{c} + fr.{c}){product};"
        );
    }
    let _ = writeln!(text, "    return f;\n}}\n");
}

/// `law_waves_between`, from the function for a part of the way. What is NaN there, as at a state that is not admissible, is left out.
fn waves_between(text: &mut String, names: &Names) {
    text.push_str(
        "// The state at a share of the way from l to r.\nDEVICE State law_between(State l, State r, scalar share)\n{\n    State u = l;\n",
    );
    for c in &names.components {
        let _ = writeln!(text, "    u.{c} = l.{c} + share * (r.{c} - l.{c});");
    }
    text.push_str("    return u;\n}\n\n");
    let _ = writeln!(
        text,
        "// Bounds on the slowest and the fastest wave at the states between l and r, by as many parts of the way as make\n\
         // them tight.\n\
         #define WAVES_BETWEEN\n\
         typedef struct {{\n    real slowest, fastest;\n}} law_waves;\n\n\
         DEVICE law_waves law_waves_between(State l, State r, Normal n)\n{{\n    \
         const real slowest = real_min(law_slowest(l, n), law_slowest(r, n));\n    \
         const real fastest = real_max(law_fastest(l, n), law_fastest(r, n));\n    \
         law_waves waves = {{slowest, fastest}}, found, tried;\n    \
         mask loose = everywhere();\n    \
         for (int parts = 1; parts <= {PARTS} && any(loose); parts *= 2) {{\n        \
         found.slowest = tried.slowest = slowest;\n        found.fastest = tried.fastest = fastest;\n        State here = l;\n        \
         for (int part = 1; part <= parts; ++part) {{\n            \
         const State there = law_between(l, r, (scalar)part / (scalar)parts);\n            \
         const Reals4 own = {ALONG}(here, there, n);\n            \
         found.slowest = select(own.v[0] < found.slowest, own.v[0], found.slowest);\n            \
         found.fastest = select(own.v[1] > found.fastest, own.v[1], found.fastest);\n            \
         tried.slowest = select(own.v[2] < tried.slowest, own.v[2], tried.slowest);\n            \
         tried.fastest = select(own.v[3] > tried.fastest, own.v[3], tried.fastest);\n            \
         here = there;\n        }}\n        \
         waves.slowest = select(loose, found.slowest, waves.slowest);\n        \
         waves.fastest = select(loose, found.fastest, waves.fastest);\n        \
         const real allowed = R({LOOSE}) * real_max(-tried.slowest, tried.fastest);\n        \
         loose = loose & ((tried.slowest - found.slowest > allowed) | (found.fastest - tried.fastest > allowed));\n    }}\n    \
         // Where nothing is known, what was tried.\n    \
         waves.slowest = select(waves.slowest > splat(R(-{UNBOUNDED})), waves.slowest, tried.slowest);\n    \
         waves.fastest = select(waves.fastest < splat(R({UNBOUNDED})), waves.fastest, tried.fastest);\n    \
         return waves;\n}}\n",
    );
}

fn admissible(text: &mut String, law: &Law, names: &Names) {
    let finite: Vec<String> = names.components.iter().map(|c| format!("(u.{c} - u.{c} == R(0.0))")).collect();
    let _ = writeln!(text, "DEVICE mask law_is_finite(State u)\n{{\n    return {};\n}}\n", finite.join(" & "));
    let count =
        quantities(text, law, &Role::Admissible, "ADMISSIBLE", "Quantities that are positive at admissible states.");
    quantities(
        text,
        law,
        &Role::MinimumPrinciple,
        "BOUNDED",
        "Quantities with a local minimum principle: none drops below its least value in the neighbourhood one step before.",
    );
    let _ = writeln!(
        text,
        "// Whether the law makes sense at u: everything finite, and what must be positive is.\n\
         DEVICE mask law_is_admissible(State u)\n{{\n    mask ok = law_is_finite(u);"
    );
    if count > 0 {
        let _ = writeln!(text, "    real quantity[ADMISSIBLE];\n    law_admissible(quantity, u);");
        for i in 0..count {
            let _ = writeln!(text, "    ok = ok & (quantity[{i}] > R(0.0));");
        }
    }
    let _ = writeln!(text, "    return ok;\n}}\n");
}

/// `law_admissible` or `law_bounded`, by the name of its length, which it returns: 0 where the law has no such function.
fn quantities(text: &mut String, law: &Law, role: &Role, name: &str, doc: &str) -> usize {
    let Some(id) = law.only(role) else {
        let _ = writeln!(text, "#define {name} 0");
        return 0;
    };
    let (ty, call) = (super::physics::type_name(&law.function(id).result), call(law, id));
    let count = law.size_of(&law.function(id).result);
    let _ = writeln!(
        text,
        "#define {name} {count}\n// {doc}\nDEVICE void law_{}(real quantity[{name}], State u)\n{{\n    \
         const {ty} all = {call};",
        name.to_lowercase()
    );
    for i in 0..count {
        let _ = writeln!(text, "    quantity[{i}] = all.v[{i}];");
    }
    let _ = writeln!(text, "}}\n");
    count
}

fn outputs(text: &mut String, law: &Law) {
    let list = output_functions(law);
    let of_gradient = list.iter().any(|&id| law.function(id).takes_gradient());
    text.push_str(match of_gradient {
        true => {
            "#define GRADIENT_OUTPUTS\n\
             // What outputs are computed from at a point: the state and its slopes, the derivatives by x_d.\n\
             typedef struct {\n    State state;\n    real slope[DIM][COMPONENTS];\n"
        }
        false => "// What outputs are computed from at a point.\ntypedef struct {\n    State state;\n",
    });
    text.push_str(
        "} Sample;\n\n// Derived fields, in the order of the law's list.\n\
         DEVICE void law_outputs(real *value, Sample sample, Point x, real t)\n{\n    const State u = sample.state;\n",
    );
    if of_gradient {
        let _ = writeln!(text, "    {}", gradient(law, "sample.slope"));
    }
    for (i, &id) in list.iter().enumerate() {
        let _ = writeln!(text, "    value[{i}] = {};", call(law, id));
    }
    text.push_str("}\n\n");
}

/// The statement that makes the user's gradient of slopes.
fn gradient(law: &Law, slopes: &str) -> String {
    let ty = super::physics::type_name(&Type::Array(Box::new(Type::State), law.dim));
    let parts: Vec<_> = (0..law.dim).map(|d| format!("law_change({slopes}[{d}])")).collect();
    format!("const {ty} gradient = make_{ty}({});", parts.join(", "))
}

/// The law's outputs, in the order in which the source has them.
fn output_functions(law: &Law) -> Vec<FunctionId> {
    let mut list: Vec<FunctionId> = law.with_role(|role| *role == Role::Output).collect();
    list.sort_by_key(|id| law.function(*id).span);
    list
}

/// Kernels that evaluate each role function at given points, for the comparison of back ends.
pub(super) fn pointwise_kernels(law: &Law, derived: &Derived) -> String {
    let mut text = String::new();
    let outputs = output_functions(law);
    for (id, function) in roles(law) {
        let name = &function.name;
        let value = match &function.role {
            Role::Medium if law.changing_media().any(|changing| changing == id) => {
                format!("law_medium_{name}(value, x, t)")
            }
            Role::Helper | Role::Medium => continue,
            Role::Flux => "law_flux((real(*)[COMPONENTS])value, u)".to_owned(),
            Role::Eigenvalues => "law_eigenvalues(value, u, n)".to_owned(),
            Role::WaveSpeed if function.result == Type::Real => "value[0] = law_fastest(u, n)".to_owned(),
            Role::WaveSpeed => "value[0] = law_slowest(u, n), value[1] = law_fastest(u, n)".to_owned(),
            Role::Admissible => "law_admissible(value, u)".to_owned(),
            Role::MinimumPrinciple => "law_bounded(value, u)".to_owned(),
            Role::Output => {
                let number = outputs.iter().position(|output| *output == id).unwrap_or_default();
                format!("value[0] = output(u, r, x, t, {number})")
            }
            Role::Nonconservative => state("law_product(u, r, n)"),
            Role::Jump => state("law_path_product(l, r, n)"),
            Role::ViscousFlux => "viscous_flux_of_equal_slopes((real(*)[COMPONENTS])value, u, r)".to_owned(),
            Role::Source => state("law_source(u, x, t)"),
            Role::NumericalFlux(_) => state(&numerical_flux(name)),
            Role::Boundary { .. } => state(&format!("law_boundary_{name}(u, n, x, t)")),
            Role::BoundaryFlux { of } => state(&format!("law_boundary_flux_{}(u, n, x, t)", of.0)),
            Role::Initial => state(&format!("law_initial_{name}(x, t)")),
            Role::Exact { .. } => state(&format!("law_exact_{name}(x, t)")),
            Role::ManufacturedSource { of } => state(&format!("law_manufactured_{}(x, t)", law.function(*of).name)),
            Role::Variables => state(&format!("law_variables_{name}(variable)")),
        };
        kernel(&mut text, name, law.size_of(&function.result), &value);
    }
    for (name, _) in derived_fluxes(derived) {
        kernel(&mut text, name, law.state.fields.len(), &state(&numerical_flux(name)));
    }
    text
}

fn numerical_flux(name: &str) -> String {
    format!("law_numerical_flux_{name}(l, r, n, law_face_speed(l, r, n))")
}

/// The statement that stores a state as the value.
pub(super) fn state(call: &str) -> String {
    format!("law_components(value, {call})")
}

/// A kernel that evaluates one function by a statement that fills the array `value`.
pub(super) fn kernel(text: &mut String, name: &str, results: usize, value: &str) {
    let _ = writeln!(text, "KERNEL_POINTWISE(pointwise_{name}, PointwiseArguments, {results},\n    {value})");
}

/// The numerical fluxes that the compiler derives, each with a line of description.
pub const DERIVED_FLUXES: [(&str, &str); 3] = [
    ("rusanov", "Rusanov's flux (local Lax-Friedrichs): the mean less the jump times the largest wave speed."),
    ("hll", "The flux of Harten, Lax and van Leer: two waves, at the slowest and the fastest speed of both sides."),
    (
        EXACT_UPWIND,
        "Godunov's flux of a linear law: that of the exact solution between two states, also where the medium jumps.",
    ),
];

const EXACT_UPWIND: &str = "exact_upwind";

/// Those of a law: the exact one takes a linear flux with known waves.
pub fn derived_fluxes(derived: &Derived) -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_exact = derived.linear && matches!(derived.far_field, FarField::Derived { .. });
    DERIVED_FLUXES.into_iter().filter(move |(name, _)| is_exact || *name != EXACT_UPWIND)
}
