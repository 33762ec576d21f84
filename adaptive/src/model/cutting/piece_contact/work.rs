//! What the contact of pieces may cost in a frame, and what it has cost.

use super::search::Looked;

/// Prices in work units, the evaluations of a tetrahedron.
const MOVED_UNITS: u64 = 3;
const VISITED_UNITS: u64 = 1;
/// A place of a vertex, and a look at a pair, each step.
const PLACE_UNITS: u64 = 2;
const PAIR_UNITS: u64 = 3;
/// A node of a pair, each sweep and when a step begins.
const NODE_UNITS: u64 = 1;

/// Work of a frame, in evaluations of a tetrahedron.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Work {
    /// what all sweeps may have
    allowed: u64,
    /// what one sweep a step may have
    most: u64,
    used: u64,
    /// steps that are still to come
    steps: u32,
    /// steps from one in which contacts are solved to the next; 0 before the first
    period: u32,
    /// steps since the last one
    since: u32,
    is_short: bool,
}

/// What a step has to look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub places: usize,
    pub pairs: usize,
    /// behind pairs that act
    pub nodes: usize,
}

impl Work {
    /// A frame of so many steps begins. It may cost `allowed`, and up to `most` before steps are left out.
    pub fn new(allowed: u64, most: u64, steps: u32) -> Self {
        Self {
            allowed,
            most,
            steps,
            ..Self::default()
        }
    }

    /// Pays for a search.
    pub fn search(&mut self, looked: &Looked) {
        self.used += MOVED_UNITS * looked.moved as u64 + VISITED_UNITS * looked.visited as u64;
    }

    /// How long contacts have to suffice that are solved in a step of `step` seconds, s; `None` where they are not.
    pub fn turn(&mut self, step: f64) -> Option<f64> {
        let is_due = self.since == 0;
        let period = self.period.max(1);
        self.since = (self.since + 1) % period;
        let ahead = period.min(self.steps.max(1));
        self.steps = self.steps.saturating_sub(1);
        is_due.then(|| step * f64::from(ahead))
    }

    /// Pays for the beginning of a step. Returns how many sweeps it may have: at least one.
    pub fn begin_step(&mut self, load: &Load) -> usize {
        self.used += load.units();
        if self.period == 0 {
            self.plan(load);
        }
        let left = self.allowed.saturating_sub(self.used);
        // this one and those that are to come
        let steps = u64::from(1 + self.steps / self.period);
        let each = NODE_UNITS * load.nodes.max(1) as u64 * steps;
        (left / each).max(1) as usize
    }

    /// Chooses after the first step in how many of the others contacts are solved, if each has one sweep and costs as much: in all of them, a half or a quarter.
    fn plan(&mut self, load: &Load) {
        let each = load.units() + NODE_UNITS * load.nodes as u64;
        let left = self.most.saturating_sub(self.used);
        let fits = |period: u32| each * u64::from(self.steps / period) <= left;
        self.period = [1, 2].into_iter().find(|p| fits(*p)).unwrap_or(4);
        self.is_short |= self.period > 1;
    }

    /// Pays for so many sweeps over so many nodes; `is_short` where the step wanted more.
    pub fn sweep(&mut self, sweeps: usize, nodes: usize, is_short: bool) {
        self.used += NODE_UNITS * (sweeps * nodes) as u64;
        self.is_short |= is_short;
    }

    /// Work so far.
    pub fn units(&self) -> u64 {
        self.used
    }

    /// Whether contacts were solved in fewer steps, or with fewer sweeps in one, than they should be.
    pub fn is_short(&self) -> bool {
        self.is_short
    }
}

impl Load {
    fn units(&self) -> u64 {
        let (places, pairs) = (self.places as u64, self.pairs as u64);
        PLACE_UNITS * places + PAIR_UNITS * pairs + NODE_UNITS * self.nodes as u64
    }
}
