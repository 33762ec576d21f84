//! Tags of nodes: mostly consecutive, but any numbers in any order are allowed.

use std::collections::HashMap;

/// The vertex of each tag.
#[derive(Debug, Default)]
pub(crate) struct Tags {
    first: i64,
    count: u32,
    /// only where tags are not consecutive; never iterated
    table: Option<HashMap<i64, u32>>,
}

impl Tags {
    /// Gives the next vertex this tag; `false` if another has it.
    pub fn add(&mut self, tag: i64) -> bool {
        if self.count == 0 {
            self.first = tag;
        }
        let vertex = self.count;
        self.count += 1;
        if self.table.is_none() && self.first.checked_add(i64::from(vertex)) == Some(tag) {
            return true;
        }
        let first = self.first;
        let table = self
            .table
            .get_or_insert_with(|| (0..vertex).map(|v| (first + i64::from(v), v)).collect());
        table.insert(tag, vertex).is_none()
    }

    /// The vertex with this tag.
    pub fn vertex(&self, tag: i64) -> Option<u32> {
        match &self.table {
            Some(table) => table.get(&tag).copied(),
            None => {
                let vertex = u32::try_from(tag.checked_sub(self.first)?).ok()?;
                (vertex < self.count).then_some(vertex)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_and_other_tags_find_their_vertex() {
        let mut tags = Tags::default();
        assert!(tags.add(5) && tags.add(6));
        assert_eq!(
            [4, 5, 6, 7].map(|t| tags.vertex(t)),
            [None, Some(0), Some(1), None]
        );
        assert!(tags.add(-3) && !tags.add(6));
        assert_eq!([5, -3].map(|t| tags.vertex(t)), [Some(0), Some(2)]);
        let mut tags = Tags::default();
        assert!(tags.add(i64::MAX) && tags.add(i64::MIN));
        assert_eq!(tags.vertex(i64::MIN), Some(1));
    }
}
