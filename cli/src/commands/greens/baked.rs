//! Baked Green's functions as a file, and their figures.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::bake::StageTimes;
use pliant_quasistatic::greens::GreensMatrix;
use pliant_render::note::Note;
use serde_json::{Value, json};

use super::asset_file::releasable;
use super::compressed::Compressed;
use super::timed_sums::{CONTACTS, SUMS, contact_lists};
use crate::args::Gf;
use crate::failure::Failure;
use crate::machine::peak_megabytes;
use crate::output::{Done, write_whole};
use crate::session::Session;

/// Largest dense columns that are expanded only for timing, bytes.
const MAX_EXPANDED_BYTES: usize = 1 << 30;

/// Writes the asset to the file of `--out`, if it is given.
pub fn store(session: &Session, args: &Gf, bytes: &[u8]) -> Result<(), Failure> {
    let Some(out) = &args.out else {
        return Ok(());
    };
    session.progress.stage("writing");
    write_whole(out, bytes)
}

/// Prints lines and gives the JSON of what was baked, how long it took, and on how many boundary vertices, the held ones included.
pub fn print(
    session: &Session,
    args: &Gf,
    generator: &str,
    (asset, times, boundary_vertices): (&GreensAsset, &StageTimes, usize),
    compressed: Option<&Compressed<'_>>,
) -> Done {
    let stored = asset.matrix.bytes();
    // a hierarchical matrix is smaller than its dense columns
    let dense = (9 * asset.matrix.precision().bytes() * asset.nodes().pow(2)).max(stored);
    let columns = dense_columns(asset, dense);
    let compression = dense as f64 / stored.max(1) as f64;
    let (dense, stored) = (dense as f64 / 1e6, stored as f64 / 1e6);
    let column = columns.as_deref().map(column_sum_us);
    let output = &session.output;
    output.line(format!(
        "{boundary_vertices} boundary vertices, {} of them free: {dense:.1} MB of Green's functions by {generator}",
        asset.nodes()
    ));
    output.line(format!(
        "assembled in {:.2} s, factorised in {:.2} s, columns in {:.2} s{}",
        times.assemble,
        times.factor,
        times.columns,
        column.map_or(String::new(), |us| format!(
            "; a column is summed in {us:.2} us"
        ))
    ));
    let peak = peak_megabytes();
    // ratio to the dense matrix of the boundary elements, H
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
    let releasable = releasable(asset);
    if !releasable.is_empty() {
        output.line(format!("can be released: {}", releasable.join(", ")));
    }
    for note in &asset.notes {
        output.line(format!("note: {}", Note::read(note)));
    }
    if let Some(out) = &args.out {
        output.written_to(out);
    }
    if let Some(compressed) = compressed {
        compressed.print(output, column);
    }
    let mut figures = json!({
        "generator": generator, "n": boundary_vertices, "free": asset.nodes(), "unknowns": asset.unknowns,
        "dense_mb": dense, "stored_mb": stored, "compression": compression,
        "nnz_blocks": asset.nodes() * asset.nodes(), "rms_error": times.compression_error[0], "max_error": times.compression_error[1],
        "assemble_s": times.assemble, "factor_s": times.factor, "columns_s": times.columns,
        "transform_s": times.compress, "column_sum_us": { "dense": column, "wavelet": Value::Null },
        "peak_mb": peak, "peak_over_h": over_h,
        "levels": [], "inside": inside, "releasable": releasable, "notes": asset.notes, "file": args.out.as_ref().map(|f| f.display().to_string()),
    });
    if let (Some(compressed), Some(figures)) = (compressed, figures.as_object_mut()) {
        compressed.figures(figures);
    }
    Done::new(figures)
}

/// The file of the columns of one of several processes.
pub fn part_file(out: &Path, part: u16, of: u16) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".part-{part}-of-{of}"));
    name.into()
}

/// The columns, expanded if wavelets have compressed them; `None` if the `bytes` of dense columns are too many.
fn dense_columns(asset: &GreensAsset, bytes: usize) -> Option<Cow<'_, GreensMatrix>> {
    if asset.matrix.wavelets().is_none() {
        return Some(Cow::Borrowed(&asset.matrix));
    }
    (bytes <= MAX_EXPANDED_BYTES).then(|| Cow::Owned(asset.matrix.expanded()))
}

/// Microseconds for the block column of one contact node within sums of [`CONTACTS`].
fn column_sum_us(matrix: &GreensMatrix) -> f64 {
    let nodes = matrix.nodes();
    let mut field = vec![0.0; 3 * nodes];
    let lists = contact_lists(nodes);
    let start = Instant::now();
    for forces in &lists {
        matrix.add_columns(forces, &mut field);
    }
    start.elapsed().as_secs_f64() * 1e6 / (SUMS * CONTACTS) as f64
}

/// The file of the finished columns during the bake of `out`.
pub fn journal_file(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".columns");
    name.into()
}
