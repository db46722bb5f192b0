//! Reads the pictures of a case: `pictures` and `[output.picture]`.

use std::path::Path;
use std::sync::Arc;

use super::Output;
use super::document::{Mistake, Place, Section, Value};
use super::kinds::{beside, point};
use crate::io::picture::{Colours, Contours, Format, Kind, Range, SIZES, Style, reaches_into};
use crate::io::reference::Table;
use crate::law::Law;
use crate::mesh::Mesh;

/// A picture that is drawn at every output.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The component of the state or output of the law.
    pub field: &'static str,
    /// The beginning of its files' names.
    pub name: String,
    /// How to draw it.
    pub style: Style,
    /// The place of its region in the file.
    region: Option<Place>,
    /// The data to compare lines along a strip with, instead of the case's exact solution.
    pub reference: Option<Arc<Table>>,
}

const STYLE: [&str; 9] = ["formats", "size", "region", "range", "colours", "kind", "mesh", "contours", "reference"];

/// The pictures of `[output]`, of these fields.
pub(super) fn pictures(
    law: &Law,
    path: &Path,
    output: &Section<'_>,
    fields: &[&'static str],
) -> Result<Vec<Picture>, Mistake> {
    let blank = Picture { field: "", name: String::new(), style: Style::default(), region: None, reference: None };
    let common = match output.section("picture")? {
        Some(section) => {
            section.allow(&STYLE)?;
            styled(blank, path, &section)?
        }
        None => blank,
    };
    let Some(list) = output.get("pictures") else { return Ok(Vec::new()) };
    let has_kind = |item: &Value<'_>| item.section().is_ok_and(|section| section.get("kind").is_some());
    if let Some(section) =
        output.section("picture")?.filter(|_| list.list().is_ok_and(|items| !items.iter().any(has_kind)))
    {
        refuse_idle(common.style.kind, &section)?;
    }
    let what = format!("component or output of {}", law.name);
    let mut pictures = Vec::<Picture>::new();
    for item in list.list()? {
        let (picture, place) = if item.is_section() {
            let section = item.section()?;
            section.allow(&[&["field", "name"], &STYLE[..]].concat())?;
            let field = section.require("field", "what it shows: { field = \"rho\", mesh = true }")?;
            let picture = styled(common.clone(), path, &section)?;
            refuse_idle(picture.style.kind, &section)?;
            let chosen = fields[field.choice(&what, fields)?];
            let name = section.get("name");
            let own = name.as_ref().map(file_name).transpose()?;
            let name_or_usual = own.unwrap_or_else(|| usual_name(chosen, &picture.style));
            (Picture { field: chosen, name: name_or_usual, ..picture }, name.unwrap_or(field))
        } else {
            let chosen = fields[item.choice(&what, fields)?];
            (Picture { field: chosen, name: usual_name(chosen, &common.style), ..common.clone() }, item)
        };
        if let Some(table) =
            picture.reference.as_ref().filter(|table| !table.columns().contains(&picture.field.to_owned()))
        {
            let message = format!(
                "the `reference` has nothing to compare `{}` with; its columns are {}",
                picture.field,
                table.columns().iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(", ")
            );
            return Err(place.mistake(message));
        }
        if pictures.iter().any(|known| known.name == picture.name) {
            let message = format!("two pictures have files called `{}_…`; give one of them a `name`", picture.name);
            return Err(place.mistake(message));
        }
        pictures.push(picture);
    }
    Ok(pictures)
}

/// Makes sure that the range of a series can be found: it is read from the files for ParaView at the end of the run.
pub(super) fn require_files(output: &Output, section: &Section<'_>) -> Result<(), Mistake> {
    let written = |field: &str| output.vtu.is_some() && output.fields.contains(&field);
    let lacks = |picture: &&Picture| picture.style.range == Range::Series && !written(picture.field);
    match output.pictures.iter().find(lacks) {
        None => Ok(()),
        Some(Picture { field, .. }) => Err(section.mistake(format!(
            "a `range` over the \"series\" is read from the VTU files when the run is over: `{field}` is to be among \
             `fields`, and `vtu` not to be false"
        ))),
    }
}

/// Makes sure that the region of every picture contains a part of the domain.
pub(super) fn require_parts(pictures: &[Picture], mesh: &Mesh) -> Result<(), Mistake> {
    pictures.iter().try_for_each(|picture| match (picture.style.region, &picture.region) {
        (Some(region), Some(place)) => require_part(region, mesh).map_err(|message| place.mistake(message)),
        _ => Ok(()),
    })
}

/// Makes sure that a region contains a part of the domain.
pub(crate) fn require_part(region: [[f64; 2]; 2], mesh: &Mesh) -> Result<(), String> {
    if (0..2).any(|d| !(region[1][d] - region[0][d]).is_finite()) {
        return Err("`region` is larger than numbers can be; leave it out to show everything".to_owned());
    }
    let corner = |vertex: u32| [mesh.vertex(vertex)[0], mesh.vertex(vertex)[1]];
    let triangles = mesh.elements().triangles();
    if triangles.as_chunks().0.iter().any(|cut: &[u32; 3]| reaches_into(cut.map(corner), region)) {
        return Ok(());
    }
    let [lower, upper] = mesh.bounds();
    let (lower, upper) = (&lower[..mesh.dim], &upper[..mesh.dim]);
    Err(format!("`region` has no part of the domain, which extends from {lower:?} to {upper:?}"))
}

/// The default beginning of a picture's file names.
fn usual_name(field: &str, style: &Style) -> String {
    if style.kind == Some(Kind::Schlieren) { format!("{field}_schlieren") } else { field.to_owned() }
}

/// A name that is neither a path nor another file of a run.
fn file_name(value: &Value<'_>) -> Result<String, Mistake> {
    let name = value.text()?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if plain && !name.is_empty() {
        Ok(name.to_owned())
    } else {
        Err(value.mistake("the `name` of a picture consists of letters, digits, `_` and `-`"))
    }
}

/// A picture with the style given in a table.
fn styled(mut picture: Picture, path: &Path, section: &Section<'_>) -> Result<Picture, Mistake> {
    let style = &mut picture.style;
    if let Some(value) = section.get("formats") {
        let names = Format::ALL.map(Format::name);
        let items = value.list()?;
        let formats = items.iter().map(|item| Ok(Format::ALL[item.choice("format", &names)?]));
        style.formats = formats.collect::<Result<_, Mistake>>()?;
        if style.formats.is_empty() {
            return Err(value.mistake("`formats` is to have at least one of \"png\" and \"svg\""));
        }
    }
    if let Some(value) = section.get("size") {
        let size: [usize; 2] = value.items("a width and a height in pixels: [1200, 1050]", |item| item.whole(1))?;
        let [least, most] = SIZES;
        if (0..2).any(|d| size[d] < least[d] || size[d] > most[d]) {
            return Err(value.mistake(format!("`size` is to be from {least:?} to {most:?} pixels, found {size:?}")));
        }
        style.size = size;
    }
    if let Some(value) = section.get("region") {
        let region = value.section()?;
        region.allow(&["lower", "upper"])?;
        let form = "a corner of what is shown: { lower = [0.0, 0.0], upper = [1.0, 1.0] }";
        let [lower, upper] = [point(&region.require("lower", form)?)?, point(&region.require("upper", form)?)?];
        if lower[0] >= upper[0] || lower[1] >= upper[1] {
            return Err(value.mistake("`upper` is to be to the right of and above `lower`"));
        }
        style.region = Some([lower, upper]);
        picture.region = Some(value.place());
    }
    if let Some(value) = section.get("range") {
        style.range = range(&value)?;
    }
    if let Some(value) = section.get("colours") {
        style.colours = Some(Colours::ALL[value.choice("colour map", &Colours::ALL.map(Colours::name))?]);
    }
    if let Some(value) = section.get("kind") {
        style.kind = Some(Kind::ALL[value.choice("kind of picture", &Kind::ALL.map(Kind::name))?]);
    }
    if let Some(value) = section.get("mesh") {
        style.mesh = value.truth()?;
    }
    if let Some(value) = section.get("contours") {
        style.contours = contours(&value)?;
    }
    if let Some(value) = section.get("reference") {
        let file = beside(path, value.text()?);
        let table = Table::read(&file).map_err(|error| value.mistake(error.to_string()))?;
        picture.reference = Some(Arc::new(table));
    }
    Ok(picture)
}

/// Refuses keys of a table that have no effect on pictures of this kind.
fn refuse_idle(kind: Option<Kind>, section: &Section<'_>) -> Result<(), Mistake> {
    let (idle, others): (&[&str], _) = match kind {
        // The default kind depends on the mesh, which is not known yet.
        None => return Ok(()),
        Some(Kind::Lines) => (&["colours", "contours", "mesh"], "\"colours\" and \"schlieren\""),
        Some(Kind::Colours) => (&["reference"], "\"lines\""),
        Some(Kind::Schlieren) => (&["reference", "range"], "other kinds"),
    };
    let name = kind.map_or("", Kind::name);
    match section.entries().find(|value| idle.contains(&value.key)) {
        None => Ok(()),
        Some(value) => Err(value.name_mistake(format!(
            "`{}` changes nothing in pictures of the kind \"{name}\"; leave it out, or give it to pictures of {others}",
            value.key
        ))),
    }
}

fn range(value: &Value<'_>) -> Result<Range, Mistake> {
    if value.is_list() {
        let range = value.items("the least and the largest value: [0.0, 1.0]", Value::number)?;
        return if range[0] < range[1] {
            Ok(Range::Given(range))
        } else {
            Err(value.mistake("the first number of `range` is to be below the second"))
        };
    }
    Ok([Range::Own, Range::Series][value.choice("range", &["own", "series"])?])
}

/// More lines cannot be told apart.
const MOST_CONTOURS: usize = 1000;

fn contours(value: &Value<'_>) -> Result<Contours, Mistake> {
    let contours = if value.is_list() {
        Contours::Levels(value.list()?.iter().map(Value::number).collect::<Result<_, Mistake>>()?)
    } else {
        Contours::Count(value.whole(0)?)
    };
    let count = match &contours {
        Contours::Count(count) => *count,
        Contours::Levels(levels) => levels.len(),
    };
    if count > MOST_CONTOURS {
        return Err(value.mistake(format!("`contours` is to be at most {MOST_CONTOURS} lines")));
    }
    Ok(contours)
}
