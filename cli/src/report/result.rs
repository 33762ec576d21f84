//! The JSON object of a comparison, which has every number of its page.

use pliant_core::material::{Damping, Material};
use pliant_simulation::compare::Comparison;
use pliant_simulation::setup::Setup;
use serde_json::{Map, Value, json};

use super::checks::CheckResult;
use super::metrics::{method_json, pairs_json};
use super::moments::moments_json;
use super::{findings, reference};
use crate::machine::machine_line;

/// The whole object, without the files; `repeat` is the command that repeats the comparison.
pub fn result_json(comparison: &Comparison, checks: &[CheckResult], repeat: &str) -> Value {
    let methods = comparison.methods.iter();
    let methods: Map<String, Value> = methods
        .map(|result| {
            let name = result.method.name().into();
            (name, method_json(result, comparison))
        })
        .collect();
    let checks_json: Vec<Value> = checks.iter().map(CheckResult::json).collect();
    let mut value = scene_json(&comparison.setup, repeat);
    value["methods"] = Value::Object(methods);
    value["pairs"] = pairs_json(comparison);
    value["reference"] = reference::reference_json(comparison);
    value["checks"] = json!(checks_json);
    value["moments"] = moments_json(comparison);
    value["findings"] = json!(findings::of_run(comparison, checks));
    value["notes"] = json!(comparison.setup.note_texts().collect::<Vec<_>>());
    value
}

/// Scene, material, program and machine; `repeat` is the command that repeats the run.
pub fn scene_json(setup: &Setup, repeat: &str) -> Value {
    let description = &setup.description;
    json!({
        "pliant": env!("CARGO_PKG_VERSION"),
        "scene": description.name,
        "title": description.title,
        "skin_vertices": setup.skin().vertex_count(),
        "frame_rate_hz": description.frame_rate,
        "material": material_json(&description.body.material),
        "repeat": repeat,
        "machine": machine_line(),
    })
}

fn material_json(material: &Material) -> Value {
    let (ratio, parameters) = match material.damping {
        Damping::Ratio(ratio) => (Some(ratio), None),
        Damping::Parameters(parameters) => (None, Some(parameters)),
    };
    json!({
        "law": material.law.name(),
        "young_pa": material.elastic.young,
        "poisson": material.elastic.poisson,
        "density_kg_m3": material.density,
        "zeta": ratio,
        "phi_pa_s": parameters.map(|p| p.phi),
        "psi_pa_s": parameters.map(|p| p.psi),
    })
}

#[cfg(test)]
mod tests {
    use pliant_core::material::DampingParameters;

    use super::*;

    #[test]
    fn a_material_has_the_damping_that_its_scene_gives() {
        let material = Material::isotropic(2e4, 0.25).with_damping_ratio(0.5);
        let found = material_json(&material);
        assert_eq!(found["young_pa"], 2e4);
        assert_eq!(found["poisson"], 0.25);
        assert_eq!(found["zeta"], 0.5);
        assert!(found["phi_pa_s"].is_null());
        let damping = DampingParameters { phi: 3.0, psi: 4.0 };
        let found = material_json(&Material {
            damping: Damping::Parameters(damping),
            ..material
        });
        assert_eq!([&found["phi_pa_s"], &found["psi_pa_s"]], [3.0, 4.0]);
        assert!(found["zeta"].is_null());
    }
}
