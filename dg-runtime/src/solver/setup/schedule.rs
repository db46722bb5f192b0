//! Schedules with their compile-time sizes: which are expected to be fastest, and how they are compiled.

use std::fmt;
use std::str::FromStr;

use crate::law::geometry::Map;
use crate::law::protocol::CUDA_BLOCK;
use crate::law::{Law, Schedule, Shape, Unit};
use crate::scheme;
use crate::solver::Error;
use crate::solver::layout::LANES;

/// Whether a law has the schedule for an order on elements of a shape with maps of a kind.
pub fn exists(schedule: Schedule, law: &Law, elements: (Shape, Map), order: usize) -> bool {
    reason_against(schedule, law, elements, order).is_none()
}

/// Why a law lacks the schedule, if it does. A thread's three components are not to be all of them. Sums along lines leave tensor instructions
/// nothing to do; they do not divide by mass matrices nor differentiate at faces, and a warp takes a block of 32 elements.
pub(crate) fn reason_against(schedule: Schedule, law: &Law, elements: (Shape, Map), order: usize) -> Option<String> {
    let count = law.state.len();
    match schedule {
        Schedule::Triple if count <= 3 || !count.is_multiple_of(3) => {
            Some(format!("threads take three components each, of six, nine and so on, and `{}` has {count}", law.name))
        }
        Schedule::Triple | Schedule::Tensor if law.is_viscous() => {
            Some(format!("it is for laws without viscous flux, and `{}` has one", law.name))
        }
        Schedule::Tensor if elements != (Shape::Triangle, Map::Affine) => {
            Some("it is for triangles with straight sides".to_owned())
        }
        Schedule::Tensor if law.cuda_block(order) != CUDA_BLOCK => Some(format!(
            "it takes blocks of 32 elements, and those of {count} components have {} at order {order}",
            law.cuda_block(order)
        )),
        _ => None,
    }
}

/// The names of schedules, one behind the other; one if all are the same.
pub(crate) fn names(variants: impl Iterator<Item = Variant>) -> String {
    let mut names: Vec<String> = variants.map(|variant| variant.to_string()).collect();
    if names.iter().all(|name| *name == names[0]) {
        names.truncate(1);
    }
    names.join(", ")
}

/// As many elements as fill a GPU with a thread for each.
pub(crate) const ELEMENTS_FILL_CUDA: usize = 50_000;

/// A schedule with its compile-time sizes. As text `component`, `component/64`, or `component/64/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The schedule.
    pub schedule: Schedule,
    /// Elements of a patch, one of [`PATCHES`]; of a law with smaller blocks than 32 elements as many of these, see [`Law::cuda_block`].
    pub patch: usize,
    /// Blocks of threads that a multiprocessor should hold at once, which bounds the registers of each thread; `None` leaves that to the
    /// compiler. A CPU ignores it.
    pub blocks: Option<u32>,
}

/// The largest number of blocks on a multiprocessor for which kernels may be compiled.
const MOST_BLOCKS: u32 = 16;

/// The possible sizes of a patch.
pub const PATCHES: [usize; 3] = [32, 64, 128];

/// Threads that a block may have on any GPU.
const THREADS: usize = 1024;

/// Rows of terms at volume points that a component may have in shared memory, beside those that its traces need anyway.
const VOLUME_ROWS: usize = 24;
/// Points in a tile of a tensor instruction.
const TILE_POINTS: usize = 8;

/// Registers of a CUDA multiprocessor.
const REGISTERS: usize = 1 << 16;

/// Blocks of `threads` threads that a CUDA multiprocessor holds if each thread has so many registers.
fn blocks(threads: usize, registers: usize) -> u32 {
    (REGISTERS / (threads * registers)).clamp(1, MOST_BLOCKS as usize) as u32
}

impl From<Schedule> for Variant {
    /// With patches of the size that was fastest.
    fn from(schedule: Schedule) -> Self {
        let patch = match schedule {
            Schedule::Element => 128,
            Schedule::Component | Schedule::Pair | Schedule::Triple => 64,
            Schedule::Tensor => 32,
        };
        Self { schedule, patch, blocks: None }
    }
}

