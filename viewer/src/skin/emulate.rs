//! The vertex shaders in Rust: the same operations in the same order. Drivers differ at most by fused multiply-adds.

use nalgebra::Vector3;

use super::batches::BatchVertex;
use super::texture::TextureVertex;

type V = Vector3<f32>;

/// A vertex as a shader computes it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SkinnedVertex {
    /// Position, world, m.
    pub place: [f32; 3],
    /// Unit outward normal; zero where the cell has collapsed.
    pub normal: [f32; 3],
}

/// `shaders/skinning/from_texture.glsl`, with texels row by row; texels beyond the last are zero.
pub fn from_texture(
    vertex: &TextureVertex,
    texels: &[[f32; 3]],
    center: [f32; 3],
) -> SkinnedVertex {
    let (place, normal) = (V::from(vertex.place), V::from(vertex.normal));
    let [p, px, py, pxy, pz, pxz, pyz, pxyz] = vertex.corners.map(|number| -> V {
        let texel = texels.get(number as usize);
        texel.copied().unwrap_or_default().into()
    });
    let x = px - p;
    let y = py - p;
    let z = pz - p;
    let across = pxy - py;
    let above = pxz - pz;
    let xy = across - x;
    let xz = above - x;
    let yz = pyz - pz - y;
    let xyz = pxyz - pyz - above - xy;
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

/// `shaders/skinning/from_batch.glsl`, with the block of the batch; points beyond the last are zero.
pub fn from_batch(vertex: &BatchVertex, block: &[[f32; 4]], center: [f32; 3]) -> SkinnedVertex {
    let points = vertex.corners.map(|number| {
        let [x, y, z, _] = block.get(usize::from(number)).copied().unwrap_or_default();
        V::new(x, y, z)
    });
    let p = points[0];
    let steps: [V; 7] = std::array::from_fn(|k| points[k + 1] - p);
    let sum = |weights: &[f32; 8]| -> V {
        steps[0] * weights[1]
            + steps[1] * weights[2]
            + steps[2] * weights[3]
            + steps[3] * weights[4]
            + steps[4] * weights[5]
            + steps[5] * weights[6]
            + steps[6] * weights[7]
    };
    let at = p + sum(&vertex.place);
    let outward = sum(&vertex.first).cross(&sum(&vertex.second));
    SkinnedVertex {
        place: (V::from(center) + at).into(),
        normal: unit(outward).into(),
    }
}

fn unit(v: V) -> V {
    let squared = v.dot(&v);
    if squared > 0.0 {
        v * (1.0 / squared.sqrt())
    } else {
        V::zeros()
    }
}
