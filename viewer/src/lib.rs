//! The comparison viewer: the three methods side by side under one camera.
//!
//! [`run`] opens the window and returns when it is closed; where no window can be had it says why
//! ([`ViewError::NoDisplay`]) and nothing is printed.
//!
//! What happens in a frame of the window:
//!
//! 1. [`app::App`] takes the newest [`WorldSnapshot`](pliant_simulation::snapshot::WorldSnapshot) of the simulation thread; it never waits.
//! 2. [`pane_skin`] stages changed skins, or only the control points they hang on where the graphics card bends them ([`skin`]);
//!    [`layers`] colours them.
//! 3. [`panels`] and [`overlay`](panels::overlay) show numbers and take wishes; [`interact`] turns the pointer into grabs and pokes.
//! 4. [`gl`] draws each pane that has changed into a picture of its own, and copies the others.
//! 5. The commands go to the simulation thread.
//!
//! All that decides is free of windows and tested without one: [`display`], [`camera_control`], [`interact`], [`statistics`].

pub mod app;
pub mod camera_control;
pub mod display;
pub mod gl;
pub mod history;
pub mod interact;
mod launch;
pub mod layers;
pub mod layout;
pub mod pane_skin;
pub mod panels;
mod pointer;
pub mod screenshot;
pub mod skin;
pub mod skin_check;
mod skin_colors;
pub mod state;
pub mod statistics;
pub mod style;
#[cfg(test)]
mod testing;
pub mod view;

use std::ffi::OsString;
use std::path::PathBuf;

use pliant_simulation::cache::AssetCache;
use pliant_simulation::pace::ProcessorClock;
use pliant_simulation::scenes::ImportOptions;

/// What to show, and for how long.
#[derive(Debug, Clone)]
pub struct ViewOptions {
    /// A scene file, the name of a bundled scene, or a mesh file.
    pub source: OsString,
    /// How to read a mesh.
    pub import: ImportOptions,
    /// Where baked assets are kept.
    pub cache: AssetCache,
    /// Processor time of a thread, by which the adaptive method's budget is then counted; without it work units of a nominal machine count.
    pub clock: Option<ProcessorClock>,
    /// Whether it runs from the start.
    pub play: bool,
    /// Who bends the skins that hang on control points; without it the graphics card, where there is a real one.
    pub skin: Option<skin::SkinChoice>,
    /// Width and height of the window, points.
    pub size: Option<(f32, f32)>,
    /// Closes by itself so long after the first frame, s.
    pub exit_after: Option<f64>,
    /// Where the last frame of the whole window goes (PNG), when it closes by itself.
    pub screenshot: Option<PathBuf>,
    /// Where the measurements go (JSON); the window then repaints without a pause.
    pub stats: Option<PathBuf>,
}

/// Why there was no window, or what went wrong in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// No window can be had here: no display, no OpenGL, or a library is missing.
    #[error("no window: {reason}")]
    NoDisplay {
        /// One line.
        reason: String,
    },
    /// The window was there and failed.
    #[error("the viewer failed: {reason}")]
    Failed {
        /// One line.
        reason: String,
    },
    /// A picture or the measurements could not be written.
    #[error("{} cannot be written: {reason}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// One line.
        reason: String,
    },
}

/// Opens the window and waits until it is closed. Must be called on the main thread, at most once in a process (a limit of
/// the window systems).
///
/// # Errors
/// [`ViewError`]; nothing is printed and no panic gets through.
pub fn run(options: ViewOptions) -> Result<(), ViewError> {
    launch::run(options)
}

/// Checks that the graphics driver bends the skin of a scene as the processor does. Opens a window that is never shown; the same
/// limits hold as for [`run`].
///
/// # Errors
/// [`ViewError::NoDisplay`] where there is no OpenGL, [`ViewError::Failed`] when the scene cannot be opened or has no such skin.
pub fn check_skin(options: skin_check::CheckOptions) -> Result<skin_check::SkinReport, ViewError> {
    launch::check(options)
}
