//! Union-find over a handful of elements, kept between uses.
/// Disjoint sets of small numbers.
#[derive(Debug, Default)]
pub(crate) struct SmallUnionFind {
    parent: Vec<u32>,
}

impl SmallUnionFind {
    /// Begins anew with `count` single elements.
    pub(crate) fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    /// The smallest element of the set of `a`.
    pub(crate) fn find(&mut self, a: usize) -> usize {
        let mut root = a;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        let mut at = a;
        while self.parent[at] as usize != root {
            at = std::mem::replace(&mut self.parent[at], root as u32) as usize;
        }
        root
    }

    /// Joins the sets of `a` and `b`.
    pub(crate) fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b) as u32;
    }
}
