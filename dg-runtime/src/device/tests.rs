//! Every test runs on every device of the machine.

use std::path::{Path, PathBuf};

use super::*;
use crate::law::{Argument, Direction, Item, Kind, Size};

/// The text before the kernels of a unit.
fn lanes() -> String {
    law::protocol::defines() + include_str!("../../../templates/kernels/lanes.h")
}

/// A device with its own cache, in a folder that is deleted with it.
struct Alone {
    device: Device,
    cache: tempfile::TempDir,
}

impl std::ops::Deref for Alone {
    type Target = Device;

    fn deref(&self) -> &Device {
        &self.device
    }
}

fn alone(backend: Backend) -> Alone {
    let cache = tempfile::tempdir().unwrap();
    Alone { device: Device { backend, cache: Cache::at(cache.path()) }, cache }
}

/// The CPU, with these compiler commands.
fn host_with(compilers: &[&str]) -> Alone {
    let compilers: Vec<_> = compilers.iter().map(|command| (*command).to_owned()).collect();
    alone(Backend::Host(host::Host::with_compiler(&compilers).unwrap()))
}

/// The CPU.
fn host() -> Alone {
    alone(Backend::Host(host::Host::open().unwrap()))
}

/// The devices of this machine.
fn devices() -> Vec<Alone> {
    let mut backends = vec![Backend::Host(host::Host::open().unwrap())];
    match cuda::Cuda::open(0) {
        Ok(cuda) => backends.push(Backend::Cuda(cuda)),
        Err(reason) => println!("CUDA skipped: {reason}"),
    }
    backends.into_iter().map(alone).collect()
}

fn options(precision: &str) -> Options {
    Options { defines: vec![("PRECISION".into(), precision.into())], ..Options::default() }
}

const fn argument(name: &'static str, kind: Kind, size: Size) -> Argument {
    Argument { name, kind, direction: Direction::In, size, optional: false }
}

/// The declarations of the kernels in these tests.
const KERNELS: &[law::Kernel] = &[
    law::Kernel {
        name: "scale",
        arguments: &[
            argument("u", Kind::Reals, Size::PerElement(3)),
            argument("out", Kind::Reals, Size::PerElement(3)),
            argument("factor", Kind::Real, Size::Fixed(1)),
            argument("shift", Kind::Int, Size::Fixed(1)),
        ],
    },
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
    law::Kernel { name: "fill", arguments: &[argument("out", Kind::Reals, Size::PerElement(1))] },
];

/// Numbers in buffers.
trait Element: Pod {
    const NUMBER: Number;
}

impl Element for f64 {
    const NUMBER: Number = Number::Double;
}

impl Element for f32 {
    const NUMBER: Number = Number::Single;
}

impl Element for i32 {
    const NUMBER: Number = Number::Int;
}

fn kernel(device: &Device, source: &str, name: &str) -> Kernel {
    device.compile(&(lanes() + source), KERNELS, &options("double")).unwrap().kernel(name).unwrap()
}

fn filled<T: Element>(device: &Device, data: &[T]) -> Buffer {
    let buffer = device.allocate(T::NUMBER, data.len()).unwrap();
    device.upload(&buffer, data).unwrap();
    buffer
}

