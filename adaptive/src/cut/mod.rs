//! The cut through the tree of parents and children: the active nodes of all levels, and interpolation of the others.
//!
//! Every path from a node of the coarsest level down to one of the finest has exactly one [`NodeState::Active`] node (Debunne et al. 2001, section 2.3).
//! [`Forest`] numbers the nodes and tetrahedra of all levels, [`Cut`] holds the states and keeps them balanced, [`Operators`] interpolates values from active
//! nodes to all others and transfers forces back, and [`CutForces`] is the reference implementation of the forces of a cut.

mod blend;
mod forces;
mod forest;
mod operators;
mod overlap;
mod shares;
mod split_merge;
mod state;
mod transition;

pub use crate::params::Interface;
pub use blend::SkinBlend;
pub use forces::CutForces;
pub use forest::Forest;
pub use operators::Operators;
pub use state::{Cut, NodeState};
pub(crate) use transition::Transition;
pub use transition::{Momentum, total_momentum};
