//! The kernels of a unit, and what each takes.

/// A kernel of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// What it takes, in the order of the fields of its struct.
    pub arguments: &'static [Argument],
}

/// What a kernel takes under one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Whether the kernel reads or writes it.
    pub direction: Direction,
    /// How much a buffer must hold.
    pub size: Size,
    /// Whether some variants of the code never touch it, and are given a buffer of one number for it.
    pub optional: bool,
}

/// What an argument of a kernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A buffer of numbers in the precision of the unit.
    Reals,
    /// A buffer of numbers in double precision.
    Doubles,
    /// A buffer of integers of 32 bits.
    Ints,
    /// One number, in double precision whatever that of the unit.
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

/// What a mesh has a number of, beside elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Patches, and one more: lists of where a patch's items begin also say where those of the last one end.
    Patch,
    /// Faces of patches; one between two patches is a face of both.
    Face,
    /// Records of faces on the rims of patches.
    Record,
    /// Faces on the boundary.
    BoundaryFace,
    /// Vertices, where a limiter looks at the elements around them.
    Vertex,
}

impl Item {
    /// All of them, with their names in the comments of arguments.
    pub const ALL: [(Self, &str); 5] = [
        (Self::Patch, "patch"),
        (Self::Face, "face"),
        (Self::Record, "record"),
        (Self::BoundaryFace, "boundary face"),
        (Self::Vertex, "vertex"),
    ];
}

/// How many numbers a buffer must hold at least; an argument that is no buffer is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// So many.
    Fixed(usize),
    /// So many for each element that the kernel is launched for, filled up to whole blocks.
    PerElement(usize),
    /// So many times the value of an integer among the arguments, by its index.
    Times(usize, usize),
    /// So many for each of these items of the mesh, and where `times` is the index of an integer among the arguments, that many times.
    PerItem {
        /// The items.
        item: Item,
        /// Numbers of each.
        numbers: usize,
        /// The integer.
        times: Option<usize>,
    },
    /// It depends on what a launch does not know.
    Unchecked,
}
