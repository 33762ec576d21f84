//! All objects on the device, and the drawing of a pane.

// Calls into the graphics driver; handles come from the same context.
#![allow(unsafe_code)]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eframe::glow::{self, HasContext as _};
use pliant_core::mesh::unique_edges;
use pliant_render::surface::GlyphMesh;

use crate::gl::mesh::{DrawVertex, Indices, Vertices};
use crate::gl::pane::{PaneContent, PaneObjects, Staged};
use crate::gl::program::{GlError, refused};
use crate::gl::programs::Programs;
use crate::gl::target::Target;

/// Resolution of a moving picture over that of its pane, along each side, where the processor draws.
const MOVING_SCALE: f64 = 0.6;

/// Colour of a tool (sRGB): the steel of the pictures.
const TOOL_COLOR: [u8; 3] = [112, 120, 133];

/// A tool on the device.
pub(crate) struct ToolObjects {
    pub(crate) vertices: Vertices,
    pub(crate) indices: Indices,
}

/// Draws panes. Shared between the window's code and the painter's call-backs.
pub struct Renderer {
    name: String,
    pub(crate) software: bool,
    pub(crate) programs: Programs,
    pub(crate) screen: glow::VertexArray,
    panes: Vec<PaneObjects>,
    pub(crate) skin: Option<Indices>,
    /// the decimated skin, for moving pictures where the processor draws
    decimated: Option<Indices>,
    /// triangles of a new scene, to be uploaded at the next call of the painter
    new_skin: Option<Vec<[u32; 3]>>,
    new_decimated: Option<Vec<[u32; 3]>>,
    pub(crate) tools: Vec<ToolObjects>,
    new_tools: Option<Vec<GlyphMesh>>,
    pictures: u64,
    /// why the driver does not deform skins
    refused: Option<String>,
}

/// A renderer behind a lock; the lock is never contended, since painting happens on the window's thread.
#[derive(Clone)]
pub struct SharedRenderer(Arc<Mutex<Renderer>>);

impl SharedRenderer {
    /// Prepares everything for `panes` panes.
    ///
    /// # Errors
    /// [`GlError`] when the context is older than OpenGL 3.3 or WebGL 2.
    pub fn new(gl: &glow::Context, panes: usize) -> Result<Self, GlError> {
        // SAFETY: reads a string of this context
        let name = unsafe { gl.get_parameter_string(glow::RENDERER) };
        let lower = name.to_lowercase();
        let software = ["llvmpipe", "softpipe", "swiftshader", "software"]
            .iter()
            .any(|s| lower.contains(s));
        let programs = Programs::new(gl)?;
        // SAFETY: the array belongs to this context
        let screen = unsafe { gl.create_vertex_array() }.map_err(refused("a vertex array"))?;
        let depth_pixels = if software { 512 } else { 1024 };
        let panes = (0..panes)
            .map(|_| PaneObjects::new(gl, depth_pixels))
            .collect::<Result<_, _>>()?;
        // SAFETY: back to the window
        unsafe { gl.bind_framebuffer(glow::FRAMEBUFFER, None) };
        Ok(Self(Arc::new(Mutex::new(Renderer {
            name,
            software,
            programs,
            screen,
            panes,
            skin: None,
            decimated: None,
            new_skin: None,
            new_decimated: None,
            tools: Vec::new(),
            new_tools: None,
            pictures: 0,
            refused: None,
        }))))
    }

    /// Locks the renderer.
    pub fn lock(&self) -> MutexGuard<'_, Renderer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A shape for egui that shows pane `k` in `rect`.
    pub fn callback(
        &self,
        k: usize,
        content: PaneContent,
        rect: egui::Rect,
    ) -> egui::PaintCallback {
        let shared = self.clone();
        let draw = move |info: egui::PaintCallbackInfo, painter: &eframe::egui_glow::Painter| {
            shared.lock().paint(k, &content, &info, painter);
        };
        egui::PaintCallback {
            rect,
            callback: Arc::new(eframe::egui_glow::CallbackFn::new(draw)),
        }
    }
}

