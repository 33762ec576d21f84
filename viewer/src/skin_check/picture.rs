//! Pictures of one skin, computed by each choice in turn.

// Waits for the device with a call into the driver.
#![allow(unsafe_code)]

use std::sync::Arc;

use eframe::glow::{self, HasContext as _};
use pliant_core::math::quantile;
use pliant_render::OrbitCamera;
use pliant_render::picture::Backdrop;
use pliant_simulation::snapshot::{PaneSnapshot, PaneState};
use serde::Serialize;
use web_time::Instant;

use super::stage::Stage;
use crate::gl::pane::PaneContent;
use crate::gl::renderer::SharedRenderer;
use crate::scene::{SceneView, SkinOcclusion, aim};
use crate::skin::SkinChoice;
use crate::staging::{PaneSkin, WholeSkin};

/// Largest share of pixels that differ from the processor's picture: outlines, where a vertex falls into the next pixel.
pub const PICTURE_TOLERANCE: f64 = 1e-4;
/// Largest difference of a colour (code values) that is not visible.
const VISIBLE_DIFFERENCE: u8 = 12;
/// Pictures for the median of a duration.
const REPEATS: usize = 9;
/// Size of these pictures, pixels.
const SIZE: [i32; 2] = [960, 720];

/// The picture of one choice; durations are medians.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// How the skin was computed: [`SkinChoice::name`].
    #[serde(rename = "way")]
    pub skin_choice: &'static str,
    /// Bytes uploaded per frame.
    pub bytes: usize,
    /// Preparing them on the processor, ms.
    pub prepare_ms: f64,
    /// Uploading them and drawing with shadows, ms.
    pub draw_ms: f64,
    /// Share of pixels whose colour visibly differs from the processor's picture, with edges drawn.
    pub differs: f64,
    /// Whether that is within [`PICTURE_TOLERANCE`].
    pub pass: bool,
}

/// A picture by each choice but colours.
pub(super) fn all(
    gl: &glow::Context,
    renderer: &SharedRenderer,
    stage: &Stage,
) -> Result<Vec<Picture>, String> {
    let choices = [
        SkinChoice::Processor,
        SkinChoice::Texture,
        SkinChoice::Batches,
    ];
    let mut first: Option<Vec<u8>> = None;
    let mut pictures = Vec::new();
    for choice in choices {
        let (mut picture, pixels) = draw(gl, renderer, stage, choice)?;
        picture.differs = differing_share(first.get_or_insert_with(|| pixels.clone()), &pixels);
        picture.pass = picture.differs <= PICTURE_TOLERANCE;
        pictures.push(picture);
    }
    Ok(pictures)
}

fn draw(
    gl: &glow::Context,
    renderer: &SharedRenderer,
    stage: &Stage,
    choice: SkinChoice,
) -> Result<(Picture, Vec<u8>), String> {
    let view = SceneView::new(&stage.setup);
    let mut pane = PaneSnapshot::waiting(stage.method);
    pane.state = PaneState::Ready;
    pane.frame.clone_from(stage.world.frame());
    pane.binding = Some(Arc::clone(&stage.binding));
    pane.control_points.clone_from(&stage.points);
    let mut camera = OrbitCamera::default();
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    aim(&mut camera, &stage.setup, aspect);
    let mut content = PaneContent {
        camera,
        backdrop: Backdrop::DARK,
        wireframe: false,
        region: view.region,
        cell: view.cell,
        tools: Vec::new(),
        samples: 1,
        overlay: None,
        occlusion: 0.0,
    };
    let mut renderer = renderer.lock();
    renderer.set_scene(view.skin.triangles.clone(), Vec::new());
    renderer.upload_scene(gl).map_err(|e| e.to_string())?;
    let mut skin = PaneSkin::default();
    let full_skin = WholeSkin {
        surface: stage.setup.skin(),
        creased: &view.skin,
        occlusion: &SkinOcclusion::default(),
    };
    let (mut prepare, mut draw, mut bytes) = (Vec::new(), Vec::new(), 0);
    for round in 0..=REPEATS {
        let started = Instant::now();
        if let Some(out) = renderer.stage(0) {
            skin.stage(&pane, full_skin, choice, &|_| [0.6, 0.5, 0.4], out);
            bytes = out.vertices.as_ref().map_or(0, |v| 28 * v.len())
                + out.points.as_ref().map_or(0, |p| 4 * p.numbers.len())
                + out.colors.as_ref().map_or(0, |c| 4 * c.len());
        }
        let staged = Instant::now();
        let drawn = renderer.draw_pane(gl, 0, &content, SIZE);
        drawn.map_err(|e| e.to_string())?;
        // SAFETY: waits for the commands of this context
        unsafe { gl.finish() };
        // the first round compiles shaders and uploads constant data
        if round > 0 {
            prepare.push((staged - started).as_secs_f64() * 1e3);
            draw.push(staged.elapsed().as_secs_f64() * 1e3);
        }
    }
    content.wireframe = true;
    let drawn = renderer.draw_pane(gl, 0, &content, SIZE);
    drawn.map_err(|e| e.to_string())?;
    let pixels = renderer.pixels(gl, 0).unwrap_or_default();
    // SAFETY: asks this context
    let fault = unsafe { gl.get_error() };
    match renderer.refused() {
        Some(reason) => Err(reason.to_string()),
        None if fault != glow::NO_ERROR => Err(format!("OpenGL error {fault:#x} while drawing")),
        None => Ok((
            Picture {
                skin_choice: choice.name(),
                bytes,
                prepare_ms: median(&mut prepare),
                draw_ms: median(&mut draw),
                differs: 0.0,
                pass: false,
            },
            pixels,
        )),
    }
}

/// Share of pixels (four bytes each) that visibly differ; 1 for pictures without pixels or of different sizes.
fn differing_share(a: &[u8], b: &[u8]) -> f64 {
    if a.is_empty() || a.len() != b.len() {
        return 1.0;
    }
    let pixels = a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0);
    let different = pixels
        .filter(|(p, q)| {
            p.iter()
                .zip(*q)
                .any(|(x, y)| x.abs_diff(*y) > VISIBLE_DIFFERENCE)
        })
        .count();
    different as f64 / (a.len() / 4) as f64
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(values, 0.5).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_differs_when_one_of_its_colours_does() {
        let grey = [100_u8; 16];
        let mut other = grey;
        assert_eq!(differing_share(&grey, &other), 0.0);
        other[6] += VISIBLE_DIFFERENCE;
        assert_eq!(differing_share(&grey, &other), 0.0);
        other[6] += 1;
        assert_eq!(differing_share(&grey, &other), 0.25);
        assert_eq!(differing_share(&grey, &[]), 1.0, "no picture");
    }
}
