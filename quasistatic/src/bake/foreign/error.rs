//! Why columns from other programs or measurements cannot be used.

/// Why columns cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The numbers do not fit the skin.
    #[error(
        "{what} has {found} numbers, but {expected} are needed\n  remedy: give three rows for each of the skin's {vertices} vertices and three columns for each vertex pushed"
    )]
    WrongSize {
        /// Which array.
        what: &'static str,
        /// Numbers there.
        found: usize,
        /// Numbers needed.
        expected: usize,
        /// Vertices of the skin.
        vertices: usize,
    },
    /// A vertex that the skin does not have.
    #[error(
        "column vertex {vertex} does not exist: the skin has {count}\n  remedy: number the vertices from 0"
    )]
    NoSuchVertex {
        /// The number given.
        vertex: u32,
        /// Vertices of the skin.
        count: usize,
    },
    /// A vertex with two columns.
    #[error("vertex {vertex} has two columns\n  remedy: give each vertex once")]
    VertexTwice {
        /// The vertex.
        vertex: u32,
    },
    /// A column with numbers that are none.
    #[error(
        "the column of vertex {vertex} has a number that is not finite\n  remedy: leave that column out"
    )]
    NonFinite {
        /// The vertex.
        vertex: u32,
    },
    /// A column that says that nothing moves where the body is pushed.
    #[error(
        "the column of the free vertex {vertex} does not move it\n  remedy: leave that column out, or support the vertex"
    )]
    DeadColumn {
        /// The vertex.
        vertex: u32,
    },
    /// No free vertex has a column.
    #[error(
        "no free vertex has a column\n  remedy: give columns of vertices that no support holds"
    )]
    NoColumns,
    /// Nothing holds the body.
    #[error(
        "the body has no support, so that its columns mean nothing\n  remedy: add a [[body.support]]"
    )]
    Unconstrained,
    /// Dense columns would not fit.
    #[error("{nodes} free vertices are more than {limit}\n  remedy: make the skin coarser")]
    TooManyColumns {
        /// Free vertices.
        nodes: usize,
        /// The limit in force.
        limit: usize,
    },
}

pliant_core::error_code!(ForeignError);
