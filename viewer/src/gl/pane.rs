//! What one pane shows: everything that its picture depends on, besides the vertices.

use eframe::glow;
use nalgebra::Matrix4;
use pliant_render::OrbitCamera;
use pliant_render::ground::Backdrop;

use crate::gl::mesh::{DrawVertex, Vertices};
use crate::gl::program::GlError;
use crate::gl::shadow::{ShadowMaps, ShadowRegion};
use crate::gl::target::Target;

/// Everything that a pane's picture depends on, besides the vertices. Two equal contents give the same picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PaneContent {
    /// Where it is seen from.
    pub camera: OrbitCamera,
    /// Colours behind it.
    pub backdrop: Backdrop,
    /// Whether edges are drawn.
    pub wireframe: bool,
    /// Floor and shadows.
    pub region: ShadowRegion,
    /// Distance between the lines on the floor, m.
    pub cell: f32,
    /// Pose of each tool that is drawn, in the order of [`crate::gl::renderer::Renderer::set_scene`].
    pub tools: Vec<Matrix4<f32>>,
    /// Samples for each pixel.
    pub samples: i32,
}

/// One pane on the device.
pub struct PaneObjects {
    pub(crate) staged: Vec<DrawVertex>,
    pub(crate) fresh: bool,
    pub(crate) skin: Vertices,
    pub(crate) shadows: ShadowMaps,
    pub(crate) target: Option<Target>,
    pub(crate) drawn: Option<PaneContent>,
    /// turn of the lights when the shadows were filled, rad; `None` before
    pub(crate) shadow_yaw: Option<f64>,
    /// whether the shadows are older than the skin
    pub(crate) shadows_stale: bool,
}

impl PaneObjects {
    pub(crate) fn new(gl: &glow::Context, depth_pixels: i32) -> Result<Self, GlError> {
        Ok(Self {
            staged: Vec::new(),
            fresh: false,
            skin: Vertices::new(gl)?,
            shadows: ShadowMaps::new(gl, depth_pixels)?,
            target: None,
            drawn: None,
            shadow_yaw: None,
            shadows_stale: true,
        })
    }

    pub(crate) fn delete(&self, gl: &glow::Context) {
        self.skin.delete(gl);
        self.shadows.delete(gl);
        if let Some(target) = &self.target {
            target.delete(gl);
        }
    }
}
