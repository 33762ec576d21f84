//! What a world says of itself: time, names, energies, probes, parameters, quantities.

use numpy::{PyArray1, PyArray2};
use pliant::{ParameterValue, QuantityBuffer, Vec3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::World;
use crate::arrays::{describe, wrong};
use crate::buffers::{dict, points, triple};
use crate::errors::Outcome;

/// A parameter's value in Python.
#[derive(FromPyObject, IntoPyObject)]
enum Parameter {
    Flag(bool),
    Number(f64),
    Choice(String),
}

impl From<ParameterValue> for Parameter {
    fn from(value: ParameterValue) -> Self {
        match value {
            ParameterValue::Number(number) => Self::Number(number),
            ParameterValue::Flag(flag) => Self::Flag(flag),
            ParameterValue::Choice(word) => Self::Choice(word),
        }
    }
}

/// One number a vertex, or one a point with the points.
type Quantity<'py> = (Bound<'py, PyArray1<f32>>, Option<Bound<'py, PyArray2<f32>>>);

#[pymethods]
impl World {
    /// Physical time, s.
    #[getter]
    fn time(&self, py: Python<'_>) -> Outcome<f64> {
        self.with(py, |world| Ok(world.time()))
    }

    /// Length of a frame, s.
    #[getter]
    fn frame_duration(&self, py: Python<'_>) -> Outcome<f64> {
        self.with(py, |world| Ok(world.frame_duration()))
    }

    /// The method: `adaptive`, `quasistatic` or `lattice`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> Outcome<&'static str> {
        self.with(py, |world| Ok(world.kind()))
    }

    /// What was repaired or assumed while the world was built, a sentence each.
    #[getter]
    fn notes(&self, py: Python<'_>) -> Outcome<Vec<String>> {
        self.with(py, |world| Ok(world.notes().to_vec()))
    }

    /// Names of the tools.
    #[getter]
    fn tools(&self, py: Python<'_>) -> Outcome<Vec<String>> {
        self.with(py, |world| {
            Ok(world.setup().tools.iter().map(|t| t.name.clone()).collect())
        })
    }

    /// Names of the supports.
    #[getter]
    fn supports(&self, py: Python<'_>) -> Outcome<Vec<String>> {
        self.with(py, |world| {
            let supports = &world.setup().geometry.supports;
            Ok(supports.iter().map(|s| s.name.clone()).collect())
        })
    }

    /// Value of each probe of the scene after the last frame, by name: m (3,). Zero before the first frame.
    #[getter]
    fn probes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = self.with(py, |world| {
            let setup = world.setup();
            let values = &world.output().probes;
            let probes = setup.probes.iter().enumerate();
            let read = probes.map(|(k, probe)| {
                let value = values.get(k).copied().unwrap_or_default();
                (probe.name.clone(), value)
            });
            Ok(read.collect::<Vec<(String, Vec3)>>())
        })?;
        dict(
            py,
            values.iter().map(|(name, value)| (name, triple(py, value))),
        )
    }

    /// Each named point inside the body after the last frame, by name: its displacement, m (3,), and stress (xx, yy, zz, yz, xz, xy), Pa (6,). Most worlds have none.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.with(py, |world| {
            let mut found = Vec::new();
            world
                .model()
                .visit_points(&mut |p| found.push((p.name.to_string(), p.state)));
            Ok(found)
        })?;
        let readings = found.into_iter().map(|(name, state)| {
            let stress = PyArray1::from_slice(py, &state.stress);
            (name, (triple(py, &state.displacement), stress))
        });
        dict(py, readings)
    }

    /// Energies after the last frame, J: kinetic, elastic, potential, dissipated, work, and their balance, which is zero where nothing is lost or made. `None` for the
    /// quasistatic method, which has none.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(energy) = self.with(py, |world| Ok(world.energy()))? else {
            return Ok(None);
        };
        let entries = [
            ("kinetic", energy.kinetic),
            ("elastic", energy.elastic),
            ("potential", energy.potential),
            ("dissipated", energy.dissipated),
            ("work", energy.work),
            ("balance", energy.balance()),
        ];
        dict(py, entries).map(Some)
    }

    /// Sizes and counters: active_nodes, total_nodes, elements, bytes, counters (a dict), notes.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = self.with(py, |world| Ok(world.stats()))?;
        let sizes = [
            ("active_nodes", stats.active_nodes),
            ("total_nodes", stats.total_nodes),
            ("elements", stats.elements),
            ("bytes", stats.bytes),
        ];
        let all = dict(py, sizes)?;
        all.set_item("counters", dict(py, stats.counters)?)?;
        all.set_item("notes", stats.notes)?;
        Ok(all)
    }

    /// Wall time of the last frame, ms: the model and its contact, without Python.
    #[getter]
    fn cost_ms(&self, py: Python<'_>) -> Outcome<f64> {
        self.with(py, |world| Ok(world.output().cost_ms))
    }

    /// Parameters of the model and their present values.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = self.with(py, |world| {
            let model = world.model();
            let names = model.parameters().iter().map(|p| p.name);
            let read = names.filter_map(|name| Some((name, model.parameter(name).ok()?.into())));
            Ok(read.collect::<Vec<(&str, Parameter)>>())
        })?;
        dict(py, values)
    }

    /// Sets a parameter of the model that acts at once.
    fn set_parameter(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> Outcome<()> {
        let found: Parameter = value
            .extract()
            .map_err(|_| wrong("value", &describe(value), "a number, a bool or a str"))?;
        let value = match found {
            Parameter::Flag(flag) => ParameterValue::Flag(flag),
            Parameter::Number(number) => ParameterValue::Number(number),
            Parameter::Choice(word) => ParameterValue::Choice(word),
        };
        self.with(py, |world| Ok(world.set_parameter(name, value)?))
    }

    /// Quantities that can be shown, by name, with their units: `surface_stress` and `surface_strain`, which every method has, then those of the model.
    #[getter]
    fn quantities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.with(py, |world| {
            let quantities = world.quantities();
            Ok(quantities.map(|q| (q.name, q.unit)).collect::<Vec<_>>())
        })?;
        dict(py, found)
    }

    /// A quantity now: float32 (n,), one for each skin vertex, and `None`; or one for each point, and the points (n, 3), m.
    fn quantity<'py>(&self, py: Python<'py>, name: &str) -> Outcome<Quantity<'py>> {
        let mut out = QuantityBuffer::default();
        self.with(py, |world| Ok(world.quantity(name, &mut out)?))?;
        let at = match out.points.is_empty() {
            true => None,
            false => Some(points(py, &out.points)?),
        };
        Ok((PyArray1::from_slice(py, &out.scalars), at))
    }
}
