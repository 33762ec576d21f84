//! Bodies in static equilibrium at every frame: precomputed Green's functions and the capacitance matrix algorithm.
//!
//! A supported linear elastic body has a unique response to any force. [`bake::bake`] solves the finite element system once for a
//! unit force on each boundary node; the responses are the columns of [`greens::GreensMatrix`]. At run time a contact is a *change of
//! boundary conditions*: [`capacitance`] computes the contact forces from the columns of the touched nodes (James and Pai 1999, *ArtDefo*;
//! 2003, *Multiresolution Green's function methods*), and the deformed surface is the sum of a few columns. The method is exact for small strains. It has no
//! time steps and no inertia. Most of a frame's work is one product of a 3×3 block and a force for each free boundary node and each node that carries a force ([`params::WORK_UNITS_PER_MS`]).
//!
//! ```text
//! BodyGeometry → bake → GreensAsset (constant, shared) → QuasistaticModel (one solution a frame)
//! ```
//!
//! | you want to | here |
//! |---|---|
//! | bake a body | [`bake::bake`] with [`QuasistaticParams`]; errors: [`BakeError`] |
//! | watch, resume or share a bake | [`bake::bake_controlled`], [`team`] |
//! | keep the result in a file | [`GreensAsset::to_bytes`], [`GreensAsset::from_bytes`] |
//! | run it | [`QuasistaticModel`] |
//! | store it in less memory | [`QuasistaticParams::hierarchical`], [`bake::bake_compressed`] |
//! | use columns of another program | [`foreign`] |
//! | feel it at 1 kHz | [`haptics::HapticSurface`] with [`haptics::ServoLoop`] |
//!
//! | module | contents |
//! |---|---|
//! | [`params`] | parameters of the bake and of the model |
//! | [`asset`] | the baked body, its bytes, and the same body on other supports |
//! | [`bake`] | makes an asset: from finite elements, from boundary elements, or from imported columns |
//! | [`finite_elements`] | tetrahedra, their material, the sparse stiffness and its factorisation |
//! | [`boundary_elements`] | the dense system `H u = G p` of a surface |
//! | [`greens`] | the matrix of Green's functions and the sum of its columns |
//! | [`capacitance`] | the capacitance matrix algorithm: active conditions and their forces |
//! | `contact` | constraints as scalar conditions, and friction |
//! | [`model`] | the running model, its state and its fields for viewers |
//! | [`haptics`] | force feedback at 1 kHz |
//! | [`team`] | several processes that bake one body together |
//! | [`benchmark`] | kernels that `pliant bench` times |
//!
//! To read the sources, start with `bake/asset.rs` and `model/deformable.rs`. Modules import downwards only: `model` and `haptics` use `contact` and `capacitance`, these use
//! `greens`, and `bake` uses both kinds of elements and fills an asset.
//!
//! Pulling the end of a bar, fixed at the other end, by 1 mm takes a force of `E A / L` times 1 mm, plus an error from the clamp and the coarse mesh:
//!
//! ```
//! use std::sync::Arc;
//! use pliant_core::asset::{BodyGeometry, Progress};
//! use pliant_core::boundary::*;
//! use pliant_core::material::Material;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
//! use pliant_core::model::{DeformableModel, FrameRequest};
//! use pliant_core::scene::Selection;
//! use pliant_quasistatic::{QuasistaticModel, QuasistaticParams, bake};
//!
//! let (size, cells) = (Vec3::new(0.1, 0.4, 0.1), [2, 8, 2]);
//! let skin = Arc::new(box_surface(size, cells, CellStyle::Kuhn));
//! let geometry = BodyGeometry {
//!     greens_level: Some(Arc::new(box_tets(size, cells, CellStyle::Kuhn))),
//!     ..BodyGeometry::new(skin.clone(), Material::isotropic(1e5, 0.0)).held_at("foot", Selection::Lowest(0.01))
//! };
//! let params = QuasistaticParams::default();
//! let asset = Arc::new(bake::bake(&geometry, &params, &Progress::new())?);
//! let mut model = QuasistaticModel::new(asset, &params);
//!
//! let pull = Vec3::new(0.0, 1e-3, 0.0);
//! let top = (0..skin.vertex_count() as u32).filter(|&v| skin.positions[v as usize].y > 0.19);
//! let mut boundary = BoundaryConditions::default();
//! boundary.set_displacements(top.map(|vertex| DisplacementConstraint::held(vertex, skin.positions[vertex as usize] + pull)))?;
//! model.advance(FrameRequest::new(1.0 / 60.0, &boundary))?;
//! let force: Vec3 = model.reactions().iter().sum();
//! assert!((force.y - 1e5 * 0.01 / 0.4 * 1e-3).abs() < 1e-5); // E A / L · 1 mm = 2.5 N
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

pub mod asset;
pub mod bake;
pub mod benchmark;
pub mod boundary_elements;
pub mod capacitance;
mod contact;
mod error;
pub mod finite_elements;
pub mod greens;
pub mod haptics;
pub mod model;
pub mod params;
pub mod team;

// short paths for other crates
pub use asset::{AssetFormatError, GreensAsset, inside, rebase};
pub use bake::foreign::{self, npy};
pub use error::BakeError;
pub use greens::Precision;
pub use model::QuasistaticModel;
pub use params::QuasistaticParams;
pub use pliant_compression as compression;
