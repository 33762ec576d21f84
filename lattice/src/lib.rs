//! Fast lattice shape matching (Rivers and James, *FastLSM: fast lattice shape matching for robust real-time deformation*, 2007).
//!
//! A body is a lattice of particles at the corners of the voxels that it touches. Every particle has a region: the particles within `w` links.
//! In each step, every region finds the rigid motion that fits its shape at rest best onto the present positions of its particles. The goal of a particle is the mean
//! of the positions that its regions give it, and velocities move particles towards their goals. All sums over regions are shared, so that a step costs a fixed number of
//! operations for each particle. It is stable for any step and any deformation.
//!
//! ```text
//! BodyGeometry.voxels → bake → LatticeAsset (particles, links, regions, summation plan, embedding, supports)
//!                                   └→ LatticeModel: step = moments → rotations → damping → goals → contact → move
//! ```
//!
//! | you want to | here |
//! |---|---|
//! | bake a body | [`bake()`] with [`LatticeParams`]; errors: [`LatticeError`] |
//! | keep the result in a file | [`LatticeAsset::to_bytes`], [`LatticeAsset::from_bytes`] |
//! | run it | [`LatticeModel`] |
//! | know what a material takes | [`calibrate`], [`young_modulus`] |
//! | break it, cut it | [`LatticeParams::fracture`] |
//!
//! | folder of the sources | contents |
//! |---|---|
//! | `asset` | particles, links, regions and shared sums; their format as bytes |
//! | `bake` | baking of these, and the fit of the regions' stiffness |
//! | `model` | state, frames, co-stepping, snapshots, energy |
//! | `step` | one step in double precision, readable; `step::single` the same in single precision |
//! | `kernels` | single precision with vector instructions, by the layout of the lattice |
//! | `fracture` | links that break by strain or by a blade, pieces, the cut skin |
//! | `skin` | the deformed skin |
//!
//! The resulting material has Young's modulus `E = α ρ (d/h)² w(w+1)/3` and Poisson's ratio 0, with the density `ρ`, the edge `d` of a cell, the step `h`, the half-width `w` of a region in links, and the
//! share `α` of the way to its goal that a particle goes in a step; [`calibrate`] solves for α and the number of steps. Waves shorter than about `4 w d` are too soft. Volume is not preserved. Parts of a few cells are too stiff in bending. If [`bake()`] is given tetrahedra
//! (`BodyGeometry.levels`, the last one) and the body is supported, each region gets a stiffness factor so that the compliance under distributed loads is that of quadratic elements.
//!
//! A cube of 4×4×4 cells on a fixed floor carries its own weight; its support bears `ρ V g`:
//!
//! ```
//! use std::sync::Arc;
//! use pliant_core::asset::{BodyGeometry, Progress};
//! use pliant_core::boundary::BoundaryConditions;
//! use pliant_core::material::Material;
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::{VoxelGrid, procedural::{CellStyle, box_surface}};
//! use pliant_core::model::{DeformableModel, FrameRequest};
//! use pliant_core::scene::Selection;
//! use pliant_lattice::{LatticeModel, LatticeParams, bake};
//!
//! let skin = Arc::new(box_surface(Vec3::repeat(0.2), [4; 3], CellStyle::Kuhn));
//! let geometry = BodyGeometry {
//!     voxels: Some(Arc::new(VoxelGrid::new(Vec3::repeat(-0.1), 0.05, [4; 3], vec![true; 64]))),
//!     ..BodyGeometry::new(skin, Material::default().with_damping_ratio(0.5)).held_at("floor", Selection::Lowest(0.05))
//! };
//! let params = LatticeParams::default();
//! let asset = bake(&geometry, &params, &Progress::new())?;
//! let mut model = LatticeModel::new(Arc::new(asset), &params)?;
//! let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
//! for _ in 0..120 {
//!     model.advance(FrameRequest::new(1.0 / 60.0, &boundary))?;
//! }
//! // the weight of 8 kg: 8 · 9.81 N
//! assert!((model.support_reactions()[0].y - 78.48).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

mod asset;
mod bake;
pub mod benchmark;
mod error;
mod fracture;
mod inspect;
mod kernels;
mod model;
mod numerics;
mod params;
mod skin;
mod step;
#[cfg(test)]
mod testing;

pub use asset::LatticeAsset;
pub use bake::masses::Masses;
pub use bake::stiffness_weights::calibrate_stiffest;
pub use bake::{bake, key};
pub use error::{AssetFormatError, LatticeError};
pub use fracture::Fracture;
pub use model::{KIND, LatticeModel, NANOSECONDS_PER_PARTICLE_STEP};
pub use params::{LatticeParams, Precision, RotationMethod, ShapeMatching, Sums};
pub use step::calibrate::{Calibration, calibrate, young_modulus};
