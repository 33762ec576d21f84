//! The table `lattice` of a body.

use crate::scene::body::bones::{BoneDescription, read_bone};
use crate::scene::body::vertex_weight::{VertexWeight, read_vertex_weight};
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// How sums over regions are computed. All give the same numbers up to round-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatticeSums {
    /// Particle by particle: the reference, cubic in the half-width.
    Naive,
    /// Shared bars, plates and cubes (Rivers and James 2007, section 3.1, Eq. 3 and 4): linear in the half-width, any shape.
    BarPlateCube,
    /// Sliding sums along x, y and z (section 3.1, Eq. 5 to 7): independent of the half-width; particles whose region is not a box use shared bars, plates
    /// and cubes.
    Running,
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

/// Which particles are matched together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ShapeMatching {
    /// Overlapping regions of the lattice: the lattice method.
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

/// Parameters of the lattice method.
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeDescription {
    /// Cell edge, m.
    pub cell: Option<f64>,
    /// Cells along the longest side.
    pub cells_longest: Option<usize>,
    /// Region half-width in cells; `None` for the choice of the program.
    pub half_width: Option<usize>,
    /// Goal share `α`; `None` calibrates it to Young's modulus.
    pub alpha: Option<f64>,
    /// Steps a frame; `None` calibrates.
    pub steps: Option<u32>,
    /// How sums over regions are computed; `None` for the choice of the program.
    pub sums: Option<LatticeSums>,
    /// Whether sums and rotations are computed in double precision; `None` for a choice by the size of the body.
    pub double_precision: Option<bool>,
    /// Whether only surface cells are kept.
    pub shell: bool,
    /// Strain beyond which links break; `None` for never.
    pub toughness: Option<f64>,
    /// Most links that break in a frame; `None` for the default.
    pub max_breaks: Option<u32>,
    /// Whether links break under compression, too, at the same strain.
    pub breaks_shortened: bool,
    /// Whether all regions have the stiffness of the material. Otherwise they are calibrated, so that a supported body deforms as with finite elements.
    pub uncalibrated: bool,
    /// Whether regions with the same particles count once, as in the authors' program. Otherwise each counts by itself.
    pub regions_once: bool,
    /// Whether a cell exists once for each part of the body in it.
    pub split_cells: bool,
    /// Whether all particles have the same mass. Otherwise masses follow from volumes.
    pub equal_masses: bool,
    /// Relative masses of particles near parts of the skin; all others have 1, and the total is that of the material. Where parts overlap, the last one counts. Empty for masses by
    /// `equal_masses`.
    pub weights: Vec<VertexWeight>,
    /// Whether damping acts on whole pieces instead of regions.
    pub damp_globally: bool,
    /// Damping acts every this many steps.
    pub damp_every: u32,
    /// Algorithm for rotations.
    pub rotation: RotationMethod,
    /// Factors on Young's modulus for parts of the skin and the material below; where they overlap, the last one counts.
    pub stiffness: Vec<VertexWeight>,
    /// Whether bodies touch each other.
    pub body_contact: bool,
    /// Whether a body touches itself.
    pub self_contact: bool,
    /// Coefficient of friction between skins.
    pub friction: f64,
    /// Shape matching by regions, or of the whole body.
    pub matching: ShapeMatching,
    /// Rigid bones.
    pub bones: Vec<BoneDescription>,
}

