//! The arguments of kernels, read from the comments in their files.
//!
//! A struct of arguments has a field of eight bytes for each, followed by a comment of a fixed form:
//!
//! ```c
//! typedef struct {
//!     const scalar *u;       /* in: [COMPONENTS][BASIS] per element; coefficients */
//!     scalar *g;             /* inout, optional: [COMPONENTS][BASIS] per element; a register */
//!     const int *conditions; /* in: [1] per boundary face; the number of its condition */
//!     scalar *integrals;     /* out: [COMPONENTS][stride]; column c is the integral of component c */
//!     double a, b;           /* in; coefficients of the stage */
//!     long long stride;      /* in; the distance of two columns */
//! } SomeArguments;
//! ```
//!
//! that is `DIRECTION[, optional][, shared][: SIZE][; words]`. A buffer has a size: factors in brackets, which are sums and
//! products of numbers that the unit defines, and of which one may be the name of an integer among the arguments; per
//! element, or per another [`Item`] of the mesh. `const` pointers are `in`. An argument is optional if
//! some variants of the code never touch it, and shared if a launch may give it memory that the kernel writes as another argument.

use std::collections::BTreeMap;
use std::fmt;

use dg_contract::{Argument, Direction, Item, Kernel, Kind, Size};

/// A text that does not have the form above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The struct or the kernel.
    place: String,
    /// The piece of text, and the expected form.
    reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

/// Numbers that a unit defines, by their names.
pub type Sizes = BTreeMap<&'static str, usize>;

type Structs = BTreeMap<&'static str, &'static str>;

