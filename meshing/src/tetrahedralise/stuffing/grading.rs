//! Where tetrahedra are larger or smaller than the others.

/// Which cells of the lattice are larger or smaller than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grading {
    /// None: all tetrahedra are of about one size.
    Uniform,
    /// Larger ones inside: as many boundary nodes with far fewer nodes, for fine levels of bulky bodies.
    Inside,
    /// Larger ones inside, smaller ones where walls are thin or gaps narrow, so that these are neither lost nor joined.
    Thin,
}
