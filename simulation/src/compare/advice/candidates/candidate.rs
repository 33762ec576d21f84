//! A method with settings.

use std::mem::discriminant;

use pliant_core::scene::Method;

use super::setting::Setting;

/// What the candidates of a family have in common: they differ by one resolution, and cost grows with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Finite elements on a cut through all levels.
    Cut,
    /// Finite elements on one level.
    Level,
    /// Dense Green's functions.
    Dense,
    /// Dense Green's functions with the other kind of loads: on faces they are those of linear elasticity, on corners softer.
    OtherLoads,
    /// Green's functions in wavelets.
    Wavelets,
    /// Cells of a lattice with regions of one half-width. The same cells are softer with larger regions, so that candidates of several half-widths are no sequence.
    Cells {
        /// Half-width of the regions, link steps; `None` where no admissible one reaches Young's modulus.
        half_width: Option<usize>,
    },
}

impl Family {
    /// Whether costs grow with the resolution through the candidates of both families: they do through lattices of all half-widths.
    pub(in crate::compare::advice) fn shares_costs_with(self, other: Self) -> bool {
        discriminant(&self) == discriminant(&other)
    }
}

/// A method with settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Which method.
    pub method: Method,
    /// What it varies.
    pub family: Family,
    /// What differs from the scene; empty for the scene as it is.
    pub settings: Vec<Setting>,
    /// What is varied: ms, nodes, or cells.
    pub resolution: f64,
}

impl Candidate {
    /// "budget_ms = 4", or that nothing differs from the scene. Removed keys are left out.
    pub fn label(&self) -> String {
        let set = self.settings.iter().filter(|s| s.value.is_some());
        let words: Vec<String> = set.map(Setting::to_string).collect();
        if words.is_empty() {
            "as the scene says".into()
        } else {
            words.join(", ")
        }
    }
}
