//! Values of the last seconds, for the curves below the panes.

use pliant_core::scene::Method;
use pliant_simulation::snapshot::{FrameValues, PaneValues, WorldSnapshot};
use pliant_simulation::world::METRICS;

use super::curve::Curve;
use super::plotted::Plotted;
use super::recent_cost::RecentCost;
use crate::state::force_source::{ForceSource, with_arrows};

/// Length of the curves that are kept, s: as long as the timeline.
const MAX_DURATION: f64 = 120.0;
/// Lengths of the curves that can be shown, s.
pub const SPANS: [f64; 3] = [10.0, 30.0, MAX_DURATION];

/// The curves of one pane, each with what it shows, in the order in which they came: SI, or plain fractions.
#[derive(Debug, Clone, Default)]
pub struct Curves(pub(super) Vec<(Plotted, Curve)>);

impl Curves {
    /// The curve of `plotted`, whose values [`Plotted::unit`] scales to its unit; `None` where there is none, and without a point where the method does not have it.
    pub fn of(&self, plotted: Plotted) -> Option<&Curve> {
        let found = self.0.iter().find(|(what, _)| *what == plotted)?;
        Some(&found.1)
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Curve> {
        self.0.iter_mut().map(|(_, curve)| curve)
    }

    /// Adds a value, or breaks the curve where there is none.
    fn add(&mut self, plotted: Plotted, time: f64, value: Option<f64>) {
        let found = self.0.iter().position(|(what, _)| *what == plotted);
        let place = found.unwrap_or_else(|| {
            self.0.push((plotted, Curve::default()));
            self.0.len() - 1
        });
        match value {
            Some(value) => self.0[place].1.push(time, value),
            None => self.0[place].1.interrupt(),
        }
    }

    /// Adds the values of a pane.
    fn add_frame(&mut self, pane: &PaneValues, time: f64, source: &ForceSource) {
        let force = source.size_of(&pane.tool_forces, &pane.grab_force);
        self.add(Plotted::Force, time, Some(force.unwrap_or(0.0)));
        for (k, value) in pane.probes.iter().enumerate() {
            self.add(Plotted::Probe(k), time, Some(value.norm()));
        }
        for (k, [moved, stress]) in pane.points.iter().enumerate() {
            self.add(Plotted::PointDisplacement(k), time, Some(*moved));
            self.add(Plotted::PointStress(k), time, Some(*stress));
        }
        for metric in METRICS {
            let value = (metric.value)(&pane.metrics);
            self.add(Plotted::Metric(metric), time, value);
        }
        for (k, distance) in pane.distances.iter().enumerate() {
            self.add(Plotted::Distance(k), time, distance.map(|d| d.rms));
            self.add(Plotted::LargestDistance(k), time, distance.map(|d| d.max));
        }
    }

    /// Adds the forces of the servo loop's ticks in a frame of `duration` seconds, at equal intervals.
    fn add_force_feedback(&mut self, frame: &FrameValues, duration: f64) {
        let step = duration / frame.force_feedback.len().max(1) as f64;
        let begin = frame.time - duration;
        for (k, force) in frame.force_feedback.iter().enumerate() {
            let time = begin + (k + 1) as f64 * step;
            self.add(Plotted::ForceFeedback, time, Some(f64::from(*force)));
        }
    }
}

/// Curves of all panes.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// One for each pane.
    pub curves: Vec<Curves>,
    /// Recent cost of each pane.
    pub costs: Vec<RecentCost>,
    /// Names of the points inside.
    pub point_names: Vec<String>,
    /// Names of the probes.
    pub probe_names: Vec<String>,
    /// largest force of all panes on one tool that has an arrow, N
    arrows: Curve,
    frames: u64,
    /// the time that is shown, and the newest one, s
    shown: f64,
    newest: f64,
    source: Option<ForceSource>,
}

