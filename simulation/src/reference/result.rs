//! A reference: two runs, and the force by which methods are judged.

use super::causes::Cause;
use super::firm_force::FirmForce;
use super::runs::RecordedRun;

/// Both runs of a reference.
#[derive(Debug, Clone)]
pub struct Reference {
    /// On the finest level: the reference itself.
    pub fine: RecordedRun,
    /// On a level with about a quarter of the nodes.
    pub coarse: RecordedRun,
    /// Whether it comes from levels of few nodes, in a hurry: a finer one may follow.
    pub is_estimate: bool,
    /// The force by which methods are judged; `None` where no tool or grab that moves is felt.
    pub firm: Option<FirmForce>,
    /// What simplifications of the methods do to the force, where that was asked for.
    pub causes: Vec<Cause>,
    /// Wall time that it took now, s.
    pub seconds: f64,
    /// Whether both runs came from the cache.
    pub from_cache: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}
