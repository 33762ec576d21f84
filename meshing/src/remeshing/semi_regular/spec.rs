//! The request for a semi-regular remesh.

/// What to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemeshSpec {
    /// Number of subdivisions; the finest level has 4^levels triangles for each of the base.
    pub levels: usize,
    /// Triangles of the first base to try; where not given, as many as make the finest level about as fine as the input, but at least 64 and 40
    /// for each handle.
    pub base_faces: Option<usize>,
}
