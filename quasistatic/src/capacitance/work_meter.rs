//! Work of building and factoring capacitance matrices, counted against a limit.
//!
//! Work is counted in the units of the model: one 3×3 block times a force, 18 floating-point operations, some 2 ns on a nominal machine. No clock is read, so that the
//! same frames are abandoned on every machine. The cost of each part is known before it begins, and a part that the limit does not pay for is not begun.

/// Floating-point operations of a work unit.
const UNIT_OPERATIONS: u64 = 18;

/// The limit does not pay for the next part of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned;

/// Counts the work of an attempt to solve a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkMeter {
    limit: Option<u64>,
    used: u64,
    is_abandoned: bool,
}

impl WorkMeter {
    /// A meter with a limit in work units, or without one.
    pub fn new(limit: Option<u64>) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// The limit, if there is one.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Work units spent.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Spends work units before their work begins.
    ///
    /// # Errors
    /// [`Abandoned`] where they exceed what is left, and ever after.
    pub fn spend(&mut self, units: u64) -> Result<(), Abandoned> {
        let used = self.used.saturating_add(units);
        self.is_abandoned |= self.limit.is_some_and(|limit| used > limit);
        if self.is_abandoned {
            return Err(Abandoned);
        }
        self.used = used;
        Ok(())
    }
}

/// Work units of so many floating-point operations.
pub(crate) fn units(operations: u64) -> u64 {
    operations / UNIT_OPERATIONS
}

/// Work units of a Cholesky factor of `size` rows, `size³ / 3` operations.
pub(crate) fn cholesky_units(size: usize) -> u64 {
    units(cube(size) / 3)
}

/// Work units of an LU factor of `size` rows, `2 size³ / 3` operations.
pub(crate) fn factor_units(size: usize) -> u64 {
    units(2 * cube(size) / 3)
}

/// Work units of a fresh inverse of `size` rows, `8 size³ / 3` operations.
pub(crate) fn inverse_units(size: usize) -> u64 {
    units(8 * cube(size) / 3)
}

/// Work units of `size²` times so many operations.
pub(crate) fn square_units(size: usize, operations: u64) -> u64 {
    units(operations * (size as u64).pow(2))
}

fn cube(size: usize) -> u64 {
    (size as u64).pow(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_the_limit_does_not_pay_for_is_not_begun_nor_is_anything_after_it() {
        let mut meter = WorkMeter::new(Some(10));
        assert_eq!(meter.spend(7), Ok(()));
        assert_eq!(meter.spend(4), Err(Abandoned));
        assert_eq!(meter.spend(0), Err(Abandoned));
        assert_eq!(meter.used(), 7);
        let mut endless = WorkMeter::default();
        assert_eq!(endless.spend(u64::MAX), Ok(()));
        assert_eq!(endless.spend(u64::MAX), Ok(()));
        assert!(!endless.is_limited());
    }
}
