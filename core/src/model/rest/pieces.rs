//! Which pieces sleep, and for how long the others have been at rest.

use crate::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint,
};
use crate::math::Vec3;
use crate::mesh::Csr;
use crate::model::rest::piece_state::PieceState;
use crate::model::rest::resting_contacts::RestingContacts;
use crate::model::rest::rule::{
    Approach, FRAMES_BEFORE_SLEEP, REST_DISTANCE, TOUCHING_DISTANCE, count_rest_frames,
};

/// Least motion of a tool in a frame, in spacings, that counts as motion: poses have round-off.
const MIN_TOOL_MOTION: f64 = 1e-6;

/// Units of the lengths and speeds of a frame.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// Distance of nodes, m.
    pub spacing: f64,
    /// Duration of the frame, s.
    pub duration: f64,
}

/// Motion of the nodes in a frame.
#[derive(Debug, Clone, Copy)]
pub struct PieceMotion<'a> {
    /// Positions when the frame began, m.
    pub from: &'a [Vec3],
    /// Positions when the frame ends, m.
    pub to: &'a [Vec3],
    /// Velocities when the frame ends, m/s.
    pub velocities: &'a [Vec3],
    /// Masses, kg.
    pub masses: &'a [f64],
}

/// Which pieces of a cut or broken body sleep, and the contacts that carry them.
#[derive(Debug, Clone)]
pub struct PieceSleep {
    pub(super) states: Vec<PieceState>,
    /// nodes of each piece
    nodes: Csr,
    pub(super) contacts: RestingContacts,
    /// number of pieces that sleep
    pub(super) asleep: usize,
}

impl PieceSleep {
    /// A body whose pieces are all awake: `pieces` has the piece of each node, `count` is the number of pieces, and `held` marks nodes that something holds, whose pieces never sleep.
    pub fn new(pieces: &[u32], count: usize, held: &[bool]) -> Self {
        let numbers = pieces.iter().zip(0..).map(|(piece, n)| (*piece, n));
        let nodes = Csr::from_pairs(count, numbers);
        let state = |piece: usize| PieceState {
            rest_frames: 1,
            is_free: !nodes.row(piece).iter().any(|&n| held[n as usize]),
            ..PieceState::default()
        };
        Self {
            states: (0..count).map(state).collect(),
            nodes,
            contacts: RestingContacts::default(),
            asleep: 0,
        }
    }

    /// Inherits the sleep of the pieces `before` a cut; `origin` gives the piece that a node belonged to.
    pub fn inherit(&mut self, before: &Self, origin: impl Fn(u32) -> u32) {
        let mut successors = vec![None; before.states.len()];
        for (piece, state) in self.states.iter_mut().enumerate() {
            let Some(&node) = self.nodes.row(piece).first() else {
                continue;
            };
            let old = origin(node) as usize;
            state.rest_frames = before.states[old].rest_frames;
            state.is_asleep = before.states[old].is_asleep;
            successors[old] = Some(piece as u32);
        }
        self.contacts
            .inherit(&before.contacts, |piece| successors[piece as usize]);
        self.asleep = self.states.iter().filter(|s| s.is_asleep).count();
    }

    /// Number of pieces.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Number of pieces that sleep.
    pub fn asleep(&self) -> usize {
        self.asleep
    }

    /// Whether all pieces sleep.
    pub fn all_asleep(&self) -> bool {
        self.asleep > 0 && self.asleep == self.states.len()
    }

    /// Whether a piece sleeps.
    pub fn is_asleep(&self, piece: u32) -> bool {
        self.asleep > 0 && self.states[piece as usize].is_asleep
    }

