//! Reading and checking a case file, a section at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::boundaries::{Context, boundaries};
use super::document::{Origin, Section, Text, Value};
use super::kinds::{Result, beside, function, point};
use super::measure::measure;
use super::medium::medium;
use super::picture::{pictures, require_files};
use super::places::Places;
use super::point_sources::point_sources;
use super::receivers::receivers;
use super::states::States;
use super::vtu::{Vtu, vtkhdf, vtu};
use super::{Case, CaseError, MeshOrigin, MeshSource, Mistake, Output, Steady, Time, field_names, require_order};
use crate::law::{Function, Law, Role, Shape};
use crate::mesh::generate::{Block, Disc, Domain, ForwardStep, Naca, Profile, QuarterAnnulus, Rectangle};
use crate::mesh::{Curve, MAX_DEGREE, MeshError};
use crate::solver::{
    self, Given, Indicator, Integrator, LegendreStages, Limiter, Method, Precision, Tolerance, Variables, Variant,
    ViscousScheme,
};

impl Case {
    /// Reads a case file and checks it against the law that it names, one of `laws`.
    ///
    /// # Errors
    ///
    /// On the first mistake, with its place in the file.
    pub fn read(path: &Path, laws: &[&'static Law]) -> Result<Self, CaseError> {
        Self::read_with(path, &[], laws)
    }

    /// Like [`Case::read`], with settings `key.path=value` that replace the file's values of the same keys. A
    /// value is TOML's, or a string without its quotes.
    ///
    /// # Errors
    ///
    /// On the first mistake, with its place in the file or in a setting.
    pub fn read_with(path: &Path, settings: &[String], laws: &[&'static Law]) -> Result<Self, CaseError> {
        let text = std::fs::read_to_string(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })?;
        Self::parse_text(&Text::new(&text, settings), path, laws)
    }

    /// Like [`Case::read`], for this text; relative paths in it start at `path`, which errors name.
    ///
    /// # Errors
    ///
    /// On the first mistake, with its place in the text.
    pub fn parse(text: &str, path: &Path, laws: &[&'static Law]) -> Result<Self, CaseError> {
        Self::parse_text(&Text::new(text, &[]), path, laws)
    }

    fn parse_text(text: &Text, path: &Path, laws: &[&'static Law]) -> Result<Self, CaseError> {
        let origin = Origin { path, text };
        let document = origin.parse()?;
        let root = Section::root(origin, &document);
        root.allow(&[
            "law",
            "order",
            "orders",
            "precision",
            "schedule",
            "literal_parameters",
            "parameters",
            "mesh",
            "formulas",
            "states",
            "boundaries",
            "medium",
            "initial",
            "time",
            "flux",
            "viscous",
            "limiter",
            "well_balanced",
            "exact",
            "point_sources",
            "receivers",
            "measure",
            "output",
        ])?;

        let names: Vec<_> = laws.iter().map(|law| law.name).collect();
        let law = laws[root.require("law", "the name of the law: law = \"euler\"")?.choice("law", &names)?];
        let order = root.require("order", "the polynomial degree: order = 2")?;
        let degree = order.whole(0)?;
        let orders = orders(law, &root)?;

        let states = States::read(law, &root)?;
        let medium = medium(law, degree, path, &root, &states)?;
        let initial = states.initial(path, &root)?;
        let (boundaries, periodic) = boundaries(&root, &Context { law, states: &states, initial: &initial })?;
        let exact = states.exact(&root, &initial, medium.as_ref())?;
        let precision =
            root.get("precision").map_or(Ok(0), |value| value.choice("precision", &["double", "single"]))?;
        let precision = [Precision::Double, Precision::Single][precision];
        let time = time(law, &root, precision)?;
        let limiter = limiter(law, degree, time.integrator, &root)?;
        if let Some(method) = limiter.and_then(|limiter| limiter.method) {
            let unsuited = orders.iter().find_map(|(_, order)| method.require(law, *order).err());
            unsuited.map_or(Ok(()), |message| Err(root.mistake(message)))?;
        }
        let well_balanced = match root.get("well_balanced") {
            Some(value) => {
                let steady = well_balanced(law, &value, &time, limiter, exact.as_ref())?;
                states.solves_in(medium.as_ref(), steady).map_err(|message| value.mistake(message))?;
                Some(steady)
            }
            None => None,
        };
        let point_sources = point_sources(law, path, &root, &states, &time)?;
        let receivers = receivers(&root, time.until)?;
        let measure = measure(law, &root, time.until)?;
        let output = output(law, path, root.section("output")?, time.until)?;
        let case = Self {
            path: path.to_owned(),
            law,
            order: degree,
            orders,
            precision,
            schedule: root.get("schedule").map(|value| schedule(&value)).transpose()?,
            parameters: parameters(law, &root)?,
            literal_parameters: root.get("literal_parameters").map_or(Ok(false), |value| value.truth())?,
            mesh: mesh(path, &root, &periodic)?,
            places: Places::of(&root)?,
            boundaries,
            periodic,
            medium,
            initial,
            exact,
            limiter,
            well_balanced,
            time,
            numerical_flux: numerical_flux(law, &root)?,
            viscous: viscous(law, &root)?,
            point_sources,
            receivers,
            measure,
            output,
        };
        require_order(law, degree).map_err(|error| order.mistake(error.to_string()))?;
        Ok(case)
    }
}

/// The degrees of groups of elements.
fn orders(law: &'static Law, root: &Section<'_>) -> Result<Vec<(String, usize)>> {
    let of_group = |value: Value<'_>| {
        let order = value.whole(0)?;
        require_order(law, order).map_err(|error| value.mistake(error.to_string()))?;
        Ok((value.key.to_owned(), order))
    };
    root.section("orders")?.iter().flat_map(Section::entries).map(of_group).collect()
}

fn schedule(value: &Value<'_>) -> Result<Variant> {
    value.text()?.parse().map_err(|error: solver::Error| value.mistake(error.to_string()))
}

fn parameters(law: &'static Law, root: &Section<'_>) -> Result<Vec<f64>> {
    let section = root.section("parameters")?;
    let names: Vec<_> = law.parameters.iter().map(|parameter| parameter.name).collect();
    if let Some(section) = &section {
        section.allow(&names)?;
    }
    let value = |name: &str| section.as_ref().and_then(|section| section.get(name));
    law.parameters
        .iter()
        .map(|parameter| match (value(parameter.name), parameter.default) {
            (Some(value), _) => match (value.number()?, parameter.range_in_words()) {
                (number, Some(range)) if !parameter.allows(number) => {
                    Err(value.mistake(format!("`{}` of {} is to be {range}, found {number}", parameter.name, law.name)))
                }
                (number, _) => Ok(number),
            },
            (None, Some(default)) => Ok(default),
            (None, None) => {
                let message = format!("{} needs its parameter `{}`; give it in [parameters]", law.name, parameter.name);
                Err(section.as_ref().unwrap_or(root).mistake(message))
            }
        })
        .collect()
}

/// With less, a wave takes more than 10^9 steps to cross an element.
const LEAST_CFL: f64 = 1e-9;

fn cfl(value: &Value<'_>) -> Result<f64> {
    match value.positive()? {
        cfl if cfl < LEAST_CFL => Err(value.mistake(format!(
            "`cfl` is to be at least {LEAST_CFL:?}, found {cfl:?}: with less, no run comes to its end"
        ))),
        cfl => Ok(cfl),
    }
}

/// The generators, and the keys of each.
const GENERATORS: [(&str, &[&str]); 8] = [
    ("rectangle", &["elements", "layers", "lower", "upper", "cells", "grading", "jitter", "curvature"]),
    ("quarter annulus", &["elements", "layers", "radii", "cells"]),
    ("disc", &["elements", "centre", "radius", "rings"]),
    ("forward step", &["elements", "layers", "channel", "step", "cells", "jitter"]),
    ("cylinder", &["elements", "layers", "radii", "cells", "grading"]),
    ("airfoil", &["elements", "layers", "naca", "radius", "wake", "cells", "grading"]),
    ("bump", &["elements", "layers", "profile", "height", "cells", "grading"]),
    ("ramp", &["elements", "layers", "channel", "corner", "angle", "cells", "grading"]),
];

fn mesh(path: &Path, root: &Section<'_>, periodic: &[(String, String)]) -> Result<MeshSource> {
    let section =
        root.section("mesh")?.ok_or_else(|| root.mistake("the case file lacks [mesh], with a generator or a file"))?;
    let common = ["file", "generator", "refine", "curves", "degree"];
    let names = GENERATORS.map(|(name, _)| name);
    let origin = match (section.get("file"), section.get("generator")) {
        (Some(file), None) => {
            if let Some(elements) = section.get("elements") {
                return Err(
                    elements.name_mistake("the `file` says which shape its elements have; leave `elements` out")
                );
            }
            section.allow(&common)?;
            MeshOrigin::File(beside(path, file.text()?))
        }
        (None, Some(generator)) => {
            let (name, keys) = GENERATORS[generator.choice("generator", &names)?];
            section.allow(&[&common, keys].concat())?;
            let origin = generate(name, &section)?;
            origin.check().map_err(|error| of_option(&section, &error))?;
            origin
        }
        (Some(_), Some(generator)) => {
            return Err(generator.name_mistake("[mesh] has both a file and a generator; keep one of them"));
        }
        (None, None) => {
            let of_any: BTreeSet<&str> =
                GENERATORS.iter().flat_map(|(_, keys)| *keys).chain(&common).copied().collect();
            section.allow(&of_any.into_iter().collect::<Vec<_>>())?;
            return Err(section.mistake(format!("[mesh] needs a `file` or a `generator`: {}", names.join(", "))));
        }
    };

    let mut curves = BTreeMap::new();
    for value in section.section("curves")?.iter().flat_map(Section::entries) {
        let curve = curve(&value)?;
        if periodic.iter().any(|(a, b)| [a, b].iter().any(|name| *name == value.key)) {
            let message = format!("the boundary `{}` is periodic, so that no body has a curve there", value.key);
            return Err(value.name_mistake(message));
        }
        curves.insert(value.key.to_owned(), curve);
    }
    let refine = section.get("refine").map_or(Ok(0), |value| value.whole(0))?;
    let degree = section.get("degree").map_or(Ok(1), |value| match value.whole(1)? {
        degree if degree <= MAX_DEGREE => Ok(degree),
        _ => Err(value.mistake(format!("`degree` of elements is to be from 1, for straight sides, to {MAX_DEGREE}"))),
    })?;
    if let (Some(curvature), 1) = (section.get("curvature"), degree) {
        return Err(curvature.name_mistake("`curvature` needs elements with curved sides; add `degree = 2`, or more"));
    }
    Ok(MeshSource { origin, refine, curves, degree })
}

/// What is wrong with an option of a generator, at the option, if it is given.
fn of_option(section: &Section<'_>, error: &MeshError) -> Mistake {
    let MeshError::Options { option, problem, .. } = error else { return section.mistake(error.to_string()) };
    section.get(option).map_or_else(|| section.mistake(problem), |value| value.mistake(problem))
}

/// A generated mesh.
fn generate(name: &str, section: &Section<'_>) -> Result<MeshOrigin> {
    Ok(match name {
        "rectangle" => MeshOrigin::Rectangle(rectangle(section)?),
        "quarter annulus" => MeshOrigin::QuarterAnnulus(quarter_annulus(section)?),
        "disc" => MeshOrigin::Disc(disc(section)?),
        "forward step" => MeshOrigin::ForwardStep(forward_step(section)?),
        name => MeshOrigin::Block(block(name, section)?),
    })
}

/// A grid that is bent.
fn block(name: &str, section: &Section<'_>) -> Result<Block> {
    let positive = |key: &str, default: f64| section.get(key).map_or(Ok(default), |value| value.positive());
    let (domain, meaning) = match name {
        "cylinder" => {
            let radii = section.require("radii", "the inner and outer radius: radii = [0.5, 20.0]")?;
            let radii = radii.items("two radii: [0.5, 20.0]", Value::positive)?;
            (Domain::Cylinder { radii }, "the numbers of cells outward and around: cells = [32, 64]")
        }
        "airfoil" => {
            let digits = section.require("naca", "the airfoil: naca = \"0012\"")?;
            let message = "`naca` is to be the four digits of an airfoil, which has a thickness and, where it has a camber, a place of it, as \"0012\" or \"2412\"";
            let airfoil = Naca::new(digits.text()?).ok_or_else(|| digits.mistake(message))?;
            let wake = section.get("wake").map_or(Ok(0), |value| value.whole(0))?;
            let domain = Domain::Airfoil { airfoil, radius: positive("radius", 20.0)?, wake };
            (domain, "the numbers of cells outward and around: cells = [32, 128]")
        }
        "bump" => {
            let profile = section.get("profile").map_or(Ok(0), |value| value.choice("profile", &["arc", "sine"]))?;
            let profile = [Profile::Arc, Profile::Sine][profile];
            let domain = Domain::Bump { profile, height: positive("height", 0.1)? };
            (domain, "the numbers of cells along and across the channel: cells = [48, 16]")
        }
        _ => {
            let pair = |value: Value<'_>| value.items("a length and a height: [1.5, 1.0]", Value::positive);
            let channel = section.get("channel").map_or(Ok([1.5, 1.0]), pair)?;
            let angle = section.require("angle", "the angle of the ramp in degrees: angle = 15.0")?.number()?;
            let domain = Domain::Ramp { channel, corner: positive("corner", 0.5)?, angle };
            (domain, "the numbers of cells along and across the channel: cells = [60, 40]")
        }
    };
    let cells = cells(section, meaning)?;
    Ok(Block { shape: shape(section)?, cells, layers: layers(section)?, grading: positive("grading", 1.0)?, domain })
}

fn rectangle(section: &Section<'_>) -> Result<Rectangle> {
    let lower = point(&section.require("lower", "the lower left corner: lower = [0.0, 0.0]")?)?;
    let upper = point(&section.require("upper", "the upper right corner: upper = [1.0, 1.0]")?)?;
    let cells = cells(section, "the numbers of cells in x and y: cells = [20, 20]")?;
    let (shape, jitter) = (shape(section)?, jitter(section)?);
    let ratios =
        |value: Value<'_>| value.items("the ratios of cells to the right and upward: [1.0, 1.1]", Value::positive);
    let grading = section.get("grading").map_or(Ok([1.0; 2]), ratios)?;
    let curvature = section.get("curvature").map_or(Ok(0.0), |value| value.number())?;
    let layers = layers(section)?;
    Ok(Rectangle { shape, lower, upper, cells, layers, grading, jitter, curvature, ..Rectangle::default() })
}

/// The shape of the elements of a generator that makes both.
fn shape(section: &Section<'_>) -> Result<Shape> {
    section
        .get("elements")
        .map_or(Ok(Shape::Triangle), |value| Ok(Shape::ALL[value.choice("shape", &Shape::ALL.map(Shape::plural))?]))
}

/// The rows of quadrilaterals beside triangles.
fn layers(section: &Section<'_>) -> Result<usize> {
    let Some(value) = section.get("layers") else { return Ok(0) };
    match shape(section)? {
        Shape::Triangle => value.whole(0),
        Shape::Quadrilateral => {
            Err(value.name_mistake("`layers` are rows of quadrilaterals beside triangles; leave it out, or `elements`"))
        }
    }
}

fn quarter_annulus(section: &Section<'_>) -> Result<QuarterAnnulus> {
    let value = section.require("radii", "the inner and outer radius: radii = [1.0, 1.384]")?;
    let [inner, outer] = value.items("two radii: [1.0, 1.384]", Value::positive)?;
    let cells = cells(section, "the numbers of cells along the radius and the arc: cells = [5, 18]")?;
    Ok(QuarterAnnulus { shape: shape(section)?, inner, outer, cells, layers: layers(section)? })
}

fn disc(section: &Section<'_>) -> Result<Disc> {
    Ok(Disc {
        shape: shape(section)?,
        centre: section.get("centre").map_or(Ok([0.0; 2]), |value| point(&value))?,
        radius: section.require("radius", "the radius of the disc: radius = 1.0")?.positive()?,
        rings: section.require("rings", "the number of rings of elements: rings = 8")?.whole(1)?,
    })
}

fn forward_step(section: &Section<'_>) -> Result<ForwardStep> {
    let default = ForwardStep::default();
    let pair = |key: &str, form: &str, default: [f64; 2]| {
        section.get(key).map_or(Ok(default), |value| value.items(form, Value::positive))
    };
    let channel = pair("channel", "a length and a height: [3.0, 1.0]", default.channel)?;
    let step = pair("step", "where the step begins and its height: [0.6, 0.2]", default.step)?;
    let meaning = "the numbers of cells along the channel's length and height: cells = [60, 20]";
    let cells = cells(section, meaning)?;
    Ok(ForwardStep { shape: shape(section)?, channel, step, cells, layers: layers(section)?, jitter: jitter(section)? })
}

fn jitter(section: &Section<'_>) -> Result<f64> {
    section.get("jitter").map_or(Ok(0.0), |value| value.number())
}

fn cells(section: &Section<'_>, meaning: &str) -> Result<[usize; 2]> {
    section.require("cells", meaning)?.items("two numbers of cells: [20, 20]", |value| value.whole(1))
}

fn curve(value: &Value<'_>) -> Result<Option<Curve>> {
    if !value.is_section() {
        return Ok([Some(Curve::Spline), None][value.choice("curve", &["spline", "straight"])?].clone());
    }
    let section = value.section()?;
    section.allow(&["circle"])?;
    let form = "the curve: { circle = { centre = [0, 0], radius = 1 } }";
    let circle = section.require("circle", form)?.section()?;
    circle.allow(&["centre", "radius"])?;
    let centre = point(&circle.require("centre", form)?)?;
    Ok(Some(Curve::Circle { centre, radius: circle.require("radius", form)?.positive()? }))
}

fn time(law: &Law, root: &Section<'_>, precision: Precision) -> Result<Time> {
    let section = root
        .section("time")?
        .ok_or_else(|| root.mistake("the case file lacks [time], which says when to stop: final = 1.0"))?;
    section.allow(&["final", "steady", "steady_step", "cfl", "tolerance", "integrator", "stages", "step_every"])?;
    let until = section.get("final").map(|value| value.positive()).transpose()?;
    let bound = |key: &str| section.get(key).map(|value| value.positive()).transpose();
    let (per_time, per_step) = (bound("steady")?.map(Steady::PerTime), bound("steady_step")?.map(Steady::PerStep));
    let steady: Vec<_> = per_time.into_iter().chain(per_step).collect();
    if until.is_none() && steady.is_empty() {
        let message = "[time] needs `final`, the time to stop at, or a tolerance, `steady` for the change per unit of time or \
                       `steady_step` for the change in a step, or several of them";
        return Err(section.mistake(message));
    }
    let tolerance = section.get("tolerance").map(|value| tolerance(&value, precision)).transpose()?;
    for (key, why) in
        [("cfl", "steps are as long as `tolerance` allows"), ("step_every", "each step has a length of its own")]
    {
        if let (Some(_), Some(value)) = (tolerance, section.get(key)) {
            return Err(
                value.name_mistake(format!("with a `tolerance` there is no `{key}`: {why}; leave one of them out"))
            );
        }
    }
    let cfl = section.get("cfl").map(|value| cfl(&value)).transpose()?;
    let names = Integrator::ALL.map(Integrator::name);
    let integrator = match section.get("integrator") {
        Some(value) => {
            let integrator = Integrator::ALL[value.choice("integrator", &names)?];
            integrator.require(law, tolerance.is_some()).map_err(|message| value.mistake(message))?;
            integrator
        }
        None => Integrator::recommended(root.section("limiter")?.is_some()),
    };
    let stages = section.get("stages");
    let integrator = match (integrator, &stages) {
        (Integrator::Rkl2(_), Some(value)) => {
            Integrator::Rkl2(LegendreStages::new(value.count()?).map_err(|message| value.mistake(message))?)
        }
        (other, Some(value)) => {
            let message = format!("`{other}` always has {} stages; `stages` is for `rkl2`", other.stages().len());
            return Err(value.name_mistake(message));
        }
        (integrator, None) => integrator,
    };
    Ok(Time {
        until,
        steady,
        cfl,
        tolerance,
        integrator,
        automatic: ["integrator", "cfl", "tolerance"].iter().all(|key| section.get(key).is_none())
            && root.section("limiter")?.is_none()
            && root.get("well_balanced").is_none(),
        chooses_stages: matches!(integrator, Integrator::Rkl2(_)) && stages.is_none(),
        step_every: section.get("step_every").map(|value| value.count()).transpose()?,
    })
}

fn tolerance(value: &Value<'_>, precision: Precision) -> Result<Tolerance> {
    let relative = |value: &Value<'_>| {
        let relative = value.positive()?;
        let least = Tolerance::least(precision);
        if relative < least {
            let message =
                format!("`tolerance` is to be at least {least:.1e}: smaller errors are rounding in this precision");
            return Err(value.mistake(message));
        }
        Ok(relative)
    };
    if !value.is_section() {
        return Ok(Tolerance { relative: relative(value)?, absolute: 0.0 });
    }
    let section = value.section()?;
    section.allow(&["relative", "absolute"])?;
    let form = "a part of every component's size: { relative = 1e-6, absolute = 1e-9 }";
    let absolute = section.get("absolute").map_or(Ok(0.0), |value| value.positive())?;
    Ok(Tolerance { relative: relative(&section.require("relative", form)?)?, absolute })
}

fn numerical_flux(law: &'static Law, root: &Section<'_>) -> Result<&'static Function> {
    let section = root.section("flux")?;
    if let Some(section) = &section {
        section.allow(&["numerical"])?;
        if let Some(value) = section.get("numerical") {
            return function(law, &[Role::NumericalFlux], "numerical flux", &value);
        }
    }
    law.function(Role::NumericalFlux, "rusanov")
        .ok_or_else(|| root.mistake(format!("{} has no numerical flux `rusanov`; choose one in [flux]", law.name)))
}

