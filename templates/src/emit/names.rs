//! Names in the generated code: the user's own as they are written, but for words that mean something else there.
//!
//! The scheme's functions make way for the user's: names of the bridge begin with `law_`, and `dg_kernels` renames other functions of the
//! scheme where they meet. Reserved are only keywords of C, the language of `lanes.h`, and macros that are defined before the physics.

use std::collections::BTreeSet;

use dg_contract::protocol;

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// A function, which is called.
    Function,
    /// A variable of a function, or a component of the state.
    Variable,
}

/// Hands out names, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Namer {
    taken: BTreeSet<String>,
}

impl Namer {
    /// Keeps further words from being handed out.
    pub(super) fn reserve<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.taken.extend(words.into_iter().map(str::to_owned));
    }

    /// `wanted` if it is free, otherwise `wanted_2`, `wanted_3`, …; `own_wanted` if it would belong to a family of
    /// names. The pattern `_` becomes `unused`.
    pub(super) fn unique(&mut self, wanted: &str, of: Of) -> String {
        let wanted = if wanted == "_" { "unused" } else { wanted };
        let wanted = if is_of_family(wanted) { format!("own_{wanted}") } else { wanted.to_owned() };
        let name = std::iter::once(wanted.clone())
            .chain((2..).map(|n| format!("{wanted}_{n}")))
            .find(|name| !self.taken.contains(name) && !is_reserved(name, of))
            .unwrap_or_else(|| unreachable!("there are more numbers than names"));
        self.taken.insert(name.clone());
        name
    }
}

/// Whether a word means something else in the generated code.
fn is_reserved(word: &str, of: Of) -> bool {
    let is_in = |list: &[&str]| list.contains(&word);
    let always = is_in(KEYWORDS) || is_in(WORDS) || is_in(MACROS) || is_of_family(word);
    always || of == Of::Function && (is_in(MACROS_WITH_ARGUMENTS) || is_in(LIBRARY))
}

/// Whether a word belongs to names that are made by a rule: those of the bridge, of types and of their operations.
fn is_of_family(word: &str) -> bool {
    let follows = |prefix: &str, holds: fn(&str) -> bool| word.strip_prefix(prefix).is_some_and(holds);
    let is_type = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_uppercase());
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit());
    let is_real_function = |rest: &str| REAL_FUNCTIONS.contains(&rest);
    protocol::CONSTANTS.iter().any(|constant| constant.name == word)
        || ["law_", "local_", "lanes_", "LANES_", "kernel_", "parameter_", "__"]
            .iter()
            .any(|prefix| word.starts_with(prefix))
        || ["make_", "select_"].iter().any(|prefix| follows(prefix, is_type))
        || ["real_", "scalar_"].iter().any(|prefix| follows(prefix, is_real_function))
        || follows("once_", is_number)
        || is_aggregate(word)
}

/// Whether a type of an array or a tuple may have this name, as `Reals4` and `TupleStateReal`.
fn is_aggregate(word: &str) -> bool {
    const PARTS: [&str; 6] = ["Real", "Mask", "State", "Medium", "Normal", "Point"];
    let element = word.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let is_array = element.len() < word.len() && element.ends_with('s');
    (is_array && PARTS.iter().any(|part| element.starts_with(part))) || word.starts_with("Tuple")
}

/// Keywords of C and C++.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
    "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
    "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do",
    "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
    "goto", "if", "inline", "int", "long", "main", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
    "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
];

/// Types, and functions that the physics call.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "Medium", "Normal", "Point", "State", "any", "everywhere", "ints", "largest_or_nan", "mask", "mask_of", "nowhere", "offsets",
    "real", "scalar", "select", "select_ints", "splat",
];

/// Functions with the prefix `real_`, most of them also with `scalar_`.
#[rustfmt::skip]
const REAL_FUNCTIONS: &[&str] = &[
    "abs", "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "exp", "ln", "max", "min", "pow", "powi", "reciprocal",
    "sin", "sinh", "sqrt", "tan", "tanh",
];

/// Macros that are defined before the physics, or in them.
#[rustfmt::skip]
const MACROS: &[&str] = &[
    "ADMISSIBLE", "BASIS", "BLOCK", "BLOCK_SIZE", "BOUNDED", "CASE_FUNCTIONS", "CHARACTERISTIC",
    "COMPONENT", "COMPONENTS", "CORNERS", "CUDA_BLOCK", "CUDA_UNROLL", "DEVICE", "DIM", "ELEMENT", "EXACT", "FACES", "FACE_POINTS",
    "FIELDS", "FINE_POINTS", "IMPLICIT_SOURCE", "INDICATOR", "INITIAL", "KEEP_BOUNDS", "KERNEL_BACKWARDS", "LANES", "LIMITER", "LINE_ROWS",
    "LIMITER_PART", "LIMIT_CHARACTERISTIC", "LITERAL_PARAMETERS", "MANUFACTURED", "MEDIA", "MEDIUM_BASIS", "MIN_BLOCKS", "NONCONSERVATIVE",
    "LIFTED_PENALTY", "NO_EIGENVALUES", "NO_UNROLL", "NUMERICAL_FLUX", "ONE_SIDED", "ORDER",
    "OUTPUTS", "OUTPUT_PART", "PAIR", "PAIRS", "PART", "PATCH", "PATCH_BLOCKS", "POINTWISE", "POSITIVITY", "PRECISION", "RARE_TABLE", "RECEIVER_STEPS", "REFERENCE_VOLUME", "REST_PART",
    "RIM", "SAMPLE_POINTS", "SCHEDULE", "SLOPES", "SOURCE", "SOURCE_IS_PRODUCT", "SOURCE_JACOBIAN", "STAGE_PART", "STORED_PAST_CACHES", "TABLE", "TENSOR", "THREADS", "TRACE", "TRIPLE", "TUPLE", "UNROLL",
    "UNROLL_FACES", "UNROLL_FACE_POINTS", "UNROLL_POINTS", "UNROLL_VOLUME_POINTS", "CONSTANT_MEDIA", "VARYING_MEDIA", "VECTOR_BYTES", "VISCOUS", "VOLUME_POINTS", "WAVES_BETWEEN",
    "WELL_BALANCED",
    "linux", "unix",
];

