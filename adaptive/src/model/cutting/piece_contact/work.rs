//! Work of the contact of pieces in a frame, and its limits.

use super::search::SearchWork;

/// Prices in work units, the evaluations of a tetrahedron.
const MOVED_UNITS: u64 = 3;
const VISITED_UNITS: u64 = 1;
/// Interpolation of a vertex, and geometry of a pair, in each step.
const VERTEX_UNITS: u64 = 2;
const PAIR_UNITS: u64 = 3;
/// A node of a pair, in each sweep and once when a step begins.
const NODE_UNITS: u64 = 1;

/// Work of a frame, in evaluations of a tetrahedron.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Work {
    /// budget of all sweeps
    allowed: u64,
    /// budget with one sweep in each step
    limit: u64,
    used: u64,
    /// remaining steps
    steps: u32,
    /// steps from one with contact to the next; 0 before the first
    period: u32,
    /// steps since the last one with contact
    steps_since_solve: u32,
    is_limited: bool,
}

/// Size of the problem of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepLoad {
    pub vertices: usize,
    pub pairs: usize,
    /// nodes of active pairs
    pub nodes: usize,
}

impl Work {
    /// For a frame of this number of steps. Sweeps may cost `allowed`; steps are left out where the work exceeds `limit`.
    pub fn new(allowed: u64, limit: u64, steps: u32) -> Self {
        Self {
            allowed,
            limit,
            steps,
            ..Self::default()
        }
    }

    /// Counts the work of a search.
    pub fn search(&mut self, work: &SearchWork) {
        self.used += MOVED_UNITS * work.moved as u64 + VISITED_UNITS * work.visited as u64;
    }

    /// Time (s) for which the contacts of a step of `step` seconds are solved; `None` for a step that is left out.
    pub fn next_step(&mut self, step: f64) -> Option<f64> {
        let is_solved = self.steps_since_solve == 0;
        let period = self.period.max(1);
        self.steps_since_solve = (self.steps_since_solve + 1) % period;
        let ahead = period.min(self.steps.max(1));
        self.steps = self.steps.saturating_sub(1);
        is_solved.then(|| step * f64::from(ahead))
    }

    /// Counts the start of a step. Returns how many sweeps it may have: at least one.
    pub fn begin_step(&mut self, load: &StepLoad) -> usize {
        self.used += load.units();
        if self.period == 0 {
            self.choose_period(load);
        }
        let left = self.allowed.saturating_sub(self.used);
        // this step and the remaining ones
        let steps = u64::from(1 + self.steps / self.period);
        let each = NODE_UNITS * load.nodes.max(1) as u64 * steps;
        (left / each).max(1) as usize
    }

    /// Chooses after the first step whether contacts are solved in all, a half or a quarter of the remaining steps, if each has one sweep and costs as much.
    fn choose_period(&mut self, load: &StepLoad) {
        let each = load.units() + NODE_UNITS * load.nodes as u64;
        let left = self.limit.saturating_sub(self.used);
        let fits = |period: u32| each * u64::from(self.steps / period) <= left;
        self.period = [1, 2].into_iter().find(|p| fits(*p)).unwrap_or(4);
        self.is_limited |= self.period > 1;
    }

    /// Counts sweeps over this number of nodes; `is_limited` tells that the step needed more.
    pub fn sweep(&mut self, sweeps: usize, nodes: usize, is_limited: bool) {
        self.used += NODE_UNITS * (sweeps * nodes) as u64;
        self.is_limited |= is_limited;
    }

    /// Work so far.
    pub fn units(&self) -> u64 {
        self.used
    }

    /// Whether steps were left out, or a step had fewer sweeps than it needed.
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }
}

impl StepLoad {
    fn units(&self) -> u64 {
        let (vertices, pairs) = (self.vertices as u64, self.pairs as u64);
        VERTEX_UNITS * vertices + PAIR_UNITS * pairs + NODE_UNITS * self.nodes as u64
    }
}
