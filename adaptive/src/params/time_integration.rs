//! Rules of the time integration: stable step, damping, filter, and coupling of different steps.

/// Rule for the stable time step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepRule {
    /// From the highest frequency of every element, its stretch and the damping: a bound for the assembled mesh.
    #[default]
    ElementBound,
    /// Shortest edge over wave speed (Debunne et al. 2001, Eq. 10), times 0.4 because the printed factor 1 is not stable. The method of the paper, for
    /// comparison.
    Courant,
}

/// Rule that derives the damping from a damping ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DampingRule {
    /// Strain damping alone, as in the 2001 paper: the ratio grows with the frequency, and with it the number of steps, on fine levels by several times.
    #[default]
    Strain,
    /// Strain damping that shortens the step by a quarter, and for the rest drag relative to the body's rigid motion: the ratio is the same at
    /// the lowest mode and smaller above. Rigid motion is never damped.
    Rayleigh,
}

pliant_core::named!(DampingRule { Strain => "strain", Rayleigh => "rayleigh" });

/// Whether velocities of one level are filtered, so that steps may be twice as long (see [`crate::step::filter`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FilterRule {
    /// No filter.
    #[default]
    Off,
    /// Filters the whole velocity (Debunne et al. 2001, Eq. 11): slows all motion, also free fall. The method of the paper, for comparison.
    Paper,
}

/// Coupling of elements with different steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Every element kicks its corners at its own rate (see [`crate::step::multirate`]): momentum is conserved, energy almost.
    #[default]
    ElementImpulses,
    /// Every node is kicked at its own rate by all elements around it, and moves by its whole step at once: its neighbours see its future position (Debunne et al. 2001,
    /// section 3.3 and figure 7 as printed). Momentum is not conserved, and without damping the motion diverges. The method of the paper, for comparison.
    NodeJump,
}
