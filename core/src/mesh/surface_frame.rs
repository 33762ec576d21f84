//! The deformed skin at one instant, for drawing, contact and recording.

use std::ops::Range;
use std::sync::Arc;

use crate::math::Vec3;
use crate::mesh::SurfaceMesh;
use crate::mesh::surface::SurfacePoint;

/// Deformed positions and unit normals, one per skin vertex, world coordinates, single precision.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceFrame {
    /// Positions, m.
    pub positions: Vec<[f32; 3]>,
    /// Unit outward normals.
    pub normals: Vec<[f32; 3]>,
    /// The surface to draw instead of the skin where a body was cut or has broken.
    pub cut: Option<Box<CutSurface>>,
}

/// A skin that was cut open. Its first vertices are those of the skin; copies along the cuts and vertices of caps follow; sharp vertices come last. A sharp vertex duplicates another one for a second normal. With the
/// duplicates merged, the surface is closed and manifold, and pieces that touch share no vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CutSurface {
    /// The cut skin at rest.
    pub surface: Arc<SurfaceMesh>,
    /// For each vertex after those of the skin the skin vertex that it copies, or [`CutSurface::CAP`].
    pub copied: Arc<Vec<u32>>,
    /// For each sharp vertex the vertex that it duplicates: skin and caps have normals and colours of their own where they meet.
    pub sharp: Arc<Vec<u32>>,
    /// Further vertices that tools touch: those along the cuts and of caps. In constraints their numbers follow those of the skin, in this order. A model that finds its contacts itself accepts no
    /// constraints on them.
    pub inside: Range<usize>,
    /// The deformed cut surface, whose `cut` is `None`; empty in the undeformed surface that a model keeps for [`CutSurface::update`].
    pub frame: SurfaceFrame,
}

impl CutSurface {
    /// Marks a vertex of a cap, which was inside the body.
    pub const CAP: u32 = u32::MAX;

    /// Gives the cut surface in `place`, which is created if necessary, everything of `undeformed` but the `frame`, which keeps its old contents and memory, and is still to be written.
    pub fn update<'a>(place: &'a mut Option<Box<Self>>, undeformed: &Self) -> &'a mut Self {
        let cut = place.get_or_insert_default();
        cut.surface.clone_from(&undeformed.surface);
        cut.copied.clone_from(&undeformed.copied);
        cut.sharp.clone_from(&undeformed.sharp);
        cut.inside.clone_from(&undeformed.inside);
        cut
    }

    /// The triangles of the closed surface, with sharp vertices merged.
    pub fn closed_triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let all = self.surface.triangles.iter();
        all.map(move |t| t.map(|v| self.closed_vertex(v as usize) as u32))
    }

    /// The vertex of the closed surface that vertex `v` is, or duplicates if it is sharp.
    pub fn closed_vertex(&self, v: usize) -> usize {
        match v.checked_sub(self.closed_vertices()) {
            Some(k) => self.sharp.get(k).map_or(v, |&same| same as usize),
            None => v,
        }
    }

    /// The closed surface at rest.
    pub fn closed(&self) -> SurfaceMesh {
        let positions = &self.surface.positions[..self.closed_vertices()];
        SurfaceMesh::new(positions.to_vec(), self.closed_triangles().collect())
    }

    /// Number of vertices of the closed surface, which are the first ones.
    pub fn closed_vertices(&self) -> usize {
        let all = self.surface.vertex_count();
        all.saturating_sub(self.sharp.len())
    }

    /// The skin vertex that vertex `v` of the cut surface is or copies; `None` for a vertex of a cap.
    pub fn skin_vertex(&self, v: usize) -> Option<usize> {
        let skin_count = self
            .surface
            .vertex_count()
            .saturating_sub(self.copied.len());
        match v.checked_sub(skin_count) {
            None => Some(v),
            Some(k) => {
                let source = *self.copied.get(k)?;
                (source != Self::CAP).then_some(source as usize)
            }
        }
    }
}

/// The vertices of one body in the frame of several bodies.
#[derive(Debug)]
pub struct SkinPart<'a> {
    /// Positions, m.
    pub positions: &'a mut [[f32; 3]],
    /// Unit outward normals, as many.
    pub normals: &'a mut [[f32; 3]],
}

