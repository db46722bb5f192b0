//! The pictures of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::scales::scales;
use super::shapes::{degrees, numbers_of_elements};
use crate::case::{Case, Picture};
use crate::io::picture::{self, Range, Reference, Scale, Scene, Strip, Style};
use crate::io::{self, Nodes, vtu};
use crate::law::{Arguments, Law, Role};
use crate::mesh::Mesh;
use crate::notice::notice;
use crate::solver::{Given, Medium, Precision, Samples};

/// The pictures of every output of a run.
pub(super) struct Pictures {
    directory: PathBuf,
    pictures: Vec<Picture>,
    law: &'static Law,
    parameters: Vec<f64>,
    precision: Precision,
    exact: Option<Given>,
    medium: Option<Medium>,
    /// The mesh, if the medium at a place of the exact solution depends on it.
    places: Option<Mesh>,
    /// The size of the smallest element, by which gradients have one; 1 if no picture shows a gradient.
    length: f64,
    /// The line below each title.
    about: String,
}

impl Pictures {
    pub fn new(case: &Case, mesh: &Mesh) -> Self {
        let stem = case.path.file_stem().unwrap_or(case.path.as_os_str()).to_string_lossy();
        let (order, elements) = (degrees(mesh, case.order), numbers_of_elements(mesh));
        let of_gradient = |picture: &Picture| case.law.function(Role::GradientOutput, picture.field).is_some();
        let shows_gradients = case.output.pictures.iter().any(of_gradient);
        Self {
            directory: case.output.directory.clone(),
            pictures: case.output.pictures.clone(),
            law: case.law,
            parameters: case.parameters.clone(),
            precision: case.precision,
            exact: case.exact.clone(),
            medium: case.medium.clone(),
            places: case
                .medium
                .as_ref()
                .filter(|medium| medium.is_by_groups() && case.exact.is_some())
                .map(|_| mesh.clone()),
            length: if shows_gradients { mesh.size(mesh.smallest().element) } else { 1.0 },
            about: format!("{}, {stem}, p = {order}, {elements}", case.law.name),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty()
    }

    /// Draws the pictures of one time, with the number `index`.
    pub fn draw(&self, nodes: &Nodes<'_>, samples: &Samples, time: f64, index: u64) -> Result<(), io::Error> {
        let scales = self.scales(samples);
        self.pictures.par_iter().try_for_each(|picture| {
            let values = samples.field(picture.field).unwrap_or_default();
            self.draw_one(picture, nodes, &values, (None, &scales), (time, index))
        })
    }

    /// Whether some picture has the range of all times.
    pub fn has_series(&self) -> bool {
        self.pictures.iter().any(|picture| picture.style.range == Range::Series)
    }

    /// Draws again the pictures with the range of all times: `files` are numbers, times and VTU files of the outputs,
    /// and `samples` those of any time.
    pub fn draw_series(
        &self,
        nodes: &Nodes<'_>,
        samples: &Samples,
        files: &[(u64, f64, PathBuf)],
    ) -> Result<(), io::Error> {
        let scales = self.scales(samples);
        let (files, lost): (Vec<_>, Vec<_>) = files.iter().cloned().partition(|(_, _, file)| file.exists());
        let series = || self.pictures.iter().filter(|picture| picture.style.range == Range::Series);
        for (_, _, file) in lost.iter().filter(|_| series().next().is_some()) {
            notice(format_args!(
                "warning: {} is lost: the range of the pictures of its time stays its own",
                file.display()
            ));
        }
        for picture in series() {
            // Files written before the run was resumed with other `fields` may lack this one.
            let values = |file: &PathBuf| match vtu::component(file, picture.field)? {
                Some(values) if values.len() != nodes.total() => Err(io::Error::Content {
                    path: file.clone(),
                    reason:
                        "it is of another mesh or order than the run; delete it, and the pictures of its time stay \
                             as they are"
                            .into(),
                }),
                values => Ok(values),
            };
            let found = |(_, _, file): &(u64, f64, PathBuf)| {
                Ok(values(file)?.and_then(|values| picture::seen(nodes, &values, &picture.style)))
            };
            let series = files.par_iter().map(found).try_reduce(|| None, |one, other| Ok(picture::hull(one, other)))?;
            files.par_iter().try_for_each(|(index, time, file)| match values(file)? {
                Some(values) => self.draw_one(picture, nodes, &values, (series, &scales), (*time, *index)),
                None => Ok(()),
            })?;
        }
        Ok(())
    }

    fn scales(&self, samples: &Samples) -> BTreeMap<&'static str, Scale> {
        scales(self.law, &self.parameters, self.precision, samples, self.length)
    }

    fn draw_one(
        &self,
        picture: &Picture,
        nodes: &Nodes<'_>,
        values: &[f64],
        (series, scales): (Option<[f64; 2]>, &BTreeMap<&str, Scale>),
        (time, index): (f64, u64),
    ) -> Result<(), io::Error> {
        let points = self.reference(nodes, picture, time);
        let label = if picture.reference.is_some() { "reference" } else { "exact" };
        let scene = Scene {
            nodes,
            name: picture.field,
            values,
            time,
            about: &self.about,
            reference: (!points.is_empty()).then_some(Reference { label, points: &points }),
            series,
            scale: scales.get(picture.field).copied().unwrap_or_default(),
        };
        picture::write(&self.directory.join(format!("{}_{index:04}", picture.name)), &scene, &picture.style)
    }

    /// The reference of a picture of lines: the case's table, or else its exact solution.
    fn reference(&self, nodes: &Nodes<'_>, picture: &Picture, time: f64) -> Vec<[f64; 2]> {
        let Some(strip) = picture::strip(nodes, &picture.style) else { return Vec::new() };
        match (&picture.reference, &self.exact) {
            (Some(table), _) => table.points(["x", "y"][strip.axis], picture.field, time),
            // Of the gradient of an exact solution nothing is known.
            (None, Some(_)) if self.law.function(Role::GradientOutput, picture.field).is_some() => Vec::new(),
            (None, Some(exact)) => self.exact(exact, picture, &strip, time),
            (None, None) => Vec::new(),
        }
    }

    /// The field of an exact solution on the middle line of a strip.
    fn exact(&self, exact: &Given, picture: &Picture, strip: &Strip, time: f64) -> Vec<[f64; 2]> {
        let (components, values) = (self.law.state.len(), self.law.values_at_a_point());
        let field = self.law.fields().iter().position(|name| *name == picture.field).filter(|&field| field < values);
        let output = self.law.function(Role::Output, picture.field).and_then(|output| output.host);
        let Strip { axis, along: [low, high], across: [from, to] } = *strip;
        let Style { size, .. } = picture.style;
        let points = (0..=size[0]).map(|i| {
            let mut position = [0.5 * (from + to); 2];
            position[axis] = low + (high - low) * i as f64 / size[0] as f64;
            let mut state = vec![0.0; values];
            let mut arguments = Arguments {
                parameters: &self.parameters,
                state: &[],
                right: &[],
                normal: &[],
                position: &position,
                time,
            };
            exact.value(&arguments, &mut state[..components]);
            if let Some(medium) = &self.medium {
                let groups = self.places.as_ref().map_or(&[][..], |mesh| mesh.groups_at(&position));
                medium.values(&arguments, groups, &mut state[components..]);
            }
            let mut value = [f64::NAN];
            match (field, output) {
                (Some(field), _) => value[0] = state[field],
                (None, Some(output)) => {
                    arguments.state = &state;
                    output(&arguments, &mut value);
                }
                (None, None) => {}
            }
            [position[axis], value[0]]
        });
        points.collect()
    }
}
