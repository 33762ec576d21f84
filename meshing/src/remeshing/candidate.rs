//! The queue of a decimation: steps in the order of their costs. Refused steps are retried later.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::editable_surface::EditableSurface;

/// Factor on the cost of a step for each set of limits that has refused it.
const PENALTY: f64 = 4.0;

/// A step at two vertices, with the details that it needs; stale once the stamp of one of them has changed. In the order of candidates the cheapest is the greatest; equal costs
/// are ordered by vertex numbers.
pub(crate) struct Candidate<T> {
    pub(crate) cost: f64,
    pub(crate) ends: [u32; 2],
    pub(crate) stamps: [u32; 2],
    /// how many limits have refused it
    pub(crate) level: usize,
    pub(crate) details: T,
}

impl<T> Candidate<T> {
    /// Whether neither end has moved or vanished since the candidate was made.
    fn is_current(&self, mesh: &EditableSurface, stamps: &[u32]) -> bool {
        self.ends.map(|v| stamps[v as usize]) == self.stamps
            && self.ends.iter().all(|&v| mesh.is_used(v))
    }
}

/// Steps of a decimation, the cheapest first.
pub(crate) struct Queue<T> {
    heap: BinaryHeap<Candidate<T>>,
    /// refused because of their neighbourhood; retried later, when it may have changed
    postponed: Vec<Candidate<T>>,
    /// number of faces below which these are retried
    retry_below: usize,
}

impl<T> Queue<T> {
    /// A queue over a surface of `faces` faces.
    pub(crate) fn new(candidates: Vec<Candidate<T>>, faces: usize) -> Self {
        Self {
            heap: BinaryHeap::from(candidates),
            postponed: Vec::new(),
            retry_below: faces / 10 * 9,
        }
    }

    /// Takes the cheapest step that is current; `stamps` are those of the vertices now.
    pub(crate) fn pop(&mut self, mesh: &EditableSurface, stamps: &[u32]) -> Option<Candidate<T>> {
        let is_current = |candidate: &Candidate<T>| candidate.is_current(mesh, stamps);
        let next = std::iter::from_fn(|| self.heap.pop()).find(is_current)?;
        if mesh.live < self.retry_below {
            self.retry_below = mesh.live / 10 * 9;
            self.heap
                .extend(self.postponed.drain(..).filter(is_current));
        }
        Some(next)
    }

    pub(crate) fn push(&mut self, candidate: Candidate<T>) {
        self.heap.push(candidate);
    }

    /// Takes back a refused step: it is retried with the next of `limits` sets of limits at a higher cost; after the last it is postponed.
    pub(crate) fn put_back(&mut self, mut candidate: Candidate<T>, limits: usize) {
        candidate.level += 1;
        if candidate.level < limits {
            candidate.cost *= PENALTY;
            self.heap.push(candidate);
        } else {
            candidate.cost /= PENALTY.powi(limits as i32 - 1);
            candidate.level = 0;
            self.postponed.push(candidate);
        }
    }
}

impl<T> Ord for Candidate<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.cost.total_cmp(&self.cost)).then_with(|| other.ends.cmp(&self.ends))
    }
}

impl<T> PartialOrd for Candidate<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Candidate<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Candidate<T> {}
