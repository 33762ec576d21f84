//! Long edges of the input are split before anything else: the map between a surface and its base needs vertices everywhere.

use pliant_core::mesh::SurfaceMesh;

use super::planar::flip_planar;
use crate::remeshing::refine::split_once;

/// Rounds of splitting; each halves the longest edges.
const ROUNDS: usize = 12;

/// The same shape, its flat parts triangulated anew, with no edge longer than `max_edge`, unless there would be more than `max_triangles` triangles. A new vertex is in a group when both ends of its edge are.
pub(crate) fn refined(surface: &SurfaceMesh, max_edge: f64, max_triangles: usize) -> SurfaceMesh {
    let mut fine = surface.clone();
    for _ in 0..ROUNDS {
        flip_planar(&mut fine);
        if split_once(
            &mut fine,
            max_triangles,
            |_, length| length > max_edge,
            f64::lt,
        ) == 0
        {
            break;
        }
    }
    fine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{add_group, vertices_where};
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::validate::topology;

    #[test]
    fn a_long_box_gets_short_edges_and_keeps_its_shape() {
        let mut bar = box_surface(Vec3::new(4.0, 0.3, 0.7), [1; 3], CellStyle::Kuhn);
        let is_end = |x: &Vec3| x.x > 1.99;
        add_group(&mut bar, "end", is_end);
        let fine = refined(&bar, 0.2, 100_000);
        let shape = topology(&fine);
        assert!(shape.is_sound());
        assert_eq!(shape.genus(), Some(0));
        assert!((fine.volume() / bar.volume() - 1.0).abs() < 1e-12);
        for t in 0..fine.triangles.len() {
            let [a, b, c] = fine.corners(t);
            assert!((b - a).norm().max((c - b).norm()).max((a - c).norm()) <= 0.2);
            assert!(fine.area_vector(t).norm() > 1e-6);
        }
        assert_eq!(fine.group("end"), Some(&vertices_where(&fine, is_end)[..]));
        let bounded = refined(&bar, 0.01, 2000);
        assert!(bounded.triangles.len() <= 2000 && topology(&bounded).is_closed());
    }
}
