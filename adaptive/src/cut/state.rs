//! States of the nodes, and the operations that keep them a balanced cut.

use std::sync::Arc;

use crate::cut::forest::Forest;
use crate::params::Interface;

/// State of a node relative to the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// On the cut: the node has mass, and forces act on it.
    Active,
    /// Above the cut: the node is replaced by descendants.
    Refined,
    /// Below the cut: the node is replaced by an ancestor.
    Dormant,
}

/// A cut: one active node on every path from the coarsest to the finest level.
///
/// Balance: of every node that is not dormant, the parents of all neighbours (nodes of a common tetrahedron) are not dormant either, so that
/// neighbouring active nodes differ by one level at most.
#[derive(Debug, Clone)]
pub struct Cut {
    pub(super) forest: Arc<Forest>,
    states: Vec<NodeState>,
    /// active corners of each tetrahedron
    corners: Vec<u8>,
    active: usize,
    /// evaluated tetrahedra of each level
    evaluated: Vec<usize>,
    /// shares of the tetrahedra at the interface, ascending; empty until they are computed
    shares: Vec<(u32, f64)>,
    /// factor on the weights of tetrahedra at the interface
    share_correction: f64,
    /// price of each tetrahedron while it is evaluated
    prices: Arc<[u32]>,
    pub(super) cost: u64,
    /// buffer for the splits of [`Cut::split_within`]
    pub(super) order: Vec<u32>,
}

impl Cut {
    /// All nodes of `level` that have an ancestor on the coarsest level are active; coarser nodes without children stay active, too.
    pub fn at_level(forest: Arc<Forest>, level: usize) -> Self {
        let mut cut = Self {
            states: vec![NodeState::Dormant; forest.node_count()],
            corners: vec![0; forest.tet_count()],
            active: 0,
            evaluated: vec![0; forest.level_count()],
            shares: Vec::new(),
            share_correction: 1.0,
            prices: std::iter::repeat_n(1, forest.tet_count()).collect(),
            cost: 0,
            order: Vec::new(),
            forest,
        };
        for node in cut.forest.nodes_of_level(0) {
            cut.set(node, NodeState::Active);
        }
        for l in 0..level.min(cut.forest.level_count() - 1) {
            for node in cut.forest.nodes_of_level(l) {
                if cut.is_active(node) {
                    cut.split(node);
                }
            }
        }
        cut
    }

    /// The coarsest cut.
    pub fn coarsest(forest: Arc<Forest>) -> Self {
        Self::at_level(forest, 0)
    }

