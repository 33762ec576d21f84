//! The scene whose skin is checked, and its motion.

use std::ffi::OsString;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding};
use pliant_core::scene::Method;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::{Setup, prepare};
use pliant_simulation::world::{Interaction, PointerGrab, World};

/// Frames in which a part of the skin is pulled away.
const PULL_FRAMES: usize = 20;
/// How far it is pulled, in diagonals of a body.
const PULL: Vec3 = Vec3::new(0.2, 0.25, -0.1);

/// The scene that is checked.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// A scene file, the name of a bundled scene, or a mesh file.
    pub source: OsString,
    /// How to read a mesh.
    pub import: ImportOptions,
    /// Where baked assets are kept.
    pub cache: AssetCache,
}

/// The scene in motion.
pub(super) struct Stage {
    pub(super) setup: Arc<Setup>,
    pub(super) method: Method,
    pub(super) world: World,
    pub(super) binding: Arc<SkinBinding>,
    pub(super) points: ControlPoints,
    pub(super) diagonal: f64,
}

/// The first method of the scene whose skin a graphics card can compute, from the quickest to bake.
pub(super) fn open(options: &CheckOptions) -> Result<Stage, String> {
    let progress = Progress::new();
    let scene = load(&options.source, &options.import).map_err(|e| e.to_string())?;
    let setup = Arc::new(prepare(&scene, &progress).map_err(|e| e.to_string())?);
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
                method,
                world,
            };
            stage.read_points()?;
            return Ok(stage);
        }
    }
    Err("no method of this scene has a skin that a graphics card can compute\n  remedy: add \"lattice\" to its `methods`".to_string())
}

impl Stage {
    /// One frame.
    pub(super) fn step(&mut self, hand: Interaction) -> Result<(), String> {
        self.world.step_frame(&hand).map_err(|e| e.to_string())?;
        self.read_points()
    }

    fn read_points(&mut self) -> Result<(), String> {
        self.world.write_control_points(&mut self.points);
        if self.points.offsets.is_empty() {
            return Err("the body is broken: a cut skin is computed by the processor\n  remedy: check a scene without `lattice.toughness`".to_string());
        }
        Ok(())
    }
}

/// Grabs the skin near its highest vertex and pulls.
pub(super) fn pull(stage: &mut Stage) -> Result<(), String> {
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
                own_displacements: Vec::new(),
            }),
            ..Interaction::default()
        })?;
    }
    Ok(())
}
