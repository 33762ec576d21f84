//! Splits and merges, which keep a cut balanced.

use crate::cut::state::{Cut, NodeState};

impl Cut {
    /// Splits `node` if the cost stays within `max_cost`. Otherwise the cut does not change.
    ///
    /// # Errors
    /// The cost with the split and the further splits that balance requires.
    pub fn split_within(&mut self, node: u32, max_cost: u64) -> Result<(), u64> {
        let mut order = std::mem::take(&mut self.order);
        self.split_into(node, &mut order);
        let cost = self.cost;
        let fits = cost <= max_cost;
        if !fits {
            for &n in order.iter().rev() {
                self.merge(n);
            }
        }
        self.order = order;
        if fits { Ok(()) } else { Err(cost) }
    }

    /// Appends `node`, and before it all nodes that have to be split for it, to `order`.
    fn plan_splits(&self, node: u32, order: &mut Vec<u32>) {
        let forest = &self.forest;
        let exists = |n: u32, order: &[u32]| {
            self.state(n) != NodeState::Dormant
                || forest.parent(n).is_some_and(|p| order.contains(&p))
        };
        if self.state(node) == NodeState::Refined
            || order.contains(&node)
            || forest.children(node).is_empty()
        {
            return;
        }
        if let Some(parent) = forest.parent(node)
            && !exists(node, order)
        {
            self.plan_splits(parent, order);
        }
        for &child in forest.children(node) {
            for &tet in forest.tets_of(child) {
                for neighbour in forest.tets()[tet as usize] {
                    let Some(uncle) = forest.parent(neighbour) else {
                        continue;
                    };
                    if let Some(above) = forest.parent(uncle)
                        && uncle != node
                        && !exists(uncle, order)
                    {
                        self.plan_splits(above, order);
                    }
                }
            }
        }
        order.push(node);
    }

    /// Splits `node` into its children, and before it every coarser neighbour that balance requires. Returns all nodes that were split, in order.
    pub fn split(&mut self, node: u32) -> Vec<u32> {
        let mut order = Vec::new();
        self.split_into(node, &mut order);
        order
    }

    fn split_into(&mut self, node: u32, order: &mut Vec<u32>) {
        order.clear();
        self.plan_splits(node, order);
        for &n in &*order {
            self.set(n, NodeState::Refined);
            let forest = self.forest.clone();
            for &child in forest.children(n) {
                self.set(child, NodeState::Active);
            }
        }
    }

    /// Whether the children of `node` may be merged: all of them are active, and no finer neighbour needs them.
    pub fn can_merge(&self, node: u32) -> bool {
        let forest = &self.forest;
        if self.state(node) != NodeState::Refined {
            return false;
        }
        let is_dormant = |n: u32| self.state(n) == NodeState::Dormant;
        forest.children(node).iter().all(|&child| {
            self.is_active(child)
                && forest.children(child).iter().all(|&grandchild| {
                    forest
                        .tets_of(grandchild)
                        .iter()
                        .all(|&tet| forest.tets()[tet as usize].into_iter().all(is_dormant))
                })
        })
    }

    /// Merges the children of `node`; `false` and nothing done where [`Cut::can_merge`] says no.
    pub fn merge(&mut self, node: u32) -> bool {
        if !self.can_merge(node) {
            return false;
        }
        let forest = self.forest.clone();
        for &child in forest.children(node) {
            self.set(child, NodeState::Dormant);
        }
        self.set(node, NodeState::Active);
        true
    }
}
