//! A skin on the device, whose vertices the shader computes from control points.

// Calls into the graphics driver; handles come from the same context and slices carry their own length.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};

use crate::gl::mesh::Indices;
use crate::gl::program::{BATCH_BINDING, Bound, GlError, refused};
use crate::gl::programs::VertexSource;
use crate::gl::target::texture;
use crate::skin::attribute::Kind;
use crate::skin::batches::CAPACITY;
use crate::skin::prepared::Part;
use crate::skin::texture::{WIDTH, rows};
use crate::skin::{PointUpload, PreparedSkin};

/// Bytes of a uniform block.
const BLOCK_BYTES: usize = 16 * CAPACITY;
/// Texture unit of the control points; unit 0 is the shadow's.
const POINTS_UNIT: u32 = 1;
/// Attribute location of the colour, as for uploaded vertices.
const COLOR_SLOT: u32 = 2;

/// What is drawn of a skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitives {
    /// Its triangles.
    Triangles,
    /// Their edges.
    Edges,
    /// Its vertices, each once in the order of the buffer.
    Vertices,
}

/// Constant vertices, and control points that change.
pub struct SkinnedVertices {
    array: glow::VertexArray,
    vertices: glow::Buffer,
    colors: glow::Buffer,
    indices: Indices,
    parts: Vec<Part>,
    points: Points,
    center: [f32; 3],
    /// whether control points and colours have been uploaded
    ready: [bool; 2],
}

enum Points {
    Texture { texture: glow::Texture, rows: usize },
    Blocks(glow::Buffer),
}

