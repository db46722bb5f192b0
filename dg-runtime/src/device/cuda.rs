//! CUDA: NVRTC and the driver, both found at run time, through cudarc.
//!
//! cudarc panics if a library or one of its functions is missing. So `driver` and `nvrtc_version` check this before any other
//! call, and refuse a driver too old to have every function used here.

use std::ffi::{CStr, CString, c_void};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::sys::{CUdevice_attribute as DeviceAttribute, CUfunction_attribute as Attribute};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaGraph, CudaModule, CudaSlice, CudaStream, DevicePtr, DriverError,
};
use cudarc::driver::{result as driver_result, sys as driver_sys};
use cudarc::nvrtc::{Ptx, result as nvrtc_result, sys as nvrtc_sys};

use super::cache::Cache;
use super::error::Error;
use super::options::{self, Options};

/// The oldest driver with all functions used here: `cuEventElapsedTime_v2` came with CUDA 12.8.
const OLDEST_DRIVER: (i32, i32) = (12, 8);

/// The extension of a compiled unit.
pub(super) const EXTENSION: &str = "cubin";

/// The first version of NVRTC that can be told to optimise little.
const FAST_COMPILE: (i32, i32) = (12, 9);
/// The first architecture with tensor instructions in double precision.
const TENSORS: (i32, i32) = (8, 0);

/// The first architecture that launches a kernel while the one before it runs; see `LANES_WAIT_FOR_LAST_KERNEL` in `lanes.h`.
const EARLY_LAUNCHES: (i32, i32) = (9, 0);

/// The usual folder of the CUDA toolkit, if the dynamic loader does not find it.
const TOOLKIT: &str = "/usr/local/cuda";

/// Resources of a kernel on CUDA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resources {
    /// Registers of 32 bits.
    pub registers: usize,
    /// Bytes of local memory: spilled registers, and arrays with computed indices.
    pub spilled_bytes: usize,
    /// Bytes of shared memory declared by a block.
    pub shared_bytes: usize,
    /// Largest share of a multiprocessor's threads that can be resident.
    pub occupancy: f64,
}

pub(super) struct Cuda {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    /// Other streams, for launches at once.
    sides: Mutex<Vec<Arc<CudaStream>>>,
    name: String,
    architecture: String,
    /// The architecture's version.
    capability: (i32, i32),
    /// The most threads of a multiprocessor.
    threads: u32,
}

/// For `map_err`: an error of the driver, with the attempted action.
fn failed(action: &'static str) -> impl FnOnce(DriverError) -> Error {
    move |error| {
        let message = error.error_string().map_or("unknown error".into(), CStr::to_string_lossy);
        Error::Cuda { action, message: format!("{message} ({:?})", error.0) }
    }
}

