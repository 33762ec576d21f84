//! One run of the program: options, threads, interruption, and the exit code.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use pliant_core::asset::Progress;
use pliant_simulation::cache::AssetCache;

use crate::args::{
    Cli, Command, Common, command, suggested_command, typed_command, with_default_command,
};
use crate::commands;
use crate::failure::{BAD_INPUT, CANCELLED, CHECK_FAILED, Failure, INTERNAL};
use crate::output::{Output, remove_unfinished};
use crate::session::Session;

/// Runs a command line and returns the exit code.
pub fn main(typed: Vec<OsString>) -> u8 {
    let wants_json = typed
        .iter()
        .any(|w| w.to_string_lossy().starts_with("--json"));
    let matches = command().try_get_matches_from(with_default_command(typed.clone()));
    let parsed = match suggested_command(&typed) {
        // the option may belong to the command that was meant
        Some((word, near)) => return report_misspelt_command(&word, &near, wants_json),
        None => matches.and_then(|matches| {
            let name = matches.subcommand_name().unwrap_or_default().to_string();
            Ok((Cli::from_arg_matches(&matches)?, name))
        }),
    };
    let (cli, name) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return report_usage_error(&error, &typed, wants_json),
    };
    let (output, name) = (Output::new(&cli.common), name.as_str());
    let outcome = catch_unwind(AssertUnwindSafe(|| run(cli, name)));
    match outcome {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) => {
            output.failure(name, &failure);
            failure.exit
        }
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown");
            let message = format!("internal fault: {}", text.lines().next().unwrap_or(""));
            let hint = "please report it with the command and the input";
            let failure = Failure {
                exit: INTERNAL,
                ..Failure::bad_input("InternalFault", message, hint)
            };
            output.failure(name, &failure);
            INTERNAL
        }
    }
}

/// Panics print nothing by themselves: [`main`] turns them into one line.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Reports a command line that cannot be parsed, or prints the requested help.
fn report_usage_error(error: &clap::Error, typed: &[OsString], wants_json: bool) -> u8 {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        // a closed pipe is no error
        let _ = error.print();
        return 0;
    }
    // the remedy is what was probably meant, or the help of the command that was typed, where there is one
    let named = typed_command(typed).filter(|w| command().find_subcommand(&**w).is_some());
    let help = named.map_or("see `pliant --help`".to_string(), |name| {
        format!("see `pliant {name} --help`")
    });
    let hint = match (without_equals_sign(error, typed), suggestion(error)) {
        (Some(meant), _) => format!("write `{meant}`, with the equals sign; {help}"),
        (None, Some(near)) => format!("did you mean `{near}`? {help}"),
        (None, None) => help,
    };
    let failure = Failure::bad_input("Usage", first_line(error), hint);
    report_before_command(wants_json, &failure)
}

/// Reports a misspelt command.
fn report_misspelt_command(word: &str, near: &str, wants_json: bool) -> u8 {
    let text = format!("there is no command, file or scene `{word}`");
    let hint = format!("did you mean `{near}`? `pliant --help` lists the commands");
    let failure = Failure::bad_input("NoSuchScene", text, hint).at(word);
    report_before_command(wants_json, &failure)
}

/// Reports an error of the command line and returns the exit code.
fn report_before_command(wants_json: bool, failure: &Failure) -> u8 {
    let common = Common {
        json: wants_json.then(|| "-".to_string()),
        ..Common::default()
    };
    Output::new(&common).failure("usage", failure);
    BAD_INPUT
}

/// `--json FILE` or `--reference WHAT` with the equals sign that was missing.
fn without_equals_sign(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(extra)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    typed.windows(2).find_map(|pair| {
        let [option, value] = pair else { return None };
        let takes_it = option == "--json" || option == "--reference";
        (takes_it && value == extra.as_str() && !extra.starts_with('-'))
            .then(|| format!("{}={extra}", option.to_string_lossy()))
    })
}

