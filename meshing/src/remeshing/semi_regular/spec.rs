//! The request for a semi-regular remesh.

/// Distance that is near enough for most purposes, over the diagonal.
pub(crate) const GOOD_DISTANCE: f64 = 0.005;

/// What to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RemeshSpec {
    /// Number of subdivisions; the finest level has 4^levels triangles for each of the base.
    pub levels: usize,
    /// Triangles of the first base to try; where not given, as many as make the finest level about as fine as the input, but at least 64 and 40
    /// for each handle.
    pub base_faces: Option<usize>,
    /// Distance from the input, over its diagonal, that ends the search for a base; 0.005 keeps what can be seen.
    pub distance: f64,
}

impl RemeshSpec {
    /// A remesh within 0.5 % of the diagonal.
    pub fn new(levels: usize, base_faces: Option<usize>) -> Self {
        Self {
            levels,
            base_faces,
            distance: GOOD_DISTANCE,
        }
    }
}
