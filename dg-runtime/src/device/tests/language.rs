//! The language of `lanes.h` means the same on every device as in Rust.

use super::*;

/// The declarations of the kernels below.
const KERNELS: &[law::Kernel] = &[
    law::Kernel {
        name: "functions",
        arguments: &[
            argument("u", Kind::Reals, Size::PerElement(2)),
            argument("out", Kind::Reals, Size::PerElement(FUNCTIONS.len())),
        ],
    },
    law::Kernel {
        name: "integers",
        arguments: &[
            argument("u", Kind::Reals, Size::PerElement(3)),
            argument("k", Kind::Ints, Size::PerElement(1)),
            argument("out", Kind::Reals, Size::PerElement(6)),
            argument("next", Kind::Ints, Size::PerElement(1)),
            argument("n", Kind::Int, Size::Fixed(1)),
        ],
    },
    law::Kernel {
        name: "sum",
        arguments: &[
            argument("x", Kind::Reals, Size::Times(1, 2)),
            argument("out", Kind::Reals, Size::Fixed(1)),
            argument("n", Kind::Int, Size::Fixed(1)),
            argument("width", Kind::Int, Size::Fixed(1)),
        ],
    },
];

fn kernel(device: &Device, source: &str, name: &str) -> Kernel {
    device.compile(&(lanes() + source), KERNELS, &options("double")).unwrap().kernel(name).unwrap()
}

/// Pseudorandom numbers in [-1, 1), the same in every run (splitmix64; Steele, Lea & Flood 2014).
fn random(count: usize) -> Vec<f64> {
    let number = |k: u64| {
        let mut z = k.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / 2f64.powi(63) - 1.0
    };
    (0..count as u64).map(number).collect()
}