impl Variant {
    /// The fastest schedule for Euler's equations, by order: on an H200, with or without tensor instructions, and on a
    /// CPU with 512-bit vectors. Few elements do not fill a GPU, and more threads for each take less time. A law with
    /// many components has smaller patches.
    pub fn expected(
        law: &Law,
        (shape, map): (Shape, Map),
        order: usize,
        elements: usize,
        on_cuda: bool,
        tensors: bool,
    ) -> Self {
        let fills = elements >= ELEMENTS_FILL_CUDA;
        let has_triple = exists(Schedule::Triple, law, (shape, map), order);
        // With the registers of a thread, where they are bounded.
        let (schedule, patch, registers) = match (shape, order) {
            // Larger patches than the mesh would be computed in vain.
            _ if !on_cuda => (Schedule::Component, elements.clamp(PATCHES[0], PATCHES[2]).next_power_of_two(), None),
            // Terms of the metric at points take registers.
            (Shape::Triangle, 2) if fills && map.is_curved() => (Schedule::Pair, 64, Some(128)),
            (Shape::Triangle, 3) if fills && map.is_curved() => (Schedule::Component, 32, Some(128)),
            (Shape::Triangle, 4..) if map.is_curved() => (Schedule::Component, 32, Some(168)),
            (Shape::Quadrilateral, 2) if fills && map.is_curved() => (Schedule::Component, 32, Some(128)),
            (Shape::Quadrilateral, 3) if map.is_curved() => (Schedule::Component, 32, Some(168)),
            (Shape::Quadrilateral, 4..) if map.is_curved() => (Schedule::Component, 32, Some(255)),
            (Shape::Quadrilateral, 3) if fills && map != Map::Affine => (Schedule::Component, 32, Some(128)),
            (Shape::Quadrilateral, 5..) if map != Map::Affine => (Schedule::Component, 32, Some(255)),
            (Shape::Triangle, 0..=1) if fills => (Schedule::Element, 128, Some(96)),
            (Shape::Triangle, 3) if fills && has_triple && law.state.len() == 6 => (Schedule::Triple, 64, Some(248)),
            (Shape::Triangle, 2..=3) if fills && has_triple => (Schedule::Triple, 64, Some(168)),
            (Shape::Triangle, 2) if fills => (Schedule::Pair, 64, Some(96)),
            (Shape::Triangle, 3) if fills => (Schedule::Pair, 64, Some(128)),
            (Shape::Triangle, 0..=3) => (Schedule::Component, 64, Some(64)),
            (Shape::Triangle, 4) => (Schedule::Component, 32, Some(128)),
            (Shape::Triangle, 5) if law.cuda_block(order) < CUDA_BLOCK => (Schedule::Component, 32, Some(128)),
            (Shape::Triangle, 6..) if tensors && !law.is_viscous() => (Schedule::Tensor, 32, None),
            (Shape::Triangle, _) => (Schedule::Component, 64, Some(128)),
            (Shape::Quadrilateral, 0..=1) if fills => (Schedule::Element, 128, Some(128)),
            (Shape::Quadrilateral, 2) if fills && has_triple => (Schedule::Triple, 64, Some(168)),
            (Shape::Quadrilateral, 2) if fills => (Schedule::Pair, 64, Some(128)),
            (Shape::Quadrilateral, 3) if fills => (Schedule::Pair, 64, Some(168)),
            (Shape::Quadrilateral, 0..=2) => (Schedule::Component, 64, Some(80)),
            (Shape::Quadrilateral, 3) => (Schedule::Component, 32, Some(128)),
            (Shape::Quadrilateral, 4) => (Schedule::Component, 32, Some(168)),
            (Shape::Quadrilateral, _) => (Schedule::Component, 64, Some(255)),
        };
        let of_size = |patch| Self::with_registers(schedule, patch, registers, (law, order));
        let mut possible = PATCHES.into_iter().filter(|&size| size <= patch).map(of_size).rev();
        let smallest = Self { schedule: Schedule::Component, patch: PATCHES[0], blocks: None };
        possible.find(|variant| !on_cuda || variant.fits(law, order)).unwrap_or(smallest)
    }

    /// A schedule with as many blocks of threads on a CUDA multiprocessor as there is room for if each thread has so many registers.
    pub(in crate::solver) fn with_registers(
        schedule: Schedule,
        patch: usize,
        registers: Option<usize>,
        (law, order): (&Law, usize),
    ) -> Self {
        let variant = Self { schedule, patch, blocks: None };
        Self { blocks: registers.map(|registers| blocks(variant.threads(law, order), registers)), ..variant }
    }

    /// Elements of a patch, `PATCH` of the kernels: whole blocks, as elements are numbered for them, and on a CPU also whole groups of lanes.
    pub(in crate::solver) fn elements(self, law: &Law, order: usize, on_cuda: bool) -> usize {
        let of_blocks = self.patch / CUDA_BLOCK * law.cuda_block(order);
        if on_cuda || of_blocks.is_multiple_of(LANES) { of_blocks } else { self.patch }
    }

    /// Whether a block of CUDA may have so many threads, and each of them elements of one block of memory.
    pub fn fits(self, law: &Law, order: usize) -> bool {
        self.excess(law, order).is_none()
    }

    /// Why it does not [fit](Self::fits), if so.
    pub(super) fn excess(self, law: &Law, order: usize) -> Option<String> {
        let threads = self.threads(law, order);
        if self.schedule == Schedule::Pair && self.patch < 2 * CUDA_BLOCK {
            return Some(format!("a thread has two elements, of patches of {} or more", 2 * CUDA_BLOCK));
        }
        (threads > THREADS).then(|| format!("a patch would take {threads} threads, and CUDA has {THREADS} for it"))
    }

