//! PVD: the list of a run's VTU files with their times, which ParaView opens as one series.

use std::path::PathBuf;

use super::{Error, atomic, xml_attribute};

/// A growing series. Every [`add`](Self::add) rewrites the whole file.
#[derive(Debug)]
pub struct Series {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// One time of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Time.
    pub time: f64,
    /// The file, relative to the series' folder, with `/` between folders.
    pub file: String,
}

impl Series {
    /// Starts a series. Nothing is written before the first entry.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), entries: Vec::new() }
    }

    /// Resumes a series as it was at `time`: later entries are dropped. A missing one is made anew from the files
    /// that `files` finds in the series' folder.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be read, [`Error::Content`] if it is no PVD series.
    pub fn resume(
        path: impl Into<PathBuf>,
        time: f64,
        files: impl FnOnce() -> Result<Vec<Entry>, Error>,
    ) -> Result<Self, Error> {
        let path = path.into();
        let (mut entries, lost) = match std::fs::read_to_string(&path) {
            Ok(text) => (parse(&text).map_err(|reason| Error::content(&path, reason))?, false),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (files()?, true),
            Err(error) => return Err(Error::system("read", &path)(error)),
        };
        entries.retain(|entry| entry.time <= time);
        let series = Self { path, entries };
        // The series is complete even if the run writes nothing more.
        if lost && !series.entries.is_empty() {
            series.write()?;
        }
        Ok(series)
    }

    /// The entries so far, by time.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Adds a file and rewrites the series. An entry with the same time is replaced.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the series cannot be written.
    pub fn add(&mut self, time: f64, file: impl Into<String>) -> Result<(), Error> {
        self.entries.retain(|entry| entry.time != time);
        self.entries.push(Entry { time, file: file.into() });
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        atomic::write(&self.path, |writer| {
            writeln!(writer, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>")?;
            for Entry { time, file } in &self.entries {
                writeln!(writer, r#"<DataSet timestep="{time:?}" file="{}"/>"#, xml_attribute(file))?;
            }
            writeln!(writer, "</Collection>\n</VTKFile>")
        })
    }
}

fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let document = roxmltree::Document::parse(text).map_err(|error| format!("it is no XML: {error}"))?;
    let root = document.root_element();
    if !root.has_tag_name("VTKFile") || root.attribute("type") != Some("Collection") {
        return Err("it is no PVD series, which starts with `<VTKFile type=\"Collection\"`".into());
    }
    let entries = root.descendants().filter(|node| node.has_tag_name("DataSet"));
    entries
        .map(|node| {
            let time = node.attribute("timestep").and_then(|time| time.parse().ok());
            match (time, node.attribute("file")) {
                (Some(time), Some(file)) => Ok(Entry { time, file: file.into() }),
                _ => {
                    let line = document.text_pos_at(node.range().start).row;
                    Err(format!(
                        "line {line} lacks a number `timestep` or a `file`; delete the file, and it is made anew from those \
                         that it lists"
                    ))
                }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resumed_series_has_each_time_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.pvd");
        let name = |step: usize| format!("fields/a&b \"{step}\".vtu");
        // 0.1 * step is not exact in decimals: reading back must give the same bits.
        let time = |step: usize| 0.1 * step as f64;
        let mut series = Series::resume(&path, 0.0, || Ok(Vec::new())).unwrap();
        for step in 0..8 {
            series.add(time(step), name(step)).unwrap();
        }
        let mut series = Series::resume(&path, time(3), || Ok(Vec::new())).unwrap();
        assert_eq!(series.entries().len(), 4);
        for step in 3..10 {
            series.add(time(step), name(step)).unwrap();
        }
        let expected: Vec<_> = (0..10).map(|step| Entry { time: time(step), file: name(step) }).collect();
        assert_eq!(Series::resume(&path, f64::INFINITY, || Ok(Vec::new())).unwrap().entries(), expected);
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.pvd");
        for (text, reason) in [
            ("not xml", "it is no XML"),
            ("<VTKFile type=\"UnstructuredGrid\"/>", "it is no PVD series"),
            ("<VTKFile type=\"Collection\">\n<DataSet timestep=\"x\" file=\"a\"/></VTKFile>", "line 2 lacks"),
        ] {
            std::fs::write(&path, text).unwrap();
            let message = Series::resume(&path, 1.0, || Ok(Vec::new())).unwrap_err().to_string();
            assert!(message.contains("run.pvd: ") && message.contains(reason), "{message}");
        }
    }
}
