//! The kept frames as pictures, all with one camera.

use pliant_core::contact::ToolShape;
use pliant_core::contact::tool::Tool;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::surface_frame::CutSurface;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_render::color::{INSIDE, method_color};
use pliant_render::{BodyView, OrbitCamera, PictureOptions, ToolView, draw_scene};
use pliant_simulation::setup::Setup;

use crate::failure::Failure;

/// Width and height of a picture, pixels.
pub const SIZE: (usize, usize) = (560, 480);

/// Share of the picture that the body and its tools may span.
const FILLED_SHARE: f64 = 0.86;

/// Share of the skin that may leave the picture on each side, so that a few flying pieces do not shrink the rest.
const IGNORED_SHARE: f64 = 0.02;

/// Root mean square motion of a skin that is not visible, over the diagonal.
const NEGLIGIBLE_MOTION: f64 = 1e-6;

/// The camera of the scene's view; without one a camera that sees the whole body and its tools from the front and a little above, as large as the picture allows, wherever the body is in
/// the `drawn` frames.
pub fn camera(setup: &Setup, drawn: &[&SurfaceFrame]) -> OrbitCamera {
    let view = setup.description.view.as_ref();
    if let Some(description) = view.and_then(|view| view.camera.as_ref()) {
        return OrbitCamera::from_description(description);
    }
    let rest = setup.skin().bounds();
    let mut points: Vec<Vec3> = Vec::new();
    for frame in drawn {
        points.extend(trimmed_corners(frame));
    }
    // the rest position is ignored if the body is elsewhere in all pictures
    if points.is_empty() || Aabb::of_points(&points).overlaps(&rest) {
        points.extend_from_slice(&setup.skin().positions);
    }
    for tool in &setup.tools {
        if tool.shape.outer_radius() < setup.diagonal {
            let r = tool.shape.outer_radius();
            for time in [1.0, 2.0] {
                let at = tool.path.pose(time).position;
                for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                    points.extend([at + axis * r, at - axis * r]);
                }
            }
        }
    }
    if setup.is_group() {
        // where the pieces end up: on the ground below, a little wider
        let wide = rest.inflated(0.1 * rest.size().max());
        for x in [wide.min.x, wide.max.x] {
            points.extend([wide.min.z, wide.max.z].map(|z| Vec3::new(x, ground(setup), z)));
        }
    }
    let aspect = SIZE.0 as f64 / SIZE.1 as f64;
    let mut camera = OrbitCamera::default();
    camera.fit(&Aabb::of_points(&points), aspect);
    let [right, up, back] = camera.axes();
    let half = (camera.fov_y * 0.5).tan();
    // aim and distance follow from the extent in the picture; with perspective this takes some iterations
    for _ in 0..8 {
        let eye = camera.eye();
        let mut extent = [
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for p in &points {
            let depth = back.dot(&(eye - p)).max(1e-6 * setup.diagonal);
            let x = right.dot(&(p - eye)) / (depth * half * aspect);
            let y = up.dot(&(p - eye)) / (depth * half);
            extent = [
                extent[0].min(x),
                extent[1].max(x),
                extent[2].min(y),
                extent[3].max(y),
            ];
        }
        let middle = [(extent[0] + extent[1]) * 0.5, (extent[2] + extent[3]) * 0.5];
        let span = (extent[1] - extent[0]).max(extent[3] - extent[2]) * 0.5;
        camera.target += right * (middle[0] * half * aspect * camera.distance)
            + up * (middle[1] * half * camera.distance);
        camera.distance *= (span / FILLED_SHARE).clamp(0.5, 2.0);
    }
    camera
}

/// Corners of a bounding box of a skin without [`IGNORED_SHARE`] on each side; none if it is not finite.
fn trimmed_corners(frame: &SurfaceFrame) -> Vec<Vec3> {
    let count = frame.positions.len();
    let skipped = (count as f64 * IGNORED_SHARE) as usize;
    let mut sides = [(0.0, 0.0); 3];
    for (axis, side) in sides.iter_mut().enumerate() {
        let mut along: Vec<f32> = frame.positions.iter().map(|x| x[axis]).collect();
        along.sort_by(f32::total_cmp);
        let (Some(low), Some(high)) = (
            along.get(skipped),
            along.get(count.saturating_sub(1 + skipped)),
        ) else {
            return Vec::new();
        };
        if !(low.is_finite() && high.is_finite()) {
            return Vec::new();
        }
        *side = (f64::from(*low), f64::from(*high));
    }
    let pick = |corner: usize, axis: usize| match corner >> axis & 1 {
        0 => sides[axis].0,
        _ => sides[axis].1,
    };
    (0..8)
        .map(|c| Vec3::new(pick(c, 0), pick(c, 1), pick(c, 2)))
        .collect()
}

/// One method's skin with the tools of the same moment, as a PNG file.
pub fn draw(
    setup: &Setup,
    camera: &OrbitCamera,
    kind: &str,
    frame: &SurfaceFrame,
    tools: &[Tool],
) -> Result<Vec<u8>, Failure> {
    let whole = BodyView {
        surface: setup.skin(),
        frame,
        colors: None,
        base_color: method_color(kind),
    };
    let cut = frame.cut.as_deref();
    let cut = cut.map(|cut| (skin_and_inside(cut), &cut.frame));
    let bodies = match &cut {
        None => vec![whole],
        Some((parts, frame)) => {
            let parts = parts.iter().zip([whole.base_color, INSIDE]);
            let drawn = parts.filter(|(part, _)| !part.triangles.is_empty());
            let body = |(surface, base_color)| BodyView {
                surface,
                frame,
                base_color,
                ..whole
            };
            drawn.map(body).collect()
        }
    };
    let glyphs: Vec<ToolView> = tools.iter().filter_map(tool_view).collect();
    let options = PictureOptions {
        width: SIZE.0,
        height: SIZE.1,
        ground: Some(ground(setup)),
        ..PictureOptions::default()
    };
    let canvas = draw_scene(camera, &bodies, &glyphs, &options);
    canvas
        .png()
        .map_err(|e| Failure::from_text("Picture", &e.to_string(), None))
}

