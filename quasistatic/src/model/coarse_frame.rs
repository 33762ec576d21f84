//! A frame with coarse constraints: their friction memory, their deviations by compression, and the distribution of their forces to their vertices.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::FrameRequest;

use crate::capacitance::{ContactRow, RowProblem};
use crate::contact::coarse::TouchedSkin;
use crate::contact::friction::FrictionMemory;
use crate::model::QuasistaticModel;

/// Most rounds in a frame that exclude open vertices.
const MAX_ROUNDS: usize = 2;
/// Distance from a tool, as a share of the skin's diagonal, from which a vertex counts as open. Contact detection lists vertices within the same distance.
const OPEN_DISTANCE_SHARE: f64 = 0.008;

/// Motion in a frame, as a share of the skin's diagonal, below which a tool or the surface counts as at rest.
const REST_MOTION_SHARE: f64 = 5e-4;

impl QuasistaticModel {
    /// Whether the contact at a vertex, or at any vertex of a coarse constraint, pushed in the last frame.
    pub(super) fn pushed(&self, vertex: u32) -> bool {
        let pushed = |vertex: u32| self.state.pushing.binary_search(&vertex).is_ok();
        let mut members = self.coarse.members_at(vertex).iter();
        match members.as_slice() {
            [] => pushed(vertex),
            _ => members.any(|m| pushed(self.coarse.fine[m.fine as usize].row.vertex)),
        }
    }

    /// Collects the friction memory of this frame: the force of each vertex in the last frame, and for each coarse constraint the weighted sum over its vertices, which sticks where
    /// most of them stuck.
    pub(super) fn load_friction_memory(&mut self) {
        let memory = &mut self.work.memory;
        memory.clone_from(&self.state.friction);
        if self.state.friction.is_empty() {
            return;
        }
        for k in 0..self.coarse.len() {
            let (mut force, mut sticking, mut total) = (Vec3::zeros(), 0.0, 0.0);
            for member in self.coarse.members(k) {
                let vertex = self.coarse.fine[member.fine as usize].row.vertex;
                let friction = &self.state.friction;
                if let Ok(at) = friction.binary_search_by_key(&vertex, |m| m.vertex) {
                    force += friction[at].force * member.hat;
                    total += member.share;
                    sticking += if friction[at].sticks {
                        member.share
                    } else {
                        0.0
                    };
                }
            }
            if let Some(constraint) = self.coarse.constraint(k).filter(|_| total > 0.0) {
                memory.push(FrictionMemory {
                    vertex: constraint.vertex,
                    sticks: 2.0 * sticking >= total,
                    force,
                });
            }
        }
    }

    /// Solves normal forces alone and excludes vertices that end up open, up to [`MAX_ROUNDS`] times. The others form the constraints of `level`.
    ///
    /// A mean gap that includes open vertices lets the others penetrate. Besides, contact detection drops open vertices and finds them again, and a contact at rest would flicker with
    /// them. What is excluded here does not depend on whether it was listed.
    pub(super) fn exclude_open_vertices(&mut self, level: usize, boundary: &BoundaryConditions) {
        let asset = Arc::clone(&self.asset);
        let open_distance = OPEN_DISTANCE_SHARE * asset.skin.bounds().diagonal();
        self.work.deviations.clear();
        self.work.row_deviations.clear();
        for _ in 0..MAX_ROUNDS {
            self.solver.begin_frame(true, self.coarse.is_new());
            self.coarse.mark_solved();
            let all = 0..self.conditions.rows.len() as u32;
            self.conditions.chosen.clear();
            self.conditions.chosen.extend(all);
            self.begin_pass();
            let supports = self.coarse.row_supports(&asset.rows);
            let work = &mut self.work;
            let problem = RowProblem {
                rows: &work.rows,
                gaps: &work.gaps,
                gap_tolerance: self.gap_tolerance,
            };
            let (active, force) = (&mut work.active, &mut work.force);
            let solved = self
                .solver
                .solve(&asset.matrix, supports, problem, active, force);
            if solved.is_err() {
                // the solution of the whole problem reports the error
                return;
            }
            self.nodal.clear(asset.nodes());
            for (row, &force) in work.rows.iter().zip(&work.force) {
                if force != 0.0 {
                    self.nodal.add_row(supports, row, force);
                }
            }
            // displacements by contact alone: the gaps include all other displacements
            work.field.clear();
            work.field.resize(3 * asset.nodes(), 0.0);
            let fine = self.coarse.fine.iter();
            let nodes = fine.flat_map(|c| asset.rows.row(c.row.vertex as usize).0);
            work.listed.select(&asset.matrix, nodes.copied());
            work.listed
                .add_to(&asset.matrix, self.nodal.list(), &mut work.field);
            let open = self.coarse.fine.iter().map(|c| {
                let moved = asset.rows.interpolate(c.row.vertex as usize, &work.field);
                c.gap + moved.dot(&c.row.direction) > open_distance
            });
            work.open.clear();
            work.open.extend(open);
            if !self.coarse.exclude(&self.work.open) {
                return;
            }
            self.replace_touched(level, boundary);
        }
    }

