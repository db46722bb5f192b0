//! Fills the lines of what is generated.

/// The most columns of a line.
pub const WIDTH: usize = 120;

/// Appends words to the last line of a macro. It is continued in lines with this indentation where they do not fit.
pub fn fill_macro(text: &mut String, words: impl IntoIterator<Item = String>, indent: usize) {
    let mut column = text.rsplit('\n').next().map_or(0, str::len);
    for word in words {
        // ` \` follows the last word of a line that is continued.
        if column + 1 + word.len() + 2 > WIDTH {
            text.push_str(" \\\n");
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
}

/// The words of a sum of terms, at least one, and what follows it.
pub fn sum(terms: &[String], end: &str) -> Vec<String> {
    let word = |(i, term): (usize, &String)| {
        let (sign, end) = (if i == 0 { "" } else { "+ " }, if i + 1 == terms.len() { end } else { "" });
        format!("{sign}{term}{end}")
    };
    terms.iter().enumerate().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_is_continued_where_its_words_do_not_fit() {
        let words = || (0..40).map(|i| format!("X({i})"));
        let mut text = String::from("#define EACH(X)");
        fill_macro(&mut text, words(), 4);
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        let (last, others) = (text.lines().next_back().unwrap(), text.lines().count() - 1);
        assert!(text.lines().take(others).all(|line| line.ends_with(" \\")) && last.ends_with("X(39)"));
        let joined = text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(joined, format!("#define EACH(X) {}", words().collect::<Vec<_>>().join(" ")));
    }

    #[test]
    fn a_sum_ends_with_what_follows_it() {
        assert_eq!(sum(&["a".to_owned()], ";"), ["a;"]);
        assert_eq!(sum(&["a".to_owned(), "b".to_owned()], ";"), ["a", "+ b;"]);
    }
}
