//! A hand's motion as text.

use std::fmt::Write as _;

use pliant_core::math::Vec3;

use super::motion::{HandHold, HandMotion};

/// What a reader of the file should know.
const COMMENT: &str = "# What a hand did in the window. Numbers of frames count from 0; places are at the end of a frame, in m. This table stays at the end of the file.";

impl HandMotion {
    /// The table `[hand]`, for the end of a scene's text. Numbers are written so that reading them gives the same bits.
    pub fn text(&self) -> String {
        let mut text = format!("[hand]\n{COMMENT}\n");
        // a string takes everything
        let _ = writeln!(
            text,
            "frame_rate = {:?}\nframes = {}",
            self.frame_rate, self.frames
        );
        let spans = self.gravity.iter();
        list(
            &mut text,
            "gravity",
            spans.map(|s| format!("{}, {}", s.start, s.end)),
        );
        let tool = self.tool.iter();
        list(
            &mut text,
            "tool",
            tool.map(|(frame, at)| format!("{frame}, {}", numbers(&[*at]))),
        );
        let blades = self
            .blades
            .iter()
            .map(|(frame, [from, to])| format!("{frame}, {}, {}", numbers(from), numbers(to)));
        list(&mut text, "blade", blades);
        let set: String = (self.parameters.iter())
            .map(|set| format!("  {},\n", set.text()))
            .collect();
        if !set.is_empty() {
            let _ = writeln!(text, "parameter = [\n{set}]");
        }
        for grab in &self.grabs {
            table(&mut text, "grab", grab, "displacements");
        }
        for pull in &self.pulls {
            table(&mut text, "pull", pull, "forces");
        }
        text
    }
}

/// The table `name` of what the hand had hold of, with three numbers for each frame under `key`.
fn table(text: &mut String, name: &str, hold: &HandHold, key: &str) {
    let _ = writeln!(
        text,
        "\n[[hand.{name}]]\nfirst = {}\nvertices = {:?}",
        hold.first, hold.vertices
    );
    let rows = hold.values.iter();
    list(text, key, rows.map(|row| numbers(&[*row])));
}

/// A list of lists, one a line; nothing for an empty one.
fn list(text: &mut String, key: &str, rows: impl Iterator<Item = String>) {
    let rows: String = rows.map(|row| format!("  [{row}],\n")).collect();
    if !rows.is_empty() {
        let _ = writeln!(text, "{key} = [\n{rows}]");
    }
}

fn numbers(places: &[Vec3]) -> String {
    let numbers: Vec<String> = (places.iter().flat_map(|p| p.iter()))
        .map(|x| format!("{x:?}"))
        .collect();
    numbers.join(", ")
}
