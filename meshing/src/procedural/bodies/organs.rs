//! Kidney with its vessels, a liver of two lobes, and the tip of a finger.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    Frame, Tube, ellipsoid, half_space, round_cone, smooth_intersection, smooth_subtraction,
    smooth_union,
};

/// A bean standing upright, hilum towards +x with artery, vein and ureter.
pub(crate) fn kidney() -> Model {
    let v = Vec3::new;
    let bean = Tube::through(
        &[
            (v(0.16, 0.43, 0.0), 0.36),
            (v(-0.02, 0.72, 0.0), 0.42),
            (v(-0.08, 1.0, 0.0), 0.44),
            (v(-0.03, 1.3, 0.0), 0.43),
            (v(0.12, 1.6, 0.0), 0.37),
        ],
        6,
    );
    let ureter = Tube::through(
        &[
            (v(0.2, 1.0, 0.0), 0.15),
            (v(0.54, 0.94, 0.0), 0.12),
            (v(0.74, 0.72, 0.0), 0.085),
            (v(0.79, 0.42, 0.0), 0.075),
            (v(0.76, 0.18, 0.0), 0.075),
        ],
        6,
    );
    Model::new([-0.7, -0.1, -0.6], [1.2, 2.2, 0.6], move |p| {
        let squeezed = v(p.x, p.y, p.z * 1.25);
        let body = bean.distance(&squeezed) * 0.85;
        let dent = ellipsoid(p, v(0.52, 1.0, 0.0), v(0.2, 0.3, 0.26));
        let body = smooth_subtraction(body, dent, 0.16);
        let vein = round_cone(p, v(0.2, 1.06, 0.04), v(0.8, 1.14, 0.04), 0.11, 0.095);
        let artery = round_cone(p, v(0.2, 1.2, -0.04), v(0.78, 1.38, -0.04), 0.09, 0.07);
        let vessels = smooth_union(vein, artery, 0.05);
        let vessels = smooth_union(vessels, ureter.distance(p), 0.08);
        smooth_union(body, vessels, 0.1)
    })
}

/// A wedge: a large domed lobe at -x, a thin one at +x, the falciform ligament in the furrow between them, a gall bladder that
/// peeps out below the sharp front edge.
pub(crate) fn liver() -> Model {
    let v = Vec3::new;
    let left_frame = Frame::rotated(v(0.4, 0.78, 0.04), v(0.0, 0.0, 4.0));
    let under = v(0.34, -0.93, -0.3).normalize();
    Model {
        groups: &[("ligament", |p| {
            (p.x - FURROW).abs() < 0.05 && p.z > -0.15 && p.y > 0.5
        })],
        detail: 1.35,
        ..Model::new([-1.4, -0.2, -0.9], [1.6, 1.5, 0.9], move |p| {
            let right = ellipsoid(p, v(-0.36, 0.62, 0.0), v(0.78, 0.62, 0.48));
            let shoulder = ellipsoid(p, v(-0.66, 0.46, -0.02), v(0.46, 0.6, 0.44));
            let right = smooth_union(right, shoulder, 0.2);
            let q = left_frame.local(p);
            let left = ellipsoid(&q, Vec3::zeros(), v(0.96, 0.42, 0.36));
            let lobes = smooth_union(right, left, 0.34);
            // the lower side: slanted and a little hollow, so that the front edge is sharp
            let lobes = smooth_intersection(lobes, half_space(p, v(-0.3, 0.25, 0.2), under), 0.07);
            let hollow = ellipsoid(p, v(0.2, 0.26, -0.1), v(0.6, 0.2, 0.3));
            let lobes = smooth_subtraction(lobes, hollow, 0.12);
            // a furrow of even depth around the body, and the ligament as a ridge in it
            let across = (p.x - FURROW).abs();
            let furrow = smooth_intersection(across - 0.04, -(lobes + 0.05), 0.04);
            let lobes = smooth_subtraction(lobes, furrow, 0.07);
            let front = half_space(p, v(0.0, 0.0, -0.15), v(0.0, 0.0, -1.0));
            let ridge = smooth_intersection(across - 0.03, lobes.max(front) - 0.04, 0.05);
            let lobes = smooth_union(lobes, ridge, 0.04);
            let gall = round_cone(p, v(-0.08, 0.42, 0.12), v(-0.16, 0.2, 0.36), 0.08, 0.12);
            smooth_union(lobes, gall, 0.04)
        })
    }
}

/// Where the lobes meet.
const FURROW: f64 = 0.14;

/// The end of a finger along z, its pad below, its nail above, cut flat at the joint.
pub(crate) fn fingertip() -> Model {
    let v = Vec3::new;
    let flesh = Tube::through(
        &[
            (v(0.0, 0.5, -0.95), 0.46),
            (v(0.0, 0.5, -0.35), 0.48),
            (v(0.0, 0.49, 0.25), 0.46),
            (v(0.0, 0.46, 0.6), 0.36),
        ],
        5,
    );
    // it slopes down towards the tip
    let nail = Frame::rotated(v(0.0, 0.85, 0.36), v(18.0, 0.0, 0.0));
    Model {
        groups: &[("nail", |p| p.y > 0.75)],
        detail: 1.15,
        ..Model::new([-0.7, -0.2, -1.2], [0.7, 1.2, 1.2], move |p| {
            let pad = ellipsoid(p, v(0.0, 0.34, 0.18), v(0.42, 0.36, 0.56));
            let tip = smooth_union(flesh.distance(p), pad, 0.1);
            let nail = ellipsoid(&nail.local(p), Vec3::zeros(), v(0.28, 0.11, 0.34));
            let tip = smooth_union(tip, nail, 0.04);
            let joint = half_space(p, v(0.0, 0.0, -0.95), v(0.0, 0.0, -1.0));
            smooth_intersection(tip, joint, 0.06)
        })
    }
}
