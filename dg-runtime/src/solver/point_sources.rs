//! Point sources in the elements of a mesh, and on a device.

use std::collections::BTreeSet;
use std::ops::Range;

use super::geometry::mass_matrix;
use super::inventory::{Inventory, Part};
use super::places::{Place, SectionUnit};
use super::{Error, PointSource, Rate, Setup, require_no_tolerance};
use crate::device::{Buffers, Device, LAUNCH_BLOCK};
use crate::law::geometry::Map;
use crate::law::{MAX_DIM, Unit};
use crate::mesh::{Mesh, Neighbour, inverse};

/// Point sources on a section of a mesh.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// Sources in different elements each.
    layers: Vec<Vec<Source>>,
    /// Times and rates of all tables in turns. The first table is that of formulas: it is zero.
    tables: Vec<f64>,
    /// Elements around the sources of all sections, in whole blocks: those of mean n over the step, see [`Scheme::predict`].
    ///
    /// [`Scheme::predict`]: super::scheme::Scheme::predict
    around: Vec<Vec<Range<usize>>>,
}

/// The numbers of a source.
#[derive(Debug)]
struct Source {
    /// The number of its element in the section.
    element: usize,
    position: [f64; MAX_DIM],
    /// The number of its formula, or -1, and the first and the last entry of its table.
    rate: [i32; 3],
    /// `[component][basis function]`: amplitude Σ_i M⁻¹_ji φ_i, or the element's share of it.
    modes: Vec<f64>,
}

/// The table of formulas: as an entry, from 0 to 1.
const NO_TABLE: [f64; 4] = [0.0, 0.0, 1.0, 0.0];

/// Σ_i M⁻¹_ji φ_i at a place, with the element's mass matrix M.
fn weighted(mesh: &Mesh, unit: &Unit, map: Map, place: &Place) -> Vec<f64> {
    let element = mesh.map_of(place.element);
    if map == Map::Affine {
        return place.basis.iter().map(|phi| phi / element.mean_determinant()).collect();
    }
    let matrix = inverse(mass_matrix(&element, &unit.reference().operators, map));
    matrix.iter().map(|row| row.iter().zip(&place.basis).map(|(entry, phi)| entry * phi).sum()).collect()
}

impl Placed {
    /// Places the sources of a setup in the sections of a mesh: those of each section.
    ///
    /// # Errors
    /// [`Error::Outside`], [`Error::Integrator`].
    pub(super) fn place(setup: &Setup, mesh: &Mesh, code: &[SectionUnit]) -> Result<Vec<Self>, Error> {
        if !setup.point_sources.is_empty() {
            require_no_tolerance(setup.tolerance).map_err(Error::Integrator)?;
        }
        let mut placed: Vec<Self> = code.iter().map(|_| Self::default()).collect();
        let (formulas, mut tables) = (PointSource::formulas(&setup.point_sources), NO_TABLE.to_vec());
        for source in &setup.point_sources {
            let rate = match &source.rate {
                Rate::Formula(formula) => {
                    [formulas.iter().position(|known| *known == formula).map_or(-1, |number| number as i32), 0, 1]
                }
                Rate::Table(table) => {
                    let first = tables.len() / 2;
                    tables.extend(table.as_flattened());
                    [-1, first as i32, tables.len() as i32 / 2 - 1]
                }
            };
            // On a face or at a vertex each element has a part of it.
            let places =
                Place::find_all(mesh, code, source.position, || format!("the point source `{}`", source.name))?;
            for place in &places {
                let (section, unit) = &code[place.section];
                let point = weighted(mesh, unit, section.map, place);
                let share = 1.0 / places.len() as f64;
                let modes = source.amplitudes.iter();
                let modes = modes.flat_map(|amplitude| point.iter().map(move |phi| amplitude * share * phi));
                let (element, position) = (place.number, source.position);
                placed[place.section].add(Source { element, position, rate, modes: modes.collect() });
            }
        }
        placed.iter_mut().for_each(|of_section| of_section.tables.clone_from(&tables));
        if setup.predicts_mean() {
            Self::surround(&mut placed, setup.order, mesh, code);
        }
        Ok(placed)
    }

