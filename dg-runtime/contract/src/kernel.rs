//! The kernels of a unit, and their arguments.

/// A kernel of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, in the order of the fields of its struct.
    pub arguments: &'static [Argument],
}

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Whether the kernel reads or writes it.
    pub direction: Direction,
    /// The least length of a buffer.
    pub size: Size,
    /// Whether some variants of the code never touch it; these get a buffer of one number.
    pub optional: bool,
    /// Whether a launch may give it memory that the kernel writes as another argument.
    pub shared: bool,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A buffer of numbers in the precision of the unit.
    Reals,
    /// A buffer of numbers in double precision.
    Doubles,
    /// A buffer of integers of 32 bits.
    Ints,
    /// One number, in double precision whatever the unit's precision.
    Real,
    /// One integer, of 64 bits.
    Int,
}

/// Whether a kernel reads or writes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It reads it.
    In,
    /// It writes it.
    Out,
    /// It reads and writes it.
    InOut,
}

/// Items of a mesh, beside elements, that buffers may have entries for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Patches.
    Patch,
    /// Where the items of patches begin in a list: one more than patches, since the list ends with the end of the last patch's items.
    PatchStart,
    /// Faces of patches; a face between two patches belongs to both.
    Face,
    /// Records of faces on the rims of patches.
    Record,
    /// Faces on the boundary.
    BoundaryFace,
    /// Vertices, for limiters that use the elements around them.
    Vertex,
    /// Elements of a section of the mesh, filled up to whole blocks, where a kernel is launched for something else.
    SectionElement,
    /// Those of all sections.
    MeshElement,
}

impl Item {
    /// All of them, with their names in the comments of arguments.
    pub const ALL: [(Self, &str); 8] = [
        (Self::Patch, "patch"),
        (Self::PatchStart, "patch start"),
        (Self::Face, "face"),
        (Self::Record, "record"),
        (Self::BoundaryFace, "boundary face"),
        (Self::Vertex, "vertex"),
        (Self::SectionElement, "element of the section"),
        (Self::MeshElement, "element of the mesh"),
    ];
}

/// The least length of a buffer; an argument that is no buffer has length 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// This length.
    Fixed(usize),
    /// This many numbers for each element that the kernel is launched for, filled up to whole blocks.
    PerElement(usize),
    /// This many numbers times the value of an integer among the arguments, given by its index.
    Times(usize, usize),
    /// Numbers for each of these items of the mesh, multiplied by an integer among the arguments if `times` has its
    /// index.
    PerItem {
        /// The items.
        item: Item,
        /// Numbers per item.
        numbers: usize,
        /// The index of the integer.
        times: Option<usize>,
    },
}
