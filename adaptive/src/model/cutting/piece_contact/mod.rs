//! Contact of the lips and pieces of a cut body with each other.
//!
//! The closed surface of the cut body, skin and caps, is in contact with itself: points of it with its triangles. When a frame begins, each point is paired with the nearest triangle that faces it and that it may
//! meet within the frame (`search`, by a tree over moving triangles, `moving_tree`). Each step takes the plane of that triangle as it is then, and finds the impulses that keep the points in front of it by
//! projected Gauss–Seidel (`pair`), with as many sweeps as they need and the budget allows (`work`).
//!
//! The impulse of a pair acts on the nodes of its point and its triangle with weights that sum to zero, along the line through the point and its foot: linear and angular momentum are kept. Friction
//! is an exception, since it acts at two points that are apart by the gap. Nothing is kept from frame to frame, so that a snapshot needs no more than the cut edges.

mod moving_tree;
mod pair;
mod search;
mod surface;
mod vertex_positions;
mod work;

use pliant_core::math::Vec3;
use pliant_core::model::rest::Approach;

use pair::{Pair, Pairs, Step};
use search::Search;
pub(crate) use surface::ContactSurface;
use work::{StepLoad, Work};

/// Largest number of sweeps in a step.
const MAX_SWEEPS: usize = 8;
/// The sweeps of a step have converged when they change no relative velocity by more than this, mean edges a frame: half of the allowed penetration.
const CONVERGED_CHANGE: f64 = 0.001;

/// The contact of a cut body with itself.
#[derive(Debug, Clone)]
pub(crate) struct PieceContact {
    surface: ContactSurface,
    search: Search,
    pairs: Pairs,
    /// active pairs of a step
    active: Vec<u32>,
    /// nodes of all pairs, ascending
    nodes: Vec<u32>,
    /// coefficient of friction
    friction: f64,
    /// s
    duration: f64,
    work: Work,
    /// whether the pairs of the frame have been found already
    is_found: bool,
}

/// Parameters of contact in a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactFrame {
    /// s
    pub duration: f64,
    /// number of steps
    pub steps: u32,
    /// budget of contact, in evaluations of a tetrahedron
    pub allowed: u64,
    /// work above which contact is not solved in all steps
    pub limit: u64,
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

    /// Discards the pairs that were found: they belong to another state.
    pub fn discard_pairs(&mut self) {
        self.is_found = false;
        self.work = Work::default();
    }

    /// Begins a frame with positions (m) and velocities (m/s) of the nodes, and finds what may touch within it unless that was found already. `is_asleep` tells which nodes sleep.
    pub fn begin_frame(
        &mut self,
        state: (&[Vec3], &[Vec3]),
        frame: ContactFrame,
        is_asleep: impl Fn(u32) -> bool,
    ) {
        // a frame that is repeated starts with other velocities, and without impulses
        if !self.is_found {
            self.find(state, frame.duration, is_asleep);
        }
        self.is_found = false;
        self.friction = frame.friction;
        self.work = Work::new(frame.allowed, frame.limit, frame.steps);
        self.work.search(&self.search.work);
    }

    /// Finds what may touch within a frame of `duration` seconds, from positions (m) and velocities (m/s) of the nodes; a pair of two sleeping pieces is left out. Allocates nothing.
    ///
    /// Cost: some tens of nanoseconds for each vertex and triangle of lips and caps, with several pieces of all of the surface, and about a microsecond for each point that is near a triangle that faces it.
    pub fn find(
        &mut self,
        (positions, velocities): (&[Vec3], &[Vec3]),
        duration: f64,
        is_asleep: impl Fn(u32) -> bool,
    ) {
        (self.duration, self.is_found) = (duration, true);
        self.search
            .find(&self.surface, positions, velocities, duration);
        self.pairs.clear();
        for hit in self.search.hits() {
            let both = self.surface.nodes_of_pair(hit.point, hit.triangle);
            if !both.is_some_and(|nodes| nodes.into_iter().all(&is_asleep)) {
                self.pairs.add(&self.surface, hit);
            }
        }
        self.nodes.clear();
        self.nodes.extend(self.pairs.entries.iter().map(|e| e.node));
        self.nodes.sort_unstable();
        self.nodes.dedup();
    }

    /// All points and triangles that may touch within the frame, also where both sleep: a node of each, and how they approach.
    pub fn approaches(&self) -> impl Iterator<Item = ([u32; 2], Approach)> + '_ {
        let hits = self.search.hits().iter();
        hits.filter_map(move |hit| {
            let nodes = self.surface.nodes_of_pair(hit.point, hit.triangle)?;
            Some((nodes, self.search.approach(&self.surface, hit)?))
        })
    }

    /// Pairs with an impulse in the last step: a node of each side.
    pub fn pressing_pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let Pairs {
            all,
            vertex_positions,
            ..
        } = &self.pairs;
        let pressing = all.iter().filter(|pair| pair.has_impulse());
        pressing.filter_map(move |pair| {
            let vertices = pair.ends().map(|k| vertex_positions.vertex(k));
            self.surface.nodes_of(vertices)
        })
    }

    /// The nodes on which contacts of the frame may act, ascending.
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

    /// Whether the budget limited the accuracy of the contacts.
    pub fn is_limited(&self) -> bool {
        self.work.is_limited()
    }

    /// Applies the impulses of a step of `step` seconds to the velocities (m/s) of nodes at `positions` (m) with these inverse masses (1/kg). Where the budget is short, some steps have none.
    pub fn project(
        &mut self,
        velocities: &mut [Vec3],
        positions: &[Vec3],
        inverse_masses: &[f64],
        step: f64,
    ) {
        let Some(length) = self.work.next_step(step) else {
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
            node_terms,
            vertex_positions,
        } = &mut self.pairs;
        vertex_positions.update(&self.surface.rows, positions);
        self.active.clear();
        let mut nodes = 0;
        for (k, pair) in (0..).zip(all.iter_mut()) {
            if pair.begin_step((entries, node_terms), vertex_positions, &step) {
                pair.warm_start(node_terms, velocities, &step);
                self.active.push(k);
                nodes += pair.node_count();
            }
        }
        let allowed = self.work.begin_step(&StepLoad {
            vertices: vertex_positions.len(),
            pairs: all.len(),
            nodes,
        });
        if self.active.is_empty() {
            return;
        }
        let converged = CONVERGED_CHANGE * step.spacing / step.frame;
        let (mut sweeps, mut change) = (0, f64::INFINITY);
        while sweeps < MAX_SWEEPS.min(allowed) && change > converged {
            change = 0.0;
            let mut update = |k: &u32| {
                let changed = all[*k as usize].update_impulse(node_terms, velocities, &step);
                change = change.max(changed);
            };
            // in alternating order, so that neither end of a heap is favoured
            match sweeps % 2 {
                0 => self.active.iter().for_each(&mut update),
                _ => self.active.iter().rev().for_each(&mut update),
            }
            sweeps += 1;
        }
        let is_limited = change > converged && sweeps < MAX_SWEEPS;
        self.work.sweep(sweeps, nodes, is_limited);
    }

    /// Deepest penetration of a pair that was near in the last step, m.
    pub fn depth(&self) -> f64 {
        self.pairs.all.iter().map(Pair::depth).fold(0.0, f64::max)
    }
}
