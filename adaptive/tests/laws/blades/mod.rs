//! Bodies that blades cut.

mod between_pieces;
mod handover;
mod motion;
mod pieces;
pub mod random;
mod skin;
mod sleeping;
mod slit;
mod state;
mod subcycling;
mod touching;

use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice, LodHierarchy};
use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::contact::cutting::{BladeEdge, BladeSweep};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;

pub use crate::bodies::frames;
use crate::bodies::{With, baked, baked_block, block, cube_material, frame, model, vertices};

/// Sides of the block, m.
pub const SIZE: Vec3 = Vec3::new(0.4, 0.2, 0.2);

/// An undamped block.
pub fn block_asset(cells: [usize; 3], support: Option<Selection>) -> Arc<LodHierarchy> {
    baked_block(SIZE, &[cells], 0.0, support)
}

/// A damped block of cells of 0.05 m that can be cut.
pub fn damped_block(zeta: f64, support: Option<Selection>) -> AdaptiveModel {
    damped(&baked_block(SIZE, &[[8, 4, 4]], zeta, support))
}

/// Cells of a box of 0.3 m that lie in a ball, with the skin of their boundary.
pub fn ball_asset(cells: usize) -> Arc<LodHierarchy> {
    let mut mesh = box_tets(Vec3::repeat(0.3), [cells; 3], CellStyle::Alternating);
    mesh.tets.retain(|t| {
        let middle = t.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vec3>() / 4.0;
        middle.norm() < 0.15
    });
    let (mesh, _) = TetMesh::with_used_nodes(&mesh.nodes, mesh.tets);
    baked(&body_of(mesh, cube_material(0.0), None))
}

/// A body of one mesh with the skin of its boundary.
pub fn body_of(mesh: TetMesh, material: Material, support: Option<Selection>) -> BodyGeometry {
    let geometry = block(Vec3::repeat(1.0), &[[1, 1, 1]], material, None);
    let skin = Arc::new(mesh.boundary().surface);
    let region = |s| pliant_core::asset::SupportRegion::new("foot", s, &skin);
    BodyGeometry {
        supports: support.map(region).into_iter().collect(),
        levels: vec![Arc::new(mesh)],
        skin,
        ..geometry
    }
}

/// A model that can be cut.
pub fn cuttable(asset: &Arc<LodHierarchy>) -> AdaptiveModel {
    let params = AdaptiveParams::default()
        .with(|p| p.level = LevelChoice::Index(0))
        .with(|p| p.blades = true);
    model(asset, params)
}

/// A strongly damped model that can be cut.
pub fn damped(asset: &Arc<LodHierarchy>) -> AdaptiveModel {
    let params = AdaptiveParams {
        level: LevelChoice::Index(0),
        damping_rule: DampingRule::Rayleigh,
        blades: true,
        ..AdaptiveParams::default()
    };
    model(asset, params)
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

/// Whether each node belongs to the piece of the first node for whose rest position `is_one` is true.
pub fn in_piece_of(model: &AdaptiveModel, is_one: impl Fn(&Vec3) -> bool) -> Vec<bool> {
    let (pieces, _) = model.moving_level().components();
    let nodes = &model.asset().levels[0].mesh.nodes;
    let first = nodes.iter().position(is_one).expect("a node");
    pieces.iter().map(|p| *p == pieces[first]).collect()
}

/// A force (N), distributed evenly over the skin vertices for whose rest position `is_one` is true.
pub fn pulled(
    model: &AdaptiveModel,
    force: Vec3,
    is_one: impl Fn(&Vec3) -> bool,
) -> BoundaryConditions {
    let end = vertices(&model.asset().skin, is_one);
    let force = force / end.len() as f64;
    let mut boundary = BoundaryConditions::default();
    boundary.set_loads(end.into_iter().map(|vertex| NodalLoad { vertex, force }));
    boundary
}

/// Computes a frame in which these sweeps cut. Returns the number of edges that they cut.
pub fn cut(model: &mut AdaptiveModel, sweeps: &[BladeSweep]) -> usize {
    let before = model.cut_edges().len();
    model.set_blades(sweeps).expect("it can be cut");
    frame(model, &BoundaryConditions::default());
    model.cut_edges().len() - before
}

pub fn pieces(model: &AdaptiveModel) -> usize {
    model.pieces().expect("it can be cut")
}

/// Pseudo-random numbers between −1 and 1 (xorshift64).
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.number())
    }

    /// A sweep through a body of the size `reach` (m).
    pub fn sweep(&mut self, reach: f64) -> BladeSweep {
        let middle = self.vector() * (0.5 * reach);
        let along = self.vector().normalize() * reach;
        let way = self.vector() * reach;
        sweep(
            [middle - along - way, middle + along - way],
            [middle - along + way, middle + along + way * 0.7],
            -way,
        )
    }
}
