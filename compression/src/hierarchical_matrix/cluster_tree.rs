//! Clusters of nodes: a binary tree by bisection of the nodes along their principal axis.

use std::ops::Range;

use pliant_core::math::{Mat3, Vec3};

/// Nodes that are neighbours in the order of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cluster {
    begin: u32,
    end: u32,
    /// the first of two children that follow each other; zero for a leaf
    child: u32,
}

impl Cluster {
    /// Its places in the order of the tree.
    pub(crate) fn range(&self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }

    /// Its scalars in the order of the tree, three per node.
    pub(crate) fn scalars(&self) -> Range<usize> {
        3 * self.begin as usize..3 * self.end as usize
    }

    /// Number of scalars.
    pub(crate) fn size(&self) -> usize {
        3 * (self.end - self.begin) as usize
    }

    /// The two halves of a cluster that is not a leaf.
    pub(crate) fn children(&self) -> Option<[u32; 2]> {
        (self.child > 0).then_some([self.child, self.child + 1])
    }
}

/// A binary tree of clusters. The sizes of clusters follow from the number of nodes alone, so that files hold only the order of the nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClusterTree {
    clusters: Vec<Cluster>,
    /// node at each place
    order: Vec<u32>,
    /// place of each node
    place: Vec<u32>,
}

impl ClusterTree {
    /// Bisects the nodes until clusters have at most `leaf_size` nodes. The index of a node breaks ties, so that coincident nodes are ordered, too.
    ///
    /// Cost: `n log² n`.
    pub(crate) fn new(positions: &[Vec3], leaf_size: usize) -> Self {
        let clusters = bisect(positions.len(), leaf_size);
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        for cluster in clusters.iter().filter(|c| c.child > 0) {
            sort_along_principal_axis(positions, &mut order[cluster.range()]);
        }
        let place = inverse_permutation(&order).unwrap_or_default();
        Self {
            clusters,
            order,
            place,
        }
    }

    /// The tree with this order of nodes; `None` where the order is not a permutation.
    pub(crate) fn from_order(order: Vec<u32>, leaf_size: usize) -> Option<Self> {
        Some(Self {
            clusters: bisect(order.len(), leaf_size),
            place: inverse_permutation(&order)?,
            order,
        })
    }

    /// All clusters, the root first, parents before children.
    pub(crate) fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// One cluster.
    pub(crate) fn cluster(&self, index: u32) -> &Cluster {
        &self.clusters[index as usize]
    }

    /// Node at each place.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Place of each node.
    pub(crate) fn place(&self) -> &[u32] {
        &self.place
    }

    /// The child of a cluster that holds a place; the cluster itself where it is a leaf.
    pub(crate) fn descend(&self, cluster: u32, place: u32) -> u32 {
        match self.cluster(cluster).children() {
            Some([first, second]) if place < self.cluster(second).begin => first,
            Some([_, second]) => second,
            None => cluster,
        }
    }

    /// Pairs of the children of two clusters, above or on the diagonal; `None` where one is a leaf.
    pub(crate) fn pairs_below(&self, row: u32, column: u32) -> Option<Vec<(u32, u32)>> {
        let rows = self.cluster(row).children()?;
        let columns = self.cluster(column).children()?;
        let pairs = rows.into_iter().flat_map(|r| columns.map(|c| (r, c)));
        Some(pairs.filter(|(r, c)| r <= c).collect())
    }

    /// Bytes of all arrays.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.clusters.as_slice()) + 8 * self.order.len()
    }

    /// Least and greatest corner of the box around each cluster.
    pub(crate) fn bounding_boxes(&self, positions: &[Vec3]) -> Vec<[Vec3; 2]> {
        let around = |cluster: &Cluster| {
            let mut corners = [Vec3::repeat(f64::INFINITY), Vec3::repeat(-f64::INFINITY)];
            for &node in &self.order[cluster.range()] {
                let x = positions[node as usize];
                corners = [corners[0].inf(&x), corners[1].sup(&x)];
            }
            corners
        };
        self.clusters.iter().map(around).collect()
    }
}

/// The clusters of a tree, level by level.
fn bisect(nodes: usize, leaf_size: usize) -> Vec<Cluster> {
    let mut clusters = vec![Cluster {
        begin: 0,
        end: nodes as u32,
        child: 0,
    }];
    let mut next = 0;
    while next < clusters.len() {
        let Range { start, end } = clusters[next].range();
        if end - start > leaf_size {
            clusters[next].child = clusters.len() as u32;
            let middle = start + (end - start) / 2;
            for (begin, end) in [(start, middle), (middle, end)] {
                clusters.push(Cluster {
                    begin: begin as u32,
                    end: end as u32,
                    child: 0,
                });
            }
        }
        next += 1;
    }
    clusters
}

fn sort_along_principal_axis(positions: &[Vec3], nodes: &mut [u32]) {
    let at = |node: u32| positions[node as usize];
    let mean = nodes.iter().map(|&i| at(i)).sum::<Vec3>() / nodes.len() as f64;
    let spread: Mat3 = nodes
        .iter()
        .map(|&i| (at(i) - mean) * (at(i) - mean).transpose())
        .sum();
    let eigen = spread.symmetric_eigen();
    let axis: Vec3 = eigen
        .eigenvectors
        .column(eigen.eigenvalues.imax())
        .into_owned();
    let along = |node: u32| axis.dot(&at(node));
    nodes.sort_unstable_by(|&i, &j| along(i).total_cmp(&along(j)).then(i.cmp(&j)));
}

/// The inverse of a permutation of `0..n`; `None` for other numbers.
fn inverse_permutation(order: &[u32]) -> Option<Vec<u32>> {
    let mut place = vec![u32::MAX; order.len()];
    for (at, &node) in order.iter().enumerate() {
        let slot = place.get_mut(node as usize)?;
        if *slot != u32::MAX {
            return None;
        }
        *slot = at as u32;
    }
    Some(place)
}
