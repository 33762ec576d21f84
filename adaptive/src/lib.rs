//! Explicit tetrahedral finite elements over independent levels of detail, after Debunne, Desbrun, Cani and Barr,
//! *Dynamic Real-Time Deformations using Space & Time Adaptive Sampling*, 2001.
//!
//! [`LodHierarchy::bake`] turns the geometry of a body into a [`LodHierarchy`]: tetrahedral meshes from coarse to fine with lumped masses, element frequencies,
//! supports, skin embeddings and the Voronoi tree of parents and children. An [`AdaptiveModel`] moves either one level of it, all elements with the same
//! step, or a [`cut`] through all levels, which is fine where the body is touched or strained and gives each element a step of its own
//! ([`step::multirate`]). A frame costs no more than a budget, in evaluations of one tetrahedron ([`NANOSECONDS_PER_TET`]).
//!
//! ```text
//! BodyGeometry → bake → LodHierarchy (constant, shared) → AdaptiveModel (some steps a frame)
//! ```
//!
//! | you want to | here |
//! |---|---|
//! | bake a body | [`LodHierarchy::bake`], [`bake::bake_with`]; errors: [`AdaptiveBakeError`] |
//! | run it | [`AdaptiveModel::new`] with [`AdaptiveParams`]; errors: [`AdaptiveModelError`] |
//! | run a bare mesh | [`AdaptiveModel::from_tets`] |
//! | choose a law | [`ElementModel`], or the law of the material |
//! | choose level or cut, and the budget | [`Resolution`], [`LevelChoice`], [`AdaptiveParams::budget_units`] |
//! | cut it, break it | [`AdaptiveParams::blades`], [`AdaptiveParams::fracture`] |
//! | repeat the study of the paper | [`study::oscillate`], on two levels [`study::oscillate_mixed`] |
//!
//! | module | is for |
//! |---|---|
//! | [`params`] | parameters of the bake and of the model; work units |
//! | [`hierarchy`] | one level of detail, and what links it to its neighbours |
//! | [`asset`] | the baked hierarchy, its key and its bytes |
//! | [`bake`] | how an asset is made, and how coarse levels are calibrated |
//! | [`force`] | forces of tetrahedra and springs: readable, fast, and in lanes of single precision; damping |
//! | [`cut`] | which nodes of which levels move, how the others follow, and the share of each element |
//! | [`governor`] | which nodes are split within the budget, by a criterion of refinement and near contact |
//! | [`step`] | time integration: stable step, one level, and a cut whose elements have steps of their own |
//! | `contact` | the work of constraints |
//! | [`model`] | the running model: its frames, remedies for a frame that fails, co-stepping with other bodies, cutting by blades (`model/cutting/`), numbers and fields for viewers |
//! | [`study`] | the oscillation study of the paper |
//! | [`benchmark`] | kernels that `pliant bench` times |
//!
//! To read the sources, start with `bake/hierarchy.rs`, `model/level_frame.rs` (a frame of one level) and `model/cut_body/frame.rs` (a frame of a cut). Modules import
//! downwards only: `model` uses `governor` and `step`, these use `cut`, and `cut` uses `force` and `hierarchy`.
//!
//! ```
//! use pliant_adaptive::{AdaptiveModel, ElementModel};
//! use pliant_core::boundary::BoundaryConditions;
//! use pliant_core::material::Material;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::procedural::{CellStyle, box_tets};
//! use pliant_core::model::{DeformableModel, FrameRequest};
//!
//! let mesh = box_tets(Vec3::repeat(0.1), [2, 2, 2], CellStyle::Alternating);
//! let mut body = AdaptiveModel::from_tets(mesh, Material::default(), &[], ElementModel::Green)?;
//! let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
//! for _ in 0..6 {
//!     body.advance(FrameRequest::new(1.0 / 60.0, &gravity))?;
//! }
//! // nothing holds it: after a tenth of a second it falls with g t = 0.981 m/s
//! assert!((body.level_velocities()[0].y + 0.981).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

pub mod asset;
pub mod bake;
pub mod benchmark;
mod contact;
pub mod cut;
mod error;
pub mod force;
pub mod governor;
pub mod hierarchy;
pub mod model;
pub mod params;
pub mod step;
pub mod study;

// short paths for other crates
pub use asset::{AssetFormatError, LodHierarchy, key};
pub use bake::AdaptiveBakeError;
pub use error::AdaptiveModelError;
pub use model::{AdaptiveModel, inspect};
pub use params::{
    AdaptiveParams, DampingRule, ElementModel, FilterRule, LevelChoice, NANOSECONDS_PER_TET,
    Precision, Resolution, Scheme, units_of_milliseconds,
};
pub use step::multirate;
