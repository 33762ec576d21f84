//! `pliant advise`: which method suits a body, with which settings, and why.

mod confirmation;
mod goal;
mod json;
mod progress;
mod result_commands;
mod words;

use std::sync::Arc;

use pliant_simulation::advice::{AdviceOptions, SceneText, advise as find_advice};
use serde_json::{Value, json};

use self::confirmation::{confirm_written, confirmation_json, sentences};
use self::goal::parse_goal;
use self::json::advice_json;
use self::progress::ProgressReporter;
use self::result_commands::{compare_command, repeat_command, run_command};
use self::words::{heading, print};
use crate::args::Advise;
use crate::failure::Failure;
use crate::options::{checked_duration, parse_methods};
use crate::output::{Done, OutFolder};
use crate::report::{AdvicePage, write_advice};
use crate::session::Session;

/// Name of the scene with the advised settings.
const SCENE: &str = "advised.toml";

/// Runs the command.
pub fn advise(session: &Session, args: &Advise) -> Result<Done, Failure> {
    let goal = parse_goal(&args.budget_ms, &args.error, &args.skin_error)?;
    let methods = parse_methods(&args.methods)?;
    let duration = checked_duration(args.duration)?;
    let loaded = session.load(&args.source, &args.import)?;
    let out = OutFolder::prepare(args.out.as_deref(), &loaded.description.name)?;
    let mut reporter = ProgressReporter::new(session);
    let setup = Arc::new(session.prepare(&loaded)?);
    reporter.line(
        "the reference comes first: some seconds to some minutes, once for this body and poke",
    );
    let options = AdviceOptions {
        goal,
        methods,
        duration,
        cache: &session.cache,
    };
    let advice = find_advice(&loaded, &setup, &options, &mut reporter, &session.progress)?;
    let path = out.path().join(SCENE);
    let run = run_command(&path, &advice);
    let command = repeat_command(args, session);
    let text = SceneText::of(&loaded)?.with(
        &advice.advised().settings,
        &heading(&advice, &command, &run),
    );
    out.write(SCENE, text.as_bytes())?;
    let confirmed = match args.confirm {
        true => {
            reporter.line("the advised scene runs again, and a poke that is less deep with a reference of its own");
            Some(confirm_written(session, &path, &advice)?)
        }
        false => None,
    };
    drop(reporter);
    let told = confirmed.as_ref().map(|found| sentences(found, &advice));
    let told = told.unwrap_or_default();
    let page = AdvicePage {
        advice: &advice,
        setup: &setup,
        repeat: command,
        run: run.clone(),
        compare: compare_command(&path, &advice, &setup),
        confirmed: told.clone(),
    };
    write_advice(&page, &out)?;
    let mut result = advice_json(&advice, &setup);
    result["confirmation"] = match &confirmed {
        Some(found) => confirmation_json(found, &advice),
        None => Value::Null,
    };
    result["run"] = json!(run);
    result["files"] = json!({ "page": "advice.html", "json": "advice.json", "scene": SCENE });
    out.write("advice.json", format!("{result:#}\n").as_bytes())?;
    print(session, &advice, &told);
    session.output.line(format!("run it: {run}"));
    let page = out.path().join("advice.html");
    session.output.line(format!("page: {}", page.display()));
    Ok(Done::new(result))
}
