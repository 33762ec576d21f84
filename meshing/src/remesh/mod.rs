//! Semi-regular remeshing: any closed manifold surface as a small base mesh that is subdivided, with every vertex on the surface.
//!
//! 1. Vertices are removed down to the base, each step recorded as two triangulations of one plane polygon (successive self-parameterisation, Liu et al. 2021, with the vertex
//!    removals of Lee et al. 1998, MAPS). 2. The base is subdivided at the midpoints and its vertices are taken back to the surface through the records. 3. They slide along the
//!    surface until the triangles are even and none is folded. 4. The result is measured; when it is folded or too far away, a base with half as many triangles more is tried.
//!
//! Levels have the numbering of [`crate::subdivide`]: level l is a prefix of level l + 1.
//!
//! ```
//! use pliant_core::asset::Progress;
//! use pliant_meshing::procedural::{ProceduralSpec, body};
//! use pliant_meshing::remesh::{RemeshSpec, remesh};
//! let torus = body(&ProceduralSpec::new("torus"), &Progress::new())?;
//! let result = remesh(&torus, &RemeshSpec { levels: 2, base_faces: None }, &Progress::new())?;
//! assert_eq!(result.levels[2].triangles.len(), 16 * result.base().triangles.len());
//! assert!(result.folded_triangles == 0 && result.distance_rel < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coarse;
mod decimation;
mod domain;
mod error;
mod history;
mod refine;
mod relax;
#[cfg(test)]
mod tests;

pub use error::RemeshError;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::{SurfacePoint, VertexGroup};
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use crate::distance::hausdorff;
use crate::subdivide::{
    EdgeTable, Scheme, SharpEdges, Subdivision, TRIANGLE_LIMIT, check_size,
    require_closed_manifold, subdivide,
};
use coarse::Coarse;
use domain::Domain;

/// Bases that are tried, each with half as many triangles more.
const ATTEMPTS: usize = 5;
const GROWTH: f64 = 1.5;
/// Distance that is good enough, over the diagonal.
const CLOSE: f64 = 0.005;
/// Sweeps over the finest level.
const SWEEPS: usize = 12;
/// Edges of the input that are more than this times as long as the mean should be are split.
const LONG: f64 = 3.0;
/// Splitting makes no more triangles than this, or four times the input.
const FINE_DOMAIN: usize = 150_000;
/// Triangles that a base needs for a body without handles, and for each handle.
const BASE_PLAIN: usize = 64;
const BASE_HANDLE: usize = 40;

/// What to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemeshSpec {
    /// Number of subdivisions; the finest level has 4^levels triangles for each of the base.
    pub levels: usize,
    /// Triangles of the first base to try; where not given, as many as make the finest level about as fine as the input, but at least 64 and 40
    /// for each handle.
    pub base_faces: Option<usize>,
}

/// How the vertices were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Through the map between the base and the surface.
    Mapped,
    /// No mapped result was free of folds: Loop subdivision of the base, every vertex moved to the closest point of the surface.
    Projected,
}

/// A surface with subdivision connectivity.
#[derive(Debug, Clone, PartialEq)]
pub struct SemiRegular {
    /// The base and its refinements. Vertices lie on the input surface and keep number and place from level to level. A vertex belongs to the groups
    /// of the input vertex nearest to it in its triangle.
    pub levels: Vec<SurfaceMesh>,
    /// Edges of each level but the finest: edge `e` of level `l` is the parent of vertex `levels[l].vertex_count() + e` of level `l + 1`.
    pub edges: Vec<EdgeTable>,
    /// Two-sided distance of the finest level from the input over its diagonal, sampled at vertices, edges and faces ([`hausdorff`]);
    /// long edges of the input are split first, which adds samples there.
    pub distance_rel: f64,
    /// Triangles of the finest level whose normal is more than a right angle from that of the input beside them.
    pub folded_triangles: usize,
    /// Least number of neighbours of a base vertex.
    pub base_valence_min: usize,
    /// Largest number of neighbours of a base vertex.
    pub base_valence_max: usize,
    /// Longest edge of the finest level over the mean.
    pub longest_edge_ratio: f64,
    /// Bases that were tried.
    pub attempts: usize,
    /// How the vertices were found.
    pub origin: Origin,
}

impl SemiRegular {
    /// The coarsest level.
    pub fn base(&self) -> &SurfaceMesh {
        &self.levels[0]
    }

    /// Whether the result is free of folds and within 0.5 % of the diagonal.
    pub fn is_good(&self) -> bool {
        self.folded_triangles == 0 && self.distance_rel <= CLOSE
    }
}

