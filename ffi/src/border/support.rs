//! What holds a body

use pliant::{Body, Selection};

use super::memory::{Fixed, Rows, Text};
use super::objects::change;
use crate::checks;
use crate::failure::Outcome;
use crate::handles::PliantBody;
use crate::status::PliantStatus;

/// Holds everything below this share of the height, 0 to 1, for good, under the name "foot".
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_hold_lowest(body: PliantBody, share: f64) -> PliantStatus {
    change(body, |body: Body| {
        Ok(body.hold_lowest(checks::number(share, "share")?))
    })
}

/// Holds what is in a box at rest, m, for good.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_hold_box(
    body: PliantBody,
    name: Text,
    min: Fixed<f64, 3>,
    max: Fixed<f64, 3>,
) -> PliantStatus {
    hold(body, &name, || {
        let (min, max) = (min.read("min")?, max.read("max")?);
        Ok(Selection::Box { min, max })
    })
}

/// Holds what is in a ball at rest, m, for good.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_hold_sphere(
    body: PliantBody,
    name: Text,
    center: Fixed<f64, 3>,
    radius: f64,
) -> PliantStatus {
    hold(body, &name, || {
        let center = center.read("center")?;
        let radius = checks::number(radius, "radius")?;
        Ok(Selection::Sphere { center, radius })
    })
}

/// Holds what lies at rest on the side of a plane that its normal points to, m, for good.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_hold_half_space(
    body: PliantBody,
    name: Text,
    point: Fixed<f64, 3>,
    normal: Fixed<f64, 3>,
) -> PliantStatus {
    hold(body, &name, || {
        let (point, normal) = (point.read("point")?, normal.read("normal")?);
        Ok(Selection::HalfSpace { point, normal })
    })
}

/// Holds vertices by their numbers, for good. They are those of the skin: of a mesh that has to be mended they may be others than those of the file.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_body_hold_vertices(
    body: PliantBody,
    name: Text,
    vertices: Rows<u32, 1>,
    vertex_count: usize,
) -> PliantStatus {
    hold(body, &name, || {
        // SAFETY: the count that stands beside the pointer
        let vertices = unsafe { vertices.read(vertex_count, "vertices")? };
        Ok(Selection::List(vertices.as_flattened().to_vec()))
    })
}

fn hold(
    body: PliantBody,
    name: &Text,
    selection: impl FnOnce() -> Outcome<Selection>,
) -> PliantStatus {
    change(body, |body: Body| {
        Ok(body.hold(name.read("name")?, selection()?))
    })
}
