//! `mesh`: what is in a mesh, how good its elements are, what a run on it takes, and a picture.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::announce::{length_of_steps, memory_as_json};
use super::dry_run::Planned;
use super::plot::require_picture;
use super::position::position;
use super::shapes::{number_of, numbers_of_elements};
use super::table::table;
use super::{Error, Report, smallest};
use crate::case::Case;
use crate::case::identity::curve;
use crate::case::picture::require_part;
use crate::device::{Choice, Device};
use crate::io::picture::mesh::{Elements, Outline, write};
use crate::io::picture::{Format, significant};
use crate::io::{Nodes, checkpoint};
use crate::law::geometry::Map;
use crate::law::{Law, Shape};
use crate::mesh::{self, Curve, Extreme, Survey, gmsh, shape_measure};

/// Arguments of `mesh`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} mesh airfoil.msh
  {bin} mesh airfoil.msh --out airfoil.png --region -0.2,-0.5,1.2,0.5
  {bin} mesh cases/vortex.toml --set mesh.refine=1 --out vortex.svg")]
pub(super) struct Mesh {
    /// A mesh file of Gmsh, or a case file (.toml), whose generator, curves, periods and refinements apply
    #[arg(value_name = "FILE|CASE")]
    source: PathBuf,
    /// Draw the mesh, its elements coloured by their quality, into a .png or .svg
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The part of the plane to draw, everything if not given
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = region, allow_hyphen_values = true, requires = "out")]
    region: Option<[[f64; 2]; 2]>,
    /// Set a key of the case file, as for `run`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Where a run would compute, as for `run`: its memory depends on it
    #[arg(long, default_value_t)]
    device: Choice,
}

/// The lower left and the upper right corner.
fn region(text: &str) -> Result<[[f64; 2]; 2], String> {
    let numbers: Option<Vec<f64>> =
        text.split(',').map(|number| number.trim().parse().ok().filter(|x: &f64| x.is_finite())).collect();
    match numbers.as_deref() {
        Some(&[x0, y0, x1, y1]) if x0 < x1 && y0 < y1 => Ok([[x0, y0], [x1, y1]]),
        Some(&[_, _, _, _]) => Err("the second corner is to be to the right of and above the first".to_owned()),
        _ => Err("four numbers are expected, of the lower left and the upper right corner: 0,0,1.5,1".to_owned()),
    }
}

