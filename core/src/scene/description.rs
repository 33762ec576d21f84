//! A checked scene: names resolved, numbers in range, nothing that depends on the body's geometry yet.

use std::path::PathBuf;

use crate::boundary::Friction;
use crate::contact::ToolShape;
use crate::material::Material;
use crate::math::Vec3;
use crate::path::PosePath;
use crate::probe::ProbeQuantity;
use crate::scene::{BoneDescription, GivenMesh, LayoutDescription, Selection};

/// Share of the linear or quadratic map of a whole body, where none is given.
pub const DEFAULT_BETA: f64 = 0.8;

/// The three methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Explicit Green-strain finite elements.
    Adaptive,
    /// Precomputed Green's functions.
    Quasistatic,
    /// Lattice shape matching.
    Lattice,
}

impl Method {
    /// All methods in the order in which panes and tables show them.
    pub const ALL: [Self; 3] = [Self::Adaptive, Self::Quasistatic, Self::Lattice];

    /// Name in scenes, on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Quasistatic => "quasistatic",
            Self::Lattice => "lattice",
        }
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// What the results of a scene are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReferenceChoice {
    /// Nothing: methods are compared with each other only.
    #[default]
    None,
    /// The same scene on fine levels of finite elements, with inertia.
    Dynamic,
    /// The same, and what each simplification of the methods alone does to the force.
    Explained,
}

impl ReferenceChoice {
    /// Names in scenes and on the command line.
    pub const NAMES: [&str; 3] = ["none", "dynamic", "explained"];

    /// The choice of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "dynamic" => Some(Self::Dynamic),
            "explained" => Some(Self::Explained),
            _ => None,
        }
    }
}

/// A whole scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneDescription {
    /// Name.
    pub name: String,
    /// One line for lists; empty when the scene has none.
    pub title: String,
    /// Length of a run without a window, s; a scene without an end has 4.
    pub duration: f64,
    /// Whether the scene itself has an end.
    pub has_end: bool,
    /// Frames a second.
    pub frame_rate: f64,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Largest strain that the author expects; 0 where the scene does not say.
    pub strain_hint: f64,
    /// Seed of everything random: where copies of a body begin.
    pub seed: u64,
    /// Methods that the author wants compared.
    pub methods: Vec<Method>,
    /// Whether Poisson's ratio is set to zero everywhere, the only strict comparison.
    pub nu0: bool,
    /// What results are compared with.
    pub reference: ReferenceChoice,
    /// The body, or the first of several kinds.
    pub body: BodyDescription,
    /// Further kinds of bodies, in the order of the file.
    pub others: Vec<BodyDescription>,
    /// Tools in the order of the file.
    pub tools: Vec<ToolDescription>,
    /// Grabs in the order of the file.
    pub grabs: Vec<GrabDescription>,
    /// Probes in the order of the file.
    pub probes: Vec<ProbeDescription>,
    /// Checks in the order of the file.
    pub checks: Vec<CheckDescription>,
}

/// One body and how each method sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyDescription {
    /// Name.
    pub name: String,
    /// Where its skin comes from.
    pub mesh: MeshSource,
    /// Material.
    pub material: Material,
    /// Lasting supports.
    pub supports: Vec<SupportDescription>,
    /// Its copies, where the scene has several.
    pub layout: Option<LayoutDescription>,
    /// For the adaptive method.
    pub adaptive: AdaptiveDescription,
    /// For the lattice.
    pub lattice: LatticeDescription,
    /// For the quasistatic method.
    pub quasistatic: QuasistaticDescription,
}

/// Where a skin comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum MeshSource {
    /// A generator of ours.
    Procedural {
        /// Its name.
        name: String,
        /// Edge lengths of a box or bar, m.
        size: Option<[f64; 3]>,
        /// Wanted skin edge, m.
        edge: Option<f64>,
        /// Longest side, m.
        longest: Option<f64>,
    },
    /// A file.
    File {
        /// Path as written; relative paths count from the scene file.
        path: PathBuf,
        /// Factor on all coordinates after units.
        scale: f64,
        /// Metres per unit of the file.
        unit: f64,
        /// Whether z is up in the file.
        z_up: bool,
        /// Longest side that the body is scaled to, m.
        longest: Option<f64>,
        /// Whether the body is put onto y = 0.
        rest_on_floor: bool,
        /// What is done to a surface that is no solid.
        repair: MeshRepair,
        /// Thickness of the walls that a surface which is no solid becomes, m; `None` refuses sheets.
        thickness: Option<f64>,
        /// The mesh itself, where a program has it in memory; `path` is then its name in messages. Scene files leave it out.
        given: Option<GivenMesh>,
    },
}

/// What is done to the surface of a file that is no solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshRepair {
    /// Mended as far as it goes, then closed, then wrapped in a new surface; every step is told.
    #[default]
    Auto,
    /// Refused unless closed, manifold and oriented.
    Off,
}

