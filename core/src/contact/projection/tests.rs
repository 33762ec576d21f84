//! Laws of the velocity projection, for a few nodes.

use super::*;
use crate::boundary::Friction;

/// one skin vertex on two nodes, another on the second node alone
fn embedding() -> SkinEmbedding {
    SkinEmbedding::from_rows([(vec![(0, 0.25), (1, 0.75)], 0.0), (vec![(1, 1.0)], 0.0)])
}

fn floor(vertex: u32, height: f64) -> DisplacementConstraint {
    DisplacementConstraint {
        friction: Friction::Coulomb {
            static_coefficient: 0.5,
            kinetic_coefficient: 0.4,
        },
        ..DisplacementConstraint::contact(vertex, Vec3::new(0.0, height, 0.0), Vec3::y())
    }
}

#[test]
fn a_falling_particle_stops_on_the_floor_and_the_floor_carries_its_weight() {
    let embedding = SkinEmbedding::from_rows([(vec![(0, 1.0)], 0.0)]);
    let (mass, frame, steps) = (2.0, 1.0 / 60.0, 20);
    let step = frame / steps as f64;
    let mut x = vec![Vec3::new(0.0, 0.05, 0.0)];
    let mut v = vec![Vec3::new(1.0, 0.0, 0.0)];
    let mut projection = VelocityProjection::default();
    let mut last = Vec3::zeros();
    for _ in 0..60 {
        projection.begin_frame(&[floor(0, 0.0)], &embedding, &[1.0 / mass], &x, frame);
        for k in 0..steps {
            v[0].y -= 9.81 * step;
            projection.project(&mut v, &x, &[1.0 / mass], k as f64 * step, step, frame);
            x[0] += v[0] * step;
        }
        last = projection.end_frame()[0];
        assert!(last.y >= 0.0, "a floor never pulls");
        assert!(projection.violation(&x) < 1e-9);
    }
    assert!((last.y - mass * 9.81).abs() < 1e-9, "{last:?}");
    assert!(
        x[0].y.abs() < 1e-9 && v[0].norm() < 1e-12,
        "friction has stopped it"
    );
}

#[test]
fn a_tool_does_work_with_its_own_velocity_whether_a_vertex_slides_or_sticks() {
    // a belt carries away a particle at rest: at first it slides, and half of the work becomes heat
    let embedding = SkinEmbedding::from_rows([(vec![(0, 1.0)], 0.0)]);
    let (mass, frame, steps) = (2.0, 1.0 / 60.0, 20);
    let step = frame / f64::from(steps);
    let belt = Vec3::x() * 0.5;
    let (mut x, mut v) = ([Vec3::zeros()], [Vec3::zeros()]);
    let mut projection = VelocityProjection::default();
    let mut work = 0.0;
    for k in 0..30 {
        let below = floor(0, 0.0).moving(belt);
        projection.begin_frame(&[below], &embedding, &[1.0 / mass], &x, frame);
        for k in 0..steps {
            v[0].y -= 9.81 * step;
            let time = f64::from(k) * step;
            projection.project(&mut v, &x, &[1.0 / mass], time, step, frame);
            x[0] += v[0] * step;
        }
        work += projection.work();
        projection.end_frame();
        assert!((work - mass * v[0].dot(&belt)).abs() < 1e-12, "{work}");
        assert!(k > 0 || v[0].x < 0.2 * belt.x, "it slides: {v:?}");
    }
    assert!((v[0] - belt).norm() < 1e-9, "it sticks: {v:?}");
}

#[test]
fn impulses_conserve_momentum() {
    let masses = [1.0, 3.0];
    let inverse = masses.map(|m| 1.0 / m);
    let x = [Vec3::zeros(), Vec3::x()];
    let mut v = [Vec3::new(0.3, -2.0, 0.1), Vec3::new(-0.2, -1.0, 0.0)];
    let before = v;
    let mut projection = VelocityProjection::default();
    let grab = DisplacementConstraint {
        target: Vec3::new(0.8, 0.02, 0.0),
        directions: ConstrainedDirections::All,
        kind: ConstraintKind::Bilateral,
        ..floor(1, 0.0)
    };
    projection.begin_frame(&[floor(0, 0.01), grab], &embedding(), &inverse, &x, 0.01);
    projection.project(&mut v, &x, &inverse, 0.0, 0.001, 0.01);
    let total: Vec3 = projection.end_frame().iter().sum::<Vec3>() * 0.001;
    let gained: Vec3 = (0..2).map(|k| (v[k] - before[k]) * masses[k]).sum();
    assert!((total - gained).norm() < 1e-12);
}

