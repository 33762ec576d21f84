//! The surface that the edge of a blade sweeps in a frame.

use crate::contact::Pose;
use crate::contact::cutting::ruled_surface::share_at_line;
use crate::contact::cutting::winding::EdgeMotion;
use crate::math::Vec3;
use crate::math::bounds::Aabb;

/// Offset of a sweep from its blade, m: in full towards the back, in part towards the side and along the edge. Blades are often put exactly where
/// particles or faces are. Without the offset, round-off would decide in each frame anew on which side these lie.
const SWEEP_OFFSET: f64 = 1e-7;

/// Least motion of the middle of an edge in a frame, m, from which its direction defines the plane of the sweep.
pub(super) const MIN_MOTION: f64 = 1e-5;

/// The edge of a blade at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BladeEdge {
    pub(super) ends: [Vec3; 2],
    /// unit normal of the plate
    side: Vec3,
}

impl BladeEdge {
    /// An edge by its ends (world, m). `back` points from the edge to the back of the blade and may have any length.
    pub fn new(ends: [Vec3; 2], back: Vec3) -> Self {
        let unit = |x: Vec3| x.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let along = unit(ends[1] - ends[0]);
        let back = unit(back - along * along.dot(&back));
        let side = along.cross(&back);
        let offset = (back + side * 0.6 + along * 0.3) * SWEEP_OFFSET;
        Self {
            ends: ends.map(|x| x + offset),
            side,
        }
    }

    /// The edge of a blade of this `length` (m) at a pose.
    pub(super) fn at(pose: &Pose, length: f64) -> Self {
        let half = Vec3::x() * (0.5 * length);
        let ends = [pose.to_world(&-half), pose.to_world(&half)];
        Self::new(ends, pose.orientation * Vec3::y())
    }
}

/// The surface that the edge of a blade sweeps in one frame: two triangles between the edge when the frame begins and the edge when it ends.
///
/// The sweep lies a ten-thousandth of a millimetre beside the blade, towards its back and its side, so that an edge that only touches does not cut. Sweeps of consecutive
/// frames, and sweeps of blades that lie end to end, share a border. A segment through that border is crossed by exactly one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BladeSweep {
    pub(super) begin: BladeEdge,
    pub(super) end: BladeEdge,
    /// when it begins and when it ends, as shares of the frame
    pub(super) part: [f64; 2],
}

impl BladeSweep {
    /// The sweep between the edge when the frame begins and the edge when it ends.
    pub fn new(begin: BladeEdge, end: BladeEdge) -> Self {
        let part = [0.0, 1.0];
        Self { begin, end, part }
    }

    /// Where a point is when the sweep begins and when it ends, if it goes from `from` to `to` (m) in the frame. The same two places for a sweep that lasts for the whole frame.
    pub fn places(&self, from: &Vec3, to: &Vec3) -> [Vec3; 2] {
        self.part.map(|share| {
            if share <= 0.0 {
                *from
            } else if share >= 1.0 {
                *to
            } else {
                from + (to - from) * share
            }
        })
    }

    /// Whether the edge moves.
    pub fn moves(&self) -> bool {
        self.begin != self.end
    }

    /// A box around it, m.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(self.begin.ends.iter().chain(&self.end.ends))
    }

    /// Whether it may meet a box: the convex hull of the ends of the edge, when the sweep begins and when it ends, does.
    pub fn may_meet(&self, bounds: &Aabb) -> bool {
        let ([a, b], [c, d]) = (self.begin.ends, self.end.ends);
        bounds.overlaps_hull(&[a, b, c, d])
    }

    /// The mean plane of the sweep: a point (world, m) and the unit normal on the side of the plate's normal. `None` for an edge without a length.
    ///
    /// It is spanned by the edge and the motion of its middle. For an edge that hardly moves, or moves along itself, it is the plane of the plate.
    pub fn plane(&self) -> Option<(Vec3, Vec3)> {
        let [(begin, first), (end, second)] =
            [self.begin, self.end].map(|BladeEdge { ends: [a, b], .. }| ((a + b) / 2.0, b - a));
        let motion = end - begin;
        let along = (first + second).try_normalize(0.0)?;
        let across = motion - along * along.dot(&motion);
        let side = (self.begin.side + self.end.side).try_normalize(0.0)?;
        let normal = match across.norm() > MIN_MOTION {
            true => along.cross(&across).normalize(),
            false => side,
        };
        let normal = if normal.dot(&side) < 0.0 {
            -normal
        } else {
            normal
        };
        Some((begin, normal))
    }

    /// Where the sweep crosses a segment at rest, given by its ends (world, m): the share of its length from the first end, 0 to 1. `None` where it does
    /// not cross it. An edge at rest, or one that moves along itself, crosses nothing. Segments that are not finite are not crossed.
    pub fn crossing(&self, segment: [Vec3; 2]) -> Option<f64> {
        let ([a, b], [c, d]) = (self.begin.ends, self.end.ends);
        crossing([a, b, d], segment).or_else(|| crossing([a, d, c], segment))
    }

    /// Where the sweep crosses a moving segment, given by its ends (world, m) when the sweep begins and when it ends ([`Self::places`]). Only the motion of the edge relative to the
    /// segment counts, so that an edge at rest cuts what moves through it.
    ///
    /// Relative to a short segment that turns a little, a long edge moves far. The result is therefore the point where the moving edge meets the segment, on the ruled
    /// surface and not on the triangles.
    pub fn crossing_moving(&self, from: [Vec3; 2], to: [Vec3; 2]) -> Option<f64> {
        if from == to {
            return self.crossing(to);
        }
        let relative = Self {
            begin: BladeEdge {
                ends: self.begin.ends.map(|x| move_with_segment(&x, from, to)),
                ..self.begin
            },
            ..*self
        };
        let ([a, b], [c, d]) = (relative.begin.ends, relative.end.ends);
        if !(line_meets_triangle([a, b, d], to) || line_meets_triangle([a, d, c], to)) {
            return None;
        }
        let share = share_at_line([[a, b], [c, d]], to)?;
        (0.0..=1.0).contains(&share).then_some(share)
    }

    /// Its crossings with segments that share their ends. Points less than `margin` (m) from the plate on the side of its normal count as being on its other side. A segment without an end
    /// within `near` (m) of the plane of the plate, when the frame begins or when it ends, is crossed as by [`Self::crossing_moving`].
    pub fn consistent_crossings(&self, margin: f64, near: f64) -> ConsistentCrossings {
        let edges = [self.begin, self.end];
        ConsistentCrossings {
            sweep: *self,
            edge: EdgeMotion::new(edges.map(|e| e.ends), edges.map(|e| e.side), margin),
            near,
        }
    }
}

