//! Positions of the world in a picture, and the outline of marks.

use egui::{Color32, Pos2, Rect, Vec2};
use nalgebra::Vector4;
use pliant_core::math::Vec3;
use pliant_render::OrbitCamera;

/// Outline of bright marks, so that they are visible on a skin of any colour.
pub const RIM: Color32 = Color32::from_rgb(30, 34, 40);

/// Where a point of the world is in a pane; `None` behind the eye.
pub fn on_screen(camera: &OrbitCamera, rect: Rect, place: &Vec3) -> Option<Pos2> {
    let aspect = f64::from(rect.width()) / f64::from(rect.height().max(1.0));
    let p = Vector4::new(place.x as f32, place.y as f32, place.z as f32, 1.0);
    let clip = camera.projection(aspect) * camera.view() * p;
    (clip.w > 0.0).then(|| {
        let part = Vec2::new(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
        rect.min + part * rect.size()
    })
}
