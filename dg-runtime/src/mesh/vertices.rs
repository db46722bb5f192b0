//! The elements around each vertex.

use super::error::place;
use super::{Mesh, MeshError, Neighbour};
use crate::law::Shape;

/// The most elements around a vertex. The table has room at every vertex for as many as the most crowded one has.
const MOST: usize = 1000;

/// The elements around every vertex; vertices a period apart count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Stars {
    /// The vertex at every corner of every element, one element behind the other, numbered from 0.
    pub corners: Vec<u32>,
    /// The most elements that meet at a vertex.
    pub valence: usize,
    /// The elements, `[vertex][valence]`; where fewer meet, the first is repeated.
    pub elements: Vec<u32>,
    /// Where periods turn the frames of elements around a vertex: for every corner of `corners` cosine and sine of the angle by which the
    /// element's frame is turned into that of the vertex; empty where they turn none.
    pub corner_turns: Vec<[f64; 2]>,
    /// Those of `elements`.
    pub element_turns: Vec<[f64; 2]>,
}

/// By which angle the frame of something is turned to become another: cosine and sine, or none.
type Turn = [f64; 2];

const STRAIGHT: Turn = [1.0, 0.0];

/// The turn by one angle and then by another.
fn then([a, b]: Turn, [c, d]: Turn) -> Turn {
    [a * c - b * d, b * c + a * d]
}

fn back([cosine, sine]: Turn) -> Turn {
    [cosine, -sine]
}

/// Vertices that are identified, as trees: of each its parent, and the turn of its frame into that of the parent.
struct Identified {
    parents: Vec<(u32, Turn)>,
}

impl Identified {
    fn new(vertices: usize) -> Self {
        Self { parents: (0..vertices as u32).map(|vertex| (vertex, STRAIGHT)).collect() }
    }

    /// The representative of a vertex, and the turn into its frame.
    fn root(&mut self, mut vertex: u32) -> (u32, Turn) {
        let mut all = STRAIGHT;
        loop {
            let (parent, turn) = self.parents[vertex as usize];
            if parent == vertex {
                return (vertex, all);
            }
            let (next, further) = self.parents[parent as usize];
            self.parents[vertex as usize] = (next, then(turn, further));
            all = then(all, then(turn, further));
            vertex = next;
        }
    }

    /// Identifies two vertices; `turn` takes the frame of the second to that of the first.
    fn join(&mut self, first: u32, second: u32, turn: Turn) {
        let ((a, of_first), (b, of_second)) = (self.root(first), self.root(second));
        let from_b_to_a = then(back(of_second), then(turn, of_first));
        if a < b {
            self.parents[b as usize] = (a, from_b_to_a);
        } else if b < a {
            self.parents[a as usize] = (b, back(from_b_to_a));
        }
    }
}

