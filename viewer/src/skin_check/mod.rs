//! Whether this machine's graphics driver bends skins as the processor does, with figures.

mod picture;

use std::ffi::OsString;
use std::sync::Arc;

use eframe::glow;
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding};
use pliant_core::scene::Method;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::{Setup, prepare};
use pliant_simulation::world::{Interaction, PointerGrab, World};
use serde::Serialize;

use crate::gl::feedback;
use crate::gl::renderer::SharedRenderer;
use crate::gl::skinned_vertices::SkinnedVertices;
use crate::scene::SceneView;
use crate::skin::difference::Difference;
use crate::skin::{PointUpload, PreparedSkin, SkinChoice};

pub use picture::{PICTURE_TOLERANCE, Picture};

/// Frames of the scene's own script before the first comparison in motion.
const SCRIPT_FRAMES: usize = 60;
/// Frames in which a part of the skin is pulled away.
const PULL_FRAMES: usize = 20;
/// How far it is pulled, in diagonals of a body.
const PULL: Vec3 = Vec3::new(0.2, 0.25, -0.1);

/// What is checked.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// A scene file, the name of a bundled scene, or a mesh file.
    pub source: OsString,
    /// How to read a mesh.
    pub import: ImportOptions,
    /// Where baked assets are kept.
    pub cache: AssetCache,
}

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
    /// Who computed it: [`SkinChoice::name`].
    pub way: &'static str,
    /// The driver's skin against the processor's.
    pub processor: Difference,
    /// The driver's skin, with its sharp edges, against the shader's operations on the processor.
    pub emulation: Difference,
    /// Largest distance of a vertex from its place at rest, in diagonals of a body.
    pub moved: f64,
    /// Whether both are within tolerance.
    pub pass: bool,
}

/// The scene in motion.
struct Stage {
    setup: Arc<Setup>,
    world: World,
    binding: Arc<SkinBinding>,
    points: ControlPoints,
    diagonal: f64,
}

/// Runs the check in a context that is there.
///
/// # Errors
/// A line on what is wrong with scene or driver.
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
    let report = SkinReport {
        renderer: renderer.lock().name().to_string(),
        method: stage.world.method().name(),
        bodies: stage.setup.body_count(),
        vertices: skin.vertex_count(),
        triangles: skin.triangles.len(),
        control_points: texture.control_count(),
        batches: batched.batches().map_or(0, |b| b.batches.len()),
        batch_points: batched.batches().map_or(0, |b| b.most_points()),
        pass: states.iter().all(|s| s.pass) && pictures.iter().all(|p| p.pass),
        states,
        pictures,
    };
    renderer.lock().delete(gl);
    Ok(report)
}

fn open(options: &CheckOptions) -> Result<Stage, String> {
    let progress = Progress::new();
    let scene = load(&options.source, &options.import).map_err(|e| e.to_string())?;
    let setup = Arc::new(prepare(&scene, &progress).map_err(|e| e.to_string())?);
    // the quickest to bake first
    for method in Method::ALL.into_iter().rev() {
        if !setup.description.methods.contains(&method) {
            continue;
        }
        let built = build_method(&setup, method, &options.cache, &progress);
        let Ok(built) = built else { continue };
        if let Some(binding) = built.model.skin_binding() {
            let world = World::new(method, built.model, Arc::clone(&setup));
            let mut stage = Stage {
                diagonal: setup.geometry.skin.bounds().diagonal(),
                binding: Arc::new(binding),
                points: ControlPoints::default(),
                setup,
                world,
            };
            stage.read_points()?;
            return Ok(stage);
        }
    }
    Err("no method of this scene has a skin that a graphics card can bend\n  remedy: add \"lattice\" to its `methods`".to_string())
}

impl Stage {
    fn step(&mut self, hand: Interaction) -> Result<(), String> {
        self.world.step_frame(&hand).map_err(|e| e.to_string())?;
        self.read_points()
    }

    fn read_points(&mut self) -> Result<(), String> {
        self.world.write_control_points(&mut self.points);
        if self.points.offsets.is_empty() {
            return Err("the body is broken: a cut skin is bent by the processor\n  remedy: check a scene without `lattice.toughness`".to_string());
        }
        Ok(())
    }
}

/// Takes the skin near its highest vertex and pulls.
fn pull(stage: &mut Stage) -> Result<(), String> {
    let frame = stage.world.frame();
    let height = |v: &usize| frame.position(*v).y;
    let count = frame.positions.len();
    let Some(top) = (0..count).max_by(|a, b| height(a).total_cmp(&height(b))) else {
        return Ok(());
    };
    let near = |v: &u32| {
        let far = frame.position(*v as usize) - frame.position(top);
        far.norm() < 0.12 * stage.diagonal
    };
    let vertices: Vec<u32> = (0..count as u32).filter(near).collect();
    let rest = &stage.setup.skin().positions;
    let mean: Vec3 = vertices
        .iter()
        .map(|&v| frame.position(v as usize) - rest[v as usize])
        .sum();
    let start = mean / vertices.len().max(1) as f64;
    for k in 1..=PULL_FRAMES {
        let share = k as f64 / PULL_FRAMES as f64;
        stage.step(Interaction {
            grab: Some(PointerGrab {
                vertices: vertices.clone(),
                displacement: start + PULL * (share * stage.diagonal),
            }),
            ..Interaction::default()
        })?;
    }
    Ok(())
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
            let own = PreparedSkin::uncreased(scene, &stage.binding, choice)
                .ok_or("the skin cannot be prepared for the graphics card")?;
            let (bent, _) = through_driver(gl, &own, &stage.points)?;
            let processor = Difference::between(&bent, own.source(), frame, stage.diagonal);
            let creased = skin_of(stage, choice)?;
            let (bent, upload) = through_driver(gl, &creased, &stage.points)?;
            let mut emulation = Difference::default();
            for (b, wanted) in bent.iter().zip(creased.all_skinned(&upload)) {
                emulation.add(b, &wanted, stage.diagonal);
            }
            Ok(StateComparison {
                state,
                way: choice.name(),
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
    let bent = feedback::skinned(gl, &device, count).map_err(|e| e.to_string());
    device.delete(gl);
    Ok((bent?, upload))
}
