//! Parameters, quantities and figures of the model by name.

use pliant_core::elasticity::stress::cauchy_stress;
use pliant_core::inspect::{
    Capabilities, Inspect, ModelStats, ParameterEffect, ParameterError, ParameterInfo,
    ParameterValue, QuantityBuffer, QuantityInfo, QuantityShape, UnknownQuantity,
};
use pliant_core::material::{Damping, MaterialLaw};
use pliant_core::math::Mat3;

use crate::force::damping::LevelDamping;
use crate::governor::criterion::{DEFAULT_SHARE, Indicator, Workspace, indicators, shortest_edges};
use crate::model::adaptive_model::{AdaptiveModel, KIND};
use crate::model::prepared_level::prepare;
use crate::params::{DampingRule, ElementModel};

/// Parameter that asks a place to explain itself.
pub const EXPLAINED: &str = "explained_vertex";

static PARAMETERS: [ParameterInfo; 7] = [
    ParameterInfo {
        name: "law",
        unit: "",
        help: "How strain becomes force: green, cauchy, simplified, stable_neo_hookean, corotated or spring.",
        min: 0.0,
        max: 0.0,
        effect: ParameterEffect::Immediate,
    },
    ParameterInfo {
        name: "damping_ratio",
        unit: "",
        help: "Damping of the lowest mode over the critical one; it grows with the frequency.",
        min: 0.0,
        max: 2.0,
        effect: ParameterEffect::Immediate,
    },
    ParameterInfo {
        name: "damping_rule",
        unit: "",
        help: "What the damping ratio becomes: strain (grows with the frequency) or rayleigh (cheaper on fine levels).",
        min: 0.0,
        max: 0.0,
        effect: ParameterEffect::Immediate,
    },
    ParameterInfo {
        name: "safety",
        unit: "",
        help: "Share of the stable time step that is used.",
        min: 0.05,
        max: 1.0,
        effect: ParameterEffect::Immediate,
    },
    ParameterInfo {
        name: "recover",
        unit: "",
        help: "Pushes nearly inverted Green tetrahedra open.",
        min: 0.0,
        max: 1.0,
        effect: ParameterEffect::Immediate,
    },
    ParameterInfo {
        name: "level",
        unit: "",
        help: "Level of detail that moves, 0 is the coarsest.",
        min: 0.0,
        max: 64.0,
        effect: ParameterEffect::NeedsBake,
    },
    ParameterInfo {
        name: EXPLAINED,
        unit: "",
        help: "Skin vertex under which a place says in the notes why it is as fine as it is and steps as often as it does; -1 for none.",
        min: -1.0,
        max: 1e9 + 1.0,
        effect: ParameterEffect::Immediate,
    },
];

static QUANTITIES: [QuantityInfo; 9] = [
    QuantityInfo {
        name: "displacement",
        unit: "m",
        help: "Distance from the rest position.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "speed",
        unit: "m/s",
        help: "Magnitude of the velocity.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "von_mises_stress",
        unit: "Pa",
        help: "Equivalent Cauchy stress, mean over the tetrahedra around a node.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "volume_ratio",
        unit: "",
        help: "Present over rest volume, mean over the tetrahedra around a node.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "lod_level",
        unit: "",
        help: "Level of detail that moves, 0 is the coarsest.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "dt_level",
        unit: "",
        help: "Binary logarithm of the steps a frame of the fastest element around.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "refinement_indicator",
        unit: "",
        help: "Departure from linear motion around a node over the one from which it is split.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "refused_reason",
        unit: "",
        help: "Why the last wish for more nodes was refused: 0 none was, 1 contact is near, 2 the motion is too far from linear; either way the budget forbids it.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "nodes",
        unit: "",
        help: "Nodes that are computed, with their level.",
        shape: QuantityShape::Points,
    },
];