    /// For each piece whether it sleeps.
    pub fn all(&self) -> impl Iterator<Item = bool> + '_ {
        self.states.iter().map(|state| state.is_asleep)
    }

    /// Nodes of the pieces that sleep.
    pub fn sleeping_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes_of_pieces(|state| state.is_asleep)
    }

    /// Nodes of the pieces that have just fallen asleep.
    pub fn falling_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes_of_pieces(|state| state.falls_asleep)
    }

    fn nodes_of_pieces(
        &self,
        is_chosen: fn(&PieceState) -> bool,
    ) -> impl Iterator<Item = u32> + '_ {
        let all = self.states.iter().enumerate();
        let chosen = all.filter(move |(_, state)| is_chosen(state));
        chosen.flat_map(move |(piece, _)| self.nodes.row(piece).iter().copied())
    }

    /// Sets the inverse masses (1/kg) of the nodes of all pieces that nothing holds, given the `masses` (kg): zero where the piece sleeps.
    pub fn set_inverse_masses(&self, masses: &[f64], inverse_masses: &mut [f64]) {
        let all = self.states.iter().enumerate();
        for (piece, state) in all.filter(|(_, state)| state.is_free) {
            for n in self.nodes.row(piece).iter().map(|&n| n as usize) {
                let inverse = 1.0 / masses[n];
                inverse_masses[n] = if state.is_asleep { 0.0 } else { inverse };
            }
        }
    }

    /// Begins a frame: wakes pieces that a constraint or load moves or holds, and those that have lost a contact that carried them. `at` gives the piece and the position (m) of a vertex that tools may touch. Returns whether a
    /// piece has woken.
    pub fn begin_frame(
        &mut self,
        boundary: &BoundaryConditions,
        scale: &Scale,
        at: impl Fn(u32) -> Option<(u32, Vec3)>,
    ) -> bool {
        for state in &mut self.states {
            (state.is_driven, state.is_grabbed) = (false, false);
        }
        self.contacts.begin_frame();
        for c in boundary.displacements() {
            if let Some((piece, position)) = at(c.vertex) {
                self.apply_constraint(piece, c, &position, scale);
            }
        }
        let loads = boundary.loads().iter();
        for load in loads.filter(|load| load.force != Vec3::zeros()) {
            if let Some((piece, _)) = at(load.vertex) {
                self.states[piece as usize].is_driven = true;
            }
        }
        self.wake_disturbed()
    }

    /// Records the effect of a constraint of the frame on a piece, whose vertex is at `position` (m).
    fn apply_constraint(
        &mut self,
        piece: u32,
        c: &DisplacementConstraint,
        position: &Vec3,
        scale: &Scale,
    ) {
        let touching = TOUCHING_DISTANCE * scale.spacing;
        let min_speed = MIN_TOOL_MOTION * scale.spacing / scale.duration;
        let state = &mut self.states[piece as usize];
        let moves = c.velocity.norm() > min_speed;
        let (ConstrainedDirections::Along(normal), ConstraintKind::Unilateral) =
            (c.directions, c.kind)
        else {
            state.is_grabbed = true;
            state.is_driven |= moves || c.violation(position) > touching;
            return;
        };
        let gap = normal.dot(&(position - c.target));
        state.is_driven |= gap < -touching || moves && gap < touching;
        if gap < touching {
            self.contacts.mark_present(c.vertex);
        }
    }

    /// Wakes sleeping pieces that are driven or grabbed, or have lost a contact. Returns whether there was one.
    fn wake_disturbed(&mut self) -> bool {
        let before = self.asleep;
        for piece in self.contacts.lost_pieces() {
            self.states[piece as usize].is_driven = true;
        }
        for piece in 0..self.states.len() {
            let state = &self.states[piece];
            if state.is_asleep && (state.is_driven || state.is_grabbed) {
                self.wake(piece as u32);
            }
        }
        self.asleep < before
    }

    /// Whether some pieces sleep and others do not, so that these may wake the sleeping ones.
    pub fn some_asleep(&self) -> bool {
        self.asleep > 0 && !self.all_asleep()
    }

    /// Wakes sleeping pieces that another one hits within the frame, or that touch another one which moves. `approaches` are those of pairs of pieces, in the order in which they are looked at. Returns
    /// whether a piece has woken.
    pub fn wake_on_approach(
        &mut self,
        approaches: impl Iterator<Item = ([u32; 2], Approach)>,
        scale: &Scale,
    ) -> bool {
        let before = self.asleep;
        let rest_speed = REST_DISTANCE * scale.spacing / scale.duration;
        for ([a, b], approach) in approaches {
            let touching = approach.touches(scale.spacing, scale.duration);
            let hits = approach.hits(touching, rest_speed, scale.duration);
            for (piece, other) in [(a, b), (b, a)] {
                let is_woken = hits || touching && self.states[other as usize].wakes_neighbours();
                if is_woken && self.is_asleep(piece) && !self.is_asleep(other) {
                    self.wake(piece);
                }
            }
        }
        self.asleep < before
    }

    /// Wakes a piece; its frames at rest count from the beginning.
    pub fn wake(&mut self, piece: u32) {
        let state = &mut self.states[piece as usize];
        if std::mem::take(&mut state.is_asleep) {
            self.asleep -= 1;
            self.contacts.remove(piece);
        }
        state.wake();
    }

    /// Wakes all pieces. Returns whether one slept.
    pub fn wake_all(&mut self) -> bool {
        self.states.iter_mut().for_each(PieceState::wake);
        self.contacts.clear();
        std::mem::take(&mut self.asleep) > 0
    }

    /// Separates the constraints on sleeping pieces, which the frame leaves out, from the others. Call it after all pieces that wake have woken. `piece` gives the piece of a vertex that tools may touch.
    pub fn split_constraints(
        &mut self,
        constraints: &[DisplacementConstraint],
        piece: impl Fn(u32) -> Option<u32>,
    ) {
        if self.asleep == 0 {
            self.contacts.clear_constraints();
            return;
        }
        let states = &self.states;
        self.contacts.split_constraints(constraints, |vertex| {
            piece(vertex).is_some_and(|piece| states[piece as usize].is_asleep)
        });
    }

    /// The `constraints` of the frame without those on sleeping pieces.
    pub fn awake_constraints<'a>(
        &'a self,
        constraints: &'a [DisplacementConstraint],
    ) -> &'a [DisplacementConstraint] {
        match self.asleep {
            0 => constraints,
            _ => self.contacts.awake_constraints(),
        }
    }

    /// Extends the `forces` (N) of the constraints on pieces that are awake, in place, to all constraints of the frame. A force on a sleeping piece is that with which it fell asleep.
    pub fn merge_forces(&self, forces: &mut Vec<Vec3>) {
        self.contacts.merge_forces(forces);
    }

    /// Ends a frame: counts frames at rest, and lets pieces fall asleep. `constraints` are those of the frame with their forces on the body (N), `piece_of` gives the piece of a vertex that tools may touch, and
    /// `pressing` has the pairs of pieces that press on each other. Returns whether a piece has fallen asleep; [`PieceSleep::falling_nodes`] has its nodes.
    pub fn end_frame(
        &mut self,
        motion: &PieceMotion<'_>,
        scale: &Scale,
        (constraints, forces): (&[DisplacementConstraint], &[Vec3]),
        piece_of: impl Fn(u32) -> Option<u32>,
        pressing: impl Iterator<Item = [u32; 2]>,
    ) -> bool {
        self.count_rest_frames(motion, scale);
        let all = constraints.iter().zip(forces);
        let pushed = all.filter(|(_, force)| **force != Vec3::zeros());
        let carrying =
            pushed.filter_map(|(c, force)| Some((piece_of(c.vertex)?, c.vertex, *force)));
        for (piece, ..) in carrying.clone() {
            self.states[piece as usize].is_carried = true;
        }
        for pieces in pressing {
            self.record_pressing(pieces);
        }
        let before = self.asleep;
        for state in &mut self.states {
            state.falls_asleep &= state.is_carried;
            state.is_asleep |= state.falls_asleep;
            self.asleep += usize::from(state.falls_asleep);
        }
        let has_fallen = self.asleep > before;
        if has_fallen {
            let states = &self.states;
            let falls_asleep = |piece: u32| states[piece as usize].falls_asleep;
            self.contacts
                .add(carrying.filter(|contact| falls_asleep(contact.0)));
        }
        has_fallen
    }

    /// Counts the frames at rest of all pieces that are awake.
    ///
    /// A piece is at rest where no node has moved far, and its mean square velocity is small, so that it is not at a turning point of an oscillation. Velocities of single nodes do not count, because stiff elements oscillate slightly at rest.
    fn count_rest_frames(&mut self, motion: &PieceMotion<'_>, scale: &Scale) {
        let limit = REST_DISTANCE * scale.spacing;
        let max_square_distance = limit.powi(2);
        let max_square_speed = (limit / scale.duration).powi(2);
        for (piece, state) in self.states.iter_mut().enumerate() {
            (state.is_carried, state.falls_asleep) = (false, false);
            if state.is_asleep {
                continue;
            }
            let nodes = || self.nodes.row(piece).iter().map(|&n| n as usize);
            let square_distance = |n: usize| (motion.to[n] - motion.from[n]).norm_squared();
            let mass: f64 = nodes().map(|n| motion.masses[n]).sum();
            let weighted_square = |n: usize| motion.masses[n] * motion.velocities[n].norm_squared();
            let is_at_rest = !state.is_driven
                && nodes().all(|n| square_distance(n) < max_square_distance)
                && nodes().map(weighted_square).sum::<f64>() < mass * max_square_speed;
            state.rest_frames = count_rest_frames(state.rest_frames, is_at_rest);
            state.falls_asleep =
                state.is_free && !state.is_grabbed && state.rest_frames >= FRAMES_BEFORE_SLEEP;
        }
    }

    /// Records that two pieces press on each other: each carries the other, and both have to be at rest to fall asleep.
    fn record_pressing(&mut self, pieces: [u32; 2]) {
        let [a, b] = pieces.map(|piece| piece as usize);
        if a == b {
            return;
        }
        for (piece, other) in [(a, b), (b, a)] {
            let may_sleep = self.states[other].lets_neighbours_sleep();
            self.states[piece].is_carried = true;
            self.states[piece].falls_asleep &= may_sleep;
        }
    }
}
