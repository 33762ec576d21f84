//! A sitting rabbit.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    Frame, capsule, ellipsoid, mirror_x, round_cone, smooth_intersection, smooth_subtraction,
    smooth_union, sphere,
};

pub(crate) fn rabbit() -> Model {
    let v = Vec3::new;
    let ear = Frame::rotated(v(0.19, 1.86, 0.2), v(-12.0, 14.0, -12.0));
    Model {
        groups: &[("feet", |p| p.y < 0.12)],
        detail: 1.65,
        ..Model::new([-0.9, -0.1, -1.2], [0.9, 2.6, 1.2], move |p| {
            let m = mirror_x(p);
            let rump = ellipsoid(p, v(0.0, 0.52, -0.25), v(0.5, 0.53, 0.58));
            let chest = round_cone(p, v(0.0, 0.55, 0.05), v(0.0, 0.98, 0.28), 0.42, 0.27);
            let body = smooth_union(rump, chest, 0.2);
            let thigh = ellipsoid(&m, v(0.4, 0.4, -0.16), v(0.2, 0.36, 0.4));
            let body = smooth_union(body, thigh, 0.09);
            let hind = capsule(&m, v(0.42, 0.1, -0.1), v(0.42, 0.09, 0.36), 0.115);
            let body = smooth_union(body, hind, 0.06);
            let arm = round_cone(&m, v(0.18, 0.62, 0.36), v(0.17, 0.12, 0.52), 0.15, 0.1);
            let paw = ellipsoid(&m, v(0.17, 0.08, 0.58), v(0.115, 0.09, 0.16));
            let body = smooth_union(body, smooth_union(arm, paw, 0.06), 0.1);
            let tail = sphere(p, v(0.0, 0.32, -0.86), 0.19);
            let body = smooth_union(body, tail, 0.05);
            let head = ellipsoid(p, v(0.0, 1.3, 0.38), v(0.32, 0.31, 0.38));
            let cheek = ellipsoid(&m, v(0.15, 1.2, 0.52), v(0.18, 0.16, 0.2));
            let muzzle = ellipsoid(p, v(0.0, 1.2, 0.68), v(0.16, 0.13, 0.14));
            let head = smooth_union(smooth_union(head, cheek, 0.1), muzzle, 0.1);
            let nose = ellipsoid(p, v(0.0, 1.255, 0.81), v(0.065, 0.045, 0.045));
            let head = smooth_union(head, nose, 0.03);
            let body = smooth_union(body, head, 0.14);
            let q = ear.local(&m);
            let ear = ellipsoid(&q, Vec3::zeros(), v(0.15, 0.5, 0.085));
            let hollow = ellipsoid(&q, v(0.0, 0.04, 0.1), v(0.09, 0.36, 0.075));
            let ear = smooth_subtraction(ear, hollow, 0.04);
            let body = smooth_union(body, ear, 0.08);
            let eye = sphere(&m, v(0.215, 1.37, 0.625), 0.075);
            let body = smooth_union(body, eye, 0.015);
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}
