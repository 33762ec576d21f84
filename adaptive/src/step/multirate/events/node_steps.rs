//! Steps of nodes instead of elements (Debunne et al. 2001, Fig. 7), for comparison: a node's kick is the whole force on it, at its own rate.

use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
    /// Makes groups of nodes with one step each. A group has all elements that act on its nodes, so that an element between nodes of different steps is in several groups. A
    /// node steps as often as the fastest element that acts on it.
    pub(crate) fn regroup_by_nodes(&mut self) {
        let mut scratch = vec![0.0; self.forest.node_count()];
        let evaluated = self.operators.evaluated();
        let pushed: Vec<Vec<u32>> = evaluated
            .iter()
            .map(|&t| {
                let corners = self.forest.tets()[t as usize].map(|n| (n, 1.0));
                let masters = self.operators.expand(corners, &mut scratch);
                masters.into_iter().map(|(n, _)| n).collect()
            })
            .collect();
        self.node_levels.fill(0);
        for (&t, nodes) in evaluated.iter().zip(&pushed) {
            for &n in nodes {
                let level = &mut self.node_levels[n as usize];
                *level = self.steps.level(t).max(*level);
            }
        }
        let mut lists: Vec<Vec<u32>> = Vec::new();
        let mut owned: Vec<usize> = Vec::new();
        for (&t, nodes) in evaluated.iter().zip(&pushed) {
            let mut levels: Vec<u8> = nodes
                .iter()
                .map(|&n| self.node_levels[n as usize])
                .collect();
            levels.sort_unstable();
            levels.dedup();
            for &level in &levels {
                let level = usize::from(level);
                if lists.len() <= level {
                    lists.resize(level + 1, Vec::new());
                    owned.resize(level + 1, 0);
                }
                lists[level].push(t);
            }
            if let Some(&owner) = levels.last() {
                owned[usize::from(owner)] += 1;
            }
        }
        self.pack(&lists);
        for group in &mut self.groups {
            let level = group.level();
            let is_own = |n: &u32| self.node_levels[*n as usize] == level;
            let own: Vec<bool> = group.masters().iter().map(is_own).collect();
            group.is_finest = own;
            group.acts_on_support = group.held().iter().map(is_own).collect();
            let place = usize::from(level);
            group.power_share = owned[place] as f64 / lists[place].len() as f64;
        }
    }

    /// Moves the nodes of group `k` by `step` seconds at once.
    pub(crate) fn jump(&mut self, k: usize, step: f64) {
        let group = &self.groups[k];
        for (&n, is_own) in group.masters().iter().zip(&group.is_finest) {
            if *is_own {
                self.positions[n as usize] += self.velocities[n as usize] * step;
            }
        }
    }
}
