//! Reading the `lattice` table of a body.

use crate::scene::body::read_paint;
use crate::scene::bones::read_bones;
use crate::scene::description::DEFAULT_BETA;
use crate::scene::read::Reader;
use crate::scene::{LatticeDescription, SceneError};

pub(super) fn read_lattice(body: &Reader<'_>) -> Result<LatticeDescription, SceneError> {
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
    for key in ["max_breaks", "break_in"] {
        if at.get(key).is_some() && toughness.is_none() {
            let text =
                "means nothing without `toughness`\n  remedy: say how much strain a link bears";
            return Err(at.bad(key, text));
        }
    }
    let regions_once = one_of(&at, "multiplicity", ["keep", "unique"])?;
    if regions_once && toughness.is_some() {
        let text = "\"unique\" does not go with `toughness`: regions that were the same differ after a break\n  remedy: leave one of them out";
        return Err(at.bad("multiplicity", text));
    }
    let stiffness = read_paint(&at, "stiffness")?;
    let weights = read_paint(&at, "weights")?;
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
    Ok(LatticeDescription {
        cell: at.length("cell")?,
        cells_longest: at.count_or_auto("cells_longest")?,
        half_width: at.count_or_auto("half_width")?,
        alpha,
        steps: at.count_or_auto("steps")?.map(|n| n.min(100_000) as u32),
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
