//! An advice as JSON.

use pliant_simulation::advice::{Advice, Outcome, SettingValue, TriedCandidate};
use pliant_simulation::reference::ReferenceForce;
use pliant_simulation::setup::Setup;
use serde_json::{Map, Value, json};

use crate::failure::one_line;
use crate::machine::machine_line;

/// The JSON object of an advice.
pub(super) fn advice_json(advice: &Advice, setup: &Setup) -> Value {
    let reference = &advice.reference;
    let reference_force = reference.force.as_ref();
    let candidates: Vec<Value> = (0..advice.tried.len())
        .map(|k| candidate_json(advice, k))
        .collect();
    json!({
        "scene": setup.description.name,
        "budget_ms": advice.goal.budget_ms(),
        "error": advice.goal.error(),
        "skin_error": advice.goal.skin_error(),
        "judged_by": advice.error_measure.name(),
        "meets_both": advice.choice.meets_all(),
        "advised": advice.choice.index(),
        "method": advice.advised().method.name(),
        "settings": settings_json(&advice.tried[advice.choice.index()]),
        "reason": advice.reason,
        "front": advice.front,
        "candidates": candidates,
        "unsteadiness": advice.unsteadiness,
        "frames": advice.frames,
        "reference": {
            "nodes": reference.nodes(),
            "force_n": reference_force.map(|f| f.force),
            "uncertainty": reference_force.map(ReferenceForce::relative_uncertainty),
            "seconds": reference.seconds,
            "from_cache": reference.from_cache,
            "notes": reference.notes,
        },
        "notes": setup.note_texts().collect::<Vec<_>>(),
        "machine": machine_line(),
        "seconds": advice.seconds,
    })
}

fn candidate_json(advice: &Advice, index: usize) -> Value {
    let one = &advice.tried[index];
    let mut value = json!({
        "method": one.candidate.method.name(),
        "settings": settings_json(one),
        "label": one.candidate.label(),
    });
    match &one.outcome {
        Outcome::Measured(f) => {
            value["outcome"] = json!("measured");
            value["median_ms"] = json!(f.median_ms);
            value["p99_ms"] = json!(f.p99_ms);
            value["force_n"] = json!(f.force);
            value["force_error"] = json!(f.force_error);
            value["skin_error"] = json!(f.skin);
            value["bake_s"] = json!(f.bake_s);
            value["from_cache"] = json!(f.from_cache);
            value["memory_mb"] = json!(f.bytes as f64 * 1e-6);
            value["active_nodes_max"] = json!(f.active_nodes);
            value["surface_hash"] = json!(format!("{:016x}", f.surface_hash));
            value["on_front"] = json!(advice.front.contains(&index));
            value["chance"] = json!(one.chance);
            let point = f.point(advice.error_measure);
            value["meets_both"] = json!(advice.goal.is_met_by(&point));
        }
        Outcome::Refused(fault) => {
            value["outcome"] = json!("refused");
            value["code"] = json!(fault.code);
            value["reason"] = json!(one_line(&fault.reason));
        }
        Outcome::Skipped { reason } => {
            value["outcome"] = json!("skipped");
            value["reason"] = json!(reason);
        }
    }
    value
}

/// Scene keys with their values; `null` for a key that is removed.
fn settings_json(one: &TriedCandidate) -> Value {
    let settings = one.candidate.settings.iter();
    let object: Map<String, Value> = settings
        .map(|setting| {
            let value = match &setting.value {
                None => Value::Null,
                Some(SettingValue::Number(x)) => json!(x),
                Some(SettingValue::Count(n)) => json!(n),
                Some(SettingValue::Counts(counts)) => json!(counts),
                Some(SettingValue::Word(word)) => json!(word),
            };
            (setting.path(), value)
        })
        .collect();
    Value::Object(object)
}
