//! NVIDIA's compiler does not make worse code of the units unnoticed; no GPU is needed.
//!
//! Registers, bytes of local memory (spills, and arrays with computed indices) and instructions of the most expensive kernels
//! are compared with `guard/euler.txt`, of quadrilaterals with `guard/euler_quadrilaterals.txt`, and of a linear law with ADER with
//! `guard/acoustics.txt`, which `UPDATE_GUARD=1` rewrites. Another
//! version of the compiler makes other code: the test is skipped then, and also without a compiler.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dg_runtime::device::{nvrtc_for, nvrtc_version};
use dg_runtime::law::geometry::Map;
use dg_runtime::law::{Law, Shape};
use dg_runtime::scheme::{Part, code};
use dg_runtime::solver::{Precision, Variant};
use object::elf::FileHeader64;
use object::read::elf::{FileHeader as _, SectionHeader as _, SectionTable};
use object::{LittleEndian, read::SymbolIndex};

const ARCHITECTURE: &str = "sm_90";

/// A law and its orders, the parts of its units, the choices of a run that they are compiled with, and the beginnings of the kernels'
/// names.
struct Subject {
    law: &'static str,
    shape: Shape,
    file: &'static str,
    orders: std::ops::RangeInclusive<usize>,
    parts: &'static [Part],
    choices: &'static [(&'static str, &'static str)],
    kernels: &'static [&'static str],
}

const EULER: Subject = Subject {
    law: "euler",
    shape: Shape::Triangle,
    file: "guard/euler.txt",
    orders: 0..=7,
    parts: &[Part::Stage, Part::Rest],
    choices: &[WALLS],
    kernels: &["stage", "time_step", "reduce", "advance_clock"],
};

/// The boundaries of the stored figures: others of the law, which no case has that does not name them, do not change them.
const WALLS: (&str, &str) = ("BOUNDARY_CONDITIONS(X)", "X(0, slip_wall) X(1, outflow) X(2, supersonic_vortex_inflow)");

/// With a medium that is constant in elements.
const ACOUSTICS: Subject = Subject {
    law: "acoustics",
    shape: Shape::Triangle,
    file: "guard/acoustics.txt",
    orders: 2..=5,
    parts: &[Part::Stage],
    choices: &[("ADER", "1"), ("MEDIUM_BASIS", "1")],
    kernels: &["predict", "stage"],
};

const QUADRILATERALS: Subject = Subject {
    law: "euler",
    shape: Shape::Quadrilateral,
    file: "guard/euler_quadrilaterals.txt",
    orders: 1..=5,
    parts: &[Part::Stage],
    choices: &[WALLS],
    kernels: &["stage"],
};

/// The largest relative difference of a figure from the stored one.
const TOLERANCE: f64 = 0.02;

/// Registers, bytes of local memory and instructions.
type Figures = [u32; 3];
/// Order, schedule and kernel.
type Key = (usize, String, String);
const NAMES: [&str; 3] = ["registers", "local bytes", "instructions"];

/// Bytes of an instruction of any architecture since Volta.
const INSTRUCTION: u64 = 16;

/// Undocumented attributes of `.nv.info`; these are their names in `cuobjdump --dump-elf`.
const EIATTR_MIN_STACK_SIZE: u8 = 0x12;
const EIATTR_REGCOUNT: u8 = 0x2f;
/// The only format of an attribute in which a size and as many bytes follow; the others have two bytes.
const EIFMT_SVAL: u8 = 4;

/// The schedule expected to be fastest for a law; its figures are stored.
fn expected(law: &Law, shape: Shape, order: usize) -> Variant {
    Variant::expected(law, (shape, Map::Affine), order, 800_000, true, true)
}

/// The figures of every kernel in a cubin.
fn figures(cubin: &[u8]) -> BTreeMap<String, Figures> {
    let header = FileHeader64::<LittleEndian>::parse(cubin).unwrap();
    let sections: SectionTable<'_, _> = header.sections(LittleEndian, cubin).unwrap();
    let symbols = sections.symbols(LittleEndian, cubin, object::elf::SHT_SYMTAB).unwrap();
    let mut kernels: BTreeMap<String, Figures> = BTreeMap::new();
    for section in sections.iter() {
        let name = std::str::from_utf8(sections.section_name(LittleEndian, section).unwrap()).unwrap();
        if let Some(kernel) = name.strip_prefix(".text.kernel_") {
            kernels.entry(kernel.to_owned()).or_default()[2] =
                (section.sh_size(LittleEndian) / INSTRUCTION).try_into().unwrap();
        }
        if name == ".nv.info" {
            for (attribute, symbol, value) in attributes(section.data(LittleEndian, cubin).unwrap()) {
                let which = match attribute {
                    EIATTR_REGCOUNT => 0,
                    EIATTR_MIN_STACK_SIZE => 1,
                    _ => continue,
                };
                let symbol = symbols.symbol(SymbolIndex(symbol as usize)).unwrap();
                let name = std::str::from_utf8(symbols.symbol_name(LittleEndian, symbol).unwrap()).unwrap();
                if let Some(kernel) = name.strip_prefix("kernel_") {
                    kernels.entry(kernel.to_owned()).or_default()[which] = value;
                }
            }
        }
    }
    kernels
}

/// The attributes that assign a number to a symbol, as attribute, symbol and number.
fn attributes(mut bytes: &[u8]) -> Vec<(u8, u32, u32)> {
    let mut attributes = Vec::new();
    while let [format, attribute, low, high, rest @ ..] = bytes {
        let size = if *format == EIFMT_SVAL { usize::from(u16::from_le_bytes([*low, *high])) } else { 0 };
        let (value, rest) = rest.split_at(size);
        if let [symbol, number] = value.as_chunks().0 {
            attributes.push((*attribute, u32::from_le_bytes(*symbol), u32::from_le_bytes(*number)));
        }
        bytes = rest;
    }
    attributes
}

