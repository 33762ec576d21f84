//! The background: a body-centred cubic lattice, uniform or graded by an octree.

pub(crate) mod background;
pub(crate) mod graded;
pub(crate) mod octree;
pub(crate) mod uniform;
