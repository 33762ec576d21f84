//! What the window shows, and for how long.

use std::ffi::OsString;
use std::path::PathBuf;

use pliant_simulation::cache::AssetCache;
use pliant_simulation::pace::ProcessorClock;
use pliant_simulation::scenes::ImportOptions;

use crate::skin::SkinChoice;

/// What to show, and for how long.
#[derive(Debug, Clone)]
pub struct ViewOptions {
    /// A scene file, the name of a bundled scene, or a mesh file.
    pub source: OsString,
    /// How to read a mesh.
    pub import: ImportOptions,
    /// Where baked assets are kept.
    pub cache: AssetCache,
    /// A clock of the processor time of a thread. With it the adaptive method's budget is processor time, without it work units of a nominal
    /// machine.
    pub clock: Option<ProcessorClock>,
    /// Whether it runs from the start.
    pub play: bool,
    /// Who computes skins that are given by control points. Without it the graphics card does, where there is a real one.
    pub skin: Option<SkinChoice>,
    /// Width and height of the window, points.
    pub size: Option<(f32, f32)>,
    /// Closes by itself so long after the first frame, s.
    pub exit_after: Option<f64>,
    /// Where the last frame of the whole window goes (PNG), when it closes by itself.
    pub screenshot: Option<PathBuf>,
    /// Where the measurements go (JSON); the window then repaints without a pause.
    pub stats: Option<PathBuf>,
}
