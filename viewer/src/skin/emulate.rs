//! The vertex shaders in Rust: the same operations in the same order, from the same bytes. Drivers differ at most by fused multiply-adds.

use nalgebra::Vector3;

use super::attribute::Attribute;
use super::{batches, texture};

type V = Vector3<f32>;

/// A vertex as a shader computes it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SkinnedVertex {
    /// Position, world, m.
    pub place: [f32; 3],
    /// Unit outward normal; zero where the cell has collapsed.
    pub normal: [f32; 3],
}

/// `shaders/skinning/from_texture.glsl`: vertex `vertex` of a buffer of [`texture::TextureVertex`], with texels row by row; texels beyond the last are zero.
pub fn from_texture(
    buffer: &[u8],
    vertex: usize,
    texels: &[[f32; 3]],
    center: [f32; 3],
) -> SkinnedVertex {
    let stride = size_of::<texture::TextureVertex>();
    let low = texture::LOW.integers(buffer, stride, vertex);
    let high = texture::HIGH.integers(buffer, stride, vertex);
    let place = xyz_of(texture::PLACE.floats(buffer, stride, vertex));
    let normal = xyz_of(texture::NORMAL.floats(buffer, stride, vertex));
    let point = |number: u32| -> V {
        let [column, row] = texture::texel(number);
        let texel = texels.get(row * texture::WIDTH + column);
        texel.copied().unwrap_or_default().into()
    };
    let p = point(low[0]);
    let x = point(low[1]) - p;
    let y = point(low[2]) - p;
    let z = point(high[0]) - p;
    let across = point(low[3]) - point(low[2]);
    let above = point(high[1]) - point(high[0]);
    let xy = across - x;
    let xz = above - x;
    let yz = point(high[2]) - point(high[0]) - y;
    let xyz = point(high[3]) - point(high[2]) - above - xy;
    let along_x = x + xy * place.y + (xz + xyz * place.y) * place.z;
    let along_y = y + xy * place.x + (yz + xyz * place.x) * place.z;
    let along_z = z + xz * place.x + (yz + xyz * place.x) * place.y;
    let at = p + y * place.y + (z + yz * place.y) * place.z + along_x * place.x;
    let outward = along_y.cross(&along_z) * normal.x
        + along_z.cross(&along_x) * normal.y
        + along_x.cross(&along_y) * normal.z;
    SkinnedVertex {
        place: (V::from(center) + at).into(),
        normal: unit(outward).into(),
    }
}

/// `shaders/skinning/from_batch.glsl`: vertex `vertex` of a buffer of [`batches::BatchVertex`], with the block of its batch.
pub fn from_batch(
    buffer: &[u8],
    vertex: usize,
    block: &[[f32; 4]],
    center: [f32; 3],
) -> SkinnedVertex {
    let stride = size_of::<batches::BatchVertex>();
    let numbers = batches::CORNERS.map(|a| a.integers(buffer, stride, vertex));
    let weights = |pair: [Attribute; 2]| pair.map(|a| a.floats(buffer, stride, vertex));
    let point = |number: u32| xyz_of(block.get(number as usize).copied().unwrap_or_default());
    let p = point(numbers[0][0]);
    let steps: [V; 7] = std::array::from_fn(|k| point(numbers[(k + 1) / 4][(k + 1) % 4]) - p);
    let sum = |pair: [Attribute; 2]| -> V {
        let [a, b] = weights(pair);
        steps[0] * a[1]
            + steps[1] * a[2]
            + steps[2] * a[3]
            + steps[3] * b[0]
            + steps[4] * b[1]
            + steps[5] * b[2]
            + steps[6] * b[3]
    };
    let at = p + sum(batches::PLACE);
    let outward = sum(batches::FIRST).cross(&sum(batches::SECOND));
    SkinnedVertex {
        place: (V::from(center) + at).into(),
        normal: unit(outward).into(),
    }
}

fn xyz_of([x, y, z, _]: [f32; 4]) -> V {
    V::new(x, y, z)
}

fn unit(v: V) -> V {
    let squared = v.dot(&v);
    if squared > 0.0 {
        v * (1.0 / squared.sqrt())
    } else {
        V::zeros()
    }
}
