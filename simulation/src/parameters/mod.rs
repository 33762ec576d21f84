//! From the text of a scene to the parameters of each solver.

mod adaptive;
mod body_contact;
mod lattice;
mod quasistatic;
mod vertex_weights;

pub(crate) use adaptive::{DEFAULT_BUDGET_MS, adaptive_params, moves_on_cut};
pub(crate) use body_contact::body_contact;
pub(crate) use lattice::{lattice_params, lattice_params_of};
pub(crate) use quasistatic::{check_constraint_level, load_points, quasistatic_params};