    /// Copies another cut through the same forest, without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.states.clone_from(&other.states);
        self.corners.clone_from(&other.corners);
        self.evaluated.clone_from(&other.evaluated);
        self.shares.clone_from(&other.shares);
        self.forest = other.forest.clone();
        self.prices = other.prices.clone();
        (self.active, self.cost, self.share_correction) =
            (other.active, other.cost, other.share_correction);
    }

    /// The forest that is cut.
    pub fn forest(&self) -> &Arc<Forest> {
        &self.forest
    }

    /// State of a node.
    pub fn state(&self, node: u32) -> NodeState {
        self.states[node as usize]
    }

    /// States of all nodes.
    pub fn states(&self) -> &[NodeState] {
        &self.states
    }

    /// Whether a node moves.
    pub fn is_active(&self, node: u32) -> bool {
        self.state(node) == NodeState::Active
    }

    /// Number of active nodes.
    pub fn active_count(&self) -> usize {
        self.active
    }

    /// Active nodes, ascending.
    pub fn active_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.states.len() as u32).filter(|&n| self.is_active(n))
    }

    /// The active node on the path from `node` to the coarsest level, including the node itself; none for a refined node.
    pub(crate) fn active_ancestor(&self, node: u32) -> Option<u32> {
        let mut n = node;
        loop {
            match self.state(n) {
                NodeState::Active => return Some(n),
                NodeState::Refined => return None,
                NodeState::Dormant => n = self.forest.parent(n)?,
            }
        }
    }

    /// Active corners of a tetrahedron, 0 to 4; it is evaluated unless there are none.
    pub(crate) fn active_corners(&self, tet: u32) -> u8 {
        self.corners[tet as usize]
    }

    /// Factor on the force of a tetrahedron under an interface rule.
    pub fn weight(&self, tet: u32, rule: Interface) -> f64 {
        match rule {
            Interface::Paper => 1.0,
            Interface::Conservative => self.share(tet),
        }
    }

    /// Factor on the shares of tetrahedra with some active corners, so that all shares add up to the body; see [`Cut::compute_shares`].
    pub fn share_correction(&self) -> f64 {
        self.share_correction
    }

    /// Share of a tetrahedron in the body where it lies: 1 where all corners are active, and what [`Cut::compute_shares`] found where some are. Until that was called,
    /// each active corner counts a quarter.
    pub fn share(&self, tet: u32) -> f64 {
        let corners = self.active_corners(tet);
        if corners < 4
            && let Ok(k) = self.shares.binary_search_by_key(&tet, |s| s.0)
        {
            return self.shares[k].1 * self.share_correction;
        }
        f64::from(corners) / 4.0
    }

    pub(super) fn set_shares(&mut self, shares: Vec<(u32, f64)>, share_correction: f64) {
        (self.shares, self.share_correction) = (shares, share_correction);
    }

    /// Evaluated tetrahedra, ascending.
    pub fn evaluated(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..self.corners.len() as u32).filter(|&t| self.corners[t as usize] > 0)
    }

    /// Evaluated tetrahedra of each level.
    pub fn evaluated_counts(&self) -> &[usize] {
        &self.evaluated
    }

    /// Sum of the prices of the evaluated tetrahedra; each costs 1 unless [`Cut::set_prices`] says otherwise.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Sets what each tetrahedron (one number for each of the forest) costs while it is evaluated, such as its firings a frame.
    pub fn set_prices(&mut self, prices: Arc<[u32]>) {
        self.prices = prices;
        self.cost = self.evaluated().map(|t| self.price(t)).sum();
    }

    /// Price of a tetrahedron while it is evaluated.
    pub(crate) fn price(&self, tet: u32) -> u64 {
        self.prices.get(tet as usize).copied().map_or(1, u64::from)
    }

    /// Sets the states of all nodes, for example those of a snapshot. Returns `false`, and changes nothing, where they are no cut.
    pub fn set_states(&mut self, states: &[NodeState]) -> bool {
        if !is_cut(&self.forest, states) {
            return false;
        }
        for (node, &state) in states.iter().enumerate() {
            self.set(node as u32, state);
        }
        true
    }

    pub(super) fn set(&mut self, node: u32, state: NodeState) {
        let was = std::mem::replace(&mut self.states[node as usize], state);
        let (was, is) = (was == NodeState::Active, state == NodeState::Active);
        if was == is {
            return;
        }
        self.active = if is { self.active + 1 } else { self.active - 1 };
        // these belong to other states
        self.shares.clear();
        self.share_correction = 1.0;
        let level = self.forest.level_of(node);
        for &tet in self.forest.tets_of(node) {
            let price = self.price(tet);
            let corners = &mut self.corners[tet as usize];
            if is {
                if *corners == 0 {
                    self.evaluated[level] += 1;
                    self.cost += price;
                }
                *corners += 1;
            } else {
                *corners -= 1;
                if *corners == 0 {
                    self.evaluated[level] -= 1;
                    self.cost -= price;
                }
            }
        }
    }
}

/// Whether there is exactly one active node on every path: coarsest nodes are not dormant, children of refined nodes are not dormant, all others are.
fn is_cut(forest: &Forest, states: &[NodeState]) -> bool {
    states.len() == forest.node_count()
        && (0..states.len() as u32).all(|n| {
            let is_dormant = states[n as usize] == NodeState::Dormant;
            let is_leaf = forest.children(n).is_empty();
            let parent_is_refined = forest
                .parent(n)
                .is_none_or(|p| states[p as usize] == NodeState::Refined);
            is_dormant != parent_is_refined
                && !(is_leaf && states[n as usize] == NodeState::Refined)
        })
}
