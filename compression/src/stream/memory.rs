//! Counts memory before it is allocated.

use super::error::StreamError;
use crate::transform::WaveletTransform;

/// The memory that the caller allows, and what is used of it, bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryBudget {
    limit: u64,
    used: u64,
}

impl MemoryBudget {
    pub fn new(limit: u64) -> Self {
        Self { limit, used: 0 }
    }

    /// Counts `bytes` more.
    ///
    /// # Errors
    /// [`StreamError::OverLimit`].
    pub fn charge(
        &mut self,
        bytes: u64,
        what: &'static str,
        offset: usize,
    ) -> Result<(), StreamError> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.limit {
            return Err(StreamError::OverLimit {
                offset,
                what,
                needed,
                limit: self.limit,
            });
        }
        self.used = needed;
        Ok(())
    }

    pub fn remaining(&self) -> u64 {
        self.limit - self.used
    }
}

/// Number of entries of the rows of the inverse transform, or `limit + 1` where there are more. It grows with the square of the number of neighbours of a vertex.
pub(super) fn row_entries(transform: &WaveletTransform, limit: u64) -> u64 {
    let mut rows: Vec<Vec<u32>> = (0..transform.domain().rows() as u32)
        .map(|row| vec![row])
        .collect();
    let mut entries = rows.len() as u64;
    // the last row that each coefficient was counted in
    let mut last_row = vec![u32::MAX; rows.len()];
    for step in transform.steps() {
        for k in 0..step.len() {
            for (row, _) in step.update(k) {
                if let Some(row) = rows.get_mut(row) {
                    row.push((step.first + k) as u32);
                    entries += 1;
                }
            }
        }
        for k in 0..step.len() {
            let own = (step.first + k) as u32;
            let mut union = vec![own];
            for (row, _) in step.predictor(k) {
                for &column in rows.get(row).into_iter().flatten() {
                    if let Some(last) = last_row.get_mut(column as usize).filter(|l| **l != own) {
                        *last = own;
                        union.push(column);
                    }
                }
            }
            entries += union.len() as u64 - 1;
            if entries > limit {
                return limit.saturating_add(1);
            }
            if let Some(row) = rows.get_mut(step.first + k) {
                *row = union;
            }
        }
    }
    entries
}
