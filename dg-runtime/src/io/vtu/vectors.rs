//! Recognizes the components of a vector among scalars.

/// A scalar, or a vector with the names of its components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// The name of the scalar or vector.
    pub name: String,
    /// The names of its components.
    pub components: Vec<&'a str>,
}

/// Every name as a scalar.
pub fn scalars<'a>(names: &[&'a str]) -> Vec<Group<'a>> {
    names.iter().map(|name| Group { name: (*name).to_owned(), components: vec![name] }).collect()
}

/// Groups names: `rho_v1` and `rho_v2`, which differ only in a number that starts at 1, are the vector `rho_v`; so are three such names.
/// A vector takes the place of its first component.
pub fn groups<'a>(names: &[&'a str]) -> Vec<Group<'a>> {
    let component = |stem: &str, number: usize| names.iter().copied().find(|name| *name == format!("{stem}{number}"));
    let vector = |name: &str| {
        let stem = name.strip_suffix(['1', '2', '3']).filter(|stem| !stem.is_empty())?;
        // A list with a fourth name is no vector.
        let components: Vec<_> = (1..=4).map_while(|number| component(stem, number)).collect();
        let own = components.contains(&name) && (2..=3).contains(&components.len()) && !names.contains(&stem);
        own.then(|| Group { name: stem.trim_end_matches('_').to_owned(), components })
    };
    let mut groups: Vec<Group<'a>> = Vec::new();
    for &name in names {
        let group = vector(name).unwrap_or_else(|| Group { name: name.to_owned(), components: vec![name] });
        if !groups.iter().any(|known| known.components.contains(&name)) {
            groups.push(group);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&'static str]) -> Vec<(String, Vec<&'static str>)> {
        groups(names).into_iter().map(|group| (group.name, group.components)).collect()
    }

    #[test]
    fn numbered_names_are_vectors() {
        let names = ["rho", "rho_v1", "rho_v2", "rho_e", "b1", "b2", "b3"];
        let expected = [
            ("rho", vec!["rho"]),
            ("rho_v", vec!["rho_v1", "rho_v2"]),
            ("rho_e", vec!["rho_e"]),
            ("b", vec!["b1", "b2", "b3"]),
        ];
        assert_eq!(found(&names), expected.map(|(name, components)| (name.to_owned(), components)));
    }

    #[test]
    fn other_names_are_scalars() {
        for names in [&["p1", "u"][..], &["u2", "u3"], &["y1", "y2", "y3", "y4"], &["1", "2"], &["q", "q1", "q2"]] {
            assert!(groups(names).iter().all(|group| group.components == [group.name.as_str()]), "{names:?}");
        }
    }
}