impl History {
    /// Adds the new frames of a snapshot. A reset starts new curves. A snapshot of the same time or of the past adds nothing. Frames that the
    /// timeline has dropped are removed here, too.
    pub fn record(&mut self, snapshot: &WorldSnapshot, source: &ForceSource) {
        if snapshot.frames < self.frames {
            *self = Self {
                costs: std::mem::take(&mut self.costs),
                ..Self::default()
            };
        }
        self.frames = snapshot.frames;
        self.shown = snapshot.time;
        let frame = snapshot.setup.as_ref().map_or(0.0, |s| s.frame_duration());
        // half a frame later, so that rounding has no effect
        let end = (snapshot.timeline.last as f64 + 0.5) * frame;
        if end < self.newest {
            let all = self.curves.iter_mut().flat_map(Curves::all);
            all.chain([&mut self.arrows])
                .for_each(|curve| curve.remove_after(end));
            self.newest = snapshot.timeline.last as f64 * frame;
        }
        if snapshot.time <= self.newest || snapshot.frames == 0 {
            return;
        }
        if self.curves.is_empty() {
            let probes = snapshot.setup.iter().flat_map(|s| &s.probes);
            self.probe_names = probes.map(|p| p.name.clone()).collect();
        }
        let count = snapshot.panes.len();
        self.curves.resize_with(count, Curves::default);
        self.costs.resize_with(count, RecentCost::default);
        let changes = self.source.as_ref().is_some_and(|last| last != source);
        self.source = Some(source.clone());
        if changes {
            // from now on the curve shows another force
            let all = self.curves.iter_mut();
            all.for_each(|curves| curves.add(Plotted::Force, 0.0, None));
        }
        let newest = std::mem::replace(&mut self.newest, snapshot.time);
        for values in snapshot.recent.iter().filter(|f| f.time > newest) {
            let ready = values.panes.iter().filter(|pane| pane.is_ready);
            let forces = ready.flat_map(|pane| with_arrows(&snapshot.tools, &pane.tool_forces));
            let largest = forces.fold(0.0, |most: f64, (_, force)| most.max(force.norm()));
            self.arrows.push(values.time, largest);
            let kept = self.curves.iter_mut().zip(&mut self.costs);
            for (((curves, cost), pane), shown) in
                kept.zip(&values.panes).zip(snapshot.panes.iter())
            {
                if !pane.is_ready {
                    curves.all().for_each(Curve::interrupt);
                    continue;
                }
                cost.push(pane.cost_ms);
                curves.add_frame(pane, values.time, source);
                if shown.method == Method::Quasistatic {
                    curves.add_force_feedback(values, frame);
                }
            }
        }
        for pane in &snapshot.panes {
            if self.point_names.len() < pane.points.len() {
                self.point_names = pane.points.iter().map(|p| p.name.clone()).collect();
            }
        }
        let oldest = snapshot.time - MAX_DURATION;
        let all = self.curves.iter_mut().flat_map(Curves::all);
        all.chain([&mut self.arrows])
            .for_each(|curve| curve.remove_before(oldest));
    }

    /// The time that is shown, s.
    pub fn now(&self) -> f64 {
        self.shown.max(0.0)
    }

    /// Largest force on one tool in all panes that is kept, N; zero without any. Forces on the user's hand and sums over tools, which are plotted, have no arrow.
    pub fn largest_arrow(&self) -> f64 {
        let points = self.arrows.points();
        points.fold(0.0, |most, [_, force]| force.max(most))
    }

    /// The newest time, s.
    pub fn end(&self) -> f64 {
        self.newest.max(self.shown).max(0.0)
    }
}

