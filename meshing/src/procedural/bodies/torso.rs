//! A human torso: from the hips, which are cut flat, to the stumps of neck and arms.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    capsule, ellipsoid, mirror_x, round_cone, smooth_intersection, smooth_union, sphere,
};

pub(crate) fn torso() -> Model {
    let v = Vec3::new;
    Model {
        groups: &[("base", |p| p.y < 0.1)],
        detail: 1.2,
        ..Model::new([-1.2, -0.1, -0.7], [1.2, 2.1, 0.7], move |p| {
            let m = mirror_x(p);
            let chest = ellipsoid(p, v(0.0, 1.14, 0.0), v(0.5, 0.5, 0.33));
            let waist = ellipsoid(p, v(0.0, 0.62, 0.0), v(0.41, 0.5, 0.29));
            let body = smooth_union(chest, waist, 0.2);
            let hips = ellipsoid(p, v(0.0, 0.14, 0.0), v(0.5, 0.38, 0.34));
            let body = smooth_union(body, hips, 0.16);
            let seat = sphere(&m, v(0.2, 0.16, -0.14), 0.25);
            let body = smooth_union(body, seat, 0.08);
            let belly = ellipsoid(p, v(0.0, 0.56, 0.16), v(0.3, 0.32, 0.19));
            let body = smooth_union(body, belly, 0.1);
            let breast = ellipsoid(&m, v(0.2, 1.2, 0.22), v(0.23, 0.17, 0.15));
            let body = smooth_union(body, breast, 0.07);
            let blade = ellipsoid(&m, v(0.21, 1.18, -0.22), v(0.19, 0.28, 0.14));
            let body = smooth_union(body, blade, 0.09);
            let arm = round_cone(&m, v(0.5, 1.36, -0.02), v(0.84, 1.02, 0.0), 0.2, 0.14);
            let body = smooth_union(body, arm, 0.14);
            let neck = capsule(p, v(0.0, 1.5, -0.03), v(0.0, 1.78, 0.02), 0.17);
            let body = smooth_union(body, neck, 0.16);
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}
