//! Parameters of the lattice method; `None` always means automatic.

use std::sync::Arc;

use pliant_core::material::Damping;
use pliant_core::scene::BoneDescription;
pub use pliant_core::scene::{LatticeSums as Sums, RotationMethod, ShapeMatching};

use crate::bake::masses::Masses;
use crate::fracture::limits::Fracture;

/// How exactly sums and rotations are computed. Positions and velocities are double in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Single precision in vector instructions: goals are exact to about a millionth of a cell.
    Single,
    /// Double precision: the reference.
    Double,
}

/// Parameters of the lattice method.
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeParams {
    /// Half-width `w` of a region in link steps, 1 to 16. `None`: the smallest up to 6 that needs no more than 64 steps a frame; small regions deform most locally under contact.
    pub half_width: Option<usize>,
    /// Share `α` of the way to the goal that a step goes, 0 < α ≤ 1. `None`: from Young's modulus.
    pub alpha: Option<f64>,
    /// Steps a frame. `None`: the fewest that reach Young's modulus, at most 64.
    pub steps: Option<u32>,
    /// Length of a frame for which `steps` counts, s.
    pub frame_duration: f64,
    /// Damping instead of the material's.
    pub damping: Option<Damping>,
    /// Whether whole pieces are damped instead of regions, with the requested ratio for the slowest motion of a piece.
    pub damp_globally: bool,
    /// Steps from one damping to the next, at least 1; each damps as much as damping in all of these steps would. Beyond 1 it acts on velocities halfway through the pull, which is
    /// stable for any number, but makes the force on a tool at rest depend on the damping.
    pub damp_every: u32,
    /// How sums are computed. `None`: bar-plate-cube, or running sums for w ≥ 3 where nearly all regions are boxes.
    pub sums: Option<Sums>,
    /// How exactly sums and rotations are computed. `None`: single for bodies of more than 4,000 particles, unless [`LatticeParams::sums`] is given,
    /// which only double precision has. Machines without vector instructions always compute in double precision.
    pub precision: Option<Precision>,
    /// Whether energies are accounted for, which takes double precision once a frame and more than twice the memory. `None`: up to 250,000 particles. Bodies that can
    /// break, are damped as wholes or are computed in double precision have energy accounting in any case.
    pub energy_accounting: Option<bool>,
    /// How mass is spread over the particles.
    pub masses: Masses,
    /// Stiffness of each vertex of the skin over that of the material; a region has the stiffness of the vertex nearest to its particle. `None`: 1
    /// everywhere.
    pub stiffness: Option<Arc<[f64]>>,
    /// Whether the stiffness of regions is fitted, in a supported body, so that its compliance under distributed loads is that of finite elements. [`crate::bake()`] needs tetrahedra for it.
    pub fit: bool,
    /// Whether regions with the same particles count once, as in the authors' program, instead of once for each particle. Such a body cannot break.
    pub regions_once: bool,
    /// How rotations of regions are found.
    pub rotation: RotationMethod,
    /// When links break. `None`: never.
    pub fracture: Option<Fracture>,
    /// What is matched: regions of the lattice, or the whole body.
    pub matching: ShapeMatching,
    /// Whether steps in single precision compute each part separately: the reference for steps in two passes.
    pub plain_steps: bool,
    /// Shapes whose particles move as rigid pieces, at rest in world coordinates; a particle in several bones belongs to the first.
    pub bones: Vec<BoneDescription>,
}

impl Default for LatticeParams {
    fn default() -> Self {
        Self {
            half_width: None,
            alpha: None,
            steps: None,
            frame_duration: 1.0 / 60.0,
            damping: None,
            damp_globally: false,
            damp_every: 1,
            sums: None,
            precision: None,
            energy_accounting: None,
            masses: Masses::Volume,
            stiffness: None,
            fit: true,
            regions_once: false,
            rotation: RotationMethod::Newton,
            fracture: None,
            matching: ShapeMatching::Lattice,
            plain_steps: false,
            bones: Vec::new(),
        }
    }
}

impl LatticeParams {
    /// Defaults with a given half-width.
    pub fn with_half_width(half_width: usize) -> Self {
        Self {
            half_width: Some(half_width),
            ..Self::default()
        }
    }
}
