//! Contact: constraints of the skin as scalar conditions, and Coulomb friction between what touches.
//!
//! Which conditions push is found by [`capacitance`](crate::capacitance); [`friction`] alternates with it.

pub mod coarse;
pub mod conditions;
mod dense_cholesky;
mod disc_newton;
mod disc_problem;
mod disc_solver;
pub mod friction;
mod hat_choice;
mod tangents;

pub(crate) use disc_problem::DiscProblem;
pub(crate) use disc_solver::DiscSolver;