fn content<T: Pod>(device: &Device, buffer: &Buffer) -> Vec<T> {
    let mut data = vec![T::zeroed(); buffer.bytes / size_of::<T>()];
    device.download(buffer, &mut data).unwrap();
    data
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

/// The offset of field i of n of element e, in blocks of `block` elements.
fn at(block: usize, e: usize, i: usize, n: usize) -> usize {
    (e / block * n + i) * block + e % block
}

const SCALE: &str = "
    typedef struct { const scalar *u; scalar *out; double factor; long long shift; } ScaleArguments;
    KERNEL(scale, ScaleArguments)
    {
        for (int i = 0; i < 3; ++i)
            store(a->out + at(e, i, 3), R(a->factor) * load(a->u + at(e, i, 3)) + R(a->shift + i));
    }";

#[test]
fn a_kernel_gets_its_arguments_and_every_item() {
    for device in devices() {
        let kernel = kernel(&device, SCALE, "scale");
        for n in [1, 31, 32, 257, 100_000usize] {
            let size = n.next_multiple_of(ELEMENT_BLOCK) * 3;
            let u: Vec<f64> = (0..size).map(|k| k as f64).collect();
            let (input, output) = (filled(&device, &u), device.allocate(Number::Double, size).unwrap());
            let args = args! { u: &input, out: &output, factor: 0.5, shift: -7_i64 };
            device.launch(&kernel, n, &args).unwrap();
            let out: Vec<f64> = content(&device, &output);
            for (e, i) in (0..n).flat_map(|e| (0..3).map(move |i| (e, i))) {
                let k = at(device.block(8), e, i, 3);
                assert_eq!(out[k], 0.5 * k as f64 - 7.0 + i as f64, "element {e}, field {i} of {n}");
            }
        }
    }
}

type Case = (&'static str, fn(f64, f64) -> f64);

/// Every function of reals in lanes.h, beside Rust's.
const FUNCTIONS: &[Case] = &[
    ("x + y * x - y / x", |x, y| x + y * x - y / x),
    ("real_sqrt(x)", |x, _| x.sqrt()),
    ("real_sqrt(y)", |_, y| y.sqrt()),
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
    let block = device.block(number);
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
        let u = arguments(device.block(8), n);
        let out: Vec<f64> = content(&device, &launch("double", &filled(&device, &u)));
        assert_functions(|k| out[k], |k| u[k], n, 8, &device);
        let single: Vec<f32> = arguments(device.block(4), n).iter().map(|&value| value as f32).collect();
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
        let block = device.block(8);
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

#[test]
fn buffers_are_zeroed_copied_and_bounded() {
    for device in devices() {
        let (from, to) = (filled(&device, &[1.0f64, 2.0, 3.0]), device.allocate(Number::Double, 5).unwrap());
        assert_eq!(content::<f64>(&device, &to), [0.0; 5]);
        device.copy(&from, &to).unwrap();
        assert_eq!(content::<f64>(&device, &to), [1.0, 2.0, 3.0, 0.0, 0.0]);
        assert!(matches!(device.copy(&to, &from), Err(Error::Size { copied: 40, buffer: 24 })));
        assert!(matches!(device.upload(&from, &[0u8; 25]), Err(Error::Size { .. })));
        assert!(matches!(device.download(&from, &mut [0u8; 25]), Err(Error::Size { .. })));
        let message = device.allocate(Number::Double, 1 << 47).err().unwrap().to_string();
        assert!(message.contains("1024.0 TiB asked") && message.contains("free"), "{message}");
        device.allocate(Number::Double, usize::MAX).err().unwrap();
        device.allocate(Number::Double, 0).unwrap();
    }
}

#[test]
fn a_launch_is_checked_and_timed() {
    for device in devices() {
        let module = device.compile(&(lanes() + SCALE), KERNELS, &options("double")).unwrap();
        assert!(matches!(module.kernel("scales"), Err(Error::NoKernel(name)) if name == "scales"));
        let kernel = module.kernel("scale").unwrap();
        drop(module);
        let buffer = device.allocate(Number::Double, 3 * ELEMENT_BLOCK).unwrap();
        let args = args! { u: &buffer, out: &buffer, factor: 1.0, shift: 1_i64 };
        assert!(device.time(|| device.launch(&kernel, ELEMENT_BLOCK, &args)).unwrap() > 0.0);
        device.launch(&kernel, 0, &args).unwrap();
        device.synchronize().unwrap();
        assert_eq!(content::<f64>(&device, &buffer)[..2], [1.0, 1.0]);
    }
}

#[test]
fn modules_of_one_unit_have_parameters_of_their_own() {
    const FILL: &str = "
        PARAMETER(parameter_c)
        typedef struct { scalar *out; } FillArguments;
        KERNEL(fill, FillArguments) { store(a->out + at(e, 0, 1), splat(parameter_c)); }
    ";
    for device in devices() {
        for (precision, rounded) in [("double", [0.1, 0.7]), ("float", [0.1_f32.into(), 0.7_f32.into()])] {
            let kernel = |value: f64| {
                let mut module = device.compile(&(lanes() + FILL), KERNELS, &options(precision)).unwrap();
                module.set_parameter("parameter_c", value).unwrap();
                let unknown = module.set_parameter("parameter_d", value);
                assert!(matches!(unknown, Err(Error::NoParameter(name)) if name == "parameter_d"));
                module.kernel("fill").unwrap()
            };
            let kernels = [0.1, 0.7].map(kernel);
            for which in [0, 1, 0] {
                let buffer = device.allocate(kernels[which].real, ELEMENT_BLOCK).unwrap();
                device.launch(&kernels[which], 1, &args! { out: &buffer }).unwrap();
                let value = match precision {
                    "double" => content::<f64>(&device, &buffer)[0],
                    _ => content::<f32>(&device, &buffer)[0].into(),
                };
                assert_eq!(value, rounded[which], "{precision} on {}", device.name());
            }
        }
        // One for each precision.
        assert_eq!(std::fs::read_dir(device.cache.path()).unwrap().count(), 2);
    }
}

#[test]
fn arguments_that_do_not_fit_a_kernel_are_refused_by_name() {
    for device in devices() {
        let kernel = kernel(&device, SCALE, "scale");
        const BLOCK: usize = 3 * ELEMENT_BLOCK;
        let [u, out] = [BLOCK, BLOCK].map(|count| device.allocate(Number::Double, count).unwrap());
        let single = device.allocate(Number::Single, BLOCK).unwrap();
        let short = device.allocate(Number::Double, BLOCK - 1).unwrap();
        let (one, two) = (1_i64, 2.0);
        for (n, args, said) in [
            (1, args! { u: &u, out: &out, shift: one }, "argument `factor` is missing"),
            (1, args! {}, "argument `u` is missing"),
            (
                1,
                args! { u: &u, out: &out, factor: two, shift: one, scale: two },
                "argument `scale` is unknown; there are `u`, `out`, `factor`, `shift`",
            ),
            (1, args! { u: &u, u: &u, out: &out, factor: two, shift: one }, "argument `u` is given twice"),
            (
                1,
                args! { u: &single, out: &out, factor: two, shift: one },
                "argument `u` must be a buffer of double precision, given is a buffer of single precision",
            ),
            (
                1,
                args! { u: &u, out: one, factor: two, shift: one },
                "argument `out` must be a buffer of double precision, given is an integer",
            ),
            (
                1,
                args! { u: &u, out: &out, factor: one, shift: one },
                "argument `factor` must be a real number, given is an integer",
            ),
            (
                1,
                args! { u: &u, out: &out, factor: two, shift: &u },
                "argument `shift` must be an integer, given is a buffer of double precision",
            ),
            (
                // A whole block is computed.
                1,
                args! { u: &u, out: &short, factor: two, shift: one },
                &format!("argument `out` must hold {BLOCK} numbers, and holds {}", BLOCK - 1),
            ),
            (
                ELEMENT_BLOCK + 1,
                args! { u: &u, out: &out, factor: two, shift: one },
                &format!("argument `u` must hold {} numbers, and holds {BLOCK}", 2 * BLOCK),
            ),
        ] {
            let error = device.launch(&kernel, n, &args).unwrap_err();
            assert_eq!(error.to_string(), format!("kernel `scale`: {said}"));
        }
        // The arguments in another order.
        device.launch(&kernel, ELEMENT_BLOCK, &args! { shift: one, factor: two, out: &out, u: &u }).unwrap();
        assert_eq!(content::<f64>(&device, &out)[..1], [1.0]);
        // Other arguments come from the first of `others` that has them, and are checked as well.
        let named = |u| {
            let mut buffers = Buffers::default();
            buffers.insert("u", u);
            buffers
        };
        let (right, wrong) = (named(u), named(single));
        let args = args! { out: &out, shift: 3_i64, factor: two };
        device.run(&device.prepare(&kernel, 0..ELEMENT_BLOCK, &args, &[&right, &wrong]).unwrap()).unwrap();
        assert_eq!(content::<f64>(&device, &out)[..1], [3.0]);
        let error = device.prepare(&kernel, 0..ELEMENT_BLOCK, &args, &[&wrong, &right]).err().unwrap();
        assert!(error.to_string().contains("argument `u` must be a buffer of double precision"), "{error}");
    }
}

#[test]
fn a_launch_may_be_for_a_range() {
    for device in devices() {
        let n = 5 * ELEMENT_BLOCK;
        let kernel = kernel(&device, SCALE, "scale");
        let [u, out] = [3 * n; 2].map(|count| device.allocate(Number::Double, count).unwrap());
        device.upload(&u, &vec![1.0; 3 * n]).unwrap();
        let launch = |items, factor: f64| {
            let args = args! { u: &u, out: &out, factor: factor, shift: 0_i64 };
            device.prepare(&kernel, items, &args, &[]).map(|launch| device.run(&launch).unwrap())
        };
        launch(0..n, 1.0).unwrap();
        launch(ELEMENT_BLOCK..3 * ELEMENT_BLOCK, 2.0).unwrap();
        launch(4 * ELEMENT_BLOCK..n, 3.0).unwrap();
        launch(ELEMENT_BLOCK..ELEMENT_BLOCK, 4.0).unwrap();
        let out = content::<f64>(&device, &out);
        let range = |numbers: &[f64]| numbers.iter().fold([f64::MAX, 0.0], |[a, b], x| [x.min(a), x.max(b)]);
        let found: Vec<_> = out.chunks_exact(3 * ELEMENT_BLOCK).map(range).collect();
        // Field i is larger by i.
        assert_eq!(found, [1.0, 2.0, 2.0, 1.0, 3.0].map(|factor| [factor, factor + 2.0]));
        let error = launch(1..n, 1.0).unwrap_err();
        assert!(error.to_string().contains("begin with 1, which is no multiple of 128"), "{error}");
    }
}

#[test]
fn sizes_may_be_multiples_of_arguments_and_numbers_of_items_and_optional_buffers_placeholders() {
    const SOME: &[Argument] = &[
        Argument { optional: true, ..argument("trace", Kind::Reals, Size::PerElement(2)) },
        argument("columns", Kind::Reals, Size::Times(3, 2)),
        argument("stride", Kind::Int, Size::Fixed(1)),
    ];
    const RIM: Size = Size::PerItem { item: Item::Record, numbers: 2, times: Some(1) };
    const OF_RIM: &[Argument] = &[argument("rim", Kind::Reals, RIM), argument("fields", Kind::Int, Size::Fixed(1))];
    let device = host();
    let buffer = |count| device.allocate(Number::Single, count).unwrap();
    let misuse = |trace, columns, stride: i64| {
        let (trace, columns) = (buffer(trace), buffer(columns));
        let args = args! { trace: &trace, columns: &columns, stride: stride };
        arguments::resolve(SOME, Number::Single, 32, &args, &[]).err()
    };
    assert_eq!(misuse(1, 30, 10), None);
    let needed = 2 * ELEMENT_BLOCK;
    assert_eq!(misuse(needed, 30, 10), None);
    assert_eq!(misuse(needed - 1, 30, 10), Some(("trace".into(), Misuse::Size { needed, given: needed - 1 })));
    assert_eq!(misuse(1, 29, 10), Some(("columns".into(), Misuse::Size { needed: 30, given: 29 })));
    assert!(misuse(1, 29, -1).is_some());

    let of_rim = |count, others: &[&Buffers]| {
        let (rim, fields) = (buffer(count), 5_i64);
        arguments::resolve(OF_RIM, Number::Single, 32, &args! { rim: &rim, fields: fields }, others).err()
    };
    let mut counts = Buffers::default();
    counts.count(Item::Record, 7);
    assert_eq!(of_rim(70, &[&counts]), None);
    assert_eq!(of_rim(69, &[&counts]), Some(("rim".into(), Misuse::Size { needed: 70, given: 69 })));
    assert!(of_rim(70, &[]).is_some(), "of items that nobody has counted no buffer holds enough");
}

#[test]
fn a_text_that_takes_other_arguments_than_declared_is_refused() {
    const SCALE_OF_TWO: &[law::Kernel] =
        &[law::Kernel { name: "scale", arguments: &[argument("u", Kind::Reals, Size::PerElement(3))] }];
    for device in devices() {
        let module = device.compile(&(lanes() + SCALE), SCALE_OF_TWO, &options("double")).unwrap();
        let message = module.kernel("scale").err().unwrap().to_string();
        assert_eq!(message, "kernel `scale` takes 4 arguments, declared are 1");
        assert!(matches!(module.kernel("unknown"), Err(Error::NoKernel(_))));
    }
}

#[test]
fn what_is_recorded_is_repeated() {
    for device in devices() {
        let kernel = kernel(&device, SCALE, "scale");
        let buffer = filled(&device, &[1.0; 3 * ELEMENT_BLOCK]);
        let double = args! { u: &buffer, out: &buffer, factor: 2.0, shift: 0_i64 };
        let add = args! { u: &buffer, out: &buffer, factor: 1.0, shift: 1_i64 };
        let mut recording = Recording::default();
        for turn in 1..4 {
            let work = || {
                device
                    .launch(&kernel, ELEMENT_BLOCK, &double)
                    .and_then(|()| device.launch(&kernel, ELEMENT_BLOCK, &add))
            };
            device.repeat(&mut recording, work).unwrap();
            // Each turn doubles the first field and adds one.
            assert_eq!(content::<f64>(&device, &buffer)[0], 2f64.powi(turn + 1) - 1.0);
        }
        let fails = || device.launch(&kernel, ELEMENT_BLOCK, &[]);
        assert!(matches!(device.repeat(&mut Recording::default(), fails), Err(Error::Argument { .. })));
        device.launch(&kernel, ELEMENT_BLOCK, &add).unwrap();
        assert_eq!(content::<f64>(&device, &buffer)[0], 16.0);
    }
}

#[test]
fn a_rejected_text_is_kept_and_the_compiler_quoted() {
    for device in devices() {
        let broken = lanes() + "\nKERNEL(broken, NoSuchArguments) { }\n";
        let message = device.compile(&broken, KERNELS, &options("double")).err().unwrap().to_string();
        assert!(message.contains("rejects") && message.contains("NoSuchArguments"), "{message}");
        let kept = message.split_once("kept in ").unwrap().1.split_once(".c:").unwrap().0.to_owned() + ".c";
        let kept = std::fs::read_to_string(kept).unwrap();
        assert!(kept.contains("#define PRECISION double") && kept.ends_with(&broken));
    }
}

#[test]
fn devices_may_share_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let backend = Backend::Host(host::Host::open().unwrap());
                let device = Device { backend, cache: Cache::at(folder.path()) };
                kernel(&device, SCALE, "scale");
            });
        }
    });
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() == 1 && files[0].extension().unwrap() == "so", "{files:?}");
}