/// How the viscous flux is discretised.
fn viscous(law: &'static Law, root: &Section<'_>) -> Result<ViscousScheme> {
    let Some(value) = root.get("viscous") else { return Ok(ViscousScheme::default()) };
    if !law.is_viscous() {
        return Err(
            value.mistake(format!("{} has no viscous flux, which `viscous` would discretise; leave it out", law.name))
        );
    }
    Ok(ViscousScheme::ALL[value.choice("viscous scheme", &ViscousScheme::ALL.map(ViscousScheme::name))?])
}

/// The steady solution that the scheme is to keep.
fn well_balanced(
    law: &'static Law,
    value: &Value<'_>,
    time: &Time,
    limiter: Option<Limiter>,
    exact: Option<&Given>,
) -> Result<&'static Function> {
    if law.algebra.steady.is_empty() {
        let message = format!(
            "{} declares no steady solution, which `well_balanced` could name: an `#[exact]` function of position alone",
            law.name
        );
        return Err(value.mistake(message));
    }
    let name = law.algebra.steady[value.choice(&format!("steady solution of {}", law.name), law.algebra.steady)?];
    time.integrator.require_whole_residuals().map_err(|message| value.mistake(message))?;
    if limiter.is_some_and(|limiter| limiter.method.is_some()) {
        let message = "the `method` of [limiter] would change the steady solution; leave it out, or `well_balanced`";
        return Err(value.mistake(message));
    }
    if let Some(solution) = exact.and_then(|exact| exact.manufactured(law)) {
        let message = format!(
            "with the source of the manufactured `{}` no solution is steady; leave one of them out",
            solution.name
        );
        return Err(value.mistake(message));
    }
    law.function(Role::Exact, name).ok_or_else(|| value.mistake(format!("`{name}` is no function of {}", law.name)))
}

