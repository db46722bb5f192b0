//! `plot`: pictures of the results of runs and measurements.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::{Deserializer, Value, json};

use super::{Error, Report};
use crate::case::measure;
use crate::io;
use crate::io::picture::convergence::{self, MOST_SERIES, Point, Series};
use crate::io::picture::{At, Format, distributions, history, planes, signals};
use crate::io::seismogram;
use crate::names::unknown;

/// Arguments of `plot`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} plot out/vortex
  {bin} plot out/vortex/history.csv --out history.svg
  {bin} plot out/quake/receiver_*.csv --component v1
  {bin} plot out/cylinder/forces_cylinder.csv --component cd
  {bin} plot out/cylinder/wall_cylinder.csv
  {bin} plot out/cylinder/plane_near.csv --component mach --time 12.5
  {bin} convergence cases/vortex.toml --format json > vortex.json
  {bin} plot vortex.json --component rho_e
  {bin} convergence cases/vortex.toml --set time.integrator=rk4 --format json > rk4.json
  {bin} plot vortex.json rk4.json --out both.png")]
pub(super) struct Plot {
    /// A history.csv or its directory, signals of receivers, what [measure] in a case writes, or what `convergence --format
    /// json` has printed, once or several times; several files of one kind are drawn in one picture
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to, a .png or .svg; if not given, beside the first file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Whose errors to draw, the first component of the state if not given; or the column of the signals or measurements to
    /// draw, all if not given, of a plane the first
    #[arg(long, value_name = "NAME")]
    component: Option<String>,
    /// Of values along lines and walls and in planes draw those of one time: of the nearest to a number, or `last`; if not given,
    /// several times of lines and walls, and the last of planes
    #[arg(long, value_name = "TIME")]
    time: Option<At>,
}

/// Draws files, all their columns or one, under a title.
type Draw<'a> = &'a dyn Fn(&Path, &str, &[&Path], Option<&str>) -> Result<(), io::Error>;

/// That a path names a picture.
pub(super) fn require_picture(path: &Path) -> Result<(), Error> {
    let message = || Error::Name(format!("{}: the name of a picture ends in .png or .svg", path.display()));
    Format::of(path).map(drop).ok_or_else(message)
}

