//! Constraints after a failed frame: they are approached gradually, or released.

use pliant_core::boundary::{ConstrainedDirections, DisplacementConstraint};
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::Degradation;

use crate::model::cut_body::fallback_hold::FRAMES_BEFORE_RELEASE;
use crate::model::cut_body::state::CutBody;

/// Largest distance of a constraint in a frame after a hold, over the body's diagonal: the tool has moved on meanwhile, and is deep inside.
const MAX_EASED_DISTANCE: f64 = 0.005;

impl CutBody {
    /// After a fallback hold, limits the distance of constraints; where frames fail nevertheless, releases them. Returns the degradation.
    pub(crate) fn ease_constraints(&mut self) -> Option<Degradation> {
        if self.fallback_hold.successive == 0 || self.constraints.is_empty() {
            return None;
        }
        if self.fallback_hold.successive >= FRAMES_BEFORE_RELEASE {
            self.fallback_hold.released += 1;
            self.constraints.clear();
            self.touched.clear();
            self.embedding = SkinEmbedding::default();
            self.is_attached = false;
            return Some(Degradation::ConstraintsReleased);
        }
        self.fallback_hold.eased += 1;
        let forest = &self.dynamics.forest;
        let max_distance = MAX_EASED_DISTANCE * forest.asset().skin.bounds().diagonal();
        for c in &mut self.constraints {
            let position = self
                .embedding
                .interpolate(c.vertex as usize, &self.dynamics.positions);
            let gap = c.target - position;
            match c.directions {
                ConstrainedDirections::All => c.target = position + gap.cap_magnitude(max_distance),
                ConstrainedDirections::Along(n) => {
                    let depth = n.dot(&gap);
                    c.target -= n * (depth - depth.min(max_distance));
                }
                ConstrainedDirections::Across(_) => {
                    let across = c.directions.part(&gap);
                    c.target -= across - across.cap_magnitude(max_distance);
                }
            }
        }
        Some(Degradation::CoarserConstraints)
    }

    /// Largest violation of the original constraints, m.
    pub(crate) fn violation(&self, constraints: &[DisplacementConstraint]) -> f64 {
        let d = &self.dynamics;
        let of = |c: &DisplacementConstraint| {
            let position = d.blend.interpolate(&d.cut, c.vertex as usize, &d.positions);
            c.violation(&position)
        };
        constraints.iter().map(of).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::{BodyGeometry, Progress};
    use pliant_core::boundary::BoundaryConditions;
    use pliant_core::material::{Material, MaterialLaw};
    use pliant_core::mesh::procedural::{CellStyle, box_tets};
    use pliant_core::model::{DeformableModel, FrameRequest};
    use pliant_core::scene::Selection;

    use pliant_core::math::Vec3;

    use super::*;
    use crate::asset::LodHierarchy;
    use crate::model::adaptive_model::AdaptiveModel;
    use crate::params::{AdaptiveParams, Resolution};

    fn slab() -> AdaptiveModel {
        let size = Vec3::new(0.4, 0.2, 0.4);
        let levels = [[2, 1, 2], [4, 2, 4]].map(|c| box_tets(size, c, CellStyle::Alternating));
        let material = Material::isotropic(2e4, 0.3)
            .with_density(1000.0)
            .with_damping_ratio(0.2)
            .with_law(MaterialLaw::StableNeoHookean);
        let geometry =
            BodyGeometry::of_levels(levels, material).held_at("foot", Selection::Lowest(0.01));
        let asset = LodHierarchy::bake(&geometry, &Progress::new()).expect("sound");
        let params = AdaptiveParams {
            resolution: Resolution::Cut,
            budget_units: 1 << 30,
            ..AdaptiveParams::default()
        };
        AdaptiveModel::new(Arc::new(asset), params).expect("fits")
    }

    #[test]
    fn eased_and_released_constraints_are_reported_with_the_whole_distance() {
        let depth = 0.03;
        let cases = [
            (0, None, 1e-3),
            (3, Some(Degradation::CoarserConstraints), 0.5 * depth),
            (
                FRAMES_BEFORE_RELEASE,
                Some(Degradation::ConstraintsReleased),
                0.99 * depth,
            ),
        ];
        for (row, expected, least) in cases {
            let mut b = slab();
            b.cut.as_mut().expect("a cut").fallback_hold.successive = row;
            let skin = b.surface().clone();
            let top = (0..skin.vertex_count()).filter(|&v| skin.positions[v].y > 0.09);
            let constraints = top.map(|v| {
                DisplacementConstraint::contact(
                    v as u32,
                    skin.positions[v] - Vec3::y() * depth,
                    -Vec3::y(),
                )
            });
            let mut boundary = BoundaryConditions::default();
            boundary.set_displacements(constraints).expect("valid");
            let report = b
                .advance(FrameRequest::new(1.0 / 60.0, &boundary))
                .expect("easy");
            assert_eq!(report.degraded, expected, "{row}");
            let reached = report.max_violation;
            match expected {
                None => assert!(reached < least, "{reached}"),
                Some(_) => assert!(reached >= least, "{row}: {reached}"),
            }
            let pushed: f64 = b.reactions().iter().map(|f| f.norm()).sum();
            assert_eq!(
                pushed == 0.0,
                row >= FRAMES_BEFORE_RELEASE,
                "{row}: {pushed} N"
            );
        }
    }
}
