//! The deformed skin at one instant, as drawing, contact and recording see it.

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
    /// What there is to be seen instead where a body has broken.
    pub cut: Option<Box<CutSurface>>,
}

/// A skin that has been cut open: its first vertices are those of the skin, then come copies along the cuts, and caps.
#[derive(Debug, Clone, PartialEq)]
pub struct CutSurface {
    /// The cut skin at rest.
    pub surface: Arc<SurfaceMesh>,
    /// For each vertex beyond those of the skin the skin vertex that it is a copy of, or [`CutSurface::CAP`].
    pub copied: Arc<Vec<u32>>,
    /// The same now; it has no cuts of its own.
    pub frame: SurfaceFrame,
}

impl CutSurface {
    /// Stands for a vertex of a cap, which was inside of the body.
    pub const CAP: u32 = u32::MAX;

    /// The skin vertex that vertex `v` of the cut surface shows; `None` for a cap.
    pub fn skin_vertex(&self, v: usize) -> Option<usize> {
        let whole = self
            .surface
            .vertex_count()
            .saturating_sub(self.copied.len());
        match v.checked_sub(whole) {
            None => Some(v),
            Some(k) => {
                let source = *self.copied.get(k)?;
                (source != Self::CAP).then_some(source as usize)
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

    /// Fills positions from `position(vertex)` and recomputes normals; reuses memory. There are no cuts afterwards.
    pub fn set(&mut self, surface: &SurfaceMesh, position: impl Fn(usize) -> Vec3) {
        self.cut = None;
        self.positions.clear();
        self.positions.extend(
            (0..surface.vertex_count()).map(|v| <[f32; 3]>::from(position(v).cast::<f32>())),
        );
        self.recompute_normals(surface);
    }

    /// Area-weighted unit normals from the present positions.
    pub fn recompute_normals(&mut self, surface: &SurfaceMesh) {
        self.normals.clear();
        self.normals.resize(surface.vertex_count(), [0.0; 3]);
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
        for normal in &mut self.normals {
            let v = nalgebra::Vector3::<f32>::from(*normal);
            let length = v.norm();
            if length > 0.0 {
                *normal = (v / length).into();
            }
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

    /// Deformed position of a surface point, m.
    pub fn point(&self, surface: &SurfaceMesh, at: &SurfacePoint) -> Vec3 {
        surface.triangles[at.triangle as usize]
            .iter()
            .zip(at.weights)
            .map(|(&v, w)| self.position(v as usize) * w)
            .sum()
    }
}
