//! `[measure]`: forces, fluxes, integrals, extremes, distributions in planes and along lines and walls, and averages in time.

use std::sync::Arc;

use serde_json::json;

use super::document::{Place, Section, Value};
use super::kinds::{Result, file_stem, point};
use crate::formula::{Formulas, Vocabulary};
use crate::io::vtu::vectors;
use crate::law::{AXES, Law};
use crate::mesh::Mesh;
use crate::names::unknown;
use crate::solver::{Measured, Quantities, require_points};

/// What a case measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What the device computes.
    pub measured: Measured,
    /// The files with rows in time.
    pub files: Vec<Rows>,
    /// Their places in the case file.
    places: Vec<Place>,
}

/// A file with rows in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Its name without the kind.
    pub name: String,
    /// Time between two rows; `None` for one with every row of the history.
    pub every: Option<f64>,
    /// What is in the rows.
    pub what: What,
}

/// What is measured. Quantities and components are numbers among those of [`Measured`] and of the state.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The force on boundaries: the flux of momentum through them.
    Forces {
        /// The boundaries.
        boundaries: Vec<String>,
        /// The components of momentum.
        momentum: Vec<usize>,
        /// The point of the moment, if that is wanted.
        centre: Option<[f64; 2]>,
        /// The direction of drag, of length 1.
        direction: [f64; 2],
        /// What forces are divided by for coefficients: the dynamic pressure times the length, and that length.
        reference: Option<[f64; 2]>,
    },
    /// The flux of components through boundaries.
    Flux {
        /// The boundaries.
        boundaries: Vec<String>,
        /// The components.
        components: Vec<usize>,
    },
    /// Integrals, minima and maxima.
    Region {
        /// Groups of elements; all elements if there are none.
        groups: Vec<String>,
        /// The quantities.
        quantities: Vec<usize>,
    },
    /// Values at equidistant points of a line.
    Line {
        /// Its ends.
        ends: [[f64; 2]; 2],
        /// The number of points, with both ends.
        points: usize,
        /// The quantities.
        quantities: Vec<usize>,
    },
    /// Values at points of a parallelogram, in rows along its first edge.
    Plane {
        /// Its first corner.
        corner: [f64; 2],
        /// The edges that leave this corner.
        edges: [[f64; 2]; 2],
        /// The number of points along each edge, with both ends.
        points: [usize; 2],
        /// The quantities.
        quantities: Vec<usize>,
    },
    /// Values along boundaries.
    Wall {
        /// The boundaries.
        boundaries: Vec<String>,
        /// The quantities.
        quantities: Vec<usize>,
        /// The force per area.
        traction: Option<Traction>,
    },
}

/// The force of a flow on a wall, per area: the flux of momentum through it.
#[derive(Clone, Debug, PartialEq)]
pub struct Traction {
    /// The components of momentum.
    pub momentum: Vec<usize>,
    /// For coefficients: the dynamic pressure, by which they are divided, and the static one, which is subtracted.
    pub reference: Option<[f64; 2]>,
}

impl Traction {
    /// The names of its columns.
    pub fn columns(&self, law: &Law) -> Vec<String> {
        let friction = AXES[..law.dim].iter().map(|axis| format!("friction_{axis}"));
        let coefficients = self.reference.map_or(&[][..], |_| &["cp", "cf"]).iter().map(|&name| name.to_owned());
        if law.is_viscous() { friction.chain(coefficients).collect() } else { coefficients.take(1).collect() }
    }
}

impl What {
    /// The quantities; none of a flux.
    pub fn quantities(&self) -> &[usize] {
        match self {
            Self::Forces { .. } | Self::Flux { .. } => &[],
            Self::Region { quantities, .. }
            | Self::Plane { quantities, .. }
            | Self::Line { quantities, .. }
            | Self::Wall { quantities, .. } => quantities,
        }
    }
}

