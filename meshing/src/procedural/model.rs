//! A body as a signed distance function, before it is skinned.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

/// Name of a vertex group, and whether a point belongs to it.
pub(crate) type Group = (&'static str, fn(&Vec3) -> bool);

/// A body in its own unit of length and frame: y up, facing +z, floor at y = 0 where it matters.
pub(crate) struct Model {
    /// Signed distance, negative inside.
    pub distance: Box<dyn Fn(&Vec3) -> f64 + Send + Sync>,
    /// A box that contains the body, not necessarily a tight one.
    pub bounds: Aabb,
    /// Named sets of skin vertices, by position.
    pub groups: &'static [Group],
    /// Genus of the skin.
    pub genus: i64,
    /// Triangles at the default edge over those of a gently curved surface of the same area.
    pub detail: f64,
    /// Coarsest edge that still shows the shape, as a multiple of the default edge.
    pub coarsest: f64,
}

impl Model {
    /// A body of genus 0 without groups between the corners `low` and `high`.
    pub fn new(
        low: [f64; 3],
        high: [f64; 3],
        distance: impl Fn(&Vec3) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            distance: Box::new(distance),
            bounds: Aabb {
                min: Vec3::from(low),
                max: Vec3::from(high),
            },
            groups: &[],
            genus: 0,
            detail: 1.0,
            coarsest: 3.0,
        }
    }
}
