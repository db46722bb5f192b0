use super::*;
use crate::check::laws::EULER;
use crate::check::testing::law;
use crate::derive::Points;

/// The law with the function, and the function's id.
fn extended(text: &str, extreme: &[usize]) -> (Law, FunctionId) {
    let mut law = law("between", text).law;
    let function = along(&law, extreme).unwrap();
    law.functions.push(function);
    let id = FunctionId(law.functions.len() - 1);
    (law, id)
}

fn scalar(flux: [&str; 2], derivative: [&str; 2]) -> String {
    let [f, g] = flux;
    let [df, dg] = derivative;
    format!(
        "params a = 0.25; state u;
        fn flux(q: State, p: Params) -> [State; 2] {{ let a = p.a; let u = q.u; [State {{ u: {f} }}, State {{ u: {g} }}] }}
        fn eigenvalues(q: State, n: Normal, p: Params) -> [f64; 1] {{
            let a = p.a;
            let u = q.u;
            [({df}) * n.x + ({dg}) * n.y]
        }}"
    )
}

/// The ends of a part of the way between two states.
fn part_of(point: &Inputs<f64>, theta: [f64; 2]) -> Inputs<f64> {
    let at = |theta: f64| point.left.iter().zip(&point.right).map(|(l, r)| l + theta * (r - l)).collect();
    Inputs { left: at(theta[0]), right: at(theta[1]), ..point.clone() }
}

fn scalar_point(left: f64, right: f64, angle: f64) -> Inputs<f64> {
    let normal = vec![angle.cos(), angle.sin()];
    Inputs { parameters: vec![0.25], left: vec![left], right: vec![right], normal, position: Vec::new(), time: 0.0 }
}

/// The least and the greatest of many eigenvalues on the way.
fn sampled(law: &Law, extreme: &[usize], point: &Inputs<f64>) -> [f64; 2] {
    let eigenvalues = law.only(&Role::Eigenvalues).unwrap();
    let mut found = [f64::INFINITY, f64::NEG_INFINITY];
    for i in 0..=400 {
        let theta = f64::from(i) / 400.0;
        let speeds = part_of(point, [theta, theta]).call(law, eigenvalues).unwrap();
        for &i in extreme {
            found = [found[0].min(speeds[i]), found[1].max(speeds[i])];
        }
    }
    found
}

const BUCKLEY_LEVERETT: [[&str; 2]; 2] = [
    ["u * u / (u * u + a * (1.0 - u) * (1.0 - u))", "0.0"],
    ["2.0 * a * u * (1.0 - u) / (u * u + a * (1.0 - u) * (1.0 - u)).powi(2)", "0.0"],
];
const KPP: [[&str; 2]; 2] = [["u.sin()", "u.cos()"], ["u.cos()", "-u.sin()"]];

