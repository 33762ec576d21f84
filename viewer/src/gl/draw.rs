//! The drawing of a pane's content: shadows, skin, floor, backdrop, tools.

// Calls into the graphics driver; handles come from the same context.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};
use nalgebra::{Matrix3, Matrix4};
use pliant_render::lighting::shade::light_from_world;
use pliant_render::picture::Backdrop;

use crate::gl::pane::{PaneContent, PaneObjects};
use crate::gl::program::Program;
use crate::gl::programs::VertexSource;
use crate::gl::renderer::{Renderer, ToolObjects};
use crate::gl::shadow::{Caster, ShadowMaps};
use crate::gl::skinned_vertices::Primitives;

/// Opacity of a tool.
const TOOL_OPACITY: f32 = 0.82;

impl Renderer {
    pub(crate) fn fill_shadows(
        &self,
        gl: &glow::Context,
        pane: &PaneObjects,
        content: &PaneContent,
    ) {
        let (skin, uploaded) = (
            self.programs.for_source(pane.source()),
            self.programs.for_source(VertexSource::Vertices),
        );
        let draw_skin = |program: &Program| {
            let program = program
                .bind(gl)
                .matrix4("world_from_model", &Matrix4::identity());
            pane.draw(gl, program, self.skin_for(content), Primitives::Triangles);
        };
        let draw_tools = |program: &Program| {
            for (tool, pose) in self.tools.iter().zip(&content.tools) {
                program.bind(gl).matrix4("world_from_model", pose);
                tool.vertices.draw_triangles(gl, &tool.indices);
            }
        };
        let casters = [
            Caster {
                on_floor: &skin.shadow,
                from_light: &skin.depth,
                draw: &draw_skin,
            },
            Caster {
                on_floor: &uploaded.shadow,
                from_light: &uploaded.depth,
                draw: &draw_tools,
            },
        ];
        pane.shadows.fill(
            gl,
            (&self.programs.combine, self.screen),
            &content.region,
            content.camera.yaw,
            &casters,
        );
    }

    pub(crate) fn draw_content(
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
            self.draw_overlay(gl, content, &clip_from_world);

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
            // drawn last, only where nothing else was drawn
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

    /// The program that lights a skin: with soft edges of shadows, except in pictures of low quality.
    fn lit_program(&self, source: VertexSource, content: &PaneContent) -> &Program {
        let programs = self.programs.for_source(source);
        if self.is_low_quality(content) {
            &programs.hard
        } else {
            &programs.soft
        }
    }

    fn draw_skin(
        &self,
        gl: &glow::Context,
        pane: &PaneObjects,
        content: &PaneContent,
        clip_from_world: &Matrix4<f32>,
    ) {
        if !pane.has_skin() {
            return;
        }
        let lights: Matrix3<f32> = light_from_world(content.camera.yaw);
        let yaw = pane.shadow_yaw.unwrap_or(content.camera.yaw);
        let lit = |program: &Program| {
            program
                .bind(gl)
                .matrix4("world_from_model", &Matrix4::identity())
                .matrix4("clip_from_world", clip_from_world)
                .matrix3("light_from_world", &lights)
                .vector3("eye", content.camera.eye().cast::<f32>().into())
                .number("opacity", 1.0)
                .number("occlusion", content.occlusion)
                .matrix4(
                    "shadow_from_world",
                    &ShadowMaps::unit_from_world(&content.region, yaw),
                )
                .number("shadow_lift", 0.012 * content.region.size)
                .texture("shadow_depth", 0, pane.shadows.depth_map());
        };
        // the tools have uploaded vertices
        lit(self.lit_program(VertexSource::Vertices, content));
        let program = self.lit_program(pane.source(), content);
        lit(program);
        let skin = self.skin_for(content);
        pane.draw(gl, program.bind(gl), skin, Primitives::Triangles);
        if content.wireframe {
            let line_style = (glow::LEQUAL, [0.02, 0.03, 0.05, 0.38]);
            self.draw_edges(gl, pane, clip_from_world, &[line_style]);
        }
    }

    /// The edges of another pane's skin: opaque outside of this pane's body, faint inside of it.
    fn draw_overlay(
        &self,
        gl: &glow::Context,
        content: &PaneContent,
        clip_from_world: &Matrix4<f32>,
    ) {
        let Some(overlay) = content.overlay else {
            return;
        };
        let Some(other) = self.pane(overlay.pane).filter(|pane| pane.has_skin()) else {
            return;
        };
        let [r, g, b] = overlay.color;
        let (outside, within) = ([r, g, b, 0.85], [r, g, b, 0.12]);
        let line_styles = [(glow::LEQUAL, outside), (glow::GREATER, within)];
        self.draw_edges(gl, other, clip_from_world, &line_styles);
    }

    /// The edges of a pane's skin, with a colour and opacity for each depth comparison.
    fn draw_edges(
        &self,
        gl: &glow::Context,
        pane: &PaneObjects,
        clip_from_world: &Matrix4<f32>,
        line_styles: &[(u32, [f32; 4])],
    ) {
        let program = &self.programs.for_source(pane.source()).line;
        // SAFETY: blending and the depth state are restored
        unsafe {
            gl.enable(glow::BLEND);
            gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
            gl.depth_mask(false);
            for &(comparison, color) in line_styles {
                gl.depth_func(comparison);
                let line = program
                    .bind(gl)
                    .matrix4("world_from_model", &Matrix4::identity())
                    .matrix4("clip_from_world", clip_from_world)
                    .vector4("ink", color);
                pane.draw(gl, line, self.skin.as_ref(), Primitives::Edges);
            }
            gl.depth_func(glow::LEQUAL);
            gl.depth_mask(true);
            gl.disable(glow::BLEND);
        }
    }

    /// Tools are drawn last, the farthest first: they are transparent, so that the contact behind them stays visible.
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
                self.lit_program(VertexSource::Vertices, content)
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
}
