//! Vertices and colours as the device keeps them.

use pliant_core::mesh::SurfaceFrame;
use pliant_render::surface::CreasedSurface;

use crate::gl::mesh::DrawVertex;

/// Colour of a skin vertex, or of the inside of a body that a cut shows (sRGB, 0 to 1).
pub type Color<'a> = &'a dyn Fn(Option<usize>) -> [f32; 3];

/// Vertices of a skin that the processor has computed. `color_of` returns the code values for a drawn vertex and the skin vertex that it follows.
pub fn vertices(
    frame: &SurfaceFrame,
    creased: &CreasedSurface,
    normals: &[[f32; 3]],
    color_of: impl Fn(usize, usize) -> [u8; 4],
) -> Vec<DrawVertex> {
    let all = creased.source.iter().zip(normals).enumerate();
    all.map(|(k, (&v, &normal))| DrawVertex {
        position: frame.positions.get(v as usize).copied().unwrap_or_default(),
        normal,
        color: color_of(k, v as usize),
    })
    .collect()
}

/// Code values of a colour (sRGB, 0 to 1), and behind them the share of the ambient light.
pub(super) fn code_values(color: [f32; 3], ambient: u8) -> [u8; 4] {
    let [r, g, b] = color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    [r, g, b, ambient]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneView;

    #[test]
    fn vertices_follow_the_frame() {
        let snapshot = crate::testing::snapshot();
        let setup = snapshot.setup.as_ref().expect("a scene");
        let view = SceneView::new(setup);
        let frame = &snapshot.panes[0].frame;
        let normals = view.skin.normals(&view.skin.positions(&frame.positions));
        let color_of = |k: usize, _| code_values([1.0, 0.0, 0.5], k as u8);
        let out = vertices(frame, &view.skin, &normals, color_of);
        // a box has three normals at each corner and two at each edge: more vertices than the skin
        assert!(out.len() > setup.skin().vertex_count());
        for (k, v) in out.iter().enumerate() {
            assert_eq!(v.color, [255, 0, 128, k as u8]);
        }
    }
}