#[test]
fn a_damaged_shared_object_is_not_loaded() {
    let device = host();
    kernel(&device, SCALE, "scale");
    let path = only_file(device.cache.path());
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::write(&path, vec![0; length as usize]).unwrap();
    kernel(&device, SCALE, "scale");
}

/// The one file in a folder.
fn only_file(folder: &Path) -> PathBuf {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

/// Puts an object in place of the cached one of [`SCALE`].
fn keep_in_place_of_scale(device: &Device, object: &[u8]) {
    let Backend::Host(host) = &device.backend else { unreachable!() };
    let text = options::text(&(lanes() + SCALE), &options("double"));
    device.cache.keep(&text, &host.identity().each_ref().map(|part| &**part), "so", object);
}

#[cfg(unix)]
#[test]
fn code_of_others_does_not_run() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (source, object, mark) = (folder.path().join("a.c"), folder.path().join("a.so"), folder.path().join("mark"));
    let code = format!(
        "#include <fcntl.h>\n__attribute__((constructor)) static void run(void) {{ creat({:?}, 0600); }}\n",
        mark.display()
    );
    std::fs::write(&source, code).unwrap();
    let flags = ["-shared", "-fPIC", "-o"];
    let compiler = std::env::var("CC").ok().filter(|command| !command.trim().is_empty()).unwrap_or("cc".into());
    let compiled = std::process::Command::new(compiler).args(flags).args([&object, &source]).status().unwrap();
    assert!(compiled.success());
    let object = std::fs::read(object).unwrap();
    let set_mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    // Only root can give files away.
    let give_away = |path: &Path| chown(path, Some(std::fs::metadata(path)?.uid() + 1), None);
    // The first is no attack: it shows that the others could succeed.
    let attacks = ["none", "writable folder", "writable entry", "link", "foreign folder", "foreign entry"];
    for attack in attacks {
        let device = host();
        keep_in_place_of_scale(&device, &object);
        let (folder, entry) = (device.cache.path(), only_file(device.cache.path()));
        let prepared = match attack {
            "writable folder" => set_mode(folder, 0o777),
            "writable entry" => set_mode(&entry, 0o620),
            "link" => {
                let moved = entry.with_extension("moved");
                std::fs::rename(&entry, &moved).and_then(|()| symlink(moved, &entry))
            }
            "foreign folder" => give_away(folder),
            "foreign entry" => give_away(&entry),
            _ => Ok(()),
        };
        if let Err(error) = prepared {
            println!("skipped: {attack}: {error}");
            continue;
        }
        let module = device.compile(&(lanes() + SCALE), KERNELS, &options("double")).unwrap();
        assert_eq!(module.kernel("scale").is_err(), attack == "none", "{attack}");
        assert_eq!(mark.exists(), attack == "none", "{attack}");
        let _ = std::fs::remove_file(&mark);
    }
}