/// The kinds of files: the key of their tables, the first part of their names, and their own keys.
const KINDS: [(&str, &str, &[&str]); 6] = [
    ("forces", "forces", &["boundaries", "momentum", "centre", "direction", "reference", "every"]),
    ("fluxes", "flux", &["boundaries", "components", "every"]),
    ("regions", "region", &["groups", "fields", "every"]),
    ("planes", "plane", &["corner", "edges", "points", "fields", "every"]),
    ("lines", "line", &["from", "to", "points", "fields", "every"]),
    ("walls", "wall", &["boundaries", "fields", "momentum", "reference", "every"]),
];

/// Upper bounds on the rows of a file in time, and on the points of a line or plane, to protect the disk.
const MOST_ROWS: f64 = 1e8;
const MOST_POINTS: usize = 1_000_000;

impl Rows {
    /// The name of the file.
    pub fn file(&self) -> String {
        let kind = match self.what {
            What::Forces { .. } => KINDS[0],
            What::Flux { .. } => KINDS[1],
            What::Region { .. } => KINDS[2],
            What::Plane { .. } => KINDS[3],
            What::Line { .. } => KINDS[4],
            What::Wall { .. } => KINDS[5],
        };
        format!("{}_{}.csv", kind.1, self.name)
    }

    /// The points of a line or a plane, row by row; none of anything else.
    pub fn points(&self) -> Vec<[f64; 2]> {
        let share = |i: usize, count: usize| i as f64 / (count - 1) as f64;
        match &self.what {
            What::Line { ends: [from, to], points, .. } => {
                let at = |i: usize| {
                    let share = share(i, *points);
                    std::array::from_fn(|d| (1.0 - share) * from[d] + share * to[d])
                };
                (0..*points).map(at).collect()
            }
            What::Plane { corner, edges: [along, across], points: [n, m], .. } => {
                let at = |i: usize| {
                    let (a, b) = (share(i % n, *n), share(i / n, *m));
                    std::array::from_fn(|d| corner[d] + a * along[d] + b * across[d])
                };
                (0..n * m).map(at).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The name for messages of one of these points.
    pub fn name_of_point(&self, i: usize) -> String {
        match &self.what {
            What::Plane { points: [n, _], .. } => {
                format!("point [{}, {}] of the plane `{}`", i % n + 1, i / n + 1, self.name)
            }
            _ => format!("point {} of the line `{}`", i + 1, self.name),
        }
    }
}

/// Whether a file has the name of one that a case measures.
pub fn is_name(name: &str) -> bool {
    KINDS.iter().any(|(_, kind, _)| is_of(name, kind))
}

/// Whether it is one along lines or walls, with many points along a curve at each time.
pub fn is_distribution(name: &str) -> bool {
    KINDS[4..].iter().any(|(_, kind, _)| is_of(name, kind))
}

/// Whether it is one of a plane.
pub fn is_plane(name: &str) -> bool {
    is_of(name, KINDS[3].1)
}

fn is_of(name: &str, kind: &str) -> bool {
    name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('_') && rest.ends_with(".csv"))
}

impl Measure {
    /// Makes sure that the points of lines and planes are in the mesh.
    pub(super) fn check_points(&self, mesh: &Mesh) -> Result<()> {
        self.files.iter().zip(&self.places).try_for_each(|(rows, place)| {
            require_points(mesh, &rows.points(), |i| rows.name_of_point(i))
                .map_err(|error| place.mistake(error.to_string()))
        })
    }

    /// Everything that determines what is measured, and when, as JSON.
    pub fn identity(&self) -> serde_json::Value {
        let quantities = |of: &Quantities| json!([of.names, of.formulas.identity()]);
        let Measured { quantities: at_times, averaged, .. } = &self.measured;
        json!({
            "quantities": at_times.as_ref().map(quantities),
            "averaged": averaged.as_ref().map(|(of, from)| json!([quantities(of), from])),
            // `Debug` writes numbers exactly.
            "files": format!("{:?}", self.files),
        })
    }
}

/// Reads `[measure]`; the run ends at the time `until`.
pub(super) fn measure(law: &'static Law, root: &Section<'_>, until: Option<f64>) -> Result<Option<Measure>> {
    let Some(section) = root.section("measure")? else { return Ok(None) };
    let tables = KINDS.map(|(key, ..)| key);
    section.allow(&[&["every", "formulas", "mean"], &tables[..]].concat())?;
    let vocabulary = Arc::new(vocabulary(law, root, &section)?);
    let mut reader = Reader { law, until, every: None, fields: fields(law, &section)?, chosen: Vec::new() };
    reader.every = section.get("every").map(|value| reader.interval(&value)).transpose()?;
    let (mut files, mut places, mut flux) = (Vec::<Rows>::new(), Vec::new(), false);
    for (key, _, allowed) in KINDS {
        for value in section.section(key)?.iter().flat_map(Section::entries) {
            let of_file = value.section()?;
            of_file.allow(allowed)?;
            let name = file_stem(&value, "a measurement")?;
            let what = match key {
                "forces" => reader.forces(&of_file)?,
                "fluxes" => reader.flux(&of_file)?,
                "regions" => reader.region(&of_file)?,
                "planes" => reader.plane(&of_file)?,
                "lines" => reader.line(&of_file)?,
                _ => reader.wall(&of_file)?,
            };
            flux |= matches!(what, What::Forces { .. } | What::Flux { .. } | What::Wall { traction: Some(_), .. });
            let every = of_file.get("every").map(|value| reader.interval(&value)).transpose()?.or(reader.every);
            let rows = Rows { name: name.to_owned(), every, what };
            // On some file systems names that differ in their case alone are the same.
            if let Some(other) = files.iter().find(|other| other.file().to_lowercase() == rows.file().to_lowercase()) {
                let message = format!("`{}` and `{name}` would have the same file: take another name", other.name);
                return Err(value.name_mistake(message));
            }
            files.push(rows);
            // A setting moves the points of a table in the file.
            let ends = ["from", "to", "corner", "edges"].into_iter().filter_map(|key| of_file.get(key));
            let of_setting = ends.map(|value| value.place()).find(Place::is_in_setting);
            places.push(of_setting.unwrap_or_else(|| value.name_place()));
        }
    }
    let chosen = std::mem::take(&mut reader.chosen);
    let averaged = match section.section("mean")? {
        None => None,
        Some(mean) => {
            mean.allow(&["from", "fields"])?;
            let from = match mean.get("from") {
                Some(value) => {
                    let from = value.number()?;
                    if let Some(until) = until.filter(|until| from >= *until) {
                        let message =
                            format!("averages begin at {from:?}, when the run has ended: `time.final` is {until:?}");
                        return Err(value.mistake(format!("{message}; take an earlier time, or run longer")));
                    }
                    from
                }
                None => 0.0,
            };
            reader.quantities(&mean)?;
            Some((quantities(&vocabulary, &section, std::mem::take(&mut reader.chosen))?, from))
        }
    };
    if files.is_empty() && averaged.is_none() {
        let known = tables.map(|key| format!("[measure.{key}.NAME]")).join(", ");
        return Err(section.mistake(format!("[measure] measures nothing: add {known} or [measure.mean]")));
    }
    let at_times = if chosen.is_empty() { None } else { Some(quantities(&vocabulary, &section, chosen)?) };
    Ok(Some(Measure { measured: Measured { quantities: at_times, averaged, flux }, files, places }))
}

/// The names of fields: those of the law, then those of `[measure.formulas]`.
fn fields(law: &Law, section: &Section<'_>) -> Result<Vec<String>> {
    let mut names: Vec<String> = law.fields().into_iter().map(str::to_owned).collect();
    names.extend(section.section("formulas")?.iter().flat_map(Section::entries).map(|value| value.key.to_owned()));
    Ok(names)
}

/// The vocabulary of quantities: that of the law with its fields, `[formulas]` and `[measure.formulas]`.
fn vocabulary(law: &'static Law, root: &Section<'_>, section: &Section<'_>) -> Result<Vocabulary> {
    let fields = law.fields();
    // A parameter of the same name stands behind the field.
    let given = |name: &&&str| AXES.contains(*name) || **name == "t";
    if let Some(name) = fields.iter().find(given) {
        let message =
            format!("`{name}` is a field of {} and something else in formulas: rename it in the law", law.name);
        return Err(section.mistake(message));
    }
    let sections = [root.section("formulas")?, section.section("formulas")?];
    let named: Vec<Value<'_>> = sections.iter().flatten().flat_map(Section::entries).collect();
    let read = |pairs: &[(&str, &str)]| {
        Vocabulary::with_fields(law, &fields, pairs).map_err(|(i, error)| {
            let message = format!("in the formula for `{}`: {}", named[i].key, error.message);
            named[i].mistake_within(error.span, message)
        })
    };
    let of_law = read(&[])?;
    let mut pairs = Vec::<(&str, &str)>::new();
    for value in &named {
        of_law.check_name(value.key).map_err(|message| value.name_mistake(message))?;
        if pairs.iter().any(|(known, _)| *known == value.key) {
            return Err(value.name_mistake(format!("[formulas] has a `{}`, too: take another name", value.key)));
        }
        pairs.push((value.key, value.formula()?));
    }
    read(&pairs)
}

/// Quantities by their names, each of which is a formula.
fn quantities(vocabulary: &Arc<Vocabulary>, section: &Section<'_>, names: Vec<String>) -> Result<Quantities> {
    let parse = |name: &String| vocabulary.parse(name).map_err(|error| section.mistake(error.to_string()));
    let formulas = names.iter().map(parse).collect::<Result<Vec<_>>>()?;
    Ok(Quantities { names, formulas: Formulas::new(vocabulary, formulas) })
}

/// What tables of files have in common.
struct Reader {
    law: &'static Law,
    until: Option<f64>,
    /// The default time between two rows.
    every: Option<f64>,
    /// The names that fields may have.
    fields: Vec<String>,
    /// Those chosen so far.
    chosen: Vec<String>,
}

impl Reader {
    fn interval(&self, value: &Value<'_>) -> Result<f64> {
        let every = value.positive()?;
        if self.until.is_some_and(|until| until / every > MOST_ROWS) {
            let message = format!("more than {MOST_ROWS:e} rows until the final time: let more time pass between them");
            return Err(value.mistake(message));
        }
        Ok(every)
    }

    fn boundaries(section: &Section<'_>) -> Result<Vec<String>> {
        let meaning = "the boundaries of the mesh: boundaries = [\"wall\"]";
        names(&section.require("boundaries", meaning)?, "boundary")
    }

    fn forces(&self, section: &Section<'_>) -> Result<What> {
        let momentum = self.momentum(section)?;
        let reference = section.get("reference").map(|value| reference(&value, "length")).transpose()?;
        let reference = reference.map(|[pressure, length]| [pressure * length, length]);
        let direction = match section.get("direction") {
            Some(value) if reference.is_none() => {
                let message = "`direction` is that of drag, for coefficients: give a `reference`, too";
                return Err(value.name_mistake(message));
            }
            Some(value) => {
                let [x, y] = point(&value)?;
                let length = x.hypot(y);
                if length == 0.0 {
                    return Err(value.mistake("`direction` is to have a length above zero"));
                }
                [x / length, y / length]
            }
            None => [1.0, 0.0],
        };
        let centre = section.get("centre").map(|value| point(&value)).transpose()?;
        Ok(What::Forces { boundaries: Self::boundaries(section)?, momentum, centre, direction, reference })
    }

    /// The components of momentum: those that a table names, or the only vector of the state.
    fn momentum(&self, section: &Section<'_>) -> Result<Vec<usize>> {
        let Some(value) = section.get("momentum") else {
            let message =
                "`momentum` is missing: the components whose flux is a force, as momentum = [\"rho_v1\", \"rho_v2\"]";
            return self.only_vector().ok_or_else(|| section.mistake(message));
        };
        let components = self.components(&value)?;
        if components.len() != self.law.dim {
            let message = format!("`momentum` is to have {} components, along each axis one", self.law.dim);
            return Err(value.mistake(message));
        }
        if (1..components.len()).any(|i| components[..i].contains(&components[i])) {
            return Err(value.mistake("`momentum` has a component twice: name that along each axis"));
        }
        Ok(components)
    }

    /// The components of the only vector of the state, if there is one.
    fn only_vector(&self) -> Option<Vec<usize>> {
        let names: Vec<&str> = self.law.state.iter().map(|component| component.name).collect();
        let groups = vectors::groups(&names);
        let mut vectors = groups.iter().filter(|group| group.components.len() == self.law.dim && self.law.dim > 1);
        let (Some(vector), None) = (vectors.next(), vectors.next()) else { return None };
        vector.components.iter().map(|name| names.iter().position(|known| known == name)).collect()
    }

    fn flux(&self, section: &Section<'_>) -> Result<What> {
        let all = || (0..self.law.state.len()).collect();
        let components = section.get("components").map_or_else(|| Ok(all()), |value| self.components(&value))?;
        Ok(What::Flux { boundaries: Self::boundaries(section)?, components })
    }

    fn components(&self, value: &Value<'_>) -> Result<Vec<usize>> {
        let known: Vec<&str> = self.law.state.iter().map(|component| component.name).collect();
        let what = format!("component of {}", self.law.name);
        let found: Vec<usize> = value.list()?.iter().map(|item| item.choice(&what, &known)).collect::<Result<_>>()?;
        if found.is_empty() { Err(empty(value, "component")) } else { Ok(found) }
    }

    fn region(&mut self, section: &Section<'_>) -> Result<What> {
        let groups = section.get("groups").map_or(Ok(Vec::new()), |value| names(&value, "group of elements"))?;
        Ok(What::Region { groups, quantities: self.quantities(section)? })
    }

    fn line(&mut self, section: &Section<'_>) -> Result<What> {
        let end = |key: &str| section.require(key, "an end of the line: [0.0, 0.0]");
        let (from, to) = (end("from")?, end("to")?);
        let ends = [point(&from)?, point(&to)?];
        if ends[0] == ends[1] {
            return Err(to.mistake("`to` is `from`: give the line another end, or take a receiver for a point"));
        }
        let value = section.require("points", "how many points the line has, with both ends: points = 101")?;
        let points = value.whole(2)?;
        if points > MOST_POINTS {
            return Err(value.mistake(format!("a line has at most {MOST_POINTS} points")));
        }
        Ok(What::Line { ends, points, quantities: self.quantities(section)? })
    }

    fn plane(&mut self, section: &Section<'_>) -> Result<What> {
        let corner = point(&section.require("corner", "a corner of the plane: corner = [0.0, 0.0]")?)?;
        let value = section.require("edges", "the two edges at the corner: edges = [[1.0, 0.0], [0.0, 1.0]]")?;
        let [a, b] = &value.list()?[..] else {
            return Err(value.mistake("`edges` is to have two vectors: edges = [[1.0, 0.0], [0.0, 1.0]]"));
        };
        let edges = [point(a)?, point(b)?];
        let [[a, b], [c, d]] = edges;
        if a * d - b * c == 0.0 {
            return Err(value.mistake("`edges` are to have two directions: the plane has no area"));
        }
        let value = section.require("points", "how many points each edge has, with both ends: points = [101, 51]")?;
        let [n, m] = &value.list()?[..] else {
            return Err(value.mistake("`points` is to have two numbers, one for each edge: points = [101, 51]"));
        };
        let points = [n.whole(2)?, m.whole(2)?];
        if points[0].saturating_mul(points[1]) > MOST_POINTS {
            return Err(value.mistake(format!("a plane has at most {MOST_POINTS} points")));
        }
        Ok(What::Plane { corner, edges, points, quantities: self.quantities(section)? })
    }

    fn wall(&mut self, section: &Section<'_>) -> Result<What> {
        let traction = self.traction(section)?;
        let columns = traction.as_ref().map_or_else(Vec::new, |traction| traction.columns(self.law));
        for item in section.get("fields").map_or_else(|| Ok(Vec::new()), |value| value.list())? {
            let name = item.text()?;
            if columns.iter().any(|column| column == name) {
                let message = format!("`{name}` is a column of this wall already: rename the formula, or leave it out");
                return Err(item.mistake(message));
            }
        }
        Ok(What::Wall { boundaries: Self::boundaries(section)?, quantities: self.quantities(section)?, traction })
    }

    /// The force per area on a wall, where the law has friction or a table asks for coefficients.
    fn traction(&self, section: &Section<'_>) -> Result<Option<Traction>> {
        let reference = section.get("reference").map(|value| reference(&value, "pressure")).transpose()?;
        let is_told = reference.is_some() || section.get("momentum").is_some();
        if is_told && reference.is_none() && !self.law.is_viscous() {
            let message = format!(
                "{} has no friction: give a `reference` for the coefficient of pressure, or leave `momentum` out",
                self.law.name
            );
            return Err(section.mistake(message));
        }
        let is_wanted = is_told || self.law.is_viscous() && self.only_vector().is_some();
        is_wanted.then(|| Ok(Traction { momentum: self.momentum(section)?, reference })).transpose()
    }

    /// The numbers of the fields that a table names, or of all of the law.
    fn quantities(&mut self, section: &Section<'_>) -> Result<Vec<usize>> {
        let names = match section.get("fields") {
            None => self.law.fields().into_iter().map(str::to_owned).collect(),
            Some(value) => {
                let items = value.list()?;
                if items.is_empty() {
                    return Err(empty(&value, "field"));
                }
                let known: Vec<&str> = self.fields.iter().map(String::as_str).collect();
                let what = format!("field of {} or of [measure.formulas]", self.law.name);
                let name = |item: &Value<'_>| {
                    let name = item.text()?;
                    if known.contains(&name) {
                        Ok(name.to_owned())
                    } else {
                        Err(item.mistake(unknown(&what, name, &known)))
                    }
                };
                items.iter().map(name).collect::<Result<Vec<_>>>()?
            }
        };
        Ok(names.into_iter().map(|name| self.number(name)).collect())
    }

    /// The number of a chosen field.
    fn number(&mut self, name: String) -> usize {
        self.chosen.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.chosen.push(name);
            self.chosen.len() - 1
        })
    }
}

/// Names of parts of the mesh.
fn names(value: &Value<'_>, what: &str) -> Result<Vec<String>> {
    let names: Vec<String> = value.list()?.iter().map(|item| Ok(item.text()?.to_owned())).collect::<Result<_>>()?;
    if names.is_empty() { Err(empty(value, what)) } else { Ok(names) }
}

fn empty(value: &Value<'_>, what: &str) -> super::Mistake {
    value.mistake(format!("`{}` is empty: name at least one {what}", value.key))
}

/// ½ ρ v², and another number.
fn reference(value: &Value<'_>, other: &str) -> Result<[f64; 2]> {
    let section = value.section()?;
    section.allow(&["density", "velocity", other])?;
    let form = format!("as in reference = {{ density = 1.0, velocity = 1.0, {other} = 1.0 }}");
    let one = |key: &str| section.require(key, &form)?.positive();
    let [density, velocity, other] = [one("density")?, one("velocity")?, one(other)?];
    Ok([0.5 * density * velocity * velocity, other])
}