fn limiter(law: &Law, order: usize, integrator: Integrator, root: &Section<'_>) -> Result<Option<Limiter>> {
    let Some(section) = root.section("limiter")? else { return Ok(None) };
    section.allow(&["method", "variables", "indicator", "positivity"])?;
    integrator.require_strong_stability().map_err(|message| section.mistake(message))?;
    let method = match section.get("method") {
        None => None,
        Some(value) => {
            let method = Method::ALL[value.choice("limiter", &Method::ALL.map(Method::name))?];
            method.require(law, order).map_err(|message| value.mistake(message))?;
            Some(method)
        }
    };
    let known = Variables::ALL.map(Variables::name);
    let variables = match (section.get("variables"), method) {
        (Some(value), None) => return Err(value.name_mistake("`variables` need a `method`")),
        (Some(value), Some(method)) => {
            let variables = Variables::ALL[value.choice("variables", &known)?];
            variables.require(method, law).map_err(|message| value.mistake(message))?;
            variables
        }
        (None, _) => Variables::default(),
    };
    let indicators = Indicator::ALL.map(Indicator::name);
    let indicator = match section.get("indicator") {
        Some(value) if method.is_none() => return Err(value.name_mistake("an `indicator` needs a `method`")),
        Some(value) => Some(Indicator::ALL[value.choice("indicator", &indicators)?]),
        None => None,
    };
    let positive = Limiter::keeps_positive(law);
    let positivity = section.get("positivity").map_or(Ok(positive), |value| value.truth())?;
    Ok(Some(Limiter { method, variables, indicator, positivity: positivity && positive }))
}

