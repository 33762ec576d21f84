//! Which pieces sleep, and for how long the others have been calm.

use crate::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint,
};
use crate::math::Vec3;
use crate::mesh::Csr;
use crate::model::rest::bearings::Bearings;
use crate::model::rest::piece::Rest;
use crate::model::rest::rule::{Approach, CALM, CALM_FRAMES, TOUCHING, calm_frames};

/// A tool that goes a smaller share of the spacing in a frame does not move: poses have round-off.
const STILL: f64 = 1e-6;

/// What lengths and speeds of a frame are measured by.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// Distance of nodes, m.
    pub spacing: f64,
    /// Of the frame, s.
    pub duration: f64,
}

/// How nodes moved in a frame.
#[derive(Debug, Clone, Copy)]
pub struct PieceMotion<'a> {
    /// Where they were when the frame began, m.
    pub from: &'a [Vec3],
    /// Where they are when it ends, m.
    pub to: &'a [Vec3],
    /// m/s
    pub velocities: &'a [Vec3],
    /// kg
    pub masses: &'a [f64],
}

/// Which pieces of a cut or broken body sleep, and what bears them.
#[derive(Debug, Clone)]
pub struct PieceSleep {
    pub(super) rests: Vec<Rest>,
    /// nodes of each piece
    nodes: Csr,
    pub(super) bearings: Bearings,
    pub(super) asleep: usize,
}

impl PieceSleep {
    /// All pieces are awake; `pieces` are those of the nodes, `count` is how many there are, and `held` are the nodes whose pieces never sleep, because something holds them.
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
    pub fn count(&self) -> usize {
        self.rests.len()
    }

    /// Number of pieces that sleep.
    pub fn asleep(&self) -> usize {
        self.asleep
    }

    /// Whether all pieces sleep.
    pub fn all_asleep(&self) -> bool {
        self.asleep > 0 && self.asleep == self.rests.len()
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

    /// A frame begins: wakes what something outside moves or holds, and what has lost what bore it. `at` tells the piece of a vertex that tools may touch, and where that is (m). Returns whether anything has
    /// woken.
    pub fn begin_frame(
        &mut self,
        boundary: &BoundaryConditions,
        scale: &Scale,
        at: impl Fn(u32) -> Option<(u32, Vec3)>,
    ) -> bool {
        for rest in &mut self.rests {
            (rest.driven, rest.gripped) = (false, false);
        }
        self.bearings.begin_frame();
        for c in boundary.displacements() {
            if let Some((piece, here)) = at(c.vertex) {
                self.constrain(piece, c, &here, scale);
            }
        }
        let loads = boundary.loads().iter();
        for load in loads.filter(|load| load.force != Vec3::zeros()) {
            if let Some((piece, _)) = at(load.vertex) {
                self.rests[piece as usize].driven = true;
            }
        }
        self.wake_disturbed()
    }

    /// A constraint of the frame is on a piece, whose vertex is `here` (m).
    fn constrain(&mut self, piece: u32, c: &DisplacementConstraint, here: &Vec3, scale: &Scale) {
        let (near, still) = (
            TOUCHING * scale.spacing,
            STILL * scale.spacing / scale.duration,
        );
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

    fn wake_disturbed(&mut self) -> bool {
        let before = self.asleep;
        for piece in self.bearings.lost() {
            self.rests[piece as usize].driven = true;
        }
        for piece in 0..self.rests.len() {
            let rest = &self.rests[piece];
            if rest.asleep && (rest.driven || rest.gripped) {
                self.wake(piece as u32);
            }
        }
        self.asleep < before
    }

    /// Two pieces may meet within the frame. What sleeps wakes if the other one hits it, or if they touch and the other one moves. Returns whether one has woken.
    pub fn meet(&mut self, pieces: [u32; 2], approach: &Approach, scale: &Scale) -> bool {
        let touching = approach.touches(scale.spacing, scale.duration);
        let hits = approach.hits(touching, scale.spacing, scale.duration);
        let ([a, b], before) = (pieces, self.asleep);
        for (sleeper, other) in [(a, b), (b, a)] {
            let is_woken = hits || touching && self.rests[other as usize].is_restless();
            if is_woken && self.is_asleep(sleeper) && !self.is_asleep(other) {
                self.wake(sleeper);
            }
        }
        self.asleep < before
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

    /// Parts the constraints of the frame by what they are on, after all that wakes has woken; `piece` tells the piece of a vertex that tools may touch.
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

    /// Whether constraints were parted in this frame, so that [`PieceSleep::spread`] does something.
    pub fn leaves_out(&self) -> bool {
        self.bearings.are_parted()
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

    /// Makes one force (N) a constraint of the frame out of those of the constraints on what is awake; the force on what sleeps is what it was when it fell asleep.
    pub fn spread(&self, forces: &mut Vec<Vec3>) {
        self.bearings.spread(forces);
    }

    /// A frame ends: counts calm frames, and sends to sleep what may. `borne` are the forces (N) of tools by the vertices that they touch, each with the piece of its vertex, and `pressing` are pieces that
    /// press on each other. Returns whether anything has fallen asleep; what has is [`PieceSleep::falling_nodes`].
    pub fn end_frame(
        &mut self,
        motion: &PieceMotion<'_>,
        scale: &Scale,
        borne: impl Iterator<Item = (u32, u32, Vec3)> + Clone,
        pressing: impl Iterator<Item = [u32; 2]>,
    ) -> bool {
        self.count_calm(motion, scale);
        for (piece, ..) in borne.clone() {
            self.rests[piece as usize].borne = true;
        }
        for pieces in pressing {
            self.press(pieces);
        }
        let before = self.asleep;
        for rest in &mut self.rests {
            rest.falls &= rest.borne;
            rest.asleep |= rest.falls;
            self.asleep += usize::from(rest.falls);
        }
        let has_fallen = self.asleep > before;
        if has_fallen {
            let rests = &self.rests;
            let falls = |piece: u32| rests[piece as usize].falls;
            self.bearings.keep(borne.filter(|f| falls(f.0)));
        }
        has_fallen
    }

    /// Counts the calm frames of all that is awake.
    ///
    /// Every node has to be nearly where it was, and the piece must not swing between: the velocities of stiff elements ripple at rest, so that their mean counts.
    fn count_calm(&mut self, motion: &PieceMotion<'_>, scale: &Scale) {
        let way = CALM * scale.spacing;
        let (farthest, fastest) = (way.powi(2), (way / scale.duration).powi(2));
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

    /// Two pieces press on each other.
    fn press(&mut self, pieces: [u32; 2]) {
        let [a, b] = pieces.map(|piece| piece as usize);
        if a == b {
            return;
        }
        for (piece, other) in [(a, b), (b, a)] {
            let is_quiet = self.rests[other].is_quiet();
            self.rests[piece].borne = true;
            self.rests[piece].falls &= is_quiet;
        }
    }

    /// Nodes of what has just fallen asleep.
    pub fn falling_nodes(&self) -> impl Iterator<Item = u32> + '_ {
        let falling = self.rests.iter().enumerate().filter(|(_, r)| r.falls);
        falling.flat_map(move |(piece, _)| self.nodes.row(piece).iter().copied())
    }
}
