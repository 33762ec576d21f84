//! The scene that runs, as text: with what was done in the window, so that every run repeats it and the window shows it again.

use pliant_core::scene::ViewDescription;

use super::simulation::Simulation;
use crate::compare::advice::SceneText;
use crate::scenes::load;
use crate::setup::hand::{HandMotion, RestingBlade};

/// Start of the first line of a written scene, before the version.
const HEADING_START: &str = "# Saved by the window of pliant ";
/// Its second line.
const HEADING_USAGE: &str = "# `pliant view`, `run`, `compare` and `advise` take this file.\n";

impl Simulation {
    /// The text of the scene that runs: with its present material and blade, the settings that were advised, what the hand did and the parameters that it set, as far as the timeline
    /// knows it, and with `view` if there is one.
    ///
    /// # Errors
    /// In a line, why there is none.
    pub(super) fn written_scene(&self, view: Option<&ViewDescription>) -> Result<String, String> {
        let (Some((source, import)), Some(setup)) = (&self.source, &self.setup) else {
            return Err("no scene is open".into());
        };
        let text = load(source, import).and_then(|loaded| {
            let mut text = SceneText::of(&loaded)?;
            let (now, then) = (&setup.description, &loaded.description);
            if now.body.material != then.body.material {
                text = text.with_material(&now.body.material);
            }
            if let Some(blade) = RestingBlade::of(now)
                && then.blades().next().is_none()
            {
                text = text.with_blade(&blade);
            }
            Ok(text)
        });
        let mut text = text.map_err(|e| e.to_string().replace("\n  remedy:", ";"))?;
        let hand = HandMotion::recorded(
            setup.hand.as_deref(),
            setup.description.frame_rate,
            self.timeline.interactions(),
            self.timeline.parameters.changes(),
        );
        if !hand.is_idle() {
            text = text.with_hand(&hand);
        }
        if let Some(view) = view {
            text = text.with_view(view);
        }
        let text = text.with(&self.settings, &[]);
        let heading = format!(
            "{HEADING_START}{}.\n{HEADING_USAGE}",
            env!("CARGO_PKG_VERSION")
        );
        Ok(heading + without_heading(&text))
    }
}

/// A text without the heading that it may have, where it was written before.
fn without_heading(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if first.starts_with(HEADING_START) => {
            rest.strip_prefix(HEADING_USAGE).unwrap_or(rest)
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests;
