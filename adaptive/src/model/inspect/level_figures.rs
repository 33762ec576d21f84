//! Figures and notes of a level that moves as a whole.

use pliant_core::inspect::ModelStats;
use pliant_core::material::MaterialLaw;
use pliant_core::math::numbers::counted;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cutting::handover::state::HandoverCause;
use crate::model::inspect::cut_figures::notes_on_failures;

impl AdaptiveModel {
    /// Counters and notes of the level.
    pub(crate) fn level_stats(&self) -> ModelStats {
        let mut notes = self.asset.all_notes();
        let explanation = self.explained.and_then(|v| self.explain(v));
        notes.extend(explanation.clone());
        let stiffness = self.moving_level().stiffness;
        if stiffness != 1.0 {
            notes.push(format!(
                "the stiffness of level {} is scaled by {stiffness:.3}, so that it vibrates like the finest",
                self.level
            ));
        }
        if self.withheld {
            notes.push(match self.asset.levels.len() {
                1 => "frames of the only level take longer than the budget".to_string(),
                levels => format!(
                    "the budget holds level {} (of 0 to {}): a finer one would take too long",
                    self.level,
                    levels - 1
                ),
            });
        }
        if self.scan.near_inverted > 0 {
            let remedy = match self.model.law() {
                Some(MaterialLaw::Green) => {
                    "; material.law = \"stable_neo_hookean\" withstands that better"
                }
                _ => "",
            };
            notes.push(format!(
                "{} tetrahedra are pressed below a fifth of their volume{remedy}",
                self.scan.near_inverted
            ));
        }
        if self.added_mass > 1e-3 {
            notes.push(format!(
                "{:.1} % of the mass was added to the stiffest elements for a longer step: static results do not change, and modes slow down by at most half of this",
                self.added_mass * 100.0
            ));
        }
        let added = self.added_inertia.as_ref();
        let (scaled, added) = added.map_or((0, 0.0), |added| (added.count(), added.added_share()));
        if scaled > 0 {
            notes.push(format!(
                "the frame would cost more than the budget: inertia was added to {scaled} tetrahedra instead of shorter steps, {:.2} % of the mass",
                100.0 * added
            ));
        }
        let before = self.counterpart.as_ref();
        if let Some(before) = before.and_then(|other| other.cut.as_ref()) {
            notes.extend(notes_on_failures(before));
        }
        notes.extend(self.handover_note());
        let ignored = self.ignored_cut_count();
        if ignored > 0 {
            notes.push(format!(
                "CutTooFine: a second cut went through {} beside the first one and was ignored: a piece thinner than a tetrahedron stays with its neighbour\n  remedy: adaptive.target_edges below the thickness of the pieces",
                counted(ignored, "edge")
            ));
        }
        let mut counters = vec![
            ("level", self.level as f64),
            ("substeps", f64::from(self.substeps)),
            ("near_inverted", f64::from(self.scan.near_inverted)),
            ("blended", f64::from(self.blended)),
            ("yielding", f64::from(scaled)),
            ("yielded_mass_percent", 100.0 * added),
        ];
        let handover = self.handover.iter();
        counters.extend(handover.map(|handover| ("pop_mm", 1e3 * handover.fade.largest())));
        self.add_counters_of_cuts(&mut counters);
        ModelStats {
            active_nodes: self.dynamics.positions.len() - self.sleeping_nodes(),
            total_nodes: self.asset.levels.iter().map(|l| l.node_count()).sum(),
            elements: self.dynamics.field.element_count(),
            bytes: self.asset.bytes() + self.state_bytes(),
            counters,
            notes,
            explanation,
        }
    }

    /// That the body was handed over to this level, and why; `None` where it was not.
    fn handover_note(&self) -> Option<String> {
        let cause = self.handed_over_by()?;
        let because = match cause {
            HandoverCause::Blade => "blades cut one level",
            HandoverCause::Load => "cracks go through one level",
        };
        Some(format!(
            "HandedOver: {}. It moved on a cut through its levels before, and moves on level {} (of 0 to {}) now, because {because}",
            cause.event(),
            self.level,
            self.asset.levels.len() - 1
        ))
    }

    /// Adds the counters of pieces and cuts of a level that may be cut or break.
    pub(crate) fn add_counters_of_cuts(&self, counters: &mut Vec<(&'static str, f64)>) {
        let Some(pieces) = self.pieces() else {
            return;
        };
        counters.push(("components", pieces as f64));
        counters.push(("pieces_asleep", self.pieces_asleep() as f64));
        counters.push(("cut_edges", self.cut_edge_count() as f64));
        counters.push(("ignored_cuts", self.ignored_cut_count() as f64));
        counters.push(("contact_pairs", self.contact_between_pieces().0 as f64));
        counters.push(("contact_work", self.work_between_pieces().0 as f64));
        let front = self.crack_front();
        counters.extend(front.map(|front| ("energy_release", front.largest_energy_release)));
    }
}
