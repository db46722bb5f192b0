//! Messages about unknown names.

/// Longer names are not compared, and shown in part.
const LONGEST: usize = 100;

/// The known name most similar to `name`, if any is similar.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.chars().nth(LONGEST).is_some() {
        return None;
    }
    let likeness = |candidate: &str| strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase());
    known
        .iter()
        .copied()
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// "unknown `what` `name`", with the nearest of the known names, or else all of them.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let shown = name.chars().nth(LONGEST).map(|_| name.chars().take(LONGEST).chain(['…']).collect::<String>());
    let name = shown.as_deref().unwrap_or(name);
    let all = || known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match nearest(name, known) {
        Some(near) if known.len() > 1 => format!("unknown {what} `{name}`; did you mean `{near}`? there are {}", all()),
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown {what} `{name}`; there is none"),
        None => format!("unknown {what} `{name}`; there are {}", all()),
    }
}
