//! Numbering of the nodes that have unknowns.

/// Marks a node that has no unknowns.
const HELD: u32 = u32::MAX;

/// The nodes that have unknowns, numbered in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeNodes {
    /// Number of each node of the mesh among the free ones, or `u32::MAX` where it is held.
    pub index_of_node: Vec<u32>,
    /// The free nodes, ascending.
    pub nodes: Vec<u32>,
}

impl FreeNodes {
    /// The nodes for which `is_free` holds.
    pub fn new(node_count: usize, is_free: impl Fn(usize) -> bool) -> Self {
        let mut index_of_node = vec![HELD; node_count];
        let mut nodes = Vec::new();
        for (node, index) in index_of_node.iter_mut().enumerate() {
            if is_free(node) {
                *index = nodes.len() as u32;
                nodes.push(node as u32);
            }
        }
        Self {
            index_of_node,
            nodes,
        }
    }

    /// Number of free nodes, which have three unknowns each.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no node is free.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of `node` among the free ones; `None` where it is held.
    pub fn get(&self, node: u32) -> Option<usize> {
        let index = self.index_of_node[node as usize];
        (index != HELD).then_some(index as usize)
    }
}
