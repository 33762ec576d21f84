//! `pliant run`: one method without a window.

mod degradation_counts;
mod frame_curves;
mod frames;

use std::sync::Arc;

use pliant_core::math::numbers::places;
use pliant_core::scene::Method;
use pliant_render::note::Note;
use pliant_simulation::build::build_method;
use pliant_simulation::compare::{CompareOptions, Comparison, FIGURES, MethodRun};
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::world::World;
use serde_json::{Value, json};

use crate::args::Run;
use crate::commands::recordings::{Recorded, compare_and_record};
use crate::failure::Failure;
use crate::options::parse_method;
use crate::output::{CURVES, Done, Output, refuse_foreign, write_whole};
use crate::report::checks::{CheckResult, judge};
use crate::report::metrics::{
    cache_suffix, hysteresis_text, method_json, oscillation_text, point_frames_json,
};
use crate::report::{curves_csv, nothing_felt, reference, scene_json, stop};
use crate::session::{Session, quoted};

/// Most frames of a run: an hour, the longest duration, at 10,000 frames a second.
const MAX_FRAMES: usize = 36_000_000;

/// Runs the command.
pub fn run(session: &Session, args: &Run) -> Result<Done, Failure> {
    let method = parse_method(&args.method)?;
    if let Some(frames) = args.frames.filter(|n| !(1..=MAX_FRAMES).contains(n)) {
        return Err(Failure::bad_input(
            "BadFrames",
            format!("{frames} frames cannot be run"),
            format!("give --frames 1 to {MAX_FRAMES}"),
        ));
    }
    if let Some(file) = &args.curves {
        refuse_foreign(file, &CURVES)?;
    }
    let loaded = load_with_budget(session, args)?;
    let contact = loaded.description.body.quasistatic.budget_ms;
    let has_own_budget = method == Method::Quasistatic && contact.is_some();
    if let Some(remark) = budget_without_effect(args, method, has_own_budget) {
        session.output.remark(remark);
    }
    let watch = session.output.watch(&session.progress);
    let setup = Arc::new(session.prepare(&loaded)?);
    let frames = args
        .frames
        .unwrap_or_else(|| setup.frames(setup.description.duration));
    if let Some(frame_options) = frames::FrameOptions::from_args(args)? {
        let built = build_method(&setup, method, &session.cache, &session.progress)?;
        let world = World::new(method, built.model, Arc::clone(&setup));
        drop(watch);
        let notes = setup.note_texts_of(method).map(str::to_string);
        let notes = notes.chain(built.notes).collect();
        return frames::run(
            session,
            method,
            world,
            &setup,
            frames,
            &frame_options,
            notes,
        );
    }
    let options = CompareOptions {
        methods: Some(vec![method]),
        duration: Some(frames as f64 * setup.frame_duration()),
        reference: reference::choice(args.reference.as_deref()),
        ..CompareOptions::new(&session.cache)
    };
    let (how, budget) = ((&args.import, &args.record), args.budget_ms);
    let (comparison, recorded) =
        compare_and_record(session, &loaded, how, budget, Arc::clone(&setup), &options)?;
    drop(watch);
    let Some(result) = comparison.methods.first() else {
        return Err(Failure::bad_input(
            "NothingToRun",
            "no method was run",
            "give --method",
        ));
    };
    let run = match &result.outcome {
        Ok(run) => run,
        Err(reason) => return Err(Failure::not_applicable(method, reason)),
    };
    let out = &session.output;
    print_summary(out, method, run, &comparison);
    if let Some(file) = &args.curves {
        write_whole(file, curves_csv(&comparison).as_bytes())?;
        out.line(format!("curves: {}", file.display()));
    }
    if let Some(recorded) = &recorded {
        out.line(recorded.line());
    }
    let checks = checks_of(method, &comparison, frames);
    for check in &checks {
        out.line(check.line());
    }
    out.line(format!("surface hash {:016x}", run.surface_hash));
    for note in comparison.notes_of(method) {
        out.line(format!("note: {}", Note::read(&note)));
    }
    if let Some(sentence) = nothing_felt(&comparison) {
        out.line(format!("note: {sentence}"));
    }
    let stopped = stop(&comparison);
    let ok = stopped.is_none() && checks.iter().all(|c| c.pass != Some(false));
    let results: Vec<Value> = checks.iter().map(CheckResult::json).collect();
    let mut fields = scene_json(&setup, &repeat_command(args, session));
    fields["method"] = json!(method.name());
    fields["metrics"] = method_json(result, &comparison);
    fields["checks"] = json!(results);
    fields["reference"] = reference::reference_json(&comparison);
    fields["curves"] = point_frames_json(run);
    fields["recording"] = recorded.as_ref().map_or(Value::Null, Recorded::json);
    if let Some(why) = stopped {
        fields["error"] = why.json();
    }
    Ok(Done::checked(ok, fields))
}

