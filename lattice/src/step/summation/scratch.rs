//! Memory of one sum.

/// Memory of one sum; grows to its size at the first use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch<const C: usize> {
    pub(crate) bars: Vec<[f64; C]>,
    pub(crate) plates: Vec<[f64; C]>,
    /// sums along x, then along x and y, of every site of the block
    pub(crate) rows: Vec<[f64; C]>,
    pub(crate) slabs: Vec<[f64; C]>,
    /// one row and one slab of running sums
    pub(crate) row: Vec<[f64; C]>,
    pub(crate) slab: Vec<[f64; C]>,
    pub(crate) irregular: Vec<[f64; C]>,
    pub(crate) changed: Vec<[f64; C]>,
}