/// A lasting support.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportDescription {
    /// Name.
    pub name: String,
    /// What it holds.
    pub select: Selection,
}

/// Levels of the adaptive method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdaptiveDescription {
    /// Wanted edge lengths, coarse to fine, m; empty for the default levels.
    pub target_edges: Vec<f64>,
    /// Wanted node counts, coarse to fine; empty for the default levels.
    pub nodes: Vec<usize>,
    /// Computing time a frame, ms, converted to work units by nominal constants; `None` for the default.
    pub budget_ms: Option<f64>,
    /// Whether the bare Courant rule chooses the step.
    pub courant: bool,
    /// Whether element forces are computed in double precision; single precision in vector lanes otherwise.
    pub double_precision: bool,
    /// Whether a cut through all levels moves instead of one level; `None` leaves the choice to the program.
    pub cut: Option<bool>,
    /// Departure from linear motion (m) from which a cut is refined; `None` for the default.
    pub gamma_max: Option<f64>,
    /// What tetrahedra between levels do: `conservative` (empty stands for it), `paper` or `patch`.
    pub interface: String,
    /// How elements with different steps go together: `element-impulses` (empty stands for it), `node-drift` or `node-jump`.
    pub scheme: String,
    /// Semi-implicit filter of one level: `off` (empty stands for it), `paper` or `scalar`.
    pub filter: String,
    /// Whether what is unstable without damping may run without it.
    pub allow_unstable: bool,
    /// Whether the levels keep the material as it is, instead of each getting the stiffness with which it vibrates like the finest.
    pub uncalibrated: bool,
    /// Element models that a study runs (`pliant oscillate`); empty where the scene names none.
    pub models: Vec<String>,
    /// Whether bodies touch each other; `None` for what the lattice does.
    pub body_contact: Option<bool>,
    /// Whether a body touches itself; `None` for what the lattice does.
    pub self_contact: Option<bool>,
    /// Coefficient of friction between skins; `None` for that of the lattice.
    pub friction: Option<f64>,
}

/// Lattice of the lattice method.
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeDescription {
    /// Cell edge, m.
    pub cell: Option<f64>,
    /// Cells along the longest side.
    pub cells_longest: Option<usize>,
    /// Region half-width in cells; `None` chooses.
    pub half_width: Option<usize>,
    /// Goal blending; `None` calibrates it from Young's modulus.
    pub alpha: Option<f64>,
    /// Steps a frame; `None` calibrates.
    pub steps: Option<u32>,
    /// Name of the summation; empty for the default.
    pub sums: String,
    /// Whether sums and rotations are computed in double precision; `None` decides by the size of the body.
    pub double_precision: Option<bool>,
    /// Only surface cells.
    pub shell: bool,
    /// Strain beyond which links break; `None`: never.
    pub toughness: Option<f64>,
    /// Most links that break in a frame; `None` for the default.
    pub max_breaks: Option<u32>,
    /// Whether links break that are shortened by the same share, too.
    pub breaks_shortened: bool,
    /// Whether regions keep the material as it is, instead of each getting the stiffness with which a held body gives way as finite elements do.
    pub uncalibrated: bool,
    /// Whether regions with the same particles count once, as in the authors' program; each for itself otherwise.
    pub regions_once: bool,
    /// Whether a cell exists once for each part of the body in it.
    pub split_cells: bool,
    /// Whether all particles have the same mass; by volume otherwise.
    pub equal_masses: bool,
    /// Masses of particles near parts of the skin, where the others have 1; the total is that of the material. Where they overlap, the last one counts. Empty: by
    /// `equal_masses`.
    pub weights: Vec<Paint>,
    /// Whether pieces are damped as wholes instead of regions.
    pub damp_globally: bool,
    /// Steps after which damping acts once.
    pub damp_every: u32,
    /// How rotations are found: `newton`, `jacobi-warm`, `jacobi-cold`; empty for the default.
    pub rotation: String,
    /// Factors on Young's modulus for parts of the skin and what lies beneath; where they overlap, the last one counts.
    pub stiffness: Vec<Paint>,
    /// Whether bodies touch each other.
    pub body_contact: bool,
    /// Whether a body touches itself.
    pub self_contact: bool,
    /// Coefficient of friction between skins.
    pub friction: f64,
    /// What is matched as one: `lattice`, `rigid`, `linear`, `quadratic`; empty for the lattice.
    pub matching: String,
    /// Share of the linear or quadratic map of the whole body, 0 to 1.
    pub beta: f64,
    /// Rigid pieces.
    pub bones: Vec<BoneDescription>,
}

/// Numbers painted on a skin.
#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    /// One number on a part.
    Part {
        /// Which vertices.
        select: Selection,
        /// The number.
        factor: f64,
    },
    /// The numbers that the mesh file has for its vertices under this name.
    Attribute(String),
}

