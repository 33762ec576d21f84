//! Constraints after a frame that failed: followed step by step, or let go of.

use pliant_core::boundary::{ConstrainedDirections, DisplacementConstraint};
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::Degradation;

use crate::model::cut_body::fallback_hold::LET_GO;
use crate::model::cut_body::state::CutBody;

/// Distance that a constraint may ask for in a frame soon after a hold, over the body's diagonal: the tool went on meanwhile, and is deep inside.
const EASED: f64 = 0.005;

impl CutBody {
    /// Soon after a fallback hold a body follows its constraints step by step; where that fails too, it lets go of them. Returns what was given up of them.
    pub(crate) fn ease(&mut self) -> Option<Degradation> {
        if self.fallback_hold.row == 0 || self.constraints.is_empty() {
            return None;
        }
        if self.fallback_hold.row >= LET_GO {
            self.fallback_hold.released += 1;
            self.constraints.clear();
            self.touched.clear();
            self.embedding = SkinEmbedding::from_rows(std::iter::empty());
            self.is_attached = false;
            return Some(Degradation::ConstraintsReleased);
        }
        self.fallback_hold.eased += 1;
        let forest = &self.dynamics.forest;
        let most = EASED * forest.asset().skin.bounds().diagonal();
        for c in &mut self.constraints {
            let here = self
                .embedding
                .interpolate(c.vertex as usize, &self.dynamics.positions);
            let gap = c.target - here;
            match c.directions {
                ConstrainedDirections::All => c.target = here + gap.cap_magnitude(most),
                ConstrainedDirections::Along(n) => {
                    let depth = n.dot(&gap);
                    c.target -= n * (depth - depth.min(most));
                }
                ConstrainedDirections::Across(_) => {
                    let across = c.directions.part(&gap);
                    c.target -= across - across.cap_magnitude(most);
                }
            }
        }
        Some(Degradation::CoarserConstraints)
    }

    /// Largest distance from the constraints as they were asked for before they were eased, m.
    pub(crate) fn violation(&self, constraints: &[DisplacementConstraint]) -> f64 {
        let d = &self.dynamics;
        let of = |c: &DisplacementConstraint| {
            let here = d.blend.interpolate(&d.cut, c.vertex as usize, &d.positions);
            c.violation(&here)
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
    use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
    use pliant_core::model::{DeformableModel, FrameRequest};
    use pliant_core::scene::Selection;

    use pliant_core::math::Vec3;

    use super::*;
    use crate::asset::LodHierarchy;
    use crate::model::adaptive_model::AdaptiveModel;
    use crate::params::{AdaptiveParams, Resolution};

    fn slab() -> AdaptiveModel {
        let (size, cells) = (Vec3::new(0.4, 0.2, 0.4), [[2, 1, 2], [4, 2, 4]]);
        let skin = Arc::new(box_surface(size, cells[1], CellStyle::Alternating));
        let tets = |c: &[usize; 3]| Arc::new(box_tets(size, *c, CellStyle::Alternating));
        let material = Material::isotropic(2e4, 0.3)
            .with_density(1000.0)
            .with_damping_ratio(0.2)
            .with_law(MaterialLaw::StableNeoHookean);
        let geometry = BodyGeometry {
            levels: cells.iter().map(tets).collect(),
            ..BodyGeometry::new(skin, material).held_at("foot", Selection::Lowest(0.01))
        };
        let asset = LodHierarchy::bake(&geometry, &Progress::new()).expect("sound");
        let params = AdaptiveParams {
            resolution: Resolution::Cut,
            budget_units: 1 << 30,
            ..AdaptiveParams::default()
        };
        AdaptiveModel::new(Arc::new(asset), params).expect("fits")
    }

    #[test]
    fn what_is_followed_in_part_or_let_go_of_is_told_with_the_whole_distance() {
        let depth = 0.03;
        let cases = [
            (0, None, 1e-3),
            (3, Some(Degradation::CoarserConstraints), 0.5 * depth),
            (LET_GO, Some(Degradation::ConstraintsReleased), 0.99 * depth),
        ];
        for (row, given_up, least) in cases {
            let mut b = slab();
            b.cut.as_mut().expect("a cut").fallback_hold.row = row;
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
            assert_eq!(report.degraded, given_up, "{row}");
            let reached = report.max_violation;
            match given_up {
                None => assert!(reached < least, "{reached}"),
                Some(_) => assert!(reached >= least, "{row}: {reached}"),
            }
            let pushed: f64 = b.reactions().iter().map(|f| f.norm()).sum();
            assert_eq!(pushed == 0.0, row >= LET_GO, "{row}: {pushed} N");
        }
    }
}
