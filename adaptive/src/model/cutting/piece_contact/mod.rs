//! Lips and pieces of a cut body touch each other.
//!
//! The closed surface of the cut body, skin and caps, touches itself: points of it against its triangles. When a frame begins, each point is paired with the nearest triangle that faces it and that it may
//! meet within the frame (`search`, by a tree over triangles that move, `moving_tree`). Each step takes the plane of that triangle as it is then, and finds the impulses that keep the points in front of it by
//! projected Gauss–Seidel (`pair`), with as many sweeps as they need and the budget allows (`work`).
//!
//! A pair pushes the nodes behind its point and its triangle by weights that sum to zero, along a line through both places: linear and angular momentum are kept, but for friction, which acts at two
//! places that are apart by the gap. Nothing is remembered from frame to frame, so that a snapshot needs no more than the cut edges.

mod moving_tree;
mod pair;
mod places;
mod search;
mod surface;
mod work;

use pliant_core::math::Vec3;
use pliant_core::model::rest::Approach;

use pair::{Pair, Pairs, Step};
use search::Search;
pub(crate) use surface::ContactSurface;
use work::{Load, Work};

/// Most sweeps a step.
const SWEEPS: usize = 8;
/// A step is settled where a sweep changes no relative velocity by more than this, mean edges a frame: half of the penetration that is left alone.
const SETTLED: f64 = 0.001;

/// The contact of a cut body with itself.
#[derive(Debug, Clone)]
pub(crate) struct PieceContact {
    surface: ContactSurface,
    search: Search,
    pairs: Pairs,
    /// pairs that act in a step
    active: Vec<u32>,
    /// nodes behind all pairs, ascending
    nodes: Vec<u32>,
    /// coefficient
    friction: f64,
    /// s
    duration: f64,
    work: Work,
    /// whether the pairs of the frame have been found already
    is_found: bool,
}

/// What a frame of contact is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactFrame {
    /// s
    pub duration: f64,
    /// number of steps
    pub steps: u32,
    /// work that it may cost, in evaluations of a tetrahedron
    pub allowed: u64,
    /// the same before contacts are not solved in all steps
    pub most: u64,
    /// coefficient of friction
    pub friction: f64,
}

impl PieceContact {
    /// Without any contact.
    pub fn new(surface: ContactSurface) -> Self {
        let pairs = Pairs::new(&surface);
        Self {
            search: Search::new(&surface),
            active: Vec::with_capacity(surface.points.len()),
            nodes: Vec::with_capacity(pairs.entries.capacity()),
            pairs,
            surface,
            friction: 0.0,
            duration: 0.0,
            work: Work::default(),
            is_found: false,
        }
    }

    /// What was found belongs to a state that is no more.
    pub fn outdate(&mut self) {
        self.is_found = false;
        self.work = Work::default();
    }

    /// Begins a frame with positions (m) and velocities (m/s) of the nodes, and finds what may touch within it unless that was found already. `sleeps` tells which nodes sleep.
    pub fn begin_frame(
        &mut self,
        state: (&[Vec3], &[Vec3]),
        frame: ContactFrame,
        sleeps: impl Fn(u32) -> bool,
    ) {
        // a frame that is tried again begins with other velocities, and without impulses
        if !self.is_found {
            self.find(state, frame.duration, sleeps);
        }
        self.is_found = false;
        self.friction = frame.friction;
        self.work = Work::new(frame.allowed, frame.most, frame.steps);
        self.work.search(&self.search.looked);
    }

    /// Finds what may touch within a frame of `duration` seconds, from positions (m) and velocities (m/s) of the nodes; what sleeps on both sides does nothing to each other. Allocates nothing.
    ///
    /// Cost: some tens of nanoseconds for each vertex and triangle of lips and caps, with several pieces of all of the surface, and about a microsecond for each point that is near a triangle that faces it.
    pub fn find(
        &mut self,
        (positions, velocities): (&[Vec3], &[Vec3]),
        duration: f64,
        sleeps: impl Fn(u32) -> bool,
    ) {
        (self.duration, self.is_found) = (duration, true);
        self.search
            .find(&self.surface, positions, velocities, duration);
        self.pairs.clear();
        for hit in self.search.hits() {
            let both = self.surface.nodes_behind(hit.point, hit.triangle);
            if !both.is_some_and(|nodes| nodes.into_iter().all(&sleeps)) {
                self.pairs.add(&self.surface, hit);
            }
        }
        self.nodes.clear();
        self.nodes.extend(self.pairs.entries.iter().map(|e| e.node));
        self.nodes.sort_unstable();
        self.nodes.dedup();
    }

