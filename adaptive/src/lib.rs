//! Explicit tetrahedral finite elements over independent levels of detail, after Debunne, Desbrun, Cani and Barr,
//! *Dynamic Real-Time Deformations using Space & Time Adaptive Sampling*, 2001.
//!
//! [`bake()`] turns the geometry of a body into a [`LodHierarchy`]: tetrahedral meshes from coarse to fine with lumped masses, element frequencies,
//! supports, skin embeddings and the Voronoi tree of parents and children. An [`AdaptiveModel`] moves one level of it, the finest that the
//! budget allows, by symplectic Euler with the stable step of its elements:
//!
//! 1. look at every tetrahedron: stretch, inversion, stable step ([`timestep`]);
//! 2. per step: elastic and viscous forces ([`force`]), kick, contact on velocities, drift;
//! 3. reactions of tools and supports, energy account, and the check that all went well.
//!
//! ```
//! use std::sync::Arc;
//! use pliant_adaptive::{AdaptiveModel, ElementModel};
//! use pliant_core::boundary::BoundaryConditions;
//! use pliant_core::material::Material;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::procedural::{CellStyle, box_tets};
//! use pliant_core::model::{DeformableModel, FrameRequest, WorkBudget};
//!
//! let mesh = box_tets(Vec3::repeat(0.1), [2, 2, 2], CellStyle::Alternating);
//! let skin = Arc::new(mesh.boundary().surface);
//! let mut body = AdaptiveModel::from_tets(mesh, skin, Material::default(), &[], ElementModel::Green)?;
//! let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
//! for _ in 0..6 {
//!     body.advance(FrameRequest {
//!         duration: 1.0 / 60.0,
//!         boundary: &gravity,
//!         budget: WorkBudget::UNLIMITED,
//!         force_tap: None,
//!     })?;
//! }
//! // nothing holds it: after a tenth of a second it falls with g t = 0.981 m/s
//! assert!((body.node_velocities()[0].y + 0.981).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`study::oscillate`] runs the paper's comparison of element models on bare meshes.

pub mod asset;
pub mod bake;
pub mod benchmark;
pub mod contact;
pub mod cut;
pub mod error;
pub mod force;
pub mod governor;
pub mod hierarchy;
pub mod model;
pub mod params;
pub mod step;
pub mod study;

// short paths for other crates
pub use asset::format::bytes;
pub use asset::{AssetFormatError, LodHierarchy, key};
pub use bake::lowest_frequency as frequency;
pub use bake::{AdaptiveBakeError, bake, calibration};
pub use benchmark as bench_cases;
pub use error::AdaptiveModelError;
pub use force::{damping, lanes};
pub use governor::{contact_focus as focus, criterion};
pub use model::{AdaptiveModel, inspect};
pub use params::{
    AdaptiveParams, DampingRule, ElementModel, FilterRule, LevelChoice, NANOSECONDS_PER_TET,
    Precision, Resolution, Scheme, units_of_milliseconds,
};
pub use step::{
    filter, level_dynamics as dynamics, mass_scaling, multirate, time_step as timestep,
};
pub use study::{mesh as study_mesh, reference as study_reference};
