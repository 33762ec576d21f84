//! Sleep in a frame: which pieces wake when it begins, and which fall asleep when it ends.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::rest::{PieceMotion, PieceSleep, Scale};
use pliant_core::model::{DeformableModel, SnapshotMismatch};

use crate::fracture::sleep::sleep_state::{SavedSleepState, SleepState};
use crate::model::LatticeModel;

impl LatticeModel {
    /// Number of sleeping pieces of a broken body: nothing holds them, they have come to rest, and they are not stepped until something touches them.
    pub fn pieces_asleep(&self) -> usize {
        self.pieces().map_or(0, PieceSleep::asleep)
    }

    /// Number of particles of these pieces.
    pub(crate) fn particles_asleep(&self) -> usize {
        self.sleep_state().map_or(0, |s| s.particles.len())
    }

    /// Whether all of the body sleeps.
    pub(crate) fn is_asleep(&self) -> bool {
        self.pieces().is_some_and(PieceSleep::all_asleep)
    }

    pub(crate) fn sleep_state(&self) -> Option<&SleepState> {
        self.fracture.as_ref().map(|f| &f.sleep)
    }

    fn pieces(&self) -> Option<&PieceSleep> {
        self.sleep_state()?.pieces.as_ref()
    }

    /// Moves the pieces out, so that the body can be read while they change.
    fn take_pieces(&mut self) -> Option<PieceSleep> {
        self.fracture.as_mut()?.sleep.pieces.take()
    }

    fn put_pieces(&mut self, pieces: PieceSleep) {
        if let Some(f) = &mut self.fracture {
            f.sleep.pieces = Some(pieces);
        }
    }

    fn scale(&self, duration: f64) -> Scale {
        Scale {
            spacing: self.asset.cell,
            duration,
        }
    }

    /// Starts a frame of `duration` seconds: wakes the pieces that are touched, finds which pieces may touch each other, and leaves out the constraints on pieces that stay asleep.
    pub(crate) fn wake_pieces(&mut self, boundary: &BoundaryConditions, duration: f64) {
        let Some(f) = &mut self.fracture else {
            return;
        };
        let before = std::mem::replace(&mut f.sleep.gravity, boundary.gravity);
        if before != boundary.gravity {
            self.wake_all_pieces();
        }
        let scale = self.scale(duration);
        if let Some(mut pieces) = self.take_pieces() {
            let any_woke = pieces.begin_frame(boundary, &scale, |v| self.piece_and_position(v));
            self.put_pieces(pieces);
            if any_woke {
                self.update_sleeping_particles();
            }
        }
        self.find_piece_contact(duration);
        if self.wake_approached(&scale) {
            self.update_sleeping_particles();
            // a piece that woke may lie on others
            self.find_piece_contact(duration);
        }
        if let Some(mut pieces) = self.take_pieces() {
            pieces.split_constraints(boundary.displacements(), |v| self.piece_of_vertex(v));
            self.put_pieces(pieces);
        }
    }

    /// Wakes pieces that other pieces may meet in this frame. Returns whether any woke.
    fn wake_approached(&mut self, scale: &Scale) -> bool {
        let Some(f) = &mut self.fracture else {
            return false;
        };
        let pieces = f.sleep.pieces.as_mut();
        let Some(pieces) = pieces.filter(|p| p.asleep() > 0 && !p.all_asleep()) else {
            return false;
        };
        let mut any_woke = false;
        for (ends, approach) in f.piece_contact.approaches(&self.x, &self.v) {
            let both = ends.map(|p| self.asset.component[p as usize]);
            any_woke |= pieces.wake_on_approach(both, &approach, scale);
        }
        any_woke
    }

    /// Restores which pieces slept in a snapshot of this body with the same links. If the pieces do not match, all wake.
    pub(crate) fn restore_sleep(
        &mut self,
        saved: Option<&SavedSleepState<'_>>,
    ) -> Result<(), SnapshotMismatch> {
        let vertices = self.contact_vertex_count();
        let Some(f) = &mut self.fracture else {
            return saved.map_or(Ok(()), |_| Err(SnapshotMismatch));
        };
        let fits = f.sleep.restore(saved, vertices);
        self.update_sleeping_particles();
        if !fits {
            self.wake_all_pieces();
            return Err(SnapshotMismatch);
        }
        Ok(())
    }

    /// Wakes all pieces.
    pub(crate) fn wake_all_pieces(&mut self) {
        let pieces = self.fracture.as_mut();
        let pieces = pieces.and_then(|f| f.sleep.pieces.as_mut());
        if pieces.is_some_and(PieceSleep::wake_all) {
            self.update_sleeping_particles();
        }
    }

    /// Sets the inverse masses of the particles of free pieces: zero in pieces that sleep.
    pub(crate) fn update_sleeping_particles(&mut self) {
        let Some(f) = &mut self.fracture else {
            return;
        };
        let sleep = &mut f.sleep;
        sleep.particles.clear();
        let all = sleep.pieces.iter().flat_map(PieceSleep::free_pieces);
        for (own, asleep) in all {
            for &p in own {
                let inverse = 1.0 / self.asset.mass[p as usize];
                self.inverse_mass[p as usize] = if asleep { 0.0 } else { inverse };
            }
            if asleep {
                sleep.particles.extend_from_slice(own);
            }
        }
    }

    /// Ends a frame of `duration` seconds: pieces that have come to rest fall asleep, and the energy that they lose counts as dissipated. Without gravity nothing falls asleep.
    pub(crate) fn let_pieces_sleep(&mut self, boundary: &BoundaryConditions, duration: f64) {
        // without a skin of its own, a piece moves with vertices of others
        let has_skin = self.fracture.as_ref().is_some_and(|f| f.skin.is_some());
        if !has_skin || boundary.gravity == Vec3::zeros() {
            return;
        }
        let Some(mut pieces) = self.take_pieces() else {
            return;
        };
        let motion = PieceMotion {
            from: &self.last_good.x,
            to: &self.x,
            velocities: &self.v,
            masses: &self.asset.mass,
        };
        let reactions = boundary.displacements().iter().zip(self.reactions());
        let pushed = reactions.filter(|(_, force)| **force != Vec3::zeros());
        let borne =
            pushed.filter_map(|(c, f)| Some((self.piece_of_vertex(c.vertex)?, c.vertex, *f)));
        let pressing = self
            .fracture
            .iter()
            .flat_map(|f| f.piece_contact.pressing());
        let pressing = pressing.map(|ends| ends.map(|p| self.asset.component[p as usize]));
        let any_fell_asleep = pieces.end_frame(&motion, &self.scale(duration), borne, pressing);
        self.put_pieces(pieces);
        if any_fell_asleep {
            self.stop_sleeping_particles(&boundary.gravity);
        }
    }

    /// Stops the particles of all pieces that sleep.
    fn stop_sleeping_particles(&mut self, gravity: &Vec3) {
        let before = self.kinetic_and_elastic_energy(gravity);
        self.update_sleeping_particles();
        self.stop_held_particles();
        self.account.dissipated += before - self.kinetic_and_elastic_energy(gravity);
    }

    /// Kinetic plus elastic energy, J. [`LatticeModel::energy`] may move a part of one to the other; the sum does not change.
    fn kinetic_and_elastic_energy(&self, gravity: &Vec3) -> f64 {
        let energy = self.energy(gravity);
        energy.kinetic + energy.elastic
    }
}
