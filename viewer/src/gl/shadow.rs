//! Two shadow maps of the key light: depth for the body's own shadow, and the soft shadow on the floor.

// Calls into the graphics driver; handles come from the same context.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};
use nalgebra::{Matrix4, Vector3};
use pliant_render::lighting::shade::{KEY_DIRECTION, light_from_world};

use crate::gl::program::{GlError, Program};
use crate::gl::target::{check_complete, color_texture, framebuffer, texture};

/// Pixels along a side of the map on the floor.
const FLOOR_PIXELS: i32 = 160;

/// Where shadows are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShadowRegion {
    /// Middle of the body at rest, on the floor, m.
    pub center: [f32; 3],
    /// Diagonal of the body, m.
    pub size: f32,
    /// Half the side of the square that the map on the floor covers, m.
    pub half_side: f32,
    /// Middle of the body at rest, m.
    pub middle: [f32; 3],
}

/// Something that casts a shadow.
pub struct Caster<'a> {
    /// Projects it onto the floor, along the key light.
    pub on_floor: &'a Program,
    /// Sees it from the key light.
    pub from_light: &'a Program,
    /// Draws it with one of these programs.
    pub draw: &'a dyn Fn(&Program),
}

/// The maps of one pane.
pub struct ShadowMaps {
    depth_pixels: i32,
    floor: glow::Framebuffer,
    floor_map: glow::Texture,
    light: glow::Framebuffer,
    light_map: glow::Texture,
    depth: glow::Framebuffer,
    depth_map: glow::Texture,
}

impl ShadowMaps {
    /// Empty maps; the depth map has `depth_pixels` along a side.
    pub fn new(gl: &glow::Context, depth_pixels: i32) -> Result<Self, GlError> {
        // SAFETY: all objects are made here by this context
        unsafe {
            let floor_map = color_texture(gl, [FLOOR_PIXELS; 2], glow::LINEAR_MIPMAP_LINEAR)?;
            let floor = framebuffer(gl, glow::COLOR_ATTACHMENT0, floor_map)?;
            check_complete(gl)?;
            let light_map = color_texture(gl, [FLOOR_PIXELS; 2], glow::LINEAR)?;
            let light = framebuffer(gl, glow::COLOR_ATTACHMENT0, light_map)?;
            check_complete(gl)?;
            let format = [
                glow::DEPTH_COMPONENT24,
                glow::DEPTH_COMPONENT,
                glow::UNSIGNED_INT,
            ];
            let depth_map = texture(gl, [depth_pixels; 2], glow::LINEAR, format)?;
            gl.bind_texture(glow::TEXTURE_2D, Some(depth_map));
            for (name, value) in [
                (glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE),
                (glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
            gl.bind_texture(glow::TEXTURE_2D, None);
            let depth = framebuffer(gl, glow::DEPTH_ATTACHMENT, depth_map)?;
            gl.draw_buffers(&[glow::NONE]);
            gl.read_buffer(glow::NONE);
            check_complete(gl)?;
            Ok(Self {
                depth_pixels,
                floor,
                floor_map,
                light,
                light_map,
                depth,
                depth_map,
            })
        }
    }

    /// Share of light on the floor.
    pub fn light_map(&self) -> glow::Texture {
        self.light_map
    }

    /// Depth seen from the key light.
    pub fn depth_map(&self) -> glow::Texture {
        self.depth_map
    }

    /// Fills both maps. `combine` turns the shadows on the floor into a share of light; `screen` is an empty vertex array, for pictures that need no
    /// vertices.
    pub fn fill(
        &self,
        gl: &glow::Context,
        (combine, screen): (&Program, glow::VertexArray),
        region: &ShadowRegion,
        yaw: f64,
        casters: &[Caster<'_>],
    ) {
        let key = light_from_world(yaw).transpose() * Vector3::from(KEY_DIRECTION);
        // SAFETY: both framebuffers are complete
        unsafe {
            gl.disable(glow::SCISSOR_TEST);
            gl.disable(glow::CULL_FACE);
            gl.disable(glow::DEPTH_TEST);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.floor));
            gl.viewport(0, 0, FLOOR_PIXELS, FLOOR_PIXELS);
            gl.clear_color(0.0, 0.0, 0.0, 0.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.enable(glow::BLEND);
            gl.blend_equation(glow::MAX);
            gl.blend_func(glow::ONE, glow::ONE);
            for caster in casters {
                caster
                    .on_floor
                    .bind(gl)
                    .vector3("shift", (key / key.y).into())
                    .vector3("center", region.center)
                    .number("shadow_half_side", region.half_side)
                    .number("size", region.size);
                (caster.draw)(caster.on_floor);
            }
            gl.blend_equation(glow::FUNC_ADD);
            gl.disable(glow::BLEND);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.floor_map));
            gl.generate_mipmap(glow::TEXTURE_2D);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.light));
            combine.bind(gl).texture("shadow", 0, self.floor_map);
            gl.bind_vertex_array(Some(screen));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.bind_vertex_array(None);
            gl.bind_texture(glow::TEXTURE_2D, None);

            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.depth));
            gl.viewport(0, 0, self.depth_pixels, self.depth_pixels);
            gl.enable(glow::DEPTH_TEST);
            gl.depth_func(glow::LESS);
            gl.depth_mask(true);
            gl.clear_depth_f32(1.0);
            gl.clear(glow::DEPTH_BUFFER_BIT);
            for caster in casters {
                caster
                    .from_light
                    .bind(gl)
                    .matrix4("clip_from_world", &clip_from_light(region, &key));
                (caster.draw)(caster.from_light);
            }
        }
    }

    /// World to the unit cube of the depth map.
    pub fn unit_from_world(region: &ShadowRegion, yaw: f64) -> Matrix4<f32> {
        let key = light_from_world(yaw).transpose() * Vector3::from(KEY_DIRECTION);
        let half = Matrix4::new_translation(&Vector3::repeat(0.5)) * Matrix4::new_scaling(0.5);
        half * clip_from_light(region, &key)
    }
}

