//! Impulses of contact: rows, their solution by projected Gauss-Seidel, and the cache of it.

mod gauss_seidel;
mod halves;
mod pass;
mod position_correction;
mod rigid_projection;
mod row;
mod warm_start;

pub(crate) use gauss_seidel::Solver;
pub(crate) use halves::{half_and_element, packed_index};
pub(crate) use rigid_projection::{RigidMotion, RigidProjection};
pub(crate) use row::{MAX_STRIDE_LEVEL, NO_SIDE, NONE, Row, Side, StepRule, StepRules};
