//! Ball, ring, a lumpy nodule and a smooth octahedron.

use pliant_core::math::Vec3;

use crate::procedural::model::Model;
use crate::procedural::sdf::{
    half_space, smooth_intersection, smooth_union, sphere, torus as ring,
};

pub(crate) fn ball() -> Model {
    Model {
        coarsest: 6.0,
        ..Model::new([-1.0; 3], [1.0; 3], |p| sphere(p, Vec3::zeros(), 1.0))
    }
}

pub(crate) fn torus() -> Model {
    Model {
        genus: 1,
        coarsest: 4.0,
        ..Model::new([-1.0, -0.3, -1.0], [1.0, 0.3, 1.0], |p| ring(p, 0.7, 0.3))
    }
}

/// A ball with lumps of several sizes in directions spread by the golden angle.
pub(crate) fn nodule() -> Model {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let lumps: Vec<(Vec3, f64)> = (0..14)
        .map(|k| {
            let t = f64::from(k);
            let y = 1.0 - 2.0 * (t + 0.5) / 14.0;
            let (away, angle) = ((1.0 - y * y).sqrt(), t * golden);
            let direction = Vec3::new(away * angle.cos(), y, away * angle.sin());
            let size = 0.5 + 0.5 * (t * 2.3).sin();
            (direction * (0.66 + 0.08 * size), 0.22 + 0.14 * size)
        })
        .collect();
    Model::new([-1.3; 3], [1.3; 3], move |p| {
        let core = sphere(p, Vec3::zeros(), 0.72);
        lumps.iter().fold(core, |d, (center, radius)| {
            smooth_union(d, sphere(p, *center, *radius), 0.16)
        })
    })
}

/// A regular octahedron with rounded edges that stands on its one sharp face: the smooth surface with one tagged face of James and Pai (1999).
pub(crate) fn octahedron() -> Model {
    // the radius of the ball inside, where corners are at a distance of 1; the faces between the lower and the upper one: three look up and three look down
    let inner = (1.0_f64 / 3.0).sqrt();
    let sides: Vec<Vec3> = (0..6)
        .map(|k| {
            let angle = f64::from(k) * std::f64::consts::PI / 3.0;
            let (rise, away) = (f64::from(1 - 2 * (k % 2)) / 3.0, (8.0_f64 / 9.0).sqrt());
            Vec3::new(away * angle.sin(), rise, away * angle.cos())
        })
        .collect();
    let center = Vec3::new(0.0, inner, 0.0);
    Model {
        groups: &[("base", |p| p.y < 0.02)],
        detail: 1.15,
        ..Model::new([-1.2, -0.1, -1.2], [1.2, 1.3, 1.2], move |p| {
            let body = sides.iter().fold(p.y - 2.0 * inner, |d, side| {
                smooth_intersection(d, half_space(p, center, *side) - inner, 0.25)
            });
            smooth_intersection(body, -p.y, 0.03)
        })
    }
}
