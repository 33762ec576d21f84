//! Composes scenes, meshers and solvers. It is the library that knows all three methods; the program and the window are made of it. A program that only needs bodies, tools and worlds is shorter with
//! the crate `pliant`.
//!
//! ```text
//! text → LoadedScene → Setup, shared by all methods → geometry and asset of a method → World, stepped frame by frame
//! ```
//!
//! | module | is for |
//! |---|---|
//! | [`scenes`] | scenes from text, bundled scenes, and the scene around a mesh file |
//! | [`setup`] | a scene made concrete: its skin, selections as vertices, scripts as paths |
//! | [`build`], [`geometry`] | the geometry and the asset of each method, and a model of them |
//! | [`cache`], [`journal`] | baked assets on disk, and the columns of a bake that goes on |
//! | [`world`] | one method on one scene: model, contact, probes |
//! | [`compare`] | several methods on one scene, frame by frame |
//! | [`mod@reference`] | the scene on fine finite elements, to which results are compared |
//! | [`recording`] | a comparison in a file, and the same again from it |
//! | [`advice`] | the method and the settings that suit a body |
//! | [`runner`], [`command`], [`snapshot`] | the simulation thread of a window |
//! | [`servo`] | the thread that computes forces at 1 kHz |
//! | [`threads`] | jobs in the background, and the handover of values between threads |
//! | [`benchmark`] | the kernels that `pliant bench` times |
//! | [`error`] | what can go wrong up to a running model |
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
