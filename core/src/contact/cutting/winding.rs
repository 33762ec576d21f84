//! Segments that a moving edge passes through, decided from the way of each end alone.
//!
//! Seen along the edge, the edge is a point, and a segment that moves sweeps a quadrilateral: its places at the beginning and at the end of the frame, and the ways of its
//! ends. The edge passes through the segment where the winding number of this quadrilateral around the point is not zero. The number is the sum of the crossings of its four sides with
//! a half-line from the point. All segments with a common end share the way of that end, and consecutive frames share a place of the segment. In the sum over
//! all frames there remain the two ways: a segment is passed where they lead past the edge on different sides, also where round-off decides on which side.

use crate::contact::cutting::ruled_surface::quadratic_roots;
use crate::math::Vec3;

/// An edge at one time, and coordinates around it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct EdgeFrame {
    origin: Vec3,
    /// unit vectors: to the side, to the back, along the edge
    axes: [Vec3; 3],
    /// m
    length: f64,
}

impl EdgeFrame {
    /// The frame of an edge from the first of `ends` to the second, with its first axis as near to `side` as possible.
    fn new(ends: [Vec3; 2], side: &Vec3) -> Self {
        let unit = |x: Vec3| x.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let along = unit(ends[1] - ends[0]);
        let side = unit(side - along * along.dot(side));
        Self {
            origin: ends[0],
            axes: [side, side.cross(&along), along],
            length: (ends[1] - ends[0]).norm(),
        }
    }

    /// Coordinates of a point, m. A point within `margin` (m) beside the edge is reflected to the negative side.
    fn coordinates(&self, x: &Vec3, margin: f64) -> Vec3 {
        let from_origin = x - self.origin;
        let [side, back, along] = self.axes.map(|axis| axis.dot(&from_origin));
        let side = match (0.0..margin).contains(&side) {
            true => -side,
            false => side,
        };
        Vec3::new(side, back, along)
    }
}

/// The motion of an edge in a frame, for segments that share their ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EdgeMotion {
    begin: EdgeFrame,
    end: EdgeFrame,
    /// m
    margin: f64,
}

/// A segment that an edge passes through: coordinates of its ends around the edge, m, when the frame begins and when it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PassedSegment {
    places: [[Vec3; 2]; 2],
    /// length of the edge at these times, m
    lengths: [f64; 2],
}

impl EdgeMotion {
    /// The motion from the ends `begin` to the ends `end`; `sides` are the unit normals of the plate at both times. Points less than `margin` (m) from the plate on the side of
    /// its normal count as being on its other side.
    pub fn new([begin, end]: [[Vec3; 2]; 2], sides: [Vec3; 2], margin: f64) -> Self {
        // a plate that turns about its edge does not turn the coordinates
        let side = sides[0] + sides[1];
        Self {
            begin: EdgeFrame::new(begin, &side),
            end: EdgeFrame::new(end, &side),
            margin,
        }
    }

    /// Whether an end of a segment that moves from `from` to `to` (m) is at most `near` (m) from the plane through the edge and its back when the frame begins or ends.
    pub fn is_near(&self, from: [Vec3; 2], to: [Vec3; 2], near: f64) -> bool {
        let is_beside = |frame: &EdgeFrame, x: &Vec3| frame.coordinates(x, 0.0).x.abs() <= near;
        from.iter().any(|x| is_beside(&self.begin, x)) || to.iter().any(|x| is_beside(&self.end, x))
    }

    /// The segment that moves from `from` to `to` (m), if the line of the edge passes through it.
    pub fn passes(&self, from: [Vec3; 2], to: [Vec3; 2]) -> Option<PassedSegment> {
        let [p, q] = from.map(|x| self.begin.coordinates(&x, self.margin));
        let [p_end, q_end] = to.map(|x| self.end.coordinates(&x, self.margin));
        let sides = [(p, q), (q, q_end), (q_end, p_end), (p_end, p)];
        let winding: i32 = sides.iter().map(|(a, b)| half_line_crossings(a, b)).sum();
        (winding != 0).then_some(PassedSegment {
            places: [[p, q], [p_end, q_end]],
            lengths: [self.begin.length, self.end.length],
        })
    }
}

