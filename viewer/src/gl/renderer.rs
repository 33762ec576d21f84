//! All objects on the device, and the drawing of a pane.

// Calls into the graphics driver; handles come from the same context.
#![allow(unsafe_code)]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eframe::glow::{self, HasContext as _};
use nalgebra::{Matrix3, Matrix4};
use pliant_render::glyph::GlyphMesh;
use pliant_render::ground::Backdrop;
use pliant_render::shade::light_from_world;

use crate::gl::mesh::{DrawVertex, Indices, Vertices, unique_edges};
use crate::gl::pane::{PaneContent, PaneObjects};
use crate::gl::program::{GlError, Program};
use crate::gl::shadow::{ShadowMaps, ShadowPrograms};
use crate::gl::target::Target;

/// Colour of a tool (sRGB), and its share over what is behind: the steel of the pictures.
const TOOL_COLOR: [u8; 3] = [112, 120, 133];
const TOOL_OPACITY: f32 = 0.82;

struct Programs {
    skin: Program,
    skin_soft: Program,
    combine: Program,
    line: Program,
    floor: Program,
    backdrop: Program,
    shadow: Program,
    depth: Program,
    present: Program,
}

struct ToolObjects {
    vertices: Vertices,
    indices: Indices,
}

/// Draws panes. Shared between the window's code and the painter's call-backs.
pub struct Renderer {
    name: String,
    software: bool,
    programs: Programs,
    screen: glow::VertexArray,
    panes: Vec<PaneObjects>,
    skin: Option<Indices>,
    /// triangles of a new scene, to be uploaded at the next call of the painter
    new_skin: Option<Vec<[u32; 3]>>,
    tools: Vec<ToolObjects>,
    new_tools: Option<Vec<GlyphMesh>>,
    pictures: u64,
}

/// A renderer behind a lock; the lock is never contended, since painting happens on the window's thread.
#[derive(Clone)]
pub struct SharedRenderer(Arc<Mutex<Renderer>>);

impl SharedRenderer {
    /// Takes the renderer.
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
    /// Prepares everything for `panes` panes.
    ///
    /// # Errors
    /// [`GlError::Refused`] when the context is older than OpenGL 3.3 or WebGL 2.
    pub fn new(gl: &glow::Context, panes: usize) -> Result<SharedRenderer, GlError> {
        // SAFETY: reads a string of this context
        let name = unsafe { gl.get_parameter_string(glow::RENDERER) };
        let lower = name.to_lowercase();
        let software = ["llvmpipe", "softpipe", "swiftshader", "software"]
            .iter()
            .any(|s| lower.contains(s));
        let screen_vertex = include_str!("shaders/screen.vert");
        let skin_fragment = include_str!("shaders/skin.frag");
        let skin_vertex = include_str!("shaders/skin.vert");
        let soft_fragment = format!("#define SOFT\n{skin_fragment}");
        let program = |name, vertex, fragment| Program::new(gl, name, vertex, fragment);
        let programs = Programs {
            skin: program("the shader of skins", skin_vertex, skin_fragment)?,
            skin_soft: program("the shader of skins", skin_vertex, &soft_fragment)?,
            line: program(
                "the shader of lines",
                include_str!("shaders/line.vert"),
                include_str!("shaders/line.frag"),
            )?,
            floor: program(
                "the shader of the floor",
                include_str!("shaders/floor.vert"),
                include_str!("shaders/floor.frag"),
            )?,
            backdrop: program(
                "the shader of the backdrop",
                screen_vertex,
                include_str!("shaders/backdrop.frag"),
            )?,
            shadow: program(
                "the shader of shadows",
                include_str!("shaders/shadow.vert"),
                include_str!("shaders/shadow.frag"),
            )?,
            combine: program(
                "the shader of light",
                screen_vertex,
                include_str!("shaders/combine.frag"),
            )?,
            depth: program(
                "the shader of depth",
                include_str!("shaders/depth.vert"),
                include_str!("shaders/depth.frag"),
            )?,
            present: program(
                "the shader of panes",
                screen_vertex,
                include_str!("shaders/present.frag"),
            )?,
        };
        // SAFETY: the array belongs to this context
        let screen = unsafe { gl.create_vertex_array() }
            .map_err(crate::gl::program::refused("a vertex array"))?;
        let depth_pixels = if software { 512 } else { 1024 };
        let panes = (0..panes)
            .map(|_| PaneObjects::new(gl, depth_pixels))
            .collect::<Result<_, _>>()?;
        // SAFETY: back to the window
        unsafe { gl.bind_framebuffer(glow::FRAMEBUFFER, None) };
        Ok(SharedRenderer(Arc::new(Mutex::new(Self {
            name,
            software,
            programs,
            screen,
            panes,
            skin: None,
            new_skin: None,
            tools: Vec::new(),
            new_tools: None,
            pictures: 0,
        }))))
    }