pub(super) fn mesh(arguments: &Mesh, laws: &[&'static Law]) -> Result<Report, Error> {
    let Mesh { source, out, region, settings, device } = arguments;
    out.iter().try_for_each(|out| require_picture(out))?;
    let is_case = source.extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    if !is_case && !settings.is_empty() {
        return Err(Error::misplaced("--set is for a case file; give one instead of a mesh file"));
    }
    let case = is_case.then(|| Case::read_with(source, settings, laws)).transpose()?;
    let mesh = match &case {
        Some(case) => case.build_mesh()?,
        None => gmsh::read(source)?,
    };
    if let Some(region) = region {
        require_part(*region, &mesh).map_err(|message| Error::misplaced(&message))?;
    }
    let plan = case.as_ref().map(|case| run_on(case, &mesh, *device));
    let survey = mesh.survey();
    if let Some((out, format)) = out.as_ref().and_then(|out| Some((out, Format::of(out)?))) {
        draw(out, format, source, &mesh, *region)?;
    }
    let (json, rows) =
        (as_json(source, &mesh, &survey, plan.as_ref(), out.as_deref()), rows(&mesh, &survey, plan.as_ref()));
    let mut text = table(&rows).trim_start().to_owned();
    if let Some(out) = out {
        text += &format!("{}\n", out.display());
    }
    Ok(Report::new(json, text))
}

/// A run on a mesh, and the name of its device; or why there is none.
type Run = Result<(Planned, String), Error>;

fn run_on(case: &Case, mesh: &mesh::Mesh, device: Choice) -> Run {
    let device = Device::open(device)?;
    Ok((Planned::new(case, mesh, &device)?, device.name()))
}

/// How many straight pieces a curved face of a boundary is drawn with.
const CURVED_PIECES: usize = 16;

fn draw(
    out: &Path,
    format: Format,
    source: &Path,
    mesh: &mesh::Mesh,
    region: Option<[[f64; 2]; 2]>,
) -> Result<(), Error> {
    let degree = mesh.degree();
    let of_element = |element: usize| {
        let (map, lattice) = (mesh.map_of(element), mesh.shape(element).lattice(degree));
        lattice.into_iter().flat_map(move |node| map.position(node.map(|i| i as f64 / degree as f64)))
    };
    let positions: Vec<f64> = (0..mesh.element_count()).flat_map(of_element).collect();
    let quality: Vec<f64> = (0..mesh.element_count()).map(|element| mesh.quality(element).shape).collect();
    let outline = |boundary: &mesh::Boundary| Outline { name: boundary.name.clone(), faces: Vec::new() };
    let mut boundaries: Vec<Outline> = mesh.boundaries().iter().map(outline).collect();
    let pieces = if degree > 1 { CURVED_PIECES } else { 1 };
    for face in mesh.boundary_faces() {
        let at = |k: usize| mesh.face_position(face.element as usize, face.face.into(), k as f64 / pieces as f64);
        boundaries[usize::from(face.boundary)].faces.extend((0..pieces).map(|k| [at(k), at(k + 1)]));
    }
    let title = source.file_stem().unwrap_or(source.as_os_str()).to_string_lossy();
    let about = format!("{}, {} vertices", numbers_of_elements(mesh), vertex_count(mesh));
    let counts = mesh.elements().counts();
    let nodes = Nodes { counts, degree, dim: mesh.dim, positions: &positions };
    let measure = &*measures(mesh);
    let boundaries = &boundaries;
    Ok(write(
        out,
        format,
        &Elements { nodes: &nodes, quality: &quality, measure, boundaries, title: &title, about: &about, region },
    )?)
}

/// The names of the measures of shapes, each once.
fn measures(mesh: &mesh::Mesh) -> String {
    mesh.elements().shapes().into_iter().map(shape_measure).collect::<Vec<_>>().join(" or ")
}

fn vertex_count(mesh: &mesh::Mesh) -> usize {
    mesh.vertices().len() / mesh.dim
}

/// The number of elements with maps of a kind, as text.
fn of_kind((map, count): (Map, usize)) -> String {
    match map {
        Map::Affine => format!("{count} affine"),
        Map::Polynomial(1) => format!("{count} with straight sides that are no parallelograms"),
        Map::Polynomial(degree) => format!("{count} with maps of degree {degree}"),
    }
}

fn rows(mesh: &mesh::Mesh, survey: &Survey, run: Option<&Run>) -> Vec<Vec<String>> {
    let (number, small) = (|x: f64| significant(x, 5), |x: f64| significant(x, 3));
    let at = |extreme: Extreme| {
        format!("element {} at {}", extreme.element, position(mesh, &mesh.centroid(extreme.element)))
    };
    let interval = |[low, high]: [Extreme; 2]| format!("from {} to {}", number(low.value), number(high.value));
    // The table's heading is empty.
    let mut rows = vec![vec![String::new(), String::new()]];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_owned(), text]);
    row(
        "mesh",
        format!(
            "{}{}, {} faces, {} vertices",
            numbers_of_elements(mesh),
            if mesh.has_curved_sides() { format!(" with sides of degree {}", mesh.degree()) } else { String::new() },
            mesh.face_count(),
            vertex_count(mesh)
        ),
    );
    for (shape, kinds) in mesh.kinds() {
        if kinds.iter().any(|(map, count)| *map != Map::Affine && *count > 0) {
            let kinds: Vec<String> = kinds.into_iter().filter(|(_, count)| *count > 0).map(of_kind).collect();
            row("", format!("of the {}s {}", shape.name(), kinds.join(", ")));
        }
    }
    let [lower, upper] = mesh.bounds().map(|corner| position(mesh, &corner));
    row("extent", format!("from {lower} to {upper}, area {}", number(survey.area)));
    let (groups, in_none) = mesh.groups().counts();
    for (name, count) in &groups {
        row("group", format!("{name}: {}", number_of(*count, "element")));
    }
    if in_none > 0 && !groups.is_empty() {
        row("", format!("in no group: {}", number_of(in_none, "element")));
    }
    let boundaries = mesh.boundaries().iter().zip(mesh.boundary_face_counts()).zip(mesh.boundary_lengths());
    for (index, ((boundary, faces), length)) in boundaries.enumerate() {
        let curve = match &boundary.curve {
            None => String::new(),
            Some(Curve::Circle { centre, radius }) => {
                format!(", on the circle around {} of radius {}", position(mesh, centre), number(*radius))
            }
            Some(Curve::Spline) => ", on a spline".to_owned(),
        };
        let offered = mesh.offered_period(index);
        let offered = offered.map_or(String::new(), |other| format!("; the file offers {{ periodic = \"{other}\" }}"));
        row(
            "boundary",
            format!("{}: {}, length {}{curve}{offered}", boundary.name, number_of(faces, "face"), number(length)),
        );
    }
    let periodic = mesh.periodic_face_count();
    if periodic > 0 {
        let turned = match mesh.turns().len() / 2 {
            0 => String::new(),
            turned => format!(", {turned} of them turned"),
        };
        row("periods", format!("join {} of faces{turned}", number_of(periodic, "pair")));
    }
    row("sizes", format!("faces of lengths {}", interval(survey.face_lengths)));
    row("", format!("inscribed circles of diameters {}", interval(survey.diameters)));
    if let Some(smallest) = smallest::text(mesh, survey.smallest) {
        row("", smallest);
    }
    let (least, mean) = (survey.least_shape, survey.mean_shape);
    row(
        "quality",
        format!("{} at least {}, in {}; mean {}", measures(mesh), small(least.value), at(least), small(mean)),
    );
    let [sharpest, bluntest] = survey.angles;
    row("angles", format!("from {:.2}°, in {},", sharpest.value, at(sharpest)));
    row("", format!("to {:.2}°, in {}", bluntest.value, at(bluntest)));
    if mesh.is_affine() {
        row("Jacobian", "constant in every element".to_owned());
    } else {
        let least = survey.least_jacobian;
        row("Jacobian", format!("its determinant at least {} of its mean, in {}", small(least.value), at(least)));
    }
    match run {
        None => {
            let crossing = mesh.size(survey.smallest.element);
            row("steps", format!("of cfl / (2p + 1) times {crossing:.3e} at order p, where waves have speed 1"));
        }
        Some(Ok((planned, device))) => {
            row("run", format!("{} on {device}", planned.setup.law.name));
            row("unknowns", planned.unknowns(mesh));
            row("memory", planned.memory.to_string());
            row("steps", planned.first_step());
            row("", length_of_steps(&planned.setup));
        }
        Some(Err(error)) => row("run", format!("none: {}", error.chain())),
    }
    rows
}

