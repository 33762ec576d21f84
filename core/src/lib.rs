//! The common base of Pliant: meshes, elasticity, boundary conditions, contact, scenes, and the interface of every solver.
//!
//! Programs mostly use it through the crate `pliant`, which re-exports it. Three methods deform the same skin. This crate defines what they share, so that they do not depend on each other:
//!
//! 1. a **skin** ([`mesh::SurfaceMesh`]) whose vertex numbers are the common language of contact, probes and pictures;
//! 2. a **scene** ([`scene::load_scene`]): text, checked once, with an error that names the key;
//! 3. **geometry to bake from** ([`asset::BodyGeometry`]) with [`asset::Progress`] to watch and cancel;
//! 4. a **model** ([`model::DeformableModel`]): displacements of skin vertices in ([`boundary::BoundaryConditions`]), forces out;
//! 5. **contact** of one body with tools ([`contact`]): tools by signed distance, tracked between frames, felt as a wrench;
//!    the surface that a blade sweeps in a frame, for models that can be cut ([`contact::cutting`]);
//!    contact between bodies is in the crate `pliant-contact`, for models that can be stepped in turn ([`model::SteppedModel`]);
//! 6. **inspection** ([`inspect::Inspect`]): named parameters, quantities and figures for panels and reports; probes and picking.
//!
//! Below these lie [`material`] and [`elasticity`] (stress, force and stiffness of tetrahedra, written like the equations of Debunne et al. 2001 and of the other laws), [`math`], and what depends on
//! the machine: [`simd`], [`aligned`], [`large_pages`]. [`diagnostics`] has codes and names in errors, [`bench`](mod@bench) what `pliant bench` times.
//!
//! Conventions: SI units; right-handed, y up; world coordinates and `f64` at interfaces, `f32` in [`mesh::SurfaceFrame`].
//! A reaction is the force that a constraint exerts **on the body**; the tool feels the opposite force. The same input gives the same bits for
//! any number of threads.
//!
//! ```
//! use pliant_core::elasticity::{ShapeGradients, element_force};
//! use pliant_core::material::{LameParameters, MaterialLaw, YoungPoisson};
//! use pliant_core::math::Vec3;
//!
//! // one tetrahedron, stretched by 1 % along x, with ν = 0: the stress is E · 0.01 (and a little more: Green strain)
//! let rest = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
//! let shape = ShapeGradients::new(rest).expect("a positive volume");
//! let lame = LameParameters::from(YoungPoisson { young: 1.0e4, poisson: 0.0 });
//! let mut stretched = rest;
//! stretched[1].x = 1.01;
//! let force = element_force(stretched, &shape, &lame, MaterialLaw::Green);
//! // f = −V P ∇L with V = 1/6 and P = F S = 1.01 · 1e4 · ½(1.01² − 1)
//! let stress = 1.01 * 1.0e4 * 0.5 * (1.01_f64.powi(2) - 1.0);
//! assert!((force[1].x + stress / 6.0).abs() < 1e-9);
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

pub mod asset;
pub mod bench;
pub mod boundary;
pub mod contact;
pub mod diagnostics;
pub mod elasticity;
pub mod inspect;
mod machine;
pub mod material;
pub mod math;
pub mod mesh;
pub mod model;
pub mod scene;

pub use machine::{aligned, large_pages, simd, stage_timer};
