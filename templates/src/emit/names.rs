//! Names in the generated code: the user's own, made unique and kept clear of C, CUDA and the scheme.

use std::collections::BTreeSet;

/// Hands out names, each once.
#[derive(Clone, Debug)]
pub(super) struct Namer {
    taken: BTreeSet<String>,
}

impl Namer {
    /// A namer that knows the words which no user's name may take.
    pub(super) fn new() -> Self {
        Self { taken: RESERVED.iter().map(|&word| word.to_owned()).collect() }
    }

    /// `wanted` where it is free, otherwise `wanted_2`, `wanted_3`, ….
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        let wanted = wanted.strip_prefix("r#").unwrap_or(wanted);
        // Single letters that differ by an alphabet would not be C; the language allows ASCII names only.
        let name = std::iter::once(wanted.to_owned())
            .chain((2..).map(|n| format!("{wanted}_{n}")))
            .find(|name| !self.taken.contains(name))
            .unwrap_or_else(|| unreachable!("there are more numbers than names"));
        self.taken.insert(name.clone());
        name
    }
}

/// Keywords of C and C++, and the names of the prelude and the scheme that pointwise code can see.
const RESERVED: &[&str] = &[
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
    // The prelude.
    "real",
    "scalar",
    "mask",
    "ints",
    "offsets",
    "any",
    "select",
    "splat",
    "load",
    "store",
    "gather",
    "store_ints",
    "load_ints",
    "gather_ints",
    "lookup",
    "at",
    "at_lanes",
    "lane_numbers",
    "mask_of",
    "select_ints",
    "R",
    "DEVICE",
    "TABLE",
    "UNROLL",
    "KERNEL",
    "KERNEL_SCALAR",
    "LANES",
    "PRECISION",
    // The generated physics and the scheme.
    "State",
    "Normal",
    "Point",
    "state_of",
    "components_of_state",
    "point_of",
    "normal_of",
    "select_State",
    "flux_components",
    "normal_flux",
    "wave_speed",
    "slowest",
    "fastest",
    "source_term",
    "is_admissible",
    "outputs",
    "ghost_state",
    "evaluate",
    "position",
    "add_volume_term",
    "add_surface_term",
    "neighbour_trace",
    "boundary_trace",
    "load_coefficients",
    "store_coefficients",
    "add_projected",
    "set_zero",
    "stage",
    "begin_step",
    "end_step",
    "time_step",
    "reduce",
    "project",
    "project_values",
    "integrate",
    "change",
    "errors",
    "sample",
    "DIM",
    "ORDER",
    "COMPONENTS",
    "BASIS",
    "FACES",
    "OUTPUTS",
    "SOURCE",
    "INITIAL",
    "EXACT",
    "main",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_repetitions_get_a_number() {
        let mut namer = Namer::new();
        assert_eq!(namer.unique("v"), "v");
        assert_eq!(namer.unique("v"), "v_2");
        assert_eq!(namer.unique("double"), "double_2");
        assert_eq!(namer.unique("r#try"), "try_2");
    }
}
