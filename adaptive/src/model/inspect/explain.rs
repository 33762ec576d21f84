//! Why a part of the body has its resolution and its step, in one sentence.

use pliant_core::math::numbers::decimal;

use crate::governor::SplitReason;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::step::multirate::DEEPEST;

impl AdaptiveModel {
    /// Why the node that moves under skin vertex `vertex` has its level and its step; `None` for a vertex that does not exist.
    pub fn explain(&self, vertex: u32) -> Option<String> {
        if vertex as usize >= self.asset.skin.vertex_count() {
            return None;
        }
        match &self.cut {
            Some(body) => explain_cut(body, vertex as usize),
            None => Some(self.explain_level()),
        }
    }

    fn explain_level(&self) -> String {
        let levels = self.asset.levels.len();
        let finer = match self.withheld && levels > 1 {
            true => ", and the budget forbids a finer one",
            false => "",
        };
        let since = match self.handed_over_by() {
            Some(cause) => format!(", since {}", cause.event()),
            None => String::new(),
        };
        format!(
            "level {} (of 0 to {}) moves as a whole with {} steps a frame{since}{finer}",
            self.level,
            levels - 1,
            self.substeps
        )
    }
}

/// The active node that is nearest to a skin vertex; `None` for a vertex without a node.
pub(super) fn nearest_node(body: &CutBody, vertex: usize) -> Option<u32> {
    let d = &body.dynamics;
    let (level, first) = d.forest.level(d.forest.level_count() - 1);
    let entries = level.embedding.entries(vertex);
    let (nearest, _) = entries.max_by(|a, b| a.1.total_cmp(&b.1))?;
    d.cut.active_ancestor(first + nearest)
}

fn explain_cut(body: &CutBody, vertex: usize) -> Option<String> {
    let d = &body.dynamics;
    let forest = &d.forest;
    let node = nearest_node(body, vertex)?;
    let (gamma, thresholds) = (body.governor.gamma(node), body.governor.thresholds());
    let level_of_step = d.node_levels.get(node as usize).copied().unwrap_or(0);
    let steps = d.steps.parts() << level_of_step.min(DEEPEST);
    let pace = match body.touches(node) {
        true => "because a tool touches it",
        false => "as its stiffest element asks",
    };
    let refusal = body.governor.refusals().iter().find(|r| r.node == node);
    let because = if let Some(refusal) = refusal {
        let reason = match refusal.split_reason {
            SplitReason::Contact { .. } => "contact is near",
            SplitReason::Criterion { .. } => "its motion is too far from linear",
        };
        format!(
            "{reason}, but splitting it would take {} tetrahedron evaluations per frame, and {} are allowed",
            refusal.with_split, refusal.allowed
        )
    } else if forest.children(node).is_empty() {
        "it cannot be split further".to_string()
    } else if body.focus.is_near(forest, node) {
        "contact is near".to_string()
    } else if gamma >= thresholds.merge {
        format!(
            "it departs {} mm from linear motion, between {} mm for merging and {} mm for splitting",
            decimal(1e3 * gamma),
            decimal(1e3 * thresholds.merge),
            decimal(1e3 * thresholds.split)
        )
    } else {
        format!(
            "it departs {} mm from linear motion, less than the {} mm that ask for more nodes",
            decimal(1e3 * gamma),
            decimal(1e3 * thresholds.split)
        )
    };
    Some(format!(
        "node {node} moves on level {} (of 0 to {}) with {steps} steps a frame, {pace}: {because}",
        forest.level_of(node),
        forest.level_count() - 1
    ))
}