/// World to the clip space of a parallel light: a box around the body, wide enough for what is pulled out of it.
fn clip_from_light(region: &ShadowRegion, key: &Vector3<f32>) -> Matrix4<f32> {
    let back = key.normalize();
    let right = Vector3::y().cross(&back).normalize();
    let up = back.cross(&right);
    let middle = Vector3::from(region.middle);
    let (wide, deep) = (1.0 / (0.75 * region.size), 1.0 / (1.5 * region.size));
    #[rustfmt::skip]
    let clip = Matrix4::new(
        right.x * wide, right.y * wide, right.z * wide, -right.dot(&middle) * wide,
        up.x * wide, up.y * wide, up.z * wide, -up.dot(&middle) * wide,
        -back.x * deep, -back.y * deep, -back.z * deep, back.dot(&middle) * deep,
        0.0, 0.0, 0.0, 1.0,
    );
    clip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_lies_inside_the_depth_map_and_nearer_parts_have_less_depth() {
        let region = ShadowRegion {
            center: [0.0; 3],
            size: 2.0,
            half_side: 3.0,
            middle: [0.0, 1.0, 0.0],
        };
        for yaw in [0.0, 1.3, -2.0] {
            let unit = ShadowMaps::unit_from_world(&region, yaw);
            for k in 0..40 {
                let t = k as f32;
                let p = Vector3::new(t.sin() * t.cos(), t.cos(), t.sin() * t.sin()) + Vector3::y();
                let q = unit.transform_point(&p.into());
                assert!(q.iter().all(|c| (0.0..=1.0).contains(c)), "{q}");
            }
            let key = light_from_world(yaw).transpose() * Vector3::from(KEY_DIRECTION);
            let lit = unit.transform_point(&(Vector3::y() + key * 0.5).into());
            let dark = unit.transform_point(&(Vector3::y() - key * 0.5).into());
            assert!(lit.z < dark.z);
        }
    }
}
