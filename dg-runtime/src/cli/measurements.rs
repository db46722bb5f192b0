//! The files of what a case measures: rows in time.

use super::Error;
use super::due::{next_multiple, passes_multiple};
use crate::case::{Case, Rows, Traction, What};
use crate::io::seismogram::Seismogram;
use crate::law::{AXES, Law};
use crate::mesh::Mesh;
use crate::notice::notice;
use crate::solver::{self, Extreme, Faces, Flux, FluxAtPoints, Points, Range, Region, Solver, Wall, require_faces};

/// The files of a run.
#[derive(Default)]
pub(super) struct Measurements {
    files: Vec<Measurement>,
}

/// A file with its rows.
struct Measurement {
    rows: Rows,
    place: Place,
    file: Seismogram,
    /// The time of the last row.
    last: Option<f64>,
}

/// Where something is measured, on the device.
enum Place {
    Faces(Faces),
    Region(Region),
    /// Points, with the columns that say where each is.
    Points(Points, Vec<Vec<f64>>),
    /// Those of a wall, with its faces where the force on it is measured.
    Wall(Points, Vec<Vec<f64>>, Option<Faces>),
}

/// The places of all files of a case.
pub(super) struct Places(Vec<Place>);

impl Measurements {
    /// Puts the places of a case on its solver's device, before anything is written.
    ///
    /// # Errors
    /// Places that the mesh does not have.
    pub fn places(case: &Case, solver: &Solver) -> Result<Places, Error> {
        let files = case.measure.iter().flat_map(|measure| &measure.files);
        Ok(Places(files.map(|rows| place(solver, rows)).collect::<Result<_, _>>()?))
    }

    /// Starts the files of a case, whose solver is at its initial state, with it.
    pub fn start(case: &Case, solver: &Solver, places: Places) -> Result<Self, Error> {
        let mut started = Self::default();
        for (rows, place) in case.measure.iter().flat_map(|measure| &measure.files).zip(places.0) {
            let path = case.output.directory.join(rows.file());
            let file = Seismogram::new(path, &as_refs(&columns(case, &rows.what)))?;
            started.files.push(Measurement { rows: rows.clone(), place, file, last: None });
        }
        started.write(solver, |_| true)?;
        Ok(started)
    }

    /// Resumes the files of a case at its solver's time.
    pub fn resume(case: &Case, solver: &Solver, places: Places) -> Result<Self, Error> {
        let time = solver.clock()?.time;
        let mut resumed = Self::default();
        for (rows, place) in case.measure.iter().flat_map(|measure| &measure.files).zip(places.0) {
            let path = case.output.directory.join(rows.file());
            let (file, count, last) = Seismogram::resume(path, &as_refs(&columns(case, &rows.what)), time.next_up())?;
            if count == 0 {
                notice(format_args!("warning: {} lacks rows before t = {time:?}", file.path().display()));
            }
            resumed.files.push(Measurement { rows: rows.clone(), place, file, last });
        }
        Ok(resumed)
    }

    /// The next time at which a row is due, after this one.
    pub fn next_time(&self, time: f64) -> f64 {
        let next = |file: &Measurement| file.rows.every.map(|every| next_multiple(time, every));
        self.files.iter().filter_map(next).fold(f64::INFINITY, f64::min)
    }

    /// Whether a row is due by its own times after a step from the time `before`.
    pub fn is_due(&self, before: f64, time: f64) -> bool {
        self.files.iter().filter_map(|file| file.rows.every).any(|every| passes_multiple(before, time, every))
    }

    /// Writes the rows that are due after a step from the time `before` to the solver's: also those of the history, if there is one of its
    /// rows, and all at the end of a run.
    pub fn add(&mut self, solver: &Solver, before: f64, with_history: bool, at_end: bool) -> Result<(), Error> {
        if self.files.is_empty() {
            return Ok(());
        }
        let time = solver.clock()?.time;
        self.write(solver, |rows| {
            at_end
                || match rows.every {
                    Some(every) => passes_multiple(before, time, every),
                    None => with_history,
                }
        })
    }

    fn write(&mut self, solver: &Solver, is_due: impl Fn(&Rows) -> bool) -> Result<(), Error> {
        let time = solver.clock()?.time;
        // A quantity over the whole domain in several files is computed for each: that takes less than a step.
        for file in self.files.iter_mut().filter(|file| is_due(&file.rows) && file.last != Some(time)) {
            let rows = file.measure(solver)?;
            file.file.append(rows.iter().map(|row| (time, &row[..])))?;
            file.last = Some(time);
        }
        Ok(())
    }
}

fn as_refs(columns: &[String]) -> Vec<&str> {
    columns.iter().map(String::as_str).collect()
}

