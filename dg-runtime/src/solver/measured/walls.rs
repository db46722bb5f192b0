//! Distributions along the boundary.

use crate::law::MAX_DIM;
use crate::solver::{Error, Points, Solver};

/// The points of a boundary's faces at which the scheme evaluates fluxes, in order along it.
pub struct Wall {
    /// The points on the device.
    pub points: Points,
    /// The faces in the order of their points, as numbers among the boundary faces of the mesh.
    pub faces: Vec<usize>,
    /// Of every point the distance along the boundary from where its curve begins.
    pub lengths: Vec<f64>,
    /// Of every point its position.
    pub positions: Vec<[f64; MAX_DIM]>,
    /// Of every point the unit normal out of the domain, of the body where it has a curve.
    pub normals: Vec<[f64; MAX_DIM]>,
}

impl Solver {
    /// The points of boundaries of these names.
    ///
    /// # Errors
    /// [`Error::NoFaces`], and errors of the device.
    pub fn wall(&self, boundaries: &[String]) -> Result<Wall, Error> {
        let (mesh, face_points) = (self.mesh(), &self.unit().reference().operators.face_points);
        let (dim, count) = (mesh.dim, face_points.len());
        let of_faces = mesh.boundary_normals(face_points);
        let (mut points, mut lengths, mut positions, mut normals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let curves = mesh.along(boundaries);
        for curve in &curves {
            let mut length = 0.0;
            for &number in curve {
                let face = mesh.boundary_faces()[number];
                let (element, face) = (face.element as usize, usize::from(face.face));
                for (k, &s) in face_points.iter().enumerate() {
                    points.push((element, mesh.shape(element).face_position(face, s)));
                    lengths.push(length + mesh.arc_length(element, face, s));
                    positions.push(mesh.face_position(element, face, s));
                    let mut normal = [0.0; MAX_DIM];
                    normal[..dim].copy_from_slice(&of_faces[(number * count + k) * dim..][..dim]);
                    normals.push(normal);
                }
                length += mesh.arc_length(element, face, 1.0);
            }
        }
        if points.is_empty() {
            return Err(Error::no_faces(boundaries));
        }
        Ok(Wall { points: self.points_of_elements(&points)?, faces: curves.concat(), lengths, positions, normals })
    }
}
