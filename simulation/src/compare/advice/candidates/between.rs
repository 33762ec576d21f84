//! A level as fine as the budget bears, between two that are too coarse and too dear.

use pliant_core::scene::Method;

use super::candidate::{Candidate, Family};
use super::setting::{Setting, SettingValue};
use crate::compare::advice::choice::Goal;
use crate::compare::advice::figures::CandidateFigures;
use crate::compare::advice::result::Tried;

/// Share of the budget that the level is meant to cost: the price of a mesh that is not made yet is a guess.
const AIM: f64 = 0.85;
/// A gap in cost that is worth another bake.
const GAP: f64 = 1.8;
/// Nodes of a level over those of the next coarser one.
const RATIO: f64 = 3.5;
/// Coarsest level.
const FEWEST_NODES: f64 = 40.0;
/// A budget that every level of the scene fits into, over the wanted one.
const AMPLE: f64 = 20.0;

/// A candidate between the dearest level that the budget bears and the next finer one, where they are far apart; `None` where there is nothing between.
///
/// Its nodes are interpolated: cost is taken to be a power of them.
pub(in crate::compare::advice) fn level_between(tried: &[Tried], goal: &Goal) -> Option<Candidate> {
    let mut levels: Vec<(&Candidate, &CandidateFigures)> = tried
        .iter()
        .filter(|one| one.candidate.family == Family::Level)
        .filter_map(|one| Some((&one.candidate, one.figures()?)))
        .collect();
    levels.sort_by(|a, b| a.1.median_ms.total_cmp(&b.1.median_ms));
    let aim = AIM * goal.budget_ms();
    let dearer = levels.iter().position(|l| l.1.median_ms > aim)?;
    let (finer, coarser) = (levels[dearer], levels[dearer.checked_sub(1)?]);
    let (cheap, dear) = (coarser.1.median_ms, finer.1.median_ms);
    let (few, many) = (coarser.1.active_nodes as f64, finer.1.active_nodes as f64);
    let is_wide = aim > GAP * cheap && dear > aim && many > few && few > 0.0;
    if !is_wide {
        return None;
    }
    let share = (aim / cheap).ln() / (dear / cheap).ln();
    let mut nodes = vec![few * (many / few).powf(share)];
    while nodes[0] / RATIO >= FEWEST_NODES {
        nodes.insert(0, nodes[0] / RATIO);
    }
    let counts = nodes.iter().map(|n| n.round() as usize).collect();
    let of = |key, value| Setting::new(Method::Adaptive, key, value);
    Some(Candidate {
        method: Method::Adaptive,
        family: Family::Level,
        settings: vec![
            Setting::without(Method::Adaptive, "target_edges"),
            of("nodes", SettingValue::Counts(counts)),
            of("budget_ms", SettingValue::Number(AMPLE * goal.budget_ms())),
            of("resolution", SettingValue::Word("level")),
        ],
        resolution: (coarser.0.resolution * finer.0.resolution).sqrt(),
    })
}
