//! Long edges of the input are split before anything else: the map between a surface and its base needs vertices everywhere.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::VertexGroup;

use super::planar::flip_planar;
use crate::remeshing::subdivide::EdgeTable;

/// Rounds of splitting; each halves the longest edges.
const ROUNDS: usize = 12;

/// The same shape, its flat parts triangulated anew, with no edge longer than `longest`, unless there would be more than `most` triangles. A new vertex is in a group when both ends of its edge are.
pub(crate) fn refined(surface: &SurfaceMesh, longest: f64, most: usize) -> SurfaceMesh {
    let mut fine = surface.clone();
    for _ in 0..ROUNDS {
        flip_planar(&mut fine);
        let table = EdgeTable::new(fine.vertex_count(), &fine.triangles);
        let mut middle = vec![None; table.len()];
        let mut count = 0;
        for (e, &[a, b]) in table.ends.iter().enumerate() {
            let (p, q) = (fine.positions[a as usize], fine.positions[b as usize]);
            if (q - p).norm() > longest {
                middle[e] = Some(fine.positions.len() as u32);
                fine.positions.push((p + q) * 0.5);
                count += 1;
            }
        }
        if count == 0 || fine.triangles.len() + 2 * count > most {
            fine.positions.truncate(fine.positions.len() - count);
            break;
        }
        for group in &mut fine.groups {
            grow(group, &table, &middle);
        }
        let mut triangles = Vec::with_capacity(fine.triangles.len() + 2 * count);
        for (triangle, edges) in fine.triangles.iter().zip(&table.of_face) {
            let middles = edges.map(|e| middle[e as usize]);
            split(&fine, *triangle, middles, &mut triangles);
        }
        fine.triangles = triangles;
    }
    fine
}

fn grow(group: &mut VertexGroup, table: &EdgeTable, middle: &[Option<u32>]) {
    let member = |v: &u32| group.vertices.binary_search(v).is_ok();
    let new: Vec<u32> = (table.ends.iter().zip(middle))
        .filter(|(ends, _)| ends.iter().all(&member))
        .filter_map(|(_, m)| *m)
        .collect();
    group.vertices.extend(new);
}

/// Splits a triangle at the middles of its edges ab, bc, ca, as far as they have one.
fn split(
    surface: &SurfaceMesh,
    [a, b, c]: [u32; 3],
    middles: [Option<u32>; 3],
    out: &mut Vec<[u32; 3]>,
) {
    let distance =
        |v: u32, w: u32| (surface.positions[v as usize] - surface.positions[w as usize]).norm();
    match middles {
        [None, None, None] => out.push([a, b, c]),
        [Some(m), None, None] => out.extend([[a, m, c], [m, b, c]]),
        [None, Some(m), None] => out.extend([[b, m, a], [m, c, a]]),
        [None, None, Some(m)] => out.extend([[c, m, b], [m, a, b]]),
        [Some(ab), Some(bc), Some(ca)] => {
            out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        // rotated so that the edges at `tip` are split, `m` before it and `n` after it
        [Some(m), Some(n), None] => cut_tip(distance, [b, c, a], m, n, out),
        [None, Some(m), Some(n)] => cut_tip(distance, [c, a, b], m, n, out),
        [Some(n), None, Some(m)] => cut_tip(distance, [a, b, c], m, n, out),
    }
}

fn cut_tip(
    distance: impl Fn(u32, u32) -> f64,
    [tip, next, last]: [u32; 3],
    m: u32,
    n: u32,
    out: &mut Vec<[u32; 3]>,
) {
    out.push([tip, n, m]);
    // the quadrilateral n, next, last, m
    if distance(n, last) < distance(next, m) {
        out.extend([[n, next, last], [n, last, m]]);
    } else {
        out.extend([[n, next, m], [next, last, m]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::CellStyle;
    use pliant_core::mesh::procedural::box_surface;
    use pliant_core::mesh::validate::topology;

    #[test]
    fn a_long_box_gets_short_edges_and_keeps_its_shape() {
        let mut bar = box_surface(Vec3::new(4.0, 0.3, 0.7), [1; 3], CellStyle::Kuhn);
        let end = |s: f64, x: &SurfaceMesh| -> Vec<u32> {
            (0..x.vertex_count() as u32)
                .filter(|&v| x.positions[v as usize].x * s > 1.99)
                .collect()
        };
        let vertices = end(1.0, &bar);
        bar.groups.push(VertexGroup {
            name: "end".into(),
            vertices,
        });
        let fine = refined(&bar, 0.2, 100_000);
        let shape = topology(&fine);
        assert!(shape.is_closed() && shape.is_manifold() && shape.is_oriented());
        assert_eq!(shape.genus(), Some(0));
        assert!((fine.volume() / bar.volume() - 1.0).abs() < 1e-12);
        for t in 0..fine.triangles.len() {
            let [a, b, c] = fine.corners(t);
            assert!((b - a).norm().max((c - b).norm()).max((a - c).norm()) <= 0.2);
            assert!(fine.area_vector(t).norm() > 1e-6);
        }
        assert_eq!(fine.group("end"), Some(&end(1.0, &fine)[..]));
        let bounded = refined(&bar, 0.01, 2000);
        assert!(bounded.triangles.len() <= 2000 && topology(&bounded).is_closed());
    }
}
