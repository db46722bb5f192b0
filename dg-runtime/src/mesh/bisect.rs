//! An order of the elements in which aligned runs of a block, of two blocks and of four of them are compact: few of their faces lead out of
//! the run. A run begins at a multiple of its length.
//!
//! A set of elements is cut in two across its longer side, recursively down to a block. Cuts of small sets are
//! improved: pairs of elements change sides for as long as fewer faces are cut (B. W. Kernighan &
//! S. Lin, Bell Syst. Tech. J. 49 (1970) 291-307, with the moves in order of gain of C. M. Fiduccia & R. M. Mattheyses, Proc. 19th
//! Design Automation Conf. (1982) 175-181).

use rayon::prelude::*;

use super::{MAX_DIM, Mesh, Neighbour};

/// The lengths of runs, in blocks; see the module.
const RUNS: [usize; 3] = [4, 2, 1];
/// The largest set whose cut is improved. Cuts of larger sets are only a few of all faces.
const IMPROVED: usize = 4096;
/// Most passes of the improvement; usually fewer suffice.
const PASSES: usize = 8;
/// Exchanges in a pass without fewer cut faces, in the hope of better ones later.
const HOPE: usize = 24;
/// Marks a neighbour outside of the small set.
const NONE: u16 = u16::MAX;

/// The place at which a set of so many elements is cut.
fn middle(count: usize, block: usize) -> Option<usize> {
    let run = RUNS.map(|blocks| blocks * block).into_iter().find(|run| count > *run)?;
    Some((count / 2).next_multiple_of(run).min((count - 1) / run * run))
}

/// The elements of a mesh in this order, for blocks of so many elements, section by section.
pub(super) fn order(mesh: &Mesh, block: usize) -> Vec<u32> {
    let centres: Vec<[f64; MAX_DIM]> = (0..mesh.element_count()).map(|element| mesh.centroid(element)).collect();
    let mut sections = mesh.to_be_sections();
    sections.par_iter_mut().for_each(|elements| split(mesh, block, &centres, elements));
    sections.concat()
}

fn split(mesh: &Mesh, block: usize, centres: &[[f64; MAX_DIM]], elements: &mut [u32]) {
    if elements.len() <= IMPROVED {
        return Small::new(mesh, block, centres, elements).order(elements);
    }
    let Some(at) = middle(elements.len(), block) else { return };
    cut(elements, at, |&element| centres[element as usize]);
    let (first, second) = elements.split_at_mut(at);
    rayon::join(|| split(mesh, block, centres, first), || split(mesh, block, centres, second));
}

/// Moves to the front the `at` items that come first along the longer side of the bounding box.
fn cut<T: Copy + Ord>(items: &mut [T], at: usize, centre: impl Fn(&T) -> [f64; MAX_DIM]) {
    let (mut low, mut high) = ([f64::INFINITY; MAX_DIM], [f64::NEG_INFINITY; MAX_DIM]);
    for centre in items.iter().map(&centre) {
        for d in 0..MAX_DIM {
            (low[d], high[d]) = (low[d].min(centre[d]), high[d].max(centre[d]));
        }
    }
    let extent = |d: &usize| high[*d] - low[*d];
    let along = (0..MAX_DIM).max_by(|a, b| extent(a).total_cmp(&extent(b))).unwrap_or(0);
    items.select_nth_unstable_by(at, |a, b| centre(a)[along].total_cmp(&centre(b)[along]).then(a.cmp(b)));
}

/// A small set of elements, with numbers of its own.
struct Small {
    block: usize,
    centres: Vec<[f64; MAX_DIM]>,
    /// `[element][face]`: elements of the set, which have one shape, or [`NONE`].
    neighbours: Vec<u16>,
    faces: usize,
    /// The current part of each element.
    part: Vec<u16>,
    parts: u16,
}

impl Small {
    fn new(mesh: &Mesh, block: usize, centres: &[[f64; MAX_DIM]], elements: &[u32]) -> Self {
        let mut numbers: Vec<(u32, u16)> = elements.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let number = |element: u32| {
            let found = numbers.binary_search_by_key(&element, |pair| pair.0);
            found.map_or(NONE, |place| numbers[place].1)
        };
        let faces = mesh.shape(elements[0] as usize).faces();
        let neighbour = |(element, face): (u32, usize)| match mesh.neighbour(element as usize, face) {
            Neighbour::Element { element, .. } => number(element),
            Neighbour::Boundary(_) => NONE,
        };
        let sides = elements.iter().flat_map(|&element| (0..faces).map(move |face| (element, face)));
        Self {
            block,
            centres: elements.iter().map(|&element| centres[element as usize]).collect(),
            neighbours: sides.map(neighbour).collect(),
            faces,
            part: vec![0; elements.len()],
            parts: 1,
        }
    }

