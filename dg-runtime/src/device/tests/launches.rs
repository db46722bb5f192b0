//! Buffers, launches and recordings of them, and the parameters of modules.

use super::*;

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
fn a_kernel_gets_its_arguments_and_every_item() {
    for device in devices() {
        let kernel = scale(&device);
        for n in [1, 31, 32, 257, 100_000usize] {
            let size = n.next_multiple_of(ELEMENT_BLOCK) * 3;
            let u: Vec<f64> = (0..size).map(|k| k as f64).collect();
            let (input, output) = (filled(&device, &u), device.allocate(Number::Double, size).unwrap());
            let args = args! { u: &input, out: &output, factor: 0.5, shift: -7_i64 };
            device.launch(&kernel, n, &args).unwrap();
            let out: Vec<f64> = content(&device, &output);
            for (e, i) in (0..n).flat_map(|e| (0..3).map(move |i| (e, i))) {
                let k = at(device.block(8, CUDA_BLOCK), e, i, 3);
                assert_eq!(out[k], 0.5 * k as f64 - 7.0 + i as f64, "element {e}, field {i} of {n}");
            }
        }
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
fn a_launch_may_be_for_a_range() {
    for device in devices() {
        let n = 7 * LAUNCH_BLOCK;
        let kernel = scale(&device);
        let [u, out] = [3 * n; 2].map(|count| device.allocate(Number::Double, count).unwrap());
        device.upload(&u, &vec![1.0; 3 * n]).unwrap();
        let launch = |items, factor: f64| {
            let args = args! { u: &u, out: &out, factor: factor, shift: 0_i64 };
            device.prepare(&kernel, items, &args, &[]).map(|launch| device.run(&launch).unwrap())
        };
        launch(0..n, 1.0).unwrap();
        launch(LAUNCH_BLOCK..3 * LAUNCH_BLOCK, 2.0).unwrap();
        launch(4 * LAUNCH_BLOCK..n, 3.0).unwrap();
        launch(LAUNCH_BLOCK..LAUNCH_BLOCK, 4.0).unwrap();
        let out = content::<f64>(&device, &out);
        let range = |numbers: &[f64]| numbers.iter().fold([f64::MAX, 0.0], |[a, b], x| [x.min(a), x.max(b)]);
        let found: Vec<_> = out.chunks_exact(3 * LAUNCH_BLOCK).map(range).collect();
        // Field i is larger by i.
        assert_eq!(found, [1.0, 2.0, 2.0, 1.0, 3.0, 3.0, 3.0].map(|factor| [factor, factor + 2.0]));
        let error = launch(1..n, 1.0).unwrap_err();
        assert!(error.to_string().contains("begin with 1, which is no multiple of 128"), "{error}");
    }
}

#[test]
fn what_is_recorded_is_repeated() {
    for device in devices() {
        let kernel = scale(&device);
        let buffer = filled(&device, &[1.0; 3 * ELEMENT_BLOCK]);
        let double = args! { u: &buffer, out: &buffer, factor: 2.0, shift: 0_i64 };
        let add = args! { u: &buffer, out: &buffer, factor: 1.0, shift: 1_i64 };
        let mut recording = Recording::default();
        for turn in 1..4 {
            let launches = || {
                [&double, &add].map(|args| device.prepare(&kernel, 0..ELEMENT_BLOCK, args, &[])).into_iter().collect()
            };
            device.repeat::<Error>(&mut recording, launches).unwrap();
            // Each turn doubles the first field and adds one.
            assert_eq!(content::<f64>(&device, &buffer)[0], 2f64.powi(turn + 1) - 1.0);
        }
        let fails = || device.prepare(&kernel, 0..ELEMENT_BLOCK, &[], &[]).map(|launch| vec![launch]);
        assert!(matches!(device.repeat(&mut Recording::default(), fails), Err(Error::Argument { .. })));
        device.launch(&kernel, ELEMENT_BLOCK, &add).unwrap();
        assert_eq!(content::<f64>(&device, &buffer)[0], 16.0);
    }
}

#[test]
fn modules_of_one_unit_have_parameters_of_their_own() {
    const FILL: &str = "
        PARAMETER(parameter_c)
        typedef struct { scalar *out; } FillArguments;
        KERNEL(fill, FillArguments) { store(a->out + at(e, 0, 1), splat(parameter_c)); }
    ";
    const FILL_KERNELS: &[law::Kernel] =
        &[law::Kernel { name: "fill", arguments: &[argument("out", Kind::Reals, Size::PerElement(1))] }];
    for device in devices() {
        for (precision, rounded) in [("double", [0.1, 0.7]), ("float", [0.1_f32.into(), 0.7_f32.into()])] {
            let kernel = |value: f64| {
                let mut module = device.compile(&(lanes() + FILL), FILL_KERNELS, &options(precision)).unwrap();
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
