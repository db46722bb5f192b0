//! The files for ParaView: a series of VTU files and the list of them, and a VTKHDF file with all times.

use std::path::{Path, PathBuf};

use super::Error;
use crate::case::{Case, Vtu};
use crate::io::pvd::{Entry, Series};
use crate::io::vtkhdf::Times;
use crate::io::vtu::{self, CellField, Component, Encoding, Field, vectors};
use crate::io::{self, Nodes};
use crate::notice::notice;
use crate::solver::{Samples, Solver};

/// The files of one run.
pub(super) struct Solutions {
    directory: PathBuf,
    /// Names of the fields to write.
    fields: Vec<&'static str>,
    series: Option<(Vtu, Series)>,
    whole: Option<Whole>,
}

/// The file with all times.
struct Whole {
    encoding: Encoding,
    /// The time of the checkpoint from which the run resumes.
    resumed: Option<f64>,
    /// Opened when the first time is added.
    times: Option<Times>,
}

/// The name of the file with the `index`th set of fields.
fn name(index: u64) -> String {
    format!("solution_{index:04}.vtu")
}

/// The name of the file with all times.
pub(super) const WHOLE: &str = "solution.vtkhdf";

impl Solutions {
    /// Starts the files of a run; `None` if the case wants none.
    pub fn start(case: &Case) -> Option<Self> {
        let series = case.output.vtu.map(|vtu| (vtu, Series::new(list(&case.output.directory))));
        Self::new(case, series, None)
    }

    /// Resumes at a time at which `written` sets of fields had been written. A lost list is made anew from them.
    pub fn resume(case: &Case, time: f64, written: u64) -> Result<Option<Self>, Error> {
        let directory = &case.output.directory;
        let series =
            |vtu| Series::resume(list(directory), time, || entries(directory, written)).map(|list| (vtu, list));
        let series = case.output.vtu.map(series).transpose()?;
        Ok(Self::new(case, series, Some(time)))
    }

    fn new(case: &Case, series: Option<(Vtu, Series)>, resumed: Option<f64>) -> Option<Self> {
        let Case { output, .. } = case;
        let whole = output.vtkhdf.map(|encoding| Whole { encoding, resumed, times: None });
        let (directory, fields) = (output.directory.clone(), output.fields.clone());
        (series.is_some() || whole.is_some()).then_some(Self { directory, fields, series, whole })
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
        let averages = averages(solver)?;
        let averages = averages.iter().map(|(name, values)| Component { name, values });
        let fields = self.fields.iter().zip(&values).map(|(name, values)| Component { name, values });
        let components: Vec<_> = fields.chain(averages).collect();
        let names: Vec<&str> = components.iter().map(|component| component.name).collect();
        let cells = cells(solver)?;
        if let Some((vtu, series)) = &mut self.series {
            let groups = if vtu.vectors { vectors::groups(&names) } else { vectors::scalars(&names) };
            let component = |name: &&str| components.iter().find(|component| component.name == *name).copied();
            let fields = groups.into_iter().map(|group| {
                let components = group.components.iter().filter_map(component).collect();
                Field { name: group.name, components }
            });
            let (file, fields): (_, Vec<_>) = (name(index), fields.collect());
            vtu::write(&self.directory.join(&file), nodes, &fields, &cells, vtu.encoding, time)?;
            series.add(time, file)?;
        }
        if let Some(whole) = &mut self.whole {
            whole.add(&self.directory.join(WHOLE), nodes, &components, &cells, time)?;
        }
        Ok(())
    }

    /// The sets of fields so far: their numbers, times and files.
    pub fn all(&self) -> impl Iterator<Item = (u64, f64, PathBuf)> {
        let entries = self.series.iter().flat_map(|(_, series)| series.entries());
        entries.filter_map(|Entry { time, file }| {
            let index = file.strip_prefix("solution_")?.strip_suffix(".vtu")?.parse().ok()?;
            Some((index, *time, self.directory.join(file)))
        })
    }
}

impl Whole {
    /// Adds the fields at a time. A run that resumes without the file, or with one for other fields, begins a new one.
    fn add(
        &mut self,
        path: &Path,
        nodes: &Nodes<'_>,
        fields: &[Component<'_>],
        cells: &[CellField],
        time: f64,
    ) -> Result<(), Error> {
        if self.times.is_none() {
            let names: Vec<_> = fields.iter().map(|field| field.name).collect();
            let cells: Vec<_> = cells.iter().map(|cell| cell.name).collect();
            self.times = match self.resumed {
                Some(time) if path.is_file() => Times::resume(path, nodes, &names, &cells, time)?,
                _ => None,
            };
            if self.times.is_none() {
                if self.resumed.is_some_and(|resumed| resumed < time) {
                    notice(format_args!("{WHOLE} is lost, or has other fields: a new one begins at time {time}"));
                }
                self.times = Some(Times::start(path, nodes, &names, &cells, self.encoding)?);
            }
        }
        let Some(times) = &mut self.times else { return Ok(()) };
        Ok(times.add(path, nodes, fields, cells, self.encoding, time)?)
    }
}

/// The averages in time at the nodes, with their names.
fn averages(solver: &Solver) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let (Some(averages), Some((quantities, _))) = (solver.averages()?, &solver.setup().measured.averaged) else {
        return Ok(Vec::new());
    };
    let (names, variances) = (&quantities.names, averages.variances());
    let of = |(i, name): (usize, &String)| {
        [(&averages.means, "mean"), (&variances, "variance")].map(|(values, kind)| {
            (format!("{name}_{kind}"), values.iter().skip(i).step_by(names.len()).copied().collect())
        })
    };
    Ok(names.iter().enumerate().flat_map(of).collect())
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
