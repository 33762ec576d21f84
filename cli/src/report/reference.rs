//! The reference of a comparison as text and as JSON.

use pliant_core::scene::{Method, ReferenceChoice};
use pliant_render::numbers::{engineering_unit, number as digits};
use pliant_simulation::compare::Comparison;
use pliant_simulation::reference::{
    Accuracy, Cause, Ranking, Reference, ReferenceForce, ReferenceKind, deviation, side,
};
use pliant_simulation::scenes::LoadedScene;
use serde_json::{Map, Value, json};

use crate::failure::one_line;

/// Longest comparison of a dropped mesh that has an estimate by default, s.
const MAX_ESTIMATE_DURATION: f64 = 10.0;

/// The kind of reference of a comparison. Without an `argument`, short comparisons of a dropped mesh have an estimate, which takes seconds. Scenes have their own choice.
pub fn choice_of_comparison(
    argument: Option<&str>,
    scene: &LoadedScene,
    duration: Option<f64>,
) -> Option<ReferenceChoice> {
    let is_short = duration.unwrap_or(scene.description.duration) <= MAX_ESTIMATE_DURATION;
    let estimate = scene.is_dropped_mesh() && is_short;
    choice(argument).or(estimate.then_some(ReferenceChoice::Estimate))
}

/// The kind from `--reference`; `None` leaves it to the scene. The words were checked by the parser of the command line.
pub fn choice(argument: Option<&str>) -> Option<ReferenceChoice> {
    argument.and_then(ReferenceChoice::from_name)
}

/// The JSON object `reference` of a comparison; empty without a reference.
pub fn reference_json(comparison: &Comparison) -> Value {
    let reference = match &comparison.reference {
        None => return json!({}),
        Some(Err(reason)) => {
            let text = one_line(&reason.reason);
            let kind = match comparison.reference_choice {
                ReferenceChoice::Estimate => ReferenceChoice::Estimate.name(),
                choice => ReferenceKind::of(choice).name(),
            };
            return json!({ "kind": kind, "applicable": false, "code": reason.code, "reason": text });
        }
        Some(Ok(reference)) => reference,
    };
    let methods: Map<String, Value> = comparison
        .runs()
        .filter_map(|(method, run)| {
            let accuracy = run.accuracy.as_ref()?;
            Some((method.name().into(), accuracy_json(accuracy, comparison)))
        })
        .collect();
    let firm = reference.force.as_ref().map(|reference_force| {
        let [from, to] = times(comparison, reference_force);
        json!({
            "of": curve_name(comparison, reference_force),
            "from_s": from,
            "to_s": to,
            "force_n": reference_force.force,
            "uncertainty_n": reference_force.uncertainty,
            "uncertainty": reference_force.relative_uncertainty(),
        })
    });
    let ranking = comparison.ranking();
    let ranking = ranking.as_ref();
    let causes: Map<String, Value> = reference
        .causes
        .iter()
        .map(|cause| {
            let name = cause.simplification.name();
            (name.into(), json!(cause.force_error))
        })
        .collect();
    json!({
        "kind": if reference.is_estimate() { "estimate" } else { reference.kind.name() },
        "applicable": true,
        "nodes": reference.nodes(),
        "firm": firm,
        "seconds": reference.seconds,
        "from_cache": reference.from_cache,
        "methods": methods,
        "causes": causes,
        "nearest": ranking.map(|r| r.nearest.name()),
        "as_near": ranking.map(|r| r.as_near.iter().map(|m| m.name()).collect::<Vec<_>>()),
        "cheapest": ranking.map(|r| r.cheapest.name()),
        "summary": summary(comparison),
        "notes": reference.notes,
    })
}

fn accuracy_json(accuracy: &Accuracy, comparison: &Comparison) -> Value {
    let pairs = comparison.setup.probes.iter().zip(&accuracy.probe_max);
    let probes: Value = pairs
        .map(|(p, largest)| (p.name.clone(), *largest))
        .collect();
    json!({
        "force_n": accuracy.force,
        "force_error": accuracy.force_error,
        "force_rms": accuracy.force_rms,
        "surface_rms": accuracy.surface_rms,
        "skin_error": accuracy.surface_rms / comparison.setup.diagonal,
        "surface_max": accuracy.surface_max,
        "surface_frame": accuracy.surface_frame,
        "probe_max": probes,
    })
}

