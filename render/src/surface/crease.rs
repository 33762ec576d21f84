//! Sharp edges: a skin whose vertices are split where its faces meet at an angle, so that boxes look like boxes.
//!
//! Bodies have one normal per vertex, which smooths the shading across the edges of a box. Here the triangles around a vertex are
//! grouped by the sharp edges at rest, and each group gets its own normal. Pictures and the window draw this.

use nalgebra::Vector3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

/// Angle between face normals above which an edge looks sharp, rad: 50 degrees keeps coarse round bodies round.
pub const SHARP_ANGLE: f64 = 50.0 * std::f64::consts::PI / 180.0;

/// A skin prepared for drawing.
///
/// ```
/// use pliant_core::math::Vec3;
/// use pliant_core::mesh::procedural::{CellStyle, box_surface};
/// use pliant_render::surface::{CreasedSurface, SHARP_ANGLE};
/// let cube = box_surface(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn);
/// // each of the 8 corners belongs to 3 faces
/// assert_eq!(CreasedSurface::new(&cube, SHARP_ANGLE).source.len(), 24);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CreasedSurface {
    /// For each vertex to draw the vertex of the skin that it follows.
    pub source: Vec<u32>,
    /// Triples of vertices to draw, in the order of the skin's triangles; triangles with a vertex number out of range
    /// are left out.
    pub triangles: Vec<[u32; 3]>,
}

impl CreasedSurface {
    /// Splits the vertices of `surface` along edges whose faces' normals differ at rest by more than `sharp_angle` (rad).
    /// Cost O(n log n), once for a skin.
    pub fn new(surface: &SurfaceMesh, sharp_angle: f64) -> Self {
        let count = surface.vertex_count();
        let inside = |t: &&[u32; 3]| t.iter().all(|&v| (v as usize) < count);
        let triangles: Vec<[u32; 3]> = surface.triangles.iter().filter(inside).copied().collect();
        let normals: Vec<_> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| surface.positions[v as usize]);
                (b - a)
                    .cross(&(c - a))
                    .try_normalize(0.0)
                    .unwrap_or_default()
            })
            .collect();
        // (low vertex, high vertex, corner at low, corner at high); corner = 3 * triangle + slot
        let mut edges: Vec<[u32; 4]> = Vec::with_capacity(3 * triangles.len());
        for (k, t) in triangles.iter().enumerate() {
            for slot in 0..3 {
                let (i, j) = (slot, (slot + 1) % 3);
                let corner = |s: usize| (3 * k + s) as u32;
                edges.push(if t[i] < t[j] {
                    [t[i], t[j], corner(i), corner(j)]
                } else {
                    [t[j], t[i], corner(j), corner(i)]
                });
            }
        }
        edges.sort_unstable();
        let limit = sharp_angle.cos();
        let mut groups = UnionFind::new(3 * triangles.len());
        for pair in edges.windows(2) {
            let ([a, b, low, high], [c, d, other_low, other_high]) = (pair[0], pair[1]);
            let (first, second) = (normals[low as usize / 3], normals[other_low as usize / 3]);
            // a triangle without area has no normal
            let flat = first.norm_squared() == 0.0 || second.norm_squared() == 0.0;
            if (a, b) == (c, d) && (flat || first.dot(&second) >= limit) {
                groups.join(low, other_low);
                groups.join(high, other_high);
            }
        }
        let mut result = Self::default();
        let mut vertex_of_group = vec![u32::MAX; 3 * triangles.len()];
        for (k, t) in triangles.iter().enumerate() {
            let mut split = [0; 3];
            for (slot, new) in split.iter_mut().enumerate() {
                let entry = &mut vertex_of_group[groups.find((3 * k + slot) as u32) as usize];
                if *entry == u32::MAX {
                    *entry = result.source.len() as u32;
                    result.source.push(t[slot]);
                }
                *new = *entry;
            }
            result.triangles.push(split);
        }
        result
    }

    /// Positions of the vertices to draw, m, from those of the skin; the origin for vertices that are not there.
    pub fn positions(&self, skin: &[[f32; 3]]) -> Vec<[f32; 3]> {
        self.source
            .iter()
            .map(|&v| skin.get(v as usize).copied().unwrap_or_default())
            .collect()
    }

    /// Unit normals of the vertices to draw, weighted by area, from [`Self::positions`] of the current frame; zero where
    /// all triangles around a vertex have no area.
    pub fn normals(&self, positions: &[[f32; 3]]) -> Vec<[f32; 3]> {
        let at = |v: u32| Vector3::from(positions.get(v as usize).copied().unwrap_or_default());
        let mut sums = vec![Vector3::<f32>::zeros(); self.source.len()];
        for t in &self.triangles {
            let [a, b, c] = t.map(at);
            let normal = (b - a).cross(&(c - a));
            for &v in t {
                sums[v as usize] += normal;
            }
        }
        sums.iter()
            .map(|n| n.try_normalize(0.0).unwrap_or_default().into())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::GlyphMesh;
    use pliant_core::contact::{Pose, ToolShape};
    use pliant_core::math::Vec3;
    use pliant_core::mesh::SurfaceFrame;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn the_faces_of_a_box_get_their_own_exact_normals() {
        let mesh = box_surface(Vec3::new(0.4, 0.2, 0.3), [4, 2, 3], CellStyle::Alternating);
        let split = CreasedSurface::new(&mesh, SHARP_ANGLE);
        let positions = split.positions(&SurfaceFrame::at_rest(&mesh).positions);
        for n in split.normals(&positions) {
            let largest = n.iter().fold(0.0_f32, |m, c| m.max(c.abs()));
            assert!((largest - 1.0).abs() < 1e-6, "{n:?}");
        }
        assert_eq!(split.triangles.len(), mesh.triangles.len());
        for (new, old) in split.triangles.iter().zip(&mesh.triangles) {
            assert_eq!(new.map(|v| split.source[v as usize]), *old);
        }
    }

    #[test]
    fn a_round_body_is_not_split_and_keeps_the_normals_of_its_frame() {
        let capsule = ToolShape::Capsule {
            radius: 0.4,
            half_length: 0.5,
        };
        let mesh = GlyphMesh::of_tool(&capsule, &Pose::at(Vec3::zeros()), 1.0).surface();
        let frame = SurfaceFrame::at_rest(&mesh);
        let split = CreasedSurface::new(&mesh, SHARP_ANGLE);
        assert_eq!(split.source.len(), mesh.vertex_count());
        let normals = split.normals(&split.positions(&frame.positions));
        for (v, n) in split.source.iter().zip(&normals) {
            let expected = Vector3::from(frame.normals[*v as usize]);
            assert!((Vector3::from(*n) - expected).norm() < 1e-5, "vertex {v}");
        }
    }
}
