//! Arguments of a launch that do not fit the kernel are refused.

use super::*;
use crate::device::arguments::resolve;
use crate::device::buffers::Named;
use crate::law::Item;

#[test]
fn arguments_that_do_not_fit_a_kernel_are_refused_by_name() {
    for device in devices() {
        let kernel = scale(&device);
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
        device
            .run(&device.prepare(&kernel, 0..ELEMENT_BLOCK, &args, &[(&right).into(), (&wrong).into()]).unwrap())
            .unwrap();
        assert_eq!(content::<f64>(&device, &out)[..1], [3.0]);
        let error =
            device.prepare(&kernel, 0..ELEMENT_BLOCK, &args, &[(&wrong).into(), (&right).into()]).err().unwrap();
        assert!(error.to_string().contains("argument `u` must be a buffer of double precision"), "{error}");
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
        resolve(SOME, Number::Single, 32, &args, &[]).err()
    };
    assert_eq!(misuse(1, 30, 10), None);
    let needed = 2 * ELEMENT_BLOCK;
    assert_eq!(misuse(needed, 30, 10), None);
    assert_eq!(misuse(needed - 1, 30, 10), Some(("trace".into(), Misuse::Size { needed, given: needed - 1 })));
    assert_eq!(misuse(1, 29, 10), Some(("columns".into(), Misuse::Size { needed: 30, given: 29 })));
    assert!(misuse(1, 29, -1).is_some());

    let of_rim = |count, others: &[Named<'_>]| {
        let (rim, fields) = (buffer(count), 5_i64);
        resolve(OF_RIM, Number::Single, 32, &args! { rim: &rim, fields: fields }, others).err()
    };
    let mut counts = Buffers::default();
    counts.count(Item::Record, 7);
    assert_eq!(of_rim(70, &[(&counts).into()]), None);
    assert_eq!(of_rim(69, &[(&counts).into()]), Some(("rim".into(), Misuse::Size { needed: 70, given: 69 })));
    assert!(of_rim(70, &[]).is_some(), "of items that nobody has counted no buffer holds enough");
}

#[test]
fn what_a_kernel_writes_is_neither_constant_nor_in_the_memory_of_another_argument() {
    const SOME: &[Argument] = &[
        argument("u", Kind::Reals, Size::Fixed(4)),
        Argument { shared: true, ..argument("before", Kind::Reals, Size::Fixed(4)) },
        Argument { direction: Direction::Out, ..argument("next", Kind::Reals, Size::Fixed(4)) },
        Argument { direction: Direction::InOut, ..argument("g", Kind::Reals, Size::Fixed(4)) },
    ];
    let device = host();
    let buffer = |count| device.allocate(Number::Double, count).unwrap();
    let ([u, next, g], all, mesh) = ([buffer(4), buffer(4), buffer(4)], buffer(12), buffer(4).constant());
    let misuse = |args: Vec<(&'static str, Arg<'_>)>| resolve(SOME, Number::Double, 1, &args, &[]).err();
    let overlap = |argument: &str, other: &str| Some((argument.to_owned(), Misuse::Overlap(other.to_owned())));
    let constant = |argument: &str| Some((argument.to_owned(), Misuse::Constant));

    assert_eq!(misuse(args! { u: &u, before: &u, next: &next, g: &g }), None);
    assert_eq!(misuse(args! { u: &mesh, before: &mesh, next: &next, g: &g }), None);
    assert_eq!(misuse(args! { u: &u, before: &u, next: &mesh, g: &g }), constant("next"));
    assert_eq!(misuse(args! { u: &u, before: &u, next: &next, g: &mesh }), constant("g"));
    assert_eq!(misuse(args! { u: &u, before: &u, next: &u, g: &g }), overlap("next", "u"));
    assert_eq!(misuse(args! { u: &u, before: &u, next: &next, g: &next }), overlap("next", "g"));
    assert_eq!(misuse(args! { u: &u, before: &g, next: &next, g: &g }), None, "shared");
    // Parts of one buffer.
    let part = |first| all.part(first..first + 4);
    assert_eq!(misuse(args! { u: part(0), before: part(0), next: part(4), g: part(8) }), None);
    assert_eq!(misuse(args! { u: part(0), before: part(0), next: part(3), g: part(8) }), overlap("next", "u"));
    assert_eq!(misuse(args! { u: part(0), before: part(0), next: part(4), g: part(7) }), overlap("next", "g"));
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
