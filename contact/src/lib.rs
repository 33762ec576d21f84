//! Contact between bodies that have inertia: several bodies that touch each other, themselves and tools, stepped as one model ([`BodyGroup`]).
//!
//! ```text
//! frame: boxes → pairs (broad phase) → points near surfaces (narrow phase, one task a body) → hit bodies wake → bodies change their resolution
//! step:  kick (one task a body) → impulses over all rows that are due (solver) → drift (one task a body)
//! end:   contact points (one task a body) → blades cut, and bodies break → bodies at rest fall asleep → bodies that were cut or broke get other contact points
//! ```
//!
//! The sources have four parts:
//!
//! - `surface/`: contact points of a body, at rest and at their present positions
//! - `detection/`: which bodies, and which points of them, may touch
//! - `solver/`: impulses by projected Gauss-Seidel (Moreau 1988; Jean 1999)
//! - `group/`: the frame of all bodies
//!
//! A parallel task writes to one body only, and rows are solved in a fixed order: the result does not depend on the number of threads. A frame in which the state of a body
//! becomes invalid is repeated with more steps, then without that body. Linear momentum is exchanged exactly. Angular momentum is exchanged up to the sliding within
//! a frame, since contacts are found once a frame. A sleeping body is not stepped; others can rest on it.
//!
//! A body is any model that implements [`SteppedModel`](pliant_core::model::SteppedModel): those of `pliant-adaptive` and `pliant-lattice`, or one of your own. [`BodyGroup`] shows how a group is made.
//! Programs rarely make one themselves: a scene with several bodies, or with one that nothing holds, becomes a group in `pliant` and `pliant-simulation`.
//!
//! A group has one merged surface. Two blocks of a litre, one on the other, have a volume of two litres:
//!
//! ```
//! use pliant_contact::merged_skin;
//! use pliant_core::contact::Pose;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::procedural::{CellStyle, box_surface};
//!
//! let block = box_surface(Vec3::repeat(0.1), [2; 3], CellStyle::Kuhn);
//! let homes = [Pose::at(Vec3::zeros()), Pose::at(Vec3::new(0.0, 0.1, 0.0))];
//! let both = merged_skin(homes.iter().map(|home| (&block, home)));
//! // 2 · 0.1³ m³, from -0.05 to 0.15 m
//! assert!((both.volume() - 0.002).abs() < 1e-12);
//! assert!((both.bounds().max.y - 0.15).abs() < 1e-12);
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

mod detection;
mod group;
mod merged_cut;
mod merged_skin;
mod options;
mod solver;
mod surface;
#[cfg(test)]
mod testing;

pub use group::{BodyGroup, FrozenBody};
pub use merged_skin::merged_skin;
pub use options::{BodyContact, GroupOptions};
