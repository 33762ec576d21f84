//! The nodes of a scene with their transforms (section 3.5).

use nalgebra::{Matrix4, Quaternion, UnitQuaternion};
use pliant_core::math::Vec3;

use super::accessor::Document;
use super::json::Value;
use crate::io::assembly::cells::Cells;
use crate::io::error::ReadError;

/// The scene under construction.
pub(crate) struct Scene<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) cells: Cells,
    /// bytes of vertices and corners so far
    pub(crate) placed_bytes: usize,
    pub(crate) skinned: usize,
}

impl Scene<'_> {
    /// All meshes of the default scene; of all nodes where there is no scene; of the file where there is no node.
    pub(crate) fn place_all(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        let nodes = document.root.list_of("nodes");
        let identity = Matrix4::identity();
        if nodes.is_empty() {
            for mesh in document.root.list_of("meshes") {
                self.mesh(mesh, &identity)?;
            }
            return Ok(());
        }
        let mut stack = Vec::new();
        let scenes = document.root.list_of("scenes");
        let chosen = document.root.get("scene");
        let scene = chosen.map(|k| document.element("scenes", k)).transpose()?;
        if let Some(scene) = scene.or(scenes.first()) {
            for root in scene.list_of("nodes").iter().rev() {
                stack.push((self.node(root)?, identity));
            }
        } else {
            let mut is_child = vec![false; nodes.len()];
            for child in nodes.iter().flat_map(|n| n.list_of("children")) {
                is_child[self.node(child)?] = true;
            }
            let roots = (0..nodes.len()).rev().filter(|&k| !is_child[k]);
            stack.extend(roots.map(|k| (k, identity)));
        }
        let mut seen = vec![false; nodes.len()];
        while let Some((k, parent)) = stack.pop() {
            let Some(node) = nodes.get(k) else {
                continue;
            };
            if std::mem::replace(&mut seen[k], true) {
                let what = format!("node {k} occurs in the scene twice");
                return Err(ReadError::syntax(node.place(), what));
            }
            let to_scene = parent * transform(node)?;
            if let Some(mesh) = node.get("mesh") {
                self.skinned += usize::from(node.get("skin").is_some());
                self.mesh(document.element("meshes", mesh)?, &to_scene)?;
            }
            for child in node.list_of("children").iter().rev() {
                stack.push((self.node(child)?, to_scene));
            }
        }
        Ok(())
    }

    /// Number of a node that exists.
    fn node(&self, index: &Value<'_>) -> Result<usize, ReadError> {
        self.document.element("nodes", index)?;
        index.index()
    }
}

/// The transform of a node to its parent (section 3.5.3): `matrix`, or `translation`, `rotation` and `scale`.
fn transform(node: &Value<'_>) -> Result<Matrix4<f64>, ReadError> {
    if let Some(matrix) = numbers::<16>(node, "matrix")? {
        // columns one after the other, as in nalgebra
        return Ok(Matrix4::from_column_slice(&matrix));
    }
    let shift = numbers::<3>(node, "translation")?.map_or(Vec3::zeros(), Vec3::from);
    let scale = numbers::<3>(node, "scale")?.map_or(Vec3::repeat(1.0), Vec3::from);
    let mut matrix = Matrix4::new_nonuniform_scaling(&scale);
    if let Some([x, y, z, w]) = numbers::<4>(node, "rotation")? {
        let rotation = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0);
        // no rotation can be made of four zeros
        matrix = rotation.unwrap_or_default().to_homogeneous() * matrix;
    }
    Ok(matrix.append_translation(&shift))
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
