//! Breaks long lines of C.
//!
//! A long statement is broken before the operators of a sum or a product. Where it is a call, each argument gets a line of its own; short
//! ones are filled into lines. Pieces that are still too long are broken in the same way.

/// The most columns of a line.
pub const WIDTH: usize = 120;
/// Columns by which a continued line is indented.
const INDENT: usize = 4;
/// Lists whose items have at most so many columns are filled into lines.
const SHORT: usize = 20;

/// The text, with lines that are too long broken where they can be.
pub fn wrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.lines() {
        for line in broken(line) {
            wrapped.push_str(&line);
            wrapped.push('\n');
        }
    }
    wrapped
}

fn broken(line: &str) -> Vec<String> {
    if width(line) <= WIDTH || line.starts_with('#') {
        return vec![line.to_owned()];
    }
    let code = line.trim_start();
    let indent = width(line) - width(code);
    if let Some(words) = code.strip_prefix("// ") {
        return comment(words, indent);
    }
    let mut lines = layout(code, indent, indent, 0);
    lines[0].insert_str(0, &" ".repeat(indent));
    lines
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Words of a comment, filled into lines.
fn comment(words: &str, indent: usize) -> Vec<String> {
    let start = format!("{}//", " ".repeat(indent));
    let mut lines = vec![start.clone()];
    for word in words.split(' ') {
        let last = lines.len() - 1;
        if lines[last] != start && width(&lines[last]) + 1 + width(word) > WIDTH {
            lines.push(start.clone());
        }
        let last = lines.len() - 1;
        lines[last] += &format!(" {word}");
    }
    lines
}

/// The lines of a piece of code that begins in column `column` of a line indented by `indent`, and that `tail` columns
/// follow. The first line does not contain the text before the piece.
fn layout(code: &str, indent: usize, column: usize, tail: usize) -> Vec<String> {
    if column + width(code) + tail <= WIDTH {
        return vec![code.to_owned()];
    }
    // The semicolon and the left side of an assignment are no operands.
    if let Some(rest) = code.strip_suffix(';') {
        let mut lines = layout(rest, indent, column, tail + 1);
        append(&mut lines, ";");
        return lines;
    }
    let lead = code.find(" = ").map(|at| at + 3).or_else(|| code.starts_with("return ").then_some(7));
    if let Some(lead) = lead.filter(|&lead| depths(code).nth(lead).is_none_or(|(_, depth)| depth == 0)) {
        let (lead, value) = code.split_at(lead);
        let mut lines = layout(value, indent, column + width(lead), tail);
        lines[0].insert_str(0, lead);
        return lines;
    }
    let operands = operands(code);
    if operands.len() > 1 {
        let inner = indent + INDENT;
        let mut lines = layout(operands[0], indent, column, 0);
        for (i, operand) in operands.iter().enumerate().skip(1) {
            // Lines that continue this one are indented from here.
            let mut more = layout(operand, inner, inner, if i + 1 == operands.len() { tail } else { 0 });
            more[0].insert_str(0, &" ".repeat(inner));
            lines.extend(more);
        }
        return lines;
    }
    let Some((open, close)) = brackets(code) else { return vec![code.to_owned()] };
    let (head, inside, rest) = (&code[..=open], &code[open + 1..close], &code[close..]);
    let arguments = split(inside, |_, text| text.starts_with(", ").then_some(2));
    if arguments.len() == 1 {
        let mut lines = layout(inside, indent, column + width(head), tail + width(rest));
        lines[0].insert_str(0, head);
        append(&mut lines, rest);
        return lines;
    }
    let inner = indent + INDENT;
    let mut lines = vec![head.to_owned()];
    if arguments.iter().all(|argument| width(argument) <= SHORT) {
        lines.extend(filled(&arguments, inner, tail + width(rest)));
        append(&mut lines, rest);
        return lines;
    }
    for (i, argument) in arguments.iter().enumerate() {
        let (end, tail) = if i + 1 == arguments.len() { (rest, tail) } else { (",", 0) };
        let mut more = layout(argument, inner, inner, width(end) + tail);
        more[0].insert_str(0, &" ".repeat(inner));
        append(&mut more, end);
        lines.extend(more);
    }
    lines
}

/// A list in as few lines as hold it, the last with room for what follows.
fn filled(items: &[&str], indent: usize, tail: usize) -> Vec<String> {
    let start = " ".repeat(indent);
    let mut lines = vec![start.clone()];
    for (i, item) in items.iter().enumerate() {
        let (end, tail) = if i + 1 == items.len() { ("", tail) } else { (",", 0) };
        let last = lines.len() - 1;
        let is_first = lines[last].len() == indent;
        if !is_first && width(&lines[last]) + 1 + width(item) + end.len() + tail > WIDTH {
            lines.push(format!("{start}{item}{end}"));
        } else {
            lines[last] += &format!("{}{item}{end}", if is_first { "" } else { " " });
        }
    }
    lines
}

fn append(lines: &mut [String], text: &str) {
    if let Some(last) = lines.last_mut() {
        last.push_str(text);
    }
}

/// Every byte of code with the number of brackets around it.
fn depths(code: &str) -> impl Iterator<Item = (usize, i32)> {
    let mut depth = 0;
    code.bytes().enumerate().map(move |(at, byte)| {
        depth -= i32::from(matches!(byte, b')' | b']' | b'}'));
        let here = depth;
        depth += i32::from(matches!(byte, b'(' | b'[' | b'{'));
        (at, here)
    })
}

/// The pieces between separators outside brackets. At a separator, `separator` returns the length that belongs to
/// neither piece.
fn split(code: &str, separator: impl Fn(usize, &str) -> Option<usize>) -> Vec<&str> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    for (at, depth) in depths(code) {
        if depth == 0
            && at > start
            && code.is_char_boundary(at)
            && let Some(length) = separator(at, &code[at..])
        {
            pieces.push(&code[start..at]);
            start = at + length;
        }
    }
    pieces.push(&code[start..]);
    pieces
}

