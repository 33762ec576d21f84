//! Everything that is uploaded for a skinned surface: vertices once, control points in every frame.

use std::collections::HashSet;

use pliant_core::mesh::{ControlPoints, SkinBinding, SurfaceMesh};
use pliant_render::surface::CreasedSurface;

use super::attribute::Attribute;
use super::batches::{self, Batches, CAPACITY};
use super::emulate::{SkinnedVertex, from_batch, from_texture};
use super::texture::{self, TextureVertex, WIDTH};
use super::{SkinChoice, SkinnedSurface};

/// A skin as the graphics card keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSkin {
    /// For each vertex its source in the creased skin.
    source: Vec<u32>,
    skinned: SkinnedSurface,
    layout: Layout,
}

/// Vertices in the form that their shader reads.
#[derive(Debug, Clone, PartialEq)]
enum Layout {
    Texture(Vec<TextureVertex>),
    Batches(Batches),
}

/// Triangles and edges that are drawn together: first and one past the last of each, and of the vertices they use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Part {
    /// Vertices.
    pub vertices: [usize; 2],
    /// Triangles.
    pub triangles: [usize; 2],
    /// Edges.
    pub edges: [usize; 2],
}

/// Control points of one frame in the form that a shader reads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointUpload {
    /// Origin of the control points, m.
    pub center: [f32; 3],
    /// Texels of three numbers in whole rows, or blocks of [`CAPACITY`] four-vectors, one a batch.
    pub numbers: Vec<f32>,
}

impl PreparedSkin {
    /// Prepares the creased skin of a body for a choice; [`SkinChoice::Processor`] is prepared as a texture, for [`Self::skinned`]. `None` when the
    /// binding does not belong to `surface` or is too large.
    pub fn new(
        surface: &SurfaceMesh,
        creased: &CreasedSurface,
        binding: &SkinBinding,
        choice: SkinChoice,
    ) -> Option<Self> {
        let skinned = SkinnedSurface::new(surface, creased, binding)?;
        Self::with_capacity(skinned, choice, CAPACITY)
    }

    /// The same for vertices and normals as models write them, without sharp edges.
    pub fn uncreased(
        surface: &SurfaceMesh,
        binding: &SkinBinding,
        choice: SkinChoice,
    ) -> Option<Self> {
        let skinned = SkinnedSurface::uncreased(surface, binding)?;
        Self::with_capacity(skinned, choice, CAPACITY)
    }

    /// Prepares a skinned surface. A batch has at most `capacity` control points.
    pub(super) fn with_capacity(
        skinned: SkinnedSurface,
        choice: SkinChoice,
        capacity: usize,
    ) -> Option<Self> {
        if skinned.used.len() > texture::MAX_POINTS {
            return None;
        }
        if !choice.is_batched() {
            return Some(Self {
                source: (0..skinned.vertex_count() as u32).collect(),
                layout: Layout::Texture(texture::vertices(&skinned)),
                skinned,
            });
        }
        let batches = Batches::new(&skinned, capacity);
        (batches.triangles.len() == skinned.triangles.len()).then(|| Self {
            source: batches.source.clone(),
            layout: Layout::Batches(batches),
            skinned,
        })
    }

    /// The batches, if there are any.
    pub fn batches(&self) -> Option<&Batches> {
        match &self.layout {
            Layout::Texture(_) => None,
            Layout::Batches(batches) => Some(batches),
        }
    }

    /// For each vertex its source in the creased skin.
    pub fn source(&self) -> &[u32] {
        &self.source
    }

    /// The control points of a frame that are needed.
    pub fn control_count(&self) -> usize {
        self.skinned.used.len()
    }

    /// Vertices as bytes, bytes of a vertex, and its attributes.
    pub fn vertices(&self) -> (&[u8], usize, &'static [Attribute]) {
        match &self.layout {
            Layout::Texture(all) => (
                bytemuck::cast_slice(all),
                size_of::<TextureVertex>(),
                &texture::ATTRIBUTES,
            ),
            Layout::Batches(all) => (
                bytemuck::cast_slice(&all.vertices),
                size_of::<batches::BatchVertex>(),
                &batches::ATTRIBUTES,
            ),
        }
    }