/// Starts the driver; returns its version, that of the newest CUDA it supports.
fn driver() -> Result<(i32, i32), Error> {
    // SAFETY: loading the driver's library runs its initialisers.
    if !unsafe { driver_sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    driver_result::init().map_err(|error| match error.0 {
        driver_sys::CUresult::CUDA_ERROR_NO_DEVICE => Error::NoCuda("the driver finds no NVIDIA GPU".into()),
        _ => Error::NoCuda(failed("start")(error).to_string()),
    })?;
    let mut version = 0;
    // SAFETY: the library is there, and the pointer is valid.
    unsafe { driver_sys::cuDriverGetVersion(&mut version) }.result().map_err(failed("tell its version"))?;
    let version = (version / 1000, version % 1000 / 10);
    if version < OLDEST_DRIVER {
        let ((major, minor), (least, least_minor)) = (version, OLDEST_DRIVER);
        return Err(Error::NoCuda(format!(
            "the NVIDIA driver runs CUDA up to {major}.{minor}, {least}.{least_minor} is needed; update the driver"
        )));
    }
    Ok(version)
}

/// Finds NVRTC; returns its version.
///
/// # Errors
/// No libnvrtc.
pub fn nvrtc_version() -> Result<(i32, i32), Error> {
    static VERSION: OnceLock<Result<(i32, i32), String>> = OnceLock::new();
    let version = VERSION.get_or_init(|| {
        load_nvrtc()?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the library is there, and the pointers are valid.
        let result = unsafe { nvrtc_sys::nvrtcVersion(&mut major, &mut minor) }.result();
        result.map(|()| (major, minor)).map_err(|error| error.to_string())
    });
    version.clone().map_err(Error::NoCuda)
}

/// cudarc asks the dynamic loader for NVRTC by name, and the loader returns a library of this name that is already loaded. So the
/// library in `RANKINE_NVRTC` is loaded first or, if the loader knows none, the toolkit's.
fn load_nvrtc() -> Result<(), String> {
    // SAFETY: loading NVRTC runs its initialisers, here and below.
    let present = || unsafe { nvrtc_sys::is_culib_present() };
    let load = |path: &str| {
        // SAFETY: as above; the user names the library, or it is the toolkit's.
        let library = unsafe { libloading::Library::new(path) }.map_err(|error| error.to_string())?;
        // It must stay loaded.
        std::mem::forget(library);
        Ok::<_, String>(())
    };
    if let Ok(path) = std::env::var("RANKINE_NVRTC") {
        load(&path).map_err(|error| format!("cannot load the library that `RANKINE_NVRTC` names: {error}"))?;
    } else if !present() {
        let toolkits = ["CUDA_PATH", "CUDA_HOME"].into_iter().filter_map(|name| std::env::var(name).ok());
        let mut files = toolkits.chain([TOOLKIT.into()]).map(|folder| format!("{folder}/lib64/libnvrtc.so"));
        files.find(|file| load(file).is_ok());
    }
    let missing = "NVIDIA's run-time compiler (libnvrtc) is not found; install the CUDA toolkit, or `pip install \
                   nvidia-cuda-nvrtc` and name its libnvrtc.so.13 in the environment variable `RANKINE_NVRTC`";
    if present() { Ok(()) } else { Err(missing.into()) }
}

pub(super) fn devices() -> Result<Vec<String>, Error> {
    driver()?;
    nvrtc_version()?;
    let count = CudaContext::device_count().map_err(failed("count the devices"))?;
    if count == 0 {
        return Err(Error::NoCuda("the driver finds no NVIDIA GPU".into()));
    }
    let name = |number: i32| {
        let device = driver_result::device::get(number)?;
        Ok(format!("{} (cuda:{number})", driver_result::device::get_name(device)?))
    };
    (0..count).map(name).collect::<Result<_, _>>().map_err(failed("name the devices"))
}

/// Compiles a unit with NVRTC for a named architecture, such as `sm_90`, to a cubin. It needs neither driver nor GPU.
///
/// # Errors
/// No libnvrtc; NVRTC rejects the text.
pub fn nvrtc_for(source: &str, options: &Options, architecture: &str) -> Result<Vec<u8>, Error> {
    nvrtc_version()?;
    cubin(&options::text(source, options), &flags(architecture))
}

/// That NVRTC accepts a unit for a named architecture. It optimises as little as it can, which takes a quarter of the time.
///
/// # Errors
/// Those of [`nvrtc_for`].
pub fn nvrtc_accepts(source: &str, options: &Options, architecture: &str) -> Result<(), Error> {
    let mut flags = flags(architecture).to_vec();
    if nvrtc_version()? >= FAST_COMPILE {
        flags.push("--Ofast-compile=max".into());
    }
    cubin(&options::text(source, options), &flags).map(drop)
}

fn flags(architecture: &str) -> [String; 2] {
    [format!("--gpu-architecture={architecture}"), "--disable-warnings".into()]
}

/// The cubin of a text. NVRTC must have been found.
fn cubin(text: &str, flags: &[String]) -> Result<Vec<u8>, Error> {
    let rejected = |log: String| {
        let (major, minor) = nvrtc_version().unwrap_or_default();
        Error::Rejected { compiler: format!("NVRTC {major}.{minor}"), log, kept: None }
    };
    let text = CString::new(text).map_err(|_| rejected("the text contains a zero byte".into()))?;
    let program = nvrtc_result::create_program(&text, Some(c"unit.cu")).map_err(|error| rejected(error.to_string()))?;
    // SAFETY: `program` is valid until it is destroyed, and every buffer is as long as NVRTC asked for.
    unsafe {
        let outcome = nvrtc_result::compile_program(program, flags).and_then(|()| {
            let mut size = 0;
            nvrtc_sys::nvrtcGetCUBINSize(program, &mut size).result()?;
            let mut bytes = vec![0u8; size];
            nvrtc_sys::nvrtcGetCUBIN(program, bytes.as_mut_ptr().cast()).result()?;
            Ok(bytes)
        });
        let outcome = outcome.map_err(|error| {
            let log = nvrtc_result::get_program_log(program).unwrap_or_default();
            let log: Vec<u8> = log.iter().map(|&c| c.cast_unsigned()).take_while(|&c| c != 0).collect();
            let log = String::from_utf8_lossy(&log).lines().take(20).collect::<Vec<_>>().join("\n");
            rejected(if log.is_empty() { error.to_string() } else { log })
        });
        // It fails only for an invalid program.
        let _ = nvrtc_result::destroy_program(program);
        outcome
    }
}

impl Cuda {
    pub fn open(number: usize) -> Result<Self, Error> {
        let devices = devices()?;
        let name = devices.get(number).cloned().ok_or_else(|| {
            Error::NoCuda(format!("there is no device cuda:{number}; there are {}", devices.join(", ")))
        })?;
        let ((driver, driver_minor), (nvrtc, nvrtc_minor)) = (driver()?, nvrtc_version()?);
        if nvrtc > driver {
            return Err(Error::NoCuda(format!(
                "libnvrtc {nvrtc}.{nvrtc_minor} is newer than the driver, which runs CUDA up to {driver}.\
                 {driver_minor}; update the driver, or install libnvrtc {driver} and name it in `RANKINE_NVRTC`"
            )));
        }
        let context = CudaContext::new(number).map_err(failed("open the device"))?;
        let (major, minor) = context.compute_capability().map_err(failed("tell the device's architecture"))?;
        let threads = context
            .attribute(DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)
            .map_err(failed("tell the size of a multiprocessor"))?
            .cast_unsigned();
        // SAFETY: one stream keeps everything in order; others are joined to it.
        unsafe { context.disable_event_tracking() };
        // The default stream cannot be recorded.
        let stream = context.new_stream().map_err(failed("make a stream"))?;
        Ok(Self {
            context,
            stream,
            sides: Mutex::default(),
            name,
            architecture: format!("sm_{major}{minor}"),
            capability: (major, minor),
            threads,
        })
    }

    pub fn name(&self) -> String {
        self.name.clone()
    }

    pub fn compile(&self, cache: &Cache, source: &str, options: &Options) -> Result<Module, Error> {
        if !(1..=1024).contains(&options.block_size) {
            return Err(Error::BlockSize(options.block_size));
        }
        let text = options::text(source, options);
        let flags = flags(&self.architecture);
        let identity = self.identity();
        let identity = identity.each_ref().map(|part| &**part);
        let load = |bytes: &[u8]| {
            let binary = Ptx::from_binary(bytes.to_vec());
            let module = self.context.load_module(binary).map_err(failed("load the kernels"))?;
            let (context, stream) = (self.context.clone(), self.stream.clone());
            Ok(Module { module, context, stream, threads: self.threads })
        };
        cache.unit(&text, &identity, EXTENSION, || cubin(&text, &flags), load)
    }

    /// Compiler, flags and architecture.
    pub fn identity(&self) -> [String; 3] {
        let (major, minor) = nvrtc_version().unwrap_or_default();
        ["nvrtc".into(), format!("{major}.{minor}"), flags(&self.architecture).join(" ")]
    }

    /// Whether there are tensor instructions in double precision.
    pub fn has_double_tensors(&self) -> bool {
        self.capability >= TENSORS
    }

    /// Zeroed memory, or `None` where there is not enough.
    pub fn allocate(&self, bytes: usize) -> Result<Option<Memory>, Error> {
        match self.stream.alloc_zeros::<u8>(bytes) {
            Ok(slice) => {
                let (pointer, _) = slice.device_ptr(&self.stream);
                Ok(Some(Memory { pointer, _slice: slice }))
            }
            Err(error) if error.0 == driver_sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Ok(None),
            Err(error) => Err(failed("allocate memory")(error)),
        }
    }

    pub fn upload(&self, memory: &Memory, offset: usize, data: &[u8]) -> Result<(), Error> {
        let stream = self.bind("copy to the device")?;
        // SAFETY: the caller checked the size; waiting keeps `data` alive until it is copied.
        unsafe { driver_result::memcpy_htod_async(memory.pointer + offset as u64, data, stream) }
            .and_then(|()| self.stream.synchronize())
            .map_err(failed("copy to the device"))
    }

    pub fn download(&self, memory: &Memory, offset: usize, data: &mut [u8]) -> Result<(), Error> {
        let stream = self.bind("copy from the device")?;
        // SAFETY: the caller checked the size; waiting keeps `data` alive until it is copied.
        unsafe { driver_result::memcpy_dtoh_async(data, memory.pointer + offset as u64, stream) }
            .and_then(|()| self.stream.synchronize())
            .map_err(failed("copy from the device"))
    }

    pub fn copy(&self, from: &Memory, to: &Memory, bytes: usize) -> Result<(), Error> {
        let stream = self.bind("copy on the device")?;
        // SAFETY: the caller checked the sizes.
        unsafe { driver_result::memcpy_dtod_async(to.pointer, from.pointer, bytes, stream) }
            .map_err(failed("copy on the device"))
    }

    pub fn launch(&self, kernel: &Kernel, items: Range<usize>, arguments: &[u64]) -> Result<(), Error> {
        self.launch_in(&self.stream, self.capability >= EARLY_LAUNCHES, (kernel, items, arguments))
    }

    /// Queues launches of which none needs what another one writes: blocks of one run where another one's last ones leave processors idle.
    pub fn launch_at_once<'l>(&self, launches: &[(&'l Kernel, Range<usize>, &'l [u64])]) -> Result<(), Error> {
        let Some((first, others)) = launches.split_first() else { return Ok(()) };
        let mut sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
        while sides.len() < others.len() {
            sides.push(self.context.new_stream().map_err(failed("make a stream"))?);
        }
        let sides = &sides[..others.len()];
        sides.iter().try_for_each(|side| side.join(&self.stream)).map_err(failed("launch kernels at once"))?;
        self.launch_in(&self.stream, false, first.clone())?;
        for (side, launch) in sides.iter().zip(others) {
            self.launch_in(side, false, launch.clone())?;
        }
        sides.iter().try_for_each(|side| self.stream.join(side)).map_err(failed("launch kernels at once"))
    }

    /// Queues a launch in a stream, `early` if its blocks may start while the launch before it ends.
    fn launch_in(
        &self,
        stream: &CudaStream,
        early: bool,
        (kernel, items, arguments): (&Kernel, Range<usize>, &[u64]),
    ) -> Result<(), Error> {
        self.bind("launch a kernel")?;
        let blocks = items.len().div_ceil(kernel.block()) as u32;
        // A block of threads begins where one of items does.
        let (mut first, mut end) = ((items.start / kernel.block()) as u32, items.end as i64);
        let mut parameters = [arguments.as_ptr() as *mut c_void, (&raw mut first).cast(), (&raw mut end).cast()];
        // Kernels of older architectures do not wait for the one before.
        let mut attribute = driver_sys::CUlaunchAttribute {
            id: driver_sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
            pad: [0; 4],
            value: driver_sys::CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 },
        };
        let config = driver_sys::CUlaunchConfig {
            gridDimX: blocks,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: kernel.shape.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: kernel.shape.shared_bytes,
            hStream: stream.cu_stream(),
            attrs: &raw mut attribute,
            numAttrs: u32::from(early),
        };
        // SAFETY: the caller checked the number of arguments, the driver copies them and the configuration before it
        // returns, and the kernel is generated code, which waits for the kernel before it.
        unsafe {
            let function = kernel.function.cu_function();
            driver_sys::cuLaunchKernelEx(&config, function, parameters.as_mut_ptr(), std::ptr::null_mut()).result()
        }
        .map_err(failed("launch a kernel"))
    }

    /// Records what `work` launches instead of running it.
    pub fn record<E: From<Error>>(&self, work: impl FnOnce() -> Result<(), E>) -> Result<Graph, E> {
        let mode = driver_sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        self.stream.begin_capture(mode).map_err(failed("begin a recording"))?;
        let outcome = work();
        // Also after a failure, because the stream runs nothing until then.
        let graph = self.stream.end_capture(driver_sys::CUgraphInstantiate_flags(0));
        outcome?;
        let nothing = || Error::Cuda { action: "record launches", message: "there were none".into() };
        Ok(Graph(graph.map_err(failed("record launches"))?.ok_or_else(nothing)?))
    }

    /// Queues the recorded launches.
    pub fn replay(&self, graph: &mut Graph) -> Result<(), Error> {
        graph.0.launch().map_err(failed("repeat launches"))
    }

    pub fn synchronize(&self) -> Result<(), Error> {
        self.stream.synchronize().map_err(failed("run the kernels"))
    }

    /// A mark in the stream.
    pub fn event(&self) -> Result<CudaEvent, Error> {
        let flags = driver_sys::CUevent_flags::CU_EVENT_DEFAULT;
        self.stream.record_event(Some(flags)).map_err(failed("record an event"))
    }

    /// The time between two marks, once the device has passed them.
    pub fn seconds(&self, start: &CudaEvent, end: &CudaEvent) -> Result<f64, Error> {
        let milliseconds = start.elapsed_ms(end).map_err(failed("run the kernels"))?;
        Ok(f64::from(milliseconds) * 1e-3)
    }

    pub fn free_memory(&self) -> Option<usize> {
        // Memory freed in a stream becomes available after a wait for its work. Waiting for the whole device would spoil
        // a recording of another thread.
        self.stream.synchronize().ok()?;
        self.context.mem_get_info().ok().map(|(free, _)| free)
    }

    /// The stream, with its context bound to the current thread.
    fn bind(&self, action: &'static str) -> Result<driver_sys::CUstream, Error> {
        self.context.bind_to_thread().map_err(failed(action))?;
        Ok(self.stream.cu_stream())
    }
}

