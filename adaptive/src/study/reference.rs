//! The frequencies of a block of the oscillation study on an infinitely fine mesh, and the stiffness with which a coarse mesh has these frequencies.

use pliant_core::asset::Progress;
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::bake::calibration::{Target, modes_of, prolongate};
use crate::bake::{AdaptiveBakeError, bake_single};
use crate::hierarchy::{Level, link};
use crate::study::mesh::{cells_for, wall_nodes};

/// Nodes of the grid that the two finer meshes of a reference divide.
const BASE_NODES: usize = 64;
/// Cells of the finer meshes for each cell of that grid, along each axis.
const DIVISIONS: [usize; 2] = [2, 4];
/// Order with which the squared frequencies of linear tetrahedra converge at a held face: between 2 (smooth) and twice the exponent of the singular edge, about 1.4.
/// Fitted to the cube from 512 to 10,648 nodes: 1.57 for the period.
const ORDER: f64 = 1.5;
/// Modes compared: enough for the lowest bending along gravity of any block to be among them.
const MODES: usize = 6;
/// The block swings along gravity.
const DIRECTION: Vec3 = Vec3::new(0.0, -1.0, 0.0);

/// The six lowest modes of a block held at its smallest x: extrapolated over two meshes of equal cells (Richardson), shapes from the finer one.
#[derive(Debug, Clone)]
pub struct BlockReference {
    size: Vec3,
    material: Material,
    level: Level,
    squares: Vec<f64>,
    shapes: Vec<Vec<Vec3>>,
}

impl BlockReference {
    /// Meshes the box of `size` (m) with about 340 and 2,200 nodes. Cost: about a second.
    ///
    /// # Errors
    /// A material that cannot be simulated, or the owner cancelled.
    pub fn new(
        size: Vec3,
        material: &Material,
        progress: &Progress,
    ) -> Result<Self, AdaptiveBakeError> {
        let base = cells_for(size, BASE_NODES);
        let [coarse, fine] =
            DIVISIONS.map(|d| box_tets(size, base.map(|c| c * d), CellStyle::Alternating));
        let coarse = held_level(coarse, size, material, progress)?;
        let level = held_level(fine, size, material, progress)?;
        let first = modes_of(&coarse, material, MODES, false, Vec::new(), progress)?
            .ok_or(AdaptiveBakeError::NoLevels)?;
        let up = link(&level.mesh, &coarse.mesh, progress)?.up;
        let prolongated = prolongate(&up, &first.shapes);
        let second = modes_of(
            &level,
            material,
            MODES,
            false,
            prolongated.clone(),
            progress,
        )?
        .ok_or(AdaptiveBakeError::NoLevels)?;
        let target = Target {
            level: &level,
            squares: &second.squares[..MODES],
            shapes: &second.shapes[..MODES],
            direction: Some(DIRECTION),
        };
        let ratio = DIVISIONS[1] as f64 / DIVISIONS[0] as f64;
        let share = 1.0 / (ratio.powf(ORDER) - 1.0);
        let squares = target
            .squares
            .iter()
            .zip(target.matched(&first.squares, &prolongated))
            .map(|(fine, coarse)| fine - coarse.map_or(0.0, |coarse| (coarse - fine) * share))
            .collect();
        Ok(Self {
            size,
            material: *material,
            squares,
            shapes: second.shapes[..MODES].to_vec(),
            level,
        })
    }

    /// Extrapolated frequencies of the six lowest modes, 1/s.
    pub fn frequencies(&self) -> Vec<f64> {
        self.squares
            .iter()
            .map(|square| square.sqrt() / (2.0 * std::f64::consts::PI))
            .collect()
    }

    /// The factor on Young's modulus with which `mesh`, another mesh of the same box, swings along y like the reference; 1 where its modes cannot be matched.
    ///
    /// # Errors
    /// A mesh that cannot be simulated, or the owner cancelled.
    pub fn stiffness_factor(
        &self,
        mesh: &TetMesh,
        progress: &Progress,
    ) -> Result<f64, AdaptiveBakeError> {
        let coarse = held_level(mesh.clone(), self.size, &self.material, progress)?;
        let Some(modes) = modes_of(&coarse, &self.material, MODES, false, Vec::new(), progress)?
        else {
            return Ok(1.0);
        };
        let up = link(&self.level.mesh, &coarse.mesh, progress)?.up;
        let prolongated = prolongate(&up, &modes.shapes);
        let target = Target {
            level: &self.level,
            squares: &self.squares,
            shapes: &self.shapes,
            direction: Some(DIRECTION),
        };
        Ok(target
            .factor(&modes.squares, &prolongated)
            .map_or(1.0, |(factor, _)| factor))
    }
}

/// A level of one mesh, held at the wall.
fn held_level(
    mesh: TetMesh,
    size: Vec3,
    material: &Material,
    progress: &Progress,
) -> Result<Level, AdaptiveBakeError> {
    let undamped = Material {
        damping: Damping::Ratio(0.0),
        ..*material
    };
    let wall = wall_nodes(&mesh, size);
    let asset = bake_single(mesh, undamped, &wall, progress)?;
    asset
        .levels
        .into_iter()
        .next()
        .ok_or(AdaptiveBakeError::NoLevels)
}