    /// Replaces the constraints of touched vertices by those of `level`.
    pub(super) fn replace_touched(&mut self, level: usize, boundary: &BoundaryConditions) {
        let Some(hats) = &self.hats else {
            return;
        };
        let skin = TouchedSkin {
            rows: &self.asset.rows,
            positions: &self.asset.skin.positions,
            hats,
        };
        let rows = &mut self.conditions.rows;
        self.coarse.replace(&skin, level, boundary, rows);
    }

    /// Measures how far the displacement along each solved row is from that of the symmetric compliance, m.
    pub(super) fn measure_coarse_deviations(&mut self) {
        let supports = self.coarse.row_supports(&self.asset.rows);
        let (field, rest) = (&self.work.field, &self.rest_load.field);
        let moved =
            |row: &ContactRow| supports.displacement(row, field) - supports.displacement(row, rest);
        let forces = self.nodal.list();
        let assembly = &self.solver.assembly;
        let rows = self.work.rows.iter().enumerate();
        self.work.row_deviations.clear();
        let deviations = rows.map(|(i, row)| assembly.deviation(i, moved(row), forces));
        self.work.row_deviations.extend(deviations);
        self.friction.measure_deviations(moved, forces);
    }

    /// Distributes normal forces and friction of coarse constraints to their vertices, multiplied by `stiffness`.
    pub(super) fn distribute_forces(&mut self, stiffness: f64) {
        let (state, coarse) = (&mut self.state, &self.coarse);
        for (i, &k) in self.conditions.chosen.iter().enumerate() {
            let row = &self.conditions.rows[k as usize].row;
            let force = self.work.force[i] * stiffness;
            for member in coarse.members_at(row.vertex) {
                let fine = &coarse.fine[member.fine as usize];
                state.reactions[fine.constraint as usize] +=
                    fine.row.direction * (force * member.share);
                if self.work.active[i] {
                    state.pushing.push(fine.row.vertex);
                }
            }
        }
        state.pushing.sort_unstable();
        state.pushing.dedup();
        let tangential = &mut self.work.tangential;
        tangential.clear();
        tangential.resize(coarse.fine.len(), (Vec3::zeros(), 0.0, 0.0));
        for (i, vertex, force, sticks) in self.friction.forces() {
            if self.work.force[i] <= 0.0 {
                continue;
            }
            for member in coarse.members_at(vertex) {
                let (sum, sticking, all) = &mut tangential[member.fine as usize];
                *sum += force * (stiffness * member.share);
                *sticking += if sticks { member.hat } else { 0.0 };
                *all += member.hat;
            }
        }
        for (fine, &(force, sticking, all)) in coarse.fine.iter().zip(&*tangential) {
            if all > 0.0 {
                state.reactions[fine.constraint as usize] += force;
                state.friction.push(FrictionMemory {
                    vertex: fine.row.vertex,
                    sticks: 2.0 * sticking >= all,
                    force,
                });
            }
        }
        state.friction.sort_by_key(|memory| memory.vertex);
    }

    /// Whether this frame needs a blend: the level changed or, under a tool at rest, vertices entered or left coarse constraints.
    pub(super) fn needs_blend(
        &self,
        request: &FrameRequest<'_>,
        last_level: Option<usize>,
    ) -> bool {
        let state = &self.state;
        if state.vertices.is_empty() || self.conditions.rows.is_empty() {
            return false;
        }
        if last_level.is_some() && last_level != state.level.level() {
            return true;
        }
        let rest_motion = REST_MOTION_SHARE * self.asset.skin.bounds().diagonal();
        let constraints = request.boundary.displacements().iter();
        let mut paths = constraints.map(|c| c.velocity.norm() * request.duration);
        let fields = state.field.iter().zip(&self.work.field);
        self.coarse.supports().is_some()
            && paths.all(|path| path < rest_motion)
            && fields
                .into_iter()
                .any(|(last, now)| (last - now).abs() > rest_motion)
    }

    /// Adds the remaining difference of forces. `changed` starts a new blend.
    pub(super) fn blend_forces(&mut self, changed: bool) {
        let (state, work) = (&mut self.state, &self.work);
        if changed {
            let now = state.vertices.iter().copied();
            state.blend.start_forces(
                work.last_reactions.iter().copied(),
                now.zip(state.reactions.iter().copied()),
                &work.last_support_reactions,
                &state.support_reactions,
            );
        }
        state.blend.step();
        if state.blend.weight() > 0.0 {
            for (vertex, force) in state.vertices.iter().zip(&mut state.reactions) {
                *force += state.blend.reaction(*vertex);
            }
            for (k, force) in state.support_reactions.iter_mut().enumerate() {
                *force += state.blend.support(k);
            }
        }
    }
}
