//! Surfaces, for drawing
//!
//! Buffers are the caller's. With a null buffer, only the number of rows goes to count. A buffer that has place for too few (capacity, in rows) is left as it is, and count says how
//! many are needed. Where a buffer is given, count may be null.

use pliant::{Ray, Vec3, World};

use super::memory::{Fixed, Out, OutRows};
use super::objects::with_world;
use crate::failure::Failure;
use crate::handles::PliantWorld;
use crate::status::PliantStatus;

/// Positions (x, y, z) of the skin's vertices now, m. The skin of a body has more vertices than its mesh where that is coarse or was mended.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_positions(
    world: PliantWorld,
    positions: OutRows<f32, 3>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        // SAFETY: the capacity that stands beside the pointer
        unsafe { positions.put(world.positions(), capacity, &count, "positions") }
    })
}

/// Unit outward normals (x, y, z) of the skin's vertices now.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_normals(
    world: PliantWorld,
    normals: OutRows<f32, 3>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        // SAFETY: the capacity that stands beside the pointer
        unsafe { normals.put(world.normals(), capacity, &count, "normals") }
    })
}

/// Vertices of the skin's triangles, three numbers each, counter-clockwise from outside. They never change.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_triangles(
    world: PliantWorld,
    triangles: OutRows<u32, 3>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        // SAFETY: the capacity that stands beside the pointer
        unsafe { triangles.put(world.triangles(), capacity, &count, "triangles") }
    })
}

/// The same as pliant_world_positions of what there is to be seen: the skin, or where a body has broken or was cut, all pieces with their cut faces. Numbers of vertices and triangles
/// change when something is cut.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_drawn_positions(
    world: PliantWorld,
    positions: OutRows<f32, 3>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        let cut = world.surface().cut.as_deref();
        let drawn = cut.map_or(world.positions(), |cut| &cut.frame.positions);
        // SAFETY: the capacity that stands beside the pointer
        unsafe { positions.put(drawn, capacity, &count, "positions") }
    })
}

/// Unit outward normals (x, y, z) of the vertices of pliant_world_drawn_positions.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_drawn_normals(
    world: PliantWorld,
    normals: OutRows<f32, 3>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        let cut = world.surface().cut.as_deref();
        let drawn = cut.map_or(world.normals(), |cut| &cut.frame.normals);
        // SAFETY: the capacity that stands beside the pointer
        unsafe { normals.put(drawn, capacity, &count, "normals") }
    })
}

/// Triangles of the vertices of pliant_world_drawn_positions, three numbers each.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_drawn_triangles(
    world: PliantWorld,
    triangles: OutRows<u32, 3>,
    capacity: usize,
    count: Out<usize>,
) -> PliantStatus {
    with_world(world, |world| {
        let cut = world.surface().cut.as_deref();
        let drawn = cut.map_or(world.triangles(), |cut| &cut.surface.triangles);
        // SAFETY: the capacity that stands beside the pointer
        unsafe { triangles.put(drawn, capacity, &count, "triangles") }
    })
}

/// Displacement of a skin vertex from rest, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_displacement(
    world: PliantWorld,
    vertex: u32,
    displacement: Out<[f64; 3]>,
) -> PliantStatus {
    with_world(world, |world| {
        let moved = world.displacement(vertex)?;
        displacement.put(moved.into(), "displacement")
    })
}

/// The skin vertex that is nearest to a place at rest, m.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_nearest_vertex(
    world: PliantWorld,
    place: Fixed<f64, 3>,
    vertex: Out<u32>,
) -> PliantStatus {
    with_world(world, |world| {
        let nearest = world.nearest_vertex(place.read("place")?);
        vertex.put(nearest, "vertex")
    })
}

/// Where a ray from origin, m, first hits the skin as it is now: how far along it in lengths of direction, and the triangle; either may be null. PLIANT_STATUS_NOT_FOUND where it hits
/// nothing.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_world_pick(
    world: PliantWorld,
    origin: Fixed<f64, 3>,
    direction: Fixed<f64, 3>,
    distance: Out<f64>,
    triangle: Out<u32>,
) -> PliantStatus {
    with_world(world, |world: &mut World| {
        let origin: Vec3 = origin.read("origin")?.into();
        let direction: Vec3 = direction.read("direction")?.into();
        let (far, hit) = world.pick(&Ray { origin, direction }).ok_or_else(|| {
            Failure::new(PliantStatus::NotFound, "NothingHit", "the ray hits nothing")
        })?;
        distance.put_if_given(far, "distance")?;
        triangle.put_if_given(hit.triangle, "triangle")
    })
}
