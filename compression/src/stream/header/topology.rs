//! A subdivision hierarchy in bytes: the base mesh, and for each level the edges that its vertices split. The triangles follow from these.

use std::collections::BTreeSet;

use pliant_core::mesh::adjacency::{triangle_edges, unique_edges};

use crate::stream::bytes::{ByteReader, ByteWriter};
use crate::stream::error::StreamError;
use crate::subdivision::{Refinement, SubdivisionHierarchy, split};

/// Most levels: with one more, every base triangle has more than 2^32 triangles.
const MAX_LEVELS: u8 = 16;
/// The vertices of a level are in the order of the edges, or the edges that they split are listed.
const BY_EDGES: u8 = 0;
const LISTED: u8 = 1;

/// Appends a hierarchy.
pub(in crate::stream) fn write_hierarchy(hierarchy: &SubdivisionHierarchy, out: &mut ByteWriter) {
    out.varint(hierarchy.vertex_count(0) as u64);
    out.varint(hierarchy.triangles(0).len() as u64);
    let mut last = 0;
    for &v in hierarchy.triangles(0).iter().flatten() {
        out.signed(i64::from(v) - last);
        last = i64::from(v);
    }
    out.value(hierarchy.finest() as u8);
    for level in 1..=hierarchy.finest() {
        let parents = hierarchy.parents(level);
        if parents == unique_edges(hierarchy.triangles(level - 1)) {
            out.value(BY_EDGES);
            continue;
        }
        out.value(LISTED);
        let mut last = 0;
        for &[a, b] in parents {
            out.signed(i64::from(a) - last);
            out.signed(i64::from(b) - i64::from(a));
            last = i64::from(a);
        }
    }
}

/// The size of a hierarchy, which is known before it is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::stream) struct HierarchySize {
    /// Vertices and triangles of the finest level.
    pub vertices: u64,
    pub triangles: u64,
}

/// The base mesh and the parents of each level.
#[derive(Debug)]
pub(in crate::stream) struct Topology {
    base_vertices: usize,
    base: Vec<[u32; 3]>,
    /// The parents of each level; none where its vertices are in the order of the edges.
    parents: Vec<Option<Vec<[u32; 2]>>>,
}

