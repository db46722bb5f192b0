//! Malicious or damaged mesh files: whatever bytes a file has, the reader soon returns a mesh or an error, and needs little
//! memory.
//!
//! `RANKINE_HOSTILE_SECONDS` sets how long mutations are tried, and `RANKINE_HOSTILE_SEED` the first seed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dg_runtime::mesh::{Mesh, MeshError, Neighbour, gmsh};
use fastrand::Rng;

/// The system's allocator, with a record of the most memory allocated at once.
struct Counting;

static GIVEN: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let given = GIVEN.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(given, Ordering::Relaxed);
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        GIVEN.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Tests in this file measure the memory of the whole process.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// The longest time for one file, on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// The most memory for each byte of a file, and beyond that.
const BYTES_PER_BYTE: usize = 40;
const BYTES_BESIDE: usize = 1 << 20;

/// The outcomes of all trials.
#[derive(Default)]
struct Counts {
    tried: usize,
    meshes: usize,
    errors: usize,
    longest: Duration,
    most_bytes: usize,
}

/// Reads a file and uses its mesh like a run, and checks time, memory and messages.
fn try_file(bytes: &[u8], name: &dyn Fn() -> String, counts: &mut Counts) {
    let start = Instant::now();
    let before = GIVEN.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(|| gmsh::parse(bytes)));
    let taken = MOST.load(Ordering::Relaxed).saturating_sub(before);
    counts.tried += 1;
    counts.most_bytes = counts.most_bytes.max(taken);
    assert!(taken < BYTES_BESIDE + BYTES_PER_BYTE * bytes.len(), "{}: {taken} bytes for {}", name(), bytes.len());
    match result.unwrap_or_else(|_| panic!("{}: the reader panicked", name())) {
        Ok(mesh) => {
            counts.meshes += 1;
            let use_it = AssertUnwindSafe(|| use_mesh(&mesh));
            catch_unwind(use_it).unwrap_or_else(|_| panic!("{}: its mesh is none", name()));
        }
        Err(error) => {
            counts.errors += 1;
            let message = messages(&error);
            assert!((10..2000).contains(&message.len()), "{}: {message}", name());
        }
    }
    counts.longest = counts.longest.max(start.elapsed());
    assert!(start.elapsed() < LONGEST, "{}: took {:?}", name(), start.elapsed());
}

/// An error with its causes.
fn messages(error: &MeshError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

/// Checks the invariants of a mesh, and refines, renumbers and joins it.
fn use_mesh(mesh: &Mesh) {
    check(mesh);
    check(&mesh.renumbered());
    if let Ok(refined) = mesh.refined() {
        check(&refined);
    }
    let offered = (0..mesh.boundaries().len()).find_map(|index| Some((index, mesh.offered_period(index)?)));
    if let Some((index, other)) = offered
        && let Ok(joined) = mesh.clone().with_periods(&[(mesh.boundaries()[index].name.as_str(), other)])
    {
        check(&joined);
    }
}

fn check(mesh: &Mesh) {
    let faces = mesh.shape(0).faces();
    for element in 0..mesh.element_count() {
        assert!(mesh.geometry(element).determinant > 0.0);
        for face in 0..faces {
            let here = Neighbour::Element { element: element as u32, face: face as u8 };
            match mesh.neighbour(element, face) {
                Neighbour::Element { element, face } => {
                    assert_eq!(mesh.neighbour(element as usize, face.into()), here);
                }
                Neighbour::Boundary(index) => {
                    let face = mesh.boundary_faces()[index as usize];
                    assert_eq!(Neighbour::Element { element: face.element, face: face.face }, here);
                    assert!(usize::from(face.boundary) < mesh.boundaries().len());
                }
            }
        }
    }
    assert!(mesh.boundary_face_counts().iter().all(|&count| count > 0));
}

/// The files of the reader's own tests that it must refuse.
const REFUSED: [&str; 1] = ["bend-serendipity.msh"];

/// The files of the reader's own tests.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = tests::root().join("dg-runtime/src/mesh/gmsh/fixtures");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "msh"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    assert!(files.len() >= 12 && REFUSED.iter().all(|refused| files.iter().any(|(name, _)| name == refused)));
    files
}

/// Numbers that readers of counts, tags and dimensions may get wrong.
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "15",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
    "nan",
];

/// A range of at most `most` bytes.
fn range(random: &mut Rng, length: usize, most: usize) -> std::ops::Range<usize> {
    let start = random.usize(..=length);
    start..(start + random.usize(..=most)).min(length)
}

