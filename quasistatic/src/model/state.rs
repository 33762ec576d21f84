//! The mutable state of a model, and its settings.

use pliant_core::math::Vec3;

use crate::asset::GreensAsset;
use crate::asset::inside::PointState;
use crate::contact::friction::FrictionMemory;
use crate::contact::held_frames::HeldFrames;
use crate::contact::level_choice::LevelChoice;
use crate::greens::SkinRows;
use crate::model::blend::Blend;
use crate::params::ConstraintLevel;

/// Settings that can change while the model runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    pub young: f64,
    pub density: f64,
    pub max_contacts: usize,
    pub constraint_level: ConstraintLevel,
    /// Threshold of the columns in use; 0 where they are not wavelets.
    pub column_threshold: f64,
}

/// The mutable state.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct State {
    /// Displacements of the free boundary nodes as solved, three numbers a node, m.
    pub field: Vec<f64>,
    /// Skin vertices whose contact pushes, ascending.
    pub pushing: Vec<u32>,
    /// Contacts with friction that pushed, ascending by vertex.
    pub friction: Vec<FrictionMemory>,
    /// Constrained skin vertices of the last frame.
    pub vertices: Vec<u32>,
    /// Reported force of each constraint on the body, N.
    pub reactions: Vec<Vec3>,
    /// Reported force of each support on the body, N.
    pub support_reactions: Vec<Vec3>,
    /// Load on each point inside, N.
    pub loads: Vec<Vec3>,
    /// State of each point inside in the last frame.
    pub inside: Vec<PointState>,
    /// The level of constraints, and for how many frames a finer one would have been affordable.
    pub level: LevelChoice,
    /// The last frames, as far as they kept the solution before them.
    pub held: HeldFrames,
    /// Remaining difference to the previous level.
    pub blend: Blend,
}

impl Settings {
    /// Factor of compliances, which scale with the inverse modulus: `F(E) = F(E₀) E₀/E`.
    pub fn compliance_scale(&self, asset: &GreensAsset) -> f64 {
        asset.material.elastic.young / self.young
    }

    /// Factor of weights, which scale with density; zero for a body that was baked without mass.
    pub fn weight_scale(&self, asset: &GreensAsset) -> f64 {
        let baked = asset.material.density;
        if baked > 0.0 {
            self.density / baked
        } else {
            0.0
        }
    }
}

impl State {
    /// Displayed displacement of a skin vertex, m: the solution plus the remaining difference to the previous level.
    pub fn displayed(&self, rows: &SkinRows, vertex: usize) -> Vec3 {
        let solved = rows.interpolate(vertex, &self.field);
        match self.blend.weight() {
            0.0 => solved,
            weight => solved + rows.interpolate(vertex, self.blend.field()) * weight,
        }
    }

    /// The state at rest.
    pub fn at_rest(asset: &GreensAsset) -> Self {
        Self {
            field: vec![0.0; 3 * asset.nodes()],
            support_reactions: vec![Vec3::zeros(); asset.supports.len()],
            loads: asset.inside.iter().map(|point| point.named.load).collect(),
            inside: vec![PointState::default(); asset.inside.len()],
            ..Self::default()
        }
    }
}
