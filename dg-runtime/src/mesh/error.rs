//! Errors of meshes.

use std::path::PathBuf;

use crate::system::bytes;

/// Why a mesh is refused: the defect, the element, and the remedy.
///
/// Messages use the file's own numbers of elements and vertices, or else indices.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file system refuses, or it is not a regular file.
    #[error("cannot read mesh file `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file cannot be used; the source says why.
    #[error("cannot use mesh file `{}`", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<MeshError>,
    },
    /// A line of a text file is wrong; the source says why.
    #[error("line {line}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: Box<MeshError>,
    },
    /// A file ends too early.
    #[error("the file ends inside {section}, at {place}: it was cut off; write or copy it again")]
    Truncated {
        /// The section that is incomplete.
        section: String,
        /// The end of the file: a line, or a byte of a binary file.
        place: String,
    },
    /// A file violates its format.
    #[error("expected {expected} in {section} at {place}, found `{found}`")]
    Syntax {
        /// The section.
        section: String,
        /// The place in the file: a line, or a byte of a binary file.
        place: String,
        /// What was expected.
        expected: String,
        /// What was found instead.
        found: String,
    },
    /// A file contains something unsupported.
    #[error("{what}; {remedy}")]
    Unsupported {
        /// What was found.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// There is no element at all.
    #[error(
        "there is no triangle and no quadrilateral; mesh the surface, and put it into a physical group where any group exists"
    )]
    NoElements,
    /// There are more elements or vertices than an index can count.
    #[error(
        "{count:.3e} elements or vertices are more than the {limit} that fit into 32-bit indices; use a coarser mesh or refine it \
         less"
    )]
    TooLarge {
        /// Their number, which may exceed every integer type.
        count: f64,
        /// The largest number possible.
        limit: usize,
    },
    /// The mesh needs more memory than the machine has.
    #[error(
        "a mesh of {count:.3e} elements takes some {} of memory, and {} are free; take fewer cells or rings, or refine it less",
        bytes(*.needed),
        bytes(*.free)
    )]
    TooMuchMemory {
        /// Number of elements.
        count: f64,
        /// Bytes needed to build it.
        needed: usize,
        /// Bytes that may still be allocated.
        free: usize,
    },
    /// A coordinate is not finite.
    #[error("vertex {vertex} has a coordinate that is not finite; write the mesh again")]
    NotFinite {
        /// The vertex.
        vertex: u64,
    },
    /// The file needs more memory than the machine has.
    #[error(
        "reading a file of {} takes some {} of memory, and {} are free; use a coarser mesh and `refine` in the case",
        bytes(*.size),
        bytes(*.needed),
        bytes(*.free)
    )]
    FileTooLarge {
        /// Bytes of the file.
        size: usize,
        /// Bytes needed to read it.
        needed: usize,
        /// Bytes that may still be allocated.
        free: usize,
    },
    /// Two vertices have the same number.
    #[error(
        "two vertices have the number {vertex}, at {first} and {second}; renumber them (`RenumberMeshNodes;` in Gmsh) and write the \
         mesh again"
    )]
    DuplicateVertex {
        /// The number.
        vertex: u64,
        /// Position of one of them.
        first: String,
        /// Position of the other one.
        second: String,
    },
    /// An element refers to a vertex that does not exist.
    #[error("element {element} refers to vertex {vertex}, which does not exist; write the mesh again")]
    MissingVertex {
        /// The element.
        element: u64,
        /// The missing vertex.
        vertex: u64,
    },
    /// An element refers to an entity or a physical group that does not exist.
    #[error("element {element} belongs to {what}, {problem}; {remedy}")]
    DanglingTag {
        /// The element.
        element: u64,
        /// The group or entity.
        what: String,
        /// What is missing.
        problem: &'static str,
        /// What to do.
        remedy: String,
    },
    /// Elements have sides of several degrees.
    #[error(
        "element {element} has sides of degree {degree}, element {other} of degree {of_other}; all are to have one degree: set \
         Mesh.ElementOrder before meshing"
    )]
    SeveralDegrees {
        /// An element.
        element: u64,
        /// The degree of its sides.
        degree: usize,
        /// Another element.
        other: u64,
        /// The degree of its sides.
        of_other: usize,
    },
    /// A vertex lies off the plane of a two-dimensional mesh.
    #[error("vertex {vertex} lies at z = {z}, others at z = {plane}: the mesh must be plane, z constant")]
    NotPlane {
        /// The vertex.
        vertex: u64,
        /// Its third coordinate.
        z: f64,
        /// That of the first vertex.
        plane: f64,
    },
    /// A quadrilateral has a corner of 180 degrees or more.
    #[error(
        "element {element} at {place} is a quadrilateral with a corner of 180 degrees or more; move its vertices, or cut it into triangles"
    )]
    NotConvex {
        /// The element.
        element: u64,
        /// The position of its first corner.
        place: String,
    },
    /// An element has no area.
    #[error("element {element} at {place} is degenerate (area {area:e}); {remedy}")]
    Degenerate {
        /// The element.
        element: u64,
        /// Its first corner.
        place: String,
        /// Its area.
        area: f64,
        /// What helps.
        remedy: &'static str,
    },
    /// Two corners of an element are one vertex.
    #[error(
        "element {element} at {place} has the vertex at {vertex} twice; remove the element, or write it with as many corners as it has"
    )]
    RepeatedVertex {
        /// The element.
        element: u64,
        /// Its first corner.
        place: String,
        /// The position of the vertex.
        vertex: String,
    },
    /// The square of a length overflows, or vanishes.
    #[error(
        "element {element} at {place} has sides of length {length:e}, whose squares double precision does not have; take another unit of length"
    )]
    Extreme {
        /// The element.
        element: u64,
        /// Its first corner.
        place: String,
        /// The length of its longest side.
        length: f64,
    },
    /// An element is inverted.
    #[error(
        "element {element} at {place} is inverted (area {area:e}): its corners must run counter-clockwise; \
         where its neighbours' do, it is folded over them and the mesh has to be made anew"
    )]
    Inverted {
        /// The element.
        element: u64,
        /// Its first corner.
        place: String,
        /// Its negative area.
        area: f64,
    },
    /// A curve crosses elements behind its straight faces.
    #[error(
        "the mesh is folded at {place}: the curve of boundary `{boundary}` leaves no room for the elements between it and \
         what lies opposite; take more cells along the curve, thicker ones at it (a smaller `grading`), or fewer refinements, \
         or let it be \"straight\" in [mesh.curves]"
    )]
    Folded {
        /// The boundary.
        boundary: String,
        /// The centre of the element that has no room.
        place: String,
    },
    /// A degree is given for elements that have one.
    #[error("the elements of the mesh have sides of degree {degree} already; leave `degree` out of [mesh]")]
    HasDegree {
        /// The degree that they have.
        degree: usize,
    },
    /// An element with curved sides covers some places twice.
    #[error(
        "element {element} at {place} is folded by its curved sides: the determinant of its map is not positive everywhere; \
         take smaller elements there, bend them less, or where [mesh] has a `degree` take 1"
    )]
    TurnedOver {
        /// The element.
        element: u64,
        /// Its centre.
        place: String,
    },
    /// Two elements have different curves on their common face.
    #[error(
        "elements {first} and {second} have different curves on their side from {from} to {to}, {apart:.1e} of its length apart: \
         they must share its nodes, or where the side is periodic have them at corresponding places"
    )]
    OpenSide {
        /// One element.
        first: u64,
        /// The other one.
        second: u64,
        /// One end.
        from: String,
        /// The other end.
        to: String,
        /// How far the curves lie apart, in units of the distance of their ends.
        apart: f64,
    },
    /// More than two elements share a face.
    #[error(
        "the face from {from} to {to} is used by more than two elements ({first}, {second}, {third}); \
         remove duplicate or overlapping elements"
    )]
    OverusedFace {
        /// One end.
        from: String,
        /// The other end.
        to: String,
        /// The first element.
        first: u64,
        /// The second element.
        second: u64,
        /// The third element.
        third: u64,
    },
    /// Two elements lie on the same side of a face.
    #[error(
        "elements {first} and {second} overlap: both lie on the same side of the face from {from} to {to}; remove one"
    )]
    Overlap {
        /// One element.
        first: u64,
        /// The other element.
        second: u64,
        /// One end of their face.
        from: String,
        /// The other end.
        to: String,
    },
    /// A face with only one element has no name.
    #[error(
        "the face of element {element} from {from} to {to} has no neighbour and no boundary's name \
         ({count} such faces); put boundary curves into named physical groups (both sides of a period too), or join \
         vertices that lie twice in one place (Coherence Mesh; in Gmsh)"
    )]
    UnnamedFace {
        /// The element.
        element: u64,
        /// One end.
        from: String,
        /// The other end.
        to: String,
        /// How many such faces the mesh has.
        count: usize,
    },
    /// A face with only one element has no name, and a period of the file pairs faces by no motion.
    #[error(
        "the face of element {element} from {from} to {to} has no neighbour and no boundary's name ({count} such faces), and the \
         file's $Periodic has sides that differ by no single translation or rotation; correct that in Gmsh, or put both sides \
         into named physical groups"
    )]
    UnpairedFace {
        /// The element.
        element: u64,
        /// One end.
        from: String,
        /// The other end.
        to: String,
        /// How many such faces the mesh has.
        count: usize,
    },
    /// A named face belongs to no element.
    #[error("boundary `{boundary}` has a face from {from} to {to} that is no face of any element; remesh")]
    StrayFace {
        /// The boundary.
        boundary: String,
        /// One end.
        from: String,
        /// The other end.
        to: String,
    },
    /// A named face has elements on both sides.
    #[error(
        "boundary `{boundary}` has a face inside the mesh, between elements {first} and {second}; \
         take that curve out of the physical group"
    )]
    InnerFace {
        /// The boundary.
        boundary: String,
        /// The element on one side.
        first: u64,
        /// The element on the other side.
        second: u64,
    },
    /// A face is in two boundaries.
    #[error(
        "a face of element {element} is in boundary `{first}` and in `{second}`: it can have one name only; take its curve out \
         of one of the two physical groups"
    )]
    TwoBoundaries {
        /// The element.
        element: u64,
        /// One boundary.
        first: String,
        /// The other.
        second: String,
    },
    /// Periodic faces do not match.
    #[error(
        "{pair} cannot be periodic: {problem}; both sides need the same vertices up to a translation or a rotation"
    )]
    Periodic {
        /// The two boundaries or faces.
        pair: String,
        /// The mismatch, with the element or vertex.
        problem: String,
    },
    /// No boundary has this name.
    #[error("no boundary is called `{name}`; there are {known} (periodic faces keep no name)")]
    UnknownBoundary {
        /// The name.
        name: String,
        /// All names that exist.
        known: String,
    },
    /// A declared curve misses the boundary.
    #[error(
        "element {element} of boundary `{boundary}` has its vertex {place} at distance {distance:e} from the \
         declared circle; correct the centre or the radius"
    )]
    OffCurve {
        /// The boundary.
        boundary: String,
        /// The element.
        element: u64,
        /// The vertex.
        place: String,
        /// Its distance from the curve.
        distance: f64,
    },
    /// Too many elements meet at a vertex.
    #[error(
        "{count} elements meet at {place}, and a limiter that looks around vertices takes at most {most}; make a mesh in which \
         fewer meet, or take another limiter"
    )]
    Crowded {
        /// The vertex.
        place: String,
        /// Number of elements around it.
        count: usize,
        /// The largest number possible.
        most: usize,
    },
    /// A generator's option is out of range.
    #[error("{generator}: {problem}")]
    Options {
        /// The generator.
        generator: &'static str,
        /// The option, as case files call it.
        option: &'static str,
        /// What is wrong, and the remedy.
        problem: String,
    },
}

