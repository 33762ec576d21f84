//! Which notes matter for judging a result, worded for users who do not know the program.

use pliant_core::diagnostics::capitalised;

use super::Note;

/// A kind of note that matters, recognised by its code or by words in it.
struct FindingRule {
    /// The code of the note, or words that no other note contains.
    pattern: &'static str,
    /// What it means for the result; precedes the sentence of the note.
    meaning: &'static str,
    /// Whether the figures of the method are wrong.
    puts_figures_in_doubt: bool,
}

const fn rule(pattern: &'static str, meaning: &'static str) -> FindingRule {
    FindingRule {
        pattern,
        meaning,
        puts_figures_in_doubt: false,
    }
}

const fn doubt(pattern: &'static str, meaning: &'static str) -> FindingRule {
    FindingRule {
        puts_figures_in_doubt: true,
        ..rule(pattern, meaning)
    }
}

/// The notes that matter. The others describe how something was computed.
const FINDING_RULES: &[FindingRule] = &[
    // adaptive
    rule(
        "LevelVolumeMismatch",
        "A coarse mesh of the body is too small or too large where the body is thin",
    ),
    rule(
        "without a support",
        "A part of the body has no support on a coarse mesh",
    ),
    rule(
        "the budget holds level",
        "The time budget allowed only a coarser mesh; a larger adaptive.budget_ms gives a more accurate force",
    ),
    rule("of the only level take longer than the budget", ""),
    rule(
        "the budget holds back",
        "The time budget kept places coarser than their deformation asks for; a larger adaptive.budget_ms refines them",
    ),
    rule(
        "of the mass was added",
        "The motion is slower than that of the material; forces at rest are right",
    ),
    rule(
        "pressed below a fifth",
        "Parts of the body are crushed, beyond what a material law describes well",
    ),
    rule(
        "stretched so far that inertia was added",
        "Parts of the body are so stiff or stretched so far that they move more slowly than the material would",
    ),
    rule(
        "far outside its neighbours",
        "At some places the deformation was too large for the mesh, and was corrected",
    ),
    doubt("stood still for", "The body stood still for a while"),
    rule("CutTooFine", ""),
    rule(
        "the energy drifted",
        "The energy drifted, and smaller steps are taken since then",
    ),
    rule(
        "linear tetrahedra lock",
        "The body is stiffer than its material",
    ),
    // quasistatic
    rule(
        "contact conditions were left out",
        "Not all of the contact was solved: the force is too small where it was left out",
    ),
    doubt(
        "no support and stay",
        "Parts of the body do not move in this method",
    ),
    rule(
        "columns are not reciprocal",
        "The measured columns contradict each other",
    ),
    rule(
        "columns are not positive definite",
        "The measured columns produce energy",
    ),
    rule(
        "no response to gravity",
        "The weight of the body is left out",
    ),
    doubt("SagTooLarge", ""),
    doubt("BodyStaysWhole", ""),
    // lattice
    rule(
        "times as voluminous as the body",
        "The cells are too coarse for thin parts",
    ),
    rule(
        "of its regions is not fitted",
        "Thin parts are stiffer than the material",
    ),
    rule("pulled or pressed as a whole", ""),
    rule(
        "are softer than the material at the surface",
        "The body is softer than its material at its surface",
    ),
    doubt("fall freely", "Parts of the body have no support"),
    rule(
        "of the lowest mode is missing",
        "The body oscillates longer than the material would",
    ),
    // runs
    doubt("energy balance is off", "The energy does not balance"),
    rule(
        "touched nothing then",
        "A tool jumped and passed through the body",
    ),
    // skins and scenes
    rule("too coarse for", ""),
    rule("ToolThinParts", "Parts of a tool may touch nothing"),
    rule("BodiesOverlap", ""),
    rule("ToolOverlaps", ""),
    rule("GrabOnSupport", ""),
    rule("GrabsOverlap", ""),
    rule("NothingMoves", ""),
    rule("BodiesDiffer", ""),
    rule("UnitSuspicious", ""),
    rule("strain_hint", ""),
    rule("repair:", "The mesh was repaired"),
    rule("were not used, only their boundary", ""),
    rule("compare.material", ""),
];

