//! `pliant oscillate`: the clamped block of Debunne et al. 2001, figures 4 to 6, with pass bands.

mod pass_bands;
mod results;
mod study;

use pliant_adaptive::study::reference::BlockReference;
use serde_json::json;

use crate::args::Oscillate;
use crate::failure::Failure;
use crate::output::{Done, OutFolder};
use crate::session::Session;
use pass_bands::{Check, checks};
use results::{line, plot, reference_line, run_json};
use study::Study;

/// Runs the command.
pub fn oscillate(session: &Session, args: &Oscillate) -> Result<Done, Failure> {
    let study = Study::from_args(args)?;
    let out = args
        .out
        .as_deref()
        .map(|p| OutFolder::prepare(Some(p), "oscillate"))
        .transpose()?;
    let watch = session.output.watch(&session.progress);
    let reference = match study.calibrates() {
        true => {
            session.progress.stage("lowest modes of finer meshes");
            let made = BlockReference::new(study.size, &study.material, &session.progress);
            Some(made.map_err(|e| Failure::from_text(&e.code(), &e.to_string(), None))?)
        }
        false => None,
    };
    let mut runs = Vec::new();
    for &model in &study.models {
        for &nodes in &study.nodes {
            runs.extend(study.run(session, model, nodes, reference.as_ref())?);
        }
    }
    drop(watch);
    let checks = checks(&study, &runs);
    let ok = checks.iter().all(|c| c.pass);
    if let Some(reference) = &reference {
        session.output.line(reference_line(reference));
    }
    for one in &runs {
        session.output.line(line(one));
    }
    let failed = checks.iter().filter(|c| !c.pass);
    let (without, off): (Vec<_>, Vec<_>) = failed.partition(|c| c.value.is_nan());
    if let Some(first) = without.first() {
        let why = match runs.iter().any(|one| one.run.diverged) {
            true => "a run diverged",
            false => "the runs are too short for a period: give a longer --duration",
        };
        session.output.line(format!(
            "FAILED {} of {} checks have no value, first {} of {}: {why}",
            without.len(),
            checks.len(),
            first.metric,
            first.of
        ));
    }
    for check in off {
        session.output.line(format!(
            "FAILED {} of {}: {:.5} is not in {:.5} to {:.5}",
            check.metric, check.of, check.value, check.min, check.max
        ));
    }
    session.output.line(format!(
        "{} of {} checks passed",
        checks.iter().filter(|c| c.pass).count(),
        checks.len()
    ));
    let fields = json!({
        "size": study.size.as_slice(), "duration": study.duration, "gravity": study.gravity,
        "mode_frequencies_hz": reference.map(|r| r.frequencies()),
        "runs": runs.iter().map(run_json).collect::<Vec<_>>(),
        "checks": checks.iter().map(Check::json).collect::<Vec<_>>(),
    });
    if let Some(out) = out {
        out.write("oscillate.json", format!("{fields:#}\n").as_bytes())?;
        out.write("oscillate.svg", plot(&runs).svg().as_bytes())?;
        session.output.written_to(out.path());
    }
    Ok(Done::checked(ok, fields))
}
