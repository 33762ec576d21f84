//! Rasterises triangles onto a square map that keeps the lowest one over each texel. Both shadows use it.

use nalgebra::Vector3;
use pliant_core::math::bounds::Aabb;

/// Lowest third coordinate over each texel of a square map with `texels` along a side, row by row; infinity where nothing is.
/// Corners are `[column, row, value]` in texels. Triangles without area or with a coordinate that is not finite are
/// left out.
pub fn lowest_over_texels(
    texels: usize,
    triangles: impl Iterator<Item = [[f32; 3]; 3]>,
) -> Vec<f32> {
    let mut map = vec![f32::INFINITY; texels * texels];
    for [a, b, c] in triangles {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if !area.is_finite() || area.abs() < 1e-12 {
            continue;
        }
        let limits = |axis: usize| {
            let low = a[axis].min(b[axis]).min(c[axis]).max(0.0);
            let high = a[axis].max(b[axis]).max(c[axis]).max(-1.0);
            (low as usize).min(texels)..((high.floor() + 1.0) as usize).min(texels)
        };
        for row in limits(1) {
            for column in limits(0) {
                let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
                let wb = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
                let wc = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
                if wb >= 0.0 && wc >= 0.0 && wb + wc <= 1.0 {
                    let value = a[2] + wb * (b[2] - a[2]) + wc * (c[2] - a[2]);
                    let texel = &mut map[row * texels + column];
                    *texel = texel.min(value);
                }
            }
        }
    }
    map
}

/// Box around all finite corners; empty without any.
pub fn bounds_of(triangles: &[[Vector3<f32>; 3]]) -> Aabb {
    let mut bounds = Aabb::empty();
    for point in triangles.iter().flatten() {
        if point.iter().all(|c| c.is_finite()) {
            bounds.grow(&point.cast());
        }
    }
    bounds
}
