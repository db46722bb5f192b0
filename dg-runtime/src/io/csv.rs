//! The time history of a run as comma-separated values.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use super::Error;
use super::rows::{Rows, complete};

/// The history that a run writes: `time,step,integral_NAME…,change_per_step,change_per_time,dt,rejected,element,wave`.
///
/// Numbers have enough digits to restore their bits.
#[derive(Debug)]
pub struct History {
    rows: Rows,
    columns: usize,
    /// The step of the last row at the time of resuming.
    last: Option<u64>,
}

/// A row of a history.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Time.
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// The integrals of the variables, in order.
    pub integrals: &'a [f64],
    /// Data of the last step; `None` before the first.
    pub last: Option<Last<'a>>,
}

/// The last step.
#[derive(Clone, Copy, Debug)]
pub struct Last<'a> {
    /// The largest change of a coefficient.
    pub change_per_step: f64,
    /// The same per unit of time and relative to its component.
    pub change_per_time: f64,
    /// Its length.
    pub dt: f64,
    /// Steps rejected so far.
    pub rejected: u64,
    /// The element that bounds the next step.
    pub element: usize,
    /// The fastest wave across it, as a formula.
    pub wave: &'a str,
}

impl History {
    /// Starts a history, replacing any earlier one, with one integral for each conserved variable.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be written.
    pub fn new(path: impl Into<PathBuf>, variables: &[&str]) -> Result<Self, Error> {
        Self::start(path.into(), variables, &[])
    }

    /// Resumes a history as it was after `step`: later rows and an incomplete last one are dropped. A
    /// missing file is started. A run that appends rows before it writes its checkpoint loses none.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be read or written, [`Error::Content`] if it is no history of these
    /// variables.
    pub fn resume(path: impl Into<PathBuf>, variables: &[&str], step: u64) -> Result<Self, Error> {
        let path = path.into();
        let Some(text) = Rows::text(&path)? else { return Self::new(path, variables) };
        let rows = rows_until(&text, &header(variables), step).map_err(|reason| Error::content(&path, reason))?;
        let last = rows.last().and_then(|row| step_of(row));
        Ok(Self { last, ..Self::start(path, variables, &rows)? })
    }

    /// The step of the last row when the history was [resumed](Self::resume); `None` if it had none.
    pub fn last_step(&self) -> Option<u64> {
        self.last
    }

    fn start(path: PathBuf, variables: &[&str], rows: &[&str]) -> Result<Self, Error> {
        Ok(Self { rows: Rows::start(path, &header(variables), rows)?, columns: variables.len(), last: None })
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the row cannot be written.
    ///
    /// # Panics
    ///
    /// If there is not one integral for each variable.
    pub fn append(&mut self, row: &Row<'_>) -> Result<(), Error> {
        assert_eq!(row.integrals.len(), self.columns, "integrals");
        let mut text = format!("{:?},{}", row.time, row.step);
        for value in row.integrals {
            text += &format!(",{value:?}");
        }
        match &row.last {
            None => text += ",,,,,,",
            Some(Last { change_per_step, change_per_time, dt, rejected, element, wave }) => {
                text += &format!(
                    ",{change_per_step:?},{change_per_time:?},{dt:?},{rejected},{element},\"{}\"",
                    wave.replace('"', "\"\"")
                );
            }
        }
        text.push('\n');
        self.rows.append(&text)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.rows.path()
    }
}

/// The columns of a history, of the signal of a receiver, or of what is measured, with their names; NaN where a cell has no number. An incomplete last row is
/// ignored.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be read, [`Error::Content`] if it is neither.
pub fn columns(path: &Path) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::system("read", path))?;
    let (header, lines) = complete(&text);
    if header.split(',').next() != Some(TIME) {
        let reason = "it is neither the history of a run, which begins with `time,step,`, nor a signal or measurement, which begins with `time,`";
        return Err(Error::content(path, reason));
    }
    let mut columns: Vec<(String, Vec<f64>)> = header.split(',').map(|name| (name.into(), Vec::new())).collect();
    for line in lines {
        // Commas in the last column belong to a formula.
        let mut cells = line.splitn(columns.len(), ',');
        for (_, values) in &mut columns {
            values.push(cells.next().and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN));
        }
    }
    Ok(columns)
}

/// The first column.
pub(super) const TIME: &str = "time";

/// The beginning of every history.
const HEADER: &str = "time,step,";

