//! The paper's sums over the eight particles of each vertex, in double precision.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::skin_binding::trilinear;

use crate::asset::LatticeAsset;

/// Writes what [`crate::skin::kernel::SkinKernel::write`] writes, by `x = Σ φ_k x_k`, `α^u_k = U · ∇φ_k`, `α^v_k = V · ∇φ_k` and
/// `n = (Σ α^u_k x_k) × (Σ α^v_k x_k)`, normalised (Rivers and James 2007, Eq. 15). Vertices without eight particles get zeros.
pub(crate) fn write_reference(asset: &LatticeAsset, positions: &[Vec3], out: &mut SurfaceFrame) {
    let normals = asset.skin.vertex_normals();
    out.positions.clear();
    out.normals.clear();
    for (v, n) in normals.iter().enumerate() {
        let (x, normal) = deform(asset, positions, v, n).unwrap_or_default();
        out.positions.push(x.cast::<f32>().into());
        out.normals.push(normal.cast::<f32>().into());
    }
}

fn deform(
    asset: &LatticeAsset,
    positions: &[Vec3],
    vertex: usize,
    normal: &Vec3,
) -> Option<(Vec3, Vec3)> {
    let corners: [u32; 8] = asset.embedding.row(vertex).0.try_into().ok()?;
    let t = asset.place_in_cell(&corners, &asset.skin.positions[vertex]);
    // tangents with U × V = N
    let helper = if normal.x.abs() < 0.6 {
        Vec3::x()
    } else {
        Vec3::y()
    };
    let u = normal.cross(&helper).normalize();
    let v = normal.cross(&u);
    let (mut x, mut along_u, mut along_v) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    for (b, &corner) in corners.iter().enumerate() {
        let (weight, gradient) = trilinear(b, &t);
        let position = positions[corner as usize];
        x += position * weight;
        along_u += position * u.dot(&gradient);
        along_v += position * v.dot(&gradient);
    }
    let normal = along_u.cross(&along_v);
    let length = normal.norm();
    let unit = if length > 0.0 {
        normal / length
    } else {
        normal
    };
    Some((x, unit))
}
