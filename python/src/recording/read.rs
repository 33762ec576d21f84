//! A recording that is read and exported.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pliant::recording::Recording as Inner;
use pliant::recording::contents::{Frame, Header, MethodFrame, Skin, Summary};
use pliant::recording::export::{ExportFormat, export, files};
use pliant::{Method, Vec3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::wrong;
use crate::buffers::{Points, Vectors, dict, points, triangles, vectors};
use crate::detached::{detached, run_with_progress};
use crate::errors::{Failure, Outcome};

/// Times (k,), s, and positions (k, n, 3), m.
type Surfaces<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray3<f32>>);

/// A recording of a run: who moved where, and what each method felt. Surfaces stay packed until they are asked for.
#[pyclass(frozen, module = "pliant")]
pub struct Recording {
    path: PathBuf,
    bytes: Vec<u8>,
    header: Header,
    skin: Skin,
    frames: Vec<Frame>,
    summary: Summary,
}

impl Recording {
    /// Number of a method by name.
    fn method(&self, name: &str) -> Outcome<usize> {
        let found = Method::from_name(name).and_then(|method| self.header.method(method));
        found.ok_or_else(|| unknown("method", name, &self.methods()))
    }

    /// One vector a frame of a method.
    fn curve<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        vector_of: impl Fn(&MethodFrame) -> Option<Vec3>,
    ) -> Outcome<Vectors<'py>> {
        let method = self.method(method)?;
        let rows = self.frames.iter().map(|frame| {
            let found = frame.methods.get(method).and_then(&vector_of);
            found.unwrap_or_default()
        });
        vectors(py, &rows.collect::<Vec<_>>())
    }
}

