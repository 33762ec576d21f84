//! Parameters and quantities of a lattice for viewers.

use pliant_core::inspect::{
    Capabilities, Inspect, ModelStats, ParameterError, ParameterInfo, ParameterValue,
    QuantityBuffer, QuantityInfo, UnknownQuantity,
};
use pliant_core::material::Damping;
use pliant_core::math::numbers::decimal;

use crate::bake::stiffness_weights::stiffest_material;
use crate::error::{LatticeError, MAX_STEPS};
use crate::model::{KIND, LatticeModel};
use crate::params::{LatticeParams, ShapeMatching};
use crate::step::calibrate::calibrate;
use crate::step::matching::angle;
use crate::step::single::single_precision::SinglePrecision;

static PARAMETERS: [ParameterInfo; 4] = pliant_core::parameters! {
    "young", "Pa", 1.0 => 1e12, Immediate, "Young's modulus; steps and goal share follow from it";
    "steps", "", 0.0 => MAX_STEPS as f64, Immediate, "Steps a frame; 0 takes the fewest that the stiffness needs";
    "damping_ratio", "", 0.0 => 10.0, Immediate, "Damping ratio of the lowest elastic mode";
    "half_width", "", 1.0 => 16.0, NeedsBake, "Half-width of the regions in cells: larger ones are stiffer at the same step and blur local contact";
};

static QUANTITIES: [QuantityInfo; 2] = pliant_core::quantities! {
    "goal_offset", "m", Points, "Distance of each particle from its goal in the last step, proportional to the elastic force on it";
    "region_rotation", "rad", Points, "Rotation of each particle's region from rest";
};

impl LatticeModel {
    /// Damping ratio of the lowest mode that the material asks for.
    fn requested_damping_ratio(&self) -> f64 {
        match self.material.damping {
            Damping::Ratio(zeta) => zeta,
            Damping::Parameters(_) => {
                let plan = self.frame_plan(self.params.frame_duration);
                let mut gain = plan.damping.gain + plan.damping.missing;
                if plan.damp_globally {
                    gain /= self.asset.lowest_eigenvalue.max(f64::MIN_POSITIVE);
                }
                0.5 * gain * (self.asset.lowest_eigenvalue / plan.alpha).sqrt()
            }
        }
    }

    /// Approximate bytes of state and work space.
    fn state_bytes(&self) -> usize {
        let (particles, regions) = (self.asset.particle_count(), self.asset.region_count());
        // positions and velocities twice, supports; then sums and rotations in single precision, and smoothing
        let single = particles * (4 * 24 + 13 + 8 + 4 * 38 + 24);
        if !self.energy_accounting {
            return single;
        }
        let pieces = self.asset.plan.bars.len() + self.asset.plan.plates.len();
        // rotations, fields, sums and velocities in a step, in double precision
        particles * (9 * 24 + 96 + 48)
            + regions * (32 + 24 + 3 * 96 + 3 * 48)
            + pieces * (96 + 48)
            + self.fast.as_ref().map_or(0, |_| single / 2)
    }

    fn recalibrate(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut LatticeParams, &mut f64),
    ) -> Result<(), ParameterError> {
        let (mut params, mut material) = (self.params.clone(), self.material);
        change(&mut params, &mut material.elastic.young);
        // a modulus is set: the goal share has to follow
        params.alpha = None;
        let stiff = stiffest_material(&material, self.asset.stiffest);
        match calibrate(&stiff, self.asset.cell, &params) {
            Ok(calibration) => {
                self.calibration = calibration;
                self.material = material;
                self.params = params;
                Ok(())
            }
            Err(LatticeError::StiffnessUnreachable {
                e_max,
                needed_substeps,
                ..
            }) => {
                let (min, max) = match name {
                    "steps" => (needed_substeps as f64, f64::from(MAX_STEPS)),
                    _ => (1.0, e_max),
                };
                Err(ParameterError::OutOfRange {
                    name: name.to_string(),
                    min,
                    max,
                })
            }
            Err(_) => Err(ParameterError::OutOfRange {
                name: name.to_string(),
                min: 1.0,
                max: 1e12,
            }),
        }
    }
}

