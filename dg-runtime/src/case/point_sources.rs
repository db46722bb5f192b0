//! `[point_sources]`: sources at points, with rates in time.

use std::path::Path;

use super::Time;
use super::document::{Section, Value};
use super::kinds::{Result, beside, point};
use super::states::States;
use crate::formula::Formulas;
use crate::law::Law;
use crate::solver::{PointSource, Rate, require_no_tolerance};

/// Reads `[point_sources]` of the case file at this path.
pub(super) fn point_sources(
    law: &Law,
    case: &Path,
    root: &Section<'_>,
    states: &States,
    time: &Time,
) -> Result<Vec<PointSource>> {
    let Some(section) = root.section("point_sources")? else { return Ok(Vec::new()) };
    require_no_tolerance(time.tolerance).map_err(|message| section.mistake(message))?;
    section.entries().map(|value| point_source(law, case, &value, states)).collect()
}

fn point_source(law: &Law, case: &Path, value: &Value<'_>, states: &States) -> Result<PointSource> {
    let section = value.section()?;
    section.allow(&["position", "amplitude", "rate"])?;
    let position = point(&section.require("position", "the point: position = [0.0, 0.0]")?)?;
    let first = law.state.first().map_or("u", |component| component.name);
    let meaning = format!("a factor for each component that has the source: amplitude = {{ {first} = 1.0 }}");
    let amplitude = section.require("amplitude", &meaning)?;
    let table = amplitude.section()?;
    let names: Vec<_> = law.state.iter().map(|component| component.name).collect();
    table.allow(&names)?;
    let factor = |name: &&str| table.get(name).map_or(Ok(0.0), |value| value.number());
    let amplitudes: Vec<f64> = names.iter().map(factor).collect::<Result<_>>()?;
    if amplitudes.iter().all(|factor| *factor == 0.0) {
        return Err(amplitude.mistake(format!("`amplitude` is zero: give {meaning}")));
    }
    let meaning = "how the source depends on time: rate = { ricker = { frequency = 2.0, peak = 0.6 } }, or gaussian, brune, table or a formula of t";
    let rate = rate(case, &section.require("rate", meaning)?, states)?;
    Ok(PointSource { name: value.key.to_owned(), position, amplitudes, rate })
}

const FORMS: [&str; 4] = ["ricker", "gaussian", "brune", "table"];

fn rate(case: &Path, value: &Value<'_>, states: &States) -> Result<Rate> {
    if !value.is_section() {
        return states.formula(value, value.key).map(Rate::Formula);
    }
    let section = value.section()?;
    section.allow(&FORMS)?;
    let mut forms = section.entries();
    let (Some(form), None) = (forms.next(), forms.next()) else {
        let message = format!("`rate` is to have one of {}, or to be a formula of t", FORMS.join(", "));
        return Err(value.mistake(message));
    };
    let law_of_time = |text: String| known(states, &form, &text).map(Rate::Formula);
    match form.key {
        // N. Ricker, Geophysics 18 (1953) 10–40.
        "ricker" => {
            let [frequency, peak] = two(&form, "frequency", "peak", "{ frequency = 2.0, peak = 0.6 }")?;
            let angle = format!("(pi*{frequency}*(t - {peak}))^2");
            law_of_time(format!("(1 - 2*{angle})*exp(-{angle})"))
        }
        "gaussian" => {
            let [width, peak] = two(&form, "width", "peak", "{ width = 0.1, peak = 0.5 }")?;
            law_of_time(format!("exp(-0.5*((t - {peak})/{width})^2)/(sqrt(2*pi)*{width})"))
        }
        // J. N. Brune, J. Geophys. Res. 75 (1970) 4997–5009.
        "brune" => {
            let [time, start] = two(&form, "time", "start", "{ time = 0.1, start = 0.0 }")?;
            law_of_time(format!("max(t - {start}, 0)/{time}^2*exp(-max(t - {start}, 0)/{time})"))
        }
        _ => table(case, &form).map(Rate::Table),
    }
}

/// A formula of ours, in the words of the case.
fn known(states: &States, form: &Value<'_>, text: &str) -> Result<Formulas> {
    states.formula_of(text).map_err(|error| form.mistake(format!("{text}: {error}")))
}

/// Two numbers in brackets: one above zero, and a time.
fn two(form: &Value<'_>, scale: &str, time: &str, example: &str) -> Result<[String; 2]> {
    let section = form.section()?;
    section.allow(&[scale, time])?;
    let meaning = format!("as in {example}");
    let (scale, time) = (section.require(scale, &meaning)?.positive()?, section.require(time, &meaning)?.number()?);
    Ok([scale, time].map(|number| format!("({number:?})")))
}

/// Pairs of a time and a rate, in the case or in a file.
fn table(case: &Path, value: &Value<'_>) -> Result<Vec<[f64; 2]>> {
    let table = if value.is_list() {
        let pair = |pair: &Value<'_>| pair.items("pairs of a time and a rate: [0.0, 1.0]", Value::number);
        value.list()?.iter().map(pair).collect::<Result<Vec<_>>>()?
    } else {
        let path = beside(case, value.text()?);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| value.mistake(format!("cannot read {}: {error}", path.display())))?;
        pairs(&text).map_err(|reason| value.mistake(format!("{}: {reason}", path.display())))?
    };
    if table.len() < 2 {
        return Err(value.mistake(format!("a table of rates has at least two times, and this one has {}", table.len())));
    }
    match table.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
        Some(pair) => {
            let [before, after] = [pair[0][0], pair[1][0]];
            Err(value.mistake(format!("the times of a table are to increase: {after:?} comes after {before:?}")))
        }
        None => Ok(table),
    }
}

/// The pairs of comma-separated values: lines that begin with `#` are comments, and the first other line may have names.
fn pairs(text: &str) -> std::result::Result<Vec<[f64; 2]>, String> {
    let pair = |line: &str| {
        let (time, rate) = line.split_once(',')?;
        let number = |cell: &str| cell.trim().parse().ok().filter(|number: &f64| number.is_finite());
        Some([number(time)?, number(rate)?])
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let mut pairs = Vec::new();
    for (index, (number, line)) in lines.enumerate() {
        match pair(line) {
            Some(pair) => pairs.push(pair),
            None if index == 0 && line.chars().any(char::is_alphabetic) => {}
            None => return Err(format!("line {} is to be a time and a rate: `{line}`", number + 1)),
        }
    }
    Ok(pairs)
}
