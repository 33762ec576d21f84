//! The signed distance of a closed surface at the corners of a grid.

use pliant_core::asset::Progress;
use pliant_core::contact::{DistanceGrid, GridLayout};
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use rayon::prelude::*;

use crate::error::{MeshingError, positive};
use crate::geometry::solid::{MeshSolid, Solid};

/// Largest number of corners where no cell size is given: 1 MB.
const DEFAULT_MAX_CORNERS: usize = 1 << 18;
/// Largest number of corners of any grid: 32 MB.
const MAX_CORNERS: usize = 1 << 23;
/// Growth of the cell per step of the search for one that fits.
const GROWTH_FACTOR: f64 = 1.02;

/// Samples the signed distance of a closed surface, which is negative inside: the distance to the nearest triangle, with the sign from the winding number. A point inside
/// any of several shells is inside.
///
/// `cell` is the edge of the cells, m, limited to the longest side of the bounding box. Without it there are up to 2^18 corners, about 60 cells along each side of a cube, and a cell is never smaller than 1/512 of the longest side.
///
/// The same bits for any number of threads. Cost: two queries in a tree for each corner.
///
/// # Errors
/// [`MeshingError::EmptyMesh`] and [`MeshingError::BadSize`] for a surface without triangles or extent, or a cell edge that is not positive and finite; [`MeshingError::GridTooLarge`] beyond 2^23 corners, before
/// anything is allocated; [`MeshingError::Cancelled`].
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::voxelise::distance_grid;
/// let cube = box_surface(Vec3::repeat(1.0), [2; 3], CellStyle::Kuhn);
/// let grid = distance_grid(&cube, Some(0.1), &Progress::new())?;
/// // outside a face, and inside the cube
/// let (distance, normal) = grid.signed_distance(&Vec3::new(0.57, 0.0, 0.0));
/// assert!((distance - 0.07).abs() < 1e-6 && (normal - Vec3::x()).norm() < 1e-6);
/// assert!(grid.signed_distance(&Vec3::new(0.4, 0.0, 0.0)).0 < -0.099);
/// # Ok::<(), pliant_meshing::error::MeshingError>(())
/// ```
pub fn distance_grid(
    surface: &SurfaceMesh,
    cell: Option<f64>,
    progress: &Progress,
) -> Result<DistanceGrid, MeshingError> {
    progress.stage("sampling distances");
    let solid = MeshSolid::new(surface)?;
    let layout = layout_around(&solid.bounds(), cell)?;
    let [x, y, z] = layout.corners;
    let mut distances = Vec::with_capacity(layout.corner_count());
    for slice in 0..z {
        progress.check()?;
        let corners = slice * x * y..(slice + 1) * x * y;
        let sampled: Vec<f32> = corners
            .into_par_iter()
            .map(|k| solid.signed_distance(&layout.position(k)) as f32)
            .collect();
        distances.extend(sampled);
        progress.set_fraction((slice + 1) as f64 / z as f64);
    }
    DistanceGrid::new(layout, distances).ok_or(MeshingError::EmptyMesh)
}

/// Cells of the requested edge, or the smallest that [`DEFAULT_MAX_CORNERS`] allows.
fn layout_around(bounds: &Aabb, cell: Option<f64>) -> Result<GridLayout, MeshingError> {
    let Some(cell) = cell else {
        return Ok(GridLayout::around(
            bounds,
            min_cell(bounds, DEFAULT_MAX_CORNERS),
        ));
    };
    positive("the cell of a distance field", cell)?;
    // distances are in single precision: with a huge cell they would be infinite
    let layout = GridLayout::around(bounds, cell.min(bounds.size().max()));
    if layout.corner_count() > MAX_CORNERS {
        return Err(MeshingError::GridTooLarge {
            sites: layout.corner_count() as u64,
            limit: MAX_CORNERS as u64,
            min_cell: min_cell(bounds, MAX_CORNERS),
        });
    }
    Ok(layout)
}

