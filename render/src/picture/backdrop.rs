//! The background: a gradient, and the floor with its grid.

use nalgebra::Vector3;
use rayon::prelude::*;

use crate::camera::OrbitCamera;
use crate::color::decode_srgb;
use crate::lighting::Ground;
use crate::raster::Canvas;

/// Colours behind a scene (sRGB, 0 to 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backdrop {
    /// Upper border of the picture.
    pub top: [f32; 3],
    /// Lower border of the picture.
    pub bottom: [f32; 3],
    /// The floor near the body; farther out it fades into the background.
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

/// Fills the canvas with the backdrop and, if seen from above, the floor (which is also written to the depth).
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
    let seen = ground.filter(|g| corner.origin.y > g.height());
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
                    let depth = (ground.height() - corner.origin.y) / direction.y;
                    (direction.y < 0.0).then(|| (depth, corner.origin + direction * depth))
                };
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let Some((depth, point)) = at(x, y) else {
                    continue;
                };
                let (px, pz) = (point.x - ground.center[0], point.z - ground.center[1]);
                let fade = (-((px * px + pz * pz) / (ground.reach * ground.reach)).powf(1.5)).exp();
                if fade < 0.002 {
                    continue;
                }
                depths[column] = depth as f32;
                let next = [at(x + 1.0, y), at(x, y + 1.0)].map(|n| n.map_or(point, |(_, p)| p));
                let step = |axis: usize| {
                    (next[0][axis] - point[axis]).abs() + (next[1][axis] - point[axis]).abs()
                };
                let line = [0, 2]
                    .map(|axis| {
                        grid_coverage(point[axis], step(axis), ground.cell, ground.cell * 0.022)
                    })
                    .into_iter()
                    .fold(0.0, f64::max);
                let surface = floor.lerp(&grid, line as f32);
                colors[column] =
                    (sky.lerp(&surface, fade as f32) * ground.light_at(point.x, point.z)).into();
            }
        });
}

/// Share of a pixel that grid lines cover, from the coordinate `at` of its point and the change `step` to the next pixel, both in m.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_keeps_its_mean_brightness_when_it_shrinks_below_a_pixel() {
        // mean coverage of lines of width 0.1 in cells of 1 is 0.1, sharp or blurred over 0.5
        for step in [0.01, 0.5] {
            let mean: f64 = (0..1000)
                .map(|k| grid_coverage(f64::from(k) * 0.001, step, 1.0, 0.1))
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
