//! Composes scenes, meshers and solvers: the only library that knows all three methods.
//!
//! A scene's text ([`scenes`]) is made concrete once ([`setup`]); each method gets its geometry and its asset ([`build`], [`cache`]) and runs in a [`world`]. Worlds are stepped by
//! [`compare`], by the simulation thread of a window ([`runner`]), or beside a [`servo`] thread. [`mod@reference`] computes the scene on fine finite elements, to which results are compared. [`recording`] keeps a comparison in a file and runs it again. [`advice`] finds the method and settings that suit a body.
//!
//! A pad of 4 kg is held at its foot, and the support carries its weight:
//!
//! ```
//! use std::sync::Arc;
//! use pliant_core::asset::Progress;
//! use pliant_core::scene::Method;
//! use pliant_simulation::build::build_method;
//! use pliant_simulation::cache::AssetCache;
//! use pliant_simulation::scenes::LoadedScene;
//! use pliant_simulation::setup::prepare;
//! use pliant_simulation::world::{Interaction, World};
//!
//! let scene = LoadedScene::of_text("pad", r#"
//!     schema = 1
//!     name = "pad"
//!     [[body]]
//!     name = "pad"
//!     mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
//!     material = { young = 1.0e5, poisson = 0.3, density = 1000.0, zeta = 0.3 }
//!     support = [ { name = "foot", select = { lowest = 0.01 } } ]
//!     quasistatic = { boundary = 150 }
//! "#)?;
//! let progress = Progress::new();
//! let setup = Arc::new(prepare(&scene, &progress)?);
//! let built = build_method(&setup, Method::Quasistatic, &AssetCache::disabled(), &progress)?;
//! let mut world = World::new(built.method, built.model, setup);
//! let output = world.step_frame(&Interaction::default())?;
//! // 0.2 · 0.1 · 0.2 m³ · 1000 kg/m³ · 9.81 m/s²
//! assert!((output.support_forces[0].y - 39.24).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

pub mod benchmark;
pub mod build;
pub mod cache;
pub mod compare;
pub mod error;
mod parameters;
pub mod reference;
pub mod runner;
pub mod scenes;
pub mod servo;
pub mod setup;
pub mod threads;
pub mod world;

pub use build::geometry;
pub use cache::journal;
pub use compare::{advice, recording};
pub use runner::{command, snapshot};
pub use world::pace;