/// The same with arguments, which are no macros where no bracket follows.
#[rustfmt::skip]
const MACROS_WITH_ARGUMENTS: &[&str] = &[
    "BOUNDARY_CONDITIONS", "BOUNDARY_FLUXES", "BOUNDARY_MIRRORS", "CASE_STATES", "CHANGES_ACROSS", "DIFFUSION_BLOCKS", "EACH_DERIVATIVE", "EACH_FACE",
    "BLOCK_OF", "EACH_REFERENCE_NORMAL", "HAS_SOURCE", "IS_FIELD", "IS_ODD", "KERNEL", "KERNEL_BLOCK", "KERNEL_SCALAR", "LANE_OF", "ONCE", "ONE_LESS", "ONE_LESS_BEHIND", "PARAMETER", "R", "REFERENCE_NORMAL_0", "REFERENCE_NORMAL_1",
    "REFERENCE_NORMAL_2", "REFERENCE_NORMAL_3", "SOURCE_BLOCKS", "UNIFORM_MEDIUM", "CONSTANT_MEDIUM", "OF_MEDIUM", "ONE_MORE", "ONE_MORE_BEHIND",
];

/// Functions that compilers know.
#[rustfmt::skip]
const LIBRARY: &[&str] = &[
    "abs", "acos", "acosf", "acosh", "asin", "asinf", "asinh", "atan", "atan2", "atan2f", "atanf", "atanh", "cbrt",
    "ceil", "copysign", "cos", "cosf", "cosh", "coshf", "erf", "erfc", "exp", "exp2", "expf", "expm1", "fabs",
    "fabsf", "fdim", "floor", "fma", "fmaf", "fmax", "fmaxf", "fmin", "fminf", "fmod", "frexp", "hypot", "ilogb",
    "isfinite", "isinf", "isnan", "j0", "j1", "jn", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb",
    "logf", "lrint", "lround", "max", "min", "modf", "nan", "nearbyint", "nextafter", "norm", "normcdf", "pow",
    "powf", "remainder", "rint", "round", "rsqrt", "scalbn", "signbit", "sin", "sincos", "sinf", "sinh", "sinhf",
    "sqrt", "sqrtf", "tan", "tanf", "tanh", "tanhf", "tgamma", "trunc", "y0", "y1", "yn",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn unique(name: &str, of: Of) -> String {
        Namer::default().unique(name, of)
    }

    #[test]
    fn keywords_and_repetitions_get_a_number() {
        let mut namer = Namer::default();
        assert_eq!(namer.unique("v", Of::Variable), "v");
        assert_eq!(namer.unique("v", Of::Variable), "v_2");
        assert_eq!(namer.unique("double", Of::Variable), "double_2");
        assert_eq!(["_", "_"].map(|name| namer.unique(name, Of::Variable)), ["unused", "unused_2"]);
    }

    #[test]
    fn words_of_the_language_are_not_the_users() {
        for of in [Of::Function, Of::Variable] {
            for taken in ["real", "State", "splat", "DIM", "linux"] {
                assert_eq!(unique(taken, of), format!("{taken}_2"));
            }
            for family in ["law_flux", "real_sqrt", "make_State", "once_0", "Reals4", "TupleRealReal", "CLOCK_DT"] {
                assert_eq!(unique(family, of), format!("own_{family}"));
            }
        }
        for taken in ["R", "exp", "pow"] {
            assert_eq!(unique(taken, Of::Function), format!("{taken}_2"));
            assert_eq!(unique(taken, Of::Variable), taken);
        }
    }

    #[test]
    fn other_names_are_the_users() {
        let free =
            ["load", "stage", "records", "normal_flux", "wave_speed", "fine_points", "real_gas", "make_wave", "u", "E"];
        for name in free {
            for of in [Of::Function, Of::Variable] {
                assert_eq!(unique(name, of), name);
            }
        }
    }

    /// Names defined before the physics are reserved, except functions and tables: the physics do not use them, so they
    /// can be renamed.
    #[test]
    fn everything_that_stands_before_the_physics_is_reserved() {
        let text = dg_kernels::before_physics(dg_contract::Shape::Triangle);
        for line in text.lines() {
            let line = line.trim_start_matches('#').trim_start();
            let Some((first, rest)) = line.split_once([' ', '(']) else { continue };
            let (name, of) = match first {
                "define" => {
                    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                    let name = &rest[..end.unwrap_or(rest.len())];
                    let has_arguments = rest[name.len()..].starts_with('(');
                    (name, if has_arguments { Of::Function } else { Of::Variable })
                }
                "typedef" if line.ends_with(';') => {
                    let declared = line.split(" __attribute__").next().unwrap().trim_end_matches(';');
                    (declared.rsplit(' ').next().unwrap(), Of::Variable)
                }
                _ => continue,
            };
            assert!(is_reserved(name, of), "`{name}` stands before the physics, and is not in a list of this file");
        }
        for name in REAL_FUNCTIONS {
            let is_there = [format!("({name})"), format!(" real_{name}(")].iter().any(|form| text.contains(form));
            assert!(is_there, "{name}");
        }
    }
}
