//! A model whose level is cut: cutting at the end of a frame, and the level that moves afterwards.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SkinEmbedding, SurfaceFrame};
use pliant_core::model::WorkBudget;

use crate::hierarchy::Level;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::construction::supports_of;
use crate::model::cut_body::skin_fade::SkinFade;
use crate::model::cutting::piece_contact::ContactFrame;
use crate::model::cutting::state::{CutMesh, Cutting};
use crate::model::prepared_level::prepare;

/// The budget divided by the least part of it for contact between pieces.
const MIN_CONTACT_DIVISOR: u64 = 4;
/// Number of budgets by which contact may exceed its allowance before steps without contact are used. The default budget is half of a sixtieth of a second. With a quarter of a budget, the pieces of `slice` separated
/// differently: one pushed the middle piece 21 mm aside.
const CONTACT_OVERRUN: u64 = 1;

impl AdaptiveModel {
    /// The body with its cuts; `None` while it is whole.
    pub(crate) fn cut_mesh(&self) -> Option<&CutMesh> {
        self.cutting.as_ref()?.cut.as_ref()
    }

    /// The level that moves: that of the hierarchy, or the one after cutting and fracture. Its nodes are those of the level of the hierarchy first, then virtual ones.
    pub fn moving_level(&self) -> &Level {
        self.cut_mesh()
            .map_or(&self.asset.levels[self.level], |cut| &cut.level)
    }

    /// Edges of tetrahedra that blades and cracks have cut, by their nodes, in the order in which they were cut, each with the share from the first node at which it was cut.
    pub fn cut_edges(&self) -> Vec<([u32; 2], f64)> {
        let Some(cutting) = &self.cutting else {
            return Vec::new();
        };
        let edges = &cutting.edges;
        let all = edges.cut();
        all.map(|(edge, share)| (edges.ends(edge), share)).collect()
    }

    /// Number of edges that are cut.
    pub(crate) fn cut_edge_count(&self) -> usize {
        self.cutting
            .as_ref()
            .map_or(0, |cutting| cutting.edges.cut().len())
    }

    /// Number of cut edges through which a second cut went, which was ignored.
    pub(crate) fn ignored_cut_count(&self) -> usize {
        self.cutting
            .as_ref()
            .map_or(0, |cutting| cutting.edges.ignored_count())
    }

    /// Connected pieces of a body that may be cut or break; `None` for others.
    pub fn pieces(&self) -> Option<usize> {
        if self.cut.is_some() {
            return self.counterpart.as_ref()?.pieces();
        }
        let cutting = self.cutting.as_ref()?;
        let whole = || self.asset.levels[self.level].components().1;
        Some(
            cutting
                .cut
                .as_ref()
                .map_or_else(whole, |cut| cut.sleep.count()),
        )
    }

    /// Contact of a cut body with itself in the last frame: number of points that might touch, and largest penetration at the beginning of the last step, m.
    pub fn contact_between_pieces(&self) -> (usize, f64) {
        self.cut_mesh().map_or((0, 0.0), |cut| {
            (cut.contact.pair_count(), cut.contact.depth())
        })
    }

    /// Parameters of the contact between pieces in a frame of `duration` seconds. Contact gets what elements leave of the budget, and at least a share of it. The budget is that of the frame, or else
    /// that of the model.
    pub(crate) fn contact_frame(&self, duration: f64, budget: WorkBudget) -> ContactFrame {
        let all = budget.units_or(self.params.budget_units);
        let left = all.saturating_sub(self.evaluations_of_frame());
        let allowed = left.max(all / MIN_CONTACT_DIVISOR);
        ContactFrame {
            duration,
            steps: self.substeps,
            allowed,
            limit: allowed.saturating_add(all.saturating_mul(CONTACT_OVERRUN)),
            friction: self.params.friction,
        }
    }

    /// Work of the contact between pieces in the last frame, in evaluations, and whether the budget limited its accuracy.
    pub(crate) fn work_between_pieces(&self) -> (u64, bool) {
        self.cut_mesh().map_or((0, false), |cut| {
            (cut.contact.units(), cut.contact.is_limited())
        })
    }

    /// Cuts what blades have crossed in the frame that ends now, and lets cracks grow and start under the constraints of `boundary`.
    pub(crate) fn part_level(&mut self, boundary: &BoundaryConditions) {
        self.cut_by_blades();
        self.fracture(boundary);
    }

    /// Cuts what blades have crossed in the frame that ends now.
    fn cut_by_blades(&mut self) {
        let cut_before = self.cut_edge_count();
        let Some(cutting) = &mut self.cutting else {
            return;
        };
        if cutting.sweeps.is_empty()
            || !cutting.cut_crossed(&self.last_good.0, &self.dynamics.positions)
        {
            return;
        }
        self.wake_cut_pieces(cut_before);
        self.split_along_cuts();
    }

    /// Splits tetrahedra along the cut edges, and prepares the new level.
    pub(crate) fn split_along_cuts(&mut self) {
        let Some(cutting) = &mut self.cutting else {
            return;
        };
        let whole = &self.asset.levels[self.level];
        let Some(origins) = cutting.split(whole, &self.asset.skin) else {
            return;
        };
        let sources = origins.nodes;
        let count = whole.node_count();
        let with_copies = |of: &[Vec3]| -> Vec<Vec3> {
            let copies = sources.iter().map(|&n| of[n as usize]);
            of[..count].iter().copied().chain(copies).collect()
        };
        self.contact.copy_to_virtual_nodes(count, &sources);
        self.contact.reserve(count + sources.len());
        let state = [&self.dynamics.positions, &self.dynamics.velocities].map(|of| with_copies(of));
        let ratio = self.stiff_ratio();
        self.set_moving_level(state);
        self.fix_sleeping_nodes();
        // parts of stiff elements are stiff, so that a cut does not change the steps
        if let Some(rates) = &mut self.rates {
            rates.inherit(&origins.elements);
        }
        self.split_stiff_elements();
        self.set_stiff_ratio(ratio);
        self.refresh();
    }

