//! The floor below a scene, and the soft shadows on it.

use nalgebra::Vector3;
use pliant_core::math::Vec3;

use super::height_map::{bounds_of, lowest_over_texels};
use super::shade::{KEY_DIRECTION, light_from_world};
use crate::numbers::nice_step;

/// Texels along one side of the shadow map.
const TEXELS: usize = 320;

/// A horizontal floor under a scene, with the shadows that fall on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    height: f64,
    /// x and z below the centre of the bodies, m
    pub(crate) center: [f64; 2],
    /// distance from there over which the floor fades into the background, m
    pub(crate) reach: f64,
    /// distance between lines of the grid, m
    pub(crate) cell: f64,
    /// half width of the square that the shadow map covers, m
    span: f64,
    /// share of light kept, row by row along z
    light: Vec<f32>,
}

impl Ground {
    /// A floor at `height` (m) under triangles of world points (m), seen with lights at the camera's `yaw` (rad).
    pub fn new(height: f64, yaw: f64, triangles: &[[Vector3<f32>; 3]]) -> Self {
        let bounds = bounds_of(triangles);
        let (size, middle, high) = if bounds.is_empty() {
            (1.0, Vec3::zeros(), 0.0)
        } else {
            let high = (bounds.max.y - height).max(0.0);
            (bounds.diagonal().max(1e-9), bounds.center(), high)
        };
        let mut ground = Self {
            height,
            center: [middle.x, middle.z],
            reach: size * 2.2,
            cell: nice_step(size / 4.0),
            span: 0.75 * size + 0.9 * high,
            light: Vec::new(),
        };
        ground.light = ground.shadow_map(yaw, size as f32, triangles);
        ground
    }

    /// Height of the floor, m.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Share of the light at each texel: a contact shadow straight below, and a cast shadow opposite to the key light
    /// that is sharp under low parts and wide under high ones.
    fn shadow_map(&self, yaw: f64, size: f32, triangles: &[[Vector3<f32>; 3]]) -> Vec<f32> {
        let key = light_from_world(yaw).transpose() * Vector3::from(KEY_DIRECTION);
        let below = self.lowest_above(triangles, Vector3::y());
        let cast = self.lowest_above(triangles, key);
        let texel = 2.0 * self.span as f32 / TEXELS as f32;
        let blurred = |map: &[f32], weight: &dyn Fn(f32) -> f32, radius: f32| {
            let mut values: Vec<f32> = map.iter().map(|h| weight(*h)).collect();
            let steps = ((radius * size / texel).round() as usize).max(1);
            for _ in 0..3 {
                box_blur_rows(&mut values, steps);
                values = transposed(&values);
                box_blur_rows(&mut values, steps);
                values = transposed(&values);
            }
            values
        };
        let near = |h: f32| (-h / (0.2 * size)).exp();
        let contact = blurred(&below, &|h| (-h / (0.035 * size)).exp(), 0.012);
        let sharp = blurred(&cast, &near, 0.014);
        let wide = blurred(
            &cast,
            &|h| {
                if h.is_finite() {
                    (1.0 - near(h)) * (-h / (1.5 * size)).exp()
                } else {
                    0.0
                }
            },
            0.05,
        );
        contact
            .iter()
            .zip(sharp.iter().zip(&wide))
            .map(|(c, (s, w))| (1.0 - 0.55 * c) * (1.0 - 0.46 * (s + w).min(1.0)))
            .collect()
    }

    /// Lowest height above the floor over each texel, looking along `toward_light`; infinity where nothing is.
    fn lowest_above(
        &self,
        triangles: &[[Vector3<f32>; 3]],
        toward_light: Vector3<f32>,
    ) -> Vec<f32> {
        let shift = toward_light / toward_light.y;
        let scale = TEXELS as f32 / (2.0 * self.span as f32);
        let projected = |p: &Vector3<f32>| {
            let h = (p.y - self.height as f32).max(0.0);
            let q = p - shift * h;
            let u = (q.x - self.center[0] as f32 + self.span as f32) * scale;
            let v = (q.z - self.center[1] as f32 + self.span as f32) * scale;
            [u, v, h]
        };
        lowest_over_texels(TEXELS, triangles.iter().map(|t| t.map(|p| projected(&p))))
    }

    /// Share of the light at a point of the floor (world x and z, m).
    pub fn light_at(&self, x: f64, z: f64) -> f32 {
        let scale = TEXELS as f64 / (2.0 * self.span);
        let texel = |v: f64, axis: usize| {
            ((v - self.center[axis] + self.span) * scale - 0.5)
                .max(0.0)
                .min(TEXELS as f64 - 1.001)
        };
        let (u, v) = (texel(x, 0), texel(z, 1));
        let (column, row) = (u as usize, v as usize);
        let (s, t) = ((u - column as f64) as f32, (v - row as f64) as f32);
        let at = |dx: usize, dy: usize| self.light[(row + dy) * TEXELS + column + dx];
        let low = at(0, 0) * (1.0 - s) + at(1, 0) * s;
        let high = at(0, 1) * (1.0 - s) + at(1, 1) * s;
        low * (1.0 - t) + high * t
    }
}

/// Running mean over `2 * radius + 1` neighbours along each row; outside counts as zero.
fn box_blur_rows(values: &mut [f32], radius: usize) {
    let weight = 1.0 / (2 * radius + 1) as f32;
    for row in values.chunks_exact_mut(TEXELS) {
        let source: Vec<f32> = row.to_vec();
        let value = |k: usize| source.get(k).copied().unwrap_or(0.0);
        let mut sum: f64 = (0..radius).map(|k| f64::from(value(k))).sum();
        for (k, out) in row.iter_mut().enumerate() {
            sum += f64::from(value(k + radius));
            *out = sum.max(0.0) as f32 * weight;
            if k >= radius {
                sum -= f64::from(value(k - radius));
            }
        }
    }
}

fn transposed(values: &[f32]) -> Vec<f32> {
    (0..TEXELS * TEXELS)
        .map(|k| values[(k % TEXELS) * TEXELS + k / TEXELS])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plate(height: f32) -> Vec<[Vector3<f32>; 3]> {
        let v = |x: f32, z: f32| Vector3::new(x, height, z);
        vec![
            [v(-0.5, -0.5), v(0.5, -0.5), v(0.5, 0.5)],
            [v(-0.5, -0.5), v(0.5, 0.5), v(-0.5, 0.5)],
        ]
    }

    #[test]
    fn the_shadow_is_below_the_body_and_fades_as_it_rises() {
        let touching = Ground::new(0.0, 0.6, &plate(0.0));
        let hovering = Ground::new(0.0, 0.6, &plate(0.4));
        assert!(touching.light_at(0.0, 0.0) < 0.35);
        assert!(touching.light_at(0.0, 0.0) < hovering.light_at(0.0, 0.0));
        for (x, z) in [(40.0, 0.0), (-0.95, -0.95), (f64::NAN, 0.0)] {
            assert!(touching.light_at(x, z) > 0.98, "{x}");
        }
    }
}
