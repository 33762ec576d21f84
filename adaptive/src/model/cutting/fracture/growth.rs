//! How a crack grows: through the tetrahedra ahead of its front, along a plane.
//!
//! A face at the front has one corner on one side of the crack and two on the other. The fourth corner of the tetrahedron ahead belongs to the side of the plane on which it lies, and the
//! edges to the corners of the other side are cut. A corner has the same side in all tetrahedra of a front around it: otherwise it would be separated from both sides.

use pliant_core::math::Vec3;
use pliant_core::mesh::quadratic::EDGES;
use pliant_core::mesh::{Csr, TetMesh};

use super::front::{FrontSegment, find_fronts};
use crate::model::cutting::cut_edges::CutEdges;

/// Largest number of successive tetrahedra through which a crack goes in one growth.
const MAX_ROUNDS: usize = 16;
/// Advance of a front above which it stops in one growth, mean edges.
const MAX_ADVANCE: f64 = 0.8;
/// Least share of an edge on both sides of a crack.
const MIN_SHARE: f64 = 0.05;
/// Least sine of the angle between a cut edge and the plane of a crack at which the edge determines the sides of its ends.
const MIN_SINE: f64 = 0.2;

/// The direction in which a segment of a front grows.
#[derive(Debug, Clone, Copy)]
pub(super) struct GrowthDirection {
    /// normal of the crack, on the side of the normal of the segment, unit, at rest
    pub normal: Vec3,
    /// direction of growth, unit, at rest
    pub direction: Vec3,
}

/// A segment of a front that grows along a plane with this unit normal, on the side of that of the segment.
#[derive(Debug, Clone, Copy)]
struct GrowingSegment {
    segment: FrontSegment,
    normal: Vec3,
}

/// The level in which cracks grow.
pub(super) struct Growth<'a> {
    pub mesh: &'a TetMesh,
    pub neighbours: &'a [[u32; 4]],
    /// tetrahedra of each node
    pub node_tets: &'a Csr,
    /// mean edge, m
    pub spacing: f64,
}