/// The smallest cell, to two per cent, whose grid has at most `max_corners`; no smaller than the longest side over the square root of that, m.
fn min_cell(bounds: &Aabb, max_corners: usize) -> f64 {
    let mut cell = (bounds.size().max() / (max_corners as f64).sqrt()).max(f64::MIN_POSITIVE);
    while GridLayout::around(bounds, cell).corner_count() > max_corners {
        cell *= GROWTH_FACTOR;
    }
    cell
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::Cancelled;
    use pliant_core::math::Vec3;
    use pliant_core::math::barycentric::closest_point_on_triangle;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_fuzzing::on_threads;

    use super::*;
    use crate::procedural::{ProceduralSpec, body};
    use crate::test_bodies::cancelled;

    fn generated(name: &str) -> SurfaceMesh {
        let spec = ProceduralSpec {
            name: name.into(),
            longest: Some(0.2),
            size: None,
            edge: Some(0.01),
        };
        body(&spec, &Progress::new()).expect("a body")
    }

    fn sampled(surface: &SurfaceMesh, cell: f64) -> DistanceGrid {
        distance_grid(surface, Some(cell), &Progress::new()).expect("a grid")
    }

    /// The nearest point of all triangles and its distance, m.
    fn nearest(surface: &SurfaceMesh, x: &Vec3) -> (Vec3, f64) {
        let points = (0..surface.triangles.len())
            .map(|t| closest_point_on_triangle(x, surface.corners(t)).0)
            .map(|point| (point, (point - x).norm()));
        points
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .expect("triangles")
    }

    fn points(surface: &SurfaceMesh) -> Vec<Vec3> {
        let bounds = surface.bounds();
        let point = |k: i32| {
            let t = f64::from(k);
            let share = Vec3::new((t * 0.9).sin(), (t * 1.7).cos(), (t * 0.41).sin()) * 0.5;
            bounds.center() + share.component_mul(&bounds.size())
        };
        (0..200).map(point).collect()
    }

    #[test]
    fn distances_near_the_surface_are_those_of_all_triangles_to_half_a_cell() {
        let cell = 0.008;
        let cube = box_surface(Vec3::new(0.2, 0.1, 0.15), [4, 2, 3], CellStyle::Kuhn);
        for surface in [cube, generated("kidney"), generated("torus")] {
            let grid = sampled(&surface, cell);
            let solid = MeshSolid::new(&surface).expect("a solid");
            for x in points(&surface) {
                let sign = if solid.is_inside(&x) { -1.0 } else { 1.0 };
                let exact = sign * nearest(&surface, &x).1;
                let (distance, _) = grid.signed_distance(&x);
                // on the medial axis (the centre line of the torus, for example) the distance has a kink: there the error is up to half the diagonal of a cell
                let max_error = match exact.abs() < 2.0 * cell {
                    true => 0.5,
                    false => 0.75_f64.sqrt(),
                };
                assert!((distance - exact).abs() < max_error * cell, "{x:?}");
            }
            // and the surface is where the distance is zero
            for x in &surface.positions {
                assert!(grid.signed_distance(x).0.abs() < 0.5 * cell, "{x:?}");
            }
        }
    }

    #[test]
    fn the_zero_level_crosses_edges_of_the_grid_within_half_a_cell_even_of_a_needle() {
        // a spike that ends between corners, sharper than any cell
        let tip = Vec3::new(0.013, 0.1, 0.017);
        let base =
            [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]].map(|[x, z]| Vec3::new(x, 0.0, z) * 0.02);
        let positions = vec![base[0], base[1], base[2], tip];
        let triangles = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        let spike = SurfaceMesh::new(positions, triangles);
        assert!(spike.volume() > 0.0);
        let cell = 0.007;
        let grid = sampled(&spike, cell);
        let layout = *grid.layout();
        let at = |k: usize| grid.signed_distance(&layout.position(k)).0;
        let [x, y, _] = layout.corners;
        let mut crossings = 0;
        for k in 0..layout.corner_count() {
            // not in the last half cell, where the field is no longer interpolated
            let mut indices = [k % x, k / x % y, k / (x * y)]
                .into_iter()
                .zip(layout.corners);
            if !indices.all(|(n, corners)| n >= 1 && n + 2 < corners) {
                continue;
            }
            for neighbour in [k + 1, k + x, k + x * y] {
                let (a, b) = (at(k), at(neighbour));
                if (a < 0.0) != (b < 0.0) {
                    let [from, to] = [k, neighbour].map(|k| layout.position(k));
                    let far = nearest(&spike, &from.lerp(&to, a / (a - b))).1;
                    assert!(far < 0.5 * cell + 1e-6, "{from:?}: {far}");
                    crossings += 1;
                }
            }
        }
        assert!(crossings > 20, "{crossings}");
    }

    #[test]
    fn the_gradient_points_away_from_the_closest_point_where_that_is_one() {
        let kidney = generated("kidney");
        let grid = sampled(&kidney, 0.004);
        let solid = MeshSolid::new(&kidney).expect("a solid");
        let mut seen = 0;
        for x in points(&kidney) {
            let (point, distance) = nearest(&kidney, &x);
            // near the medial axis the closest point of a neighbour is another one
            let beside = [Vec3::x(), Vec3::y(), Vec3::z()].map(|d| x + d * 0.004);
            let moved = beside.map(|b| (nearest(&kidney, &b).0 - point).norm());
            let is_smooth = moved.iter().all(|m| *m < 0.006);
            if distance < 0.008 || !is_smooth {
                continue;
            }
            let sign = if solid.is_inside(&x) { -1.0 } else { 1.0 };
            let away = (x - point) * (sign / distance);
            let (_, gradient) = grid.signed_distance(&x);
            assert!(gradient.dot(&away) > 0.95, "{x:?} {gradient:?} {away:?}");
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn cells_are_as_small_as_the_memory_allows_and_no_grid_is_larger() {
        let corners = |size: [f64; 3]| {
            let bounds = Aabb {
                min: Vec3::zeros(),
                max: Vec3::from(size),
            };
            layout_around(&bounds, None).expect("fits").corner_count()
        };
        for size in [[1.0; 3], [1.0, 0.3, 0.05], [1e-3, 1.0, 1.0]] {
            let count = corners(size);
            // a rod is no finer than 1/512 of its length
            assert!(
                (DEFAULT_MAX_CORNERS / 2..=DEFAULT_MAX_CORNERS).contains(&count),
                "{size:?} {count}"
            );
        }
        assert!(corners([1.0, 1e-4, 1e-4]) < DEFAULT_MAX_CORNERS / 4);
        let cube = box_surface(Vec3::repeat(1.0), [1; 3], CellStyle::Kuhn);
        let sampled = |cell| distance_grid(&cube, Some(cell), &Progress::new());
        let Err(MeshingError::GridTooLarge { min_cell, .. }) = sampled(1e-4) else {
            panic!("it has 10^12 corners");
        };
        assert!((0.004..0.006).contains(&min_cell), "{min_cell}");
        // more cells along a side than there are numbers
        for cell in [1e-200, f64::MIN_POSITIVE] {
            let error = sampled(cell);
            assert!(matches!(error, Err(MeshingError::GridTooLarge { .. })));
        }
        let coarse = sampled(f64::MAX).expect("cells as large as the cube");
        let (distance, _) = coarse.signed_distance(&Vec3::x());
        assert!((distance - 0.5).abs() < 1e-6, "{distance}");
        for cell in [0.0, f64::NAN, -1.0] {
            assert!(matches!(sampled(cell), Err(MeshingError::BadSize { .. })));
        }
        let error = distance_grid(&cube, None, &cancelled()).err();
        assert_eq!(error, Some(MeshingError::Cancelled(Cancelled)));
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let kidney = generated("kidney");
        let with = |threads: usize| on_threads(threads, || sampled(&kidney, 0.01));
        assert_eq!(with(1), with(4));
    }
}
