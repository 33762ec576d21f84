//! The request for a procedural body.

/// A request for a procedural body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProceduralSpec {
    /// Name of the body, one of [`names`](crate::procedural::names).
    pub name: String,
    /// Longest side of the bounding box, m; 0.3 where neither this nor `size` is given. A `box` or `bar` with a `size` is scaled
    /// to it.
    pub longest: Option<f64>,
    /// Sides of a `box` or `bar` along x, y, z, m; a cube, or four times as long as thick, where not given. An error for other
    /// bodies.
    pub size: Option<[f64; 3]>,
    /// Edge of the skin's triangles where it is gently curved, m, down to 0.42 of it at fine details; edge of the cells of a
    /// `box` or `bar`, which has `round(size / edge)` of them an axis. Where not given, such that there are about 8,000
    /// triangles.
    pub edge: Option<f64>,
}

impl ProceduralSpec {
    /// A body at its default size and edge.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            ..Self::default()
        }
    }
}