/// Makes one change to a file.
fn mutate(bytes: &mut Vec<u8>, corpus: &[(String, Vec<u8>)], random: &mut Rng) {
    if bytes.is_empty() {
        bytes.push(random.u8(..));
    }
    let at = random.usize(..bytes.len());
    match random.u8(..12) {
        0 => bytes[at] ^= 1 << random.u8(..8),
        1 => bytes[at] = *random.choice(b"\0\n \"$-.09e\xff").unwrap(),
        2 => {
            let more: Vec<u8> = (0..random.usize(1..20)).map(|_| random.u8(..)).collect();
            bytes.splice(at..at, more);
        }
        3 => drop(bytes.drain(range(random, bytes.len(), 40))),
        4 => bytes.truncate(at),
        5 => {
            let part = bytes[range(random, bytes.len(), 400)].to_vec();
            bytes.splice(at..at, part);
        }
        6 => {
            let other = &random.choice(corpus).unwrap().1;
            let part = other[range(random, other.len(), 400)].to_vec();
            let gone = range(random, bytes.len(), 400);
            bytes.splice(gone, part);
        }
        // A number of a text file, or of a binary one.
        7 | 8 => {
            let digits = |byte: &u8| byte.is_ascii_digit();
            let Some(start) = bytes[at..].iter().position(digits).map(|start| at + start) else { return };
            let length = bytes[start..].iter().take_while(|byte| digits(byte)).count();
            bytes.splice(start..start + length, random.choice(NUMBERS).unwrap().bytes());
        }
        9 => {
            let number: [u8; 8] = match random.u8(..5) {
                0 => u64::MAX.to_le_bytes(),
                1 => (random.u64(..) >> random.u8(..64)).to_le_bytes(),
                2 => f64::NAN.to_le_bytes(),
                3 => (random.f64() * 1e300).to_le_bytes(),
                _ => [0; 8],
            };
            let size = if random.bool() { 4 } else { 8 };
            for (byte, new) in bytes[at..].iter_mut().zip(&number[..size]) {
                *byte = *new;
            }
        }
        // A line is repeated, or moved.
        _ => {
            let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
            let line = bytes[start..end].to_vec();
            let to = if random.bool() { start } else { random.usize(..=bytes.len()) };
            bytes.splice(to..to, line);
        }
    }
}

fn from_environment<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("{name} = {value}")))
}

#[test]
fn mutated_files_are_meshes_or_errors() {
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let corpus = corpus();
    let seconds = from_environment("RANKINE_HOSTILE_SECONDS", 4.0);
    let first = from_environment::<u64>("RANKINE_HOSTILE_SEED", 0);
    start_threads();
    let (start, mut counts) = (Instant::now(), Counts::default());
    for (name, bytes) in &corpus {
        try_file(bytes, &|| name.clone(), &mut counts);
    }
    assert_eq!(counts.errors, REFUSED.len());
    for seed in first.. {
        if start.elapsed().as_secs_f64() > seconds {
            break;
        }
        let mut random = Rng::with_seed(seed);
        let (name, bytes) = random.choice(&corpus).unwrap();
        let mut bytes = bytes.clone();
        for _ in 0..random.usize(1..5) {
            mutate(&mut bytes, &corpus, &mut random);
        }
        try_file(&bytes, &|| format!("RANKINE_HOSTILE_SEED={seed}, {name}"), &mut counts);
    }
    let Counts { tried, meshes, errors, longest, most_bytes } = counts;
    println!(
        "{tried} files in {:.0?}: {meshes} meshes, {errors} errors, no panic; the slowest took {longest:.1?}, the largest {most_bytes} \
         bytes of memory",
        start.elapsed()
    );
    assert!(meshes > corpus.len() && errors > meshes);
}

/// Starts the threads shared by all readers, so that their memory is not counted.
fn start_threads() {
    gmsh::parse(&corpus()[0].1).unwrap();
}

#[test]
fn files_cut_off_anywhere_are_refused() {
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    start_threads();
    let is_small = |name: &str| ["square", "quadrilaterals"].iter().any(|start| name.starts_with(start));
    for (name, bytes) in corpus().iter().filter(|(name, _)| is_small(name)) {
        let mut counts = Counts::default();
        for end in 0..bytes.len() {
            try_file(&bytes[..end], &|| format!("{end} bytes of {name}"), &mut counts);
        }
        println!("{name}: {} of {} beginnings are refused", counts.errors, counts.tried);
        // Sections after the elements may be missing: periods, and the last line end.
        let elements = bytes.windows(12).position(|window| window == b"$EndElements").unwrap();
        assert!(counts.meshes <= bytes.len() - elements, "{name}");
    }
}

