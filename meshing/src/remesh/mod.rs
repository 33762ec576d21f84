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

mod attempt;
mod attract;
mod coarse;
mod crease;
mod decimation;
mod domain;
mod error;
mod fallback;
mod history;
mod parts;
mod planar;
mod quality;
mod refine;
mod relax;
mod samples;
#[cfg(test)]
mod tests;

pub use error::RemeshError;
pub use quality::{LevelQuality, level_qualities};

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;

use crate::subdivide::{
    EdgeTable, SharpEdges, TRIANGLE_LIMIT, check_size, require_closed_manifold,
};
use attempt::mapped;
use crease::Creases;
use domain::Domain;
use fallback::projected;
use parts::Parts;

/// Bases that are tried, each with half as many triangles more.
const ATTEMPTS: usize = 5;
const GROWTH: f64 = 1.5;
/// Distance that is good enough, over the diagonal.
const CLOSE: f64 = 0.005;
/// Edges of the input that are more than this times as long as the mean should be are split.
const LONG: f64 = 3.0;
/// Splitting makes no more triangles than this, or four times the input.
const FINE_DOMAIN: usize = 150_000;
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
    /// No map was free of folds and near enough: midpoints of a decimated mesh, moved to the closest points of the surface but for those that would fold or cross there.
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
    /// Edges of each level that run along sharp lines of the input (it bends there by more than 40 degrees); for Loop subdivision of a level.
    pub sharp: Vec<SharpEdges>,
    /// Two-sided distance of the finest level from the input over its diagonal, sampled at vertices, edges and faces ([`crate::distance::hausdorff`]);
    /// long edges of the input are split first, which adds samples there.
    pub distance_rel: f64,
    /// Distance from samples of the finest level to the input, over its diagonal.
    pub distance_to_input_rel: f64,
    /// Distance from samples of the input to the finest level, over the diagonal: what the mesh cuts off.
    pub distance_from_input_rel: f64,
    /// Triangles of the finest level whose normal is more than a right angle from that of the input beside them.
    pub folded_triangles: usize,
    /// Pairs of triangles of the finest level that cross.
    pub self_intersections: usize,
    /// Whether the finest level is a closed, oriented manifold with the components and the Euler number of the input.
    pub same_topology: bool,
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

    /// Whether the result is free of folds, does not cross itself, and is within 0.5 % of the diagonal.
    pub fn is_good(&self) -> bool {
        self.harm() == 0 && self.distance_rel <= CLOSE
    }

    fn harm(&self) -> usize {
        self.folded_triangles + self.self_intersections + usize::from(!self.same_topology)
    }
}

/// Remeshes a closed, oriented manifold of any genus and any number of components.
///
/// The best of up to five bases and the fallback is returned, so look at [`SemiRegular::is_good`]. The base has more triangles than asked for where no more can be removed or
/// nothing smaller is good. The same input gives the same bits. Errors name what is not a closed manifold; `TooManyTriangles` above [`TRIANGLE_LIMIT`]. Cost O(n log n): about 4 s an attempt for 70,000 triangles in and out.
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
    let parts = Parts::of(surface);
    let first = spec.base_faces.unwrap_or_else(|| {
        let same = surface.triangles.len() as f64 / 4.0_f64.powi(spec.levels.min(64) as i32);
        parts.least_triangles().max(same.round() as usize)
    });
    let mut plain = surface.clone();
    for x in &mut plain.positions {
        *x = (*x - center) / diagonal;
    }
    // as fine as the finest level, or as the input on average
    let finest = (first as f64 * 4.0_f64.powi(spec.levels.min(8) as i32)).min(FINE_DOMAIN as f64);
    let triangles = finest.max(surface.triangles.len() as f64);
    let edge = (4.0 * plain.area() / (3.0_f64.sqrt() * triangles)).sqrt();
    progress.stage("refining");
    let most = FINE_DOMAIN.max(4 * surface.triangles.len());
    let unit = refine::refined(&plain, LONG * edge, most);
    progress.check()?;
    let mut creases = Creases::of(&unit);
    if 2 * creases.corners() > first {
        // sharp everywhere: no base of that size can keep all lines
        creases = Creases::none(&unit);
    }
    let parts = match spec.base_faces {
        None => Parts::of(&unit),
        Some(_) => Parts::of(&unit).without_least(),
    };
    let domain = Domain::new(&unit, &creases);
    let mut best: Option<SemiRegular> = None;
    let mut attempts = 0;
    for k in 0..ATTEMPTS {
        let goal = (first as f64 * GROWTH.powi(k as i32)).round() as usize;
        progress.stage("decimating");
        let coarse = decimation::decimated(&unit, &creases, &parts, goal, progress)?;
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
        keep_better(&mut best, found);
        let done = coarse.live == unit.triangles.len() || coarse.live > 2 * goal;
        if done || best.as_ref().is_some_and(SemiRegular::is_good) {
            break;
        }
    }
    let falls_back = |b: &SemiRegular| b.harm() > 0 || (spec.base_faces.is_none() && !b.is_good());
    if best.as_ref().is_some_and(falls_back)
        && let Some(found) = projected(&domain, &plain, first, spec.levels, progress)?
    {
        keep_better(&mut best, found);
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

/// Harm counts first, then the distance; of equals the earlier stays.
fn keep_better(best: &mut Option<SemiRegular>, found: SemiRegular) {
    // distances are not negative, so their bits are in order
    let rank = |r: &SemiRegular| (r.harm(), r.distance_rel.to_bits());
    if best.as_ref().is_none_or(|b| rank(&found) < rank(b)) {
        *best = Some(found);
    }
}
