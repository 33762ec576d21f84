//! Sleep in a frame: pieces that wake when it begins, a frame in which all sleep, and pieces that fall asleep when it ends.
//!
//! Pieces at rest sleep until something touches them, as bodies of a group do: the rule is that of [`pliant_core::model::rest`]. The elements of a sleeping piece are not evaluated, and do not
//! affect the time step.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::rest::{PieceMotion, PieceSleep, Scale};
use pliant_core::model::{Degradation, EnergyAccount, FrameReport};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cutting::state::{CutMesh, Cutting};

/// The piece of a vertex that tools may touch, by the pieces of the nodes.
fn piece_of(embedding: &SkinEmbedding, pieces: &[u32], vertex: u32) -> Option<u32> {
    if vertex as usize >= embedding.len() {
        return None;
    }
    let node = embedding.row(vertex as usize).0.first()?;
    Some(pieces[*node as usize])
}

impl AdaptiveModel {
    /// Number of pieces of a cut body that sleep: nothing holds them, they have come to rest, and they are not stepped until something touches them.
    pub fn pieces_asleep(&self) -> usize {
        self.sleep().map_or(0, PieceSleep::asleep)
    }

    /// Which of the pieces sleep.
    pub(crate) fn sleeping_pieces(&self) -> Vec<bool> {
        self.sleep().into_iter().flat_map(PieceSleep::all).collect()
    }

    /// Number of nodes of the pieces that sleep.
    pub(crate) fn sleeping_nodes(&self) -> usize {
        self.sleep()
            .map_or(0, |sleep| sleep.sleeping_nodes().count())
    }

    fn sleep(&self) -> Option<&PieceSleep> {
        Some(&self.cut_mesh()?.sleep)
    }

    /// Whether all of the body sleeps.
    pub(crate) fn is_asleep(&self) -> bool {
        self.sleep().is_some_and(PieceSleep::all_asleep)
    }

    /// Wakes pieces that are touched in a frame of `duration` seconds that begins now, and leaves out constraints on pieces that sleep on.
    pub(crate) fn wake_pieces(&mut self, boundary: &BoundaryConditions, duration: f64) {
        let Some(cut) = self.cutting.as_mut().and_then(|c| c.cut.as_mut()) else {
            return;
        };
        let CutMesh {
            level,
            pieces,
            contact,
            sleep,
            skin,
            ..
        } = cut;
        let pieces = pieces.as_slice();
        contact.discard_pairs();
        let embedding = &skin.rows;
        let scale = Scale {
            spacing: level.spacing,
            duration,
        };
        let (x, v) = (&self.dynamics.positions, &self.dynamics.velocities);
        let piece = |vertex: u32| piece_of(embedding, pieces, vertex);
        let mut has_woken = sleep.begin_frame(boundary, &scale, |vertex| {
            Some((piece(vertex)?, embedding.interpolate(vertex as usize, x)))
        });
        if sleep.some_asleep() {
            let sleeps = |n: u32| sleep.is_asleep(pieces[n as usize]);
            contact.find((x, v), duration, sleeps);
            let approaches = contact.approaches();
            let of_pieces = approaches.map(|(nodes, how)| (nodes.map(|n| pieces[n as usize]), how));
            if sleep.wake_on_approach(of_pieces, &scale) {
                // pairs of woken pieces were left out
                contact.discard_pairs();
                has_woken = true;
            }
        }
        sleep.split_constraints(boundary.displacements(), piece);
        if has_woken {
            self.update_sleeping_elements();
        }
    }

    /// Wakes all pieces.
    pub(crate) fn wake_all_pieces(&mut self) {
        let cut = self.cutting.as_mut().and_then(|c| c.cut.as_mut());
        if cut.is_some_and(|cut| cut.sleep.wake_all()) {
            self.update_sleeping_elements();
        }
    }

