//! Normals at the corners of triangles: one a point where the surface is smooth, several where edges are sharp.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::Csr;
use pliant_core::mesh::validate::UnionFind;

/// Cosine of the angle between two triangles from which on their edge is sharp: 50 degrees.
const SHARP_EDGE: f64 = 0.643;

/// Indices of the normals at the corners of triangles, and the number of normals. The triangles around a point share a normal where no sharp edge
/// separates them.
pub(crate) fn corner_normals(surface: &SurfaceMesh, fans: &Csr) -> (Vec<[u32; 3]>, usize) {
    let normal: Vec<Vec3> = (0..surface.triangles.len())
        .map(|t| {
            surface
                .area_vector(t)
                .try_normalize(0.0)
                .unwrap_or_default()
        })
        .collect();
    let mut corners = vec![[0; 3]; surface.triangles.len()];
    let mut count = 0;
    for v in 0..surface.positions.len() {
        let fan = fans.row(v);
        // triangles of the fan, joined over edges at v
        let mut groups = UnionFind::new(fan.len());
        for i in 0..fan.len() {
            for j in 0..i {
                let (a, b) = (fan[i] as usize, fan[j] as usize);
                let shared = surface.triangles[a]
                    .iter()
                    .filter(|p| surface.triangles[b].contains(p))
                    .count();
                if shared > 1 && normal[a].dot(&normal[b]) > SHARP_EDGE {
                    groups.join(i as u32, j as u32);
                }
            }
        }
        let (groups, group_count) = groups.numbered();
        for (&t, group) in fan.iter().zip(groups) {
            for (corner, &p) in corners[t as usize]
                .iter_mut()
                .zip(&surface.triangles[t as usize])
            {
                if p as usize == v {
                    *corner = count as u32 + group;
                }
            }
        }
        count += group_count;
    }
    (corners, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::adjacency::vertex_triangles;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn a_cube_has_three_normals_at_a_corner_and_one_inside_a_face() {
        let skin = box_surface(Vec3::repeat(1.0), [2; 3], CellStyle::Kuhn);
        let fans = vertex_triangles(skin.vertex_count(), &skin.triangles);
        let (corners, count) = corner_normals(&skin, &fans);
        // 8 corners, 12 edge middles, 6 face middles
        assert_eq!(count, 8 * 3 + 12 * 2 + 6);
        let mut seen = vec![Vec3::zeros(); count];
        for (t, numbers) in corners.iter().enumerate() {
            let n = skin.area_vector(t).normalize();
            for &k in numbers {
                let known = &mut seen[k as usize];
                assert!(*known == Vec3::zeros() || (*known - n).norm() < 1e-12);
                *known = n;
            }
        }
        assert!(seen.iter().all(|n| n.norm() > 0.9));
    }
}
