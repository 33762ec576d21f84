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

    /// Changes the pieces, which are moved out so that the rest of the body can be read meanwhile; `None` where there are none.
    fn change_pieces<T>(&mut self, change: impl FnOnce(&Self, &mut PieceSleep) -> T) -> Option<T> {
        let mut pieces = self.fracture.as_mut()?.sleep.pieces.take()?;
        let result = change(self, &mut pieces);
        self.fracture.as_mut()?.sleep.pieces = Some(pieces);
        Some(result)
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
        let any_woke = self.change_pieces(|body, pieces| {
            pieces.begin_frame(boundary, &scale, |v| body.piece_and_position(v))
        });
        if any_woke == Some(true) {
            self.update_sleeping_particles();
        }
        self.find_piece_contact(duration);
        if self.wake_approached(&scale) {
            self.update_sleeping_particles();
            // a piece that woke may lie on others
            self.find_piece_contact(duration);
        }
        self.change_pieces(|body, pieces| {
            pieces.split_constraints(boundary.displacements(), |v| body.piece_of_vertex(v));
        });
    }

    /// Wakes pieces that other pieces may meet in this frame. Returns whether any woke.
    fn wake_approached(&mut self, scale: &Scale) -> bool {
        let Some(f) = &mut self.fracture else {
            return false;
        };
        let pieces = f.sleep.pieces.as_mut();
        let Some(pieces) = pieces.filter(|pieces| pieces.some_asleep()) else {
            return false;
        };
        let component = &self.asset.component;
        let approaches = f.piece_contact.approaches(&self.x, &self.v);
        let of_pieces = approaches.map(|(ends, how)| (ends.map(|p| component[p as usize]), how));
        pieces.wake_on_approach(of_pieces, scale)
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
        let pieces = self.fracture.as_ref();
        if let Some(pieces) = pieces.and_then(|f| f.sleep.pieces.as_ref()) {
            pieces.set_inverse_masses(&self.asset.mass, &mut self.inverse_mass);
        }
    }

    /// Ends a frame of `duration` seconds: pieces that have come to rest fall asleep, and the energy that they lose counts as dissipated. Without gravity nothing falls asleep.
    pub(crate) fn let_pieces_sleep(&mut self, boundary: &BoundaryConditions, duration: f64) {
        // without a skin of its own, a piece moves with vertices of others
        let has_skin = self.fracture.as_ref().is_some_and(|f| f.skin.is_some());
        if !has_skin || boundary.gravity == Vec3::zeros() {
            return;
        }
        let scale = self.scale(duration);
        let any_fell_asleep = self.change_pieces(|body, pieces| {
            let motion = PieceMotion {
                from: &body.last_good.x,
                to: &body.x,
                velocities: &body.v,
                masses: &body.asset.mass,
            };
            let constraints = (boundary.displacements(), body.reactions());
            let piece = |vertex: u32| body.piece_of_vertex(vertex);
            let fracture = body.fracture.iter();
            let pressing = fracture.flat_map(|f| f.piece_contact.pressing());
            let pressing = pressing.map(|ends| ends.map(|p| body.asset.component[p as usize]));
            pieces.end_frame(&motion, &scale, constraints, piece, pressing)
        });
        if any_fell_asleep == Some(true) {
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
