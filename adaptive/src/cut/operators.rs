//! How ghost nodes follow active nodes, and how forces on ghosts are distributed to the nodes that they follow.

use pliant_core::math::Vec3;

use crate::cut::blend::SkinBlend;
use crate::cut::forest::Forest;
use crate::cut::state::{Cut, NodeState};
use crate::hierarchy::stencil::{
    Stencils, affine_stencil, affine_weights, has_small_weights, sort_by_distance,
};

/// No row.
const NONE: u32 = u32::MAX;
/// Number of nodes of the largest stencil that is tried before one over all active nodes.
const MAX_FALLBACK_NODES: usize = 64;

/// Ghosts of a cut in an order in which each depends on nodes before it only: refined ones from fine to coarse, then dormant ones from coarse to fine.
///
/// A refined ghost depends on active and refined nodes of the next finer level (and, where these do not span space, on active neighbours of its own), a
/// dormant one on any nodes of the next coarser level. Every row reproduces affine motions. Held nodes of any state stay where they are and have no row.
#[derive(Debug, Clone, Default)]
pub struct Operators {
    active: Vec<u32>,
    evaluated: Vec<u32>,
    ghosts: Vec<u32>,
    rows: Stencils,
    row_of: Vec<u32>,
}

impl Operators {
    /// All ghosts of `cut`. Cost: some hundred nanoseconds a node of all levels, and ten microseconds a refined node at the interface.
    pub fn new(cut: &Cut) -> Self {
        Self::with_lists(cut, 0..cut.forest().node_count() as u32)
    }

    /// The ghosts of `cut` that evaluated tetrahedra and the skin depend on, and the ghosts that these depend on.
    pub fn needed(cut: &Cut, blend: &SkinBlend) -> Self {
        let forest = cut.forest();
        let corners = cut.evaluated().flat_map(|t| forest.tets()[t as usize]);
        let skin = (0..blend.len()).flat_map(|v| blend.row(cut, v).map(|(n, _)| n));
        Self::with_lists(cut, corners.chain(skin))
    }

    fn with_lists(cut: &Cut, nodes: impl IntoIterator<Item = u32>) -> Self {
        Self {
            active: cut.active_nodes().collect(),
            evaluated: cut.evaluated().collect(),
            ..Self::for_nodes(cut, nodes)
        }
    }

    /// The ghosts among `nodes` and the ghosts that these depend on, without lists of active nodes and evaluated tetrahedra. Active and held nodes have no row.
    pub(crate) fn for_nodes(cut: &Cut, nodes: impl IntoIterator<Item = u32>) -> Self {
        let forest = cut.forest();
        let mut row_of = vec![NONE; forest.node_count()];
        let (mut found, mut rows) = (Vec::new(), Stencils::default());
        let mut stack = Vec::new();
        for first in nodes {
            stack.push(first);
            while let Some(node) = stack.pop() {
                let is_new = row_of[node as usize] == NONE;
                if !is_new || cut.is_active(node) || forest.support(node).is_some() {
                    continue;
                }
                row_of[node as usize] = found.len() as u32;
                found.push(node);
                if cut.state(node) == NodeState::Dormant {
                    let (l, index) = forest.level_and_index(node);
                    let coarser = forest.nodes_of_level(l - 1).start;
                    let (nodes, weights) = forest.level(l).0.up.row(index);
                    rows.push(
                        nodes
                            .iter()
                            .map(|n| n + coarser)
                            .zip(weights.iter().copied()),
                    );
                } else {
                    rows.push(baked_row(cut, node).unwrap_or_else(|| interface_row(cut, node)));
                }
                stack.extend_from_slice(rows.row(rows.len() - 1).0);
            }
        }
        // refined ones from fine to coarse, then dormant ones from coarse to fine
        let levels = forest.level_count();
        let key = |n: u32| match cut.state(n) {
            NodeState::Dormant => (levels + forest.level_of(n), n),
            _ => (levels - forest.level_of(n), n),
        };
        let mut ghosts = found;
        ghosts.sort_unstable_by_key(|&n| key(n));
        let mut ordered = Stencils::default();
        for (k, &node) in ghosts.iter().enumerate() {
            let place = std::mem::replace(&mut row_of[node as usize], k as u32);
            ordered.push(rows.entries(place as usize));
        }
        Self {
            active: Vec::new(),
            evaluated: Vec::new(),
            ghosts,
            rows: ordered,
            row_of,
        }
    }

    /// Evaluated tetrahedra, ascending.
    pub fn evaluated(&self) -> &[u32] {
        &self.evaluated
    }

    /// Active nodes, ascending.
    pub fn active(&self) -> &[u32] {
        &self.active
    }

    /// Ghosts in their order.
    pub fn ghosts(&self) -> &[u32] {
        &self.ghosts
    }

    /// Nodes and weights that a ghost follows; none for active and held nodes.
    pub fn row(&self, node: u32) -> Option<(&[u32], &[f64])> {
        let k = self.row_of[node as usize];
        (k != NONE).then(|| self.rows.row(k as usize))
    }

