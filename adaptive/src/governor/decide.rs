//! How the cut changes before a frame: contact comes first, then the nodes with the largest indicators.
//!
//! The price of a cut is known before the frame: every evaluated tetrahedron fires a known number of times ([`crate::step::multirate`]). Each frame, in this order:
//!
//! 1. A cut beyond the budget is merged until it fits with some reserve (the budget fell, or strain made steps shorter). Nodes with the lowest indicator for the work
//!    saved are merged first, nodes near contact last.
//! 2. Nodes near contact are split, nearest first ([`crate::governor::contact_focus`]). Nodes that contact has left are merged if the criterion allows it.
//!    Where contact is refused a split, nodes that the criterion had split elsewhere are merged, lowest indicator first, and nothing else is split.
//! 3. Nodes whose indicator exceeds the threshold are split, worst first, while the budget lasts.
//! 4. The body as a whole is as fine as a share of the budget allows ([`AdaptiveParams::floor_share`]), so that no budget is left unused. Where contact is refused a split, the
//!    whole body becomes one level coarser.
//!
//! Where all that is not enough, [`pliant_core::model::degradation_levels`] lists further degradations. Every refused split is logged with its reason
//! ([`Refusal`]). Decisions depend on the state alone, in work units: the same input gives the same cuts on every machine and after every restart from a snapshot.

use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::Vec3;

use crate::cut::{Cut, Forest, Operators};
use crate::error::AdaptiveModelError;
use crate::governor::contact_focus::ContactFocus;
use crate::governor::criterion::{
    DEFAULT_SHARE, FREE_SHARE, Indicator, Thresholds, Workspace, indicators, shortest_edges,
};
use crate::governor::floor::Floor;
use crate::governor::refusal::{MAX_REFUSALS, Refusal, SplitReason};
use crate::params::AdaptiveParams;

/// Share of the budget that a changed cut may cost. Tools and interfaces between levels shorten the steps of some new elements, and by how much is known a frame later.
const MAX_CHANGED_SHARE: f64 = 0.85;

/// Where contact is refused a split, nodes away from contact are merged until the cut costs this share of what a changed cut may cost.
const CONTACT_ROOM: f64 = 0.9;

/// What a cut may cost, in prices of its tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutBudget {
    /// What a frame may cost in all.
    pub budget: u64,
    /// Largest cost of an unchanged cut.
    pub max_cost: u64,
    /// Largest cost of a cut that changes: the change itself costs work, too.
    pub max_changed_cost: u64,
    /// Whether a cut may become more expensive. It may not soon after it cost too much.
    pub may_grow: bool,
}

/// Indicators of the nodes of a cut, thresholds, and the log of what was refused.
#[derive(Debug, Clone)]
pub struct Governor {
    /// the thresholds in use
    thresholds: Thresholds,
    /// while something touches the body, and while nothing does
    touched: Thresholds,
    free: Thresholds,
    shortest: Vec<f64>,
    work: Workspace,
    indicators: Vec<Indicator>,
    /// indicator of each node, m
    gamma: Vec<f64>,
    /// nodes with an indicator
    indicated: Vec<u32>,
    /// buffer for the nodes beyond the threshold
    candidates: Vec<(f64, u32)>,
    refusals: Vec<Refusal>,
    floor: Floor,
}

impl Governor {
    /// For the levels of `forest`, with the thresholds and the floor of `params`. Without `gamma_max` the threshold is [`DEFAULT_SHARE`] of the diagonal, or [`FREE_SHARE`] while nothing touches the body.
    ///
    /// # Errors
    /// No positive `gamma_max`.
    pub fn new(forest: &Forest, params: &AdaptiveParams) -> Result<Self, AdaptiveModelError> {
        let levels = &forest.asset().levels;
        let ratio = levels
            .windows(2)
            .map(|pair| pair[0].spacing / pair[1].spacing)
            .fold(1.0, f64::max);
        let diagonal = forest.asset().skin.bounds().diagonal();
        let thresholds = |share: f64| {
            let split = params.gamma_max.unwrap_or(share * diagonal);
            Thresholds::new(split, params.gamma_min, ratio)
        };
        let free = thresholds(FREE_SHARE)?;
        Ok(Self {
            thresholds: free,
            touched: thresholds(DEFAULT_SHARE)?,
            free,
            shortest: shortest_edges(forest.rest(), forest.tets()),
            work: Workspace::default(),
            indicators: Vec::new(),
            gamma: vec![0.0; forest.node_count()],
            indicated: Vec::new(),
            candidates: Vec::new(),
            refusals: Vec::new(),
            floor: Floor::new(forest, params.floor_share),
        })
    }

