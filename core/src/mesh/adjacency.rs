//! Adjacency in compressed sparse rows: for each item a list of others.

use crate::math::Vec3;

/// Rows of indices, stored contiguously.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr {
    offsets: Vec<u32>,
    items: Vec<u32>,
}

impl Csr {
    /// Groups `pairs` (row, item) into `rows` rows; within a row the order of `pairs` is kept.
    pub fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut offsets = vec![0_u32; rows + 1];
        for (row, _) in pairs.clone() {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut items = vec![0_u32; offsets[rows] as usize];
        for (row, item) in pairs {
            items[next[row as usize] as usize] = item;
            next[row as usize] += 1;
        }
        Self { offsets, items }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of `row`.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.items[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Position of the first item of `row` in the flat item array; `start(len())` is the number of items.
    pub fn start(&self, row: usize) -> usize {
        self.offsets[row] as usize
    }

    /// All items, row after row.
    pub fn items(&self) -> &[u32] {
        &self.items
    }
}

/// Rows of indices with a weight each, stored contiguously.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedRows<W = f64> {
    offsets: Vec<u32>,
    items: Vec<u32>,
    weights: Vec<W>,
}

impl<W> Default for WeightedRows<W> {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            items: Vec::new(),
            weights: Vec::new(),
        }
    }
}

impl<W: Copy> WeightedRows<W> {
    /// The rows of (index, weight) in their order.
    pub fn from_rows(rows: impl IntoIterator<Item = Vec<(u32, W)>>) -> Self {
        let mut all = Self::default();
        for row in rows {
            all.push(row);
        }
        all
    }

    /// Removes all rows; keeps the memory.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
        self.items.clear();
        self.weights.clear();
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, W)>) {
        for (item, weight) in row {
            self.items.push(item);
            self.weights.push(weight);
        }
        self.offsets.push(self.items.len() as u32);
    }

    /// Appends a copy of row `index`.
    pub fn push_again(&mut self, index: usize) {
        let range = self.offsets[index] as usize..self.offsets[index + 1] as usize;
        self.items.extend_from_within(range.clone());
        self.weights.extend_from_within(range);
        self.offsets.push(self.items.len() as u32);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The indices of all rows, row after row.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Indices and weights of row `index`.
    pub fn row(&self, index: usize) -> (&[u32], &[W]) {
        let range = self.offsets[index] as usize..self.offsets[index + 1] as usize;
        (&self.items[range.clone()], &self.weights[range])
    }

    /// Each index of row `index` with its weight.
    pub fn entries(&self, index: usize) -> impl Iterator<Item = (u32, W)> + '_ {
        let (items, weights) = self.row(index);
        items.iter().copied().zip(weights.iter().copied())
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.len() + self.items.len()) + size_of_val(&self.weights[..])
    }
}

impl WeightedRows {
    /// `Σ w_k values[k]` of row `index`.
    #[inline]
    pub fn interpolate(&self, index: usize, values: &[Vec3]) -> Vec3 {
        let (items, weights) = self.row(index);
        items
            .iter()
            .zip(weights)
            .map(|(&k, w)| values[k as usize] * *w)
            .sum()
    }
}

/// Merges adjacent entries of the same index by adding their weights.
pub fn merge_duplicates(parts: &mut Vec<(u32, f64)>) {
    parts.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

/// For each vertex the sorted list of vertices that share a triangle edge with it.
pub fn vertex_neighbours(vertex_count: usize, triangles: &[[u32; 3]]) -> Csr {
    sorted_neighbours(vertex_count, triangles.iter().flat_map(triangle_edges))
}

/// For each node the sorted list of nodes that share a tetrahedron edge with it.
pub fn node_neighbours(node_count: usize, tets: &[[u32; 4]]) -> Csr {
    sorted_neighbours(
        node_count,
        tets.iter()
            .flat_map(|&[a, b, c, d]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]),
    )
}

/// The edges of a triangle, each from one corner to the next.
pub fn triangle_edges(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The edges of `triangles`, each once with its lower end first, ascending.
pub fn unique_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let edges = triangles.iter().flat_map(triangle_edges);
    sorted_set(edges.map(|[a, b]| [a.min(b), a.max(b)]))
}

/// The items in ascending order, each once.
pub fn sorted_set<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items.dedup();
    items
}

fn sorted_neighbours(count: usize, edges: impl Iterator<Item = [u32; 2]>) -> Csr {
    let pairs = sorted_set(edges.flat_map(|[a, b]| [(a, b), (b, a)]));
    Csr::from_pairs(count, pairs.iter().copied())
}

/// For each vertex the triangles that use it, ascending.
pub fn vertex_triangles(vertex_count: usize, triangles: &[[u32; 3]]) -> Csr {
    cells_around(vertex_count, triangles)
}

/// For each node the tetrahedra that use it, ascending.
pub fn node_tets(node_count: usize, tets: &[[u32; 4]]) -> Csr {
    cells_around(node_count, tets)
}

fn cells_around<const N: usize>(count: usize, cells: &[[u32; N]]) -> Csr {
    let numbered = (0..).zip(cells);
    Csr::from_pairs(count, numbered.flat_map(|(k, t)| t.map(|v| (v, k))))
}

/// Numbers the nodes that `cells` use from 0, in their order; `count` is the number of all. Gives the former number of each.
pub fn renumber_used<const N: usize>(count: usize, cells: &mut [[u32; N]]) -> Vec<u32> {
    // marks take less memory than a sorted list of all corners
    let mut number = vec![u32::MAX; count];
    for &v in cells.iter().flatten() {
        number[v as usize] = 0;
    }
    let is_used = |v: &u32| number[*v as usize] == 0;
    let used: Vec<u32> = (0..count as u32).filter(is_used).collect();
    for (new, &old) in (0_u32..).zip(&used) {
        number[old as usize] = new;
    }
    for v in cells.iter_mut().flatten() {
        *v = number[*v as usize];
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_a_tetrahedron_are_the_other_three() {
        let rows = node_neighbours(4, &[[0, 1, 2, 3]]);
        assert_eq!(rows.len(), 4);
        assert_eq!(rows.row(2), &[0, 1, 3]);
        assert_eq!(node_tets(4, &[[0, 1, 2, 3]]).row(3), &[0]);
    }

    #[test]
    fn a_closed_surface_has_three_edges_for_two_triangles() {
        let edges = unique_edges(&[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]);
        assert_eq!(edges, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