/// The suggestion of clap.
fn suggestion(error: &clap::Error) -> Option<&str> {
    let kinds = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
        ContextKind::SuggestedSubcommand,
    ];
    match kinds.into_iter().find_map(|kind| error.get(kind))? {
        ContextValue::String(near) => Some(near),
        ContextValue::Strings(near) => near.first().map(String::as_str),
        _ => None,
    }
}

/// The error in one line. Clap lists missing arguments and possible values in separate lines.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or("wrong usage");
    let mut line = first.trim_start_matches("error: ").to_string();
    if line.ends_with(':') {
        let listed: Vec<&str> = lines
            .take_while(|l| l.starts_with(' '))
            .map(str::trim)
            .collect();
        line = format!("{line} {}", listed.join(", "));
    } else if let Some(values) = lines
        .map(str::trim)
        .find(|l| l.starts_with("[possible values"))
    {
        line = format!("{line} {values}");
    }
    // messages of the standard library
    line.replace(
        "invalid digit found in string",
        "give a whole number, 0 or more",
    )
    .replace("invalid float literal", "give a number")
}

/// Sets threads, cache and interruption up and runs the command.
fn run(cli: Cli, name: &str) -> Result<u8, Failure> {
    let output = Output::new(&cli.common);
    output.check_target()?;
    if let Some(threads) = cli.common.threads {
        // fails only if a pool exists already, which is impossible here
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global();
    }
    if cli.common.simd == "portable" {
        pliant_core::simd::use_portable();
    }
    let cache = if cli.common.no_cache {
        AssetCache::disabled()
    } else {
        AssetCache::open(cli.common.cache.as_deref())
    };
    let session = Session {
        output,
        progress: Progress::new(),
        cache,
        threads: cli.common.threads.map(usize::from),
        seed: cli.common.seed,
        simd: cli.common.simd,
    };
    if let Some(notice) = session.cache.notice() {
        session.output.remark(notice);
    }
    if name != "view" {
        stop_on_interrupt(&session.progress);
    }
    let done = match cli.command {
        Command::View(args) => commands::view::view(&session, &args),
        Command::Compare(args) => commands::compare::compare(&session, &args),
        Command::Advise(args) => commands::advise::advise(&session, &args),
        Command::Run(args) => commands::run::run(&session, &args),
        Command::Oscillate(args) => commands::oscillate::oscillate(&session, &args),
        Command::Check(args) => commands::meshes::check(&session, &args),
        Command::Mesh(args) => commands::meshes::mesh(&session, &args),
        Command::Remesh(args) => commands::meshes::remesh(&session, &args),
        Command::Voxelise(args) => commands::meshes::voxelise(&session, &args),
        Command::Bake(args) => commands::bake::bake(&session, &args),
        Command::Gf(args) => commands::greens::gf(&session, &args),
        Command::Solve(args) => commands::greens::solve(&session, &args),
        Command::Rebase(args) => commands::greens::rebase(&session, &args),
        Command::Servo(args) => commands::servo::servo(&session, &args),
        Command::Replay(args) => commands::recordings::replay(&session, &args),
        Command::Export(args) => commands::recordings::export(&session, &args),
        Command::Inspect(args) => commands::recordings::inspect(&session, &args),
        Command::Bench(args) => commands::bench::bench(&session, &args),
        Command::Scenes => commands::scenes::scenes(&session),
        Command::Schema(args) => commands::scenes::schema(&session, &args),
        Command::Doctor => commands::doctor::doctor(&session),
    }?;
    let code = if done.ok { 0 } else { CHECK_FAILED };
    session.output.json(name, done)?;
    session.output.check_written()?;
    Ok(code)
}

/// Ctrl-C asks the work to stop and ends the program 0.4 s later. Files are written under temporary names, so that no
/// half-written file remains under its final name.
fn stop_on_interrupt(progress: &Progress) {
    let progress = progress.clone();
    // without a handler the system ends the program, which is fine, too
    let _ = ctrlc::set_handler(move || {
        progress.cancel();
        std::thread::spawn(|| {
            std::thread::sleep(Duration::from_millis(400));
            remove_unfinished();
            std::process::exit(i32::from(CANCELLED));
        });
    });
}
