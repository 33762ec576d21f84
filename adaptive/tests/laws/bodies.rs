//! Small bodies for the tests, and blades that cut them.

use std::sync::Arc;

use pliant_adaptive::force::ElementConstants;
use pliant_adaptive::{
    AdaptiveModel, AdaptiveParams, DampingRule, ElementModel, LevelChoice, LodHierarchy,
};
use pliant_contact::GroupOptions;
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::contact::cutting::{BladeEdge, BladeSweep};
use pliant_core::inspect::Inspect;
use pliant_core::material::{Damping, LameParameters, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, TetMesh};
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest};
use pliant_core::scene::Selection;
pub use pliant_fuzzing::on_threads;

/// Parameters that can be changed in an expression.
pub trait With: Sized {
    /// With this change.
    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl With for AdaptiveParams {}
impl With for ElementConstants {}
impl With for GroupOptions {}

/// A frame of the tests, s.
pub const FRAME: f64 = 1.0 / 60.0;
/// Gravity of the earth, m/s².
pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
/// Sides of a block that are all different, m.
pub const SIDES: Vec3 = Vec3::new(1.0, 0.8, 1.2);

/// The material of the oscillating cube: λ = 5e5 Pa, μ = 4e5 Pa, 1000 kg/m³.
pub fn cube_material(zeta: f64) -> Material {
    Material {
        elastic: LameParameters {
            lambda: 5e5,
            mu: 4e5,
        }
        .into(),
        density: 1000.0,
        damping: Damping::Ratio(zeta),
        law: MaterialLaw::Green,
    }
}

/// Period of the converged reference of a cube of 1 m of [`cube_material`] that swings with its left face held, s.
pub const CUBE_PERIOD: f64 = 0.295435;

/// A box with levels of the given cells, held where `support` says.
pub fn block(
    size: Vec3,
    levels: &[[usize; 3]],
    material: Material,
    support: Option<Selection>,
) -> BodyGeometry {
    let tets = |&cells| box_tets(size, cells, CellStyle::Alternating);
    body_of(levels.iter().map(tets), material, support)
}

/// A body of these levels in the skin of the finest, held where `support` says.
pub fn body_of(
    levels: impl IntoIterator<Item = TetMesh>,
    material: Material,
    support: Option<Selection>,
) -> BodyGeometry {
    let body = BodyGeometry::of_levels(levels, material);
    match support {
        Some(support) => body.held_at("foot", support),
        None => body,
    }
}

/// A baked hierarchy.
pub fn baked(geometry: &BodyGeometry) -> Arc<LodHierarchy> {
    Arc::new(LodHierarchy::bake(geometry, &Progress::new()).expect("bakes"))
}

/// A baked box of [`cube_material`].
pub fn baked_block(
    size: Vec3,
    levels: &[[usize; 3]],
    zeta: f64,
    support: Option<Selection>,
) -> Arc<LodHierarchy> {
    baked(&block(size, levels, cube_material(zeta), support))
}

/// A model with these parameters.
pub fn model(asset: &Arc<LodHierarchy>, params: AdaptiveParams) -> AdaptiveModel {
    AdaptiveModel::new(asset.clone(), params).expect("fits")
}

/// Parameters of a body on its coarsest level with Rayleigh damping.
pub fn rayleigh() -> AdaptiveParams {
    AdaptiveParams {
        level: LevelChoice::Index(0),
        damping_rule: DampingRule::Rayleigh,
        ..AdaptiveParams::default()
    }
}

/// A model of level `level` under an element model.
pub fn body(asset: &Arc<LodHierarchy>, level: usize, element: ElementModel) -> AdaptiveModel {
    let params = AdaptiveParams::default()
        .with(|p| p.model = Some(element))
        .with(|p| p.level = LevelChoice::Index(level));
    model(asset, params)
}

/// The half-space left of `x` (m).
pub fn left_of(x: f64) -> Selection {
    Selection::HalfSpace {
        point: [x, 0.0, 0.0],
        normal: [-1.0, 0.0, 0.0],
    }
}

/// The half-space below `y` (m).
pub fn below(y: f64) -> Selection {
    Selection::HalfSpace {
        point: [0.0, y, 0.0],
        normal: [0.0, -1.0, 0.0],
    }
}

/// Vertices of the skin for whose rest position `is_one` is true.
pub fn vertices(skin: &SurfaceMesh, is_one: impl Fn(&Vec3) -> bool) -> Vec<u32> {
    let all = (0..).zip(&skin.positions);
    all.filter(|&(_, x)| is_one(x)).map(|(v, _)| v).collect()
}

/// The vertex of the skin that is nearest to `place` (m) at rest.
pub fn nearest(skin: &SurfaceMesh, place: Vec3) -> u32 {
    let distance = |&v: &u32| (skin.positions[v as usize] - place).norm();
    (0..skin.vertex_count() as u32)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .expect("a vertex")
}

/// Boundary conditions with only these constraints.
pub fn constrained(
    constraints: impl IntoIterator<Item = DisplacementConstraint>,
) -> BoundaryConditions {
    let mut boundary = BoundaryConditions::default();
    boundary.set_displacements(constraints).expect("valid");
    boundary
}

/// Boundary conditions with only gravity.
pub fn weight() -> BoundaryConditions {
    BoundaryConditions::with_gravity(GRAVITY)
}

/// Gravity and these constraints.
pub fn with_weight(
    constraints: impl IntoIterator<Item = DisplacementConstraint>,
) -> BoundaryConditions {
    let mut boundary = weight();
    boundary.set_displacements(constraints).expect("valid");
    boundary
}

/// The sweep between two positions of an edge.
pub fn sweep(begin: [Vec3; 2], end: [Vec3; 2], back: Vec3) -> BladeSweep {
    BladeSweep::new(BladeEdge::new(begin, back), BladeEdge::new(end, back))
}

/// The sweep of an edge along z that goes down through x from height `top` to `bottom`.
pub fn sweep_down(x: f64, top: f64, bottom: f64) -> BladeSweep {
    let edge = |y: f64| [Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)];
    sweep(edge(top), edge(bottom), Vec3::y())
}