impl SkinnedVertices {
    /// Uploads the constant part.
    pub fn new(gl: &glow::Context, skin: &PreparedSkin) -> Result<Self, GlError> {
        let (bytes, stride, attributes) = skin.vertices();
        let (triangles, edges, parts) = skin.connectivity();
        let indices = Indices::new(gl, triangles, &edges)?;
        // SAFETY: all objects are made here by this context; the layout is that of the vertices
        unsafe {
            let array = gl
                .create_vertex_array()
                .map_err(refused("a vertex array"))?;
            let vertices = gl.create_buffer().map_err(refused("a buffer"))?;
            let colors = gl.create_buffer().map_err(refused("a buffer"))?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(vertices));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
            for a in attributes {
                let (slot, count) = (a.slot, a.count as i32);
                let (stride, offset) = (stride as i32, a.offset as i32);
                gl.enable_vertex_attrib_array(slot);
                let integer = match a.kind {
                    Kind::Float => {
                        let float = glow::FLOAT;
                        gl.vertex_attrib_pointer_f32(slot, count, float, false, stride, offset);
                        continue;
                    }
                    Kind::Long => glow::UNSIGNED_INT,
                    Kind::Short => glow::UNSIGNED_SHORT,
                };
                gl.vertex_attrib_pointer_i32(slot, count, integer, stride, offset);
            }
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(colors));
            gl.enable_vertex_attrib_array(COLOR_SLOT);
            gl.vertex_attrib_pointer_f32(COLOR_SLOT, 4, glow::UNSIGNED_BYTE, true, 4, 0);
            gl.bind_vertex_array(None);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
            let points = match skin.batches() {
                Some(_) => Points::Blocks(gl.create_buffer().map_err(refused("a buffer"))?),
                None => {
                    let rows = rows(skin.control_count());
                    let size = [WIDTH as i32, rows as i32];
                    let format = [glow::RGB32F, glow::RGB, glow::FLOAT];
                    Points::Texture {
                        texture: texture(gl, size, glow::NEAREST, format)?,
                        rows,
                    }
                }
            };
            Ok(Self {
                array,
                vertices,
                colors,
                indices,
                parts,
                points,
                center: [0.0; 3],
                ready: [false; 2],
            })
        }
    }

    /// Where its vertices come from, which decides which programs draw it.
    pub fn source(&self) -> VertexSource {
        match self.points {
            Points::Texture { .. } => VertexSource::Texture,
            Points::Blocks(_) => VertexSource::Batch,
        }
    }

    /// Uploads control points. Those of another skin are ignored.
    pub fn upload_points(&mut self, gl: &glow::Context, upload: &PointUpload) {
        let bytes: &[u8] = bytemuck::cast_slice(&upload.numbers);
        // SAFETY: the objects belong to this context; the lengths are checked
        unsafe {
            match self.points {
                Points::Texture { texture, rows } if bytes.len() == 12 * WIDTH * rows => {
                    gl.bind_texture(glow::TEXTURE_2D, Some(texture));
                    gl.tex_sub_image_2d(
                        glow::TEXTURE_2D,
                        0,
                        0,
                        0,
                        WIDTH as i32,
                        rows as i32,
                        glow::RGB,
                        glow::FLOAT,
                        glow::PixelUnpackData::Slice(Some(bytes)),
                    );
                    gl.bind_texture(glow::TEXTURE_2D, None);
                }
                Points::Blocks(buffer) if bytes.len() == BLOCK_BYTES * self.parts.len() => {
                    gl.bind_buffer(glow::UNIFORM_BUFFER, Some(buffer));
                    gl.buffer_data_u8_slice(glow::UNIFORM_BUFFER, bytes, glow::STREAM_DRAW);
                    gl.bind_buffer(glow::UNIFORM_BUFFER, None);
                }
                _ => return,
            }
        }
        self.center = upload.center;
        self.ready[0] = true;
    }

    /// Uploads the colours of all vertices.
    pub fn upload_colors(&mut self, gl: &glow::Context, colors: &[[u8; 4]]) {
        if self
            .parts
            .last()
            .is_none_or(|p| p.vertices[1] != colors.len())
        {
            return;
        }
        // SAFETY: the buffer belongs to this context
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.colors));
            let bytes = bytemuck::cast_slice(colors);
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STREAM_DRAW);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
        self.ready[1] = true;
    }

    /// Whether there is something to draw.
    pub fn is_ready(&self) -> bool {
        self.ready == [true; 2]
    }

    /// Draws with the current program, one of [`Self::source`].
    pub fn draw(&self, gl: &glow::Context, program: Bound<'_>, primitives: Primitives) {
        if !self.is_ready() {
            return;
        }
        let program = program.vector3("points_center", self.center);
        if let Points::Texture { texture, .. } = self.points {
            program.texture("control_points", POINTS_UNIT, texture);
        }
        // SAFETY: vertices, indices and control points come from the same skin; each block lies inside the buffer
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            for (k, part) in self.parts.iter().enumerate() {
                if let Points::Blocks(buffer) = self.points {
                    let (from, size) = ((k * BLOCK_BYTES) as i32, BLOCK_BYTES as i32);
                    let target = glow::UNIFORM_BUFFER;
                    gl.bind_buffer_range(target, BATCH_BINDING, Some(buffer), from, size);
                }
                match primitives {
                    Primitives::Triangles => self.indices.draw_triangles(gl, part.triangles),
                    Primitives::Edges => self.indices.draw_edges(gl, part.edges),
                    Primitives::Vertices => {
                        let [from, to] = part.vertices.map(|v| v as i32);
                        gl.draw_arrays(glow::POINTS, from, to - from);
                    }
                }
            }
            gl.bind_vertex_array(None);
            gl.bind_buffer_base(glow::UNIFORM_BUFFER, BATCH_BINDING, None);
        }
    }

    /// Deletes all objects on the device.
    pub fn delete(&self, gl: &glow::Context) {
        self.indices.delete(gl);
        // SAFETY: all belong to this context and are not used again
        unsafe {
            gl.delete_vertex_array(self.array);
            gl.delete_buffer(self.vertices);
            gl.delete_buffer(self.colors);
            match self.points {
                Points::Texture { texture, .. } => gl.delete_texture(texture),
                Points::Blocks(buffer) => gl.delete_buffer(buffer),
            }
        }
    }
}