/// Upper bound on the number of outputs, to protect the disk.
const MOST_OUTPUTS: f64 = 1e5;

fn output(law: &'static Law, path: &Path, section: Option<Section<'_>>, until: Option<f64>) -> Result<Output> {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    let known = field_names(law);
    let mut output = Output {
        directory: Path::new("out").join(stem),
        every: None,
        fields: known.clone(),
        pictures: Vec::new(),
        vtu: Some(Vtu::default()),
        vtkhdf: None,
        history_every: 100,
        checkpoint_every: None,
    };
    let Some(section) = section else { return Ok(output) };
    section.allow(&[
        "directory",
        "every",
        "fields",
        "pictures",
        "picture",
        "vtu",
        "vtkhdf",
        "history_every",
        "checkpoint_every",
    ])?;
    let what = format!("component or output of {}", law.name);
    let choose = |value: Value<'_>| -> Result<Vec<&'static str>> {
        value.list()?.iter().map(|item| Ok(known[item.choice(&what, &known)?])).collect()
    };
    if let Some(value) = section.get("directory") {
        output.directory = beside(path, value.text()?);
    }
    if let Some(value) = section.get("fields") {
        output.fields = choose(value)?;
    }
    if let Some(value) = section.get("vtu") {
        output.vtu = vtu(&value)?;
    }
    if let Some(value) = section.get("vtkhdf") {
        output.vtkhdf = vtkhdf(&value)?;
    }
    output.pictures = pictures(law, path, &section, &known)?;
    require_files(&output, &section)?;
    if let Some(value) = section.get("every") {
        let every = value.positive()?;
        if until.is_some_and(|until| until / every > MOST_OUTPUTS) {
            let message =
                format!("more than {MOST_OUTPUTS} outputs until the final time: let more time pass between them");
            return Err(value.mistake(message));
        }
        output.every = Some(every);
    }
    if let Some(value) = section.get("history_every") {
        output.history_every = value.count()?;
    }
    output.checkpoint_every = section.get("checkpoint_every").map(|value| value.count()).transpose()?;
    Ok(output)
}
