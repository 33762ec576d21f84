//! Building worlds

use pliant::{PreparedScene, Progress};

use super::memory::{Choice, Out, UserData};
use super::objects::{copy, make, progress_callback};
use super::types::{PliantMethod, PliantProgress, method};
use crate::failure::Outcome;
use crate::guard::{entry, run_with_progress};
use crate::handles::{Handle, PliantPrepared, PliantScene, PliantWorld};
use crate::status::PliantStatus;

/// Builds one method on a scene: meshes, bakes (or takes from the cache), and puts everything at rest. It may take seconds to minutes. progress may be null; else it is told twenty times
/// a second and can cancel (PLIANT_STATUS_CANCELLED; what a bake had finished in a cache is kept).
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_build(
    scene: PliantScene,
    method: Choice<PliantMethod>,
    progress: PliantProgress,
    user_data: UserData,
    world: Out<PliantWorld>,
) -> PliantStatus {
    make(&world, "world", || {
        let method = self::method(method)?;
        let scene: pliant::Scene = copy(scene)?;
        run_with_progress(
            progress_callback(progress, user_data),
            |progress: &Progress| {
                let prepared = scene.prepare_with(progress)?;
                Ok(prepared.build_with(method, progress)?)
            },
        )
    })
}

/// Reads or makes the skin and resolves everything that refers to it: what all methods share. Worlds of several methods that are built of it have the same skin.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_scene_prepare(
    scene: PliantScene,
    progress: PliantProgress,
    user_data: UserData,
    prepared: Out<PliantPrepared>,
) -> PliantStatus {
    make(&prepared, "prepared", || {
        let scene: pliant::Scene = copy(scene)?;
        run_with_progress(
            progress_callback(progress, user_data),
            |progress: &Progress| -> Outcome<PreparedScene> { Ok(scene.prepare_with(progress)?) },
        )
    })
}

/// Builds one method on a prepared scene, as pliant_scene_build does.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_prepared_build(
    prepared: PliantPrepared,
    method: Choice<PliantMethod>,
    progress: PliantProgress,
    user_data: UserData,
    world: Out<PliantWorld>,
) -> PliantStatus {
    make(&world, "world", || {
        let method = self::method(method)?;
        let prepared = prepared.get()?;
        run_with_progress(
            progress_callback(progress, user_data),
            |progress: &Progress| Ok(prepared.build_with(method, progress)?),
        )
    })
}

/// Frees a prepared scene. Worlds that were built of it stay. A null handle frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_prepared_free(prepared: PliantPrepared) -> PliantStatus {
    entry(|| prepared.free())
}
