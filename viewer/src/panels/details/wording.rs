//! What parameters and figures are called, where they stand, and which equation they belong to.
//!
//! Models name their parameters and counters for scripts. A name that is not in these tables stands behind the fold "Internals" as it is.

use pliant_core::diagnostics::capitalised;

/// Where something stands among the details of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// What the body is made of.
    Material,
    /// How fine it is.
    Resolution,
    /// How time passes.
    TimeStep,
    /// How it is touched.
    Contact,
    /// What came out.
    Result,
    /// Energies, constraints, volume, and how far the skin is from those of the others.
    Metrics,
    /// What means something to those who know the code.
    Internals,
}

impl Group {
    /// All that are always seen, in their order.
    pub const SEEN: [Self; 6] = [
        Self::Material,
        Self::Resolution,
        Self::TimeStep,
        Self::Contact,
        Self::Result,
        Self::Metrics,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Resolution => "Resolution",
            Self::TimeStep => "Time step",
            Self::Contact => "Contact",
            Self::Result => "Result",
            Self::Metrics => "Metrics",
            Self::Internals => "Internals",
        }
    }
}

/// How a parameter or a figure is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    /// Name in the model.
    pub name: &'static str,
    /// Where it stands.
    pub group: Group,
    /// What it is called.
    pub label: &'static str,
    /// Its equation or source; empty where the model's own sentence says all.
    pub source: &'static str,
}

/// A table of wordings: name, group, label and source of each.
macro_rules! wordings {
    ($($name:literal: $group:ident, $label:literal, $source:literal;)+) => {
        &[$(Wording { name: $name, group: Group::$group, label: $label, source: $source }),+]
    };
}

const PARAMETERS: &[Wording] = wordings! {
    "young": Material, "Young's modulus", "E, with λ = Eν/((1+ν)(1−2ν)) and μ = E/(2(1+ν))";
    "poisson": Material, "Poisson's ratio", "ν";
    "density": Material, "Density", "ρ, at rest";
    "law": Material, "Material law", "Green: S = λ tr(E) I + 2μE (Debunne et al. 2001, Eqs. 1, 2, 8); Cauchy: the same with the infinitesimal strain; simplified: P = (λ+μ) tr(H) I + μH; corotated: Müller, Gross 2004; stable neo-Hookean: Smith et al. 2018; neo-Hookean: Bonet, Wood 2008, section 6.4.3";
    "damping_ratio": Material, "Damping ratio", "ζ of the lowest mode ω₁; in proportion to stiffness, ζ(ω) = ζ ω/ω₁";
    "damping_rule": Material, "Damping rule", "strain rate: stress with φ and ψ; Rayleigh: C = βK";
    "level": Internals, "Level without a cut", "the one that moves where the body has no cut through its levels";
    "half_width": Resolution, "Half-width of regions", "in cells: a region has (2w+1)³ particles";
    "constraint_level": Resolution, "Constraints coarser by", "in levels; −1: as the budget allows";
    "threshold": Resolution, "Threshold of columns", "ε of James and Pai 2003, section 4: half as large on each coarser level; size against error";
    "safety": TimeStep, "Share of the stable step", "of Δt = √(β² + 4/ω²) − β, with the largest frequency ω and the damping β";
    "steps": TimeStep, "Steps a frame", "";
    "overrun_allowance": TimeStep, "Extra budget for refining", "";
    "max_contacts": Contact, "Largest number of conditions", "capacitance matrix of the touched nodes";
    "recover": Internals, "Opens inverted elements", "";
    "explained_vertex": Internals, "Explained skin vertex", "−1 for none; the one that is picked last; the notes explain it";
};

