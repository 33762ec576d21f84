//! What a reader must know before judging the results: of each method, and of the scene.

use pliant_core::scene::Method;
use pliant_render::note::Note;
use pliant_simulation::compare::{Comparison, MethodRun};

use crate::failure::one_line;

/// Expected strain above which a linear method is told to be off, as a fraction.
const LARGE_STRAIN: f64 = 0.1;

/// Poisson's ratio below which the lattice's own, which is zero, makes no difference that is worth a sentence.
const NO_POISSON: f64 = 0.05;

/// Share of the skin's mean edge that a violation may have before it is told.
const SMALL_VIOLATION: f64 = 0.1;

/// What matters of one method, a sentence each; what went wrong comes first.
pub(super) fn of_method(method: Method, run: &MethodRun, comparison: &Comparison) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(error) = &run.diverged {
        let text = one_line(&error.to_string());
        let after = run.times.last().copied().unwrap_or(0.0);
        found.push(format!(
            "It stopped after {after:.2} s, and its figures end there: {text}."
        ));
    }
    found.extend(by_nature(method, comparison));
    let edge = comparison.setup.skin().mean_edge();
    if run.violation_max > SMALL_VIOLATION * edge {
        found.push(format!(
            "A tool or a held place was missed by up to {:.2} mm.",
            run.violation_max * 1e3
        ));
    }
    for note in own(&run.notes, comparison) {
        let already = run
            .diverged
            .as_ref()
            .is_some_and(|e| e.to_string() == *note);
        found.extend(Note::read(note).finding().filter(|_| !already));
    }
    let (median, frame) = (run.cost_quantile(0.5), comparison.frame_duration * 1e3);
    if median > frame {
        found.push(format!(
            "Slower than real time on this machine: a frame took {median:.1} ms and shows {frame:.1} ms."
        ));
    }
    found
}

/// What a method leaves out by its nature, where the scene makes that matter.
fn by_nature(method: Method, comparison: &Comparison) -> Option<String> {
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
                format!("{limit}, and shows no swinging.")
            })
        }
        Method::Lattice if poisson.abs() > NO_POISSON => Some(format!(
            "It behaves as if Poisson's ratio were 0 instead of {poisson:.2}: pressed, the body bulges less to the sides."
        )),
        Method::Lattice | Method::Adaptive => None,
    }
}

/// How a method was computed: its notes that are no findings.
pub(super) fn internals(run: &MethodRun, comparison: &Comparison) -> Vec<String> {
    let stopped = run.diverged.as_ref().map(ToString::to_string);
    let notes = own(&run.notes, comparison).filter(|n| stopped.as_ref() != Some(*n));
    let notes = notes.filter(|n| Note::read(n).finding().is_none());
    let hash = format!("surface hash {:016x}", run.surface_hash);
    notes.cloned().chain([hash]).collect()
}

/// The notes of one method without those of the scene, which concern all methods and stand once.
fn own<'n>(notes: &'n [String], comparison: &'n Comparison) -> impl Iterator<Item = &'n String> {
    notes
        .iter()
        .filter(|note| !comparison.setup.notes.contains(note))
}

/// What matters of the scene, and its other notes. The strain that is expected stands with the method that it concerns.
pub(super) fn of_scene(comparison: &Comparison) -> (Vec<String>, Vec<String>) {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for text in &comparison.setup.notes {
        let told = text.contains("strain_hint")
            && comparison.runs().any(|(m, _)| m == Method::Quasistatic);
        match Note::read(text).finding() {
            _ if told => {}
            Some(finding) => found.push(finding),
            None => others.push(text.clone()),
        }
    }
    (found, others)
}