pub(super) struct Memory {
    pub pointer: u64,
    /// Frees the memory.
    _slice: CudaSlice<u8>,
}

/// Recorded launches.
pub(super) struct Graph(CudaGraph);

// SAFETY: only one thread at a time uses it, the owner of the only reference.
unsafe impl Send for Graph {}

pub(super) struct Module {
    module: Arc<CudaModule>,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    threads: u32,
}

/// The shape of a block.
struct Shape {
    threads: u32,
    /// Items per block.
    items: u32,
    /// Dynamic shared memory, beside the static part that the code reserves.
    shared_bytes: u32,
}

pub(super) struct Kernel {
    function: CudaFunction,
    shape: Shape,
    pub arguments: usize,
    pub resources: Resources,
}

impl Kernel {
    /// Items of a block of threads, at which launches may begin.
    pub fn block(&self) -> usize {
        self.shape.items as usize
    }
}

impl Module {
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let missing = |_| Error::NoKernel(name.to_owned());
        self.context.bind_to_thread().map_err(failed("describe a kernel"))?;
        let function = self.module.load_function(&format!("kernel_{name}")).map_err(missing)?;
        let handle = function.cu_function();
        let describe = failed("describe a kernel");
        let shape = shape(name, &function).and_then(|shape| {
            let (mut offset, mut size) = (0, 0);
            let attribute = |which| {
                // SAFETY: the function was just loaded.
                unsafe { driver_result::function::get_function_attribute(handle, which) }.map(|value| value as usize)
            };
            // SAFETY: as above, and the pointers are valid.
            unsafe {
                // Drivers load a kernel's code at its first use, which must not be during a recording.
                driver_sys::cuFuncLoad(handle).result()?;
                driver_sys::cuFuncGetParamInfo(handle, 0, &mut offset, &mut size).result()?;
            }
            let asked = shape.shared_bytes as usize;
            let blocks = function.occupancy_max_active_blocks_per_multiprocessor(shape.threads, asked, None)?;
            let resources = Resources {
                registers: attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
                spilled_bytes: attribute(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
                shared_bytes: attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)? + asked,
                occupancy: f64::from(blocks * shape.threads) / f64::from(self.threads),
            };
            Ok((shape, size / size_of::<u64>(), resources))
        });
        let (shape, arguments, resources) = shape.map_err(describe)?;
        Ok(Kernel { function, shape, arguments, resources })
    }

    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let action = "set a parameter";
        self.context.bind_to_thread().map_err(failed(action))?;
        let missing = |_| Error::NoParameter(name.to_owned());
        let mut variable = self.module.get_global(name, &self.stream).map_err(missing)?;
        let (single, double) = ((value as f32).to_ne_bytes(), value.to_ne_bytes());
        let bytes = if variable.len() == single.len() { &single[..] } else { &double[..] };
        self.stream.memcpy_htod(bytes, &mut variable).and_then(|()| self.stream.synchronize()).map_err(failed(action))
    }
}

/// The shape of a kernel, as its module declares it, after the device has granted its shared memory.
fn shape(name: &str, function: &CudaFunction) -> Result<Shape, DriverError> {
    let mut module = std::ptr::null_mut();
    let mut stated = [0u32; 3];
    let symbol = CString::new(format!("kernel_{name}_shape")).unwrap_or_default();
    // SAFETY: the function belongs to a module that is loaded, and the pointers are valid.
    unsafe {
        driver_sys::cuFuncGetModule(&mut module, function.cu_function()).result()?;
        let (pointer, bytes) = driver_result::module::get_global(module, symbol)?;
        debug_assert_eq!(bytes, size_of_val(&stated));
        driver_result::memcpy_dtoh_sync(&mut stated, pointer)?;
    }
    let [threads, items, shared_bytes] = stated;
    if shared_bytes > 0 {
        let most_shared = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        function.set_attribute(most_shared, shared_bytes as i32)?;
    }
    Ok(Shape { threads, items, shared_bytes })
}