/// A text file of version 4.1 with these sections.
fn text(sections: &str) -> Vec<u8> {
    format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{sections}").into_bytes()
}

/// Parts of a file that are harmless alone but could multiply each other.
#[test]
fn sizes_do_not_multiply() {
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    start_threads();
    const MANY: usize = 20_000;
    let list = |item: &dyn Fn(usize) -> String| (1..=MANY).map(item).collect::<String>();
    let square = "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n";
    let ray =
        |part: f64| format!("{} {} 0\n", (part * std::f64::consts::TAU).cos(), (part * std::f64::consts::TAU).sin());
    let triangles = "2 1 2 2\n1 1 2 3\n2 1 3 4\n";
    // Triangles around a vertex, with a gap behind each.
    let centre = 2 * MANY + 1;
    let fan = format!(
        "$Nodes\n1 {centre} 1 {centre}\n2 1 0 {centre}\n{}{centre}\n{}0 0 0\n$EndNodes\n\
         $Elements\n1 {MANY} 1 {MANY}\n2 1 2 {MANY}\n{}$EndElements\n",
        list(&|i| format!("{}\n{}\n", 2 * i - 1, 2 * i)),
        list(&|i| [0.0, 0.5].map(|part| ray((i as f64 + part) / MANY as f64)).concat()),
        list(&|i| format!("{i} {centre} {} {}\n", 2 * i - 1, 2 * i)),
    );
    let files = [
        (
            "many groups of a curve of many lines",
            text(&format!(
                "$PhysicalNames\n{MANY}\n{}$EndPhysicalNames\n$Entities\n0 1 1 0\n1 0 0 0 0 0 0 {MANY} {} 0\n1 0 0 0 0 0 0 0 0\n\
                 $EndEntities\n{square}$Elements\n2 {n} 1 {n}\n1 1 1 {MANY}\n{}{triangles}$EndElements\n",
                list(&|i| format!("1 {i} \"side {i}\"\n")),
                list(&|i| format!("{i} ")),
                list(&|i| format!("{i} 1 2\n")),
                n = MANY + 2,
            )),
        ),
        (
            "many curves, each with a name of its own",
            text(&format!(
                "$PhysicalNames\n{MANY}\n{}$EndPhysicalNames\n$Entities\n0 {MANY} 1 0\n{}1 0 0 0 0 0 0 0 0\n$EndEntities\n{square}\
                 $Elements\n{} {n} 1 {n}\n{}{triangles}$EndElements\n",
                list(&|i| format!("1 {i} \"side {i}\"\n")),
                list(&|i| format!("{i} 0 0 0 0 0 0 1 {i} 0\n")),
                MANY + 1,
                list(&|i| format!("1 {i} 1 1\n{i} 1 2\n")),
                n = MANY + 2,
            )),
        ),
        (
            "many periods of the same nodes",
            text(&format!(
                "{square}$Elements\n1 2 1 2\n{triangles}$EndElements\n$Periodic\n{MANY}\n{}$EndPeriodic\n",
                list(&|i| format!("1 {i} 1\n0\n2\n1 4\n2 3\n"))
            )),
        ),
        ("a fan", text(&fan)),
        ("lines of comments", text(&list(&|_| "not a section\n".to_owned()))),
        ("sections of no interest", text(&list(&|i| format!("$S{i}\n1\n$EndS{i}\n")))),
        ("one long line", [b"$MeshFormat\n".to_vec(), vec![b'4'; 1 << 20]].concat()),
        ("one long name", text(&format!("$PhysicalNames\n1\n1 1 \"{}\"\n", "name ".repeat(MANY)))),
        ("one long section's name", text(&format!("${}\n", "A".repeat(1 << 20)))),
        ("quotes", text(&format!("$PhysicalNames\n{MANY}\n{}", list(&|_| "1 1 \"\"\"\"\n".to_owned())))),
        ("zeros", vec![0; 1 << 20]),
        ("ones", vec![0xff; 1 << 20]),
        ("dollars", vec![b'$'; 1 << 20]),
        ("empty lines", vec![b'\n'; 1 << 20]),
    ];
    for (name, bytes) in files {
        let mut counts = Counts::default();
        try_file(&bytes, &|| name.to_owned(), &mut counts);
        println!("{name}: {} bytes in {:.1?}, {} bytes of memory", bytes.len(), counts.longest, counts.most_bytes);
    }
}
