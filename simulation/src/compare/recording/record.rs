//! A comparison that is written to a file while it runs.

use std::path::PathBuf;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;
use pliant_core::simd;
use pliant_recording::contents::{
    Frame, Header, MethodFrame, RecordedMethod, RecordedScene, Skin, Summary,
};
use pliant_recording::{RecordingFile, surface_hash};

use super::cuts::LastCut;
use super::error::RecordError;
use crate::compare::comparison::Comparison;
use crate::compare::observer::{FrameObserver, ObservedMethod};
use crate::compare::run::{CompareOptions, compare_observed};
use crate::error::variant_name;
use crate::setup::Setup;
use crate::world::World;

/// Where a recording goes, and what it says beside the frames.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// The file.
    pub path: PathBuf,
    /// Surfaces are kept every so many frames; 0 for none.
    pub every: u32,
    /// What is run, see [`recorded_scene`](super::recorded_scene).
    pub scene: RecordedScene,
}

/// As [`compare`](crate::compare::compare), and writes a recording; its length in bytes too. Where no method can run there is none, and the length is 0.
///
/// The file appears under its name at the end. After a cancellation or an error there is none, and one that was there before stays. Results are those of a run that is not recorded.
///
/// Cost: one hash and, in frames whose surfaces are kept, one copy of the skin for each method; another thread packs and writes.
///
/// # Errors
/// As [`compare`](crate::compare::compare); [`RecordError::Recording`] where the file cannot be written.
pub fn compare_recorded(
    setup: Arc<Setup>,
    options: &CompareOptions<'_>,
    progress: &Progress,
    record: RecordOptions,
) -> Result<(Comparison, u64), RecordError> {
    let mut recorder = FileRecorder {
        options: record,
        file: None,
        cuts: Vec::new(),
    };
    let comparison = compare_observed(setup, options, progress, &mut recorder)?;
    let mut summary = Summary::default();
    for (_, run) in comparison.runs() {
        summary.surface_hash.push(run.surface_hash);
        let stopped = run.diverged.as_ref().map(variant_name);
        summary.stopped.push(stopped.unwrap_or_default());
    }
    let bytes = match recorder.file {
        Some(file) => file.finish(summary)?,
        None => 0,
    };
    Ok((comparison, bytes))
}

struct FileRecorder {
    options: RecordOptions,
    /// none before the first frame, and where no method can run
    file: Option<RecordingFile>,
    /// of each method
    cuts: Vec<LastCut>,
}

impl FrameObserver for FileRecorder {
    type Error = RecordError;

    fn begin(
        &mut self,
        setup: &Setup,
        frames: usize,
        methods: &[ObservedMethod<'_>],
    ) -> Result<(), RecordError> {
        let recorded =
            |m: &ObservedMethod<'_>| Some(recorded_method(m.method, m.world.ok()?.model()));
        let methods: Vec<RecordedMethod> = methods.iter().filter_map(recorded).collect();
        if methods.is_empty() {
            return Ok(());
        }
        let options = &self.options;
        let (header, skin) = recorded_setup(setup, options.scene.clone(), options.every);
        let header = Header {
            frames: u32::try_from(frames).unwrap_or(u32::MAX),
            methods,
            ..header
        };
        self.cuts = vec![LastCut::default(); header.methods.len()];
        self.file = Some(RecordingFile::create(&self.options.path, header, &skin)?);
        Ok(())
    }

    fn frame(&mut self, frame: usize, methods: &[ObservedMethod<'_>]) -> Result<(), RecordError> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let worlds = methods
            .iter()
            .filter_map(|m| Some((m.world.ok()?, m.computed)));
        let found: Vec<MethodFrame> = worlds
            .clone()
            .map(|(world, computed)| method_frame(world, computed))
            .collect();
        let surfaces = match file.wants_surfaces() {
            true => worlds
                .clone()
                .zip(&mut self.cuts)
                .map(|((world, _), cut)| cut.surface(world.frame()))
                .collect(),
            false => Vec::new(),
        };
        // tools follow the same paths in every world; one that has stopped is not behind
        let tools = worlds.map(|(world, _)| world.tools()).next();
        let tools = tools.into_iter().flatten().map(|t| t.end).collect();
        let frame = Frame {
            time: (frame + 1) as f64 * file.header().frame_duration,
            tools,
            methods: found,
        };
        Ok(file.frame(frame, surfaces)?)
    }
}

/// The header of a recording without methods, of as many frames as there can be, and the skin at rest. `every` as in [`RecordOptions`].
pub fn recorded_setup(setup: &Setup, scene: RecordedScene, every: u32) -> (Header, Skin) {
    let skin = setup.skin();
    let rest = skin.positions.iter().map(|x| x.cast::<f32>().into());
    let header = Header {
        program: env!("CARGO_PKG_VERSION").to_string(),
        kernels: simd::kernels().to_string(),
        portable: simd::is_portable(),
        scene,
        frame_duration: setup.frame_duration(),
        frames: u32::MAX,
        surface_every: every,
        vertices: skin.vertex_count() as u32,
        triangles: skin.triangles.len() as u32,
        tools: setup.tools.iter().map(|t| t.name.clone()).collect(),
        grabs: setup.grabs.iter().map(|g| g.name.clone()).collect(),
        probes: setup.probes.iter().map(|p| p.name.clone()).collect(),
        methods: Vec::new(),
    };
    let skin = Skin {
        rest: rest.collect(),
        triangles: skin.triangles.clone(),
    };
    (header, skin)
}

/// What the header says of a method.
pub fn recorded_method(method: Method, model: &dyn DeformableModel) -> RecordedMethod {
    let mut inside = Vec::new();
    model.visit_points(&mut |point| inside.push((point.name.to_string(), point.rest)));
    RecordedMethod { method, inside }
}

/// What a method found in the frame that is over.
fn method_frame(world: &World, computed: bool) -> MethodFrame {
    let out = world.output();
    MethodFrame {
        computed,
        surface_hash: surface_hash(&world.frame().positions),
        wrenches: out.wrenches.clone(),
        grabs: out.grab_forces.clone(),
        probes: out.probes.clone(),
        inside: out.points.clone(),
    }
}
