//! What a run measures in time as comma-separated values: `time` and named columns, such as the signal of a receiver with the components
//! of the state and the law's outputs.

use std::path::{Path, PathBuf};

use super::rows::{Rows, complete};
use super::{Error, csv};

/// A file with rows in time.
#[derive(Debug)]
pub struct Seismogram {
    rows: Rows,
}

/// The name of a receiver's file.
pub fn name(receiver: &str) -> String {
    format!("{PREFIX}{receiver}{SUFFIX}")
}

/// Whether a file has the name of a receiver's.
pub fn is_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

const PREFIX: &str = "receiver_";
const SUFFIX: &str = ".csv";

impl Seismogram {
    /// Starts a file, replacing any earlier one.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be written.
    pub fn new(path: PathBuf, fields: &[&str]) -> Result<Self, Error> {
        Ok(Self { rows: Rows::start(path, &header(fields), &[])? })
    }

    /// Resumes a file as it was before its row of the time `next`: later rows and an incomplete last one are dropped.
    /// A missing file is started. Returns the number of rows and the time of the last one as well.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be read or written, [`Error::Content`] if it has other columns.
    pub fn resume(path: PathBuf, fields: &[&str], next: f64) -> Result<(Self, usize, Option<f64>), Error> {
        let expected = header(fields);
        let Some(text) = Rows::text(&path)? else { return Ok((Self::new(path, fields)?, 0, None)) };
        let (header, rows) = complete(&text);
        if header != expected {
            let reason = format!("its first line is `{header}`, not `{expected}`: it is of another run; move it away");
            return Err(Error::content(&path, reason));
        }
        let time = |row: &str| row.split(',').next().and_then(|cell| cell.parse().ok());
        let is_earlier = |row: &&str| time(row).is_some_and(|time: f64| time < next);
        let rows: Vec<&str> = rows.take_while(is_earlier).collect();
        let last = rows.last().and_then(|row| time(row));
        Ok((Self { rows: Rows::start(path, &expected, &rows)? }, rows.len(), last))
    }

    /// Adds rows: a time with the values of the fields each.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if they cannot be written.
    pub fn append<'a>(&self, rows: impl Iterator<Item = (f64, &'a [f64])>) -> Result<(), Error> {
        let row = |(time, values): (f64, &[f64])| {
            let numbers = std::iter::once(&time).chain(values).map(|number| format!("{number:?}"));
            numbers.collect::<Vec<_>>().join(",") + "\n"
        };
        let rows: String = rows.map(row).collect();
        if rows.is_empty() { Ok(()) } else { self.rows.append(&rows) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.rows.path()
    }
}

fn header(fields: &[&str]) -> String {
    std::iter::once(&csv::TIME).chain(fields).copied().collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_file_is_that_of_a_straight_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name("a"));
        let rows: Vec<(f64, Vec<f64>)> =
            (0..9).map(|i| (0.1 * f64::from(i), vec![f64::from(i).sqrt(), -1.0 / 3.0])).collect();
        let some = |range: std::ops::Range<usize>| rows[range].iter().map(|(time, values)| (*time, &values[..]));
        let straight = Seismogram::new(path.clone(), &["p", "v"]).unwrap();
        straight.append(some(0..9)).unwrap();
        let whole = std::fs::read_to_string(straight.path()).unwrap();
        assert!(whole.starts_with("time,p,v\n0.0,0.0,-0.3333333333333333\n0.1,1.0,"), "{whole}");
        for end in whole.find("0.5").unwrap()..=whole.len() {
            std::fs::write(straight.path(), &whole[..end]).unwrap();
            let (resumed, rows, last) = Seismogram::resume(path.clone(), &["p", "v"], 0.45).unwrap();
            assert_eq!((rows, last), (5, Some(0.1 * 4.0)));
            resumed.append(some(5..9)).unwrap();
            assert_eq!(std::fs::read_to_string(resumed.path()).unwrap(), whole);
        }
        let message = Seismogram::resume(path, &["p"], 0.45).unwrap_err().to_string();
        assert!(message.contains("its first line is `time,p,v`, not `time,p`: it is of another run"), "{message}");
        assert!(is_name("receiver_a.csv") && !is_name("history.csv"));
    }
}