/// The figures of these kernels at every order, by the schedule expected there.
fn measured(subject: &Subject) -> BTreeMap<Key, Figures> {
    let law = equations::LAWS.iter().find(|law| law.name == subject.law).unwrap();
    let compile = |order: usize| {
        let unit = law.unit(subject.shape, order).unwrap();
        let schedule = expected(law, subject.shape, order);
        let mut options = tests::everything(law, unit, schedule, Precision::Double);
        options.defines.retain(|(known, _)| subject.choices.iter().all(|(name, _)| name != known));
        options.defines.extend(subject.choices.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let cubin = |part: &Part| {
            let mut options = options.clone();
            options.defines.push(tests::chosen(*part));
            nvrtc_for(code(law, unit, Map::Affine).text, &options, ARCHITECTURE).unwrap()
        };
        let found = subject.parts.iter().flat_map(|part| figures(&cubin(part)));
        found
            .filter(|(kernel, _)| subject.kernels.iter().any(|name| kernel.starts_with(name)))
            .map(|(kernel, figures)| ((order, schedule.to_string(), kernel), figures))
            .collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = subject.orders.clone().map(|order| scope.spawn(move || compile(order))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn text(compiler: &str, figures: &BTreeMap<Key, Figures>) -> String {
    let mut text = format!(
        "{compiler}\n{:<6}{:<16}{:<12}{:>10}{:>13}{:>14}\n",
        "order", "schedule", "kernel", NAMES[0], NAMES[1], NAMES[2]
    );
    for ((order, schedule, kernel), [registers, local, instructions]) in figures {
        writeln!(text, "{order:<6}{schedule:<16}{kernel:<12}{registers:>10}{local:>13}{instructions:>14}").unwrap();
    }
    text
}

fn text_of((order, schedule, kernel): &Key) -> String {
    format!("order {order}, {kernel} by {schedule}")
}

/// The inverse of [`text`].
fn stored(text: &str) -> BTreeMap<Key, Figures> {
    let line = |line: &str| {
        let [order, schedule, kernel, figures @ ..] = &*line.split_whitespace().collect::<Vec<_>>() else {
            panic!("{line}")
        };
        let figures: Vec<u32> = figures.iter().map(|figure| figure.parse().unwrap()).collect();
        ((order.parse().unwrap(), (*schedule).to_owned(), (*kernel).to_owned()), figures.try_into().unwrap())
    };
    text.lines().skip(2).map(line).collect()
}

/// Compares the figures of a subject with those that are stored.
fn compare(subject: &Subject) {
    let (major, minor) = match nvrtc_version() {
        Ok(version) => version,
        Err(reason) if std::env::var_os("RANKINE_NVRTC").is_none() => return println!("skipped: {reason}"),
        Err(reason) => panic!("{reason}"),
    };
    let (law, file) = (subject.law, subject.file);
    let compiler = format!("NVRTC {major}.{minor}, {ARCHITECTURE}, {law} in double precision");
    let path = tests::root().join("tests").join(file);
    if std::env::var_os("UPDATE_GUARD").is_some() {
        std::fs::write(path, text(&compiler, &measured(subject))).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(path).unwrap();
    if !kept.starts_with(&compiler) {
        return println!("skipped: {file} is not of {compiler}");
    }
    let (kept, now) = (stored(&kept), measured(subject));
    let mut changes = String::new();
    for (key, figures) in &now {
        let Some(before) = kept.get(key) else {
            writeln!(changes, "{}: new", text_of(key)).unwrap();
            continue;
        };
        for ((name, &now), &before) in NAMES.iter().zip(figures).zip(before) {
            if f64::from(now.abs_diff(before)) > TOLERANCE * f64::from(before) {
                writeln!(changes, "{}: {before} {name} became {now}", text_of(key)).unwrap();
            }
        }
    }
    let gone = kept.keys().filter(|key| !now.contains_key(key));
    gone.for_each(|key| writeln!(changes, "{}: gone", text_of(key)).unwrap());
    assert!(changes.is_empty(), "{changes}where this is meant, UPDATE_GUARD=1 stores it");
}

/// A field of a medium that is the same in the whole domain takes no register and no local memory beside one that varies within elements.
#[test]
fn uniform_fields_of_a_medium_take_no_registers() {
    if nvrtc_version().is_err() {
        return println!("skipped: there is no NVRTC");
    }
    let [both, one] = ["", "X(1)"].map(|uniform| {
        let choices = vec![("ADER", "1"), ("MEDIUM_BASIS", "BASIS"), ("UNIFORM_MEDIUM(X)", uniform)];
        measured(&Subject { choices: choices.leak(), ..ACOUSTICS })
    });
    for (key, [registers, local, instructions]) in one {
        let [most_registers, most_local, before] = both[&key];
        let found = format!(
            "{}: {registers} registers instead of {most_registers}, {local} local bytes instead of {most_local}, \
             {instructions} instructions instead of {before}",
            text_of(&key)
        );
        println!("{found}");
        assert!(registers <= most_registers && local <= most_local, "{found}");
    }
}

#[test]
fn compiled_kernels_are_as_small_as_they_were() {
    compare(&EULER);
}

#[test]
fn compiled_kernels_of_linear_laws_are_as_small_as_they_were() {
    compare(&ACOUSTICS);
}

#[test]
fn compiled_stages_of_quadrilaterals_are_as_small_as_they_were() {
    compare(&QUADRILATERALS);
}
