//! Which pieces sleep, and for how long the others have been calm.

use pliant_core::boundary::{ConstrainedDirections, ConstraintKind, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use pliant_core::model::rest::{CALM_FRAMES, calm_frames};

use super::bearings::Bearings;
use super::rest::Rest;

/// How nodes moved in a frame.
pub(super) struct Motion<'a> {
    /// m, when the frame began and when it ended
    pub from: &'a [Vec3],
    pub to: &'a [Vec3],
    /// m/s
    pub velocities: &'a [Vec3],
    /// kg
    pub masses: &'a [f64],
    /// way of a frame from which a node is not calm, m
    pub farthest: f64,
    /// s
    pub duration: f64,
}

/// Which pieces of a cut body sleep.
#[derive(Debug, Clone)]
pub(crate) struct PieceSleep {
    pub(super) rests: Vec<Rest>,
    /// nodes of each piece
    nodes: Csr,
    pub bearings: Bearings,
    pub(super) asleep: usize,
}

impl PieceSleep {
    /// All pieces are awake; `pieces` are those of the nodes, `held` are the nodes that supports hold.
    pub fn new(pieces: &[u32], count: usize, held: &[bool]) -> Self {
        let numbers = pieces.iter().zip(0..).map(|(piece, n)| (*piece, n));
        let nodes = Csr::from_pairs(count, numbers);
        let rest = |piece: usize| Rest {
            calm: 1,
            is_free: !nodes.row(piece).iter().any(|&n| held[n as usize]),
            ..Rest::default()
        };
        Self {
            rests: (0..count).map(rest).collect(),
            nodes,
            bearings: Bearings::default(),
            asleep: 0,
        }
    }

    /// Goes on as the pieces `before` a cut, of which `origin` tells the one that a node belonged to.
    pub fn follow(&mut self, before: &Self, origin: impl Fn(u32) -> u32) {
        let mut heirs = vec![None; before.rests.len()];
        for (piece, rest) in self.rests.iter_mut().enumerate() {
            let Some(&node) = self.nodes.row(piece).first() else {
                continue;
            };
            let was = origin(node) as usize;
            rest.calm = before.rests[was].calm;
            rest.asleep = before.rests[was].asleep;
            heirs[was] = Some(piece as u32);
        }
        self.bearings
            .follow(&before.bearings, |piece| heirs[piece as usize]);
        self.asleep = self.rests.iter().filter(|rest| rest.asleep).count();
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.rests.len()
    }

    /// Number of pieces that sleep.
    pub fn asleep(&self) -> usize {
        self.asleep
    }

    /// Whether a piece sleeps.
    pub fn is_asleep(&self, piece: u32) -> bool {
        self.asleep > 0 && self.rests[piece as usize].asleep
    }

