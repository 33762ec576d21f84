//! What panels read and set of a group. Where all bodies are alike, the first one answers; sums are over all of them.

use pliant_core::diagnostics::with_body_name;
use pliant_core::inspect::{
    Capabilities, Inspect, ModelStats, ParameterError, ParameterInfo, ParameterValue,
    QuantityBuffer, QuantityInfo, UnknownQuantity,
};
use pliant_core::model::SteppedModel;

use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> Inspect for BodyGroup<M> {
    fn kind(&self) -> &'static str {
        self.models.first().map_or("group", |m| m.kind())
    }

    fn capabilities(&self) -> Capabilities {
        let first = self.models.first();
        first.map_or(Capabilities::ALL, |m| m.capabilities())
    }

    fn parameters(&self) -> &[ParameterInfo] {
        self.models.first().map_or(&[], |m| m.parameters())
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        match self.models.first() {
            Some(model) => model.parameter(name),
            None => Err(ParameterError::Unknown(name.to_string())),
        }
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        for model in &mut self.models {
            model.set_parameter(name, value.clone())?;
        }
        if !ParameterInfo::is_observation(self.parameters(), name) {
            self.wake_all();
        }
        Ok(())
    }

    fn quantities(&self) -> &[QuantityInfo] {
        self.models.first().map_or(&[], |m| m.quantities())
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        out.clear();
        let mut own = QuantityBuffer::default();
        for model in &self.models {
            model.sample_quantity(name, &mut own)?;
            out.scalars.extend_from_slice(&own.scalars);
            out.points.extend_from_slice(&own.points);
        }
        Ok(())
    }

    fn stats(&self) -> ModelStats {
        let Some(mut stats) = self.models.first().map(|m| m.stats()) else {
            return ModelStats::default();
        };
        let count = self.models.len();
        let mut adaptive = Vec::new();
        (stats.active_nodes, stats.total_nodes, stats.elements) = (0, 0, 0);
        let mut sums = [0.0; SUMMED_OVER_ALL.len()];
        let mut is_counted = vec![false; count];
        stats.notes.clear();
        for (k, model) in self.models.iter().enumerate() {
            let kind = self.kind_of(k);
            if kind.is_some_and(|first| std::mem::replace(&mut is_counted[first], true)) {
                continue;
            }
            let own = model.stats();
            let alike = (k..count).filter(|&j| j == k || kind.is_some() && self.kind_of(j) == kind);
            let awake = alike.clone().filter(|&j| !self.sleep[j].asleep).count();
            let alike = alike.count();
            let counting = |name: &str| if name == CONTACT_WORK { awake } else { alike };
            stats.active_nodes += own.active_nodes * awake;
            stats.total_nodes += own.total_nodes * alike;
            stats.elements += own.elements * alike;
            for (sum, name) in sums.iter_mut().zip(SUMMED_OVER_ALL) {
                *sum += own.counter(name).unwrap_or(0.0) * counting(name) as f64;
            }
            for note in &own.notes {
                let note = self.with_name(k, note);
                if !stats.notes.contains(&note) {
                    stats.notes.push(note);
                }
            }
            if model.revision() != 0 {
                adaptive.push(own);
            }
        }
        for (name, value) in &mut stats.counters {
            if let Some(k) = SUMMED_OVER_ALL.iter().position(|summed| *summed == *name) {
                *value = sums[k];
            }
        }
        sum_adaptive(&mut stats, &adaptive);
        stats.notes.extend(self.frozen_notes());
        stats.notes.extend(self.degradation_note());
        if !adaptive.is_empty() {
            self.count_degradation(&mut stats.counters);
        }
        let points = self.shapes.first().map_or(0, |s| s.len());
        // of a cut body this counts the pairs between its pieces
        stats
            .counters
            .retain(|counter| counter.0 != "contact_pairs");
        stats.counters.extend([
            ("bodies", count as f64),
            ("bodies_asleep", self.counts.asleep as f64),
            ("bodies_frozen", self.frozen.len() as f64),
            ("contact_points", points as f64),
            ("contact_pairs", self.counts.pairs as f64),
            ("contact_rows", self.counts.rows as f64),
            ("contact_sweeps", self.solver.sweeps as f64),
            ("contact_find_ms", self.counts.find_ms),
            ("contact_rows_ms", self.counts.rows_ms),
            ("contact_solve_ms", self.counts.solve_ms),
            ("bodies_step_ms", self.counts.step_ms),
            ("contact_points_ms", self.counts.points_ms),
            ("group_frame_ms", self.counts.frame_ms),
        ]);
        stats
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// A note of one body, with its name where bodies have some.
    pub(crate) fn with_name(&self, body: usize, note: &str) -> String {
        match self.names.get(body) {
            Some(name) => with_body_name(name, note),
            None => note.to_string(),
        }
    }

    /// The first body with the same skin, which has the same statistics. `None` for a body that changes its resolution, was cut or has broken.
    fn kind_of(&self, body: usize) -> Option<usize> {
        let model = &self.models[body];
        let is_as_made = model.revision() == 0 && model.parted_surface_revision() == 0;
        is_as_made.then_some(self.first_alike[body])
    }
}

/// Work of the contact between pieces in the last frame. Bodies that sleep had none, and still have the figure of their last frame.
const CONTACT_WORK: &str = "contact_work";

/// Counters that are summed over all bodies.
const SUMMED_OVER_ALL: [&str; 5] = [
    "components",
    "broken_links",
    "cut_edges",
    "ignored_cuts",
    CONTACT_WORK,
];

/// Counters that are summed over the bodies that change their resolution. All others are those of the first body.
const SUMMED_OVER_ADAPTIVE: [&str; 10] = [
    "cut_changes",
    "refused",
    "refused_splits",
    "evaluations",
    "mended_nodes",
    "stood_still",
    "eased_contact",
    "released_contact",
    "yielding",
    "near_inverted",
];

/// Sums the counters of the bodies that change their resolution.
fn sum_adaptive(all: &mut ModelStats, bodies: &[ModelStats]) {
    for (name, value) in &mut all.counters {
        if SUMMED_OVER_ADAPTIVE.contains(name) && !bodies.is_empty() {
            *value = bodies.iter().filter_map(|own| own.counter(name)).sum();
        }
    }
}