impl Topology {
    /// Reads what [`write_hierarchy`] wrote. Memory: in proportion to the bytes.
    ///
    /// # Errors
    /// [`StreamError::Truncated`], [`StreamError::Damaged`], [`StreamError::NotManifold`].
    pub fn read(bytes: &mut ByteReader<'_>) -> Result<Self, StreamError> {
        let base_vertices = bytes.count(1, "vertices")?;
        let triangles = bytes.count(24, "triangles")?;
        let mut last = 0;
        let mut corner = |bytes: &mut ByteReader<'_>| {
            last = read_vertex(bytes, last, base_vertices as u64)?;
            Ok::<u32, StreamError>(last)
        };
        let mut base = Vec::with_capacity(triangles);
        for _ in 0..triangles {
            base.push([corner(bytes)?, corner(bytes)?, corner(bytes)?]);
        }
        check_manifold(&base)?;
        let levels = bytes.value::<u8>()?;
        if levels > MAX_LEVELS {
            return Err(bytes.damaged(&format!("{levels} levels are more than {MAX_LEVELS}")));
        }
        let mut topology = Self {
            base_vertices,
            base,
            parents: Vec::new(),
        };
        for _ in 0..levels {
            let before = topology.size(bytes)?;
            let parents = match bytes.value::<u8>()? {
                BY_EDGES => None,
                LISTED => {
                    topology.parents.push(None);
                    let added = topology.size(bytes)?.vertices - before.vertices;
                    topology.parents.pop();
                    Some(read_parents(bytes, added, before.vertices)?)
                }
                other => return Err(bytes.damaged(&format!("{other} is no kind of a level"))),
            };
            topology.parents.push(parents);
        }
        Ok(topology)
    }

    /// Vertices and triangles of the finest level.
    ///
    /// # Errors
    /// [`StreamError::Damaged`] where they are more than 32 bits can number.
    pub fn size(&self, bytes: &ByteReader<'_>) -> Result<HierarchySize, StreamError> {
        let (mut vertices, mut triangles) = (self.base_vertices as u64, self.base.len() as u64);
        let mut edges = unique_edges(&self.base).len() as u64;
        for _ in &self.parents {
            vertices += edges;
            edges = 2 * edges + 3 * triangles;
            triangles *= 4;
            if vertices.max(triangles).max(edges) > u64::from(u32::MAX) {
                return Err(bytes.damaged("the hierarchy has more than 2^32 edges"));
            }
        }
        Ok(HierarchySize {
            vertices,
            triangles,
        })
    }

    /// The sum of the squares of the numbers of triangles around base vertices.
    pub fn squared_valence_sum(&self) -> u64 {
        let mut valences = vec![0_u64; self.base_vertices];
        for &v in self.base.iter().flatten() {
            if let Some(valence) = valences.get_mut(v as usize) {
                *valence += 1;
            }
        }
        valences
            .iter()
            .map(|valence| valence * valence)
            .fold(0, u64::saturating_add)
    }

    /// Builds the levels. Memory: about 150 bytes a triangle of the finest level.
    ///
    /// # Errors
    /// [`StreamError::Hierarchy`].
    pub fn build(self, bytes: &ByteReader<'_>) -> Result<SubdivisionHierarchy, StreamError> {
        let wrong = |source| StreamError::Hierarchy {
            offset: bytes.offset(),
            source,
        };
        let mut refinements: Vec<Refinement> = Vec::with_capacity(self.parents.len());
        let mut count = self.base_vertices;
        for parents in self.parents {
            let coarse = refinements.last().map_or(&self.base, |r| &r.triangles);
            let edges = unique_edges(coarse);
            let mut vertex_of_edge: Vec<u32> = (0..edges.len() as u32).collect();
            for (k, &[a, b]) in parents.iter().flatten().enumerate() {
                let place = edges.binary_search(&[a.min(b), a.max(b)]);
                if let Some(vertex) = place.ok().and_then(|p| vertex_of_edge.get_mut(p)) {
                    *vertex = k as u32;
                }
            }
            let middle = |a: u32, b: u32| {
                let place = edges.binary_search(&[a.min(b), a.max(b)]).unwrap_or(0);
                count as u32 + vertex_of_edge.get(place).copied().unwrap_or(0)
            };
            let triangles = split(coarse, middle);
            count += edges.len();
            refinements.push(Refinement {
                parents: parents.unwrap_or(edges),
                triangles,
            });
        }
        SubdivisionHierarchy::new(self.base_vertices, self.base, refinements).map_err(wrong)
    }
}

/// Reads the edges that `count` new vertices split.
fn read_parents(
    bytes: &mut ByteReader<'_>,
    count: u64,
    vertices: u64,
) -> Result<Vec<[u32; 2]>, StreamError> {
    if count > bytes.remaining() as u64 / 2 {
        return Err(bytes.damaged(&format!("{count} edges cannot be in what is left")));
    }
    let mut parents = Vec::with_capacity(count as usize);
    let mut last = 0;
    for _ in 0..count {
        last = read_vertex(bytes, last, vertices)?;
        parents.push([last, read_vertex(bytes, last, vertices)?]);
    }
    Ok(parents)
}

/// Reads a vertex as the difference from `last`.
fn read_vertex(bytes: &mut ByteReader<'_>, last: u32, end: u64) -> Result<u32, StreamError> {
    let at = *bytes;
    let vertex = i64::from(last).checked_add(bytes.signed()?);
    let vertex = vertex.and_then(|v| u32::try_from(v).ok());
    let vertex = vertex.filter(|&v| u64::from(v) < end);
    vertex.ok_or_else(|| at.damaged("a corner does not exist"))
}

/// Each directed edge belongs to one triangle at most. Walks around vertices rely on it.
pub(in crate::stream) fn check_manifold(triangles: &[[u32; 3]]) -> Result<(), StreamError> {
    let mut directed_edges = BTreeSet::new();
    for edge in triangles.iter().flat_map(triangle_edges) {
        if edge[0] == edge[1] || !directed_edges.insert(edge) {
            return Err(StreamError::NotManifold { edge });
        }
    }
    Ok(())
}