impl Renderer {
    /// The driver's name of the device.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the processor draws, so that each sample is expensive.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Whether a picture is drawn at low quality: it moves, and the processor draws it.
    pub(crate) fn is_low_quality(&self, content: &PaneContent) -> bool {
        self.software && content.samples == 1
    }

    /// The skin's triangles and edges for a picture.
    pub(crate) fn skin_for(&self, content: &PaneContent) -> Option<&Indices> {
        let decimated = self.decimated.as_ref();
        decimated
            .filter(|_| self.is_low_quality(content) && !content.wireframe)
            .or(self.skin.as_ref())
    }

    /// Pictures drawn so far; copies of a finished one do not count.
    pub fn pictures(&self) -> u64 {
        self.pictures
    }

    /// A new scene: triangles of the skin, and tools in their own frames.
    pub fn set_scene(&mut self, triangles: Vec<[u32; 3]>, tools: Vec<GlyphMesh>) {
        self.new_skin = Some(triangles);
        self.new_decimated = None;
        self.new_tools = Some(tools);
        for pane in &mut self.panes {
            pane.staged = Staged {
                vertices: Some(Vec::new()),
                triangles: Some(None),
                skinned: Some(None),
                ..Staged::default()
            };
            pane.needs_upload = true;
        }
    }

    /// Decimated triangles over the vertices of the current scene, for moving pictures where the processor draws.
    pub fn set_decimated_triangles(&mut self, triangles: Vec<[u32; 3]>) {
        self.new_decimated = Some(triangles);
    }

    /// What pane `k` shows from now on. It is uploaded when the pane is painted next.
    pub fn stage(&mut self, k: usize) -> Option<&mut Staged> {
        let pane = self.panes.get_mut(k)?;
        pane.needs_upload = true;
        Some(&mut pane.staged)
    }

    /// Why the driver does not deform skins; `None` before it has refused.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Pane `k`.
    pub(crate) fn pane(&self, k: usize) -> Option<&PaneObjects> {
        self.panes.get(k)
    }

    /// Uploads what was staged for pane `k`, which still has to be drawn.
    fn upload_for_overlay(&mut self, gl: &glow::Context, k: usize) {
        if let Some(pane) = self.panes.get_mut(k).filter(|pane| pane.needs_upload) {
            if let Err(error) = pane.upload(gl, &mut self.programs) {
                self.refused = Some(error.to_string());
            }
            pane.needs_upload = true;
        }
    }

    /// Pixels of the finished picture of pane `k`.
    pub(crate) fn pixels(&self, gl: &glow::Context, k: usize) -> Option<Vec<u8>> {
        let target = self.panes.get(k)?.target.as_ref()?;
        Some(target.pixels(gl))
    }