fn header(variables: &[&str]) -> String {
    let integrals: String = variables.iter().map(|name| format!(",integral_{name}")).collect();
    format!("time,step{integrals},change_per_step,change_per_time,dt,rejected,element,wave")
}

/// The complete rows up to and including `step`.
fn rows_until<'a>(text: &'a str, header: &str, step: u64) -> Result<Vec<&'a str>, String> {
    let (found, lines) = complete(text);
    if found != header {
        return Err(format!(
            "its first line is `{found}`, not `{header}`: it is the history of another run; move it away"
        ));
    }
    let mut rows = Vec::new();
    for (line, row) in lines.enumerate() {
        match step_of(row) {
            Some(found) if found <= step => rows.push(row),
            Some(_) => {}
            None => return Err(format!("line {} has no step: `{row}`; move the file away", line + 2)),
        }
    }
    Ok(rows)
}

/// The step of a row.
fn step_of(row: &str) -> Option<u64> {
    row.split(',').nth(1)?.parse().ok()
}

/// Whether a run wrote the file before its first checkpoint: a history with at most the row of the initial state.
pub fn is_of_the_beginning(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    lines.next().is_some_and(|header| header.starts_with(HEADER)) && lines.nth(1).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(history: &mut History, steps: std::ops::Range<u64>) {
        for step in steps {
            let s = step as f64;
            let last = Last {
                change_per_step: 1e-300 * s,
                change_per_time: 0.5,
                dt: 0.1,
                rejected: 2,
                element: 17,
                wave: "max(a, \"b\")",
            };
            let integrals = &[s.sqrt(), -1.0 / 3.0];
            history.append(&Row { time: 0.1 * s, step, integrals, last: (step > 0).then_some(last) }).unwrap();
        }
    }

    #[test]
    fn rows_read_back_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let mut history = History::new(folder.path().join("h.csv"), &["rho", "rho_e"]).unwrap();
        append(&mut history, 0..5);
        let text = std::fs::read_to_string(history.path()).unwrap();
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some("time,step,integral_rho,integral_rho_e,change_per_step,change_per_time,dt,rejected,element,wave")
        );
        for step in 0..5_u64 {
            let s = step as f64;
            let line = lines.next().unwrap();
            assert!(line.ends_with(if step > 0 { r#",0.5,0.1,2,17,"max(a, ""b"")""# } else { ",,,,," }));
            let row: Vec<Option<f64>> = line.split(',').take(5).map(|cell| cell.parse().ok()).collect();
            let change = (step > 0).then_some(1e-300 * s);
            assert_eq!(row, [Some(0.1 * s), Some(s), Some(s.sqrt()), Some(-1.0 / 3.0), change]);
        }
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn resumed_history_is_that_of_a_straight_run() {
        let folder = tempfile::tempdir().unwrap();
        let variables = ["rho", "rho_e"];
        let mut straight = History::new(folder.path().join("straight.csv"), &variables).unwrap();
        append(&mut straight, 0..20);
        let expected = std::fs::read(straight.path()).unwrap();

        let path = folder.path().join("resumed.csv");
        append(&mut History::resume(&path, &variables, 0).unwrap(), 0..13);
        let whole = std::fs::read(&path).unwrap();
        // Killed while writing a row, at any of its bytes.
        let last_row = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for end in last_row..=whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            append(&mut History::resume(&path, &variables, 7).unwrap(), 8..20);
            assert_eq!(std::fs::read(&path).unwrap(), expected);
        }
    }

    #[test]
    fn another_runs_history_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("h.csv");
        append(&mut History::new(&path, &["rho", "rho_e"]).unwrap(), 0..3);
        let before = std::fs::read(&path).unwrap();
        let message = History::resume(&path, &["u"], 1).unwrap_err().to_string();
        assert!(
            message.contains(
                "h.csv: its first line is `time,step,integral_rho,integral_rho_e,change_per_step,change_per_time,dt,rejected,element,wave`"
            ),
            "{message}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);

        std::fs::write(
            &path,
            "time,step,integral_u,change_per_step,change_per_time,dt,rejected,element,wave\n0,first,1,1\n",
        )
        .unwrap();
        let message = History::resume(&path, &["u"], 1).unwrap_err().to_string();
        assert!(message.contains("line 2 has no step: `0,first,1,1`"), "{message}");
    }
}