/// The tool or grab whose force is judged.
fn curve_name<'a>(comparison: &'a Comparison, reference_force: &ReferenceForce) -> &'a str {
    let mut names = comparison.setup.force_names();
    names.nth(reference_force.curve).unwrap_or_default()
}

/// First and last time (s) at which it presses firmly.
fn times(comparison: &Comparison, reference_force: &ReferenceForce) -> [f64; 2] {
    let time =
        |frame: Option<&usize>| frame.map_or(0.0, |f| (f + 1) as f64 * comparison.frame_duration);
    [
        time(reference_force.frames.first()),
        time(reference_force.frames.last()),
    ]
}

/// Text on the accuracy of one method: its force, the deviation from the reference, and the distance of the skins.
pub fn accuracy_text(accuracy: &Accuracy, reference: &Reference, diagonal: f64) -> String {
    let mut text = match (accuracy.force, accuracy.force_error) {
        (Some(force), Some(error)) => {
            format!("{}, {}", newtons(force), deviation(error, reference))
        }
        _ => String::new(),
    };
    if !text.is_empty() {
        text.push_str("; ");
    }
    text.push_str(&format!(
        "skin {:.2} mm off (rms, {:.2} % of the diagonal)",
        accuracy.surface_rms * 1e3,
        accuracy.surface_rms / diagonal * 100.0
    ));
    text
}

/// A force with three digits, and a prefix where it is small.
fn newtons(force: f64) -> String {
    let (scale, unit) = engineering_unit(force.abs(), "N");
    format!("{} {unit}", digits(force * scale, 3))
}

/// Describes the reference, or why there is none; `None` if none was requested.
pub fn describe(comparison: &Comparison) -> Option<String> {
    match comparison.reference.as_ref()? {
        Err(reason) => Some(format!("no reference: {}", one_line(&reason.reason))),
        Ok(reference) => {
            let nodes = format!("{} of finite elements", reference.nodes_in_words());
            Some(match &reference.force {
                Some(reference_force) => {
                    let [from, to] = times(comparison, reference_force);
                    format!(
                        "{}: {} on {} from {from:.2} to {to:.2} s, uncertainty {} ({nodes})",
                        reference.title(),
                        newtons(reference_force.force),
                        curve_name(comparison, reference_force),
                        uncertainty(reference, reference_force),
                    )
                }
                None => format!("no tool or grab exerts a force in the reference ({nodes})"),
            })
        }
    }
}

/// Relative uncertainty of the reference's force. An estimate states a fifth, which is not measured.
fn uncertainty(reference: &Reference, reference_force: &ReferenceForce) -> String {
    let percent = 100.0 * reference_force.relative_uncertainty();
    match reference.is_estimate() {
        true => format!("{percent:.0} %"),
        false => format!("{percent:.1} %"),
    }
}

/// Why the methods differ from the reference, a sentence each, the largest difference first; empty if that was not requested.
pub fn explanations(comparison: &Comparison) -> Vec<String> {
    let Some(reference) = comparison.reference().filter(|r| !r.causes.is_empty()) else {
        return Vec::new();
    };
    let errors = comparison.runs().filter_map(|(method, run)| {
        let error = run.accuracy.as_ref()?.force_error?;
        Some((method, error))
    });
    let mut errors: Vec<(Method, f64)> = errors.collect();
    // equal ones stay in the order of the methods
    errors.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let explained = errors.into_iter();
    explained
        .map(|(method, error)| explanation(method, error, &reference.causes))
        .collect()
}

/// The parts of the relative `error` of a method, and the largest of them.
fn explanation(method: Method, error: f64, causes: &[Cause]) -> String {
    let made = causes.iter().map(|c| (c.simplification, c.force_error));
    let made = made.filter(|(simplification, _)| simplification.is_made_by(method));
    let mut rest = 1.0 + error;
    let mut parts = Vec::new();
    let mut is_known = true;
    let mut largest = (0.0, "");
    let mut add = |share: f64, words: &'static str, parts: &mut Vec<String>| {
        if share.abs() > largest.0 {
            largest = (share.abs(), words);
        }
        parts.push(format!("{:+.0} % by {words}", 100.0 * share));
    };
    for (simplification, share) in made {
        let words = simplification.in_words();
        match share {
            Some(alone) => {
                rest /= 1.0 + alone;
                add(alone, words, &mut parts);
            }
            None => {
                is_known = false;
                parts.push(format!("{words} (could not be run alone)"));
            }
        }
    }
    add(rest - 1.0, "resolution and the rest", &mut parts);
    // an unknown part may be the largest
    let most = match largest.1 {
        words if is_known && parts.len() > 1 && !words.is_empty() => format!(", most by {words}"),
        _ => String::new(),
    };
    let (name, percent) = (method.name(), 100.0 * error);
    format!("{name}: {percent:+.0} % in all{most}: {}", parts.join(", "))
}

