//! A figure that sits cross-legged on a round cushion: compact below, a narrow neck above.

use pliant_core::math::Vec3;

use super::model::Model;
use super::sdf::{
    capsule, ellipsoid, mirror_x, round_cone, smooth_intersection, smooth_union, sphere,
};

pub(super) fn buddha() -> Model {
    let v = Vec3::new;
    Model {
        groups: &[("base", |p| p.y < 0.16)],
        detail: 1.3,
        ..Model::new([-1.4, -0.2, -1.2], [1.4, 2.6, 1.3], move |p| {
            let m = mirror_x(p);
            let cushion = ellipsoid(p, v(0.0, 0.12, 0.08), v(1.02, 0.26, 0.86));
            let hips = ellipsoid(p, v(0.0, 0.46, -0.06), v(0.62, 0.3, 0.5));
            let body = smooth_union(cushion, hips, 0.12);
            // knees lie outside, shins cross in front
            let thigh = round_cone(&m, v(0.24, 0.44, 0.02), v(0.78, 0.4, 0.36), 0.25, 0.17);
            let body = smooth_union(body, thigh, 0.12);
            let shin = round_cone(&m, v(0.78, 0.38, 0.38), v(0.1, 0.42, 0.66), 0.16, 0.13);
            let body = smooth_union(body, shin, 0.08);
            let torso = round_cone(p, v(0.0, 0.62, -0.06), v(0.0, 1.2, -0.1), 0.44, 0.38);
            let body = smooth_union(body, torso, 0.16);
            let belly = ellipsoid(p, v(0.0, 0.78, 0.16), v(0.42, 0.38, 0.34));
            let body = smooth_union(body, belly, 0.12);
            // arms hang from the shoulders and meet in the lap
            let upper = round_cone(&m, v(0.42, 1.26, -0.08), v(0.62, 0.84, 0.02), 0.17, 0.14);
            let lower = round_cone(&m, v(0.62, 0.82, 0.04), v(0.14, 0.62, 0.5), 0.14, 0.11);
            let body = smooth_union(body, smooth_union(upper, lower, 0.06), 0.08);
            let neck = capsule(p, v(0.0, 1.4, -0.06), v(0.0, 1.66, -0.02), 0.17);
            let body = smooth_union(body, neck, 0.1);
            let head = ellipsoid(p, v(0.0, 1.86, 0.02), v(0.3, 0.36, 0.31));
            let body = smooth_union(body, head, 0.08);
            let knot = sphere(p, v(0.0, 2.24, -0.02), 0.15);
            let body = smooth_union(body, knot, 0.08);
            let ear = capsule(&m, v(0.31, 1.92, 0.0), v(0.33, 1.7, 0.02), 0.065);
            let body = smooth_union(body, ear, 0.05);
            let nose = round_cone(p, v(0.0, 1.9, 0.3), v(0.0, 1.8, 0.35), 0.045, 0.06);
            let body = smooth_union(body, nose, 0.05);
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}