/// The horizontal sweep of an edge along z at height `y` from one x to another.
pub fn sweep_across(y: f64, from: f64, to: f64) -> BladeSweep {
    let edge = |x: f64| [Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0)];
    sweep(edge(from), edge(to), Vec3::x() * (from - to).signum())
}

/// One frame.
pub fn frame(body: &mut AdaptiveModel, boundary: &BoundaryConditions) -> FrameReport {
    body.advance(FrameRequest::new(FRAME, boundary))
        .expect("advances")
}

/// Computes `count` frames.
pub fn frames(body: &mut AdaptiveModel, boundary: &BoundaryConditions, count: usize) {
    for _ in 0..count {
        frame(body, boundary);
    }
}

/// The displayed skin.
pub fn shown(body: &impl DeformableModel) -> SurfaceFrame {
    let mut skin = SurfaceFrame::default();
    body.write_surface(&mut skin);
    skin
}

/// State and skin, as bits.
pub fn bits(body: &AdaptiveModel) -> (Vec<u64>, Vec<u32>) {
    let state = body.snapshot().values.into_iter();
    let skin = shown(body).positions.into_iter().flatten();
    let skin = skin.map(f32::to_bits);
    (state.map(f64::to_bits).collect(), skin.collect())
}

/// Largest displacement of a skin vertex, m.
pub fn max_displacement(body: &impl DeformableModel) -> f64 {
    let (skin, rest) = (shown(body), &body.surface().positions);
    let displacement = |v: usize| (skin.position(v) - rest[v]).norm();
    (0..rest.len()).map(displacement).fold(0.0, f64::max)
}

/// Mass of the nodes that move or are held, kg.
pub fn mass(model: &AdaptiveModel) -> f64 {
    match model.cut() {
        Some(cut) => {
            let active = cut.operators().active().iter();
            active.map(|&n| cut.masses()[n as usize]).sum()
        }
        None => model.moving_level().masses.iter().sum(),
    }
}

/// Momentum and angular momentum about the origin of the body.
pub fn momenta(model: &AdaptiveModel) -> (Vec3, Vec3) {
    let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
    let mut add = |x: &Vec3, v: &Vec3, m: f64| {
        linear += v * m;
        angular += x.cross(v) * m;
    };
    if let Some(cut) = model.cut() {
        for &n in cut.operators().active() {
            let k = n as usize;
            add(&cut.positions()[k], &cut.velocities()[k], cut.masses()[k]);
        }
    } else {
        let masses = &model.moving_level().masses;
        let nodes = model.level_positions().iter().zip(model.level_velocities());
        for ((x, v), m) in nodes.zip(masses) {
            add(x, v, *m);
        }
    }
    (linear, angular)
}

/// Kinetic energy of the velocities of a level, J.
pub fn kinetic_energy(model: &AdaptiveModel) -> f64 {
    let masses = &model.moving_level().masses;
    let nodes = model.level_velocities().iter().zip(masses);
    nodes.map(|(v, m)| 0.5 * m * v.norm_squared()).sum()
}

/// A counter of the last frame.
pub fn counter(of: &impl Inspect, name: &str) -> f64 {
    let counters = of.stats().counters;
    counters.iter().find(|c| c.0 == name).expect("counted").1
}

/// Largest norm of some forces, N.
pub fn max_norm(forces: &[Vec3]) -> f64 {
    forces.iter().map(|f| f.norm()).fold(0.0, f64::max)
}

/// A smooth deformation that bends, twists and stretches by some per cent.
pub fn bent(x: &Vec3) -> Vec3 {
    Vec3::new(
        x.x * 1.05 + 0.08 * (2.0 * x.y).sin(),
        x.y * 0.94 + 0.05 * x.x * x.z,
        x.z + 0.06 * (1.5 * x.x + 0.4).cos(),
    )
}
