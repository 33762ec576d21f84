//! What there is to be seen of a broken body: its skin in parts, caps, and what joins them.

use std::ops::Range;
use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};

use crate::asset::LatticeAsset;
use crate::fracture::skin::follower::Follower;

/// The closed surface of a broken body: vertices of the skin and its copies, corners of caps, copies of both, sharp ones.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    /// at rest
    pub surface: Arc<SurfaceMesh>,
    /// for each vertex beyond those of the skin the one that it is a copy of
    pub copied: Arc<Vec<u32>>,
    /// for each of the last vertices the one that it is
    pub sharp: Arc<Vec<u32>>,
    /// number of the first corner of a cap, and what each follows
    pub corners: (usize, Vec<Follower>),
    /// what each vertex beyond these is at the place of
    pub copies: Vec<u32>,
    /// triangles of the skin; others are of caps
    pub skin_triangles: usize,
}

impl Drawn {
    /// The corners of caps among the vertices.
    pub fn caps(&self) -> Range<usize> {
        let (first, corners) = &self.corners;
        *first..first + corners.len()
    }

    /// Completes a frame that has the vertices of the skin and its copies, for particles at `x` with rotations `q`.
    pub fn write(&self, asset: &LatticeAsset, x: &[Vec3], q: &[[f64; 4]], out: &mut SurfaceFrame) {
        let (first, corners) = &self.corners;
        for (k, corner) in corners.iter().enumerate() {
            let (place, _) = corner.place(asset, x, q);
            out.positions[first + k] = place.cast::<f32>().into();
        }
        let first = first + corners.len();
        for (k, &v) in self.copies.iter().enumerate() {
            out.positions[first + k] = out.positions[v as usize];
            out.normals[first + k] = out.normals[v as usize];
        }
        self.find_normals(out);
    }

    /// Normals of caps are means over their triangles, as they are now.
    fn find_normals(&self, out: &mut SurfaceFrame) {
        let caps = &self.surface.triangles[self.skin_triangles..];
        let position = |v: u32, of: &SurfaceFrame| of.position(v as usize);
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
            // a second time it is of unit length already
            let normal = sum.try_normalize(0.0).unwrap_or_default();
            out.normals[*v as usize] = normal.cast::<f32>().into();
        }
    }
}