    /// Resets all indicators and refusals.
    pub(crate) fn reset(&mut self) {
        self.gamma.fill(0.0);
        self.indicated.clear();
        self.refusals.clear();
        self.floor.reset();
    }

    /// The state that depends on past frames.
    pub(crate) fn saved(&self) -> [f64; 2] {
        self.floor.saved()
    }

    /// Restores what was saved.
    pub(crate) fn restore(&mut self, from: [f64; 2]) {
        self.floor.restore(from);
    }

    /// Thresholds, m.
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// Indicator of a node at the last update, m; 0 for nodes that were not active.
    pub fn gamma(&self, node: u32) -> f64 {
        self.gamma[node as usize]
    }

    /// Splits that the last decision refused.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Computes the indicators of the active nodes of the cut of `operators`. `positions` (m) are those of the nodes of all levels, ghosts up to date.
    pub fn update_indicators(
        &mut self,
        forest: &Forest,
        operators: &Operators,
        positions: &[Vec3],
        lame: &LameParameters,
        law: MaterialLaw,
    ) {
        let tets = operators
            .evaluated()
            .iter()
            .map(|&t| (forest.tets()[t as usize], forest.shape(t)));
        indicators(
            tets,
            positions,
            &self.shortest,
            lame,
            law,
            &mut self.work,
            &mut self.indicators,
        );
        for n in self.indicated.drain(..) {
            self.gamma[n as usize] = 0.0;
        }
        self.indicated.extend_from_slice(operators.active());
        for &node in &self.indicated {
            let found = &self.indicators[node as usize];
            self.gamma[node as usize] = match forest.support(node).is_some() {
                true => found.held(),
                false => found.gamma(),
            };
        }
    }

    /// Changes `cut` in the order that the head of this file gives, within `limits`. Without `has_indicators` the indicators do not belong to the present state, and nothing is
    /// merged or split by them. Returns whether a split was refused or the coarsest cut costs too much.
    pub fn decide(
        &mut self,
        cut: &mut Cut,
        focus: &mut ContactFocus,
        limits: CutBudget,
        has_indicators: bool,
    ) -> bool {
        self.refusals.clear();
        let CutBudget {
            budget,
            max_cost,
            max_changed_cost,
            may_grow,
        } = limits;
        let mut limit = (max_changed_cost as f64 * MAX_CHANGED_SHARE) as u64;
        let is_small = cut.cost() <= max_cost;
        let fits =
            is_small || self.merge_until(cut, focus, limit, |_| true) || cut.cost() <= max_cost;
        if has_indicators {
            self.floor.choose(cut, budget, !focus.is_empty());
        }
        let floor = self.floor.level();
        if !may_grow {
            limit = limit.min(cut.cost());
        }
        self.thresholds = match focus.is_empty() {
            true => self.free,
            false => self.touched,
        };
        let (gamma, merge) = (&self.gamma, self.thresholds.merge);
        let keep = |forest: &Forest, node: u32| {
            let children = forest.children(node);
            !has_indicators
                || forest.level_of(node) < floor
                || children.iter().any(|&c| gamma[c as usize] >= merge)
        };
        let forest = cut.forest().clone();
        let refused = |refusals: &mut Vec<Refusal>, cut: &Cut, node, distance, cost| {
            let reason = SplitReason::Contact { distance };
            refusals.push(Refusal::new(cut, node, reason, cost, limit));
        };
        let mut refusals = std::mem::take(&mut self.refusals);
        focus.apply(
            cut,
            limit,
            |node| keep(&forest, node),
            |cut, node, distance, cost| refused(&mut refusals, cut, node, distance, cost),
        );
        // touched nodes come first
        let contact_is_refused = !refusals.is_empty();
        if contact_is_refused {
            self.floor.contact_is_refused = true;
            let may_merge =
                |node: u32| forest.level_of(node) >= floor && !focus.is_near(&forest, node);
            let before = cut.cost();
            self.merge_until(cut, focus, (limit as f64 * CONTACT_ROOM) as u64, may_merge);
            if cut.cost() < before {
                refusals.clear();
                focus.apply(
                    cut,
                    limit,
                    |_| true,
                    |cut, node, distance, cost| refused(&mut refusals, cut, node, distance, cost),
                );
            }
        }
        self.refusals = refusals;
        if has_indicators && !contact_is_refused {
            self.refine(cut, limit);
        }
        if has_indicators && is_small {
            self.floor.raise(cut, limit);
        }
        !fits || !self.refusals.is_empty()
    }

