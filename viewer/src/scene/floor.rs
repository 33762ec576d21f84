//! Height of the floor, and the bounding box of a scene.

use pliant_core::contact::ToolShape;
use pliant_core::math::bounds::Aabb;
use pliant_simulation::setup::Setup;

/// Height of the floor, m. A half-space that faces up is the floor. Without one it is the foot of a body that stands or is held
/// there; below a body that hangs it is a fifth of the diagonal lower.
pub fn floor_height(setup: &Setup) -> f64 {
    if let Some(height) = floor_tool_height(setup) {
        return height;
    }
    let bounds = setup.skin().bounds();
    let low = bounds.min.y + 0.02 * bounds.size().y;
    let held = || {
        let all = setup.skin().positions.iter().zip(&setup.held);
        all.filter(|(_, held)| **held).map(|(p, _)| p)
    };
    let on_side = |axis: usize| {
        let reach = 0.02 * setup.diagonal;
        held().all(|p| p[axis] - bounds.min[axis] < reach || bounds.max[axis] - p[axis] < reach)
    };
    let stands = held().any(|p| p.y <= low);
    // a wall that holds a whole side also holds the lowest edge of the body
    let walled = stands && (on_side(0) || on_side(2));
    if stands && !walled || !setup.held.contains(&true) {
        bounds.min.y
    } else {
        bounds.min.y - 0.2 * setup.diagonal
    }
}

/// Height of a half-space that is the floor.
fn floor_tool_height(setup: &Setup) -> Option<f64> {
    setup.tools.iter().find_map(|tool| match tool.shape {
        ToolShape::HalfSpace { point, normal } if normal.y > 0.99 => {
            Some(tool.path.pose(0.0).to_world(&point).y)
        }
        _ => None,
    })
}

/// Bounding box of the skins at rest. If they will fall, it includes the floor.
pub fn scene_bounds(setup: &Setup) -> Aabb {
    let mut bounds = setup.skin().bounds();
    let falls = setup.description.gravity.y < 0.0 && !setup.held.contains(&true);
    if let Some(floor) = floor_tool_height(setup).filter(|_| falls)
        && bounds.min.y - floor > 0.5 * bounds.size().y
    {
        bounds.min.y = floor;
    }
    bounds
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;

    use super::*;

    #[test]
    fn a_hanging_body_has_its_floor_below() {
        let mut setup = crate::testing::setup();
        let bounds = setup.skin().bounds();
        let foot = bounds.min.y;
        assert_eq!(floor_height(&setup), foot, "nothing holds it: it stands");
        let on = |setup: &Setup, axis: usize| -> Vec<bool> {
            let is_on = |p: &Vec3| p[axis] < bounds.min[axis] + 1e-6;
            setup.skin().positions.iter().map(is_on).collect()
        };
        setup.held = on(&setup, 1);
        assert_eq!(floor_height(&setup), foot, "held at its foot");
        setup.held = on(&setup, 0);
        let below = foot - 0.1 * setup.diagonal;
        assert!(floor_height(&setup) < below, "held at a wall");
    }
}