    /// The driver's name of the device.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the processor draws: then every sample counts.
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Pictures drawn so far; copies of a finished one do not count.
    pub fn pictures(&self) -> u64 {
        self.pictures
    }

    /// A new scene: triangles of the skin, and tools in their own frames.
    pub fn set_scene(&mut self, triangles: Vec<[u32; 3]>, tools: Vec<GlyphMesh>) {
        self.new_skin = Some(triangles);
        self.new_tools = Some(tools);
        for pane in &mut self.panes {
            pane.staged.clear();
            pane.fresh = true;
        }
    }

    /// The vertices of pane `k`, to be filled again; they are uploaded when the pane is painted next.
    pub fn vertices_mut(&mut self, k: usize) -> Option<&mut Vec<DrawVertex>> {
        let pane = self.panes.get_mut(k)?;
        pane.fresh = true;
        pane.staged.clear();
        Some(&mut pane.staged)
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

    fn upload_scene(&mut self, gl: &glow::Context) -> Result<(), GlError> {
        if let Some(triangles) = self.new_skin.take() {
            if let Some(old) = self.skin.take() {
                old.delete(gl);
            }
            self.skin = Some(Indices::new(gl, &triangles, &unique_edges(&triangles))?);
        }
        if let Some(meshes) = self.new_tools.take() {
            for old in self.tools.drain(..) {
                old.vertices.delete(gl);
                old.indices.delete(gl);
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

    /// Draws the picture of a pane anew if anything in it has changed.
    fn draw_pane(
        &mut self,
        gl: &glow::Context,
        k: usize,
        content: &PaneContent,
        size: [i32; 2],
    ) -> Result<(), GlError> {
        let panes_drawn = self.panes.len().max(1) as u64;
        let Some(pane) = self.panes.get_mut(k) else {
            return Ok(());
        };
        let fits = pane
            .target
            .as_ref()
            .is_some_and(|t| t.suits(size, content.samples));
        if fits && !pane.fresh && pane.drawn.as_ref() == Some(content) {
            return Ok(());
        }
        pane.shadows_stale |= pane.fresh
            || pane.shadow_yaw != Some(content.camera.yaw)
            || pane
                .drawn
                .as_ref()
                .is_none_or(|d| d.tools != content.tools || d.region != content.region);
        // where the processor draws, moving panes take turns: a shadow may be two frames old
        let turn = !self.software
            || content.samples > 1
            || pane.shadow_yaw.is_none()
            || self.pictures / panes_drawn % panes_drawn == k as u64;
        let refill = pane.shadows_stale && turn;
        if refill {
            pane.shadows_stale = false;
            pane.shadow_yaw = Some(content.camera.yaw);
        }
        if pane.fresh {
            pane.skin.upload(gl, &pane.staged);
            pane.fresh = false;
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

    fn fill_shadows(&self, gl: &glow::Context, pane: &PaneObjects, content: &PaneContent) {
        let programs = ShadowPrograms {
            on_floor: &self.programs.shadow,
            combine: &self.programs.combine,
            from_light: &self.programs.depth,
            screen: self.screen,
        };
        pane.shadows.fill(
            gl,
            programs,
            &content.region,
            content.camera.yaw,
            |program| {
                program
                    .bind(gl)
                    .matrix4("world_from_model", &Matrix4::identity());
                if let Some(skin) = &self.skin {
                    pane.skin.draw_triangles(gl, skin);
                }
                for (tool, pose) in self.tools.iter().zip(&content.tools) {
                    program.bind(gl).matrix4("world_from_model", pose);
                    tool.vertices.draw_triangles(gl, &tool.indices);
                }
            },
        );
    }

    fn draw_content(
        &self,
        gl: &glow::Context,
        pane: &PaneObjects,
        content: &PaneContent,
        size: [i32; 2],
    ) {
        let camera = &content.camera;
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let clip_from_world = camera.projection(aspect) * camera.view();
        let Backdrop {
            top,
            bottom,
            floor,
            grid,
        } = content.backdrop;
        let region = &content.region;
        // SAFETY: a complete framebuffer is bound; all objects belong to this context
        unsafe {
            gl.disable(glow::BLEND);
            gl.disable(glow::CULL_FACE);
            gl.enable(glow::DEPTH_TEST);
            gl.depth_func(glow::LEQUAL);
            self.draw_skin(gl, pane, content, &clip_from_world);

            if camera.eye().y > f64::from(region.center[1]) {
                gl.bind_vertex_array(Some(self.screen));
                let reach = 2.2 * region.size;
                self.programs
                    .floor
                    .bind(gl)
                    .matrix4("clip_from_world", &clip_from_world)
                    .vector3("center", region.center)
                    .number("half_side", 1.9 * reach)
                    .number("reach", reach)
                    .number("cell", content.cell)
                    .number("shadow_half_side", region.half_side)
                    .number("picture_height", size[1] as f32)
                    .vector3("top", top)
                    .vector3("bottom", bottom)
                    .vector3("ground", floor)
                    .vector3("grid", grid)
                    .texture("light", 0, pane.shadows.light_map());
                gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
            }
            // last, and only where nothing else is
            gl.bind_vertex_array(Some(self.screen));
            self.programs
                .backdrop
                .bind(gl)
                .vector3("top", top)
                .vector3("bottom", bottom);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            self.draw_tools(gl, pane, content);
            gl.bind_vertex_array(None);
            gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }

    /// Soft edges of shadows where they cost nothing, or where a picture stays.
    fn skin_program(&self, content: &PaneContent) -> &Program {
        if !self.software || content.samples > 1 {
            &self.programs.skin_soft
        } else {
            &self.programs.skin
        }
    }

    fn draw_skin(
        &self,
        gl: &glow::Context,
        pane: &PaneObjects,
        content: &PaneContent,
        clip_from_world: &Matrix4<f32>,
    ) {
        let Some(skin) = &self.skin else { return };
        if pane.skin.count() == 0 {
            return;
        }
        let lights: Matrix3<f32> = light_from_world(content.camera.yaw);
        let yaw = pane.shadow_yaw.unwrap_or(content.camera.yaw);
        self.skin_program(content)
            .bind(gl)
            .matrix4("world_from_model", &Matrix4::identity())
            .matrix4("clip_from_world", clip_from_world)
            .matrix3("light_from_world", &lights)
            .vector3("eye", content.camera.eye().cast::<f32>().into())
            .number("opacity", 1.0)
            .matrix4(
                "shadow_from_world",
                &ShadowMaps::unit_from_world(&content.region, yaw),
            )
            .number("shadow_lift", 0.012 * content.region.size)
            .texture("shadow_depth", 0, pane.shadows.depth_map());
        pane.skin.draw_triangles(gl, skin);
        if content.wireframe {
            // SAFETY: blending is switched off again
            unsafe {
                gl.enable(glow::BLEND);
                gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
                gl.depth_mask(false);
                self.programs
                    .line
                    .bind(gl)
                    .matrix4("clip_from_world", clip_from_world)
                    .vector4("ink", [0.02, 0.03, 0.05, 0.38]);
                pane.skin.draw_edges(gl, skin);
                gl.depth_mask(true);
                gl.disable(glow::BLEND);
            }
        }
    }

    /// Tools last and the farthest first: they let the contact behind them shine through.
    fn draw_tools(&self, gl: &glow::Context, pane: &PaneObjects, content: &PaneContent) {
        let eye = content.camera.eye().cast::<f32>();
        let mut order: Vec<(&ToolObjects, &Matrix4<f32>)> =
            self.tools.iter().zip(&content.tools).collect();
        let distance = |pose: &Matrix4<f32>| (pose.fixed_view::<3, 1>(0, 3) - eye).norm_squared();
        order.sort_by(|a, b| distance(b.1).total_cmp(&distance(a.1)));
        // SAFETY: state is set for the draw and left as egui and the other draws expect it
        unsafe {
            gl.enable(glow::BLEND);
            gl.blend_func_separate(
                glow::SRC_ALPHA,
                glow::ONE_MINUS_SRC_ALPHA,
                glow::ZERO,
                glow::ONE,
            );
            gl.enable(glow::CULL_FACE);
            gl.cull_face(glow::BACK);
            for (tool, pose) in order {
                self.skin_program(content)
                    .bind(gl)
                    .matrix4("world_from_model", pose)
                    .number("opacity", TOOL_OPACITY)
                    .texture("shadow_depth", 0, pane.shadows.depth_map());
                tool.vertices.draw_triangles(gl, &tool.indices);
            }
            gl.disable(glow::CULL_FACE);
            gl.disable(glow::BLEND);
        }
    }

    /// Gives everything back to the driver, before the context goes.
    pub fn delete(&mut self, gl: &glow::Context) {
        for pane in &self.panes {
            pane.delete(gl);
        }
        self.panes.clear();
        for tool in self.tools.drain(..) {
            tool.vertices.delete(gl);
            tool.indices.delete(gl);
        }
        if let Some(skin) = self.skin.take() {
            skin.delete(gl);
        }
        for program in [
            &self.programs.skin,
            &self.programs.skin_soft,
            &self.programs.combine,
            &self.programs.line,
            &self.programs.floor,
            &self.programs.backdrop,
            &self.programs.shadow,
            &self.programs.depth,
            &self.programs.present,
        ] {
            program.delete(gl);
        }
        // SAFETY: the array belongs to this context and is not used again
        unsafe { gl.delete_vertex_array(self.screen) };
    }
}