/// The element or vertex that a message is about, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Element(u64),
    Vertex(u64),
}

impl MeshError {
    /// The faulty element or vertex, if there is a single one.
    pub(super) fn subject(&self) -> Option<Subject> {
        match *self {
            Self::MissingVertex { element, .. }
            | Self::DanglingTag { element, .. }
            | Self::SeveralDegrees { element, .. }
            | Self::Degenerate { element, .. }
            | Self::RepeatedVertex { element, .. }
            | Self::Extreme { element, .. }
            | Self::NotConvex { element, .. }
            | Self::Inverted { element, .. }
            | Self::TurnedOver { element, .. }
            | Self::OpenSide { second: element, .. }
            | Self::UnnamedFace { element, .. }
            | Self::UnpairedFace { element, .. }
            | Self::TwoBoundaries { element, .. }
            | Self::Overlap { second: element, .. }
            | Self::OverusedFace { third: element, .. }
            | Self::InnerFace { first: element, .. } => Some(Subject::Element(element)),
            Self::NotFinite { vertex } | Self::DuplicateVertex { vertex, .. } | Self::NotPlane { vertex, .. } => {
                Some(Subject::Vertex(vertex))
            }
            _ => None,
        }
    }
}

/// A position as `(x, y)`.
pub(super) fn place(position: &[f64]) -> String {
    let coordinates: Vec<String> = position.iter().map(f64::to_string).collect();
    format!("({})", coordinates.join(", "))
}
