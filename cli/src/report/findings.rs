//! Caveats of the results: of each method, and of the scene.

use pliant_core::scene::Method;
use pliant_render::note::Note;
use pliant_simulation::compare::{Comparison, MethodRun};
use pliant_simulation::setup::{NoteSubject, SceneNote};

use super::checks::{CheckResult, none_judged};
use super::reference;
use crate::failure::{Failure, one_line};

/// Expected strain above which a linear method is reported as approximate, as a fraction.
const LARGE_STRAIN: f64 = 0.1;

/// Poisson's ratio below which the difference to that of the lattice, which is zero, is not reported.
const NEGLIGIBLE_POISSON: f64 = 0.05;

/// Change of the enclosed volume, over that at rest, above which the result of a linear method is reported as wrong.
const LARGE_VOLUME_CHANGE: f64 = 0.3;

/// Largest violation that is not reported, as a share of the skin's mean edge.
const SMALL_VIOLATION: f64 = 0.1;

/// What matters for judging the results of all methods, a sentence each: why they differ from the reference, caveats of the scene, that nothing is felt, and that no check could be judged.
pub(super) fn of_run(comparison: &Comparison, checks: &[CheckResult]) -> Vec<String> {
    let explained = reference::explanations(comparison).into_iter();
    let found = explained.chain(scene_findings(comparison).0);
    let found = found.chain(nothing_felt(comparison));
    found.chain(none_judged(checks)).collect()
}

/// A sentence where the scene has tools that push, or grabs, and none of them is felt in any run.
pub fn nothing_felt(comparison: &Comparison) -> Option<String> {
    let setup = &comparison.setup;
    let pushes = setup.tools.iter().any(|tool| !tool.shape.is_blade());
    let mut runs = comparison.runs().map(|(_, run)| run).peekable();
    let has_run = runs.peek().is_some();
    let is_felt = runs.any(|run| run.force_max > 0.0 || run.diverged.is_some());
    let should_be_felt = has_run && (pushes || !setup.grabs.is_empty());
    (should_be_felt && !is_felt).then(|| {
        "No tool and no grab is felt in this run: they reach the body later, or their paths lead past it."
            .to_string()
    })
}

/// Caveats of one method, a sentence each. Failures come first.
pub(super) fn of_method(method: Method, run: &MethodRun, comparison: &Comparison) -> Vec<String> {
    let mut found = failures(method, run, comparison);
    found.extend(inherent_limits(method, comparison));
    found.extend(run.notes.iter().filter_map(|n| Note::read(n).finding()));
    let (median, frame) = (run.cost_quantile(0.5), comparison.frame_duration * 1e3);
    if median > frame {
        found.push(format!(
            "Slower than real time on this machine: a frame took {median:.1} ms and shows {frame:.1} ms."
        ));
    }
    found
}

/// Why the first of the methods that stopped did, and its name, body and frame (from 0); `None` where all ran to the end.
pub fn stop(comparison: &Comparison) -> Option<Failure> {
    let mut runs = comparison.runs();
    let (method, run, error) =
        runs.find_map(|(method, run)| Some((method, run, run.diverged.as_ref()?)))?;
    let setup = &comparison.setup;
    let body = match setup.is_group() {
        // all bodies of a scene stop together
        true => String::new(),
        false => format!(" of body {}", setup.description.body.name),
    };
    let place = format!("{}{body}, frame {}", method.name(), run.frames);
    let text = error.to_string();
    Some(Failure::from_text(&error.code(), &text, Some(place)))
}

/// What the figures of a run show to have failed, a sentence each: the run stopped, contact was not kept, or a linear body is deformed beyond all small strains.
pub fn failures(method: Method, run: &MethodRun, comparison: &Comparison) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(error) = &run.diverged {
        let text = one_line(&error.to_string());
        let after = run.times.last().copied().unwrap_or(0.0);
        found.push(format!(
            "It stopped after {after:.2} s, and its figures end there: {text}."
        ));
    }
    let edge = comparison.setup.skin().mean_edge();
    if run.violation_max > SMALL_VIOLATION * edge {
        let what = match comparison.setup.is_group() {
            true => "Bodies penetrated each other, themselves or a tool",
            false => "A tool penetrated the skin",
        };
        found.push(format!(
            "{what}, or a grabbed vertex missed its target, by up to {:.2} mm.",
            run.violation_max * 1e3
        ));
    }
    if method == Method::Quasistatic && run.volume_change > LARGE_VOLUME_CHANGE {
        found.push(format!(
            "The body changed its volume by {:.0} %, far beyond the small strains for which this method is right: its force and shape are wrong.",
            run.volume_change * 1e2
        ));
    }
    found
}

/// Inherent limits of a method that matter in the scene.
fn inherent_limits(method: Method, comparison: &Comparison) -> Option<String> {
    let description = &comparison.setup.description;
    let material = &comparison.setup.geometry.material;
    let poisson = material.elastic.poisson;
    match method {
        Method::Quasistatic => {
            let strain = description.strain_hint;
            let limit = "Linear and without inertia: it is right for small strains and rotations";
            Some(if strain > LARGE_STRAIN {
                format!(
                    "{limit}, and this scene strains the body by about {:.0} %, where its force and shape are approximate.",
                    strain * 1e2
                )
            } else {
                format!("{limit}, and shows no oscillation.")
            })
        }
        Method::Lattice if poisson.abs() > NEGLIGIBLE_POISSON => Some(format!(
            "It behaves as if Poisson's ratio were 0 instead of {poisson:.2}: pressed, the body bulges less to the sides."
        )),
        Method::Lattice | Method::Adaptive => None,
    }
}

/// Notes on how a method was computed, without its caveats.
pub(super) fn internals(run: &MethodRun) -> Vec<String> {
    let notes = run.notes.iter();
    let notes = notes.filter(|n| Note::read(n).finding().is_none());
    let hash = format!("surface hash {:016x}", run.surface_hash);
    notes.cloned().chain([hash]).collect()
}

/// Caveats of the scene, and its other notes. Those that a method is linear are left out where it did not run, and for the quasistatic method, whose own caveats say so.
pub(super) fn scene_findings(comparison: &Comparison) -> (Vec<String>, Vec<String>) {
    let is_told = |note: &&SceneNote| match note.subject {
        NoteSubject::Method(method) => {
            method != Method::Quasistatic && comparison.run(method).is_some()
        }
        _ => true,
    };
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for note in comparison.setup.notes.iter().filter(is_told) {
        match Note::read(&note.text).finding() {
            Some(finding) => found.push(finding),
            None => others.push(note.text.clone()),
        }
    }
    (found, others)
}
