//! Shadow map of the key light: depths as seen from the light.

use nalgebra::{Matrix3, Vector3};
use rayon::prelude::*;

use super::height_map::{bounds_of, lowest_over_texels};
use super::shade::{KEY_DIRECTION, light_from_world};

/// Texels along one side of the map.
const TEXELS: usize = 512;
/// Half width of the filter window that softens the edge of the shadow, texels.
const SOFTNESS: i64 = 3;
/// How far a point is moved along its normal before it is looked up, texels.
const BIAS: f32 = 3.5;

/// Distances from the key light over the bodies of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct LightMap {
    /// rows: two directions perpendicular to the light, and the direction away from it
    light_axes: Matrix3<f32>,
    center: Vector3<f32>,
    /// half width of the square, m
    span: f32,
    /// m away from the light, relative to the centre
    depth: Vec<f32>,
    /// minimum and maximum depth over the window that begins at each texel
    window: [Vec<f32>; 2],
}

impl LightMap {
    /// The key light of a camera at `yaw` (rad) over triangles of world points (m).
    pub fn new(yaw: f64, triangles: &[[Vector3<f32>; 3]]) -> Self {
        let toward_light = light_from_world(yaw).transpose() * Vector3::from(KEY_DIRECTION);
        let away = -toward_light.normalize();
        let across = Vector3::y().cross(&away).normalize();
        let light_axes = Matrix3::from_rows(&[
            across.transpose(),
            away.cross(&across).transpose(),
            away.transpose(),
        ]);
        let bounds = bounds_of(triangles);
        let (center, span) = if bounds.is_empty() {
            (Vector3::zeros(), 1.0)
        } else {
            (
                bounds.center().cast(),
                (bounds.diagonal() * 0.505).max(1e-9) as f32,
            )
        };
        let mut map = Self {
            light_axes,
            center,
            span,
            depth: Vec::new(),
            window: [Vec::new(), Vec::new()],
        };
        let projected = triangles.iter().map(|t| t.map(|p| map.project(&p)));
        map.depth = lowest_over_texels(TEXELS, projected);
        map.window = [f32::min, f32::max].map(|pick| over_windows(&map.depth, pick));
        map
    }

    /// Column and row in texels, and depth in m.
    fn project(&self, point: &Vector3<f32>) -> [f32; 3] {
        let q = self.light_axes * (point - self.center);
        let scale = TEXELS as f32 / (2.0 * self.span);
        [(q.x + self.span) * scale, (q.y + self.span) * scale, q.z]
    }

    /// Share of the key light that reaches a point of a surface with this unit normal (world), 0 to 1. Towards the edge
    /// of the lit side it returns to 1: there shading darkens the surface anyway, and the map is too coarse.
    pub fn visibility(&self, point: &Vector3<f32>, normal: &Vector3<f32>) -> f32 {
        let facing = -(self.light_axes.row(2) * normal).x;
        let weight = ((facing - 0.05) / 0.3).clamp(0.0, 1.0);
        if weight <= 0.0 {
            return 1.0;
        }
        let texel = 2.0 * self.span / TEXELS as f32;
        let [u, v, depth] = self.project(&(point + normal * (BIAS * texel)));
        let (left, top) = ((u - 0.5).floor(), (v - 0.5).floor());
        let (s, t) = (u - 0.5 - left, v - 0.5 - top);
        // for most points the whole window is lit, or none of it
        if let Some(start) = texel_index(left as i64 - SOFTNESS, top as i64 - SOFTNESS) {
            if self.window[0][start] >= depth - texel {
                return 1.0;
            }
            if self.window[1][start] < depth - texel {
                return 1.0 - weight;
            }
        }
        let mut lit = 0.0;
        for dy in -SOFTNESS..=SOFTNESS + 1 {
            let across_rows = border_weight(dy, t);
            for dx in -SOFTNESS..=SOFTNESS + 1 {
                let nearest = self.at(left as i64 + dx, top as i64 + dy);
                if nearest >= depth - texel {
                    lit += border_weight(dx, s) * across_rows;
                }
            }
        }
        let side = (2 * SOFTNESS + 1) as f32;
        1.0 - weight * (1.0 - lit / (side * side))
    }

    fn at(&self, column: i64, row: i64) -> f32 {
        texel_index(column, row).map_or(f32::INFINITY, |k| self.depth[k])
    }
}

