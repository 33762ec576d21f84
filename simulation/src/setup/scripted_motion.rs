//! Motions that are made from the body when a scene is loaded.

use pliant_core::contact::{Interpolation, Key, PosePath, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::math::random::SplitMix64;
use pliant_core::mesh::SurfaceMesh;

/// Depth of a scripted poke over the diagonal of the body.
pub const POKE_DEPTH: f64 = 0.04;

/// Largest depth of a scripted poke over the height of the body: a plate is not pressed through.
const MAX_POKE_SHARE: f64 = 1.0 / 3.0;

/// `$POKE`: from above the highest free skin point along its normal to a depth of 4 % of the diagonal, at most a third of the body's height, hold, let go. Repeats every 4 s.
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
    let normal = mean_normal(skin, &place, 0.5 * shape.outer_radius().min(diagonal))
        .filter(|n| n.y > 0.3)
        .unwrap_or_else(Vec3::y);
    let reach = shape.reach(&-normal).min(diagonal);
    let at = |gap: f64| place + normal * (reach + gap);
    let height = skin.bounds().size().y;
    let depth = (POKE_DEPTH * diagonal).min(MAX_POKE_SHARE * height);
    let (away, deep) = (0.06 * diagonal, -depth);
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

/// Direction out of the skin within `radius` of a place.
fn mean_normal(skin: &SurfaceMesh, place: &Vec3, radius: f64) -> Option<Vec3> {
    let mut normal = Vec3::zeros();
    for t in 0..skin.triangles.len() {
        let [a, b, c] = skin.corners(t);
        let distance = ((a + b + c) / 3.0 - place).norm();
        if distance < radius {
            normal += skin.area_vector(t);
        }
    }
    normal.try_normalize(1e-12)
}

/// `$POKES`: ten minutes of pokes, then from the beginning. Each is at another free place of the skin, 2 to 6 % of the diagonal deep along the normal there, fast or slow,
/// and held for a while. Between two of them the tool goes around the body. The same `seed` gives the same pokes.
pub fn random_pokes(skin: &SurfaceMesh, held: &[bool], shape: &ToolShape, seed: u64) -> PosePath {
    let bounds = skin.bounds();
    let (diagonal, middle) = (bounds.diagonal(), 0.5 * (bounds.min + bounds.max));
    let free: Vec<usize> = (0..skin.vertex_count()).filter(|&v| !held[v]).collect();
    let mut generator = SplitMix64(seed);
    // from 0 to 1
    let mut random = || (generator.number() >> 11) as f64 / (1_u64 << 53) as f64;
    let (mut keys, mut time) = (Vec::new(), 0.0);
    let mut key = |duration: f64, position: Vec3| {
        time += duration;
        keys.push(Key {
            time,
            position,
            orientation: nalgebra::UnitQuaternion::identity(),
        });
    };
    let radius = shape.outer_radius().min(diagonal);
    let around = 0.75 * diagonal + radius;
    // it begins and ends at the same place beside the body
    let home = Vec3::y();
    let around_from = |u: &Vec3, out: &Vec3| {
        let aside = u.cross(&Vec3::new(0.36, 0.48, 0.8));
        (u + out + aside * 0.1).try_normalize(1e-12).unwrap_or(*out)
    };
    key(0.0, middle + home * around);
    let mut last = home;
    for _ in 0..POKES {
        let pick = (random() * free.len() as f64) as usize;
        let place = free.get(pick).map_or(middle, |&v| skin.positions[v]);
        let normal = mean_normal(skin, &place, 0.5 * radius).unwrap_or_else(Vec3::y);
        let out = (place - middle + normal * (0.5 * diagonal))
            .try_normalize(1e-12)
            .unwrap_or(normal);
        let depth = (0.02 + 0.04 * random()) * diagonal;
        let (press, hold) = (0.2 + 0.6 * random(), 0.7 * random());
        let reach = shape.reach(&-normal).min(diagonal);
        let at = |gap: f64| place + normal * (reach + gap);
        // around the body: a path between two places of the sphere keeps its distance
        key(0.25, middle + around_from(&last, &out) * (1.3 * around));
        let travel = POKE_PERIOD - press - hold - 0.95;
        key(travel.max(0.1), middle + out * around);
        key(0.25, at(0.01 * diagonal));
        key(press, at(-depth));
        key(hold + 0.05, at(-depth));
        key(0.4, middle + out * around);
        last = out;
    }
    key(0.25, middle + around_from(&last, &home) * (1.3 * around));
    key(0.25, middle + home * around);
    PosePath::new(keys, Interpolation::Smooth, true)
        .unwrap_or_else(|_| PosePath::still(pliant_core::contact::Pose::at(middle)))
}

/// Pokes of ten minutes, and how long each takes, s.
const POKES: usize = 240;
const POKE_PERIOD: f64 = 2.5;

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

    #[test]
    fn a_plate_is_poked_a_third_of_its_thickness_deep() {
        let thickness = 0.006;
        let plate = Vec3::new(0.2, thickness, 0.2);
        let skin = box_surface(plate, [6, 1, 6], CellStyle::Kuhn);
        let held: Vec<bool> = skin.positions.iter().map(|x| x.y < 0.0).collect();
        let shape = ToolShape::Sphere { radius: 0.06 };
        let path = scripted_poke(&skin, &held, &shape);
        // it begins its press a hundredth of the diagonal above the skin
        let press = (path.pose(2.0).position - path.pose(0.5).position).norm();
        let depth = press - 0.01 * skin.bounds().diagonal();
        assert!((depth - thickness / 3.0).abs() < 1e-9, "{depth}");
    }

    #[test]
    fn random_pokes_go_into_the_body_again_and_again_and_repeat_by_their_seed() {
        let skin = box_surface(Vec3::new(0.3, 0.2, 0.25), [6, 4, 5], CellStyle::Kuhn);
        let held: Vec<bool> = skin.positions.iter().map(|x| x.y < -0.09).collect();
        let shape = ToolShape::Sphere { radius: 0.05 };
        let path = random_pokes(&skin, &held, &shape, 7);
        let (same, other) = (
            random_pokes(&skin, &held, &shape, 7),
            random_pokes(&skin, &held, &shape, 8),
        );
        let diagonal = skin.bounds().diagonal();
        // it begins beside the body, and where it ends
        let ends = path.pose(path.duration() - 1e-9).position - path.pose(0.0).position;
        assert!(ends.norm() < 1e-6 * diagonal);
        let (mut pokes, mut inside, mut differs) = (0, false, false);
        for frame in 0..600 * 60 {
            let t = f64::from(frame) / 60.0;
            let tool = path.pose(t).position;
            assert_eq!(tool, same.pose(t).position);
            differs |= tool != other.pose(t).position;
            let depth = skin
                .positions
                .iter()
                .map(|x| shape.signed_distance(&(x - tool)).0)
                .fold(f64::INFINITY, f64::min);
            assert!(depth > -0.12 * diagonal, "{depth} at {t}");
            let now = depth < -0.015 * diagonal;
            pokes += u32::from(now && !inside);
            inside = now;
        }
        assert!(differs);
        assert!((230..=260).contains(&pokes), "{pokes} pokes");
    }
}
