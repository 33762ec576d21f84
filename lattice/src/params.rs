//! Parameters of the lattice method; `None` always means automatic.

use std::sync::Arc;

use pliant_core::material::Damping;
use pliant_core::scene::BoneDescription;

use crate::bake::masses::Masses;
use crate::fracture::limits::Fracture;

/// How sums over regions are computed. All give the same numbers up to round-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sums {
    /// Particle by particle: the reference, cubic in the half-width.
    Naive,
    /// Shared bars, plates and cubes (Rivers and James 2007, section 3.1, Eq. 3 and 4): linear in the half-width, any shape.
    BarPlateCube,
    /// Sliding sums along x, y and z (section 3.1, Eq. 5 to 7): independent of the half-width; particles whose region is not a box use shared bars, plates
    /// and cubes.
    Running,
}

/// How exactly sums and rotations are computed. Positions and velocities are double in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Single precision in vector instructions: goals are exact to about a millionth of a cell.
    Single,
    /// Double precision: the reference.
    Double,
}

/// How the rotation nearest to a region's moments is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RotationMethod {
    /// Newton's method on rotations, from the last step's rotation.
    #[default]
    Newton,
    /// Jacobi rotations from the last step's eigenvectors (Rivers and James 2007, sections 3.2 and 4); in double precision.
    JacobiWarm,
    /// Jacobi rotations from the identity.
    JacobiCold,
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

/// Which particles are matched together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ShapeMatching {
    /// Overlapping regions of the lattice: the method of this crate.
    #[default]
    Lattice,
    /// The whole body by one rigid motion.
    Rigid,
    /// The whole body by one linear map, mixed with its rotation by `beta` (0 rigid, 1 linear).
    Linear {
        /// Share of the linear map, 0 to 1.
        beta: f64,
    },
    /// The whole body by one quadratic map, mixed with its rotation by `beta`.
    Quadratic {
        /// Share of the quadratic map, 0 to 1.
        beta: f64,
    },
}
