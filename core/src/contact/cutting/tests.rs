//! Laws of the crossings of a sweep.

use nalgebra::UnitQuaternion;

use crate::boundary::Friction;
use crate::contact::cutting::{BladeEdge, BladeSweep};
use crate::contact::{Pose, Tool, ToolShape};
use crate::math::Vec3;

/// Pseudo-random numbers between −1 and 1.
fn noise(k: usize) -> f64 {
    (k as f64 * 12.9898 + 0.37).sin() * 43_758.547 % 1.0
}

fn point(k: usize) -> Vec3 {
    Vec3::new(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2))
}

/// Sweeps of an edge that takes the positions `edges` one after the other.
fn sweeps(edges: &[[Vec3; 2]], back: Vec3) -> Vec<BladeSweep> {
    let pairs = edges.windows(2);
    pairs.map(|pair| sweep(pair[0], pair[1], back)).collect()
}

fn crosses(sweep: &BladeSweep, segment: [Vec3; 2]) -> bool {
    sweep.crossing(segment).is_some()
}

fn hits(sweeps: &[BladeSweep], segment: [Vec3; 2]) -> usize {
    sweeps.iter().filter(|s| crosses(s, segment)).count()
}

/// The sweep between two positions of an edge.
fn sweep(begin: [Vec3; 2], end: [Vec3; 2], back: Vec3) -> BladeSweep {
    BladeSweep::new(BladeEdge::new(begin, back), BladeEdge::new(end, back))
}

/// An edge along x from −1 to 1 at height `y`.
fn edge(y: f64) -> [Vec3; 2] {
    [Vec3::new(-1.0, y, 0.0), Vec3::new(1.0, y, 0.0)]
}

#[test]
fn a_segment_through_a_sweep_is_crossed_once_however_frames_divide_it() {
    let turn = UnitQuaternion::from_euler_angles(0.4, -1.1, 0.7);
    for divisions in [1, 2, 3, 7, 64] {
        let at = |k: usize| edge(1.0 - 2.0 * k as f64 / divisions as f64).map(|x| turn * x);
        let edges: Vec<_> = (0..=divisions).map(at).collect();
        let all = sweeps(&edges, turn * Vec3::y());
        let mut crossed = 0;
        for k in 0..500 {
            let (p, q) = (point(2 * k), point(2 * k + 1));
            let t = p.z / (p.z - q.z);
            let meeting = p + (q - p) * t;
            let through = p.z * q.z < 0.0 && meeting.x.abs() < 1.0 && meeting.y.abs() < 1.0;
            let count = hits(&all, [p, q].map(|x| turn * x));
            assert_eq!(count, usize::from(through), "{divisions} {p} {q}");
            crossed += count;
        }
        assert!(crossed > 100, "{crossed}");
    }
}

#[test]
fn a_segment_on_a_common_border_belongs_to_exactly_one_sweep() {
    // exact coincidences: the edge stops at heights and ends at places where segments pass
    let heights = [1.0, 0.75, 0.5, 0.25, 0.0, -0.25, -0.5, -1.0];
    let halves = [[-1.0, 0.0], [0.0, 1.0]];
    let blades: Vec<BladeSweep> = halves
        .iter()
        .flat_map(|half| {
            let at = |y: &f64| half.map(|x| Vec3::new(x, *y, 0.0));
            sweeps(&heights.iter().map(at).collect::<Vec<_>>(), Vec3::y())
        })
        .collect();
    for y in [0.75, 0.5, 0.3, 0.25, 0.0, -0.5, -0.7] {
        for x in [-0.5, 0.0, 0.25] {
            for slope in [
                Vec3::zeros(),
                Vec3::new(0.3, 0.0, 0.0),
                Vec3::new(0.1, 0.4, 0.0),
            ] {
                let middle = Vec3::new(x, y, 0.0);
                let segment = [middle - slope - Vec3::z(), middle + slope + Vec3::z()];
                assert_eq!(hits(&blades, segment), 1, "{x} {y} {slope}");
                assert_eq!(
                    hits(&blades, [segment[1], segment[0]]),
                    1,
                    "{x} {y} {slope}"
                );
            }
        }
    }
}

#[test]
fn a_chain_of_segments_is_cut_once_where_a_joint_lies_in_the_sweep() {
    for turn in [0.0, 0.3, 1.0, 2.5] {
        let turn = UnitQuaternion::from_euler_angles(turn, 0.2 * turn, -turn);
        let all = sweeps(
            &[1.0, 0.1, -0.3, -1.0].map(|y| edge(y).map(|x| turn * x)),
            turn * Vec3::y(),
        );
        for k in 0..50 {
            let joint = Vec3::new(0.8 * noise(k), 0.8 * noise(k + 1), 0.0);
            let ends = [
                joint + Vec3::new(noise(k), noise(k + 2), -1.0),
                joint,
                joint + Vec3::new(noise(k + 3), noise(k + 4), 1.0),
            ];
            let [a, b, c] = ends.map(|x| turn * x);
            assert_eq!(hits(&all, [a, b]) + hits(&all, [b, c]), 1, "{joint}");
        }
    }
}

