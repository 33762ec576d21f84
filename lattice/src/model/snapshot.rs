//! Saving and restoring the state of a body: for a frame that fails, and as a snapshot.

use pliant_core::math::Vec3;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use crate::fracture::sleep::sleep_state::SleepState;
use crate::model::lattice_model::{KIND, LatticeModel};
use crate::step::single::single_precision::SinglePrecision;

/// Numbers of a snapshot before the positions.
const HEADER: usize = 7;

impl LatticeModel {
    pub(crate) fn save_last_good(&mut self) {
        let saved = &mut self.last_good;
        saved.x.clone_from(&self.x);
        saved.v.clone_from(&self.v);
        saved.q.clone_from(&self.q);
        saved.rotations.clear();
        if let Some(fast) = self.fast.as_ref().filter(|_| !self.energy_accounting) {
            saved.rotations.extend_from_slice(&fast.state.rotations);
        }
        saved.bones.clear();
        saved.bones.extend(self.bones.rotations());
    }

    pub(crate) fn restore_last_good(&mut self) {
        let saved = &self.last_good;
        self.x.clone_from(&saved.x);
        self.v.clone_from(&saved.v);
        self.q.clone_from(&saved.q);
        if let Some(fast) = self.fast.as_mut().filter(|_| !self.energy_accounting) {
            fast.state.rotations.copy_from_slice(&saved.rotations);
        }
        self.bones.set_rotations(&saved.bones);
        self.center = self.mean_position();
        self.match_shapes(false);
    }

    /// The state in single precision, if rotations are stored there only.
    pub(crate) fn single_precision_alone(&self) -> Option<&SinglePrecision> {
        self.fast.as_deref().filter(|_| !self.energy_accounting)
    }

    fn single_precision_alone_mut(&mut self) -> Option<&mut SinglePrecision> {
        self.fast.as_deref_mut().filter(|_| !self.energy_accounting)
    }

    /// Sets the rotation of all regions to `q`.
    pub(crate) fn rotate_regions(&mut self, q: [f64; 4]) {
        match self.single_precision_alone_mut() {
            Some(fast) => fast.set_all_rotations(q),
            None => {
                self.q.clear();
                self.q.resize(self.asset.region_count(), q);
            }
        }
    }

    /// Number of rotations in a snapshot: of distinct regions, or of all particles.
    fn rotation_count(&self) -> usize {
        match self.energy_accounting {
            true => self.q.len(),
            false => self.x.len(),
        }
    }

    /// Rotation of the region of particle `p`.
    pub(crate) fn rotation_of(&self, p: usize) -> [f64; 4] {
        match self.single_precision_alone() {
            Some(fast) => fast.rotation(p),
            None => self.q[self.asset.region_of[p] as usize],
        }
    }

    pub(crate) fn take_snapshot(&self) -> StateSnapshot {
        let (account, spurious) = (&self.account, self.spurious_energy_share);
        let mut values = vec![self.time, account.dissipated, account.work, spurious];
        values.extend(account.gravity.iter());
        values.extend(self.x.iter().chain(&self.v).flat_map(|a| [a.x, a.y, a.z]));
        match self.single_precision_alone() {
            Some(fast) => values.extend((0..self.x.len()).flat_map(|p| fast.rotation(p))),
            None => values.extend(self.q.iter().flatten()),
        }
        values.extend(self.bones.rotations());
        values.extend(self.broken_link_values());
        if let Some(sleep) = self.sleep_state() {
            sleep.save(&mut values);
        }
        StateSnapshot { kind: KIND, values }
    }

    pub(crate) fn restore_snapshot(
        &mut self,
        snapshot: &StateSnapshot,
    ) -> Result<(), SnapshotMismatch> {
        let (particles, regions) = (self.x.len(), self.rotation_count());
        let values = &snapshot.values;
        let bones = 4 * self.bones.count();
        let fixed = HEADER + 6 * particles + 4 * regions + bones;
        if snapshot.kind != KIND || values.len() < fixed {
            return Err(SnapshotMismatch);
        }
        let (values, rest) = values.split_at(fixed);
        let (broken, sleep) = SleepState::split(rest).ok_or(SnapshotMismatch)?;
        if !broken.len().is_multiple_of(3) {
            return Err(SnapshotMismatch);
        }
        self.restore_links(broken)?;
        self.restore_sleep(sleep.as_ref())?;
        let (header, rest) = values.split_at(HEADER);
        let (positions, rest) = rest.split_at(3 * particles);
        let (velocities, rotations) = rest.split_at(3 * particles);
        self.time = header[0];
        self.account.dissipated = header[1];
        self.account.work = header[2];
        self.spurious_energy_share = header[3];
        self.account.gravity = Vec3::from_column_slice(&header[4..]);
        for (x, s) in self.x.iter_mut().zip(positions.chunks_exact(3)) {
            *x = Vec3::from_column_slice(s);
        }
        for (v, s) in self.v.iter_mut().zip(velocities.chunks_exact(3)) {
            *v = Vec3::from_column_slice(s);
        }
        let (rotations, bones) = rotations.split_at(4 * regions);
        let rotations = rotations.chunks_exact(4);
        match self.single_precision_alone_mut() {
            Some(fast) => rotations
                .enumerate()
                .for_each(|(p, s)| fast.set_rotation(p, s)),
            None => {
                for (q, s) in self.q.iter_mut().zip(rotations) {
                    q.copy_from_slice(s);
                }
            }
        }
        // positions agree with the bones already
        self.bones.set_rotations(bones);
        self.center = self.mean_position();
        self.match_shapes(false);
        Ok(())
    }
}
