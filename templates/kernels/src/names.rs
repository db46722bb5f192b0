//! Resolves clashes between functions of the law and names of the scheme: the law's name stays, the scheme's gets a
//! prefix.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// The prefix of the scheme's renamed names.
const PREFIX: &str = "dg_";

/// The functions of the physics whose names a text of the scheme defines too.
pub fn shared<'a>(physics: &'a str, scheme: &[&str]) -> BTreeSet<&'a str> {
    let theirs: BTreeSet<&str> = scheme.iter().flat_map(|text| defined(text)).collect();
    defined(physics).filter(|name| theirs.contains(name)).collect()
}

/// The text of the scheme with these names prefixed.
pub fn renamed<'t>(text: &'t str, names: &BTreeSet<&str>) -> Cow<'t, str> {
    if names.is_empty() {
        return text.into();
    }
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = &rest[..end_of_word(rest)];
        if names.contains(word) {
            renamed.push_str(PREFIX);
        }
        let taken = word.len().max(rest.chars().next().map_or(1, char::len_utf8));
        renamed.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    renamed.into()
}

/// Functions, tables and types that a text defines at its top level.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (first, rest) = line.split_once(' ')?;
        match first {
            // `} Name;` at the end of a struct.
            "}" => rest.strip_suffix(';').map(|name| &name[..end_of_word(name)]),
            // `DEVICE type name(…)`, `TABLE type name[…]`, `typedef type name;`: the last word before the bracket or the end.
            "DEVICE" | "TABLE" | "RARE_TABLE" | "typedef" => {
                rest.split(['(', ';', '[']).next()?.split([' ', '*']).rfind(|part| !part.is_empty())
            }
            _ => None,
        }
    })
}

fn end_of_word(text: &str) -> usize {
    text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_makes_way_for_the_law() {
        let scheme = "DEVICE real load(const scalar *p) { return *p; }\nDEVICE real loads(int n)\n{\n    return load(a->u) + n;\n}\n";
        let physics = "DEVICE real load(State u)\n{\n    return u.h;\n}\n\nDEVICE real depth(State u)\n{\n}\n";
        let names = shared(physics, &[scheme, "TABLE scalar depths[2] = {1, 2};\n"]);
        assert_eq!(names, BTreeSet::from(["load"]));
        assert_eq!(
            renamed(scheme, &names),
            "DEVICE real dg_load(const scalar *p) { return *p; }\nDEVICE real loads(int n)\n{\n    return dg_load(a->u) + n;\n}\n"
        );
        assert_eq!(renamed("µ load", &names), "µ dg_load");
    }
}