/// The skin of a cut body, and what was inside of it: caps and seams.
fn skin_and_inside(cut: &CutSurface) -> [SurfaceMesh; 2] {
    let is_inside = |t: &[u32; 3]| t.iter().any(|&v| cut.skin_vertex(v as usize).is_none());
    let triangles = cut.surface.triangles.iter().copied();
    let (inside, skin): (Vec<[u32; 3]>, Vec<[u32; 3]>) = triangles.partition(is_inside);
    [skin, inside].map(|part| SurfaceMesh::new(cut.surface.positions.clone(), part))
}

/// Height of the ground plane: a floor that the scene has, or the lowest point of the body.
fn ground(setup: &Setup) -> f64 {
    let floor = setup.tools.iter().find_map(|tool| match tool.shape {
        ToolShape::HalfSpace { point, normal } if normal.y > 0.999 => {
            Some(tool.path.pose(0.0).to_world(&point).y)
        }
        _ => None,
    });
    floor.unwrap_or_else(|| setup.skin().bounds().min.y)
}

/// Index of the kept frame with the largest motion, after at least half of the cuts were made.
pub fn most_active_frame(setup: &Setup, kept: &[&[SurfaceFrame]]) -> usize {
    let count = kept.iter().map(|k| k.len()).min().unwrap_or(0);
    let skin = setup.skin();
    let moved = |frame: &SurfaceFrame| -> f64 {
        let both = frame.positions.iter().zip(&skin.positions);
        let squares = both.map(|(p, rest)| (Vec3::from(p.map(f64::from)) - rest).norm_squared());
        squares.sum::<f64>().sqrt()
    };
    let added = |frame: &SurfaceFrame| {
        let drawn = frame.cut.as_ref().map(|cut| cut.surface.vertex_count());
        drawn.map_or(0, |drawn| drawn.saturating_sub(skin.vertex_count()))
    };
    let motions: Vec<f64> = (0..count)
        .map(|k| kept.iter().map(|frames| moved(&frames[k])).sum())
        .collect();
    let cuts: Vec<usize> = (0..count)
        .map(|k| kept.iter().map(|frames| added(&frames[k])).sum())
        .collect();
    let still = NEGLIGIBLE_MOTION
        * setup.diagonal
        * (skin.vertex_count() as f64).sqrt()
        * kept.len() as f64;
    select_frame(&motions, &cuts, still)
}

/// The first frame with the largest motion among those with at least half of the largest number of cut vertices. Motions up to `still` are ignored.
fn select_frame(motions: &[f64], cuts: &[usize], still: f64) -> usize {
    let most = cuts.iter().copied().max().unwrap_or(0);
    let frames = motions.iter().zip(cuts).enumerate();
    let cut = frames.filter(|(_, (_, count))| 2 * **count >= most);
    let motions = cut.map(|(k, (motion, _))| (k, motion.max(still)));
    let largest = motions.clone().map(|(_, m)| m).fold(0.0, f64::max);
    // the first of equals: a held poke is shown when it reaches its depth
    let first = motions.into_iter().find(|(_, m)| *m >= 0.98 * largest);
    first.map_or(0, |(k, _)| k)
}

fn tool_view(tool: &Tool) -> Option<ToolView> {
    // a half-space is drawn as the ground plane
    let drawn = !matches!(tool.shape, ToolShape::HalfSpace { .. });
    drawn.then(|| ToolView {
        shape: tool.shape.clone(),
        pose: tool.end,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::surface_frame::CutSurface;

    use super::{select_frame, skin_and_inside};

    #[test]
    fn the_faces_of_a_cut_are_drawn_apart_from_the_skin() {
        let mut surface = box_surface(Vec3::repeat(0.2), [1; 3], CellStyle::Kuhn);
        let skin = surface.triangles.clone();
        let first = surface.positions.len() as u32;
        surface
            .positions
            .extend([Vec3::zeros(), Vec3::x(), Vec3::y()]);
        // a cap, and a seam between it and a lip
        let inside = [[first, first + 1, first + 2], [first, first + 1, 0]];
        surface.triangles.extend(inside);
        let cut = CutSurface {
            surface: Arc::new(surface),
            copied: Arc::new(vec![CutSurface::CAP; 3]),
            ..CutSurface::default()
        };
        let [outer, inner] = skin_and_inside(&cut);
        assert_eq!(outer.triangles, skin);
        assert_eq!(inner.triangles, inside);
    }

    #[test]
    fn the_largest_motion_is_shown_and_of_a_cut_at_least_half() {
        let whole = [0; 5];
        assert_eq!(select_frame(&[0.0, 1.0, 3.0, 2.99, 1.0], &whole, 0.1), 2);
        // a body that does not move, but for round-off
        assert_eq!(select_frame(&[2e-9, 0.0, 1e-9, 3e-9, 0.0], &whole, 1e-6), 0);
        assert_eq!(
            select_frame(&[0.0, 2e-9, 1e-9, 0.0, 3e-9], &[0, 0, 30, 60, 90], 1e-6),
            3
        );
        // pieces that fly away later
        assert_eq!(
            select_frame(&[5.0, 1.0, 2.0, 4.0, 4.0], &[0, 40, 60, 60, 60], 1e-6),
            3
        );
        assert_eq!(select_frame(&[], &[], 1e-6), 0);
    }
}
