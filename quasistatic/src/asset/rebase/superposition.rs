//! The common part of both changes of supports: the effects of some causes are added to every row.
//!
//! A support that is added acts by forces on its nodes, and one that is released by their displacements. Each load on the body has its own amounts of these causes.

use pliant_core::math::Mat3;

use crate::asset::GreensAsset;
use crate::asset::inside::{InsidePoint, NO_STRESS, PointResponse, StressRow, add_stress};
use crate::greens::SupportRows;

/// The causes, by their amounts for each load and by their effects.
pub(super) struct Superposition<'a> {
    pub asset: &'a GreensAsset,
    /// Old number of each free boundary node of the new body; `None` for nodes that were held.
    pub old_nodes: Vec<Option<usize>>,
    /// Amounts for a unit force on each of these nodes.
    pub of_nodes: Vec<Vec<Mat3>>,
    /// Amounts for gravity.
    pub of_gravity: Vec<Mat3>,
    /// Amounts for a unit load on each point inside.
    pub of_points: Vec<Vec<Mat3>>,
    /// Old numbers of the supports that stay, with the effect of each cause on their reaction.
    pub supports: Vec<(usize, Vec<Mat3>)>,
    /// Effect of each cause on each point inside.
    pub points: Vec<Vec<PointResponse>>,
    /// Whether a sum of stresses begins with the old one. Otherwise it ends with it: the order decides the last bits.
    pub old_stress_first: bool,
}

impl Superposition<'_> {
    /// The rows of the supports that stay.
    pub fn supports(&self) -> Vec<SupportRows> {
        let rows = self.supports.iter().map(|(k, effects)| {
            let support = &self.asset.supports[*k];
            SupportRows {
                name: support.name.clone(),
                reactions: self.rows(&support.reactions, effects),
                gravity: support.gravity + sum(effects, &self.of_gravity),
            }
        });
        rows.collect()
    }

    /// The points inside with their rows.
    pub fn points(&self) -> Vec<InsidePoint> {
        (0..self.points.len()).map(|p| self.point(p)).collect()
    }

    fn point(&self, p: usize) -> InsidePoint {
        let (point, effects) = (&self.asset.inside[p], &self.points[p]);
        let moved: Vec<Mat3> = effects.iter().map(|effect| effect.displacement).collect();
        let stressed = |old: StressRow, amounts: &[Mat3]| {
            let mut stress = if self.old_stress_first {
                old
            } else {
                NO_STRESS
            };
            for (effect, amount) in effects.iter().zip(amounts) {
                for (sum, row) in stress.iter_mut().zip(&effect.stress) {
                    *sum += amount.tr_mul(row);
                }
            }
            if !self.old_stress_first {
                add_stress(&mut stress, &old, 1.0);
            }
            stress
        };
        let nodes = self.old_nodes.iter().zip(&self.of_nodes);
        let loads = point.of_points.iter().zip(&self.of_points);
        let supports = self.supports.iter();
        InsidePoint {
            named: point.named.clone(),
            displacement: self.rows(&point.displacement, &moved),
            stress: nodes
                .map(|(old, amounts)| stressed(old.map_or(NO_STRESS, |j| point.stress[j]), amounts))
                .collect(),
            gravity: point.gravity + sum(&moved, &self.of_gravity),
            gravity_stress: stressed(point.gravity_stress, &self.of_gravity),
            of_points: loads
                .map(|(response, amounts)| PointResponse {
                    displacement: response.displacement + sum(&moved, amounts),
                    stress: stressed(response.stress, amounts),
                })
                .collect(),
            support_reactions: supports
                .map(|(k, effects)| point.support_reactions[*k] + sum(effects, &self.of_points[p]))
                .collect(),
        }
    }

    /// One block for each free boundary node: the `old` one and the effects of the causes.
    fn rows(&self, old: &[Mat3], effects: &[Mat3]) -> Vec<Mat3> {
        let nodes = self.old_nodes.iter().zip(&self.of_nodes);
        nodes
            .map(|(node, amounts)| {
                node.map_or_else(Mat3::zeros, |j| old[j]) + sum(effects, amounts)
            })
            .collect()
    }
}

/// Sum of the effects of all causes.
fn sum(effects: &[Mat3], amounts: &[Mat3]) -> Mat3 {
    let parts = effects.iter().zip(amounts);
    parts.map(|(effect, amount)| effect * amount).sum()
}
