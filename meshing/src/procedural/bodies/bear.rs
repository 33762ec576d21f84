//! A toy bear that sits with its legs spread and its arms ahead.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{ellipsoid, mirror_x, round_cone, smooth_union, sphere};

pub(crate) fn bear() -> Model {
    let v = Vec3::new;
    Model {
        groups: &[("feet", |p| p.y < 0.3 && p.z > 0.75)],
        detail: 1.5,
        ..Model::new([-1.1, -0.2, -0.8], [1.1, 2.0, 1.3], move |p| {
            let m = mirror_x(p);
            let trunk = ellipsoid(p, v(0.0, 0.55, 0.0), v(0.42, 0.5, 0.37));
            let head = ellipsoid(p, v(0.0, 1.24, 0.04), v(0.42, 0.37, 0.37));
            let body = smooth_union(trunk, head, 0.1);
            let ear = ellipsoid(&m, v(0.31, 1.57, 0.0), v(0.17, 0.17, 0.1));
            let body = smooth_union(body, ear, 0.06);
            let muzzle = ellipsoid(p, v(0.0, 1.14, 0.37), v(0.2, 0.16, 0.15));
            let body = smooth_union(body, muzzle, 0.05);
            let nose = sphere(p, v(0.0, 1.22, 0.5), 0.07);
            let body = smooth_union(body, nose, 0.03);
            let eye = sphere(&m, v(0.15, 1.33, 0.36), 0.07);
            let body = smooth_union(body, eye, 0.015);
            let arm = round_cone(&m, v(0.34, 0.84, 0.04), v(0.74, 0.58, 0.3), 0.18, 0.15);
            let body = smooth_union(body, arm, 0.08);
            let leg = round_cone(&m, v(0.26, 0.24, 0.1), v(0.48, 0.21, 0.74), 0.22, 0.19);
            let body = smooth_union(body, leg, 0.07);
            let sole = ellipsoid(&m, v(0.5, 0.25, 0.88), v(0.2, 0.25, 0.12));
            let body = smooth_union(body, sole, 0.05);
            let tail = sphere(p, v(0.0, 0.26, -0.4), 0.13);
            smooth_union(body, tail, 0.05)
        })
    }
}
