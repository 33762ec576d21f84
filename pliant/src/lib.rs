//! Deformable bodies in real time, for games, haptics and virtual surgery.
//!
//! Three methods deform the same body. Choose one, or run several side by side; bodies, tools and results are the same for all.
//!
//! | [`Method`] | how it computes | suits |
//! |---|---|---|
//! | [`Adaptive`](Method::Adaptive) | explicit finite elements on tetrahedra, within a budget of work a frame (Debunne, Desbrun, Cani, Barr 2001) | large strains by a material law; bodies that fly, swing, break or are cut |
//! | [`Quasistatic`](Method::Quasistatic) | precomputed Green's functions of a linear elastic body: a static equilibrium in each frame (James and Pai 1999) | supported bodies under small strains and rotations; forces at 1 kHz |
//! | [`Lattice`](Method::Lattice) | lattice shape matching (Rivers and James 2007) | fast, robust bodies that fly, swing, break or are cut; Poisson's ratio is 0 |
//!
//! ```
//! use pliant::{Body, Material, Method, Scene, Tool};
//!
//! // or a mesh of your own: Body::from_file("kidney.stl").longest(0.12).on_floor()
//! let kidney = Body::procedural("kidney").longest(0.12).edge(0.006).set("quasistatic.boundary", 250);
//! let scene = Scene::new("exam")
//!     .body(kidney.material(Material::isotropic(6e3, 0.4)).hold_lowest(0.1))
//!     .tool(Tool::sphere("finger", 0.02, [0.0, 0.2, 0.0]))
//!     .gravity([0.0; 3]);
//! let mut world = scene.build(Method::Quasistatic)?;
//! let top = world.skin().bounds().max.y;
//! for frame in 0..30 {
//!     let depth = 0.01 * f64::from(frame) / 30.0;
//!     world.move_tool("finger", [0.0, top + 0.02 - depth, 0.0])?;
//!     world.step()?;
//! }
//! let (vertices, force) = (world.positions(), world.tool_force("finger")?);
//! assert_eq!(vertices.len(), world.normals().len());
//! assert!(force.y > 0.01, "the body pushes the finger up with {force:?} N");
//! # Ok::<(), pliant::Error>(())
//! ```
//!
//! # Where to look
//!
//! | you want to | here |
//! |---|---|
//! | bring a body | [`Body::from_file`], [`Body::from_triangles`], [`Body::from_tets`], [`Body::procedural`] |
//! | touch it | [`Tool`] and [`World::move_tool`], [`World::grab`], [`World::grab_each`], [`World::push`] |
//! | run it in a game loop | [`World::advance`] |
//! | draw it | [`World::positions`], [`World::normals`], [`World::triangles`]; once it is cut or broken [`World::surface`] |
//! | colour it, measure it | [`World::quantity`], [`World::probe`], [`World::energy`] |
//! | feel it | [`World::tool_force`], [`World::tool_wrench`]; at 1 kHz [`quasistatic::haptics`], [`simulation::servo`] |
//! | cut it | [`Tool::of_shape`] with [`ToolShape::Blade`] |
//! | undo, roll back | [`World::snapshot`], [`World::restore`] |
//! | compare methods | [`Scene::prepare`], [`PreparedScene::build`] |
//! | record a run, run it again | [`simulation::recording`] |
//! | read or export a recording | [`recording`] |
//! | set a key for which there is no method | [`Body::set`], [`Scene::set`] with the keys of scene files (`docs/scenes.md` in the repository) |
//! | give a tool a shape of your own | [`SignedDistance`], [`Tool::custom`] |
//! | bring a method of your own | [`DeformableModel`], [`PreparedScene::world_of`] |
//! | have the same bits on every machine | [`use_portable_kernels`] |
//! | use a solver without scenes | [`adaptive`], [`quasistatic`], [`lattice`]: vectors and matrices are those of [`nalgebra`] |
//!
//! `pliant/examples/` in the repository has eleven short programs: `poke`, `drop`, `compare`, `game_loop`, `own_tool`, `greens`, `fracture`, `blade`, `haptics`, `recording` and
//! `fourth_method`.
//!
//! # Conventions
//!
//! SI units; right-handed, y up; world coordinates. Positions and forces are `f64`, vertex buffers `f32`. Forces of a tool are those **on the tool**, those of supports and
//! grabs act **on the body**. The same calls give the same bits, for any number of threads. No input to scenes and worlds panics: an [`Error`] names the thing, the
//! place and the remedy.
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

/// The program in the README runs, and its finger gets a force.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

mod body;
mod error;
mod keys;
mod scene;
mod tool;
mod world;

pub use body::Body;
pub use error::{Error, Result};
pub use scene::{PreparedScene, Scene};
pub use tool::Tool;
pub use world::{Snapshot, World};

pub use pliant_core::asset::Progress;
pub use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint, Friction,
    NodalLoad,
};
pub use pliant_core::contact::{
    Interpolation, Key, Pose, PosePath, SignedDistance, ToolShape, ToolWrench,
};
pub use pliant_core::inspect::{Inspect, ParameterValue, QuantityBuffer};
pub use pliant_core::material::{Material, MaterialLaw};
pub use pliant_core::math::Vec3;
pub use pliant_core::math::bounds::Ray;
pub use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, TetMesh};
pub use pliant_core::model::{
    DeformableModel, EnergyAccount, FrameReport, FrameRequest, StateSnapshot, StepError, WorkBudget,
};
pub use pliant_core::scene::{Method, Selection};
/// A value for [`Body::set`] and [`Scene::set`]: a number, flag, text, list or table.
pub use toml::Value;

/// The linear algebra of all interfaces.
pub use nalgebra;
/// Meshes, materials, boundary conditions, contact, and the traits of every model.
pub use pliant_core as core;
/// Recordings of runs, and files of other programs made of them.
pub use pliant_recording as recording;
/// Scenes, cache, comparison, reference, threads: what the program `pliant` is made of.
pub use pliant_simulation as simulation;
/// Small-strain statics of supported tetrahedral meshes.
pub use pliant_statics as statics;
/// The three solvers, contact between bodies, and the tools for meshes.
pub use {
    pliant_adaptive as adaptive, pliant_contact as contact, pliant_lattice as lattice,
    pliant_meshing as meshing, pliant_quasistatic as quasistatic,
};

/// From now on kernels use only vector instructions that every machine has.
///
/// By default they use the widest instructions of the processor, and sums over wider lanes round differently: two machines may differ in the last bits. After this call
/// [`Method::Adaptive`] and [`Method::Lattice`] give the same bits on all machines. The bake of [`Method::Quasistatic`] does not, because a library chooses
/// the instructions of its factorisations by itself.
///
/// It is for tests, recordings and games that compare results of several machines. Kernels become several times slower. It applies to the whole process and cannot be
/// undone: call it before any world is built.
///
/// ```
/// use pliant::{Body, Method, Scene};
///
/// pliant::use_portable_kernels();
/// let mut world = Scene::new("room").body(Body::cuboid([0.2, 0.1, 0.2], 0.04)).build(Method::Lattice)?;
/// world.step()?;
/// # Ok::<(), pliant::Error>(())
/// ```
pub fn use_portable_kernels() {
    pliant_core::simd::use_portable();
}
