//! What is lowered means what rustc makes of the same text.

use templates::derive::Inputs;
use templates::ir::{FunctionId, Law, Role};

use crate::{Reading, read};

/// The law of these functions, beside the functions as Rust.
macro_rules! both {
    ($($items:item)*) => {
        #[allow(clippy::needless_range_loop, clippy::assign_op_pattern, clippy::needless_return, clippy::manual_clamp)]
        mod rust {
            #[derive(Clone, Copy)]
            pub struct State {
                pub a: f64,
                pub b: f64,
            }
            $($items)*
        }
        const TEXT: &str = stringify!($($items)*);
    };
}

both! {
    use std::array;
    use std::f64::consts::{PI, SQRT_2};

    const N: usize = 4;
    const WEIGHTS: [f64; N] = [1.0, 0.5, -0.25, THIRD];
    const THIRD: f64 = third(1.0);
    const PAIRS: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
    const ON: bool = true;

    const fn third(a: f64) -> f64 {
        a / 3.0
    }

    pub fn functions(u: State) -> f64 {
        let (s, c) = (u.a * PI).sin_cos();
        let low = u.a.clamp(-0.5, SQRT_2) + u.b.hypot(u.a) + u.a.mul_add(u.b, 2.0) + s * c;
        let inside = 0.9 * u.a.tanh();
        low + inside.asin() + inside.acos() * 2.0 + u.b.atan() + u.a.sinh() - u.b.cosh() + u.b.cbrt() + 1e-300 * f64::EPSILON
    }

    pub fn signs(u: State) -> f64 {
        2.0 * u.a.signum() + u.b.copysign(u.a) + f64::signum(u.b) * 0.25
    }

    pub fn constants(_: State) -> f64 {
        WEIGHTS[1] + WEIGHTS[N - 1] * PAIRS[1][0] + if ON { THIRD } else { 0.0 }
    }

    pub fn early(u: State) -> f64 {
        if u.a < -1.0 {
            return -7.0;
        }
        let c = u.a + u.b;
        if c < 0.0 {
            if u.b > 0.0 {
                return c;
            }
        } else if c > 1.0 {
            return 2.0 * c;
        }
        let d = c * c;
        return d - 1.0;
    }

    pub fn both_return(u: State) -> f64 {
        if u.a < u.b {
            return u.a;
        } else {
            return u.b;
        }
    }

    pub fn assigned(u: State) -> f64 {
        let mut x = u.a;
        let (mut y, z) = (u.b, 2.0);
        x += 1.0;
        x *= y;
        if x > y {
            let w = x;
            x = 2.0 * y;
            y = w;
        } else if x < -1.0 {
            y -= 3.0;
        }
        {
            let x = 100.0;
            y /= x + z;
        }
        (x, y) = (y, x);
        x - 2.0 * y
    }

    pub fn parts(u: State) -> f64 {
        let mut v = u;
        v.a = 3.0 * v.b;
        v.b += v.a;
        let mut m = [[0.0; 2]; 3];
        for i in 0..3 {
            for (j, row) in [v.a, v.b].iter().enumerate() {
                m[i][j] += *row * (i + 1) as f64 - j as f64;
            }
        }
        let mut t = (v.a, 1.0);
        t.1 = t.0 + m[2][1];
        m[0][1] * m[1][0] - t.1
    }

    pub fn patterns(u: State) -> f64 {
        let ([first, .., last], (_, State { a, .. })) = ([u.a, 2.0, 3.0, u.b], (1.0, State { a: u.b, b: u.a }));
        let (x, ..) = (first - last, true, 0.5);
        let [.., y] = [a, x * a];
        x + 2.0 * y
    }

    pub fn loops(u: State) -> f64 {
        let mut sum = 0.0;
        for i in 1..=N {
            if i % 2 == 0 && i != 2 {
                sum -= u.a;
            } else {
                sum = sum * 0.5 + u.b * i as f64;
            }
        }
        for w in WEIGHTS {
            sum += w * u.a;
        }
        for (k, &w) in WEIGHTS.iter().enumerate().rev().skip(1) {
            sum += u.b.powi(k as i32) * w;
        }
        let mut k = 0;
        for _ in 0..3 {
            k += 2;
        }
        sum + WEIGHTS[k - 3]
    }

    pub fn newton(u: State) -> f64 {
        let target = 1.0 + u.a * u.a;
        let mut x = target;
        for _ in 0..8 {
            let residual = x * x - target;
            if residual.abs() < 1e-3 {
                break;
            }
            x -= residual / (2.0 * x);
        }
        x
    }

    pub fn skipped(u: State) -> f64 {
        let mut sum = 0.0;
        for x in [u.a, u.b, u.a * u.b] {
            if x < 0.0 {
                continue;
            }
            sum += x;
        }
        sum
    }

    pub fn found(u: State) -> f64 {
        for (i, x) in [u.a, u.b, 0.5].into_iter().enumerate() {
            if x > 0.25 {
                return x + i as f64;
            }
        }
        -1.0
    }

    pub fn iterators(u: State) -> f64 {
        let a = [u.a, u.b, 1.0, -0.5];
        let dot: f64 = a.iter().zip(&WEIGHTS).map(|(x, w)| x * w).sum();
        let squares = a.map(|x| x * x);
        let most = squares.iter().fold(0.0, |m: f64, &x| m.max(x));
        let largest = a.into_iter().fold(-10.0, f64::max);
        let product: f64 = (1..3).map(|i| u.a + i as f64).product();
        let positive = if a.iter().any(|&x| x > 0.75) && a.iter().all(|x| *x < 5.0) { 1.0 } else { 0.0 };
        let ends: f64 = a.iter().take(1).chain(a.iter().skip(3)).copied().map(helper).sum();
        let steps: f64 = (0..a.len()).step_by(2).map(|i| { let x = a[i]; x * x * x }).sum();
        dot + 2.0 * most + 3.0 * largest + product + positive + ends + steps
    }

    pub fn closures(u: State) -> f64 {
        let mut scale = 2.0;
        let scaled = move |x: f64| scale * x;
        let of = |i: usize, v: State| if i == 0 { v.a } else { scaled(v.b) };
        scale += scaled(u.b);
        let next = |v: State| {
            let a = v.b + scale;
            State { a, b: v.a }
        };
        let [c, d] = [u, next(u)].map(next).map(|v| of(1, v));
        let a: [f64; 2] = array::from_fn(|i| of(i, u) * (i + 1) as f64);
        let b: [f64; 2] = array::from_fn(|i| a[1 - i]);
        let b = b.map(scaled);
        let m: [[f64; 2]; 3] = array::from_fn(|i| array::from_fn(|j| a[j] - i as f64));
        let c = c - sum(array::from_fn(|i| m[i + 1][1 - i]));
        [0, 1].map(|i| a[i] * b[i]).iter().sum::<f64>() + c - d + [1, 3].iter().map(|&i| WEIGHTS[i]).sum::<f64>() + WEIGHTS.len() as f64
    }

    pub fn closures_return(u: State) -> f64 {
        let root = |x: f64| {
            if x < 0.0 {
                return -(-x).sqrt();
            }
            for w in WEIGHTS {
                if w > x {
                    return w;
                }
            }
            x.sqrt()
        };
        let both: [[f64; 2]; 2] = array::from_fn(|i| {
            if i == 0 {
                return array::from_fn(|j| root(u.a + j as f64));
            }
            [u.a, u.b].map(|x| { if x > 0.5 { return 0.5; } root(x) })
        });
        if u.a > u.b {
            return both[0][1] - root(u.b);
        }
        both.iter().map(|row| { if row[0] < row[1] { return row[0]; } 2.0 * row[1] }).sum()
    }

    fn sum(a: [f64; 2]) -> f64 {
        a.iter().sum()
    }

    fn helper(mut x: f64) -> f64 {
        x += 1.0;
        x * x
    }
}

