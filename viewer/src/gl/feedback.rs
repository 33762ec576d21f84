//! The vertices of a skin as a vertex shader computes them, read back by transform feedback.

// Calls into the graphics driver; handles come from the same context and slices carry their own length.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};

use crate::gl::program::{GlError, Program, refused};
use crate::gl::skinned_vertices::{Primitives, SkinnedVertices};
use crate::skin::emulate::SkinnedVertex;

/// Numbers that are captured for each vertex.
const NUMBERS: usize = 6;

/// Runs all `count` vertices of a skin through its shader and reads places and normals back. Slow: it waits for the device.
///
/// # Errors
/// [`GlError`] when the driver has no transform feedback, although OpenGL 3.3 requires it.
pub fn skinned(
    gl: &glow::Context,
    skin: &SkinnedVertices,
    count: usize,
) -> Result<Vec<SkinnedVertex>, GlError> {
    let vertex = format!(
        "{}{}",
        skin.source().skinning(),
        include_str!("shaders/skinning/feedback.vert")
    );
    let fragment = include_str!("shaders/skinning/feedback.frag");
    let captured = ["skinned_position", "skinned_normal"];
    let program = Program::new(gl, "the shader of feedback", &vertex, fragment, &captured)?;
    let mut numbers = vec![0.0_f32; NUMBERS * count];
    // SAFETY: the buffer is made here and is as large as what is captured and read
    unsafe {
        let buffer = gl.create_buffer().map_err(refused("a buffer"))?;
        let target = glow::TRANSFORM_FEEDBACK_BUFFER;
        gl.bind_buffer_base(target, 0, Some(buffer));
        gl.buffer_data_size(target, (4 * numbers.len()) as i32, glow::STREAM_READ);
        gl.enable(glow::RASTERIZER_DISCARD);
        let bound = program.bind(gl);
        gl.begin_transform_feedback(glow::POINTS);
        skin.draw(gl, bound, Primitives::Vertices);
        gl.end_transform_feedback();
        gl.disable(glow::RASTERIZER_DISCARD);
        gl.finish();
        gl.get_buffer_sub_data(target, 0, bytemuck::cast_slice_mut(&mut numbers));
        gl.bind_buffer_base(target, 0, None);
        gl.delete_buffer(buffer);
    }
    program.delete(gl);
    let each = numbers.as_chunks::<NUMBERS>().0;
    Ok(each
        .iter()
        .map(|&[x, y, z, i, j, k]| SkinnedVertex {
            place: [x, y, z],
            normal: [i, j, k],
        })
        .collect())
}
