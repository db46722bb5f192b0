//! NVIDIA's own compiler accepts the generated code, without a GPU: tested if libnvrtc is found, and required if
//! `RANKINE_NVRTC` names it.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use dg_runtime::case::Case;
use dg_runtime::device::{Options, nvrtc_accepts, nvrtc_version};
use dg_runtime::law::geometry::Map;
use dg_runtime::law::{Law, Role, Shape, Unit};
use dg_runtime::scheme::{Part, code, peak, text};
use dg_runtime::solver::{Precision, Schedule, Setup, Variant, exists};
use tests::{
    arguments, everything, locals, manufactured, more_arguments, more_locals, more_scheme, sample, scheme, sound,
};

const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// Whether there is a compiler. If one is named, it must be there.
fn is_there() -> bool {
    match nvrtc_version() {
        Err(reason) if std::env::var_os("RANKINE_NVRTC").is_none() => {
            println!("skipped: {reason}");
            false
        }
        outcome => {
            assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
            true
        }
    }
}

#[test]
fn what_stands_in_a_unit_beside_the_scheme_compiles() {
    // Laws with names that the generated code uses, too.
    let named =
        [&scheme::LAW, &more_scheme::LAW, &arguments::LAW, &more_arguments::LAW, &locals::LAW, &more_locals::LAW];
    for (law, unit) in equations::LAWS.iter().chain(&named).filter_map(|law| Some((law, law.units.first()?))) {
        for code in [code(law, unit, Map::Affine), peak()].into_iter().filter(|_| is_there()) {
            for precision in ["double", "float"] {
                let defines = [("PRECISION", precision), ("POINTWISE", "1")].map(|(n, v)| (n.to_owned(), v.to_owned()));
                let options = Options { defines: defines.into(), ..Options::default() };
                let outcome = nvrtc_accepts(code.text, &options, ARCHITECTURES[0]);
                assert!(outcome.is_ok(), "{}: {}", law.name, outcome.unwrap_err());
            }
        }
    }
}

#[test]
fn the_text_with_one_schedule_compiles_as_it_is() {
    let law = &equations::advection::LAW;
    let unit = law.unit(Shape::Triangle, 1).unwrap();
    let options = Options { defines: vec![("PRECISION".to_owned(), "double".to_owned())], ..Options::default() };
    for schedule in sample(Schedule::ALL).into_iter().filter(|_| is_there()) {
        let outcome = nvrtc_accepts(&text(law, unit, Map::Affine, schedule), &options, ARCHITECTURES[1]);
        assert!(outcome.is_ok(), "{}: {}", schedule.name(), outcome.unwrap_err());
    }
}