    /// Finds the elements around the sources up to mean `last`: to the blocks with sources come those beside them, and for each mean once more,
    /// since it is found from the next mean there and beside.
    fn surround(placed: &mut [Self], last: usize, mesh: &Mesh, code: &[SectionUnit]) {
        let block_of = |element: usize| {
            let number = code.iter().position(|(section, _)| section.elements.contains(&element))?;
            Some((number, (element - code[number].0.elements.start) / LAUNCH_BLOCK))
        };
        let sources = |(number, of_section): (usize, &Self)| {
            let elements = of_section.layers.iter().flatten().map(|source| source.element);
            elements.map(move |element| (number, element / LAUNCH_BLOCK)).collect::<Vec<_>>()
        };
        let mut blocks: BTreeSet<(usize, usize)> = placed.iter().enumerate().flat_map(sources).collect();
        let mut rings = Vec::new();
        for _ in 0..=last {
            let elements = blocks.iter().flat_map(|(number, block)| {
                let all = &code[*number].0.elements;
                let start = all.start + block * LAUNCH_BLOCK;
                start..(start + LAUNCH_BLOCK).min(all.end)
            });
            let beside = |element: usize| {
                (0..mesh.shape(element).faces()).filter_map(move |face| match mesh.neighbour(element, face) {
                    Neighbour::Element { element, .. } => Some(element as usize),
                    Neighbour::Boundary(_) => None,
                })
            };
            let more: Vec<_> = elements.flat_map(beside).filter_map(block_of).collect();
            blocks.extend(more);
            rings.push(blocks.clone());
        }
        for (number, (of_section, (section, _))) in placed.iter_mut().zip(code).enumerate() {
            let count = section.elements.len();
            let of_ring = |ring: &BTreeSet<(usize, usize)>| {
                ranges(ring.iter().filter(|(of, _)| *of == number).map(|(_, block)| *block), count)
            };
            of_section.around = rings.iter().map(of_ring).collect();
        }
    }

    /// The numbers of the tables that the sources read.
    fn rate_numbers(&self) -> usize {
        let last = self.layers.iter().flatten().map(|source| source.rate[2]).max();
        last.map_or(0, |last| 2 * (last as usize + 1))
    }

    fn add(&mut self, source: Source) {
        let is_free = |layer: &&mut Vec<Source>| layer.iter().all(|other| other.element != source.element);
        match self.layers.iter_mut().find(is_free) {
            Some(layer) => layer.push(source),
            None => self.layers.push(vec![source]),
        }
    }

    /// The buffers of every layer.
    fn inventories<'a>(&'a self, setup: &'a Setup, dim: usize) -> impl Iterator<Item = Inventory<'a>> {
        self.layers.iter().map(move |layer| {
            let mut inventory = Inventory::new(setup.layout(), layer.len());
            let part = Part::Mesh;
            inventory.padded_ints(part, "source_elements", 1, -1, |i, v| v[0] = layer[i].element as i32);
            inventory.written_ints(part, "source_rates", 3, |i, v| v.copy_from_slice(&layer[i].rate));
            inventory
                .written_reals(part, "source_positions", dim, move |i, v| v.copy_from_slice(&layer[i].position[..dim]));
            let modes = layer[0].modes.len();
            inventory.written_reals(part, "source_modes", modes, |i, v| v.copy_from_slice(&layer[i].modes));
            inventory.list_of_reals(part, "rate_tables", self.tables.len(), || self.tables.clone());
            inventory
        })
    }

    /// Bytes of the buffers of a part.
    pub(super) fn bytes(&self, setup: &Setup, dim: usize, part: Part) -> usize {
        self.inventories(setup, dim).map(|inventory| inventory.bytes(part)).sum()
    }

    /// Blocks of elements, as launches take them, with all elements that have sources.
    fn blocks(&self, elements: usize) -> Vec<Range<usize>> {
        let blocks: BTreeSet<usize> =
            self.layers.iter().flatten().map(|source| source.element / LAUNCH_BLOCK).collect();
        ranges(blocks, elements)
    }
}

/// The elements of blocks with these numbers, in increasing order, of so many elements; blocks that follow each other are one range.
fn ranges(blocks: impl IntoIterator<Item = usize>, elements: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for start in blocks.into_iter().map(|block| block * LAUNCH_BLOCK) {
        let end = (start + LAUNCH_BLOCK).min(elements);
        match ranges.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    ranges
}

/// The point sources of a section on a device.
pub(super) struct PointSources {
    /// Buffers of every layer, and its number of sources.
    pub(super) layers: Vec<(Buffers, usize)>,
    /// See [`Placed::rate_numbers`].
    pub(super) rate_numbers: usize,
    pub(super) blocks: Vec<Range<usize>>,
    /// See [`Placed::around`].
    pub(super) around: Vec<Vec<Range<usize>>>,
}

impl PointSources {
    pub(super) fn new(
        device: &Device,
        setup: &Setup,
        dim: usize,
        elements: usize,
        placed: &Placed,
    ) -> Result<Self, Error> {
        let buffers = placed.inventories(setup, dim).map(|inventory| inventory.allocate(device));
        let counts = placed.layers.iter().map(Vec::len);
        let layers = buffers.zip(counts).map(|(buffers, count)| Ok((buffers?, count))).collect::<Result<_, Error>>()?;
        let (rate_numbers, blocks) = (placed.rate_numbers(), placed.blocks(elements));
        Ok(Self { layers, rate_numbers, blocks, around: placed.around.clone() })
    }
}