    fn paint(
        &mut self,
        k: usize,
        content: &PaneContent,
        info: &egui::PaintCallbackInfo,
        painter: &eframe::egui_glow::Painter,
    ) {
        let gl = painter.gl();
        let view = info.viewport_in_pixels();
        let clip = info.clip_rect_in_pixels();
        let size = [view.width_px.clamp(1, 8192), view.height_px.clamp(1, 8192)];
        if self.upload_scene(gl).is_err() || self.draw_pane(gl, k, content, size).is_err() {
            return;
        }
        let Some(target) = self.panes.get(k).and_then(|p| p.target.as_ref()) else {
            return;
        };
        // SAFETY: the window's framebuffer is complete; egui sets its own state again after a call-back
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, painter.intermediate_fbo());
            gl.viewport(
                view.left_px,
                view.from_bottom_px,
                view.width_px,
                view.height_px,
            );
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(
                clip.left_px,
                clip.from_bottom_px,
                clip.width_px,
                clip.height_px,
            );
            gl.disable(glow::BLEND);
            gl.disable(glow::DEPTH_TEST);
            gl.disable(glow::CULL_FACE);
            self.programs
                .present
                .bind(gl)
                .texture("picture", 0, target.color());
            gl.bind_vertex_array(Some(self.screen));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.bind_vertex_array(None);
            gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }

    pub(crate) fn upload_scene(&mut self, gl: &glow::Context) -> Result<(), GlError> {
        if let Some(triangles) = self.new_skin.take() {
            for old in [self.skin.take(), self.decimated.take()]
                .into_iter()
                .flatten()
            {
                old.delete(gl);
            }
            self.skin = Some(Indices::new(gl, &triangles, &unique_edges(&triangles))?);
        }
        if let Some(triangles) = self.new_decimated.take() {
            self.decimated = Some(Indices::new(gl, &triangles, &[])?);
        }
        if let Some(meshes) = self.new_tools.take() {
            for tool in self.tools.drain(..) {
                tool.vertices.delete(gl);
                tool.indices.delete(gl);
            }
            for mesh in &meshes {
                let mut vertices = Vertices::new(gl)?;
                let [r, g, b] = TOOL_COLOR;
                let all: Vec<DrawVertex> = mesh
                    .positions
                    .iter()
                    .zip(&mesh.normals)
                    .map(|(&position, &normal)| DrawVertex {
                        position,
                        normal,
                        color: [r, g, b, 255],
                    })
                    .collect();
                vertices.upload(gl, &all);
                let indices = Indices::new(gl, &mesh.triangles, &[])?;
                self.tools.push(ToolObjects { vertices, indices });
            }
        }
        Ok(())
    }

    /// Redraws the picture of a pane if anything in it has changed.
    pub(crate) fn draw_pane(
        &mut self,
        gl: &glow::Context,
        k: usize,
        content: &PaneContent,
        size: [i32; 2],
    ) -> Result<(), GlError> {
        let panes_drawn = self.panes.len().max(1) as u64;
        if let Some(overlay) = content.overlay {
            self.upload_for_overlay(gl, overlay.pane);
        }
        // a picture of low quality has fewer pixels and is scaled up to the pane
        let is_low_quality = self.is_low_quality(content);
        let size = if is_low_quality {
            size.map(|n| ((f64::from(n) * MOVING_SCALE) as i32).max(1))
        } else {
            size
        };
        let Some(pane) = self.panes.get_mut(k) else {
            return Ok(());
        };
        let fits = pane
            .target
            .as_ref()
            .is_some_and(|t| t.matches(size, content.samples));
        if fits && !pane.needs_upload && pane.drawn.as_ref() == Some(content) {
            return Ok(());
        }
        pane.shadows_stale |= pane.needs_upload
            || pane.shadow_yaw != Some(content.camera.yaw)
            || pane
                .drawn
                .as_ref()
                .is_none_or(|d| d.tools != content.tools || d.region != content.region);
        // where the processor draws, moving panes take turns: a shadow may be two frames old
        let is_its_turn = !is_low_quality
            || pane.shadow_yaw.is_none()
            || self.pictures / panes_drawn % panes_drawn == k as u64;
        let refill = pane.shadows_stale && is_its_turn;
        if refill {
            pane.shadows_stale = false;
            pane.shadow_yaw = Some(content.camera.yaw);
        }
        if pane.needs_upload
            && let Err(error) = pane.upload(gl, &mut self.programs)
        {
            self.refused = Some(error.to_string());
        }
        if !fits {
            if let Some(old) = pane.target.take() {
                old.delete(gl);
            }
            pane.target = Some(Target::new(gl, size, content.samples)?);
        }
        let Some(pane) = self.panes.get(k) else {
            return Ok(());
        };
        if refill {
            self.fill_shadows(gl, pane, content);
        }
        if let Some(target) = &pane.target {
            target.begin(gl);
            self.draw_content(gl, pane, content, size);
            target.finish(gl);
        }
        self.pictures += 1;
        if let Some(pane) = self.panes.get_mut(k) {
            pane.drawn = Some(content.clone());
        }
        Ok(())
    }
}