pub(crate) fn read_lattice(body: &Reader<'_>) -> Result<LatticeDescription, SceneError> {
    let at = body.table_or_empty("lattice");
    let (sums, double_precision) = read_sums(&at)?;
    let shell = at.is_second("fill", ["solid", "shell"])?;
    let equal_masses = at.is_second("masses", ["volume", "unit"])?;
    let rotations = [
        ("newton", RotationMethod::Newton),
        ("jacobi-warm", RotationMethod::JacobiWarm),
        ("jacobi-cold", RotationMethod::JacobiCold),
    ];
    let rotation = at.choice("rotation", RotationMethod::Newton, rotations)?;
    let toughness = at.number_in("toughness", (1e-3, 10.0), "")?;
    let max_breaks = at.count_or_auto("max_breaks")?;
    let breaks_shortened = at.is_second("break_in", ["tension", "both"])?;
    let material_breaks = body.table("material").is_some_and(|material| {
        material.get("strength").is_some() || material.get("toughness").is_some()
    });
    if toughness.is_none() && !material_breaks {
        let text = "has no effect on a body that does not break\n  remedy: give `material.strength`, `material.toughness`, or `lattice.toughness`";
        at.refuse(&["max_breaks", "break_in"], text)?;
    }
    let regions_once = at.is_second("multiplicity", ["keep", "unique"])?;
    let text = "\"unique\" cannot be combined with `toughness`: regions that were the same differ after a break\n  remedy: leave one of them out";
    at.refuse_if(regions_once && toughness.is_some(), "multiplicity", text)?;
    let stiffness = at.each("stiffness", read_vertex_weight)?;
    let weights = at.each("weights", read_vertex_weight)?;
    let has_both = !weights.is_empty() && at.get("masses").is_some();
    let text = "has no effect together with `masses`\n  remedy: leave one of them out";
    at.refuse_if(has_both, "weights", text)?;
    let (damp_globally, damp_every) = read_damping(&at)?;
    let single = double_precision == Some(false);
    let needs_double =
        single && (rotation != RotationMethod::Newton || !stiffness.is_empty() || regions_once);
    let text = "must be f64, or left out, with painted stiffness, with `multiplicity = \"unique\"` and with Jacobi rotations";
    at.refuse_if(needs_double, "precision", text)?;
    let matching = read_matching(&at)?;
    let alpha = at.number_or_auto("alpha")?;
    let text = "must be above 0 and at most 1, or \"auto\"";
    at.refuse_if(alpha.is_some_and(|a| !(a > 0.0 && a <= 1.0)), "alpha", text)?;
    let has_both = at.get("cell").is_some() && at.get("cells_longest").is_some();
    let text = "cannot be combined with `cells_longest`\n  remedy: keep one of them";
    at.refuse_if(has_both, "cell", text)?;
    let at_most = |key: &str, most: usize| match at.count_or_auto(key)? {
        Some(count) if count > most => {
            let text = format!(
                "must be 1 to {most}, or \"auto\", got {count}\n  remedy: take at most {most}"
            );
            Err(at.bad(key, text))
        }
        count => Ok(count),
    };
    Ok(LatticeDescription {
        cell: at.length("cell")?,
        cells_longest: at.count_or_auto("cells_longest")?,
        half_width: at_most("half_width", 16)?,
        alpha,
        steps: at_most("steps", 4096)?.map(|n| n as u32),
        sums,
        double_precision,
        shell,
        toughness,
        max_breaks: max_breaks.map(|n| n as u32),
        breaks_shortened,
        uncalibrated: at.optional_flag("calibrate")? == Some(false),
        regions_once,
        split_cells: at.optional_flag("split_cells")?.unwrap_or(true),
        equal_masses,
        weights,
        damp_globally,
        damp_every,
        rotation,
        stiffness,
        body_contact: at.optional_flag("body_contact")?.unwrap_or(true),
        self_contact: at.flag("self_contact")?,
        friction: at.number_in("friction", (0.0, 10.0), "")?.unwrap_or(0.3),
        matching,
        bones: at.each("bones", read_bone)?,
    })
}

/// Reads the keys `sums` and `precision`; the latter as whether it is double.
fn read_sums(at: &Reader<'_>) -> Result<(Option<LatticeSums>, Option<bool>), SceneError> {
    let known = [
        ("naive", Some(LatticeSums::Naive)),
        ("bar-plate-cube", Some(LatticeSums::BarPlateCube)),
        ("running", Some(LatticeSums::Running)),
    ];
    let sums = at.choice("sums", None, known)?;
    let precisions = [("f32", Some(false)), ("f64", Some(true))];
    let double_precision = at.choice("precision", None, precisions)?;
    let is_single = double_precision == Some(false) && sums.is_some();
    let text = "can be chosen in double precision only: leave out `precision` or set it to f64";
    at.refuse_if(is_single, "sums", text)?;
    Ok((sums, double_precision))
}

/// Reads the keys `damping`, as whether it acts on whole pieces, and `damp_every`.
fn read_damping(at: &Reader<'_>) -> Result<(bool, u32), SceneError> {
    let damp_globally = match at.text("damping")? {
        None | Some("regions") => false,
        Some("global") => true,
        Some(other) => {
            let text = format!(
                "must be regions or global, got \"{other}\"\n  remedy: `material.zeta` says how strong it is"
            );
            return Err(at.bad("damping", text));
        }
    };
    let damp_every = at.number_in("damp_every", (1.0, 64.0), "")?;
    let is_broken = damp_every.is_some_and(|n| n.fract() != 0.0);
    let text = "must be a whole number of steps, 1 to 64";
    at.refuse_if(is_broken, "damp_every", text)?;
    Ok((damp_globally, damp_every.map_or(1, |n| n as u32)))
}

/// Reads the keys `matching` and `beta`.
fn read_matching(at: &Reader<'_>) -> Result<ShapeMatching, SceneError> {
    let given = at.number_in("beta", (0.0, 1.0), "")?;
    let beta = given.unwrap_or(0.8);
    let known = [
        ("lattice", ShapeMatching::Lattice),
        ("rigid", ShapeMatching::Rigid),
        ("linear", ShapeMatching::Linear { beta }),
        ("quadratic", ShapeMatching::Quadratic { beta }),
    ];
    let matching = at.choice("matching", ShapeMatching::Lattice, known)?;
    if matching != ShapeMatching::Lattice {
        let region_keys = [
            "toughness",
            "stiffness",
            "sums",
            "half_width",
            "damping",
            "damp_every",
            "multiplicity",
        ];
        let word = at.text("matching")?.unwrap_or_default();
        let text = format!(
            "has no effect with `matching = \"{word}\"`, which has one region\n  remedy: leave it out"
        );
        at.refuse(&region_keys, &text)?;
    }
    let is_useless =
        given.is_some() && matches!(matching, ShapeMatching::Lattice | ShapeMatching::Rigid);
    let text = "has no effect without `matching = \"linear\"` or `\"quadratic\"`";
    at.refuse_if(is_useless, "beta", text)?;
    Ok(matching)
}