impl Inspect for AdaptiveModel {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            free_bodies: true,
            inertia: true,
            friction: true,
            large_rotations: !matches!(self.model, ElementModel::Cauchy | ElementModel::Simplified),
        }
    }

    fn parameters(&self) -> &[ParameterInfo] {
        &PARAMETERS
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
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
            "level" => ParameterValue::Number(self.level as f64),
            EXPLAINED => ParameterValue::Number(self.explained.map_or(-1.0, f64::from)),
            _ => return Err(ParameterError::Unknown(name.to_string())),
        })
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let Some(info) = PARAMETERS.iter().find(|p| p.name == name) else {
            return Err(ParameterError::Unknown(name.to_string()));
        };
        let out_of_range = || ParameterError::OutOfRange {
            name: name.to_string(),
            min: info.min,
            max: info.max,
        };
        if info.effect == ParameterEffect::NeedsBake {
            return Err(ParameterError::NeedsBake(name.to_string()));
        }
        match (name, value) {
            (EXPLAINED, ParameterValue::Number(x)) if x >= info.min && x <= info.max => {
                self.explained = (x >= 0.0).then_some(x as u32);
                return Ok(());
            }
            ("law", ParameterValue::Choice(word)) => {
                let model = ElementModel::from_name(&word).ok_or_else(out_of_range)?;
                // springs cannot be weighted between levels
                if self.cut.is_some() && model.law().is_none() {
                    return Err(out_of_range());
                }
                self.model = model;
            }
            ("recover", ParameterValue::Flag(flag)) => self.params.recover = flag,
            ("damping_ratio", ParameterValue::Number(x)) if x >= info.min && x <= info.max => {
                self.damping = Damping::Ratio(x);
            }
            ("damping_rule", ParameterValue::Choice(word)) => {
                self.params.damping_rule =
                    DampingRule::from_name(&word).ok_or_else(out_of_range)?;
            }
            ("safety", ParameterValue::Number(x)) if x >= info.min && x <= info.max => {
                self.params.safety = x;
            }
            _ => return Err(out_of_range()),
        }
        self.rebuild();
        Ok(())
    }

    fn quantities(&self) -> &[QuantityInfo] {
        &QUANTITIES
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        out.clear();
        if let Some(body) = &self.cut {
            return self.sample_cut(body, name, out);
        }
        let level = &self.asset.levels[self.level];
        let (x, v) = (&self.dynamics.positions, &self.dynamics.velocities);
        let embedding = &level.embedding;
        match name {
            "displacement" => {
                for (k, rest) in self.asset.skin.positions.iter().enumerate() {
                    let d = embedding.interpolate(k, x) - rest;
                    out.scalars.push(d.norm() as f32);
                }
            }
            "speed" => {
                let speed = |k| embedding.interpolate(k, v).norm() as f32;
                out.scalars.extend((0..embedding.len()).map(speed));
            }
            "von_mises_stress" => {
                let (lame, law) = (
                    level.material(&self.asset.material).lame(),
                    self.model.law(),
                );
                let law = law.unwrap_or(MaterialLaw::Green);
                self.sample_elements(out, |tet, f| {
                    let stress = cauchy_stress(f, &lame, law) * level.local_stiffness(tet);
                    let deviator = stress - Mat3::identity() * (stress.trace() / 3.0);
                    1.5_f64.sqrt() * deviator.norm()
                });
            }
            "volume_ratio" => self.sample_elements(out, |_, f| f.determinant()),
            "lod_level" => {
                let values = std::iter::repeat_n(self.level as f32, embedding.len());
                out.scalars.extend(values);
            }
            "dt_level" => {
                let step = f64::from(self.substeps.max(1)).log2() as f32;
                out.scalars
                    .extend(std::iter::repeat_n(step, embedding.len()));
            }
            "refinement_indicator" => {
                let split = DEFAULT_SHARE * self.asset.skin.bounds().diagonal();
                let gamma = self.level_indicators();
                for k in 0..embedding.len() {
                    let (nodes, weights) = embedding.row(k);
                    let pairs = nodes.iter().zip(weights);
                    let sum: f64 = pairs.map(|(&n, w)| gamma[n as usize].gamma() * w).sum();
                    out.scalars.push((sum / split) as f32);
                }
            }
            "refused_reason" => {
                // a whole level is withheld by the budget alone: there is no wish of a place
                out.scalars
                    .extend(std::iter::repeat_n(0.0, embedding.len()));
            }
            "nodes" => {
                for p in x {
                    out.push_point(p, self.level as f64);
                }
            }
            _ => return Err(UnknownQuantity(name.to_string())),
        }
        Ok(())
    }

    fn stats(&self) -> ModelStats {
        if let Some(body) = &self.cut {
            return self.cut_stats(body);
        }
        let mut notes = self.asset.notes.clone();
        notes.extend(self.explained.and_then(|v| self.explain(v)));
        let stiffness = self.asset.levels[self.level].stiffness;
        if stiffness != 1.0 {
            notes.push(format!(
                "level {} moves with {stiffness:.3} of the stiffness, with which it vibrates like the finest",
                self.level
            ));
        }
        if self.withheld {
            notes.push(format!(
                "the budget holds level {} of {}: a finer one would take too long",
                self.level,
                self.asset.levels.len()
            ));
        }
        if self.scan.near_inverted > 0 {
            notes.push(format!(
                "{} tetrahedra are pressed below a fifth of their volume",
                self.scan.near_inverted
            ));
        }
        if self.added_mass > 1e-3 {
            notes.push(format!(
                "{:.1} % of the mass was added to the stiffest elements for a longer step: statics do not change, modes slow down by at most half of it",
                self.added_mass * 100.0
            ));
        }
        ModelStats {
            active_nodes: self.dynamics.positions.len(),
            total_nodes: self.asset.levels.iter().map(|l| l.node_count()).sum(),
            elements: self.dynamics.field.element_count(),
            bytes: self.asset.bytes() + self.dynamics.positions.len() * 200,
            counters: vec![
                ("level", self.level as f64),
                ("substeps", f64::from(self.substeps)),
                ("near_inverted", f64::from(self.scan.near_inverted)),
                ("blended", f64::from(self.blended)),
            ],
            notes,
        }
    }
}