impl Default for LatticeDescription {
    fn default() -> Self {
        Self {
            cell: None,
            cells_longest: None,
            half_width: None,
            alpha: None,
            steps: None,
            sums: String::new(),
            double_precision: None,
            shell: false,
            toughness: None,
            max_breaks: None,
            breaks_shortened: false,
            uncalibrated: false,
            regions_once: false,
            split_cells: true,
            equal_masses: false,
            weights: Vec::new(),
            damp_globally: false,
            damp_every: 1,
            rotation: String::new(),
            stiffness: Vec::new(),
            body_contact: true,
            self_contact: false,
            friction: 0.3,
            matching: String::new(),
            beta: DEFAULT_BETA,
            bones: Vec::new(),
        }
    }
}

/// Green's functions of the quasistatic method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QuasistaticDescription {
    /// Where the Green's functions come from.
    pub generator: GreensGenerator,
    /// The finite elements of [`GreensGenerator::Fem`].
    pub elements: GreensElements,
    /// The file of [`GreensGenerator::Asset`] as written; relative paths count from the scene file.
    pub asset: Option<PathBuf>,
    /// What the boundary mesh is.
    pub boundary: BoundaryChoice,
    /// Most contact rows; `None` for the default.
    pub max_contacts: Option<usize>,
    /// Factors on the stiffness of parts of the body; where they overlap, the last one counts.
    pub stiffness: Vec<Paint>,
    /// Fibres that make the body stiffer, or softer, along one direction.
    pub fibres: Option<FibresDescription>,
    /// Places inside the body that are read and can be loaded.
    pub inside: Vec<InsideDescription>,
    /// Names of supports that can be released from the finished asset.
    pub releasable: Vec<String>,
}

/// Fibres along one direction: a transversely isotropic body, whose planes across them are made of the body's material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FibresDescription {
    /// Direction, any length above zero.
    pub direction: Vec3,
    /// Young's modulus along the fibres, Pa.
    pub young: f64,
    /// Modulus of shear along the fibres, Pa.
    pub shear: f64,
    /// Contraction across the fibres for a unit of stretch along them; that of the material if `None`.
    pub poisson: Option<f64>,
}

/// A named place inside a body.
#[derive(Debug, Clone, PartialEq)]
pub struct InsideDescription {
    /// Name.
    pub name: String,
    /// Place at rest, m.
    pub point: Vec3,
    /// Force on it, N.
    pub load: Vec3,
}

/// Where Green's functions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GreensGenerator {
    /// Finite elements: tetrahedra, see [`GreensElements`].
    #[default]
    Fem,
    /// Boundary elements: linear triangles.
    BemLinear,
    /// Boundary elements: constant triangles.
    BemConstant,
    /// A file that `pliant gf` wrote.
    Asset,
}

/// The finite elements behind Green's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GreensElements {
    /// Quadratic tetrahedra: ten nodes each.
    #[default]
    Quadratic,
    /// Linear tetrahedra: too stiff where thin parts bend.
    Linear,
}

/// What the quasistatic method solves on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BoundaryChoice {
    /// The skin up to 2,500 vertices where a mesh with that boundary exists, else a level of about 1,500 (1,300 and 1,000 with quadratic elements).
    #[default]
    Auto,
    /// The skin.
    Skin,
    /// A level with about so many boundary nodes.
    Nodes(usize),
}

/// A tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    /// Name.
    pub name: String,
    /// Shape.
    pub shape: ToolShape,
    /// Friction.
    pub friction: Friction,
    /// What moves it.
    pub motion: MotionDescription,
    /// Whether the pointer of a window takes it over; without a window its motion is the script.
    pub follows_pointer: bool,
}

/// What moves a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum MotionDescription {
    /// Nothing.
    Fixed,
    /// A path.
    Path(PosePath),
    /// A script made from the body when it is loaded: a poke of `depth` diagonals at the highest place above the supports.
    ScriptedPoke,
    /// Pokes of the body at one place after another, chosen by the scene's seed (`$POKES`).
    RandomPokes,
}

/// A grab.
#[derive(Debug, Clone, PartialEq)]
pub struct GrabDescription {
    /// Name.
    pub name: String,
    /// The kind of bodies it holds, by number; all where the scene does not say.
    pub body: Option<usize>,
    /// What it holds.
    pub select: Selection,
    /// Displacement from rest over time.
    pub path: PosePath,
}

/// A probe.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeDescription {
    /// Name.
    pub name: String,
    /// The kind of bodies it reads, by number; all where the scene does not say.
    pub body: Option<usize>,
    /// The skin point nearest to this rest position is read, m.
    pub nearest_surface_point: Vec3,
    /// What is read.
    pub quantity: ProbeQuantity,
}

/// A check that decides over the exit code.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckDescription {
    /// Metric by name, for example `energy_balance` or `probe:tip`.
    pub metric: String,
    /// The method that is checked.
    pub of: Method,
    /// What it is compared with: a method's name, `reference`, or empty.
    pub against: String,
    /// Largest value that passes, SI or a plain fraction.
    pub max: f64,
}
