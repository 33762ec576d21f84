//! A scene prepared for drawing: its skin with sharp edges, its floor, the region of its shadows.

use pliant_core::math::Vec3;
use pliant_render::numbers::nice_step;
use pliant_render::surface::{CreasedSurface, SHARP_ANGLE};
use pliant_simulation::setup::Setup;

use super::floor::{floor_height, scene_bounds};
use super::occlusion::SkinOcclusion;
use crate::gl::shadow::ShadowRegion;

/// A skin prepared for drawing.
#[derive(Debug, Clone)]
pub struct SceneView {
    /// The skin with sharp edges.
    pub skin: CreasedSurface,
    /// How much of the ambient light reaches it, once it was computed.
    pub occlusion: Option<SkinOcclusion>,
    /// Floor and shadows.
    pub region: ShadowRegion,
    /// Distance between the lines on the floor, m.
    pub cell: f32,
    /// Mean edge length of the skin, m.
    pub edge: f64,
}

impl SceneView {
    /// Prepares a scene.
    pub fn new(setup: &Setup) -> Self {
        let bounds = scene_bounds(setup);
        let middle = bounds.center();
        let floor = floor_height(setup);
        let high = (bounds.max.y - floor).max(0.0);
        // several bodies, or one that falls, need more room than one that stays
        let size = bounds.diagonal().max(setup.diagonal).max(1e-9);
        let center = Vec3::new(middle.x, floor, middle.z);
        Self {
            skin: CreasedSurface::new(setup.skin(), SHARP_ANGLE),
            occlusion: None,
            region: ShadowRegion {
                center: center.cast::<f32>().into(),
                size: size as f32,
                half_side: (0.75 * size + 0.9 * high) as f32,
                middle: middle.cast::<f32>().into(),
            },
            cell: nice_step(size / 4.0) as f32,
            edge: setup.skin().mean_edge(),
        }
    }
}
