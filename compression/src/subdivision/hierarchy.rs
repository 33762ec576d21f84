//! Levels of vertices and the edges that they came from.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;
use pliant_core::mesh::unique_edges;

use crate::error::CompressionError;

/// One split of every triangle into four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refinement {
    /// The two vertices whose edge each new vertex splits, in the order of the new vertices.
    pub parents: Vec<[u32; 2]>,
    /// The triangles after the split, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A base mesh and its refinements. Vertices keep their numbers from level to level, so that each level is a prefix of the next
/// (James and Pai 2003, section 3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubdivisionHierarchy {
    base_vertices: usize,
    base_triangles: Vec<[u32; 3]>,
    refinements: Vec<Refinement>,
}

impl SubdivisionHierarchy {
    /// Makes a hierarchy from its levels. Vertices of refinement `l` follow those of the levels before it.
    ///
    /// # Errors
    /// [`CompressionError::InconsistentHierarchy`] where a number is out of range, or a level has not one new vertex for each edge.
    pub fn new(
        base_vertices: usize,
        base_triangles: Vec<[u32; 3]>,
        refinements: Vec<Refinement>,
    ) -> Result<Self, CompressionError> {
        let hierarchy = Self {
            base_vertices,
            base_triangles,
            refinements,
        };
        for level in 0..=hierarchy.finest() {
            let wrong = |reason: &str| CompressionError::InconsistentHierarchy {
                level,
                reason: reason.into(),
            };
            let vertices = hierarchy.vertex_count(level);
            let mut corners = hierarchy.triangles(level).iter().flatten();
            if vertices > u32::MAX as usize || corners.any(|&v| v as usize >= vertices) {
                return Err(wrong("a triangle has a corner that does not exist"));
            }
            let Some(refinement) = hierarchy.refinements.get(level) else {
                break;
            };
            let edges = unique_edges(hierarchy.triangles(level));
            let mut parents: Vec<[u32; 2]> = refinement.parents.clone();
            parents.iter_mut().for_each(|p| p.sort_unstable());
            parents.sort_unstable();
            if parents != edges {
                return Err(wrong(
                    "its new vertices do not match the edges, one for each",
                ));
            }
            if refinement.triangles.len() != 4 * hierarchy.triangles(level).len() {
                return Err(wrong("it has not four triangles for each"));
            }
        }
        Ok(hierarchy)
    }

    /// Splits a mesh `levels` times. The new vertices of a level are numbered by their edges `[lower, higher]`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn subdivided(
        vertices: usize,
        triangles: &[[u32; 3]],
        levels: usize,
    ) -> Result<Self, CompressionError> {
        let mut refinements: Vec<Refinement> = Vec::with_capacity(levels);
        let mut count = vertices;
        for _ in 0..levels {
            let coarse = refinements.last().map_or(triangles, |r| &r.triangles);
            let parents = unique_edges(coarse);
            let middle = |a: u32, b: u32| {
                let at = parents.binary_search(&[a.min(b), a.max(b)]);
                (count + at.unwrap_or_default()) as u32
            };
            let triangles = split(coarse, middle);
            count += parents.len();
            refinements.push(Refinement { parents, triangles });
        }
        Self::new(vertices, triangles.to_vec(), refinements)
    }

    /// The finest level `L`; 0 where nothing is refined.
    pub fn finest(&self) -> usize {
        self.refinements.len()
    }

    /// Number of vertices of `level`, those of coarser levels included.
    pub fn vertex_count(&self, level: usize) -> usize {
        let added = self.refinements.iter().take(level);
        self.base_vertices + added.map(|r| r.parents.len()).sum::<usize>()
    }

    /// Triangles of `level`.
    pub fn triangles(&self, level: usize) -> &[[u32; 3]] {
        match level.checked_sub(1).and_then(|l| self.refinements.get(l)) {
            Some(refinement) => &refinement.triangles,
            None => &self.base_triangles,
        }
    }

    /// The edge ends of the vertices that `level` adds; `level` is 1 or more.
    pub fn parents(&self, level: usize) -> &[[u32; 2]] {
        let refinement = level.checked_sub(1).and_then(|l| self.refinements.get(l));
        refinement.map_or(&[], |r| &r.parents)
    }

    /// The level that adds each vertex of the finest level.
    pub fn level_of_vertex(&self) -> Vec<u8> {
        let mut levels = vec![0; self.base_vertices];
        for (level, refinement) in self.refinements.iter().enumerate() {
            levels.resize(levels.len() + refinement.parents.len(), level as u8 + 1);
        }
        levels
    }

    /// Base positions and midpoints of edges, level by level, m.
    pub fn midpoint_positions(&self, base: &[Vec3]) -> Vec<Vec3> {
        let mut positions = base.to_vec();
        for refinement in &self.refinements {
            for [a, b] in &refinement.parents {
                positions.push((positions[*a as usize] + positions[*b as usize]) * 0.5);
            }
        }
        positions
    }
}

/// Splits each triangle into four, with `middle(a, b)` the vertex at the midpoint of edge `ab`.
pub(crate) fn split(triangles: &[[u32; 3]], middle: impl Fn(u32, u32) -> u32) -> Vec<[u32; 3]> {
    let four = |&[a, b, c]: &[u32; 3]| {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    triangles.iter().flat_map(four).collect()
}

/// The third corner of the triangle left of each directed edge.
pub(crate) fn opposite_corners(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], u32> {
    let corners = triangles
        .iter()
        .flat_map(|&[a, b, c]| [([a, b], c), ([b, c], a), ([c, a], b)]);
    corners.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

    #[test]
    fn each_level_has_a_vertex_for_each_edge_of_the_one_before() -> Result<(), CompressionError> {
        let hierarchy = SubdivisionHierarchy::subdivided(4, &TETRAHEDRON, 3)?;
        let counts: Vec<usize> = (0..=3).map(|l| hierarchy.vertex_count(l)).collect();
        assert_eq!(counts, [4, 10, 34, 130]);
        for (level, &v) in counts.iter().enumerate() {
            let f = hierarchy.triangles(level).len();
            let e = unique_edges(hierarchy.triangles(level)).len();
            assert_eq!(v + f, e + 2, "level {level} is a sphere");
        }
        let levels = hierarchy.level_of_vertex();
        assert_eq!(
            (levels[3], levels[4], levels[33], levels[129]),
            (0, 1, 2, 3)
        );
        Ok(())
    }

    #[test]
    fn a_level_with_a_missing_or_foreign_edge_is_refused() -> Result<(), CompressionError> {
        let good = SubdivisionHierarchy::subdivided(4, &TETRAHEDRON, 1)?;
        let mut refinements = good.refinements.clone();
        refinements[0].parents[2] = [0, 1];
        let made = SubdivisionHierarchy::new(4, TETRAHEDRON.to_vec(), refinements);
        assert!(matches!(
            made,
            Err(CompressionError::InconsistentHierarchy { level: 0, .. })
        ));
        let far = SubdivisionHierarchy::new(4, vec![[0, 1, 9]], Vec::new());
        assert!(matches!(
            far,
            Err(CompressionError::InconsistentHierarchy { .. })
        ));
        Ok(())
    }
}