    /// Merges a changed cut until the price of the change fits into the budget, too. Otherwise each of many small changes would exceed it.
    pub(crate) fn fit_change(&self, cut: &mut Cut, focus: &ContactFocus, limits: CutBudget) {
        if cut.cost() > limits.max_changed_cost.min(limits.max_cost) {
            let max_cost = (limits.max_changed_cost as f64 * MAX_CHANGED_SHARE) as u64;
            self.merge_until(cut, focus, max_cost, |_| true);
        }
    }

    /// Splits the worst resolved nodes while the cost stays within `max_cost`.
    fn refine(&mut self, cut: &mut Cut, max_cost: u64) {
        let forest = cut.forest().clone();
        let split = self.thresholds.split;
        let gamma = &self.gamma;
        let beyond = |n: &u32| gamma[*n as usize] > split && !forest.children(*n).is_empty();
        let candidates = &mut self.candidates;
        candidates.clear();
        candidates.extend(
            cut.active_nodes()
                .filter(beyond)
                .map(|n| (gamma[n as usize], n)),
        );
        candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut tries = MAX_REFUSALS;
        for &(gamma, node) in &*candidates {
            if !cut.is_active(node) {
                continue;
            }
            let Err(cost) = cut.split_within(node, max_cost) else {
                continue;
            };
            let reason = SplitReason::Criterion {
                gamma,
                threshold: split,
            };
            self.refusals
                .push(Refusal::new(cut, node, reason, cost, max_cost));
            tries -= 1;
            // without any budget left no split is cheap enough
            if tries == 0 || cut.cost() >= max_cost {
                break;
            }
        }
    }

    /// Merges the children of nodes for which `may_merge` is true until the cut costs at most `max_cost`. Returns `false` where it still costs more.
    fn merge_until(
        &self,
        cut: &mut Cut,
        focus: &ContactFocus,
        max_cost: u64,
        may_merge: impl Fn(u32) -> bool,
    ) -> bool {
        while cut.cost() > max_cost {
            let forest = cut.forest().clone();
            let merges = |n: &u32| cut.can_merge(*n) && may_merge(*n);
            // fine levels first: coarser nodes can merge only afterwards
            let level = (0..forest.level_count())
                .rev()
                .find(|&l| forest.nodes_of_level(l).any(|n| merges(&n)));
            let Some(level) = level else {
                return false;
            };
            let mut order: Vec<(bool, f64, u32)> = forest
                .nodes_of_level(level)
                .filter(merges)
                .map(|n| {
                    let children = forest.children(n);
                    let worst = children
                        .iter()
                        .map(|&c| self.gamma[c as usize])
                        .fold(0.0, f64::max);
                    (focus.is_near(&forest, n), worst / children.len() as f64, n)
                })
                .collect();
            order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
            for (_, _, node) in order {
                if cut.cost() <= max_cost {
                    break;
                }
                cut.merge(node);
            }
        }
        true
    }
}
