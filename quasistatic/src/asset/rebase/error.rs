//! Why supports of an asset cannot be changed.

/// Why supports of an asset cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RebaseError {
    /// No node is named.
    #[error("the new support `{name}` holds no free boundary node\n  remedy: name some")]
    Nothing {
        /// The support.
        name: String,
    },
    /// A number that is no free boundary node.
    #[error(
        "there is no free boundary node {node}: the body has {nodes}\n  remedy: name free nodes, what is held already stays so"
    )]
    NoSuchNode {
        /// The number.
        node: u32,
        /// Free boundary nodes.
        nodes: usize,
    },
    /// A node that is named twice.
    #[error("free boundary node {node} is held twice\n  remedy: name each node once")]
    NodeTwice {
        /// The node.
        node: u32,
    },
    /// A name that another support has.
    #[error("there is a support called `{name}` already\n  remedy: choose another name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A node whose columns are not there.
    #[error("the columns of free boundary node {node} are missing\n  remedy: bake or import them")]
    MissingColumn {
        /// The node.
        node: u32,
    },
    /// A support that the bake did not keep releasable.
    #[error(
        "the support `{name}` cannot be released\n  remedy: bake it by finite elements with this name in `quasistatic.releasable`"
    )]
    NotReleasable {
        /// The support.
        name: String,
    },
    /// A support without which nothing holds the body.
    #[error(
        "without the support `{name}` nothing holds the body\n  remedy: give it another support first"
    )]
    Loose {
        /// The support.
        name: String,
    },
    /// More columns than can be counted.
    #[error(
        "the columns of {nodes} nodes cannot be counted\n  remedy: use a coarser mesh for the Green's functions"
    )]
    TooMany {
        /// Free boundary nodes that are left.
        nodes: usize,
    },
    /// The nodes cannot be held independently of each other.
    #[error(
        "free boundary node {node} moves with the others that are held\n  remedy: leave it out"
    )]
    Dependent {
        /// The node.
        node: u32,
    },
}

pliant_core::error_code!(RebaseError);