/// The kernels that the texts define, each once; the struct of a kernel's arguments may be in another of the texts.
pub fn kernels(texts: &[&'static str], sizes: &Sizes) -> Result<Vec<Kernel>, Unreadable> {
    let structs: Structs = texts.iter().flat_map(|text| structs(text)).collect();
    let mut kernels: Vec<Kernel> = Vec::new();
    for definition in texts.iter().flat_map(|text| definitions(text)) {
        let kernel = kernel(&definition, &structs, sizes)?;
        match kernels.iter().find(|earlier| earlier.name == kernel.name) {
            None => kernels.push(kernel),
            Some(earlier) if *earlier == kernel => {}
            Some(_) => return Err(unreadable(kernel.name, "is defined with other arguments elsewhere")),
        }
    }
    Ok(kernels)
}

fn unreadable(place: &str, reason: impl Into<String>) -> Unreadable {
    Unreadable { place: place.to_owned(), reason: reason.into() }
}

/// A kernel in the text: its name, and that of the struct of its arguments.
struct Definition {
    name: &'static str,
    arguments: &'static str,
    /// The third word, if there is one.
    results: Option<&'static str>,
}

/// Kernels are defined at the beginning of a line, by `KERNEL(name, Arguments)` or a macro whose name begins so.
fn definitions(text: &'static str) -> Vec<Definition> {
    let mut starts: Vec<usize> = text.match_indices("\nKERNEL").map(|(start, _)| start + 1).collect();
    if text.starts_with("KERNEL") {
        starts.insert(0, 0);
    }
    let definition = |start: usize| {
        let mut words = text[start..].split_once('(')?.1.split([',', ')']).map(str::trim);
        Some(Definition { name: words.next()?, arguments: words.next()?, results: words.next() })
    };
    starts.into_iter().filter_map(definition).collect()
}

/// The structs of arguments in a text: their names and the text between their braces.
fn structs(text: &'static str) -> Vec<(&'static str, &'static str)> {
    text.split("typedef struct {")
        .skip(1)
        .filter_map(|rest| {
            let (body, after) = rest.split_once("\n}")?;
            let name = after.split_once(';')?.0.trim();
            name.ends_with("Arguments").then_some((name, body))
        })
        .collect()
}

/// The name, in sizes, of the number of a pointwise kernel's results: the word after its arguments.
const RESULTS: &str = "RESULTS";

fn kernel(definition: &Definition, structs: &Structs, sizes: &Sizes) -> Result<Kernel, Unreadable> {
    let Definition { name, arguments, results } = definition;
    let fields = structs.get(arguments).ok_or_else(|| unreadable(name, format!("there is no struct {arguments}")))?;
    let mut sizes = sizes.clone();
    if let Some(results) = results.and_then(|results| expression(results, &sizes).ok()) {
        sizes.insert(RESULTS, results);
    }
    Ok(Kernel { name, arguments: fields_of(arguments, fields, &sizes)?.leak() })
}

/// The fields of a struct.
fn fields_of(place: &str, body: &'static str, sizes: &Sizes) -> Result<Vec<Argument>, Unreadable> {
    let mut declared = Vec::new();
    let mut rest = body.trim();
    while !rest.is_empty() {
        let (declaration, after) =
            rest.split_once(';').ok_or_else(|| unreadable(place, format!("`{rest}` is no field with a `;`")))?;
        let (comment, after) = after
            .trim_start()
            .strip_prefix("/*")
            .and_then(|comment| comment.split_once("*/"))
            .ok_or_else(|| unreadable(place, format!("`{declaration}` has no comment `/* in: … */` behind it")))?;
        declared.push((declaration.trim(), comment.trim()));
        rest = after.trim_start();
    }
    let mut fields = Vec::new();
    for (declaration, comment) in &declared {
        let (kind, is_constant, names) = kind(declaration)
            .ok_or_else(|| unreadable(place, format!("`{declaration}` has no type of an argument")))?;
        fields.extend(names.map(|name| (name, kind, is_constant, *comment)));
    }
    // Integers first: sizes are multiples of them.
    let integer = |name: &str| fields.iter().position(|(field, kind, ..)| *field == name && *kind == Kind::Int);
    let argument = |(name, kind, is_constant, comment): &(&'static str, Kind, bool, &str)| {
        let wrong = |reason: String| unreadable(place, format!("`{name}`: {reason}"));
        let Marks { direction, optional, shared, size } = marks(comment).map_err(wrong)?;
        let is_buffer = !matches!(kind, Kind::Real | Kind::Int);
        let size = match size {
            Some(size) if is_buffer => self::size(size, sizes, &integer).map_err(wrong)?,
            None if !is_buffer => Size::Fixed(1),
            Some(_) => return Err(wrong("a single number has no size".to_owned())),
            None => return Err(wrong("a buffer has a size, as in `in: [COMPONENTS] per element`".to_owned())),
        };
        if (direction == Direction::In) != *is_constant {
            return Err(wrong("what is constant is `in`, and nothing else is".to_owned()));
        }
        Ok(Argument { name, kind: *kind, direction, size, optional, shared })
    };
    fields.iter().map(argument).collect()
}

/// The type of a declaration, whether it is constant, and the names that it declares.
fn kind(declaration: &'static str) -> Option<(Kind, bool, impl Iterator<Item = &'static str>)> {
    let (ty, names) = match declaration.split_once('*') {
        Some((ty, name)) => (ty.trim(), name),
        None => {
            let ty = ["double", "long long"].into_iter().find(|ty| declaration.starts_with(&format!("{ty} ")))?;
            (ty, &declaration[ty.len()..])
        }
    };
    let is_pointer = declaration.contains('*');
    let (kind, is_constant) = match (ty.strip_prefix("const ").unwrap_or(ty), is_pointer) {
        ("scalar", true) => (Kind::Reals, ty.starts_with("const ")),
        ("double", true) => (Kind::Doubles, ty.starts_with("const ")),
        ("int", true) => (Kind::Ints, ty.starts_with("const ")),
        ("double", false) => (Kind::Real, true),
        ("long long", false) => (Kind::Int, true),
        _ => return None,
    };
    let names: Vec<_> = names.split(',').map(str::trim).collect();
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (names.iter().all(is_name) && (!is_pointer || names.len() == 1)).then_some((kind, is_constant, names.into_iter()))
}

/// The parts of a comment: `DIRECTION[, optional][, shared][: SIZE][; words]`.
struct Marks<'t> {
    direction: Direction,
    optional: bool,
    shared: bool,
    size: Option<&'t str>,
}

