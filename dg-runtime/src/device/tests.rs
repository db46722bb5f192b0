//! Every test runs on every device of the machine.

use super::*;

const LANES_H: &str = include_str!("../../../templates/kernels/lanes.h");

/// The devices of this machine, with a cache of their own.
fn devices() -> Vec<Device> {
    let mut backends = vec![Backend::Host(host::Host::open().unwrap())];
    match cuda::Cuda::open(0) {
        Ok(cuda) => backends.push(Backend::Cuda(cuda)),
        Err(reason) => println!("CUDA skipped: {reason}"),
    }
    backends.into_iter().map(|backend| Device { backend, cache: Cache::open().unwrap() }).collect()
}

fn options(precision: &str) -> Options {
    Options { defines: vec![("PRECISION".into(), precision.into())], ..Options::default() }
}

fn filled<T: Pod>(device: &Device, data: &[T]) -> Buffer {
    let buffer = device.allocate(size_of_val(data)).unwrap();
    device.upload(&buffer, data).unwrap();
    buffer
}

#[test]
fn a_kernel_sees_its_arguments() {
    let source = format!(
        "{LANES_H}
        typedef struct {{ const scalar *u; scalar *out; double factor; long long shift; }} ScaleArguments;
        KERNEL(scale, ScaleArguments)
        {{
            for (int i = 0; i < 3; ++i)
                store(a->out + at(e, i, 3), R(a->factor) * load(a->u + at(e, i, 3)) + R(a->shift + i));
        }}"
    );
    for device in devices() {
        println!("{}", device.name());
        let kernel = device.compile(&source, &options("double")).unwrap().kernel("scale").unwrap();
        for n in [1, 31, 32, 257, 100_000usize] {
            let size = n.div_ceil(ELEMENT_BLOCK) * ELEMENT_BLOCK * 3;
            let u: Vec<f64> = (0..size).map(|k| k as f64).collect();
            let (input, output) = (filled(&device, &u), device.allocate(size * 8).unwrap());
            let args = [Arg::Buffer(&input), Arg::Buffer(&output), Arg::Real(0.5), Arg::Int(-7)];
            device.launch(&kernel, n, &args).unwrap();
            let mut out = vec![0.0; size];
            device.download(&output, &mut out).unwrap();
            for e in 0..n {
                for i in 0..3 {
                    let k = (e / 32 * 3 + i) * 32 + e % 32;
                    assert_eq!(out[k], 0.5 * k as f64 - 7.0 + i as f64);
                }
            }
        }
    }
}
