//! Places of boundary names in a case file: only with the mesh they can be checked.

use super::document::{Mistake, Place, Section};
use super::names::unknown;

/// The names of boundaries in a case file, with their places.
#[derive(Clone, Debug)]
pub(super) struct Places(Vec<(String, Place)>);

impl Places {
    /// The names in `[mesh.curves]` and in `[boundaries]`.
    pub fn of(root: &Section<'_>) -> Result<Self, Mistake> {
        let mut places = Vec::new();
        let curves = root.section("mesh")?.map(|mesh| mesh.section("curves")).transpose()?.flatten();
        for value in curves.iter().flat_map(Section::entries) {
            places.push((value.key.to_owned(), value.name_place()));
        }
        for value in root.section("boundaries")?.iter().flat_map(Section::entries) {
            places.push((value.key.to_owned(), value.name_place()));
            let other = if value.is_section() { value.section()?.get("periodic") } else { None };
            if let Some(other) = other {
                places.push((other.text()?.to_owned(), other.place()));
            }
        }
        Ok(Self(places))
    }

    /// Makes sure that each name is that of a boundary.
    pub fn check(&self, boundaries: &[&str]) -> Result<(), Mistake> {
        match self.0.iter().find(|(name, _)| !boundaries.contains(&name.as_str())) {
            Some((name, place)) => Err(place.mistake(unknown("boundary of the mesh", name, boundaries))),
            None => Ok(()),
        }
    }
}