#[test]
fn an_entry_that_does_not_load_is_made_anew() {
    let device = host();
    keep_in_place_of_scale(&device, b"no shared object");
    let before = std::fs::read(only_file(device.cache.path())).unwrap();
    kernel(&device, SCALE, "scale");
    assert_ne!(std::fs::read(only_file(device.cache.path())).unwrap(), before);
}

#[test]
fn a_missing_compiler_is_an_error_with_a_remedy() {
    let candidates = ["/nowhere/cc".to_owned(), "false".to_owned(), "true".to_owned(), " ".to_owned()];
    let message = host::Host::with_compiler(&candidates).err().unwrap().to_string();
    for part in ["`/nowhere/cc` (", "`false` (no answer", "`true` (no answer", "install gcc or clang", "`CC`"] {
        assert!(message.contains(part), "{message}");
    }
}

/// A compiler that answers the request for its version, and otherwise runs this script on its output `$2`.
#[cfg(unix)]
fn compiler_that(folder: &Path, does: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join("cc");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *-dM*) echo '#define X'; exit ;; esac\nwhile [ \"$1\" != -o ]; do shift; done\n{does}\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn what_is_wrong_with_a_compiler_is_said_and_nothing_of_it_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (does, parts) in [
        // Like Ctrl-C, or running out of memory.
        ("kill -9 $$", ["was stopped", "signal: 9"]),
        (":", ["writes no code", "`CC`"]),
        (": > \"$2\"", ["writes no code", "`CC`"]),
        ("head -c 9999 /dev/zero > \"$2\"", ["cannot load the compiled kernels: ", "ELF"]),
    ] {
        let device = host_with(&[&compiler_that(folder.path(), does)]);
        let error = device.compile("", KERNELS, &options("double")).err().unwrap().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{does}: {error}");
        assert_eq!(std::fs::read_dir(device.cache.path()).unwrap().count(), 0, "{does}");
    }
}