fn texel_index(column: i64, row: i64) -> Option<usize> {
    let inside = 0..TEXELS as i64;
    (inside.contains(&column) && inside.contains(&row))
        .then(|| row as usize * TEXELS + column as usize)
}

/// `pick` over the window to the right of and below each texel; outside of the map the depth is infinite.
fn over_windows(depth: &[f32], pick: fn(f32, f32) -> f32) -> Vec<f32> {
    let side = 2 * SOFTNESS as usize + 2;
    let get = |map: &[f32], column: usize, row: usize| {
        if column < TEXELS && row < TEXELS {
            map[row * TEXELS + column]
        } else {
            f32::INFINITY
        }
    };
    let along = |map: &[f32], right: usize, down: usize| -> Vec<f32> {
        (0..TEXELS * TEXELS)
            .into_par_iter()
            .map(|k| {
                let (column, row) = (k % TEXELS, k / TEXELS);
                (1..side).fold(map[k], |best, n| {
                    pick(best, get(map, column + n * right, row + n * down))
                })
            })
            .collect()
    };
    along(&along(depth, 1, 0), 0, 1)
}

/// Weight of a column of the window at a sub-texel position `part`: 1 inside, partial at both ends.
fn border_weight(offset: i64, part: f32) -> f32 {
    if offset == -SOFTNESS {
        1.0 - part
    } else if offset == SOFTNESS + 1 {
        part
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(height: f32, half: f32) -> [[Vector3<f32>; 3]; 2] {
        let v = |x: f32, z: f32| Vector3::new(x * half, height, z * half);
        [
            [v(-1.0, -1.0), v(1.0, 1.0), v(1.0, -1.0)],
            [v(-1.0, -1.0), v(-1.0, 1.0), v(1.0, 1.0)],
        ]
    }

    #[test]
    fn a_plate_shades_what_lies_behind_it_and_not_itself() {
        let mut scene = square(0.0, 1.0).to_vec();
        scene.extend(square(0.5, 0.3));
        let yaw = 0.4;
        let map = LightMap::new(yaw, &scene);
        let up = Vector3::y();
        let toward = light_from_world(yaw).transpose() * Vector3::from(KEY_DIRECTION);
        let below = -toward * (0.5 / toward.y) + up * 0.5;
        assert!(map.visibility(&below, &up) < 0.01);
        assert!(map.visibility(&(up * 0.5), &up) > 0.99);
        for k in 0..50 {
            let p = Vector3::new(-0.9 + 0.002 * k as f32, 0.0, 0.9 - 0.003 * k as f32);
            assert!(map.visibility(&p, &up) > 0.99, "no specks on a lit plane");
        }
        assert_eq!(map.visibility(&below, &-up), 1.0);
    }

    #[test]
    fn window_extrema_agree_with_all_texels_of_the_window() {
        let depth: Vec<f32> = (0..TEXELS * TEXELS)
            .map(|k| (k * 7919 % 1013) as f32)
            .collect();
        let (low, high) = (
            over_windows(&depth, f32::min),
            over_windows(&depth, f32::max),
        );
        for (column, row) in [(0, 0), (77, 301), (300, 41)] {
            let window =
                (0..8).flat_map(|dy| (0..8).map(move |dx| (row + dy) * TEXELS + column + dx));
            let values: Vec<f32> = window.map(|k| depth[k]).collect();
            let at = row * TEXELS + column;
            assert_eq!(
                low[at],
                values.iter().copied().fold(f32::INFINITY, f32::min)
            );
            assert_eq!(high[at], values.iter().copied().fold(0.0, f32::max));
        }
        assert_eq!(high[TEXELS * TEXELS - 1], f32::INFINITY);
    }

    #[test]
    fn the_edge_of_a_shadow_is_monotone() {
        let mut scene = square(0.0, 1.0).to_vec();
        scene.extend(square(0.2, 0.3));
        let map = LightMap::new(0.0, &scene);
        let along: Vec<f32> = (0..400)
            .map(|k| {
                map.visibility(
                    &Vector3::new(0.1 + k as f32 * 0.001, 0.0, -0.1),
                    &Vector3::y(),
                )
            })
            .collect();
        assert!(along[0] < 0.01 && along[399] > 0.99);
        assert!(along.windows(2).all(|w| w[1] >= w[0] - 1e-3));
    }
}
