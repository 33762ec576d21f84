//! Watches the energy of a body that nobody touches.

use pliant_core::model::EnergyAccount;

/// Frames between two looks.
const FRAMES: u32 = 60;
/// Share of the energy that may come or go unexplained meanwhile.
const DRIFT: f64 = 0.05;
/// What is left after a frame of the memory of energy that moved: half of it after 60. What a tool leaves behind when it lets go is little beside what it put in, and so would be
/// the errors of its contact.
const MEMORY: f64 = 0.988_514_020_352_896;

/// Steps at several rates can fall into resonance (Fong, Darve, Lew 2008): rare in solids, but then energy grows without a cause. What the account of 60 frames
/// without input leaves open is compared with the energy that was there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct EnergyMonitor {
    frames: u32,
    /// sum of the account and moving energy when the present 60 frames began, J
    start: (f64, f64),
    work: f64,
    /// levels by which all elements are faster since
    lift: u8,
    /// the last drift that was too large, over the energy
    drift: f64,
    /// the most energy that moved of late, J
    peak: f64,
}

impl EnergyMonitor {
    /// Looks at the account of a frame, the moving energy being `kinetic + elastic`. Returns whether elements have to step faster from now on.
    pub(crate) fn look(&mut self, energy: &EnergyAccount, is_touched: bool) -> bool {
        let sum = energy.kinetic + energy.elastic + energy.potential + energy.dissipated;
        let moving = energy.kinetic + energy.elastic;
        self.peak = moving.max(MEMORY * self.peak);
        if is_touched || energy.work != self.work || self.frames == 0 {
            (self.frames, self.start, self.work) = (1, (sum, moving), energy.work);
            return false;
        }
        self.frames += 1;
        if self.frames <= FRAMES {
            return false;
        }
        // gravity moves energy too, so that the largest of all counts
        let scale = self.start.1.max(self.peak).max(energy.potential.abs());
        let drift = (sum - self.start.0) / scale.max(f64::MIN_POSITIVE);
        (self.frames, self.start) = (1, (sum, moving));
        // a body at rest has nothing to lose
        let is_alive = scale > 1e-9 * energy.scale().max(f64::MIN_POSITIVE);
        if !(is_alive && drift.abs() > DRIFT) {
            return false;
        }
        self.drift = drift;
        self.lift = self.lift.saturating_add(1);
        true
    }

    /// Levels by which all elements are faster.
    pub(crate) fn lift(&self) -> u8 {
        self.lift
    }

    /// What happened, in one sentence; nothing where nothing did.
    pub(crate) fn note(&self) -> Option<String> {
        (self.lift > 0).then(|| {
            format!(
                "the energy drifted by {:.1} % within {FRAMES} frames without input: every element fires {} times as often since",
                100.0 * self.drift,
                1_u32 << self.lift.min(16)
            )
        })
    }

    /// Numbers that [`EnergyMonitor::save`] writes.
    pub(crate) const SAVED: usize = 7;

    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        let (frames, lift) = (f64::from(self.frames), f64::from(self.lift));
        to.extend([
            frames,
            self.start.0,
            self.start.1,
            self.work,
            lift,
            self.drift,
            self.peak,
        ]);
    }

    /// Takes back what was saved.
    pub(crate) fn restore(from: &[f64]) -> Self {
        let [frames, sum, moving, work, lift, drift, peak] = *from else {
            return Self::default();
        };
        Self {
            frames: frames as u32,
            start: (sum, moving),
            work,
            lift: lift as u8,
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
        let mut calm = EnergyMonitor::default();
        let mut pushed = EnergyMonitor::default();
        let mut wild = EnergyMonitor::default();
        for k in 0..150 {
            let t = f64::from(k);
            // damping takes what leaves
            let lost = EnergyAccount {
                kinetic: 1.0 - 0.005 * t,
                dissipated: 0.005 * t,
                ..EnergyAccount::default()
            };
            assert!(!calm.look(&lost, false));
            let gained = EnergyAccount {
                kinetic: 1.0 + 0.01 * t,
                ..EnergyAccount::default()
            };
            assert!(!pushed.look(&gained, true));
            assert_eq!(wild.look(&gained, false), k == 60 || k == 120);
        }
        assert_eq!((calm.lift(), pushed.lift(), wild.lift()), (0, 0, 2));
        assert!(calm.note().is_none());
        assert!(wild.note().expect("told").contains("4 times"));
        // let go by a tool that put a joule in: a thousandth is left, and a tenth of that comes and goes
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
            assert!(!released.look(&energy, k < 10), "frame {k}");
        }
        let mut saved = Vec::new();
        wild.save(&mut saved);
        assert_eq!(saved.len(), EnergyMonitor::SAVED);
        assert_eq!(EnergyMonitor::restore(&saved), wild);
    }
}
