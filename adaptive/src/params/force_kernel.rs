//! Which implementation of the element forces runs, and in which precision.

/// Which implementation of the element forces runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForceKernel {
    /// Fused, four tetrahedra at once.
    #[default]
    Fast,
    /// Written like the equations; the tests compare [`ForceKernel::Fast`] with it.
    Reference,
}

/// Precision of the element forces. Positions, velocities and sums over nodes are always in double precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Double precision, four tetrahedra at once: momenta are conserved to round-off, and the bits are the same on every machine.
    #[default]
    F64,
    /// Single precision in as many lanes as the processor has (see [`crate::force::lanes`]): about a third of the time, forces within 1e-6 of the largest.
    F32,
}
