//! The front of a crack: faces of tetrahedra that are parted on one side and hang together on the other.
//!
//! It follows from the cut edges alone. So the end of what a blade cut is a front, too.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::quadratic::EDGES;
use pliant_core::mesh::tet::FACES;

use crate::model::cutting::cut_edges::CutEdges;
use crate::model::cutting::geometry::NONE;
use crate::model::cutting::groups::groups;
use crate::model::cutting::sides::{CutPlane, cut_point};

/// The end of a crack in a face between two tetrahedra.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrontSegment {
    /// the tetrahedron ahead, which hangs together
    pub tet: u32,
    /// its corner on the face that is alone on its side of the crack
    pub lone: usize,
    /// the two corners on the other side
    pub pair: [usize; 2],
    /// its corner ahead of the face
    pub far: usize,
    /// at rest, m
    pub middle: Vec3,
    /// across the segment in the plane of the crack, ahead, as long as the segment, m
    pub advance: Vec3,
    /// of the plane of the crack behind, to the side of `lone`, unit
    pub normal: Vec3,
}

/// All fronts of a level with these cut edges, by tetrahedron behind; `neighbours` are the tetrahedra behind faces. Cost: some nanoseconds a tetrahedron.
pub(super) fn find_fronts(
    mesh: &TetMesh,
    neighbours: &[[u32; 4]],
    edges: &CutEdges,
    fronts: &mut Vec<FrontSegment>,
) {
    fronts.clear();
    for (tet, around) in neighbours.iter().enumerate() {
        let cut = edges.are_cut(tet);
        if cut == [false; 6] {
            continue;
        }
        let groups_behind = groups(cut);
        let Some(plane) = CutPlane::through(mesh, edges, tet, &groups_behind) else {
            continue;
        };
        for (face, &ahead) in FACES.iter().zip(around) {
            if ahead != NONE {
                let segment = segment(mesh, edges, (tet, &groups_behind), *face, ahead as usize);
                fronts.extend(segment.and_then(|found| found.in_plane(&plane)));
            }
        }
    }
}

/// A segment under way.
struct Found {
    segment: FrontSegment,
    ends: [Vec3; 2],
    /// out of the tetrahedron behind
    outward: Vec3,
    /// whether `lone` is on the side of corner 0 of the tetrahedron behind
    is_first: bool,
}

impl Found {
    fn in_plane(self, plane: &CutPlane) -> Option<FrontSegment> {
        let along = self.ends[1] - self.ends[0];
        let across = along.cross(&plane.normal());
        let advance = if across.dot(&self.outward) < 0.0 {
            -across
        } else {
            across
        };
        (advance.norm_squared() > 0.0).then_some(FrontSegment {
            advance,
            normal: plane.normal() * if self.is_first { 1.0 } else { -1.0 },
            ..self.segment
        })
    }
}

/// The end of the crack through `tet` in a face of it, before the tetrahedron `ahead`; `None` where that is parted as well, or where the face is whole.
fn segment(
    mesh: &TetMesh,
    edges: &CutEdges,
    (tet, groups_behind): (usize, &[u8; 4]),
    face: [usize; 3],
    ahead: usize,
) -> Option<Found> {
    let of = face.map(|i| groups_behind[i]);
    let at = (0..3).find(|&k| of[k] != of[(k + 1) % 3] && of[k] != of[(k + 2) % 3])?;
    let (lone, pair) = (face[at], [face[(at + 1) % 3], face[(at + 2) % 3]]);
    let there = |i: usize| {
        let node = mesh.tets[tet][i];
        mesh.tets[ahead].iter().position(|n| *n == node)
    };
    let (own, others) = (there(lone)?, [there(pair[0])?, there(pair[1])?]);
    let groups_ahead = groups(edges.are_cut(ahead));
    if others.iter().all(|&j| groups_ahead[j] != groups_ahead[own]) {
        return None;
    }
    let far = (0..4).find(|i| *i != own && !others.contains(i))?;
    let ends = pair.map(|j| cut_point(mesh, edges, tet, [lone, j]));
    let [p, q, r] = face.map(|i| mesh.nodes[mesh.tets[tet][i] as usize]);
    Some(Found {
        segment: FrontSegment {
            tet: ahead as u32,
            lone: own,
            pair: others,
            far,
            middle: (ends[0] + ends[1]) / 2.0,
            advance: Vec3::zeros(),
            normal: Vec3::zeros(),
        },
        ends,
        outward: (q - p).cross(&(r - p)),
        is_first: groups_behind[lone] == 0,
    })
}

/// Whether an edge of a tetrahedron is among those that are cut.
pub(super) fn is_cut(cut: &[bool; 6], i: usize, j: usize) -> bool {
    let wanted = [i.min(j), i.max(j)];
    EDGES
        .iter()
        .zip(cut)
        .any(|(edge, cut)| *cut && *edge == wanted)
}
