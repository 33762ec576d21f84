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

const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
/// Duration of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

/// Nodes and the skin vertices that follow them.
struct Body {
    embedding: SkinEmbedding,
    /// 1/kg
    inverse_masses: Vec<f64>,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    projection: VelocityProjection,
}

impl Body {
    /// A body at rest.
    fn new(embedding: SkinEmbedding, inverse_masses: &[f64], x: &[Vec3]) -> Self {
        Self {
            embedding,
            inverse_masses: inverse_masses.to_vec(),
            x: x.to_vec(),
            v: vec![Vec3::zeros(); x.len()],
            projection: VelocityProjection::default(),
        }
    }

    /// One node of 2 kg at a height, with its skin vertex.
    fn particle(height: f64) -> Self {
        let embedding = SkinEmbedding::from_rows([(vec![(0, 1.0)], 0.0)]);
        Self::new(embedding, &[0.5], &[Vec3::y() * height])
    }

    /// Steps a frame of `duration` seconds in so many substeps. Returns the largest speed of a node after a substep, m/s.
    fn step_frame(
        &mut self,
        constraints: &[DisplacementConstraint],
        (duration, steps): (f64, u32),
        gravity: Vec3,
    ) -> f64 {
        let Self {
            embedding,
            inverse_masses,
            x,
            v,
            projection,
        } = self;
        let step = duration / f64::from(steps);
        let mut fastest = 0.0_f64;
        projection.begin_frame(constraints, embedding, inverse_masses, x, duration);
        for k in 0..steps {
            v.iter_mut().for_each(|v| *v += gravity * step);
            projection.project(v, x, inverse_masses, f64::from(k) * step, step, duration);
            x.iter_mut().zip(&*v).for_each(|(x, v)| *x += v * step);
            fastest = v.iter().map(Vec3::norm).fold(fastest, f64::max);
        }
        fastest
    }

    /// Skin vertex `k` held where it is, in these directions.
    fn held(&self, k: u32, directions: ConstrainedDirections) -> DisplacementConstraint {
        let target = self.embedding.interpolate(k as usize, &self.x);
        DisplacementConstraint {
            directions,
            ..DisplacementConstraint::held(k, target)
        }
    }
}

#[test]
fn a_falling_particle_stops_on_the_floor_and_the_floor_carries_its_weight() {
    let mut body = Body::particle(0.05);
    body.v[0] = Vec3::x();
    let mut last = Vec3::zeros();
    for _ in 0..60 {
        body.step_frame(&[floor(0, 0.0)], (FRAME, 20), GRAVITY);
        last = body.projection.end_frame()[0];
        assert!(last.y >= 0.0, "a floor never pulls");
        assert!(body.projection.violation(&body.x) < 1e-9);
    }
    assert!((last.y - 2.0 * 9.81).abs() < 1e-9, "{last:?}");
    assert!(
        body.x[0].y.abs() < 1e-9 && body.v[0].norm() < 1e-12,
        "friction has stopped it"
    );
}

