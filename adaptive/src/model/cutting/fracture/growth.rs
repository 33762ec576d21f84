//! How a crack grows: through the tetrahedra ahead of its front, along a plane.
//!
//! A face at the front has one corner on one side of the crack and two on the other. The fourth corner of the tetrahedron ahead goes to the side of the plane on which it is, and the
//! edges to the corners of the other side are cut. A corner has one side for all tetrahedra of a front around it: otherwise it would come off both and be a crumb.

use pliant_core::math::Vec3;
use pliant_core::mesh::quadratic::EDGES;
use pliant_core::mesh::{Csr, TetMesh};

use super::front::{FrontSegment, find_fronts, is_cut};
use crate::model::cutting::cut_edges::CutEdges;

/// Tetrahedra that a crack goes through one behind the other, at most, within one growth.
const ROUNDS: usize = 16;
/// How far a front goes within one growth, mean edges.
const REACH: f64 = 0.8;
/// Least share of an edge on both sides of a crack.
const LEAST_SHARE: f64 = 0.05;
/// Sine of the angle to the plane of a crack from which a cut edge tells on which side its ends are.
const STEEP: f64 = 0.2;

/// How a segment of a front grows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    /// across the crack, on the side of the normal of the segment, unit, at rest
    pub normal: Vec3,
    /// where the front goes, unit, at rest
    pub direction: Vec3,
}

/// A segment of a front that grows along a plane with this unit normal, on the side of that of the segment.
#[derive(Debug, Clone, Copy)]
struct Growing {
    segment: FrontSegment,
    normal: Vec3,
}

/// What growth needs to know of a level.
pub(super) struct Growth<'a> {
    pub mesh: &'a TetMesh,
    pub neighbours: &'a [[u32; 4]],
    /// tetrahedra of each node
    pub node_tets: &'a Csr,
    /// mean edge, m
    pub spacing: f64,
}

impl Growth<'_> {
    /// Lets the segments of `fronts` grow that have a course, by about an edge. Returns how many edges were cut.
    pub fn grow(
        &self,
        edges: &mut CutEdges,
        fronts: &[FrontSegment],
        courses: &[Option<Course>],
    ) -> usize {
        let before = edges.cut().len();
        let grows = |(segment, course): (&FrontSegment, &Option<Course>)| {
            course.map(|course| Growing {
                segment: *segment,
                normal: course.normal,
            })
        };
        let mut growing: Vec<Growing> = fronts.iter().zip(courses).filter_map(grows).collect();
        let mut now = Vec::new();
        for _ in 0..ROUNDS {
            if self.grow_once(edges, &mut growing) == 0 {
                break;
            }
            find_fronts(self.mesh, self.neighbours, edges, &mut now);
            growing.clear();
            growing.extend(now.iter().filter_map(|s| self.goes_on(s, fronts, courses)));
        }
        edges.cut().len() - before
    }

    /// A segment that goes on in the direction of the front from which it came, if that grows and is not an edge away already.
    fn goes_on(
        &self,
        segment: &FrontSegment,
        fronts: &[FrontSegment],
        courses: &[Option<Course>],
    ) -> Option<Growing> {
        let way = |k: usize| segment.middle - fronts[k].middle;
        let by_distance = |a: &usize, b: &usize| way(*a).norm().total_cmp(&way(*b).norm());
        let nearest = (0..fronts.len()).min_by(by_distance)?;
        let Course { normal, direction } = courses[nearest]?;
        if way(nearest).dot(&direction) > REACH * self.spacing {
            return None;
        }
        let is_turned = normal.dot(&segment.normal) < 0.0;
        Some(Growing {
            segment: *segment,
            normal: if is_turned { -normal } else { normal },
        })
    }

    /// Parts the tetrahedra ahead of these segments. Returns how many edges were cut.
    fn grow_once(&self, edges: &mut CutEdges, growing: &mut [Growing]) -> usize {
        let far = |g: &Growing| self.mesh.tets[g.segment.tet as usize][g.segment.far];
        growing.sort_by_key(far);
        let mut count = 0;
        for group in growing.chunk_by(|a, b| far(a) == far(b)) {
            let Some(first) = group.first() else {
                continue;
            };
            let node = far(first);
            // all planes as one
            let (mut point, mut normal) = (Vec3::zeros(), Vec3::zeros());
            for g in group {
                point += g.segment.middle / group.len() as f64;
                let is_turned = g.normal.dot(&first.normal) < 0.0;
                normal += if is_turned { -g.normal } else { g.normal };
            }
            let normal = normal.try_normalize(0.0).unwrap_or(first.normal);
            let place = self.mesh.nodes[node as usize];
            let height = normal.dot(&(place - point));
            let known = self.known_side(edges, node, &normal);
            let is_above = if known != 0.0 { known } else { height } >= 0.0;
            for g in group {
                count += self.part(edges, &g.segment, (point, normal), is_above);
            }
        }
        count
    }

    /// On which side of a plane with this normal a node is, by its edges that are cut: above or below 0, or 0 where none tells.
    fn known_side(&self, edges: &CutEdges, node: u32, normal: &Vec3) -> f64 {
        let place = self.mesh.nodes[node as usize];
        let mut sum = 0.0;
        for &t in self.node_tets.row(node as usize) {
            let (tet, nodes) = (t as usize, &self.mesh.tets[t as usize]);
            let cut = edges.are_cut(tet);
            let Some(i) = nodes.iter().position(|n| *n == node) else {
                continue;
            };
            for j in (0..4).filter(|&j| j != i && is_cut(&cut, i, j)) {
                let way = place - self.mesh.nodes[nodes[j] as usize];
                let rise = normal.dot(&way) / way.norm();
                if rise.abs() > STEEP {
                    sum += rise;
                }
            }
        }
        sum
    }

    /// Parts the tetrahedron ahead of a segment along a plane, whose far corner is above or below it. Returns how many edges were cut.
    fn part(
        &self,
        edges: &mut CutEdges,
        segment: &FrontSegment,
        (point, normal): (Vec3, Vec3),
        is_above: bool,
    ) -> usize {
        let tet = segment.tet as usize;
        let nodes = &self.mesh.tets[tet];
        let height = |i: usize| normal.dot(&(self.mesh.nodes[nodes[i] as usize] - point));
        let lone_is_above = normal.dot(&segment.normal) >= 0.0;
        let mut count = 0;
        let mut cut = |other: usize| {
            let (from, to) = (height(segment.far), height(other));
            let share = from / (from - to);
            let share = if share.is_finite() { share } else { 0.5 };
            let share = share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
            let is_new = edges.cut_between((tet, nodes), [segment.far, other], share);
            count += usize::from(is_new);
        };
        if lone_is_above == is_above {
            segment.pair.iter().for_each(|&j| cut(j));
        } else {
            cut(segment.lone);
        }
        count
    }

    /// Opens a new crack at a node, across a direction (unit, at rest): in all tetrahedra of the node, and in those within `radius` (m). Returns how many edges were cut.
    pub fn open(&self, edges: &mut CutEdges, node: u32, normal: &Vec3, radius: f64) -> usize {
        let place = self.mesh.nodes[node as usize];
        // the node itself is on one side
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
                    let share = share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
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
