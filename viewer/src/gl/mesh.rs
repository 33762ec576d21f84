//! Triangles and lines on the device.

// Calls into the graphics driver, and plain-data structs that bytemuck views as bytes.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};

use crate::gl::program::{GlError, refused};

/// A vertex as the device keeps it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct DrawVertex {
    /// Position, m.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
    /// Colour (sRGB code values), and the share of the ambient light that reaches the vertex, 0 to 255.
    pub color: [u8; 4],
}

/// Numbers of vertices on the device: triangles, and edges for the wireframe.
pub struct Indices {
    triangles: glow::Buffer,
    edges: glow::Buffer,
    triangle_count: usize,
    edge_count: usize,
}

impl Indices {
    /// Uploads vertex triples and pairs.
    pub fn new(
        gl: &glow::Context,
        triangles: &[[u32; 3]],
        edges: &[[u32; 2]],
    ) -> Result<Self, GlError> {
        // SAFETY: the buffers belong to this context; no vertex array is bound that could keep the binding
        unsafe {
            gl.bind_vertex_array(None);
            let upload = |bytes: &[u8]| -> Result<glow::Buffer, GlError> {
                let buffer = gl.create_buffer().map_err(refused("a buffer"))?;
                gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer));
                gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
                gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, None);
                Ok(buffer)
            };
            Ok(Self {
                triangles: upload(bytemuck::cast_slice(triangles))?,
                edges: upload(bytemuck::cast_slice(edges))?,
                triangle_count: triangles.len(),
                edge_count: edges.len(),
            })
        }
    }

    /// Draws triangles `range` (first and one past the last) of the bound vertex array with the current program.
    pub fn draw_triangles(&self, gl: &glow::Context, range: [usize; 2]) {
        self.draw(gl, self.triangles, glow::TRIANGLES, range.map(|n| 3 * n));
    }

    /// Draws edges `range` (first and one past the last) of the bound vertex array with the current program.
    pub fn draw_edges(&self, gl: &glow::Context, range: [usize; 2]) {
        self.draw(gl, self.edges, glow::LINES, range.map(|n| 2 * n));
    }

    fn draw(&self, gl: &glow::Context, elements: glow::Buffer, mode: u32, range: [usize; 2]) {
        let [from, to] = range.map(|n| n as i32);
        if to > from {
            // SAFETY: the caller has bound the vertices that these numbers belong to, and the range is one of this list
            unsafe {
                gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(elements));
                gl.draw_elements(mode, to - from, glow::UNSIGNED_INT, 4 * from);
            }
        }
    }

    /// Deletes the buffers on the device.
    pub fn delete(&self, gl: &glow::Context) {
        // SAFETY: both belong to this context and are not used again
        unsafe {
            gl.delete_buffer(self.triangles);
            gl.delete_buffer(self.edges);
        }
    }
}

/// Vertices on the device, rewritten whenever the skin moves.
pub struct Vertices {
    array: glow::VertexArray,
    buffer: glow::Buffer,
    count: usize,
}

impl Vertices {
    /// An empty list.
    pub fn new(gl: &glow::Context) -> Result<Self, GlError> {
        let stride = size_of::<DrawVertex>() as i32;
        // SAFETY: both objects belong to this context; the layout is that of `DrawVertex`
        unsafe {
            let array = gl
                .create_vertex_array()
                .map_err(refused("a vertex array"))?;
            let buffer = gl.create_buffer().map_err(refused("a buffer"))?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            for (slot, size, kind, normalized, offset) in [
                (0, 3, glow::FLOAT, false, 0),
                (1, 3, glow::FLOAT, false, 12),
                (2, 4, glow::UNSIGNED_BYTE, true, 24),
            ] {
                gl.enable_vertex_attrib_array(slot);
                gl.vertex_attrib_pointer_f32(slot, size, kind, normalized, stride, offset);
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            Ok(Self {
                array,
                buffer,
                count: 0,
            })
        }
    }

    /// Replaces all vertices.
    pub fn upload(&mut self, gl: &glow::Context, vertices: &[DrawVertex]) {
        self.count = vertices.len();
        // SAFETY: the buffer belongs to this context
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffer));
            let bytes = bytemuck::cast_slice(vertices);
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STREAM_DRAW);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
    }

    /// Number of vertices.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Draws triangles with the current program.
    pub fn draw_triangles(&self, gl: &glow::Context, indices: &Indices) {
        let all = [0, indices.triangle_count];
        self.draw(gl, || indices.draw_triangles(gl, all));
    }

    /// Draws edges with the current program.
    pub fn draw_edges(&self, gl: &glow::Context, indices: &Indices) {
        self.draw(gl, || indices.draw_edges(gl, [0, indices.edge_count]));
    }

    fn draw(&self, gl: &glow::Context, draw: impl FnOnce()) {
        if self.count == 0 {
            return;
        }
        // SAFETY: the renderer draws only when vertices and indices come from the same scene
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            draw();
            gl.bind_vertex_array(None);
        }
    }

    /// Deletes all objects on the device.
    pub fn delete(&self, gl: &glow::Context) {
        // SAFETY: both belong to this context and are not used again
        unsafe {
            gl.delete_vertex_array(self.array);
            gl.delete_buffer(self.buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_have_no_gaps() {
        assert_eq!(size_of::<DrawVertex>(), 28);
    }
}
