//! The elements around each vertex.

use super::error::place;
use super::{Mesh, MeshError, Neighbour};
use crate::law::Shape;

/// The most elements around a vertex. The table has room at every vertex for as many as the most crowded one has.
const MOST: usize = 1000;

/// The elements around every vertex; vertices a period apart count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stars {
    /// The vertex at every corner of every element, one element behind the other, numbered from 0.
    pub corners: Vec<u32>,
    /// The most elements that meet at a vertex.
    pub valence: usize,
    /// The elements, `[vertex][valence]`; where fewer meet, the first is repeated.
    pub elements: Vec<u32>,
}

impl Mesh {
    /// The elements around every vertex.
    ///
    /// # Errors
    ///
    /// [`MeshError::Crowded`] if more than a thousand meet at a vertex.
    pub fn stars(&self) -> Result<Stars, MeshError> {
        let mut parent: Vec<u32> = (0..(self.vertices.len() / self.dim) as u32).collect();
        for element in 0..self.element_count() {
            for face in 0..self.shape(element).faces() {
                if let Neighbour::Element { element: other, face: other_face } = self.neighbour(element, face) {
                    let here = self.face_corners(element, face);
                    let there = self.face_corners(other as usize, usize::from(other_face));
                    // The other element runs through the face in the opposite direction.
                    for (&a, &b) in here.iter().zip(there.iter().rev()) {
                        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
                        parent[a.max(b) as usize] = a.min(b);
                    }
                }
            }
        }
        let mut number = vec![u32::MAX; parent.len()];
        let mut count = 0;
        let mut corners = self.elements.vertices().to_vec();
        for corner in &mut corners {
            let vertex = root(&mut parent, *corner) as usize;
            if number[vertex] == u32::MAX {
                number[vertex] = count;
                count += 1;
            }
            *corner = number[vertex];
        }
        let mut meeting = vec![Vec::new(); count as usize];
        for element in 0..self.element_count() {
            for &vertex in &corners[self.elements.range(element, Shape::corners)] {
                meeting[vertex as usize].push(element as u32);
            }
        }
        let valence = meeting.iter().map(Vec::len).max().unwrap_or(0);
        if let Some(vertex) = meeting.iter().position(|star| star.len() > MOST) {
            let corner = corners.iter().position(|&corner| corner as usize == vertex).unwrap_or(0);
            let (place, count) = (place(self.vertex(self.elements.vertices()[corner])), meeting[vertex].len());
            return Err(MeshError::Crowded { place, count, most: MOST });
        }
        let fill = |star: &Vec<u32>| star.iter().copied().chain(std::iter::repeat(star[0])).take(valence).collect();
        let elements = meeting.iter().map(fill).collect::<Vec<Vec<u32>>>().concat();
        Ok(Stars { corners, valence, elements })
    }
}

/// The representative of all vertices identified with this one.
fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        parent[vertex as usize] = parent[parent[vertex as usize] as usize];
        vertex = parent[vertex as usize];
    }
    vertex
}

#[cfg(test)]
mod tests {
    use super::super::generate::Rectangle;
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
