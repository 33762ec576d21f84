//! Leaving out components that are too small to mean anything.

use pliant_core::mesh::SurfaceMesh;

use crate::geometry::component_volumes::{component_of_triangle, volumes_of_sets};
use crate::repair::steps::weld::drop_unreferenced;

/// Drops components whose enclosed volume is below `share` of the whole. The surface must be closed and oriented. Returns how many went.
pub(super) fn drop_small_components(surface: &mut SurfaceMesh, share: f64) -> usize {
    let component = component_of_triangle(surface);
    let volume = volumes_of_sets(surface, &component);
    let whole: f64 = volume.iter().sum();
    let is_small = |c: u32| volume[c as usize].abs() < share * whole;
    let mut small: Vec<u32> = component.iter().copied().filter(|&c| is_small(c)).collect();
    small.sort_unstable();
    small.dedup();
    let mut of_triangle = component.iter();
    surface
        .triangles
        .retain(|_| of_triangle.next().is_some_and(|&c| !is_small(c)));
    drop_unreferenced(surface);
    small.len()
}
