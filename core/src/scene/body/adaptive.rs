//! The table `adaptive` of a body.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Levels of the adaptive method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdaptiveDescription {
    /// Target edge lengths, coarse to fine, m; empty for the default levels.
    pub target_edges: Vec<f64>,
    /// Target node counts, coarse to fine; empty for the default levels.
    pub nodes: Vec<usize>,
    /// Computing time a frame, ms; nominal constants convert it to work units. `None` for the default.
    pub budget_ms: Option<f64>,
    /// Whether the Courant condition alone chooses the step.
    pub courant: bool,
    /// Whether element forces are computed in double precision; single precision in vector lanes otherwise.
    pub double_precision: bool,
    /// Whether a cut through all levels is simulated instead of one level; `None` leaves the choice to the program.
    pub cut: Option<bool>,
    /// Departure from linear motion (m) from which a cut is refined; `None` for the default.
    pub gamma_max: Option<f64>,
    /// Whether tetrahedra between levels follow the rule of the 2001 paper.
    pub paper_interface: bool,
    /// Whether nodes have steps of their own, as in the 2001 paper, instead of elements.
    pub node_jump: bool,
    /// Whether the semi-implicit filter of the 2001 paper acts on one level.
    pub paper_filter: bool,
    /// Whether a scheme that is unstable without damping may run without it.
    pub allow_unstable: bool,
    /// Whether all levels have the stiffness of the material. Otherwise each level is calibrated to vibrate like the finest.
    pub uncalibrated: bool,
    /// Element models of a study (`pliant oscillate`); empty where the scene names none.
    pub models: Vec<String>,
    /// Whether bodies touch each other; `None` for the setting of the lattice.
    pub body_contact: Option<bool>,
    /// Whether a body touches itself; `None` for the setting of the lattice.
    pub self_contact: Option<bool>,
    /// Coefficient of friction between skins; `None` for that of the lattice.
    pub friction: Option<f64>,
}

pub(crate) fn read_adaptive(body: &Reader<'_>) -> Result<AdaptiveDescription, SceneError> {
    let Some(at) = body.table("adaptive") else {
        return Ok(AdaptiveDescription::default());
    };
    let target_edges = at.numbers("target_edges")?;
    let text = "must be positive lengths in metres";
    at.refuse_if(target_edges.iter().any(|e| *e <= 0.0), "target_edges", text)?;
    let is_unsorted = !target_edges.is_sorted_by(|coarse, fine| coarse > fine);
    let text = "must fall from level to level\n  remedy: give the longest edge, that of the coarsest level, first";
    at.refuse_if(is_unsorted, "target_edges", text)?;
    let mut nodes = Vec::new();
    for n in at.numbers("nodes")? {
        let text = "must be whole numbers from 4 to 10 million";
        at.refuse_if(!(4.0..=1e7).contains(&n) || n.fract() != 0.0, "nodes", text)?;
        nodes.push(n as usize);
    }
    let is_unsorted = !nodes.is_sorted_by(|coarse, fine| coarse < fine);
    let text = "must rise from level to level\n  remedy: give the smallest number, that of the coarsest level, first";
    at.refuse_if(is_unsorted, "nodes", text)?;
    let text = "cannot be combined with `target_edges`\n  remedy: keep one of them";
    at.refuse_if(!nodes.is_empty() && !target_edges.is_empty(), "nodes", text)?;
    let models = at.texts("models")?;
    for model in &models {
        if !["green", "cauchy", "simplified", "spring"].contains(model) {
            let text = format!(
                "unknown model \"{model}\"\n  remedy: use green, cauchy, simplified or spring"
            );
            return Err(at.bad("models", text));
        }
    }
    let courant = at.is_second("dt_rule", ["element", "courant"])?;
    let double_precision = at.is_second("precision", ["f32", "f64"])?;
    let resolutions = [("auto", None), ("level", Some(false)), ("cut", Some(true))];
    let cut = at.choice("resolution", None, resolutions)?;
    let paper_interface = at.is_second("interface", ["conservative", "paper"])?;
    let node_jump = at.is_second("scheme", ["element-impulses", "node-jump"])?;
    let text = "\"node-jump\" needs resolution = \"cut\": one level has one step for all nodes";
    at.refuse_if(node_jump && cut != Some(true), "scheme", text)?;
    let paper_filter = at.is_second("filter", ["off", "paper"])?;
    let text = "\"paper\" needs resolution = \"level\": a cut has a step of its own for every element instead";
    at.refuse_if(paper_filter && cut == Some(true), "filter", text)?;
    match at.text("recover")? {
        None | Some("blend") => {}
        Some(other) => return Err(at.not_yet("recover", other, "use \"blend\"")),
    }
    Ok(AdaptiveDescription {
        target_edges,
        nodes,
        budget_ms: at.number_in("budget_ms", (1e-3, 1e6), "ms")?,
        courant,
        double_precision,
        cut,
        gamma_max: at.number_in("gamma_max", (1e-9, 1e3), "m")?,
        paper_interface,
        node_jump,
        paper_filter,
        allow_unstable: at.flag("allow_unstable")?,
        uncalibrated: at.optional_flag("calibrate")? == Some(false),
        models: models.into_iter().map(str::to_string).collect(),
        body_contact: at.optional_flag("body_contact")?,
        self_contact: at.optional_flag("self_contact")?,
        friction: at.number_in("friction", (0.0, 10.0), "")?,
    })
}

#[cfg(test)]
mod tests {
    use crate::scene::load::tests::assert_refused;

    #[test]
    fn unknown_variants_and_levels_in_the_wrong_order_are_refused() {
        assert_refused(
            |keys| {
                format!(
                    "body = [ {{ mesh = {{ procedural = \"box\" }}, adaptive = {{ {keys} }} }} ]"
                )
            },
            &[
                "resolution = 'cut', scheme = 'node-drift' => BadValue body[0].adaptive.scheme: must be element-impulses or node-jump, got \"node-drift\"",
                "nodes = [300, 60] => BadValue body[0].adaptive.nodes: must rise from level to level",
                "nodes = [60, 60] => BadValue body[0].adaptive.nodes: must rise from level to level",
                "target_edges = [0.1, 0.1] => BadValue body[0].adaptive.target_edges: must fall from level to level",
                "filter = 'scalar' => BadValue body[0].adaptive.filter: must be off or paper, got \"scalar\"",
            ],
        );
    }
}
