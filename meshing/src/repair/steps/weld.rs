//! Joining vertices that are the same point.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;
use rayon::slice::ParallelSliceMut;

/// For each vertex the first vertex at exactly the same position (minus zero equals zero). Cost O(n log n).
pub(crate) fn equal_positions(positions: &[Vec3]) -> Vec<u32> {
    let mut keys: Vec<([u64; 3], u32)> = positions
        .iter()
        .enumerate()
        .map(|(v, p)| ([p.x, p.y, p.z].map(|x| (x + 0.0).to_bits()), v as u32))
        .collect();
    keys.par_sort_unstable();
    let mut first = vec![0; positions.len()];
    for group in keys.chunk_by(|a, b| a.0 == b.0) {
        for (_, v) in group {
            first[*v as usize] = group[0].1;
        }
    }
    first
}

/// For each vertex the first of those that a chain of steps of at most `tolerance` between `candidates` reaches.
///
/// Gives up (`None`) when the candidates are so dense that more than 50 million pairs would have to be compared.
pub(crate) fn near_positions(
    positions: &[Vec3],
    candidates: &[u32],
    tolerance: f64,
    progress: &Progress,
) -> Result<Option<Vec<u32>>, Cancelled> {
    let cell_of = |v: u32| {
        let p = positions[v as usize] / tolerance;
        [p.x, p.y, p.z].map(|x| x.floor() as i64)
    };
    let mut cells: Vec<([i64; 3], u32)> = candidates.iter().map(|&v| (cell_of(v), v)).collect();
    cells.sort_unstable();
    let mut sets = UnionFind::new(positions.len());
    let mut compared_pairs = 0_u64;
    for (k, &([x, y, z], v)) in cells.iter().enumerate() {
        if k % 4096 == 0 {
            progress.check()?;
        }
        for dx in -1..=1 {
            for dy in -1..=1 {
                let from = [x + dx, y + dy, z - 1];
                let start = cells.partition_point(|(c, _)| *c < from);
                for &(c, w) in &cells[start..] {
                    if c > [x + dx, y + dy, z + 1] {
                        break;
                    }
                    compared_pairs += 1;
                    let gap = positions[v as usize] - positions[w as usize];
                    if w > v && gap.norm() <= tolerance {
                        sets.join(v, w);
                    }
                }
            }
        }
        if compared_pairs > 50_000_000 {
            return Ok(None);
        }
    }
    Ok(Some(
        (0..positions.len() as u32).map(|v| sets.find(v)).collect(),
    ))
}

/// Redirects every vertex to its representative and drops the others; order is kept. Returns how many were dropped.
pub(crate) fn merge(surface: &mut SurfaceMesh, representative: &[u32]) -> usize {
    let keep: Vec<bool> = representative
        .iter()
        .enumerate()
        .map(|(v, &r)| r == v as u32)
        .collect();
    for triangle in &mut surface.triangles {
        *triangle = triangle.map(|v| representative[v as usize]);
    }
    for group in &mut surface.groups {
        for v in &mut group.vertices {
            *v = representative[*v as usize];
        }
    }
    drop_vertices(surface, &keep)
}

/// Drops vertices that no triangle uses; order is kept. Returns how many.
pub(crate) fn drop_unreferenced(surface: &mut SurfaceMesh) -> usize {
    let used = used_vertices(surface);
    drop_vertices(surface, &used)
}

/// Whether each vertex belongs to a triangle.
pub(crate) fn used_vertices(surface: &SurfaceMesh) -> Vec<bool> {
    let mut used = vec![false; surface.vertex_count()];
    for &v in surface.triangles.iter().flatten() {
        used[v as usize] = true;
    }
    used
}

fn drop_vertices(surface: &mut SurfaceMesh, keep: &[bool]) -> usize {
    let mut next = 0;
    let renumbered: Vec<u32> = keep
        .iter()
        .map(|&k| {
            next += u32::from(k);
            next.wrapping_sub(1)
        })
        .collect();
    let before = surface.vertex_count();
    if next as usize == before {
        return 0;
    }
    let mut kept = keep.iter();
    surface
        .positions
        .retain(|_| kept.next().copied().unwrap_or(false));
    for v in surface.triangles.iter_mut().flatten() {
        *v = renumbered[*v as usize];
    }
    for group in &mut surface.groups {
        group.vertices.retain(|&v| keep[v as usize]);
        for v in &mut group.vertices {
            *v = renumbered[*v as usize];
        }
        group.vertices.sort_unstable();
        group.vertices.dedup();
    }
    before - surface.vertex_count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_vertices_join_across_cell_borders_and_far_ones_do_not() {
        let positions: Vec<Vec3> = [0.0, 0.99, 1.01, 3.5, -0.2]
            .iter()
            .map(|&x| Vec3::new(x, 0.0, 1e-9))
            .collect();
        let all: Vec<u32> = (0..5).collect();
        let found = near_positions(&positions, &all, 0.5, &Progress::new()).expect("not cancelled");
        assert_eq!(found, Some(vec![0, 1, 1, 3, 0]));
        assert_eq!(
            equal_positions(&[Vec3::zeros(), Vec3::x(), -Vec3::zeros()]),
            [0, 1, 0]
        );
    }
}