#[test]
fn cuda_is_usable_or_says_why_not() {
    match Device::probe() {
        Ok(names) => assert!(!names.is_empty()),
        Err(reason) => assert!(matches!(reason, Error::NoDriver | Error::NoCuda(_)), "{reason}"),
    }
    assert!(Device::open(Choice::Auto).is_ok());
    assert!(matches!(Device::open(Choice::Cuda(Some(9999))), Err(Error::NoDriver | Error::NoCuda(_))));
}

#[test]
fn a_gpu_that_cannot_be_used_is_spoken_of_and_a_missing_one_is_not() {
    assert_eq!(fallback_warning(&Error::NoDriver), None);
    let warning = fallback_warning(&Error::NoCuda("the driver is too old".into())).unwrap();
    assert!(warning.contains("the driver is too old; computing on the CPU") && warning.lines().count() == 1);
}

#[test]
fn choices_are_read_as_they_are_written() {
    for choice in [Choice::Auto, Choice::Cpu, Choice::Cuda(None), Choice::Cuda(Some(3))] {
        assert_eq!(choice.to_string().parse::<Choice>().unwrap(), choice);
    }
    for wrong in ["gpu", "cuda:", "cuda:-1", "CPU", ""] {
        assert!(matches!(wrong.parse::<Choice>(), Err(Error::Choice(text)) if text == wrong));
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
