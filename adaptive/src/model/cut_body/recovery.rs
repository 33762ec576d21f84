//! What is left when a frame of a cut fails however short its steps are: spikes are taken back, and at last the body stands still for a frame.
//!
//! A tool that presses where the budget refuses finer elements can turn coarse ones inside out. Stopping for good would be right for a study; who is in the middle of an operation
//! wants the body back. So a supported body that cannot follow stands still for that frame, at its last good places, and lies a little nearer to its rest shape in each further one. What that
//! takes from the energy counts as dissipated, and the notes say how often it happened and why first. After half a second the frame fails for good.

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::{Degradation, EnergyAccount};

use crate::model::AdaptiveModel;
use crate::model::cut_body::cut_body::CutBody;
use crate::model::divergence;
use crate::step::multirate::CutDynamics;

/// Frames in a row in which a body may stand still.
const LONGEST: u8 = 30;
/// Share of its displacement that a body keeps in each frame in a row but the first.
const KEPT: f64 = 0.8;

/// Frames in a row from which on nothing touches the body until a frame is good.
pub(crate) const LET_GO: u8 = 12;
/// Way that a constraint may ask for in a frame soon after, over the body's diagonal: meanwhile a tool went on, and is deep inside.
const EASED: f64 = 0.005;

/// How often a body stood still.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    /// frames in a row, until now; each good frame takes one back
    pub(crate) row: u8,
    /// frames since the last reset in which it stood still
    pub(crate) frames: u32,
    /// the same in which it followed its constraints in part, and in which it let go of them
    pub(crate) eased: u32,
    pub(crate) released: u32,
    /// what was seen the first time
    pub(crate) cause: Option<String>,
}

impl CutBody {
    /// Soon after it stood still a body follows its constraints step by step; where that fails too it lets go of them. Returns what was given up of them.
    pub(crate) fn ease(&mut self) -> Option<Degradation> {
        if self.standing.row == 0 || self.constraints.is_empty() {
            return None;
        }
        if self.standing.row >= LET_GO {
            self.standing.released += 1;
            self.constraints.clear();
            self.touched.clear();
            self.embedding = SkinEmbedding::from_rows(std::iter::empty());
            self.is_attached = false;
            return Some(Degradation::ConstraintsReleased);
        }
        self.standing.eased += 1;
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
            }
        }
        Some(Degradation::CoarserConstraints)
    }

    /// Largest distance from the constraints as they were asked for, whatever the body made of them, m.
    pub(crate) fn violation(&self, constraints: &[DisplacementConstraint]) -> f64 {
        let d = &self.dynamics;
        let of = |c: &DisplacementConstraint| {
            let here = d.blend.interpolate(&d.cut, c.vertex as usize, &d.positions);
            c.violation(&here)
        };
        constraints.iter().map(of).fold(0.0, f64::max)
    }
}

impl AdaptiveModel {
    /// Takes spikes back, and all motion where `stops`; returns the energy (J) that this took. A free body keeps its momentum.
    pub(crate) fn mend_cut(&self, body: &mut CutBody, stops: bool) -> f64 {
        self.taken_by(body, |body| {
            body.mended += body.dynamics.mend(&body.touched);
            if stops {
                body.dynamics.stop();
            }
        })
    }

    /// Energy (J) that a change of nodes takes. A free body gets its momentum back.
    fn taken_by(&self, body: &mut CutBody, change: impl FnOnce(&mut CutBody)) -> f64 {
        let before = self.stored(&body.dynamics);
        let motion = body.dynamics.motion();
        change(body);
        body.dynamics.keep_motion(motion);
        let taken = before - self.stored(&body.dynamics);
        if taken.is_finite() { taken } else { 0.0 }
    }

    /// After a frame in a group failed: what mending takes back and all motion within the body, and, where that was not enough, the whole deformation
    /// of a free one. Returns `false` where that was not enough either.
    pub(crate) fn recover_cut(&mut self, body: &mut CutBody) -> bool {
        body.turns.recovered += 1;
        match body.turns.recovered {
            1 => self.dissipated += self.mend_cut(body, true),
            2 if !body.dynamics.is_supported => {
                self.dissipated += self.taken_by(body, |body| {
                    body.dynamics.relax(0.0, &[]);
                    body.dynamics.stop();
                });
                body.mended += body.dynamics.operators.active().len() as u32;
            }
            _ => return false,
        }
        true
    }

