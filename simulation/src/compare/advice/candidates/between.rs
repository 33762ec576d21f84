//! A level that uses the budget, between one that is too coarse and one that is too expensive.

use pliant_core::scene::Method;

use super::candidate::{Candidate, Family};
use super::setting::{Setting, SettingValue};
use crate::compare::advice::choice::Goal;
use crate::compare::advice::figures::CandidateFigures;
use crate::compare::advice::result::TriedCandidate;

/// Target cost of the level over the budget: the cost of a mesh that does not exist yet is an estimate.
const TARGET_SHARE: f64 = 0.85;
/// Ratio of costs above which another bake is worth its time.
const MIN_COST_RATIO: f64 = 1.8;
/// Nodes of a level over those of the next coarser one.
const LEVEL_RATIO: f64 = 3.5;
/// Fewest nodes of a level.
const MIN_NODES: f64 = 40.0;
/// Budget over the largest one that was too small for the finer level. That one is only a bound, and the meshes differ a little.
const BUDGET_MARGIN: f64 = 0.65;
/// Smallest ratio of the nodes of two levels.
const MIN_NODE_RATIO: f64 = 1.4;

/// A candidate between the finest level within the budget and the next finer one; `None` where their costs do not differ much.
///
/// Its nodes are interpolated: cost is taken to be a power of them. The finer level stays the finest one, because coarser ones are fitted to it when they are baked, and the budget
/// lies safely below what was too small for it.
pub(in crate::compare::advice) fn level_between(
    tried: &[TriedCandidate],
    goal: &Goal,
) -> Option<Candidate> {
    let mut levels: Vec<(&Candidate, &CandidateFigures)> = tried
        .iter()
        .filter(|one| one.candidate.family == Family::Level)
        .filter_map(|one| Some((&one.candidate, one.figures()?)))
        .collect();
    levels.sort_by(|a, b| a.1.median_ms.total_cmp(&b.1.median_ms));
    let target_ms = TARGET_SHARE * goal.budget_ms();
    let first_above = levels.iter().position(|l| l.1.median_ms > target_ms)?;
    let (finer, coarser) = (levels[first_above], levels[first_above.checked_sub(1)?]);
    let (coarser_ms, finer_ms) = (coarser.1.median_ms, finer.1.median_ms);
    let (coarser_nodes, finer_nodes) = (coarser.1.active_nodes as f64, finer.1.active_nodes as f64);
    let is_wide = target_ms > MIN_COST_RATIO * coarser_ms
        && finer_ms > target_ms
        && finer_nodes > coarser_nodes
        && coarser_nodes > 0.0;
    if !is_wide {
        return None;
    }
    let share = (target_ms / coarser_ms).ln() / (finer_ms / coarser_ms).ln();
    let between = rounded(coarser_nodes * (finer_nodes / coarser_nodes).powf(share));
    if finer_nodes < MIN_NODE_RATIO * between {
        return None;
    }
    let budgets = tried.iter().filter(|one| {
        one.candidate.family == Family::Level && one.candidate.resolution < finer.0.resolution
    });
    let too_small = budgets.map(|one| one.candidate.resolution);
    let budget = BUDGET_MARGIN * too_small.fold(0.0, f64::max);
    let mut nodes = vec![between, finer_nodes];
    while nodes[0] / LEVEL_RATIO >= MIN_NODES {
        nodes.insert(0, nodes[0] / LEVEL_RATIO);
    }
    let counts = nodes.iter().map(|n| n.round() as usize).collect();
    let setting = |key, value| Setting::new(Method::Adaptive, key, value);
    Some(Candidate {
        method: Method::Adaptive,
        family: Family::Level,
        settings: vec![
            Setting::without(Method::Adaptive, "target_edges"),
            setting("nodes", SettingValue::Counts(counts)),
            setting("budget_ms", SettingValue::Number(budget)),
            setting("resolution", SettingValue::Word("level")),
        ],
        resolution: (budget * finer.0.resolution).sqrt(),
    })
}

/// The nearest of ten steps a decade: times vary a little from run to run, and the mesh should not.
fn rounded(nodes: f64) -> f64 {
    10_f64.powf((nodes.log10() * 10.0).round() / 10.0)
}
