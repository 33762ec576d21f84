//! Fewer triangles over the same vertices, for pictures that move where the processor draws.
//!
//! Vertices of a cell of a grid that face the same way become the one nearest to their middle (vertex clustering, Rossignac and Borrel 1993). Places and normals
//! stay those of the whole skin, so that a bent body needs no second skin.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_render::surface::CreasedSurface;

/// Triangles that a moving picture of one body may have; with so few, triangles of a pane are still smaller than ten pixels.
const MOST_TRIANGLES: usize = 6_000;
/// Triangles of a closed surface whose vertices were clustered, over the cells of a grid that fit into its area, on a rocker arm, a bunny and a figure.
const TRIANGLES_OF_CELL: f64 = 3.0;

/// Triples of vertices of `drawn`, about [`MOST_TRIANGLES`], or `None` where it has no more than four thirds of that. `skin` is what it was made from, at rest. Cost O(n log n).
pub(crate) fn fewer_triangles(drawn: &CreasedSurface, skin: &SurfaceMesh) -> Option<Vec<[u32; 3]>> {
    if drawn.triangles.len() <= MOST_TRIANGLES + MOST_TRIANGLES / 3 {
        return None;
    }
    let cell = (TRIANGLES_OF_CELL * skin.area() / MOST_TRIANGLES as f64).sqrt();
    if !(cell.is_finite() && cell > 0.0) {
        return None;
    }
    let normals = skin.vertex_normals();
    let chosen = representatives(&skin.positions, &normals, cell);
    let splits = splits_of(drawn, skin.vertex_count());
    let whole: Vec<[f32; 3]> = skin
        .positions
        .iter()
        .map(|x| x.cast::<f32>().into())
        .collect();
    let normal_of: Vec<[f32; 3]> = drawn.normals(&drawn.positions(&whole));
    let target = |v: u32| {
        let own = normal_of[v as usize];
        let along = |w: &u32| {
            let other = normal_of[*w as usize];
            own[0] * other[0] + own[1] * other[1] + own[2] * other[2]
        };
        let to = chosen[drawn.source[v as usize] as usize];
        let candidates = splits.get(&to).map_or(&[][..], Vec::as_slice);
        candidates
            .iter()
            .copied()
            .max_by(|a, b| along(a).total_cmp(&along(b)))
            .unwrap_or(v)
    };
    let mut kept: Vec<[u32; 3]> = drawn
        .triangles
        .iter()
        .filter(|t| {
            let [a, b, c] = t.map(|v| chosen[drawn.source[v as usize] as usize]);
            a != b && b != c && c != a
        })
        .map(|t| t.map(target))
        .map(smallest_first)
        .collect();
    kept.sort_unstable();
    kept.dedup();
    Some(kept)
}

/// The same triangle, its smallest vertex first.
fn smallest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// For each vertex the one that stands for all in its cell of side `cell` (m) with the same direction.
fn representatives(positions: &[Vec3], normals: &[Vec3], cell: f64) -> Vec<u32> {
    let mut clusters: BTreeMap<([i64; 3], usize), Vec<u32>> = BTreeMap::new();
    for (v, (x, n)) in positions.iter().zip(normals).enumerate() {
        let place = [x.x, x.y, x.z].map(|c| (c / cell).floor() as i64);
        let axis = n.iamax();
        let direction = 2 * axis + usize::from(n[axis] < 0.0);
        clusters
            .entry((place, direction))
            .or_default()
            .push(v as u32);
    }
    let mut chosen: Vec<u32> = (0..positions.len() as u32).collect();
    for members in clusters.values() {
        let sum: Vec3 = members.iter().map(|&v| positions[v as usize]).sum();
        let middle = sum / members.len() as f64;
        let away = |v: &u32| (positions[*v as usize] - middle).norm_squared();
        let nearest = members
            .iter()
            .copied()
            .min_by(|a, b| away(a).total_cmp(&away(b)));
        for &v in members {
            chosen[v as usize] = nearest.unwrap_or(v);
        }
    }
    chosen
}

/// The vertices to draw of each vertex of the skin that has some.
fn splits_of(drawn: &CreasedSurface, count: usize) -> BTreeMap<u32, Vec<u32>> {
    let mut splits: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (v, &source) in drawn.source.iter().enumerate() {
        if (source as usize) < count {
            splits.entry(source).or_default().push(v as u32);
        }
    }
    splits
}

#[cfg(test)]
mod tests {
    use pliant_core::mesh::procedural::{CellStyle, box_surface, icosphere};
    use pliant_render::surface::SHARP_ANGLE;

    use super::*;

    /// Twice the area vector of all triangles, which is zero for a closed surface.
    fn area_vector(drawn: &CreasedSurface, skin: &SurfaceMesh, triangles: &[[u32; 3]]) -> Vec3 {
        let at = |v: u32| skin.positions[drawn.source[v as usize] as usize];
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(at);
            (b - a).cross(&(c - a))
        });
        areas.sum()
    }

    #[test]
    fn a_fine_ball_has_about_as_many_triangles_as_asked_for_and_stays_closed() {
        let skin = icosphere(1.0, 6);
        let drawn = CreasedSurface::new(&skin, SHARP_ANGLE);
        let fewer = fewer_triangles(&drawn, &skin).expect("it has 81,920 triangles");
        let share = fewer.len() as f64 / MOST_TRIANGLES as f64;
        assert!((0.6..1.4).contains(&share), "{share}");
        assert!(area_vector(&drawn, &skin, &fewer).norm() < 1e-9);
    }

    #[test]
    fn faces_of_a_box_keep_their_own_normals() {
        let skin = box_surface(Vec3::repeat(1.0), [60, 60, 60], CellStyle::Kuhn);
        let drawn = CreasedSurface::new(&skin, SHARP_ANGLE);
        let fewer = fewer_triangles(&drawn, &skin).expect("it has 43,200 triangles");
        let places: Vec<[f32; 3]> = skin
            .positions
            .iter()
            .map(|x| x.cast::<f32>().into())
            .collect();
        let normals = drawn.normals(&drawn.positions(&places));
        assert!(area_vector(&drawn, &skin, &fewer).norm() < 1e-9);
        let on_faces = fewer.iter().filter(|t| {
            let [a, b, c] =
                t.map(|v| Vec3::from(places[drawn.source[v as usize] as usize].map(f64::from)));
            let outward = (b - a).cross(&(c - a)).normalize();
            t.iter()
                .all(|&v| Vec3::from(normals[v as usize].map(f64::from)).dot(&outward) > 0.99)
        });
        let share = on_faces.count() as f64 / fewer.len() as f64;
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn a_coarse_skin_is_drawn_as_it_is() {
        let skin = icosphere(1.0, 3);
        let drawn = CreasedSurface::new(&skin, SHARP_ANGLE);
        assert_eq!(fewer_triangles(&drawn, &skin), None);
    }
}
