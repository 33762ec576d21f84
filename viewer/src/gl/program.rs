//! Shader programs: their sources (in `shaders`), the header with the GLSL version of the context, uniforms by name.

// Calls into the graphics driver; handles come from the same context and slices carry their own length.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};
use nalgebra::{Matrix3, Matrix4};

/// The driver refused an object, so that nothing can be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the graphics driver refused {what}: {reason}")]
pub struct GlError {
    what: &'static str,
    /// the first line of the driver's message
    reason: String,
}

/// Binding point of a batch's uniform block.
pub const BATCH_BINDING: u32 = 0;

/// Turns the driver's refusal into an error.
pub fn refused(what: &'static str) -> impl Fn(String) -> GlError {
    move |reason| GlError {
        what,
        reason: reason
            .lines()
            .next()
            .unwrap_or("no reason given")
            .to_string(),
    }
}

/// Vertex and fragment shader, linked.
pub struct Program {
    handle: glow::Program,
}

impl Program {
    /// Compiles and links; `name` is for error messages. The outputs `captured` of the vertex shader are captured, one after the other.
    pub fn new(
        gl: &glow::Context,
        name: &'static str,
        vertex: &str,
        fragment: &str,
        captured: &[&str],
    ) -> Result<Self, GlError> {
        let head = if gl.version().is_embedded {
            "#version 300 es\nprecision highp float;\nprecision highp int;\n"
        } else {
            "#version 330 core\n"
        };
        let sources = [
            (glow::VERTEX_SHADER, format!("{head}{vertex}")),
            (
                glow::FRAGMENT_SHADER,
                format!("{head}{}{fragment}", pliant_render::lighting::shade::GLSL),
            ),
        ];
        // SAFETY: every handle below was made by this context
        unsafe {
            let handle = gl.create_program().map_err(refused(name))?;
            for (kind, source) in sources {
                let shader = gl.create_shader(kind).map_err(refused(name))?;
                gl.shader_source(shader, &source);
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    return Err(refused(name)(gl.get_shader_info_log(shader)));
                }
                gl.attach_shader(handle, shader);
                gl.delete_shader(shader);
            }
            if !captured.is_empty() {
                gl.transform_feedback_varyings(handle, captured, glow::INTERLEAVED_ATTRIBS);
            }
            gl.link_program(handle);
            if !gl.get_program_link_status(handle) {
                return Err(refused(name)(gl.get_program_info_log(handle)));
            }
            // the only uniform block
            if let Some(block) = gl.get_uniform_block_index(handle, "Batch") {
                gl.uniform_block_binding(handle, block, BATCH_BINDING);
            }
            Ok(Self { handle })
        }
    }

    /// Makes the program the current one and returns it for setting uniforms.
    pub fn bind<'a>(&'a self, gl: &'a glow::Context) -> Bound<'a> {
        // SAFETY: the program is linked
        unsafe { gl.use_program(Some(self.handle)) };
        Bound {
            gl,
            handle: self.handle,
        }
    }

    /// Deletes the program on the device.
    pub fn delete(&self, gl: &glow::Context) {
        // SAFETY: the program belongs to this context and is not used again
        unsafe { gl.delete_program(self.handle) };
    }
}

/// The current program. Uniforms that the linker dropped are ignored.
pub struct Bound<'a> {
    gl: &'a glow::Context,
    handle: glow::Program,
}

impl Bound<'_> {
    fn location(&self, name: &str) -> Option<glow::UniformLocation> {
        // SAFETY: the program is linked
        unsafe { self.gl.get_uniform_location(self.handle, name) }
    }

    /// Sets a matrix.
    pub fn matrix4(self, name: &str, value: &Matrix4<f32>) -> Self {
        let (gl, at) = (self.gl, self.location(name));
        // SAFETY: the program is bound; the slice has 16 numbers
        unsafe { gl.uniform_matrix_4_f32_slice(at.as_ref(), false, value.as_slice()) };
        self
    }

    /// Sets a matrix.
    pub fn matrix3(self, name: &str, value: &Matrix3<f32>) -> Self {
        let (gl, at) = (self.gl, self.location(name));
        // SAFETY: the program is bound; the slice has 9 numbers
        unsafe { gl.uniform_matrix_3_f32_slice(at.as_ref(), false, value.as_slice()) };
        self
    }

    /// Sets a vector.
    pub fn vector3(self, name: &str, value: [f32; 3]) -> Self {
        let at = self.location(name);
        // SAFETY: the program is bound
        unsafe { self.gl.uniform_3_f32_slice(at.as_ref(), &value) };
        self
    }

    /// Sets a vector.
    pub fn vector4(self, name: &str, value: [f32; 4]) -> Self {
        let at = self.location(name);
        // SAFETY: the program is bound
        unsafe { self.gl.uniform_4_f32_slice(at.as_ref(), &value) };
        self
    }

    /// Sets a number.
    pub fn number(self, name: &str, value: f32) -> Self {
        // SAFETY: the program is bound
        unsafe { self.gl.uniform_1_f32(self.location(name).as_ref(), value) };
        self
    }

    /// Lets a sampler read a texture from unit `unit`.
    pub fn texture(self, name: &str, unit: u32, texture: glow::Texture) -> Self {
        // SAFETY: the program is bound and the texture belongs to this context
        unsafe {
            self.gl.active_texture(glow::TEXTURE0 + unit);
            self.gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            self.gl.active_texture(glow::TEXTURE0);
            self.gl
                .uniform_1_i32(self.location(name).as_ref(), unit as i32);
        }
        self
    }
}