impl Growth<'_> {
    /// Grows the segments of `fronts` that have a direction by about an edge. Returns the number of edges that were cut.
    pub fn grow(
        &self,
        edges: &mut CutEdges,
        fronts: &[FrontSegment],
        directions: &[Option<GrowthDirection>],
    ) -> usize {
        let before = edges.cut().len();
        let grows = |(segment, direction): (&FrontSegment, &Option<GrowthDirection>)| {
            direction.map(|direction| GrowingSegment {
                segment: *segment,
                normal: direction.normal,
            })
        };
        let mut growing: Vec<GrowingSegment> =
            fronts.iter().zip(directions).filter_map(grows).collect();
        let mut now = Vec::new();
        for _ in 0..MAX_ROUNDS {
            if self.grow_once(edges, &mut growing) == 0 {
                break;
            }
            find_fronts(self.mesh, self.neighbours, edges, &mut now);
            growing.clear();
            growing.extend(
                now.iter()
                    .filter_map(|s| self.continuing_segment(s, fronts, directions)),
            );
        }
        edges.cut().len() - before
    }

    /// Continues a segment in the direction of the front from which it came, if that grows and is not an edge away yet.
    fn continuing_segment(
        &self,
        segment: &FrontSegment,
        fronts: &[FrontSegment],
        directions: &[Option<GrowthDirection>],
    ) -> Option<GrowingSegment> {
        let offset = |k: usize| segment.middle - fronts[k].middle;
        let by_distance = |a: &usize, b: &usize| offset(*a).norm().total_cmp(&offset(*b).norm());
        let nearest = (0..fronts.len()).min_by(by_distance)?;
        let GrowthDirection { normal, direction } = directions[nearest]?;
        if offset(nearest).dot(&direction) > MAX_ADVANCE * self.spacing {
            return None;
        }
        let is_turned = normal.dot(&segment.normal) < 0.0;
        Some(GrowingSegment {
            segment: *segment,
            normal: if is_turned { -normal } else { normal },
        })
    }

    /// Splits the tetrahedra ahead of these segments. Returns the number of edges that were cut.
    fn grow_once(&self, edges: &mut CutEdges, growing: &mut [GrowingSegment]) -> usize {
        let far = |g: &GrowingSegment| self.mesh.tets[g.segment.tet as usize][g.segment.far_corner];
        growing.sort_by_key(far);
        let mut count = 0;
        for group in growing.chunk_by(|a, b| far(a) == far(b)) {
            let Some(first) = group.first() else {
                continue;
            };
            let node = far(first);
            // the mean of all planes
            let (mut point, mut normal) = (Vec3::zeros(), Vec3::zeros());
            for g in group {
                point += g.segment.middle / group.len() as f64;
                let is_turned = g.normal.dot(&first.normal) < 0.0;
                normal += if is_turned { -g.normal } else { g.normal };
            }
            let normal = normal.try_normalize(0.0).unwrap_or(first.normal);
            let place = self.mesh.nodes[node as usize];
            let height = normal.dot(&(place - point));
            let side = self.side_of_cut_edges(edges, node, &normal);
            let is_above = if side != 0.0 { side } else { height } >= 0.0;
            for g in group {
                count += self.split_tet(edges, &g.segment, (point, normal), is_above);
            }
        }
        count
    }

    /// Side of a node relative to a plane with this normal, by its cut edges: positive or negative, or 0 if no edge determines it.
    fn side_of_cut_edges(&self, edges: &CutEdges, node: u32, normal: &Vec3) -> f64 {
        let place = self.mesh.nodes[node as usize];
        let mut sum = 0.0;
        for &t in self.node_tets.row(node as usize) {
            let (tet, nodes) = (t as usize, &self.mesh.tets[t as usize]);
            let Some(i) = nodes.iter().position(|n| *n == node) else {
                continue;
            };
            for j in (0..4).filter(|&j| j != i && edges.is_cut(tet, i, j)) {
                let offset = place - self.mesh.nodes[nodes[j] as usize];
                let rise = normal.dot(&offset) / offset.norm();
                if rise.abs() > MIN_SINE {
                    sum += rise;
                }
            }
        }
        sum
    }

    /// Splits the tetrahedron ahead of a segment along a plane; `is_above` is the side of its far corner. Returns the number of edges that were cut.
    fn split_tet(
        &self,
        edges: &mut CutEdges,
        segment: &FrontSegment,
        (point, normal): (Vec3, Vec3),
        is_above: bool,
    ) -> usize {
        let tet = segment.tet as usize;
        let nodes = &self.mesh.tets[tet];
        let height = |i: usize| normal.dot(&(self.mesh.nodes[nodes[i] as usize] - point));
        let single_is_above = normal.dot(&segment.normal) >= 0.0;
        let mut count = 0;
        let mut cut = |other: usize| {
            let (from, to) = (height(segment.far_corner), height(other));
            let share = from / (from - to);
            let share = if share.is_finite() { share } else { 0.5 };
            let share = share.clamp(MIN_SHARE, 1.0 - MIN_SHARE);
            let is_new = edges.cut_between((tet, nodes), [segment.far_corner, other], share);
            count += usize::from(is_new);
        };
        if single_is_above == is_above {
            segment.pair.iter().for_each(|&j| cut(j));
        } else {
            cut(segment.single_corner);
        }
        count
    }

    /// Opens a new crack at a node, across a direction (unit, at rest): in all tetrahedra of the node, and in those within `radius` (m). Returns the number of edges that were cut.
    pub fn open_crack(&self, edges: &mut CutEdges, node: u32, normal: &Vec3, radius: f64) -> usize {
        let place = self.mesh.nodes[node as usize];
        // a plane beside the node, which is on one side
        let point = place + normal * (0.25 * self.spacing);
        let before = edges.cut().len();
        for (t, nodes) in self.mesh.tets.iter().enumerate() {
            let corners = self.mesh.corners(t);
            let middle = corners.iter().sum::<Vec3>() / 4.0;
            if !nodes.contains(&node) && (middle - place).norm() > radius {
                continue;
            }
            let heights = corners.map(|x| normal.dot(&(x - point)));
            for [i, j] in EDGES {
                if (heights[i] < 0.0) != (heights[j] < 0.0) {
                    let share = heights[i] / (heights[i] - heights[j]);
                    let share = share.clamp(MIN_SHARE, 1.0 - MIN_SHARE);
                    edges.cut_between((t, nodes), [i, j], share);
                }
            }
        }
        edges.cut().len() - before
    }

    /// Whether tetrahedra within `reach` (m) of a node have a cut edge.
    pub fn is_cracked_near(&self, edges: &CutEdges, node: u32, reach: f64) -> bool {
        let place = self.mesh.nodes[node as usize];
        edges.cut().any(|(edge, _)| {
            let [a, b] = edges.ends(edge).map(|n| self.mesh.nodes[n as usize]);
            ((a + b) / 2.0 - place).norm() < reach
        })
    }
}
