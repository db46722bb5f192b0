//! `plot`: pictures of what runs and measurements have left.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Error, Report};
use crate::case::names::unknown;
use crate::io;
use crate::io::picture::convergence::{self, Point};
use crate::io::picture::{Format, history};

/// Arguments of `plot`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} plot out/vortex
  {bin} plot out/vortex/history.csv --out history.svg
  {bin} convergence cases/vortex.toml --format json > vortex.json
  {bin} plot vortex.json --component rho_e")]
pub(super) struct Plot {
    /// A history.csv or its directory, or what `convergence --format json` has printed
    file: PathBuf,
    /// Where to, a .png or .svg; if not given, beside the file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Whose errors to draw; the first component of the state if not given
    #[arg(long, value_name = "NAME")]
    component: Option<String>,
}

pub(super) fn plot(arguments: &Plot) -> Result<Report, Error> {
    let file = if arguments.file.is_dir() { arguments.file.join("history.csv") } else { arguments.file.clone() };
    let out = arguments.out.clone().unwrap_or_else(|| file.with_extension("png"));
    if Format::of(&out).is_none() {
        return Err(Error::Name(format!("{}: the name of a picture ends in .png or .svg", out.display())));
    }
    if file.extension().is_some_and(|end| end == "json") {
        draw_errors(&out, &file, arguments.component.as_deref())?;
    } else if arguments.component.is_some() {
        let message = "--component chooses whose errors are drawn, and a history has none; leave it out, or plot what \
                       `convergence --format json` prints into a .json file";
        return Err(Error::Name(message.to_owned()));
    } else {
        let run = file.parent().and_then(Path::file_name).unwrap_or(file.as_os_str());
        history::write(&out, &format!("history of {}", run.to_string_lossy()), &file)?;
    }
    Ok(Report::new(json!({ "file": out }), out.display().to_string()))
}

fn draw_errors(out: &Path, file: &Path, component: Option<&str>) -> Result<(), Error> {
    let text = std::fs::read_to_string(file).map_err(io::Error::system("read", file))?;
    let content = |reason: &str| {
        Error::Name(format!(
            "cannot use {}: it is not what `convergence --format json` prints: {reason}",
            file.display()
        ))
    };
    let table: Value = serde_json::from_str(&text).map_err(|error| content(&error.to_string()))?;
    let list = |key: &str| {
        table[key].as_array().filter(|list| !list.is_empty()).ok_or_else(|| content(&format!("it has no `{key}`")))
    };
    let components: Vec<&str> = list("components")?.iter().filter_map(Value::as_str).collect();
    let first = components.first().ok_or_else(|| content("its `components` are no names"))?;
    let name = component.unwrap_or(first);
    let index = components.iter().position(|known| *known == name);
    let index = index.ok_or_else(|| Error::Name(unknown("component", name, &components)))?;
    let point = |run: &Value| {
        let number = |value: &Value| value.as_f64();
        let order = run["order"].as_u64()? as usize;
        let error = number(&run["errors"]["l2"][index])?;
        Some(Point { order, size: number(&run["h"])?, seconds: number(&run["seconds"])?, error })
    };
    // A run that failed has no errors.
    let points: Vec<Point> = list("measurements")?.iter().filter_map(point).collect();
    if points.is_empty() {
        return Err(content("none of its `measurements` has `order`, `h`, `seconds` and `errors`"));
    }
    let text = |key: &str| table[key].as_str().unwrap_or_default().to_owned();
    let about =
        format!("{}, {}", text("law"), Path::new(&text("case")).file_stem().unwrap_or_default().to_string_lossy());
    Ok(convergence::write(out, &format!("convergence of {name}"), &about, &points)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plotted(folder: &Path, text: &str, component: Option<&str>) -> Result<Report, Error> {
        let file = folder.join("c.json");
        std::fs::write(&file, text).unwrap();
        plot(&Plot { file, out: None, component: component.map(Into::into) })
    }

    #[test]
    fn measurements_become_a_picture_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let run = |h: f64| json!({ "order": 1, "h": h, "seconds": 1.0 / h, "errors": { "l2": [h * h, 1.0] } });
        let table = json!({ "case": "a.toml", "law": "euler", "components": ["rho", "e"], "measurements": [run(0.2), run(0.1)] });
        plotted(folder.path(), &table.to_string(), Some("e")).unwrap();
        assert!(std::fs::read(folder.path().join("c.png")).unwrap().starts_with(b"\x89PNG"));
        let message = plotted(folder.path(), &table.to_string(), Some("rhp")).unwrap_err().to_string();
        assert!(message.contains("unknown component `rhp`; did you mean `rho`?"), "{message}");
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{}", r#"{ "components": [1] }"#, r#"{ "components": ["u"], "measurements": [{}] }"#] {
            let message = plotted(folder.path(), text, None).unwrap_err().to_string();
            assert!(message.contains("c.json: it is not what `convergence --format json` prints"), "{message}");
        }
        let arguments = Plot { file: folder.path().into(), out: Some("x.pdf".into()), component: None };
        assert!(plot(&arguments).unwrap_err().to_string().contains("ends in .png or .svg"));
        let arguments = Plot { out: None, ..arguments };
        assert!(plot(&arguments).unwrap_err().to_string().contains("cannot read"));
    }
}
