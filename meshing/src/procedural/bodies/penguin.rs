//! A standing penguin.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    Frame, capsule, ellipsoid, mirror_x, round_cone, smooth_intersection, smooth_union, sphere,
};

pub(crate) fn penguin() -> Model {
    let v = Vec3::new;
    // wings hang from the shoulders and flare out at the tips
    let wing = Frame::rotated(v(0.43, 1.28, -0.03), v(0.0, 16.0, 30.0));
    Model {
        groups: &[("feet", |p| p.y < 0.16 && p.z > -0.2)],
        detail: 1.7,
        ..Model::new([-1.2, -0.1, -1.0], [1.2, 2.3, 1.0], move |p| {
            let m = mirror_x(p);
            let body = round_cone(p, v(0.0, 0.62, 0.0), v(0.0, 1.14, -0.02), 0.56, 0.4);
            let belly = ellipsoid(p, v(0.0, 0.66, 0.2), v(0.47, 0.55, 0.45));
            let body = smooth_union(body, belly, 0.2);
            let head = ellipsoid(p, v(0.0, 1.6, 0.04), v(0.42, 0.39, 0.4));
            let body = smooth_union(body, head, 0.14);
            let tail = round_cone(p, v(0.0, 0.28, -0.4), v(0.0, 0.12, -0.66), 0.16, 0.07);
            let body = smooth_union(body, tail, 0.14);
            // the pale front stands out against the coat: a shallow step around breast and face
            let breast = ellipsoid(p, v(0.0, 0.72, 0.52), v(0.43, 0.58, 0.5));
            let face = ellipsoid(&m, v(0.15, 1.64, 0.4), v(0.19, 0.22, 0.3));
            let pale = smooth_union(breast, face, 0.1);
            let body = body - 0.022 * smooth_step(-pale / 0.05);
            let q = wing.local(&m);
            let q = v(q.x - 0.22 * q.y * q.y, q.y, q.z);
            let wing = ellipsoid(&q, v(0.05, -0.36, 0.0), v(0.085, 0.5, 0.22));
            let body = smooth_union(body, 0.85 * wing, 0.08);
            let beak = round_cone(p, v(0.0, 1.55, 0.34), v(0.0, 1.5, 0.62), 0.13, 0.045);
            let body = smooth_union(body, beak, 0.04);
            let eye = sphere(&m, v(0.185, 1.68, 0.385), 0.07);
            let body = smooth_union(body, eye, 0.012);
            let foot = ellipsoid(&m, v(0.25, 0.07, 0.3), v(0.18, 0.1, 0.26));
            let toes = [(-0.13, 0.6), (0.0, 0.66), (0.13, 0.6)]
                .iter()
                .map(|(x, z)| capsule(&m, v(0.25, 0.08, 0.34), v(0.27 + x, 0.06, *z), 0.068))
                .fold(foot, |d, toe| smooth_union(d, toe, 0.03));
            let body = smooth_union(body, toes, 0.07);
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}

/// 0 below -1, 1 above 1, smooth between.
fn smooth_step(x: f64) -> f64 {
    let t = (0.5 + 0.5 * x).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