    /// Triangles, edges, and the parts in which they are drawn. An edge on the border of two batches is in one of them.
    pub fn connectivity(&self) -> (&[[u32; 3]], Vec<[u32; 2]>, Vec<Part>) {
        let triangles = match &self.layout {
            Layout::Texture(_) => &self.skinned.triangles,
            Layout::Batches(batches) => &batches.triangles,
        };
        let whole = [Part {
            vertices: [0, self.source.len()],
            triangles: [0, triangles.len()],
            ..Part::default()
        }];
        let mut parts: Vec<Part> = match &self.layout {
            Layout::Texture(_) => whole.to_vec(),
            Layout::Batches(all) => all
                .batches
                .iter()
                .map(|b| Part {
                    vertices: b.vertices,
                    triangles: b.triangles,
                    ..Part::default()
                })
                .collect(),
        };
        let (mut edges, mut seen) = (Vec::new(), HashSet::new());
        for part in &mut parts {
            let first = edges.len();
            for t in &triangles[part.triangles[0]..part.triangles[1]] {
                for mut edge in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
                    // ascending, as for uploaded skins: the pixels of a line depend on its direction
                    edge.sort_unstable_by_key(|&v| self.source[v as usize]);
                    if seen.insert(edge.map(|v| self.source[v as usize])) {
                        edges.push(edge);
                    }
                }
            }
            part.edges = [first, edges.len()];
        }
        (triangles, edges, parts)
    }

    /// Writes the upload of the control points of a frame; reuses memory. `None` when they are not those of the binding.
    pub fn upload(&self, points: &ControlPoints, out: &mut PointUpload) -> Option<()> {
        out.center = points.center.cast::<f32>().into();
        out.numbers.clear();
        let point = |p: &u32| points.offsets.get(*p as usize);
        match &self.layout {
            Layout::Texture(_) => {
                for p in &self.skinned.used {
                    out.numbers.extend_from_slice(point(p)?);
                }
                let rows = texture::rows(self.skinned.used.len());
                out.numbers.resize(3 * WIDTH * rows, 0.0);
            }
            Layout::Batches(all) => {
                for (k, batch) in all.batches.iter().enumerate() {
                    out.numbers.resize(4 * CAPACITY * k, 0.0);
                    for p in &batch.points {
                        let [x, y, z] = *point(self.skinned.used.get(*p as usize)?)?;
                        out.numbers.extend_from_slice(&[x, y, z, 0.0]);
                    }
                }
                out.numbers.resize(4 * CAPACITY * all.batches.len(), 0.0);
            }
        }
        Some(())
    }

    /// Vertex `vertex` as the shader computes it; zeros beyond the last one.
    pub fn skinned(&self, upload: &PointUpload, vertex: usize) -> SkinnedVertex {
        let skinned = match &self.layout {
            Layout::Texture(all) => {
                let texels = upload.numbers.as_chunks().0;
                let vertex = all.get(vertex);
                vertex.map(|vertex| from_texture(vertex, texels, upload.center))
            }
            Layout::Batches(all) => {
                let batch = all.batches.partition_point(|b| b.vertices[1] <= vertex);
                let blocks = upload.numbers.as_chunks().0;
                let block = blocks.get(batch * CAPACITY..(batch + 1) * CAPACITY);
                let vertex = all.vertices.get(vertex);
                vertex.map(|v| from_batch(v, block.unwrap_or_default(), upload.center))
            }
        };
        skinned.unwrap_or_default()
    }

    /// All vertices as the shader computes them.
    pub fn all_skinned(&self, upload: &PointUpload) -> Vec<SkinnedVertex> {
        (0..self.source.len())
            .map(|v| self.skinned(upload, v))
            .collect()
    }
}
