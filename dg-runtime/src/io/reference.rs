//! Solutions along a line for comparison, as comma-separated values: exact ones, fine ones, measurements.

use std::path::Path;

use super::Error;

/// A table whose first line names its columns: `x` or `y`, fields of a law, and `time` if it has several. Lines that
/// begin with `#` are comments.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be read, [`Error::Content`] if it is no such table.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::system("read", path))?;
        Self::parse(&text).map_err(|reason| Error::content(path, reason))
    }

    /// A table in a text.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse(text)
    }

    /// The values in a column.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.columns.iter().position(|column| column == name)?;
        Some(self.rows.iter().map(|row| row[index]).collect())
    }

    /// The names of its columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Positions and values of a field at a time, sorted by position; none if the table lacks the field or the time.
    pub fn points(&self, axis: &str, field: &str, time: f64) -> Vec<[f64; 2]> {
        let column = |name: &str| self.columns.iter().position(|column| column == name);
        let (Some(x), Some(value)) = (column(axis), column(field)) else { return Vec::new() };
        // Times in the table are decimal numbers; those of a run equal them up to rounding.
        let is_now = |row: &&Vec<f64>| {
            column("time").is_none_or(|index| (row[index] - time).abs() <= 1e-9 * time.abs().max(1.0))
        };
        self.rows.iter().filter(is_now).map(|row| [row[x], row[value]]).collect()
    }
}

fn parse(text: &str) -> Result<Table, String> {
    // Spreadsheets mark the encoding.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let split = |line: &str| line.split(',').map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>();
    let columns = lines.next().map(|(_, line)| split(line)).unwrap_or_default();
    if !columns.iter().any(|column| column == "x" || column == "y") {
        return Err("its first line is to name its columns, one of them `x` or `y`: time,x,rho".into());
    }
    if let Some(twice) = columns.iter().enumerate().find_map(|(i, name)| columns[..i].contains(name).then_some(name)) {
        return Err(format!("two of its columns are called `{twice}`; rename one of them"));
    }
    let rows = lines.map(|(index, line)| {
        let row: Vec<f64> = split(line).iter().filter_map(|cell| cell.parse().ok()).collect();
        if row.len() == columns.len() {
            Ok(row)
        } else {
            Err(format!("line {} has not {} numbers: `{line}`", index + 1, columns.len()))
        }
    });
    Ok(Table { rows: rows.collect::<Result<_, _>>()?, columns })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_time_are_found() {
        let table = parse("# exact\ntime, x, rho\n0.1,0,1\n0.1,1,2\n0.30000000000000004,0,3\n").unwrap();
        assert_eq!(table.points("x", "rho", 0.1), [[0.0, 1.0], [1.0, 2.0]]);
        assert_eq!(table.points("x", "rho", 0.3), [[0.0, 3.0]]);
        assert!(table.points("x", "rho", 0.2).is_empty() && table.points("y", "rho", 0.1).is_empty());
        assert_eq!(parse("x,u\n0,1").unwrap().points("x", "u", 7.0), [[0.0, 1.0]]);
    }

    #[test]
    fn what_is_no_table_is_refused_by_line() {
        assert!(parse("0,1\n").unwrap_err().contains("first line is to name its columns"));
        assert_eq!(parse("x,u\n# more\n0,one\n").unwrap_err(), "line 3 has not 2 numbers: `0,one`");
        assert_eq!(parse("x,u,u\n0,1,2\n").unwrap_err(), "two of its columns are called `u`; rename one of them");
    }

    #[test]
    fn a_mark_of_the_encoding_is_no_part_of_a_name() {
        assert_eq!(parse("\u{feff}x,u\n0,1").unwrap().columns(), ["x", "u"]);
    }
}
