//! Separating parts of a closed surface that touch in a vertex or an edge.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

use super::edges::{Side, by_edge, sides};

/// Gives every fan of triangles around a vertex its own vertex, so that pinches disappear; new vertices come last.
/// At edges with four and more triangles, pairs have the inside of the body between them.
///
/// The surface must be closed and oriented patch by patch. Nothing changes where some edge cannot be paired.
/// Returns the number of vertices added.
pub(crate) fn split_fans(surface: &mut SurfaceMesh) -> usize {
    let all = sides(&surface.triangles);
    let mut corners = UnionFind::new(surface.triangles.len() * 3);
    let slot = |t: u32, v: u32| {
        let triangle = surface.triangles[t as usize];
        3 * t + triangle.iter().position(|&w| w == v).unwrap_or(0) as u32
    };
    for edge in by_edge(&all) {
        let Some(pairs) = pair_by_inside(surface, edge) else {
            return 0;
        };
        for [s, t] in pairs {
            for v in [edge[0].low, edge[0].high] {
                corners.join(slot(s, v), slot(t, v));
            }
        }
    }
    let mut fan_of_vertex: Vec<Option<u32>> = vec![None; surface.vertex_count()];
    // vertex of each further fan, by its representative corner
    let mut vertex_of_fan: Vec<Option<u32>> = vec![None; surface.triangles.len() * 3];
    let before = surface.vertex_count();
    let mut copies: Vec<(u32, u32)> = Vec::new();
    for t in 0..surface.triangles.len() {
        for s in 0..3 {
            let v = surface.triangles[t][s];
            let fan = corners.find((3 * t + s) as u32);
            let first = *fan_of_vertex[v as usize].get_or_insert(fan);
            if first == fan {
                continue;
            }
            let new = *vertex_of_fan[fan as usize].get_or_insert_with(|| {
                let new = surface.positions.len() as u32;
                surface.positions.push(surface.positions[v as usize]);
                copies.push((v, new));
                new
            });
            surface.triangles[t][s] = new;
        }
    }
    for group in &mut surface.groups {
        let members = group.vertices.clone();
        let of_group = |(v, _): &&(u32, u32)| members.binary_search(v).is_ok();
        group
            .vertices
            .extend(copies.iter().filter(of_group).map(|(_, new)| new));
    }
    surface.vertex_count() - before
}

/// Pairs of triangles at an edge with the body's inside between them; `None` where they do not alternate.
fn pair_by_inside(surface: &SurfaceMesh, edge: &[Side]) -> Option<Vec<[u32; 2]>> {
    if let [a, b] = edge {
        return Some(vec![[a.triangle, b.triangle]]);
    }
    let (low, high) = (edge[0].low, edge[0].high);
    let origin = surface.positions[low as usize];
    let axis = (surface.positions[high as usize] - origin).try_normalize(0.0)?;
    let off_axis = |side: &Side| -> Option<Vec3> {
        let triangle = surface.triangles[side.triangle as usize];
        let third = triangle.iter().find(|&&v| v != low && v != high)?;
        let offset = surface.positions[*third as usize] - origin;
        Some(offset - axis * offset.dot(&axis))
    };
    let reference = off_axis(&edge[0])?.try_normalize(0.0)?;
    let perpendicular = axis.cross(&reference);
    let mut around = Vec::with_capacity(edge.len());
    for side in edge {
        let offset = off_axis(side)?;
        let angle = offset.dot(&perpendicular).atan2(offset.dot(&reference));
        around.push((angle, side.forward, side.triangle));
    }
    // triangles at equal angles may be ordered either way: the order that makes them alternate is taken
    [false, true]
        .into_iter()
        .find_map(|forward_first| alternating_pairs(around.clone(), forward_first))
}

/// Pairs of a backward and the next forward triangle by angle (radians), if they alternate.
fn alternating_pairs(
    mut around: Vec<(f64, bool, u32)>,
    forward_first: bool,
) -> Option<Vec<[u32; 2]>> {
    around.sort_by(|a, b| {
        a.0.total_cmp(&b.0)
            .then((a.1 != forward_first).cmp(&(b.1 != forward_first)))
            .then(a.2.cmp(&b.2))
    });
    // seen along the edge, a triangle that runs forward has its inside at smaller angles
    let start = around.iter().position(|(_, forward, _)| !forward)?;
    around.rotate_left(start);
    for k in 1..around.len().saturating_sub(1) {
        let expected = k % 2 == 1;
        let same = (around[k + 1].0 - around[k].0).abs() < 1e-9;
        if around[k].1 != expected && around[k + 1].1 == expected && same {
            around.swap(k, k + 1);
        }
    }
    around
        .chunks(2)
        .map(|pair| match pair {
            [(_, false, a), (_, true, b)] => Some([*a, *b]),
            _ => None,
        })
        .collect()
}
