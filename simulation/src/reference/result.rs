//! A reference: its runs, and the force by which methods are judged.

use super::causes::Cause;
use super::kind::ReferenceKind;
use super::reference_force::ReferenceForce;
use super::runs::RecordedRun;

/// A reference, or an estimate of one.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    /// What it takes into account.
    pub kind: ReferenceKind,
    /// On the finest level: the reference itself.
    pub fine: RecordedRun,
    /// On a level with about a quarter of the nodes. An estimate has none.
    pub coarse: Option<RecordedRun>,
    /// The force by which methods are judged; `None` where no tool or grab that moves is felt.
    pub force: Option<ReferenceForce>,
    /// What simplifications of the methods do to the force, where that was asked for.
    pub causes: Vec<Cause>,
    /// Wall time that it took now, s.
    pub seconds: f64,
    /// Whether both runs came from the cache.
    pub from_cache: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Reference {
    /// Whether it is one run on few nodes, in a hurry: a reference may follow.
    pub fn is_estimate(&self) -> bool {
        self.coarse.is_none()
    }

    /// What it is in a sentence: "the reference", "the linear reference", "an estimate of the static reference".
    pub fn title(&self) -> String {
        let adjective = self.kind.adjective();
        match self.is_estimate() {
            true => format!("an estimate of the {adjective}reference"),
            false => format!("the {adjective}reference"),
        }
    }

    /// Nodes of the levels that were run, coarse to fine.
    pub fn nodes(&self) -> Vec<usize> {
        let runs = self.coarse.iter().chain([&self.fine]);
        runs.map(|run| run.nodes).collect()
    }

    /// The same in words, fine to coarse: "35301 and 8788 nodes".
    pub fn nodes_in_words(&self) -> String {
        let nodes = self.nodes();
        let nodes: Vec<String> = nodes.iter().rev().map(usize::to_string).collect();
        format!("{} nodes", nodes.join(" and "))
    }
}
