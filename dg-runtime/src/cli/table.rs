//! Tables for people.

/// Columns as wide as their widest cell, two spaces apart. The first row is the heading; columns of numbers are aligned to the
/// right, others to the left.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let width = |column: usize| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let is_number = |cell: &String| cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let layout: Vec<_> = (0..columns).map(|column| (width(column), cells(column).skip(1).all(is_number))).collect();
    let mut text = String::new();
    for row in rows {
        let cells =
            row.iter().zip(&layout).map(
                |(cell, &(width, numbers))| {
                    if numbers { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                },
            );
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// `text` with every non-empty line indented by two.
pub(super) fn indent(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_line_up_on_the_right() {
        let rows = [["name", "p = 1", "unit"], ["λ", "7", "s"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(table(&rows), "name  p = 1  unit\nλ         7  s\n");
    }
}
