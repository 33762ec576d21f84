//! Where a node stands in its parent (section 3.5.3).

use nalgebra::{Matrix4, Quaternion, UnitQuaternion};
use pliant_core::math::Vec3;

use super::json::Value;
use crate::io::error::ReadError;

/// `matrix`, or `translation`, `rotation` and `scale`.
pub(crate) fn of_node(node: &Value<'_>) -> Result<Matrix4<f64>, ReadError> {
    if let Some(matrix) = numbers::<16>(node, "matrix")? {
        // columns one after the other, as in nalgebra
        return Ok(Matrix4::from_column_slice(&matrix));
    }
    let shift = numbers::<3>(node, "translation")?.map_or(Vec3::zeros(), Vec3::from);
    let scale = numbers::<3>(node, "scale")?.map_or(Vec3::repeat(1.0), Vec3::from);
    let mut placed = Matrix4::new_nonuniform_scaling(&scale);
    if let Some([x, y, z, w]) = numbers::<4>(node, "rotation")? {
        let turn = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0);
        // no rotation can be made of four zeros
        placed = turn.unwrap_or_default().to_homogeneous() * placed;
    }
    Ok(placed.append_translation(&shift))
}

fn numbers<const N: usize>(node: &Value<'_>, name: &str) -> Result<Option<[f64; N]>, ReadError> {
    let Some(value) = node.get(name) else {
        return Ok(None);
    };
    let list: Option<Vec<f64>> = value.list().iter().map(Value::number).collect();
    let array = list.and_then(|l| <[f64; N]>::try_from(l).ok());
    let wrong = || ReadError::syntax(value.place(), format!("`{name}` is not {N} numbers"));
    array.map(Some).ok_or_else(wrong)
}