/// Remeshes a closed, oriented manifold of any genus and any number of components.
///
/// The best of up to five bases is returned, so look at [`SemiRegular::is_good`]. The base has more triangles than asked for where no more can be removed. The same input
/// gives the same bits. Errors name what is not a closed manifold; `TooManyTriangles` above [`TRIANGLE_LIMIT`]. Cost O(n log n): about 4 s an attempt for 70,000 triangles in and out.
pub fn remesh(
    surface: &SurfaceMesh,
    spec: &RemeshSpec,
    progress: &Progress,
) -> Result<SemiRegular, RemeshError> {
    progress.stage("checking");
    require_closed_manifold(surface, progress)?;
    let bounds = surface.bounds();
    let (center, diagonal) = (bounds.center(), bounds.diagonal());
    if !(diagonal > 0.0 && diagonal.is_finite()) {
        return Err(RemeshError::BadExtent { diagonal });
    }
    if let Some(base_faces) = spec.base_faces.filter(|&n| n < 4) {
        return Err(RemeshError::BaseTooSmall { base_faces });
    }
    let mut unit = surface.clone();
    for x in &mut unit.positions {
        *x = (*x - center) / diagonal;
    }
    let first = spec
        .base_faces
        .unwrap_or_else(|| default_base(surface, spec.levels));
    // as fine as the finest level, or as the input on average
    let finest = (first as f64 * 4.0_f64.powi(spec.levels.min(8) as i32)).min(FINE_DOMAIN as f64);
    let triangles = finest.max(surface.triangles.len() as f64);
    let edge = (4.0 * unit.area() / (3.0_f64.sqrt() * triangles)).sqrt();
    let unit = refine::refined(
        &unit,
        LONG * edge,
        FINE_DOMAIN.max(4 * surface.triangles.len()),
    );
    let domain = Domain::new(&unit);
    let mut best: Option<SemiRegular> = None;
    let mut attempts = 0;
    for k in 0..ATTEMPTS {
        let goal = (first as f64 * GROWTH.powi(k as i32)).round() as usize;
        progress.stage("decimating");
        let coarse = decimation::decimated(&unit, goal, progress)?;
        if check_size(coarse.live, spec.levels).is_err() {
            if best.is_some() {
                break;
            }
            return Err(RemeshError::TooManyTriangles {
                levels: spec.levels,
                base_faces: coarse.live,
                limit: TRIANGLE_LIMIT,
            });
        }
        attempts += 1;
        let found = mapped(&domain, &coarse, spec.levels, progress)?;
        if best.as_ref().is_none_or(|b| rank(&found) < rank(b)) {
            best = Some(found);
        }
        let done = coarse.live == unit.triangles.len() || coarse.live > 2 * goal;
        if done || best.as_ref().is_some_and(SemiRegular::is_good) {
            break;
        }
    }
    if best.as_ref().is_some_and(|b| b.folded_triangles > 0) {
        progress.stage("decimating");
        let coarse = decimation::decimated(&unit, first, progress)?;
        let found = projected(&domain, &coarse, spec.levels, progress)?;
        if best.as_ref().is_none_or(|b| rank(&found) < rank(b)) {
            best = Some(found);
        }
    }
    let Some(mut result) = best else {
        return Err(RemeshError::EmptyMesh);
    };
    result.attempts = attempts;
    for x in result.levels.iter_mut().flat_map(|l| &mut l.positions) {
        *x = *x * diagonal + center;
    }
    Ok(result)
}

/// Folds count first, then whether it is near enough, then the distance.
fn rank(found: &SemiRegular) -> (usize, u64) {
    // distances are not negative, so their bits are in order
    (found.folded_triangles, found.distance_rel.to_bits())
}

fn default_base(surface: &SurfaceMesh, levels: usize) -> usize {
    let shape = topology(surface);
    let handles = shape.genus().unwrap_or(0).max(0) as usize;
    let least = BASE_PLAIN * shape.components + BASE_HANDLE * handles;
    let same = surface.triangles.len() as f64 / 4.0_f64.powi(levels.min(64) as i32);
    least.max(same.round() as usize)
}

/// The base as a surface, with the number of the input triangle that each of its triangles is.
fn base_of(coarse: &Coarse) -> (SurfaceMesh, Vec<u32>) {
    let mut number = vec![u32::MAX; coarse.positions.len()];
    let mut positions = Vec::new();
    for (v, around) in coarse.around.iter().enumerate() {
        if !around.is_empty() {
            number[v] = positions.len() as u32;
            positions.push(coarse.positions[v]);
        }
    }
    let live: Vec<u32> = (0..coarse.faces.len() as u32)
        .filter(|&f| coarse.alive[f as usize])
        .collect();
    let triangles = (live.iter())
        .map(|&f| coarse.faces[f as usize].map(|v| number[v as usize]))
        .collect();
    (SurfaceMesh::new(positions, triangles), live)
}