#[test]
fn a_vertex_almost_entirely_on_held_nodes_does_not_throw_its_free_node() {
    // two neighbouring vertices whose small weights of the free node have opposite signs
    let at = |free: f64| (vec![(0, free), (1, 1.0 - free)], 0.0);
    let embedding = SkinEmbedding::from_rows([at(0.02), at(-0.03), at(0.5)]);
    let x = [Vec3::zeros(), Vec3::zeros()];
    let inverse = [2.0, 0.0];
    let (frame, steps) = (0.01, 10);
    let step = frame / f64::from(steps);
    let fastest = |vertices: &[u32]| {
        let (mut v, mut x) = ([Vec3::zeros(); 2], x);
        let mut projection = VelocityProjection::default();
        let floors: Vec<_> = vertices.iter().map(|&k| floor(k, 1e-3)).collect();
        projection.begin_frame(&floors, &embedding, &inverse, &x, frame);
        let mut fastest = 0.0_f64;
        for k in 0..steps {
            let time = f64::from(k) * step;
            projection.project(&mut v, &x, &inverse, time, step, frame);
            x[0] += v[0] * step;
            fastest = fastest.max(v[0].norm());
        }
        let force: f64 = projection.end_frame().iter().map(|f| f.norm()).sum();
        (fastest, force, projection.violation(&x))
    };
    // a millimetre in a hundredth of a second: a tenth of a metre a second
    let (speed, force, violation) = fastest(&[0, 1]);
    assert_eq!((speed, force), (0.0, 0.0));
    assert!(
        (violation - 1e-3).abs() < 1e-12,
        "the violation is reported"
    );
    let (speed, force, violation) = fastest(&[2]);
    assert!(
        speed < 0.3 && force > 0.0 && violation < 1e-4,
        "{speed} {violation}"
    );
}

#[test]
fn many_vertices_on_few_nodes_are_held_without_oscillation() {
    // a hand that holds a face of a coarse element, and thereby all its nodes
    let (violation, speed) = held_grid(0.12);
    assert!(violation < 1e-8 && speed < 1e-5, "{violation} {speed}");
    // a small part of a face: the mean is held, and the nodes keep turning about it
    let (violation, speed) = held_grid(0.01);
    assert!(violation < 5e-6 && speed < 1e-5, "{violation} {speed}");
}

/// Holds a grid of vertices, whose weights differ by `spacing`, on four drifting nodes. Returns the largest violation (m) and speed (m/s) after two seconds.
fn held_grid(spacing: f64) -> (f64, f64) {
    let weights = (0..64).map(|k| {
        let (a, b) = (
            0.06 + spacing * f64::from(k % 8),
            0.03 + spacing * f64::from(k / 8),
        );
        let c = spacing * f64::from((3 * k + k / 8) % 8);
        let all = [(0, a), (1, b), (2, c), (3, 1.0 - a - b - c)];
        (all.to_vec(), 0.0)
    });
    let embedding = SkinEmbedding::from_rows(weights);
    let inverse = [3.0, 1.0, 2.0, 5.0];
    let mut x = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let mut v = [1e-6, -2e-6, 5e-7, 1e-6].map(|x| Vec3::new(x, -x, 0.5 * x));
    let (frame, steps) = (1.0 / 60.0, 8);
    let step = frame / f64::from(steps);
    let held: Vec<_> = (0..64)
        .map(|k| DisplacementConstraint::held(k, embedding.interpolate(k as usize, &x)))
        .collect();
    let mut projection = VelocityProjection::default();
    for _ in 0..120 {
        projection.begin_frame(&held, &embedding, &inverse, &x, frame);
        for k in 0..steps {
            let time = f64::from(k) * step;
            projection.project(&mut v, &x, &inverse, time, step, frame);
            x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * step);
        }
        let force: Vec3 = projection.end_frame().iter().sum();
        assert!(force.norm() < 1e-2, "{force:?}");
    }
    let speeds = v.iter().map(Vec3::norm);
    (projection.violation(&x), speeds.fold(0.0, f64::max))
}

