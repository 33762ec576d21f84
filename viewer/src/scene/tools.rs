//! Tools as triangles, and where they are.

use nalgebra::Matrix4;
use pliant_core::contact::{Pose, Tool, ToolShape};
use pliant_core::math::Vec3;
use pliant_render::surface::GlyphMesh;
use pliant_simulation::setup::SetupTool;

/// The tools that are drawn, in their own frames. Half-spaces are drawn as the floor.
pub fn tool_meshes(tools: &[SetupTool]) -> Vec<GlyphMesh> {
    let drawn = tools.iter().filter(|t| is_drawn(&t.shape));
    let origin = Pose::at(Vec3::zeros());
    drawn
        .map(|t| GlyphMesh::of_tool(&t.shape, &origin, 1.0))
        .collect()
}

/// Poses of those tools.
pub fn tool_poses(tools: &[Tool]) -> Vec<Matrix4<f32>> {
    let drawn = tools.iter().filter(|t| is_drawn(&t.shape));
    drawn
        .map(|t| {
            let turn = t.end.orientation.to_homogeneous();
            (Matrix4::new_translation(&t.end.position) * turn).cast::<f32>()
        })
        .collect()
}

fn is_drawn(shape: &ToolShape) -> bool {
    !matches!(shape, ToolShape::HalfSpace { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_drawn_at_its_pose() {
        let snapshot = crate::testing::snapshot();
        let setup = snapshot.setup.as_ref().expect("a scene");
        let poses = tool_poses(&snapshot.tools);
        assert_eq!((poses.len(), tool_meshes(&setup.tools).len()), (1, 1));
        assert_eq!(poses[0][(1, 3)], 1.0);
    }
}