/// Where the vertices of the finest level lie on the base: triangle of the base and weights.
fn places_on_base(result: &Subdivision) -> Vec<SurfacePoint> {
    let corner = |t: usize, c: usize| {
        let mut weights = [0.0; 3];
        weights[c] = 1.0;
        SurfacePoint {
            triangle: t as u32,
            weights,
        }
    };
    let base = &result.levels[0];
    // corners of each triangle of the present level in its triangle of the base
    let mut corners: Vec<[SurfacePoint; 3]> = (0..base.triangles.len())
        .map(|t| [0, 1, 2].map(|c| corner(t, c)))
        .collect();
    for _ in 1..result.levels.len() {
        corners = (corners.iter())
            .flat_map(|&[a, b, c]| {
                let middle = |p: SurfacePoint, q: SurfacePoint| SurfacePoint {
                    triangle: p.triangle,
                    weights: [0, 1, 2].map(|k| 0.5 * (p.weights[k] + q.weights[k])),
                };
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let finest = &result.levels[result.levels.len() - 1];
    let mut places: Vec<Option<SurfacePoint>> = vec![None; finest.vertex_count()];
    for (triangle, at) in finest.triangles.iter().zip(&corners) {
        for (&v, p) in triangle.iter().zip(at) {
            // a vertex between triangles is taken from the first of them
            places[v as usize].get_or_insert(*p);
        }
    }
    (places.into_iter())
        .map(|p| p.unwrap_or_else(|| corner(0, 0)))
        .collect()
}

fn mapped(
    domain: &Domain<'_>,
    coarse: &Coarse,
    levels: usize,
    progress: &Progress,
) -> Result<SemiRegular, RemeshError> {
    let (base, live) = base_of(coarse);
    let tree = subdivide(
        &base,
        levels,
        Scheme::Midpoint,
        &SharpEdges::none(),
        progress,
    )?;
    progress.stage("mapping");
    let mut points = places_on_base(&tree);
    for p in &mut points {
        p.triangle = live[p.triangle as usize];
    }
    (coarse.history).rewind(domain.surface.triangles.len(), &mut points, progress)?;
    finished(domain, tree, points, Origin::Mapped, progress)
}

fn projected(
    domain: &Domain<'_>,
    coarse: &Coarse,
    levels: usize,
    progress: &Progress,
) -> Result<SemiRegular, RemeshError> {
    let (base, _) = base_of(coarse);
    let tree = subdivide(&base, levels, Scheme::Loop, &SharpEdges::none(), progress)?;
    progress.stage("projecting");
    let surface = TriangleTree::new(&domain.surface.positions, &domain.surface.triangles);
    let smooth = &tree.levels[tree.levels.len() - 1].positions;
    let nowhere = SurfacePoint {
        triangle: 0,
        weights: [1.0, 0.0, 0.0],
    };
    let points = (smooth.par_iter())
        .map(|x| surface.closest(x).map_or(nowhere, |c| c.surface_point()))
        .collect();
    finished(domain, tree, points, Origin::Projected, progress)
}

/// Relaxes and measures.
fn finished(
    domain: &Domain<'_>,
    mut tree: Subdivision,
    mut points: Vec<SurfacePoint>,
    origin: Origin,
    progress: &Progress,
) -> Result<SemiRegular, RemeshError> {
    progress.stage("relaxing");
    let last = tree.levels.len() - 1;
    let mut relaxation = relax::Relaxation::new(domain, &tree.levels[last].triangles, &mut points);
    for k in 0..SWEEPS {
        relaxation.sweep(progress)?;
        progress.set_fraction(k as f64 / SWEEPS as f64);
    }
    relaxation.unfold(progress)?;
    relaxation.attract(0.4 * CLOSE, progress)?;
    relaxation.unfold(progress)?;
    let positions = relaxation.positions;
    let groups = groups_of(domain.surface, &points);
    for level in &mut tree.levels {
        let count = level.vertex_count();
        level.positions.copy_from_slice(&positions[..count]);
        level.groups = (groups.iter())
            .map(|g| VertexGroup {
                name: g.name.clone(),
                vertices: g.vertices[..g.vertices.partition_point(|&v| (v as usize) < count)]
                    .to_vec(),
            })
            .collect();
    }
    progress.stage("measuring");
    progress.check()?;
    let finest = &tree.levels[last];
    let neighbours = tree.levels[0].vertex_neighbours();
    let valences = || (0..neighbours.len()).map(|v| neighbours.row(v).len());
    Ok(SemiRegular {
        distance_rel: hausdorff(finest, domain.surface),
        folded_triangles: relax::folded(domain, finest, &points),
        base_valence_min: valences().min().unwrap_or(0),
        base_valence_max: valences().max().unwrap_or(0),
        longest_edge_ratio: longest_edge(finest) / finest.mean_edge(),
        attempts: 0,
        origin,
        levels: tree.levels,
        edges: tree.edges,
    })
}

fn longest_edge(surface: &SurfaceMesh) -> f64 {
    (0..surface.triangles.len())
        .flat_map(|t| {
            let [a, b, c] = surface.corners(t);
            [b - a, c - b, a - c].map(|e: Vec3| e.norm())
        })
        .fold(0.0, f64::max)
}

fn groups_of(surface: &SurfaceMesh, points: &[SurfacePoint]) -> Vec<VertexGroup> {
    let nearest = |p: &SurfacePoint| {
        let heaviest = (0..3).max_by(|&i, &j| p.weights[i].total_cmp(&p.weights[j]));
        surface.triangles[p.triangle as usize][heaviest.unwrap_or(0)]
    };
    (surface.groups.iter())
        .map(|group| VertexGroup {
            name: group.name.clone(),
            vertices: (0..points.len() as u32)
                .filter(|&v| {
                    (group.vertices)
                        .binary_search(&nearest(&points[v as usize]))
                        .is_ok()
                })
                .collect(),
        })
        .collect()
}