impl Mesh {
    /// The elements around every vertex.
    ///
    /// # Errors
    ///
    /// [`MeshError::Crowded`] if more than a thousand meet at a vertex.
    pub fn stars(&self) -> Result<Stars, MeshError> {
        let turns = self.turns();
        let mut identified = Identified::new(self.vertices.len() / self.dim);
        for element in 0..self.element_count() {
            for face in 0..self.shape(element).faces() {
                if let Neighbour::Element { element: other, face: other_face } = self.neighbour(element, face) {
                    let here = self.face_corners(element, face);
                    let there = self.face_corners(other as usize, usize::from(other_face));
                    let slot = self.elements.slot(element, face) as u32;
                    let turn = if turns.is_empty() { None } else { turns.get(&slot) };
                    // The other element runs through the face in the opposite direction.
                    for (&a, &b) in here.iter().zip(there.iter().rev()) {
                        identified.join(a, b, turn.copied().unwrap_or(STRAIGHT));
                    }
                }
            }
        }
        let mut number = vec![u32::MAX; identified.parents.len()];
        let mut count = 0;
        let mut corners = self.elements.vertices().to_vec();
        let mut corner_turns = Vec::with_capacity(if turns.is_empty() { 0 } else { corners.len() });
        for corner in &mut corners {
            let (vertex, turn) = identified.root(*corner);
            if !turns.is_empty() {
                corner_turns.push(turn);
            }
            let vertex = vertex as usize;
            if number[vertex] == u32::MAX {
                number[vertex] = count;
                count += 1;
            }
            *corner = number[vertex];
        }
        let mut meeting = vec![Vec::new(); count as usize];
        for element in 0..self.element_count() {
            for corner in self.elements.range(element, Shape::corners) {
                let turn = corner_turns.get(corner).copied().unwrap_or(STRAIGHT);
                meeting[corners[corner] as usize].push((element as u32, turn));
            }
        }
        let valence = meeting.iter().map(Vec::len).max().unwrap_or(0);
        if let Some(vertex) = meeting.iter().position(|star| star.len() > MOST) {
            let corner = corners.iter().position(|&corner| corner as usize == vertex).unwrap_or(0);
            let (place, count) = (place(self.vertex(self.elements.vertices()[corner])), meeting[vertex].len());
            return Err(MeshError::Crowded { place, count, most: MOST });
        }
        let fill =
            |star: &Vec<(u32, Turn)>| star.iter().copied().chain(std::iter::repeat(star[0])).take(valence).collect();
        let around = meeting.iter().map(fill).collect::<Vec<Vec<_>>>().concat();
        let elements = around.iter().map(|(element, _)| *element).collect();
        let element_turns = if turns.is_empty() { Vec::new() } else { around.iter().map(|(_, turn)| *turn).collect() };
        Ok(Stars { corners, valence, elements, corner_turns, element_turns })
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{QuarterAnnulus, Rectangle};
    use super::super::{Boundary, Draft, Elements, Mesh, NamedFace};
    use crate::law::Shape;

    #[test]
    fn every_element_is_around_its_own_vertices_and_periods_close_the_stars() {
        for periodic in [[false, false], [true, false], [true, true]] {
            let mesh = Rectangle { cells: [5, 4], jitter: 0.2, periodic, ..Rectangle::default() }.mesh().unwrap();
            let stars = mesh.stars().unwrap();
            let vertices = stars.elements.len() / stars.valence;
            let [x, y] = periodic.map(usize::from);
            assert_eq!(vertices, (5 + 1 - x) * (4 + 1 - y));
            let mut met = 0;
            for (vertex, elements) in stars.elements.chunks_exact(stars.valence).enumerate() {
                let mut distinct = elements.to_vec();
                distinct.sort_unstable();
                distinct.dedup();
                met += distinct.len();
                for element in distinct {
                    assert!(stars.corners[element as usize * 3..][..3].contains(&(vertex as u32)));
                }
            }
            assert_eq!(met, 3 * mesh.element_count());
        }
    }

    /// Around every vertex of a ring's sector that is joined to itself, turned elements fit together: they fill the angle.
    #[test]
    fn elements_behind_a_turned_period_lie_around_its_vertices() {
        let quarter = QuarterAnnulus { cells: [3, 4], ..QuarterAnnulus::default() }.mesh().unwrap();
        let mesh = quarter.with_periods(&[("inflow", "outflow")]).unwrap();
        let stars = mesh.stars().unwrap();
        assert_eq!(stars.elements.len() / stars.valence, 4 * 4);
        // The directions from a vertex to the middles of the elements around it, in its frame, are all different.
        let mut turned = 0;
        for vertex in 0..stars.elements.len() / stars.valence {
            let mut directions = Vec::new();
            for element in 0..mesh.element_count() {
                for corner in 0..3 {
                    if stars.corners[3 * element + corner] as usize == vertex {
                        let position = mesh.vertex(mesh.corners(element)[corner]);
                        let [x, y] = [0, 1].map(|d| mesh.centroid(element)[d] - position[d]);
                        let [cosine, sine] = stars.corner_turns[3 * element + corner];
                        turned += usize::from(sine.abs() > 0.5);
                        directions.push((sine * x + cosine * y).atan2(cosine * x - sine * y));
                        let around = vertex * stars.valence..(vertex + 1) * stars.valence;
                        let entries = around.filter(|&entry| stars.elements[entry] as usize == element);
                        assert!(entries.clone().count() > 0);
                        assert!(entries.into_iter().all(|entry| stars.element_turns[entry] == [cosine, sine]));
                    }
                }
            }
            directions.sort_unstable_by(f64::total_cmp);
            assert!(directions.windows(2).all(|two| two[1] - two[0] > 0.1), "{directions:?}");
        }
        assert!(turned > 4);
        // Where nothing is turned, nothing is kept.
        let plain = Rectangle { periodic: [true; 2], ..Rectangle::default() }.mesh().unwrap().stars().unwrap();
        assert!(plain.corner_turns.is_empty() && plain.element_turns.is_empty());
    }

    /// A polygon of so many triangles around its centre.
    fn fan(count: u32) -> Mesh {
        let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(count);
        let rim = (0..count).flat_map(|i| [3.0 + angle(i).cos(), angle(i).sin()]);
        let next = |i: u32| if i + 1 == count { 1 } else { i + 2 };
        Mesh::new(Draft {
            vertices: [3.0, 0.0].into_iter().chain(rim).collect(),
            elements: Elements::new(Shape::Triangle, (0..count).flat_map(|i| [0, i + 1, next(i)]).collect()),
            boundaries: vec![Boundary { name: "rim".to_owned(), curve: None }],
            named_faces: (0..count).map(|i| NamedFace { corners: [i + 1, next(i)], boundary: 0 }).collect(),
            periodic_faces: Vec::new(),
            offered_periods: Vec::new(),
            element_tags: Vec::new(),
            groups: crate::mesh::Groups::default(),
        })
        .unwrap()
    }

    #[test]
    fn a_vertex_with_too_many_elements_around_it_is_refused_before_it_takes_memory() {
        assert_eq!(fan(1000).stars().unwrap().valence, 1000);
        let error = fan(1001).stars().unwrap_err().to_string();
        assert!(error.starts_with("1001 elements meet at (3, 0)"), "{error}");
    }
}
