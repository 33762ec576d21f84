//! `pliant compare`: several methods on one scene, a report at the end.

use std::sync::Arc;

use pliant_core::math::numbers::places;
use pliant_render::note::Note;
use pliant_simulation::compare::{CompareOptions, Comparison};
use serde_json::Value;

use crate::args::Compare;
use crate::commands::recordings::{Recorded, compare_and_record};
use crate::failure::{Failure, one_line};
use crate::options::{checked_duration, parse_methods};
use crate::output::{Done, OutFolder};
use crate::report::checks::{CheckResult, judge, none_judged};
use crate::report::{self, reference};
use crate::session::{Session, quoted};

/// Runs the command.
pub fn compare(session: &Session, args: &Compare) -> Result<Done, Failure> {
    let methods = parse_methods(&args.methods)?;
    let duration = checked_duration(args.duration)?;
    let loaded = session.load(&args.source, &args.import)?;
    let out = OutFolder::prepare(args.out.as_deref(), &loaded.description.name)?;
    let watch = session.output.watch(&session.progress);
    let setup = Arc::new(session.prepare(&loaded)?);
    let options = CompareOptions {
        methods: methods.clone(),
        duration,
        cache: &session.cache,
        keep_frames: !args.no_pictures,
        reference: reference::choice_of_comparison(args.reference.as_deref(), &loaded, duration),
    };
    let how = (&args.import, &args.record);
    let (comparison, recorded) =
        compare_and_record(session, &loaded, how, None, Arc::clone(&setup), &options)?;
    // if the only method cannot run the scene, that is an error; with several methods it is a result
    if let [only] = &comparison.methods[..]
        && methods.is_some()
        && let Err(reason) = &only.outcome
    {
        return Err(Failure::not_applicable(only.method, reason));
    }
    let simulated = duration.unwrap_or(comparison.setup.description.duration);
    let checks = judge(&comparison, simulated);
    session.progress.stage("writing the report");
    let command = repeat_command(args, session);
    let files = report::write(&comparison, &checks, &out, &command, args.all_pictures)?;
    drop(watch);
    let mut result = report::result_json(&comparison, &checks, &command);
    result["files"] = files;
    result["recording"] = recorded.as_ref().map_or(Value::Null, Recorded::json);
    let stopped = report::stop(&comparison);
    let ok = stopped.is_none() && checks.iter().all(|c| c.pass != Some(false));
    if let Some(why) = stopped {
        result["error"] = why.json();
    }
    out.write("report.json", format!("{result:#}\n").as_bytes())?;
    print(session, &comparison, &checks);
    session.output.line(format!(
        "report: {}",
        out.path().join("report.html").display()
    ));
    if let Some(recorded) = &recorded {
        session.output.line(recorded.line());
    }
    Ok(Done::checked(ok, result))
}

/// The command that repeats the comparison.
fn repeat_command(args: &Compare, session: &Session) -> String {
    let source = quoted(&args.source.to_string_lossy());
    let mut words = vec!["pliant compare".to_string(), source];
    if !args.methods.is_empty() {
        words.push(format!("--methods {}", args.methods.join(",")));
    }
    words.extend(args.duration.map(|d| format!("--duration {d}")));
    words.extend(args.reference.as_ref().map(|r| format!("--reference={r}")));
    words.extend(args.import.words());
    words.extend(session.repeat_options());
    words.join(" ")
}

fn print(session: &Session, comparison: &Comparison, checks: &[CheckResult]) {
    let out = &session.output;
    out.line(format!(
        "{:<12} {:>9} {:>9} {:>9} {:>11} {:>9}",
        "method", "median ms", "p99 ms", "bake s", "force max N", "nodes"
    ));
    for result in &comparison.methods {
        match &result.outcome {
            Ok(run) => out.line(format!(
                "{:<12} {:>9.3} {:>9.3} {:>9.2} {:>11.digits$} {:>9}{}",
                result.method.name(),
                run.cost_quantile(0.5),
                run.cost_quantile(0.99),
                run.bake_s,
                run.force_max,
                run.active_nodes_max,
                match run.from_cache {
                    true => "  (bake from the cache)",
                    false => "",
                },
                digits = places(run.force_max, 4),
            )),
            Err(reason) => out.line(format!(
                "{:<12} not applicable: {}",
                result.method.name(),
                one_line(&reason.reason)
            )),
        }
    }
    // what puts all figures in doubt is always printed, and to which size a mesh was scaled
    let notes = comparison.setup.notes.iter();
    for note in notes.filter(|note| note.is_warning || note.code() == Some("MeshScaled")) {
        out.line(format!("note: {}", Note::read(&note.text)));
    }
    if let Some(sentence) = report::nothing_felt(comparison) {
        out.line(format!("note: {sentence}"));
    }
    for (method, run) in comparison.runs() {
        for sentence in report::failures(method, run, comparison) {
            out.line(format!("note: {}: {sentence}", method.name()));
        }
        for text in comparison.notes_of(method) {
            let note = Note::read(&text);
            let line = format!("{}: {note}", method.name());
            match note.puts_figures_in_doubt() {
                true => out.line(format!("note: {line}")),
                false => out.detail(line),
            }
        }
    }
    if let Some(about) = reference::describe(comparison) {
        out.line(about);
    }
    if let Some(exact) = comparison.reference() {
        for (method, run) in comparison.runs() {
            if let Some(found) = &run.accuracy {
                let words = reference::accuracy_text(found, exact, comparison.setup.diagonal);
                out.line(format!("{:<12} {words}", method.name()));
            }
        }
    }
    for sentence in reference::explanations(comparison) {
        out.line(sentence);
    }
    if let Some(summary) = reference::summary(comparison) {
        out.line(summary);
    }
    for pair in &comparison.pairs {
        let [most, rms] = [pair.distance.max, pair.distance.rms].map(|distance| distance * 1e3);
        let digits = places(most, 3);
        out.line(format!(
            "{} and {}: surfaces up to {most:.digits$} mm apart (rms {rms:.digits$} mm) in frame {}",
            pair.a.name(),
            pair.b.name(),
            pair.frame
        ));
    }
    for check in checks {
        out.line(check.line());
    }
    if let Some(sentence) = none_judged(checks) {
        out.line(sentence);
    }
}
