//! The front of a crack: faces between a tetrahedron that is split and one that is not split there.
//!
//! It follows from the cut edges alone. So the end of a cut by a blade is a front, too.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::tet::FACES;

use crate::model::cutting::cut_edges::CutEdges;
use crate::model::cutting::geometry::NONE;
use crate::model::cutting::groups::groups;
use crate::model::cutting::sides::{CutPlane, cut_point};

/// The end of a crack in a face between two tetrahedra.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrontSegment {
    /// the tetrahedron ahead, which is not split there
    pub tet: u32,
    /// its corner on the face that is the only one on its side of the crack
    pub single_corner: usize,
    /// the two corners on the other side
    pub pair: [usize; 2],
    /// its corner ahead of the face
    pub far_corner: usize,
    /// at rest, m
    pub middle: Vec3,
    /// perpendicular to the segment in the plane of the crack, ahead, as long as the segment, m
    pub advance: Vec3,
    /// of the plane of the crack behind, to the side of `single_corner`, unit
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

/// A segment before its plane is known.
struct FrontCandidate {
    segment: FrontSegment,
    ends: [Vec3; 2],
    /// out of the tetrahedron behind
    outward: Vec3,
    /// whether `single_corner` is on the side of corner 0 of the tetrahedron behind
    is_first: bool,
}

impl FrontCandidate {
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

/// The end of the crack through `tet` in a face of it, before the tetrahedron `ahead`; `None` where that is split as well, or where the face is not cut.
fn segment(
    mesh: &TetMesh,
    edges: &CutEdges,
    (tet, groups_behind): (usize, &[u8; 4]),
    face: [usize; 3],
    ahead: usize,
) -> Option<FrontCandidate> {
    let of = face.map(|i| groups_behind[i]);
    let at = (0..3).find(|&k| of[k] != of[(k + 1) % 3] && of[k] != of[(k + 2) % 3])?;
    let (single_corner, pair) = (face[at], [face[(at + 1) % 3], face[(at + 2) % 3]]);
    let there = |i: usize| {
        let node = mesh.tets[tet][i];
        mesh.tets[ahead].iter().position(|n| *n == node)
    };
    let (single, others) = (there(single_corner)?, [there(pair[0])?, there(pair[1])?]);
    let groups_ahead = groups(edges.are_cut(ahead));
    if others
        .iter()
        .all(|&j| groups_ahead[j] != groups_ahead[single])
    {
        return None;
    }
    let far_corner = (0..4).find(|i| *i != single && !others.contains(i))?;
    let ends = pair.map(|j| cut_point(mesh, edges, tet, [single_corner, j]));
    let [p, q, r] = face.map(|i| mesh.nodes[mesh.tets[tet][i] as usize]);
    Some(FrontCandidate {
        segment: FrontSegment {
            tet: ahead as u32,
            single_corner: single,
            pair: others,
            far_corner,
            middle: (ends[0] + ends[1]) / 2.0,
            advance: Vec3::zeros(),
            normal: Vec3::zeros(),
        },
        ends,
        outward: (q - p).cross(&(r - p)),
        is_first: groups_behind[single_corner] == 0,
    })
}
