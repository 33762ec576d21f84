//! Checks that this machine's graphics driver computes skins as the processor does, and measures the difference.

mod picture;
mod stage;

use eframe::glow;
use pliant_core::math::Vec3;
use pliant_core::mesh::ControlPoints;
use pliant_simulation::world::Interaction;
use serde::Serialize;

use crate::gl::feedback;
use crate::gl::renderer::SharedRenderer;
use crate::gl::skinned_vertices::SkinnedVertices;
use crate::scene::SceneView;
use crate::skin::difference::Difference;
use crate::skin::{PointUpload, PreparedSkin, SkinChoice};

pub use picture::{PICTURE_TOLERANCE, Picture};
pub use stage::CheckOptions;
use stage::{Stage, open, pull};

/// Frames of the scene's own script before the first comparison in motion.
const SCRIPT_FRAMES: usize = 60;
/// The outcome.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkinReport {
    /// The driver's name of the device.
    pub renderer: String,
    /// The method whose skin was checked.
    pub method: &'static str,
    /// Bodies.
    pub bodies: usize,
    /// Vertices of the skin.
    pub vertices: usize,
    /// Its triangles.
    pub triangles: usize,
    /// Control points that the skin needs.
    pub control_points: usize,
    /// Batches of triangles.
    pub batches: usize,
    /// Most control points of a batch.
    pub batch_points: usize,
    /// The comparisons.
    pub states: Vec<StateComparison>,
    /// A picture by each choice, pulled: what it costs, and how far it is from the processor's.
    pub pictures: Vec<Picture>,
    /// Whether all of them pass.
    pub pass: bool,
}

/// The skin of one choice in one state of the body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateComparison {
    /// The state of the body.
    pub state: &'static str,
    /// How the skin was computed: [`SkinChoice::name`].
    #[serde(rename = "way")]
    pub skin_choice: &'static str,
    /// The driver's skin against the processor's.
    pub processor: Difference,
    /// The driver's skin, with its sharp edges, against the shader's operations on the processor.
    pub emulation: Difference,
    /// Largest distance of a vertex from its place at rest, in diagonals of a body.
    pub moved: f64,
    /// Whether both are within tolerance.
    pub pass: bool,
}

/// Runs the check in an existing context.
///
/// # Errors
/// A line on the problem of the scene or driver.
pub fn run(gl: &glow::Context, options: &CheckOptions) -> Result<SkinReport, String> {
    let renderer = SharedRenderer::new(gl, 1).map_err(|e| e.to_string())?;
    let mut stage = open(options)?;
    let texture = skin_of(&stage, SkinChoice::Texture)?;
    let batched = skin_of(&stage, SkinChoice::Batches)?;
    let mut states = compare(gl, &stage, "rest")?;
    for _ in 0..SCRIPT_FRAMES {
        stage.step(Interaction::default())?;
    }
    states.extend(compare(gl, &stage, "moved")?);
    pull(&mut stage)?;
    states.extend(compare(gl, &stage, "pulled")?);
    let pictures = picture::all(gl, &renderer, &stage)?;
    let skin = stage.setup.skin();
    Ok(SkinReport {
        renderer: renderer.lock().name().to_string(),
        method: stage.method.name(),
        bodies: stage.setup.body_count(),
        vertices: skin.vertex_count(),
        triangles: skin.triangles.len(),
        control_points: texture.control_count(),
        batches: batched.batches().map_or(0, |b| b.batches.len()),
        batch_points: batched.batches().map_or(0, |b| b.max_points()),
        pass: states.iter().all(|s| s.pass) && pictures.iter().all(|p| p.pass),
        states,
        pictures,
    })
}

fn skin_of(stage: &Stage, choice: SkinChoice) -> Result<PreparedSkin, String> {
    let creased = SceneView::new(&stage.setup).skin;
    PreparedSkin::new(stage.setup.skin(), &creased, &stage.binding, choice)
        .ok_or_else(|| "the skin cannot be prepared for the graphics card".to_string())
}

fn compare(
    gl: &glow::Context,
    stage: &Stage,
    state: &'static str,
) -> Result<Vec<StateComparison>, String> {
    let scene = stage.setup.skin();
    let frame = stage.world.frame();
    let far = |(v, x): (usize, &Vec3)| (frame.position(v) - x).norm();
    let moved = scene.positions.iter().enumerate().map(far);
    let moved = moved.fold(0.0, f64::max) / stage.diagonal;
    let choices = [SkinChoice::Texture, SkinChoice::Batches];
    choices
        .into_iter()
        .map(|choice| {
            let uncreased = PreparedSkin::uncreased(scene, &stage.binding, choice)
                .ok_or("the skin cannot be prepared for the graphics card")?;
            let (skinned, _) = through_driver(gl, &uncreased, &stage.points)?;
            let processor =
                Difference::between(&skinned, uncreased.source(), frame, stage.diagonal);
            let creased = skin_of(stage, choice)?;
            let (skinned, upload) = through_driver(gl, &creased, &stage.points)?;
            let mut emulation = Difference::default();
            for (b, expected) in skinned.iter().zip(creased.all_skinned(&upload)) {
                emulation.add(b, &expected, stage.diagonal);
            }
            Ok(StateComparison {
                state,
                skin_choice: choice.name(),
                pass: processor.passes() && emulation.passes(),
                processor,
                emulation,
                moved,
            })
        })
        .collect()
}

fn through_driver(
    gl: &glow::Context,
    skin: &PreparedSkin,
    points: &ControlPoints,
) -> Result<(Vec<crate::skin::emulate::SkinnedVertex>, PointUpload), String> {
    let mut upload = PointUpload::default();
    skin.upload(points, &mut upload)
        .ok_or("control points are missing")?;
    let mut device = SkinnedVertices::new(gl, skin).map_err(|e| e.to_string())?;
    device.upload_points(gl, &upload);
    let count = skin.source().len();
    device.upload_colors(gl, &vec![[255; 4]; count]);
    let skinned = feedback::skinned(gl, &device, count).map_err(|e| e.to_string());
    device.delete(gl);
    Ok((skinned?, upload))
}