impl Inspect for LatticeModel {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn parameters(&self) -> &[ParameterInfo] {
        &PARAMETERS
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        let value = match name {
            "young" => self.material.elastic.young,
            "steps" => f64::from(self.calibration.steps),
            "damping_ratio" => self.requested_damping_ratio(),
            "half_width" => self.asset.half_width as f64,
            _ => return Err(ParameterError::Unknown(name.to_string())),
        };
        Ok(ParameterValue::Number(value))
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let info = ParameterInfo::settable(&PARAMETERS, name)?;
        let number = match value {
            ParameterValue::Number(x) if info.accepts(x) => x,
            _ => return Err(info.out_of_range()),
        };
        let done = match name {
            "young" => self.recalibrate(name, |_, young| *young = number),
            "steps" => self.recalibrate(name, |params, _| {
                params.steps = Some(number as u32).filter(|&n| n > 0);
            }),
            _ => {
                self.material.damping = Damping::Ratio(number);
                Ok(())
            }
        };
        self.wake_all_pieces();
        done
    }

    fn quantities(&self) -> &[QuantityInfo] {
        &QUANTITIES
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        out.clear();
        match name {
            "goal_offset" => {
                for (p, x) in self.x.iter().enumerate() {
                    let offset = match self.single_precision_alone() {
                        Some(fast) => fast.offset(p, self.asset.cell),
                        None => self.offsets[p],
                    };
                    out.push_point(x, offset.norm());
                }
            }
            "region_rotation" => {
                for (p, x) in self.x.iter().enumerate() {
                    out.push_point(x, angle(&self.rotation_of(p)));
                }
            }
            _ => return Err(UnknownQuantity(name.to_string())),
        }
        Ok(())
    }

    fn stats(&self) -> ModelStats {
        let asset = &*self.asset;
        let particles = asset.particle_count();
        let held = (0..particles).filter(|&p| self.is_held(p)).count();
        let asleep = self.sleep_state().map_or(0, |s| s.particles().count());
        let c = &self.calibration;
        let plan = self.frame_plan(self.params.frame_duration);
        let mut notes = asset.notes();
        let first = match self.params.matching {
            ShapeMatching::Lattice => format!(
                "Young's modulus reached: {} Pa with half-width {}, {} steps a frame and goal share {:.4}",
                decimal(c.young),
                c.half_width,
                c.steps,
                c.alpha
            ),
            whole => format!(
                "the whole body is matched as one ({whole:?}), {} steps a frame with goal share {:.4}: Young's modulus and half-width have no effect, and energies are not computed",
                c.steps, c.alpha
            ),
        };
        notes.insert(0, first);
        if self.params.matching == ShapeMatching::Lattice && c.half_width > 1 {
            let w = c.half_width as f64;
            let steps = f64::from(c.steps) * (c.alpha * w * (w + 1.0) / 2.0).sqrt();
            notes.push(format!(
                "regions of half-width {} are softer than the material at the surface, beside supports and under tools, so that forces there are too small\n  remedy: use fewer cells, or half_width = 1 with steps = {:.0}, which takes longer",
                c.half_width,
                steps.ceil()
            ));
        }
        if !self.energy_accounting && particles > SinglePrecision::MAX_ACCOUNTED_PARTICLES {
            notes.push(
                "the energies of so large a body are not computed, to save memory".to_string(),
            );
        }
        let damping = plan.damping;
        if damping.missing > 0.0 {
            let share = 100.0 * damping.missing / (damping.gain + damping.missing);
            notes.push(if asset.held.is_empty() {
                format!("{share:.0} % of the damping of the lowest mode is missing; more steps a frame damp more")
            } else {
                format!("{share:.0} % of the damping of the lowest mode acts as drag; faster modes are damped less than in proportion to stiffness")
            });
        }
        let mut counters = vec![
            ("particles", particles as f64),
            ("regions", asset.region_count() as f64),
            ("components", asset.component_count() as f64),
            ("steps_per_frame", f64::from(c.steps)),
            ("alpha", c.alpha),
            ("half_width", c.half_width as f64),
            ("young_reached", c.young),
            ("damping_applications", damping.stages as f64),
            ("volume_ratio", asset.volume_ratio),
            ("broken_links", self.broken_links().len() as f64),
            (
                "jacobi_sweeps_per_solve",
                self.matching
                    .jacobi
                    .as_ref()
                    .map_or(0.0, |j| j.sweeps_per_solve()),
            ),
            ("single_precision", f64::from(u8::from(self.fast.is_some()))),
        ];
        if self.fracture.is_some() {
            counters.push(("pieces_asleep", self.pieces_asleep() as f64));
        }
        ModelStats {
            active_nodes: particles - held - asleep,
            total_nodes: particles,
            elements: asset.region_count(),
            bytes: asset.bytes() + self.state_bytes(),
            counters,
            notes,
            explanation: None,
        }
    }
}