    /// Which pieces sleep.
    pub fn all(&self) -> impl Iterator<Item = bool> + '_ {
        self.rests.iter().map(|rest| rest.asleep)
    }

    /// Nodes of pieces that nothing holds, and whether these sleep.
    pub fn free_pieces(&self) -> impl Iterator<Item = (&[u32], bool)> {
        let all = self.rests.iter().enumerate();
        let free = all.filter(|(_, rest)| rest.is_free);
        free.map(move |(piece, rest)| (self.nodes.row(piece), rest.asleep))
    }

    /// A frame begins.
    pub fn begin_frame(&mut self) {
        for rest in &mut self.rests {
            (rest.driven, rest.gripped) = (false, false);
        }
        self.bearings.begin_frame();
    }

    /// Something outside moves a piece.
    pub fn drive(&mut self, piece: u32) {
        self.rests[piece as usize].driven = true;
    }

    /// A constraint of the frame is on a piece, whose vertex is `here` (m); what is nearer than `near` (m) touches, and what is slower than `still` (m/s) does not move.
    pub fn constrain(
        &mut self,
        piece: u32,
        c: &DisplacementConstraint,
        here: &Vec3,
        (near, still): (f64, f64),
    ) {
        let rest = &mut self.rests[piece as usize];
        let moves = c.velocity.norm() > still;
        let (ConstrainedDirections::Along(normal), ConstraintKind::Unilateral) =
            (c.directions, c.kind)
        else {
            rest.gripped = true;
            rest.driven |= moves || c.violation(here) > near;
            return;
        };
        let gap = normal.dot(&(here - c.target));
        rest.driven |= gap < -near || moves && gap < near;
        if gap < near {
            self.bearings.touch(c.vertex);
        }
    }

    /// Wakes what something outside moves or holds, and what has lost what bore it.
    pub fn wake_disturbed(&mut self) {
        for piece in self.bearings.lost() {
            self.rests[piece as usize].driven = true;
        }
        for piece in 0..self.rests.len() {
            let rest = &self.rests[piece];
            if rest.asleep && (rest.driven || rest.gripped) {
                self.wake(piece as u32);
            }
        }
    }

    /// Two pieces meet within the frame. What sleeps wakes if the other one `hits` it, or if they are `touching` and the other one moves.
    pub fn meet(&mut self, pieces: [u32; 2], hits: bool, touching: bool) {
        let [a, b] = pieces;
        for (sleeper, other) in [(a, b), (b, a)] {
            let is_woken = hits || touching && self.rests[other as usize].is_restless();
            if is_woken && self.is_asleep(sleeper) && !self.is_asleep(other) {
                self.wake(sleeper);
            }
        }
    }

    /// A piece is awake, and has to be calm anew before it sleeps.
    pub fn wake(&mut self, piece: u32) {
        let rest = &mut self.rests[piece as usize];
        if std::mem::take(&mut rest.asleep) {
            self.asleep -= 1;
            self.bearings.forget(piece);
        }
        rest.wake();
    }

    /// The same for all pieces. Returns whether one slept.
    pub fn wake_all(&mut self) -> bool {
        self.rests.iter_mut().for_each(Rest::wake);
        self.bearings.clear();
        std::mem::take(&mut self.asleep) > 0
    }

    /// Parts the constraints of the frame by what they are on, after all that wakes has woken; `piece` tells the piece of a skin vertex.
    pub fn leave_out(
        &mut self,
        constraints: &[DisplacementConstraint],
        piece: impl Fn(u32) -> Option<u32>,
    ) {
        if self.asleep == 0 {
            self.bearings.part_none();
            return;
        }
        let rests = &self.rests;
        self.bearings.part(constraints, |vertex| {
            piece(vertex).is_some_and(|piece| rests[piece as usize].asleep)
        });
    }

    /// Those of the `constraints` of the frame that are on what is awake.
    pub fn awake_of<'a>(
        &'a self,
        constraints: &'a [DisplacementConstraint],
    ) -> &'a [DisplacementConstraint] {
        match self.asleep {
            0 => constraints,
            _ => self.bearings.awake(),
        }
    }

    /// Counts the calm frames of all that is awake when a frame ends.
    ///
    /// Every node has to be nearly where it was, and the piece must not swing between: the velocities of stiff elements ripple at rest, so that their mean counts.
    pub(super) fn count_calm(&mut self, motion: &Motion<'_>) {
        let farthest = motion.farthest.powi(2);
        let fastest = (motion.farthest / motion.duration).powi(2);
        for (piece, rest) in self.rests.iter_mut().enumerate() {
            (rest.borne, rest.falls) = (false, false);
            if rest.asleep {
                continue;
            }
            let nodes = || self.nodes.row(piece).iter().map(|&n| n as usize);
            let way = |n: usize| (motion.to[n] - motion.from[n]).norm_squared();
            let mass: f64 = nodes().map(|n| motion.masses[n]).sum();
            let square = |n: usize| motion.masses[n] * motion.velocities[n].norm_squared();
            let is_calm = !rest.driven
                && nodes().all(|n| way(n) < farthest)
                && nodes().map(square).sum::<f64>() < mass * fastest;
            rest.calm = calm_frames(rest.calm, is_calm);
            rest.falls = rest.is_free && !rest.gripped && rest.calm >= CALM_FRAMES;
        }
    }

    /// A tool bears a piece.
    pub(super) fn bear(&mut self, piece: u32) {
        self.rests[piece as usize].borne = true;
    }

    /// Two pieces press on each other.
    pub(super) fn press(&mut self, pieces: [u32; 2]) {
        let [a, b] = pieces.map(|piece| piece as usize);
        for (piece, other) in [(a, b), (b, a)] {
            let is_quiet = self.rests[other].is_quiet();
            self.rests[piece].borne = true;
            self.rests[piece].falls &= is_quiet;
        }
    }

    /// Sends to sleep what may. Returns whether there was anything.
    pub(super) fn fall_asleep(&mut self) -> bool {
        let before = self.asleep;
        for rest in &mut self.rests {
            rest.falls &= rest.borne;
            rest.asleep |= rest.falls;
            self.asleep += usize::from(rest.falls);
        }
        self.asleep > before
    }

    /// Nodes of what falls asleep.
    pub(super) fn falling_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        let falling = self.rests.iter().enumerate().filter(|(_, r)| r.falls);
        falling.flat_map(move |(piece, _)| self.nodes.row(piece).iter().copied())
    }

    /// Keeps the forces (N) of tools on the vertices of what falls asleep.
    pub(super) fn keep_bearings(&mut self, forces: impl Iterator<Item = (u32, u32, Vec3)>) {
        let rests = &self.rests;
        let falls = |piece: u32| rests[piece as usize].falls;
        self.bearings.keep(forces.filter(|f| falls(f.0)));
    }
}
