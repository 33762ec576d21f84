//! Quantities of a body that moves on a cut.

use pliant_core::elasticity::law::{cauchy_stress, von_mises};
use pliant_core::inspect::{QuantityBuffer, UnknownQuantity};
use pliant_core::math::Mat3;

use crate::governor::SplitReason;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::model::inspect::explain::nearest_node;

impl AdaptiveModel {
    pub(crate) fn sample_cut(
        &self,
        body: &CutBody,
        name: &str,
        out: &mut QuantityBuffer,
    ) -> Result<(), UnknownQuantity> {
        let d = &body.dynamics;
        match name {
            "displacement" => {
                for (k, rest) in self.asset.skin.positions.iter().enumerate() {
                    let moved = d.blend.interpolate(&d.cut, k, &d.positions) - rest;
                    out.scalars.push(moved.norm() as f32);
                }
            }
            "speed" => {
                let speed = |k| d.blend.interpolate(&d.cut, k, &d.velocities).norm() as f32;
                out.scalars.extend((0..d.blend.len()).map(speed));
            }
            "von_mises_stress" => {
                let (lame, law) = (self.asset.material.lame(), self.model.law_of_stress());
                sample_elements(body, out, |t, f| {
                    von_mises(&(cauchy_stress(f, &lame, law) * d.forest.stiffness(t)))
                });
            }
            "volume_ratio" => sample_elements(body, out, |_, f| f.determinant()),
            "lod_level" => sample_nodes(body, out, |n| d.forest.level_of(n) as f64),
            "dt_level" => sample_nodes(body, out, |n| f64::from(d.node_levels[n as usize])),
            "refinement_indicator" => {
                let split = body.governor.thresholds().split;
                sample_nodes(body, out, |n| body.governor.gamma(n) / split);
            }
            "refused_reason" => {
                let mut codes = vec![0.0; d.forest.node_count()];
                for refusal in body.governor.refusals() {
                    codes[refusal.node as usize] = match refusal.split_reason {
                        SplitReason::Contact { .. } => 1.0,
                        SplitReason::Criterion { .. } => 2.0,
                    };
                }
                // codes are not averaged: the nearest node counts
                let code = |n: u32| codes[n as usize] as f32;
                let code = |k| nearest_node(body, k).map_or(0.0, code);
                out.scalars.extend((0..d.blend.len()).map(code));
            }
            "nodes" => {
                for &n in d.operators.active() {
                    out.push_point(&d.positions[n as usize], d.forest.level_of(n) as f64);
                }
            }
            _ => return Err(UnknownQuantity(name.to_string())),
        }
        Ok(())
    }
}

/// A value of active nodes on the skin: the weighted mean over the active ancestors of the finest nodes around a vertex.
fn sample_nodes(body: &CutBody, out: &mut QuantityBuffer, value: impl Fn(u32) -> f64) {
    let d = &body.dynamics;
    let finest = d.forest.level_count() - 1;
    let (level, first) = d.forest.level(finest);
    for k in 0..level.embedding.len() {
        let (mut sum, mut total) = (0.0, 0.0);
        for (n, w) in level.embedding.entries(k) {
            if let Some(ancestor) = d.cut.active_ancestor(first + n) {
                sum += w.max(0.0) * value(ancestor);
                total += w.max(0.0);
            }
        }
        out.scalars.push((sum / f64::max(total, 1e-12)) as f32);
    }
}

/// Volume-weighted means over the evaluated tetrahedra around each node, on the skin; ghosts of other levels have theirs from their own level.
fn sample_elements(body: &CutBody, out: &mut QuantityBuffer, value: impl Fn(u32, &Mat3) -> f64) {
    let d = &body.dynamics;
    let mut sums = vec![(0.0, 0.0); d.forest.node_count()];
    for t in d.cut.evaluated() {
        let tet = d.forest.tets()[t as usize];
        let shape = d.forest.shape(t);
        let x = value(t, &shape.gradient_of(tet.map(|n| d.positions[n as usize])));
        for n in tet {
            sums[n as usize].0 += x * shape.volume;
            sums[n as usize].1 += shape.volume;
        }
    }
    for k in 0..d.blend.len() {
        let (mut sum, mut total) = (0.0, 0.0);
        for (n, w) in d.blend.row(&d.cut, k) {
            let (value, volume) = sums[n as usize];
            if volume > 0.0 {
                sum += w * value / volume;
                total += w;
            }
        }
        let mean = if total > 1e-9 { sum / total } else { 0.0 };
        out.scalars.push(mean as f32);
    }
}