impl PassedSegment {
    /// Where the edge passes through it, as a share of its length; `None` beyond the ends of the edge.
    pub fn share(&self) -> Option<f64> {
        let [[p, q], [p_end, q_end]] = self.places;
        let (p_motion, q_motion) = (p_end - p, q_end - q);
        let at = |time: f64| [p + p_motion * time, q + q_motion * time];
        // both ends and the edge lie in a plane where a t² + b t + c = 0
        let a = area(&p_motion, &q_motion);
        let b = area(&p, &q_motion) + area(&p_motion, &q);
        let c = area(&p, &q);
        let times = quadratic_roots(a, b, c).into_iter();
        let times = times.filter(|t| t.is_finite()).map(|t| t.clamp(0.0, 1.0));
        // where the edge lies between them, they are in opposite directions from it
        let cosine = |time: f64| {
            let [p, q] = at(time);
            let lengths = p.x.hypot(p.y) * q.x.hypot(q.y);
            (p.x * q.x + p.y * q.y) / lengths.max(f64::MIN_POSITIVE)
        };
        let time = times.min_by(|s, t| cosine(*s).total_cmp(&cosine(*t)));
        let time = time.unwrap_or(0.5);
        let [p, q] = at(time);
        let [first, second] = [p, q].map(|x| x.x.hypot(x.y));
        let share = match first + second > 0.0 {
            true => first / (first + second),
            false => 0.5,
        };
        let along = p.z + (q.z - p.z) * share;
        let length = self.lengths[0] + (self.lengths[1] - self.lengths[0]) * time;
        (0.0..=length).contains(&along).then_some(share)
    }
}

/// Twice the signed area between the origin and two points, seen along the edge.
fn area(a: &Vec3, b: &Vec3) -> f64 {
    a.x * b.y - b.x * a.y
}

/// How often the straight way from `a` to `b` crosses the half-line from the origin to the positive side: 1 towards the back, -1 away from it. The way from `b` to `a` has the
/// opposite number, also where round-off decides. A way exactly through the origin counts as on the negative side.
fn half_line_crossings(a: &Vec3, b: &Vec3) -> i32 {
    match (a.y > 0.0, b.y > 0.0) {
        (false, true) => i32::from(area(a, b) > 0.0),
        (true, false) => -i32::from(area(a, b) < 0.0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_that_moves_is_passed_where_the_edge_is_at_that_time() {
        // the edge lies along x and goes down from 1 to -1; segments lie across it and move along z
        let edge = |y: f64| [Vec3::new(-1.0, y, 0.0), Vec3::new(1.0, y, 0.0)];
        let motion = EdgeMotion::new([edge(1.0), edge(-1.0)], [Vec3::z(); 2], 0.0);
        let segment = |x: f64, y: f64, z: f64| [z, z + 4.0].map(|z| Vec3::new(x, y, z));
        for (y, share) in [(0.5, 0.375), (0.0, 0.5), (-0.5, 0.625)] {
            let [from, to] = [-1.0, -3.0].map(|z| segment(0.2, y, z));
            let passed = motion.passes(from, to).expect("passed");
            let found = passed.share().expect("within the edge");
            assert!((found - share).abs() < 1e-14, "{found} {share}");
            // beyond the end of the edge
            let [from, to] = [-1.0, -3.0].map(|z| segment(1.2, y, z));
            let passed = motion.passes(from, to).expect("passed by its line");
            assert_eq!(passed.share(), None);
        }
        // on one side, and ahead
        for (y, z) in [(0.5, 0.5), (-1.5, -1.0)] {
            assert_eq!(motion.passes(segment(0.2, y, z), segment(0.2, y, z)), None);
        }
    }
}
