//! Quantities and figures of a body that moves on a cut.

use pliant_core::elasticity::stress::cauchy_stress;
use pliant_core::inspect::{ModelStats, QuantityBuffer, UnknownQuantity};
use pliant_core::material::MaterialLaw;
use pliant_core::math::Mat3;

use crate::governor::Wish;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::model::inspect::explain::explain_cut;

/// Refused splits that the notes name.
const MOST_REASONS: usize = 3;

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
                let (lame, law) = (self.asset.material.lame(), self.model.law());
                let law = law.unwrap_or(MaterialLaw::Green);
                sample_elements(body, out, |t, f| {
                    let stress = cauchy_stress(f, &lame, law) * d.forest.stiffness(t);
                    let deviator = stress - Mat3::identity() * (stress.trace() / 3.0);
                    1.5_f64.sqrt() * deviator.norm()
                });
            }
            "volume_ratio" => sample_elements(body, out, |_, f| f.determinant()),
            "lod_level" => sample_nodes(body, out, |n| d.forest.level_of(n) as f64),
            "dt_level" => sample_nodes(body, out, |n| f64::from(d.finest[n as usize])),
            "refinement_indicator" => {
                let split = body.governor.thresholds().split;
                sample_nodes(body, out, |n| body.governor.gamma(n) / split);
            }
            "refused_reason" => {
                let mut codes = vec![0.0; d.forest.node_count()];
                for refusal in body.governor.refusals() {
                    codes[refusal.node as usize] = match refusal.wish {
                        Wish::Contact { .. } => 1.0,
                        Wish::Criterion { .. } => 2.0,
                    };
                }
                // a code, so that the nearest node counts and no mean
                let finest = d.forest.level_count() - 1;
                let (level, first) = d.forest.level(finest);
                for k in 0..level.embedding.len() {
                    let (nodes, weights) = level.embedding.row(k);
                    let pairs = nodes.iter().zip(weights);
                    let nearest = pairs.max_by(|a, b| a.1.total_cmp(b.1)).map(|(n, _)| *n);
                    let node = nearest.and_then(|n| d.cut.active_ancestor(first + n));
                    out.scalars
                        .push(node.map_or(0.0, |n| codes[n as usize] as f32));
                }
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

    /// Tetrahedra that a cut evaluated in the last frame, without what ghosts, contact and skin cost; `None` where a level moves.
    pub(crate) fn cut_evaluations(&self) -> Option<u64> {
        self.cut.as_ref().map(|body| body.fired.evaluations)
    }

    pub(crate) fn cut_stats(&self, body: &CutBody) -> ModelStats {
        let d = &body.dynamics;
        let mut notes = self.asset.notes.clone();
        notes.extend(body.monitor.note());
        notes.extend(body.ladder.note(d.constants.is_damped()));
        let (added, yielding) = d.yielded();
        if yielding > 0 {
            notes.push(format!(
                "{yielding} tetrahedra are stretched so far that they got inertia instead of steps, {:.2} % of the mass",
                100.0 * added
            ));
        }
        let explained = self.explained.map(|v| v as usize);
        let vertex = explained.filter(|v| *v < self.asset.skin.vertex_count());
        notes.extend(vertex.and_then(|v| explain_cut(body, v)));
        if body.withheld {
            notes.push(format!(
                "the budget holds back {} splits",
                body.governor.refusals().len()
            ));
            let reasons = body.governor.refusals().iter().map(|r| r.reason());
            notes.extend(reasons.take(MOST_REASONS));
        }
        if body.mended > 0 {
            notes.push(format!(
                "{} times a node that was torn out of its surroundings was put back",
                body.mended
            ));
        }
        if let Some(cause) = &body.standing.cause {
            notes.push(format!(
                "stood still for {} frames that failed; the first: {cause}",
                body.standing.frames
            ));
        }
        ModelStats {
            active_nodes: d.cut.active_count(),
            total_nodes: d.forest.node_count(),
            elements: d.cut.evaluated_counts().iter().sum(),
            bytes: self.asset.bytes() + d.forest.node_count() * 400,
            counters: vec![
                ("level", finest_level(body) as f64),
                ("substeps", f64::from(self.substeps)),
                ("near_inverted", f64::from(self.scan.near_inverted)),
                ("blended", f64::from(self.blended)),
                ("cut_changes", f64::from(body.changes)),
                ("pop_mm", 1e3 * body.fade.largest()),
                ("refused", body.governor.refusals().len() as f64),
                ("ladder_rung", f64::from(body.ladder.rung())),
                ("ladder_frames", f64::from(body.ladder.frames()[0])),
                ("undamped_frames", f64::from(body.ladder.frames()[1])),
                ("slow_frames", f64::from(body.ladder.frames()[2])),
                ("ladder_climbs", f64::from(body.ladder.frames()[3])),
                ("refused_splits", body.refused as f64),
                ("raised_levels", f64::from(body.monitor.lift())),
                ("evaluations", body.fired.evaluations as f64),
                ("node_updates", body.fired.node_updates as f64),
                ("ghost_updates", body.fired.ghost_updates as f64),
                ("firings", f64::from(body.fired.firings)),
                ("impulses", f64::from(body.fired.impulses)),
                ("row_nodes", body.row_nodes as f64),
                ("mended_nodes", f64::from(body.mended)),
                ("stood_still", f64::from(body.standing.frames)),
                ("eased_contact", f64::from(body.standing.eased)),
                ("released_contact", f64::from(body.standing.released)),
                ("yielding", f64::from(yielding)),
                ("yielded_mass_percent", 100.0 * added),
                ("step_levels", d.groups.len() as f64),
                (
                    "ghosts",
                    d.groups.iter().map(|g| g.ghost_count()).sum::<usize>() as f64,
                ),
            ],
            notes,
        }
    }
}

/// Finest level with an active node.
fn finest_level(body: &CutBody) -> usize {
    let counts = body.dynamics.cut.evaluated_counts();
    counts.iter().rposition(|c| *c > 0).unwrap_or(0)
}

/// A value of active nodes on the skin: the weighted mean over the active ancestors of the finest nodes around a vertex.
fn sample_nodes(body: &CutBody, out: &mut QuantityBuffer, value: impl Fn(u32) -> f64) {
    let d = &body.dynamics;
    let finest = d.forest.level_count() - 1;
    let (level, first) = d.forest.level(finest);
    for k in 0..level.embedding.len() {
        let (nodes, weights) = level.embedding.row(k);
        let (mut sum, mut total) = (0.0, 0.0);
        for (&n, w) in nodes.iter().zip(weights) {
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
