//! A dragon: long curved body, neck, horned head, four legs, small wings, spined back.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    Tube, capsule, ellipsoid, join, mirror_x, round_cone, smooth_intersection, smooth_subtraction,
    smooth_union, sphere, triangle_slab,
};

pub(crate) fn dragon() -> Model {
    let v = Vec3::new;
    let trunk = Tube::through(
        &[
            (v(0.95, 0.16, -0.1), 0.06),
            (v(1.02, 0.13, -0.5), 0.09),
            (v(0.78, 0.14, -0.95), 0.13),
            (v(0.32, 0.26, -1.12), 0.19),
            (v(0.02, 0.46, -0.85), 0.27),
            (v(0.0, 0.58, -0.45), 0.36),
            (v(0.0, 0.62, 0.0), 0.38),
            (v(0.0, 0.74, 0.34), 0.3),
            (v(0.0, 1.06, 0.5), 0.21),
            (v(0.0, 1.36, 0.46), 0.18),
            (v(0.0, 1.6, 0.56), 0.18),
        ],
        4,
    );
    // crest of spines on back and neck: root, tip, radius at the root
    let spines: Vec<(Vec3, Vec3, f64)> = vec![
        (v(0.0, 1.62, 0.36), v(0.0, 1.82, 0.18), 0.07),
        (v(0.0, 1.36, 0.3), v(0.0, 1.46, 0.08), 0.075),
        (v(0.0, 1.08, 0.3), v(0.0, 1.2, 0.08), 0.085),
        (v(0.0, 0.9, 0.08), v(0.0, 1.14, -0.06), 0.09),
        (v(0.0, 0.92, -0.2), v(0.0, 1.14, -0.34), 0.09),
        (v(0.0, 0.85, -0.48), v(0.0, 1.05, -0.63), 0.09),
        (v(0.02, 0.7, -0.78), v(0.02, 0.87, -0.93), 0.08),
        (v(0.2, 0.47, -1.05), v(0.2, 0.63, -1.17), 0.075),
        (v(0.55, 0.3, -1.1), v(0.58, 0.43, -1.2), 0.065),
    ];
    let horn = Tube::through(
        &[
            (v(0.13, 1.76, 0.5), 0.095),
            (v(0.2, 1.93, 0.38), 0.085),
            (v(0.26, 2.06, 0.2), 0.068),
            (v(0.28, 2.17, 0.08), 0.05),
        ],
        4,
    );
    Model {
        groups: &[("feet", |p| p.y < 0.16 && p.x.abs() < 0.7 && p.z > -0.55)],
        detail: 3.3,
        ..Model::new([-1.4, -0.1, -1.6], [1.4, 2.5, 1.4], move |p| {
            let m = mirror_x(p);
            let mut d = trunk.distance(p);
            let head = || {
                let skull = ellipsoid(p, v(0.0, 1.66, 0.62), v(0.25, 0.22, 0.29));
                let snout = round_cone(p, v(0.0, 1.6, 0.75), v(0.0, 1.54, 1.08), 0.18, 0.125);
                let head = smooth_union(skull, snout, 0.1);
                let nostril = sphere(&m, v(0.075, 1.65, 1.12), 0.055);
                let head = smooth_union(head, nostril, 0.04);
                let brow = capsule(&m, v(0.15, 1.83, 0.62), v(0.2, 1.77, 0.82), 0.055);
                let head = smooth_union(head, brow, 0.05);
                let eye = sphere(&m, v(0.19, 1.7, 0.78), 0.06);
                let head = smooth_union(head, eye, 0.02);
                let ear = round_cone(&m, v(0.2, 1.66, 0.5), v(0.45, 1.74, 0.34), 0.09, 0.048);
                let head = smooth_union(head, ear, 0.05);
                smooth_union(head, horn.distance(&m), 0.05)
            };
            d = join(d, 0.12, p, (v(0.0, 1.75, 0.55), 0.8), head);
            for (root, tip, radius) in &spines {
                d = join(d, 0.06, p, ((root + tip) * 0.5, 0.26), || {
                    round_cone(p, *root, *tip, *radius, 0.044)
                });
            }
            // legs
            let hind = || {
                let thigh = ellipsoid(&m, v(0.34, 0.46, -0.5), v(0.2, 0.34, 0.32));
                let hind = round_cone(&m, v(0.42, 0.3, -0.48), v(0.44, 0.1, -0.38), 0.15, 0.12);
                let hind_foot = ellipsoid(&m, v(0.45, 0.07, -0.22), v(0.15, 0.1, 0.26));
                smooth_union(smooth_union(thigh, hind, 0.1), hind_foot, 0.08)
            };
            d = join(d, 0.1, &m, (v(0.38, 0.38, -0.4), 0.6), hind);
            let fore = || {
                let shoulder = round_cone(&m, v(0.28, 0.6, 0.25), v(0.38, 0.3, 0.3), 0.2, 0.14);
                let fore = round_cone(&m, v(0.38, 0.3, 0.3), v(0.38, 0.1, 0.42), 0.135, 0.11);
                let fore_foot = ellipsoid(&m, v(0.39, 0.07, 0.52), v(0.14, 0.1, 0.2));
                smooth_union(smooth_union(shoulder, fore, 0.06), fore_foot, 0.08)
            };
            d = join(d, 0.1, &m, (v(0.35, 0.38, 0.38), 0.6), fore);
            d = join(d, 0.07, &m, (v(0.75, 1.15, -0.2), 0.85), || wing(&m));
            smooth_intersection(d, -p.y, 0.03)
        })
    }
}

/// The wing at x > 0: an arm, three fingers from the wrist and a scalloped skin between them.
fn wing(m: &Vec3) -> f64 {
    let v = Vec3::new;
    let (root, wrist, back) = (v(0.18, 0.84, 0.1), v(0.6, 1.5, 0.0), v(0.14, 0.82, -0.4));
    let tips = [
        v(1.28, 1.42, -0.3),
        v(1.16, 0.98, -0.42),
        v(0.72, 0.8, -0.5),
    ];
    let skin = [
        [root, wrist, back],
        [wrist, tips[2], back],
        [wrist, tips[1], tips[2]],
        [wrist, tips[0], tips[1]],
    ]
    .iter()
    .map(|corners| triangle_slab(m, *corners, 0.04))
    .fold(f64::INFINITY, f64::min);
    let bites = [
        (tips[0], tips[1], 0.2),
        (tips[1], tips[2], 0.2),
        (tips[2], back, 0.26),
    ]
    .iter()
    .map(|(a, b, radius)| {
        let middle = (a + b) * 0.5;
        sphere(
            m,
            middle + (middle - wrist).normalize() * (0.55 * *radius),
            *radius,
        )
    })
    .fold(f64::INFINITY, f64::min);
    let skin = smooth_subtraction(skin, bites, 0.05);
    let fingers = tips
        .iter()
        .map(|tip| round_cone(m, wrist, *tip, 0.066, 0.052))
        .fold(round_cone(m, root, wrist, 0.085, 0.065), f64::min);
    smooth_union(fingers, skin, 0.04)
}
