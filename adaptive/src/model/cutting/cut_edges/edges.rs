//! The edges of a level, and where blades cut them.
//!
//! Edges are tested where they are, by the law of [`BladeSweep::crossing_moving`], which does not depend on how frames divide the way of a blade. An edge is cut
//! once; what would cut it again is counted. A node in the plane of a blade keeps its side ([`KeptSides`]). The nodes of an edge are those of the whole level, and stay real in whatever is left of the tetrahedra around it.

use pliant_core::contact::cutting::{BladeSweep, outcode};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::quadratic::{EDGES, numbered_edges};

use super::kept_sides::KeptSides;

/// Least distance of a cut from the ends of an edge, as a share of the edge: a point at a node has no side.
const MIN_END_SHARE: f64 = 1e-6;
/// Sine of the angle between an edge and a plane below which the edge counts as parallel to the plane.
const MIN_SINE: f64 = 0.05;
/// Distance from a cut beyond which a second one through the same edge is another cut, over the mean edge: a blade that comes out where it went in is nearer.
const SAME_CUT_DISTANCE: f64 = 0.15;
/// Distance from a sweep within which nodes keep their side, over the longest edge at rest: edges may be stretched by half.
const SIDE_DISTANCE: f64 = 1.5;

/// The share of a segment at which it crosses a plane, given by a point and its unit normal; an end for a segment beside the plane, and `None` for one parallel to it.
fn share_in_plane((point, normal): (Vec3, Vec3), segment: [Vec3; 2]) -> Option<f64> {
    let [first, last] = segment.map(|x| normal.dot(&(x - point)));
    let steep = (last - first).abs() > MIN_SINE * (segment[1] - segment[0]).norm();
    steep.then(|| (first / (first - last)).clamp(0.0, 1.0))
}

/// How far (m) a crossing lies in what is left of an edge beside its `cut`, a share of its length at rest. The crossing is a share of its present length, which contains the gap. Negative in the gap.
fn depth_in_rest((cut, rest): (f64, f64), (crossed, length): (f64, f64)) -> f64 {
    let first = cut * rest - crossed * length;
    let second = (1.0 - cut) * rest - (1.0 - crossed) * length;
    first.max(second)
}

/// The edges of a level.
#[derive(Debug, Clone)]
pub(crate) struct CutEdges {
    /// nodes of each edge, ascending
    ends: Vec<[u32; 2]>,
    /// edges of each tetrahedron, in the order of [`EDGES`]
    of_tet: Vec<[u32; 6]>,
    /// share of each edge, from its first end, at which it was cut
    shares: Vec<Option<f64>>,
    /// those that are cut, in the order in which they were
    cut: Vec<u32>,
    /// length of each edge at rest, m
    rest: Vec<f64>,
    /// whether a second cut went through each edge and was ignored
    ignored: Vec<bool>,
    /// on which side of blades nodes in their planes are
    pub sides: KeptSides,
    /// mean and greatest length of an edge at rest, m
    lengths: [f64; 2],
    /// positions that are assumed for the nodes at the beginning and at the end of a frame, m
    places: [Vec<Vec3>; 2],
    /// for each node its outcode in this frame: the sides of the bounding box of a sweep beyond which it stays
    outcodes: Vec<u8>,
    found: Vec<(u32, f64)>,
}

impl CutEdges {
    /// The edges of `mesh`, none of them cut.
    pub fn new(mesh: &TetMesh) -> Self {
        let (ends, of_tet) = numbered_edges(&mesh.tets);
        let length = |&[a, b]: &[u32; 2]| (mesh.nodes[a as usize] - mesh.nodes[b as usize]).norm();
        let rest: Vec<f64> = ends.iter().map(length).collect();
        let mean = rest.iter().sum::<f64>() / ends.len().max(1) as f64;
        let longest = rest.iter().copied().fold(0.0, f64::max);
        Self {
            of_tet,
            sides: KeptSides::default(),
            lengths: [mean, longest],
            places: [(); 2].map(|()| Vec::with_capacity(mesh.nodes.len())),
            shares: vec![None; ends.len()],
            ignored: vec![false; ends.len()],
            rest,
            ends,
            cut: Vec::new(),
            outcodes: vec![0; mesh.nodes.len()],
            found: Vec::new(),
        }
    }

