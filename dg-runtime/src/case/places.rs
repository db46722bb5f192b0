//! Places in a case file of names of parts of the mesh and of points in it: only with the mesh they can be checked.

use super::document::{Mistake, Place, Section, Value};
use super::kinds::point;
use crate::law::{MAX_DIM, Shape};
use crate::mesh::{Mesh, MeshError};
use crate::names::unknown;
use crate::solver::{Error, Integrator, require_points};

use super::CaseError;

/// The names of boundaries and of groups of elements, and points of the domain, in a case file, with their places.
#[derive(Clone, Debug)]
pub(super) struct Places {
    boundaries: Vec<(String, Place)>,
    /// Those of them that are given a curve.
    curves: Vec<(String, Place)>,
    /// Of the degree of elements in [mesh].
    degree: Option<Place>,
    /// Of the section that gives the medium by groups, if it does, and in it.
    groups: Option<(Place, Vec<(String, Place)>)>,
    /// Of the section of the medium, and of the formulas of its fields.
    medium: Option<(Place, Vec<(String, Place)>)>,
    /// Of groups over which something is measured.
    regions: Vec<(String, Place)>,
    /// Of groups or shapes whose elements have degrees of their own.
    orders: Vec<(String, Place)>,
    /// Of receivers and point sources, with their positions.
    points: Vec<(String, [f64; MAX_DIM], Place)>,
}

impl Places {
    /// The names in `[mesh.curves]`, `[boundaries]`, `[orders]`, `[medium.groups]`, `[measure]`, `[receivers]` and `[point_sources]`.
    pub fn of(root: &Section<'_>) -> Result<Self, Mistake> {
        let inner = |of: &str, key: &str| Ok(root.section(of)?.map(|of| of.section(key)).transpose()?.flatten());
        let of_curves = inner("mesh", "curves")?;
        let curves: Vec<(String, Place)> = of_curves
            .iter()
            .flat_map(Section::entries)
            .map(|value| (value.key.to_owned(), value.name_place()))
            .collect();
        let degree = root.section("mesh")?.and_then(|mesh| mesh.get("degree")).map(|value| value.place());
        let mut boundaries = curves.clone();
        for value in root.section("boundaries")?.iter().flat_map(Section::entries) {
            boundaries.push((value.key.to_owned(), value.name_place()));
            let other = if value.is_section() { value.section()?.get("periodic") } else { None };
            if let Some(other) = other {
                boundaries.push((other.text()?.to_owned(), other.place()));
            }
        }
        let groups = inner("medium", "groups")?.map(|section| {
            let names = section.entries().map(|value| (value.key.to_owned(), value.name_place())).collect();
            (section.place(), names)
        });
        let medium = root.section("medium")?.map(|section| -> Result<_, Mistake> {
            let formulas = section.section("formulas")?;
            let of_fields =
                formulas.iter().flat_map(Section::entries).map(|value| (value.key.to_owned(), value.place()));
            Ok((section.place(), of_fields.collect()))
        });
        let measured = |kinds: &[&str], key: &str| -> Result<Vec<(String, Place)>, Mistake> {
            let mut names = Vec::new();
            for kind in kinds {
                for table in inner("measure", kind)?.iter().flat_map(Section::entries) {
                    let list = table.section()?.get(key).map(|value| value.list()).transpose()?;
                    for item in list.into_iter().flatten() {
                        names.push((item.text()?.to_owned(), item.place()));
                    }
                }
            }
            Ok(names)
        };
        boundaries.extend(measured(&["forces", "fluxes", "walls"], "boundaries")?);
        let of_orders = root.section("orders")?;
        let orders =
            of_orders.iter().flat_map(Section::entries).map(|value| (value.key.to_owned(), value.name_place()));
        let receivers = inner("receivers", "points")?;
        let receivers = receivers.iter().flat_map(Section::entries).map(|value| ("receiver", value.key, value));
        let mut points: Vec<_> = receivers.collect();
        for source in root.section("point_sources")?.iter().flat_map(Section::entries) {
            points.extend(source.section()?.get("position").map(|position| ("point source", source.key, position)));
        }
        let of_point = |(what, name, value): (&str, &str, Value<'_>)| -> Result<_, Mistake> {
            Ok((format!("the {what} `{name}`"), point(&value)?, value.place()))
        };
        Ok(Self {
            boundaries,
            curves,
            degree,
            groups,
            medium: medium.transpose()?,
            points: points.into_iter().map(of_point).collect::<Result<_, _>>()?,
            orders: orders.collect(),
            regions: measured(&["regions"], "groups")?,
        })
    }

