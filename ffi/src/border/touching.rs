//! Moving tools, grabbing, pushing; forces

use pliant::{Pose, ToolWrench, Vec3};

use super::memory::{Fixed, Out, Rows, Text};
use super::objects::with_world;
use crate::checks;
use crate::failure::Outcome;
use crate::handles::PliantWorld;
use crate::status::PliantStatus;

/// Moves a tool to a place, m, during the next frame; it stays there until it is moved again. A jump of more than a fifth of the body touches nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_move_tool(
    world: PliantWorld,
    tool: Text,
    position: Fixed<f64, 3>,
) -> PliantStatus {
    with_world(world, |world| {
        Ok(world.move_tool(tool.read("tool")?, position.read("position")?)?)
    })
}

/// The same with an orientation, a quaternion (w, x, y, z), which is made a unit one.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_pose_tool(
    world: PliantWorld,
    tool: Text,
    position: Fixed<f64, 3>,
    orientation: Fixed<f64, 4>,
) -> PliantStatus {
    with_world(world, |world| {
        let orientation = orientation.read("orientation")?;
        let pose = Pose {
            position: position.read("position")?.into(),
            orientation: checks::orientation(orientation, "orientation")?,
        };
        Ok(world.pose_tool(tool.read("tool")?, pose)?)
    })
}

/// Gives a tool back to its path, or to the tool that carries it.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_release_tool(world: PliantWorld, tool: Text) -> PliantStatus {
    with_world(world, |world| Ok(world.release_tool(tool.read("tool")?)?))
}

/// Where a tool was at the end of the last frame: position, m, and orientation (w, x, y, z). Either may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_tool_pose(
    world: PliantWorld,
    tool: Text,
    position: Out<[f64; 3]>,
    orientation: Out<[f64; 4]>,
) -> PliantStatus {
    with_world(world, |world| {
        let pose = world.tool_pose(tool.read("tool")?)?;
        position.put_if_given(pose.position.into(), "position")?;
        let q = pose.orientation;
        orientation.put_if_given([q.w, q.i, q.j, q.k], "orientation")
    })
}

/// Force on the tool, N: what a hand that holds it feels. Zero before the first frame.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_tool_force(
    world: PliantWorld,
    tool: Text,
    force: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| {
        let value = world.tool_force(tool.read("tool")?)?;
        force.put(value.into(), "force")
    })
}

/// Force, N, and torque about the tool's origin, N m, on the tool. Either may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_tool_wrench(
    world: PliantWorld,
    tool: Text,
    force: Out<[f64; 3]>,
    torque: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| {
        let wrench = world.tool_wrench(tool.read("tool")?)?;
        put_wrench(&wrench, &force, &torque)
    })
}

/// Force, N, and torque about the tool's origin, N m, on a tool together with those that it carries. Either may be null.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_wrench_with_carried(
    world: PliantWorld,
    tool: Text,
    force: Out<[f64; 3]>,
    torque: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| {
        let wrench = world.wrench_with_carried(tool.read("tool")?)?;
        put_wrench(&wrench, &force, &torque)
    })
}

fn put_wrench(wrench: &ToolWrench, force: &Out<[f64; 3]>, torque: &Out<[f64; 3]>) -> Outcome<()> {
    force.put_if_given(wrench.force.into(), "force")?;
    torque.put_if_given(wrench.torque.into(), "torque")
}

/// Force of a support on the body, or on all bodies of its kind together, N. Of several supports of
/// one name it is that of the first.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_support_force(
    world: PliantWorld,
    support: Text,
    force: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| {
        let value = world.support_force(support.read("support")?)?;
        force.put(value.into(), "force")
    })
}

/// Takes hold of skin vertices as they lie now, and moves them by displacement, m, from there. The frame in which they are taken hold of keeps them where they are. Call it again with the
/// same vertices to move on. One grab at a time.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_grab(
    world: PliantWorld,
    vertices: Rows<u32, 1>,
    vertex_count: usize,
    displacement: Fixed<f64, 3>,
) -> PliantStatus {
    with_world(world, |world| {
        // SAFETY: the count that stands beside the pointer
        let vertices = unsafe { vertices.read(vertex_count, "vertices")? };
        Ok(world.grab(vertices.as_flattened(), displacement.read("displacement")?)?)
    })
}

/// The same with a displacement (x, y, z), m, of its own for each vertex: as many as vertices, and in their order. Equal displacements give the same bits as pliant_world_grab, and both
/// may be called in turn with the same vertices. A vertex that is named with two different displacements is an error.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_grab_each(
    world: PliantWorld,
    vertices: Rows<u32, 1>,
    displacements: Rows<f64, 3>,
    vertex_count: usize,
) -> PliantStatus {
    with_world(world, |world| {
        // SAFETY: the count that stands beside the pointers
        let (vertices, displacements) = unsafe {
            let vertices = vertices.read(vertex_count, "vertices")?;
            let displacements = displacements.read(vertex_count, "displacements")?;
            (vertices, displacements)
        };
        checks::finite(displacements, "displacements")?;
        let displacements: Vec<Vec3> = displacements.iter().map(|&d| Vec3::from(d)).collect();
        Ok(world.grab_each(vertices.as_flattened(), &displacements)?)
    })
}

/// Lets go of what pliant_world_grab or pliant_world_grab_each holds.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_release_grab(world: PliantWorld) -> PliantStatus {
    with_world(world, |world| {
        world.release();
        Ok(())
    })
}

/// Force of the hand of pliant_world_grab or pliant_world_grab_each on the body, N.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_grab_force(
    world: PliantWorld,
    force: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| force.put(world.grab_force().into(), "force"))
}

/// Pushes a skin vertex with a force, N, during the next frame; call it in every frame in which it pushes.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_push(
    world: PliantWorld,
    vertex: u32,
    force: Fixed<f64, 3>,
) -> PliantStatus {
    with_world(world, |world| {
        Ok(world.push(vertex, Vec3::from(force.read("force")?))?)
    })
}
