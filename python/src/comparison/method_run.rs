//! One method's run: figures and curves.

use std::sync::Arc;

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pliant::Method;
use pliant::simulation::compare::{Comparison, FIGURES, MethodRun as Inner};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::buffers::{dict, triple, vectors};
use crate::errors::Failure;

/// Times (k,), s, and positions (k, n, 3), m.
type Surfaces<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray3<f32>>);

/// Figures and curves of one method's run.
#[pyclass(frozen, module = "pliant")]
pub struct MethodRun {
    comparison: Arc<Comparison>,
    method: Method,
}

impl MethodRun {
    /// The run of `method`, which ran.
    pub fn new(comparison: &Arc<Comparison>, method: Method) -> Self {
        Self {
            comparison: Arc::clone(comparison),
            method,
        }
    }

    fn run(&self) -> PyResult<&Inner> {
        let run = self.comparison.run(self.method);
        run.ok_or_else(|| Failure::argument("this method did not run").into())
    }
}

#[pymethods]
impl MethodRun {
    /// Its method.
    #[getter]
    fn method(&self) -> &'static str {
        self.method.name()
    }

    /// Simulated frames.
    #[getter]
    fn frames(&self) -> PyResult<usize> {
        Ok(self.run()?.frames)
    }

    /// Time of each frame, s (n,).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &self.run()?.times))
    }

    /// Norm of the force of each tool and grab in each frame, N, by name: (n,).
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let curves = self.run()?.force_curves.iter();
        dict(
            py,
            curves.map(|(name, curve)| (name, PyArray1::from_slice(py, curve))),
        )
    }

    /// Value of each probe in each frame, m, by name: (n, 3).
    #[getter]
    fn probes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, curve) in &self.run()?.probe_curves {
            dict.set_item(name, vectors(py, curve)?)?;
        }
        Ok(dict)
    }

    /// Force on the body at the end of the run, N, for each tool, grab and support by name: (3,).
    #[getter]
    fn reactions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reactions = self.run()?.reactions.iter();
        dict(py, reactions.map(|(name, force)| (name, triple(py, force))))
    }

    /// Force (3,), N, and torque (3,), N·m, about its origin, at the end of the run on each tool that carries others, together with these, by name.
    #[getter]
    fn carriers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let carriers = self.run()?.carriers.iter();
        let wrenches = carriers.map(|carrier| {
            let wrench = &carrier.wrench;
            let both = (triple(py, &wrench.force), triple(py, &wrench.torque));
            (&carrier.name, both)
        });
        dict(py, wrenches)
    }

    /// Figures by the names of the program's JSON: force_max_n, violation_max_m, energy_balance, volume_change, pieces, pull_max_n, pop_max_m; `None` where the method has none.
    #[getter]
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let run = self.run()?;
        dict(
            py,
            FIGURES
                .iter()
                .map(|figure| (figure.name, (figure.value)(run))),
        )
    }

    /// Against the reference: force_error, force_rms (fractions), surface_rms, surface_max (m); `None` without one.
    #[getter]
    fn accuracy<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(accuracy) = &self.run()?.accuracy else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("force", accuracy.force)?;
        dict.set_item("force_error", accuracy.force_error)?;
        dict.set_item("force_rms", accuracy.force_rms)?;
        dict.set_item("surface_rms", accuracy.surface_rms)?;
        dict.set_item("surface_max", accuracy.surface_max)?;
        Ok(Some(dict))
    }

    /// Skins that were kept (`keep_surfaces=True`), four a second: times (k,), s, and positions, m: float32 (k, n, 3).
    #[getter]
    fn surfaces<'py>(&self, py: Python<'py>) -> PyResult<Surfaces<'py>> {
        let kept = &self.run()?.kept;
        let times = self.comparison.kept_times.iter().take(kept.len());
        let times = PyArray1::from_iter(py, times.copied());
        let vertices = self.comparison.setup.skin().vertex_count();
        let flat = kept.iter().flat_map(|frame| frame.positions.as_flattened());
        let flat = PyArray1::from_iter(py, flat.copied());
        Ok((times, flat.reshape([kept.len(), vertices, 3])?))
    }

    /// Wall time of each frame, ms (n,).
    #[getter]
    fn cost_ms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &self.run()?.cost_ms))
    }

    /// Wall time of building or loading the asset, s.
    #[getter]
    fn bake_s(&self) -> PyResult<f64> {
        Ok(self.run()?.bake_s)
    }

    /// Whether the asset came from the cache.
    #[getter(from_cache)]
    fn is_from_cache(&self) -> PyResult<bool> {
        Ok(self.run()?.from_cache)
    }

    /// Hash of the skin positions of every frame, as in the program's JSON.
    #[getter]
    fn surface_hash(&self) -> PyResult<String> {
        Ok(format!("{:016x}", self.run()?.surface_hash))
    }

    /// Why it stopped early, if it did.
    #[getter]
    fn stopped(&self) -> PyResult<Option<String>> {
        Ok(self.run()?.diverged.as_ref().map(ToString::to_string))
    }

    /// What the user should know, a sentence each.
    #[getter]
    fn notes(&self) -> PyResult<Vec<String>> {
        self.run()?;
        Ok(self.comparison.notes_of(self.method))
    }

    fn __repr__(&self) -> PyResult<String> {
        let run = self.run()?;
        Ok(format!(
            "<pliant.MethodRun '{}': {} frames, largest force {:.4} N>",
            self.method.name(),
            run.frames,
            run.force_max
        ))
    }
}
