//! The checks of a scene against their limits.

use pliant_core::math::numbers::places;
use pliant_core::scene::{CheckDescription, Method, REFERENCE};
use pliant_render::numbers::number;
use pliant_render::report::TextTable;
use pliant_simulation::compare::{Comparison, FIGURES, MethodRun};
use serde_json::{Value, json};

/// A check and its result.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// The check.
    pub description: CheckDescription,
    /// The measured value; NaN where there is none.
    pub value: f64,
    /// Passed or not; `None` where it was not judged.
    pub pass: Option<bool>,
    /// Why it was not judged.
    pub reason: String,
}

impl CheckResult {
    /// As JSON.
    pub fn json(&self) -> Value {
        let d = &self.description;
        let against = (!d.against.is_empty()).then_some(&d.against);
        let mut value = json!({
            "metric": d.metric, "of": d.of.name(), "against": against,
            "value": self.value, "min": d.min, "max": d.max, "pass": self.pass,
        });
        if !self.reason.is_empty() {
            value["skipped"] = json!(self.reason);
        }
        value
    }

    /// As a line of text.
    pub fn line(&self) -> String {
        let d = &self.description;
        let against = if d.against.is_empty() {
            String::new()
        } else {
            format!(" against {}", d.against)
        };
        let head = format!("check {} of {}{against}", d.metric, d.of.name());
        let (value, [min, max]) = match is_length(d) {
            true => (
                format!("{:.*} mm", places(1e3 * self.value, 3), 1e3 * self.value),
                [d.min, d.max].map(|limit| format!("{} mm", 1e3 * limit)),
            ),
            false => (
                format!("{:.*}", places(self.value, 4), self.value),
                [d.min, d.max].map(|limit| limit.to_string()),
            ),
        };
        let limits = match (d.min.is_finite(), d.max.is_finite()) {
            (true, true) => format!("{min} to {max}"),
            (true, false) => format!("at least {min}"),
            _ => format!("at most {max}"),
        };
        match self.pass {
            Some(pass) => format!(
                "{head}: {value} ({limits}) {}",
                if pass { "passed" } else { "FAILED" }
            ),
            None => format!("{head}: not judged ({})", self.reason),
        }
    }
}

/// Whether the value of a check is a length in m. The final value of a probe is one, and its difference from another method or the reference is a fraction.
fn is_length(check: &CheckDescription) -> bool {
    let metric = check.metric.as_str();
    match metric.split_once(':') {
        Some(("probe", _)) => check.against.is_empty(),
        Some((figure, _)) => figure == "probe_max",
        None => {
            ["violation_max_m", "pop_max_m"].contains(&metric) || metric.starts_with("surface_")
        }
    }
}

/// Judges all checks of the scene after so many `simulated` seconds.
pub fn judge(comparison: &Comparison, simulated: f64) -> Vec<CheckResult> {
    let scene = &comparison.setup.description;
    // a run is rounded to whole frames
    let end = simulated + 0.5 * comparison.frame_duration;
    let results = scene.checks.iter().map(|description| {
        let needs = description.needs(scene.duration);
        let (value, reason) = match measure(description, comparison) {
            Ok(_) if end < needs => (f64::NAN, format!("needs t >= {needs} s")),
            Ok(value) if value.is_nan() => (
                value,
                "there is no force or displacement to compare with".to_string(),
            ),
            Ok(value) => (value, String::new()),
            Err(reason) => (f64::NAN, reason),
        };
        CheckResult {
            pass: reason.is_empty().then_some(description.passes(value)),
            description: description.clone(),
            value,
            reason,
        }
    });
    results.collect()
}

/// The checks that could be judged, for the page.
pub fn table(checks: &[CheckResult]) -> TextTable {
    let judged = || checks.iter().filter_map(|c| Some((c, c.pass?)));
    let rows = judged().map(|(c, _)| {
        let d = &c.description;
        vec![
            d.metric.clone(),
            d.of.name().to_string(),
            d.against.clone(),
            number(c.value, 3),
            allowed(d.min, d.max),
        ]
    });
    TextTable {
        title: "Checks",
        columns: vec!["what", "of", "against", "value", "allowed"],
        names: 3,
        rows: rows.collect(),
        passed: judged().map(|(_, pass)| pass).collect(),
    }
}

/// The bounds of a check in words.
fn allowed(min: f64, max: f64) -> String {
    let [low, high] = [min, max].map(|bound| number(bound, 3));
    match (min.is_finite(), max.is_finite()) {
        (true, true) if min == max => format!("exactly {high}"),
        (true, true) => format!("{low} to {high}"),
        (true, false) => format!("at least {low}"),
        _ => format!("at most {high}"),
    }
}