#[test]
fn an_edge_that_only_touches_cuts_nothing_and_then_cuts_when_it_goes_on() {
    for turn in [0.0, 0.9, 2.0] {
        let turn = UnitQuaternion::from_euler_angles(0.5 * turn, turn, -turn);
        let segment = [-Vec3::z(), Vec3::z()].map(|x| turn * x);
        let down = |from: f64, to: f64| {
            let [from, to] = [from, to].map(|y| edge(y).map(|x| turn * x));
            sweep(from, to, turn * Vec3::y())
        };
        assert!(!crosses(&down(0.5, 0.0), segment), "touches");
        assert!(!crosses(&down(0.0, 0.5), segment), "and goes back");
        assert!(crosses(&down(0.0, -0.5), segment), "goes on");
        // beside the blade and below it
        let beside = segment.map(|x| x + turn * Vec3::x() * 1.001);
        assert!(!crosses(&down(0.5, -0.5), beside));
        let below = segment.map(|x| x - turn * Vec3::y() * 0.501);
        assert!(!crosses(&down(0.5, -0.5), below));
    }
}

#[test]
fn an_edge_at_rest_along_itself_or_not_finite_cuts_nothing() {
    let segments = [
        [-Vec3::z(), Vec3::z()],
        [-Vec3::x(), Vec3::x()],
        [Vec3::zeros(); 2],
    ];
    let along = edge(0.0).map(|x| x + Vec3::x() * 0.3);
    let bad = edge(f64::NAN);
    let far = edge(f64::INFINITY);
    for (begin, end) in [
        (edge(0.0), edge(0.0)),
        (edge(0.0), along),
        (edge(1.0), bad),
        (bad, edge(1.0)),
        (edge(1.0), far),
        ([Vec3::zeros(); 2], [Vec3::zeros(); 2]),
    ] {
        for back in [Vec3::y(), Vec3::zeros(), Vec3::x(), Vec3::repeat(f64::NAN)] {
            let sweep = sweep(begin, end, back);
            for segment in segments {
                assert!(!crosses(&sweep, segment), "{sweep:?} {segment:?}");
                assert!(
                    sweep.crossing_moving(segment, segment).is_none(),
                    "{sweep:?}"
                );
                for near in [1e-3, f64::INFINITY] {
                    let crossings = sweep.consistent_crossings(1e-3, near);
                    assert!(crossings.crossing(segment, segment).is_none(), "{sweep:?}");
                }
            }
            let nowhere = [Vec3::repeat(f64::NAN), Vec3::z()];
            assert!(!crosses(&sweep, nowhere));
        }
    }
}

#[test]
fn what_moves_through_an_edge_at_rest_is_cut_as_if_the_edge_moved() {
    let still = sweep(edge(0.0), edge(0.0), Vec3::y());
    for k in 0..300 {
        let segment = [point(2 * k), point(2 * k + 1)];
        let rises = segment.map(|x| x + Vec3::y() * 0.7);
        let moving = sweep(edge(0.7), edge(0.0), Vec3::y());
        assert_eq!(
            still.crossing_moving(segment, rises).is_some(),
            crosses(&moving, rises),
            "{segment:?}"
        );
    }
}

#[test]
fn a_segment_that_turns_and_stretches_is_crossed_once_however_frames_divide_its_way() {
    // the segment grows, turns and falls through an edge that moves sideways
    let at = |t: f64| {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 0.3 * t);
        let height = Vec3::y() * (0.5 - t);
        [-Vec3::z(), Vec3::z()].map(|x| turn * x * (0.3 + 0.4 * t) + height)
    };
    let blade = |t: f64| edge(0.0).map(|x| x + Vec3::new(0.2 * t, 0.0, 0.1 * t));
    for divisions in [1, 2, 5, 10, 40] {
        let count = (0..divisions).filter(|&k| {
            let [t, next] = [k, k + 1].map(|k| k as f64 / divisions as f64);
            sweep(blade(t), blade(next), Vec3::y())
                .crossing_moving(at(t), at(next))
                .is_some()
        });
        assert_eq!(count.count(), 1, "{divisions}");
    }
}