/// The scene, with the budget of the command line.
fn load_with_budget(session: &Session, args: &Run) -> Result<LoadedScene, Failure> {
    let mut loaded = session.load(&args.source, &args.import)?;
    if let Some(budget) = args.budget_ms {
        if !(budget > 0.0 && budget <= 1e6) {
            return Err(Failure::bad_input(
                "BadBudget",
                format!("a budget of {budget} ms is not possible"),
                "give milliseconds above 0 and up to 1000000",
            ));
        }
        loaded.description.body.adaptive.budget_ms = Some(budget);
    }
    Ok(loaded)
}

/// The checks of the scene that judge `method`; none where only a part of the scene was run.
fn checks_of(method: Method, comparison: &Comparison, frames: usize) -> Vec<CheckResult> {
    let setup = &comparison.setup;
    if frames < setup.frames(setup.description.duration) {
        return Vec::new();
    }
    let mut checks = judge(comparison, frames as f64 * setup.frame_duration());
    checks.retain(|check| check.description.of == method);
    checks
}

/// The command that repeats the run.
fn repeat_command(args: &Run, session: &Session) -> String {
    let source = quoted(&args.source.to_string_lossy());
    let mut words = vec![format!("pliant run {source} --method {}", args.method)];
    words.extend(args.frames.map(|n| format!("--frames {n}")));
    words.extend(args.budget_ms.map(|ms| format!("--budget-ms {ms}")));
    words.extend(args.reference.as_ref().map(|r| format!("--reference={r}")));
    words.extend(args.import.words());
    words.extend(session.repeat_options());
    words.join(" ")
}

/// A remark if the options set a budget and the method has none, or one of its own that only the scene sets.
fn budget_without_effect(args: &Run, method: Method, has_own_budget: bool) -> Option<String> {
    let (by, halve) = (args.budget_by.is_some(), args.halve_budget_at.is_some());
    let options = [
        (args.budget_ms.is_some(), "--budget-ms"),
        (by && !has_own_budget, "--budget-by"),
        (halve && !has_own_budget, "--halve-budget-at"),
    ];
    let given: Vec<&str> = options.iter().filter(|o| o.0).map(|o| o.1).collect();
    (method != Method::Adaptive && !given.is_empty()).then(|| {
        format!(
            "only the adaptive method has a budget{}: {} without effect on the {} one",
            if has_own_budget {
                " from the command line"
            } else {
                ""
            },
            match given[..] {
                [only] => format!("{only} is"),
                _ => format!("{} are", given.join(" and ")),
            },
            method.name()
        )
    })
}

/// Prints the figures of the run, forces, probes and points at its end, and the comparison with the reference.
fn print_summary(out: &Output, method: Method, run: &MethodRun, comparison: &Comparison) {
    let method = method.name();
    out.line(format!(
        "{method}: {} frames, median {:.3} ms, p99 {:.3} ms, bake {:.2} s{}",
        run.frames,
        run.cost_quantile(0.5),
        run.cost_quantile(0.99),
        run.bake_s,
        cache_suffix(run.from_cache)
    ));
    let figures = FIGURES.iter().filter_map(|figure| {
        let value = (figure.value)(run)?;
        Some(format!("{} {}", figure.label, (figure.show)(value)))
    });
    let nodes = format!("{} nodes", run.active_nodes_max);
    let texts: Vec<String> = figures.chain([nodes]).collect();
    out.line(texts.join(", "));
    let sizes = run.reactions.iter().map(|(_, force)| force.norm());
    let digits = places(sizes.fold(run.force_max, f64::max), 5);
    let unit = 10.0_f64.powi(digits as i32);
    for (name, force) in &run.reactions {
        // no minus before a zero
        let force = force.map(|f| (f * unit).round() / unit + 0.0);
        out.line(format!(
            "{name} on the body at the end: ({:.digits$}, {:.digits$}, {:.digits$}) N",
            force.x, force.y, force.z
        ));
    }
    for k in 0..run.probe_curves.len() {
        let (last, most) = run.probe_summary(k);
        let (last, most) = (last * 1e3, most * 1e3);
        let digits = places(most, 4);
        out.line(format!(
            "probe {}: ({:.digits$}, {:.digits$}, {:.digits$}) mm at the end, at most {most:.digits$} mm",
            run.probe_curves[k].0, last.x, last.y, last.z
        ));
        if let Some(oscillation) = oscillation_text(run, k) {
            out.line(format!("probe {} {oscillation}", run.probe_curves[k].0));
        }
    }
    for (name, press) in &run.presses {
        out.line(format!("hysteresis of {name}: {}", hysteresis_text(press)));
    }
    for point in &run.point_curves {
        let (last, name) = (point.last(), &point.name);
        let u = last.displacement * 1e3;
        out.line(format!(
            "inside {name}: ({:.4}, {:.4}, {:.4}) mm and von Mises {:.4e} Pa at the end, at most {:.4} mm and {:.4e} Pa",
            u.x, u.y, u.z, last.von_mises(),
            point.displacement_max() * 1e3,
            point.von_mises_max()
        ));
    }
    if let Some(about) = reference::describe(comparison) {
        out.line(about);
    }
    if let (Some(exact), Some(found)) = (comparison.reference(), &run.accuracy) {
        let words = reference::accuracy_text(found, exact, comparison.setup.diagonal);
        out.line(format!("{method}: {words}"));
    }
}
