//! The backdrop, the floor with its grid, and the soft shadow that puts a body on it.

use nalgebra::Vector3;
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::camera::OrbitCamera;
use crate::canvas::Canvas;
use crate::shade::{KEY_DIRECTION, decode_srgb, light_from_world};
use crate::shadow::{bounds_of, lowest_over_texels};
use crate::ticks::nice_step;

/// Texels along one side of the shadow map.
const TEXELS: usize = 320;

/// Colours behind a scene (sRGB, 0 to 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backdrop {
    /// Upper border of the picture.
    pub top: [f32; 3],
    /// Lower border of the picture.
    pub bottom: [f32; 3],
    /// The floor near the body; farther out it dissolves into the background.
    pub floor: [f32; 3],
    /// Lines of the grid on the floor.
    pub grid: [f32; 3],
}

impl Backdrop {
    /// A bright studio, for pages and print.
    pub const LIGHT: Self = Self {
        top: [0.82, 0.86, 0.905],
        bottom: [0.935, 0.945, 0.955],
        floor: [0.905, 0.915, 0.93],
        grid: [0.79, 0.81, 0.84],
    };
    /// A dark studio, for screens.
    pub const DARK: Self = Self {
        top: [0.12, 0.135, 0.16],
        bottom: [0.20, 0.215, 0.24],
        floor: [0.235, 0.25, 0.275],
        grid: [0.32, 0.34, 0.37],
    };
}

/// A horizontal floor under a scene, with the shadows that fall on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    height: f64,
    center: [f64; 2],
    reach: f64,
    cell: f64,
    /// half width of the square that the shadow map covers, m
    span: f64,
    /// share of light kept, row by row along z
    light: Vec<f32>,
}

