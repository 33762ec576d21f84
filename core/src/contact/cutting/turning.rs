//! A blade that turns back within a frame: the sweeps of its way.

use super::sweep::{BladeEdge, BladeSweep, MIN_MOTION};
use crate::contact::{Pose, Tool, ToolShape};
use crate::math::barycentric::closest_share_on_segment;

impl BladeSweep {
    /// Appends the sweeps of a tool in its frame to `out`; nothing for a tool that is no blade. `turns` are the poses where the tool may change its direction, each with the share of the frame (0 to 1) that
    /// has passed by then, ascending. Without any, it is one sweep.
    ///
    /// Poses on a straight way add no sweep, and a way back along the last sweep adds none: what goes in and out again cuts once.
    pub fn append_of_tool(
        tool: &Tool,
        turns: impl Iterator<Item = (f64, Pose)>,
        out: &mut Vec<Self>,
    ) {
        let ToolShape::Blade { length, .. } = tool.shape else {
            return;
        };
        let still = |edge: BladeEdge, time: f64| Self {
            begin: edge,
            end: edge,
            part: [time; 2],
        };
        let first = out.len();
        let mut sweep = still(BladeEdge::at(&tool.begin, length), 0.0);
        for (time, pose) in turns.chain([(1.0, tool.end)]) {
            let end = BladeEdge::at(&pose, length);
            let [began, ended] = sweep.part;
            let next = Self {
                begin: sweep.end,
                end,
                part: [ended, time],
            };
            let both = Self {
                end,
                part: [began, time],
                ..sweep
            };
            if both.passes(&sweep.end) {
                sweep = both;
            } else if sweep.passes(&end) {
                out.push(sweep);
                sweep = still(end, time);
            } else if next.passes(&sweep.begin) {
                sweep = next;
            } else {
                out.push(sweep);
                sweep = next;
            }
        }
        // one at rest cuts what moves through it
        if sweep.moves() || out.len() == first {
            out.push(sweep);
        }
    }

    /// Whether both ends of an edge lie on the ways of the ends of the sweep.
    fn passes(&self, edge: &BladeEdge) -> bool {
        (0..2).all(|k| {
            let (x, way) = (edge.ends[k], [self.begin.ends[k], self.end.ends[k]]);
            let share = closest_share_on_segment(&x, way);
            ((x - way[0]) - (way[1] - way[0]) * share).norm() < MIN_MOTION
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::Friction;
    use crate::math::Vec3;

    /// The sweeps of a blade across x that goes to these places (y and z, m) at equal times.
    fn sweeps(places: &[[f64; 2]]) -> Vec<BladeSweep> {
        let pose = |[y, z]: [f64; 2]| Pose::at(Vec3::new(0.0, y, z));
        let tool = Tool {
            name: "knife".into(),
            shape: ToolShape::Blade {
                length: 2.0,
                height: 0.1,
                thickness: 0.01,
            },
            friction: Friction::None,
            adhesion: None,
            begin: pose(places[0]),
            end: pose(places[places.len() - 1]),
        };
        let last = places.len() - 1;
        let turns = (1..last).map(|k| (k as f64 / last as f64, pose(places[k])));
        let mut found = Vec::new();
        BladeSweep::append_of_tool(&tool, turns, &mut found);
        if last == 1 {
            let edge = |pose| BladeEdge::at(pose, 2.0);
            assert_eq!(found, [BladeSweep::new(edge(&tool.begin), edge(&tool.end))]);
        }
        found
    }

    /// Heights at which sweeps in the plane z = 0 cross segments along z.
    fn crossed(sweeps: &[BladeSweep]) -> Vec<usize> {
        let segment = |y: f64| [-0.1, 0.1].map(|z| Vec3::new(0.0, y, z));
        let heights = [0.5, -0.5, -1.5];
        let count = |y: f64| {
            let hits = sweeps.iter().filter(|s| s.crossing(segment(y)).is_some());
            hits.count()
        };
        heights.map(count).to_vec()
    }

    #[test]
    fn a_straight_way_is_one_sweep() {
        let straight = sweeps(&[[1.0, 0.0], [-1.0, 0.0]]);
        assert_eq!(crossed(&straight), [1, 1, 0]);
        // places on the way change nothing
        let in_parts = sweeps(&[[1.0, 0.0], [0.7, 0.0], [0.7, 0.0], [-1.0, 0.0]]);
        assert_eq!(in_parts, straight);
        // at rest
        let still = sweeps(&[[1.0, 0.0], [1.0, 0.0]]);
        assert!(still.len() == 1 && !still[0].moves());
    }

    #[test]
    fn what_goes_in_and_out_again_within_a_frame_cuts_once() {
        let in_and_out = sweeps(&[[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]);
        assert_eq!(crossed(&in_and_out), [1, 1, 0]);
        // it ends on its way back, or comes back beyond where it began
        for [begin, end] in [[1.0, 0.0], [0.0, 1.0]] {
            let way = sweeps(&[[begin, 0.0], [-1.0, 0.0], [end, 0.0]]);
            assert_eq!(crossed(&way), [1, 1, 0]);
        }
        // half of the frame has passed when it is in
        let [only] = in_and_out.as_slice() else {
            panic!("{in_and_out:?}");
        };
        let (from, to) = (Vec3::zeros(), Vec3::x());
        assert_eq!(only.places(&from, &to), [from, to * 0.5]);
    }

    #[test]
    fn a_way_with_a_corner_is_two_sweeps() {
        let corner = sweeps(&[[1.0, 0.0], [-1.0, 0.0], [-1.0, 1.0]]);
        assert_eq!(corner.len(), 2);
        assert_eq!(crossed(&corner), [1, 1, 0]);
        let below = [-2.0, 0.0].map(|y| Vec3::new(0.0, y, 0.5));
        let hits = corner.iter().map(|s| s.crossing(below).is_some());
        assert_eq!(hits.collect::<Vec<_>>(), [false, true]);
        let (from, to) = (Vec3::zeros(), Vec3::x());
        assert_eq!(corner[1].places(&from, &to), [to * 0.5, to]);
    }
}