    /// What was found: all points and triangles that may touch within the frame, also where both sleep; a node behind each of the two.
    pub fn meetings(&self) -> impl Iterator<Item = ([u32; 2], Approach)> + '_ {
        let hits = self.search.hits().iter();
        hits.filter_map(move |hit| {
            let nodes = self.surface.nodes_behind(hit.point, hit.triangle)?;
            Some((nodes, self.search.approach(&self.surface, hit)?))
        })
    }

    /// Pairs that pressed on each other in the last step: a node behind each side.
    pub fn pressing(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let Pairs { all, places, .. } = &self.pairs;
        let pressing = all.iter().filter(|pair| pair.presses());
        pressing.filter_map(move |pair| {
            let vertices = pair.ends().map(|k| places.vertex(k));
            self.surface.nodes_of(vertices)
        })
    }

    /// The nodes that contacts of the frame may push, ascending.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Whether nothing may touch in this frame.
    pub fn is_idle(&self) -> bool {
        self.pairs.all.is_empty()
    }

    /// Number of pairs that may touch in this frame.
    pub fn pair_count(&self) -> usize {
        self.pairs.all.len()
    }

    /// Work of the frame so far, in evaluations of a tetrahedron.
    pub fn units(&self) -> u64 {
        self.work.units()
    }

    /// Whether contacts were solved less exactly than they should be, because the frame may not cost more.
    pub fn is_short(&self) -> bool {
        self.work.is_short()
    }

    /// Impulses of a step of `step` seconds on the velocities (m/s) of nodes at `positions` (m) with these inverse masses (1/kg). None in some of the steps where the frame may not cost more.
    pub fn project(
        &mut self,
        velocities: &mut [Vec3],
        positions: &[Vec3],
        inverse_masses: &[f64],
        step: f64,
    ) {
        let Some(length) = self.work.turn(step) else {
            return;
        };
        let step = Step {
            length,
            frame: self.duration,
            spacing: self.surface.spacing,
            friction: self.friction,
            inverse_masses,
        };
        let Pairs {
            all,
            entries,
            levers,
            places,
        } = &mut self.pairs;
        places.follow(&self.surface.rows, positions);
        self.active.clear();
        let mut nodes = 0;
        for (k, pair) in (0..).zip(all.iter_mut()) {
            if pair.begin_step((entries, levers), places, &step) {
                pair.warm_start(levers, velocities, &step);
                self.active.push(k);
                nodes += pair.node_count();
            }
        }
        let allowed = self.work.begin_step(&Load {
            places: places.len(),
            pairs: all.len(),
            nodes,
        });
        if self.active.is_empty() {
            return;
        }
        let settled = SETTLED * step.spacing / step.frame;
        let (mut sweeps, mut change) = (0, f64::INFINITY);
        while sweeps < SWEEPS.min(allowed) && change > settled {
            change = 0.0;
            let mut improve = |k: &u32| {
                let changed = all[*k as usize].improve(levers, velocities, &step);
                change = change.max(changed);
            };
            // there and back: neither end of a heap is favoured
            match sweeps % 2 {
                0 => self.active.iter().for_each(&mut improve),
                _ => self.active.iter().rev().for_each(&mut improve),
            }
            sweeps += 1;
        }
        let is_short = change > settled && sweeps < SWEEPS;
        self.work.sweep(sweeps, nodes, is_short);
    }

    /// Deepest penetration of a pair that was near in the last step, m.
    pub fn depth(&self) -> f64 {
        self.pairs.all.iter().map(Pair::depth).fold(0.0, f64::max)
    }
}
