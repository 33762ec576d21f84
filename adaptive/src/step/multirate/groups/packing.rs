//! Elements of the same rate are packed into groups.

use pliant_core::material::DampingParameters;

use crate::params::Scheme;
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group::Group;
use crate::step::multirate::groups::group_state::GroupState;

impl CutDynamics {
    /// Makes a group of each list of tetrahedra that is not empty; its index in `lists` is the step level.
    pub(crate) fn pack(&mut self, lists: &[Vec<u32>]) {
        let old = self.groups.drain(..);
        self.spare_workspaces
            .extend(old.filter_map(Group::into_workspace));
        let mut constants = self.constants;
        if !self.steps.is_damped {
            constants.damping = DampingParameters::default();
        }
        for (level, tets) in lists.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            self.groups.push(Group::new(
                level as u8,
                tets,
                &self.cut,
                &self.operators,
                &constants,
                &self.params,
                (&mut self.local_index, &mut self.spare_workspaces),
            ));
        }
        self.group_state = GroupState::Packed;
        self.forces_are_current = false;
    }

    /// Makes the groups of the present cut and step levels.
    pub(crate) fn regroup(&mut self) {
        if self.params.scheme == Scheme::NodeJump {
            self.regroup_by_nodes();
            return;
        }
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for &t in self.operators.evaluated() {
            let level = usize::from(self.steps.level(t));
            if lists.len() <= level {
                lists.resize(level + 1, Vec::new());
            }
            lists[level].push(t);
        }
        self.pack(&lists);
        // levels ascend: the fastest group writes last
        for group in &self.groups {
            for &n in group.masters() {
                self.node_levels[n as usize] = group.level();
            }
        }
        for group in &mut self.groups {
            let level = group.level();
            let finest: Vec<bool> = group
                .masters()
                .iter()
                .map(|&n| self.node_levels[n as usize] == level)
                .collect();
            group.is_finest = finest;
        }
        for k in 1..self.groups.len() {
            let (slower, rest) = self.groups.split_at_mut(k);
            if let Some(group) = rest.first_mut() {
                group.find_shared_masters(slower);
            }
        }
    }
}