/// Whatever functions the eigenvalues have: the bounds hold, and more parts of the way make them tight.
#[test]
fn bounds_enclose_all_speeds_on_the_way() {
    let speeds = [
        BUCKLEY_LEVERETT[1],
        KPP[1],
        ["u * u * u - u", "(u - 0.5).abs() * u"],
        ["(u * u).min(1.0 - u)", "u.max(a - u)"],
        ["(1.0 + u).sqrt() - u", "u.sqrt() * (1.0 - u)"],
        ["(a - u * u).exp()", "u * (-u).exp()"],
        ["(a + u * u).ln() * u", "(u + 2.0).ln() - 0.5 * u"],
        ["(1.0 + u).cbrt() - u", "u.cbrt() * (1.0 - u)"],
        ["(u - 1.0).tanh() * u", "(0.5 * u).tan() - u"],
        ["(1.0 + u).powf(1.7) - 2.0 * u", "(u + a).powf(-0.5) + u"],
        ["(1.0 + u).powf(u)", "2.0 / (1.0 + u).powi(3) + u"],
        ["if u < 0.7 { u * u } else { 1.4 * u - 0.49 }", "if u < 0.3 { u } else { if a < 0.5 { 1.0 - u } else { u } }"],
        ["u.atan2(1.0 + u * u)", "(1.0 - u).atan2(0.5 + u)"],
        ["1.0 / (u - 3.0)", "(u - 2.5).powi(-2)"],
        ["if u < 0.7 && a < 1.0 || u > 2.0 { u } else { -u }", "-(1.0 - u).powi(2)"],
    ];
    for derivative in speeds {
        // The flux does not matter here.
        let (law, id) = extended(&scalar(["0.0", "0.0"], derivative), &[0]);
        let mut tight = 0;
        for (left, right) in [(0.01, 2.0), (1.9, 0.4), (0.2, 0.9), (0.65, 0.75), (0.3, 0.3)] {
            for angle in [0.0, 0.4, 1.57, 2.2, 4.0] {
                let point = scalar_point(left, right, angle);
                let found = sampled(&law, &[0], &point);
                let mut all: Option<[f64; 2]> = None;
                for part in 0..16 {
                    let theta = [part, part + 1].map(|end| f64::from(end) / 16.0);
                    let own = part_of(&point, theta).call(&law, id).unwrap();
                    let known = all.unwrap_or([own[0], own[1]]);
                    all = Some([known[0].min(own[0]), known[1].max(own[1])]);
                    assert!(own[0] <= own[2] && own[3] <= own[1], "{derivative:?}: {own:?}");
                }
                let [slowest, fastest] = all.unwrap();
                let size = found[1].max(-found[0]);
                let rounding = 1e-12 * (1.0 + size);
                assert!(
                    slowest <= found[0] + rounding && found[1] <= fastest + rounding,
                    "{derivative:?} from {left} to {right}: {slowest} to {fastest}, but {found:?}"
                );
                tight += usize::from(found[0] - slowest <= LOOSE * size && fastest - found[1] <= LOOSE * size);
            }
        }
        println!("{derivative:?}: {tight} of 25 are tight");
        assert!(tight >= 20, "{derivative:?}: {tight}");
    }
}

/// In a smooth flow the bound is that of the two ends, but near an inflection, where it is looser by the square of their distance.
#[test]
fn bounds_are_exact_where_speeds_are_monotone() {
    for ([_, derivative], ends) in [(BUCKLEY_LEVERETT, [0.5, 0.55]), (BUCKLEY_LEVERETT, [0.1, 0.15]), (KPP, [1.0, 1.6])]
    {
        let (law, id) = extended(&scalar(["0.0", "0.0"], derivative), &[0]);
        let bounds = scalar_point(ends[0], ends[1], 0.3).call(&law, id).unwrap();
        let found = sampled(&law, &[0], &scalar_point(ends[0], ends[1], 0.3));
        assert!((bounds[0] - found[0]).abs() < 1e-12 && (bounds[1] - found[1]).abs() < 1e-12, "{bounds:?}, {found:?}");
    }
    let (law, id) = extended(&scalar(["0.0", "0.0"], ["u - u * u", "0.0"]), &[0]);
    let excess = |h: f64| scalar_point(0.5 - h, 0.5 + 0.7 * h, 0.0).call(&law, id).unwrap()[1] - 0.25;
    let order = (excess(0.1) / excess(0.05)).log2();
    assert!((order - 2.0).abs() < 0.1 && excess(0.1) < 0.02, "{order}, {}", excess(0.1));
}

/// For systems, too.
#[test]
fn sound_on_the_way_is_enclosed() {
    let (law, id) = extended(EULER, &[0, 3]);
    let mut source = Points::new(&law, 3);
    let mut compared = 0;
    for point in
        crate::algebra::session("test", || (0..20).filter_map(|_| source.admissible()).collect::<Vec<_>>()).unwrap()
    {
        let point = point.map(|value| value.to_f64());
        let bounds = point.call(&law, id).unwrap();
        let found = sampled(&law, &[0, 3], &point);
        assert!(bounds[0] <= found[0] + 1e-9 && found[1] <= bounds[1] + 1e-9, "{bounds:?}, {found:?}");
        compared += usize::from(bounds[1] < 1e30);
    }
    assert!(compared > 10, "{compared}");
}