    /// Replaces all cuts; nodes are at rest afterwards.
    pub(crate) fn set_cuts(&mut self, cutting: Cutting) {
        self.cutting = Some(Box::new(cutting));
        self.set_moving_level_at_rest();
    }

    /// Copies which pieces sleep, the sides that nodes keep, which cuts were ignored, and when cracks may grow, from a state with the same cuts.
    pub(crate) fn copy_cutting_state(&mut self, same: Cutting) {
        if let Some(cutting) = &mut self.cutting {
            if let (Some(cut), Some(same)) = (&mut cutting.cut, same.cut) {
                cut.sleep = same.sleep;
            }
            cutting.edges.copy_state(same.edges);
            cutting.fracture = same.fracture;
        }
    }

    /// Removes all cuts.
    pub(crate) fn remove_cuts(&mut self) {
        if self
            .cutting
            .as_mut()
            .is_some_and(|cutting| cutting.remove_cuts())
        {
            self.set_moving_level_at_rest();
        }
    }

    fn set_moving_level_at_rest(&mut self) {
        let rest = self.moving_level().mesh.nodes.clone();
        let still = vec![Vec3::zeros(); rest.len()];
        self.set_moving_level([rest, still]);
    }

    /// Prepares forces and steps of the present level, with its nodes in this state: positions (m) and velocities (m/s).
    fn set_moving_level(&mut self, [positions, velocities]: [Vec<Vec3>; 2]) {
        let asset = Arc::clone(&self.asset);
        let cut = self
            .cutting
            .as_ref()
            .and_then(|cutting| cutting.cut.as_ref());
        let level = cut.map_or(&asset.levels[self.level], |cut| &cut.level);
        let prepared = prepare(&asset, level, self.model, self.damping, &self.params);
        let memory = self.steps.memory();
        self.steps = prepared.steps;
        self.steps.set_memory(memory);
        self.added_mass = prepared.added_mass;
        self.held = supports_of(level);
        let dynamics = &mut self.dynamics;
        dynamics.field = prepared.field;
        dynamics.drag = prepared.drag;
        dynamics.filter = prepared.filter;
        dynamics.set_masses(level, prepared.masses);
        match cut.filter(|cut| cut.sleep.count() > 1) {
            Some(cut) => dynamics.set_pieces(&cut.pieces, cut.sleep.count()),
            None => dynamics.set_pieces(&[], 0),
        }
        dynamics.forces.resize(positions.len(), Vec3::zeros());
        dynamics.loads.resize(positions.len(), Vec3::zeros());
        self.last_good = (positions.clone(), velocities.clone());
        (dynamics.positions, dynamics.velocities) = (positions, velocities);
        self.dynamics.subcycled = None;
        self.forces_are_current = false;
        self.co_stepping.last.is_rated = false;
    }

    /// Rows of the vertices that tools may touch: those of the skin, then those of lips and caps.
    pub(crate) fn touchable_rows(&self) -> &SkinEmbedding {
        self.cut_mesh()
            .map_or(&self.moving_level().embedding, |cut| &cut.skin.rows)
    }

    /// The offsets of the skin that a hand-over has left, while they last.
    pub(crate) fn active_fade(&self) -> Option<&SkinFade> {
        let fade = self.handover.as_ref().map(|handover| &handover.fade);
        fade.filter(|fade| fade.is_active())
    }

    /// Lets the offsets of the skin after a hand-over fade in a frame of `duration` seconds.
    pub(crate) fn fade_after_handover(&mut self, duration: f64, boundary: &BoundaryConditions) {
        let Some(handover) = &mut self.handover else {
            return;
        };
        let cutting = self.cutting.as_ref();
        let cut = cutting.and_then(|cutting| cutting.cut.as_ref());
        // lips have the offsets of the skin vertices that they copy
        let of_skin = |v: usize| match cut {
            Some(cut) => cut.skin.undeformed.skin_vertex(v),
            None => Some(v),
        };
        let touched = boundary.displacements().iter();
        let touched = touched.filter_map(|c| of_skin(c.vertex as usize));
        handover.fade.advance(duration, touched);
    }

    /// Writes the skin of a cut body, and its cut surface. False for a body that is whole. After a hand-over lips move with the fading skin, and caps have no offset.
    pub(crate) fn write_cut(&self, out: &mut SurfaceFrame) -> bool {
        let Some(CutMesh { skin, .. }) = self.cut_mesh() else {
            return false;
        };
        let cut = CutSurface::update(&mut out.cut, &skin.undeformed);
        let (x, fade) = (&self.dynamics.positions, self.active_fade());
        let offset = |fade: &SkinFade, v: usize| {
            let whole = &skin.undeformed;
            let of_skin = whole.skin_vertex(whole.closed_vertex(v));
            of_skin.map_or_else(Vec3::zeros, |v| fade.offset(v))
        };
        let part = cut.frame.room_for(cut.surface.vertex_count());
        part.set(&cut.surface, |v| {
            let position = skin.rows.interpolate(v, x);
            fade.map_or(position, |fade| position + offset(fade, v))
        });
        let count = self.asset.skin.vertex_count();
        out.positions.clear();
        out.positions
            .extend_from_slice(&cut.frame.positions[..count]);
        out.normals.clear();
        out.normals.extend_from_slice(&cut.frame.normals[..count]);
        true
    }
}
