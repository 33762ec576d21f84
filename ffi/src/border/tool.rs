//! Tools

use pliant::{Interpolation, Key, PosePath, Tool, ToolShape, Vec3};

use super::memory::{Fixed, Out, Rows, Text};
use super::objects::{change, make};
use crate::checks;
use crate::failure::{Failure, Outcome};
use crate::guard::entry;
use crate::handles::{Handle, PliantTool};
use crate::status::PliantStatus;

/// Makes a ball with this radius, m, that begins at a place, m. A moving tool needs a radius of one and a half mean edges of the skin.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_sphere(
    name: Text,
    radius: f64,
    at: Fixed<f64, 3>,
    tool: Out<PliantTool>,
) -> PliantStatus {
    make_tool(&name, &at, &tool, || {
        let radius = checks::number(radius, "radius")?;
        Ok(ToolShape::Sphere { radius })
    })
}

/// Makes a cylinder with round ends along its y axis: radius and half the distance between the centres of the ends, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_capsule(
    name: Text,
    radius: f64,
    half_length: f64,
    at: Fixed<f64, 3>,
    tool: Out<PliantTool>,
) -> PliantStatus {
    make_tool(&name, &at, &tool, || {
        Ok(ToolShape::Capsule {
            radius: checks::number(radius, "radius")?,
            half_length: checks::number(half_length, "half_length")?,
        })
    })
}

/// Makes a cylinder with flat ends along its y axis: radius and half the distance between the ends, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_cylinder(
    name: Text,
    radius: f64,
    half_length: f64,
    at: Fixed<f64, 3>,
    tool: Out<PliantTool>,
) -> PliantStatus {
    make_tool(&name, &at, &tool, || {
        Ok(ToolShape::Cylinder {
            radius: checks::number(radius, "radius")?,
            half_length: checks::number(half_length, "half_length")?,
        })
    })
}

/// Makes a box with these sides and with edges of this rounding, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_box(
    name: Text,
    sides: Fixed<f64, 3>,
    rounding: f64,
    at: Fixed<f64, 3>,
    tool: Out<PliantTool>,
) -> PliantStatus {
    make_tool(&name, &at, &tool, || {
        Ok(ToolShape::Box {
            half_size: Vec3::from(sides.read("sides")?) * 0.5,
            rounding: checks::number(rounding, "rounding")?,
        })
    })
}

/// Makes everything below y = height, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_floor(
    name: Text,
    height: f64,
    tool: Out<PliantTool>,
) -> PliantStatus {
    make(&tool, "tool", || {
        let height = checks::number(height, "height")?;
        Ok(Tool::floor(name.read("name")?, height))
    })
}

/// Makes a blade, which cuts what its edge sweeps and does not push. The edge lies along its x axis, the back is towards its y axis: length of the edge, from edge to back, thickness, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_blade(
    name: Text,
    length: f64,
    height: f64,
    thickness: f64,
    at: Fixed<f64, 3>,
    tool: Out<PliantTool>,
) -> PliantStatus {
    make_tool(&name, &at, &tool, || {
        Ok(ToolShape::Blade {
            length: checks::number(length, "length")?,
            height: checks::number(height, "height")?,
            thickness: checks::number(thickness, "thickness")?,
        })
    })
}

/// Coulomb friction with a coefficient while sticking and one while sliding, 0 to 10.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_set_friction(
    tool: PliantTool,
    sticking: f64,
    sliding: f64,
) -> PliantStatus {
    change(tool, |tool: Tool| {
        let sticking = checks::number(sticking, "sticking")?;
        Ok(tool.friction_of(sticking, checks::number(sliding, "sliding")?))
    })
}

/// Bodies stick to the tool: what it has pushed moves with it in all directions. It releases the body when it pulls with more than pull, N, 0 to 1e6, or INFINITY for never. It can stick
/// again once it has left the body.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_set_sticky(tool: PliantTool, pull: f64) -> PliantStatus {
    change(tool, |tool: Tool| {
        if pull == f64::INFINITY {
            return Ok(tool.sticky());
        }
        Ok(tool.sticky_up_to(checks::number(pull, "pull")?))
    })
}

/// The same, but each vertex is released by itself when the tool pulls at it along its normal with more than pull, N, 0 to 1e6: the body comes off from the edge. A vertex can stick again
/// once the tool has left it.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_set_bonded(tool: PliantTool, pull: f64) -> PliantStatus {
    change(tool, |tool: Tool| {
        Ok(tool.bonded_up_to(checks::number(pull, "pull")?))
    })
}

/// Follows a path, unless the program moves it: key_count rising times, s, and as many positions (x, y, z), m, with constant velocity between them. orientations has as many quaternions
/// (w, x, y, z), or is null. is_looping: 0, or 1 to begin anew after the last key.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_set_path(
    tool: PliantTool,
    times: Rows<f64, 1>,
    positions: Rows<f64, 3>,
    orientations: Rows<f64, 4>,
    key_count: usize,
    is_looping: i32,
) -> PliantStatus {
    change(tool, |tool: Tool| {
        // SAFETY: the count that stands beside the pointers
        let (times, positions, orientations) = unsafe {
            let times = times.read(key_count, "times")?;
            let positions = positions.read(key_count, "positions")?;
            let orientations = match orientations.is_null() {
                true => &[],
                false => orientations.read(key_count, "orientations")?,
            };
            (times, positions, orientations)
        };
        let mut keys = Vec::with_capacity(key_count);
        for (k, (&[time], &position)) in times.iter().zip(positions).enumerate() {
            let orientation = orientations.get(k).map(|&q| {
                let name = format!("orientations[{k}]");
                checks::orientation(q, &name)
            });
            keys.push(Key {
                time,
                position: position.into(),
                orientation: orientation.transpose()?.unwrap_or_default(),
            });
        }
        let path = PosePath::new(keys, Interpolation::Linear, is_looping != 0);
        let path = path.map_err(|error| {
            Failure::argument(format!("the path of tool `{}`: {error}", tool.name()))
        })?;
        Ok(tool.along(path))
    })
}

/// Pokes the highest free place of the body, 4 % of its diagonal deep but at most a third of its height, every four seconds, unless the program moves it.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_set_poking(tool: PliantTool) -> PliantStatus {
    change(tool, |tool: Tool| Ok(tool.poking()))
}

/// Frees a tool. Scenes to which it was added keep their copy. A null handle frees nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_tool_free(tool: PliantTool) -> PliantStatus {
    entry(|| tool.free())
}

fn make_tool(
    name: &Text,
    at: &Fixed<f64, 3>,
    tool: &Out<PliantTool>,
    shape: impl FnOnce() -> Outcome<ToolShape>,
) -> PliantStatus {
    make(tool, "tool", || {
        let at = at.read("at")?;
        Ok(Tool::of_shape(name.read("name")?, shape()?, at))
    })
}