    /// Cuts the edges that sweeps cross in a frame in which nodes went from `from` to `to` (m). Returns whether there were any.
    ///
    /// Cost: for each sweep about a nanosecond a node and an edge, and a tenth of a microsecond an edge near it.
    pub fn cut_crossed(&mut self, sweeps: &[BladeSweep], from: &[Vec3], to: &[Vec3]) -> bool {
        self.found.clear();
        let [spacing, longest] = self.lengths;
        let same_cut = SAME_CUT_DISTANCE * spacing;
        for sweep in sweeps {
            let bounds = sweep.bounds();
            let margin = 1e-9 * bounds.diagonal();
            let bounds = bounds.inflated(margin);
            let motion = |n: usize| sweep.places(&from[n], &to[n]);
            for (k, assumed) in self.places.iter_mut().enumerate() {
                // virtual nodes belong to no edge
                assumed.clear();
                assumed.extend((0..self.outcodes.len()).map(|n| motion(n)[k]));
            }
            let (now, plane) = (|n: usize| motion(n)[1], sweep.plane());
            let [from, to] = &mut self.places;
            if let Some(plane) = plane {
                let near = bounds.inflated(SIDE_DISTANCE * longest);
                self.sides.apply(plane, &near, spacing, [from, to]);
            }
            let ways = from.iter().zip(to.iter());
            for (bits, (from, to)) in self.outcodes.iter_mut().zip(ways) {
                *bits = outcode(&bounds, from, to);
            }
            for (e, (ends, share)) in self.ends.iter().zip(&self.shares).enumerate() {
                let [p, q] = ends.map(|n| n as usize);
                if self.outcodes[p] & self.outcodes[q] != 0 {
                    continue;
                }
                let Some(crossed) = sweep.crossing_moving([from[p], from[q]], [to[p], to[q]])
                else {
                    continue;
                };
                let is_moved = [p, q].iter().any(|&n| to[n] != now(n));
                let crossed = match plane.filter(|_| is_moved) {
                    Some(plane) => share_in_plane(plane, [now(p), now(q)]).unwrap_or(crossed),
                    None => crossed,
                };
                match (*share, plane) {
                    (None, _) => self.found.push((e as u32, crossed)),
                    (Some(cut), Some((_, normal))) => {
                        let way = now(q) - now(p);
                        let depth = depth_in_rest((cut, self.rest[e]), (crossed, way.norm()));
                        let sine = normal.dot(&way).abs() / way.norm();
                        self.ignored[e] |= depth * sine > same_cut;
                    }
                    _ => {}
                }
            }
        }
        self.sides.drop_distant();
        // two blades may cross the same edge
        self.found
            .sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for pair in self.found.windows(2) {
            if let [(edge, first), (other, last)] = pair
                && edge == other
            {
                let e = *edge as usize;
                self.ignored[e] |= (last - first) * self.rest[e] > same_cut;
            }
        }
        self.found.dedup_by_key(|(edge, _)| *edge);
        for k in 0..self.found.len() {
            let (edge, share) = self.found[k];
            self.cut_at(edge, share);
        }
        !self.found.is_empty()
    }

    fn cut_at(&mut self, edge: u32, share: f64) {
        self.shares[edge as usize] = Some(share.clamp(MIN_END_SHARE, 1.0 - MIN_END_SHARE));
        self.cut.push(edge);
    }

    /// Cuts the edge between corners `i` and `j` of a tetrahedron with these nodes, at this share from `i`. False for an edge that is cut already.
    pub fn cut_between(
        &mut self,
        (tet, nodes): (usize, &[u32; 4]),
        [i, j]: [usize; 2],
        share: f64,
    ) -> bool {
        let edge = self.edge(tet, i, j);
        let is_new = self.shares[edge as usize].is_none();
        if is_new {
            let is_ascending = nodes[i] < nodes[j];
            self.cut_at(edge, if is_ascending { share } else { 1.0 - share });
        }
        is_new
    }

    /// Cuts exactly these edges, given by number, share and whether a second cut through it was ignored; false, and nothing changes, where one does not exist or comes twice.
    pub fn set(&mut self, cut: &[(u32, f64, bool)]) -> bool {
        let mut numbers: Vec<u32> = cut.iter().map(|(edge, ..)| *edge).collect();
        numbers.sort_unstable();
        let twice = numbers.windows(2).any(|pair| pair[0] == pair[1]);
        let exist = numbers
            .last()
            .is_none_or(|e| (*e as usize) < self.ends.len());
        if twice || !exist || cut.iter().any(|(_, share, _)| !share.is_finite()) {
            return false;
        }
        self.shares.fill(None);
        self.ignored.fill(false);
        self.cut.clear();
        for &(edge, share, is_ignored) in cut {
            self.cut_at(edge, share);
            self.ignored[edge as usize] = is_ignored;
        }
        true
    }

    /// The edges that are cut, in the order in which they were, with their shares.
    pub fn cut(&self) -> impl ExactSizeIterator<Item = (u32, f64)> + '_ {
        let share = |e: u32| self.shares[e as usize].unwrap_or(0.5);
        self.cut.iter().map(move |&e| (e, share(e)))
    }

    /// Takes the sides that nodes keep, and which second cuts were ignored, from those with the same cuts.
    pub fn copy_state(&mut self, same: Self) {
        (self.sides, self.ignored) = (same.sides, same.ignored);
    }

    /// Whether a second cut went through an edge and was ignored.
    pub fn ignores_cut(&self, edge: u32) -> bool {
        self.ignored[edge as usize]
    }

    /// Number of edges through which a second cut went. An edge is cut once, so that what lies between both cuts stays with one of the sides.
    pub fn ignored_count(&self) -> usize {
        self.ignored.iter().filter(|ignored| **ignored).count()
    }

    /// Nodes of an edge, ascending.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    /// The edge between corners `i` and `j` of a tetrahedron.
    pub fn edge(&self, tet: usize, i: usize, j: usize) -> u32 {
        let edge = [i.min(j), i.max(j)];
        let at = EDGES.iter().position(|e| *e == edge).unwrap_or(0);
        self.of_tet[tet][at]
    }

    /// Whether the edge between corners `i` and `j` of a tetrahedron is cut.
    pub fn is_cut(&self, tet: usize, i: usize, j: usize) -> bool {
        self.shares[self.edge(tet, i, j) as usize].is_some()
    }

    /// Which edges of a tetrahedron are cut, in the order of [`EDGES`].
    pub fn are_cut(&self, tet: usize) -> [bool; 6] {
        self.of_tet[tet].map(|e| self.shares[e as usize].is_some())
    }

    /// The share of the cut edge to corner `j` on the side of corner `i` of a tetrahedron.
    pub fn share(&self, tet: usize, nodes: &[u32; 4], i: usize, j: usize) -> f64 {
        let share = self.shares[self.edge(tet, i, j) as usize].unwrap_or(0.5);
        if nodes[i] < nodes[j] {
            share
        } else {
            1.0 - share
        }
    }
}
