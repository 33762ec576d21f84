//! What one pane shows: everything that its picture depends on, besides the vertices.

use std::sync::Arc;

use eframe::glow;
use nalgebra::Matrix4;
use pliant_core::mesh::unique_edges;
use pliant_render::OrbitCamera;
use pliant_render::picture::Backdrop;

use crate::gl::mesh::{DrawVertex, Indices, Vertices};
use crate::gl::program::{Bound, GlError};
use crate::gl::programs::{Programs, VertexSource};
use crate::gl::shadow::{ShadowMaps, ShadowRegion};
use crate::gl::skinned_vertices::{Primitives, SkinnedVertices};
use crate::gl::target::Target;
use crate::skin::{PointUpload, PreparedSkin};

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
    /// Another pane, whose skin is drawn over this one.
    pub overlay: Option<Overlay>,
    /// How much of the ambient occlusion is shown, 0 to 1.
    pub occlusion: f32,
}

/// The skin of another pane, drawn as a wireframe over this one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlay {
    /// Number of the other pane.
    pub pane: usize,
    /// A number that changes whenever its skin does.
    pub version: u64,
    /// Colour of the wireframe (sRGB, 0 to 1).
    pub color: [f32; 3],
}

/// What has to be uploaded for a pane before it is drawn next.
#[derive(Debug, Clone, Default)]
pub struct Staged {
    /// All vertices of a skin that the processor deforms.
    pub vertices: Option<Vec<DrawVertex>>,
    /// Triangles that replace those of the scene, for a broken body. `Some(None)` restores those of the scene.
    pub triangles: Option<Option<Vec<[u32; 3]>>>,
    /// A skin that the graphics card deforms from now on; with `Some(None)` the processor does it again.
    pub skinned: Option<Option<Arc<PreparedSkin>>>,
    /// Its control points.
    pub points: Option<PointUpload>,
    /// Colours of its vertices.
    pub colors: Option<Vec<[u8; 4]>>,
}

/// One pane on the device.
pub struct PaneObjects {
    pub(crate) staged: Staged,
    pub(crate) needs_upload: bool,
    skin: Vertices,
    /// triangles of a broken body, instead of those of the scene
    own_indices: Option<Indices>,
    skinned: Option<SkinnedVertices>,
    pub(crate) shadows: ShadowMaps,
    pub(crate) target: Option<Target>,
    pub(crate) drawn: Option<PaneContent>,
    /// yaw of the lights when the shadows were last drawn, rad; `None` before
    pub(crate) shadow_yaw: Option<f64>,
    /// whether the shadows are older than the skin
    pub(crate) shadows_stale: bool,
}

impl PaneObjects {
    pub(crate) fn new(gl: &glow::Context, depth_pixels: i32) -> Result<Self, GlError> {
        Ok(Self {
            staged: Staged::default(),
            needs_upload: false,
            skin: Vertices::new(gl)?,
            own_indices: None,
            skinned: None,
            shadows: ShadowMaps::new(gl, depth_pixels)?,
            target: None,
            drawn: None,
            shadow_yaw: None,
            shadows_stale: true,
        })
    }

    /// Uploads what was staged.
    pub(crate) fn upload(
        &mut self,
        gl: &glow::Context,
        programs: &mut Programs,
    ) -> Result<(), GlError> {
        self.needs_upload = false;
        let staged = &mut self.staged;
        if let Some(triangles) = staged.triangles.take() {
            if let Some(old) = self.own_indices.take() {
                old.delete(gl);
            }
            self.own_indices = match triangles {
                Some(all) => Some(Indices::new(gl, &all, &unique_edges(&all))?),
                None => None,
            };
        }
        if let Some(skin) = staged.skinned.take() {
            if let Some(old) = self.skinned.take() {
                old.delete(gl);
            }
            if let Some(skin) = skin {
                let new = SkinnedVertices::new(gl, &skin)?;
                programs.prepare(gl, new.source())?;
                self.skinned = Some(new);
            }
        }
        if let Some(vertices) = staged.vertices.take() {
            self.skin.upload(gl, &vertices);
        }
        if let Some(skinned) = &mut self.skinned {
            if let Some(points) = staged.points.take() {
                skinned.upload_points(gl, &points);
            }
            if let Some(colors) = staged.colors.take() {
                skinned.upload_colors(gl, &colors);
            }
        }
        Ok(())
    }

    /// Where its vertices come from.
    pub(crate) fn source(&self) -> VertexSource {
        self.skinned
            .as_ref()
            .map_or(VertexSource::Vertices, SkinnedVertices::source)
    }

    /// Whether there is something to draw.
    pub(crate) fn has_skin(&self) -> bool {
        match &self.skinned {
            Some(skinned) => skinned.is_ready(),
            None => self.skin.count() > 0,
        }
    }

    /// Draws triangles or edges with the current program, one of [`Self::source`]; `scene` is the skin of the scene.
    pub(crate) fn draw(
        &self,
        gl: &glow::Context,
        program: Bound<'_>,
        scene: Option<&Indices>,
        primitives: Primitives,
    ) {
        match (&self.skinned, self.own_indices.as_ref().or(scene)) {
            (Some(skinned), _) => skinned.draw(gl, program, primitives),
            (None, Some(indices)) if primitives == Primitives::Edges => {
                self.skin.draw_edges(gl, indices)
            }
            (None, Some(indices)) => self.skin.draw_triangles(gl, indices),
            (None, None) => {}
        }
    }
}
