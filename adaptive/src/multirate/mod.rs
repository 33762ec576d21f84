//! Every element at its own step: powers of two of the frame, kicks by element impulses, positions that drift when they are needed.
//!
//! The scheme is the synchronised form of asynchronous variational integrators (Lew, Marsden, Ortiz, West 2003): each element kicks its nodes at its own
//! rate, and between kicks everything drifts. Momentum is kept to round-off whatever the rates; energy stays within a per cent with half the stable step
//! and rates that do not change from frame to frame. The literal loop of Debunne et al. 2001 (section 3.3), in which nodes jump by their own step,
//! diverges. Kicks are halved where frames meet, so that between frames positions, velocities and all rates belong to one time.
//!
//! [`ElementSteps`] chooses the rates, [`Group`] holds the elements of one rate with all that they need, [`CutDynamics`] fires them.

mod change;
mod dynamics;
mod fire;
mod group;
mod settle;
mod state;
mod steps;

pub use dynamics::CutDynamics;
pub use fire::{ContactPart, Fired};
pub use group::Group;
pub use steps::{DEEPEST, ElementSteps};
