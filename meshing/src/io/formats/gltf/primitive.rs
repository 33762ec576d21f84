//! Meshes and their primitives (section 3.7).

use std::collections::BTreeMap;

use nalgebra::Matrix4;
use pliant_core::math::Vec3;

use super::extensions::compressed;
use super::json::Value;
use super::scene::Scene;
use crate::io::assembly::cells::Shape;
use crate::io::encoding::scalar::whole;
use crate::io::error::ReadError;

/// Meshes that are instantiated repeatedly may take this many bytes,
const MAX_PLACED_BYTES: usize = 24 << 20;
/// or this many per byte of the file.
const MAX_PLACED_BYTES_PER_BYTE: usize = 10;
/// What a vertex takes, and a corner of a triangle.
const VERTEX_BYTES: usize = 24;
const CORNER_BYTES: usize = 8;

impl Scene<'_> {
    /// Adds all triangles of a mesh; primitives that use the same positions share their vertices.
    pub fn mesh(&mut self, mesh: &Value<'_>, transform: &Matrix4<f64>) -> Result<(), ReadError> {
        // first vertex of each accessor
        let mut shared = BTreeMap::new();
        for primitive in mesh.list_of("primitives") {
            let mode = primitive.index_of("mode")?.unwrap_or(4);
            match mode {
                0 => self.cells.skip("point primitives", 1),
                1..=3 => self.cells.skip("line primitives", 1),
                4..=6 => self.primitive(primitive, mode, transform, &mut shared)?,
                _ => {
                    let what = format!("{mode} is not a primitive mode of glTF");
                    return Err(ReadError::syntax(primitive.place(), what));
                }
            }
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Value<'_>,
        mode: usize,
        transform: &Matrix4<f64>,
        shared: &mut BTreeMap<usize, usize>,
    ) -> Result<(), ReadError> {
        let document = self.document;
        let Some(position) = primitive.required("attributes")?.get("POSITION") else {
            self.cells.skip("primitives without positions", 1);
            return Ok(());
        };
        let accessor = document.element("accessors", position)?;
        let is_draco = primitive
            .get("extensions")
            .is_some_and(|e| e.get("KHR_draco_mesh_compression").is_some());
        if is_draco && accessor.get("bufferView").is_none() {
            return Err(compressed("Draco (KHR_draco_mesh_compression)"));
        }
        let number = position.index()?;
        let base = match shared.get(&number) {
            Some(&base) => base,
            None => {
                let base = self.vertices(accessor, transform)?;
                shared.insert(number, base);
                base
            }
        };
        let count = document.count(accessor)?;
        // each corner of a strip begins a triangle
        let corner = if mode == 4 {
            CORNER_BYTES
        } else {
            2 * CORNER_BYTES
        };
        let corners: Vec<u32> = match primitive.get("indices") {
            None => {
                self.reserve(primitive, count, corner)?;
                (base as u32..(base + count) as u32).collect()
            }
            Some(indices) => {
                let indices = document.element("accessors", indices)?;
                let length = document.count(indices)?;
                self.reserve(indices, length, corner)?;
                let mut corners = Vec::with_capacity(length);
                document.elements(indices, "SCALAR", |[value]: [f64; 1]| {
                    // a floating-point component type is refused here
                    let index = whole(value).unwrap_or(-1);
                    if !(0..count as i64).contains(&index) {
                        return Err(ReadError::IndexOutOfRange {
                            place: primitive.place(),
                            index,
                            vertices: count,
                        });
                    }
                    corners.push((base + index as usize) as u32);
                    Ok(())
                })?;
                corners
            }
        };
        let mirrored = transform.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
        self.triangles(&corners, mode, mirrored, primitive.at())
    }

    /// Vertices of an accessor where the node stands; returns the number of the first.
    fn vertices(
        &mut self,
        accessor: &Value<'_>,
        transform: &Matrix4<f64>,
    ) -> Result<usize, ReadError> {
        let count = self.document.count(accessor)?;
        self.reserve(accessor, count, VERTEX_BYTES)?;
        let base = self.cells.surface.vertex_count();
        let linear = transform.fixed_view::<3, 3>(0, 0);
        let shift = transform.fixed_view::<3, 1>(0, 3);
        let surface = &mut self.cells.surface;
        surface.reserve(count, 0);
        self.document.elements(accessor, "VEC3", |p: [f64; 3]| {
            surface.vertex(linear * Vec3::from(p) + shift, accessor.at())
        })?;
        Ok(base)
    }

    /// Refuses scenes that place their meshes so often that memory would run out; `each` is in bytes.
    fn reserve(&mut self, at: &Value<'_>, count: usize, each: usize) -> Result<(), ReadError> {
        self.placed_bytes = self.placed_bytes.saturating_add(count.saturating_mul(each));
        let size = self.document.size;
        if self.placed_bytes > MAX_PLACED_BYTES.max(size.saturating_mul(MAX_PLACED_BYTES_PER_BYTE))
        {
            let what = "bytes of vertices and corners in the scene";
            let claimed = self.placed_bytes as u64;
            return Err(ReadError::too_many(at.place(), what, claimed, size));
        }
        Ok(())
    }

    fn triangles(
        &mut self,
        corners: &[u32],
        mode: usize,
        mirrored: bool,
        at: usize,
    ) -> Result<(), ReadError> {
        let cells = &mut self.cells;
        let mut add = |[a, b, c]: [u32; 3]| {
            let triangle = if mirrored { [a, c, b] } else { [a, b, c] };
            cells.cell(Shape::Polygon, &triangle, at)
        };
        match (mode, corners) {
            (4, _) => {
                let triangles = corners.chunks_exact(3);
                let left = triangles.remainder().len();
                for t in triangles {
                    add([t[0], t[1], t[2]])?;
                }
                cells.skip("corners of a cut triangle", left);
            }
            (6, [center, rim @ ..]) => {
                for pair in rim.windows(2) {
                    add([*center, pair[0], pair[1]])?;
                }
            }
            // a strip whose first triangle counts as the second is mirrored
            (_, [first, ..]) if mirrored => {
                let mirrored_strip: Vec<u32> = std::iter::once(*first)
                    .chain(corners.iter().copied())
                    .collect();
                cells.cell(Shape::Strip, &mirrored_strip, at)?;
            }
            _ => cells.cell(Shape::Strip, corners, at)?,
        }
        Ok(())
    }
}
