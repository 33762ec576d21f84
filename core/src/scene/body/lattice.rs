//! The table `lattice` of a body.

use crate::scene::body::bones::{BoneDescription, read_bones};
use crate::scene::body::vertex_weight::{VertexWeight, read_vertex_weights};
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Share of the linear or quadratic map of a whole body, where none is given.
pub const DEFAULT_BETA: f64 = 0.8;

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
    pub weights: Vec<VertexWeight>,
    /// Whether pieces are damped as wholes instead of regions.
    pub damp_globally: bool,
    /// Steps after which damping acts once.
    pub damp_every: u32,
    /// How rotations are found: `newton`, `jacobi-warm`, `jacobi-cold`; empty for the default.
    pub rotation: String,
    /// Factors on Young's modulus for parts of the skin and what lies beneath; where they overlap, the last one counts.
    pub stiffness: Vec<VertexWeight>,
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

pub(crate) fn read_lattice(body: &Reader<'_>) -> Result<LatticeDescription, SceneError> {
    let Some(at) = body.table("lattice") else {
        return Ok(LatticeDescription::default());
    };
    let sums = at.text("sums")?.unwrap_or("");
    if !["", "naive", "bar-plate-cube", "running"].contains(&sums) {
        return Err(at.bad(
            "sums",
            format!("must be naive, bar-plate-cube or running, got \"{sums}\""),
        ));
    }
    let double_precision = match at.text("precision")? {
        None => None,
        Some("f32") => Some(false),
        Some("f64") => Some(true),
        Some(other) => {
            return Err(at.bad("precision", format!("must be f32 or f64, got \"{other}\"")));
        }
    };
    if double_precision == Some(false) && !sums.is_empty() {
        return Err(at.bad(
            "sums",
            "can be chosen in double precision only: leave out `precision` or set it to f64",
        ));
    }
    let shell = one_of(&at, "fill", ["solid", "shell"])?;
    let equal_masses = one_of(&at, "masses", ["volume", "unit"])?;
    let rotation = at.text("rotation")?.unwrap_or("");
    if !["", "newton", "jacobi-warm", "jacobi-cold"].contains(&rotation) {
        let text = format!("must be newton, jacobi-warm or jacobi-cold, got \"{rotation}\"");
        return Err(at.bad("rotation", text));
    }
    let toughness = at.number_in("toughness", None, (1e-3, 10.0), "")?;
    let max_breaks = at.count_or_auto("max_breaks")?;
    let breaks_shortened = one_of(&at, "break_in", ["tension", "both"])?;
    let material_breaks = body.table("material").is_some_and(|material| {
        material.get("strength").is_some() || material.get("toughness").is_some()
    });
    for key in ["max_breaks", "break_in"] {
        if at.get(key).is_some() && toughness.is_none() && !material_breaks {
            let text = "means nothing for a body that does not break\n  remedy: give `material.strength`, `material.toughness`, or `lattice.toughness`";
            return Err(at.bad(key, text));
        }
    }
    let regions_once = one_of(&at, "multiplicity", ["keep", "unique"])?;
    if regions_once && toughness.is_some() {
        let text = "\"unique\" does not go with `toughness`: regions that were the same differ after a break\n  remedy: leave one of them out";
        return Err(at.bad("multiplicity", text));
    }
    let stiffness = read_vertex_weights(&at, "stiffness")?;
    let weights = read_vertex_weights(&at, "weights")?;
    if !weights.is_empty() && at.get("masses").is_some() {
        let text = "means nothing beside `masses`\n  remedy: leave one of them out";
        return Err(at.bad("weights", text));
    }
    let damp_globally = match at.text("damping")? {
        None | Some("regions") => false,
        Some("global") => true,
        Some(other) => {
            let text = format!(
                "must be regions or global, got \"{other}\"\n  remedy: how strong it is says `material.zeta`"
            );
            return Err(at.bad("damping", text));
        }
    };
    let damp_every = at.number_in("damp_every", Some(1.0), (1.0, 64.0), "")?;
    if damp_every.is_some_and(|n| n.fract() != 0.0) {
        return Err(at.bad("damp_every", "must be a whole number of steps, 1 to 64"));
    }
    let single = double_precision == Some(false);
    if single && (rotation.starts_with("jacobi") || !stiffness.is_empty() || regions_once) {
        let text = "must be f64, or left out, with painted stiffness, with `multiplicity = \"unique\"` and with Jacobi rotations";
        return Err(at.bad("precision", text));
    }
    let (matching, beta) = read_matching(&at)?;
    let alpha = at.number_or_auto("alpha")?;
    if alpha.is_some_and(|a| !(a > 0.0 && a <= 1.0)) {
        return Err(at.bad("alpha", "must be above 0 and at most 1, or \"auto\""));
    }
    if at.get("cell").is_some() && at.get("cells_longest").is_some() {
        let text = "stands beside `cells_longest`\n  remedy: keep one of them";
        return Err(at.bad("cell", text));
    }
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
        sums: sums.to_string(),
        double_precision,
        shell,
        toughness,
        max_breaks: max_breaks.map(|n| n as u32),
        breaks_shortened,
        uncalibrated: at.get("calibrate").is_some() && !at.flag("calibrate")?,
        regions_once,
        split_cells: at.get("split_cells").is_none() || at.flag("split_cells")?,
        equal_masses,
        weights,
        damp_globally,
        damp_every: damp_every.map_or(1, |n| n as u32),
        rotation: rotation.to_string(),
        stiffness,
        body_contact: at.get("body_contact").is_none() || at.flag("body_contact")?,
        self_contact: at.flag("self_contact")?,
        friction: at
            .number_in("friction", Some(0.3), (0.0, 10.0), "")?
            .unwrap_or(0.3),
        matching,
        beta,
        bones: read_bones(&at)?,
    })
}

/// Whether a key has the second of two names; the first one is the default.
fn one_of(at: &Reader<'_>, key: &str, [first, second]: [&str; 2]) -> Result<bool, SceneError> {
    match at.text(key)? {
        None => Ok(false),
        Some(name) if name == first => Ok(false),
        Some(name) if name == second => Ok(true),
        Some(other) => Err(at.bad(key, format!("must be {first} or {second}, got \"{other}\""))),
    }
}

/// What is matched as one, and the share of the map.
fn read_matching(at: &Reader<'_>) -> Result<(String, f64), SceneError> {
    let matching = at.text("matching")?.unwrap_or("");
    if !["", "lattice", "rigid", "linear", "quadratic"].contains(&matching) {
        let text = format!("must be lattice, rigid, linear or quadratic, got \"{matching}\"");
        return Err(at.bad("matching", text));
    }
    let whole = !["", "lattice"].contains(&matching);
    for key in [
        "toughness",
        "stiffness",
        "sums",
        "half_width",
        "damping",
        "damp_every",
        "multiplicity",
    ] {
        if whole && at.get(key).is_some() {
            let text = format!(
                "means nothing with `matching = \"{matching}\"`, which has one region\n  remedy: leave it out"
            );
            return Err(at.bad(key, text));
        }
    }
    let beta = at.number_in("beta", None, (0.0, 1.0), "")?;
    if beta.is_some() && !["linear", "quadratic"].contains(&matching) {
        let text = "means nothing without `matching = \"linear\"` or `\"quadratic\"`";
        return Err(at.bad("beta", text));
    }
    Ok((matching.to_string(), beta.unwrap_or(DEFAULT_BETA)))
}
