//! Parameters of writer and reader.

use super::error::StreamError;
use crate::subdivision::SubdivisionHierarchy;

/// How coefficients are rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StreamSpec {
    /// The threshold that the matrix was compressed with ([`crate::wavelet::ThresholdSpec::epsilon`]): coefficients of the finest level are rounded to a share of it,
    /// those of each coarser level to half of that.
    pub epsilon: f64,
    /// Step of the quantiser over the threshold of the level; 0.5 by default. A smaller one makes a smaller error and a larger stream.
    pub step: f64,
    /// Columns of a packet: the unit of checksums and of progress.
    pub columns_per_packet: u32,
}

impl Default for StreamSpec {
    fn default() -> Self {
        Self {
            epsilon: 0.05,
            step: 0.5,
            columns_per_packet: 512,
        }
    }
}

impl StreamSpec {
    /// Step of the quantiser at the finest level, as a share of the largest block of a column.
    ///
    /// # Errors
    /// [`StreamError::BadSpec`].
    pub(super) fn finest_step(&self) -> Result<f32, StreamError> {
        let bad = |field, value, remedy| {
            Err(StreamError::BadSpec {
                field,
                value,
                remedy,
            })
        };
        let share = (self.epsilon * self.step) as f32;
        if !(self.epsilon > 0.0 && self.epsilon <= 1.0) {
            return bad("epsilon", self.epsilon, "use a number above 0, at most 1");
        }
        if !(self.step > 0.0 && self.step <= 64.0 && share.is_normal()) {
            return bad("step", self.step, "use a number above 0, at most 64");
        }
        if self.columns_per_packet == 0 {
            return bad(
                "columns_per_packet",
                0.0,
                "use at least 1; 512 suits most matrices",
            );
        }
        Ok(share)
    }
}

/// What the transform of a matrix was built from, so that a reader can build the same one.
#[derive(Debug, Clone, Copy)]
pub struct TransformSource<'a> {
    /// The levels.
    pub hierarchy: &'a SubdivisionHierarchy,
    /// The areas of the finest vertices, m², as they were handed to [`crate::transform::WaveletTransform::new`]. Areas that are all exact in single precision take half the bytes.
    pub areas: Option<&'a [f64]>,
}

/// Limits on what a reader uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimits {
    /// Most memory for all that is read, bytes; 1 GiB by default. It is an estimate, good to a factor of two.
    pub memory_bytes: u64,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
        }
    }
}