fn marks(comment: &str) -> Result<Marks<'_>, String> {
    let head = comment.split(';').next().unwrap_or_default().trim();
    let (marks, size) = head.split_once(':').map_or((head, None), |(marks, size)| (marks, Some(size.trim())));
    let mut marks = marks.split(',').map(str::trim);
    let direction = match marks.next() {
        Some("in") => Direction::In,
        Some("out") => Direction::Out,
        Some("inout") => Direction::InOut,
        _ => return Err(format!("`{head}` does not begin with `in`, `out` or `inout`")),
    };
    let mut marks = marks.peekable();
    let optional = marks.next_if_eq(&"optional").is_some();
    let shared = marks.next_if_eq(&"shared").is_some();
    match marks.next() {
        None => Ok(Marks { direction, optional, shared, size }),
        Some(other) => Err(format!("`{other}` is unknown: `optional` and then `shared` may follow the direction")),
    }
}

fn size(text: &str, sizes: &Sizes, integer: &impl Fn(&str) -> Option<usize>) -> Result<Size, String> {
    let (factors, items) = text.split_once(" per ").map_or((text, None), |(factors, items)| (factors, Some(items)));
    let per_element = items == Some("element");
    let known = |items: &str| Item::ALL.into_iter().find(|(_, name)| *name == items).map(|(item, _)| item);
    let item = items.filter(|_| !per_element).map(|items| known(items).ok_or_else(|| format!("`{items}` is no item")));
    let item = item.transpose()?;
    let inside = factors.strip_prefix('[').and_then(|factors| factors.strip_suffix(']'));
    let inside = inside.ok_or_else(|| format!("`{text}` is no size, as `[COMPONENTS][BASIS] per element` is one"))?;
    let (mut product, mut times) = (1, None);
    for factor in inside.split("][") {
        match integer(factor) {
            Some(index) if times.is_none() && !per_element => times = Some(index),
            Some(_) => return Err(format!("`{text}` has `{factor}` beside another factor that a launch gives")),
            None => product *= expression(factor, sizes)?,
        }
    }
    Ok(match (item, times) {
        (Some(item), times) => Size::PerItem { item, numbers: product, times },
        (None, Some(index)) => Size::Times(product, index),
        (None, None) if per_element => Size::PerElement(product),
        (None, None) => Size::Fixed(product),
    })
}

/// The value of a sum of products of numbers, names and sums in brackets.
fn expression(text: &str, sizes: &Sizes) -> Result<usize, String> {
    let mut rest = text;
    let value = sum(&mut rest, sizes)?;
    if rest.trim().is_empty() { Ok(value) } else { Err(format!("`{text}` is no sum of products: `{rest}`")) }
}

fn sum(rest: &mut &str, sizes: &Sizes) -> Result<usize, String> {
    let mut value = product(rest, sizes)?;
    while take(rest, '+') {
        value += product(rest, sizes)?;
    }
    Ok(value)
}

fn product(rest: &mut &str, sizes: &Sizes) -> Result<usize, String> {
    let mut value = atom(rest, sizes)?;
    while take(rest, '*') {
        value *= atom(rest, sizes)?;
    }
    Ok(value)
}

fn atom(rest: &mut &str, sizes: &Sizes) -> Result<usize, String> {
    if take(rest, '(') {
        let value = sum(rest, sizes)?;
        return if take(rest, ')') { Ok(value) } else { Err(format!("`)` is missing before `{rest}`")) };
    }
    let text = rest.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    let number = word.parse().ok().or_else(|| sizes.get(word).copied());
    number.ok_or_else(|| format!("`{word}` is neither a number nor one that the unit defines"))
}

