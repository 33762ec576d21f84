//! Closing small holes: each rim is triangulated without new vertices (Liepa 2003, "Filling holes in meshes", section 3).

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::UnionFind;

use super::boundary_loops::{BoundaryLoop, boundary_loops};
use crate::geometry::triangle_crossing::unit_normal;
use crate::repair::error::{area, length, point};
use crate::repair::repaired::RepairStep;
use crate::repair::steps::edges::{Side, by_edge, open_sides, sides};
use crate::repair::work::Work;

/// Most edges of a boundary loop that is closed.
const MAX_EDGES: usize = 512;
/// Largest share of the area of a component that may be new.
const MAX_NEW_AREA: f64 = 0.1;
/// The same where a component was cut by a plane, and the volume over area to the power 3/2 that the closed surface
/// must have then (0.094 for a ball, less than 0.01 for what a sheet encloses with its rim).
const MAX_CAP_AREA: f64 = 0.4;
const MIN_COMPACTNESS: f64 = 0.03;
/// A boundary loop is flat if it keeps within this share of its width, or this many of its edges, of a plane.
const FLAT_SHARE: f64 = 0.02;
const FLAT_EDGES: f64 = 1.5;
/// Most holes that are listed one by one.
const MAX_LISTED: usize = 12;

/// Closes all small holes of a surface whose neighbours agree; the inner error is the reason why some are left.
pub(crate) fn close_small(
    work: &mut Work,
    progress: &Progress,
) -> Result<Result<(), String>, Cancelled> {
    progress.stage("closing holes");
    let surface = &work.surface;
    let all = sides(&surface.triangles);
    let open = open_sides(&all);
    if open.is_empty() {
        return Ok(Err("there are no holes to close".into()));
    }
    let existing_edges: Vec<(u32, u32)> = by_edge(&all).map(|e| (e[0].low, e[0].high)).collect();
    let mut growth = Growth::new(surface, &all);
    let (mut patches, mut steps) = (Vec::new(), Vec::new());
    let mut unlisted = (0, 0.0);
    let mut edges = 0;
    for boundary_loop in boundary_loops(&open, surface.vertex_count()) {
        progress.check()?;
        let corners = boundary_loop.corners(surface);
        let count = corners.len();
        let middle = corners.iter().sum::<Vec3>() / count as f64;
        let place = point(&middle.into());
        edges += count;
        if count > MAX_EDGES {
            return Ok(Err(format!(
                "a hole of {count} edges near {place} is too long to close"
            )));
        }
        let across = width(&corners);
        let Some(patch) = triangulate(surface, &boundary_loop, &existing_edges) else {
            return Ok(Err(format!("the hole near {place} has no patch")));
        };
        let new: f64 = patch
            .iter()
            .map(|t| double_area(t.map(|v| surface.positions[v as usize])) * 0.5)
            .sum();
        let limit = if is_flat(&corners, across) {
            MAX_CAP_AREA
        } else {
            MAX_NEW_AREA
        };
        if growth.exceeds(boundary_loop.outer[0], new, limit) {
            return Ok(Err(format!(
                "closing the part near {place} would add more than {:.0} % to its area",
                100.0 * limit
            )));
        }
        if steps.len() < MAX_LISTED {
            steps.push(RepairStep {
                code: "ClosedHole",
                count: 1,
                message: format!(
                    "a hole of {count} edges near {place}, {} across, was closed with {} of new area",
                    length(across),
                    area(new)
                ),
            });
        } else {
            unlisted = (unlisted.0 + 1, unlisted.1 + new);
        }
        patches.extend(patch);
    }
    if edges < open.len() {
        return Ok(Err("some open edges do not form a rim".into()));
    }
    if unlisted.0 > 0 {
        steps.push(RepairStep {
            code: "ClosedHole",
            count: unlisted.0,
            message: format!(
                "{} more holes were closed with {} of new area",
                unlisted.0,
                area(unlisted.1)
            ),
        });
    }
    let mut closed = work.surface.clone();
    closed.triangles.extend(patches);
    if growth.is_capped && closed.volume().abs() < MIN_COMPACTNESS * closed.area().powf(1.5) {
        return Ok(Err("a flat cap would enclose almost no volume".into()));
    }
    work.surface = closed;
    work.steps.extend(steps);
    Ok(Ok(()))
}

/// The area that patches add to each component.
struct Growth {
    parts: UnionFind,
    /// by the representative of the component
    area: Vec<f64>,
    added: Vec<f64>,
    /// whether some component has more new area than [`MAX_NEW_AREA`] allows
    is_capped: bool,
}

impl Growth {
    fn new(surface: &SurfaceMesh, sides: &[Side]) -> Self {
        let count = surface.triangles.len();
        let mut parts = UnionFind::new(count);
        for edge in by_edge(sides) {
            for side in edge {
                parts.join(edge[0].triangle, side.triangle);
            }
        }
        let mut area = vec![0.0; count];
        for t in 0..count {
            area[parts.find(t as u32) as usize] += surface.area_vector(t).norm();
        }
        Self {
            parts,
            area,
            added: vec![0.0; count],
            is_capped: false,
        }
    }

