//! The result of every source of Green's functions.

use pliant_core::math::Mat3;

use crate::asset::ReleasableSupport;
use crate::asset::inside::InsidePoint;
use crate::bake::stage_times::StageTimes;
use crate::greens::{GreensMatrix, SupportRows};

/// Green's functions of the boundary, with the responses of supports and points inside.
#[derive(Debug, Clone)]
pub struct GreensFunctions {
    /// Compliances between the free boundary nodes, m/N.
    pub matrix: GreensMatrix,
    /// Displacement of each free boundary node for a body force of 1 m/s² along x, y and z (the columns), m/(m/s²) = s².
    pub gravity: Vec<Mat3>,
    /// Reaction rows of the supports.
    pub supports: Vec<SupportRows>,
    /// Points inside, in the order of the parameters.
    pub inside: Vec<InsidePoint>,
    /// Supports that can be released.
    pub releasable: Vec<ReleasableSupport>,
    /// Scalar unknowns of the system.
    pub unknowns: usize,
    /// Wall time of the stages.
    pub times: StageTimes,
}
