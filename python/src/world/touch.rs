//! What acts on a body: tools, a grab, pushes; and the forces of all that.

use pliant::{Pose, Vec3};
use pyo3::prelude::*;

use numpy::PyArray1;

use super::World;
use crate::arrays::{self, Displacement};
use crate::buffers::{Triple, triple};
use crate::errors::Outcome;

#[pymethods]
impl World {
    /// Moves a tool to a place, world, m, during the next frame; it stays there until it is moved again. `orientation`: (w, x, y, z), as it is if none is given.
    #[pyo3(signature = (name, to, *, orientation=None))]
    fn move_tool(
        &self,
        py: Python<'_>,
        name: &str,
        to: &Bound<'_, PyAny>,
        orientation: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<()> {
        let position = arrays::vector(to, "to")?;
        match orientation {
            None => self.with(py, |world| Ok(world.move_tool(name, position)?)),
            Some(orientation) => {
                let orientation = arrays::quaternion(orientation, "orientation")?;
                let pose = Pose {
                    position: position.into(),
                    orientation,
                };
                self.with(py, |world| Ok(world.pose_tool(name, pose)?))
            }
        }
    }

    /// Gives a tool back to its path, or to the tool that carries it.
    fn release_tool(&self, py: Python<'_>, name: &str) -> Outcome<()> {
        self.with(py, |world| Ok(world.release_tool(name)?))
    }

    /// Position (3,), m, and orientation (w, x, y, z) of a tool at the end of the last frame.
    fn tool_pose<'py>(&self, py: Python<'py>, name: &str) -> Outcome<(Triple<'py>, Triple<'py>)> {
        let pose = self.with(py, |world| Ok(world.tool_pose(name)?))?;
        let q = pose.orientation;
        let orientation = PyArray1::from_slice(py, &[q.w, q.i, q.j, q.k]);
        Ok((triple(py, &pose.position), orientation))
    }

    /// Force on the tool, N (3,): what a hand that holds it feels. Zero before the first frame.
    fn tool_force<'py>(&self, py: Python<'py>, name: &str) -> Outcome<Triple<'py>> {
        let force = self.with(py, |world| Ok(world.tool_force(name)?))?;
        Ok(triple(py, &force))
    }

    /// Force (3,), N, and torque (3,), N·m, about the tool's origin, on the tool.
    fn tool_wrench<'py>(&self, py: Python<'py>, name: &str) -> Outcome<(Triple<'py>, Triple<'py>)> {
        let wrench = self.with(py, |world| Ok(world.tool_wrench(name)?))?;
        Ok((triple(py, &wrench.force), triple(py, &wrench.torque)))
    }

    /// Force (3,), N, and torque (3,), N·m, about the tool's origin, on a tool together with those that it carries.
    fn wrench_with_carried<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> Outcome<(Triple<'py>, Triple<'py>)> {
        let wrench = self.with(py, |world| Ok(world.wrench_with_carried(name)?))?;
        Ok((triple(py, &wrench.force), triple(py, &wrench.torque)))
    }

    /// Force of a support on the body, N (3,).
    fn support_force<'py>(&self, py: Python<'py>, name: &str) -> Outcome<Triple<'py>> {
        let force = self.with(py, |world| Ok(world.support_force(name)?))?;
        Ok(triple(py, &force))
    }

    /// Takes hold of skin vertices as they lie now, and moves them by `displacement`, m, from there: (3,) for all of them, or (n, 3) for each in the order of `vertices`. Call it again with the same vertices to move on.
    fn grab(
        &self,
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        displacement: &Bound<'_, PyAny>,
    ) -> Outcome<()> {
        let vertices = arrays::vertices(vertices, "vertices")?;
        if vertices.is_empty() {
            return Err(arrays::wrong("vertices", "empty", "one or more"));
        }
        match arrays::displacement(displacement, "displacement")? {
            Displacement::Common(common) => {
                self.with(py, |world| Ok(world.grab(&vertices, common)?))
            }
            Displacement::Each(rows) => {
                let rows: Vec<Vec3> = rows.into_iter().map(Vec3::from).collect();
                self.with(py, |world| Ok(world.grab_each(&vertices, &rows)?))
            }
        }
    }

    /// Lets go of what `grab` holds.
    fn release(&self, py: Python<'_>) -> Outcome<()> {
        self.with(py, |world| {
            world.release();
            Ok(())
        })
    }

    /// Force of the hand of `grab` on the body, N (3,).
    fn grab_force<'py>(&self, py: Python<'py>) -> Outcome<Triple<'py>> {
        let force = self.with(py, |world| Ok(world.grab_force()))?;
        Ok(triple(py, &force))
    }

    /// Pushes a skin vertex with a force, N (3,), during the next frame; call it in every frame in which it pushes.
    fn push(&self, py: Python<'_>, vertex: i64, force: &Bound<'_, PyAny>) -> Outcome<()> {
        let vertex = vertex_number(vertex)?;
        let force = arrays::vector(force, "force")?;
        self.with(py, |world| Ok(world.push(vertex, force)?))
    }
}

/// A vertex number; what is beyond the skin is refused by the library.
pub(super) fn vertex_number(vertex: i64) -> Outcome<u32> {
    u32::try_from(vertex).map_err(|_| arrays::no_such_vertex("vertex", vertex, None))
}