    /// Position of a ghost in the order; none for active and held nodes.
    pub(crate) fn order_of(&self, node: u32) -> Option<u32> {
        Some(self.row_of[node as usize]).filter(|k| *k != NONE)
    }

    /// Interpolates the value of every ghost by its row. Values of active and held nodes do not change.
    pub fn forward(&self, values: &mut [Vec3]) {
        for (k, &ghost) in self.ghosts.iter().enumerate() {
            values[ghost as usize] = self.rows.interpolate(k, values);
        }
    }

    /// The transpose of [`Operators::forward`]: forces on ghosts go to the nodes that they follow, in reverse order; ghosts are left with zero.
    pub fn transpose(&self, forces: &mut [Vec3]) {
        for (k, &ghost) in self.ghosts.iter().enumerate().rev() {
            let force = std::mem::replace(&mut forces[ghost as usize], Vec3::zeros());
            if force != Vec3::zeros() {
                for (n, w) in self.rows.entries(k) {
                    forces[n as usize] += force * w;
                }
            }
        }
    }

    /// A weighted sum of any nodes as one of active and held nodes, ascending. `scratch` has a zero for every node and gets them back.
    pub fn expand(
        &self,
        row: impl IntoIterator<Item = (u32, f64)>,
        scratch: &mut [f64],
    ) -> Vec<(u32, f64)> {
        let (mut stack, mut done) = (Vec::new(), Vec::new());
        for (node, weight) in row {
            stack.push((node, weight));
        }
        // depth first: rows are short, and few chains are longer than two
        while let Some((node, weight)) = stack.pop() {
            match self.row(node) {
                Some((nodes, weights)) => {
                    stack.extend(nodes.iter().zip(weights).map(|(&n, w)| (n, w * weight)));
                }
                None => {
                    scratch[node as usize] += weight;
                    done.push(node);
                }
            }
        }
        done.sort_unstable();
        done.dedup();
        done.into_iter()
            .map(|n| (n, std::mem::take(&mut scratch[n as usize])))
            .filter(|(_, w)| w.abs() > 1e-14)
            .collect()
    }
}

/// The baked row of a refined node over finer nodes, where none of these is dormant.
fn baked_row(cut: &Cut, node: u32) -> Option<Vec<(u32, f64)>> {
    let forest = cut.forest();
    let (l, index) = forest.level_and_index(node);
    let (level, _) = forest.level(l);
    let finer = forest.nodes_of_level(l + 1).start;
    for stencils in [&level.down_tet, &level.down_affine] {
        let (nodes, weights) = stencils.row(index);
        let named = nodes.iter().map(|n| n + finer);
        if named.clone().all(|n| cut.state(n) != NodeState::Dormant) {
            return Some(named.zip(weights.iter().copied()).collect());
        }
    }
    None
}

/// A row over all nodes that may interpolate the node: its children, their neighbours that are not dormant, and its own active neighbours.
fn interface_row(cut: &Cut, node: u32) -> Vec<(u32, f64)> {
    let forest = cut.forest();
    let rest = forest.rest();
    let x = rest[node as usize];
    let around = |nodes: &[u32]| -> Vec<u32> {
        let tets = nodes.iter().flat_map(|&n| forest.tets_of(n));
        let mut all: Vec<u32> = tets.flat_map(|&t| forest.tets()[t as usize]).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let children = forest.children(node);
    let mut near = around(children);
    near.retain(|&n| cut.state(n) != NodeState::Dormant);
    sort_by_distance(&x, &mut near, rest);
    let mut same = around(&[node]);
    same.retain(|&n| cut.is_active(n));
    sort_by_distance(&x, &mut same, rest);
    if let Some(row) = affine_stencil(&x, &near, rest)
        && has_small_weights(&row)
    {
        return row;
    }
    near.truncate(8);
    near.extend(same);
    sort_by_distance(&x, &mut near, rest);
    if let Some(row) = affine_stencil(&x, &near, rest)
        && has_small_weights(&row)
    {
        return row;
    }
    fallback_row(forest, cut, &x)
}

/// A row over the nearest active nodes of all levels, however far they are.
fn fallback_row(forest: &Forest, cut: &Cut, x: &Vec3) -> Vec<(u32, f64)> {
    let rest = forest.rest();
    let mut all: Vec<u32> = cut.active_nodes().collect();
    sort_by_distance(x, &mut all, rest);
    for count in [8, 16, 32, MAX_FALLBACK_NODES, all.len()] {
        let places: Vec<Vec3> = all.iter().take(count).map(|&n| rest[n as usize]).collect();
        if let Some(weights) = affine_weights(x, &places) {
            let row: Vec<(u32, f64)> = all.iter().copied().zip(weights).collect();
            if has_small_weights(&row) || count >= all.len() {
                return row;
            }
        }
    }
    // a body whose active nodes all lie in a plane
    all.truncate(1);
    all.into_iter().map(|n| (n, 1.0)).collect()
}
