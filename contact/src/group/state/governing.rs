//! What a group remembers of its budget and of what it gave up.

use pliant_core::model::degradation_levels::DegradationLevels;

/// What a group remembers of its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Governing {
    pub degradation: DegradationLevels,
    /// work units of the present frame
    pub budget: u64,
    /// steps of the last frame if nothing had been given up
    pub steps: u32,
    /// times that steps were settled because something is given up
    pub settled: u64,
    /// whether bodies have viscous forces
    pub is_damped: bool,
}

impl Governing {
    /// Numbers of a snapshot.
    pub const SAVED: usize = DegradationLevels::SAVED + 1;

    pub fn save(&self, to: &mut Vec<f64>) {
        self.degradation.save(to);
        to.push(f64::from(self.steps));
    }

    /// Takes back what was saved; counts go on.
    pub fn restore(&mut self, from: &[f64; Self::SAVED]) {
        let [degradation @ .., steps] = *from;
        self.degradation.restore(degradation);
        self.steps = steps as u32;
    }
}