type Case = (&'static str, fn(f64, f64) -> f64);

/// Every function of reals in lanes.h, beside Rust's.
const FUNCTIONS: &[Case] = &[
    ("x + y * x - y / x", |x, y| x + y * x - y / x),
    ("real_sqrt(x)", |x, _| x.sqrt()),
    ("real_sqrt(y)", |_, y| y.sqrt()),
    ("real_cbrt(y)", |_, y| y.cbrt()),
    ("real_abs(y)", |_, y| y.abs()),
    ("real_min(x, y)", f64::min),
    ("real_min(y, x)", |x, y| y.min(x)),
    ("real_max(x, y)", f64::max),
    ("real_max(y, x)", |x, y| y.max(x)),
    ("real_exp(y)", |_, y| y.exp()),
    ("real_ln(x)", |x, _| x.ln()),
    ("real_sin(y)", |_, y| y.sin()),
    ("real_cos(y)", |_, y| y.cos()),
    ("real_tan(y)", |_, y| y.tan()),
    ("real_tanh(y)", |_, y| y.tanh()),
    ("real_pow(x, y)", f64::powf),
    ("real_atan2(y, x)", |x, y| y.atan2(x)),
    ("real_atan2(x, y)", f64::atan2),
    ("real_powi(y, 0)", |_, _| 1.0),
    ("real_powi(y, 1)", |_, y| y),
    ("real_powi(y, 5)", |_, y| y.powi(5)),
    ("real_powi(x, -3)", |x, _| x.powi(-3)),
    ("select(x < y, x, R(2) * y)", |x, y| if x < y { x } else { 2.0 * y }),
    ("select((x < y) | (y <= R(-1)), x, y)", |x, y| if x < y || y <= -1.0 { x } else { y }),
    ("select((x > R(1)) & not(y == y), x, splat(R(-0.5)))", |x, y| if x > 1.0 && y.is_nan() { x } else { -0.5 }),
    ("R(1) / splat(R(-0.0))", |_, _| f64::NEG_INFINITY),
];

fn functions_source() -> String {
    let (count, lanes) = (FUNCTIONS.len(), lanes());
    let stores = FUNCTIONS.iter().enumerate().map(|(k, (c, _))| format!("store(a->out + at(e, {k}, {count}), {c});"));
    format!(
        "{lanes}
        typedef struct {{ const scalar *u; scalar *out; }} FunctionsArguments;
        KERNEL(functions, FunctionsArguments)
        {{
            const real x = load(a->u + at(e, 0, 2)), y = load(a->u + at(e, 1, 2));
            {}
        }}",
        stores.collect::<Vec<_>>().join("\n")
    )
}

/// The arguments: x in (0, 10), y in (-3, 3), and in some places NaN and infinity.
fn arguments(block: usize, n: usize) -> Vec<f64> {
    let mut u = random(n.next_multiple_of(ELEMENT_BLOCK) * 2);
    for e in 0..n {
        let (x, y) = (at(block, e, 0, 2), at(block, e, 1, 2));
        u[x] = 5.0 * (u[x] + 1.0) + 1e-3;
        u[y] *= 3.0;
        match e % 101 {
            7 => u[x] = f64::NAN,
            8 => u[y] = f64::NAN,
            9 => u[y] = f64::INFINITY,
            _ => {}
        }
    }
    u
}

fn assert_functions(out: impl Fn(usize) -> f64, u: impl Fn(usize) -> f64, n: usize, number: usize, device: &Device) {
    let block = device.block(number, CUDA_BLOCK);
    let epsilon = if number == 4 { f32::EPSILON.into() } else { f64::EPSILON };
    for e in 0..n {
        let (x, y) = (u(at(block, e, 0, 2)), u(at(block, e, 1, 2)));
        for (k, (text, function)) in FUNCTIONS.iter().enumerate() {
            let (found, expected) = (out(at(block, e, k, FUNCTIONS.len())), function(x, y));
            // Up to 4 units in the last place for CUDA's pow and tan; the sum of the first case cancels.
            let size = if k == 0 { x.abs() + (x * y).abs() + (y / x).abs() } else { expected.abs() };
            let same = found == expected || (found.is_nan() && expected.is_nan());
            let close = same || (found - expected).abs() <= 8.0 * epsilon * size;
            let name = device.name();
            assert!(close, "{text} at x = {x}, y = {y} is {expected}, but {found} on {name}, element {e}");
        }
    }
}

#[test]
fn every_function_agrees_with_rust() {
    let n: usize = 5003;
    let size = n.next_multiple_of(ELEMENT_BLOCK) * FUNCTIONS.len();
    for device in devices() {
        let launch = |precision, input: &Buffer| {
            let kernel =
                device.compile(&functions_source(), KERNELS, &options(precision)).unwrap().kernel("functions").unwrap();
            let output = device.allocate(input.number, size).unwrap();
            device.launch(&kernel, n, &args! { u: input, out: &output }).unwrap();
            output
        };
        let u = arguments(device.block(8, CUDA_BLOCK), n);
        let out: Vec<f64> = content(&device, &launch("double", &filled(&device, &u)));
        assert_functions(|k| out[k], |k| u[k], n, 8, &device);
        let single: Vec<f32> = arguments(device.block(4, CUDA_BLOCK), n).iter().map(|&value| value as f32).collect();
        let out: Vec<f32> = content(&device, &launch("float", &filled(&device, &single)));
        assert_functions(|k| out[k].into(), |k| single[k].into(), n, 4, &device);
    }
}

const INTEGERS: &str = "
    TABLE scalar TENS[4] = {0, 10, 20, 30};
    typedef struct { const scalar *u; const int *k; scalar *out; int *next; long long n; } IntegersArguments;
    KERNEL(integers, IntegersArguments)
    {
        const real x = load(a->u + at(e, 0, 3));
        const ints k = load_ints(a->k + at(e, 0, 1));
        const mask even = mask_of((k & 1) == 0), inside = mask_of(lane_numbers(e) < (int)a->n);
        store(a->out + at(e, 0, 6), gather(a->u, at_lanes(k, 2, 3)));
        store(a->out + at(e, 1, 6), gather(TENS, k % 4));
        store(a->out + at(e, 2, 6), select(even, x, -x));
        store(a->out + at(e, 3, 6), select(inside & not(even), x, splat(R(0))));
        store(a->out + at(e, 4, 6), splat(R(any(x > R(0.999)) ? 1 : 0)));
        real sum = splat(R(0));
        UNROLL for (int i = 0; i < 3; ++i) sum += TENS[i + 1] * x;
        store(a->out + at(e, 5, 6), sum);
        store_ints(a->next + at(e, 0, 1), select_ints(even, k / 2, 3 * k + 1));
    }";

#[test]
fn integers_gathers_and_masks_act_lane_by_lane() {
    let n: usize = 1000;
    let size = n.next_multiple_of(ELEMENT_BLOCK);
    let u = random(size * 3);
    let k: Vec<i32> = (0..size).map(|e| ((e * 7919 + 13) % n) as i32).collect();
    for device in devices() {
        let (input, indices) = (filled(&device, &u), filled(&device, &k));
        let (output, next) =
            (device.allocate(Number::Double, size * 6).unwrap(), device.allocate(Number::Int, size).unwrap());
        let args = args! { u: &input, k: &indices, out: &output, next: &next, n: n };
        // The last block is computed as a whole, to check that elements beyond n are masked.
        device.launch(&kernel(&device, INTEGERS, "integers"), size, &args).unwrap();
        let (out, next): (Vec<f64>, Vec<i32>) = (content(&device, &output), content(&device, &next));
        let block = device.block(8, CUDA_BLOCK);
        for e in 0..size {
            let (x, k) = (u[at(block, e, 0, 3)], k[e]);
            let found: Vec<f64> = (0..6).map(|i| out[at(block, e, i, 6)]).collect();
            assert_eq!(found[0], u[at(block, k as usize, 2, 3)]);
            assert_eq!(found[1], f64::from(k % 4) * 10.0);
            assert_eq!(found[2], if k % 2 == 0 { x } else { -x });
            assert_eq!(found[3], if e < n && k % 2 != 0 { x } else { 0.0 });
            assert_eq!(next[e], if k % 2 == 0 { k / 2 } else { 3 * k + 1 });
            assert!((found[5] - 60.0 * x).abs() <= 60.0 * f64::EPSILON);
            // A group of lanes has at least one element, and at most a block.
            let first = e / block * block;
            let in_block = (first..first + block).any(|e| u[at(block, e, 0, 3)] > 0.999);
            assert!(if x > 0.999 { found[4] == 1.0 } else { in_block || found[4] == 0.0 });
        }
    }
}

const SUM: &str = "
    typedef struct { const scalar *x; scalar *out; long long n; long long width; } SumArguments;
    KERNEL_SCALAR(sum, SumArguments)
    {
        scalar sum = 0, least = scalar_abs(a->x[i * a->width]);
        for (long long k = i * a->width; k < (i + 1) * a->width && k < a->n; ++k) {
            sum += a->x[k];
            least = scalar_min(least, scalar_abs(a->x[k]));
        }
        a->out[i] = least >= 0 ? sum : scalar_sqrt(least);
    }";

#[test]
fn scalar_kernels_reduce_in_a_fixed_order() {
    let x: Vec<f64> = random(70_001);
    let parts: Vec<f64> = x.chunks(64).map(|part| part.iter().sum()).collect();
    let expected: f64 = parts.iter().sum();
    for device in devices() {
        let kernel = kernel(&device, SUM, "sum");
        let (input, partial) = (filled(&device, &x), device.allocate(Number::Double, parts.len()).unwrap());
        let sum = device.allocate(Number::Double, 1).unwrap();
        let args = args! { x: &input, out: &partial, n: x.len(), width: 64_i64 };
        device.launch(&kernel, parts.len(), &args).unwrap();
        let args = args! { x: &partial, out: &sum, n: parts.len(), width: parts.len() };
        device.launch(&kernel, 1, &args).unwrap();
        assert_eq!(content::<f64>(&device, &sum), [expected], "on {}", device.name());
    }
}

/// Where `RANKINE_NVRTC` is set, a missing library is a failure.
#[test]
fn nvrtc_compiles_the_language() {
    for architecture in ["sm_80", "sm_90"] {
        for precision in ["double", "float"] {
            for source in [functions_source(), lanes() + SCALE + INTEGERS + SUM] {
                match nvrtc_for(&source, &options(precision), architecture) {
                    Ok(cubin) => assert_eq!(&cubin[..4], b"\x7fELF"),
                    Err(Error::NoCuda(reason)) if std::env::var_os("RANKINE_NVRTC").is_none() => {
                        return println!("skipped: {reason}");
                    }
                    Err(error) => panic!("{architecture}, {precision}: {error}"),
                }
            }
        }
    }
    let wrong = nvrtc_for("int x = y;", &options("double"), "sm_90").err().unwrap().to_string();
    assert!(wrong.contains("NVRTC") && wrong.contains("\"y\" is undefined"), "{wrong}");
}
