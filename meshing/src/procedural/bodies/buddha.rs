//! A figure that sits cross-legged on a round cushion: compact below, a narrow neck above.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    capsule, ellipsoid, join, mirror_x, round_cone, smooth_intersection, smooth_union, sphere,
};

pub(crate) fn buddha() -> Model {
    let v = Vec3::new;
    Model {
        groups: &[("base", |p| p.y < 0.12)],
        detail: 2.1,
        ..Model::new([-1.3, -0.1, -1.1], [1.3, 2.6, 1.3], move |p| {
            let m = mirror_x(p);
            let cushion = ellipsoid(p, v(0.0, 0.1, 0.1), v(1.02, 0.24, 0.84));
            let hips = ellipsoid(p, v(0.0, 0.46, -0.1), v(0.62, 0.32, 0.5));
            let body = smooth_union(cushion, hips, 0.1);
            // knees lie outside, shins cross in front
            let thigh = round_cone(&m, v(0.24, 0.44, 0.0), v(0.8, 0.38, 0.36), 0.25, 0.17);
            let body = smooth_union(body, thigh, 0.1);
            let shin = round_cone(&m, v(0.8, 0.36, 0.38), v(0.06, 0.4, 0.68), 0.16, 0.13);
            let body = smooth_union(body, shin, 0.06);
            // what would be hollow under the hands
            let lap = ellipsoid(p, v(0.0, 0.4, 0.36), v(0.5, 0.2, 0.34));
            let body = smooth_union(body, lap, 0.08);
            let torso = round_cone(p, v(0.0, 0.62, -0.06), v(0.0, 1.2, -0.12), 0.46, 0.4);
            let body = smooth_union(body, torso, 0.14);
            let belly = ellipsoid(p, v(0.0, 0.8, 0.2), v(0.44, 0.4, 0.36));
            let body = smooth_union(body, belly, 0.08);
            let breast = sphere(&m, v(0.19, 1.2, 0.14), 0.21);
            let body = smooth_union(body, breast, 0.06);
            // arms hang from the shoulders along the body, hands lie in the lap
            let upper = round_cone(&m, v(0.43, 1.32, -0.1), v(0.55, 0.86, 0.0), 0.17, 0.15);
            let body = smooth_union(body, upper, 0.14);
            let lower = round_cone(&m, v(0.55, 0.84, 0.02), v(0.14, 0.62, 0.52), 0.145, 0.11);
            let body = smooth_union(body, lower, 0.08);
            let neck = capsule(p, v(0.0, 1.4, -0.08), v(0.0, 1.75, -0.04), 0.17);
            let body = smooth_union(body, neck, 0.1);
            let head = || head(p, &m);
            let body = join(body, 0.06, p, (v(0.0, 1.98, 0.0), 0.62), head);
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}

/// Skull, knot of hair, long ears, brows and nose; `m` is the point mirrored to the side x >= 0.
fn head(p: &Vec3, m: &Vec3) -> f64 {
    let v = Vec3::new;
    let skull = ellipsoid(p, v(0.0, 1.97, -0.02), v(0.31, 0.35, 0.32));
    let cheek = sphere(m, v(0.1, 1.83, 0.1), 0.2);
    let head = smooth_union(skull, cheek, 0.1);
    let knot = sphere(p, v(0.0, 2.32, -0.06), 0.15);
    let head = smooth_union(head, knot, 0.06);
    let ear = round_cone(m, v(0.32, 2.0, -0.02), v(0.35, 1.72, 0.02), 0.07, 0.085);
    let head = smooth_union(head, ear, 0.04);
    let brow = capsule(m, v(0.06, 2.06, 0.285), v(0.2, 2.07, 0.22), 0.045);
    let head = smooth_union(head, brow, 0.05);
    let nose = round_cone(p, v(0.0, 2.03, 0.28), v(0.0, 1.9, 0.34), 0.04, 0.062);
    let head = smooth_union(head, nose, 0.04);
    let lips = capsule(m, v(0.0, 1.79, 0.285), v(0.07, 1.795, 0.26), 0.04);
    smooth_union(head, lips, 0.03)
}
