//! Motions that are made from the body when a scene is loaded.

use pliant_core::contact::ToolShape;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::path::{Interpolation, Key, PosePath};

/// Depth of a scripted poke over the diagonal of the body.
pub const POKE_DEPTH: f64 = 0.04;

/// `$POKE`: from above the highest free skin point along its normal to 4 % of the diagonal, hold, let go; repeats every 4 s.
///
/// The normal is a mean over the touched neighbourhood, so that a rough scan is poked squarely.
pub fn scripted_poke(skin: &SurfaceMesh, held: &[bool], shape: &ToolShape) -> PosePath {
    let diagonal = skin.bounds().diagonal();
    let top = (0..skin.vertex_count())
        .filter(|&v| !held[v])
        .max_by(|&a, &b| {
            skin.positions[a]
                .y
                .total_cmp(&skin.positions[b].y)
                .then(b.cmp(&a))
        })
        .unwrap_or(0);
    let place = skin.positions.get(top).copied().unwrap_or_else(Vec3::zeros);
    let radius = shape.outer_radius().min(diagonal);
    let mut normal = Vec3::zeros();
    for t in 0..skin.triangles.len() {
        let [a, b, c] = skin.corners(t);
        let distance = ((a + b + c) / 3.0 - place).norm();
        if distance < 0.5 * radius {
            normal += skin.area_vector(t);
        }
    }
    let normal = normal
        .try_normalize(1e-12)
        .filter(|n| n.y > 0.3)
        .unwrap_or_else(Vec3::y);
    let at = |gap: f64| place + normal * (shape.inner_radius().min(diagonal) + gap);
    let (away, deep) = (0.06 * diagonal, -POKE_DEPTH * diagonal);
    let keys = [
        (0.0, away),
        (0.5, 0.01 * diagonal),
        (1.5, deep),
        (2.6, deep),
        (3.2, away),
        (4.0, away),
    ]
    .into_iter()
    .map(|(time, gap)| Key {
        time,
        position: at(gap),
        orientation: nalgebra::UnitQuaternion::identity(),
    })
    .collect();
    // the keys are finite and rise, so that the path is always accepted
    PosePath::new(keys, Interpolation::Smooth, true)
        .unwrap_or_else(|_| PosePath::still(pliant_core::contact::Pose::at(place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn the_poke_goes_four_percent_deep_at_the_top_and_comes_back() {
        let skin = box_surface(Vec3::repeat(0.2), [6, 6, 6], CellStyle::Kuhn);
        let held = vec![false; skin.vertex_count()];
        let shape = ToolShape::Sphere { radius: 0.06 };
        let path = scripted_poke(&skin, &held, &shape);
        let diagonal = skin.bounds().diagonal();
        let gap = |t: f64| {
            shape
                .signed_distance(
                    &(skin
                        .positions
                        .iter()
                        .max_by(|a, b| a.y.total_cmp(&b.y))
                        .expect("vertices")
                        - path.pose(t).position),
                )
                .0
        };
        assert!(gap(0.0) > 0.0);
        let deepest = skin
            .positions
            .iter()
            .map(|x| shape.signed_distance(&(x - path.pose(2.0).position)).0)
            .fold(f64::INFINITY, f64::min);
        assert!((deepest + POKE_DEPTH * diagonal).abs() < 1e-9);
        assert_eq!(path.pose(4.0).position, path.pose(0.0).position);
    }
}
