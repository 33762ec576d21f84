//! Figures and notes of a body that moves on a cut.

use pliant_core::inspect::ModelStats;
use pliant_core::math::numbers::counted;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;

/// Largest number of refused splits that the notes name.
const MAX_REASONS: usize = 3;

impl AdaptiveModel {
    pub(crate) fn cut_stats(&self, body: &CutBody) -> ModelStats {
        let d = &body.dynamics;
        let mut notes = self.asset.all_notes();
        notes.extend(body.monitor.note());
        notes.extend(body.degradation.note(d.constants.is_damped()));
        let (added, scaled) = d.selective_scaling();
        if scaled > 0 {
            notes.push(format!(
                "{scaled} tetrahedra are so stiff or stretched so far that inertia was added to them instead of shorter steps, {:.2} % of the mass",
                100.0 * added
            ));
        }
        let explanation = self.explained.and_then(|v| self.explain(v));
        notes.extend(explanation.clone());
        if body.withheld {
            notes.push(format!(
                "the budget holds back {}",
                counted(body.governor.refusals().len(), "split")
            ));
            let reasons = body.governor.refusals().iter().map(|r| r.reason());
            notes.extend(reasons.take(MAX_REASONS));
        }
        notes.extend(notes_on_failures(body));
        let mut stats = ModelStats {
            active_nodes: d.cut.active_count(),
            total_nodes: d.forest.node_count(),
            elements: d.cut.evaluated_counts().iter().sum(),
            bytes: self.asset.bytes() + self.state_bytes(),
            counters: vec![
                ("level", finest_level(body) as f64),
                ("substeps", f64::from(self.substeps)),
                ("near_inverted", f64::from(self.scan.near_inverted)),
                ("blended", f64::from(self.blended)),
                ("cut_changes", f64::from(body.changes)),
                ("pop_mm", 1e3 * body.fade.largest()),
                ("refused", body.governor.refusals().len() as f64),
                ("ladder_rung", f64::from(body.degradation.level())),
                ("ladder_frames", f64::from(body.degradation.frames()[0])),
                ("undamped_frames", f64::from(body.degradation.frames()[1])),
                ("slow_frames", f64::from(body.degradation.frames()[2])),
                ("ladder_climbs", f64::from(body.degradation.frames()[3])),
                ("refused_splits", body.refused as f64),
                ("raised_levels", f64::from(body.monitor.extra_levels())),
                ("evaluations", body.frame_totals.evaluations as f64),
                ("node_updates", body.frame_totals.node_updates as f64),
                ("ghost_updates", body.frame_totals.ghost_updates as f64),
                ("firings", f64::from(body.frame_totals.firings)),
                ("impulses", f64::from(body.frame_totals.impulses)),
                ("row_nodes", body.row_nodes as f64),
                ("mended_nodes", f64::from(body.recovered_nodes)),
                ("stood_still", f64::from(body.fallback_hold.frames)),
                ("eased_contact", f64::from(body.fallback_hold.eased)),
                ("released_contact", f64::from(body.fallback_hold.released)),
                ("yielding", f64::from(scaled)),
                ("yielded_mass_percent", 100.0 * added),
                ("step_levels", d.groups.len() as f64),
                (
                    "ghosts",
                    d.groups.iter().map(|g| g.ghost_count()).sum::<usize>() as f64,
                ),
            ],
            notes,
            explanation,
        };
        if let Some(level) = &self.counterpart {
            level.add_counters_of_cuts(&mut stats.counters);
        }
        stats
    }
}

/// Notes on what frames that failed since the last reset gave up.
pub(super) fn notes_on_failures(body: &CutBody) -> Vec<String> {
    let mut notes = Vec::new();
    if body.recovered_nodes > 0 {
        notes.push(format!(
            "{} times a node far outside its neighbours was moved back",
            body.recovered_nodes
        ));
    }
    if let Some(cause) = &body.fallback_hold.cause {
        notes.push(format!(
            "stood still for {} frames that failed; the first: {cause}",
            body.fallback_hold.frames
        ));
    }
    notes
}

/// Finest level with an active node.
fn finest_level(body: &CutBody) -> usize {
    let counts = body.dynamics.cut.evaluated_counts();
    counts.iter().rposition(|c| *c > 0).unwrap_or(0)
}
