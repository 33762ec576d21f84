//! The surface that the edge of a blade sweeps in a frame.

use crate::contact::cutting::line_side::passes;
use crate::contact::cutting::ruled_surface::share_at_line;
use crate::contact::{Pose, Tool, ToolShape};
use crate::math::Vec3;
use crate::math::bounds::Aabb;

/// How far a sweep lies from where its blade is, m: towards the back, towards the side and along the edge by shares of it. Blades are often put exactly where
/// particles or faces are, and round-off must not decide on which side these lie, for each frame in another way.
const SHIFT: f64 = 1e-7;

/// How far the middle of an edge has to move in a frame, m, so that its motion says which plane it sweeps.
const LEAST_MOTION: f64 = 1e-5;

/// The edge of a blade at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BladeEdge {
    ends: [Vec3; 2],
    /// unit normal of the plate
    side: Vec3,
}

impl BladeEdge {
    /// An edge by its ends (world, m). `back` points from it to the back of the blade; its length does not matter.
    pub fn new(ends: [Vec3; 2], back: Vec3) -> Self {
        let unit = |x: Vec3| x.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let along = unit(ends[1] - ends[0]);
        let back = unit(back - along * along.dot(&back));
        let side = along.cross(&back);
        let shift = (back + side * 0.6 + along * 0.3) * SHIFT;
        Self {
            ends: ends.map(|x| x + shift),
            side,
        }
    }

    /// The edge of a blade of this length (m) at a pose.
    fn at(pose: &Pose, length: f64) -> Self {
        let half = Vec3::x() * (0.5 * length);
        let ends = [pose.to_world(&-half), pose.to_world(&half)];
        Self::new(ends, pose.orientation * Vec3::y())
    }
}

/// What the edge of a blade sweeps in one frame: two triangles between where the edge is when the frame begins and where it is when the frame ends.
///
/// The sweep lies a ten-thousandth of a millimetre beside the blade, towards its back and its side: an edge that only touches does not cut. Sweeps that follow
/// each other, and sweeps of blades that lie end to end, share a border. A segment through that border is crossed by exactly one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BladeSweep {
    begin: BladeEdge,
    end: BladeEdge,
}

impl BladeSweep {
    /// Between the edge when the frame begins and the edge when it ends.
    pub fn new(begin: BladeEdge, end: BladeEdge) -> Self {
        Self { begin, end }
    }

    /// The sweep of a tool in its frame; `None` for a tool that is no blade.
    pub fn of_tool(tool: &Tool) -> Option<Self> {
        let ToolShape::Blade { length, .. } = tool.shape else {
            return None;
        };
        let [begin, end] = [&tool.begin, &tool.end].map(|pose| BladeEdge::at(pose, length));
        Some(Self { begin, end })
    }

    /// Whether the edge moves.
    pub fn moves(&self) -> bool {
        self.begin != self.end
    }

    /// A box around it, m.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(self.begin.ends.iter().chain(&self.end.ends))
    }

    /// The plane that it lies in on the whole: a place in it (world, m) and the unit normal on the side of the plate's normal. `None` for an edge without a length.
    ///
    /// It is the plane along the edge and the motion of its middle; for an edge that hardly moves, or moves along itself, it is that of the plate.
    pub fn plane(&self) -> Option<(Vec3, Vec3)> {
        let [(begin, first), (end, second)] =
            [self.begin, self.end].map(|BladeEdge { ends: [a, b], .. }| ((a + b) / 2.0, b - a));
        let motion = end - begin;
        let along = (first + second).try_normalize(0.0)?;
        let across = motion - along * along.dot(&motion);
        let side = (self.begin.side + self.end.side).try_normalize(0.0)?;
        let normal = match across.norm() > LEAST_MOTION {
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

    /// Where it crosses a segment that rests, given by its ends (world, m): the share of the way from the first end to the second, 0 to 1; `None` where it does
    /// not. Nothing is crossed by an edge that rests, or that moves along itself, and nothing that is not finite.
    pub fn crossing(&self, segment: [Vec3; 2]) -> Option<f64> {
        let ([a, b], [c, d]) = (self.begin.ends, self.end.ends);
        crossing([a, b, d], segment).or_else(|| crossing([a, d, c], segment))
    }

    /// Where it crosses a segment that moves, given by its ends (world, m) when the frame begins and when it ends. Only the motion of the edge relative to the
    /// segment counts, so that an edge at rest cuts what moves through it.
    ///
    /// A long edge turns far in the frame of a short segment that turns a little. So the place is where the moving edge meets the segment, on the surface that it
    /// rules, and not on the triangles.
    pub fn crossing_moving(&self, from: [Vec3; 2], to: [Vec3; 2]) -> Option<f64> {
        if from == to {
            return self.crossing(to);
        }
        let carried = Self {
            begin: BladeEdge {
                ends: self.begin.ends.map(|x| carry(&x, from, to)),
                ..self.begin
            },
            end: self.end,
        };
        let ([a, b], [c, d]) = (carried.begin.ends, carried.end.ends);
        if !(is_passed([a, b, d], to) || is_passed([a, d, c], to)) {
            return None;
        }
        let share = share_at_line([[a, b], [c, d]], to)?;
        (0.0..=1.0).contains(&share).then_some(share)
    }
}

/// Whether the line through a segment passes all three sides of a triangle alike: then it goes through it (Segura and Feito 2001).
fn is_passed([u, v, w]: [Vec3; 3], segment: [Vec3; 2]) -> bool {
    let [a, b, c] = [[u, v], [v, w], [w, u]].map(|line| passes(segment, line));
    a.is_some() && a == b && b == c
}

/// A segment crosses a triangle if its ends lie on different sides and its line goes through it.
fn crossing([u, v, w]: [Vec3; 3], segment: [Vec3; 2]) -> Option<f64> {
    let normal = (v - u).cross(&(w - u));
    let [first, last] = segment.map(|x| normal.dot(&(x - u)));
    if !(first - last).is_finite() || (first > 0.0) == (last > 0.0) {
        return None;
    }
    is_passed([u, v, w], segment).then(|| first / (first - last))
}

/// Where `x` goes with a segment: by the affine map that takes the segment to where it is later and changes nothing across it.
fn carry(x: &Vec3, from: [Vec3; 2], to: [Vec3; 2]) -> Vec3 {
    let along = from[1] - from[0];
    let moved = to[0] - from[0];
    let stretch = (to[1] - from[1]) - moved;
    let share = match along.norm_squared() {
        squared if squared > 0.0 => (x - from[0]).dot(&along) / squared,
        _ => 0.0,
    };
    x + moved + stretch * share
}
