//! Results as JSON.

use pliant_core::inspect::PointState;
use pliant_core::math::numbers::places;
use pliant_simulation::compare::{
    CarrierWrench, Comparison, FIGURES, MethodResult, MethodRun, PointCurve, Press,
};
use pliant_simulation::world::{FrameMetrics, METRICS};
use serde_json::{Map, Value, json};

use super::findings;
use crate::failure::one_line;
use crate::output::vector;

/// Suffix of the time of a bake whose asset was only loaded.
pub fn cache_suffix(from_cache: bool) -> &'static str {
    match from_cache {
        true => " (from the cache)",
        false => "",
    }
}

/// The JSON object of one method.
pub fn method_json(result: &MethodResult, comparison: &Comparison) -> Value {
    let run = match &result.outcome {
        Err(reason) => {
            return json!({ "applicable": false, "code": reason.code, "reason": one_line(&reason.reason) });
        }
        Ok(run) => run,
    };
    let mut reactions = Map::new();
    for (name, force) in &run.reactions {
        // a support and a tool may have the same name
        let numbered = (2..).map(|k| format!("{name} ({k})"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        if let Some(free) = names.find(|name| !reactions.contains_key(name)) {
            reactions.insert(free, vector(force));
        }
    }
    let carriers = run.carriers.iter();
    let carriers: Value = carriers
        .map(|carrier| (carrier.name.clone(), carrier_json(carrier)))
        .collect();
    let mut probes = Map::new();
    for k in 0..run.probe_curves.len() {
        let (last, largest) = run.probe_summary(k);
        let oscillation = run.probe_oscillation(k);
        probes.insert(
            run.probe_curves[k].0.clone(),
            json!({
                "final": vector(&last),
                "final_displacement": last.norm(),
                "max_displacement": largest,
                "frequency_hz": oscillation.map(|o| o.frequency),
                "damping_ratio": oscillation.map(|o| o.damping_ratio),
            }),
        );
    }
    let presses = run.presses.iter();
    let presses: Value = presses
        .map(|(name, press)| (name.clone(), press_json(press)))
        .collect();
    let points = run.point_curves.iter();
    let inside: Value = points.map(|p| (p.name.clone(), point_json(p))).collect();
    let wall: f64 = run.cost_ms.iter().sum::<f64>() * 1e-3;
    let simulated = run.frames as f64 * comparison.frame_duration;
    let counters: Value = run.counters.iter().copied().collect();
    let mut value = json!({
        "applicable": true,
        "frames": run.frames,
        "median_ms": run.cost_quantile(0.5),
        "p99_ms": run.cost_quantile(0.99),
        "realtime_factor": if wall > 0.0 { simulated / wall } else { f64::INFINITY },
        "diverged": run.diverged.is_some(),
        "error": run.diverged.as_ref().map_or(Value::Null, |e| json!({ "code": e.code(), "message": e.to_string() })),
        "surface_hash": format!("{:016x}", run.surface_hash),
        "skin_vertices": comparison.setup.skin().vertex_count(),
        "bake_s": run.bake_s,
        "from_cache": run.from_cache,
        "active_nodes_max": run.active_nodes_max,
        "reactions": reactions,
        "carriers": carriers,
        "probes": probes,
        "presses": presses,
        "inside": inside,
        "counters": counters,
        "frame_metrics": frame_metrics_json(&run.metrics),
        "findings": findings::of_method(result.method, run, comparison),
        "notes": comparison.notes_of(result.method),
    });
    for figure in &FIGURES {
        value[figure.name] = json!((figure.value)(run));
    }
    value
}

/// Each metric at the end and its ends over the run; `null` for one that the method does not have.
fn frame_metrics_json(frames: &[FrameMetrics]) -> Map<String, Value> {
    let mut all = Map::new();
    for metric in METRICS {
        let values = || frames.iter().filter_map(metric.value);
        let summary = values().next_back().map_or(Value::Null, |last| {
            json!({
                "final": last,
                "min": values().fold(f64::INFINITY, f64::min),
                "max": values().fold(f64::NEG_INFINITY, f64::max),
            })
        });
        all.insert(metric.key(), summary);
    }
    all
}

/// How a probe oscillates, for people; `None` where it does not.
pub fn oscillation_text(run: &MethodRun, probe: usize) -> Option<String> {
    let found = run.probe_oscillation(probe)?;
    let (frequency, ratio) = (found.frequency, found.damping_ratio);
    let digits = places(frequency, 3);
    Some(format!(
        "oscillates at {frequency:.digits$} Hz with a damping ratio of {ratio:.3}"
    ))
}

/// What the press of a tool cost it, for people.
pub fn hysteresis_text(press: &Press) -> String {
    // no minus before a zero
    let percent = (press.lost_fraction() * 1e3).round() / 1e1 + 0.0;
    let digits = places(press.lost.abs(), 4);
    format!(
        "{:.digits$} J, {percent:.1} % of the work of its largest press",
        press.lost
    )
}

fn press_json(press: &Press) -> Value {
    json!({
        "work_j": press.work,
        "hysteresis_j": press.lost,
        "hysteresis_fraction": press.lost_fraction(),
    })
}

fn carrier_json(carrier: &CarrierWrench) -> Value {
    json!({
        "carried": carrier.carried,
        "force_n": vector(&carrier.wrench.force),
        "torque_n_m": vector(&carrier.wrench.torque),
    })
}

fn point_json(point: &PointCurve) -> Value {
    let last = point.last();
    json!({
        "point": vector(&point.rest),
        "final": { "displacement": vector(&last.displacement), "stress": last.stress, "von_mises": last.von_mises() },
        "final_displacement": last.displacement.norm(),
        "max_displacement": point.displacement_max(),
        "max_von_mises": point.von_mises_max(),
    })
}

/// Each point inside in each frame; `null` where there is none.
pub fn point_frames_json(run: &MethodRun) -> Value {
    if run.point_curves.is_empty() {
        return Value::Null;
    }
    let mut frames = Map::new();
    frames.insert("t".into(), json!(run.times));
    for point in &run.point_curves {
        let list = |value: &dyn Fn(&PointState) -> Value| -> Vec<Value> {
            point.states.iter().map(value).collect()
        };
        let curves = json!({
            "displacement": list(&|s| vector(&s.displacement)),
            "stress": list(&|s| json!(s.stress)),
            "von_mises": list(&|s| json!(s.von_mises())),
        });
        frames.insert(format!("inside.{}", point.name), curves);
    }
    Value::Object(frames)
}

/// The JSON list of pairs.
pub fn pairs_json(comparison: &Comparison) -> Value {
    comparison
        .pairs
        .iter()
        .map(|pair| {
            json!({
                "a": pair.a.name(), "b": pair.b.name(),
                "surface_rms": pair.distance.rms, "surface_max": pair.distance.max,
                "frame": pair.frame,
            })
        })
        .collect()
}