#[test]
fn a_tool_does_work_with_its_own_velocity_whether_a_vertex_slides_or_sticks() {
    // a belt carries away a particle at rest: at first it slides, and half of the work becomes heat
    let mut body = Body::particle(0.0);
    let belt = Vec3::x() * 0.5;
    let mut work = 0.0;
    for k in 0..30 {
        body.step_frame(&[floor(0, 0.0).moving(belt)], (FRAME, 20), GRAVITY);
        work += body.projection.work();
        body.projection.end_frame();
        let v = body.v[0];
        assert!((work - 2.0 * v.dot(&belt)).abs() < 1e-12, "{work}");
        assert!(k > 0 || v.x < 0.2 * belt.x, "it slides: {v:?}");
    }
    assert!((body.v[0] - belt).norm() < 1e-9, "it sticks: {:?}", body.v);
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
    let fastest = |vertices: &[u32]| {
        let mut body = Body::new(embedding.clone(), &[2.0, 0.0], &[Vec3::zeros(); 2]);
        let floors: Vec<_> = vertices.iter().map(|&k| floor(k, 1e-3)).collect();
        let fastest = body.step_frame(&floors, (0.01, 10), Vec3::zeros());
        let force: f64 = body.projection.end_frame().iter().map(Vec3::norm).sum();
        (fastest, force, body.projection.violation(&body.x))
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
    let x = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let mut body = Body::new(embedding, &[3.0, 1.0, 2.0, 5.0], &x);
    body.v = [1e-6, -2e-6, 5e-7, 1e-6]
        .map(|x| Vec3::new(x, -x, 0.5 * x))
        .into();
    let all = ConstrainedDirections::All;
    let held: Vec<_> = (0..64).map(|k| body.held(k, all)).collect();
    for _ in 0..120 {
        body.step_frame(&held, (FRAME, 8), Vec3::zeros());
        let force: Vec3 = body.projection.end_frame().iter().sum();
        assert!(force.norm() < 1e-2, "{force:?}");
    }
    let speeds = body.v.iter().map(Vec3::norm);
    (
        body.projection.violation(&body.x),
        speeds.fold(0.0, f64::max),
    )
}

/// Masses of the nodes of [`crowd`], kg.
const CROWD: [f64; 4] = [0.4, 0.1, 0.2, 0.3];

/// Sixteen vertices on four nodes of different mass at a height, and a floor below each vertex.
fn crowd(height: f64, projection: VelocityProjection) -> (Body, Vec<DisplacementConstraint>) {
    let shares = |k: u32| [f64::from(k % 4) / 3.0, f64::from(k / 4) / 3.0];
    let rows = (0..16).map(|k| {
        let [s, t] = shares(k);
        let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
        ((0..4).zip(weights).collect::<Vec<(u32, f64)>>(), 0.0)
    });
    let x = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let x = x.map(|[x, z]| Vec3::new(x, height, z));
    let body = Body {
        projection,
        ..Body::new(SkinEmbedding::from_rows(rows), &CROWD.map(|m| 1.0 / m), &x)
    };
    (body, (0..16).map(|vertex| floor(vertex, 0.0)).collect())
}

/// A crowd falls on the floor, in frames of so many substeps. Returns the deepest violation (m) and the force on the floor over the weight at the end.
fn crowded_fall(steps: u32, projection: VelocityProjection) -> (f64, f64) {
    let (mut body, floors) = crowd(0.02, projection);
    body.v.fill(Vec3::new(0.0, -0.5, 0.0));
    let (mut violation, mut force) = (0.0_f64, 0.0);
    for _ in 0..30 {
        body.step_frame(&floors, (FRAME, steps), GRAVITY);
        violation = violation.max(body.projection.violation(&body.x));
        force = body.projection.end_frame().iter().map(|f| f.y).sum();
    }
    (violation, force / (9.81 * CROWD.iter().sum::<f64>()))
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

/// A crowd is let go on a floor that slopes by so many degrees, and expects the forces of its last frame. Returns how far the nodes move down the slope in the last and a half of two
/// seconds (m), and their speed then (m/s).
fn crowd_on_slope(degrees: f64, steps: u32, projection: VelocityProjection) -> ([f64; 4], f64) {
    let (mut body, mut floors) = crowd(0.0, projection);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let gravity = Vec3::new(sin, -cos, 0.0) * 9.81;
    let mut early = body.x.clone();
    for k in 0..120 {
        if k == 30 {
            early.clone_from(&body.x);
        }
        body.step_frame(&floors, (FRAME, steps), gravity);
        for (floor, force) in floors.iter_mut().zip(body.projection.end_frame()) {
            let friction = force.x.hypot(force.z);
            assert!(
                friction <= 0.5 * force.y + 1e-12,
                "out of the cone: {force:?}"
            );
            floor.expected_force = *force;
        }
    }
    let moved = [0, 1, 2, 3].map(|n| body.x[n].x - early[n].x);
    (moved, body.v[0].x)
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
    let mut body = Body::new(embedding(), &[1.0, 0.0], &[Vec3::zeros(), Vec3::x()]);
    let fastest = body.step_frame(&[floor(1, 0.5)], (0.01, 1), Vec3::zeros());
    assert_eq!(fastest, 0.0);
    assert_eq!(body.projection.end_frame()[0], Vec3::zeros());
    assert!((body.projection.violation(&body.x) - 0.5).abs() < 1e-12);
}

#[test]
fn a_node_is_held_where_held_vertices_have_enough_of_its_weight() {
    let hold = |reach: f64| {
        let rows = [vec![(0, 1.0)], vec![(0, 1.0 - reach), (1, reach)]];
        let embedding = SkinEmbedding::from_rows(rows.map(|row| (row, 0.0)));
        let mut body = Body::new(embedding, &[1.0; 2], &[Vec3::zeros(), Vec3::x()]);
        let held = [0, 1].map(|k| {
            let mut held = body.held(k, ConstrainedDirections::All);
            held.target += Vec3::y() * 1e-3;
            held
        });
        body.step_frame(&held, (0.01, 1), Vec3::zeros());
        [0, 1].map(|n| body.v[n].y * 0.01)
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
    let tilted = Vec3::new(0.6, 0.0, 0.8);
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
        let mut body = Body::new(embedding.clone(), &[2.0, 3.0], &rest);
        body.v.fill(thrown);
        let held: Vec<_> = (0..)
            .zip(directions)
            .map(|(k, directions)| body.held(k, directions))
            .collect();
        for _ in 0..6 {
            body.step_frame(&held, (FRAME, 10), Vec3::zeros());
            body.projection.end_frame();
        }
        assert!(body.projection.violation(&body.x) < 1e-4, "{directions:?}");
        let is_mixed = directions[0] != directions[1];
        let kept = match is_mixed {
            true => Vec3::zeros(),
            false => thrown - directions[0].part(&thrown),
        };
        for (v, (x, rest)) in body.v.iter().zip(body.x.iter().zip(&rest)) {
            assert!((v - kept).norm() < 1e-3, "{directions:?}: {v:?}");
            assert!((x - rest - kept * (6.0 * FRAME)).norm() < 1e-4);
        }
    }
}
