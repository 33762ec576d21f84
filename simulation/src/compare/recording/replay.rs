//! A recording that is run again and compared, frame by frame.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::simd::kernels;
use pliant_recording::{Recording, surface_hash};

use super::error::ReplayError;
use super::scene::scene_of;
use crate::cache::AssetCache;
use crate::compare::comparison::Comparison;
use crate::compare::observer::{FrameObserver, ObservedMethod};
use crate::compare::run::{CompareOptions, compare_observed};
use crate::setup::{Setup, prepare};

/// Runs the scene of a recording again, with the methods that ran, and compares the hash of each surface.
///
/// A recording that was made without vector instructions has to be replayed without them: see [`pliant_core::simd::use_portable`].
///
/// # Errors
/// [`ReplayError::ReplayDiverged`] at the first surface that differs; what keeps the scene from being built again.
pub fn replay(
    recording: &Recording<'_>,
    cache: &AssetCache,
    progress: &Progress,
) -> Result<Comparison, ReplayError> {
    let scene = scene_of(&recording.header.scene)?;
    let setup = Arc::new(prepare(&scene, progress)?);
    let header = &recording.header;
    let options = CompareOptions {
        methods: Some(header.methods.iter().map(|m| m.method).collect()),
        duration: Some(recording.frames.len() as f64 * setup.frame_duration()),
        reference: Some(pliant_core::scene::ReferenceChoice::None),
        ..CompareOptions::new(cache)
    };
    compare_observed(setup, &options, progress, &mut Replay(recording))
}

struct Replay<'a>(&'a Recording<'a>);

impl Replay<'_> {
    /// Version and kernels of the recording.
    fn recorded(&self) -> String {
        let header = &self.0.header;
        format!("{} with {} kernels", header.program, header.kernels)
    }
}

impl FrameObserver for Replay<'_> {
    type Error = ReplayError;

    fn begin(
        &mut self,
        setup: &Setup,
        _: usize,
        methods: &[ObservedMethod<'_>],
    ) -> Result<(), ReplayError> {
        for observed in methods {
            if let Err(reason) = observed.world {
                return Err(ReplayError::MethodMissing {
                    method: observed.method,
                    reason: reason.reason.clone(),
                });
            }
        }
        let found = setup.skin().vertex_count();
        let recorded = self.0.header.vertices as usize;
        match found == recorded {
            true => Ok(()),
            false => Err(ReplayError::OtherSkin {
                found,
                recorded,
                program: self.recorded(),
            }),
        }
    }

    fn frame(&mut self, frame: usize, methods: &[ObservedMethod<'_>]) -> Result<(), ReplayError> {
        let Some(recorded) = self.0.frames.get(frame) else {
            return Ok(());
        };
        for (observed, expected) in methods.iter().zip(&recorded.methods) {
            let Ok(world) = observed.world else { continue };
            let found = surface_hash(&world.frame().positions);
            if found != expected.surface_hash || observed.computed != expected.computed {
                return Err(ReplayError::ReplayDiverged {
                    method: observed.method,
                    frame,
                    time: recorded.time,
                    recorded: self.recorded(),
                    present: format!("{} with {} kernels", env!("CARGO_PKG_VERSION"), kernels()),
                });
            }
        }
        Ok(())
    }
}
