//! Finer triangles where they are too long for what happens on them; the surface itself stays exactly where it is.

use std::collections::BTreeMap;

use pliant_core::mesh::SurfaceMesh;

/// The most vertices that refinement may reach.
const VERTEX_LIMIT: usize = 400_000;
/// Rounds of halving; enough for a factor of a thousand.
const ROUNDS: usize = 10;

/// Halves edges longer than `longest` (m) until none is left or the surface has 400,000 vertices.
///
/// Vertices that were there keep their numbers, groups gain the midpoints between two of their vertices, and the result is as closed
/// and manifold as the input: both triangles at an edge see the same midpoint. Returns the number of vertices added.
pub fn split_long_edges(surface: &mut SurfaceMesh, longest: f64) -> usize {
    let before = surface.vertex_count();
    for _ in 0..ROUNDS {
        if surface.vertex_count() > VERTEX_LIMIT || split_once(surface, longest) == 0 {
            break;
        }
    }
    surface.vertex_count() - before
}

fn split_once(surface: &mut SurfaceMesh, longest: f64) -> usize {
    let mut midpoints: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let key = |a: u32, b: u32| (a.min(b), a.max(b));
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.triangles[t];
        for (p, q) in [(a, b), (b, c), (c, a)] {
            let (x, y) = (surface.positions[p as usize], surface.positions[q as usize]);
            if (x - y).norm() > longest && !midpoints.contains_key(&key(p, q)) {
                midpoints.insert(key(p, q), surface.positions.len() as u32);
                surface.positions.push((x + y) * 0.5);
            }
        }
    }
    for group in &mut surface.groups {
        let inside = |v: &u32| group.vertices.binary_search(v).is_ok();
        let new: Vec<u32> = midpoints
            .iter()
            .filter(|((a, b), _)| inside(a) && inside(b))
            .map(|(_, m)| *m)
            .collect();
        group.vertices.extend(new);
        group.vertices.sort_unstable();
    }
    let mut triangles = Vec::with_capacity(surface.triangles.len() + 2 * midpoints.len());
    for &[a, b, c] in &surface.triangles {
        let mid = |p, q| midpoints.get(&key(p, q)).copied();
        match (mid(a, b), mid(b, c), mid(c, a)) {
            (None, None, None) => triangles.push([a, b, c]),
            (Some(x), Some(y), Some(z)) => {
                triangles.extend([[a, x, z], [x, b, y], [z, y, c], [x, y, z]])
            }
            // one edge: two triangles
            (Some(x), None, None) => triangles.extend([[a, x, c], [x, b, c]]),
            (None, Some(y), None) => triangles.extend([[b, y, a], [y, c, a]]),
            (None, None, Some(z)) => triangles.extend([[c, z, b], [z, a, b]]),
            // two edges: the corner between them, and the rest cut along its shorter diagonal
            (Some(x), Some(y), None) => cut_two(surface, &mut triangles, [b, c, a], y, x),
            (None, Some(y), Some(z)) => cut_two(surface, &mut triangles, [c, a, b], z, y),
            (Some(x), None, Some(z)) => cut_two(surface, &mut triangles, [a, b, c], x, z),
        }
    }
    surface.triangles = triangles;
    midpoints.len()
}

/// Triangle `[corner, next, last]` with midpoints `m` of (corner, next) and `n` of (last, corner).
fn cut_two(
    surface: &SurfaceMesh,
    triangles: &mut Vec<[u32; 3]>,
    [corner, next, last]: [u32; 3],
    m: u32,
    n: u32,
) {
    triangles.push([corner, m, n]);
    let length =
        |p: u32, q: u32| (surface.positions[p as usize] - surface.positions[q as usize]).norm();
    if length(m, last) <= length(next, n) {
        triangles.extend([[m, next, last], [m, last, n]]);
    } else {
        triangles.extend([[m, next, n], [next, last, n]]);
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::VertexGroup;
    use pliant_core::mesh::procedural::CellStyle;
    use pliant_core::mesh::procedural::box_surface;
    use pliant_core::mesh::validate::topology;

    use super::*;

    #[test]
    fn a_slab_gets_short_edges_and_stays_itself() {
        let mut slab = box_surface(Vec3::new(1.0, 0.1, 0.7), [1, 1, 1], CellStyle::Kuhn);
        slab.groups.push(VertexGroup {
            name: "top".into(),
            vertices: (0..8)
                .filter(|&v| slab.positions[v as usize].y > 0.0)
                .collect(),
        });
        let corners = slab.positions.clone();
        let (area, volume) = (slab.area(), slab.volume());
        let added = split_long_edges(&mut slab, 0.11);
        assert_eq!(slab.vertex_count(), 8 + added);
        assert_eq!(&slab.positions[..8], &corners[..]);
        for t in 0..slab.triangles.len() {
            let [a, b, c] = slab.corners(t);
            assert!((a - b).norm().max((b - c).norm()).max((c - a).norm()) <= 0.11);
        }
        assert!((slab.area() / area - 1.0).abs() < 1e-12);
        assert!((slab.volume() / volume - 1.0).abs() < 1e-12);
        let t = topology(&slab);
        assert!(t.is_closed() && t.is_manifold() && t.is_oriented());
        let top = slab.group("top").expect("the group");
        assert!(top.iter().all(|&v| slab.positions[v as usize].y > 0.0) && top.len() > 50);
        assert_eq!(split_long_edges(&mut slab, 0.11), 0);
    }
}