/// Makes sure that a mesh has the faces of all files of a case.
///
/// # Errors
/// [`solver::Error::NoFaces`].
pub(super) fn require_places(case: &Case, mesh: &Mesh) -> Result<(), solver::Error> {
    case.measure.iter().flat_map(|measure| &measure.files).try_for_each(|rows| match &rows.what {
        What::Forces { boundaries, .. } | What::Flux { boundaries, .. } | What::Wall { boundaries, .. } => {
            require_faces(mesh, boundaries).map(drop)
        }
        What::Region { .. } | What::Plane { .. } | What::Line { .. } => Ok(()),
    })
}

/// Puts the place of a measurement on the device.
fn place(solver: &Solver, rows: &Rows) -> Result<Place, solver::Error> {
    Ok(match &rows.what {
        What::Forces { boundaries, centre, .. } => Place::Faces(solver.faces(boundaries, centre.unwrap_or_default())?),
        What::Flux { boundaries, .. } => Place::Faces(solver.faces(boundaries, [0.0; 2])?),
        What::Region { groups, .. } => Place::Region(solver.region(groups)?),
        What::Line { ends: [from, _], .. } => {
            let positions = rows.points();
            let of_line = solver.points(&positions, |i| rows.name_of_point(i))?;
            let columns = |[x, y]: &[f64; 2]| vec![(x - from[0]).hypot(y - from[1]), *x, *y];
            Place::Points(of_line, positions.iter().map(columns).collect())
        }
        What::Plane { .. } => {
            let positions = rows.points();
            let of_plane = solver.points(&positions, |i| rows.name_of_point(i))?;
            Place::Points(of_plane, positions.iter().map(|position| position.to_vec()).collect())
        }
        What::Wall { boundaries, traction, .. } => {
            let Wall { points, faces, lengths, positions, normals } = solver.wall(boundaries)?;
            let columns = |i: usize| [&[lengths[i]][..], &positions[i], &normals[i]].concat();
            let faces = traction.as_ref().map(|_| solver.numbered_faces(&faces, [0.0; 2])).transpose()?;
            Place::Wall(points, (0..lengths.len()).map(columns).collect(), faces)
        }
    })
}

/// The columns behind the time.
fn columns(case: &Case, what: &What) -> Vec<String> {
    let dim = case.law.dim;
    let component = |&c: &usize| case.law.state[c].name.to_owned();
    let quantities = case.measure.as_ref().and_then(|measure| measure.measured.quantities.as_ref());
    let names = |numbers: &[usize]| -> Vec<String> {
        let name = |&i: &usize| quantities.map_or_else(String::new, |quantities| quantities.names[i].clone());
        numbers.iter().map(name).collect()
    };
    let averages = |numbers: &[usize]| -> Vec<String> {
        let Some(measured) = case.measure.as_ref().map(|measure| &measure.measured) else { return Vec::new() };
        let names = measured.averaged.as_ref().map_or(&[][..], |(averaged, _)| &averaged.names);
        let of = |i: usize| ["mean", "rms"].map(|kind| format!("{}_{kind}", names[i]));
        measured.averages_of(numbers).into_iter().flat_map(of).collect()
    };
    let along = |prefix: &str| AXES[..dim].iter().map(|axis| format!("{prefix}{axis}")).collect::<Vec<_>>();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    match what {
        What::Forces { centre, reference, .. } => {
            let moment = centre.map_or(&[][..], |_| &["moment"]);
            let coefficients = match (reference, centre) {
                (None, _) => &[][..],
                (Some(_), None) => &["cd", "cl"],
                (Some(_), Some(_)) => &["cd", "cl", "cm"],
            };
            let whole = [along("force_"), words(moment), words(coefficients)].concat();
            if !case.law.is_viscous() {
                return whole;
            }
            let of_friction = [along("friction_"), words(centre.map_or(&[][..], |_| &["friction_moment"]))].concat();
            let parts = reference.map_or(&[][..], |_| &["cdp", "cdf", "clp", "clf"]);
            [whole, of_friction, words(parts)].concat()
        }
        What::Flux { components, .. } => components.iter().map(component).collect(),
        What::Region { quantities, .. } => {
            let of = |name: String| {
                let place = |kind: &str| along(&format!("{kind}_"));
                let kinds = [words(&["integral", "min"]), place("min"), words(&["max"]), place("max")].concat();
                kinds.into_iter().map(move |kind| format!("{name}_{kind}"))
            };
            names(quantities).into_iter().flat_map(of).collect()
        }
        What::Plane { quantities, .. } => [along(""), names(quantities), averages(quantities)].concat(),
        What::Line { quantities, .. } => [words(&["s"]), along(""), names(quantities), averages(quantities)].concat(),
        What::Wall { quantities, traction, .. } => {
            let of_traction = traction.as_ref().map_or_else(Vec::new, |traction| traction.columns(case.law));
            [words(&["s"]), along(""), along("normal_"), names(quantities), averages(quantities), of_traction].concat()
        }
    }
}

