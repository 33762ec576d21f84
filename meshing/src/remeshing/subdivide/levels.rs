//! Levels of subdivision, by midpoints or by Loop's rules.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::edges::EdgeTable;
use super::error::{SubdivideError, require_closed_manifold};
use super::sharp::SharpEdges;

/// The most triangles of a finest level.
pub const TRIANGLE_LIMIT: usize = 4_000_000;

/// Where the vertices of a new level lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Odd vertices in the middle of their edges, even ones stay: linear interpolation.
    Midpoint,
    /// Loop 1987, with sharp edges as in Hoppe et al. 1994: an odd vertex of a sharp edge in its middle, an even vertex with two sharp edges at
    /// 1/8, 6/8, 1/8 along them, with three or more fixed, with one as if it were smooth.
    Loop,
}

/// Levels of a subdivided surface, coarse to fine.
#[derive(Debug, Clone, PartialEq)]
pub struct Subdivision {
    /// The base and `levels` refinements of it. An odd vertex is in a group when both ends of its edge are.
    pub levels: Vec<SurfaceMesh>,
    /// Edges of each level but the finest: edge `e` of level `l` is the parent of vertex `levels[l].vertex_count() + e` of level `l + 1`.
    pub edges: Vec<EdgeTable>,
    /// Sharp edges of each level.
    pub sharp: Vec<SharpEdges>,
}

/// Subdivides a closed manifold `levels` times.
///
/// `sharp` matters to [`Scheme::Loop`] only. Cost O(n) for n finest triangles, under a microsecond each.
///
/// # Errors
/// What is not a closed, oriented manifold; [`SubdivideError::TooManyTriangles`] (more than [`TRIANGLE_LIMIT`]); [`SubdivideError::Cancelled`].
pub fn subdivide(
    base: &SurfaceMesh,
    levels: usize,
    scheme: Scheme,
    sharp: &SharpEdges,
    progress: &Progress,
) -> Result<Subdivision, SubdivideError> {
    require_closed_manifold(base, progress)?;
    check_size(base.triangles.len(), levels)?;
    let mut result = Subdivision {
        levels: vec![base.clone()],
        edges: Vec::with_capacity(levels),
        sharp: vec![sharp.clone()],
    };
    let (mut surface, mut sharp) = (base.clone(), sharp.clone());
    for _ in 0..levels {
        progress.check()?;
        let count = surface.vertex_count();
        let table = EdgeTable::new(count, &surface.triangles);
        let positions = match scheme {
            Scheme::Midpoint => midpoint_positions(&surface, &table),
            Scheme::Loop => loop_positions(&surface, &table, &sharp),
        };
        let mut groups = surface.groups.clone();
        for group in &mut groups {
            table.extend_group(group, |e| Some((count + e) as u32));
        }
        sharp = sharp.split(count, &table);
        surface = SurfaceMesh {
            triangles: table.split(count, &surface.triangles),
            positions,
            groups,
        };
        result.levels.push(surface.clone());
        result.edges.push(table);
        result.sharp.push(sharp.clone());
    }
    Ok(result)
}

/// Refuses a finest level of more than [`TRIANGLE_LIMIT`] triangles.
pub(crate) fn check_size(base_triangles: usize, levels: usize) -> Result<(), SubdivideError> {
    let triangles = base_triangles as f64 * 4.0_f64.powi(levels.min(64) as i32);
    if triangles > TRIANGLE_LIMIT as f64 {
        return Err(SubdivideError::TooManyTriangles {
            levels,
            base_faces: base_triangles,
            limit: TRIANGLE_LIMIT,
        });
    }
    Ok(())
}

fn midpoint_positions(surface: &SurfaceMesh, table: &EdgeTable) -> Vec<Vec3> {
    let x = |v: u32| surface.positions[v as usize];
    let odd = table.ends.iter().map(|&[a, b]| (x(a) + x(b)) * 0.5);
    surface.positions.iter().copied().chain(odd).collect()
}

fn loop_positions(surface: &SurfaceMesh, table: &EdgeTable, sharp: &SharpEdges) -> Vec<Vec3> {
    let x = |v: u32| surface.positions[v as usize];
    let count = surface.vertex_count();
    let mut ring = vec![(0_usize, Vec3::zeros()); count];
    for &[a, b] in &table.ends {
        for (v, w) in [(a, b), (b, a)] {
            ring[v as usize].0 += 1;
            ring[v as usize].1 += x(w);
        }
    }
    let at_vertices = sharp.at_vertices(count);
    let even = |v: usize| {
        let own = surface.positions[v];
        match at_vertices[v][..] {
            [] | [_] => {
                let (n, sum) = ring[v];
                let (at_own, at_each) = even_weights(n);
                own * at_own + sum * at_each
            }
            [a, b] => own * 0.75 + (x(a) + x(b)) * 0.125,
            _ => own,
        }
    };
    let odd = |e: usize| {
        let ([a, b], [c, d]) = (table.ends[e], table.opposite[e]);
        if sharp.contains([a, b]) {
            (x(a) + x(b)) * 0.5
        } else {
            (x(a) + x(b)) * 0.375 + (x(c) + x(d)) * 0.125
        }
    };
    (0..count)
        .map(even)
        .chain((0..table.len()).map(odd))
        .collect()
}

/// Weights of a smooth even vertex and of each of its `n` neighbours in its new position (Loop 1987).
pub(super) fn even_weights(n: usize) -> (f64, f64) {
    if n == 0 {
        return (1.0, 0.0);
    }
    let cosine_term = 0.375 + 0.25 * (2.0 * std::f64::consts::PI / n as f64).cos();
    let each = (0.625 - cosine_term * cosine_term) / n as f64;
    (1.0 - n as f64 * each, each)
}
