//! Makes a finished result of one base.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::surface::{SurfacePoint, VertexGroup};
use pliant_core::mesh::validate::topology;

use super::base::coarse::Coarse;
use super::input::domain::Domain;
use super::relaxation::relax::{Relaxation, folded};
use super::relaxation::samples::Samples;
use super::result::{Origin, SemiRegular};
use super::spec::GOOD_DISTANCE;
use crate::geometry::distance::one_sided;
use crate::geometry::self_intersection::crossing_pairs;
use crate::remeshing::groups::groups_at;
use crate::remeshing::subdivide::levels::{Scheme, Subdivision, subdivide};
use crate::remeshing::subdivide::{SharpEdges, SubdivideError};

/// Sweeps over the finest level.
const SWEEPS: usize = 12;
/// Vertices are pulled above this share of [`GOOD_DISTANCE`].
const PULL_TOLERANCE: f64 = 0.4;
/// Most rounds of untangling folded and crossing triangles, and up to how many triangles that is tried.
const UNTANGLING_ROUNDS: usize = 4;
const MAX_UNTANGLED: usize = 1000;

/// The base as a surface.
pub(crate) struct Base {
    pub(crate) surface: SurfaceMesh,
    /// number of the input triangle that each triangle is
    pub(crate) input_triangle: Vec<u32>,
    sharp: SharpEdges,
    /// vertices at corners of sharp lines
    is_corner: Vec<bool>,
}

impl Base {
    pub(crate) fn of(coarse: &Coarse) -> Self {
        let (surface, number) = coarse.mesh.compacted();
        let corners = coarse.is_corner.iter().zip(&number);
        let corner = corners.filter(|(_, n)| **n != u32::MAX).map(|(c, _)| *c);
        let lines = (coarse.sharp_neighbours.iter().enumerate()).flat_map(|(v, ends)| {
            let number = &number;
            (ends.iter()).map(move |&w| [number[v], number[w as usize]])
        });
        Self {
            surface,
            input_triangle: coarse.mesh.live_faces().collect(),
            is_corner: corner.collect(),
            sharp: SharpEdges::from_edges(lines),
        }
    }
}

/// Subdivides a base at its midpoints and takes them to the surface through the records of the decimation.
pub(crate) fn mapped(
    domain: &Domain<'_>,
    coarse: &Coarse,
    levels: usize,
    progress: &Progress,
) -> Result<SemiRegular, SubdivideError> {
    let base = Base::of(coarse);
    let tree = subdivide(
        &base.surface,
        levels,
        Scheme::Midpoint,
        &base.sharp,
        progress,
    )?;
    progress.stage("mapping");
    let mut samples = Samples::on_base(&tree, &base.is_corner);
    for p in &mut samples.points {
        p.triangle = base.input_triangle[p.triangle as usize];
    }
    let faces = domain.surface.triangles.len();
    (coarse.history).rewind(faces, &mut samples.points, progress)?;
    finished(domain, tree, samples, progress)
}

/// Relaxes and measures.
fn finished(
    domain: &Domain<'_>,
    tree: Subdivision,
    samples: Samples,
    progress: &Progress,
) -> Result<SemiRegular, SubdivideError> {
    progress.stage("relaxing");
    let last = tree.levels.len() - 1;
    let mut relaxation = Relaxation::new(domain, &tree.levels[last].triangles, samples);
    for k in 0..SWEEPS {
        relaxation.sweep(None, progress)?;
        progress.set_fraction(k as f64 / SWEEPS as f64);
    }
    progress.stage("unfolding");
    relaxation.unfold(progress)?;
    progress.stage("attracting");
    relaxation.attract(PULL_TOLERANCE * GOOD_DISTANCE, progress)?;
    progress.stage("unfolding again");
    relaxation.unfold(progress)?;
    progress.stage("untangling");
    let mut mesh = SurfaceMesh::new(relaxation.positions(), tree.levels[last].triangles.clone());
    for _ in 0..UNTANGLING_ROUNDS {
        let defective = defective(domain, &mesh, &relaxation.points(), progress)?;
        // with more defects the base is unsuitable
        if defective.is_empty() || defective.len() > MAX_UNTANGLED {
            break;
        }
        relaxation.untangle(&defective, progress)?;
        mesh.positions = relaxation.positions();
    }
    let points = relaxation.points();
    measured(
        domain,
        tree,
        &mesh.positions,
        &points,
        Origin::Mapped,
        progress,
    )
}

/// Triangles that are folded or cross others.
fn defective(
    domain: &Domain<'_>,
    mesh: &SurfaceMesh,
    points: &[SurfacePoint],
    progress: &Progress,
) -> Result<Vec<usize>, SubdivideError> {
    let crossing = crossing_pairs(mesh, progress)?;
    let crossing = crossing.iter().flatten().map(|&t| t as usize);
    Ok(sorted_set(
        folded(domain, mesh, points).into_iter().chain(crossing),
    ))
}

/// Moves the vertices of the levels to `positions`, the points `points` of the input, gives the levels its groups and measures the finest of them.
pub(crate) fn measured(
    domain: &Domain<'_>,
    mut tree: Subdivision,
    positions: &[Vec3],
    points: &[SurfacePoint],
    origin: Origin,
    progress: &Progress,
) -> Result<SemiRegular, SubdivideError> {
    progress.stage("measuring");
    progress.check()?;
    let groups = groups_at(domain.surface, points.iter().copied().map(Some));
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
    let finest = &tree.levels[tree.levels.len() - 1];
    let folded_triangles = folded(domain, finest, points).len();
    let to_input = one_sided(finest, domain.surface);
    progress.check()?;
    let from_input = one_sided(domain.surface, finest);
    progress.check()?;
    let self_intersections = crossing_pairs(finest, progress)?.len();
    let neighbours = tree.levels[0].vertex_neighbours();
    let valences = || (0..neighbours.len()).map(|v| neighbours.row(v).len());
    let (before, after) = (topology(domain.surface), topology(finest));
    Ok(SemiRegular {
        distance_rel: to_input.max(from_input),
        distance_to_input_rel: to_input,
        distance_from_input_rel: from_input,
        folded_triangles,
        self_intersections,
        same_topology: (before.components, before.euler) == (after.components, after.euler)
            && after.is_sound(),
        base_valence_min: valences().min().unwrap_or(0),
        base_valence_max: valences().max().unwrap_or(0),
        longest_edge_ratio: longest_edge(finest) / finest.mean_edge(),
        attempts: 0,
        origin,
        levels: tree.levels,
        edges: tree.edges,
        sharp: tree.sharp,
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