    fn order(mut self, elements: &mut [u32]) {
        let mut numbers: Vec<u16> = (0..elements.len() as u16).collect();
        self.split(&mut numbers);
        let ordered: Vec<u32> = numbers.iter().map(|&number| elements[usize::from(number)]).collect();
        elements.copy_from_slice(&ordered);
    }

    /// Orders the elements of one part.
    fn split(&mut self, numbers: &mut [u16]) {
        let Some(at) = middle(numbers.len(), self.block) else { return };
        cut(numbers, at, |&number| self.centres[usize::from(number)]);
        let second = self.parts;
        self.parts += 1;
        for &number in &numbers[at..] {
            self.part[usize::from(number)] = second;
        }
        for _ in 0..PASSES {
            if !self.improve(numbers, [self.part[usize::from(numbers[0])], second]) {
                break;
            }
        }
        // Moves the first part to the front and keeps its order.
        numbers.sort_by_key(|&number| self.part[usize::from(number)] == second);
        let (first, second) = numbers.split_at_mut(at);
        self.split(first);
        self.split(second);
    }

    /// The decrease of the number of cut faces if an element changed from one part to the other.
    fn gain(&self, number: u16, to: [u16; 2]) -> i8 {
        let number = usize::from(number);
        let own = self.part[number];
        let of_neighbour = |&neighbour: &u16| match neighbour {
            NONE => 0,
            _ if self.part[usize::from(neighbour)] == own => -1,
            _ if to.contains(&self.part[usize::from(neighbour)]) => 1,
            _ => 0,
        };
        self.neighbours[number * self.faces..][..self.faces].iter().map(of_neighbour).sum()
    }

    /// Whether an element has a neighbour in this part.
    fn touches(&self, number: u16, part: u16) -> bool {
        let neighbours = &self.neighbours[usize::from(number) * self.faces..][..self.faces];
        neighbours.iter().any(|&neighbour| neighbour != NONE && self.part[usize::from(neighbour)] == part)
    }

    /// Exchanges elements between two parts, each at most once, the best first; keeps the exchanges up to the fewest cut
    /// faces. Returns whether that is fewer than before. Only elements beside the other part change sides: one from the border of the set,
    /// where few faces are counted, would be far from its new part, and later cuts would follow the box around both.
    fn improve(&mut self, numbers: &[u16], parts: [u16; 2]) -> bool {
        let most = self.faces as i8;
        // The elements of each part by gain; some entries are out of date.
        let mut waiting = [vec![Vec::new(); 2 * self.faces + 1], vec![Vec::new(); 2 * self.faces + 1]];
        let mut moved = vec![false; self.part.len()];
        let side = |small: &Self, number: u16| usize::from(small.part[usize::from(number)] == parts[1]);
        for &number in numbers {
            waiting[side(self, number)][(self.gain(number, parts) + most) as usize].push(number);
        }
        let (mut exchanges, mut saved, mut best, mut kept) = (Vec::new(), 0i32, 0i32, 0);
        while exchanges.len() < kept + HOPE {
            let mut pair = [NONE; 2];
            for from in 0..2 {
                let mut next = None;
                'gains: for gain in (0..waiting[from].len()).rev() {
                    while let Some(number) = waiting[from][gain].pop() {
                        let is_so = !moved[usize::from(number)] && self.gain(number, parts) + most == gain as i8;
                        if is_so && self.touches(number, parts[1 - from]) {
                            next = Some(number);
                            break 'gains;
                        }
                    }
                }
                let Some(number) = next else { break };
                saved += i32::from(self.gain(number, parts));
                moved[usize::from(number)] = true;
                self.part[usize::from(number)] = parts[1 - from];
                pair[from] = number;
                for face in 0..self.faces {
                    let neighbour = self.neighbours[usize::from(number) * self.faces + face];
                    if neighbour != NONE
                        && parts.contains(&self.part[usize::from(neighbour)])
                        && !moved[usize::from(neighbour)]
                    {
                        let gain = self.gain(neighbour, parts) + most;
                        waiting[side(self, neighbour)][gain as usize].push(neighbour);
                    }
                }
            }
            exchanges.push(pair);
            if pair[1] == NONE {
                break;
            }
            if saved > best {
                (best, kept) = (saved, exchanges.len());
            }
        }
        for pair in &exchanges[kept..] {
            for (from, number) in pair.iter().enumerate().filter(|(_, number)| **number != NONE) {
                self.part[usize::from(*number)] = parts[from];
            }
        }
        best > 0
    }
}
