//! The files for ParaView: a series of VTU files, and the list of them.

use std::path::{Path, PathBuf};

use super::Error;
use crate::case::{Case, Vtu};
use crate::io::pvd::{Entry, Series};
use crate::io::vtu::{self, CellField, Component, Field, vectors};
use crate::io::{self, Nodes};
use crate::notice::notice;
use crate::solver::{Samples, Solver};

/// The files of one run.
pub(super) struct Solutions {
    directory: PathBuf,
    /// Names of the fields to write.
    fields: Vec<&'static str>,
    vtu: Vtu,
    series: Series,
}

/// The name of the file with the `index`th set of fields.
fn name(index: u64) -> String {
    format!("solution_{index:04}.vtu")
}

impl Solutions {
    /// Starts the files of a run; `None` if the case wants none.
    pub fn start(case: &Case) -> Option<Self> {
        let series = Series::new(list(&case.output.directory));
        case.output.vtu.map(|vtu| Self::new(case, vtu, series))
    }

    /// Resumes at a time at which `written` sets of fields had been written. A lost list is made anew from them.
    pub fn resume(case: &Case, time: f64, written: u64) -> Result<Option<Self>, Error> {
        let Some(vtu) = case.output.vtu else { return Ok(None) };
        let directory = &case.output.directory;
        let series = Series::resume(list(directory), time, || entries(directory, written))?;
        Ok(Some(Self::new(case, vtu, series)))
    }

    fn new(case: &Case, vtu: Vtu, series: Series) -> Self {
        let Case { output, .. } = case;
        Self { directory: output.directory.clone(), fields: output.fields.clone(), vtu, series }
    }

    /// Writes the `index`th set of fields.
    pub fn write(
        &mut self,
        solver: &Solver,
        nodes: &Nodes<'_>,
        samples: &Samples,
        time: f64,
        index: u64,
    ) -> Result<(), Error> {
        // The fields of a case exist in every unit.
        let values: Vec<_> = self.fields.iter().map(|field| samples.field(field).unwrap_or_default()).collect();
        let component = |name: &&'static str| {
            let values = self.fields.iter().position(|field| field == name).map(|index| &values[index][..]);
            Component { name, values: values.unwrap_or_default() }
        };
        let groups = if self.vtu.vectors { vectors::groups(&self.fields) } else { vectors::scalars(&self.fields) };
        let fields = groups.into_iter().map(|group| {
            let components = group.components.iter().map(component).collect();
            Field { name: group.name, components }
        });
        let fields: Vec<_> = fields.collect();
        let file = name(index);
        vtu::write(&self.directory.join(&file), nodes, &fields, &cells(solver)?, self.vtu.encoding, time)?;
        Ok(self.series.add(time, file)?)
    }

    /// The sets of fields so far: their numbers, times and files.
    pub fn all(&self) -> impl Iterator<Item = (u64, f64, PathBuf)> {
        self.series.entries().iter().filter_map(|Entry { time, file }| {
            let index = file.strip_prefix("solution_")?.strip_suffix(".vtu")?.parse().ok()?;
            Some((index, *time, self.directory.join(file)))
        })
    }
}

fn list(directory: &Path) -> PathBuf {
    directory.join("solution.pvd")
}

/// Data of every element: its number, as in messages and the history, and whether it is troubled.
fn cells(solver: &Solver) -> Result<Vec<CellField>, Error> {
    let numbers = 0..solver.mesh().element_count() as i32;
    let element = CellField { name: "element", values: numbers.collect() };
    let troubled = solver
        .troubled()?
        .map(|troubled| CellField { name: "troubled", values: troubled.into_iter().map(i32::from).collect() });
    Ok(std::iter::once(element).chain(troubled).collect())
}

/// The entries of a lost list, from the existing files.
fn entries(directory: &Path, written: u64) -> Result<Vec<Entry>, io::Error> {
    let files: Vec<String> = (0..written).map(name).filter(|file| directory.join(file).is_file()).collect();
    if !files.is_empty() {
        notice(format_args!("solution.pvd is lost: it is made anew from {} files", files.len()));
    }
    files.into_iter().map(|file| Ok(Entry { time: vtu::time(&directory.join(&file))?, file })).collect()
}