#[pymethods]
impl Recording {
    /// Reads a recording and checks all of it.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> Outcome<Self> {
        detached(py, || {
            let bytes = std::fs::read(&path).map_err(|error| Failure::unreadable(&path, &error))?;
            let read = Inner::read(&bytes)?;
            let (header, skin) = (read.header, read.skin);
            let (frames, summary) = (read.frames, read.summary);
            Ok(Self {
                path,
                header,
                skin,
                frames,
                summary,
                bytes,
            })
        })
    }

    /// Name of the scene.
    #[getter]
    fn scene(&self) -> &str {
        &self.header.scene.name
    }

    /// Text of the scene.
    #[getter]
    fn scene_text(&self) -> &str {
        &self.header.scene.text
    }

    /// Version of the program that wrote it, and the vector instructions that it took.
    #[getter]
    fn program(&self) -> (&str, &str) {
        (&self.header.program, &self.header.kernels)
    }

    /// Names of the methods that ran.
    #[getter]
    fn methods(&self) -> Vec<String> {
        let methods = self.header.methods.iter();
        methods.map(|m| m.method.name().to_string()).collect()
    }

    /// Names of the tools.
    #[getter]
    fn tools(&self) -> Vec<String> {
        self.header.tools.clone()
    }

    /// Names of the grabs.
    #[getter]
    fn grabs(&self) -> Vec<String> {
        self.header.grabs.clone()
    }

    /// Names of the probes.
    #[getter]
    fn probes(&self) -> Vec<String> {
        self.header.probes.clone()
    }

    /// Length of a frame, s.
    #[getter]
    fn frame_duration(&self) -> f64 {
        self.header.frame_duration
    }

    /// Time at the end of each frame, s (n,).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.frames.iter().map(|frame| frame.time))
    }

    /// Positions of the skin at rest, m: float32 (n, 3); empty where no surfaces were kept.
    #[getter]
    fn rest_positions<'py>(&self, py: Python<'py>) -> Outcome<Points<'py>> {
        points(py, &self.skin.rest)
    }

    /// Triangles of the skin: int32 (m, 3); empty where no surfaces were kept.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<i32>>> {
        triangles(py, &self.skin.triangles)
    }

    /// Force on a tool in each frame, N (n, 3).
    fn tool_force<'py>(&self, py: Python<'py>, method: &str, tool: &str) -> Outcome<Vectors<'py>> {
        let k = find("tool", tool, &self.header.tools)?;
        self.curve(py, method, |found| Some(found.wrenches.get(k)?.force))
    }

    /// Torque on a tool about its origin in each frame, N·m (n, 3).
    fn tool_torque<'py>(&self, py: Python<'py>, method: &str, tool: &str) -> Outcome<Vectors<'py>> {
        let k = find("tool", tool, &self.header.tools)?;
        self.curve(py, method, |found| Some(found.wrenches.get(k)?.torque))
    }

    /// Position of a tool at the end of each frame, m (n, 3).
    fn tool_positions<'py>(&self, py: Python<'py>, tool: &str) -> Outcome<Vectors<'py>> {
        let k = find("tool", tool, &self.header.tools)?;
        let rows = self.frames.iter().map(|frame| {
            let pose = frame.tools.get(k);
            pose.map(|pose| pose.position).unwrap_or_default()
        });
        vectors(py, &rows.collect::<Vec<_>>())
    }

    /// Force of a grab on the body in each frame, N (n, 3).
    fn grab_force<'py>(&self, py: Python<'py>, method: &str, grab: &str) -> Outcome<Vectors<'py>> {
        let k = find("grab", grab, &self.header.grabs)?;
        self.curve(py, method, |found| found.grabs.get(k).copied())
    }

    /// Value of a probe in each frame, m (n, 3).
    fn probe<'py>(&self, py: Python<'py>, method: &str, probe: &str) -> Outcome<Vectors<'py>> {
        let k = find("probe", probe, &self.header.probes)?;
        self.curve(py, method, |found| found.probes.get(k).copied())
    }

    /// Surfaces of a method: times (k,), s, and positions, m: float32 (k, n, 3), the vertices of `rest_positions`.
    fn surfaces<'py>(&self, py: Python<'py>, method: &str) -> PyResult<Surfaces<'py>> {
        let method = self.method(method)?;
        let (times, flat) = detached(py, || {
            let recording = Inner::read(&self.bytes)?;
            let (mut times, mut flat) = (Vec::new(), Vec::new());
            for surface in recording.surfaces(method) {
                let surface = surface?;
                times.push(surface.time);
                flat.extend_from_slice(surface.surface.positions.as_flattened());
            }
            Ok((times, flat))
        })?;
        let shape = [times.len(), self.skin.rest.len(), 3];
        let positions = PyArray1::from_vec(py, flat).reshape(shape)?;
        Ok((PyArray1::from_vec(py, times), positions))
    }

    /// Hash over the surfaces of all frames of each method, by name.
    #[getter]
    fn surface_hashes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let hashes = self.summary.surface_hash.iter();
        let hashes = hashes.map(|hash| format!("{hash:016x}"));
        dict(py, self.methods().into_iter().zip(hashes))
    }

    /// Writes it into `folder` for other programs; gives the files. `format`: `vtk` (ParaView), `gltf` (Blender), `usd`, `obj` or `csv`.
    #[pyo3(signature = (format, folder, *, progress=None))]
    fn export(
        &self,
        py: Python<'_>,
        format: &str,
        folder: PathBuf,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<PathBuf>> {
        let names = || ExportFormat::ALL.map(|f| f.name().to_string());
        let format =
            ExportFormat::from_name(format).ok_or_else(|| unknown("format", format, &names()))?;
        run_with_progress(py, progress, move |watch| {
            let recording = Inner::read(&self.bytes)?;
            export(&recording, format, &folder, watch)?;
            let written = files(&recording, format).into_iter();
            Ok(written.map(|file| folder.join(file)).collect())
        })
    }

    fn __len__(&self) -> usize {
        self.frames.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<pliant.Recording '{}': {} frames of {}>",
            self.path.display(),
            self.frames.len(),
            self.methods().join(", ")
        )
    }
}

fn find(kind: &str, name: &str, names: &[String]) -> Outcome<usize> {
    let found = names.iter().position(|known| known == name);
    found.ok_or_else(|| unknown(kind, name, names))
}

fn unknown(kind: &str, name: &str, names: &[String]) -> Failure {
    let expected = match names {
        [] => "nothing, for there is none".to_string(),
        names => format!("one of {}", names.join(", ")),
    };
    wrong(kind, &format!("`{name}`"), &expected)
}