impl Ground {
    /// A floor at `height` (m) under triangles of world points (m), seen with lights at the camera's `yaw` (rad).
    pub fn new(height: f64, yaw: f64, triangles: &[[Vector3<f32>; 3]]) -> Self {
        let bounds = bounds_of(triangles);
        let size = if bounds.is_empty() {
            1.0
        } else {
            bounds.diagonal().max(1e-9)
        };
        let middle = if bounds.is_empty() {
            Vec3::zeros()
        } else {
            bounds.center()
        };
        let high = if bounds.is_empty() {
            0.0
        } else {
            (bounds.max.y - height).max(0.0)
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

    /// What is left of the light at each texel: a contact shadow straight below, a cast shadow away from the key light
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
        let place = |p: &Vector3<f32>| {
            let h = (p.y - self.height as f32).max(0.0);
            let q = p - shift * h;
            let u = (q.x - self.center[0] as f32 + self.span as f32) * scale;
            let v = (q.z - self.center[1] as f32 + self.span as f32) * scale;
            [u, v, h]
        };
        lowest_over_texels(TEXELS, triangles.iter().map(|t| t.map(|p| place(&p))))
    }

    /// Share of light left at a point of the floor (world x and z, m).
    pub fn light_at(&self, x: f64, z: f64) -> f32 {
        let scale = TEXELS as f64 / (2.0 * self.span);
        let place = |v: f64, axis: usize| {
            ((v - self.center[axis] + self.span) * scale - 0.5)
                .max(0.0)
                .min(TEXELS as f64 - 1.001)
        };
        let (u, v) = (place(x, 0), place(z, 1));
        let (column, row) = (u as usize, v as usize);
        let (s, t) = ((u - column as f64) as f32, (v - row as f64) as f32);
        let at = |dx: usize, dy: usize| self.light[(row + dy) * TEXELS + column + dx];
        let low = at(0, 0) * (1.0 - s) + at(1, 0) * s;
        let high = at(0, 1) * (1.0 - s) + at(1, 1) * s;
        low * (1.0 - t) + high * t
    }

    /// How much of a grid line covers a place: `at` and its change `step` to the next pixel, both in m from a line.
    fn grid_coverage(at: f64, step: f64, cell: f64, width: f64) -> f64 {
        if step >= cell {
            return width / cell;
        }
        // the part of the pixel that the nearest line overlaps
        let to_line = (at - (at / cell).round() * cell).abs();
        let pixel = step.max(1e-12);
        let overlap =
            (width * 0.5).min(to_line + pixel * 0.5) - (-width * 0.5).max(to_line - pixel * 0.5);
        overlap.max(0.0) / pixel
    }
}

/// Fills the canvas with the backdrop and, seen from above, the floor (which also enters the depth).
pub fn draw_backdrop(
    canvas: &mut Canvas,
    camera: &OrbitCamera,
    backdrop: &Backdrop,
    ground: Option<&Ground>,
) {
    let (width, height) = (canvas.width, canvas.height);
    if width == 0 || height == 0 {
        return;
    }
    let [top, bottom, floor, grid] = [backdrop.top, backdrop.bottom, backdrop.floor, backdrop.grid]
        .map(|c| Vector3::from(decode_srgb(c)));
    let aspect = width as f64 / height as f64;
    let corner = camera.ray(-1.0, 1.0, aspect);
    let right = (camera.ray(1.0, 1.0, aspect).direction - corner.direction) / width as f64;
    let down = (camera.ray(-1.0, -1.0, aspect).direction - corner.direction) / height as f64;
    let seen = ground.filter(|g| corner.origin.y > g.height);
    canvas
        .color
        .par_chunks_mut(width)
        .zip(canvas.depth.par_chunks_mut(width))
        .enumerate()
        .for_each(|(row, (colors, depths))| {
            let t = (row as f32 + 0.5) / height as f32;
            let sky = top.lerp(&bottom, t * t * (3.0 - 2.0 * t));
            for column in 0..width {
                colors[column] = sky.into();
                let Some(ground) = seen else { continue };
                let at = |x: f64, y: f64| {
                    let direction = corner.direction + right * x + down * y;
                    let depth = (ground.height - corner.origin.y) / direction.y;
                    (direction.y < 0.0).then(|| (depth, corner.origin + direction * depth))
                };
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let Some((depth, place)) = at(x, y) else {
                    continue;
                };
                let (px, pz) = (place.x - ground.center[0], place.z - ground.center[1]);
                let fade = (-((px * px + pz * pz) / (ground.reach * ground.reach)).powf(1.5)).exp();
                if fade < 0.002 {
                    continue;
                }
                depths[column] = depth as f32;
                let next = [at(x + 1.0, y), at(x, y + 1.0)].map(|n| n.map_or(place, |(_, p)| p));
                let step = |axis: usize| {
                    (next[0][axis] - place[axis]).abs() + (next[1][axis] - place[axis]).abs()
                };
                let line = [0, 2]
                    .map(|axis| {
                        Ground::grid_coverage(
                            place[axis],
                            step(axis),
                            ground.cell,
                            ground.cell * 0.022,
                        )
                    })
                    .into_iter()
                    .fold(0.0, f64::max);
                let surface = floor.lerp(&grid, line as f32);
                colors[column] =
                    (sky.lerp(&surface, fade as f32) * ground.light_at(place.x, place.z)).into();
            }
        });
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

    #[test]
    fn the_grid_keeps_its_mean_brightness_when_it_shrinks_below_a_pixel() {
        // mean coverage of lines of width 0.1 in cells of 1 is 0.1, sharp or blurred over 0.5
        for step in [0.01, 0.5] {
            let mean: f64 = (0..1000)
                .map(|k| Ground::grid_coverage(f64::from(k) * 0.001, step, 1.0, 0.1))
                .sum::<f64>()
                / 1000.0;
            assert!((mean - 0.1).abs() < 0.03, "{mean}");
        }
    }

    #[test]
    fn from_below_or_without_bodies_there_is_still_a_backdrop() {
        let mut canvas = Canvas::new(20, 10, [0.0; 3]);
        let camera = OrbitCamera {
            pitch: -0.5,
            ..OrbitCamera::default()
        };
        draw_backdrop(
            &mut canvas,
            &camera,
            &Backdrop::LIGHT,
            Some(&Ground::new(0.0, 0.0, &[])),
        );
        assert!(canvas.depth.iter().all(|d| d.is_infinite()));
        assert!(canvas.color.iter().all(|c| c[0] > 0.4));
    }
}
