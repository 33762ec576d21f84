//! Exchange between the bodies and the solver: rows, velocities, forces.

mod assemble;
mod exchange;
mod rigid_shares;
