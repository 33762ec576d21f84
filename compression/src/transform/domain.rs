//! The vertices that are transformed, in an order from coarse to fine.

use crate::error::{CompressionError, check_length};
use crate::subdivision::SubdivisionHierarchy;

/// A vertex that is not in the domain.
pub(crate) const OUTSIDE: u32 = u32::MAX;

/// A part of the vertices, ordered by level and by number within a level. Rows of the transform are counted in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    vertex_of_row: Vec<u32>,
    row_of_vertex: Vec<u32>,
    /// First row of each level, and the number of rows.
    level_starts: Vec<usize>,
}

impl Domain {
    /// The vertices of the finest level with `inside` true.
    ///
    /// # Errors
    /// [`CompressionError::WrongLength`], [`CompressionError::EmptyDomain`].
    pub fn new(
        hierarchy: &SubdivisionHierarchy,
        inside: &[bool],
    ) -> Result<Self, CompressionError> {
        let levels = hierarchy.level_of_vertex();
        check_length("the domain", inside.len(), levels.len())?;
        // vertices are numbered by level already
        let vertex_of_row: Vec<u32> = (0..inside.len() as u32)
            .filter(|&v| inside[v as usize])
            .collect();
        if vertex_of_row.is_empty() {
            return Err(CompressionError::EmptyDomain);
        }
        let mut row_of_vertex = vec![OUTSIDE; inside.len()];
        for (row, &v) in vertex_of_row.iter().enumerate() {
            row_of_vertex[v as usize] = row as u32;
        }
        let starts = (0..=hierarchy.finest() + 1).map(|level| {
            vertex_of_row.partition_point(|&v| usize::from(levels[v as usize]) < level)
        });
        Ok(Self {
            level_starts: starts.collect(),
            vertex_of_row,
            row_of_vertex,
        })
    }

    /// Number of vertices in the domain.
    pub fn rows(&self) -> usize {
        self.vertex_of_row.len()
    }

    /// The finest level.
    pub fn finest(&self) -> usize {
        self.level_starts.len() - 2
    }

    /// Number of rows up to and including `level`.
    pub fn rows_to(&self, level: usize) -> usize {
        self.level_starts[(level + 1).min(self.finest() + 1)]
    }

    /// The rows that `level` adds.
    pub fn level_rows(&self, level: usize) -> std::ops::Range<usize> {
        self.level_starts[level]..self.level_starts[level + 1]
    }

    /// The level of each row.
    pub(crate) fn level_of_row(&self, row: usize) -> usize {
        self.level_starts.partition_point(|&start| start <= row) - 1
    }

    /// The vertex of each row.
    pub fn vertices(&self) -> &[u32] {
        &self.vertex_of_row
    }

    /// The row of `vertex`; none outside the domain.
    pub fn row(&self, vertex: u32) -> Option<u32> {
        let row = self.row_of_vertex.get(vertex as usize).copied();
        row.filter(|&r| r != OUTSIDE)
    }
}