/// The crossings of a sweep with moving segments that share their ends, such as the links of a lattice.
///
/// Segments turn and stretch differently. For each of them [`BladeSweep::crossing_moving`] therefore maps the edge differently, and two segments may see a common end that is as near
/// to the sweep as it moves in a frame on different sides. Here the way of each end alone decides on which side it passes the edge, for segments with an end near the plane of the plate (see
/// [`BladeSweep::consistent_crossings`]). All other segments are crossed as by [`BladeSweep::crossing_moving`]: the side of an end that is farther away is clear, if it moves less than that
/// distance in a frame. Then, in all frames together, exactly those segments are crossed an odd number of times whose ends pass the edge on different sides: a sweep through a whole body separates
/// it. Ends that move farther than `near` in a frame, relative to the plate and across it, may still be on different sides for different segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConsistentCrossings {
    sweep: BladeSweep,
    edge: EdgeMotion,
    /// m
    near: f64,
}

impl ConsistentCrossings {
    /// Where the sweep crosses a segment that moves from `from` to `to` (world, m) while it lasts, as a share of its length from the first end. `None` where it does not cross it.
    pub fn crossing(&self, from: [Vec3; 2], to: [Vec3; 2]) -> Option<f64> {
        let as_moving = || self.sweep.crossing_moving(from, to);
        if !self.edge.is_near(from, to, self.near) {
            return as_moving();
        }
        let passed = self.edge.passes(from, to)?;
        as_moving().or_else(|| passed.share())
    }
}

/// The outcode of a point that moves from `from` to `to` (m), after Cohen and Sutherland: a bit for each side of the box beyond which it stays. A segment whose ends have a bit in common does not meet the box.
pub fn outcode(bounds: &Aabb, from: &Vec3, to: &Vec3) -> u8 {
    let mut bits = 0;
    for axis in 0..3 {
        let below = from[axis].max(to[axis]) < bounds.min[axis];
        let above = from[axis].min(to[axis]) > bounds.max[axis];
        bits |= (u8::from(below) | u8::from(above) << 1) << (2 * axis);
    }
    bits
}

/// Whether the segment from `p` to `q` passes the line from `u` to `v` on its positive side. The line from `v` to `u` has the opposite answer, also where round-off decides. `None` where
/// that is not finite.
fn is_on_positive_side([p, q]: [Vec3; 2], [u, v]: [Vec3; 2]) -> Option<bool> {
    let volume = (q - p).dot(&(u - p).cross(&(v - p)));
    match volume == 0.0 {
        true => Some(u.as_slice() < v.as_slice()),
        false => (!volume.is_nan()).then_some(volume > 0.0),
    }
}

/// Whether the line through a segment goes through a triangle: it passes all three sides alike (Segura and Feito 2001).
fn line_meets_triangle([u, v, w]: [Vec3; 3], segment: [Vec3; 2]) -> bool {
    let sides = [[u, v], [v, w], [w, u]];
    let [a, b, c] = sides.map(|side| is_on_positive_side(segment, side));
    a.is_some() && a == b && b == c
}

/// Where a segment crosses a triangle, as a share of its length: its ends lie on different sides of the plane, and its line goes through the triangle.
fn crossing([u, v, w]: [Vec3; 3], segment: [Vec3; 2]) -> Option<f64> {
    let normal = (v - u).cross(&(w - u));
    let [first, last] = segment.map(|x| normal.dot(&(x - u)));
    if !(first - last).is_finite() || (first > 0.0) == (last > 0.0) {
        return None;
    }
    line_meets_triangle([u, v, w], segment).then(|| first / (first - last))
}

/// Moves `x` (m) by the affine map that takes the segment `from` to the segment `to` and changes nothing across it.
fn move_with_segment(x: &Vec3, from: [Vec3; 2], to: [Vec3; 2]) -> Vec3 {
    let along = from[1] - from[0];
    let moved = to[0] - from[0];
    let stretch = (to[1] - from[1]) - moved;
    let share = match along.norm_squared() {
        squared if squared > 0.0 => (x - from[0]).dot(&along) / squared,
        _ => 0.0,
    };
    x + moved + stretch * share
}