const FIGURES: &[Wording] = wordings! {
    "level": Resolution, "Finest level used", "0 is the coarsest";
    "particles": Resolution, "Particles", "";
    "regions": Resolution, "Regions", "";
    "volume_ratio": Resolution, "Cell volume / body volume", "1 where the cells fill the body exactly";
    "bodies": Resolution, "Bodies", "";
    "column_bytes": Resolution, "Size of the columns", "of those in use: blocks and indices";
    "column_compression": Resolution, "Compression of columns", "blocks of dense columns over those in use";
    "column_error": Resolution, "Error of the columns", "root mean square beside the stored columns, relative, of 96 columns at most";
    "step_levels": TimeStep, "Step sizes in use", "each element has a step of its own, by powers of two";
    "substeps": TimeStep, "Steps a frame", "of the elements with the smallest step";
    "alpha": TimeStep, "Goal share", "α of v += α (goal − x)/h, the share of the way to its goal that a particle goes in a step";
    "young_reached": Material, "Modulus reached", "Young's modulus that half-width, steps and goal share give";
    "contacts": Contact, "Contact conditions", "";
    "pushing": Contact, "Pushing", "conditions with a force";
    "sticking": Contact, "Sticking", "tangential force below μ times the normal one";
    "sliding": Contact, "Sliding", "tangential force equal to μ times the normal one";
    "left_out": Contact, "Conditions left out", "conditions beyond the most, or beyond the budget";
    "contact_points": Contact, "Contact points", "on the skins of all bodies";
    "contact_pairs": Contact, "Touching pairs", "";
    "bodies_asleep": Result, "Bodies asleep", "";
    "pieces_asleep": Result, "Pieces asleep", "at rest, and not computed until something touches them";
    "broken_links": Result, "Broken links", "between neighbouring particles";
    "single_precision": Internals, "Single precision", "";
};

/// How a parameter is shown; `None` for one that is not known here.
pub fn of_parameter(name: &str) -> Option<&'static Wording> {
    PARAMETERS.iter().find(|w| w.name == name)
}

/// How a figure is shown; `None` for one that is not known here.
pub fn of_figure(name: &str) -> Option<&'static Wording> {
    FIGURES.iter().find(|w| w.name == name)
}

/// Whether a parameter says the same as a figure.
pub fn is_repeated(figure: &str) -> bool {
    figure == "steps_per_frame" || of_parameter(figure).is_some()
}

/// Whether a slider stands below the field of a parameter: where the range is what there is to choose from.
pub fn has_slider(parameter: &str) -> bool {
    parameter == "threshold"
}

/// What a word among which a parameter chooses is called; the word itself where that is plain.
pub fn of_choice(word: &str) -> &str {
    match word {
        "green" => "Green",
        "cauchy" => "Cauchy",
        "stable_neo_hookean" => "stable neo-Hookean",
        "neo_hookean" => "neo-Hookean",
        "strain" => "strain rate",
        "rayleigh" => "Rayleigh",
        plain => plain,
    }
}

/// A model's name for something as words.
pub fn plain(name: &str) -> String {
    capitalised(&name.replace('_', " "))
}

/// The words among which a parameter chooses, where they are known.
pub fn choices(name: &str) -> Option<Vec<&'static str>> {
    use pliant_core::material::MaterialLaw;
    match name {
        "law" => Some(MaterialLaw::ALL.iter().map(|law| law.name()).collect()),
        "damping_rule" => Some(vec!["strain", "rayleigh"]),
        _ => None,
    }
}

/// What a special value means: `none` for no vertex, `auto` for what is chosen by itself.
pub fn special(name: &str, value: f64) -> Option<&'static str> {
    match name {
        "explained_vertex" if value < 0.0 => Some("none"),
        "constraint_level" if value < 0.0 => Some("auto"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_once_and_in_words() {
        for table in [PARAMETERS, FIGURES] {
            for (k, word) in table.iter().enumerate() {
                assert!(!word.label.contains('_'), "{word:?}");
                assert!(table[..k].iter().all(|w| w.name != word.name), "{word:?}");
            }
        }
        assert_eq!(plain("near_inverted"), "Near inverted");
        assert_eq!(plain(""), "");
        for parameter in ["law", "damping_rule"] {
            for choice in choices(parameter).expect("words") {
                assert!(!of_choice(choice).contains('_'), "{choice}");
            }
        }
        assert_eq!(of_choice("corotated"), "corotated");
        assert!(is_repeated("steps_per_frame") && !is_repeated("substeps"));
        assert_eq!(special("explained_vertex", -1.0), Some("none"));
        assert_eq!(special("young", -1.0), None);
    }
}