#[test]
fn of_two_segments_with_a_common_end_that_moves_near_the_sweep_one_is_crossed() {
    let turn = UnitQuaternion::from_euler_angles(0.4, -1.1, 0.7);
    let margin = 1e-4;
    for motion in [0.0, 1e-9, 1e-7, 1e-6, 1e-4, 1e-2] {
        for divisions in [1, 3, 7] {
            let height = |k: usize| 1.0 - 2.0 * k as f64 / divisions as f64;
            let edges: Vec<_> = (0..=divisions)
                .map(|k| edge(height(k)).map(|x| turn * x))
                .collect();
            let all = sweeps(&edges, turn * Vec3::y());
            for n in 0..40 {
                let joint = Vec3::new(0.8 * noise(n), 0.8 * noise(n + 1), 0.0);
                // an end on one side, the joint, and an end on the other side, when frame `k` begins
                let chain = |k: usize| {
                    [0, 1, 2].map(|i| {
                        let at = joint + Vec3::z() * (0.1 * i as f64 - 0.1);
                        turn * (at + point(1000 * n + 10 * k + i) * motion)
                    })
                };
                let count = |first: usize, margin: f64| {
                    let frames = all.iter().enumerate();
                    let crossed = frames.filter(|(k, sweep)| {
                        let [from, to] = [chain(*k), chain(k + 1)];
                        let [from, to] = [from, to].map(|x| [x[first], x[first + 1]]);
                        let crossings = sweep.consistent_crossings(margin, f64::INFINITY);
                        crossings.crossing(from, to).is_some()
                    });
                    crossed.count()
                };
                let odd = [0, 1].map(|first| count(first, 0.0) % 2);
                assert_eq!(odd[0] + odd[1], 1, "{motion} {divisions} {joint}");
                if motion < 0.1 * margin {
                    // the joint counts as on the negative side
                    let counts = [0, 1].map(|first| count(first, margin));
                    assert_eq!(counts, [0, 1], "{motion} {divisions} {joint}");
                }
            }
        }
    }
}

#[test]
fn segments_at_rest_are_crossed_alike_whether_or_not_they_share_ends() {
    let blade = sweep(edge(1.0), edge(-1.0), Vec3::y());
    let mut crossed = 0;
    for k in 0..300 {
        let segment = [point(2 * k), point(2 * k + 1)];
        let share = blade.crossing(segment);
        let crossings = blade.consistent_crossings(0.0, f64::INFINITY);
        assert_eq!(crossings.crossing(segment, segment), share, "{segment:?}");
        crossed += usize::from(share.is_some());
    }
    assert!(crossed > 30, "{crossed}");
}

#[test]
fn only_segments_with_an_end_near_the_plate_are_decided_by_the_ways_of_their_ends() {
    let blade = sweep(edge(1.0), edge(-1.0), Vec3::y());
    let near = 0.1;
    let of_near = blade.consistent_crossings(0.0, near);
    let of_all = blade.consistent_crossings(0.0, f64::INFINITY);
    // far segments and near ones for which both rules differ
    let mut differing = [0; 2];
    for k in 0..1000 {
        let [from, to] = [4 * k, 4 * k + 2].map(|k| [point(k), point(k + 1)]);
        let is_near = from.iter().chain(&to).any(|x| x.z.abs() <= near);
        let by_link = blade.crossing_moving(from, to);
        let by_ways = of_all.crossing(from, to);
        let expected = if is_near { by_ways } else { by_link };
        assert_eq!(of_near.crossing(from, to), expected, "{from:?} {to:?}");
        differing[usize::from(is_near)] += usize::from(by_ways != by_link);
    }
    assert!(differing.iter().all(|&n| n > 50), "{differing:?}");
}

#[test]
fn a_blade_as_a_tool_cuts_with_its_edge_and_no_other_shape_does() {
    let shape = ToolShape::Blade {
        length: 0.2,
        height: 0.1,
        thickness: 0.01,
    };
    let mut tool = Tool {
        name: "knife".into(),
        shape,
        friction: Friction::None,
        adhesion: None,
        begin: Pose::at(Vec3::new(0.0, 0.3, 0.0)),
        end: Pose::at(Vec3::new(0.0, 0.1, 0.0)),
    };
    let across = |x: f64, y: f64| [Vec3::new(x, y, -0.1), Vec3::new(x, y, 0.1)];
    let sweeps = |tool: &Tool| {
        let mut found = Vec::new();
        BladeSweep::append_of_tool(tool, std::iter::empty(), &mut found);
        found
    };
    let [sweep] = sweeps(&tool)[..] else {
        panic!("a straight way is one sweep");
    };
    for (segment, cut) in [
        (across(0.09, 0.2), true),
        (across(0.11, 0.2), false),
        (across(0.0, 0.09), false),
        (across(0.0, 0.31), false),
    ] {
        assert_eq!(crosses(&sweep, segment), cut, "{segment:?}");
    }
    let bounds = sweep.bounds().inflated(1e-6);
    assert!(bounds.contains(&Vec3::new(0.1, 0.3, 0.0)));
    tool.shape = ToolShape::Sphere { radius: 0.1 };
    assert!(sweeps(&tool).is_empty());
}

#[test]
fn the_share_of_a_crossing_counts_from_the_first_end() {
    let blade = sweep(edge(1.0), edge(-1.0), Vec3::y());
    for share in [0.1, 0.25, 0.5, 0.9] {
        let step = Vec3::new(0.3, -0.2, 0.8);
        let first = Vec3::new(0.2, 0.1, 0.0) - step * share;
        let found = blade.crossing([first, first + step]).expect("through it");
        assert!((found - share).abs() < 1e-6, "{found} {share}");
        let reversed = blade.crossing([first + step, first]).expect("through it");
        assert!((reversed + found - 1.0).abs() < 1e-12);
    }
}