impl Measurement {
    /// The rows of the solver's time.
    fn measure(&self, solver: &Solver) -> Result<Vec<Vec<f64>>, solver::Error> {
        let what = &self.rows.what;
        Ok(match &self.place {
            Place::Faces(faces) => vec![of_flux(what, &solver.flux_through(faces)?)],
            Place::Region(region) => {
                let ranges = solver.quantities_in(region)?;
                let of = |&q: &usize| {
                    let Range { integral, least, largest } = ranges[q];
                    let of_extreme = |extreme: Extreme| [&[extreme.value][..], &extreme.position].concat();
                    [vec![integral], of_extreme(least), of_extreme(largest)].concat()
                };
                vec![what.quantities().iter().flat_map(of).collect()]
            }
            Place::Points(points, places) => at_points(what, solver, points, places)?,
            Place::Wall(points, places, faces) => {
                let mut rows = at_points(what, solver, points, places)?;
                if let (What::Wall { traction: Some(traction), .. }, Some(faces)) = (what, faces) {
                    let flux = solver.flux_at_points(faces)?;
                    let law = solver.setup().law;
                    rows.iter_mut()
                        .enumerate()
                        .for_each(|(i, row)| row.extend(of_traction(law, traction, faces, &flux, i)));
                }
                rows
            }
        })
    }
}

/// The columns of points: where they are, the quantities there, and means and fluctuations of those that have averages.
fn at_points(
    what: &What,
    solver: &Solver,
    points: &Points,
    places: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, solver::Error> {
    let values = solver.quantities_at(points)?;
    let averaged = solver.setup().measured.averages_of(what.quantities());
    let averages = if averaged.is_empty() { Vec::new() } else { solver.averages_at(points)? };
    let of = |i: usize| {
        let at_time = what.quantities().iter().map(|&q| values[q][i]);
        let in_time = averaged.iter().flat_map(|&q| averages[q].each_ref().map(|of| of[i]));
        at_time.chain(in_time).collect::<Vec<_>>()
    };
    Ok(places.iter().enumerate().map(|(i, place)| [&place[..], &of(i)].concat()).collect())
}

/// The columns of the force on a wall per area at a point: friction, and the coefficients of pressure and of friction along the wall.
fn of_traction(law: &Law, traction: &Traction, faces: &Faces, flux: &FluxAtPoints, i: usize) -> Vec<f64> {
    let at = |values: &[f64]| [0, 1].map(|d| values[i * law.state.len() + traction.momentum[d]]);
    let (whole, friction, [x, y]) = (at(&flux.whole), at(&flux.viscous), faces.points[i].normal);
    let mut columns = if law.is_viscous() { friction.to_vec() } else { Vec::new() };
    if let Some([dynamic, fixed]) = traction.reference {
        let pressure = (whole[0] - friction[0]) * x + (whole[1] - friction[1]) * y;
        columns.push((pressure - fixed) / dynamic);
        if law.is_viscous() {
            // With the domain on the left, the way along the wall is (-n_y, n_x).
            columns.push((friction[1] * x - friction[0] * y) / dynamic);
        }
    }
    columns
}

/// The columns of a flux, or of the force that it is.
fn of_flux(what: &What, flux: &Flux) -> Vec<f64> {
    match what {
        What::Forces { momentum, centre, direction: [x, y], reference, .. } => {
            let force = |flux: &Flux| -> Vec<f64> { momentum.iter().map(|&c| flux.components[c]).collect() };
            let moment = |flux: &Flux| centre.map(|_| flux.moments[0][momentum[1]] - flux.moments[1][momentum[0]]);
            // Of drag and lift.
            let coefficients = |force: &[f64], scale: f64| {
                [(force[0] * x + force[1] * y) / scale, (force[1] * x - force[0] * y) / scale]
            };
            let (whole, of_whole) = (force(flux), moment(flux));
            let mut columns: Vec<f64> = whole.iter().copied().chain(of_whole).collect();
            if let Some([scale, length]) = reference {
                columns.extend(coefficients(&whole, *scale));
                columns.extend(of_whole.map(|moment| moment / (scale * length)));
            }
            if let Some(viscous) = &flux.viscous {
                let friction = force(viscous);
                columns.extend(friction.iter().copied().chain(moment(viscous)));
                if let Some([scale, _]) = reference {
                    let ([cd, cl], [cdf, clf]) = (coefficients(&whole, *scale), coefficients(&friction, *scale));
                    columns.extend([cd - cdf, cdf, cl - clf, clf]);
                }
            }
            columns
        }
        What::Flux { components, .. } => components.iter().map(|&c| flux.components[c]).collect(),
        What::Region { .. } | What::Plane { .. } | What::Line { .. } | What::Wall { .. } => Vec::new(),
    }
}
