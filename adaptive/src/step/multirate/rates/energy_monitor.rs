//! Monitors the energy of a body without contact.

use pliant_core::model::EnergyAccount;

/// Frames between two checks.
const WINDOW_FRAMES: u32 = 60;
/// Largest unexplained relative change of the energy between two checks.
const MAX_DRIFT: f64 = 0.05;
/// Factor on the stored peak of kinetic and elastic energy in each frame: half of it is left after 60. A tool that leaves the body leaves little of the energy that it put in; without
/// the peak, errors of its contact would look large beside that rest.
const PEAK_DECAY: f64 = 0.988_514_020_352_896;

/// Steps at several rates can fall into resonance (Fong, Darve, Lew 2008): rare in solids, but then energy grows without a cause. The unexplained
/// change over 60 frames without input is compared with the energy that was there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct EnergyMonitor {
    frames: u32,
    /// sum of the energy account, and kinetic plus elastic energy, when the present 60 frames began, J
    start: (f64, f64),
    work: f64,
    /// step levels by which all elements have been raised
    extra_levels: u8,
    /// the last drift that was too large, relative to the energy
    drift: f64,
    /// recent peak of kinetic plus elastic energy, J
    peak: f64,
}

impl EnergyMonitor {
    /// Takes the energy account of a frame. Returns whether elements have to step faster from now on.
    pub(crate) fn update(&mut self, energy: &EnergyAccount, is_touched: bool) -> bool {
        let sum = energy.kinetic + energy.elastic + energy.potential + energy.dissipated;
        let moving = energy.kinetic + energy.elastic;
        self.peak = moving.max(PEAK_DECAY * self.peak);
        if is_touched || energy.work != self.work || self.frames == 0 {
            (self.frames, self.start, self.work) = (1, (sum, moving), energy.work);
            return false;
        }
        self.frames += 1;
        if self.frames <= WINDOW_FRAMES {
            return false;
        }
        // gravity converts energy, too
        let scale = self.start.1.max(self.peak).max(energy.potential.abs());
        let drift = (sum - self.start.0) / scale.max(f64::MIN_POSITIVE);
        (self.frames, self.start) = (1, (sum, moving));
        // relative drift of a body at rest means nothing
        let has_energy = scale > 1e-9 * energy.scale().max(f64::MIN_POSITIVE);
        if !(has_energy && drift.abs() > MAX_DRIFT) {
            return false;
        }
        self.drift = drift;
        self.extra_levels = self.extra_levels.saturating_add(1);
        true
    }

    /// Step levels by which all elements are raised.
    pub(crate) fn extra_levels(&self) -> u8 {
        self.extra_levels
    }

    /// One sentence about the drift; `None` without any.
    pub(crate) fn note(&self) -> Option<String> {
        (self.extra_levels > 0).then(|| {
            format!(
                "the energy drifted by {:.1} % within {WINDOW_FRAMES} frames without input: every element takes {} times as many steps since",
                100.0 * self.drift,
                1_u32 << self.extra_levels.min(16)
            )
        })
    }

    /// Numbers of a snapshot.
    pub(crate) fn saved(&self) -> [f64; 7] {
        let (frames, extra_levels) = (f64::from(self.frames), f64::from(self.extra_levels));
        let (sum, moving) = self.start;
        [
            frames,
            sum,
            moving,
            self.work,
            extra_levels,
            self.drift,
            self.peak,
        ]
    }

    /// The monitor that was saved.
    pub(crate) fn restored(from: [f64; 7]) -> Self {
        let [frames, sum, moving, work, extra_levels, drift, peak] = from;
        Self {
            frames: frames as u32,
            start: (sum, moving),
            work,
            extra_levels: extra_levels as u8,
            drift,
            peak,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_energy_from_nowhere_is_drift() {
        let mut damped = EnergyMonitor::default();
        let mut pushed = EnergyMonitor::default();
        let mut growing = EnergyMonitor::default();
        for k in 0..150 {
            let t = f64::from(k);
            // damping takes the energy
            let lost = EnergyAccount {
                kinetic: 1.0 - 0.005 * t,
                dissipated: 0.005 * t,
                ..EnergyAccount::default()
            };
            assert!(!damped.update(&lost, false));
            let gained = EnergyAccount {
                kinetic: 1.0 + 0.01 * t,
                ..EnergyAccount::default()
            };
            assert!(!pushed.update(&gained, true));
            assert_eq!(growing.update(&gained, false), k == 60 || k == 120);
        }
        assert_eq!(
            (
                damped.extra_levels(),
                pushed.extra_levels(),
                growing.extra_levels()
            ),
            (0, 0, 2)
        );
        assert!(damped.note().is_none());
        assert!(growing.note().expect("told").contains("4 times"));
        // released by a tool that had done a joule of work: a thousandth remains, and varies by a tenth of that
        let mut released = EnergyMonitor::default();
        for k in 0..150 {
            let left = match k {
                0..10 => 1.0,
                _ => 1e-3 + 1e-4 * f64::from((k / 30) % 2),
            };
            let energy = EnergyAccount {
                elastic: left,
                work: 1.0,
                dissipated: if k < 10 { 0.0 } else { 0.999 },
                ..EnergyAccount::default()
            };
            assert!(!released.update(&energy, k < 10), "frame {k}");
        }
        assert_eq!(EnergyMonitor::restored(growing.saved()), growing);
    }
}
