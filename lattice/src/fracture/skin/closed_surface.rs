//! The drawn surface of a broken body: its cut skin, caps, and the seams between them.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::surface_frame::CutSurface;

use crate::asset::LatticeAsset;
use crate::fracture::skin::vertex_binding::VertexBinding;

/// The closed surface of a broken body. Vertices: those of the skin and their copies, corners of caps, copies of both at seams, sharp vertices.
#[derive(Debug, Clone)]
pub(crate) struct ClosedSurface {
    /// its vertices inside are the corners of caps
    pub undeformed: CutSurface,
    pub cap_corners: Vec<VertexBinding>,
    /// for each vertex beyond the corners of caps the one at the same position
    pub copies: Vec<u32>,
    /// number of triangles of the skin; the others belong to caps
    pub skin_triangles: usize,
}

impl ClosedSurface {
    /// Adds caps and seams to a frame that has the vertices of the skin and their copies, for particles at `x` with rotations `q`.
    pub fn write(&self, asset: &LatticeAsset, x: &[Vec3], q: &[[f64; 4]], out: &mut SurfaceFrame) {
        let caps = self.undeformed.inside.clone();
        let first = caps.end;
        for (v, corner) in caps.zip(&self.cap_corners) {
            let (place, _) = corner.position_and_normal(asset, x, q);
            out.positions[v] = place.cast::<f32>().into();
        }
        for (k, &v) in self.copies.iter().enumerate() {
            out.positions[first + k] = out.positions[v as usize];
            out.normals[first + k] = out.normals[v as usize];
        }
        self.compute_cap_normals(out);
    }

    /// Computes the normals of caps as means over their deformed triangles.
    fn compute_cap_normals(&self, out: &mut SurfaceFrame) {
        let caps = &self.undeformed.surface.triangles[self.skin_triangles..];
        let position = |v: u32, frame: &SurfaceFrame| frame.position(v as usize);
        for v in caps.as_flattened() {
            out.normals[*v as usize] = [0.0; 3];
        }
        for triangle in caps {
            let [a, b, c] = triangle.map(|v| position(v, out));
            let area = (b - a).cross(&(c - a));
            for v in triangle {
                let sum = out.normal(*v as usize) + area;
                out.normals[*v as usize] = sum.cast::<f32>().into();
            }
        }
        for v in caps.as_flattened() {
            let sum = out.normal(*v as usize);
            // at the second visit of a vertex it is of unit length already
            let normal = sum.try_normalize(0.0).unwrap_or_default();
            out.normals[*v as usize] = normal.cast::<f32>().into();
        }
    }
}
