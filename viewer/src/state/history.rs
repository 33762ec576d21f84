//! What happened lately, for the curves below the panes.

use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

use super::force_source::ForceSource;
use super::recent_cost::RecentCost;

/// Length of the curves, s.
pub const SPAN: f64 = 10.0;

/// What the curves show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plotted {
    /// The force.
    #[default]
    Force,
    /// The force that a hand at the pointer would feel.
    Felt,
    /// The first probe.
    Probe,
    /// Displacement of a point inside, by its place in the list.
    PointDisplacement(usize),
    /// Stress of von Mises at a point inside.
    PointStress(usize),
}

impl Plotted {
    /// Its curve in a pane: time in s, then the value, which [`Plotted::unit`] scales to its unit.
    pub fn of(self, curves: &Curves) -> &[[f64; 2]] {
        let point = |k: usize| curves.points.get(k);
        match self {
            Self::Force => &curves.force,
            Self::Felt => &curves.felt,
            Self::Probe => &curves.probe,
            Self::PointDisplacement(k) => point(k).map_or(&[], |p| &p[0]),
            Self::PointStress(k) => point(k).map_or(&[], |p| &p[1]),
        }
    }

    /// Unit to show, and what values are multiplied with.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Force | Self::Felt => ("N", 1.0),
            Self::Probe | Self::PointDisplacement(_) => ("mm", 1e3),
            Self::PointStress(_) => ("Pa", 1.0),
        }
    }
}

/// Curves of one pane: time in s, then values.
#[derive(Debug, Clone, Default)]
pub struct Curves {
    /// Size of the force, N.
    pub force: Vec<[f64; 2]>,
    /// Size of the first probe's displacement, m.
    pub probe: Vec<[f64; 2]>,
    /// Size of the force that a hand at the pointer would feel, N: one value for each tick of the servo loop. Only the quasistatic pane has
    /// it.
    pub felt: Vec<[f64; 2]>,
    /// Displacement (m) and stress of von Mises (Pa) of each point inside.
    pub points: Vec<[Vec<[f64; 2]>; 2]>,
}

/// Curves of all panes.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// One for each pane.
    pub curves: Vec<Curves>,
    /// What each pane has cost lately.
    pub costs: Vec<RecentCost>,
    scene: u64,
    last: f64,
}

impl History {
    /// Takes a snapshot in. A reset or another scene begins new curves; a snapshot of the same moment adds nothing.
    pub fn record(&mut self, snapshot: &WorldSnapshot, source: &ForceSource) {
        if snapshot.scene_number != self.scene {
            self.costs.clear();
        }
        if snapshot.scene_number != self.scene || snapshot.time < self.last {
            self.curves.clear();
            self.scene = snapshot.scene_number;
            self.last = -1.0;
        }
        if snapshot.time == self.last || snapshot.frames == 0 {
            return;
        }
        self.last = snapshot.time;
        self.curves
            .resize_with(snapshot.panes.len(), Curves::default);
        self.costs
            .resize_with(snapshot.panes.len(), RecentCost::default);
        let oldest = snapshot.time - SPAN;
        let frame = snapshot.setup.as_ref().map_or(0.0, |s| s.frame_duration());
        let kept = self.curves.iter_mut().zip(&mut self.costs);
        for ((curves, cost), pane) in kept.zip(&snapshot.panes) {
            if pane.state != PaneState::Ready {
                continue;
            }
            cost.push(pane.cost_ms);
            curves
                .force
                .push([snapshot.time, source.force(pane).norm()]);
            if let Some(value) = pane.probes.first() {
                curves.probe.push([snapshot.time, value.norm()]);
            }
            if let Some(felt) = &snapshot.felt
                && pane.method == pliant_core::scene::Method::Quasistatic
            {
                // the ticks of a frame, at equal distances in its time
                let step = frame / felt.recent.len().max(1) as f64;
                let begin = snapshot.time - frame;
                let ticks = felt.recent.iter().enumerate();
                curves.felt.extend(
                    ticks.map(|(k, force)| [begin + (k + 1) as f64 * step, f64::from(*force)]),
                );
                if felt.recent.is_empty() {
                    curves.felt.push([snapshot.time, felt.force.norm()]);
                }
            }
            curves
                .points
                .resize_with(pane.points.len(), Default::default);
            for (lists, point) in curves.points.iter_mut().zip(&pane.points) {
                let state = &point.state;
                let values = [state.displacement.norm(), state.von_mises()];
                for (list, value) in lists.iter_mut().zip(values) {
                    list.push([snapshot.time, value]);
                }
            }
            let of_points = curves.points.iter_mut().flatten();
            for list in [&mut curves.force, &mut curves.felt, &mut curves.probe]
                .into_iter()
                .chain(of_points)
            {
                let gone = list.partition_point(|p| p[0] < oldest);
                // in blocks, so that not every frame moves the whole list
                if gone > 128 {
                    list.drain(..gone);
                }
            }
        }
    }

    /// Present end of the time axis, s.
    pub fn now(&self) -> f64 {
        self.last.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_grow_stay_bounded_and_begin_anew_after_a_reset() {
        let mut snapshot = crate::testing::snapshot();
        let source = ForceSource::of(&snapshot, false);
        assert_eq!(source, ForceSource::Tool(0, "finger".into()));
        let mut history = History::default();
        for k in 1..3000 {
            snapshot.time = f64::from(k) / 60.0;
            snapshot.frames += 1;
            history.record(&snapshot, &source);
            history.record(&snapshot, &source);
        }
        let force = &history.curves[0].force;
        assert!(force.len() >= 600 && force.len() <= 740, "{}", force.len());
        assert!((force[0][1] - 5.0).abs() < 1e-12, "3-4-5");
        let (moved, stress) = (Plotted::PointDisplacement(0), Plotted::PointStress(0));
        let curves = &history.curves[0];
        assert_eq!(moved.of(curves).len(), force.len());
        assert!((moved.of(curves)[7][1] - 2e-3).abs() < 1e-12);
        assert!((stress.of(curves)[7][1] - 3000.0).abs() < 1e-9);
        assert!(Plotted::PointStress(1).of(curves).is_empty());
        assert!(
            history.curves[1].force.is_empty(),
            "a pane that is not ready has no curve"
        );
        snapshot.time = 0.1;
        history.record(&snapshot, &source);
        assert_eq!(history.curves[0].force.len(), 1);
    }
}
