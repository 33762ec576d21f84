//! An infant that stands with its arms spread: a large head, round belly, short limbs.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    capsule, ellipsoid, join, mirror_x, round_cone, smooth_intersection, smooth_union, sphere,
};

pub(crate) fn infant() -> Model {
    let v = Vec3::new;
    Model {
        groups: &[("feet", |p| p.y < 0.14)],
        detail: 1.7,
        ..Model::new([-1.5, -0.1, -0.8], [1.5, 2.5, 0.9], move |p| {
            let m = mirror_x(p);
            let torso = round_cone(p, v(0.0, 0.86, -0.02), v(0.0, 1.28, -0.02), 0.35, 0.29);
            let belly = ellipsoid(p, v(0.0, 0.92, 0.14), v(0.31, 0.34, 0.28));
            let body = smooth_union(torso, belly, 0.12);
            let seat = sphere(&m, v(0.15, 0.68, -0.14), 0.22);
            let body = smooth_union(body, seat, 0.08);
            let thigh = round_cone(&m, v(0.2, 0.68, 0.0), v(0.32, 0.4, 0.06), 0.22, 0.165);
            let body = smooth_union(body, thigh, 0.06);
            let shin = round_cone(&m, v(0.32, 0.38, 0.06), v(0.37, 0.13, 0.0), 0.16, 0.105);
            let body = smooth_union(body, shin, 0.05);
            let foot = ellipsoid(&m, v(0.39, 0.07, 0.11), v(0.125, 0.1, 0.23));
            let body = smooth_union(body, foot, 0.06);
            let upper = round_cone(&m, v(0.28, 1.36, -0.02), v(0.66, 1.34, 0.0), 0.15, 0.125);
            let body = smooth_union(body, upper, 0.08);
            let lower = round_cone(&m, v(0.68, 1.34, 0.0), v(0.98, 1.38, 0.03), 0.125, 0.09);
            let body = smooth_union(body, lower, 0.04);
            let hand = || {
                let palm = ellipsoid(&m, v(1.1, 1.39, 0.04), v(0.13, 0.1, 0.075));
                let thumb = capsule(&m, v(1.08, 1.44, 0.07), v(1.16, 1.55, 0.1), 0.045);
                let hand = smooth_union(palm, thumb, 0.04);
                let fingers = [(-0.06, 1.31), (0.0, 1.38), (-0.02, 1.46)]
                    .map(|(x, y)| capsule(&m, v(1.14, 1.39, 0.04), v(1.3 + x, y, 0.05), 0.045));
                fingers.iter().fold(hand, |d, f| smooth_union(d, *f, 0.025))
            };
            let body = join(body, 0.05, &m, (v(1.14, 1.4, 0.04), 0.3), hand);
            let neck = capsule(p, v(0.0, 1.45, -0.02), v(0.0, 1.65, 0.0), 0.16);
            let body = smooth_union(body, neck, 0.06);
            let body = join(body, 0.06, p, (v(0.0, 1.94, 0.02), 0.62), || head(p, &m));
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}

/// Skull, cheeks, ears, nose, eyes and mouth; `m` is the point mirrored to the side x >= 0.
fn head(p: &Vec3, m: &Vec3) -> f64 {
    let v = Vec3::new;
    let skull = ellipsoid(p, v(0.0, 1.98, -0.04), v(0.4, 0.39, 0.43));
    let cheek = sphere(m, v(0.16, 1.79, 0.14), 0.21);
    let head = smooth_union(skull, cheek, 0.1);
    let ear = ellipsoid(m, v(0.41, 1.88, -0.02), v(0.07, 0.12, 0.09));
    let head = smooth_union(head, ear, 0.03);
    let nose = sphere(p, v(0.0, 1.87, 0.38), 0.065);
    let head = smooth_union(head, nose, 0.05);
    let eye = sphere(m, v(0.155, 1.96, 0.335), 0.06);
    let head = smooth_union(head, eye, 0.02);
    let lips = capsule(m, v(0.0, 1.74, 0.335), v(0.06, 1.745, 0.31), 0.042);
    smooth_union(head, lips, 0.025)
}
