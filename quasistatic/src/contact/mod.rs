//! Contact: constraints of the skin as scalar conditions, and Coulomb friction.
//!
//! [`capacitance`](crate::capacitance) finds the conditions that push, and [`friction`] alternates with it.

pub mod coarse;
pub mod conditions;
mod dense_cholesky;
mod disc_newton;
mod disc_problem;
mod disc_solver;
pub mod friction;
mod hat_choice;
pub(crate) mod held_frames;
pub(crate) mod level_choice;

pub(crate) use disc_problem::DiscProblem;
pub(crate) use disc_solver::DiscSolver;