fn as_json(source: &Path, mesh: &mesh::Mesh, survey: &Survey, run: Option<&Run>, out: Option<&Path>) -> Value {
    let extreme = |extreme: Extreme| json!({ "element": extreme.element, "position": mesh.centroid(extreme.element)[..mesh.dim], "value": extreme.value });
    let pair = |ends: [Extreme; 2]| json!({ "least": extreme(ends[0]), "largest": extreme(ends[1]) });
    let [lower, upper] = mesh.bounds().map(|corner| corner[..mesh.dim].to_vec());
    let (groups, in_none) = mesh.groups().counts();
    let groups: Vec<Value> = groups.iter().map(|(name, count)| json!({ "name": name, "elements": count })).collect();
    let boundaries = mesh.boundaries().iter().zip(mesh.boundary_face_counts()).zip(mesh.boundary_lengths());
    let boundaries: Vec<Value> = boundaries
        .enumerate()
        .map(|(index, ((boundary, faces), length))| {
            let (curve, period) = (curve(boundary.curve.as_ref()), mesh.offered_period(index));
            json!({ "name": boundary.name, "faces": faces, "length": length, "curve": curve, "offered_period": period })
        })
        .collect();
    let of_shape = |(shape, kinds): (Shape, Vec<(Map, usize)>)| {
        let count = |degree: fn(Map) -> bool| {
            kinds.iter().filter(|(map, _)| degree(*map)).map(|(_, count)| count).sum::<usize>()
        };
        let (all, affine, curved) = (count(|_| true), count(|map| map == Map::Affine), count(Map::is_curved));
        json!({ "shape": shape.name(), "elements": all, "affine": affine, "curved": curved })
    };
    let shapes: Vec<Value> = mesh.kinds().into_iter().map(of_shape).collect();
    let planned = run.and_then(|run| run.as_ref().ok()).map(|(planned, device)| {
        json!({
            "law": planned.setup.law.name, "order": planned.setup.order, "device": device, "dof": planned.dof(),
            "memory": memory_as_json(&planned.memory), "integrator": planned.setup.integrator.name(),
            "first_time_step": planned.step,
        })
    });
    json!({
        "file": source,
        "shape": checkpoint::names(&mesh.elements().shapes()), "shapes": shapes, "degree": mesh.degree(), "elements": mesh.element_count(), "faces": mesh.face_count(), "vertices": vertex_count(mesh),
        "lower": lower, "upper": upper, "area": survey.area,
        "groups": groups, "in_no_group": in_none,
        "boundaries": boundaries, "periodic_faces": mesh.periodic_face_count(), "turned_faces": mesh.turns().len() / 2,
        "face_lengths": pair(survey.face_lengths), "diameters": pair(survey.diameters), "smallest": smallest::as_json(mesh, survey.smallest),
        "crossing_time": mesh.size(survey.smallest.element),
        "quality": { "measure": measures(mesh), "least": extreme(survey.least_shape), "mean": survey.mean_shape },
        "angles": pair(survey.angles), "jacobian": extreme(survey.least_jacobian),
        "run": planned,
        "problem": run.and_then(|run| run.as_ref().err()).map(|error| error.to_json()["error"].take()),
        "picture": out,
    })
}
