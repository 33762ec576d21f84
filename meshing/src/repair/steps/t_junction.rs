//! Closing cracks where a vertex of one side lies in the middle of an edge of the other.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use super::edges::{by_edge, open_sides, sides};

/// Cuts triangles at vertices of open edges that lie within `tolerance` of the inside of one of their own open edges.
/// Returns the number of vertices inserted; nothing changes where that would not leave fewer open edges and no new forks.
pub(crate) fn insert_in_edges(
    surface: &mut SurfaceMesh,
    tolerance: f64,
    progress: &Progress,
) -> Result<usize, Cancelled> {
    let mut trial = surface.clone();
    let mut inserted = 0;
    // each pass cuts a triangle at one of its edges
    for _ in 0..8 {
        progress.check()?;
        let added = one_pass(&mut trial, tolerance);
        inserted += added;
        if added == 0 {
            break;
        }
    }
    let (open_before, forks_before) = count_faults(surface);
    let (open, forks) = count_faults(&trial);
    if inserted == 0 || open >= open_before || forks > forks_before {
        return Ok(0);
    }
    *surface = trial;
    Ok(inserted)
}

/// Numbers of open edges and of edges with three and more triangles.
fn count_faults(surface: &SurfaceMesh) -> (usize, usize) {
    let all = sides(&surface.triangles);
    by_edge(&all).fold((0, 0), |(open, forks), edge| match edge.len() {
        1 => (open + 1, forks),
        2 => (open, forks),
        _ => (open, forks + 1),
    })
}

fn one_pass(surface: &mut SurfaceMesh, tolerance: f64) -> usize {
    let open = open_sides(&sides(&surface.triangles));
    let rim = sorted_set(open.iter().flat_map(|s| [s.low, s.high]));
    let segments: Vec<[u32; 3]> = open.iter().map(|s| [s.low, s.high, s.high]).collect();
    let tree = TriangleTree::new(&surface.positions, &segments);
    // (triangle, open edge, share of the way from its start, vertex)
    let mut hits: Vec<(u32, u32, f64, u32)> = Vec::new();
    for &v in &rim {
        let p = surface.positions[v as usize];
        tree.overlapping(&Aabb::of_points([&p]).inflated(tolerance), |e| {
            let side = open[e as usize];
            let (from, to) = if side.forward {
                (side.low, side.high)
            } else {
                (side.high, side.low)
            };
            let start = surface.positions[from as usize];
            let along = surface.positions[to as usize] - start;
            let share = (p - start).dot(&along) / along.norm_squared();
            let distance = share * along.norm();
            let inside = distance > tolerance && along.norm() - distance > tolerance;
            let own = surface.triangles[side.triangle as usize].contains(&v);
            if inside && !own && (start + along * share - p).norm() <= tolerance {
                hits.push((side.triangle, e, share, v));
            }
        });
    }
    hits.sort_by(|a, b| {
        (a.0, a.1)
            .cmp(&(b.0, b.1))
            .then(a.2.total_cmp(&b.2))
            .then(a.3.cmp(&b.3))
    });
    let mut cut = Vec::with_capacity(surface.triangles.len() + hits.len());
    let mut next = hits.as_slice();
    let mut inserted = 0;
    for (t, &triangle) in surface.triangles.iter().enumerate() {
        let own_count = next.partition_point(|h| h.0 as usize <= t);
        let (own_hits, other_hits) = next.split_at(own_count);
        next = other_hits;
        let Some(&(_, edge, ..)) = own_hits.first() else {
            cut.push(triangle);
            continue;
        };
        let side = open[edge as usize];
        let from = if side.forward { side.low } else { side.high };
        let at = triangle.iter().position(|&v| v == from).unwrap_or(0);
        let [mut a, b, c] = [0, 1, 2].map(|k| triangle[(at + k) % 3]);
        for &(.., v) in own_hits.iter().take_while(|h| h.1 == edge) {
            cut.push([a, v, c]);
            a = v;
            inserted += 1;
        }
        cut.push([a, b, c]);
    }
    surface.triangles = cut;
    inserted
}