impl<'a> SkinPart<'a> {
    /// The first `count` vertices and the others.
    ///
    /// # Panics
    /// Where there are fewer.
    pub fn split(self, count: usize) -> (Self, Self) {
        let (positions, other_positions) = self.positions.split_at_mut(count);
        let (normals, other_normals) = self.normals.split_at_mut(count);
        let first = Self { positions, normals };
        let others = Self {
            positions: other_positions,
            normals: other_normals,
        };
        (first, others)
    }

    /// Fills positions from `position(vertex)` of the skin `surface` and recomputes normals.
    pub fn set(mut self, surface: &SurfaceMesh, position: impl Fn(usize) -> Vec3) {
        for (v, x) in self.positions.iter_mut().enumerate() {
            *x = position(v).cast::<f32>().into();
        }
        self.recompute_normals(surface);
    }

    /// Copies positions and normals of a frame of the same skin.
    ///
    /// # Panics
    /// Where it has another number of vertices.
    pub fn copy_from(self, frame: &SurfaceFrame) {
        self.positions.copy_from_slice(&frame.positions);
        self.normals.copy_from_slice(&frame.normals);
    }

    /// Area-weighted unit normals from the present positions.
    fn recompute_normals(&mut self, surface: &SurfaceMesh) {
        self.normals.fill([0.0; 3]);
        for triangle in &surface.triangles {
            let [a, b, c] =
                triangle.map(|v| nalgebra::Vector3::<f32>::from(self.positions[v as usize]));
            let n = (b - a).cross(&(c - a));
            for &v in triangle {
                let normal = &mut self.normals[v as usize];
                for axis in 0..3 {
                    normal[axis] += n[axis];
                }
            }
        }
        for normal in self.normals.iter_mut() {
            let v = nalgebra::Vector3::<f32>::from(*normal);
            let length = v.norm();
            if length > 0.0 {
                *normal = (v / length).into();
            }
        }
    }
}

impl SurfaceFrame {
    /// The undeformed skin.
    pub fn at_rest(surface: &SurfaceMesh) -> Self {
        let mut frame = Self::default();
        frame.set(surface, |v| surface.positions[v]);
        frame
    }

    /// Fills positions from `position(vertex)` and recomputes normals; reuses memory. Removes the cut surface.
    pub fn set(&mut self, surface: &SurfaceMesh, position: impl Fn(usize) -> Vec3) {
        self.cut = None;
        self.room_for(surface.vertex_count()).set(surface, position);
    }

    /// Resizes the frame to `vertices` vertices, which are to be filled; reuses memory. Keeps the cut surface.
    pub fn room_for(&mut self, vertices: usize) -> SkinPart<'_> {
        self.positions.resize(vertices, [0.0; 3]);
        self.normals.resize(vertices, [0.0; 3]);
        SkinPart {
            positions: &mut self.positions,
            normals: &mut self.normals,
        }
    }

    /// Position of vertex `v` in double precision, m.
    pub fn position(&self, v: usize) -> Vec3 {
        nalgebra::Vector3::<f32>::from(self.positions[v]).cast()
    }

    /// Unit normal of vertex `v` in double precision.
    pub fn normal(&self, v: usize) -> Vec3 {
        nalgebra::Vector3::<f32>::from(self.normals[v]).cast()
    }

    /// Number of vertices that tools may touch: those of the skin, and then those of [`CutSurface::inside`].
    pub fn touchable_count(&self) -> usize {
        let inside = self.cut.as_ref().map_or(0, |cut| cut.inside.len());
        self.positions.len() + inside
    }

    /// Position (m) and unit normal of a vertex that tools may touch.
    pub fn touchable(&self, v: usize) -> (Vec3, Vec3) {
        match (v.checked_sub(self.positions.len()), &self.cut) {
            (Some(k), Some(cut)) => {
                let v = cut.inside.start + k;
                (cut.frame.position(v), cut.frame.normal(v))
            }
            _ => (self.position(v), self.normal(v)),
        }
    }

    /// Deformed position of a surface point, m.
    pub fn point(&self, surface: &SurfaceMesh, at: &SurfacePoint) -> Vec3 {
        surface.triangles[at.triangle as usize]
            .iter()
            .zip(at.weights)
            .map(|(&v, w)| self.position(v as usize) * w)
            .sum()
    }
}