#[test]
#[ignore = "long"]
fn what_a_case_adds_compiles() {
    let case = Case::read(&tests::root().join("equations/cases/double_mach.toml"), equations::LAWS).unwrap();
    let every_function = r#"
        law = "euler"
        order = 1
        mesh = { generator = "disc", radius = 1, rings = 2 }
        initial.function = "isentropic_vortex"
        time.final = 1
        point_sources.one = { position = [0.1, 0], amplitude.rho = 1, rate = "a + cos(b*t)" }
        point_sources.other = { position = [0, 0.1], amplitude.rho = 1, rate.table = [[0, 1], [1, 2]] }
        receivers = { every = 0.1, points = { a = [0, 0] } }
        measure = { formulas.c = "a + rho*mach", mean.fields = ["c"], regions.all = {}, fluxes.rim.boundaries = ["rim"] }
        formulas = { a = "abs(x) + acos(y) + asin(x) + atan(x) + atan2(x, y)", b = "cosh(a) + cos(a) + exp(a) + ln(a)" }
        [boundaries.rim]
        if = "x < t"
        then.state = { rho = "max(a, b) + min(a, b)", v1 = "sin(a) + sinh(b)", v2 = "sqrt(a) + tan(b)", p = "tanh(a)" }
        else.state = { rho = "a^3 + a^b", rho_v1 = "-x + 1e300", rho_v2 = "(a < b) + (a <= b)", rho_e = "if(a, a > b, a >= b)" }
    "#;
    let ader = r#"
        law = "advection"
        order = 3
        mesh = { generator = "disc", radius = 1, rings = 2 }
        initial.function = "gaussian"
        time = { final = 1, integrator = "ader" }
        point_sources.one = { position = [0.1, 0], amplitude.u = 1, rate = "sin(t)" }
        receivers = { every = 0.1, points = { a = [0, 0] } }
        boundaries.rim.state.u = "sin(x + t)"
    "#;
    // By stages, and by the series of ADER.
    let changing = ["carpenter_kennedy", "ader"].map(|integrator| {
        tests::case(&format!(
            r#"
            law = "acoustics"
            order = 3
            mesh = {{ generator = "disc", radius = 1, rings = 2 }}
            medium = {{ formulas = {{ rho = "2 + sin(x + t)", bulk = 1 }}, degree = 2 }}
            initial.formulas = {{ e = "x", m1 = 0, m2 = 0 }}
            time = {{ final = 1, integrator = "{integrator}" }}
            point_sources.one = {{ position = [0.1, 0], amplitude.e = 1, rate = "sin(t)" }}
            measure = {{ mean = {{}}, regions.all = {{}}, fluxes.rim.boundaries = ["rim"] }}
            boundaries.rim = "absorbing""#
        ))
    });
    let implicit = r#"
        law = "sound"
        order = 3
        mesh = { generator = "disc", radius = 1, rings = 2 }
        initial.function = "swelling"
        time = { final = 1, integrator = "ars_443" }
        boundaries.rim = "wall"
    "#;
    let implicit =
        Case::parse(implicit, Path::new("case.toml"), &[&sound::LAW]).unwrap_or_else(|error| panic!("{error}"));
    let limited = ["conserved", "characteristic"].map(|variables| {
        tests::case(&format!(
            r#"
            law = "euler"
            order = 2
            mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [4, 4] }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.function = "isentropic_vortex"
            limiter = {{ method = "moment", variables = "{variables}", indicator = "decay" }}
            time.final = 1"#
        ))
    });
    let bilinear = |law: &str, initial: &str| {
        tests::case(&format!(
            r#"
            law = "{law}"
            order = 3
            mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [4, 4], jitter = 0.2 }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            measure = {{ mean = {{}}, regions.all = {{}} }}
            initial.{initial}
            time.final = 1"#
        ))
    };
    // A flux at points, also of a linear law, and a source and a product.
    let bilinear = [
        bilinear("euler", "function = \"isentropic_vortex\""),
        bilinear("advection", "function = \"gaussian\""),
        bilinear("two_layer_shallow_water", "formulas = { h1 = 1, q1x = 0, q1y = 0, h2 = 1, q2x = 0, q2y = 0 }"),
    ];
    // Both shapes with curved sides, and all limiters.
    let curved = [
        ("triangles", 3, "moment\", variables = \"characteristic"),
        ("triangles", 1, "barth_jespersen"),
        ("quadrilaterals", 3, "filter"),
    ];
    let curved = curved.map(|(elements, order, method)| {
        tests::case(&format!(
            r#"
            law = "euler"
            order = {order}
            limiter = {{ method = "{method}" }}
            mesh = {{ generator = "rectangle", elements = "{elements}", lower = [0, 0], upper = [1, 1], cells = [4, 4], degree = 2, curvature = 0.05 }}
            boundaries = {{ left = "slip_wall", right = "slip_wall", bottom = {{ periodic = "top" }} }}
            initial.function = "isentropic_vortex"
            time.final = 1"#
        ))
    });
    let [by_stages, by_series] = changing;
    let on_squares = ader
        .replace(
            r#""disc", radius = 1, rings = 2"#,
            r#""rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [4, 4]"#,
        )
        .replace(
            "boundaries.rim.state.u = \"sin(x + t)\"",
            "boundaries = { left = { periodic = \"right\" }, bottom = { periodic = \"top\" } }",
        );
    let [ader, on_squares] = [ader, &on_squares].map(tests::case);
    let setups = [case, tests::case(every_function), ader, on_squares, by_stages, by_series, implicit];
    // Also at the order whose tables are the largest.
    let viscous = [("br2", "triangles", 7), ("cdg", "triangles", 2), ("cdg", "quadrilaterals", 3)];
    let viscous = viscous.map(|(scheme, elements, order)| {
        tests::case(&format!(
            r#"
            law = "navier_stokes"
            viscous = "{scheme}"
            order = {order}
            mesh = {{ generator = "rectangle", elements = "{elements}", lower = [0, 0], upper = [1, 1], cells = [4, 4] }}
            boundaries = {{ left = "adiabatic_wall", right = "outflow", bottom = {{ periodic = "top" }} }}
            measure.forces.wall.boundaries = ["left"]
            initial.function = "manufactured_waves"
            time.final = 1"#
        ))
    });
    let setups = setups.into_iter().chain(limited).chain(bilinear).chain(curved).chain(viscous);
    let setups: Vec<_> = setups.map(|case| (case.setup(&case.build_mesh().unwrap()).unwrap(), case)).collect();
    // Compiled without regard to what is steady.
    let (explicit, case) = setups[0].clone();
    let balanced = Setup { well_balanced: case.law.with_role(Role::Exact).next(), ..explicit };
    for (setup, case) in setups.into_iter().chain([(balanced, case)]) {
        let unit = case.law.unit(setup.shape, case.order).unwrap();
        // Of limiters also what a mesh of several sections takes.
        let several = setup.limiter.map(|_| ("SEVERAL_SECTIONS".to_owned(), "1".to_owned()));
        let medium = tests::varying_medium(case.law, unit);
        let parts = |schedule: Schedule| setup.options(unit, schedule.into(), tests::RIM, &medium);
        // Only the stage depends on the schedule.
        let by_component = parts(Schedule::Component).into_iter().filter(|(part, _)| *part == Part::Stage);
        let mut parts: Vec<_> = parts(Schedule::Element).into_iter().chain(by_component).collect();
        if let Some(several) = several
            && let Some((limiter, mut options)) = parts.iter().find(|(part, _)| *part == Part::Limiter).cloned()
        {
            options.defines.push(several);
            parts.push((limiter, options));
        }
        for (_, options) in parts.into_iter().filter(|_| is_there()) {
            let outcome = nvrtc_accepts(code(case.law, unit, setup.map).text, &options, ARCHITECTURES[0]);
            assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
        }
    }
}