impl Note {
    /// What the note means for the result, as a sentence; `None` for one that only describes how something was computed.
    pub fn finding(&self) -> Option<String> {
        let rule = self.rule()?;
        Some(match rule.meaning {
            "" => sentences(&self.sentence),
            meaning => sentence(&format!(
                "{meaning} ({})",
                self.sentence.replace("\n  ", "; ")
            )),
        })
    }

    /// Whether the note says that the figures of its method are wrong.
    pub fn puts_figures_in_doubt(&self) -> bool {
        self.rule().is_some_and(|rule| rule.puts_figures_in_doubt)
    }

    fn rule(&self) -> Option<&'static FindingRule> {
        let code = self.code.as_deref();
        let mut rules = FINDING_RULES.iter();
        rules.find(|rule| code == Some(rule.pattern) || self.sentence.contains(rule.pattern))
    }
}

/// `text` with a capital first letter and a full stop.
pub fn sentence(text: &str) -> String {
    capitalised(text.trim_end_matches(['.', ' '])) + "."
}

/// The lines of a note (message and remedy) as one sentence each.
pub fn sentences(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| sentence(line.trim())).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_what_a_note_means_before_its_figures() {
        for (text, finding) in [
            (
                "LevelVolumeMismatch: level 0 has 71.2 % of the finest level's volume",
                "A coarse mesh of the body is too small or too large where the body is thin (level 0 has 71.2 % of the finest level's volume).",
            ),
            (
                "2 of 3 connected pieces have no support and fall freely",
                "Parts of the body have no support (2 of 3 connected pieces have no support and fall freely).",
            ),
            (
                "SkinTooCoarse: the skin is too coarse for `ball`\n  remedy: mesh.edge = 0.011 or less",
                "The skin is too coarse for `ball`. Remedy: mesh.edge = 0.011 or less.",
            ),
            (
                "strains of 25 % are expected (strain_hint)",
                "Strains of 25 % are expected (strain_hint).",
            ),
        ] {
            assert_eq!(Note::read(text).finding().as_deref(), Some(finding));
        }
    }

    #[test]
    fn figures_are_in_doubt_without_a_support_or_a_balance_and_where_a_linear_body_sags_too_far() {
        for (text, is_in_doubt) in [
            ("1 part of the body has no support and stays at rest", true),
            ("3 parts of the body have no support and stay at rest", true),
            (
                "1 of 2 connected pieces have no support and fall freely",
                true,
            ),
            (
                "the energy balance is off by up to 12 %: energy appeared",
                true,
            ),
            (
                "SagTooLarge: the weight of the body alone moves it far",
                true,
            ),
            ("BodyStaysWhole: the blade `knife` does not cut here", true),
            (
                "stood still for 10 frames that failed; the first: ...",
                true,
            ),
            (
                "GrabOnSupport: all vertices of grab `a` belong to supports",
                false,
            ),
            ("linear: valid for small strains and rotations", false),
        ] {
            assert_eq!(
                Note::read(text).puts_figures_in_doubt(),
                is_in_doubt,
                "{text}"
            );
        }
    }

    #[test]
    fn how_something_was_computed_is_no_finding() {
        for text in [
            "Young's modulus reached: 5000 Pa with half-width 1, 7 steps a frame and goal share 0.7459",
            "RatioOutOfRange: the edges of level 1 are 1.44 times those of level 2",
            "the supports do not move: the body frame is the world frame",
            "level 0 is not calibrated: its lowest modes are not those of level 3",
            "",
        ] {
            assert_eq!(Note::read(text).finding(), None, "{text}");
        }
    }
}
