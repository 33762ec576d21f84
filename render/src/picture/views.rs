//! Bodies and tools to draw, and the options of a picture.

use pliant_core::contact::{Pose, ToolShape};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};

/// A body to draw.
#[derive(Debug, Clone, Copy)]
pub struct BodyView<'a> {
    /// Its skin; only the triangles are used. For a body that is cut or broken, [`SurfaceFrame::cut`] has another surface and its frame.
    pub surface: &'a SurfaceMesh,
    /// The current positions of the skin, world, m.
    pub frame: &'a SurfaceFrame,
    /// A colour for each vertex (sRGB, 0 to 1), instead of the base colour; ignored when shorter than the skin.
    pub colors: Option<&'a [[f32; 3]]>,
    /// Colour of the whole body (sRGB, 0 to 1).
    pub base_color: [f32; 3],
}

/// A tool to draw, in steel through which the contact stays visible.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolView {
    /// Its shape in its own frame.
    pub shape: ToolShape,
    /// Where that frame is, world, m.
    pub pose: Pose,
}

/// Size and style of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureOptions {
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
    /// Samples along each side of a pixel: 1 (draft) to 4; 3 gives crisp edges.
    pub supersample: usize,
    /// Height of the floor, m; `None` draws none.
    pub ground: Option<f64>,
    /// Draw the edges of the triangles.
    pub wireframe: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            width: 720,
            height: 540,
            supersample: 3,
            ground: None,
            wireframe: false,
        }
    }
}
