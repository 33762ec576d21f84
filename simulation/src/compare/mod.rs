//! Several methods on one scene, frame by frame, without a window.
//!
//! Nothing here depends on wall time but the cost figures, which are kept apart.
//!
//! A pad begins to sag under its own weight: at once by statics, and with inertia bit by bit.
//!
//! ```
//! use std::sync::Arc;
//! use pliant_core::asset::Progress;
//! use pliant_simulation::cache::AssetCache;
//! use pliant_simulation::compare::{CompareOptions, compare};
//! use pliant_simulation::scenes::LoadedScene;
//! use pliant_simulation::setup::prepare;
//!
//! let scene = LoadedScene::of_text("pad", r#"
//!     duration = 0.1
//!     methods = ["quasistatic", "adaptive"]
//!     [[body]]
//!     name = "pad"
//!     mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
//!     support = [ { name = "foot", select = { lowest = 0.01 } } ]
//!     quasistatic = { boundary = 150 }
//!     adaptive = { target_edges = [0.08] }
//! "#)?;
//! let (cache, progress) = (AssetCache::disabled(), Progress::new());
//! let setup = Arc::new(prepare(&scene, &progress)?);
//! let found = compare(setup, &CompareOptions::new(&cache), &progress)?;
//! // both ran for six frames, and their skins are apart
//! assert_eq!(found.runs().map(|(_, run)| run.frames).collect::<Vec<_>>(), [6, 6]);
//! assert!(found.pairs[0].distance.max > 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod advice;
mod comparison;
mod method_run;
mod moments;
mod observer;
mod oscillation;
mod press;
mod recorder;
pub mod recording;
mod run;

pub use comparison::{Comparison, MethodResult, PairResult};
pub use method_run::{CarrierWrench, FIGURES, Figure, MethodRun, PointCurve};
pub use moments::{Moment, MomentKind};
pub use oscillation::Oscillation;
pub use press::Press;
pub use run::{CompareOptions, compare};