/// Skips spaces, and takes this character if it comes next.
fn take(rest: &mut &str, character: char) -> bool {
    let after = rest.trim_start().strip_prefix(character);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> Sizes {
        BTreeMap::from([("COMPONENTS", 4), ("BASIS", 6), ("DIM", 2)])
    }

    /// The arguments of a kernel with these fields.
    fn read(fields: &str) -> Result<&'static [Argument], String> {
        let text = format!("typedef struct {{\n{fields}\n}} SomeArguments;\n\nKERNEL(some, SomeArguments)\n{{\n}}\n");
        let kernels = kernels(&[text.leak()], &sizes()).map_err(|error| error.to_string())?;
        assert_eq!((kernels.len(), kernels[0].name), (1, "some"));
        Ok(kernels[0].arguments)
    }

    #[test]
    fn fields_have_a_name_a_kind_a_direction_and_a_size() {
        let fields = "const scalar *u; /* in: [COMPONENTS][BASIS] per element; coefficients */
            scalar *g;      /* inout, optional: [COMPONENTS * (DIM + 1) + 1] per element */
            const int *conditions; /* in: [1] per boundary face; the number
                                    * of its condition */
            const int *around; /* in: [valence] per vertex */
            const scalar *all; /* in, optional, shared: [COMPONENTS] per element of the mesh */
            double *clock;  /* out: [12] */
            scalar *sums;   /* out: [2 * COMPONENTS][stride]; columns */
            double a, b;    /* in; numbers */
            long long stride; /* in */
            long long valence; /* in */";
        let found = read(fields).unwrap();
        let argument =
            |name, kind, direction, size, optional| Argument { name, kind, direction, size, optional, shared: false };
        let per_item = |item, times| Size::PerItem { item, numbers: 1, times };
        let of_mesh = Size::PerItem { item: Item::MeshElement, numbers: 4, times: None };
        let expected = [
            argument("u", Kind::Reals, Direction::In, Size::PerElement(24), false),
            argument("g", Kind::Reals, Direction::InOut, Size::PerElement(13), true),
            argument("conditions", Kind::Ints, Direction::In, per_item(Item::BoundaryFace, None), false),
            argument("around", Kind::Ints, Direction::In, per_item(Item::Vertex, Some(10)), false),
            Argument { shared: true, ..argument("all", Kind::Reals, Direction::In, of_mesh, true) },
            argument("clock", Kind::Doubles, Direction::Out, Size::Fixed(12), false),
            argument("sums", Kind::Reals, Direction::Out, Size::Times(8, 9), false),
            argument("a", Kind::Real, Direction::In, Size::Fixed(1), false),
            argument("b", Kind::Real, Direction::In, Size::Fixed(1), false),
            argument("stride", Kind::Int, Direction::In, Size::Fixed(1), false),
            argument("valence", Kind::Int, Direction::In, Size::Fixed(1), false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_has_another_form_is_refused() {
        for (fields, said) in [
            ("const scalar *u;", "`const scalar *u` has no comment"),
            ("const scalar *u; /* coefficients */", "`u`: `coefficients` does not begin with `in`"),
            ("const scalar *u; /* in; coefficients */", "`u`: a buffer has a size"),
            ("const scalar *u; /* in: coefficients */", "`u`: `coefficients` is no size"),
            ("const scalar *u; /* in: [COMPONENT] per element */", "`COMPONENT` is neither a number"),
            ("const scalar *u; /* in: [2] per corner */", "`corner` is no item"),
            ("const scalar *u; /* in: [2 3] */", "`2 3` is no sum of products"),
            ("const scalar *u; /* in: [2 * (3 + 4] */", "`)` is missing"),
            ("const scalar *u; /* in, where a != 0: [2] */", "`where a != 0` is unknown"),
            ("const scalar *u; /* in, shared, optional: [2] */", "`optional` is unknown"),
            ("const scalar *u; /* out: [2] */", "what is constant is `in`"),
            ("scalar *u; /* in: [2] */", "what is constant is `in`"),
            ("const scalar *u; /* in: [n] per element */ long long n; /* in */", "`n` beside another factor"),
            ("long long n; /* in: [2] */", "`n`: a single number has no size"),
            ("float a; /* in */", "`float a` has no type of an argument"),
            ("const scalar *u, v; /* in: [2] */", "has no type of an argument"),
        ] {
            let error = read(fields).unwrap_err();
            assert!(error.starts_with("SomeArguments: ") && error.contains(said), "{fields}: {error}");
        }
        let missing = kernels(&["KERNEL_TEAM(some, SomeArguments, Shared)\n"], &sizes()).unwrap_err();
        assert_eq!(missing.to_string(), "some: there is no struct SomeArguments");
    }

    #[test]
    fn a_pointwise_kernel_says_how_many_results_it_has() {
        let text = "typedef struct {\n    scalar *values; /* out: [RESULTS] per element */\n} ValuesArguments;\n
KERNEL_POINTWISE(one, ValuesArguments, COMPONENTS, f(value))\nKERNEL_POINTWISE(two, ValuesArguments, 7, f(value))\n";
        let sizes = kernels(&[text], &sizes()).unwrap().into_iter().map(|kernel| kernel.arguments[0].size);
        assert_eq!(sizes.collect::<Vec<_>>(), [Size::PerElement(4), Size::PerElement(7)]);
    }
}
