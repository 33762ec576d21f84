//! A tip that presses on a body from above, slides around on it, and lets go.

use std::hint::black_box;

use pliant_core::contact::PosePath;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Ray;
use pliant_core::mesh::TriangleTree;
use pliant_quasistatic::haptics::device::ScriptedDevice;
use pliant_quasistatic::haptics::{DeviceSample, HapticDevice, HapticSurface};

/// A tool that follows its path in the scene, and begins again at its end.
#[derive(Debug, Clone)]
pub struct PathDevice {
    path: PosePath,
    duration: f64,
}

impl PathDevice {
    /// A round of `duration` seconds.
    pub fn new(path: PosePath, duration: f64) -> Self {
        Self { path, duration }
    }
}

impl HapticDevice for PathDevice {
    fn sample(&mut self, time: f64) -> DeviceSample {
        DeviceSample::at(self.path.pose(time.rem_euclid(self.duration)).position)
    }

    fn apply(&mut self, _: &Vec3) {}

    fn warm_up(&mut self, time: f64) {
        black_box(self.sample(time));
    }
}

/// Period of the figure, s.
const PERIOD: f64 = 8.0;
/// Time between two points of the table, s.
const INTERVAL: f64 = 0.002;
/// Time in which the tip comes down, and goes up, s.
const APPROACH_TIME: f64 = 0.5;
/// Height from which the tip comes, over the depth.
const APPROACH_HEIGHT: f64 = 0.5;
/// Extents of the figure over that of the body, in the order in which they are tried.
const EXTENTS: [f64; 6] = [0.30, 0.22, 0.15, 0.10, 0.06, 0.0];

/// A figure of eight on top of the body, `depth` metres below its resting skin. It begins and ends in the air and repeats every 8 s.
///
/// It keeps to where the skin faces up and can move; on a body without such a place the tip stays in the air.
pub fn scripted_slide(surface: &HapticSurface, depth: f64) -> ScriptedDevice {
    let skin = surface.skin();
    let tree = TriangleTree::new(&skin.positions, &skin.triangles);
    let bounds = skin.bounds();
    let size = bounds.size();
    let is_free = |v: u32| !surface.masks().row(v as usize).0.is_empty();
    // above the highest vertex that can move
    let top = (0..skin.vertex_count() as u32)
        .filter(|&v| is_free(v))
        .max_by(|&a, &b| {
            let height = |v: u32| skin.positions[v as usize].y;
            height(a).total_cmp(&height(b)).then(b.cmp(&a))
        })
        .map_or(bounds.center(), |v| skin.positions[v as usize]);
    let height_at = |x: f64, z: f64| {
        let ray = Ray {
            origin: Vec3::new(x, bounds.max.y + size.y + 1e-3, z),
            direction: -Vec3::y(),
        };
        let (distance, at) = tree.first_hit(&ray)?;
        let corners = skin.triangles[at.triangle as usize];
        let good = surface.normal(&at).y > 0.5 && corners.iter().all(|&v| is_free(v));
        good.then_some(ray.origin.y - distance)
    };
    let count = (PERIOD / INTERVAL) as usize;
    let figure = |centre: &Vec3, extent: f64| -> Option<Vec<Vec3>> {
        let place = |k: usize| {
            let t = k as f64 * INTERVAL;
            let angle = 2.0 * std::f64::consts::PI * t / PERIOD;
            let x = centre.x + extent * size.x * (2.0 * angle).sin();
            let z = centre.z + extent * size.z * (3.0 * angle).sin();
            let gate = (t / APPROACH_TIME)
                .min((PERIOD - t) / APPROACH_TIME)
                .min(1.0);
            let below = depth * (gate * (1.0 + APPROACH_HEIGHT) - APPROACH_HEIGHT);
            height_at(x, z).map(|y| Vec3::new(x, y - below, z))
        };
        (0..count).map(place).collect()
    };
    let centre = bounds.center();
    let tips = EXTENTS
        .iter()
        .flat_map(|&extent| [(centre, extent), (top, extent)])
        .find_map(|(centre, extent)| figure(&centre, extent))
        .unwrap_or_else(|| vec![top + Vec3::y() * (APPROACH_HEIGHT * depth)]);
    ScriptedDevice::new(tips, INTERVAL)
}
