//! The comparison viewer: the three methods side by side under one camera.
//!
//! [`run`] opens the window and returns when it is closed. If no window can be opened, it returns the reason
//! ([`ViewError::NoDisplay`]) and prints nothing.
//!
//! | module | is for |
//! |---|---|
//! | [`window`] | opening and closing the window, its frame, its measurements |
//! | `panels` | numbers, menus, curves and notices around and over the panes |
//! | `input` | the hand that grabs and pokes, and the camera |
//! | `state` | what the user has chosen, and what the window remembers |
//! | `scene` | a scene prepared for drawing: skin, floor, tools, framing |
//! | `staging` | from a snapshot to what is uploaded for the skins |
//! | [`skin`] | skins that the graphics card computes from control points |
//! | `gl` | the drawing |
//! | [`skin_check`] | whether a graphics driver computes skins as the processor does |
//!
//! What happens in a frame of the window:
//!
//! 1. [`window::app::App`] takes the newest [`WorldSnapshot`](pliant_simulation::snapshot::WorldSnapshot) of the simulation thread; it never
//!    waits for one.
//! 2. `staging` prepares what has changed: all vertices, or only control points where the graphics card computes the skin.
//! 3. `panels` show numbers and take commands; `input` turns the pointer into grabs and pokes.
//! 4. `gl` draws each pane that has changed into its own picture, and copies the others.
//! 5. The commands go to the simulation thread.
//!
//! In a browser ([`window`]'s `browser`) there is one thread: the simulation takes its step in point 1.
//!
//! All logic works without a window and is tested without one.
//!
//! Opens the window with the bundled scene `poke` for ten seconds:
//!
//! ```no_run
//! use pliant_simulation::cache::AssetCache;
//! use pliant_viewer::{ViewError, ViewOptions, run};
//!
//! let options = ViewOptions {
//!     source: "poke".into(),
//!     import: Default::default(),
//!     cache: AssetCache::disabled(),
//!     clock: None,
//!     play: true,
//!     skin: None,
//!     size: Some((1280.0, 720.0)),
//!     exit_after: Some(10.0),
//!     screenshot: None,
//!     stats: None,
//! };
//! match run(options) {
//!     Ok(()) => {}
//!     Err(ViewError::NoDisplay { .. }) => println!("no window can be opened here"),
//!     Err(error) => eprintln!("{error}"),
//! }
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

mod error;
mod gl;
mod input;
mod options;
mod panels;
mod scene;
pub mod skin;
pub mod skin_check;
mod staging;
mod state;
mod style;
#[cfg(test)]
mod testing;
pub mod window;

pub use error::ViewError;
pub use options::ViewOptions;
pub use state::{RecentFiles, settings};
#[cfg(not(target_family = "wasm"))]
pub use window::launch::{check_skin, run};