    /// Makes sure that each name is that of a boundary or group, that neither curves nor a degree are given to sides that are curved already, and that the
    /// medium is given in every element, once.
    pub fn check(&self, mesh: &Mesh) -> Result<(), Mistake> {
        let boundaries: Vec<&str> = mesh.boundaries().iter().map(|boundary| boundary.name.as_str()).collect();
        require("boundary of the mesh", &self.boundaries, &boundaries)?;
        if let Some((name, place)) = self.curves.first().filter(|_| mesh.has_curved_sides()) {
            let message = format!(
                "the sides of the mesh's elements are curved already, of degree {}, and stay as they are: leave `{name}` out of \
                 [mesh.curves], or write the file with straight sides (Mesh.ElementOrder = 1 in Gmsh) and bend them by `degree`",
                mesh.degree()
            );
            return Err(place.mistake(message));
        }
        if let Some(place) = self.degree.as_ref().filter(|_| mesh.has_curved_sides()) {
            let message = format!(
                "the sides of the mesh's elements are of degree {} already, and stay as they are: leave `degree` out",
                mesh.degree()
            );
            return Err(place.mistake(message));
        }
        require("group of elements in the mesh", &self.regions, &mesh.groups().names())?;
        let shapes = Shape::ALL.into_iter().filter(|shape| mesh.elements().shapes().contains(shape));
        let with_orders: Vec<&str> =
            mesh.groups().names().into_iter().chain(shapes.map(|shape| shape.plural())).collect();
        require("group of elements, or shape, in the mesh", &self.orders, &with_orders)?;
        let Some((section, given)) = &self.groups else { return Ok(()) };
        let groups = mesh.groups();
        if groups.sets.is_empty() {
            let message = "the mesh has no groups of elements, which are the physical groups of surfaces in a Gmsh file; put its \
                           surfaces into groups, or give `formulas`";
            return Err(section.mistake(message));
        }
        require("group of elements in the mesh", given, &groups.names())?;
        for element in 0..mesh.element_count() {
            let of_element = groups.of(element);
            let mut found = given.iter().filter(|(name, _)| of_element.contains(name));
            let (first, second) = (found.next(), found.next());
            let place = || {
                let [x, y] = [0, 1].map(|d| mesh.centroid(element)[d]);
                format!("the element around ({x:.4}, {y:.4})")
            };
            match (first, second) {
                (Some(_), None) => {}
                (Some((first, _)), Some((second, at))) => {
                    let message = format!("{} is in `{first}` and in `{second}`: leave one of them out", place());
                    return Err(at.mistake(message));
                }
                (None, _) if of_element.is_empty() => {
                    let message = format!("{} is in no physical group of surfaces; put its surface into one", place());
                    return Err(section.mistake(message));
                }
                (None, _) => {
                    let names = of_element.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    let message = format!("{} is in {names}, for which there are no values here; add them", place());
                    return Err(section.mistake(message));
                }
            }
        }
        Ok(())
    }

    /// Makes sure that no element's sides are of too high a degree for its order, and that the integrator suits elements of several orders.
    /// `order` is that of elements without one of their own.
    pub fn check_orders(&self, mesh: &Mesh, order: usize, integrator: Integrator) -> Result<(), Mistake> {
        let degrees = mesh.sections().into_iter().map(|section| (section.map.degree(), section.order.unwrap_or(order)));
        let too_high = degrees.into_iter().find(|(degree, order)| *degree > order + 1);
        if let (Some((degree, order)), Some(place)) = (too_high, &self.degree) {
            return Err(place.mistake(Error::Degree { degree, order }.to_string()));
        }
        match self.orders.first() {
            Some((_, place)) if integrator.has_predictor() => {
                Err(place.mistake(Error::OrdersWithPredictor.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Makes sure that receivers and point sources are in the mesh.
    pub fn check_points(&self, mesh: &Mesh) -> Result<(), Mistake> {
        self.points.iter().try_for_each(|(what, position, place)| {
            require_points(mesh, &[*position], |_| what.clone()).map_err(|error| place.mistake(error.to_string()))
        })
    }

    /// A defect of a field of the medium at its formula, or of the whole medium; none where groups give it, because the defect does not
    /// say in which.
    pub fn at_medium(&self, field: Option<&str>, error: &Error) -> Option<Mistake> {
        let (section, fields) = self.medium.as_ref()?;
        let place = match field {
            Some(field) => fields.iter().find(|(name, _)| name == field).map(|(_, place)| place)?,
            None => section,
        };
        Some(place.mistake(error.to_string()))
    }

    /// A defect of a mesh with a curve at this boundary, at the place of the curve.
    pub fn at_curve(&self, boundary: &str, error: MeshError) -> CaseError {
        at(self.curves.iter().find(|(name, _)| name == boundary).map(|(_, place)| place), error)
    }

    /// A defect of a mesh with curved sides, at the place of their degree.
    pub fn at_degree(&self, error: MeshError) -> CaseError {
        at(self.degree.as_ref(), error)
    }
}

fn at(place: Option<&Place>, error: MeshError) -> CaseError {
    match place {
        Some(place) => place.mistake(error.to_string()).into(),
        None => error.into(),
    }
}

fn require(what: &str, names: &[(String, Place)], known: &[&str]) -> Result<(), Mistake> {
    match names.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        Some((name, place)) => Err(place.mistake(unknown(what, name, known))),
        None => Ok(()),
    }
}