/// A sentence where the scene has checks and none could be judged.
pub fn none_judged(checks: &[CheckResult]) -> Option<String> {
    let is_none = !checks.is_empty() && checks.iter().all(|check| check.pass.is_none());
    let reasons = || {
        let mut reasons: Vec<&str> = checks.iter().map(|c| c.reason.as_str()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons.join("; ")
    };
    is_none.then(|| {
        format!(
            "None of the {} checks of the scene could be judged: {}.",
            checks.len(),
            reasons()
        )
    })
}

fn find(comparison: &Comparison, method: Method) -> Result<&MethodRun, String> {
    comparison
        .run(method)
        .ok_or_else(|| format!("{} did not run", method.name()))
}

/// A metric of a method against the reference.
fn against_reference(
    check: &CheckDescription,
    run: &MethodRun,
    comparison: &Comparison,
) -> Result<f64, String> {
    let accuracy = run
        .accuracy
        .as_ref()
        .ok_or("there is no reference: add `--reference`, or `reference = \"dynamic\"` to the scene's `compare`")?;
    let required =
        |value: Option<f64>| value.ok_or_else(|| "no tool or grab exerts a force".to_string());
    if let Some(name) = check.metric.strip_prefix("probe:") {
        let probes = comparison.setup.probes.iter().position(|p| p.name == name);
        let found = probes.and_then(|k| accuracy.probe_max.get(k).map(|d| (k, *d)));
        let (k, difference) = found.ok_or_else(|| format!("there is no probe `{name}`"))?;
        let (_, largest) = run.probe_summary(k);
        return Ok(difference / largest);
    }
    match check.metric.as_str() {
        "force_error" | "stiffness_error" => required(accuracy.force_error.map(f64::abs)),
        "force_rms" => required(accuracy.force_rms),
        "surface_rms" => Ok(accuracy.surface_rms),
        "surface_max" => Ok(accuracy.surface_max),
        other => Err(format!("{other} has no reference")),
    }
}

fn measure(check: &CheckDescription, comparison: &Comparison) -> Result<f64, String> {
    let run = find(comparison, check.of)?;
    let against = || match Method::from_name(&check.against) {
        Some(method) => find(comparison, method).map(|run| (method, run)),
        None if check.against.is_empty() => Err("it needs `against`".to_string()),
        None => Err(format!("there is no method `{}`", check.against)),
    };
    if check.against == REFERENCE {
        return against_reference(check, run, comparison);
    }
    let index_of = |run: &MethodRun, name: &str| {
        run.probe_curves
            .iter()
            .position(|(n, _)| n == name)
            .ok_or_else(|| format!("there is no probe `{name}`"))
    };
    if let Some((figure, name)) = check.metric.split_once(':') {
        let oscillation = || {
            let found = run.probe_oscillation(index_of(run, name)?);
            found.ok_or_else(|| {
                format!("probe `{name}` turns fewer than three times at regular intervals after its largest swing")
            })
        };
        let press = || {
            let found = run.press(name);
            found.ok_or_else(|| format!("tool `{name}` has not pressed the body and let go of it"))
        };
        match figure {
            "probe_max" => return Ok(run.probe_summary(index_of(run, name)?).1),
            "probe_frequency_hz" => return Ok(oscillation()?.frequency),
            "probe_damping_ratio" => return Ok(oscillation()?.damping_ratio),
            "hysteresis_j" => return Ok(press()?.lost),
            "hysteresis_fraction" => return Ok(press()?.lost_fraction()),
            _ => {}
        }
    }
    if let Some(name) = check.metric.strip_prefix("probe:") {
        let index = |run: &MethodRun| index_of(run, name);
        if check.against.is_empty() {
            return Ok(run.probe_summary(index(run)?).0.norm());
        }
        let (_, other) = against()?;
        let (mine, theirs) = (
            run.probe_summary(index(run)?).0,
            other.probe_summary(index(other)?).0,
        );
        return Ok((mine - theirs).norm() / theirs.norm());
    }
    if let Some(figure) = FIGURES.iter().find(|f| f.name == check.metric) {
        return (figure.value)(run)
            .ok_or_else(|| format!("{} has no {} in this scene", check.of.name(), figure.lacks));
    }
    match check.metric.as_str() {
        "frame_cost_p99_ms" => Ok(run.cost_quantile(0.99)),
        "surface_rms" | "surface_max" => {
            let (method, _) = against()?;
            let pair = comparison
                .pairs
                .iter()
                .find(|p| [p.a, p.b].contains(&check.of) && [p.a, p.b].contains(&method))
                .ok_or_else(|| "`of` and `against` are the same method".to_string())?;
            Ok(if check.metric == "surface_rms" {
                pair.distance.rms
            } else {
                pair.distance.max
            })
        }
        "stiffness_error" | "force_error" => {
            let (_, other) = against()?;
            Ok((run.force_max / other.force_max - 1.0).abs())
        }
        other => Err(format!("`{other}` is not a value that can be checked")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_checks_are_worded() {
        let (none, all) = (f64::NEG_INFINITY, f64::INFINITY);
        for (min, max, words) in [
            (none, 0.05, "at most 0.0500"),
            (0.012, all, "at least 0.0120"),
            (1.0, 1.0, "exactly 1.00"),
            (1.0, 2.0, "1.00 to 2.00"),
        ] {
            assert_eq!(allowed(min, max), words);
        }
    }

    #[test]
    fn lines_give_lengths_in_millimetres_and_fractions_as_they_are() {
        let check = |metric: &str, against: &str| CheckResult {
            description: CheckDescription {
                metric: metric.into(),
                of: Method::Lattice,
                against: against.into(),
                min: f64::NEG_INFINITY,
                max: 0.5,
                from: None,
            },
            value: 0.25,
            pass: Some(true),
            reason: String::new(),
        };
        let in_mm = "250.000 mm (at most 500 mm) passed";
        let plain = "0.2500 (at most 0.5) passed";
        for (metric, against, end) in [
            ("probe:tip", "", in_mm),
            ("probe:tip", "adaptive", plain),
            ("probe:tip", REFERENCE, plain),
            ("probe_max:tip", "", in_mm),
            ("probe_frequency_hz:tip", "", plain),
            ("surface_rms", "adaptive", in_mm),
            ("violation_max_m", "", in_mm),
            ("volume_change", "", plain),
        ] {
            let line = check(metric, against).line();
            assert!(line.ends_with(&format!(": {end}")), "{line}");
            assert!(line.starts_with(&format!("check {metric} of lattice")));
        }
    }
}