impl AdaptiveModel {
    /// Indicators of the nodes of the level that moves.
    fn level_indicators(&self) -> Vec<Indicator> {
        let level = &self.asset.levels[self.level];
        let tets = level.mesh.tets.iter().copied().zip(level.shapes.iter());
        let shortest = shortest_edges(&level.mesh.nodes, &level.mesh.tets);
        let law = self.model.law().unwrap_or(MaterialLaw::Green);
        let mut found = Vec::new();
        indicators(
            tets,
            &self.dynamics.positions,
            &shortest,
            &self.asset.material.lame(),
            law,
            &mut Workspace::default(),
            &mut found,
        );
        found
    }

    /// Forces and steps again, after a change of law, damping or safety.
    fn rebuild(&mut self) {
        let level = &self.asset.levels[self.level];
        let prepared = prepare(&self.asset, level, self.model, self.damping, &self.params);
        self.dynamics.field = prepared.field;
        self.dynamics.drag = prepared.drag;
        self.dynamics.set_masses(level, prepared.masses);
        self.dynamics.filter = prepared.filter;
        self.added_mass = prepared.added_mass;
        self.steps = prepared.steps;
        self.outdate();
        if let Some(body) = &mut self.cut {
            body.dynamics
                .set_material(self.model, self.damping, &self.params);
        }
    }

    /// Volume-weighted nodal means of a function of tetrahedron and deformation gradient, on the skin.
    fn sample_elements(&self, out: &mut QuantityBuffer, value: impl Fn(usize, &Mat3) -> f64) {
        let level = &self.asset.levels[self.level];
        let mut sums = vec![(0.0, 0.0); level.node_count()];
        for (t, (tet, shape)) in level.mesh.tets.iter().zip(level.shapes.iter()).enumerate() {
            let f = shape.gradient_of(tet.map(|n| self.dynamics.positions[n as usize]));
            let x = value(t, &f);
            for &n in tet {
                sums[n as usize].0 += x * shape.volume;
                sums[n as usize].1 += shape.volume;
            }
        }
        for k in 0..level.embedding.len() {
            let (nodes, weights) = level.embedding.row(k);
            let x: f64 = nodes
                .iter()
                .zip(weights)
                .map(|(&n, w)| w * sums[n as usize].0 / sums[n as usize].1)
                .sum();
            out.scalars.push(x as f32);
        }
    }
}
