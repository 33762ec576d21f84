//! `pliant gf`: Green's functions into a file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use pliant_core::math::Vec3;
use pliant_core::scene::GreensGenerator;
use pliant_simulation::build::{BakeShare, BakedGreens, greens_share, resumable_greens_functions};
use pliant_simulation::journal::{ColumnJournal, FileJournal, MergedJournals};
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::prepare;
use serde_json::{Value, json};

use crate::args::Gf;
use crate::failure::Failure;
use crate::foreign_columns;
use crate::mesh::peak_megabytes;
use crate::out_folder::write_whole;
use crate::output::number;
use crate::session::Session;

/// Sums of columns that are timed.
const SUMS: usize = 64;
/// Columns in each of them, three a contact node.
const CONTACTS: usize = 40;

/// Runs the command.
pub fn gf(session: &Session, args: &Gf) -> Result<u8, Failure> {
    if let Some(wavelet) = args.wavelet.as_deref().filter(|w| *w != "none") {
        return Err(Failure::bad_input(
            "NotYetSupported",
            format!("--wavelet {wavelet} is not yet supported by this version"),
            "use --wavelet none",
        ));
    }
    let mut loaded = session.load(&args.source, &args.import)?;
    if let Some(columns) = &args.columns {
        return foreign_columns::import(session, args, columns, &loaded);
    }
    let wanted = &mut loaded.description.body.quasistatic;
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
    let generator = match wanted.generator {
        GreensGenerator::Fem => "fem",
        GreensGenerator::BemLinear => "bem-linear",
        GreensGenerator::BemConstant => "bem-constant",
        GreensGenerator::Asset => "asset",
    };
    if args.mpi {
        return crate::gf_mpi::gf(session, args, &loaded, generator);
    }
    if let (Some(text), Some(out)) = (&args.part, &args.out) {
        return solve_part(session, &loaded, text, out);
    }
    let watch = session.output.watch(&session.progress);
    let setup = prepare(&loaded, &session.progress)?;
    let parts: Vec<PathBuf> = match (&args.out, args.merge) {
        (Some(out), Some(of)) => (1..=of).map(|part| share_of(out, part, of)).collect(),
        (Some(out), None) => vec![part_of(out)],
        (None, _) => Vec::new(),
    };
    let journal: Option<Box<dyn ColumnJournal>> = match (parts.as_slice(), args.merge) {
        (parts, Some(_)) => Some(Box::new(MergedJournals::new(parts))),
        ([part], None) => Some(Box::new(FileJournal::new(part))),
        _ => None,
    };
    let baked = resumable_greens_functions(&setup, journal.as_deref(), &session.progress)?;
    drop(journal);
    store(session, args, &baked)?;
    for part in parts {
        // done: nothing is left to resume
        let _ = std::fs::remove_file(part);
    }
    drop(watch);
    tell(session, args, generator, &baked)?;
    Ok(0)
}

/// Writes the asset where it is wanted.
pub fn store(session: &Session, args: &Gf, baked: &BakedGreens) -> Result<(), Failure> {
    let Some(out) = &args.out else {
        return Ok(());
    };
    session.progress.stage("writing");
    write_whole(out, &baked.asset.to_bytes())
}

/// Lines and JSON of what was baked.
pub fn tell(
    session: &Session,
    args: &Gf,
    generator: &str,
    baked: &BakedGreens,
) -> Result<(), Failure> {
    let (asset, times, vertices) = (&baked.asset, &baked.times, baked.boundary_vertices);
    let dense = asset.matrix.bytes() as f64 / 1e6;
    let column = column_sum_us(baked);
    let output = &session.output;
    output.line(format!(
        "{vertices} boundary vertices, {} of them free: {dense:.1} MB of Green's functions by {generator}",
        asset.nodes()
    ));
    output.line(format!(
        "assembled in {:.2} s, factorised in {:.2} s, columns in {:.2} s; a column is summed in {column:.2} us",
        times.assemble, times.factor, times.columns
    ));
    let peak = peak_megabytes();
    // of the dense matrix of the boundary elements, H
    let is_dense = generator.starts_with("bem") && asset.unknowns > 0;
    let over_h = peak
        .as_f64()
        .filter(|_| is_dense)
        .map(|megabytes| megabytes * 1e6 / (8.0 * (asset.unknowns as f64).powi(2)));
    if let Some(megabytes) = peak.as_f64() {
        output.line(match over_h {
            Some(times) => format!(
                "at most {megabytes:.0} MB of memory, {times:.2} times the matrix of the boundary elements"
            ),
            None => format!("at most {megabytes:.0} MB of memory"),
        });
    }
    let inside: Vec<&str> = asset.inside.iter().map(|p| p.named.name.as_str()).collect();
    if !inside.is_empty() {
        output.line(format!("points inside: {}", inside.join(", ")));
    }
    let releasable = asset.releasable.iter();
    let releasable: Vec<&str> = releasable
        .filter_map(|kept| asset.supports.get(kept.support as usize))
        .map(|support| support.name.as_str())
        .collect();
    if !releasable.is_empty() {
        output.line(format!("can be released: {}", releasable.join(", ")));
    }
    for note in &asset.notes {
        output.line(format!("note: {note}"));
    }
    if let Some(out) = &args.out {
        output.line(format!("written to {}", out.display()));
    }
    // dense columns are stored as they are: nothing is lost and nothing gained
    output.json("gf", true, json!({
        "generator": generator, "n": vertices, "free": asset.nodes(), "unknowns": asset.unknowns,
        "dense_mb": number(dense), "stored_mb": number(dense), "compression": 1.0,
        "nnz_blocks": asset.nodes() * asset.nodes(), "rms_error": 0.0, "max_error": 0.0,
        "assemble_s": number(times.assemble), "factor_s": number(times.factor), "columns_s": number(times.columns),
        "transform_s": 0.0, "column_sum_us": { "dense": number(column), "wavelet": Value::Null },
        "peak_mb": peak, "peak_over_h": over_h.map_or(Value::Null, number),
        "levels": [], "inside": inside, "releasable": releasable, "notes": asset.notes, "file": args.out.as_ref().map(|f| f.display().to_string()),
    }))
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
    let setup = prepare(loaded, &session.progress)?;
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

/// Where one of several processes keeps its columns.
pub fn share_of(out: &Path, part: u16, of: u16) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".part-{part}-of-{of}"));
    name.into()
}

/// Where the finished columns of `out` are kept while it is baked.
fn part_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".columns");
    name.into()
}

/// Microseconds for the block column of one contact node within sums of [`CONTACTS`].
fn column_sum_us(baked: &BakedGreens) -> f64 {
    let asset = &baked.asset;
    let nodes = asset.nodes();
    let mut field = vec![0.0; 3 * nodes];
    let lists: Vec<Vec<(u32, Vec3)>> = (0..SUMS)
        .map(|run| {
            (0..CONTACTS)
                .map(|k| ((((run * CONTACTS + k) * 1789) % nodes) as u32, Vec3::y()))
                .collect()
        })
        .collect();
    let start = Instant::now();
    for forces in &lists {
        asset.matrix.add_columns(forces, &mut field);
    }
    start.elapsed().as_secs_f64() * 1e6 / (SUMS * CONTACTS) as f64
}
