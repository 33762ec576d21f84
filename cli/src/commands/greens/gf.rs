//! `pliant gf`: Green's functions into a file.

use std::path::{Path, PathBuf};

use pliant_core::scene::{GreensGenerator, QuasistaticDescription};
use pliant_simulation::build::{BakeShare, greens_functions, greens_share};
use pliant_simulation::journal::{ColumnJournal, FileJournal, MergedJournals};
use pliant_simulation::scenes::LoadedScene;
use serde_json::json;

use super::baked::{part_of, share_of, store, tell};
use super::{foreign_columns, gf_mpi, gf_wavelet};
use crate::args::Gf;
use crate::failure::Failure;
use crate::output::{GREENS, refuse_foreign};
use crate::session::Session;

/// Runs the command.
pub fn gf(session: &Session, args: &Gf) -> Result<u8, Failure> {
    if let Some(out) = &args.out {
        refuse_foreign(out, &GREENS)?;
    }
    let mut loaded = session.load(&args.source, &args.import)?;
    if let Some(columns) = &args.columns {
        return foreign_columns::import(session, args, columns, &loaded);
    }
    let generator = apply_options(args, &mut loaded.description.body.quasistatic)?;
    if let Some(wavelet) = args.wavelet.as_deref().filter(|w| *w != "none") {
        return gf_wavelet::gf(session, args, wavelet, &loaded);
    }
    if args.mpi {
        return gf_mpi::gf(session, args, &loaded, generator);
    }
    if let (Some(text), Some(out)) = (&args.part, &args.out) {
        return solve_part(session, &loaded, text, out);
    }
    let parts: Vec<PathBuf> = match (&args.out, args.merge) {
        (Some(out), Some(of)) => parts_to_merge(out, of)?,
        (Some(out), None) => vec![part_of(out)],
        (None, _) => Vec::new(),
    };
    let watch = session.output.watch(&session.progress);
    let setup = session.prepare(&loaded)?;
    let journal: Option<Box<dyn ColumnJournal>> = match (parts.as_slice(), args.merge) {
        (parts, Some(_)) => Some(Box::new(MergedJournals::new(parts))),
        ([part], None) => Some(Box::new(FileJournal::new(part))),
        _ => None,
    };
    let baked = greens_functions(&setup, journal.as_deref(), &session.progress)?;
    drop(journal);
    store(session, args, &baked.asset.to_bytes())?;
    for part in parts {
        // done: nothing is left to resume
        let _ = std::fs::remove_file(part);
    }
    drop(watch);
    tell(session, args, generator, &(&baked).into(), None)?;
    Ok(0)
}

/// Writes the options over those of the scene; the name of the generator that results.
fn apply_options(args: &Gf, wanted: &mut QuasistaticDescription) -> Result<&'static str, Failure> {
    match args.generator.as_deref() {
        None => {}
        Some(_) if wanted.asset.is_some() => {
            return Err(Failure::bad_input(
                "GeneratorOfFile",
                "the scene takes its Green's functions from a file",
                "leave --generator out, or `asset` in the scene",
            ));
        }
        Some("fem") => wanted.generator = GreensGenerator::Fem,
        Some("bem-linear") => wanted.generator = GreensGenerator::BemLinear,
        Some("bem-constant") => wanted.generator = GreensGenerator::BemConstant,
        Some(other) => {
            return Err(Failure::bad_input(
                "NotYetSupported",
                format!("--generator {other} is not yet supported by this version"),
                "use --generator fem, bem-linear or bem-constant",
            ));
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
        wanted.hierarchical = Some(error);
    }
    for name in &args.releasable {
        if wanted.asset.is_some() {
            return Err(Failure::bad_input(
                "GeneratorOfFile",
                "the scene takes its Green's functions from a file",
                "leave --releasable out, or `asset` in the scene",
            ));
        }
        if !wanted.releasable.contains(name) {
            wanted.releasable.push(name.clone());
        }
    }
    Ok(match wanted.generator {
        GreensGenerator::Fem => "fem",
        GreensGenerator::BemLinear => "bem-linear",
        GreensGenerator::BemConstant => "bem-constant",
        GreensGenerator::Asset => "asset",
    })
}

/// The files of all `of` processes, which have to be there.
fn parts_to_merge(out: &Path, of: u16) -> Result<Vec<PathBuf>, Failure> {
    let parts = (1..=of).map(|part| (part, share_of(out, part, of)));
    parts
        .map(|(part, file)| match file.is_file() {
            true => Ok(file),
            false => Err(Failure::bad_input(
                "PartMissing",
                format!(
                    "part {part} of {of} is not there: there is no file {}",
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
) -> Result<u8, Failure> {
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
    let file = share_of(out, part, of);
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
    output.json(
        "gf",
        true,
        json!({ "part": part, "of": of, "columns": columns, "file": file.display().to_string() }),
    )?;
    Ok(0)
}