    /// Wakes the pieces with newly cut edges: those after the first `cut_before` of the list.
    pub(crate) fn wake_cut_pieces(&mut self, cut_before: usize) {
        let Some(cutting) = &mut self.cutting else {
            return;
        };
        let Cutting {
            edges,
            cut: Some(cut),
            ..
        } = &mut **cutting
        else {
            return;
        };
        let asleep = cut.sleep.asleep();
        for (edge, _) in edges.cut().skip(cut_before) {
            for n in edges.ends(edge) {
                cut.sleep.wake(cut.pieces[n as usize]);
            }
        }
        if cut.sleep.asleep() < asleep {
            self.update_sleeping_elements();
        }
    }

    /// Fixes the nodes of sleeping pieces, and gives those of the other free pieces their masses.
    pub(crate) fn fix_sleeping_nodes(&mut self) {
        if let Some(cut) = self.cutting.as_ref().and_then(|c| c.cut.as_ref()) {
            let dynamics = &mut self.dynamics;
            cut.sleep
                .set_inverse_masses(&dynamics.masses, &mut dynamics.inverse_masses);
        }
    }

    /// A frame of `duration` seconds in which all sleep.
    pub(crate) fn sleeping_frame(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
    ) -> FrameReport {
        self.time += duration;
        (self.substeps, self.blended) = (0, 0);
        self.support_reactions.fill(Vec3::zeros());
        self.reactions.clear();
        if let Some(cutting) = &self.cutting {
            cutting.merge_forces(&mut self.reactions);
        }
        let (embedding, x) = (self.touchable_rows(), &self.dynamics.positions);
        let all = boundary.displacements().iter();
        let depths = all.map(|c| c.violation(&embedding.interpolate(c.vertex as usize, x)));
        FrameReport {
            substeps: 0,
            // the energy looks at each element once
            work_used: self.dynamics.field.element_count() as u64,
            degraded: self.withheld.then_some(Degradation::RefinementWithheld),
            max_violation: depths.fold(0.0, f64::max),
            energy: Some(self.energy().with_dissipated_work(self.lost_in_contact)),
        }
    }

    /// Lets pieces sleep that have come to rest when a frame of `duration` seconds ends, and counts their kinetic energy as dissipated. Nothing sleeps without gravity.
    pub(crate) fn let_pieces_sleep(
        &mut self,
        boundary: &BoundaryConditions,
        duration: f64,
        energy: &mut EnergyAccount,
    ) {
        // spring networks cannot be stepped in part
        let may_sleep = self.dynamics.field.constants().is_some();
        let cut = self.cutting.as_mut().and_then(|c| c.cut.as_mut());
        let Some(cut) = cut.filter(|_| may_sleep && self.gravity != Vec3::zeros()) else {
            return;
        };
        let (pieces, embedding) = (cut.pieces.as_slice(), &cut.skin.rows);
        let (sleep, dynamics) = (&mut cut.sleep, &mut self.dynamics);
        let motion = PieceMotion {
            from: &self.last_good.0,
            to: &dynamics.positions,
            velocities: &dynamics.velocities,
            masses: &dynamics.masses,
        };
        let scale = Scale {
            spacing: cut.level.spacing,
            duration,
        };
        let constraints = (boundary.displacements(), self.reactions.as_slice());
        let piece = |vertex: u32| piece_of(embedding, pieces, vertex);
        let pressing = cut.contact.pressing_pairs();
        let pressing = pressing.map(|nodes| nodes.map(|n| pieces[n as usize]));
        if !sleep.end_frame(&motion, &scale, constraints, piece, pressing) {
            return;
        }
        for n in sleep.falling_nodes().map(|n| n as usize) {
            (dynamics.velocities[n], dynamics.inverse_masses[n]) = (Vec3::zeros(), 0.0);
        }
        let kinetic = self.kinetic_energy_mid_step();
        self.dissipated += energy.kinetic - kinetic;
        (energy.kinetic, energy.dissipated) = (kinetic, self.dissipated);
        self.update_sleeping_elements();
    }
}
