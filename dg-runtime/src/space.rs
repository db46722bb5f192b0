//! Vectors of space in a law's functions, for each number of dimensions.

/// Two dimensions.
pub mod d2 {
    /// A unit vector that points out of an element.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Normal {
        /// First component.
        pub x: f64,
        /// Second component.
        pub y: f64,
    }

    impl std::ops::Index<usize> for Normal {
        type Output = f64;

        /// The component along an axis.
        fn index(&self, axis: usize) -> &f64 {
            [&self.x, &self.y][axis]
        }
    }

    impl std::ops::Index<usize> for Point {
        type Output = f64;

        /// The coordinate along an axis.
        fn index(&self, axis: usize) -> &f64 {
            [&self.x, &self.y][axis]
        }
    }

    /// A position, in units of the mesh.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Point {
        /// First coordinate.
        pub x: f64,
        /// Second coordinate.
        pub y: f64,
    }
}
