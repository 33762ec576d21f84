//! The cut through the tree of parents and children: which nodes of which levels move, and how the others follow.
//!
//! Every path from a node of the coarsest level down to one of the finest has exactly one [`NodeState::Active`] node (Debunne et al. 2001, section 2.3).
//! [`Forest`] numbers the nodes and tetrahedra of all levels, [`Cut`] holds the states and keeps them balanced, [`Operators`] carries values from active
//! nodes to all others and forces back, and [`CutForces`] sums the forces of a cut in the readable way.

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
pub use transition::{Momentum, Transition, carry_over, total_momentum};
