//! A kitchen spatula and a banana bicycle seat.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{Tube, bend, rounded_box, smooth_union};

/// Blade at +x, handle rising towards -x; both wide enough to hold by.
pub(crate) fn spatula() -> Model {
    let v = Vec3::new;
    let shaft = Tube::through(
        &[
            (v(0.3, 0.05, 0.0), 0.045),
            (v(0.08, 0.12, 0.0), 0.045),
            (v(-0.15, 0.24, 0.0), 0.05),
            (v(-0.4, 0.32, 0.0), 0.055),
        ],
        6,
    );
    let grip = Tube::through(
        &[
            (v(-0.4, 0.32, 0.0), 0.062),
            (v(-0.7, 0.4, 0.0), 0.085),
            (v(-1.0, 0.45, 0.0), 0.075),
            (v(-1.2, 0.47, 0.0), 0.09),
        ],
        6,
    );
    Model {
        groups: &[("handle", |p| p.x < -0.4)],
        detail: 1.25,
        ..Model::new([-1.4, -0.1, -0.5], [1.1, 0.7, 0.5], move |p| {
            let flat = bend(&(p - v(0.55, 0.04, 0.0)), 0.12);
            // the blade widens towards its edge
            let width = 0.27 + 0.1 * (flat.x / 0.4).clamp(-1.0, 1.0);
            let shaped = v(flat.x, flat.y, flat.z * 0.3 / width);
            let blade = 0.85 * rounded_box(&shaped, v(0.4, 0.035, 0.3), 0.034);
            let handle = smooth_union(shaft.distance(p), grip.distance(p), 0.05);
            smooth_union(blade, handle, 0.09)
        })
    }
}

/// A long saddle along x, nose at +x, raised behind, with two rails below.
pub(crate) fn banana_seat() -> Model {
    let v = Vec3::new;
    let spine = Tube::through(
        &[
            (v(1.16, 0.42, 0.0), 0.12),
            (v(0.9, 0.35, 0.0), 0.155),
            (v(0.45, 0.3, 0.0), 0.19),
            (v(-0.05, 0.3, 0.0), 0.25),
            (v(-0.5, 0.38, 0.0), 0.31),
            (v(-0.9, 0.58, 0.0), 0.29),
            (v(-1.14, 0.86, 0.0), 0.22),
        ],
        8,
    );
    let rail = Tube::through(
        &[
            (v(0.74, 0.24, 0.08), 0.055),
            (v(0.6, 0.16, 0.1), 0.055),
            (v(0.1, 0.12, 0.13), 0.055),
            (v(-0.4, 0.125, 0.14), 0.055),
            (v(-0.66, 0.24, 0.12), 0.055),
        ],
        5,
    );
    Model {
        groups: &[("rails", |p| p.y < 0.13 && (p.z.abs() - 0.12).abs() < 0.08)],
        ..Model::new([-1.6, -0.1, -0.6], [1.5, 1.2, 0.6], move |p| {
            // flatter than round
            let lifted = v(p.x, 0.4 + (p.y - 0.4) * 1.45, p.z);
            let seat = spine.distance(&lifted) * 0.72;
            let side = v(p.x, p.y, p.z.abs());
            smooth_union(seat, rail.distance(&side), 0.1)
        })
    }
}
