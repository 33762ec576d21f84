//! Lists of lists in two flat arrays.

/// Lists of lists in two flat arrays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lists {
    /// Where each list begins; one entry more than lists.
    pub offsets: Vec<u32>,
    /// All lists, one after the other.
    pub items: Vec<u32>,
}

impl Lists {
    pub(crate) fn push(&mut self, list: &[u32]) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.items.extend_from_slice(list);
        self.offsets.push(self.items.len() as u32);
    }

    /// Number of lists.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// List number `at`.
    pub fn row(&self, at: usize) -> &[u32] {
        &self.items[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// All lists in order.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.offsets
            .windows(2)
            .map(|w| &self.items[w[0] as usize..w[1] as usize])
    }
}