type Function = fn(rust::State) -> f64;

/// Rust's functions beside their names.
const FUNCTIONS: [(&str, Function); 16] = [
    ("functions", rust::functions),
    ("signs", rust::signs),
    ("constants", rust::constants),
    ("early", rust::early),
    ("both_return", rust::both_return),
    ("assigned", rust::assigned),
    ("parts", rust::parts),
    ("patterns", rust::patterns),
    ("loops", rust::loops),
    ("newton", rust::newton),
    ("skipped", rust::skipped),
    ("found", rust::found),
    ("iterators", rust::iterators),
    ("closures", rust::closures),
    ("closures_return", rust::closures_return),
    ("helped", |u| rust::early(u)),
];

/// The block of these items, with what every law has.
fn block(items: &str) -> String {
    format!(
        "mod law {{
            #[state] pub struct State {{ pub a: f64, pub b: f64 }}
            pub fn flux(u: State) -> [State; 2] {{ [u, u] }}
            pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {{ [n.x + n.y; 2] }}
            {items}
        }}"
    )
}

/// The law of these items, or the mistakes.
fn law(items: &str) -> Result<Law, String> {
    let module = syn::parse_str(&block(items)).unwrap();
    let Reading { law, diagnostics, .. } = read(quote::quote!(dim = 2, orders = 0), &module);
    law.ok_or_else(|| quote::ToTokens::to_token_stream(&diagnostics).to_string())
}

