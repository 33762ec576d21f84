//! What a frame does about sleep: what wakes when it begins, and what falls asleep when it ends.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::rest::{PieceMotion, PieceSleep, Scale};
use pliant_core::model::{DeformableModel, SnapshotMismatch};

use crate::fracture::sleep::sleepers::{Saved, Sleepers};
use crate::model::LatticeModel;

impl LatticeModel {
    /// Number of pieces of a broken body that sleep: nothing holds them, they have come to rest, and they are not stepped until something touches them.
    pub fn pieces_asleep(&self) -> usize {
        self.pieces().map_or(0, PieceSleep::asleep)
    }

    /// Number of particles of these pieces.
    pub(crate) fn particles_asleep(&self) -> usize {
        self.sleepers().map_or(0, |s| s.particles.len())
    }

    /// Whether all of the body sleeps.
    pub(crate) fn is_asleep(&self) -> bool {
        self.pieces().is_some_and(PieceSleep::all_asleep)
    }

    pub(crate) fn sleepers(&self) -> Option<&Sleepers> {
        self.fracturing.as_ref().map(|f| &f.sleepers)
    }

    fn pieces(&self) -> Option<&PieceSleep> {
        self.sleepers()?.pieces.as_ref()
    }

    /// Takes the pieces out, so that the body may be asked while they change.
    fn take_pieces(&mut self) -> Option<PieceSleep> {
        self.fracturing.as_mut()?.sleepers.pieces.take()
    }

    fn put_pieces(&mut self, pieces: PieceSleep) {
        if let Some(f) = &mut self.fracturing {
            f.sleepers.pieces = Some(pieces);
        }
    }

    fn scale(&self, duration: f64) -> Scale {
        Scale {
            spacing: self.asset.cell,
            duration,
        }
    }

    /// Wakes what is touched in a frame of `duration` seconds that begins now, finds which pieces may touch each other in it, and leaves the constraints on all that sleeps on out of it.
    pub(crate) fn wake_pieces(&mut self, boundary: &BoundaryConditions, duration: f64) {
        let Some(f) = &mut self.fracturing else {
            return;
        };
        let before = std::mem::replace(&mut f.sleepers.gravity, boundary.gravity);
        if before != boundary.gravity {
            self.wake_all_pieces();
        }
        let scale = self.scale(duration);
        if let Some(mut pieces) = self.take_pieces() {
            let has_woken = pieces.begin_frame(boundary, &scale, |v| self.touched_at(v));
            self.put_pieces(pieces);
            if has_woken {
                self.change_sleepers();
            }
        }
        self.find_piece_contact(duration);
        if self.wake_met(&scale) {
            self.change_sleepers();
            // what woke lies on something
            self.find_piece_contact(duration);
        }
        if let Some(mut pieces) = self.take_pieces() {
            pieces.leave_out(boundary.displacements(), |v| self.touched_piece(v));
            self.put_pieces(pieces);
        }
    }

    /// Wakes what other pieces may meet in this frame. Returns whether there was anything.
    fn wake_met(&mut self, scale: &Scale) -> bool {
        let Some(f) = &mut self.fracturing else {
            return false;
        };
        let pieces = f.sleepers.pieces.as_mut();
        let Some(pieces) = pieces.filter(|p| p.asleep() > 0 && !p.all_asleep()) else {
            return false;
        };
        let mut has_woken = false;
        for (ends, approach) in f.piece_contact.approaches(&self.x, &self.v) {
            let both = ends.map(|p| self.asset.component[p as usize]);
            has_woken |= pieces.meet(both, &approach, scale);
        }
        has_woken
    }

    /// Has those pieces sleep that did in a snapshot of this body with the same links; none where they are others.
    pub(crate) fn restore_sleep(
        &mut self,
        saved: Option<&Saved<'_>>,
    ) -> Result<(), SnapshotMismatch> {
        let vertices = self.touchable_count();
        let Some(f) = &mut self.fracturing else {
            return saved.map_or(Ok(()), |_| Err(SnapshotMismatch));
        };
        let fits = f.sleepers.restore(saved, vertices);
        self.change_sleepers();
        if !fits {
            self.wake_all_pieces();
            return Err(SnapshotMismatch);
        }
        Ok(())
    }

    /// Wakes all pieces.
    pub(crate) fn wake_all_pieces(&mut self) {
        let pieces = self.fracturing.as_mut();
        let pieces = pieces.and_then(|f| f.sleepers.pieces.as_mut());
        if pieces.is_some_and(PieceSleep::wake_all) {
            self.change_sleepers();
        }
    }

    /// Gives the particles of what sleeps no way to move, and those of the other free pieces their mass.
    pub(crate) fn change_sleepers(&mut self) {
        let Some(f) = &mut self.fracturing else {
            return;
        };
        let Sleepers {
            pieces, particles, ..
        } = &mut f.sleepers;
        particles.clear();
        let all = pieces.iter().flat_map(PieceSleep::free_pieces);
        for (own, asleep) in all {
            for &p in own {
                let inverse = 1.0 / self.asset.mass[p as usize];
                self.inverse_mass[p as usize] = if asleep { 0.0 } else { inverse };
            }
            if asleep {
                particles.extend_from_slice(own);
            }
        }
    }

    /// Sends to sleep what has come to rest when a frame of `duration` seconds ends, and counts the energy that this takes as dissipated. Nothing rests without gravity.
    pub(crate) fn let_pieces_sleep(&mut self, boundary: &BoundaryConditions, duration: f64) {
        // without a skin of its own, a piece moves with vertices of others
        let has_skin = self.fracturing.as_ref().is_some_and(|f| f.skin.is_some());
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
        let borne = pushed.filter_map(|(c, f)| Some((self.touched_piece(c.vertex)?, c.vertex, *f)));
        let pressing = self
            .fracturing
            .iter()
            .flat_map(|f| f.piece_contact.pressing());
        let pressing = pressing.map(|ends| ends.map(|p| self.asset.component[p as usize]));
        let has_fallen = pieces.end_frame(&motion, &self.scale(duration), borne, pressing);
        self.put_pieces(pieces);
        if has_fallen {
            self.stop_sleepers(&boundary.gravity);
        }
    }

    /// Stops the particles of all that sleeps.
    fn stop_sleepers(&mut self, gravity: &Vec3) {
        let before = self.own_energy(gravity);
        self.change_sleepers();
        self.hold();
        self.account.dissipated += before - self.own_energy(gravity);
    }

    /// Kinetic and elastic energy, J: what is too much for the one is counted in the other.
    fn own_energy(&self, gravity: &Vec3) -> f64 {
        let energy = self.energy(gravity);
        energy.kinetic + energy.elastic
    }
}