/// The operands of the operators outside brackets with the lowest precedence, each with the operator before it.
fn operands(code: &str) -> Vec<&str> {
    const LEVELS: [&[&str]; 5] = [&[" ? ", " : "], &[" | "], &[" & "], &[" + ", " - "], &[" * ", " / "]];
    let by = |operators: &[&str]| {
        split(code, |_, text| operators.iter().any(|operator| text.starts_with(operator)).then_some(1))
    };
    LEVELS.iter().map(|operators| by(operators)).find(|operands| operands.len() > 1).unwrap_or_else(|| vec![code])
}

/// The positions of the largest outermost pair of brackets.
fn brackets(code: &str) -> Option<(usize, usize)> {
    let (mut open, mut pairs) = (0, Vec::new());
    for (at, _) in depths(code).filter(|(_, depth)| *depth == 0) {
        match code.as_bytes()[at] {
            b'(' | b'{' => open = at,
            b')' | b'}' => pairs.push((open, at)),
            _ => {}
        }
    }
    pairs.into_iter().max_by_key(|(open, close)| close - open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays() {
        let text = "    return make_State(a, b);\n\n// é\n";
        assert_eq!(wrap(text), text);
    }

    #[test]
    fn states_are_written_component_by_component() {
        let component = |name: &str| format!("{name} * (v + carried) + (p + carried * mass) * n.x");
        let [a, b, c] = ["first", "second", "third"].map(component);
        assert_eq!(
            wrap(&format!("    return make_State({a}, {b}, {c});\n")),
            format!("    return make_State(\n        {a},\n        {b},\n        {c});\n")
        );
    }

    #[test]
    fn short_items_are_filled_into_lines() {
        let [declared, given] = [|i| format!("real v{i}"), |i| format!("v{i}")]
            .map(|item: fn(usize) -> String| (0..81).map(item).collect::<Vec<_>>().join(", "));
        let text =
            format!("DEVICE Reals81 make_Reals81({declared})\n{{\n    const Reals81 law_made = {{{{{given}}}}};\n");
        let wrapped = wrap(&text);
        assert!(wrapped.lines().all(|line| width(line) <= WIDTH) && wrapped.lines().count() < 20, "{wrapped}");
        let only = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(only(&wrapped).replace("( ", "(").replace("{{ ", "{{"), only(&text));
    }

    #[test]
    fn sums_are_broken_before_their_operators() {
        let term = |name: &str| format!("ONCE(5, R(0.25) * (parameter_gamma - R(1.0))) * {name}");
        let [a, b, c] = ["first", "second", "third"].map(term);
        assert_eq!(
            wrap(&format!("    const real w = {a} + {b} - {c};\n")),
            format!("    const real w = {a}\n        + {b}\n        - {c};\n")
        );
        assert_eq!(
            wrap(&format!("    const real w = ({a} + {b} - {c}) * scale;\n")),
            format!("    const real w = ({a}\n        + {b}\n        - {c})\n        * scale;\n")
        );
    }

    #[test]
    fn nothing_but_spaces_is_changed() {
        let long = "u_".repeat(30);
        let text = format!(
            "    const Tuple {long} = select_Tuple(contact > R(0.0), make_Tuple(l, {long}, pl), make_Tuple(r, vr, {long}));\n"
        );
        let only = |text: &str| text.split_whitespace().collect::<String>();
        let wrapped = wrap(&text);
        assert_eq!(only(&wrapped), only(&text));
        assert!(wrapped.lines().all(|line| width(line) <= WIDTH), "{wrapped}");
    }

    #[test]
    fn comments_are_filled() {
        let wrapped = wrap(&format!("// {}\n", "word ".repeat(40).trim_end()));
        assert_eq!(wrapped.lines().count(), 2);
        assert!(wrapped.lines().all(|line| line.starts_with("// word") && width(line) <= WIDTH));
    }
}
