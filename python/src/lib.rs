//! Python bindings of Pliant: the native module `pliant._pliant`, which the package `pliant` re-exports.
//!
//! Names are those of the Rust library. `arrays` checks arguments of Python, `buffers` makes arrays for Python, `errors` turns errors into exceptions, `detached` releases Python's lock
//! during computations.

mod arrays;
mod buffers;
mod comparison;
mod description;
mod detached;
mod errors;
mod recording;
mod values;
mod world;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Real-time deformable bodies by three methods on one scene.
#[pymodule]
mod _pliant {
    use super::*;

    #[pymodule_export]
    use super::comparison::{Comparison, MethodRun};
    #[pymodule_export]
    use super::description::body::Body;
    #[pymodule_export]
    use super::description::material::Material;
    #[pymodule_export]
    use super::description::scene::{PreparedScene, Scene};
    #[pymodule_export]
    use super::description::selection::Selection;
    #[pymodule_export]
    use super::description::tool::Tool;
    #[pymodule_export]
    use super::recording::{Recorder, Recording};
    #[pymodule_export]
    use super::world::{FrameReport, Snapshot, World};

    /// From now on no vector instructions but what every machine has: the same bits on all of them, slower. Call it before worlds are built.
    #[pyfunction]
    fn use_portable_kernels() {
        pliant::use_portable_kernels();
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let names = |names: &[&str]| PyTuple::new(module.py(), names);
        let methods = pliant::Method::ALL.map(pliant::Method::name);
        module.add("METHODS", names(&methods)?)?;
        let scenes = pliant::simulation::scenes::BUNDLED.iter();
        let scenes: Vec<&str> = scenes.map(|scene| scene.0).collect();
        module.add("BUNDLED_SCENES", names(&scenes)?)?;
        let bodies = pliant::meshing::procedural::names();
        module.add("PROCEDURAL_BODIES", names(bodies)?)
    }
}
