//! When a blade reaches a body that moves on its cut.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::bounds::Aabb;

use crate::model::adaptive_model::AdaptiveModel;
use crate::step::multirate::CutDynamics;

impl AdaptiveModel {
    /// Whether a sweep that this level has been given may reach the skin of the cut in a frame of `duration` seconds: meets its box, enlarged by the motion of the body, by itself or by its constraints,
    /// and by an edge of this level.
    pub(super) fn is_reached(
        &self,
        dynamics: &CutDynamics,
        duration: f64,
        boundary: &BoundaryConditions,
    ) -> bool {
        let sweeps = match &self.cutting {
            Some(cutting) if !cutting.sweeps.is_empty() => &cutting.sweeps,
            _ => return false,
        };
        let spacing = |level: usize| self.asset.levels[level].spacing;
        let active = dynamics.operators.active().iter().map(|&n| n as usize);
        let speeds = active.clone().map(|n| dynamics.velocities[n].norm());
        // tools and grabs move it in this frame already
        let moved = boundary.displacements().iter().map(|c| {
            let (cut, positions) = (&dynamics.cut, &dynamics.positions);
            let vertex = c.vertex as usize;
            c.violation(&dynamics.blend.interpolate(cut, vertex, positions))
        });
        let by_itself = speeds.fold(0.0, f64::max) * duration;
        let margin = moved.fold(by_itself, f64::max) + spacing(self.level);
        let meets = |bounds: Aabb| sweeps.iter().any(|sweep| sweep.may_meet(&bounds));
        // blades are mostly far away: the nodes are fewer than the vertices of the skin
        let nodes = Aabb::of_points(active.map(|n| &dynamics.positions[n]));
        meets(nodes.inflated(margin + spacing(0))) && meets(skin_bounds(dynamics).inflated(margin))
    }
}

/// A box around the skin of a cut, m.
fn skin_bounds(dynamics: &CutDynamics) -> Aabb {
    let mut bounds = Aabb::empty();
    for vertex in 0..dynamics.blend.len() {
        let (cut, positions) = (&dynamics.cut, &dynamics.positions);
        bounds.grow(&dynamics.blend.interpolate(cut, vertex, positions));
    }
    bounds
}
