//! Lips and pieces of a cut body touch each other.
//!
//! The closed surface of the cut body, skin and caps, touches itself: points of it against its triangles. When a frame begins, each point is paired with the nearest triangle that faces it and that it may
//! meet within the frame (`search`). Each step takes the plane of that triangle as it is then, and finds the impulses that keep the points in front of it by projected Gauss–Seidel (`pair`).
//!
//! A pair pushes the nodes behind its point and its triangle by weights that sum to zero, along a line through both places: linear and angular momentum are kept, but for friction, which acts at two
//! places that are apart by the gap. Nothing is remembered from frame to frame, so that a snapshot needs no more than the cut edges.

mod pair;
mod search;
mod surface;

use pliant_core::math::Vec3;

use pair::{Pair, Pairs, Step};
use search::Search;
pub(crate) use surface::ContactSurface;

/// Sweeps a step.
const SWEEPS: usize = 8;

/// The contact of a cut body with itself.
#[derive(Debug, Clone)]
pub(crate) struct PieceContact {
    surface: ContactSurface,
    search: Search,
    pairs: Pairs,
    /// nodes behind all pairs, ascending
    nodes: Vec<u32>,
    /// s
    duration: f64,
}

impl PieceContact {
    /// Without any contact.
    pub fn new(surface: ContactSurface) -> Self {
        Self {
            search: Search::new(&surface),
            surface,
            pairs: Pairs::default(),
            nodes: Vec::new(),
            duration: 0.0,
        }
    }

    /// Finds what may touch within `duration` seconds, from positions (m) and velocities (m/s) of the nodes. Allocates only where a frame has more contacts than any before.
    ///
    /// Cost: some tens of nanoseconds for each vertex and triangle, and about a microsecond for each point that is near a triangle.
    pub fn begin_frame(&mut self, positions: &[Vec3], velocities: &[Vec3], duration: f64) {
        self.duration = duration;
        self.search
            .find(&self.surface, positions, velocities, duration);
        self.pairs.clear();
        for hit in self.search.hits() {
            self.pairs.add(&self.surface, hit);
        }
        self.nodes.clear();
        self.nodes.extend(self.pairs.nodes());
        self.nodes.sort_unstable();
        self.nodes.dedup();
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

    /// Impulses of a step of `step` seconds on the velocities (m/s) of nodes at `positions` (m) with these inverse masses (1/kg).
    pub fn project(
        &mut self,
        velocities: &mut [Vec3],
        positions: &[Vec3],
        inverse_masses: &[f64],
        step: f64,
    ) {
        let step = Step {
            length: step,
            frame: self.duration,
            spacing: self.surface.spacing,
            inverse_masses,
        };
        let Pairs { all, rows } = &mut self.pairs;
        for pair in all.iter_mut() {
            pair.begin_step(rows, positions, &step);
            pair.warm_start(rows, velocities, &step);
        }
        for sweep in 0..SWEEPS {
            let mut is_settled = true;
            let mut improve = |pair: &mut Pair| {
                is_settled &= !pair.improve(rows, velocities, &step);
            };
            // there and back: neither end of a heap is favoured
            match sweep % 2 {
                0 => all.iter_mut().for_each(&mut improve),
                _ => all.iter_mut().rev().for_each(&mut improve),
            }
            if is_settled {
                break;
            }
        }
    }

    /// Deepest penetration of a pair that was near in the last step, m.
    pub fn depth(&self) -> f64 {
        self.pairs.all.iter().map(Pair::depth).fold(0.0, f64::max)
    }
}
