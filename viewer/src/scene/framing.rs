//! Aiming the camera so that a scene fills a pane.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_render::OrbitCamera;
use pliant_simulation::setup::Setup;

use super::floor::scene_bounds;

/// Share of a pane that a framed body fills, in its larger direction.
const FILLED_SHARE: f64 = 0.82;

/// Distance from the start of a tool's path to where it acts, up to which the start is in the picture, too, in diagonals of the body. `$POKE` starts a tenth away.
const NEAR_START: f64 = 0.15;

/// Whether the camera is fitted to the body when the panes change their size.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Aim {
    /// It is fitted as soon as the panes have their size.
    #[default]
    Pending,
    /// This camera was fitted to panes of this aspect. It is fitted again for another aspect, unless it was moved.
    Fitted(OrbitCamera, f64),
    /// It stays where a scene or a flight to a place has put it.
    Fixed,
}

/// Aims at the body and its tools from the present side, as close as a pane of `aspect` = width / height allows.
pub fn aim(camera: &mut OrbitCamera, setup: &Setup, aspect: f64) {
    let mut points: Vec<Vec3> = setup.skin().positions.clone();
    for tool in &setup.tools {
        let radius = tool.shape.outer_radius();
        if radius < setup.diagonal {
            let [start, at] = [0.0, 1.5].map(|time| tool.path.pose(time).position);
            // one that starts far away would make the body small
            let is_near = (start - at).norm() < NEAR_START * setup.diagonal;
            for place in [Some(at), is_near.then_some(start)].into_iter().flatten() {
                for axis in 0..3 {
                    let mut reach = Vec3::zeros();
                    reach[axis] = radius;
                    points.extend([place - reach, place + reach]);
                }
            }
        }
    }
    let bounds_to_floor = scene_bounds(setup);
    if bounds_to_floor != setup.skin().bounds() {
        for x in [bounds_to_floor.min.x, bounds_to_floor.max.x] {
            points.extend(
                [bounds_to_floor.min.z, bounds_to_floor.max.z]
                    .map(|z| Vec3::new(x, bounds_to_floor.min.y, z)),
            );
        }
    }
    let bounds = Aabb::of_points(&points);
    camera.fit(&bounds, aspect);
    if bounds.is_empty() || aspect <= 0.0 || bounds.diagonal() <= 0.0 {
        return;
    }
    // the corners of a box are mostly empty: bring the outline itself to the border of the picture
    for _ in 0..6 {
        let [right, up, back] = camera.axes();
        let half = (camera.fov_y * 0.5).tan();
        let (eye, mut low, mut high) = (camera.eye(), [f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in &points {
            let offset = p - eye;
            let depth = (-back.dot(&offset)).max(0.05 * camera.distance);
            let at = [
                right.dot(&offset) / (depth * half * aspect),
                up.dot(&offset) / (depth * half),
            ];
            for axis in 0..2 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        let scale = camera.distance * half;
        camera.target += right * (0.5 * (low[0] + high[0]) * scale * aspect)
            + up * (0.5 * (low[1] + high[1]) * scale);
        let filled = (0.5 * (high[0] - low[0])).max(0.5 * (high[1] - low[1]));
        camera.zoom((filled / FILLED_SHARE).clamp(0.5, 2.0));
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::contact::{Interpolation, Key, Pose, PosePath, ToolShape};
    use pliant_core::mesh::SurfaceMesh;
    use pliant_simulation::setup::SetupTool;

    use super::*;
    use crate::scene::SceneView;

    #[test]
    fn an_aimed_body_fills_the_pane_and_stays_inside() {
        let mut setup = crate::testing::setup();
        setup.tools.clear();
        for aspect in [0.5, 1.0, 2.2] {
            let mut camera = OrbitCamera::default();
            aim(&mut camera, &setup, aspect);
            let clip = camera.projection(aspect) * camera.view();
            let mut widest = 0.0_f32;
            for p in &setup.skin().positions {
                let q = clip.transform_point(&p.cast::<f32>().into());
                widest = widest.max(q.x.abs()).max(q.y.abs());
            }
            assert!((widest - FILLED_SHARE as f32).abs() < 0.03, "{widest}");
        }
    }

    #[test]
    fn a_tool_is_in_the_picture_from_its_start_unless_that_is_far_away() {
        let mut setup = crate::testing::setup();
        let pressed = Vec3::new(0.0, 0.2, 0.0);
        let mut aimed = |above: f64| {
            let start = pressed + Vec3::y() * above * setup.diagonal;
            let key = |time, position| Key {
                time,
                position,
                orientation: Pose::at(position).orientation,
            };
            let keys = vec![key(0.0, start), key(1.0, pressed)];
            let path = PosePath::new(keys, Interpolation::Linear, false);
            setup.tools[0].path = path.expect("rising times");
            let mut camera = OrbitCamera::default();
            aim(&mut camera, &setup, 1.0);
            let clip = camera.projection(1.0) * camera.view();
            let seen = clip.transform_point(&start.cast::<f32>().into());
            (camera.distance, seen.y)
        };
        let (without, _) = aimed(0.0);
        let (near, height) = aimed(0.14);
        assert!(near > without && height < 1.0, "{near} {without} {height}");
        let (far, _) = aimed(5.0);
        assert_eq!(far, without);
    }

    #[test]
    fn a_falling_body_is_shown_with_the_floor() {
        let mut setup = crate::testing::setup();
        setup.tools.clear();
        let mut skin = SurfaceMesh::clone(setup.skin());
        skin.positions.iter_mut().for_each(|x| x.y += 1.0);
        setup.scene_skin = skin.into();
        setup.description.gravity = Vec3::new(0.0, -9.81, 0.0);
        let without = SceneView::new(&setup).region;
        let floor = ToolShape::HalfSpace {
            point: Vec3::zeros(),
            normal: Vec3::y(),
        };
        setup.tools.push(SetupTool {
            name: "floor".into(),
            shape: floor,
            friction: pliant_core::boundary::Friction::None,
            adhesion: None,
            path: PosePath::still(Pose::at(Vec3::zeros())),
            follows_pointer: false,
            carrier: None,
        });
        let region = SceneView::new(&setup).region;
        assert_eq!(region.center[1], 0.0);
        assert!(region.size > without.size && region.middle[1] < without.middle[1]);
        let mut camera = OrbitCamera::default();
        aim(&mut camera, &setup, 1.0);
        let clip = camera.projection(1.0) * camera.view();
        let foot = clip.transform_point(&nalgebra::Point3::new(0.0, 0.0, 0.0));
        assert!(foot.y.abs() < 1.0, "the floor is in the picture");
    }
}