    /// Adds `new` to the component of a triangle; whether that is more than the share `limit` of its area.
    fn exceeds(&mut self, triangle: u32, new: f64, limit: f64) -> bool {
        let part = self.parts.find(triangle) as usize;
        self.added[part] += new;
        self.is_capped |= self.added[part] > MAX_NEW_AREA * self.area[part];
        self.added[part] > limit * self.area[part]
    }
}

/// Whether a boundary loop lies in a plane, except for the teeth left by missing faces.
fn is_flat(corners: &[Vec3], across: f64) -> bool {
    let count = corners.len();
    let next = |k: usize| corners[(k + 1) % count];
    let middle = corners.iter().sum::<Vec3>() / count as f64;
    // twice the vector area (Newell)
    let area: Vec3 = (0..count)
        .map(|k| (corners[k] - middle).cross(&(next(k) - middle)))
        .sum();
    let Some(normal) = area.try_normalize(0.0) else {
        return false;
    };
    let edge = (0..count)
        .map(|k| (next(k) - corners[k]).norm())
        .sum::<f64>()
        / count as f64;
    let tolerance = (FLAT_SHARE * across).max(FLAT_EDGES * edge);
    corners
        .iter()
        .all(|p| normal.dot(&(p - middle)).abs() <= tolerance)
}

/// Largest distance between two points.
fn width(points: &[Vec3]) -> f64 {
    let mut width = 0.0_f64;
    for (k, a) in points.iter().enumerate() {
        for b in &points[k + 1..] {
            width = width.max((a - b).norm());
        }
    }
    width
}

fn double_area([a, b, c]: [Vec3; 3]) -> f64 {
    (b - a).cross(&(c - a)).norm()
}

/// Cost of a part of a patch: first the sharpest fold in steps of 1e-4 of 1 - cos, then the area with a small term for long edges.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Cost {
    fold: i64,
    size: f64,
}

const NO_COST: Cost = Cost { fold: 0, size: 0.0 };
const IMPOSSIBLE: Cost = Cost {
    fold: i64::MAX,
    size: f64::INFINITY,
};

/// The patch of least cost by dynamic programming over all chords; `None` if every patch would use an edge twice. Cost O(edges³).
fn triangulate(
    surface: &SurfaceMesh,
    boundary_loop: &BoundaryLoop,
    existing_edges: &[(u32, u32)],
) -> Option<Vec<[u32; 3]>> {
    let n = boundary_loop.vertices.len();
    let x = boundary_loop.corners(surface);
    let outer: Vec<Vec3> = boundary_loop
        .outer
        .iter()
        .map(|&t| unit_normal(surface.corners(t as usize)))
        .collect();
    let is_new_edge = |i: usize, k: usize| {
        let (a, b) = (boundary_loop.vertices[i], boundary_loop.vertices[k]);
        existing_edges.binary_search(&(a.min(b), a.max(b))).is_err()
    };
    let slot = |i: usize, k: usize| i * n + k;
    let mut best = vec![NO_COST; n * n];
    let mut apex = vec![0; n * n];
    for span in 2..n {
        for i in 0..n - span {
            let k = i + span;
            let is_root = span == n - 1;
            best[slot(i, k)] = IMPOSSIBLE;
            if !is_root && !is_new_edge(i, k) {
                continue;
            }
            for m in i + 1..k {
                let (left, right) = (best[slot(i, m)], best[slot(m, k)]);
                if left == IMPOSSIBLE || right == IMPOSSIBLE {
                    continue;
                }
                let corners = [x[i], x[m], x[k]];
                let normal = unit_normal(corners);
                let across = |a: usize, b: usize| {
                    if b == a + 1 {
                        outer[a]
                    } else {
                        unit_normal([x[a], x[apex[slot(a, b)]], x[b]])
                    }
                };
                let mut fold = left.fold.max(right.fold);
                fold = fold.max(fold_cost(&normal, &across(i, m)));
                fold = fold.max(fold_cost(&normal, &across(m, k)));
                if is_root {
                    fold = fold.max(fold_cost(&normal, &outer[k]));
                }
                let [a, b, c] = corners;
                let edges =
                    (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
                let size = left.size + right.size + double_area(corners) + 0.05 * edges;
                let cost = Cost { fold, size };
                if cost < best[slot(i, k)] {
                    best[slot(i, k)] = cost;
                    apex[slot(i, k)] = m;
                }
            }
        }
    }
    if n < 3 || best[slot(0, n - 1)] == IMPOSSIBLE {
        return None;
    }
    let mut patch = Vec::with_capacity(n - 2);
    let mut chords = vec![(0, n - 1)];
    while let Some((i, k)) = chords.pop() {
        if k > i + 1 {
            let m = apex[slot(i, k)];
            patch.push([i, m, k].map(|at| boundary_loop.vertices[at]));
            chords.extend([(m, k), (i, m)]);
        }
    }
    // the back of a single triangle is no patch
    let is_existing = |t: &[u32; 3]| {
        boundary_loop.outer.iter().any(|&o| {
            let old = surface.triangles[o as usize];
            t.iter().all(|v| old.contains(v))
        })
    };
    (!patch.iter().any(is_existing)).then_some(patch)
}

fn fold_cost(a: &Vec3, b: &Vec3) -> i64 {
    ((1.0 - a.dot(b)) * 1e4).round() as i64
}
