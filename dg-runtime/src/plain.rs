//! Text for people, without control sequences for terminals.
//!
//! Messages contain names and excerpts of case files, meshes and checkpoints, and messages of compilers. All printed text
//! passes through here, so that an escape sequence in a file is shown, not obeyed.

use std::borrow::Cow;

/// The text with control characters, except line ends and tabs, replaced by visible ones of the same width; also those that
/// change the direction of writing, which can make a line look like another.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().any(steers) {
        text.chars().map(|c| if steers(c) { picture(c) } else { c }).collect()
    } else {
        text.into()
    }
}

/// JSON with those characters escaped; outside of strings it has none.
pub(crate) fn plain_json(json: &str) -> Cow<'_, str> {
    if json.chars().any(steers) {
        let escaped = |c: char| if steers(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
        json.chars().map(escaped).collect::<String>().into()
    } else {
        json.into()
    }
}

fn steers(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() || turns) && c != '\n' && c != '\t'
}

/// Unicode has a picture for each of the old control characters.
fn picture(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32('\u{2400}' as u32 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_in_as_many_columns() {
        assert_eq!(plain("Δt = 1\n\tx"), "Δt = 1\n\tx");
        assert_eq!(plain("\x1b[31m\r\x07\x7f\u{9b}2J\u{202e}"), "␛[31m␍␇␡\u{fffd}2J\u{fffd}");
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({ "name": "a\x1b]0;\u{9b}2J\x7f\u{202e}\n" });
        let text = plain_json(&value.to_string()).into_owned();
        assert!(text.is_ascii() && text.bytes().all(|byte| (b' '..0x7f).contains(&byte)), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
