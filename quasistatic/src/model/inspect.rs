//! Numbers, fields and parameters for viewers.

use pliant_core::inspect::{
    Capabilities, Inspect, ModelStats, ParameterError, ParameterInfo, ParameterValue, PointReading,
    QuantityBuffer, QuantityInfo, UnknownQuantity,
};

use crate::model::QuasistaticModel;
use crate::model::constraint_level::{constraint_level_from_number, constraint_level_number};

/// Quantities of the skin, and after them those of points inside.
const QUANTITIES: [QuantityInfo; 4] = pliant_core::quantities! {
    "displacement", "m", VertexScalar, "Distance of each skin vertex from rest.";
    "traction", "Pa", VertexScalar, "Reaction of each constrained skin vertex over its share of the area.";
    "inside_displacement", "m", Points, "Distance of each point inside from rest.";
    "inside_von_mises", "Pa", Points, "Stress of von Mises at each point inside.";
};
/// Number of quantities of the skin.
const SKIN_QUANTITIES: usize = 2;

impl Inspect for QuasistaticModel {
    fn kind(&self) -> &'static str {
        "quasistatic"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            free_bodies: false,
            inertia: false,
            friction: true,
            large_rotations: false,
        }
    }

    fn parameters(&self) -> &[ParameterInfo] {
        &self.parameters
    }

    fn parameter(&self, name: &str) -> Result<ParameterValue, ParameterError> {
        let value = match name {
            "young" => self.settings.young,
            "density" => self.settings.density,
            "poisson" => self.asset.material.elastic.poisson,
            "max_contacts" => self.settings.max_contacts as f64,
            "constraint_level" if self.constraint_levels() > 0 => {
                constraint_level_number(self.settings.constraint_level)
            }
            "threshold" if self.stored.is_some() => self.settings.column_threshold,
            _ => return Err(ParameterError::Unknown(name.to_string())),
        };
        Ok(ParameterValue::Number(value))
    }

    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let info = ParameterInfo::settable(&self.parameters, name)?;
        let refused = info.out_of_range();
        match value {
            ParameterValue::Number(x) if info.accepts(x) => {
                match name {
                    "constraint_level" => {
                        self.settings.constraint_level = constraint_level_from_number(x.round());
                    }
                    // fails only on a threshold out of range
                    "threshold" => self.set_column_threshold(x).map_err(|_| refused)?,
                    "young" => self.settings.young = x,
                    "density" => self.settings.density = x,
                    _ => self.settings.max_contacts = x as usize,
                }
                Ok(())
            }
            _ => Err(refused),
        }
    }

    fn quantities(&self) -> &[QuantityInfo] {
        match self.inside() {
            [] => &QUANTITIES[..SKIN_QUANTITIES],
            _ => &QUANTITIES,
        }
    }

    fn sample_quantity(&self, name: &str, out: &mut QuantityBuffer) -> Result<(), UnknownQuantity> {
        let vertices = self.asset.skin.vertex_count();
        match name {
            "displacement" => {
                out.clear();
                let lengths = (0..vertices).map(|v| self.displacement(v).norm() as f32);
                out.scalars.extend(lengths);
            }
            "traction" => {
                out.clear();
                out.scalars.resize(vertices, 0.0);
                for (&v, force) in self.state.vertices.iter().zip(&self.state.reactions) {
                    let area = self.skin_areas.get(v as usize).copied().unwrap_or(0.0);
                    if area > 0.0 {
                        out.scalars[v as usize] = (force.norm() / area) as f32;
                    }
                }
            }
            "inside_displacement" | "inside_von_mises" if !self.inside().is_empty() => {
                out.clear();
                self.visit_points(&mut |point| {
                    let state = &point.state;
                    let value = match name {
                        "inside_displacement" => state.displacement.norm(),
                        _ => state.von_mises(),
                    };
                    out.push_point(&(point.rest + state.displacement), value);
                });
            }
            _ => return Err(UnknownQuantity(name.to_string())),
        }
        Ok(())
    }

    fn visit_points(&self, visit: &mut dyn FnMut(PointReading<'_>)) {
        for (point, state) in self.inside().iter().zip(self.inside_states()) {
            visit(PointReading {
                name: &point.named.name,
                rest: point.named.point,
                state: *state,
            });
        }
    }

    fn stats(&self) -> ModelStats {
        let frame = &self.frame;
        let mut notes = self.asset.notes.clone();
        notes.push("linear: valid for small strains and rotations".to_string());
        notes.push("the supports do not move: the body frame is the world frame".to_string());
        if frame.too_few {
            notes.push(format!(
                "{} contact conditions were left out, more than `max_contacts` or the budget allows",
                frame.left_out
            ));
        }
        if frame.dependent > 0 {
            notes.push(format!(
                "DependentConstraint: {} conditions repeat others or are on a support",
                frame.dependent
            ));
        }
        let mut counters = vec![
            ("contacts", frame.contacts as f64),
            ("pushing", frame.pushing as f64),
            ("solves", f64::from(frame.solves)),
            ("factorisations", f64::from(frame.factorisations)),
            ("inverse_updates", f64::from(frame.updates)),
            ("columns", frame.columns as f64),
            ("dependent_constraints", frame.dependent as f64),
            ("sticking", frame.sticking as f64),
            ("sliding", frame.sliding as f64),
            ("left_out", frame.left_out as f64),
            ("levels_coarser", frame.levels_coarser as f64),
            ("coarse_constraints", frame.coarse_constraints as f64),
            ("abandoned", frame.abandoned as f64),
            ("held_frames", f64::from(frame.held)),
        ];
        let mut bytes = self.asset.bytes() + 8 * self.state.field.len();
        if let (Some(stored), Some(in_use)) = (&self.stored, self.asset.matrix.wavelet_columns()) {
            counters.extend(stored.figures(in_use));
            bytes += stored.additional_bytes(&self.asset);
        }
        ModelStats {
            active_nodes: self.asset.nodes(),
            total_nodes: self.asset.unknowns / 3,
            elements: 3 * self.asset.nodes(),
            bytes,
            counters,
            notes,
            explanation: None,
        }
    }
}
