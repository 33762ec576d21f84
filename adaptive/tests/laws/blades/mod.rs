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

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LevelChoice, LodHierarchy};
use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::contact::cutting::BladeSweep;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;

use crate::bodies::{
    With, baked, baked_block, body_of, cube_material, frame, model, rayleigh, vertices,
};
pub use crate::bodies::{frames, sweep, sweep_across, sweep_down};

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
    let whole = box_tets(Vec3::repeat(0.3), [cells; 3], CellStyle::Alternating);
    let ball = whole.part(|x| x.norm() < 0.15);
    baked(&body_of([ball], cube_material(0.0), None))
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
    model(asset, rayleigh().with(|p| p.blades = true))
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

/// A body after a blade has cut it into two pieces.
pub fn halved(mut body: AdaptiveModel, sweep: BladeSweep) -> AdaptiveModel {
    cut(&mut body, &[sweep]);
    assert_eq!(pieces(&body), 2);
    body
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