/// What turns the vectors of records: in stages and after limiters, of gradients, and in ADER's predictor.
#[test]
#[ignore = "long"]
fn what_turns_vectors_compiles() {
    for (law, order, elements, more) in [
        ("euler", 1, "triangles", "initial.function = \"isentropic_vortex\"\nlimiter.method = \"barth_jespersen\""),
        ("euler", 3, "triangles", "initial.function = \"isentropic_vortex\"\nlimiter.method = \"moment\""),
        ("euler", 2, "quadrilaterals", "initial.function = \"isentropic_vortex\"\nlimiter.method = \"moment\""),
        ("navier_stokes", 2, "quadrilaterals", "initial.function = \"manufactured_waves\"\nviscous = \"cdg\""),
        (
            "acoustics",
            3,
            "triangles",
            "initial.formulas = { e = \"x\", m1 = 0, m2 = 0 }\nmedium.formulas = { rho = 1, bulk = 1 }\ntime.integrator = \"ader\"",
        ),
    ] {
        let case = tests::case(&format!(
            r#"
            law = "{law}"
            order = {order}
            mesh = {{ generator = "rectangle", elements = "{elements}", lower = [0, 0], upper = [1, 1], cells = [4, 4] }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            time.final = 1
            {more}"#
        ));
        let setup = case.setup(&case.build_mesh().unwrap()).unwrap();
        let unit = case.law.unit(setup.shape, case.order).unwrap();
        let pairs = case.law.algebra.rotation.unwrap().iter().map(|[x, y]| format!("X({x}, {y}) "));
        let vectors = ("VECTORS(X)".to_owned(), pairs.collect::<String>());
        for schedule in [Schedule::Element, Schedule::Component].into_iter().filter(|_| is_there()) {
            for (_, mut options) in
                setup.options(unit, schedule.into(), tests::RIM, &tests::varying_medium(case.law, unit))
            {
                options.defines.push(vectors.clone());
                let outcome = nvrtc_accepts(code(case.law, unit, setup.map).text, &options, ARCHITECTURES[1]);
                assert!(outcome.is_ok(), "{law}, {}: {}", schedule.name(), outcome.unwrap_err());
            }
        }
    }
}

/// With several components, a medium, a source and a product, on both shapes, and at the order whose tables are the largest.
#[test]
#[ignore = "long"]
fn the_predictor_compiles_on_all_elements() {
    let laws = [
        ("law = \"advection\"\ninitial.function = \"gaussian\"", ""),
        (
            "law = \"acoustics\"\ninitial.formulas = { e = \"x\", m1 = 0, m2 = 0 }",
            "medium = { formulas = { rho = \"2 + sin(x)\", bulk = 1 }, degree = 2 }",
        ),
        ("law = \"spread\"\ninitial.function = \"stretched\"", ""),
        (
            "law = \"maxwell_tm\"\ninitial.formulas = { d = 0, b1 = 0, b2 = 0 }",
            "medium.formulas = { epsilon = \"1 + x\", mu = 1, sigma = 2, loss = 0 }",
        ),
    ];
    let known: Vec<&Law> = equations::LAWS.iter().copied().chain([&crate::nonconservative::spread::LAW]).collect();
    let known = known.leak();
    let schedules = [Schedule::Element, Schedule::Component, Schedule::Pair];
    let curved = ", degree = 2, curvature = 0.05";
    for (elements, order, sides) in
        [("triangles", 7, curved), ("triangles", 4, curved), ("quadrilaterals", 3, curved), ("triangles", 2, "")]
    {
        // Not all laws have the highest order.
        for (law, medium) in laws.into_iter().take(if order > 4 { 3 } else { 4 }) {
            let case = format!(
                r#"
                {law}
                {medium}
                order = {order}
                mesh = {{ generator = "rectangle", elements = "{elements}", lower = [0, 0], upper = [1, 1], cells = [4, 4]{sides} }}
                boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
                time = {{ final = 1, integrator = "ader" }}"#
            );
            let case = Case::parse(&case, Path::new("case.toml"), known).unwrap_or_else(|error| panic!("{error}"));
            let setup = case.setup(&case.build_mesh().unwrap()).unwrap();
            let unit = case.law.unit(setup.shape, case.order).unwrap();
            for schedule in sample(schedules).into_iter().filter(|_| is_there()) {
                let parts = setup.options(unit, schedule.into(), tests::RIM, &tests::varying_medium(case.law, unit));
                let (_, stage) = parts.into_iter().find(|(part, _)| *part == Part::Stage).unwrap();
                let outcome = nvrtc_accepts(code(case.law, unit, setup.map).text, &stage, ARCHITECTURES[1]);
                assert!(outcome.is_ok(), "{law}, {elements}, {}: {}", schedule.name(), outcome.unwrap_err());
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn what_a_tolerance_adds_compiles() {
    let tolerances = ["1e-6", "{ relative = 1e-6, absolute = 1e-9 }"];
    for (tolerance, forms) in tolerances.iter().zip([FORMS.len(), 1]) {
        let case = tests::case(&format!(
            r#"
            law = "euler"
            order = 4
            mesh = {{ generator = "disc", radius = 1, rings = 2 }}
            boundaries.rim = "slip_wall"
            initial.function = "isentropic_vortex"
            time = {{ final = 1, tolerance = {tolerance}, integrator = "carpenter_kennedy" }}"#
        ));
        let setup = case.setup(&case.build_mesh().unwrap()).unwrap();
        let unit = case.law.unit(Shape::Triangle, case.order).unwrap();
        for (schedule, precision) in forms_of(case.law, unit).take(forms).filter(|_| is_there()) {
            let setup = Setup { precision, ..setup.clone() };
            for (_, options) in setup.options(unit, schedule.into(), tests::RIM, &tests::varying_medium(case.law, unit))
            {
                let outcome = nvrtc_accepts(code(case.law, unit, setup.map).text, &options, ARCHITECTURES[1]);
                assert!(outcome.is_ok(), "{}, {}: {}", schedule.name(), precision.c_type(), outcome.unwrap_err());
            }
        }
    }
}

/// Schedule, precision and architecture.
type Compiled = (Schedule, Precision, &'static str);

/// All combinations of schedules and precisions; tensor instructions are for double precision.
const FORMS: [(Schedule, Precision); 7] = [
    (Schedule::Element, Precision::Double),
    (Schedule::Component, Precision::Double),
    (Schedule::Pair, Precision::Double),
    (Schedule::Triple, Precision::Double),
    (Schedule::Tensor, Precision::Double),
    (Schedule::Element, Precision::Single),
    (Schedule::Component, Precision::Single),
];

/// Those of a unit's shape and law.
fn forms_of(law: &Law, unit: &Unit) -> impl Iterator<Item = (Schedule, Precision)> {
    FORMS.into_iter().filter(|(schedule, _)| exists(*schedule, law, (unit.shape, Map::Affine), unit.order))
}

fn units() -> impl Iterator<Item = (&'static Law, &'static Unit)> {
    let laws = equations::LAWS.iter().copied().chain([&sound::LAW]);
    laws.flat_map(|law| law.units.iter().map(move |unit| (law, unit)))
}

/// Compiles all of it on all cores.
fn assert_compile(mut work: Vec<(&'static Law, &Unit, Compiled)>) {
    // The largest units first, so that none of them is left for last.
    work.sort_by_key(|(law, unit, _)| std::cmp::Reverse(unit.basis * law.state.len()));
    let next = AtomicUsize::new(0);
    let compile = || {
        while let Some((law, unit, (schedule, precision, architecture))) =
            work.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let start = std::time::Instant::now();
            let (schedule_name, real) = (schedule.name(), precision.c_type());
            let (shape, order) = (unit.shape.name(), unit.order);
            let what = format!("{}, {shape}, order {order}, by {schedule_name}, {real}, {architecture}", law.name);
            let mut options = everything(law, unit, (*schedule).into(), *precision);
            options.defines.extend(manufactured(law));
            nvrtc_accepts(code(law, unit, Map::Affine).text, &options, architecture)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            println!("{what}: {:.1} s", start.elapsed().as_secs_f64());
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(compile);
        }
    });
}

/// From coefficients, of a law without a source in a medium that is uniform or not, and of one with a source; from points, of a medium that varies,
/// all of it or some fields, and of a source in place and time.
#[test]
fn the_predictor_compiles() {
    let law = |name: &str| equations::LAWS.iter().copied().find(|law| law.name == name).unwrap();
    // The fields that are the same everywhere, and the coefficients of the others.
    let subjects = [
        (law("acoustics"), "X(0) X(1)", 1),
        (law("acoustics"), "", 1),
        (law("acoustics"), "X(0)", 1),
        (law("maxwell_tm"), "", 1),
        (law("acoustics"), "", 6),
        (law("acoustics"), "X(1)", 6),
        (law("maxwell_tm"), "X(0) X(2)", 6),
        (law("elastic_velocity_stress"), "", 1),
        (law("elastic_velocity_stress"), "X(0)", 1),
        (&sound::LAW, "", 1),
    ];
    let forms = |law: &'static Law| {
        let unit = law.unit(Shape::Triangle, 2).unwrap();
        forms_of(law, unit).enumerate().filter(|_| is_there())
    };
    let work: Vec<_> =
        subjects.iter().enumerate().flat_map(|(i, of)| forms(of.0).map(move |(n, form)| (i + n, of, form))).collect();
    // Every second combination.
    for (_, (law, uniform, basis), (schedule, precision)) in work.into_iter().filter(|(n, ..)| n % 2 == 0) {
        let unit = law.unit(Shape::Triangle, 2).unwrap();
        let mut options = everything(law, unit, schedule.into(), precision);
        options.defines.push(tests::chosen(Part::Stage));
        let choices = [
            ("ADER", "1".to_owned()),
            ("MEDIUM_BASIS", basis.to_string()),
            ("UNIFORM_MEDIUM(X)", (*uniform).to_owned()),
        ];
        options.defines.extend(choices.map(|(name, value)| (name.to_owned(), value)));
        options.defines.extend(manufactured(law));
        let outcome = nvrtc_accepts(code(law, unit, Map::Affine).text, &options, ARCHITECTURES[1]);
        assert!(outcome.is_ok(), "{}, {}: {}", law.name, schedule.name(), outcome.unwrap_err());
    }
}

/// Code for elements of a mesh with others of a higher degree, which have more points on faces than on a line.
#[test]
#[ignore = "long"]
fn units_beside_higher_orders_compile() {
    let law = equations::LAWS.iter().copied().find(|law| law.name == "euler").unwrap();
    for shape in Shape::ALL.into_iter().filter(|_| is_there()) {
        let unit = law.unit(shape, 1).unwrap().on_mesh(3, 1);
        for (map, schedule) in [(Map::Affine, Schedule::Element), (Map::Polynomial(2), Schedule::Pair)] {
            let options = everything(law, unit, schedule.into(), Precision::Double);
            let outcome = nvrtc_accepts(code(law, unit, map).text, &options, ARCHITECTURES[1]);
            assert!(outcome.is_ok(), "{}, {}: {}", shape.name(), schedule.name(), outcome.unwrap_err());
        }
    }
}

/// Every unit for triangles in double precision with the schedule of large meshes, and every second one in one more form; of those for
/// quadrilaterals every seventh, so that they are of every order.
#[test]
fn units_compile() {
    if is_there() {
        let mut work: Vec<(&Law, &Unit, Compiled)> = Vec::new();
        let orders = sample(0..=7);
        let is_tried = |(i, (_, unit)): &(usize, (_, &Unit))| {
            orders.contains(&unit.order) && (unit.shape == Shape::Triangle || i % 7 == 0)
        };
        for (i, (law, unit)) in units().enumerate().filter(is_tried) {
            let schedule =
                Variant::expected(law, (unit.shape, Map::Affine), unit.order, usize::MAX, true, true).schedule;
            let [architecture, other] = [i, i + 1].map(|i| ARCHITECTURES[i % ARCHITECTURES.len()]);
            work.push((law, unit, (schedule, Precision::Double, architecture)));
            if i % 2 == 0 {
                let others =
                    forms_of(law, unit).filter(|form| *form != (schedule, Precision::Double)).collect::<Vec<_>>();
                let (schedule, precision) = others[i / 2 % others.len()];
                work.push((law, unit, (schedule, precision, other)));
            }
        }
        assert_compile(work);
    }
}

#[test]
#[ignore = "takes a quarter of an hour on two cores"]
fn every_unit_compiles_by_every_schedule() {
    if is_there() {
        let each = units().flat_map(|unit| ARCHITECTURES.map(|architecture| (unit, architecture)));
        let forms = each.flat_map(|all| forms_of(all.0.0, all.0.1).map(move |form| (all, form)));
        assert_compile(
            forms
                .map(|(((law, unit), architecture), (schedule, precision))| {
                    (law, unit, (schedule, precision, architecture))
                })
                .collect(),
        );
    }
}
