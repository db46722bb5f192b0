//! Names in the generated code: the user's own, made unique and kept clear of C, CUDA and the scheme.

use std::collections::BTreeSet;

use dg_contract::protocol;

/// Hands out names, each once.
#[derive(Clone, Debug)]
pub(super) struct Namer {
    taken: BTreeSet<String>,
}

impl Namer {
    /// A namer that knows the words which no user's name may take: C's, the scheme's and those
    /// that `text` defines.
    pub(super) fn new(text: &str) -> Self {
        let mut taken: BTreeSet<String> = KEYWORDS.iter().map(|&word| word.to_owned()).collect();
        taken.extend(dg_kernels::texts().flat_map(defined).map(str::to_owned));
        taken.extend(protocol::CONSTANTS.iter().map(|constant| constant.name.to_owned()));
        taken.extend(defined(text).map(str::to_owned));
        Self { taken }
    }

    /// Keeps further words from being handed out.
    pub(super) fn reserve<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.taken.extend(words.into_iter().map(str::to_owned));
    }

    /// `wanted` where it is free, otherwise `wanted_2`, `wanted_3`, …; `own_wanted` where it might be one of a family of
    /// generated functions.
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        let own = if FAMILIES.iter().any(|family| wanted.starts_with(family)) { "own_" } else { "" };
        let wanted = format!("{own}{wanted}");
        let name = std::iter::once(wanted.clone())
            .chain((2..).map(|n| format!("{wanted}_{n}")))
            .find(|name| !self.taken.contains(name))
            .unwrap_or_else(|| unreachable!("there are more numbers than names"));
        self.taken.insert(name.clone());
        name
    }
}

/// How the names begin that are generated for every type, every function of reals, every direction and every given state.
const FAMILIES: &[&str] = &["real_", "scalar_", "make_", "select_", "pointwise_", "law_", "LANES_", "once_"];

/// Keywords of C and C++.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "const",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "nullptr",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
    "main",
];

/// Every name that a text of the prelude or the scheme defines at its top level, macros among them.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start_matches('#').trim_start();
        let (first, rest) = line.split_once([' ', '('])?;
        let rest = rest.trim_start();
        match first {
            "define" | "PARAMETER" | "LANES_FUNCTION" | "LANES_LIFT" => word(rest),
            kernel if kernel.starts_with("KERNEL") => word(rest),
            // `} Name;` at the end of a struct.
            "}" => word(rest),
            // `typedef type name;` and `DEVICE type name(…)`: the last word before the bracket or the end.
            "TABLE" | "RARE_TABLE" | "typedef" | "DEVICE" => {
                rest.split(['(', ';', '[']).next()?.split([' ', '*']).rfind(|part| !part.is_empty())
            }
            _ => None,
        }
    })
}

/// Every identifier of a text of C outside comments: arguments and locals, too, which would hide a function of that name.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("/*").flat_map(|part| part.split_once("*/").map_or(part, |(_, code)| code).lines());
    code.flat_map(|line| line.split("//").next())
        .flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .filter(|word| word.starts_with(|letter: char| !letter.is_numeric()))
}

/// The identifier that a text begins with.
fn word(text: &str) -> Option<&str> {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    (end > 0).then(|| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_repetitions_get_a_number() {
        let mut namer = Namer::new("");
        assert_eq!(namer.unique("v"), "v");
        assert_eq!(namer.unique("v"), "v_2");
        assert_eq!(namer.unique("double"), "double_2");
    }

    #[test]
    fn words_are_those_of_the_code() {
        let text = "/* first\n   second */ State u = f(1, x2); // third\nint e; /* fourth */ y_";
        assert_eq!(words(text).collect::<Vec<_>>(), ["State", "u", "f", "x2", "int", "e", "y_"]);
    }

    #[test]
    fn names_of_the_scheme_are_not_the_users() {
        let mut namer =
            Namer::new("TABLE scalar fine_points[3] = {\n#define VOLUME_POINTS 3\nDEVICE State boundary_wall(State u)");
        for taken in ["R", "load", "gather_ints", "evaluate", "stage", "reduce", "advance_clock", "Links", "CLOCK_DT"] {
            assert_eq!(namer.unique(taken), format!("{taken}_2"));
        }
        for taken in ["fine_points", "VOLUME_POINTS", "BOUNDARY_CONDITIONS"] {
            assert_eq!(namer.unique(taken), format!("{taken}_2"));
        }
        assert_eq!(namer.unique("real_gas"), "own_real_gas");
    }
}