#[cfg(test)]
impl History {
    /// Adds frame `frame` of a run, to which the snapshot goes.
    pub fn record_frame(&mut self, snapshot: &mut WorldSnapshot, frame: u64) {
        crate::testing::run_to(snapshot, frame);
        let source = ForceSource::of(snapshot, false);
        self.record(snapshot, &source);
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_simulation::snapshot::PaneState;

    use super::*;
    use crate::testing::{run_to, show_frame};

    /// The force of the first pane.
    fn force_of(history: &History) -> &Curve {
        history.curves[0].of(Plotted::Force).expect("a curve")
    }

    #[test]
    fn frames_that_were_not_drawn_are_in_the_curves() {
        let mut snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        let mut history = History::default();
        let mut recent = Vec::new();
        for k in 1..=60 {
            snapshot.panes[0].tool_forces[0].x = k as f64;
            run_to(&mut snapshot, k);
            recent.append(&mut snapshot.recent);
            // one picture for six frames
            if k % 6 == 0 {
                snapshot.recent.clone_from(&recent);
                history.record(&snapshot, &source);
            }
        }
        let force = force_of(&history);
        assert_eq!((force.points().count(), force.pieces(0.0).count()), (60, 1));
        let at = force.at(31.0 / 60.0).expect("between pictures");
        assert!((at - 31.0_f64.hypot(4.0)).abs() < 1e-9, "{at}");
        assert_eq!(history.costs[0].median_ms(), Some(1.25));
    }

    #[test]
    fn every_probe_has_a_curve() {
        let mut snapshot = crate::testing::snapshot();
        snapshot.panes[0].probes = vec![Vec3::x() * 0.5, Vec3::y() * 0.25];
        let mut history = History::default();
        history.record_frame(&mut snapshot, 1);
        let at = |k| history.curves[0].of(Plotted::Probe(k))?.at(1.0 / 60.0);
        assert_eq!([at(0), at(1), at(2)], [Some(0.5), Some(0.25), None]);
        let csv = history.csv(&snapshot);
        let head = csv.lines().next().expect("a head");
        let probes = "adaptive_probe_m,adaptive_probe_2_m";
        assert!(head.contains(probes), "{head}");
    }

    #[test]
    fn a_metric_that_a_method_lacks_has_no_curve_and_one_that_is_not_measured_is_broken() {
        use pliant_core::model::EnergyAccount;
        use pliant_simulation::reference::SurfaceDistance;
        let mut snapshot = crate::testing::snapshot();
        snapshot.panes[1].state = PaneState::Ready;
        let mut history = History::default();
        for k in 1..=4 {
            let is_measured = k != 3;
            let energy = EnergyAccount {
                kinetic: k as f64,
                ..EnergyAccount::default()
            };
            let far = SurfaceDistance { rms: 0.5, max: 2.0 };
            let pane = &mut snapshot.panes[0];
            pane.metrics.energy = Some(energy);
            pane.metrics.volume_change = is_measured.then_some(-0.25);
            pane.distances = [None, is_measured.then_some(far), None];
            snapshot.panes[1].metrics.violation = Some(1e-3);
            history.record_frame(&mut snapshot, k);
        }
        let metric = |name: &str| {
            let known = METRICS.iter().find(|m| m.name == name);
            Plotted::Metric(known.expect("a metric"))
        };
        let of = |pane: usize, plotted| history.curves[pane].of(plotted).expect("a list");
        let kinetic = metric("energy_kinetic");
        assert_eq!(of(0, kinetic).at(2.0 / 60.0), Some(2.0));
        assert!(of(1, kinetic).is_empty(), "no energy, not zero");
        let volume = metric("volume_change");
        let pieces: Vec<usize> = of(0, volume).pieces(0.0).map(<[_]>::len).collect();
        assert_eq!(pieces, [2, 1]);
        assert_eq!(of(0, Plotted::Distance(1)).at(1.0 / 60.0), Some(0.5));
        assert!(of(0, Plotted::Distance(0)).is_empty());
        assert_eq!((kinetic.unit(), volume.unit()), (("mJ", 1e3), ("%", 1e2)));
        assert!(volume.is_of_skin() && !kinetic.is_of_skin());
        let csv = history.csv(&snapshot);
        let mut lines = csv.lines();
        let expected = [
            "quasistatic_force_N",
            "adaptive_energy_kinetic_J",
            "adaptive_energy_elastic_J",
            "adaptive_energy_gravity_J",
            "adaptive_tool_work_J",
            "adaptive_energy_dissipated_J",
            "adaptive_energy_residual_J",
            "adaptive_volume_change",
            "quasistatic_violation_m",
            "adaptive_distance_quasistatic_rms_m",
            "adaptive_distance_quasistatic_max_m",
        ];
        let head = lines.next().expect("a head");
        assert!(head.ends_with(&expected.join(",")), "{head}");
        let third = lines.nth(2).expect("a frame that was not measured");
        assert!(third.ends_with(",3,0,0,0,0,3,,0.001,,"), "{third}");
    }

    #[test]
    fn curves_grow_stay_bounded_and_restart_after_a_reset() {
        let mut snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        assert_eq!(source, ForceSource::Tool(0, "finger".into()));
        let mut history = History::default();
        for k in 1..9000 {
            history.record_frame(&mut snapshot, k);
            history.record(&snapshot, &source);
        }
        let curves = &history.curves[0];
        let force = force_of(&history);
        let count = force.points().count();
        assert!((7200..=7340).contains(&count), "{count}");
        assert_eq!(force.at(100.0), Some(5.0), "3-4-5");
        let of = |plotted| curves.of(plotted).and_then(|c| c.at(100.0));
        assert!((of(Plotted::PointDisplacement(0)).expect("moved") - 2e-3).abs() < 1e-12);
        assert!((of(Plotted::PointStress(0)).expect("stress") - 3000.0).abs() < 1e-9);
        assert_eq!(of(Plotted::PointStress(1)), None);
        assert_eq!(history.point_names, ["tendon"]);
        let other = history.curves[1].of(Plotted::Force);
        assert!(other.is_none(), "a pane that is not ready has no curve");
        run_to(&mut snapshot, 6);
        snapshot.frames = 1;
        history.record(&snapshot, &source);
        assert_eq!(force_of(&history).points().count(), 1);
    }

    #[test]
    fn the_past_is_shown_without_changing_curves_until_the_timeline_drops_frames() {
        let mut snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        let mut history = History::default();
        for k in 1..=100 {
            history.record_frame(&mut snapshot, k);
        }
        let whole = force_of(&history).clone();
        show_frame(&mut snapshot, 30, 100);
        history.record(&snapshot, &source);
        assert_eq!(*force_of(&history), whole);
        assert_eq!((history.now(), history.end()), (0.5, 100.0 / 60.0));
        // the hand grabs at frame 30
        history.record_frame(&mut snapshot, 30);
        history.record_frame(&mut snapshot, 31);
        let force = force_of(&history);
        assert_eq!((force.points().count(), force.pieces(0.0).count()), (31, 1));
    }

    #[test]
    fn a_curve_has_a_gap_where_a_pane_waited_or_another_force_is_shown() {
        let mut snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        let mut history = History::default();
        let mut record = |k, source: &ForceSource, state: PaneState| {
            snapshot.panes[0].state = state;
            run_to(&mut snapshot, k);
            history.record(&snapshot, source);
            let force = force_of(&history);
            (force.points().count(), force.pieces(0.0).count())
        };
        assert_eq!(record(1, &source, PaneState::Ready), (1, 1));
        record(2, &source, PaneState::Waiting);
        assert_eq!(record(3, &source, PaneState::Ready), (2, 2));
        assert_eq!(record(4, &ForceSource::Grab, PaneState::Ready), (3, 3));
        assert_eq!(record(5, &ForceSource::Grab, PaneState::Ready), (4, 3));
    }
}
