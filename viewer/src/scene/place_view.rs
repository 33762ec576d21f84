//! The camera for a place on the skin.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_render::OrbitCamera;

/// Smallest half of the visible size, as a share of the body's diagonal: enough context to recognize the part of the body.
const MIN_HALF_SIZE: f64 = 0.25;
/// Half of the visible size over the radius of a large place.
const MARGIN_FACTOR: f64 = 1.6;
/// Cosine between the skin's normal and the direction to the eye below which the camera turns.
const MIN_FACING_COSINE: f64 = 0.5;
/// Largest pitch of the camera, rad: straight from above or below, the front cannot be recognized.
const MAX_PITCH: f64 = 1.3;

/// The `camera` moved so that it sees `points` on the side to which `normal` points, in a picture of `aspect` = width / height. It keeps its angle if the
/// place is visible from there. `diagonal` is that of the body, m. Without points it stays.
pub fn view_of_place(
    camera: &OrbitCamera,
    points: &[Vec3],
    normal: &Vec3,
    diagonal: f64,
    aspect: f64,
) -> OrbitCamera {
    let mut camera = *camera;
    let bounds = Aabb::of_points(points);
    if bounds.is_empty() {
        return camera;
    }
    if let Some(outwards) = normal.try_normalize(0.0)
        && outwards.dot(&camera.axes()[2]) < MIN_FACING_COSINE
    {
        if outwards.x.hypot(outwards.z) > 1e-3 {
            camera.yaw = outwards.x.atan2(outwards.z);
        }
        camera.pitch = outwards.y.asin().clamp(-MAX_PITCH, MAX_PITCH);
    }
    let half = (MARGIN_FACTOR * 0.5 * bounds.diagonal()).max(MIN_HALF_SIZE * diagonal);
    let middle = bounds.center();
    let seen = Aabb {
        min: middle - Vec3::repeat(half),
        max: middle + Vec3::repeat(half),
    };
    camera.fit(&seen, aspect);
    camera
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_the_back_is_seen_from_the_back_and_one_in_front_without_a_turn() {
        let camera = OrbitCamera::default();
        let at = [Vec3::new(0.1, 0.0, -0.5), Vec3::new(0.1, 0.01, -0.5)];
        let from_behind = view_of_place(&camera, &at, &-Vec3::z(), 1.0, 1.0);
        assert!((from_behind.axes()[2] + Vec3::z()).norm() < 1e-9);
        assert!((from_behind.target - Vec3::new(0.1, 0.005, -0.5)).norm() < 1e-12);
        assert!(from_behind.distance < camera.distance);
        let front = view_of_place(&camera, &at, &camera.axes()[2], 1.0, 1.0);
        assert_eq!((front.yaw, front.pitch), (camera.yaw, camera.pitch));
        // from below, but not straight
        let below = view_of_place(&camera, &at, &-Vec3::y(), 1.0, 1.0);
        assert_eq!((below.yaw, below.pitch), (camera.yaw, -MAX_PITCH));
    }

    #[test]
    fn a_large_place_needs_more_distance_and_none_changes_nothing() {
        let camera = OrbitCamera::default();
        let far = |reach: f64| {
            let ends = [Vec3::x() * reach, Vec3::x() * -reach];
            view_of_place(&camera, &ends, &Vec3::zeros(), 1.0, 1.0).distance
        };
        assert!(far(1.0) > 2.0 * far(0.05));
        assert_eq!(view_of_place(&camera, &[], &Vec3::y(), 1.0, 1.0), camera);
    }
}
