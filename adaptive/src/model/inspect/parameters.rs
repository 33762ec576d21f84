//! Parameters of the model by name.

use pliant_core::inspect::{ParameterError, ParameterInfo, ParameterValue};
use pliant_core::material::Damping;

use crate::force::damping::LevelDamping;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::prepared_level::prepare;
use crate::params::{DampingRule, ElementModel};
use crate::step::subcycling::AddedInertia;

/// Parameter: the skin vertex whose resolution and step the notes explain.
pub const EXPLAINED: &str = "explained_vertex";

/// Parameter: the work of a frame beyond the budget, over the budget, that is allowed for a short time.
pub const OVERRUN_ALLOWANCE: &str = "overrun_allowance";

pub(crate) static PARAMETERS: [ParameterInfo; 8] = pliant_core::parameters! {
    "law", "", 0.0 => 0.0, Immediate, "How strain becomes force: the name of a material law, or spring.";
    "damping_ratio", "", 0.0 => 2.0, Immediate, "Damping of the lowest mode over the critical one; it grows with the frequency.";
    "damping_rule", "", 0.0 => 0.0, Immediate, "What the damping ratio becomes: strain (grows with the frequency) or rayleigh (cheaper on fine levels).";
    "safety", "", 0.05 => 1.0, Immediate, "Share of the stable time step that is used.";
    "recover", "", 0.0 => 1.0, Immediate, "Pushes nearly inverted Green tetrahedra open.";
    OVERRUN_ALLOWANCE, "", 0.0 => 4.0, Immediate, "What a frame that refines or coarsens may cost beyond the budget, as a share of it; 0 keeps the budget in every frame.";
    "level", "", 0.0 => 64.0, NeedsBake, "Level of detail that moves, 0 is the coarsest.";
    EXPLAINED, "", -1.0 => 1e9 + 1.0, Observation, "Skin vertex at which the notes explain the resolution and the number of steps; -1 for none.";
};

impl AdaptiveModel {
    pub(crate) fn named_parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        Ok(match name {
            "law" => ParameterValue::Choice(self.model.name().to_string()),
            "damping_ratio" => ParameterValue::Number(match self.damping {
                Damping::Ratio(zeta) => zeta,
                Damping::Parameters(_) => {
                    let level = &self.asset.levels[self.level];
                    let lowest = self.asset.lowest_frequency;
                    let lame = level.material(&self.asset.material).lame();
                    let rule = self.params.damping_rule;
                    LevelDamping::new(self.damping, rule, &lame, lowest, level).time * lowest / 2.0
                }
            }),
            "damping_rule" => ParameterValue::Choice(self.params.damping_rule.name().to_string()),
            "safety" => ParameterValue::Number(self.params.safety),
            "recover" => ParameterValue::Flag(self.params.recover),
            OVERRUN_ALLOWANCE => ParameterValue::Number(self.params.overrun_allowance),
            "level" => ParameterValue::Number(self.level as f64),
            EXPLAINED => ParameterValue::Number(self.explained.map_or(-1.0, f64::from)),
            _ => return Err(ParameterError::Unknown(name.to_string())),
        })
    }

    pub(crate) fn set_named_parameter(
        &mut self,
        name: &str,
        value: ParameterValue,
    ) -> Result<(), ParameterError> {
        let info = ParameterInfo::settable(&PARAMETERS, name)?;
        let out_of_range = || info.out_of_range();
        match (name, value) {
            (EXPLAINED, ParameterValue::Number(x)) if info.accepts(x) => {
                self.explained = (x >= 0.0).then_some(x as u32);
                return Ok(());
            }
            (OVERRUN_ALLOWANCE, ParameterValue::Number(x)) if info.accepts(x) => {
                self.params.overrun_allowance = x;
                return Ok(());
            }
            ("law", ParameterValue::Choice(word)) => {
                let model = ElementModel::from_name(&word).ok_or_else(out_of_range)?;
                // a cut is refined by the stress, which springs do not have
                if self.cut.is_some() && model.law().is_none() {
                    return Err(out_of_range());
                }
                self.model = model;
            }
            ("recover", ParameterValue::Flag(flag)) => self.params.recover = flag,
            ("damping_ratio", ParameterValue::Number(x)) if info.accepts(x) => {
                self.damping = Damping::Ratio(x);
            }
            ("damping_rule", ParameterValue::Choice(word)) => {
                self.params.damping_rule =
                    DampingRule::from_name(&word).ok_or_else(out_of_range)?;
            }
            ("safety", ParameterValue::Number(x)) if info.accepts(x) => {
                self.params.safety = x;
            }
            _ => return Err(out_of_range()),
        }
        self.rebuild();
        Ok(())
    }

    /// Prepares forces and steps again, after a change of law, damping or safety.
    fn rebuild(&mut self) {
        self.wake_all_pieces();
        self.remove_added_inertia();
        let asset = self.asset.clone();
        let cut = self.cutting.as_ref().and_then(|c| c.level().cloned());
        let level = cut.as_deref().unwrap_or(&asset.levels[self.level]);
        let prepared = prepare(&self.asset, level, self.model, self.damping, &self.params);
        self.dynamics.field = prepared.field;
        self.dynamics.drag = prepared.drag;
        if let Some(added) = &mut self.added_inertia {
            **added = AddedInertia::new(prepared.corners, prepared.masses.clone());
        }
        self.dynamics.set_masses(level, prepared.masses);
        self.dynamics.filter = prepared.filter;
        self.added_mass = prepared.added_mass;
        self.steps = prepared.steps;
        self.clear_stiff_elements();
        self.invalidate();
        if let Some(body) = &mut self.cut {
            body.dynamics
                .set_material(self.model, self.damping, &self.params);
        }
    }
}
