//! `pliant gf`: Green's functions into a file.

use std::path::{Path, PathBuf};

use pliant_core::scene::{GreensGenerator, QuasistaticDescription};
use pliant_simulation::build::{BakeShare, greens_functions, greens_share};
use pliant_simulation::journal::{ColumnJournal, FileJournal, MergedJournals};
use pliant_simulation::scenes::LoadedScene;
use serde_json::json;

use super::baked::{journal_file, part_file, print, store};
use super::{foreign_columns, gf_mpi, gf_wavelet};
use crate::args::Gf;
use crate::failure::Failure;
use crate::output::{Done, GREENS, refuse_foreign};
use crate::session::Session;

/// Runs the command.
pub fn gf(session: &Session, args: &Gf) -> Result<Done, Failure> {
    if let Some(out) = &args.out {
        refuse_foreign(out, &GREENS)?;
    }
    let mut loaded = session.load(&args.source, &args.import)?;
    if let Some(columns) = &args.columns {
        return foreign_columns::import(session, args, columns, &loaded);
    }
    let generator = apply_options(args, &mut loaded.description.body.quasistatic)?;
    if args.wavelet.as_deref() == Some("none") {
        refuse_without_wavelets(args)?;
    }
    if let Some(wavelet) = args.wavelet.as_deref().filter(|w| *w != "none") {
        return gf_wavelet::gf(session, args, wavelet, &loaded);
    }
    if args.mpi {
        return gf_mpi::gf(session, args, &loaded, generator);
    }
    if let (Some(text), Some(out)) = (&args.part, &args.out) {
        return solve_part(session, &loaded, text, out);
    }
    let (parts, journal): (_, Option<Box<dyn ColumnJournal>>) = match (&args.out, args.merge) {
        (Some(out), Some(of)) => {
            let parts = parts_to_merge(out, of)?;
            let journal = MergedJournals::new(&parts);
            (parts, Some(Box::new(journal)))
        }
        (Some(out), None) => {
            let part = journal_file(out);
            let journal = FileJournal::new(&part);
            (vec![part], Some(Box::new(journal)))
        }
        (None, _) => (Vec::new(), None),
    };
    let watch = session.output.watch(&session.progress);
    let setup = session.prepare(&loaded)?;
    let baked = greens_functions(&setup, journal.as_deref(), &session.progress)?;
    drop(journal);
    store(session, args, &baked.asset.to_bytes())?;
    for part in parts {
        // the bake is complete and needs no journal
        let _ = std::fs::remove_file(part);
    }
    drop(watch);
    let figures = (&baked.asset, &baked.times, baked.boundary_vertices);
    Ok(print(session, args, generator, figures, None))
}

/// Refuses options of the compression by wavelets where there is none.
fn refuse_without_wavelets(args: &Gf) -> Result<(), Failure> {
    let given = [
        ("--epsilon", args.epsilon.is_some()),
        ("--rms", args.rms.is_some()),
        ("--near-field", args.near_field.is_some()),
        ("--zero-outside", args.zero_outside),
        ("--unit-areas", args.unit_areas),
        ("--unlifted", args.unlifted),
        ("--hats", args.hats),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::bad_input(
            "Usage",
            format!("{option} has no effect with --wavelet none"),
            format!("leave {option} out, or choose wavelets"),
        )),
    }
}

/// Applies the options to the settings of the scene. Returns the name of the resulting generator.
fn apply_options(
    args: &Gf,
    description: &mut QuasistaticDescription,
) -> Result<&'static str, Failure> {
    let of_file = |option: &str| {
        Failure::bad_input(
            "GeneratorOfFile",
            "the scene takes its Green's functions from a file",
            format!("leave {option} out, or `asset` in the scene"),
        )
    };
    let mut named = GreensGenerator::NAMED.into_iter();
    if let Some(wanted) = &args.generator {
        if description.asset.is_some() {
            return Err(of_file("--generator"));
        }
        if let Some((_, generator)) = named.clone().find(|(name, _)| name == wanted) {
            description.generator = generator;
        }
    }
    if let Some(error) = args.hierarchical {
        if !(1e-4..=0.5).contains(&error) {
            return Err(Failure::bad_input(
                "BadTolerance",
                format!("--hierarchical {error} is out of range"),
                "use a relative error from 0.0001 to 0.5; 0.01 suits most bodies",
            ));
        }
        description.hierarchical = Some(error);
    }
    if description.asset.is_some() && !args.releasable.is_empty() {
        return Err(of_file("--releasable"));
    }
    for name in &args.releasable {
        if !description.releasable.contains(name) {
            description.releasable.push(name.clone());
        }
    }
    let name = named.find(|(_, generator)| *generator == description.generator);
    Ok(name.map_or("", |(name, _)| name))
}

/// The files of all `of` processes, which have to exist.
fn parts_to_merge(out: &Path, of: u16) -> Result<Vec<PathBuf>, Failure> {
    let parts = (1..=of).map(|part| (part, part_file(out, part, of)));
    parts
        .map(|(part, file)| match file.is_file() {
            true => Ok(file),
            false => Err(Failure::bad_input(
                "PartMissing",
                format!(
                    "part {part} of {of} is missing: there is no file {}",
                    file.display()
                ),
                format!("run the same command with `--part {part}/{of}` in place of --merge"),
            )
            .at(file.display().to_string())),
        })
        .collect()
}

/// Solves the columns of one of several processes.
fn solve_part(
    session: &Session,
    loaded: &LoadedScene,
    text: &str,
    out: &Path,
) -> Result<Done, Failure> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    let Some((part, of)) = numbers.filter(|&(part, of): &(u16, u16)| (1..=of).contains(&part))
    else {
        return Err(Failure::bad_input(
            "BadPart",
            format!("--part {text} is not one of N processes"),
            "write it as 2/4: the second of four",
        ));
    };
    let watch = session.output.watch(&session.progress);
    let setup = session.prepare(loaded)?;
    let file = part_file(out, part, of);
    let share = BakeShare {
        part: usize::from(part) - 1,
        of: usize::from(of),
    };
    let journal = FileJournal::new(&file);
    let columns = greens_share(&setup, &journal, share, &session.progress)?;
    drop(watch);
    let output = &session.output;
    output.line(format!(
        "part {part} of {of}: {columns} columns in {}",
        file.display()
    ));
    Ok(Done::new(
        json!({ "part": part, "of": of, "columns": columns, "file": file.display().to_string() }),
    ))
}