pub(super) fn plot(arguments: &Plot) -> Result<Report, Error> {
    let name = |file: &PathBuf| if file.is_dir() { file.join("history.csv") } else { file.clone() };
    let files: Vec<PathBuf> = arguments.files.iter().map(name).collect();
    let out = arguments.out.clone().unwrap_or_else(|| files[0].with_extension("png"));
    require_picture(&out)?;
    let all_are =
        |is: &dyn Fn(&str) -> bool| files.iter().all(|file| file.file_name().and_then(OsStr::to_str).is_some_and(is));
    let along = |out: &Path, title: &str, files: &[&Path], field: Option<&str>| {
        distributions::write(out, title, files, field, arguments.time)
    };
    let in_plane = |out: &Path, title: &str, files: &[&Path], field: Option<&str>| {
        planes::write(out, title, files, field, arguments.time)
    };
    let draw = match () {
        () if all_are(&measure::is_plane) => Some((&in_plane as Draw<'_>, "values in a plane")),
        () if all_are(&measure::is_distribution) => Some((&along as Draw<'_>, "values along lines and walls")),
        () if all_are(&seismogram::is_name) => Some((&signals::write as Draw<'_>, "receivers")),
        () if all_are(&|name| measure::is_name(name) && !measure::is_distribution(name)) => {
            Some((&signals::write as Draw<'_>, "measurements"))
        }
        () => None,
    };
    if arguments.time.is_some() && !all_are(&|name| measure::is_plane(name) || measure::is_distribution(name)) {
        return Err(Error::Name("--time is for values along lines and walls, or in planes; leave it out".to_owned()));
    }
    if let Some((draw, what)) = draw {
        let run = files[0].canonicalize().ok();
        let run = run.as_deref().and_then(Path::parent).and_then(Path::file_name).unwrap_or_default();
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        draw(&out, &format!("{what} of {}", run.to_string_lossy()), &paths, arguments.component.as_deref())?;
        return Ok(Report::new(json!({ "file": out }), out.display().to_string()));
    }
    let is_history = |file: &&PathBuf| file.extension().is_none_or(|end| end != "json");
    match files.iter().find(is_history) {
        None => draw_errors(&out, &files, arguments.component.as_deref())?,
        Some(file) if files.len() > 1 => {
            let message = "is no .json file; only measurements are drawn together, which `convergence --format json` prints, or signals of \
                 receivers";
            return Err(Error::Name(format!("{} {message}", file.display())));
        }
        Some(_) if arguments.component.is_some() => {
            let message = "--component chooses whose errors or signals are drawn, and a history has neither; leave it out, or plot what \
                           `convergence --format json` prints into a .json file";
            return Err(Error::Name(message.to_owned()));
        }
        Some(file) => {
            let run = file.parent().and_then(Path::file_name).unwrap_or(file.as_os_str());
            history::write(&out, &format!("history of {}", run.to_string_lossy()), file)?;
        }
    }
    Ok(Report::new(json!({ "file": out }), out.display().to_string()))
}

fn draw_errors(out: &Path, files: &[PathBuf], component: Option<&str>) -> Result<(), Error> {
    if files.len() > MOST_SERIES {
        let message = format!("a picture has signs for at most {MOST_SERIES} files, not for {}", files.len());
        return Err(Error::Name(message));
    }
    // Names of columns, and subjects, each once.
    let (mut names, mut subjects, mut series) = (Vec::new(), Vec::new(), Vec::new());
    let add = |list: &mut Vec<String>, text: String| {
        if !list.contains(&text) {
            list.push(text);
        }
    };
    for file in files {
        let mut points = Vec::new();
        for table in tables(file)? {
            add(&mut names, table.component(component)?.0.to_owned());
            add(&mut subjects, table.subject());
            points.extend(table.points(component)?);
        }
        series.push(Series { label: stem(file), points });
    }
    Ok(convergence::write(out, &format!("convergence of {}", names.join(", ")), &subjects.join("; "), &series)?)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The output of a call of `convergence --format json`.
struct Table<'a> {
    file: &'a Path,
    content: Value,
}

/// The tables of a file, in order.
fn tables(file: &Path) -> Result<Vec<Table<'_>>, Error> {
    let text = std::fs::read_to_string(file).map_err(io::Error::system("read", file))?;
    let contents: Result<Vec<Value>, _> = Deserializer::from_str(&text).into_iter().collect();
    let contents = contents.map_err(|error| no_table(file, &error.to_string()))?;
    if contents.is_empty() {
        return Err(no_table(file, "it is empty"));
    }
    Ok(contents.into_iter().map(|content| Table { file, content }).collect())
}

fn no_table(file: &Path, reason: &str) -> Error {
    Error::Name(format!("cannot use {}: it is not what `convergence --format json` prints: {reason}", file.display()))
}

impl Table<'_> {
    fn list(&self, key: &str) -> Result<&[Value], Error> {
        let list = self.content[key].as_array().filter(|list| !list.is_empty());
        list.map(Vec::as_slice).ok_or_else(|| no_table(self.file, &format!("it has no `{key}`")))
    }

    /// The component of this name, or the first one, and its index.
    fn component<'a>(&'a self, name: Option<&'a str>) -> Result<(&'a str, usize), Error> {
        let components: Vec<&str> = self.list("components")?.iter().filter_map(Value::as_str).collect();
        let first = components.first().ok_or_else(|| no_table(self.file, "its `components` are no names"))?;
        let name = name.unwrap_or(first);
        let index = components.iter().position(|known| *known == name);
        Ok((name, index.ok_or_else(|| Error::Name(unknown("component", name, &components)))?))
    }

    /// Law, case and device.
    fn subject(&self) -> String {
        let text = |key: &str| self.content[key].as_str().unwrap_or_default();
        format!("{}, {}, {}", text("law"), stem(Path::new(text("case"))), text("device"))
    }

    fn points(&self, component: Option<&str>) -> Result<Vec<Point>, Error> {
        let (_, index) = self.component(component)?;
        let point = |run: &Value| {
            let number = |value: &Value| value.as_f64();
            Some(Point {
                order: run["order"].as_u64()? as usize,
                size: number(&run["h"])?,
                unknowns: number(&run["dof"])?,
                seconds: number(&run["seconds"])?,
                error: number(&run["errors"]["l2"][index])?,
            })
        };
        // A failed run has no errors.
        let points: Vec<Point> = self.list("measurements")?.iter().filter_map(point).collect();
        if points.is_empty() {
            let reason = "none of its `measurements` has `order`, `h`, `dof`, `seconds` and `errors`";
            return Err(no_table(self.file, reason));
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(order: usize) -> Value {
        let run = |h: f64| {
            let errors = json!({ "l2": [h * h, 1.0] });
            json!({ "order": order, "h": h, "dof": 9.0 / h, "seconds": 1.0 / h, "errors": errors })
        };
        json!({ "case": "a.toml", "law": "euler", "device": "CPU", "components": ["rho", "e"], "measurements": [run(0.2), run(0.1)] })
    }

    fn plotted(files: &[&Path], component: Option<&str>) -> Result<Report, Error> {
        let files = files.iter().map(Into::into).collect();
        plot(&Plot { files, out: None, component: component.map(Into::into), time: None })
    }

    #[test]
    fn measurements_become_a_picture_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["c.json", "d.json"].map(|name| folder.path().join(name));
        std::fs::write(&one, table(1).to_string()).unwrap();
        // Two calls printed into one file.
        std::fs::write(&other, format!("{}\n{}\n", table(1), table(2))).unwrap();
        assert_eq!(tables(&other).unwrap().len(), 2);
        for files in [&[&*one][..], &[&*other, &*one]] {
            plotted(files, Some("e")).unwrap();
            assert!(std::fs::read(files[0].with_extension("png")).unwrap().starts_with(b"\x89PNG"));
        }
        let message = plotted(&[&one], Some("rhp")).unwrap_err().to_string();
        assert!(message.contains("unknown component `rhp`; did you mean `rho`?"), "{message}");
        let message = plotted(&[&*one; 6], None).unwrap_err().to_string();
        assert!(message.contains("at most 5 files, not for 6"), "{message}");
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.json");
        for text in ["", "{}", r#"{ "components": [1] }"#, r#"{ "components": ["u"], "measurements": [{}] }"#, "{} x"] {
            std::fs::write(&file, text).unwrap();
            let message = plotted(&[&file], None).unwrap_err().to_string();
            assert!(message.contains("c.json: it is not what `convergence --format json` prints"), "{message}");
        }
        let message = plotted(&[&file, folder.path()], None).unwrap_err().to_string();
        assert!(message.contains("history.csv is no .json file; only measurements are drawn together"), "{message}");
        let planes = ["plane_a.csv", "plane_b.csv"].map(|name| folder.path().join(name));
        let message = plotted(&[&*planes[0], &*planes[1]], None).unwrap_err().to_string();
        assert!(message.contains("plane_b.csv: a picture shows one plane; plot each by itself"), "{message}");
        let arguments =
            Plot { files: vec![folder.path().into()], out: Some("x.pdf".into()), component: None, time: None };
        assert!(plot(&arguments).unwrap_err().to_string().contains("ends in .png or .svg"));
        let arguments = Plot { out: None, ..arguments };
        assert!(plot(&arguments).unwrap_err().to_string().contains("cannot read"));
        let arguments = Plot { time: Some(At::Last), ..arguments };
        assert!(plot(&arguments).unwrap_err().to_string().contains("--time is for values along lines and walls"));
    }
}