    /// The warps that have the elements of a patch on CUDA; 1 on the host.
    pub(in crate::solver) fn warps(self) -> usize {
        (self.patch / CUDA_BLOCK / if self.schedule == Schedule::Pair { 2 } else { 1 }).max(1)
    }

    /// Threads per patch on CUDA.
    fn threads(self, law: &Law, order: usize) -> usize {
        let elements = self.elements(law, order, true);
        match self.schedule {
            Schedule::Element => elements,
            Schedule::Pair => elements / 2 * law.state.len(),
            Schedule::Triple => elements * law.state.len() / 3,
            Schedule::Component | Schedule::Tensor => elements * law.state.len(),
        }
    }

    /// The `#define`s of the schedule for a unit, with room for `rim` faces on the rims of patches.
    pub fn defines(self, law: &Law, unit: &Unit, rim: usize) -> Vec<(String, String)> {
        let dim = law.dim;
        let (traces, points) =
            (unit.shape.faces() * unit.reference().operators.face_points.len(), unit.reference().points.len() / dim);
        let volume_points = (points - traces).max(1);
        let terms = dim + usize::from(scheme::has_point_term(law) || law.is_viscous());
        let at_once = (VOLUME_ROWS.max(traces) / terms).max(1);
        let at_once = if self.schedule == Schedule::Tensor { at_once.next_multiple_of(TILE_POINTS) } else { at_once };
        // Whole lines of products, of triangles pairs of points.
        let line = match (unit.shape.is_product(), self.schedule) {
            (true, _) => unit.order + 1,
            (false, Schedule::Tensor) => 1,
            (false, _) => 2,
        };
        let (lines, at_once) = (volume_points.div_ceil(line), (at_once / line).max(1));
        let chunk = line * lines.div_ceil(lines.div_ceil(at_once));
        let mut defines = vec![
            ("SCHEDULE".to_owned(), self.schedule.define().to_owned()),
            ("PATCH_BLOCKS".to_owned(), (self.patch / CUDA_BLOCK).to_string()),
            ("RIM".to_owned(), rim.to_string()),
        ];
        if self.schedule != Schedule::Element {
            defines.push(("CUDA_VOLUME_CHUNK".to_owned(), chunk.to_string()));
        }
        defines.extend(self.blocks.map(|blocks| ("MIN_BLOCKS".to_owned(), blocks.to_string())));
        defines
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.schedule.name(), self.patch)?;
        self.blocks.map_or(Ok(()), |blocks| write!(f, "/{blocks}"))
    }
}

impl FromStr for Variant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut parts = text.split('/');
        let name = parts.next().unwrap_or_default();
        let schedule = Schedule::ALL.into_iter().find(|schedule| schedule.name() == name);
        let patch = parts.next().map(|patch| patch.parse().ok().filter(|patch| PATCHES.contains(patch)));
        let blocks = parts.next().map(|blocks| blocks.parse().ok().filter(|blocks| (1..=MOST_BLOCKS).contains(blocks)));
        let usual = schedule.map(Self::from);
        match (usual, patch, blocks, parts.next()) {
            (Some(usual), None, None, None) => Ok(usual),
            (Some(usual), Some(Some(patch)), None, None) => Ok(Self { patch, ..usual }),
            (Some(usual), Some(Some(patch)), Some(Some(blocks)), None) => {
                Ok(Self { patch, blocks: Some(blocks), ..usual })
            }
            _ => Err(Error::UnknownSchedule { text: text.to_owned(), most: MOST_BLOCKS }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;

    #[test]
    fn a_mesh_smaller_than_a_patch_gets_the_smallest_patch_that_holds_it_on_a_cpu() {
        let patch =
            |elements| Variant::expected(&WAVES, (Shape::Triangle, Map::Affine), 1, elements, false, false).patch;
        assert_eq!([1, 32, 33, 64, 65, 128, 129, 1_000_000].map(patch), [32, 32, 64, 64, 128, 128, 128, 128]);
    }

    #[test]
    fn variants_are_read_as_they_are_written() {
        for text in ["element/128", "component/64/4", "pair/64/4", "triple/64/2", "tensor/32"] {
            assert_eq!(text.parse::<Variant>().unwrap().to_string(), text);
        }
        assert_eq!("component".parse::<Variant>().unwrap(), Schedule::Component.into());
        for text in [
            "",
            "elements/32",
            "component/",
            "component/48",
            "component/64/0",
            "component/64/17",
            "tensor/x",
            "element/32/1/1",
        ] {
            assert!(
                text.parse::<Variant>().is_err_and(|error| error.to_string().contains("`component/64/4`")),
                "{text}"
            );
        }
    }
}