    /// Kinetic, elastic and gravitational energy, J.
    fn stored(&self, d: &CutDynamics) -> f64 {
        d.elastic_energy() + d.kinetic_energy() + d.potential_energy(&self.gravity)
    }

    /// Whether a frame that failed may end with a body that stands still: one on supports, which no constraint asks for more than it could follow, and not for ever.
    pub(crate) fn may_stand(
        &self,
        body: &CutBody,
        boundary: &BoundaryConditions,
        duration: f64,
    ) -> bool {
        let forest = &body.dynamics.forest;
        let is_held = forest
            .nodes_of_level(0)
            .any(|n| forest.support(n).is_some());
        is_held
            && body.standing.row < LONGEST
            && divergence::too_fast(self, boundary, duration).is_none()
    }

    /// A frame of a body that stands still at its last good places, where it was put already.
    pub(crate) fn stand_still(
        &mut self,
        body: &mut CutBody,
        cause: String,
        duration: f64,
    ) -> EnergyAccount {
        let before = self.stored(&body.dynamics);
        self.mend_cut(body, true);
        if body.standing.row > 0 {
            body.dynamics.relax(KEPT, &[]);
        }
        let after = self.stored(&body.dynamics);
        if (before - after).is_finite() {
            self.dissipated += before - after;
        }
        self.time += duration;
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        body.standing.row += 1;
        body.standing.frames += 1;
        body.standing.cause.get_or_insert(cause);
        EnergyAccount {
            kinetic: 0.0,
            elastic: body.dynamics.elastic_energy(),
            potential: body.dynamics.potential_energy(&self.gravity),
            dissipated: self.dissipated,
            work: self.work,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
    use pliant_core::boundary::{ConstraintKind, Friction};
    use pliant_core::material::{Damping, Material, MaterialLaw, YoungPoisson};
    use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
    use pliant_core::model::{DeformableModel, FrameRequest, WorkBudget};
    use pliant_core::scene::Selection;

    use super::*;
    use crate::asset::LodHierarchy;
    use crate::params::{AdaptiveParams, Resolution};

    fn slab() -> AdaptiveModel {
        let (size, cells) = (Vec3::new(0.4, 0.2, 0.4), [[2, 1, 2], [4, 2, 4]]);
        let skin = Arc::new(box_surface(size, cells[1], CellStyle::Alternating));
        let tets = |c: &[usize; 3]| Arc::new(box_tets(size, *c, CellStyle::Alternating));
        let foot = SupportRegion::new("foot", Selection::Lowest(0.01), &skin);
        let geometry = BodyGeometry {
            supports: vec![foot],
            skin,
            material: Material {
                elastic: YoungPoisson {
                    young: 2e4,
                    poisson: 0.3,
                },
                density: 1000.0,
                damping: Damping::Ratio(0.2),
                law: MaterialLaw::StableNeoHookean,
            },
            levels: cells.iter().map(tets).collect(),
            greens_level: None,
            voxels: None,
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
            b.cut.as_mut().expect("a cut").standing.row = row;
            let skin = b.surface().clone();
            let top = (0..skin.vertex_count()).filter(|&v| skin.positions[v].y > 0.09);
            let constraints = top.map(|v| DisplacementConstraint {
                vertex: v as u32,
                target: skin.positions[v] - Vec3::y() * depth,
                velocity: Vec3::zeros(),
                directions: ConstrainedDirections::Along(-Vec3::y()),
                kind: ConstraintKind::Unilateral,
                friction: Friction::None,
            });
            let mut boundary = BoundaryConditions::default();
            boundary.set_displacements(constraints).expect("valid");
            let request = FrameRequest {
                duration: 1.0 / 60.0,
                boundary: &boundary,
                budget: WorkBudget::UNLIMITED,
                force_tap: None,
            };
            let report = b.advance(request).expect("easy");
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