#[test]
fn lowered_functions_have_the_values_of_rust() {
    let law = law(&format!("{TEXT} pub fn helped(u: State) -> f64 {{ self::early(u) }}")).unwrap();
    for (name, rust) in FUNCTIONS {
        let id = FunctionId(law.functions.iter().position(|function| function.name == name).unwrap());
        for a in [-2.5, -1.0, -0.3, 0.0, 0.4, 1.7, 3.0] {
            for b in [-3.5, -0.75, 0.1, 0.6, 2.5] {
                let state = vec![a, b];
                let point = Inputs {
                    parameters: Vec::new(),
                    left: state.clone(),
                    right: state,
                    normal: vec![0.6, 0.8],
                    position: vec![0.0; 2],
                    time: 0.0,
                };
                let (found, expected) = (point.call(&law, id).unwrap()[0], rust(rust::State { a, b }));
                let difference = (found - expected).abs();
                assert!(difference <= 4e-15 * expected.abs().max(1.0), "{name}({a}, {b}): {found}, not {expected}");
            }
        }
    }
}

#[test]
fn what_cannot_be_written_out_is_refused() {
    for (body, message) in [
        ("while u.a > 0.0 { } 1.0", "`while` has no bound"),
        ("let mut x = u.a; loop { x += 1.0; } ", "`loop` has no bound"),
        ("let x = 3; for i in 0..u.a as usize { } 1.0", "known at compile time"),
        ("let a = [u.a; 3]; a[u.b as usize]", "an index is an integer that is known at compile time"),
        ("let mut k = 0; if u.a > 0.0 { k = 1; } [u.a, u.b][k]", "no condition can change it"),
        ("let mut x = 1.0; let y = { x = 2.0; x }; x + y", "not in the middle of an expression"),
        ("let y = if u.a > 0.0 { return 1.0; } else { 2.0 }; y", "not from the middle of an expression"),
        ("'outer: for _ in 0..3 { } 1.0", "loops have no labels"),
        ("for _ in 0..1_000_000 { } 1.0", "at most 10000 passes"),
        ("let mut x = u.a; for _ in 0..9000 { x = x * x + 1.0; } x", "operations when the loop is written out"),
        ("let i = [u.a, u.b].iter().position(|x| *x > 0.0); 1.0", "`position` is not available: iterators have"),
        ("let i = [u.a, u.b].iter(); 1.0", "an iterator is used up at once"),
        ("(|x: f64| x)(u.a)", "only functions of the block can be called"),
        ("let f = |x: f64| x; let g = f; g(u.a)", "closures are not values: call it, `f(…)`"),
        (
            "let mut n = 0.0; let mut f = |x: f64| { n += x; n }; f(u.a) + f(u.b)",
            "assign to this variable in a statement",
        ),
        (
            "let f = |x: f64| { let y = if x > 1.0 { return 2.0 } else { x }; y }; f(u.a)",
            "or of a closure's block, not from",
        ),
        (
            "let mut a = [u.a, u.b]; for x in a.iter_mut() { *x += 1.0; } a[0]",
            "`iter_mut` is not available: assign elements by their index",
        ),
        (
            "let mut a = [u.a, u.b]; for x in &mut a { *x += 1.0; } a[0]",
            "`&mut` is not available: assign elements by their index",
        ),
        (
            "let a = |x: f64| x * x + x; let b = |x| a(a(a(a(x)))); let c = |x| b(b(b(b(x)))); let d = |x| c(c(c(c(x)))); let e = |x| d(d(d(d(x)))); let f = |x| e(e(e(e(x)))); f(f(f(f(u.a))))",
            "operations when closures are written out",
        ),
        ("let [x, _] = { std::array::from_fn(|i| u.a + i as f64) }; x", "the length is not known here"),
        ("u.a.max(f64::MIN_POSITIVE)", "zero in single precision"),
        ("u.a.min(f64::INFINITY)", "finite numbers"),
        ("let mut a = [u.a, u.b]; for i in 0..3 { a[i] += 1.0; } a[0]", "the length is 2 but the index is 2 here"),
        ("u.a as f64", "only integers known at compile time are cast"),
        ("for x in [u.a, u.b] { x.floor(); } 1.0", "this value is not used"),
    ] {
        let mistakes = law(&format!("pub fn f(u: State) -> f64 {{ {body} }}")).unwrap_err();
        assert!(mistakes.contains(message), "{body}: {mistakes}");
        assert_eq!(mistakes.matches("compile_error").count(), 1, "{body}: {mistakes}");
    }
}

