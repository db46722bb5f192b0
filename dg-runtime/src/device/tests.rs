//! Tests of devices, and their common helpers: every test runs on every device of the machine.

use super::*;
use crate::law::protocol::CUDA_BLOCK;
use crate::law::{Argument, Direction, Kind, Size};

mod arguments;
mod cache;
mod choices;
mod compilers;
mod language;
mod launches;

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
    Argument { name, kind, direction: Direction::In, size, optional: false, shared: false }
}

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

/// The offset of field i of n of element e, in blocks of `block` elements.
fn at(block: usize, e: usize, i: usize, n: usize) -> usize {
    (e / block * n + i) * block + e % block
}

/// Multiplies by a factor and adds numbers.
const SCALE: &str = "
    typedef struct { const scalar *u; scalar *out; double factor; long long shift; } ScaleArguments;
    KERNEL(scale, ScaleArguments)
    {
        for (int i = 0; i < 3; ++i)
            store(a->out + at(e, i, 3), R(a->factor) * load(a->u + at(e, i, 3)) + R(a->shift + i));
    }";

/// The declaration of [`SCALE`].
const KERNELS: &[law::Kernel] = &[law::Kernel {
    name: "scale",
    arguments: &[
        argument("u", Kind::Reals, Size::PerElement(3)),
        argument("out", Kind::Reals, Size::PerElement(3)),
        argument("factor", Kind::Real, Size::Fixed(1)),
        argument("shift", Kind::Int, Size::Fixed(1)),
    ],
}];

/// The kernel of [`SCALE`].
fn scale(device: &Device) -> Kernel {
    device.compile(&(lanes() + SCALE), KERNELS, &options("double")).unwrap().kernel("scale").unwrap()
}
