//! A world: one method on one scene, stepped by Python.

mod reading;
mod surface;
mod touch;

use std::sync::{Mutex, TryLockError};

use numpy::PyArray2;
use pliant::{Snapshot as InnerSnapshot, World as Inner};
use pyo3::prelude::*;

use crate::arrays::wrong;
use crate::buffers;
use crate::detached::{catch_panic, detached};
use crate::errors::{Failure, Kind, Outcome};

/// One method on one scene. Move tools, grab, push; `step`; read surface and forces. It may be used from any thread; calls from several threads wait for each other.
#[pyclass(frozen, module = "pliant")]
pub struct World {
    inner: Mutex<Inner>,
    rest: Py<PyArray2<f64>>,
    triangles: Py<PyArray2<i32>>,
}

impl World {
    /// Of a world at rest.
    pub fn new(py: Python<'_>, world: Inner) -> Outcome<Self> {
        let skin = world.skin();
        let rest = buffers::read_only(buffers::vectors(py, &skin.positions)?)?;
        let triangles = buffers::read_only(buffers::triangles(py, &skin.triangles)?)?;
        Ok(Self {
            rest: rest.unbind(),
            triangles: triangles.unbind(),
            inner: Mutex::new(world),
        })
    }

    /// Short work that keeps Python's lock, once no other thread steps the world. `work` must not call Python, which might use the world again.
    pub fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Outcome<T>,
    ) -> Outcome<T> {
        loop {
            match self.inner.try_lock() {
                Ok(mut world) => return catch_panic(|| work(&mut world)),
                Err(TryLockError::Poisoned(_)) => return Err(stopped()),
                Err(TryLockError::WouldBlock) => py.detach(|| drop(self.inner.lock())),
            }
        }
    }

    /// Longer work, while other threads of Python go on.
    fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Outcome<T> + Send,
    ) -> Outcome<T> {
        // the lock is taken inside: a panic then poisons it
        detached(py, || work(&mut *self.inner.lock().map_err(|_| stopped())?))
    }
}

#[pymethods]
impl World {
    /// Advances by one frame, or by several; gives the report of the last one. Ctrl-C ends it between frames.
    #[pyo3(signature = (frames=1))]
    fn step(&self, py: Python<'_>, frames: i64) -> PyResult<FrameReport> {
        if frames < 1 {
            return Err(wrong("frames", &frames.to_string(), "1 or more").into());
        }
        let one = |world: &mut Inner| Ok(FrameReport::from_report(world.step()?));
        let mut report = self.detached(py, one)?;
        for _ in 1..frames {
            py.check_signals()?;
            report = self.detached(py, one)?;
        }
        Ok(report)
    }

    /// Advances by as many frames as fit into `seconds` of a clock, at most four, and keeps the rest for the next call; gives their number.
    fn advance(&self, py: Python<'_>, seconds: f64) -> Outcome<usize> {
        self.detached(py, |world| Ok(world.advance(seconds)?))
    }

    /// Back to rest at time zero.
    fn reset(&self, py: Python<'_>) -> Outcome<()> {
        self.detached(py, |world| {
            world.reset();
            Ok(())
        })
    }

    /// Everything that changes from frame to frame, for undo and for rollback.
    fn snapshot(&self, py: Python<'_>) -> Outcome<Snapshot> {
        self.detached(py, |world| {
            Ok(Snapshot {
                time: world.time(),
                inner: world.snapshot(),
            })
        })
    }

    /// Back to a snapshot; the same calls then give the same bits.
    fn restore(&self, py: Python<'_>, snapshot: PyRef<'_, Snapshot>) -> Outcome<()> {
        let inner = &snapshot.inner;
        self.detached(py, |world| Ok(world.restore(inner)?))
    }

    fn __repr__(&self, py: Python<'_>) -> Outcome<String> {
        let (kind, time) = self.with(py, |world| Ok((world.kind(), world.time())))?;
        Ok(format!("<pliant.World '{kind}' at {time:.4} s>"))
    }
}

/// A world at one instant.
#[pyclass(frozen, module = "pliant")]
pub struct Snapshot {
    inner: InnerSnapshot,
    /// Physical time, s.
    #[pyo3(get)]
    time: f64,
}

#[pymethods]
impl Snapshot {
    fn __repr__(&self) -> String {
        format!("<pliant.Snapshot at {:.4} s>", self.time)
    }
}

/// What a frame did.
#[pyclass(frozen, get_all, module = "pliant")]
pub struct FrameReport {
    /// Steps taken inside the frame.
    substeps: u32,
    /// Work units spent.
    work: u64,
    /// What was given up to stay in the budget, if anything.
    degraded: Option<&'static str>,
    /// Deepest penetration or largest distance from a held target, m.
    max_violation: f64,
}

impl FrameReport {
    fn from_report(report: &pliant::FrameReport) -> Self {
        Self {
            substeps: report.substeps,
            work: report.work_used,
            degraded: report.degraded.map(|d| d.name()),
            max_violation: report.max_violation,
        }
    }
}

#[pymethods]
impl FrameReport {
    fn __repr__(&self) -> String {
        let degraded = self
            .degraded
            .map_or("None".into(), |name| format!("'{name}'"));
        format!(
            "FrameReport(substeps={}, work={}, degraded={degraded}, max_violation={:e})",
            self.substeps, self.work, self.max_violation
        )
    }
}

fn stopped() -> Failure {
    Failure::new(
        Kind::Base,
        "InternalFault",
        "this world stopped in the middle of a frame\n  remedy: build it again",
    )
}