#[test]
fn several_sources_have_a_sum_of_the_union_of_their_arguments() {
    let text = "#[source] fn decay(u: State) -> State { -2.0 * u }
        #[source] fn drive(t: f64, x: Point) -> State { State { a: x[0] * t, b: x[1] } }";
    let law = law(text).unwrap();
    let id = law.only(&Role::Source).unwrap();
    let sum = law.function(id);
    assert_eq!((&*sum.name, sum.parameters), ("sources", 3));
    let point = Inputs {
        parameters: Vec::new(),
        left: vec![3.0, 5.0],
        right: vec![3.0, 5.0],
        normal: vec![1.0, 0.0],
        position: vec![0.5, 0.25],
        time: 4.0,
    };
    assert_eq!(point.call(&law, id).unwrap(), [-4.0, -9.75]);
    let taken = self::law(&format!("{text} fn sources(u: State) -> f64 {{ u.a }}")).unwrap_err();
    assert!(taken.contains("`sources` is derived"), "{taken}");
}

#[test]
fn fields_of_one_name_are_refused() {
    for (fields, message) in [
        ("b: [f64; 2], b2: f64", "`b[1]` is called `b2` in cases and files, too"),
        ("b2: f64, b: [f64; 2]", "`b[1]` is called `b2` in cases and files, too"),
        ("b1: [f64; 1], b: [f64; 11]", "`b1[0]` is called `b11` in cases and files, too"),
        ("t: f64, time: f64", "`t` is the time in cases and their files: take another name"),
        ("pi: f64, x: [f64; 2]", "`pi` is π in cases and their files"),
        ("b: [[f64; 2]; 2]", "a matrix is a field for each row"),
        ("b: [f64; 0]", "the length of an array is a positive number"),
        ("b: [f64; 2 * N]", "the length of an array is a positive number"),
        ("b: [bool; 2]", "every field of a law's struct is an `f64` or an array of them"),
        ("#[default([1.0, 2.0])] b: [f64; 3]", "`b` has 3 elements: give each its default, or `[0.0; 3]`"),
        ("#[default(1.0)] b: [f64; 3]", "`b` has 3 elements: give each its default, or `[0.0; 3]`"),
        ("#[default([1.0; 2])] b: f64", "`b` is a number, and so is its default"),
    ] {
        let module = syn::parse_str(&format!(
            "mod law {{ #[parameters] struct P {{ {fields} }} #[state] struct State {{ u: f64 }} fn flux(u: State) -> [State; 2] {{ [u, u] }} }}"
        ));
        let module = module.unwrap();
        let Reading { diagnostics, .. } = read(quote::quote!(dim = 2, orders = 0), &module);
        let mistakes = quote::ToTokens::to_token_stream(&diagnostics).to_string();
        assert!(mistakes.contains(message), "{fields}: {mistakes}");
        assert_eq!(mistakes.matches("compile_error").count(), 1, "{fields}: {mistakes}");
    }
}
