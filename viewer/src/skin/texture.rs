//! Control points in a texture, and its layout.

use std::mem::offset_of;

use super::SkinnedSurface;
use super::attribute::{Attribute, Kind};

/// Texels in a row.
pub const WIDTH: usize = 1024;
/// Most control points: a texture of [`WIDTH`] times the height that every driver has.
pub const MAX_POINTS: usize = WIDTH * 2048;

/// A vertex as the shader reads it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct TextureVertex {
    /// Texels of the eight control points, counted row by row.
    pub corners: [u32; 8],
    /// Place in the cell.
    pub place: [f32; 3],
    /// Normal at rest in coordinates of the cell.
    pub normal: [f32; 3],
}

/// Numbers of the corners, four and four; place and normal in the cell.
pub const ATTRIBUTES: [Attribute; 4] = [
    Attribute::new(3, 4, Kind::Long, offset_of!(TextureVertex, corners)),
    Attribute::new(4, 4, Kind::Long, offset_of!(TextureVertex, corners) + 16),
    Attribute::new(5, 3, Kind::Float, offset_of!(TextureVertex, place)),
    Attribute::new(6, 3, Kind::Float, offset_of!(TextureVertex, normal)),
];

/// The vertices of a skin.
pub fn vertices(skin: &SkinnedSurface) -> Vec<TextureVertex> {
    let rest = skin.places.iter().zip(&skin.normals);
    skin.corners
        .iter()
        .zip(rest)
        .map(|(&corners, (&place, &normal))| TextureVertex {
            corners,
            place,
            normal,
        })
        .collect()
}

/// Rows of a texture for so many control points.
pub fn rows(points: usize) -> usize {
    points.div_ceil(WIDTH).max(1)
}