/// Which method is nearest to the reference and which is cheapest, as text; `None` without a reference, and where nothing tells methods apart.
pub fn summary(comparison: &Comparison) -> Option<String> {
    let reference = comparison.reference()?;
    let ranking = comparison.ranking()?;
    let words = |method: Method, is_short: bool| -> Option<String> {
        let run = comparison.run(method)?;
        let accuracy = run.accuracy.as_ref()?;
        let off = match accuracy.force_error {
            Some(error) if is_short => side(error),
            Some(error) => deviation(error, reference),
            _ => format!("skin {:.2} mm off", accuracy.surface_rms * 1e3),
        };
        let cost = run.cost_quantile(0.5);
        Some(format!("{} ({off}, {cost:.2} ms a frame)", method.name()))
    };
    let named = |method| words(method, false);
    let Ranking {
        nearest, cheapest, ..
    } = ranking;
    if !ranking.as_near.is_empty() {
        let near = ranking.near();
        let listed = near.iter().map(|method| words(*method, true));
        let listed = listed.collect::<Option<Vec<_>>>()?.join(", ");
        return Some(format!(
            "Within the uncertainty of the reference, which cannot tell which is nearest: {listed}. Cheapest: {}.",
            match near.contains(&cheapest) {
                true => cheapest.name().to_string(),
                false => named(cheapest)?,
            }
        ));
    }
    Some(if nearest == cheapest {
        format!(
            "Nearest to the reference and cheapest: {}.",
            named(nearest)?
        )
    } else {
        format!(
            "Nearest to the reference: {}. Cheapest: {}.",
            named(nearest)?,
            named(cheapest)?
        )
    })
}

#[cfg(test)]
mod tests {
    use pliant_simulation::reference::Simplification;
    use pliant_simulation::scenes::{ImportOptions, load};

    use super::*;

    #[test]
    fn short_runs_of_a_dropped_mesh_have_an_estimate_and_scenes_have_their_own_choice() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tetrahedron.obj");
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        std::fs::write(&path, text).expect("written");
        let import = ImportOptions::default();
        let dropped = load(&path, &import).expect("a mesh");
        let poke = load("poke", &import).expect("bundled");
        let estimate = Some(ReferenceChoice::Estimate);
        assert_eq!(choice_of_comparison(None, &dropped, Some(10.0)), estimate);
        assert_eq!(choice_of_comparison(None, &dropped, None), estimate);
        assert_eq!(choice_of_comparison(None, &dropped, Some(10.1)), None);
        assert_eq!(choice_of_comparison(None, &poke, Some(1.0)), None);
        let none = Some(ReferenceChoice::None);
        assert_eq!(choice_of_comparison(Some("none"), &dropped, None), none);
    }

    #[test]
    fn an_error_is_split_into_its_parts_and_the_largest_is_named() {
        let cause = |simplification, force_error| Cause {
            simplification,
            force_error,
        };
        let causes = [
            cause(Simplification::LinearStrain, Some(0.25)),
            cause(Simplification::NoPoissonRatio, Some(-0.2)),
            cause(Simplification::NoInertia, Some(-0.04)),
        ];
        // 1.25 * 0.96 * 1.1
        assert_eq!(
            explanation(Method::Quasistatic, 0.32, &causes),
            "quasistatic: +32 % in all, most by small (linear) strains: +25 % by small (linear) strains, -4 % by no inertia, +10 % by resolution and the rest"
        );
        assert_eq!(
            explanation(Method::Adaptive, -0.05, &causes),
            "adaptive: -5 % in all: -5 % by resolution and the rest"
        );
        let unknown = [cause(Simplification::NoPoissonRatio, None)];
        assert_eq!(
            explanation(Method::Lattice, 0.3, &unknown),
            "lattice: +30 % in all: Poisson's ratio 0 (could not be run alone), +30 % by resolution and the rest"
        );
    }
}