/// Sixteen vertices on four nodes of different mass fall on a floor, in frames of so many substeps. Returns the deepest violation (m) and the force on the floor over the weight at the end.
fn crowded_fall(steps: u32, mut projection: VelocityProjection) -> (f64, f64) {
    let shares = |k: u32| [f64::from(k % 4) / 3.0, f64::from(k / 4) / 3.0];
    let rows = (0..16).map(|k| {
        let [s, t] = shares(k);
        let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
        ((0..4).zip(weights).collect::<Vec<(u32, f64)>>(), 0.0)
    });
    let embedding = SkinEmbedding::from_rows(rows);
    let masses = [0.4, 0.1, 0.2, 0.3];
    let inverse = masses.map(|m| 1.0 / m);
    let floors: Vec<_> = (0..16).map(|vertex| floor(vertex, 0.0)).collect();
    let mut x =
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, z]| Vec3::new(x, 0.02, z));
    let mut v = [Vec3::new(0.0, -0.5, 0.0); 4];
    let frame = 1.0 / 60.0;
    let step = frame / f64::from(steps);
    let (mut violation, mut force) = (0.0_f64, 0.0);
    for _ in 0..30 {
        projection.begin_frame(&floors, &embedding, &inverse, &x, frame);
        for k in 0..steps {
            v.iter_mut().for_each(|v| v.y -= 9.81 * step);
            projection.project(&mut v, &x, &inverse, f64::from(k) * step, step, frame);
            x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * step);
        }
        violation = violation.max(projection.violation(&x));
        force = projection.end_frame().iter().map(|f| f.y).sum();
    }
    (violation, force / (9.81 * masses.iter().sum::<f64>()))
}

#[test]
fn few_sweeps_in_many_substeps_carry_a_crowd_as_many_sweeps_in_few_do() {
    let few = VelocityProjection::with_few_sweeps;
    for (steps, projection) in [
        (20, VelocityProjection::default()),
        (20, few()),
        (240, few()),
    ] {
        let (violation, force) = crowded_fall(steps, projection);
        assert!(violation < 1e-4, "{steps}: {violation} m");
        assert!((force - 1.0).abs() < 1e-3, "{steps}: {force}");
    }
}

/// Sixteen vertices on four nodes of different mass are let go on a floor that slopes by so many degrees, and expect the forces of their last frame. Returns how far the nodes move down the slope in
/// the last and a half of two seconds (m), and their speed then (m/s).
fn crowd_on_slope(degrees: f64, steps: u32, mut projection: VelocityProjection) -> ([f64; 4], f64) {
    let shares = |k: u32| [f64::from(k % 4) / 3.0, f64::from(k / 4) / 3.0];
    let rows = (0..16).map(|k| {
        let [s, t] = shares(k);
        let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
        ((0..4).zip(weights).collect::<Vec<(u32, f64)>>(), 0.0)
    });
    let embedding = SkinEmbedding::from_rows(rows);
    let inverse = [0.4, 0.1, 0.2, 0.3].map(|m: f64| 1.0 / m);
    let mut floors: Vec<_> = (0..16).map(|vertex| floor(vertex, 0.0)).collect();
    let (sin, cos) = degrees.to_radians().sin_cos();
    let gravity = Vec3::new(sin, -cos, 0.0) * 9.81;
    let mut x = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let mut v = [Vec3::zeros(); 4];
    let frame = 1.0 / 60.0;
    let step = frame / f64::from(steps);
    let mut early = x;
    for k in 0..120 {
        if k == 30 {
            early = x;
        }
        projection.begin_frame(&floors, &embedding, &inverse, &x, frame);
        for k in 0..steps {
            v.iter_mut().for_each(|v| *v += gravity * step);
            projection.project(&mut v, &x, &inverse, f64::from(k) * step, step, frame);
            x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * step);
        }
        for (floor, force) in floors.iter_mut().zip(projection.end_frame()) {
            let friction = force.x.hypot(force.z);
            assert!(
                friction <= 0.5 * force.y + 1e-12,
                "out of the cone: {force:?}"
            );
            floor.expected_force = *force;
        }
    }
    ([0, 1, 2, 3].map(|n| x[n].x - early[n].x), v[0].x)
}

#[test]
fn a_crowd_sticks_from_frame_to_frame_on_a_gentle_slope_and_slides_on_a_steep_one() {
    let few = VelocityProjection::with_few_sweeps;
    for (steps, projection) in [
        (8, VelocityProjection::default()),
        (20, VelocityProjection::default()),
        (64, few()),
    ] {
        let (crept, _) = crowd_on_slope(20.0, steps, projection.clone());
        // where every frame begins without impulses, 7e-9 to 7e-6 m
        let most = crept
            .into_iter()
            .fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(most < 1e-12, "{steps}: {crept:?}");
        let (_, speed) = crowd_on_slope(28.0, steps, projection);
        let (sin, cos) = 28.0_f64.to_radians().sin_cos();
        let sliding = 2.0 * 9.81 * (sin - 0.4 * cos);
        assert!((speed / sliding - 1.0).abs() < 1e-3, "{steps}: {speed}");
    }
}

