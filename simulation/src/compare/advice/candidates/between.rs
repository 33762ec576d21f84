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
/// Budget over the largest one that was too small for the finer level: that is a bound, and the meshes differ a little.
const BELOW: f64 = 0.65;
/// Least ratio of the nodes of two levels.
const LEAST_RATIO: f64 = 1.4;

/// A candidate between the dearest level that the budget bears and the next finer one, where they are far apart; `None` where there is nothing between.
///
/// Its nodes are interpolated: cost is taken to be a power of them. The finer level stays the finest one, because coarser ones are fitted to it when they are baked, and the budget
/// lies safely below what was too small for it.
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
    let between = rounded(few * (many / few).powf(share));
    if many < LEAST_RATIO * between {
        return None;
    }
    let budgets = tried.iter().filter(|one| {
        one.candidate.family == Family::Level && one.candidate.resolution < finer.0.resolution
    });
    let too_small = budgets.map(|one| one.candidate.resolution);
    let budget = BELOW * too_small.fold(0.0, f64::max);
    let mut nodes = vec![between, many];
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
            of("budget_ms", SettingValue::Number(budget)),
            of("resolution", SettingValue::Word("level")),
        ],
        resolution: (budget * finer.0.resolution).sqrt(),
    })
}

/// The nearest of ten steps a decade: times vary a little from run to run, and the mesh should not.
fn rounded(nodes: f64) -> f64 {
    10_f64.powf((nodes.log10() * 10.0).round() / 10.0)
}
