//! What a job in the background reports.

use std::sync::Arc;

use pliant_core::scene::Method;

use crate::build::BuiltMethod;
use crate::error::Fault;
use crate::setup::Setup;

/// What a job reports.
pub enum BakeEvent {
    /// The skin is there.
    SceneReady(Arc<Setup>),
    /// The scene cannot be opened at all.
    SceneFailed(String),
    /// A coarse model of a method runs until the one of the scene is baked. [`BakeEvent::MethodReady`] replaces it.
    PreviewReady(BuiltMethod),
    /// A method runs while it is still being baked and cannot answer everything yet. [`BakeEvent::MethodReady`] follows; by then this model is complete too.
    MethodOpened(BuiltMethod),
    /// A method can run.
    MethodReady(BuiltMethod),
    /// A method cannot run this scene.
    MethodFailed {
        /// Which.
        method: Method,
        /// Why.
        fault: Fault,
    },
    /// A method was prepared again with other settings, which the scene has from now on.
    MethodReplaced {
        /// The scene with the settings.
        setup: Arc<Setup>,
        /// The method.
        built: BuiltMethod,
    },
    /// A method could not be prepared with other settings; the one before runs on.
    ReplacementFailed {
        /// Which.
        method: Method,
        /// Why, with a remedy.
        reason: String,
    },
    /// All methods that can run are ready.
    Finished,
}
