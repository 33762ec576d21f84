//! Whether a point is outside of a surface at the place that is nearest to it.
//!
//! The normal of one triangle does not tell it where that place is on an edge or at a corner: a point in front of the rim of a thin part is behind the triangles of one
//! of its sides. The sum of the normals of all triangles that meet there, each weighted by its angle there (the angle-weighted pseudonormal), does
//! (Bærentzen and Aanæs 2005).

use std::f64::consts::{PI, TAU};

use pliant_core::math::Vec3;

use crate::surface::contact_shape::ContactShape;
use crate::surface::deformed::DeformedSurface;
use crate::surface::triangle_fan::{FanBlock, LANES};

/// A corner of a triangle has no part in a place where its weight is at most this: the place is on the edge across or at another corner.
const ON_EDGE: f64 = 1e-9;

impl DeformedSurface {
    /// Whether `x` is outside, by those triangles around the contact point `center` whose squared distance (m²) from it is at most `squared`, that of the nearest ones.
    pub(super) fn is_outside(
        &self,
        shape: &ContactShape,
        center: usize,
        x: &Vec3,
        squared: f64,
    ) -> bool {
        let from = shape.fans.start(center);
        let ring = &shape.ring[from..from + shape.fans.row(center).len()];
        let (mut normal, mut place) = (Vec3::zeros(), None);
        for part in ring.chunks(LANES) {
            let block = FanBlock::closest(&self.positions, center, part, x);
            for (l, [second, third]) in part.iter().enumerate() {
                let (own_squared, shares) = block.place(l);
                if own_squared > squared {
                    continue;
                }
                let corners = [center as u32, *second, *third].map(|p| self.positions[p as usize]);
                let weights = [1.0 - shares[0] - shares[1], shares[0], shares[1]];
                let area = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
                let unit = area.try_normalize(0.0).unwrap_or_default();
                normal += unit * angle_at(&corners, &weights);
                let [a, b, c] = corners;
                place.get_or_insert(a * weights[0] + b * weights[1] + c * weights[2]);
            }
        }
        place.is_some_and(|place| normal.dot(&(x - place)) > 0.0)
    }
}

/// Angle that a triangle takes up around the place with these weights of its corners, radians.
fn angle_at(corners: &[Vec3; 3], weights: &[f64; 3]) -> f64 {
    let mut involved = (0..3).filter(|&k| weights[k] > ON_EDGE);
    match (involved.next(), involved.next(), involved.next()) {
        (Some(k), None, _) => {
            let edge = |to: usize| corners[(k + to) % 3] - corners[k];
            edge(1).angle(&edge(2))
        }
        (_, _, None) => PI,
        _ => TAU,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

    use crate::testing::stacked_bodies::bipyramid;

    /// Contact points of a skin that is taken as it is.
    fn surface(skin: &SurfaceMesh) -> (ContactShape, DeformedSurface) {
        let count = skin.vertex_count();
        let rows = (0..count as u32).map(|v| (vec![(v, 1.0)], 0.0));
        let embedding = SkinEmbedding::from_rows(rows);
        let masses = vec![1.0; count];
        let shape = ContactShape::new(skin, &embedding, &masses, skin.mean_edge(), 0.0);
        let mut deformed = DeformedSurface::default();
        deformed.update(&shape, &skin.positions, &vec![Vec3::zeros(); count]);
        (shape, deformed)
    }

    /// The contact point nearest to `x`.
    fn nearest_point(deformed: &DeformedSurface, x: &Vec3) -> usize {
        let squared = |k: &usize| (deformed.positions[*k] - x).norm_squared();
        let all = 0..deformed.positions.len();
        all.min_by(|a, b| squared(a).total_cmp(&squared(b)))
            .expect("points")
    }

    #[test]
    fn a_point_in_front_of_a_thin_rim_is_not_inside_whichever_way_it_faces() {
        let (shape, deformed) = surface(&bipyramid());
        // off the corner of the rim at x = 0.1 m, from almost straight below it to almost straight above
        for k in 0..40 {
            let angle = (f64::from(k) - 19.5) * 0.075;
            let away = Vec3::new(angle.cos(), angle.sin(), 0.03);
            let x = Vec3::x() * 0.1 + away * (0.6 * shape.reach);
            let center = nearest_point(&deformed, &x);
            for facing in [Vec3::y(), -Vec3::y(), -Vec3::x()] {
                let found = deformed.nearest_around(&shape, center, &x, &facing, shape.reach);
                let gap = found.map_or(0.0, |place| place.gap);
                assert!(gap >= 0.0, "{angle} {facing:?}: {gap}");
            }
        }
    }

    #[test]
    fn a_point_inside_has_its_depth_for_a_gap() {
        let skin = box_surface(Vec3::repeat(0.3), [6; 3], CellStyle::Kuhn);
        let (shape, deformed) = surface(&skin);
        for k in 0..60 {
            let t = f64::from(k);
            let across = Vec3::new((t * 1.7).sin(), 0.0, (t * 0.9).cos()) * 0.1;
            let depth = 0.001 + 0.0006 * t;
            let x = across + Vec3::y() * (0.15 - depth);
            let center = nearest_point(&deformed, &x);
            let found = deformed.nearest_around(&shape, center, &x, &-Vec3::y(), 0.1);
            let place = found.expect("the upper side faces it");
            assert!((place.gap + depth).abs() < 1e-9, "{k}: {}", place.gap);
        }
    }

    #[test]
    fn angles_of_triangles_around_a_place_fill_a_circle_where_the_surface_is_flat() {
        let corner = |k: u32| {
            let angle = TAU * f64::from(k) / 5.0;
            Vec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let around: f64 = (0..5)
            .map(|k| angle_at(&[Vec3::zeros(), corner(k), corner(k + 1)], &[1.0, 0.0, 0.0]))
            .sum();
        assert!((around - TAU).abs() < 1e-12, "{around}");
        let triangle = [Vec3::zeros(), corner(0), corner(1)];
        assert_eq!(angle_at(&triangle, &[0.5, 0.5, 0.0]), PI);
        assert_eq!(angle_at(&triangle, &[0.2, 0.3, 0.5]), TAU);
    }
}