#[test]
fn a_held_node_takes_no_impulse() {
    let x = [Vec3::zeros(), Vec3::x()];
    let mut v = [Vec3::zeros(); 2];
    let mut projection = VelocityProjection::default();
    projection.begin_frame(&[floor(1, 0.5)], &embedding(), &[1.0, 0.0], &x, 0.01);
    projection.project(&mut v, &x, &[1.0, 0.0], 0.0, 0.01, 0.01);
    assert_eq!(v, [Vec3::zeros(); 2]);
    assert_eq!(projection.end_frame()[0], Vec3::zeros());
    assert!((projection.violation(&x) - 0.5).abs() < 1e-12);
}

#[test]
fn a_node_is_held_where_held_vertices_have_enough_of_its_weight() {
    let frame = 0.01;
    let hold = |reach: f64| {
        let embedding = SkinEmbedding::from_rows([
            (vec![(0, 1.0)], 0.0),
            (vec![(0, 1.0 - reach), (1, reach)], 0.0),
        ]);
        let x = [Vec3::zeros(), Vec3::x()];
        let mut v = [Vec3::zeros(); 2];
        let mut projection = VelocityProjection::default();
        let held = [0, 1].map(|vertex| DisplacementConstraint {
            target: x[0] * (1.0 - f64::from(vertex) * reach)
                + x[1] * (f64::from(vertex) * reach)
                + Vec3::y() * 1e-3,
            directions: ConstrainedDirections::All,
            kind: ConstraintKind::Bilateral,
            ..DisplacementConstraint::contact(vertex, Vec3::zeros(), Vec3::y())
        });
        projection.begin_frame(&held, &embedding, &[1.0; 2], &x, frame);
        projection.project(&mut v, &x, &[1.0; 2], 0.0, frame, frame);
        v.map(|v| v.y * frame)
    };
    let [near, far] = hold(0.3);
    assert!((near - 1e-3).abs() < 1e-12 && far == 0.0, "{near} {far}");
    let [near, far] = hold(0.5);
    assert!((near - 1e-3).abs() < 1e-12 && (far - 1e-3).abs() < 1e-12);
}

#[test]
fn vertices_on_lines_and_in_planes_are_held_across_them_and_slide_otherwise() {
    // four vertices between two nodes: two of them, one near each node, are independent
    let between = |share: f64| (vec![(0, 1.0 - share), (1, share)], 0.0);
    let embedding = SkinEmbedding::from_rows([0.0, 0.1, 0.9, 1.0].map(between));
    let inverse = [2.0, 3.0];
    let tilted = Vec3::new(0.6, 0.0, 0.8);
    let (frame, steps) = (1.0 / 60.0, 10);
    let step = frame / f64::from(steps);
    let sets = [
        [ConstrainedDirections::All; 4],
        [ConstrainedDirections::Along(tilted); 4],
        [ConstrainedDirections::Across(tilted); 4],
        // two sets of directions, none of which has all vertices
        [
            ConstrainedDirections::Along(tilted),
            ConstrainedDirections::Across(tilted),
            ConstrainedDirections::Across(tilted),
            ConstrainedDirections::Along(tilted),
        ],
    ];
    for directions in sets {
        let rest = [Vec3::zeros(), Vec3::x()];
        let thrown = Vec3::new(0.1, 0.2, 0.3);
        let (mut x, mut v) = (rest, [thrown; 2]);
        let held: Vec<_> = (0..4_u32)
            .map(|k| DisplacementConstraint {
                directions: directions[k as usize],
                ..DisplacementConstraint::held(k, embedding.interpolate(k as usize, &x))
            })
            .collect();
        let mut projection = VelocityProjection::default();
        for _ in 0..6 {
            projection.begin_frame(&held, &embedding, &inverse, &x, frame);
            for k in 0..steps {
                let time = f64::from(k) * step;
                projection.project(&mut v, &x, &inverse, time, step, frame);
                x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * step);
            }
            projection.end_frame();
        }
        assert!(projection.violation(&x) < 1e-4, "{directions:?}");
        let is_mixed = directions[0] != directions[1];
        let kept = match is_mixed {
            true => Vec3::zeros(),
            false => thrown - directions[0].part(&thrown),
        };
        for (v, (x, rest)) in v.iter().zip(x.iter().zip(&rest)) {
            assert!((v - kept).norm() < 1e-3, "{directions:?}: {v:?}");
            assert!((x - rest - kept * (6.0 * frame)).norm() < 1e-4);
        }
    }
}
