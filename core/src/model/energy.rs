//! The energies of a body.

/// Energies, J. `dissipated` and `work` count from the last reset.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EnergyAccount {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Strain energy, zero at rest.
    pub elastic: f64,
    /// Potential energy of gravity, zero at rest.
    pub potential: f64,
    /// Dissipated so far: by damping and contact.
    pub dissipated: f64,
    /// Work of tools, grabs and loads so far: their force times their velocity, or that of the loaded point.
    pub work: f64,
}

impl EnergyAccount {
    /// `kinetic + elastic + potential + dissipated − work`: zero where no energy is lost or gained.
    pub fn balance(&self) -> f64 {
        self.kinetic + self.elastic + self.potential + self.dissipated - self.work
    }

    /// The same account where tools did `lost` (J) more work, all of which was dissipated. The balance is the same.
    pub fn with_dissipated_work(self, lost: f64) -> Self {
        Self {
            dissipated: self.dissipated + lost,
            work: self.work + lost,
            ..self
        }
    }

    /// Largest term, the scale for [`EnergyAccount::balance`].
    pub fn scale(&self) -> f64 {
        [
            self.kinetic,
            self.elastic,
            self.potential,
            self.dissipated,
            self.work,
        ]
        .into_iter()
        .fold(0.0, |a, b| a.max(b.abs()))
    }
}
