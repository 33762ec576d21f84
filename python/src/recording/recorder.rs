//! A recording of worlds that Python steps.

use std::path::PathBuf;
use std::sync::Mutex;

use pliant::recording::contents::{
    Frame, Header, MethodFrame, RecordedMethod, RecordedScene, Skin, Summary, Surface,
};
use pliant::recording::{RecordingFile, hash_surface, surface_hash};
use pliant::simulation::compare::recording::{LastCut, recorded_method, recorded_setup};
use pliant::{Method, SurfaceFrame};
use pyo3::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::made_by_program;
use crate::arrays::wrong;
use crate::detached::detached;
use crate::errors::{Failure, Outcome};
use crate::world::World;

/// Writes a recording of worlds that the program steps: `frame()` after each step, `close()` at the end, or a `with` block. The file appears when it is closed; where the block ends by
/// an exception there is none.
#[pyclass(frozen, module = "pliant")]
pub struct Recorder {
    worlds: Vec<Py<World>>,
    open: Mutex<Option<OpenRecording>>,
}

/// A recording that is not finished.
struct OpenRecording {
    file: RecordingFile,
    /// over the surfaces of all frames, of each world
    hashes: Vec<Xxh3>,
    /// of each world
    cuts: Vec<LastCut>,
}

/// Description of a world in the header of a recording.
struct WorldDescription {
    header: Header,
    skin: Skin,
    method: RecordedMethod,
}

#[pymethods]
impl Recorder {
    /// Of one world, or of several of one scene, each of another method. Surfaces are kept every so many frames; 0 for none.
    #[new]
    #[pyo3(signature = (path, *worlds, every=1))]
    fn new(py: Python<'_>, path: PathBuf, worlds: Vec<Py<World>>, every: u32) -> Outcome<Self> {
        let mut all = Vec::new();
        for world in worlds {
            let description = world.get().with(py, |world| describe(world, every))?;
            all.push((description, world));
        }
        // a recording has methods in their own order
        all.sort_by_key(|(description, _)| description.method.method);
        let mut methods: Vec<RecordedMethod> = Vec::new();
        for (WorldDescription { method, .. }, _) in &all {
            if methods
                .last()
                .is_some_and(|last| last.method == method.method)
            {
                let got = format!("two worlds of `{}`", method.method.name());
                return Err(wrong("worlds", &got, "one of each method"));
            }
            methods.push(method.clone());
        }
        let (descriptions, worlds): (Vec<WorldDescription>, Vec<Py<World>>) =
            all.into_iter().unzip();
        let mut rest = descriptions.into_iter();
        let Some(first) = rest.next() else {
            return Err(wrong("worlds", "empty", "one or more"));
        };
        if rest.any(|one| one.header != first.header) {
            return Err(wrong("worlds", "of several scenes", "those of one scene"));
        }
        let hashes = vec![Xxh3::new(); worlds.len()];
        let cuts = vec![LastCut::default(); worlds.len()];
        let header = Header {
            methods,
            ..first.header
        };
        let file = detached(py, || {
            Ok(RecordingFile::create(&path, header, &first.skin)?)
        })?;
        Ok(Self {
            worlds,
            open: Mutex::new(Some(OpenRecording { file, hashes, cuts })),
        })
    }

    /// Adds the frame that all worlds have just stepped.
    fn frame(&self, py: Python<'_>) -> Outcome<()> {
        let mut frame = Frame::default();
        let mut surfaces = Vec::new();
        for world in &self.worlds {
            let (found, surface, tools, time) = world.get().with(py, |world| {
                let out = world.output();
                let found = MethodFrame {
                    computed: true,
                    surface_hash: surface_hash(world.positions()),
                    wrenches: out.wrenches.clone(),
                    grabs: out.grab_forces[..world.setup().grabs.len().min(out.grab_forces.len())]
                        .to_vec(),
                    probes: out.probes.clone(),
                    inside: out.points.clone(),
                };
                let mut tools = Vec::new();
                for tool in &world.setup().tools {
                    tools.push(world.tool_pose(&tool.name)?);
                }
                Ok((found, world.surface().clone(), tools, world.time()))
            })?;
            if time == 0.0 || (!surfaces.is_empty() && time != frame.time) {
                return Err(Failure::argument(
                    "a world has not been stepped as often as the others, or not yet\n  remedy: step each of them before frame()",
                ));
            }
            frame.methods.push(found);
            surfaces.push(surface);
            (frame.tools, frame.time) = (tools, time);
        }
        detached(py, || {
            let mut open = self.open.lock().map_err(|_| closed())?;
            let open = open.as_mut().ok_or_else(closed)?;
            for (hash, SurfaceFrame { positions, .. }) in open.hashes.iter_mut().zip(&surfaces) {
                hash_surface(hash, positions);
            }
            let stores_surfaces = open.file.wants_surfaces();
            let surfaces = if stores_surfaces {
                surfaces
            } else {
                Vec::new()
            };
            let kept = open.cuts.iter_mut().zip(&surfaces);
            let surfaces: Vec<Surface> = kept.map(|(cut, frame)| cut.surface(frame)).collect();
            Ok(open.file.frame(frame, surfaces)?)
        })
    }

    /// Ends the recording and gives the file its name; its length in bytes.
    fn close(&self, py: Python<'_>) -> Outcome<u64> {
        detached(py, || {
            let open = self.open.lock().map_err(|_| closed())?.take();
            let OpenRecording { file, hashes, .. } = open.ok_or_else(closed)?;
            let summary = Summary {
                surface_hash: hashes.iter().map(Xxh3::digest).collect(),
                stopped: vec![String::new(); hashes.len()],
            };
            Ok(file.finish(summary)?)
        })
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (kind, _value, _traceback))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> Outcome<()> {
        let open = self.open.lock().map_err(|_| closed())?.is_some();
        match (kind.is_none(), open) {
            (true, true) => self.close(py).map(|_| ()),
            (true, false) => Ok(()),
            // dropping an unfinished file removes it
            (false, _) => detached(py, || {
                drop(self.open.lock().map_err(|_| closed())?.take());
                Ok(())
            }),
        }
    }
}

fn describe(world: &pliant::World, every: u32) -> Outcome<WorldDescription> {
    let setup = world.setup();
    let method = Method::from_name(world.kind()).ok_or_else(|| {
        wrong(
            "worlds",
            &format!("`{}`", world.kind()),
            "one of our methods",
        )
    })?;
    let scene = RecordedScene {
        name: setup.description.name.clone(),
        text: made_by_program(),
        ..RecordedScene::default()
    };
    let (header, skin) = recorded_setup(setup, scene, every);
    Ok(WorldDescription {
        header,
        skin,
        method: recorded_method(method, world.model()),
    })
}

fn closed() -> Failure {
    Failure::argument("this recorder is closed\n  remedy: open another one")
}
