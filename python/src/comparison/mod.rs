//! Several methods side by side on the scripted motion of a scene.

mod method_run;

use std::path::PathBuf;
use std::sync::Arc;

use pliant::core::scene::ReferenceChoice;
use pliant::recording::contents::RecordedScene;
use pliant::simulation::compare::{CompareOptions, Comparison as Inner, compare};
use pliant::simulation::recording::{RecordOptions, compare_recorded, recorded_scene};
use pliant::simulation::scenes::ImportOptions;
use pliant::{Method, Progress, Scene};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::wrong;
use crate::buffers::dict;
use crate::errors::{Failure, Outcome};
use crate::recording::made_by_program;
pub use method_run::MethodRun;

/// Options of a comparison.
pub struct ComparisonOptions {
    methods: Option<Vec<Method>>,
    duration: Option<f64>,
    reference: ReferenceChoice,
    keep_surfaces: bool,
    record: Option<(PathBuf, u32)>,
}

impl ComparisonOptions {
    /// Checks the arguments of Python.
    pub fn new(
        methods: Option<Vec<Method>>,
        duration: Option<f64>,
        reference: &str,
        keep_surfaces: bool,
        record: Option<PathBuf>,
        record_every: u32,
    ) -> Outcome<Self> {
        if methods.as_ref().is_some_and(Vec::is_empty) {
            return Err(wrong("methods", "empty", "one or more"));
        }
        // an hour, as in scenes
        if let Some(seconds) = duration
            && !(seconds > 0.0 && seconds <= 3600.0)
        {
            return Err(wrong(
                "duration",
                &format!("{seconds} s"),
                "more than 0 and at most 3600 s",
            ));
        }
        let reference = ReferenceChoice::from_name(reference).ok_or_else(|| {
            let names = ReferenceChoice::NAMES
                .map(|name| format!("`{name}`"))
                .join(", ");
            wrong("reference", &format!("`{reference}`"), &names)
        })?;
        Ok(Self {
            methods,
            duration,
            reference,
            keep_surfaces,
            record: record.map(|path| (path, record_every)),
        })
    }
}

/// Runs the comparison. `is_text`: the text of the scene describes all of it, so that a recording of it can be run again.
pub fn run_comparison(
    scene: &Scene,
    is_text: bool,
    request: ComparisonOptions,
    progress: &Progress,
) -> Outcome<Comparison> {
    let prepared = scene.prepare_with(progress)?;
    let options = CompareOptions {
        methods: request.methods,
        duration: request.duration,
        cache: prepared.cache(),
        keep_frames: request.keep_surfaces,
        reference: Some(request.reference),
    };
    let setup = Arc::clone(prepared.setup());
    let mut inner = match request.record {
        None => compare(setup, &options, progress)?,
        Some((path, every)) => {
            let loaded = scene.loaded()?;
            let scene = match is_text {
                true => recorded_scene(&loaded, &ImportOptions::default(), None, None)?,
                false => RecordedScene {
                    name: loaded.description.name.clone(),
                    text: made_by_program(),
                    ..RecordedScene::default()
                },
            };
            let record = RecordOptions { path, every, scene };
            compare_recorded(setup, &options, progress, record)?.0
        }
    };
    if prepared.geometry().supports.is_empty() {
        for result in &mut inner.methods {
            // the same message as for a world of this method alone
            if let (Method::Quasistatic, Err(why)) = (result.method, &mut result.outcome) {
                let body = inner.setup.description.body.name.clone();
                *why = Failure::from(pliant::Error::NothingHolds { body }).into();
            }
        }
    }
    Ok(Comparison {
        inner: Arc::new(inner),
    })
}

/// What a comparison found.
#[pyclass(frozen, module = "pliant")]
pub struct Comparison {
    inner: Arc<Inner>,
}

#[pymethods]
impl Comparison {
    /// The run of each method that could run, by name.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (method, _) in self.inner.runs() {
            let run = MethodRun::new(&self.inner, method);
            dict.set_item(method.name(), Py::new(py, run)?)?;
        }
        Ok(dict)
    }

    /// Why the others could not, by name: (code, sentence).
    #[getter]
    fn refused<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let refused = self.inner.methods.iter().filter_map(|result| {
            let why = result.outcome.as_ref().err()?;
            Some((result.method.name(), (&why.code, &why.reason)))
        });
        dict(py, refused)
    }

    /// Each pair of methods in the frame in which their skins differ most: dicts with a, b, rms and max (m), frame.
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for pair in &self.inner.pairs {
            let dict = PyDict::new(py);
            dict.set_item("a", pair.a.name())?;
            dict.set_item("b", pair.b.name())?;
            dict.set_item("rms", pair.distance.rms)?;
            dict.set_item("max", pair.distance.max)?;
            dict.set_item("frame", pair.frame)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// The reference, where one was asked for: a dict with force and its own uncertainty (N; None where no tool that moves is felt), seconds and notes; or the refusal (code, sentence).
    #[getter]
    fn reference<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = match &self.inner.reference {
            None => return Ok(None),
            Some(Err(why)) => {
                let refusal = (why.code.clone(), why.reason.clone());
                return Ok(Some(refusal.into_pyobject(py)?.into_any()));
            }
            Some(Ok(found)) => found,
        };
        let dict = PyDict::new(py);
        dict.set_item("force", found.force.as_ref().map(|f| f.force))?;
        dict.set_item("uncertainty", found.force.as_ref().map(|f| f.uncertainty))?;
        dict.set_item("seconds", found.seconds)?;
        dict.set_item("notes", found.notes.clone())?;
        Ok(Some(dict.into_any()))
    }

    /// (nearest, cheapest): the method whose force is least off, and the one with the smallest median time a frame; `None` without a reference, and where nothing tells methods apart.
    #[getter]
    fn ranking(&self) -> Option<(&'static str, &'static str)> {
        let ranking = self.inner.ranking()?;
        Some((ranking.nearest.name(), ranking.cheapest.name()))
    }

    /// Length of a frame, s.
    #[getter]
    fn frame_duration(&self) -> f64 {
        self.inner.frame_duration
    }

    fn __repr__(&self) -> String {
        let ran: Vec<&str> = self.inner.runs().map(|(method, _)| method.name()).collect();
        let name = &self.inner.setup.description.name;
        format!("<pliant.Comparison of '{name}': {}>", ran.join(", "))
    }
}
